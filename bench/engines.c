/* Whole steps of 1/60 s of boxes and of a grid of ball joints, beside those of physics engines that are given the same
 * bodies: collision detection, solver, motion. All take turns, step by step, each from the state that its own last step
 * left. Every row of ours is swept ITERATIONS times per step, cold, from zero impulse, warm, from the impulses of the
 * step before, and by the scheme soft-step, warm, in half as many substeps, as Box3D does; an engine gets as many
 * sweeps, through its own rows: ODE and Bullet have three per contact point like us, Box3D one per point and three per
 * pair. ODE starts cold, Bullet and Box3D warm. The notes of the adapters (experiments/engines/), which are those of
 * the table, say how each works else.
 *
 *   engine-SCENE          the fastest step after the first ones, cold; engine-SCENE-warm: warm; engine-SCENE-soft: by
 *                         soft-step; so below [us]
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
#include "engines/engine_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ITERATIONS = 8, MOST_ITERATIONS = 128, STEPS = 60, FIRST_STEPS = 20 };

static const char *const engine_names[] = {"ode-quick", "bullet", "box3d"};
enum { ENGINES_MAX = sizeof engine_names / sizeof engine_names[0] };

enum { COLD, WARM, SOFT, OURS };
static const char *const starts[OURS] = {"", "-warm", "-soft"};

typedef struct runner {
    double best;              /* [s] */
    double examined;          /* [s] of ours with the examiner, whose certificate is that of the last step */
    double error, speed;      /* [m], [m/s] */
    const dls_engine *engine; /* NULL: ours */
    void *world;
    dls_simulation *simulation;
    dls_examiner *examiner;
    dls_certificate certificate;
    double *w;
    size_t capacity;
} runner;

/* All who step one scene. */
typedef struct contest {
    bench *b;
    const char *name;
    const bench_scene *scene;
    dls_engine_mechanism *mechanism; /* the scene for engines */
    dls_engine_state *states;        /* of all bodies */
} contest;

/* --- steps --- */

static dls_status open_engine(const dls_engine *engine, const dls_engine_mechanism *m, runner *r, dls_error *error)
{
    char why[DLS_MESSAGE_MAX];
    *r = (runner){.best = HUGE_VAL, .examined = HUGE_VAL, .engine = engine};
    r->world = engine->open(m, why, sizeof why);
    return r->world ? DLS_OK : dls_fail(error, DLS_REFUSED, "%s: %s", engine->name, why);
}

static dls_status open_ours(const bench_scene *scene, int start, size_t iterations, runner *r, dls_error *error)
{
    dls_simulation_options options = dls_simulation_default();
    *r = (runner){.best = HUGE_VAL, .examined = HUGE_VAL};
    options.solver = dls_iterative_find("pgs");
    options.iterations = iterations;
    if (start == SOFT) {
        options.scheme = dls_scheme_find("soft-step");
        options.iterations = iterations / 2;
    }
    if (start != COLD)
        DLS_TRY(dls_fields_default(&dls_warm_fields, &options.warm, error));
    return dls_simulation_open(scene->model, &options, &r->simulation, error);
}

static void close_runner(runner *r)
{
    if (r->world)
        r->engine->close(r->world);
    dls_examiner_destroy(r->examiner);
    dls_simulation_close(r->simulation);
    free(r->w);
}

static dls_status examine_ours(runner *r, dls_error *error)
{
    const dls_problem *problem = dls_simulation_problem(r->simulation);
    if (!DLS_GROW(r->w, r->capacity, problem->n + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", problem->n);
    DLS_TRY(r->examiner ? dls_examiner_reload(r->examiner, problem, error)
                        : dls_examiner_create(problem, &r->examiner, error));
    dls_examine(r->examiner, dls_simulation_impulses(r->simulation), r->w, &r->certificate);
    return DLS_OK;
}

static dls_status take_step(runner *r, double h, bool counts, bool examines, dls_error *error)
{
    const double start = bench_clock();
    double seconds;
    if (r->engine) {
        r->engine->step(r->world);
        seconds = bench_since(start);
    } else {
        DLS_TRY(dls_simulation_step(r->simulation, h, error));
        seconds = bench_since(start);
        if (examines)
            DLS_TRY(examine_ours(r, error));
        r->examined = counts && examines ? fmin(r->examined, bench_since(start)) : r->examined;
    }
    r->best = counts ? fmin(r->best, seconds) : r->best;
    return DLS_OK;
}

/* --- the state at the end --- */

/* Velocity of the point p of a body; the world and the ground rest. */
static dls_vec3 velocity(const dls_model *model, const dls_state *state, size_t body, dls_vec3 p)
{
    if (body == DLS_WORLD || dls_model_bodies(model)[body].offset == DLS_NONE)
        return dls_v3(0.0, 0.0, 0.0);
    const double *v = state->v + dls_model_bodies(model)[body].offset;
    return dls_add(dls_v3(v[0], v[1], v[2]), dls_cross(dls_v3(v[3], v[4], v[5]), dls_sub(p, state->x[body])));
}

static void examine_contacts(const dls_model *model, const dls_contacts *contacts, const dls_state *state, runner *r)
{
    for (size_t k = 0; k < contacts->count; k++) {
        const dls_contact *c = &contacts->at[k];
        const dls_vec3 v =
            dls_sub(velocity(model, state, c->body[1], c->point[1]), velocity(model, state, c->body[0], c->point[0]));
        r->error = fmax(r->error, -c->gap);
        r->speed = fmax(r->speed, dls_dot(c->normal, v));
    }
}

/* Ball joints, in a mechanism whose bodies started upright. */
static void examine_balls(const dls_model *model, const dls_engine_mechanism *m, const dls_state *state, runner *r)
{
    for (size_t k = 0; k < m->n_joints; k++) {
        const dls_engine_joint *ball = &m->joints[k];
        dls_vec3 p[2], v[2];
        for (int i = 0; i < 2; i++) {
            const size_t body = ball->body[i];
            p[i] = ball->anchor[i];
            if (body != DLS_WORLD)
                p[i] = dls_add(state->x[body],
                               dls_quat_rotate(state->q[body], dls_sub(ball->anchor[i], m->bodies[body].x)));
            v[i] = velocity(model, state, body, p[i]);
        }
        r->error = fmax(r->error, dls_norm(dls_sub(p[0], p[1])));
        r->speed = fmax(r->speed, dls_norm(dls_sub(v[0], v[1])));
    }
}

static dls_status examine_state(const contest *c, runner *r, dls_error *error)
{
    const dls_model *model = c->scene->model;
    dls_state *state = NULL;
    dls_collider *collider = NULL;
    dls_contacts contacts = {0};
    dls_status status = dls_state_create(model, &state, error);
    if (status == DLS_OK && r->engine) {
        r->engine->read(r->world, c->states);
        dls_engine_place(model, c->states, state);
    } else if (status == DLS_OK) {
        dls_state_copy(state, dls_simulation_state(r->simulation));
    }
    if (status == DLS_OK && dls_model_world(model)->collide)
        status = dls_collider_create(model, &collider, error);
    if (collider)
        status = dls_collider_find(collider, state, &contacts, error);
    if (status == DLS_OK) {
        examine_contacts(model, &contacts, state, r);
        examine_balls(model, c->mechanism, state, r);
    }
    dls_contacts_release(&contacts);
    dls_collider_destroy(collider);
    dls_state_destroy(state);
    return status;
}

/* --- comparison --- */

static void add_line(const contest *c, const char *start, const char *what, double ours, const char *unit,
                     const runner *theirs, double value)
{
    char line[DLS_NAME_MAX];
    snprintf(line, sizeof line, "%.40s%s%s", c->name, start, what);
    bench_add(c->b, line, c->scene->boxes, ours, unit, theirs ? theirs->engine->name : NULL, theirs ? value : NAN);
}

/* Ours beside an engine, or alone (NULL). */
static void add_lines(const contest *c, const char *start, const runner *ours, const runner *theirs)
{
    const runner none = {.best = NAN}, *other = theirs ? theirs : &none;
    add_line(c, start, "", 1e6 * ours->best, "us", theirs, 1e6 * other->best);
    add_line(c, start, "-examined", 1e6 * ours->examined, "us", theirs, 1e6 * other->best);
    add_line(c, start, "-error", ours->error, "m", theirs, other->error);
    add_line(c, start, "-speed", ours->speed, "m/s", theirs, other->speed);
}

/* All runners take turns; the first ones are ours. */
static dls_status compare_engines(const contest *c, runner *runners, size_t count, dls_error *error)
{
    for (int step = 0; step < STEPS; step++)
        for (size_t k = 0; k < count; k++)
            DLS_TRY(take_step(&runners[k], c->scene->h, step >= FIRST_STEPS, true, error));
    for (size_t k = 0; k < count; k++)
        DLS_TRY(examine_state(c, &runners[k], error));
    for (int start = 0; start < OURS; start++) {
        for (size_t k = OURS; k < count; k++)
            add_lines(c, starts[start], &runners[start], &runners[k]);
        if (count == OURS)
            add_lines(c, starts[start], &runners[start], NULL);
        add_line(c, starts[start], "-residual", runners[start].certificate.natural_residual_velocity, "m/s", NULL, NAN);
    }
    add_line(c, "", "-rows", (double)dls_simulation_problem(runners[COLD].simulation)->n, "rows", NULL, NAN);
    return DLS_OK;
}

/* --- at equal error --- */

static void add_equal(const contest *c, const char *start, double iterations, const runner *ours, const runner *theirs)
{
    add_line(c, start, "-equal", 1e6 * ours->best, "us", theirs, 1e6 * theirs->best);
    add_line(c, start, "-equal-iterations", iterations, "iterations", theirs, ITERATIONS);
    add_line(c, start, "-equal-error", ours->error, "m", theirs, theirs->error);
    add_line(c, start, "-equal-speed", ours->speed, "m/s", theirs, theirs->speed);
}

/* A run of ours alone. A state that is not finite is no failure of the bench: its error is infinite. */
static dls_status run_alone(const contest *c, int start, size_t iterations, runner *r, dls_error *error)
{
    DLS_TRY(open_ours(c->scene, start, iterations, r, error));
    dls_status status = DLS_OK;
    for (int step = 0; step < STEPS && status == DLS_OK; step++)
        status = take_step(r, c->scene->h, step >= FIRST_STEPS, false, error);
    if (status == DLS_OK)
        status = examine_state(c, r, error);
    else if (status == DLS_NOT_FINITE)
        r->error = r->speed = HUGE_VAL, status = DLS_OK;
    return status;
}

static dls_status match_errors(const contest *c, int start, const runner *first, const runner *theirs, size_t count,
                               dls_error *error)
{
    const runner none = {.best = NAN, .error = NAN, .speed = NAN};
    bool matched[ENGINES_MAX] = {false};
    size_t left = count;
    for (size_t N = ITERATIONS; N <= MOST_ITERATIONS && left > 0; N *= 2) {
        runner ours = *first;
        dls_status status = N > ITERATIONS ? run_alone(c, start, N, &ours, error) : DLS_OK;
        for (size_t k = 0; k < count && status == DLS_OK; k++)
            if (!matched[k] && ours.error <= theirs[k].error) {
                add_equal(c, starts[start], (double)N, &ours, &theirs[k]);
                matched[k] = true, left--;
            }
        if (N > ITERATIONS)
            close_runner(&ours);
        DLS_TRY(status);
    }
    for (size_t k = 0; k < count; k++)
        if (!matched[k])
            add_equal(c, starts[start], NAN, &none, &theirs[k]);
    return DLS_OK;
}

static dls_status run_all(const contest *c, const dls_engine_choice *engines, size_t n_engines, dls_error *error)
{
    runner runners[OURS + ENGINES_MAX];
    size_t count = 0;
    dls_status status = DLS_OK;
    for (int start = 0; start < OURS && status == DLS_OK; start++)
        status = open_ours(c->scene, start, ITERATIONS, &runners[count++], error);
    for (size_t k = 0; k < n_engines && status == DLS_OK; k++)
        status = open_engine(engines[k].engine, c->mechanism, &runners[count++], error);
    if (status == DLS_OK)
        status = compare_engines(c, runners, count, error);
    for (int start = 0; start < OURS && status == DLS_OK; start++)
        status = match_errors(c, start, &runners[start], &runners[OURS], count - OURS, error);
    for (size_t k = 0; k < count; k++)
        close_runner(&runners[k]);
    return status;
}

static dls_status measure_scene(bench *b, const char *name, bench_scene *scene, const dls_engine_choice *engines,
                                size_t n_engines, dls_error *error)
{
    contest c = {.b = b, .name = name, .scene = scene};
    dls_status status = dls_engine_mechanism_create(scene->model, scene->h, ITERATIONS, &c.mechanism, error);
    if (status == DLS_OK) {
        c.states = calloc(c.mechanism->n_bodies + 1, sizeof *c.states);
        status = c.states ? run_all(&c, engines, n_engines, error)
                          : dls_fail(error, DLS_NO_MEMORY, "no memory for the states of %s", name);
    }
    free(c.states);
    dls_engine_mechanism_destroy(c.mechanism);
    bench_scene_destroy(scene);
    return status;
}

dls_status bench_engines(bench *b, dls_error *error)
{
    const size_t columns = b->quick ? 20 : 100;
    dls_engine_choice engines[ENGINES_MAX];
    size_t n_engines = 0;
    bench_scene *scene;
    for (size_t k = 0; k < ENGINES_MAX; k++) {
        dls_engine_choice *of = &engines[n_engines];
        if (dls_engine_choose(engine_names[k], of, NULL) != DLS_OK)
            continue; /* not built */
        for (const dls_engine_note *note = of->engine->notes; note->subject; note++)
            bench_note(b, "engine %s, %s, %s: %s", of->engine->name, of->version, note->subject, note->text);
        n_engines++;
    }
    dls_status status = bench_pile(b->quick ? 6 : 14, &scene, error);
    if (status == DLS_OK)
        status = measure_scene(b, "engine-pile", scene, engines, n_engines, error);
    if (status == DLS_OK)
        status = bench_pyramid(b->quick ? 20 : 100, &scene, error);
    if (status == DLS_OK)
        status = measure_scene(b, "engine-pyramid", scene, engines, n_engines, error);
    if (status == DLS_OK)
        status = bench_grid(columns, columns - 1, &scene, error);
    if (status == DLS_OK)
        status = measure_scene(b, "engine-grid", scene, engines, n_engines, error);
    while (n_engines > 0)
        dls_engine_release(&engines[--n_engines]);
    return status;
}
