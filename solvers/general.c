/* General rows: any blocks over any mass blocks, and the rows of the matrix form. See packing.h.
 *
 * The coefficients J of a row and its response B = M^-1 J^T are stored as runs of whole vectors that are not all zero:
 * the J of a mimic row on two joints is two vectors, and B leaves out the branches of an articulation that the row does
 * not move, whose responses are exactly 0. Responses cost most, one pass of the articulated-body algorithm each, so
 * they are computed for several rows at once. */
#include "packing.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* --- one row --- */

double dls_general_product(const dls_packed *packed, const dls_general_row *row, const double *y, double x)
{
    double sum[DLS_LANES] = {0.0};
    for (const dls_segment *s = packed->segments + row->J, *end = s + row->n_J; s < end; s++)
        for (size_t k = 0; k < s->vectors; k++)
            for (size_t lane = 0; lane < DLS_LANES; lane++)
                sum[lane] += packed->general_coef.at[s->coef + DLS_LANES * k + lane] * y[s->y + DLS_LANES * k + lane];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + row->gamma * x;
}

void dls_general_update(const dls_packed *packed, const dls_general_row *row, double delta, double *y)
{
    for (const dls_segment *s = packed->segments + row->B, *end = s + row->n_B; s < end; s++)
        for (size_t k = 0; k < DLS_LANES * s->vectors; k++)
            y[s->y + k] += packed->general_coef.at[s->coef + k] * delta;
}

/* --- runs --- */

/* One more run, of whole vectors from `y` on, whose coefficients are still to be written. NULL: no memory. */
static double *add_run(dls_packed *packed, size_t y, size_t vectors)
{
    const size_t at = packed->n_general_coef, end = at + DLS_LANES * vectors;
    if (!DLS_GROW(packed->segments, packed->segment_capacity, packed->n_segments + 1) ||
        (end > packed->general_coef.capacity && !dls_doubles_room(&packed->general_coef, at, 2 * end + 512)))
        return NULL;
    packed->segments[packed->n_segments++] = (dls_segment){(uint32_t)y, (uint32_t)vectors, at};
    packed->n_general_coef = end;
    return packed->general_coef.at + at;
}

/* `length` coefficients of the entries from `y` on, with zeros around them that fill whole vectors. */
static bool put_run(dls_packed *packed, size_t y, const double *coef, size_t length)
{
    const size_t before = y % DLS_LANES, vectors = (before + length + DLS_LANES - 1) / DLS_LANES;
    double *to = add_run(packed, y - before, vectors);
    if (!to)
        return false;
    for (size_t k = 0; k < DLS_LANES; k++)
        to[k] = to[DLS_LANES * (vectors - 1) + k] = 0.0;
    memcpy(to + before, coef, length * sizeof *coef);
    return true;
}

/* Whether a vector, or the rest of one, has an entry other than zero. */
static bool any_nonzero(const double *coef, size_t length)
{
    double sizes = 0.0;
    if (length >= DLS_LANES)
        return (fabs(coef[0]) + fabs(coef[1])) + (fabs(coef[2]) + fabs(coef[3])) != 0.0;
    for (size_t k = 0; k < length; k++)
        sizes += fabs(coef[k]);
    return sizes != 0.0;
}

/* The runs of a mass block; y is where a vector begins. */
static bool put_runs(dls_packed *packed, size_t y, const double *coef, size_t length)
{
    for (size_t from = 0, to; from < length; from = to + DLS_LANES) {
        for (to = from; to < length && any_nonzero(coef + to, length - to);)
            to += DLS_LANES;
        size_t end = to < length ? to : length;
        if (end > from && !put_run(packed, y + from, coef + from, end - from))
            return false;
    }
    return true;
}

/* --- matrix form --- */

/* General row i. Impulses of general rows follow those of the groups. */
static dls_general_row *general_row(const dls_packed *packed, size_t i)
{
    return &packed->general[packed->where[i] - (packed->n_lambda - packed->dead - packed->n_general)];
}

/* Stores the numbers of a general row besides its segments. */
static dls_status finish_row(dls_packed *packed, size_t i, double diagonal, dls_error *error)
{
    const dls_problem *p = packed->problem;
    const size_t parent = p->parent[i];
    dls_general_row *row = general_row(packed, i);
    row->s = packed->omega / diagonal;
    row->c = p->c[i], row->gamma = p->gamma[i], row->lo = p->lo[i], row->hi = p->hi[i], row->mu = p->mu[i];
    row->lambda = packed->where[i];
    row->parent = parent == DLS_NONE ? DLS_NONE : packed->where[parent];
    return dls_pack_diagonal(packed, i, diagonal, error);
}

/* J_i is the row of A, B_i the unit vector. */
static dls_status put_matrix(dls_packed *packed, dls_error *error)
{
    const dls_rows *A = &packed->problem->J;
    const double one = 1.0;
    for (size_t u = 0; u < packed->n_units; u++) {
        const size_t i = packed->units[u].first;
        dls_general_row *row = general_row(packed, i);
        double diagonal = packed->problem->gamma[i];
        bool ok = true;
        row->J = packed->n_segments;
        for (size_t k = A->start[i]; ok && k < A->start[i + 1]; k++) {
            const size_t length = A->coef_at[k + 1] - A->coef_at[k];
            const double *coef = A->coef + A->coef_at[k];
            ok = put_run(packed, A->offset[k], coef, length);
            if (i >= A->offset[k] && i - A->offset[k] < length)
                diagonal += coef[i - A->offset[k]];
        }
        row->B = packed->n_segments;
        row->n_B = 1;
        row->n_J = row->B - row->J;
        if (!ok || !put_run(packed, i, &one, 1))
            return dls_fail(error, DLS_NO_MEMORY, "no memory for row %zu", i);
        DLS_TRY(finish_row(packed, i, diagonal, error));
    }
    return DLS_OK;
}

/* --- mechanical form: several rows at once --- */

enum { TOGETHER = DLS_ARTICULATION_LANES };

/* Rows with their J and B as full vectors of all velocities, which are 0 whenever no row is in them. */
typedef struct window {
    size_t count, row[TOGETHER], column[TOGETHER]; /* column: of rows on one alone */
    double *J[TOGETHER], *B[TOGETHER];
} window;

/* The mass blocks that a row acts on, in their order; starts with all members 0. */
typedef struct walk {
    size_t k, done, block;
    bool begun;
} walk;

static bool next_block(const dls_packed *packed, size_t i, walk *w)
{
    dls_piece piece;
    size_t last = w->block;
    if (!w->begun)
        w->k = packed->problem->J.start[i];
    while (dls_pack_piece(packed, i, &w->k, &w->done, &piece)) {
        w->block = piece.block;
        if (!w->begun || piece.block != last) {
            w->begun = true;
            return true;
        }
    }
    return false;
}

static bool acts_on(const dls_packed *packed, size_t i, size_t block)
{
    walk w = {0};
    while (next_block(packed, i, &w))
        if (w.block == block)
            return true;
    return false;
}

/* J C in the place of J, and of B: weighted coordinates. */
static void weigh_block(const dls_packed *packed, size_t block, double *J, double *B)
{
    double C[6][6];
    dls_slot_factor(packed, block, C);
    for (size_t j = 0; j < 6; j++) {
        double sum = 0.0;
        for (size_t i = j; i < 6; i++)
            sum += J[i] * C[i][j];
        J[j] = B[j] = sum;
    }
}

/* B of a block for all rows of the window from `first` on that act on it. */
static void solve_block(const dls_packed *packed, window *w, size_t first, size_t block)
{
    const dls_mass_block *mass = &packed->problem->mass.blocks[block];
    const double *x[TOGETHER];
    double *y[TOGETHER];
    size_t count = 0;
    for (size_t r = first; r < w->count; r++)
        if (r == first || acts_on(packed, w->row[r], block))
            x[count] = w->J[r] + mass->offset, y[count++] = w->B[r] + mass->offset;
    dls_mass_block_solve(mass, count, x, y);
}

static void respond(const dls_packed *packed, window *w)
{
    for (size_t r = 0; r < w->count; r++) {
        walk at = {0};
        while (next_block(packed, w->row[r], &at)) {
            const dls_slot *slot = &packed->slots[at.block];
            bool solved = false;
            for (size_t before = 0; before < r && slot->kind == DLS_SLOT_PLAIN && !solved; before++)
                solved = acts_on(packed, w->row[before], at.block);
            if (slot->kind != DLS_SLOT_PLAIN)
                weigh_block(packed, at.block, w->J[r] + slot->v, w->B[r] + slot->v);
            else if (!solved)
                solve_block(packed, w, r, at.block);
        }
    }
}

static bool put_side(dls_packed *packed, size_t i, const double *spread_out, size_t *first, size_t *count)
{
    walk at = {0};
    *first = packed->n_segments;
    while (next_block(packed, i, &at)) {
        const dls_slot *slot = &packed->slots[at.block];
        if (!put_runs(packed, slot->y, spread_out + slot->v, slot->length))
            return false;
    }
    *count = packed->n_segments - *first;
    return true;
}

/* J M^-1 J^T + Gamma, over the row's own coefficients where they are not weighted. */
static double diagonal_of(const dls_packed *packed, size_t i, const double *J, const double *B)
{
    double sum = packed->problem->gamma[i];
    size_t k = packed->problem->J.start[i], done = 0;
    dls_piece piece;
    walk at = {0};
    while (dls_pack_piece(packed, i, &k, &done, &piece)) {
        const dls_slot *slot = &packed->slots[piece.block];
        for (size_t j = 0; j < piece.length && slot->kind == DLS_SLOT_PLAIN; j++)
            sum += piece.coef[j] * B[slot->v + piece.offset + j];
    }
    while (next_block(packed, i, &at)) {
        const dls_slot *slot = &packed->slots[at.block];
        for (size_t j = slot->v; j < slot->v + 6 && slot->kind != DLS_SLOT_PLAIN; j++)
            sum += J[j] * B[j];
    }
    return sum;
}

/* --- mechanical form: rows on one coordinate --- */

/* The velocity that a row acts on alone, in a block that is not weighted; DLS_NONE where there are several. A drive, a
 * limit and the friction of one joint act on the same. */
static inline size_t only_column(const dls_packed *packed, size_t i)
{
    const dls_rows *J = &packed->problem->J;
    const size_t k = J->start[i];
    if (J->start[i + 1] != k + 1 || J->coef_at[k + 1] != J->coef_at[k] + 1 || J->coef[J->coef_at[k]] == 0.0)
        return DLS_NONE;
    return packed->slots[packed->block_of[J->offset[k]]].kind == DLS_SLOT_PLAIN ? J->offset[k] : DLS_NONE;
}

static inline double only_coefficient(const dls_packed *packed, size_t i)
{
    const dls_rows *J = &packed->problem->J;
    return J->coef[J->coef_at[J->start[i]]];
}

/* Stores the opposite of the runs from `from` on. 0 stays 0, not -0, as in a response that is computed. */
static bool put_opposite(dls_packed *packed, size_t from, size_t count)
{
    for (size_t s = from; s < from + count; s++) {
        const dls_segment run = packed->segments[s];
        double *to = add_run(packed, run.y, run.vectors);
        if (!to)
            return false;
        for (size_t k = 0; k < DLS_LANES * (size_t)run.vectors; k++)
            to[k] = 0.0 - packed->general_coef.at[run.coef + k];
    }
    return true;
}

/* Stores a row with its own J, in one vector, and the runs of B that it shares. */
static dls_status put_shared(dls_packed *packed, size_t i, const dls_column_response *response, dls_error *error)
{
    const dls_rows *J = &packed->problem->J;
    const size_t column = J->offset[J->start[i]];
    const dls_slot *slot = &packed->slots[packed->block_of[column]];
    const double coef = only_coefficient(packed, i);
    dls_general_row *row = general_row(packed, i);
    row->J = packed->n_segments, row->n_J = 1;
    row->B = response->B, row->n_B = response->n_B;
    if (!put_run(packed, slot->y + column - slot->v, &coef, 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for row %zu", i);
    return finish_row(packed, i, packed->problem->gamma[i] + coef * response->entry, error);
}

/* Stores a row whose J is that of an earlier row, or its opposite, with the response of that row. *put: whether there
 * was such a row. */
static dls_status put_known(dls_packed *packed, size_t i, size_t column, bool *put, dls_error *error)
{
    dls_column_response *known = &packed->responses[2 * column], *other = known + 1;
    const double coef = only_coefficient(packed, i);
    if (known->coef == -coef && other->coef != coef) {
        *other = (dls_column_response){coef, 0.0 - known->entry, packed->n_segments, known->n_B};
        if (!put_opposite(packed, known->B, known->n_B))
            return dls_fail(error, DLS_NO_MEMORY, "no memory for row %zu", i);
    }
    *put = known->coef == coef || other->coef == coef;
    return *put ? put_shared(packed, i, known->coef == coef ? known : other, error) : DLS_OK;
}

/* Computes B of the first rows on their columns, all of one block, and keeps it for other rows on these columns. */
static dls_status put_columns(dls_packed *packed, window *w, dls_error *error)
{
    if (w->count == 0)
        return DLS_OK;
    const size_t block = packed->block_of[packed->problem->J.offset[packed->problem->J.start[w->row[0]]]];
    const dls_mass_block *mass = &packed->problem->mass.blocks[block];
    const dls_slot *slot = &packed->slots[block];
    const double *x[TOGETHER];
    double *y[TOGETHER];
    dls_status status = DLS_OK;
    for (size_t r = 0; r < w->count; r++) {
        w->J[r][w->column[r]] = only_coefficient(packed, w->row[r]);
        x[r] = w->J[r] + slot->v, y[r] = w->B[r] + slot->v;
    }
    dls_mass_block_solve(mass, w->count, x, y);
    for (size_t r = 0; r < w->count; r++) {
        const size_t i = w->row[r], column = w->column[r];
        dls_column_response *known = &packed->responses[2 * column];
        *known = (dls_column_response){only_coefficient(packed, i), w->B[r][column], packed->n_segments, 0};
        if (status == DLS_OK)
            status = put_runs(packed, slot->y, y[r], slot->length)
                         ? DLS_OK
                         : dls_fail(error, DLS_NO_MEMORY, "no memory for row %zu", i);
        known->n_B = packed->n_segments - known->B;
        if (status == DLS_OK)
            status = put_shared(packed, i, known, error);
        w->J[r][column] = 0.0;
        memset(y[r], 0, slot->length * sizeof *y[r]);
    }
    w->count = 0;
    return status;
}

/* Adds a row on one column to the window, for put_columns. The rows in the window are stored first if they are of
 * another block, or if one has the same column. */
static dls_status add_column(dls_packed *packed, window *w, size_t i, size_t column, dls_error *error)
{
    for (size_t r = 0; r < w->count; r++) {
        const size_t other = w->column[r];
        if (other == column || packed->block_of[other] != packed->block_of[column]) {
            DLS_TRY(put_columns(packed, w, error));
            break;
        }
    }
    bool put = false;
    DLS_TRY(put_known(packed, i, column, &put, error));
    if (!put) {
        w->column[w->count] = column;
        w->row[w->count++] = i;
    }
    return DLS_OK;
}

/* Stores the rows of the window, and clears it. */
static dls_status put_window(dls_packed *packed, window *w, dls_error *error)
{
    dls_status status = DLS_OK;
    for (size_t r = 0; r < w->count; r++)
        dls_rows_axpy(&packed->problem->J, w->row[r], 1.0, w->J[r]);
    respond(packed, w);
    for (size_t r = 0; r < w->count; r++) {
        const size_t i = w->row[r];
        double *J = w->J[r], *B = w->B[r];
        dls_general_row *row = general_row(packed, i);
        walk at = {0};
        if (status == DLS_OK) {
            bool ok = put_side(packed, i, J, &row->J, &row->n_J) && put_side(packed, i, B, &row->B, &row->n_B);
            status = ok ? finish_row(packed, i, diagonal_of(packed, i, J, B), error)
                        : dls_fail(error, DLS_NO_MEMORY, "no memory for row %zu", i);
        }
        while (next_block(packed, i, &at)) {
            const dls_slot *slot = &packed->slots[at.block];
            memset(J + slot->v, 0, slot->length * sizeof *J);
            memset(B + slot->v, 0, slot->length * sizeof *B);
        }
    }
    w->count = 0;
    return status;
}

/* Rows are stored in the order of the problem, in which rows of one articulation are adjacent. */
static dls_status put_mechanical(dls_packed *packed, dls_error *error)
{
    const size_t nv = packed->problem->nv, before = packed->window.capacity;
    window w = {0};
    bool columns = false;
    if (!dls_doubles_room(&packed->window, 0, 2 * TOGETHER * nv) ||
        !DLS_GROW(packed->responses, packed->response_capacity, 2 * nv))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for rows over %zu velocities", nv);
    if (packed->window.capacity != before)
        memset(packed->window.at, 0, packed->window.capacity * sizeof(double));
    for (size_t r = 0; r < TOGETHER; r++)
        w.J[r] = packed->window.at + 2 * r * nv, w.B[r] = w.J[r] + nv;
    memset(packed->responses, 0, 2 * nv * sizeof *packed->responses);
    for (size_t u = 0; u < packed->n_units; u++) {
        const size_t i = packed->units[u].first;
        if (packed->units[u].kind != DLS_BATCH_ROW)
            continue;
        const size_t column = only_column(packed, i);
        if (w.count > 0 && (w.count == TOGETHER || (column != DLS_NONE) != columns))
            DLS_TRY(columns ? put_columns(packed, &w, error) : put_window(packed, &w, error));
        columns = column != DLS_NONE;
        if (columns)
            DLS_TRY(add_column(packed, &w, i, column, error));
        else
            w.row[w.count++] = i;
    }
    if (w.count > 0)
        DLS_TRY(columns ? put_columns(packed, &w, error) : put_window(packed, &w, error));
    return DLS_OK;
}

dls_status dls_pack_general(dls_packed *packed, dls_error *error)
{
    packed->n_segments = packed->n_general_coef = 0;
    if (packed->n_general == 0)
        return DLS_OK;
    /* There is at least one segment, because loops add to the pointer. */
    if (!DLS_GROW(packed->general, packed->general_capacity, packed->n_general) ||
        !DLS_GROW(packed->segments, packed->segment_capacity, 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu general rows", packed->n_general);
    return packed->problem->form == DLS_FORM_MATRIX ? put_matrix(packed, error) : put_mechanical(packed, error);
}
