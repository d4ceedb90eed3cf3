/* A problem as a set of Matrix Market files, as 'delassus dump' writes them and other programs can:
 *     STEM.A.mtx          n x n, w = A lambda + b
 *     STEM.b.mtx          n
 *     STEM.lo.mtx, .hi    n each; without them an LCP: 0 and infinity
 * STEM.coupling.mtx n x 3: the normal row of a friction row, counted from 1 (0: no friction row), mu, and its law: 0
 *                         between bounds, 1 in a disc of Coulomb's cone, 2 in one of the associated law
 * with any STEM, or none and no dot. The set goes by the name of A's file. */
#include "matrix_set.h"
#include "foreign.h"
#include "writers.h"

#include "delassus/table.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char ending[] = "A.mtx";
enum { ENDING = sizeof ending - 1 };

/* True if the name is A.mtx, or ends so after a character that divides words. */
static bool is_file_of_A(const char *name)
{
    const size_t length = strlen(name);
    return length >= ENDING && strcmp(name + length - ENDING, ending) == 0 &&
           (length == ENDING || strchr("/._-", name[length - ENDING - 1]));
}

typedef struct set {
    const char *name; /* of A's file */
    size_t n;
    double *A, *b, *lo, *hi, *coupling; /* NULL where there is no file */
} set;

/* --- files --- */

/* The matrix of another part, which must be rows x columns; NULL where its file is not there and need not be. */
static dls_status read_part(const set *s, const char *part, bool needed, bool infinite, size_t columns, double **values,
                            dls_error *error)
{
    char path[DLS_PATH_MAX + 16], *text;
    size_t size, rows, width;
    snprintf(path, sizeof path, "%.*s%s.mtx", (int)(strlen(s->name) - ENDING), s->name, part);
    if (!needed && access(path, F_OK) != 0 && errno == ENOENT)
        return DLS_OK;
    DLS_TRY(dls_file_read(path, &text, &size, error));
    dls_status status = dls_matrix_market_parse(text, size, path, infinite, &rows, &width, values, error);
    free(text);
    if (status == DLS_OK && (rows != s->n || width != columns))
        return dls_fail_about(error, DLS_BAD_INPUT, path, NULL, "%zu x %zu; A has %zu rows, so %zu x %zu is needed",
                              rows, width, s->n, s->n, columns);
    return status;
}

static dls_status read_parts(set *s, const char *text, size_t size, dls_error *error)
{
    size_t rows, columns;
    DLS_TRY(dls_matrix_market_parse(text, size, s->name, false, &rows, &columns, &s->A, error));
    if (rows != columns)
        return dls_fail_about(error, DLS_BAD_INPUT, s->name, NULL, "%zu x %zu; A is square", rows, columns);
    if (rows == 0)
        return dls_fail_about(error, DLS_BAD_INPUT, s->name, NULL, "A has no rows: there is nothing to solve");
    s->n = rows;
    DLS_TRY(read_part(s, "b", true, false, 1, &s->b, error));
    DLS_TRY(read_part(s, "lo", false, true, 1, &s->lo, error));
    DLS_TRY(read_part(s, "hi", false, true, 1, &s->hi, error));
    return read_part(s, "coupling", false, false, 3, &s->coupling, error);
}

/* --- friction --- */

static dls_status couple_row(const set *s, dls_problem *p, size_t i, dls_error *error)
{
    const double parent = s->coupling[i], mu = s->coupling[i + s->n], cone = s->coupling[i + 2 * s->n];
    if (parent == 0.0 && (mu != 0.0 || cone != 0.0))
        return dls_fail_about(error, DLS_BAD_INPUT, s->name, "coupling",
                              "row %zu has the friction %g, %g, and no parent; name its normal row, or write 0", i + 1,
                              mu, cone);
    if (parent == 0.0)
        return DLS_OK;
    if (!(parent >= 1.0 && parent <= (double)s->n && parent == floor(parent)) ||
        (cone != 0.0 && cone != 1.0 && cone != 2.0))
        return dls_fail_about(error, DLS_BAD_INPUT, s->name, "coupling",
                              "row %zu: %g, %g, %g; needed are a row from 1 to %zu or 0, mu, and 0, 1 or 2", i + 1,
                              parent, mu, cone, s->n);
    p->parent[i] = (size_t)parent - 1;
    p->mu[i] = mu;
    p->law[i] = cone == 0.0 ? DLS_LAW_BOX : cone == 1.0 ? DLS_LAW_CONE : DLS_LAW_ASSOCIATED;
    p->lo[i] = p->hi[i] = 0.0;
    p->n_coupled++;
    p->n_cone += cone != 0.0;
    return DLS_OK;
}

static dls_status couple_rows(const set *s, dls_problem *p, dls_error *error)
{
    for (size_t i = 0; s->coupling && i < s->n; i++)
        DLS_TRY(couple_row(s, p, i, error));
    dls_error why;
    dls_status status = dls_problem_check(p, &why);
    return status == DLS_OK ? status : dls_fail_about(error, status, s->name, NULL, "%s", why.message);
}

dls_status dls_read_matrix_market(const char *text, size_t size, const char *name, dls_content *content, size_t *end,
                                  dls_error *error)
{
    set s = {.name = name};
    *end = size;
    if (!is_file_of_A(name) || strlen(name) >= DLS_PATH_MAX)
        return dls_fail_about(
            error, DLS_REFUSED, name, NULL,
            "one matrix is no problem; name the folder, or the file of A (STEM.%s), beside which STEM.b.mtx "
            "stands",
            ending);
    dls_status status = read_parts(&s, text, size, error);
    if (status == DLS_OK)
        status = dls_problem_from_matrix(s.n, s.A, s.b, s.lo, s.hi, &content->problem, error);
    if (status == DLS_OK)
        status = couple_rows(&s, content->problem, error);
    free(s.A);
    free(s.b);
    free(s.lo);
    free(s.hi);
    free(s.coupling);
    return status;
}

/* --- folders --- */

dls_status dls_matrix_set_find(const char *folder, char *path, dls_error *error)
{
    char first[NAME_MAX + 1] = "", second[NAME_MAX + 1] = "";
    DIR *stream = opendir(folder);
    if (!stream)
        return dls_fail_about(error, DLS_IO, folder, NULL, "cannot read: %s", strerror(errno));
    for (struct dirent *entry; (entry = readdir(stream));) {
        if (!is_file_of_A(entry->d_name))
            continue;
        char *larger = !*first || strcmp(entry->d_name, first) < 0 ? first : second;
        if (larger == first)
            strcpy(second, first);
        if (larger == first || !*second || strcmp(entry->d_name, second) < 0)
            strcpy(larger, entry->d_name);
    }
    closedir(stream);
    if (!*first)
        return dls_fail_about(error, DLS_IO, folder, NULL,
                              "is a folder, not a file, and holds no problem in Matrix Market: no file STEM.%s",
                              ending);
    if (*second)
        return dls_fail_about(error, DLS_BAD_INPUT, folder, NULL,
                              "a folder of several problems; name one of them: %s, %s, ...", first, second);
    return snprintf(path, DLS_PATH_MAX, "%s/%s", folder, first) < DLS_PATH_MAX
               ? DLS_OK
               : dls_fail_about(error, DLS_IO, folder, NULL, "the name is too long");
}

/* --- writing --- */

/* "PATH.PART.mtx", where PATH may end with the name of A's file. */
static dls_status part_path(const char *path, const char *part, char *to, dls_error *error)
{
    const size_t length = strlen(path) - (is_file_of_A(path) ? ENDING : 0);
    const bool divided = length == 0 || strchr("/._-", path[length - 1]);
    return snprintf(to, DLS_PATH_MAX, "%.*s%s%s.mtx", (int)length, path, divided ? "" : ".", part) < DLS_PATH_MAX
               ? DLS_OK
               : dls_fail_about(error, DLS_IO, path, NULL, "the name is too long");
}

static dls_status put_part(const char *path, const char *part, const char *comment, size_t rows, size_t columns,
                           const double *values, dls_error *error)
{
    char name[DLS_PATH_MAX];
    DLS_TRY(part_path(path, part, name, error));
    return dls_matrix_market_write(name, comment, rows, columns, values, error);
}

/* The bounds of a coupled friction row depend on another row's impulse; lo and hi cannot say that. */
static void fill_coupling(const dls_problem *p, double *values)
{
    memset(values, 0, 3 * p->n * sizeof *values);
    for (size_t i = 0; i < p->n; i++)
        if (p->parent[i] != DLS_NONE) {
            values[i] = (double)(p->parent[i] + 1);
            values[i + p->n] = p->mu[i];
            values[i + 2 * p->n] = p->law[i] == DLS_LAW_BOX ? 0.0 : p->law[i] == DLS_LAW_CONE ? 1.0 : 2.0;
        }
}

dls_status dls_matrix_set_write_bounds(const dls_problem *p, const char *path, dls_error *error)
{
    char name[DLS_PATH_MAX];
    DLS_TRY(put_part(path, "lo", "lower bounds of the impulses [N s, N m s]", p->n, 1, p->lo, error));
    DLS_TRY(put_part(path, "hi", "upper bounds of the impulses [N s, N m s]", p->n, 1, p->hi, error));
    DLS_TRY(part_path(path, "coupling", name, error));
    if (p->n_coupled == 0) { /* a file that another problem of this name left would couple rows of this one */
        if (unlink(name) != 0 && errno != ENOENT)
            return dls_fail_about(error, DLS_IO, name, NULL, "is of another problem, and cannot be removed: %s",
                                  strerror(errno));
        return DLS_OK;
    }
    double *values = calloc(3 * p->n + 1, sizeof *values);
    if (!values)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", p->n);
    fill_coupling(p, values);
    dls_status status = dls_matrix_market_write(name,
                                                "friction rows with bounds -mu lambda_p, mu lambda_p: p, counted from "
                                                "1 (0: not such a row), mu, and 1 where two "
                                                "of them are under Coulomb's cone, 2 under the associated law",
                                                p->n, 3, values, error);
    free(values);
    return status;
}

dls_status dls_write_matrix_market(const dls_problem *p, const double *solution, const char *path, dls_error *error)
{
    const size_t n = p->n;
    char last[DLS_PATH_MAX];
    (void)solution;
    DLS_TRY(part_path(path, "A", last, error));
    DLS_TRY(dls_output_check(last, error)); /* before other files of the set, which may be the input, are replaced */
    double *A = calloc(n * n + n + 1, sizeof *A), *b = A ? A + n * n : NULL;
    if (!A)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a matrix of %zu rows", n);
    for (size_t j = 0; j < n; j++) {
        dls_foreign_column(p, j, A + n * j);
        b[j] = -p->c[j];
    }
    dls_status status = put_part(path, "b", "b of w = A lambda + b [m/s, rad/s]", n, 1, b, error);
    if (status == DLS_OK)
        status = dls_matrix_set_write_bounds(p, path, error);
    if (status == DLS_OK) /* last, since a set is found by its file of A */
        status = put_part(path, "A", "A of w = A lambda + b", n, n, A, error);
    free(A);
    return status;
}
