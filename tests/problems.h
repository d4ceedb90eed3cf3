/* problems.h - problems that are made without failing, for tests. */
#ifndef DLS_TESTS_PROBLEMS_H
#define DLS_TESTS_PROBLEMS_H

#include "delassus/delassus.h"

#include "check.h"

static inline dls_problem *problem_from_matrix(size_t n, const double *A, const double *b, const double *lo,
                                               const double *hi)
{
    dls_problem *problem;
    dls_error error;
    assert_status(dls_problem_from_matrix(n, A, b, lo, hi, &problem, &error), &error);
    return problem;
}

static inline dls_problem *problem_from_state(const dls_model *model, const dls_state *state,
                                              const dls_contacts *contacts, double h)
{
    dls_problem *problem;
    dls_error error;
    assert_status(dls_problem_create(model, state, contacts, h, &problem, &error), &error);
    return problem;
}

#endif
