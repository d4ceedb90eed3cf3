# make bench [BENCH_FLAGS='--quick --only articulations']: writes bench.tsv and prints it.
EXTRA_PROGRAMS += bench/bench
bench_bench_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/lib -I$(top_srcdir)/solvers -I$(top_srcdir)/reference
bench_bench_CPPFLAGS += -I$(top_srcdir)/experiments -I$(top_srcdir)/bench
bench_bench_CPPFLAGS += $(LAPACKE_CFLAGS) $(OPENBLAS_CFLAGS) $(GSL_CFLAGS)
bench_bench_CPPFLAGS += -DBENCH_SCENES='"$(abs_top_srcdir)/scenes"' -DBENCH_BUILD='"$(abs_top_builddir)"'
bench_bench_LDADD = libexperiments.la libreference.la libsolvers.la libcore.la $(LAPACKE_LIBS) $(OPENBLAS_LIBS)
bench_bench_SOURCES =
bench_bench_SOURCES += %D%/articulations.c
bench_bench_SOURCES += %D%/batches.c
bench_bench_SOURCES += %D%/bench.c
bench_bench_SOURCES += %D%/bench.h
bench_bench_SOURCES += %D%/certify.c
bench_bench_SOURCES += %D%/clock.h
bench_bench_SOURCES += %D%/commands.c
bench_bench_SOURCES += %D%/direct.c
bench_bench_SOURCES += %D%/engines.c
bench_bench_SOURCES += %D%/lines.c
bench_bench_SOURCES += %D%/mimics.c
bench_bench_SOURCES += %D%/models.c
bench_bench_SOURCES += %D%/peer.h
bench_bench_SOURCES += %D%/scenes.c
bench_bench_SOURCES += %D%/scenes.h
bench_bench_SOURCES += %D%/solves.c
bench_bench_SOURCES += %D%/steps.c
bench_bench_SOURCES += %D%/sweeps.c
bench_bench_SOURCES += %D%/trees.c
bench_bench_SOURCES += %D%/trees.h
if HAVE_ODE
bench_bench_CPPFLAGS += -DBENCH_ODE $(ODE_CFLAGS)
bench_bench_LDADD += $(ODE_LIBS)
bench_bench_SOURCES += %D%/peer_ode.c
bench_bench_SOURCES += %D%/peer_ode_lcp.cpp
endif
if HAVE_BULLET
bench_bench_CPPFLAGS += -DBENCH_BULLET $(BULLET_CFLAGS)
bench_bench_LDADD += $(BULLET_LIBS)
bench_bench_SOURCES += %D%/peer_bullet.cpp
endif
if HAVE_MUJOCO
bench_bench_CPPFLAGS += -DBENCH_MUJOCO
bench_bench_LDADD += $(MUJOCO_LIBS)
bench_bench_SOURCES += %D%/peer_mujoco.c
bench_bench_SOURCES += %D%/peer_mujoco.h
bench_bench_SOURCES += %D%/peer_mujoco_mimics.c
endif
if HAVE_PINOCCHIO
bench_bench_CPPFLAGS += -DBENCH_PINOCCHIO $(PINOCCHIO_CFLAGS)
bench_bench_SOURCES += %D%/peer_pinocchio.cpp
endif
bench_bench_LDADD += -lm

BENCH_FLAGS =
bench: bench/bench$(EXEEXT) delassus$(EXEEXT) $(engines_LTLIBRARIES)
	OPENBLAS_NUM_THREADS=1 ./bench/bench$(EXEEXT) $(BENCH_FLAGS) -o bench.tsv
.PHONY: bench
CLEANFILES += bench.tsv bench.md bench/bench$(EXEEXT)
