/* Is there an equilibrium? Dry joints in the plane, decided in exact arithmetic.
 *
 * Convex bodies of unit specific weight touch in joints under Coulomb's law. A joint has the unit normal n, which
 * points to its body 0, the tangent t, n turned clockwise, and one or two points with the normal forces N_1, N_2. Both
 * points of a face lie on the line of t, on which the tangential forces of both can be shifted: their sum T counts
 * alone, and they exist within both cones if and only if
 *
 *     N_k >= 0,   mu (N_1 + N_2) + T >= 0,   mu (N_1 + N_2) - T >= 0                                              (1)
 *
 * Three equations per body that is not fixed, E f = g, balance its weight and moment. Elimination leaves some entries
 * of f free, f = F x + f_0 (a chain of stones between two supports has three), and (1) becomes G x + c >= 0 with four
 * inequalities a face. Either it has a solution x, or by Farkas' lemma there is y >= 0 with G^T y = 0, c.y < 0: the
 * virtual work of a collapse mechanism, whose entries above 0 are its hinges (J. Heyman, "The stone skeleton", Int. J.
 * Solids Structures 2 (1966)) and its slips.
 *
 * The mechanism is one of the associated flow rule, which dissipates the most that the cones allow: where y exists
 * there is no equilibrium under Coulomb's law either. Where x exists there is one, and the structure may still have
 * others, or begin to move.
 *
 * All is rational: areas and first moments are polynomials in the corners, and with n and t in place of unit vectors
 * n |n| and t |n| of a face, whose ends p, q give n |n| = q - p turned counterclockwise, (1) is the same. Forces are
 * verified with the equations as they were before the elimination, multipliers with G and c. */
#include "delassus/reference.h"

#include "apart.h"
#include "margin.h"

#include "base/arithmetic.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static fmpq *entry(const fmpq_mat_t matrix, size_t i, size_t j) { return fmpq_mat_entry(matrix, (slong)i, (slong)j); }

/* A result and its arrays, in one piece. */
typedef struct whole_result {
    dls_equilibrium of;
    double room[];
} whole_result;

typedef struct statics {
    const dls_structure *of;
    dls_equilibrium *result;
    size_t equations, forces; /* of E */
    size_t free, rows;        /* entries of x, inequalities */
    size_t *body_at;          /* n_bodies: first equation; DLS_NONE: fixed */
    size_t *force_at;         /* n_joints: N_1, then N_2 of a face, then T */
    size_t *row_at;           /* n_joints: the inequalities N_1, N_2, +T, -T */
    size_t *pivot;            /* equations: the force that it gives; DLS_NONE */
    size_t *place;            /* forces: of a free one in x; DLS_NONE */
    fmpq_mat_t E;             /* equations x forces + 1: the last column is g */
    fmpq_mat_t moment;        /* n_bodies x 2: first moments of area, of x and of z */
    fmpq_mat_t reduced;       /* the same after the elimination */
    dls_rational set;         /* its A: G, its b: c, filled up with zeros to a square */
    fmpq_mat_t f;             /* forces x 1 */
    fmpq *y;                  /* rows */
    fmpq *x, *sum;            /* of any computation */
    dls_arena memory;
} statics;

static bool is_face(const dls_structure_joint *joint)
{
    return joint->point[0][0] != joint->point[1][0] || joint->point[0][1] != joint->point[1][1];
}

/* --- the equations --- */

/* The area of a polygon and its first moments, that is, area times x and z of its centre. With the corners
 * counterclockwise
 *     area = 1/2 sum c_k,  moment = 1/6 sum c_k (p_k + p_{k+1}),  c_k = x_k z_{k+1} - x_{k+1} z_k */
static void weigh_body(const dls_structure_body *body, fmpq_t area, fmpq *moment_x, fmpq *moment_z)
{
    fmpq_t x[2], z[2], cross, term;
    for (int k = 0; k < 2; k++)
        fmpq_init(x[k]), fmpq_init(z[k]);
    fmpq_init(cross), fmpq_init(term);
    fmpq_zero(area), fmpq_zero(moment_x), fmpq_zero(moment_z);
    for (size_t k = 0; k < body->corners; k++) {
        for (size_t end = 0; end < 2; end++) {
            const double *corner = body->corner + 2 * ((k + end) % body->corners);
            dls_rational_set(x[end], corner[0]), dls_rational_set(z[end], corner[1]);
        }
        fmpq_mul(cross, x[0], z[1]);
        fmpq_submul(cross, x[1], z[0]);
        fmpq_add(area, area, cross);
        fmpq_add(term, x[0], x[1]), fmpq_addmul(moment_x, cross, term);
        fmpq_add(term, z[0], z[1]), fmpq_addmul(moment_z, cross, term);
    }
    fmpq_set_si(term, 1, 2), fmpq_mul(area, area, term);
    fmpq_set_si(term, 1, 6), fmpq_mul(moment_x, moment_x, term), fmpq_mul(moment_z, moment_z, term);
    for (int k = 0; k < 2; k++)
        fmpq_clear(x[k]), fmpq_clear(z[k]);
    fmpq_clear(cross), fmpq_clear(term);
}

/* n |n| of a joint; the ends of a face have its body 0 on the left. */
static void joint_normal(const dls_structure_joint *joint, fmpq_t normal[2])
{
    if (!is_face(joint)) {
        dls_rational_set(normal[0], joint->normal[0]), dls_rational_set(normal[1], joint->normal[1]);
        return;
    }
    fmpq_t from;
    fmpq_init(from);
    for (int k = 0; k < 2; k++) {
        const int axis = 1 - k;
        dls_rational_set(normal[k], joint->point[1][axis]);
        dls_rational_set(from, joint->point[0][axis]);
        fmpq_sub(normal[k], normal[k], from);
    }
    fmpq_neg(normal[0], normal[0]);
    fmpq_clear(from);
}

/* Column j: a unit force d at the point p on body 0, and its opposite on body 1; the moment is z_p d_x - x_p d_z. */
static void enter_force(statics *s, const dls_structure_joint *joint, const double *p, const fmpq_t dx, const fmpq_t dz,
                        size_t j)
{
    for (int side = 0; side < 2; side++) {
        const size_t i = s->body_at[joint->body[side]];
        if (i == DLS_NONE)
            continue;
        fmpq_set(entry(s->E, i, j), dx);
        fmpq_set(entry(s->E, i + 1, j), dz);
        dls_rational_set(s->x, p[1]);
        fmpq_mul(entry(s->E, i + 2, j), s->x, dx);
        dls_rational_set(s->x, p[0]);
        fmpq_submul(entry(s->E, i + 2, j), s->x, dz);
        for (size_t k = 0; side == 1 && k < 3; k++)
            fmpq_neg(entry(s->E, i + k, j), entry(s->E, i + k, j));
    }
}

static void enter_joint(statics *s, size_t k)
{
    const dls_structure_joint *joint = &s->of->joints[k];
    const size_t points = is_face(joint) ? 2 : 1;
    fmpq_t n[2], down;
    fmpq_init(n[0]), fmpq_init(n[1]), fmpq_init(down);
    joint_normal(joint, n);
    for (size_t p = 0; p < points; p++)
        enter_force(s, joint, joint->point[p], n[0], n[1], s->force_at[k] + p);
    fmpq_neg(down, n[0]);
    enter_force(s, joint, joint->point[0], n[1], down, s->force_at[k] + points);
    fmpq_clear(n[0]), fmpq_clear(n[1]), fmpq_clear(down);
}

/* The forces of the joints carry the weight, which is area downwards at the centre: its moment is first moment. */
static dls_status enter_weight(statics *s, size_t body, dls_error *error)
{
    const size_t i = s->body_at[body];
    if (i == DLS_NONE)
        return DLS_OK;
    fmpq *area = entry(s->E, i + 1, s->forces), *moment = entry(s->moment, body, 0);
    weigh_body(&s->of->bodies[body], area, moment, entry(s->moment, body, 1));
    fmpq_neg(entry(s->E, i + 2, s->forces), moment);
    return fmpq_sgn(area) > 0 ? DLS_OK
                              : dls_fail(error, DLS_BAD_ARGUMENT,
                                         "body %zu has no positive area: give its corners counterclockwise", body);
}

/* Two convex bodies in touch lie on both sides of the line of t through the joint, and so do their centres: n . (centre
 * - p) is positive for body 0 and negative for body 1. A joint the other way round would pull. */
static dls_status check_sides(statics *s, size_t k, dls_error *error)
{
    const dls_structure_joint *joint = &s->of->joints[k];
    dls_status status = DLS_OK;
    fmpq_t n[2];
    fmpq_init(n[0]), fmpq_init(n[1]);
    joint_normal(joint, n);
    for (size_t side = 0; side < 2 && status == DLS_OK; side++) {
        const size_t body = joint->body[side], i = s->body_at[body];
        if (i == DLS_NONE)
            continue;
        fmpq_zero(s->sum);
        for (size_t axis = 0; axis < 2; axis++) { /* times the area, which is positive */
            dls_rational_set(s->x, joint->point[0][axis]);
            fmpq_mul(s->x, s->x, entry(s->E, i + 1, s->forces));
            fmpq_sub(s->x, entry(s->moment, body, axis), s->x);
            fmpq_addmul(s->sum, s->x, n[axis]);
        }
        if (fmpq_sgn(s->sum) * (side == 0 ? 1 : -1) <= 0)
            status = dls_fail(error, DLS_BAD_ARGUMENT,
                              "joint %zu: its normal points from body %zu to body %zu, but body %zu is not on that "
                              "side; exchange the bodies or the ends",
                              k, joint->body[1], joint->body[0], body);
    }
    fmpq_clear(n[0]), fmpq_clear(n[1]);
    return status;
}

/* --- elimination --- */

static void subtract_row(statics *s, size_t from, size_t i, size_t column)
{
    fmpq_set(s->x, entry(s->reduced, i, column));
    for (size_t j = 0; j <= s->forces; j++)
        if (!fmpq_is_zero(entry(s->reduced, from, j)))
            fmpq_submul(entry(s->reduced, i, j), s->x, entry(s->reduced, from, j));
}

/* Gauss and Jordan, from the last body on, each for the first of its forces: where bodies and joints are numbered from
 * the ground up, or along a chain, those are the forces that carry it, and what it carries is known by then. So each
 * row has a force of its own and those that stay free, and its fractions stay short. False if no force balances some
 * body.
 */
static bool eliminate_forces(statics *s)
{
    fmpq_mat_set(s->reduced, s->E);
    for (size_t i = s->equations; i-- > 0;) {
        size_t j = 0;
        while (j < s->forces && fmpq_is_zero(entry(s->reduced, i, j)))
            j++;
        s->pivot[i] = j < s->forces ? j : DLS_NONE;
        if (j == s->forces && !fmpq_is_zero(entry(s->reduced, i, s->forces)))
            return false;
        if (j == s->forces)
            continue;
        fmpq_inv(s->sum, entry(s->reduced, i, j));
        for (size_t k = 0; k <= s->forces; k++)
            fmpq_mul(entry(s->reduced, i, k), entry(s->reduced, i, k), s->sum);
        for (size_t k = 0; k < s->equations; k++)
            if (k != i && !fmpq_is_zero(entry(s->reduced, k, j)))
                subtract_row(s, i, k, j);
    }
    for (size_t j = 0; j < s->forces; j++)
        s->place[j] = 0;
    for (size_t i = 0; i < s->equations; i++)
        if (s->pivot[i] != DLS_NONE)
            s->place[s->pivot[i]] = DLS_NONE;
    for (size_t j = 0; j < s->forces; j++)
        if (s->place[j] != DLS_NONE)
            s->place[j] = s->free++;
    return true;
}

/* --- the inequalities --- */

/* Adds `share` times the force j, in terms of x, to row r of G and c. */
static void add_force(statics *s, const size_t *equation_of, size_t r, size_t j, const fmpq_t share)
{
    if (s->place[j] != DLS_NONE) {
        fmpq *g = entry(s->set.A, r, s->place[j]);
        fmpq_add(g, g, share);
        return;
    }
    const size_t i = equation_of[j];
    fmpq_addmul(entry(s->set.b, r, 0), share, entry(s->reduced, i, s->forces));
    for (size_t k = 0; k < s->forces; k++)
        if (s->place[k] != DLS_NONE && !fmpq_is_zero(entry(s->reduced, i, k)))
            fmpq_submul(entry(s->set.A, r, s->place[k]), share, entry(s->reduced, i, k));
}

static void enter_cone(statics *s, const size_t *equation_of, size_t k)
{
    const dls_structure_joint *joint = &s->of->joints[k];
    const size_t points = is_face(joint) ? 2 : 1, at = s->force_at[k], r = s->row_at[k];
    fmpq_t one, mu;
    fmpq_init(one), fmpq_init(mu);
    dls_rational_set(mu, joint->mu);
    for (size_t p = 0; p < points; p++) {
        fmpq_set_si(one, 1, 1);
        add_force(s, equation_of, r + p, at + p, one);
        add_force(s, equation_of, r + points, at + p, mu);
        add_force(s, equation_of, r + points + 1, at + p, mu);
    }
    add_force(s, equation_of, r + points, at + points, one);
    fmpq_neg(one, one);
    add_force(s, equation_of, r + points + 1, at + points, one);
    fmpq_clear(one), fmpq_clear(mu);
}

static void enter_cones(statics *s, size_t *equation_of)
{
    s->set.n = s->rows > s->free ? s->rows : s->free;
    fmpq_mat_clear(s->set.A), fmpq_mat_clear(s->set.b);
    fmpq_mat_init(s->set.A, (slong)s->set.n, (slong)s->set.n), fmpq_mat_init(s->set.b, (slong)s->set.n, 1);
    for (size_t i = 0; i < s->equations; i++)
        if (s->pivot[i] != DLS_NONE)
            equation_of[s->pivot[i]] = i;
    for (size_t k = 0; k < s->of->n_joints; k++)
        enter_cone(s, equation_of, k);
}

/* --- both answers, and their verification --- */

/* f = F x + f_0. */
static void find_forces(statics *s, const fmpq *x)
{
    for (size_t j = 0; j < s->forces; j++)
        if (s->place[j] != DLS_NONE)
            fmpq_set(entry(s->f, j, 0), x + s->place[j]);
    for (size_t i = 0; i < s->equations; i++) {
        if (s->pivot[i] == DLS_NONE)
            continue;
        fmpq *f = entry(s->f, s->pivot[i], 0);
        fmpq_set(f, entry(s->reduced, i, s->forces));
        for (size_t j = 0; j < s->forces; j++)
            if (s->place[j] != DLS_NONE)
                fmpq_submul(f, entry(s->reduced, i, j), entry(s->f, j, 0));
    }
}

static bool balances(statics *s)
{
    for (size_t i = 0; i < s->equations; i++) {
        fmpq_neg(s->sum, entry(s->E, i, s->forces));
        for (size_t j = 0; j < s->forces; j++)
            if (!fmpq_is_zero(entry(s->E, i, j)))
                fmpq_addmul(s->sum, entry(s->E, i, j), entry(s->f, j, 0));
        if (!fmpq_is_zero(s->sum))
            return false;
    }
    return true;
}

static bool within_cone(statics *s, size_t k)
{
    const dls_structure_joint *joint = &s->of->joints[k];
    const size_t points = is_face(joint) ? 2 : 1, at = s->force_at[k];
    fmpq_zero(s->sum);
    for (size_t p = 0; p < points; p++) {
        if (fmpq_sgn(entry(s->f, at + p, 0)) < 0)
            return false;
        fmpq_add(s->sum, s->sum, entry(s->f, at + p, 0));
    }
    dls_rational_set(s->x, joint->mu);
    fmpq_mul(s->sum, s->sum, s->x);
    fmpq_abs(s->x, entry(s->f, at + points, 0));
    return fmpq_cmp(s->x, s->sum) <= 0;
}

/* |n| of n |n|, its root rounded. */
static void normal_length(const dls_structure_joint *joint, fmpq_t length)
{
    fmpq_t n[2];
    fmpq_init(n[0]), fmpq_init(n[1]);
    joint_normal(joint, n);
    fmpq_abs(n[0], n[0]), fmpq_abs(n[1], n[1]);
    const int most = fmpq_cmp(n[0], n[1]) < 0, least = 1 - most;
    fmpq_div(n[least], n[least], n[most]); /* at most 1, so that its square does not overflow */
    dls_rational_set(length, hypot(1.0, dls_rational_get(n[least], DLS_ROUND_NEAREST)));
    fmpq_mul(length, length, n[most]);
    fmpq_clear(n[0]), fmpq_clear(n[1]);
}

/* Round the forces, scaled from n |n| to unit vectors. */
static void round_forces(statics *s)
{
    for (size_t k = 0; k < s->of->n_joints; k++) {
        const size_t points = is_face(&s->of->joints[k]) ? 2 : 1;
        normal_length(&s->of->joints[k], s->x);
        for (size_t p = 0; p <= points; p++) {
            fmpq_mul(s->sum, s->x, entry(s->f, s->force_at[k] + p, 0));
            s->result->force[3 * k + (p < points ? p : 2)] = dls_rational_get(s->sum, DLS_ROUND_NEAREST);
        }
    }
}

/* y >= 0, G^T y = 0 and c.y < 0. */
static bool refutes(statics *s)
{
    const fmpq *y = s->y;
    for (size_t j = 0; j <= s->free; j++) {
        fmpq_zero(s->sum);
        for (size_t r = 0; r < s->rows; r++) {
            if (fmpq_sgn(y + r) < 0)
                return false;
            fmpq_addmul(s->sum, y + r, j < s->free ? entry(s->set.A, r, j) : entry(s->set.b, r, 0));
        }
        if (j < s->free ? !fmpq_is_zero(s->sum) : fmpq_sgn(s->sum) >= 0)
            return false;
    }
    return true;
}

/* Round the multipliers, scaled from n |n| to unit vectors, against the largest. */
static void round_mechanism(statics *s)
{
    fmpq *y = s->y;
    fmpq_zero(s->sum);
    for (size_t k = 0; k < s->of->n_joints; k++) {
        const size_t first = s->row_at[k], end = k + 1 < s->of->n_joints ? s->row_at[k + 1] : s->rows;
        normal_length(&s->of->joints[k], s->x);
        for (size_t r = first; r < end; r++) {
            fmpq_div(y + r, y + r, s->x);
            if (fmpq_cmp(y + r, s->sum) > 0)
                fmpq_set(s->sum, y + r);
        }
    }
    for (size_t k = 0; k < s->of->n_joints; k++) {
        const bool face = is_face(&s->of->joints[k]);
        for (size_t i = 0, r = s->row_at[k]; i < 4; i++) {
            if (i == 1 && !face)
                continue;
            fmpq_div(s->x, y + r++, s->sum);
            s->result->mechanism[4 * k + i] = dls_rational_get(s->x, DLS_ROUND_NEAREST);
        }
    }
}

static void search_forces(statics *s)
{
    fmpq *x = _fmpq_vec_init((slong)s->free);
    s->y = _fmpq_vec_init((slong)s->rows);
    const dls_margin_answer answer =
        dls_margin_search(&s->set, s->rows, s->free, s->of->most_work, x, s->y, &s->result->pivots, &s->memory);
    if (answer == DLS_MARGIN_POINT) {
        find_forces(s, x);
        bool holds = balances(s);
        for (size_t k = 0; holds && k < s->of->n_joints; k++)
            holds = within_cone(s, k);
        if (holds) {
            s->result->verdict = DLS_EQUILIBRIUM_EXISTS;
            round_forces(s);
        }
    } else if (answer == DLS_MARGIN_CONFLICT && refutes(s)) {
        s->result->verdict = DLS_EQUILIBRIUM_REFUTED;
        round_mechanism(s);
    }
    _fmpq_vec_clear(s->y, (slong)s->rows);
    _fmpq_vec_clear(x, (slong)s->free);
}

/* --- the whole --- */

static dls_status number_all(statics *s, dls_error *error)
{
    const dls_structure *of = s->of;
    s->body_at = DLS_TAKE(&s->memory, size_t, of->n_bodies);
    s->force_at = DLS_TAKE(&s->memory, size_t, of->n_joints), s->row_at = DLS_TAKE(&s->memory, size_t, of->n_joints);
    s->pivot = DLS_TAKE(&s->memory, size_t, 3 * of->n_bodies);
    s->place = DLS_TAKE(&s->memory, size_t, 3 * of->n_joints);
    if (s->memory.failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu joints", of->n_joints);
    for (size_t i = 0; i < of->n_bodies; i++) {
        s->body_at[i] = of->bodies[i].corners ? s->equations : DLS_NONE;
        s->equations += of->bodies[i].corners ? 3 : 0;
    }
    for (size_t k = 0; k < of->n_joints; k++) {
        const size_t points = is_face(&of->joints[k]) ? 2 : 1;
        s->force_at[k] = s->forces, s->row_at[k] = s->rows;
        s->forces += points + 1, s->rows += points + 2;
    }
    return DLS_OK;
}

static dls_status decide(statics *s, dls_error *error)
{
    size_t *equation_of = DLS_TAKE(&s->memory, size_t, s->forces);
    if (s->memory.failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu forces", s->forces);
    for (size_t i = 0; i < s->of->n_bodies; i++)
        DLS_TRY(enter_weight(s, i, error));
    for (size_t k = 0; k < s->of->n_joints; k++) {
        DLS_TRY(check_sides(s, k, error));
        enter_joint(s, k);
    }
    if (!eliminate_forces(s)) {
        s->result->verdict = DLS_EQUILIBRIUM_REFUTED;
        return DLS_OK;
    }
    s->result->freedoms = s->free;
    enter_cones(s, equation_of);
    search_forces(s);
    return s->memory.failed ? dls_fail(error, DLS_NO_MEMORY, "no memory for %zu inequalities", s->rows) : DLS_OK;
}

static dls_status decide_exactly(void *context, dls_error *error)
{
    statics *s = context;
    const dls_status numbered = number_all(s, error);
    if (numbered != DLS_OK) {
        dls_arena_release(&s->memory);
        return numbered;
    }
    fmpq_mat_init(s->E, (slong)s->equations, (slong)s->forces + 1);
    fmpq_mat_init(s->reduced, (slong)s->equations, (slong)s->forces + 1);
    fmpq_mat_init(s->f, (slong)s->forces, 1);
    fmpq_mat_init(s->moment, (slong)s->of->n_bodies, 2);
    fmpq_mat_init(s->set.A, 0, 0), fmpq_mat_init(s->set.b, 0, 1);
    s->x = _fmpq_vec_init(2), s->sum = s->x + 1;
    const dls_status status = decide(s, error);
    fmpq_mat_clear(s->E), fmpq_mat_clear(s->reduced), fmpq_mat_clear(s->f), fmpq_mat_clear(s->moment);
    fmpq_mat_clear(s->set.A), fmpq_mat_clear(s->set.b);
    _fmpq_vec_clear(s->x, 2);
    dls_arena_release(&s->memory);
    return status;
}

static dls_status check_joint(const dls_structure *of, size_t k, dls_error *error)
{
    const dls_structure_joint *joint = &of->joints[k];
    for (int end = 0; end < 2; end++) {
        if (joint->body[end] >= of->n_bodies)
            return dls_fail(error, DLS_BAD_ARGUMENT, "joint %zu: there is no body %zu", k, joint->body[end]);
        if (!isfinite(joint->point[end][0]) || !isfinite(joint->point[end][1]) || !isfinite(joint->normal[end]))
            return dls_fail(error, DLS_BAD_ARGUMENT, "joint %zu: points and normal must be finite", k);
    }
    if (!is_face(joint) && joint->normal[0] == 0.0 && joint->normal[1] == 0.0)
        return dls_fail(error, DLS_BAD_ARGUMENT, "joint %zu is a point, and has no normal", k);
    if (joint->body[0] == joint->body[1])
        return dls_fail(error, DLS_BAD_ARGUMENT, "joint %zu connects body %zu to itself", k, joint->body[0]);
    if (!(joint->mu >= 0.0) || isinf(joint->mu))
        return dls_fail(error, DLS_BAD_ARGUMENT, "joint %zu: mu must be finite and not negative", k);
    return DLS_OK;
}

static dls_status check_structure(const dls_structure *of, dls_error *error)
{
    if (of->n_joints > DLS_STRUCTURE_JOINTS_MAX || of->n_bodies > DLS_STRUCTURE_JOINTS_MAX)
        return dls_fail(error, DLS_REFUSED, "%zu bodies and %zu joints: at most %d of each are decided exactly",
                        of->n_bodies, of->n_joints, DLS_STRUCTURE_JOINTS_MAX);
    if (!(of->most_work >= 0.0))
        return dls_fail(error, DLS_BAD_ARGUMENT, "the limit of work must not be negative, as %g is", of->most_work);
    for (size_t i = 0; i < of->n_bodies; i++)
        for (size_t k = 0; k < 2 * of->bodies[i].corners; k++)
            if (!isfinite(of->bodies[i].corner[k]))
                return dls_fail(error, DLS_BAD_ARGUMENT, "body %zu: corners must be finite", i);
    for (size_t k = 0; k < of->n_joints; k++)
        DLS_TRY(check_joint(of, k, error));
    return DLS_OK;
}

dls_status dls_equilibrium_decide(const dls_structure *of, dls_equilibrium **result, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    *result = NULL;
    DLS_TRY(check_structure(of, error));
    const size_t size = sizeof(whole_result) + 7 * of->n_joints * sizeof(double);
    whole_result *made = calloc(1, size);
    if (!made)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the forces of %zu joints", of->n_joints);
    made->of.force = made->room, made->of.mechanism = made->room + 3 * of->n_joints;
    statics s = {.of = of, .result = &made->of};
    const dls_status status = dls_apart_run(&(dls_apart){decide_exactly, &s, made, size, NULL, NULL}, error);
    if (status == DLS_OK)
        *result = &made->of;
    else
        free(made);
    return status;
}

void dls_equilibrium_destroy(dls_equilibrium *result) { free(result); }
