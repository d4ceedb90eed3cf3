/* parts.h - the shared parts of the Python module.
 *
 * The module is thin: it checks its arguments, releases Python's lock while the library works, and turns errors
 * into exceptions. Names, defaults, shapes and documentation are those of the package above it (delassus/). Arrays
 * cross by the buffer protocol, numbers as C doubles: the module needs no headers of numpy and does not depend on its
 * ABI. Results are bytearrays, which the package wraps as arrays without a copy.
 */
#ifndef DELASSUS_PYTHON_PARTS_H
#define DELASSUS_PYTHON_PARTS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <delassus/delassus.h>
#include <delassus/experiments.h>

/* --- errors (errors.c) --- */

/* Adds the exceptions to the module: Error, and one that derives from it for each status. */
int py_add_errors(PyObject *module);
/* Raises the exception of error->status with the whole message and its parts as attributes; returns NULL. */
PyObject *py_raise(const dls_error *error);
/* Raises the exception of a status with a message of our own; returns NULL. */
PyObject *py_raise_text(dls_status status, const char *text);

/* --- arrays (arrays.c) --- */

typedef struct py_vector {
    Py_buffer view;
    Py_ssize_t n;
    double *at;
} py_vector;
/* The doubles of a C-contiguous buffer, `n` of them (any number where n < 0), which the caller releases by
 * PyBuffer_Release(&vector->view). False with an exception that names it otherwise. */
bool py_doubles(PyObject *object, const char *name, Py_ssize_t n, bool writable, py_vector *vector);
/* The same of 64-bit signed numbers. */
bool py_integers(PyObject *object, const char *name, Py_ssize_t n, Py_buffer *view, const int64_t **at);
/* New bytearrays: room for n doubles, and a copy of n doubles. NULL with an exception. */
PyObject *py_room(size_t n, double **at);
PyObject *py_array(const double *values, size_t n);
PyObject *py_integer_array(const size_t *values, size_t n); /* DLS_NONE becomes -1 */
/* Sets dict[key] = value and takes the value; false with an exception, also where value is NULL. */
bool py_put(PyObject *dict, const char *key, PyObject *value);
/* Appends a value, which it takes, to a list; clears the list, with an exception, where it cannot or value is NULL. */
void py_append(PyObject **list, PyObject *value);
/* Text of the library, whatever its bytes. */
PyObject *py_text(const char *text);

/* --- problems (problem.c) --- */

/* A problem with the owner of its memory: its own memory, or an object that lends it, and ends the loan by setting `at`
 * to NULL. A problem whose mass operator works in scratch memory of its own is used by one thread at a time. */
typedef struct py_problem {
    PyObject_HEAD const dls_problem *at; /* NULL: the loan has ended */
    dls_problem *owned;                  /* NULL: lent */
    PyObject *weak;
    PyThread_type_lock lock; /* NULL: any number of threads may read it */
    unsigned long holder;    /* the thread that has the lock, */
    int depth;               /* and how often */
    int users;               /* calls that use it now */
} py_problem;
extern PyTypeObject py_problem_type;
PyObject *py_problem_take(dls_problem *problem);       /* takes the problem, also where it fails */
PyObject *py_problem_lend(const dls_problem *problem); /* until py_problem_end */
void py_problem_end(PyObject *lent);                   /* waits for other threads that are in a call with it */
/* The problem for the length of a call; NULL with an exception where the loan has ended. py_problem_leave ends the use.
 */
const dls_problem *py_problem_use(py_problem *problem);
void py_problem_leave(py_problem *problem);

/* --- solvers (choice.c, own.c) --- */

typedef struct py_choice {
    PyObject_HEAD dls_choice choice;
    struct py_own *own; /* of a solver written in Python, else NULL */
} py_choice;
extern PyTypeObject py_choice_type;
/* A list of (key, unit, kind, default, least, most, whether the least is excluded, choices, help). */
PyObject *py_fields(const dls_field_table *table);
/* Sets a field from a str, or from a float64 buffer of numbers in the field's unit. */
bool py_set_field(const dls_field_table *table, void *values, const char *key, PyObject *value);
/* {key: value as text} of settings. */
PyObject *py_settings(const dls_field_table *table, const void *values);

/* A descriptor whose iterations are calls of a Python object. */
struct py_own *py_own_create(const char *name, unsigned accepts, PyObject *begin);
void py_own_destroy(struct py_own *own);
/* For Python's garbage collection: a solver may refer to the simulation that it steps. */
int py_own_traverse(struct py_own *own, visitproc visit, void *arg);
void py_own_clear(struct py_own *own);
dls_choice py_own_choice(struct py_own *own);
/* Raises the exception of the Python solver in the last call, if there is one. */
bool py_own_raise(struct py_own *own);
/* The exception of a failed call that one of the choices took part in: the solver's own one, or that of the error. */
PyObject *py_raise_of(PyObject *const *choices, Py_ssize_t count, const dls_error *error);

/* --- solving and measuring (solve.c, compare.c) --- */

PyObject *py_load(PyObject *module, PyObject *arguments);  /* content.c */
PyObject *py_parse(PyObject *module, PyObject *arguments); /* content.c */
PyObject *py_solve(PyObject *module, PyObject *arguments);
PyObject *py_examine(PyObject *module, PyObject *arguments);
PyObject *py_certify(PyObject *module, PyObject *arguments); /* statement.c */
PyObject *py_impulses_of_velocity(PyObject *module, PyObject *arguments);
PyObject *py_reference(PyObject *module, PyObject *arguments);
PyObject *py_velocities(PyObject *module, PyObject *arguments);
PyObject *py_compare(PyObject *module, PyObject *arguments);
size_t py_figure_count(void); /* the numbers of a dls_certificate */
const char *py_figure_name(size_t index);
/* The numbers in that order. */
void py_figures_of(const dls_certificate *certificate, double *to);
PyObject *py_report(const dls_report *report, size_t n);

/* Whether an interrupt (Ctrl-C) has arrived, with its exception set: asked at most ten times a second, with Python's
 * lock released. */
typedef struct py_watch {
    double last; /* [s] */
    bool stopped;
} py_watch;
bool py_watch_go_on(py_watch *watch);
double py_seconds(void);
/* A choice that fails its iteration once an interrupt has arrived (watched.c); `watched` and the watch must outlive it.
 */
typedef struct py_watched {
    dls_solver solver;
    dls_choice real;
    py_watch *watch;
} py_watched;
dls_choice py_watched_choice(py_watched *watched, const dls_choice *real, py_watch *watch);

/* --- scenes and simulations (scene.c, simulation.c) --- */

typedef struct py_scene {
    PyObject_HEAD dls_scene *scene;
} py_scene;
extern PyTypeObject py_scene_type;
PyObject *py_scene_take(dls_scene *scene);
extern PyTypeObject py_simulation_type;
extern PyTypeObject py_batch_type;
PyObject *py_sweep(PyObject *module, PyObject *arguments);
PyObject *py_motion(PyObject *module, PyObject *arguments);
PyObject *py_motion_course(PyObject *module, PyObject *arguments);
PyObject *py_motion_at(PyObject *module, PyObject *arguments);

/* The options of a simulation, and the objects they refer to (options.c). */
typedef struct py_options {
    PyObject *scene, *choice; /* owned */
    dls_settings scheme;      /* the settings of the scheme */
    dls_simulation_options of;
} py_options;
/* From (scene, choice, scheme, {scheme setting}, iterations, velocity iterations, {warm setting} or None, ledger).
 * False with an exception; py_options_release is allowed then, and after zeroing. */
bool py_options_parse(PyObject *arguments, py_options *to);
void py_options_release(py_options *options);

#endif
