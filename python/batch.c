/* Many copies of one model, stepped in one call. Their data are read into and written from the caller's arrays. */
#include "parts.h"

#include <string.h>

typedef struct py_batch {
    PyObject_HEAD dls_model *model;
    dls_batch *at;
    py_options options;
    bool busy; /* within a call that has released Python's lock */
} py_batch;

/* A batch solves in several threads at once, which only solvers of the library support. */
static bool check(const py_options *options)
{
    const dls_scene *scene = ((py_scene *)options->scene)->scene;
    const dls_solver *solver = options->of.solver;
    if (scene->n_changes > 0)
        py_raise_text(DLS_REFUSED, "the scene has changes, and copies of a batch are of one model: leave out "
                                   "`changes`, or step a Simulation");
    else if (dls_solver_find(solver->name) != solver)
        py_raise_text(DLS_REFUSED, "a batch is stepped by one of delassus.solvers(); a Simulation takes any solver");
    else
        return true;
    return false;
}

/* Batch((arguments of a Simulation), copies, threads) */
static PyObject *make_batch(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    PyObject *of_each;
    Py_ssize_t copies, threads;
    dls_error error;
    dls_batch_options options = dls_batch_default();
    if ((keywords && PyDict_Size(keywords) > 0) ||
        !PyArg_ParseTuple(arguments, "O!nn", &PyTuple_Type, &of_each, &copies, &threads))
        return NULL;
    if (copies < 0 || threads < 0)
        return PyErr_Format(PyExc_ValueError, "copies and threads must not be negative");
    py_batch *self = (py_batch *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    if (!py_options_parse(of_each, &self->options) || !check(&self->options)) {
        Py_DECREF(self);
        return NULL;
    }
    options.simulation = self->options.of;
    options.threads = (size_t)threads;
    if (dls_model_create(((py_scene *)self->options.scene)->scene, &self->model, &error) == DLS_OK &&
        dls_batch_open(self->model, (size_t)copies, &options, &self->at, &error) == DLS_OK)
        return (PyObject *)self;
    Py_DECREF(self);
    return py_raise(&error);
}

static void dealloc(PyObject *object)
{
    py_batch *self = (py_batch *)object;
    dls_batch_close(self->at);
    dls_model_destroy(self->model);
    py_options_release(&self->options);
    Py_TYPE(object)->tp_free(object);
}

/* NULL with an exception while another thread is in a call. */
static dls_batch *idle(PyObject *object)
{
    py_batch *self = (py_batch *)object;
    if (!self->busy)
        return self->at;
    PyErr_SetString(PyExc_RuntimeError, "the batch is in use by another thread; ask again when it has ended");
    return NULL;
}

/* --- stepping --- */

/* A copy that fails is not stepped any further; this is not an error. */
static dls_status steps(dls_batch *at, double h, Py_ssize_t count, Py_ssize_t *done, py_watch *watch, dls_error *error)
{
    while (*done < count && dls_batch_failed(at) < dls_batch_count(at) && py_watch_go_on(watch)) {
        const size_t failed = dls_batch_failed(at);
        const dls_status status = dls_batch_step(at, h, error);
        if (status != DLS_OK && dls_batch_failed(at) == failed)
            return status;
        ++*done;
    }
    return DLS_OK;
}

/* step(h, count) -> steps done */
static PyObject *step_batch(PyObject *object, PyObject *arguments)
{
    py_batch *self = (py_batch *)object;
    double h;
    Py_ssize_t count, done = 0;
    dls_error error;
    dls_status status;
    py_watch watch = {.last = py_seconds()};
    if (!PyArg_ParseTuple(arguments, "dn", &h, &count))
        return NULL;
    dls_batch *at = idle(object);
    if (!at)
        return NULL;
    self->busy = true;
    Py_BEGIN_ALLOW_THREADS;
    status = steps(at, h, count, &done, &watch, &error);
    Py_END_ALLOW_THREADS;
    self->busy = false;
    if (status != DLS_OK)
        return py_raise(&error);
    return watch.stopped ? NULL : PyLong_FromSsize_t(done);
}

/* --- data --- */

/* The indices of some copies, or of all (None). */
typedef struct list {
    Py_buffer view;
    size_t *of; /* NULL: all */
    size_t n;
} list;

static void release_list(list *copies)
{
    PyBuffer_Release(&copies->view);
    PyMem_Free(copies->of);
}

static bool get_list(PyObject *object, list *copies)
{
    const int64_t *at;
    *copies = (list){.of = NULL};
    if (object == Py_None)
        return true;
    if (!py_integers(object, "copies", -1, &copies->view, &at))
        return false;
    copies->n = (size_t)(copies->view.len / (Py_ssize_t)sizeof *at);
    copies->of = PyMem_New(size_t, copies->n + 1);
    if (!copies->of)
        PyErr_NoMemory();
    for (size_t i = 0; copies->of && i < copies->n; i++)
        copies->of[i] = at[i] < 0 ? DLS_NONE : (size_t)at[i];
    if (!copies->of)
        release_list(copies);
    return copies->of != NULL;
}

/* The data of that name; DLS_BATCH_DATA with an exception if there is none. */
static dls_batch_data data_of(const char *name)
{
    for (dls_batch_data data = 0; data < DLS_BATCH_DATA; data++)
        if (strcmp(dls_batch_data_text(data), name) == 0)
            return data;
    PyErr_Format(PyExc_KeyError, "%s", name);
    return DLS_BATCH_DATA;
}

/* read and write: (name, array of copies x stride numbers, copies) */
static PyObject *transfer(PyObject *object, PyObject *arguments, bool writes)
{
    const char *name;
    PyObject *array, *chosen;
    py_vector values;
    list copies;
    dls_error error;
    if (!PyArg_ParseTuple(arguments, "sOO", &name, &array, &chosen))
        return NULL;
    dls_batch *at = idle(object);
    const dls_batch_data data = at ? data_of(name) : DLS_BATCH_DATA;
    if (data == DLS_BATCH_DATA || !get_list(chosen, &copies))
        return NULL;
    if (!py_doubles(array, name, -1, !writes, &values)) {
        release_list(&copies);
        return NULL;
    }
    const size_t stride = (size_t)values.n / dls_batch_count(at);
    const dls_status status =
        stride * dls_batch_count(at) != (size_t)values.n
            ? dls_fail(&error, DLS_BAD_ARGUMENT, "%s: %zu numbers cannot be divided equally among %zu copies", name,
                       (size_t)values.n, dls_batch_count(at))
        : writes ? dls_batch_write(at, data, copies.of, copies.n, values.at, stride, &error)
                 : dls_batch_read(at, data, copies.of, copies.n, values.at, stride, &error);
    PyBuffer_Release(&values.view);
    release_list(&copies);
    if (status != DLS_OK)
        return py_raise(&error);
    Py_RETURN_NONE;
}

static PyObject *read_data(PyObject *object, PyObject *arguments) { return transfer(object, arguments, false); }

static PyObject *write_data(PyObject *object, PyObject *arguments) { return transfer(object, arguments, true); }

static PyObject *reset(PyObject *object, PyObject *chosen)
{
    list copies;
    dls_error error;
    dls_batch *at = idle(object);
    if (!at || !get_list(chosen, &copies))
        return NULL;
    const dls_status status = dls_batch_reset(at, copies.of, copies.n, &error);
    release_list(&copies);
    if (status != DLS_OK)
        return py_raise(&error);
    Py_RETURN_NONE;
}

/* --- the copies --- */

/* copies() -> [(time, outcome, reason of its failure or None)] */
static PyObject *copies_of(PyObject *object, PyObject *unused)
{
    dls_batch *at = idle(object);
    PyObject *all = at ? PyList_New(0) : NULL;
    (void)unused;
    for (size_t i = 0; all && i < dls_batch_count(at); i++) {
        dls_error why;
        const bool failed = dls_batch_status(at, i, &why) != DLS_OK;
        py_append(&all, Py_BuildValue("dsz", dls_batch_state(at, i)->time, dls_outcome_text(dls_batch_outcome(at, i)),
                                      failed ? why.message : NULL));
    }
    return all;
}

/* facts() -> ({data: numbers of a copy}, threads, bytes of the largest copy) */
static PyObject *facts(PyObject *object, PyObject *unused)
{
    dls_batch *at = idle(object);
    PyObject *numbers = at ? PyDict_New() : NULL;
    (void)unused;
    for (dls_batch_data data = 0; numbers && data < DLS_BATCH_DATA; data++)
        if (!py_put(numbers, dls_batch_data_text(data), PyLong_FromSize_t(dls_batch_numbers(at, data))))
            Py_CLEAR(numbers);
    return numbers ? Py_BuildValue("Nnn", numbers, (Py_ssize_t)dls_batch_threads(at), (Py_ssize_t)dls_batch_size(at))
                   : NULL;
}

static PyMethodDef methods[] = {{"step", step_batch, METH_VARARGS, NULL},
                                {"read", read_data, METH_VARARGS, NULL},
                                {"write", write_data, METH_VARARGS, NULL},
                                {"reset", reset, METH_O, NULL},
                                {"copies", copies_of, METH_NOARGS, NULL},
                                {"facts", facts, METH_NOARGS, NULL},
                                {NULL, NULL, 0, NULL}};

PyTypeObject py_batch_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "delassus._delassus.Batch",
    .tp_basicsize = sizeof(py_batch),
    .tp_dealloc = dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "Many copies of one model (batch.h).",
    .tp_methods = methods,
    .tp_new = make_batch,
};
