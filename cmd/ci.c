/* delassus ci: the steps that an engine dumped during its own tests, each examined, with reports for a build server. */
#include "ci.h"
#include "dumps.h"
#include "examination.h"
#include "json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct task {
    const arguments *arguments;
    dumps found;
    ci_case *of; /* found.count */
    ci_cases cases;
    ci_baseline baseline;
    bool compared; /* there is a baseline */
} task;

/* --- one step --- */

static void note_residuals(ci_case *c, const examination *e)
{
    const dls_certificate *its = &e->certificate;
    c->outcome = dls_outcome_text(e->report.outcome);
    c->scaled_residual = its->scaled_residual;
    c->velocity_residual = its->velocity_residual;
    c->impulse_residual = its->impulse_residual;
    c->worst_row = its->worst_row;
    if (c->worst_row == DLS_NONE)
        return;
    row_name(e->problem, c->worst_row, c->worst, sizeof c->worst);
    c->lambda = e->lambda[c->worst_row];
    c->w = e->w[c->worst_row];
}

/* A step passes as a solution to the tolerance; or with a baseline, up to whose residual, times a factor, it may be
 * wrong. */
static void judge_case(const task *t, ci_case *c, const examination *e)
{
    const double allowed = t->cases.factor * c->baseline;
    c->verdict = examination_is_solution(e) || c->scaled_residual <= allowed ? CI_PASS : CI_FAIL;
    if (c->verdict == CI_PASS)
        return;
    const int length = snprintf(c->message, sizeof c->message, "scaled residual %.3e, ", c->scaled_residual);
    char *more = c->message + length;
    const size_t room = sizeof c->message - (size_t)length;
    if (!isnan(c->baseline))
        snprintf(more, room, "%.3g times that of the baseline; worst row %s", c->scaled_residual / c->baseline,
                 c->worst);
    else if (c->scaled_residual <= t->cases.tolerance) /* its certificate, or its data residual, says otherwise */
        snprintf(more, room, "%s: %s", c->outcome, e->report.message);
    else
        snprintf(more, room, "at most %g is asked; worst row %s: lambda = %.9g, w = %.9g", t->cases.tolerance, c->worst,
                 c->lambda, c->w);
}

static dls_status examine_case(const task *t, ci_case *c, examination *e, dls_error *error)
{
    char path[DLS_PATH_MAX];
    DLS_TRY(dumps_path(t->cases.folder, c->name, DUMPS_PROBLEM, path, error));
    DLS_TRY(examination_open(e, path, NULL, error));
    c->rows = e->problem->n;
    DLS_TRY(dumps_path(t->cases.folder, c->name, DUMPS_IMPULSES, path, error));
    DLS_TRY(examination_read(e, t->arguments, path, error));
    DLS_TRY(examination_decide(e, t->cases.tolerance, error));
    note_residuals(c, e);
    judge_case(t, c, e);
    return DLS_OK;
}

/* Steps that cannot be read are errors of their own; the others are examined all the same. */
static dls_status run_case(task *t, size_t i, dls_error *error)
{
    ci_case *c = &t->of[i];
    examination e = {.problem = NULL};
    *c = (ci_case){.name = t->found.names[i],
                   .verdict = CI_ERROR,
                   .outcome = "",
                   .scaled_residual = NAN,
                   .velocity_residual = NAN,
                   .impulse_residual = NAN,
                   .baseline = t->compared ? ci_baseline_of(&t->baseline, t->found.names[i]) : NAN,
                   .worst_row = DLS_NONE};
    dls_status status = examine_case(t, c, &e, error);
    if (status != DLS_OK && status != DLS_NO_MEMORY) {
        dls_error_format(error, c->message, sizeof c->message);
        status = DLS_OK;
    }
    t->cases.number[c->verdict] += status == DLS_OK;
    examination_release(&e);
    return status;
}

/* --- printing --- */

static void print_case(const ci_case *c)
{
    if (c->verdict == CI_ERROR) {
        printf("%-5s %9s  %s: %s\n", ci_verdict_names[c->verdict], "-", c->name, c->message);
        return;
    }
    printf("%-5s %9.2e  %s: %zu rows", ci_verdict_names[c->verdict], c->scaled_residual, c->name, c->rows);
    if (c->worst_row != DLS_NONE)
        printf(", the worst is %zu, %s: lambda = %.6g, w = %.6g", c->worst_row + 1, c->worst, c->lambda, c->w);
    if (!isnan(c->baseline))
        printf("; baseline %.2e", c->baseline);
    printf("\n");
}

static void print_text(const ci_cases *cases)
{
    const ci_case *worst = ci_worst(cases);
    for (size_t i = 0; i < cases->count; i++)
        print_case(&cases->of[i]);
    printf("\n%s: %zu steps: %zu pass, %zu fail, %zu cannot be examined", cases->folder, cases->count,
           cases->number[CI_PASS], cases->number[CI_FAIL], cases->number[CI_ERROR]);
    if (worst)
        printf("; the largest scaled residual is %.3e, in %s", worst->scaled_residual, worst->name);
    printf("\n");
}

static bool print_json(const ci_cases *cases)
{
    json_t *o = json_object(), *steps = json_array();
    for (const ci_case *c = cases->of; c < cases->of + cases->count; c++) {
        json_t *one = json_object();
        json_put(&one, "step", json_text(c->name));
        json_put(&one, "verdict", json_text(ci_verdict_names[c->verdict]));
        json_put(&one, "outcome", json_text(c->outcome));
        json_put(&one, "rows", json_count(c->rows));
        json_put(&one, "scaled_residual", json_number(c->scaled_residual));
        json_put(&one, "velocity_residual", json_number(c->velocity_residual));
        json_put(&one, "impulse_residual", json_number(c->impulse_residual));
        json_put(&one, "baseline", json_number(c->baseline));
        json_put(&one, "worst_row", c->worst_row == DLS_NONE ? json_null() : json_count(c->worst_row));
        json_put(&one, "worst", json_text(c->worst));
        json_put(&one, "message", json_text(c->message));
        json_add(&steps, one);
    }
    json_put(&o, "folder", json_text(cases->folder));
    json_put(&o, "passed", json_count(cases->number[CI_PASS]));
    json_put(&o, "failed", json_count(cases->number[CI_FAIL]));
    json_put(&o, "errors", json_count(cases->number[CI_ERROR]));
    json_put(&o, "tolerance", json_number(cases->tolerance));
    json_put(&o, "steps", steps);
    return json_print(o);
}

/* --- the command --- */

static dls_status write_reports(const task *t, dls_error *error)
{
    const arguments *a = t->arguments;
    const char *table = argument(a, "output", NULL), *junit = argument(a, "junit", NULL),
               *sarif = argument(a, "sarif", NULL), *badge = argument(a, "badge", NULL);
    if (table)
        DLS_TRY(ci_write_table(&t->cases, a->line, table, error));
    if (junit)
        DLS_TRY(ci_write_junit(&t->cases, junit, error));
    if (sarif)
        DLS_TRY(ci_write_sarif(&t->cases, sarif, error));
    return badge ? ci_write_badge(&t->cases, badge, error) : DLS_OK;
}

static dls_status work(task *t, dls_error *error)
{
    const char *baseline = argument(t->arguments, "baseline", NULL);
    t->compared = baseline != NULL;
    if (baseline)
        DLS_TRY(ci_baseline_read(baseline, &t->baseline, error));
    DLS_TRY(dumps_find(t->cases.folder, DUMPS_PROBLEM, &t->found, error));
    if (t->found.count == 0)
        return dls_fail_about(error, DLS_BAD_INPUT, t->cases.folder, NULL,
                              "no file NAME" DUMPS_PROBLEM
                              " is in it or below it; did the tests run with DELASSUS_DUMP "
                              "set to this folder?");
    t->of = calloc(t->found.count, sizeof *t->of);
    if (!t->of)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu steps", t->found.count);
    t->cases.of = t->of;
    const double start = wall_clock();
    for (; t->cases.count < t->found.count; t->cases.count++)
        DLS_TRY(run_case(t, t->cases.count, error));
    t->cases.seconds = wall_clock() - start;
    return write_reports(t, error);
}

static int conclude(const ci_cases *cases)
{
    if (cases->number[CI_ERROR] > 0)
        return complain_text("ci: %s: %zu of %zu steps cannot be examined", cases->folder, cases->number[CI_ERROR],
                             cases->count);
    return cases->number[CI_FAIL] > 0 ? EXIT_UNSOLVED : EXIT_DONE;
}

/* An option that is a limit: finite, and not negative. */
static bool limit_option(const arguments *a, const char *name, double *value)
{
    if (!argument_real(a, name, "", value))
        return false;
    return isfinite(*value) && *value >= 0.0
               ? true
               : (complain_text("ci: --%s %g: a finite number from 0 up is expected", name, *value), false);
}

static int run_ci(const arguments *a)
{
    task t = {.arguments = a, .cases = {.folder = a->words[0], .tolerance = DLS_SOLVED_TOLERANCE, .factor = 2.0}};
    dls_error error;
    int status = EXIT_BAD_INPUT;
    dls_exact_apart(true);
    if (limit_option(a, "tolerance", &t.cases.tolerance) && limit_option(a, "factor", &t.cases.factor)) {
        if (work(&t, &error) != DLS_OK)
            complain(&error);
        else if (argument(a, "json", NULL) ? print_json(&t.cases) : (print_text(&t.cases), true))
            status = conclude(&t.cases);
    }
    ci_baseline_release(&t.baseline);
    dumps_release(&t.found);
    free(t.of);
    return status;
}

static const option_spec options[] = {
    {"tolerance", 't', "R", "scaled residual up to which a step passes [1e-9]"},
    {"baseline", 'b', "FILE", "a table of an earlier run (-o): a step also passes up to its residual there"},
    {"factor", 0, "F", "times this factor [2]"},
    {"junit", 0, "FILE", "JUnit's XML, a test case per step"},
    {"sarif", 0, "FILE", "SARIF 2.1.0, a result per step that does not pass"},
    {"badge", 0, "FILE", "an endpoint badge of shields.io with the largest residual"},
    JOINT_TYPE_OPTION,
    JSON_OPTION,
    {"output", 'o', "FILE", "a table of the steps, which --baseline reads"},
    {NULL, 0, NULL, NULL}};
const command command_ci = {
    .name = "ci",
    .usage = "FOLDER [--tolerance R] [--baseline FILE] [--junit FILE] [--sarif FILE] [-o FILE]",
    .summary = "examine the steps that an engine dumped during its own tests",
    .details = "FOLDER, with the folders below it, has the files NAME.problem and NAME.impulses of each step; "
               "examples/dump/delassus_dump.h\nand delassus_dump.py write them, without linking to this program "
               "(doc/ci.md).\n"
               "Exit status 0: every step passes; 1: some do not; 2: a step cannot be examined, or there is none.",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .run = run_ci,
};
