/* The table of direct methods, and the functions of a solver that all of them share. */
#include "direct.h"

#include "blas.h"
#include "redundant.h"
#include "self_check.h"
#include "verdicts.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

const dls_solver *const dls_direct_solvers[] = {
#define SOLVER(name) &dls_solver_##name,
#include "direct.def"
#undef SOLVER
    NULL};

const dls_solver *dls_direct_find(const char *name)
{
    for (size_t i = 0; dls_direct_solvers[i]; i++)
        if (strcmp(dls_direct_solvers[i]->name, name) == 0)
            return dls_direct_solvers[i];
    return NULL;
}

typedef struct work {
    const dls_solver *solver;
    dls_direct_solve *solve;
    int prepare;
    dls_direct direct;
    dls_arena problem; /* q, s and lambda */
    dls_arena memory;  /* of the assembly, and then of the method */
    dls_dense q;       /* as a method finds it, without twins */
    double *lambda;    /* n, in the units of q */
    _Alignas(max_align_t) unsigned char settings[];
} work;

void dls_direct_close(void *memory)
{
    work *w = memory;
    if (!w)
        return;
    dls_arena_release(&w->problem);
    dls_arena_release(&w->memory);
    free(w);
}

dls_status dls_direct_reload(void *memory, const dls_problem *problem, const double *lambda0, dls_error *error)
{
    work *w = memory;
    dls_direct *d = &w->direct;
    const bool takes_start = lambda0 && (w->solver->accepts & DLS_TAKES_START);
    dls_arena_reset(&w->problem);
    dls_arena_reset(&w->memory);
    *d = (dls_direct){problem, w->settings, w->solver->name, .n = problem->n, .memory = &w->memory};
    DLS_TRY(dls_dense_take(problem, &w->problem, &w->memory, &d->q, error));
    d->row_unit = DLS_TAKE(&w->problem, int, d->n), d->impulse_unit = DLS_TAKE(&w->problem, int, d->n);
    d->block = DLS_TAKE(&w->problem, size_t, d->n);
    d->right = DLS_TAKE(&w->problem, double, d->n), d->size = DLS_TAKE(&w->problem, double, d->n);
    w->lambda = DLS_TAKE_ZEROS(&w->problem, double, d->n);
    if (w->problem.failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a dense problem of %zu rows", d->n);
    DLS_TRY(dls_direct_choose_units(d, w->prepare, error));
    dls_arena_reset(&w->memory);
    DLS_TRY(dls_redundant_find(d, &w->problem, &w->memory, &d->redundant, error));
    dls_redundant_remove(&d->redundant, &d->q);
    dls_direct_measure_blocks(d);
    w->q = d->q;
    for (size_t i = 0; takes_start && i < d->n; i++)
        w->lambda[i] = isfinite(lambda0[i]) ? dls_direct_impulse_scaled(d, i, lambda0[i]) : 0.0;
    dls_arena_reset(&w->memory);
    return DLS_OK;
}

dls_status dls_direct_open(const dls_solver *solver, dls_direct_solve *solve, int prepare, const dls_problem *problem,
                           const void *settings, const double *lambda0, void **out, dls_error *error)
{
    *out = NULL;
    DLS_TRY(dls_self_check(error));
    work *w = calloc(1, sizeof *w + solver->fields.size);
    if (!w)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %s", solver->name);
    w->solver = solver, w->solve = solve, w->prepare = prepare;
    memcpy(w->settings, settings, solver->fields.size);
    dls_status status = dls_direct_reload(w, problem, lambda0, error);
    if (status == DLS_OK)
        *out = w;
    else
        dls_direct_close(w);
    return status;
}

dls_status dls_direct_iterate(void *memory, dls_report *report, dls_error *error)
{
    work *w = memory;
    DLS_TRY(dls_blas_ready(error));
    DLS_TRY(w->solve(&w->direct, w->lambda, report, error));
    dls_direct whole = w->direct;
    whole.q = w->q, whole.n_twins = 0;
    return dls_direct_judge(&whole, w->lambda, report, error);
}

void dls_direct_read(const void *memory, double *lambda)
{
    const work *w = memory;
    for (size_t i = 0; i < w->direct.n; i++)
        lambda[i] = dls_direct_impulse(&w->direct, i, w->lambda[i]);
}
