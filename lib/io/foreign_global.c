/* The global form of contact problems, as FCLIB and Siconos have it:
 *
 *     M v = H z + f,    w = H^T v + b,    lo <= z <= hi, friction
 *
 * A matrix M with entries in one triangle only stands for the symmetric matrix, as in files of finite elements.
 *
 * It is the mechanical form, J = H^T and v* = M^-1 f: v = v* + M^-1 J^T z and w = J v + b. M becomes dense blocks, as
 * small as its entries allow: the velocities are divided wherever no entry couples an earlier with a later one. */
#include "foreign.h"

#include "problem/problem_store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_MAX = 8192 /* velocities of one block: two dense matrices of 512 MiB each */ };

typedef struct mass_builder {
    size_t *block_of; /* velocity -> block */
    size_t *first;    /* block -> its first velocity; n_blocks + 1 */
    size_t *reach;    /* velocity -> the last one that an entry couples with it */
    size_t n_blocks;
    bool lower, upper;            /* there is an entry below, above the diagonal */
    const dls_mass_dense **dense; /* n_blocks */
} mass_builder;

static void extend_reach(void *context, size_t row, size_t column, double value)
{
    mass_builder *to = context;
    const size_t low = row < column ? row : column, high = row < column ? column : row;
    (void)value;
    if (high > to->reach[low])
        to->reach[low] = high;
    to->lower = to->lower || row > column;
    to->upper = to->upper || row < column;
}

static dls_status divide_mass(const dls_foreign_matrix *M, dls_arena *memory, mass_builder *to, dls_error *error)
{
    const size_t nv = M->rows;
    *to = (mass_builder){.block_of = DLS_TAKE(memory, size_t, nv),
                         .first = DLS_TAKE(memory, size_t, nv + 1),
                         .reach = DLS_TAKE(memory, size_t, nv),
                         .dense = DLS_TAKE(memory, const dls_mass_dense *, nv)};
    if (memory->failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a mass matrix of %zu velocities", nv);
    for (size_t j = 0; j < nv; j++)
        to->reach[j] = j;
    dls_foreign_each(M, extend_reach, to);
    for (size_t j = 0, last = 0, first = 0; j < nv; j++) {
        last = to->reach[j] > last ? to->reach[j] : last;
        to->block_of[j] = to->n_blocks;
        if (last > j)
            continue;
        to->first[to->n_blocks++] = first;
        if (j + 1 - first > BLOCK_MAX)
            return dls_fail(error, DLS_REFUSED,
                            "velocities %zu to %zu of M are coupled; at most %d are read, since M is factored", first,
                            j, BLOCK_MAX);
        first = j + 1;
    }
    to->first[to->n_blocks] = nv;
    return DLS_OK;
}

static void put_mass_entry(void *context, size_t row, size_t column, double value)
{
    const mass_builder *to = context;
    const size_t k = to->block_of[row], first = to->first[k];
    const size_t i = row - first, j = column - first, n = to->dense[k]->n;
    to->dense[k]->M[i + n * j] = value;
    if (to->lower != to->upper)
        to->dense[k]->M[j + n * i] = value;
}

/* The mean of both triangles, which may differ by rounding. */
static dls_status make_symmetric(const dls_mass_dense *dense, size_t first, dls_error *error)
{
    const size_t n = dense->n;
    double *M = dense->M;
    for (size_t j = 0; j < n; j++)
        for (size_t i = j + 1; i < n; i++) {
            const double lower = M[i + n * j], upper = M[j + n * i];
            if (!(fabs(lower - upper) <= 1e-12 * (sqrt(fabs(M[i + n * i])) * sqrt(fabs(M[j + n * j])))))
                return dls_fail(error, DLS_REFUSED,
                                "M is not symmetric: entries (%zu, %zu) and (%zu, %zu) are %g and %g", first + i,
                                first + j, first + j, first + i, lower, upper);
            M[i + n * j] = M[j + n * i] = 0.5 * lower + 0.5 * upper;
        }
    return DLS_OK;
}

static dls_status make_mass(const dls_foreign *from, mass_builder *to, dls_problem *p, dls_error *error)
{
    for (size_t k = 0; k < to->n_blocks; k++) {
        const size_t n = to->first[k + 1] - to->first[k];
        DLS_TRY(dls_problem_keep_dense(p, n, &to->dense[k], error));
        p->mass.blocks[k] = (dls_mass_block){to->first[k], n, &dls_mass_dense_kind, to->dense[k]};
    }
    dls_foreign_each(&from->M, put_mass_entry, to);
    for (size_t k = 0; k < to->n_blocks; k++) {
        DLS_TRY(make_symmetric(to->dense[k], to->first[k], error));
        for (size_t j = 0; j < to->dense[k]->n; j++)
            if (!dls_mass_dense_factor(to->dense[k], j))
                return dls_fail(error, DLS_BAD_INPUT,
                                "M is not positive definite: its Cholesky factor ends at velocity %zu",
                                to->first[k] + j);
    }
    dls_mass_solve(&p->mass, from->f, p->v_star);
    return DLS_OK;
}

/* --- J = H^T, by counting --- */

typedef struct transpose {
    const mass_builder *mass;
    size_t *start;  /* of each row of J among the entries; n + 1 */
    size_t *column; /* of each entry; those of a row ascend */
    double *value;
    size_t blocks; /* runs of adjacent columns within a mass block, in all */
} transpose;

static void count_entry(void *context, size_t row, size_t column, double value)
{
    (void)row, (void)value;
    ((transpose *)context)->start[column + 1]++;
}

/* Meanwhile start[i] is the next free place of row i - 1. */
static void place_entry(void *context, size_t row, size_t column, double value)
{
    transpose *t = context;
    const size_t at = t->start[column + 1]++;
    t->column[at] = row;
    t->value[at] = value;
}

static bool begins_run(const transpose *t, size_t row, size_t at)
{
    return at == t->start[row] || t->column[at] != t->column[at - 1] + 1 ||
           t->mass->block_of[t->column[at]] != t->mass->block_of[t->column[at - 1]];
}

static dls_status transpose_jacobian(const dls_foreign_matrix *H, dls_arena *memory, transpose *t, dls_error *error)
{
    const size_t n = H->columns;
    t->start = DLS_TAKE_ZEROS(memory, size_t, n + 2);
    if (!t->start)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a matrix of %zu columns", n);
    dls_foreign_each(H, count_entry, t);
    for (size_t i = 0; i < n; i++)
        t->start[i + 1] += t->start[i];
    t->column = DLS_TAKE(memory, size_t, t->start[n]);
    t->value = DLS_TAKE(memory, double, t->start[n]);
    if (memory->failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a matrix of %zu columns", n);
    memmove(t->start + 1, t->start, n * sizeof *t->start); /* start[i + 1]: where row i begins */
    t->start[0] = 0;
    dls_foreign_each(H, place_entry, t);
    for (size_t i = 0; i < n; i++)
        for (size_t at = t->start[i]; at < t->start[i + 1]; at++)
            t->blocks += begins_run(t, i, at);
    return DLS_OK;
}

static void put_jacobian(const transpose *t, size_t n, dls_rows *J)
{
    size_t block = 0;
    for (size_t i = 0; i < n; i++) {
        J->start[i] = block;
        for (size_t at = t->start[i]; at < t->start[i + 1]; at++) {
            if (begins_run(t, i, at)) {
                J->offset[block] = t->column[at];
                J->mass[block] = (uint32_t)t->mass->block_of[t->column[at]];
                J->coef_at[block++] = at;
            }
            J->coef[at] = t->value[at];
        }
    }
    J->start[n] = block;
    J->coef_at[block] = t->start[n];
}

static dls_status build_global(const dls_foreign *from, dls_arena *memory, const char *file, dls_problem **problem,
                               dls_error *error)
{
    const size_t n = from->A.columns, nv = from->M.rows;
    mass_builder mass;
    transpose t = {.mass = &mass};
    if (from->M.columns != nv || from->A.rows != nv)
        return dls_fail(error, DLS_BAD_INPUT, "M is %zu x %zu and H %zu x %zu; M must be square, with the rows of H",
                        nv, from->M.columns, from->A.rows, n);
    DLS_TRY(divide_mass(&from->M, memory, &mass, error));
    DLS_TRY(transpose_jacobian(&from->A, memory, &t, error));
    DLS_TRY(dls_problem_allocate(n, nv, t.blocks, t.start[n], mass.n_blocks, problem, error));
    (*problem)->form = DLS_FORM_MECHANICAL;
    DLS_TRY(make_mass(from, &mass, *problem, error));
    put_jacobian(&t, n, &(*problem)->J);
    return dls_foreign_fill_rows(from, file, *problem, error);
}

dls_status dls_foreign_global(const dls_foreign *from, const char *file, dls_problem **problem, dls_error *error)
{
    dls_arena memory = {0};
    dls_status status = build_global(from, &memory, file, problem, error);
    dls_arena_release(&memory);
    return status;
}
