# Engines of other projects: a shared object for each library, which the experiment loads by the names in engines.def.
libexperiments_la_SOURCES += %D%/engines.def
libexperiments_la_SOURCES += %D%/engine.h
libexperiments_la_SOURCES += %D%/engine_tree.h
libexperiments_la_SOURCES += %D%/engine_run.c
libexperiments_la_SOURCES += %D%/engine_run.h
libexperiments_la_SOURCES += %D%/translate.c
EXTRA_DIST += %D%/ode.c %D%/bullet.cpp %D%/mujoco.c %D%/box3d.c %D%/dart.cpp %D%/simbody.cpp

enginesdir = $(pkglibdir)/engines
engines_LTLIBRARIES =
engine_cppflags = $(AM_CPPFLAGS) $(all_paths_includes)
engine_cxxflags = -std=c++17 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -ffp-contract=off
engine_ldflags = -module -avoid-version -shared -no-undefined -export-symbols-regex '^dls_engines_here$$'

if ENABLE_SHARED
if HAVE_ODE
engines_LTLIBRARIES += %D%/ode.la
%C%_ode_la_SOURCES = %D%/ode.c
%C%_ode_la_CPPFLAGS = $(engine_cppflags) $(ODE_CFLAGS)
%C%_ode_la_CFLAGS = $(AM_CFLAGS)
%C%_ode_la_LDFLAGS = $(engine_ldflags)
%C%_ode_la_LIBADD = libdelassus.la $(ODE_LIBS)
endif
if HAVE_BULLET
engines_LTLIBRARIES += %D%/bullet.la
%C%_bullet_la_SOURCES = %D%/bullet.cpp
%C%_bullet_la_CPPFLAGS = $(engine_cppflags) $(BULLET_CFLAGS)
%C%_bullet_la_CXXFLAGS = $(engine_cxxflags)
%C%_bullet_la_LDFLAGS = $(engine_ldflags)
%C%_bullet_la_LIBADD = libdelassus.la $(BULLET_LIBS)
endif
if HAVE_MUJOCO
engines_LTLIBRARIES += %D%/mujoco.la
%C%_mujoco_la_SOURCES = %D%/mujoco.c
%C%_mujoco_la_CPPFLAGS = $(engine_cppflags)
%C%_mujoco_la_CFLAGS = $(AM_CFLAGS)
%C%_mujoco_la_LDFLAGS = $(engine_ldflags)
%C%_mujoco_la_LIBADD = libdelassus.la $(MUJOCO_LIBS)
endif
if HAVE_DART
engines_LTLIBRARIES += %D%/dart.la
%C%_dart_la_SOURCES = %D%/dart.cpp
%C%_dart_la_CPPFLAGS = $(engine_cppflags) $(DART_CFLAGS)
%C%_dart_la_CXXFLAGS = $(engine_cxxflags)
%C%_dart_la_LDFLAGS = $(engine_ldflags)
%C%_dart_la_LIBADD = libdelassus.la $(DART_LIBS)
endif
if HAVE_SIMBODY
engines_LTLIBRARIES += %D%/simbody.la
%C%_simbody_la_SOURCES = %D%/simbody.cpp
%C%_simbody_la_CPPFLAGS = $(engine_cppflags) $(SIMBODY_CFLAGS)
%C%_simbody_la_CXXFLAGS = $(engine_cxxflags)
%C%_simbody_la_LDFLAGS = $(engine_ldflags)
%C%_simbody_la_LIBADD = libdelassus.la $(SIMBODY_LIBS)
endif
if HAVE_BOX3D
engines_LTLIBRARIES += %D%/box3d.la
%C%_box3d_la_SOURCES = %D%/box3d.c
%C%_box3d_la_CPPFLAGS = $(engine_cppflags) $(BOX3D_CFLAGS)
%C%_box3d_la_CFLAGS = $(AM_CFLAGS)
%C%_box3d_la_LDFLAGS = $(engine_ldflags)
%C%_box3d_la_LIBADD = libdelassus.la $(BOX3D_LIBS) -lm
endif
endif
