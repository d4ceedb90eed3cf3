/* delassus profile, delassus leaderboard: solvers on many problems, and their answers examined again. */
#include "json.h"
#include "tolerances.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int print_result(const arguments *a, const dls_job *job, dls_status status, const dls_error *error,
                        const char *page)
{
    end_progress();
    if (status != DLS_OK)
        return complain(error);
    if (!argument(a, "json", NULL)) {
        printf("tables and figures %s/profile*%s\n", job->output, page);
        return EXIT_DONE;
    }
    json_t *o = json_object();
    json_put(&o, "output", json_text(job->output));
    return json_print(o) ? EXIT_DONE : EXIT_BAD_INPUT;
}

static dls_status profile_choices(const arguments *a, const dls_job *job, dls_profile *profile, dls_error *error)
{
    DLS_TRY(solvers_named(a) ? add_named_solvers(a, &profile->choices, &profile->n_choices, error)
                             : dls_choices_iterative(NULL, &profile->choices, &profile->n_choices, error));
    return set_solvers(a, profile->choices, profile->n_choices)
               ? dls_profile_run(job, profile, error)
               : dls_fail(error, DLS_BAD_INPUT, "profile: no setting of these solvers");
}

static int run_profile(const arguments *a)
{
    tolerances t;
    dls_error error;
    dls_job job = make_job(a, argument(a, "output", "profile"));
    dls_profile profile = {.words = a->words, .n_words = a->n_words, .seconds = 1.0, .iterations = 100000};
    if (!read_tolerances(a, &t) || !argument_real(a, "seconds", "s", &profile.seconds) ||
        !argument_count(a, "iterations", 1, &profile.iterations) || !choose_figures(a, &job))
        return EXIT_BAD_INPUT;
    profile.tolerances = t.value, profile.n_tolerances = t.count;
    const dls_status status = profile_choices(a, &job, &profile, &error);
    dls_choices_release(profile.choices, profile.n_choices);
    return print_result(a, &job, status, &error, "");
}

static int run_leaderboard(const arguments *a)
{
    tolerances t;
    dls_error error;
    dls_job job = make_job(a, a->words[0]);
    if (!read_tolerances(a, &t) || !choose_figures(a, &job))
        return EXIT_BAD_INPUT;
    const dls_status status = dls_leaderboard(&job, t.value, t.count, &error);
    return print_result(a, &job, status, &error, "; page index.html");
}

static const option_spec profile_options[] = {
    SOLVER_OPTIONS("[every iterative one]"),
    TOLERANCES_OPTION,
    {"seconds", 0, "S", "time limit of an answer; twice as much where there is no right one [1 s]"},
    {"iterations", 'k', "K", "most iterations of a solver [100000]"},
    {"set", 0, "KEY=VALUE", "a setting of the solvers, or SOLVER.KEY=VALUE for one solver"},
    FIGURES_OPTION,
    {"output", 'o', "DIR", "folder of problems, answers, tables and figures [profile]"},
    JOINT_TYPE_OPTION,
    JSON_OPTION,
    {NULL, 0, NULL, NULL}};
const command command_profile = {
    .name = "profile",
    .usage = "FILE|SET... [--solvers A,B] [--tolerances LIST] [--seconds S] [-o DIR]",
    .summary = "performance profiles of solvers on many problems",
    .details =
        "A problem is a file, or of the collection: SET, SET/K, or 'small' for 200 problems of all sets "
        "(doc/collection.md). Each solver\nanswers each problem, alone and from impulses of zero. DIR keeps the "
        "answers: what it has is not solved again, so that a profile\ncan be stopped, continued and extended. All "
        "answers are examined after that (doc/profiles.md).",
    .min_words = 1,
    .max_words = 100000,
    .files = 100000,
    .or_sets = true,
    .options = profile_options,
    .run = run_profile,
    .more = name_formats,
};

static const option_spec leaderboard_options[] = {
    TOLERANCES_OPTION, FIGURES_OPTION, JSON_OPTION, {NULL, 0, NULL, NULL}};
const command command_leaderboard = {
    .name = "leaderboard",
    .usage = "DIR [--tolerances LIST]",
    .summary = "examine a folder of answers again, and write a page",
    .details =
        "DIR has problems/NAME.problem and answers/SOLVER/NAME.json, as 'delassus profile' or anybody writes them "
        "(doc/profiles.md).\nEvery answer is examined; claims count only against it.",
    .min_words = 1,
    .max_words = 1,
    .options = leaderboard_options,
    .run = run_leaderboard,
};
