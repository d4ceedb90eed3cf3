/* delassus diagnose: causes why a mechanism, a run or an engine's steps go wrong, with numbers and ways to fix them. */
#include "dumps.h"
#include "json.h"
#include "prepared.h"

#include "delassus/diagnosis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SHOWN = 3 };                                       /* findings of one cause and severity in the text */
static const double gain_limit = 10.0, longest_run = 1.0; /* share of the energy; [s] */

/* --- output --- */

static void put_finding(json_t **list, const dls_diagnosis_finding *finding)
{
    json_t *o = json_object();
    json_put(&o, "cause", json_text(dls_fault_causes[finding->cause].word));
    json_put(&o, "severity", json_text(dls_severity_names[finding->severity]));
    json_put(&o, "subject", json_text(finding->subject));
    json_put(&o, "value", json_number(finding->value));
    json_put(&o, "limit", json_number(finding->limit));
    json_put(&o, "text", json_text(finding->text));
    json_add(list, o);
}

static bool print_json(const char *file, const char *step, const dls_diagnosis *d)
{
    json_t *o = json_object(), *list = json_array();
    for (size_t i = 0; i < d->count; i++)
        put_finding(&list, &d->finding[i]);
    json_put(&o, "file", json_text(file));
    json_put(&o, "step", step ? json_text(step) : json_null());
    json_put(&o, "findings", list);
    return json_print(o);
}

static void print_findings(const dls_diagnosis *d)
{
    for (size_t i = 0, same = 0; i < d->count; i++) {
        const dls_diagnosis_finding *finding = &d->finding[i], *before = i > 0 ? finding - 1 : NULL;
        const bool first = !before || before->cause != finding->cause || before->severity != finding->severity;
        const bool last =
            i + 1 == d->count || finding[1].cause != finding->cause || finding[1].severity != finding->severity;
        same = first ? 0 : same + 1;
        if (first)
            printf("%s %s: %s\n", dls_severity_names[finding->severity], dls_fault_causes[finding->cause].word,
                   dls_fault_causes[finding->cause].meaning);
        if (same < SHOWN)
            printf("    %s%s%s\n", finding->subject, *finding->subject ? ": " : "", finding->text);
        else if (last)
            printf("    and %zu more\n", same + 1 - SHOWN);
    }
}

static void print_text(const char *file, const dls_diagnosis *d)
{
    print_findings(d);
    printf("%s: %zu faults, %zu risks, %zu notes\n", file, dls_diagnosis_count(d, DLS_SEVERITY_FAULT),
           dls_diagnosis_count(d, DLS_SEVERITY_RISK), dls_diagnosis_count(d, DLS_SEVERITY_NOTE));
}

/* `step` and `what`: one of several, or the time of one, and why it is told; NULL: there is only one. */
static int finish(const arguments *a, dls_diagnosis *d, const char *what, const char *step)
{
    dls_diagnosis_sort(d);
    if (argument(a, "json", NULL)) {
        if (!print_json(a->words[0], step, d))
            return EXIT_BAD_INPUT;
    } else {
        if (step)
            printf("%s: %s\n", what, step);
        print_text(a->words[0], d);
    }
    return dls_diagnosis_count(d, DLS_SEVERITY_FAULT) > 0 ? EXIT_UNSOLVED : EXIT_DONE;
}

/* --- what is diagnosed --- */

/* A run without tables, in which energy is accounted for. */
static dls_status diagnose_motion(const arguments *a, prepared *p, dls_diagnosis *d, dls_error *error)
{
    dls_run_result result = {.steps = 0};
    dls_job job = make_job(a, ".");
    p->run.silent = p->run.go_on = true;
    p->run.energy_limit = gain_limit;
    p->run.watch = true;
    p->run.examine = DLS_EXAMINE_SAMPLES;
    p->run.samples = 100;
    if (!argument(a, "time", NULL) && p->run.duration > longest_run)
        p->run.duration = longest_run;
    const dls_status status = dls_run_trajectory(&job, &p->run, &result, error);
    end_progress();
    if (status == DLS_BAD_ARGUMENT && result.steps > 0) { /* a mass matrix that was positive definite is so no more */
        result.end = DLS_RUN_DIVERGED;
        snprintf(result.reason, sizeof result.reason, "%s", error->message);
    } else {
        DLS_TRY(status);
    }
    return dls_diagnose_run(d, &p->run, &result, error);
}

static int diagnose_scene(const arguments *a, dls_diagnosis *d)
{
    prepared p;
    dls_error error;
    if (strcmp(a->words[0], STANDARD_INPUT) == 0) { /* it was read to tell that it is a scene */
        complain_text("diagnose: a scene is read twice, which standard input cannot be; give its file");
        return EXIT_BAD_INPUT;
    }
    if (!prepared_open(a, "nsgs", &p)) {
        prepared_release(&p);
        return EXIT_BAD_INPUT;
    }
    note_scene(a->words[0], p.scene, false, false);
    const dls_diagnosis_settings settings = {p.run.step, p.run.iterations};
    dls_status status = dls_diagnose_model(d, p.model, &settings, &error);
    if (status == DLS_OK && !d->singular && !argument(a, "no-run", NULL))
        status = diagnose_motion(a, &p, d, &error);
    prepared_release(&p);
    return status == DLS_OK ? finish(a, d, NULL, NULL) : complain(&error);
}

/* Problems are not run: an option of runs is refused. */
static bool refuse_options_of_runs(const arguments *a)
{
    static const char *const of_runs[] = {"solver", "scheme", "dt", "time", "no-run", "set"};
    for (size_t i = 0; i < sizeof of_runs / sizeof of_runs[0]; i++)
        if (argument(a, of_runs[i], NULL)) {
            complain_text("--%s: a problem is not run; diagnose a scene, or leave the option out", of_runs[i]);
            return true;
        }
    return false;
}

static int diagnose_problem(const arguments *a, const dls_problem *problem, dls_diagnosis *d)
{
    dls_error error;
    size_t iterations = 0;
    if (refuse_options_of_runs(a) || !argument_count(a, "iterations", 1, &iterations))
        return EXIT_BAD_INPUT;
    return dls_diagnose_problem(d, problem, iterations, &error) == DLS_OK ? finish(a, d, NULL, NULL) : complain(&error);
}

#define ENERGIES ".energy.tsv"

/* The tables that `run` has written, from the first time on at which something is wrong. */
static int diagnose_tables(const arguments *a, const char *path, dls_diagnosis *d)
{
    dls_error error;
    double first;
    char text[64];
    if (refuse_options_of_runs(a))
        return EXIT_BAD_INPUT;
    if (dls_diagnose_tables(d, path, &first, &error) != DLS_OK)
        return complain(&error);
    snprintf(text, sizeof text, "at %.6g s", first);
    return finish(a, d, "first finding", isnan(first) ? NULL : text);
}

/* The one run of a folder. */
static int diagnose_run(const arguments *a, dls_diagnosis *d)
{
    dls_error error;
    dumps found = {.names = NULL};
    char path[DLS_PATH_MAX];
    dls_status status = dumps_find(a->words[0], ENERGIES, &found, &error);
    if (status == DLS_OK && found.count != 1)
        status = found.count == 0
                     ? dls_fail_about(&error, DLS_BAD_INPUT, a->words[0], NULL,
                                      "has neither steps, NAME%s, nor tables of a run, NAME%s", DUMPS_PROBLEM, ENERGIES)
                     : dls_fail_about(&error, DLS_BAD_INPUT, a->words[0], NULL,
                                      "has the tables of %zu runs; name those of one, as in %.100s%s", found.count,
                                      found.names[0], ENERGIES);
    if (status == DLS_OK)
        status = dumps_path(a->words[0], found.names[0], ENERGIES, path, &error);
    dumps_release(&found);
    return status == DLS_OK ? diagnose_tables(a, path, d) : complain(&error);
}

/* The steps of an engine, up to the first one with a fault, the findings of which are told; else those of the last. */
static int diagnose_folder(const arguments *a, dls_diagnosis *d)
{
    dls_error error;
    dumps found = {.names = NULL};
    size_t iterations = 0, faults = 0, k = 0;
    if (refuse_options_of_runs(a) || !argument_count(a, "iterations", 1, &iterations))
        return EXIT_BAD_INPUT;
    dls_status status = dumps_find(a->words[0], DUMPS_PROBLEM, &found, &error);
    if (status == DLS_OK && found.count == 0) {
        dumps_release(&found);
        return diagnose_run(a, d);
    }
    for (; status == DLS_OK && k < found.count && faults == 0; k++) {
        char path[DLS_PATH_MAX];
        dls_content content;
        d->count = 0;
        status = dumps_path(a->words[0], found.names[k], DUMPS_PROBLEM, path, &error);
        if (status != DLS_OK || (status = dls_load_problem(path, NULL, &content, &error)) != DLS_OK)
            break;
        status = dls_diagnose_problem(d, content.problem, iterations, &error);
        faults = dls_diagnosis_count(d, DLS_SEVERITY_FAULT);
        dls_content_release(&content);
    }
    const int result = status == DLS_OK
                           ? finish(a, d, "first step with a fault", faults > 0 ? found.names[k - 1] : NULL)
                           : complain(&error);
    dumps_release(&found);
    return result;
}

static int diagnose_file(const arguments *a, dls_diagnosis *d)
{
    dls_error error;
    dls_content content;
    if (dls_file_load(a->words[0], argument(a, "format", NULL), &content, &error) != DLS_OK)
        return complain(&error);
    const int result = content.problem ? diagnose_problem(a, content.problem, d) : diagnose_scene(a, d);
    dls_content_release(&content);
    return result;
}

static int run_diagnose(const arguments *a)
{
    struct stat status;
    dls_error error;
    dls_diagnosis *d;
    if (dls_diagnosis_create(&d, &error) != DLS_OK)
        return complain(&error);
    const bool folder = stat(a->words[0], &status) == 0 && S_ISDIR(status.st_mode);
    const size_t length = strlen(a->words[0]), end = strlen(ENERGIES);
    const bool tables = length > end && strcmp(a->words[0] + length - end, ENERGIES) == 0;
    const int result = folder   ? diagnose_folder(a, d)
                       : tables ? diagnose_tables(a, a->words[0], d)
                                : diagnose_file(a, d);
    dls_diagnosis_destroy(d);
    return result;
}

static void print_causes(void)
{
    printf("\nCauses:\n");
    for (const dls_fault_text *cause = dls_fault_causes; cause->word; cause++)
        printf("  %-22s %s\n", cause->word, cause->meaning);
}

static const option_spec options[] = {
    {"solver", 's', "NAME", "solver of the run, or exec:COMMAND [nsgs]"},
    {"scheme", 0, "NAME", "time-stepping scheme of the run, or a shared object ./mine.so [euler]"},
    {"dt", 0, "S", "time step [the scene's]"},
    {"time", 0, "S", "length of the run [the scene's, 1 s at most]"},
    {"iterations", 'k', "K", "iterations of an iterative solver per step [the scene's; 50 of a problem]"},
    {"no-run", 0, NULL, "diagnose the start alone"},
    {"set", 0, "KEY=VALUE", "as for run"},
    {"format", 'f', "NAME", "format of the file [recognised from its content]"},
    JOINT_TYPE_OPTION,
    JSON_OPTION,
    {NULL, 0, NULL, NULL}};
const command command_diagnose = {
    .name = "diagnose",
    .usage = "SCENE|ROBOT|PROBLEM|STEPS|RUN [--solver NAME] [--dt S] [--time S] [--no-run]",
    .summary = "why a simulation explodes, comes apart or drifts: causes, with numbers and ways to fix them",
    .details =
        "A scene or robot is diagnosed in its initial state, and in a run without output. A folder has the steps\n"
        "that an engine has dumped (NAME.problem, examples/dump): the first one with a fault is told, else the\n"
        "last; or the tables of a run (NAME.energy.tsv, -o of `run`), of which the time is told at which the first\n"
        "finding begins. A fault makes the motion wrong as it is set up, a risk has wrong or slow results under some\n"
        "settings, a note is true of many sound mechanisms. Exit status 1 if there is a fault.",
    .min_words = 1,
    .max_words = 1,
    .files = 1,
    .options = options,
    .run = run_diagnose,
    .more = print_causes,
};
