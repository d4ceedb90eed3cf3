/* Figures of any table: some columns over another one, a curve for each column and each value of a third one. gnuplot
 * gets the numbers themselves, a block of data a curve, before plots/columns.gp. */
#include "delassus/experiments.h"

#include "base/arithmetic.h"
#include "base/text.h"
#include "gnuplot.h"
#include "study/sheet.h"
#include "tex.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CURVES = DLS_TABLE_CURVES, VALUES = 1000, MARKS = 24 };

const char *const dls_log_axes[] = {"x", "y", "xy", NULL};

typedef struct curve {
    size_t y;          /* column */
    const char *value; /* of the column `by`, or NULL */
    size_t points;
    bool repeats; /* several points at one x, which no line joins */
} curve;

typedef struct plotted {
    const dls_table_figure *figure;
    dls_sheet sheet;
    size_t x, by, where, y[CURVES], n_y;
    char condition[DLS_NAME_MAX];
    const char *wanted; /* of the column `where`; NULL: all rows */
    curve curves[CURVES];
    size_t n_curves;
    double *abscissae; /* rows: of the points of a curve */
    FILE *script;
    dls_table_figure_result *result;
} plotted;

/* --- columns and curves --- */

static dls_status plot_column(plotted *p, const char *name, size_t *column, dls_error *error)
{
    return dls_sheet_column(&p->sheet, p->figure->table, name, column, error);
}

static dls_status choose_columns(plotted *p, dls_error *error)
{
    const dls_table_figure *f = p->figure;
    char name[2 * DLS_NAME_MAX];
    DLS_TRY(plot_column(p, f->x, &p->x, error));
    if (f->by)
        DLS_TRY(plot_column(p, f->by, &p->by, error));
    for (const char *y = f->y; y; y = strchr(y, ',') ? strchr(y, ',') + 1 : NULL) {
        if (p->n_y == CURVES)
            return dls_fail(error, DLS_BAD_INPUT, "more than %d columns for y: no more curves can be told apart",
                            CURVES);
        snprintf(name, sizeof name, "%.*s", (int)strcspn(y, ","), y);
        DLS_TRY(plot_column(p, name, &p->y[p->n_y++], error));
    }
    if (!f->where)
        return DLS_OK;
    p->wanted = strchr(f->where, '=');
    if (!p->wanted || p->wanted - f->where >= (ptrdiff_t)sizeof p->condition)
        return dls_fail(error, DLS_BAD_INPUT, "'%.60s' is not COLUMN=VALUE", f->where);
    snprintf(p->condition, sizeof p->condition, "%.*s", (int)(p->wanted++ - f->where), f->where);
    return plot_column(p, p->condition, &p->where, error);
}

static bool is_chosen(const plotted *p, size_t row)
{
    return !p->wanted || strcmp(dls_sheet_cell(&p->sheet, row, p->where), p->wanted) == 0;
}

/* The values of `by` in the order of the rows; only the first curves are kept, and the number of all is found. */
static size_t count_values(const plotted *p, const char **values)
{
    size_t count = 0;
    for (size_t row = 0; row < p->sheet.rows && count < VALUES; row++) {
        const char *value = dls_sheet_cell(&p->sheet, row, p->by);
        size_t k = 0;
        while (k < count && strcmp(values[k], value) != 0)
            k++;
        if (is_chosen(p, row) && k == count)
            values[count++] = value;
    }
    return count;
}

static dls_status choose_curves(plotted *p, dls_error *error)
{
    const char *values[VALUES] = {NULL};
    const size_t n_values = p->figure->by ? count_values(p, values) : 1;
    for (size_t row = 0; row < p->sheet.rows; row++)
        p->result->rows += is_chosen(p, row);
    if (p->result->rows == 0)
        return dls_fail_about(error, DLS_BAD_INPUT, p->figure->table, NULL, "no row has %.100s", p->figure->where);
    if (n_values * p->n_y > CURVES)
        return dls_fail_about(error, DLS_BAD_INPUT, p->figure->table, NULL,
                              "%s%zu curves, and %d can be told apart: '%.60s' has %zu values, and y %zu columns; draw "
                              "fewer columns, or the rows alone that have one value of a column",
                              n_values == VALUES ? "more than " : "", n_values * p->n_y, CURVES,
                              p->figure->by ? p->figure->by : "-", n_values, p->n_y);
    for (size_t k = 0; k < n_values; k++)
        for (size_t i = 0; i < p->n_y; i++)
            p->curves[p->n_curves++] = (curve){.y = p->y[i], .value = values[k]};
    return DLS_OK;
}

/* --- points --- */

static bool has_log(const plotted *p, char axis) { return p->figure->log && strchr(p->figure->log, axis); }

/* Notes the rows in which a column has no number, all of which is an error. */
static dls_status check_numbers(plotted *p, size_t column, dls_error *error)
{
    size_t missing = 0, first = 0;
    double value;
    for (size_t row = 0; row < p->sheet.rows; row++)
        if (is_chosen(p, row) && !dls_sheet_real(&p->sheet, row, column, &value) && missing++ == 0)
            first = row;
    if (missing == 0)
        return DLS_OK;
    const char *name = dls_sheet_name(&p->sheet, column), *cell = dls_sheet_cell(&p->sheet, first, column);
    const size_t line = p->sheet.line[1 + first], used = strlen(p->result->left_out);
    if (missing == p->result->rows)
        return dls_fail_about(error, DLS_BAD_INPUT, p->figure->table, NULL,
                              "the column %.60s has no finite number to draw: line %zu has '%.40s'", name, line, cell);
    snprintf(p->result->left_out + used, sizeof p->result->left_out - used,
             "%s%zu of %zu rows have no finite number in %.60s (line %zu has '%.20s')", used ? "; " : "", missing,
             p->result->rows, name, line, cell);
    return DLS_OK;
}

static int compare_reals(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Writes the points of a curve; *low gets the points that have no place on a logarithmic axis. */
static void write_points(plotted *p, curve *c, size_t *low)
{
    for (size_t row = 0; row < p->sheet.rows; row++) {
        double x, y;
        char text[80];
        if (!is_chosen(p, row) || (c->value && strcmp(dls_sheet_cell(&p->sheet, row, p->by), c->value) != 0) ||
            !dls_sheet_real(&p->sheet, row, p->x, &x) || !dls_sheet_real(&p->sheet, row, c->y, &y))
            continue;
        if ((has_log(p, 'x') && x <= 0.0) || (has_log(p, 'y') && y <= 0.0)) {
            ++*low;
            continue;
        }
        dls_print(text, sizeof text, "%.17g\t%.17g\n", x, y);
        fputs(text, p->script);
        p->abscissae[c->points++] = x;
    }
    qsort(p->abscissae, c->points, sizeof *p->abscissae, compare_reals);
    for (size_t k = 1; k < c->points; k++)
        c->repeats = c->repeats || p->abscissae[k] == p->abscissae[k - 1];
    if (c->points == 0)
        fputs("NaN\tNaN\n", p->script);
    fputs("\n\n", p->script);
    p->result->points += c->points;
}

static dls_status write_curves(plotted *p, dls_error *error)
{
    size_t low = 0;
    DLS_TRY(check_numbers(p, p->x, error));
    for (size_t i = 0; i < p->n_y; i++)
        DLS_TRY(check_numbers(p, p->y[i], error));
    p->abscissae = malloc(p->sheet.rows * sizeof *p->abscissae);
    if (!p->abscissae)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a figure of %zu rows", p->sheet.rows);
    fputs("$curves << EOD\n", p->script);
    for (size_t k = 0; k < p->n_curves; k++)
        write_points(p, &p->curves[k], &low);
    fputs("EOD\n", p->script);
    if (p->result->points == 0)
        return dls_fail_about(error, DLS_BAD_INPUT, p->figure->table, NULL,
                              low ? "no point is above 0, as a logarithmic axis needs it"
                                  : "no row has a finite number in both columns");
    const size_t used = strlen(p->result->left_out);
    if (low > 0)
        snprintf(p->result->left_out + used, sizeof p->result->left_out - used,
                 "%s%zu points at or below 0 have no place on a logarithmic axis", used ? "; " : "", low);
    return DLS_OK;
}

/* --- texts --- */

/* The name of a column as a label, with blanks in the place of underscores. */
static void put_name(const plotted *p, size_t column, bool with_unit, char *to, size_t size)
{
    const char *name = dls_sheet_name(&p->sheet, column), *unit = p->sheet.unit[column];
    const bool bracket = with_unit && *unit;
    const int length = (int)strcspn(name, "[");
    snprintf(to, size, "%.*s%s%s%s", length, name, bracket ? " [" : "", bracket ? unit : "", bracket ? "]" : "");
    for (int k = 0; k < length && to[k]; k++)
        to[k] = to[k] == '_' ? ' ' : to[k];
}

/* NAME = 'text' in the script: a quote is doubled, and a character that would end the line is a blank. */
static void set_text(FILE *script, const char *name, const char *text)
{
    fprintf(script, "%s = '", name);
    for (; *text; text++)
        fputs((const char[]){(unsigned char)*text < 0x20 ? ' ' : *text, *text == '\'' ? '\'' : '\0', '\0'}, script);
    fputs("'\n", script);
}

/* The label of the vertical axis: several columns leave it their unit, if it is the same. */
static bool label_ordinates(const plotted *p, char *text, size_t size)
{
    const char *unit = p->sheet.unit[p->y[0]];
    bool one_unit = true;
    for (size_t i = 1; i < p->n_y; i++)
        one_unit = one_unit && strcmp(p->sheet.unit[p->y[i]], unit) == 0;
    if (p->n_y == 1)
        put_name(p, p->y[0], true, text, size);
    else
        snprintf(text, size, one_unit && *unit ? "[%s]" : "%s", one_unit ? unit : "");
    return one_unit;
}

static void write_labels(plotted *p)
{
    char text[4 * DLS_NAME_MAX], name[2 * DLS_NAME_MAX] = "", digits[32];
    const bool several = p->n_y > 1;
    put_name(p, p->x, true, text, sizeof text);
    set_text(p->script, "x_label", text);
    const bool one_unit = label_ordinates(p, text, sizeof text);
    set_text(p->script, "y_label", text);
    if (p->figure->by)
        put_name(p, p->by, true, name, sizeof name);
    set_text(p->script, "key_title", name);
    set_text(p->script, "log", p->figure->log ? p->figure->log : "");
    fprintf(p->script, "curves = %zu\narray title[curves]\narray joined[curves]\narray thin[curves]\n", p->n_curves);
    for (size_t k = 0; k < p->n_curves; k++) {
        const curve *c = &p->curves[k];
        char of[32];
        put_name(p, c->y, !one_unit, name, sizeof name);
        snprintf(text, sizeof text, "%s%s%s", several ? name : "", several && c->value ? ", " : "",
                 c->value ? dls_short_cell(c->value, digits, sizeof digits) : "");
        snprintf(of, sizeof of, "title[%zu]", k + 1);
        set_text(p->script, of, text);
        fprintf(p->script, "joined[%zu] = %d\nthin[%zu] = %zu\n", k + 1, !c->repeats, k + 1,
                c->repeats ? 1 : c->points / MARKS + 1);
    }
    fputs("load plots.'/columns.gp'\n", p->script);
}

static void write_caption(const plotted *p, char *caption, size_t size)
{
    const dls_table_figure *f = p->figure;
    bool repeats = false;
    for (size_t k = 0; k < p->n_curves; k++)
        repeats = repeats || p->curves[k].repeats;
    snprintf(caption, size, "%.100s over %.60s%s%.60s%s%.100s: %zu points of %zu rows. %s%s%s", f->y, f->x,
             f->by ? ", a curve for each value of " : "", f->by ? f->by : "", f->where ? ", of the rows with " : "",
             f->where ? f->where : "", p->result->points, p->result->rows,
             repeats ? "Points that no line joins have several values at one place. "
                     : "Lines join the points in the order of the rows. ",
             p->result->left_out, *p->result->left_out ? "." : "");
}

/* --- the figure --- */

static dls_status draw_curves(const dls_job *job, plotted *p, dls_error *error)
{
    const dls_table_figure *f = p->figure;
    const unsigned formats = job->figures ? job->figures : DLS_FIGURES_DEFAULT;
    char caption[2048];
    write_labels(p);
    if (fflush(p->script) != 0 || ferror(p->script))
        return dls_fail(error, DLS_NOT_WRITTEN, "a temporary file for a figure could not be written: %s",
                        dls_system_text(errno));
    for (dls_figure_format format = 0; format < DLS_FIGURE_FORMATS; format++) {
        if (!(formats & 1u << format))
            continue;
        rewind(p->script);
        DLS_TRY(dls_figure_script(job, "-", fileno(p->script), f->table, f->stem, format, NULL, error));
    }
    write_caption(p, caption, sizeof caption);
    return dls_figure_caption(job, f->table, f->stem, caption, error);
}

dls_status dls_log_axes_check(const char *log, dls_error *error)
{
    for (size_t k = 0; log && dls_log_axes[k]; k++)
        if (strcmp(dls_log_axes[k], log) == 0)
            return DLS_OK;
    return log ? dls_fail(error, DLS_BAD_INPUT, "'%.20s' are no axes; logarithmic ones are x, y or xy", log) : DLS_OK;
}

static dls_status plot_sheet(const dls_job *job, plotted *p, dls_error *error)
{
    DLS_TRY(dls_log_axes_check(p->figure->log, error));
    DLS_TRY(dls_sheet_read(p->figure->table, &p->sheet, error));
    DLS_TRY(choose_columns(p, error));
    DLS_TRY(choose_curves(p, error));
    p->result->curves = p->n_curves;
    if (!(p->script = tmpfile()))
        return dls_fail(error, DLS_IO, "no temporary file for a figure: %s", dls_system_text(errno));
    DLS_TRY(write_curves(p, error));
    return draw_curves(job, p, error);
}

dls_status dls_plot_columns(const dls_job *job, const dls_table_figure *figure, dls_table_figure_result *result,
                            dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    plotted p = {.figure = figure, .result = result};
    *result = (dls_table_figure_result){.rows = 0};
    const dls_status status = plot_sheet(job, &p, error);
    if (p.script)
        fclose(p.script);
    free(p.abscissae);
    dls_sheet_release(&p.sheet);
    return status;
}
