noinst_LTLIBRARIES += libcore.la
delassusincludedir = $(includedir)/delassus
delassusinclude_HEADERS =
delassusinclude_HEADERS += %D%/delassus/articulation.h
delassusinclude_HEADERS += %D%/delassus/check.h
delassusinclude_HEADERS += %D%/delassus/contact.h
delassusinclude_HEADERS += %D%/delassus/curve.h
delassusinclude_HEADERS += %D%/delassus/delassus.h
delassusinclude_HEADERS += %D%/delassus/field.h
delassusinclude_HEADERS += %D%/delassus/io.h
delassusinclude_HEADERS += %D%/delassus/joint.h
delassusinclude_HEADERS += %D%/delassus/ledger.h
delassusinclude_HEADERS += %D%/delassus/mass.h
delassusinclude_HEADERS += %D%/delassus/math3.h
delassusinclude_HEADERS += %D%/delassus/model.h
delassusinclude_HEADERS += %D%/delassus/problem.h
delassusinclude_HEADERS += %D%/delassus/scene.h
delassusinclude_HEADERS += %D%/delassus/scheme.h
delassusinclude_HEADERS += %D%/delassus/solver.h
delassusinclude_HEADERS += %D%/delassus/spatial.h
delassusinclude_HEADERS += %D%/delassus/status.h
delassusinclude_HEADERS += %D%/delassus/table.h
delassusinclude_HEADERS += %D%/delassus/track.h

libcore_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/lib -I$(top_builddir)/lib $(YAML_CFLAGS) $(XML_CFLAGS) $(ODE_CFLAGS) $(HDF5_CFLAGS)
libcore_la_LIBADD = $(YAML_LIBS) $(XML_LIBS) $(ODE_LIBS) $(HDF5_LIBS) -lpthread -lm
libcore_la_CFLAGS = $(AM_CFLAGS) $(SCALAR_CFLAGS)
libcore_la_SOURCES =
libcore_la_SOURCES += %D%/body.c
libcore_la_SOURCES += %D%/check.c
libcore_la_SOURCES += %D%/check_columns.c
libcore_la_SOURCES += %D%/contact.c
libcore_la_SOURCES += %D%/field.c
libcore_la_SOURCES += %D%/inertia.c
libcore_la_SOURCES += %D%/joint.c
libcore_la_SOURCES += %D%/ledger.c
libcore_la_SOURCES += %D%/mass.c
libcore_la_SOURCES += %D%/mass_dense.c
libcore_la_SOURCES += %D%/math3.c
libcore_la_SOURCES += %D%/model.c
libcore_la_SOURCES += %D%/model_joints.c
libcore_la_SOURCES += %D%/model_parts.h
libcore_la_SOURCES += %D%/positions.c
libcore_la_SOURCES += %D%/problem.c
libcore_la_SOURCES += %D%/problem_build.c
libcore_la_SOURCES += %D%/problem_memory.h
libcore_la_SOURCES += %D%/rows.c
libcore_la_SOURCES += %D%/scene.c
libcore_la_SOURCES += %D%/solver.c
libcore_la_SOURCES += %D%/state.c
libcore_la_SOURCES += %D%/status.c
libcore_la_SOURCES += %D%/stepper.c
libcore_la_SOURCES += %D%/warm.c
libcore_la_SOURCES += %D%/warm.h

libcore_la_SOURCES += %D%/articulation/motions.def
libcore_la_SOURCES += %D%/articulation/aba.c
libcore_la_SOURCES += %D%/articulation/cache.c
libcore_la_SOURCES += %D%/articulation/composite.c
libcore_la_SOURCES += %D%/articulation/crba.c
libcore_la_SOURCES += %D%/articulation/definition.c
libcore_la_SOURCES += %D%/articulation/draw.c
libcore_la_SOURCES += %D%/articulation/fix.c
libcore_la_SOURCES += %D%/articulation/index.c
libcore_la_SOURCES += %D%/articulation/jacobian.c
libcore_la_SOURCES += %D%/articulation/kinematics.c
libcore_la_SOURCES += %D%/articulation/load.c
libcore_la_SOURCES += %D%/articulation/mass.c
libcore_la_SOURCES += %D%/articulation/momentum.c
libcore_la_SOURCES += %D%/articulation/motion.c
libcore_la_SOURCES += %D%/articulation/multiply.c
libcore_la_SOURCES += %D%/articulation/parts.h
libcore_la_SOURCES += %D%/articulation/prismatic.c
libcore_la_SOURCES += %D%/articulation/response.c
libcore_la_SOURCES += %D%/articulation/revolute.c
libcore_la_SOURCES += %D%/articulation/revolute_unwrapped.c
libcore_la_SOURCES += %D%/articulation/rnea.c
libcore_la_SOURCES += %D%/articulation/share.c
libcore_la_SOURCES += %D%/articulation/sines.c
libcore_la_SOURCES += %D%/articulation/solve_lanes.h
libcore_la_SOURCES += %D%/articulation/solve_many.c
libcore_la_SOURCES += %D%/articulation/spherical.c
libcore_la_SOURCES += %D%/articulation/spherical_2.c
libcore_la_SOURCES += %D%/articulation/state.c
libcore_la_SOURCES += %D%/articulation/suite.c
libcore_la_SOURCES += %D%/articulation/tree.c
libcore_la_SOURCES += %D%/articulation/velocities.c
libcore_la_SOURCES += %D%/articulation/work.c

libcore_la_SOURCES += %D%/joints/joints.def
libcore_la_SOURCES += %D%/joints/ball.c
libcore_la_SOURCES += %D%/joints/contact.c
libcore_la_SOURCES += %D%/joints/distance.c
libcore_la_SOURCES += %D%/joints/drive.c
libcore_la_SOURCES += %D%/joints/fixed.c
libcore_la_SOURCES += %D%/joints/hinge.c
libcore_la_SOURCES += %D%/joints/limit.c
libcore_la_SOURCES += %D%/joints/mimic.c
libcore_la_SOURCES += %D%/joints/motor.c
libcore_la_SOURCES += %D%/joints/parts.c
libcore_la_SOURCES += %D%/joints/parts.h
libcore_la_SOURCES += %D%/joints/slider.c
libcore_la_SOURCES += %D%/joints/track.c
libcore_la_SOURCES += %D%/joints/track_parts.h
libcore_la_SOURCES += %D%/joints/track_rows.c
libcore_la_SOURCES += %D%/joints/universal.c

libcore_la_SOURCES += %D%/schemes/schemes.def
libcore_la_SOURCES += %D%/schemes/euler.c
libcore_la_SOURCES += %D%/schemes/projection_gauss_seidel.c
libcore_la_SOURCES += %D%/schemes/projection_newton.c
libcore_la_SOURCES += %D%/schemes/small_steps.c
libcore_la_SOURCES += %D%/schemes/split_impulse.c
libcore_la_SOURCES += %D%/schemes/tgs.c

if HAVE_ODE
libcore_la_SOURCES += %D%/collide_ode.c
else
libcore_la_SOURCES += %D%/collide_none.c
endif

if HAVE_HDF5
libcore_la_SOURCES += %D%/io/fclib.c
else
libcore_la_SOURCES += %D%/io/fclib_none.c
endif

libcore_la_SOURCES += %D%/io/build.c
libcore_la_SOURCES += %D%/io/file.c
libcore_la_SOURCES += %D%/io/file.h
libcore_la_SOURCES += %D%/io/foreign.c
libcore_la_SOURCES += %D%/io/foreign.h
libcore_la_SOURCES += %D%/io/foreign_contactbench.c
libcore_la_SOURCES += %D%/io/foreign_siconos.c
libcore_la_SOURCES += %D%/io/foreign_fc3d.c
libcore_la_SOURCES += %D%/io/load.c
libcore_la_SOURCES += %D%/io/matrix_market.c
libcore_la_SOURCES += %D%/io/output.c
libcore_la_SOURCES += %D%/io/problem_text.c
libcore_la_SOURCES += %D%/io/scan.c
libcore_la_SOURCES += %D%/io/scan.h
libcore_la_SOURCES += %D%/io/scene_articulation.c
libcore_la_SOURCES += %D%/io/scene_reader.h
libcore_la_SOURCES += %D%/io/scene_repeat.c
libcore_la_SOURCES += %D%/io/scene_repeat.h
libcore_la_SOURCES += %D%/io/scene_track.c
libcore_la_SOURCES += %D%/io/scene_yaml.c
libcore_la_SOURCES += %D%/io/table.c
libcore_la_SOURCES += %D%/io/urdf.c
libcore_la_SOURCES += %D%/io/urdf_scene.c
libcore_la_SOURCES += %D%/io/yaml_tree.c
libcore_la_SOURCES += %D%/io/yaml_tree.h

# Version, commit and flags of this build. Written anew at each make, replaced only where something changed.
EXTRA_DIST += build-aux/provenance.sh
nodist_libcore_la_SOURCES = %D%/provenance.h
BUILT_SOURCES += %D%/provenance.h
CLEANFILES += %D%/provenance.h
provenance = $(SHELL) $(top_srcdir)/build-aux/provenance.sh
%D%/provenance.h: provenance-always
	$(AM_V_at)$(MKDIR_P) %D% && $(provenance) header '$(top_srcdir)' '$(PACKAGE_VERSION)' \
	  '$(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS)' '$@'
provenance-always:
.PHONY: provenance-always dist-commit
$(libcore_la_OBJECTS): | %D%/provenance.h

# A tarball carries the commit that it was made from.
dist-hook: dist-commit
dist-commit:
	$(provenance) commit '$(top_srcdir)' > '$(distdir)/.commit'

