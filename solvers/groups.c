/* The coefficients of batches: the sources of each lane. The filling itself is in sweep_kernel.h. See packing.h. */
#include "packing.h"

#include <math.h>
#include <string.h>

/* The rows of a lane that cannot be read from the problem directly, and zeros if the batch has more rows. */
typedef struct spare {
    double J[DLS_GROUP_ROWS][12], c[DLS_GROUP_ROWS], gamma[DLS_GROUP_ROWS], lo[DLS_GROUP_ROWS], hi[DLS_GROUP_ROWS],
        mu[DLS_GROUP_ROWS];
} spare;

static const double zeros[12 * DLS_GROUP_ROWS], ones[DLS_SLOT] = {1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0};

/* j += J C of one piece. */
static void add_weighted(const dls_packed *packed, const dls_piece *piece, double *j)
{
    const double *a = piece->coef;
    double C[6][6];
    dls_slot_factor(packed, piece->block, C);
    for (size_t k = 0; k < 6 && piece->length == 6; k++)
        j[k] +=
            ((a[0] * C[0][k] + a[1] * C[1][k]) + (a[2] * C[2][k] + a[3] * C[3][k])) + (a[4] * C[4][k] + a[5] * C[5][k]);
    for (size_t i = 0; i < piece->length && piece->length != 6; i++)
        for (size_t k = 0; k < 6; k++)
            j[k] += a[i] * C[piece->offset + i][k];
}

/* Copies the rows of a lane; rows that are not whole are weighted here. */
static void copy_lane(const dls_packed *packed, const dls_row_unit *unit, spare *to)
{
    const dls_problem *p = packed->problem;
    const size_t bytes = unit->rows * sizeof(double), first = unit->first;
    memset(to, 0, sizeof *to);
    memcpy(to->c, p->c + first, bytes), memcpy(to->gamma, p->gamma + first, bytes);
    memcpy(to->lo, p->lo + first, bytes), memcpy(to->hi, p->hi + first, bytes), memcpy(to->mu, p->mu + first, bytes);
    for (size_t r = 0; r < unit->rows; r++) {
        size_t k = p->J.start[first + r], done = 0;
        dls_piece piece;
        while (dls_pack_piece(packed, first + r, &k, &done, &piece)) {
            double *j = to->J[r] + (piece.block == packed->entries[unit->entry] ? 0 : 6);
            if (unit->whole)
                memcpy(j, piece.coef, 6 * sizeof *j);
            else
                add_weighted(packed, &piece, j);
        }
    }
}

static void put_lane(const dls_packed *packed, const dls_row_batch *batch, uint32_t u, spare *room, dls_lane *lane)
{
    const dls_problem *p = packed->problem;
    if (u == DLS_NO_UNIT) {
        *lane = (dls_lane){0.0, {zeros, zeros}, {0, 0}, {zeros, zeros}, zeros, zeros, zeros, zeros, zeros};
        return;
    }
    const dls_row_unit *unit = &packed->units[u];
    const size_t first = unit->first, blocks = unit[1].entry - unit->entry;
    const double *nothing = packed->weights.at + DLS_SLOT * packed->n_slots;
    lane->rows = unit->rows;
    for (size_t end = 0; end < 2; end++)
        lane->weights[end] = !unit->whole   ? ones
                             : end < blocks ? packed->weights.at + DLS_SLOT * packed->entries[unit->entry + end]
                                            : nothing;
    if (unit->whole && unit->rows == batch->rows) {
        lane->J[0] = p->J.coef + unit->coef;
        lane->J[1] = blocks == 2 ? lane->J[0] + 6 : zeros;
        lane->stride[0] = 6 * blocks, lane->stride[1] = blocks == 2 ? 12 : 0;
        lane->c = p->c + first, lane->gamma = p->gamma + first;
        lane->lo = p->lo + first, lane->hi = p->hi + first, lane->mu = p->mu + first;
    } else {
        copy_lane(packed, unit, room);
        lane->J[0] = room->J[0], lane->J[1] = room->J[0] + 6;
        lane->stride[0] = lane->stride[1] = 12;
        lane->c = room->c, lane->gamma = room->gamma, lane->lo = room->lo, lane->hi = room->hi, lane->mu = room->mu;
    }
}

/* Names the row of a batch whose diagonal a sweep cannot use, if there is one. */
static dls_status check_diagonals(const dls_packed *packed, const dls_row_batch *batch, dls_error *error)
{
    for (unsigned lane = 0; lane < DLS_LANES && batch->unit[lane] != DLS_NO_UNIT; lane++) {
        const dls_row_unit *unit = &packed->units[batch->unit[lane]];
        const double *chunk = packed->coef.at + batch->at + lane;
        for (unsigned r = 0, rows; r < unit->rows; r += rows) {
            rows = dls_chunk_rows(batch, r);
            for (unsigned i = 0; i < rows && r + i < unit->rows; i++) {
                double sum[4] = {0.0};
                for (size_t k = 0; k < 12; k++)
                    sum[k % 4] += chunk[DLS_LANES * (12 * i + k)] * chunk[DLS_LANES * (12 * i + k)];
                const size_t row = unit->first + r + i;
                const double diagonal = ((sum[0] + sum[1]) + (sum[2] + sum[3])) + packed->problem->gamma[row];
                DLS_TRY(dls_pack_diagonal(packed, row, diagonal, error));
            }
            chunk += DLS_LANES * dls_chunk_vectors(batch->kind, batch->compliant, rows);
        }
    }
    return DLS_OK;
}

/* Fetches the sources of a batch into the cache while the batch before it is filled, because they are scattered.
 * Inline, since the compiler drops a function that changes nothing. */
static inline __attribute__((always_inline)) void fetch_sources(const dls_packed *packed, const dls_row_batch *batch)
{
    const dls_problem *p = packed->problem;
    const double *const arrays[] = {p->c, p->gamma, p->mu, p->lo, p->hi};
    for (unsigned k = 0; k < DLS_LANES && batch->unit[k] != DLS_NO_UNIT; k++) {
        const dls_row_unit *unit = &packed->units[batch->unit[k]];
        const size_t blocks = unit[1].entry - unit->entry;
        const double *J = p->J.coef + unit->coef, *end = J + (unit->whole ? 6 * blocks * unit->rows : 0);
        for (; J < end; J += 8)
            __builtin_prefetch(J);
        for (unsigned i = 0; i < (batch->kind == DLS_BATCH_EQUALITY ? 2 : 5); i++) {
            __builtin_prefetch(arrays[i] + unit->first);
            __builtin_prefetch(arrays[i] + unit->first + unit->rows - 1);
        }
    }
}

dls_status dls_pack_groups(dls_packed *packed, dls_error *error)
{
    spare rooms[DLS_LANES];
    dls_lane lanes[DLS_LANES];
    for (const dls_row_batch *batch = packed->batches, *end = batch + packed->n_batches; batch < end; batch++) {
        if (batch->kind == DLS_BATCH_ROW)
            continue;
        if (batch + 1 < end)
            fetch_sources(packed, batch + 1);
        for (unsigned k = 0; k < DLS_LANES; k++)
            put_lane(packed, batch, batch->unit[k], &rooms[k], &lanes[k]);
        if (!packed->path->fill(packed, batch, lanes))
            DLS_TRY(check_diagonals(packed, batch, error));
    }
    return DLS_OK;
}
