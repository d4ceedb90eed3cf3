#include "model_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- memory --- */

static dls_status allocate(const dls_model *model, dls_state *s)
{
    s->n_bodies = model->n_bodies, s->n_members = model->n_members, s->n_joints = model->n_joints,
    s->n_links = model->n_links;
    s->nv = model->nv, s->n_coordinates = model->n_coordinates;
    s->n_own = model->n_own;
    s->x = calloc(s->n_bodies + 1, sizeof *s->x);
    s->q = calloc(s->n_bodies + 1, sizeof *s->q);
    s->v = calloc(s->nv + 1, sizeof *s->v);
    s->force = calloc(s->nv + 1, sizeof *s->force);
    s->link_force = calloc(s->n_links + 1, sizeof *s->link_force);
    s->coordinates = calloc(s->n_coordinates + 1, sizeof *s->coordinates);
    s->wraps = calloc(s->n_coordinates + 1, sizeof *s->wraps);
    s->measured = calloc(s->n_joints + 1, sizeof *s->measured);
    s->own = calloc(s->n_own + 1, sizeof *s->own);
    s->before = calloc(2 * model->n_owners + 1, sizeof *s->before);
    s->members = calloc(s->n_members + 1, sizeof *s->members);
    s->loads = calloc(s->n_members + 1, sizeof *s->loads);
    s->look = calloc(s->n_members + 1, sizeof *s->look);
    bool ok = s->x && s->q && s->v && s->force && s->link_force && s->coordinates && s->wraps && s->measured &&
              s->own && s->before && s->members && s->loads && s->look;
    return ok ? DLS_OK : DLS_NO_MEMORY;
}

static dls_status fill(const dls_model *model, dls_state *s, dls_error *error)
{
    if (allocate(model, s) != DLS_OK)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a state of %zu bodies", model->n_bodies);
    for (size_t a = 0; a < model->n_members; a++) {
        const dls_member *member = &model->members[a];
        s->members[a] = (dls_articulation_state){.nq = member->tree->nq,
                                                 .nv = member->tree->nv,
                                                 .root_q = dls_quat_identity(),
                                                 .q = s->coordinates + member->position,
                                                 .wraps = s->wraps + member->position,
                                                 .v = s->v + member->offset};
        s->loads[a] = (dls_articulation_load){member->tree->nv, member->tree->n_links, s->force + member->offset,
                                              s->link_force + (member->first_end - model->n_bodies)};
        DLS_TRY(dls_articulation_work_create(member->tree, &s->look[a], error));
    }
    if (model->initial)
        dls_state_copy(s, model->initial);
    return DLS_OK;
}

dls_status dls_state_create(const dls_model *model, dls_state **state, dls_error *error)
{
    *state = calloc(1, sizeof **state);
    if (!*state)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a state");
    dls_status status = fill(model, *state, error);
    if (status != DLS_OK) {
        dls_state_destroy(*state);
        *state = NULL;
    }
    return status;
}

void dls_state_destroy(dls_state *state)
{
    if (!state)
        return;
    for (size_t a = 0; state->look && a < state->n_members; a++)
        dls_articulation_work_destroy(state->look[a]);
    void *const owned[] = {state->x,           state->q,      state->v,           state->force,   state->link_force,
                           state->coordinates, state->wraps,  state->measured,    state->members, state->loads,
                           state->own,         state->before, (void *)state->look};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++)
        free(owned[i]);
    free(state);
}

void dls_state_copy(dls_state *to, const dls_state *from)
{
    to->time = from->time;
    memcpy(to->x, from->x, from->n_bodies * sizeof *from->x);
    memcpy(to->q, from->q, from->n_bodies * sizeof *from->q);
    memcpy(to->v, from->v, from->nv * sizeof *from->v);
    memcpy(to->force, from->force, from->nv * sizeof *from->force);
    memcpy(to->link_force, from->link_force, from->n_links * sizeof *from->link_force);
    memcpy(to->coordinates, from->coordinates, from->n_coordinates * sizeof *from->coordinates);
    memcpy(to->wraps, from->wraps, from->n_coordinates * sizeof *from->wraps);
    memcpy(to->measured, from->measured, from->n_joints * sizeof *from->measured);
    memcpy(to->own, from->own, from->n_own * sizeof *from->own);
    for (size_t a = 0; a < from->n_members; a++) {
        to->members[a].root_x = from->members[a].root_x;
        to->members[a].root_q = from->members[a].root_q;
    }
}

dls_status dls_state_check(const dls_model *model, const dls_state *state, dls_error *error)
{
    for (size_t i = 0; i < state->n_bodies; i++) {
        dls_end end = dls_model_end(model, state, i);
        dls_quat q = end.q;
        if (!dls_finite3(end.x) || !isfinite(q.w + q.x + q.y + q.z) || !dls_finite3(end.v) || !dls_finite3(end.omega))
            return dls_fail(error, DLS_NOT_FINITE,
                            "body '%s' left the finite numbers at t = %.9g s; the run has diverged",
                            model->bodies[i].name, state->time);
    }
    for (size_t a = 0; a < state->n_members; a++)
        DLS_TRY(dls_articulation_state_check(model->members[a].tree, &state->members[a], error));
    for (size_t j = 0; j < model->n_joints; j++)
        for (size_t k = 0; k < model->joints[j].type->n_state; k++)
            if (!isfinite(state->own[model->joints[j].own + k]))
                return dls_fail(error, DLS_NOT_FINITE,
                                "joint '%s' left the finite numbers at t = %.9g s; the run has diverged",
                                model->joints[j].name, state->time);
    return DLS_OK;
}

/* --- ends --- */

const dls_member *dls_model_member(const dls_model *model, size_t end, size_t *link)
{
    if (end == DLS_WORLD || end < model->n_bodies)
        return NULL;
    size_t a = model->n_members;
    while (model->members[--a].first_end > end)
        ;
    *link = end - model->members[a].first_end;
    return &model->members[a];
}

static dls_end body_end(const dls_model *model, const dls_state *state, size_t body)
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

dls_end dls_model_seen(const dls_model *model, const dls_state *state, dls_articulation_work *const *look, size_t end)
{
    size_t link;
    const dls_member *member = dls_model_member(model, end, &link);
    return member ? dls_articulation_end(look[member - model->members], link) : body_end(model, state, end);
}

static void look_at(const dls_model *model, const dls_state *state, size_t a)
{
    dls_articulation_kinematics(&state->members[a], state->look[a]);
    dls_articulation_velocities(state->v + model->members[a].offset, state->look[a]);
}

void dls_model_look(const dls_model *model, const dls_state *state)
{
    for (size_t a = 0; a < model->n_members; a++)
        look_at(model, state, a);
}

dls_end dls_model_end(const dls_model *model, const dls_state *state, size_t end)
{
    size_t link;
    const dls_member *member = dls_model_member(model, end, &link);
    if (member)
        look_at(model, state, (size_t)(member - model->members));
    return dls_model_seen(model, state, state->look, end);
}

bool dls_model_moves(const dls_model *model, size_t end)
{
    size_t link;
    const dls_member *member = dls_model_member(model, end, &link);
    if (member)
        return dls_articulation_last_dof(member->tree, link) != DLS_NONE;
    return end != DLS_WORLD && model->bodies[end].offset != DLS_NONE;
}

void dls_model_end_name(const dls_model *model, size_t end, char *text, size_t size)
{
    size_t link;
    const dls_member *member = dls_model_member(model, end, &link);
    if (member)
        snprintf(text, size, "%s.%s", member->tree->name, member->tree->defs[link].name);
    else
        snprintf(text, size, "%s", end == DLS_WORLD ? "world" : model->bodies[end].name);
}

double dls_state_coordinates(const dls_state *state, const dls_joint *joint)
{
    double y = 0.0;
    for (const dls_term *term = joint->terms; term < joint->terms + joint->n_terms; term++) {
        double q = term->dof == DLS_NONE
                       ? state->measured[term->joint]
                       : state->coordinates[term->position] + 4.0 * DLS_PI * (double)state->wraps[term->position];
        y += term->gear * q;
    }
    return y;
}

void dls_model_ends(const dls_model *model, const dls_state *state, dls_articulation_work *const *look,
                    const dls_joint *joint, dls_end end[2])
{
    for (int i = 0; i < 2; i++)
        end[i] = dls_model_seen(model, state, look, joint->body[i]);
    end[0].own = state->own + joint->own;
    if (joint->n_terms)
        end[0].y = dls_state_coordinates(state, joint);
}

/* --- motion --- */

static void advance_bodies(const dls_model *model, dls_state *state, const double *v, double h)
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

static double rate(const dls_row *row, const dls_end end[2])
{
    const double *J[2] = {row->J1, row->J2};
    double sum = 0.0;
    for (int i = 0; i < 2; i++)
        sum += dls_dot(dls_v3(J[i][0], J[i][1], J[i][2]), end[i].v) +
               dls_dot(dls_v3(J[i][3], J[i][4], J[i][5]), end[i].omega);
    return sum;
}

double dls_model_rate(const dls_model *model, const dls_state *state, const dls_joint *joint)
{
    dls_end end[2];
    dls_row row = {0};
    dls_model_ends(model, state, state->look, joint, end);
    joint->type->coordinate(joint, end, &row);
    return rate(&row, end);
}

/* An angle is known but for whole turns: it is the one nearest to where its rate has brought it. */
static void measure(const dls_model *model, dls_state *state, const dls_joint *joint, double h)
{
    dls_end end[2];
    dls_row row = {0};
    double *measured = &state->measured[joint - model->joints];
    dls_model_ends(model, state, state->look, joint, end);
    joint->type->coordinate(joint, end, &row);
    double expected = *measured + h * rate(&row, end);
    *measured = row.angular ? row.C + 2.0 * DLS_PI * round((expected - row.C) / (2.0 * DLS_PI)) : row.C;
}

void dls_state_measure(const dls_model *model, dls_state *state, const double *v, double h)
{
    if (model->n_measured == 0)
        return;
    dls_state now = *state; /* with these speeds */
    now.v = (double *)v;
    dls_model_look(model, &now);
    for (size_t j = 0; j < model->n_joints; j++)
        if (model->joints[j].measured)
            measure(model, &now, &model->joints[j], h);
}

/* Ends of the joints with a state of their own, at the speeds v. */
static void look_at_owners(const dls_model *model, const dls_state *state, const double *v, dls_end *ends)
{
    if (model->n_owners == 0)
        return;
    dls_state now = *state;
    now.v = (double *)v;
    dls_model_look(model, &now);
    for (size_t j = 0; j < model->n_joints; j++)
        if (model->joints[j].type->n_state) {
            dls_model_ends(model, &now, now.look, &model->joints[j], ends);
            ends += 2;
        }
}

static void advance_owners(const dls_model *model, dls_state *state, const double *v, double h)
{
    const dls_end *before = state->before;
    if (model->n_owners == 0)
        return;
    dls_state now = *state;
    now.v = (double *)v;
    dls_model_look(model, &now);
    for (size_t j = 0; j < model->n_joints; j++) {
        const dls_joint *joint = &model->joints[j];
        dls_end after[2];
        if (joint->type->n_state == 0)
            continue;
        dls_model_ends(model, &now, now.look, joint, after);
        joint->type->advance(joint, before, after, h, state->own + joint->own);
        before += 2;
    }
}

void dls_state_advance(const dls_model *model, dls_state *state, const double *v, double h)
{
    look_at_owners(model, state, v, state->before);
    advance_bodies(model, state, v, h);
    for (size_t a = 0; a < model->n_members; a++)
        dls_articulation_advance(model->members[a].tree, &state->members[a], v + model->members[a].offset, h);
    advance_owners(model, state, v, h);
    dls_state_measure(model, state, v, h);
}

/* --- energy and momentum --- */

static dls_vec3 spin(const dls_body *body, const dls_end *end) /* R I R^T omega [kg m^2/s] */
{
    return dls_mul3(end->R, dls_mul3(body->inertia, dls_tmul3(end->R, end->omega)));
}

double dls_kinetic_energy(const dls_model *model, const dls_state *state)
{
    double energy = 0.0;
    for (size_t i = 0; i < model->n_bodies; i++) {
        dls_end end = body_end(model, state, i);
        const dls_body *body = &model->bodies[i];
        energy += 0.5 * body->mass * dls_dot(end.v, end.v) + 0.5 * dls_dot(end.omega, spin(body, &end));
    }
    dls_model_look(model, state);
    for (size_t a = 0; a < model->n_members; a++)
        energy += dls_articulation_kinetic_energy(state->look[a], state->v + model->members[a].offset);
    return energy;
}

double dls_potential_energy(const dls_model *model, const dls_state *state)
{
    double energy = 0.0;
    for (size_t i = 0; i < model->n_bodies; i++)
        energy -= model->bodies[i].mass * dls_dot(model->world.gravity, state->x[i]);
    dls_model_look(model, state);
    for (size_t a = 0; a < model->n_members; a++)
        energy += dls_articulation_potential_energy(state->look[a], model->world.gravity);
    return energy;
}

void dls_momentum(const dls_model *model, const dls_state *state, dls_vec3 *linear, dls_vec3 *angular)
{
    *linear = *angular = dls_v3(0, 0, 0);
    for (size_t i = 0; i < model->n_bodies; i++) {
        dls_end end = body_end(model, state, i);
        dls_vec3 p = dls_scale(model->bodies[i].mass, end.v);
        *linear = dls_add(*linear, p);
        *angular = dls_add(*angular, dls_add(dls_cross(end.x, p), spin(&model->bodies[i], &end)));
    }
    dls_model_look(model, state);
    for (size_t a = 0; a < model->n_members; a++) {
        dls_vec3 p, L;
        dls_articulation_momentum(state->look[a], &p, &L);
        *linear = dls_add(*linear, p);
        *angular = dls_add(*angular, L);
    }
}
