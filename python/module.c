/* The module delassus._delassus: types, functions, and the lists of solvers, schemes, joint types and formats. */
#include "parts.h"

#include "config.h"

#include <string.h>

/* --- lists --- */

static PyObject *solvers(PyObject *module, PyObject *unused)
{
    PyObject *list = PyList_New(0);
    (void)module, (void)unused;
    for (size_t i = 0; list && dls_solver_at(i); i++)
        py_append(&list, py_text(dls_solver_at(i)->name));
    return list;
}

/* (name, library, package, whether it was built) */
static PyObject *peers(PyObject *module, PyObject *unused)
{
    PyObject *list = PyList_New(0);
    dls_peer peer;
    (void)module, (void)unused;
    for (size_t i = 0; list && dls_peer_at(i, &peer); i++)
        py_append(&list, Py_BuildValue("sssO", peer.name, peer.library, peer.package, peer.built ? Py_True : Py_False));
    return list;
}

/* (name, summary, source, fields) */
static PyObject *schemes(PyObject *module, PyObject *unused)
{
    PyObject *list = PyList_New(0);
    (void)module, (void)unused;
    for (size_t i = 0; list && dls_schemes[i]; i++)
        py_append(&list, Py_BuildValue("sssN", dls_schemes[i]->name, dls_schemes[i]->summary, dls_schemes[i]->source,
                                       py_fields(&dls_schemes[i]->fields)));
    return list;
}

/* (name, summary, equation, fields) */
static PyObject *joint_types(PyObject *module, PyObject *unused)
{
    PyObject *list = PyList_New(0);
    (void)module, (void)unused;
    for (size_t i = 0; list && dls_joint_types[i]; i++)
        py_append(&list, Py_BuildValue("sssN", dls_joint_types[i]->name, dls_joint_types[i]->summary,
                                       dls_joint_types[i]->equation, py_fields(&dls_joint_types[i]->fields)));
    return list;
}

static PyObject *format_list(const dls_format *format)
{
    PyObject *list = PyList_New(0);
    for (; list && format->name; format++)
        py_append(&list, Py_BuildValue("ss", format->name, format->help));
    return list;
}

/* formats() -> (read, written), each of (name, help) */
static PyObject *formats(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    return Py_BuildValue("NN", format_list(dls_formats), format_list(dls_written_formats));
}

/* --- manufactured problems --- */

/* manufacture(matrix, bounds, n, degenerate, seed) -> (Problem, impulses, w) */
static PyObject *manufacture(PyObject *module, PyObject *arguments)
{
    int matrix, bounds;
    Py_ssize_t n;
    double degenerate, *lambda, *w;
    unsigned long seed;
    dls_problem *problem;
    dls_error error;
    dls_status status;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "iindk", &matrix, &bounds, &n, &degenerate, &seed))
        return NULL;
    if (n < 0)
        return PyErr_Format(PyExc_ValueError, "the number of rows must not be negative");
    PyObject *first = py_room((size_t)n, &lambda), *second = py_room((size_t)n, &w);
    if (!first || !second) {
        Py_XDECREF(first);
        Py_XDECREF(second);
        return NULL;
    }
    const dls_recipe recipe = {(dls_matrix_class)matrix, (dls_bounds_class)bounds, (size_t)n, degenerate, seed};
    Py_BEGIN_ALLOW_THREADS;
    status = dls_manufacture(&recipe, &problem, lambda, w, &error);
    Py_END_ALLOW_THREADS;
    if (status == DLS_OK)
        return Py_BuildValue("NNN", py_problem_take(problem), first, second);
    Py_DECREF(first);
    Py_DECREF(second);
    return py_raise(&error);
}

/* --- the module --- */

static PyMethodDef functions[] = {{"solvers", solvers, METH_NOARGS, NULL},
                                  {"peers", peers, METH_NOARGS, NULL},
                                  {"schemes", schemes, METH_NOARGS, NULL},
                                  {"joint_types", joint_types, METH_NOARGS, NULL},
                                  {"formats", formats, METH_NOARGS, NULL},
                                  {"load", py_load, METH_VARARGS, NULL},
                                  {"parse", py_parse, METH_VARARGS, NULL},
                                  {"manufacture", manufacture, METH_VARARGS, NULL},
                                  {"solve", py_solve, METH_VARARGS, NULL},
                                  {"examine", py_examine, METH_VARARGS, NULL},
                                  {"certify", py_certify, METH_VARARGS, NULL},
                                  {"impulses_of_velocity", py_impulses_of_velocity, METH_VARARGS, NULL},
                                  {"reference", py_reference, METH_VARARGS, NULL},
                                  {"velocities", py_velocities, METH_VARARGS, NULL},
                                  {"compare", py_compare, METH_VARARGS, NULL},
                                  {"sweep", py_sweep, METH_VARARGS, NULL},
                                  {"motion", py_motion, METH_VARARGS, NULL},
                                  {"motion_course", py_motion_course, METH_VARARGS, NULL},
                                  {"motion_at", py_motion_at, METH_VARARGS, NULL},
                                  {NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "delassus._delassus",
    .m_doc = "The C library, for the package delassus: use that.",
    .m_size = -1,
    .m_methods = functions,
};

static bool add_type(PyObject *module, const char *name, PyTypeObject *type)
{
    if (PyType_Ready(type) < 0)
        return false;
    Py_INCREF(type);
    if (PyModule_AddObject(module, name, (PyObject *)type) == 0)
        return true;
    Py_DECREF(type);
    return false;
}

static bool add_list(PyObject *module, const char *name, PyObject *list)
{
    if (list && PyModule_AddObject(module, name, list) == 0)
        return true;
    Py_XDECREF(list);
    return false;
}

static PyObject *words(const char *const *list)
{
    PyObject *all = PyList_New(0);
    for (; all && *list; list++)
        py_append(&all, py_text(*list));
    return all;
}

static PyObject *figure_names(void)
{
    PyObject *all = PyList_New(0);
    for (size_t i = 0; all && i < py_figure_count(); i++)
        py_append(&all, py_text(py_figure_name(i)));
    return all;
}

static PyObject *outcomes(void)
{
    PyObject *all = PyList_New(0);
    for (int i = 0; all && i < DLS_OUTCOMES; i++)
        py_append(&all, py_text(dls_outcome_text((dls_outcome)i)));
    return all;
}

PyMODINIT_FUNC PyInit__delassus(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (module && py_add_errors(module) == 0 && add_type(module, "Problem", &py_problem_type) &&
        add_type(module, "Choice", &py_choice_type) && add_type(module, "Scene", &py_scene_type) &&
        add_type(module, "Simulation", &py_simulation_type) && add_type(module, "Batch", &py_batch_type) &&
        add_list(module, "figures", figure_names()) && add_list(module, "outcomes", outcomes()) &&
        add_list(module, "row_statuses", words(dls_row_status_names)) &&
        PyModule_AddStringConstant(module, "version", PACKAGE_VERSION) == 0 &&
        PyModule_AddStringConstant(module, "data_folder", dls_data_folder()) == 0)
        return module;
    Py_XDECREF(module);
    return NULL;
}
