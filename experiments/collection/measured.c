/* The properties of a problem. */
#include "delassus/collection.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

/* --- counts --- */

static void count_rows(const dls_problem *p, dls_properties *found)
{
    for (size_t i = 0; i < p->n; i++)
        found->contacts += p->parent[i] == DLS_NONE && p->lo[i] == 0.0 && isinf(p->hi[i]);
    found->rows = p->n, found->velocities = p->nv;
    found->density = p->form == DLS_FORM_MECHANICAL ? (double)p->n / (double)p->nv : NAN;
    found->fill = (double)p->J.coef_at[p->J.n_blocks] / ((double)p->n * (double)p->nv);
    found->symmetric = dls_problem_is_symmetric(p);
}

/* --- singular values --- */

/* Eigenvalues of D^-1/2 A D^-1/2, descending; rows with A_ii = 0 keep their scale. */
static dls_status measure_rank(const dls_problem *p, dls_properties *found, dls_error *error)
{
    dls_dense *dense;
    const size_t n = p->n;
    const lapack_int m = (lapack_int)n;
    DLS_TRY(dls_dense_create(p, &dense, error));
    double *s = calloc(8 * n, sizeof *s), *scale = s + 7 * n;
    dls_status status = s ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu singular values", n);
    for (size_t i = 0; s && i < n; i++)
        scale[i] = dense->A[i * (n + 1)] == 0.0 ? 1.0 : 1.0 / sqrt(fabs(dense->A[i * (n + 1)]));
    for (size_t k = 0; s && k < n * n; k++)
        dense->A[k] *= scale[k % n] * scale[k / n];
    if (s &&
        LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'N', m, m, dense->A, m, s, NULL, m, NULL, m, s + n, 6 * m) == 0) {
        found->rank = 0;
        while (found->rank < n && s[found->rank] > (double)n * DBL_EPSILON * s[0])
            found->rank++;
        found->condition = found->rank > 0 ? s[0] / s[found->rank - 1] : NAN;
    }
    free(s);
    dls_dense_destroy(dense);
    return status;
}

/* --- the solution --- */

/* The size of the largest impulse, and that of the largest velocity before it: the scales of slacks and of w. */
static void measure_complementarity(const dls_problem *p, const double *lambda, const double *w, dls_properties *found)
{
    double largest[2] = {0.0, 0.0};
    for (size_t i = 0; i < p->n; i++) {
        largest[0] = fmax(largest[0], fabs(lambda[i]));
        largest[1] = fmax(largest[1], fabs(w[i]));
    }
    found->degenerate = 0, found->complementary = HUGE_VAL;
    for (size_t i = 0; i < p->n; i++) {
        double lo, hi;
        dls_problem_bounds(p, i, lambda, &lo, &hi);
        if ((isinf(lo) && isinf(hi)) || dls_law_has_discs(p->law[i]))
            continue;
        const double slack = fmin(lambda[i] - lo, hi - lambda[i]) / (largest[0] > 0.0 ? largest[0] : 1.0);
        const double least = fmax(slack, fabs(w[i]) / (largest[1] > 0.0 ? largest[1] : 1.0));
        found->degenerate += !(least > 1e-9);
        found->complementary = fmin(found->complementary, least);
    }
    if (isinf(found->complementary))
        found->complementary = NAN;
}

static dls_status measure_solution(const dls_problem *p, const double *lambda, dls_properties *found, dls_error *error)
{
    dls_rate rate;
    dls_error ignored;
    double *v = calloc(2 * p->nv + p->n + 1, sizeof *v), *w = v + 2 * p->nv;
    if (!v)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the properties of %zu rows", p->n);
    dls_problem_velocity(p, lambda, v, v + p->nv);
    for (size_t i = 0; i < p->n; i++)
        w[i] = dls_rows_dot(&p->J, i, v) + p->gamma[i] * lambda[i] - p->c[i];
    measure_complementarity(p, lambda, w, found);
    free(v);
    const dls_splitting sweep = {DLS_SPLITTING_FORWARD, 1.0};
    const dls_status status =
        p->n <= DLS_MEASURED_ROWS ? dls_rate_predict(p, lambda, NULL, sweep, &rate, &ignored) : DLS_REFUSED;
    if (status == DLS_OK)
        found->pgs_radius = rate.spectral_radius;
    return status == DLS_NO_MEMORY ? dls_fail(error, status, "no memory for the rate of %zu rows", p->n) : DLS_OK;
}

dls_status dls_properties_measure(const dls_problem *problem, const double *lambda, dls_properties *found,
                                  dls_error *error)
{
    *found = (dls_properties){
        .rank = DLS_NONE, .condition = NAN, .pgs_radius = NAN, .degenerate = DLS_NONE, .complementary = NAN};
    count_rows(problem, found);
    if (problem->n <= DLS_MEASURED_ROWS)
        DLS_TRY(measure_rank(problem, found, error));
    return lambda ? measure_solution(problem, lambda, found, error) : DLS_OK;
}

/* A solution: the chosen one, or that of the direct methods, if they have one. */
dls_status dls_collection_describe(const dls_collected *made, dls_properties *found, dls_error *error)
{
    dls_examiner *examiner;
    dls_error ignored;
    dls_reference_solution *reference = NULL;
    const dls_problem *p = made->problem;
    if (made->lambda || p->n > DLS_MEASURED_ROWS)
        return dls_properties_measure(p, made->lambda, found, error);
    DLS_TRY(dls_examiner_create(p, &examiner, error));
    dls_status status = dls_reference_solution_create(p, examiner, NULL, 1e-12, &reference, &ignored);
    if (status == DLS_NO_MEMORY)
        status = dls_fail(error, status, "no memory for a solution of %zu rows", p->n);
    else
        status = dls_properties_measure(p, reference ? reference->lambda : NULL, found, error);
    dls_reference_solution_destroy(reference);
    dls_examiner_destroy(examiner);
    return status;
}
