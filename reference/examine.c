/* The examiner: what a vector of impulses is worth, recomputed from the problem alone.
 *
 * Nothing here is shared with a solver, nor with the dense assembly: the loops over the rows are its own, and M^-1 is
 * not the mass operator's solve but its own Cholesky factor of each block of M, formed by the block's multiply. So a
 * wrong M^-1, a wrong response or a wrong matrix in a solver cannot hide. The work is linear in the entries of J and of
 * the factors. No library is called, so the figures are the same bytes under every BLAS.
 *
 *     w = J M^-1 J^T lambda + Gamma lambda + b,    b = J v* - c                                  conventions (4)
 *     natural map  N(lambda) = lambda - clamp(lambda - w, lo, hi): zero exactly at the solutions of (5)
 *
 * The raw map adds impulses and velocities, so its size depends on the units. With D = diag(A) both terms have one
 * unit: N_D(lambda) = lambda - clamp(lambda - w / D) is an impulse, D N_D a velocity. With M = L L^T a block of M and
 * J_i of row i, J_i M^-1 J_i^T = |L^-1 J_i^T|^2.
 *
 * A contact under Coulomb's cone is three rows with one map, which examine_cone.c defines: D is the largest of its
 * three there.
 */
#include "delassus/reference.h"

#include "base/memory.h"
#include "examine_cone.h"

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
    double *factor;    /* of each block of M, one after another: L row by row, with the reciprocals of its diagonal */
    size_t *factor_at; /* n_blocks */
    double *part;      /* as long as the longest block */
    dls_arena memory;
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

/* x <- L^-1 x for an x whose entries before `first` are 0. */
static void forward(const double *L, size_t m, size_t first, double *x)
{
    for (size_t r = first; r < m; r++) {
        double sum = x[r];
        for (size_t c = first; c < r; c++)
            sum -= L[m * r + c] * x[c];
        x[r] = sum * L[m * r + r];
    }
}

/* x <- L^-T x */
static void backward(const double *L, size_t m, double *x)
{
    for (size_t r = m; r-- > 0;) {
        x[r] *= L[m * r + r];
        for (size_t c = 0; c < r; c++)
            x[c] -= L[m * r + c] * x[r];
    }
}

/* x <- M^-1 x by the examiner's own factors. */
static void solve_mass(const dls_examiner *e, double *x)
{
    for (size_t k = 0; k < e->p->mass.n_blocks; k++) {
        const dls_mass_block *block = &e->p->mass.blocks[k];
        const double *L = e->factor + e->factor_at[k];
        forward(L, block->length, 0, x + block->offset);
        backward(L, block->length, x + block->offset);
    }
}

/* The velocity that lambda makes: M^-1 J^T lambda; lambda itself in the matrix form. */
static const double *velocity_of(const dls_examiner *e, const double *lambda)
{
    if (e->p->form == DLS_FORM_MATRIX)
        return lambda;
    transposed_times(&e->p->J, lambda, e->velocity);
    solve_mass(e, e->velocity);
    return e->velocity;
}

/* Al = A lambda: without b. */
static void times_A(const dls_examiner *e, const double *lambda, double *Al)
{
    const double *v = velocity_of(e, lambda);
    for (size_t i = 0; i < e->p->n; i++)
        Al[i] = row_dot(&e->p->J, i, v) + e->p->gamma[i] * lambda[i];
}

/* --- loading a problem --- */

/* M = L L^T in place, rows of the lower triangle; false where M is not positive definite. */
static bool factorise(double *M, size_t m)
{
    for (size_t r = 0; r < m; r++) {
        double *row = M + m * r, diagonal = row[r];
        for (size_t c = 0; c < r; c++) {
            const double *above = M + m * c;
            double sum = row[c];
            for (size_t k = 0; k < c; k++)
                sum -= row[k] * above[k];
            row[c] = sum * above[c];
            diagonal -= row[c] * row[c];
        }
        if (!(diagonal > 0.0))
            return false;
        row[r] = 1.0 / sqrt(diagonal);
    }
    return true;
}

/* Row j of a block of M is M e_j, for M is symmetric. */
static dls_status factor_mass(dls_examiner *e, dls_error *error)
{
    for (size_t k = 0; k < e->p->mass.n_blocks; k++) {
        const dls_mass_block *block = &e->p->mass.blocks[k];
        size_t m = block->length;
        double *M = e->factor + e->factor_at[k];
        memset(e->part, 0, m * sizeof *e->part);
        for (size_t j = 0; j < m; j++) {
            e->part[j] = 1.0;
            block->kind->multiply(block->data, e->part, M + m * j);
            e->part[j] = 0.0;
        }
        if (!factorise(M, m))
            return dls_fail(error, DLS_BAD_INPUT, "block %zu of the mass matrix is not positive definite", k);
    }
    return DLS_OK;
}

/* J_i M^-1 J_i^T, one block of M after another: the blocks of a row are in the order of their columns. */
static double mobility(const dls_examiner *e, size_t i)
{
    const dls_rows *J = &e->p->J;
    double sum = 0.0;
    for (size_t k = J->start[i]; k < J->start[i + 1];) {
        const dls_mass_block *block = &e->p->mass.blocks[J->mass[k]];
        size_t m = block->length, first = J->offset[k] - block->offset, mass = J->mass[k];
        memset(e->part + first, 0, (m - first) * sizeof *e->part);
        for (; k < J->start[i + 1] && J->mass[k] == mass; k++)
            memcpy(e->part + (J->offset[k] - block->offset), J->coef + J->coef_at[k],
                   (J->coef_at[k + 1] - J->coef_at[k]) * sizeof *e->part);
        forward(e->factor + e->factor_at[mass], m, first, e->part);
        for (size_t j = first; j < m; j++)
            sum += e->part[j] * e->part[j];
    }
    return sum;
}

/* |A_ii|, or where that is 0 the largest entry of the row, or 1. */
static double row_scale(const dls_examiner *e, size_t i)
{
    const dls_rows *J = &e->p->J;
    double diagonal = e->p->gamma[i] + (e->p->form == DLS_FORM_MECHANICAL ? mobility(e, i) : 0.0), largest = 0.0;
    for (size_t k = J->start[i]; e->p->form == DLS_FORM_MATRIX && k < J->start[i + 1]; k++)
        for (size_t at = J->coef_at[k], j = J->offset[k]; at < J->coef_at[k + 1]; at++, j++) {
            diagonal += j == i ? J->coef[at] : 0.0;
            largest = fmax(largest, fabs(J->coef[at]));
        }
    return diagonal != 0.0 ? fabs(diagonal) : largest > 0.0 ? largest : 1.0;
}

static bool take_memory(dls_examiner *e, const dls_problem *p)
{
    double **const of_rows[] = {&e->b, &e->D, &e->w, &e->difference, &e->y};
    size_t entries = 0, longest = 0;
    dls_arena_reset(&e->memory);
    e->factor_at = DLS_TAKE(&e->memory, size_t, p->mass.n_blocks);
    for (size_t k = 0; e->factor_at && k < p->mass.n_blocks; k++) {
        size_t length = p->mass.blocks[k].length;
        e->factor_at[k] = entries;
        entries += length * length;
        longest = length > longest ? length : longest;
    }
    e->factor = DLS_TAKE(&e->memory, double, entries);
    e->part = DLS_TAKE(&e->memory, double, longest);
    for (size_t i = 0; i < sizeof of_rows / sizeof of_rows[0]; i++)
        *of_rows[i] = DLS_TAKE(&e->memory, double, p->n);
    e->force = DLS_TAKE(&e->memory, double, p->nv);
    e->velocity = DLS_TAKE(&e->memory, double, p->nv);
    return !e->memory.failed;
}

dls_status dls_examiner_reload(dls_examiner *e, const dls_problem *p, dls_error *error)
{
    if (!take_memory(e, p))
        return dls_fail(error, DLS_NO_MEMORY, "no memory to examine a problem of %zu rows", p->n);
    e->p = p;
    e->symmetric = dls_problem_is_symmetric(p);
    e->b_max = 0.0;
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
    dls_examiner *e = calloc(1, sizeof *e);
    *examiner = NULL;
    if (!e)
        return dls_fail(error, DLS_NO_MEMORY, "no memory to examine a problem of %zu rows", p->n);
    dls_status status = dls_examiner_reload(e, p, error);
    if (status == DLS_OK)
        *examiner = e;
    else
        dls_examiner_destroy(e);
    return status;
}

void dls_examiner_destroy(dls_examiner *e)
{
    if (!e)
        return;
    dls_arena_release(&e->memory);
    free(e);
}

/* --- figures --- */

static double clamp(double x, double lo, double hi) { return x < lo ? lo : x > hi ? hi : x; }

/* l - clamp(l - r, lo, hi) as the middle one of l - lo, r, l - hi: the difference l - r would lose an r far below l. */
static double natural_map(double l, double r, double lo, double hi)
{
    double low = l - lo < r ? l - lo : r;
    return isnan(l) ? l : low < l - hi ? l - hi : low;
}

/* The larger of the two; NaN if either is, so that no figure hides one. */
static double worse(double a, double b) { return a > b || isnan(a) ? a : b; }

/* The bounds of a coupled row follow the impulse of its normal row. */
static void examine_row(const dls_examiner *e, size_t i, const double *lambda, double w, dls_certificate *c)
{
    const dls_problem *p = e->p;
    double lo = p->lo[i], hi = p->hi[i], l = lambda[i], D = e->D[i];
    if (p->parent[i] != DLS_NONE) {
        hi = p->mu[i] * fmax(lambda[p->parent[i]], 0.0);
        lo = -hi;
    }
    double impulse = fabs(natural_map(l, w / D, lo, hi));
    c->natural_residual = worse(c->natural_residual, fabs(natural_map(l, w, lo, hi)));
    c->natural_residual_impulse = worse(c->natural_residual_impulse, impulse);
    c->natural_residual_velocity = worse(c->natural_residual_velocity, impulse * D);
    c->bound_violation = worse(c->bound_violation, fabs(l - clamp(l, lo, hi)));
    c->w_max = worse(c->w_max, fabs(w));
    double slack = w > 0.0 ? l - lo : hi - l;
    c->complementarity_gap += isinf(slack) ? 0.0 : fabs(slack * w);
    c->friction_dissipation -= p->parent[i] != DLS_NONE ? l * w : 0.0;
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
    const dls_problem *p = e->p;
    const double *v = velocity_of(e, lambda);
    double objective = 0.0, *value = w ? w : e->w;
    memset(c, 0, sizeof *c);
    for (size_t i = 0; i < p->n; i++) {
        bool contact = dls_problem_is_cone(p, i);
        for (size_t k = i; k < i + (contact ? 3 : 1); k++) {
            double Al = row_dot(&p->J, k, v) + p->gamma[k] * lambda[k];
            objective += (0.5 * Al + e->b[k]) * lambda[k];
            value[k] = Al + e->b[k];
        }
        if (contact)
            examine_contact(e, i, lambda, value, c), i += 2;
        else
            examine_row(e, i, lambda, value[i], c);
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

/* The share of one row in the supremum of y.w; *slack becomes the largest entry of a wrong sign. */
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
    if (p->form == DLS_FORM_MATRIX)
        transposed_times(&p->J, e->difference, e->y);
    else
        times_A(e, e->difference, e->y); /* A is symmetric */
    for (size_t i = 0; i < p->n; i++)
        supremum += farkas_row(p->lo[i], p->hi[i], e->b[i], e->difference[i], e->y[i], slack);
    return -supremum;
}
