libexperiments_la_SOURCES += %D%/cases.c
libexperiments_la_SOURCES += %D%/mimic_exact.c
libexperiments_la_SOURCES += %D%/mimic_figures.c
libexperiments_la_SOURCES += %D%/mimic.c
libexperiments_la_SOURCES += %D%/parts.h
libexperiments_la_SOURCES += %D%/run.c
libexperiments_la_SOURCES += %D%/studies.c
libexperiments_la_SOURCES += %D%/mimic_sweep.c
