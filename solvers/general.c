/* General rows: any blocks over any mass blocks, and the rows of the matrix form. See packed.h. */
#include "packed.h"

#include <stdlib.h>
#include <string.h>

/* --- sweeping ------------------------------------------------------------------------------------------------------ */

/* Four partial sums: a long row is not one chain of additions. */
static double dot(const double *a, const double *b, size_t n)
{
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    size_t k = 0;
    for (; k + 4 <= n; k += 4)
        for (size_t l = 0; l < 4; l++)
            sum[l] += a[k + l] * b[k + l];
    for (; k < n; k++)
        sum[0] += a[k] * b[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static double row_dot(const dls_packed *packed, const dls_general_row *row, const double *y)
{
    double sum = 0.0;
    for (const dls_segment *s = packed->segments + row->J, *end = s + row->n_J; s < end; s++)
        sum += dot(packed->general_coef + s->coef, y + s->y, s->length);
    return sum;
}

double dls_general_residual(const dls_packed *packed, const dls_general_row *row)
{
    return row_dot(packed, row, packed->y) + row->gamma * packed->lambda[row->lambda] - row->c;
}

void dls_general_bounds(const dls_packed *packed, const dls_general_row *row, double *lo, double *hi)
{
    *lo = row->lo;
    *hi = row->hi;
    if (row->parent != DLS_NONE) {
        double normal = packed->lambda[row->parent];
        *hi = row->mu * (normal > 0.0 ? normal : 0.0);
        *lo = -*hi;
    }
}

void dls_general_update(dls_packed *packed, const dls_general_row *row, double delta)
{
    for (const dls_segment *s = packed->segments + row->B, *end = s + row->n_B; s < end; s++)
        for (size_t k = 0; k < s->length; k++)
            packed->y[s->y + k] += packed->general_coef[s->coef + k] * delta;
}

void dls_general_sweep(dls_packed *packed, const dls_general_row *row)
{
    double lo, hi, *lambda = &packed->lambda[row->lambda];
    dls_general_bounds(packed, row, &lo, &hi);
    double to = *lambda - row->s * dls_general_residual(packed, row);
    to = to < lo ? lo : to > hi ? hi : to;
    dls_general_update(packed, row, to - *lambda);
    *lambda = to;
}

/* --- packing ------------------------------------------------------------------------------------------------------- */

typedef struct store {
    dls_packed *packed;
    size_t segments, coefs; /* capacities */
} store;

static double *new_segment(store *s, size_t y, size_t length)
{
    dls_packed *packed = s->packed;
    if (packed->n_segments == s->segments) {
        size_t larger = 2 * s->segments + 16;
        dls_segment *segments = realloc(packed->segments, larger * sizeof *segments);
        if (!segments)
            return NULL;
        packed->segments = segments;
        s->segments = larger;
    }
    if (packed->n_general_coef + length > s->coefs) {
        size_t larger = 2 * (s->coefs + length) + 16;
        double *coefs = realloc(packed->general_coef, larger * sizeof *coefs);
        if (!coefs)
            return NULL;
        packed->general_coef = coefs;
        s->coefs = larger;
    }
    packed->segments[packed->n_segments++] = (dls_segment){(uint32_t)y, (uint32_t)length, packed->n_general_coef};
    packed->n_general_coef += length;
    return memset(packed->general_coef + packed->n_general_coef - length, 0, length * sizeof(double));
}

/* Matrix form: J_i is the row of A as it stands, B_i the unit vector. */
static bool matrix_row(const dls_pack *pack, store *s, size_t i, dls_general_row *row, double *diagonal)
{
    const dls_rows *A = &pack->problem->J;
    *diagonal = pack->problem->gamma[i];
    row->J = s->packed->n_segments;
    for (size_t k = A->start[i]; k < A->start[i + 1]; k++) {
        size_t length = A->coef_at[k + 1] - A->coef_at[k];
        double *coef = new_segment(s, A->offset[k], length);
        if (!coef)
            return false;
        memcpy(coef, A->coef + A->coef_at[k], length * sizeof *coef);
        if (i >= A->offset[k] && i - A->offset[k] < length)
            *diagonal += coef[i - A->offset[k]];
    }
    row->n_J = s->packed->n_segments - row->J;
    row->B = s->packed->n_segments;
    row->n_B = 1;
    double *one = new_segment(s, i, 1);
    if (one)
        *one = 1.0;
    return one != NULL;
}

/* J^T of the pieces of a row within one mass block, into pack->scratch. Returns whether there was one. */
static bool gather_block(const dls_pack *pack, size_t i, size_t *k, size_t *done, size_t *block)
{
    dls_piece piece;
    if (!dls_pack_piece(pack, i, k, done, &piece))
        return false;
    *block = piece.block;
    memset(pack->scratch, 0, pack->problem->mass.blocks[*block].length * sizeof *pack->scratch);
    size_t k_before, done_before;
    do {
        for (size_t j = 0; j < piece.length; j++)
            pack->scratch[piece.offset + j] += piece.coef[j];
        k_before = *k, done_before = *done;
    } while (dls_pack_piece(pack, i, k, done, &piece) && piece.block == *block);
    *k = k_before, *done = done_before;
    return true;
}

/* The coefficients of one mass block: J C in weighted coordinates, else J for the residual and M^-1 J^T for the update. */
static bool put_block(const dls_pack *pack, store *s, size_t block, bool response)
{
    const dls_mass_block *mass = &pack->problem->mass.blocks[block];
    const dls_slot *slot = &pack->slots[block];
    double *coef = new_segment(s, slot->y, mass->length);
    if (!coef)
        return false;
    if (slot->weighted)
        for (size_t i = 0; i < 6; i++)
            for (size_t j = 0; j <= i; j++)
                coef[j] += pack->scratch[i] * slot->C[i][j];
    else if (response)
        mass->kind->solve(mass->data, pack->scratch, coef);
    else
        memcpy(coef, pack->scratch, mass->length * sizeof *coef);
    return true;
}

static bool mechanical_row(const dls_pack *pack, store *s, size_t i, dls_general_row *row, double *diagonal)
{
    size_t *const first[2] = {&row->J, &row->B}, *const count[2] = {&row->n_J, &row->n_B};
    for (int response = 0; response < 2; response++) {
        size_t k = pack->problem->J.start[i], done = 0, block;
        *first[response] = s->packed->n_segments;
        while (gather_block(pack, i, &k, &done, &block))
            if (!put_block(pack, s, block, response))
                return false;
        *count[response] = s->packed->n_segments - *first[response];
    }
    *diagonal = pack->problem->gamma[i];
    for (size_t k = 0; k < row->n_J; k++) {
        const dls_segment *J = &s->packed->segments[row->J + k], *B = &s->packed->segments[row->B + k];
        *diagonal += dot(s->packed->general_coef + J->coef, s->packed->general_coef + B->coef, J->length);
    }
    return true;
}

static dls_status put_row(const dls_pack *pack, store *s, size_t i, dls_general_row *row, dls_error *error)
{
    const dls_problem *p = pack->problem;
    double diagonal;
    bool ok = p->form == DLS_FORM_MATRIX ? matrix_row(pack, s, i, row, &diagonal) : mechanical_row(pack, s, i, row, &diagonal);
    if (!ok)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for row %zu", i);
    row->c = p->c[i], row->gamma = p->gamma[i], row->lo = p->lo[i], row->hi = p->hi[i], row->mu = p->mu[i];
    return dls_pack_scale(pack, i, diagonal, &row->s, error);
}

dls_status dls_pack_general(dls_pack *pack, dls_error *error)
{
    dls_packed *packed = pack->packed;
    store s = {packed, 0, 0};
    size_t position = packed->n_lambda - packed->dead - packed->n_general;
    packed->general = calloc(packed->n_general + 1, sizeof *packed->general);
    if (!packed->general)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu general rows", packed->n_general);
    for (size_t k = 0; k < packed->n_batches; k++) {
        if (packed->batches[k].kind != DLS_BATCH_ROW)
            continue;
        size_t i = pack->units.at[pack->lanes[DLS_LANES * k]].first;
        dls_general_row *row = &packed->general[packed->batches[k].at];
        DLS_TRY(put_row(pack, &s, i, row, error));
        row->lambda = position++;
        packed->where[i] = (uint32_t)row->lambda;
    }
    for (size_t k = 0; k < packed->n_batches; k++) { /* now that every row has its place */
        if (packed->batches[k].kind != DLS_BATCH_ROW)
            continue;
        size_t parent = pack->problem->parent[pack->units.at[pack->lanes[DLS_LANES * k]].first];
        packed->general[packed->batches[k].at].parent = parent == DLS_NONE ? DLS_NONE : packed->where[parent];
    }
    return DLS_OK;
}
