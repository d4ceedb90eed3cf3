libexperiments_la_SOURCES += %D%/relaxation.c
