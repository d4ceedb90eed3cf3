/* foreign.h - what the readers of other projects' text files share: a matrix in blocks, as it stands in the file. Not
 * installed. */
#ifndef DELASSUS_IO_FOREIGN_H
#define DELASSUS_IO_FOREIGN_H

#include "formats.h"
#include "scan.h"

#include <stdlib.h>

/* A dense block within the matrix: entry (r, c) is values[r * row_step + c * column_step]. */
typedef struct dls_foreign_block {
    size_t row, rows, column, columns, row_step, column_step;
    double *values;
} dls_foreign_block;

/* Blocks stand by rows of blocks, and within one in the order of their columns: block row k has blocks start[k] ..
 * start[k+1]-1. */
typedef struct dls_foreign_matrix {
    size_t rows, columns;
    size_t block_rows, n_blocks;
    size_t *start;   /* block_rows + 1 */
    size_t *row_end; /* block_rows: cumulative sizes */
    dls_foreign_block *blocks;
} dls_foreign_matrix;

dls_status dls_foreign_matrix_create(size_t rows, size_t columns, size_t block_rows, size_t n_blocks,
                                     dls_foreign_matrix *matrix, dls_error *error);
void dls_foreign_matrix_release(dls_foreign_matrix *matrix);
/* The values of block k, whose place and size are set: read row by row, or column by column. */
dls_status dls_foreign_read_values(dls_scan *scan, dls_foreign_block *block, bool by_row);
/* `count` numbers into new memory; *values is NULL on failure. A count that the file has no room for is refused before.
 */
dls_status dls_foreign_reals(dls_scan *scan, const char *what, size_t count, double **values);
/* The matrix form of w = A z + b; zeros are not stored. `lo`, `hi` as in dls_problem_from_matrix. The name is the
 * file's. */
dls_status dls_foreign_problem(const dls_foreign_matrix *A, const double *b, const double *lo, const double *hi,
                               const char *file, dls_problem **problem, dls_error *error);

/* A matrix as Siconos writes it, dense or in blocks. */
dls_status dls_foreign_read_matrix(dls_scan *scan, bool square, dls_foreign_matrix *matrix);

/* Every three rows of the matrix form become a contact under Coulomb's cone; mu has one entry a contact. */
void dls_foreign_make_cones(dls_problem *problem, const double *mu);
/* DLS_REFUSED, naming the format, unless the problem is the matrix form of such contacts alone. */
dls_status dls_foreign_check_cones(const dls_problem *problem, const char *format, dls_error *error);
/* Column j of A of the matrix form, n entries. */
void dls_foreign_column(const dls_problem *problem, size_t j, double *column);

/* A reader of formats.h from one that takes words from a scan. */
dls_status dls_foreign_parse(dls_status (*read)(dls_scan *, dls_problem **), const char *text, size_t size,
                             const char *name, dls_content *content, size_t *end, dls_error *error);
/* The whole numbers that a text begins with, at most `most` of them; how many there are. */
size_t dls_foreign_begin(const char *text, size_t size, size_t most, size_t *numbers);

#endif
