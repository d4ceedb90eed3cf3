/* delassus submit-check: one answer file, before it is given to a leaderboard. */
#include "json.h"
#include "tolerances.h"

#include <stdio.h>

/* Whether a claim is refuted. */
static bool any_wrong(const dls_submission *of)
{
    size_t k = 0;
    while (k < of->count && of->of[k].verdict != DLS_VERDICT_WRONG)
        k++;
    return k < of->count;
}

static void print_text(const char *file, const dls_submission *of)
{
    printf("%s: %s, %s\n%zu rows, problem %s\n\n%-10s %-18s %-18s %-15s %15s %10s\n", file, of->solver, of->version,
           of->rows, of->problem, "tolerance", "claim", "outcome", "verdict", "scaled residual", "seconds");
    for (size_t k = 0; k < of->count; k++)
        printf("%-10g %-18s %-18s %-15s %15.3e %10.3g\n", of->of[k].tolerance, dls_outcome_text(of->of[k].claim),
               dls_outcome_text(of->of[k].outcome), dls_verdicts[of->of[k].verdict], of->of[k].residual,
               of->of[k].seconds);
    printf("\nThe file is valid; %s. In a folder of answers it is answers/SOLVER/%s.json.\n",
           any_wrong(of)    ? "a claim is refuted"
           : of->count == 0 ? "it has no answer for these tolerances"
                            : "no claim is refuted",
           of->problem);
}

static bool print_json(const char *file, const dls_submission *of)
{
    json_t *o = json_object(), *list = json_array();
    for (size_t k = 0; k < of->count; k++) {
        json_t *verdict = json_object();
        json_put(&verdict, "tolerance", json_number(of->of[k].tolerance));
        json_put(&verdict, "claim", json_text(dls_outcome_text(of->of[k].claim)));
        json_put(&verdict, "outcome", json_text(dls_outcome_text(of->of[k].outcome)));
        json_put(&verdict, "verdict", json_text(dls_verdicts[of->of[k].verdict]));
        json_put(&verdict, "scaled_residual", json_number(of->of[k].residual));
        json_put(&verdict, "seconds", json_number(of->of[k].seconds));
        json_add(&list, verdict);
    }
    json_put(&o, "file", json_text(file));
    json_put(&o, "problem", json_text(of->problem));
    json_put(&o, "rows", json_count(of->rows));
    json_put(&o, "solver", json_text(of->solver));
    json_put(&o, "version", json_text(of->version));
    json_put(&o, "refuted", json_boolean(any_wrong(of)));
    json_put(&o, "verdicts", list);
    return json_print(o);
}

static int run_submit_check(const arguments *a)
{
    tolerances t;
    dls_submission of;
    dls_error error;
    if (!read_tolerances(a, &t))
        return EXIT_BAD_INPUT;
    if (dls_submission_check(a->words[0], argument(a, "problem", NULL), t.value, t.count, &of, &error) != DLS_OK)
        return complain(&error);
    if (!argument(a, "json", NULL))
        print_text(a->words[0], &of);
    else if (!print_json(a->words[0], &of))
        return EXIT_BAD_INPUT;
    return any_wrong(&of) ? EXIT_UNSOLVED : EXIT_DONE;
}

static const option_spec options[] = {
    {"problem", 'p', "FILE|SET/K", "the problem [the one that the file names, or ../../problems/NAME.problem]"},
    TOLERANCES_OPTION,
    JSON_OPTION,
    {NULL, 0, NULL, NULL}};
const command command_submit_check = {
    .name = "submit-check",
    .usage = "FILE [--problem FILE|SET/K] [--tolerances LIST]",
    .summary = "examine one answer file, before it is added to a leaderboard",
    .details =
        "FILE has the answers of one solver to one problem as JSON (doc/profiles.md, schema: answer-file.schema.json). "
        "Its form is checked,\nits problem found, and every answer examined. Exit status 0: valid, and no claim is "
        "refuted; 1: valid, and a claim is refuted;\n2: not valid, or the answer to another problem.",
    .min_words = 1,
    .max_words = 1,
    .files = 1,
    .options = options,
    .run = run_submit_check,
};
