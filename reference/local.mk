noinst_LTLIBRARIES += libreference.la
delassusinclude_HEADERS += %D%/delassus/reference.h
libreference_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/lib -I$(top_srcdir)/reference $(LAPACKE_CFLAGS) $(OPENBLAS_CFLAGS) $(GSL_CFLAGS) $(ARB_CFLAGS) $(SUITESPARSE_CFLAGS) $(NETTLE_CFLAGS)
libreference_la_LIBADD = $(LAPACKE_LIBS) $(OPENBLAS_LIBS) $(GSL_LIBS) $(FLINT_LIBS) $(SUITESPARSE_LIBS) $(NETTLE_LIBS) -lm
libreference_la_SOURCES =
libreference_la_SOURCES += %D%/arithmetic_fault.h
libreference_la_SOURCES += %D%/blas.c
libreference_la_SOURCES += %D%/blas.h
libreference_la_SOURCES += %D%/self_check.c
libreference_la_SOURCES += %D%/self_check.h
libreference_la_SOURCES += %D%/spectra.c
libreference_la_SOURCES += %D%/spectra.h
libreference_la_SOURCES += %D%/twofold.c
libreference_la_SOURCES += %D%/twofold.h
include reference/examine/local.mk
include reference/exact/local.mk
include reference/certify/local.mk
include reference/direct/local.mk
include reference/rate/local.mk
include reference/sparse/local.mk
include reference/statement/local.mk
include reference/trajectory/local.mk
