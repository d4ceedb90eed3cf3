/* stepping.h - runs of steps under every scheme and its settings, for tests. */
#ifndef DLS_TESTS_STEPPING_H
#define DLS_TESTS_STEPPING_H

#include "mechanism.h"

#include "delassus/solvers.h"

/* Every scheme, with each setting that makes another method of it. */
typedef struct variant {
    const char *scheme, *key, *value;
} variant;
static const variant variants[] = {
    {"euler", NULL, NULL},
    {"euler", "feedback", "none"},
    {"tgs", "time_base", "step"},
    {"tgs", "time_base", "substep"},
    {"split-impulse", NULL, NULL},
    {"projection-gauss-seidel", NULL, NULL},
    {"projection-newton", NULL, NULL},
    {"small-steps", NULL, NULL},
    {"small-steps", "relax", "1"},
    {"small-steps", "relax", "3"},
};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

typedef struct run {
    dls_model *model;
    dls_stepper *stepper;
    const dls_scheme *scheme;
    char solver_settings[512], scheme_settings[64];
} run;

static inline void start_with(run *r, dls_model *model, const dls_solver *solver, const variant *v, size_t iterations)
{
    dls_error error;
    r->model = model;
    r->scheme = dls_scheme_find(v->scheme);
    assert_non_null(r->scheme);
    assert_true(solver->fields.size <= sizeof r->solver_settings &&
                r->scheme->fields.size <= sizeof r->scheme_settings);
    assert_status(dls_fields_default(&solver->fields, r->solver_settings, &error), &error);
    assert_status(dls_fields_default(&r->scheme->fields, r->scheme_settings, &error), &error);
    if (v->key)
        assert_status(dls_field_set(&r->scheme->fields, r->scheme_settings, v->key, v->value, &error), &error);
    assert_status(dls_stepper_create(model, solver, r->solver_settings, iterations, &r->stepper, &error), &error);
}

/* With pgs. Takes the model. */
static inline void start(run *r, dls_model *model, const variant *v, size_t iterations)
{
    start_with(r, model, dls_iterative_find("pgs"), v, iterations);
}

static inline void step(run *r, size_t steps, double h)
{
    dls_error error;
    for (size_t i = 0; i < steps; i++)
        assert_status(r->scheme->step(r->stepper, r->scheme_settings, h, &error), &error);
}

static inline void stop(run *r)
{
    dls_stepper_destroy(r->stepper);
    dls_model_destroy(r->model);
}

static inline const char *name_of(const variant *v)
{
    static char text[96];
    snprintf(text, sizeof text, "%s%s%s%s%s", v->scheme, v->key ? " " : "", v->key ? v->key : "", v->key ? "=" : "",
             v->key ? v->value : "");
    return text;
}

static inline dls_model *load_scene(const char *name)
{
    char path[DLS_PATH_MAX];
    dls_scene *scene;
    dls_error error;
    snprintf(path, sizeof path, "%s/scenes/%s.yaml", getenv("DLS_TEST_SOURCE"), name);
    assert_status(dls_scene_read(path, &scene, &error), &error);
    return finish(scene);
}

#endif
