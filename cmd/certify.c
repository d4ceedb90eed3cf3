/* delassus certify: a statement about a problem in a file that others can check without this program. */
#include "json.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct task {
    const arguments *arguments;
    const char *file;
    dls_content content;
    dls_statement_settings settings;
    dls_best_statement best;
    char name[DLS_PROBLEM_NAME];
} task;

static dls_status state_impulses(task *t, const char *given, dls_error *error)
{
    double *lambda;
    DLS_TRY(read_vector(t->arguments, given, "lambda", t->content.problem->n, "rows", &lambda, error));
    const dls_status status =
        dls_statement_create(t->content.problem, lambda, NULL, &t->settings, &t->best.statement, error);
    free(lambda);
    return status;
}

static dls_status work(task *t, dls_error *error)
{
    const arguments *a = t->arguments;
    DLS_TRY(load_problem(a, t->file, &t->content, error));
    const dls_problem *p = t->content.problem;
    DLS_TRY(dls_problem_name(p, t->name, error));
    DLS_TRY(a->n_words > 1 ? state_impulses(t, a->words[1], error)
                           : dls_best_statement_find(p, NULL, &t->settings, &t->best, error));
    const char *output = argument(a, "output", NULL);
    return output && dls_statement_kind_of(t->best.statement) != DLS_STATEMENT_NONE
               ? dls_statement_write(t->best.statement, output, error)
               : DLS_OK;
}

static bool print_answer(const task *t)
{
    const char *output = argument(t->arguments, "output", NULL);
    const bool claimed = dls_statement_kind_of(t->best.statement) != DLS_STATEMENT_NONE;
    if (!argument(t->arguments, "json", NULL)) {
        printf("%s: %s\nsha256 of the problem: %s\n", t->file, dls_statement_text(t->best.statement), t->name);
        if (claimed)
            printf(output ? "written to %s; proof/check_certificate decides whether it is proved\n"
                          : "not written: give -o FILE\n",
                   output);
        return true;
    }
    json_t *o = json_object();
    json_put(&o, "file", json_text(t->file));
    json_put(&o, "sha256", json_text(t->name));
    json_put(&o, "claimed", json_boolean(claimed));
    json_put(&o, "statement", json_text(dls_statement_text(t->best.statement)));
    json_put(&o, "output", claimed && output ? json_text(output) : json_null());
    return json_print(o);
}

static int run_certify(const arguments *a)
{
    task t = {.arguments = a, .file = a->words[0], .settings = dls_statement_default()};
    dls_error error;
    int status = EXIT_BAD_INPUT;
    dls_exact_apart(true);
    t.settings.existence = argument(a, "existence", NULL) != NULL;
    t.settings.independent = argument(a, "independent", NULL) != NULL;
    if (argument_count(a, "nodes", 1, &t.settings.nodes)) {
        if (work(&t, &error) != DLS_OK)
            complain(&error);
        else if (print_answer(&t))
            status = dls_statement_kind_of(t.best.statement) != DLS_STATEMENT_NONE ? EXIT_DONE : EXIT_UNSOLVED;
    }
    dls_best_statement_release(&t.best);
    dls_content_release(&t.content);
    return status;
}

static const option_spec options[] = {
    VECTOR_OPTIONS,
    {"nodes", 0, "K", "most choices of states in the search for all solutions [20000]"},
    {"existence", 0, NULL, "under friction laws: that a solution exists near the impulses, and its states"},
    {"independent", 0, NULL, "leave out rows without bounds that depend on others, as in closed loops"},
    {"format", 'f', "NAME", "format of PROBLEM [recognised from its content]"},
    JOINT_TYPE_OPTION,
    IGNORE_OPTION,
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
        "proof/check_certificate.py, 300 lines of Python without other libraries, and proof/check_certificate, in C "
        "over FLINT,\naccept or reject the file; the second alone knows the statements of --existence and "
        "--independent.\ndoc/certificates.md has the format.\n"
        "Exit status 0: a statement; 1: none; 2: bad input.",
    .min_words = 1,
    .max_words = 2,
    .files = 2,
    .options = options,
    .run = run_certify,
    .more = name_formats,
};
