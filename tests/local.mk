LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
LOG_COMPILER = $(SHELL) $(top_srcdir)/tests/tap.sh
EXTRA_DIST += %D%/tap.sh %D%/idle_gnuplot.sh
AM_TESTS_ENVIRONMENT = CMOCKA_MESSAGE_OUTPUT=TAP; export CMOCKA_MESSAGE_OUTPUT; \
	DLS_TEST_SOURCE='$(abs_top_srcdir)'; export DLS_TEST_SOURCE; \
	OPENBLAS_NUM_THREADS=$(THREADS); export OPENBLAS_NUM_THREADS; \
	DLS_TEST_PYTHON='$(PYTHON)'; export DLS_TEST_PYTHON; DLS_TEST_PYTHON_WHY='$(PYTHON_WHY)'; export DLS_TEST_PYTHON_WHY; \
	DLS_TEST_PYTHON_SITE='$(PYTHON_SITE)'; export DLS_TEST_PYTHON_SITE; \
	DLS_TEST_CC='$(CC)'; export DLS_TEST_CC; DLS_TEST_CXX='$(CXX)'; export DLS_TEST_CXX; \
	DLS_TEST_CFLAGS='$(CFLAGS)'; export DLS_TEST_CFLAGS; DLS_TEST_LDFLAGS='$(LDFLAGS)'; export DLS_TEST_LDFLAGS; \
	DLS_TEST_MAKE='$(MAKE)'; export DLS_TEST_MAKE; \
	DLS_TEST_LIBDIR='$(libdir)'; export DLS_TEST_LIBDIR; \
	DLS_TEST_INCLUDEDIR='$(includedir)'; export DLS_TEST_INCLUDEDIR; \
	DLS_TEST_INCLUDES='$(all_paths_includes)'; export DLS_TEST_INCLUDES; \
	DLS_TEST_HEADERS='$(notdir $(delassusinclude_HEADERS))'; export DLS_TEST_HEADERS; $(test_program)
# The program itself: libtool's script in front of it starts for half as long as the program does.
if ENABLE_SHARED
test_program = case '$(host_os)' in linux*) \
	DLS_TEST_PROGRAM='$(abs_builddir)/.libs/delassus$(EXEEXT)'; export DLS_TEST_PROGRAM; \
	LD_LIBRARY_PATH='$(abs_builddir)/.libs'$${LD_LIBRARY_PATH:+:$$LD_LIBRARY_PATH}; export LD_LIBRARY_PATH;; esac;
endif
test_cppflags = $(AM_CPPFLAGS) -I$(top_srcdir)/lib -I$(top_srcdir)/tests $(CMOCKA_CFLAGS)

both_paths = libreference.la libsolvers.la libcore.la $(TEST_LIBS) -lm
both_cppflags = $(test_cppflags) -I$(top_srcdir)/solvers -I$(top_srcdir)/reference $(LAPACKE_CFLAGS) $(OPENBLAS_CFLAGS) $(GSL_CFLAGS)

# The longest of the programs, so that it starts first.
check_PROGRAMS += tests/test_direct

# Linked with lib and solvers alone: the iterative path needs no dense reference.
check_PROGRAMS += tests/test_iterative_path
tests_test_iterative_path_SOURCES = %D%/test_iterative_path.c
tests_test_iterative_path_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/solvers
tests_test_iterative_path_LDADD = libsolvers.la libcore.la $(TEST_LIBS) -lm

# Linked with lib and reference alone.
check_PROGRAMS += tests/test_examine
tests_test_examine_SOURCES = %D%/test_examine.c
tests_test_examine_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/reference $(GSL_CFLAGS)
tests_test_examine_LDADD = libreference.la libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_examine_definitions
tests_test_examine_definitions_SOURCES = %D%/test_examine_definitions.c
tests_test_examine_definitions_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/reference
tests_test_examine_definitions_LDADD = libreference.la libcore.la $(TEST_LIBS) -lm

# Numbers of FLINT's are looked at: with its library.
check_PROGRAMS += tests/test_rational
tests_test_rational_SOURCES = %D%/test_rational.c
tests_test_rational_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/reference
tests_test_rational_LDADD = libreference.la libcore.la $(FLINT_LIBS) $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_twofold
tests_test_twofold_SOURCES = %D%/test_twofold.c
tests_test_twofold_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/reference $(ARB_CFLAGS)
tests_test_twofold_LDADD = libcore.la $(FLINT_LIBS) $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_arithmetic
tests_test_arithmetic_SOURCES = %D%/test_arithmetic.c
tests_test_arithmetic_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)/experiments
tests_test_arithmetic_LDADD = libexperiments.la $(both_paths)

check_PROGRAMS += tests/test_exact_search
tests_test_exact_search_SOURCES = %D%/test_exact_search.c
tests_test_exact_search_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/reference
tests_test_exact_search_LDADD = libreference.la libcore.la $(FLINT_LIBS) $(TEST_LIBS) -lm

# False verdicts; make fuzz asks for more of them. What LAPACK factorises is watched.
wrap_factors = -Wl,--wrap=LAPACKE_dpotrf_work,--wrap=LAPACKE_dpstrf_work,--wrap=LAPACKE_dposv_work,--wrap=LAPACKE_dgetrf_work \
	-Wl,--wrap=LAPACKE_dgesv_work,--wrap=LAPACKE_dgels_work,--wrap=LAPACKE_dgelsy_work,--wrap=LAPACKE_dgeqp3_work \
	-Wl,--wrap=LAPACKE_dgesvd_work
check_PROGRAMS += tests/test_verdicts
tests_test_verdicts_SOURCES = %D%/test_verdicts.c %D%/verdicts.h %D%/finite_lapack.h
tests_test_verdicts_LDFLAGS = $(wrap_factors)
tests_test_verdicts_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)/experiments
tests_test_verdicts_LDADD = libexperiments.la $(both_paths) $(FLINT_LIBS)

check_PROGRAMS += tests/test_outcome
tests_test_outcome_SOURCES = %D%/test_outcome.c
tests_test_outcome_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)/experiments
tests_test_outcome_LDADD = libexperiments.la $(both_paths)

check_PROGRAMS += tests/test_verdicts_friction
tests_test_verdicts_friction_SOURCES = %D%/test_verdicts_friction.c %D%/verdicts.h %D%/finite_lapack.h
tests_test_verdicts_friction_LDFLAGS = $(wrap_factors)
tests_test_verdicts_friction_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)/experiments
tests_test_verdicts_friction_LDADD = libexperiments.la $(both_paths) $(FLINT_LIBS)

# What direct methods leave unsolved; make fuzz-methods asks for more of them, under every kernel of the BLAS.
check_PROGRAMS += tests/test_methods
tests_test_methods_SOURCES = %D%/test_methods.c
tests_test_methods_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)/experiments
tests_test_methods_LDADD = libexperiments.la $(both_paths)

check_PROGRAMS += tests/test_rate
tests_test_rate_SOURCES = %D%/test_rate.c
tests_test_rate_CPPFLAGS = $(both_cppflags)
tests_test_rate_LDADD = $(both_paths)

EXTRA_DIST += %D%/check.h
EXTRA_DIST += %D%/documents.h
EXTRA_DIST += %D%/draws.h
EXTRA_DIST += %D%/failing_memory.h
EXTRA_DIST += %D%/mechanisms.h
# lib alone: files.
check_PROGRAMS += tests/test_table
tests_test_table_SOURCES = %D%/test_table.c
tests_test_table_CPPFLAGS = $(test_cppflags)
tests_test_table_LDADD = libcore.la $(TEST_LIBS) -lm

# Calls to the system fail.
check_PROGRAMS += tests/test_faults
tests_test_faults_SOURCES = %D%/test_faults.c
tests_test_faults_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)/experiments -D_DEFAULT_SOURCE
tests_test_faults_LDFLAGS = -Wl,--wrap=open,--wrap=fdopen,--wrap=fflush,--wrap=fsync,--wrap=fclose,--wrap=rename,--wrap=mkdir \
	-Wl,--wrap=tmpfile,--wrap=mkstemp,--wrap=pipe,--wrap=fseek,--wrap=posix_spawnp,--wrap=posix_spawnattr_init \
	-Wl,--wrap=posix_spawn_file_actions_init,--wrap=posix_spawn_file_actions_adddup2,--wrap=posix_spawnattr_setflags \
	-Wl,--wrap=posix_spawnattr_setpgroup,--wrap=posix_spawnattr_setsigmask
tests_test_faults_LDADD = libexperiments.la $(both_paths)

check_PROGRAMS += tests/test_broken_files
tests_test_broken_files_SOURCES = %D%/test_broken_files.c
tests_test_broken_files_CPPFLAGS = $(test_cppflags)
tests_test_broken_files_LDADD = libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_npy
tests_test_npy_SOURCES = %D%/test_npy.c
tests_test_npy_CPPFLAGS = $(test_cppflags)
tests_test_npy_LDADD = libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_zip
tests_test_zip_SOURCES = %D%/test_zip.c
tests_test_zip_CPPFLAGS = $(test_cppflags)
tests_test_zip_LDADD = libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_vector
tests_test_vector_SOURCES = %D%/test_vector.c
tests_test_vector_CPPFLAGS = $(test_cppflags)
tests_test_vector_LDFLAGS = $(wrap_memory)
tests_test_vector_LDADD = libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_locale
tests_test_locale_SOURCES = %D%/test_locale.c
tests_test_locale_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)/experiments -D_DEFAULT_SOURCE
tests_test_locale_LDADD = libexperiments.la $(both_paths)

check_PROGRAMS += tests/test_tex
tests_test_tex_SOURCES = %D%/test_tex.c
tests_test_tex_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)/experiments -D_DEFAULT_SOURCE
tests_test_tex_LDADD = libexperiments.la $(both_paths)

check_PROGRAMS += tests/test_scene_reader
tests_test_scene_reader_SOURCES = %D%/test_scene_reader.c
tests_test_scene_reader_CPPFLAGS = $(test_cppflags)
tests_test_scene_reader_LDADD = libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_joints
tests_test_joints_SOURCES = %D%/test_joints.c
tests_test_joints_SOURCES += %D%/mechanism.h
tests_test_joints_CPPFLAGS = $(test_cppflags)
tests_test_joints_LDADD = libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_collide
tests_test_collide_SOURCES = %D%/test_collide.c
tests_test_collide_SOURCES += %D%/mechanism.h
tests_test_collide_CPPFLAGS = $(test_cppflags)
tests_test_collide_LDADD = libcore.la $(TEST_LIBS) -lm

# Gaps of solids; make fuzz asks for more of them.
check_PROGRAMS += tests/test_convex
tests_test_convex_SOURCES = %D%/test_convex.c
tests_test_convex_SOURCES += %D%/mechanism.h
tests_test_convex_CPPFLAGS = $(test_cppflags)
tests_test_convex_LDADD = libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_problem_file
tests_test_problem_file_SOURCES = %D%/test_problem_file.c
tests_test_problem_file_CPPFLAGS = $(test_cppflags)
tests_test_problem_file_LDADD = libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_math3
tests_test_math3_SOURCES = %D%/test_math3.c
tests_test_math3_SOURCES += %D%/mechanism.h
tests_test_math3_CPPFLAGS = $(test_cppflags)
tests_test_math3_LDADD = libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_errata
tests_test_errata_SOURCES = %D%/test_errata.c
tests_test_errata_SOURCES += %D%/mechanism.h
tests_test_errata_CPPFLAGS = $(test_cppflags)
tests_test_errata_LDADD = libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_mechanics
tests_test_mechanics_SOURCES = %D%/test_mechanics.c
tests_test_mechanics_SOURCES += %D%/mechanism.h
tests_test_mechanics_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/solvers
tests_test_mechanics_LDADD = libsolvers.la libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_block_pivoting
tests_test_block_pivoting_SOURCES = %D%/test_block_pivoting.c
tests_test_block_pivoting_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/reference
tests_test_block_pivoting_LDADD = libreference.la libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_interior_point
tests_test_interior_point_SOURCES = %D%/test_interior_point.c
tests_test_interior_point_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/reference
tests_test_interior_point_LDADD = libreference.la libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_newton
tests_test_newton_SOURCES = %D%/test_newton.c %D%/draws.h
tests_test_newton_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/reference
tests_test_newton_LDADD = libreference.la libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_fixed_point
tests_test_fixed_point_SOURCES = %D%/test_fixed_point.c
tests_test_fixed_point_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/reference
tests_test_fixed_point_LDADD = libreference.la libcore.la $(TEST_LIBS) -lm

# The n-th allocation fails, for every n: GNU ld, gold and lld know --wrap.
wrap_memory = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc,--wrap=free
# The examiner with lib alone: it shares no code with the direct methods, nor with the dense assembly.
check_PROGRAMS += tests/test_examine_alone
tests_test_examine_alone_SOURCES = %D%/test_examine_alone.c
tests_test_examine_alone_SOURCES += reference/examine/examine.c
tests_test_examine_alone_SOURCES += reference/examine/examine_cone.c
tests_test_examine_alone_SOURCES += reference/examine/examine_redundant.c
tests_test_examine_alone_SOURCES += reference/examine/parts.h
tests_test_examine_alone_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/reference
tests_test_examine_alone_LDFLAGS = $(wrap_memory)
tests_test_examine_alone_LDADD = libcore.la $(TEST_LIBS) -lm
check_PROGRAMS += tests/test_rate_enclosure
tests_test_rate_enclosure_SOURCES = %D%/test_rate_enclosure.c
tests_test_rate_enclosure_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/reference $(ARB_CFLAGS)
tests_test_rate_enclosure_LDADD = libreference.la libcore.la $(FLINT_LIBS) $(TEST_LIBS) -lm
check_PROGRAMS += tests/test_apart
tests_test_apart_SOURCES = %D%/test_apart.c
tests_test_apart_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/reference
tests_test_apart_LDFLAGS = $(wrap_memory) -Wl,--wrap=mmap
tests_test_apart_LDADD = libreference.la libcore.la $(FLINT_LIBS) $(TEST_LIBS) -lm
check_PROGRAMS += tests/test_bounds_cone
tests_test_bounds_cone_SOURCES = %D%/test_bounds_cone.c %D%/sharpness.h
tests_test_bounds_cone_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/reference $(GSL_CFLAGS)
tests_test_bounds_cone_LDFLAGS = $(wrap_memory)
tests_test_bounds_cone_LDADD = libreference.la libcore.la $(GSL_LIBS) $(FLINT_LIBS) $(TEST_LIBS) -lm
check_PROGRAMS += tests/test_bounds
tests_test_bounds_SOURCES = %D%/test_bounds.c %D%/sharpness.h
tests_test_bounds_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/reference $(GSL_CFLAGS)
tests_test_bounds_LDFLAGS = $(wrap_memory)
tests_test_bounds_LDADD = libreference.la libcore.la $(GSL_LIBS) $(FLINT_LIBS) $(TEST_LIBS) -lm
check_PROGRAMS += tests/test_enclosed_matrices
tests_test_enclosed_matrices_SOURCES = %D%/test_enclosed_matrices.c
tests_test_enclosed_matrices_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/reference
tests_test_enclosed_matrices_LDADD = libreference.la libcore.la $(GSL_LIBS) $(FLINT_LIBS) $(TEST_LIBS) -lm
check_PROGRAMS += tests/test_measure
tests_test_measure_SOURCES = %D%/test_measure.c
tests_test_measure_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/reference $(GSL_CFLAGS)
tests_test_measure_LDADD = libreference.la libcore.la $(GSL_LIBS) $(FLINT_LIBS) $(TEST_LIBS) -lm
check_PROGRAMS += tests/test_manufacture
tests_test_manufacture_SOURCES = %D%/test_manufacture.c
tests_test_manufacture_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/reference $(GSL_CFLAGS)
tests_test_manufacture_LDADD = libreference.la libcore.la $(GSL_LIBS) $(TEST_LIBS) -lm
check_PROGRAMS += tests/test_factors
tests_test_factors_SOURCES = %D%/test_factors.c
tests_test_factors_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/reference $(LAPACKE_CFLAGS) $(OPENBLAS_CFLAGS) $(GSL_CFLAGS)
tests_test_factors_LDADD = libreference.la libcore.la $(GSL_LIBS) $(TEST_LIBS) -lm
check_PROGRAMS += tests/test_dense_loops
tests_test_dense_loops_SOURCES = %D%/test_dense_loops.c
tests_test_dense_loops_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/reference $(LAPACKE_CFLAGS) $(OPENBLAS_CFLAGS)
tests_test_dense_loops_LDADD = libreference.la libcore.la $(TEST_LIBS) -lm
check_PROGRAMS += tests/test_self_stress
tests_test_self_stress_SOURCES = %D%/test_self_stress.c
tests_test_self_stress_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/reference $(OPENBLAS_CFLAGS)
tests_test_self_stress_LDADD = libreference.la libcore.la $(TEST_LIBS) -lm
check_PROGRAMS += tests/test_direct_memory
tests_test_direct_memory_SOURCES = %D%/test_direct_memory.c
tests_test_direct_memory_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/reference
tests_test_direct_memory_LDFLAGS = $(wrap_memory)
tests_test_direct_memory_LDADD = libreference.la libcore.la $(TEST_LIBS) -lm
EXTRA_DIST += %D%/direct_solve.h
check_PROGRAMS += tests/test_sweeps
tests_test_sweeps_SOURCES = %D%/test_sweeps.c
tests_test_sweeps_SOURCES += bench/scenes.c
tests_test_sweeps_SOURCES += bench/scenes.h
tests_test_sweeps_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)
tests_test_sweeps_LDADD = $(both_paths)

check_PROGRAMS += tests/test_sweeps_articulated
tests_test_sweeps_articulated_SOURCES = %D%/test_sweeps_articulated.c
tests_test_sweeps_articulated_SOURCES += %D%/articulated.h
tests_test_sweeps_articulated_SOURCES += %D%/mechanism.h
tests_test_sweeps_articulated_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)
tests_test_sweeps_articulated_LDADD = $(both_paths)

# Every allocation of the library goes through the test.
check_PROGRAMS += tests/test_iterative_work
tests_test_iterative_work_SOURCES = %D%/test_iterative_work.c
tests_test_iterative_work_SOURCES += bench/scenes.c
tests_test_iterative_work_SOURCES += bench/scenes.h
tests_test_iterative_work_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)
tests_test_iterative_work_LDFLAGS = $(wrap_memory) -Wl,--wrap=dls_pack_schedule
tests_test_iterative_work_LDADD = $(both_paths)

check_PROGRAMS += tests/test_sweeps_memory
tests_test_sweeps_memory_SOURCES = %D%/test_sweeps_memory.c
tests_test_sweeps_memory_SOURCES += bench/scenes.c
tests_test_sweeps_memory_SOURCES += bench/scenes.h
tests_test_sweeps_memory_CPPFLAGS = $(test_cppflags) -I$(top_srcdir) -I$(top_srcdir)/solvers
tests_test_sweeps_memory_LDFLAGS = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc
tests_test_sweeps_memory_LDADD = libsolvers.la libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_compare
tests_test_compare_SOURCES = %D%/test_compare.c
tests_test_compare_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)/experiments -D_DEFAULT_SOURCE
tests_test_compare_LDADD = libexperiments.la $(both_paths)

check_PROGRAMS += tests/test_solve_until
tests_test_solve_until_SOURCES = %D%/test_solve_until.c
tests_test_solve_until_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)/experiments -D_DEFAULT_SOURCE
tests_test_solve_until_LDFLAGS = $(wrap_memory)
tests_test_solve_until_LDADD = libexperiments.la $(both_paths)

check_PROGRAMS += tests/test_published
tests_test_published_SOURCES = %D%/test_published.c
tests_test_published_CPPFLAGS = $(both_cppflags)
tests_test_published_LDADD = $(both_paths)
EXTRA_DIST += %D%/published.h

check_PROGRAMS += tests/test_mjcf
tests_test_mjcf_SOURCES = %D%/test_mjcf.c
tests_test_mjcf_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/solvers
tests_test_mjcf_LDADD = libsolvers.la libcore.la $(TEST_LIBS) -lm

if HAVE_MUJOCO
check_PROGRAMS += tests/test_mujoco
tests_test_mujoco_SOURCES = %D%/test_mujoco.c %D%/draws.h
tests_test_mujoco_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/solvers
tests_test_mujoco_LDADD = libsolvers.la libcore.la $(MUJOCO_LIBS) $(TEST_LIBS) -lm
check_PROGRAMS += tests/test_peer_rows
tests_test_peer_rows_SOURCES = %D%/test_peer_rows.c solvers/peers/mujoco.c solvers/peers/peer.c
tests_test_peer_rows_CPPFLAGS = $(both_cppflags)
tests_test_peer_rows_LDADD = $(both_paths) $(MUJOCO_LIBS)
endif

check_PROGRAMS += tests/test_inertias
tests_test_inertias_SOURCES = %D%/test_inertias.c %D%/draws.h
tests_test_inertias_CPPFLAGS = $(test_cppflags)
tests_test_inertias_LDADD = libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_urdf
tests_test_urdf_SOURCES = %D%/test_urdf.c
tests_test_urdf_CPPFLAGS = $(test_cppflags)
tests_test_urdf_LDADD = libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_xml_memory
tests_test_xml_memory_SOURCES = %D%/test_xml_memory.c
tests_test_xml_memory_CPPFLAGS = $(test_cppflags) $(XML_CFLAGS) -D_DEFAULT_SOURCE
tests_test_xml_memory_LDADD = libcore.la $(XML_LIBS) $(TEST_LIBS) -lm

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
dist_check_SCRIPTS += %D%/test_readme.sh

check_PROGRAMS += tests/test_signals
tests_test_signals_SOURCES = %D%/test_signals.c
tests_test_signals_CPPFLAGS = $(test_cppflags) -D_DEFAULT_SOURCE
tests_test_signals_LDADD = $(TEST_LIBS) -lm

# Simulations in several threads; .ci/run builds this program with -fsanitize=thread.
check_PROGRAMS += tests/test_threads
tests_test_threads_SOURCES = %D%/test_threads.c
tests_test_threads_CPPFLAGS = $(both_cppflags)
tests_test_threads_LDADD = $(both_paths) -lpthread

EXTRA_DIST += %D%/python/conftest.py
EXTRA_DIST += %D%/python/test_batch.py
EXTRA_DIST += %D%/python/test_documentation.py
EXTRA_DIST += %D%/python/test_manual.py
EXTRA_DIST += %D%/python/test_arithmetic.py
EXTRA_DIST += %D%/python/test_memory.py
EXTRA_DIST += %D%/python/test_notebook.py
EXTRA_DIST += %D%/python/test_own.py
EXTRA_DIST += %D%/python/test_problem.py
EXTRA_DIST += %D%/python/test_simulation.py
EXTRA_DIST += %D%/python/test_solve.py
EXTRA_DIST += %D%/python/test_sweep.py
EXTRA_DIST += %D%/python/test_table.py
EXTRA_DIST += %D%/python/test_units.py
EXTRA_DIST += %D%/outside_plugin.c
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

check_PROGRAMS += tests/test_scenes
tests_test_scenes_SOURCES = %D%/test_scenes.c
tests_test_scenes_SOURCES += %D%/mechanism.h
tests_test_scenes_CPPFLAGS = $(both_cppflags)
tests_test_scenes_LDADD = $(both_paths)

check_PROGRAMS += tests/test_scenes_direct
tests_test_scenes_direct_SOURCES = %D%/test_scenes_direct.c
tests_test_scenes_direct_SOURCES += %D%/mechanism.h
tests_test_scenes_direct_CPPFLAGS = $(both_cppflags)
tests_test_scenes_direct_LDADD = $(both_paths)

check_PROGRAMS += tests/test_redundant
tests_test_redundant_SOURCES = %D%/test_redundant.c
tests_test_redundant_SOURCES += %D%/mechanism.h
tests_test_redundant_SOURCES += %D%/stepping.h
tests_test_redundant_CPPFLAGS = $(both_cppflags)
tests_test_redundant_LDADD = $(both_paths)

check_PROGRAMS += tests/test_bare_rows
tests_test_bare_rows_SOURCES = %D%/test_bare_rows.c
tests_test_bare_rows_CPPFLAGS = $(both_cppflags)
tests_test_bare_rows_LDADD = $(both_paths)

check_PROGRAMS += tests/test_foreign
tests_test_foreign_SOURCES = %D%/test_foreign.c
tests_test_foreign_CPPFLAGS = $(test_cppflags)
tests_test_foreign_LDADD = libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_convert
tests_test_convert_SOURCES = %D%/test_convert.c
tests_test_convert_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/reference
tests_test_convert_LDADD = libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_field
tests_test_field_SOURCES = %D%/test_field.c
tests_test_field_CPPFLAGS = $(test_cppflags)
tests_test_field_LDFLAGS = $(wrap_memory)
tests_test_field_LDADD = libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_names
tests_test_names_SOURCES = %D%/test_names.c
tests_test_names_CPPFLAGS = $(test_cppflags)
tests_test_names_LDFLAGS = $(wrap_memory) -Wl,--wrap=strcmp,--wrap=strncmp
tests_test_names_LDADD = libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_no_memory
tests_test_no_memory_SOURCES = %D%/test_no_memory.c
tests_test_no_memory_CPPFLAGS = $(both_cppflags)
tests_test_no_memory_LDFLAGS = $(wrap_memory)
tests_test_no_memory_LDADD = $(both_paths)
check_PROGRAMS += tests/test_model_memory
tests_test_model_memory_SOURCES = %D%/test_model_memory.c
tests_test_model_memory_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/solvers
tests_test_model_memory_LDFLAGS = $(wrap_memory)
tests_test_model_memory_LDADD = libsolvers.la libcore.la $(TEST_LIBS) -lm

# Linked with lib and reference alone.
tests_test_direct_SOURCES = %D%/test_direct.c
tests_test_direct_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/reference $(OPENBLAS_CFLAGS) $(GSL_CFLAGS)
tests_test_direct_LDADD = libreference.la libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_tgs
tests_test_tgs_SOURCES = %D%/test_tgs.c
tests_test_tgs_SOURCES += %D%/mechanism.h
tests_test_tgs_SOURCES += %D%/world.h
tests_test_tgs_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/solvers
tests_test_tgs_LDADD = libsolvers.la libcore.la $(TEST_LIBS) -lm
check_PROGRAMS += tests/test_loops
tests_test_loops_SOURCES = %D%/test_loops.c
tests_test_loops_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/solvers -I$(top_srcdir)/reference
tests_test_loops_LDFLAGS = $(wrap_memory)
tests_test_loops_LDADD = $(both_paths)

check_PROGRAMS += tests/test_refresh
tests_test_refresh_SOURCES = %D%/test_refresh.c
tests_test_refresh_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/solvers
tests_test_refresh_LDFLAGS = $(wrap_memory)
tests_test_refresh_LDADD = libsolvers.la libcore.la $(TEST_LIBS) -lm
check_PROGRAMS += tests/test_articulation
tests_test_articulation_SOURCES = %D%/test_articulation.c
tests_test_articulation_SOURCES += %D%/articulated.h
tests_test_articulation_SOURCES += %D%/mechanism.h
tests_test_articulation_CPPFLAGS = $(test_cppflags) $(LAPACKE_CFLAGS) $(OPENBLAS_CFLAGS)
tests_test_articulation_LDADD = libcore.la $(LAPACKE_LIBS) $(OPENBLAS_LIBS) $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_articulation_motion
tests_test_articulation_motion_SOURCES = %D%/test_articulation_motion.c
tests_test_articulation_motion_SOURCES += %D%/articulated.h
tests_test_articulation_motion_SOURCES += %D%/mechanism.h
tests_test_articulation_motion_CPPFLAGS = $(test_cppflags)
tests_test_articulation_motion_LDADD = libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_articulation_memory
tests_test_articulation_memory_SOURCES = %D%/test_articulation_memory.c
tests_test_articulation_memory_SOURCES += %D%/articulated.h
tests_test_articulation_memory_SOURCES += %D%/mechanism.h
tests_test_articulation_memory_CPPFLAGS = $(test_cppflags)
tests_test_articulation_memory_LDFLAGS = $(wrap_memory)
tests_test_articulation_memory_LDADD = libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_articulation_cache
tests_test_articulation_cache_SOURCES = %D%/test_articulation_cache.c
tests_test_articulation_cache_SOURCES += %D%/articulated.h
tests_test_articulation_cache_SOURCES += %D%/mechanism.h
tests_test_articulation_cache_CPPFLAGS = $(test_cppflags)
tests_test_articulation_cache_LDADD = libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_world
tests_test_world_SOURCES = %D%/test_world.c
tests_test_world_SOURCES += %D%/mechanism.h
tests_test_world_SOURCES += %D%/world.h
tests_test_world_CPPFLAGS = $(both_cppflags)
tests_test_world_LDADD = $(both_paths)

check_PROGRAMS += tests/test_coordinates
tests_test_coordinates_SOURCES = %D%/test_coordinates.c
tests_test_coordinates_SOURCES += %D%/mechanism.h
tests_test_coordinates_SOURCES += %D%/world.h
tests_test_coordinates_CPPFLAGS = $(both_cppflags)
tests_test_coordinates_LDADD = $(both_paths)
check_PROGRAMS += tests/test_drives
tests_test_drives_SOURCES = %D%/test_drives.c
tests_test_drives_SOURCES += %D%/mechanism.h
tests_test_drives_SOURCES += %D%/stepping.h
tests_test_drives_SOURCES += %D%/world.h
tests_test_drives_CPPFLAGS = $(both_cppflags) $(GSL_CFLAGS)
tests_test_drives_LDADD = $(both_paths) $(GSL_LIBS)
check_PROGRAMS += tests/test_losses
tests_test_losses_SOURCES = %D%/test_losses.c
tests_test_losses_SOURCES += %D%/mechanism.h
tests_test_losses_SOURCES += %D%/stepping.h
tests_test_losses_SOURCES += %D%/world.h
tests_test_losses_CPPFLAGS = $(both_cppflags)
tests_test_losses_LDADD = $(both_paths)
check_PROGRAMS += tests/test_angles
tests_test_angles_SOURCES = %D%/test_angles.c
tests_test_angles_SOURCES += %D%/mechanism.h
tests_test_angles_SOURCES += %D%/stepping.h
tests_test_angles_SOURCES += %D%/world.h
tests_test_angles_CPPFLAGS = $(both_cppflags)
tests_test_angles_LDADD = $(both_paths)

# Turns of the twist of spherical joints.
check_PROGRAMS += tests/test_turns
tests_test_turns_SOURCES = %D%/test_turns.c
tests_test_turns_CPPFLAGS = $(both_cppflags)
tests_test_turns_LDADD = $(both_paths)
check_PROGRAMS += tests/test_tendons
tests_test_tendons_SOURCES = %D%/test_tendons.c
tests_test_tendons_SOURCES += %D%/mechanism.h
tests_test_tendons_SOURCES += %D%/stepping.h
tests_test_tendons_SOURCES += %D%/world.h
tests_test_tendons_CPPFLAGS = $(both_cppflags)
tests_test_tendons_LDADD = $(both_paths)
# Curves.
EXTRA_DIST += %D%/curves.h
check_PROGRAMS += tests/test_curve
tests_test_curve_SOURCES = %D%/test_curve.c
tests_test_curve_CPPFLAGS = $(test_cppflags) $(GSL_CFLAGS)
tests_test_curve_LDADD = libcore.la $(GSL_LIBS) $(OPENBLAS_LIBS) $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_track
tests_test_track_SOURCES = %D%/test_track.c
tests_test_track_CPPFLAGS = $(test_cppflags)
tests_test_track_LDADD = libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_curve_memory
tests_test_curve_memory_SOURCES = %D%/test_curve_memory.c
tests_test_curve_memory_CPPFLAGS = $(test_cppflags)
tests_test_curve_memory_LDFLAGS = $(wrap_memory)
tests_test_curve_memory_LDADD = libcore.la $(TEST_LIBS) -lm
check_PROGRAMS += tests/test_cone
tests_test_cone_SOURCES = %D%/test_cone.c
tests_test_cone_CPPFLAGS = $(both_cppflags)
tests_test_cone_LDADD = $(both_paths)

check_PROGRAMS += tests/test_pivoting
tests_test_pivoting_SOURCES = %D%/test_pivoting.c
tests_test_pivoting_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/reference
tests_test_pivoting_LDADD = libreference.la libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_packed_structure
tests_test_packed_structure_SOURCES = %D%/test_packed_structure.c %D%/packed_problems.h
tests_test_packed_structure_CPPFLAGS = $(test_cppflags) -I$(top_srcdir) -I$(top_srcdir)/solvers
tests_test_packed_structure_LDADD = libsolvers.la libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_solver_kit
tests_test_solver_kit_SOURCES = %D%/test_solver_kit.c %D%/packed_problems.h
tests_test_solver_kit_CPPFLAGS = $(test_cppflags) -I$(top_srcdir) -I$(top_srcdir)/solvers
tests_test_solver_kit_LDADD = libsolvers.la libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_together
tests_test_together_SOURCES = %D%/test_together.c %D%/packed_problems.h
tests_test_together_CPPFLAGS = $(test_cppflags) -I$(top_srcdir) -I$(top_srcdir)/solvers
tests_test_together_LDADD = libsolvers.la libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_row_order
tests_test_row_order_SOURCES = %D%/test_row_order.c %D%/packed_problems.h %D%/cones.h %D%/failing_memory.h
tests_test_row_order_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)
tests_test_row_order_LDFLAGS = $(wrap_memory)
tests_test_row_order_LDADD = $(both_paths)

check_PROGRAMS += tests/test_sweeps_drawn
tests_test_sweeps_drawn_SOURCES = %D%/test_sweeps_drawn.c %D%/packed_problems.h
tests_test_sweeps_drawn_CPPFLAGS = $(test_cppflags) -I$(top_srcdir) -I$(top_srcdir)/solvers
tests_test_sweeps_drawn_LDADD = libsolvers.la libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_contact_law
tests_test_contact_law_SOURCES = %D%/test_contact_law.c
tests_test_contact_law_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/solvers
tests_test_contact_law_LDFLAGS = -Wl,--wrap=hypot
tests_test_contact_law_LDADD = libsolvers.la libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_facets
tests_test_facets_SOURCES = %D%/test_facets.c
tests_test_facets_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/reference
tests_test_facets_LDADD = libreference.la libcore.la $(TEST_LIBS) -lm
EXTRA_DIST += %D%/cones.h

check_PROGRAMS += tests/test_cone_newton
tests_test_cone_newton_SOURCES = %D%/test_cone_newton.c
tests_test_cone_newton_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/reference
tests_test_cone_newton_LDADD = libreference.la libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_cone_map
tests_test_cone_map_SOURCES = %D%/test_cone_map.c
tests_test_cone_map_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/reference
tests_test_cone_map_LDADD = libreference.la libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_fclib
tests_test_fclib_SOURCES = %D%/test_fclib.c
tests_test_fclib_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/reference
tests_test_fclib_LDADD = libreference.la libcore.la $(TEST_LIBS) -lm
if HAVE_HDF5
tests_test_fclib_CPPFLAGS += -DTEST_HDF5 $(HDF5_CFLAGS)
tests_test_fclib_LDFLAGS = $(wrap_memory) -Wl,--wrap=H5Gcreate2,--wrap=H5Dcreate2,--wrap=H5Dwrite,--wrap=H5Dread \
	-Wl,--wrap=H5Fcreate,--wrap=H5Fopen,--wrap=H5Fflush,--wrap=H5Fget_file_image,--wrap=H5Dopen2,--wrap=H5Dget_space \
	-Wl,--wrap=H5Dget_type,--wrap=H5Sget_simple_extent_npoints,--wrap=H5Pset_fapl_core,--wrap=H5Pset_file_image
tests_test_fclib_LDADD += $(HDF5_LIBS)
endif

if HAVE_HDF5
check_PROGRAMS += tests/test_hdf5_tables
tests_test_hdf5_tables_SOURCES = %D%/test_hdf5_tables.c
tests_test_hdf5_tables_CPPFLAGS = $(test_cppflags) $(HDF5_CFLAGS)
tests_test_hdf5_tables_LDADD = libcore.la $(HDF5_LIBS) $(TEST_LIBS) -lm
endif

# The library's check, on rows, problems and masses that are wrong.
check_PROGRAMS += tests/test_breaks
tests_test_breaks_SOURCES = %D%/test_breaks.c
tests_test_breaks_SOURCES += %D%/mechanism.h
tests_test_breaks_CPPFLAGS = $(test_cppflags)
tests_test_breaks_LDFLAGS = -Wl,--wrap=dls_articulation_velocities
tests_test_breaks_LDADD = libcore.la $(TEST_LIBS) -lm
# The examiner, on answers that are wrong.
check_PROGRAMS += tests/test_examine_breaks
tests_test_examine_breaks_SOURCES = %D%/test_examine_breaks.c
tests_test_examine_breaks_SOURCES += %D%/mechanism.h
tests_test_examine_breaks_CPPFLAGS = $(both_cppflags)
tests_test_examine_breaks_LDADD = $(both_paths)

# The command itself, with a model that is not the one it loaded.
check_PROGRAMS += tests/test_check
tests_test_check_SOURCES = %D%/test_check.c
tests_test_check_SOURCES += %D%/mechanism.h
tests_test_check_SOURCES += cmd/check.c
tests_test_check_SOURCES += cmd/json.c
tests_test_check_SOURCES += cmd/support.c
tests_test_check_CPPFLAGS = $(both_cppflags) -I$(top_srcdir) -I$(top_srcdir)/cmd -I$(top_srcdir)/experiments $(JANSSON_CFLAGS)
tests_test_check_LDFLAGS = -Wl,--wrap=dls_load_model
tests_test_check_LDADD = libexperiments.la $(both_paths) $(JANSSON_LIBS)
check_PROGRAMS += tests/test_json_memory
tests_test_json_memory_SOURCES = %D%/test_json_memory.c
tests_test_json_memory_SOURCES += cmd/examine.c
tests_test_json_memory_SOURCES += cmd/json.c
tests_test_json_memory_SOURCES += cmd/solve.c
tests_test_json_memory_SOURCES += cmd/support.c
tests_test_json_memory_CPPFLAGS = $(tests_test_check_CPPFLAGS) -D_DEFAULT_SOURCE
tests_test_json_memory_LDADD = libexperiments.la $(both_paths) $(JANSSON_LIBS)
check_PROGRAMS += tests/test_exact
tests_test_exact_SOURCES = %D%/test_exact.c
tests_test_exact_SOURCES += %D%/mechanism.h
tests_test_exact_SOURCES += %D%/world.h
tests_test_exact_CPPFLAGS = $(both_cppflags)
tests_test_exact_LDADD = $(both_paths)

# The n-th allocation fails, for every n.
check_PROGRAMS += tests/test_exact_memory
tests_test_exact_memory_SOURCES = %D%/test_exact_memory.c
tests_test_exact_memory_SOURCES += %D%/mechanism.h
tests_test_exact_memory_SOURCES += %D%/world.h
tests_test_exact_memory_CPPFLAGS = $(both_cppflags)
tests_test_exact_memory_LDFLAGS = $(wrap_memory)
tests_test_exact_memory_LDADD = $(both_paths)
check_PROGRAMS += tests/test_mimic
tests_test_mimic_SOURCES = %D%/test_mimic.c
tests_test_mimic_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)/experiments -D_DEFAULT_SOURCE
tests_test_mimic_LDADD = libexperiments.la $(both_paths)

check_PROGRAMS += tests/test_mimic_memory
tests_test_mimic_memory_SOURCES = %D%/test_mimic_memory.c
tests_test_mimic_memory_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)/experiments
tests_test_mimic_memory_LDFLAGS = $(wrap_memory)
tests_test_mimic_memory_LDADD = libexperiments.la $(both_paths)
check_PROGRAMS += tests/test_track_joint
tests_test_track_joint_SOURCES = %D%/test_track_joint.c
tests_test_track_joint_SOURCES += %D%/mechanism.h
tests_test_track_joint_SOURCES += %D%/world.h
tests_test_track_joint_CPPFLAGS = $(both_cppflags)
tests_test_track_joint_LDADD = $(both_paths)
EXTRA_DIST += %D%/stepping.h
check_PROGRAMS += tests/test_forces
tests_test_forces_SOURCES = %D%/test_forces.c
tests_test_forces_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/solvers
tests_test_forces_LDADD = libsolvers.la libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_links_collide
tests_test_links_collide_SOURCES = %D%/test_links_collide.c
tests_test_links_collide_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/solvers
tests_test_links_collide_LDADD = libsolvers.la libcore.la $(TEST_LIBS) -lm

# Joints that break.
check_PROGRAMS += tests/test_breaking
tests_test_breaking_SOURCES = %D%/test_breaking.c
tests_test_breaking_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/solvers
tests_test_breaking_LDADD = libsolvers.la libcore.la $(TEST_LIBS) -lm

# Changes of scenes, in runs of the program's.
check_PROGRAMS += tests/test_changes
tests_test_changes_SOURCES = %D%/test_changes.c
tests_test_changes_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)/experiments -D_DEFAULT_SOURCE
tests_test_changes_LDADD = libexperiments.la $(both_paths)

# The energy of runs.
check_PROGRAMS += tests/test_energy_gains
tests_test_energy_gains_SOURCES = %D%/test_energy_gains.c
tests_test_energy_gains_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)/experiments -D_DEFAULT_SOURCE
tests_test_energy_gains_LDADD = libexperiments.la $(both_paths)

# Copies of scenes.
check_PROGRAMS += tests/test_copies
tests_test_copies_SOURCES = %D%/test_copies.c
tests_test_copies_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)/experiments -D_DEFAULT_SOURCE
tests_test_copies_LDADD = libexperiments.la $(both_paths)

# Pictures.
check_PROGRAMS += tests/test_pictures
tests_test_pictures_SOURCES = %D%/test_pictures.c
tests_test_pictures_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)/experiments $(JANSSON_CFLAGS)
tests_test_pictures_LDADD = libexperiments.la $(both_paths) $(JANSSON_LIBS)

check_PROGRAMS += tests/test_pictures_memory
tests_test_pictures_memory_SOURCES = %D%/test_pictures_memory.c
tests_test_pictures_memory_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)/experiments $(JANSSON_CFLAGS)
tests_test_pictures_memory_LDADD = libexperiments.la $(both_paths) $(JANSSON_LIBS)
tests_test_pictures_memory_LDFLAGS = $(wrap_memory)

# Mechanisms that change between steps.
check_PROGRAMS += tests/test_change
tests_test_change_SOURCES = %D%/test_change.c
tests_test_change_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/solvers
tests_test_change_LDFLAGS = $(wrap_memory)
tests_test_change_LDADD = libsolvers.la libcore.la $(TEST_LIBS) -lm

# Sleep and waking.
check_PROGRAMS += tests/test_sleep
tests_test_sleep_SOURCES = %D%/test_sleep.c
tests_test_sleep_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/solvers
tests_test_sleep_LDADD = libsolvers.la libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_touching
tests_test_touching_SOURCES = %D%/test_touching.c
tests_test_touching_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/solvers
tests_test_touching_LDADD = libsolvers.la libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_kinematic
tests_test_kinematic_SOURCES = %D%/test_kinematic.c
tests_test_kinematic_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/solvers
tests_test_kinematic_LDADD = libsolvers.la libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_momentum
tests_test_momentum_SOURCES = %D%/test_momentum.c
tests_test_momentum_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/solvers
tests_test_momentum_LDADD = libsolvers.la libcore.la $(TEST_LIBS) -lm

# Coriolis and centrifugal forces that are not explicit.
check_PROGRAMS += tests/test_coriolis
tests_test_coriolis_SOURCES = %D%/test_coriolis.c
tests_test_coriolis_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/solvers
tests_test_coriolis_LDADD = libsolvers.la libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_ledger
tests_test_ledger_SOURCES = %D%/test_ledger.c
tests_test_ledger_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/solvers
tests_test_ledger_LDADD = libsolvers.la libcore.la $(TEST_LIBS) -lm

check_PROGRAMS += tests/test_schemes
tests_test_schemes_SOURCES = %D%/test_schemes.c
tests_test_schemes_CPPFLAGS = $(both_cppflags)
tests_test_schemes_LDADD = $(both_paths)

check_PROGRAMS += tests/test_springs
tests_test_springs_SOURCES = %D%/test_springs.c
tests_test_springs_CPPFLAGS = $(test_cppflags) -I$(top_srcdir)/solvers
tests_test_springs_LDADD = libsolvers.la libcore.la $(TEST_LIBS) -lm
check_PROGRAMS += tests/test_friction
tests_test_friction_SOURCES = %D%/test_friction.c
tests_test_friction_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)/experiments -D_DEFAULT_SOURCE
tests_test_friction_LDFLAGS = $(wrap_memory)
tests_test_friction_LDADD = libexperiments.la $(both_paths)

check_PROGRAMS += tests/test_warm
tests_test_warm_SOURCES = %D%/test_warm.c
tests_test_warm_SOURCES += %D%/world.h
tests_test_warm_CPPFLAGS = $(both_cppflags)
tests_test_warm_LDFLAGS = $(wrap_memory)
tests_test_warm_LDADD = $(both_paths)

# Many copies of a model, in several threads.
check_PROGRAMS += tests/test_batch
tests_test_batch_SOURCES = %D%/test_batch.c
tests_test_batch_SOURCES += %D%/world.h
tests_test_batch_CPPFLAGS = $(both_cppflags)
tests_test_batch_LDFLAGS = $(wrap_memory)
tests_test_batch_LDADD = $(both_paths)

# A simulation: positions, memory, forces.
check_PROGRAMS += tests/test_simulation
tests_test_simulation_SOURCES = %D%/test_simulation.c
tests_test_simulation_SOURCES += %D%/world.h
tests_test_simulation_CPPFLAGS = $(both_cppflags)
tests_test_simulation_LDFLAGS = $(wrap_memory) -Wl,--wrap=dls_configuration_advance -Wl,--wrap=dls_configuration_advance_kept
tests_test_simulation_LDADD = $(both_paths)

check_PROGRAMS += tests/test_spring_experiment
tests_test_spring_experiment_SOURCES = %D%/test_spring_experiment.c
tests_test_spring_experiment_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)/experiments -D_DEFAULT_SOURCE
tests_test_spring_experiment_LDADD = libexperiments.la $(both_paths)

check_PROGRAMS += tests/test_spring_memory
tests_test_spring_memory_SOURCES = %D%/test_spring_memory.c
tests_test_spring_memory_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)/experiments
tests_test_spring_memory_LDFLAGS = $(wrap_memory)
tests_test_spring_memory_LDADD = libexperiments.la $(both_paths)
check_PROGRAMS += tests/test_run_memory
tests_test_run_memory_SOURCES = %D%/test_run_memory.c
tests_test_run_memory_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)/experiments -D_DEFAULT_SOURCE
tests_test_run_memory_LDFLAGS = $(wrap_memory)
tests_test_run_memory_LDADD = libexperiments.la $(both_paths)
# Calls to the system and allocations of a sweep fail, and its processes end.
check_PROGRAMS += tests/test_sweep_faults
tests_test_sweep_faults_SOURCES = %D%/test_sweep_faults.c
tests_test_sweep_faults_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)/experiments -D_DEFAULT_SOURCE
tests_test_sweep_faults_LDFLAGS = $(wrap_memory) -Wl,--wrap=open,--wrap=dprintf,--wrap=write,--wrap=fclose,--wrap=strdup \
	-Wl,--wrap=open_memstream,--wrap=mmap,--wrap=fork,--wrap=waitpid,--wrap=getppid
tests_test_sweep_faults_LDADD = libexperiments.la $(both_paths)
check_PROGRAMS += tests/test_engines
tests_test_engines_SOURCES = %D%/test_engines.c
tests_test_engines_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)/experiments -D_DEFAULT_SOURCE
tests_test_engines_LDADD = libexperiments.la $(both_paths)

check_PROGRAMS += tests/test_drift
tests_test_drift_SOURCES = %D%/test_drift.c
tests_test_drift_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)/experiments -D_DEFAULT_SOURCE
tests_test_drift_LDADD = libexperiments.la $(both_paths)
check_PROGRAMS += tests/test_articulation_experiment
tests_test_articulation_experiment_SOURCES = %D%/test_articulation_experiment.c
tests_test_articulation_experiment_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)/experiments -D_DEFAULT_SOURCE
tests_test_articulation_experiment_LDADD = libexperiments.la $(both_paths)

# The n-th allocation fails, for every n.
check_PROGRAMS += tests/test_drift_memory
tests_test_drift_memory_SOURCES = %D%/test_drift_memory.c
tests_test_drift_memory_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)/experiments
tests_test_drift_memory_LDFLAGS = $(wrap_memory)
tests_test_drift_memory_LDADD = libexperiments.la $(both_paths)
check_PROGRAMS += tests/test_coherence
tests_test_coherence_SOURCES = %D%/test_coherence.c
tests_test_coherence_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)/experiments -D_DEFAULT_SOURCE
tests_test_coherence_LDADD = libexperiments.la $(both_paths)
check_PROGRAMS += tests/test_enclosed_laws
tests_test_enclosed_laws_SOURCES = %D%/test_enclosed_laws.c
tests_test_enclosed_laws_CPPFLAGS = $(both_cppflags) -I$(top_srcdir)/experiments $(ARB_CFLAGS)
tests_test_enclosed_laws_LDADD = libexperiments.la $(both_paths) $(FLINT_LIBS)

# The tests of both paths under another kernel of OpenBLAS: make check-kernel KERNEL=Haswell THREADS=2
THREADS = 1
kernel_tests = tests/test_direct tests/test_block_pivoting tests/test_newton tests/test_interior_point \
	tests/test_fixed_point tests/test_cone tests/test_cone_newton tests/test_facets tests/test_rate tests/test_rate_enclosure tests/test_examine \
	tests/test_scenes_direct tests/test_published tests/test_sweeps tests/test_sweeps_articulated tests/test_iterative_path \
	tests/test_bounds tests/test_bounds_cone tests/test_outcome tests/test_verdicts tests/test_verdicts_friction tests/test_methods \
	tests/test_exact_search tests/test_redundant
check-kernel: $(check_PROGRAMS)
	DLS_TEST_FULL=1 OPENBLAS_CORETYPE=$(KERNEL) $(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(kernel_tests)'
# The other tests that leave cases out unless DLS_TEST_FULL is set.
full_tests = tests/test_convex tests/test_mujoco tests/test_pictures_memory tests/test_report.sh
check-full: $(check_PROGRAMS)
	DLS_TEST_FULL=1 $(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(full_tests)'

# The fuzz targets over their corpora, without libFuzzer: tests/fuzz/replay.c.
replay_cppflags = $(both_cppflags) -I$(top_srcdir) -I$(top_srcdir)/experiments -I$(top_srcdir)/cmd -I$(top_srcdir)/tests/fuzz -D_DEFAULT_SOURCE \
	$(JANSSON_CFLAGS)
replay_libs = libexperiments.la $(both_paths) $(JANSSON_LIBS)
check_PROGRAMS += tests/replay_format
tests_replay_format_SOURCES = %D%/fuzz/replay.c %D%/fuzz/fuzz_format.c %D%/fuzz/fuzz.h
tests_replay_format_CPPFLAGS = $(replay_cppflags) -DREPLAY='""'
tests_replay_format_LDADD = $(replay_libs)
check_PROGRAMS += tests/replay_tables
tests_replay_tables_SOURCES = %D%/fuzz/replay.c %D%/fuzz/fuzz_tables.c %D%/fuzz/fuzz.h cmd/dynamics_input.c
tests_replay_tables_CPPFLAGS = $(replay_cppflags) -DREPLAY='"tables"'
tests_replay_tables_LDADD = $(replay_libs)
check_PROGRAMS += tests/replay_tracks
tests_replay_tracks_SOURCES = %D%/fuzz/replay.c %D%/fuzz/fuzz_tracks.c %D%/fuzz/fuzz.h
tests_replay_tracks_CPPFLAGS = $(replay_cppflags) -DREPLAY='"tracks"'
tests_replay_tracks_LDADD = $(replay_libs)
if HAVE_HDF5
check_PROGRAMS += tests/replay_fclib
tests_replay_fclib_SOURCES = %D%/fuzz/replay.c %D%/fuzz/fuzz_fclib.c %D%/fuzz/fuzz.h
tests_replay_fclib_CPPFLAGS = $(replay_cppflags) $(HDF5_CFLAGS) -DREPLAY='"fclib"'
tests_replay_fclib_LDADD = $(replay_libs) $(HDF5_LIBS)
endif
check_PROGRAMS += tests/replay_command
tests_replay_command_SOURCES = %D%/fuzz/replay.c %D%/fuzz/fuzz_command.c %D%/fuzz/fuzz.h $(delassus_SOURCES)
tests_replay_command_CPPFLAGS = $(replay_cppflags) $(OPENBLAS_CFLAGS) -DREPLAY='"command"' -Dmain=delassus_main \
	-DDELASSUS_SOURCEDIR='"$(abs_top_srcdir)"'
tests_replay_command_LDFLAGS = $(patsubst %,-Wl$(fuzz_comma)--wrap=%,$(fuzz_replaced))
tests_replay_command_LDADD = $(replay_libs) $(OPENBLAS_LIBS) -lm

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
	@$(file >build-mutants/links,)$(foreach t,$(check_PROGRAMS) delassus,$(file >>build-mutants/links,$(call mutants_link,$t)))
	$(PYTHON) $(top_srcdir)/tests/mutants.py --links build-mutants/links --cc '$(mutants_cc)' --coverage $(coverage_tree) \
	  --shard $(SHARD) --seed $(SEED) --count $(MUTANTS) $(MUTANTS_FLAGS)
# What stands in the shared library is linked from its parts, so that an object can take the place of one of them.
mutants_of = $(subst libdelassus.la,$(libdelassus_la_LIBADD),$($(subst /,_,$1)_$2))
mutants_link = $1|$(call mutants_of,$1,OBJECTS)|$(call mutants_of,$1,LDFLAGS)|$(call mutants_of,$1,LDADD)
EXTRA_DIST += %D%/coverage.py
EXTRA_DIST += %D%/coverage_exit.c
EXTRA_DIST += %D%/mutants.py
EXTRA_DIST += %D%/mutants.tsv
