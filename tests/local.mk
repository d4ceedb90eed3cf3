LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
LOG_COMPILER = $(SHELL) $(top_srcdir)/tests/tap.sh
EXTRA_DIST += %D%/tap.sh %D%/script.sh %D%/idle_gnuplot.sh
# A test %D%/test_NAME.c is run by the program that has it among its sources.
C_LOG_DRIVER = $(LOG_DRIVER)
C_LOG_COMPILER = $(LOG_COMPILER) $(call programs_of,$(notdir $<))
programs_of = $(strip $(foreach p,$(check_PROGRAMS),$(if $(filter %/$1,$($(subst /,_,$p)_SOURCES)),$p)))
AM_TESTS_ENVIRONMENT = CMOCKA_MESSAGE_OUTPUT=TAP; export CMOCKA_MESSAGE_OUTPUT; \
	DLS_TEST_SOURCE='$(abs_top_srcdir)'; export DLS_TEST_SOURCE; \
	LSAN_OPTIONS='suppressions=$(abs_top_srcdir)/tests/leaks.supp:print_suppressions=0'; export LSAN_OPTIONS; \
	OPENBLAS_NUM_THREADS=$(THREADS); export OPENBLAS_NUM_THREADS; \
	DLS_TEST_PYTHON='$(PYTHON)'; export DLS_TEST_PYTHON; DLS_TEST_PYTHON_WHY='$(PYTHON_WHY)'; export DLS_TEST_PYTHON_WHY; \
	DLS_TEST_PYTHON_SITE='$(PYTHON_SITE)'; export DLS_TEST_PYTHON_SITE; \
	DLS_TEST_CC='$(CC)'; export DLS_TEST_CC; DLS_TEST_CXX='$(CXX)'; export DLS_TEST_CXX; \
	DLS_TEST_CFLAGS='$(CFLAGS)'; export DLS_TEST_CFLAGS; DLS_TEST_LDFLAGS='$(LDFLAGS)'; export DLS_TEST_LDFLAGS; \
	DLS_TEST_MAKE='$(MAKE)'; export DLS_TEST_MAKE; \
	DLS_TEST_LIBDIR='$(libdir)'; export DLS_TEST_LIBDIR; \
	DLS_TEST_DOCDIR='$(docdir)'; export DLS_TEST_DOCDIR; \
	DLS_TEST_INCLUDEDIR='$(includedir)'; export DLS_TEST_INCLUDEDIR; \
	DLS_TEST_INCLUDES='$(all_paths_includes)'; export DLS_TEST_INCLUDES; \
	DLS_TEST_HEADERS='$(notdir $(delassusinclude_HEADERS))'; export DLS_TEST_HEADERS; $(test_program)
# The program itself: libtool's script in front of it starts for half as long as the program does.
if ENABLE_SHARED
test_program = case '$(host_os)' in linux*) \
	DLS_TEST_PROGRAM='$(abs_builddir)/.libs/delassus$(EXEEXT)'; export DLS_TEST_PROGRAM; \
	LD_LIBRARY_PATH='$(abs_builddir)/.libs'$${LD_LIBRARY_PATH:+:$$LD_LIBRARY_PATH}; export LD_LIBRARY_PATH;; esac;
endif

# A program for all tests of what it is linked with: those of lib need no solver, those of the solvers no dense reference, and those of the
# reference no solver. The longest of each come first. Calls that fail on demand are sent to the tests by the linker (GNU ld, gold and lld).
reference_tests =
reference_tests += %D%/test_direct.c
reference_tests += %D%/test_dump.c
reference_tests += %D%/test_entries.c
reference_tests += %D%/test_examine.c
reference_tests += %D%/test_equilibrium.c
reference_tests += %D%/test_exact_search.c
reference_tests += %D%/test_bounds.c
reference_tests += %D%/test_bounds_cone.c
reference_tests += %D%/test_fclib.c
reference_tests += %D%/test_compound.c
reference_tests += %D%/test_unfold.c
reference_tests += %D%/test_apart.c
reference_tests += %D%/test_block_pivoting.c
reference_tests += %D%/test_cone_map.c
reference_tests += %D%/test_cone_newton.c
reference_tests += %D%/test_cone_velocities.c
reference_tests += %D%/test_contact_maps.c
reference_tests += %D%/test_sparse_ppa.c
reference_tests += %D%/test_staggered.c
reference_tests += %D%/test_dense_loops.c
reference_tests += %D%/test_direct_memory.c
reference_tests += %D%/test_enclosed_matrices.c
reference_tests += %D%/test_examine_definitions.c
reference_tests += %D%/test_exchanged.c
reference_tests += %D%/test_facets.c
reference_tests += %D%/test_factors.c
reference_tests += %D%/test_fixed_point.c
reference_tests += %D%/test_interior_point.c
reference_tests += %D%/test_manufacture.c
reference_tests += %D%/test_measure.c
reference_tests += %D%/test_newton.c
reference_tests += %D%/test_pivoting.c
reference_tests += %D%/test_rate_enclosure.c
reference_tests += %D%/test_rate_mode.c
reference_tests += %D%/test_rational.c
reference_tests += %D%/test_self_stress.c
experiments_tests =
experiments_tests += %D%/test_work_experiments.c
experiments_tests += %D%/test_verdicts.c
experiments_tests += %D%/test_verdicts_friction.c
experiments_tests += %D%/test_engines.c
experiments_tests += %D%/test_free_box.c
experiments_tests += %D%/test_rolling_engines.c
experiments_tests += %D%/test_bouncing_engines.c
experiments_tests += %D%/test_conservation_engines.c
experiments_tests += %D%/test_ppa_outcomes.c
experiments_tests += %D%/test_pictures_memory.c
experiments_tests += %D%/test_run_memory.c
experiments_tests += %D%/test_pictures.c
experiments_tests += %D%/test_film.c
experiments_tests += %D%/test_report_words.c
experiments_tests += %D%/test_run_residual.c
experiments_tests += %D%/test_arithmetic.c
experiments_tests += %D%/test_articulation_experiment.c
experiments_tests += %D%/test_changes.c
experiments_tests += %D%/test_coherence.c
experiments_tests += %D%/test_collection.c
experiments_tests += %D%/test_collection_sets.c
experiments_tests += %D%/test_diagnosis.c
experiments_tests += %D%/test_diagnosis_tables.c
experiments_tests += %D%/test_sheet.c
experiments_tests += %D%/test_decision_tree.c
experiments_tests += %D%/test_compare.c
experiments_tests += %D%/test_copies.c
experiments_tests += %D%/test_across_events.c
experiments_tests += %D%/test_drift.c
experiments_tests += %D%/test_drift_memory.c
experiments_tests += %D%/test_enclosed_laws.c
experiments_tests += %D%/test_energy_gains.c
experiments_tests += %D%/test_coulomb_scenes.c
experiments_tests += %D%/test_friction.c
experiments_tests += %D%/test_locale.c
experiments_tests += %D%/test_methods.c
experiments_tests += %D%/test_mimic.c
experiments_tests += %D%/test_mimic_memory.c
experiments_tests += %D%/test_mimic_published.c
experiments_tests += %D%/test_outcome.c
experiments_tests += %D%/test_sentence.c
experiments_tests += %D%/test_solve_until.c
experiments_tests += %D%/test_spring_experiment.c
experiments_tests += %D%/test_spring_memory.c
experiments_tests += %D%/test_recommend.c
experiments_tests += %D%/test_step_work.c
experiments_tests += %D%/test_tex.c
experiments_tests += %D%/test_trajectories.c
both_tests =
both_tests += %D%/test_sparse_matrices.c
both_tests += %D%/test_certify_large.c
both_tests += %D%/test_no_memory.c
both_tests += %D%/test_proximal_methods.c
both_tests += %D%/test_redundant.c
both_tests += %D%/test_scenes.c
both_tests += %D%/test_scenes_direct.c
both_tests += %D%/test_angles.c
both_tests += %D%/test_bare_rows.c
both_tests += %D%/test_batch.c
both_tests += %D%/test_cone.c
both_tests += %D%/test_primal.c
both_tests += %D%/test_laws.c
both_tests += %D%/test_laws_moving.c
both_tests += %D%/test_coordinates.c
both_tests += %D%/test_polynomials.c
reference_tests += %D%/test_motion.c
reference_tests += %D%/test_motion_boxes.c
reference_tests += %D%/test_motion_given.c
reference_tests += %D%/test_motion_history.c
reference_tests += %D%/test_motion_impacts.c
reference_tests += %D%/test_motion_shapes.c
reference_tests += %D%/test_motion_units.c
reference_tests += %D%/test_slide_directions.c
reference_tests += %D%/test_mechanisms.c
both_tests += %D%/test_rolling.c
both_tests += %D%/test_trajectory.c
both_tests += %D%/test_trajectory_memory.c
both_tests += %D%/test_drives.c
both_tests += %D%/test_impact.c
both_tests += %D%/test_examine_breaks.c
both_tests += %D%/test_iterative_work.c
both_tests += %D%/test_loops.c
both_tests += %D%/test_losses.c
both_tests += %D%/test_medium.c
both_tests += %D%/test_published.c
both_tests += %D%/test_dense.c
both_tests += %D%/test_minimal.c
both_tests += %D%/test_rate.c
both_tests += %D%/test_row_order.c
both_tests += %D%/test_order_in_step.c
both_tests += %D%/test_schemes.c
both_tests += %D%/test_soft_reference.c
both_tests += %D%/test_soft_step.c
both_tests += %D%/test_simulation.c
both_tests += %D%/test_sweeps.c
both_tests += %D%/test_sweeps_articulated.c
both_tests += %D%/test_block_gs.c
both_tests += %D%/test_coloured.c
both_tests += %D%/test_gauss_seidel.c
both_tests += %D%/test_orders.c
both_tests += %D%/test_tendons.c
both_tests += %D%/test_track_joint.c
both_tests += %D%/test_turns.c
both_tests += %D%/test_warm.c
both_tests += %D%/test_world.c
solvers_tests =
solvers_tests += %D%/test_breaking.c
solvers_tests += %D%/test_change.c
solvers_tests += %D%/test_contact_law.c
solvers_tests += %D%/test_coriolis.c
solvers_tests += %D%/test_forces.c
solvers_tests += %D%/test_iterative_path.c
solvers_tests += %D%/test_kinematic.c
solvers_tests += %D%/test_ledger.c
solvers_tests += %D%/test_links_collide.c
solvers_tests += %D%/test_mechanics.c
solvers_tests += %D%/test_mjcf.c
solvers_tests += %D%/test_model_memory.c
solvers_tests += %D%/test_momentum.c
solvers_tests += %D%/test_packed.c
solvers_tests += %D%/test_refresh.c
solvers_tests += %D%/test_solver_kit.c
solvers_tests += %D%/test_sleep.c
solvers_tests += %D%/test_springs.c
solvers_tests += %D%/test_unconverged.c
solvers_tests += %D%/test_units.c
solvers_tests += %D%/test_iterative_laws.c
solvers_tests += %D%/test_sweeps_drawn.c
solvers_tests += %D%/test_sweeps_memory.c
solvers_tests += %D%/test_tgs.c
solvers_tests += %D%/test_together.c
solvers_tests += %D%/test_touching.c
lib_tests =
lib_tests += %D%/test_convex.c
lib_tests += %D%/test_breaks.c
lib_tests += %D%/test_arena.c
lib_tests += %D%/test_articulation.c
lib_tests += %D%/test_articulation_cache.c
lib_tests += %D%/test_articulation_memory.c
lib_tests += %D%/test_articulation_motion.c
lib_tests += %D%/test_broken_files.c
lib_tests += %D%/test_collide.c
lib_tests += %D%/test_constrained.c
lib_tests += %D%/test_convert.c
lib_tests += %D%/test_curve.c
lib_tests += %D%/test_curve_memory.c
lib_tests += %D%/test_errata.c
lib_tests += %D%/test_errata_track.c
lib_tests += %D%/test_field.c
lib_tests += %D%/test_foreign.c
lib_tests += %D%/test_import.c
lib_tests += %D%/test_inertias.c
lib_tests += %D%/test_joints.c
lib_tests += %D%/test_mesh_mass.c
lib_tests += %D%/test_math3.c
lib_tests += %D%/test_names.c
lib_tests += %D%/test_propagation.c
lib_tests += %D%/test_npy.c
lib_tests += %D%/test_problem_file.c
lib_tests += %D%/test_scene_reader.c
lib_tests += %D%/test_surfaces.c
lib_tests += %D%/test_signals.c
lib_tests += %D%/test_table.c
lib_tests += %D%/test_terrain.c
lib_tests += %D%/test_track.c
lib_tests += %D%/test_twofold.c
lib_tests += %D%/test_urdf.c
lib_tests += %D%/test_vector.c
lib_tests += %D%/test_xml_memory.c
lib_tests += %D%/test_zip.c
command_tests =
command_tests += %D%/test_check.c
command_tests += %D%/test_json_memory.c
faults_tests =
faults_tests += %D%/test_faults.c
sweep_faults_tests =
sweep_faults_tests += %D%/test_sweep_faults.c
examine_alone_tests =
examine_alone_tests += %D%/test_examine_alone.c
threads_tests =
threads_tests += %D%/test_threads.c
if HAVE_HDF5
lib_tests += %D%/test_hdf5_tables.c
lib_tests += %D%/test_text_markup.c
endif
if HAVE_MUJOCO
mujoco_tests = %D%/test_mujoco.c %D%/test_mujoco_contacts.c %D%/test_mujoco_geoms.c %D%/test_peer_rows.c
check_PROGRAMS += tests/mujoco_tests
endif
test_files = $(reference_tests) $(experiments_tests) $(both_tests) $(solvers_tests) $(lib_tests) $(command_tests) $(faults_tests) \
	$(sweep_faults_tests) $(examine_alone_tests) $(threads_tests) $(mujoco_tests)
check_PROGRAMS += tests/reference_tests tests/experiments_tests tests/both_tests tests/solvers_tests tests/lib_tests tests/command_tests \
	tests/faults_tests tests/sweep_faults_tests tests/examine_alone_tests tests/threads_tests

test_cppflags = $(AM_CPPFLAGS) $(all_paths_includes) -I$(top_srcdir)/tests -I$(top_srcdir) -I$(top_srcdir)/cmd -D_DEFAULT_SOURCE \
	$(CMOCKA_CFLAGS) $(LAPACKE_CFLAGS) $(OPENBLAS_CFLAGS) $(GSL_CFLAGS) $(ARB_CFLAGS) $(XML_CFLAGS) $(JANSSON_CFLAGS)
test_libs = $(FLINT_LIBS) $(GSL_LIBS) $(LAPACKE_LIBS) $(OPENBLAS_LIBS) $(XML_LIBS) $(JANSSON_LIBS) $(TEST_LIBS) -lm
if HAVE_HDF5
test_cppflags += -DTEST_HDF5 $(HDF5_CFLAGS)
test_libs += $(HDF5_LIBS)
endif
both_paths = libreference.la libsolvers.la libcore.la
all_paths = libexperiments.la $(both_paths)

wrap = $(patsubst %,-Wl$(fuzz_comma)--wrap=%,$1)
wrap_memory = $(call wrap,malloc calloc realloc aligned_alloc free)
wrap_factors = $(call wrap,$(patsubst %,LAPACKE_%_work,dpotrf dpstrf dposv dgetrf dgesv dgels dgelsy dgeqp3 dgesvd))
failing = %D%/main.c %D%/failing_memory.c

tests_lib_tests_SOURCES = $(lib_tests) $(failing)
tests_lib_tests_CPPFLAGS = $(test_cppflags)
tests_lib_tests_LDFLAGS = $(wrap_memory) $(call wrap,strcmp strncmp dls_articulation_velocities)
tests_lib_tests_LDADD = libcore.la $(test_libs)
tests_solvers_tests_SOURCES = $(solvers_tests) $(failing) bench/scenes.c
tests_solvers_tests_CPPFLAGS = $(test_cppflags)
tests_solvers_tests_LDFLAGS = $(wrap_memory) $(call wrap,hypot)
tests_solvers_tests_LDADD = libsolvers.la libcore.la $(test_libs)
tests_reference_tests_SOURCES = $(reference_tests) $(failing)
tests_reference_tests_CPPFLAGS = $(test_cppflags)
tests_reference_tests_LDFLAGS = $(wrap_memory) $(call wrap,mmap)
tests_reference_tests_LDADD = libreference.la libcore.la $(test_libs)
tests_both_tests_SOURCES = $(both_tests) $(failing) bench/scenes.c
tests_both_tests_CPPFLAGS = $(test_cppflags)
tests_both_tests_LDFLAGS = $(wrap_memory) $(call wrap,dls_pack_schedule dls_configuration_advance dls_configuration_advance_kept)
tests_both_tests_LDADD = $(both_paths) $(test_libs)
tests_experiments_tests_SOURCES = $(experiments_tests) $(failing) %D%/finite_lapack.c
tests_experiments_tests_CPPFLAGS = $(test_cppflags)
tests_experiments_tests_LDFLAGS = $(wrap_memory) $(wrap_factors)
tests_experiments_tests_LDADD = $(all_paths) $(test_libs)
tests_command_tests_SOURCES = $(command_tests) %D%/main.c cmd/check.c cmd/examination.c cmd/examine.c cmd/json.c cmd/solve.c cmd/support.c
tests_command_tests_CPPFLAGS = $(test_cppflags)
tests_command_tests_LDFLAGS = $(call wrap,dls_load_model)
tests_command_tests_LDADD = $(all_paths) $(test_libs)
tests_faults_tests_SOURCES = $(faults_tests) %D%/main.c
tests_faults_tests_CPPFLAGS = $(test_cppflags)
tests_faults_tests_LDFLAGS = $(call wrap,open fdopen fflush fsync fclose rename mkdir tmpfile mkstemp pipe fseek posix_spawnp posix_spawnattr_init \
	posix_spawn_file_actions_init posix_spawn_file_actions_adddup2 posix_spawnattr_setflags posix_spawnattr_setpgroup posix_spawnattr_setsigmask)
tests_faults_tests_LDADD = $(all_paths) $(test_libs)
tests_sweep_faults_tests_SOURCES = $(sweep_faults_tests) $(failing)
tests_sweep_faults_tests_CPPFLAGS = $(test_cppflags)
tests_sweep_faults_tests_LDFLAGS = $(wrap_memory) $(call wrap,open dprintf write fclose strdup open_memstream mmap fork waitpid getppid)
tests_sweep_faults_tests_LDADD = $(all_paths) $(test_libs)
# The examiner with lib alone: it shares no code with the direct methods, nor with the dense assembly.
tests_examine_alone_tests_SOURCES = $(examine_alone_tests) $(failing) reference/examine/entries.c reference/examine/entries_paths.c \
	reference/examine/examine.c reference/examine/examine_cone.c reference/examine/examine_redundant.c
tests_examine_alone_tests_CPPFLAGS = $(test_cppflags)
tests_examine_alone_tests_LDFLAGS = $(wrap_memory)
tests_examine_alone_tests_LDADD = libcore.la $(test_libs)
# Simulations in several threads; .ci/run builds this program with -fsanitize=thread.
tests_threads_tests_SOURCES = $(threads_tests) %D%/main.c
tests_threads_tests_CPPFLAGS = $(test_cppflags)
tests_threads_tests_LDADD = $(both_paths) $(test_libs) -lpthread
tests_mujoco_tests_SOURCES = $(mujoco_tests) %D%/main.c solvers/peers/mujoco.c solvers/peers/peer.c
tests_mujoco_tests_CPPFLAGS = $(test_cppflags)
tests_mujoco_tests_LDADD = $(both_paths) $(MUJOCO_LIBS) $(test_libs)
EXTRA_DIST += %D%/articulated.h
EXTRA_DIST += %D%/leaks.supp
EXTRA_DIST += %D%/check.h
EXTRA_DIST += %D%/cones.h
EXTRA_DIST += %D%/laws.h
EXTRA_DIST += %D%/courses.h
EXTRA_DIST += %D%/curves.h
EXTRA_DIST += %D%/direct_solve.h
EXTRA_DIST += %D%/documents.h
EXTRA_DIST += %D%/impacts.h
EXTRA_DIST += %D%/draws.h
EXTRA_DIST += %D%/examined.h
EXTRA_DIST += %D%/failing_memory.h
EXTRA_DIST += %D%/finite_lapack.h
EXTRA_DIST += %D%/mechanism.h
EXTRA_DIST += %D%/gripper.h
EXTRA_DIST += %D%/mechanisms.h
EXTRA_DIST += %D%/naive.h
EXTRA_DIST += %D%/packed_problems.h
EXTRA_DIST += %D%/problems.h
EXTRA_DIST += %D%/published.h
EXTRA_DIST += %D%/sharpness.h
EXTRA_DIST += %D%/mujoco_pair.h
EXTRA_DIST += %D%/stepping.h
EXTRA_DIST += %D%/studies.h
EXTRA_DIST += %D%/tree_rows.h
EXTRA_DIST += %D%/verdicts.h
EXTRA_DIST += %D%/world.h
EXTRA_DIST += bench/scenes.h

# The program, from outside; the longest first, for several run at once.
dist_check_SCRIPTS = %D%/test_examples.sh
dist_check_SCRIPTS += %D%/test_report.sh
dist_check_SCRIPTS += %D%/test_ci.sh
dist_check_SCRIPTS += %D%/test_engine_patches.sh
dist_check_SCRIPTS += %D%/test_program.sh
dist_check_SCRIPTS += %D%/test_pictures.sh
dist_check_SCRIPTS += %D%/test_kernels.sh
dist_check_SCRIPTS += %D%/test_options.sh
dist_check_SCRIPTS += %D%/test_outside.sh
dist_check_SCRIPTS += %D%/test_plant.sh
EXTRA_DIST += %D%/diagnosis/plant.py %D%/diagnosis/threads
dist_check_SCRIPTS += %D%/test_robots.sh
dist_check_SCRIPTS += %D%/test_sdf.sh
dist_check_SCRIPTS += %D%/test_places.sh
dist_check_SCRIPTS += %D%/test_plugins.sh
dist_check_SCRIPTS += %D%/test_peers.sh
dist_check_SCRIPTS += %D%/test_answers.sh
dist_check_SCRIPTS += %D%/test_manual.sh
dist_check_SCRIPTS += %D%/test_python.sh
dist_check_SCRIPTS += %D%/test_wheel.sh
dist_check_SCRIPTS += %D%/test_sweep.sh
dist_check_SCRIPTS += %D%/test_plot.sh
dist_check_SCRIPTS += %D%/test_recommend.sh
dist_check_SCRIPTS += %D%/test_npz.sh
dist_check_SCRIPTS += %D%/test_profile.sh
dist_check_SCRIPTS += %D%/test_certificates.sh
EXTRA_DIST += %D%/certificates.py %D%/certificate_problems.py %D%/certificate_forgeries.py %D%/certificate_bounds.py
dist_check_SCRIPTS += %D%/test_headers.sh
dist_check_SCRIPTS += %D%/test_circles.sh
dist_check_SCRIPTS += %D%/test_packages.sh
dist_check_SCRIPTS += %D%/test_readme.sh
dist_check_SCRIPTS += %D%/test_reproduce.sh
EXTRA_DIST += %D%/reproduce.py %D%/reproduce.tsv
EXTRA_DIST += %D%/python/conftest.py %D%/python/execute_notebook.py %D%/python/test_batch.py %D%/python/test_documentation.py %D%/python/test_manual.py %D%/python/test_arithmetic.py \
	%D%/python/test_memory.py %D%/python/test_motion.py %D%/python/test_notebook.py %D%/python/test_own.py %D%/python/test_problem.py \
	%D%/python/test_simulation.py %D%/python/test_solve.py %D%/python/test_statement.py %D%/python/test_sweep.py %D%/python/test_table.py %D%/python/test_units.py %D%/outside_plugin.c
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
kernel_tests += %D%/test_primal.c
kernel_tests += %D%/test_sparse_ppa.c
kernel_tests += %D%/test_contact_maps.c
kernel_tests += %D%/test_motion.c
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
full_tests = %D%/test_convex.c %D%/test_pictures_memory.c $(mujoco_tests) tests/test_report.sh tests/test_wheel.sh
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
