/* Problems as JSON, in two dialects, told apart by `findex`:
 *
 *     json    {"A": [[...], ...], "b": [...], "lo", "hi", "parent", "law", "mu"}      w = A lambda + b
 *     dart    {"A": [[...], ...], "b": [...], "lo", "hi", "findex": [...]}            A x = b + w
 *
 * A by rows; the names M and q of the literature on LCPs are read as A and b, and a column [[1], [2]] as a vector. Of
 * lo, null is minus infinity, of hi infinity, which Python writes -Infinity and Infinity; both missing: 0 and infinity.
 * `parent` is the normal row of a friction row, counted from 0, else null; `law` "box", "cone" or "associated" (law.h).
 * A row without a
 * parent has neither law nor mu. In the signs of DART's and ODE's LCPs b is -b, and where findex[i] is not -1, row i
 * lies between -hi_i |x_findex| and hi_i |x_findex|: hi_i is its mu. */
#include "file.h"
#include "formats.h"
#include "json_text.h"
#include "writers.h"

#include "base/text.h"
#include "delassus/field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- reading --- */

typedef struct source {
    dls_scan *scan;
    json_t *object;
    size_t n;
    const char *A, *b; /* their keys */
} source;

static dls_status json_fail(const source *s, const char *key, const char *why)
{
    return dls_scan_fail(s->scan, DLS_BAD_INPUT, key, "%s", why);
}

/* Makes a vector of a column [[1], [2]]. */
static dls_status flatten_column(const source *s, const char *key, json_t *array)
{
    const bool column = json_is_array(json_array_get(array, 0));
    for (size_t i = 0; i < s->n; i++) {
        const json_t *entry = json_array_get(array, i);
        if (column && (!json_is_array(entry) || json_array_size(entry) != 1))
            return dls_scan_fail(s->scan, DLS_BAD_INPUT, key, "entry %zu is not one number in brackets, as in a column",
                                 i);
        if (column && json_array_set(array, i, json_array_get(entry, 0)) != 0)
            return dls_scan_fail(s->scan, DLS_NO_MEMORY, key, "no memory for a vector");
    }
    return DLS_OK;
}

/* An array of as many entries as there are rows; *array is NULL where it may be missing, and is. */
static dls_status find_array(const source *s, const char *key, bool needed, const json_t **array)
{
    json_t *found = json_object_get(s->object, key);
    *array = found;
    if (!found)
        return needed ? json_fail(s, key, "is not there") : DLS_OK;
    if (!json_is_array(found))
        return json_fail(s, key, "is no array");
    return json_array_size(found) == s->n
               ? flatten_column(s, key, found)
               : dls_scan_fail(s->scan, DLS_BAD_INPUT, key, "has %zu entries; %s has %zu rows", json_array_size(found),
                               s->A, s->n);
}

/* Numbers, every `stride`-th of x. Where `null` is NaN they are finite, else bounds: null is `null`. */
static dls_status read_numbers(const source *s, const char *key, const json_t *array, double null, size_t stride,
                               double *x)
{
    for (size_t i = 0; i < s->n; i++) {
        const json_t *entry = json_array_get(array, i);
        double value = null;
        if (!json_is_null(entry) && !dls_json_real(entry, &value))
            return dls_scan_fail(s->scan, DLS_BAD_INPUT, key, "entry %zu is no number", i);
        if (isnan(null) && !isfinite(value))
            return dls_scan_fail(s->scan, DLS_NOT_FINITE, key, "entry %zu is %s: no finite number", i,
                                 json_is_null(entry) ? "null" : "infinite");
        x[i * stride] = value;
    }
    return DLS_OK;
}

static dls_status read_vector(const source *s, const char *key, bool needed, double null, double fallback, double *x)
{
    const json_t *array;
    DLS_TRY(find_array(s, key, needed, &array));
    for (size_t i = 0; !array && i < s->n; i++)
        x[i] = fallback;
    return array ? read_numbers(s, key, array, null, 1, x) : DLS_OK;
}

static dls_status read_matrix(const source *s, const json_t *rows, double *A)
{
    for (size_t i = 0; i < s->n; i++) {
        const json_t *row = json_array_get(rows, i);
        if (!json_is_array(row))
            return dls_scan_fail(s->scan, DLS_BAD_INPUT, s->A, "row %zu is no array of numbers", i);
        if (json_array_size(row) != s->n)
            return dls_scan_fail(s->scan, DLS_BAD_INPUT, s->A,
                                 "row %zu has %zu numbers; the matrix has %zu rows, and must be square", i,
                                 json_array_size(row), s->n);
        DLS_TRY(read_numbers(s, s->A, row, NAN, s->n, A + i));
    }
    return DLS_OK;
}

/* A whole number below n in an array of such, or null or `none`. */
static dls_status row_index(const source *s, const char *key, const json_t *entry, size_t *row)
{
    *row = DLS_NONE;
    if (json_is_null(entry) || (json_is_integer(entry) && json_integer_value(entry) == -1))
        return DLS_OK;
    if (!json_is_integer(entry) || json_integer_value(entry) < 0 || (size_t)json_integer_value(entry) >= s->n)
        return dls_scan_fail(s->scan, DLS_BAD_INPUT, key, "an entry is no row from 0 to %zu", s->n - 1);
    *row = (size_t)json_integer_value(entry);
    return DLS_OK;
}

static void couple_row(dls_problem *p, size_t i, size_t parent, dls_law law, double mu)
{
    p->parent[i] = parent;
    p->law[i] = law;
    p->mu[i] = mu;
    p->lo[i] = p->hi[i] = 0.0;
    p->n_coupled++;
    p->n_cone += dls_law_has_discs(law);
}

/* Row i has no parent: a law or a coefficient that it has would be lost. */
static dls_status check_uncoupled(const source *s, size_t i, const json_t *law, const json_t *mu)
{
    if (law && !json_is_null(law))
        return dls_scan_fail(s->scan, DLS_BAD_INPUT, "law",
                             "row %zu has a friction law, and no parent; name its normal row in 'parent', or write "
                             "null",
                             i);
    if (mu && !json_is_null(mu) && !(json_is_number(mu) && json_number_value(mu) == 0.0))
        return dls_scan_fail(s->scan, DLS_BAD_INPUT, "mu",
                             "row %zu has a friction coefficient, and no parent; name its normal row in 'parent', or "
                             "write 0",
                             i);
    return DLS_OK;
}

static const char *const law_words[] = {
    [DLS_LAW_BOX] = "box", [DLS_LAW_CONE] = "cone", [DLS_LAW_ASSOCIATED] = "associated"};

static bool find_law(const char *word, dls_law *law)
{
    for (dls_law k = DLS_LAW_BOX; word && k <= DLS_LAW_ASSOCIATED; k++)
        if (strcmp(word, law_words[k]) == 0) {
            *law = k;
            return true;
        }
    return false;
}

static dls_status read_friction(const source *s, dls_problem *p)
{
    const json_t *parents, *laws, *mu;
    DLS_TRY(find_array(s, "parent", false, &parents));
    DLS_TRY(find_array(s, "law", false, &laws));
    DLS_TRY(find_array(s, "mu", parents != NULL, &mu));
    for (size_t i = 0; i < s->n; i++) {
        size_t parent = DLS_NONE;
        if (parents)
            DLS_TRY(row_index(s, "parent", json_array_get(parents, i), &parent));
        if (parent == DLS_NONE) {
            DLS_TRY(check_uncoupled(s, i, json_array_get(laws, i), json_array_get(mu, i)));
            continue;
        }
        dls_law law = DLS_LAW_BOX;
        if (laws && !find_law(json_string_value(json_array_get(laws, i)), &law))
            return dls_scan_fail(s->scan, DLS_BAD_INPUT, "law",
                                 "entry %zu is neither \"box\" nor \"cone\" nor \"associated\"", i);
        if (!json_is_number(json_array_get(mu, i)))
            return dls_scan_fail(s->scan, DLS_BAD_INPUT, "mu", "entry %zu is no number", i);
        couple_row(p, i, parent, law, json_number_value(json_array_get(mu, i)));
    }
    return DLS_OK;
}

static dls_status read_findex(const source *s, dls_problem *p)
{
    const json_t *array;
    DLS_TRY(find_array(s, "findex", true, &array));
    for (size_t i = 0; i < s->n; i++) {
        size_t parent;
        DLS_TRY(row_index(s, "findex", json_array_get(array, i), &parent));
        if (parent == DLS_NONE)
            continue;
        if (!isfinite(p->hi[i]) || p->hi[i] < 0.0)
            return dls_scan_fail(s->scan, DLS_BAD_INPUT, "hi",
                                 "entry %zu is the friction coefficient of its row: it must "
                                 "be finite, and not negative",
                                 i);
        couple_row(p, i, parent, DLS_LAW_BOX, p->hi[i]);
    }
    return DLS_OK;
}

/* A key that means nothing here is a mistake. */
static dls_status check_keys(const source *s, bool dart)
{
    static const char *const keys[] = {"A",    "b",       "M",      "q",   "lo", "hi", "n",
                                       "name", "lambda0", "parent", "law", "mu", NULL};
    static const char *const dart_keys[] = {"A", "b", "lo", "hi", "n", "name", "findex", "x", "w", NULL};
    const char *key;
    json_t *value;
    json_object_foreach(s->object, key, value)
    {
        size_t k = 0;
        const char *const *known = dart ? dart_keys : keys;
        while (known[k] && strcmp(known[k], key) != 0)
            k++;
        if (!known[k])
            return dls_scan_fail(s->scan, DLS_BAD_INPUT, NULL, "'%.60s' is no member of a problem; these are A, b%s",
                                 key, dart ? ", lo, hi, findex" : " (or M, q), lo, hi, parent, law, mu");
    }
    return DLS_OK;
}

/* The key of an array that has two names. */
static dls_status choose_key(const source *s, const char *name, const char *other, const char **key)
{
    const bool both = json_object_get(s->object, name) && json_object_get(s->object, other);
    *key = json_object_get(s->object, other) ? other : name;
    return both ? dls_scan_fail(s->scan, DLS_BAD_INPUT, other, "%s and %s are two names of the same; give one", name,
                                other)
                : DLS_OK;
}

static dls_status read_problem(source *s, bool dart, dls_arena *memory, dls_problem **problem)
{
    DLS_TRY(check_keys(s, dart));
    DLS_TRY(choose_key(s, "A", "M", &s->A));
    DLS_TRY(choose_key(s, "b", "q", &s->b));
    const json_t *rows = json_object_get(s->object, s->A);
    if (!json_is_array(rows))
        return json_fail(s, s->A, rows ? "is no array of rows" : "is not there");
    s->n = json_array_size(rows);
    const size_t n = s->n;
    if (n == 0)
        return json_fail(s, s->A, "has no rows: there is nothing to solve");
    double *A = DLS_TAKE(memory, double, n *n), *b = DLS_TAKE(memory, double, n), *lo = DLS_TAKE(memory, double, n),
           *hi = DLS_TAKE(memory, double, n);
    if (memory->failed)
        return dls_scan_fail(s->scan, DLS_NO_MEMORY, NULL, "no memory for a matrix of %zu rows", n);
    DLS_TRY(read_matrix(s, rows, A));
    DLS_TRY(read_vector(s, s->b, true, NAN, 0.0, b));
    DLS_TRY(read_vector(s, "lo", false, -HUGE_VAL, 0.0, lo));
    DLS_TRY(read_vector(s, "hi", false, HUGE_VAL, HUGE_VAL, hi));
    for (size_t i = 0; dart && i < n; i++)
        b[i] = -b[i];
    for (size_t i = 0; i < n; i++)
        if (!(lo[i] <= hi[i]))
            return dls_scan_fail(s->scan, DLS_BAD_INPUT, "lo", "entry %zu is above hi: %g, %g", i, lo[i], hi[i]);
    DLS_TRY(dls_problem_from_matrix(n, A, b, lo, hi, problem, s->scan->error));
    DLS_TRY((dart ? read_findex : read_friction)(s, *problem));
    return dls_problem_check(*problem, s->scan->error);
}

static dls_status read_object(dls_scan *scan, bool dart, dls_problem **problem)
{
    dls_arena memory = {0};
    json_t *value = NULL;
    dls_status status = dls_json_next(scan, &value);
    source s = {.scan = scan, .object = value};
    if (status == DLS_OK && !json_is_object(value))
        status = json_fail(&s, NULL, "no object with A and b");
    if (status == DLS_OK && (json_object_get(value, "findex") != NULL) != dart)
        status =
            json_fail(&s, "findex", dart ? "is not there: this is 'json', not 'dart'" : "this is 'dart', not 'json'");
    if (status == DLS_OK && !dls_scan_at_end(scan)) {
        scan->token = scan->at;
        status = json_fail(&s, NULL, "something follows the end of the problem");
    }
    if (status == DLS_OK)
        status = read_problem(&s, dart, &memory, problem);
    json_decref(value);
    dls_arena_release(&memory);
    return status;
}

static dls_status read_dialect(bool dart, const char *text, size_t size, const char *name, dls_content *content,
                               size_t *end, dls_error *error)
{
    char *copy;
    *end = size;
    DLS_TRY(dls_text_check(text, size, name, error));
    dls_scan scan = dls_scan_begin(text, size, name, false, error);
    dls_status status = dls_json_begin(&scan, &copy);
    if (status == DLS_OK)
        status = read_object(&scan, dart, &content->problem);
    free(copy);
    return status == DLS_OK ? DLS_OK : dls_fail_place(error, status, name, 0, 0, NULL);
}

dls_status dls_read_json(const char *text, size_t size, const char *name, dls_content *content, size_t *end,
                         dls_error *error)
{
    return read_dialect(false, text, size, name, content, end, error);
}

dls_status dls_read_dart(const char *text, size_t size, const char *name, dls_content *content, size_t *end,
                         dls_error *error)
{
    return read_dialect(true, text, size, name, content, end, error);
}

/* True if the text begins with a bracket and is no scene in YAML's flow style. */
static bool is_object(const char *text, size_t size)
{
    size_t i = 0;
    while (i < size && strchr(" \t\r\n", text[i]) && text[i])
        i++;
    return i < size && (text[i] == '{' || text[i] == '[') && !dls_is_scene(text, size);
}

static bool names_findex(const char *text, size_t size)
{
    static const char key[] = "\"findex\"";
    for (size_t i = 0; i + sizeof key - 1 <= size; i++)
        if (memcmp(text + i, key, sizeof key - 1) == 0)
            return true;
    return false;
}

bool dls_is_json(const char *text, size_t size) { return is_object(text, size) && !names_findex(text, size); }

bool dls_is_dart(const char *text, size_t size) { return is_object(text, size) && names_findex(text, size); }

/* --- writing --- */

static void put_numbers(FILE *to, const char *key, size_t n, const double *x, double sign)
{
    fprintf(to, ",\n\"%s\": [", key);
    for (size_t i = 0; i < n; i++)
        if (isfinite(x[i]))
            fprintf(to, "%s%.17g", i ? ", " : "", sign * x[i] + 0.0);
        else
            fprintf(to, "%snull", i ? ", " : "");
    fputc(']', to);
}

/* The normal row of each friction row; `none` for other rows. */
static void put_parents(FILE *to, const char *key, const dls_problem *p, const char *none)
{
    fprintf(to, ",\n\"%s\": [", key);
    for (size_t i = 0; i < p->n; i++)
        if (p->parent[i] == DLS_NONE)
            fprintf(to, "%s%s", i ? ", " : "", none);
        else
            fprintf(to, "%s%zu", i ? ", " : "", p->parent[i]);
    fputc(']', to);
}

static void put_A(FILE *to, const dls_problem *p, double *row)
{
    fprintf(to, "{\"n\": %zu,\n\"A\": [", p->n);
    for (size_t i = 0; i < p->n; i++) {
        memset(row, 0, p->n * sizeof *row);
        dls_rows_axpy(&p->J, i, 1.0, row);
        row[i] += p->gamma[i];
        for (size_t j = 0; j < p->n; j++)
            fprintf(to, "%s%.17g", j ? ", " : i ? ",\n [" : "[", row[j] + 0.0);
        fputc(']', to);
    }
    fputc(']', to);
}

static void put_json(FILE *to, const dls_problem *p, const double *start, double *room)
{
    const size_t n = p->n;
    put_A(to, p, room);
    put_numbers(to, "b", n, p->c, -1.0);
    put_numbers(to, "lo", n, p->lo, 1.0);
    put_numbers(to, "hi", n, p->hi, 1.0);
    put_numbers(to, "mu", n, p->mu, 1.0);
    put_parents(to, "parent", p, "null");
    fputs(",\n\"law\": [", to);
    for (size_t i = 0; i < n; i++)
        if (p->parent[i] == DLS_NONE)
            fprintf(to, "%snull", i ? ", " : "");
        else
            fprintf(to, "%s\"%s\"", i ? ", " : "", law_words[p->law[i]]);
    fputc(']', to);
    if (start)
        put_numbers(to, "lambda0", n, start, 1.0);
    fputs("}\n", to);
}

static void put_dart(FILE *to, const dls_problem *p, double *room)
{
    const size_t n = p->n;
    put_A(to, p, room);
    put_numbers(to, "b", n, p->c, 1.0);
    for (size_t i = 0; i < n; i++)
        room[i] = p->parent[i] == DLS_NONE ? p->lo[i] : -p->mu[i];
    put_numbers(to, "lo", n, room, 1.0);
    for (size_t i = 0; i < n; i++)
        room[i] = p->parent[i] == DLS_NONE ? p->hi[i] : p->mu[i];
    put_numbers(to, "hi", n, room, 1.0);
    put_parents(to, "findex", p, "-1");
    fputs("}\n", to);
}

static void put_without_start(FILE *to, const dls_problem *p, double *room) { put_json(to, p, NULL, room); }

dls_status dls_write_json(const dls_problem *p, const double *solution, const char *path, dls_error *error)
{
    (void)solution;
    return dls_write_text(p, path, put_without_start, error);
}

dls_status dls_problem_print_json(const dls_problem *p, const double *start, FILE *to, dls_error *error)
{
    dls_problem *matrix;
    DLS_TRY(dls_problem_check(p, error));
    DLS_TRY(dls_problem_matrix_form(p, &matrix, error));
    double *room = calloc(p->n + 1, sizeof *room);
    if (room) {
        const locale_t before = dls_locale_begin();
        put_json(to, matrix, start, room);
        dls_locale_end(before);
    }
    free(room);
    dls_problem_destroy(matrix);
    return room ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for a row of %zu numbers", p->n);
}

dls_status dls_write_dart(const dls_problem *p, const double *solution, const char *path, dls_error *error)
{
    (void)solution;
    return dls_write_text(p, path, put_dart, error);
}
