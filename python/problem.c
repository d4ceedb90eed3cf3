/* Problems: from arrays, files and scenes; their numbers as arrays. */
#include "parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- who may use it --- */

/* The mass operator of an articulation that was assembled works in the memory of its configuration. */
static bool has_scratch(const dls_problem *p)
{
    for (size_t i = 0; i < p->mass.n_blocks; i++)
        if (p->mass.blocks[i].kind == &dls_mass_articulation_kind)
            return true;
    return false;
}

static PyObject *wrap(const dls_problem *at, dls_problem *owned)
{
    py_problem *self = PyObject_New(py_problem, &py_problem_type);
    if (!self) {
        dls_problem_destroy(owned);
        return NULL;
    }
    self->at = at;
    self->owned = owned;
    self->weak = NULL;
    self->lock = NULL;
    self->holder = 0;
    self->depth = self->users = 0;
    if (has_scratch(at) && !(self->lock = PyThread_allocate_lock())) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    return (PyObject *)self;
}

PyObject *py_problem_take(dls_problem *problem) { return wrap(problem, problem); }

PyObject *py_problem_lend(const dls_problem *problem) { return wrap(problem, NULL); }

void py_problem_end(PyObject *lent)
{
    const struct timespec moment = {0, 1000000};
    py_problem *self = (py_problem *)lent;
    if (!self)
        return;
    self->at = NULL; /* for whoever comes from now on */
    while (self->users > 0) {
        Py_BEGIN_ALLOW_THREADS;
        nanosleep(&moment, NULL);
        Py_END_ALLOW_THREADS;
    }
}

static void dealloc(PyObject *object)
{
    py_problem *self = (py_problem *)object;
    if (self->weak)
        PyObject_ClearWeakRefs(object);
    if (self->lock)
        PyThread_free_lock(self->lock);
    dls_problem_destroy(self->owned);
    PyObject_Free(object);
}

/* A thread that has the lock may come again: a solver written in Python asks its problem for numbers. */
static void acquire(py_problem *self)
{
    const unsigned long me = PyThread_get_thread_ident();
    if (self->depth > 0 && self->holder == me) {
        self->depth++;
        return;
    }
    if (!PyThread_acquire_lock(self->lock, NOWAIT_LOCK)) {
        Py_BEGIN_ALLOW_THREADS;
        PyThread_acquire_lock(self->lock, WAIT_LOCK);
        Py_END_ALLOW_THREADS;
    }
    self->holder = me;
    self->depth = 1;
}

const dls_problem *py_problem_use(py_problem *self)
{
    self->users++;
    if (self->lock)
        acquire(self);
    if (self->at)
        return self->at;
    py_problem_leave(self);
    PyErr_SetString(PyExc_RuntimeError,
                    "this problem has ended: it was lent for one solve or one step; take its copy() while it is there");
    return NULL;
}

void py_problem_leave(py_problem *self)
{
    self->users--;
    if (self->lock && --self->depth == 0)
        PyThread_release_lock(self->lock);
}

/* --- from arrays --- */

static dls_status couple(dls_problem *p, const int64_t *parent, const int64_t *law, const double *mu, dls_error *error)
{
    for (size_t i = 0; i < p->n; i++) {
        if (parent[i] < 0)
            continue;
        if ((uint64_t)parent[i] >= p->n ||
            (law[i] != DLS_LAW_BOX && law[i] != DLS_LAW_CONE && law[i] != DLS_LAW_ASSOCIATED))
            return dls_fail(error, DLS_BAD_INPUT,
                            "row %zu: its parent must be a row, and its law box, cone or associated", i);
        p->parent[i] = (size_t)parent[i];
        p->law[i] = (dls_law)law[i];
        p->mu[i] = mu[i];
        p->lo[i] = p->hi[i] = 0.0;
        p->n_coupled++;
        p->n_cone += dls_law_has_discs((dls_law)law[i]);
    }
    return DLS_OK;
}

/* from_matrix(A by columns, b, lo, hi, parent, law, mu): the last three may be None. */
static PyObject *from_matrix(PyObject *type, PyObject *arguments)
{
    PyObject *in[7], *made = NULL;
    py_vector A = {.at = NULL}, b = A, lo = A, hi = A, mu = A;
    Py_buffer parents = {.obj = NULL}, laws = parents;
    const int64_t *parent = NULL, *law = NULL;
    (void)type;
    if (!PyArg_ParseTuple(arguments, "OOOOOOO", &in[0], &in[1], &in[2], &in[3], &in[4], &in[5], &in[6]))
        return NULL;
    const bool coupled = in[4] != Py_None;
    if (!py_doubles(in[1], "b", -1, false, &b) || !py_doubles(in[0], "A", b.n * b.n, false, &A) ||
        !py_doubles(in[2], "lo", b.n, false, &lo) || !py_doubles(in[3], "hi", b.n, false, &hi) ||
        (coupled && (!py_integers(in[4], "parent", b.n, &parents, &parent) ||
                     !py_integers(in[5], "law", b.n, &laws, &law) || !py_doubles(in[6], "mu", b.n, false, &mu))))
        goto end;
    dls_problem *problem = NULL;
    dls_error error;
    dls_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = dls_problem_from_matrix((size_t)b.n, A.at, b.at, lo.at, hi.at, &problem, &error);
    if (status == DLS_OK && coupled)
        status = couple(problem, parent, law, mu.at, &error);
    if (status == DLS_OK)
        status = dls_problem_check(problem, &error);
    Py_END_ALLOW_THREADS;
    if (status == DLS_OK) {
        made = py_problem_take(problem);
    } else {
        dls_problem_destroy(problem);
        py_raise(&error);
    }
end:
    PyBuffer_Release(&A.view);
    PyBuffer_Release(&b.view);
    PyBuffer_Release(&lo.view);
    PyBuffer_Release(&hi.view);
    PyBuffer_Release(&mu.view);
    PyBuffer_Release(&parents);
    PyBuffer_Release(&laws);
    return made;
}

/* --- to files --- */

/* write(path, format, solution or None) -> the parts that the file leaves out */
static PyObject *write_file(PyObject *object, PyObject *arguments)
{
    py_problem *self = (py_problem *)object;
    const char *path, *format;
    PyObject *solution;
    py_vector x = {.at = NULL};
    unsigned lost = 0;
    dls_error error;
    dls_status status;
    if (!PyArg_ParseTuple(arguments, "ysO", &path, &format, &solution))
        return NULL;
    const dls_problem *p = py_problem_use(self);
    if (!p)
        return NULL;
    if (solution != Py_None && !py_doubles(solution, "solution", (Py_ssize_t)p->n, false, &x)) {
        py_problem_leave(self);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS;
    status = dls_file_write(p, x.at, format, path, &lost, &error);
    Py_END_ALLOW_THREADS;
    PyBuffer_Release(&x.view);
    py_problem_leave(self);
    if (status != DLS_OK)
        return py_raise(&error);
    PyObject *losses = PyList_New(0);
    for (size_t i = 0; losses && dls_loss_texts[i]; i++) {
        if (lost & (1u << i))
            py_append(&losses, py_text(dls_loss_texts[i]));
    }
    return losses;
}

/* --- its numbers --- */

static PyObject *vector(PyObject *object, PyObject *name)
{
    py_problem *self = (py_problem *)object;
    const char *which = PyUnicode_AsUTF8(name);
    const dls_problem *p = which ? py_problem_use(self) : NULL;
    if (!p)
        return NULL;
    const struct {
        const char *name;
        const double *at;
        size_t n;
    } vectors[] = {{"v_star", p->v_star, p->nv}, {"gamma", p->gamma, p->n}, {"c", p->c, p->n},
                   {"lo", p->lo, p->n},          {"hi", p->hi, p->n},       {"mu", p->mu, p->n}};
    PyObject *array = NULL;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        if (strcmp(vectors[i].name, which) == 0)
            array = py_array(vectors[i].at, vectors[i].n);
    if (strcmp(which, "parent") == 0)
        array = py_integer_array(p->parent, p->n);
    py_problem_leave(self);
    if (!array && !PyErr_Occurred())
        PyErr_Format(PyExc_KeyError, "%s", which);
    return array;
}

static PyObject *laws(PyObject *object, PyObject *unused)
{
    const dls_problem *p = py_problem_use((py_problem *)object);
    (void)unused;
    if (!p)
        return NULL;
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < p->n; i++)
        py_append(&list, PyLong_FromLong(p->law[i]));
    py_problem_leave((py_problem *)object);
    return list;
}

static PyObject *names(PyObject *object, const char *(*name)(const dls_problem *, size_t))
{
    const dls_problem *p = py_problem_use((py_problem *)object);
    if (!p)
        return NULL;
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < p->n; i++)
        py_append(&list, py_text(name(p, i)));
    py_problem_leave((py_problem *)object);
    return list;
}

static PyObject *labels(PyObject *self, PyObject *unused)
{
    (void)unused;
    return names(self, dls_problem_label);
}

static PyObject *owners(PyObject *self, PyObject *unused)
{
    (void)unused;
    return names(self, dls_problem_owner);
}

/* dense() -> (A by columns, b) */
static PyObject *dense(PyObject *object, PyObject *unused)
{
    py_problem *self = (py_problem *)object;
    const dls_problem *p = py_problem_use(self);
    dls_dense *made = NULL;
    dls_error error;
    dls_status status;
    (void)unused;
    if (!p)
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = dls_dense_create(p, &made, &error);
    Py_END_ALLOW_THREADS;
    py_problem_leave(self);
    if (status != DLS_OK)
        return py_raise(&error);
    PyObject *both = Py_BuildValue("NN", py_array(made->A, made->n * made->n), py_array(made->b, made->n));
    dls_dense_destroy(made);
    return both;
}

static dls_status jacobian(const dls_problem *p, double *to, dls_error *error)
{
    (void)error;
    dls_dense_jacobian(p, to);
    return DLS_OK;
}

static PyObject *matrix(py_problem *self, bool by_velocities,
                        dls_status (*fill)(const dls_problem *, double *, dls_error *))
{
    const dls_problem *p = py_problem_use(self);
    double *at;
    dls_error error;
    dls_status status = DLS_OK;
    if (!p)
        return NULL;
    PyObject *array = py_room((by_velocities ? p->nv : p->n) * p->nv, &at);
    if (array) {
        Py_BEGIN_ALLOW_THREADS;
        status = fill(p, at, &error);
        Py_END_ALLOW_THREADS;
    }
    py_problem_leave(self);
    if (status == DLS_OK)
        return array;
    Py_XDECREF(array);
    return py_raise(&error);
}

static PyObject *get_jacobian(PyObject *self, PyObject *unused)
{
    (void)unused;
    return matrix((py_problem *)self, false, jacobian);
}

static PyObject *get_mass(PyObject *self, PyObject *unused)
{
    (void)unused;
    return matrix((py_problem *)self, true, dls_dense_mass);
}

/* --- equations --- */

/* Calls `work` with the problem and n impulses; the results have n or nv entries each. */
static PyObject *with_impulses(PyObject *object, PyObject *impulses,
                               PyObject *(*work)(const dls_problem *, const double *))
{
    py_problem *self = (py_problem *)object;
    py_vector x;
    const dls_problem *p = py_problem_use(self);
    PyObject *result = NULL;
    if (!p)
        return NULL;
    if (py_doubles(impulses, "impulses", (Py_ssize_t)p->n, false, &x)) {
        result = work(p, x.at);
        PyBuffer_Release(&x.view);
    }
    py_problem_leave(self);
    return result;
}

static PyObject *velocity_of(const dls_problem *p, const double *lambda)
{
    double *v, *scratch = malloc((p->nv + 1) * sizeof *scratch);
    PyObject *array = scratch ? py_room(p->nv, &v) : PyErr_NoMemory();
    if (array)
        dls_problem_velocity(p, lambda, v, scratch);
    free(scratch);
    return array;
}

static PyObject *velocity(PyObject *self, PyObject *impulses) { return with_impulses(self, impulses, velocity_of); }

static PyObject *bounds_of(const dls_problem *p, const double *lambda)
{
    double *lo = NULL, *hi = NULL;
    PyObject *lower = py_room(p->n, &lo), *upper = py_room(p->n, &hi);
    for (size_t i = 0; lower && upper && i < p->n; i++)
        dls_problem_bounds(p, i, lambda, &lo[i], &hi[i]);
    return Py_BuildValue("NN", lower, upper);
}

static PyObject *bounds(PyObject *self, PyObject *impulses) { return with_impulses(self, impulses, bounds_of); }

static PyObject *status_of(const dls_problem *p, const double *lambda)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < p->n; i++)
        py_append(&list, py_text(dls_row_status_names[dls_problem_row_status(p, i, lambda)]));
    return list;
}

static PyObject *row_status(PyObject *self, PyObject *impulses) { return with_impulses(self, impulses, status_of); }

static PyObject *matrix_form(PyObject *object, PyObject *unused)
{
    py_problem *self = (py_problem *)object;
    const dls_problem *p = py_problem_use(self);
    dls_problem *made = NULL;
    dls_error error;
    dls_status status;
    (void)unused;
    if (!p)
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = dls_problem_matrix_form(p, &made, &error);
    Py_END_ALLOW_THREADS;
    py_problem_leave(self);
    return status == DLS_OK ? py_problem_take(made) : py_raise(&error);
}

/* --- attributes --- */

typedef enum attribute { ROWS, VELOCITIES, STEP, NAME, MECHANICAL, COUPLED, CONE, SYMMETRIC } attribute;

static PyObject *get(PyObject *object, void *which)
{
    py_problem *self = (py_problem *)object;
    const dls_problem *p = py_problem_use(self);
    PyObject *value = NULL;
    if (!p)
        return NULL;
    switch ((attribute)(intptr_t)which) {
    case ROWS:
        value = PyLong_FromSize_t(p->n);
        break;
    case VELOCITIES:
        value = PyLong_FromSize_t(p->nv);
        break;
    case STEP:
        value = PyFloat_FromDouble(p->h);
        break;
    case NAME:
        value = py_text(p->name);
        break;
    case MECHANICAL:
        value = PyBool_FromLong(p->form == DLS_FORM_MECHANICAL);
        break;
    case COUPLED:
        value = PyLong_FromSize_t(p->n_coupled);
        break;
    case CONE:
        value = PyLong_FromSize_t(p->n_cone);
        break;
    case SYMMETRIC:
        value = PyBool_FromLong(dls_problem_is_symmetric(p));
        break;
    }
    py_problem_leave(self);
    return value;
}

static PyGetSetDef attributes[] = {{"n", get, NULL, "rows", (void *)ROWS},
                                   {"nv", get, NULL, "generalised velocities", (void *)VELOCITIES},
                                   {"h", get, NULL, "time step [s]; 1 in the matrix form", (void *)STEP},
                                   {"name", get, NULL, "name", (void *)NAME},
                                   {"mechanical", get, NULL, "whether it has J, M, v* and c", (void *)MECHANICAL},
                                   {"coupled", get, NULL, "rows of friction that follows an impulse", (void *)COUPLED},
                                   {"cone", get, NULL, "those under Coulomb's cone", (void *)CONE},
                                   {"symmetric", get, NULL, "whether A is", (void *)SYMMETRIC},
                                   {NULL, NULL, NULL, NULL, NULL}};

/* facets(count, convex) -> (Problem, T by columns) */
static PyObject *facets(PyObject *self, PyObject *arguments)
{
    Py_ssize_t count;
    int convex;
    dls_facets *made = NULL;
    dls_error error;
    dls_status status;
    if (!PyArg_ParseTuple(arguments, "np", &count, &convex))
        return NULL;
    if (count < 3)
        return PyErr_Format(PyExc_ValueError, "a cone has at least 3 facets, not %zd", count);
    const dls_problem *p = py_problem_use((py_problem *)self);
    if (!p)
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = dls_problem_facets(p, (size_t)count, convex ? DLS_FACETS_CONVEX : DLS_FACETS_EXACT, &made, &error);
    Py_END_ALLOW_THREADS;
    py_problem_leave((py_problem *)self);
    if (status != DLS_OK)
        return py_raise(&error);
    PyObject *problem = py_problem_take(made->problem), *T = py_array(made->T, made->n * made->m);
    made->problem = NULL;
    dls_facets_destroy(made);
    return Py_BuildValue("NN", problem, T);
}

static PyMethodDef methods[] = {{"from_matrix", from_matrix, METH_VARARGS | METH_STATIC, NULL},
                                {"write", write_file, METH_VARARGS, NULL},
                                {"vector", vector, METH_O, NULL},
                                {"laws", laws, METH_NOARGS, NULL},
                                {"labels", labels, METH_NOARGS, NULL},
                                {"owners", owners, METH_NOARGS, NULL},
                                {"dense", dense, METH_NOARGS, NULL},
                                {"jacobian", get_jacobian, METH_NOARGS, NULL},
                                {"mass", get_mass, METH_NOARGS, NULL},
                                {"velocity", velocity, METH_O, NULL},
                                {"bounds", bounds, METH_O, NULL},
                                {"row_status", row_status, METH_O, NULL},
                                {"matrix_form", matrix_form, METH_NOARGS, NULL},
                                {"facets", facets, METH_VARARGS, NULL},
                                {NULL, NULL, 0, NULL}};

PyTypeObject py_problem_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "delassus._delassus.Problem",
    .tp_basicsize = sizeof(py_problem),
    .tp_dealloc = dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "A mixed linear complementarity problem (problem.h).",
    .tp_weaklistoffset = offsetof(py_problem, weak),
    .tp_methods = methods,
    .tp_getset = attributes,
};
