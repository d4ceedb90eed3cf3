libexperiments_la_SOURCES += %D%/energy.c
libexperiments_la_SOURCES += %D%/parts.h
