/* How many values v+ has under friction that is bounded by the normal impulse.
 *
 * With fixed bounds and a symmetric positive semidefinite A, v+ is unique. Friction under a box or a cone is no minimum
 * of anything, and v+ may have several values: Painleve's rod opens, slides or sticks. With facets in the place of the
 * cones the problem is an LCP (facets.c), of which the exact search lists every solution; each is carried over to the
 * law itself, by a nonsmooth Gauss-Seidel where the polygon is not exact in its direction, and counts where the examiner
 * finds it good. So what is listed is there; that nothing else is, facets cannot prove. */
#include "delassus/reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FACETS = 4, ROWS = 20 }; /* of the LCP: the search grows with 2^rows at worst */
static const double apart = 1e-6; /* of two velocities, as a share of what the impulses of the larger one make */

typedef struct search {
    const dls_problem *problem;
    dls_examiner *examiner;
    double tolerance;
    double *zero; /* n */
    dls_velocities *found;
} search;

static bool is_new(const search *s, const double *lambda)
{
    for (size_t k = 0; k < s->found->count; k++) {
        const double *other = s->found->lambda + k * s->problem->n;
        double size = fmax(dls_examiner_distance(s->examiner, lambda, s->zero),
                           dls_examiner_distance(s->examiner, other, s->zero));
        if (!(dls_examiner_distance(s->examiner, lambda, other) > apart * size))
            return false;
    }
    return true;
}

static bool good(const search *s, const double *lambda)
{
    dls_certificate c;
    dls_examine(s->examiner, lambda, NULL, &c);
    return c.scaled_residual <= s->tolerance;
}

/* The solutions of the LCP that are ones of the law too, each v+ once. */
static dls_status collect(search *s, const dls_facets *facets, const dls_report *report, dls_error *error)
{
    const size_t n = s->problem->n;
    s->found->lambda = calloc(report->n_solutions * n + 1, sizeof(double));
    if (!s->found->lambda)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu solutions of %zu rows", report->n_solutions, n);
    for (size_t k = 0; k < report->n_solutions; k++) {
        double *lambda = s->found->lambda + s->found->count * n;
        dls_facets_impulses(facets, report->solutions + k * facets->m, lambda);
        if (good(s, lambda) && is_new(s, lambda))
            s->found->count++;
        else
            s->found->beside++;
    }
    return DLS_OK;
}

static dls_status search_facets(search *s, const dls_facets *facets, dls_error *error)
{
    dls_solver_work kept = {.solver = dls_direct_find("exact")};
    dls_settings settings = {0};
    dls_report report = {0};
    double *z = calloc(facets->m + 1, sizeof *z);
    dls_status status = z ? dls_settings_create(&kept.solver->fields, &settings, error)
                          : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu unknowns", facets->m);
    kept.settings = settings.values;
    if (status == DLS_OK)
        status = dls_solver_load(&kept, facets->problem, NULL, &report, error);
    if (status == DLS_OK)
        status = dls_solver_run(&kept, 1, z, &report, NULL, NULL, error);
    if (status == DLS_OK)
        status = collect(s, facets, &report, error);
    dls_solver_release(&kept);
    dls_settings_release(&settings);
    dls_report_release(&report);
    free(z);
    return status;
}
