libexperiments_la_SOURCES += %D%/articulation.c
libexperiments_la_SOURCES += %D%/chains.c
libexperiments_la_SOURCES += %D%/figures.c
libexperiments_la_SOURCES += %D%/mechanisms.c
libexperiments_la_SOURCES += %D%/parts.h
