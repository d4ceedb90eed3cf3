/* Matrix Market exchange formats (R. F. Boisvert, R. Pozo, K. A. Remington, NISTIR 5935, 1996): "array" is dense,
 * column by column; "coordinate" is one line "row column value" a nonzero, counted from 1. */
#include "delassus/io.h"

#include "base/text.h"
#include "delassus/table.h"

#include <string.h>

/* A comment line begins with '%'; the format knows lines of at most 1024 characters. */
static void put_header(FILE *to, const char *format, const char *comment)
{
    enum { LINE = 1000 };
    fprintf(to, "%%%%MatrixMarket matrix %s real general\n%% ", format);
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
