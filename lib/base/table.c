#include "delassus/table.h"

#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct dls_table {
    dls_output output;
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

/* Tabs and line ends would break the table. */
static void put_clean_text(FILE *stream, const char *text)
{
    for (; *text; text++)
        fputc(*text == '\t' || *text == '\n' || *text == '\r' ? ' ' : *text, stream);
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
    if (table->columns)
        table_misuse(table, "columns named twice");
    table->columns = 1;
    for (const char *c = names; *c; c++)
        table->columns += *c == '\t';
    fprintf(table->output.stream, "%s\n", names);
}

static FILE *next_cell(dls_table *table)
{
    if (table->cells++ > 0)
        fputc('\t', table->output.stream);
    return table->output.stream;
}

void dls_table_real(dls_table *table, double value)
{
    char text[32] = "nan"; /* of either sign */
    if (!isnan(value))
        dls_print(text, sizeof text, "%.17g", value);
    fputs(text, next_cell(table));
}

void dls_table_count(dls_table *table, size_t value) { fprintf(next_cell(table), "%zu", value); }

void dls_table_text(dls_table *table, const char *text) { put_clean_text(next_cell(table), *text ? text : "-"); }

void dls_table_end_row(dls_table *table)
{
    if (table->cells != table->columns)
        table_misuse(table, "a row with another number of cells than columns");
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
    if (table->failure.status == DLS_OK)
        return dls_output_settle(&table->output, error);
    if (error)
        *error = table->failure;
    return table->failure.status;
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
    dls_output_abandon(&table->output);
    free(table);
}
