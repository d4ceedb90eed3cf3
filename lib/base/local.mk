libcore_la_SOURCES += %D%/field.c
libcore_la_SOURCES += %D%/inertia.c
libcore_la_SOURCES += %D%/math3.c
libcore_la_SOURCES += %D%/memory.c
libcore_la_SOURCES += %D%/memory.h
libcore_la_SOURCES += %D%/output.c
libcore_la_SOURCES += %D%/status.c
libcore_la_SOURCES += %D%/table.c
