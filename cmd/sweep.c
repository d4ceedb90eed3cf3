/* delassus sweep: runs of a scene over the values of any keys; and merge, of its shards. */
#include "json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct axes {
    dls_sweep_axis *of;
    size_t count;
} axes;

static void release_axes(axes *list)
{
    for (size_t k = 0; k < list->count; k++)
        dls_sweep_axis_release(&list->of[k]);
    free(list->of);
}

/* KEY=VALUES, with `prefix` before it for --solvers and --schemes. */
static bool add_axis(axes *list, const char *prefix, const char *text, bool one)
{
    char whole[DLS_PATH_MAX];
    dls_error error;
    if (snprintf(whole, sizeof whole, "%s%s", prefix, text) >= (int)sizeof whole)
        return complain_text("'%.60s...' is too long", text), false;
    dls_sweep_axis *more = realloc(list->of, (list->count + 1) * sizeof *more);
    if (!more)
        return complain_no_memory(), false;
    list->of = more;
    if (dls_sweep_axis_create(whole, &list->of[list->count++], &error) != DLS_OK)
        return complain(&error), false;
    const dls_sweep_axis *last = &list->of[list->count - 1];
    if (one && last->count != 1)
        return complain_text("--set %s: one value; --over takes several", last->key), false;
    for (size_t k = 0; k + 1 < list->count; k++)
        if (!one && strcmp(list->of[k].key, last->key) == 0)
            return complain_text("'%s' is swept twice", last->key), false;
    return true;
}

static bool read_axes(const arguments *a, axes *over, axes *fixed)
{
    static const struct {
        const char *option, *prefix;
        bool one;
    } kinds[] = {{"over", "", false},
                 {"solver", "solver=", false},
                 {"solvers", "solver=", false},
                 {"schemes", "scheme=", false},
                 {"set", "", true}};
    for (size_t i = 0; i < a->n_options; i++)
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
            if (strcmp(a->options[i].name, kinds[k].option) == 0 &&
                !add_axis(kinds[k].one ? fixed : over, kinds[k].prefix, a->options[i].value, kinds[k].one))
                return false;
    return true;
}

static bool read_shard(const arguments *a, dls_sweep *sweep)
{
    const char *text = argument(a, "shard", "1/1");
    char *end;
    sweep->shard = strtoul(text, &end, 10);
    sweep->shards = *end == '/' ? strtoul(end + 1, &end, 10) : 0;
    if (*end || sweep->shard < 1 || sweep->shard > sweep->shards || strchr(text, '-'))
        return complain_text("--shard: '%s' is not K/N with K from 1 to N", text), false;
    return true;
}

/* Draws the columns X,Y or X,Y,BY of --figure. */
static int draw_table(const arguments *a, dls_job *job, const dls_sweep_result *r)
{
    char x[2 * DLS_NAME_MAX], y[2 * DLS_NAME_MAX], by[2 * DLS_NAME_MAX],
        stem[DLS_NAME_MAX], *const names[] = {x, y, by};
    dls_table_figure figure = {.table = r->table, .x = x, .y = y, .log = argument(a, "log", NULL), .stem = stem};
    dls_table_figure_result drawn;
    dls_error error;
    size_t count = 0;
    for (const char *at = argument(a, "figure", NULL); at && count < 3;
         at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        snprintf(names[count++], sizeof x, "%.*s", (int)strcspn(at, ","), at);
    figure.by = count == 3 ? by : NULL;
    dls_file_stem(r->table, stem, sizeof stem);
    if (dls_plot_columns(job, &figure, &drawn, &error) != DLS_OK)
        return complain(&error);
    if (argument(a, "json", NULL))
        return EXIT_DONE;
    printf("  ");
    print_figure_names(job, stem);
    if (*drawn.left_out)
        printf("  left out       %s\n", drawn.left_out);
    return EXIT_DONE;
}

/* Whether --figure is two or three names with axes that there are, or is not given; false after a message. */
static bool check_figure(const arguments *a)
{
    const char *names = argument(a, "figure", NULL), *comma = names ? strchr(names, ',') : NULL;
    const char *second = comma ? strchr(comma + 1, ',') : NULL, *log = argument(a, "log", NULL);
    dls_error error;
    if (!names && (log || argument(a, "figures", NULL)))
        return complain_text("--%s: there is no figure; name its columns, --figure X,Y", log ? "log" : "figures"),
               false;
    if (dls_log_axes_check(log, &error) != DLS_OK)
        return complain_text("--log: %s", error.message), false;
    if (!names || (comma && !(second && strchr(second + 1, ','))))
        return true;
    complain_text("--figure: '%s' is not X,Y or X,Y,BY, columns of the table", names);
    return false;
}

static bool print_json(const dls_sweep_result *r)
{
    json_t *o = json_object();
    json_put(&o, "table", json_text(r->table));
    json_put(&o, "cells", json_count(r->cells));
    json_put(&o, "kept", json_count(r->kept));
    json_put(&o, "damaged", json_count(r->damaged));
    for (size_t k = 0; k < DLS_SWEEP_OUTCOMES; k++)
        json_put(&o, dls_sweep_outcomes[k], json_count(r->outcomes[k]));
    return json_print(o);
}

static void print_text(const dls_sweep_result *r)
{
    printf("%zu cells", r->cells);
    if (r->kept > 0)
        printf(", %zu of them kept from a sweep that was cut off", r->kept);
    for (size_t k = 0; k < DLS_SWEEP_OUTCOMES; k++)
        if (r->outcomes[k] > 0)
            printf("; %zu %s", r->outcomes[k], dls_sweep_outcomes[k]);
    printf("\n  table          %s\n", r->table);
}

static int print_result(const arguments *a, const dls_sweep_result *r)
{
    if (r->damaged > 0)
        complain_text(
            "sweep: %zu lines of the journal were not as the sweep had written them; their cells were run again",
            r->damaged);
    if (!(argument(a, "json", NULL) ? print_json(r) : (print_text(r), true)))
        return EXIT_BAD_INPUT;
    return r->outcomes[DLS_SWEEP_FINISHED] > 0 ? EXIT_DONE : EXIT_UNSOLVED;
}

static int run_sweep(const arguments *a)
{
    char stem[DLS_NAME_MAX];
    axes over = {NULL, 0}, fixed = {NULL, 0};
    dls_sweep sweep = {.scene = a->words[0], .stem = stem, .jobs = 1, .seconds = argument(a, "seconds", NULL) != NULL};
    dls_sweep_result result;
    dls_error error;
    int status = EXIT_BAD_INPUT;
    dls_job job = make_job(a, argument(a, "output", "sweep"));
    dls_file_stem(a->words[0], stem, sizeof stem);
    if (read_axes(a, &over, &fixed) && read_shard(a, &sweep) && argument_count(a, "jobs", 1, &sweep.jobs) &&
        check_figure(a) && choose_figures(a, &job)) {
        sweep.axes = over.of, sweep.n_axes = over.count;
        sweep.fixed = fixed.of, sweep.n_fixed = fixed.count;
        status = dls_sweep_run(&job, &sweep, &result, &error) == DLS_OK ? (end_progress(), print_result(a, &result))
                                                                        : (end_progress(), complain(&error));
        if (status == EXIT_DONE && argument(a, "figure", NULL))
            status = draw_table(a, &job, &result);
    }
    release_axes(&over);
    release_axes(&fixed);
    return status;
}

static void print_keys(void)
{
    printf("\nKeys of --over and --set: solver, scheme, scheme.KEY, warm.KEY, world.KEY, bodies.NAME.KEY, "
           "joints.NAME.KEY\n"
           "(* in NAME stands for any text), settings of solvers (SOLVER.KEY: of that solver only), and of the run:\n");
    for (size_t i = 0; i < dls_sweep_fields.count; i++)
        printf("  %-12s %s%s%s%s\n", dls_sweep_fields.fields[i].key, dls_sweep_fields.fields[i].help,
               *dls_sweep_fields.fields[i].unit ? " [" : "", dls_sweep_fields.fields[i].unit,
               *dls_sweep_fields.fields[i].unit ? "]" : "");
}

static const option_spec options[] = {
    {"over", 0, "KEY=VALUES", "a key and its values, separated by commas: texts, or ranges FIRST:LAST:COUNT[:log]"},
    {"solver", 's', "LIST", "the same as --over solver=LIST"},
    {"solvers", 0, "LIST", "the same"},
    {"schemes", 0, "LIST", "the same as --over scheme=LIST"},
    {"set", 0, "KEY=VALUE", "a value for all cells"},
    {"jobs", 'j', "N", "processes [1]"},
    {"shard", 0, "K/N", "only every N-th cell, beginning with the K-th; 'delassus merge' joins the tables"},
    {"seconds", 0, NULL, "also write the wall time of each cell; the table is then not reproducible"},
    {"figure", 0, "X,Y[,BY]", "a figure of the table: column Y over column X, a curve for each value of BY"},
    {"log", 0, "AXES", "its logarithmic axes: x, y or xy"},
    FIGURES_OPTION,
    {"output", 'o', "DIR", "folder of the table [sweep]"},
    JOINT_TYPE_OPTION,
    JSON_OPTION,
    {NULL, 0, NULL, NULL}};
const command command_sweep = {
    .name = "sweep",
    .usage = "SCENE --over KEY=VALUES [--over ...] [--jobs N] [-o DIR]",
    .summary = "runs of a scene over the values of any keys, as one table",
    .details =
        "The row of a cell says if it diverged, was refused or crashed. The same command continues a sweep that was\n"
        "interrupted. Exit status 1 if no cell finished.",
    .min_words = 1,
    .max_words = 1,
    .files = 1,
    .options = options,
    .run = run_sweep,
    .more = print_keys,
};

static int run_merge(const arguments *a)
{
    dls_sweep_result result;
    dls_error error;
    const dls_job job = make_job(a, argument(a, "output", "sweep"));
    return dls_sweep_merge(&job, a->words, a->n_words, &result, &error) == DLS_OK ? print_result(a, &result)
                                                                                  : complain(&error);
}

static const option_spec merge_options[] = {
    {"output", 'o', "DIR", "folder of the table [sweep]"}, JSON_OPTION, {NULL, 0, NULL, NULL}};
const command command_merge = {
    .name = "merge",
    .usage = "TABLE... [-o DIR]",
    .summary = "the tables of all shards of a sweep as one",
    .min_words = 1,
    .max_words = 100000,
    .options = merge_options,
    .run = run_merge,
};
