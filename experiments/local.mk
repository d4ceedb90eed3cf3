noinst_LTLIBRARIES += libexperiments.la
delassusinclude_HEADERS += %D%/delassus/experiments.h
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
libexperiments_la_SOURCES += %D%/solver_table.c
libexperiments_la_SOURCES += %D%/child.c
libexperiments_la_SOURCES += %D%/child.h
libexperiments_la_SOURCES += %D%/exec_solver.c
libexperiments_la_SOURCES += %D%/exec_solver.h
libexperiments_la_SOURCES += %D%/separate_solver.c
libexperiments_la_SOURCES += %D%/separate_solver.h
libexperiments_la_SOURCES += %D%/plugin.c
libexperiments_la_SOURCES += %D%/plugin.h
libexperiments_la_SOURCES += %D%/plugin_solver.c
libexperiments_la_SOURCES += %D%/plugin_solver.h
libexperiments_la_SOURCES += %D%/peer_solver.c
libexperiments_la_SOURCES += %D%/peer_solver.h
libexperiments_la_SOURCES += %D%/reference_solution.c
libexperiments_la_SOURCES += %D%/outcome.c
libexperiments_la_SOURCES += %D%/solve_until.c
libexperiments_la_SOURCES += %D%/solve_until.h
libexperiments_la_SOURCES += %D%/load.c
libexperiments_la_SOURCES += %D%/warm_law.c
libexperiments_la_SOURCES += %D%/warm_law.h
libexperiments_la_SOURCES += %D%/compare.c
libexperiments_la_SOURCES += %D%/state_lines.c
libexperiments_la_SOURCES += %D%/state_lines.h
libexperiments_la_SOURCES += %D%/run_copies.c
libexperiments_la_SOURCES += %D%/run_changes.c
libexperiments_la_SOURCES += %D%/run_changes.h
libexperiments_la_SOURCES += %D%/energy_gains.c
libexperiments_la_SOURCES += %D%/energy_gains.h
libexperiments_la_SOURCES += %D%/trajectory.c
libexperiments_la_SOURCES += %D%/sweep.c
libexperiments_la_SOURCES += %D%/sweep.h
libexperiments_la_SOURCES += %D%/sweep_axis.c
libexperiments_la_SOURCES += %D%/sweep_cell.c
libexperiments_la_SOURCES += %D%/sweep_merge.c
libexperiments_la_SOURCES += %D%/plot.c
libexperiments_la_SOURCES += %D%/gnuplot.h
libexperiments_la_SOURCES += %D%/tex.c
libexperiments_la_SOURCES += %D%/tex.h
libexperiments_la_SOURCES += %D%/report.c
libexperiments_la_SOURCES += %D%/report.h
libexperiments_la_SOURCES += %D%/report_files.c
libexperiments_la_SOURCES += %D%/report_page.c
libexperiments_la_SOURCES += %D%/report_tex.c
libexperiments_la_SOURCES += %D%/report_pdf.c
include experiments/picture/local.mk
include experiments/study/local.mk
include experiments/convergence/local.mk
include experiments/mimic/local.mk
include experiments/friction/local.mk
include experiments/track/local.mk
include experiments/coherence/local.mk
include experiments/drift/local.mk
include experiments/energy/local.mk
include experiments/spring/local.mk
include experiments/articulation/local.mk
include experiments/peers/local.mk
include experiments/engines/local.mk
