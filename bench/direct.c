/* Direct methods on random definite problems, as multiples of one Cholesky factorisation of the whole matrix. */
#include "bench.h"
#include "peer.h"

#include "delassus/reference.h"

#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double patience = 5.0, wrong = 1e-9; /* [s] for one solve; scaled residual */

typedef struct direct_case {
    const char *bounds;
    size_t n;
    dls_problem *problem;
    dls_dense *dense;
    dls_examiner *examiner;
    double dpotrf;          /* [s] */
    double *lambda, *w, *A; /* A: n x n scratch */
} direct_case;

static int repeats(double seconds) { return seconds > 1.0 ? 1 : seconds > 0.1 ? 3 : 9; }

static double time_dpotrf(direct_case *c)
{
    double best = HUGE_VAL;
    for (int k = 0; k < 9; k++) {
        memcpy(c->A, c->dense->A, c->n * c->n * sizeof *c->A);
        double start = bench_clock();
        LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', (lapack_int)c->n, c->A, (lapack_int)c->n);
        best = fmin(best, bench_since(start));
    }
    return best;
}

static void release_direct(direct_case *c)
{
    free(c->lambda);
    dls_examiner_destroy(c->examiner);
    dls_dense_destroy(c->dense);
    dls_problem_destroy(c->problem);
}

static dls_status make_case(direct_case *c, dls_error *error)
{
    dls_recipe recipe = {DLS_MATRIX_DEFINITE, strcmp(c->bounds, "lcp") ? DLS_BOUNDS_BOXED : DLS_BOUNDS_LCP, c->n, 0.0,
                         1};
    dls_status status = dls_manufacture(&recipe, &c->problem, NULL, NULL, error);
    if (status == DLS_OK)
        status = dls_dense_create(c->problem, &c->dense, error);
    if (status == DLS_OK)
        status = dls_examiner_create(c->problem, &c->examiner, error);
    if (status == DLS_OK && !(c->lambda = calloc(c->n * (c->n + 2), sizeof *c->lambda)))
        status = dls_fail(error, DLS_NO_MEMORY, "no memory for a problem of %zu rows", c->n);
    if (status != DLS_OK) {
        release_direct(c);
        return status;
    }
    c->w = c->lambda + c->n;
    c->A = c->w + c->n;
    c->dpotrf = time_dpotrf(c);
    return DLS_OK;
}

static void examine_answer(bench *b, direct_case *c, const char *who)
{
    dls_certificate certificate;
    dls_examine(c->examiner, c->lambda, c->w, &certificate);
    if (!(certificate.scaled_residual < wrong))
        bench_note(b, "%s-%s %zu: the answer has a scaled residual of %.3g", who, c->bounds, c->n,
                   certificate.scaled_residual);
}

/* The least time of some solves without the assembly, in memory that is kept as in a run; -1 where the method refuses
 * the problem, -2 where it did not solve it. */
static dls_status time_solver(const dls_solver *solver, direct_case *c, double *best, dls_error *error)
{
    void *settings = calloc(1, solver->fields.size);
    dls_solver_work kept = {.solver = solver, .settings = settings};
    dls_report report = {0};
    if (!settings)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the settings of %s", solver->name);
    dls_status status = dls_fields_default(&solver->fields, settings, error);
    *best = HUGE_VAL;
    for (int k = 0, times = 2; k < times && status == DLS_OK && *best > 0.0; k++) {
        status = dls_solver_load(&kept, c->problem, NULL, &report, error);
        double start = bench_clock();
        if (status == DLS_OK)
            status = dls_solver_run(&kept, 1, c->lambda, &report, NULL, NULL, error);
        bool solved = report.outcome == DLS_OUTCOME_SOLVED, refused = report.outcome == DLS_OUTCOME_REFUSED;
        *best = solved ? fmin(*best, bench_since(start)) : refused ? -1.0 : -2.0;
        times = repeats(*best);
    }
    dls_solver_release(&kept);
    dls_report_release(&report);
    free(settings);
    return status;
}

static double ode_seconds(bench *b, direct_case *c)
{
    double best = HUGE_VAL;
#ifdef BENCH_ODE
    for (int k = 0, times = 1; k < times && best > 0.0; k++) {
        best = fmin(best, bench_ode_lcp(c->n, c->dense->A, c->dense->b, c->dense->lo, c->dense->hi, c->lambda));
        times = repeats(best);
    }
    examine_answer(b, c, "ode");
#else
    (void)b, (void)c;
#endif
    return best;
}

typedef struct method {
    const dls_solver *solver;
    double last; /* seconds at the last size */
    size_t last_n;
} method;

/* Cubic growth at the least: whether the next size would take too long. */
static bool too_slow(const method *m, size_t n)
{
    return m->last < 0.0 || m->last * pow((double)n / (double)m->last_n, 3.0) > patience;
}

static dls_status measure_direct(bench *b, method *m, direct_case *c, double ode, dls_error *error)
{
    char name[DLS_NAME_MAX];
    if (m->last_n && too_slow(m, c->n))
        return DLS_OK;
    DLS_TRY(time_solver(m->solver, c, &m->last, error));
    m->last_n = c->n;
    if (m->last < -1.0)
        bench_note(b, "%s-%s %zu: not solved", m->solver->name, c->bounds, c->n);
    if (m->last < 0.0)
        return DLS_OK;
    examine_answer(b, c, m->solver->name);
    snprintf(name, sizeof name, "%s-%s", m->solver->name, c->bounds);
    bench_add(b, name, c->n, m->last, "s", "dpotrf", c->dpotrf);
    if (isfinite(ode) && (strcmp(m->solver->name, "dantzig") == 0 || strcmp(m->solver->name, "block-pivoting") == 0))
        bench_add(b, name, c->n, m->last, "s", "ode", ode);
    return DLS_OK;
}

static dls_status size_of(bench *b, const char *bounds, size_t n, method *methods, size_t count, dls_error *error)
{
    direct_case c = {.bounds = bounds, .n = n};
    DLS_TRY(make_case(&c, error));
    double ode = ode_seconds(b, &c);
    dls_status status = DLS_OK;
    for (size_t k = 0; k < count && status == DLS_OK; k++)
        status = measure_direct(b, &methods[k], &c, ode, error);
    release_direct(&c);
    return status;
}

dls_status bench_direct(bench *b, dls_error *error)
{
    static const size_t sizes[] = {100, 200, 500, 1000, 2000};
    static const char *const bounds[] = {"lcp", "boxed"};
    enum { METHODS_MAX = 32 };
    for (size_t f = 0; f < 2; f++) {
        method methods[METHODS_MAX] = {{0}};
        size_t count = 0;
        for (size_t k = 0; dls_direct_solvers[k] && count < METHODS_MAX; k++)
            if (!(dls_direct_solvers[k]->accepts & DLS_ACCEPTS_COUPLED)) /* those do their work on other problems */
                methods[count++].solver = dls_direct_solvers[k];
        for (size_t k = 0; k < (b->quick ? 3u : 5u); k++)
            DLS_TRY(size_of(b, bounds[f], sizes[k], methods, count, error));
    }
    return DLS_OK;
}
