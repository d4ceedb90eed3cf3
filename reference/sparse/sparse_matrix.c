/* Assembly of sparse matrices from the rows of a problem and its mass operator. */
#include "sparse.h"

#include <stdlib.h>
#include <string.h>

static dls_status no_memory(dls_error *error, const dls_problem *p)
{
    return dls_fail(error, DLS_NO_MEMORY, "no memory for the sparse matrices of a problem of %zu rows", p->n);
}

static dls_status require_mechanical(const dls_problem *p, dls_error *error)
{
    return p->form == DLS_FORM_MECHANICAL
               ? DLS_OK
               : dls_fail(error, DLS_BAD_ARGUMENT, "a problem given as a matrix has no mass matrix");
}

void dls_sparse_add_product(const dls_sparse *A, double s, const double *x, double *y)
{
    for (size_t j = 0; j < A->columns; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            y[A->row[k]] += s * A->value[k] * x[j];
            if (A->lower && A->row[k] != (int64_t)j)
                y[j] += s * A->value[k] * x[A->row[k]];
        }
}

static bool take_matrix(dls_arena *memory, size_t rows, size_t columns, size_t entries, bool lower, dls_sparse *A)
{
    *A = (dls_sparse){.rows = rows,
                      .columns = columns,
                      .lower = lower,
                      .start = DLS_TAKE_ZEROS(memory, int64_t, columns + 1),
                      .row = DLS_TAKE(memory, int64_t, entries),
                      .value = DLS_TAKE_ZEROS(memory, double, entries)};
    return !memory->failed;
}

/* --- rows by blocks of M --- */

/* Calls of `visit` for each distinct row after i on a block of M of row i, in no order; `seen` (n entries) holds the
 * last row that met each. */
typedef void visit_row(void *context, size_t j);
static void visit_neighbours(const dls_problem *p, const dls_rows_by_block *by, size_t i, size_t *seen,
                             visit_row *visit, void *context)
{
    for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++)
        for (size_t at = by->start[p->J.mass[k]]; at < by->start[p->J.mass[k] + 1]; at++) {
            const size_t j = by->row[at];
            if (j > i && seen[j] != i) {
                seen[j] = i;
                visit(context, j);
            }
        }
}

static void count_row(void *context, size_t j)
{
    (void)j;
    ++*(size_t *)context;
}

typedef struct listed_rows {
    int64_t *row;
    size_t count;
} listed_rows;

static void list_row(void *context, size_t j)
{
    listed_rows *to = context;
    size_t at = to->count++;
    for (; at > 0 && to->row[at - 1] > (int64_t)j; at--) /* rows of a block come in order: few are moved */
        to->row[at] = to->row[at - 1];
    to->row[at] = (int64_t)j;
}

/* --- A --- */

static void clear_response(const dls_problem *p, size_t i, double *B)
{
    for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++) {
        const dls_mass_block *block = &p->mass.blocks[p->J.mass[k]];
        memset(B + block->offset, 0, block->length * sizeof *B);
    }
}

static bool fill_delassus(const dls_problem *p, const dls_rows_by_block *by, dls_arena *memory, dls_sparse *A)
{
    size_t count = p->n, *seen = DLS_TAKE(memory, size_t, p->n);
    double *B = DLS_TAKE_ZEROS(memory, double, p->nv), *scratch = DLS_TAKE(memory, double, p->nv);
    if (memory->failed)
        return false;
    memset(seen, 0xff, p->n * sizeof *seen);
    for (size_t i = 0; i < p->n; i++)
        visit_neighbours(p, by, i, seen, count_row, &count);
    if (!take_matrix(memory, p->n, p->n, count, true, A))
        return false;
    memset(seen, 0xff, p->n * sizeof *seen);
    for (size_t i = 0; i < p->n; i++) {
        int64_t *row = A->row + A->start[i];
        double *value = A->value + A->start[i];
        listed_rows listed = {row + 1, 0};
        row[0] = (int64_t)i;
        value[0] = dls_problem_response(p, i, B, scratch);
        visit_neighbours(p, by, i, seen, list_row, &listed);
        for (size_t k = 1; k <= listed.count; k++)
            value[k] = dls_rows_dot(&p->J, (size_t)row[k], B);
        clear_response(p, i, B);
        A->start[i + 1] = A->start[i] + 1 + (int64_t)listed.count;
    }
    return true;
}

dls_status dls_sparse_delassus(const dls_problem *p, dls_arena *memory, dls_sparse *A, dls_error *error)
{
    dls_rows_by_block *by;
    DLS_TRY(require_mechanical(p, error));
    DLS_TRY(dls_rows_by_block_create(&p->J, p->mass.n_blocks, &by, error));
    const bool filled = fill_delassus(p, by, memory, A);
    free(by);
    return filled ? DLS_OK : no_memory(error, p);
}

/* --- [M, -J^T; J, Gamma] --- */

/* Writes an entry at the end of column j; columns are filled one after another. */
static void append_entry(dls_sparse *A, size_t j, size_t row, double value)
{
    const int64_t at = A->start[j + 1]++;
    A->row[at] = (int64_t)row;
    A->value[at] = value;
}

static void append_mass_columns(const dls_problem *p, const dls_rows_by_block *by, size_t b, double *unit, double *M,
                                dls_sparse *K, int64_t *diagonal)
{
    const dls_mass_block *block = &p->mass.blocks[b];
    const size_t m = block->length;
    dls_mass_block_matrix(block, unit, M, m);
    for (size_t c = 0; c < m; c++) {
        const size_t column = block->offset + c;
        K->start[column + 1] = K->start[column];
        diagonal[column] = K->start[column] + (int64_t)c;
        for (size_t r = 0; r < m; r++)
            append_entry(K, column, block->offset + r, M[r + m * c]);
        for (size_t at = by->start[b]; at < by->start[b + 1]; at++) {
            const size_t k = by->part[at], first = p->J.offset[k], length = p->J.coef_at[k + 1] - p->J.coef_at[k];
            if (column >= first && column < first + length)
                append_entry(K, column, p->nv + by->row[at], p->J.coef[p->J.coef_at[k] + (column - first)]);
        }
    }
}

dls_status dls_sparse_kkt(const dls_problem *p, dls_arena *memory, dls_sparse *K, int64_t **diagonal, dls_error *error)
{
    dls_rows_by_block *by;
    const size_t longest = dls_mass_longest(&p->mass), coefficients = p->J.coef_at[p->J.n_blocks];
    size_t entries = 2 * coefficients + p->n;
    DLS_TRY(require_mechanical(p, error));
    for (size_t b = 0; b < p->mass.n_blocks; b++)
        entries += p->mass.blocks[b].length * p->mass.blocks[b].length;
    double *unit = DLS_TAKE(memory, double, longest), *M = DLS_TAKE(memory, double, longest *longest);
    *diagonal = DLS_TAKE(memory, int64_t, p->nv + p->n);
    if (!take_matrix(memory, p->nv + p->n, p->nv + p->n, entries, false, K))
        return no_memory(error, p);
    DLS_TRY(dls_rows_by_block_create(&p->J, p->mass.n_blocks, &by, error));
    for (size_t b = 0; b < p->mass.n_blocks; b++)
        append_mass_columns(p, by, b, unit, M, K, *diagonal);
    free(by);
    for (size_t i = 0; i < p->n; i++) {
        const size_t column = p->nv + i;
        K->start[column + 1] = K->start[column];
        for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++)
            for (size_t at = p->J.coef_at[k], j = p->J.offset[k]; at < p->J.coef_at[k + 1]; at++, j++)
                append_entry(K, column, j, -p->J.coef[at]);
        (*diagonal)[column] = K->start[column + 1];
        append_entry(K, column, column, p->gamma[i]);
    }
    return DLS_OK;
}

/* --- H(s) --- */

/* The rows of the contact under a cone that row i belongs to, or row i alone: from *from to *to - 1. They are joined
 * even where some of them lack coefficients. */
static void find_contact_rows(const dls_problem *p, size_t i, size_t *from, size_t *to)
{
    const size_t normal = p->parent[i] == DLS_NONE ? i : p->parent[i], count = 1 + 2 * dls_problem_discs(p, normal);
    const bool within = i - normal < count;
    *from = within ? normal : i;
    *to = *from + (within ? count : 1);
}

/* Lists block b and the blocks of M that rows join with it, in `lower` the later ones alone, ascending; returns their
 * number. `seen` (n_blocks entries) as above; `other` may be NULL. */
static size_t list_joined_blocks(const dls_problem *p, const dls_rows_by_block *by, size_t b, bool lower, size_t *seen,
                                 size_t *other)
{
    size_t count = 1, from, to;
    seen[b] = b;
    if (other)
        other[0] = b;
    for (size_t at = by->start[b]; at < by->start[b + 1]; at++) {
        find_contact_rows(p, by->row[at], &from, &to);
        for (size_t k = p->J.start[from]; k < p->J.start[to]; k++) {
            const size_t c = p->J.mass[k];
            if (seen[c] == b || (lower && c < b))
                continue;
            seen[c] = b;
            if (other) {
                size_t place = count;
                for (; place > 0 && other[place - 1] > c; place--)
                    other[place] = other[place - 1];
                other[place] = c;
            }
            count++;
        }
    }
    return count;
}

static bool find_joined(const dls_problem *p, const dls_rows_by_block *by, dls_arena *memory, dls_springs *springs,
                        size_t *entries)
{
    const size_t blocks = p->mass.n_blocks;
    const bool lower = springs->H.lower;
    size_t *seen = DLS_TAKE(memory, size_t, blocks);
    springs->joined_at = DLS_TAKE_ZEROS(memory, size_t, blocks + 1);
    if (memory->failed)
        return false;
    memset(seen, 0xff, blocks * sizeof *seen);
    for (size_t b = 0; b < blocks; b++)
        springs->joined_at[b + 1] = springs->joined_at[b] + list_joined_blocks(p, by, b, lower, seen, NULL);
    springs->other = DLS_TAKE(memory, size_t, springs->joined_at[blocks]);
    springs->place = DLS_TAKE(memory, size_t, springs->joined_at[blocks]);
    if (memory->failed)
        return false;
    memset(seen, 0xff, blocks * sizeof *seen);
    *entries = 0;
    for (size_t b = 0; b < blocks; b++) {
        const size_t m = p->mass.blocks[b].length;
        size_t rows = 0;
        list_joined_blocks(p, by, b, lower, seen, springs->other + springs->joined_at[b]);
        for (size_t k = springs->joined_at[b]; k < springs->joined_at[b + 1]; k++) {
            springs->place[k] = rows;
            rows += p->mass.blocks[springs->other[k]].length;
        }
        *entries += m * rows - (lower && m > 0 ? m * (m - 1) / 2 : 0);
    }
    return true;
}

static bool fill_structure(const dls_problem *p, dls_arena *memory, dls_springs *springs, size_t entries)
{
    const size_t longest = dls_mass_longest(&p->mass);
    double *unit = DLS_TAKE(memory, double, longest), *M = DLS_TAKE(memory, double, longest *longest);
    springs->mass = DLS_TAKE_ZEROS(memory, double, entries);
    if (!take_matrix(memory, p->nv, p->nv, entries, springs->H.lower, &springs->H))
        return false;
    dls_sparse *H = &springs->H;
    for (size_t b = 0; b < p->mass.n_blocks; b++) {
        const dls_mass_block *block = &p->mass.blocks[b];
        const size_t m = block->length;
        dls_mass_block_matrix(block, unit, M, m);
        for (size_t c = 0; c < m; c++) {
            const size_t column = block->offset + c;
            H->start[column + 1] = H->start[column];
            for (size_t k = springs->joined_at[b]; k < springs->joined_at[b + 1]; k++) {
                const bool own = springs->other[k] == b;
                const dls_mass_block *other = &p->mass.blocks[springs->other[k]];
                for (size_t r = own && H->lower ? c : 0; r < other->length; r++)
                    append_entry(H, column, other->offset + r, own ? M[r + m * c] : 0.0);
            }
        }
    }
    memcpy(springs->mass, H->value, entries * sizeof *springs->mass);
    return true;
}

dls_status dls_springs_take(const dls_problem *p, bool lower, dls_arena *memory, dls_springs *springs, dls_error *error)
{
    dls_rows_by_block *by;
    size_t entries;
    *springs = (dls_springs){.problem = p, .H.lower = lower};
    DLS_TRY(require_mechanical(p, error));
    DLS_TRY(dls_rows_by_block_create(&p->J, p->mass.n_blocks, &by, error));
    const bool filled = find_joined(p, by, memory, springs, &entries) && fill_structure(p, memory, springs, entries);
    free(by);
    return filled ? DLS_OK : no_memory(error, p);
}

/* The place in column `column`, of block b, of the first row of block c, which is joined with b. Columns of a lower
 * triangle lack their entries above the diagonal. */
static int64_t find_place(const dls_springs *springs, size_t column, size_t b, size_t c)
{
    const int64_t above = springs->H.lower ? (int64_t)(column - springs->problem->mass.blocks[b].offset) : 0;
    size_t from = springs->joined_at[b], to = springs->joined_at[b + 1];
    while (to - from > 1) {
        const size_t middle = from + (to - from) / 2;
        *(springs->other[middle] <= c ? &from : &to) = middle;
    }
    return springs->H.start[column] - above + (int64_t)springs->place[from];
}

void dls_springs_reset(const dls_springs *springs)
{
    memcpy(springs->H.value, springs->mass, (size_t)springs->H.start[springs->H.columns] * sizeof *springs->mass);
}

void dls_springs_add(const dls_springs *springs, size_t i, size_t j, double s)
{
    const dls_problem *p = springs->problem;
    const dls_rows *J = &p->J;
    for (size_t k = J->start[j]; k < J->start[j + 1]; k++)
        for (size_t at = J->coef_at[k], column = J->offset[k]; at < J->coef_at[k + 1]; at++, column++)
            for (size_t l = J->start[i]; l < J->start[i + 1]; l++) {
                const size_t length = J->coef_at[l + 1] - J->coef_at[l], other = J->mass[l];
                const size_t above = springs->H.lower && J->offset[l] < column ? column - J->offset[l] : 0;
                if (above >= length)
                    continue;
                double *to = springs->H.value + find_place(springs, column, J->mass[k], other) +
                             (J->offset[l] + above - p->mass.blocks[other].offset);
                for (size_t r = above; r < length; r++)
                    to[r - above] += s * J->coef[at] * J->coef[J->coef_at[l] + r];
            }
}

void dls_springs_fill(const dls_springs *springs, const double *s)
{
    dls_springs_reset(springs);
    for (size_t i = 0; i < springs->problem->n; i++)
        if (s[i] != 0.0)
            dls_springs_add(springs, i, i, s[i]);
}
