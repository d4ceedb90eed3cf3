libexperiments_la_SOURCES += %D%/coherence.c
libexperiments_la_SOURCES += %D%/figures.c
libexperiments_la_SOURCES += %D%/iterations.c
libexperiments_la_SOURCES += %D%/law.c
libexperiments_la_SOURCES += %D%/parts.h
libexperiments_la_SOURCES += %D%/piles.c
libexperiments_la_SOURCES += %D%/rig.c
libexperiments_la_SOURCES += %D%/stand.c
