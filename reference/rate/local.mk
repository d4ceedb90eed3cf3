libreference_la_SOURCES += %D%/face.c
libreference_la_SOURCES += %D%/face.h
libreference_la_SOURCES += %D%/rate.c
libreference_la_SOURCES += %D%/rate_enclosure.c
