/* The work of a solver up to answers that the examiner certifies to given residuals. */
#include "study/rig.h"

#include "base/clock.h"

#include <math.h>
#include <string.h>

const double dls_reach_targets[DLS_REACH_TARGETS] = {1e-3, 1e-6, 1e-9};
const char *const dls_reach_names[DLS_REACH_TARGETS] = {"1e-3", "1e-6", "1e-9"};
enum { PROVED_ROWS = 300 }; /* with more, the certificate of each answer takes longer than most solves */

dls_status dls_reach_choices(const dls_list *named, double seconds, dls_choice **choices, size_t *count,
                             dls_error *error)
{
    *choices = NULL, *count = 0;
    for (size_t i = 0; i < named->count; i++)
        DLS_TRY(dls_choices_add(named->names[i], choices, count, error));
    for (size_t k = 0; named->count == 0 && dls_solver_at(k); k++)
        if (!(dls_solver_at(k)->accepts & DLS_BY_NAME))
            DLS_TRY(dls_choices_add(dls_solver_at(k)->name, choices, count, error));
    for (size_t i = 0; i < *count; i++)
        if ((*choices)[i].solver->kind == DLS_SOLVER_DIRECT)
            DLS_TRY(dls_choice_limit(&(*choices)[i], seconds, error));
    return DLS_OK;
}

static bool before_deadline(void *context, const double *lambda, const dls_report *report)
{
    (void)lambda, (void)report;
    return dls_wall_clock() < *(const double *)context; /* the deadline */
}

static bool note(dls_solver_reach *reach, size_t k, const dls_certificate *certificate, const dls_report *report)
{
    if (!dls_is_converged(certificate, dls_reach_targets[k]))
        return false;
    reach->to[k].iterations = (double)report->iterations;
    reach->to[k].visits = report->row_visits > 0.0 ? report->row_visits : NAN;
    reach->to[k].seconds = report->seconds;
    return true;
}

dls_status dls_reach_measure(const dls_choice *choice, const dls_problem *problem, dls_examiner *examiner,
                             const double *start, size_t limit, double seconds, double *lambda, dls_solver_reach *reach,
                             dls_error *error)
{
    const bool direct = choice->solver->kind == DLS_SOLVER_DIRECT;
    *reach = (dls_solver_reach){.residual = NAN};
    for (size_t k = 0; k < DLS_REACH_TARGETS; k++)
        reach->to[k].iterations = reach->to[k].visits = reach->to[k].seconds = NAN;
    bool reached = true;
    for (size_t k = 0; k < DLS_REACH_TARGETS && reached; k++) {
        double deadline = dls_wall_clock() + seconds;
        dls_certificate certificate;
        dls_report report = {0};
        dls_stop stop = {.examiner = examiner,
                         .tolerance = dls_reach_targets[k],
                         .limit = limit,
                         .timed = true,
                         .observer = before_deadline,
                         .context = &deadline};
        if (start)
            memcpy(lambda, start, problem->n * sizeof *lambda);
        else
            memset(lambda, 0, problem->n * sizeof *lambda);
        dls_status status = dls_solve_until(choice, problem, &stop, lambda, &report, error);
        reach->claim = report.outcome;
        reached = status == DLS_OK && !dls_outcome_failed(report.outcome);
        if (reached) {
            const dls_criteria criteria = {problem, examiner, direct ? DLS_SOLVED_TOLERANCE : dls_reach_targets[k],
                                           PROVED_ROWS};
            status = dls_decide_outcome(&criteria, lambda, &certificate, NULL, &report, error);
            reach->residual = certificate.scaled_residual;
            reached = status == DLS_OK && note(reach, k, &certificate, &report);
        }
        for (size_t t = k + 1; t < DLS_REACH_TARGETS && direct && reached; t++)
            reached = note(reach, t, &certificate, &report);
        reach->certified = report.outcome;
        dls_report_release(&report);
        DLS_TRY(status);
        if (direct)
            break;
    }
    return DLS_OK;
}
