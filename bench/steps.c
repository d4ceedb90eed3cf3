/* Whole time steps of boxes that collide, and their stages, from ten boxes to a million rows. PGS, semi-implicit Euler:
 *   wall      courses of bricks; 10 iterations from the impulses of the step before, 1/240 s
 *   pyramid   unit boxes; 8 iterations from zero, 1/60 s
 * NAME is a step of a simulation [us], NAME-row the same per row [ns]. The stages are timed in a chain of their own
 * that is given the same state; NAME-other is the rest of the step (warm starts, copies, checks), as the
 * median of the differences of a step and its stages, where that is above their noise.
 *   -collide    contacts                                  -sweeps    the iterations
 *   -inertia    world inertias                            -velocity  v* + M^-1 J^T lambda
 *   -list       the rows                                  -advance   positions, and what follows from them
 *   -assemble   the problem                               -examine   the examiner, which is no part of a step
 *   -load       the solver's work for it
 * NAME-first is the first step of a simulation, which takes its memory, beside a later one.
 * NAME-asleep is a step of the same boxes once all of them have been put to sleep. */
#include "bench.h"
#include "scenes.h"

#include "delassus/reference.h"
#include "delassus/simulation.h"
#include "delassus/solvers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETTLE = 30, REPEATS = 20 };

typedef enum stage { COLLIDE, INERTIA, LIST, ASSEMBLE, LOAD, SWEEPS, VELOCITY, ADVANCE, EXAMINE, STAGES } stage;
static const char *const stage_names[STAGES] = {"collide", "inertia",  "list",    "assemble", "load",
                                                "sweeps",  "velocity", "advance", "examine"};

/* The chain from a state to the next one, each link by itself. */
typedef struct chain {
    dls_state *state;
    dls_collider *collider;
    dls_contacts contacts;
    dls_configuration *before, *after;
    dls_row_list *rows;
    dls_problem *problem;
    dls_solver_work solving;
    dls_report report;
    dls_examiner *examiner;
    double *lambda, *v, *w;
    size_t capacity;
    double best[STAGES], first, step; /* [s] */
    double stages;                    /* [s], of the last step, without the examiner */
    double other[REPEATS];            /* [s], of each step, besides them */
    size_t steps;
} chain;

static dls_status open_chain(const dls_model *model, const dls_solver *solver, const void *settings, chain *c,
                             dls_error *error)
{
    c->solving = (dls_solver_work){.solver = solver, .settings = settings};
    c->step = HUGE_VAL;
    for (int k = 0; k < STAGES; k++)
        c->best[k] = HUGE_VAL;
    DLS_TRY(dls_state_create(model, &c->state, error));
    DLS_TRY(dls_collider_create(model, &c->collider, error));
    DLS_TRY(dls_configuration_create(model, &c->before, error));
    DLS_TRY(dls_configuration_create(model, &c->after, error));
    DLS_TRY(dls_row_list_create(&c->rows, error));
    DLS_TRY(dls_problem_allocate(0, 0, 0, 0, 0, &c->problem, error));
    c->v = calloc(2 * dls_model_count(model).nv + 1, sizeof *c->v);
    return c->v ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu velocities", dls_model_count(model).nv);
}

static void close_chain(chain *c)
{
    dls_examiner_destroy(c->examiner);
    dls_solver_release(&c->solving);
    dls_report_release(&c->report);
    dls_problem_destroy(c->problem);
    dls_row_list_destroy(c->rows);
    dls_configuration_destroy(c->after);
    dls_configuration_destroy(c->before);
    dls_contacts_release(&c->contacts);
    dls_collider_destroy(c->collider);
    dls_state_destroy(c->state);
    free(c->lambda);
    free(c->v);
}

static dls_status room(chain *c, size_t n, dls_error *error)
{
    if (n <= c->capacity)
        return DLS_OK;
    free(c->lambda);
    c->capacity = 2 * n;
    c->lambda = calloc(2 * c->capacity, sizeof *c->lambda);
    c->w = c->lambda + c->capacity;
    return c->lambda ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", n);
}

/* The examiner is kept from step to step, as a run keeps it. */
static dls_status examine_step(chain *c, dls_error *error)
{
    dls_certificate certificate;
    DLS_TRY(c->examiner ? dls_examiner_reload(c->examiner, c->problem, error)
                        : dls_examiner_create(c->problem, &c->examiner, error));
    dls_examine(c->examiner, c->lambda, c->w, &certificate);
    return DLS_OK;
}

/* A stage ends, and the next one begins. */
static void end_stage(chain *c, stage k, double *start)
{
    const double taken = bench_since(*start);
    c->best[k] = fmin(c->best[k], taken);
    c->stages += k == EXAMINE ? 0.0 : taken;
    *start = bench_clock();
}

/* Every stage once, from c->state and with the impulses that a simulation starts from, or none. */
static dls_status time_stages(chain *c, size_t iterations, double h, dls_error *error)
{
    dls_configuration_evaluate(c->before, c->state);
    c->stages = 0.0;
    double start = bench_clock();
    DLS_TRY(dls_collider_find_at(c->collider, c->before, &c->contacts, error));
    end_stage(c, COLLIDE, &start);
    DLS_TRY(dls_configuration_factor(c->before, error));
    end_stage(c, INERTIA, &start);
    DLS_TRY(dls_row_list_fill(c->rows, c->before, &c->contacts, h, error));
    end_stage(c, LIST, &start);
    DLS_TRY(dls_problem_assemble(c->problem, c->before, c->state, c->rows, h, error));
    end_stage(c, ASSEMBLE, &start);
    DLS_TRY(room(c, c->problem->n, error));
    memset(c->lambda, 0, c->problem->n * sizeof *c->lambda);
    start = bench_clock();
    DLS_TRY(dls_solver_load(&c->solving, c->problem, c->lambda, &c->report, error));
    end_stage(c, LOAD, &start);
    DLS_TRY(dls_solver_run(&c->solving, iterations, c->lambda, &c->report, NULL, NULL, error));
    end_stage(c, SWEEPS, &start);
    dls_problem_velocity(c->problem, c->lambda, c->v, c->v + c->problem->nv);
    end_stage(c, VELOCITY, &start);
    dls_configuration_advance(c->before, c->after, c->state, c->v, h, false);
    end_stage(c, ADVANCE, &start);
    DLS_TRY(examine_step(c, error));
    end_stage(c, EXAMINE, &start);
    return DLS_OK;
}

static dls_status time_steps(dls_simulation *simulation, chain *c, size_t iterations, double h, bool quick,
                             dls_error *error)
{
    const int repeats = quick ? 5 : REPEATS;
    for (int k = 0; k < SETTLE + repeats; k++) {
        if (k >= SETTLE) {
            dls_state_copy(c->state, dls_simulation_state(simulation));
            DLS_TRY(time_stages(c, iterations, h, error));
        }
        double start = bench_clock();
        DLS_TRY(dls_simulation_step(simulation, h, error));
        const double step = bench_since(start);
        if (k == 0)
            c->first = step;
        if (k < SETTLE)
            continue;
        c->step = fmin(c->step, step);
        c->other[c->steps++] = step - c->stages;
    }
    return DLS_OK;
}

/* The least time of a step in which all sleep. */
static dls_status time_asleep(dls_simulation *simulation, double h, bool quick, double *best, dls_error *error)
{
    const dls_model *model = dls_simulation_model(simulation);
    for (size_t end = 0; end < dls_model_count(model).ends; end++)
        if (dls_model_moves(model, end))
            DLS_TRY(dls_simulation_sleep(simulation, end, error));
    *best = HUGE_VAL;
    for (int k = 0; k < (quick ? 5 : REPEATS); k++) {
        const double start = bench_clock();
        DLS_TRY(dls_simulation_step(simulation, h, error));
        *best = fmin(*best, bench_since(start));
    }
    return DLS_OK;
}

static void add_lines(bench *b, const char *name, size_t boxes, chain *c)
{
    char line[DLS_NAME_MAX];
    double noise;
    bench_add(b, name, boxes, 1e6 * c->step, "us", NULL, NAN);
    snprintf(line, sizeof line, "%s-row", name);
    bench_add(b, line, boxes, 1e9 * c->step / (double)c->problem->n, "ns", NULL, NAN);
    snprintf(line, sizeof line, "%s-first", name);
    bench_add(b, line, boxes, 1e6 * c->first, "us", "later", 1e6 * c->step);
    for (int k = 0; k < STAGES; k++) {
        snprintf(line, sizeof line, "%s-%s", name, stage_names[k]);
        bench_add(b, line, boxes, 1e6 * c->best[k], "us", NULL, NAN);
    }
    const double other = bench_difference(c->other, c->steps, &noise);
    snprintf(line, sizeof line, "%s-other", name);
    if (isnan(other))
        bench_note(b, "%s %zu: below the noise of %.2g us", line, boxes, 1e6 * noise);
    else
        bench_add(b, line, boxes, 1e6 * other, "us", NULL, NAN);
    snprintf(line, sizeof line, "%s-rows", name);
    bench_add(b, line, boxes, (double)c->problem->n, "rows", NULL, NAN);
}

static dls_status measure_steps(bench *b, const char *name, bench_scene *scene, size_t iterations, bool warm,
                                dls_error *error)
{
    dls_simulation_options options = dls_simulation_default();
    dls_simulation *simulation = NULL;
    chain c = {0};
    double asleep;
    char settings[64], line[DLS_NAME_MAX];
    options.solver = dls_iterative_find("pgs");
    options.iterations = iterations;
    dls_status status = dls_fields_default(&options.solver->fields, settings, error);
    if (status == DLS_OK && warm)
        status = dls_fields_default(&dls_warm_fields, &options.warm, error);
    if (status == DLS_OK)
        status = open_chain(scene->model, options.solver, settings, &c, error);
    if (status == DLS_OK)
        status = dls_simulation_open(scene->model, &options, &simulation, error);
    if (status == DLS_OK)
        status = time_steps(simulation, &c, iterations, scene->h, b->quick, error);
    if (status == DLS_OK)
        add_lines(b, name, scene->boxes, &c);
    if (status == DLS_OK)
        status = time_asleep(simulation, scene->h, b->quick, &asleep, error);
    if (status == DLS_OK) {
        snprintf(line, sizeof line, "%s-asleep", name);
        bench_add(b, line, scene->boxes, 1e6 * asleep, "us", NULL, NAN);
    }
    dls_simulation_close(simulation);
    close_chain(&c);
    bench_scene_destroy(scene);
    return status;
}

dls_status bench_steps(bench *b, dls_error *error)
{
    static const size_t walls[] = {10, 100, 1000}, pyramids[] = {4, 14, 45, 100, 270};
    bench_scene *scene;
    for (size_t k = 0; k < (b->quick ? 2u : 3u); k++) {
        DLS_TRY(bench_wall(walls[k], &scene, error));
        DLS_TRY(measure_steps(b, "wall", scene, 10, true, error));
    }
    for (size_t k = 0; k < (b->quick ? 2u : 5u); k++) {
        DLS_TRY(bench_pyramid(pyramids[k], &scene, error));
        DLS_TRY(measure_steps(b, "pyramid", scene, 8, false, error));
    }
    return DLS_OK;
}
