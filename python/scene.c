/* Scenes: read, changed by keys, and compiled into problems. */
#include "parts.h"

static PyObject *wrap(dls_scene *scene)
{
    py_scene *self = PyObject_New(py_scene, &py_scene_type);
    if (self)
        self->scene = scene;
    else
        dls_scene_destroy(scene);
    return (PyObject *)self;
}

PyObject *py_scene_take(dls_scene *scene) { return wrap(scene); }

static void dealloc(PyObject *self)
{
    dls_scene_destroy(((py_scene *)self)->scene);
    PyObject_Free(self);
}

static PyObject *load_scene(PyObject *type, PyObject *path)
{
    const char *name = PyBytes_AsString(path);
    dls_scene *scene;
    dls_error error;
    dls_status status;
    (void)type;
    if (!name)
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = dls_scene_read(name, &scene, &error);
    Py_END_ALLOW_THREADS;
    return status == DLS_OK ? wrap(scene) : py_raise(&error);
}

static PyObject *parse_scene(PyObject *type, PyObject *arguments)
{
    const char *text, *name;
    Py_ssize_t size;
    dls_scene *scene;
    dls_error error;
    (void)type;
    if (!PyArg_ParseTuple(arguments, "y#s", &text, &size, &name))
        return NULL;
    return dls_scene_parse(text, (size_t)size, name, &scene, &error) == DLS_OK ? wrap(scene) : py_raise(&error);
}

static PyObject *set(PyObject *self, PyObject *arguments)
{
    const char *key, *text;
    dls_error error;
    if (!PyArg_ParseTuple(arguments, "ss", &key, &text))
        return NULL;
    if (dls_scene_set(((py_scene *)self)->scene, key, text, &error) != DLS_OK)
        return py_raise(&error);
    Py_RETURN_NONE;
}

/* The world's settings as text. */
static PyObject *world(PyObject *self, PyObject *unused)
{
    (void)unused;
    return py_settings(&dls_world_fields, &((py_scene *)self)->scene->world);
}

/* The keys that its reader has ignored: (line, key, why, how often). */
static PyObject *notes(PyObject *self, PyObject *unused)
{
    const dls_scene *scene = ((py_scene *)self)->scene;
    PyObject *list = PyList_New(0);
    (void)unused;
    for (size_t i = 0; list && i < scene->n_notes; i++) {
        const dls_note *note = &scene->notes[i];
        py_append(&list,
                  Py_BuildValue("lNsn", note->place.line, py_text(note->key), note->text, (Py_ssize_t)note->count));
    }
    return list;
}

/* problem(h): that of the first step of h [s]; 0: the scene's own step. */
static PyObject *problem_of(PyObject *self, PyObject *arguments)
{
    double h;
    dls_model *model;
    dls_problem *problem;
    dls_error error;
    if (!PyArg_ParseTuple(arguments, "d", &h))
        return NULL;
    dls_status status = dls_model_create(((py_scene *)self)->scene, &model, &error);
    if (status == DLS_OK) {
        status = dls_first_problem(model, h, &problem, &error);
        dls_model_destroy(model);
    }
    return status == DLS_OK ? py_problem_take(problem) : py_raise(&error);
}

static PyObject *name(PyObject *self, void *unused)
{
    (void)unused;
    return py_text(((py_scene *)self)->scene->name);
}

static PyGetSetDef attributes[] = {{"name", name, NULL, NULL, NULL}, {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef methods[] = {{"load", load_scene, METH_O | METH_STATIC, NULL},
                                {"parse", parse_scene, METH_VARARGS | METH_STATIC, NULL},
                                {"set", set, METH_VARARGS, NULL},
                                {"world", world, METH_NOARGS, NULL},
                                {"notes", notes, METH_NOARGS, NULL},
                                {"problem", problem_of, METH_VARARGS, NULL},
                                {NULL, NULL, 0, NULL}};

PyTypeObject py_scene_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "delassus._delassus.Scene",
    .tp_basicsize = sizeof(py_scene),
    .tp_dealloc = dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "A scene as written (scene.h).",
    .tp_methods = methods,
    .tp_getset = attributes,
};
