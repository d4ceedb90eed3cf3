libcore_la_SOURCES += %D%/loops.c
