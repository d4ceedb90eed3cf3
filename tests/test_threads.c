/* Nothing is shared by the process: simulations in several threads at once give the bytes that they give one after
 * another. Each thread reads its file, makes its model, and steps it; built with -fsanitize=thread this program shows
 * every access that two of them share (.ci/run). */
#include "delassus/delassus.h"
#include "delassus/reference.h"
#include "delassus/solvers.h"

#include "check.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { STEPS = 12, ROUNDS = 3, BYTES = 1 << 20 };

typedef struct task {
    const char *file, *solver, *scheme;
    int number;
    char *bytes; /* what came of it */
    size_t size;
    dls_error error;
} task;

/* Bodies, articulations, tracks, collision detection; sweeps and a direct method; YAML, XML. */
static const task tasks[] = {
    {.file = "scenes/stack-10-found.yaml", .solver = "pgs", .scheme = "euler"},
    {.file = "models/gripper.urdf", .solver = "block-pivoting", .scheme = "euler"},
    {.file = "scenes/all-joints.yaml", .solver = "pgs", .scheme = "small-steps"},
    {.file = "scenes/hump.yaml", .solver = "sor", .scheme = "split-impulse"},
    {.file = "scenes/stack-10-found.yaml", .solver = "nsgs", .scheme = "tgs"},
    {.file = "scenes/star-5.yaml", .solver = "pgs", .scheme = "projection-newton"},
};
enum { TASKS = sizeof tasks / sizeof tasks[0] };

static void keep(task *t, const void *from, size_t size)
{
    if (t->size + size <= BYTES)
        memcpy(t->bytes + t->size, from, size);
    t->size += size;
}

static void keep_step(task *t, dls_simulation *simulation)
{
    const dls_state *s = dls_simulation_state(simulation);
    keep(t, &s->time, sizeof s->time);
    keep(t, s->x, s->n_bodies * sizeof *s->x);
    keep(t, s->q, s->n_bodies * sizeof *s->q);
    keep(t, s->v, s->nv * sizeof *s->v);
    keep(t, s->coordinates, s->n_coordinates * sizeof *s->coordinates);
    const dls_problem *p = dls_simulation_problem(simulation);
    keep(t, dls_simulation_impulses(simulation), (p ? p->n : 0) * sizeof(double));
}

static dls_status run_model(task *t, const dls_model *model)
{
    dls_simulation_options options = dls_simulation_default();
    dls_simulation *simulation;
    const dls_solver *direct = dls_direct_find(t->solver);
    options.solver = direct ? direct : dls_iterative_find(t->solver);
    options.scheme = dls_scheme_find(t->scheme);
    options.iterations = 6;
    options.ledger = true;
    DLS_TRY(dls_fields_default(&dls_warm_fields, &options.warm, &t->error));
    options.warm.on = strcmp(t->scheme, "tgs") != 0;
    DLS_TRY(dls_simulation_open(model, &options, &simulation, &t->error));
    dls_status status = DLS_OK;
    for (int k = 0; k < STEPS && status == DLS_OK; k++) {
        status = dls_simulation_step(simulation, 0.002, &t->error);
        if (status == DLS_OK)
            keep_step(t, simulation);
    }
    dls_simulation_close(simulation);
    return status;
}

static dls_status run_file(task *t)
{
    char path[DLS_PATH_MAX];
    const char *source = getenv("DLS_TEST_SOURCE");
    dls_content content;
    dls_model *model;
    snprintf(path, sizeof path, "%s/%s", source ? source : ".", t->file);
    DLS_TRY(dls_file_load(path, NULL, &content, &t->error));
    dls_status status = dls_model_create(content.scene, &model, &t->error);
    dls_content_release(&content);
    if (status != DLS_OK)
        return status;
    status = run_model(t, model);
    dls_model_destroy(model);
    return status;
}

/* A reference trajectory. */
static dls_status follow_exactly(task *t)
{
    static const char text[] =
        "bodies:\n  - {name: a, shape: box, size: [0.1, 0.2, 0.3], mass: 1.7, omega: [1, 2, 3]}\n"
        "joints:\n  - {name: b, type: ball, body1: a, anchor: [0.3, 0, 0.4]}\n";
    dls_scene *scene;
    dls_model *model;
    dls_state *state = NULL;
    dls_trajectory *exact = NULL;
    DLS_TRY(dls_scene_parse(text, strlen(text), "text", &scene, &t->error));
    dls_trajectory_settings settings = dls_trajectory_default();
    settings.project_start = true;
    dls_status status = dls_model_create(scene, &model, &t->error);
    dls_scene_destroy(scene);
    if (status == DLS_OK)
        status = dls_state_create(model, &state, &t->error);
    if (status == DLS_OK)
        status = dls_trajectory_create(model, state, &settings, &exact, &t->error);
    if (status == DLS_OK)
        status = dls_trajectory_advance(exact, 0.05, state, &t->error);
    if (status == DLS_OK)
        keep(t, state->v, state->nv * sizeof *state->v);
    dls_trajectory_destroy(exact);
    dls_state_destroy(state);
    dls_model_destroy(model);
    return status;
}

/* FCLIB's files go through a library that is not made for threads. */
static dls_status write_and_read(task *t)
{
    static const char text[] = "3 1 0 3 3 3 3 2 0 0 0 1 0 0 0 1 -3 1 1 0.5";
    char path[64];
    dls_content content;
    if (!dls_hdf5_available())
        return DLS_OK;
    snprintf(path, sizeof path, "test_threads.%d.hdf5", t->number);
    DLS_TRY(dls_file_parse(text, strlen(text), "text", NULL, &content, &t->error));
    dls_status status = dls_file_write(content.problem, NULL, "fclib", path, NULL, &t->error);
    dls_content_release(&content);
    if (status == DLS_OK)
        status = dls_file_load(path, NULL, &content, &t->error);
    if (status == DLS_OK)
        keep(t, content.problem->c, content.problem->n * sizeof(double));
    dls_content_release(&content);
    unlink(path);
    return status;
}

/* The task where it failed, else NULL. */
static void *run(void *argument)
{
    task *t = argument;
    t->size = 0;
    return run_file(t) == DLS_OK && follow_exactly(t) == DLS_OK && write_and_read(t) == DLS_OK ? NULL : t;
}

static void begin(task *to)
{
    for (int k = 0; k < TASKS; k++) {
        to[k] = tasks[k];
        to[k].number = k;
        to[k].bytes = test_calloc(1, BYTES);
    }
}

static void end(task *t)
{
    for (int k = 0; k < TASKS; k++)
        test_free(t[k].bytes);
}

TEST(test_threads_give_the_same_bytes)
{
    task alone[TASKS], together[TASKS];
    pthread_t threads[TASKS];
    begin(alone);
    begin(together);
    /* Threads first: what a library sets up at its first call is then set up by several of them. */
    for (int round = 0; round < ROUNDS; round++) {
        for (int k = 0; k < TASKS; k++)
            assert_int_equal(pthread_create(&threads[k], NULL, run, &together[k]), 0);
        for (int k = 0; k < TASKS; k++) {
            void *failed;
            assert_int_equal(pthread_join(threads[k], &failed), 0);
            if (failed)
                print_error("%s in a thread: %s\n", tasks[k].file, together[k].error.message);
            assert_null(failed);
        }
        for (int k = 0; k < TASKS; k++) {
            assert_null(run(&alone[k]));
            assert_true(alone[k].size > 1000 && alone[k].size <= BYTES);
            assert_int_equal(alone[k].size, together[k].size);
            assert_memory_equal(alone[k].bytes, together[k].bytes, alone[k].size);
        }
    }
    end(alone);
    end(together);
}
