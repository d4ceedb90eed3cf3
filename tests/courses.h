/* courses.h - reference trajectories of scenes in tests. */
#ifndef DELASSUS_TESTS_COURSES_H
#define DELASSUS_TESTS_COURSES_H

#include "world.h"

#include "delassus/reference.h"

typedef struct course {
    dls_model *model;
    dls_state *state;
    dls_trajectory *exact;
} course;

static inline dls_status try_begin(course *c, const char *text, dls_error *error)
{
    dls_trajectory_settings settings = dls_trajectory_default();
    settings.events = settings.history = true;
    *c = (course){.model = parse_model(text)};
    c->state = new_state(c->model);
    return dls_trajectory_create(c->model, dls_model_initial(c->model), &settings, &c->exact, error);
}

static inline course begin(const char *text)
{
    course c;
    dls_error error;
    assert_status(try_begin(&c, text, &error), &error);
    return c;
}

static inline void go(course *c, double time)
{
    dls_error error;
    assert_status(dls_trajectory_advance(c->exact, time, c->state, &error), &error);
}

static inline void end(course *c)
{
    dls_trajectory_destroy(c->exact);
    dls_state_destroy(c->state);
    dls_model_destroy(c->model);
}

static inline void show(const course *c, const char *what, double worst)
{
    size_t count;
    const dls_trajectory_event *event = dls_trajectory_events(c->exact, &count);
    const dls_trajectory_report r = dls_trajectory_reported(c->exact);
    print_message("# %s: error %.1e, %zu events, %zu steps, %zu rejected, %zu evaluations\n", what, worst, count,
                  r.steps, r.rejected, r.evaluations);
    char name[200];
    for (size_t k = 0; k < count && k < 40; k++) {
        dls_trajectory_owner_name(c->exact, event[k].owner, name, sizeof name);
        print_message("#   t = %.17g: %s of %s, %s at %.9g\n", event[k].time, dls_trajectory_event_names[event[k].kind],
                      name, event[k].label, event[k].speed);
    }
}

/* The height of a point that falls from `height` and keeps the share e of its speed at each impact. */
static inline double bounce(double t, double g, double height, double e)
{
    double v = sqrt(2.0 * g * height), start = v / g;
    if (t < start)
        return height - 0.5 * g * t * t;
    for (;;) {
        v *= e;
        const double flight = 2.0 * v / g;
        if (flight < 1e-15)
            return 0.0;
        if (t < start + flight)
            return (t - start) * (v - 0.5 * g * (t - start));
        start += flight;
    }
}

#endif
