/* The table of direct methods, and what all of them have in common: assembly, units, twins, and memory that is kept. */
#include "direct.h"

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
    double *lambda;    /* n, in the units of q */
    _Alignas(max_align_t) unsigned char settings[];
} work;

/* --- units --- */

/* By A_ii, or where that says little (0, or A is not symmetric) by the largest entry of row and column. Rows that
 * nothing can move have the unit 1. */
static void choose_units(dls_direct *d, int prepare)
{
    const dls_problem *p = d->problem;
    const dls_dense *q = &d->q;
    double *s = d->s;
    for (size_t i = 0; i < d->n; i++) {
        double diagonal = q->A[i + q->n * i];
        bool serves = diagonal > 0.0 && q->symmetric;
        s[i] = serves ? diagonal : 0.0;
        for (size_t j = 0; !serves && j < q->n; j++)
            s[i] = fmax(s[i], fmax(fabs(q->A[i + q->n * j]), fabs(q->A[j + q->n * i])));
    }
    for (size_t i = 0; prepare == DLS_DIRECT_CONTACTS && i < d->n; i++)
        if (dls_problem_is_cone(p, i))
            s[i] = s[i + 1] = s[i + 2] = fmax(s[i], fmax(s[i + 1], s[i + 2]));
    for (size_t i = 0; prepare == DLS_DIRECT_CONTACTS && i < d->n; i++)
        if (p->law[i] == DLS_LAW_BOX)
            s[i] = s[p->parent[i]];
    for (size_t i = 0; i < d->n; i++)
        s[i] = s[i] > 0.0 ? exp2(-rint(0.5 * log2(s[i]))) : 1.0;
}

static void scale(dls_direct *d)
{
    dls_dense *q = &d->q;
    const double *s = d->s;
    d->size = 0.0;
    for (size_t j = 0; j < q->n; j++)
        for (size_t i = 0; i < q->n; i++)
            q->A[i + q->n * j] *= s[i] * s[j];
    for (size_t i = 0; i < q->n; i++) {
        q->b[i] *= s[i];
        q->lo[i] /= s[i];
        q->hi[i] /= s[i];
        const double at[3] = {q->b[i], q->lo[i], q->hi[i]};
        for (int k = 0; k < 3; k++)
            if (isfinite(at[k]))
                d->size = fmax(d->size, fabs(at[k]));
    }
    if (d->size == 0.0)
        d->size = 1.0;
}

/* --- the functions of a solver --- */

dls_status dls_direct_ready(const dls_direct *d, dls_error *error)
{
    return d->memory->failed
               ? dls_fail(error, DLS_NO_MEMORY, "no memory for %s on a problem of %zu rows", d->name, d->n)
               : DLS_OK;
}

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
    (void)lambda0;
    dls_arena_reset(&w->problem);
    dls_arena_reset(&w->memory);
    *d = (dls_direct){problem, w->settings, w->solver->name, .n = problem->n, .memory = &w->memory};
    DLS_TRY(dls_dense_take(problem, &w->problem, &w->memory, &d->q, error));
    d->s = DLS_TAKE(&w->problem, double, d->n);
    w->lambda = DLS_TAKE_ZEROS(&w->problem, double, d->n);
    if (w->problem.failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a dense problem of %zu rows", d->n);
    choose_units(d, w->prepare);
    scale(d);
    dls_arena_reset(&w->memory);
    return DLS_OK;
}

dls_status dls_direct_open(const dls_solver *solver, dls_direct_solve *solve, int prepare, const dls_problem *problem,
                           const void *settings, void **out, dls_error *error)
{
    work *w = calloc(1, sizeof *w + solver->fields.size);
    *out = NULL;
    if (!w)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %s", solver->name);
    w->solver = solver, w->solve = solve, w->prepare = prepare;
    memcpy(w->settings, settings, solver->fields.size);
    dls_status status = dls_direct_reload(w, problem, NULL, error);
    if (status == DLS_OK)
        *out = w;
    else
        dls_direct_close(w);
    return status;
}

/* Withdraws an answer whose impulses are so large that rounding leaves nothing of w: a singular problem without a
 * solution may end so. */
dls_status dls_direct_iterate(void *memory, dls_report *report, dls_error *error)
{
    work *w = memory;
    double largest = 0.0;
    DLS_TRY(w->solve(&w->direct, w->lambda, report, error));
    for (size_t i = 0; i < w->direct.n; i++)
        largest = fmax(largest, fabs(w->lambda[i]));
    if (report->outcome == DLS_OUTCOME_SOLVED && largest > dls_reach * w->direct.size)
        dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE,
                       "impulses of %.3g (scaled, b and bounds at most %.3g): nothing is left of w but rounding; there "
                       "may be no solution",
                       largest, w->direct.size);
    return DLS_OK;
}

void dls_direct_read(const void *memory, double *lambda)
{
    const work *w = memory;
    for (size_t i = 0; i < w->direct.n; i++)
        lambda[i] = w->direct.s[i] * w->lambda[i];
}

/* --- twins --- */

void dls_direct_split(dls_direct *d, size_t count, const size_t *rows)
{
    const dls_dense old = d->q;
    size_t n = d->n + count;
    dls_dense q = {n,
                   dls_take_matrix(d->memory, n, n),
                   DLS_TAKE(d->memory, double, n),
                   DLS_TAKE(d->memory, double, n),
                   DLS_TAKE(d->memory, double, n),
                   old.symmetric};
    d->twin = DLS_TAKE(d->memory, size_t, count);
    if (d->memory->failed)
        return;
    memcpy(d->twin, rows, count * sizeof *rows);
    d->n_twins = count;
    d->q = q;
    for (size_t j = 0; j < n; j++) {
        size_t from = j < old.n ? j : rows[j - old.n];
        double sign = j < old.n ? 1.0 : -1.0;
        for (size_t i = 0; i < n; i++)
            q.A[i + n * j] = i < old.n ? sign * old.A[i + old.n * from] : -sign * old.A[rows[i - old.n] + old.n * from];
        q.b[j] = sign * old.b[from];
        q.lo[j] = j < old.n ? old.lo[j] : 0.0;
        q.hi[j] = j < old.n ? old.hi[j] : HUGE_VAL;
    }
    for (size_t k = 0; k < count; k++)
        q.lo[rows[k]] = 0.0;
}

void dls_direct_join(const dls_direct *d, const double *x, double *joined)
{
    memcpy(joined, x, d->n * sizeof *joined);
    for (size_t k = 0; k < d->n_twins; k++)
        joined[d->twin[k]] -= x[d->n + k];
}
