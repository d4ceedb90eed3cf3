#include "delassus/state.h"

#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- memory --- */

/* The arrays of a state: X(member, how many). All items are of eight-byte numbers, so that they follow each other
 * without gaps. */
#define ARRAYS(X)                 \
    X(x, n_bodies)                \
    X(q, n_bodies)                \
    X(v, nv)                      \
    X(force, nv)                  \
    X(link_force, n_links)        \
    X(roots, n_articulations)     \
    X(coordinates, n_coordinates) \
    X(wraps, n_coordinates)       \
    X(measured, n_joints)         \
    X(prescribed, n_prescribed)   \
    X(joint_state, n_joint_state) \
    X(asleep, n_blocks)           \
    X(calm, n_blocks)             \
    X(broken, n_joints)

static size_t values_size(const dls_state *s)
{
    size_t size = 0;
#define SIZE(member, count) size += s->count * sizeof *s->member;
    ARRAYS(SIZE)
#undef SIZE
    return size;
}

dls_status dls_state_create(const dls_model *model, dls_state **state, dls_error *error)
{
    dls_state s = {.n_bodies = model->n_bodies,
                   .n_links = model->n_links,
                   .nv = model->nv,
                   .n_coordinates = model->n_coordinates,
                   .n_joints = model->n_joints,
                   .n_articulations = model->n_articulations,
                   .n_joint_state = model->n_joint_state,
                   .n_prescribed = model->n_prescribed,
                   .n_blocks = model->n_blocks};
    *state = calloc(1, sizeof s + values_size(&s));
    if (!*state)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a state of %zu bodies", model->n_bodies);
    char *at = (char *)(*state + 1);
#define PLACE(member, count) s.member = (void *)at, at += s.count * sizeof *s.member;
    ARRAYS(PLACE)
#undef PLACE
    **state = s;
    if (model->initial)
        dls_state_copy(*state, model->initial);
    return DLS_OK;
}

void dls_state_destroy(dls_state *state) { free(state); }

size_t dls_state_size(const dls_state *state) { return sizeof *state + values_size(state); }

void dls_state_copy(dls_state *to, const dls_state *from)
{
    to->time = from->time;
    memcpy(to + 1, from + 1, values_size(from));
}

/* --- articulations --- */

dls_articulation_state dls_state_articulation(const dls_model *model, const dls_state *state, size_t a)
{
    const dls_model_articulation *articulation = &model->articulations[a];
    return (dls_articulation_state){.nq = articulation->tree->nq,
                                    .nv = articulation->tree->nv,
                                    .root_x = state->roots[a].p,
                                    .root_q = state->roots[a].q,
                                    .q = state->coordinates + articulation->position,
                                    .wraps = state->wraps + articulation->position,
                                    .v = state->v + articulation->offset};
}

dls_articulation_load dls_state_load(const dls_model *model, const dls_state *state, size_t a)
{
    const dls_model_articulation *articulation = &model->articulations[a];
    return (dls_articulation_load){articulation->tree->nv, articulation->tree->n_links,
                                   state->force + articulation->offset,
                                   state->link_force + (articulation->first_end - model->n_bodies)};
}

void dls_state_set_root(dls_state *state, size_t a, const dls_articulation_state *from)
{
    state->roots[a] = (dls_frame){from->root_x, from->root_q};
}

double dls_state_coordinate(const dls_state *state, const dls_term *term)
{
    double gradient[3];
    if (term->dof == DLS_NONE)
        return state->measured[term->joint];
    if (term->motion)
        return term->motion->coordinate(state->coordinates + term->position, state->wraps[term->position], term->axis,
                                        gradient);
    return state->coordinates[term->position] + 4.0 * DLS_PI * (double)state->wraps[term->position];
}

double dls_state_coordinates(const dls_state *state, const dls_joint *joint)
{
    double y = 0.0;
    for (size_t t = 0; t < joint->n_terms; t++) {
        const dls_term *term = &joint->terms[t];
        y += dls_term_at(term, dls_state_coordinate(state, term)).value;
    }
    return y;
}

/* --- motion --- */

static bool any_nonzero(const double *v, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (v[k] != 0.0)
            return true;
    return false;
}

/* A body without velocity keeps its pose to the bit: its rotation is not normalised again. */
void dls_state_advance_body(dls_state *state, size_t i, const double v[6], double h)
{
    if (!any_nonzero(v, 6))
        return;
    state->x[i] = dls_add(state->x[i], dls_scale(h, dls_v3(v[0], v[1], v[2])));
    dls_quat turn = dls_quat_exp(dls_scale(h, dls_v3(v[3], v[4], v[5])));
    state->q[i] = dls_quat_unit(dls_quat_mul(turn, state->q[i]));
}

void dls_state_advance(const dls_model *model, dls_state *state, const double *v, double h)
{
    for (size_t i = 0; i < model->n_bodies; i++)
        if (model->bodies[i].offset != DLS_NONE)
            dls_state_advance_body(state, i, v + model->bodies[i].offset, h);
    for (size_t a = 0; a < model->n_articulations; a++) {
        if (!any_nonzero(v + model->articulations[a].offset, model->articulations[a].tree->nv))
            continue;
        dls_articulation_state articulation = dls_state_articulation(model, state, a);
        dls_articulation_advance(model->articulations[a].tree, &articulation, v + model->articulations[a].offset, h);
        dls_state_set_root(state, a, &articulation);
    }
}

void dls_state_displacement(const dls_model *model, const dls_state *from, const dls_state *to, double *d)
{
    for (size_t i = 0; i < model->n_bodies; i++)
        if (model->bodies[i].offset != DLS_NONE)
            dls_spatial_put((dls_spatial){dls_sub(to->x[i], from->x[i]),
                                          dls_quat_log(dls_quat_mul(to->q[i], dls_quat_conj(from->q[i])))},
                            d + model->bodies[i].offset);
    for (size_t a = 0; a < model->n_articulations; a++) {
        const dls_articulation_state before = dls_state_articulation(model, from, a),
                                     after = dls_state_articulation(model, to, a);
        dls_articulation_displacement(model->articulations[a].tree, &before, &after,
                                      d + model->articulations[a].offset);
    }
}

void dls_state_return(const dls_model *model, dls_state *state, const dls_state *to)
{
    memcpy(state->x, to->x, state->n_bodies * sizeof *state->x);
    memcpy(state->q, to->q, state->n_bodies * sizeof *state->q);
    memcpy(state->roots, to->roots, state->n_articulations * sizeof *state->roots);
    memcpy(state->coordinates, to->coordinates, state->n_coordinates * sizeof *state->coordinates);
    memcpy(state->wraps, to->wraps, state->n_coordinates * sizeof *state->wraps);
    memcpy(state->measured, to->measured, state->n_joints * sizeof *state->measured);
    for (size_t j = 0; j < model->n_joints && state->n_joint_state; j++) {
        const size_t first = model->joints[j].joint_state;
        if (model->joints[j].type->advance)
            memcpy(state->joint_state + first, to->joint_state + first,
                   model->joints[j].type->n_state * sizeof *state->joint_state);
    }
}

bool dls_state_moves_alone(const dls_model *model)
{
    return model->n_owners == 0 && model->n_measured == 0 && model->n_clamped == 0 && !model->world.keep_momentum;
}

/* --- checks --- */

static bool finite_body(const dls_model *model, const dls_state *state, size_t i)
{
    dls_quat q = state->q[i];
    bool moves = model->bodies[i].offset != DLS_NONE;
    const double *v = moves ? state->v + model->bodies[i].offset : NULL;
    return dls_finite3(state->x[i]) && isfinite(q.w + q.x + q.y + q.z) &&
           (!moves || (dls_finite3(dls_v3(v[0], v[1], v[2])) && dls_finite3(dls_v3(v[3], v[4], v[5]))));
}

static dls_status diverged(const char *what, const char *name, double time, dls_error *error)
{
    return dls_fail(error, DLS_NOT_FINITE, "%s '%s' left the finite numbers at t = %.9g s; the run has diverged", what,
                    name, time);
}

dls_status dls_state_check(const dls_model *model, const dls_state *state, dls_error *error)
{
    for (size_t i = 0; i < state->n_bodies; i++)
        if (!finite_body(model, state, i))
            return diverged("body", model->bodies[i].name, state->time, error);
    for (size_t i = 0; i < state->n_bodies && state->n_prescribed; i++) {
        const size_t k = model->bodies[i].prescribed;
        if (k != DLS_NONE && !(dls_finite3(state->prescribed[k].lin) && dls_finite3(state->prescribed[k].ang)))
            return diverged("body", model->bodies[i].name, state->time, error);
    }
    for (size_t a = 0; a < state->n_articulations; a++) {
        const dls_articulation_state articulation = dls_state_articulation(model, state, a);
        DLS_TRY(dls_articulation_state_check(model->articulations[a].tree, &articulation, error));
    }
    for (size_t j = 0; j < model->n_joints && model->n_joint_state > 0; j++)
        for (size_t k = 0; k < model->joints[j].type->n_state; k++)
            if (!isfinite(state->joint_state[model->joints[j].joint_state + k]))
                return diverged("joint", model->joints[j].name, state->time, error);
    return DLS_OK;
}
