libreference_la_SOURCES += %D%/examine.c
libreference_la_SOURCES += %D%/examine_cone.c
libreference_la_SOURCES += %D%/examine_redundant.c
libreference_la_SOURCES += %D%/parts.h
