/* The examiner: what a vector of impulses is worth, recomputed from the problem alone.
 *
 * Nothing here is shared with a solver: the loops over the rows are its own, and M^-1 is not the mass operator's
 * solve but a Cholesky factor of each block of M, as its multiply shows it. So a wrong M^-1 or a wrong response in a
 * solver cannot hide.
 *
 *     w = J M^-1 J^T lambda + Gamma lambda + b,    b = J v* - c                                  conventions (4)
 *     natural map  N(lambda) = lambda - clamp(lambda - w, lo, hi): zero exactly at the solutions of (5)
 *
 * The raw map adds impulses and velocities, so its size depends on the units. With D = diag(A) both terms have one
 * unit: N_D(lambda) = lambda - clamp(lambda - w / D) is an impulse, D N_D a velocity.
 *
 * A contact under Coulomb's cone is three rows with one map, which examine_cone.c defines: D is the largest of its
 * three there.
 */
#include "delassus/reference.h"

#include "examine_cone.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct dls_examiner {
    const dls_problem *p;
    bool symmetric;
    double b_max;
    double *b, *D, *w;        /* n */
    double *difference, *y;   /* n */
    double *force, *velocity; /* nv */
    double *factor;           /* Cholesky factors of the blocks of M, one behind another */
    size_t *factor_at;        /* n_blocks + 1 */
};

static double row_dot(const dls_rows *J, size_t i, const double *x)
{
    double sum = 0.0;
    for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
        for (size_t at = J->coef_at[k], j = J->offset[k]; at < J->coef_at[k + 1]; at++, j++)
            sum += J->coef[at] * x[j];
    return sum;
}

static void transposed_times(const dls_rows *J, const double *y, double *x)
{
    memset(x, 0, J->n_columns * sizeof *x);
    for (size_t i = 0; i < J->n; i++)
        for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
            for (size_t at = J->coef_at[k], j = J->offset[k]; at < J->coef_at[k + 1]; at++, j++)
                x[j] += J->coef[at] * y[i];
}

/* x <- M^-1 x by the examiner's own factors. */
static void solve_mass(const dls_examiner *e, double *x)
{
    for (size_t k = 0; k < e->p->mass.n_blocks; k++) {
        const dls_mass_block *block = &e->p->mass.blocks[k];
        lapack_int m = (lapack_int)block->length;
        LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', m, 1, e->factor + e->factor_at[k], m, x + block->offset, m);
    }
}

/* Aw = (A - 0) lambda: without b. */
static void times_A(const dls_examiner *e, const double *lambda, double *Al)
{
    const dls_problem *p = e->p;
    const double *v = lambda;
    if (p->form == DLS_FORM_MECHANICAL) {
        transposed_times(&p->J, lambda, e->velocity);
        solve_mass(e, e->velocity);
        v = e->velocity;
    }
    for (size_t i = 0; i < p->n; i++)
        Al[i] = row_dot(&p->J, i, v) + p->gamma[i] * lambda[i];
}

/* --- making one --- */

static dls_status factor_mass(dls_examiner *e, dls_error *error)
{
    const dls_mass *mass = &e->p->mass;
    for (size_t k = 0; k < mass->n_blocks; k++) {
        const dls_mass_block *block = &mass->blocks[k];
        double *F = e->factor + e->factor_at[k], *unit = e->force + block->offset;
        memset(unit, 0, block->length * sizeof *unit);
        for (size_t j = 0; j < block->length; j++) {
            unit[j] = 1.0;
            block->kind->multiply(block->data, unit, F + j * block->length);
            unit[j] = 0.0;
        }
        lapack_int m = (lapack_int)block->length;
        if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', m, F, m) != 0)
            return dls_fail(error, DLS_BAD_INPUT, "block %zu of the mass matrix is not positive definite", k);
    }
    return DLS_OK;
}

/* |A_ii|, or where that is 0 the largest entry of the row, or 1. */
static double row_scale(const dls_examiner *e, size_t i)
{
    const dls_rows *J = &e->p->J;
    double diagonal = e->p->gamma[i], largest = 0.0;
    if (e->p->form == DLS_FORM_MECHANICAL) {
        memset(e->velocity, 0, e->p->nv * sizeof *e->velocity);
        for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
            memcpy(e->velocity + J->offset[k], J->coef + J->coef_at[k],
                   (J->coef_at[k + 1] - J->coef_at[k]) * sizeof(double));
        for (size_t k = J->start[i]; k < J->start[i + 1]; k++) {
            const dls_mass_block *block = dls_mass_find(&e->p->mass, J->offset[k]);
            size_t f = e->factor_at[block - e->p->mass.blocks];
            lapack_int m = (lapack_int)block->length;
            if (k == J->start[i] || block != dls_mass_find(&e->p->mass, J->offset[k - 1]))
                LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', m, 1, e->factor + f, m, e->velocity + block->offset, m);
        }
        diagonal += row_dot(J, i, e->velocity);
    }
    for (size_t k = J->start[i]; e->p->form == DLS_FORM_MATRIX && k < J->start[i + 1]; k++)
        for (size_t at = J->coef_at[k], j = J->offset[k]; at < J->coef_at[k + 1]; at++, j++) {
            diagonal += j == i ? J->coef[at] : 0.0;
            largest = fmax(largest, fabs(J->coef[at]));
        }
    return diagonal != 0.0 ? fabs(diagonal) : largest > 0.0 ? largest : 1.0;
}

static dls_status prepare(dls_examiner *e, dls_error *error)
{
    const dls_problem *p = e->p;
    e->symmetric = true;
    if (p->form == DLS_FORM_MATRIX) {
        dls_dense *dense;
        DLS_TRY(dls_dense_create(p, &dense, error));
        e->symmetric = dense->symmetric;
        dls_dense_destroy(dense);
    }
    DLS_TRY(factor_mass(e, error));
    for (size_t i = 0; i < p->n; i++) {
        e->b[i] = (p->form == DLS_FORM_MECHANICAL ? row_dot(&p->J, i, p->v_star) : 0.0) - p->c[i];
        e->b_max = fmax(e->b_max, fabs(e->b[i]));
        e->D[i] = row_scale(e, i);
    }
    return DLS_OK;
}

dls_status dls_examiner_create(const dls_problem *p, dls_examiner **examiner, dls_error *error)
{
    dls_examiner *e = *examiner = calloc(1, sizeof *e);
    size_t n = p->n + 1, nv = p->nv + 1, entries = 1;
    if (e) {
        e->p = p;
        e->factor_at = calloc(p->mass.n_blocks + 1, sizeof *e->factor_at);
        for (size_t k = 0; e->factor_at && k < p->mass.n_blocks; k++) {
            e->factor_at[k] = entries - 1;
            entries += p->mass.blocks[k].length * p->mass.blocks[k].length;
        }
        e->factor = calloc(entries, sizeof(double));
        e->b = calloc(n, sizeof(double)), e->D = calloc(n, sizeof(double)), e->w = calloc(n, sizeof(double));
        e->difference = calloc(n, sizeof(double)), e->y = calloc(n, sizeof(double));
        e->force = calloc(nv, sizeof(double)), e->velocity = calloc(nv, sizeof(double));
    }
    dls_status status;
    if (!e || !e->factor_at || !e->factor || !e->b || !e->D || !e->w || !e->difference || !e->y || !e->force ||
        !e->velocity)
        status = dls_fail(error, DLS_NO_MEMORY, "no memory to examine a problem of %zu rows", p->n);
    else
        status = prepare(e, error);
    if (status != DLS_OK) {
        dls_examiner_destroy(e);
        *examiner = NULL;
    }
    return status;
}

void dls_examiner_destroy(dls_examiner *e)
{
    if (!e)
        return;
    void *const owned[] = {e->factor_at, e->factor, e->b, e->D, e->w, e->difference, e->y, e->force, e->velocity};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++)
        free(owned[i]);
    free(e);
}

/* --- figures --- */

/* Its own reading of the bounds: a coupled row's follow the impulse of its normal row. */
static void bounds_of(const dls_problem *p, size_t i, const double *lambda, double *lo, double *hi)
{
    *lo = p->lo[i], *hi = p->hi[i];
    if (p->parent[i] != DLS_NONE) {
        *hi = p->mu[i] * fmax(lambda[p->parent[i]], 0.0);
        *lo = -*hi;
    }
}

static double clamp(double x, double lo, double hi) { return x < lo ? lo : x > hi ? hi : x; }

/* l - clamp(l - r, lo, hi) as the middle one of l - lo, r, l - hi: the difference l - r would lose an r far below l. */
static double natural_map(double l, double r, double lo, double hi)
{
    double low = l - lo < r ? l - lo : r;
    return isnan(l) ? l : low < l - hi ? l - hi : low;
}

/* The larger of the two; NaN if either is, so that no figure hides one. */
static double worse(double a, double b) { return a > b || isnan(a) ? a : b; }

static void examine_row(const dls_examiner *e, size_t i, const double *lambda, double w, dls_certificate *c)
{
    double lo, hi, l = lambda[i], D = e->D[i];
    bounds_of(e->p, i, lambda, &lo, &hi);
    double impulse = fabs(natural_map(l, w / D, lo, hi));
    c->natural_residual = worse(c->natural_residual, fabs(natural_map(l, w, lo, hi)));
    c->natural_residual_impulse = worse(c->natural_residual_impulse, impulse);
    c->natural_residual_velocity = worse(c->natural_residual_velocity, impulse * D);
    c->bound_violation = worse(c->bound_violation, fabs(l - clamp(l, lo, hi)));
    c->w_max = worse(c->w_max, fabs(w));
    double slack = w > 0.0 ? l - lo : hi - l;
    c->complementarity_gap += isinf(slack) ? 0.0 : fabs(slack * w);
    c->friction_dissipation -= e->p->parent[i] != DLS_NONE ? l * w : 0.0;
}

static void examine_contact(const dls_examiner *e, size_t i, const double *lambda, const double *w, dls_certificate *c)
{
    double D = fmax(e->D[i], fmax(e->D[i + 1], e->D[i + 2]));
    dls_cone_figures f = dls_examine_cone(e->p->mu[i + 1], e->p->hi[i], D, lambda + i, w + i);
    c->natural_residual = worse(c->natural_residual, f.natural_residual);
    c->natural_residual_impulse = worse(c->natural_residual_impulse, f.impulse);
    c->natural_residual_velocity = worse(c->natural_residual_velocity, f.impulse * D);
    c->bound_violation = worse(c->bound_violation, f.violation);
    c->cone_violation = worse(c->cone_violation, f.violation);
    c->complementarity_gap += f.gap;
    c->friction_dissipation += f.dissipation;
    for (size_t k = i; k < i + 3; k++)
        c->w_max = worse(c->w_max, fabs(w[k]));
}

void dls_examine(dls_examiner *e, const double *lambda, double *w, dls_certificate *c)
{
    double objective = 0.0, *value = w ? w : e->w;
    memset(c, 0, sizeof *c);
    times_A(e, lambda, value);
    for (size_t i = 0; i < e->p->n; i++) {
        objective += (0.5 * value[i] + e->b[i]) * lambda[i];
        value[i] += e->b[i];
    }
    for (size_t i = 0; i < e->p->n; i++) {
        if (!dls_problem_is_cone(e->p, i)) {
            examine_row(e, i, lambda, value[i], c);
            continue;
        }
        examine_contact(e, i, lambda, value, c);
        i += 2;
    }
    c->objective = e->symmetric ? objective : NAN;
    c->scaled_residual = c->natural_residual_velocity / fmax(1.0, e->b_max);
}

double dls_examiner_distance(dls_examiner *e, const double *lambda1, const double *lambda2)
{
    const dls_problem *p = e->p;
    double sum = 0.0;
    for (size_t i = 0; i < p->n; i++)
        e->difference[i] = lambda1[i] - lambda2[i];
    if (p->form == DLS_FORM_MATRIX) {
        times_A(e, e->difference, e->y);
        for (size_t i = 0; i < p->n; i++)
            sum += e->difference[i] * e->y[i];
        return e->symmetric ? sqrt(sum) : NAN;
    }
    /* dv = M^-1 g with g = J^T dlambda, so dv^T M dv = g^T M^-1 g. */
    transposed_times(&p->J, e->difference, e->force);
    memcpy(e->velocity, e->force, p->nv * sizeof *e->force);
    solve_mass(e, e->velocity);
    for (size_t j = 0; j < p->nv; j++)
        sum += e->force[j] * e->velocity[j];
    return sqrt(sum);
}

/* --- proofs that there is no solution --- */

static void transposed_A_times(const dls_examiner *e, const double *y, double *ATy)
{
    if (e->p->form == DLS_FORM_MATRIX)
        transposed_times(&e->p->J, y, ATy);
    else
        times_A(e, y, ATy);
}

/* One row's share of the supremum of y.w; wrong signs go to *slack. */
static double farkas_row(double lo, double hi, double b, double y, double ATy, double *slack)
{
    bool below = isinf(lo), above = isinf(hi);
    double wrong_y = below && above ? 0.0 : !below && !above ? fabs(y) : above ? fmax(-y, 0.0) : fmax(y, 0.0);
    double wrong_A = below && above ? fabs(ATy) : above ? fmax(ATy, 0.0) : below ? fmax(-ATy, 0.0) : 0.0;
    *slack = worse(*slack, worse(wrong_y, wrong_A));
    double reach = ATy > 0.0 ? (above ? 0.0 : ATy * hi) : (below ? 0.0 : ATy * lo);
    if (above && !below && ATy > 0.0)
        reach = ATy * lo; /* the wrong sign is in slack; the rest of the sum goes on */
    if (below && !above && ATy < 0.0)
        reach = ATy * hi;
    return b * y + reach;
}

double dls_examiner_farkas(dls_examiner *e, const double *y, double *slack)
{
    const dls_problem *p = e->p;
    double largest = 0.0, supremum = 0.0;
    *slack = 0.0;
    for (size_t i = 0; i < p->n; i++)
        largest = worse(largest, fabs(y[i]));
    if (!(largest > 0.0) || !isfinite(largest) || p->n_coupled > 0)
        return -HUGE_VAL;
    for (size_t i = 0; i < p->n; i++)
        e->difference[i] = y[i] / largest;
    transposed_A_times(e, e->difference, e->y);
    for (size_t i = 0; i < p->n; i++)
        supremum += farkas_row(p->lo[i], p->hi[i], e->b[i], e->difference[i], e->y[i], slack);
    return -supremum;
}
