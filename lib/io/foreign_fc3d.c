/* Siconos' frictional contact problems: the dimension (3), the number of contacts, the matrix, q, and a friction
 * coefficient a contact: u = M r + q, each contact its normal row, then two tangents, under Coulomb's cone.
 *
 * Written back: the same layout, M dense. */
#include "foreign.h"

#include "base/text.h"
#include "delassus/table.h"

#include <math.h>
#include <stdlib.h>

enum { PER_CONTACT = 3 };

/* Global problems (gfc3d: M v = H r + q, u = H^T v + b; gfc2d) begin like local ones: dimension, contacts, M. Where a
 * local one has q they have the head of a second matrix, as many rows as M and as many columns as the contacts:
 * storage, rows and columns, then for dense storage both sizes again, for blocks the three counts and the cumulative
 * rows, for sparse storage words. All are whole numbers, and numbers of q are hardly these; a head is enough, since a
 * file that ends within H would be misread, too. */
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
    if (head[0] == 2) {
        dls_scan same = ahead;
        return dls_scan_word(&ahead, "", word) == DLS_OK && dls_scan_real(&same, "", true, &number) != DLS_OK;
    }
    for (size_t i = 0; i < (head[0] == 0 ? 2 : 3); i++)
        if (dls_scan_count(&ahead, "", SIZE_MAX, &next[i]) != DLS_OK)
            return false;
    if (head[0] == 0)
        return next[0] == rows && next[1] == columns;
    size_t end = 0;
    for (size_t i = 0; i < next[1]; i++)
        if (dls_scan_count(&ahead, "", rows, &end) != DLS_OK)
            return false;
    return end == rows;
}

static dls_status read(dls_scan *s, dls_foreign *to)
{
    size_t dimension, contacts;
    double *mu;
    DLS_TRY(dls_scan_count(s, "dimension", SIZE_MAX, &dimension));
    const dls_scan at_dimension = *s;
    if (dimension != 2 && dimension != PER_CONTACT)
        return dls_scan_fail(s, DLS_REFUSED, "dimension", "contacts in dimension %zu are not read; 3 is", dimension);
    DLS_TRY(dls_scan_count(s, "contacts", dls_scan_left(s) / 2, &contacts));
    dls_status status = dls_foreign_read_matrix(s, true, &to->A);
    if (status == DLS_OK && is_global(s, to->A.rows, dimension * contacts))
        return dls_scan_fail(s, DLS_REFUSED, "H",
                             "a second matrix after M: this is a global problem (gfc%zud: M v = H r + q), which is not "
                             "read; eliminate v and write the local form u = H^T M^-1 H r + H^T M^-1 q + b",
                             dimension);
    if (dimension == 2 && (status == DLS_REFUSED || (status == DLS_OK && to->A.rows == 2 * contacts)))
        return dls_scan_fail(&at_dimension, DLS_REFUSED, "dimension", "contacts in dimension 2 are not read; 3 is");
    DLS_TRY(status);
    if (to->A.rows != dimension * contacts)
        return dls_scan_fail(s, DLS_BAD_INPUT, "contacts", "the matrix has %zu rows, %zu contacts have %zu", to->A.rows,
                             contacts, dimension * contacts);
    DLS_TRY(dls_foreign_reals(s, "q", to->A.rows, &to->b));
    DLS_TRY(dls_foreign_reals(s, "mu", contacts, &mu));
    for (size_t k = 0; k < contacts; k++)
        if (mu[k] < 0.0)
            return dls_scan_fail(s, DLS_BAD_INPUT, "mu", "contact %zu has a negative friction coefficient", k);
    return dls_foreign_contacts(s->memory, contacts, mu, to, s->error);
}

DLS_FOREIGN_READER(siconos_fc3d, read)

bool dls_is_siconos_fc3d(const char *text, size_t size)
{
    size_t h[5]; /* dimension, contacts, storage, rows, columns */
    return dls_foreign_begin(text, size, 5, h) == 5 && h[1] > 0 && h[2] <= 2 && h[3] == h[4] &&
           (h[0] == 3 || h[0] == 2);
}

/* --- writing --- */

dls_status dls_foreign_check_cones(const dls_problem *p, const char *format, dls_error *error)
{
    bool all = p->form == DLS_FORM_MATRIX && p->n % PER_CONTACT == 0;
    for (size_t i = 0; all && i < p->n; i += PER_CONTACT)
        all = dls_problem_is_cone(p, i) && p->hi[i] == HUGE_VAL;
    return all ? DLS_OK
               : dls_fail(error, DLS_REFUSED,
                          "%s files hold the matrix form of contacts under Coulomb's cone, and nothing else", format);
}

void dls_foreign_column(const dls_problem *p, size_t j, double *column)
{
    for (size_t i = 0; i < p->n; i++) {
        column[i] = i == j ? p->gamma[i] : 0.0;
        for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++)
            if (j >= p->J.offset[k] && j - p->J.offset[k] < p->J.coef_at[k + 1] - p->J.coef_at[k])
                column[i] += p->J.coef[p->J.coef_at[k] + j - p->J.offset[k]];
    }
}

dls_status dls_foreign_write_fc3d(const dls_problem *p, const char *path, dls_error *error)
{
    dls_output output;
    DLS_TRY(dls_problem_check(p, error));
    DLS_TRY(dls_foreign_check_cones(p, "fc3d", error));
    double *column = malloc((p->n + 1) * sizeof *column);
    if (!column)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a column of %zu rows", p->n);
    dls_status status = dls_output_open(&output, path, error);
    if (status != DLS_OK) {
        free(column);
        return status;
    }
    FILE *to = output.stream;
    locale_t before = dls_locale_begin();
    fprintf(to, "%d\n%zu\n0\n%zu\n%zu\n%zu %zu\n", PER_CONTACT, p->n / PER_CONTACT, p->n, p->n, p->n, p->n);
    for (size_t j = 0; j < p->n; j++) {
        dls_foreign_column(p, j, column);
        for (size_t i = 0; i < p->n; i++)
            fprintf(to, "%.17g%c", column[i], i + 1 < p->n ? ' ' : '\n');
    }
    for (size_t i = 0; i < p->n; i++)
        fprintf(to, "%.17g%c", -p->c[i], i + 1 < p->n ? ' ' : '\n');
    for (size_t i = 0; i < p->n; i += PER_CONTACT)
        fprintf(to, "%.17g%c", p->mu[i + 1], i + PER_CONTACT < p->n ? ' ' : '\n');
    dls_locale_end(before);
    free(column);
    return dls_output_commit(&output, error);
}
