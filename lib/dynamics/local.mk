libcore_la_SOURCES += %D%/loops.c
libcore_la_SOURCES += %D%/minimal.c
libcore_la_SOURCES += %D%/propagated.c
