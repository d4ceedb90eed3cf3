#include "delassus/mass.h"

#include "model/model.h"

#include <math.h>
#include <string.h>

/* M = diag(m 1, I) with I the inertia tensor in the world frame. */
static void body_multiply(const void *data, const double *x, double *y)
{
    const dls_mass_body *body = data;
    dls_vec3 tau = dls_mul3(body->inertia, dls_v3(x[3], x[4], x[5]));
    y[0] = body->mass * x[0], y[1] = body->mass * x[1], y[2] = body->mass * x[2];
    y[3] = tau.x, y[4] = tau.y, y[5] = tau.z;
}

static void body_solve(const void *data, const double *x, double *y)
{
    const dls_mass_body *body = data;
    dls_vec3 omega = dls_mul3(body->inverse_inertia, dls_v3(x[3], x[4], x[5]));
    y[0] = body->inverse_mass * x[0], y[1] = body->inverse_mass * x[1], y[2] = body->inverse_mass * x[2];
    y[3] = omega.x, y[4] = omega.y, y[5] = omega.z;
}

/* I^-1 = L L^T (Cholesky), and L^T y. */
static void body_half(const void *data, const double *y, double *z)
{
    const dls_mass_body *body = data;
    const double *I = body->inverse_inertia.m, root = sqrt(body->inverse_mass);
    const double l00 = sqrt(I[0]), l10 = I[3] / l00, l20 = I[6] / l00;
    const double l11 = sqrt(I[4] - l10 * l10), l21 = (I[7] - l20 * l10) / l11;
    const double l22 = sqrt(I[8] - (l20 * l20 + l21 * l21));
    z[0] = root * y[0], z[1] = root * y[1], z[2] = root * y[2];
    z[3] = l00 * y[3] + l10 * y[4] + l20 * y[5];
    z[4] = l11 * y[4] + l21 * y[5];
    z[5] = l22 * y[5];
}

const dls_mass_kind dls_mass_body_kind = {"body", body_multiply, body_solve, NULL, body_half};

void dls_mass_at(const dls_configuration *c, dls_mass *mass)
{
    const dls_model *model = c->model;
    size_t k = 0;
    mass->nv = model->nv;
    for (size_t i = 0; i < model->n_bodies; i++)
        if (model->bodies[i].offset != DLS_NONE) {
            mass->blocks[k] = (dls_mass_block){model->bodies[i].offset, 6, &dls_mass_body_kind, &c->inertias[k]};
            k++;
        }
    for (size_t a = 0; a < model->n_articulations; a++)
        if (model->articulations[a].tree->nv > 0)
            mass->blocks[k++] = (dls_mass_block){model->articulations[a].offset, model->articulations[a].tree->nv,
                                                 &dls_mass_articulation_kind, &c->works[a]};
    mass->n_blocks = k;
}

void dls_mass_multiply(const dls_mass *mass, const double *x, double *y)
{
    for (size_t k = 0; k < mass->n_blocks; k++) {
        const dls_mass_block *block = &mass->blocks[k];
        block->kind->multiply(block->data, x + block->offset, y + block->offset);
    }
}

void dls_mass_solve(const dls_mass *mass, const double *x, double *y)
{
    for (size_t k = 0; k < mass->n_blocks; k++) {
        const dls_mass_block *block = &mass->blocks[k];
        block->kind->solve(block->data, x + block->offset, y + block->offset);
    }
}

void dls_mass_block_solve(const dls_mass_block *block, size_t count, const double *const *x, double *const *y)
{
    if (block->kind->solve_many) {
        block->kind->solve_many(block->data, count, x, y);
        return;
    }
    for (size_t i = 0; i < count; i++)
        block->kind->solve(block->data, x[i], y[i]);
}

void dls_mass_block_matrix(const dls_mass_block *block, double *unit, double *M, size_t ld)
{
    const size_t m = block->length;
    memset(unit, 0, m * sizeof *unit);
    for (size_t j = 0; j < m; j++) {
        unit[j] = 1.0;
        block->kind->multiply(block->data, unit, M + ld * j);
        unit[j] = 0.0;
    }
    for (size_t j = 0; j < m; j++)
        for (size_t i = j; i < m; i++)
            M[j + ld * i] = M[i + ld * j] += 0.0;
}

size_t dls_mass_longest(const dls_mass *mass)
{
    size_t longest = 0;
    for (size_t k = 0; k < mass->n_blocks; k++)
        longest = mass->blocks[k].length > longest ? mass->blocks[k].length : longest;
    return longest;
}

const dls_mass_block *dls_mass_find(const dls_mass *mass, size_t index)
{
    size_t low = 0, high = mass->n_blocks; /* the last block that starts at or before index */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (mass->blocks[middle].offset <= index)
            low = middle;
        else
            high = middle;
    }
    return &mass->blocks[low];
}
