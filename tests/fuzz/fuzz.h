/* fuzz.h - what holds of every reader: a thing or an error that says something, never both, never neither. */
#ifndef DLS_TESTS_FUZZ_H
#define DLS_TESTS_FUZZ_H

#include "delassus/delassus.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static inline void fuzz_insist(bool holds)
{
    if (!holds)
        abort();
}

static inline void fuzz_check(dls_status status, const void *thing, const dls_error *error)
{
    fuzz_insist((status == DLS_OK) == (thing != NULL));
    fuzz_insist(status == DLS_OK || (error->status == status && error->message[0] && !strchr(error->message, '\n')));
}

/* Reads every entry of a problem through the equations that solvers use. */
static inline void fuzz_use_problem(const dls_problem *problem)
{
    double *lambda = calloc(problem->n + 1, sizeof *lambda), *v = calloc(problem->nv + 1, sizeof *v);
    double *scratch = calloc(problem->nv + 1, sizeof *scratch);
    fuzz_insist(lambda && v && scratch);
    fuzz_insist(dls_problem_check(problem, NULL) == DLS_OK);
    dls_problem_velocity(problem, lambda, v, scratch);
    for (size_t i = 0; i < problem->n; i++) {
        double lo, hi;
        dls_problem_bounds(problem, i, lambda, &lo, &hi);
        fuzz_insist(lo <= hi && strlen(dls_problem_label(problem, i)) < DLS_NAME_MAX);
        const double speed = dls_rows_dot(&problem->J, i, v);
        lambda[i] = isfinite(speed) ? speed : 0.0; /* bounds follow from impulses, which are finite */
    }
    free(lambda);
    free(v);
    free(scratch);
}

#endif
