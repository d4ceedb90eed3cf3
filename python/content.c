/* The contents of files: problems, scenes, and impulses that are stored with a problem. */
#include "parts.h"

static PyObject *none(void) { Py_RETURN_NONE; }

/* (format, Problem or None, Scene or None, stored impulses or None); takes the content. */
static PyObject *give_content(dls_content *content)
{
    PyObject *parts[4] = {py_text(content->format->name), NULL, NULL, NULL}, *all = NULL;
    parts[3] = content->stored && content->problem ? py_array(content->stored, content->problem->n) : none();
    parts[1] = content->problem ? py_problem_take(content->problem) : none();
    content->problem = NULL;
    parts[2] = content->scene ? py_scene_take(content->scene) : none();
    content->scene = NULL;
    if (parts[0] && parts[1] && parts[2] && parts[3])
        all = PyTuple_Pack(4, parts[0], parts[1], parts[2], parts[3]);
    for (int i = 0; i < 4; i++)
        Py_XDECREF(parts[i]);
    dls_content_release(content);
    return all;
}

/* load(path, format or None, whether a scene's first problem is wanted) -> (format, Problem, Scene, stored) */
PyObject *py_load(PyObject *module, PyObject *arguments)
{
    const char *path, *format;
    int problem;
    dls_content content;
    dls_error error;
    dls_status status;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "yzp", &path, &format, &problem))
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = (problem ? dls_load_problem : dls_file_load)(path, format, &content, &error);
    Py_END_ALLOW_THREADS;
    return status == DLS_OK ? give_content(&content) : py_raise(&error);
}

/* parse(bytes, name, format or None): the same of memory, and a scene stays one. */
PyObject *py_parse(PyObject *module, PyObject *arguments)
{
    const char *text, *name, *format;
    Py_ssize_t size;
    dls_content content;
    dls_error error;
    dls_status status;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "y#sz", &text, &size, &name, &format))
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = dls_file_parse(text, (size_t)size, name, format, &content, &error);
    Py_END_ALLOW_THREADS;
    return status == DLS_OK ? give_content(&content) : py_raise(&error);
}
