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
    {"tgs", "refresh", "jacobian"},
    {"tgs", "refresh", "all"},
    {"split-impulse", NULL, NULL},
    {"projection-gauss-seidel", NULL, NULL},
    {"projection-newton", NULL, NULL},
    {"small-steps", "relax", "0"},
    {"small-steps", NULL, NULL},
    {"small-steps", "relax", "3"},
    {"soft-step", NULL, NULL},
    {"soft-step", "joint_hertz", "1e9"},
    {"soft-reference", NULL, NULL},
    {"midpoint", NULL, NULL},
    {"rattle", NULL, NULL},
    {"moreau-jean", NULL, NULL},
    {"moreau-jean", "theta", "1"},
    {"moreau-jean", "feedback", "none"},
    {"xpbd", NULL, NULL},
    {"xpbd", "sweeps", "4"},
    {"avbd", NULL, NULL},
};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

static inline bool is_scheme(const variant *v, const char *scheme) { return strcmp(v->scheme, scheme) == 0; }
/* Whether forces and rows are evaluated within the step. */
static inline bool is_halfway(const variant *v)
{
    return is_scheme(v, "midpoint") || is_scheme(v, "rattle") || is_scheme(v, "moreau-jean");
}
/* Whether the scheme solves for positions row by row, without the solver. */
static inline bool solves_itself(const variant *v) { return is_scheme(v, "xpbd") || is_scheme(v, "avbd"); }
/* Whether impulses act in pairs, as far as they are converged or not. */
static inline bool acts_in_pairs(const variant *v) { return !is_scheme(v, "avbd"); }
static inline bool refuses_to_keep_momentum(const variant *v) { return is_halfway(v) || solves_itself(v); }
/* Whether iterations are substeps. */
static inline bool has_substeps(const variant *v)
{
    return is_scheme(v, "small-steps") || is_scheme(v, "soft-step") || is_scheme(v, "xpbd");
}
/* Whether positions are corrected apart from the velocities. */
static inline bool moves_apart(const variant *v)
{
    return is_scheme(v, "split-impulse") || is_scheme(v, "midpoint") || strncmp(v->scheme, "projection", 10) == 0;
}
/* The time in the step of the forces of springs and dampers, as a share of it. */
static inline double theta_of(const variant *v)
{
    const bool one = v->key && strcmp(v->key, "theta") == 0;
    return is_halfway(v) && !one ? 0.5 : 1.0;
}
/* Whether stops stay as deep as they are. */
static inline bool leaves_deep(const variant *v) { return v->value && strcmp(v->value, "none") == 0 && is_halfway(v); }

static inline dls_simulation_options options_of(run *r, const dls_solver *solver, const variant *v, size_t iterations)
{
    dls_simulation_options options = dls_simulation_default();
    options.solver = solver;
    options.scheme = dls_scheme_find(v->scheme);
    options.iterations = iterations;
    assert_non_null(options.scheme);
    if (v->key)
        options.scheme_settings =
            set_one(&options.scheme->fields, r->scheme_settings, sizeof r->scheme_settings, v->key, v->value);
    return options;
}

/* Takes the model. */
static inline void start_with(run *r, dls_model *model, const dls_solver *solver, const variant *v, size_t iterations)
{
    dls_simulation_options options = options_of(r, solver, v, iterations);
    run_open(r, model, &options);
}

/* With pgs. */
static inline void start(run *r, dls_model *model, const variant *v, size_t iterations)
{
    start_with(r, model, dls_iterative_find("pgs"), v, iterations);
}

/* And with a ledger. */
static inline void start_kept(run *r, dls_model *model, const variant *v, size_t iterations)
{
    dls_simulation_options options = options_of(r, dls_iterative_find("pgs"), v, iterations);
    options.ledger = true;
    run_open(r, model, &options);
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
