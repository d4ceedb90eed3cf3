/* Exceptions: each status of the library is one, with everything that the library said. */
#include "parts.h"

#include <stdio.h>
#include <string.h>

static PyObject *base_error;

/* A name and a second base that Python's users expect for each status, or one of these exceptions itself; NULL: none.
 */
typedef struct kind {
    const char *name;
    PyObject **also;
    const char *help;
    PyObject *type;
} kind;
static kind kinds[] = {
    [DLS_OK] = {"Error", NULL, "What the library reports; its attributes say where.", NULL},
    [DLS_NO_MEMORY] = {"NoMemory", &PyExc_MemoryError, "There is not enough memory.", NULL},
    [DLS_BAD_ARGUMENT] = {"BadArgument", &PyExc_ValueError, "An argument that no call may have.", NULL},
    [DLS_BAD_INPUT] = {"BadInput", &PyExc_ValueError, "A file or a setting that is wrong.", NULL},
    [DLS_NOT_FINITE] = {"NotFinite", &PyExc_ValueError, "NaN or infinity where a number must be finite.", NULL},
    [DLS_IO] = {"IO", &PyExc_OSError, "A file that cannot be read or written.", NULL},
    [DLS_REFUSED] = {"Refused", NULL, "What a solver, a format or a method does not take.", NULL},
    [DLS_UNSOLVABLE] = {"Unsolvable", NULL, "A problem that is proved to have no solution.", NULL},
    [DLS_UNSOLVED] = {"Unsolved", NULL, "A step for which the solver has no answer.", NULL},
    [DLS_NOT_WRITTEN] = {"NotWritten", &kinds[DLS_IO].type, "A file that cannot be written.", NULL},
    [DLS_UNAVAILABLE] = {"Unavailable", &PyExc_NotImplementedError, "What this build of the library lacks.", NULL},
};
#define COUNT(name, text) +1
_Static_assert(sizeof kinds / sizeof kinds[0] == 0 DLS_STATUS_LIST(COUNT), "an exception for each status");
#undef COUNT

static PyObject *make_error(const kind *of)
{
    char name[64];
    snprintf(name, sizeof name, "delassus.%s", of->name);
    if (!base_error)
        return PyErr_NewExceptionWithDoc(name, of->help, NULL, NULL);
    PyObject *bases = !of->also                                        ? PyTuple_Pack(1, base_error)
                      : PyObject_IsSubclass(*of->also, base_error) > 0 ? PyTuple_Pack(1, *of->also)
                                                                       : PyTuple_Pack(2, base_error, *of->also);
    PyObject *type = bases ? PyErr_NewExceptionWithDoc(name, of->help, bases, NULL) : NULL;
    Py_XDECREF(bases);
    return type;
}

int py_add_errors(PyObject *module)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        kinds[i].type = make_error(&kinds[i]);
        if (!kinds[i].type)
            return -1;
        Py_INCREF(kinds[i].type);
        if (PyModule_AddObject(module, kinds[i].name, kinds[i].type) < 0) {
            Py_DECREF(kinds[i].type);
            return -1;
        }
        base_error = kinds[0].type;
    }
    return 0;
}

static bool set(PyObject *exception, const char *name, PyObject *value)
{
    bool done = value && PyObject_SetAttrString(exception, name, value) == 0;
    Py_XDECREF(value);
    return done;
}

static PyObject *text_or_none(const char *text)
{
    if (*text)
        return py_text(text);
    Py_RETURN_NONE;
}

static PyObject *count_or_none(long count)
{
    if (count > 0)
        return PyLong_FromLong(count);
    Py_RETURN_NONE;
}

PyObject *py_raise(const dls_error *error)
{
    char text[DLS_PATH_MAX + DLS_NAME_MAX + DLS_MESSAGE_MAX + 64];
    PyObject *type = kinds[error->status].type;
    dls_error_format(error, text, sizeof text);
    PyObject *words = py_text(text), *exception = words ? PyObject_CallFunctionObjArgs(type, words, NULL) : NULL;
    if (exception && set(exception, "status", py_text(dls_status_text(error->status))) &&
        set(exception, "file", text_or_none(error->file)) && set(exception, "line", count_or_none(error->line)) &&
        set(exception, "column", count_or_none(error->column)) && set(exception, "key", text_or_none(error->key)) &&
        set(exception, "message", py_text(error->message)))
        PyErr_SetObject(type, exception);
    Py_XDECREF(words);
    Py_XDECREF(exception);
    return NULL;
}

PyObject *py_raise_text(dls_status status, const char *text)
{
    dls_error error;
    (void)dls_fail(&error, status, "%s", text);
    return py_raise(&error);
}
