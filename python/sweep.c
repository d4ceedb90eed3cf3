/* A sweep: runs of one scene over the values of keys. */
#include "parts.h"

/* Axes from a list of "KEY=VALUES". */
typedef struct axes {
    dls_sweep_axis *of;
    size_t count;
} axes;

static void release_axes(axes *a)
{
    for (size_t i = 0; i < a->count; i++)
        dls_sweep_axis_release(&a->of[i]);
    PyMem_Free(a->of);
}

static bool read_axes(PyObject *list, axes *to)
{
    const Py_ssize_t count = PyList_GET_SIZE(list);
    dls_error error;
    *to = (axes){PyMem_New(dls_sweep_axis, (size_t)count + 1), 0};
    if (!to->of) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        const char *text = PyUnicode_AsUTF8(PyList_GET_ITEM(list, i));
        if (!text)
            return false;
        if (dls_sweep_axis_create(text, &to->of[to->count++], &error) != DLS_OK) {
            py_raise(&error);
            return false;
        }
    }
    return true;
}

/* sweep(scene, [axis], [fixed value], output, stem, command, jobs) -> path of the table */
PyObject *py_sweep(PyObject *module, PyObject *arguments)
{
    PyObject *over, *fixed;
    Py_ssize_t jobs;
    dls_job job = {0};
    dls_sweep sweep = {.shard = 1, .shards = 1};
    dls_sweep_result result;
    dls_error error;
    dls_status status = DLS_BAD_INPUT;
    axes a[2] = {{NULL, 0}, {NULL, 0}};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "yO!O!yssn", &sweep.scene, &PyList_Type, &over, &PyList_Type, &fixed, &job.output,
                          &sweep.stem, &job.command, &jobs))
        return NULL;
    if (jobs < 1)
        return PyErr_Format(PyExc_ValueError, "jobs must be at least 1");
    if (read_axes(over, &a[0]) && read_axes(fixed, &a[1])) {
        sweep.axes = a[0].of, sweep.n_axes = a[0].count;
        sweep.fixed = a[1].of, sweep.n_fixed = a[1].count;
        sweep.jobs = (size_t)jobs;
        Py_BEGIN_ALLOW_THREADS;
        status = dls_sweep_run(&job, &sweep, &result, &error);
        Py_END_ALLOW_THREADS;
        if (status != DLS_OK)
            py_raise(&error);
    }
    release_axes(&a[0]);
    release_axes(&a[1]);
    return status == DLS_OK ? PyBytes_FromString(result.table) : NULL;
}
