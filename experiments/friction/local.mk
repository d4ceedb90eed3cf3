libexperiments_la_SOURCES += %D%/friction_figures.c
libexperiments_la_SOURCES += %D%/friction.c
libexperiments_la_SOURCES += %D%/friction_laws.c
libexperiments_la_SOURCES += %D%/parts.h
libexperiments_la_SOURCES += %D%/pull.c
libexperiments_la_SOURCES += %D%/friction_rig.c
libexperiments_la_SOURCES += %D%/slope.c
libexperiments_la_SOURCES += %D%/stack.c
