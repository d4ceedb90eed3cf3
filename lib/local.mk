noinst_LTLIBRARIES += libcore.la
delassusincludedir = $(includedir)/delassus
delassusinclude_HEADERS =
delassusinclude_HEADERS += %D%/delassus/contact.h
delassusinclude_HEADERS += %D%/delassus/delassus.h
delassusinclude_HEADERS += %D%/delassus/field.h
delassusinclude_HEADERS += %D%/delassus/io.h
delassusinclude_HEADERS += %D%/delassus/joint.h
delassusinclude_HEADERS += %D%/delassus/mass.h
delassusinclude_HEADERS += %D%/delassus/math3.h
delassusinclude_HEADERS += %D%/delassus/model.h
delassusinclude_HEADERS += %D%/delassus/problem.h
delassusinclude_HEADERS += %D%/delassus/scene.h
delassusinclude_HEADERS += %D%/delassus/scheme.h
delassusinclude_HEADERS += %D%/delassus/solver.h
delassusinclude_HEADERS += %D%/delassus/status.h
delassusinclude_HEADERS += %D%/delassus/table.h

libcore_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/lib $(YAML_CFLAGS) $(ODE_CFLAGS)
libcore_la_LIBADD = $(YAML_LIBS) $(ODE_LIBS) -lm
libcore_la_SOURCES =
libcore_la_SOURCES += %D%/contact.c
libcore_la_SOURCES += %D%/field.c
libcore_la_SOURCES += %D%/joint.c
libcore_la_SOURCES += %D%/mass.c
libcore_la_SOURCES += %D%/math3.c
libcore_la_SOURCES += %D%/model.c
libcore_la_SOURCES += %D%/problem.c
libcore_la_SOURCES += %D%/problem_build.c
libcore_la_SOURCES += %D%/problem_memory.h
libcore_la_SOURCES += %D%/rows.c
libcore_la_SOURCES += %D%/scene.c
libcore_la_SOURCES += %D%/solver.c
libcore_la_SOURCES += %D%/state.c
libcore_la_SOURCES += %D%/status.c
libcore_la_SOURCES += %D%/stepper.c

libcore_la_SOURCES += %D%/joints/joints.def
libcore_la_SOURCES += %D%/joints/ball.c

libcore_la_SOURCES += %D%/schemes/schemes.def
libcore_la_SOURCES += %D%/schemes/euler.c

libcore_la_SOURCES += %D%/collide_none.c
