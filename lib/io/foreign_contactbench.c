/* A contact problem of ContactBench as text: the number of contacts, the Delassus matrix G row by row (each contact:
 * two tangents, then the normal), the free velocity g, and a friction coefficient a contact: c = G lambda + g.
 *
 * As a whole: each contact under Coulomb's cone, its normal brought before its tangents. Or the frictionless part: the
 * rows and columns of the normals, with 0 <= lambda perp c >= 0. */
#include "foreign.h"

#include "problem/problem_store.h"

enum { PER_CONTACT = 3, NORMAL = 2 };

/* Which rows of the file become rows of the problem, and how many of a contact: the normal, and then perhaps the
 * tangents. */
static const size_t order[PER_CONTACT] = {NORMAL, 0, 1};

static size_t row_of(size_t i, size_t kept) { return PER_CONTACT * (i / kept) + order[i % kept]; }

static dls_status take_rows(size_t contacts, size_t kept, const double *G, const double *g, dls_foreign_matrix *A,
                            double **b, dls_error *error)
{
    size_t rows = kept * contacts, n = PER_CONTACT * contacts;
    DLS_TRY(dls_foreign_matrix_create(rows, rows, 1, 1, A, error));
    A->start[1] = 1;
    A->row_end[0] = rows;
    A->blocks[0] = (dls_foreign_block){.rows = rows, .columns = rows, .row_step = rows, .column_step = 1};
    double *values = A->blocks[0].values = malloc((rows * rows + 1) * sizeof *values);
    *b = malloc((rows + 1) * sizeof **b);
    if (!values || !*b)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a matrix");
    for (size_t i = 0; i < rows; i++) {
        (*b)[i] = g[row_of(i, kept)];
        for (size_t j = 0; j < rows; j++)
            values[i * rows + j] = G[row_of(i, kept) * n + row_of(j, kept)];
    }
    return DLS_OK;
}

static dls_status problem_of(dls_scan *s, size_t contacts, size_t kept, const double *G, const double *g,
                             const double *mu, dls_problem **problem)
{
    dls_foreign_matrix A = {0};
    double *b = NULL;
    dls_status status = take_rows(contacts, kept, G, g, &A, &b, s->error);
    if (status == DLS_OK)
        status = dls_foreign_problem(&A, b, NULL, NULL, s->name, problem, s->error);
    for (size_t i = 0; status == DLS_OK && i < kept * contacts; i += kept)
        (*problem)->store->rows->row[i].label = "normal";
    if (status == DLS_OK && kept == PER_CONTACT) {
        dls_foreign_make_cones(*problem, mu);
        status = dls_problem_check(*problem, s->error);
    }
    dls_foreign_matrix_release(&A);
    free(b);
    return status;
}

static dls_status read(dls_scan *s, size_t kept, dls_problem **problem)
{
    size_t contacts;
    double *G = NULL, *g = NULL, *mu = NULL;
    DLS_TRY(dls_scan_count(s, "contacts", dls_scan_left(s) / 2, &contacts));
    size_t n = PER_CONTACT * contacts;
    dls_status status = n > 0 && n > SIZE_MAX / n
                            ? dls_scan_fail(s, DLS_BAD_INPUT, "contacts", "more than the file has room for")
                            : dls_foreign_reals(s, "G", n * n, &G);
    if (status == DLS_OK)
        status = dls_foreign_reals(s, "g", n, &g);
    if (status == DLS_OK)
        status = dls_foreign_reals(s, "mu", contacts, &mu);
    if (status == DLS_OK)
        status = dls_scan_end(s);
    if (status == DLS_OK)
        status = problem_of(s, contacts, kept, G, g, mu, problem);
    free(G);
    free(g);
    free(mu);
    return status;
}

static dls_status normals(dls_scan *s, dls_problem **problem) { return read(s, 1, problem); }
static dls_status cones(dls_scan *s, dls_problem **problem) { return read(s, PER_CONTACT, problem); }

dls_status dls_read_contactbench(const char *text, size_t size, const char *name, dls_content *content, size_t *end,
                                 dls_error *error)
{
    return dls_foreign_parse(normals, text, size, name, content, end, error);
}

dls_status dls_read_contactbench_cone(const char *text, size_t size, const char *name, dls_content *content,
                                      size_t *end, dls_error *error)
{
    return dls_foreign_parse(cones, text, size, name, content, end, error);
}

bool dls_is_contactbench(const char *text, size_t size)
{
    size_t contacts;
    return dls_foreign_begin(text, size, 1, &contacts) == 1;
}

/* The same file: who wants its friction says so. */
bool dls_is_contactbench_cone(const char *text, size_t size)
{
    (void)text, (void)size;
    return false;
}
