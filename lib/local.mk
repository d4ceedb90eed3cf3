noinst_LTLIBRARIES += libcore.la
delassusincludedir = $(includedir)/delassus
delassusinclude_HEADERS =
delassusinclude_HEADERS += %D%/delassus/articulation.h
delassusinclude_HEADERS += %D%/delassus/batch.h
delassusinclude_HEADERS += %D%/delassus/check.h
delassusinclude_HEADERS += %D%/delassus/configuration.h
delassusinclude_HEADERS += %D%/delassus/constrained.h
delassusinclude_HEADERS += %D%/delassus/contact.h
delassusinclude_HEADERS += %D%/delassus/curve.h
delassusinclude_HEADERS += %D%/delassus/delassus.h
delassusinclude_HEADERS += %D%/delassus/field.h
delassusinclude_HEADERS += %D%/delassus/io.h
delassusinclude_HEADERS += %D%/delassus/joint.h
delassusinclude_HEADERS += %D%/delassus/change.h
delassusinclude_HEADERS += %D%/delassus/event.h
delassusinclude_HEADERS += %D%/delassus/ledger.h
delassusinclude_HEADERS += %D%/delassus/loops.h
delassusinclude_HEADERS += %D%/delassus/mass.h
delassusinclude_HEADERS += %D%/delassus/math3.h
delassusinclude_HEADERS += %D%/delassus/minimal.h
delassusinclude_HEADERS += %D%/delassus/law.h
delassusinclude_HEADERS += %D%/delassus/model.h
delassusinclude_HEADERS += %D%/delassus/problem.h
delassusinclude_HEADERS += %D%/delassus/rows.h
delassusinclude_HEADERS += %D%/delassus/scene.h
delassusinclude_HEADERS += %D%/delassus/scheme.h
delassusinclude_HEADERS += %D%/delassus/simulation.h
delassusinclude_HEADERS += %D%/delassus/solver.h
delassusinclude_HEADERS += %D%/delassus/spatial.h
delassusinclude_HEADERS += %D%/delassus/start.h
delassusinclude_HEADERS += %D%/delassus/state.h
delassusinclude_HEADERS += %D%/delassus/status.h
delassusinclude_HEADERS += %D%/delassus/table.h
delassusinclude_HEADERS += %D%/delassus/track.h
delassusinclude_HEADERS += %D%/delassus/unfold.h

libcore_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/lib -I$(top_builddir)/lib $(YAML_CFLAGS) $(XML_CFLAGS) $(HDF5_CFLAGS) $(JANSSON_CFLAGS) $(ZLIB_CFLAGS) $(QHULL_CFLAGS) \
	-DDELASSUS_BUILDDIR='"$(abs_top_builddir)"' -DDELASSUS_READERDIR='"$(pkglibdir)/readers"'
libcore_la_LIBADD = $(YAML_LIBS) $(XML_LIBS) $(JANSSON_LIBS) $(ZLIB_LIBS) $(QHULL_LIBS) $(OPENMP_CFLAGS) -lpthread -lm
libcore_la_CFLAGS = $(AM_CFLAGS) $(SCALAR_CFLAGS) $(OPENMP_CFLAGS)
libcore_la_SOURCES =
include lib/base/local.mk
include lib/curve/local.mk
include lib/articulation/local.mk
include lib/mesh/local.mk
include lib/model/local.mk
include lib/contact/local.mk
include lib/joints/local.mk
include lib/problem/local.mk
include lib/check/local.mk
include lib/dynamics/local.mk
include lib/simulation/local.mk
include lib/io/local.mk
include lib/readers/local.mk

# Version, commit and flags of this build. Written at each make, replaced only where something changed.
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

