libexperiments_la_SOURCES += %D%/paradox.c
