/* A contact problem of ContactBench as numpy's archive: G (3 k x 3 k), g (3 k) and mus (k), of k contacts, each two
 * tangents, then the normal: c = G lambda + g. Other arrays of the archive, such as a start lam0, are ignored. */
#include "foreign.h"
#include "npy.h"
#include "writers.h"
#include "zip.h"

#include "delassus/table.h"

#include <string.h>

static const char matrix[] = "G.npy", vector[] = "g.npy", coefficients[] = "mus.npy";

bool dls_is_contactbench_npz(const char *text, size_t size) { return dls_is_zip(text, size); }

typedef struct source {
    const char *text;
    size_t size;
    const char *file;
    dls_arena *memory;
    dls_error *error;
} source;

static dls_status take_array(const source *s, const char *member, dls_npy *array)
{
    const unsigned char *data;
    size_t length;
    DLS_TRY(dls_zip_find(s->text, s->size, s->file, member, s->memory, &data, &length, s->error));
    if (!data)
        return dls_fail_about(s->error, DLS_BAD_INPUT, s->file, member,
                              "is not in the archive; a problem of ContactBench has the arrays G, g and mus");
    return dls_npy_parse(data, length, s->file, member, s->memory, array, s->error);
}

/* A vector of n numbers: (n,), (n, 1) or (1, n). */
static bool is_vector(const dls_npy *a, size_t n)
{
    return a->count == n && (a->dimensions == 1 || (a->dimensions == 2 && (a->shape[0] == 1 || a->shape[1] == 1)));
}

static dls_status check_arrays(const source *s, const dls_npy *G, const dls_npy *g, const dls_npy *mus)
{
    if (G->dimensions != 2 || G->shape[0] != G->shape[1] || G->shape[0] % 3 != 0 || G->shape[0] == 0)
        return dls_fail_about(s->error, DLS_BAD_INPUT, s->file, matrix,
                              "must be a square matrix of three rows for each contact");
    if (!is_vector(g, G->shape[0]))
        return dls_fail_about(s->error, DLS_BAD_INPUT, s->file, vector,
                              "must be a vector of %zu numbers, as many as G has rows", G->shape[0]);
    if (!is_vector(mus, G->shape[0] / 3))
        return dls_fail_about(s->error, DLS_BAD_INPUT, s->file, coefficients,
                              "must be a vector of %zu numbers, one for each contact", G->shape[0] / 3);
    for (size_t k = 0; k < mus->count; k++)
        if (!(mus->values[k] >= 0.0))
            return dls_fail_about(s->error, DLS_BAD_INPUT, s->file, coefficients,
                                  "the coefficient of contact %zu is negative", k);
    return DLS_OK;
}

static dls_status read_arrays(const source *s, dls_content *content)
{
    dls_npy G, g, mus;
    dls_foreign found = {.mu = NULL};
    DLS_TRY(take_array(s, matrix, &G));
    DLS_TRY(take_array(s, vector, &g));
    DLS_TRY(take_array(s, coefficients, &mus));
    DLS_TRY(check_arrays(s, &G, &g, &mus));
    DLS_TRY(dls_foreign_contactbench(s->memory, mus.count, true, G.values, g.values, mus.values, &found, s->error));
    return dls_foreign_problem(&found, s->file, &content->problem, s->error);
}

dls_status dls_read_contactbench_npz(const char *text, size_t size, const char *name, dls_content *content, size_t *end,
                                     dls_error *error)
{
    dls_arena memory = {0};
    const source s = {text, size, name, &memory, error};
    *end = size;
    dls_status status = dls_is_zip(text, size)
                            ? read_arrays(&s, content)
                            : dls_fail_about(error, DLS_BAD_INPUT, name, NULL, "is no archive of numpy (.npz)");
    dls_arena_release(&memory);
    return status == DLS_OK ? DLS_OK : dls_fail_place(error, status, name, 0, 0, NULL);
}

/* --- writing --- */

/* G, g and mus of a problem, one after another; the normal of a contact comes after its tangents. */
static void fill_arrays(const dls_problem *p, double *row, double *values)
{
    static const size_t order[] = {1, 2, 0};
    const size_t n = p->n;
    double *g = values + n * n, *mu = g + n;
    for (size_t i = 0; i < n; i++) {
        const size_t from = i - i % 3 + order[i % 3];
        memset(row, 0, n * sizeof *row);
        dls_rows_axpy(&p->J, from, 1.0, row);
        row[from] += p->gamma[from];
        for (size_t j = 0; j < n; j++)
            values[i * n + j] = row[j - j % 3 + order[j % 3]];
        g[i] = -p->c[from] + 0.0;
        mu[i / 3] = p->mu[i - i % 3 + 1];
    }
}

dls_status dls_write_contactbench_npz(const dls_problem *p, const double *solution, const char *path, dls_error *error)
{
    const size_t n = p->n, shapes[3][2] = {{n, n}, {n, 1}, {n / 3, 0}};
    dls_arena memory = {0};
    dls_output output;
    (void)solution;
    unsigned char *bytes[3];
    double *values = DLS_TAKE(&memory, double, n *n + n + n / 3), *row = DLS_TAKE(&memory, double, n);
    dls_zip_part parts[3] = {{.name = matrix}, {.name = vector}, {.name = coefficients}};
    for (size_t k = 0; k < 3; k++) {
        parts[k].length = dls_npy_print(NULL, k == 2 ? 1 : 2, shapes[k], NULL);
        parts[k].data = bytes[k] = DLS_TAKE(&memory, unsigned char, parts[k].length);
    }
    if (memory.failed) {
        dls_arena_release(&memory);
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a matrix of %zu rows", n);
    }
    fill_arrays(p, row, values);
    const double *at[3] = {values, values + n * n, values + n * n + n};
    for (size_t k = 0; k < 3; k++)
        dls_npy_print(at[k], k == 2 ? 1 : 2, shapes[k], bytes[k]);
    dls_status status = dls_output_open(&output, path, error);
    if (status == DLS_OK) {
        dls_zip_print(parts, 3, output.stream);
        status = dls_output_commit(&output, error);
    }
    dls_arena_release(&memory);
    return status;
}
