/* io.h - files in and out. Every reader names file, line and key of what is wrong; every writer leaves no half file. */
#ifndef DELASSUS_IO_H
#define DELASSUS_IO_H

#include "delassus/articulation.h"
#include "delassus/problem.h"
#include "delassus/scene.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Files larger than this are refused before they are read. */
#define DLS_FILE_MAX ((size_t)256 << 20)

/* --- any file --- */

/* What can be read, and a line about each; name NULL at the end. */
typedef struct dls_format {
    const char *name, *help;
} dls_format;
extern const dls_format dls_formats[];

/* What a file holds: a scene, or a problem. */
typedef struct dls_content {
    const dls_format *format; /* as which it was read */
    dls_scene *scene;         /* or NULL */
    dls_problem *problem;     /* or NULL */
    double *stored;           /* n impulses that the file calls the problem's solution, or NULL. They are what the file
                                 says: only the examiner knows whether they solve it. */
} dls_content;

/* Reads a file in the format of that name, or, where `format` is NULL, in the one that its content shows; its name
 * does not matter. Content that two formats could have written is an error, and so is content of none: the format must
 * then be named. The content is empty after a failure; dls_content_release frees it. */
dls_status dls_file_load(const char *path, const char *format, dls_content *content, dls_error *error);
/* The same from memory; `name` stands for the file in errors. */
dls_status dls_file_parse(const char *text, size_t size, const char *name, const char *format, dls_content *content,
                          dls_error *error);
void dls_content_release(dls_content *content);
/* The bytes of a regular file, or of a pipe until its writers close it: /dev/stdin and a shell's <(COMMAND) are pipes.
 * A zero byte follows them, and the caller frees *text. Refused before anything is read: files larger than
 * DLS_FILE_MAX, folders, devices, sockets, and a pipe to which nobody writes, which would be waited for without end. */
dls_status dls_file_read(const char *path, char **text, size_t *size, dls_error *error);

/* --- scenes --- */

/* A scene in YAML (doc/scene-format.md), a model in MJCF (doc/mjcf.md), or a robot in URDF: what else begins with '<'.
 * What the reader has left out stands in the scene's notes. */
dls_status dls_scene_read(const char *path, dls_scene **scene, dls_error *error);
/* The same from memory; `name` stands for the file in errors. */
dls_status dls_scene_parse(const char *text, size_t size, const char *name, dls_scene **scene, dls_error *error);

/* --- problems --- */

/* Our own text format for problems (doc/problem-format.md): write and read give back every bit. */
dls_status dls_problem_read(const char *path, dls_problem **problem, dls_error *error);
dls_status dls_problem_parse(const char *text, size_t size, const char *name, dls_problem **problem, dls_error *error);
dls_status dls_problem_write(const dls_problem *problem, const char *path, dls_error *error);

/* The problem as JSON, the matrix form (doc/problem-format.md), with impulses to start from, unless they are NULL, as
 * "lambda0": what a solver that is another program reads. Errors of the stream are for the caller to check. */
dls_status dls_problem_print_json(const dls_problem *problem, const double *start, FILE *to, dls_error *error);
/* lo, hi and, with friction, coupling of a set of Matrix Market files: PATH.lo.mtx, and so on. */
dls_status dls_matrix_set_write_bounds(const dls_problem *problem, const char *path, dls_error *error);

/* What can be written, and a line about each; name NULL at the end. */
extern const dls_format dls_written_formats[];
/* What a written file may leave out without a change to the solutions of its problem, as bits; dls_loss_texts[i] says
 * what bit i means. */
enum { DLS_LOSS_MASSES = 1, DLS_LOSS_NAMES = 2, DLS_LOSS_SOLUTION = 4 };
extern const char *const dls_loss_texts[]; /* NULL at the end */
/* Writes the problem in the format of that name. DLS_REFUSED, naming a row, where the format cannot hold the problem:
 * nothing that would change its solutions is left out. *lost (or NULL) gets what else is left out. `solution`: n impulses to
 * store with it, or NULL. */
dls_status dls_file_write(const dls_problem *problem, const double *solution, const char *format, const char *path,
                          unsigned *lost, dls_error *error);

/* --- robots --- */

/* A robot in URDF: fixed, revolute, continuous, prismatic; a floating joint under a root without mass makes a floating
 * base. Limits, dynamics and mimic tags are kept in the definition, and <collision> shapes: box, sphere, cylinder and
 * capsule; meshes by their names alone. `shapes` (or NULL) gets the number of <visual> elements, which are
 * ignored, and of <collision> elements. */
dls_status dls_urdf_read(const char *path, dls_articulation_def **def, size_t *shapes, dls_error *error);
dls_status dls_urdf_parse(const char *text, size_t size, const char *name, dls_articulation_def **def, size_t *shapes,
                          dls_error *error);

/* A robot as it stands in a scene: takes the definition on success, and makes joints of what it has beside its tree:
 * "NAME.JOINT limit" (limit), "... damping" (drive), "... friction" (motor of speed 0), "... mimic". Limits of force
 * and speed are those of actuators, which a scene adds as drives and motors. */
dls_status dls_scene_add_robot(dls_scene *scene, dls_articulation_def *def, dls_error *error);
/* --- matrices --- */

/* Matrix Market, array format (dense, column-major), with a comment line. */
dls_status dls_matrix_market_write(const char *path, const char *comment, size_t rows, size_t columns,
                                   const double *values, dls_error *error);
/* Matrix Market, coordinate format, from sparse rows. */
dls_status dls_matrix_market_write_rows(const char *path, const char *comment, const dls_rows *rows, dls_error *error);
/* Reads either format, real or integer, general, symmetric or skew-symmetric, as a dense matrix, column-major, which the
 * caller frees. `infinite`: whether entries may be infinite, as bounds are. `name` stands for the file in errors. */
dls_status dls_matrix_market_parse(const char *text, size_t size, const char *name, bool infinite, size_t *rows,
                                   size_t *columns, double **values, dls_error *error);

/* --- vectors --- */

typedef struct dls_vector_query {
    const char *column; /* of a table (`name` or `name[unit]`), or the member of a JSON object */
    const char *where;  /* "COLUMN=VALUE": only the rows of a table, or the object, where that is so; NULL: all */
    bool infinite;      /* whether numbers may be infinite */
} dls_vector_query;
/* n numbers from a file of any program, told apart by what it holds, which the caller frees:
 *     Matrix Market   one row or one column
 *     JSON            an array of numbers, or an object with such a member, or several, one of which `where` names
 *     a table         a line of column names, then lines of cells, separated by tabs, commas or blanks
 *     plain numbers   separated by blanks, commas, semicolons or line ends
 * In tables and plain numbers what follows # is a comment. NaN is DLS_NOT_FINITE, no number at all DLS_BAD_INPUT. */
dls_status dls_vector_read(const char *path, const dls_vector_query *query, size_t *n, double **values,
                           dls_error *error);

#ifdef __cplusplus
}
#endif

#endif
