/* packed.h - the rows of a problem, laid out for sweeps. Internal to this folder.
 *
 * MASS-WEIGHTED VELOCITIES. With W = M^-1 = C C^T of a body (Cholesky, 6 x 6) and y = C^-1 v, a row reads
 *     J v = (J C) y = j y        and its impulse changes        y by C^-1 W J^T = j^T:
 * one set of coefficients serves the residual and the update, which halves the memory that a sweep walks through. A
 * mass block of another length keeps v itself, and its rows have J and B = M^-1 J^T.
 *
 * GROUPS AND LANES. Adjacent rows that act on the same pair of bodies (a ball joint, the points of a manifold) make a
 * group. Groups without a body in common commute: swept in either order they give the same numbers to the last bit.
 * So groups are scheduled (schedule.c) four at a time, one in each lane of a vector, in an order that keeps every
 * pair of groups with a common body as it was: the iterates are those of the rows one after another.
 *
 * CHUNKS. A group is swept in chunks of at most three rows: the residuals of a chunk are formed at once, and the
 * exact sequential updates go through the chunk's own off-diagonal entries of the Delassus matrix. In a coupled chunk
 * row 0 is the normal row and the others are bounded by its impulse.
 *
 * What fits no group (more than two blocks, blocks of articulations, the matrix form, unusual friction) is a general
 * row.
 */
#ifndef DELASSUS_PACKED_H
#define DELASSUS_PACKED_H

#include "delassus/problem.h"

#include <stdint.h>

enum {
    DLS_LANES = 4,
    DLS_SLOT = 8, /* doubles of y a body has: 6, padded */
    DLS_CHUNK_ROWS = 3,
    DLS_GROUP_ROWS = 12
};

typedef enum dls_batch_kind {
    DLS_BATCH_EQUALITY, /* no bounds */
    DLS_BATCH_BOXED,    /* lo, hi of every row */
    DLS_BATCH_COUPLED,  /* lo, hi of row 0; mu of the others */
    DLS_BATCH_ROW       /* one general row */
} dls_batch_kind;

/* Four groups of one kind, swept together. A lane without a second body, or without a group, reads a slot of zeros and
 * writes to a slot that nobody reads. */
typedef struct dls_batch {
    uint8_t kind, compliant, rows;                 /* rows: of the longest lane, the others end in rows of zeros */
    uint32_t from[2][DLS_LANES], to[2][DLS_LANES]; /* offsets into y */
    size_t at;                                     /* of its first chunk in coef; of a general row the index */
    size_t lambda;                                 /* position of its first row, lane 0 */
} dls_batch;

/* A run of columns of a general row: whole vectors, in y and in the coefficients. */
typedef struct dls_segment {
    uint32_t y, vectors;
    size_t coef;
} dls_segment;

typedef struct dls_general_row {
    double s, c, gamma, lo, hi, mu;
    size_t lambda, parent; /* positions; parent DLS_NONE where not coupled */
    size_t J, n_J, B, n_B; /* segments */
} dls_general_row;

/* A mass block as the sweeps see it; the matrix form has one, of all its "velocities". */
typedef struct dls_slot {
    uint32_t y, v, length; /* offsets into y and into the problem's velocities */
    bool weighted;         /* 6 velocities in weighted coordinates */
    double C[6][6];        /* lower triangular */
} dls_slot;

typedef struct dls_packed {
    size_t n, n_slots, n_batches, n_general, n_segments, dead;
    size_t n_y, n_lambda, n_coef, n_general_coef;
    dls_batch *batches;
    double *coef; /* of the batches: chunks of vectors, 64-byte aligned */
    dls_general_row *general;
    dls_segment *segments;
    double *general_coef; /* 64-byte aligned */
    double *y;            /* weighted velocities, then the slot of zeros, then the slot nobody reads */
    double *lambda;       /* current impulses in packed order */
    double *c;            /* n_lambda: room for another right side, in packed order */
    uint32_t *where;      /* n: position of row i in lambda */
    dls_slot *slots;
} dls_packed;

/* The order of vectors in a chunk of `rows` rows: coefficients 12 a row, scale s = omega / A_ii, c, the entries
 * (1,0), (2,0), (2,1) of A, then Gamma, then the bounds. */
static inline size_t dls_chunk_bounds(unsigned kind, unsigned rows)
{
    return kind == DLS_BATCH_EQUALITY ? 0 : kind == DLS_BATCH_BOXED ? 2 * rows : rows + 1;
}
static inline size_t dls_chunk_vectors(unsigned kind, unsigned compliant, unsigned rows)
{
    return 14 * rows + rows * (rows - 1) / 2 + (compliant ? rows : 0) + dls_chunk_bounds(kind, rows);
}

/* Where the c of a chunk begins. */
static inline size_t dls_chunk_c(unsigned rows) { return (size_t)DLS_LANES * 13 * rows; }

/* lambda0 may be NULL. DLS_REFUSED where a diagonal is negative on a bounded row, or too small to divide by. */
dls_status dls_packed_create(const dls_problem *problem, double omega, const double *lambda0, dls_packed **packed,
                             dls_error *error);
void dls_packed_destroy(dls_packed *packed);
void dls_packed_read(const dls_packed *packed, double *lambda); /* in the order of the problem */
void dls_packed_velocity(const dls_packed *packed, double *v);  /* the current one, as the problem has it */
void dls_packed_refresh(dls_packed *packed, const double *c);   /* another c, in the order of the problem */

/* y += B x; x in packed order. */
void dls_packed_add(dls_packed *packed, const double *x);

typedef enum dls_direction { DLS_FORWARD, DLS_BACKWARD } dls_direction;
/* One pass over all rows, in their order or in the reverse one. */
void dls_packed_sweep(dls_packed *packed, dls_direction direction);
/* Of one general row. */
static inline void dls_general_bounds(const dls_packed *packed, const dls_general_row *row, double *lo, double *hi)
{
    *lo = row->lo;
    *hi = row->hi;
    if (row->parent != DLS_NONE) {
        double normal = packed->lambda[row->parent];
        *hi = row->mu * (normal > 0.0 ? normal : 0.0);
        *lo = -*hi;
    }
}
double dls_general_residual(const dls_packed *packed, const dls_general_row *row);
void dls_general_update(dls_packed *packed, const dls_general_row *row, double delta);

/* The same sweep compiled for several instruction sets: same operations in the same order, so the same bytes.
 * NULL name at the end; the first that this processor has is used. */
typedef struct dls_sweep_path {
    const char *name;
    bool (*available)(void);
    void (*sweep)(dls_packed *packed, dls_direction direction);
} dls_sweep_path;
extern const dls_sweep_path dls_sweep_paths[];

/* --- making one: not for others --- */

/* A group, or a general row. */
typedef struct dls_row_unit {
    uint32_t first; /* row */
    uint8_t rows, kind, compliant;
    uint32_t entry; /* first of its entries */
} dls_row_unit;

/* Units in row order, and the mass blocks each of them moves. */
typedef struct dls_unit_list {
    size_t count, n_entries;
    dls_row_unit *at; /* count + 1 */
    uint32_t *blocks; /* n_entries */
} dls_unit_list;

typedef struct dls_pack {
    const dls_problem *problem;
    double omega;
    dls_slot *slots;    /* the packed rows' */
    uint32_t *block_of; /* nv: mass block of a velocity */
    uint8_t *dead;      /* n */
    dls_unit_list units;
    uint32_t *lanes; /* DLS_LANES x n_batches units, UINT32_MAX: empty */
    dls_packed *packed;
} dls_pack;

/* A part of a row within one mass block. */
typedef struct dls_piece {
    size_t block, offset, length;
    const double *coef;
} dls_piece;
/* The next piece of row i. Start with *k = J.start[i], *done = 0. */
static inline bool dls_pack_piece(const dls_pack *pack, size_t i, size_t *k, size_t *done, dls_piece *piece)
{
    const dls_rows *J = &pack->problem->J;
    while (*k < J->start[i + 1] && *done == J->coef_at[*k + 1] - J->coef_at[*k])
        ++*k, *done = 0;
    if (*k == J->start[i + 1])
        return false;
    size_t column = J->offset[*k] + *done, left = J->coef_at[*k + 1] - J->coef_at[*k] - *done;
    const dls_mass_block *block = &pack->problem->mass.blocks[pack->block_of[column]];
    size_t inside = block->offset + block->length - column;
    *piece = (dls_piece){pack->block_of[column], column - block->offset, left < inside ? left : inside,
                         J->coef + J->coef_at[*k] + *done};
    *done += piece->length;
    return true;
}

dls_status dls_pack_units(dls_pack *pack, dls_error *error); /* units.c */
dls_status dls_pack_schedule(dls_pack *pack,
                             dls_error *error); /* schedule.c: batches (kind, compliant, rows) and lanes */
dls_status dls_pack_groups(dls_pack *pack, dls_error *error);  /* groups.c: coefficients of the batches */
dls_status dls_pack_general(dls_pack *pack, dls_error *error); /* general.c: general rows */
double *dls_pack_aligned(size_t count);                        /* 64-byte aligned; free() releases it */
dls_status dls_pack_scale(const dls_pack *pack, size_t row, double diagonal, double *scale, dls_error *error);

#endif
