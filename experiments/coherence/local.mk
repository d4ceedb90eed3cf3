libexperiments_la_SOURCES += %D%/coherence.c
libexperiments_la_SOURCES += %D%/coherence_figures.c
libexperiments_la_SOURCES += %D%/coherence_iterations.c
libexperiments_la_SOURCES += %D%/law.c
libexperiments_la_SOURCES += %D%/parts.h
libexperiments_la_SOURCES += %D%/piles.c
libexperiments_la_SOURCES += %D%/coherence_rig.c
libexperiments_la_SOURCES += %D%/stand.c
