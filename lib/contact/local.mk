libcore_la_SOURCES += %D%/contact_rows.c
libcore_la_SOURCES += %D%/overlaps.c
libcore_la_SOURCES += %D%/overlaps.h

if HAVE_ODE
libcore_la_SOURCES += %D%/collide_ode.c
else
libcore_la_SOURCES += %D%/collide_none.c
endif
