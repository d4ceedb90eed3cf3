libcore_la_SOURCES += %D%/check.c
libcore_la_SOURCES += %D%/check_mass.c
libcore_la_SOURCES += %D%/check_motion.c
libcore_la_SOURCES += %D%/check_parts.h
libcore_la_SOURCES += %D%/check_terms.c
libcore_la_SOURCES += %D%/differences.c
libcore_la_SOURCES += %D%/differences.h
