libexperiments_la_SOURCES += %D%/mechanisms.c
libexperiments_la_SOURCES += %D%/parts.h
libexperiments_la_SOURCES += %D%/published.c
libexperiments_la_SOURCES += %D%/reference_motion.c
libexperiments_la_SOURCES += %D%/scheme_runs.c
