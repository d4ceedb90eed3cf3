libexperiments_la_SOURCES += %D%/drift.c
libexperiments_la_SOURCES += %D%/drift_figures.c
libexperiments_la_SOURCES += %D%/events.c
libexperiments_la_SOURCES += %D%/overshoot.c
libexperiments_la_SOURCES += %D%/parts.h
libexperiments_la_SOURCES += %D%/runs.c
