libexperiments_la_SOURCES += %D%/ratio.c
