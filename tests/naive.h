/* naive.h - the loops of the conventions in full vectors of long double, with a column B_i for each row: sweeps are
 * compared with them. */
#ifndef DLS_TESTS_NAIVE_H
#define DLS_TESTS_NAIVE_H

#include "delassus/delassus.h"
#include "delassus/solver_kit.h"
#include "delassus/solvers.h"

#include "check.h"

#include <string.h>

/* The battery of all methods names the one that fails. */
static const char *method_under_test; /* NULL: none */

static inline int name_the_method(void **unused)
{
    (void)unused;
    if (method_under_test)
        print_error("failed by %s\n", method_under_test);
    method_under_test = NULL;
    return 0;
}

typedef struct naive {
    const dls_problem *p;
    dls_splitting splitting;
    bool cones;                         /* contacts under the cone are solved as blocks of three rows */
    double *B, *D, *scratch;            /* B is n x nv; D_i = 0: no impulse moves row i, and it is left alone */
    long double *lambda, *v, *next, *c; /* v = v* + B lambda */
} naive;

/* Another problem of the same sizes; impulses and velocities stay. */
static inline void naive_renew(naive *w, const dls_problem *p)
{
    w->p = p;
    memset(w->B, 0, p->n * p->nv * sizeof *w->B);
    for (size_t i = 0; i < p->n; i++) {
        double *B = w->B + i * p->nv;
        if (p->form == DLS_FORM_MATRIX) {
            B[i] = 1.0;
        } else {
            memset(w->scratch, 0, p->nv * sizeof *w->scratch);
            dls_rows_axpy(&p->J, i, 1.0, w->scratch);
            dls_mass_solve(&p->mass, w->scratch, B);
        }
        w->D[i] = dls_rows_dot(&p->J, i, B) + p->gamma[i];
        w->c[i] = p->c[i];
    }
}

static inline void naive_set(naive *w, size_t i, long double to)
{
    for (size_t j = 0; j < w->p->nv; j++)
        w->v[j] += w->B[i * w->p->nv + j] * (to - w->lambda[i]);
    w->lambda[i] = to;
}

/* NULL: from impulses of zero. */
static inline void naive_start(naive *w, const double *lambda0)
{
    for (size_t j = 0; j < w->p->nv; j++)
        w->v[j] = w->p->v_star[j];
    for (size_t i = 0; i < w->p->n; i++) {
        w->lambda[i] = lambda0 && w->D[i] == 0.0 ? lambda0[i] : 0.0;
        if (lambda0 && w->D[i] != 0.0)
            naive_set(w, i, lambda0[i]);
    }
}

static inline naive naive_open(const dls_problem *p, dls_splitting splitting, bool cones, const double *lambda0)
{
    naive w = {.splitting = splitting,
               .cones = cones,
               .B = test_calloc(p->n * p->nv + 1, sizeof(double)),
               .D = test_calloc(p->n + 1, sizeof(double)),
               .scratch = test_calloc(p->nv + 1, sizeof(double)),
               .lambda = test_calloc(p->n + 1, sizeof(long double)),
               .v = test_calloc(p->nv + 1, sizeof(long double)),
               .next = test_calloc(p->n + 1, sizeof(long double)),
               .c = test_calloc(p->n + 1, sizeof(long double))};
    naive_renew(&w, p);
    naive_start(&w, lambda0);
    return w;
}

static inline void naive_close(naive *w)
{
    test_free(w->B), test_free(w->D), test_free(w->scratch);
    test_free(w->lambda), test_free(w->v), test_free(w->next), test_free(w->c);
}

static inline long double naive_residual(const naive *w, size_t i)
{
    const dls_rows *J = &w->p->J;
    long double sum = w->p->gamma[i] * w->lambda[i] - w->c[i];
    for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
        for (size_t j = J->coef_at[k]; j < J->coef_at[k + 1]; j++)
            sum += J->coef[j] * w->v[J->offset[k] + j - J->coef_at[k]];
    return sum;
}

static inline long double naive_next(const naive *w, size_t i)
{
    long double lo = w->p->lo[i], hi = w->p->hi[i];
    if (w->D[i] == 0.0)
        return w->lambda[i];
    if (w->p->parent[i] != DLS_NONE)
        hi = w->p->mu[i] * fmaxl(w->lambda[w->p->parent[i]], 0.0L), lo = -hi;
    return fminl(fmaxl(w->lambda[i] - w->splitting.omega * naive_residual(w, i) / w->D[i], lo), hi);
}

static inline void naive_visit_contact(naive *w, size_t i)
{
    dls_contact_block b = {.mu = w->p->mu[i + 1], .hi = w->p->hi[i]};
    double q[3], to[3];
    for (size_t r = 0; r < 3; r++) {
        long double sum = naive_residual(w, i + r);
        for (size_t s = 0; s < 3; s++) {
            b.W[r][s] = r == s ? w->D[i + r] : dls_rows_dot(&w->p->J, i + r, w->B + (i + s) * w->p->nv);
            sum -= b.W[r][s] * w->lambda[i + s];
        }
        q[r] = (double)sum;
    }
    if (w->D[i] == 0.0 && w->D[i + 1] == 0.0 && w->D[i + 2] == 0.0)
        return;
    assert_true(dls_contact_block_prepare(&b));
    dls_contact_solve(&b, q, to);
    for (size_t r = 0; r < 3; r++)
        naive_set(w, i + r, to[r]);
}

/* All rows once, the first one first, or the last one first. */
static inline void naive_sweep(naive *w, bool forward)
{
    for (size_t k = 0; k < w->p->n; k++) {
        const size_t i = forward ? k : w->p->n - 1 - k;
        if (w->cones && ((i >= 1 && dls_problem_is_cone(w->p, i - 1)) || (i >= 2 && dls_problem_is_cone(w->p, i - 2))))
            continue;
        if (w->cones && dls_problem_is_cone(w->p, i))
            naive_visit_contact(w, i);
        else
            naive_set(w, i, naive_next(w, i));
    }
}

static inline void naive_iterate(naive *w)
{
    for (size_t i = 0; i < w->p->n && w->splitting.kind == DLS_SPLITTING_JACOBI; i++)
        w->next[i] = naive_next(w, i);
    for (size_t i = 0; i < w->p->n && w->splitting.kind == DLS_SPLITTING_JACOBI; i++)
        naive_set(w, i, w->next[i]);
    if (w->splitting.kind == DLS_SPLITTING_FORWARD || w->splitting.kind == DLS_SPLITTING_SYMMETRIC)
        naive_sweep(w, true);
    if (w->splitting.kind == DLS_SPLITTING_BACKWARD || w->splitting.kind == DLS_SPLITTING_SYMMETRIC)
        naive_sweep(w, false);
}

#endif
