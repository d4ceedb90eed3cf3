/* hdf5_file.h - shared by the files in HDF5. Not installed, and of builds with HDF5 alone. HDF5 touches no disk: files
 * are images in memory. */
#ifndef DELASSUS_IO_HDF5_FILE_H
#define DELASSUS_IO_HDF5_FILE_H

#include "delassus/table.h"

#include "readers/hdf5_calls.h"

/* The functions of HDF5, once dls_hdf5_load has found them; a test may replace some. */
extern const dls_hdf5_calls *dls_h5;
/* Loads HDF5, which stays loaded until the process ends. `path`: the file that needs it, for the message. */
dls_status dls_hdf5_load(const char *path, dls_error *error);

/* H5F_ACC_RDONLY and H5F_ACC_TRUNC, without the calls of HDF5 that those macros make. */
enum { DLS_HDF5_READ = 0x0000, DLS_HDF5_TRUNCATE = 0x0002 };

/* HDF5 wants a name for a file in memory, and none that a file on disk has. */
#define DLS_HDF5_IN_MEMORY "/dev/null/delassus"

/* Between the two HDF5, which is not made for several threads, is this one's, and its messages to standard error are
 * off. */
typedef struct dls_hdf5_quiet {
    H5E_auto2_t print;
    void *context;
} dls_hdf5_quiet;
dls_hdf5_quiet dls_hdf5_begin(void); /* after dls_hdf5_load */
void dls_hdf5_end(dls_hdf5_quiet quiet);

/* A vector of `count` values as dataset `name` of a group, without a time stamp: the same values give the same bytes.
 * Long `packed` ones are compressed where HDF5 can. */
bool dls_hdf5_put(hid_t group, const char *name, hid_t stored, hid_t type, bool packed, size_t count,
                  const void *values);
bool dls_hdf5_put_reals(hid_t group, const char *name, size_t count, const double *values);

/* Writes the file that `fill` makes, between begin and end, to an open output, and commits it; else abandons it. */
dls_status dls_hdf5_write(dls_output *output, bool (*fill)(hid_t file, const void *context), const void *context,
                          dls_error *error);

#endif
