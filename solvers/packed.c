/* Making and reading packed rows: weighted coordinates, memory, start. See packed.h. */
#include "packed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- weighted coordinates --- */

/* W = C C^T, lower triangle by rows, or false where W is not positive definite. */
static bool cholesky6(double W[6][6], double C[6][6])
{
    memset(C, 0, 36 * sizeof(double));
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

static bool weigh(const dls_mass_block *block, double C[6][6])
{
    double W[6][6], unit[6];
    for (size_t j = 0; j < 6; j++) {
        for (size_t i = 0; i < 6; i++)
            unit[i] = i == j;
        block->kind->solve(block->data, unit, W[j]);
    }
    return cholesky6(W, C);
}

/* y = C^-1 v */
static void to_weighted(const dls_slot *slot, const double *v, double *y)
{
    for (size_t i = 0; i < 6; i++) {
        double sum = v[i];
        for (size_t j = 0; j < i; j++)
            sum -= slot->C[i][j] * y[j];
        y[i] = sum / slot->C[i][i];
    }
}

/* v = C y */
static void from_weighted(const dls_slot *slot, const double *y, double *v)
{
    for (size_t i = 0; i < 6; i++) {
        v[i] = 0.0;
        for (size_t j = 0; j <= i; j++)
            v[i] += slot->C[i][j] * y[j];
    }
}

static size_t padded(size_t length) { return (length + DLS_SLOT - 1) / DLS_SLOT * DLS_SLOT; }

static dls_status make_slots(dls_pack *pack, dls_error *error)
{
    const dls_mass *mass = &pack->problem->mass;
    dls_packed *packed = pack->packed;
    size_t y = 0;
    pack->slots = packed->slots = malloc((mass->n_blocks + 1) * sizeof *pack->slots);
    pack->block_of = malloc((pack->problem->nv + 1) * sizeof *pack->block_of);
    if (!pack->slots || !pack->block_of)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu mass blocks", mass->n_blocks);
    for (size_t k = 0; k < mass->n_blocks; k++) {
        const dls_mass_block *block = &mass->blocks[k];
        dls_slot *slot = &pack->slots[k];
        slot->y = (uint32_t)y, slot->v = (uint32_t)block->offset, slot->length = (uint32_t)block->length;
        slot->weighted = block->length == 6 && weigh(block, slot->C);
        for (size_t j = 0; j < block->length; j++)
            pack->block_of[block->offset + j] = (uint32_t)k;
        y += padded(block->length);
    }
    packed->n_slots = mass->n_blocks;
    if (!mass->n_blocks) {
        pack->slots[packed->n_slots++] = (dls_slot){.length = (uint32_t)pack->problem->nv};
        y = padded(pack->problem->nv);
    }
    packed->n_y = y;
    return DLS_OK;
}

/* --- start --- */

static void start_velocity(const dls_pack *pack)
{
    const double *v = pack->problem->v_star;
    double *y = pack->packed->y;
    for (const dls_slot *slot = pack->slots, *end = slot + pack->packed->n_slots; slot < end; slot++)
        if (slot->weighted)
            to_weighted(slot, v + slot->v, y + slot->y);
        else
            memcpy(y + slot->y, v + slot->v, slot->length * sizeof *y);
}

/* y += B x of a batch of groups: its coefficients are B^T. */
static void add_batch(dls_packed *packed, const dls_batch *batch, const double *x)
{
    const double *coef = packed->coef + batch->at;
    double sum[12][DLS_LANES] = {{0.0}};
    for (unsigned r = 0, rows; r < batch->rows; r += rows) {
        rows = batch->rows - r < DLS_CHUNK_ROWS ? batch->rows - r : DLS_CHUNK_ROWS;
        for (size_t i = 0; i < rows; i++)
            for (size_t k = 0; k < 12; k++)
                for (size_t lane = 0; lane < DLS_LANES; lane++)
                    sum[k][lane] += coef[DLS_LANES * (12 * i + k) + lane] * x[DLS_LANES * (r + i) + lane];
        coef += DLS_LANES * dls_chunk_vectors(batch->kind, batch->compliant, rows);
    }
    for (size_t k = 0; k < 12; k++)
        for (size_t lane = 0; lane < DLS_LANES; lane++)
            packed->y[batch->to[k / 6][lane] + k % 6] += sum[k][lane];
}

void dls_packed_add(dls_packed *packed, const double *x)
{
    for (size_t k = 0; k < packed->n_batches; k++) {
        const dls_batch *batch = &packed->batches[k];
        if (batch->kind != DLS_BATCH_ROW)
            add_batch(packed, batch, x + batch->lambda);
        else
            dls_general_update(packed, &packed->general[batch->at], x[packed->general[batch->at].lambda]);
    }
}

static void start_impulses(dls_packed *packed, const double *lambda0)
{
    for (size_t i = 0; i < packed->n; i++)
        packed->lambda[packed->where[i]] = lambda0[i];
    dls_packed_add(packed, packed->lambda);
}

/* --- memory --- */

double *dls_pack_aligned(size_t count) { return aligned_alloc(64, (count * sizeof(double) / 64 + 1) * 64); }

static double *zeros(size_t count)
{
    double *memory = dls_pack_aligned(count);
    return memory ? memset(memory, 0, count * sizeof *memory) : NULL;
}

/* Places for every row and batch. Rows that nothing moves keep their impulse behind all others. */
static dls_status lay_out(dls_pack *pack, dls_error *error)
{
    dls_packed *packed = pack->packed;
    size_t lanes = 0;
    for (size_t k = 0; k < packed->n_batches; k++) {
        dls_batch *batch = &packed->batches[k];
        if (batch->kind == DLS_BATCH_ROW) {
            batch->at = packed->n_general++;
            continue;
        }
        unsigned full = batch->rows / DLS_CHUNK_ROWS, rest = batch->rows % DLS_CHUNK_ROWS;
        batch->at = packed->n_coef;
        batch->lambda = lanes;
        lanes += (size_t)DLS_LANES * batch->rows;
        packed->n_coef += DLS_LANES * (full * dls_chunk_vectors(batch->kind, batch->compliant, DLS_CHUNK_ROWS) +
                                       (rest ? dls_chunk_vectors(batch->kind, batch->compliant, rest) : 0));
    }
    packed->n_lambda = lanes + packed->n_general + packed->dead;
    if (packed->n_y + 2 * DLS_SLOT >= UINT32_MAX || packed->n_lambda >= UINT32_MAX)
        return dls_fail(error, DLS_REFUSED, "a problem of %zu rows is too large for sweeps", packed->n);
    packed->coef = dls_pack_aligned(packed->n_coef); /* filled by groups.c */
    packed->y = zeros(packed->n_y + 2 * DLS_SLOT);
    packed->lambda = zeros(packed->n_lambda);
    packed->c = malloc((packed->n_lambda + 1) * sizeof *packed->c);
    packed->where = malloc((packed->n + 1) * sizeof *packed->where);
    bool ok = packed->coef && packed->y && packed->lambda && packed->c && packed->where;
    size_t next = lanes + packed->n_general;
    for (size_t i = 0; ok && i < packed->n; i++)
        if (pack->dead[i])
            packed->where[i] = (uint32_t)next++;
    return ok ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu packed rows", packed->n);
}

static dls_status fill(dls_pack *pack, const double *lambda0, dls_error *error)
{
    const dls_problem *p = pack->problem;
    dls_packed *packed = pack->packed;
    packed->n = p->n;
    if (p->n >= UINT32_MAX / 16 || p->J.n_blocks >= UINT32_MAX / 16 || p->nv >= UINT32_MAX / 16)
        return dls_fail(error, DLS_REFUSED, "a problem of %zu rows is too large for sweeps", p->n);
    pack->dead = malloc(p->n + 1);
    if (!pack->dead)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", p->n);
    DLS_TRY(make_slots(pack, error));
    DLS_TRY(dls_pack_units(pack, error));
    DLS_TRY(dls_pack_schedule(pack, error));
    DLS_TRY(lay_out(pack, error));
    DLS_TRY(dls_pack_groups(pack, error));
    DLS_TRY(dls_pack_general(pack, error));
    start_velocity(pack);
    if (lambda0)
        start_impulses(pack->packed, lambda0);
    return DLS_OK;
}

dls_status dls_packed_create(const dls_problem *problem, double omega, const double *lambda0, dls_packed **packed,
                             dls_error *error)
{
    dls_pack pack = {.problem = problem, .omega = omega};
    *packed = pack.packed = calloc(1, sizeof *pack.packed);
    if (!pack.packed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for packed rows");
    dls_status status = fill(&pack, lambda0, error);
    free(pack.block_of);
    free(pack.dead);
    free(pack.units.at);
    free(pack.units.blocks);
    free(pack.lanes);
    if (status != DLS_OK) {
        dls_packed_destroy(*packed);
        *packed = NULL;
    }
    return status;
}

void dls_packed_destroy(dls_packed *packed)
{
    if (!packed)
        return;
    free(packed->batches);
    free(packed->coef);
    free(packed->general);
    free(packed->segments);
    free(packed->general_coef);
    free(packed->y);
    free(packed->lambda);
    free(packed->c);
    free(packed->where);
    free(packed->slots);
    free(packed);
}

void dls_packed_read(const dls_packed *packed, double *lambda)
{
    for (size_t i = 0; i < packed->n; i++)
        lambda[i] = packed->lambda[packed->where[i]];
}

void dls_packed_velocity(const dls_packed *packed, double *v)
{
    for (const dls_slot *slot = packed->slots, *end = slot + packed->n_slots; slot < end; slot++)
        if (slot->weighted)
            from_weighted(slot, packed->y + slot->y, v + slot->v);
        else
            memcpy(v + slot->v, packed->y + slot->y, slot->length * sizeof *v);
}

static void refresh_batch(dls_packed *packed, const dls_batch *batch)
{
    double *coef = packed->coef + batch->at;
    for (unsigned r = 0, rows; r < batch->rows; r += rows) {
        rows = batch->rows - r < DLS_CHUNK_ROWS ? batch->rows - r : DLS_CHUNK_ROWS;
        const double *c = packed->c + batch->lambda + (size_t)DLS_LANES * r;
        memcpy(coef + dls_chunk_c(rows), c, DLS_LANES * rows * sizeof *c);
        coef += DLS_LANES * dls_chunk_vectors(batch->kind, batch->compliant, rows);
    }
}

void dls_packed_refresh(dls_packed *packed, const double *c)
{
    memset(packed->c, 0, packed->n_lambda * sizeof *packed->c); /* free lanes */
    for (size_t i = 0; i < packed->n; i++)
        packed->c[packed->where[i]] = c[i];
    for (size_t k = 0; k < packed->n_batches; k++) {
        const dls_batch *batch = &packed->batches[k];
        if (batch->kind == DLS_BATCH_ROW)
            packed->general[batch->at].c = packed->c[packed->general[batch->at].lambda];
        else
            refresh_batch(packed, batch);
    }
}

dls_status dls_pack_scale(const dls_pack *pack, size_t i, double diagonal, double *scale, dls_error *error)
{
    const dls_problem *p = pack->problem;
    *scale = pack->omega / diagonal;
    if (!isfinite(*scale) || !isfinite(diagonal))
        return dls_fail(error, DLS_REFUSED, "row %zu has the diagonal %g, which cannot be divided by", i, diagonal);
    if (diagonal < 0.0 && (p->lo[i] != -HUGE_VAL || p->hi[i] != HUGE_VAL))
        return dls_fail(error, DLS_REFUSED,
                        "row %zu has a bound and the negative diagonal %g: a sweep would move away from its solution",
                        i, diagonal);
    return DLS_OK;
}
