/* A solution under friction near given impulses.
 *
 * Each row has a state: "lower", "upper": its impulse is that bound, and w presses on it; "between" its bounds, w = 0;
 * under friction "none": the impulse is 0, for mu is 0 or the normal impulse is; "sticks": w = 0, below the bound;
 * under a box "forward", "backward": at mu or -mu times the normal impulse, against w; a disc "slides": on its circle,
 * against w.
 *
 * THEOREM. With these states a solution is a zero of the polynomials f in the impulses that are not fixed,
 *     w_i = 0,   x_i -+ mu x_n = 0,   w_1 x_2 - w_2 x_1 = 0,   x_1^2 + x_2^2 - mu^2 x_n^2 = 0,
 * where the inequalities of the states hold. Let F enclose f' over the box X = x0 +- r, and let R be any matrix. If
 *     -R f(x0) + (1 - R F) [-r, r]   is inside of   [-r, r],
 * then e -> e - R f(x0 + e) maps the box into its inside, has a fixed point there (L. E. J. Brouwer), and R is regular,
 * so that it is a zero of f (R. Krawczyk, Computing 4, 1969; S. M. Rump, Acta Numerica 19, 2010). There may be other
 * solutions elsewhere. Every operation here is one of balls, which enclose the exact result. */
#include "certified.h"

#include <stdlib.h>

enum { PRECISION = 320 };

typedef enum equation { FIXED, STILL, FORWARD, BACKWARD, ACROSS, ALONG } equation;

typedef struct piece {
    const problem *p;
    const char **state;   /* n */
    equation *equation;   /* n */
    const friction **law; /* n: of a row under friction, or NULL */
    slong m, *row;        /* m: the impulses that are not fixed */
    arb_mat_t A;          /* n x n */
    arb_ptr b, x, w, f;   /* n, n, n, m */
    arb_mat_t F;          /* m x m */
} piece;

static void insist_here(bool holds) { insist(holds, "a row is not proved to be in its state"); }

static slong disc_mate(const piece *c, slong i) { return c->law[i]->first + (i == c->law[i]->first); }

/* --- states --- */

static equation equation_of_friction(const piece *c, slong i, const fmpq_t x)
{
    const friction *f = c->law[i];
    const char *state = c->state[i];
    if (f->law != LAW_BOX)
        insist(f->law == LAW_CONE && fmpq_equal(f->mu, f->mu + 1) && is_text(state, c->state[disc_mate(c, i)]),
               "a disc is not round, or has two states");
    if (is_text(state, "sticks"))
        return STILL;
    if (f->law == LAW_BOX && (is_text(state, "forward") || is_text(state, "backward")))
        return is_text(state, "forward") ? FORWARD : BACKWARD;
    if (f->law == LAW_CONE && is_text(state, "slides"))
        return i == f->first ? ACROSS : ALONG;
    insist_here(is_text(state, "none") && fmpq_is_zero(x));
    return FIXED;
}

static equation equation_of_row(const piece *c, slong i, const fmpq_t x)
{
    const problem *p = c->p;
    const char *state = c->state[i];
    if (c->law[i])
        return equation_of_friction(c, i, x);
    if (is_text(state, "between"))
        return STILL;
    insist_here((is_text(state, "lower") && !p->no_lo[i] && fmpq_equal(x, p->lo + i)) ||
                (is_text(state, "upper") && !p->no_hi[i] && fmpq_equal(x, p->hi + i)));
    return FIXED;
}

static void read_states(piece *c, const json_t *states, const fmpq *x)
{
    const problem *p = c->p;
    c->state = room(p->n, sizeof *c->state), c->equation = room(p->n, sizeof *c->equation);
    c->law = room(p->n, sizeof *c->law), c->row = room(p->n, sizeof *c->row);
    insist((slong)json_array_size(states) == p->n, "a list has no n entries");
    for (slong i = 0; i < p->n; i++)
        c->state[i] = text_of(json_array_get(states, (size_t)i));
    for (const friction *f = p->friction; f < p->friction + p->n_friction; f++)
        for (slong i = f->first; i < f->first + f->count; i++)
            c->law[i] = f;
    for (slong i = 0; i < p->n; i++) {
        c->equation[i] = equation_of_row(c, i, x + i);
        if (c->equation[i] != FIXED)
            c->row[c->m++] = i;
    }
}

/* --- the system --- */

static void take_matrix(piece *c)
{
    const slong n = c->p->n;
    fmpq_mat_t exact;
    fmpq *zeros = _fmpq_vec_init(n + 1), *b = _fmpq_vec_init(n + 1);
    matrix_of(c->p, exact);
    evaluate_w(c->p, zeros, b);
    arb_mat_init(c->A, n, n);
    arb_mat_set_fmpq_mat(c->A, exact, PRECISION);
    c->b = _arb_vec_init(n + 1), c->x = _arb_vec_init(n + 1), c->w = _arb_vec_init(n + 1), c->f = _arb_vec_init(n + 1);
    for (slong i = 0; i < n; i++)
        arb_set_fmpq(c->b + i, b + i, PRECISION);
    arb_mat_init(c->F, c->m, c->m);
}

static void enclose_w(piece *c)
{
    for (slong i = 0; i < c->p->n; i++) {
        arb_set(c->w + i, c->b + i);
        for (slong j = 0; j < c->p->n; j++)
            arb_addmul(c->w + i, arb_mat_entry(c->A, i, j), c->x + j, PRECISION);
    }
}

static void set_mu(const piece *c, slong i, arb_t mu) { arb_set_fmpq(mu, c->law[i]->mu, PRECISION); }

/* to += sign (mu x_n)^2 */
static void add_friction_square(const piece *c, slong i, int sign, arb_t to)
{
    arb_t most;
    arb_init(most);
    set_mu(c, i, most);
    arb_mul(most, most, c->x + c->law[i]->normal, PRECISION);
    arb_mul(most, most, most, PRECISION);
    if (sign > 0)
        arb_add(to, to, most, PRECISION);
    else
        arb_sub(to, to, most, PRECISION);
    arb_clear(most);
}

static void enclose_equation(piece *c, slong i, arb_t to)
{
    arb_t mu;
    arb_init(mu);
    if (c->equation[i] == STILL) {
        arb_set(to, c->w + i);
    } else if (c->equation[i] == ACROSS) {
        arb_mul(to, c->w + i, c->x + i + 1, PRECISION);
        arb_submul(to, c->w + i + 1, c->x + i, PRECISION);
    } else if (c->equation[i] == ALONG) {
        arb_mul(to, c->x + i - 1, c->x + i - 1, PRECISION);
        arb_addmul(to, c->x + i, c->x + i, PRECISION);
        add_friction_square(c, i, -1, to);
    } else {
        set_mu(c, i, mu);
        arb_mul(to, mu, c->x + c->law[i]->normal, PRECISION);
        if (c->equation[i] == FORWARD)
            arb_neg(to, to);
        arb_add(to, to, c->x + i, PRECISION);
    }
    arb_clear(mu);
}

/* The derivative of the equation of row i by the impulse of row j. */
static void enclose_derivative(piece *c, slong i, slong j, arb_t to)
{
    const slong normal = c->law[i] ? c->law[i]->normal : -1;
    arb_zero(to);
    if (c->equation[i] == STILL) {
        arb_set(to, arb_mat_entry(c->A, i, j));
    } else if (c->equation[i] == ACROSS) {
        arb_mul(to, arb_mat_entry(c->A, i, j), c->x + i + 1, PRECISION);
        arb_submul(to, arb_mat_entry(c->A, i + 1, j), c->x + i, PRECISION);
        if (j == i + 1)
            arb_add(to, to, c->w + i, PRECISION);
        if (j == i)
            arb_sub(to, to, c->w + i + 1, PRECISION);
    } else if (c->equation[i] == ALONG && (j == i || j == i - 1)) {
        arb_mul_2exp_si(to, c->x + j, 1);
    } else if (c->equation[i] == ALONG && j == normal) {
        set_mu(c, i, to);
        arb_mul(to, to, to, PRECISION);
        arb_mul(to, to, c->x + normal, PRECISION);
        arb_mul_2exp_si(to, to, 1);
        arb_neg(to, to);
    } else if (c->equation[i] != ALONG && j == normal) {
        set_mu(c, i, to);
        if (c->equation[i] == FORWARD)
            arb_neg(to, to);
    } else if (c->equation[i] != ALONG && j == i) {
        arb_one(to);
    }
}

static void linearise(piece *c)
{
    enclose_w(c);
    for (slong a = 0; a < c->m; a++) {
        enclose_equation(c, c->row[a], c->f + a);
        for (slong b = 0; b < c->m; b++)
            enclose_derivative(c, c->row[a], c->row[b], arb_mat_entry(c->F, a, b));
    }
}

/* Widens the impulses that are not fixed to a box that contains a zero; r: its radii. */
static void enclose_zero(piece *c, arb_ptr r)
{
    const slong m = c->m;
    arb_mat_t R, C, f, step;
    arb_t size, image;
    arb_mat_init(R, m, m), arb_mat_init(C, m, m), arb_mat_init(f, m, 1), arb_mat_init(step, m, 1);
    arb_init(size), arb_init(image);
    linearise(c);
    insist(m == 0 || arb_mat_approx_inv(R, c->F, PRECISION), "the equations of the states are singular");
    for (slong a = 0; a < m; a++) {
        arb_set(arb_mat_entry(f, a, 0), c->f + a);
        arb_abs(image, c->x + c->row[a]);
        arb_max(size, size, image, PRECISION);
    }
    arb_mat_mul(step, R, f, PRECISION);
    arb_mul_2exp_si(size, size, -200);
    for (slong a = 0; a < m; a++) {
        arb_abs(r + a, arb_mat_entry(step, a, 0));
        arb_mul_2exp_si(r + a, r + a, 1);
        arb_add(r + a, r + a, size, PRECISION);
        arb_get_ubound_arf(arb_midref(r + a), r + a, PRECISION);
        mag_zero(arb_radref(r + a));
        arb_add_error(c->x + c->row[a], r + a);
    }
    linearise(c);
    arb_mat_mul(C, R, c->F, PRECISION);
    for (slong a = 0; a < m; a++) {
        arb_neg(image, arb_mat_entry(step, a, 0));
        for (slong b = 0; b < m; b++) {
            arb_t off;
            arb_init(off);
            arb_sub_si(off, arb_mat_entry(C, a, b), a == b, PRECISION);
            arb_abs(off, off);
            arb_mul(off, off, r + b, PRECISION);
            arb_add_error(image, off);
            arb_clear(off);
        }
        arb_abs(image, image);
        insist(arb_lt(image, r + a), "no solution is proved to be near the impulses");
    }
}

/* --- the inequalities --- */

static void insist_friction(piece *c, slong i)
{
    const friction *f = c->law[i];
    const slong normal = f->normal, mate = f->count == 2 ? disc_mate(c, i) : i;
    arb_t sum;
    arb_init(sum);
    if (c->equation[i] == FIXED) {
        insist_here(fmpq_is_zero(f->mu) || (c->equation[normal] == FIXED && arb_is_zero(c->x + normal)));
    } else if (c->equation[i] == STILL) {
        arb_mul(sum, c->x + i, c->x + i, PRECISION);
        if (mate != i)
            arb_addmul(sum, c->x + mate, c->x + mate, PRECISION);
        arb_neg(sum, sum);
        add_friction_square(c, i, 1, sum);
        insist_here(arb_is_positive(c->x + normal) && arb_is_positive(sum));
    } else {
        arb_mul(sum, c->w + i, c->x + i, PRECISION);
        if (mate != i)
            arb_addmul(sum, c->w + mate, c->x + mate, PRECISION);
        insist_here(fmpq_sgn(f->mu) > 0 && arb_is_positive(c->x + normal) && arb_is_negative(sum));
    }
    arb_clear(sum);
}

static void insist_inequalities(piece *c, slong i)
{
    const problem *p = c->p;
    arb_t bound;
    arb_init(bound);
    if (c->law[i]) {
        insist_friction(c, i);
    } else if (c->equation[i] == FIXED) {
        const bool same = !p->no_lo[i] && !p->no_hi[i] && fmpq_equal(p->lo + i, p->hi + i);
        insist_here(same || (is_text(c->state[i], "lower") ? arb_is_positive(c->w + i) : arb_is_negative(c->w + i)));
    } else {
        arb_set_fmpq(bound, p->lo + i, PRECISION);
        insist_here(p->no_lo[i] || arb_gt(c->x + i, bound));
        arb_set_fmpq(bound, p->hi + i, PRECISION);
        insist_here(p->no_hi[i] || arb_lt(c->x + i, bound));
    }
    arb_clear(bound);
}

const char *check_states(const problem *p, const json_t *claim, const json_t *witness)
{
    const slong n = p->n;
    const fmpq *given = exact_list(member(claim, "given"), n), *radius = exact_list(member(claim, "radius"), n);
    const json_t *xs = member(witness, "x");
    fmpq *x = _fmpq_vec_init(n + 1);
    piece c = {.p = p};
    fmpq_t slack;
    fmpq_init(slack);
    insist((slong)json_array_size(xs) == n, "a list has no n entries");
    for (slong i = 0; i < n; i++)
        read_witness(json_array_get(xs, (size_t)i), x + i);
    read_states(&c, member(claim, "states"), x);
    take_matrix(&c);
    for (slong i = 0; i < n; i++)
        arb_set_fmpq(c.x + i, x + i, PRECISION);
    arb_ptr r = _arb_vec_init(c.m + 1), near = _arb_vec_init(n + 1);
    enclose_zero(&c, r);
    for (slong a = 0; a < c.m; a++)
        arb_set(near + c.row[a], r + a);
    for (slong i = 0; i < n; i++) {
        insist_inequalities(&c, i);
        fmpq_sub(slack, given + i, x + i);
        fmpq_abs(slack, slack);
        fmpq_sub(slack, radius + i, slack);
        insist(is_beyond(slack, near + i, true), "a radius is too small");
    }
    return "a solution in these states is within the radii of the given impulses";
}
