/* mechanism.h - scenes made by a program, and seeded draws, for tests. */
#ifndef DLS_TESTS_MECHANISM_H
#define DLS_TESTS_MECHANISM_H

#include "delassus/delassus.h"

#include "check.h"

#include <stdio.h>
#include <string.h>

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

#endif
