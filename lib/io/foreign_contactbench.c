/* A contact problem of ContactBench as text: the number of contacts, the Delassus matrix G row by row (each contact:
 * two tangents, then the normal), the free velocity g, and a friction coefficient for each contact: c = G lambda + g.
 *
 * The whole problem has Coulomb's cone for each contact, with the normal before its tangents. By name, the frictionless
 * part can be read: the rows and columns of the normals, with 0 <= lambda perp c >= 0. */
#include "foreign.h"

enum { PER_CONTACT = 3, NORMAL = 2 };

/* Which rows of the file become rows of the problem, and how many of a contact: the normal, and then perhaps the
 * tangents. */
static const size_t order[PER_CONTACT] = {NORMAL, 0, 1};

static size_t source_row(size_t i, size_t kept) { return PER_CONTACT * (i / kept) + order[i % kept]; }

dls_status dls_foreign_contactbench(dls_arena *memory, size_t contacts, bool friction, const double *G, const double *g,
                                    const double *mu, dls_foreign *to, dls_error *error)
{
    const size_t kept = friction ? PER_CONTACT : 1, rows = kept * contacts, n = PER_CONTACT * contacts;
    DLS_TRY(dls_foreign_dense_create(memory, rows, rows, &to->A, error));
    dls_foreign_block *block = &to->A.blocks[0];
    block->row_step = rows, block->column_step = 1;
    block->values = DLS_TAKE(memory, double, rows *rows);
    to->b = DLS_TAKE(memory, double, rows);
    if (memory->failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a matrix");
    for (size_t i = 0; i < rows; i++) {
        to->b[i] = g[source_row(i, kept)];
        for (size_t j = 0; j < rows; j++)
            block->values[i * rows + j] = G[source_row(i, kept) * n + source_row(j, kept)];
    }
    to->label = "normal";
    return friction ? dls_foreign_contacts(memory, contacts, 2, rows, mu, NULL, to, error) : DLS_OK;
}

static dls_status read_contactbench(dls_scan *s, bool friction, dls_foreign *to)
{
    size_t contacts;
    double *G, *g, *mu;
    DLS_TRY(dls_scan_count(s, "contacts", dls_scan_left(s) / 2, &contacts));
    size_t n = PER_CONTACT * contacts;
    if (n > 0 && n > SIZE_MAX / n)
        return dls_scan_fail(s, DLS_BAD_INPUT, "contacts", "more than the file has room for");
    DLS_TRY(dls_foreign_reals(s, "G", n * n, &G));
    DLS_TRY(dls_foreign_reals(s, "g", n, &g));
    DLS_TRY(dls_foreign_reals(s, "mu", contacts, &mu));
    DLS_TRY(dls_scan_end(s));
    return dls_foreign_contactbench(s->memory, contacts, friction, G, g, mu, to, s->error);
}

static dls_status read_normals(dls_scan *s, dls_foreign *to) { return read_contactbench(s, false, to); }
static dls_status read_cones(dls_scan *s, dls_foreign *to) { return read_contactbench(s, true, to); }

DLS_FOREIGN_READER(contactbench, read_cones)
DLS_FOREIGN_READER(contactbench_normals, read_normals)

bool dls_is_contactbench(const char *text, size_t size)
{
    size_t contacts;
    return dls_foreign_begin(text, size, 1, &contacts) == 1;
}

/* The same file: it is read without friction only by name. */
bool dls_is_contactbench_normals(const char *text, size_t size)
{
    (void)text, (void)size;
    return false;
}
