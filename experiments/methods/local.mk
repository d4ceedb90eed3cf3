libexperiments_la_SOURCES += %D%/methods.c
