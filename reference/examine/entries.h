/* entries.h - the entries of A in the sums of the examiner, row by row, and its M^-1. Not installed.
 *
 * In the mechanical form, with y_ik = L_k^-1 J_ik^T of row i in block k of M = L L^T and N_ik = |y_ik|,
 *
 *     A_ij = sum_k y_ik . y_jk + Gamma_ij,    |A_ij| <= sum_k N_ik N_jk,
 *
 * the sums over the blocks that both rows touch. The entries of J and M are themselves rounded: where |A_ij| is at most
 * 64 roundings of that bound, it is taken as 0. The matrix form has its entries as they are. Gamma is left to the
 * caller.
 *
 * A hundred entries and more of a row are too many to be kept for large problems, so that each row is formed again
 * where it is needed, in vectors. For that rows have SLOTS: a row in one block of M is one, and slots are numbered by
 * block, and within it by row; blocks are filled up to whole vectors with slots whose entries are 0. So row i of A is
 * one SPAN of neighbouring slots for each block that the row touches, and numbers of rows that are summed with its
 * entries are kept by slot, side by side. Rows i and j that meet in several blocks have A_ij in the first of them, and
 * 0 in the others. In the matrix form a row is one slot, and its spans are its pieces in J, where A stands. */
#ifndef DELASSUS_REFERENCE_EXAMINE_ENTRIES_H
#define DELASSUS_REFERENCE_EXAMINE_ENTRIES_H

#include "base/memory.h"
#include "delassus/problem.h"

typedef struct dls_entry_span {
    size_t slot, count;
    const double *entry;
} dls_entry_span;

/* Slots [first, first + count) of two blocks have the same rows, by their places in the row at hand. */
typedef struct dls_entry_run {
    size_t first, other, count;
} dls_entry_run;

typedef struct dls_entries {
    const dls_problem *p;
    const struct dls_entries_path *path;
    size_t n_slots;
    size_t *row;      /* of each slot; of one that fills up, any */
    size_t *slot_at;  /* n + 1: where the slots of row i start in `slots` */
    size_t *slots;    /* of all rows, in the order of their blocks */
    size_t *block_at; /* n_blocks + 1: the first slot of block k, */
    size_t *end_at;   /* n_blocks: and where those that fill it up begin */
    double *size;     /* N_ik of each slot */
    double *diagonal; /* n: A_ii without Gamma */
    /* M */
    double *factor;    /* of each block, one after another: L row by row, with the reciprocals of its diagonal */
    size_t *factor_at; /* n_blocks */
    size_t *begin;     /* nv: the first column of each row of the factors */
    bool *body;        /* n_blocks: whether a block is that of a free body, diag(m 1, I) */
    size_t *lever_at;  /* n_blocks: where its levers start */
    double *lever;     /* y_ik of the slots of a block: the first entries of a vector of them, then their second ones */
    /* the row at hand */
    dls_entry_span *span;
    double *entry, *bound, *own; /* its entries, sum_k N_ik N_jk, and its y_ik */
    dls_entry_run *runs;
    size_t n_runs, touching; /* a row that touches the blocks of the runs; DLS_NONE: there is none yet */
    size_t *seen, noted;     /* n: the place of the first slot of a row, where it is at least `noted` */
} dls_entries;

/* The roundings that are granted to each entry of A, and to each term of w and of b: J, M, v* and c are themselves
 * outcomes of a step's arithmetic, which the problem does not tell. */
static const double dls_granted = 64.0;

/* Factors M and finds the slots, in memory of the arena, which the caller resets. The problem has to stay. */
dls_status dls_entries_load(dls_entries *entries, const dls_problem *problem, dls_arena *memory, dls_error *error);
/* Forms row i in entries->span, until the next one is formed, and returns the number of its spans. */
size_t dls_entries_row(dls_entries *entries, size_t i);
/* Not fewer than the entries of row i that may differ from 0. */
size_t dls_entries_terms(const dls_entries *entries, size_t i);
/* x <- M^-1 x, nv entries */
void dls_entries_solve_mass(const dls_entries *entries, double *x);
/* most_s becomes the larger of it and |A_is| / scale in the slots of the row at hand; scale >= 0. An A_is of 0 counts for
 * nothing, and nothing counts for a scale that is not finite. */
void dls_entries_raise(const dls_entries *entries, size_t spans, double scale, double *most);
/* The block of M of *piece, a piece of row i in J; *piece becomes the first piece of the next block. */
static inline size_t dls_entries_next_block(const dls_rows *J, size_t i, size_t *piece)
{
    const size_t block = J->mass[*piece];
    while (*piece < J->start[i + 1] && J->mass[*piece] == block)
        ++*piece;
    return block;
}

/* --- loops over entries (entries_kernel.h), the same bytes on every processor --- */

/* The compiled forms of these loops and of those that form a row, the fastest first; the first one that the processor
 * has is used. */
enum { DLS_ENTRY_LANES = 4 };
typedef struct dls_entries_path {
    const char *name;
    bool (*usable)(void);
    /* entry_s = own . y_s, bound_s = own_size size_s of the slots of a block of length m, whole vectors of them */
    void (*multiply)(const double *own, double own_size, const double *lever, size_t m, const double *size,
                     size_t count, double *entry, double *bound);
    /* first_s += other_s, and other_s = 0 */
    void (*join)(double *first, double *other, size_t count);
    /* Entries of at most dls_granted roundings of their bound become 0; whole vectors. */
    void (*cut)(double *entry, const double *bound, size_t count);
    /* sum |entry_s| x_s */
    double (*sum)(const double *entry, const double *x, size_t count);
    /* most_s becomes the larger of it and |entry_s| by */
    void (*raise)(const double *entry, size_t count, double by, double *most);
} dls_entries_path;
extern const dls_entries_path dls_entries_paths[]; /* ends with the name NULL */
const dls_entries_path *dls_entries_fastest(void);

#endif
