libexperiments_la_SOURCES += %D%/sweep.c
libexperiments_la_SOURCES += %D%/sweep.h
libexperiments_la_SOURCES += %D%/sweep_axis.c
libexperiments_la_SOURCES += %D%/sweep_cell.c
libexperiments_la_SOURCES += %D%/sweep_merge.c
