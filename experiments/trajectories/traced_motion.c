/* The motion of an example in continuous time, at the times of a file. */
#include "trajectories/parts.h"

#include "delassus/reference.h"

#include <math.h>
#include <stdlib.h>

size_t dls_traced_count(const dls_planar_example *example)
{
    size_t n = 0;
    while (example->traced[n].label)
        n++;
    return n;
}

void dls_traced_release(dls_traced_motion *motion)
{
    free(motion->value);
    free(motion->rate);
    *motion = (dls_traced_motion){.value = NULL};
}

dls_status dls_traced_create(const dls_planar_example *example, size_t rows, dls_traced_motion *motion,
                             dls_error *error)
{
    const size_t n = dls_traced_count(example);
    *motion = (dls_traced_motion){.rows = rows, .n = n, .first_impact = (double)NAN};
    motion->value = calloc(rows * n + 1, sizeof *motion->value);
    motion->rate = calloc(rows * n + 1, sizeof *motion->rate);
    if (motion->value && motion->rate)
        return DLS_OK;
    dls_traced_release(motion);
    return dls_fail(error, DLS_NO_MEMORY, "no memory for a motion");
}

void dls_traced_read(const dls_planar_example *example, const dls_configuration *at, double *value, double *rate)
{
    for (size_t i = 0; example->traced[i].label; i++) {
        const dls_end end = dls_configuration_end(at, dls_model_find_end(at->model, example->traced[i].body));
        switch (example->traced[i].axis) {
        case DLS_ALONG_X:
            value[i] = end.x.x, rate[i] = end.v.x;
            break;
        case DLS_ALONG_Y:
        case DLS_ANGLE_Y:
            value[i] = end.x.y, rate[i] = end.v.y;
            break;
        case DLS_ABOUT_Z:
            value[i] = remainder(2.0 * atan2(end.q.z, end.q.w), 2.0 * M_PI), rate[i] = end.omega.z;
            break;
        }
    }
}

dls_status dls_traced_times(const dls_planar_example *example, double step, double **times, size_t *rows,
                            dls_error *error)
{
    *rows = dls_step_count(example->until - example->begins, step) + 1;
    *times = calloc(*rows, sizeof **times);
    if (!*times)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the times of a motion");
    for (size_t k = 0; k < *rows; k++)
        (*times)[k] = example->begins + step * (double)k;
    return DLS_OK;
}

/* --- following --- */

typedef struct pursuit {
    const dls_planar_example *example;
    dls_model *model;
    dls_trajectory *exact;
    dls_state *state;
    dls_configuration *at;
} pursuit;

static dls_status open_pursuit(pursuit *p, double coarser, dls_error *error)
{
    dls_scene *scene;
    dls_trajectory_settings settings = dls_trajectory_default();
    settings.events = true;
    settings.tolerance *= coarser;
    DLS_TRY(dls_scene_text(&scene, error, "%s", p->example->scene));
    DLS_TRY(dls_scene_model(scene, &p->model, error));
    DLS_TRY(dls_trajectory_create(p->model, dls_model_initial(p->model), &settings, &p->exact, error));
    DLS_TRY(dls_state_create(p->model, &p->state, error));
    return dls_configuration_create(p->model, &p->at, error);
}

static void close_pursuit(pursuit *p)
{
    dls_configuration_destroy(p->at);
    dls_state_destroy(p->state);
    dls_trajectory_destroy(p->exact);
    dls_model_destroy(p->model);
}

static dls_status go_through(pursuit *p, const double *times, dls_traced_motion *m, dls_error *error)
{
    for (size_t k = 0; k < m->rows; k++) {
        dls_error why = {0};
        for (size_t i = 0; i < m->n; i++)
            m->value[k * m->n + i] = m->rate[k * m->n + i] = (double)NAN;
        m->reached = k;
        if (times[k] < p->example->begins)
            continue;
        const dls_status status = dls_trajectory_advance(p->exact, times[k] - p->example->begins, p->state, &why);
        if (status == DLS_REFUSED) {
            snprintf(m->end, sizeof m->end, "%s", why.message);
            return DLS_OK;
        }
        if (status != DLS_OK) {
            *error = why;
            return status;
        }
        dls_configuration_evaluate(p->at, p->state);
        dls_traced_read(p->example, p->at, m->value + k * m->n, m->rate + k * m->n);
        m->reached = k + 1;
    }
    return DLS_OK;
}

static void note_events(const pursuit *p, dls_table *written, dls_traced_motion *m)
{
    const dls_trajectory_event *event = dls_trajectory_events(p->exact, &m->events);
    for (size_t k = m->events; k-- > 0;)
        if (event[k].kind == DLS_EVENT_IMPACT)
            m->first_impact = event[k].time + p->example->begins;
    for (size_t k = 0; written && k < m->events; k++) {
        char owner[2 * DLS_NAME_MAX];
        dls_trajectory_owner_name(p->exact, event[k].owner, owner, sizeof owner);
        dls_table_row(written, "%s %g %s %s %s %g", p->example->name, event[k].time + p->example->begins,
                      dls_trajectory_event_names[event[k].kind], owner, event[k].label, event[k].speed);
    }
}

dls_status dls_traced_follow(const dls_planar_example *example, const double *times, size_t rows, double coarser,
                             dls_table *written, dls_traced_motion *motion, dls_error *error)
{
    pursuit p = {.example = example};
    DLS_TRY(dls_traced_create(example, rows, motion, error));
    dls_status status = open_pursuit(&p, coarser, error);
    if (status == DLS_OK)
        status = go_through(&p, times, motion, error);
    if (status == DLS_OK)
        note_events(&p, written, motion);
    else
        dls_traced_release(motion);
    close_pursuit(&p);
    return status;
}
