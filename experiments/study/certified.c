/* The reference solution of a problem, as a solver. With facets the problem's cones are replaced by polygons
 * (reference/direct/facets.c), and the examiner certifies the answer on the linear problem that was solved. */
#include "study/rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
    const dls_certified *settings;
    const dls_problem *problem;
    double lambda[]; /* n */
} work;

static dls_status open_certified(const dls_problem *problem, const void *settings, const double *lambda0, void **made,
                                 dls_error *error)
{
    work *w = *made = calloc(1, sizeof *w + problem->n * sizeof *w->lambda);
    (void)lambda0;
    if (!w)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a certified solution of %zu rows", problem->n);
    w->settings = settings, w->problem = problem;
    return DLS_OK;
}

static dls_status iterate(void *made, dls_report *report, dls_error *error)
{
    work *w = made;
    const dls_certified *set = w->settings;
    dls_certified_record *record = set->record;
    const dls_problem *problem = w->problem;
    dls_facets *facets = NULL;
    dls_examiner *examiner = NULL;
    dls_reference_solution *reference = NULL;
    dls_status status = DLS_OK;
    if (set->facets > 0)
        status = dls_problem_facets(problem, set->facets, DLS_FACETS_EXACT, &facets, error);
    if (status == DLS_OK && facets)
        problem = facets->problem;
    if (status == DLS_OK)
        status = dls_examiner_create(problem, &examiner, error);
    if (status == DLS_OK)
        status = dls_reference_solution_create(problem, examiner, set->methods, set->good_enough, &reference, error);
    if (status == DLS_OK) {
        record->residual = reference->certificate.scaled_residual;
        record->worst = dls_worse(record->worst, record->residual);
        record->solves++;
        record->others += reference->tried > 1;
        if (facets)
            dls_facets_impulses(facets, reference->lambda, w->lambda);
        else
            memcpy(w->lambda, reference->lambda, problem->n * sizeof *w->lambda);
        report->iterations = 1;
        dls_report_end(report, DLS_OUTCOME_SOLVED, "certified to %.3e", record->residual);
    }
    dls_reference_solution_destroy(reference);
    dls_examiner_destroy(examiner);
    dls_facets_destroy(facets);
    return status;
}

static void read_certified(const void *made, double *lambda)
{
    const work *w = made;
    memcpy(lambda, w->lambda, w->problem->n * sizeof *lambda);
}

const dls_solver dls_solver_certified = {
    .name = "certified",
    .summary = "the reference solution, as the examiner certifies it",
    .source = "experiments/solve/reference_solution.c",
    .kind = DLS_SOLVER_DIRECT,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED | DLS_ACCEPTS_CONE,
    .fields = {NULL, 0, sizeof(dls_certified)},
    .open = open_certified,
    .iterate = iterate,
    .read = read_certified,
    .close = free,
};
