LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
LOG_COMPILER = $(SHELL) $(top_srcdir)/tests/tap.sh
EXTRA_DIST += %D%/articulated.h
EXTRA_DIST += %D%/check.h
EXTRA_DIST += %D%/cones.h
EXTRA_DIST += %D%/curves.h
EXTRA_DIST += %D%/direct_solve.h
EXTRA_DIST += %D%/documents.h
EXTRA_DIST += %D%/draws.h
EXTRA_DIST += %D%/examined.h
EXTRA_DIST += %D%/failing_memory.h
EXTRA_DIST += %D%/finite_lapack.h
EXTRA_DIST += %D%/mechanism.h
EXTRA_DIST += %D%/mechanisms.h
EXTRA_DIST += %D%/naive.h
EXTRA_DIST += %D%/packed_problems.h
EXTRA_DIST += %D%/problems.h
EXTRA_DIST += %D%/published.h
EXTRA_DIST += %D%/sharpness.h
EXTRA_DIST += %D%/stepping.h
EXTRA_DIST += %D%/studies.h
EXTRA_DIST += %D%/tree_rows.h
EXTRA_DIST += %D%/verdicts.h
EXTRA_DIST += %D%/world.h
EXTRA_DIST += bench/scenes.h

# The program, from outside; the longest first, for several run at once.
dist_check_SCRIPTS = %D%/test_examples.sh
dist_check_SCRIPTS += %D%/test_report.sh
dist_check_SCRIPTS += %D%/test_program.sh
dist_check_SCRIPTS += %D%/test_pictures.sh
dist_check_SCRIPTS += %D%/test_kernels.sh
dist_check_SCRIPTS += %D%/test_options.sh
dist_check_SCRIPTS += %D%/test_outside.sh
dist_check_SCRIPTS += %D%/test_plugins.sh
dist_check_SCRIPTS += %D%/test_peers.sh
dist_check_SCRIPTS += %D%/test_answers.sh
dist_check_SCRIPTS += %D%/test_manual.sh
dist_check_SCRIPTS += %D%/test_python.sh
dist_check_SCRIPTS += %D%/test_sweep.sh
dist_check_SCRIPTS += %D%/test_npz.sh
dist_check_SCRIPTS += %D%/test_headers.sh
dist_check_SCRIPTS += %D%/test_circles.sh
dist_check_SCRIPTS += %D%/test_readme.sh
EXTRA_DIST += %D%/python/conftest.py %D%/python/test_batch.py %D%/python/test_documentation.py %D%/python/test_manual.py %D%/python/test_arithmetic.py \
	%D%/python/test_memory.py %D%/python/test_notebook.py %D%/python/test_own.py %D%/python/test_problem.py \
	%D%/python/test_simulation.py %D%/python/test_solve.py %D%/python/test_sweep.py %D%/python/test_table.py %D%/python/test_units.py %D%/outside_plugin.c
# It installs, and libtool relinks peers and engines for that: who loads them from the build folder waits.
tests/test_peers.sh.log tests/test_engines.log tests/test_report.sh.log tests/test_program.sh.log: tests/test_examples.sh.log
check_DATA = $(examples)
check_PROGRAMS += tests/every_function
nodist_tests_every_function_SOURCES = %D%/every_function.cpp
tests_every_function_CPPFLAGS = $(AM_CPPFLAGS) $(all_paths_includes)
tests_every_function_CXXFLAGS = -std=c++17 -Wall -Wextra -Wpedantic $(AM_CXXFLAGS)
tests_every_function_LDADD = libdelassus.la
every_function = $(SHELL) $(top_srcdir)/build-aux/every-function.sh
%D%/every_function.cpp: $(delassusinclude_HEADERS) $(top_srcdir)/build-aux/every-function.sh
	$(AM_V_GEN)$(MKDIR_P) %D% && $(every_function) $(filter %.h,$^) > $@.new && mv $@.new $@
EXTRA_DIST += build-aux/every-function.sh
EXTRA_DIST += build-aux/kernels.sh
CLEANFILES += %D%/every_function.cpp

# The tests of both paths under another kernel of OpenBLAS: make check-kernel KERNEL=Haswell THREADS=2
THREADS = 1
kernel_tests =
kernel_tests += %D%/test_direct.c
kernel_tests += %D%/test_block_pivoting.c
kernel_tests += %D%/test_newton.c
kernel_tests += %D%/test_interior_point.c
kernel_tests += %D%/test_fixed_point.c
kernel_tests += %D%/test_cone.c
kernel_tests += %D%/test_cone_newton.c
kernel_tests += %D%/test_facets.c
kernel_tests += %D%/test_rate.c
kernel_tests += %D%/test_rate_enclosure.c
kernel_tests += %D%/test_examine.c
kernel_tests += %D%/test_scenes_direct.c
kernel_tests += %D%/test_published.c
kernel_tests += %D%/test_sweeps.c
kernel_tests += %D%/test_sweeps_articulated.c
kernel_tests += %D%/test_iterative_path.c
kernel_tests += %D%/test_bounds.c
kernel_tests += %D%/test_bounds_cone.c
kernel_tests += %D%/test_outcome.c
kernel_tests += %D%/test_verdicts.c
kernel_tests += %D%/test_verdicts_friction.c
kernel_tests += %D%/test_methods.c
kernel_tests += %D%/test_exact_search.c
kernel_tests += %D%/test_redundant.c
check-kernel: $(check_PROGRAMS)
	DLS_TEST_FULL=1 OPENBLAS_CORETYPE=$(KERNEL) $(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(kernel_tests)'
# The other tests that leave cases out unless DLS_TEST_FULL is set.
full_tests = %D%/test_convex.c %D%/test_pictures_memory.c $(mujoco_tests) tests/test_report.sh
check-full: $(check_PROGRAMS)
	DLS_TEST_FULL=1 $(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(full_tests)'

# The fuzz targets over their corpora, without libFuzzer: tests/fuzz/replay.c.
replay_cppflags = $(test_cppflags) -I$(top_srcdir)/tests/fuzz
replay_libs = $(all_paths) $(test_libs)
replays = tests/replay_format tests/replay_tables tests/replay_tracks tests/replay_command
tests_replay_format_SOURCES = %D%/fuzz/replay.c %D%/fuzz/fuzz_format.c %D%/fuzz/fuzz.h
tests_replay_format_CPPFLAGS = $(replay_cppflags) -DREPLAY='""'
tests_replay_format_LDADD = $(replay_libs)
tests_replay_tables_SOURCES = %D%/fuzz/replay.c %D%/fuzz/fuzz_tables.c %D%/fuzz/fuzz.h cmd/dynamics_input.c
tests_replay_tables_CPPFLAGS = $(replay_cppflags) -DREPLAY='"tables"'
tests_replay_tables_LDADD = $(replay_libs)
tests_replay_tracks_SOURCES = %D%/fuzz/replay.c %D%/fuzz/fuzz_tracks.c %D%/fuzz/fuzz.h
tests_replay_tracks_CPPFLAGS = $(replay_cppflags) -DREPLAY='"tracks"'
tests_replay_tracks_LDADD = $(replay_libs)
if HAVE_HDF5
replays += tests/replay_fclib
tests_replay_fclib_SOURCES = %D%/fuzz/replay.c %D%/fuzz/fuzz_fclib.c %D%/fuzz/fuzz.h
tests_replay_fclib_CPPFLAGS = $(replay_cppflags) -DREPLAY='"fclib"'
tests_replay_fclib_LDADD = $(replay_libs)
endif
tests_replay_command_SOURCES = %D%/fuzz/replay.c %D%/fuzz/fuzz_command.c %D%/fuzz/fuzz.h $(delassus_SOURCES)
tests_replay_command_CPPFLAGS = $(replay_cppflags) -DREPLAY='"command"' -Dmain=delassus_main -DDELASSUS_SOURCEDIR='"$(abs_top_srcdir)"'
tests_replay_command_LDFLAGS = $(call wrap,$(fuzz_replaced))
tests_replay_command_LDADD = $(replay_libs)
check_PROGRAMS += $(replays)

# make coverage: a copy of the sources, built and tested with counters in a folder of its own; a table by file, with totals.
COVERAGE_LINES = 97
COVERAGE_BRANCHES = 90
coverage_tree = build-coverage/tree
# An inlined copy of a function would count as a function of its own.
coverage_flags = -O0 -g --coverage -DSWEEP_ONE_COPY -Dalways_inline=noinline -D_exit=coverage_exit
coverage-run:
	$(MKDIR_P) build-coverage
	$(MAKE) $(AM_MAKEFLAGS) distdir distdir=$(coverage_tree)
	test ! -d $(top_srcdir)/../shared || $(LN_S) -f -n $(abs_top_srcdir)/../shared build-coverage/shared
	$(CC) -fPIC -c $(top_srcdir)/tests/coverage_exit.c -o build-coverage/exit.o
	cd $(coverage_tree) && ./configure -q --disable-shared CC='$(CC)' CXX='$(CXX)' CFLAGS='$(coverage_flags)' CXXFLAGS='-O0' \
	  LDFLAGS='--coverage -rdynamic -Wl,$(abs_builddir)/build-coverage/exit.o' && $(MAKE) $(AM_MAKEFLAGS) check
coverage: coverage-run
	$(PYTHON) $(top_srcdir)/tests/coverage.py --lines $(COVERAGE_LINES) --branches $(COVERAGE_BRANCHES) $(coverage_tree)

# make mutants SHARD=k/n SEED=s MUTANTS=m: mutation testing, see tests/mutants.py. The tests of a mutant are those that reach
# it in the coverage build.
SHARD = 1/100
SEED = 1
MUTANTS = 30
MUTANTS_FLAGS =
mutants_cc = $(CC) $(OPENMP_CFLAGS) $(DEFS) -I. -Ilib $(AM_CPPFLAGS) $(all_paths_includes) $(LAPACKE_CFLAGS) $(OPENBLAS_CFLAGS) $(GSL_CFLAGS) \
	$(YAML_CFLAGS) $(XML_CFLAGS) $(HDF5_CFLAGS) $(ZLIB_CFLAGS) $(AM_CFLAGS) $(CFLAGS)
build-mutants:
	$(MKDIR_P) $@
mutants: | build-mutants
	$(MAKE) $(AM_MAKEFLAGS) all
	$(MAKE) $(AM_MAKEFLAGS) $(check_PROGRAMS)
	test -d $(coverage_tree)/lib/delassus || $(MAKE) $(AM_MAKEFLAGS) coverage-run
	@$(file >build-mutants/links,)$(foreach p,$(check_PROGRAMS) delassus,$(file >>build-mutants/links,$(call mutants_link,$p)))
	$(PYTHON) $(top_srcdir)/tests/mutants.py --links build-mutants/links --cc '$(mutants_cc)' --coverage $(coverage_tree) \
	  --shard $(SHARD) --seed $(SEED) --count $(MUTANTS) $(MUTANTS_FLAGS)
# The shared library is linked from its parts, so that an object can take the place of one of them.
mutants_of = $(subst libdelassus.la,$(libdelassus_la_LIBADD),$($(subst /,_,$1)_$2))
mutants_link = $1|$(call mutants_of,$1,OBJECTS)|$(call mutants_of,$1,LDFLAGS)|$(call mutants_of,$1,LDADD)|$(filter $(test_files),$(call mutants_of,$1,SOURCES))
EXTRA_DIST += %D%/coverage.py
EXTRA_DIST += %D%/coverage_exit.c
EXTRA_DIST += %D%/mutants.py
EXTRA_DIST += %D%/mutants.tsv
