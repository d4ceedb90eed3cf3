/* Semismooth Newton on Alart and Curnier's map (cone_descent.c): Coulomb's cone, box friction and bounds, dense.
 *
 * The first start is a few sweeps over the contacts (cone_map.c). A descent that ends elsewhere than at a solution is
 * followed by others: from the end of an interior path (cone_path.c), which leads to the middle of the set of solutions
 * where redundant contacts have many, and then from more sweeps, twice as many each time, from the end of the last
 * descent. The report counts these rounds and says so where the path was followed; the best point of all is the answer.
 * A step costs n^3, so hundreds of contacts come to the limit of the work first; the same limit on every machine.
 *
 * A problem without friction goes to block-pivoting, and the report says so.
 *
 * Nothing here promises that a solution exists, and a failure after the last round says nothing about the problem.
 * Where A is singular there may be several solutions, with different velocities too, for the law is not that of a
 * minimum; the method finds one of them. The answer is projected into its bounds and cones at the end, if F is as near
 * to 0 there. */
#include "block_pivoting.h"
#include "cone_descent.h"
#include "cone_path.h"

typedef struct settings {
    double tolerance;
    double work;
    size_t limit, sweeps, rounds;
} settings;

static const dls_field fields[] = {
    {"tolerance", "", DLS_FIELD_REAL, offsetof(settings, tolerance), "1e-12", 0, 1, false, NULL,
     "violation of a row that ends the rounds, as a share of its own terms, |b_i| + sum_j |A_ij lambda_j| of w_i; at "
     "least their rounding error; after the interior path 1e-10 is enough"},
    {"limit", "", DLS_FIELD_COUNT, offsetof(settings, limit), "100", 1, 1e9, false, NULL,
     "greatest number of Newton steps per round"},
    {"sweeps", "", DLS_FIELD_COUNT, offsetof(settings, sweeps), "20", 0, 1e9, false, NULL,
     "number of sweeps over the contacts before the first round; it doubles with each round"},
    {"rounds", "", DLS_FIELD_COUNT, offsetof(settings, rounds), "10", 1, 30, false, NULL,
     "greatest number of rounds of Newton's method"},
    {"work", "", DLS_FIELD_REAL, offsetof(settings, work), "1e12", 1, HUGE_VAL, false, NULL,
     "greatest number of multiplications, 2 n^3 per Newton step and n^2 per sweep; then the best iterate is the "
     "answer"},
};

enum { INNER = 10, PATH_ROUND = 1 };

typedef struct work {
    const settings *set;
    dls_cone_descent descent;
    dls_cone_path path;
    size_t rounds, passes; /* passes: sweeps */
} work;

static double newton_tolerance(const work *w)
{
    return fmax(w->set->tolerance, dls_cone_descent_rounding(&w->descent));
}

/* Whether no further round is needed: the tolerance is reached, or after the path the violation of a claim. */
static bool newton_solved(const work *w)
{
    return w->descent.least <= newton_tolerance(w) || (w->rounds > PATH_ROUND && w->descent.least <= dls_solved_to);
}

/* The number of steps that the work allows beside the sweeps. */
static size_t affordable_steps(const work *w)
{
    const double n = (double)w->descent.n;
    const double steps = (w->set->work - n * n * (double)w->passes) / (2.0 * n * n * n);
    return steps >= 1e9 ? (size_t)1e9 : steps > 0.0 ? (size_t)steps : 0;
}

static size_t steps_of_round(const work *w, const dls_report *report)
{
    const size_t most = report->iterations + w->set->limit, affordable = affordable_steps(w);
    return most < affordable ? most : affordable;
}

static void conclude_newton(work *w, dls_report *report)
{
    const char *path = w->rounds > PATH_ROUND ? "; a start by an interior path" : "";
    dls_cone_descent_choose(&w->descent);
    const bool solved = newton_solved(w);
    if (!solved && affordable_steps(w) <= report->iterations)
        dls_report_end(report, DLS_OUTCOME_ITERATION_LIMIT,
                       "the limit of the work after %zu rounds and %zu steps; the largest violation of a row is %.3g; "
                       "sweeps (nsgs) take less for each digit of so many contacts",
                       w->rounds, report->iterations, w->descent.least);
    else if (!solved || w->rounds > 1 || w->descent.gradient_steps > 0)
        dls_report_end(report, solved ? DLS_OUTCOME_SOLVED : DLS_OUTCOME_NUMERICAL_FAILURE,
                       "rounds: %zu, gradient steps: %zu%s; the largest violation of a row is %.3g", w->rounds,
                       w->descent.gradient_steps, path, w->descent.least);
    else
        report->outcome = DLS_OUTCOME_SOLVED;
}

static dls_status solve_newton(dls_direct *d, double *lambda, dls_report *report, dls_error *error)
{
    work w = {.set = d->settings};
    if (d->problem->n_coupled == 0)
        return dls_block_pivoting_without_friction(d, lambda, report, error);
    dls_cone_descent_take(&w.descent, d);
    dls_cone_path_take(&w.path, d);
    DLS_TRY(dls_direct_ready(d, error));
    for (size_t sweeps = w.set->sweeps;
         !newton_solved(&w) && w.rounds < w.set->rounds && affordable_steps(&w) > report->iterations; w.rounds++) {
        if (w.rounds != PATH_ROUND) {
            for (size_t k = 0; k < sweeps && affordable_steps(&w) > report->iterations; k++, w.passes++)
                dls_cone_map_sweep(d, INNER, w.descent.lambda);
            sweeps *= 2;
        } else {
            dls_cone_path_follow(&w.path, steps_of_round(&w, report) - report->iterations, w.descent.lambda, report);
        }
        dls_cone_descend(&w.descent, newton_tolerance(&w), steps_of_round(&w, report), report);
    }
    conclude_newton(&w, report);
    memcpy(lambda, w.descent.lambda, d->n * sizeof *lambda);
    return DLS_OK;
}

DLS_DIRECT_SOLVER(cone_newton, solve_newton, DLS_DIRECT_CONTACTS, .name = "cone-newton",
                  .summary = "semismooth Newton on Alart and Curnier's map, from sweeps and an interior path",
                  .source = "P. Alart and A. Curnier 1991; L. Qi and J. Sun 1993",
                  .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED |
                             DLS_ACCEPTS_CONE | DLS_ACCEPTS_ROLLING,
                  .fields = DLS_FIELD_TABLE(fields, settings));
