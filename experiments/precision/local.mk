libexperiments_la_SOURCES += %D%/ladder.h
libexperiments_la_SOURCES += %D%/ladder_kernel.h
libexperiments_la_SOURCES += %D%/ladder_float.c
libexperiments_la_SOURCES += %D%/ladder_mixed.c
libexperiments_la_SOURCES += %D%/ladder_double.c
libexperiments_la_SOURCES += %D%/ladder_twofold.c
libexperiments_la_SOURCES += %D%/precision.c
