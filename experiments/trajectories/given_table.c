/* Matrices in text as Siconos writes them. */
#include "trajectories/parts.h"

#include "delassus/io.h"
#include "io/scan.h"

#include <stdlib.h>
#include <string.h>

void dls_given_table_release(dls_given_table *table)
{
    free(table->at);
    *table = (dls_given_table){.at = NULL};
}

static bool row_zero(const double *row, size_t columns)
{
    size_t k = 0;
    while (k < columns && row[k] == 0.0)
        k++;
    return k == columns;
}

static dls_status read_rows(dls_scan *s, dls_given_table *t)
{
    size_t last = 0; /* row that is not zero */
    for (size_t i = 0; i < t->rows; i++) {
        double *row = t->at + i * t->columns;
        DLS_TRY(dls_scan_reals(s, "value", t->columns, row));
        const bool zero = row_zero(row, t->columns);
        if (!zero && row[0] < t->at[last * t->columns])
            return dls_scan_fail(s, DLS_BAD_INPUT, "time",
                                 "the time in column 1 of row %zu is before that of row %zu; sort the rows", i + 1,
                                 last + 1);
        last = zero ? last : i;
        DLS_TRY(dls_scan_end_line(s));
    }
    t->rows = last + 1;
    return dls_scan_end(s);
}

static dls_status read_table(dls_scan *s, dls_given_table *t)
{
    DLS_TRY(dls_scan_count(s, "rows", dls_scan_left(s), &t->rows));
    DLS_TRY(dls_scan_count(s, "columns", dls_scan_left(s), &t->columns));
    if (t->rows == 0 || t->columns < 2)
        return dls_scan_fail(s, DLS_BAD_INPUT, "columns", "a trajectory has rows, a time and a value in each of them");
    if (t->rows > dls_scan_left(s) / 2 / t->columns + 1)
        return dls_scan_fail(s, DLS_BAD_INPUT, "rows", "more numbers than the file has room for");
    DLS_TRY(dls_scan_end_line(s));
    t->at = calloc(t->rows * t->columns, sizeof *t->at);
    if (!t->at)
        return dls_fail(s->error, DLS_NO_MEMORY, "no memory for a table");
    return read_rows(s, t);
}

dls_status dls_given_table_parse(const char *text, size_t size, const char *name, dls_given_table *table,
                                 dls_error *error)
{
    dls_scan scan = dls_scan_begin(text, size, name, true, error);
    *table = (dls_given_table){.at = NULL};
    const dls_status status = read_table(&scan, table);
    if (status != DLS_OK)
        dls_given_table_release(table);
    return status;
}

dls_status dls_given_table_read(const char *path, dls_given_table *table, dls_error *error)
{
    char *text;
    size_t size;
    *table = (dls_given_table){.at = NULL};
    DLS_TRY(dls_file_read(path, &text, &size, error));
    const dls_status status = dls_given_table_parse(text, size, path, table, error);
    free(text);
    return status;
}
