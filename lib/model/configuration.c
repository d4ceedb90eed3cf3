#include "delassus/configuration.h"

#include "base/memory.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- memory --- */

static dls_status configuration_arrays(dls_configuration *c, dls_arena *arena, dls_error *error)
{
    const dls_model *model = c->model;
    c->bodies = DLS_TAKE_ZEROS(arena, dls_end, model->n_bodies + 1);
    c->inertias = DLS_TAKE_ZEROS(arena, dls_mass_body, model->n_bodies);
    c->works = DLS_TAKE_ZEROS(arena, dls_articulation_work *, model->n_articulations);
    c->medium = DLS_TAKE_ZEROS(arena, dls_spatial, model->n_ends);
    c->link_force = DLS_TAKE_ZEROS(arena, dls_spatial, model->n_links);
    c->v = DLS_TAKE_ZEROS(arena, double, model->nv);
    c->joint_state = DLS_TAKE_ZEROS(arena, double, model->n_joint_state);
    c->sums = DLS_TAKE_ZEROS(arena, double, model->n_joints);
    c->idle = DLS_TAKE_ZEROS(arena, bool, model->n_joints);
    c->asleep = DLS_TAKE_ZEROS(arena, bool, model->n_blocks);
    c->slopes = DLS_TAKE_ZEROS(arena, double, model->n_terms);
    c->gradients = dls_arena_zeros(arena, model->n_terms, sizeof *c->gradients);
    c->before = DLS_TAKE_ZEROS(arena, dls_end, 2 * model->n_owners);
    c->centres = DLS_TAKE_ZEROS(arena, dls_vec3, model->n_articulations);
    c->current = DLS_TAKE_ZEROS(arena, bool, model->n_articulations);
    if (arena->failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a configuration of %zu bodies", model->n_bodies);
    c->bodies[model->n_bodies] = (dls_end){.q = {1, 0, 0, 0}, .R = {{1, 0, 0, 0, 1, 0, 0, 0, 1}}};
    for (; c->n_works < model->n_articulations; c->n_works++)
        DLS_TRY(dls_articulation_work_create(model->articulations[c->n_works].tree, &c->works[c->n_works], error));
    return DLS_OK;
}

dls_status dls_configuration_create(const dls_model *model, dls_configuration **configuration, dls_error *error)
{
    dls_configuration *c = *configuration = calloc(1, sizeof *c);
    dls_arena *arena = c ? calloc(1, sizeof *arena) : NULL;
    if (!arena) {
        free(c);
        *configuration = NULL;
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a configuration");
    }
    c->model = model;
    c->memory = arena;
    dls_status status = configuration_arrays(c, arena, error);
    if (status != DLS_OK) {
        dls_configuration_destroy(c);
        *configuration = NULL;
    }
    return status;
}

void dls_configuration_destroy(dls_configuration *c)
{
    if (!c)
        return;
    for (size_t a = 0; a < c->n_works; a++)
        dls_articulation_work_destroy(c->works[a]);
    dls_arena_release(c->memory);
    free(c->memory);
    free(c);
}

/* --- evaluation --- */

static void evaluate_articulation(dls_configuration *c, const dls_state *state, size_t a)
{
    const dls_articulation_state articulation = dls_state_articulation(c->model, state, a);
    dls_articulation_kinematics(&articulation, c->works[a]);
    c->current[a] = true;
    c->evaluations++;
}

static bool keeps_momentum(const dls_model *model, size_t a)
{
    return model->world.keep_momentum && model->articulations[a].tree->n_base > 0;
}

static void place_body(dls_configuration *c, const dls_state *state, size_t i)
{
    dls_end *end = &c->bodies[i];
    end->x = state->x[i];
    end->q = state->q[i];
    end->R = dls_quat_matrix(end->q);
}

/* The articulations that are held, or all. */
static void evaluate_positions(dls_configuration *c, const dls_state *state, bool all)
{
    c->bodies_factored = c->links_factored = false;
    for (size_t i = 0; i < c->model->n_bodies; i++) {
        dls_end *end = &c->bodies[i];
        place_body(c, state, i);
        if (c->model->n_prescribed && c->model->bodies[i].prescribed != DLS_NONE) {
            end->v = state->prescribed[c->model->bodies[i].prescribed].lin;
            end->omega = state->prescribed[c->model->bodies[i].prescribed].ang;
        }
    }
    for (size_t a = 0; a < c->model->n_articulations; a++) {
        c->current[a] = false;
        if (all || c->model->articulations[a].held || keeps_momentum(c->model, a))
            evaluate_articulation(c, state, a);
    }
}

static void evaluate_terms(dls_configuration *c, const dls_state *state, size_t j)
{
    const dls_joint *joint = &c->model->joints[j];
    c->sums[j] = dls_state_coordinates(state, joint);
    for (const dls_term *term = joint->terms; term < joint->terms + joint->n_terms; term++) {
        const double q = dls_term_is_linear(term) ? 0.0 : dls_state_coordinate(state, term);
        c->slopes[term->number] = dls_term_at(term, q).slope;
        if (term->motion)
            term->motion->coordinate(state->coordinates + term->position, state->wraps[term->position], term->axis,
                                     c->gradients[term->number]);
    }
}

/* Those of an island sleep together, so one block tells. */
static bool joint_sleeps(const dls_configuration *c, const dls_joint *joint)
{
    if (joint->n_spans)
        return c->asleep[joint->spans[0].block];
    for (int i = 0; i < 2; i++)
        if (dls_model_moves(c->model, joint->body[i]))
            return c->asleep[dls_model_end_block(c->model, joint->body[i])];
    return false;
}

void dls_configuration_rouse(dls_configuration *c, const dls_state *state)
{
    c->n_asleep = 0;
    for (size_t b = 0; b < c->model->n_blocks; b++)
        c->n_asleep += c->asleep[b] = state->asleep[b];
    for (size_t j = 0; j < c->model->n_joints; j++)
        c->idle[j] = state->broken[j] || (c->n_asleep && joint_sleeps(c, &c->model->joints[j]));
}

/* The numbers that joints keep, which of them are idle, and their sums of coordinates. */
static void evaluate_joints(dls_configuration *c, const dls_state *state)
{
    memcpy(c->joint_state, state->joint_state, c->model->n_joint_state * sizeof *c->joint_state);
    dls_configuration_rouse(c, state);
    for (size_t j = 0; j < c->model->n_joints && c->model->n_summed; j++)
        if (c->model->joints[j].n_terms)
            evaluate_terms(c, state, j);
}

void dls_configuration_set_velocity(dls_configuration *c, const double *v)
{
    const dls_model *model = c->model;
    memmove(c->v, v, model->nv * sizeof *v);
    for (size_t i = 0; i < model->n_bodies; i++) {
        if (model->bodies[i].offset == DLS_NONE)
            continue;
        const double *vi = c->v + model->bodies[i].offset;
        c->bodies[i].v = dls_v3(vi[0], vi[1], vi[2]);
        c->bodies[i].omega = dls_v3(vi[3], vi[4], vi[5]);
    }
    for (size_t a = 0; a < model->n_articulations; a++)
        if (c->current[a])
            dls_articulation_velocities(c->v + model->articulations[a].offset, c->works[a]);
}

void dls_configuration_evaluate(dls_configuration *c, const dls_state *state)
{
    evaluate_positions(c, state, true);
    evaluate_joints(c, state);
    dls_configuration_set_velocity(c, state->v);
}

void dls_configuration_complete(dls_configuration *c, const dls_state *state)
{
    for (size_t a = 0; a < c->model->n_articulations; a++) {
        if (c->current[a])
            continue;
        evaluate_articulation(c, state, a);
        dls_articulation_velocities(c->v + c->model->articulations[a].offset, c->works[a]);
    }
}

dls_status dls_configuration_factor_links(dls_configuration *c, dls_error *error)
{
    for (size_t a = 0; a < c->model->n_articulations && !c->links_factored; a++)
        DLS_TRY(dls_articulation_factor(c->works[a], error));
    c->links_factored = true;
    return DLS_OK;
}

dls_status dls_configuration_factor(dls_configuration *c, dls_error *error)
{
    dls_mass_body *inertia = c->inertias;
    for (size_t i = 0; i < c->model->n_bodies && !c->bodies_factored; i++) {
        const dls_body *body = &c->model->bodies[i];
        if (body->offset == DLS_NONE)
            continue;
        const dls_mat3 R = c->bodies[i].R;
        *inertia++ = (dls_mass_body){body->mass, 1.0 / body->mass, dls_rotate_tensor(R, body->inertia),
                                     dls_rotate_tensor(R, dls_inverse3(body->inertia))};
    }
    c->bodies_factored = true;
    return dls_configuration_factor_links(c, error);
}

/* --- ends --- */

dls_end dls_configuration_end(const dls_configuration *c, size_t end)
{
    size_t link;
    const dls_model_articulation *articulation = dls_model_articulation_of(c->model, end, &link);
    if (articulation)
        return dls_articulation_end(c->works[articulation - c->model->articulations], link);
    return c->bodies[end == DLS_WORLD ? c->model->n_bodies : end];
}

void dls_configuration_ends(const dls_configuration *c, const dls_joint *joint, dls_end end[2])
{
    for (int i = 0; i < 2; i++)
        if (joint->body[i] < c->model->n_bodies)
            end[i] = c->bodies[joint->body[i]];
        else if (joint->body[i] == DLS_WORLD)
            end[i] = c->bodies[c->model->n_bodies];
        else
            end[i] = dls_configuration_end(c, joint->body[i]);
    end[0].joint_state = c->joint_state + joint->joint_state;
    if (joint->n_terms)
        end[0].y = c->sums[joint - c->model->joints];
}

bool dls_configuration_prescribed(const dls_configuration *c, size_t end)
{
    if (end >= c->model->n_bodies || c->model->bodies[end].prescribed == DLS_NONE)
        return false;
    const dls_end *at = &c->bodies[end];
    return dls_norm(c->model->bodies[end].swing) > 0.0 || dls_norm(at->v) > 0.0 || dls_norm(at->omega) > 0.0;
}

bool dls_configuration_still(const dls_configuration *c, size_t end)
{
    return dls_model_moves(c->model, end) ? c->n_asleep && c->asleep[dls_model_end_block(c->model, end)]
                                          : !dls_configuration_prescribed(c, end);
}

static double row_rate(const dls_row *row, const dls_end end[2])
{
    const double *J[2] = {row->J1, row->J2};
    double sum = 0.0;
    for (int i = 0; i < 2; i++)
        sum += dls_dot(dls_v3(J[i][0], J[i][1], J[i][2]), end[i].v) +
               dls_dot(dls_v3(J[i][3], J[i][4], J[i][5]), end[i].omega);
    return sum;
}

double dls_configuration_rate(const dls_configuration *c, const dls_joint *joint)
{
    dls_end end[2];
    dls_row row = {0};
    dls_configuration_ends(c, joint, end);
    joint->type->coordinate(joint, end, &row);
    return row_rate(&row, end);
}

/* --- motion --- */

/* Ends of the joints that keep numbers, at the speeds v, with the numbers as they are before. */
static void note_owners(dls_configuration *from, dls_configuration *to, const double *v)
{
    dls_end *ends = to->before;
    dls_configuration_set_velocity(from, v);
    for (size_t j = 0; j < from->model->n_joints; j++)
        if (from->model->joints[j].type->advance) {
            dls_configuration_ends(from, &from->model->joints[j], ends);
            ends[0].joint_state = to->joint_state + from->model->joints[j].joint_state;
            ends += 2;
        }
}

static void advance_owners(const dls_configuration *to, dls_state *state, double h)
{
    const dls_end *before = to->before;
    for (size_t j = 0; j < to->model->n_joints; j++) {
        const dls_joint *joint = &to->model->joints[j];
        dls_end after[2];
        if (!joint->type->advance)
            continue;
        dls_configuration_ends(to, joint, after);
        joint->type->advance(joint, before, after, h, state->joint_state + joint->joint_state);
        before += 2;
    }
}

/* An angle is known but for whole turns: it is the one nearest to where its rate has brought it. */
void dls_configuration_measure(const dls_configuration *c, dls_state *state, double h)
{
    for (size_t j = 0; j < c->model->n_joints; j++) {
        const dls_joint *joint = &c->model->joints[j];
        double *measured = &state->measured[j];
        dls_end end[2];
        dls_row row = {0};
        if (!joint->measured)
            continue;
        dls_configuration_ends(c, joint, end);
        joint->type->coordinate(joint, end, &row);
        double expected = *measured + h * row_rate(&row, end);
        *measured = row.angular ? row.C + 2.0 * DLS_PI * round((expected - row.C) / (2.0 * DLS_PI)) : row.C;
    }
}

static void note_centres(const dls_configuration *from, dls_vec3 *centres, const dls_vec3 *speed, double h)
{
    for (size_t a = 0; a < from->model->n_articulations; a++)
        if (keeps_momentum(from->model, a))
            centres[a] = dls_add(dls_articulation_centre_of_mass(from->works[a]), dls_scale(h, speed[a]));
}

static void place_centres(dls_configuration *to, dls_state *state)
{
    for (size_t a = 0; a < to->model->n_articulations; a++) {
        if (!keeps_momentum(to->model, a) || (to->n_asleep && to->asleep[to->model->articulations[a].block]))
            continue;
        const dls_vec3 shift = dls_sub(to->centres[a], dls_articulation_centre_of_mass(to->works[a]));
        state->roots[a].p = dls_add(state->roots[a].p, shift);
        /* Not moved by the shift: a configuration is that of its state, to the bit. */
        evaluate_articulation(to, state, a);
    }
}

/* Numbers that joints keep and measure, after positions have moved by h v. */
static void advance_joint_numbers(const dls_model *model, dls_configuration *to, dls_state *state, const double *v,
                                  double h)
{
    dls_configuration_set_velocity(to, v);
    memcpy(to->joint_state, state->joint_state, model->n_joint_state * sizeof *to->joint_state);
    if (model->n_owners)
        advance_owners(to, state, h);
    memcpy(to->joint_state, state->joint_state, model->n_joint_state * sizeof *to->joint_state);
    if (model->n_measured)
        dls_configuration_measure(to, state, h);
    evaluate_joints(to, state);
}

void dls_configuration_advance(dls_configuration *from, dls_configuration *to, dls_state *state, const double *v,
                               double h, bool all)
{
    const dls_model *model = from->model;
    if (model->n_owners)
        note_owners(from, to, v);
    dls_state_advance(model, state, v, h);
    evaluate_positions(to, state, all);
    advance_joint_numbers(model, to, state, v, h);
}

void dls_configuration_advance_body(dls_configuration *c, dls_state *state, size_t i, const double v[6], double h)
{
    dls_state_advance_body(state, i, v, h);
    place_body(c, state, i);
    c->bodies_factored = false;
}

void dls_configuration_advance_kept(dls_configuration *from, dls_configuration *to, dls_state *state, const double *v,
                                    const dls_vec3 *centre_speed, double h, bool all)
{
    const dls_model *model = from->model;
    if (model->n_owners)
        note_owners(from, to, v);
    note_centres(from, to->centres, centre_speed, h);
    dls_state_advance(model, state, v, h);
    evaluate_positions(to, state, all);
    place_centres(to, state);
    advance_joint_numbers(model, to, state, v, h);
}

/* --- energy and momentum --- */

static dls_vec3 angular_momentum(const dls_body *body, const dls_end *end) /* R I R^T omega [kg m^2/s] */
{
    return dls_mul3(end->R, dls_mul3(body->inertia, dls_tmul3(end->R, end->omega)));
}

static double kinetic_of_body(const dls_configuration *c, size_t i)
{
    const dls_end *end = &c->bodies[i];
    const dls_body *body = &c->model->bodies[i];
    return 0.5 * body->mass * dls_dot(end->v, end->v) + 0.5 * dls_dot(end->omega, angular_momentum(body, end));
}

static double potential_of_body(const dls_configuration *c, size_t i)
{
    return -c->model->bodies[i].mass * dls_dot(c->model->world.gravity, c->bodies[i].x);
}

static double kinetic_of_articulation(const dls_configuration *c, size_t a)
{
    return dls_articulation_kinetic_energy(c->works[a], c->v + c->model->articulations[a].offset);
}

static double potential_of_articulation(const dls_configuration *c, size_t a)
{
    return dls_articulation_potential_energy(c->works[a], c->model->world.gravity);
}

double dls_kinetic_energy(const dls_configuration *c)
{
    double energy = 0.0;
    for (size_t i = 0; i < c->model->n_bodies; i++)
        energy += kinetic_of_body(c, i);
    for (size_t a = 0; a < c->model->n_articulations; a++)
        energy += kinetic_of_articulation(c, a);
    return energy;
}

static double add_links(const dls_configuration *c, double energy)
{
    for (size_t a = 0; a < c->model->n_articulations; a++)
        energy += potential_of_articulation(c, a);
    return energy;
}

double dls_links_potential_energy(const dls_configuration *c) { return add_links(c, 0.0); }

double dls_potential_energy(const dls_configuration *c)
{
    double energy = 0.0;
    for (size_t i = 0; i < c->model->n_bodies; i++)
        energy += potential_of_body(c, i);
    return add_links(c, energy);
}

static dls_status overflows(const char *what, const char *name, double time, dls_error *error)
{
    return dls_fail(error, DLS_NOT_FINITE, "the energy of %s '%s' is beyond the range of a double at t = %.9g s", what,
                    name, time);
}

dls_status dls_energy_check(const dls_configuration *c, double time, dls_error *error)
{
    for (size_t i = 0; i < c->model->n_bodies; i++)
        if (!isfinite(kinetic_of_body(c, i) + potential_of_body(c, i)))
            return overflows("body", c->model->bodies[i].name, time, error);
    for (size_t a = 0; a < c->model->n_articulations; a++)
        if (!isfinite(kinetic_of_articulation(c, a) + potential_of_articulation(c, a)))
            return overflows("articulation", c->model->articulations[a].tree->name, time, error);
    return isfinite(dls_kinetic_energy(c) + dls_potential_energy(c))
               ? DLS_OK
               : overflows("all bodies of", c->model->name, time, error);
}

void dls_momentum(const dls_configuration *c, dls_vec3 *linear, dls_vec3 *angular)
{
    *linear = *angular = dls_v3(0, 0, 0);
    for (size_t i = 0; i < c->model->n_bodies; i++) {
        const dls_end *end = &c->bodies[i];
        dls_vec3 p = dls_scale(c->model->bodies[i].mass, end->v);
        *linear = dls_add(*linear, p);
        *angular = dls_add(*angular, dls_add(dls_cross(end->x, p), angular_momentum(&c->model->bodies[i], end)));
    }
    for (size_t a = 0; a < c->model->n_articulations; a++) {
        dls_vec3 p, L;
        dls_articulation_momentum(c->works[a], &p, &L);
        *linear = dls_add(*linear, p);
        *angular = dls_add(*angular, L);
    }
}
