/* delassus examine: impulses, or a velocity, of anybody's solver, measured by the examiner and certified. */
#include "json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct task {
    const arguments *arguments;
    const char *file, *given;
    dls_content content;
    const dls_problem *problem;
    dls_examiner *examiner;
    double tolerance;
    bool velocity; /* v+ is given, and lambda made of it */
    double left;   /* the part of the given velocity that no impulse makes [1] */
    double *v;     /* nv, or NULL */
    double *lambda, *w;
    dls_certificate certificate;
    dls_bounds bounds;
    dls_report report;
} task;

/* --- reading --- */

/* A velocity says nothing of impulses that cancel: of those that make it, the ones nearest to a reference's are
 * examined. */
static dls_status impulses_of_velocity(task *t, dls_error *error)
{
    dls_reference_solution *reference = NULL;
    if (t->problem->form == DLS_FORM_MATRIX)
        return dls_fail_about(error, DLS_REFUSED, t->file, NULL,
                              "a problem in matrix form has no velocities; give impulses");
    DLS_TRY(read_vector(t->arguments, t->given, "velocity", t->problem->nv, "velocities", &t->v, error));
    DLS_TRY(dls_reference_solution_create(t->problem, t->examiner, NULL, 1e-12, &reference, error));
    dls_status status = dls_impulses_of_velocity(t->problem, t->v, reference->lambda, t->lambda, &t->left, error);
    dls_reference_solution_destroy(reference);
    return status;
}

static dls_status read_impulses(task *t, dls_error *error)
{
    double *values;
    DLS_TRY(read_vector(t->arguments, t->given, "lambda", t->problem->n, "rows", &values, error));
    memcpy(t->lambda, values, t->problem->n * sizeof *values);
    free(values);
    return DLS_OK;
}

/* --- the verdict --- */

static dls_status criteria(task *t, dls_error *error)
{
    const dls_criteria criteria = {t->problem, t->examiner, t->tolerance, DLS_CERTIFY_ROWS};
    dls_report_end(&t->report, DLS_OUTCOME_SOLVED, "%s", "");
    dls_examine(t->examiner, t->lambda, t->w, &t->certificate);
    DLS_TRY(dls_decide_outcome(&criteria, t->lambda, &t->certificate, &t->bounds, &t->report, error));
    if (t->report.outcome == DLS_OUTCOME_NUMERICAL_FAILURE)
        dls_report_end(&t->report, DLS_OUTCOME_NUMERICAL_FAILURE,
                       "the scaled residual, the worse of the first two, is %.3e; at most %g is asked",
                       t->certificate.scaled_residual, t->tolerance);
    if (!(t->left <= t->tolerance))
        dls_report_end(&t->report, DLS_OUTCOME_NUMERICAL_FAILURE,
                       "no impulses on these rows make this velocity: %.3e of a body's or articulation's is left over",
                       t->left);
    return DLS_OK;
}

static bool is_solution(const task *t) { return t->report.outcome == DLS_OUTCOME_SOLVED; }
static bool is_undecided(const task *t) { return t->report.outcome == DLS_OUTCOME_UNDECIDED; }

/* --- printing --- */

enum { ROWS_SHOWN = 24 };

static void print_rows(const task *t)
{
    char name[8 * DLS_NAME_MAX];
    if (t->problem->n > ROWS_SHOWN)
        return;
    printf("\n%-28s %13s %13s %13s %13s %s\n", "row", "lo", "lambda", "hi", "w", "status");
    for (size_t i = 0; i < t->problem->n; i++) {
        double lo, hi;
        row_name(t->problem, i, name, sizeof name);
        printf("%-28s ", name);
        dls_problem_bounds(t->problem, i, t->lambda, &lo, &hi);
        printf("%13.6g %13.6g %13.6g", lo, t->lambda[i], hi);
        printf(" %13.6g %s\n", t->w[i], dls_row_status_names[dls_problem_row_status(t->problem, i, t->lambda)]);
    }
}

static void print_figure(const char *name, double value, const char *meaning)
{
    printf("  %-20s %12.3e  %s\n", name, value, meaning);
}

static void print_text(const task *t)
{
    const dls_certificate *c = &t->certificate;
    char name[8 * DLS_NAME_MAX];
    printf("%s: %zu rows, %zu velocities; read as %s\n%s: %s\n\n", t->file, t->problem->n, t->problem->nv,
           t->content.format->name, t->given,
           t->velocity ? "a velocity; the impulses that make it are examined" : "impulses");
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
        row_name(t->problem, c->worst_row, name, sizeof name);
        printf("  the worst row is %zu, %s: lambda = %.9g, w = %.9g\n", c->worst_row + 1, name, t->lambda[c->worst_row],
               t->w[c->worst_row]);
    }
    print_rows(t);
    printf("\n%s: ", is_solution(t) ? "A solution" : is_undecided(t) ? "UNDECIDED" : "NOT A SOLUTION");
    if (t->report.message[0])
        printf("%s\n", t->report.message);
    else
        printf("the scaled residual, the worse of the first two, is %.3e, at most %g is asked\n", c->scaled_residual,
               t->tolerance);
    if (is_solution(t) || t->bounds.kind != DLS_BOUNDS_NONE)
        printf("%s: %s\n", t->bounds.kind == DLS_BOUNDS_NONE ? "not certified" : "certified", t->bounds.text);
}

static bool print_json(const task *t)
{
    const dls_certificate *c = &t->certificate;
    const size_t n = t->problem->n;
    json_t *o = json_object();
    json_put(&o, "file", json_text(t->file));
    json_put(&o, "given", json_text(t->given));
    json_put(&o, "solution", json_boolean(is_solution(t)));
    json_put(&o, "outcome", json_text(dls_outcome_text(t->report.outcome)));
    json_put(&o, "lambda", json_vector(t->lambda, n));
    json_put(&o, "w", json_vector(t->w, n));
    json_put_figures(&o, c);
    json_put(&o, "bound_violation", json_number(c->bound_violation));
    json_put(&o, "complementarity_gap", json_number(c->complementarity_gap));
    json_put(&o, "worst_row", c->worst_row == DLS_NONE ? json_null() : json_count(c->worst_row));
    json_put(&o, "rows", json_rows(t->problem));
    json_put(&o, "status", json_statuses(t->problem, t->lambda, n));
    if (t->velocity)
        json_put(&o, "left_over", json_number(t->left));
    if (t->bounds.kind != DLS_BOUNDS_NONE)
        json_put(&o, "certified", json_bounds(&t->bounds, n));
    json_put(&o, "message", json_text(t->report.message));
    return json_print(o);
}

static dls_status write_table(const task *t, const char *path, dls_error *error)
{
    dls_table *table;
    DLS_TRY(dls_table_create(path, &table, error));
    dls_note_provenance(table, t->arguments->line);
    dls_table_note(table, "verdict", "%s, scaled residual %.17g; %s",
                   is_solution(t)    ? "a solution"
                   : is_undecided(t) ? "undecided"
                                     : "not a solution",
                   t->certificate.scaled_residual, t->report.message);
    dls_table_note(table, "certified", "%s", t->bounds.text);
    dls_table_columns(table, "row\tjoint\tlabel\tlo[N s]\thi[N s]\tlambda[N s]\tw[m/s]\tstatus\tradius_lambda[N s]"
                             "\tradius_w[m/s]");
    for (size_t i = 0; i < t->problem->n; i++) {
        const bool bounded = t->bounds.kind != DLS_BOUNDS_NONE;
        double lo, hi;
        dls_problem_bounds(t->problem, i, t->lambda, &lo, &hi);
        dls_table_row(table, "%zu %s %s %g %g %g %g %s %g %g", i, dls_problem_owner(t->problem, i),
                      dls_problem_label(t->problem, i), lo, hi, t->lambda[i], t->w[i],
                      dls_row_status_names[dls_problem_row_status(t->problem, i, t->lambda)],
                      bounded ? t->bounds.radius_lambda[i] : INFINITY, bounded ? t->bounds.radius_w[i] : INFINITY);
    }
    return dls_table_commit(table, error);
}

/* --- the command --- */

static dls_status work(task *t, dls_error *error)
{
    DLS_TRY(dls_load_problem(t->file, argument(t->arguments, "format", NULL), &t->content, error));
    t->problem = t->content.problem;
    t->lambda = calloc(t->problem->n + 1, sizeof *t->lambda);
    t->w = calloc(t->problem->n + 1, sizeof *t->w);
    if (!t->lambda || !t->w)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", t->problem->n);
    DLS_TRY(dls_examiner_create(t->problem, &t->examiner, error));
    DLS_TRY(t->velocity ? impulses_of_velocity(t, error) : read_impulses(t, error));
    DLS_TRY(criteria(t, error));
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
            status = is_solution(&t) ? EXIT_DONE : is_undecided(&t) ? EXIT_NOT_CONVERGED : EXIT_UNSOLVED;
    }
    dls_report_release(&t.report);
    dls_bounds_release(&t.bounds);
    dls_examiner_destroy(t.examiner);
    dls_content_release(&t.content);
    free(t.v);
    free(t.lambda);
    free(t.w);
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
               "table; /dev/stdin reads a pipe. With --velocity they are\nthe velocities v+ of a mechanical problem, "
               "and the impulses that make them are examined.\n"
               "Exit status 0: a solution to the tolerance; 1: none; 2: bad input; 4: undecided.",
    .min_words = 2,
    .max_words = 2,
    .files = 1,
    .options = options,
    .run = run_examine,
    .more = print_formats,
};
