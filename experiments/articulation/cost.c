/* Cost of a step over the number of links and degrees of freedom: chains of hinges, of ball joints, and of rods of
 * which only four hinges move. Sizes are reproducible; the times, of a step of semi-implicit Euler, are measured.
 */
#include "parts.h"

#include <math.h>

const char *const dls_reduced_joint_names[DLS_REDUCED_KINDS] = {"hinges", "balls", "few"};
/* The shortest step counts, of so many at least, and of more while they have taken less time than that [s]. */
enum { TIMED = 12, TIMED_MOST = 1000 };
static const double timed = 2e-3;

dls_status dls_reduced_time(const dls_model *model, const char *solver, size_t iterations, double h, double *seconds,
                            dls_error *error)
{
    const dls_rig_plan plan = {.solver = solver, .iterations = iterations, .diverges = true};
    double total = 0.0;
    dls_rig rig;
    *seconds = HUGE_VAL;
    DLS_TRY(dls_rig_open_model(&rig, model, &plan, error));
    for (double begin = dls_seconds(); dls_rig_next(&rig, h, total < timed ? TIMED_MOST : TIMED);
         begin = dls_seconds()) {
        const double taken = dls_seconds() - begin;
        *seconds = fmin(*seconds, taken);
        total += taken;
    }
    return dls_rig_end(&rig);
}

static dls_status measure_cost(dls_study *study, dls_reduced_joints joints, size_t links, dls_reduced_form form,
                               double *sweeps, dls_error *error)
{
    const dls_reduced_settings *set = study->settings;
    const dls_reduced_chain chain = {.links = links, .joints = joints, .ratio = 1.0};
    const char *name = dls_reduced_joint_names[joints], *form_name = dls_reduced_form_names[form];
    double direct = NAN;
    dls_model *model;
    dls_problem *problem;
    DLS_TRY(dls_reduced_chain_model(&chain, form, set->erp, &model, error));
    dls_status status = dls_first_problem(model, set->step, &problem, error);
    if (status == DLS_OK) {
        dls_table_row(study->tables[DLS_REDUCED_SIZES], "%s %s %zu %zu %zu %zu", name, form_name, links,
                      dls_model_count(model).nv, problem->n, dls_model_count(model).nv - problem->n);
        if (problem->n > 0 && problem->n <= set->dense)
            status = dls_reduced_time(model, "block-pivoting", 1, set->step, &direct, error);
        dls_problem_destroy(problem);
    }
    if (status == DLS_OK)
        status = dls_reduced_time(model, "pgs", 10, set->step, sweeps, error);
    if (status == DLS_OK)
        dls_table_row(study->tables[DLS_REDUCED_COSTS], "%s %s %zu %zu %g %g", name, form_name, links,
                      dls_model_count(model).nv, *sweeps, direct);
    dls_model_destroy(model);
    return status;
}

dls_status dls_reduced_cost(dls_study *study, dls_error *error)
{
    const dls_reduced_settings *set = study->settings;
    dls_reduced_findings *f = study->found;
    double seconds[DLS_LIST_MAX];
    for (dls_grid g = DLS_GRID(DLS_REDUCED_KINDS, DLS_REDUCED_FORMS, set->sizes.count); dls_study_next(study, &g);) {
        const size_t k = g.at[2];
        DLS_TRY(measure_cost(study, (dls_reduced_joints)g.at[0], set->sizes.counts[k], (dls_reduced_form)g.at[1],
                             &seconds[k], error));
        if (k + 1 == set->sizes.count)
            f->cost[g.at[0]][g.at[1]] = seconds[k] / seconds[0];
    }
    return DLS_OK;
}
