/* A solver of one's own in a shared object: projected Gauss-Seidel on a dense matrix, as a textbook has it.
 *
 *     cc -shared -fPIC own_plugin.c $(pkg-config --cflags --libs delassus) -o own_plugin.so
 *     delassus compare scene.yaml --solvers ./own_plugin.so,pgs -o out
 */
#include <delassus/delassus.h>
#include <delassus/reference.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
    const dls_problem *problem;
    dls_dense *dense; /* A, b, lo, hi */
    double *lambda;   /* n */
} work;

static void close_work(void *kept)
{
    work *w = kept;
    dls_dense_destroy(w->dense);
    free(w->lambda);
    free(w);
}

static dls_status open_work(const dls_problem *problem, const void *settings, const double *lambda0, void **kept,
                            dls_error *error)
{
    work *w = calloc(1, sizeof *w);
    (void)settings;
    *kept = NULL;
    if (!w || !(w->lambda = calloc(problem->n + 1, sizeof *w->lambda))) {
        free(w);
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", problem->n);
    }
    dls_status status = dls_dense_create(problem, &w->dense, error);
    if (status != DLS_OK) {
        close_work(w);
        return status;
    }
    if (lambda0)
        memcpy(w->lambda, lambda0, problem->n * sizeof *lambda0);
    w->problem = problem;
    *kept = w;
    return DLS_OK;
}

static dls_status iterate(void *kept, dls_report *report, dls_error *error)
{
    work *w = kept;
    const dls_dense *d = w->dense;
    (void)error;
    for (size_t i = 0; i < d->n; i++) {
        double lo, hi, velocity = d->b[i];
        for (size_t j = 0; j < d->n; j++)
            velocity += d->A[i + d->n * j] * w->lambda[j];
        dls_problem_bounds(w->problem, i, w->lambda, &lo, &hi); /* friction follows its normal impulse */
        if (d->A[i + d->n * i] > 0.0)                           /* else the impulse does not move its own row */
            w->lambda[i] -= velocity / d->A[i + d->n * i];
        w->lambda[i] = fmin(fmax(w->lambda[i], lo), hi);
    }
    report->iterations++;
    return DLS_OK;
}

static void read_impulses(const void *kept, double *lambda)
{
    const work *w = kept;
    memcpy(lambda, w->lambda, w->dense->n * sizeof *lambda);
}

static const dls_solver textbook = {
    .name = "textbook",
    .summary = "projected Gauss-Seidel on a dense matrix",
    .source = "Cottle, Pang, Stone 1992",
    .kind = DLS_SOLVER_ITERATIVE,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED,
    .fields = {NULL, 0, 1},
    .open = open_work,
    .iterate = iterate,
    .read = read_impulses,
    .close = close_work,
};
DLS_PLUGIN(textbook);
