/* problems.h - scenes, models and problems that are made without failing, for tests. */
#ifndef DLS_TESTS_PROBLEMS_H
#define DLS_TESTS_PROBLEMS_H

#include "delassus/delassus.h"

#include "check.h"

#include <string.h>

static inline dls_scene *parse_scene(const char *text)
{
    dls_scene *scene;
    dls_error error;
    assert_status(dls_scene_parse(text, strlen(text), "text", &scene, &error), &error);
    return scene;
}

static inline dls_model *parse_model(const char *text)
{
    dls_scene *scene = parse_scene(text);
    dls_model *model;
    dls_error error;
    assert_status(dls_model_create(scene, &model, &error), &error);
    dls_scene_destroy(scene);
    return model;
}

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
