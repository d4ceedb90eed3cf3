libexperiments_la_SOURCES += %D%/contact.c
libexperiments_la_SOURCES += %D%/lateral.c
libexperiments_la_SOURCES += %D%/order.c
libexperiments_la_SOURCES += %D%/parts.h
libexperiments_la_SOURCES += %D%/track.c
