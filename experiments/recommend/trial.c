/* One run, its distance from the truth, and its cost.
 *
 * COST. Time differs from run to run, and the answer must not. Row visits of the solver (dls_report) are the same in
 * every run, but most of a step is no visit: with 30 rows a step that assembles its problem once takes as long as 20
 * visits to each row before the first sweep (a chain of ten balls, 0.33 us a row and 15 ns a visit), so that ten steps
 * with one sweep cost more than one step with ten. The work of a run counts all of it in row visits:
 *
 *     visits of the solver          by its own count; n^3 / 144 for a dense factorisation of n rows, 48 operations each
 *     20 n                          a problem of n rows that is assembled, by the scheme or for a correction
 *     150 + 3 n^2                   a direct solve, and its dense matrix, if it needs one
 *     6 n                           rows that get another C between two iterations
 *     40 n                          a sweep of the scheme itself, which evaluates each row again
 *     20 m                          a step or substep of m bodies and articulations
 *
 * The weights are those of one machine and one scene, rounded: work is in proportion to time within a factor of about
 * 2, and the table has both. */
#include "parts.h"

#include "study/rig.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const recommend_fates[] = {"missed", "held", "lucky", "holds", "unsolved", "diverged", "refused", NULL};

static const double assembled = 20.0, direct = 150.0, dense = 3.0, evaluated = 6.0, swept = 40.0, moved = 20.0;

static const dls_method *method_of(const dls_scheme *scheme)
{
    for (const dls_method *method = dls_methods; method->name; method++)
        if (strcmp(method->scheme, scheme->name) == 0)
            return method;
    return NULL;
}

bool recommend_solves(const dls_scheme *scheme)
{
    const dls_method *method = method_of(scheme);
    return method && method->solves;
}

/* A run on its way. */
typedef struct running {
    const recommend_truth *truth;
    recommend_trial *trial;
    dls_spy spy;
    dls_settings scheme_settings;
    dls_simulation *simulation;
    size_t sweeps; /* of the scheme over the rows, per step or per own iteration */
    double own;    /* visits of these so far, and of moving the bodies */
} running;

/* The fate of a run is told by what prevents it. */
static dls_status note_fate(recommend_trial *trial, recommend_fate fate, dls_status status, dls_error *why,
                            dls_error *error)
{
    if (status == DLS_NO_MEMORY) {
        if (error)
            *error = *why;
        return status;
    }
    trial->fate = fate;
    snprintf(trial->reason, sizeof trial->reason, "%s", why->message);
    return DLS_OK;
}

static dls_status open_run(running *r, dls_error *error)
{
    recommend_trial *trial = r->trial;
    dls_simulation_options options = dls_simulation_default();
    dls_spy_set(&r->spy, trial->choice);
    DLS_TRY(dls_settings_create(&trial->scheme->fields, &r->scheme_settings, error));
    options.solver = &r->spy.solver, options.solver_settings = &r->spy.self;
    options.scheme = trial->scheme, options.scheme_settings = r->scheme_settings.values;
    options.iterations = trial->iterations;
    DLS_TRY(dls_fields_default(&dls_warm_fields, &options.warm, error));
    DLS_TRY(dls_simulation_open(r->truth->model, &options, &r->simulation, error));
    if (trial->iterations > 0)
        trial->iterations = dls_simulation_iterations(r->simulation).position;
    const dls_field *sweeps = dls_field_find(&trial->scheme->fields, "sweeps");
    r->sweeps = recommend_solves(trial->scheme) ? 1 : 0;
    if (sweeps && sweeps->kind == DLS_FIELD_COUNT)
        memcpy(&r->sweeps, (const char *)r->scheme_settings.values + sweeps->offset, sizeof r->sweeps);
    return DLS_OK;
}

static void count_step(running *r, size_t solves)
{
    const double n = (double)dls_simulation_rows(r->simulation)->n;
    const bool own = recommend_solves(r->trial->scheme);
    const double iterations = own ? (double)dls_simulation_report(r->simulation)->iterations : 1.0;
    const double parts = own ? iterations : (double)(solves > 0 ? solves : 1);
    r->own +=
        swept * iterations * (double)r->sweeps * n + moved * parts * (double)dls_model_count(r->truth->model).blocks;
    const dls_solver *solver = r->trial->choice.solver;
    if (solver->kind == DLS_SOLVER_DIRECT)
        r->own += (double)solves * (direct + (solver->accepts & DLS_LARGE ? 0.0 : dense * n * n));
}

static double work_of(const running *r)
{
    return r->own + r->spy.visits + assembled * (double)r->spy.rows_loaded + evaluated * (double)r->spy.rows_refreshed;
}

/* A refusal after the first step is of a problem that the run itself has made, such as one with a NaN. */
static recommend_fate fate_of(dls_status status, bool first)
{
    const bool refused = status == DLS_REFUSED || status == DLS_BAD_ARGUMENT || status == DLS_BAD_INPUT;
    return refused && first                      ? RECOMMEND_REFUSED
           : refused || status == DLS_NOT_FINITE ? RECOMMEND_DIVERGED
                                                 : RECOMMEND_UNSOLVED;
}

static dls_status step_through(running *r, recommend_place *keep, recommend_place *here, dls_error *error)
{
    const recommend_truth *truth = r->truth;
    recommend_trial *trial = r->trial;
    const size_t steps = (size_t)RECOMMEND_COARSEST << trial->level;
    const size_t every = steps > RECOMMEND_TIMES ? steps / RECOMMEND_TIMES : 1, apart = RECOMMEND_TIMES * every / steps;
    double most = 0.0, end = 0.0;
    for (size_t k = 1; k <= steps; k++) {
        dls_error why;
        const size_t solves = r->spy.solves;
        const double before = dls_seconds();
        const dls_status status = dls_simulation_step(r->simulation, trial->step, &why);
        trial->seconds += dls_seconds() - before;
        if (status != DLS_OK)
            return note_fate(trial, fate_of(status, k == 1), status, &why, error);
        count_step(r, r->spy.solves - solves);
        if (k % every != 0)
            continue;
        const size_t sample = (k / every * apart - 1) * truth->count;
        recommend_place *places = keep ? keep + sample : here;
        recommend_keep_places(truth, dls_simulation_configuration(r->simulation), places);
        if (!keep)
            most = fmax(most, end = recommend_distance(truth, places, truth->at + sample));
    }
    trial->most = most, trial->end = end;
    return DLS_OK;
}

dls_status recommend_try(const recommend_truth *truth, recommend_trial *trial, recommend_place *keep, dls_error *error)
{
    running r = {.truth = truth, .trial = trial};
    dls_error why;
    trial->step = truth->duration / (double)((size_t)RECOMMEND_COARSEST << trial->level);
    trial->most = trial->end = NAN;
    trial->seconds = trial->work = 0.0;
    trial->fate = RECOMMEND_MISSED;
    recommend_place *here = calloc(truth->count + 1, sizeof *here);
    dls_status status = here ? open_run(&r, &why) : dls_fail(&why, DLS_NO_MEMORY, "no memory for a run");
    status = status == DLS_OK ? step_through(&r, keep, here, error)
                              : note_fate(trial, RECOMMEND_REFUSED, status, &why, error);
    trial->work = work_of(&r);
    free(here);
    dls_simulation_close(r.simulation);
    dls_settings_release(&r.scheme_settings);
    dls_spy_release(&r.spy);
    return status;
}
