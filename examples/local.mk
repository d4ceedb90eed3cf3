# Programs on top of the library: installed as sources, built and run by make check.
exampledir = $(docdir)/examples
dist_example_DATA = %D%/arms.c
dist_example_DATA += %D%/hanging.c
dist_example_DATA += %D%/hanging.cpp
dist_example_DATA += %D%/momentum_plugin.c
dist_example_DATA += %D%/notebook.ipynb
dist_example_DATA += %D%/own_lcp.c
dist_example_DATA += %D%/own_joint.c
dist_example_DATA += %D%/own_plugin.c
dist_example_DATA += %D%/own_scheme.c
dist_example_DATA += %D%/own_xpbd.c
dist_example_DATA += %D%/own_solver.py
dist_example_DATA += %D%/own_solver_package.py
dist_example_DATA += %D%/own_solver.c
dist_example_DATA += %D%/sweep-parallel.sh
dist_example_DATA += %D%/sweep-slurm.sh
dist_example_DATA += %D%/sweep.smk
# Writers of steps, which other projects copy.
exampledumpdir = $(exampledir)/dump
dist_exampledump_DATA = %D%/dump/boxes.xml
dist_exampledump_DATA += %D%/dump/box3d.patch
dist_exampledump_DATA += %D%/dump/box3d_boxes.c
dist_exampledump_DATA += %D%/dump/bullet.patch
dist_exampledump_DATA += %D%/dump/bullet_boxes.cpp
dist_exampledump_DATA += %D%/dump/dart_dump.cpp
dist_exampledump_DATA += %D%/dump/delassus_dump.h
dist_exampledump_DATA += %D%/dump/delassus_dump.py
dist_exampledump_DATA += %D%/dump/mujoco_dump.c
dist_exampledump_DATA += %D%/dump/ode.patch
dist_exampledump_DATA += %D%/dump/ode_boxes.cpp
dist_exampledump_DATA += %D%/dump/stack_engine.c
examplecidir = $(exampledir)/ci
dist_exampleci_DATA = %D%/ci/Containerfile
dist_exampleci_DATA += %D%/ci/action.yml

examples = %D%/arms %D%/hanging %D%/hanging_cpp %D%/own_lcp %D%/own_solver %D%/dump/stack_engine
if HAVE_MUJOCO
examples += %D%/dump/mujoco_dump
endif
if HAVE_DART
examples += %D%/dump/dart_dump
endif
EXTRA_PROGRAMS += $(examples)
CLEANFILES += $(examples)
examples_cppflags = $(AM_CPPFLAGS) $(all_paths_includes)
examples_arms_SOURCES = %D%/arms.c
examples_arms_CPPFLAGS = $(examples_cppflags)
examples_arms_LDADD = libdelassus.la -lm
examples_hanging_SOURCES = %D%/hanging.c
examples_hanging_CPPFLAGS = $(examples_cppflags)
examples_hanging_LDADD = libdelassus.la -lm
examples_hanging_cpp_SOURCES = %D%/hanging.cpp
examples_hanging_cpp_CPPFLAGS = $(examples_cppflags)
examples_hanging_cpp_CXXFLAGS = -std=c++17 -Wall -Wextra -Wpedantic
examples_hanging_cpp_LDADD = libdelassus.la
examples_own_lcp_SOURCES = %D%/own_lcp.c
examples_own_lcp_CPPFLAGS = $(examples_cppflags)
examples_own_lcp_LDADD = libdelassus.la
examples_own_solver_SOURCES = %D%/own_solver.c
examples_own_solver_CPPFLAGS = $(examples_cppflags)
examples_own_solver_LDADD = libdelassus.la -lm
examples_dump_stack_engine_SOURCES = %D%/dump/stack_engine.c
examples_dump_stack_engine_LDADD = -lm
examples_dump_mujoco_dump_SOURCES = %D%/dump/mujoco_dump.c
examples_dump_mujoco_dump_LDADD = $(MUJOCO_LIBS) -lm
examples_dump_dart_dump_SOURCES = %D%/dump/dart_dump.cpp
examples_dump_dart_dump_CPPFLAGS = $(AM_CPPFLAGS) $(DART_CFLAGS)
examples_dump_dart_dump_CXXFLAGS = -std=c++17 -Wall -Wextra $(AM_CXXFLAGS)
examples_dump_dart_dump_LDADD = $(DART_LIBS)
