/* Loading and reading packed rows: weighted coordinates, places of rows, memory, start. See packed.h. */
#include "packed.h"
#include "together.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- memory --- */

bool dls_doubles_room(dls_doubles *doubles, size_t keep, size_t count)
{
    if (count <= doubles->capacity && doubles->at)
        return true;
    size_t larger = doubles->capacity ? count + count / 4 : count; /* what grew once grows again */
    double *at = larger < SIZE_MAX / 16 ? aligned_alloc(64, (larger * sizeof *at / 64 + 1) * 64) : NULL;
    if (!at)
        return false;
    if (keep)
        memcpy(at, doubles->at, keep * sizeof *at);
    free(doubles->at);
    *doubles = (dls_doubles){at, larger};
    return true;
}

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
    free(packed->plan), free(packed->block_of), free(packed->responses), free(packed->shape);
    dls_together_destroy(packed->together);
    free(packed);
}

/* --- weighted coordinates --- */

/* diag(1/sqrt m, L) with L L^T the inverse inertia, or false where that is not positive definite. */
static bool weigh_body(const dls_mass_body *body, double *w)
{
    const double *m = body->inverse_inertia.m;
    w[0] = sqrt(body->inverse_mass);
    w[1] = sqrt(m[0]);
    w[2] = m[1] / w[1], w[4] = m[2] / w[1];
    double pivot1 = m[4] - w[2] * w[2];
    w[3] = sqrt(pivot1);
    w[5] = (m[5] - w[4] * w[2]) / w[3];
    double pivot2 = m[8] - w[4] * w[4] - w[5] * w[5];
    w[6] = sqrt(pivot2);
    w[7] = 0.0;
    return body->inverse_mass > 0.0 && m[0] > 0.0 && pivot1 > 0.0 && pivot2 > 0.0 &&
           isfinite(w[0] + w[1] + w[3] + w[6]);
}

/* W = C C^T of any other block of six, or false where W is not positive definite. */
static bool weigh_full(const dls_mass_block *block, double (*C)[6])
{
    double W[6][6];
    for (size_t j = 0; j < 6; j++) {
        double unit[6] = {0.0};
        unit[j] = 1.0;
        block->kind->solve(block->data, unit, W[j]);
    }
    memset(C, 0, DLS_FULL * sizeof(double));
    for (size_t j = 0; j < 6; j++) {
        double pivot = W[j][j];
        for (size_t k = 0; k < j; k++)
            pivot -= C[j][k] * C[j][k];
        if (!(pivot > 0.0 && isfinite(pivot)))
            return false;
        C[j][j] = sqrt(pivot);
        for (size_t i = j + 1; i < 6; i++) {
            double sum = W[i][j];
            for (size_t k = 0; k < j; k++)
                sum -= C[i][k] * C[j][k];
            C[i][j] = sum / C[j][j];
        }
    }
    return true;
}

void dls_slot_factor(const dls_packed *packed, size_t k, double C[6][6])
{
    const double *w = packed->weights.at + DLS_SLOT * k;
    if (packed->slots[k].kind == DLS_SLOT_FULL) {
        memcpy(C, packed->full.at + DLS_FULL * (size_t)packed->slots[k].full, DLS_FULL * sizeof(double));
        return;
    }
    memset(C, 0, DLS_FULL * sizeof(double));
    C[0][0] = C[1][1] = C[2][2] = w[0];
    C[3][3] = w[1], C[4][3] = w[2], C[4][4] = w[3], C[5][3] = w[4], C[5][4] = w[5], C[5][5] = w[6];
}

/* y = C^-1 v */
static void to_weighted(const dls_packed *packed, size_t k, const double *v, double *y)
{
    const double *w = packed->weights.at + DLS_SLOT * k;
    double C[6][6];
    y[6] = y[7] = 0.0;
    if (packed->slots[k].kind == DLS_SLOT_BODY) {
        y[0] = v[0] / w[0], y[1] = v[1] / w[0], y[2] = v[2] / w[0];
        y[3] = v[3] / w[1];
        y[4] = (v[4] - w[2] * y[3]) / w[3];
        y[5] = (v[5] - w[4] * y[3] - w[5] * y[4]) / w[6];
        return;
    }
    dls_slot_factor(packed, k, C);
    for (size_t i = 0; i < 6; i++) {
        double sum = v[i];
        for (size_t j = 0; j < i; j++)
            sum -= C[i][j] * y[j];
        y[i] = sum / C[i][i];
    }
}

/* v = C y */
static void from_weighted(const dls_packed *packed, size_t k, const double *y, double *v)
{
    const double *w = packed->weights.at + DLS_SLOT * k;
    double C[6][6];
    if (packed->slots[k].kind == DLS_SLOT_BODY) {
        v[0] = w[0] * y[0], v[1] = w[0] * y[1], v[2] = w[0] * y[2];
        v[3] = w[1] * y[3];
        v[4] = w[2] * y[3] + w[3] * y[4];
        v[5] = w[4] * y[3] + w[5] * y[4] + w[6] * y[5];
        return;
    }
    dls_slot_factor(packed, k, C);
    for (size_t i = 0; i < 6; i++) {
        v[i] = 0.0;
        for (size_t j = 0; j <= i; j++)
            v[i] += C[i][j] * y[j];
    }
}

static size_t padded(size_t length) { return (length + DLS_SLOT - 1) / DLS_SLOT * DLS_SLOT; }

/* The kind of a mass block; its weights are then in their place. */
static dls_status weigh(dls_packed *packed, const dls_mass_block *block, size_t k, dls_slot *slot, dls_error *error)
{
    if (block->length != 6)
        return DLS_OK;
    if (block->kind == &dls_mass_body_kind) {
        slot->kind = weigh_body(block->data, packed->weights.at + DLS_SLOT * k) ? DLS_SLOT_BODY : DLS_SLOT_PLAIN;
        return DLS_OK;
    }
    if (!dls_doubles_room(&packed->full, DLS_FULL * packed->n_full, DLS_FULL * (packed->n_full + 1)))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the weights of mass block %zu", k);
    if (weigh_full(block, (double(*)[6])(packed->full.at + DLS_FULL * packed->n_full))) {
        slot->kind = DLS_SLOT_FULL;
        slot->full = (uint32_t)packed->n_full++;
    }
    return DLS_OK;
}

/* The mass blocks; *same: they are those of before. */
static dls_status put_slots(dls_packed *packed, bool *same, dls_error *error)
{
    const dls_problem *p = packed->problem;
    const size_t blocks = p->mass.n_blocks, slots = blocks ? blocks : 1;
    size_t y = 0;
    if (!DLS_GROW(packed->slots, packed->slot_capacity, slots) ||
        !dls_doubles_room(&packed->weights, 0, DLS_SLOT * (slots + 1)) ||
        !DLS_GROW(packed->block_of, packed->block_of_capacity, p->nv + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu mass blocks", blocks);
    *same = *same && packed->n_slots == slots;
    packed->n_full = 0;
    for (size_t k = 0; k < slots; k++) {
        const dls_mass_block whole = {.length = p->nv}, *block = blocks ? &p->mass.blocks[k] : &whole;
        dls_slot slot = {.y = (uint32_t)y, .v = (uint32_t)block->offset, .length = (uint32_t)block->length};
        if (blocks)
            DLS_TRY(weigh(packed, block, k, &slot, error));
        const dls_slot *before = &packed->slots[k];
        *same = *same && before->y == slot.y && before->length == slot.length && before->kind == slot.kind;
        packed->slots[k] = slot;
        for (size_t j = 0; j < block->length; j++)
            packed->block_of[block->offset + j] = (uint32_t)k;
        y += padded(block->length);
    }
    memset(packed->weights.at + DLS_SLOT * slots, 0, DLS_SLOT * sizeof(double));
    packed->n_slots = slots;
    packed->n_y = y;
    return DLS_OK;
}

/* --- places --- */

static void put_ends(const dls_packed *packed, dls_row_batch *batch, unsigned lane)
{
    const uint32_t zero = (uint32_t)packed->n_y, u = batch->unit[lane];
    const dls_row_unit *unit = u == DLS_NO_UNIT ? NULL : &packed->units[u];
    const size_t blocks = unit ? unit[1].entry - unit->entry : 0;
    for (unsigned end = 0; end < 2; end++) {
        const uint32_t y = end < blocks ? packed->slots[packed->entries[unit->entry + end]].y : zero;
        batch->from[end][lane] = y;
        batch->to[end][lane] = y == zero ? zero + DLS_SLOT : y;
    }
}

/* A place for every batch and row: impulses of groups lane beside lane, then those of general rows, then those of rows
 * that nothing moves, which keep them. */
static dls_status lay_out(dls_packed *packed, dls_error *error)
{
    size_t lanes = 0, general = 0, row = 0;
    if (!DLS_GROW(packed->where, packed->where_capacity, packed->n + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu packed rows", packed->n);
    packed->n_coef = 0;
    for (dls_row_batch *batch = packed->batches, *end = batch + packed->n_batches; batch < end; batch++) {
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
            put_ends(packed, batch, lane);
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
    if (packed->n_y + 2 * DLS_SLOT >= UINT32_MAX || packed->n_lambda >= UINT32_MAX)
        return dls_fail(error, DLS_REFUSED, "a problem of %zu rows is too large for sweeps", packed->n);
    return DLS_OK;
}

/* --- start --- */

static void start_slot(dls_packed *packed, size_t k, const double *v)
{
    const dls_slot *slot = &packed->slots[k];
    double *y = packed->y.at + slot->y;
    if (slot->kind != DLS_SLOT_PLAIN) {
        to_weighted(packed, k, v + slot->v, y);
        return;
    }
    memcpy(y, v + slot->v, slot->length * sizeof *y);
    memset(y + slot->length, 0, (padded(slot->length) - slot->length) * sizeof *y);
}

static void start_velocity(dls_packed *packed)
{
    for (size_t k = 0; k < packed->n_slots; k++)
        start_slot(packed, k, packed->problem->v_star);
    memset(packed->y.at + packed->n_y, 0, 2 * DLS_SLOT * sizeof(double));
}

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
    dls_packed_add(packed, packed->lambda.at);
}

void dls_packed_add(dls_packed *packed, const double *x)
{
    for (const dls_row_batch *batch = packed->batches, *end = batch + packed->n_batches; batch < end; batch++) {
        if (batch->kind == DLS_BATCH_ROW)
            dls_general_update(packed, &packed->general[batch->at], x[packed->general[batch->at].lambda]);
        else
            packed->path->add(packed, batch, x + batch->lambda);
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
    DLS_TRY(put_slots(packed, &same, error));
    DLS_TRY(dls_pack_units(packed, &same, error));
    if (!same) {
        DLS_TRY(dls_pack_schedule(packed, error));
        DLS_TRY(lay_out(packed, error));
    }
    packed->arranged = true;
    if (!dls_doubles_room(&packed->coef, 0, packed->n_coef + DLS_AHEAD + 64 * DLS_CHUNK_ROWS) ||
        !dls_doubles_room(&packed->lambda, 0, packed->n_lambda) ||
        !dls_doubles_room(&packed->y, 0, packed->n_y + 2 * DLS_SLOT))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu packed rows", p->n);
    DLS_TRY(dls_pack_groups(packed, error));
    return dls_pack_general(packed, error);
}

static bool any_dead(const dls_problem *p)
{
    size_t i = 0;
    while (i < p->n && !dls_pack_is_dead(p, i))
        i++;
    return i < p->n;
}

/* Dead rows are rare, and to look for them is to read all of J: they are looked for once a diagonal has failed. */
static dls_status arrange_all(dls_packed *packed, const dls_problem *p, dls_error *error)
{
    dls_status status = arrange(packed, p, error);
    if (status != DLS_REFUSED || packed->finds_dead || !any_dead(p))
        return status;
    packed->finds_dead = true;
    return arrange(packed, p, error);
}

dls_status dls_packed_load(dls_packed *packed, const dls_problem *p, const double *lambda0, dls_error *error)
{
    DLS_TRY(arrange_all(packed, p, error));
    start_velocity(packed);
    start_impulses(packed, lambda0);
    return DLS_OK;
}

/* Whether a slot has the weights of before: then its velocities stay as they are, to the bit. */
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
            start_slot(packed, k, v ? v : velocity);
    memset(packed->lambda.at, 0, packed->n_lambda * sizeof(double));
    for (size_t i = 0; i < packed->n; i++)
        packed->lambda.at[packed->where[i]] = lambda[i];
    return DLS_OK;
}

dls_status dls_pack_diagonal(const dls_packed *packed, size_t i, double diagonal, dls_error *error)
{
    const dls_problem *p = packed->problem;
    if (!isfinite(packed->omega / diagonal) || !isfinite(diagonal))
        return dls_fail(error, DLS_REFUSED, "row %zu has the diagonal %g, which cannot be divided by", i, diagonal);
    if (diagonal < 0.0 && (p->lo[i] != -HUGE_VAL || p->hi[i] != HUGE_VAL))
        return dls_fail(error, DLS_REFUSED,
                        "row %zu has a bound and the negative diagonal %g: a sweep would move away from its solution",
                        i, diagonal);
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
    for (size_t k = 0; k < packed->n_slots; k++) {
        const dls_slot *slot = &packed->slots[k];
        const double *y = packed->y.at + slot->y;
        if (slot->kind != DLS_SLOT_PLAIN)
            from_weighted(packed, k, y, v + slot->v);
        else
            memcpy(v + slot->v, y, slot->length * sizeof *v);
    }
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
