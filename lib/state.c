#include "delassus/model.h"

#include <stdlib.h>
#include <string.h>

dls_status dls_state_create(const dls_model *model, dls_state **state, dls_error *error)
{
    dls_state *s = *state = calloc(1, sizeof *s);
    if (!s)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a state");
    s->n_bodies = model->n_bodies;
    s->nv = model->nv;
    s->x = calloc(s->n_bodies + 1, sizeof *s->x);
    s->q = calloc(s->n_bodies + 1, sizeof *s->q);
    s->v = calloc(s->nv + 1, sizeof *s->v);
    if (!s->x || !s->q || !s->v) {
        dls_state_destroy(s);
        *state = NULL;
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a state of %zu bodies", model->n_bodies);
    }
    if (model->initial)
        dls_state_copy(s, model->initial);
    return DLS_OK;
}

void dls_state_destroy(dls_state *state)
{
    if (!state)
        return;
    free(state->x);
    free(state->q);
    free(state->v);
    free(state);
}

void dls_state_copy(dls_state *to, const dls_state *from)
{
    to->time = from->time;
    memcpy(to->x, from->x, from->n_bodies * sizeof *from->x);
    memcpy(to->q, from->q, from->n_bodies * sizeof *from->q);
    memcpy(to->v, from->v, from->nv * sizeof *from->v);
}

dls_status dls_state_check(const dls_model *model, const dls_state *state, dls_error *error)
{
    for (size_t i = 0; i < state->n_bodies; i++) {
        dls_end end = dls_model_end(model, state, i);
        dls_quat q = end.q;
        if (!dls_finite3(end.x) || !isfinite(q.w + q.x + q.y + q.z) || !dls_finite3(end.v) || !dls_finite3(end.omega))
            return dls_fail(error, DLS_NOT_FINITE, "body '%s' left the finite numbers at t = %.9g s; the run has diverged",
                            model->bodies[i].name, state->time);
    }
    return DLS_OK;
}

void dls_state_advance(const dls_model *model, dls_state *state, const double *v, double h)
{
    for (size_t i = 0; i < model->n_bodies; i++) {
        if (model->bodies[i].offset == DLS_NONE)
            continue;
        const double *vi = v + model->bodies[i].offset;
        state->x[i] = dls_add(state->x[i], dls_scale(h, dls_v3(vi[0], vi[1], vi[2])));
        dls_quat turn = dls_quat_exp(dls_scale(h, dls_v3(vi[3], vi[4], vi[5])));
        state->q[i] = dls_quat_unit(dls_quat_mul(turn, state->q[i]));
    }
}

dls_end dls_model_end(const dls_model *model, const dls_state *state, size_t body)
{
    dls_end end = {.q = dls_quat_identity(), .R = {{1, 0, 0, 0, 1, 0, 0, 0, 1}}};
    if (body == DLS_WORLD)
        return end;
    end.x = state->x[body];
    end.q = state->q[body];
    end.R = dls_quat_matrix(end.q);
    size_t offset = model->bodies[body].offset;
    if (offset != DLS_NONE) {
        const double *v = state->v + offset;
        end.v = dls_v3(v[0], v[1], v[2]);
        end.omega = dls_v3(v[3], v[4], v[5]);
    }
    return end;
}

static dls_vec3 spin(const dls_body *body, const dls_end *end) /* R I R^T omega [kg m^2/s] */
{
    return dls_mul3(end->R, dls_mul3(body->inertia, dls_tmul3(end->R, end->omega)));
}

double dls_kinetic_energy(const dls_model *model, const dls_state *state)
{
    double energy = 0.0;
    for (size_t i = 0; i < model->n_bodies; i++) {
        dls_end end = dls_model_end(model, state, i);
        const dls_body *body = &model->bodies[i];
        energy += 0.5 * body->mass * dls_dot(end.v, end.v) + 0.5 * dls_dot(end.omega, spin(body, &end));
    }
    return energy;
}

double dls_potential_energy(const dls_model *model, const dls_state *state)
{
    double energy = 0.0;
    for (size_t i = 0; i < model->n_bodies; i++)
        energy -= model->bodies[i].mass * dls_dot(model->world.gravity, state->x[i]);
    return energy;
}

void dls_momentum(const dls_model *model, const dls_state *state, dls_vec3 *linear, dls_vec3 *angular)
{
    *linear = *angular = dls_v3(0, 0, 0);
    for (size_t i = 0; i < model->n_bodies; i++) {
        dls_end end = dls_model_end(model, state, i);
        dls_vec3 p = dls_scale(model->bodies[i].mass, end.v);
        *linear = dls_add(*linear, p);
        *angular = dls_add(*angular, dls_add(dls_cross(end.x, p), spin(&model->bodies[i], &end)));
    }
}
