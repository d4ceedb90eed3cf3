libexperiments_la_SOURCES += %D%/greedy.c
libexperiments_la_SOURCES += %D%/orders.c
libexperiments_la_SOURCES += %D%/parts.h
