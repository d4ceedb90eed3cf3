libcore_la_SOURCES += %D%/check_columns.c
libcore_la_SOURCES += %D%/mass.c
libcore_la_SOURCES += %D%/mass_dense.c
libcore_la_SOURCES += %D%/problem.c
libcore_la_SOURCES += %D%/problem_build.c
libcore_la_SOURCES += %D%/problem_memory.h
libcore_la_SOURCES += %D%/rows.c
libcore_la_SOURCES += %D%/solver.c
