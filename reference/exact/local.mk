libreference_la_SOURCES += %D%/apart.c
libreference_la_SOURCES += %D%/apart.h
libreference_la_SOURCES += %D%/exact_search.c
libreference_la_SOURCES += %D%/exact_search.h
libreference_la_SOURCES += %D%/exact_simplex.c
libreference_la_SOURCES += %D%/exact_simplex.h
libreference_la_SOURCES += %D%/rational.c
libreference_la_SOURCES += %D%/rational.h
