/* delassus certify: a statement about a problem in a file that others can check without this program. */
#include "json.h"

#include <stdio.h>
#include <stdlib.h>

enum { ALL_ROWS = 32 }; /* problems of at most so many rows: all solutions, where no impulses are given */

typedef struct task {
    const arguments *arguments;
    const char *file;
    dls_content content;
    dls_statement_settings settings;
    dls_statement *statement;
    char name[DLS_PROBLEM_NAME];
} task;

/* A direct method's Farkas vector, or NULL. */
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

static dls_status state_no_solution(task *t, dls_error *error)
{
    const dls_problem *p = t->content.problem;
    dls_report report = {0};
    double *lambda = calloc(p->n + 1, sizeof *lambda);
    dls_status status =
        lambda ? find_farkas_vector(p, lambda, &report, error) : dls_fail(error, DLS_NO_MEMORY, "no memory");
    if (status == DLS_OK)
        status = dls_statement_create(p, NULL, report.proof_vector, &t->settings, &t->statement, error);
    dls_report_release(&report);
    free(lambda);
    return status;
}

/* About the best answer of the direct methods. */
static dls_status state_reference(task *t, dls_error *error)
{
    dls_examiner *examiner;
    dls_reference_solution *reference = NULL;
    DLS_TRY(dls_examiner_create(t->content.problem, &examiner, error));
    dls_status status = dls_reference_solution_create(t->content.problem, examiner, NULL, 1e-12, &reference, error);
    if (status == DLS_OK)
        status = dls_statement_create(t->content.problem, reference->lambda, NULL, &t->settings, &t->statement, error);
    else if (status == DLS_UNSOLVABLE)
        status = state_no_solution(t, error);
    dls_reference_solution_destroy(reference);
    dls_examiner_destroy(examiner);
    return status;
}

static dls_status state_impulses(task *t, const char *given, dls_error *error)
{
    double *lambda;
    DLS_TRY(read_vector(t->arguments, given, "lambda", t->content.problem->n, "rows", &lambda, error));
    const dls_status status =
        dls_statement_create(t->content.problem, lambda, NULL, &t->settings, &t->statement, error);
    free(lambda);
    return status;
}

static dls_status state_all(task *t, dls_error *error)
{
    DLS_TRY(dls_statement_create(t->content.problem, NULL, NULL, &t->settings, &t->statement, error));
    if (dls_statement_kind_of(t->statement) != DLS_STATEMENT_NONE)
        return DLS_OK;
    dls_statement_destroy(t->statement);
    t->statement = NULL;
    return state_reference(t, error);
}

static dls_status work(task *t, dls_error *error)
{
    const arguments *a = t->arguments;
    DLS_TRY(dls_load_problem(t->file, argument(a, "format", NULL), &t->content, error));
    const dls_problem *p = t->content.problem;
    DLS_TRY(dls_problem_name(p, t->name, error));
    DLS_TRY(a->n_words > 1                          ? state_impulses(t, a->words[1], error)
            : p->n <= ALL_ROWS && p->n_coupled == 0 ? state_all(t, error)
                                                    : state_reference(t, error));
    const char *output = argument(a, "output", NULL);
    return output && dls_statement_kind_of(t->statement) != DLS_STATEMENT_NONE
               ? dls_statement_write(t->statement, output, error)
               : DLS_OK;
}

static bool print_answer(const task *t)
{
    const char *output = argument(t->arguments, "output", NULL);
    const bool claimed = dls_statement_kind_of(t->statement) != DLS_STATEMENT_NONE;
    if (!argument(t->arguments, "json", NULL)) {
        printf("%s: %s\nsha256 of the problem: %s\n", t->file, dls_statement_text(t->statement), t->name);
        if (claimed)
            printf(output ? "written to %s; check_certificate.py decides whether it is proved\n"
                          : "not written: give -o FILE\n",
                   output);
        return true;
    }
    json_t *o = json_object();
    json_put(&o, "file", json_text(t->file));
    json_put(&o, "sha256", json_text(t->name));
    json_put(&o, "claimed", json_boolean(claimed));
    json_put(&o, "statement", json_text(dls_statement_text(t->statement)));
    json_put(&o, "output", claimed && output ? json_text(output) : json_null());
    return json_print(o);
}

static int run_certify(const arguments *a)
{
    task t = {.arguments = a, .file = a->words[0], .settings = dls_statement_default()};
    dls_error error;
    int status = EXIT_BAD_INPUT;
    dls_exact_apart(true);
    if (argument_count(a, "nodes", 1, &t.settings.nodes)) {
        if (work(&t, &error) != DLS_OK)
            complain(&error);
        else if (print_answer(&t))
            status = dls_statement_kind_of(t.statement) != DLS_STATEMENT_NONE ? EXIT_DONE : EXIT_UNSOLVED;
    }
    dls_statement_destroy(t.statement);
    dls_content_release(&t.content);
    return status;
}

static const option_spec options[] = {
    VECTOR_OPTIONS,
    {"nodes", 0, "K", "most choices of states in the search for all solutions [20000]"},
    {"format", 'f', "NAME", "format of PROBLEM [recognised from its content]"},
    JOINT_TYPE_OPTION,
    JSON_OPTION,
    {"output", 'o', "FILE", "the certificate, usually NAME.cert.json"},
    {NULL, 0, NULL, NULL}};
const command command_certify = {
    .name = "certify",
    .usage = "PROBLEM [IMPULSES] [--column NAME] [--where NAME=VALUE] [-o FILE]",
    .summary = "write a certificate that others can check without this program",
    .details =
        "Without IMPULSES the statement is about all solutions of a problem of up to 32 rows with fixed bounds: their "
        "number, 0 too, or two\nof a continuum; else about the best answer of the direct methods. With IMPULSES "
        "(forms: "
        "'delassus examine') it says how near a solution\nis, or under friction laws how far b and mu are off.\n"
        "proof/check_certificate.py, 300 lines of Python without other libraries, accepts or rejects the file; doc/"
        "certificates.md has the format.\n"
        "Exit status 0: a statement; 1: none; 2: bad input.",
    .min_words = 1,
    .max_words = 2,
    .files = 2,
    .options = options,
    .run = run_certify,
    .more = print_formats,
};
