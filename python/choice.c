/* Solvers by name with their settings, and the choices that there are. */
#include "parts.h"

#include <stdlib.h>
#include <string.h>

/* --- fields --- */

static const char *const kind_names[] = {
    [DLS_FIELD_REAL] = "real",     [DLS_FIELD_COUNT] = "count",     [DLS_FIELD_BOOL] = "bool",
    [DLS_FIELD_CHOICE] = "choice", [DLS_FIELD_VEC3] = "vector",     [DLS_FIELD_QUAT] = "quaternion",
    [DLS_FIELD_NAME] = "name",     [DLS_FIELD_REALS] = "reals",     [DLS_FIELD_COUNTS] = "counts",
    [DLS_FIELD_NAMES] = "names",   [DLS_FIELD_CHOICES] = "choices", [DLS_FIELD_TRACK] = "track",
    [DLS_FIELD_JOINT] = "joint",   [DLS_FIELD_END] = "end",
};

static PyObject *choices_of(const dls_field *field)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && field->choices && field->choices[i]; i++)
        py_append(&list, PyUnicode_FromStringAndSize(field->choices[i], dls_choice_length(field->choices[i])));
    return list;
}

PyObject *py_fields(const dls_field_table *table)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < table->count; i++) {
        const dls_field *f = &table->fields[i];
        py_append(&list, Py_BuildValue("(ssszddONs)", f->key, f->unit, kind_names[f->kind], f->fallback, f->min, f->max,
                                       f->open_min ? Py_True : Py_False, choices_of(f), f->help));
    }
    return list;
}

bool py_set_field(const dls_field_table *table, void *values, const char *key, PyObject *value)
{
    dls_error error;
    dls_status status;
    py_vector numbers;
    if (PyUnicode_Check(value)) {
        const char *text = PyUnicode_AsUTF8(value);
        if (!text)
            return false;
        status = dls_field_set(table, values, key, text, &error);
    } else {
        if (!py_doubles(value, key, -1, false, &numbers))
            return false;
        status = dls_field_set_numbers(table, values, key, numbers.at, (size_t)numbers.n, &error);
        PyBuffer_Release(&numbers.view);
    }
    if (status != DLS_OK)
        py_raise(&error);
    return status == DLS_OK;
}

PyObject *py_settings(const dls_field_table *table, const void *values)
{
    PyObject *dict = PyDict_New();
    for (size_t i = 0; dict && i < table->count; i++) {
        const size_t length = dls_field_print(&table->fields[i], values, NULL, 0);
        char *text = malloc(length + 1);
        if (text)
            dls_field_print(&table->fields[i], values, text, length + 1);
        if (!py_put(dict, table->fields[i].key, text ? py_text(text) : PyErr_NoMemory()))
            Py_CLEAR(dict);
        free(text);
    }
    return dict;
}

/* --- a choice --- */

/* Choice(name), or Choice(name, accepts, begin) of a solver written in Python (own.c). */
static PyObject *make_choice(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    const char *name;
    unsigned accepts = 0;
    PyObject *begin = NULL;
    dls_error error;
    dls_status status = DLS_OK;
    if (keywords && PyDict_Size(keywords) > 0) {
        PyErr_SetString(PyExc_TypeError, "Choice takes no keywords");
        return NULL;
    }
    if (!PyArg_ParseTuple(arguments, "s|IO", &name, &accepts, &begin))
        return NULL;
    py_choice *self = (py_choice *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    if (begin) {
        self->own = py_own_create(name, accepts, begin);
        if (self->own)
            self->choice = py_own_choice(self->own);
    } else {
        Py_BEGIN_ALLOW_THREADS;
        status = dls_choice_create(name, &self->choice, &error);
        Py_END_ALLOW_THREADS;
        if (status != DLS_OK)
            py_raise(&error);
    }
    if (status == DLS_OK && self->choice.solver)
        return (PyObject *)self;
    Py_DECREF(self);
    return NULL;
}

static int traverse(PyObject *object, visitproc visit, void *arg)
{
    py_choice *self = (py_choice *)object;
    return self->own ? py_own_traverse(self->own, visit, arg) : 0;
}

static int clear(PyObject *object)
{
    py_choice *self = (py_choice *)object;
    if (self->own)
        py_own_clear(self->own);
    return 0;
}

static void dealloc(PyObject *object)
{
    py_choice *self = (py_choice *)object;
    PyObject_GC_UnTrack(object);
    if (self->own)
        py_own_destroy(self->own);
    else
        dls_choice_release(&self->choice);
    Py_TYPE(object)->tp_free(object);
}

static PyObject *set(PyObject *object, PyObject *arguments)
{
    py_choice *self = (py_choice *)object;
    const char *key;
    PyObject *value;
    if (!PyArg_ParseTuple(arguments, "sO", &key, &value) ||
        !py_set_field(&self->choice.solver->fields, self->choice.settings, key, value))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *settings(PyObject *object, PyObject *unused)
{
    const py_choice *self = (const py_choice *)object;
    (void)unused;
    return py_settings(&self->choice.solver->fields, self->choice.settings);
}

/* (name, kind, summary, source, accepts, fields) */
static PyObject *describe(PyObject *object, PyObject *unused)
{
    const dls_solver *s = ((py_choice *)object)->choice.solver;
    (void)unused;
    return Py_BuildValue("(ssssIN)", s->name, s->kind == DLS_SOLVER_DIRECT ? "direct" : "iterative", s->summary,
                         s->source, s->accepts, py_fields(&s->fields));
}

/* Why the solver does not take the problem by its flags; None: it does. */
static PyObject *refuses(PyObject *object, PyObject *problem)
{
    if (!PyObject_TypeCheck(problem, &py_problem_type))
        return PyErr_Format(PyExc_TypeError, "a Problem is needed");
    const dls_problem *p = py_problem_use((py_problem *)problem);
    if (!p)
        return NULL;
    const char *why = dls_solver_refuses(((py_choice *)object)->choice.solver, p);
    py_problem_leave((py_problem *)problem);
    return Py_BuildValue("z", why);
}

static PyMethodDef methods[] = {{"set", set, METH_VARARGS, NULL},
                                {"settings", settings, METH_NOARGS, NULL},
                                {"describe", describe, METH_NOARGS, NULL},
                                {"refuses", refuses, METH_O, NULL},
                                {NULL, NULL, 0, NULL}};

PyTypeObject py_choice_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "delassus._delassus.Choice",
    .tp_basicsize = sizeof(py_choice),
    .tp_dealloc = dealloc,
    .tp_traverse = traverse,
    .tp_clear = clear,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_doc = "A solver with its settings.",
    .tp_methods = methods,
    .tp_new = make_choice,
};
