/* The reference solution of a problem, as a solver. With facets the problem's cones are replaced by polygons
 * (reference/facets.c), and the examiner certifies the answer on the linear problem that was solved. */
#include "study/rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
    const dls_certified *settings;
    const dls_problem *problem;
    double *lambda; /* n */
} work;

static dls_status open(const dls_problem *problem, const void *settings, const double *lambda0, void **made,
                       dls_error *error)
{
    work *w = *made = calloc(1, sizeof *w);
    (void)lambda0;
    if (w) {
        *w = (work){settings, problem, calloc(problem->n + 1, sizeof *w->lambda)};
        if (w->lambda)
            return DLS_OK;
    }
    free(w);
    *made = NULL;
    return dls_fail(error, DLS_NO_MEMORY, "no memory for a certified solution of %zu rows", problem->n);
}

static dls_status certify(const work *w, const dls_problem *problem, dls_truth **truth, dls_error *error)
{
    dls_certified_record *record = w->settings->record;
    dls_examiner *examiner;
    DLS_TRY(dls_examiner_create(problem, &examiner, error));
    dls_status status =
        dls_truth_create(problem, examiner, w->settings->methods, w->settings->good_enough, truth, error);
    dls_examiner_destroy(examiner);
    if (status != DLS_OK)
        return status;
    record->residual = (*truth)->certificate.scaled_residual;
    record->worst = fmax(record->worst, record->residual);
    record->solves++;
    record->others += (*truth)->tried > 1;
    return DLS_OK;
}

static dls_status solve_facets(const work *w, dls_error *error)
{
    dls_facets *facets;
    dls_truth *truth;
    DLS_TRY(dls_problem_facets(w->problem, w->settings->facets, DLS_FACETS_EXACT, &facets, error));
    dls_status status = certify(w, facets->problem, &truth, error);
    if (status == DLS_OK) {
        dls_facets_impulses(facets, truth->lambda, w->lambda);
        dls_truth_destroy(truth);
    }
    dls_facets_destroy(facets);
    return status;
}

static dls_status iterate(void *made, dls_report *report, dls_error *error)
{
    const work *w = made;
    dls_truth *truth;
    if (w->settings->facets > 0) {
        DLS_TRY(solve_facets(w, error));
    } else {
        DLS_TRY(certify(w, w->problem, &truth, error));
        memcpy(w->lambda, truth->lambda, w->problem->n * sizeof *w->lambda);
        dls_truth_destroy(truth);
    }
    report->iterations = 1;
    dls_report_end(report, DLS_OUTCOME_SOLVED, "certified to %.3e", w->settings->record->residual);
    return DLS_OK;
}

static void read(const void *made, double *lambda)
{
    const work *w = made;
    memcpy(lambda, w->lambda, w->problem->n * sizeof *lambda);
}

static void close(void *made)
{
    work *w = made;
    if (w)
        free(w->lambda);
    free(w);
}

const dls_solver dls_solver_certified = {
    .name = "certified",
    .summary = "the reference solution, as the examiner certifies it",
    .source = "experiments/reference_solution.c",
    .kind = DLS_SOLVER_DIRECT,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED | DLS_ACCEPTS_CONE,
    .fields = {NULL, 0, sizeof(dls_certified)},
    .open = open,
    .iterate = iterate,
    .read = read,
    .close = close,
};
