/* packing.h - the rows of a problem, laid out for sweeps, and the steps that lay them out. Internal to this folder.
 *
 * MASS-WEIGHTED VELOCITIES. With W = M^-1 = C C^T of a body (Cholesky, 6 x 6) and y = C^-1 v, a row reads
 *     J v = (J C) y = j y        and its impulse changes        y by C^-1 W J^T = j^T:
 * one set of coefficients serves the residual and the update, which halves the memory that a sweep walks through.
 * C of a body is diag(1/sqrt m, L) with L the factor of its inverse inertia. A mass block of another length keeps v
 * itself, and its rows have J and B = M^-1 J^T.
 *
 * GROUPS AND LANES. Adjacent rows that act on the same pair of bodies (a ball joint, the points of a manifold) make a
 * group. Groups without a body in common commute: swept in either order they give the same numbers to the last bit. So
 * groups are scheduled (schedule.c) four at a time, one in each lane of a vector, in an order that keeps every pair of
 * groups with a common body as it was: the iterates are those of the rows one after another. For sweeps in several
 * threads groups are coloured instead: those of one colour have no body in common, and one colour follows the other.
 *
 * CHUNKS. A group is swept in chunks of at most three rows: the residuals of a chunk are formed at once, and the exact
 * sequential updates go through the chunk's own off-diagonal entries of the Delassus matrix. In a coupled chunk row 0
 * is the normal row and the others are bounded by its impulse.
 *
 * A row that fits no group (more than two blocks, blocks of articulations, the matrix form, unusual friction) is a
 * general row.
 *
 * STRUCTURE AND NUMBERS. The groups and their schedule depend on the structure of the problem alone: which mass blocks
 * each row acts on, which rows have bounds, compliance and friction, and which are dead. Loading a problem finds the
 * groups again, row by row; if they are unchanged, their schedule and the places of all rows are kept, and only numbers
 * are filled in.
 */
#ifndef DELASSUS_PACKING_H
#define DELASSUS_PACKING_H

#include "delassus/solver_kit.h"

#include <stdatomic.h>
#include <stdint.h>

enum {
    DLS_LANES = 4,
    DLS_FULL = 36, /* doubles of a 6 x 6 matrix */
    DLS_SLOT = 8,  /* doubles of y a body has: 6, padded; and of its weights: 7, padded */
    DLS_CHUNK_ROWS = 3,
    DLS_GROUP_ROWS = 12,
    DLS_AHEAD = 1024 /* doubles between the coefficients that a sweep uses and those that it has fetched */
};
#define DLS_NO_UNIT UINT32_MAX

typedef enum dls_row_batch_kind {
    DLS_BATCH_EQUALITY, /* no bounds */
    DLS_BATCH_BOXED,    /* lo, hi of every row */
    DLS_BATCH_COUPLED,  /* lo, hi of row 0; mu of the others */
    DLS_BATCH_ROW       /* one general row */
} dls_row_batch_kind;

/* A mass block as the sweeps see it; the matrix form has one, of all its "velocities". */
typedef enum dls_slot_kind {
    DLS_SLOT_PLAIN, /* v itself */
    DLS_SLOT_BODY,  /* weighted by the eight numbers of `weights`: 1/sqrt m, and L by rows (L00, L10, L11, L20, ...) */
    DLS_SLOT_FULL   /* weighted by the 6 x 6 matrix of `full` */
} dls_slot_kind;
typedef struct dls_slot {
    uint32_t y, v, length; /* offsets into y and into the problem's velocities */
    uint16_t kind;         /* dls_slot_kind */
    uint32_t full;         /* of DLS_SLOT_FULL: which of packed->full */
} dls_slot;

/* A group, or a general row. */
typedef struct dls_row_unit {
    uint32_t first; /* row */
    uint8_t rows, kind, compliant;
    uint8_t whole;  /* every row has the same one or two blocks, of six coefficients each, of bodies */
    uint32_t entry; /* first of its entries */
    size_t coef;    /* where the coefficients of its rows begin in J */
} dls_row_unit;

/* Four groups of one kind, swept together. A lane without a second body, or without a group, reads a slot of zeros and
 * writes to a slot that is never read. */
typedef struct dls_row_batch {
    uint8_t kind, compliant, rows;                 /* rows: of the longest lane, the others end in rows of zeros */
    uint32_t unit[DLS_LANES];                      /* DLS_NO_UNIT: a free lane; of a general row in the first */
    uint32_t from[2][DLS_LANES], to[2][DLS_LANES]; /* offsets into y */
    size_t at;                                     /* of its first chunk in coef; of a general row the index */
    size_t lambda;                                 /* position of its first row, lane 0 */
} dls_row_batch;

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

/* The response of a row on one column with the coefficient `coef`; coef 0: the column has no known response. */
typedef struct dls_column_response {
    double coef, entry; /* entry: of that column itself */
    size_t B, n_B;      /* segments */
} dls_column_response;

/* An array of doubles, aligned to 64 bytes, that grows. */
typedef struct dls_doubles {
    double *at;
    size_t capacity;
} dls_doubles;

typedef struct dls_packed {
    const dls_problem *problem; /* loaded last */
    double omega;
    size_t threads; /* sweeps go colour by colour over so many threads; 0: in the order of the rows */
    const struct dls_sweep_path *path;
    size_t n, dead;  /* rows, and rows that no impulse moves */
    bool finds_dead; /* whether loading looks for such rows: from the first problem on that has one */
    /* structure */
    bool arranged; /* units, batches and places of rows are those of the problem */
    size_t layout; /* how often rows have been given places */
    size_t n_slots, n_full, n_units, n_entries, n_batches, n_y, n_lambda, n_coef;
    dls_slot *slots;
    size_t *shape; /* structure of the rows from which the units were made: units.c */
    bool shape_known;
    dls_row_unit *units; /* n_units, in the order of their rows, and one more where the entries end */
    uint32_t *entries;   /* the mass blocks that each unit moves */
    dls_row_batch *batches;
    uint32_t *where; /* n: position of row i in lambda */
    /* Colours: batches part[c threads + t] to part[c threads + t + 1] - 1 are those of thread t in colour c. */
    uint32_t *part;
    atomic_uint *taken; /* the last sweep in which a part was taken by a thread */
    unsigned sweeps;
    size_t n_colours; /* 0: none, as in the matrix form */
    /* numbers */
    dls_doubles weights, full; /* n_slots x 8, then a row of zeros; n_full x DLS_FULL */
    dls_doubles y;      /* weighted velocities, then the slot of zeros, then the slots that are never read, one for each
                      thread; then room for as much of another vector of velocities */
    dls_doubles lambda; /* current impulses in packed order */
    dls_doubles kept;   /* scratch of dls_packed_renew */
    dls_doubles coef;   /* of the batches: chunks of vectors; then as much as a sweep looks ahead */
    /* general rows */
    size_t n_general, n_segments, n_general_coef;
    dls_general_row *general;
    dls_segment *segments;
    dls_column_response *responses;   /* 2 nv: of each column with two coefficients, opposite ones */
    dls_doubles general_coef, window; /* window: all zero between loads */
    /* memory */
    uint32_t *plan, *block_of;
    size_t block_of_capacity, slot_capacity, unit_capacity, entry_capacity, batch_capacity, where_capacity,
        general_capacity, segment_capacity, response_capacity, plan_capacity, shape_capacity, part_capacity,
        taken_capacity;
} dls_packed;

/* The doubles of one vector of velocities, with the slots beyond them. */
static inline size_t dls_packed_width(const dls_packed *packed)
{
    return packed->n_y + DLS_SLOT * (1 + (packed->threads ? packed->threads : 1));
}

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
/* Rows of the chunk that begins with row r of a batch. */
static inline unsigned dls_chunk_rows(const dls_row_batch *batch, unsigned r)
{
    return batch->rows - r < DLS_CHUNK_ROWS ? batch->rows - r : DLS_CHUNK_ROWS;
}
/* The place of c in a chunk. */
static inline size_t dls_chunk_c(unsigned rows) { return (size_t)DLS_LANES * 13 * rows; }

/* J y + Gamma x of one general row, where x is its impulse; and y += B delta. */
double dls_general_product(const dls_packed *packed, const dls_general_row *row, const double *y, double x);
void dls_general_update(const dls_packed *packed, const dls_general_row *row, double delta, double *y);

/* The sources from which a lane of a batch is filled: as many rows as the batch has, zeros beyond the lane's own. */
typedef struct dls_lane {
    double rows;              /* of the lane itself */
    const double *J[2];       /* six coefficients of the first row on either body */
    size_t stride[2];         /* from row to row */
    const double *weights[2]; /* of the bodies */
    const double *c, *gamma, *lo, *hi, *mu;
} dls_lane;

struct dls_together;
/* The loops over batches, compiled for several instruction sets: same operations in the same order, so the same bytes.
 * NULL name at the end; the first that this processor has is used. */
typedef struct dls_sweep_path {
    const char *name;
    bool (*available)(void);
    /* One pass over the batches first to end - 1, in their order or in the reverse one. */
    void (*sweep)(dls_packed *packed, dls_direction direction, size_t first, size_t end);
    /* The coefficients of a batch of groups. False where the diagonal of a row is not positive or too small to divide
     * by; the caller then finds the row. */
    bool (*fill)(dls_packed *packed, const dls_row_batch *batch, const dls_lane *lanes);
    /* y += B x of a batch of groups, and w = J y + Gamma x, minus c if with_c; x and w of the batch. */
    void (*add)(const dls_packed *packed, const dls_row_batch *batch, const double *x, double *y);
    void (*residual)(const dls_packed *packed, const dls_row_batch *batch, const double *y, const double *x,
                     bool with_c, double *w);
    /* One pass over the rows of several problems; together.h. */
    void (*together)(const struct dls_together *together, dls_direction direction);
} dls_sweep_path;
extern const dls_sweep_path dls_sweep_paths[];

/* --- steps of loading --- */

/* A part of a row within one mass block. */
typedef struct dls_piece {
    size_t block, offset, length;
    const double *coef;
} dls_piece;
/* The next piece of row i. Start with *k = J.start[i], *done = 0. */
static inline bool dls_pack_piece(const dls_packed *packed, size_t i, size_t *k, size_t *done, dls_piece *piece)
{
    const dls_rows *J = &packed->problem->J;
    while (*k < J->start[i + 1] && *done == J->coef_at[*k + 1] - J->coef_at[*k])
        ++*k, *done = 0;
    if (*k == J->start[i + 1])
        return false;
    size_t column = J->offset[*k] + *done, left = J->coef_at[*k + 1] - J->coef_at[*k] - *done;
    const dls_slot *slot = &packed->slots[packed->block_of[column]];
    size_t inside = slot->v + slot->length - column;
    *piece = (dls_piece){packed->block_of[column], column - slot->v, left < inside ? left : inside,
                         J->coef + J->coef_at[*k] + *done};
    *done += piece->length;
    return true;
}

dls_status dls_pack_units(dls_packed *packed, bool *same, dls_error *error); /* units.c; *same: as before */
dls_status dls_pack_schedule(dls_packed *packed,
                             dls_error *error); /* schedule.c: batches (kind, compliant, rows, units) */
dls_status dls_pack_groups(dls_packed *packed, dls_error *error);            /* groups.c: coefficients of the batches */
dls_status dls_pack_general(dls_packed *packed, dls_error *error);           /* general.c: general rows */
dls_status dls_pack_slots(dls_packed *packed, bool *same, dls_error *error); /* slots.c: mass blocks */
/* Room for `count` doubles; the first `keep` of them stay. False where memory is exhausted. */
bool dls_doubles_room(dls_doubles *doubles, size_t keep, size_t count);
/* Whether a sweep can divide by a row's diagonal, and moves towards its solution. */
dls_status dls_pack_diagonal(const dls_packed *packed, size_t row, double diagonal, dls_error *error);
/* Whether nothing can move row i: its diagonal is 0. */
bool dls_pack_is_dead(const dls_problem *problem, size_t i);
/* C of a weighted slot, lower triangular. */
void dls_slot_factor(const dls_packed *packed, size_t slot, double C[6][6]);
/* y of a slot from all velocities of the problem, and the slot's own velocities from its y. */
void dls_slot_start(dls_packed *packed, size_t slot, const double *v);
void dls_slot_velocity(const dls_packed *packed, size_t slot, double *v);

#endif
