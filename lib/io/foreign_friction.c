/* Siconos' frictional contact problems. LOCAL: the dimension, the number of contacts, the matrix, q, and a friction
 * coefficient a contact: u = M r + q. GLOBAL: dimension, contacts, M, H, q, b, mu: M v = H r + q, u = H^T v + b. Each
 * contact is its normal row, then its tangents: in space (3) two, under Coulomb's cone; in the plane (2) one, between
 * -mu and mu times the normal impulse; with rolling friction (5) two tangents and two rows of moments, and after mu a
 * rolling friction coefficient mu_r [m] a contact, |r_r| <= mu_r r_n. */
#include "foreign.h"

/* Local and global problems begin alike: dimension, contacts, M. Where a local one has q a global one has the head of a
 * second matrix, as many rows as M and as many columns as the contacts have rows: storage, rows and columns, then for
 * dense storage both sizes again, for blocks the three counts and the cumulative rows, for sparse storage a number and
 * words. All are whole numbers, and numbers of q are hardly these; a head is enough, since a file that ends within H
 * would be misread, too. */
static bool is_global(const dls_scan *s, size_t rows, size_t columns)
{
    size_t head[3], next[3] = {0, 0, 0};
    char word[DLS_TOKEN_MAX];
    double number;
    dls_scan ahead = *s;
    ahead.error = NULL;
    for (size_t i = 0; i < 3; i++)
        if (dls_scan_count(&ahead, "", SIZE_MAX, &head[i]) != DLS_OK)
            return false;
    if (head[0] > 2 || head[1] != rows || head[2] != columns)
        return false;
    for (size_t i = 0; i < (head[0] == 0 ? 2 : head[0] == 1 ? 3 : 1); i++)
        if (dls_scan_count(&ahead, "", SIZE_MAX, &next[i]) != DLS_OK)
            return false;
    if (head[0] == 0)
        return next[0] == rows && next[1] == columns;
    if (head[0] == 2) {
        dls_scan same = ahead;
        return dls_scan_word(&ahead, "", word) == DLS_OK && dls_scan_real(&same, "", true, &number) != DLS_OK;
    }
    size_t end = 0;
    for (size_t i = 0; i < next[1]; i++)
        if (dls_scan_count(&ahead, "", rows, &end) != DLS_OK)
            return false;
    return end == rows;
}

static dls_status read_coefficients(dls_scan *s, const char *what, size_t contacts, double **mu)
{
    DLS_TRY(dls_foreign_reals(s, what, contacts, mu));
    for (size_t k = 0; k < contacts; k++)
        if ((*mu)[k] < 0.0)
            return dls_scan_fail(s, DLS_BAD_INPUT, what, "contact %zu has a negative friction coefficient", k);
    return DLS_OK;
}

static dls_status read_mu(dls_scan *s, size_t contacts, size_t tangents, dls_foreign *to)
{
    double *mu, *mu_r = NULL;
    DLS_TRY(read_coefficients(s, "mu", contacts, &mu));
    if (tangents == 4)
        DLS_TRY(read_coefficients(s, "mu_r", contacts, &mu_r));
    return dls_foreign_contacts(s->memory, contacts, tangents, contacts * (1 + tangents), mu, mu_r, to, s->error);
}

/* The head and the first matrix, which is M of either form. */
static dls_status read_head(dls_scan *s, size_t wanted, size_t *contacts, dls_foreign_matrix *M)
{
    size_t dimension;
    DLS_TRY(dls_scan_count(s, "dimension", SIZE_MAX, &dimension));
    if (dimension != wanted)
        return dls_scan_fail(s, DLS_BAD_INPUT, "dimension", "contacts in dimension %zu; of this format they have %zu",
                             dimension, wanted);
    DLS_TRY(dls_scan_count(s, "contacts", dls_scan_left(s) / 2, contacts));
    return dls_foreign_read_matrix(s, true, M);
}

static dls_status read_local(dls_scan *s, size_t dimension, dls_foreign *to)
{
    size_t contacts;
    DLS_TRY(read_head(s, dimension, &contacts, &to->A));
    if (is_global(s, to->A.rows, dimension * contacts))
        return dls_scan_fail(s, DLS_BAD_INPUT, "q", "a second matrix after M: a global problem, siconos-%s",
                             dimension == 5   ? "grfc3d"
                             : dimension == 3 ? "gfc3d"
                                              : "gfc2d");
    if (to->A.rows != dimension * contacts)
        return dls_scan_fail(s, DLS_BAD_INPUT, "contacts", "the matrix has %zu rows, %zu contacts have %zu", to->A.rows,
                             contacts, dimension * contacts);
    DLS_TRY(dls_foreign_reals(s, "q", to->A.rows, &to->b));
    return read_mu(s, contacts, dimension - 1, to);
}

static dls_status read_global(dls_scan *s, size_t dimension, dls_foreign *to)
{
    size_t contacts;
    DLS_TRY(read_head(s, dimension, &contacts, &to->M));
    DLS_TRY(dls_foreign_read_matrix(s, false, &to->A));
    if (to->A.rows != to->M.rows || to->A.columns != dimension * contacts)
        return dls_scan_fail(s, DLS_BAD_INPUT, "H", "a matrix of %zu x %zu; M and the contacts need %zu x %zu",
                             to->A.rows, to->A.columns, to->M.rows, dimension * contacts);
    DLS_TRY(dls_foreign_reals(s, "q", to->M.rows, &to->f));
    DLS_TRY(dls_foreign_reals(s, "b", to->A.columns, &to->b));
    return read_mu(s, contacts, dimension - 1, to);
}

static dls_status read_fc3d(dls_scan *s, dls_foreign *to) { return read_local(s, 3, to); }
static dls_status read_fc2d(dls_scan *s, dls_foreign *to) { return read_local(s, 2, to); }
static dls_status read_gfc3d(dls_scan *s, dls_foreign *to) { return read_global(s, 3, to); }
static dls_status read_gfc2d(dls_scan *s, dls_foreign *to) { return read_global(s, 2, to); }
static dls_status read_rfc3d(dls_scan *s, dls_foreign *to) { return read_local(s, 5, to); }
static dls_status read_grfc3d(dls_scan *s, dls_foreign *to) { return read_global(s, 5, to); }

DLS_FOREIGN_READER(siconos_fc3d, read_fc3d)
DLS_FOREIGN_READER(siconos_fc2d, read_fc2d)
DLS_FOREIGN_READER(siconos_gfc3d, read_gfc3d)
DLS_FOREIGN_READER(siconos_gfc2d, read_gfc2d)
DLS_FOREIGN_READER(siconos_rfc3d, read_rfc3d)
DLS_FOREIGN_READER(siconos_grfc3d, read_grfc3d)

static bool begins_contacts(const char *text, size_t size, size_t dimension)
{
    size_t h[5]; /* dimension, contacts, storage, rows, columns */
    return dls_foreign_begin(text, size, 5, h) == 5 && h[0] == dimension && h[1] > 0 && h[2] <= 2 && h[3] == h[4];
}

bool dls_is_siconos_fc3d(const char *text, size_t size) { return begins_contacts(text, size, 3); }
bool dls_is_siconos_fc2d(const char *text, size_t size) { return begins_contacts(text, size, 2); }
bool dls_is_siconos_gfc3d(const char *text, size_t size) { return begins_contacts(text, size, 3); }
bool dls_is_siconos_gfc2d(const char *text, size_t size) { return begins_contacts(text, size, 2); }
bool dls_is_siconos_rfc3d(const char *text, size_t size) { return begins_contacts(text, size, 5); }
bool dls_is_siconos_grfc3d(const char *text, size_t size) { return begins_contacts(text, size, 5); }
