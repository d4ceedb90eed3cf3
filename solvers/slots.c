/* Mass blocks as sweeps see them: weighted coordinates, and the memory of packed rows. See packing.h. */
#include "packing.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool dls_doubles_room(dls_doubles *doubles, size_t keep, size_t count)
{
    if (count <= doubles->capacity && doubles->at)
        return true;
    size_t larger = doubles->capacity ? count + count / 4 : count; /* an array that has grown will grow again */
    double *at = larger < SIZE_MAX / 16 ? aligned_alloc(64, (larger * sizeof *at / 64 + 1) * 64) : NULL;
    if (!at)
        return false;
    if (keep)
        memcpy(at, doubles->at, keep * sizeof *at);
    free(doubles->at);
    *doubles = (dls_doubles){at, larger};
    return true;
}

/* Computes diag(1/sqrt m, L) with L L^T the inverse inertia; false if that is not positive definite. */
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

/* Factors W = C C^T of any other block of six; false if W is not positive definite. */
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

void dls_slot_velocity(const dls_packed *packed, size_t k, double *v)
{
    const dls_slot *slot = &packed->slots[k];
    const double *w = packed->weights.at + DLS_SLOT * k, *y = packed->y.at + slot->y;
    double C[6][6];
    if (slot->kind == DLS_SLOT_PLAIN) {
        memcpy(v, y, slot->length * sizeof *v);
        return;
    }
    if (slot->kind == DLS_SLOT_BODY) {
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

static size_t padded_length(size_t length) { return (length + DLS_SLOT - 1) / DLS_SLOT * DLS_SLOT; }

/* Determines the kind of a mass block and computes its weights. */
static dls_status weigh_slot(dls_packed *packed, const dls_mass_block *block, size_t k, dls_slot *slot,
                             dls_error *error)
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

dls_status dls_pack_slots(dls_packed *packed, bool *same, dls_error *error)
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
            DLS_TRY(weigh_slot(packed, block, k, &slot, error));
        const dls_slot *before = &packed->slots[k];
        *same = *same && before->y == slot.y && before->length == slot.length && before->kind == slot.kind;
        packed->slots[k] = slot;
        for (size_t j = 0; j < block->length; j++)
            packed->block_of[block->offset + j] = (uint32_t)k;
        y += padded_length(block->length);
    }
    memset(packed->weights.at + DLS_SLOT * slots, 0, DLS_SLOT * sizeof(double));
    packed->n_slots = slots;
    packed->n_y = y;
    return DLS_OK;
}

void dls_slot_start(dls_packed *packed, size_t k, const double *v)
{
    const dls_slot *slot = &packed->slots[k];
    double *y = packed->y.at + slot->y;
    if (slot->kind != DLS_SLOT_PLAIN) {
        to_weighted(packed, k, v + slot->v, y);
        return;
    }
    memcpy(y, v + slot->v, slot->length * sizeof *y);
    memset(y + slot->length, 0, (padded_length(slot->length) - slot->length) * sizeof *y);
}
