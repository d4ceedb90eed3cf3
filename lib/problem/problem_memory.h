/* problem_memory.h - the memory behind a dls_problem: grows, and is kept from step to step. Not installed. */
#ifndef DELASSUS_PROBLEM_MEMORY_H
#define DELASSUS_PROBLEM_MEMORY_H

#include "delassus/problem.h"

typedef struct dls_problem_size {
    size_t n, nv, blocks, coefs, mass;
} dls_problem_size;

typedef struct dls_problem_memory {
    dls_problem problem; /* first: a dls_problem is its memory */
    dls_problem_size has;
    double *scratch, *rounding; /* 3 nv, nv */
    double *mobility; /* n: J M^-1 J^T of a row that is a spring by its frequency, as it was when the problem was made;
                         else 0 */
    size_t n_works;
    dls_articulation_work **works;   /* of the model's articulations, factored: mass blocks point here */
    struct dls_problem_text *texts;  /* labels that a reader made; kept until the problem is destroyed */
    struct dls_problem_dense *dense; /* mass blocks that a reader made; likewise */
} dls_problem_memory;

static inline dls_problem_memory *dls_problem_memory_of(dls_problem *problem) { return (dls_problem_memory *)problem; }

dls_status dls_problem_reserve(dls_problem_memory *memory, const dls_problem_size *need, dls_error *error);
/* A work space for each articulation of the model, which it keeps alive. */
dls_status dls_problem_reserve_works(dls_problem_memory *memory, const dls_model *model, dls_error *error);
/* A copy of `length` bytes with a zero behind them, owned by the problem. */
dls_status dls_problem_keep_text(dls_problem_memory *memory, const char *text, size_t length, const char **kept,
                                 dls_error *error);
/* An n x n mass block, all zero, owned by the problem. */
dls_status dls_problem_keep_dense(dls_problem_memory *memory, size_t n, const dls_mass_dense **kept, dls_error *error);
/* Zeroes what `size` covers and sets the counts. */
void dls_problem_clear(dls_problem_memory *memory, const dls_problem_size *size);
/* The angular velocity after h of free spin, in body coordinates. */
dls_vec3 dls_gyroscopic_implicit(dls_mat3 inertia, dls_vec3 omega, double h);

#endif
