/* Arrays by the buffer protocol. */
#include "parts.h"

#include <string.h>

/* Formats of struct: '@', '=' and '<' may stand before the letter where the byte order is ours. */
static bool is_format(const char *format, const char *letters)
{
    if (!format)
        return false;
#if PY_BIG_ENDIAN
    format += *format == '@' || *format == '=' || *format == '>';
#else
    format += *format == '@' || *format == '=' || *format == '<';
#endif
    return *format && strchr(letters, *format) && !format[1];
}

static bool get(PyObject *object, const char *name, Py_ssize_t n, int flags, const char *letters, const char *what,
                Py_buffer *view)
{
    if (PyObject_GetBuffer(object, view, flags | PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) < 0)
        return false;
    Py_ssize_t count = view->itemsize > 0 ? view->len / view->itemsize : 0;
    if (view->itemsize != 8 || !is_format(view->format, letters))
        PyErr_Format(PyExc_TypeError, "%s must be a contiguous array of %s", name, what);
    else if (n >= 0 && count != n)
        PyErr_Format(PyExc_ValueError, "%s has %zd numbers; %zd are needed", name, count, n);
    else
        return true;
    PyBuffer_Release(view);
    return false;
}

bool py_doubles(PyObject *object, const char *name, Py_ssize_t n, bool writable, py_vector *vector)
{
    memset(vector, 0, sizeof *vector);
    if (!get(object, name, n, writable ? PyBUF_WRITABLE : 0, "d", "float64", &vector->view))
        return false;
    vector->n = vector->view.len / 8;
    vector->at = vector->view.buf;
    return true;
}

bool py_integers(PyObject *object, const char *name, Py_ssize_t n, Py_buffer *view, const int64_t **at)
{
    memset(view, 0, sizeof *view);
    if (!get(object, name, n, 0, "lq", "int64", view))
        return false;
    *at = view->buf;
    return true;
}

PyObject *py_room(size_t n, double **at)
{
    PyObject *array = n <= PY_SSIZE_T_MAX / sizeof **at
                          ? PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(n * sizeof **at))
                          : PyErr_NoMemory();
    if (array) {
        *at = (double *)(void *)PyByteArray_AS_STRING(array);
        memset(*at, 0, n * sizeof **at);
    }
    return array;
}

PyObject *py_array(const double *values, size_t n)
{
    double *at;
    PyObject *array = py_room(n, &at);
    if (array && n > 0)
        memcpy(at, values, n * sizeof *at);
    return array;
}

PyObject *py_integer_array(const size_t *values, size_t n)
{
    PyObject *array = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(n * sizeof(int64_t)));
    int64_t *to = array ? (int64_t *)(void *)PyByteArray_AS_STRING(array) : NULL;
    for (size_t i = 0; to && i < n; i++)
        to[i] = values[i] == DLS_NONE ? -1 : (int64_t)values[i];
    return array;
}

void py_append(PyObject **list, PyObject *value)
{
    if (!value || PyList_Append(*list, value) < 0)
        Py_CLEAR(*list);
    Py_XDECREF(value);
}

bool py_put(PyObject *dict, const char *key, PyObject *value)
{
    bool done = value && PyDict_SetItemString(dict, key, value) == 0;
    Py_XDECREF(value);
    return done;
}

PyObject *py_text(const char *text) { return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace"); }
