/* The motion of a scene in continuous time. */
#include "parts.h"

#include <string.h>

/* Arrays of T, and of T ends, that are filled from time to time. */
typedef struct gathering {
    const dls_model *model;
    double *position, *orientation, *velocity, *coordinates, *kinetic, *potential, *distance;
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

static void gather_ends(gathering *g, const dls_reference_sample *sample)
{
    size_t k = g->done * g->n_ends;
    for (size_t i = 0; i < dls_model_count(g->model).ends; i++) {
        if (!dls_model_moves(g->model, i))
            continue;
        const dls_end end = dls_configuration_end(sample->at, i);
        memcpy(g->position + 3 * k, &end.x, 3 * sizeof(double));
        const double q[4] = {end.q.w, end.q.x, end.q.y, end.q.z};
        memcpy(g->orientation + 4 * k, q, sizeof q);
        const double v[6] = {end.v.x, end.v.y, end.v.z, end.omega.x, end.omega.y, end.omega.z};
        memcpy(g->velocity + 6 * k++, v, sizeof v);
    }
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
    gather_ends(g, sample);
    memcpy(g->coordinates + g->done * g->n_coordinates, sample->state->coordinates,
           g->n_coordinates * sizeof *g->coordinates);
    g->kinetic[g->done] = sample->kinetic, g->potential[g->done] = sample->potential;
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

/* The dict of a motion; the arrays have room for all times, of which `done` were reached. */
static PyObject *follow(const dls_model *model, const py_vector *times, double tolerance, int project)
{
    const size_t rooms = (size_t)times->n + 1;
    const dls_reference_motion motion = {.model = model,
                                         .samples = (size_t)times->n,
                                         .times = times->at,
                                         .tolerance = tolerance,
                                         .project = project != 0};
    dls_reference_motion_result result;
    dls_error error;
    dls_status status;
    py_watch watch = {.last = py_seconds()};
    gathering g = {.model = model, .watch = &watch, .n_coordinates = dls_model_count(model).coordinates};
    PyObject *all = PyDict_New(), *names = end_names(model);
    g.n_ends = names ? (size_t)PyList_GET_SIZE(names) : 0;
    g.events = PyList_New(0);
    const struct {
        const char *name;
        double **at;
        size_t width;
    } arrays[] = {{"position", &g.position, 3 * g.n_ends},
                  {"orientation", &g.orientation, 4 * g.n_ends},
                  {"velocity", &g.velocity, 6 * g.n_ends},
                  {"coordinates", &g.coordinates, g.n_coordinates},
                  {"kinetic", &g.kinetic, 1},
                  {"potential", &g.potential, 1},
                  {"distance", &g.distance, 2}};
    bool good = all && py_put(all, "ends", names) && py_put(all, "events", g.events);
    for (size_t i = 0; good && i < sizeof arrays / sizeof arrays[0]; i++)
        good = py_put(all, arrays[i].name, py_room(rooms * arrays[i].width, arrays[i].at));
    if (!good) {
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
