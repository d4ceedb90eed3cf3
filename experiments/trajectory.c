/* A run of steps: poses and velocities of every body, energies, joint errors and the examiner's residual of every step. */
#include "delassus/experiments.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char trajectory_columns[] = "time[s]\tbody\tx[m]\ty[m]\tz[m]\tqw\tqx\tqy\tqz\tvx[m/s]\tvy[m/s]\tvz[m/s]"
                                         "\twx[rad/s]\twy[rad/s]\twz[rad/s]";
static const char energy_columns[] = "time[s]\tkinetic[J]\tpotential[J]\ttotal[J]\tjoint_error[m]\tjoint_error[rad]\tpenetration[m]"
                                     "\trows\tcontacts\titerations\toutcome\tscaled_residual";

static void write_bodies(const dls_model *model, const dls_state *state, dls_table *table)
{
    for (size_t i = 0; i < model->n_bodies; i++) {
        if (model->bodies[i].offset == DLS_NONE)
            continue;
        dls_end end = dls_model_end(model, state, i);
        const double values[] = {end.x.x, end.x.y, end.x.z, end.q.w, end.q.x, end.q.y, end.q.z,
                                 end.v.x, end.v.y, end.v.z, end.omega.x, end.omega.y, end.omega.z};
        dls_table_real(table, state->time);
        dls_table_text(table, model->bodies[i].name);
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
static void write_energy(const dls_stepper *s, const dls_state *before, double residual, dls_table *table, dls_run_result *result)
{
    double linear, angular, kinetic = dls_kinetic_energy(s->model, before), potential = dls_potential_energy(s->model, before);
    dls_joint_errors(s->model, before, &linear, &angular);
    result->worst_linear = fmax(result->worst_linear, linear);
    result->worst_angular = fmax(result->worst_angular, angular);
    result->energy_end = kinetic + potential;
    if (!table)
        return;
    const double values[] = {before->time, kinetic, potential, kinetic + potential, linear, angular, penetration(&s->contacts)};
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

static dls_status steps(const dls_job *job, const dls_run *run, dls_stepper *s, dls_state *before, dls_table *bodies,
                        dls_table *energies, dls_run_result *result, dls_error *error)
{
    size_t count = (size_t)ceil(run->duration / run->step - 1e-9);
    size_t every = run->samples && count > run->samples ? (count + run->samples - 1) / run->samples : 1;
    result->energy_start = dls_kinetic_energy(run->model, s->state) + dls_potential_energy(run->model, s->state);
    write_bodies(run->model, s->state, bodies);
    for (size_t k = 0; k < count; k++) {
        double residual;
        dls_state_copy(before, s->state);
        DLS_TRY(run->scheme->step(s, run->scheme_settings, run->step, error));
        DLS_TRY(examine_step(s, &residual, error));
        result->steps++;
        result->steps_unsolved += run->choice.solver->kind == DLS_SOLVER_DIRECT && s->report.outcome != DLS_OUTCOME_SOLVED;
        result->worst_residual = fmax(result->worst_residual, residual);
        bool sample = k % every == 0;
        write_energy(s, before, residual, sample ? energies : NULL, result);
        if ((k + 1) % every == 0 || k + 1 == count)
            write_bodies(run->model, s->state, bodies);
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
    snprintf(caption, sizeof caption,
             "Energy change and joint error of the scene %s under %s (at most %zu iterations a step, h = %g s, scheme %s).",
             run->model->name, run->choice.solver->name, run->iterations, run->step, run->scheme->name);
    const char *const variables[] = {"title", title, NULL};
    return dls_plot(job, "energy", table, stem, caption, variables, error);
}

static dls_status tables(const dls_job *job, const dls_run *run, dls_stepper *s, dls_state *before, const char *stem_energy,
                         dls_run_result *result, dls_error *error)
{
    char stem[DLS_NAME_MAX + 32];
    dls_table *bodies = NULL, *energies = NULL;
    snprintf(stem, sizeof stem, "%s.trajectory", run->stem);
    dls_status status = dls_job_table(job, stem, &bodies, error);
    if (status == DLS_OK)
        status = dls_job_table(job, stem_energy, &energies, error);
    if (status == DLS_OK) {
        note_run(run, bodies, trajectory_columns);
        note_run(run, energies, energy_columns);
        status = steps(job, run, s, before, bodies, energies, result, error);
    }
    if (status != DLS_OK) {
        dls_table_abandon(bodies);
        dls_table_abandon(energies);
        return status;
    }
    status = dls_table_commit(bodies, error);
    if (status == DLS_OK)
        return dls_table_commit(energies, error);
    dls_table_abandon(energies);
    return status;
}

dls_status dls_trajectory(const dls_job *job, const dls_run *run, dls_run_result *result, dls_error *error)
{
    char stem[DLS_NAME_MAX + 32];
    dls_stepper *s = NULL;
    dls_state *before = NULL;
    memset(result, 0, sizeof *result);
    snprintf(stem, sizeof stem, "%s.energy", run->stem);
    dls_status status = dls_stepper_create(run->model, run->choice.solver, run->choice.settings, run->iterations, &s, error);
    if (status == DLS_OK) {
        s->warm = run->warm;
        status = dls_state_create(run->model, &before, error);
    }
    if (status == DLS_OK)
        status = tables(job, run, s, before, stem, result, error);
    dls_state_destroy(before);
    dls_stepper_destroy(s);
    return status == DLS_OK ? plot_energy(job, run, stem, error) : status;
}
