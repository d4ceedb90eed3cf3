/* npy.h - numpy's arrays of numbers (.npy), as they stand in an .npz archive. Not installed.
 *
 * numpy.lib.format, versions 1 to 3: the magic string, two bytes of version, the length of a header, the header, and
 * then the numbers. The header is a Python dictionary of exactly 'descr', 'fortran_order' and 'shape'. Taken are real
 * floating-point numbers of 4 and 8 bytes, and whole ones of 1 to 8 bytes, in either byte order. */
#ifndef DELASSUS_IO_NPY_H
#define DELASSUS_IO_NPY_H

#include "base/memory.h"
#include "delassus/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { DLS_NPY_DIMENSIONS = 4 };

typedef struct dls_npy {
    size_t dimensions, shape[DLS_NPY_DIMENSIONS];
    size_t count;   /* of all numbers */
    double *values; /* by rows (C order), in memory of the arena */
} dls_npy;

/* `file` and `member` stand for the array in errors. DLS_NOT_FINITE where a number is NaN or infinite. */
dls_status dls_npy_parse(const unsigned char *data, size_t size, const char *file, const char *member,
                         dls_arena *memory, dls_npy *array, dls_error *error);
/* The bytes of an array of little-endian doubles by rows: how many, and into `to`, unless it is NULL. */
size_t dls_npy_print(const double *values, size_t dimensions, const size_t *shape, unsigned char *to);

#endif
