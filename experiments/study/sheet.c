/* Tables as text, cut into cells in place. */
#include "sheet.h"

#include "base/memory.h"
#include "base/text.h"
#include "delassus/io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text on its way into cells. */
typedef struct sheet_cut {
    const char *path;
    char *at, *line_start, separator;
    size_t line; /* of `at`, from 1 */
} sheet_cut;

static dls_status quote_fault(const sheet_cut *cut, size_t line, long column, const char *fault, dls_error *error)
{
    return dls_fail_at(
        error, DLS_BAD_INPUT, cut->path, (long)line, column, NULL,
        "the quote that opens this cell %s; close it at the end of the cell, and write a quote within it "
        "twice",
        fault);
}

/* Moves the text of a cell in quotes to its start, and *to behind it. A cell may go on in the next line. */
static dls_status cut_quoted(sheet_cut *cut, char **to, dls_error *error)
{
    const size_t line = cut->line;
    const long column = cut->at - cut->line_start + 1;
    char *from = cut->at + 1;
    for (; *from && !(from[0] == '"' && from[1] != '"'); from++) {
        from += *from == '"';
        if (*from == '\n')
            cut->line++, cut->line_start = from + 1;
        *(*to)++ = *from == '\n' || *from == '\t' ? ' ' : *from;
    }
    if (!*from)
        return quote_fault(cut, line, column, "is not closed", error);
    from += 1 + strspn(from + 1, " \r");
    if (*from && *from != cut->separator && *from != '\n')
        return quote_fault(cut, line, column, "is closed before its end", error);
    cut->at = from;
    return DLS_OK;
}

/* Cuts the cell at the place of the cut, which moves behind it; *more tells whether the line goes on. */
static dls_status cut_cell(sheet_cut *cut, char **cell, bool *more, dls_error *error)
{
    char *to = cut->at;
    *cell = to;
    if (cut->separator != '\t' && *cut->at == '"') {
        DLS_TRY(cut_quoted(cut, &to, error));
    } else {
        cut->at += strcspn(to, (const char[]){cut->separator, '\n', '\0'});
        to = cut->at;
        if (to > *cell && to[-1] == '\r' && *to != cut->separator)
            to--;
    }
    *more = *cut->at == cut->separator;
    if (*cut->at == '\n')
        cut->line++, cut->line_start = cut->at + 1;
    cut->at += *cut->at != '\0';
    *to = '\0';
    return DLS_OK;
}

static dls_status cut_line(sheet_cut *cut, dls_sheet *s, size_t *cells, size_t *room, dls_error *error)
{
    const size_t line = cut->line, before = *cells;
    for (bool more = true; more;) {
        if (!DLS_GROW(s->cells, *room, *cells + 1))
            return dls_fail_about(error, DLS_NO_MEMORY, cut->path, NULL, "no memory for this table");
        DLS_TRY(cut_cell(cut, &s->cells[(*cells)++], &more, error));
    }
    s->columns = s->columns ? s->columns : *cells;
    return *cells - before == s->columns
               ? DLS_OK
               : dls_fail_at(error, DLS_BAD_INPUT, cut->path, (long)line, 1, NULL,
                             "the line has %zu cells, and the line of names %zu; is the file complete?",
                             *cells - before, s->columns);
}

static dls_status cut_sheet(const char *path, dls_sheet *s, dls_error *error)
{
    static const char mark[] = "\xef\xbb\xbf"; /* with which some programs begin a text in UTF-8 */
    char *start = s->text + (strncmp(s->text, mark, strlen(mark)) == 0 ? strlen(mark) : 0);
    sheet_cut cut = {.path = path, .at = start, .line_start = start, .line = 1};
    size_t cells = 0, room = 0, lines = 0, room_of_lines = 0;
    while (*cut.at) {
        const size_t width = strcspn(cut.at, "\n");
        if (*cut.at == '#' || strspn(cut.at, " \r") == width) {
            cut.at += width + (cut.at[width] == '\n');
            cut.line++, cut.line_start = cut.at;
            continue;
        }
        if (!cut.separator)
            cut.separator = memchr(cut.at, '\t', width) ? '\t' : memchr(cut.at, ';', width) ? ';' : ',';
        if (!DLS_GROW(s->line, room_of_lines, lines + 1))
            return dls_fail_about(error, DLS_NO_MEMORY, path, NULL, "no memory for this table");
        s->line[lines++] = cut.line;
        DLS_TRY(cut_line(&cut, s, &cells, &room, error));
    }
    s->rows = lines ? lines - 1 : 0;
    return lines ? DLS_OK
                 : dls_fail_about(error, DLS_BAD_INPUT, path, NULL,
                                  "is empty: a table has a line with the names of its columns");
}

static bool is_real(const char *cell, const char *unit, double *value)
{
    const char *end = cell;
    return dls_parse_real(cell, unit, value, &end, NULL) == DLS_OK && !*end && isfinite(*value);
}

/* The unit of the cells, from the first that has one, in SI. */
static void find_unit(const dls_sheet *s, size_t column, char *unit)
{
    static const char *const si[] = {"m", "s", "kg", "rad", "rad/s", "N", "m/s", "Hz"};
    for (size_t row = 0; row < s->rows; row++) {
        const char *cell = dls_sheet_cell(s, row, column), *end = cell;
        double unused;
        if (dls_read_real(cell, &unused, &end, NULL) != DLS_OK || !end[strspn(end, " ")])
            continue;
        snprintf(unit, DLS_NAME_MAX, "%s", end + strspn(end, " "));
        for (size_t k = 0; k < sizeof si / sizeof si[0]; k++)
            if (is_real(cell, si[k], &unused))
                snprintf(unit, DLS_NAME_MAX, "%s", si[k]);
        return;
    }
}

dls_status dls_sheet_read(const char *path, dls_sheet *sheet, dls_error *error)
{
    size_t size, numbers = 0;
    double unused;
    *sheet = (dls_sheet){.text = NULL};
    DLS_TRY(dls_file_read(path, &sheet->text, &size, error));
    if (strlen(sheet->text) != size)
        return dls_fail_about(error, DLS_BAD_INPUT, path, NULL, "has a zero byte: it is no table of text");
    DLS_TRY(cut_sheet(path, sheet, error));
    sheet->unit = calloc(sheet->columns, sizeof *sheet->unit);
    if (!sheet->unit)
        return dls_fail_about(error, DLS_NO_MEMORY, path, NULL, "no memory for this table");
    for (size_t k = 0; k < sheet->columns; k++)
        numbers += is_real(dls_sheet_name(sheet, k), "", &unused);
    if (numbers == sheet->columns)
        return dls_fail_about(error, DLS_BAD_INPUT, path, NULL,
                              "line %zu has numbers alone: the first line of a table has the names of its columns",
                              sheet->line[0]);
    return sheet->rows ? DLS_OK : dls_fail_about(error, DLS_BAD_INPUT, path, NULL, "has no rows");
}

void dls_sheet_release(dls_sheet *sheet)
{
    free(sheet->text);
    free(sheet->cells);
    free(sheet->line);
    free(sheet->unit);
    *sheet = (dls_sheet){.text = NULL};
}

bool dls_sheet_real(const dls_sheet *sheet, size_t row, size_t column, double *value)
{
    return is_real(dls_sheet_cell(sheet, row, column), sheet->unit[column], value);
}

static void list_names(const dls_sheet *sheet, char *list, size_t size)
{
    for (size_t k = 0, used = 0; k < sheet->columns && used < size; k++)
        used += (size_t)snprintf(list + used, size - used, "%s%s", k ? ", " : "", dls_sheet_name(sheet, k));
}

static void read_unit(dls_sheet *s, size_t column)
{
    const char *bracket = strchr(dls_sheet_name(s, column), '[');
    if (bracket)
        snprintf(s->unit[column], DLS_NAME_MAX, "%.*s", (int)strcspn(bracket + 1, "]"), bracket + 1);
    else
        find_unit(s, column, s->unit[column]);
}

dls_status dls_sheet_column(dls_sheet *sheet, const char *path, const char *name, size_t *column, dls_error *error)
{
    const size_t length = strlen(name);
    char list[DLS_MESSAGE_MAX - 200] = "";
    size_t found = 0, k;
    for (k = 0; k < sheet->columns && strcmp(dls_sheet_name(sheet, k), name) != 0; k++)
        if (strncmp(dls_sheet_name(sheet, k), name, length) == 0 && dls_sheet_name(sheet, k)[length] == '[')
            *column = k, found++;
    if (k < sheet->columns)
        *column = k, found = 1;
    if (found == 1)
        return read_unit(sheet, *column), DLS_OK;
    list_names(sheet, list, sizeof list);
    return found > 1
               ? dls_fail_about(error, DLS_BAD_INPUT, path, NULL,
                                "%zu columns are called '%.60s'; add the unit. The columns are %s", found, name, list)
               : dls_fail_about(error, DLS_BAD_INPUT, path, NULL, "has no column '%.60s'; the columns are %s", name,
                                list);
}
