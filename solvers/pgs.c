/* Projected Gauss-Seidel, row by row. Placeholder layout: see the conventions' section of that name. */
#include "delassus/solvers.h"

#include <stdlib.h>
#include <string.h>

typedef struct pgs { double omega; } pgs;
static const dls_field fields[] = {
    {"omega", "", DLS_FIELD_REAL, offsetof(pgs, omega), "1", 0, 2, true, NULL, "relaxation"},
};

typedef struct work { const dls_problem *p; double omega; double *lambda, *v, *scratch, *column, *diagonal; } work;

static void close(void *w0)
{
    work *w = w0;
    if (!w)
        return;
    free(w->lambda), free(w->v), free(w->scratch), free(w->column), free(w->diagonal), free(w);
}

static void column(const work *w, size_t i)
{
    memset(w->scratch, 0, w->p->nv * sizeof(double));
    if (w->p->form == DLS_FORM_MATRIX) {
        memset(w->column, 0, w->p->nv * sizeof(double));
        w->column[i] = 1.0;
        return;
    }
    dls_rows_axpy(&w->p->J, i, 1.0, w->scratch);
    dls_mass_solve(&w->p->mass, w->scratch, w->column);
}

static dls_status open(const dls_problem *p, const void *settings, const double *lambda0, void **w0, dls_error *error)
{
    work *w = *w0 = calloc(1, sizeof *w);
    if (!w)
        return dls_fail(error, DLS_NO_MEMORY, "pgs");
    w->p = p;
    w->omega = ((const pgs *)settings)->omega;
    w->lambda = calloc(p->n + 1, 8), w->v = calloc(p->nv + 1, 8), w->scratch = calloc(p->nv + 1, 8), w->column = calloc(p->nv + 1, 8),
    w->diagonal = calloc(p->n + 1, 8);
    if (lambda0)
        memcpy(w->lambda, lambda0, p->n * 8);
    dls_problem_velocity(p, w->lambda, w->v, w->scratch);
    for (size_t i = 0; i < p->n; i++) {
        column(w, i);
        w->diagonal[i] = dls_rows_dot(&p->J, i, w->column) + p->gamma[i];
    }
    return DLS_OK;
}

static dls_status iterate(void *w0, dls_report *report, dls_error *error)
{
    work *w = w0;
    const dls_problem *p = w->p;
    (void)error;
    report->iterations++;
    for (size_t i = 0; i < p->n; i++) {
        double lo, hi;
        if (w->diagonal[i] <= 0)
            continue;
        dls_problem_bounds(p, i, w->lambda, &lo, &hi);
        double r = dls_rows_dot(&p->J, i, w->v) + p->gamma[i] * w->lambda[i] - p->c[i];
        double l = w->lambda[i] - w->omega * r / w->diagonal[i];
        l = l < lo ? lo : l > hi ? hi : l;
        column(w, i);
        for (size_t j = 0; j < p->nv; j++)
            w->v[j] += w->column[j] * (l - w->lambda[i]);
        w->lambda[i] = l;
    }
    return DLS_OK;
}

static void read(const void *w0, double *lambda)
{
    const work *w = w0;
    memcpy(lambda, w->lambda, w->p->n * 8);
}

const dls_solver dls_solver_pgs = {
    .name = "pgs", .summary = "projected Gauss-Seidel", .source = "temporal-coherence, PGS (corrected)", .kind = DLS_SOLVER_ITERATIVE,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED,
    .fields = DLS_FIELD_TABLE(fields, pgs), .open = open, .iterate = iterate, .read = read, .close = close,
};
