/* The memory of a problem, what makes one valid, and the few equations that everybody needs of it.
 * problem_build.c makes one from a mechanism. */
#include "delassus/problem.h"

#include "problem_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for `count` items, zeroed, in an array that has `*capacity` of them. */
static bool room(void **array, size_t count, size_t size)
{
    void *fresh = count < SIZE_MAX / size - 1 ? realloc(*array, (count + 1) * size) : NULL;
    if (fresh)
        *array = fresh;
    return fresh != NULL;
}

#define ROOM(pointer, count) room((void **)&(pointer), (count), sizeof *(pointer))

dls_status dls_problem_reserve(dls_problem_memory *m, const dls_problem_size *need, dls_error *error)
{
    dls_problem *p = &m->problem;
    bool ok = true;
    if (need->n > m->has.n || !p->c)
        ok = ROOM(p->J.start, need->n + 1) && ROOM(p->gamma, need->n) && ROOM(p->c, need->n) && ROOM(p->lo, need->n) &&
             ROOM(p->hi, need->n) && ROOM(p->C, need->n) && ROOM(p->parent, need->n) && ROOM(p->mu, need->n) &&
             ROOM(p->law, need->n) && ROOM(p->bias, need->n) && ROOM(p->role, need->n) && ROOM(m->mobility, need->n) &&
             ROOM(p->owner, need->n) && ROOM(p->label, need->n);
    if (ok && (need->nv > m->has.nv || !p->v_star))
        ok = ROOM(p->v_star, need->nv) && ROOM(m->scratch, 3 * need->nv) && ROOM(m->rounding, need->nv);
    if (ok && (need->blocks > m->has.blocks || !p->J.offset))
        ok = ROOM(p->J.offset, need->blocks) && ROOM(p->J.coef_at, need->blocks + 1);
    if (ok && (need->coefs > m->has.coefs || !p->J.coef))
        ok = ROOM(p->J.coef, need->coefs);
    if (ok && (need->mass > m->has.mass || !p->mass.blocks))
        ok = ROOM(p->mass.blocks, need->mass) && ROOM(p->mass.bodies, need->mass);
    if (!ok)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a problem of %zu rows and %zu coefficients", need->n,
                        need->coefs);
    const size_t *now = &need->n;
    for (size_t i = 0; i < sizeof *need / sizeof(size_t); i++)
        if (now[i] > (&m->has.n)[i])
            (&m->has.n)[i] = now[i];
    return DLS_OK;
}

dls_status dls_problem_reserve_works(dls_problem_memory *m, const dls_model *model, dls_error *error)
{
    if (model->n_members > m->n_works) {
        dls_articulation_work **more = realloc((void *)m->works, model->n_members * sizeof *more);
        if (!more)
            return dls_fail(error, DLS_NO_MEMORY, "no memory for the work of %zu articulations", model->n_members);
        memset((void *)(more + m->n_works), 0, (model->n_members - m->n_works) * sizeof *more);
        m->works = more;
        m->n_works = model->n_members;
    }
    for (size_t a = 0; a < model->n_members; a++) {
        if (m->works[a] && m->works[a]->articulation == model->members[a].tree)
            continue;
        dls_articulation_work_destroy(m->works[a]);
        DLS_TRY(dls_articulation_work_create(model->members[a].tree, &m->works[a], error));
    }
    return DLS_OK;
}

void dls_problem_clear(dls_problem_memory *m, const dls_problem_size *size)
{
    dls_problem *p = &m->problem;
    p->n = p->J.n = size->n;
    p->nv = p->J.n_columns = p->mass.nv = size->nv;
    p->J.n_blocks = size->blocks;
    p->mass.n_blocks = size->mass;
    p->n_coupled = p->n_cone = 0;
    memset(p->J.start, 0, (size->n + 1) * sizeof *p->J.start);
    memset(p->J.offset, 0, (size->blocks + 1) * sizeof *p->J.offset);
    memset(p->J.coef_at, 0, (size->blocks + 1) * sizeof *p->J.coef_at);
    memset(p->J.coef, 0, (size->coefs + 1) * sizeof *p->J.coef);
    memset(p->v_star, 0, (size->nv + 1) * sizeof *p->v_star);
    memset(p->mass.blocks, 0, (size->mass + 1) * sizeof *p->mass.blocks);
    memset(p->mass.bodies, 0, (size->mass + 1) * sizeof *p->mass.bodies);
    for (size_t i = 0; i < size->n; i++) {
        p->gamma[i] = p->c[i] = p->lo[i] = p->hi[i] = p->C[i] = p->mu[i] = 0.0;
        p->bias[i] = m->mobility[i] = 0.0;
        p->role[i] = DLS_ROLE_JOINT;
        p->parent[i] = p->owner[i] = DLS_NONE;
        p->law[i] = DLS_LAW_BOX;
        p->label[i] = "";
    }
}

dls_status dls_problem_allocate(size_t n, size_t nv, size_t n_blocks, size_t n_coefs, size_t n_mass,
                                dls_problem **problem, dls_error *error)
{
    const dls_problem_size size = {n, nv, n_blocks, n_coefs, n_mass};
    dls_problem_memory *m = calloc(1, sizeof *m);
    *problem = NULL;
    if (!m)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a problem");
    dls_status status = dls_problem_reserve(m, &size, error);
    if (status != DLS_OK) {
        dls_problem_destroy(&m->problem);
        return status;
    }
    dls_problem_clear(m, &size);
    m->problem.h = 1.0;
    *problem = &m->problem;
    return DLS_OK;
}

struct dls_problem_text {
    struct dls_problem_text *before;
    size_t used, size;
    char text[];
};

dls_status dls_problem_keep_text(dls_problem_memory *m, const char *text, size_t length, const char **kept,
                                 dls_error *error)
{
    enum { CHUNK = 4000 };
    struct dls_problem_text *chunk = m->texts;
    if (!chunk || length >= chunk->size - chunk->used) {
        size_t size = length < CHUNK ? CHUNK : length + 1;
        chunk = malloc(sizeof *chunk + size);
        if (!chunk)
            return dls_fail(error, DLS_NO_MEMORY, "no memory for a problem's labels");
        chunk->before = m->texts;
        chunk->used = 0;
        chunk->size = size;
        m->texts = chunk;
    }
    char *copy = chunk->text + chunk->used;
    memcpy(copy, text, length);
    copy[length] = '\0';
    chunk->used += length + 1;
    *kept = copy;
    return DLS_OK;
}

struct dls_problem_dense {
    struct dls_problem_dense *before;
    dls_mass_dense block;
    double values[];
};

dls_status dls_problem_keep_dense(dls_problem_memory *m, size_t n, const dls_mass_dense **kept, dls_error *error)
{
    struct dls_problem_dense *dense = NULL;
    if (n < SIZE_MAX / sizeof(double) / 4 / (n + 1))
        dense = calloc(1, sizeof *dense + 2 * n * n * sizeof(double));
    if (!dense)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a mass matrix of %zu velocities", n);
    dense->before = m->dense;
    dense->block = (dls_mass_dense){n, dense->values, dense->values + n * n};
    m->dense = dense;
    *kept = &dense->block;
    return DLS_OK;
}

static void release_kept(dls_problem_memory *m)
{
    while (m->texts) {
        struct dls_problem_text *before = m->texts->before;
        free(m->texts);
        m->texts = before;
    }
    while (m->dense) {
        struct dls_problem_dense *before = m->dense->before;
        free(m->dense);
        m->dense = before;
    }
}

void dls_problem_destroy(dls_problem *p)
{
    if (!p)
        return;
    dls_problem_memory *m = dls_problem_memory_of(p);
    void *const owned[] = {p->J.start,     p->J.offset,    p->J.coef_at,    p->J.coef,   p->v_star,
                           p->gamma,       p->c,           p->lo,           p->hi,       p->C,
                           p->parent,      p->mu,          p->law,          p->owner,    (void *)p->label,
                           p->mass.blocks, p->mass.bodies, m->scratch,      m->rounding, p->bias,
                           p->role,        m->mobility,    (void *)m->works};
    for (size_t a = 0; a < m->n_works; a++)
        dls_articulation_work_destroy(m->works[a]);
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++)
        free(owned[i]);
    release_kept(m);
    free(m);
}

/* --- the matrix form --- */

static size_t count_nonzeros(size_t n, const double *A)
{
    size_t count = 0;
    for (size_t k = 0; k < n * n; k++)
        count += A[k] != 0.0;
    return count;
}

/* Runs of adjacent nonzeros of each row become blocks; there are at most as many as nonzeros. */
static void store_rows(dls_rows *J, size_t n, const double *A)
{
    size_t block = 0, coef = 0;
    for (size_t i = 0; i < n; i++) {
        J->start[i] = block;
        for (size_t j = 0; j < n; j++) {
            if (A[i + n * j] == 0.0)
                continue;
            if (j == 0 || A[i + n * (j - 1)] == 0.0) {
                J->offset[block] = j;
                J->coef_at[block++] = coef;
            }
            J->coef[coef++] = A[i + n * j];
        }
    }
    J->start[n] = J->n_blocks = block;
    J->coef_at[block] = coef;
}

dls_status dls_problem_from_matrix(size_t n, const double *A, const double *b, const double *lo, const double *hi,
                                   dls_problem **problem, dls_error *error)
{
    size_t nonzeros = count_nonzeros(n, A);
    DLS_TRY(dls_problem_allocate(n, n, nonzeros, nonzeros, 0, problem, error));
    dls_problem *p = *problem;
    p->form = DLS_FORM_MATRIX;
    store_rows(&p->J, n, A);
    for (size_t i = 0; i < n; i++) {
        p->c[i] = -b[i];
        p->lo[i] = lo ? lo[i] : 0.0;
        p->hi[i] = hi ? hi[i] : HUGE_VAL;
        p->label[i] = "row";
    }
    dls_status status = dls_problem_check(p, error);
    if (status != DLS_OK) {
        dls_problem_destroy(p);
        *problem = NULL;
    }
    return status;
}

/* --- checks --- */

/* A tangent of a cone, and what hangs on the normal row of one. */
static dls_status check_law(const dls_problem *p, size_t i, dls_error *error)
{
    size_t normal = p->parent[i];
    if (normal == DLS_NONE)
        return p->law[i] == DLS_LAW_BOX
                   ? DLS_OK
                   : dls_fail(error, DLS_BAD_INPUT, "row %zu is under a cone without a normal row", i);
    if (normal >= p->n || p->parent[normal] != DLS_NONE)
        return dls_fail(error, DLS_BAD_INPUT, "row %zu has no normal row as its parent", i);
    if (p->law[i] == DLS_LAW_BOX && !dls_problem_is_cone(p, normal))
        return DLS_OK;
    if (!dls_problem_is_cone(p, normal) || p->parent[normal + 2] != normal || p->law[normal + 2] != DLS_LAW_CONE ||
        (i != normal + 1 && i != normal + 2))
        return dls_fail(error, DLS_BAD_INPUT,
                        "row %zu: the two tangents of a cone are the two rows behind their normal row", i);
    if (p->mu[normal + 1] != p->mu[normal + 2] || p->lo[normal] != 0.0)
        return dls_fail(error, DLS_BAD_INPUT, "row %zu: a cone has one mu, and a normal impulse from 0 up", i);
    return DLS_OK;
}

static dls_status check_row(const dls_problem *p, size_t i, dls_error *error)
{
    if (!isfinite(p->gamma[i]) || !isfinite(p->c[i]) || !isfinite(p->C[i]) || !isfinite(p->mu[i]))
        return dls_fail(error, DLS_NOT_FINITE,
                        "row %zu has a right side, compliance, error or friction that is not finite", i);
    if (isnan(p->lo[i]) || isnan(p->hi[i]) || p->lo[i] > p->hi[i] || p->lo[i] == HUGE_VAL || p->hi[i] == -HUGE_VAL)
        return dls_fail(error, DLS_BAD_INPUT, "row %zu has bounds [%g, %g]; lo <= hi must hold", i, p->lo[i], p->hi[i]);
    if (p->gamma[i] < 0.0 || p->mu[i] < 0.0)
        return dls_fail(error, DLS_BAD_INPUT, "row %zu has a negative compliance or friction coefficient", i);
    DLS_TRY(check_law(p, i, error));
    for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++) {
        size_t length = p->J.coef_at[k + 1] - p->J.coef_at[k];
        if (length > p->nv || p->J.offset[k] > p->nv - length)
            return dls_fail(error, DLS_BAD_INPUT, "row %zu reaches beyond the %zu velocities", i, p->nv);
        for (size_t j = p->J.coef_at[k]; j < p->J.coef_at[k + 1]; j++)
            if (!isfinite(p->J.coef[j]))
                return dls_fail(error, DLS_NOT_FINITE, "row %zu has a coefficient that is not finite", i);
    }
    return DLS_OK;
}

dls_status dls_problem_check(const dls_problem *p, dls_error *error)
{
    if (!(p->h > 0.0) || !isfinite(p->h))
        return dls_fail(error, DLS_BAD_INPUT, "the time step must be positive and finite, not %g", p->h);
    for (size_t i = 0; i < p->n; i++)
        DLS_TRY(check_row(p, i, error));
    for (size_t j = 0; j < p->nv; j++)
        if (!isfinite(p->v_star[j]))
            return dls_fail(error, DLS_NOT_FINITE, "unconstrained velocity %zu is not finite", j);
    return DLS_OK;
}

/* --- equations --- */

void dls_problem_velocity(const dls_problem *p, const double *lambda, double *v, double *scratch)
{
    if (p->form == DLS_FORM_MATRIX) {
        memcpy(v, lambda, p->n * sizeof *v);
        return;
    }
    memset(scratch, 0, p->nv * sizeof *scratch);
    for (size_t i = 0; i < p->n; i++)
        dls_rows_axpy(&p->J, i, lambda[i], scratch);
    dls_mass_solve(&p->mass, scratch, v);
    for (size_t j = 0; j < p->nv; j++)
        v[j] += p->v_star[j];
}

/* A block of a row's columns may cover several blocks of the mass operator. */
static const dls_mass_block *first_block(const dls_problem *p, size_t k)
{
    return dls_mass_find(&p->mass, p->J.offset[k]);
}

static const dls_mass_block *last_block(const dls_problem *p, size_t k)
{
    return dls_mass_find(&p->mass, p->J.offset[k] + (p->J.coef_at[k + 1] - p->J.coef_at[k]) - 1);
}

double dls_problem_response(const dls_problem *p, size_t i, double *B, double *scratch)
{
    for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++)
        for (const dls_mass_block *block = first_block(p, k); block <= last_block(p, k); block++)
            memset(scratch + block->offset, 0, block->length * sizeof *scratch);
    dls_rows_axpy(&p->J, i, 1.0, scratch);
    for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++)
        for (const dls_mass_block *block = first_block(p, k); block <= last_block(p, k); block++)
            block->kind->solve(block->data, scratch + block->offset, B + block->offset);
    return dls_rows_dot(&p->J, i, B);
}

void dls_problem_drop_bias(dls_problem *p)
{
    for (size_t i = 0; i < p->n; i++) {
        p->c[i] -= p->bias[i];
        p->bias[i] = 0.0;
    }
}

void dls_problem_bounds(const dls_problem *p, size_t i, const double *lambda, double *lo, double *hi)
{
    *lo = p->lo[i];
    *hi = p->hi[i];
    if (p->parent[i] != DLS_NONE) {
        double normal = lambda[p->parent[i]];
        *hi = p->mu[i] * (normal > 0.0 ? normal : 0.0);
        *lo = -*hi;
    }
}

void dls_problem_make_cone(dls_problem *p, size_t i, double mu)
{
    p->lo[i] = 0.0;
    for (size_t t = i + 1; t <= i + 2; t++) {
        p->parent[t] = i;
        p->mu[t] = mu;
        p->law[t] = DLS_LAW_CONE;
        p->lo[t] = p->hi[t] = 0.0;
    }
    p->n_coupled += 2;
    p->n_cone += 2;
}
