/* Problems of FCLIB, the collection of frictional contact problems (HDF5), d = 2 or 3:
 *
 *     /fclib_local/spacedim               d;    u = W r + V l + q,  V^T r + R l + s = 0
 *     /fclib_local/vectors/{q,s,mu}       n, p, n / d
 *     /fclib_local/{W,V,R}                V, R and s only where there are equations beside the contacts
 *     /fclib_global/spacedim              d;    M v = H r + G l + f,  u = H^T v + w,  G^T v + b = 0
 *     /fclib_global/vectors/{f,w,b,mu}    velocities, n, p, n / d
 *     /fclib_global/{M,H,G}               G and b likewise
 *     /solution/{u,r,l,v}                 optional
 *
 * With rolling friction d = 5, rows (n, t1, t2, r1, r2) of a contact: /fclib_global_rolling is /fclib_global with
 * vectors/mu_r besides, n / 5 coefficients [m]; a local problem is the same in /fclib_local or /fclib_local_rolling.
 *
 * A matrix is a group {m,n,nz,nzmax,p,i,x} as in CSparse: nz = -1 columns compressed (p their starts, i the rows), -2
 * rows compressed (i the columns), from 0 up that many triplets (i rows, p columns; equal places add up).
 */
#include "foreign.h"
#include "hdf5_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- reading --- */

typedef struct source {
    hid_t file;
    const char *path;
    dls_arena memory; /* of all arrays */
    dls_error *error;
} source;

static dls_status fclib_fail(const source *s, const char *what, const char *why)
{
    return dls_fail_about(s->error, DLS_BAD_INPUT, s->path, what, "%s", why);
}

/* True if every group on the way to `name` is there. */
static bool fclib_has(const source *s, const char *name)
{
    char part[64];
    for (size_t i = 1; i <= strlen(name); i++) {
        if (name[i] != '/' && name[i] != '\0')
            continue;
        memcpy(part, name, i);
        part[i] = '\0';
        if (dls_h5->Lexists(s->file, part, H5P_DEFAULT) <= 0)
            return false;
    }
    return true;
}

/* A dataset of numbers of one class, `count` of them. Reals that are wider than doubles are refused: HDF5 would make 0
 * or infinity of those beyond a double's range without a word. */
static dls_status read_array(source *s, const char *name, H5T_class_t class, hid_t type, size_t size, void **values,
                             size_t *count)
{
    hid_t set = fclib_has(s, name) ? dls_h5->Dopen2(s->file, name, H5P_DEFAULT) : -1;
    if (set < 0)
        return fclib_fail(s, name, "is not there");
    hid_t space = dls_h5->Dget_space(set), kind = dls_h5->Dget_type(set);
    hssize_t points = space >= 0 ? dls_h5->Sget_simple_extent_npoints(space) : -1;
    dls_status status = DLS_OK;
    if (points < 0 || (size_t)points > DLS_FILE_MAX / size || kind < 0 || dls_h5->Tget_class(kind) != class)
        status = fclib_fail(s, name, "is not an array of numbers as it should be");
    else if (class == H5T_FLOAT && dls_h5->Tget_size(kind) > sizeof(double))
        status = fclib_fail(s, name, "has numbers wider than 64 bits; store them as doubles");
    *count = status == DLS_OK ? (size_t)points : 0;
    if (status == DLS_OK && !(*values = dls_arena_take(&s->memory, *count, size)))
        status = dls_fail(s->error, DLS_NO_MEMORY, "no memory for %zu numbers", *count);
    if (status == DLS_OK && dls_h5->Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *values) < 0)
        status = fclib_fail(s, name, "cannot be read");
    dls_h5->Tclose(kind);
    dls_h5->Sclose(space);
    dls_h5->Dclose(set);
    return status;
}

static dls_status read_reals(source *s, const char *name, size_t count, double **values)
{
    void *memory;
    size_t found;
    DLS_TRY(read_array(s, name, H5T_FLOAT, *dls_h5->NATIVE_DOUBLE, sizeof(double), &memory, &found));
    *values = memory;
    return found == count
               ? DLS_OK
               : dls_fail_about(s->error, DLS_BAD_INPUT, s->path, name, "has %zu numbers instead of %zu", found, count);
}

static dls_status read_wholes(source *s, const char *name, int **values, size_t *count)
{
    void *memory;
    DLS_TRY(read_array(s, name, H5T_INTEGER, *dls_h5->NATIVE_INT, sizeof(int), &memory, count));
    *values = memory;
    return DLS_OK;
}

static dls_status read_whole(source *s, const char *name, int *value)
{
    int *values;
    size_t count;
    DLS_TRY(read_wholes(s, name, &values, &count));
    if (count != 1)
        return fclib_fail(s, name, "must be one number");
    *value = values[0];
    return DLS_OK;
}

/* A matrix as CSparse stores it. */
typedef struct sparse {
    int m, n, nz, *p, *i;
    size_t p_count, count;
    double *x;
} sparse;

static dls_status read_sparse(source *s, const char *group, sparse *W)
{
    enum { MEMBERS = 6 };
    static const char *const members[MEMBERS] = {"m", "n", "nz", "p", "i", "x"};
    char name[MEMBERS][64];
    for (size_t k = 0; k < MEMBERS; k++)
        snprintf(name[k], sizeof name[k], "%s/%s", group, members[k]);
    DLS_TRY(read_whole(s, name[0], &W->m));
    DLS_TRY(read_whole(s, name[1], &W->n));
    DLS_TRY(read_whole(s, name[2], &W->nz));
    DLS_TRY(read_wholes(s, name[3], &W->p, &W->p_count));
    DLS_TRY(read_wholes(s, name[4], &W->i, &W->count));
    DLS_TRY(read_reals(s, name[5], W->count, &W->x));
    if (W->m < 0 || W->n < 0)
        return dls_fail_about(s->error, DLS_BAD_INPUT, s->path, group, "is %d x %d", W->m, W->n);
    return W->nz >= -2 ? DLS_OK : fclib_fail(s, name[2], "must be -2, -1 or a number of triplets");
}

/* Where the entries of a file's matrix go: from (row, column) on, of its transpose if that is asked for. */
typedef struct target {
    dls_foreign_entry *entries;
    size_t count, row, column;
    bool transposed;
} target;

/* False where an index points nowhere. */
static bool put_matrix_entry(target *to, const sparse *W, size_t k, int row, int column)
{
    if (row < 0 || row >= W->m || column < 0 || column >= W->n)
        return false;
    const size_t i = (size_t)(to->transposed ? column : row), j = (size_t)(to->transposed ? row : column);
    to->entries[to->count++] = (dls_foreign_entry){to->row + i, to->column + j, W->x[k]};
    return true;
}

static bool is_below(int index, size_t end) { return index >= 0 && (size_t)index < end; }

static bool put_compressed(target *to, const sparse *W)
{
    const bool by_column = W->nz == -1;
    const size_t lines = (size_t)(by_column ? W->n : W->m);
    if (W->p_count != lines + 1 || W->p[0] != 0 || !is_below(W->p[lines], W->count + 1))
        return false;
    for (size_t line = 0; line < lines; line++) {
        if (W->p[line + 1] < W->p[line] || !is_below(W->p[line + 1], W->count + 1))
            return false;
        for (size_t k = (size_t)W->p[line]; k < (size_t)W->p[line + 1]; k++)
            if (!put_matrix_entry(to, W, k, by_column ? W->i[k] : (int)line, by_column ? (int)line : W->i[k]))
                return false;
    }
    return true;
}

static bool put_triplets(target *to, const sparse *W)
{
    if (!is_below(W->nz, W->count + 1) || W->p_count < (size_t)W->nz)
        return false;
    for (size_t k = 0; k < (size_t)W->nz; k++)
        if (!put_matrix_entry(to, W, k, W->i[k], W->p[k]))
            return false;
    return true;
}

static dls_status put_sparse(source *s, target *to, const sparse *W, const char *group)
{
    return (W->nz < 0 ? put_compressed(to, W) : put_triplets(to, W))
               ? DLS_OK
               : fclib_fail(s, group, "has indices that point nowhere");
}

/* Contacts, then `others` rows of equations; their dimension and friction. */
static dls_status read_contacts(source *s, const char *form, size_t rows, size_t others, dls_foreign *to)
{
    char name[64];
    int dimension;
    double *mu, *mu_r = NULL;
    snprintf(name, sizeof name, "%s/vectors/mu_r", form);
    const bool rolling = strstr(form, "rolling") || fclib_has(s, name);
    snprintf(name, sizeof name, "%s/spacedim", form);
    DLS_TRY(read_whole(s, name, &dimension));
    if (rolling ? dimension != 5 : dimension != 2 && dimension != 3)
        return dls_fail_about(s->error, DLS_REFUSED, s->path, name, "contacts in dimension %d are not read; %s",
                              dimension, rolling ? "5 is, with rolling friction" : "2 and 3 are, 5 with mu_r");
    if (rows % (size_t)dimension != 0)
        return dls_fail_about(s->error, DLS_BAD_INPUT, s->path, name,
                              "%zu rows are no whole number of contacts in dimension %d", rows, dimension);
    const size_t contacts = rows / (size_t)dimension;
    snprintf(name, sizeof name, "%s/vectors/mu", form);
    DLS_TRY(read_reals(s, name, contacts, &mu));
    snprintf(name, sizeof name, "%s/vectors/mu_r", form);
    if (rolling)
        DLS_TRY(read_reals(s, name, contacts, &mu_r));
    to->label = "equation";
    return dls_foreign_contacts(&s->memory, contacts, (size_t)dimension - 1, rows + others, mu, mu_r, to, s->error);
}

/* The vector of the contacts, then that of the equations, if there are any. */
static dls_status read_vectors(source *s, const char *first, size_t rows, const char *second, size_t others, double **b)
{
    double *one, *two = NULL;
    DLS_TRY(read_reals(s, first, rows, &one));
    if (others > 0)
        DLS_TRY(read_reals(s, second, others, &two));
    *b = DLS_TAKE(&s->memory, double, rows + others);
    if (!*b)
        return dls_fail(s->error, DLS_NO_MEMORY, "no memory for %zu numbers", rows + others);
    for (size_t i = 0; i < rows + others; i++)
        (*b)[i] = i < rows ? one[i] : two[i - rows];
    return DLS_OK;
}

/* The names of a form's parts: M, H, G, f, w, b; W, V, R, q, s. */
typedef struct names {
    const char *form, *matrix, *jacobian, *other, *first, *second, *third;
} names;
#define GLOBAL_NAMES(form)                                                                             \
    {                                                                                                  \
        form, form "/M", form "/H", form "/G", form "/vectors/f", form "/vectors/w", form "/vectors/b" \
    }
#define LOCAL_NAMES(form)                                                                 \
    {                                                                                     \
        form, form "/W", form "/V", form "/R", form "/vectors/q", form "/vectors/s", NULL \
    }

/* M v = H r + G l + f, G^T v + b = 0, u = H^T v + w: [H G] and (w, b). */
static dls_status read_global(source *s, const names *of, dls_foreign *to)
{
    sparse M, H, G = {.m = 0};
    const bool equations = fclib_has(s, of->other);
    DLS_TRY(read_sparse(s, of->matrix, &M));
    DLS_TRY(read_sparse(s, of->jacobian, &H));
    if (equations)
        DLS_TRY(read_sparse(s, of->other, &G));
    if (M.m != M.n || H.m != M.m || (equations && G.m != M.m) || M.m == 0)
        return dls_fail_about(s->error, DLS_BAD_INPUT, s->path, of->form,
                              "M is %d x %d, H %d x %d and G %d x %d; M must be square, the others as high", M.m, M.n,
                              H.m, H.n, G.m, G.n);
    const size_t nv = (size_t)M.m, rows = (size_t)H.n, others = (size_t)G.n;
    DLS_TRY(read_reals(s, of->first, nv, &to->f)); /* and so the sizes are no larger than the file */
    DLS_TRY(read_vectors(s, of->second, rows, of->third, others, &to->b));
    target m = {.entries = DLS_TAKE_ZEROS(&s->memory, dls_foreign_entry, M.count)}, h = m;
    h.entries = DLS_TAKE_ZEROS(&s->memory, dls_foreign_entry, H.count + G.count);
    if (s->memory.failed)
        return dls_fail(s->error, DLS_NO_MEMORY, "no memory for a matrix of %zu rows", nv);
    DLS_TRY(put_sparse(s, &m, &M, of->matrix));
    DLS_TRY(put_sparse(s, &h, &H, of->jacobian));
    h.column = rows;
    if (equations)
        DLS_TRY(put_sparse(s, &h, &G, of->other));
    DLS_TRY(dls_foreign_sparse_create(&s->memory, nv, nv, m.count, m.entries, &to->M, s->error));
    DLS_TRY(dls_foreign_sparse_create(&s->memory, nv, rows + others, h.count, h.entries, &to->A, s->error));
    return read_contacts(s, of->form, rows, others, to);
}

/* u = W r + V l + q, V^T r + R l + s = 0: [W V; V^T R] and (q, s). */
static dls_status read_local(source *s, const names *of, dls_foreign *to)
{
    sparse W, V = {.m = 0}, R = {.m = 0};
    const bool equations = fclib_has(s, of->jacobian);
    DLS_TRY(read_sparse(s, of->matrix, &W));
    if (equations) {
        DLS_TRY(read_sparse(s, of->jacobian, &V));
        DLS_TRY(read_sparse(s, of->other, &R));
    }
    if (W.m != W.n)
        return dls_fail_about(s->error, DLS_BAD_INPUT, s->path, of->matrix, "is %d x %d; it must be square", W.m, W.n);
    if (equations && (V.m != W.m || R.m != V.n || R.n != V.n))
        return dls_fail_about(s->error, DLS_BAD_INPUT, s->path, of->jacobian,
                              "is %d x %d, R %d x %d; needed are %d rows, and R square with as many as V has columns",
                              V.m, V.n, R.m, R.n, W.m);
    const size_t rows = (size_t)W.n, others = (size_t)V.n;
    DLS_TRY(read_vectors(s, of->first, rows, of->second, others, &to->b));
    target a = {.entries = DLS_TAKE_ZEROS(&s->memory, dls_foreign_entry, W.count + 2 * V.count + R.count)};
    if (!a.entries)
        return dls_fail(s->error, DLS_NO_MEMORY, "no memory for a matrix of %zu rows", rows);
    DLS_TRY(put_sparse(s, &a, &W, of->matrix));
    if (equations) {
        a.column = rows;
        DLS_TRY(put_sparse(s, &a, &V, of->jacobian));
        a = (target){a.entries, a.count, rows, 0, true};
        DLS_TRY(put_sparse(s, &a, &V, of->jacobian));
        a = (target){a.entries, a.count, rows, rows, false};
        DLS_TRY(put_sparse(s, &a, &R, of->other));
    }
    DLS_TRY(dls_foreign_sparse_create(&s->memory, rows + others, rows + others, a.count, a.entries, &to->A, s->error));
    return read_contacts(s, of->form, rows, others, to);
}

/* The stored r, then l, the impulses of the equations. */
static dls_status read_solution(source *s, size_t n, size_t others, double **stored)
{
    double *r;
    if (!fclib_has(s, "/solution/r") || (others > 0 && !fclib_has(s, "/solution/l")))
        return DLS_OK;
    DLS_TRY(read_vectors(s, "/solution/r", n - others, "/solution/l", others, &r));
    *stored = malloc((n + 1) * sizeof *r);
    if (!*stored)
        return dls_fail(s->error, DLS_NO_MEMORY, "no memory for %zu impulses", n);
    memcpy(*stored, r, n * sizeof *r);
    return DLS_OK;
}

static dls_status read_content(source *s, dls_content *content)
{
    dls_foreign found = {.mu = NULL};
    static const struct {
        names names;
        dls_status (*read)(source *s, const names *of, dls_foreign *to);
    } forms[] = {{LOCAL_NAMES("/fclib_local"), read_local},
                 {GLOBAL_NAMES("/fclib_global"), read_global},
                 {LOCAL_NAMES("/fclib_local_rolling"), read_local},
                 {GLOBAL_NAMES("/fclib_global_rolling"), read_global}};
    enum { FORMS = sizeof forms / sizeof forms[0] };
    size_t k = 0;
    while (k < FORMS && !fclib_has(s, forms[k].names.form))
        k++;
    if (k == FORMS)
        return fclib_fail(s, "/fclib_local", "is not there, and neither is /fclib_global");
    DLS_TRY(forms[k].read(s, &forms[k].names, &found));
    DLS_TRY(dls_foreign_problem(&found, s->path, &content->problem, s->error));
    size_t equations = 0;
    while (equations < content->problem->n && found.lo[content->problem->n - 1 - equations] == -HUGE_VAL)
        equations++;
    return read_solution(s, content->problem->n, equations, &content->stored);
}

static dls_status read_image(const char *image, size_t size, const char *path, dls_content *content, dls_error *error)
{
    hid_t access = dls_h5->Pcreate(*dls_h5->FILE_ACCESS);
    source s = {.file = -1, .path = path, .error = error};
    if (dls_h5->Pset_fapl_core(access, 1 << 16, false) >= 0 &&
        dls_h5->Pset_file_image(access, (void *)image, size) >= 0)
        s.file = dls_h5->Fopen(DLS_HDF5_IN_MEMORY, DLS_HDF5_READ, access);
    dls_status status = s.file < 0 ? dls_fail_about(error, DLS_BAD_INPUT, path, NULL, "is not an HDF5 file")
                                   : read_content(&s, content);
    dls_arena_release(&s.memory);
    if (s.file >= 0)
        dls_h5->Fclose(s.file);
    dls_h5->Pclose(access);
    return status;
}

dls_status dls_read_fclib(const char *image, size_t size, const char *name, dls_content *content, size_t *end,
                          dls_error *error)
{
    *end = size;
    DLS_TRY(dls_hdf5_load(name, error));
    dls_hdf5_quiet before = dls_hdf5_begin();
    dls_status status = read_image(image, size, name, content, error);
    dls_hdf5_end(before);
    return status == DLS_OK ? DLS_OK : dls_fail_place(error, status, name, 0, 0, NULL);
}

/* --- writing --- */

static bool put_wholes(hid_t group, const char *name, size_t count, const int *values)
{
    return dls_hdf5_put(group, name, *dls_h5->STD_I32LE, *dls_h5->NATIVE_INT, false, count, values);
}

/* A matrix with its columns compressed, as it is filled. */
typedef struct columns {
    int m, n, *p, *i;
    double *x;
} columns;

static columns columns_for(dls_arena *memory, size_t m, size_t n, size_t entries)
{
    return (columns){.m = (int)m,
                     .n = (int)n,
                     .p = DLS_TAKE_ZEROS(memory, int, n + 1),
                     .i = DLS_TAKE(memory, int, entries),
                     .x = DLS_TAKE(memory, double, entries)};
}

/* The next column, j, from a dense vector. */
static void put_column(columns *to, size_t j, size_t m, const double *column)
{
    int k = to->p[j];
    for (size_t i = 0; i < m; i++)
        if (column[i] != 0.0)
            to->i[k] = (int)i, to->x[k++] = column[i];
    to->p[j + 1] = k;
}

/* The contents of a file, all of them made before the file. */
typedef struct content {
    const char *form;
    int dimension;
    columns matrices[2]; /* W; M and H */
    const char *matrix_names[2], *vector_names[2];
    const double *vectors[2]; /* q; f and w */
    size_t lengths[2];
    double *mu, *mu_r, *u; /* mu_r: NULL without rolling friction */
    size_t n, parts;
} content;

static dls_status no_matrix_memory(size_t n, dls_error *error)
{
    return dls_fail(error, DLS_NO_MEMORY, "no memory for a matrix of %zu rows", n);
}

/* mu of each contact; u = w at r. */
static dls_status fill_contacts(const dls_problem *p, const double *r, dls_arena *memory, content *c, dls_error *error)
{
    c->n = p->n;
    const bool rolling = p->n > 0 && dls_problem_discs(p, 0) == 2;
    c->dimension = rolling ? 5 : p->n_cone > 0 || p->n == 0 ? 3 : 2;
    c->mu = DLS_TAKE(memory, double, p->n);
    c->mu_r = rolling ? DLS_TAKE(memory, double, p->n) : NULL;
    c->u = DLS_TAKE_ZEROS(memory, double, p->n);
    double *v = DLS_TAKE_ZEROS(memory, double, p->nv), *scratch = DLS_TAKE(memory, double, p->nv);
    if (memory->failed)
        return no_matrix_memory(p->n, error);
    for (size_t i = 0; i < p->n; i += (size_t)c->dimension) {
        c->mu[i / (size_t)c->dimension] = p->mu[i + 1];
        if (rolling)
            c->mu_r[i / (size_t)c->dimension] = p->mu[i + 3];
    }
    if (!r)
        return DLS_OK;
    dls_problem_velocity(p, r, v, scratch);
    for (size_t i = 0; i < p->n; i++)
        c->u[i] = dls_rows_dot(&p->J, i, v) + p->gamma[i] * r[i] - p->c[i];
    return DLS_OK;
}

static dls_status fill_local(const dls_problem *p, dls_arena *memory, content *c, dls_error *error)
{
    const size_t n = p->n, entries = p->J.coef_at[p->J.n_blocks] + n;
    c->form = "/fclib_local";
    c->parts = 1;
    c->matrix_names[0] = "/fclib_local/W", c->vector_names[0] = "q";
    c->matrices[0] = columns_for(memory, n, n, entries);
    double *column = DLS_TAKE(memory, double, n), *q = DLS_TAKE(memory, double, n);
    if (memory->failed)
        return no_matrix_memory(n, error);
    for (size_t j = 0; j < n; j++) {
        dls_foreign_column(p, j, column);
        put_column(&c->matrices[0], j, n, column);
        q[j] = -p->c[j];
    }
    c->vectors[0] = q, c->lengths[0] = n;
    return DLS_OK;
}

static void put_mass_column(void *context, size_t j, const double *column)
{
    columns *to = context;
    put_column(to, j, (size_t)to->m, column);
}

static dls_status fill_global(const dls_problem *p, dls_arena *memory, content *c, dls_error *error)
{
    const size_t n = p->n, nv = p->nv;
    const size_t longest = dls_mass_longest(&p->mass);
    size_t entries = 0;
    for (size_t k = 0; k < p->mass.n_blocks; k++)
        entries += p->mass.blocks[k].length * p->mass.blocks[k].length;
    static const names plain = GLOBAL_NAMES("/fclib_global"), rolling = GLOBAL_NAMES("/fclib_global_rolling");
    const names *of = c->mu_r ? &rolling : &plain;
    c->form = of->form;
    c->parts = 2;
    c->matrix_names[0] = of->matrix, c->vector_names[0] = "f";
    c->matrix_names[1] = of->jacobian, c->vector_names[1] = "w";
    c->matrices[0] = columns_for(memory, nv, nv, entries);
    c->matrices[1] = columns_for(memory, nv, n, p->J.coef_at[p->J.start[n]]);
    double *column = DLS_TAKE(memory, double, nv + longest * longest);
    double *f = DLS_TAKE(memory, double, nv), *w = DLS_TAKE(memory, double, n);
    if (memory->failed)
        return no_matrix_memory(n, error);
    dls_foreign_mass_columns(&p->mass, column, put_mass_column, &c->matrices[0]);
    for (size_t i = 0; i < n; i++) {
        memset(column, 0, nv * sizeof *column);
        dls_rows_axpy(&p->J, i, 1.0, column);
        put_column(&c->matrices[1], i, nv, column);
        w[i] = -p->c[i];
    }
    dls_mass_multiply(&p->mass, p->v_star, f);
    c->vectors[0] = f, c->lengths[0] = nv;
    c->vectors[1] = w, c->lengths[1] = n;
    return DLS_OK;
}

static bool put_matrix(hid_t file, const char *name, const columns *W)
{
    const int compressed = -1;
    const int count = W->p[W->n];
    hid_t group = dls_h5->Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool ok = group >= 0 && put_wholes(group, "m", 1, &W->m) && put_wholes(group, "n", 1, &W->n) &&
              put_wholes(group, "nz", 1, &compressed) && put_wholes(group, "nzmax", 1, &count) &&
              put_wholes(group, "p", (size_t)W->n + 1, W->p) && put_wholes(group, "i", (size_t)count, W->i) &&
              dls_hdf5_put_reals(group, "x", (size_t)count, W->x);
    dls_h5->Gclose(group);
    return ok;
}

static bool put_vectors(hid_t file, const content *c)
{
    char name[64];
    snprintf(name, sizeof name, "%s/vectors", c->form);
    hid_t group = dls_h5->Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool ok = group >= 0 && dls_hdf5_put_reals(group, "mu", c->n / (size_t)c->dimension, c->mu);
    ok = ok && (!c->mu_r || dls_hdf5_put_reals(group, "mu_r", c->n / (size_t)c->dimension, c->mu_r));
    for (size_t k = 0; k < c->parts; k++)
        ok = ok && dls_hdf5_put_reals(group, c->vector_names[k], c->lengths[k], c->vectors[k]);
    dls_h5->Gclose(group);
    return ok;
}

static bool put_solution(hid_t file, const content *c, const double *r)
{
    hid_t group = dls_h5->Gcreate2(file, "/solution", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool ok = group >= 0 && dls_hdf5_put_reals(group, "r", c->n, r) && dls_hdf5_put_reals(group, "u", c->n, c->u);
    dls_h5->Gclose(group);
    return ok;
}

typedef struct answered {
    const content *content;
    const double *r; /* NULL: no solution is written */
} answered;

static bool fill_file(hid_t file, const void *context)
{
    const answered *a = context;
    const content *c = a->content;
    hid_t group = dls_h5->Gcreate2(file, c->form, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool ok = group >= 0 && put_wholes(group, "spacedim", 1, &c->dimension);
    for (size_t k = 0; k < c->parts; k++)
        ok = ok && put_matrix(file, c->matrix_names[k], &c->matrices[k]);
    ok = ok && put_vectors(file, c) && (!a->r || put_solution(file, c, a->r));
    dls_h5->Gclose(group);
    return ok;
}

dls_status dls_write_fclib(const dls_problem *p, const double *r, const char *path, dls_error *error)
{
    content c = {.n = 0};
    dls_arena memory = {0};
    dls_status status = fill_contacts(p, r, &memory, &c, error);
    if (status == DLS_OK)
        status = (p->form == DLS_FORM_MATRIX ? fill_local : fill_global)(p, &memory, &c, error);
    dls_output output;
    if (status == DLS_OK)
        status = dls_hdf5_load(path, error);
    if (status == DLS_OK)
        status = dls_output_open(&output, path, error);
    if (status == DLS_OK)
        status = dls_hdf5_write(&output, fill_file, &(answered){&c, r}, error);
    dls_arena_release(&memory);
    return status;
}

/* The form of the problem decides. */
dls_status dls_write_fclib_global(const dls_problem *p, const double *r, const char *path, dls_error *error)
{
    return dls_write_fclib(p, r, path, error);
}
