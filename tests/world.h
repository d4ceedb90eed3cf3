/* world.h - scenes as text, worlds with articulations of every motion type, and runs of them, for tests. */
#ifndef DLS_TESTS_WORLD_H
#define DLS_TESTS_WORLD_H

#include "mechanism.h"

#include "delassus/solvers.h"

/* The parts of a scene, one after another. */
static inline dls_model *parse_parts(const char *const *parts)
{
    char text[20000] = "";
    size_t used = 0;
    for (; *parts; parts++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s", *parts);
        assert_true(used < sizeof text);
    }
    return parse_model(text);
}
#define PARTS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* A fixed and a floating articulation with every motion type, a branch each, and free bodies. */
#define TWO_TREES                                                                                                     \
    "world: {gravity: [0.3, -0.2, -9.81], step: 1 ms}\n"                                                              \
    "bodies:\n"                                                                                                       \
    "  - {name: ground, static: true, position: [0.1, 0.2, -1]}\n"                                                    \
    "  - {name: stone, shape: box, size: [0.4, 0.3, 0.2], mass: 1.7, position: [0.9, 0.4, 0.3], orientation: [0.6, "  \
    "0.48, 0.64, 0]}\n"                                                                                               \
    "  - {name: ball, shape: sphere, radius: 0.15, mass: 0.8, position: [-0.4, 0.5, 0.7]}\n"                          \
    "articulations:\n"                                                                                                \
    "  - name: arm\n"                                                                                                 \
    "    links:\n"                                                                                                    \
    "      - {name: base, static: true, position: [0.2, 0.1, 0.1]}\n"                                                 \
    "      - {name: upper, parent: base, motion: revolute, axis: [0.3, 1, 0.2], anchor: [0.2, 0, 0.1], shape: box, "  \
    "size: [0.1, 0.2, 0.6],\n"                                                                                        \
    "         mass: 1.3, position: [0.2, 0.1, 0.5], q: 0.4, start: 0.7, armature: 0.02}\n"                            \
    "      - {name: fore, parent: upper, motion: spherical, anchor: [0.2, 0.1, 0.8], shape: box, size: [0.1, 0.1, "   \
    "0.5], mass: 0.9,\n"                                                                                              \
    "         position: [0.3, 0.1, 1.1], rotation: [0.8, 0, 0.6, 0]}\n"                                               \
    "      - {name: slide, parent: fore, motion: prismatic, axis: [1, 0.1, 0.4], shape: sphere, radius: 0.1, mass: "  \
    "0.4,\n"                                                                                                          \
    "         position: [0.6, 0.1, 1.3], q: 0.1, start: 0.05}\n"                                                      \
    "      - {name: hand, parent: slide, motion: spherical-2, axis: [0, 1, 0], axis2: [0.6, 0, 0.8], anchor: [0.7, "  \
    "0.1, 1.3],\n"                                                                                                    \
    "         shape: box, size: [0.1, 0.2, 0.1], mass: 0.3, position: [0.8, 0.2, 1.4], start: 0.3, start2: -0.8}\n"   \
    "      - {name: tool, parent: hand, shape: sphere, radius: 0.05, mass: 0.1, position: [0.9, 0.2, 1.5]}\n"         \
    "      - {name: fin, parent: upper, joint: flap, motion: revolute-unwrapped, axis: [1, 0, 0], shape: box, size: " \
    "[0.1, 0.1, 0.3], mass: 0.5,\n"                                                                                   \
    "         position: [0.1, 0.3, 0.4], anchor: [0.15, 0.2, 0.5]}\n"                                                 \
    "  - name: bird\n"                                                                                                \
    "    links:\n"                                                                                                    \
    "      - {name: body, shape: box, size: [0.5, 0.2, 0.2], mass: 1.1, position: [-0.7, -0.5, 0.9], orientation: "   \
    "[0.8, 0, 0, 0.6],\n"                                                                                             \
    "         velocity: [0.1, 0.2, -0.1], omega: [0.3, -0.5, 0.2]}\n"                                                 \
    "      - {name: left, parent: body, motion: revolute, axis: [1, 0, 0.1], anchor: [-0.7, -0.3, 0.9], shape: box, " \
    "size: [0.3, 0.5, 0.05],\n"                                                                                       \
    "         mass: 0.4, position: [-0.7, 0, 0.9], start: 0.3, speed: 0.7}\n"                                         \
    "      - {name: right, parent: body, motion: revolute-unwrapped, axis: [1, 0, -0.1], anchor: [-0.7, -0.7, 0.9], " \
    "shape: box,\n"                                                                                                   \
    "         size: [0.3, 0.5, 0.05], mass: 0.4, position: [-0.7, -1, 0.9], start: -0.2, speed: -0.4}\n"              \
    "      - {name: tail, parent: body, motion: spherical, anchor: [-1, -0.5, 0.9], shape: sphere, radius: 0.1, "     \
    "mass: 0.2,\n"                                                                                                    \
    "         position: [-1.2, -0.5, 0.9], spin: [0.2, 0.1, -0.6]}\n"

/* Moves all that can move, by as much as `size`; new speeds of the same size. */
static inline void stir(const dls_model *model, dls_state *state, double size, uint64_t *seed)
{
    double *v = calloc(dls_model_count(model).nv + 1, sizeof *v);
    assert_non_null(v);
    for (size_t k = 0; k < dls_model_count(model).nv; k++)
        v[k] = size * draw(seed);
    advance_state(model, state, v, 1.0);
    for (size_t k = 0; k < dls_model_count(model).nv; k++)
        state->v[k] = size * draw(seed);
    free(v);
}

/* --- runs --- */

/* time_base NULL: euler. Takes the model. */
static inline void run_start(run *r, dls_model *model, const dls_solver *solver, const char *time_base,
                             size_t iterations)
{
    dls_simulation_options options = dls_simulation_default();
    options.solver = solver;
    options.iterations = iterations;
    if (time_base) {
        options.scheme = dls_scheme_find("tgs");
        options.scheme_settings =
            set_one(&options.scheme->fields, r->scheme_settings, sizeof r->scheme_settings, "time_base", time_base);
    }
    run_open(r, model, &options);
}

static inline const dls_joint *joint_named(const dls_model *model, const char *name)
{
    size_t j = dls_model_find_joint(model, name);
    if (j != DLS_NONE)
        return &dls_model_joints(model)[j];
    fail_msg("no joint %s", name);
    return NULL;
}

/* Position errors of a joint, up to 6 of them. */
static inline void joint_position(const dls_model *model, const dls_state *state, const dls_joint *joint,
                                  double C[DLS_JOINT_ROWS_MAX])
{
    dls_end end[2];
    ends_of(model, state, joint, end);
    joint->type->position(joint, end, C);
}

/* An entry of J. */
static inline double row_entry(const dls_problem *p, size_t row, size_t column)
{
    double e[64] = {0};
    assert_true(p->nv < 64);
    e[column] = 1.0;
    return dls_rows_dot(&p->J, row, e);
}

static inline double joint_error(const dls_model *model, const dls_state *state, const char *name)
{
    double C[DLS_JOINT_ROWS_MAX], worst = 0.0;
    const dls_joint *joint = joint_named(model, name);
    joint_position(model, state, joint, C);
    for (size_t i = 0; i < joint->type->count(joint); i++)
        worst = fmax(worst, fabs(C[i]));
    return worst;
}

#endif
