/* mechanism.h - scenes made by a program, seeded draws, what follows from a state, and runs, for tests. */
#ifndef DLS_TESTS_MECHANISM_H
#define DLS_TESTS_MECHANISM_H

#include "delassus/delassus.h"

#include "problems.h"

#include <stdio.h>
#include <string.h>

static inline void check_vector(dls_vec3 value, dls_vec3 expected, double tolerance, const char *what, const char *file,
                                int line)
{
    check_close(value.x, expected.x, tolerance, what, file, line);
    check_close(value.y, expected.y, tolerance, what, file, line);
    check_close(value.z, expected.z, tolerance, what, file, line);
}
#define assert_vector(value, expected, tolerance) \
    check_vector((value), (expected), (tolerance), #value, __FILE__, __LINE__)

/* --- seeded draws: splitmix64 --- */

static inline double draw(uint64_t *seed) /* uniform in [-1, 1) */
{
    uint64_t z = (*seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1.0;
}

static inline dls_vec3 draw3(uint64_t *seed)
{
    double x = draw(seed), y = draw(seed), z = draw(seed);
    return dls_v3(x, y, z);
}

static inline dls_quat draw_rotation(uint64_t *seed)
{
    double w = draw(seed);
    dls_vec3 u = draw3(seed);
    return dls_quat_unit((dls_quat){w, u.x, u.y, u.z});
}

/* --- scenes --- */

static inline dls_scene *new_scene(void)
{
    dls_scene *scene;
    dls_error error;
    assert_status(dls_scene_create(&scene, &error), &error);
    return scene;
}

/* A scene that comes with the program. */
static inline dls_scene *read_scene(const char *name)
{
    char path[DLS_PATH_MAX];
    const char *source = getenv("DLS_TEST_SOURCE");
    dls_scene *scene;
    dls_error error;
    snprintf(path, sizeof path, "%s/scenes/%s.yaml", source ? source : ".", name);
    assert_status(dls_scene_read(path, &scene, &error), &error);
    return scene;
}

static inline dls_body_def new_body(const char *name, dls_shape shape, double mass, dls_vec3 position)
{
    dls_body_def body;
    dls_body_default(&body);
    snprintf(body.name, sizeof body.name, "%s", name);
    body.shape = (int)shape;
    body.mass = mass;
    body.position = position;
    return body;
}

static inline dls_body_def new_box(const char *name, double mass, dls_vec3 size, dls_vec3 position)
{
    dls_body_def body = new_body(name, DLS_SHAPE_BOX, mass, position);
    body.size = size;
    return body;
}

static inline void add_body(dls_scene *scene, const dls_body_def *body)
{
    dls_error error;
    assert_status(dls_scene_add_body(scene, body, &error), &error);
}

/* `keys`: key, value, key, value, ..., NULL. */
static inline void add_joint(dls_scene *scene, const char *type, const char *name, const char *body1, const char *body2,
                             const char *const *keys)
{
    dls_joint_def joint;
    dls_error error;
    assert_status(dls_joint_default(&joint, type, &error), &error);
    snprintf(joint.name, sizeof joint.name, "%s", name);
    snprintf(joint.body[0], sizeof joint.body[0], "%s", body1);
    snprintf(joint.body[1], sizeof joint.body[1], "%s", body2);
    for (; *keys; keys += 2)
        assert_status(dls_joint_set(&joint, keys[0], keys[1], &error), &error);
    assert_status(dls_scene_add_joint(scene, &joint, &error), &error);
}
#define KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* The text of a scene is refused, by its reader or when it becomes a model, with `message` in the error. */
static inline void assert_scene_refused(const char *text, const char *message)
{
    dls_error error;
    assert_int_equal(try_scene(text, &error), DLS_BAD_INPUT);
    if (!strstr(error.message, message))
        fail_msg("'%s' instead of '%s'", error.message, message);
}

/* Compiles and destroys the scene. */
static inline dls_model *finish(dls_scene *scene)
{
    dls_model *model;
    dls_error error;
    assert_status(dls_model_create(scene, &model, &error), &error);
    dls_scene_destroy(scene);
    return model;
}

static inline dls_state *new_state(const dls_model *model)
{
    dls_state *state;
    dls_error error;
    assert_status(dls_state_create(model, &state, &error), &error);
    return state;
}

/* --- what follows from a state --- */

static inline dls_configuration *configuration_of(const dls_model *model, const dls_state *state)
{
    dls_configuration *configuration;
    dls_error error;
    assert_status(dls_configuration_create(model, &configuration, &error), &error);
    dls_configuration_evaluate(configuration, state);
    return configuration;
}

static inline dls_end end_of(const dls_model *model, const dls_state *state, size_t which)
{
    dls_configuration *configuration = configuration_of(model, state);
    dls_end end = dls_configuration_end(configuration, which);
    dls_configuration_destroy(configuration);
    return end;
}

/* The numbers that the joint keeps are the state's own. */
static inline void ends_of(const dls_model *model, const dls_state *state, const dls_joint *joint, dls_end end[2])
{
    dls_configuration *configuration = configuration_of(model, state);
    dls_configuration_ends(configuration, joint, end);
    end[0].joint_state = state->joint_state + joint->joint_state;
    dls_configuration_destroy(configuration);
}

static inline double energy_of(const dls_model *model, const dls_state *state)
{
    dls_configuration *configuration = configuration_of(model, state);
    double energy = dls_kinetic_energy(configuration) + dls_potential_energy(configuration);
    dls_configuration_destroy(configuration);
    return energy;
}

static inline void momentum_of(const dls_model *model, const dls_state *state, dls_vec3 *linear, dls_vec3 *angular)
{
    dls_configuration *configuration = configuration_of(model, state);
    dls_momentum(configuration, linear, angular);
    dls_configuration_destroy(configuration);
}

/* q <- q (+) h v */
static inline void advance_state(const dls_model *model, dls_state *state, const double *v, double h)
{
    dls_configuration *configuration = configuration_of(model, state);
    dls_configuration_advance(configuration, configuration, state, v, h, true);
    dls_configuration_destroy(configuration);
}

/* --- runs --- */

typedef struct run {
    dls_model *model;
    dls_simulation *simulation;
    double solver_settings[64], scheme_settings[16]; /* where a test sets one of them */
} run;

/* All defaults, but for one. */
static inline const void *set_one(const dls_field_table *fields, double *settings, size_t size, const char *key,
                                  const char *value)
{
    dls_error error;
    assert_true(fields->size <= size);
    assert_status(dls_fields_default(fields, settings, &error), &error);
    assert_status(dls_field_set(fields, settings, key, value, &error), &error);
    return settings;
}

/* Takes the model. */
static inline void run_open(run *r, dls_model *model, const dls_simulation_options *options)
{
    dls_error error;
    r->model = model;
    assert_status(dls_simulation_open(model, options, &r->simulation, &error), &error);
}

static inline void run_steps(run *r, size_t steps, double h)
{
    dls_error error;
    for (size_t i = 0; i < steps; i++)
        assert_status(dls_simulation_step(r->simulation, h, &error), &error);
}

/* The force and torque of joint or contact `owner`: what it did to its ends in the last step. */
static inline dls_constraint_force force_of(const run *r, size_t owner)
{
    dls_constraint_force force;
    dls_error error;
    assert_status(dls_simulation_forces_of(r->simulation, owner, &force, &error), &error);
    return force;
}

static inline double run_energy(run *r)
{
    const dls_configuration *configuration = dls_simulation_configuration(r->simulation);
    return dls_kinetic_energy(configuration) + dls_potential_energy(configuration);
}

static inline void run_stop(run *r)
{
    dls_simulation_close(r->simulation);
    dls_model_destroy(r->model);
}

#endif
