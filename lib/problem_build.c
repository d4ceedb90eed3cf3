/* From a mechanism in a state to the rows of one step: count, reserve, fill, and insist that the counts agree. */
#include "delassus/problem.h"

#include "problem_memory.h"

#include <math.h>
#include <string.h>

/* --- unconstrained velocity: conventions (1) ------------------------------------------------------------------------- */

/* Implicit gyroscopic step in body coordinates: one Newton step on
 *     f(w) = I (w - w0) + h w x I w = 0  from w0:   w = w0 - (I + h (hat(w0) I - hat(I w0)))^-1 h w0 x I w0,
 * which does not blow up for a fast spin (E. Catto, "Numerical methods", GDC 2015). */
static dls_vec3 gyroscopic_implicit(dls_mat3 I, dls_vec3 w, double h)
{
    dls_vec3 L = dls_mul3(I, w);
    dls_mat3 wI = dls_matmul3(dls_hat(w), I), hatL = dls_hat(L), jacobian;
    for (int i = 0; i < 9; i++)
        jacobian.m[i] = I.m[i] + h * (wI.m[i] - hatL.m[i]);
    return dls_sub(w, dls_mul3(dls_inverse3(jacobian), dls_scale(h, dls_cross(w, L))));
}

static void body_velocity(const dls_model *model, const dls_body *body, const dls_end *end, const dls_mass_body *mass, double h,
                          double *v)
{
    dls_vec3 omega = end->omega, torque = body->torque;
    if (model->world.gyroscopic == DLS_GYROSCOPIC_EXPLICIT)
        torque = dls_sub(torque, dls_cross(omega, dls_mul3(mass->inertia, omega)));
    if (model->world.gyroscopic == DLS_GYROSCOPIC_IMPLICIT)
        omega = dls_mul3(end->R, gyroscopic_implicit(body->inertia, dls_tmul3(end->R, omega), h));
    dls_vec3 a = dls_add(model->world.gravity, dls_scale(mass->inverse_mass, body->force));
    dls_vec3 linear = dls_add(end->v, dls_scale(h, a));
    dls_vec3 angular = dls_add(omega, dls_scale(h, dls_mul3(mass->inverse_inertia, torque)));
    v[0] = linear.x, v[1] = linear.y, v[2] = linear.z;
    v[3] = angular.x, v[4] = angular.y, v[5] = angular.z;
}

static void fill_mass(const dls_model *model, const dls_state *state, double h, dls_problem *p)
{
    size_t k = 0;
    for (size_t i = 0; i < model->n_bodies; i++) {
        const dls_body *body = &model->bodies[i];
        if (body->offset == DLS_NONE)
            continue;
        dls_end end = dls_model_end(model, state, i);
        dls_mass_body *mass = &p->mass.bodies[k];
        *mass = (dls_mass_body){body->mass, 1.0 / body->mass, dls_rotate_tensor(end.R, body->inertia),
                                dls_rotate_tensor(end.R, dls_inverse3(body->inertia))};
        p->mass.blocks[k++] = (dls_mass_block){body->offset, 6, &dls_mass_body_kind, mass};
        body_velocity(model, body, &end, mass, h, p->v_star + body->offset);
    }
}

/* --- rows ------------------------------------------------------------------------------------------------------------ */

typedef struct cursor { size_t row, block, coef; } cursor;

static size_t velocity_offset(const dls_model *model, size_t body)
{
    return body == DLS_WORLD ? DLS_NONE : model->bodies[body].offset;
}

static void put_block(dls_rows *J, cursor *at, size_t offset, const double *coef)
{
    if (offset == DLS_NONE)
        return;
    J->offset[at->block] = offset;
    J->coef_at[at->block++] = at->coef;
    memcpy(J->coef + at->coef, coef, 6 * sizeof *coef);
    at->coef += 6;
}

/* Conventions (3): c = -(ERP / T) C + u. */
static void put_error(dls_problem *p, size_t i, const dls_row *row, dls_time_base T)
{
    p->c[i] = -(row->erp / (row->gap ? T.gap : T.error)) * row->C + row->u;
    p->C[i] = row->C;
}

/* Conventions (3) to (5): Gamma = CFM / h, bounds are impulses. */
static void put_row(dls_problem *p, cursor *at, const dls_row *row, const size_t offset[2], size_t owner, size_t first)
{
    size_t i = at->row++;
    bool swapped = offset[1] < offset[0]; /* blocks in the order of their columns */
    p->J.start[i] = at->block;
    put_block(&p->J, at, offset[swapped], swapped ? row->J2 : row->J1);
    put_block(&p->J, at, offset[!swapped], swapped ? row->J1 : row->J2);
    p->gamma[i] = row->cfm / p->h;
    put_error(p, i, row, (dls_time_base){p->h, p->h});
    p->lo[i] = p->h * row->lo;
    p->hi[i] = p->h * row->hi;
    p->owner[i] = owner;
    p->label[i] = row->label;
    if (row->law == DLS_ROW_COUPLED) {
        p->parent[i] = first + (size_t)row->parent;
        p->mu[i] = row->mu;
        p->lo[i] = p->hi[i] = 0.0;
        p->n_coupled++;
    }
}

static void put_rows(dls_problem *p, cursor *at, const dls_row *rows, size_t count, const dls_model *model, const size_t body[2],
                     size_t owner)
{
    const size_t offset[2] = {velocity_offset(model, body[0]), velocity_offset(model, body[1])};
    size_t first = at->row;
    for (size_t r = 0; r < count; r++)
        put_row(p, at, &rows[r], offset, owner, first);
}

static size_t blocks_of(const dls_model *model, const size_t body[2])
{
    return (size_t)(velocity_offset(model, body[0]) != DLS_NONE) + (size_t)(velocity_offset(model, body[1]) != DLS_NONE);
}

static dls_problem_size measure(const dls_model *model, const dls_contacts *contacts)
{
    dls_problem_size size = {.nv = model->nv, .mass = model->nv / 6};
    for (size_t j = 0; j < model->n_joints; j++) {
        size_t rows = model->joints[j].type->count(&model->joints[j]);
        size.n += rows;
        size.blocks += rows * blocks_of(model, model->joints[j].body);
    }
    for (size_t k = 0; contacts && k < contacts->count; k++) {
        size_t rows = dls_contact_count(&contacts->at[k]);
        size.n += rows;
        size.blocks += rows * blocks_of(model, contacts->at[k].body);
    }
    size.coefs = 6 * size.blocks;
    return size;
}

static size_t joint_rows(const dls_model *model, const dls_state *state, const dls_joint *joint, double h, dls_row *rows)
{
    const dls_end ends[2] = {dls_model_end(model, state, joint->body[0]), dls_model_end(model, state, joint->body[1])};
    joint->type->rows(joint, ends, h, rows);
    return joint->type->count(joint);
}

static size_t contact_rows(const dls_model *model, const dls_state *state, const dls_contact *contact, double h, dls_row *rows)
{
    const dls_end ends[2] = {dls_model_end(model, state, contact->body[0]), dls_model_end(model, state, contact->body[1])};
    dls_contact_rows(contact, ends, dls_norm(model->world.gravity), h, rows);
    return dls_contact_count(contact);
}

static void fill_rows(const dls_model *model, const dls_state *state, const dls_contacts *contacts, dls_problem *p, cursor *at)
{
    dls_row rows[DLS_JOINT_ROWS_MAX];
    for (size_t j = 0; j < model->n_joints; j++) {
        size_t count = joint_rows(model, state, &model->joints[j], p->h, rows);
        put_rows(p, at, rows, count, model, model->joints[j].body, j);
    }
    for (size_t k = 0; contacts && k < contacts->count; k++) {
        size_t count = contact_rows(model, state, &contacts->at[k], p->h, rows);
        put_rows(p, at, rows, count, model, contacts->at[k].body, model->n_joints + k);
    }
    p->J.start[at->row] = at->block;
    p->J.coef_at[at->block] = at->coef;
}

dls_status dls_problem_rebuild(dls_problem *problem, const dls_model *model, const dls_state *state,
                               const dls_contacts *contacts, double h, dls_error *error)
{
    if (!(h > 0.0) || !isfinite(h))
        return dls_fail(error, DLS_BAD_ARGUMENT, "the time step must be positive and finite, not %g", h);
    DLS_TRY(dls_state_check(model, state, error));
    dls_problem_memory *memory = dls_problem_memory_of(problem);
    dls_problem_size size = measure(model, contacts);
    DLS_TRY(dls_problem_reserve(memory, &size, error));
    dls_problem_clear(memory, &size);
    problem->form = DLS_FORM_MECHANICAL;
    problem->h = h;
    memcpy(problem->name, model->name, sizeof problem->name);
    fill_mass(model, state, h, problem);
    cursor at = {0, 0, 0};
    fill_rows(model, state, contacts, problem, &at);
    if (at.row != size.n || at.block != size.blocks || at.coef != size.coefs)
        return dls_fail(error, DLS_BAD_ARGUMENT, "a joint type wrote another number of rows than it counts");
    return dls_problem_check(problem, error);
}

dls_status dls_problem_create(const dls_model *model, const dls_state *state, const dls_contacts *contacts, double h,
                              dls_problem **problem, dls_error *error)
{
    DLS_TRY(dls_problem_allocate(0, 0, 0, 0, 0, problem, error));
    dls_status status = dls_problem_rebuild(*problem, model, state, contacts, h, error);
    if (status != DLS_OK) {
        dls_problem_destroy(*problem);
        *problem = NULL;
    }
    return status;
}

/* --- another look at the positions ------------------------------------------------------------------------------------ */

/* Where a point of a body is now. */
static dls_vec3 follow(const dls_model *model, const dls_state *start, const dls_state *now, size_t body, dls_vec3 point)
{
    if (velocity_offset(model, body) == DLS_NONE)
        return point;
    dls_end from = dls_model_end(model, start, body), to = dls_model_end(model, now, body);
    return dls_add(to.x, dls_mul3(to.R, dls_tmul3(from.R, dls_sub(point, from.x))));
}

/* Found contacts have no law of motion but this: both points stay on their bodies, and the normal keeps its direction,
 *     C_n = C_0 + n . (displacement of point 1 - displacement of point 2). */
static dls_contact follow_contact(const dls_model *model, const dls_state *start, const dls_state *now, const dls_contact *contact)
{
    dls_contact moved = *contact;
    for (int i = 0; i < 2; i++) {
        moved.point[i] = follow(model, start, now, contact->body[i], contact->point[i]);
        double way = dls_dot(contact->normal, dls_sub(moved.point[i], contact->point[i]));
        moved.gap += i == 0 ? way : -way;
    }
    return moved;
}

static void refresh_rows(dls_problem *p, size_t *i, const dls_row *rows, size_t count, dls_time_base T)
{
    for (size_t r = 0; r < count; r++)
        put_error(p, (*i)++, &rows[r], T);
}

void dls_problem_refresh(dls_problem *p, const dls_model *model, const dls_contacts *contacts, const dls_state *start,
                         const dls_state *now, dls_time_base T)
{
    dls_row rows[DLS_JOINT_ROWS_MAX];
    dls_state seen = *now; /* with the speeds of the start */
    seen.v = start->v;
    size_t i = 0;
    for (size_t j = 0; j < model->n_joints; j++)
        refresh_rows(p, &i, rows, joint_rows(model, &seen, &model->joints[j], p->h, rows), T);
    for (size_t k = 0; contacts && k < contacts->count; k++) {
        dls_contact moved = follow_contact(model, start, now, &contacts->at[k]);
        refresh_rows(p, &i, rows, contact_rows(model, &seen, &moved, p->h, rows), T);
    }
}
