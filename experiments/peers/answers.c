/* Claims against certificates: one problem, every peer. */
#include "peers/parts.h"

#include <math.h>
#include <stdlib.h>

static dls_status try_one(dls_study *study, const dls_peers_case *of, size_t k, dls_examiner *examiner, double *lambda,
                          dls_error *error)
{
    const dls_peers_settings *set = study->settings;
    dls_peers_findings *f = study->found;
    const dls_choice *choice = &f->choices[k];
    const dls_criteria criteria = {of->problem, examiner, set->tolerance, DLS_CERTIFY_ROWS};
    dls_stop stop = {.examiner = examiner, .tolerance = set->tolerance, .limit = set->iterations};
    dls_report report = {0};
    dls_certificate figures = {.scaled_residual = NAN};
    for (size_t i = 0; i < of->problem->n; i++)
        lambda[i] = 0.0;
    dls_status status = dls_solve_until(choice, of->problem, &stop, lambda, &report, error);
    const dls_outcome claim = report.outcome;
    if (status == DLS_OK)
        status = dls_decide_outcome(&criteria, lambda, &figures, NULL, &report, error);
    if (status == DLS_OK) {
        const bool refused = claim == DLS_OUTCOME_REFUSED;
        const dls_verdict verdict =
            dls_verdict_of(choice->solver->kind, claim, report.outcome, figures.scaled_residual, set->tolerance);
        f->count[k][verdict]++;
        f->far += verdict == DLS_VERDICT_WRONG && !(figures.natural_residual_velocity <= set->tolerance);
        dls_table_row(study->tables[DLS_PEERS_ANSWERS], "%s %s %zu %zu %s %s %s %s %zu %g %g %s %s", of->what, of->name,
                      of->problem->n, of->problem->n_coupled, choice->solver->name, dls_outcome_text(claim),
                      dls_outcome_text(report.outcome), dls_verdicts[verdict], report.iterations,
                      refused ? NAN : figures.scaled_residual, refused ? NAN : figures.natural_residual_velocity,
                      report.message, of->file);
    }
    dls_report_release(&report);
    return status;
}

dls_status dls_peers_try(dls_study *study, const dls_peers_case *of, dls_error *error)
{
    const dls_peers_settings *set = study->settings;
    dls_peers_findings *f = study->found;
    if (of->problem->n == 0 || of->problem->n > set->rows) {
        f->too_large += of->problem->n > set->rows;
        return DLS_OK;
    }
    dls_examiner *examiner;
    DLS_TRY(dls_examiner_create(of->problem, &examiner, error));
    double *lambda = calloc(of->problem->n, sizeof *lambda);
    dls_status status = lambda ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", of->problem->n);
    for (size_t k = 0; k < f->n_choices && status == DLS_OK; k++)
        status = try_one(study, of, k, examiner, lambda, error);
    f->problems++;
    free(lambda);
    dls_examiner_destroy(examiner);
    return status;
}
