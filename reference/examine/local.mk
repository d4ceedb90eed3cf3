libreference_la_SOURCES += %D%/entries.c
libreference_la_SOURCES += %D%/entries.h
libreference_la_SOURCES += %D%/entries_kernel.h
libreference_la_SOURCES += %D%/entries_paths.c
libreference_la_SOURCES += %D%/examine.c
libreference_la_SOURCES += %D%/examine_cone.c
libreference_la_SOURCES += %D%/examine_redundant.c
libreference_la_SOURCES += %D%/parts.h
