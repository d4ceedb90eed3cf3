/* Experiment: what the impulses of the last step are worth as the start of the next. temporal-coherence, Contact
 * Caching; Box2D.
 *
 * Iterations to a residual, cold and warm, of a stack and of a wall; which stacks stand; why warm ones breathe
 * (law.c); joint errors of a chain; and a wall of a hundred boxes at ten iterations a step.
 */
#include "coherence.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define FIELD(key, unit, kind, member, fallback, min, max, help)                                                     \
    {                                                                                                                \
        key, unit, DLS_FIELD_##kind, offsetof(dls_coherence_settings, member), fallback, min, max, false, NULL, help \
    }
static const dls_field fields[] = {
    FIELD("duration", "s", REAL, duration, "10", 0.1, 1000, "length of the runs of stack and chain"),
    FIELD("step", "s", REAL, step, "0.016666666666666666", 1e-4, 0.1, "time step"),
    FIELD("wall_step", "s", REAL, wall_step, "0.004166666666666667", 1e-4, 0.1, "time step of the wall"),
    FIELD("iterations", "", COUNT, iterations, "10", 1, 1000, "of PGS, a step"),
    FIELD("drive", "", COUNT, drive, "40", 1, 1000,
          "of PGS, a step of the stack whose problems are solved cold and warm"),
    FIELD("limit", "", COUNT, limit, "2000", 1, 1000000, "iterations at most to a residual"),
    FIELD("samples", "", COUNT, samples, "20", 1, 10000, "steps of such a run that are looked at"),
    FIELD("wall_steps", "", COUNT, wall_steps, "600", 1, 100000, "steps of the wall of 100 boxes"),
};

/* --- tables --- */

dls_status dls_coherence_table(const dls_coherence_lab *lab, const char *stem, const char *columns, dls_table **table,
                               dls_error *error)
{
    DLS_TRY(dls_job_table(lab->job, stem, table, error));
    dls_table_note_fields(*table, "", &lab->fields, lab->settings);
    dls_table_note(*table, "solver", "pgs; warm starts with warm.distance 0.02 m, warm.age 2");
    dls_table_columns(*table, columns);
    return DLS_OK;
}

dls_status dls_coherence_finish(dls_table *table, dls_status status, dls_error *error)
{
    if (status == DLS_OK)
        return dls_table_commit(table, error);
    dls_table_abandon(table);
    return status;
}

/* --- chain --- */

const char *const dls_coherence_schemes[DLS_COHERENCE_SCHEMES] = {"euler", "tgs", "split-impulse", "small-steps"};
static const double chain_ratios[] = {1.0, 100.0};

static void chain_line(dls_table *table, double ratio, const char *scheme, bool warm, double time, double error,
                       double energy)
{
    dls_table_real(table, ratio);
    dls_table_text(table, scheme);
    dls_table_text(table, warm ? "warm" : "cold");
    dls_table_real(table, time);
    dls_table_real(table, error);
    dls_table_real(table, energy);
    dls_table_end_row(table);
}

typedef struct chain_result {
    double worst, mean, energy;
} chain_result;

static dls_status chain_steps(const dls_coherence_lab *lab, double ratio, const char *scheme, bool warm,
                              dls_coherence_machine *m, dls_table *table, chain_result *r, dls_error *error)
{
    size_t count = (size_t)ceil(lab->settings->duration / m->step - 1e-9);
    const dls_configuration *at = dls_simulation_configuration(m->simulation);
    double start = dls_potential_energy(at) + dls_kinetic_energy(at);
    for (size_t k = 1; k <= count; k++) {
        double linear, angular;
        DLS_TRY(dls_coherence_step(m, error));
        at = dls_simulation_configuration(m->simulation);
        dls_joint_errors(at, &linear, &angular);
        r->worst = fmax(r->worst, linear);
        r->mean += (linear - r->mean) / (double)k;
        r->energy = dls_potential_energy(at) + dls_kinetic_energy(at) - start;
        chain_line(table, ratio, scheme, warm, dls_simulation_state(m->simulation)->time, linear, r->energy);
    }
    return DLS_OK;
}

static dls_status chain_one(const dls_coherence_lab *lab, int ratio, int which, bool warm, dls_table *table,
                            dls_table *summary, dls_error *error)
{
    const char *scheme = dls_coherence_schemes[which];
    const dls_coherence_way way = {scheme, NULL, NULL, lab->settings->iterations, lab->settings->step, warm};
    dls_coherence_machine m;
    dls_model *model;
    chain_result r = {0.0, 0.0, 0.0};
    DLS_TRY(dls_coherence_chain(chain_ratios[ratio], &model, error));
    DLS_TRY(dls_coherence_open(model, &way, &m, error));
    dls_status status = chain_steps(lab, chain_ratios[ratio], scheme, warm, &m, table, &r, error);
    dls_coherence_close(&m);
    if (status == DLS_NOT_FINITE) { /* a finding */
        r = (chain_result){HUGE_VAL, HUGE_VAL, HUGE_VAL};
        status = DLS_OK;
    }
    lab->found->chain[ratio][which][warm] = r.worst;
    chain_line(summary, chain_ratios[ratio], scheme, warm, r.worst, r.mean, r.energy);
    return status;
}

static dls_status chain_all(const dls_coherence_lab *lab, dls_table *table, dls_table *summary, dls_error *error)
{
    for (int ratio = 0; ratio < 2; ratio++)
        for (int which = 0; which < DLS_COHERENCE_SCHEMES; which++)
            for (int warm = 0; warm < 2 && dls_scheme_find(dls_coherence_schemes[which]); warm++)
                DLS_TRY(chain_one(lab, ratio, which, warm, table, summary, error));
    return DLS_OK;
}

static dls_status chains(const dls_coherence_lab *lab, dls_error *error)
{
    dls_table *table, *summary;
    dls_job_progress(lab->job, "chain", 0.7);
    DLS_TRY(dls_coherence_table(lab, "coherence.chain",
                                "mass_ratio\tscheme\tstart\ttime[s]\tjoint_error[m]\tenergy_change[J]", &table, error));
    dls_status status = dls_coherence_table(
        lab, "coherence.chain.summary",
        "mass_ratio\tscheme\tstart\tmax_joint_error[m]\tmean_joint_error[m]\tenergy_change[J]", &summary, error);
    if (status != DLS_OK)
        return dls_coherence_finish(table, status, error);
    status = dls_coherence_finish(table, chain_all(lab, table, summary, error), error);
    return dls_coherence_finish(summary, status, error);
}

/* --- wall --- */

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const size_t wall_every = 10;

typedef struct wall_result {
    double seconds, height, residual, depth;
    size_t rows;
} wall_result;

static dls_status wall_look(const dls_coherence_machine *m, const char *start, double taken, dls_table *table,
                            wall_result *r, dls_error *error)
{
    DLS_TRY(dls_coherence_residual(m, dls_simulation_impulses(m->simulation), &r->residual, error));
    r->depth = 0.0;
    for (size_t k = 0; k < dls_simulation_contacts(m->simulation)->count; k++)
        r->depth = fmax(r->depth, -dls_simulation_contacts(m->simulation)->at[k].gap);
    dls_table_text(table, start);
    dls_table_real(table, dls_simulation_state(m->simulation)->time);
    dls_table_count(table, dls_simulation_problem(m->simulation)->n);
    dls_table_real(table, r->residual);
    dls_table_real(table, r->depth);
    dls_table_real(table, r->height);
    dls_table_real(table, taken);
    dls_table_end_row(table);
    return DLS_OK;
}

/* The wall's height is that of its lowest brick of the last course, against the start. */
static double lowest_of_top(const dls_model *model, const dls_state *state)
{
    double low = HUGE_VAL;
    for (size_t i = model->n_bodies - 10; i < model->n_bodies; i++)
        low = fmin(low, state->x[i].z - model->initial->x[i].z);
    return low;
}

static dls_status wall_steps(const dls_coherence_lab *lab, const char *start, dls_coherence_machine *m,
                             dls_table *table, wall_result *r, dls_error *error)
{
    for (size_t k = 1; k <= lab->settings->wall_steps; k++) {
        double before = seconds();
        DLS_TRY(dls_coherence_step(m, error));
        double taken = seconds() - before;
        r->seconds += taken;
        r->rows = dls_simulation_problem(m->simulation)->n;
        r->height = lowest_of_top(m->model, dls_simulation_state(m->simulation));
        if (k % wall_every == 0 || k == 1)
            DLS_TRY(wall_look(m, start, taken, table, r, error));
    }
    return DLS_OK;
}

static dls_status wall_one(const dls_coherence_lab *lab, const char *scheme, double margin, bool warm, dls_table *table,
                           dls_table *summary, dls_error *error)
{
    const dls_coherence_way way = {scheme, NULL, NULL, lab->settings->iterations, lab->settings->wall_step, warm};
    dls_coherence_machine m;
    dls_model *model;
    wall_result r = {0};
    char run[2 * DLS_NAME_MAX];
    snprintf(run, sizeof run, "%s %s", scheme, warm ? "warm" : "cold");
    DLS_TRY(dls_coherence_wall(margin, &model, error));
    DLS_TRY(dls_coherence_open(model, &way, &m, error));
    dls_status status = wall_steps(lab, run, &m, table, &r, error);
    dls_coherence_close(&m);
    DLS_TRY(status);
    lab->found->wall_residual = r.residual, lab->found->wall_height = r.height;
    lab->found->wall_ms = 1e3 * r.seconds / (double)lab->settings->wall_steps;
    dls_table_text(summary, run);
    dls_table_count(summary, lab->settings->wall_steps);
    dls_table_count(summary, r.rows);
    const double values[] = {r.residual, r.depth, r.height, r.seconds,
                             1e3 * r.seconds / (double)lab->settings->wall_steps};
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++)
        dls_table_real(summary, values[k]);
    dls_table_end_row(summary);
    return DLS_OK;
}

static dls_status wall_all(const dls_coherence_lab *lab, dls_table *table, dls_table *summary, dls_error *error)
{
    const double margin = DLS_COHERENCE_WALL_MARGIN;
    DLS_TRY(wall_one(lab, "euler", margin, false, table, summary, error));
    DLS_TRY(wall_one(lab, "euler", margin, true, table, summary, error));
    return dls_scheme_find("split-impulse") ? wall_one(lab, "split-impulse", margin, true, table, summary, error)
                                            : DLS_OK;
}

static dls_status walls(const dls_coherence_lab *lab, dls_error *error)
{
    dls_table *table, *summary;
    dls_job_progress(lab->job, "wall", 0.8);
    DLS_TRY(dls_coherence_table(
        lab, "coherence.wall",
        "run\ttime[s]\trows\tscaled_residual\tdepth[m]\theight_change[m]\tmeasured_cpu_time_of_step[s]", &table,
        error));
    dls_status status =
        dls_coherence_table(lab, "coherence.wall.summary",
                            "run\tsteps\trows\tscaled_residual\tdepth[m]\theight_change[m]\tmeasured_cpu_time[s]"
                            "\tmeasured_cpu_time_of_a_step[ms]",
                            &summary, error);
    if (status != DLS_OK)
        return dls_coherence_finish(table, status, error);
    status = dls_coherence_finish(table, wall_all(lab, table, summary, error), error);
    return dls_coherence_finish(summary, status, error);
}

/* --- the experiment --- */

/* Without a collision library what hangs is all there is. */
static dls_status run(const dls_job *job, const void *settings, dls_error *error)
{
    dls_coherence_findings found = {0};
    const dls_coherence_lab lab = {job, settings, DLS_FIELD_TABLE(fields, dls_coherence_settings), &found};
    DLS_TRY(dls_coherence_laws(&lab, error));
    DLS_TRY(chains(&lab, error));
    if (dls_collider_available()) {
        DLS_TRY(dls_coherence_stands(&lab, error));
        DLS_TRY(dls_coherence_iterations(&lab, error));
        DLS_TRY(walls(&lab, error));
    }
    return dls_coherence_figures(&lab, error);
}

const dls_experiment dls_experiment_coherence = {
    .name = "coherence",
    .summary = "warm starts: iterations, stacks, a chain and a wall, cold and warm, and why warm stacks breathe",
    .fields = DLS_FIELD_TABLE(fields, dls_coherence_settings),
    .run = run,
};
