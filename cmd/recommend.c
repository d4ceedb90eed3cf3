/* delassus recommend: the cheapest scheme, solver, iterations and step that hold an error. */
#include "json.h"

#include "delassus/recommend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct asked {
    dls_scene *scene;
    dls_model *model;
    dls_recommend of;
    const dls_scheme **schemes;
    dls_choice *choices;
    char *options; /* of the scene, as a shell takes them back */
    char stem[DLS_NAME_MAX];
} asked;

static void release_asked(asked *q)
{
    dls_choices_release(q->choices, q->of.n_choices);
    dls_model_destroy(q->model);
    dls_scene_destroy(q->scene);
    free(q->schemes);
    free(q->options);
}

/* The names of --schemes, or all schemes. */
static bool choose_schemes(const arguments *a, asked *q)
{
    const char *names = argument(a, "schemes", NULL);
    size_t most = 1;
    dls_error error;
    for (const char *at = names; at && (at = strchr(at, ',')); at++)
        most++;
    while (!names && dls_schemes[most - 1])
        most++;
    q->schemes = calloc(most, sizeof(const dls_scheme *));
    if (!q->schemes)
        return complain_no_memory(), false;
    q->of.schemes = q->schemes;
    for (; !names && dls_schemes[q->of.n_schemes]; q->of.n_schemes++)
        q->schemes[q->of.n_schemes] = dls_schemes[q->of.n_schemes];
    for (const char *at = names; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char name[DLS_PATH_MAX];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        if (dls_scheme_choose(name, &q->schemes[q->of.n_schemes++], &error) != DLS_OK)
            return complain(&error), false;
    }
    return true;
}

static bool choose_solvers(const arguments *a, asked *q)
{
    dls_error error;
    const dls_status status = solvers_named(a)
                                  ? add_named_solvers(a, &q->choices, &q->of.n_choices, &error)
                                  : dls_choices_add(dls_recommend_solvers, &q->choices, &q->of.n_choices, &error);
    q->of.choices = q->choices;
    return status == DLS_OK || (complain(&error), false);
}

/* The options that change the scene, for the command that is recommended. */
static bool keep_options(const arguments *a, asked *q)
{
    static const char *const kept[] = {"set", "joint-type", "ignore"};
    size_t room = 1;
    for (size_t i = 0; i < a->n_options; i++)
        room += strlen(a->options[i].name) + 4 * strlen(a->options[i].value) + 8;
    char *at = q->options = calloc(room, 1);
    if (!at)
        return complain_no_memory(), false;
    for (size_t i = 0; i < a->n_options; i++)
        for (size_t k = 0; k < sizeof kept / sizeof kept[0]; k++)
            if (strcmp(a->options[i].name, kept[k]) == 0)
                at = dls_shell_word(at + sprintf(at, " --%s ", kept[k]), a->options[i].value);
    *at = '\0';
    q->of.options = q->options;
    return true;
}

static bool read_scene(const arguments *a, asked *q)
{
    dls_error error;
    dls_file_stem(a->words[0], q->stem, sizeof q->stem);
    if (dls_scene_read(a->words[0], &q->scene, &error) != DLS_OK)
        return complain(&error), false;
    if (!q->scene->name[0])
        snprintf(q->scene->name, sizeof q->scene->name, "%s", q->stem);
    if (!set_scene(a, q->scene))
        return false;
    if (q->scene->n_changes > 0)
        return complain_text("%s: the scene changes during the run, and has no truth to compare with; remove its "
                             "changes",
                             a->words[0]),
               false;
    if (dls_model_create(q->scene, &q->model, &error) != DLS_OK)
        return complain_of_scene(q->scene, &error), false;
    q->of.model = q->model, q->of.stem = q->stem;
    q->of.scene = strcmp(a->words[0], STANDARD_INPUT) == 0 ? NULL : a->words[0];
    q->of.duration = dls_model_world(q->model)->duration;
    q->of.seconds = 60.0;
    return true;
}

static bool print_json(const asked *q, const dls_recommendation *r)
{
    const bool any = *r->scheme;
    json_t *o = json_object();
    json_put(&o, "scene", json_text(dls_model_name(q->model)));
    json_put(&o, "status", json_text(dls_recommend_status_names[r->status]));
    json_put(&o, "sentence", json_text(r->sentence));
    json_put(&o, "command", *r->command ? json_text(r->command) : json_null());
    json_put(&o, "scheme", any ? json_text(r->scheme) : json_null());
    json_put(&o, "solver", any ? json_text(r->solver) : json_null());
    json_put(&o, "iterations", any && r->iterations > 0 ? json_count(r->iterations) : json_null());
    json_put(&o, "step", any ? json_number(r->step) : json_null());
    json_put(&o, "error", any ? json_number(r->error_most) : json_null());
    json_put(&o, "error_end", any ? json_number(r->error_end) : json_null());
    json_put(&o, "work", any ? json_number(r->work) : json_null());
    json_put(&o, "seconds", any ? json_number(r->seconds) : json_null());
    json_put(&o, "size", json_number(r->size));
    json_put(&o, "truth_step", r->refined ? json_number(r->truth_step) : json_null());
    json_put(&o, "truth_error", json_number(r->truth_error));
    json_put(&o, "known_until", json_number(r->known_until));
    json_put(&o, "why_refined", *r->why_refined ? json_text(r->why_refined) : json_null());
    json_put(&o, "runs", json_count(r->runs));
    json_put(&o, "refused", json_count(r->refused));
    json_put(&o, "budget_spent", json_boolean(r->spent));
    json_put(&o, "table", *r->table ? json_text(r->table) : json_null());
    return json_print(o);
}

static void print_text(const asked *q, const dls_recommendation *r)
{
    printf("%s: %s\n", dls_model_name(q->model), r->sentence);
    if (*r->command)
        printf("\n    %s\n\n", r->command);
    if (*r->scheme)
        printf("  cost           %.3g row visits of work; %.3g s of processor time, measured\n", r->work, r->seconds);
    printf("  error          largest distance of a body from the truth, in sizes of the mechanism, %.4g m\n", r->size);
    if (r->refined)
        printf("  truth          a refined run with steps of %.3g s; its own error is about %.1e\n"
               "                 no motion in continuous time: %s\n",
               r->truth_step, r->truth_error, r->why_refined);
    else
        printf("  truth          the motion in continuous time; its own error is about %.1e\n", r->truth_error);
    if (r->runs > 0)
        printf("  runs           %zu, %zu of them refused%s\n", r->runs, r->refused,
               r->spent ? "; the budget of --seconds is spent" : "");
    if (*r->table)
        printf("  table          %s, and its figure\n", r->table);
}

static int run_recommend(const arguments *a)
{
    asked q = {.scene = NULL};
    dls_recommendation found;
    dls_error error;
    int status = EXIT_BAD_INPUT;
    dls_job job = make_job(a, argument(a, "output", "recommend"));
    job.stop = stop_asked;
    if (!argument(a, "error", NULL)) {
        complain_text("--error is missing: the largest error, as a part of the size of the mechanism");
    } else if (read_scene(a, &q) && argument_real(a, "error", "", &q.of.error) &&
               argument_real(a, "time", "s", &q.of.duration) && argument_real(a, "seconds", "s", &q.of.seconds) &&
               choose_schemes(a, &q) && choose_solvers(a, &q) && keep_options(a, &q) && choose_figures(a, &job)) {
        note_scene(a->words[0], q.scene, false, true);
        stop_at_signals();
        if (dls_recommend_run(&job, &q.of, &found, &error) != DLS_OK) {
            complain(&error);
            status = stop_signal() ? EXIT_SIGNAL + stop_signal() : EXIT_BAD_INPUT;
        } else {
            end_progress();
            if (!argument(a, "json", NULL))
                print_text(&q, &found);
            if (!argument(a, "json", NULL) || print_json(&q, &found))
                status = found.status == DLS_RECOMMENDED ? EXIT_DONE : EXIT_UNSOLVED;
        }
    }
    release_asked(&q);
    return status;
}

static const option_spec options[] = {
    {"error", 'e', "E", "the largest error at any time, as a part of the size of the mechanism; required"},
    {"time", 0, "S", "duration of the runs [the scene's]"},
    {"seconds", 0, "S", "budget of the search, counted as 5e7 row visits a second [60 s]"},
    SOLVER_OPTIONS("[pgs, nsgs, block-gs, apgd, block-pivoting, sparse-active-set]"),
    {"schemes", 0, "A,B", "schemes, or shared objects ./mine.so [all]"},
    {"set", 0, "KEY=VALUE", "a key of the scene, as in run"},
    FIGURES_OPTION,
    {"output", 'o', "DIR", "folder of the table and the figure [recommend]"},
    JOINT_TYPE_OPTION,
    IGNORE_OPTION,
    JSON_OPTION,
    {NULL, 0, NULL, NULL}};
const command command_recommend = {
    .name = "recommend",
    .usage = "SCENE --error E [--time S] [--seconds S] [--solvers A,B] [--schemes A,B] [-o DIR]",
    .summary = "the cheapest scheme, solver, iterations and time step that hold an error",
    .details =
        "The truth is the motion in continuous time (delassus motion), else a run with exact solves whose step is "
        "halved until\ntwo of them agree. Runs are tried in the order of their cost, counted in row visits and not by "
        "a clock, so that the\nanswer is always the same; one counts only if the run with half its step holds the "
        "error "
        "too. Exit status 1 if no\nsettings hold the error within the budget, or if the truth is not known to it up to "
        "the end (doc/recommend.md).",
    .min_words = 1,
    .max_words = 1,
    .files = 1,
    .options = options,
    .run = run_recommend,
};
