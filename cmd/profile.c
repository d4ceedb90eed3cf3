/* delassus profile, delassus leaderboard: solvers on many problems, and their answers examined again. */
#include "json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOLERANCES_MAX = 16 };

typedef struct tolerances {
    double value[TOLERANCES_MAX];
    size_t count;
} tolerances;

static int by_falling_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* "1e-3,1e-6": the largest first; false after a message. */
static bool read_tolerances(const arguments *a, tolerances *t)
{
    const char *at = argument(a, "tolerances", "1e-3,1e-6,1e-9");
    dls_error error;
    for (t->count = 0; t->count < TOLERANCES_MAX; at++) {
        if (dls_parse_real(at, "", &t->value[t->count], &at, &error) != DLS_OK || !(t->value[t->count] > 0.0) ||
            (*at && *at != ','))
            return complain_text("--tolerances: '%s' is no list of positive numbers such as 1e-3,1e-6", at), false;
        t->count++;
        if (!*at) {
            qsort(t->value, t->count, sizeof *t->value, by_falling_value);
            return true;
        }
    }
    return complain_text("--tolerances: more than %d", TOLERANCES_MAX), false;
}

static int print_result(const arguments *a, const dls_job *job, dls_status status, const dls_error *error,
                        const char *page)
{
    end_progress();
    if (status != DLS_OK)
        return complain(error);
    if (!argument(a, "json", NULL)) {
        printf("tables %s/profile.answers.tsv, profile.scores.tsv, profile.curves.tsv%s\n", job->output, page);
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
    dls_profile profile = {.files = a->words, .n_files = a->n_words, .seconds = 1.0, .iterations = 100000};
    if (!read_tolerances(a, &t) || !argument_real(a, "seconds", "s", &profile.seconds) ||
        !argument_count(a, "iterations", 1, &profile.iterations) || !choose_figures(a, &job))
        return EXIT_BAD_INPUT;
    profile.tolerances = t.value, profile.n_tolerances = t.count;
    const dls_status status = profile_choices(a, &job, &profile, &error);
    dls_choices_release(profile.choices, profile.n_choices);
    return print_result(a, &job, status, &error, "; figure profile.svg, .png");
}

static int run_leaderboard(const arguments *a)
{
    tolerances t;
    dls_error error;
    double seconds = 1.0;
    dls_job job = make_job(a, a->words[0]);
    if (!read_tolerances(a, &t) || !argument_real(a, "seconds", "s", &seconds) || !choose_figures(a, &job))
        return EXIT_BAD_INPUT;
    const dls_status status = dls_leaderboard(&job, t.value, t.count, seconds, &error);
    return print_result(a, &job, status, &error, "; page index.html; figure profile.svg, .png");
}

#define TOLERANCES_OPTION                                                                  \
    {                                                                                      \
        "tolerances", 't', "LIST", "scaled residuals that count as right [1e-3,1e-6,1e-9]" \
    }
#define SECONDS_OPTION                                                                                \
    {                                                                                                 \
        "seconds", 0, "S", "time limit of an answer; twice as much where there is no right one [1 s]" \
    }

static const option_spec profile_options[] = {
    SOLVER_OPTIONS("[every iterative one]"),
    TOLERANCES_OPTION,
    SECONDS_OPTION,
    {"iterations", 'k', "K", "most iterations of a solver [100000]"},
    {"set", 0, "KEY=VALUE", "a setting of the solvers, or SOLVER.KEY=VALUE for one solver"},
    FIGURES_OPTION,
    {"output", 'o', "DIR", "folder of problems, answers, tables and figures [profile]"},
    JOINT_TYPE_OPTION,
    JSON_OPTION,
    {NULL, 0, NULL, NULL}};
const command command_profile = {
    .name = "profile",
    .usage = "FILE... [--solvers A,B] [--tolerances LIST] [--seconds S] [-o DIR]",
    .summary = "performance profiles of solvers on many problems",
    .details =
        "Each solver answers each problem, alone and from impulses of zero. DIR keeps the answers: what it has is "
        "not solved again, so\nthat a profile can be stopped, continued and extended. All answers are examined "
        "after that (doc/profiles.md).",
    .min_words = 1,
    .max_words = 100000,
    .files = 100000,
    .options = profile_options,
    .run = run_profile,
    .more = print_formats,
};

static const option_spec leaderboard_options[] = {
    TOLERANCES_OPTION, SECONDS_OPTION, FIGURES_OPTION, JSON_OPTION, {NULL, 0, NULL, NULL}};
const command command_leaderboard = {
    .name = "leaderboard",
    .usage = "DIR [--tolerances LIST] [--seconds S]",
    .summary = "examine a folder of answers again, and write a page",
    .details =
        "DIR has problems/NAME.problem and answers/SOLVER/NAME.json, as 'delassus profile' or anybody writes them "
        "(doc/profiles.md).\nEvery answer is examined; claims count only against it.",
    .min_words = 1,
    .max_words = 1,
    .options = leaderboard_options,
    .run = run_leaderboard,
};
