/* delassus_dump.h - step problems of a physics engine, written to files that `delassus ci` examines.
 *
 * SPDX-License-Identifier: CC0-1.0
 * To the extent possible under law, the authors have waived all copyright and related rights to this file. Copy it into
 * any engine under any licence. It needs C99 or C++11 and the system's C library (POSIX or Windows) alone.
 *
 * The engine states, once per step, its masses, its velocities before the constraints act, and its rows with the
 * impulses that it has computed:
 *
 *     dls_dump dump;
 *     dls_dump_open(&dump, NULL, "falling-box");             the folder is that of the variable DELASSUS_DUMP
 *     for each step:
 *         dls_dump_begin(&dump, h);
 *         int box = dls_dump_body(&dump, mass, inertia, v_star);
 *         int normal = dls_dump_row(&dump, "box-floor.normal", c, cfm / h, 0.0, HUGE_VAL, impulse);
 *         dls_dump_block(&dump, box, J);
 *         int tangent = dls_dump_row(&dump, "box-floor.tangent", 0.0, 0.0, 0.0, 0.0, impulse_t);
 *         dls_dump_block(&dump, box, J_t);
 *         dls_dump_friction(&dump, normal, mu, DLS_DUMP_BOX);
 *         dls_dump_end(&dump);
 *     dls_dump_close(&dump);
 *
 * Equations, with lambda the impulses [N s, N m s], v* the velocities with all forces and without constraints:
 *
 *     v+ = v* + M^-1 J^T lambda,   w = J v+ + gamma lambda - c,   lo <= lambda <= hi,
 *     w >= 0 where lambda = lo,  w <= 0 where lambda = hi,  w = 0 in between
 *
 * Each step writes FOLDER/NAME-000000.problem (the format delassus-problem) and FOLDER/NAME-000000.impulses; files of
 * this pattern from an earlier run are removed first. Numbers have 17 significant digits: reading restores every bit.
 * Without a folder nothing is written, so that the calls may stay in the engine's tests. The first error is kept:
 * dls_dump_end and dls_dump_close return it, a value of errno. */
#ifndef DELASSUS_DUMP_H
#define DELASSUS_DUMP_H

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <io.h>
#else
#include <dirent.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* DLS_DUMP_BOX: |lambda_t| <= mu lambda_n for the row alone. DLS_DUMP_CONE: Coulomb's disc over the two rows after the
 * normal row, with De Saxce's term. DLS_DUMP_ASSOCIATED: its convex relaxation, which MuJoCo and Drake solve. */
typedef enum dls_dump_law { DLS_DUMP_BOX, DLS_DUMP_CONE, DLS_DUMP_ASSOCIATED } dls_dump_law;

enum { DLS_DUMP_LABEL = 64, DLS_DUMP_PATH = 1024 };

typedef struct dls_dump_text { /* grows */
    char *at;
    size_t size, capacity;
} dls_dump_text;

typedef struct dls_dump_piece { /* the coefficients of a row on a body */
    size_t row, column, count, first;
} dls_dump_piece;

typedef struct dls_dump_constraint {
    char label[DLS_DUMP_LABEL];
    double number[6]; /* gamma, c, lo, hi, position error, mu */
    double lambda;
    int parent; /* or -1 */
    dls_dump_law law;
} dls_dump_constraint;

typedef struct dls_dump {
    char folder[DLS_DUMP_PATH], name[DLS_DUMP_LABEL];
    unsigned long step; /* the next one */
    int error;          /* errno of the first failure, or 0 */
    double h;
    int matrix; /* the step is a problem in matrix form */
    dls_dump_text masses, velocities;
    size_t n_masses, n_velocities, n_rows, n_pieces, n_numbers;
    size_t room_masses, room_rows, room_pieces, room_numbers;
    size_t *offset; /* n_masses + 1: the first velocity of each block of masses */
    dls_dump_constraint *row;
    dls_dump_piece *piece; /* by rows, and in each by columns */
    double *number;        /* coefficients */
} dls_dump;

/* --- parts --- */

static inline void dls_dump_fail(dls_dump *d, int error)
{
    if (!d->error)
        d->error = error ? error : EIO;
}

/* Room for `wanted` items of `size` bytes; false after a failure. */
static inline int dls_dump_room(dls_dump *d, void **at, size_t *capacity, size_t wanted, size_t size)
{
    if (wanted > *capacity) {
        const size_t larger = 2 * wanted + 16;
        void *moved = realloc(*at, larger * size);
        if (!moved) {
            dls_dump_fail(d, ENOMEM);
            return 0;
        }
        *at = moved;
        *capacity = larger;
    }
    return !d->error;
}

/* A number with 17 digits and a point, whatever the locale's separator is. */
static inline void dls_dump_digits(char text[64], double value)
{
    char local[64];
    size_t to = 0;
    snprintf(local, sizeof local, "%.17g", value);
    for (size_t i = 0; local[i]; i++)
        if (strchr("0123456789+-einfa", local[i]))
            text[to++] = local[i];
        else if (to == 0 || text[to - 1] != '.')
            text[to++] = '.';
    text[to] = '\0';
}

static inline void dls_dump_print(dls_dump *d, dls_dump_text *to, const char *word)
{
    void *at = to->at;
    const size_t length = strlen(word);
    if (dls_dump_room(d, &at, &to->capacity, to->size + length + 1, 1))
        memcpy((char *)at + to->size, word, length + 1), to->size += length;
    to->at = (char *)at;
}

/* The numbers, each after a blank; an infinite one only where `bounds` are printed. */
static inline void dls_dump_numbers(dls_dump *d, dls_dump_text *to, const double *values, size_t count, int bounds)
{
    char text[64];
    for (size_t i = 0; i < count; i++) {
        if (isnan(values[i]) || (isinf(values[i]) && !bounds))
            dls_dump_fail(d, ERANGE);
        dls_dump_digits(text, values[i]);
        dls_dump_print(d, to, " ");
        dls_dump_print(d, to, text);
    }
}

/* A block of `count` velocities v, or without v of `count` columns of a matrix; its number, or -1. */
static inline int dls_dump_block_of_masses(dls_dump *d, size_t count, const double *v)
{
    void *at = d->offset;
    const int room = dls_dump_room(d, &at, &d->room_masses, d->n_masses + 2, sizeof *d->offset);
    d->offset = (size_t *)at;
    if (!room)
        return -1;
    for (size_t j = 0; v && j < count; j++) {
        dls_dump_print(d, &d->velocities, "velocity");
        dls_dump_numbers(d, &d->velocities, v + j, 1, 0);
        dls_dump_print(d, &d->velocities, "\n");
    }
    d->offset[0] = 0;
    d->n_velocities += count;
    d->offset[++d->n_masses] = d->n_velocities;
    return (int)d->n_masses - 1;
}

/* --- steps of an earlier run --- */

/* Removes a file of the folder if it is a step of this series: NAME-, six digits or more, .problem or .impulses. */
static inline void dls_dump_remove(dls_dump *d, const char *file)
{
    char path[DLS_DUMP_PATH + 512];
    const size_t name = strlen(d->name);
    if (strncmp(file, d->name, name) != 0 || file[name] != '-')
        return;
    const size_t digits = strspn(file + name + 1, "0123456789");
    const char *suffix = file + name + 1 + digits;
    if (digits < 6 || (strcmp(suffix, ".problem") != 0 && strcmp(suffix, ".impulses") != 0))
        return;
    snprintf(path, sizeof path, "%s/%s", d->folder, file);
    if (remove(path) != 0)
        dls_dump_fail(d, errno);
}

/* Removes the steps of an earlier run, which may have been longer, so that none of them is taken for one of this run.
 */
static inline void dls_dump_clear(dls_dump *d)
{
#ifdef _WIN32
    char pattern[DLS_DUMP_PATH + 8];
    struct _finddata_t found;
    snprintf(pattern, sizeof pattern, "%s/*", d->folder);
    const intptr_t list = _findfirst(pattern, &found);
    if (list == -1)
        dls_dump_fail(d, errno);
    for (int more = list != -1; more; more = _findnext(list, &found) == 0)
        dls_dump_remove(d, found.name);
    if (list != -1)
        _findclose(list);
#else
    DIR *list = opendir(d->folder);
    if (!list)
        dls_dump_fail(d, errno);
    for (struct dirent *entry; list && (entry = readdir(list));)
        dls_dump_remove(d, entry->d_name);
    if (list)
        closedir(list);
#endif
}

/* --- a series of steps --- */

/* Begins a series: `folder` exists, and is that of the variable DELASSUS_DUMP where it is NULL; without either, nothing
 * is written. `name`: at most 40 letters, digits, '-' and '_'; each series of a folder has its own. */
static inline void dls_dump_open(dls_dump *d, const char *folder, const char *name)
{
    memset(d, 0, sizeof *d);
    if (!folder)
        folder = getenv("DELASSUS_DUMP");
    snprintf(d->folder, sizeof d->folder, "%s", folder ? folder : "");
    snprintf(d->name, sizeof d->name, "%.40s", name);
    if (*d->folder)
        dls_dump_clear(d);
}

/* Begins a step of h [s]. */
static inline void dls_dump_begin(dls_dump *d, double h)
{
    d->h = h;
    d->matrix = 0;
    d->masses.size = d->velocities.size = 0;
    d->n_masses = d->n_velocities = d->n_rows = d->n_pieces = d->n_numbers = 0;
}

/* Begins a problem in matrix form instead, for solvers that get no masses: w = A lambda + b, n rows and no bodies. The
 * block 0 of each row has the n entries of its row of A, and c = -b. */
static inline void dls_dump_begin_matrix(dls_dump *d, size_t n)
{
    dls_dump_begin(d, 1.0);
    dls_dump_block_of_masses(d, n, NULL);
    d->matrix = 1;
}

/* A free body: mass [kg], inertia about its centre of mass in the world frame (nine numbers, symmetric) [kg m^2] and
 * v*: three linear [m/s], then three angular [rad/s] components, in the world frame.
 * The number of the block, for dls_dump_block. Bodies that do not move have none. */
static inline int dls_dump_body(dls_dump *d, double mass, const double I[9], const double v[6])
{
    const double minor[3] = {I[4] * I[8] - I[5] * I[7], I[5] * I[6] - I[3] * I[8], I[3] * I[7] - I[4] * I[6]};
    const double det = I[0] * minor[0] + I[1] * minor[1] + I[2] * minor[2], inverse_mass = 1.0 / mass;
    const double inverse[9] = {minor[0] / det, (I[2] * I[7] - I[1] * I[8]) / det, (I[1] * I[5] - I[2] * I[4]) / det,
                               minor[1] / det, (I[0] * I[8] - I[2] * I[6]) / det, (I[2] * I[3] - I[0] * I[5]) / det,
                               minor[2] / det, (I[1] * I[6] - I[0] * I[7]) / det, (I[0] * I[4] - I[1] * I[3]) / det};
    dls_dump_print(d, &d->masses, "mass body");
    dls_dump_numbers(d, &d->masses, &mass, 1, 0);
    dls_dump_numbers(d, &d->masses, &inverse_mass, 1, 0);
    dls_dump_numbers(d, &d->masses, I, 9, 0);
    dls_dump_numbers(d, &d->masses, inverse, 9, 0);
    dls_dump_print(d, &d->masses, "\n");
    return dls_dump_block_of_masses(d, 6, v);
}

/* An articulation: its joint-space inertia, n x n, of which the lower triangle is read, and v* of its n speeds. */
static inline int dls_dump_articulation(dls_dump *d, size_t n, const double *M, const double *v)
{
    char text[64];
    snprintf(text, sizeof text, "mass dense %lu\n", (unsigned long)n);
    dls_dump_print(d, &d->masses, text);
    for (size_t j = 0; j < n; j++) {
        dls_dump_print(d, &d->masses, "column");
        for (size_t i = j; i < n; i++)
            dls_dump_numbers(d, &d->masses, M + n * i + j, 1, 0);
        dls_dump_print(d, &d->masses, "\n");
    }
    return dls_dump_block_of_masses(d, n, v);
}

/* A row with its right side c, its compliance gamma (CFM / h), its bounds and the impulse that the engine has computed.
 * `label`: up to 63 bytes. The same constraint has the same label in every run, and no two rows of a step have the same
 * one, if runs with permuted bodies are to be compared. The row's number, for dls_dump_friction. */
static inline int dls_dump_row(dls_dump *d, const char *label, double c, double gamma, double lo, double hi,
                               double lambda)
{
    void *at = d->row;
    const int room = dls_dump_room(d, &at, &d->room_rows, d->n_rows + 1, sizeof *d->row);
    d->row = (dls_dump_constraint *)at;
    if (!room)
        return -1;
    dls_dump_constraint *row = &d->row[d->n_rows++];
    memset(row, 0, sizeof *row);
    snprintf(row->label, sizeof row->label, "%s", label);
    row->number[0] = gamma, row->number[1] = c, row->number[2] = lo, row->number[3] = hi;
    row->lambda = lambda;
    row->parent = -1;
    return (int)d->n_rows - 1;
}

/* The coefficients of the last row on the velocities of a block: 6 for a body. Added to those it has there; a block < 0
 * (a body that does not move) is ignored. */
static inline void dls_dump_block(dls_dump *d, int block, const double *J)
{
    if (block < 0 || d->error)
        return;
    const size_t row = d->n_rows - 1, column = d->offset[block], count = d->offset[block + 1] - column;
    size_t k = d->n_pieces;
    while (k > 0 && d->piece[k - 1].row == row && d->piece[k - 1].column > column)
        k--;
    if (k > 0 && d->piece[k - 1].row == row && d->piece[k - 1].column == column) {
        for (size_t i = 0; i < count; i++)
            d->number[d->piece[k - 1].first + i] += J[i];
        return;
    }
    void *pieces = d->piece, *numbers = d->number;
    const int room = dls_dump_room(d, &pieces, &d->room_pieces, d->n_pieces + 1, sizeof *d->piece) &&
                     dls_dump_room(d, &numbers, &d->room_numbers, d->n_numbers + count, sizeof *d->number);
    d->piece = (dls_dump_piece *)pieces;
    d->number = (double *)numbers;
    if (!room)
        return;
    memmove(d->piece + k + 1, d->piece + k, (d->n_pieces++ - k) * sizeof *d->piece);
    d->piece[k].row = row, d->piece[k].column = column, d->piece[k].count = count, d->piece[k].first = d->n_numbers;
    memcpy(d->number + d->n_numbers, J, count * sizeof *J);
    d->n_numbers += count;
}

/* The last row is friction of the contact whose normal row is `normal`. */
static inline void dls_dump_friction(dls_dump *d, int normal, double mu, dls_dump_law law)
{
    if (d->error)
        return;
    dls_dump_constraint *row = &d->row[d->n_rows - 1];
    row->parent = normal;
    row->law = law;
    row->number[2] = row->number[3] = 0.0;
    row->number[5] = mu;
}

/* The position error of the last row [m, rad], which tells how far redundant rows may contradict each other. */
static inline void dls_dump_position_error(dls_dump *d, double C)
{
    if (!d->error)
        d->row[d->n_rows - 1].number[4] = C;
}

/* --- writing --- */

static inline void dls_dump_put_row(dls_dump *d, dls_dump_text *to, size_t i, size_t *k)
{
    static const char *const laws[] = {"", "cone:", "associated:"};
    const dls_dump_constraint *row = &d->row[i];
    char text[DLS_DUMP_LABEL + 64];
    size_t end = *k;
    while (end < d->n_pieces && d->piece[end].row == i)
        end++;
    dls_dump_print(d, to, "row");
    dls_dump_numbers(d, to, row->number, 6, 1);
    if (row->parent < 0)
        dls_dump_print(d, to, " -");
    else
        snprintf(text, sizeof text, " %s%d", laws[row->law], row->parent), dls_dump_print(d, to, text);
    snprintf(text, sizeof text, " - %lu \"%s\"\n", (unsigned long)(end - *k), row->label);
    dls_dump_print(d, to, text);
    for (; *k < end; (*k)++) {
        const dls_dump_piece *piece = &d->piece[*k];
        snprintf(text, sizeof text, "block %lu %lu", (unsigned long)piece->column, (unsigned long)piece->count);
        dls_dump_print(d, to, text);
        dls_dump_numbers(d, to, d->number + piece->first, piece->count, 0);
        dls_dump_print(d, to, "\n");
    }
}

static inline void dls_dump_put_problem(dls_dump *d, dls_dump_text *to)
{
    char text[512], h[64];
    size_t k = 0;
    dls_dump_digits(h, d->h);
    snprintf(text, sizeof text, "delassus-problem 1\nname \"%s %lu\"\nform %s\nstep %s\nmasses %lu\n", d->name, d->step,
             d->matrix ? "matrix" : "mechanical", h, d->matrix ? 0 : (unsigned long)d->n_masses);
    dls_dump_print(d, to, text);
    snprintf(text, sizeof text, "velocities %lu\nrows %lu\nblocks %lu\ncoefficients %lu\n",
             d->matrix ? 0 : (unsigned long)d->n_velocities, (unsigned long)d->n_rows, (unsigned long)d->n_pieces,
             (unsigned long)d->n_numbers);
    dls_dump_print(d, to, text);
    dls_dump_print(d, to, d->masses.size ? d->masses.at : "");
    dls_dump_print(d, to, d->velocities.size ? d->velocities.at : "");
    for (size_t i = 0; i < d->n_rows; i++)
        dls_dump_put_row(d, to, i, &k);
    dls_dump_print(d, to, "end\n");
}

/* The file FOLDER/`name`, from its text, which is released. */
static inline void dls_dump_write(dls_dump *d, const char *name, dls_dump_text *text)
{
    char path[DLS_DUMP_PATH + 128];
    snprintf(path, sizeof path, "%s/%s", d->folder, name);
    FILE *file = d->error ? NULL : fopen(path, "w");
    if (file) {
        const size_t written = fwrite(text->at ? text->at : "", 1, text->size, file);
        const int closed = fclose(file);
        if (written != text->size || closed != 0)
            dls_dump_fail(d, errno);
    } else {
        dls_dump_fail(d, errno);
    }
    free(text->at);
}

/* Writes the step; a step without rows has no problem, and is counted alone. 0, or the errno of the first failure. */
static inline int dls_dump_end(dls_dump *d)
{
    char name[128];
    dls_dump_text problem = {NULL, 0, 0}, impulses = {NULL, 0, 0};
    if (*d->folder && d->n_rows > 0 && !d->error) {
        dls_dump_put_problem(d, &problem);
        for (size_t i = 0; i < d->n_rows; i++) {
            dls_dump_numbers(d, &impulses, &d->row[i].lambda, 1, 0);
            dls_dump_print(d, &impulses, "\n");
        }
        snprintf(name, sizeof name, "%s-%06lu.impulses", d->name, d->step);
        dls_dump_write(d, name, &impulses);
        snprintf(name, sizeof name, "%s-%06lu.problem", d->name, d->step);
        dls_dump_write(d, name, &problem);
    }
    d->step++;
    return d->error;
}

/* Whether `delassus determinism` asks for the bodies in reversed order. */
static inline int dls_dump_reversed(void)
{
    const char *order = getenv("DELASSUS_ORDER");
    return order && strcmp(order, "reversed") == 0;
}

/* Whether it asks for a second pass of the same scene after a reset of the engine, which is the one to be compared. */
static inline int dls_dump_reset_asked(void)
{
    const char *reset = getenv("DELASSUS_RESET");
    return reset && strcmp(reset, "1") == 0;
}

/* After a reset: the steps are counted from 0 again, their files are removed, and the file `reset` says that. */
static inline void dls_dump_restart(dls_dump *d)
{
    dls_dump_text empty = {NULL, 0, 0};
    d->step = 0;
    if (!*d->folder)
        return;
    dls_dump_clear(d);
    dls_dump_write(d, "reset", &empty);
}

/* Ends the series. 0, or the errno of its first failure. */
static inline int dls_dump_close(dls_dump *d)
{
    const int error = d->error;
    free(d->masses.at);
    free(d->velocities.at);
    free(d->offset);
    free(d->row);
    free(d->piece);
    free(d->number);
    memset(d, 0, sizeof *d);
    return error;
}

#ifdef __cplusplus
}
#endif

#endif
