/* State and forces from tab-separated tables: a line of column names, then one line per joint or link. Empty lines and
 * lines that start with # are ignored. */
#include "dynamics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MAX = 8 };

/* A kind of table. Its first column names the row's subject. */
typedef struct layout {
    const char *what, *columns_text, *missing;
    const char *const *columns; /* NULL at the end */
    size_t n_subjects;
    size_t (*find)(const dls_articulation *tree, const char *name);
    dls_status (*set)(dynamics_task *task, size_t subject, int column, double value, dls_error *error);
} layout;

typedef struct reader {
    const layout *layout;
    dynamics_task *task;
    const char *file;
    long line;
    int columns[COLUMNS_MAX], n_columns;
    bool *seen; /* n_subjects */
    dls_error *error;
} reader;

/* --- rows of any table --- */

static dls_status input_fault(const reader *r, long column, const char *key, const char *message)
{
    return dls_fail_at(r->error, DLS_BAD_INPUT, r->file, r->line, column, key, "%s; the columns are %s", message,
                       r->layout->columns_text);
}

/* Splits a line at its tabs; false where it has too many cells. */
static bool split(char *text, char **cells, int *count, int most)
{
    char *rest = text, *cell;
    for (*count = 0; (cell = strsep(&rest, "\t")); cells[(*count)++] = cell)
        if (*count == most)
            return false;
    return true;
}

static dls_status read_column(reader *r, const char *cell, int place)
{
    char name[DLS_NAME_MAX];
    int *column = &r->columns[place];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(cell, "["), cell); /* a unit may follow */
    for (*column = 0; r->layout->columns[*column] && strcmp(r->layout->columns[*column], name) != 0;)
        ++*column;
    if (!r->layout->columns[*column])
        return input_fault(r, place + 1, name, "unknown column");
    for (int k = 0; k < place; k++)
        if (r->columns[k] == *column)
            return input_fault(r, place + 1, name, "this column is there twice");
    return DLS_OK;
}

static dls_status read_header(reader *r, char *text)
{
    char *cells[COLUMNS_MAX];
    bool named = false;
    if (!split(text, cells, &r->n_columns, COLUMNS_MAX))
        return input_fault(r, 1, NULL, "too many columns");
    for (int k = 0; k < r->n_columns; k++) {
        DLS_TRY(read_column(r, cells[k], k));
        named = named || r->columns[k] == 0;
    }
    return named ? DLS_OK : input_fault(r, 1, r->layout->columns[0], "this column is missing");
}

static dls_status find_subject(reader *r, char *const *cells, int count, size_t *subject)
{
    const char *key = r->layout->columns[0];
    int place = 0;
    while (r->columns[place] != 0)
        place++;
    const char *name = place < count ? cells[place] : "";
    *subject = r->layout->find(r->task->tree, name);
    if (*subject == DLS_NONE)
        return dls_fail_at(r->error, DLS_BAD_INPUT, r->file, r->line, place + 1, key, "there is no %s '%.60s'%s", key,
                           name, r->layout->missing);
    if (r->seen[*subject])
        return dls_fail_at(r->error, DLS_BAD_INPUT, r->file, r->line, place + 1, key, "%s '%.60s' has a line already",
                           key, name);
    r->seen[*subject] = true;
    return DLS_OK;
}

static dls_status read_cell(reader *r, size_t subject, int column, const char *cell)
{
    double value;
    const char *end;
    DLS_TRY(dls_parse_real(cell, "", &value, &end, r->error));
    if (*end)
        return dls_fail(r->error, DLS_BAD_INPUT, "'%.40s' is not a number", cell);
    if (!isfinite(value))
        return dls_fail(r->error, DLS_NOT_FINITE, "must be finite");
    return r->layout->set(r->task, subject, column, value, r->error);
}

static dls_status read_row(reader *r, char *text)
{
    char *cells[COLUMNS_MAX];
    int count;
    size_t subject;
    if (!split(text, cells, &count, r->n_columns))
        return input_fault(r, r->n_columns + 1, NULL, "more cells than the header names");
    DLS_TRY(find_subject(r, cells, count, &subject));
    for (int k = 0; k < count; k++) {
        if (r->columns[k] == 0 || !cells[k][0])
            continue;
        dls_status status = read_cell(r, subject, r->columns[k], cells[k]);
        if (status != DLS_OK)
            return dls_fail_place(r->error, status, r->file, r->line, k + 1, r->layout->columns[r->columns[k]]);
    }
    return DLS_OK;
}

static dls_status read_lines(reader *r, char *text, size_t size)
{
    char *rest = text, *line;
    for (r->line = 1; (line = strsep(&rest, "\n")); r->line++) {
        if (!rest && line + strlen(line) != text + size)
            return input_fault(r, 1, NULL, "a zero byte: this is no text file");
        line[strcspn(line, "\r")] = 0;
        if (!line[0] || line[0] == '#')
            continue;
        DLS_TRY(r->n_columns ? read_row(r, line) : read_header(r, line));
    }
    return r->n_columns
               ? DLS_OK
               : dls_fail_at(r->error, DLS_BAD_INPUT, r->file, 1, 1, NULL, "the table of %s is empty", r->layout->what);
}

static dls_status read_table(dynamics_task *task, const layout *kind, const char *file, dls_error *error)
{
    reader r = {.layout = kind, .task = task, .file = file, .error = error};
    char *text;
    size_t size;
    DLS_TRY(dls_file_read(file, &text, &size, error));
    r.seen = calloc(kind->n_subjects + 1, sizeof *r.seen);
    dls_status status =
        r.seen ? read_lines(&r, text, size) : dls_fail(error, DLS_NO_MEMORY, "no memory for a table of %s", kind->what);
    free(r.seen);
    free(text);
    return status;
}

/* --- states --- */

/* By its name: a joint's, or a joint's or the base's with an axis behind a dot. */
static size_t find_dof(const dls_articulation *tree, const char *wanted)
{
    char name[2 * DLS_NAME_MAX];
    const char *dot = strrchr(wanted, '.');
    snprintf(name, sizeof name, "%.*s", dot ? (int)(dot - wanted) : 0, wanted);
    const size_t links[] = {dls_articulation_find_joint(tree, wanted), dls_articulation_find_joint(tree, name), 0};
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++)
        for (size_t k = 0; links[i] != DLS_NONE && k < tree->links[links[i]].n_dofs; k++) {
            dls_articulation_dof_name(tree, tree->links[links[i]].dof + k, name, sizeof name);
            if (strcmp(name, wanted) == 0)
                return tree->links[links[i]].dof + k;
        }
    return DLS_NONE;
}

enum { Q = 1, QD, QDD };
static const char *const state_columns[] = {"joint", "q", "qd", "qdd", "tau", NULL};

/* The coordinates of all degrees of freedom: those of joints, and of a floating base the position of its centre of mass
 * and the rotation vector of its link frame. */
static void coordinates_of(const dls_articulation *tree, const dls_articulation_state *state, double *to)
{
    if (tree->n_base) {
        const dls_vec3 x = state->root_x, turn = dls_quat_log(state->root_q);
        memcpy(to, &(double[]){x.x, x.y, x.z, turn.x, turn.y, turn.z}, 6 * sizeof *to);
    }
    for (size_t i = 1; i < tree->n_links; i++) {
        const dls_link *link = &tree->links[i];
        const double *q = state->q + link->position;
        const long turns = state->wraps[link->position];
        double unused[DLS_DOFS_MAX];
        for (size_t k = 0; k < link->n_dofs; k++)
            to[link->dof + k] = link->motion->coordinate ? link->motion->coordinate(q, turns, k, unused) : q[k];
    }
}

static void set_coordinates(const dls_articulation *tree, dls_articulation_state *state, const double *from)
{
    if (tree->n_base) {
        state->root_x = dls_v3(from[0], from[1], from[2]);
        state->root_q = dls_quat_exp(dls_v3(from[3], from[4], from[5]));
    }
    for (size_t i = 1; i < tree->n_links; i++) {
        const dls_link *link = &tree->links[i];
        if (link->n_dofs == 1)
            dls_articulation_set_position(tree, state, i, from[link->dof]);
        else if (link->motion->place)
            link->motion->place(state->q + link->position, state->wraps + link->position, from + link->dof);
        else
            memcpy(state->q + link->position, from + link->dof, link->n_dofs * sizeof *from);
    }
}

static dls_status set_state(dynamics_task *t, size_t dof, int column, double value, dls_error *error)
{
    (void)error;
    *(column == Q     ? &t->coordinates[dof]
      : column == QD  ? &t->state->v[dof]
      : column == QDD ? &t->vdot[dof]
                      : &t->load->tau[dof]) = value;
    return DLS_OK;
}

/* The coordinates of one rotation make one quaternion, so that all of them are read first. */
dls_status dynamics_read_state(dynamics_task *task, const char *file, dls_error *error)
{
    const size_t n = task->tree->nv;
    const layout states = {"a state", "joint, q, qd, qdd, tau", " that moves", state_columns, n, find_dof, set_state};
    double *before = calloc(2 * n + 1, sizeof *before);
    if (!before)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu coordinates", n);
    task->coordinates = before + n;
    coordinates_of(task->tree, task->state, before);
    memcpy(task->coordinates, before, n * sizeof *before);
    dls_status status = read_table(task, &states, file, error);
    if (status == DLS_OK && memcmp(before, task->coordinates, n * sizeof *before) != 0)
        set_coordinates(task->tree, task->state, task->coordinates);
    if (status == DLS_OK && (status = dls_articulation_state_check(task->tree, task->state, error)) != DLS_OK)
        dls_fail_place(error, status, file, 0, 0, "q");
    task->coordinates = NULL;
    free(before);
    return status;
}

/* --- forces on links --- */

static const char *const force_columns[] = {"link", "fx", "fy", "fz", "tx", "ty", "tz", NULL};

static dls_status set_force(dynamics_task *t, size_t link, int column, double value, dls_error *error)
{
    dls_spatial *f = &t->load->force[link];
    double *const entries[] = {&f->lin.x, &f->lin.y, &f->lin.z, &f->ang.x, &f->ang.y, &f->ang.z};
    (void)error;
    *entries[column - 1] = value;
    return DLS_OK;
}

dls_status dynamics_read_forces(dynamics_task *task, const char *file, dls_error *error)
{
    const layout forces = {
        "forces", "link, fx, fy, fz, tx, ty, tz", "", force_columns, task->tree->n_links, dls_articulation_find_link,
        set_force};
    return read_table(task, &forces, file, error);
}
