/* delassus experiment: one experiment with its settings. */
#include "json.h"

#include <stdio.h>
#include <string.h>

static const char *experiment_name_at(const void *context, size_t i)
{
    (void)context;
    return dls_experiments[i] ? dls_experiments[i]->name : NULL;
}

static bool set_fields(const arguments *a, dls_settings *settings)
{
    char key[DLS_NAME_MAX];
    const char *value;
    dls_error error;
    for (size_t i = 0; i < a->n_options; i++) {
        if (strcmp(a->options[i].name, "set") != 0)
            continue;
        if (!split_setting(a->options[i].value, key, sizeof key, &value))
            return false;
        if (dls_settings_set(settings, key, value, &error) != DLS_OK)
            return complain(&error), false;
    }
    return true;
}

static bool print_json(const dls_experiment *experiment, const dls_job *job)
{
    json_t *o = json_object(), *tables = json_array(), *found = json_null();
    dls_finding finding;
    for (const dls_experiment_table *table = experiment->tables; table->stem; table++)
        json_add(&tables, json_text(table->stem));
    if (dls_finding_read(job, experiment->name, &finding)) {
        found = json_object();
        json_put(&found, "figure", json_text(finding.figure));
        json_put(&found, "sentence", json_text(finding.sentence));
    }
    json_put(&o, "experiment", json_text(experiment->name));
    json_put(&o, "output", json_text(job->output));
    json_put(&o, "tables", tables);
    json_put(&o, "finding", found);
    return json_print(o);
}

static int run_experiment(const arguments *a)
{
    const dls_experiment *experiment = dls_experiment_find(a->words[0]);
    dls_job job = make_job(a, argument(a, "output", a->words[0]));
    dls_error error;
    if (!experiment)
        return complain_text(
            "there is no experiment '%s'%s", a->words[0],
            dls_hint_of(dls_nearest_word(a->words[0], experiment_name_at, NULL), "see delassus list experiments").text);
    if (!argument_folder(a, "data") || !choose_figures(a, &job))
        return EXIT_BAD_INPUT;
    dls_settings settings;
    if (dls_settings_create(&experiment->fields, &settings, &error) != DLS_OK)
        return complain(&error);
    int status = EXIT_BAD_INPUT;
    if (set_fields(a, &settings)) {
        status = dls_experiment_run(experiment, &job, settings.values, &error) == DLS_OK ? EXIT_DONE : complain(&error);
        const dls_experiment_table *table = experiment->tables;
        for (; argument(a, "tex", NULL) && status == EXIT_DONE && table->stem; table++)
            status = dls_table_tex(&job, table->stem, &error) == DLS_OK ? EXIT_DONE : complain(&error);
        if (status == EXIT_DONE && argument(a, "json", NULL))
            status = print_json(experiment, &job) ? EXIT_DONE : EXIT_BAD_INPUT;
        else if (status == EXIT_DONE)
            printf("%s: tables and figures in %s/\n", experiment->name, job.output);
    }
    dls_settings_release(&settings);
    return status;
}

static const option_spec options[] = {
    {"set", 0, "KEY=VALUE", "a setting of the experiment (delassus list experiments)"},
    {"data", 0, "DIR", "folder of published problems; without it, parts that need them are left out"},
    FIGURES_OPTION,
    {"tex", 0, NULL, "write each table as a tabular for LaTeX too, NAME.tex"},
    {"output", 'o', "DIR", "folder of tables and figures [the experiment's name]"},
    JSON_OPTION,
    {NULL, 0, NULL, NULL}};
const command command_experiment = {
    .name = "experiment",
    .usage = "NAME [--set KEY=VALUE]... [-o DIR]",
    .summary = "tables and figures of one experiment",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .run = run_experiment,
};
