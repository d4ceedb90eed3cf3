libexperiments_la_SOURCES += %D%/errata.c
libexperiments_la_SOURCES += %D%/advance.c
libexperiments_la_SOURCES += %D%/claim_row.c
libexperiments_la_SOURCES += %D%/corrections.c
libexperiments_la_SOURCES += %D%/near_singular.c
libexperiments_la_SOURCES += %D%/parts.h
libexperiments_la_SOURCES += %D%/singular_sweeps.c
libexperiments_la_SOURCES += %D%/stiff_drives.c
