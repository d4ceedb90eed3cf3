/* The table of an earlier run of delassus ci, whose residuals are the measure of this one. */
#include "ci.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ABSENT = -1 };

/* Cell k of a line that ends at `end`: its start, and its length in *length; NULL where there are fewer. */
static const char *baseline_cell(const char *line, const char *end, long k, size_t *length)
{
    for (; k > 0 && line; k--) {
        line = memchr(line, '\t', (size_t)(end - line));
        line = line ? line + 1 : NULL;
    }
    const char *tab = line ? memchr(line, '\t', (size_t)(end - line)) : NULL;
    *length = line ? (size_t)((tab ? tab : end) - line) : 0;
    return line;
}

static long baseline_column(const char *line, const char *end, const char *name)
{
    size_t length;
    const char *cell;
    for (long k = 0; (cell = baseline_cell(line, end, k, &length)); k++)
        if (length == strlen(name) && memcmp(cell, name, length) == 0)
            return k;
    return ABSENT;
}

static dls_status baseline_add(ci_baseline *b, const char *name, size_t length, double residual, dls_error *error)
{
    if (b->count == b->capacity) {
        const size_t larger = 2 * b->capacity + 64;
        char **names = realloc(b->names, larger * sizeof *names);
        b->names = names ? names : b->names;
        double *residuals = realloc(b->residuals, larger * sizeof *residuals);
        b->residuals = residuals ? residuals : b->residuals;
        if (!names || !residuals)
            return dls_fail(error, DLS_NO_MEMORY, "no memory for a baseline of %zu steps", larger);
        b->capacity = larger;
    }
    char *copy = strndup(name, length);
    if (!copy)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a baseline");
    b->names[b->count] = copy;
    b->residuals[b->count++] = residual;
    return DLS_OK;
}

/* The columns that are needed, by their names in the head. */
enum { STEP, VERDICT, RESIDUAL, COLUMNS };
static const char *const column_names[COLUMNS] = {"step", "verdict", "scaled_residual[1]"};

static bool baseline_has(const ci_baseline *b, const char *name, size_t length)
{
    for (size_t i = 0; i < b->count; i++)
        if (strlen(b->names[i]) == length && memcmp(b->names[i], name, length) == 0)
            return true;
    return false;
}

/* A residual, finite and not negative: any other number would let every step pass, or none. */
static bool baseline_residual(const char *text, double *residual)
{
    const char *behind;
    return dls_parse_real(text, "", residual, &behind, NULL) == DLS_OK && !*behind && isfinite(*residual) &&
           *residual >= 0.0;
}

/* One row. A step that could not be examined, whose verdict is error, has no residual, and is as if it had not been
 * there. */
static dls_status baseline_row(ci_baseline *b, const char *line, const char *end, const long column[COLUMNS],
                               const char *path, long number, dls_error *error)
{
    size_t length[COLUMNS];
    double residual;
    char text[64];
    const char *cell[COLUMNS];
    for (int k = 0; k < COLUMNS; k++)
        if (!(cell[k] = baseline_cell(line, end, column[k], &length[k])) || length[k] == 0)
            return dls_fail_at(error, DLS_BAD_INPUT, path, number, 0, column_names[k],
                               "the row has no such cell; write the table again with delassus ci -o");
    snprintf(text, sizeof text, "%.*s", (int)length[RESIDUAL], cell[RESIDUAL]);
    if (strcmp(text, "nan") == 0 && length[VERDICT] == 5 && memcmp(cell[VERDICT], "error", 5) == 0)
        return DLS_OK;
    if (length[RESIDUAL] >= sizeof text || !baseline_residual(text, &residual))
        return dls_fail_at(error, DLS_BAD_INPUT, path, number, 0, column_names[RESIDUAL],
                           "'%s' is no residual; a finite number from 0 up is expected: remove the row, or write the "
                           "table again with delassus ci -o",
                           text);
    if (baseline_has(b, cell[STEP], length[STEP]))
        return dls_fail_at(error, DLS_BAD_INPUT, path, number, 0, column_names[STEP],
                           "a second row for the step '%.*s'; keep one of them", (int)length[STEP], cell[STEP]);
    return baseline_add(b, cell[STEP], length[STEP], residual, error);
}

static dls_status baseline_parse(ci_baseline *b, const char *text, const char *path, dls_error *error)
{
    long column[COLUMNS] = {ABSENT, ABSENT, ABSENT}, number = 1;
    for (const char *line = text, *end; *line; line = *end ? end + 1 : end, number++) {
        end = line + strcspn(line, "\n");
        if (*line == '#' || end == line)
            continue;
        if (column[STEP] != ABSENT) {
            DLS_TRY(baseline_row(b, line, end, column, path, number, error));
            continue;
        }
        for (int k = 0; k < COLUMNS; k++)
            if ((column[k] = baseline_column(line, end, column_names[k])) == ABSENT)
                return dls_fail_at(error, DLS_BAD_INPUT, path, number, 0, column_names[k],
                                   "no table of delassus ci: it has no such column; write one with -o");
    }
    return column[STEP] != ABSENT
               ? DLS_OK
               : dls_fail_about(error, DLS_BAD_INPUT, path, NULL, "holds no table; write one with delassus ci -o");
}

dls_status ci_baseline_read(const char *path, ci_baseline *baseline, dls_error *error)
{
    char *text;
    size_t size;
    DLS_TRY(dls_file_read(path, &text, &size, error));
    const dls_status status = baseline_parse(baseline, text, path, error);
    free(text);
    return status;
}

double ci_baseline_of(const ci_baseline *baseline, const char *name)
{
    for (size_t i = 0; i < baseline->count; i++)
        if (strcmp(baseline->names[i], name) == 0)
            return baseline->residuals[i];
    return NAN;
}

void ci_baseline_release(ci_baseline *baseline)
{
    for (size_t i = 0; i < baseline->count; i++)
        free(baseline->names[i]);
    free(baseline->names);
    free(baseline->residuals);
}
