/* From rows at a configuration to the mixed LCP of one step. */
#include "problem_store.h"

#include "base/arithmetic.h"
#include "gyroscopic.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- unconstrained velocity: conventions (1) --- */

/* Implicit gyroscopic step in body coordinates: one Newton step on
 *     f(w) = I (w - w0) + h w x I w = 0  from w0:   w = w0 - (I + h (hat(w0) I - hat(I w0)))^-1 h w0 x I w0,
 * which does not blow up for a fast spin (E. Catto, "Numerical methods", GDC 2015). */
dls_vec3 dls_gyroscopic_implicit(dls_mat3 I, dls_vec3 w, double h)
{
    dls_vec3 L = dls_mul3(I, w);
    dls_mat3 wI = dls_matmul3(dls_hat(w), I), hatL = dls_hat(L), jacobian;
    for (int i = 0; i < 9; i++)
        jacobian.m[i] = I.m[i] + h * (wI.m[i] - hatL.m[i]);
    return dls_sub(w, dls_mul3(dls_inverse3(jacobian), dls_scale(h, dls_cross(w, L))));
}

static void bodies_velocity(const dls_configuration *c, const dls_state *state, double h, double *v_star)
{
    const dls_world_def *world = &c->model->world;
    const dls_mass_body *mass = c->inertias;
    for (size_t i = 0; i < c->model->n_bodies; i++) {
        const dls_body *body = &c->model->bodies[i];
        const dls_end *end = &c->bodies[i];
        if (body->offset == DLS_NONE)
            continue;
        double *v = v_star + body->offset;
        if (c->asleep[body->block]) {
            memset(v, 0, 6 * sizeof *v);
            mass++;
            continue;
        }
        const dls_spatial outer = dls_configuration_body_force(c, state, i);
        dls_vec3 omega = end->omega, torque = outer.ang;
        if (world->gyroscopic == DLS_GYROSCOPIC_EXPLICIT)
            torque = dls_sub(torque, dls_cross(omega, dls_mul3(mass->inertia, omega)));
        if (world->gyroscopic == DLS_GYROSCOPIC_IMPLICIT)
            omega = dls_mul3(end->R, dls_gyroscopic_implicit(body->inertia, dls_tmul3(end->R, omega), h));
        dls_vec3 a = dls_add(world->gravity, dls_scale(mass->inverse_mass, outer.lin));
        dls_vec3 linear = dls_add(end->v, dls_scale(h, a));
        dls_vec3 angular = dls_add(omega, dls_scale(h, dls_mul3(mass->inverse_inertia, torque)));
        v[0] = linear.x, v[1] = linear.y, v[2] = linear.z;
        v[3] = angular.x, v[4] = angular.y, v[5] = angular.z;
        mass++;
    }
}

/* Explicit Coriolis forces: v* = v + h M^-1 (tau - C - g + J^T f) by the articulated-body algorithm. Implicit ones: v*
 * = v + d + h M^-1 (tau - g + J^T f), where d is the change by C alone. */
static void articulation_velocity(const dls_configuration *c, const dls_state *state, size_t a, double h,
                                  double *v_star)
{
    const dls_articulation_load load = dls_state_load(c->model, state, a);
    const dls_spatial *outer = dls_configuration_link_forces(c, state, a);
    const dls_vec3 gravity = c->model->world.gravity;
    const double *v = c->v + c->model->articulations[a].offset, theta = dls_coriolis_theta(&c->model->world);
    dls_articulation_work *work = c->works[a];
    double *d = work->vdot;
    if (theta == 0.0) {
        dls_articulation_forward(work, load.tau, outer, gravity, v_star);
        for (size_t k = 0; k < load.nv; k++)
            v_star[k] = v[k] + h * v_star[k];
        return;
    }
    dls_articulation_applied_force(work, load.tau, outer, gravity, v_star);
    dls_articulation_solve(work, v_star, v_star);
    dls_articulation_coriolis_change(work, v, h, theta, d);
    for (size_t k = 0; k < load.nv; k++)
        v_star[k] = v[k] + d[k] + h * v_star[k];
}

static void unconstrained_velocity(const dls_configuration *c, const dls_state *state, double h, double *v_star)
{
    dls_configuration_immerse(c);
    bodies_velocity(c, state, h, v_star);
    for (size_t a = 0; a < c->model->n_articulations; a++) {
        const dls_model_articulation *articulation = &c->model->articulations[a];
        if (articulation->block != DLS_NONE && c->asleep[articulation->block])
            memset(v_star + articulation->offset, 0, articulation->tree->nv * sizeof *v_star);
        else
            articulation_velocity(c, state, a, h, v_star + articulation->offset);
    }
}

/* --- rows --- */

/* Conventions (3): c = -(ERP / T) C + u, Gamma = CFM / h; T in its place is h where positions are evaluated once per
 * step. The spring and damper f = -kp (C + T J v) - kd (J v - u), implicit over T, is the row
 *     J v + f / (T kp + kd) + (kp C - kd u) / (T kp + kd) = 0
 * whose ERP and CFM are those of conventions (Spring and damper) with T for h. Gains for a unit of effective mass are
 * kp / a and kd / a, a = J M^-1 J^T the inverse of the row's own effective mass when the problem was made: 1 / a
 * cancels in ERP, and a row that nothing can move (a = 0) is rigid. Such are those by frequency, kp = w^2 and kd = 2 z
 * w with w = 2 pi frequency and damping ratio z: a lone row then oscillates at that frequency, whatever it holds. With
 * a force F in addition, f - F is the force of the spring, and c contains CFM F. The force of a spring that closes a
 * gap within T depends on the depth at the end of T, f = -(kp + kd / T) (C + T J v): ERP = 1. */
typedef struct softness {
    double erp, cfm, speed, fed; /* speed: the share of u in c; fed: CFM F */
} softness;

static softness soften(const dls_list_row *row, double T)
{
    const dls_row_spring *spring = row->spring;
    if (!spring)
        return (softness){row->erp, row->cfm, 1.0, 0.0};
    const double stiff = T * spring->kp + spring->kd, cfm = spring->mobility / stiff;
    return (softness){row->gap ? 1.0 : T * spring->kp / stiff, cfm, spring->kd / stiff, cfm * spring->feed};
}

bool dls_list_row_rigid(const dls_list_row *row, double T) { return soften(row, T).cfm == 0.0; }

/* Sets the row's bias, and computes its c and CFM. */
static void put_bias(dls_list_row *row, dls_time_base T, double *c, double *cfm)
{
    const double time = row->gap ? T.gap : T.error;
    const softness s = soften(row, time);
    const double error = -(s.erp / time) * row->C;
    row->bias = row->gap || s.cfm > 0.0 ? 0.0 : error;
    *c = s.speed * row->u + error + s.fed;
    *cfm = s.cfm;
}

double dls_list_row_bias(dls_list_row *row, dls_time_base T)
{
    double c, cfm;
    put_bias(row, T, &c, &cfm);
    return row->bias;
}

/* The velocity of a row is J v and the part of its kinematic ends. */
static void put_prescribed(dls_problem *p, const dls_row_list *list)
{
    const double *prescribed = dls_row_list_prescribed(list);
    for (size_t i = 0; prescribed && i < p->n; i++)
        p->c[i] -= prescribed[i];
}

void dls_problem_refresh(dls_problem *p, dls_row_list *list, dls_time_base T)
{
    for (size_t i = 0; i < p->n; i++) {
        double cfm;
        put_bias(&list->row[i], T, &p->c[i], &cfm);
        p->gamma[i] = cfm / p->h;
    }
    put_prescribed(p, list);
}

enum { AHEAD = 64 }; /* rows between the one that is read and the one that the cache fetches */

/* Fills all rows by conventions (3), (4) and (5), whose bounds are impulses. Returns whether all numbers are valid. */
static bool put_rows(dls_problem *p, dls_row_list *list)
{
    bool ok = list->finite;
    for (size_t i = 0; i < p->n; i++) {
        dls_list_row *row = &list->row[i];
        __builtin_prefetch(&list->row[i + AHEAD < p->n ? i + AHEAD : i]);
        const bool coupled = row->law != DLS_LAW_FIXED, cone = dls_law_has_discs((dls_law)row->law);
        const double lo = coupled ? 0.0 : p->h * row->lo, hi = coupled ? 0.0 : p->h * row->hi;
        double c, cfm;
        put_bias(row, (dls_time_base){p->h, p->h}, &c, &cfm);
        const double gamma = cfm / p->h;
        p->gamma[i] = gamma;
        p->c[i] = c;
        p->lo[i] = lo;
        p->hi[i] = hi;
        p->mu[i] = row->mu;
        p->parent[i] = row->after ? i - row->after : DLS_NONE;
        p->law[i] = (dls_law)row->law;
        p->n_coupled += coupled;
        p->n_cone += cone;
        ok &= (lo <= hi) & (lo < HUGE_VAL) & (hi > -HUGE_VAL) & (gamma >= 0.0) & (gamma < HUGE_VAL) & (row->mu >= 0.0) &
              (row->mu < HUGE_VAL) & (fabs(c) < HUGE_VAL);
    }
    for (size_t j = 0; j < p->nv; j++)
        ok &= fabs(p->v_star[j]) < HUGE_VAL;
    return ok;
}

/* Names the row, by its joint, or the velocity that is not valid. */
static dls_status name_invalid_number(const dls_problem *p, const dls_model *model, const dls_row_list *list,
                                      dls_error *error)
{
    for (size_t i = 0; i < p->n; i++) {
        dls_error why;
        const dls_list_row *row = &list->row[i];
        const dls_status status = dls_problem_check_row(p, i, &why);
        if (status != DLS_OK && row->owner < model->n_joints)
            return dls_fail(error, status, "joint '%s', %s: %s", model->joints[row->owner].name, row->label,
                            why.message);
        if (status != DLS_OK)
            return dls_fail(error, status, "contact %zu, %s: %s", row->owner - model->n_joints, row->label,
                            why.message);
    }
    return dls_problem_check(p, error);
}

dls_status dls_problem_assemble(dls_problem *p, const dls_configuration *c, const dls_state *state, dls_row_list *list,
                                double h, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    const dls_model *model = c->model;
    dls_arena *arena = &p->store->arena;
    if (!(h > 0.0) || !isfinite(h))
        return dls_fail(error, DLS_BAD_ARGUMENT, "the time step must be positive and finite, not %g", h);
    dls_arena_reset_for(arena, list->n * (5 * sizeof(double) + sizeof(size_t) + sizeof(dls_law)) +
                                   model->nv * sizeof(double) + model->n_blocks * sizeof(dls_mass_block) + 1024);
    memcpy(p->name, model->name, sizeof p->name);
    p->form = DLS_FORM_MECHANICAL;
    p->h = h;
    p->n = list->n;
    p->nv = model->nv;
    p->n_coupled = p->n_cone = 0;
    p->J = list->J;
    p->mass.blocks = DLS_TAKE(arena, dls_mass_block, model->n_blocks);
    DLS_TRY(dls_problem_take(p, error));
    dls_mass_at(c, &p->mass);
    if (state)
        unconstrained_velocity(c, state, h, p->v_star);
    else
        memset(p->v_star, 0, p->nv * sizeof *p->v_star);
    p->store->rows = list;
    const bool ok = put_rows(p, list);
    put_prescribed(p, list);
    return ok ? DLS_OK : name_invalid_number(p, model, list, error);
}

void dls_owner_name(const dls_model *model, const dls_contacts *contacts, size_t owner, char *text, size_t size)
{
    const size_t n_joints = dls_model_count(model).joints;
    char name[2][2 * DLS_NAME_MAX];
    if (owner < n_joints) {
        snprintf(text, size, "%s", dls_model_joints(model)[owner].name);
        return;
    }
    for (int i = 0; i < 2; i++)
        dls_model_end_name(model, contacts->at[owner - n_joints].body[i], name[i], sizeof name[i]);
    snprintf(text, size, "contact %zu of %s on %s", owner - n_joints, name[0], name[1]);
}

/* The names of the owners of rows; the rows of an owner are adjacent. */
static dls_status keep_owners(dls_problem *p, const dls_model *model, const dls_contacts *contacts, dls_error *error)
{
    const dls_list_row *row = p->store->rows->row;
    const char **owners = DLS_TAKE(&p->store->arena, const char *, p->n);
    char name[6 * DLS_NAME_MAX];
    if (!owners)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the names of %zu rows", p->n);
    for (size_t i = 0; i < p->n; i++) {
        if (i && row[i].owner == row[i - 1].owner) {
            owners[i] = owners[i - 1];
            continue;
        }
        dls_owner_name(model, contacts, row[i].owner, name, sizeof name);
        DLS_TRY(dls_problem_keep_text(p, name, strlen(name), &owners[i], error));
    }
    p->store->owners = owners;
    return DLS_OK;
}

/* A problem that stands alone keeps its configuration, its list and the names of its joints. */
static dls_status assemble_alone(dls_problem *p, const dls_model *model, const dls_state *state,
                                 const dls_contacts *contacts, double h, dls_error *error)
{
    dls_problem_store *memory = p->store;
    DLS_TRY(dls_state_check(model, state, error));
    DLS_TRY(dls_configuration_create(model, &memory->configuration, error));
    DLS_TRY(dls_row_list_create(&memory->rows, error));
    memory->owns_rows = true;
    dls_configuration_evaluate(memory->configuration, state);
    DLS_TRY(dls_configuration_factor(memory->configuration, error));
    DLS_TRY(dls_row_list_fill(memory->rows, memory->configuration, contacts, h, error));
    DLS_TRY(dls_problem_assemble(p, memory->configuration, state, memory->rows, h, error));
    return keep_owners(p, model, contacts, error);
}

dls_status dls_problem_create(const dls_model *model, const dls_state *state, const dls_contacts *contacts, double h,
                              dls_problem **problem, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    DLS_TRY(dls_problem_allocate(0, 0, 0, 0, 0, problem, error));
    dls_status status = assemble_alone(*problem, model, state, contacts, h, error);
    if (status != DLS_OK) {
        dls_problem_destroy(*problem);
        *problem = NULL;
    }
    return status;
}
