libexperiments_la_SOURCES += %D%/answers.c
libexperiments_la_SOURCES += %D%/collection.c
libexperiments_la_SOURCES += %D%/parts.h
libexperiments_la_SOURCES += %D%/peers.c
