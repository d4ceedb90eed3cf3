/* A solver that gets the rows of every problem in another order: each problem is reordered, and its impulses are taken
 * back (delassus/problem.h).
 */
#include "study/rig.h"

#include "base/memory.h"

#include <stdlib.h>

typedef struct ordered_work {
    const dls_ordered *ordered;
    dls_problem *problem; /* the reordered one, which the inner work is of */
    size_t *order;        /* n */
    double *x;            /* n: numbers of the rows of the reordered problem */
    size_t order_capacity, x_capacity;
    void *work;
} ordered_work;

static void close_ordered(void *work)
{
    ordered_work *w = work;
    if (!w)
        return;
    if (w->work)
        w->ordered->of.solver->close(w->work);
    dls_problem_destroy(w->problem);
    free(w->order);
    free(w->x);
    free(w);
}

/* The problem in the other order, and the impulses to start from in w->x. */
static dls_status reorder(ordered_work *w, const dls_problem *problem, const double *lambda0, dls_problem **reordered,
                          dls_error *error)
{
    if (!DLS_GROW(w->order, w->order_capacity, problem->n + 1) || !DLS_GROW(w->x, w->x_capacity, problem->n + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the order of %zu rows", problem->n);
    DLS_TRY(dls_problem_order(problem, w->ordered->order, w->ordered->seed, w->order, error));
    if (lambda0)
        dls_order_apply(problem->n, w->order, lambda0, w->x);
    return dls_problem_reorder(problem, w->order, reordered, error);
}

static dls_status open_ordered(const dls_problem *problem, const void *settings, const double *lambda0, void **work,
                               dls_error *error)
{
    const dls_ordered *ordered = *(dls_ordered *const *)settings;
    ordered_work *w = calloc(1, sizeof *w);
    *work = NULL;
    if (!w)
        return dls_fail(error, DLS_NO_MEMORY, "no memory to reorder the rows for %s", ordered->of.solver->name);
    w->ordered = ordered;
    dls_status status = reorder(w, problem, lambda0, &w->problem, error);
    if (status == DLS_OK)
        status = ordered->of.solver->open(w->problem, ordered->of.settings, lambda0 ? w->x : NULL, &w->work, error);
    if (status == DLS_OK)
        *work = w;
    else
        close_ordered(w);
    return status;
}

/* The inner work is of `reordered` from here on; the problem before it goes. */
static void replace(ordered_work *w, dls_problem *reordered)
{
    dls_problem_destroy(w->problem);
    w->problem = reordered;
}

static dls_status reload(void *work, const dls_problem *problem, const double *lambda0, dls_error *error)
{
    ordered_work *w = work;
    dls_problem *reordered;
    DLS_TRY(reorder(w, problem, lambda0, &reordered, error));
    const dls_status status = w->ordered->of.solver->reload(w->work, reordered, lambda0 ? w->x : NULL, error);
    replace(w, reordered);
    return status;
}

static dls_status renew(void *work, const dls_problem *problem, const double *v, dls_error *error)
{
    ordered_work *w = work;
    dls_problem *reordered;
    const bool matrix = problem->form == DLS_FORM_MATRIX; /* v is lambda */
    DLS_TRY(reorder(w, problem, matrix ? v : NULL, &reordered, error));
    const dls_status status = w->ordered->of.solver->renew(w->work, reordered, v && matrix ? w->x : v, error);
    replace(w, reordered);
    return status;
}

static dls_status iterate(void *work, dls_report *report, dls_error *error)
{
    const ordered_work *w = work;
    return w->ordered->of.solver->iterate(w->work, report, error);
}

static void read_ordered(const void *work, double *lambda)
{
    const ordered_work *w = work;
    w->ordered->of.solver->read(w->work, w->x);
    dls_order_undo(w->problem->n, w->order, w->x, lambda);
}

static void refresh(void *work, const double *c)
{
    const ordered_work *w = work;
    dls_order_apply(w->problem->n, w->order, c, w->x);
    w->ordered->of.solver->refresh(w->work, w->x);
}

static void velocity(const void *work, double *v)
{
    const ordered_work *w = work;
    if (w->problem->form == DLS_FORM_MATRIX)
        read_ordered(work, v);
    else
        w->ordered->of.solver->velocity(w->work, v);
}

static dls_splitting splitting(const void *settings)
{
    const dls_ordered *ordered = *(dls_ordered *const *)settings;
    return ordered->of.solver->splitting(ordered->of.settings);
}

dls_choice dls_ordered_set(dls_ordered *ordered, dls_choice of, dls_row_order order, uint64_t seed)
{
    *ordered = (dls_ordered){.of = of, .order = order, .seed = seed, .solver = *of.solver};
    ordered->self = ordered;
    ordered->solver.open = open_ordered;
    ordered->solver.reload = of.solver->reload ? reload : NULL;
    ordered->solver.iterate = iterate;
    ordered->solver.read = read_ordered;
    ordered->solver.close = close_ordered;
    ordered->solver.splitting = of.solver->splitting ? splitting : NULL;
    ordered->solver.refresh = of.solver->refresh ? refresh : NULL;
    ordered->solver.velocity = of.solver->velocity ? velocity : NULL;
    ordered->solver.renew = of.solver->renew ? renew : NULL;
    ordered->solver.iterate_together = NULL;
    return (dls_choice){&ordered->solver, &ordered->self, NULL};
}
