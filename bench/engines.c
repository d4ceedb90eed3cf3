/* Whole steps of 1/60 s of boxes and of a grid of ball joints, beside those of physics engines that are given the same
 * bodies: collision detection, solver, motion. All take turns, step by step, each from the state that its own last step
 * left. Every row of ours is swept ITERATIONS times per step, cold, from zero impulse, and warm, from the impulses of
 * the step before; an engine gets as many sweeps, through its own rows: ODE and Bullet have three per contact point
 * like us, Box3D one per point and three per pair. ODE starts cold, Bullet and Box3D warm.
 *
 *   engine-SCENE          the fastest step after the first ones, cold; engine-SCENE-warm: warm; so below [us]
 *   engine-SCENE-examined a step of ours with the examination of its answer [us]
 *   engine-SCENE-error    after the last step, the deepest contact or the widest open joint [m]
 *   engine-SCENE-speed    after the last step, the fastest approach in a contact or drift of a joint [m/s]
 *   engine-SCENE-residual natural_residual_velocity of our last step, by the examiner [m/s]
 *
 * Then at equal error: ours with 1, 2, 4, ... times as many iterations, until its error is at most that of the engine.
 *
 *   engine-SCENE-equal            the fastest step with the first of these numbers of iterations [us]
 *   engine-SCENE-equal-iterations this number, beside ITERATIONS; NaN: more than MOST_ITERATIONS
 *   engine-SCENE-equal-error      our error with it [m]
 *   engine-SCENE-equal-speed      our speed with it [m/s]
 *
 * Error and speed are measured by the same code for all, in the state that the engine left; contacts are those that our
 * collision detection finds there. The residual needs a solver's impulses for our rows, which only we have. */
#include "bench.h"
#include "scenes.h"

#include "base/memory.h"
#include "delassus/reference.h"
#include "delassus/simulation.h"
#include "delassus/solvers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 8, MOST_ITERATIONS = 128, STEPS = 60, FIRST_STEPS = 20 };

static const bench_engine *const engines[] = {
#ifdef BENCH_ODE
    &bench_engine_ode,
#endif
#ifdef BENCH_BULLET
    &bench_engine_bullet,
#endif
#ifdef BENCH_BOX3D
    &bench_engine_box3d,
#endif
    NULL};
enum { ENGINES_MAX = sizeof engines / sizeof engines[0] };

enum { COLD, WARM, OURS };
static const char *const starts[OURS] = {"", "-warm"};

typedef struct runner {
    double best;                /* [s] */
    double examined;            /* [s] of ours with the examiner, whose certificate is that of the last step */
    double error, speed;        /* [m], [m/s] */
    const bench_engine *engine; /* NULL: ours */
    void *world;
    dls_simulation *simulation;
    dls_examiner *examiner;
    dls_certificate certificate;
    double *w;
    size_t capacity;
} runner;

/* --- steps --- */

static dls_status open_engine(const bench_scene *scene, const bench_engine *engine, runner *r, dls_error *error)
{
    *r = (runner){.best = HUGE_VAL, .examined = HUGE_VAL, .engine = engine};
    r->world = engine->create(&scene->m, ITERATIONS);
    return r->world ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %s", engine->name);
}

static dls_status open_ours(const bench_scene *scene, int start, size_t iterations, runner *r, dls_error *error)
{
    dls_simulation_options options = dls_simulation_default();
    *r = (runner){.best = HUGE_VAL, .examined = HUGE_VAL};
    options.solver = dls_iterative_find("pgs");
    options.iterations = iterations;
    if (start == WARM)
        DLS_TRY(dls_fields_default(&dls_warm_fields, &options.warm, error));
    return dls_simulation_open(scene->model, &options, &r->simulation, error);
}

static void close_runner(runner *r)
{
    if (r->world)
        r->engine->destroy(r->world);
    dls_examiner_destroy(r->examiner);
    dls_simulation_close(r->simulation);
    free(r->w);
}

static dls_status examine(runner *r, dls_error *error)
{
    const dls_problem *problem = dls_simulation_problem(r->simulation);
    if (!DLS_GROW(r->w, r->capacity, problem->n + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", problem->n);
    DLS_TRY(r->examiner ? dls_examiner_reload(r->examiner, problem, error)
                        : dls_examiner_create(problem, &r->examiner, error));
    dls_examine(r->examiner, dls_simulation_impulses(r->simulation), r->w, &r->certificate);
    return DLS_OK;
}

static dls_status take_step(runner *r, double h, bool counts, dls_error *error)
{
    double seconds = bench_clock();
    if (r->engine) {
        seconds = r->engine->step(r->world);
    } else {
        const double start = seconds;
        DLS_TRY(dls_simulation_step(r->simulation, h, error));
        seconds = bench_since(start);
        DLS_TRY(examine(r, error));
        r->examined = counts ? fmin(r->examined, bench_since(start)) : r->examined;
    }
    r->best = counts ? fmin(r->best, seconds) : r->best;
    return DLS_OK;
}

/* --- what they left --- */

/* The state of an engine, as one of our model: its bodies are the last ones. */
static dls_status state_of(const bench_scene *scene, const runner *r, dls_state *state, dls_error *error)
{
    const size_t n = scene->m.n_bodies, first = state->n_bodies - n;
    double *room = malloc(13 * n * sizeof *room), *pose = room, *v = room + 7 * n;
    if (!room)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu poses", n);
    r->engine->read(r->world, pose, v);
    for (size_t i = 0; i < n; i++, pose += 7) {
        state->x[first + i] = dls_v3(pose[0], pose[1], pose[2]);
        state->q[first + i] = dls_quat_unit((dls_quat){pose[3], pose[4], pose[5], pose[6]});
    }
    memcpy(state->v, v, 6 * n * sizeof *v);
    free(room);
    return DLS_OK;
}

/* Velocity of the point p of a body of the mechanism. */
static dls_vec3 velocity(const dls_state *state, size_t body, dls_vec3 x, dls_vec3 p)
{
    const double *v = state->v + 6 * body;
    return dls_add(dls_v3(v[0], v[1], v[2]), dls_cross(dls_v3(v[3], v[4], v[5]), dls_sub(p, x)));
}

static void examine_contacts(const bench_scene *scene, const dls_contacts *contacts, const dls_state *state, runner *r)
{
    const size_t first = state->n_bodies - scene->m.n_bodies;
    for (size_t k = 0; k < contacts->count; k++) {
        const dls_contact *c = &contacts->at[k];
        double approach = 0.0;
        for (int i = 0; i < 2; i++)
            if (c->body[i] >= first)
                approach += (i ? 1.0 : -1.0) *
                            dls_dot(c->normal, velocity(state, c->body[i] - first, state->x[c->body[i]], c->point[i]));
        r->error = fmax(r->error, -c->gap);
        r->speed = fmax(r->speed, approach);
    }
}

static void examine_balls(const bench_scene *scene, const dls_state *state, runner *r)
{
    const bench_mechanism *m = &scene->m;
    const size_t first = state->n_bodies - m->n_bodies;
    for (size_t k = 0; k < m->n_balls; k++) {
        const bench_ball *ball = &m->balls[k];
        dls_vec3 anchor = dls_v3(ball->anchor[0], ball->anchor[1], ball->anchor[2]), p[2], v[2];
        for (int i = 0; i < 2; i++) {
            p[i] = anchor, v[i] = dls_v3(0, 0, 0);
            if (ball->body[i] == BENCH_WORLD)
                continue;
            const double *start = m->bodies[ball->body[i]].x;
            dls_vec3 x = state->x[first + ball->body[i]], arm = dls_sub(anchor, dls_v3(start[0], start[1], start[2]));
            p[i] = dls_add(x, dls_quat_rotate(state->q[first + ball->body[i]], arm));
            v[i] = velocity(state, ball->body[i], x, p[i]);
        }
        r->error = fmax(r->error, dls_norm(dls_sub(p[0], p[1])));
        r->speed = fmax(r->speed, dls_norm(dls_sub(v[0], v[1])));
    }
}

static dls_status examine_state(const bench_scene *scene, runner *r, dls_error *error)
{
    dls_state *state = NULL;
    dls_collider *collider = NULL;
    dls_contacts contacts = {0};
    dls_status status = dls_state_create(scene->model, &state, error);
    if (status == DLS_OK && r->engine)
        status = state_of(scene, r, state, error);
    else if (status == DLS_OK)
        dls_state_copy(state, dls_simulation_state(r->simulation));
    if (status == DLS_OK && scene->m.collide)
        status = dls_collider_create(scene->model, &collider, error);
    if (collider)
        status = dls_collider_find(collider, state, &contacts, error);
    if (status == DLS_OK) {
        examine_contacts(scene, &contacts, state, r);
        examine_balls(scene, state, r);
    }
    dls_contacts_release(&contacts);
    dls_collider_destroy(collider);
    dls_state_destroy(state);
    return status;
}

/* --- comparison --- */

static void add_line(bench *b, const char *name, const char *what, size_t size, double ours, const char *unit,
                     const runner *theirs, double value)
{
    char line[DLS_NAME_MAX];
    snprintf(line, sizeof line, "%.40s%s", name, what);
    bench_add(b, line, size, ours, unit, theirs ? theirs->engine->name : NULL, theirs ? value : NAN);
}

/* Ours beside an engine, or alone (NULL). */
static void add_lines(bench *b, const char *name, size_t size, const runner *ours, const runner *theirs)
{
    const runner none = {.best = NAN}, *other = theirs ? theirs : &none;
    add_line(b, name, "", size, 1e6 * ours->best, "us", theirs, 1e6 * other->best);
    add_line(b, name, "-examined", size, 1e6 * ours->examined, "us", theirs, 1e6 * other->best);
    add_line(b, name, "-error", size, ours->error, "m", theirs, other->error);
    add_line(b, name, "-speed", size, ours->speed, "m/s", theirs, other->speed);
}

/* All runners take turns; the first ones are ours. */
static dls_status compare(bench *b, const char *name, const bench_scene *scene, runner *runners, size_t count,
                          dls_error *error)
{
    char line[DLS_NAME_MAX];
    for (int step = 0; step < STEPS; step++)
        for (size_t k = 0; k < count; k++)
            DLS_TRY(take_step(&runners[k], scene->m.h, step >= FIRST_STEPS, error));
    for (size_t k = 0; k < count; k++)
        DLS_TRY(examine_state(scene, &runners[k], error));
    for (int start = 0; start < OURS; start++) {
        snprintf(line, sizeof line, "%.40s%s", name, starts[start]);
        for (size_t k = OURS; k < count; k++)
            add_lines(b, line, scene->m.n_bodies, &runners[start], &runners[k]);
        if (count == OURS)
            add_lines(b, line, scene->m.n_bodies, &runners[start], NULL);
        add_line(b, line, "-residual", scene->m.n_bodies, runners[start].certificate.natural_residual_velocity, "m/s",
                 NULL, NAN);
    }
    add_line(b, name, "-rows", scene->m.n_bodies, (double)dls_simulation_problem(runners[COLD].simulation)->n, "rows",
             NULL, NAN);
    return DLS_OK;
}

/* --- at equal error --- */

static void add_equal(bench *b, const char *name, size_t size, double iterations, const runner *ours,
                      const runner *theirs)
{
    add_line(b, name, "-equal", size, 1e6 * ours->best, "us", theirs, 1e6 * theirs->best);
    add_line(b, name, "-equal-iterations", size, iterations, "iterations", theirs, ITERATIONS);
    add_line(b, name, "-equal-error", size, ours->error, "m", theirs, theirs->error);
    add_line(b, name, "-equal-speed", size, ours->speed, "m/s", theirs, theirs->speed);
}

/* A run of ours alone. A state that is not finite is no failure of the bench: its error is infinite. */
static dls_status run_alone(const bench_scene *scene, int start, size_t iterations, runner *r, dls_error *error)
{
    DLS_TRY(open_ours(scene, start, iterations, r, error));
    dls_status status = DLS_OK;
    for (int step = 0; step < STEPS && status == DLS_OK; step++)
        status = take_step(r, scene->m.h, step >= FIRST_STEPS, error);
    if (status == DLS_OK)
        status = examine_state(scene, r, error);
    else if (status == DLS_NOT_FINITE)
        r->error = r->speed = HUGE_VAL, status = DLS_OK;
    return status;
}

static dls_status match_errors(bench *b, const char *name, const bench_scene *scene, int start, const runner *first,
                               const runner *theirs, size_t count, dls_error *error)
{
    const runner none = {.best = NAN, .error = NAN, .speed = NAN};
    bool matched[ENGINES_MAX] = {false};
    size_t left = count;
    char line[DLS_NAME_MAX];
    snprintf(line, sizeof line, "%.40s%s", name, starts[start]);
    for (size_t N = ITERATIONS; N <= MOST_ITERATIONS && left > 0; N *= 2) {
        runner ours = *first;
        dls_status status = N > ITERATIONS ? run_alone(scene, start, N, &ours, error) : DLS_OK;
        for (size_t k = 0; k < count && status == DLS_OK; k++)
            if (!matched[k] && ours.error <= theirs[k].error) {
                add_equal(b, line, scene->m.n_bodies, (double)N, &ours, &theirs[k]);
                matched[k] = true, left--;
            }
        if (N > ITERATIONS)
            close_runner(&ours);
        DLS_TRY(status);
    }
    for (size_t k = 0; k < count; k++)
        if (!matched[k])
            add_equal(b, line, scene->m.n_bodies, NAN, &none, &theirs[k]);
    return DLS_OK;
}

static dls_status measure(bench *b, const char *name, bench_scene *scene, dls_error *error)
{
    runner runners[OURS + ENGINES_MAX];
    size_t count = 0;
    dls_status status = DLS_OK;
    for (int start = 0; start < OURS && status == DLS_OK; start++)
        status = open_ours(scene, start, ITERATIONS, &runners[count++], error);
    for (size_t k = 0; engines[k] && status == DLS_OK; k++)
        status = open_engine(scene, engines[k], &runners[count++], error);
    if (status == DLS_OK)
        status = compare(b, name, scene, runners, count, error);
    for (int start = 0; start < OURS && status == DLS_OK; start++)
        status = match_errors(b, name, scene, start, &runners[start], &runners[OURS], count - OURS, error);
    for (size_t k = 0; k < count; k++)
        close_runner(&runners[k]);
    bench_scene_destroy(scene);
    return status;
}

dls_status bench_engines(bench *b, dls_error *error)
{
    bench_scene *scene;
    for (size_t k = 0; engines[k]; k++)
        bench_note(b, "engine %s: %s", engines[k]->name, engines[k]->settings);
    DLS_TRY(bench_pile(b->quick ? 6 : 14, &scene, error));
    DLS_TRY(measure(b, "engine-pile", scene, error));
    DLS_TRY(bench_pyramid(b->quick ? 20 : 100, &scene, error));
    DLS_TRY(measure(b, "engine-pyramid", scene, error));
    size_t columns = b->quick ? 20 : 100;
    DLS_TRY(bench_grid(columns, columns - 1, &scene, error));
    return measure(b, "engine-grid", scene, error);
}
