/* Impulses of another program, measured and certified. */
#include "examination.h"

#include <stdlib.h>
#include <string.h>

dls_status examination_open(examination *e, const char *file, const char *format, dls_error *error)
{
    *e = (examination){.problem = NULL};
    DLS_TRY(dls_load_problem(file, format, &e->content, error));
    e->problem = e->content.problem;
    e->lambda = calloc(e->problem->n + 1, sizeof *e->lambda);
    e->w = calloc(e->problem->n + 1, sizeof *e->w);
    if (!e->lambda || !e->w)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", e->problem->n);
    return dls_examiner_create(e->problem, &e->examiner, error);
}

dls_status examination_read(examination *e, const arguments *a, const char *given, dls_error *error)
{
    double *values;
    DLS_TRY(read_vector(a, given, "lambda", e->problem->n, "rows", &values, error));
    memcpy(e->lambda, values, e->problem->n * sizeof *values);
    free(values);
    return DLS_OK;
}

dls_status examination_decide(examination *e, double tolerance, dls_error *error)
{
    const dls_criteria criteria = {e->problem, e->examiner, tolerance, DLS_CERTIFY_ROWS};
    dls_report_end(&e->report, DLS_OUTCOME_SOLVED, "%s", "");
    dls_examine(e->examiner, e->lambda, e->w, &e->certificate);
    DLS_TRY(dls_decide_outcome(&criteria, e->lambda, &e->certificate, &e->bounds, &e->report, error));
    e->sentence = dls_sentence_of(&criteria, e->lambda, e->w, &e->certificate, &e->bounds, &e->report, 1);
    if (e->report.outcome == DLS_OUTCOME_NUMERICAL_FAILURE)
        dls_report_end(&e->report, DLS_OUTCOME_NUMERICAL_FAILURE,
                       "the scaled residual, the worse of the first two, is %.3e; at most %g is asked",
                       e->certificate.scaled_residual, tolerance);
    return DLS_OK;
}

void examination_release(examination *e)
{
    dls_report_release(&e->report);
    dls_bounds_release(&e->bounds);
    dls_examiner_destroy(e->examiner);
    dls_content_release(&e->content);
    free(e->lambda);
    free(e->w);
}

bool examination_is_solution(const examination *e) { return e->report.outcome == DLS_OUTCOME_SOLVED; }

bool examination_is_undecided(const examination *e) { return e->report.outcome == DLS_OUTCOME_UNDECIDED; }
