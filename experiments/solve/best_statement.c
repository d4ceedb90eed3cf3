/* The strongest statement about a problem, from all that the direct methods know.
 *
 * A statement about friction is about impulses on their bounds and cones, and rounding errors leave those of a method
 * beside them. So it is made about the admissible impulses next to the answer, by a rule that moves none by more than
 * its residual: a row with bounds of its own is at the one at which lambda_i - w_i / A_ii ends, or beyond which
 * lambda_i is; then the friction of each contact is shortened where it is more than the normal impulse allows. The
 * examiner measures these impulses again. */
#include "delassus/experiments.h"

#include <math.h>
#include <stdlib.h>

enum { ALL_ROWS = 32 }; /* problems of at most so many rows with fixed bounds: all solutions */

/* A direct method's Farkas vector, in `report`. */
static dls_status find_farkas_vector(const dls_problem *p, double *lambda, dls_report *report, dls_error *error)
{
    for (const dls_solver *const *solver = dls_direct_solvers; *solver; solver++) {
        dls_choice choice;
        dls_report_release(report);
        DLS_TRY(dls_choice_create((*solver)->name, &choice, error));
        const dls_status status = dls_solve(*solver, p, choice.settings, 1000, lambda, report, NULL, NULL, error);
        dls_choice_release(&choice);
        if (status == DLS_NO_MEMORY)
            return status;
        if (status == DLS_OK && report->outcome == DLS_OUTCOME_NO_SOLUTION && report->proof_vector)
            return DLS_OK;
    }
    return dls_fail(error, DLS_REFUSED, "no method has a Farkas vector of the problem, which has no solution");
}

static dls_status state_no_solution(const dls_problem *p, const dls_statement_settings *settings,
                                    dls_best_statement *best, dls_error *error)
{
    dls_report report = {0};
    double *lambda = calloc(p->n + 1, sizeof *lambda);
    dls_status status =
        lambda ? find_farkas_vector(p, lambda, &report, error) : dls_fail(error, DLS_NO_MEMORY, "no memory");
    if (status == DLS_OK)
        status = dls_statement_create(p, NULL, report.proof_vector, settings, &best->statement, error);
    dls_report_release(&report);
    free(lambda);
    return status;
}

/* The tangents i and i + 1 of a disc whose normal impulse is `normal`. */
static void shorten_disc(const dls_problem *p, size_t i, double normal, double *lambda)
{
    const double x = p->mu[i] > 0.0 ? lambda[i] / p->mu[i] : 0.0,
                 y = p->mu[i + 1] > 0.0 ? lambda[i + 1] / p->mu[i + 1] : 0.0;
    const double size = hypot(x, y), factor = size > normal ? normal / size : 1.0;
    lambda[i] = x == 0.0 ? 0.0 : factor * lambda[i];
    lambda[i + 1] = y == 0.0 ? 0.0 : factor * lambda[i + 1];
}

static void shorten_friction(const dls_problem *p, double *lambda)
{
    for (size_t i = 0; i < p->n; i++) {
        if (p->parent[i] == DLS_NONE)
            continue;
        const double normal = lambda[p->parent[i]], most = p->mu[i] * normal;
        if (dls_law_has_discs(p->law[i]))
            shorten_disc(p, i++, normal, lambda);
        else
            lambda[i] = fmin(fmax(lambda[i], -most), most);
    }
}

/* The velocity that is complementary to lambda_i; under the associated law w_n - sum h(w). */
static double complementary_velocity(const dls_problem *p, size_t i, const double *w)
{
    double u = w[i];
    for (size_t k = i + 1; k < i + 1 + 2 * dls_problem_discs(p, i); k += 2)
        u -= p->law[k] == DLS_LAW_ASSOCIATED ? hypot(p->mu[k] * w[k], p->mu[k + 1] * w[k + 1]) : 0.0;
    return u;
}

static dls_status make_admissible(const dls_problem *p, dls_examiner *examiner, dls_reference_solution *of,
                                  dls_error *error)
{
    double *w = calloc(2 * (p->n + p->nv) + 1, sizeof *w), *diagonal = w + p->n, *scratch = diagonal + p->n;
    if (!w)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a statement about %zu rows", p->n);
    dls_examine(examiner, of->lambda, w, &of->certificate);
    dls_problem_diagonal(p, diagonal, scratch);
    for (size_t i = 0; i < p->n; i++) {
        const double u = complementary_velocity(p, i, w);
        const double to = of->lambda[i] - (diagonal[i] > 0.0 ? u / diagonal[i] : 0.0);
        if (p->parent[i] == DLS_NONE && (to <= p->lo[i] || of->lambda[i] <= p->lo[i]))
            of->lambda[i] = p->lo[i];
        else if (p->parent[i] == DLS_NONE && (to >= p->hi[i] || of->lambda[i] >= p->hi[i]))
            of->lambda[i] = p->hi[i];
    }
    shorten_friction(p, of->lambda);
    dls_examine(examiner, of->lambda, w, &of->certificate);
    free(w);
    return DLS_OK;
}

/* About the best answer of the direct methods. */
static dls_status state_reference(const dls_problem *p, const char *methods, const dls_statement_settings *settings,
                                  dls_best_statement *best, dls_error *error)
{
    dls_examiner *examiner;
    DLS_TRY(dls_examiner_create(p, &examiner, error));
    dls_status status = dls_reference_solution_create(p, examiner, methods, 1e-12, &best->reference, error);
    if (status == DLS_OK) {
        status = p->n_coupled > 0 ? make_admissible(p, examiner, best->reference, error) : DLS_OK;
        if (status == DLS_OK)
            status = dls_statement_create(p, best->reference->lambda, NULL, settings, &best->statement, error);
    } else if (status == DLS_UNSOLVABLE) {
        status = state_no_solution(p, settings, best, error);
    }
    dls_examiner_destroy(examiner);
    return status;
}

dls_status dls_best_statement_find(const dls_problem *p, const char *methods, const dls_statement_settings *settings,
                                   dls_best_statement *best, dls_error *error)
{
    *best = (dls_best_statement){.statement = NULL};
    if (p->n <= ALL_ROWS && p->n_coupled == 0) {
        DLS_TRY(dls_statement_create(p, NULL, NULL, settings, &best->statement, error));
        if (dls_statement_kind_of(best->statement) != DLS_STATEMENT_NONE)
            return DLS_OK;
        dls_statement_destroy(best->statement);
        best->statement = NULL;
    }
    return state_reference(p, methods, settings, best, error);
}

void dls_best_statement_release(dls_best_statement *best)
{
    dls_statement_destroy(best->statement);
    dls_reference_solution_destroy(best->reference);
    *best = (dls_best_statement){.statement = NULL};
}
