/* Vectors of numbers in the files of other programs: Matrix Market, JSON, tables, plain numbers. */
#include "delassus/io.h"

#include "base/arithmetic.h"
#include "base/memory.h"
#include "base/text.h"
#include "file.h"
#include "formats.h"
#include "json_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct vector {
    const dls_vector_query *query;
    dls_scan scan;
    double *values;
    size_t n, capacity;
} vector;

static dls_status append_number(vector *v, double value)
{
    if (!DLS_GROW(v->values, v->capacity, v->n + 1))
        return dls_fail_about(v->scan.error, DLS_NO_MEMORY, v->scan.name, NULL, "no memory for %zu numbers", v->n);
    v->values[v->n++] = value;
    return DLS_OK;
}

/* --- the query of a table or of objects --- */

/* True if `name[unit]` is the column `wanted`, of which the unit may be left out. */
static bool is_column(const char *name, size_t length, const char *wanted)
{
    const size_t bare = strlen(wanted);
    return length >= bare && strncmp(name, wanted, bare) == 0 && (length == bare || name[bare] == '[');
}

/* Splits COLUMN=VALUE of the query; false where none is asked for. */
static bool split_condition(const dls_vector_query *query, char *column, const char **value)
{
    const char *equals = query->where ? strchr(query->where, '=') : NULL;
    if (!equals || equals - query->where >= DLS_TOKEN_MAX)
        return false;
    memcpy(column, query->where, (size_t)(equals - query->where));
    column[equals - query->where] = '\0';
    *value = equals + 1;
    return true;
}

/* --- plain numbers: blanks, commas, semicolons and line ends between them, comments from # on --- */

static dls_status read_plain(vector *v, char *text, size_t size)
{
    bool comment = false;
    for (size_t i = 0; i < size; i++) {
        comment = text[i] == '#' || (comment && text[i] != '\n');
        if (comment || text[i] == ',' || text[i] == ';' || text[i] == '\n')
            text[i] = text[i] == '\n' ? '\n' : ' ';
    }
    for (dls_scan_skip_space(&v->scan); !dls_scan_at_end(&v->scan); dls_scan_skip_space(&v->scan)) {
        double value;
        DLS_TRY(dls_scan_real(&v->scan, NULL, v->query->infinite, &value));
        DLS_TRY(append_number(v, value));
    }
    return DLS_OK;
}

/* --- tables: a line of names, then lines of as many cells, by tabs, commas or blanks --- */

enum { NO_CELL = -1 };
typedef struct cell {
    const char *at;
    size_t length;
} cell;

/* Goes to the next line that says something; false at the end. */
static bool next_table_line(dls_scan *scan)
{
    while (scan->at < scan->end && (*scan->at == '#' || strspn(scan->at, " \t\r") == strcspn(scan->at, "\n")))
        dls_scan_skip_line(scan);
    scan->token = scan->at;
    return scan->at < scan->end;
}

/* Cell k of a line; false where it has fewer. */
static bool find_cell(const char *line, char separator, long k, cell *found)
{
    const size_t end = strcspn(line, "\r\n");
    const char *at = line, *stop = line + end;
    for (long i = 0;; i++) {
        const char *behind;
        if (separator == ' ') {
            while (at < stop && (*at == ' ' || *at == '\t'))
                at++;
            if (at == stop)
                return false;
        }
        for (behind = at; behind < stop && *behind != separator && !(separator == ' ' && *behind == '\t'); behind++)
            ;
        if (i == k) {
            *found = (cell){at, (size_t)(behind - at)};
            return true;
        }
        if (behind == stop)
            return false;
        at = behind + 1;
    }
}

static size_t count_cells(const char *line, char separator)
{
    const char *stop = line + strcspn(line, "\r\n");
    size_t count = separator == ' ' ? 0 : 1;
    for (const char *at = line; at < stop; at++)
        if (separator != ' ')
            count += *at == separator;
        else
            count += *at != ' ' && *at != '\t' && (at == line || at[-1] == ' ' || at[-1] == '\t');
    return count;
}

/* The place of a column among the names; NO_CELL if there is none. */
static long find_column(const char *names, char separator, const char *wanted)
{
    cell one;
    for (long k = 0; find_cell(names, separator, k, &one); k++)
        if (is_column(one.at, one.length, wanted))
            return k;
    return NO_CELL;
}

static dls_status no_column(const vector *v, const char *names, char separator, const char *wanted)
{
    char list[DLS_MESSAGE_MAX / 2] = "";
    cell one;
    for (long k = 0; find_cell(names, separator, k, &one); k++) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%.*s", k ? ", " : "", (int)one.length, one.at);
    }
    return dls_scan_fail(&v->scan, DLS_BAD_INPUT, wanted, "no such column; the columns are %s", list);
}

static dls_status read_cell(vector *v, const char *line, char separator, long column)
{
    cell one;
    double value;
    v->scan.token = line;
    find_cell(line, separator, column, &one);
    dls_scan inside = v->scan;
    inside.at = inside.token = one.at;
    inside.end = one.at + one.length;
    if (one.length == 0)
        return dls_scan_fail(&inside, DLS_BAD_INPUT, v->query->column, "an empty cell");
    DLS_TRY(dls_scan_real(&inside, v->query->column, v->query->infinite, &value));
    dls_scan_skip_space(&inside);
    if (!dls_scan_at_end(&inside))
        return dls_scan_fail(&inside, DLS_BAD_INPUT, v->query->column, "'%.*s' is not a number", (int)one.length,
                             one.at);
    return append_number(v, value);
}

static dls_status read_table(vector *v)
{
    dls_scan *scan = &v->scan;
    char key[DLS_TOKEN_MAX];
    const char *names = scan->at, *wanted = NULL;
    const size_t width = strcspn(names, "\n");
    const char separator = memchr(names, '\t', width) ? '\t' : memchr(names, ',', width) ? ',' : ' ';
    const size_t cells = count_cells(names, separator);
    const bool chosen = split_condition(v->query, key, &wanted);
    const long column = find_column(names, separator, v->query->column),
               filter = chosen ? find_column(names, separator, key) : NO_CELL;
    if (column == NO_CELL)
        return no_column(v, names, separator, v->query->column);
    if (chosen && filter == NO_CELL)
        return no_column(v, names, separator, key);
    for (dls_scan_skip_line(scan); next_table_line(scan); dls_scan_skip_line(scan)) {
        cell one;
        if (count_cells(scan->at, separator) != cells)
            return dls_scan_fail(scan, DLS_BAD_INPUT, NULL,
                                 "the line has %zu cells, and the line of names %zu; is the file complete? Quotes do "
                                 "not join cells here",
                                 count_cells(scan->at, separator), cells);
        if (chosen && find_cell(scan->at, separator, filter, &one) &&
            !(one.length == strlen(wanted) && strncmp(one.at, wanted, one.length) == 0))
            continue;
        DLS_TRY(read_cell(v, scan->at, separator, column));
    }
    return DLS_OK;
}

/* --- JSON: an array of numbers, or objects with such a member, one after another --- */

static dls_status append_array(vector *v, const json_t *array)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *entry = json_array_get(array, i);
        double value = HUGE_VAL;
        if (!json_is_null(entry) && !dls_json_real(entry, &value))
            return dls_scan_fail(&v->scan, DLS_BAD_INPUT, v->query->column, "entry %zu is no number", i + 1);
        if (json_is_null(entry) || (isinf(value) && !v->query->infinite))
            return dls_scan_fail(&v->scan, DLS_NOT_FINITE, v->query->column, "entry %zu is %s: no finite number", i + 1,
                                 json_is_null(entry) ? "null" : "infinite");
        DLS_TRY(append_number(v, value));
    }
    return DLS_OK;
}

/* The array, or the member `column` of an object if another member has the value of the query. */
static dls_status append_json(vector *v, const json_t *value, size_t *taken)
{
    char key[DLS_TOKEN_MAX];
    const char *wanted, *said;
    const json_t *array = value;
    if (json_is_object(value)) {
        if (split_condition(v->query, key, &wanted)) {
            said = json_string_value(json_object_get(value, key));
            if (!said || strcmp(said, wanted) != 0)
                return DLS_OK;
        }
        array = json_object_get(value, v->query->column);
    }
    if (!json_is_array(array))
        return dls_scan_fail(&v->scan, DLS_BAD_INPUT, v->query->column, "%s",
                             json_is_object(value) ? "the object has no such array" : "neither an array nor an object");
    if (++*taken > 1)
        return dls_scan_fail(&v->scan, DLS_BAD_INPUT, v->query->column,
                             "a second vector; choose one by the value of another member");
    return append_array(v, array);
}

static dls_status read_json(vector *v)
{
    char *copy;
    size_t taken = 0;
    dls_status status = dls_json_begin(&v->scan, &copy);
    while (status == DLS_OK && v->scan.at < v->scan.end) {
        json_t *value = NULL;
        status = dls_json_next(&v->scan, &value);
        if (status == DLS_OK)
            status = append_json(v, value, &taken);
        json_decref(value);
    }
    free(copy);
    return status;
}

/* --- any of them --- */

static dls_status read_matrix_market(vector *v, const char *text, size_t size)
{
    size_t rows, columns;
    DLS_TRY(dls_matrix_market_parse(text, size, v->scan.name, v->query->infinite, &rows, &columns, &v->values,
                                    v->scan.error));
    v->n = rows * columns;
    return rows == 1 || columns == 1
               ? DLS_OK
               : dls_fail_about(v->scan.error, DLS_BAD_INPUT, v->scan.name, NULL,
                                "a matrix of %zu x %zu; a vector has one row or one column", rows, columns);
}

static dls_status read_vector(vector *v, char *text, size_t size)
{
    DLS_TRY(dls_text_check(text, size, v->scan.name, v->scan.error));
    if (dls_is_matrix_market(text, size))
        return read_matrix_market(v, text, size);
    if (!next_table_line(&v->scan))
        return dls_fail_about(v->scan.error, DLS_BAD_INPUT, v->scan.name, NULL, "holds no number");
    dls_scan_skip_space(&v->scan);
    if (*v->scan.at == '[' || *v->scan.at == '{')
        return read_json(v);
    const bool number = strchr("+-.0123456789", *v->scan.at) || strncmp(v->scan.at, "inf", 3) == 0 ||
                        strncmp(v->scan.at, "nan", 3) == 0;
    return number ? read_plain(v, text, size) : read_table(v);
}

dls_status dls_vector_read(const char *path, const dls_vector_query *query, size_t *n, double **values,
                           dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    char *text, key[DLS_TOKEN_MAX];
    const char *wanted;
    size_t size;
    *n = 0;
    *values = NULL;
    if (query->where && !split_condition(query, key, &wanted))
        return dls_fail(error, DLS_BAD_INPUT, "'%.100s' is not COLUMN=VALUE", query->where);
    DLS_TRY(dls_file_read(path, &text, &size, error));
    vector v = {.query = query, .scan = dls_scan_begin(text, size, path, false, error)};
    dls_status status = read_vector(&v, text, size);
    free(text);
    if (status == DLS_OK && v.n == 0)
        status = dls_fail_about(error, DLS_BAD_INPUT, path, query->where, "holds no number%s",
                                query->where ? " for which this is so" : "");
    if (status != DLS_OK) {
        free(v.values);
        return status;
    }
    *n = v.n;
    *values = v.values;
    return DLS_OK;
}
