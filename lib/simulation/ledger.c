/* The energy ledger of a step.
 *
 * A scheme is a sequence of KICKS, which change v at fixed M, and DRIFTS, which change q at fixed v. With T_k(v) =
 * 1/2 v^T M_k v:
 *
 * KICK by impulses p_j, M_k (v1 - v0) = sum p_j:
 *     T_k(v1) - T_k(v0) = 1/2 (v1 - v0)^T M_k (v1 + v0) = sum p_j . (v0 + v1) / 2
 * exactly: the work of an impulse is its product with the mean of the velocities before and after. (The sum h f . v+,
 * which a semi-implicit step suggests, differs by the half of the quadratic term.) For row i this is
 *     W_i = lambda_i (J_i v0 + J_i v1) / 2
 * for any solver, converged or not. With J_i v1 = c_i - Gamma_i lambda_i + w_i and c_i = bias_i + u_i, the share
 * lambda_i bias_i / 2 of a rigid row is the work of its feedback, and the rest is that of the constraint, which is
 * -1/2 lambda_i^2 / (effective mass) for a single row if v0 violated it (mimic-joints, errata). A row with compliance
 * is a spring and damper, and has all of its work. The impulses of gravity, of external forces and of gyroscopic or
 * Coriolis terms are computed again by other routines than those for v*: for articulations by inverse dynamics, while
 * v* is computed by forward dynamics. Forces of the medium are those of v*, since they depend on the velocity there.
 *
 * DRIFT by h v: the potential energy changes, by -h m g . v for a body, and by the centres of mass for links; the M of
 * the next kick changes too, T_{k+1}(v) - T_k(v). For a body this is 0, since R^T omega is constant when R rotates
 * about omega; for an articulation it balances the Coriolis work of the kick.
 *
 * The sum over a step telescopes: T_end - T_begin = sum of kicks + sum of (T_{k+1}(v_k) - T_k(v_k)), where M_0 is that
 * of the initial state and the last M is that of the final one. For an exact integrator gravity + potential = 0 and
 * turning + inertia = 0; the sum of these four is the error of the integrator. Corrections of positions at fixed v
 * change both energies: `projection`. Falling asleep removes velocity: `sleep`; so does the clamp of greatest speeds:
 * `clamp`. The momentum that these remove is not drift.
 *
 * MOMENTUM of free bodies and floating articulations, about the world's origin: the change in a step minus the impulses
 * of gravity, of external forces and of rows, each at its point of application, is `momentum_drift`. It is 0 for kicks,
 * and for the linear momentum of bodies also for drifts. With keep_momentum.c it is rounding error and, for the angular
 * momentum, the moment of corrections of positions.
 */
#include "delassus/ledger.h"

#include "model/model.h"
#include "problem/gyroscopic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DLS_LEDGER_NAME(name, text, help) text,
const char *const dls_ledger_part_names[] = {DLS_LEDGER_PARTS_LIST(DLS_LEDGER_NAME) NULL};

dls_status dls_ledger_create(const dls_model *model, dls_ledger **ledger, dls_error *error)
{
    dls_ledger *l = *ledger = calloc(1, sizeof *l);
    if (l) {
        l->nv = model->nv;
        l->n_owners = model->n_joints + 1;
        l->by_owner = calloc(l->n_owners * DLS_LEDGER_PARTS, sizeof *l->by_owner);
        l->impulse_gravity = calloc(6 * (l->nv + 1), sizeof *l->impulse_gravity);
    }
    if (!l || !l->by_owner || !l->impulse_gravity) {
        dls_ledger_destroy(l);
        *ledger = NULL;
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a ledger of %zu joints", model->n_joints);
    }
    l->impulse_external = l->impulse_gravity + l->nv;
    l->impulse_medium = l->impulse_external + l->nv;
    l->impulse_turning = l->impulse_medium + l->nv;
    l->mean = l->impulse_turning + l->nv;
    l->scratch = l->mean + l->nv;
    return DLS_OK;
}

void dls_ledger_destroy(dls_ledger *l)
{
    if (!l)
        return;
    free(l->by_owner);
    free(l->impulse_gravity);
    free(l);
}

/* --- the sum --- */

double dls_ledger_integrator(const dls_ledger *l) { return (l->gravity + l->potential) + (l->turning + l->inertia); }

double dls_ledger_sum(const dls_ledger *l)
{
    double sum = l->external + l->medium + l->projection + l->sleep + l->clamp + dls_ledger_integrator(l);
    for (int k = 0; k < DLS_LEDGER_PARTS; k++)
        sum += l->part[k];
    return sum;
}

double dls_ledger_change(const dls_ledger *l)
{
    return (l->kinetic_after - l->kinetic_before) + (l->potential_after - l->potential_before);
}

double dls_ledger_mismatch(const dls_ledger *l)
{
    const double entries[] = {l->external,        l->medium,  l->projection,     l->gravity,       l->potential,
                              l->turning,         l->inertia, l->kinetic_before, l->kinetic_after, l->potential_before,
                              l->potential_after, l->sleep,   l->clamp};
    double scale = 0.0, apart = fabs(dls_ledger_sum(l) - dls_ledger_change(l));
    for (size_t k = 0; k < sizeof entries / sizeof entries[0]; k++)
        scale += fabs(entries[k]);
    for (size_t k = 0; k < l->n_owners * DLS_LEDGER_PARTS; k++)
        scale += fabs(l->by_owner[k]);
    return apart == 0.0 ? 0.0 : apart / scale; /* NaN where an entry is */
}

/* --- generalised impulses --- */

static void body_impulses(dls_ledger *l, const dls_configuration *c, const dls_state *state, size_t i, double h)
{
    const dls_model *model = c->model;
    const dls_body *body = &model->bodies[i];
    const double *f = state->force + body->offset;
    dls_vec3 force = dls_add(body->force, dls_v3(f[0], f[1], f[2])),
             torque = dls_add(body->torque, dls_v3(f[3], f[4], f[5]));
    dls_spatial_put((dls_spatial){dls_scale(h * body->mass, model->world.gravity), dls_v3(0, 0, 0)},
                    l->impulse_gravity + body->offset);
    dls_spatial_put((dls_spatial){dls_scale(h, force), dls_scale(h, torque)}, l->impulse_external + body->offset);
    const dls_spatial medium = c->medium[i];
    dls_spatial_put((dls_spatial){dls_scale(h, medium.lin), dls_scale(h, medium.ang)},
                    l->impulse_medium + body->offset);
}

static void articulation_impulses(dls_ledger *l, const dls_configuration *c, const dls_state *state, size_t a, double h)
{
    const dls_model_articulation *articulation = &c->model->articulations[a];
    const dls_articulation_load load = dls_state_load(c->model, state, a);
    dls_articulation_work *work = c->works[a];
    double *gravity = l->impulse_gravity + articulation->offset, *external = l->impulse_external + articulation->offset,
           *medium = l->impulse_medium + articulation->offset;
    dls_articulation_gravity_force(work, c->model->world.gravity, gravity);
    dls_articulation_external_force(work, load.force, external);
    dls_articulation_external_force(work, c->medium + articulation->first_end, medium);
    for (size_t k = 0; k < articulation->tree->nv; k++) {
        gravity[k] *= -h;
        external[k] = h * (load.tau[k] - external[k]);
        medium[k] *= -h;
    }
}

/* --- momentum --- */

/* The momentum of free bodies and floating articulations about the world's origin. */
static dls_spatial floating_momentum(const dls_configuration *c)
{
    dls_spatial sum;
    dls_momentum(c, &sum.lin, &sum.ang);
    for (size_t a = 0; a < c->model->n_articulations; a++) {
        dls_spatial fixed;
        if (c->model->articulations[a].tree->n_base)
            continue;
        dls_articulation_momentum(c->works[a], &fixed.lin, &fixed.ang);
        sum = dls_spatial_sub(sum, fixed);
    }
    return sum;
}

static dls_spatial at_origin(const double *impulse, dls_vec3 centre)
{
    return dls_force_at(dls_spatial_from(impulse), centre);
}

/* The generalised impulse of a body, or of a floating base, is an impulse and its moment about the centre of mass: of
 * the body, or of the root. */
static dls_spatial floating_impulse(const dls_configuration *c, const double *impulse)
{
    dls_spatial sum = {{0, 0, 0}, {0, 0, 0}};
    for (size_t i = 0; i < c->model->n_bodies; i++)
        if (c->model->bodies[i].offset != DLS_NONE)
            sum = dls_spatial_add(sum, at_origin(impulse + c->model->bodies[i].offset, c->bodies[i].x));
    for (size_t a = 0; a < c->model->n_articulations; a++)
        if (c->model->articulations[a].tree->n_base)
            sum = dls_spatial_add(sum, at_origin(impulse + c->model->articulations[a].offset, c->works[a]->links[0].c));
    return sum;
}

/* --- calls of the stages --- */

void dls_ledger_begin(dls_ledger *l, const dls_configuration *c)
{
    l->external = l->medium = l->projection = l->gravity = l->potential = l->turning = l->inertia = 0.0;
    l->sleep = l->clamp = l->impact_gain = 0.0;
    memset(l->part, 0, sizeof l->part);
    memset(l->prescribed, 0, sizeof l->prescribed);
    memset(l->by_owner, 0, l->n_owners * DLS_LEDGER_PARTS * sizeof *l->by_owner);
    l->momentum_before = floating_momentum(c);
    l->momentum_given = (dls_spatial){{0, 0, 0}, {0, 0, 0}};
    l->kinetic_before = l->frozen = dls_kinetic_energy(c);
    l->potential_before = dls_potential_energy(c);
}

static double dot_n(size_t n, const double *x, const double *y)
{
    double sum = 0.0;
    for (size_t k = 0; k < n; k++)
        sum += x[k] * y[k];
    return sum;
}

static double frozen_energy(dls_ledger *l, const dls_problem *problem, const double *v)
{
    dls_mass_multiply(&problem->mass, v, l->scratch);
    return 0.5 * dot_n(l->nv, v, l->scratch);
}

void dls_ledger_linearise(dls_ledger *l, const dls_configuration *c, const dls_state *state, const dls_problem *problem)
{
    double frozen = frozen_energy(l, problem, state->v);
    l->inertia += frozen - l->frozen;
    l->frozen = frozen;
    for (size_t i = 0; i < c->model->n_bodies; i++)
        if (c->model->bodies[i].offset != DLS_NONE)
            body_impulses(l, c, state, i, problem->h);
    for (size_t a = 0; a < c->model->n_articulations; a++)
        articulation_impulses(l, c, state, a, problem->h);
    for (size_t b = 0; b < problem->mass.n_blocks && c->n_asleep; b++)
        if (c->asleep[b]) {
            const dls_mass_block *block = &problem->mass.blocks[b];
            memset(l->impulse_gravity + block->offset, 0, block->length * sizeof *l->impulse_gravity);
            memset(l->impulse_external + block->offset, 0, block->length * sizeof *l->impulse_external);
            memset(l->impulse_medium + block->offset, 0, block->length * sizeof *l->impulse_medium);
        }
    dls_turning_impulses(c, problem->h, l->impulse_turning);
    l->at = c;
}

static void enter_work(dls_ledger *l, const dls_list_row *row, dls_ledger_part part, double work)
{
    size_t owner = row->owner < l->n_owners ? row->owner : l->n_owners - 1;
    l->part[part] += work;
    l->by_owner[owner * DLS_LEDGER_PARTS + part] += work;
}

/* The part that has the work of a row, apart from its bias. */
static dls_ledger_part part_of(const dls_problem *problem, const dls_list_row *row, size_t i)
{
    return row->role == DLS_ROLE_FRICTION ? DLS_LEDGER_FRICTION
           : row->role == DLS_ROLE_MOTOR  ? DLS_LEDGER_MOTOR
           : problem->gamma[i] > 0.0      ? DLS_LEDGER_COMPLIANCE
           : row->role == DLS_ROLE_STOP   ? DLS_LEDGER_COLLISION
                                          : DLS_LEDGER_CONSTRAINT;
}

static void enter_row(dls_ledger *l, const dls_problem *problem, const dls_list_row *row, size_t i, double impulse)
{
    double work = impulse * dls_rows_dot(&problem->J, i, l->mean), bias = 0.5 * impulse * row->bias;
    const dls_ledger_part part = part_of(problem, row, i);
    if (part == DLS_LEDGER_COLLISION || part == DLS_LEDGER_CONSTRAINT) {
        enter_work(l, row, DLS_LEDGER_BIAS, bias);
        work -= bias;
    }
    enter_work(l, row, part, work);
}

void dls_ledger_kick(dls_ledger *l, const dls_problem *problem, const dls_row_list *rows, const double *v0,
                     const double *v1, const double *lambda0, const double *lambda, bool forces)
{
    for (size_t k = 0; k < l->nv; k++)
        l->mean[k] = 0.5 * (v0[k] + v1[k]);
    memset(l->scratch, 0, l->nv * sizeof *l->scratch);
    const double *prescribed = dls_row_list_prescribed(rows);
    for (size_t i = 0; i < problem->n; i++) {
        const double impulse = lambda[i] - (lambda0 ? lambda0[i] : 0.0);
        const dls_ledger_part part = part_of(problem, &rows->row[i], i);
        enter_row(l, problem, &rows->row[i], i, impulse);
        if (prescribed && part != DLS_LEDGER_MOTOR)
            l->prescribed[part] -= impulse * prescribed[i];
        dls_rows_axpy(&problem->J, i, impulse, l->scratch);
    }
    for (size_t k = 0; k < l->nv && forces; k++)
        l->scratch[k] += l->impulse_gravity[k] + l->impulse_external[k] + l->impulse_medium[k];
    l->momentum_given = dls_spatial_add(l->momentum_given, floating_impulse(l->at, l->scratch));
    if (forces) {
        l->gravity += dot_n(l->nv, l->impulse_gravity, l->mean);
        l->external += dot_n(l->nv, l->impulse_external, l->mean);
        l->medium += dot_n(l->nv, l->impulse_medium, l->mean);
        l->turning += dot_n(l->nv, l->impulse_turning, l->mean);
    }
    l->frozen = frozen_energy(l, problem, v1);
}

void dls_ledger_drift(dls_ledger *l, const dls_configuration *c, const double *v, double h, double links)
{
    l->potential += dls_links_potential_energy(c) - links;
    for (size_t i = 0; i < c->model->n_bodies; i++) {
        const dls_body *body = &c->model->bodies[i];
        if (body->offset == DLS_NONE)
            continue;
        const double *vi = v + body->offset;
        l->potential -= h * body->mass * dls_dot(c->model->world.gravity, dls_v3(vi[0], vi[1], vi[2]));
    }
}

void dls_ledger_correct(dls_ledger *l, const dls_configuration *c, double kinetic, double potential)
{
    double gain = dls_kinetic_energy(c) - kinetic;
    l->frozen += gain; /* so that the next change of M does not count it again */
    l->projection += gain + (dls_potential_energy(c) - potential);
}

dls_spatial dls_ledger_momentum(const dls_configuration *c) { return floating_momentum(c); }

/* Enters a change of velocities that no impulse of the step has made. */
static void enter_change(dls_ledger *l, const dls_configuration *c, double kinetic, dls_spatial momentum, double *entry)
{
    const double gain = dls_kinetic_energy(c) - kinetic;
    l->frozen += gain;
    *entry += gain;
    l->momentum_given = dls_spatial_add(l->momentum_given, dls_spatial_sub(floating_momentum(c), momentum));
}

void dls_ledger_sleep(dls_ledger *l, const dls_configuration *c, double kinetic, dls_spatial momentum)
{
    enter_change(l, c, kinetic, momentum, &l->sleep);
}

void dls_ledger_clamp(dls_ledger *l, const dls_configuration *c, double kinetic, dls_spatial momentum)
{
    enter_change(l, c, kinetic, momentum, &l->clamp);
}

void dls_ledger_end(dls_ledger *l, const dls_configuration *c)
{
    l->kinetic_after = dls_kinetic_energy(c);
    l->potential_after = dls_potential_energy(c);
    l->inertia += l->kinetic_after - l->frozen;
    l->momentum_drift = dls_spatial_sub(dls_spatial_sub(floating_momentum(c), l->momentum_before), l->momentum_given);
}
