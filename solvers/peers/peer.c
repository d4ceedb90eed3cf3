#include "peer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void peer_close(void *work)
{
    peer_work *w = work;
    if (!w)
        return;
    if (w->data)
        w->release(w->data);
    dls_dense_destroy(w->dense);
    free(w->lambda);
    free(w);
}

/* For lambda = origin + x the bounds of x contain 0, and w = A x + (A origin + b). */
static void find_origin(peer_work *w)
{
    const dls_dense *d = w->dense;
    for (size_t i = 0; i < d->n; i++) {
        w->origin[i] = fmin(fmax(0.0, d->lo[i]), d->hi[i]);
        w->shifted[i] = d->b[i];
    }
    for (size_t j = 0; j < d->n; j++)
        for (size_t i = 0; i < d->n && w->origin[j] != 0.0; i++)
            w->shifted[i] += d->A[i + d->n * j] * w->origin[j];
}

dls_status peer_open(const dls_problem *problem, const void *settings, const double *lambda0, void **work,
                     dls_error *error)
{
    const size_t n = problem->n;
    *work = NULL;
    if (n > PEER_ROWS_MAX)
        return dls_fail(error, DLS_REFUSED, "it works on a dense matrix: %zu rows are more than %d", n, PEER_ROWS_MAX);
    peer_work *w = calloc(1, sizeof *w);
    if (w)
        w->lambda = calloc(3 * n + 1, sizeof *w->lambda);
    if (!w || !w->lambda) {
        free(w);
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", n);
    }
    w->origin = w->lambda + n;
    w->shifted = w->origin + n;
    w->problem = problem;
    w->settings = settings;
    dls_status status = dls_dense_create(problem, &w->dense, error);
    if (status != DLS_OK) {
        peer_close(w);
        return status;
    }
    if (lambda0)
        memcpy(w->lambda, lambda0, n * sizeof *lambda0);
    find_origin(w);
    *work = w;
    return DLS_OK;
}

dls_status peer_open_following(const dls_problem *problem, const void *settings, const double *lambda0, void **work,
                               dls_error *error)
{
    for (size_t i = 0; i < problem->n; i++) {
        const size_t parent = problem->parent[i];
        if (parent != DLS_NONE && !(problem->lo[parent] <= 0.0 && problem->hi[parent] >= 0.0))
            return dls_fail(error, DLS_REFUSED, "friction row %zu follows row %zu, whose bounds exclude 0", i, parent);
    }
    return peer_open(problem, settings, lambda0, work, error);
}

void peer_read(const void *work, double *lambda)
{
    const peer_work *w = work;
    memcpy(lambda, w->lambda, w->problem->n * sizeof *lambda);
}

dls_status peer_end(bool claims, const char *reason, dls_report *report)
{
    report->iterations = report->iterations ? report->iterations : 1;
    dls_report_end(report, claims ? DLS_OUTCOME_SOLVED : DLS_OUTCOME_ITERATION_LIMIT, "%s", claims ? "" : reason);
    return DLS_OK;
}
