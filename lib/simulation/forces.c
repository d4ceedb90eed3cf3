/* Forces of the last step, averaged over it: of rows, of the joints of articulations, and on sensors.
 *
 * All are those of the last linearisation, at its positions q and velocities v: a row's force is lambda / h along its
 * Jacobian there. The step's accelerations are (v+ - v) / h with v+ = v* + M^-1 J^T lambda, which solve
 *
 *     M(q) vdot + C(q, v) + g(q) = tau + J_links^T f + J^T lambda / h
 *
 * to rounding, for any solver, converged or not. (If Coriolis and centrifugal forces are not explicit, they change the
 * velocity by d in place of -h M^-1 C(q, v); vdot is then computed without the difference.) With lambda / h among the
 * external forces of each link, inverse dynamics therefore returns tau and the forces of rows on coordinates, and its
 * sum from the leaves to the root is the wrench that each joint of a tree transmits (rnea.c). For a step with several
 * substeps, the forces are those of the last one.
 *
 * A SENSOR sums forces on its link. The source (physx-articulations, Articulation Link Sensors) does not specify which
 * forces and which frame. Here the link is a free body in the sense of statics: its weight, the rows of joints and
 * contacts, and the tree's joints to its parent and its children can each be selected. Their total is the rate of the
 * link's momentum; without weight it is the reading of an accelerometer times the mass; without the tree it is the
 * force of all other parts that touch the link. The incoming joint alone, as for a force gauge in a wrist, is the
 * link's own entry in the table of wrenches, and the value of a sensor with `incoming`, about its origin and in its
 * axes.
 */
#include "parts.h"

#include "model/model.h"
#include "problem/gyroscopic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Arrays of the last step's forces, in one block each. */
typedef struct dls_force_store {
    dls_spatial *rows, *incoming; /* n_ends: sums of row forces on each end; incoming wrenches, at centres of mass */
    dls_spatial *outer;           /* n_ends: scratch, all outer forces but the weight */
    double *vdot, *scratch;       /* nv */
    bool current;
} dls_force_store;

/* --- rows --- */

size_t dls_forces_first_row(const dls_row_list *rows, size_t owner)
{
    size_t low = 0, high = rows->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rows->row[middle].owner < owner)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add_impulse(dls_spatial *force, double s, const double J[6])
{
    force->lin = dls_add(force->lin, dls_scale(s, dls_v3(J[0], J[1], J[2])));
    force->ang = dls_add(force->ang, dls_scale(s, dls_v3(J[3], J[4], J[5])));
}

static dls_status check_stepped(const dls_simulation *s, dls_error *error)
{
    return s->linearised ? DLS_OK : dls_fail(error, DLS_BAD_ARGUMENT, "there are no forces before the first step");
}

dls_status dls_simulation_forces_of(const dls_simulation *s, size_t owner, dls_constraint_force *force,
                                    dls_error *error)
{
    const size_t n_joints = s->model->n_joints;
    *force = (dls_constraint_force){0};
    DLS_TRY(check_stepped(s, error));
    if (owner >= n_joints + s->listed->count)
        return dls_fail(error, DLS_BAD_ARGUMENT, "there are %zu joints and %zu contacts, and no number %zu", n_joints,
                        s->listed->count, owner);
    dls_row rows[DLS_JOINT_ROWS_MAX];
    const double h = s->problem->h;
    size_t count = owner < n_joints ? dls_rows_of_joint(s->linearised, &s->model->joints[owner], h, rows)
                                    : dls_rows_of_contact(s->linearised, &s->listed->at[owner - n_joints], h, rows);
    const double *lambda = s->lambda + dls_forces_first_row(s->rows, owner);
    for (size_t r = 0; r < count; r++) {
        add_impulse(&force->end[0], lambda[r] / h, rows[r].J1);
        add_impulse(&force->end[1], lambda[r] / h, rows[r].J2);
        force->along_sum += lambda[r] / h * rows[r].Jy;
    }
    return DLS_OK;
}

void dls_simulation_owner_name(const dls_simulation *s, size_t owner, char *text, size_t size)
{
    dls_owner_name(s->model, s->listed, owner, text, size);
}

dls_status dls_simulation_row(const dls_simulation *s, size_t i, dls_row_force *row, dls_error *error)
{
    *row = (dls_row_force){0};
    DLS_TRY(check_stepped(s, error));
    if (i >= s->problem->n)
        return dls_fail(error, DLS_BAD_ARGUMENT, "the last step had %zu rows, and no number %zu", s->problem->n, i);
    row->owner = s->rows->row[i].owner;
    row->label = s->rows->row[i].label;
    row->impulse = s->lambda[i];
    row->force = s->lambda[i] / s->problem->h;
    row->angular = s->rows->row[i].angular;
    row->status = dls_problem_row_status(s->problem, i, s->lambda);
    return DLS_OK;
}

/* --- the joints of trees --- */

static dls_force_store *store_of(dls_simulation *s)
{
    const size_t ends = s->model->n_ends, nv = s->model->nv;
    if (s->forces)
        return s->forces;
    dls_force_store *store = calloc(1, sizeof *store + 3 * ends * sizeof(dls_spatial) + 2 * nv * sizeof(double));
    if (!store)
        return NULL;
    store->rows = (dls_spatial *)(store + 1);
    store->incoming = store->rows + ends;
    store->outer = store->incoming + ends;
    store->vdot = (double *)(store->outer + ends);
    store->scratch = store->vdot + nv;
    return s->forces = store;
}

/* A force along a sum of coordinates acts on the ends of the joints between bodies and links that provide them. */
static void sum_terms(const dls_simulation *s, const dls_joint *joint, double along, dls_spatial *sum)
{
    for (size_t k = 0; k < joint->n_terms; k++) {
        const dls_term *term = &joint->terms[k];
        if (term->dof != DLS_NONE)
            continue;
        const dls_joint *of = &s->model->joints[term->joint];
        dls_end end[2];
        dls_row row = {0};
        dls_configuration_ends(s->linearised, of, end);
        of->type->coordinate(of, end, &row);
        for (int i = 0; i < 2; i++)
            if (of->body[i] != DLS_WORLD)
                add_impulse(&sum[of->body[i]], along * s->linearised->slopes[term->number], i == 0 ? row.J1 : row.J2);
    }
}

static dls_status sum_rows(const dls_simulation *s, dls_spatial *sum, dls_error *error)
{
    const size_t n_joints = s->model->n_joints;
    memset(sum, 0, s->model->n_ends * sizeof *sum);
    for (size_t owner = 0; owner < n_joints + s->listed->count; owner++) {
        dls_constraint_force force;
        const size_t *ends = owner < n_joints ? s->model->joints[owner].body : s->listed->at[owner - n_joints].body;
        DLS_TRY(dls_simulation_forces_of(s, owner, &force, error));
        for (int i = 0; i < 2; i++)
            if (ends[i] != DLS_WORLD)
                sum[ends[i]] = dls_spatial_add(sum[ends[i]], force.end[i]);
        if (owner < n_joints)
            sum_terms(s, &s->model->joints[owner], force.along_sum, sum);
    }
    return DLS_OK;
}

static dls_spatial applied_force(const dls_simulation *s, size_t end)
{
    size_t link;
    const dls_model_articulation *articulation = dls_model_articulation_of(s->model, end, &link);
    dls_spatial force = s->linearised->medium[end];
    const double *f = NULL;
    if (articulation) {
        force = dls_spatial_add(force, s->start->link_force[end - s->model->n_bodies]);
        f = link == 0 && articulation->tree->n_base ? s->start->force + articulation->offset : NULL;
    } else if (s->model->bodies[end].offset != DLS_NONE) {
        const dls_body *body = &s->model->bodies[end];
        force = dls_spatial_add(force, (dls_spatial){body->force, body->torque});
        f = s->start->force + s->model->bodies[end].offset;
    }
    return f ? dls_spatial_add(force, dls_spatial_from(f)) : force;
}

/* From the acceleration of a step to that which explicit Coriolis and centrifugal forces would give. */
static void make_explicit(const dls_simulation *s, dls_articulation_work *work, const double *v, double *scratch,
                          double *vdot)
{
    const double h = s->problem->h;
    dls_articulation_coriolis_change(work, v, h, dls_coriolis_theta(&s->model->world), scratch);
    for (size_t k = 0; k < work->articulation->nv; k++)
        vdot[k] -= scratch[k] / h;
    dls_articulation_coriolis_force(work, scratch);
    dls_articulation_solve(work, scratch, scratch);
    for (size_t k = 0; k < work->articulation->nv; k++)
        vdot[k] -= scratch[k];
}

static void sum_articulation(dls_simulation *s, dls_force_store *store, size_t a)
{
    const dls_model_articulation *articulation = &s->model->articulations[a];
    dls_articulation_work *work = s->linearised->works[a];
    dls_spatial *outer = store->outer + articulation->first_end;
    for (size_t i = 0; i < articulation->tree->n_links; i++) {
        const size_t end = articulation->first_end + i;
        outer[i] = dls_spatial_add(applied_force(s, end), store->rows[end]);
    }
    dls_articulation_velocities(s->linearised_v + articulation->offset, work);
    if (dls_coriolis_theta(&s->model->world) > 0.0)
        make_explicit(s, work, s->linearised_v + articulation->offset, store->scratch,
                      store->vdot + articulation->offset);
    dls_articulation_wrenches(work, store->vdot + articulation->offset, outer, s->model->world.gravity,
                              store->incoming + articulation->first_end);
}

static dls_status bring_forces(dls_simulation *s, dls_force_store **store, dls_error *error)
{
    DLS_TRY(check_stepped(s, error));
    *store = store_of(s);
    if (!*store)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the forces of %zu bodies and links", s->model->n_ends);
    if ((*store)->current)
        return DLS_OK;
    DLS_TRY(sum_rows(s, (*store)->rows, error));
    dls_problem_velocity(s->problem, s->lambda, (*store)->vdot, (*store)->scratch);
    for (size_t k = 0; k < s->model->nv; k++)
        (*store)->vdot[k] = ((*store)->vdot[k] - s->linearised_v[k]) / s->problem->h;
    for (size_t a = 0; a < s->model->n_articulations; a++)
        sum_articulation(s, *store, a);
    s->velocity_changed = s->velocity_changed || s->linearised == s->now; /* its links have linearised_v now */
    (*store)->current = true;
    return DLS_OK;
}

void dls_forces_forget(dls_simulation *s)
{
    if (s->forces)
        s->forces->current = false;
}

dls_status dls_simulation_joint_wrench(dls_simulation *s, size_t articulation, size_t link, dls_joint_wrench *joint,
                                       dls_error *error)
{
    dls_force_store *store;
    *joint = (dls_joint_wrench){0};
    if (articulation >= s->model->n_articulations || link >= s->model->articulations[articulation].tree->n_links)
        return dls_fail(error, DLS_BAD_ARGUMENT, "there is no link %zu of an articulation %zu", link, articulation);
    DLS_TRY(bring_forces(s, &store, error));
    const dls_link_work *w = &s->linearised->works[articulation]->links[link];
    joint->anchor = dls_sub(w->c, w->d);
    joint->wrench = dls_force_at(store->incoming[s->model->articulations[articulation].first_end + link], w->d);
    return DLS_OK;
}

/* --- sensors --- */

static dls_spatial tree_forces(const dls_simulation *s, const dls_force_store *store,
                               const dls_model_articulation *articulation, size_t link)
{
    const dls_articulation_work *work = s->linearised->works[articulation - s->model->articulations];
    const dls_spatial *incoming = store->incoming + articulation->first_end;
    dls_spatial sum = incoming[link];
    for (size_t i = link + 1; i < articulation->tree->links[link].subtree_end; i++)
        if (articulation->tree->links[i].parent == link)
            sum = dls_spatial_sub(sum, dls_force_at(incoming[i], work->links[i].r));
    return sum;
}

static double mass_of(const dls_simulation *s, size_t end)
{
    size_t link;
    const dls_model_articulation *articulation = dls_model_articulation_of(s->model, end, &link);
    return articulation ? articulation->tree->links[link].mass : s->model->bodies[end].mass;
}

static dls_spatial sum_of_forces(const dls_simulation *s, const dls_force_store *store, const dls_sensor *of,
                                 const dls_model_articulation *articulation, size_t link)
{
    dls_spatial sum = applied_force(s, of->end);
    if (of->gravity)
        sum.lin = dls_add(sum.lin, dls_scale(mass_of(s, of->end), s->model->world.gravity));
    if (of->constraints)
        sum = dls_spatial_add(sum, store->rows[of->end]);
    if (of->tree && articulation)
        sum = dls_spatial_add(sum, tree_forces(s, store, articulation, link));
    return sum;
}

dls_status dls_simulation_sensor(dls_simulation *s, size_t sensor, dls_spatial *wrench, dls_error *error)
{
    dls_force_store *store;
    size_t link;
    *wrench = (dls_spatial){{0, 0, 0}, {0, 0, 0}};
    if (sensor >= s->model->n_sensors)
        return dls_fail(error, DLS_BAD_ARGUMENT, "there are %zu sensors, and no number %zu", s->model->n_sensors,
                        sensor);
    DLS_TRY(bring_forces(s, &store, error));
    const dls_sensor *of = &s->model->sensors[sensor];
    const dls_model_articulation *articulation = dls_model_articulation_of(s->model, of->end, &link);
    const dls_end end = dls_configuration_end(s->linearised, of->end);
    dls_spatial sum = of->incoming ? store->incoming[of->end] : sum_of_forces(s, store, of, articulation, link);
    sum = dls_force_at(sum, dls_neg(dls_end_arm(&end, &of->frame)));
    if (of->axes == DLS_SENSOR_OWN) {
        const dls_mat3 R = dls_quat_matrix(dls_end_rotation(&end, &of->frame));
        sum = (dls_spatial){dls_tmul3(R, sum.lin), dls_tmul3(R, sum.ang)};
    }
    *wrench = sum;
    return DLS_OK;
}
