/* The velocity of a problem whose impulses are not unique: redundant rows, A semidefinite.
 *
 * THEOREM 2. In the mechanical form with fixed bounds let w = A lambda + b for some lambda within its bounds, and let
 * v = v(lambda) + x for any x for which the rows
 *     g_i = w_i + J_i x
 * with Gamma_i = 0 have no wrong sign: g_i >= 0 where hi_i is infinite, g_i <= 0 where lo_i is. Then a solution
 * lambda* exists, all solutions have one v+ and one w, and
 *     1/2 |v(lambda) - v+|_M^2 <= 1/2 |lambda - lambda*|_A^2 <= 1/2 |x|_M^2 + sum_i t_i,                       (1)
 *     t_i = (lambda_i - lo_i) g_i where g_i > 0, (hi_i - lambda_i) |g_i| where g_i < 0; at most g_i^2 / (2 Gamma_i).
 * For v+ minimises p(v) = 1/2 |v - v*|_M^2 + sum_i sup over l in [lo_i, hi_i] of (-l (J_i v - c_i) - 1/2 Gamma_i l^2),
 * and lambda* maximises q(lambda) = -1/2 lambda^T A lambda - b^T lambda, with p(v+) = q(lambda*): the duality of
 * quadratic programs. q is concave and lambda* its largest value, so
 *     q(lambda*) - q(lambda) >= 1/2 |lambda - lambda*|_A^2,
 * and p(v) >= q(lambda*). The right side of (1) is p(v) - q(lambda), written as a sum in which nothing cancels. It is
 * finite, so that p has a minimum, and constraints that are linear need no other condition for lambda* to exist.
 *
 * x = t D + z.  D is a Slater direction: M^-1 J^T mu with J_i D about 1 or more (in the units of H) on the rows with
 * one bound, found by sweeps; t makes up for the rounding that w_i has on the wrong side. Rows without bounds must have
 * g_i = 0 exactly: z = -M^-1 J_E^T A_EE^-1 (w_E + t J_E D) does that, |z|_M <= |d (w_E + t J_E D)| / sqrt(alpha),
 * alpha at most the smallest eigenvalue of H_EE, and it moves every other g_i by at most sqrt(A_ii) |z|_M. Where such
 * rows are redundant there is no alpha: that they agree cannot be seen in rounded numbers. Rows of zeros with c_i = 0
 * do agree. */
#include "parts.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

/* Whether row i has g_i = J_i v - c_i, the same for all impulses, and is one-sided or without bounds. */
static bool is_hard(const dls_problem *p, size_t i)
{
    return p->gamma[i] == 0.0 && (isinf(p->lo[i]) || isinf(p->hi[i]));
}

static bool is_unbounded(const dls_problem *p, size_t i) { return isinf(p->lo[i]) && isinf(p->hi[i]); }

/* A row of zeros that agrees: w_i = 0 whatever moves. */
static bool is_void(const dls_stored *s, size_t i) { return dls_stored_is_zero(s, i) && s->p->c[i] == 0.0; }

/* J_i D in the units of H, from mu. */
static double row_along(const dls_stored *s, size_t i, const double *mu)
{
    return cblas_ddot((int)s->n, s->H + s->n * i, 1, mu, 1);
}

/* The lack of the right sign of w in a one-sided row if z is at most `moved`; negative if the sign is right. Unit:
 * H's. */
static double lack_of_sign(const dls_stored *s, size_t i, const double *w, const double *w_error, double moved)
{
    double sign = isinf(s->p->hi[i]) ? 1.0 : -1.0, lack = (w_error[i] - sign * w[i]) * s->d[i] + s->size[i] * moved;
    return lack + 8.0 * DBL_EPSILON * (fabs(w[i]) * s->d[i] + fabs(lack)) + DBL_MIN;
}

static bool is_one_sided(const dls_stored *s, size_t i)
{
    return is_hard(s->p, i) && !is_unbounded(s->p, i) && !is_void(s, i);
}

/* One sweep towards the least D with J_i D >= 1 where target_i is 1 and so on; whether >= 1/2 was reached before it. */
static bool sweep_direction(const dls_stored *s, size_t m, const size_t *rows, const double *target, double *mu)
{
    bool reached = true;
    for (size_t a = 0; a < m; a++) {
        size_t i = rows[a];
        double sign = target[i], value = row_along(s, i, mu), diagonal = s->H[i + s->n * i];
        reached = reached && (sign == 0.0 || sign * value >= 0.5);
        if (diagonal > 0.0)
            mu[i] += (sign - value) / diagonal;
        if (sign != 0.0)
            mu[i] = sign * fmax(0.0, sign * mu[i]);
    }
    return reached;
}

/* mu with J_i D >= 1/2 on rows with a lower bound alone, <= -1/2 with an upper bound alone, about 0 on rows without:
 * by Gauss-Seidel sweeps, or from a system of equations where these are slow. Rows that have much to spare do not
 * count. */
static bool find_direction(const dls_stored *s, const double *w, const double *w_error, double moved,
                           const dls_gap_room *room)
{
    const size_t n = s->n;
    size_t m = 0, sweeps = n > 0 ? 20 + (size_t)(3e8 / ((double)n * (double)n)) : 0, *rows = room->rows;
    double lack = 0.0, *mu = room->mu, *target = room->target;
    memset(mu, 0, n * sizeof *mu);
    for (size_t i = 0; i < n; i++)
        if (is_one_sided(s, i))
            lack = fmax(lack, lack_of_sign(s, i, w, w_error, moved));
    if (lack == 0.0)
        return true;
    for (size_t i = 0; i < n; i++) {
        bool near = is_one_sided(s, i) && lack_of_sign(s, i, w, w_error, moved) >= -1e6 * lack;
        target[i] = !near ? 0.0 : isinf(s->p->hi[i]) ? 1.0 : -1.0;
        if (near || (is_hard(s->p, i) && is_unbounded(s->p, i) && !is_void(s, i)))
            rows[m++] = i;
    }
    sweeps = sweeps > 1000 ? 1000 : sweeps;
    for (size_t sweep = 0; sweep < sweeps; sweep++)
        if (sweep_direction(s, m, rows, target, mu))
            return true;
    /* J_i D = target_i of a slightly shifted A, for the rows may be redundant */
    double *x = room->along;
    for (size_t b = 0; b < m; b++) {
        for (size_t a = b; a < m; a++)
            room->factor[a + m * b] = s->H[rows[a] + s->n * rows[b]];
        room->factor[b + m * b] += 1e-11 + (double)m * (double)m * DBL_EPSILON;
        x[b] = target[rows[b]];
    }
    if (m > 0 && LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', (int)m, room->factor, (int)m) == 0) {
        LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', (int)m, 1, room->factor, (int)m, x, (int)m);
        for (size_t b = 0; b < m; b++)
            mu[rows[b]] = isfinite(x[b]) ? x[b] : 0.0;
    }
    for (size_t a = 0; a < m; a++)
        if (target[rows[a]] != 0.0 && !(target[rows[a]] * row_along(s, rows[a], mu) >= 0.5))
            return false;
    return true;
}

/* At least t_i for every g_i within `off` of g; infinite where the wrong sign is possible. In the units of H: lambda =
 * d x, so that a product lambda g is x times d g. */
static double row_gap(const dls_stored *s, size_t i, dls_twofold lambda, double g, double off)
{
    const dls_problem *p = s->p;
    double d = s->d[i], most = dls_up(g + off, 1), least = dls_up(off - g, 1);
    double above = dls_up(((lambda.high - p->lo[i]) + lambda.low) / d, 4),
           below = dls_up(((p->hi[i] - lambda.high) - lambda.low) / d, 4);
    above = lambda.high == p->lo[i] && lambda.low == 0.0 ? 0.0 : above;
    below = lambda.high == p->hi[i] && lambda.low == 0.0 ? 0.0 : below;
    double up = most > 0.0 && above > 0.0 ? above * most : 0.0, down = least > 0.0 && below > 0.0 ? below * least : 0.0;
    double gap = fmax(up, down), soft = fmax(fabs(most), fabs(least));
    if (p->gamma[i] > 0.0)
        gap = fmin(gap, soft * soft / (2.0 * p->gamma[i] * d * d));
    return dls_up(gap, 8);
}

/* The rows that z serves, into `rows`; how many. */
static size_t find_free_rows(const dls_stored *s, size_t *rows)
{
    size_t count = 0;
    for (size_t i = 0; i < s->n; i++)
        if (is_hard(s->p, i) && is_unbounded(s->p, i) && !is_void(s, i))
            rows[count++] = i;
    return count;
}

double dls_gap_radius(const dls_stored *s, const dls_twofold *lambda, const double *w, const double *w_error,
                      const dls_gap_room *room, const char **why)
{
    const size_t n = s->n;
    double *mu = room->mu, *Jd = room->along, length = 0.0, gap = 0.0, moved = 0.0, t = 0.0;
    size_t free_count = find_free_rows(s, room->rows);
    double alpha = dls_stored_definite(s, free_count, room->rows, 0.0, room->factor);
    if (!(alpha > 0.0)) {
        *why = "rows without bounds are redundant, and nothing proves that they agree";
        return HUGE_VAL;
    }
    for (size_t a = 0; a < free_count; a++)
        moved += pow(w[room->rows[a]] * s->d[room->rows[a]], 2.0);
    bool slater = find_direction(s, w, w_error, sqrt(moved / alpha), room);
    free_count = find_free_rows(s, room->rows);
    double off = 0.0; /* sum size_j |mu_j|: times slack size_i it bounds the error of J_i D due to H, and the sum's */
    for (size_t j = 0; j < n; j++)
        off += s->size[j] * fabs(mu[j]);
    off = dls_up((s->slack + dls_gamma(n + 8)) * off, n + 8);
    for (size_t i = 0; i < n; i++) {
        Jd[i] = row_along(s, i, mu);
        length += fabs(mu[i]) * (fabs(Jd[i]) + s->size[i] * off);
    }
    /* z depends on t and t on z: z shrinks with t, so a few rounds do. */
    for (int round = 0; round < 4; round++) {
        dls_norm_sum norm = {0};
        for (size_t a = 0; a < free_count; a++) {
            size_t i = room->rows[a];
            dls_norm_sum_add(&norm,
                             dls_up((fabs(w[i]) + w_error[i]) * s->d[i] + t * (fabs(Jd[i]) + s->size[i] * off), 8));
        }
        moved = dls_up(dls_norm_sum_value(&norm) / sqrt(alpha), 4);
        double needed = 0.0; /* the least t that makes every one-sided row right, or infinity */
        for (size_t i = 0; i < n; i++) {
            double lack = is_one_sided(s, i) ? lack_of_sign(s, i, w, w_error, moved) : 0.0;
            double gained = (isinf(s->p->hi[i]) ? Jd[i] : -Jd[i]) - s->size[i] * off;
            if (lack > 0.0)
                needed = fmax(needed, gained > 0.0 ? dls_up(lack / gained, 8) : HUGE_VAL);
        }
        if (needed <= t)
            break;
        t = round < 3 ? 1.01 * needed : HUGE_VAL;
    }
    if (!isfinite(t)) {
        *why = slater ? "no velocity was found that satisfies all rows"
                      : "no direction was found that opens all rows with one bound";
        return HUGE_VAL;
    }
    for (size_t i = 0; i < n; i++) {
        if (is_hard(s->p, i) && (is_unbounded(s->p, i) || is_void(s, i))) /* g_i = 0 exactly, by z or by c_i = 0 */
            continue;
        double error = dls_up(w_error[i] * s->d[i] + s->size[i] * (t * off + moved) +
                                  4.0 * DBL_EPSILON * (fabs(w[i]) * s->d[i] + t * fabs(Jd[i])),
                              8);
        gap += row_gap(s, i, lambda[i], w[i] * s->d[i] + t * Jd[i], error);
    }
    double x = dls_up(t * dls_root_up(length, 4 * n + 16) + moved, 4);
    *why = NULL;
    return dls_root_up(x * x + 2.0 * gap, 8 * n + 64);
}
