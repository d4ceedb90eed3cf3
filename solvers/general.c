/* General rows: any blocks over any mass blocks, and the rows of the matrix form. See packed.h.
 *
 * What a row reads (J) and what it changes (B = M^-1 J^T) are stored as runs of whole vectors that are not all zero: of
 * a mimic row on two joints J is two vectors, and B leaves out the branches of an articulation that the row does not
 * move, whose responses are exactly 0. Responses are the dear part, one pass of the articulated-body algorithm each:
 * they are computed for several rows at once. */
#include "packed.h"

#include <stdlib.h>
#include <string.h>

/* --- one row of Jacobi's iteration, and impulses all at once --- */

double dls_general_residual(const dls_packed *packed, const dls_general_row *row)
{
    double sum[DLS_LANES] = {0.0};
    for (const dls_segment *s = packed->segments + row->J, *end = s + row->n_J; s < end; s++)
        for (size_t k = 0; k < s->vectors; k++)
            for (size_t lane = 0; lane < DLS_LANES; lane++)
                sum[lane] +=
                    packed->general_coef[s->coef + DLS_LANES * k + lane] * packed->y[s->y + DLS_LANES * k + lane];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + row->gamma * packed->lambda[row->lambda] - row->c;
}

void dls_general_update(dls_packed *packed, const dls_general_row *row, double delta)
{
    for (const dls_segment *s = packed->segments + row->B, *end = s + row->n_B; s < end; s++)
        for (size_t k = 0; k < DLS_LANES * s->vectors; k++)
            packed->y[s->y + k] += packed->general_coef[s->coef + k] * delta;
}

/* --- runs --- */

typedef struct store {
    dls_packed *packed;
    size_t segments, coefs; /* capacities */
} store;

static bool room_for_segment(store *s)
{
    if (s->packed->n_segments < s->segments)
        return true;
    size_t larger = 2 * s->segments + 64;
    dls_segment *segments = realloc(s->packed->segments, larger * sizeof *segments);
    if (!segments)
        return false;
    s->packed->segments = segments;
    s->segments = larger;
    return true;
}

static bool room_for_coefs(store *s, size_t more)
{
    dls_packed *packed = s->packed;
    if (packed->n_general_coef + more <= s->coefs)
        return true;
    size_t larger = 2 * (s->coefs + more) + 512;
    double *coefs = dls_pack_aligned(larger);
    if (!coefs)
        return false;
    if (packed->n_general_coef)
        memcpy(coefs, packed->general_coef, packed->n_general_coef * sizeof *coefs);
    free(packed->general_coef);
    packed->general_coef = coefs;
    s->coefs = larger;
    return true;
}

/* `length` coefficients for what stands at `y` and behind, with zeros around them that fill whole vectors. */
static bool put_run(store *s, size_t y, const double *coef, size_t length)
{
    dls_packed *packed = s->packed;
    size_t before = y % DLS_LANES, vectors = (before + length + DLS_LANES - 1) / DLS_LANES;
    if (!room_for_segment(s) || !room_for_coefs(s, DLS_LANES * vectors))
        return false;
    double *to = packed->general_coef + packed->n_general_coef;
    packed->segments[packed->n_segments++] =
        (dls_segment){(uint32_t)(y - before), (uint32_t)vectors, packed->n_general_coef};
    packed->n_general_coef += DLS_LANES * vectors;
    for (size_t k = 0; k < DLS_LANES; k++)
        to[k] = to[DLS_LANES * (vectors - 1) + k] = 0.0;
    memcpy(to + before, coef, length * sizeof *coef);
    return true;
}

static bool any(const double *coef, size_t length)
{
    bool nonzero = false;
    for (size_t k = 0; k < length && k < DLS_LANES; k++)
        nonzero |= coef[k] != 0.0;
    return nonzero;
}

/* The runs of a mass block; y is where a vector begins. */
static bool put_runs(store *s, size_t y, const double *coef, size_t length)
{
    for (size_t from = 0, to; from < length; from = to + DLS_LANES) {
        for (to = from; to < length && any(coef + to, length - to);)
            to += DLS_LANES;
        size_t end = to < length ? to : length;
        if (end > from && !put_run(s, y + from, coef + from, end - from))
            return false;
    }
    return true;
}

/* --- matrix form --- */

/* J_i is the row of A as it stands, B_i the unit vector. */
static bool matrix_row(const dls_pack *pack, store *s, size_t i, dls_general_row *row, double *diagonal)
{
    const dls_rows *A = &pack->problem->J;
    const double one = 1.0;
    *diagonal = pack->problem->gamma[i];
    row->J = s->packed->n_segments;
    for (size_t k = A->start[i]; k < A->start[i + 1]; k++) {
        size_t length = A->coef_at[k + 1] - A->coef_at[k];
        const double *coef = A->coef + A->coef_at[k];
        if (!put_run(s, A->offset[k], coef, length))
            return false;
        if (i >= A->offset[k] && i - A->offset[k] < length)
            *diagonal += coef[i - A->offset[k]];
    }
    row->n_J = s->packed->n_segments - row->J;
    row->B = s->packed->n_segments;
    row->n_B = 1;
    return put_run(s, i, &one, 1);
}

/* --- mechanical form: several rows at once --- */

enum { TOGETHER = 8 };

/* Rows with their J and B spread out over all velocities; all zero between rows. */
typedef struct window {
    size_t count, row[TOGETHER];
    double *J[TOGETHER], *B[TOGETHER];
} window;

/* The mass blocks that a row acts on, in their order. Start with a zeroed walk. */
typedef struct walk {
    size_t k, done, block;
    bool begun;
} walk;

static bool next_block(const dls_pack *pack, size_t i, walk *w)
{
    dls_piece piece;
    size_t last = w->block;
    if (!w->begun)
        w->k = pack->problem->J.start[i];
    while (dls_pack_piece(pack, i, &w->k, &w->done, &piece)) {
        w->block = piece.block;
        if (!w->begun || piece.block != last) {
            w->begun = true;
            return true;
        }
    }
    return false;
}

static bool acts_on(const dls_pack *pack, size_t i, size_t block)
{
    walk w = {0};
    while (next_block(pack, i, &w))
        if (w.block == block)
            return true;
    return false;
}

/* J C in the place of J, and of B: weighted coordinates. */
static void weigh_block(const dls_slot *slot, double *J, double *B)
{
    for (size_t j = 0; j < 6; j++) {
        double sum = 0.0;
        for (size_t i = j; i < 6; i++)
            sum += J[i] * slot->C[i][j];
        J[j] = B[j] = sum;
    }
}

/* B of a block for all rows of the window from `first` on that act on it. */
static void solve_block(const dls_pack *pack, window *w, size_t first, size_t block)
{
    const dls_mass_block *mass = &pack->problem->mass.blocks[block];
    const double *x[TOGETHER];
    double *y[TOGETHER];
    size_t count = 0;
    for (size_t r = first; r < w->count; r++)
        if (r == first || acts_on(pack, w->row[r], block))
            x[count] = w->J[r] + mass->offset, y[count++] = w->B[r] + mass->offset;
    dls_mass_block_solve(mass, count, x, y);
}

static void respond(const dls_pack *pack, window *w)
{
    for (size_t r = 0; r < w->count; r++) {
        walk at = {0};
        while (next_block(pack, w->row[r], &at)) {
            const dls_slot *slot = &pack->slots[at.block];
            bool solved = false;
            for (size_t before = 0; before < r && !slot->weighted && !solved; before++)
                solved = acts_on(pack, w->row[before], at.block);
            if (slot->weighted)
                weigh_block(slot, w->J[r] + slot->v, w->B[r] + slot->v);
            else if (!solved)
                solve_block(pack, w, r, at.block);
        }
    }
}

static void spread(const dls_pack *pack, size_t i, double *J)
{
    const dls_rows *rows = &pack->problem->J;
    for (size_t k = rows->start[i]; k < rows->start[i + 1]; k++)
        for (size_t at = rows->coef_at[k], j = rows->offset[k]; at < rows->coef_at[k + 1]; at++, j++)
            J[j] += rows->coef[at];
}

static bool put_side(const dls_pack *pack, store *s, size_t i, const double *spread_out, size_t *first, size_t *count)
{
    walk at = {0};
    *first = s->packed->n_segments;
    while (next_block(pack, i, &at)) {
        const dls_slot *slot = &pack->slots[at.block];
        if (!put_runs(s, slot->y, spread_out + slot->v, slot->length))
            return false;
    }
    *count = s->packed->n_segments - *first;
    return true;
}

/* J M^-1 J^T + Gamma, over the row's own coefficients where they are not weighted. */
static double diagonal_of(const dls_pack *pack, size_t i, const double *J, const double *B)
{
    double sum = pack->problem->gamma[i];
    size_t k = pack->problem->J.start[i], done = 0;
    dls_piece piece;
    walk at = {0};
    while (dls_pack_piece(pack, i, &k, &done, &piece)) {
        const dls_slot *slot = &pack->slots[piece.block];
        for (size_t j = 0; j < piece.length && !slot->weighted; j++)
            sum += piece.coef[j] * B[slot->v + piece.offset + j];
    }
    while (next_block(pack, i, &at)) {
        const dls_slot *slot = &pack->slots[at.block];
        for (size_t j = slot->v; j < slot->v + 6 && slot->weighted; j++)
            sum += J[j] * B[j];
    }
    return sum;
}

/* Stores row r of the window, and leaves zeros there. */
static bool mechanical_row(const dls_pack *pack, store *s, window *w, size_t r, dls_general_row *row, double *diagonal)
{
    size_t i = w->row[r];
    walk at = {0};
    bool ok = put_side(pack, s, i, w->J[r], &row->J, &row->n_J) && put_side(pack, s, i, w->B[r], &row->B, &row->n_B);
    *diagonal = diagonal_of(pack, i, w->J[r], w->B[r]);
    while (next_block(pack, i, &at)) {
        const dls_slot *slot = &pack->slots[at.block];
        memset(w->J[r] + slot->v, 0, slot->length * sizeof(double));
        memset(w->B[r] + slot->v, 0, slot->length * sizeof(double));
    }
    return ok;
}

/* --- all rows --- */

static dls_status finish_row(const dls_pack *pack, size_t i, bool stored, double diagonal, dls_general_row *row,
                             dls_error *error)
{
    const dls_problem *p = pack->problem;
    if (!stored)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for row %zu", i);
    row->c = p->c[i], row->gamma = p->gamma[i], row->lo = p->lo[i], row->hi = p->hi[i], row->mu = p->mu[i];
    return dls_pack_scale(pack, i, diagonal, &row->s, error);
}

static dls_status put_window(const dls_pack *pack, store *s, window *w, dls_error *error)
{
    for (size_t r = 0; r < w->count; r++)
        spread(pack, w->row[r], w->J[r]);
    respond(pack, w);
    for (size_t r = 0; r < w->count; r++) {
        double diagonal;
        size_t i = w->row[r];
        dls_general_row *row = &pack->packed->general[pack->packed->where[i]];
        bool ok = mechanical_row(pack, s, w, r, row, &diagonal);
        DLS_TRY(finish_row(pack, i, ok, diagonal, row, error));
    }
    w->count = 0;
    return DLS_OK;
}

/* In the order of the problem, where rows of one articulation stand together. packed->where[i] is still the number of a
 * general row. */
static dls_status put_mechanical(const dls_pack *pack, store *s, dls_error *error)
{
    size_t nv = pack->problem->nv;
    double *memory = calloc(2 * TOGETHER * nv + 1, sizeof *memory);
    window w = {0};
    if (!memory)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for rows over %zu velocities", nv);
    for (size_t r = 0; r < TOGETHER; r++)
        w.J[r] = memory + 2 * r * nv, w.B[r] = w.J[r] + nv;
    dls_status status = DLS_OK;
    for (size_t u = 0; u < pack->units.count && status == DLS_OK; u++) {
        if (pack->units.at[u].kind == DLS_BATCH_ROW)
            w.row[w.count++] = pack->units.at[u].first;
        if (w.count == TOGETHER || u + 1 == pack->units.count)
            status = put_window(pack, s, &w, error);
    }
    free(memory);
    return status;
}

static dls_status put_matrix(const dls_pack *pack, store *s, dls_error *error)
{
    for (size_t u = 0; u < pack->units.count; u++) {
        double diagonal;
        size_t i = pack->units.at[u].first;
        dls_general_row *row = &pack->packed->general[pack->packed->where[i]];
        bool ok = matrix_row(pack, s, i, row, &diagonal);
        DLS_TRY(finish_row(pack, i, ok, diagonal, row, error));
    }
    return DLS_OK;
}

static size_t row_of(const dls_pack *pack, size_t batch)
{
    return pack->units.at[pack->lanes[DLS_LANES * batch]].first;
}

/* Impulses of general rows stand behind those of the groups, in the order of the sweep; once all have a place, parents
 * are known. */
static void place_rows(const dls_pack *pack)
{
    dls_packed *packed = pack->packed;
    size_t position = packed->n_lambda - packed->dead - packed->n_general;
    for (size_t k = 0; k < packed->n_batches; k++)
        if (packed->batches[k].kind == DLS_BATCH_ROW) {
            packed->general[packed->batches[k].at].lambda = position;
            packed->where[row_of(pack, k)] = (uint32_t)position++;
        }
    for (size_t k = 0; k < packed->n_batches; k++) {
        if (packed->batches[k].kind != DLS_BATCH_ROW)
            continue;
        size_t parent = pack->problem->parent[row_of(pack, k)];
        packed->general[packed->batches[k].at].parent = parent == DLS_NONE ? DLS_NONE : packed->where[parent];
    }
}

dls_status dls_pack_general(dls_pack *pack, dls_error *error)
{
    dls_packed *packed = pack->packed;
    store s = {packed, 0, 0};
    if (packed->n_general == 0)
        return DLS_OK;
    packed->general = calloc(packed->n_general, sizeof *packed->general);
    if (!packed->general)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu general rows", packed->n_general);
    for (size_t k = 0; k < packed->n_batches; k++)
        if (packed->batches[k].kind == DLS_BATCH_ROW)
            packed->where[row_of(pack, k)] = (uint32_t)packed->batches[k].at;
    dls_status status =
        pack->problem->form == DLS_FORM_MATRIX ? put_matrix(pack, &s, error) : put_mechanical(pack, &s, error);
    place_rows(pack);
    return status;
}
