#include "foreign.h"

#include "problem/problem_store.h"

#include "file.h"

#include <math.h>
#include <string.h>

static dls_status no_memory(dls_error *error) { return dls_fail(error, DLS_NO_MEMORY, "no memory for a matrix"); }

dls_status dls_foreign_matrix_create(size_t rows, size_t columns, size_t block_rows, size_t n_blocks,
                                     dls_foreign_matrix *matrix, dls_error *error)
{
    *matrix = (dls_foreign_matrix){.rows = rows, .columns = columns, .block_rows = block_rows, .n_blocks = n_blocks};
    matrix->start = calloc(block_rows + 1, sizeof *matrix->start);
    matrix->row_end = calloc(block_rows + 1, sizeof *matrix->row_end);
    matrix->blocks = calloc(n_blocks + 1, sizeof *matrix->blocks);
    return matrix->start && matrix->row_end && matrix->blocks ? DLS_OK : no_memory(error);
}

void dls_foreign_matrix_release(dls_foreign_matrix *matrix)
{
    for (size_t k = 0; matrix->blocks && k < matrix->n_blocks; k++)
        free(matrix->blocks[k].values);
    free(matrix->start);
    free(matrix->row_end);
    free(matrix->blocks);
}

dls_status dls_foreign_reals(dls_scan *scan, const char *what, size_t count, double **values)
{
    *values = NULL;
    if (count > (dls_scan_left(scan) + 1) / 2)
        return dls_scan_fail(scan, DLS_BAD_INPUT, what, "the file ends before %zu numbers", count);
    *values = malloc((count + 1) * sizeof **values);
    if (!*values)
        return no_memory(scan->error);
    dls_status status = dls_scan_reals(scan, what, count, *values);
    if (status != DLS_OK) {
        free(*values);
        *values = NULL;
    }
    return status;
}

dls_status dls_foreign_read_values(dls_scan *scan, dls_foreign_block *block, bool by_row)
{
    if (block->columns > 0 && block->rows > SIZE_MAX / block->columns)
        return dls_scan_fail(scan, DLS_BAD_INPUT, "matrix", "the file ends before %zu x %zu numbers", block->rows,
                             block->columns);
    block->row_step = by_row ? block->columns : 1;
    block->column_step = by_row ? 1 : block->rows;
    return dls_foreign_reals(scan, "matrix", block->rows * block->columns, &block->values);
}

static double entry(const dls_foreign_block *block, size_t row, size_t c)
{
    return block->values[(row - block->row) * block->row_step + c * block->column_step];
}

/* The nonzeros of one row, as runs of adjacent columns. With J NULL they are counted alone. */
static void put_row(const dls_foreign_matrix *A, size_t k, size_t row, dls_rows *J, size_t *runs, size_t *nonzeros)
{
    for (const dls_foreign_block *block = A->blocks + A->start[k]; block < A->blocks + A->start[k + 1]; block++)
        for (size_t c = 0; c < block->columns; c++) {
            if (entry(block, row, c) == 0.0)
                continue;
            if (c == 0 || entry(block, row, c - 1) == 0.0) {
                if (J)
                    J->offset[*runs] = block->column + c, J->coef_at[*runs] = *nonzeros;
                ++*runs;
            }
            if (J)
                J->coef[*nonzeros] = entry(block, row, c);
            ++*nonzeros;
        }
}

static void put_rows(const dls_foreign_matrix *A, dls_rows *J, size_t *runs, size_t *nonzeros)
{
    *runs = *nonzeros = 0;
    for (size_t k = 0, row = 0; k < A->block_rows; k++)
        for (; row < A->row_end[k]; row++) {
            if (J)
                J->start[row] = *runs;
            put_row(A, k, row, J, runs, nonzeros);
        }
}

/* The file's name without its folder; what is not printable ASCII becomes '?'. */
static void name_from(const char *file, char name[DLS_NAME_MAX])
{
    const char *slash = strrchr(file, '/');
    size_t i = 0;
    for (const char *c = slash ? slash + 1 : file; *c && i < DLS_NAME_MAX - 1; c++, i++)
        name[i] = (char)(*c >= 0x20 && *c < 0x7f ? *c : '?');
    name[i] = '\0';
}

dls_status dls_foreign_problem(const dls_foreign_matrix *A, const double *b, const double *lo, const double *hi,
                               const char *file, dls_problem **problem, dls_error *error)
{
    size_t n = A->rows, runs, nonzeros;
    put_rows(A, NULL, &runs, &nonzeros);
    DLS_TRY(dls_problem_allocate(n, n, runs, nonzeros, 0, problem, error));
    dls_problem *p = *problem;
    p->form = DLS_FORM_MATRIX;
    name_from(file, p->name);
    put_rows(A, &p->J, &runs, &nonzeros);
    p->J.start[n] = runs;
    p->J.coef_at[runs] = nonzeros;
    dls_row_list *rows;
    DLS_TRY(dls_problem_keep_rows(p, &rows, error));
    for (size_t i = 0; i < n; i++) {
        p->c[i] = -b[i];
        p->lo[i] = lo ? lo[i] : 0.0;
        p->hi[i] = hi ? hi[i] : HUGE_VAL;
        rows->row[i].label = "row";
    }
    return dls_problem_check(p, error);
}

dls_status dls_foreign_parse(dls_status (*read)(dls_scan *, dls_problem **), const char *text, size_t size,
                             const char *name, dls_content *content, size_t *end, dls_error *error)
{
    *end = 0;
    DLS_TRY(dls_text_check(text, size, name, error));
    dls_scan scan = dls_scan_begin(text, size, name, false, error);
    dls_status status = read(&scan, &content->problem);
    *end = (size_t)(scan.at - text);
    if (status == DLS_OK)
        return DLS_OK;
    dls_problem_destroy(content->problem);
    content->problem = NULL;
    return dls_fail_place(error, status, name, 0, 0, NULL);
}

size_t dls_foreign_begin(const char *text, size_t size, size_t most, size_t *numbers)
{
    dls_scan scan = dls_scan_begin(text, size, "", false, NULL);
    size_t count = 0;
    while (count < most && dls_scan_count(&scan, "", SIZE_MAX, &numbers[count]) == DLS_OK)
        count++;
    return count;
}
