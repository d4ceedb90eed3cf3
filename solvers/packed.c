/* Loading and reading packed rows: places of rows, start, another right side. See packing.h. */
#include "packed.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

dls_status dls_packed_create(double omega, dls_packed **packed, dls_error *error)
{
    dls_packed *made = *packed = calloc(1, sizeof *made);
    if (!made)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for packed rows");
    made->omega = omega;
    for (made->path = dls_sweep_paths; !made->path->available();)
        made->path++;
    return DLS_OK;
}

void dls_packed_destroy(dls_packed *packed)
{
    if (!packed)
        return;
    free(packed->slots), free(packed->units), free(packed->entries), free(packed->batches), free(packed->where);
    free(packed->weights.at), free(packed->full.at), free(packed->y.at), free(packed->lambda.at), free(packed->coef.at);
    free(packed->kept.at);
    free(packed->general), free(packed->segments), free(packed->general_coef.at), free(packed->window.at);
    free(packed->plan), free(packed->block_of), free(packed->responses), free(packed->shape), free(packed->part),
        free(packed->taken);
    free(packed);
}

/* --- places --- */

static void put_ends(const dls_packed *packed, dls_row_batch *batch, unsigned lane, uint32_t thread)
{
    const uint32_t zero = (uint32_t)packed->n_y, u = batch->unit[lane];
    const dls_row_unit *unit = u == DLS_NO_UNIT ? NULL : &packed->units[u];
    const size_t blocks = unit ? unit[1].entry - unit->entry : 0;
    for (unsigned end = 0; end < 2; end++) {
        const uint32_t y = end < blocks ? packed->slots[packed->entries[unit->entry + end]].y : zero;
        batch->from[end][lane] = y;
        batch->to[end][lane] = y == zero ? zero + DLS_SLOT * (1 + thread) : y;
    }
}

/* A place for every batch and row: impulses of groups lane beside lane, then those of general rows, then those of rows
 * that nothing moves, which keep them. */
static dls_status lay_out(dls_packed *packed, dls_error *error)
{
    size_t lanes = 0, general = 0, row = 0, part = 0;
    if (!DLS_GROW(packed->where, packed->where_capacity, packed->n + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu packed rows", packed->n);
    packed->n_coef = 0;
    for (dls_row_batch *batch = packed->batches, *end = batch + packed->n_batches; batch < end; batch++) {
        while (packed->n_colours && packed->part[part + 1] <= (size_t)(batch - packed->batches))
            part++;
        const uint32_t thread = packed->n_colours ? (uint32_t)(part % packed->threads) : 0;
        if (batch->kind == DLS_BATCH_ROW) {
            batch->at = general++;
            continue;
        }
        batch->at = packed->n_coef;
        batch->lambda = lanes;
        lanes += (size_t)DLS_LANES * batch->rows;
        for (unsigned r = 0; r < batch->rows; r += DLS_CHUNK_ROWS)
            packed->n_coef += DLS_LANES * dls_chunk_vectors(batch->kind, batch->compliant, dls_chunk_rows(batch, r));
        for (unsigned lane = 0; lane < DLS_LANES; lane++) {
            put_ends(packed, batch, lane, thread);
            if (batch->unit[lane] == DLS_NO_UNIT)
                continue;
            const dls_row_unit *unit = &packed->units[batch->unit[lane]];
            for (unsigned r = 0; r < unit->rows; r++)
                packed->where[unit->first + r] = (uint32_t)(batch->lambda + DLS_LANES * r + lane);
        }
    }
    for (const dls_row_batch *batch = packed->batches, *end = batch + packed->n_batches; batch < end; batch++)
        if (batch->kind == DLS_BATCH_ROW)
            packed->where[packed->units[batch->unit[0]].first] = (uint32_t)(lanes + batch->at);
    packed->n_general = general;
    packed->n_lambda = lanes + general;
    for (const dls_row_unit *unit = packed->units, *end = unit + packed->n_units; unit <= end; unit++) {
        for (const size_t next = unit < end ? unit->first : packed->n; row < next; row++)
            packed->where[row] = (uint32_t)packed->n_lambda++;
        row += unit < end ? unit->rows : 0;
    }
    packed->dead = packed->n_lambda - lanes - general;
    if (dls_packed_width(packed) >= UINT32_MAX || packed->n_lambda >= UINT32_MAX)
        return dls_fail(error, DLS_REFUSED, "a problem of %zu rows is too large for sweeps", packed->n);
    return DLS_OK;
}

/* --- start --- */

static void start_impulses(dls_packed *packed, const double *lambda0)
{
    bool any = false;
    memset(packed->lambda.at, 0, packed->n_lambda * sizeof(double)); /* free lanes too */
    for (size_t i = 0; lambda0 && i < packed->n; i++)
        any |= lambda0[i] != 0.0;
    if (!any)
        return;
    for (size_t i = 0; i < packed->n; i++)
        packed->lambda.at[packed->where[i]] = lambda0[i];
    dls_packed_add(packed, packed->lambda.at, packed->y.at);
}

void dls_packed_add(const dls_packed *packed, const double *x, double *y)
{
    for (const dls_row_batch *batch = packed->batches, *end = batch + packed->n_batches; batch < end; batch++) {
        if (batch->kind == DLS_BATCH_ROW)
            dls_general_update(packed, &packed->general[batch->at], x[packed->general[batch->at].lambda], y);
        else
            packed->path->add(packed, batch, x + batch->lambda, y);
    }
}

/* --- loading --- */

static dls_status arrange(dls_packed *packed, const dls_problem *p, dls_error *error)
{
    bool same = packed->arranged && packed->n == p->n;
    packed->arranged = false;
    packed->problem = p;
    packed->n = p->n;
    if (p->n >= UINT32_MAX / 16 || p->J.n_blocks >= UINT32_MAX / 16 || p->nv >= UINT32_MAX / 16)
        return dls_fail(error, DLS_REFUSED, "a problem of %zu rows is too large for sweeps", p->n);
    DLS_TRY(dls_pack_slots(packed, &same, error));
    DLS_TRY(dls_pack_units(packed, &same, error));
    if (!same) {
        DLS_TRY(dls_pack_schedule(packed, error));
        DLS_TRY(lay_out(packed, error));
        packed->layout++;
    }
    packed->arranged = true;
    if (!dls_doubles_room(&packed->coef, 0, packed->n_coef + DLS_AHEAD + 64 * DLS_CHUNK_ROWS) ||
        !dls_doubles_room(&packed->lambda, 0, packed->n_lambda) ||
        !dls_doubles_room(&packed->y, 0, 2 * dls_packed_width(packed)))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu packed rows", p->n);
    DLS_TRY(dls_pack_groups(packed, error));
    return dls_pack_general(packed, error);
}

/* Dead rows are rare, and finding them takes reading all of J: this is done once a diagonal has failed. */
static dls_status arrange_all(dls_packed *packed, const dls_problem *p, dls_error *error)
{
    dls_status status = arrange(packed, p, error);
    if (status != DLS_REFUSED || packed->finds_dead)
        return status;
    for (size_t i = 0; i < p->n && !packed->finds_dead; i++)
        packed->finds_dead = dls_pack_is_dead(p, i);
    return packed->finds_dead ? arrange(packed, p, error) : status;
}

dls_status dls_packed_load(dls_packed *packed, const dls_problem *p, const double *lambda0, dls_error *error)
{
    DLS_TRY(arrange_all(packed, p, error));
    for (size_t k = 0; k < packed->n_slots; k++)
        dls_slot_start(packed, k, p->v_star);
    memset(packed->y.at + packed->n_y, 0, (dls_packed_width(packed) - packed->n_y) * sizeof(double));
    start_impulses(packed, lambda0);
    return DLS_OK;
}

/* Whether the weights of a slot are unchanged, so that its velocities need not be converted. */
static bool same_weights(const dls_packed *packed, size_t k, const double *weights, const double *full)
{
    const dls_slot *slot = &packed->slots[k];
    if (slot->kind == DLS_SLOT_BODY)
        return memcmp(packed->weights.at + DLS_SLOT * k, weights + DLS_SLOT * k, DLS_SLOT * sizeof *weights) == 0;
    return slot->kind == DLS_SLOT_PLAIN ||
           memcmp(packed->full.at + DLS_FULL * slot->full, full + DLS_FULL * slot->full, DLS_FULL * sizeof *full) == 0;
}

dls_status dls_packed_renew(dls_packed *packed, const dls_problem *p, const double *v, dls_error *error)
{
    const size_t weights = DLS_SLOT * packed->n_slots, full = DLS_FULL * packed->n_full;
    if (!dls_doubles_room(&packed->kept, 0, p->n + p->nv + weights + full))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", p->n);
    double *lambda = packed->kept.at, *velocity = lambda + p->n;
    double *weights_before = velocity + p->nv, *full_before = weights_before + weights;
    dls_packed_read(packed, lambda);
    dls_packed_velocity(packed, velocity);
    memcpy(weights_before, packed->weights.at, weights * sizeof(double));
    if (full)
        memcpy(full_before, packed->full.at, full * sizeof(double));
    DLS_TRY(arrange_all(packed, p, error));
    for (size_t k = 0; k < packed->n_slots; k++)
        if (v || !same_weights(packed, k, weights_before, full_before))
            dls_slot_start(packed, k, v ? v : velocity);
    memset(packed->lambda.at, 0, packed->n_lambda * sizeof(double));
    for (size_t i = 0; i < packed->n; i++)
        packed->lambda.at[packed->where[i]] = lambda[i];
    return DLS_OK;
}

/* --- reading, and another right side --- */

void dls_packed_read(const dls_packed *packed, double *lambda)
{
    for (size_t i = 0; i < packed->n; i++)
        lambda[i] = packed->lambda.at[packed->where[i]];
}

void dls_packed_velocity(const dls_packed *packed, double *v)
{
    for (size_t k = 0; k < packed->n_slots; k++)
        dls_slot_velocity(packed, k, v + packed->slots[k].v);
}

void dls_packed_refresh(dls_packed *packed, const double *c)
{
    for (const dls_row_batch *batch = packed->batches, *end = batch + packed->n_batches; batch < end; batch++) {
        if (batch->kind == DLS_BATCH_ROW) {
            packed->general[batch->at].c = c[packed->units[batch->unit[0]].first];
            continue;
        }
        for (unsigned lane = 0; lane < DLS_LANES && batch->unit[lane] != DLS_NO_UNIT; lane++) {
            const dls_row_unit *unit = &packed->units[batch->unit[lane]];
            double *chunk = packed->coef.at + batch->at + lane;
            for (unsigned r = 0, rows; r < unit->rows; r += rows) {
                rows = dls_chunk_rows(batch, r);
                for (unsigned i = 0; i < rows && r + i < unit->rows; i++)
                    chunk[dls_chunk_c(rows) + DLS_LANES * i] = c[unit->first + r + i];
                chunk += DLS_LANES * dls_chunk_vectors(batch->kind, batch->compliant, rows);
            }
        }
    }
}

/* --- all rows at once --- */

void dls_packed_residual(const dls_packed *packed, const double *y, const double *x, bool with_c, double *w)
{
    for (const dls_row_batch *batch = packed->batches, *end = batch + packed->n_batches; batch < end; batch++) {
        if (batch->kind != DLS_BATCH_ROW) {
            packed->path->residual(packed, batch, y, x + batch->lambda, with_c, w + batch->lambda);
            continue;
        }
        const dls_general_row *row = &packed->general[batch->at];
        w[row->lambda] = dls_general_product(packed, row, y, x[row->lambda]) - (with_c ? row->c : 0.0);
    }
    memset(w + packed->n_lambda - packed->dead, 0, packed->dead * sizeof *w);
}

void dls_packed_steps(const dls_packed *packed, double *s)
{
    for (const dls_row_batch *batch = packed->batches, *end = batch + packed->n_batches; batch < end; batch++) {
        if (batch->kind == DLS_BATCH_ROW) {
            s[packed->general[batch->at].lambda] = packed->general[batch->at].s;
            continue;
        }
        const double *chunk = packed->coef.at + batch->at;
        double *to = s + batch->lambda;
        for (unsigned r = 0, rows; r < batch->rows; r += rows, to += (size_t)DLS_LANES * rows) {
            rows = dls_chunk_rows(batch, r);
            memcpy(to, chunk + (size_t)DLS_LANES * 12 * rows, (size_t)DLS_LANES * rows * sizeof *to);
            chunk += DLS_LANES * dls_chunk_vectors(batch->kind, batch->compliant, rows);
        }
    }
    memset(s + packed->n_lambda - packed->dead, 0, packed->dead * sizeof *s);
}
