/* io.h - files in and out. Every reader names file, line and key of what is wrong; every writer leaves no half file. */
#ifndef DELASSUS_IO_H
#define DELASSUS_IO_H

#include "delassus/articulation.h"
#include "delassus/problem.h"
#include "delassus/scene.h"

/* Files larger than this are refused before they are read. */
#define DLS_FILE_MAX ((size_t)256 << 20)

/* A scene in YAML (doc/scene-format.md). */
dls_status dls_scene_read(const char *path, dls_scene **scene, dls_error *error);
/* The same from memory; `name` stands for the file in errors. */
dls_status dls_scene_parse(const char *text, size_t size, const char *name, dls_scene **scene, dls_error *error);

/* Our own text format for problems (doc/problem-format.md): write and read give back every bit. */
dls_status dls_problem_read(const char *path, dls_problem **problem, dls_error *error);
dls_status dls_problem_parse(const char *text, size_t size, const char *name, dls_problem **problem, dls_error *error);
dls_status dls_problem_write(const dls_problem *problem, const char *path, dls_error *error);

/* Text files of Siconos and of ContactBench. Variables keep the file's order (an mlcp: u, then v). */
typedef enum dls_foreign {
    DLS_FOREIGN_LCP,
    DLS_FOREIGN_MLCP,
    DLS_FOREIGN_RELAY,
    DLS_FOREIGN_GMP,              /* its friction rows: contacts under Coulomb's cone */
    DLS_FOREIGN_FC3D,             /* contacts under Coulomb's cone: normal, then two tangents, each */
    DLS_FOREIGN_CONTACTBENCH,     /* normal rows alone (frictionless part) */
    DLS_FOREIGN_CONTACTBENCH_CONE /* contacts under Coulomb's cone, the normal brought before its tangents */
} dls_foreign;
dls_status dls_foreign_read(const char *path, dls_foreign kind, dls_problem **problem, dls_error *error);
dls_status dls_foreign_parse(const char *text, size_t size, const char *name, dls_foreign kind, dls_problem **problem,
                             dls_error *error);
/* The matrix form of contacts under Coulomb's cone as Siconos' fc3d text; DLS_REFUSED for any other problem. */
dls_status dls_foreign_write_fc3d(const dls_problem *problem, const char *path, dls_error *error);

/* FCLIB's HDF5 files, local form: contacts under Coulomb's cone; DLS_UNAVAILABLE where the library was configured
 * without HDF5. */
bool dls_fclib_available(void);
/* Whether the file begins as HDF5 does; false too where it cannot be read. */
bool dls_fclib_is(const char *path);
/* `stored` (or NULL) gets the impulses that the file calls its solution, which the caller frees, or NULL where it has
 * none. They are what the file says: only the examiner knows whether they solve the problem. */
dls_status dls_fclib_read(const char *path, dls_problem **problem, double **stored, dls_error *error);
/* r: n impulses to store as the solution, with u = W r + q; or NULL. DLS_REFUSED for problems that fc3d cannot say
 * either. */
dls_status dls_fclib_write(const dls_problem *problem, const double *r, const char *path, dls_error *error);

/* A robot in URDF: fixed, revolute, continuous, prismatic; a floating joint under a root without mass makes a floating
 * base. Limits, dynamics and mimic tags are kept in the definition. `shapes` (or NULL) gets the number of <visual> and
 * <collision> elements, which are passed over. */
dls_status dls_urdf_read(const char *path, dls_articulation_def **def, size_t *shapes, dls_error *error);
dls_status dls_urdf_parse(const char *text, size_t size, const char *name, dls_articulation_def **def, size_t *shapes,
                          dls_error *error);

/* A robot as it stands in a scene: takes the definition on success, and makes joints of what it has beside its tree:
 * "NAME.JOINT limit" (limit), "... damping" (drive), "... friction" (motor of speed 0), "... mimic". Limits of force
 * and speed are those of actuators, which a scene adds as drives and motors. */
dls_status dls_scene_add_robot(dls_scene *scene, dls_articulation_def *def, dls_error *error);
/* A scene of that robot alone, with the world's defaults. dls_scene_read does so for names that end in .urdf. */
dls_status dls_scene_from_urdf(const char *path, dls_scene **scene, dls_error *error);

/* Any file by its name and first line: a scene (.yaml, .yml, .urdf), our problem format, or a foreign file by `format`
 * ("scene", "problem", "siconos-lcp", "siconos-mlcp", "siconos-relay", "siconos-gmp", "siconos-fc3d", "contactbench",
 * "contactbench-cone", "fclib"; NULL: from the file's first line, or the names of the file and its folder). Exactly one
 * of *scene, *problem is set; both are NULL after a failure. */
dls_status dls_file_load(const char *path, const char *format, dls_scene **scene, dls_problem **problem,
                         dls_error *error);

/* Matrix Market, array format (dense, column-major), with a comment line. */
dls_status dls_matrix_market_write(const char *path, const char *comment, size_t rows, size_t columns,
                                   const double *values, dls_error *error);
/* Matrix Market, coordinate format, from sparse rows. */
dls_status dls_matrix_market_write_rows(const char *path, const char *comment, const dls_rows *rows, dls_error *error);

#endif
