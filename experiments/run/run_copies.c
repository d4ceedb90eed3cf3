/* Many copies of a scene, stepped as a batch, with their states in one table.
 *
 * Steps are those of dls_batch_step: the bytes of a copy depend only on its initial state. Lines are written between
 * steps, by one thread, in the order of the copies.
 */
#include "base/clock.h"
#include "delassus/batch.h"
#include "delassus/check.h"
#include "delassus/reference.h"
#include "delassus/solvers.h"
#include "run.h"
#include "study/study.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES, JOINTS, TABLES };
static const struct {
    const char *suffix, *columns;
} kinds[TABLES] = {{"copies", "time[s]\tcopy\t" DLS_BODY_COLUMNS},
                   {"copies-joints", "time[s]\tcopy\t" DLS_JOINT_COLUMNS}};

typedef struct copies_way {
    const dls_job *job;
    const dls_run *run;
    const dls_copies *copies;
    dls_batch *batch;
    bool *written; /* count */
    dls_configuration *at;
    dls_table *tables[TABLES];
    dls_copies_result *result;
} way;

/* --- which --- */

/* "FIRST-LAST" or one number at *text, which moves behind it. */
static bool read_range(const char **text, size_t count, size_t range[2])
{
    char *end;
    for (int i = 0; i < 2; i++) {
        if (**text < '0' || **text > '9')
            return false;
        range[i] = (size_t)strtoull(*text, &end, 10);
        *text = end;
        if (i == 0 && **text != '-')
            range[1] = range[0];
        if (**text != '-' || i == 1)
            break;
        ++*text;
    }
    return range[0] <= range[1] && range[1] < count;
}

static dls_status choose_written(way *w, dls_error *error)
{
    const size_t count = w->copies->count;
    const char *text = w->copies->written;
    w->written = calloc(count, sizeof *w->written);
    if (!w->written)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu copies", count);
    if (strcmp(text, "all") == 0)
        memset(w->written, true, count);
    while (strcmp(w->copies->written, "all") != 0) {
        size_t range[2];
        if (!read_range(&text, count, range) || (*text != ',' && *text != '\0'))
            return dls_fail(error, DLS_BAD_INPUT,
                            "'%.60s' is no list of copies; write numbers from 0 to %zu and ranges, as in 0,3,10-12, or "
                            "all",
                            w->copies->written, count - 1);
        for (size_t i = range[0]; i <= range[1]; i++)
            w->written[i] = true;
        if (*text++ == '\0')
            break;
    }
    return DLS_OK;
}

/* --- initial states --- */

/* A displacement with nv entries: joints of articulations, positions of bodies and of floating bases. */
static void draw_offset(const dls_model *model, gsl_rng *draws, double spread, double *displacement)
{
    const dls_model_counts has = dls_model_count(model);
    for (size_t i = 0; i < has.bodies; i++)
        for (size_t k = 0; k < 3 && dls_model_moves(model, i); k++)
            displacement[dls_model_bodies(model)[i].offset + k] = spread * (2.0 * gsl_rng_uniform(draws) - 1.0);
    for (size_t a = 0; a < has.articulations; a++) {
        const dls_model_articulation *articulation = &dls_model_articulations(model)[a];
        for (size_t k = 0; k < articulation->tree->nv; k++)
            if (k < 3 || k >= articulation->tree->n_base)
                displacement[articulation->offset + k] = spread * (2.0 * gsl_rng_uniform(draws) - 1.0);
    }
}

static dls_status place_copies(way *w, gsl_rng *draws, double *displacement, dls_state *state, dls_error *error)
{
    const dls_model *model = w->run->model;
    for (size_t copy = 1; copy < w->copies->count; copy++) {
        dls_state_copy(state, dls_model_initial(model));
        draw_offset(model, draws, w->copies->spread, displacement);
        dls_state_advance(model, state, displacement, 1.0);
        dls_configuration_evaluate(w->at, state);
        dls_configuration_measure(w->at, state, 0.0);
        DLS_TRY(dls_check_settle(model, state, error));
        DLS_TRY(dls_batch_set_state(w->batch, copy, state, error));
    }
    return DLS_OK;
}

static dls_status spread(way *w, dls_error *error)
{
    const size_t nv = dls_model_count(w->run->model).nv;
    dls_state *state = NULL;
    if (w->copies->spread == 0.0)
        return DLS_OK;
    double *displacement = calloc(nv + 1, sizeof *displacement);
    gsl_rng *draws = gsl_rng_alloc(gsl_rng_mt19937);
    dls_status status = displacement && draws ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for random numbers");
    if (status == DLS_OK)
        status = dls_state_create(w->run->model, &state, error);
    if (status == DLS_OK) {
        gsl_rng_set(draws, (unsigned long)w->copies->seed);
        status = place_copies(w, draws, displacement, state, error);
    }
    dls_state_destroy(state);
    if (draws)
        gsl_rng_free(draws);
    free(displacement);
    return status;
}

/* --- steps --- */

static void write_copies(way *w)
{
    for (size_t copy = 0; copy < w->copies->count; copy++) {
        const dls_state *state = dls_batch_state(w->batch, copy);
        if (!w->written[copy] || dls_batch_status(w->batch, copy, NULL) != DLS_OK)
            continue;
        dls_configuration_evaluate(w->at, state);
        dls_write_bodies(w->at, state->time, copy, NULL, w->tables[BODIES]);
        if (w->tables[JOINTS])
            dls_write_joints(w->at, state, copy, NULL, w->tables[JOINTS]);
    }
}

/* A copy that fails is left out from then on, and the first of them has its reason in the result. */
static dls_status step_all(way *w, dls_error *error)
{
    const size_t count = dls_step_count(w->run->duration, w->run->step);
    const size_t every =
        w->run->samples && count > w->run->samples ? (count + w->run->samples - 1) / w->run->samples : 1;
    write_copies(w);
    for (size_t k = 0; k < count && !w->result->interrupted && dls_batch_failed(w->batch) < w->copies->count; k++) {
        dls_error why;
        const size_t failed = dls_batch_failed(w->batch);
        const double start = dls_wall_clock();
        const dls_status status = dls_batch_step(w->batch, w->run->step, &why);
        w->result->seconds += dls_wall_clock() - start;
        if (status != DLS_OK && dls_batch_failed(w->batch) == failed)
            return *error = why, status;
        if (status != DLS_OK && failed == 0)
            snprintf(w->result->reason, sizeof w->result->reason, "step %zu: %.480s", k + 1, why.message);
        w->result->steps++;
        for (size_t copy = 0; copy < w->copies->count; copy++)
            w->result->steps_unsolved += dls_batch_status(w->batch, copy, NULL) == DLS_OK &&
                                         dls_solver_unsolved(w->run->choice.solver, dls_batch_outcome(w->batch, copy));
        w->result->interrupted = k + 1 < count && dls_job_stops(w->job);
        if ((k + 1) % every == 0 || k + 1 == count || w->result->interrupted)
            write_copies(w);
        dls_job_progress(w->job, w->run->stem, (double)(k + 1) / (double)count);
    }
    w->result->failed = dls_batch_failed(w->batch);
    w->result->bytes = dls_batch_size(w->batch);
    return DLS_OK;
}

static void note_copies(const way *w, dls_table *table, const char *columns)
{
    const dls_run *run = w->run;
    dls_table_note(table, "scene", "%s", dls_model_name(run->model));
    dls_table_note(table, "solver", "%s", run->choice.solver->name);
    dls_note_method(run, table);
    dls_table_note(table, "iterations", "%zu, or the scene's where 0", run->iterations);
    dls_table_note(table, "step", "%.17g s", run->step);
    dls_table_note(table, "copies", "%zu, of which are written: %s", w->copies->count, w->copies->written);
    dls_table_note(table, "spread", "%.17g, seed %zu", w->copies->spread, w->copies->seed);
    dls_table_note_fields(table, "world.", &dls_world_fields, dls_model_world(run->model));
    dls_table_columns(table, columns);
}

static dls_status run_tables(way *w, dls_error *error)
{
    const bool wanted[TABLES] = {true, w->result->joints};
    dls_status status = DLS_OK;
    for (int i = 0; i < TABLES && status == DLS_OK; i++) {
        char stem[DLS_NAME_MAX + 32];
        snprintf(stem, sizeof stem, "%s.%s", w->run->stem, kinds[i].suffix);
        if (wanted[i])
            status = dls_job_table(w->job, stem, &w->tables[i], error);
        if (w->tables[i])
            note_copies(w, w->tables[i], kinds[i].columns);
    }
    if (status == DLS_OK)
        status = step_all(w, error);
    return dls_tables_end(w->tables, TABLES, status, error);
}

/* Refuses whatever a batch cannot do, before it begins. */
static dls_status check(const dls_run *run, const dls_copies *copies, dls_error *error)
{
    const char *name = run->choice.solver->name;
    if (copies->count == 0)
        return dls_fail(error, DLS_BAD_INPUT, "no copies; ask for 1 or more");
    if (run->scene && run->scene->n_changes > 0)
        return dls_fail(
            error, DLS_REFUSED,
            "the scene has changes, and copies of a batch are of one model; leave out `changes`, or run the "
            "scene alone");
    if (run->ledger)
        return dls_fail(error, DLS_REFUSED, "a batch keeps no ledger; leave the ledger out, or run the scene alone");
    if (!dls_direct_find(name) && !dls_iterative_find(name))
        return dls_fail(error, DLS_REFUSED,
                        "solver '%s' runs outside this program, one problem at a time; take one that `delassus list "
                        "solvers` has, or run the scene alone",
                        name);
    return DLS_OK;
}

static dls_status open_and_run(way *w, dls_error *error)
{
    const dls_run *run = w->run;
    dls_batch_options options = dls_batch_default();
    options.simulation.solver = run->choice.solver, options.simulation.solver_settings = run->choice.settings;
    options.simulation.scheme = run->scheme, options.simulation.scheme_settings = run->scheme_settings;
    options.simulation.iterations = run->iterations;
    options.simulation.warm = run->warm;
    options.simulation.go_on = run->go_on;
    options.threads = w->copies->threads;
    DLS_TRY(choose_written(w, error));
    DLS_TRY(dls_configuration_create(run->model, &w->at, error));
    DLS_TRY(dls_batch_open(run->model, w->copies->count, &options, &w->batch, error));
    w->result->threads = dls_batch_threads(w->batch);
    DLS_TRY(spread(w, error));
    return run_tables(w, error);
}

dls_status dls_run_copies(const dls_job *job, const dls_run *run, const dls_copies *copies, dls_copies_result *result,
                          dls_error *error)
{
    way w = {.job = job, .run = run, .copies = copies, .result = result};
    *result = (dls_copies_result){.joints = dls_has_coordinates(run->model)};
    DLS_TRY(check(run, copies, error));
    const dls_status status = open_and_run(&w, error);
    dls_batch_close(w.batch);
    dls_configuration_destroy(w.at);
    free(w.written);
    return status;
}
