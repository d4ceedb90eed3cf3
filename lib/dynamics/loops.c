/* This folder answers questions of dynamics about a model at one state, from problems that it assembles; it steps
 * nothing.
 *
 * Inverse dynamics with loops. physx-articulations, Loop Joints, Coefficient Matrix, and Lambda Constraint Impulses.
 *
 * UNKNOWNS. The tree alone needs n = M vdot + C + g - J_l^T f. With loops and motors on the degrees of freedom a
 * (P_a selects them, P_p = 1 - P_a the passive ones)
 *     n = tau + J^T lambda,   P_p tau = 0     <=>     P_p J^T lambda = P_p n,   tau = P_a (n - J^T lambda)
 * lambda is unique if the rank of the passive columns J_p is the number of rows; tau and J^T lambda are unique if it is
 * the rank of J. With a fixed base and a motor in every joint there are no passive ones and any lambda is a solution:
 * the self-stresses of the loop are arbitrary. In the source lambda has an entry for each joint; it needs one for each
 * row.
 *
 * THE ITERATION. The source: joint forces that counteract the forces of the loops change these, and the two are
 * repeated until they agree. The motion under tau_k = P_a (n - J^T lambda_k) has, with A = J M^-1 J^T and J vdot =
 * gamma,
 *     M vdot' = M vdot - n + tau_k + J^T lambda_{k+1},   J vdot' = gamma
 *     =>   A lambda_{k+1} = J M^-1 (n - tau_k) = J M^-1 (P_a J^T lambda_k + P_p n)
 * so an error e of lambda, measured where A sees it, becomes
 *     e_{k+1} = G e_k,   G = A^+ J M^-1 P_a J^T = 1 - A^+ J M^-1 P_p J^T     (on the range of A)
 * Its fixed points solve J M^-1 P_p (n - J^T lambda) = 0, as every solution of the first line does. It converges if the
 * eigenvalues of G other than 1 are within the unit circle, with the largest modulus of these; along eigenvectors to 1
 * lambda is not unique, and remains as it is at the start. Without passive joints G = 1: lambda remains 0, and the
 * forces of the tree alone are sufficient; if all joints are passive G = 0, and one iteration is forward dynamics. In
 * between the spectral radius of G, which is not a symmetric product, may exceed 1: with a heavy passive link the
 * iteration diverges, and only the direct solution (reference/direct) is available. If an iteration consists of s
 * sweeps of an iterative solver with lambda <- H lambda + P^-1 (...), the error is instead
 *     e_{k+1} = (H^s + sum_{j<s} H^j P^-1 J M^-1 P_a J^T) e_k
 *
 * LIBRARIES. The rows, M and n belong to the mechanism, and the problem w = J vdot - gamma in accelerations is a mixed
 * LCP like any other. So lib builds it and passes it to a given solver, as a scheme does, without depending on one. The
 * direct solution needs the rank of a dense matrix, and is part of the reference.
 *
 * gamma = -J' v by the central difference of the fourth order of g(s) = J(q (+) s v) v,
 *     g'(0) = (8 (g(s) - g(-s)) - (g(2s) - g(-2s))) / (12 s) + O(s^4)
 */
#include "delassus/loops.h"

#include "base/memory.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dls_loops_inside {
    dls_configuration *now, *moved;
    dls_row_list *all, *kept; /* all rows; those of `problem` */
    dls_state *state;
    dls_contacts followed;
    bool *keep;               /* of each row of `all` */
    double *before, *scratch; /* n: impulses; nv */
    size_t keep_capacity, gamma_capacity, before_capacity;
};

/* --- create, destroy --- */

static dls_status make_arrays(dls_loops *l, dls_error *error)
{
    struct dls_loops_inside *in = l->inside;
    const dls_model *model = l->model;
    l->actuated = calloc(l->nv + 1, sizeof *l->actuated);
    l->joints = calloc(model->n_joints + 1, sizeof *l->joints);
    l->absent = calloc(model->n_joints + 1, sizeof *l->absent);
    l->vdot = calloc(3 * l->nv + 1, sizeof *l->vdot);
    if (!l->actuated || !l->joints || !l->absent || !l->vdot)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the loops of %zu joints", model->n_joints);
    l->needed = l->vdot + l->nv;
    in->scratch = l->needed + l->nv;
    for (size_t a = 0; a < model->n_articulations; a++)
        for (size_t k = model->articulations[a].tree->n_base; k < model->articulations[a].tree->nv; k++)
            l->actuated[model->articulations[a].offset + k] = true;
    DLS_TRY(dls_state_create(model, &in->state, error));
    DLS_TRY(dls_configuration_create(model, &in->now, error));
    DLS_TRY(dls_configuration_create(model, &in->moved, error));
    DLS_TRY(dls_row_list_create(&in->all, error));
    DLS_TRY(dls_row_list_create(&in->kept, error));
    return dls_problem_allocate(0, 0, 0, 0, 0, &l->problem, error);
}

dls_status dls_loops_create(const dls_model *model, dls_loops **loops, dls_error *error)
{
    dls_loops *l = *loops = calloc(1, sizeof *l);
    if (l)
        l->inside = calloc(1, sizeof *l->inside);
    if (!l || !l->inside) {
        free(l);
        *loops = NULL;
        return dls_fail(error, DLS_NO_MEMORY, "no memory for loops");
    }
    l->model = model;
    l->nv = model->nv;
    dls_status status = make_arrays(l, error);
    if (status != DLS_OK) {
        dls_loops_destroy(l);
        *loops = NULL;
    }
    return status;
}

void dls_loops_destroy(dls_loops *l)
{
    if (!l)
        return;
    struct dls_loops_inside *in = l->inside;
    dls_problem_destroy(l->problem);
    dls_row_list_destroy(in->all);
    dls_row_list_destroy(in->kept);
    dls_configuration_destroy(in->now);
    dls_configuration_destroy(in->moved);
    dls_state_destroy(in->state);
    dls_contacts_release(&l->contacts);
    dls_contacts_release(&in->followed);
    free(in->keep);
    free(in->before);
    free(in);
    free(l->gamma);
    free(l->vdot);
    free(l->absent);
    free(l->joints);
    free(l->actuated);
    free(l);
}

/* --- registering --- */

/* The reason for which a row cannot belong to a loop; NULL if it can. */
static const char *objection(const dls_list_row *row)
{
    if (row->role != DLS_ROLE_JOINT && row->role != DLS_ROLE_STOP)
        return "holds no position: its force is given and not found";
    if (!dls_list_row_rigid(row, 1.0))
        return "has a spring or compliance: its force follows from positions";
    if (row->role == DLS_ROLE_JOINT && (row->lo != -HUGE_VAL || row->hi != HUGE_VAL))
        return "has force bounds";
    return NULL;
}

/* Evaluates all rows at a configuration, with the contacts of that configuration. */
static dls_status rows_at(dls_loops *l, dls_configuration *c, const dls_contacts *contacts, dls_error *error)
{
    DLS_TRY(dls_configuration_factor(c, error));
    return dls_row_list_fill(l->inside->all, c, contacts, 1.0, error);
}

static dls_status rows_at_the_start(dls_loops *l, dls_error *error)
{
    dls_configuration_evaluate(l->inside->now, l->model->initial);
    return rows_at(l, l->inside->now, NULL, error);
}

/* The first of the joint's rows at the initial state that cannot be registered. */
static const dls_list_row *refused_row(const dls_loops *l, size_t joint)
{
    const dls_row_list *all = l->inside->all;
    for (size_t i = 0; i < all->n; i++)
        if (all->row[i].owner == joint && objection(&all->row[i]))
            return &all->row[i];
    return NULL;
}

dls_status dls_loops_add_joint(dls_loops *l, size_t joint, dls_error *error)
{
    if (joint >= l->model->n_joints || l->joints[joint])
        return dls_fail(error, DLS_BAD_ARGUMENT,
                        joint < l->model->n_joints ? "joint '%s' is registered already" : "there is no such joint",
                        joint < l->model->n_joints ? l->model->joints[joint].name : "");
    DLS_TRY(rows_at_the_start(l, error));
    const dls_list_row *row = refused_row(l, joint);
    if (row)
        return dls_fail(error, DLS_REFUSED, "joint '%s' closes no loop: its row '%s' %s", l->model->joints[joint].name,
                        row->label, objection(row));
    l->joints[joint] = true;
    return DLS_OK;
}

dls_status dls_loops_add_all(dls_loops *l, size_t *left_out, dls_error *error)
{
    size_t refused = 0;
    DLS_TRY(rows_at_the_start(l, error));
    for (size_t j = 0; j < l->model->n_joints; j++) {
        l->joints[j] = !refused_row(l, j);
        refused += !l->joints[j];
    }
    if (left_out)
        *left_out = refused;
    return DLS_OK;
}

dls_status dls_loops_remove_joint(dls_loops *l, size_t joint, dls_error *error)
{
    if (joint >= l->model->n_joints || !l->joints[joint])
        return dls_fail(error, DLS_BAD_ARGUMENT, "there is no registered joint %zu", joint);
    l->joints[joint] = false;
    return DLS_OK;
}

dls_status dls_loops_add_contact(dls_loops *l, const dls_contact *contact, dls_error *error)
{
    dls_contacts *to = &l->contacts;
    if (!DLS_GROW(to->at, to->capacity, to->count + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu contacts", to->count + 1);
    to->at[to->count] = *contact;
    to->at[to->count].rolling = to->at[to->count].torsion = 0.0;
    to->at[to->count].anisotropic = false;
    to->at[to->count++].mu = 0.0;
    return DLS_OK;
}

void dls_loops_remove_contacts(dls_loops *l) { l->contacts.count = 0; }

/* --- at a state --- */

/* Selects the closed rows of registered owners. */
static dls_status select_rows(dls_loops *l, dls_error *error)
{
    struct dls_loops_inside *in = l->inside;
    if (!DLS_GROW(in->keep, in->keep_capacity, in->all->n + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", in->all->n);
    l->open = 0;
    for (size_t i = 0; i < in->all->n; i++) {
        const dls_list_row *row = &in->all->row[i];
        in->keep[i] = (row->owner >= l->model->n_joints || l->joints[row->owner]) && !row->gap;
        l->open += row->gap && (row->owner >= l->model->n_joints || l->joints[row->owner]);
    }
    return DLS_OK;
}

/* Finds the registered joints without rows. */
static void note_absent(dls_loops *l, const dls_state *state)
{
    l->n_absent = 0;
    for (size_t j = 0; j < l->model->n_joints; j++) {
        const bool absent = l->joints[j] && l->inside->now->idle[j];
        l->absent[j] = !absent ? NULL : state->broken[j] ? "broken" : "asleep";
        l->n_absent += absent;
    }
}

void dls_loops_absent_text(const dls_loops *l, char *text, size_t size)
{
    char one[DLS_NAME_MAX + 32];
    size_t used = 0, named = 0;
    const size_t room = 32; /* for the number of those that are not named */
    if (size > 0)
        *text = '\0';
    for (size_t j = 0; j < l->model->n_joints; j++) {
        if (!l->absent[j])
            continue;
        const int length =
            snprintf(one, sizeof one, "%sjoint '%s' is %s", named ? ", " : "", l->model->joints[j].name, l->absent[j]);
        if (used + (size_t)length + room >= size)
            break;
        memcpy(text + used, one, (size_t)length + 1);
        used += (size_t)length;
        named++;
    }
    if (named < l->n_absent && size > used)
        snprintf(text + used, size - used, "%s%zu%s", named ? ", and " : "", l->n_absent - named,
                 named ? " more" : " joints have no rows");
}

/* Computes n = M vdot + C + g - J_l^T f, without the applied forces on passive degrees of freedom. */
static void put_needed(dls_loops *l, const dls_state *state)
{
    const dls_model *model = l->model;
    const dls_configuration *c = l->inside->now;
    const dls_mass_body *inertia = c->inertias;
    dls_configuration_immerse(c);
    for (size_t i = 0; i < model->n_bodies; i++) {
        const dls_body *body = &model->bodies[i];
        if (body->offset == DLS_NONE)
            continue;
        double *to = l->needed + body->offset;
        const double *a = l->vdot + body->offset;
        const dls_vec3 omega = c->bodies[i].omega, L = dls_mul3(inertia->inertia, omega);
        const dls_vec3 turning = model->world.gyroscopic == DLS_GYROSCOPIC_NONE ? dls_v3(0, 0, 0) : dls_cross(omega, L);
        const dls_vec3 linear = dls_sub(dls_v3(a[0], a[1], a[2]), model->world.gravity);
        const dls_vec3 force = dls_sub(dls_scale(body->mass, linear), dls_add(body->force, c->medium[i].lin));
        const dls_vec3 spin = dls_add(dls_mul3(inertia->inertia, dls_v3(a[3], a[4], a[5])), turning);
        const dls_vec3 torque = dls_sub(spin, dls_add(body->torque, c->medium[i].ang));
        to[0] = force.x, to[1] = force.y, to[2] = force.z;
        to[3] = torque.x, to[4] = torque.y, to[5] = torque.z;
        inertia++;
    }
    for (size_t a = 0; a < model->n_articulations; a++) {
        const size_t offset = model->articulations[a].offset;
        dls_articulation_inverse(c->works[a], l->vdot + offset, dls_configuration_link_forces(c, state, a),
                                 model->world.gravity, l->needed + offset);
    }
    for (size_t k = 0; k < l->nv; k++)
        l->needed[k] -= l->actuated[k] ? 0.0 : state->force[k];
}

/* J v of the kept rows at q (+) s v, times `weight`, is added to gamma. */
static dls_status add_rates(dls_loops *l, const dls_state *state, double s, double weight, dls_error *error)
{
    struct dls_loops_inside *in = l->inside;
    dls_state_copy(in->state, state);
    dls_configuration_advance(in->now, in->moved, in->state, state->v, s, true);
    in->followed.count = l->contacts.count;
    for (size_t k = 0; k < l->contacts.count; k++)
        in->followed.at[k] = dls_contact_follow(in->moved, &l->contacts.at[k]);
    DLS_TRY(rows_at(l, in->moved, &in->followed, error));
    for (size_t i = 0, kept = 0; i < in->all->n; i++)
        if (in->keep[i])
            l->gamma[kept++] -= weight * dls_rows_dot(&in->all->J, i, state->v);
    return DLS_OK;
}

static dls_status put_gamma(dls_loops *l, const dls_state *state, dls_error *error)
{
    static const double weights[] = {1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0}, places[] = {-2, -1, 1, 2};
    double fastest = 0.0;
    memset(l->gamma, 0, l->n * sizeof *l->gamma);
    for (size_t k = 0; k < l->nv; k++)
        fastest = fmax(fastest, fabs(state->v[k]));
    const double s = 5e-4 / fastest; /* truncation (s v)^4 / 30 and rounding eps / (s v), each about 1e-12 */
    for (int k = 0; k < 4 && fastest > 0.0; k++)
        DLS_TRY(add_rates(l, state, places[k] * s, weights[k] / s, error));
    return DLS_OK;
}

dls_status dls_loops_prepare(dls_loops *l, const dls_state *state, const double *vdot, dls_error *error)
{
    struct dls_loops_inside *in = l->inside;
    l->n = l->n_absent = 0;
    memset(l->absent, 0, l->model->n_joints * sizeof *l->absent);
    DLS_TRY(dls_state_check(l->model, state, error));
    for (size_t k = 0; k < l->nv; k++)
        if (vdot && !isfinite(vdot[k]))
            return dls_fail(error, DLS_NOT_FINITE, "acceleration %zu is not finite", k);
    if (vdot)
        memcpy(l->vdot, vdot, l->nv * sizeof *vdot);
    else
        memset(l->vdot, 0, l->nv * sizeof *l->vdot);
    dls_configuration_evaluate(in->now, state);
    for (size_t i = 0; i < l->model->n_bodies && l->model->n_prescribed; i++)
        if (dls_configuration_prescribed(in->now, i))
            return dls_fail(
                error, DLS_REFUSED,
                "inverse dynamics with loops takes no kinematic body that moves, as '%s' does; make it static",
                l->model->bodies[i].name);
    DLS_TRY(rows_at(l, in->now, &l->contacts, error));
    DLS_TRY(select_rows(l, error));
    note_absent(l, state);
    DLS_TRY(dls_row_list_filter(in->kept, in->all, in->keep, error));
    DLS_TRY(dls_problem_assemble(l->problem, in->now, NULL, in->kept, 1.0, error));
    l->n = l->problem->n;
    if (!DLS_GROW(l->gamma, in->gamma_capacity, 2 * l->n + 1) || !DLS_GROW(in->before, in->before_capacity, l->n + 1) ||
        !DLS_GROW(in->followed.at, in->followed.capacity, l->contacts.count + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", l->n);
    l->C = l->gamma + l->n;
    for (size_t i = 0; i < l->n; i++)
        l->C[i] = in->kept->row[i].C;
    DLS_TRY(put_gamma(l, state, error));
    memcpy(l->problem->c, l->gamma, l->n * sizeof *l->gamma);
    dls_configuration_set_velocity(in->now, state->v);
    put_needed(l, state);
    memset(in->scratch, 0, l->nv * sizeof *in->scratch);
    dls_loops_put_forces(l, in->scratch);
    return DLS_OK;
}

/* --- forces --- */

void dls_loops_coefficients(const dls_loops *l, double *K, size_t ld)
{
    for (size_t i = 0; i < l->n; i++) {
        memset(K + i * ld, 0, l->nv * sizeof *K);
        dls_rows_axpy(&l->problem->J, i, 1.0, K + i * ld);
    }
}

double dls_loops_joint_forces(const dls_loops *l, const double *lambda, double *tau)
{
    double missed = 0.0;
    memcpy(tau, l->needed, l->nv * sizeof *tau);
    for (size_t i = 0; i < l->n; i++)
        dls_rows_axpy(&l->problem->J, i, -lambda[i], tau);
    for (size_t k = 0; k < l->nv; k++)
        if (!l->actuated[k]) {
            missed = fmax(missed, fabs(tau[k]));
            tau[k] = 0.0;
        }
    return missed;
}

void dls_loops_put_forces(dls_loops *l, const double *tau)
{
    double *force = l->inside->scratch, *v_star = l->problem->v_star;
    for (size_t k = 0; k < l->nv; k++)
        force[k] = tau[k] - l->needed[k];
    dls_mass_solve(&l->problem->mass, force, v_star);
    for (size_t k = 0; k < l->nv; k++)
        v_star[k] += l->vdot[k];
}

/* --- the source's iteration --- */

static double largest_entry(size_t n, const double *x)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++)
        most = isnan(x[i]) ? HUGE_VAL : fmax(most, fabs(x[i]));
    return most;
}

/* One turn of the iteration, after which `before` holds the changes of lambda. */
static dls_status feedback_turn(dls_loops *l, dls_solver_work *work, size_t sweeps, double *lambda, double *tau,
                                dls_report *report, dls_error *error)
{
    double *before = l->inside->before;
    memcpy(before, lambda, l->n * sizeof *lambda);
    (void)dls_loops_joint_forces(l, lambda, tau);
    dls_loops_put_forces(l, tau);
    DLS_TRY(dls_solver_load(work, l->problem, lambda, report, error));
    if (report->outcome == DLS_OUTCOME_REFUSED)
        return dls_fail(error, DLS_REFUSED, "%s refuses the loops: %s", work->solver->name, report->message);
    DLS_TRY(dls_solver_run(work, sweeps, lambda, report, NULL, NULL, error));
    for (size_t i = 0; i < l->n; i++)
        before[i] = lambda[i] - before[i];
    return DLS_OK;
}

dls_status dls_loops_feedback(dls_loops *l, const dls_loops_options *options, double *lambda, double *tau,
                              dls_loops_report *report, dls_error *error)
{
    dls_solver_work work = {.solver = options->solver, .settings = options->settings};
    dls_report solve = {0};
    *report = (dls_loops_report){.rate = NAN};
    if (!options->solver || options->sweeps == 0)
        return dls_fail(error, DLS_BAD_ARGUMENT, "the iteration needs a solver, and a sweep of it at least");
    dls_status status = DLS_OK;
    while (report->turns < options->limit && !report->converged) {
        const double last = report->change;
        status = feedback_turn(l, &work, options->sweeps, lambda, tau, &solve, error);
        if (status != DLS_OK)
            break;
        report->change = largest_entry(l->n, l->inside->before);
        if (solve.outcome == DLS_OUTCOME_NO_SOLUTION || !(report->change < HUGE_VAL)) {
            snprintf(report->message, sizeof report->message, "turn %zu: %.200s", report->turns + 1,
                     solve.outcome == DLS_OUTCOME_NO_SOLUTION ? solve.message : "a force is not finite");
            break;
        }
        report->rate = report->turns++ > 1 ? report->change / last : NAN;
        report->converged = report->change <= options->tolerance * largest_entry(l->n, lambda);
    }
    if (status == DLS_OK && !report->converged && !report->message[0])
        snprintf(report->message, sizeof report->message,
                 "the forces still change by %.3g after %zu turns, %.3g times as much as in the turn before",
                 report->change, report->turns, report->rate);
    dls_report_release(&solve);
    dls_solver_release(&work);
    report->missed = dls_loops_joint_forces(l, lambda, tau);
    return status;
}
