#include "foreign.h"

#include "problem/problem_store.h"

#include "file.h"

#include <math.h>
#include <string.h>

static dls_status no_memory(dls_error *error) { return dls_fail(error, DLS_NO_MEMORY, "no memory for a matrix"); }

dls_status dls_foreign_matrix_create(dls_arena *memory, size_t rows, size_t columns, size_t block_rows, size_t n_blocks,
                                     dls_foreign_matrix *matrix, dls_error *error)
{
    *matrix = (dls_foreign_matrix){.rows = rows,
                                   .columns = columns,
                                   .block_rows = block_rows,
                                   .n_blocks = n_blocks,
                                   .start = DLS_TAKE_ZEROS(memory, size_t, block_rows + 1),
                                   .row_end = DLS_TAKE_ZEROS(memory, size_t, block_rows),
                                   .blocks = DLS_TAKE_ZEROS(memory, dls_foreign_block, n_blocks)};
    return memory->failed ? no_memory(error) : DLS_OK;
}

dls_status dls_foreign_dense_create(dls_arena *memory, size_t rows, size_t columns, dls_foreign_matrix *matrix,
                                    dls_error *error)
{
    DLS_TRY(dls_foreign_matrix_create(memory, rows, columns, 1, 1, matrix, error));
    matrix->start[1] = 1;
    matrix->row_end[0] = rows;
    matrix->blocks[0] = (dls_foreign_block){.rows = rows, .columns = columns};
    return DLS_OK;
}

dls_status dls_foreign_reals(dls_scan *scan, const char *what, size_t count, double **values)
{
    if (count > (dls_scan_left(scan) + 1) / 2)
        return dls_scan_fail(scan, DLS_BAD_INPUT, what, "the file ends before %zu numbers", count);
    *values = DLS_TAKE(scan->memory, double, count);
    return *values ? dls_scan_reals(scan, what, count, *values) : no_memory(scan->error);
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

dls_status dls_foreign_contacts(dls_arena *memory, size_t contacts, const double *mu, dls_foreign *to, dls_error *error)
{
    for (size_t k = 0; k < contacts; k++)
        if (!(mu[k] >= 0.0 && isfinite(mu[k])))
            return dls_fail(error, DLS_BAD_INPUT,
                            "contact %zu has the friction coefficient %g; it must be finite, and not negative", k,
                            mu[k]);
    to->mu = DLS_TAKE(memory, double, 3 * contacts);
    if (!to->mu)
        return no_memory(error);
    for (size_t i = 0; i < 3 * contacts; i++)
        to->mu[i] = i % 3 == 0 ? mu[i / 3] : -1.0;
    return DLS_OK;
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

static dls_status fill(const dls_foreign *from, const char *file, dls_problem *p, dls_error *error)
{
    static const char *const labels[] = {"normal", "friction 1", "friction 2"};
    size_t n = p->n, runs, nonzeros;
    dls_row_list *rows;
    p->form = DLS_FORM_MATRIX;
    name_from(file, p->name);
    put_rows(&from->A, &p->J, &runs, &nonzeros);
    p->J.start[n] = runs;
    p->J.coef_at[runs] = nonzeros;
    DLS_TRY(dls_problem_keep_rows(p, &rows, error));
    for (size_t i = 0; i < n; i++) {
        p->c[i] = -from->b[i];
        p->lo[i] = from->lo ? from->lo[i] : 0.0;
        p->hi[i] = from->hi ? from->hi[i] : HUGE_VAL;
        rows->row[i].label = from->label ? from->label : "row";
    }
    for (size_t i = 0; from->mu && i < n; i++)
        if (from->mu[i] >= 0.0) {
            dls_problem_make_cone(p, i, from->mu[i]);
            for (size_t k = 0; k < 3; k++)
                rows->row[i + k].label = labels[k];
        }
    return dls_problem_check(p, error);
}

dls_status dls_foreign_problem(const dls_foreign *from, const char *file, dls_problem **problem, dls_error *error)
{
    size_t n = from->A.rows, runs, nonzeros;
    put_rows(&from->A, NULL, &runs, &nonzeros);
    dls_status status = dls_problem_allocate(n, n, runs, nonzeros, 0, problem, error);
    if (status == DLS_OK)
        status = fill(from, file, *problem, error);
    if (status == DLS_OK)
        return DLS_OK;
    dls_problem_destroy(*problem);
    *problem = NULL;
    return dls_fail_place(error, status, file, 0, 0, NULL);
}

dls_status dls_foreign_parse(dls_status (*read)(dls_scan *, dls_foreign *), const char *text, size_t size,
                             const char *name, dls_content *content, size_t *end, dls_error *error)
{
    dls_arena memory = {0};
    dls_foreign found = {.mu = NULL};
    *end = 0;
    DLS_TRY(dls_text_check(text, size, name, error));
    dls_scan scan = dls_scan_begin(text, size, name, false, error);
    scan.memory = &memory;
    dls_status status = read(&scan, &found);
    *end = (size_t)(scan.at - text);
    if (status == DLS_OK)
        status = dls_foreign_problem(&found, name, &content->problem, error);
    dls_arena_release(&memory);
    return status == DLS_OK ? DLS_OK : dls_fail_place(error, status, name, 0, 0, NULL);
}

size_t dls_foreign_begin(const char *text, size_t size, size_t most, size_t *numbers)
{
    dls_scan scan = dls_scan_begin(text, size, "", false, NULL);
    size_t count = 0;
    while (count < most && dls_scan_count(&scan, "", SIZE_MAX, &numbers[count]) == DLS_OK)
        count++;
    return count;
}
