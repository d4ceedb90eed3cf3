libreference_la_SOURCES += %D%/sparse.h
libreference_la_SOURCES += %D%/sparse_active_set.c
libreference_la_SOURCES += %D%/sparse_factor.c
libreference_la_SOURCES += %D%/sparse_matrix.c
