/* delassus complete: the possible next words of a command line, for the completions of shells. */
#include "command.h"

#include "delassus/collection.h"

#include <stdio.h>
#include <string.h>

/* The values of an option: those of a list (delassus list), or words. */
static const struct {
    const char *option;
    const char *command; /* of this command alone; NULL: of the others that have it */
    const char *list;
    const char *const *words; /* NULL at the end */
} values[] = {{"solver", NULL, "solvers", NULL},       {"solver", NULL, "peers", NULL},
              {"solvers", NULL, "solvers", NULL},      {"solvers", NULL, "peers", NULL},
              {"scheme", NULL, "schemes", NULL},       {"schemes", NULL, "schemes", NULL},
              {"format", "run", NULL, table_formats},  {"format", NULL, "formats", NULL},
              {"to", NULL, "written-formats", NULL},   {"quantity", NULL, "quantities", NULL},
              {"log", NULL, NULL, dls_log_axes},       {"examine", NULL, NULL, dls_examine_names},
              {"record", NULL, NULL, recorded_tables}, {"figures", NULL, NULL, dls_figure_formats}};
enum { VALUES = sizeof values / sizeof values[0] };

/* The option of the command that takes the next word as its value; NULL: there is none. */
static const option_spec *waiting(const command *c, const char *word)
{
    for (const option_spec *o = c->options; o->name; o++) {
        const bool is_long = strncmp(word, "--", 2) == 0 && strcmp(word + 2, o->name) == 0;
        const bool is_short = word[0] == '-' && o->letter && word[1] == o->letter && !word[2];
        if (o->argument && (is_long || is_short))
            return o;
    }
    return NULL;
}

static void print_keys(const dls_field_table *table, const char *prefix)
{
    for (size_t i = 0; i < table->count; i++)
        printf("%s%s=\n", prefix, table->fields[i].key);
}

/* --set: settings of the solvers or of the experiment that the line names, and of schemes and warm starts in a run. */
static void print_settings(const command *c, const arguments *a)
{
    for (size_t i = 1; i < a->n_words; i++) {
        const dls_solver *solver = dls_solver_find(a->words[i]);
        const dls_scheme *scheme = dls_scheme_find(a->words[i]);
        const dls_experiment *experiment = dls_experiment_find(a->words[i]);
        if (solver)
            print_keys(&solver->fields, "");
        if (scheme)
            print_keys(&scheme->fields, "scheme.");
        if (experiment && strcmp(c->name, "experiment") == 0)
            print_keys(&experiment->fields, "");
    }
    for (const option_spec *o = c->options; o->name; o++)
        if (strcmp(o->name, "scheme") == 0) {
            print_keys(&dls_warm_fields, "warm.");
            print_keys(&dls_world_fields, "world.");
        }
}

static void print_values(const command *c, const option_spec *option, const arguments *a)
{
    bool own = false;
    for (size_t i = 0; i < VALUES; i++) {
        if (strcmp(values[i].option, option->name) != 0 ||
            (values[i].command ? strcmp(values[i].command, c->name) != 0 : own))
            continue;
        own = values[i].command;
        if (values[i].list)
            print_list_names(values[i].list);
        for (const char *const *word = values[i].words; word && *word; word++)
            printf("%s\n", *word);
    }
    if (strcmp(option->name, "set") == 0 || strcmp(option->name, "beside") == 0)
        print_settings(c, a);
    for (const char *const *key = run_keys; strcmp(option->name, "beside") == 0 && *key; key++)
        printf("%s=\n", *key);
}

static int run_complete(const arguments *a)
{
    const bool helps = a->n_words == 1 && strcmp(a->words[0], "help") == 0;
    if (a->n_words == 0 || helps) {
        for (size_t i = 0; a->commands[i]; i++)
            printf("%s\n", a->commands[i]->name);
        if (!helps)
            printf("help\n--help\n--version\n");
        return EXIT_DONE;
    }
    size_t at = 0;
    while (a->commands[at] && strcmp(a->commands[at]->name, a->words[0]) != 0)
        at++;
    const command *c = a->commands[at];
    const option_spec *option = c && a->n_words > 1 ? waiting(c, a->words[a->n_words - 1]) : NULL;
    if (!c)
        return EXIT_DONE;
    if (option) {
        print_values(c, option, a);
        return EXIT_DONE;
    }
    if (a->n_words == 1 && strcmp(c->name, "experiment") == 0)
        print_list_names("experiments");
    if (a->n_words == 1 && strcmp(c->name, "list") == 0)
        print_list_names("lists");
    if (c->or_sets) {
        for (const dls_collection_set *set = dls_collection_sets; set->name; set++)
            printf("%s\n", set->name);
        printf("%s\n", dls_collection_small);
    }
    for (const option_spec *o = c->options; o->name; o++)
        printf("--%s\n", o->name);
    printf("--help\n");
    return EXIT_DONE;
}

static const option_spec options[] = {{NULL, 0, NULL, NULL}};
const command command_complete = {
    .name = "complete",
    .usage = "-- WORD...",
    .summary = "possible next words of a command line, for the completions of shells",
    .details = "WORDs are those of the line up to the one that is completed, without the program's name. What can be a "
               "file is not listed;\nnothing is printed where only a file, or any value, may stand.",
    .min_words = 0,
    .max_words = 100000,
    .options = options,
    .run = run_complete,
};
