libcore_la_SOURCES += %D%/hull.c
libcore_la_SOURCES += %D%/hull.h
libcore_la_SOURCES += %D%/mesh_file.c
libcore_la_SOURCES += %D%/mesh_file.h
libcore_la_SOURCES += %D%/mesh_place.c
