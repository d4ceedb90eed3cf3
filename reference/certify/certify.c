/* Error bounds that are theorems, from an active set.
 *
 * THEOREM 1. Let I be some of the rows, and every other row at a finite bound. Let x^T H_II x >= alpha x^T x, alpha > 0
 * (H = d A d; H need not be symmetric). With the other rows held, the rows of I have exactly one solution z, and for
 * any lambda within the bounds that holds the other rows at theirs,
 *     |(z - lambda) / d|_2 <= |d e|_2 / alpha,     |z - lambda|_A <= |d e|_2 / sqrt(alpha),
 * e_i being the distance of w_i(lambda) from the values that (5) allows at lambda_i: w_i itself between the bounds, its
 * part of the wrong sign at a bound. For lambda solves the problem with w - e in the place of w, so that with
 * D = z - lambda both problems give D.(w(z) - w(lambda) + e) <= 0, that is  D^T A D <= -D.e.
 * If now w has the right sign at every other row for all impulses within the radius, z is a solution of the whole.
 *   It is the only one if that sign is strict and A is symmetric positive semidefinite, as the mechanical form is: all
 * solutions have one w, which puts every other row at its bound, and there is one z. And it is the only one if A is
 * positive definite, symmetric or not.
 *
 * The active set is that of the given lambda: a row is where lambda - w / A_ii lies (the semismooth Newton method's
 * choice; D_i in the place of A_ii where that is small). lambda_F, the rows between their bounds, is then refined with
 * w in twice the precision, until e is some 1e-32 of its terms: so the radius of the REFINED impulses vanishes beside
 * their distance from the given ones, and the bound is as sharp as the error is. Rows that turn out wrong change sides,
 * and the rest begins again. Rows that are at a bound with w = 0 belong to I and need no decision. */
#include "blas.h"
#include "parts.h"

#include "base/arithmetic.h"
#include "self_check.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum row_state { BETWEEN, AT_LO, AT_HI, HELD } row_state; /* HELD: between, and redundant beside others */

typedef struct proof {
    dls_stored s;
    dls_arena memory;
    const double *given; /* lambda as it was given */
    row_state *state;    /* n */
    row_state *next;     /* n: where rows belong */
    dls_twofold *lambda; /* n: refined */
    double *w, *w_error; /* n: of the refined impulses */
    double *w_given, *w_given_error;
    size_t *rows;           /* n: of I, or of F */
    bool *inside;           /* n: whether a row is in I */
    double *step;           /* n */
    double *factor;         /* n x n */
    int *pivots;            /* n */
    double *work;           /* 2 n */
    double accuracy;        /* about the error of the refined x = lambda / d */
    double *radius, *shift; /* n: of the refined impulses, and of their w */
    dls_slope_part *part;   /* n */
    bool settled;           /* the refined impulses have an active set that nothing speaks against */
    dls_active active;      /* systems with H_FF, by `factor` */
    double whole;           /* alpha of all rows, in the matrix form; 0 where A is not proved definite */
} proof;

static bool take_proof(proof *c)
{
    const size_t n = c->s.n;
    double **const vectors[] = {&c->w, &c->w_error, &c->w_given, &c->w_given_error, &c->step, &c->radius, &c->shift};
    for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++)
        *vectors[k] = DLS_TAKE_ZEROS(&c->memory, double, n);
    c->state = DLS_TAKE(&c->memory, row_state, n);
    c->next = DLS_TAKE(&c->memory, row_state, n);
    c->lambda = DLS_TAKE(&c->memory, dls_twofold, n);
    c->part = DLS_TAKE(&c->memory, dls_slope_part, n);
    c->rows = DLS_TAKE(&c->memory, size_t, n);
    c->inside = DLS_TAKE_ZEROS(&c->memory, bool, n);
    c->pivots = DLS_TAKE(&c->memory, int, n);
    c->work = DLS_TAKE(&c->memory, double, 2 * n);
    c->factor = dls_arena_take(&c->memory, n, (n + 1) * sizeof *c->factor);
    return dls_active_take(&c->active, &c->s, c->factor, &c->memory);
}

static double lower(const proof *c, size_t i) { return c->s.p->lo[i]; }
static double upper(const proof *c, size_t i) { return c->s.p->hi[i]; }
static bool is_fixed(const proof *c, size_t i) { return lower(c, i) == upper(c, i); }
/* The state of a row after a Newton step of its own: where lambda - w / D_i lies, D_i the largest entry of its row of A
 * in the units of H, which is A_ii where A is definite. */
static row_state newton_state(const proof *c, size_t i, double lambda, double w)
{
    double pull = w * c->s.d[i] * c->s.d[i] / (c->s.largest[i] > 0.0 ? c->s.largest[i] : 1.0);
    if (is_fixed(c, i) || lambda - lower(c, i) < pull || lambda <= lower(c, i))
        return is_fixed(c, i) || pull > 0.0 || lambda < lower(c, i) ? AT_LO : BETWEEN;
    if (upper(c, i) - lambda < -pull || lambda >= upper(c, i))
        return pull < 0.0 || lambda > upper(c, i) ? AT_HI : BETWEEN;
    return BETWEEN;
}

static size_t collect_between(proof *c)
{
    size_t m = 0;
    for (size_t i = 0; i < c->s.n; i++)
        if (c->state[i] == BETWEEN)
            c->rows[m++] = i;
    return m;
}

/* Move the impulses of rows at a bound to it, and update c->w, up to rounding. */
static void fix_at_bounds(proof *c)
{
    const dls_stored *s = &c->s;
    for (size_t i = 0; i < s->n; i++) {
        if (c->state[i] != AT_LO && c->state[i] != AT_HI)
            continue;
        double bound = c->state[i] == AT_LO ? lower(c, i) : upper(c, i),
               moved = ((bound - c->lambda[i].high) - c->lambda[i].low) / s->d[i];
        c->lambda[i] = (dls_twofold){bound, 0.0};
        for (size_t k = 0; k < s->n && moved != 0.0; k++)
            c->w[k] += s->H[i + s->n * k] * moved / s->d[k];
    }
}

/* --- refinement --- */

/* Leaves out, as HELD, the rows of F that are redundant beside the others: Cholesky's method with pivoting, rows
 * without bounds first. How many remain in c->rows. */
static size_t leave_out_redundant(proof *c, size_t m)
{
    const dls_stored *s = &c->s;
    int rank = 0, size = (int)m;
    for (size_t b = 0; b < m; b++)
        for (size_t a = 0; a < m; a++) {
            size_t i = c->rows[a], j = c->rows[b];
            double weight = isinf(lower(c, i)) && isinf(upper(c, i)) ? 64.0 : 1.0,
                   other = isinf(lower(c, j)) && isinf(upper(c, j)) ? 64.0 : 1.0;
            c->factor[a + m * b] = weight * other * s->H[i + s->n * j];
        }
    LAPACKE_dpstrf_work(LAPACK_COL_MAJOR, 'L', size, c->factor, size, c->pivots, &rank,
                        1e-10 + (double)m * (double)m * DBL_EPSILON, c->work);
    for (size_t k = 0; k < m; k++)
        c->state[c->rows[c->pivots[k] - 1]] = k < (size_t)rank ? BETWEEN : HELD;
    return collect_between(c);
}

/* Makes systems with H_FF solvable: from the factor at hand, by Cholesky's method, or by LU where that cannot be or H
 * is not symmetric. False where none can be. F loses its redundant rows first where A is semidefinite. */
static bool factor_between(proof *c, size_t *rows)
{
    const dls_stored *s = &c->s;
    if (!s->semidefinite && dls_active_amend(&c->active, *rows, c->rows))
        return true;
    for (int attempt = 0; attempt < 2 && s->symmetric; attempt++) {
        if (dls_active_cholesky(&c->active, *rows, c->rows))
            return true;
        if (s->semidefinite && attempt == 0)
            *rows = leave_out_redundant(c, *rows);
    }
    return dls_active_lu(&c->active, *rows, c->rows);
}

/* Where row i surely belongs: its state, unless that is wrong. */
static row_state sure_state(const proof *c, size_t i)
{
    const dls_twofold x = c->lambda[i];
    double below = (x.high - lower(c, i)) + x.low, above = (x.high - upper(c, i)) + x.low;
    double slack = 4.0 * c->accuracy * c->s.d[i] + 1e-30 * fabs(dls_twofold_value(x));
    if (c->state[i] == HELD || is_fixed(c, i))
        return c->state[i];
    if (c->state[i] == BETWEEN)
        return below < -slack ? AT_LO : above > slack ? AT_HI : BETWEEN;
    double wrong = c->state[i] == AT_LO ? -c->w[i] : c->w[i], sum = 0.0;
    if (!(wrong > 2.0 * c->w_error[i]))
        return c->state[i];
    for (size_t j = 0; j < c->s.n && c->accuracy > 0.0; j++)
        sum += fabs(c->s.H[j + c->s.n * i]);
    /* w_i is about as uncertain as its evaluation and x make it */
    return wrong > 2.0 * c->w_error[i] + 4.0 * sum * c->accuracy / c->s.d[i] ? BETWEEN : c->state[i];
}

/* How many rows are surely on the wrong side; c->next gets where each belongs. */
static size_t find_wrong(proof *c)
{
    size_t wrong = 0;
    for (size_t i = 0; i < c->s.n; i++) {
        c->next[i] = sure_state(c, i);
        wrong += c->next[i] != c->state[i];
    }
    return wrong;
}

/* step = -H_FF^-1 w_F, in the units of H; the largest entry, and of lambda. False where a number is not finite. */
static bool newton_correction(proof *c, size_t m, double *largest, double *size)
{
    *largest = *size = 0.0;
    for (size_t a = 0; a < m; a++)
        c->step[a] = -c->w[c->rows[a]] * c->s.d[c->rows[a]];
    dls_active_solve(&c->active, m, c->rows, c->step);
    for (size_t a = 0; a < m; a++) {
        size_t i = c->rows[a];
        *largest = fmax(*largest, fabs(c->step[a]));
        *size = fmax(*size, fabs(c->lambda[i].high) / c->s.d[i]);
        if (!isfinite(c->step[a]))
            return false;
    }
    return true;
}

/* lambda_F such that w_F = 0, by corrections from residuals in twice the precision, until they no longer shrink; or
 * until one of them shows that a row is surely wrong. c->accuracy becomes about the size of the next one. */
static bool refine_impulses(proof *c, size_t m)
{
    enum { CORRECTIONS = 60 };
    double before = HUGE_VAL, largest, size;
    if (m == 0)
        dls_stored_w(&c->s, c->lambda, c->w, c->w_error);
    c->accuracy = 0.0;
    for (int count = 0; m > 0 && count < CORRECTIONS; count++) {
        if (!newton_correction(c, m, &largest, &size))
            return false;
        if (count > 0 && !(largest < 0.5 * before))
            break;
        if (count == 1) {
            c->accuracy = largest;
            if (find_wrong(c) > 0)
                return true;
        }
        for (size_t a = 0; a < m; a++)
            c->lambda[c->rows[a]] = dls_twofold_add(c->lambda[c->rows[a]], c->step[a] * c->s.d[c->rows[a]]);
        dls_stored_w(&c->s, c->lambda, c->w, c->w_error);
        c->accuracy = fmax(largest * (count > 0 ? largest / before : 1.0), 1e-31 * size);
        before = largest;
        if (largest <= 1e-25 * size)
            break;
    }
    for (size_t i = 0; i < c->s.n; i++)
        if (!isfinite(c->w_error[i]) || !isfinite(dls_twofold_value(c->lambda[i])))
            return false;
    return true;
}

/* Solve for the active set and correct it, at most `rounds` times: all wrong rows change sides as long as that helps,
 * then one row at a time. *settled: no row is surely wrong. Returns false if H_FF is singular. */
static bool settle_active_set(proof *c, size_t rounds, bool *settled)
{
    size_t fewest = SIZE_MAX, useless = 0;
    *settled = false;
    for (size_t round = 0; round < rounds && !*settled; round++) {
        for (size_t i = 0; i < c->s.n; i++)
            c->state[i] = c->state[i] == HELD ? BETWEEN : c->state[i];
        size_t m = collect_between(c);
        fix_at_bounds(c);
        if (!factor_between(c, &m) || !refine_impulses(c, m))
            return false;
        size_t wrong = find_wrong(c), left = wrong;
        for (size_t i = 0; i < c->s.n; i++) /* all of these rows change sides, or the last one alone */
            if (c->next[i] != c->state[i] && (--left == 0 || useless <= 3))
                c->state[i] = c->next[i];
        useless = wrong < fewest ? 0 : useless + 1;
        fewest = wrong < fewest ? wrong : fewest;
        *settled = wrong == 0;
    }
    return true;
}

/* --- theorem 1 --- */

/* Move impulses that are beyond a bound to it. */
static void clamp_impulses(proof *c)
{
    bool moved = false;
    for (size_t i = 0; i < c->s.n; i++) {
        dls_twofold *x = &c->lambda[i];
        double to = (x->high - lower(c, i)) + x->low < 0.0   ? lower(c, i)
                    : (x->high - upper(c, i)) + x->low > 0.0 ? upper(c, i)
                                                             : NAN;
        if (!isnan(to)) {
            *x = (dls_twofold){to, 0.0};
            moved = true;
        }
    }
    if (moved)
        dls_stored_w(&c->s, c->lambda, c->w, c->w_error);
}

/* An upper bound of the distance of w_i from the values that (5) allows. */
static double row_violation(const proof *c, size_t i)
{
    const dls_twofold x = c->lambda[i];
    bool lo = x.high == lower(c, i) && x.low == 0.0, hi = x.high == upper(c, i) && x.low == 0.0;
    if (lo && hi)
        return 0.0;
    double least = c->w[i] - c->w_error[i], most = c->w[i] + c->w_error[i];
    double wrong = lo ? fmax(0.0, -least) : hi ? fmax(0.0, most) : fmax(fabs(least), fabs(most));
    return dls_up(wrong, 1);
}

/* Within `reach` of w_i, whether the sign at the row's bound is proved, strictly. */
static bool sign_is_right(const proof *c, size_t i, double reach)
{
    double off = dls_up(c->w_error[i] + reach, 2);
    const dls_twofold x = c->lambda[i];
    bool lo = x.high == lower(c, i) && x.low == 0.0, hi = x.high == upper(c, i) && x.low == 0.0;
    return (lo && hi) || (lo && c->w[i] > off) || (hi && -c->w[i] > off);
}

/* An upper bound of |w - w of the solution| at the refined impulses, of row i. */
static double reach_of_row(const proof *c, size_t i, size_t m, double rho)
{
    return rho > 0.0 ? dls_up(dls_stored_row(&c->s, i, m, c->rows) * rho / c->s.d[i], 4) : 0.0;
}

/* About the smallest eigenvalue of H over the m rows of the factor at hand, by inverse iteration. The start has no
 * pattern to which an eigenvector could be orthogonal. */
static double least_eigenvalue(proof *c, size_t m)
{
    enum { STEPS = 4 };
    double least = 0.0, *x = c->step;
    for (size_t a = 0; a < m; a++)
        x[a] = cos(2.385 * (double)(a + 1) * (double)(a + 2));
    for (int k = 0; k < STEPS && m > 0; k++) {
        cblas_dscal((int)m, 1.0 / cblas_dnrm2((int)m, x, 1), x, 1);
        dls_active_solve(&c->active, m, c->rows, x);
        least = 1.0 / cblas_dnrm2((int)m, x, 1);
    }
    return least;
}

typedef struct ball {
    size_t m;        /* rows of I, in c->rows */
    double rho;      /* |(z - lambda) / d| */
    double velocity; /* |z - lambda|_A */
} ball;

/* c->rows = I, the rows that `inside` names. */
static size_t gather_inside(proof *c)
{
    size_t m = 0;
    for (size_t i = 0; i < c->s.n; i++)
        if (c->inside[i])
            c->rows[m++] = i;
    return m;
}

/* Whether a radius of rho in the units of H is more than the distance that refinement moved some row, and so more than
 * a part of the error. */
static bool is_coarse(const proof *c, const ball *b, double rho)
{
    double scale = 0.0;
    for (size_t i = 0; i < c->s.n; i++)
        scale = fmax(scale, fabs(c->given[i]) / c->s.d[i]);
    for (size_t a = 0; a < b->m; a++) {
        size_t i = c->rows[a];
        double moved = fabs((c->given[i] - c->lambda[i].high) - c->lambda[i].low) / c->s.d[i];
        if (rho > fmax(moved, dls_unit_roundoff * fmax(fabs(c->given[i]) / c->s.d[i], 1e-3 * scale)))
            return true;
    }
    return false;
}

/* Theorem 1 for I. alpha is made sharp where the radius would be coarse. */
static bool enclose_solution(proof *c, ball *b)
{
    b->m = gather_inside(c);
    dls_norm_sum norm = {0};
    for (size_t a = 0; a < b->m; a++)
        dls_norm_sum_add(&norm, row_violation(c, c->rows[a]) * c->s.d[c->rows[a]]);
    double e = dls_norm_sum_value(&norm), alpha = c->whole; /* |d e|; NaN if e is */
    if (!isfinite(e))
        return false;
    if (!(alpha > 0.0) || (b->m < c->s.n && is_coarse(c, b, e / alpha))) {
        if (!dls_active_proves(&c->active, b->m) && !dls_active_cholesky(&c->active, b->m, c->rows))
            return false;
        alpha = fmax(alpha, c->active.alpha);
        if (is_coarse(c, b, e / alpha)) {
            /* half of the smallest eigenvalue as found with the factor at hand, or less where that was too much */
            enum { ATTEMPTS = 3 };
            double least = least_eigenvalue(c, b->m), better = 0.0;
            dls_active_forget(&c->active);
            for (int k = 0; k < ATTEMPTS && better == 0.0 && least > 4.0 * c->active.alpha; k++, least /= 32.0)
                better = dls_stored_definite(&c->s, b->m, c->rows, 0.5 * least, c->factor);
            alpha = fmax(alpha, better);
        }
    }
    b->rho = dls_up(e / alpha, 2);
    b->velocity = dls_up(e / sqrt(alpha), 3);
    return isfinite(b->rho);
}

/* I is F and every row whose sign is not proved: first with the signs as evaluated, then within the radius, then I is
 * all rows. */
static bool prove_active_set(proof *c, ball *b)
{
    const size_t n = c->s.n;
    for (size_t i = 0; i < n; i++)
        c->inside[i] = c->state[i] == BETWEEN || c->state[i] == HELD || !sign_is_right(c, i, 0.0);
    for (int attempt = 0; attempt < 3; attempt++) {
        size_t doubtful = 0;
        if (!enclose_solution(c, b))
            return false;
        for (size_t i = 0; i < n; i++) {
            c->step[i] = !c->inside[i] && !sign_is_right(c, i, reach_of_row(c, i, b->m, b->rho));
            doubtful += c->step[i] > 0.0;
        }
        if (doubtful == 0)
            return true;
        for (size_t i = 0; i < n; i++)
            c->inside[i] = c->inside[i] || attempt > 0 || c->step[i] > 0.0;
    }
    return false;
}

/* --- the statement --- */

static double largest_of(size_t n, const double *x)
{
    double largest = 0.0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, x[i]);
    return largest;
}

/* At least |given - refined|_A; with radii, |given - solution|_A of theirs. */
static double distance_from_given(const proof *c, bool with_radii)
{
    const dls_vicinity of = {c->lambda, c->w, c->w_error, with_radii ? c->radius : NULL, with_radii ? c->shift : NULL};
    return dls_stored_distance(c->s.n, c->given, c->w_given, c->w_given_error, &of);
}

static bool is_between(const proof *c, size_t i)
{
    return (c->lambda[i].high - lower(c, i)) + c->lambda[i].low > dls_up(c->radius[i], 4) &&
           (upper(c, i) - c->lambda[i].high) - c->lambda[i].low > dls_up(c->radius[i], 4);
}

static void state_radii(const proof *c, dls_bounds *out)
{
    for (size_t i = 0; i < c->s.n; i++) {
        double off = fabs((c->given[i] - c->lambda[i].high) - c->lambda[i].low) + c->radius[i];
        out->radius_lambda[i] = off > 0.0 ? dls_up(off, 4) : 0.0; /* 0: held, and given at that bound */
        out->radius_w[i] = dls_up(fabs(c->w_given[i] - c->w[i]) + c->w_given_error[i] + c->w_error[i] + c->shift[i], 4);
        if (is_between(c, i))
            out->between++;
        else if (sign_is_right(c, i, c->shift[i]))
            out->at_bound++;
        else
            out->undecided++;
    }
}

static void set_text(dls_bounds *out, const char *text) { snprintf(out->text, sizeof out->text, "%s", text); }

/* `velocity`: at least |given - solution|_A. */
static void state_bounds(proof *c, bool unique, double velocity, dls_bounds *out)
{
    state_radii(c, out);
    out->kind = out->undecided == 0 ? DLS_BOUNDS_ACTIVE_SET : DLS_BOUNDS_EXISTS;
    out->unique = unique;
    out->lambda = largest_of(c->s.n, out->radius_lambda);
    out->w = largest_of(c->s.n, out->radius_w);
    out->velocity = c->s.symmetric ? velocity : NAN;
    if (c->s.n == 0) {
        snprintf(out->text, sizeof out->text, "nothing: the problem has no rows");
        return;
    }
    int length =
        out->undecided == 0
            ? snprintf(out->text, sizeof out->text, "active set proved: %zu rows between their bounds, %zu at one",
                       out->between, out->at_bound)
            : snprintf(out->text, sizeof out->text,
                       "a solution exists: %zu rows between their bounds, %zu at one, %zu undecided", out->between,
                       out->at_bound, out->undecided);
    snprintf(out->text + length, sizeof out->text - (size_t)length, "; %s; lambda within %s, w within %s",
             unique ? "there is no other" : "there may be others far from it", dls_digits_up(out->lambda, 2).text,
             dls_digits_up(out->w, 2).text);
}

/* Find the active set of the given impulses, with refined impulses, in at most `rounds` rounds. The impulses stay as
 * they are without rounds, or where these fail. */
static bool find_active_set(proof *c, size_t rounds)
{
    const size_t n = c->s.n;
    bool settled = false;
    for (size_t i = 0; i < n; i++) {
        c->lambda[i] = (dls_twofold){c->given[i], 0.0};
        c->state[i] = newton_state(c, i, c->given[i], c->w_given[i]);
    }
    memcpy(c->w, c->w_given, n * sizeof *c->w);
    memcpy(c->w_error, c->w_given_error, n * sizeof *c->w_error);
    dls_active_forget(&c->active);
    bool solved = rounds > 0 && settle_active_set(c, rounds, &settled);
    if (!solved) {
        for (size_t i = 0; i < n; i++)
            c->lambda[i] = (dls_twofold){c->given[i], 0.0};
        dls_stored_w(&c->s, c->lambda, c->w, c->w_error);
    }
    clamp_impulses(c);
    return solved && settled;
}

/* --- without definiteness (certify_slope.c) --- */

/* radius and shift of the parts as they are chosen. */
static dls_status slope_radii(proof *c, bool *proved, dls_error *error)
{
    const dls_stored *s = &c->s;
    double sizes = 0.0;
    for (size_t i = 0; i < s->n; i++)
        c->step[i] = row_violation(c, i);
    DLS_TRY(dls_slope_radii(s, c->part, c->w, c->w_error, c->step, c->factor, c->radius, proved, error));
    for (size_t i = 0; i < s->n; i++)
        sizes += s->size[i] * c->radius[i];
    for (size_t i = 0; i < s->n && *proved; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < s->n; j++)
            sum += fabs(s->H[j + s->n * i]) * c->radius[j];
        sum = dls_up(sum + s->slack * s->size[i] * sizes, 2 * s->n + 8);
        c->shift[i] = sum > 0.0 ? dls_up(sum / s->d[i], 1) : 0.0;
        *proved = isfinite(c->shift[i]);
    }
    for (size_t i = 0; i < s->n; i++)
        c->radius[i] = c->radius[i] > 0.0 ? dls_up(c->radius[i] * s->d[i], 1) : 0.0;
    return DLS_OK;
}

/* Rows that the radii do not prove to be free, or held with the right sign, become undecided. Returns their number. */
static size_t doubt_parts(proof *c)
{
    size_t count = 0;
    for (size_t i = 0; i < c->s.n; i++) {
        bool sure = c->part[i] == DLS_SLOPE_UNDECIDED || (c->part[i] == DLS_SLOPE_FREE && is_between(c, i)) ||
                    (c->part[i] == DLS_SLOPE_HELD && sign_is_right(c, i, c->shift[i]));
        count += !sure;
        c->part[i] = sure ? c->part[i] : DLS_SLOPE_UNDECIDED;
    }
    return count;
}

/* Theorem 1 in the ways in which it may apply, the sharpest first. *found: it does. */
static dls_status from_active_set(proof *c, size_t rounds, dls_bounds *out, bool *found, dls_error *error)
{
    ball b;
    bool unique = true;
    c->settled = find_active_set(c, rounds);
    *found = true;
    if (!c->s.semidefinite) { /* alpha for all rows, and so for any of them; 0 where A is not proved definite */
        const double hope = c->settled ? least_eigenvalue(c, collect_between(c)) / 16.0 : 0.0;
        for (size_t i = 0; i < c->s.n; i++)
            c->rows[i] = i;
        dls_active_forget(&c->active);
        c->whole = hope > 0.0 ? dls_stored_definite(&c->s, c->s.n, c->rows, hope, c->factor) : 0.0;
        if (!(c->whole > 0.0))
            c->whole = dls_stored_definite(&c->s, c->s.n, c->rows, 0.0, c->factor);
    }
    if (c->settled && prove_active_set(c, &b)) {
        unique = c->s.semidefinite || c->whole > 0.0;
        if (!unique && !c->s.symmetric)
            DLS_TRY(dls_stored_is_P(&c->s, c->factor, &unique, error));
        gather_inside(c);
    } else { /* all rows in I: a bound for any lambda, where A is definite */
        *found = c->s.semidefinite || c->whole > 0.0;
        for (size_t i = 0; i < c->s.n && *found; i++)
            c->inside[i] = true;
        if (!*found || !(*found = enclose_solution(c, &b)))
            return DLS_OK;
    }
    for (size_t i = 0; i < c->s.n; i++) {
        c->radius[i] = c->inside[i] ? dls_up(b.rho * c->s.d[i], 1) : 0.0;
        c->shift[i] = reach_of_row(c, i, b.m, b.rho);
    }
    const bool is_norm = c->s.semidefinite || c->whole > 0.0; /* |.|_A, for which the triangle inequality holds */
    state_bounds(c, unique,
                 is_norm ? dls_up(distance_from_given(c, false) + b.velocity, 2) : distance_from_given(c, true), out);
    return DLS_OK;
}

/* The active set with its doubtful rows undecided; or all rows undecided, which proves that there is no other solution,
 * but with larger radii. */
static dls_status from_slopes(proof *c, dls_bounds *out, dls_error *error)
{
    enum { ATTEMPTS = 4 };
    const size_t n = c->s.n;
    bool proved = c->settled, unique = false;
    for (size_t i = 0; i < n; i++) {
        bool held = c->state[i] != BETWEEN && sign_is_right(c, i, 0.0);
        c->part[i] = c->state[i] == BETWEEN ? DLS_SLOPE_FREE : held ? DLS_SLOPE_HELD : DLS_SLOPE_UNDECIDED;
    }
    for (int attempt = 0; proved; attempt++) {
        DLS_TRY(slope_radii(c, &proved, error));
        if (!proved || doubt_parts(c) == 0)
            break;
        proved = attempt < ATTEMPTS;
    }
    if (proved) {
        DLS_TRY(dls_stored_is_P(&c->s, c->factor, &unique, error));
    } else {
        for (size_t i = 0; i < n; i++)
            c->part[i] = DLS_SLOPE_UNDECIDED;
        DLS_TRY(slope_radii(c, &proved, error));
        unique = proved;
    }
    if (!proved) {
        set_text(out, "neither A nor what decides between its bounds was proved definite or an H-matrix");
        return DLS_OK;
    }
    state_bounds(c, unique, distance_from_given(c, true), out);
    return DLS_OK;
}

/* Theorem 2 for the impulses at hand: |lambda - lambda*|_A of these bounds w, row by row, and v+. */
static const char *try_gap(proof *c, dls_bounds *out)
{
    const dls_gap_room room = {c->rows, c->step, c->work, c->work + c->s.n, c->factor};
    const char *why;
    double gap = dls_gap_radius(&c->s, c->lambda, c->w, c->w_error, &room, &why);
    double velocity = dls_up(distance_from_given(c, false) + gap, 2);
    if (!(velocity < out->velocity))
        return why ? why : "the numbers are too large";
    for (size_t i = 0; i < c->s.n; i++) {
        double off = fabs(c->w_given[i] - c->w[i]) + c->w_given_error[i] + c->w_error[i];
        out->radius_w[i] = dls_up(off + c->s.size[i] * gap / c->s.d[i], 6);
    }
    out->kind = DLS_BOUNDS_VELOCITY;
    out->unique = true;
    out->undecided = c->s.n;
    out->w = largest_of(c->s.n, out->radius_w);
    out->velocity = velocity;
    snprintf(out->text, sizeof out->text,
             "a solution exists, v+ and w are unique: v+ within %s sqrt(J), w within %s; the impulses are not bounded",
             dls_digits_up(out->velocity, 2).text, dls_digits_up(out->w, 2).text);
    return NULL;
}

/* Theorem 1 or 2 for the problem without rows that depend on others, which bounds the velocity of the whole. */
static dls_status from_independent_rows(proof *c, size_t rounds, dls_bounds *out, dls_error *error)
{
    dls_dependent d;
    dls_bounds of = {0};
    dls_status status = dls_dependent_find(&d, &c->s, c->given, c->w_given, c->w_given_error, error);
    if (status == DLS_OK && d.problem) {
        status = dls_certify_in(d.problem, d.lambda, rounds, &of, error);
        if (status == DLS_OK)
            status = dls_dependent_state(&d, &of, out, error);
    }
    dls_bounds_release(&of);
    dls_dependent_release(&d);
    return status;
}

static dls_status certify_problem(proof *c, const dls_problem *p, size_t rounds, dls_bounds *out, dls_error *error)
{
    const char *why;
    dls_error wrong;
    if (dls_problem_check(p, &wrong) != DLS_OK) {
        set_text(out, wrong.message);
        return DLS_OK;
    }
    for (size_t i = 0; i < p->n; i++)
        if (!isfinite(c->given[i])) {
            snprintf(out->text, sizeof out->text, "impulse %zu is not a finite number", i);
            return DLS_OK;
        }
    DLS_TRY(dls_stored_take(p, &c->memory, &c->s, &why, error));
    if (why) {
        set_text(out, why);
        return DLS_OK;
    }
    memcpy(out->unit, c->s.d, p->n * sizeof *out->unit);
    if (!take_proof(c))
        return dls_fail(error, DLS_NO_MEMORY, "no memory to certify a problem of %zu rows", p->n);
    for (size_t i = 0; i < p->n; i++)
        c->lambda[i] = (dls_twofold){c->given[i], 0.0};
    dls_stored_w(&c->s, c->lambda, c->w_given, c->w_given_error);
    for (size_t i = 0; i < p->n; i++)
        out->w_at[i] = isfinite(c->w_given_error[i]) ? c->w_given[i] : NAN;
    if (p->n_coupled > 0) {
        dls_certify_friction(p, c->given, c->w_given, c->w_given_error, out);
        return (dls_problem_contact_laws(p) & ~(unsigned)DLS_CONTACTS_TORSIONAL) != 0
                   ? DLS_OK
                   : dls_certify_cone(&c->s, c->given, c->w_given, c->w_given_error, NULL, out, error);
    }
    bool found;
    DLS_TRY(from_active_set(c, rounds, out, &found, error));
    if (!found && !c->s.semidefinite)
        return from_slopes(c, out, error);
    if (found)
        return DLS_OK;
    why = try_gap(c, out);
    for (size_t fewer = 0; fewer < 2 && fewer < rounds; fewer++) { /* refined without exchanges, and as given */
        find_active_set(c, fewer);
        try_gap(c, out);
    }
    if (out->kind != DLS_BOUNDS_NONE)
        return DLS_OK;
    set_text(out, why);
    return from_independent_rows(c, rounds, out, error);
}

dls_status dls_certify_in(const dls_problem *p, const double *lambda, size_t rounds, dls_bounds *out, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    proof c = {.given = lambda};
    *out = (dls_bounds){.lambda = HUGE_VAL, .w = HUGE_VAL, .velocity = HUGE_VAL};
    DLS_TRY(dls_blas_ready(error));
    DLS_TRY(dls_self_check(error));
    out->radius_lambda = malloc((4 * p->n + 1) * sizeof(double));
    if (!out->radius_lambda)
        return dls_fail(error, DLS_NO_MEMORY, "no memory to certify a problem of %zu rows", p->n);
    out->radius_w = out->radius_lambda + p->n;
    out->w_at = out->radius_w + p->n;
    out->unit = out->w_at + p->n;
    for (size_t i = 0; i < p->n; i++)
        out->radius_lambda[i] = out->radius_w[i] = HUGE_VAL, out->w_at[i] = NAN, out->unit[i] = 1.0;
    dls_status status = certify_problem(&c, p, rounds, out, error);
    dls_arena_release(&c.memory);
    return status;
}

dls_status dls_certify(const dls_problem *p, const double *lambda, dls_bounds *out, dls_error *error)
{
    return dls_certify_in(p, lambda, p->n <= 100 ? 40 : p->n <= 1500 ? 16 : 6, out, error);
}

void dls_bounds_release(dls_bounds *bounds)
{
    free(bounds->radius_lambda);
    *bounds = (dls_bounds){0};
}
