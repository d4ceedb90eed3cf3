/* Problems as text: doc/problem-format.md. Numbers have 17 significant digits, which give back every bit of a double
 * (D. Goldberg, "What every computer scientist should know about floating-point arithmetic", 1991, theorem 15). */
#include "formats.h"

#include "base/text.h"
#include "delassus/table.h"
#include "file.h"
#include "problem/problem_store.h"
#include "scan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const form_names[] = {[DLS_FORM_MECHANICAL] = "mechanical", [DLS_FORM_MATRIX] = "matrix"};

/* --- writing --- */

static bool printable(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            return false;
    return true;
}

/* Refuses a problem that the format cannot express. */
static dls_status check_writable(const dls_problem *p, dls_error *error)
{
    if (!printable(p->name))
        return dls_fail(error, DLS_BAD_ARGUMENT, "the problem's name has control characters");
    for (size_t i = 0; i < p->n; i++)
        if (!printable(dls_problem_label(p, i)))
            return dls_fail(error, DLS_BAD_ARGUMENT, "the label of row %zu has control characters", i);
    return dls_problem_check(p, error);
}

static void put_reals(FILE *to, size_t count, const double *values)
{
    for (size_t i = 0; i < count; i++)
        fprintf(to, " %.17g", values[i]);
}

static void put_body(FILE *to, const dls_mass_body *body)
{
    fprintf(to, "mass %s %.17g %.17g", dls_mass_body_kind.name, body->mass, body->inverse_mass);
    put_reals(to, 9, body->inertia.m);
    put_reals(to, 9, body->inverse_inertia.m);
    fputc('\n', to);
}

/* The lower triangle by columns. A block that was read gives back its numbers, to the bit, but for the sign of a
 * zero. `M`: room for n columns and a unit vector. */
static void put_dense(FILE *to, const dls_mass_block *block, double *M)
{
    size_t n = block->length;
    dls_mass_block_matrix(block, M + n * n, M, n);
    fprintf(to, "mass %s %zu\n", dls_mass_dense_kind.name, n);
    for (size_t j = 0; j < n; j++) {
        fputs("column", to);
        for (size_t i = j; i < n; i++)
            fprintf(to, " %.17g", M[i + n * j]);
        fputc('\n', to);
    }
}

static void put_mass(FILE *to, const dls_mass *mass, double *M)
{
    for (size_t k = 0; k < mass->n_blocks; k++)
        if (mass->blocks[k].kind == &dls_mass_body_kind)
            put_body(to, mass->blocks[k].data);
        else
            put_dense(to, &mass->blocks[k], M);
}

/* Room for put_dense; *M is NULL where all are bodies. */
static dls_status room_for_dense(const dls_mass *mass, double **M, dls_error *error)
{
    size_t longest = 0;
    *M = NULL;
    for (size_t k = 0; k < mass->n_blocks; k++)
        if (mass->blocks[k].kind != &dls_mass_body_kind && mass->blocks[k].length > longest)
            longest = mass->blocks[k].length;
    if (longest == 0)
        return DLS_OK;
    if (longest < SIZE_MAX / sizeof **M / (longest + 1))
        *M = malloc((longest + 1) * longest * sizeof **M);
    return *M ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for a mass matrix of %zu velocities", longest);
}

static void put_index(FILE *to, size_t index)
{
    if (index == DLS_NONE)
        fputs(" -", to);
    else
        fprintf(to, " %zu", index);
}

/* Before the parent of a row in a disc: its law. */
static const struct {
    const char *word;
    dls_law law;
} disc_laws[] = {{"cone:", DLS_LAW_CONE}, {"associated:", DLS_LAW_ASSOCIATED}};
enum { DISC_LAWS = sizeof disc_laws / sizeof disc_laws[0] };

static void put_parent(FILE *to, const dls_problem *p, size_t i)
{
    size_t k = 0;
    while (k < DISC_LAWS && disc_laws[k].law != p->law[i])
        k++;
    if (k < DISC_LAWS)
        fprintf(to, " %s%zu", disc_laws[k].word, p->parent[i]);
    else
        put_index(to, p->parent[i]);
}

static void put_row(FILE *to, const dls_problem *p, size_t i)
{
    const dls_row_list *rows = dls_problem_rows(p);
    const double numbers[] = {p->gamma[i], p->c[i], p->lo[i], p->hi[i], rows ? rows->row[i].C : 0.0, p->mu[i]};
    fputs("row", to);
    put_reals(to, sizeof numbers / sizeof numbers[0], numbers);
    put_parent(to, p, i);
    put_index(to, rows ? rows->row[i].owner : DLS_NONE);
    fprintf(to, " %zu \"%s\"\n", p->J.start[i + 1] - p->J.start[i], dls_problem_label(p, i));
    for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++) {
        size_t first = p->J.coef_at[k], count = p->J.coef_at[k + 1] - first;
        fprintf(to, "block %zu %zu", p->J.offset[k], count);
        put_reals(to, count, p->J.coef + first);
        fputc('\n', to);
    }
}

static void put_problem(FILE *to, const dls_problem *p, double *M)
{
    fprintf(to, "delassus-problem 1\nname \"%s\"\nform %s\nstep %.17g\nmasses %zu\n", p->name, form_names[p->form],
            p->h, p->mass.n_blocks);
    if (M)
        fprintf(to, "velocities %zu\n", p->nv);
    fprintf(to, "rows %zu\nblocks %zu\ncoefficients %zu\n", p->n, p->J.start[p->n], p->J.coef_at[p->J.start[p->n]]);
    put_mass(to, &p->mass, M);
    for (size_t j = 0; p->form == DLS_FORM_MECHANICAL && j < p->nv; j++)
        fprintf(to, "velocity %.17g\n", p->v_star[j]);
    for (size_t i = 0; i < p->n; i++)
        put_row(to, p, i);
    fputs("end\n", to);
}

dls_status dls_problem_write(const dls_problem *p, const char *path, dls_error *error)
{
    dls_output output;
    double *M;
    DLS_TRY(check_writable(p, error));
    DLS_TRY(room_for_dense(&p->mass, &M, error));
    dls_status status = dls_output_open(&output, path, error);
    if (status == DLS_OK) {
        locale_t before = dls_locale_begin();
        put_problem(output.stream, p, M);
        dls_locale_end(before);
        status = dls_output_commit(&output, error);
    }
    free(M);
    return status;
}

/* --- reading --- */

typedef struct header {
    char name[DLS_NAME_MAX];
    dls_form form;
    double h;
    struct {
        size_t n, nv, blocks, coefs, mass;
    } size;
    dls_row_list *rows; /* where the rows come from */
} header;

/* "text" up to the last quote of the line: *from and *length are those of the text between. */
static dls_status quoted(dls_scan *s, const char *what, size_t max, const char **from, size_t *length)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\t'))
        s->at++;
    s->token = s->at;
    const char *behind = s->at;
    while (behind < s->end && *behind != '\n')
        behind++;
    while (behind > s->at && (behind[-1] == ' ' || behind[-1] == '\t' || behind[-1] == '\r'))
        behind--;
    if (behind - s->at < 2 || *s->at != '"' || behind[-1] != '"')
        return dls_scan_fail(s, DLS_BAD_INPUT, what, "expected a text in quotes at the line's end");
    *from = s->at + 1;
    *length = (size_t)(behind - s->at) - 2;
    s->at = behind;
    return *length <= max ? DLS_OK
                          : dls_scan_fail(s, DLS_BAD_INPUT, what, "a text of %zu bytes; at most %zu", *length, max);
}

/* No count may be larger than the rest of the file has room for: one item is at least two bytes. */
static dls_status read_size(dls_scan *s, const char *keyword, size_t *value)
{
    DLS_TRY(dls_scan_keyword(s, keyword));
    DLS_TRY(dls_scan_count(s, keyword, dls_scan_left(s) / 2, value));
    return dls_scan_end_line(s);
}

static dls_status read_header(dls_scan *s, header *h)
{
    char word[DLS_TOKEN_MAX];
    const char *name, *before;
    size_t length;
    memset(h, 0, sizeof *h);
    DLS_TRY(dls_scan_keyword(s, "delassus-problem"));
    DLS_TRY(dls_scan_word(s, "version", word));
    if (strcmp(word, "1") != 0)
        return dls_scan_fail(s, DLS_BAD_INPUT, "version", "this program reads version 1, not '%s'", word);
    DLS_TRY(dls_scan_end_line(s));
    DLS_TRY(dls_scan_keyword(s, "name"));
    DLS_TRY(quoted(s, "name", DLS_NAME_MAX - 1, &name, &length));
    memcpy(h->name, name, length);
    DLS_TRY(dls_scan_end_line(s));
    DLS_TRY(dls_scan_keyword(s, "form"));
    DLS_TRY(dls_scan_word(s, "form", word));
    h->form = strcmp(word, form_names[DLS_FORM_MATRIX]) == 0 ? DLS_FORM_MATRIX : DLS_FORM_MECHANICAL;
    if (strcmp(word, form_names[h->form]) != 0)
        return dls_scan_fail(s, DLS_BAD_INPUT, "form", "'%s' is neither mechanical nor matrix", word);
    DLS_TRY(dls_scan_end_line(s));
    DLS_TRY(dls_scan_keyword(s, "step"));
    DLS_TRY(dls_scan_real(s, "step", false, &h->h));
    DLS_TRY(dls_scan_end_line(s));
    DLS_TRY(read_size(s, "masses", &h->size.mass));
    h->size.nv = 6 * h->size.mass; /* or `velocities NV`, where not all blocks are bodies */
    before = s->at;
    DLS_TRY(dls_scan_word(s, "rows", word));
    s->at = before;
    if (strcmp(word, "velocities") == 0)
        DLS_TRY(read_size(s, "velocities", &h->size.nv));
    DLS_TRY(read_size(s, "rows", &h->size.n));
    DLS_TRY(read_size(s, "blocks", &h->size.blocks));
    DLS_TRY(read_size(s, "coefficients", &h->size.coefs));
    if (h->form == DLS_FORM_MATRIX && (h->size.mass != 0 || h->size.nv != 0 || h->h != 1.0))
        return dls_scan_fail(s, DLS_BAD_INPUT, "form", "the matrix form has step 1 and no masses");
    if (h->form == DLS_FORM_MATRIX)
        h->size.nv = h->size.n;
    return DLS_OK;
}

/* True if X is the inverse of A, to 1e4 times the rounding error of a backward stable inversion, eps |A| |X|. */
static bool inverse3(dls_mat3 A, dls_mat3 X)
{
    dls_mat3 product = dls_matmul3(A, X);
    double a = 0.0, x = 0.0, error = 0.0;
    for (int i = 0; i < 9; i++) {
        a += fabs(A.m[i]);
        x += fabs(X.m[i]);
        error += fabs(product.m[i] - (i % 4 == 0 ? 1.0 : 0.0));
    }
    return error <= 1e-12 * a * x;
}

static dls_status read_body_mass(dls_scan *s, dls_mass_body *body)
{
    DLS_TRY(dls_scan_real(s, "mass", false, &body->mass));
    DLS_TRY(dls_scan_real(s, "inverse mass", false, &body->inverse_mass));
    if (!(body->mass > 0.0) || !(fabs(body->mass * body->inverse_mass - 1.0) <= 1e-12))
        return dls_scan_fail(s, DLS_BAD_INPUT, "mass", "a mass must be positive, and its inverse behind it");
    DLS_TRY(dls_scan_reals(s, "inertia", 9, body->inertia.m));
    DLS_TRY(dls_scan_reals(s, "inverse inertia", 9, body->inverse_inertia.m));
    if (!(dls_det3(body->inertia) > 0.0) || !inverse3(body->inertia, body->inverse_inertia))
        return dls_scan_fail(s, DLS_BAD_INPUT, "inertia",
                             "an inertia tensor must be positive definite, and its inverse behind it");
    return dls_scan_end_line(s);
}

static dls_status read_column(dls_scan *s, const dls_mass_dense *dense, size_t j)
{
    size_t n = dense->n;
    DLS_TRY(dls_scan_keyword(s, "column"));
    DLS_TRY(dls_scan_reals(s, "inertia", n - j, dense->M + j * n + j));
    for (size_t i = j + 1; i < n; i++)
        dense->M[j + n * i] = dense->M[i + n * j];
    if (!dls_mass_dense_factor(dense, j))
        return dls_scan_fail(s, DLS_BAD_INPUT, "inertia",
                             "the mass matrix is not positive definite: its factor ends in column %zu of %zu", j, n);
    return dls_scan_end_line(s);
}

static dls_status read_dense_mass(dls_scan *s, dls_problem *p, size_t max, const dls_mass_dense **dense)
{
    size_t n, left = dls_scan_left(s) / 2; /* an entry is at least two bytes */
    DLS_TRY(dls_scan_count(s, "length", max, &n));
    if (n == 0 || n > left || n * (n + 1) / 2 > left)
        return dls_scan_fail(s, DLS_BAD_INPUT, "length", "a mass matrix of %zu columns; the file has no room for it",
                             n);
    DLS_TRY(dls_problem_keep_dense(p, n, dense, s->error));
    DLS_TRY(dls_scan_end_line(s));
    for (size_t j = 0; j < n; j++)
        DLS_TRY(read_column(s, *dense, j));
    return DLS_OK;
}

static dls_status read_mass(dls_scan *s, dls_problem *p, size_t k, size_t *offset)
{
    char word[DLS_TOKEN_MAX];
    dls_mass_block *block = &p->mass.blocks[k];
    DLS_TRY(dls_scan_keyword(s, "mass"));
    DLS_TRY(dls_scan_word(s, "kind", word));
    if (strcmp(word, dls_mass_body_kind.name) == 0 && p->nv - *offset >= 6) {
        dls_mass_body *body = NULL;
        DLS_TRY(dls_problem_keep_body(p, &body, s->error));
        DLS_TRY(read_body_mass(s, body));
        *block = (dls_mass_block){*offset, 6, &dls_mass_body_kind, body};
    } else if (strcmp(word, dls_mass_dense_kind.name) == 0) {
        const dls_mass_dense *dense = NULL;
        DLS_TRY(read_dense_mass(s, p, p->nv - *offset, &dense));
        *block = (dls_mass_block){*offset, dense->n, &dls_mass_dense_kind, dense};
    } else if (strcmp(word, dls_mass_body_kind.name) == 0) {
        return dls_scan_fail(s, DLS_BAD_INPUT, "kind", "a body has 6 velocities; of the %zu of the header %zu are left",
                             p->nv, p->nv - *offset);
    } else {
        return dls_scan_fail(s, DLS_BAD_INPUT, "kind", "'%s' is neither body nor dense", word);
    }
    *offset += block->length;
    return DLS_OK;
}

static dls_status read_masses(dls_scan *s, const header *h, dls_problem *p)
{
    size_t offset = 0;
    for (size_t k = 0; k < h->size.mass; k++)
        DLS_TRY(read_mass(s, p, k, &offset));
    if (h->form == DLS_FORM_MECHANICAL && offset != p->nv)
        return dls_scan_fail(s, DLS_BAD_INPUT, "velocities", "masses of %zu velocities; the header says %zu", offset,
                             p->nv);
    return DLS_OK;
}

static dls_status read_index(dls_scan *s, const char *what, size_t max, size_t *index)
{
    char word[DLS_TOKEN_MAX];
    const char *before = s->at;
    DLS_TRY(dls_scan_word(s, what, word));
    *index = DLS_NONE;
    if (strcmp(word, "-") == 0)
        return DLS_OK;
    s->at = before;
    return dls_scan_count(s, what, max, index);
}

static dls_status read_parent(dls_scan *s, const header *h, dls_problem *p, size_t i)
{
    char word[DLS_TOKEN_MAX];
    const char *before = s->at;
    size_t k = 0;
    DLS_TRY(dls_scan_word(s, "parent", word));
    while (k < DISC_LAWS && strncmp(word, disc_laws[k].word, strlen(disc_laws[k].word)) != 0)
        k++;
    if (k < DISC_LAWS) {
        p->law[i] = disc_laws[k].law;
        p->n_cone++;
        s->at = s->token + strlen(disc_laws[k].word);
        DLS_TRY(dls_scan_count(s, "parent", h->size.n, &p->parent[i]));
    } else {
        s->at = before;
        DLS_TRY(read_index(s, "parent", h->size.n, &p->parent[i]));
        p->law[i] = p->parent[i] == DLS_NONE ? DLS_LAW_FIXED : DLS_LAW_BOX;
    }
    p->n_coupled += p->parent[i] != DLS_NONE;
    return DLS_OK;
}

typedef struct cursor {
    size_t block, coef;
} cursor;

static dls_status read_block(dls_scan *s, dls_problem *p, const header *h, cursor *at, size_t *column)
{
    size_t offset, count;
    DLS_TRY(dls_scan_keyword(s, "block"));
    DLS_TRY(dls_scan_count(s, "column", h->size.nv, &offset));
    if (offset < *column)
        return dls_scan_fail(s, DLS_BAD_INPUT, "column",
                             "blocks of a row stand in the order of their columns and do not overlap");
    DLS_TRY(dls_scan_count(s, "length", h->size.nv - offset, &count));
    if (at->block >= h->size.blocks || count > h->size.coefs - at->coef)
        return dls_scan_fail(s, DLS_BAD_INPUT, "length", "more blocks or coefficients than the header says");
    if (h->form == DLS_FORM_MECHANICAL && count > 0) {
        const dls_mass_block *block = dls_mass_find(&p->mass, offset);
        if (count > block->offset + block->length - offset)
            return dls_scan_fail(s, DLS_BAD_INPUT, "length",
                                 "the block reaches from one mass block into the next; write a block for each of them");
        p->J.mass[at->block] = (uint32_t)(block - p->mass.blocks);
    }
    p->J.offset[at->block] = offset;
    p->J.coef_at[at->block++] = at->coef;
    DLS_TRY(dls_scan_reals(s, "coefficient", count, p->J.coef + at->coef));
    at->coef += count;
    *column = offset + count;
    return dls_scan_end_line(s);
}

/* The file does not tell a target speed from the correction of C, which is -(ERP / h) C with an ERP of at most 1: the
 * part of c between 0 and -C / h. */
static double correction_of(double c, double whole)
{
    return whole > 0.0 ? fmin(fmax(c, 0.0), whole) : fmax(fmin(c, 0.0), whole);
}

static dls_status read_numbers(dls_scan *s, dls_problem *p, size_t i, dls_list_row *row)
{
    DLS_TRY(dls_scan_real(s, "gamma", false, &p->gamma[i]));
    DLS_TRY(dls_scan_real(s, "c", false, &p->c[i]));
    DLS_TRY(dls_scan_real(s, "lo", true, &p->lo[i]));
    DLS_TRY(dls_scan_real(s, "hi", true, &p->hi[i]));
    if (!(p->lo[i] <= p->hi[i]) || p->lo[i] == HUGE_VAL || p->hi[i] == -HUGE_VAL)
        return dls_scan_fail(s, DLS_BAD_INPUT, "hi", "bounds [%g, %g]; lo <= hi must hold", p->lo[i], p->hi[i]);
    DLS_TRY(dls_scan_real(s, "C", false, &row->C));
    row->bias = correction_of(p->c[i], -row->C / p->h);
    return dls_scan_real(s, "mu", false, &p->mu[i]);
}

static dls_status read_row(dls_scan *s, dls_problem *p, const header *h, size_t i, cursor *at)
{
    const char *label;
    dls_list_row *row = &h->rows->row[i];
    size_t blocks, length, column = 0;
    DLS_TRY(dls_scan_keyword(s, "row"));
    DLS_TRY(read_numbers(s, p, i, row));
    DLS_TRY(read_parent(s, h, p, i));
    if (p->parent[i] == DLS_NONE && p->mu[i] != 0.0)
        return dls_scan_fail(s, DLS_BAD_INPUT, "mu",
                             "row %zu has a friction coefficient, and no parent; name its normal row, or write 0", i);
    DLS_TRY(read_index(s, "owner", DLS_NONE - 1, &row->owner));
    DLS_TRY(dls_scan_count(s, "blocks", h->size.blocks - at->block, &blocks));
    DLS_TRY(quoted(s, "label", DLS_NAME_MAX - 1, &label, &length));
    DLS_TRY(dls_problem_keep_text(p, label, length, &row->label, s->error));
    DLS_TRY(dls_scan_end_line(s));
    p->J.start[i] = at->block;
    for (size_t k = 0; k < blocks; k++)
        DLS_TRY(read_block(s, p, h, at, &column));
    return DLS_OK;
}

static dls_status read_body(dls_scan *s, const header *h, dls_problem *p)
{
    cursor at = {0, 0};
    DLS_TRY(read_masses(s, h, p));
    for (size_t j = 0; h->form == DLS_FORM_MECHANICAL && j < h->size.nv; j++) {
        DLS_TRY(dls_scan_keyword(s, "velocity"));
        DLS_TRY(dls_scan_real(s, "velocity", false, &p->v_star[j]));
        DLS_TRY(dls_scan_end_line(s));
    }
    for (size_t i = 0; i < h->size.n; i++)
        DLS_TRY(read_row(s, p, h, i, &at));
    p->J.start[h->size.n] = at.block;
    p->J.coef_at[at.block] = at.coef;
    DLS_TRY(dls_scan_keyword(s, "end"));
    if (at.block != h->size.blocks || at.coef != h->size.coefs)
        return dls_scan_fail(s, DLS_BAD_INPUT, NULL, "%zu blocks and %zu coefficients; the header says %zu and %zu",
                             at.block, at.coef, h->size.blocks, h->size.coefs);
    DLS_TRY(dls_scan_end_line(s));
    return dls_scan_end(s);
}

static dls_status read_problem(dls_scan *s, dls_problem **problem)
{
    header h;
    DLS_TRY(read_header(s, &h));
    DLS_TRY(dls_problem_allocate(h.size.n, h.size.nv, h.size.blocks, h.size.coefs, h.size.mass, problem, s->error));
    (*problem)->form = h.form;
    (*problem)->h = h.h;
    memcpy((*problem)->name, h.name, sizeof h.name);
    DLS_TRY(dls_problem_keep_rows(*problem, &h.rows, s->error));
    DLS_TRY(read_body(s, &h, *problem));
    return dls_problem_check(*problem, s->error);
}

bool dls_is_problem(const char *text, size_t size)
{
    static const char first[] = "delassus-problem";
    return size >= sizeof first - 1 && memcmp(text, first, sizeof first - 1) == 0;
}

dls_status dls_read_problem(const char *text, size_t size, const char *name, dls_content *content, size_t *end,
                            dls_error *error)
{
    *end = size;
    DLS_TRY(dls_text_check(text, size, name, error));
    dls_scan scan = dls_scan_begin(text, size, name, true, error);
    dls_status status = read_problem(&scan, &content->problem);
    return status == DLS_OK ? DLS_OK : dls_fail_place(error, status, name, 0, 0, NULL);
}
