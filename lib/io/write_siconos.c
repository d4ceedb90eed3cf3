/* The text files of Siconos and ContactBench, written: what their readers (foreign_siconos.c, foreign_friction.c,
 * foreign_contactbench.c) read. Matrices are dense; the line breaks between numbers have no meaning.
 */
#include "foreign.h"
#include "writers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void put_vector(FILE *to, size_t count, const double *x, double sign)
{
    for (size_t i = 0; i < count; i++)
        fprintf(to, "%.17g%c", sign * x[i] + 0.0, i + 1 < count ? ' ' : '\n');
}

static void put_sizes(FILE *to, size_t rows, size_t columns)
{
    fprintf(to, "0\n%zu\n%zu\n%zu %zu\n", rows, columns, rows, columns);
}

/* A of the matrix form, column by column. */
static void put_A(FILE *to, const dls_problem *p, double *column)
{
    put_sizes(to, p->n, p->n);
    for (size_t j = 0; j < p->n; j++) {
        dls_foreign_column(p, j, column);
        put_vector(to, p->n, column, 1.0);
    }
}

static void put_lcp(FILE *to, const dls_problem *p, double *room)
{
    fprintf(to, "%zu\n", p->n);
    put_A(to, p, room);
    put_vector(to, p->n, p->c, -1.0);
}

/* Infinite ones as 1e30, a number that every program reads (foreign_siconos.c). */
static void put_bounds(FILE *to, size_t n, const double *x)
{
    for (size_t i = 0; i < n; i++)
        fprintf(to, "%.17g%c", isinf(x[i]) ? copysign(1e30, x[i]) : x[i], i + 1 < n ? ' ' : '\n');
}

static void put_relay(FILE *to, const dls_problem *p, double *room)
{
    put_lcp(to, p, room);
    put_bounds(to, p->n, p->lo);
    put_bounds(to, p->n, p->hi);
}

/* The matrix as one, a block for each run of rows of one kind. */
static void put_mlcp(FILE *to, const dls_problem *p, double *room)
{
    size_t free_rows = 0;
    for (size_t i = 0; i < p->n; i++)
        free_rows += p->lo[i] != 0.0;
    fprintf(to, "1\n0\n%zu\n%zu\n0", free_rows, p->n - free_rows);
    for (size_t i = 1; i <= p->n; i++)
        if (i == p->n || p->lo[i] != p->lo[i - 1])
            fprintf(to, " %zu", i);
    fputc('\n', to);
    for (size_t i = 1; i <= p->n; i++)
        if (i == p->n || p->lo[i] != p->lo[i - 1])
            fprintf(to, "%d%c", p->lo[i - 1] == 0.0, i == p->n ? '\n' : ' ');
    put_A(to, p, room);
    put_vector(to, p->n, p->c, -1.0);
}

/* --- equalities, complementarity and contacts: a block of rows each --- */

static size_t block_size(const dls_problem *p, size_t i) { return dls_problem_is_cone(p, i) ? 3 : 1; }

static void put_ends(FILE *to, const dls_problem *p)
{
    for (size_t i = 0; i < p->n;) {
        i += block_size(p, i);
        fprintf(to, "%zu%c", i, i < p->n ? ' ' : '\n');
    }
}

/* Rows of A, dense, one after another. */
static void put_contact_rows(const dls_problem *p, size_t first, size_t count, double *rows)
{
    memset(rows, 0, count * p->n * sizeof *rows);
    for (size_t r = 0; r < count; r++) {
        dls_rows_axpy(&p->J, first + r, 1.0, rows + r * p->n);
        rows[r * p->n + first + r] += p->gamma[first + r];
    }
}

static void put_gmp(FILE *to, const dls_problem *p, double *room)
{
    size_t blocks = 0, number = 0;
    for (size_t i = 0; i < p->n; i += block_size(p, i))
        blocks++;
    fprintf(to, "1\n%zu\n%zu\n%zu\n%zu\n%zu\n", p->n, p->n, blocks * blocks, blocks, blocks);
    put_ends(to, p);
    put_ends(to, p);
    fprintf(to, "%zu\n%zu\n", blocks + 1, blocks * blocks);
    for (size_t k = 0; k <= blocks; k++)
        fprintf(to, "%zu%c", k * blocks, k < blocks ? ' ' : '\n');
    for (size_t k = 0; k < blocks * blocks; k++)
        fprintf(to, "%zu%c", k % blocks, k + 1 < blocks * blocks ? ' ' : '\n');
    for (size_t i = 0; i < p->n; i += block_size(p, i)) {
        const size_t height = block_size(p, i);
        put_contact_rows(p, i, height, room);
        for (size_t j = 0; j < p->n; j += block_size(p, j)) {
            fprintf(to, "%zu\n", number++);
            for (size_t c = j; c < j + block_size(p, j); c++)
                for (size_t r = 0; r < height; r++)
                    fprintf(to, "%.17g%c", room[r * p->n + c] + 0.0, r + 1 < height ? ' ' : '\n');
        }
    }
    put_vector(to, p->n, p->c, -1.0);
    for (size_t i = 0; i < p->n; i += block_size(p, i))
        if (dls_problem_is_cone(p, i))
            fprintf(to, "4\n%.17g\n", p->mu[i + 1]);
        else
            fprintf(to, "%d\n", p->lo[i] == 0.0 ? 0 : 2);
}

/* --- contacts --- */

/* All contacts have one. */
static size_t dimension_of(const dls_problem *p) { return p->n_cone > 0 ? 1 + 2 * dls_problem_discs(p, 0) : 2; }

static void put_mu(FILE *to, const dls_problem *p, size_t dimension)
{
    for (size_t first = 1; first < dimension; first += 2) /* rolling friction after the tangents' */
        for (size_t i = 0; i < p->n; i += dimension)
            fprintf(to, "%.17g%c", p->mu[i + first], i + dimension < p->n ? ' ' : '\n');
}

static void put_local(FILE *to, const dls_problem *p, double *room)
{
    const size_t dimension = dimension_of(p);
    fprintf(to, "%zu\n%zu\n", dimension, p->n / dimension);
    put_A(to, p, room);
    put_vector(to, p->n, p->c, -1.0);
    put_mu(to, p, dimension);
}

typedef struct vectors {
    FILE *to;
    size_t length;
} vectors;

static void put_next(void *context, size_t index, const double *values)
{
    const vectors *of = context;
    (void)index;
    put_vector(of->to, of->length, values, 1.0);
}

static void put_global(FILE *to, const dls_problem *p, double *room)
{
    const size_t dimension = dimension_of(p), n = p->n, nv = p->nv;
    double *column = room;
    vectors columns = {to, nv};
    fprintf(to, "%zu\n%zu\n", dimension, n / dimension);
    put_sizes(to, nv, nv);
    dls_foreign_mass_columns(&p->mass, room, put_next, &columns);
    put_sizes(to, nv, n);
    for (size_t i = 0; i < n; i++) {
        memset(column, 0, nv * sizeof *column);
        dls_rows_axpy(&p->J, i, 1.0, column);
        put_vector(to, nv, column, 1.0);
    }
    dls_mass_multiply(&p->mass, p->v_star, column);
    put_vector(to, nv, column, 1.0);
    put_vector(to, n, p->c, -1.0);
    put_mu(to, p, dimension);
}

/* ContactBench has the normal of a contact after its tangents, and its matrix by rows. */
static void put_contactbench(FILE *to, const dls_problem *p, double *room)
{
    static const size_t order[] = {1, 2, 0};
    const size_t n = p->n;
    fprintf(to, "%zu\n", n / 3);
    for (size_t i = 0; i < n; i++) {
        const size_t row = i - i % 3 + order[i % 3];
        put_contact_rows(p, row, 1, room);
        for (size_t j = 0; j < n; j++)
            fprintf(to, "%.17g%c", room[j - j % 3 + order[j % 3]], j + 1 < n ? ' ' : '\n');
    }
    for (size_t i = 0; i < n; i++)
        fprintf(to, "%.17g%c", -p->c[i - i % 3 + order[i % 3]], i + 1 < n ? ' ' : '\n');
    put_mu(to, p, 3);
}

/* A finite bound from 1e30 on would be read as an infinite one. */
dls_status dls_write_siconos_relay(const dls_problem *p, const double *solution, const char *path, dls_error *error)
{
    (void)solution;
    for (size_t i = 0; i < p->n; i++)
        if ((isfinite(p->lo[i]) && fabs(p->lo[i]) >= 1e30) || (isfinite(p->hi[i]) && fabs(p->hi[i]) >= 1e30))
            return dls_fail(
                error, DLS_REFUSED,
                "siconos-relay cannot hold row %zu '%s', which has a finite bound of 1e30 or more: that means "
                "infinite there",
                i, dls_problem_label(p, i));
    return dls_write_text(p, path, put_relay, error);
}

#define TEXT_WRITER(id, put)                                                                                    \
    dls_status dls_write_##id(const dls_problem *p, const double *solution, const char *path, dls_error *error) \
    {                                                                                                           \
        (void)solution;                                                                                         \
        return dls_write_text(p, path, put, error);                                                             \
    }
TEXT_WRITER(siconos_lcp, put_lcp)
TEXT_WRITER(siconos_mlcp, put_mlcp)
TEXT_WRITER(siconos_gmp, put_gmp)
TEXT_WRITER(siconos_fc3d, put_local)
TEXT_WRITER(siconos_fc2d, put_local)
TEXT_WRITER(siconos_gfc3d, put_global)
TEXT_WRITER(siconos_gfc2d, put_global)
TEXT_WRITER(siconos_rfc3d, put_local)
TEXT_WRITER(siconos_grfc3d, put_global)
TEXT_WRITER(contactbench, put_contactbench)
