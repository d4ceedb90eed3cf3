/* Matrices of other projects' text files, and the rows of their problems. */
#include "foreign.h"

#include "problem/problem_store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static dls_status no_matrix_memory(dls_error *error)
{
    return dls_fail(error, DLS_NO_MEMORY, "no memory for a matrix");
}

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
    return memory->failed ? no_matrix_memory(error) : DLS_OK;
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
    return *values ? dls_scan_reals(scan, what, count, *values) : no_matrix_memory(scan->error);
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

dls_status dls_foreign_contacts(dls_arena *memory, size_t contacts, size_t tangents, size_t rows, const double *mu,
                                const double *mu_r, dls_foreign *to, dls_error *error)
{
    const size_t size = 1 + tangents;
    for (size_t k = 0; k < contacts; k++)
        for (const double *of = mu; of; of = of == mu ? mu_r : NULL)
            if (!(of[k] >= 0.0 && isfinite(of[k])))
                return dls_fail(error, DLS_BAD_INPUT,
                                "contact %zu has the %sfriction coefficient %g; it must be finite, and not negative", k,
                                of == mu ? "" : "rolling ", of[k]);
    to->tangents = tangents;
    to->mu = DLS_TAKE(memory, double, rows);
    to->mu_r = mu_r ? DLS_TAKE(memory, double, rows) : NULL;
    to->lo = DLS_TAKE(memory, double, rows);
    to->hi = DLS_TAKE(memory, double, rows);
    if (memory->failed)
        return no_matrix_memory(error);
    for (size_t i = 0; i < rows; i++) {
        const bool of_contact = i < size * contacts;
        to->mu[i] = of_contact && i % size == 0 ? mu[i / size] : -1.0;
        if (mu_r)
            to->mu_r[i] = of_contact && i % size == 0 ? mu_r[i / size] : -1.0;
        to->lo[i] = of_contact ? 0.0 : -HUGE_VAL;
        to->hi[i] = HUGE_VAL;
    }
    return DLS_OK;
}

/* By rows, then by columns; of one place by value, so that their sum does not depend on how they are sorted. */
static int by_place(const void *a, const void *b)
{
    const dls_foreign_entry *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

/* Adds up entries of one place, in their order, into the first of them; how many places there are. */
static size_t add_up_entries(size_t count, dls_foreign_entry *e)
{
    size_t places = 0;
    for (size_t k = 0; k < count; k++)
        if (places > 0 && e[places - 1].row == e[k].row && e[places - 1].column == e[k].column)
            e[places - 1].value += e[k].value;
        else
            e[places++] = e[k];
    return places;
}

dls_status dls_foreign_sparse_create(dls_arena *memory, size_t rows, size_t columns, size_t count,
                                     const dls_foreign_entry *entries, dls_foreign_matrix *matrix, dls_error *error)
{
    dls_foreign_entry *e = DLS_TAKE(memory, dls_foreign_entry, count);
    double *values = DLS_TAKE(memory, double, count);
    if (memory->failed)
        return no_matrix_memory(error);
    if (count > 0)
        memcpy(e, entries, count * sizeof *e);
    qsort(e, count, sizeof *e, by_place);
    const size_t places = add_up_entries(count, e);
    DLS_TRY(dls_foreign_matrix_create(memory, rows, columns, rows, places, matrix, error));
    matrix->n_blocks = 0;
    for (size_t k = 0, row = 0; row < rows; row++) {
        matrix->start[row] = matrix->n_blocks;
        for (const size_t first = k; k < places && e[k].row == row; k++) {
            values[k] = e[k].value;
            if (k > first && e[k].column == e[k - 1].column + 1)
                matrix->blocks[matrix->n_blocks - 1].columns++;
            else
                matrix->blocks[matrix->n_blocks++] = (dls_foreign_block){
                    .row = row, .rows = 1, .column = e[k].column, .columns = 1, .column_step = 1, .values = values + k};
        }
        matrix->row_end[row] = row + 1;
    }
    matrix->start[rows] = matrix->n_blocks;
    return DLS_OK;
}

static double block_entry(const dls_foreign_block *block, size_t row, size_t c)
{
    return block->values[(row - block->row) * block->row_step + c * block->column_step];
}

void dls_foreign_each(const dls_foreign_matrix *A,
                      void (*visit)(void *context, size_t row, size_t column, double value), void *context)
{
    for (size_t k = 0, row = 0; k < A->block_rows; k++)
        for (; row < A->row_end[k]; row++)
            for (const dls_foreign_block *block = A->blocks + A->start[k]; block < A->blocks + A->start[k + 1]; block++)
                for (size_t c = 0; c < block->columns; c++)
                    if (block_entry(block, row, c) != 0.0)
                        visit(context, row, block->column + c, block_entry(block, row, c));
}

/* The file's name without its folder; a character that is not printable ASCII becomes '?'. */
static void name_from(const char *file, char name[DLS_NAME_MAX])
{
    const char *slash = strrchr(file, '/');
    size_t i = 0;
    for (const char *c = slash ? slash + 1 : file; *c && i < DLS_NAME_MAX - 1; c++, i++)
        name[i] = (char)(*c >= 0x20 && *c < 0x7f ? *c : '?');
    name[i] = '\0';
}

/* A contact's friction: in the plane one tangent between -mu lambda_n and mu lambda_n. */
static void make_contact(const dls_foreign *from, dls_problem *p, size_t i)
{
    if (from->tangents == 1)
        dls_problem_make_box(p, i, i + 1, from->mu[i]);
    else
        dls_problem_make_cone(p, i, from->mu[i]);
    if (from->tangents == 4)
        dls_problem_make_disc(p, i, i + 3, DLS_LAW_CONE, from->mu_r[i], from->mu_r[i]);
}

dls_status dls_foreign_fill_rows(const dls_foreign *from, const char *file, dls_problem *p, dls_error *error)
{
    static const char *const labels[] = {"normal", "friction 1", "friction 2", "rolling 1", "rolling 2"};
    dls_row_list *rows;
    if (p->n == 0)
        return dls_fail(error, DLS_BAD_INPUT, "a problem of 0 rows: there is nothing to solve");
    name_from(file, p->name);
    DLS_TRY(dls_problem_keep_rows(p, &rows, error));
    for (size_t i = 0; i < p->n; i++) {
        p->c[i] = -from->b[i];
        p->lo[i] = from->lo ? from->lo[i] : 0.0;
        p->hi[i] = from->hi ? from->hi[i] : HUGE_VAL;
        rows->row[i].label = from->label ? from->label : "row";
    }
    for (size_t i = 0; from->mu && i < p->n; i++)
        if (from->mu[i] >= 0.0) {
            make_contact(from, p, i);
            for (size_t k = 0; k <= from->tangents; k++)
                rows->row[i + k].label = labels[k];
        }
    return dls_problem_check(p, error);
}

size_t dls_foreign_begin(const char *text, size_t size, size_t most, size_t *numbers)
{
    dls_scan scan = dls_scan_begin(text, size, "", false, NULL);
    size_t count = 0;
    while (count < most && dls_scan_count(&scan, "", SIZE_MAX, &numbers[count]) == DLS_OK)
        count++;
    return count;
}

void dls_foreign_column(const dls_problem *p, size_t j, double *column)
{
    for (size_t i = 0; i < p->n; i++) {
        column[i] = i == j ? p->gamma[i] : 0.0;
        for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++)
            if (j >= p->J.offset[k] && j - p->J.offset[k] < p->J.coef_at[k + 1] - p->J.coef_at[k])
                column[i] += p->J.coef[p->J.coef_at[k] + j - p->J.offset[k]];
    }
}

void dls_foreign_mass_columns(const dls_mass *mass, double *room,
                              void (*visit)(void *context, size_t column, const double *values), void *context)
{
    double *column = room, *M = room + mass->nv;
    for (size_t k = 0; k < mass->n_blocks; k++) {
        const dls_mass_block *block = &mass->blocks[k];
        dls_mass_block_matrix(block, column, M, block->length);
        memset(column, 0, mass->nv * sizeof *column);
        for (size_t j = 0; j < block->length; j++) {
            memcpy(column + block->offset, M + block->length * j, block->length * sizeof *M);
            visit(context, block->offset + j, column);
        }
    }
}
