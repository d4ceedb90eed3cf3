/* The motion of a scene in continuous time, in tables: a reference trajectory across its events, beside the same
 * trajectory with a hundred times the tolerance. Where the error follows the tolerance, their distance is the error of
 * the second, and a hundred times that of the first: an estimate that is on the safe side, and no bound. */
#include "run.h"

#include "delassus/reference.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>

enum { BODIES, JOINTS, ROWS, EVENTS, ENERGY, TABLES };
static const struct {
    const char *suffix, *columns;
} kinds[TABLES] = {[BODIES] = {"motion", "time[s]\t" DLS_BODY_COLUMNS},
                   [JOINTS] = {"motion-joints", "time[s]\t" DLS_JOINT_COLUMNS},
                   [ROWS] = {"motion-rows", "time[s]\towner\trow\tmode\tC[m|rad]\tspeed[m/s|rad/s]\tforce[N|N m]"},
                   [EVENTS] = {"motion-events", "time[s]\tevent\towner\trow\tspeed[m/s|rad/s]"},
                   [ENERGY] = {"motion-energy", "time[s]\tkinetic[J]\tpotential[J]\ttotal[J]\tdistance[m|rad]"
                                                "\tdistance_of_speed[m/s|rad/s]\tevents"}};
static const double coarser = 100.0;

typedef struct moving {
    const dls_reference_motion *motion;
    dls_trajectory *exact[2]; /* and with the larger tolerance */
    dls_state *state[2];
    dls_configuration *at[2];
    dls_trajectory_force *rows;
    size_t n_rows, written; /* events */
    dls_table *tables[TABLES];
    dls_arena memory;
} moving;

static double angle_between(dls_quat a, dls_quat b)
{
    return dls_norm(dls_quat_log(dls_quat_mul(dls_quat_conj(a), b)));
}

/* The largest distance of an end in both motions. */
static void compare_ends(const moving *m, double *position, double *velocity)
{
    *position = *velocity = 0.0;
    for (size_t i = 0; i < dls_model_count(m->motion->model).ends; i++) {
        if (!dls_model_moves(m->motion->model, i))
            continue;
        const dls_end a = dls_configuration_end(m->at[0], i), b = dls_configuration_end(m->at[1], i);
        *position = fmax(*position, fmax(dls_norm(dls_sub(a.x, b.x)), angle_between(a.q, b.q)));
        *velocity = fmax(*velocity, fmax(dls_norm(dls_sub(a.v, b.v)), dls_norm(dls_sub(a.omega, b.omega))));
    }
}

static void write_events(moving *m)
{
    char name[3 * DLS_NAME_MAX];
    size_t count;
    const dls_trajectory_event *event = dls_trajectory_events(m->exact[0], &count);
    for (; m->written < count; m->written++) {
        const dls_trajectory_event *one = &event[m->written];
        dls_trajectory_owner_name(m->exact[0], one->owner, name, sizeof name);
        dls_table_row(m->tables[EVENTS], "%g %s %s %s %g", one->time, dls_trajectory_event_names[one->kind], name,
                      one->label, one->speed);
    }
}

static void write_sample(moving *m, dls_reference_motion_result *result)
{
    char name[3 * DLS_NAME_MAX];
    const double time = m->state[0]->time;
    double position, velocity;
    for (int k = 0; k < 2; k++)
        dls_configuration_evaluate(m->at[k], m->state[k]);
    compare_ends(m, &position, &velocity);
    result->position = fmax(result->position, position), result->velocity = fmax(result->velocity, velocity);
    dls_write_bodies(m->at[0], time, DLS_NONE, NULL, m->tables[BODIES]);
    if (m->tables[JOINTS])
        dls_write_joints(m->at[0], m->state[0], DLS_NONE, NULL, m->tables[JOINTS]);
    dls_trajectory_forces(m->exact[0], m->rows);
    for (size_t i = 0; i < m->n_rows; i++) {
        dls_trajectory_owner_name(m->exact[0], m->rows[i].owner, name, sizeof name);
        dls_table_row(m->tables[ROWS], "%g %s %s %s %g %g %g", time, name, m->rows[i].label, m->rows[i].mode,
                      m->rows[i].C, m->rows[i].speed, m->rows[i].force);
    }
    write_events(m);
    const double kinetic = dls_kinetic_energy(m->at[0]), potential = dls_potential_energy(m->at[0]);
    dls_table_row(m->tables[ENERGY], "%g %g %g %g %g %g %zu", time, kinetic, potential, kinetic + potential, position,
                  velocity, m->written);
    result->reached = time;
    result->energy_end = kinetic + potential;
}

static dls_status open_motion(moving *m, const dls_job *job, dls_error *error)
{
    const dls_model *model = m->motion->model;
    for (int k = 0; k < 2; k++) {
        dls_trajectory_settings settings = dls_trajectory_default();
        settings.events = true;
        settings.project_start = m->motion->from_closed;
        settings.tolerance = fmin(1e-3, m->motion->tolerance * (k ? coarser : 1.0));
        DLS_TRY(dls_trajectory_create(model, dls_model_initial(model), &settings, &m->exact[k], error));
        DLS_TRY(dls_state_create(model, &m->state[k], error));
        DLS_TRY(dls_configuration_create(model, &m->at[k], error));
        DLS_TRY(dls_trajectory_advance(m->exact[k], dls_model_initial(model)->time, m->state[k], error));
    }
    m->n_rows = dls_trajectory_forces(m->exact[0], NULL);
    m->rows = DLS_TAKE_ZEROS(&m->memory, dls_trajectory_force, m->n_rows);
    if (m->memory.failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the forces of %zu rows", m->n_rows);
    for (int k = 0; k < TABLES; k++) {
        char stem[DLS_PATH_MAX];
        if (k == JOINTS && !dls_has_coordinates(model))
            continue;
        snprintf(stem, sizeof stem, "%s.%s", m->motion->stem, kinds[k].suffix);
        DLS_TRY(dls_job_table(job, stem, &m->tables[k], error));
        dls_table_note(m->tables[k], "scene", "%s", dls_model_name(model));
        dls_table_note(m->tables[k], "tolerance", "%.17g, and %g times this beside it", m->motion->tolerance, coarser);
        dls_table_columns(m->tables[k], kinds[k].columns);
    }
    return DLS_OK;
}

static dls_status write_motion(moving *m, const dls_job *job, dls_reference_motion_result *result, dls_error *error)
{
    const dls_reference_motion *motion = m->motion;
    const double start = dls_model_initial(motion->model)->time;
    DLS_TRY(open_motion(m, job, error));
    write_sample(m, result);
    result->energy_start = result->energy_end;
    for (size_t i = 1; i <= motion->samples && result->end.status == DLS_OK && !dls_job_stops(job); i++) {
        const double time = start + motion->duration * (double)i / (double)motion->samples;
        for (int k = 0; k < 2 && result->end.status == DLS_OK; k++)
            dls_trajectory_advance(m->exact[k], time, m->state[k], &result->end);
        if (result->end.status == DLS_NO_MEMORY) {
            *error = result->end;
            return error->status;
        }
        if (result->end.status == DLS_OK)
            write_sample(m, result);
        else
            write_events(m);
        dls_job_progress(job, motion->stem, (double)i / (double)motion->samples);
    }
    result->report = dls_trajectory_reported(m->exact[0]);
    result->events = m->written;
    result->joints = m->tables[JOINTS] != NULL;
    return DLS_OK;
}

dls_status dls_reference_motion_write(const dls_job *job, const dls_reference_motion *motion,
                                      dls_reference_motion_result *result, dls_error *error)
{
    moving m = {.motion = motion};
    dls_error unheard;
    *result = (dls_reference_motion_result){0};
    dls_status status = write_motion(&m, job, result, error ? error : &unheard);
    status = dls_tables_end(m.tables, TABLES, status, error);
    for (int k = 0; k < 2; k++) {
        dls_trajectory_destroy(m.exact[k]);
        dls_state_destroy(m.state[k]);
        dls_configuration_destroy(m.at[k]);
    }
    dls_arena_release(&m.memory);
    return status;
}
