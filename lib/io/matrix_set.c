/* A problem as a set of Matrix Market files, as 'delassus dump' writes them and other programs can:
 *     STEM.A.mtx          n x n, w = A lambda + b
 *     STEM.b.mtx          n
 *     STEM.lo.mtx, .hi    n each; without them an LCP: 0 and infinity
 *     STEM.coupling.mtx   n x 3: the normal row of a friction row, counted from 1 (0: no friction row), mu, and 1 where it
 *                         is a tangent of Coulomb's cone
 * with any STEM, or none and no dot. The set goes by the name of A's file. */
#include "formats.h"

#include "matrix_set.h"

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

/* Whether the name is A.mtx or ends so behind a character that divides words. */
static bool is_of_A(const char *name)
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
        return dls_fail_at(error, DLS_BAD_INPUT, path, 0, 0, NULL, "%zu x %zu; A has %zu rows, so %zu x %zu is needed",
                           rows, width, s->n, s->n, columns);
    return status;
}

static dls_status read_parts(set *s, const char *text, size_t size, dls_error *error)
{
    size_t rows, columns;
    DLS_TRY(dls_matrix_market_parse(text, size, s->name, false, &rows, &columns, &s->A, error));
    if (rows != columns)
        return dls_fail_at(error, DLS_BAD_INPUT, s->name, 0, 0, NULL, "%zu x %zu; A is square", rows, columns);
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
    if (parent == 0.0)
        return DLS_OK;
    if (!(parent >= 1.0 && parent <= (double)s->n && parent == floor(parent)) || (cone != 0.0 && cone != 1.0))
        return dls_fail_at(error, DLS_BAD_INPUT, s->name, 0, 0, "coupling",
                           "row %zu: %g, %g, %g; needed are a row from 1 to %zu or 0, mu, and 0 or 1", i + 1, parent,
                           mu, cone, s->n);
    p->parent[i] = (size_t)parent - 1;
    p->mu[i] = mu;
    p->law[i] = cone == 1.0 ? DLS_LAW_CONE : DLS_LAW_BOX;
    p->lo[i] = p->hi[i] = 0.0;
    p->n_coupled++;
    p->n_cone += cone == 1.0;
    return DLS_OK;
}

static dls_status fill(const set *s, dls_problem *p, dls_error *error)
{
    for (size_t i = 0; s->coupling && i < s->n; i++)
        DLS_TRY(couple_row(s, p, i, error));
    dls_error why;
    dls_status status = dls_problem_check(p, &why);
    return status == DLS_OK ? status : dls_fail_at(error, status, s->name, 0, 0, NULL, "%s", why.message);
}

dls_status dls_read_matrix_market(const char *text, size_t size, const char *name, dls_content *content, size_t *end,
                                  dls_error *error)
{
    set s = {.name = name};
    *end = size;
    if (!is_of_A(name) || strlen(name) >= DLS_PATH_MAX)
        return dls_fail_at(
            error, DLS_REFUSED, name, 0, 0, NULL,
            "one matrix is no problem; name the folder, or the file of A (STEM.%s), beside which STEM.b.mtx "
            "stands",
            ending);
    dls_status status = read_parts(&s, text, size, error);
    if (status == DLS_OK)
        status = dls_problem_from_matrix(s.n, s.A, s.b, s.lo, s.hi, &content->problem, error);
    if (status == DLS_OK)
        status = fill(&s, content->problem, error);
    if (status != DLS_OK) {
        dls_problem_destroy(content->problem);
        content->problem = NULL;
    }
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
        return dls_fail_at(error, DLS_IO, folder, 0, 0, NULL, "cannot read: %s", strerror(errno));
    for (struct dirent *entry; (entry = readdir(stream));) {
        if (!is_of_A(entry->d_name))
            continue;
        char *larger = !*first || strcmp(entry->d_name, first) < 0 ? first : second;
        if (larger == first)
            strcpy(second, first);
        if (larger == first || !*second || strcmp(entry->d_name, second) < 0)
            strcpy(larger, entry->d_name);
    }
    closedir(stream);
    if (!*first)
        return dls_fail_at(error, DLS_IO, folder, 0, 0, NULL,
                           "is a folder, not a file, and holds no problem in Matrix Market: no file STEM.%s", ending);
    if (*second)
        return dls_fail_at(error, DLS_BAD_INPUT, folder, 0, 0, NULL,
                           "a folder of several problems; name one of them: %s, %s, ...", first, second);
    return snprintf(path, DLS_PATH_MAX, "%s/%s", folder, first) < DLS_PATH_MAX
               ? DLS_OK
               : dls_fail_at(error, DLS_IO, folder, 0, 0, NULL, "the name is too long");
}
