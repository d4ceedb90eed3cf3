/* matrix_set.h - problems as sets of Matrix Market files. Not installed. */
#ifndef DELASSUS_IO_MATRIX_SET_H
#define DELASSUS_IO_MATRIX_SET_H

#include "delassus/problem.h"

/* The file of A in a folder that holds one such set, into path[DLS_PATH_MAX]. */
dls_status dls_matrix_set_find(const char *folder, char *path, dls_error *error);

#endif
