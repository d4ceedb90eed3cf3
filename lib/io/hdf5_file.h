/* hdf5_file.h - shared by the files in HDF5. Not installed, and of builds with HDF5 alone. HDF5 touches no disk: files
 * are images in memory. */
#ifndef DELASSUS_IO_HDF5_FILE_H
#define DELASSUS_IO_HDF5_FILE_H

#include "delassus/status.h"

#include <hdf5.h>

/* HDF5 wants a name for a file in memory, and none that a file on disk has. */
#define DLS_HDF5_IN_MEMORY "/dev/null/delassus"

/* Between the two HDF5, which is not made for several threads, is this one's, and its messages to standard error are
 * off. */
typedef struct dls_hdf5_quiet {
    H5E_auto2_t print;
    void *context;
} dls_hdf5_quiet;
dls_hdf5_quiet dls_hdf5_begin(void);
void dls_hdf5_end(dls_hdf5_quiet quiet);

/* A vector of `count` values as dataset `name` of a group, without a time stamp: the same values give the same bytes.
 */
bool dls_hdf5_put(hid_t group, const char *name, hid_t stored, hid_t type, size_t count, const void *values);
bool dls_hdf5_put_reals(hid_t group, const char *name, size_t count, const double *values);

/* Writes the file that `fill` makes, between begin and end, to `path`: all of it, or nothing. */
dls_status dls_hdf5_write(const char *path, bool (*fill)(hid_t file, const void *context), const void *context,
                          dls_error *error);

#endif
