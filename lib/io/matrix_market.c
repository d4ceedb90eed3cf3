/* Matrix Market exchange formats (R. F. Boisvert, R. Pozo, K. A. Remington, NISTIR 5935, 1996): "array" is dense,
 * column by column; "coordinate" is one line "row column value" a nonzero, counted from 1. */
#include "delassus/io.h"

#include "base/text.h"
#include "delassus/table.h"
#include "file.h"
#include "formats.h"
#include "scan.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char banner[] = "%%MatrixMarket";

/* --- writing --- */

/* A comment line begins with '%'; the format knows lines of at most 1024 characters. */
static void put_header(FILE *to, const char *format, const char *comment)
{
    enum { LINE = 1000 };
    fprintf(to, "%s matrix %s real general\n%% ", banner, format);
    for (size_t i = 0; comment[i] && i < LINE; i++)
        fputc(comment[i] == '\n' || comment[i] == '\r' ? ' ' : comment[i], to);
    fputc('\n', to);
}

dls_status dls_matrix_market_write(const char *path, const char *comment, size_t rows, size_t columns,
                                   const double *values, dls_error *error)
{
    dls_output output;
    DLS_TRY(dls_output_open(&output, path, error));
    locale_t before = dls_locale_begin();
    put_header(output.stream, "array", comment);
    fprintf(output.stream, "%zu %zu\n", rows, columns);
    for (size_t k = 0; k < rows * columns; k++)
        fprintf(output.stream, "%.17g\n", values[k]);
    dls_locale_end(before);
    return dls_output_commit(&output, error);
}

dls_status dls_matrix_market_write_rows(const char *path, const char *comment, const dls_rows *rows, dls_error *error)
{
    dls_output output;
    DLS_TRY(dls_output_open(&output, path, error));
    locale_t before = dls_locale_begin();
    put_header(output.stream, "coordinate", comment);
    fprintf(output.stream, "%zu %zu %zu\n", rows->n, rows->n_columns, rows->coef_at[rows->start[rows->n]]);
    for (size_t i = 0; i < rows->n; i++)
        for (size_t k = rows->start[i]; k < rows->start[i + 1]; k++)
            for (size_t j = rows->coef_at[k]; j < rows->coef_at[k + 1]; j++)
                fprintf(output.stream, "%zu %zu %.17g\n", i + 1, rows->offset[k] + (j - rows->coef_at[k]) + 1,
                        rows->coef[j]);
    dls_locale_end(before);
    return dls_output_commit(&output, error);
}

/* --- reading --- */

enum { ENTRIES_MAX = 1 << 27 }; /* of a dense matrix: 1 GB */

typedef enum symmetry { GENERAL, SYMMETRIC, SKEW } symmetry;

typedef struct matrix {
    dls_scan scan;
    bool sparse, infinite;
    symmetry symmetry;
    size_t rows, columns;
    double *values;
    unsigned char *given; /* of a sparse one: whether an entry was */
} matrix;

bool dls_is_matrix_market(const char *text, size_t size)
{
    return size >= sizeof banner - 1 && strncasecmp(text, banner, sizeof banner - 1) == 0;
}

/* The index of the next word in a list that NULL ends; the reader of this format refuses others. */
static dls_status word_of(matrix *m, const char *what, const char *const *words, size_t *index)
{
    char word[DLS_TOKEN_MAX];
    DLS_TRY(dls_scan_word(&m->scan, what, word));
    for (*index = 0; words[*index]; ++*index)
        if (strcasecmp(words[*index], word) == 0)
            return DLS_OK;
    return dls_scan_fail(
        &m->scan, DLS_BAD_INPUT, what,
        "'%s' is not read; what is: matrix, array or coordinate, real or integer, and general, symmetric or "
        "skew-symmetric",
        word);
}

static dls_status read_banner(matrix *m)
{
    static const char *const objects[] = {"matrix", NULL}, *const formats[] = {"array", "coordinate", NULL},
                             *const fields[] = {"real", "integer", "double", NULL},
                             *const symmetries[] = {"general", "symmetric", "skew-symmetric", NULL};
    char word[DLS_TOKEN_MAX];
    size_t index;
    DLS_TRY(dls_scan_word(&m->scan, "banner", word));
    DLS_TRY(word_of(m, "object", objects, &index));
    DLS_TRY(word_of(m, "format", formats, &index));
    m->sparse = index == 1;
    DLS_TRY(word_of(m, "field", fields, &index));
    DLS_TRY(word_of(m, "symmetry", symmetries, &index));
    m->symmetry = (symmetry)index;
    for (dls_scan_skip_line(&m->scan); m->scan.at < m->scan.end && *m->scan.at == '%';)
        dls_scan_skip_line(&m->scan);
    return DLS_OK;
}

/* An entry and, where the symmetry says so, its twin. */
static dls_status put_entry(matrix *m, size_t i, size_t j, double value)
{
    const size_t at = i + m->rows * j, twin = j + m->rows * i;
    if (m->given && m->given[at])
        return dls_scan_fail(&m->scan, DLS_BAD_INPUT, NULL, "entry (%zu, %zu) is given twice", i + 1, j + 1);
    m->values[at] = value;
    if (m->symmetry != GENERAL)
        m->values[twin] = m->symmetry == SKEW ? -value : value;
    if (m->given)
        m->given[at] = m->given[m->symmetry == GENERAL ? at : twin] = 1;
    return DLS_OK;
}

/* Column by column; of a symmetric matrix the lower triangle, of a skew one without its diagonal. */
static dls_status read_array(matrix *m)
{
    for (size_t j = 0; j < m->columns; j++)
        for (size_t i = m->symmetry == GENERAL ? 0 : m->symmetry == SKEW ? j + 1 : j; i < m->rows; i++) {
            double value;
            DLS_TRY(dls_scan_real(&m->scan, "entry", m->infinite, &value));
            DLS_TRY(put_entry(m, i, j, value));
        }
    return DLS_OK;
}

static dls_status read_coordinates(matrix *m, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        size_t i, j;
        double value;
        DLS_TRY(dls_scan_count(&m->scan, "row", m->rows, &i));
        DLS_TRY(dls_scan_count(&m->scan, "column", m->columns, &j));
        if (i == 0 || j == 0)
            return dls_scan_fail(&m->scan, DLS_BAD_INPUT, NULL, "rows and columns are counted from 1");
        if (m->symmetry != GENERAL && (i < j || (m->symmetry == SKEW && i == j)))
            return dls_scan_fail(&m->scan, DLS_BAD_INPUT, NULL, "entry (%zu, %zu) is not below the diagonal", i, j);
        DLS_TRY(dls_scan_real(&m->scan, "entry", m->infinite, &value));
        DLS_TRY(put_entry(m, i - 1, j - 1, value));
    }
    return DLS_OK;
}

static dls_status read_entries(matrix *m)
{
    size_t count = 0;
    DLS_TRY(dls_scan_count(&m->scan, "number of rows", ENTRIES_MAX, &m->rows));
    DLS_TRY(dls_scan_count(&m->scan, "number of columns", ENTRIES_MAX, &m->columns));
    if (m->rows * m->columns > ENTRIES_MAX)
        return dls_scan_fail(&m->scan, DLS_BAD_INPUT, NULL, "%zu x %zu: at most %d entries are read", m->rows,
                             m->columns, ENTRIES_MAX);
    if (m->symmetry != GENERAL && m->rows != m->columns)
        return dls_scan_fail(&m->scan, DLS_BAD_INPUT, NULL, "%zu x %zu: a symmetric matrix is square", m->rows,
                             m->columns);
    if (m->sparse)
        DLS_TRY(dls_scan_count(&m->scan, "number of entries", dls_scan_left(&m->scan), &count));
    else if (m->symmetry == GENERAL && m->rows * m->columns > dls_scan_left(&m->scan))
        return dls_scan_fail(&m->scan, DLS_BAD_INPUT, NULL, "%zu x %zu entries do not stand in this file", m->rows,
                             m->columns);
    m->values = calloc(m->rows * m->columns + 1, sizeof *m->values);
    m->given = m->sparse ? calloc(m->rows * m->columns + 1, 1) : NULL;
    if (!m->values || (m->sparse && !m->given))
        return dls_fail_about(m->scan.error, DLS_NO_MEMORY, m->scan.name, NULL, "no memory for a matrix of %zu x %zu",
                              m->rows, m->columns);
    DLS_TRY(m->sparse ? read_coordinates(m, count) : read_array(m));
    dls_scan_skip_space(&m->scan);
    m->scan.token = m->scan.at;
    return dls_scan_at_end(&m->scan)
               ? DLS_OK
               : dls_scan_fail(&m->scan, DLS_BAD_INPUT, NULL, "something follows the last entry; remove it");
}

dls_status dls_matrix_market_parse(const char *text, size_t size, const char *name, bool infinite, size_t *rows,
                                   size_t *columns, double **values, dls_error *error)
{
    *rows = *columns = 0;
    *values = NULL;
    DLS_TRY(dls_text_check(text, size, name, error));
    if (!dls_is_matrix_market(text, size))
        return dls_fail_at(error, DLS_BAD_INPUT, name, 1, 1, NULL, "no Matrix Market file: it does not begin with %s",
                           banner);
    matrix m = {.scan = dls_scan_begin(text, size, name, false, error), .infinite = infinite};
    dls_status status = read_banner(&m);
    if (status == DLS_OK)
        status = read_entries(&m);
    free(m.given);
    if (status != DLS_OK) {
        free(m.values);
        return status;
    }
    *rows = m.rows;
    *columns = m.columns;
    *values = m.values;
    return DLS_OK;
}
