libexperiments_la_SOURCES += %D%/stability.c
