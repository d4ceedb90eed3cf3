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

/* The status of a scene that may be refused, when it is read or when its model is made. */
static inline dls_status try_scene(const char *text, dls_error *error)
{
    dls_scene *scene;
    dls_model *model = NULL;
    dls_status status = dls_scene_parse(text, strlen(text), "text", &scene, error);
    if (status == DLS_OK) {
        status = dls_model_create(scene, &model, error);
        dls_scene_destroy(scene);
    }
    dls_model_destroy(model);
    return status;
}

/* The scene is refused for one of its keys, at a line of the text. */
static inline void assert_key_refused(const char *text, const char *key)
{
    dls_error error = {.message = ""};
    const dls_status status = try_scene(text, &error);
    if (status != DLS_BAD_INPUT || strcmp(error.key, key) != 0 || error.line == 0)
        fail_msg("%s: status %d, key '%s' at line %ld: %s", text, status, error.key, error.line, error.message);
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

/* The contacts of the initial state, which the caller releases. */
static inline dls_contacts contacts_at_start(const dls_model *model)
{
    dls_collider *collider;
    dls_contacts contacts = {0, 0, NULL};
    dls_error error;
    assert_status(dls_collider_create(model, &collider, &error), &error);
    assert_status(dls_collider_find(collider, dls_model_initial(model), &contacts, &error), &error);
    dls_collider_destroy(collider);
    return contacts;
}

#endif
