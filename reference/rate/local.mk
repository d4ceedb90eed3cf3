libreference_la_SOURCES += %D%/rate.c
libreference_la_SOURCES += %D%/rate_enclosure.c
