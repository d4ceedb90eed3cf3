/* A solver of one's own, measured and compared with others.
 *
 * Damped projected Jacobi, as plainly as it can be written: every row has the velocity of the iteration before,
 *     lambda_i' = clamp(lambda_i - omega w_i / A_ii),   w = J v + Gamma lambda - c,   v = v* + M^-1 J^T lambda.
 * The kit of solvers (solver_kit.h) keeps lambda and v; a descriptor (solver.h) is all that the method takes: then
 * dls_solve runs it, the examiner measures it, schemes step with it and dls_compare compares it with other solvers.
 *
 *     cc own_solver.c $(pkg-config --cflags --libs delassus) -lm -o own_solver && ./own_solver scene.yaml
 */
#include <delassus/delassus.h>
#include <delassus/experiments.h>
#include <delassus/solver_kit.h>

#include <stdio.h>
#include <stdlib.h>

/* --- the method --- */

typedef struct settings {
    double omega;
} settings;
static const dls_field fields[] = {
    {"omega", "", DLS_FIELD_REAL, offsetof(settings, omega), "0.5", 0, 1, true, NULL, "damping"},
};

typedef struct jacobi {
    dls_kit kit;
    double omega;
} jacobi;
enum { DIAGONAL, NEXT, VECTORS }; /* A_ii; the next impulses */

static dls_status jacobi_start(void *work, dls_error *error)
{
    const dls_kit *kit = work;
    (void)error;
    for (size_t i = 0; i < kit->size; i++)
        dls_kit_block(kit, i, 1, &kit->vector[DIAGONAL][i]);
    return DLS_OK;
}

static dls_status jacobi_open(const dls_problem *problem, const void *given, const double *lambda0, void **work,
                              dls_error *error)
{
    const dls_kit_plan plan = {.size = sizeof(jacobi), .vectors = VECTORS, .row_by_row = true, .start = jacobi_start};
    DLS_TRY(dls_kit_open(&plan, problem, lambda0, work, error));
    ((jacobi *)*work)->omega = ((const settings *)given)->omega;
    return DLS_OK;
}

static dls_status jacobi_iterate(void *work, dls_report *report, dls_error *error)
{
    jacobi *j = work;
    dls_kit *kit = &j->kit;
    const double *diagonal = kit->vector[DIAGONAL];
    double *next = kit->vector[NEXT];
    (void)error;
    for (size_t i = 0; i < kit->size; i++) {
        double lo, hi, w = dls_kit_row_residual(kit, i);
        dls_problem_bounds(kit->problem, i, kit->lambda, &lo, &hi);
        next[i] = diagonal[i] > 0.0 ? fmin(fmax(kit->lambda[i] - j->omega * w / diagonal[i], lo), hi) : kit->lambda[i];
    }
    for (size_t i = 0; i < kit->size; i++)
        dls_kit_row_set(kit, i, next[i]);
    report->iterations++;
    return DLS_OK;
}

static dls_splitting jacobi_splitting(const void *given)
{
    return (dls_splitting){DLS_SPLITTING_JACOBI, ((const settings *)given)->omega};
}

static const dls_solver own_jacobi = {
    .name = "own-jacobi",
    .summary = "damped projected Jacobi, written plainly",
    .source = "C. G. J. Jacobi, 1845",
    DLS_KIT_MEMBERS,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED,
    .fields = DLS_FIELD_TABLE(fields, settings),
    .open = jacobi_open,
    .iterate = jacobi_iterate,
    .splitting = jacobi_splitting,
};

/* --- its accuracy and its rate --- */

/* Measures its last answer by the examiner, which knows the problem alone. */
static dls_status examine(const dls_problem *problem, size_t iterations, dls_certificate *certificate, dls_error *error)
{
    const settings half = {0.5};
    dls_report report = {.outcome = DLS_OUTCOME_RUNNING};
    dls_examiner *examiner;
    DLS_TRY(dls_examiner_create(problem, &examiner, error));
    double *lambda = calloc(problem->n + 1, sizeof *lambda);
    dls_status status = lambda ? dls_solve(&own_jacobi, problem, &half, iterations, lambda, &report, NULL, NULL, error)
                               : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", problem->n);
    if (status == DLS_OK && report.outcome == DLS_OUTCOME_REFUSED)
        status = dls_fail(error, DLS_REFUSED, "%s refuses the problem: %s", own_jacobi.name, report.message);
    if (status == DLS_OK)
        dls_examine(examiner, lambda, NULL, certificate);
    dls_report_release(&report);
    free(lambda);
    dls_examiner_destroy(examiner);
    return status;
}

/* Compares it with solvers of the library: rates predicted from the splitting, and fitted to the iterates. */
static dls_status compare(const dls_problem *problem, size_t iterations, dls_error *error)
{
    settings half = {0.5};
    dls_choice choices[3] = {{&own_jacobi, &half, NULL}};
    dls_comparisons found = {.of = NULL};
    DLS_TRY(dls_choice_create("jacobi", &choices[1], error));
    dls_status status = dls_choice_create("pgs", &choices[2], error);
    if (status == DLS_OK)
        status = dls_compare(problem, choices, 3, iterations, 0.0, &found, error);
    for (size_t k = 0; k < found.count; k++)
        printf("%-12s rate predicted %.6f, fitted %.6f\n", found.of[k].solver->name, found.of[k].predicted_rate,
               found.of[k].fitted_rate);
    dls_comparisons_release(&found);
    dls_choice_release(&choices[1]);
    dls_choice_release(&choices[2]);
    return status;
}

int main(int argc, char **argv)
{
    dls_content content = {NULL, NULL, NULL, NULL};
    dls_certificate certificate;
    dls_error error;
    char text[DLS_MESSAGE_MAX];
    if (argc != 2) {
        fprintf(stderr, "usage: own_solver FILE\n");
        return 2;
    }
    dls_status status = dls_load_problem(argv[1], NULL, &content, &error);
    if (status == DLS_OK)
        status = examine(content.problem, 2000, &certificate, &error);
    if (status == DLS_OK)
        printf("after 2000 iterations: scaled residual %.2e\n", certificate.scaled_residual);
    if (status == DLS_OK)
        status = compare(content.problem, 400, &error);
    dls_content_release(&content);
    if (status != DLS_OK) {
        dls_error_format(&error, text, sizeof text);
        fprintf(stderr, "%s\n", text);
        return 2;
    }
    return certificate.scaled_residual < 1e-9 ? 0 : 1;
}
