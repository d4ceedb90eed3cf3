/* Problems of FCLIB, the collection of frictional contact problems (HDF5): the local form u = W r + q.
 *
 *     /fclib_local/spacedim        3
 *     /fclib_local/vectors/{q,mu}  n, n / 3
 *     /fclib_local/W/{m,n,nz,nzmax,p,i,x}  CSparse: nz = -1 columns compressed (p their starts, i the rows), -2 rows
 * compressed (i the columns), from 0 up that many triplets (i rows, p columns; equal places add up) /solution/{u,r}
 * optional
 *
 * The file is opened in memory: HDF5 touches no disk. */
#include "foreign.h"

#include "delassus/table.h"

#include <hdf5.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { PER_CONTACT = 3, ROWS_MAX = 8192 /* W is made dense on the way */ };

bool dls_fclib_available(void) { return true; }

/* HDF5 wants a name for a file in memory, and none that a file on disk has. */
#define IN_MEMORY "/dev/null/fclib"

/* Between the two HDF5, which is not made for several threads, is this one's, and its messages to standard error are
 * off. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

typedef struct quiet {
    H5E_auto2_t print;
    void *context;
} quiet;

static quiet hush(void)
{
    quiet q;
    pthread_mutex_lock(&lock);
    H5Eget_auto2(H5E_DEFAULT, &q.print, &q.context);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return q;
}

static void unhush(quiet q)
{
    H5Eset_auto2(H5E_DEFAULT, q.print, q.context);
    pthread_mutex_unlock(&lock);
}

/* --- reading --- */

typedef struct source {
    hid_t file;
    const char *path;
    dls_arena memory; /* of all arrays */
    dls_error *error;
} source;

static dls_status bad(const source *s, const char *what, const char *why)
{
    return dls_fail_at(s->error, DLS_BAD_INPUT, s->path, 0, 0, what, "%s", why);
}

/* Whether every group on the way to `name` is there. */
static bool has(const source *s, const char *name)
{
    char part[64];
    for (size_t i = 1; i <= strlen(name); i++) {
        if (name[i] != '/' && name[i] != '\0')
            continue;
        memcpy(part, name, i);
        part[i] = '\0';
        if (H5Lexists(s->file, part, H5P_DEFAULT) <= 0)
            return false;
    }
    return true;
}

/* A dataset of numbers of one class, `count` of them. Reals that are wider than doubles are refused: HDF5 would make 0 or
 * infinity of those beyond a double's range without a word. */
static dls_status read_array(source *s, const char *name, H5T_class_t class, hid_t type, size_t size, void **values,
                             size_t *count)
{
    hid_t set = has(s, name) ? H5Dopen2(s->file, name, H5P_DEFAULT) : -1;
    if (set < 0)
        return bad(s, name, "is not there");
    hid_t space = H5Dget_space(set), kind = H5Dget_type(set);
    hssize_t points = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    dls_status status = DLS_OK;
    if (points < 0 || (size_t)points > DLS_FILE_MAX / size || kind < 0 || H5Tget_class(kind) != class)
        status = bad(s, name, "is not an array of numbers as it should be");
    else if (class == H5T_FLOAT && H5Tget_size(kind) > sizeof(double))
        status = bad(s, name, "has numbers wider than 64 bits; store them as doubles");
    *count = status == DLS_OK ? (size_t)points : 0;
    if (status == DLS_OK && !(*values = dls_arena_take(&s->memory, *count, size)))
        status = dls_fail(s->error, DLS_NO_MEMORY, "no memory for %zu numbers", *count);
    if (status == DLS_OK && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *values) < 0)
        status = bad(s, name, "cannot be read");
    H5Tclose(kind);
    H5Sclose(space);
    H5Dclose(set);
    return status;
}

static dls_status read_reals(source *s, const char *name, size_t count, double **values)
{
    void *memory;
    size_t found;
    DLS_TRY(read_array(s, name, H5T_FLOAT, H5T_NATIVE_DOUBLE, sizeof(double), &memory, &found));
    *values = memory;
    return found == count ? DLS_OK
                          : dls_fail_at(s->error, DLS_BAD_INPUT, s->path, 0, 0, name, "has %zu numbers instead of %zu",
                                        found, count);
}

static dls_status read_wholes(source *s, const char *name, int **values, size_t *count)
{
    void *memory;
    DLS_TRY(read_array(s, name, H5T_INTEGER, H5T_NATIVE_INT, sizeof(int), &memory, count));
    *values = memory;
    return DLS_OK;
}

static dls_status read_whole(source *s, const char *name, int *value)
{
    int *values;
    size_t count;
    DLS_TRY(read_wholes(s, name, &values, &count));
    if (count != 1)
        return bad(s, name, "must be one number");
    *value = values[0];
    return DLS_OK;
}

/* W as CSparse stores it. */
typedef struct sparse {
    int m, n, nz, *p, *i;
    size_t p_count, i_count, count;
    double *x;
} sparse;

static bool within(int index, size_t end) { return index >= 0 && (size_t)index < end; }

/* Entry k of the compressed line `line` into the dense n x n matrix, columns one behind another. */
static bool add_entry(const sparse *W, size_t k, size_t line, double *dense)
{
    size_t n = (size_t)W->n, other = (size_t)W->i[k];
    if (!within(W->i[k], n))
        return false;
    dense[W->nz == -1 ? line * n + other : other * n + line] += W->x[k];
    return true;
}

static bool expand_compressed(const sparse *W, double *dense)
{
    size_t n = (size_t)W->n;
    if (W->p_count != n + 1 || W->p[0] != 0 || !within(W->p[n], W->count + 1))
        return false;
    for (size_t line = 0; line < n; line++) {
        if (W->p[line + 1] < W->p[line] || !within(W->p[line + 1], W->count + 1))
            return false;
        for (size_t k = (size_t)W->p[line]; k < (size_t)W->p[line + 1]; k++)
            if (!add_entry(W, k, line, dense))
                return false;
    }
    return true;
}

static bool expand_triplets(const sparse *W, double *dense)
{
    size_t n = (size_t)W->n;
    if (!within(W->nz, W->count + 1) || W->p_count < (size_t)W->nz)
        return false;
    for (size_t k = 0; k < (size_t)W->nz; k++) {
        if (!within(W->i[k], n) || !within(W->p[k], n))
            return false;
        dense[(size_t)W->p[k] * n + (size_t)W->i[k]] += W->x[k];
    }
    return true;
}

static dls_status read_sparse(source *s, sparse *W)
{
    DLS_TRY(read_whole(s, "/fclib_local/W/m", &W->m));
    DLS_TRY(read_whole(s, "/fclib_local/W/n", &W->n));
    DLS_TRY(read_whole(s, "/fclib_local/W/nz", &W->nz));
    DLS_TRY(read_wholes(s, "/fclib_local/W/p", &W->p, &W->p_count));
    DLS_TRY(read_wholes(s, "/fclib_local/W/i", &W->i, &W->i_count));
    W->count = W->i_count;
    DLS_TRY(read_reals(s, "/fclib_local/W/x", W->count, &W->x));
    if (W->m != W->n || W->n < 0 || W->n > ROWS_MAX || W->n % PER_CONTACT != 0)
        return dls_fail_at(s->error, DLS_BAD_INPUT, s->path, 0, 0, "/fclib_local/W",
                           "is %d x %d; it must be square, with three rows a contact and at most %d", W->m, W->n,
                           ROWS_MAX);
    return W->nz >= -2 ? DLS_OK : bad(s, "/fclib_local/W/nz", "must be -2, -1 or a number of triplets");
}

static dls_status read_matrix(source *s, dls_foreign_matrix *A)
{
    sparse W;
    DLS_TRY(read_sparse(s, &W));
    size_t n = (size_t)W.n;
    DLS_TRY(dls_foreign_dense_create(&s->memory, n, n, A, s->error));
    dls_foreign_block *block = &A->blocks[0];
    block->row_step = 1, block->column_step = n;
    block->values = DLS_TAKE_ZEROS(&s->memory, double, n *n);
    if (!block->values)
        return dls_fail(s->error, DLS_NO_MEMORY, "no memory for a matrix of %zu rows", n);
    return (W.nz < 0 ? expand_compressed(&W, block->values) : expand_triplets(&W, block->values))
               ? DLS_OK
               : bad(s, "/fclib_local/W", "has indices that point nowhere");
}

static dls_status read_local(source *s, dls_foreign *to)
{
    double *mu;
    int dimension;
    if (!has(s, "/fclib_local"))
        return bad(s, "/fclib_local", "is not there: only the local form, u = W r + q, is read");
    if (has(s, "/fclib_local/V"))
        return dls_fail_at(s->error, DLS_REFUSED, s->path, 0, 0, "/fclib_local/V",
                           "equations beside the contacts are not read");
    DLS_TRY(read_whole(s, "/fclib_local/spacedim", &dimension));
    if (dimension != PER_CONTACT)
        return dls_fail_at(s->error, DLS_REFUSED, s->path, 0, 0, "/fclib_local/spacedim",
                           "contacts in dimension %d are not read; 3 is", dimension);
    DLS_TRY(read_matrix(s, &to->A));
    DLS_TRY(read_reals(s, "/fclib_local/vectors/q", to->A.rows, &to->b));
    DLS_TRY(read_reals(s, "/fclib_local/vectors/mu", to->A.rows / PER_CONTACT, &mu));
    return dls_foreign_contacts(&s->memory, to->A.rows / PER_CONTACT, mu, to, s->error);
}

static dls_status read_content(source *s, dls_content *content)
{
    dls_foreign found = {.mu = NULL};
    double *r;
    DLS_TRY(read_local(s, &found));
    DLS_TRY(dls_foreign_problem(&found, s->path, &content->problem, s->error));
    if (!has(s, "/solution/r"))
        return DLS_OK;
    DLS_TRY(read_reals(s, "/solution/r", found.A.rows, &r));
    content->stored = malloc((found.A.rows + 1) * sizeof *r);
    if (!content->stored)
        return dls_fail(s->error, DLS_NO_MEMORY, "no memory for %zu impulses", found.A.rows);
    memcpy(content->stored, r, found.A.rows * sizeof *r);
    return DLS_OK;
}

static dls_status read_image(const char *image, size_t size, const char *path, dls_content *content, dls_error *error)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    source s = {.file = -1, .path = path, .error = error};
    if (H5Pset_fapl_core(access, 1 << 16, false) >= 0 && H5Pset_file_image(access, (void *)image, size) >= 0)
        s.file = H5Fopen(IN_MEMORY, H5F_ACC_RDONLY, access);
    dls_status status = s.file < 0 ? dls_fail_at(error, DLS_BAD_INPUT, path, 0, 0, NULL, "is not an HDF5 file")
                                   : read_content(&s, content);
    dls_arena_release(&s.memory);
    if (s.file >= 0)
        H5Fclose(s.file);
    H5Pclose(access);
    return status;
}

dls_status dls_read_fclib(const char *image, size_t size, const char *name, dls_content *content, size_t *end,
                          dls_error *error)
{
    *end = size;
    quiet before = hush();
    dls_status status = read_image(image, size, name, content, error);
    unhush(before);
    if (status == DLS_OK)
        return DLS_OK;
    dls_content_release(content);
    return dls_fail_place(error, status, name, 0, 0, NULL);
}

/* --- writing --- */

/* A dataset without a time stamp: the same problem gives the same bytes. */
static bool put(hid_t group, const char *name, hid_t stored, hid_t type, size_t count, const void *values)
{
    hsize_t extent = count;
    hid_t space = H5Screate_simple(1, &extent, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(how, false);
    hid_t set = H5Dcreate2(group, name, stored, space, H5P_DEFAULT, how, H5P_DEFAULT);
    bool ok = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    H5Dclose(set);
    H5Pclose(how);
    H5Sclose(space);
    return ok;
}

static bool put_reals(hid_t group, const char *name, size_t count, const double *values)
{
    return put(group, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, values);
}

static bool put_wholes(hid_t group, const char *name, size_t count, const int *values)
{
    return put(group, name, H5T_STD_I32LE, H5T_NATIVE_INT, count, values);
}

/* What W needs, columns compressed, and the vectors; all of it counted before. */
typedef struct content {
    int n, nz, *p, *i;
    double *x, *q, *mu, *u;
} content;

static dls_status fill(const dls_problem *p, const double *r, dls_arena *memory, content *c, dls_error *error)
{
    size_t n = p->n, entries = p->J.n_blocks ? p->J.coef_at[p->J.n_blocks] + n : n, k = 0;
    if (n > ROWS_MAX)
        return dls_fail(error, DLS_REFUSED, "at most %d rows are written", ROWS_MAX);
    double *column = DLS_TAKE(memory, double, n);
    *c = (content){.n = (int)n,
                   .p = DLS_TAKE_ZEROS(memory, int, n + 1),
                   .i = DLS_TAKE(memory, int, entries),
                   .x = DLS_TAKE(memory, double, entries),
                   .q = DLS_TAKE(memory, double, n),
                   .mu = DLS_TAKE(memory, double, n),
                   .u = DLS_TAKE_ZEROS(memory, double, n)};
    if (memory->failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a matrix of %zu rows", n);
    for (size_t j = 0; j < n; j++) {
        dls_foreign_column(p, j, column);
        for (size_t i = 0; i < n; i++) {
            c->u[i] += r ? column[i] * r[j] : 0.0;
            if (column[i] != 0.0)
                c->i[k] = (int)i, c->x[k++] = column[i];
        }
        c->p[j + 1] = (int)k;
        c->q[j] = -p->c[j];
    }
    for (size_t i = 0; i < n; i++)
        c->u[i] += c->q[i];
    for (size_t i = 0; i < n; i += PER_CONTACT)
        c->mu[i / PER_CONTACT] = p->mu[i + 1];
    c->nz = (int)k;
    return DLS_OK;
}

static bool put_matrix(hid_t file, const content *c)
{
    const int columns = -1;
    hid_t group = H5Gcreate2(file, "/fclib_local/W", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool ok = group >= 0 && put_wholes(group, "m", 1, &c->n) && put_wholes(group, "n", 1, &c->n) &&
              put_wholes(group, "nz", 1, &columns) && put_wholes(group, "nzmax", 1, &c->nz) &&
              put_wholes(group, "p", (size_t)c->n + 1, c->p) && put_wholes(group, "i", (size_t)c->nz, c->i) &&
              put_reals(group, "x", (size_t)c->nz, c->x);
    H5Gclose(group);
    return ok;
}

static bool put_vectors(hid_t file, const content *c)
{
    size_t n = (size_t)c->n;
    hid_t group = H5Gcreate2(file, "/fclib_local/vectors", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool ok = group >= 0 && put_reals(group, "q", n, c->q) && put_reals(group, "mu", n / PER_CONTACT, c->mu);
    H5Gclose(group);
    return ok;
}

static bool put_solution(hid_t file, const content *c, const double *r)
{
    hid_t group = H5Gcreate2(file, "/solution", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool ok = group >= 0 && put_reals(group, "r", (size_t)c->n, r) && put_reals(group, "u", (size_t)c->n, c->u);
    H5Gclose(group);
    return ok;
}

static bool put_file(hid_t file, const content *c, const double *r)
{
    const int dimension = PER_CONTACT;
    hid_t group = H5Gcreate2(file, "/fclib_local", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool ok = group >= 0 && put_wholes(group, "spacedim", 1, &dimension) && put_matrix(file, c) &&
              put_vectors(file, c) && (!r || put_solution(file, c, r)) && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0;
    H5Gclose(group);
    return ok;
}

/* The bytes of the finished file, made in memory; NULL with *size where HDF5 failed. */
static void *make_image(const content *c, const double *r, size_t *size)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    void *image = NULL;
    *size = 0;
    hid_t file =
        H5Pset_fapl_core(access, 1 << 16, false) >= 0 ? H5Fcreate(IN_MEMORY, H5F_ACC_TRUNC, H5P_DEFAULT, access) : -1;
    if (file >= 0 && put_file(file, c, r)) {
        ssize_t bytes = H5Fget_file_image(file, NULL, 0);
        *size = bytes > 0 ? (size_t)bytes : 0;
        image = *size ? malloc(*size) : NULL;
        if (image && H5Fget_file_image(file, image, *size) < 0)
            *size = 0;
    }
    if (file >= 0)
        H5Fclose(file);
    H5Pclose(access);
    return image;
}

static dls_status write_image(const void *image, size_t size, const char *path, dls_error *error)
{
    dls_output output;
    DLS_TRY(dls_output_open(&output, path, error));
    if (fwrite(image, 1, size, output.stream) != size) {
        dls_output_abandon(&output);
        return dls_fail_at(error, DLS_IO, path, 0, 0, NULL, "a write failed");
    }
    return dls_output_commit(&output, error);
}

dls_status dls_fclib_write(const dls_problem *p, const double *r, const char *path, dls_error *error)
{
    content c;
    dls_arena memory = {0};
    size_t size = 0;
    void *image = NULL;
    DLS_TRY(dls_problem_check(p, error));
    DLS_TRY(dls_foreign_check_cones(p, "FCLIB", error));
    dls_status status = fill(p, r, &memory, &c, error);
    if (status == DLS_OK) {
        quiet before = hush();
        image = make_image(&c, r, &size);
        unhush(before);
        status = image && size ? write_image(image, size, path, error)
                               : dls_fail_at(error, DLS_NO_MEMORY, path, 0, 0, NULL, "HDF5 could not make the file");
    }
    free(image);
    dls_arena_release(&memory);
    return status;
}
