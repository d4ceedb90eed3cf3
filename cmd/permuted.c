/* Dumped steps of runs whose bodies, and so whose rows, are in different orders.
 *
 * Rows are matched by their labels, but bodies have no names in a problem. Each block of masses is therefore described
 * by what does not depend on the order of the blocks: the labels of the rows that act on it, and as numbers M, M^-1, v*
 * and its coefficients in these rows. Blocks are sorted by these descriptions. The problems are equal but for the order
 * of rows and blocks if and only if the rows that have one label, and the sorted descriptions, are equal: blocks with
 * the same rows may be exchanged as a whole. In the matrix form A has no blocks, and its columns are in the order of
 * the labels, too. */
#include "step_difference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct label {
    const char *text;
    size_t row;
} label;

/* A block of masses: the ranks of its rows in the order of the labels, ascending, and its numbers. */
typedef struct body {
    size_t length, n_rows, count; /* count: of the numbers */
    size_t *ranks;                /* n_rows */
    double *numbers;              /* M and M^-1, length x length each; v*, length; J, n_rows x length */
} body;

/* A problem with its rows and bodies sorted. */
typedef struct sorted {
    const dumped *step;
    label *labels; /* n, by their texts */
    size_t *rank;  /* n: of each row */
    body *bodies;  /* mass.n_blocks */
} sorted;

/* --- rows --- */

static int label_order(const void *a, const void *b)
{
    return strcmp(((const label *)a)->text, ((const label *)b)->text);
}

static dls_status sort_labels(sorted *s, const char *step, dls_error *error)
{
    const dls_problem *p = s->step->problem;
    s->labels = malloc((p->n + 1) * sizeof *s->labels);
    s->rank = malloc((p->n + 1) * sizeof *s->rank);
    if (!s->labels || !s->rank)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu labels", p->n);
    for (size_t i = 0; i < p->n; i++)
        s->labels[i] = (label){dls_problem_label(p, i), i};
    qsort(s->labels, p->n, sizeof *s->labels, label_order);
    for (size_t r = 0; r < p->n; r++)
        s->rank[s->labels[r].row] = r;
    for (size_t r = 1; r < p->n; r++)
        if (strcmp(s->labels[r - 1].text, s->labels[r].text) == 0)
            return dls_fail_about(error, DLS_BAD_INPUT, step, NULL,
                                  "two rows have the label '%s'; rows of permuted bodies are compared by their "
                                  "labels: give each its own",
                                  s->labels[r].text);
    return DLS_OK;
}

/* A label that one of the problems has alone. */
static bool labels_differ(difference *d, const sorted *a, const sorted *b)
{
    const size_t n = a->step->problem->n, m = b->step->problem->n;
    for (size_t i = 0, k = 0; i < n || k < m; i++, k++) {
        const int order = i == n ? 1 : k == m ? -1 : strcmp(a->labels[i].text, b->labels[k].text);
        if (order == 0)
            continue;
        const sorted *has = order < 0 ? a : b;
        row_name(has->step->problem, has->labels[order < 0 ? i : k].row, d->row, sizeof d->row);
        return numbers_differ(d, "present", order<0, order> 0);
    }
    return false;
}

static double rank_of_parent(const sorted *s, size_t i)
{
    const size_t parent = s->step->problem->parent[i];
    return parent == DLS_NONE ? 0.0 : (double)s->rank[parent] + 1.0;
}

/* Rows of one label but for J, in the order of `a`. */
static bool named_rows_differ(difference *d, const sorted *a, const sorted *b)
{
    const dls_problem *p = a->step->problem, *q = b->step->problem;
    for (size_t i = 0; i < p->n; i++) {
        const size_t k = b->labels[a->rank[i]].row;
        if (rows_differ(d, p, i, q, k) ||
            numbers_differ(d, "normal row of its friction", rank_of_parent(a, i), rank_of_parent(b, k)))
            return true;
    }
    return false;
}

static bool named_impulses_differ(difference *d, const sorted *a, const sorted *b)
{
    for (size_t i = 0; i < a->step->problem->n; i++) {
        row_name(a->step->problem, i, d->row, sizeof d->row);
        if (numbers_differ(d, "lambda", a->step->lambda[i], b->step->lambda[b->labels[a->rank[i]].row]))
            return true;
    }
    return false;
}

/* --- A in the matrix form --- */

/* Row i of A into x[n], its columns in the order of the labels. */
static void matrix_row(const sorted *s, size_t i, double *x)
{
    const dls_rows *A = &s->step->problem->J;
    memset(x, 0, A->n * sizeof *x);
    for (size_t k = A->start[i]; k < A->start[i + 1]; k++)
        for (size_t j = A->coef_at[k]; j < A->coef_at[k + 1]; j++)
            x[s->rank[A->offset[k] + j - A->coef_at[k]]] = A->coef[j];
}

static dls_status compare_matrices(difference *d, const sorted *a, const sorted *b, dls_error *error)
{
    const size_t n = a->step->problem->n;
    double *x = calloc(2 * n + 1, sizeof *x);
    if (!x)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for rows of %zu entries", n);
    for (size_t i = 0; i < n && !d->found; i++) {
        matrix_row(a, i, x);
        matrix_row(b, b->labels[a->rank[i]].row, x + n);
        row_name(a->step->problem, i, d->row, sizeof d->row);
        for (size_t j = 0; j < n && !d->found; j++)
            numbers_differ(d, "A", x[j], x[n + j]);
    }
    free(x);
    return DLS_OK;
}

/* --- bodies --- */

static int rank_order(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* The order of what acts on the bodies; 0 if the same rows do. */
static int body_rows_order(const body *a, const body *b)
{
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    for (size_t r = 0; r < a->n_rows && r < b->n_rows; r++)
        if (a->ranks[r] != b->ranks[r])
            return a->ranks[r] < b->ranks[r] ? -1 : 1;
    return (a->n_rows > b->n_rows) - (a->n_rows < b->n_rows);
}

static int body_order(const void *a, const void *b)
{
    const body *x = a, *y = b;
    const int order = body_rows_order(x, y);
    return order ? order : memcmp(x->numbers, y->numbers, x->count * sizeof *x->numbers);
}

/* Ranks of the rows of block k without repetition: several blocks of J in one row may act on it. */
static void collect_ranks(const sorted *s, const dls_rows_by_block *by, size_t k, body *b)
{
    for (size_t e = by->start[k]; e < by->start[k + 1]; e++)
        b->ranks[b->n_rows++] = s->rank[by->row[e]];
    qsort(b->ranks, b->n_rows, sizeof *b->ranks, rank_order);
    size_t kept = 0;
    for (size_t r = 0; r < b->n_rows; r++)
        if (r == 0 || b->ranks[r] != b->ranks[r - 1])
            b->ranks[kept++] = b->ranks[r];
    b->n_rows = kept;
}

/* M, M^-1 and v* of a block, into x. */
static void copy_masses(const dls_problem *p, const dls_mass_block *block, double *unit, double *x)
{
    const size_t m = block->length;
    dls_mass_block_matrix(block, unit, x, m);
    for (size_t j = 0; j < m; j++) {
        unit[j] = 1.0;
        block->kind->solve(block->data, unit, x + m * (m + j));
        unit[j] = 0.0;
    }
    memcpy(x + 2 * m * m, p->v_star + block->offset, m * sizeof *x);
}

static void copy_coefficients(const sorted *s, const dls_rows_by_block *by, size_t k, const body *b, double *x)
{
    const dls_rows *J = &s->step->problem->J;
    const size_t offset = s->step->problem->mass.blocks[k].offset;
    for (size_t e = by->start[k]; e < by->start[k + 1]; e++) {
        const size_t part = by->part[e],
                     *rank = bsearch(&s->rank[by->row[e]], b->ranks, b->n_rows, sizeof *b->ranks, rank_order);
        const size_t row = (size_t)(rank - b->ranks);
        memcpy(x + row * b->length + J->offset[part] - offset, J->coef + J->coef_at[part],
               (J->coef_at[part + 1] - J->coef_at[part]) * sizeof *x);
    }
}

static dls_status describe_body(sorted *s, const dls_rows_by_block *by, size_t k, double *unit, dls_error *error)
{
    const dls_mass_block *block = &s->step->problem->mass.blocks[k];
    const size_t m = block->length, rows = by->start[k + 1] - by->start[k];
    body *b = &s->bodies[k];
    *b = (body){.length = m, .ranks = malloc((rows + 1) * sizeof *b->ranks)};
    b->numbers = calloc(2 * m * m + m + rows * m + 1, sizeof *b->numbers);
    if (!b->ranks || !b->numbers)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a body with %zu rows", rows);
    collect_ranks(s, by, k, b);
    b->count = 2 * m * m + m + b->n_rows * m;
    copy_masses(s->step->problem, block, unit, b->numbers);
    copy_coefficients(s, by, k, b, b->numbers + 2 * m * m + m);
    return DLS_OK;
}

static dls_status sort_bodies(sorted *s, dls_error *error)
{
    const dls_problem *p = s->step->problem;
    dls_rows_by_block *by = NULL;
    double *unit = calloc(dls_mass_longest(&p->mass) + 1, sizeof *unit);
    s->bodies = calloc(p->mass.n_blocks + 1, sizeof *s->bodies);
    dls_status status = unit && s->bodies
                            ? dls_rows_by_block_create(&p->J, p->mass.n_blocks, &by, error)
                            : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu bodies", p->mass.n_blocks);
    for (size_t k = 0; k < p->mass.n_blocks && status == DLS_OK; k++)
        status = describe_body(s, by, k, unit, error);
    if (status == DLS_OK)
        qsort(s->bodies, p->mass.n_blocks, sizeof *s->bodies, body_order);
    free(by);
    free(unit);
    return status;
}

/* The first number of two bodies with the same rows that differs; a body is named by its first row. */
static bool body_numbers_differ(difference *d, const sorted *a, const body *x, const body *y)
{
    const size_t m = x->length, masses = 2 * m * m, velocities = masses + m;
    for (size_t k = 0; k < x->count; k++) {
        const size_t rank = x->n_rows == 0 ? DLS_NONE : x->ranks[k < velocities ? 0 : (k - velocities) / m];
        const char *what = k < masses ? "mass of a body" : k < velocities ? "v* of a body" : "J";
        d->row[0] = '\0';
        if (rank != DLS_NONE)
            row_name(a->step->problem, a->labels[rank].row, d->row, sizeof d->row);
        if (numbers_differ(d, what, x->numbers[k], y->numbers[k]))
            return true;
    }
    return false;
}

/* Notes the first row that acts on one of two bodies alone. */
static void note_other_row(difference *d, const sorted *a, const body *x, const body *y)
{
    size_t r = 0;
    while (r < x->n_rows && r < y->n_rows && x->ranks[r] == y->ranks[r])
        r++;
    const bool mine = r < x->n_rows && (r == y->n_rows || x->ranks[r] < y->ranks[r]);
    d->row[0] = '\0';
    if (r < x->n_rows || r < y->n_rows)
        row_name(a->step->problem, a->labels[mine ? x->ranks[r] : y->ranks[r]].row, d->row, sizeof d->row);
    numbers_differ(d, "bodies that it acts on", NAN, 0.0);
}

static bool bodies_differ(difference *d, const sorted *a, const sorted *b)
{
    for (size_t k = 0; k < a->step->problem->mass.n_blocks; k++) {
        if (body_rows_order(&a->bodies[k], &b->bodies[k]) != 0)
            return note_other_row(d, a, &a->bodies[k], &b->bodies[k]), true;
        if (body_numbers_differ(d, a, &a->bodies[k], &b->bodies[k]))
            return true;
    }
    return false;
}

/* --- one step --- */

static bool sizes_differ(difference *d, const dls_problem *p, const dls_problem *q)
{
    d->row[0] = '\0';
    return counts_differ(d, "form", p->form, q->form) || numbers_differ(d, "step h", p->h, q->h) ||
           counts_differ(d, "number of velocities", p->nv, q->nv) ||
           counts_differ(d, "number of bodies", p->mass.n_blocks, q->mass.n_blocks);
}

static dls_status compare_sorted(difference *d, sorted of[2], const char *step, dls_error *error)
{
    const dls_problem *p = of[0].step->problem, *q = of[1].step->problem;
    for (int k = 0; k < 2; k++)
        DLS_TRY(sort_labels(&of[k], step, error));
    if (labels_differ(d, &of[0], &of[1]) || sizes_differ(d, p, q) || named_rows_differ(d, &of[0], &of[1]))
        return DLS_OK;
    if (p->form == DLS_FORM_MATRIX) {
        DLS_TRY(compare_matrices(d, &of[0], &of[1], error));
    } else {
        for (int k = 0; k < 2; k++)
            DLS_TRY(sort_bodies(&of[k], error));
        bodies_differ(d, &of[0], &of[1]);
    }
    if (!d->found && !named_impulses_differ(d, &of[0], &of[1]))
        d->row[0] = '\0';
    return DLS_OK;
}

dls_status steps_compare_permuted(difference *d, const dumped *a, const dumped *b, const char *step, dls_error *error)
{
    sorted of[2] = {{.step = a}, {.step = b}};
    const dls_status status = compare_sorted(d, of, step, error);
    for (int k = 0; k < 2; k++) {
        const size_t bodies = of[k].bodies ? of[k].step->problem->mass.n_blocks : 0;
        for (size_t i = 0; i < bodies; i++) {
            free(of[k].bodies[i].ranks);
            free(of[k].bodies[i].numbers);
        }
        free(of[k].bodies);
        free(of[k].labels);
        free(of[k].rank);
    }
    return status;
}
