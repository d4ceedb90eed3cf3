/* The first number in which two series of dumped steps differ. */
#include "dumps.h"
#include "step_difference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
            status = steps_compare_permuted(d, &steps[0], &steps[1], name, error);
        else if (!problems || !impulses)
            steps_compare(d, &steps[0], &steps[1]);
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
    return numbers_differ(d, "present", first, 1.0 - first);
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

static dls_status compare_all_tables(folders *f, difference *d, dls_error *error)
{
    for (size_t i = 0; i < f->tables[0].count && !d->found; i++) {
        const char *name = f->tables[0].names[i];
        snprintf(d->step, sizeof d->step, "%s.tsv", name);
        if (!is_missing(d, &f->tables[1], name, 1.0))
            DLS_TRY(compare_tables(f->path, name, d, error));
    }
    for (size_t i = 0; i < f->tables[1].count && !d->found; i++) {
        snprintf(d->step, sizeof d->step, "%s.tsv", f->tables[1].names[i]);
        is_missing(d, &f->tables[0], f->tables[1].names[i], 0.0);
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
    return compare_all_tables(f, d, error);
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
