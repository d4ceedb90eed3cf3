/* From a mechanism in a state to the rows of one step: count, reserve, fill, and insist that the counts agree. */
#include "delassus/problem.h"

#include "problem_memory.h"

#include <float.h>
#include <math.h>
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

static void body_velocity(const dls_model *model, const dls_body *body, const dls_end *end, const dls_mass_body *mass,
                          const double *f, double h, double *v)
{
    dls_vec3 omega = end->omega, torque = dls_add(body->torque, dls_v3(f[3], f[4], f[5]));
    if (model->world.gyroscopic == DLS_GYROSCOPIC_EXPLICIT)
        torque = dls_sub(torque, dls_cross(omega, dls_mul3(mass->inertia, omega)));
    if (model->world.gyroscopic == DLS_GYROSCOPIC_IMPLICIT)
        omega = dls_mul3(end->R, dls_gyroscopic_implicit(body->inertia, dls_tmul3(end->R, omega), h));
    dls_vec3 force = dls_add(body->force, dls_v3(f[0], f[1], f[2]));
    dls_vec3 a = dls_add(model->world.gravity, dls_scale(mass->inverse_mass, force));
    dls_vec3 linear = dls_add(end->v, dls_scale(h, a));
    dls_vec3 angular = dls_add(omega, dls_scale(h, dls_mul3(mass->inverse_inertia, torque)));
    v[0] = linear.x, v[1] = linear.y, v[2] = linear.z;
    v[3] = angular.x, v[4] = angular.y, v[5] = angular.z;
}

/* v* = v + h M^-1 (tau - C - g + J^T f) by the articulated-body algorithm, whose factors are the mass block from here
 * on. */
static dls_status fill_member(const dls_model *model, const dls_state *state, size_t a, double h, dls_problem *p,
                              dls_error *error)
{
    const dls_member *member = &model->members[a];
    dls_articulation_work *work = dls_problem_memory_of(p)->works[a];
    const double *v = state->v + member->offset;
    double *v_star = p->v_star + member->offset;
    dls_articulation_kinematics(&state->members[a], work);
    dls_articulation_velocities(v, work);
    DLS_TRY(dls_articulation_factor(work, error));
    dls_articulation_forward(work, state->loads[a].tau, state->loads[a].force, model->world.gravity, v_star);
    for (size_t k = 0; k < member->tree->nv; k++)
        v_star[k] = v[k] + h * v_star[k];
    return DLS_OK;
}

static dls_status fill_mass(const dls_model *model, const dls_state *state, double h, dls_problem *p, dls_error *error)
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
        body_velocity(model, body, &end, mass, state->force + body->offset, h, p->v_star + body->offset);
    }
    for (size_t a = 0; a < model->n_members; a++) {
        const dls_member *member = &model->members[a];
        DLS_TRY(fill_member(model, state, a, h, p, error));
        if (member->tree->nv)
            p->mass.blocks[k++] = (dls_mass_block){member->offset, member->tree->nv, &dls_mass_articulation_kind,
                                                   &dls_problem_memory_of(p)->works[a]};
    }
    return DLS_OK;
}

/* --- rows --- */

typedef struct cursor {
    size_t row, block, coef;
} cursor;

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

static void end_row(dls_rows *J, const cursor *at)
{
    J->start[at->row + 1] = at->block;
    J->coef_at[at->block] = at->coef;
}

/* Conventions (3): c = -(ERP / T) C + u, Gamma = CFM / h; T in its name is h where positions are looked at once a step.
 * The spring and damper f = -kp (C + T J v) - kd (J v - u), implicit over T, is the row
 *     J v + f / (T kp + kd) + (kp C - kd u) / (T kp + kd) = 0
 * whose ERP and CFM are those of conventions (Spring and damper) with T for h. By frequency, w = 2 pi frequency, and
 * damping ratio z it is kp = w^2 / a and kd = 2 z w / a, a = J M^-1 J^T the inverse of the row's own effective mass
 * when the problem was made: 1 / a cancels in ERP, and a row that nothing can move (a = 0) is rigid. A lone row then
 * oscillates at that frequency, whatever it holds. A spring that closes a gap within T answers to the depth it ends
 * with, f = -(kp + kd / T) (C + T J v): ERP = 1. */
typedef struct softness {
    double erp, cfm, speed;
} softness; /* speed: share of u that c has */

static softness soften(const dls_row *row, double mobility, double T)
{
    double w = 2.0 * DLS_PI * row->frequency, kp = w > 0.0 ? w * w : row->kp,
           kd = w > 0.0 ? 2.0 * row->ratio * w : row->kd;
    double stiff = T * kp + kd;
    return stiff > 0.0 ? (softness){row->gap ? 1.0 : T * kp / stiff, (w > 0.0 ? mobility : 1.0) / stiff, kd / stiff}
                       : (softness){row->erp, row->cfm, 1.0};
}

static void put_error(dls_problem *p, size_t i, const dls_row *row, dls_time_base T)
{
    double time = row->gap ? T.gap : T.error;
    softness s = soften(row, dls_problem_memory_of(p)->mobility[i], time);
    double error = -(s.erp / time) * row->C;
    p->C[i] = row->C;
    p->gamma[i] = s.cfm / p->h;
    p->c[i] = s.speed * row->u + error;
    p->bias[i] = row->gap || s.cfm > 0.0 ? 0.0 : error;
}

/* Conventions (4), (5): bounds are impulses. The row's blocks are there already. */
static void put_row(dls_problem *p, size_t i, const dls_row *row, size_t owner, size_t first)
{
    dls_problem_memory *memory = dls_problem_memory_of(p);
    if (row->frequency > 0.0)
        memory->mobility[i] = dls_problem_response(p, i, memory->scratch + p->nv, memory->scratch + 2 * p->nv);
    put_error(p, i, row, (dls_time_base){p->h, p->h});
    p->role[i] = row->role;
    p->lo[i] = p->h * row->lo;
    p->hi[i] = p->h * row->hi;
    p->owner[i] = owner;
    p->label[i] = row->label;
    if (row->law != DLS_ROW_PLAIN) {
        p->parent[i] = first + (size_t)row->parent;
        p->law[i] = row->law == DLS_ROW_CONE ? DLS_LAW_CONE : DLS_LAW_BOX;
        p->n_cone += row->law == DLS_ROW_CONE;
        p->mu[i] = row->mu;
        p->lo[i] = p->hi[i] = 0.0;
        p->n_coupled++;
    }
}

/* Rows on two bodies: a block of six for each that moves, in the order of their columns. */
static void put_rows(dls_problem *p, cursor *at, const dls_row *rows, size_t count, const dls_model *model,
                     const size_t body[2], size_t owner)
{
    const size_t offset[2] = {velocity_offset(model, body[0]), velocity_offset(model, body[1])};
    bool swapped = offset[1] < offset[0];
    size_t first = at->row;
    for (size_t r = 0; r < count; r++) {
        put_block(&p->J, at, offset[swapped], swapped ? rows[r].J2 : rows[r].J1);
        put_block(&p->J, at, offset[!swapped], swapped ? rows[r].J1 : rows[r].J2);
        end_row(&p->J, at);
        put_row(p, at->row++, &rows[r], owner, first);
    }
}

/* --- rows on links and coordinates --- */

/* Entries of a row on links are sums, S_k . J6 over six terms and two ends. Where the terms cancel, as those of a
 * planar loop do across its plane, what is left has no digit of its own, and a row of such entries would look like one
 * that something can move. So `dense` goes with `rounding`, and an entry below that bound is 0: (gamma) |S_k| |J6| with
 * the errors of products and of the positions behind S_k, a rotation a link on the way from the root (N. Higham,
 * Accuracy and Stability of Numerical Algorithms, 2002, section 3.1). */
typedef struct sums {
    double *dense, *rounding;
} sums;

static double gamma_of(const dls_articulation *tree, size_t link)
{
    double operations = 6.0;
    for (; link != DLS_NONE; link = tree->links[link].parent)
        operations += 1.0;
    return 4.0 * DBL_EPSILON * operations;
}

/* sum += s J6 on an end: the velocity of a link is S_k v_k summed over the degrees of freedom on its way to the root.
 */
static void add_end(const dls_model *model, dls_articulation_work *const *works, size_t end, double s, const double *J6,
                    sums to)
{
    double *dense = to.dense;
    size_t link;
    const dls_member *member = dls_model_member(model, end, &link);
    if (!member) {
        for (size_t k = 0; k < 6 && velocity_offset(model, end) != DLS_NONE; k++)
            dense[velocity_offset(model, end) + k] += s * J6[k];
        return;
    }
    const dls_articulation *tree = member->tree;
    const dls_articulation_work *work = works[member - model->members];
    const dls_spatial J = {dls_v3(J6[0], J6[1], J6[2]), dls_v3(J6[3], J6[4], J6[5])};
    const double gamma = fabs(s) * gamma_of(tree, link), linear = gamma * dls_norm(J.lin),
                 angular = gamma * dls_norm(J.ang);
    const double far = dls_norm(work->links[link].c);
    for (size_t k = dls_articulation_last_dof(tree, link); k != DLS_NONE; k = tree->dof_before[k]) {
        dls_vec3 r = dls_sub(work->links[link].c, work->links[tree->dof_link[k]].c);
        dense[member->offset + k] += s * dls_spatial_dot(J, dls_motion_at(work->S[k], r));
        double turns = dls_norm(work->S[k].ang), reach = far + dls_norm(work->links[tree->dof_link[k]].c);
        to.rounding[member->offset + k] += linear * (dls_norm(work->S[k].lin) + turns * reach) + angular * turns;
    }
}

static void add_joint(const dls_model *model, dls_articulation_work *const *works, const dls_joint *joint, double s,
                      const dls_row *row, sums to)
{
    add_end(model, works, joint->body[0], s, row->J1, to);
    add_end(model, works, joint->body[1], s, row->J2, to);
}

/* A coordinate's gear times dC/dy, in its column; what a joint between bodies measures has a row of its own. */
static void add_term(const dls_model *model, const dls_state *state, dls_articulation_work *const *works,
                     const dls_term *term, double s, sums to)
{
    if (term->dof != DLS_NONE) {
        to.dense[term->dof] += s * term->gear;
        return;
    }
    const dls_joint *joint = &model->joints[term->joint];
    dls_end end[2];
    dls_row row = {0};
    dls_model_ends(model, state, works, joint, end);
    joint->type->coordinate(joint, end, &row);
    add_joint(model, works, joint, s * term->gear, &row, to);
}

static void put_spans(dls_rows *J, cursor *at, const dls_joint *joint, sums from)
{
    for (const dls_span *span = joint->spans; span < joint->spans + joint->n_spans; span++) {
        J->offset[at->block] = span->offset;
        J->coef_at[at->block++] = at->coef;
        for (size_t k = span->offset; k < span->offset + span->length; k++)
            J->coef[at->coef++] = fabs(from.dense[k]) > from.rounding[k] ? from.dense[k] : 0.0;
    }
}

static void put_spanned(dls_problem *p, cursor *at, const dls_row *rows, size_t count, const dls_model *model,
                        const dls_state *state, size_t j)
{
    const dls_joint *joint = &model->joints[j];
    dls_problem_memory *memory = dls_problem_memory_of(p);
    const sums row = {memory->scratch, memory->rounding};
    size_t first = at->row;
    for (size_t r = 0; r < count; r++) {
        for (const dls_span *span = joint->spans; span < joint->spans + joint->n_spans; span++) {
            memset(row.dense + span->offset, 0, span->length * sizeof *row.dense);
            memset(row.rounding + span->offset, 0, span->length * sizeof *row.rounding);
        }
        add_joint(model, memory->works, joint, 1.0, &rows[r], row);
        for (size_t t = 0; t < joint->n_terms; t++)
            add_term(model, state, memory->works, &joint->terms[t], rows[r].Jy, row);
        put_spans(&p->J, at, joint, row);
        end_row(&p->J, at);
        put_row(p, at->row++, &rows[r], j, first);
    }
}

/* --- all rows --- */

static size_t blocks_of(const dls_model *model, const size_t body[2])
{
    return (size_t)(velocity_offset(model, body[0]) != DLS_NONE) +
           (size_t)(velocity_offset(model, body[1]) != DLS_NONE);
}

static dls_problem_size measure(const dls_model *model, const dls_contacts *contacts)
{
    dls_problem_size size = {.nv = model->nv};
    for (size_t i = 0; i < model->n_bodies; i++)
        size.mass += model->bodies[i].offset != DLS_NONE;
    for (size_t a = 0; a < model->n_members; a++)
        size.mass += model->members[a].tree->nv > 0;
    for (size_t j = 0; j < model->n_joints; j++) {
        const dls_joint *joint = &model->joints[j];
        size_t rows = joint->type->count(joint), blocks = rows * (joint->spans ? 0 : blocks_of(model, joint->body));
        size.n += rows;
        size.blocks += blocks + rows * joint->n_spans;
        size.coefs += 6 * blocks;
        for (size_t k = 0; k < joint->n_spans; k++)
            size.coefs += rows * joint->spans[k].length;
    }
    for (size_t k = 0; contacts && k < contacts->count; k++) {
        size_t rows = dls_contact_count(&contacts->at[k]), blocks = rows * blocks_of(model, contacts->at[k].body);
        size.n += rows;
        size.blocks += blocks;
        size.coefs += 6 * blocks;
    }
    return size;
}

static size_t joint_rows(const dls_model *model, const dls_state *state, dls_articulation_work *const *look,
                         const dls_joint *joint, double h, dls_row *rows)
{
    dls_end ends[2];
    dls_model_ends(model, state, look, joint, ends);
    joint->type->rows(joint, ends, h, rows);
    return joint->type->count(joint);
}

static size_t contact_rows(const dls_model *model, const dls_state *state, const dls_contact *contact, double h,
                           dls_row *rows)
{
    const dls_end ends[2] = {dls_model_end(model, state, contact->body[0]),
                             dls_model_end(model, state, contact->body[1])};
    dls_contact_rows(contact, ends, dls_norm(model->world.gravity), h, rows);
    return dls_contact_count(contact);
}

static void fill_rows(const dls_model *model, const dls_state *state, const dls_contacts *contacts, dls_problem *p,
                      cursor *at)
{
    dls_row rows[DLS_JOINT_ROWS_MAX];
    dls_articulation_work *const *works = dls_problem_memory_of(p)->works;
    for (size_t j = 0; j < model->n_joints; j++) {
        const dls_joint *joint = &model->joints[j];
        size_t count = joint_rows(model, state, works, joint, p->h, rows);
        if (joint->spans)
            put_spanned(p, at, rows, count, model, state, j);
        else
            put_rows(p, at, rows, count, model, joint->body, j);
    }
    for (size_t k = 0; contacts && k < contacts->count; k++) {
        size_t count = contact_rows(model, state, &contacts->at[k], p->h, rows);
        put_rows(p, at, rows, count, model, contacts->at[k].body, model->n_joints + k);
    }
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
    DLS_TRY(dls_problem_reserve_works(memory, model, error));
    dls_problem_clear(memory, &size);
    problem->form = DLS_FORM_MECHANICAL;
    problem->h = h;
    memcpy(problem->name, model->name, sizeof problem->name);
    DLS_TRY(fill_mass(model, state, h, problem, error));
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

/* --- another look at the positions --- */

/* Where a point of a body is now. */
static dls_vec3 follow(const dls_model *model, const dls_state *start, const dls_state *now, size_t body,
                       dls_vec3 point)
{
    if (velocity_offset(model, body) == DLS_NONE)
        return point;
    dls_end from = dls_model_end(model, start, body), to = dls_model_end(model, now, body);
    return dls_add(to.x, dls_mul3(to.R, dls_tmul3(from.R, dls_sub(point, from.x))));
}

/* Found contacts have no law of motion but this: both points stay on their bodies, and the normal keeps its direction,
 *     C_n = C_0 + n . (displacement of point 1 - displacement of point 2). */
dls_contact dls_contact_follow(const dls_model *model, const dls_state *start, const dls_state *now,
                               const dls_contact *contact)
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

/* Whether any joint looks at the pose of a link; one on coordinates does not. */
static bool ties_links(const dls_model *model)
{
    for (const dls_joint *joint = model->joints; joint < model->joints + model->n_joints; joint++)
        for (int i = 0; i < 2; i++)
            if (joint->body[i] != DLS_WORLD && joint->body[i] >= model->n_bodies)
                return true;
    return false;
}

void dls_problem_refresh(dls_problem *p, const dls_model *model, const dls_contacts *contacts, const dls_state *start,
                         const dls_state *now, dls_time_base T)
{
    dls_row rows[DLS_JOINT_ROWS_MAX];
    dls_state seen = *now; /* with the speeds of the start */
    seen.v = start->v;
    size_t i = 0;
    if (ties_links(model))
        dls_model_look(model, &seen);
    for (size_t j = 0; j < model->n_joints; j++)
        refresh_rows(p, &i, rows, joint_rows(model, &seen, seen.look, &model->joints[j], p->h, rows), T);
    for (size_t k = 0; contacts && k < contacts->count; k++) {
        dls_contact moved = dls_contact_follow(model, start, now, &contacts->at[k]);
        refresh_rows(p, &i, rows, contact_rows(model, &seen, &moved, p->h, rows), T);
    }
}

/* --- the rows of one joint or contact --- */

static dls_status renew_works(const dls_model *model, const dls_state *state, dls_articulation_work *const *works,
                              dls_error *error)
{
    for (size_t a = 0; a < model->n_members; a++) {
        dls_articulation_kinematics(&state->members[a], works[a]);
        dls_articulation_velocities(state->v + model->members[a].offset, works[a]);
        DLS_TRY(dls_articulation_factor(works[a], error));
    }
    return DLS_OK;
}

dls_status dls_problem_renew(dls_problem *p, const dls_model *model, const dls_state *state, const dls_contact *contact,
                             size_t first, dls_error *error)
{
    dls_row rows[DLS_JOINT_ROWS_MAX];
    dls_articulation_work *const *works = dls_problem_memory_of(p)->works;
    size_t owner = p->owner[first], coupled = p->n_coupled, cone = p->n_cone;
    cursor at = {first, p->J.start[first], p->J.coef_at[p->J.start[first]]};
    const dls_joint *joint = contact ? NULL : &model->joints[owner];
    if (contact) {
        put_rows(p, &at, rows, contact_rows(model, state, contact, p->h, rows), model, contact->body, owner);
    } else if (joint->spans) {
        DLS_TRY(renew_works(model, state, works, error));
        put_spanned(p, &at, rows, joint_rows(model, state, works, joint, p->h, rows), model, state, owner);
    } else {
        put_rows(p, &at, rows, joint_rows(model, state, works, joint, p->h, rows), model, joint->body, owner);
    }
    p->n_coupled = coupled, p->n_cone = cone;
    return DLS_OK;
}
