libexperiments_la_SOURCES += %D%/figures.c
libexperiments_la_SOURCES += %D%/friction.c
libexperiments_la_SOURCES += %D%/laws.c
libexperiments_la_SOURCES += %D%/parts.h
libexperiments_la_SOURCES += %D%/pull.c
libexperiments_la_SOURCES += %D%/rig.c
libexperiments_la_SOURCES += %D%/slope.c
libexperiments_la_SOURCES += %D%/stack.c
