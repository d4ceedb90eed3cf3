/* The mass operator and v* against kinetic energy and d'Alembert's principle.
 *
 * FREE BODY. M = diag(m 1, R I R^T), entry by entry. With torque tau, v* = v + h (g + f / m), and omega* is one step of
 *     explicit   R I R^T (omega* - omega) = h (tau - omega x R I R^T omega)
 *     none       the same without the last term
 *     implicit   in body coordinates, with w0 = R^T omega and w = w0 + R^T (omega* - omega) without the part of tau:
 *                (I + h (hat(w0) I - hat(I w0))) (w - w0) + h w0 x I w0 = 0
 * They are evaluated as residuals, without a solve.
 *
 * ARTICULATION. For motions x and y of the whole tree with the velocities (v, omega) of link i, as differences give
 * them (check_motion.c), M is the form of twice the kinetic energy,
 *     y^T M x = sum_i m_i v_i(y) . v_i(x) + omega_i(y) . I_i omega_i(x) + sum_k armature_k y_k x_k
 * and the acceleration a = a_0 + x, x = (v* - v) / h, a_0 that of the links while the generalised velocity is constant,
 * satisfies d'Alembert's principle for every y:
 *     sum_i v_i(y) . (m_i (a_i - g) - f_i) + omega_i(y) . (I_i alpha_i + omega_i x I_i omega_i - tau_i)
 *         + sum_k y_k (armature_k x_k - tau_k) = 0
 * Where C is not explicit, x = (v* - v - d) / h has no velocity products, and these give d: with D = dC/dv
 *     y^T (M d + theta h D d + h C) = 0
 * where a_0 and omega x I omega, which are quadratic, have their changes along d.
 * No recursion of the library is used: velocities and a_0 are differences of poses and velocities. The allowed error is
 * that of the differences, and the rounding error of the operations along the tree.
 */
#include "check_parts.h"
#include "problem/gyroscopic.h"

#include <float.h>
#include <string.h>

static const double unit = 64.0 * DBL_EPSILON;

static double largest_of(dls_mat3 A)
{
    double largest = 0.0;
    for (int k = 0; k < 9; k++)
        largest = fmax(largest, fabs(A.m[k]));
    return largest;
}

static dls_mat3 turned(const dls_end *end, dls_mat3 I) /* R I R^T */
{
    dls_mat3 world;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0.0;
            for (int k = 0; k < 9; k++)
                sum += end->R.m[3 * i + k / 3] * I.m[k] * end->R.m[3 * j + k % 3];
            world.m[3 * i + j] = sum;
        }
    return world;
}

/* --- free bodies --- */

static void check_body_mass(const dls_check *c, const dls_body *body, dls_mat3 I)
{
    const dls_mass_block *block = &c->problem->mass.blocks[body->block];
    const double most = largest_of(I), condition = 3.0 * most * largest_of(dls_inverse3(I));
    dls_check_found *to = dls_check_of_block(c, body->block, DLS_CHECK_MASS);
    if (block->offset != body->offset || block->length != 6) {
        dls_check_note(to, (double)block->offset, (double)body->offset, 0.0);
        dls_check_note(to, (double)block->length, 6.0, 0.0);
        return;
    }
    for (int k = 0; k < 6; k++) {
        double e[6] = {0.0}, M[6], back[6];
        e[k] = 1.0;
        block->kind->multiply(block->data, e, M);
        block->kind->solve(block->data, M, back);
        for (int i = 0; i < 6; i++) {
            const bool linear = i < 3 && k < 3, angular = i >= 3 && k >= 3;
            const double expected = linear ? (i == k) * body->mass : angular ? I.m[3 * (i - 3) + k - 3] : 0.0;
            dls_check_note(to, M[i], expected, unit * (linear ? body->mass : angular ? most : 0.0));
            dls_check_note(dls_check_of_block(c, body->block, DLS_CHECK_INVERSE), back[i], i == k,
                           linear    ? unit
                           : angular ? unit * condition
                                     : 0.0);
        }
        if (!(M[k] > 0.0))
            dls_check_note(to, M[k], NAN, 0.0);
    }
}

static void note3(dls_check_found *to, dls_vec3 found, dls_vec3 expected, double allowed)
{
    for (int k = 0; k < 3; k++)
        dls_check_note(to, dls_get3(found, k), dls_get3(expected, k), allowed);
}

/* The force of the medium on an end, of which test_medium has closed forms. */
static dls_spatial medium_on(const dls_check *c, size_t end)
{
    return c->model->n_immersed ? c->here->medium[end] : (dls_spatial){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
}

static void check_body_velocity(const dls_check *c, const dls_body *body, const dls_end *end, dls_mat3 I)
{
    const double h = c->problem->h, *v = c->problem->v_star + body->offset;
    const dls_world_def *world = &c->model->world;
    const double *applied = c->state->force + body->offset;
    const dls_spatial medium = medium_on(c, (size_t)(body - c->model->bodies));
    const dls_vec3 force = dls_add(dls_add(body->force, dls_v3(applied[0], applied[1], applied[2])), medium.lin);
    const dls_vec3 torque = dls_add(dls_add(body->torque, dls_v3(applied[3], applied[4], applied[5])), medium.ang);
    const dls_vec3 pull = dls_scale(h, dls_add(world->gravity, dls_scale(1.0 / body->mass, force)));
    dls_check_found *to = dls_check_of_block(c, body->block, DLS_CHECK_UNCONSTRAINED);
    note3(to, dls_v3(v[0], v[1], v[2]), dls_add(end->v, pull),
          unit * (dls_norm(end->v) + h * dls_norm(world->gravity) + h * dls_norm(force) / body->mass));

    const dls_vec3 after = dls_v3(v[3], v[4], v[5]), kick = dls_sub(after, end->omega);
    const dls_vec3 spin = dls_mul3(I, end->omega), gyroscopic = dls_cross(end->omega, spin);
    const double most = largest_of(I), condition = 3.0 * most * largest_of(dls_inverse3(I));
    const double speeds = 3.0 * most * (dls_norm(after) + dls_norm(end->omega));
    const double turns = h * condition * (dls_norm(torque) + dls_norm(end->omega) * dls_norm(spin));
    const double allowed = unit * (speeds + turns);
    if (world->gyroscopic != DLS_GYROSCOPIC_IMPLICIT) {
        const bool acts = world->gyroscopic == DLS_GYROSCOPIC_EXPLICIT;
        note3(to, dls_mul3(I, kick), dls_scale(h, acts ? dls_sub(torque, gyroscopic) : torque), allowed);
        return;
    }
    /* d = I (w - w0): the part of I R^T (omega* - omega) that is not due to the torque. */
    const dls_vec3 w0 = dls_tmul3(end->R, end->omega), L0 = dls_mul3(body->inertia, w0);
    const dls_vec3 d = dls_sub(dls_tmul3(end->R, dls_mul3(I, kick)), dls_scale(h, dls_tmul3(end->R, torque)));
    const dls_vec3 dw = dls_mul3(dls_inverse3(body->inertia), d);
    const dls_vec3 turn = dls_scale(h, dls_sub(dls_cross(w0, d), dls_cross(L0, dw)));
    const double bend = 1.0 + h * dls_norm(w0) * condition;
    note3(to, dls_add(d, turn), dls_scale(-h, dls_cross(w0, L0)), bend * condition * allowed);
}

/* --- articulations --- */

/* A sum of terms: its value, the size of its terms, and the error of the differences in it. */
typedef struct sum {
    double value, size, error;
} sum;

/* Velocity of a link along a motion, and the errors of its parts. */
typedef struct rate {
    dls_vec3 lin, ang;
    double lin_error, ang_error;
} rate;

static rate rate_of(const dls_difference D[6], double scale)
{
    rate r = {dls_v3(D[0].value, D[1].value, D[2].value), dls_v3(D[3].value, D[4].value, D[5].value), 0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        r.lin_error += D[k].error;
        r.ang_error += D[3 + k].error;
    }
    return (rate){dls_scale(scale, r.lin), dls_scale(scale, r.ang), scale * r.lin_error, scale * r.ang_error};
}

static void add(sum *to, dls_vec3 a, double a_error, dls_vec3 b, double b_error)
{
    const double na = dls_norm(a), nb = dls_norm(b);
    to->value += dls_dot(a, b);
    to->size += na * nb;
    to->error += a_error * nb + na * b_error + a_error * b_error;
}

static void add_plain(sum *to, double term)
{
    to->value += term;
    to->size += fabs(term);
}

/* One articulation at the state. */
typedef struct tree {
    const dls_check *c;
    const dls_model_articulation *articulation;
    const dls_articulation *of;
    double ulps; /* of its recursions */
} tree;

static rate link_rate(const tree *t, int motion, size_t link)
{
    return rate_of(t->c->velocities[motion] + 6 * (t->articulation->first_end + link), t->c->scale[motion]);
}

static double entry(const tree *t, int motion, size_t k)
{
    return t->c->scale[motion] * t->c->motion[motion][t->articulation->offset + k];
}

/* y^T M x */
static sum form(const tree *t, int y, int x)
{
    sum s = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < t->of->n_links; i++) {
        const dls_end end = dls_configuration_end(t->c->here, t->articulation->first_end + i);
        const dls_mat3 I = turned(&end, t->of->defs[i].inertia);
        const rate a = link_rate(t, y, i), b = link_rate(t, x, i);
        const double m = t->of->defs[i].mass;
        add(&s, a.lin, a.lin_error, dls_scale(m, b.lin), m * b.lin_error);
        add(&s, a.ang, a.ang_error, dls_mul3(I, b.ang), 3.0 * largest_of(I) * b.ang_error);
    }
    for (size_t k = 0; k < t->of->nv; k++)
        add_plain(&s, t->of->armature[k] * entry(t, y, k) * entry(t, x, k));
    return s;
}

static double product(const tree *t, int motion, const double *f)
{
    double value = 0.0;
    for (size_t k = 0; k < t->of->nv; k++)
        value += entry(t, motion, k) * f[k];
    return value;
}

static void check_tree_mass(const tree *t)
{
    const dls_check *c = t->c;
    const dls_mass_block *block = &c->problem->mass.blocks[t->articulation->block];
    double *Mx = c->force + t->articulation->offset, *back = c->response + t->articulation->offset;
    dls_check_found *mass = dls_check_of_block(c, t->articulation->block, DLS_CHECK_MASS);
    if (block->offset != t->articulation->offset || block->length != t->of->nv) {
        dls_check_note(mass, (double)block->offset, (double)t->articulation->offset, 0.0);
        dls_check_note(mass, (double)block->length, (double)t->of->nv, 0.0);
        return;
    }
    for (int x = 0; x < DLS_CHECK_DRAWN; x++) {
        sum energy[DLS_CHECK_DRAWN];
        block->kind->multiply(block->data, c->motion[x] + block->offset, Mx);
        for (int y = 0; y < DLS_CHECK_DRAWN; y++) {
            energy[y] = form(t, y, x);
            dls_check_note(mass, product(t, y, Mx), energy[y].value, energy[y].error + t->ulps * energy[y].size);
        }
        if (!(product(t, x, Mx) > 0.0))
            dls_check_note(mass, product(t, x, Mx), NAN, 0.0);
        /* M (M^-1 M x) against M x, by all motions: the residual of a stable method has no condition number. */
        block->kind->solve(block->data, Mx, back);
        block->kind->multiply(block->data, back, Mx);
        for (int y = 0; y < DLS_CHECK_DRAWN; y++)
            dls_check_note(dls_check_of_block(c, t->articulation->block, DLS_CHECK_INVERSE), product(t, y, Mx),
                           energy[y].value, energy[y].error + 2.0 * t->ulps * energy[y].size);
    }
}

/* Adds a term of velocity products of link i: m a and I alpha + (omega x I omega, or its change), along the motion y.
 */
static void add_turning(sum *to, const tree *t, size_t i, rate along, rate a, dls_vec3 torque)
{
    const dls_end end = dls_configuration_end(t->c->here, t->articulation->first_end + i);
    const dls_mat3 I = turned(&end, t->of->defs[i].inertia);
    const double m = t->of->defs[i].mass;
    add(to, along.lin, along.lin_error, dls_scale(m, a.lin), m * a.lin_error);
    add(to, along.ang, along.ang_error, dls_mul3(I, a.ang), 3.0 * largest_of(I) * a.ang_error);
    add(to, along.ang, along.ang_error, torque, 0.0);
}

/* C of the state along the motion y. */
static sum turning_of(const tree *t, int y)
{
    const dls_check *c = t->c;
    sum s = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < t->of->n_links; i++) {
        const size_t at = t->articulation->first_end + i;
        const dls_end end = dls_configuration_end(c->here, at);
        const dls_vec3 spin = dls_mul3(turned(&end, t->of->defs[i].inertia), end.omega);
        const rate own = rate_of(c->accelerations[DLS_CHECK_OWN] + 6 * at, c->scale[DLS_CHECK_OWN]);
        add_turning(&s, t, i, link_rate(t, y, i), own, dls_cross(end.omega, spin));
    }
    return s;
}

/* (dC/dv) d along the motion y: C is quadratic, so its terms of v and d in either order. */
static sum turning_change_of(const tree *t, int y)
{
    const dls_check *c = t->c;
    sum s = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < t->of->n_links; i++) {
        const size_t at = t->articulation->first_end + i;
        const dls_end end = dls_configuration_end(c->here, at);
        const dls_mat3 I = turned(&end, t->of->defs[i].inertia);
        const rate along = link_rate(t, y, i), more = link_rate(t, DLS_CHECK_TURN, i);
        const rate one = rate_of(c->accelerations[DLS_CHECK_TURN] + 6 * at, c->scale[DLS_CHECK_TURN]);
        const rate two = rate_of(c->accelerations[DLS_CHECK_CROSS] + 6 * at, c->scale[DLS_CHECK_CROSS]);
        const double most = 3.0 * largest_of(I) * dls_norm(end.omega) * more.ang_error;
        add_turning(&s, t, i, along, one, dls_cross(more.ang, dls_mul3(I, end.omega)));
        add_turning(&s, t, i, along, two, dls_cross(end.omega, dls_mul3(I, more.ang)));
        s.error += 2.0 * dls_norm(along.ang) * most;
    }
    return s;
}

/* The power of applied forces along the motion y. */
static sum applied_of(const tree *t, int y)
{
    const dls_check *c = t->c;
    const size_t first = t->articulation->first_end;
    const dls_spatial *load = c->state->link_force + first - c->model->n_bodies;
    const double *tau = c->state->force + t->articulation->offset;
    sum s = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < t->of->n_links; i++) {
        const rate along = link_rate(t, y, i);
        add(&s, along.lin, along.lin_error, dls_scale(t->of->defs[i].mass, c->model->world.gravity), 0.0);
        const dls_spatial medium = medium_on(c, first + i);
        add(&s, along.lin, along.lin_error, dls_add(load[i].lin, medium.lin), 0.0);
        add(&s, along.ang, along.ang_error, dls_add(load[i].ang, medium.ang), 0.0);
    }
    for (size_t k = 0; k < t->of->nv; k++)
        add_plain(&s, entry(t, y, k) * tau[k]);
    return s;
}

/* M x + C = Q along the motion y, with x the kick; where C is not explicit, M x = Q and M d + theta h D d + h C = 0. */
static void check_tree_velocity(const tree *t, int y)
{
    const dls_check *c = t->c;
    const double h = c->problem->h, theta = dls_coriolis_theta(&c->model->world);
    dls_check_found *to = dls_check_of_block(c, t->articulation->block, DLS_CHECK_UNCONSTRAINED);
    const sum kick = form(t, y, DLS_CHECK_KICK), turning = turning_of(t, y), applied = applied_of(t, y);
    /* v* - v cancels, with a rounding error of the order of M v / h. */
    const double before = form(t, y, DLS_CHECK_OWN).size / h;
    if (theta == 0.0) {
        dls_check_note(to, kick.value + turning.value, applied.value,
                       kick.error + turning.error + applied.error +
                           t->ulps * (kick.size + turning.size + applied.size + before));
        return;
    }
    const sum turn = form(t, y, DLS_CHECK_TURN), change = turning_change_of(t, y);
    dls_check_note(to, kick.value, applied.value,
                   kick.error + applied.error + t->ulps * (kick.size + applied.size + before + turn.size / h));
    dls_check_note(to, turn.value + theta * h * change.value, -h * turning.value,
                   turn.error + theta * h * change.error + h * turning.error +
                       t->ulps * (turn.size + theta * h * change.size + h * turning.size));
}

/* --- velocities of ends --- */

static void check_velocity(const dls_check *c, size_t end, size_t block)
{
    const dls_end at = dls_configuration_end(c->here, end);
    const rate r = rate_of(c->velocities[DLS_CHECK_OWN] + 6 * end, c->scale[DLS_CHECK_OWN]);
    const double rounding = DBL_EPSILON * c->reach[end].near_ulps;
    dls_check_found *to = dls_check_of_block(c, block, DLS_CHECK_VELOCITY);
    note3(to, at.v, r.lin,
          r.lin_error + rounding * (dls_norm(at.v) + c->scale[DLS_CHECK_OWN] * (1.0 + c->reach[end].near)));
    note3(to, at.omega, r.ang, r.ang_error + rounding * c->scale[DLS_CHECK_OWN]);
}

/* Sleeping bodies and articulations have no velocity. */
static bool sleeps(const dls_check *c, size_t block, size_t offset, size_t length)
{
    for (size_t k = offset; k < offset + length && c->state->asleep[block]; k++)
        dls_check_note(dls_check_of_block(c, block, DLS_CHECK_UNCONSTRAINED), c->problem->v_star[k], 0.0, 0.0);
    return c->state->asleep[block];
}

void dls_check_masses(dls_check *c)
{
    for (size_t i = 0; i < c->model->n_bodies; i++) {
        const dls_body *body = &c->model->bodies[i];
        if (body->offset == DLS_NONE)
            continue;
        const dls_mat3 I = turned(&c->here->bodies[i], body->inertia);
        check_body_mass(c, body, I);
        if (!sleeps(c, body->block, body->offset, 6))
            check_body_velocity(c, body, &c->here->bodies[i], I);
        check_velocity(c, i, body->block);
    }
    for (size_t a = 0; a < c->model->n_articulations; a++) {
        const dls_model_articulation *articulation = &c->model->articulations[a];
        if (articulation->block == DLS_NONE)
            continue;
        const tree t = {c, articulation, articulation->tree, unit * (double)(articulation->tree->n_links + 1)};
        check_tree_mass(&t);
        for (int y = 0;
             y < DLS_CHECK_DRAWN && !sleeps(c, articulation->block, articulation->offset, articulation->tree->nv); y++)
            check_tree_velocity(&t, y);
        for (size_t link = 0; link < articulation->tree->n_links; link++)
            check_velocity(c, articulation->first_end + link, articulation->block);
    }
}
