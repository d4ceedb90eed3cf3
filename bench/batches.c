/* Batches of arms of twelve hinges with drives, limits and dry friction (scenes/arm-12.yaml), pgs, a step of one
 * copy:
 *     batch-arm-4, -10, -50   so many iterations without warm starts, one thread, beside one simulation that is stepped
 *                             alone
 *     batch-arm-warm          4 iterations with warm starts, the same
 *     batch-arm-threads       10 iterations on two threads, beside one thread: 0.5 is all that there can be
 * Every way takes the same steps from the scene's state, in turn, several times; the least counts. */
#include "bench.h"
#include "peer.h"

#include "delassus/batch.h"
#include "delassus/io.h"
#include "delassus/solvers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { STEPS = 20, REPEATS = 5, ALONE = 50 };
static const double h = 0.002;

static double wall_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct line {
    const char *name, *peer;
    size_t iterations, threads;
    bool warm;
} line;

/* One thread is timed by its processor time, which other programs change least; two by the clock on the wall. */
static double now(const line *l) { return l->threads == 1 ? bench_clock() : wall_clock(); }

static dls_simulation_options options_of(const line *l)
{
    dls_simulation_options options = dls_simulation_default();
    options.solver = dls_iterative_find("pgs");
    options.iterations = l->iterations;
    options.warm.on = l->warm;
    return options;
}

/* [us] of a step */
static dls_status alone(const dls_model *model, const line *l, double *value, dls_error *error)
{
    const dls_simulation_options options = options_of(l);
    double spent = 0.0;
    for (int k = 0; k < ALONE; k++) {
        dls_simulation *simulation;
        DLS_TRY(dls_simulation_open(model, &options, &simulation, error));
        dls_status status = dls_simulation_step(simulation, h, error); /* the first one takes the memory */
        const double start = now(l);
        for (int step = 1; step < STEPS && status == DLS_OK; step++)
            status = dls_simulation_step(simulation, h, error);
        spent += now(l) - start;
        dls_simulation_close(simulation);
        DLS_TRY(status);
    }
    *value = 1e6 * spent / (ALONE * (STEPS - 1));
    return DLS_OK;
}

static dls_status together(const dls_model *model, size_t copies, const line *l, size_t threads, double *value,
                           dls_error *error)
{
    dls_batch_options options = {.simulation = options_of(l), .threads = threads};
    dls_batch *batch;
    DLS_TRY(dls_batch_open(model, copies, &options, &batch, error));
    dls_status status = dls_batch_step(batch, h, error);
    const double start = now(l);
    for (int step = 1; step < STEPS && status == DLS_OK; step++)
        status = dls_batch_step(batch, h, error);
    *value = 1e6 * (now(l) - start) / (double)(copies * (STEPS - 1));
    dls_batch_close(batch);
    return status;
}

static dls_status least_of(const dls_model *model, size_t copies, const line *l, double *batch, double *peer,
                           dls_error *error)
{
    *batch = *peer = HUGE_VAL;
    for (int k = 0; k < REPEATS; k++) {
        double one, other;
        DLS_TRY(l->threads == 1 ? alone(model, l, &other, error) : together(model, copies, l, 1, &other, error));
        DLS_TRY(together(model, copies, l, l->threads, &one, error));
        *batch = fmin(*batch, one);
        *peer = fmin(*peer, other);
    }
    return DLS_OK;
}

static dls_status measure_batch(bench *b, const dls_model *model, dls_error *error)
{
    const size_t copies = b->quick ? 256 : 4096;
    bench_note(b, "batch-arm-threads: wall time, two threads beside one");
    static const line lines[] = {{"batch-arm-4", "alone", 4, 1, false},
                                 {"batch-arm-10", "alone", 10, 1, false},
                                 {"batch-arm-50", "alone", 50, 1, false},
                                 {"batch-arm-warm", "alone", 4, 1, true},
                                 {"batch-arm-threads", "one thread", 10, 2, false}};
    for (size_t k = 0; k < sizeof lines / sizeof lines[0]; k++) {
        double value, peer;
        dls_status status = least_of(model, copies, &lines[k], &value, &peer, error);
        if (status == DLS_UNAVAILABLE) {
            bench_note(b, "%s was left out: this build has no OpenMP", lines[k].name);
            continue;
        }
        DLS_TRY(status);
        bench_add(b, lines[k].name, copies, value, "us/step", lines[k].peer, peer);
    }
    return DLS_OK;
}

dls_status bench_batches(bench *b, dls_error *error)
{
    dls_scene *scene;
    dls_model *model;
    DLS_TRY(dls_scene_read(BENCH_SCENES "/arm-12.yaml", &scene, error));
    dls_status status = dls_model_create(scene, &model, error);
    dls_scene_destroy(scene);
    if (status == DLS_OK)
        status = measure_batch(b, model, error);
    dls_model_destroy(model);
    return status;
}
