/* io.h - reading and writing files. Errors of readers name file, line and key; a writer leaves a complete file or none.
 */
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

/* The formats that can be read, with a line of help each; name NULL at the end. */
typedef struct dls_format {
    const char *name, *help;
} dls_format;
extern const dls_format dls_formats[];

/* The content of a file: a scene, or a problem. */
typedef struct dls_content {
    const dls_format *format; /* the format it was read in */
    dls_scene *scene;         /* or NULL */
    dls_problem *problem;     /* or NULL */
    double *stored;           /* n impulses stored in the file as the problem's solution, or NULL. They are not checked:
                                 only the examiner can tell whether they solve the problem. */
} dls_content;

/* Reads a file in the format of that name. If `format` is NULL, the format is recognised from the content, not from the
 * file's name; it is an error, and the format must be named, if the content fits no format or more than one. The
 * content is empty after a failure; dls_content_release frees it. */
dls_status dls_file_load(const char *path, const char *format, dls_content *content, dls_error *error);
/* The same from memory; `name` stands for the file in errors. */
dls_status dls_file_parse(const char *text, size_t size, const char *name, const char *format, dls_content *content,
                          dls_error *error);
void dls_content_release(dls_content *content);
/* Writes the file's name without folder and extension into name[size]. */
void dls_file_stem(const char *path, char *name, size_t size);
/* The bytes of a regular file, or of a pipe until its writers close it: /dev/stdin and a shell's <(COMMAND) are pipes.
 * A zero byte follows them, and the caller frees *text. Files larger than DLS_FILE_MAX, folders, devices, sockets, and
 * pipes without a writer, which would block for ever, are refused before anything is read. */
dls_status dls_file_read(const char *path, char **text, size_t *size, dls_error *error);

/* --- scenes --- */

/* A scene in YAML (doc/scene-format.md), a model in MJCF (doc/mjcf.md), or a robot in URDF (any other file that begins
 * with '<'). The scene's notes list the keys that the reader has ignored. */
dls_status dls_scene_read(const char *path, dls_scene **scene, dls_error *error);
/* The same from memory; `name` stands for the file in errors. */
dls_status dls_scene_parse(const char *text, size_t size, const char *name, dls_scene **scene, dls_error *error);

/* The model of a scene's file. */
dls_status dls_load_model(const char *path, dls_model **model, dls_error *error);

/* --- problems --- */

/* The problem of the file; for a scene, the problem of its first step. Otherwise as dls_file_load. */
dls_status dls_load_problem(const char *path, const char *format, dls_content *content, dls_error *error);
/* Gives a content that is a scene the problem of its first step. */
dls_status dls_content_problem(dls_content *content, dls_error *error);
/* The problem of a model's first step, with detected contacts. h: step [s]; 0: the scene's step. */
dls_status dls_first_problem(const dls_model *model, double h, dls_problem **problem, dls_error *error);
/* The text format of this project for problems (doc/problem-format.md): a problem that is written and read again is the
 * same to the bit. */
dls_status dls_problem_read(const char *path, dls_problem **problem, dls_error *error);
dls_status dls_problem_parse(const char *text, size_t size, const char *name, dls_problem **problem, dls_error *error);
dls_status dls_problem_write(const dls_problem *problem, const char *path, dls_error *error);

/* Prints the matrix form of the problem as JSON (doc/problem-format.md), the input of solvers that are separate
 * programs. `start`: impulses to start from, printed as "lambda0"; NULL: none. The caller checks the stream for errors.
 */
dls_status dls_problem_print_json(const dls_problem *problem, const double *start, FILE *to, dls_error *error);
/* Writes lo, hi and, with friction, the coupling as Matrix Market files PATH.lo.mtx, and so on. */
dls_status dls_matrix_set_write_bounds(const dls_problem *problem, const char *path, dls_error *error);

/* The formats that can be written, with a line of help each; name NULL at the end. */
extern const dls_format dls_written_formats[];
/* Information that a format may lack without changing the solutions of the problem, or that a scene in YAML lacks
 * without changing the motion, as bits; dls_loss_texts[i]
 * describes bit i. */
enum {
    DLS_LOSS_MASSES = 1,
    DLS_LOSS_NAMES = 2,
    DLS_LOSS_SOLUTION = 4,
    DLS_LOSS_STARTS = 8,
    DLS_LOSS_LIMITS = 16,
    DLS_LOSS_VISUALS = 32
};
extern const char *const dls_loss_texts[]; /* NULL at the end */
/* Writes the problem in the format of that name. DLS_REFUSED, naming a row, if the format cannot represent the problem:
 * nothing that would change its solutions is ever left out. *lost (or NULL) gets the DLS_LOSS bits of the information
 * that is left out. `solution`: n impulses to store with it, or NULL. */
dls_status dls_file_write(const dls_problem *problem, const double *solution, const char *format, const char *path,
                          unsigned *lost, dls_error *error);

/* --- scenes --- */

/* Writes a scene in YAML, as dls_scene_read reads it, whatever format it was read from: the same bodies, links, joints,
 * sensors, pairs and settings, so that mass matrix, bias force and motion are the same up to rounding. Paths of meshes
 * are from the folder of the file. DLS_REFUSED, naming it, for what is not written: tracks, changes, a start that is
 * chosen, and different armatures on the axes of one joint. *lost (or NULL) gets the DLS_LOSS bits of what is left out:
 * named starts, limits of force and speed that no joint has, and visuals that cannot be drawn. */
dls_status dls_scene_write(const dls_scene *scene, const char *path, unsigned *lost, dls_error *error);

/* --- robots --- */

/* A robot in URDF: fixed, revolute, continuous, prismatic; a floating joint under a root without mass makes a floating
 * base. The definition keeps limits, dynamics and mimic tags, and the <collision> shapes box, sphere, cylinder and
 * capsule; of a mesh the file's name and scale. <visual> shapes are kept for pictures: none of them is an error.
 * `shapes` (or NULL) gets the number of <visual> and <collision> elements. */
dls_status dls_urdf_read(const char *path, dls_articulation_def **def, size_t *shapes, dls_error *error);
dls_status dls_urdf_parse(const char *text, size_t size, const char *name, dls_articulation_def **def, size_t *shapes,
                          dls_error *error);

/* Adds a robot to a scene, which takes the definition on success. Limits, damping, friction and mimic tags become the
 * joints "NAME.JOINT limit" (limit), "... damping" (drive), "... friction" (motor of speed 0) and "... mimic" of the
 * scene. Limits of force and speed belong to actuators, which a scene adds as drives and motors. */
dls_status dls_scene_add_robot(dls_scene *scene, dls_articulation_def *def, dls_error *error);
/* --- matrices --- */

/* Matrix Market, array format (dense, column-major), with a comment line. */
dls_status dls_matrix_market_write(const char *path, const char *comment, size_t rows, size_t columns,
                                   const double *values, dls_error *error);
/* Matrix Market, coordinate format, from sparse rows. */
dls_status dls_matrix_market_write_rows(const char *path, const char *comment, const dls_rows *rows, dls_error *error);
/* Reads either format, real or integer, general, symmetric or skew-symmetric, as a dense, column-major matrix, which
 * the caller frees. `infinite`: whether entries may be infinite, such as bounds. `name` stands for the file in errors.
 */
dls_status dls_matrix_market_parse(const char *text, size_t size, const char *name, bool infinite, size_t *rows,
                                   size_t *columns, double **values, dls_error *error);

/* --- vectors --- */

typedef struct dls_vector_query {
    const char *column; /* of a table (`name` or `name[unit]`), or the member of a JSON object */
    const char *where;  /* "COLUMN=VALUE": only table rows, or JSON objects, with this value; NULL: all */
    bool infinite;      /* whether numbers may be infinite */
} dls_vector_query;
/* Reads n numbers, which the caller frees, from a file in any of these forms, recognised by its content:
 *     Matrix Market   one row or one column
 *     JSON            an array of numbers, or an object with such a member, or several objects, one chosen by `where`
 *     a table         a line of column names, then lines of cells, separated by tabs, commas or blanks
 *     plain numbers   separated by blanks, commas, semicolons or line ends
 * In tables and plain numbers, # begins a comment. NaN is DLS_NOT_FINITE; a file without numbers is DLS_BAD_INPUT. */
dls_status dls_vector_read(const char *path, const dls_vector_query *query, size_t *n, double **values,
                           dls_error *error);

#ifdef __cplusplus
}
#endif

#endif
