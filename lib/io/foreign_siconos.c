/* Text files of Siconos' numerics: numbers separated by white space, where line ends have no meaning; text after the
 * last number of the problem is not read.
 *
 * Matrix: storage rows columns, then for storage 0 (dense) the two sizes again and the values column by column; for
 * storage 1 (blocks) the number of blocks, of block rows and block columns, the cumulative sizes of both, the lengths
 * of the next two arrays, the starts of the block rows, the block columns, and each block's number and its values
 * column by column; for storage 2 what CSparse prints: the number of the kind, a line with its version, a line
 * "[triplet: ]ROWS-by-COLUMNS, nzmax: N nnz: N[, 1-norm: X]", then entries: of triplets "ROW COLUMN : VALUE", else
 * after each line "col J : locations A to B" (or "row") entries "ROW : VALUE". */
#include "foreign.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- matrices --- */

enum { STORAGE_MAX = 2 };

static dls_status read_dense(dls_scan *s, size_t rows, size_t columns, dls_foreign_matrix *matrix)
{
    size_t again[2];
    for (int i = 0; i < 2; i++)
        DLS_TRY(dls_scan_count(s, "matrix size", SIZE_MAX, &again[i]));
    if (again[0] != rows || again[1] != columns)
        return dls_scan_fail(s, DLS_BAD_INPUT, "matrix size", "%zu x %zu, after %zu x %zu", again[0], again[1], rows,
                             columns);
    DLS_TRY(dls_foreign_dense_create(s->memory, rows, columns, matrix, s->error));
    return dls_foreign_read_values(s, &matrix->blocks[0], false);
}

/* A number of items of the text: at most half of the bytes that are left. */
static dls_status read_length(dls_scan *s, const char *what, size_t *value)
{
    return dls_scan_count(s, what, dls_scan_left(s) / 2, value);
}

/* Ascending numbers, the last one `total`. */
static dls_status read_ends(dls_scan *s, const char *what, size_t count, size_t total, size_t *ends)
{
    for (size_t i = 0; i < count; i++) {
        DLS_TRY(dls_scan_count(s, what, total, &ends[i]));
        if (i > 0 && ends[i] < ends[i - 1])
            return dls_scan_fail(s, DLS_BAD_INPUT, what, "cumulative sizes must ascend");
    }
    return count > 0 && ends[count - 1] == total ? DLS_OK
                                                 : dls_scan_fail(s, DLS_BAD_INPUT, what, "the last must be %zu", total);
}

static dls_status read_starts(dls_scan *s, dls_foreign_matrix *m)
{
    size_t lengths[2];
    for (int i = 0; i < 2; i++)
        DLS_TRY(read_length(s, "block index", &lengths[i]));
    if (lengths[0] != m->block_rows + 1 || lengths[1] != m->n_blocks)
        return dls_scan_fail(s, DLS_BAD_INPUT, "block index", "lengths %zu and %zu; they must be %zu and %zu",
                             lengths[0], lengths[1], m->block_rows + 1, m->n_blocks);
    DLS_TRY(read_ends(s, "block row start", m->block_rows + 1, m->n_blocks, m->start));
    return m->start[0] == 0 ? DLS_OK : dls_scan_fail(s, DLS_BAD_INPUT, "block row start", "the first must be 0");
}

/* The place of each block, from its block column. */
static dls_status read_places(dls_scan *s, dls_foreign_matrix *m, size_t block_columns, const size_t *column_end)
{
    for (size_t k = 0; k < m->block_rows; k++)
        for (size_t i = m->start[k], before = 0; i < m->start[k + 1]; i++) {
            size_t column;
            DLS_TRY(dls_scan_count(s, "block column", block_columns - 1, &column));
            if (column < before)
                return dls_scan_fail(s, DLS_BAD_INPUT, "block column", "block columns must ascend within a block row");
            before = column + 1;
            size_t row_at = k ? m->row_end[k - 1] : 0, column_at = column ? column_end[column - 1] : 0;
            m->blocks[i] = (dls_foreign_block){.row = row_at,
                                               .rows = m->row_end[k] - row_at,
                                               .column = column_at,
                                               .columns = column_end[column] - column_at};
        }
    return DLS_OK;
}

static dls_status read_block_values(dls_scan *s, dls_foreign_matrix *m)
{
    for (size_t i = 0; i < m->n_blocks; i++) {
        size_t number;
        DLS_TRY(dls_scan_count(s, "block number", m->n_blocks - 1, &number));
        if (number != i)
            return dls_scan_fail(s, DLS_BAD_INPUT, "block number", "%zu, where %zu was to come", number, i);
        DLS_TRY(dls_foreign_read_values(s, &m->blocks[i], false));
    }
    return DLS_OK;
}

static dls_status read_blocks(dls_scan *s, size_t rows, size_t columns, dls_foreign_matrix *matrix)
{
    size_t n_blocks, block_rows, block_columns;
    DLS_TRY(read_length(s, "number of blocks", &n_blocks));
    DLS_TRY(read_length(s, "number of block rows", &block_rows));
    DLS_TRY(read_length(s, "number of block columns", &block_columns));
    DLS_TRY(dls_foreign_matrix_create(s->memory, rows, columns, block_rows, n_blocks, matrix, s->error));
    size_t *column_end = DLS_TAKE(s->memory, size_t, block_columns);
    if (!column_end)
        return dls_fail(s->error, DLS_NO_MEMORY, "no memory for a matrix");
    DLS_TRY(read_ends(s, "cumulative rows", block_rows, rows, matrix->row_end));
    DLS_TRY(read_ends(s, "cumulative columns", block_columns, columns, column_end));
    DLS_TRY(read_starts(s, matrix));
    DLS_TRY(read_places(s, matrix, block_columns, column_end));
    return read_block_values(s, matrix);
}

/* "ROWS-by-COLUMNS," */
static dls_status read_by(dls_scan *s, size_t rows, size_t columns)
{
    char word[DLS_TOKEN_MAX], wanted[DLS_TOKEN_MAX];
    snprintf(wanted, sizeof wanted, "%zu-by-%zu,", rows, columns);
    DLS_TRY(dls_scan_word(s, "sizes", word));
    return strcmp(word, wanted) == 0
               ? DLS_OK
               : dls_scan_fail(s, DLS_BAD_INPUT, "matrix size", "'%s' where '%s' was to come", word, wanted);
}

/* A word that ends with a colon is a key, and ends the entries of a line of the matrix. */
static bool next_is(const dls_scan *s, const char *wanted)
{
    char word[DLS_TOKEN_MAX];
    dls_scan ahead = *s;
    ahead.error = NULL;
    return dls_scan_word(&ahead, "", word) == DLS_OK && strcmp(word, wanted) == 0;
}

static dls_status read_entry(dls_scan *s, size_t rows, size_t columns, dls_foreign_entry *e)
{
    DLS_TRY(dls_scan_count(s, "row", rows - 1, &e->row));
    if (columns > 0)
        DLS_TRY(dls_scan_count(s, "column", columns - 1, &e->column));
    DLS_TRY(dls_scan_keyword(s, ":"));
    return dls_scan_real(s, "matrix", false, &e->value);
}

/* Lines of a compressed matrix, "col" or "row"; `other` is the number of places in one. */
static dls_status read_lines(dls_scan *s, const char *kind, size_t lines, size_t other, size_t count,
                             dls_foreign_entry *entries)
{
    const bool by_column = strcmp(kind, "col") == 0;
    size_t k = 0, unused;
    for (size_t line = 0; line < lines; line++) {
        size_t number;
        DLS_TRY(dls_scan_keyword(s, kind));
        DLS_TRY(dls_scan_count(s, kind, lines - 1, &number));
        if (number != line)
            return dls_scan_fail(s, DLS_BAD_INPUT, kind, "%zu, where %zu was to come", number, line);
        DLS_TRY(dls_scan_keyword(s, ":"));
        DLS_TRY(dls_scan_keyword(s, "locations"));
        DLS_TRY(dls_scan_count(s, "locations", count, &unused));
        DLS_TRY(dls_scan_keyword(s, "to"));
        dls_scan_skip_line(s); /* of an empty line it is -1 */
        for (; k < count && !next_is(s, kind); k++) {
            dls_foreign_entry *e = &entries[k];
            DLS_TRY(read_entry(s, other, 0, e));
            e->column = by_column ? line : e->row;
            e->row = by_column ? e->row : line;
        }
    }
    return k == count ? DLS_OK : dls_scan_fail(s, DLS_BAD_INPUT, "nnz", "%zu entries; the head says %zu", k, count);
}

/* CSparse numbers its kinds; the printed text distinguishes them by itself. */
static dls_status read_sparse(dls_scan *s, size_t rows, size_t columns, dls_foreign_matrix *matrix)
{
    size_t kind, count, room;
    char word[DLS_TOKEN_MAX];
    DLS_TRY(dls_scan_count(s, "kind of sparse matrix", SIZE_MAX, &kind));
    DLS_TRY(dls_scan_keyword(s, "CSparse"));
    dls_scan_skip_line(s);
    const bool triplets = next_is(s, "triplet:");
    if (triplets)
        DLS_TRY(dls_scan_keyword(s, "triplet:"));
    DLS_TRY(read_by(s, rows, columns));
    DLS_TRY(dls_scan_keyword(s, "nzmax:"));
    DLS_TRY(dls_scan_count(s, "nzmax", SIZE_MAX, &room));
    DLS_TRY(dls_scan_keyword(s, "nnz:"));
    DLS_TRY(dls_scan_word(s, "nnz", word));
    word[strcspn(word, ",")] = '\0'; /* the comma before the norm */
    dls_scan inside = dls_scan_begin(word, strlen(word), s->name, false, NULL);
    if (dls_scan_count(&inside, "nnz", dls_scan_left(s) / 2, &count) != DLS_OK)
        return dls_scan_fail(s, DLS_BAD_INPUT, "nnz", "'%s' is not a number of entries that the file has room for",
                             word);
    dls_scan_skip_line(s);
    dls_foreign_entry *entries = DLS_TAKE_ZEROS(s->memory, dls_foreign_entry, count);
    if (!entries)
        return dls_fail(s->error, DLS_NO_MEMORY, "no memory for a matrix");
    if (triplets)
        for (size_t k = 0; k < count; k++)
            DLS_TRY(read_entry(s, rows, columns, &entries[k]));
    else if (next_is(s, "row"))
        DLS_TRY(read_lines(s, "row", rows, columns, count, entries));
    else
        DLS_TRY(read_lines(s, "col", columns, rows, count, entries));
    return dls_foreign_sparse_create(s->memory, rows, columns, count, entries, matrix, s->error);
}

dls_status dls_foreign_read_matrix(dls_scan *s, bool square, dls_foreign_matrix *matrix)
{
    size_t storage, rows, columns;
    DLS_TRY(dls_scan_count(s, "matrix storage", SIZE_MAX, &storage));
    DLS_TRY(read_length(s, "matrix rows", &rows));
    DLS_TRY(read_length(s, "matrix columns", &columns));
    if (storage > STORAGE_MAX)
        return dls_scan_fail(s, DLS_REFUSED, "matrix storage",
                             "storage %zu is not read; 0 (dense), 1 (blocks) and 2 (sparse) are", storage);
    if (square && rows != columns)
        return dls_scan_fail(s, DLS_BAD_INPUT, "matrix columns", "the matrix must be square, not %zu x %zu", rows,
                             columns);
    return (storage == 0 ? read_dense : storage == 1 ? read_blocks : read_sparse)(s, rows, columns, matrix);
}

/* --- kinds --- */

static dls_status read_sized(dls_scan *s, dls_foreign *c)
{
    size_t n;
    DLS_TRY(read_length(s, "n", &n));
    DLS_TRY(dls_foreign_read_matrix(s, true, &c->A));
    if (c->A.rows != n)
        return dls_scan_fail(s, DLS_BAD_INPUT, "n", "the matrix has %zu rows, n is %zu", c->A.rows, n);
    return dls_foreign_reals(s, "q", n, &c->b);
}

/* Bounds: infinite in words, or if they are 1e30 or more. */
static dls_status read_bounds(dls_scan *s, const char *what, size_t n, double **bounds)
{
    if (n > (dls_scan_left(s) + 1) / 2)
        return dls_scan_fail(s, DLS_BAD_INPUT, what, "the file ends before %zu numbers", n);
    *bounds = DLS_TAKE(s->memory, double, n);
    if (!*bounds)
        return dls_fail(s->error, DLS_NO_MEMORY, "no memory for %zu bounds", n);
    for (size_t i = 0; i < n; i++) {
        DLS_TRY(dls_scan_real(s, what, true, &(*bounds)[i]));
        if (fabs((*bounds)[i]) >= 1e30)
            (*bounds)[i] = copysign(HUGE_VAL, (*bounds)[i]);
    }
    return DLS_OK;
}

static dls_status read_relay(dls_scan *s, dls_foreign *c)
{
    DLS_TRY(read_sized(s, c));
    DLS_TRY(read_bounds(s, "lb", c->A.rows, &c->lo));
    return read_bounds(s, "ub", c->A.rows, &c->hi);
}

static dls_status make_bounds(dls_scan *s, dls_foreign *c)
{
    size_t n = c->A.rows;
    c->lo = DLS_TAKE(s->memory, double, n);
    c->hi = DLS_TAKE(s->memory, double, n);
    return c->lo && c->hi ? DLS_OK : dls_fail(s->error, DLS_NO_MEMORY, "no memory for %zu bounds", n);
}

/* Equality rows are free, the others complementary. */
static void set_bounds(dls_foreign *c, size_t first, size_t end, bool equality)
{
    for (size_t i = first; i < end; i++) {
        c->lo[i] = equality ? -HUGE_VAL : 0.0;
        c->hi[i] = HUGE_VAL;
    }
}

/* The friction coefficient after a block's type, for the contact of its three rows. */
static dls_status read_contact(dls_scan *s, size_t k, size_t first, dls_foreign *c)
{
    if (c->A.row_end[k] - first != 3)
        return dls_scan_fail(s, DLS_BAD_INPUT, "block type", "block %zu has friction and %zu rows; a contact has 3", k,
                             c->A.row_end[k] - first);
    DLS_TRY(dls_scan_real(s, "mu", false, &c->mu[first]));
    return c->mu[first] >= 0.0
               ? DLS_OK
               : dls_scan_fail(s, DLS_BAD_INPUT, "mu", "block %zu has a negative friction coefficient", k);
}

/* Block types: an LCP, an equality, friction in 3D with its coefficient. */
static dls_status read_gmp(dls_scan *s, dls_foreign *c)
{
    enum { LCP = 0, EQUALITY = 2, FRICTION = 4 };
    DLS_TRY(dls_foreign_read_matrix(s, true, &c->A));
    DLS_TRY(dls_foreign_reals(s, "q", c->A.rows, &c->b));
    DLS_TRY(make_bounds(s, c));
    c->tangents = 2;
    c->mu = DLS_TAKE(s->memory, double, c->A.rows);
    if (!c->mu)
        return dls_fail(s->error, DLS_NO_MEMORY, "no memory for %zu rows", c->A.rows);
    for (size_t i = 0; i < c->A.rows; i++)
        c->mu[i] = -1.0;
    for (size_t k = 0, row = 0; k < c->A.block_rows; row = c->A.row_end[k++]) {
        size_t type;
        DLS_TRY(dls_scan_count(s, "block type", SIZE_MAX, &type));
        if (type != LCP && type != EQUALITY && type != FRICTION)
            return dls_scan_fail(s, DLS_REFUSED, "block type",
                                 "block %zu has a type that is not read; 0 (LCP), 2 (equality) and 4 (friction) are",
                                 k);
        if (type == FRICTION)
            DLS_TRY(read_contact(s, k, row, c));
        set_bounds(c, row, c->A.row_end[k], type == EQUALITY);
    }
    return DLS_OK;
}

/* Block starts 0 .. n+m, then a flag for each block: 1 complementarity, 0 equality. */
static dls_status read_mlcp_blocks(dls_scan *s, size_t n, size_t m, dls_foreign *c)
{
    size_t count = 0, free_rows = 0, *end = DLS_TAKE(s->memory, size_t, n + m + 1);
    if (!end)
        return dls_fail(s->error, DLS_NO_MEMORY, "no memory for blocks");
    DLS_TRY(dls_scan_count(s, "block start", 0, &end[0]));
    for (; end[count] < n + m; count++) {
        DLS_TRY(dls_scan_count(s, "block start", n + m, &end[count + 1]));
        if (end[count + 1] <= end[count])
            return dls_scan_fail(s, DLS_BAD_INPUT, "block start", "block starts must ascend");
    }
    for (size_t k = 0; k < count; k++) {
        size_t flag;
        DLS_TRY(dls_scan_count(s, "block flag", 1, &flag));
        set_bounds(c, end[k], end[k + 1], flag == 0);
        free_rows += flag == 0 ? end[k + 1] - end[k] : 0;
    }
    return free_rows == n ? DLS_OK
                          : dls_scan_fail(s, DLS_BAD_INPUT, "block flag", "%zu equality rows, n is %zu", free_rows, n);
}

static dls_status read_mlcp_matrix(dls_scan *s, size_t rows, dls_foreign *c)
{
    DLS_TRY(dls_foreign_read_matrix(s, false, &c->A));
    if (c->A.rows != rows && c->A.columns == rows)
        return dls_scan_fail(
            s, DLS_REFUSED, "matrix rows",
            "M is rectangular, %zu x %zu; Siconos writes only as many numbers of q as M has columns, so "
            "that q is not whole: give the problem square",
            c->A.rows, rows);
    if (c->A.rows != c->A.columns)
        return dls_scan_fail(s, DLS_BAD_INPUT, "matrix columns", "the matrix must be square, not %zu x %zu", c->A.rows,
                             c->A.columns);
    if (c->A.rows != rows)
        return dls_scan_fail(s, DLS_BAD_INPUT, "matrix rows", "%zu; n + m is %zu", c->A.rows, rows);
    return dls_foreign_reals(s, "q", rows, &c->b);
}

/* A (n x n), B (m x m), C (n x m), D (m x n), a, b, with the matrix [A C; D B]; rows of values, not columns. */
static dls_status read_mlcp_parts(dls_scan *s, size_t n, size_t m, dls_foreign *c)
{
    DLS_TRY(dls_foreign_matrix_create(s->memory, n + m, n + m, 2, 4, &c->A, s->error));
    dls_foreign_block *A = &c->A.blocks[0], *C = A + 1, *D = A + 2, *B = A + 3;
    c->A.start[1] = 2, c->A.start[2] = 4;
    c->A.row_end[0] = n, c->A.row_end[1] = n + m;
    *A = (dls_foreign_block){.row = 0, .rows = n, .column = 0, .columns = n};
    *C = (dls_foreign_block){.row = 0, .rows = n, .column = n, .columns = m};
    *D = (dls_foreign_block){.row = n, .rows = m, .column = 0, .columns = n};
    *B = (dls_foreign_block){.row = n, .rows = m, .column = n, .columns = m};
    dls_foreign_block *const order[] = {A, B, C, D};
    for (int i = 0; i < 4; i++)
        DLS_TRY(dls_foreign_read_values(s, order[i], true));
    set_bounds(c, 0, n, true);
    set_bounds(c, n, n + m, false);
    return dls_foreign_reals(s, "a, b", n + m, &c->b);
}

/* Flags s1 (the matrix as one, with block flags) and s2 (in parts); with both the first is read. */
static dls_status read_mlcp(dls_scan *s, dls_foreign *c)
{
    size_t whole, parts, n, m;
    DLS_TRY(dls_scan_count(s, "storage flag", 1, &whole));
    DLS_TRY(dls_scan_count(s, "storage flag", 1, &parts));
    DLS_TRY(read_length(s, "n", &n));
    DLS_TRY(read_length(s, "m", &m));
    if (!whole && !parts)
        return dls_scan_fail(s, DLS_BAD_INPUT, "storage flag", "one of the two flags must be 1");
    c->A.rows = n + m;
    DLS_TRY(make_bounds(s, c));
    if (!whole)
        return read_mlcp_parts(s, n, m, c);
    DLS_TRY(read_mlcp_blocks(s, n, m, c));
    return read_mlcp_matrix(s, n + m, c);
}

DLS_FOREIGN_READER(siconos_lcp, read_sized)
DLS_FOREIGN_READER(siconos_mlcp, read_mlcp)
DLS_FOREIGN_READER(siconos_relay, read_relay)
DLS_FOREIGN_READER(siconos_gmp, read_gmp)

/* --- how each begins --- */

bool dls_is_siconos_lcp(const char *text, size_t size)
{
    size_t h[4]; /* n, storage, rows, columns */
    return dls_foreign_begin(text, size, 4, h) == 4 && h[1] <= STORAGE_MAX && h[2] == h[0] && h[3] == h[0];
}

bool dls_is_siconos_relay(const char *text, size_t size) { return dls_is_siconos_lcp(text, size); }

bool dls_is_siconos_mlcp(const char *text, size_t size)
{
    size_t h[4]; /* two flags, n, m */
    return dls_foreign_begin(text, size, 4, h) == 4 && h[0] <= 1 && h[1] <= 1 && h[0] + h[1] > 0;
}

bool dls_is_siconos_gmp(const char *text, size_t size)
{
    size_t h[3]; /* storage, rows, columns */
    return dls_foreign_begin(text, size, 3, h) == 3 && h[0] <= STORAGE_MAX && h[1] == h[2];
}
