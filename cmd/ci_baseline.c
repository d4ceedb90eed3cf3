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

/* One row; steps that could not be examined have no residual, and are as if they had not been there. */
static dls_status baseline_row(ci_baseline *b, const char *line, const char *end, const long column[2],
                               const char *path, long number, dls_error *error)
{
    size_t length, digits;
    double residual = NAN;
    char text[64];
    const char *name = baseline_cell(line, end, column[0], &length),
               *value = baseline_cell(line, end, column[1], &digits), *behind = "";
    if (!name || !value)
        return dls_fail_at(error, DLS_BAD_INPUT, path, number, 0, "scaled_residual", "the row has no such cell");
    snprintf(text, sizeof text, "%.*s", (int)digits, value);
    if (strcmp(text, "nan") == 0)
        return DLS_OK;
    if (dls_parse_real(text, "", &residual, &behind, error) != DLS_OK || *behind || !(residual >= 0.0))
        return dls_fail_at(error, DLS_BAD_INPUT, path, number, 0, "scaled_residual",
                           "'%s' is no residual; a number from 0 up is expected", text);
    return baseline_add(b, name, length, residual, error);
}

static dls_status baseline_parse(ci_baseline *b, const char *text, const char *path, dls_error *error)
{
    long column[2] = {ABSENT, ABSENT}, number = 1;
    for (const char *line = text, *end; *line; line = *end ? end + 1 : end, number++) {
        end = line + strcspn(line, "\n");
        if (*line == '#' || end == line)
            continue;
        if (column[0] != ABSENT) {
            DLS_TRY(baseline_row(b, line, end, column, path, number, error));
            continue;
        }
        column[0] = baseline_column(line, end, "step");
        column[1] = baseline_column(line, end, "scaled_residual[1]");
        if (column[0] == ABSENT || column[1] == ABSENT)
            return dls_fail_at(error, DLS_BAD_INPUT, path, number, 0, NULL,
                               "no table of delassus ci: the columns step and scaled_residual[1] are missing; write "
                               "one with -o");
    }
    return column[0] != ABSENT
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
