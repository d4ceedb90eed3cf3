/* A run of steps: poses and velocities of every body and link, joint coordinates, energies, joint errors and the
 * examiner's residual of every step; how far bodies on tracks have come, and the forces of the rails. */
#include "ledger_table.h"

#include "delassus/track.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char trajectory_columns[] = "time[s]\tbody\tx[m]\ty[m]\tz[m]\tqw\tqx\tqy\tqz\tvx[m/s]\tvy[m/s]\tvz[m/s]"
                                         "\twx[rad/s]\twy[rad/s]\twz[rad/s]";
static const char energy_columns[] =
    "time[s]\tkinetic[J]\tpotential[J]\ttotal[J]\tjoint_error[m]\tjoint_error[rad]\tpenetration[m]"
    "\trows\tcontacts\titerations\toutcome\tscaled_residual";

static const char joint_columns[] = "time[s]\tjoint\tq[rad|m]\tqd[rad/s|m/s]";

static const char track_columns[] =
    "time[s]\tjoint\ts[m]\tspeed[m/s]\toff_N[m]\toff_B[m]\tlateral[N]\tsupport[N]\troll[N m]"
    "\tpitch[N m]\tyaw[N m]\tdrive[N]\tstop[N]\treleased_at[s]";

enum { BODIES, ENERGIES, JOINTS, TRACKS, LEDGER, LEDGER_JOINTS, TABLES };
static const char *const suffixes[TABLES] = {"trajectory", "energy", "joints", "tracks", "ledger", "ledger-joints"};
static const char *const table_columns[TABLES] = {trajectory_columns, energy_columns,     joint_columns,
                                                  track_columns,      DLS_LEDGER_COLUMNS, DLS_LEDGER_JOINT_COLUMNS};

/* Bodies, then links, of those that can move. */
static void write_bodies(const dls_model *model, const dls_state *state, dls_table *table)
{
    char name[2 * DLS_NAME_MAX];
    for (size_t i = 0; i < model->n_ends; i++) {
        if (!dls_model_moves(model, i))
            continue;
        dls_end end = dls_model_seen(model, state, state->look, i);
        const double values[] = {end.x.x, end.x.y, end.x.z, end.q.w,     end.q.x,     end.q.y,    end.q.z,
                                 end.v.x, end.v.y, end.v.z, end.omega.x, end.omega.y, end.omega.z};
        dls_model_end_name(model, i, name, sizeof name);
        dls_table_real(table, state->time);
        dls_table_text(table, name);
        for (size_t k = 0; k < sizeof values / sizeof values[0]; k++)
            dls_table_real(table, values[k]);
        dls_table_end_row(table);
    }
}

static void write_joint(double time, const char *name, double q, double qd, dls_table *table)
{
    dls_table_real(table, time);
    dls_table_text(table, name);
    dls_table_real(table, q);
    dls_table_real(table, qd);
    dls_table_end_row(table);
}

static bool has_coordinates(const dls_model *model)
{
    bool any = model->n_measured > 0;
    for (size_t a = 0; a < model->n_members; a++)
        for (size_t k = 0; k < model->members[a].tree->nv; k++)
            any = any || dls_articulation_coordinate(model->members[a].tree, k) != DLS_NONE;
    return any;
}

/* Whole angles and travels: of articulations, then of the hinges and sliders that others are coupled to. */
static void write_joints(const dls_model *model, const dls_state *state, dls_table *table)
{
    char dof[2 * DLS_NAME_MAX], name[4 * DLS_NAME_MAX];
    for (size_t a = 0; a < model->n_members; a++) {
        const dls_member *member = &model->members[a];
        for (size_t k = 0; k < member->tree->nv; k++) {
            size_t at = dls_articulation_coordinate(member->tree, k);
            if (at == DLS_NONE)
                continue;
            const dls_articulation_state *own = &state->members[a];
            dls_articulation_dof_name(member->tree, k, dof, sizeof dof);
            snprintf(name, sizeof name, "%s.%s", member->tree->name, dof);
            write_joint(state->time, name, own->q[at] + 4.0 * DLS_PI * (double)own->wraps[at],
                        state->v[member->offset + k], table);
        }
    }
    for (size_t j = 0; j < model->n_joints; j++)
        if (model->joints[j].measured)
            write_joint(state->time, model->joints[j].name, state->measured[j],
                        dls_model_rate(model, state, &model->joints[j]), table);
}

static void write_state(const dls_model *model, const dls_state *state, dls_table *const *tables)
{
    dls_model_look(model, state);
    write_bodies(model, state, tables[BODIES]);
    if (tables[JOINTS])
        write_joints(model, state, tables[JOINTS]);
}

/* Where bodies on tracks are after a step, and the forces in it. */
static void write_tracks(const dls_stepper *s, dls_table *table)
{
    for (size_t j = 0; j < s->model->n_joints; j++) {
        const dls_joint *joint = &s->model->joints[j];
        if (!joint->track)
            continue;
        dls_end end[2];
        dls_model_ends(s->model, s->state, s->state->look, joint, end);
        dls_track_ride ride = dls_track_ride_of(joint, end);
        dls_track_forces f = dls_track_forces_of(s->problem, s->lambda, j);
        const double values[] = {ride.s,    ride.speed, ride.off.y, ride.off.z,
                                 f.lateral, f.support,  f.roll,     f.pitch,
                                 f.yaw,     f.drive,    f.stop,     ride.released ? ride.released_at : NAN};
        dls_table_real(table, s->state->time);
        dls_table_text(table, joint->name);
        for (size_t k = 0; k < sizeof values / sizeof values[0]; k++)
            dls_table_real(table, values[k]);
        dls_table_end_row(table);
    }
}

/* The deepest contact that collision detection found for the step. */
static double penetration(const dls_contacts *contacts)
{
    double depth = 0.0;
    for (size_t k = 0; k < contacts->count; k++)
        depth = fmax(depth, -contacts->at[k].gap);
    return depth;
}

/* A line about a step: `state` is that before it, with the errors its problem saw, beside how its solve ended. */
static void write_energy(const dls_stepper *s, const dls_state *before, double residual, dls_table *table,
                         dls_run_result *result)
{
    double linear, angular, kinetic = dls_kinetic_energy(s->model, before),
                            potential = dls_potential_energy(s->model, before);
    dls_joint_errors(s->model, before, &linear, &angular);
    result->worst_linear = fmax(result->worst_linear, linear);
    result->worst_angular = fmax(result->worst_angular, angular);
    result->energy_end = kinetic + potential;
    if (!table)
        return;
    const double values[] = {
        before->time, kinetic, potential, kinetic + potential, linear, angular, penetration(&s->contacts)};
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++)
        dls_table_real(table, values[k]);
    dls_table_count(table, s->problem->n);
    dls_table_count(table, s->contacts.count);
    dls_table_count(table, s->report.iterations);
    dls_table_text(table, dls_outcome_text(s->report.outcome));
    dls_table_real(table, residual);
    dls_table_end_row(table);
}

static dls_status examine_step(const dls_stepper *s, double *residual, dls_error *error)
{
    dls_examiner *examiner;
    dls_certificate certificate;
    DLS_TRY(dls_examiner_create(s->problem, &examiner, error));
    dls_examine(examiner, s->lambda, NULL, &certificate);
    dls_examiner_destroy(examiner);
    *residual = certificate.scaled_residual;
    return DLS_OK;
}

static void note_ledger(const dls_stepper *s, bool sample, dls_table *const *tables, dls_run_result *result)
{
    if (!s->ledger)
        return;
    result->worst_mismatch = fmax(result->worst_mismatch, dls_ledger_mismatch(s->ledger));
    if (sample)
        dls_ledger_write(s->model, s->ledger, s->state->time, tables[LEDGER], tables[LEDGER_JOINTS]);
}

static dls_status steps(const dls_job *job, const dls_run *run, dls_stepper *s, dls_state *before,
                        dls_table *const *tables, dls_run_result *result, dls_error *error)
{
    size_t count = (size_t)ceil(run->duration / run->step - 1e-9);
    size_t every = run->samples && count > run->samples ? (count + run->samples - 1) / run->samples : 1;
    result->energy_start = dls_kinetic_energy(run->model, s->state) + dls_potential_energy(run->model, s->state);
    write_state(run->model, s->state, tables);
    for (size_t k = 0; k < count; k++) {
        double residual;
        dls_state_copy(before, s->state);
        DLS_TRY(run->scheme->step(s, run->scheme_settings, run->step, error));
        DLS_TRY(examine_step(s, &residual, error));
        result->steps++;
        result->steps_unsolved +=
            run->choice.solver->kind == DLS_SOLVER_DIRECT && s->report.outcome != DLS_OUTCOME_SOLVED;
        result->worst_residual = fmax(result->worst_residual, residual);
        bool sample = k % every == 0;
        write_energy(s, before, residual, sample ? tables[ENERGIES] : NULL, result);
        note_ledger(s, sample, tables, result);
        if ((k + 1) % every == 0 || k + 1 == count) {
            write_state(run->model, s->state, tables);
            if (tables[TRACKS])
                write_tracks(s, tables[TRACKS]);
        }
        dls_job_progress(job, run->stem, (double)(k + 1) / (double)count);
    }
    result->energy_end = dls_kinetic_energy(run->model, s->state) + dls_potential_energy(run->model, s->state);
    return DLS_OK;
}

static void note_run(const dls_run *run, dls_table *table, const char *columns)
{
    dls_table_note(table, "scene", "%s", run->model->name);
    dls_table_note(table, "solver", "%s, at most %zu iterations a step", run->choice.solver->name, run->iterations);
    dls_table_note_fields(table, "solver.", &run->choice.solver->fields, run->choice.settings);
    dls_table_note(table, "scheme", "%s", run->scheme->name);
    dls_table_note_fields(table, "scheme.", &run->scheme->fields, run->scheme_settings);
    dls_table_note_fields(table, "warm.", &dls_warm_fields, &run->warm);
    dls_table_note(table, "step", "%.17g s", run->step);
    dls_table_note_fields(table, "world.", &dls_world_fields, &run->model->world);
    dls_table_columns(table, columns);
}

static dls_status plot_energy(const dls_job *job, const dls_run *run, const char *stem, dls_error *error)
{
    char table[DLS_PATH_MAX], title[2 * DLS_NAME_MAX + 64], caption[512];
    DLS_TRY(dls_job_path(job, stem, "tsv", table, error));
    snprintf(title, sizeof title, "%s: %s, h = %g s", run->model->name, run->choice.solver->name, run->step);
    snprintf(
        caption, sizeof caption,
        "Energy change and joint error of the scene %s under %s (at most %zu iterations a step, h = %g s, scheme %s).",
        run->model->name, run->choice.solver->name, run->iterations, run->step, run->scheme->name);
    const char *const variables[] = {"title", title, NULL};
    return dls_plot(job, "energy", table, stem, caption, variables, error);
}

static dls_status open_table(const dls_job *job, const dls_run *run, int which, dls_table **table, dls_error *error)
{
    char stem[DLS_NAME_MAX + 32];
    snprintf(stem, sizeof stem, "%s.%s", run->stem, suffixes[which]);
    DLS_TRY(dls_job_table(job, stem, table, error));
    note_run(run, *table, table_columns[which]);
    return DLS_OK;
}

/* All tables or none: the first that fails takes the ones behind it with it. */
static dls_status close_tables(dls_status status, dls_table **tables, dls_error *error)
{
    for (int i = 0; i < TABLES; i++) {
        if (status == DLS_OK && tables[i])
            status = dls_table_commit(tables[i], error);
        else
            dls_table_abandon(tables[i]);
    }
    return status;
}

static dls_status run_tables(const dls_job *job, const dls_run *run, dls_stepper *s, dls_state *before,
                             dls_run_result *result, dls_error *error)
{
    dls_table *tables[TABLES] = {NULL};
    dls_status status = DLS_OK;
    result->joints = has_coordinates(run->model);
    for (int i = 0; i < TABLES && status == DLS_OK; i++)
        if (i == JOINTS ? result->joints : i == TRACKS ? run->model->n_tracks > 0 : i < LEDGER || run->ledger)
            status = open_table(job, run, i, &tables[i], error);
    if (status == DLS_OK)
        status = steps(job, run, s, before, tables, result, error);
    return close_tables(status, tables, error);
}

dls_status dls_trajectory(const dls_job *job, const dls_run *run, dls_run_result *result, dls_error *error)
{
    char stem[DLS_NAME_MAX + 32];
    dls_stepper *s = NULL;
    dls_state *before = NULL;
    memset(result, 0, sizeof *result);
    snprintf(stem, sizeof stem, "%s.energy", run->stem);
    dls_status status =
        dls_stepper_create(run->model, run->choice.solver, run->choice.settings, run->iterations, &s, error);
    if (status == DLS_OK) {
        s->warm = run->warm;
        status = dls_state_create(run->model, &before, error);
    }
    if (status == DLS_OK && run->ledger)
        status = dls_stepper_keep_ledger(s, error);
    if (status == DLS_OK)
        status = run_tables(job, run, s, before, result, error);
    dls_state_destroy(before);
    dls_stepper_destroy(s);
    return status == DLS_OK ? plot_energy(job, run, stem, error) : status;
}
