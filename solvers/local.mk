noinst_LTLIBRARIES += libsolvers.la
delassusinclude_HEADERS += %D%/delassus/solvers.h
libsolvers_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/lib -I$(top_srcdir)/solvers
libsolvers_la_SOURCES =
libsolvers_la_SOURCES += %D%/solvers.def
libsolvers_la_SOURCES += %D%/solvers.c
libsolvers_la_SOURCES += %D%/pgs.c
