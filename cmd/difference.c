/* The first number in which two series of dumped steps differ. */
#include "difference.h"

#include "dumps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A step of one of the folders. */
typedef struct dumped {
    dls_problem *problem;
    double *lambda;
} dumped;

static dls_status dumped_read(const char *folder, const char *name, dumped *step, dls_error *error)
{
    const dls_vector_query query = {"lambda", NULL, false};
    char path[DLS_PATH_MAX];
    size_t count;
    DLS_TRY(dumps_path(folder, name, DUMPS_PROBLEM, path, error));
    DLS_TRY(dls_problem_read(path, &step->problem, error));
    DLS_TRY(dumps_path(folder, name, DUMPS_IMPULSES, path, error));
    DLS_TRY(dls_vector_read(path, &query, &count, &step->lambda, error));
    return count == step->problem->n
               ? DLS_OK
               : dls_fail_about(error, DLS_BAD_INPUT, path, NULL, "holds %zu impulses; the problem has %zu rows", count,
                                step->problem->n);
}

static void dumped_release(dumped *step)
{
    dls_problem_destroy(step->problem);
    free(step->lambda);
}

/* --- numbers --- */

/* Notes two numbers whose bits differ; true if they do. */
static bool differ(difference *d, const char *what, double a, double b)
{
    if (memcmp(&a, &b, sizeof a) == 0)
        return false;
    d->found = true;
    snprintf(d->what, sizeof d->what, "%s", what);
    d->value[0] = a, d->value[1] = b;
    return true;
}

static bool counts_differ(difference *d, const char *what, size_t a, size_t b)
{
    return a != b && differ(d, what, (double)a, (double)b);
}

/* Right side, compliance, bounds and friction of row i of one problem and of row k of the other. */
static bool rows_differ(difference *d, const dls_problem *a, size_t i, const dls_problem *b, size_t k)
{
    row_name(a, i, d->row, sizeof d->row);
    return differ(d, "c", a->c[i], b->c[k]) || differ(d, "gamma", a->gamma[i], b->gamma[k]) ||
           differ(d, "lo", a->lo[i], b->lo[k]) || differ(d, "hi", a->hi[i], b->hi[k]) ||
           differ(d, "mu", a->mu[i], b->mu[k]);
}

/* Blocks and coefficients of row i in the same order. */
static bool jacobians_differ(difference *d, const dls_problem *a, const dls_problem *b, size_t i)
{
    const dls_rows *J = &a->J, *K = &b->J;
    if (counts_differ(d, "blocks", J->start[i + 1] - J->start[i], K->start[i + 1] - K->start[i]) ||
        counts_differ(d, "coefficients", J->coef_at[J->start[i + 1]] - J->coef_at[J->start[i]],
                      K->coef_at[K->start[i + 1]] - K->coef_at[K->start[i]]))
        return true;
    for (size_t k = J->coef_at[J->start[i]]; k < J->coef_at[J->start[i + 1]]; k++)
        if (differ(d, "J", J->coef[k], K->coef[k - J->coef_at[J->start[i]] + K->coef_at[K->start[i]]]))
            return true;
    return false;
}

static bool problems_differ(difference *d, const dls_problem *a, const dls_problem *b)
{
    d->row[0] = '\0';
    if (counts_differ(d, "number of rows", a->n, b->n) || counts_differ(d, "number of velocities", a->nv, b->nv) ||
        differ(d, "step h", a->h, b->h))
        return true;
    for (size_t j = 0; j < a->nv; j++)
        if (differ(d, "v*", a->v_star[j], b->v_star[j])) {
            snprintf(d->row, sizeof d->row, "velocity %zu", j + 1);
            return true;
        }
    for (size_t i = 0; i < a->n; i++)
        if (rows_differ(d, a, i, b, i) || jacobians_differ(d, a, b, i))
            return true;
    return false;
}

static bool impulses_differ(difference *d, const dumped *a, const dumped *b)
{
    for (size_t i = 0; i < a->problem->n; i++)
        if (differ(d, "lambda", a->lambda[i], b->lambda[i])) {
            row_name(a->problem, i, d->row, sizeof d->row);
            return true;
        }
    return false;
}

/* --- one step --- */

static bool steps_differ(difference *d, const dumped *a, const dumped *b)
{
    if (problems_differ(d, a->problem, b->problem) || impulses_differ(d, a, b))
        return true;
    d->row[0] = '\0';
    return differ(d, "masses or labels", NAN, 0.0); /* nothing else is left of files that differ */
}

typedef struct label {
    const char *text;
    size_t row;
} label;

static int label_order(const void *a, const void *b)
{
    return strcmp(((const label *)a)->text, ((const label *)b)->text);
}

/* The rows of a problem in the order of their labels, which the caller frees. */
static dls_status sort_labels(const dls_problem *p, const char *step, label **labels, dls_error *error)
{
    label *of = *labels = malloc((p->n + 1) * sizeof *of);
    if (!of)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu labels", p->n);
    for (size_t i = 0; i < p->n; i++)
        of[i] = (label){dls_problem_label(p, i), i};
    qsort(of, p->n, sizeof *of, label_order);
    for (size_t i = 1; i < p->n; i++)
        if (strcmp(of[i - 1].text, of[i].text) == 0)
            return dls_fail_about(error, DLS_BAD_INPUT, step, NULL,
                                  "two rows have the label '%s'; rows of permuted bodies are compared by their "
                                  "labels: give each its own",
                                  of[i].text);
    return DLS_OK;
}

/* Each row of `a` and the row of `b` with its label. */
static bool labels_differ(difference *d, const dumped *a, const dumped *b, const label *labels)
{
    for (size_t i = 0; i < a->problem->n; i++) {
        const label mine = {dls_problem_label(a->problem, i), i},
                    *its = bsearch(&mine, labels, b->problem->n, sizeof *labels, label_order);
        row_name(a->problem, i, d->row, sizeof d->row);
        if (!its)
            return differ(d, "present", 1.0, 0.0);
        if (rows_differ(d, a->problem, i, b->problem, its->row) ||
            differ(d, "lambda", a->lambda[i], b->lambda[its->row]))
            return true;
    }
    d->row[0] = '\0';
    return counts_differ(d, "number of rows", a->problem->n, b->problem->n);
}

static dls_status compare_labels(difference *d, const dumped *a, const dumped *b, const char *step, dls_error *error)
{
    label *labels[2] = {NULL, NULL};
    dls_status status = sort_labels(a->problem, step, &labels[0], error);
    if (status == DLS_OK)
        status = sort_labels(b->problem, step, &labels[1], error);
    if (status == DLS_OK)
        labels_differ(d, a, b, labels[1]);
    free(labels[0]);
    free(labels[1]);
    return status;
}

/* --- files --- */

/* The texts of a file in both folders, which the caller frees, and whether they are equal. */
static dls_status read_both(const char *const folders[2], const char *name, const char *suffix, char *text[2],
                            bool *same, dls_error *error)
{
    char path[DLS_PATH_MAX];
    size_t size[2] = {0, 0};
    text[0] = text[1] = NULL;
    for (int k = 0; k < 2; k++) {
        DLS_TRY(dumps_path(folders[k], name, suffix, path, error));
        DLS_TRY(dls_file_read(path, &text[k], &size[k], error));
    }
    *same = size[0] == size[1] && memcmp(text[0], text[1], size[0]) == 0;
    return DLS_OK;
}

/* Whether a file is the same in both folders, to the byte. */
static dls_status same_bytes(const char *const folders[2], const char *name, const char *suffix, bool *same,
                             dls_error *error)
{
    char *text[2];
    const dls_status status = read_both(folders, name, suffix, text, same, error);
    free(text[0]);
    free(text[1]);
    return status;
}

static dls_status compare_step(const char *const folders[2], const char *name, bool by_labels, difference *d,
                               dls_error *error)
{
    dumped steps[2] = {{NULL, NULL}, {NULL, NULL}};
    bool problems, impulses;
    DLS_TRY(same_bytes(folders, name, DUMPS_PROBLEM, &problems, error));
    DLS_TRY(same_bytes(folders, name, DUMPS_IMPULSES, &impulses, error));
    d->permuted = d->permuted || !problems;
    dls_status status = dumped_read(folders[0], name, &steps[0], error);
    if (status == DLS_OK)
        status = dumped_read(folders[1], name, &steps[1], error);
    if (status == DLS_OK) {
        d->rows += steps[0].problem->n;
        if (by_labels)
            status = compare_labels(d, &steps[0], &steps[1], name, error);
        else if (!problems || !impulses)
            steps_differ(d, &steps[0], &steps[1]);
    }
    dumped_release(&steps[0]);
    dumped_release(&steps[1]);
    return status;
}

/* --- tables --- */

/* The next line that is no comment, without its end; NULL after the last one. */
static char *table_line(char **at)
{
    while (**at) {
        char *line = *at;
        *at += strcspn(line, "\n");
        if (**at)
            *(*at)++ = '\0';
        if (*line != '#')
            return line;
    }
    return NULL;
}

static double cell_value(const char *cell)
{
    double value;
    const char *end;
    return cell && dls_parse_real(cell, "", &value, &end, NULL) == DLS_OK ? value : NAN;
}

/* The first cell of two lines that differs, with the name of its column. */
static void note_cells(difference *d, char *names, char *line[2])
{
    char *cells[2] = {NULL, NULL}, *name = NULL;
    do {
        name = names ? strsep(&names, "\t") : NULL;
        for (int k = 0; k < 2; k++)
            cells[k] = line[k] ? strsep(&line[k], "\t") : NULL;
    } while (cells[0] && cells[1] && strcmp(cells[0], cells[1]) == 0);
    d->found = true;
    snprintf(d->what, sizeof d->what, "%s", name ? name : "line");
    d->value[0] = cell_value(cells[0]), d->value[1] = cell_value(cells[1]);
}

static dls_status compare_tables(const char *const folders[2], const char *name, difference *d, dls_error *error)
{
    char *text[2], *at[2], *line[2];
    bool same;
    dls_status status = read_both(folders, name, ".tsv", text, &same, error);
    at[0] = text[0], at[1] = text[1];
    char *names = NULL;
    for (size_t row = 0; status == DLS_OK && !same && !d->found; row++) {
        line[0] = table_line(&at[0]), line[1] = table_line(&at[1]);
        if (!line[0] && !line[1])
            break;
        snprintf(d->row, sizeof d->row, row ? "row %zu" : "the columns", row);
        if (!line[0] || !line[1] || strcmp(line[0], line[1]) != 0)
            note_cells(d, names, line);
        else if (row == 0)
            names = line[0];
    }
    free(text[0]);
    free(text[1]);
    return status;
}

/* --- folders --- */

typedef struct folders {
    const char *path[2];
    dumps steps[2], tables[2];
    bool by_labels;
} folders;

/* Notes a file that is in one folder alone; true if it is. */
static bool is_missing(difference *d, const dumps *there, const char *name, double first)
{
    if (dumps_index(there, name) != DLS_NONE)
        return false;
    d->row[0] = '\0';
    return differ(d, "present", first, 1.0 - first);
}

static dls_status compare_steps(folders *f, difference *d, dls_error *error)
{
    for (size_t i = 0; i < f->steps[0].count && !d->found; i++) {
        const char *name = f->steps[0].names[i];
        snprintf(d->step, sizeof d->step, "%s", name);
        d->steps++;
        if (!is_missing(d, &f->steps[1], name, 1.0))
            DLS_TRY(compare_step(f->path, name, f->by_labels, d, error));
    }
    for (size_t i = 0; i < f->steps[1].count && !d->found; i++) {
        snprintf(d->step, sizeof d->step, "%s", f->steps[1].names[i]);
        is_missing(d, &f->steps[0], d->step, 0.0);
    }
    return DLS_OK;
}

/* Tables of states have no labels, and are compared only where the order is the same. */
static dls_status compare_folders(folders *f, difference *d, dls_error *error)
{
    for (int k = 0; k < 2; k++) {
        DLS_TRY(dumps_find(f->path[k], DUMPS_PROBLEM, &f->steps[k], error));
        if (!f->by_labels)
            DLS_TRY(dumps_find(f->path[k], ".tsv", &f->tables[k], error));
    }
    if (f->steps[0].count + f->tables[0].count == 0)
        return dls_fail_about(error, DLS_BAD_INPUT, f->path[0], NULL,
                              "the command has written no step NAME" DUMPS_PROBLEM "%s; it must write to the folder "
                              "that DELASSUS_DUMP names",
                              f->by_labels ? "" : " and no table NAME.tsv");
    DLS_TRY(compare_steps(f, d, error));
    for (size_t i = 0; i < f->tables[0].count && !d->found; i++) {
        const char *name = f->tables[0].names[i];
        snprintf(d->step, sizeof d->step, "%s.tsv", name);
        if (!is_missing(d, &f->tables[1], name, 1.0))
            DLS_TRY(compare_tables(f->path, name, d, error));
    }
    return DLS_OK;
}

dls_status difference_find(const char *first, const char *second, bool by_labels, difference *d, dls_error *error)
{
    folders f = {.path = {first, second}, .by_labels = by_labels};
    *d = (difference){.found = false};
    const dls_status status = compare_folders(&f, d, error);
    for (int k = 0; k < 2; k++) {
        dumps_release(&f.steps[k]);
        dumps_release(&f.tables[k]);
    }
    return status;
}
