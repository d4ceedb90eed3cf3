/* Every figure of the examiner against its definition in dense matrices, in extended precision, for random problems of
 * both forms: free bodies and blocks of other shapes, rows in pieces, compliance, bounds of all kinds, friction within
 * boxes and cones, rows that nothing moves, and impulses within their bounds, at them and beyond. */
#include "check.h"
#include "draws.h"
#include "examined.h"

#include "delassus/reference.h"

#include <float.h>
#include <string.h>

typedef long double real;

enum { ROWS = 14, COLUMNS = 24, BLOCKS = 4, PIECES = 96, LONGEST = 6 };

static double eighths(int from, int to) { return 0.125 * draw(8 * from, 8 * to); }

/* --- problems --- */

typedef struct drawn {
    dls_problem *p;
    dls_mass_body body[BLOCKS];
    dls_mass_dense dense[BLOCKS];
    double M[BLOCKS][LONGEST * LONGEST], L[LONGEST * LONGEST];
    double lambda[ROWS], other[ROWS];
} drawn;

/* L L^T of a lower triangle of which some entries are 0. */
static void draw_definite(size_t m, double *M)
{
    double L[LONGEST * LONGEST] = {0.0};
    for (size_t r = 0; r < m; r++)
        for (size_t c = 0; c <= r; c++)
            L[r + m * c] = r == c ? 0.5 + eighths(0, 2) : draw(0, 2) ? eighths(-1, 1) : 0.0;
    for (size_t r = 0; r < m; r++)
        for (size_t c = 0; c < m; c++) {
            M[r + m * c] = 0.0;
            for (size_t k = 0; k < m; k++)
                M[r + m * c] += L[r + m * k] * L[c + m * k];
        }
}

/* Bodies whose inertia is diagonal or not, and blocks of one to six rows. Returns nv. */
static size_t draw_masses(drawn *d, size_t blocks, dls_mass_block *block)
{
    size_t nv = 0;
    for (size_t k = 0; k < blocks; k++) {
        const bool is_body = draw(0, 2) > 0;
        const size_t m = is_body ? 6 : (size_t)draw(1, LONGEST);
        double *M = d->M[k];
        memset(M, 0, sizeof d->M[k]);
        if (is_body) {
            dls_mass_body *body = &d->body[k];
            double I[9];
            draw_definite(3, I);
            body->mass = 0.25 + eighths(0, 4);
            body->inverse_mass = 1.0 / body->mass;
            for (int i = 0; i < 9; i++)
                body->inertia.m[i] = draw(0, 0) + (k % 2 && i % 4 ? 0.0 : I[i]);
            for (size_t i = 0; i < 3; i++) {
                M[i + 6 * i] = body->mass;
                for (size_t j = 0; j < 3; j++)
                    M[3 + i + 6 * (3 + j)] = body->inertia.m[3 * i + j];
            }
            block[k] = (dls_mass_block){nv, 6, &dls_mass_body_kind, body};
        } else {
            draw_definite(m, M);
            d->dense[k] = (dls_mass_dense){m, M, d->L};
            block[k] = (dls_mass_block){nv, m, &dls_mass_dense_kind, &d->dense[k]};
        }
        nv += m;
    }
    return nv;
}

/* The entries of row i on one to three blocks; in one piece each, or in two with a gap between them. */
static void draw_row(const drawn *d, const dls_mass_block *block, size_t blocks, size_t *at, size_t *coef)
{
    dls_rows *J = &d->p->J;
    const size_t one = (size_t)draw(0, (int)blocks - 1), two = (size_t)draw(0, (int)blocks - 1),
                 three = (size_t)draw(0, (int)blocks - 1);
    for (size_t k = 0; k < blocks; k++) {
        const size_t m = block[k].length;
        if (k != one && k != two && k != three)
            continue;
        const bool pieces = m > 2 && draw(0, 2) == 0;
        const size_t gap = pieces ? (size_t)draw(1, (int)m - 2) : m;
        for (size_t piece = 0; piece < (pieces ? 2u : 1u); piece++) {
            const size_t from = piece ? gap + 1 : 0, to = piece ? m : gap;
            J->offset[*at] = block[k].offset + from;
            J->mass[*at] = (uint32_t)k;
            J->coef_at[(*at)++] = *coef;
            for (size_t j = from; j < to; j++)
                J->coef[(*coef)++] = draw(0, 3) ? eighths(-2, 2) : 0.0;
        }
    }
}

static void draw_mechanical(drawn *d, size_t n)
{
    const size_t blocks = (size_t)draw(1, BLOCKS);
    dls_mass_block block[BLOCKS];
    dls_error error;
    const size_t nv = draw_masses(d, blocks, block);
    assert_status(dls_problem_allocate(n, nv, PIECES, PIECES * LONGEST, blocks, &d->p, &error), &error);
    dls_problem *p = d->p;
    p->form = DLS_FORM_MECHANICAL;
    p->h = 0.01;
    memcpy(p->mass.blocks, block, blocks * sizeof *block);
    for (size_t i = 0, at = 0, coef = 0; i < n; i++) {
        if (draw(0, 12)) /* else a row that nothing moves */
            draw_row(d, block, blocks, &at, &coef);
        p->J.start[i + 1] = p->J.n_blocks = at;
        p->J.coef_at[at] = coef;
        p->c[i] = draw(0, 3) ? eighths(-3, 3) : 0.0;
        p->gamma[i] = draw(0, 2) ? 0.0 : eighths(0, 1);
    }
    for (size_t j = 0; j < nv; j++)
        p->v_star[j] = eighths(-2, 2);
}

/* Any matrix: symmetric, not symmetric, or of blocks that have nothing to do with each other. */
static void draw_matrix_form(drawn *d, size_t n)
{
    const int kind = draw(0, 2);
    double A[ROWS * ROWS], b[ROWS];
    for (size_t i = 0; i < n; i++) {
        b[i] = draw(0, 3) ? eighths(-3, 3) : 0.0;
        for (size_t j = 0; j <= i; j++) {
            const bool zero = !draw(0, 3) || (kind == 2 && i / 3 != j / 3);
            A[i + n * j] = zero ? 0.0 : i == j ? eighths(-1, 3) : eighths(-2, 2);
            A[j + n * i] = i == j || kind == 0 ? A[i + n * j] : zero ? 0.0 : eighths(-2, 2);
        }
    }
    d->p = problem_from_matrix(n, A, b, NULL, NULL);
    for (size_t i = 0; i < n; i++)
        d->p->gamma[i] = draw(0, 2) ? 0.0 : eighths(0, 1);
}

static void draw_bounds(dls_problem *p, size_t i)
{
    const int kind = draw(0, 5);
    p->lo[i] = kind == 0 || kind == 4 ? -HUGE_VAL : kind == 1 ? 0.0 : kind == 5 ? 0.5 : -eighths(0, 3);
    p->hi[i] = kind <= 1 ? HUGE_VAL : kind == 5 ? 0.5 : eighths(0, 3);
    p->parent[i] = DLS_NONE;
    p->law[i] = (dls_law){0};
    p->mu[i] = 0.0;
}

/* Contacts first, under a box or a cone. */
static void draw_laws(dls_problem *p)
{
    size_t i = 0;
    for (size_t k = 0; k < p->n; k++)
        draw_bounds(p, k);
    for (; i + 2 < p->n && draw(0, 3); i += 3) {
        const double mu = draw(0, 4) ? eighths(0, 1) : 0.0;
        p->lo[i] = 0.0, p->hi[i] = draw(0, 2) ? HUGE_VAL : eighths(0, 2);
        if (draw(0, 1)) {
            dls_problem_make_cone(p, i, mu);
            continue;
        }
        for (size_t k = i + 1; k < i + 3; k++)
            p->parent[k] = i, p->law[k] = DLS_LAW_BOX, p->mu[k] = mu, p->lo[k] = p->hi[k] = 0.0;
        p->n_coupled += 2;
    }
}

/* At a bound, near it, beyond it, or anywhere. */
static double draw_impulse(const dls_problem *p, size_t i)
{
    const int way = draw(0, 9);
    const double to = draw(0, 1) ? p->lo[i] : p->hi[i];
    if (p->parent[i] != DLS_NONE || isinf(to) || way > 5)
        return way == 9 ? 0.0 : eighths(-2, 2);
    return way < 3 ? to : way == 3 ? to * (1.0 + 0x1p-20) : way == 4 ? to * (1.0 - 0x1p-19) : to + eighths(-1, 1);
}

static void draw_problem(drawn *d, size_t round)
{
    const size_t n = (size_t)draw(1, ROWS);
    dls_error error;
    memset(d, 0, sizeof *d);
    if (round % 2)
        draw_mechanical(d, n);
    else
        draw_matrix_form(d, n);
    draw_laws(d->p);
    assert_status(dls_problem_check(d->p, &error), &error);
    for (size_t i = 0; i < n; i++) {
        d->lambda[i] = draw_impulse(d->p, i);
        d->other[i] = eighths(-2, 2);
    }
}

/* --- the definitions --- */

typedef struct dense {
    size_t n;
    real A[ROWS][ROWS], b[ROWS], terms[ROWS]; /* terms: those of the sum that b is */
    real coupling[ROWS][ROWS]; /* A without Gamma; in the mechanical form without entries that rounding may have made */
    real bound[ROWS][ROWS];    /* at least |A_ij| without Gamma: Cauchy and Schwarz in each block of M */
    size_t count[ROWS];        /* how many terms b has */
    size_t island[ROWS];
} dense;

/* x . M^-1 y of one block, by elimination. */
static real through_mass(size_t m, const double *M, const real *x, const real *y)
{
    real R[LONGEST][LONGEST + 1], sum = 0.0;
    for (size_t r = 0; r < m; r++) {
        for (size_t c = 0; c < m; c++)
            R[r][c] = M[r + m * c];
        R[r][m] = y[r];
    }
    for (size_t k = 0; k < m; k++)
        for (size_t r = 0; r < m; r++)
            for (size_t c = m + 1; r != k && c-- > k;)
                R[r][c] -= c == k ? 0.0L : R[r][k] / R[k][k] * R[k][c];
    for (size_t k = 0; k < m; k++)
        sum += x[k] * R[k][m] / R[k][k];
    return sum;
}

static void expand(const dls_problem *p, real J[ROWS][COLUMNS])
{
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++)
            for (size_t at = p->J.coef_at[k], j = p->J.offset[k]; at < p->J.coef_at[k + 1]; at++, j++)
                J[i][j] += p->J.coef[at];
}

/* The least of the rows that can be reached through entries of A, or through a normal row. */
static void find_islands(const dls_problem *p, dense *e)
{
    bool changed = true;
    for (size_t i = 0; i < p->n; i++)
        e->island[i] = i;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < p->n; i++)
            for (size_t j = 0; j < p->n; j++)
                if ((e->coupling[i][j] != 0.0L || p->parent[i] == j) && e->island[i] != e->island[j]) {
                    const size_t least = e->island[i] < e->island[j] ? e->island[i] : e->island[j];
                    e->island[i] = e->island[j] = least;
                    changed = true;
                }
    }
}

static void make_dense(const drawn *d, dense *e)
{
    const dls_problem *p = d->p;
    real J[ROWS][COLUMNS] = {{0.0}};
    *e = (dense){.n = p->n};
    expand(p, J);
    for (size_t i = 0; i < p->n; i++) {
        e->b[i] = -(real)p->c[i];
        e->terms[i] = fabsl((real)p->c[i]);
        e->count[i] = 2;
        for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++)
            e->count[i] += p->J.coef_at[k + 1] - p->J.coef_at[k];
        for (size_t j = 0; j < p->nv; j++) {
            e->b[i] += J[i][j] * p->v_star[j];
            e->terms[i] += fabsl(J[i][j] * p->v_star[j]);
        }
        for (size_t j = 0; j < p->n; j++) {
            e->A[i][j] = p->form == DLS_FORM_MATRIX ? J[i][j] : 0.0L;
            for (size_t k = 0; k < p->mass.n_blocks; k++) {
                const size_t m = p->mass.blocks[k].length;
                const real *x = J[i] + p->mass.blocks[k].offset, *y = J[j] + p->mass.blocks[k].offset;
                e->A[i][j] += through_mass(m, d->M[k], x, y);
                e->bound[i][j] += sqrtl(through_mass(m, d->M[k], x, x)) * sqrtl(through_mass(m, d->M[k], y, y));
            }
            e->coupling[i][j] = fabsl(e->A[i][j]) > 64.0L * DBL_EPSILON * e->bound[i][j] ? e->A[i][j] : 0.0L;
        }
        e->A[i][i] += p->gamma[i];
    }
    find_islands(p, e);
}

/* The middle one of three numbers of which the first is not above the last. */
static real middle(real low, real x, real high) { return x < low ? low : x > high ? high : x; }
static real larger(real a, real b) { return a > b ? a : b; }
static real part(real x, real of) { return x == 0.0L ? 0.0L : fabsl(x) / of; }

/* Velocities and scales of impulses. */
typedef struct scales {
    real w[ROWS], T[ROWS], Lambda[ROWS], D[ROWS];
    real rounding[ROWS]; /* below which w cannot be told from 0 */
} scales;

static void find_scales(const dls_problem *p, const dense *e, const double *lambda, scales *s)
{
    for (size_t i = 0; i < e->n; i++) {
        real largest = 0.0, sizes = p->gamma[i] * fabs(lambda[i]);
        s->w[i] = e->b[i];
        s->T[i] = fabsl(e->b[i]) + p->gamma[i] * fabs(lambda[i]);
        for (size_t j = 0; j < e->n; j++) {
            s->w[i] += e->A[i][j] * lambda[j];
            s->T[i] += fabsl(e->coupling[i][j] * lambda[j]);
            sizes += e->bound[i][j] * fabs(lambda[j]);
            largest = larger(largest, fabsl(e->coupling[i][j]));
        }
        s->D[i] = e->A[i][i] != 0.0L ? fabsl(e->A[i][i]) : largest > 0.0L ? largest : 1.0L;
        s->rounding[i] = 64.0L * DBL_EPSILON * (sizes + (real)e->count[i] * e->terms[i]);
        if (p->form == DLS_FORM_MATRIX)
            s->rounding[i] = 0.0L;
    }
    for (size_t i = 0; i < e->n; i++) {
        s->Lambda[i] = p->gamma[i] > 0.0 ? s->T[i] / p->gamma[i] : HUGE_VALL;
        for (size_t j = 0; j < e->n; j++)
            if (e->coupling[j][i] != 0.0L)
                s->Lambda[i] = fminl(s->Lambda[i], s->T[j] / fabsl(e->coupling[j][i]));
    }
}

/* A velocity figure where |w| is below the rounding granted: at most as many roundings as it is. */
static real granted(real figure, real w, real rounding)
{
    return w > 0.0L && w <= rounding ? fminl(figure, 64.0L * DBL_EPSILON * (w / rounding)) : figure;
}

/* Figures that are the larger of rows, sums, and the violations and data of islands as energy. */
typedef struct figures {
    real natural, natural_velocity, natural_impulse, impulse, velocity, bound, cone, gap, dissipation, w_max;
    real left[ROWS], data[ROWS], load[ROWS];
    real row[ROWS]; /* the scaled residual of a row or a contact */
} figures;

static void weigh(const dense *e, size_t i, figures *f, real violation, real T, real impulse, real data, real load)
{
    const size_t k = e->island[i];
    f->left[k] = larger(f->left[k], isinf(violation) ? violation : violation * T * impulse);
    f->data[k] += data;
    f->load[k] = larger(f->load[k], load);
}

/* A row between bounds by the scales of its impulse and velocity. */
static void judge(const dls_problem *p, const dense *e, const scales *s, size_t i, real l, real lo, real hi, size_t of,
                  figures *f)
{
    const bool own = p->parent[i] == DLS_NONE;
    const real low = isinf(lo) ? 0.0L : fabsl(lo), high = isinf(hi) ? 0.0L : fabsl(hi), bound = larger(low, high),
               w = s->w[i];
    real Lambda = own && bound > 0.0L ? fminl(bound, s->Lambda[i]) : s->Lambda[i];
    Lambda = isinf(Lambda) ? 0.0L : Lambda;
    const real off = part(l - middle(lo, l, hi), Lambda), slack = w > 0.0L ? l - lo : hi - l;
    const bool given =
        own && ((low > 0.0L && fabsl(l - lo) <= 1e-6L * low) || (high > 0.0L && fabsl(l - hi) <= 1e-6L * high));
    const real velocity =
        slack > 0.0L ? fminl(part(slack, Lambda), granted(part(w, s->T[i]), fabsl(w), s->rounding[i])) : 0.0L;
    f->impulse = larger(f->impulse, off);
    f->velocity = larger(f->velocity, velocity);
    f->row[of] = larger(f->row[of], larger(off, velocity));
    weigh(e, i, f, larger(off, velocity), s->T[i], larger(isinf(s->Lambda[i]) ? 0.0L : s->Lambda[i], fabsl(l)),
          (given ? s->T[i] : fabsl(e->b[i])) * fabsl(l), s->T[i] * fabsl(l));
}

static void examine_bounds(const dls_problem *p, const dense *e, const scales *s, size_t i, const double *lambda,
                           figures *f)
{
    const bool coupled = p->parent[i] != DLS_NONE;
    const real l = lambda[i], w = s->w[i], radius = coupled ? p->mu[i] * fmax(lambda[p->parent[i]], 0.0) : 0.0,
               lo = coupled ? -radius : (real)p->lo[i], hi = coupled ? radius : (real)p->hi[i];
    const real impulse = fabsl(l - middle(lo, l - w / s->D[i], hi)), slack = w > 0.0L ? l - lo : hi - l;
    f->natural = larger(f->natural, fabsl(l - middle(lo, l - w, hi)));
    f->natural_impulse = larger(f->natural_impulse, impulse);
    f->natural_velocity = larger(f->natural_velocity, impulse * s->D[i]);
    f->bound = larger(f->bound, fabsl(l - middle(lo, l, hi)));
    f->w_max = larger(f->w_max, fabsl(w));
    f->gap += isinf(slack) ? 0.0L : fabsl(slack * w);
    f->dissipation -= coupled ? l * w : 0.0L;
    judge(p, e, s, i, l, lo, hi, i, f);
}

/* The distance of y from the point of |x_t| <= mu x_n, 0 <= x_n <= hi that is nearest to x, found by search: the
 * nearest x_n in a convex problem, and x_t along the tangents of x. */
static real from_nearest(real mu, real hi, const real x[3], const real y[3])
{
    const real length = hypotl(x[1], x[2]);
    real low = 0.0, high = fminl(hi, fabsl(x[0]) + length * (1.0L + mu));
    for (int k = 0; k < 400; k++) { /* where the derivative of the square of the distance changes its sign */
        const real n = 0.5L * (low + high), over = larger(length - mu * n, 0.0L);
        if (n - x[0] - mu * over < 0.0L)
            low = n;
        else
            high = n;
    }
    const real n = low, t = fminl(length, mu * n), share = length > 0.0L ? t / length : 0.0L;
    return hypotl(y[0] - n, hypotl(y[1] - share * x[1], y[2] - share * x[2]));
}

static void examine_contact(const dls_problem *p, const dense *e, const scales *s, size_t i, const double *lambda,
                            figures *f)
{
    const real mu = p->mu[i + 1], hi = p->hi[i], D = larger(s->D[i], larger(s->D[i + 1], s->D[i + 2])), *w = s->w + i,
               l[3] = {lambda[i], lambda[i + 1], lambda[i + 2]}, speed = hypotl(w[1], w[2]);
    const real u[3] = {w[0] + mu * speed, w[1], w[2]};
    real x[2][3];
    for (int k = 0; k < 3; k++)
        x[0][k] = l[k] - u[k], x[1][k] = l[k] - u[k] / D;
    const real impulse = from_nearest(mu, hi, x[1], l), beyond = from_nearest(mu, hi, l, l);
    const real slack = w[0] > 0.0L ? l[0] : hi - l[0], power = l[1] * w[1] + l[2] * w[2];
    f->natural = larger(f->natural, from_nearest(mu, hi, x[0], l));
    f->natural_impulse = larger(f->natural_impulse, impulse);
    f->natural_velocity = larger(f->natural_velocity, impulse * D);
    f->bound = larger(f->bound, beyond);
    f->cone = larger(f->cone, beyond);
    f->gap += (isinf(slack) ? 0.0L : fabsl(slack * w[0])) + fabsl(mu * l[0] * speed + power);
    f->dissipation -= power;
    for (int k = 0; k < 3; k++)
        f->w_max = larger(f->w_max, fabsl(w[k]));
    judge(p, e, s, i, l[0], 0.0L, hi, i, f);

    /* the tangents, in units of their own */
    const real *of = s->Lambda + i + 1, T = larger(s->T[i + 1], s->T[i + 2]), radius = mu * larger(l[0], 0.0L),
               length = hypotl(l[1], l[2]);
    const real Lambda = isinf(of[0]) && isinf(of[1]) ? radius
                        : isinf(of[0])               ? of[1]
                        : isinf(of[1])               ? of[0]
                                                     : larger(of[0], of[1]);
    const real off = part(larger(length - radius, 0.0L), Lambda);
    real velocity = 0.0L;
    if (radius > 0.0L && speed > 0.0L) {
        const real within = fminl(1.0L, length > 0.0L ? radius / length : 1.0L);
        real y[2], distance;
        for (int k = 0; k < 2; k++)
            y[k] = Lambda > 0.0L ? within * l[1 + k] / Lambda - w[1 + k] / T : 0.0L;
        distance = hypotl(y[0], y[1]);
        velocity = speed / T;
        if (Lambda > 0.0L && distance > radius / Lambda)
            velocity = hypotl(within * l[1] / Lambda - radius / Lambda / distance * y[0],
                              within * l[2] / Lambda - radius / Lambda / distance * y[1]);
        velocity = granted(velocity, speed, hypotl(s->rounding[i + 1], s->rounding[i + 2]));
    }
    f->impulse = larger(f->impulse, off);
    f->velocity = larger(f->velocity, velocity);
    f->row[i] = larger(f->row[i], larger(off, velocity));
    weigh(e, i + 1, f, larger(off, velocity), T, larger(Lambda, length), hypotl(e->b[i + 1], e->b[i + 2]) * length,
          T * length);
}

static void compare(const char *what, double value, real expected, size_t round)
{
    if (value != expected && !(fabsl(value - expected) <= 1e-11L * (fabsl(expected) + 1e-3L)))
        fail_msg("problem %zu: %s is %.17g, and by its definition %.17Lg", round, what, value, expected);
}

static void check_figures(const drawn *d, const dense *e, const dls_certificate *c, const double *w, size_t round)
{
    const dls_problem *p = d->p;
    scales s;
    figures f = {0};
    real objective = 0.0, data = 0.0, worst = 0.0;
    size_t worst_row = DLS_NONE;
    find_scales(p, e, d->lambda, &s);
    for (size_t i = 0; i < p->n; i++)
        compare("w", w[i], s.w[i], round);
    for (size_t i = 0; i < p->n; i += dls_problem_is_cone(p, i) ? 3 : 1)
        if (dls_problem_is_cone(p, i))
            examine_contact(p, e, &s, i, d->lambda, &f);
        else
            examine_bounds(p, e, &s, i, d->lambda, &f);
    compare("the natural residual", c->natural_residual, f.natural, round);
    compare("that of velocity", c->natural_residual_velocity, f.natural_velocity, round);
    compare("that of impulse", c->natural_residual_impulse, f.natural_impulse, round);
    compare("the impulse residual", c->impulse_residual, f.impulse, round);
    compare("the velocity residual", c->velocity_residual, f.velocity, round);
    compare("the scaled residual", c->scaled_residual, larger(f.impulse, f.velocity), round);
    compare("the violation of bounds", c->bound_violation, f.bound, round);
    compare("the violation of cones", c->cone_violation, f.cone, round);
    compare("the complementarity gap", c->complementarity_gap, f.gap, round);
    compare("the dissipation", c->friction_dissipation, f.dissipation, round);
    compare("the largest velocity", c->w_max, f.w_max, round);
    real most = 0.0L; /* impulses of an island without data are rounding of the others below 2^-52 of their energy */
    for (size_t k = 0; k < p->n; k++)
        most = larger(most, f.data[k]);
    for (size_t k = 0; k < p->n; k++)
        if (f.data[k] != 0.0L || !(f.load[k] <= 0x1p-52L * most))
            data = larger(data, part(f.left[k], f.data[k]));
    if (isinf(data))
        assert_true(isinf(c->data_residual));
    else
        compare("the residual beside the data", c->data_residual, data, round);
    for (size_t i = 0; i < p->n; i++) {
        objective += (0.5L * (s.w[i] - e->b[i]) + e->b[i]) * d->lambda[i];
        if (f.row[i] > worst * (1.0L + 1e-12L)) /* of equal ones the first; not told where rounding decides */
            worst = f.row[i], worst_row = i;
    }
    size_t near = 0;
    for (size_t i = 0; i < p->n; i++)
        near += worst > 0.0L && fabsl(f.row[i] - worst) <= 1e-10L * worst;
    if (near < 2)
        assert_int_equal(c->worst_row, worst_row);
    if (p->form == DLS_FORM_MECHANICAL)
        compare("the objective", c->objective, objective, round);
    else
        assert_true(isnan(c->objective) == !dls_problem_is_symmetric(p));
    if (p->form == DLS_FORM_MATRIX && !isnan(c->objective))
        compare("the objective", c->objective, objective, round);
    assert_true(c->inconsistent == 0.0);
}

/* The scales of blocks in units 2^-1, 1, 2, by their definitions (reference.h). */
static void check_block_scales(const drawn *d, const dense *e, dls_examiner *examiner, const double *lambda,
                               size_t round)
{
    const dls_problem *p = d->p;
    double unit[ROWS];
    dls_block_scale scale[ROWS];
    scales s;
    find_scales(p, e, lambda, &s);
    for (size_t i = 0; i < p->n; i++)
        unit[i] = ldexp(1.0, (int)(i % 3) - 1);
    dls_examiner_block_scales(examiner, lambda, unit, scale);
    for (size_t i = 0; i < p->n; i++) {
        real impulse = 0.0L, velocity = 0.0L, asked[2] = {0.0L, 0.0L}, own[2] = {0.0L, 0.0L};
        for (size_t j = 0; j < p->n; j++) {
            real largest = p->gamma[j] * unit[j];
            const real b = fabsl(e->b[j]);
            if (e->island[j] != e->island[i])
                continue;
            for (size_t k = 0; k < p->n; k++)
                largest = larger(largest, fabsl(e->coupling[j][k]) * unit[k]);
            const real of_b[2] = {largest > 0.0L ? b / largest : 0.0L, b * unit[j]};
            impulse = larger(impulse, fabs(lambda[j]) / unit[j]);
            velocity = larger(velocity, (s.T[j] - b) * unit[j]);
            for (int k = 0; k < 2; k++) {
                own[k] = larger(own[k], of_b[k]);
                if (p->parent[j] == DLS_NONE && b > 0.0L && (e->b[j] < 0.0L ? p->hi[j] > 0.0 : p->lo[j] < 0.0))
                    asked[k] = larger(asked[k], of_b[k]);
            }
        }
        const bool none = impulse == 0.0L;
        compare("the impulse of the data", scale[i].impulse_of_data, larger(impulse, own[0]) * unit[i], round);
        compare("the velocity of the data", scale[i].velocity_of_data, larger(velocity, own[1]) / unit[i], round);
        compare("the impulse of a block", scale[i].impulse, (none ? asked[0] : impulse) * unit[i], round);
        compare("the velocity of a block", scale[i].velocity, (none ? asked[1] : velocity) / unit[i], round);
    }
}

static void check_others(const drawn *d, const dense *e, dls_examiner *examiner, size_t round)
{
    const dls_problem *p = d->p;
    const dls_diagonals diagonals = dls_examiner_diagonals(examiner);
    const double distance = dls_examiner_distance(examiner, d->lambda, d->other);
    size_t zero = 0, negative = 0;
    real square = 0.0L;
    for (size_t i = 0; i < p->n; i++) {
        zero += e->A[i][i] == 0.0L;
        negative += e->A[i][i] < 0.0L;
        for (size_t j = 0; j < p->n; j++)
            square += ((real)d->lambda[i] - d->other[i]) *
                      (e->A[i][j] - (i == j && p->form == DLS_FORM_MECHANICAL ? p->gamma[i] : 0.0)) *
                      ((real)d->lambda[j] - d->other[j]);
    }
    const double none[ROWS] = {0.0};
    check_block_scales(d, e, examiner, d->lambda, round);
    check_block_scales(d, e, examiner, none, round);
    assert_int_equal(diagonals.zero, zero);
    assert_int_equal(diagonals.negative, negative);
    if (!dls_problem_is_symmetric(p))
        assert_true(isnan(distance));
    else if (square > 1e-6L)
        compare("the distance", distance, sqrtl(square), round);
}

TEST(test_figures_by_their_definitions)
{
    const size_t rounds = 4000 / check_one_of(4, "problems");
    dls_examiner *examiner = NULL;
    dls_error error;
    draw_seed(2385);
    for (size_t round = 0; round < rounds; round++) {
        static drawn d;
        static dense e;
        double w[ROWS];
        dls_certificate c, again;
        draw_problem(&d, round);
        make_dense(&d, &e);
        assert_status(examiner ? dls_examiner_reload(examiner, d.p, &error)
                               : dls_examiner_create(d.p, &examiner, &error),
                      &error);
        dls_examine(examiner, d.lambda, w, &c);
        check_figures(&d, &e, &c, w, round);
        check_others(&d, &e, examiner, round);
        dls_examine(examiner, d.lambda, NULL, &again);
        assert_memory_equal(&again, &c, sizeof c);
        dls_problem_destroy(d.p);
    }
    dls_examiner_destroy(examiner);
}

/* b = v* - c of a free row, 1 - (1 - w): the sum is granted 64 roundings of each of its terms, of which there are as
 * many as the row has coefficients, and two. */
TEST(test_the_rounding_of_b)
{
    for (size_t length = 1; length <= LONGEST; length++)
        for (int side = -1; side <= 1; side += 2)
            for (int percent = 60; percent < 150; percent += 7) {
                const double terms = 2.0, rounding = 64.0 * (double)(length + 2) * DBL_EPSILON * terms,
                             w = side * ldexp(round(0.01 * percent * rounding * 0x1p52), -52), lambda = 0.0;
                drawn d;
                dls_certificate c;
                dls_error error;
                memset(&d, 0, sizeof d);
                draw_definite(length, d.M[0]);
                d.dense[0] = (dls_mass_dense){length, d.M[0], d.L};
                assert_status(dls_problem_allocate(1, length, 1, length, 1, &d.p, &error), &error);
                d.p->mass.blocks[0] = (dls_mass_block){0, length, &dls_mass_dense_kind, &d.dense[0]};
                d.p->h = 0.01;
                d.p->J.n_blocks = d.p->J.start[1] = 1;
                d.p->J.coef_at[1] = length;
                d.p->J.coef[0] = d.p->v_star[0] = 1.0;
                d.p->c[0] = 1.0 - w;
                d.p->lo[0] = -HUGE_VAL, d.p->hi[0] = HUGE_VAL, d.p->parent[0] = DLS_NONE;
                assert_status(dls_problem_check(d.p, &error), &error);
                dls_examiner *examiner = examiner_of(d.p);
                dls_examine(examiner, &lambda, NULL, &c);
                assert_true(c.w_max == fabs(w));
                if (percent < 100) /* a share of the roundings that are granted */
                    compare("the figure of rounding", c.velocity_residual, 0.64L * percent * DBL_EPSILON, length);
                else
                    assert_true(c.velocity_residual == 1.0);
                dls_examiner_destroy(examiner);
                dls_problem_destroy(d.p);
            }
}

/* Many copies of a problem in one, which have no block of M in common. */
static dls_problem *copies_of(const dls_problem *p, size_t copies)
{
    const dls_rows *J = &p->J;
    const size_t n = p->n, nv = p->nv, pieces = J->start[n], coefs = J->coef_at[pieces], blocks = p->mass.n_blocks;
    dls_problem *all;
    dls_error error;
    assert_status(
        dls_problem_allocate(copies * n, copies * nv, copies * pieces, copies * coefs, copies * blocks, &all, &error),
        &error);
    all->form = DLS_FORM_MECHANICAL;
    all->h = p->h;
    all->n_coupled = copies * p->n_coupled, all->n_cone = copies * p->n_cone;
    all->J.n_blocks = copies * pieces;
    for (size_t copy = 0; copy < copies; copy++) {
        for (size_t k = 0; k < blocks; k++) {
            dls_mass_block *block = &all->mass.blocks[copy * blocks + k];
            *block = p->mass.blocks[k];
            block->offset += copy * nv;
        }
        for (size_t k = 0; k < pieces; k++) {
            all->J.offset[copy * pieces + k] = copy * nv + J->offset[k];
            all->J.mass[copy * pieces + k] = (uint32_t)(copy * blocks + J->mass[k]);
            all->J.coef_at[copy * pieces + k + 1] = copy * coefs + J->coef_at[k + 1];
        }
        memcpy(all->J.coef + copy * coefs, J->coef, coefs * sizeof *J->coef);
        memcpy(all->v_star + copy * nv, p->v_star, nv * sizeof *p->v_star);
        for (size_t i = 0, at = copy * n; i < n; i++, at++) {
            all->J.start[at + 1] = copy * pieces + J->start[i + 1];
            all->gamma[at] = p->gamma[i], all->c[at] = p->c[i], all->mu[at] = p->mu[i], all->law[at] = p->law[i];
            all->lo[at] = p->lo[i], all->hi[at] = p->hi[i];
            all->parent[at] = p->parent[i] == DLS_NONE ? DLS_NONE : copy * n + p->parent[i];
        }
    }
    assert_status(dls_problem_check(all, &error), &error);
    return all;
}

/* The pairs of rows that act on one block of M. */
static size_t pairs_of(const dls_problem *p)
{
    size_t count = 0;
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < p->n; j++) {
            bool meet = false;
            for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++)
                for (size_t m = p->J.start[j]; m < p->J.start[j + 1]; m++)
                    meet = meet || p->J.mass[k] == p->J.mass[m];
            count += meet;
        }
    return count;
}

/* Rows that have nothing to do with others have the same figures beside them as alone, to the bit, however many there
 * are: also where the terms of w are tiny. */
TEST(test_figures_of_copies)
{
    const size_t entries = 5000000; /* of A */
    draw_seed(19);
    for (int round = 0; round < 2; round++) {
        static drawn d;
        double residual[ROWS];
        dls_certificate one, all;
        memset(&d, 0, sizeof d);
        draw_mechanical(&d, ROWS);
        draw_laws(d.p);
        const size_t copies = entries / pairs_of(d.p);
        const double t = round % 2 ? 0x1p-1000 : 1.0;
        for (size_t j = 0; j < d.p->nv; j++)
            d.p->v_star[j] *= t;
        for (size_t i = 0; i < ROWS; i++) {
            d.lambda[i] = t * draw_impulse(d.p, i);
            d.p->c[i] *= t, d.p->lo[i] *= t, d.p->hi[i] *= t;
        }
        dls_problem *many = copies_of(d.p, copies);
        double *lambda = malloc(copies * ROWS * sizeof *lambda), *residuals = malloc(copies * ROWS * sizeof *lambda);
        assert_true(lambda && residuals);
        for (size_t copy = 0; copy < copies; copy++)
            memcpy(lambda + copy * ROWS, d.lambda, sizeof d.lambda);
        dls_examiner *alone = examiner_of(d.p), *beside = examiner_of(many);
        dls_examine_rows(alone, d.lambda, residual, &one);
        dls_examine_rows(beside, lambda, residuals, &all);
        for (size_t copy = 0; copy < copies; copy++)
            assert_memory_equal(residuals + copy * ROWS, residual, sizeof residual);
        assert_true(one.scaled_residual > 0.0);
        assert_true(all.impulse_residual == one.impulse_residual && all.velocity_residual == one.velocity_residual);
        assert_true(all.least_residual == one.least_residual && all.data_residual == one.data_residual);
        assert_int_equal(all.worst_row, one.worst_row);
        dls_examiner_destroy(alone);
        dls_examiner_destroy(beside);
        dls_problem_destroy(many);
        dls_problem_destroy(d.p);
        free(lambda);
        free(residuals);
    }
}
