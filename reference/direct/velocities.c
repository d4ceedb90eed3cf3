/* How many values v+ has under friction that is bounded by the normal impulse.
 *
 * With fixed bounds and a symmetric positive semidefinite A, v+ is unique. Friction under a box or a cone is no minimum
 * of anything, and v+ may have several values: Painleve's rod opens, slides or sticks. With facets in the place of the
 * cones the problem is an LCP (facets.c), of which enumeration lists a point of every set of solutions; each is carried
 * over to the law itself and counts where the examiner finds it good. A cone is an octagon there, so a solution that
 * slides between two of its corners is only near one: it may be missed. What is listed is there; that nothing else is,
 * is not proved. */
#include "delassus/reference.h"

#include "base/arithmetic.h"

#include <math.h>
#include <stdlib.h>

/* Enumeration takes 65536 index sets by default: one cone of eight facets, or two contacts under a box. With more rows
 * than that the dense LCP is not even formed, for its size grows with the square of theirs. */
enum { FACETS = 8, COUPLED_MAX = 8 };
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

/* The solutions of the LCP that are ones of the law too, each v+ once. */
static dls_status collect_velocities(search *s, const dls_facets *facets, const dls_report *report, dls_error *error)
{
    const size_t n = s->problem->n;
    s->found->lambda = calloc(report->n_solutions * n + 1, sizeof(double));
    if (!s->found->lambda)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu solutions of %zu rows", report->n_solutions, n);
    for (size_t k = 0; k < report->n_solutions; k++) {
        double *lambda = s->found->lambda + s->found->count * n;
        dls_facets_impulses(facets, report->solutions + k * facets->m, lambda);
        dls_certificate c;
        dls_examine(s->examiner, lambda, NULL, &c);
        if (c.scaled_residual <= s->tolerance && is_new(s, lambda))
            s->found->count++;
    }
    return DLS_OK;
}

static dls_status enumerate_facets(search *s, const dls_facets *facets, dls_error *error)
{
    dls_solver_work kept = {.solver = dls_direct_find("enumeration")};
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
        status = collect_velocities(s, facets, &report, error);
    dls_solver_release(&kept);
    dls_settings_release(&settings);
    dls_report_release(&report);
    free(z);
    return status;
}

dls_status dls_velocities_find(const dls_problem *problem, dls_examiner *examiner, double tolerance,
                               dls_velocities *found, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    search s = {problem, examiner, tolerance, .found = found};
    dls_facets *facets = NULL;
    dls_error refusal;
    *found = (dls_velocities){0};
    if (problem->n_coupled == 0 || problem->n_coupled > COUPLED_MAX)
        return DLS_OK;
    dls_status status = dls_problem_facets(problem, FACETS, DLS_FACETS_EXACT, &facets, &refusal);
    if (status == DLS_REFUSED)
        return DLS_OK;
    if (status != DLS_OK && error)
        *error = refusal;
    if (status == DLS_OK) {
        s.zero = calloc(problem->n + 1, sizeof *s.zero);
        status = s.zero ? enumerate_facets(&s, facets, error)
                        : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", problem->n);
    }
    free(s.zero);
    dls_facets_destroy(facets);
    return status;
}

void dls_velocities_release(dls_velocities *found)
{
    free(found->lambda);
    *found = (dls_velocities){0};
}
