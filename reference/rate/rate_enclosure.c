/* A predicted rate with proof: two numbers between which the spectral radius of a sweep's iteration matrix lies.
 *
 * A is exact (rational.h) and F are the free rows, as in rate.c. One sweep is x <- x - P^-1 A_FF x with a triangular P;
 * of a symmetric sweep two follow each other. Where A_FF is singular these leave its null space as it is. Let A_FF = C
 * Q with as many columns of C as the rank is, Q the reduced echelon form; y = Q x tells vectors apart but for the null
 * space, and
 *     y <- (1 - Q P^-1 C) y
 * is the sweep as it moves the velocities. So the eigenvalues 1 of redundant rows are gone, exactly. The matrix G of
 * one iteration on y is enclosed in balls (F. Johansson, "Arb: efficient arbitrary-precision midpoint-radius interval
 * arithmetic", IEEE Trans. Comput. 66 (2017)). For any k, with r rows,
 *     (|trace G^k| / r)^(1/k) <= rho(G) <= |G^k|^(1/k),
 * because the trace is the sum of the k-th powers of the eigenvalues, and by Gelfand's formula. k = 2^j by squaring;
 * the best of all bounds counts. Both sides come together as fast as c^(1/k) goes to 1, defective eigenvalues or not.
 */
#include "delassus/reference.h"
#include "exact/apart.h"

#include "base/arithmetic.h"
#include "exact/rational.h"
#include "self_check.h"

#ifdef DLS_FLINT_HAS_ARB
#include <flint/arb_mat.h>
#else
#include <arb_mat.h>
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FREE_MAX = 64, LEAST_PRECISION = 256, MOST_PRECISION = 4096, SQUARINGS = 60 };
static const double sharp = 1e-15; /* the relative distance of the bounds at which squaring ends */

/* Squaring loses about as many bits each time as the condition number of the eigenvectors has: near a defective
 * eigenvalue it begins again with more. */
static bool is_sharp(const dls_rate_bounds *bounds) { return bounds->most - bounds->least <= sharp * bounds->most; }

/* The upper or the lower end of a ball, rounded outwards. */
static double end_of(const arb_t x, bool upper)
{
    arf_t end;
    arf_init(end);
    if (upper)
        arb_get_ubound_arf(end, x, 64);
    else
        arb_get_lbound_arf(end, x, 64);
    double value = arf_get_d(end, upper ? ARF_RND_CEIL : ARF_RND_FLOOR);
    arf_clear(end);
    return value;
}

/* x^(1 / 2^j) for a number x > 0 in the ball. */
static void root_of(arb_t x, slong j, slong precision)
{
    arb_log(x, x, precision);
    arb_mul_2exp_si(x, x, -j);
    arb_exp(x, x, precision);
}

/* Both bounds from G^(2^j). */
static void bounds_of_power(const arb_mat_t power, slong j, slong precision, dls_rate_bounds *out)
{
    arb_t x;
    arb_init(x);
    arb_mat_frobenius_norm(x, power, precision);
    arb_get_ubound_arf(arb_midref(x), x, precision);
    mag_zero(arb_radref(x));
    if (arb_is_zero(x))
        out->most = 0.0;
    if (arb_is_positive(x) && arb_is_finite(x)) {
        root_of(x, j, precision);
        out->most = fmin(out->most, end_of(x, true));
    }
    arb_mat_trace(x, power, precision);
    arb_abs(x, x);
    arb_div_si(x, x, arb_mat_nrows(power), precision);
    if (arb_is_positive(x) && arb_is_finite(x)) {
        root_of(x, j, precision);
        out->least = fmax(out->least, end_of(x, false));
    }
    arb_clear(x);
}

/* P of one sweep: the lower ('L') or upper ('U') triangle, or the diagonal ('D'), the diagonal divided by omega. */
static void splitting_matrix(arb_mat_t P, const fmpq_mat_t A, char triangle, double omega, slong precision)
{
    arb_t divisor;
    arb_init(divisor);
    arb_set_d(divisor, omega);
    for (slong i = 0; i < fmpq_mat_nrows(A); i++)
        for (slong j = 0; j < fmpq_mat_nrows(A); j++) {
            bool inside = triangle == 'L' ? i > j : triangle == 'U' ? i < j : false;
            if (i == j || inside)
                arb_set_fmpq(arb_mat_entry(P, i, j), fmpq_mat_entry(A, i, j), precision);
            else
                arb_zero(arb_mat_entry(P, i, j));
            if (i == j)
                arb_div(arb_mat_entry(P, i, j), arb_mat_entry(P, i, j), divisor, precision);
        }
    arb_clear(divisor);
}

/* G <- (1 - Q P^-1 C) G */
static void apply_sweep(const fmpq_mat_t A, const arb_mat_t Q, const arb_mat_t C, char triangle, double omega,
                        slong precision, arb_mat_t G)
{
    const slong m = fmpq_mat_nrows(A), r = arb_mat_nrows(Q);
    arb_mat_t P, X, once;
    arb_mat_init(P, m, m), arb_mat_init(X, m, r), arb_mat_init(once, r, r);
    splitting_matrix(P, A, triangle, omega, precision);
    if (triangle == 'U')
        arb_mat_solve_triu(X, P, C, 0, precision);
    else
        arb_mat_solve_tril(X, P, C, 0, precision);
    arb_mat_mul(once, Q, X, precision);
    arb_mat_neg(once, once);
    for (slong i = 0; i < r; i++)
        arb_add_si(arb_mat_entry(once, i, i), arb_mat_entry(once, i, i), 1, precision);
    arb_mat_mul(G, once, G, precision);
    arb_mat_clear(P), arb_mat_clear(X), arb_mat_clear(once);
}

/* A = C Q, Q its echelon form without rows of zeros. The rank. */
static slong factor_by_rank(const fmpq_mat_t A, slong precision, arb_mat_t *Q, arb_mat_t *C)
{
    const slong m = fmpq_mat_nrows(A);
    fmpq_mat_t echelon;
    fmpq_mat_init(echelon, m, m);
    slong rank = fmpq_mat_rref(echelon, A);
    arb_mat_init(*Q, rank, m);
    arb_mat_init(*C, m, rank);
    for (slong k = 0, column = 0; k < rank; k++, column++) {
        while (fmpq_is_zero(fmpq_mat_entry(echelon, k, column)))
            column++;
        for (slong i = 0; i < m; i++) {
            arb_set_fmpq(arb_mat_entry(*Q, k, i), fmpq_mat_entry(echelon, k, i), precision);
            arb_set_fmpq(arb_mat_entry(*C, i, k), fmpq_mat_entry(A, i, column), precision);
        }
    }
    fmpq_mat_clear(echelon);
    return rank;
}

static void enclose_radius(const fmpq_mat_t A, dls_splitting splitting, slong precision, dls_rate_bounds *out)
{
    arb_mat_t Q, C, G;
    const slong rank = factor_by_rank(A, precision, &Q, &C);
    out->redundant = out->free_rows - (size_t)rank;
    arb_mat_init(G, rank, rank);
    arb_mat_one(G);
    out->most = rank > 0 ? out->most : 0.0;
    if (rank > 0) {
        const char first = splitting.kind == DLS_SPLITTING_JACOBI     ? 'D'
                           : splitting.kind == DLS_SPLITTING_BACKWARD ? 'U'
                                                                      : 'L';
        apply_sweep(A, Q, C, first, splitting.omega, precision, G);
        if (splitting.kind == DLS_SPLITTING_SYMMETRIC)
            apply_sweep(A, Q, C, 'U', splitting.omega, precision, G);
        for (slong j = 0; j <= SQUARINGS; j++) {
            bounds_of_power(G, j, precision, out);
            if (is_sharp(out))
                break;
            arb_mat_sqr(G, G, precision);
        }
    }
    arb_mat_clear(Q), arb_mat_clear(C), arb_mat_clear(G);
}

static void enclose_rows(const dls_rational *r, size_t m, const size_t *rows, dls_splitting splitting,
                         dls_rate_bounds *out)
{
    fmpq_mat_t A;
    out->least = 0.0, out->most = m > 0 ? HUGE_VAL : 0.0;
    fmpq_mat_init(A, (slong)m, (slong)m);
    for (size_t a = 0; a < m; a++)
        for (size_t b = 0; b < m; b++)
            fmpq_set(fmpq_mat_entry(A, (slong)a, (slong)b), fmpq_mat_entry(r->A, (slong)rows[a], (slong)rows[b]));
    for (slong precision = LEAST_PRECISION; precision <= MOST_PRECISION; precision *= 2) {
        enclose_radius(A, splitting, precision, out);
        if (is_sharp(out))
            break;
    }
    fmpq_mat_clear(A);
}

typedef struct question {
    const dls_problem *problem;
    const double *lambda;
    dls_splitting splitting;
    dls_rate_bounds *out;
} question;

static dls_status enclose_exactly(void *context, dls_error *error)
{
    const question *q = context;
    const dls_problem *problem = q->problem;
    dls_rational *r;
    DLS_TRY(dls_rational_create(problem, &r, error));
    size_t *rows = malloc((problem->n + 1) * sizeof *rows);
    dls_status status = rows ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", problem->n);
    for (size_t i = 0; i < problem->n && status == DLS_OK; i++) /* between their bounds with a diagonal, as in rate.c */
        if (q->lambda[i] > problem->lo[i] && q->lambda[i] < problem->hi[i] &&
            fmpq_sgn(fmpq_mat_entry(r->A, (slong)i, (slong)i)) > 0)
            rows[q->out->free_rows++] = i;
    if (q->out->free_rows > FREE_MAX)
        status = dls_fail(error, DLS_REFUSED, "a rate is enclosed for at most %d free rows; here are %zu", FREE_MAX,
                          q->out->free_rows);
    if (status == DLS_OK)
        enclose_rows(r, q->out->free_rows, rows, q->splitting, q->out);
    free(rows);
    dls_rational_destroy(r);
    return status;
}

dls_status dls_rate_enclose(const dls_problem *problem, const double *lambda, dls_splitting splitting,
                            dls_rate_bounds *out, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    question q = {problem, lambda, splitting, out};
    *out = (dls_rate_bounds){0};
    DLS_TRY(dls_self_check(error));
    if (splitting.kind == DLS_SPLITTING_NONE || problem->n_coupled > 0)
        return dls_fail(error, DLS_REFUSED, "a rate is predicted for sweeps on problems without coupled friction");
    if (!(splitting.omega > 0.0 && isfinite(splitting.omega)))
        return dls_fail(error, DLS_BAD_ARGUMENT, "a relaxation of %g has no rate; it must be above 0", splitting.omega);
    return dls_apart_run(&(dls_apart){enclose_exactly, &q, out, sizeof *out, NULL, NULL}, error);
}
