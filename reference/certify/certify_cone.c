/* Friction that follows the normal impulse: a solution near lambda, by Krawczyk's test on the smooth piece.
 *
 * Each row has a state: held at a bound; w = 0; a tangent of a box at s mu lambda_n, s = +-1; or, two tangents under
 * Coulomb's cone, sliding. A contact without a normal impulse holds its tangents at 0. With these states a solution is
 * a zero of polynomials of degree 2 in the impulses that are not held,
 *     w_i = 0,     lambda_i - s mu lambda_n = 0,
 *     w_1 lambda_2 - w_2 lambda_1 = 0  and  lambda_1^2 + lambda_2^2 - mu^2 lambda_n^2 = 0     of tangents that slide,
 * where the strict inequalities hold: |lambda_t| < mu lambda_n of what sticks, w_t . lambda_t < 0 and lambda_n > 0 of
 * what slides, the sign of w at a bound, and so on. For such a system f(x + e) = f(x) + f'(x) e + Q(e) exactly. With F
 * about f'(x) and R about its inverse, e -> e - R f(x + e) maps the box |e| <= r into its inside if
 *     |R f(x)| + |1 - R F| r + |R| (|f'(x) - F| r + max |Q(e)|) < r,
 * and so has a fixed point there (L. E. J. Brouwer); R is regular, for |1 - R F| r < r, so that it is a zero of f (R.
 * Krawczyk, Computing 4 (1969); S. M. Rump, Acta Numerica 19 (2010), section 13). There may be other solutions: nothing
 * is said of what lies outside of the box.
 *
 * In the units of H: lambda = d y. For the equations of row i to have them too, with g a power of two near the friction
 * mu lambda_n of what slides, they are
 *     d_i w_i = 0,     (lambda_i - s mu lambda_n) / d_i = 0,
 *     d_i (w_1 lambda_2 - w_2 lambda_1) / g = 0,     (lambda_1^2 + lambda_2^2 - mu^2 lambda_n^2) / (g d_i) = 0,
 * so that the same is proved in any units, and no square of an impulse overflows or vanishes. */
#include "parts.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum role { HELD_AT_BOUND, NO_SPEED, BOX_SLIDES, ACROSS, ALONG } role; /* ACROSS, ALONG: tangents that slide */

typedef struct piece {
    dls_stored *s;
    role *role;          /* n */
    double *side;        /* n: s of a tangent of a box */
    double *g;           /* n: of tangents that slide under the cone */
    dls_twofold *lambda; /* n */
    double *w, *w_error; /* n */
    size_t m, *rows;     /* m: unknowns, and their equations */
    size_t *at;          /* n: place of a row among the unknowns, or n */
    double *F, *R, *G;   /* m x m: Jacobian, about its inverse, R F */
    int *pivots;
    double *f, *f_error;   /* m */
    double *Rf, *r, *next; /* m */
    double *u, *v;         /* m */
    double *shift;         /* n: |w - w of the solution| */
} piece;

static bool take_piece(piece *c, dls_arena *memory)
{
    const size_t n = c->s->n;
    double **const vectors[] = {&c->side, &c->g, &c->w, &c->w_error, &c->f,    &c->f_error,
                                &c->Rf,   &c->r, &c->u, &c->v,       &c->next, &c->shift};
    for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++)
        *vectors[k] = DLS_TAKE_ZEROS(memory, double, n);
    c->role = DLS_TAKE(memory, role, n);
    c->lambda = DLS_TAKE(memory, dls_twofold, n);
    c->rows = DLS_TAKE(memory, size_t, n);
    c->at = DLS_TAKE(memory, size_t, n);
    c->pivots = DLS_TAKE(memory, int, n);
    double **const square[] = {&c->F, &c->R, &c->G};
    for (size_t k = 0; k < 3; k++)
        *square[k] = dls_arena_take(memory, n, (n + 1) * sizeof(double));
    return !memory->failed;
}

static double diagonal(const piece *c, size_t i)
{
    double a = c->s->H[i + c->s->n * i] / (c->s->d[i] * c->s->d[i]);
    return a > 0.0 ? a : 1.0;
}

static bool is_first_tangent(const piece *c, size_t i)
{
    const dls_problem *p = c->s->p;
    return p->parent[i] != DLS_NONE && i == p->parent[i] + 1;
}

/* --- states --- */

static void fix_at_bounds(piece *c, size_t i, double at)
{
    c->role[i] = HELD_AT_BOUND;
    c->lambda[i] = (dls_twofold){at, 0.0};
}

/* The friction that the contact may have at most; 0: none, and its tangents are held. */
static double allowed_friction(const piece *c, size_t i)
{
    const dls_problem *p = c->s->p;
    return p->mu[i] * fmax(0.0, dls_twofold_value(c->lambda[p->parent[i]]));
}

/* The tangents i and i + 1 under the cone. */
static void place_cone(piece *c, size_t i)
{
    double most = allowed_friction(c, i), a = fmax(diagonal(c, i), diagonal(c, i + 1));
    double x = dls_twofold_value(c->lambda[i]) - c->w[i] / a, y = dls_twofold_value(c->lambda[i + 1]) - c->w[i + 1] / a;
    if (most == 0.0) {
        fix_at_bounds(c, i, 0.0);
        fix_at_bounds(c, i + 1, 0.0);
        return;
    }
    c->g[i] = c->g[i + 1] = ldexp(1.0, ilogb(most));
    bool sticks = hypot(x, y) < most;
    c->role[i] = sticks ? NO_SPEED : ACROSS;
    c->role[i + 1] = sticks ? NO_SPEED : ALONG;
}

static void find_states(piece *c)
{
    const dls_problem *p = c->s->p;
    for (size_t i = 0; i < p->n; i++)
        if (p->parent[i] == DLS_NONE) { /* bounds of its own: the state after a Newton step of its own */
            double to = dls_twofold_value(c->lambda[i]) - c->w[i] / diagonal(c, i);
            if (p->lo[i] == p->hi[i] || to <= p->lo[i])
                fix_at_bounds(c, i, p->lo[i]);
            else if (to >= p->hi[i])
                fix_at_bounds(c, i, p->hi[i]);
            else
                c->role[i] = NO_SPEED;
        }
    for (size_t i = 0; i < p->n; i++) {
        if (p->parent[i] != DLS_NONE && p->law[i] == DLS_LAW_BOX) {
            double most = allowed_friction(c, i), to = dls_twofold_value(c->lambda[i]) - c->w[i] / diagonal(c, i);
            if (most == 0.0)
                fix_at_bounds(c, i, 0.0);
            else
                c->role[i] = fabs(to) < most ? NO_SPEED : BOX_SLIDES;
            c->side[i] = to > 0.0 ? 1.0 : -1.0;
        } else if (p->parent[i] != DLS_NONE && is_first_tangent(c, i))
            place_cone(c, i);
    }
    c->m = 0;
    for (size_t i = 0; i < p->n; i++) {
        c->at[i] = p->n;
        if (c->role[i] != HELD_AT_BOUND)
            c->at[i] = c->m, c->rows[c->m++] = i;
    }
}

/* --- the system --- */

/* lambda_i / g of a tangent that slides. */
static dls_twofold of_friction(const piece *c, size_t i)
{
    return (dls_twofold){c->lambda[i].high / c->g[i], c->lambda[i].low / c->g[i]};
}

/* mu lambda_n / g of a tangent, where lambda_n is of twice the precision; off by some u^2 of itself. */
static dls_twofold allowed_over_g(const piece *c, size_t i)
{
    const dls_twofold n = c->lambda[c->s->p->parent[i]];
    const double mu = c->s->p->mu[i];
    dls_twofold product = dls_two_product(mu, n.high / c->g[i]);
    return (dls_twofold){product.high, product.low + mu * (n.low / c->g[i])};
}

static void add_square(dls_twofold_sum *sum, double sign, dls_twofold x)
{
    dls_sum_add_product(sum, sign * x.high, x.high);
    dls_sum_add_product(sum, 2.0 * sign * x.high, x.low);
}

/* f_k and a bound of its error. */
static void evaluate_equation(piece *c, size_t k)
{
    const size_t i = c->rows[k];
    const double *w = c->w, *d = c->s->d, u = dls_unit_roundoff;
    const dls_twofold *x = c->lambda;
    dls_twofold_sum sum = {0};
    double error, more = 0.0, unit = 1.0;
    if (c->role[i] == NO_SPEED) {
        c->f[k] = w[i] * d[i], c->f_error[k] = dls_up(c->w_error[i] * d[i], 2);
        return;
    }
    if (c->role[i] == BOX_SLIDES) {
        double slope = -c->side[i] * c->s->p->mu[i];
        dls_sum_add_twofold(&sum, 1.0, x[i]);
        dls_sum_add_twofold(&sum, slope, x[c->s->p->parent[i]]);
        unit = 1.0 / d[i];
    } else if (c->role[i] == ACROSS) {
        const dls_twofold one = of_friction(c, i), two = of_friction(c, i + 1);
        dls_sum_add_twofold(&sum, w[i] * d[i], two);
        dls_sum_add_twofold(&sum, -w[i + 1] * d[i], one);
        more = (c->w_error[i] * d[i] + 1e-300) * fabs(dls_twofold_value(two)) +
               (c->w_error[i + 1] * d[i] + 1e-300) * fabs(dls_twofold_value(one)) +
               1e-300 * (fabs(w[i] * d[i]) + fabs(w[i + 1] * d[i]));
    } else {
        const dls_twofold t = allowed_over_g(c, i), one = of_friction(c, i - 1), two = of_friction(c, i);
        add_square(&sum, 1.0, one);
        add_square(&sum, 1.0, two);
        add_square(&sum, -1.0, t);
        more = 32.0 * u * u * (one.high * one.high + two.high * two.high + t.high * t.high) + 1e-300;
        unit = c->g[i] / d[i];
    }
    c->f[k] = dls_sum_value(&sum, &error) * unit;
    c->f_error[k] = dls_up((error + more) * unit, 8) + 1e-290;
}

static void add_entry(piece *c, size_t k, size_t row, double entry)
{
    if (c->at[row] < c->s->n)
        c->F[k + c->m * c->at[row]] += entry;
}

/* Row k of F. */
static void differentiate_equation(piece *c, size_t k)
{
    const dls_stored *s = c->s;
    const size_t i = c->rows[k], n = s->n;
    const double *d = s->d;
    for (size_t j = 0; j < c->m; j++)
        c->F[k + c->m * j] = 0.0;
    if (c->role[i] == NO_SPEED) {
        for (size_t j = 0; j < c->m; j++)
            c->F[k + c->m * j] = s->H[c->rows[j] + n * i];
    } else if (c->role[i] == BOX_SLIDES) {
        const size_t at = s->p->parent[i];
        add_entry(c, k, i, 1.0);
        add_entry(c, k, at, -c->side[i] * s->p->mu[i] * (d[at] / d[i]));
    } else if (c->role[i] == ACROSS) {
        double one = dls_twofold_value(of_friction(c, i + 1)),
               other = dls_twofold_value(of_friction(c, i)) * (d[i] / d[i + 1]);
        for (size_t j = 0; j < c->m; j++)
            c->F[k + c->m * j] = one * s->H[c->rows[j] + n * i] - other * s->H[c->rows[j] + n * (i + 1)];
        add_entry(c, k, i + 1, c->w[i] * d[i] * (d[i + 1] / c->g[i]));
        add_entry(c, k, i, -c->w[i + 1] * d[i] * (d[i] / c->g[i]));
    } else {
        const size_t at = s->p->parent[i];
        add_entry(c, k, i - 1, 2.0 * dls_twofold_value(of_friction(c, i - 1)) * (d[i - 1] / d[i]));
        add_entry(c, k, i, 2.0 * dls_twofold_value(of_friction(c, i)));
        add_entry(c, k, at, -2.0 * s->p->mu[i] * dls_twofold_value(allowed_over_g(c, i)) * (d[at] / d[i]));
    }
}

static double radius_of_row(const piece *c, size_t row)
{
    return c->at[row] < c->s->n ? c->r[c->at[row]] * c->s->d[row] : 0.0;
}

/* At least sum_j |H_ij| r_j, H the exact one. */
static double moved_by_radii(const piece *c, size_t i)
{
    const dls_stored *s = c->s;
    double sum = 0.0, sizes = 0.0;
    for (size_t j = 0; j < c->m; j++) {
        sum += fabs(s->H[c->rows[j] + s->n * i]) * c->r[j];
        sizes += s->size[c->rows[j]] * c->r[j];
    }
    return dls_up(sum + s->slack * s->size[i] * sizes, 2 * c->m + 8);
}

/* At least |f'(x) - F| r of row k, and |Q(e)|. */
static double uncertainty_of_equation(const piece *c, size_t k)
{
    const dls_stored *s = c->s;
    const size_t i = c->rows[k];
    const double u = dls_unit_roundoff;
    double sizes = 0.0;
    for (size_t j = 0; j < c->m; j++)
        sizes += s->size[c->rows[j]] * c->r[j];
    if (c->role[i] == NO_SPEED)
        return dls_up(s->slack * s->size[i] * sizes, 2 * c->m + 8);
    if (c->role[i] == BOX_SLIDES)
        return dls_up(4.0 * u * s->p->mu[i] * (radius_of_row(c, s->p->parent[i]) / s->d[i]), 4);
    if (c->role[i] == ACROSS) {
        double sum = 0.0;
        for (size_t t = 0; t < 2; t++) { /* the tangent, and the other one */
            const size_t a = i + t, b = i + 1 - t;
            const double off = 16.0 * u * moved_by_radii(c, a) + s->slack * s->size[a] * sizes,
                         unit = s->d[i] / s->d[a], r = radius_of_row(c, b) / c->g[i];
            sum += fabs(dls_twofold_value(of_friction(c, b))) * unit * off;
            sum += (c->w_error[a] + 8.0 * u * fabs(c->w[a])) * s->d[i] * r + moved_by_radii(c, a) * unit * r;
        }
        return dls_up(sum, 2 * c->m + 32);
    }
    const size_t at = s->p->parent[i];
    const double g = c->g[i], one = radius_of_row(c, i - 1) / g, two = radius_of_row(c, i) / g,
                 normal = s->p->mu[i] * (radius_of_row(c, at) / g);
    double linear = fabs(dls_twofold_value(of_friction(c, i - 1))) * one +
                    fabs(dls_twofold_value(of_friction(c, i))) * two +
                    fabs(dls_twofold_value(allowed_over_g(c, i))) * normal;
    return dls_up((32.0 * u * linear + (one * one + two * two + normal * normal) + 1e-300) * (g / s->d[i]), 32);
}

/* y = |X| x. */
static void times_absolute(size_t m, const double *X, const double *x, double *y)
{
    memset(y, 0, m * sizeof *y);
    for (size_t b = 0; b < m; b++)
        for (size_t a = 0; a < m; a++)
            y[a] += fabs(X[a + m * b]) * x[b];
    for (size_t a = 0; a < m; a++)
        y[a] = dls_up(y[a], 2 * m + 2);
}

/* w, f, F, R and R f at the impulses. False where F is singular. */
static bool linearise(piece *c)
{
    const int m = (int)c->m;
    dls_stored_w(c->s, c->lambda, c->w, c->w_error);
    for (size_t k = 0; k < c->m; k++) {
        evaluate_equation(c, k);
        differentiate_equation(c, k);
    }
    memcpy(c->R, c->F, c->m * c->m * sizeof *c->R);
    if (m > 0 && (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, m, m, c->R, m, c->pivots) != 0 ||
                  LAPACKE_dgetri_work(LAPACK_COL_MAJOR, m, c->R, m, c->pivots, c->G, m) != 0))
        return false;
    memset(c->Rf, 0, c->m * sizeof *c->Rf);
    for (size_t b = 0; b < c->m; b++)
        for (size_t a = 0; a < c->m; a++)
            c->Rf[a] += c->R[a + c->m * b] * c->f[b];
    return dls_all_within(c->m * c->m, c->R, 1e140) && dls_all_within(c->m * c->m, c->F, 1e140) &&
           dls_all_within(c->m, c->f, 1e140);
}

/* Newton's method from the given impulses. */
static bool refine_by_newton(piece *c)
{
    enum { STEPS = 12 };
    double before = HUGE_VAL;
    for (int step = 0; step < STEPS; step++) {
        double largest = 0.0, size = 0.0;
        if (!linearise(c))
            return false;
        for (size_t k = 0; k < c->m; k++) {
            largest = fmax(largest, fabs(c->Rf[k]));
            size = fmax(size, fabs(dls_twofold_value(c->lambda[c->rows[k]])) / c->s->d[c->rows[k]]);
        }
        if (!(largest < 0.5 * before) || largest <= 1e-30 * size)
            break;
        before = largest;
        for (size_t k = 0; k < c->m; k++)
            c->lambda[c->rows[k]] = dls_twofold_add(c->lambda[c->rows[k]], -c->Rf[k] * c->s->d[c->rows[k]]);
    }
    return linearise(c);
}

/* --- the test --- */

/* The left side of the test at r, into `next`. u: f and its roundings; G: 1 - R F. */
static void krawczyk_image(piece *c)
{
    const size_t m = c->m;
    const double gamma = dls_gamma(m + 8);
    for (size_t k = 0; k < m; k++)
        c->u[k] = uncertainty_of_equation(c, k);
    times_absolute(m, c->F, c->r, c->v);
    for (size_t k = 0; k < m; k++)
        c->u[k] = dls_up(c->u[k] + c->f_error[k] + gamma * (fabs(c->f[k]) + c->v[k]), 8) + 1e-290;
    times_absolute(m, c->R, c->u, c->next);
    times_absolute(m, c->G, c->r, c->v);
    for (size_t k = 0; k < m; k++)
        c->next[k] = dls_up(c->next[k] + c->v[k] * (1.0 + 4.0 * DBL_EPSILON) + fabs(c->Rf[k]), 8);
}

/* c->r: a zero of f lies within. */
static bool enclose_zero(piece *c)
{
    enum { ATTEMPTS = 12 };
    const size_t m = c->m;
    double size = 0.0;
    if (m == 0)
        return true;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, (int)m, (int)m, (int)m, -1.0, c->R, (int)m, c->F, (int)m,
                0.0, c->G, (int)m);
    for (size_t k = 0; k < m; k++) {
        c->G[k + m * k] += 1.0;
        size = fmax(size, fabs(dls_twofold_value(c->lambda[c->rows[k]])) / c->s->d[c->rows[k]]);
    }
    memset(c->r, 0, m * sizeof *c->r);
    krawczyk_image(c);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        for (size_t k = 0; k < m; k++)
            c->r[k] = 1.25 * c->next[k] + 1e-22 * size + 1e-280;
        krawczyk_image(c);
        bool inside = true;
        for (size_t k = 0; k < m; k++)
            inside = inside && c->next[k] < c->r[k];
        if (inside)
            return true;
    }
    return false;
}

/* --- the inequalities --- */

/* Below mu lambda_n over the box. */
static double least_friction(const piece *c, size_t i)
{
    const size_t at = c->s->p->parent[i];
    double normal = (dls_twofold_value(c->lambda[at]) * (1.0 - 4.0 * DBL_EPSILON) - dls_up(radius_of_row(c, at), 2)) *
                    (1.0 - DBL_EPSILON);
    return c->s->p->mu[i] * normal * (1.0 - 4.0 * DBL_EPSILON);
}

static double largest_impulse(const piece *c, size_t i)
{
    return dls_up(fabs(dls_twofold_value(c->lambda[i])) + radius_of_row(c, i), 4);
}

/* Whether a tangent at 0 can have no friction: mu is 0, or the normal impulse is 0 exactly, not to rounding. */
static bool has_no_friction(const piece *c, size_t i)
{
    const size_t at = c->s->p->parent[i];
    return c->s->p->mu[i] == 0.0 || (c->role[at] == HELD_AT_BOUND && dls_twofold_value(c->lambda[at]) == 0.0);
}

/* The tangents i and i + 1. */
static bool cone_holds(const piece *c, size_t i)
{
    if (c->role[i] == HELD_AT_BOUND)
        return has_no_friction(c, i);
    if (c->role[i] == NO_SPEED)
        return dls_up(hypot(largest_impulse(c, i), largest_impulse(c, i + 1)), 8) < least_friction(c, i);
    double power = 0.0, off = 0.0;
    for (size_t k = i; k < i + 2; k++) {
        double term = c->w[k] * dls_twofold_value(of_friction(c, k));
        power -= term;
        off += fabs(c->w[k]) * (radius_of_row(c, k) / c->g[k]) +
               (c->w_error[k] + c->shift[k]) * (largest_impulse(c, k) / c->g[k]) + 8.0 * DBL_EPSILON * fabs(term);
    }
    return least_friction(c, i) > 0.0 && power > dls_up(off, 16) + DBL_MIN;
}

/* Whether every row's inequalities hold, strictly. A contact whose normal impulse is held is held at 0, or at a bound
 * that is not 0. */
static bool states_hold(const piece *c)
{
    const dls_problem *p = c->s->p;
    for (size_t i = 0; i < p->n; i++) {
        const double at = c->lambda[i].high, off = dls_up(c->w_error[i] + c->shift[i], 2);
        const double r = dls_up(dls_up(radius_of_row(c, i), 2), 4);
        const bool held = c->role[i] == HELD_AT_BOUND, sticks = c->role[i] == NO_SPEED;
        bool holds = true;
        if (p->parent[i] == DLS_NONE && held)
            holds = p->lo[i] == p->hi[i] || (at == p->lo[i] && c->w[i] > off) || (at == p->hi[i] && -c->w[i] > off);
        else if (p->parent[i] == DLS_NONE)
            holds = (at - p->lo[i]) + c->lambda[i].low > r && (p->hi[i] - at) - c->lambda[i].low > r;
        else if (p->law[i] == DLS_LAW_BOX)
            holds = held     ? has_no_friction(c, i)
                    : sticks ? largest_impulse(c, i) < least_friction(c, i)
                             : least_friction(c, i) > 0.0 && -c->side[i] * c->w[i] > off;
        else if (is_first_tangent(c, i))
            holds = cone_holds(c, i);
        if (!holds)
            return false;
    }
    return true;
}

/* --- the statement --- */

static void state_cone_bounds(piece *c, const double *lambda, const double *w, const double *w_error, dls_bounds *out)
{
    const dls_problem *p = c->s->p;
    size_t count[3] = {0};
    double *r = c->next; /* n */
    const dls_vicinity near = {c->lambda, c->w, c->w_error, r, c->shift};
    out->lambda = out->w = 0.0;
    for (size_t i = 0; i < p->n; i++) {
        double far = fabs((lambda[i] - c->lambda[i].high) - c->lambda[i].low);
        r[i] = c->role[i] == HELD_AT_BOUND ? 0.0 : dls_up(radius_of_row(c, i), 2);
        out->radius_lambda[i] = c->role[i] == HELD_AT_BOUND && far == 0.0 ? 0.0 : dls_up(far + r[i], 4);
        out->radius_w[i] = dls_up(fabs(w[i] - c->w[i]) + w_error[i] + c->w_error[i] + c->shift[i], 6);
        out->lambda = fmax(out->lambda, out->radius_lambda[i]);
        out->w = fmax(out->w, out->radius_w[i]);
        if (p->parent[i] == DLS_NONE)
            out->between += c->role[i] == NO_SPEED, out->at_bound += c->role[i] != NO_SPEED;
        else if (p->law[i] == DLS_LAW_BOX || is_first_tangent(c, i))
            count[c->role[i] == HELD_AT_BOUND ? 0 : c->role[i] == NO_SPEED ? 1 : 2]++;
    }
    out->velocity = c->s->symmetric ? dls_stored_distance(p->n, lambda, w, w_error, &near) : NAN;
    out->kind = DLS_BOUNDS_ACTIVE_SET;
    snprintf(out->text, sizeof out->text,
             "a solution exists, its states proved: %zu stick, %zu slide, %zu have no friction; there may be others "
             "far from it; lambda within %s, w within %s",
             count[1], count[2], count[0], dls_digits_up(out->lambda, 2).text, dls_digits_up(out->w, 2).text);
}

static const char *name_state(const piece *c, size_t i)
{
    static const char *const names[] = {[NO_SPEED] = "sticks", [ACROSS] = "slides", [ALONG] = "slides"};
    const bool held = c->role[i] == HELD_AT_BOUND;
    if (c->s->p->parent[i] == DLS_NONE)
        return !held ? "between" : c->lambda[i].high == c->s->p->lo[i] ? "lower" : "upper";
    return held ? "none" : c->role[i] == BOX_SLIDES ? (c->side[i] > 0.0 ? "forward" : "backward") : names[c->role[i]];
}

dls_status dls_certify_cone(dls_stored *s, const double *lambda, const double *w, const double *w_error,
                            const dls_cone_states *states, dls_bounds *out, dls_error *error)
{
    dls_arena memory = {0};
    piece c = {.s = s};
    if (!take_piece(&c, &memory)) {
        dls_arena_release(&memory);
        return dls_fail(error, DLS_NO_MEMORY, "no memory to certify a problem of %zu rows", s->n);
    }
    for (size_t i = 0; i < s->n; i++) {
        c.lambda[i] = (dls_twofold){lambda[i], 0.0};
        c.w[i] = w[i];
    }
    find_states(&c);
    const bool proved = refine_by_newton(&c) && enclose_zero(&c);
    for (size_t i = 0; i < s->n && proved; i++)
        c.shift[i] = dls_up(moved_by_radii(&c, i) / s->d[i], 2);
    if (proved && states_hold(&c)) {
        state_cone_bounds(&c, lambda, w, w_error, out);
        for (size_t i = 0; states && i < s->n; i++)
            states->lambda[i] = c.lambda[i], states->state[i] = name_state(&c, i);
    }
    dls_arena_release(&memory);
    return DLS_OK;
}
