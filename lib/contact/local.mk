libcore_la_SOURCES += %D%/collide.c
libcore_la_SOURCES += %D%/contact_rows.c
libcore_la_SOURCES += %D%/convex.c
libcore_la_SOURCES += %D%/convex.h
libcore_la_SOURCES += %D%/manifold.c
libcore_la_SOURCES += %D%/manifold.h
libcore_la_SOURCES += %D%/overlaps.c
libcore_la_SOURCES += %D%/overlaps.h
