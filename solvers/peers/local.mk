# Solvers of other projects: a shared object for each library, which the program loads by the names in peers.def. Each has
# what it needs of delassus from its shared library.
peersdir = $(pkglibdir)/peers
peers_LTLIBRARIES =
peer_cppflags = $(AM_CPPFLAGS) $(all_paths_includes)
peer_cxxflags = -std=c++17 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -ffp-contract=off
peer_ldflags = -module -avoid-version -shared -no-undefined -export-symbols-regex '^dls_plugin_here$$'
EXTRA_DIST += %D%/peer.h %D%/peer.c %D%/ode_lcp.h
libexperiments_la_SOURCES += %D%/peers.def

if ENABLE_SHARED
if HAVE_ODE
peers_LTLIBRARIES += %D%/ode.la
%C%_ode_la_SOURCES = %D%/ode.cpp %D%/ode_lcp.h %D%/peer.c %D%/peer.h
%C%_ode_la_CPPFLAGS = $(peer_cppflags) $(ODE_CFLAGS)
%C%_ode_la_CFLAGS = $(AM_CFLAGS)
%C%_ode_la_CXXFLAGS = $(peer_cxxflags)
%C%_ode_la_LDFLAGS = $(peer_ldflags)
%C%_ode_la_LIBADD = libdelassus.la $(ODE_LIBS)
endif
if HAVE_BULLET
peers_LTLIBRARIES += %D%/bullet.la
%C%_bullet_la_SOURCES = %D%/bullet.cpp %D%/peer.c %D%/peer.h
%C%_bullet_la_CPPFLAGS = $(peer_cppflags) $(BULLET_CFLAGS)
%C%_bullet_la_CFLAGS = $(AM_CFLAGS)
%C%_bullet_la_CXXFLAGS = $(peer_cxxflags)
%C%_bullet_la_LDFLAGS = $(peer_ldflags)
%C%_bullet_la_LIBADD = libdelassus.la $(BULLET_LIBS)
endif
if HAVE_MUJOCO
peers_LTLIBRARIES += %D%/mujoco.la
%C%_mujoco_la_SOURCES = %D%/mujoco.c %D%/peer.c %D%/peer.h
%C%_mujoco_la_CPPFLAGS = $(peer_cppflags) $(LAPACKE_CFLAGS) $(OPENBLAS_CFLAGS)
%C%_mujoco_la_CFLAGS = $(AM_CFLAGS)
%C%_mujoco_la_LDFLAGS = $(peer_ldflags)
%C%_mujoco_la_LIBADD = libdelassus.la $(MUJOCO_LIBS) $(LAPACKE_LIBS) $(OPENBLAS_LIBS)
endif
if HAVE_SICONOS
peers_LTLIBRARIES += %D%/siconos.la
%C%_siconos_la_SOURCES = %D%/siconos.c %D%/peer.c %D%/peer.h
%C%_siconos_la_CPPFLAGS = $(peer_cppflags) $(SICONOS_CFLAGS)
%C%_siconos_la_CFLAGS = $(AM_CFLAGS)
%C%_siconos_la_LDFLAGS = $(peer_ldflags)
%C%_siconos_la_LIBADD = libdelassus.la $(SICONOS_LIBS)
endif
if HAVE_DART
peers_LTLIBRARIES += %D%/dart.la
%C%_dart_la_SOURCES = %D%/dart.cpp %D%/peer.c %D%/peer.h
%C%_dart_la_CPPFLAGS = $(peer_cppflags) $(DART_CFLAGS)
%C%_dart_la_CFLAGS = $(AM_CFLAGS)
%C%_dart_la_CXXFLAGS = $(peer_cxxflags)
%C%_dart_la_LDFLAGS = $(peer_ldflags)
%C%_dart_la_LIBADD = libdelassus.la $(DART_LIBS)
endif
endif
