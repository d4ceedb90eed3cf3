/* A run of time steps: its state, and the results of the last step. */
#include "parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct py_simulation {
    PyObject_HEAD dls_model *model;
    dls_simulation *at;
    py_options options; /* and the scene, with its changes */
    size_t changed;     /* number of changes that have been carried out; `model` is the model after the last of them */
    PyObject *lent;     /* the problem of the last step, or NULL */
    bool busy;          /* within a step */
    bool stepped;       /* there is a last step */
} py_simulation;

/* --- making --- */

/* Simulation(scene, choice, scheme, {scheme setting}, iterations, velocity iterations, {warm setting} or None, ledger,
 * go on) */
static PyObject *make_simulation(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    dls_error error;
    if (keywords && PyDict_Size(keywords) > 0)
        return PyErr_Format(PyExc_TypeError, "no keywords are taken");
    py_simulation *self = (py_simulation *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    if (!py_options_parse(arguments, &self->options)) {
        Py_DECREF(self);
        return NULL;
    }
    if (dls_model_create(((py_scene *)self->options.scene)->scene, &self->model, &error) == DLS_OK &&
        dls_simulation_open(self->model, &self->options.of, &self->at, &error) == DLS_OK)
        return (PyObject *)self;
    Py_DECREF(self);
    return py_raise(&error);
}

static void end_loan(py_simulation *self)
{
    py_problem_end(self->lent);
    Py_CLEAR(self->lent);
}

/* The collector follows its reference to the choice; solver and settings stay until it is closed. */
static int traverse(PyObject *object, visitproc visit, void *arg)
{
    Py_VISIT(((py_simulation *)object)->options.choice);
    return 0;
}

static void dealloc(PyObject *object)
{
    py_simulation *self = (py_simulation *)object;
    PyObject_GC_UnTrack(object);
    end_loan(self);
    dls_simulation_close(self->at);
    dls_model_destroy(self->model);
    py_options_release(&self->options);
    Py_TYPE(object)->tp_free(object);
}

/* NULL with an exception while a step runs, in another thread or in the solver of this one. */
static dls_simulation *idle(PyObject *object)
{
    py_simulation *self = (py_simulation *)object;
    if (!self->busy)
        return self->at;
    PyErr_SetString(PyExc_RuntimeError, "the simulation is within a step; ask again when it has ended");
    return NULL;
}

/* --- stepping --- */

/* The changes of the scene that are due before a step of h that begins now. */
static dls_status change(py_simulation *self, double h, dls_error *error)
{
    static const double rounding = 1e-6; /* of the times of a million steps, as a share of a step */
    const dls_scene *scene = ((py_scene *)self->options.scene)->scene;
    while (self->changed < scene->n_changes) {
        const dls_scene_change *next = &scene->changes[self->changed];
        const dls_state *state = dls_simulation_state(self->at);
        dls_model *model;
        if (next->time > state->time + rounding * h)
            break;
        DLS_TRY(dls_model_create_changed(next->after, self->model, state, &model, error));
        const dls_status status = dls_simulation_change(&self->at, model, NULL, error);
        dls_model_destroy(status == DLS_OK ? self->model : model);
        if (status != DLS_OK)
            return status;
        self->model = model;
        self->changed++;
    }
    return DLS_OK;
}

static dls_status steps(py_simulation *self, double h, Py_ssize_t count, Py_ssize_t *done, py_watch *watch,
                        dls_error *error)
{
    while (*done < count && py_watch_go_on(watch)) {
        DLS_TRY(change(self, h, error));
        DLS_TRY(dls_simulation_step(self->at, h, error));
        ++*done;
    }
    return DLS_OK;
}

/* step(h, count) -> steps done */
static PyObject *step_simulation(PyObject *object, PyObject *arguments)
{
    py_simulation *self = (py_simulation *)object;
    double h;
    Py_ssize_t count, done = 0;
    dls_error error;
    dls_status status;
    py_watch watch = {.last = py_seconds()};
    if (!PyArg_ParseTuple(arguments, "dn", &h, &count))
        return NULL;
    if (!idle(object))
        return NULL;
    if (self->lent && ((py_problem *)self->lent)->users > 0)
        return PyErr_Format(PyExc_RuntimeError, "the problem of the last step is in use by another thread");
    end_loan(self);
    self->busy = true;
    Py_BEGIN_ALLOW_THREADS;
    status = steps(self, h, count, &done, &watch, &error);
    Py_END_ALLOW_THREADS;
    self->busy = false;
    self->stepped = true;
    if (status != DLS_OK)
        return py_raise_of(&self->options.choice, 1, &error);
    return watch.stopped ? NULL : PyLong_FromSsize_t(done);
}

/* --- the state --- */

typedef struct part {
    const char *name;
    double *at;
    size_t n;
} part;
enum { PARTS = 7 };

static void parts_of(const dls_state *s, part parts[PARTS])
{
    const part all[PARTS] = {{"x", s->n_bodies ? &s->x->x : NULL, 3 * s->n_bodies},
                             {"q", s->n_bodies ? &s->q->w : NULL, 4 * s->n_bodies},
                             {"v", s->v, s->nv},
                             {"force", s->force, s->nv},
                             {"link_force", s->n_links ? &s->link_force->lin.x : NULL, 6 * s->n_links},
                             {"roots", s->n_articulations ? &s->roots->p.x : NULL, 7 * s->n_articulations},
                             {"coordinates", s->coordinates, s->n_coordinates}};
    memcpy(parts, all, sizeof all);
}
_Static_assert(sizeof(dls_vec3) == 24 && sizeof(dls_quat) == 32 && sizeof(dls_spatial) == 48 && sizeof(dls_frame) == 56,
               "numbers of a state stand without gaps");

static const part *find_object(const part parts[PARTS], const char *name)
{
    for (int i = 0; i < PARTS; i++)
        if (strcmp(parts[i].name, name) == 0)
            return &parts[i];
    PyErr_Format(PyExc_KeyError, "%s", name);
    return NULL;
}

static PyObject *get_state(PyObject *object, PyObject *name)
{
    const char *which = PyUnicode_AsUTF8(name);
    dls_simulation *at = which ? idle(object) : NULL;
    part parts[PARTS];
    if (!at)
        return NULL;
    parts_of(dls_simulation_state(at), parts);
    const part *wanted = find_object(parts, which);
    return wanted ? py_array(wanted->at, wanted->n) : NULL;
}

/* turns() -> the whole turns that positions of joints leave open, as doubles */
static PyObject *get_turns(PyObject *object, PyObject *unused)
{
    dls_simulation *at = idle(object);
    double *to;
    (void)unused;
    if (!at)
        return NULL;
    const dls_state *state = dls_simulation_state(at);
    PyObject *all = py_room(state->n_coordinates, &to);
    for (size_t k = 0; all && k < state->n_coordinates; k++)
        to[k] = (double)state->wraps[k];
    return all;
}

static PyObject *set_turns(PyObject *object, PyObject *array)
{
    dls_simulation *at = idle(object);
    py_vector values;
    bool fine = true;
    if (!at || !py_doubles(array, "turns", (Py_ssize_t)dls_simulation_state(at)->n_coordinates, false, &values))
        return NULL;
    for (Py_ssize_t i = 0; i < values.n; i++)
        fine = fine && round(values.at[i]) == values.at[i] && fabs(values.at[i]) <= 0x1p53;
    for (Py_ssize_t i = 0; fine && i < values.n; i++)
        dls_simulation_edit(at)->wraps[i] = (long)values.at[i];
    PyBuffer_Release(&values.view);
    if (!fine) {
        py_raise_text(DLS_BAD_ARGUMENT, "turns are whole numbers up to 2^53");
        return NULL;
    }
    Py_RETURN_NONE;
}

static bool all_finite(const py_vector *values, const char *name)
{
    for (Py_ssize_t i = 0; i < values->n; i++)
        if (!isfinite(values->at[i])) {
            char text[128];
            snprintf(text, sizeof text, "%s: number %zd is not finite", name, (size_t)i);
            py_raise_text(DLS_NOT_FINITE, text);
            return false;
        }
    return true;
}

static PyObject *set_state(PyObject *object, PyObject *arguments)
{
    const char *which;
    PyObject *array;
    py_vector values;
    part parts[PARTS];
    if (!PyArg_ParseTuple(arguments, "sO", &which, &array))
        return NULL;
    dls_simulation *at = idle(object);
    if (!at)
        return NULL;
    parts_of(dls_simulation_state(at), parts);
    const part *wanted = find_object(parts, which);
    if (!wanted || !py_doubles(array, which, (Py_ssize_t)wanted->n, false, &values))
        return NULL;
    const bool fine = all_finite(&values, which);
    if (fine && wanted->n > 0) {
        parts_of(dls_simulation_edit(at), parts);
        memcpy(find_object(parts, which)->at, values.at, wanted->n * sizeof *values.at);
    }
    PyBuffer_Release(&values.view);
    if (!fine)
        return NULL;
    Py_RETURN_NONE;
}

/* poses() -> (positions 3, quaternions 4, velocities 6 of each end) */
static PyObject *poses(PyObject *object, PyObject *unused)
{
    dls_simulation *at = idle(object);
    double *x, *q, *v;
    (void)unused;
    if (!at)
        return NULL;
    const size_t n = dls_model_count(((py_simulation *)object)->model).ends;
    PyObject *all[3] = {py_room(3 * n, &x), py_room(4 * n, &q), py_room(6 * n, &v)};
    const dls_configuration *c = dls_simulation_configuration(at);
    for (size_t i = 0; all[0] && all[1] && all[2] && i < n; i++) {
        const dls_end end = dls_configuration_end(c, i);
        memcpy(x + 3 * i, &end.x, sizeof end.x);
        memcpy(q + 4 * i, &end.q, sizeof end.q);
        memcpy(v + 6 * i, &end.v, sizeof end.v);
        memcpy(v + 6 * i + 3, &end.omega, sizeof end.omega);
    }
    return Py_BuildValue("NNN", all[0], all[1], all[2]);
}

/* (kinetic, potential, momentum and angular momentum, largest joint error, largest angular one) */
static PyObject *energy(PyObject *object, PyObject *unused)
{
    dls_simulation *at = idle(object);
    dls_vec3 momentum[2];
    double linear, angular;
    (void)unused;
    if (!at)
        return NULL;
    const dls_configuration *c = dls_simulation_configuration(at);
    dls_momentum(c, &momentum[0], &momentum[1]);
    dls_joint_errors(c, &linear, &angular);
    return Py_BuildValue("ddNdd", dls_kinetic_energy(c), dls_potential_energy(c), py_array(&momentum[0].x, 6), linear,
                         angular);
}

/* elastic(h) -> the energy of springs */
static PyObject *elastic(PyObject *object, PyObject *step)
{
    dls_simulation *at = idle(object);
    const double h = PyFloat_AsDouble(step);
    double energy;
    dls_error error;
    if (!at || PyErr_Occurred())
        return NULL;
    return dls_simulation_elastic_energy(at, h, &energy, &error) == DLS_OK ? PyFloat_FromDouble(energy)
                                                                           : py_raise(&error);
}

static PyObject *time_of(PyObject *object, PyObject *unused)
{
    dls_simulation *at = idle(object);
    (void)unused;
    return at ? PyFloat_FromDouble(dls_simulation_state(at)->time) : NULL;
}

/* --- names --- */

/* changed() -> the number of changes of the scene that have been carried out; each may change the names */
static PyObject *changed(PyObject *object, PyObject *unused)
{
    (void)unused;
    return idle(object) ? PyLong_FromSize_t(((py_simulation *)object)->changed) : NULL;
}

/* names() -> ([body], [end], [joint], [sensor]) */
static PyObject *names(PyObject *object, PyObject *unused)
{
    const dls_model *model = ((py_simulation *)object)->model;
    const dls_model_counts counts = dls_model_count(model);
    char text[2 * DLS_NAME_MAX + 16];
    PyObject *lists[4] = {PyList_New(0), PyList_New(0), PyList_New(0), PyList_New(0)};
    (void)unused;
    for (size_t i = 0; i < counts.bodies + counts.ends + counts.joints + counts.sensors; i++) {
        const size_t end = i - counts.bodies, joint = end - counts.ends, sensor = joint - counts.joints;
        const int list = i < counts.bodies ? 0 : end < counts.ends ? 1 : joint < counts.joints ? 2 : 3;
        if (list == 1)
            dls_model_end_name(model, end, text, sizeof text);
        PyObject *name = py_text(list == 0   ? dls_model_bodies(model)[i].name
                                 : list == 1 ? text
                                 : list == 2 ? dls_model_joints(model)[joint].name
                                             : dls_model_sensors(model)[sensor].name);
        if (!name || !lists[list] || PyList_Append(lists[list], name) < 0) {
            Py_XDECREF(name);
            for (int k = 0; k < 4; k++)
                Py_CLEAR(lists[k]);
            return NULL;
        }
        Py_DECREF(name);
    }
    return Py_BuildValue("NNNN", lists[0], lists[1], lists[2], lists[3]);
}

/* --- the last step --- */

/* Its problem; NULL before the first one. */
static const dls_problem *last_problem(PyObject *object, const dls_simulation *at)
{
    return ((py_simulation *)object)->stepped ? dls_simulation_problem(at) : NULL;
}

static PyObject *problem_of(PyObject *object, PyObject *unused)
{
    py_simulation *self = (py_simulation *)object;
    dls_simulation *at = idle(object);
    (void)unused;
    if (!at)
        return NULL;
    const dls_problem *problem = last_problem(object, at);
    if (!problem)
        Py_RETURN_NONE;
    if (!self->lent)
        self->lent = py_problem_lend(problem);
    Py_XINCREF(self->lent);
    return self->lent;
}

static PyObject *impulses(PyObject *object, PyObject *unused)
{
    dls_simulation *at = idle(object);
    (void)unused;
    if (!at)
        return NULL;
    const dls_problem *problem = last_problem(object, at);
    return py_array(dls_simulation_impulses(at), problem ? problem->n : 0);
}

static PyObject *report(PyObject *object, PyObject *unused)
{
    dls_simulation *at = idle(object);
    (void)unused;
    if (!at)
        return NULL;
    const dls_problem *problem = last_problem(object, at);
    if (!problem)
        Py_RETURN_NONE;
    return py_report(dls_simulation_report(at), problem->n);
}

/* rows() -> [(owner, label, impulse, force, angular, status)] */
static PyObject *list_rows(PyObject *object, PyObject *unused)
{
    dls_simulation *at = idle(object);
    char owner[4 * DLS_NAME_MAX];
    (void)unused;
    if (!at)
        return NULL;
    const dls_row_list *list = last_problem(object, at) ? dls_simulation_rows(at) : NULL;
    PyObject *all = PyList_New(0);
    for (size_t i = 0; all && list && i < list->n; i++) {
        dls_row_force row;
        dls_error error;
        if (dls_simulation_row(at, i, &row, &error) != DLS_OK) {
            Py_DECREF(all);
            return py_raise(&error);
        }
        dls_simulation_owner_name(at, row.owner, owner, sizeof owner);
        PyObject *one = Py_BuildValue("NsddNs", py_text(owner), row.label, row.impulse, row.force,
                                      PyBool_FromLong(row.angular), dls_row_status_names[row.status]);
        if (!one || PyList_Append(all, one) < 0)
            Py_CLEAR(all);
        Py_XDECREF(one);
    }
    return all;
}

/* contacts() -> [(body 1, body 2, 10 numbers: point on body 1, on body 2, normal, gap; mu)] */
static PyObject *contacts(PyObject *object, PyObject *unused)
{
    dls_simulation *at = idle(object);
    const dls_model *model = ((py_simulation *)object)->model;
    char name[2][2 * DLS_NAME_MAX + 16];
    (void)unused;
    if (!at)
        return NULL;
    const dls_contacts *found = dls_simulation_contacts(at);
    PyObject *all = PyList_New(0);
    for (size_t i = 0; all && found && i < found->count; i++) {
        const dls_contact *c = &found->at[i];
        for (int k = 0; k < 2; k++)
            dls_model_end_name(model, c->body[k], name[k], sizeof name[k]);
        const double numbers[10] = {c->point[0].x, c->point[0].y, c->point[0].z, c->point[1].x, c->point[1].y,
                                    c->point[1].z, c->normal.x,   c->normal.y,   c->normal.z,   c->gap};
        PyObject *one = Py_BuildValue("NNNd", py_text(name[0]), py_text(name[1]), py_array(numbers, 10), c->mu);
        if (!one || PyList_Append(all, one) < 0)
            Py_CLEAR(all);
        Py_XDECREF(one);
    }
    return all;
}

/* forces_of(joint) -> (force and torque on end 1, on end 2, force along the coordinates) */
static PyObject *forces_of(PyObject *object, PyObject *name)
{
    const char *which = PyUnicode_AsUTF8(name);
    dls_simulation *at = which ? idle(object) : NULL;
    dls_constraint_force force;
    dls_error error;
    if (!at)
        return NULL;
    const size_t joint = dls_model_find_joint(((py_simulation *)object)->model, which);
    if (joint == DLS_NONE)
        return PyErr_Format(PyExc_KeyError, "there is no joint '%s'", which);
    if (dls_simulation_forces_of(at, joint, &force, &error) != DLS_OK)
        return py_raise(&error);
    return Py_BuildValue("NNd", py_array(&force.end[0].lin.x, 6), py_array(&force.end[1].lin.x, 6), force.along_sum);
}

/* sensor(name) -> its wrench in the last step */
static PyObject *sensor(PyObject *object, PyObject *name)
{
    const char *which = PyUnicode_AsUTF8(name);
    dls_simulation *at = which ? idle(object) : NULL;
    const dls_model *model = ((py_simulation *)object)->model;
    dls_spatial wrench;
    dls_error error;
    if (!at)
        return NULL;
    for (size_t i = 0; i < dls_model_count(model).sensors; i++)
        if (strcmp(dls_model_sensors(model)[i].name, which) == 0)
            return dls_simulation_sensor(at, i, &wrench, &error) == DLS_OK ? py_array(&wrench.lin.x, 6)
                                                                           : py_raise(&error);
    return PyErr_Format(PyExc_KeyError, "there is no sensor '%s'", which);
}

static PyObject *ledger(PyObject *object, PyObject *unused)
{
    dls_simulation *at = idle(object);
    (void)unused;
    if (!at)
        return NULL;
    const dls_ledger *l = dls_simulation_ledger(at);
    if (!l)
        Py_RETURN_NONE;
    PyObject *dict = Py_BuildValue("{s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:d}", "external", l->external, "medium",
                                   l->medium, "projection", l->projection, "sleep", l->sleep, "clamp", l->clamp,
                                   "integrator", dls_ledger_integrator(l), "sum", dls_ledger_sum(l), "change",
                                   dls_ledger_change(l), "mismatch", dls_ledger_mismatch(l));
    for (int i = 0; dict && dls_ledger_part_names[i]; i++)
        if (!py_put(dict, dls_ledger_part_names[i], PyFloat_FromDouble(l->part[i])))
            Py_CLEAR(dict);
    return dict;
}

/* events() -> [(kind, subject, cause, time, value, threshold)] */
static PyObject *events(PyObject *object, PyObject *unused)
{
    dls_simulation *at = idle(object);
    size_t count;
    (void)unused;
    if (!at)
        return NULL;
    const dls_event *event = dls_simulation_events(at, &count);
    PyObject *all = PyList_New(0);
    for (size_t i = 0; all && i < count; i++) {
        PyObject *one =
            Py_BuildValue("sNsddd", dls_event_names[event[i].kind], py_text(dls_simulation_subject(at, &event[i])),
                          dls_cause_names[event[i].cause], event[i].time, event[i].value, event[i].threshold);
        if (!one || PyList_Append(all, one) < 0)
            Py_CLEAR(all);
        Py_XDECREF(one);
    }
    return all;
}

/* --- changes by a program --- */

/* drive(joint, target, speed, force) */
static PyObject *drive(PyObject *object, PyObject *arguments)
{
    const char *which;
    dls_setpoint to;
    dls_error error;
    if (!PyArg_ParseTuple(arguments, "sddd", &which, &to.target, &to.speed, &to.force))
        return NULL;
    dls_simulation *at = idle(object);
    if (!at)
        return NULL;
    const size_t joint = dls_model_find_joint(((py_simulation *)object)->model, which);
    if (joint == DLS_NONE)
        return PyErr_Format(PyExc_KeyError, "there is no joint '%s'", which);
    if (dls_simulation_drive(at, joint, to, &error) != DLS_OK)
        return py_raise(&error);
    Py_RETURN_NONE;
}

static PyObject *break_joint(PyObject *object, PyObject *name)
{
    const char *which = PyUnicode_AsUTF8(name);
    dls_simulation *at = which ? idle(object) : NULL;
    dls_error error;
    if (!at)
        return NULL;
    const size_t joint = dls_model_find_joint(((py_simulation *)object)->model, which);
    if (joint == DLS_NONE)
        return PyErr_Format(PyExc_KeyError, "there is no joint '%s'", which);
    if (dls_simulation_break(at, joint, &error) != DLS_OK)
        return py_raise(&error);
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {{"step", step_simulation, METH_VARARGS, NULL},
                                {"get", get_state, METH_O, NULL},
                                {"set", set_state, METH_VARARGS, NULL},
                                {"turns", get_turns, METH_NOARGS, NULL},
                                {"set_turns", set_turns, METH_O, NULL},
                                {"poses", poses, METH_NOARGS, NULL},
                                {"energy", energy, METH_NOARGS, NULL},
                                {"elastic", elastic, METH_O, NULL},
                                {"time", time_of, METH_NOARGS, NULL},
                                {"names", names, METH_NOARGS, NULL},
                                {"problem", problem_of, METH_NOARGS, NULL},
                                {"impulses", impulses, METH_NOARGS, NULL},
                                {"report", report, METH_NOARGS, NULL},
                                {"rows", list_rows, METH_NOARGS, NULL},
                                {"contacts", contacts, METH_NOARGS, NULL},
                                {"sensor", sensor, METH_O, NULL},
                                {"changed", changed, METH_NOARGS, NULL},
                                {"forces_of", forces_of, METH_O, NULL},
                                {"ledger", ledger, METH_NOARGS, NULL},
                                {"events", events, METH_NOARGS, NULL},
                                {"drive", drive, METH_VARARGS, NULL},
                                {"break_joint", break_joint, METH_O, NULL},
                                {NULL, NULL, 0, NULL}};

PyTypeObject py_simulation_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "delassus._delassus.Simulation",
    .tp_basicsize = sizeof(py_simulation),
    .tp_dealloc = dealloc,
    .tp_traverse = traverse,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_doc = "A run of time steps (simulation.h).",
    .tp_methods = methods,
    .tp_new = make_simulation,
};
