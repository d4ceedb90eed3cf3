#include "delassus/solver.h"

#include "base/arithmetic.h"
#include "base/clock.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *dls_outcome_text(dls_outcome outcome)
{
    static const char *const text[] = {
#define DLS_OUTCOME_TEXT(name, words) words,
        DLS_OUTCOME_LIST(DLS_OUTCOME_TEXT)
#undef DLS_OUTCOME_TEXT
    };
    return (size_t)outcome < sizeof text / sizeof text[0] ? text[outcome] : "unknown outcome";
}

bool dls_outcome_solved(dls_outcome outcome)
{
    return outcome == DLS_OUTCOME_SOLVED || outcome == DLS_OUTCOME_SEVERAL || outcome == DLS_OUTCOME_CONTINUUM;
}

bool dls_outcome_failed(dls_outcome outcome)
{
    return outcome == DLS_OUTCOME_NO_SOLUTION || outcome == DLS_OUTCOME_NUMERICAL_FAILURE ||
           outcome == DLS_OUTCOME_REFUSED || outcome == DLS_OUTCOME_TIME_LIMIT;
}

bool dls_solver_unsolved(const dls_solver *solver, dls_outcome outcome)
{
    return dls_outcome_failed(outcome) || (solver->kind == DLS_SOLVER_DIRECT && outcome == DLS_OUTCOME_ITERATION_LIMIT);
}

void dls_report_release(dls_report *report)
{
    free(report->proof_vector);
    free(report->solutions);
    free(report->fractions);
    memset(report, 0, sizeof *report);
}

void dls_report_end(dls_report *report, dls_outcome outcome, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(report->message, sizeof report->message, format, arguments);
    va_end(arguments);
    report->outcome = outcome;
}

const char *dls_solver_refuses(const dls_solver *solver, const dls_problem *p)
{
    if (!p->n_cone && (solver->accepts & DLS_NEEDS_CONE))
        return "it is for problems with Coulomb's cone";
    if (p->n_cone && !(solver->accepts & DLS_ACCEPTS_CONE))
        return "it does not take Coulomb's cone";
    if (p->n_coupled > p->n_cone && !(solver->accepts & DLS_ACCEPTS_COUPLED))
        return "it does not take friction that is bounded by the current normal impulse";
    const unsigned laws = dls_problem_contact_laws(p);
    if ((laws & DLS_CONTACTS_ASSOCIATED) && !(solver->accepts & DLS_ACCEPTS_ASSOCIATED))
        return "it does not take the associated law of contacts";
    if ((laws & (DLS_CONTACTS_ROLLING | DLS_CONTACTS_TORSIONAL)) && !(solver->accepts & DLS_ACCEPTS_ROLLING))
        return "it does not take rolling or torsional friction under a cone";
    if ((laws & DLS_CONTACTS_ELLIPTIC) && !(solver->accepts & DLS_ACCEPTS_ELLIPTIC))
        return "it does not take anisotropic friction, two coefficients of one contact";
    bool refuses_free = !(solver->accepts & DLS_ACCEPTS_FREE), refuses_boxed = !(solver->accepts & DLS_ACCEPTS_BOXED);
    bool free_rows = false, boxed = false;
    for (size_t i = 0; (refuses_free || refuses_boxed) && i < p->n; i++) {
        bool none = p->lo[i] == -HUGE_VAL && p->hi[i] == HUGE_VAL, lcp = p->lo[i] == 0.0 && p->hi[i] == HUGE_VAL;
        free_rows |= none;
        boxed |= !none && !lcp && p->parent[i] == DLS_NONE;
    }
    if (free_rows && refuses_free)
        return "it does not take free rows (lo = -inf, hi = inf)";
    if (boxed && refuses_boxed)
        return "it does not take bounds other than [0, inf) and (-inf, inf)";
    if (p->form == DLS_FORM_MATRIX && (solver->accepts & DLS_NEEDS_MASS))
        return "it needs the masses, which a problem given as a matrix does not have";
    if (!(solver->accepts & DLS_ACCEPTS_UNSYMMETRIC) && !dls_problem_is_symmetric(p))
        return "it does not take a matrix that is not symmetric";
    return NULL;
}

void dls_solver_release(dls_solver_work *kept)
{
    if (kept->work)
        kept->solver->close(kept->work);
    kept->work = NULL;
    kept->n = 0;
}

static bool is_timed(const dls_solver_work *kept) { return kept->timed && !(kept->solver->accepts & DLS_ELSEWHERE); }

static dls_status load_work(dls_solver_work *kept, const dls_problem *problem, const double *lambda0, dls_error *error)
{
    const dls_solver *solver = kept->solver;
    if (kept->work && solver->reload)
        return solver->reload(kept->work, problem, lambda0, error);
    dls_solver_release(kept);
    const dls_status status = solver->open(problem, kept->settings, lambda0, &kept->work, error);
    kept->work = status == DLS_OK ? kept->work : NULL;
    return status;
}

dls_status dls_solver_load(dls_solver_work *kept, const dls_problem *problem, const double *lambda0, dls_report *report,
                           dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    dls_report_release(report);
    kept->busy = 0.0;
    const char *why = dls_solver_refuses(kept->solver, problem);
    if (why) {
        dls_report_end(report, DLS_OUTCOME_REFUSED, "%s", why);
        return DLS_OK;
    }
    dls_error refusal = {0};
    const bool timed = is_timed(kept);
    const double start = timed ? dls_wall_clock() : 0.0;
    const dls_status status = load_work(kept, problem, lambda0, &refusal);
    kept->busy = timed ? dls_wall_clock() - start : 0.0;
    kept->n = problem->n;
    report->seconds = kept->busy;
    if (status == DLS_REFUSED) {
        dls_report_end(report, DLS_OUTCOME_REFUSED, "%s", refusal.message);
        return DLS_OK;
    }
    if (status != DLS_OK && error)
        *error = refusal;
    return status;
}

/* Whether all impulses are finite; otherwise the report names the first that is not. No iteration recovers from it. */
static bool impulses_finite(size_t n, const double *lambda, dls_report *report)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(lambda[i])) {
            dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE, "impulse %zu is %s after %zu iterations", i,
                           isnan(lambda[i]) ? "not a number" : "infinite", report->iterations);
            return false;
        }
    return true;
}

/* Whether the impulses can be used. A proof that there is no solution needs none. */
static bool usable(size_t n, const double *lambda, dls_report *report)
{
    return report->outcome == DLS_OUTCOME_NO_SOLUTION || impulses_finite(n, lambda, report);
}

/* Sets an outcome if the method has not. */
static void end_run(bool go_on, dls_report *report)
{
    char notes[DLS_MESSAGE_MAX];
    if (report->outcome != DLS_OUTCOME_RUNNING)
        return;
    memcpy(notes, report->message, sizeof notes);
    dls_report_end(report, DLS_OUTCOME_ITERATION_LIMIT, "%s%zu iterations%s%s",
                   go_on ? "" : "stopped by the caller after ", report->iterations, *notes ? "; " : "", notes);
}

static dls_status iterate_while_running(dls_solver_work *kept, size_t count, dls_report *report, dls_error *error)
{
    for (size_t k = 0; k < count && report->outcome == DLS_OUTCOME_RUNNING; k++)
        DLS_TRY(kept->solver->iterate(kept->work, report, error));
    return DLS_OK;
}

dls_status dls_solver_iterate(dls_solver_work *kept, size_t count, double *lambda, dls_report *report, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    const bool timed = is_timed(kept);
    const double start = timed ? dls_wall_clock() : 0.0;
    DLS_TRY(iterate_while_running(kept, count, report, error));
    const double iterated = timed ? dls_wall_clock() : 0.0;
    kept->solver->read(kept->work, lambda);
    if (timed) {
        kept->busy += iterated - start;
        report->seconds = kept->busy + (dls_wall_clock() - iterated);
    }
    return DLS_OK;
}

/* An observer is code of the caller, which may change the floating-point environment. */
static bool observe(dls_observer observer, void *context, const double *lambda, const dls_report *report)
{
    DLS_STANDARD_ARITHMETIC;
    return observer(context, lambda, report);
}

enum { UNOBSERVED = 64 }; /* iterations between two checks of the impulses if there is no observer */

dls_status dls_solver_run(dls_solver_work *kept, size_t limit, double *lambda, dls_report *report,
                          dls_observer observer, void *context, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    bool go_on = true;
    if (report->outcome == DLS_OUTCOME_REFUSED)
        return DLS_OK;
    size_t k = 0, most = observer ? 1 : UNOBSERVED;
    do {
        const size_t count = limit - k < most ? limit - k : most;
        const bool runs = count > 0 && report->outcome == DLS_OUTCOME_RUNNING;
        DLS_TRY(dls_solver_iterate(kept, count, lambda, report, error));
        go_on = usable(kept->n, lambda, report) && (!observer || !runs || observe(observer, context, lambda, report));
        k += count;
    } while (k < limit && go_on && report->outcome == DLS_OUTCOME_RUNNING);
    end_run(go_on, report);
    return DLS_OK;
}

void dls_solver_run_together(dls_solver_work *const *kept, size_t count, size_t limit, double *const *lambda,
                             dls_report *const *report, dls_status *status, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    const dls_solver *solver = kept[0]->solver;
    void *works[DLS_TOGETHER];
    bool done[DLS_TOGETHER] = {false};
    for (size_t i = 0; i < count; i++)
        works[i] = kept[i]->work;
    if (solver->iterate_together && count > 1)
        solver->iterate_together(works, count, limit, report, done);
    for (size_t i = 0; i < count; i++) {
        status[i] = DLS_OK;
        if (done[i]) {
            solver->read(kept[i]->work, lambda[i]);
            end_run(true, report[i]);
            (void)usable(kept[i]->n, lambda[i], report[i]);
        } else {
            status[i] = dls_solver_run(kept[i], limit, lambda[i], report[i], NULL, NULL, &error[i]);
        }
    }
}

dls_status dls_solve(const dls_solver *solver, const dls_problem *problem, const void *settings, size_t limit,
                     double *lambda, dls_report *report, dls_observer observer, void *context, dls_error *error)
{
    dls_solver_work once = {.solver = solver, .settings = settings, .timed = true};
    dls_status status = dls_solver_load(&once, problem, lambda, report, error);
    if (status == DLS_OK)
        status = dls_solver_run(&once, limit, lambda, report, observer, context, error);
    dls_solver_release(&once);
    return status;
}
