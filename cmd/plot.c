/* delassus plot: some columns of a table over another one, as a figure. */
#include "json.h"

#include <stdio.h>
#include <string.h>

/* A figure's file, in its parts. */
typedef struct figure_file {
    char folder[DLS_PATH_MAX], stem[DLS_NAME_MAX];
    unsigned format; /* as dls_job.figures has it */
} figure_file;

/* False after a message. */
static bool split_figure(const char *path, figure_file *file)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    dls_error error;
    if (!dot || dot == name || strchr(dot, ',') || dls_figure_formats_read(dot + 1, &file->format, &error) != DLS_OK)
        return complain_text("%s: the end of the name does not say what kind of figure is wanted; use one of .svg, "
                             ".png, .pdf, .tikz",
                             path),
               false;
    const bool fits = snprintf(file->folder, sizeof file->folder, "%.*s", (int)(slash ? slash - path : 1),
                               slash ? path : ".") < (int)sizeof file->folder &&
                      snprintf(file->stem, sizeof file->stem, "%.*s", (int)(dot - name), name) < (int)sizeof file->stem;
    if (!fits)
        complain_text("'%.60s...' is too long", path);
    return fits;
}

static bool print_json(const char *path, const dls_table_figure_result *r)
{
    json_t *o = json_object();
    json_put(&o, "figure", json_text(path));
    json_put(&o, "rows", json_count(r->rows));
    json_put(&o, "curves", json_count(r->curves));
    json_put(&o, "points", json_count(r->points));
    json_put(&o, "left_out", *r->left_out ? json_text(r->left_out) : json_null());
    return json_print(o);
}

static int run_plot(const arguments *a)
{
    char name[DLS_NAME_MAX], here[DLS_NAME_MAX + 8];
    figure_file file;
    dls_table_figure_result result;
    dls_error error;
    dls_file_stem(a->words[0], name, sizeof name);
    snprintf(here, sizeof here, "%s.svg", name);
    const char *path = argument(a, "output", here);
    const dls_table_figure figure = {.table = a->words[0],
                                     .x = argument(a, "x", NULL),
                                     .y = argument(a, "y", NULL),
                                     .by = argument(a, "by", NULL),
                                     .where = argument(a, "where", NULL),
                                     .log = argument(a, "log", NULL),
                                     .stem = file.stem};
    if (!figure.x || !figure.y)
        return complain_text("--%s is missing: the column of the %s axis", figure.x ? "y" : "x",
                             figure.x ? "vertical" : "horizontal");
    if (!split_figure(path, &file))
        return EXIT_BAD_INPUT;
    dls_job job = make_job(a, file.folder);
    job.figures = file.format;
    if (dls_plot_columns(&job, &figure, &result, &error) != DLS_OK)
        return complain(&error);
    if (argument(a, "json", NULL))
        return print_json(path, &result) ? EXIT_DONE : EXIT_BAD_INPUT;
    printf("%s: %zu curves, %zu points of %zu rows\n", path, result.curves, result.points, result.rows);
    if (*result.left_out)
        printf("  left out       %s\n", result.left_out);
    return EXIT_DONE;
}

static const option_spec options[] = {
    {"x", 0, "COLUMN", "the column of the horizontal axis"},
    {"y", 0, "COLUMNS", "the columns of the vertical axis, separated by commas"},
    {"by", 0, "COLUMN", "a curve for each value of this column"},
    {"where", 'w', "NAME=VALUE", "only the rows in which a column has this value"},
    {"log", 0, "AXES", "logarithmic axes: x, y or xy"},
    {"output", 'o', "FIGURE", "the figure, .svg, .png, .pdf or .tikz [TABLE.svg, here]"},
    JSON_OPTION,
    {NULL, 0, NULL, NULL}};
const command command_plot = {
    .name = "plot",
    .usage = "TABLE --x COLUMN --y COLUMN[,COLUMN] [--by COLUMN] [--log x|y|xy] [-o FIGURE]",
    .summary = "some columns of a table over another one, as a figure",
    .details =
        "TABLE is a table that this program writes, or has a line of names and then rows, of cells between tabs, "
        "commas or\nsemicolons. The unit of a column, NAME[UNIT], may be left out where one column alone has the name. "
        "Lines join points in\nthe order of the rows, unless a curve has several of them at one place. A figure has at "
        "most 8 curves (doc/sweeps.md).",
    .min_words = 1,
    .max_words = 1,
    .files = 1,
    .options = options,
    .run = run_plot,
};
