/* together.h - general rows of several problems of one structure, one problem in each lane of vectors. Internal to this
 * folder. */
#ifndef DELASSUS_TOGETHER_H
#define DELASSUS_TOGETHER_H

#include "delassus/solver.h"
#include "packing.h"

/* A row of all lanes. Its numbers follow each other in coef, DLS_TOGETHER of each: s, c, gamma, lo, hi, mu, then those
 * of J, entry by entry. Those of B stand with its runs, which rows may share. */
enum {
    DLS_TOGETHER_S,
    DLS_TOGETHER_C,
    DLS_TOGETHER_GAMMA,
    DLS_TOGETHER_LO,
    DLS_TOGETHER_HI,
    DLS_TOGETHER_MU,
    DLS_TOGETHER_HEAD
};
typedef struct dls_together_row {
    uint32_t lambda, parent;   /* positions of impulses; parent DLS_NO_UNIT where not coupled */
    uint32_t entry, n_entries; /* of J */
    uint32_t run, n_runs;      /* of B */
    size_t coef;
} dls_together_row;

/* An entry of J that is not 0 in every lane: where it reads y, and which of the eight sums of a row it is added to. */
typedef struct dls_together_entry {
    uint32_t y, sum;
} dls_together_entry;

/* Neighbouring entries of B. */
typedef struct dls_together_run {
    uint32_t y, length;
    size_t coef; /* of lanes */
} dls_together_run;

/* Work memory; zero before its first use. */
typedef struct dls_together {
    size_t n_rows, row_capacity, entry_capacity, run_capacity;
    dls_together_row *rows; /* in the order of a forward sweep */
    dls_together_entry *entries;
    dls_together_run *runs;      /* one for each segment of a problem; those of J are not filled */
    dls_doubles y, lambda, coef; /* DLS_TOGETHER of each number, beside each other */
} dls_together;

/* Makes `iterations` forward sweeps of up to DLS_TOGETHER works, or forward and backward ones in turn. done[i]: whether
 * work i was swept, with the bytes of its own sweeps; otherwise it is unchanged. */
void dls_together_sweep(dls_together *together, dls_packed *const *packed, size_t count, size_t iterations,
                        bool symmetric, bool *done);
void dls_together_release(dls_together *together);

#endif
