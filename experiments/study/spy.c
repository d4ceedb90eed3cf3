/* An observed solver: every call is passed on to the solver that it wraps.
 */
#include "study/rig.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct watched {
    dls_spy *spy;
    size_t n;
    void *work;
} watched;

/* A solve begins. */
static dls_status note_solve(watched *w, const dls_problem *problem, const double *lambda0, dls_error *error)
{
    dls_spy *spy = w->spy;
    w->n = problem->n;
    spy->solves++;
    spy->rows_loaded += problem->n;
    if (!spy->remember)
        return DLS_OK;
    if (!DLS_GROW(spy->start, spy->cap_start, problem->n + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", problem->n);
    spy->remember = false;
    spy->n_start = problem->n;
    memset(spy->start, 0, problem->n * sizeof *spy->start);
    if (lambda0)
        memcpy(spy->start, lambda0, problem->n * sizeof *spy->start);
    return DLS_OK;
}

static dls_status open_spy(const dls_problem *problem, const void *settings, const double *lambda0, void **work,
                           dls_error *error)
{
    dls_spy *spy = *(dls_spy *const *)settings;
    watched *w = *work = calloc(1, sizeof *w);
    if (!w)
        return dls_fail(error, DLS_NO_MEMORY, "no memory to watch %s", spy->of.solver->name);
    w->spy = spy;
    dls_status status = note_solve(w, problem, lambda0, error);
    if (status == DLS_OK)
        status = spy->of.solver->open(problem, spy->of.settings, lambda0, &w->work, error);
    if (status != DLS_OK) {
        free(w);
        *work = NULL;
    }
    return status;
}

static dls_status reload(void *work, const dls_problem *problem, const double *lambda0, dls_error *error)
{
    watched *w = work;
    DLS_TRY(note_solve(w, problem, lambda0, error));
    return w->spy->of.solver->reload(w->work, problem, lambda0, error);
}

static dls_status iterate(void *work, dls_report *report, dls_error *error)
{
    watched *w = work;
    dls_spy *spy = w->spy;
    const double before = report->row_visits, n = (double)w->n;
    const size_t factorizations = report->factorizations;
    spy->row_iterations += spy->sweeps * w->n;
    const dls_status status = spy->of.solver->iterate(w->work, report, error);
    /* A factorisation takes n^3 / 3 operations, and a visit 48. */
    spy->visits += report->row_visits > before ? report->row_visits - before
                                               : (double)(report->factorizations - factorizations) * n * n * n / 144.0;
    return status;
}

static void read_spy(const void *work, double *lambda)
{
    const watched *w = work;
    w->spy->of.solver->read(w->work, lambda);
}

static void refresh(void *work, const double *c)
{
    const watched *w = work;
    w->spy->rows_refreshed += w->n;
    w->spy->of.solver->refresh(w->work, c);
}

static void velocity(const void *work, double *v)
{
    const watched *w = work;
    w->spy->of.solver->velocity(w->work, v);
}

static dls_status renew(void *work, const dls_problem *problem, const double *v, dls_error *error)
{
    watched *w = work;
    w->spy->rows_loaded += problem->n;
    return w->spy->of.solver->renew(w->work, problem, v, error);
}

static void close_spy(void *work)
{
    watched *w = work;
    if (w)
        w->spy->of.solver->close(w->work);
    free(w);
}

static dls_splitting splitting(const void *settings)
{
    const dls_spy *spy = *(dls_spy *const *)settings;
    return spy->of.solver->splitting(spy->of.settings);
}

void dls_spy_set(dls_spy *spy, dls_choice of)
{
    const bool symmetric = of.solver->splitting && of.solver->splitting(of.settings).kind == DLS_SPLITTING_SYMMETRIC;
    *spy = (dls_spy){.of = of, .solver = *of.solver, .sweeps = symmetric ? 2 : 1};
    spy->self = spy;
    spy->solver.open = open_spy;
    spy->solver.reload = of.solver->reload ? reload : NULL;
    spy->solver.iterate = iterate;
    spy->solver.read = read_spy;
    spy->solver.refresh = of.solver->refresh ? refresh : NULL;
    spy->solver.velocity = of.solver->velocity ? velocity : NULL;
    spy->solver.renew = of.solver->renew ? renew : NULL;
    spy->solver.close = close_spy;
    spy->solver.splitting = of.solver->splitting ? splitting : NULL;
    spy->solver.iterate_together = NULL;
}

void dls_spy_release(dls_spy *spy)
{
    free(spy->start);
    *spy = (dls_spy){.start = NULL};
}
