/* Bounds for problems that are too large for a dense matrix: in time and memory linear in the entries of J and M, but
 * for one sparse factor, whose answer needs no proof.
 *
 * FRICTION that depends on the normal impulse, a box or Coulomb's cone: a backward statement alone. lambda is exactly a
 * solution of the problem with other b and mu, and bounds of the differences are computed (certify_friction.c) from w
 * in twice the precision. There is no potential whose gap could bound the distance from a solution.
 *
 * FIXED BOUNDS: weak duality, theorem 2 of certify_gap.c. For lambda within its bounds, w = A lambda + b and any change
 * of velocity x, with g_i = w_i + J_i x of no wrong sign in rows with Gamma_i = 0 and an infinite bound (g_i >= 0 where
 * hi_i is, g_i <= 0 where lo_i is),
 *     |lambda - lambda*|_A^2 <= |x|_M^2 + 2 sum_i t_i,    |v(lambda) - v+|_M <= |lambda - lambda*|_A,              (1)
 *     t_i = (lambda_i - lo_i) g_i where g_i > 0, (hi_i - lambda_i) |g_i| where g_i < 0; at most g_i^2 / (2 Gamma_i).
 * x is any vector of doubles, so every term is evaluated where it stands: w_i within its radius (twice the precision),
 * J_i x = fl(J_i x) within gamma_k |J_i| |x|, k its coefficients, |x|_M^2 = x^T M x within gamma of its absolute terms,
 * all sums rounded upwards. Nothing is assumed of how x or lambda was found.
 *
 * x = t D makes up for w_i of the wrong sign: D has J_i D of about 1 in units of size_i = sqrt(A_ii) on the rows that
 * lack something, from (M + J^T diag(s) J) D = J^T diag(s) r, s_i = 1e10 / A_ii, r_i = +-size_i, one sparse factor; its
 * quality alone decides how small the bound is. t is the least that serves. Where w has every sign right already, x =
 * 0. Rows without bounds need g_i = 0 exactly, which no vector of doubles gives: they are not covered, and a problem
 * that has one gets no bound here. */
#include "parts.h"

#include "base/arithmetic.h"
#include "blas.h"
#include "self_check.h"
#include "sparse/sparse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct large {
    dls_stored s;
    dls_arena memory;
    dls_twofold *lambda;         /* n */
    double *w, *w_error;         /* n */
    double *D, *right;           /* nv */
    double *change;              /* NULL, or nv: x */
    double *along, *along_error; /* n: J_i D */
} large;

/* A row with an infinite bound and no compliance: the wrong sign of g_i costs without end. */
static bool is_hard(const dls_problem *p, size_t i)
{
    return p->gamma[i] == 0.0 && (isinf(p->lo[i]) || isinf(p->hi[i]));
}

/* The sign that g_i of a hard row must have. */
static double right_sign(const dls_problem *p, size_t i) { return isinf(p->hi[i]) ? 1.0 : -1.0; }

/* By how much w_i may lack the right sign; not positive where it has it. */
static double lack_of_sign(const large *c, size_t i)
{
    return is_hard(c->s.p, i) ? dls_up(c->w_error[i], 1) - right_sign(c->s.p, i) * c->w[i] * (1.0 - DBL_EPSILON) : 0.0;
}

/* fl(J_i D), and a bound of its error. */
static void evaluate_along(const large *c)
{
    const dls_rows *J = &c->s.p->J;
    for (size_t i = 0; i < c->s.n; i++) {
        double sum = 0.0, terms = 0.0;
        size_t count = 0;
        for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
            for (size_t at = J->coef_at[k], j = J->offset[k]; at < J->coef_at[k + 1]; at++, j++, count++) {
                const double term = J->coef[at] * c->D[j];
                sum += term;
                terms += fabs(term);
            }
        c->along[i] = sum;
        c->along_error[i] = dls_up(dls_gamma(count + 1) * terms, 2 * count + 2);
    }
}

/* At least D^T M D. */
static double square_of_direction(const large *c)
{
    double square = 0.0;
    for (size_t k = 0; k < c->s.p->mass.n_blocks; k++) {
        const dls_mass_block *block = &c->s.p->mass.blocks[k];
        const double *M = c->s.M + c->s.mass_at[k], *x = c->D + block->offset;
        double sum = 0.0, terms = 0.0;
        for (size_t j = 0; j < block->length; j++)
            for (size_t i = 0; i < block->length; i++) {
                const double term = x[i] * M[i + block->length * j] * x[j];
                sum += term;
                terms += fabs(term);
            }
        const size_t count = block->length * block->length;
        square += fmax(0.0, sum) + dls_up(dls_gamma(count + 4) * terms, 2 * count + 4);
    }
    return dls_up(square, c->s.p->mass.n_blocks + 8);
}

/* A direction that opens the rows which lack something; false where the factor fails. */
static dls_status find_direction(large *c, bool *found, dls_error *error)
{
    const dls_problem *p = c->s.p;
    dls_springs springs;
    dls_sparse_factor *factor = NULL;
    double *stiffness = c->along, most = 0.0;
    *found = false;
    for (size_t i = 0; i < p->n; i++)
        most = fmax(most, lack_of_sign(c, i) * c->s.d[i]);
    memset(c->right, 0, p->nv * sizeof *c->right);
    for (size_t i = 0; i < p->n; i++) {
        const double size = c->s.size[i] / c->s.d[i]; /* sqrt(A_ii) */
        const bool near = is_hard(p, i) && size > 0.0 && lack_of_sign(c, i) * c->s.d[i] > -1e6 * most;
        stiffness[i] = near ? 1e10 / (size * size) : 0.0;
        if (near)
            dls_rows_axpy(&p->J, i, right_sign(p, i) * size * stiffness[i], c->right);
    }
    dls_status status = dls_springs_take(p, true, &c->memory, &springs, error);
    if (status == DLS_OK)
        status = dls_sparse_factor_create(DLS_SPARSE_CHOLESKY, &factor, error);
    if (status == DLS_OK)
        status = dls_sparse_factor_analyze(factor, &springs.H, error);
    if (status == DLS_OK) {
        dls_springs_fill(&springs, stiffness);
        status = dls_sparse_factorize(factor, &springs.H, found, error);
    }
    if (status == DLS_OK && *found)
        status = dls_sparse_factor_solve(factor, &springs.H, c->right, c->D, error);
    dls_sparse_factor_destroy(factor);
    *found = *found && dls_all_within(p->nv, c->D, 1e150);
    return status;
}

/* The least t with which t D gives every hard row the right sign; infinite where none does. */
static double length_of_direction(const large *c)
{
    double t = 0.0;
    for (size_t i = 0; i < c->s.n; i++) {
        const double lack = lack_of_sign(c, i),
                     gained = right_sign(c->s.p, i) * c->along[i] - dls_up(c->along_error[i], 1);
        if (lack > 0.0)
            t = fmax(t, gained > 0.0 ? dls_up(lack / gained, 8) : HUGE_VAL);
    }
    /* Rows that have the right sign must keep it. */
    for (size_t i = 0; i < c->s.n; i++) {
        const double gained = right_sign(c->s.p, i) * c->along[i] - dls_up(c->along_error[i], 1);
        if (is_hard(c->s.p, i) &&
            !(dls_up(lack_of_sign(c, i), 1) <= (gained > 0.0 ? 1.0 : 1.0 + 8.0 * DBL_EPSILON) * t * gained))
            return HUGE_VAL;
    }
    return t;
}

/* At least t_i for every g_i within `off` of g; infinite where a hard row may have the wrong sign. */
static double row_gap(const large *c, size_t i, double g, double off)
{
    const dls_problem *p = c->s.p;
    const double l = c->lambda[i].high, most = dls_up(g + off, 1), least = dls_up(off - g, 1);
    const double above = l == p->lo[i] ? 0.0 : dls_up(l - p->lo[i], 1),
                 below = l == p->hi[i] ? 0.0 : dls_up(p->hi[i] - l, 1);
    const double up = most > 0.0 && above > 0.0 ? above * most : 0.0,
                 down = least > 0.0 && below > 0.0 ? below * least : 0.0;
    double gap = fmax(up, down);
    if (p->gamma[i] > 0.0)
        gap = fmin(gap, dls_up(fmax(most, least) * fmax(most, least) / (2.0 * p->gamma[i]), 4));
    return dls_up(gap, 2);
}

/* At least |lambda - lambda*|_A of (1); infinite where nothing is proved, and *why says why. */
static dls_status find_gap(large *c, double *radius, const char **why, dls_error *error)
{
    const dls_problem *p = c->s.p;
    double t = 0.0, gap = 0.0, square = 0.0;
    bool lacking = false, found = false;
    *radius = HUGE_VAL;
    for (size_t i = 0; i < p->n; i++) {
        if (is_hard(p, i) && isinf(p->lo[i]) && isinf(p->hi[i]))
            return *why = "rows without bounds are covered for smaller problems alone", DLS_OK;
        if (!(c->lambda[i].high >= p->lo[i] && c->lambda[i].high <= p->hi[i]))
            return *why = "an impulse is off its bounds", DLS_OK;
        lacking = lacking || lack_of_sign(c, i) > 0.0;
    }
    memset(c->D, 0, p->nv * sizeof *c->D);
    if (lacking) {
        DLS_TRY(find_direction(c, &found, error));
        if (!found)
            return *why = "no direction was found that opens all rows with one bound", DLS_OK;
    }
    evaluate_along(c);
    t = lacking ? length_of_direction(c) : 0.0;
    if (!isfinite(t))
        return *why = "no velocity was found that satisfies all rows", DLS_OK;
    for (size_t i = 0; i < p->n; i++) {
        const double g = c->w[i] + t * c->along[i];
        const double off =
            dls_up(c->w_error[i] + t * c->along_error[i] + 4.0 * DBL_EPSILON * (fabs(c->w[i]) + t * fabs(c->along[i])),
                   6) +
            DBL_MIN;
        const double sign = right_sign(p, i);
        /* A hard row has the right sign by the choice of t: its g lies in [0, g + off]. */
        gap += is_hard(p, i) ? row_gap(c, i, sign * fmax(0.0, sign * g + off), 0.0) : row_gap(c, i, g, off);
    }
    /* A little longer, for the roundings of these products. */
    for (size_t k = 0; c->change && k < p->nv; k++)
        c->change[k] = t * (1.0 + 1e-9) * c->D[k];
    square = square_of_direction(c);
    *why = NULL;
    *radius = dls_root_up(dls_up(t * t * square, 4) + 2.0 * dls_up(gap, p->n + 8), 8);
    return DLS_OK;
}

static dls_status certify_rows(large *c, const dls_problem *p, const double *lambda, dls_bounds *out, dls_error *error)
{
    const char *why = NULL;
    dls_error wrong;
    if (dls_problem_check(p, &wrong) != DLS_OK || !dls_all_within(p->n, lambda, 1e300)) {
        snprintf(out->text, sizeof out->text, "the problem or an impulse is not finite");
        return DLS_OK;
    }
    DLS_TRY(dls_stored_take_rows(p, &c->memory, &c->s, &why, error));
    c->lambda = DLS_TAKE(&c->memory, dls_twofold, p->n);
    double **const of_rows[] = {&c->w, &c->w_error, &c->along, &c->along_error};
    for (size_t k = 0; k < sizeof of_rows / sizeof *of_rows; k++)
        *of_rows[k] = DLS_TAKE_ZEROS(&c->memory, double, p->n);
    c->D = DLS_TAKE_ZEROS(&c->memory, double, p->nv);
    c->right = DLS_TAKE_ZEROS(&c->memory, double, p->nv);
    if (c->memory.failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory to certify a problem of %zu rows", p->n);
    if (why) {
        snprintf(out->text, sizeof out->text, "%s", why);
        return DLS_OK;
    }
    for (size_t i = 0; i < p->n; i++)
        c->lambda[i] = (dls_twofold){lambda[i], 0.0}, out->unit[i] = c->s.d[i];
    dls_stored_w(&c->s, c->lambda, c->w, c->w_error);
    for (size_t i = 0; i < p->n; i++)
        out->w_at[i] = isfinite(c->w_error[i]) ? c->w[i] : NAN;
    if (p->n_coupled > 0) {
        dls_certify_friction(p, lambda, c->w, c->w_error, out);
        return DLS_OK;
    }
    double gap;
    DLS_TRY(find_gap(c, &gap, &why, error));
    if (!isfinite(gap)) {
        snprintf(out->text, sizeof out->text, "%s", why ? why : "the numbers are too large");
        return DLS_OK;
    }
    out->kind = DLS_BOUNDS_VELOCITY, out->unique = true, out->undecided = p->n;
    out->velocity = gap, out->w = 0.0;
    for (size_t i = 0; i < p->n; i++) {
        out->radius_w[i] = dls_up(c->w_error[i] + c->s.size[i] * gap / c->s.d[i], 6);
        out->w = fmax(out->w, out->radius_w[i]);
    }
    snprintf(out->text, sizeof out->text,
             "a solution exists, v+ and w are unique: v+ within %s sqrt(J), w within %s; the impulses are not bounded",
             dls_digits_up(out->velocity, 2).text, dls_digits_up(out->w, 2).text);
    return DLS_OK;
}

dls_status dls_certify_large_change(const dls_problem *p, const double *lambda, double *change, dls_bounds *out,
                                    dls_error *error)
{
    large c = {.change = change};
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
    dls_status status = DLS_OK;
    if (p->form == DLS_FORM_MECHANICAL)
        status = certify_rows(&c, p, lambda, out, error);
    else
        snprintf(out->text, sizeof out->text, "too many rows to certify");
    dls_arena_release(&c.memory);
    return status;
}

dls_status dls_certify_large(const dls_problem *p, const double *lambda, dls_bounds *out, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    return dls_certify_large_change(p, lambda, NULL, out, error);
}
