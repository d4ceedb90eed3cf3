/* The coefficients of batches: weighted Jacobians j = J C, scales, the chunks' own Delassus entries, bounds. See
 * packed.h. */
#include "packed.h"

#include <string.h>

typedef struct rows12 {
    double j[DLS_CHUNK_ROWS][12];
} rows12;

/* j += J C of one piece. A whole block, the usual case, is written out: its sums stay in registers. */
static void weighted_row(const dls_slot *slot, const dls_piece *piece, double *j)
{
    const double(*C)[6] = slot->C, *a = piece->coef;
    if (piece->length == 6) {
        for (size_t k = 0; k < 6; k++)
            j[k] += ((a[0] * C[0][k] + a[1] * C[1][k]) + (a[2] * C[2][k] + a[3] * C[3][k])) +
                    (a[4] * C[4][k] + a[5] * C[5][k]);
        return;
    }
    for (size_t i = 0; i < piece->length; i++)
        for (size_t k = 0; k < 6; k++)
            j[k] += a[i] * C[piece->offset + i][k];
}

static void weighted_rows(const dls_pack *pack, const uint32_t *blocks, size_t first, unsigned rows, rows12 *chunk)
{
    for (unsigned r = 0; r < DLS_CHUNK_ROWS; r++) {
        for (size_t column = 0; column < 12; column++)
            chunk->j[r][column] = 0.0;
        size_t k = r < rows ? pack->problem->J.start[first + r] : 0, done = 0;
        dls_piece piece;
        while (r < rows && dls_pack_piece(pack, first + r, &k, &done, &piece))
            weighted_row(&pack->slots[piece.block], &piece, chunk->j[r] + (piece.block == blocks[0] ? 0 : 6));
    }
}

static double dot12(const double *a, const double *b)
{
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    for (size_t k = 0; k < 12; k += 4)
        for (size_t l = 0; l < 4; l++)
            sum[l] += a[k + l] * b[k + l];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Where the vectors of a chunk go, one lane of them: see dls_chunk_vectors. */
typedef struct chunk_lane {
    double *at;
    unsigned rows, kind, compliant;
} chunk_lane;

static double *put(double *at, double value)
{
    *at = value;
    return at + DLS_LANES;
}

static double *put_bounds(const dls_problem *p, size_t first, unsigned rows, const chunk_lane *lane, double *at)
{
    for (unsigned r = 0; lane->compliant && r < lane->rows; r++)
        at = put(at, r < rows ? p->gamma[first + r] : 0.0);
    if (lane->kind == DLS_BATCH_BOXED) {
        for (unsigned r = 0; r < lane->rows; r++)
            at = put(at, r < rows ? p->lo[first + r] : 0.0);
        for (unsigned r = 0; r < lane->rows; r++)
            at = put(at, r < rows ? p->hi[first + r] : 0.0);
    } else if (lane->kind == DLS_BATCH_COUPLED) {
        at = put(at, p->lo[first]);
        at = put(at, p->hi[first]);
        for (unsigned r = 1; r < lane->rows; r++)
            at = put(at, r < rows ? p->mu[first + r] : 0.0);
    }
    return at;
}

/* `rows` rows from `first` into a chunk with room for lane->rows; the rest stays zero. */
static dls_status put_chunk(const dls_pack *pack, const uint32_t *blocks, size_t first, unsigned rows,
                            const chunk_lane *lane, dls_error *error)
{
    const dls_problem *p = pack->problem;
    rows12 chunk;
    double *at = lane->at, scale[DLS_CHUNK_ROWS] = {0};
    weighted_rows(pack, blocks, first, rows, &chunk);
    for (unsigned r = 0; r < lane->rows; r++)
        for (unsigned k = 0; k < 12; k++)
            at = put(at, chunk.j[r][k]);
    for (unsigned r = 0; r < rows; r++)
        DLS_TRY(dls_pack_scale(pack, first + r, dot12(chunk.j[r], chunk.j[r]) + p->gamma[first + r], &scale[r], error));
    for (unsigned r = 0; r < lane->rows; r++)
        at = put(at, scale[r]);
    for (unsigned r = 0; r < lane->rows; r++)
        at = put(at, r < rows ? p->c[first + r] : 0.0);
    for (unsigned r = 1; r < lane->rows; r++)
        for (unsigned q = 0; q < r; q++)
            at = put(at, dot12(chunk.j[r], chunk.j[q]));
    put_bounds(p, first, rows, lane, at);
    return DLS_OK;
}

/* Both ends of a lane: its bodies, or the slot of zeros and the slot nobody reads. */
static void put_ends(const dls_pack *pack, dls_batch *batch, unsigned lane, const dls_row_unit *unit)
{
    uint32_t zero = (uint32_t)pack->packed->n_y;
    size_t blocks = unit ? unit[1].entry - unit->entry : 0;
    for (unsigned end = 0; end < 2; end++) {
        uint32_t y = end < blocks ? pack->slots[pack->units.blocks[unit->entry + end]].y : zero;
        batch->from[end][lane] = y;
        batch->to[end][lane] = y == zero ? zero + DLS_SLOT : y;
    }
}

static dls_status put_lane(dls_pack *pack, const dls_batch *batch, unsigned lane, const dls_row_unit *unit,
                           dls_error *error)
{
    const uint32_t *blocks = pack->units.blocks + unit->entry;
    chunk_lane chunk = {pack->packed->coef + batch->at + lane, 0, batch->kind, batch->compliant};
    for (unsigned r = 0; r < unit->rows; r += DLS_CHUNK_ROWS) {
        unsigned rows = unit->rows - r < DLS_CHUNK_ROWS ? unit->rows - r : DLS_CHUNK_ROWS;
        chunk.rows = batch->rows - r < DLS_CHUNK_ROWS ? batch->rows - r : DLS_CHUNK_ROWS;
        DLS_TRY(put_chunk(pack, blocks, unit->first + r, rows, &chunk, error));
        for (unsigned i = 0; i < rows; i++)
            pack->packed->where[unit->first + r + i] = (uint32_t)(batch->lambda + (r + i) * DLS_LANES + lane);
        chunk.at += DLS_LANES * dls_chunk_vectors(batch->kind, batch->compliant, chunk.rows);
    }
    return DLS_OK;
}

/* Where lanes are free or shorter than the longest, all of the batch is set to zero first. */
static void clear_batch(const dls_pack *pack, size_t k)
{
    const dls_batch *batch = &pack->packed->batches[k];
    size_t end = pack->packed->n_coef;
    bool whole = true;
    for (unsigned lane = 0; lane < DLS_LANES; lane++) {
        uint32_t u = pack->lanes[DLS_LANES * k + lane];
        whole &= u != UINT32_MAX && pack->units.at[u].rows == batch->rows;
    }
    for (size_t next = k + 1; next < pack->packed->n_batches; next++)
        if (pack->packed->batches[next].kind != DLS_BATCH_ROW) {
            end = pack->packed->batches[next].at;
            break;
        }
    if (!whole)
        memset(pack->packed->coef + batch->at, 0, (end - batch->at) * sizeof *pack->packed->coef);
}

dls_status dls_pack_groups(dls_pack *pack, dls_error *error)
{
    for (size_t k = 0; k < pack->packed->n_batches; k++) {
        dls_batch *batch = &pack->packed->batches[k];
        if (batch->kind != DLS_BATCH_ROW)
            clear_batch(pack, k);
        for (unsigned lane = 0; batch->kind != DLS_BATCH_ROW && lane < DLS_LANES; lane++) {
            uint32_t u = pack->lanes[DLS_LANES * k + lane];
            const dls_row_unit *unit = u == UINT32_MAX ? NULL : &pack->units.at[u];
            put_ends(pack, batch, lane, unit);
            if (unit)
                DLS_TRY(put_lane(pack, batch, lane, unit, error));
        }
    }
    return DLS_OK;
}
