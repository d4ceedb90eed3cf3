/* delassus check: finite differences of every Jacobian, and the dense Delassus matrix against the row-wise operator. */
#include "command.h"

#include "delassus/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double jacobian_limit = 1e-6, operator_limit = 1e-12;

/* Each joint between its own ends, and in the columns of the whole mechanism. */
static bool print_joints(const dls_configuration *at, const dls_jacobian_check *columns)
{
    const dls_model *model = at->model;
    bool good = true;
    printf("%-24s %-12s %12s  %-4s %12s  %s\n", "joint", "type", "ends", "row", "columns", "row");
    for (size_t j = 0; j < dls_model_count(model).joints; j++) {
        const dls_joint *joint = &dls_model_joints(model)[j];
        dls_end ends[2];
        dls_configuration_ends(at, joint, ends);
        dls_jacobian_check found = dls_check_jacobian(joint, ends, DLS_CHECK_STEP);
        bool passes = found.worst <= jacobian_limit && columns[j].worst <= jacobian_limit;
        printf("%-24s %-12s %12.3e  %-4zu %12.3e  %zu%s\n", joint->name, joint->type->name, found.worst, found.row,
               columns[j].worst, columns[j].row, passes ? "" : "  FAILED");
        good &= passes;
    }
    return good;
}

static dls_status check_joints(const dls_model *model, bool *good, dls_error *error)
{
    dls_jacobian_check *columns = calloc(dls_model_count(model).joints + 1, sizeof *columns);
    dls_status status =
        columns ? dls_check_columns(model, dls_model_initial(model), DLS_CHECK_STEP, columns, error)
                : dls_fail(error, DLS_NO_MEMORY, "no memory for checks of %zu joints", dls_model_count(model).joints);
    dls_configuration *at = NULL;
    if (status == DLS_OK)
        status = dls_configuration_create(model, &at, error);
    if (status == DLS_OK) {
        dls_configuration_evaluate(at, dls_model_initial(model));
        *good = print_joints(at, columns);
    }
    dls_configuration_destroy(at);
    free(columns);
    return status;
}

/* max |A_ij - e_i . operator(e_j)| / max |A|, column by column through the examiner's own operator. */
static dls_status operator_error(const dls_problem *problem, double *error_found, dls_error *error)
{
    dls_dense *dense = NULL;
    dls_examiner *examiner = NULL;
    dls_certificate certificate;
    size_t n = problem->n;
    double largest = 0.0, worst = 0.0, *e = calloc(n + 1, sizeof *e), *w = calloc(n + 1, sizeof *w);
    dls_status status =
        e && w ? dls_dense_create(problem, &dense, error) : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", n);
    if (status == DLS_OK)
        status = dls_examiner_create(problem, &examiner, error);
    for (size_t j = 0; status == DLS_OK && j < n; j++) {
        e[j] = 1.0;
        dls_examine(examiner, e, w, &certificate);
        e[j] = 0.0;
        for (size_t i = 0; i < n; i++) {
            worst = fmax(worst, fabs(w[i] - dense->b[i] - dense->A[i + n * j]));
            largest = fmax(largest, fmax(fabs(dense->A[i + n * j]), fabs(dense->b[i])));
        }
    }
    *error_found = largest > 0.0 ? worst / largest : 0.0;
    dls_examiner_destroy(examiner);
    dls_dense_destroy(dense);
    free(e);
    free(w);
    return status;
}

static int check_model(const dls_model *model)
{
    dls_problem *problem;
    dls_error error;
    double difference;
    bool good;
    if (check_joints(model, &good, &error) != DLS_OK || dls_first_problem(model, 0.0, &problem, &error) != DLS_OK)
        return complain(&error);
    dls_status status = operator_error(problem, &difference, &error);
    if (status == DLS_OK)
        printf("\ndense A against the row-wise operator, %zu rows: %.3e of the largest entry%s\n", problem->n,
               difference, difference <= operator_limit ? "" : "  FAILED");
    dls_problem_destroy(problem);
    if (status != DLS_OK)
        return complain(&error);
    good &= difference <= operator_limit;
    printf("%s\n", good ? "all checks passed" : "a check FAILED");
    return good ? EXIT_DONE : EXIT_UNSOLVED;
}

static int run(const arguments *a)
{
    dls_model *model;
    dls_error error;
    if (dls_load_model(a->words[0], &model, &error) != DLS_OK)
        return complain(&error);
    int status = check_model(model);
    dls_model_destroy(model);
    return status;
}

static const option_spec options[] = {{NULL, 0, NULL, NULL}};
const command command_check = {
    .name = "check",
    .usage = "SCENE|ROBOT.urdf",
    .summary = "finite differences of every Jacobian; dense A against the row-wise operator",
    .details =
        "Limits: 1e-6 of a row's largest entry for the Jacobians, 1e-12 for the operator. Exit status 1 if one is "
        "exceeded.\n"
        "Jacobians are held against central differences of the position error: ends, with respect to the velocities of "
        "both\n"
        "ends of the joint alone; columns, with respect to every generalised velocity of the whole mechanism.",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .run = run,
};
