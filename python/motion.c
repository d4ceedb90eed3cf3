/* The motion of a scene in continuous time. */
#include "parts.h"

#include <stdlib.h>
#include <string.h>

/* Arrays of T, and of T ends, that are filled from time to time. */
typedef struct gathering {
    const dls_model *model;
    double *position, *orientation, *velocity, *coordinates, *kinetic, *potential;
    double *distance, *force; /* of a motion, and of its times asked later */
    size_t done, n_ends, n_coordinates;
    PyObject *events; /* of the dict: (time, kind, owner, row, speed) */
    py_watch *watch;
    size_t known; /* events */
} gathering;

/* With Python's lock taken. */
static void gather_events(gathering *g, const dls_trajectory *exact)
{
    char name[4 * DLS_NAME_MAX];
    size_t count;
    const dls_trajectory_event *event = dls_trajectory_events(exact, &count);
    for (; g->known < count && !PyErr_Occurred(); g->known++) {
        const dls_trajectory_event *one = &event[g->known];
        dls_trajectory_owner_name(exact, one->owner, name, sizeof name);
        PyObject *item = Py_BuildValue("dsNsd", one->time, dls_trajectory_event_names[one->kind], py_text(name),
                                       one->label, one->speed);
        if (item)
            PyList_Append(g->events, item);
        Py_XDECREF(item);
    }
}

static void gather_state(gathering *g, const dls_configuration *at, const dls_state *state)
{
    size_t k = g->done * g->n_ends;
    for (size_t i = 0; i < dls_model_count(g->model).ends; i++) {
        if (!dls_model_moves(g->model, i))
            continue;
        const dls_end end = dls_configuration_end(at, i);
        memcpy(g->position + 3 * k, &end.x, 3 * sizeof(double));
        const double q[4] = {end.q.w, end.q.x, end.q.y, end.q.z};
        memcpy(g->orientation + 4 * k, q, sizeof q);
        const double v[6] = {end.v.x, end.v.y, end.v.z, end.omega.x, end.omega.y, end.omega.z};
        memcpy(g->velocity + 6 * k++, v, sizeof v);
    }
    memcpy(g->coordinates + g->done * g->n_coordinates, state->coordinates, g->n_coordinates * sizeof *g->coordinates);
    g->kinetic[g->done] = dls_kinetic_energy(at), g->potential[g->done] = dls_potential_energy(at);
}

static bool gather(void *context, const dls_reference_sample *sample)
{
    gathering *g = context;
    size_t count;
    dls_trajectory_events(sample->exact, &count);
    if (count > g->known) {
        PyGILState_STATE state = PyGILState_Ensure();
        gather_events(g, sample->exact);
        PyGILState_Release(state);
    }
    if (!sample->state)
        return false;
    gather_state(g, sample->at, sample->state);
    g->distance[2 * g->done] = sample->position, g->distance[2 * g->done + 1] = sample->velocity;
    g->done++;
    return py_watch_go_on(g->watch);
}

static PyObject *end_names(const dls_model *model)
{
    char name[4 * DLS_NAME_MAX];
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < dls_model_count(model).ends; i++)
        if (dls_model_moves(model, i)) {
            dls_model_end_name(model, i, name, sizeof name);
            py_append(&list, py_text(name));
        }
    return list;
}

/* A new dict of arrays for T times, with T rows' forces or distances; NULL with an exception. */
static PyObject *open_arrays(gathering *g, size_t times, size_t rows, bool distance)
{
    PyObject *all = PyDict_New(), *names = end_names(g->model);
    g->n_ends = names ? (size_t)PyList_GET_SIZE(names) : 0;
    g->n_coordinates = dls_model_count(g->model).coordinates;
    const struct {
        const char *name;
        double **at;
        size_t width;
    } arrays[] = {{"position", &g->position, 3 * g->n_ends},
                  {"orientation", &g->orientation, 4 * g->n_ends},
                  {"velocity", &g->velocity, 6 * g->n_ends},
                  {"coordinates", &g->coordinates, g->n_coordinates},
                  {"kinetic", &g->kinetic, 1},
                  {"potential", &g->potential, 1},
                  {"distance", &g->distance, distance ? 2 : 0},
                  {"force", &g->force, rows}};
    bool good = all && py_put(all, "ends", names);
    for (size_t i = 0; good && i < sizeof arrays / sizeof arrays[0]; i++)
        good = py_put(all, arrays[i].name, py_room(times * arrays[i].width, arrays[i].at));
    if (!good)
        Py_CLEAR(all);
    return all;
}

/* The dict of a motion; the arrays have room for all times, of which `done` were reached. */
static PyObject *follow(const dls_model *model, const py_vector *times, double tolerance, int project)
{
    const dls_reference_motion motion = {.model = model,
                                         .samples = (size_t)times->n,
                                         .times = times->at,
                                         .tolerance = tolerance,
                                         .project = project != 0};
    dls_reference_motion_result result;
    dls_error error;
    dls_status status;
    py_watch watch = {.last = py_seconds()};
    gathering g = {.model = model, .watch = &watch, .events = PyList_New(0)};
    PyObject *all = open_arrays(&g, (size_t)times->n + 1, 0, true);
    if (!all || !py_put(all, "events", g.events)) {
        Py_XDECREF(all);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS;
    status = dls_reference_motion_follow(&motion, gather, &g, &result, &error);
    Py_END_ALLOW_THREADS;
    if (status != DLS_OK && !PyErr_Occurred())
        py_raise(&error);
    if (!PyErr_Occurred() && py_put(all, "done", PyLong_FromSize_t(g.done)) &&
        py_put(all, "ended", result.end.status == DLS_OK ? Py_BuildValue("") : py_text(result.end.message)))
        return all;
    Py_DECREF(all);
    return NULL;
}

/* motion(scene, times, tolerance, project) -> dict */
PyObject *py_motion(PyObject *module, PyObject *arguments)
{
    PyObject *scene, *object, *found = NULL;
    double tolerance;
    int project;
    py_vector times;
    dls_model *model;
    dls_error error;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!Odp", &py_scene_type, &scene, &object, &tolerance, &project) ||
        !py_doubles(object, "times", -1, false, &times))
        return NULL;
    if (dls_model_create(((py_scene *)scene)->scene, &model, &error) == DLS_OK) {
        found = follow(model, &times, tolerance > 0.0 ? tolerance : dls_trajectory_default().tolerance, project);
        dls_model_destroy(model);
    } else
        py_raise(&error);
    PyBuffer_Release(&times.view);
    return found;
}

/* --- any time --- */

/* A motion with its history. */
typedef struct course {
    dls_model *model;
    dls_trajectory *exact;
    dls_state *state;
    dls_configuration *at;
    dls_trajectory_force *rows;
    double end; /* up to which it is followed, on the first question */
} course;

static const char course_name[] = "delassus course";

static void free_course(course *c)
{
    dls_trajectory_destroy(c->exact);
    dls_state_destroy(c->state);
    dls_configuration_destroy(c->at);
    dls_model_destroy(c->model);
    free(c->rows);
    free(c);
}

static void free_capsule(PyObject *capsule) { free_course(PyCapsule_GetPointer(capsule, course_name)); }

static dls_status open_course(course *c, double tolerance, bool project, dls_error *error)
{
    dls_trajectory_settings settings = dls_trajectory_default();
    settings.events = settings.history = true;
    settings.tolerance = tolerance > 0.0 ? tolerance : settings.tolerance;
    settings.project_start = project;
    dls_status status = dls_state_create(c->model, &c->state, error);
    if (status == DLS_OK)
        status = dls_configuration_create(c->model, &c->at, error);
    if (status == DLS_OK)
        status = dls_trajectory_create(c->model, dls_model_initial(c->model), &settings, &c->exact, error);
    if (status != DLS_OK)
        return status;
    c->rows = calloc(dls_trajectory_forces(c->exact, NULL) + 1, sizeof *c->rows);
    return c->rows ? DLS_OK : DLS_NO_MEMORY;
}

/* motion_course(scene, tolerance, project, time) -> an object for motion_at, whose motion is followed to `time` by the
 * first call of that */
PyObject *py_motion_course(PyObject *module, PyObject *arguments)
{
    PyObject *scene, *capsule;
    double tolerance, time;
    int project;
    dls_error error = {.status = DLS_NO_MEMORY, .message = "no memory for a motion"};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!dpd", &py_scene_type, &scene, &tolerance, &project, &time))
        return NULL;
    course *c = calloc(1, sizeof *c);
    if (!c)
        return PyErr_NoMemory();
    const bool good = dls_model_create(((py_scene *)scene)->scene, &c->model, &error) == DLS_OK &&
                      open_course(c, tolerance, project != 0, &error) == DLS_OK;
    c->end = good ? dls_model_initial(c->model)->time + time : 0.0;
    capsule = good ? PyCapsule_New(c, course_name, free_capsule) : py_raise(&error);
    if (!capsule)
        free_course(c);
    return capsule;
}

static PyObject *row_names(course *c, size_t n)
{
    char name[4 * DLS_NAME_MAX];
    PyObject *list = PyList_New(0);
    dls_trajectory_forces(c->exact, c->rows);
    for (size_t i = 0; list && i < n; i++) {
        dls_trajectory_owner_name(c->exact, c->rows[i].owner, name, sizeof name);
        py_append(&list, Py_BuildValue("Ns", py_text(name), c->rows[i].label));
    }
    return list;
}

static dls_status visit_times(course *c, const py_vector *times, bool left, gathering *g, size_t n, dls_error *error)
{
    const double start = dls_model_initial(c->model)->time;
    dls_status status = dls_trajectory_advance(c->exact, c->end, c->state, error);
    if (status != DLS_NO_MEMORY) /* a motion that ends is known up to there */
        status = DLS_OK;
    for (Py_ssize_t k = 0; k < times->n && status == DLS_OK; k++) {
        status = dls_trajectory_at(c->exact, start + times->at[k], left, c->state, c->rows, error);
        if (status != DLS_OK)
            break;
        dls_configuration_evaluate(c->at, c->state);
        gather_state(g, c->at, c->state);
        for (size_t i = 0; i < n; i++)
            g->force[g->done * n + i] = c->rows[i].force;
        g->done++;
    }
    return status;
}

/* motion_at(course, times, left) -> dict. Python's lock is kept: the course has one place at a time. */
PyObject *py_motion_at(PyObject *module, PyObject *arguments)
{
    PyObject *capsule, *object;
    int left;
    py_vector times;
    dls_error error;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOp", &capsule, &object, &left))
        return NULL;
    course *c = PyCapsule_GetPointer(capsule, course_name);
    if (!c || !py_doubles(object, "times", -1, false, &times))
        return NULL;
    const size_t n = dls_trajectory_forces(c->exact, NULL);
    gathering g = {.model = c->model};
    PyObject *all = open_arrays(&g, (size_t)times.n, n, false);
    if (all && (!py_put(all, "rows", row_names(c, n)) || visit_times(c, &times, left != 0, &g, n, &error) != DLS_OK)) {
        if (!PyErr_Occurred())
            py_raise(&error);
        Py_CLEAR(all);
    }
    PyBuffer_Release(&times.view);
    return all;
}
