/* A solver that hears Ctrl-C before each iteration, for calls that let nobody else listen. It is the solver in all
 * else. */
#include "parts.h"

#include <stdlib.h>

typedef struct work {
    const py_watched *of;
    void *real;
} work;

static dls_status open_work(const dls_problem *problem, const void *settings, const double *lambda0, void **kept,
                            dls_error *error)
{
    const py_watched *of = settings;
    work *w = *kept = calloc(1, sizeof *w);
    if (!w)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the solver %s", of->solver.name);
    w->of = of;
    dls_status status = of->real.solver->open(problem, of->real.settings, lambda0, &w->real, error);
    if (status != DLS_OK) {
        free(w);
        *kept = NULL;
    }
    return status;
}

static dls_status iterate(void *kept, dls_report *report, dls_error *error)
{
    work *w = kept;
    if (!py_watch_go_on(w->of->watch))
        return dls_fail(error, DLS_REFUSED, "interrupted");
    return w->of->real.solver->iterate(w->real, report, error);
}

static void read_impulses(const void *kept, double *lambda)
{
    const work *w = kept;
    w->of->real.solver->read(w->real, lambda);
}

static void close_work(void *kept)
{
    work *w = kept;
    if (w)
        w->of->real.solver->close(w->real);
    free(w);
}

static dls_splitting splitting(const void *settings)
{
    const py_watched *of = settings;
    return of->real.solver->splitting(of->real.settings);
}

dls_choice py_watched_choice(py_watched *watched, const dls_choice *real, py_watch *watch)
{
    const dls_solver *s = real->solver;
    *watched = (py_watched){.real = *real, .watch = watch};
    watched->solver = (dls_solver){.name = s->name,
                                   .summary = s->summary,
                                   .source = s->source,
                                   .kind = s->kind,
                                   .accepts = s->accepts,
                                   .fields = {NULL, 0, 1},
                                   .open = open_work,
                                   .iterate = iterate,
                                   .read = read_impulses,
                                   .close = close_work,
                                   .splitting = s->splitting ? splitting : NULL};
    return (dls_choice){&watched->solver, watched, NULL};
}
