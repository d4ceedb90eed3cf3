/* foreign.h - shared by the readers of other projects' text files: a matrix in blocks, as it stands in the file. Not
 * installed. */
#ifndef DELASSUS_IO_FOREIGN_H
#define DELASSUS_IO_FOREIGN_H

#include "formats.h"
#include "scan.h"

/* A dense block within the matrix: entry (r, c) is values[r * row_step + c * column_step]. */
typedef struct dls_foreign_block {
    size_t row, rows, column, columns, row_step, column_step;
    double *values;
} dls_foreign_block;

/* Blocks are ordered by rows of blocks, and within one by their columns: block row k has blocks start[k] ..
 * start[k+1]-1. */
typedef struct dls_foreign_matrix {
    size_t rows, columns;
    size_t block_rows, n_blocks;
    size_t *start;   /* block_rows + 1 */
    size_t *row_end; /* block_rows: cumulative sizes */
    dls_foreign_block *blocks;
} dls_foreign_matrix;

/* The contents of a file, before they become a problem.
 * LOCAL form: w = A z + b, lo <= z <= hi. GLOBAL form: M v = H z + f, w = H^T v + b, the same bounds; it becomes the
 * mechanical form with J = H^T and v* = M^-1 f. Its arrays end with the arena that they were taken from. */
typedef struct dls_foreign {
    dls_foreign_matrix A; /* n x n; in the global form H, velocities x n */
    dls_foreign_matrix M; /* velocities x velocities, symmetric and positive definite; no rows: the local form */
    double *f;
    double *b, *lo, *hi; /* lo and hi NULL: 0 and infinity */
    double *mu;          /* of the normal row of each contact under Coulomb's law, else -1; NULL: no contacts */
    double *mu_r;        /* with 4 tangents: likewise of rolling friction [m] */
    size_t tangents;     /* of a contact with friction: 2 in space, under the cone; 1 in the plane, between bounds; 4 in
                            space with the two rows of rolling friction */
    const char *label;   /* of the rows beside contacts; NULL: "row" */
} dls_foreign;

dls_status dls_foreign_matrix_create(dls_arena *memory, size_t rows, size_t columns, size_t block_rows, size_t n_blocks,
                                     dls_foreign_matrix *matrix, dls_error *error);
/* One block of all rows and columns, without its values. */
dls_status dls_foreign_dense_create(dls_arena *memory, size_t rows, size_t columns, dls_foreign_matrix *matrix,
                                    dls_error *error);
/* From entries in any order, of which those of the same place add up: a matrix of one block for each run of adjacent
 * columns of a row. */
typedef struct dls_foreign_entry {
    size_t row, column;
    double value;
} dls_foreign_entry;
dls_status dls_foreign_sparse_create(dls_arena *memory, size_t rows, size_t columns, size_t count,
                                     const dls_foreign_entry *entries, dls_foreign_matrix *matrix, dls_error *error);
/* The values of a block, whose place and size are set: read row by row, or column by column. */
dls_status dls_foreign_read_values(dls_scan *scan, dls_foreign_block *block, bool by_row);
/* `count` numbers. A count that the file has no room for is refused before memory is taken. */
dls_status dls_foreign_reals(dls_scan *scan, const char *what, size_t count, double **values);
/* The first rows, 1 + tangents a contact, are contacts, each its normal row first; mu has one entry a contact, and so
 * has mu_r with 4 tangents, else NULL. `rows` also counts those after them, which are free. */
dls_status dls_foreign_contacts(dls_arena *memory, size_t contacts, size_t tangents, size_t rows, const double *mu,
                                const double *mu_r, dls_foreign *to, dls_error *error);
/* A problem of ContactBench: G (3 k x 3 k, by rows), g and mu of k contacts, each two tangents, then the normal.
 * Without friction, the rows and columns of the normals alone. */
dls_status dls_foreign_contactbench(dls_arena *memory, size_t contacts, bool friction, const double *G, const double *g,
                                    const double *mu, dls_foreign *to, dls_error *error);
/* The problem of it, checked; zeros of A are not stored. The name is the file's. NULL on failure. */
dls_status dls_foreign_problem(const dls_foreign *from, const char *file, dls_problem **problem, dls_error *error);
/* Fills in a problem all but its matrices: right side, bounds, friction and labels. */
dls_status dls_foreign_fill_rows(const dls_foreign *from, const char *file, dls_problem *problem, dls_error *error);
/* The mechanical form of a global one (foreign_global.c), filled and checked. */
dls_status dls_foreign_global(const dls_foreign *from, const char *file, dls_problem **problem, dls_error *error);
/* Calls `visit` for each entry that is not zero, by rows, and in a row by columns. */
void dls_foreign_each(const dls_foreign_matrix *matrix,
                      void (*visit)(void *context, size_t row, size_t column, double value), void *context);

/* A matrix as Siconos writes it, dense or in blocks. */
dls_status dls_foreign_read_matrix(dls_scan *scan, bool square, dls_foreign_matrix *matrix);

/* Column j of A of the matrix form, n entries. */
void dls_foreign_column(const dls_problem *problem, size_t j, double *column);

/* Calls `visit` with each column of M, nv entries, one after another; room: for nv + dls_mass_longest^2 numbers. */
void dls_foreign_mass_columns(const dls_mass *mass, double *room,
                              void (*visit)(void *context, size_t column, const double *values), void *context);

/* A reader of formats.h from one that takes words from a scan. */
dls_status dls_foreign_parse(dls_status (*read)(dls_scan *, dls_foreign *), const char *text, size_t size,
                             const char *name, dls_content *content, size_t *end, dls_error *error);
#define DLS_FOREIGN_READER(id, read)                                                                        \
    dls_status dls_read_##id(const char *text, size_t size, const char *name, dls_content *to, size_t *end, \
                             dls_error *error)                                                              \
    {                                                                                                       \
        return dls_foreign_parse(read, text, size, name, to, end, error);                                   \
    }
/* The whole numbers that a text begins with, at most `most` of them; how many there are. */
size_t dls_foreign_begin(const char *text, size_t size, size_t most, size_t *numbers);

#endif
