/* Options of a simulation, or of each copy of a batch, from the arguments of Python. */
#include "parts.h"

static bool set_all(const dls_field_table *table, void *values, PyObject *dict)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(dict, &at, &key, &value)) {
        const char *name = PyUnicode_AsUTF8(key);
        if (!name || !py_set_field(table, values, name, value))
            return false;
    }
    return true;
}

static bool set_fields(py_options *to, PyObject *scheme_settings, PyObject *warm)
{
    dls_simulation_options *of = &to->of;
    dls_error error;
    if (dls_settings_create(&of->scheme->fields, &to->scheme, &error) != DLS_OK ||
        dls_fields_default(&dls_warm_fields, &of->warm, &error) != DLS_OK) {
        py_raise(&error);
        return false;
    }
    of->scheme_settings = to->scheme.values;
    if (warm == Py_None)
        of->warm.on = false;
    return set_all(&of->scheme->fields, to->scheme.values, scheme_settings) &&
           (warm == Py_None || set_all(&dls_warm_fields, &of->warm, warm));
}

bool py_options_parse(PyObject *arguments, py_options *to)
{
    PyObject *scene, *choice, *scheme_settings, *warm;
    const char *scheme;
    Py_ssize_t iterations, velocity_iterations;
    int ledger, go_on;
    *to = (py_options){.of = dls_simulation_default()};
    if (!PyArg_ParseTuple(arguments, "O!O!sO!nnOpp", &py_scene_type, &scene, &py_choice_type, &choice, &scheme,
                          &PyDict_Type, &scheme_settings, &iterations, &velocity_iterations, &warm, &ledger, &go_on))
        return false;
    if (iterations < 0 || velocity_iterations < 0) {
        PyErr_SetString(PyExc_ValueError, "iterations must not be negative");
        return false;
    }
    if (warm != Py_None && !PyDict_Check(warm)) {
        PyErr_SetString(PyExc_TypeError, "settings of warm starts are a dict");
        return false;
    }
    dls_error error;
    if (dls_scheme_choose(scheme, &to->of.scheme, &error) != DLS_OK) {
        py_raise(&error);
        return false;
    }
    to->of.solver = ((py_choice *)choice)->choice.solver;
    to->of.solver_settings = ((py_choice *)choice)->choice.settings;
    to->of.iterations = (size_t)iterations;
    to->of.velocity_iterations = (size_t)velocity_iterations;
    to->of.ledger = ledger;
    to->of.go_on = go_on;
    Py_INCREF(scene);
    Py_INCREF(choice);
    to->scene = scene;
    to->choice = choice;
    return set_fields(to, scheme_settings, warm);
}

void py_options_release(py_options *options)
{
    dls_settings_release(&options->scheme);
    Py_CLEAR(options->scene);
    Py_CLEAR(options->choice);
}
