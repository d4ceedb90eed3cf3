libcore_la_SOURCES += %D%/contact.c

if HAVE_ODE
libcore_la_SOURCES += %D%/collide_ode.c
else
libcore_la_SOURCES += %D%/collide_none.c
endif
