/* The motion of a scene in continuous time: a reference trajectory across its events, beside the same trajectory with a
 * hundred times the tolerance. Where the error follows the tolerance, their distance is the error of the second, and a
 * hundred times that of the first: an estimate that is on the safe side, and no bound. */
#include "run.h"

#include "delassus/reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double coarser = 100.0;

/* --- following --- */

typedef struct follower {
    const dls_reference_motion *motion;
    dls_trajectory *exact[2]; /* and with the larger tolerance */
    dls_state *state[2];
    dls_configuration *at[2];
} follower;

static double angle_between(dls_quat a, dls_quat b)
{
    return dls_norm(dls_quat_log(dls_quat_mul(dls_quat_conj(a), b)));
}

/* The largest distance of an end in both motions. */
static void compare_ends(const follower *f, double *position, double *velocity)
{
    *position = *velocity = 0.0;
    for (size_t i = 0; i < dls_model_count(f->motion->model).ends; i++) {
        if (!dls_model_moves(f->motion->model, i))
            continue;
        const dls_end a = dls_configuration_end(f->at[0], i), b = dls_configuration_end(f->at[1], i);
        *position = fmax(*position, fmax(dls_norm(dls_sub(a.x, b.x)), angle_between(a.q, b.q)));
        *velocity = fmax(*velocity, fmax(dls_norm(dls_sub(a.v, b.v)), dls_norm(dls_sub(a.omega, b.omega))));
    }
}

static dls_reference_sample take_sample(const follower *f, dls_reference_motion_result *result)
{
    dls_reference_sample sample = {.state = f->state[0], .at = f->at[0], .exact = f->exact[0]};
    for (int k = 0; k < 2; k++)
        dls_configuration_evaluate(f->at[k], f->state[k]);
    compare_ends(f, &sample.position, &sample.velocity);
    sample.kinetic = dls_kinetic_energy(f->at[0]), sample.potential = dls_potential_energy(f->at[0]);
    result->position = fmax(result->position, sample.position);
    result->velocity = fmax(result->velocity, sample.velocity);
    result->reached = f->state[0]->time;
    result->energy_end = sample.kinetic + sample.potential;
    return sample;
}

static dls_status open_follower(follower *f, dls_error *error)
{
    const dls_model *model = f->motion->model;
    for (int k = 0; k < 2; k++) {
        dls_trajectory_settings settings = dls_trajectory_default();
        settings.events = true;
        settings.project_start = f->motion->project;
        settings.tolerance = k ? fmin(1e-3, f->motion->tolerance * coarser) : f->motion->tolerance;
        DLS_TRY(dls_trajectory_create(model, dls_model_initial(model), &settings, &f->exact[k], error));
        DLS_TRY(dls_state_create(model, &f->state[k], error));
        DLS_TRY(dls_configuration_create(model, &f->at[k], error));
        DLS_TRY(dls_trajectory_advance(f->exact[k], dls_model_initial(model)->time, f->state[k], error));
    }
    return DLS_OK;
}

static double sample_time(const dls_reference_motion *motion, size_t i)
{
    return dls_model_initial(motion->model)->time +
           (motion->times ? motion->times[i] : motion->duration * (double)(i + 1) / (double)motion->samples);
}

static dls_status follow(follower *f, bool (*visit)(void *, const dls_reference_sample *), void *context,
                         dls_reference_motion_result *result, dls_error *error)
{
    DLS_TRY(open_follower(f, error));
    dls_reference_sample sample = take_sample(f, result);
    result->energy_start = result->energy_end;
    bool goes_on = visit(context, &sample);
    for (size_t i = 0; i < f->motion->samples && goes_on; i++) {
        for (int k = 0; k < 2 && result->end.status == DLS_OK; k++)
            dls_trajectory_advance(f->exact[k], sample_time(f->motion, i), f->state[k], &result->end);
        if (result->end.status == DLS_NO_MEMORY || result->end.status == DLS_BAD_ARGUMENT) {
            *error = result->end;
            return error->status;
        }
        sample = result->end.status == DLS_OK ? take_sample(f, result) : (dls_reference_sample){.exact = f->exact[0]};
        goes_on = visit(context, &sample) && sample.state;
    }
    result->report = dls_trajectory_reported(f->exact[0]);
    dls_trajectory_events(f->exact[0], &result->events);
    result->joints = dls_has_coordinates(f->motion->model);
    return DLS_OK;
}

dls_status dls_reference_motion_follow(const dls_reference_motion *motion,
                                       bool (*visit)(void *context, const dls_reference_sample *sample), void *context,
                                       dls_reference_motion_result *result, dls_error *error)
{
    follower f = {.motion = motion};
    dls_error unheard;
    *result = (dls_reference_motion_result){0};
    const dls_status status = follow(&f, visit, context, result, error ? error : &unheard);
    for (int k = 0; k < 2; k++) {
        dls_trajectory_destroy(f.exact[k]);
        dls_state_destroy(f.state[k]);
        dls_configuration_destroy(f.at[k]);
    }
    return status;
}

/* --- tables --- */

enum { BODIES, JOINTS, ROWS, EVENTS, ENERGY, TABLES };
static const struct {
    const char *suffix, *columns;
} kinds[TABLES] = {[BODIES] = {"motion", "time[s]\t" DLS_BODY_COLUMNS},
                   [JOINTS] = {"motion-joints", "time[s]\t" DLS_JOINT_COLUMNS},
                   [ROWS] = {"motion-rows", "time[s]\towner\trow\tmode\tC[m|rad]\tspeed[m/s|rad/s]\tforce[N|N m]"},
                   [EVENTS] = {"motion-events", "time[s]\tevent\towner\trow\tspeed[m/s|rad/s]"},
                   [ENERGY] = {"motion-energy", "time[s]\tkinetic[J]\tpotential[J]\ttotal[J]\tdistance[m|rad]"
                                                "\tdistance_of_speed[m/s|rad/s]\tevents"}};

typedef struct writer {
    const dls_job *job;
    const dls_reference_motion *motion;
    dls_table *tables[TABLES];
    dls_trajectory_force *rows;
    size_t events, samples; /* written */
    bool no_memory;
} writer;

static void write_events(writer *w, const dls_trajectory *exact)
{
    char name[3 * DLS_NAME_MAX];
    size_t count;
    const dls_trajectory_event *event = dls_trajectory_events(exact, &count);
    for (; w->events < count; w->events++) {
        const dls_trajectory_event *one = &event[w->events];
        dls_trajectory_owner_name(exact, one->owner, name, sizeof name);
        dls_table_row(w->tables[EVENTS], "%g %s %s %s %g", one->time, dls_trajectory_event_names[one->kind], name,
                      one->label, one->speed);
    }
}

static void write_forces(writer *w, const dls_reference_sample *sample)
{
    char name[3 * DLS_NAME_MAX];
    const size_t n = dls_trajectory_forces(sample->exact, w->rows);
    for (size_t i = 0; i < n; i++) {
        const dls_trajectory_force *row = &w->rows[i];
        dls_trajectory_owner_name(sample->exact, row->owner, name, sizeof name);
        dls_table_row(w->tables[ROWS], "%g %s %s %s %g %g %g", sample->state->time, name, row->label, row->mode, row->C,
                      row->speed, row->force);
    }
}

static bool write_sample(void *context, const dls_reference_sample *sample)
{
    writer *w = context;
    write_events(w, sample->exact);
    if (!sample->state)
        return false;
    if (!w->rows)
        w->rows = calloc(dls_trajectory_forces(sample->exact, NULL) + 1, sizeof *w->rows);
    if (!w->rows)
        return w->no_memory = true, false;
    const double time = sample->state->time;
    dls_write_bodies(sample->at, time, DLS_NONE, NULL, w->tables[BODIES]);
    if (w->tables[JOINTS])
        dls_write_joints(sample->at, sample->state, DLS_NONE, NULL, w->tables[JOINTS]);
    write_forces(w, sample);
    dls_table_row(w->tables[ENERGY], "%g %g %g %g %g %g %zu", time, sample->kinetic, sample->potential,
                  sample->kinetic + sample->potential, sample->position, sample->velocity, w->events);
    dls_job_progress(w->job, w->motion->stem, (double)w->samples++ / (double)w->motion->samples);
    return !dls_job_stops(w->job);
}

static dls_status open_tables(writer *w, dls_error *error)
{
    const dls_model *model = w->motion->model;
    for (int k = 0; k < TABLES; k++) {
        char stem[DLS_PATH_MAX];
        if (k == JOINTS && !dls_has_coordinates(model))
            continue;
        snprintf(stem, sizeof stem, "%s.%s", w->motion->stem, kinds[k].suffix);
        DLS_TRY(dls_job_table(w->job, stem, &w->tables[k], error));
        dls_table_note(w->tables[k], "scene", "%s", dls_model_name(model));
        dls_table_note(w->tables[k], "tolerance", "%.17g, and %g times this beside it", w->motion->tolerance, coarser);
        dls_table_columns(w->tables[k], kinds[k].columns);
    }
    return DLS_OK;
}

dls_status dls_reference_motion_write(const dls_job *job, const dls_reference_motion *motion,
                                      dls_reference_motion_result *result, dls_error *error)
{
    writer w = {.job = job, .motion = motion};
    dls_status status = open_tables(&w, error);
    if (status == DLS_OK)
        status = dls_reference_motion_follow(motion, write_sample, &w, result, error);
    if (status == DLS_OK && w.no_memory)
        status = dls_fail(error, DLS_NO_MEMORY, "no memory for the forces of a motion");
    free(w.rows);
    return dls_tables_end(w.tables, TABLES, status, error);
}
