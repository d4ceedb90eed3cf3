noinst_LTLIBRARIES += libexperiments.la
delassusinclude_HEADERS += %D%/delassus/collection.h
delassusinclude_HEADERS += %D%/delassus/diagnosis.h
delassusinclude_HEADERS += %D%/delassus/experiments.h
delassusinclude_HEADERS += %D%/delassus/recommend.h
all_paths_includes = -I$(top_srcdir)/lib -I$(top_srcdir)/solvers -I$(top_srcdir)/reference -I$(top_srcdir)/experiments
libexperiments_la_CPPFLAGS = $(AM_CPPFLAGS) $(all_paths_includes) -DDELASSUS_DATADIR='"$(pkgdatadir)"' -D_DEFAULT_SOURCE
libexperiments_la_CPPFLAGS += -DDELASSUS_SOURCEDIR='"$(abs_top_srcdir)"' -DDELASSUS_BUILDDIR='"$(abs_top_builddir)"'
libexperiments_la_CPPFLAGS += -DDELASSUS_PEERDIR='"$(pkglibdir)/peers"' -DDELASSUS_ENGINEDIR='"$(pkglibdir)/engines"'
libexperiments_la_CFLAGS = $(AM_CFLAGS)
libexperiments_la_CPPFLAGS += $(LAPACKE_CFLAGS) $(OPENBLAS_CFLAGS) $(GSL_CFLAGS) $(JANSSON_CFLAGS)
libexperiments_la_LIBADD = $(LAPACKE_LIBS) $(OPENBLAS_LIBS) $(GSL_LIBS) $(JANSSON_LIBS)
libexperiments_la_SOURCES =
libexperiments_la_SOURCES += %D%/experiments.def
libexperiments_la_SOURCES += %D%/experiments.c
libexperiments_la_SOURCES += %D%/job.c
include experiments/host/local.mk
include experiments/solve/local.mk
include experiments/run/local.mk
include experiments/sweep/local.mk
include experiments/profile/local.mk
include experiments/engines/local.mk
include experiments/picture/local.mk
include experiments/report/local.mk
include experiments/collection/local.mk
include experiments/diagnosis/local.mk
include experiments/recommend/local.mk
include experiments/study/local.mk
include experiments/convergence/local.mk
include experiments/methods/local.mk
include experiments/precision/local.mk
include experiments/ratio/local.mk
include experiments/cfm/local.mk
include experiments/stability/local.mk
include experiments/standing/local.mk
include experiments/relaxation/local.mk
include experiments/paradox/local.mk
include experiments/coulomb/local.mk
include experiments/budget/local.mk
include experiments/orders/local.mk
include experiments/mimic/local.mk
include experiments/friction/local.mk
include experiments/track/local.mk
include experiments/coherence/local.mk
include experiments/drift/local.mk
include experiments/energy/local.mk
include experiments/mechanisms/local.mk
include experiments/trajectories/local.mk
include experiments/spring/local.mk
include experiments/articulation/local.mk
include experiments/errata/local.mk
include experiments/peers/local.mk
include experiments/other_engines/local.mk
