#include "delassus/table.h"

#include "kept_cells.h"
#include "memory.h"
#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct dls_table {
    dls_output output; /* of a kept table only a stream, to the head, and a name as its path */
    bool is_kept;      /* its cells are in `kept` */
    dls_kept_cells kept;
    size_t columns;     /* 0: not yet given */
    size_t rows, cells; /* finished rows, cells of the current one */
    dls_error failure;  /* the first call out of order, or without memory: the answer of commit */
};

static void table_fail(dls_table *table, dls_status status, const char *what)
{
    if (table->failure.status == DLS_OK)
        dls_fail_about(&table->failure, status, table->output.path, NULL, "%s (after %zu rows)", what, table->rows);
}

static void table_misuse(dls_table *table, const char *what) { table_fail(table, DLS_BAD_ARGUMENT, what); }

#define BREAKS "\t\n\r" /* characters that would break the table */

static void put_clean_text(FILE *stream, const char *text)
{
    for (size_t clean; *text; text += clean) {
        clean = strcspn(text, BREAKS);
        fwrite(text, 1, clean, stream);
        if (text[clean])
            fputc(' ', stream), clean++;
    }
}

dls_status dls_table_create(const char *path, dls_table **table, dls_error *error)
{
    *table = calloc(1, sizeof **table);
    if (!*table)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a table");
    dls_status status = dls_output_open(&(*table)->output, path, error);
    if (status != DLS_OK) {
        free(*table);
        *table = NULL;
    }
    return status;
}

dls_status dls_table_keep(const char *name, dls_table **table, dls_error *error)
{
    dls_table *made = *table = calloc(1, sizeof *made);
    if (made && !(made->output.stream = open_memstream(&made->kept.head, &made->kept.head_size))) {
        free(made);
        made = *table = NULL;
    }
    if (!made)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the table '%s'", name);
    made->is_kept = true;
    snprintf(made->output.path, sizeof made->output.path, "%s", name);
    return DLS_OK;
}

const dls_kept_cells *dls_table_kept(const dls_table *table) { return table->is_kept ? &table->kept : NULL; }

const char *dls_cell_text(const dls_kept_cells *of, dls_cell cell)
{
    return of->texts.text + of->texts.entries[cell.count].at;
}

void dls_table_note(dls_table *table, const char *key, const char *format, ...)
{
    char room[2048], *text = room;
    va_list arguments;
    va_start(arguments, format);
    int length = dls_print_list(room, sizeof room, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof room && (text = malloc((size_t)length + 1))) {
        va_start(arguments, format);
        dls_print_list(text, (size_t)length + 1, format, arguments);
        va_end(arguments);
    }
    if (!text)
        table_fail(table, DLS_NO_MEMORY, "no memory for a long note");
    if (table->columns)
        table_misuse(table, "a note below the columns");
    fprintf(table->output.stream, "# %s: ", key);
    put_clean_text(table->output.stream, text ? text : "");
    fputc('\n', table->output.stream);
    if (text != room)
        free(text);
}

void dls_table_note_build(dls_table *table)
{
    dls_build build = dls_build_facts();
    char cpu[256];
    dls_cpu_name(cpu, sizeof cpu);
    dls_table_note(table, "delassus", "%s", build.version);
    dls_table_note(table, "commit", "%s", build.commit);
    dls_table_note(table, "compiler", "%s", build.compiler);
    dls_table_note(table, "flags", "%s", build.flags);
    dls_table_note(table, "cpu", "%s", cpu);
}

void dls_table_note_fields(dls_table *table, const char *prefix, const dls_field_table *fields, const void *settings)
{
    for (size_t i = 0; i < fields->count; i++) {
        const dls_field *field = &fields->fields[i];
        char key[2 * DLS_NAME_MAX];
        size_t size = dls_field_print(field, settings, NULL, 0) + 1;
        char *value = malloc(size);
        if (!value) {
            table_fail(table, DLS_NO_MEMORY, "no memory for the value of a setting");
            return;
        }
        dls_field_print(field, settings, value, size);
        snprintf(key, sizeof key, "set %s%s", prefix, field->key);
        dls_table_note(table, key, "%s%s%s", value, *field->unit ? " " : "", field->unit);
        free(value);
    }
}

void dls_table_columns(dls_table *table, const char *names)
{
    if (table->columns) {
        table_misuse(table, "columns named twice");
        return;
    }
    table->columns = 1;
    for (const char *c = names; *c; c++)
        table->columns += *c == '\t';
    fprintf(table->output.stream, "%s\n", names);
    if (table->is_kept && !(table->kept.columns = calloc(table->columns, sizeof *table->kept.columns)))
        table_fail(table, DLS_NO_MEMORY, "no memory for the columns");
    table->kept.n_columns = table->kept.columns ? table->columns : 0;
}

static FILE *next_cell(dls_table *table)
{
    if (table->cells++ > 0)
        fputc('\t', table->output.stream);
    return table->output.stream;
}

/* Keeps a cell of the current row, whose number of cells dls_table_end_row compares. */
static void keep_cell(dls_table *table, dls_cell_kind kind, dls_cell cell)
{
    const size_t column = table->cells++;
    if (column >= table->kept.n_columns)
        return;
    struct dls_table_column *to = &table->kept.columns[column];
    if (to->kind != DLS_CELL_NONE && to->kind != kind)
        table_misuse(table, "a column with cells of different kinds");
    else if (!DLS_GROW(to->cells, to->capacity, table->rows + 1))
        table_fail(table, DLS_NO_MEMORY, "no memory for a row");
    else
        to->kind = kind, to->cells[table->rows] = cell;
}

/* A whole number below 10^15 is printed by its digits, as %.17g prints it, which takes a third of the time; tables of
 * motions have many zeros. */
static void put_real(FILE *stream, double value)
{
    const double most = 1e15;
    char text[32] = "nan"; /* of either sign */
    if (fabs(value) < most && (double)(long long)value == value && !(value == 0.0 && signbit(value)))
        dls_print(text, sizeof text, "%lld", (long long)value);
    else if (!isnan(value))
        dls_print(text, sizeof text, "%.17g", value);
    fputs(text, stream);
}

void dls_table_real(dls_table *table, double value)
{
    if (table->is_kept)
        keep_cell(table, DLS_CELL_REAL, (dls_cell){.real = value});
    else
        put_real(next_cell(table), value);
}

void dls_table_count(dls_table *table, size_t value)
{
    if (table->is_kept)
        keep_cell(table, DLS_CELL_COUNT, (dls_cell){.count = value});
    else
        fprintf(next_cell(table), "%zu", value);
}

static void keep_text(dls_table *table, const char *text)
{
    char *clean = text[strcspn(text, BREAKS)] ? strdup(text) : NULL;
    for (char *c = clean; c && *(c += strcspn(c, BREAKS));)
        *c = ' ';
    const bool is_copied = clean || !text[strcspn(text, BREAKS)];
    const size_t number =
        is_copied ? dls_names_add(&table->kept.texts, clean ? clean : text, table->kept.texts.count) : SIZE_MAX;
    if (number == SIZE_MAX)
        table_fail(table, DLS_NO_MEMORY, "no memory for a text");
    else
        keep_cell(table, DLS_CELL_TEXT, (dls_cell){.count = number});
    free(clean);
}

void dls_table_text(dls_table *table, const char *text)
{
    const char *const shown = *text ? text : "-";
    if (!table->is_kept) {
        put_clean_text(next_cell(table), shown);
        return;
    }
    keep_text(table, shown);
}

void dls_table_end_row(dls_table *table)
{
    if (table->cells != table->columns)
        table_misuse(table, "a row with another number of cells than columns");
    if (!table->is_kept)
        fputc('\n', table->output.stream);
    table->cells = 0;
    table->rows++;
}

static void put_cells(dls_table *table, const char *format, va_list cells)
{
    while ((format = strchr(format, '%')) != NULL) {
        format++;
        if (*format == 's')
            dls_table_text(table, va_arg(cells, const char *));
        else if (*format == 'g')
            dls_table_real(table, va_arg(cells, double));
        else if (strncmp(format, "zu", 2) == 0)
            dls_table_count(table, va_arg(cells, size_t));
        else {
            table_misuse(table, "cells other than %s, %zu and %g");
            return;
        }
    }
}

void dls_table_cells(dls_table *table, const char *format, ...)
{
    va_list cells;
    va_start(cells, format);
    put_cells(table, format, cells);
    va_end(cells);
}

void dls_table_row(dls_table *table, const char *format, ...)
{
    va_list cells;
    va_start(cells, format);
    put_cells(table, format, cells);
    va_end(cells);
    dls_table_end_row(table);
}

void dls_table_reals(dls_table *table, const double *values, size_t count)
{
    for (size_t k = 0; k < count; k++)
        dls_table_real(table, values[k]);
}

dls_status dls_table_settle(dls_table *table, dls_error *error)
{
    if (table->cells > 0 || table->columns == 0)
        table_misuse(table, table->cells > 0 ? "a row that was not ended" : "a table without columns");
    if (table->is_kept && (fflush(table->output.stream) != 0 || !table->kept.head))
        table_fail(table, DLS_NO_MEMORY, "no memory for the head");
    table->kept.rows = table->rows;
    if (table->failure.status == DLS_OK)
        return table->is_kept ? DLS_OK : dls_output_settle(&table->output, error);
    if (error)
        *error = table->failure;
    return table->failure.status;
}

/* The head is printed as it is: its texts were cleaned when they were kept. */
void dls_table_print(const dls_table *kept, dls_table *to)
{
    const dls_kept_cells *cells = &kept->kept;
    const char *names = cells->head;
    while (*names == '#')
        names += strcspn(names, "\n") + 1;
    fwrite(cells->head, 1, (size_t)(names - cells->head), to->output.stream);
    char *columns = strndup(names, strcspn(names, "\n"));
    if (columns)
        dls_table_columns(to, columns);
    else
        table_fail(to, DLS_NO_MEMORY, "no memory for the columns");
    free(columns);
    for (size_t row = 0; row < cells->rows; row++) {
        for (size_t k = 0; k < cells->n_columns; k++) {
            const struct dls_table_column *of = &cells->columns[k];
            if (of->kind == DLS_CELL_TEXT)
                dls_table_text(to, dls_cell_text(cells, of->cells[row]));
            else if (of->kind == DLS_CELL_COUNT)
                dls_table_count(to, (size_t)of->cells[row].count);
            else
                dls_table_real(to, of->cells[row].real);
        }
        dls_table_end_row(to);
    }
}

dls_status dls_table_commit(dls_table *table, dls_error *error)
{
    dls_status status = table->output.stream ? dls_table_settle(table, error) : DLS_OK;
    if (status == DLS_OK)
        status = dls_output_commit(&table->output, error);
    dls_table_abandon(table);
    return status;
}

void dls_table_abandon(dls_table *table)
{
    if (!table)
        return;
    if (table->is_kept) {
        fclose(table->output.stream);
        free(table->kept.head);
        for (size_t k = 0; k < table->kept.n_columns; k++)
            free(table->kept.columns[k].cells);
        free(table->kept.columns);
        dls_names_release(&table->kept.texts);
    } else {
        dls_output_abandon(&table->output);
    }
    free(table);
}
