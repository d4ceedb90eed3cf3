/* An interior path for Coulomb's cone, box friction and bounds (cone_path.c), and Newton's method from its end
 * (cone_descent.c) to the last digits. It takes 10 to 40 steps, for redundant contacts too, and no start decides what
 * it finds. A failure says nothing about the problem. A problem without friction goes to block-pivoting. */
#include "block_pivoting.h"
#include "cone_descent.h"
#include "cone_path.h"

typedef struct settings {
    double work;
    size_t limit;
} settings;

static const dls_field fields[] = {
    {"limit", "", DLS_FIELD_COUNT, offsetof(settings, limit), "100", 1, 1e9, false, NULL,
     "greatest number of steps of the path, and of Newton's method after it"},
    {"work", "", DLS_FIELD_REAL, offsetof(settings, work), "1e12", 1, HUGE_VAL, false, NULL,
     "greatest number of multiplications, 2 n^3 per step; then the best iterate is the answer"},
};

static dls_status solve_interior(dls_direct *d, double *lambda, dls_report *report, dls_error *error)
{
    const settings *set = d->settings;
    dls_cone_descent descent;
    dls_cone_path path;
    if (d->problem->n_coupled == 0)
        return dls_block_pivoting_without_friction(d, lambda, report, error);
    dls_cone_descent_take(&descent, d);
    dls_cone_path_take(&path, d);
    DLS_TRY(dls_direct_ready(d, error));
    const double affordable = set->work / (2.0 * (double)d->n * (double)d->n * (double)d->n);
    const size_t most = affordable < 2.0 * (double)set->limit ? (size_t)affordable : 2 * set->limit;
    dls_cone_path_follow(&path, most < set->limit ? most : set->limit, descent.lambda, report);
    const size_t on_path = report->iterations;
    const double enough = fmax(dls_solved_to, dls_cone_descent_rounding(&descent));
    dls_cone_descend(&descent, enough, most, report);
    dls_cone_descent_choose(&descent);
    memcpy(lambda, descent.lambda, d->n * sizeof *lambda);
    dls_report_end(report,
                   descent.least <= enough                               ? DLS_OUTCOME_SOLVED
                   : most < 2 * set->limit && report->iterations >= most ? DLS_OUTCOME_ITERATION_LIMIT
                                                                         : DLS_OUTCOME_NUMERICAL_FAILURE,
                   "steps of the path: %zu, of Newton's method: %zu; the largest violation of a row is %.3g", on_path,
                   report->iterations - on_path, descent.least);
    return DLS_OK;
}

DLS_DIRECT_SOLVER(cone_interior, solve_interior, DLS_DIRECT_CONTACTS, .name = "cone-interior",
                  .summary = "primal-dual interior path for Coulomb's cone, ended by Newton's method",
                  .source = "D. M. Kleinert, B. Simeon and M. Obermayr 2014; V. Acary et al. 2024",
                  .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED |
                             DLS_ACCEPTS_CONE,
                  .fields = DLS_FIELD_TABLE(fields, settings));
