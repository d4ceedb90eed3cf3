/* examined.h - manufactured problems, examiners and dense forms that are made without failing, for tests. */
#ifndef DLS_TESTS_EXAMINED_H
#define DLS_TESTS_EXAMINED_H

#include "delassus/reference.h"

#include "problems.h"

static inline dls_problem *problem_from_recipe(const dls_recipe *recipe, double *lambda, double *w)
{
    dls_problem *problem;
    dls_error error;
    assert_status(dls_manufacture(recipe, &problem, lambda, w, &error), &error);
    return problem;
}

static inline dls_examiner *examiner_of(const dls_problem *problem)
{
    dls_examiner *examiner;
    dls_error error;
    assert_status(dls_examiner_create(problem, &examiner, &error), &error);
    return examiner;
}

static inline dls_dense *dense_of(const dls_problem *problem)
{
    dls_dense *dense;
    dls_error error;
    assert_status(dls_dense_create(problem, &dense, &error), &error);
    return dense;
}

#endif
