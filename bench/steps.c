/* A time step of a wall of boxes and its parts, warm PGS of ten iterations: collision detection, rows, solve,
 * integration. */
#include "bench.h"
#include "peer.h"

#include "delassus/io.h"
#include "delassus/scheme.h"
#include "delassus/solvers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 10, SETTLE = 30, REPEATS = 20 };

typedef struct wall {
    dls_model *model;
    dls_stepper *stepper;
    dls_contacts contacts; /* of a search that is timed alone */
    dls_problem *problem;
    double settings[16];
} wall;

/* The parts, and the whole with warm starts between them. [s] */
typedef struct cost {
    double collide, rows, solve, integrate, step;
} cost;

/* Courses of ten bricks, every other one shifted by a quarter of a brick. `boxes` is a multiple of 20, or 10. */
static dls_status wall_model(size_t boxes, dls_model **model, dls_error *error)
{
    char text[1024];
    size_t columns = boxes < 20 ? 5 : 10, courses = boxes / columns / 2;
    dls_scene *scene;
    int length = snprintf(
        text, sizeof text,
        "world: {gravity: [0, 0, -9.81], collide: true, friction: coupled, mu: 0.6, contact_margin: 0.002}\n"
        "bodies:\n"
        "  - {name: ground, static: true, shape: plane}\n"
        "  - {repeat: {i: %zu, k: %zu}, name: 'even{i}-{k}', shape: box, size: [0.24, 0.115, 0.1], density: 1800,\n"
        "     position: {start: [0, 0, 0.05], i: [0, 0, 0.2], k: [0.25, 0, 0]}}\n"
        "  - {repeat: {i: %zu, k: %zu}, name: 'odd{i}-{k}', shape: box, size: [0.24, 0.115, 0.1], density: 1800,\n"
        "     position: {start: [0.06, 0, 0.15], i: [0, 0, 0.2], k: [0.25, 0, 0]}}\n",
        courses, columns, courses, columns);
    DLS_TRY(dls_scene_parse(text, (size_t)length, "wall", &scene, error));
    dls_status status = dls_model_create(scene, model, error);
    dls_scene_destroy(scene);
    return status;
}

static dls_status open_wall(size_t boxes, wall *w, dls_error *error)
{
    const dls_solver *pgs = dls_iterative_find("pgs");
    DLS_TRY(wall_model(boxes, &w->model, error));
    DLS_TRY(dls_fields_default(&pgs->fields, w->settings, error));
    DLS_TRY(dls_stepper_create(w->model, pgs, w->settings, ITERATIONS, &w->stepper, error));
    DLS_TRY(dls_fields_default(&dls_warm_fields, &w->stepper->warm, error));
    return dls_problem_allocate(0, 0, 0, 0, 0, &w->problem, error);
}

static void close_wall(wall *w)
{
    dls_problem_destroy(w->problem);
    dls_contacts_release(&w->contacts);
    dls_stepper_destroy(w->stepper);
    dls_model_destroy(w->model);
}

static void least(double *best, double *start)
{
    double now = bench_clock();
    *best = fmin(*best, now - *start);
    *start = now;
}

/* Collision and rows once by themselves; then the step. */
static dls_status time_step(wall *w, double h, cost *best, dls_error *error)
{
    dls_stepper *s = w->stepper;
    double start = bench_clock(), whole;
    DLS_TRY(dls_collider_find(s->collider, s->state, &w->contacts, error));
    least(&best->collide, &start);
    DLS_TRY(dls_problem_rebuild(w->problem, w->model, s->state, &w->contacts, h, error));
    least(&best->rows, &start);
    whole = start;
    DLS_TRY(dls_stepper_linearise(s, h, error));
    start = bench_clock();
    DLS_TRY(dls_solve(s->solver, s->problem, s->settings, ITERATIONS, s->lambda, &s->report, NULL, NULL, error));
    least(&best->solve, &start);
    /* The spare problem's v* is room enough. */
    dls_problem_velocity(s->problem, s->lambda, s->state->v, w->problem->v_star);
    dls_state_advance(w->model, s->state, s->state->v, h);
    least(&best->integrate, &start);
    least(&best->step, &whole);
    return dls_state_check(w->model, s->state, error);
}

static dls_status measure(bench *b, size_t boxes, dls_error *error)
{
    wall w = {0};
    cost best = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL}, unused;
    dls_status status = open_wall(boxes, &w, error);
    for (int k = 0; k < SETTLE + REPEATS && status == DLS_OK; k++) {
        unused = best;
        status = time_step(&w, 1.0 / 240.0, k < SETTLE ? &unused : &best, error);
    }
    if (status == DLS_OK) {
        const struct {
            const char *name;
            double seconds;
        } lines[] = {{"step", best.step},
                     {"step-collide", best.collide},
                     {"step-rows", best.rows},
                     {"step-solve", best.solve},
                     {"step-integrate", best.integrate}};
        for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
            bench_add(b, lines[i].name, boxes, 1e6 * lines[i].seconds, "us", NULL, NAN);
        bench_add(b, "step-rows-count", boxes, (double)w.stepper->problem->n, "rows", NULL, NAN);
    }
    close_wall(&w);
    return status;
}

dls_status bench_steps(bench *b, dls_error *error)
{
    static const size_t boxes[] = {10, 100, 1000};
    if (!dls_collider_available()) {
        bench_note(b, "steps: without a collision library there are none");
        return DLS_OK;
    }
    for (size_t k = 0; k < (b->quick ? 2u : 3u); k++)
        DLS_TRY(measure(b, boxes[k], error));
    return DLS_OK;
}
