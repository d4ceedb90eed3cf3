/* delassus examine: impulses, or a velocity, of anybody's solver, measured by the examiner and certified. */
#include "examination.h"
#include "json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct task {
    const arguments *arguments;
    const char *file, *given;
    examination its;
    double tolerance;
    bool velocity; /* v+ is given, and lambda made of it */
    double left;   /* the part of the given velocity that no impulse makes [1] */
    double *v;     /* nv, or NULL */
} task;

/* --- reading --- */

/* A velocity says nothing of impulses that cancel: of those that make it, the ones nearest to a reference's are
 * examined. */
static dls_status impulses_of_velocity(task *t, dls_error *error)
{
    dls_reference_solution *reference = NULL;
    if (t->its.problem->form == DLS_FORM_MATRIX)
        return dls_fail_about(error, DLS_REFUSED, t->file, NULL,
                              "a problem in matrix form has no velocities; give impulses");
    DLS_TRY(read_vector(t->arguments, t->given, "velocity", t->its.problem->nv, "velocities", &t->v, error));
    DLS_TRY(dls_reference_solution_create(t->its.problem, t->its.examiner, NULL, 1e-12, &reference, error));
    dls_status status =
        dls_impulses_of_velocity(t->its.problem, t->v, reference->lambda, t->its.lambda, &t->left, error);
    dls_reference_solution_destroy(reference);
    return status;
}

/* --- the verdict --- */

static dls_status decide(task *t, dls_error *error)
{
    DLS_TRY(examination_decide(&t->its, t->tolerance, error));
    if (t->left <= t->tolerance)
        return DLS_OK;
    dls_report_end(&t->its.report, DLS_OUTCOME_NUMERICAL_FAILURE,
                   "no impulses on these rows make this velocity: %.3e of a body's or articulation's is left over",
                   t->left);
    dls_sentence *sentence = &t->its.sentence;
    *sentence = (dls_sentence){.by = t->left, .row = DLS_NONE};
    snprintf(sentence->text, sizeof sentence->text, "wrong by %.2g: %s", t->left, t->its.report.message);
    return DLS_OK;
}

/* --- printing --- */

enum { ROWS_SHOWN = 24 };

static void print_rows(const task *t)
{
    char name[8 * DLS_NAME_MAX];
    if (t->its.problem->n > ROWS_SHOWN)
        return;
    printf("\n%-28s %13s %13s %13s %13s %s\n", "row", "lo", "lambda", "hi", "w", "status");
    for (size_t i = 0; i < t->its.problem->n; i++) {
        double lo, hi;
        row_name(t->its.problem, i, name, sizeof name);
        printf("%4zu %-23s ", i + 1, name);
        dls_problem_bounds(t->its.problem, i, t->its.lambda, &lo, &hi);
        printf("%13.6g %13.6g %13.6g", lo, t->its.lambda[i], hi);
        printf(" %13.6g %s\n", t->its.w[i],
               dls_row_status_names[dls_problem_row_status(t->its.problem, i, t->its.lambda)]);
    }
}

static void print_figure(const char *name, double value, const char *meaning)
{
    printf("  %-20s %12.3e  %s\n", name, value, meaning);
}

static void print_text(const task *t)
{
    const dls_certificate *c = &t->its.certificate;
    char name[8 * DLS_NAME_MAX];
    printf("%s: %zu rows, %zu velocities; read as %s\n%s: %s\n\n%s\n\n", t->file, t->its.problem->n, t->its.problem->nv,
           t->its.content.format->name, t->given,
           t->velocity ? "a velocity; the impulses that make it are examined" : "impulses", t->its.sentence.text);
    print_figure("velocity residual", c->velocity_residual, "w of the wrong sign, against |b_i| + |A_i||lambda| [1]");
    print_figure("impulse residual", c->impulse_residual,
                 "lambda off its bounds, against impulses that move a row [1]");
    print_figure("residual_D", c->natural_residual_velocity,
                 "max |lambda - clamp(lambda - w / D)| D, D = diag(A) [m/s]");
    print_figure("bound violation", c->bound_violation, "distance of lambda from its bounds [N s]");
    print_figure("gap", c->complementarity_gap, "sum of |slack w| [J]");
    if (t->velocity)
        print_figure("left over", t->left, "part of v that no impulse makes, of the worst body or articulation [1]");
    if (c->inconsistent > 0.0)
        print_figure("inconsistent", c->inconsistent, "w that redundant rows keep in every solution [m/s]");
    if (c->worst_row != DLS_NONE) {
        row_name(t->its.problem, c->worst_row, name, sizeof name);
        printf("  the worst row is %zu, %s: lambda = %.9g, w = %.9g\n", c->worst_row + 1, name,
               t->its.lambda[c->worst_row], t->its.w[c->worst_row]);
    }
    print_rows(t);
    printf("\nThe scaled residual is the worse of the first two, %.3e; at most %g is asked.\n", c->scaled_residual,
           t->tolerance);
    if (t->its.report.message[0] && !strstr(t->its.sentence.text, t->its.report.message) &&
        !strstr(t->its.report.message, "the worse of the first two"))
        printf("%s\n", t->its.report.message);
    if (examination_is_solution(&t->its) || t->its.bounds.kind != DLS_BOUNDS_NONE)
        printf("%s: %s\n", t->its.bounds.kind == DLS_BOUNDS_NONE ? "not certified" : "certified", t->its.bounds.text);
}

static bool print_json(const task *t)
{
    const dls_certificate *c = &t->its.certificate;
    const size_t n = t->its.problem->n;
    json_t *o = json_object();
    json_put(&o, "file", json_text(t->file));
    json_put(&o, "given", json_text(t->given));
    json_put(&o, "solution", json_boolean(examination_is_solution(&t->its)));
    json_put(&o, "outcome", json_text(dls_outcome_text(t->its.report.outcome)));
    json_put(&o, "sentence", json_text(t->its.sentence.text));
    json_put(&o, "lambda", json_vector(t->its.lambda, n));
    json_put(&o, "w", json_vector(t->its.w, n));
    json_put_figures(&o, c);
    json_put(&o, "bound_violation", json_number(c->bound_violation));
    json_put(&o, "complementarity_gap", json_number(c->complementarity_gap));
    json_put(&o, "worst_row", c->worst_row == DLS_NONE ? json_null() : json_count(c->worst_row));
    json_put(&o, "rows", json_rows(t->its.problem));
    json_put(&o, "status", json_statuses(t->its.problem, t->its.lambda, n));
    if (t->velocity)
        json_put(&o, "left_over", json_number(t->left));
    if (t->its.bounds.kind != DLS_BOUNDS_NONE)
        json_put(&o, "certified", json_bounds(&t->its.bounds, n));
    json_put(&o, "message", json_text(t->its.report.message));
    return json_print(o);
}

static dls_status write_table(const task *t, const char *path, dls_error *error)
{
    dls_table *table;
    DLS_TRY(dls_table_create(path, &table, error));
    dls_note_provenance(table, t->arguments->line);
    dls_table_note(table, "verdict", "%s, scaled residual %.17g; %s",
                   examination_is_solution(&t->its)    ? "a solution"
                   : examination_is_undecided(&t->its) ? "undecided"
                                                       : "not a solution",
                   t->its.certificate.scaled_residual, t->its.report.message);
    dls_table_note(table, "sentence", "%s", t->its.sentence.text);
    dls_table_note(table, "certified", "%s", t->its.bounds.text);
    dls_table_columns(table, "row\tjoint\tlabel\tlo[N s]\thi[N s]\tlambda[N s]\tw[m/s]\tstatus\tradius_lambda[N s]"
                             "\tradius_w[m/s]");
    for (size_t i = 0; i < t->its.problem->n; i++) {
        const bool bounded = t->its.bounds.kind != DLS_BOUNDS_NONE;
        double lo, hi;
        dls_problem_bounds(t->its.problem, i, t->its.lambda, &lo, &hi);
        dls_table_row(table, "%zu %s %s %g %g %g %g %s %g %g", i, dls_problem_owner(t->its.problem, i),
                      dls_problem_label(t->its.problem, i), lo, hi, t->its.lambda[i], t->its.w[i],
                      dls_row_status_names[dls_problem_row_status(t->its.problem, i, t->its.lambda)],
                      bounded ? t->its.bounds.radius_lambda[i] : INFINITY,
                      bounded ? t->its.bounds.radius_w[i] : INFINITY);
    }
    return dls_table_commit(table, error);
}

/* --- the command --- */

static dls_status work(task *t, dls_error *error)
{
    DLS_TRY(examination_open(&t->its, t->file, argument(t->arguments, "format", NULL), error));
    DLS_TRY(t->velocity ? impulses_of_velocity(t, error) : examination_read(&t->its, t->arguments, t->given, error));
    DLS_TRY(decide(t, error));
    const char *output = argument(t->arguments, "output", NULL);
    return output ? write_table(t, output, error) : DLS_OK;
}

static int run_examine(const arguments *a)
{
    task t = {.arguments = a,
              .file = a->words[0],
              .given = a->words[1],
              .tolerance = DLS_SOLVED_TOLERANCE,
              .velocity = argument(a, "velocity", NULL) != NULL};
    dls_error error;
    int status = EXIT_BAD_INPUT;
    dls_exact_apart(true);
    if (argument_real(a, "tolerance", "", &t.tolerance)) {
        if (work(&t, &error) != DLS_OK)
            complain(&error);
        else if (argument(a, "json", NULL) ? print_json(&t) : (print_text(&t), true))
            status = examination_is_solution(&t.its)    ? EXIT_DONE
                     : examination_is_undecided(&t.its) ? EXIT_NOT_CONVERGED
                                                        : EXIT_UNSOLVED;
    }
    examination_release(&t.its);
    free(t.v);
    return status;
}

static const option_spec options[] = {{"velocity", 'v', NULL, "the file holds v+, not lambda"},
                                      VECTOR_OPTIONS,
                                      {"tolerance", 't', "R", "scaled residual that counts as a solution [1e-9]"},
                                      {"format", 'f', "NAME", "format of PROBLEM [recognised from its content]"},
                                      JOINT_TYPE_OPTION,
                                      JSON_OPTION,
                                      {"output", 'o', "FILE", "a table of the rows: lambda, w, status, proved radii"},
                                      {NULL, 0, NULL, NULL}};
const command command_examine = {
    .name = "examine",
    .usage = "PROBLEM IMPULSES [--column NAME] [--where NAME=VALUE] [-o FILE]",
    .summary = "measure and certify impulses, or a velocity, that any other program computed",
    .details = "PROBLEM is whatever 'delassus solve' reads. IMPULSES are lambda, one number per row, in plain text, "
               "Matrix Market, JSON (an array,\nor the objects that 'delassus solve --json' prints), or a column of a "
               "table; - reads standard input. With --velocity they are\nthe velocities v+ of a mechanical problem, "
               "and the impulses that make them are examined.\n"
               "Exit status 0: a solution to the tolerance; 1: none; 2: bad input; 4: undecided.",
    .min_words = 2,
    .max_words = 2,
    .files = 1,
    .options = options,
    .run = run_examine,
    .more = name_formats,
};
