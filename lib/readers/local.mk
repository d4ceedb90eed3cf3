# Readers of files by libraries that few need: a shared object for each, which the library loads with the first such
# file (lib/base/module.h). None of them needs anything of delassus.
readersdir = $(pkglibdir)/readers
readers_LTLIBRARIES =
reader_cppflags = $(AM_CPPFLAGS) -I$(top_srcdir)/lib
reader_cxxflags = -std=c++17 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -ffp-contract=off
reader_ldflags = -module -avoid-version -shared -no-undefined
EXTRA_DIST += %D%/assimp.c %D%/hdf5.c %D%/mesh_reader.h %D%/sdformat.cpp %D%/sdf_reader.h %D%/hdf5_calls.h

if ENABLE_SHARED
if HAVE_ASSIMP
readers_LTLIBRARIES += %D%/assimp.la
%C%_assimp_la_SOURCES = %D%/assimp.c %D%/mesh_reader.h
%C%_assimp_la_CPPFLAGS = $(reader_cppflags) $(ASSIMP_CFLAGS)
%C%_assimp_la_CFLAGS = $(AM_CFLAGS)
%C%_assimp_la_LDFLAGS = $(reader_ldflags) -export-symbols-regex '^dls_mesh_reader_here$$'
%C%_assimp_la_LIBADD = $(ASSIMP_LIBS)
endif
if HAVE_HDF5
readers_LTLIBRARIES += %D%/hdf5.la
%C%_hdf5_la_SOURCES = %D%/hdf5.c %D%/hdf5_calls.h
%C%_hdf5_la_CPPFLAGS = $(reader_cppflags) $(HDF5_CFLAGS)
%C%_hdf5_la_CFLAGS = $(AM_CFLAGS)
%C%_hdf5_la_LDFLAGS = $(reader_ldflags) -export-symbols-regex '^dls_hdf5_here$$'
%C%_hdf5_la_LIBADD = $(HDF5_LIBS)
endif
if HAVE_SDFORMAT
readers_LTLIBRARIES += %D%/sdformat.la
%C%_sdformat_la_SOURCES = %D%/sdformat.cpp %D%/sdf_reader.h
%C%_sdformat_la_CPPFLAGS = $(reader_cppflags) $(SDFORMAT_CFLAGS)
%C%_sdformat_la_CXXFLAGS = $(reader_cxxflags)
%C%_sdformat_la_LDFLAGS = $(reader_ldflags) -export-symbols-regex '^dls_sdf_reader_here$$'
%C%_sdformat_la_LIBADD = $(SDFORMAT_LIBS)
endif
endif
