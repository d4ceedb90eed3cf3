/* A contact problem of ContactBench as text: the number of contacts, the Delassus matrix G row by row (each contact: two
 * tangents, then the normal), the free velocity g, and a friction coefficient a contact: c = G lambda + g.
 *
 * The frictionless part: the rows and columns of the normals, with 0 <= lambda perp c >= 0. */
#include "foreign.h"

enum { PER_CONTACT = 3, NORMAL = 2 };

static dls_status take_normals(size_t contacts, const double *G, const double *g, dls_foreign_matrix *A, double *b, dls_error *error)
{
    size_t n = PER_CONTACT * contacts;
    DLS_TRY(dls_foreign_matrix_create(contacts, contacts, 1, 1, A, error));
    A->start[1] = 1;
    A->row_end[0] = contacts;
    A->blocks[0] = (dls_foreign_block){.rows = contacts, .columns = contacts, .row_step = contacts, .column_step = 1};
    double *values = A->blocks[0].values = malloc((contacts * contacts + 1) * sizeof *values);
    if (!values)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a matrix");
    for (size_t i = 0; i < contacts; i++) {
        b[i] = g[PER_CONTACT * i + NORMAL];
        for (size_t j = 0; j < contacts; j++)
            values[i * contacts + j] = G[(PER_CONTACT * i + NORMAL) * n + PER_CONTACT * j + NORMAL];
    }
    return DLS_OK;
}

static dls_status normals_of(dls_scan *s, size_t contacts, const double *G, double *g, dls_problem **problem)
{
    dls_foreign_matrix A = {0};
    dls_status status = take_normals(contacts, G, g, &A, g, s->error); /* g_3i+2 becomes b_i, in place: i <= 3 i + 2 */
    if (status == DLS_OK)
        status = dls_foreign_problem(&A, g, NULL, NULL, s->name, problem, s->error);
    for (size_t i = 0; status == DLS_OK && i < contacts; i++)
        (*problem)->label[i] = "normal";
    dls_foreign_matrix_release(&A);
    return status;
}

dls_status dls_foreign_contactbench(dls_scan *s, dls_problem **problem)
{
    size_t contacts;
    double *G = NULL, *g = NULL, *mu = NULL;
    DLS_TRY(dls_scan_count(s, "contacts", dls_scan_left(s) / 2, &contacts));
    size_t n = PER_CONTACT * contacts;
    dls_status status = n > 0 && n > SIZE_MAX / n ? dls_scan_fail(s, DLS_BAD_INPUT, "contacts", "more than the file has room for")
                                                  : dls_foreign_reals(s, "G", n * n, &G);
    if (status == DLS_OK)
        status = dls_foreign_reals(s, "g", n, &g);
    if (status == DLS_OK)
        status = dls_foreign_reals(s, "mu", contacts, &mu);
    if (status == DLS_OK)
        status = normals_of(s, contacts, G, g, problem);
    free(G);
    free(g);
    free(mu);
    return status;
}
