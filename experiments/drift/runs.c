/* Every way on every mechanism, at every rate, by the reference and by some sweeps; errors over time; orders fitted.
 *
 * HOW FAR EXPLICIT STEPS GO. A light ball of the chain is a rod of length L between its two anchors and of inertia I
 * about its centre, under the tension T of the weight below. In its fastest motion neighbours turn against each other
 * by small angles a about centres that stay:
 *     1/2 I a'^2 + 1/2 T L a^2,   w = sqrt(T L / I)
 * and semi-implicit Euler, whose forces act along the rods of the step's start, follows an oscillation only for h
 * < 2 / w; a substep counts as a step. */
#include "drift.h"

#include <math.h>
#include <string.h>
#include <time.h>

typedef struct look {
    double error[2], energy;
} look;

static look look_at(const dls_configuration *at)
{
    double C[DLS_DRIFT_ROWS_MAX];
    bool angular[DLS_DRIFT_ROWS_MAX];
    look now = {{0.0, 0.0}, dls_hold_energy(at)};
    size_t count = dls_hold_positions(at, C, angular, DLS_DRIFT_ROWS_MAX);
    for (size_t i = 0; i < count; i++)
        now.error[angular[i]] = fmax(now.error[angular[i]], fabs(C[i]));
    return now;
}

/* --- a run --- */

static void note(dls_drift_run *run, const look *now, double energy_start)
{
    for (int k = 0; k < 2; k++) {
        run->last[k] = now->error[k];
        run->worst[k] = fmax(run->worst[k], now->error[k]);
    }
    run->last_energy = now->energy - energy_start;
    run->worst_energy = fmax(run->worst_energy, fabs(run->last_energy));
}

static void fail(dls_drift_run *run, size_t step)
{
    run->failed = step;
    run->worst[0] = run->worst[1] = run->last[0] = run->last[1] = run->worst_energy = run->last_energy = HUGE_VAL;
}

static void write_history(const dls_drift_lab *lab, const dls_drift_run *run, double time, const look *now,
                          double energy_start)
{
    dls_table *table = lab->history;
    dls_table_text(table, run->mechanism->name);
    dls_table_text(table, run->hold->name);
    dls_table_text(table, run->solver);
    dls_table_count(table, run->reference ? 0 : run->iterations);
    dls_table_real(table, time);
    dls_table_real(table, now->error[0]);
    dls_table_real(table, now->error[1]);
    dls_table_real(table, now->energy - energy_start);
    dls_table_end_row(table);
}

static double seconds(void) /* of this thread on a processor */
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static dls_status take_steps(const dls_drift_lab *lab, dls_hold_rig *rig, dls_drift_run *run, bool shown,
                             dls_error *error)
{
    dls_simulation *s = rig->simulation;
    double energy_start = dls_hold_energy(dls_simulation_configuration(s));
    size_t count = (size_t)ceil(lab->settings->duration / run->step - 1e-9);
    for (size_t k = 1; k <= count; k++) {
        double begin = seconds();
        dls_status status = dls_hold_step(rig, run->step, error);
        run->seconds += seconds() - begin;
        if (status == DLS_NOT_FINITE) {
            fail(run, k);
            return DLS_OK;
        }
        DLS_TRY(status);
        run->steps = k;
        bool direct = run->reference && !run->hold->sweeps_only;
        run->unsolved += direct && dls_simulation_report(s)->outcome != DLS_OUTCOME_SOLVED;
        look now = look_at(dls_simulation_configuration(s));
        note(run, &now, energy_start);
        if (shown)
            write_history(lab, run, dls_simulation_state(s)->time, &now, energy_start);
    }
    return DLS_OK;
}

static dls_status measure(const dls_drift_lab *lab, dls_model *model, dls_drift_run *run, bool shown, dls_error *error)
{
    dls_hold_rig rig;
    const dls_hold_rows rows = dls_drift_rows(lab->settings);
    dls_status status = dls_hold_open(run->hold, model, &rows, run->solver, run->iterations, false, &rig, error);
    if (status == DLS_OK)
        status = take_steps(lab, &rig, run, shown, error);
    run->cost = rig.cost;
    dls_hold_close(&rig);
    return status;
}

/* --- tables --- */

static const char run_columns[] =
    "mechanism\tway\tsolver\titerations\tsteps_a_second\tsteps\tfailed_step\tunsolved_steps\tworst_error[m]"
    "\tlast_error[m]\tworst_error[rad]\tlast_error[rad]\tworst_energy_change[J]\tlast_energy_change[J]"
    "\trow_iterations_a_second\tsolves_a_second";
static const char time_columns[] =
    "mechanism\tway\tsolver\titerations\tsteps_a_second\ttime_measured_a_step[s]\ttime_measured_an_iteration[s]"
    "\ttime_measured_a_row_iteration[s]";
static const char history_columns[] =
    "mechanism\tway\tsolver\titerations\ttime[s]\terror[m]\terror[rad]\tenergy_change[J]";
static const char order_columns[] =
    "mechanism\tway\tsolver\titerations\tfitted_order\torder_in_theory\tworst_error_at_the_smallest_step[m]";

static void write_names(dls_table *table, const dls_drift_run *run)
{
    dls_table_text(table, run->mechanism->name);
    dls_table_text(table, run->hold->name);
    dls_table_text(table, run->solver);
    dls_table_count(table, run->reference ? 0 : run->iterations);
}

static void write_run(const dls_drift_lab *lab, const dls_drift_run *run)
{
    bool direct = run->reference && !run->hold->sweeps_only;
    double length = (double)(run->steps + (run->failed != 0)) * run->step;
    const double values[] = {run->worst[0],
                             run->last[0],
                             run->worst[1],
                             run->last[1],
                             run->worst_energy,
                             run->last_energy,
                             direct ? NAN : (double)run->cost.row_iterations / length,
                             (double)run->cost.solves / length};
    write_names(lab->runs, run);
    dls_table_real(lab->runs, 1.0 / run->step);
    dls_table_count(lab->runs, run->steps);
    dls_table_count(lab->runs, run->failed);
    dls_table_count(lab->runs, run->unsolved);
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++)
        dls_table_real(lab->runs, values[k]);
    dls_table_end_row(lab->runs);
}

static void write_time(const dls_drift_lab *lab, const dls_drift_run *run)
{
    double steps = (double)(run->steps + (run->failed != 0));
    if (run->reference)
        return;
    write_names(lab->times, run);
    dls_table_real(lab->times, 1.0 / run->step);
    dls_table_real(lab->times, run->seconds / steps);
    dls_table_real(lab->times, run->seconds / (steps * (double)run->iterations));
    dls_table_real(lab->times, run->seconds / (double)run->cost.row_iterations);
    dls_table_end_row(lab->times);
}

/* --- all rates of a way --- */

typedef struct series {
    double step[DLS_DRIFT_LIST_MAX], error[DLS_DRIFT_LIST_MAX], smallest; /* smallest: the error at the last rate */
    size_t count;
} series;

static void note_shown(const dls_drift_lab *lab, const dls_drift_run *run, size_t rate, dls_drift_finding *found)
{
    if (run->reference || rate != lab->settings->shown_rate || run->iterations != lab->settings->shown_iterations)
        return;
    found->shown_error = run->worst[0];
    found->shown_energy = run->worst_energy;
    found->shown_cost = (double)run->cost.row_iterations / lab->settings->duration;
}

static dls_status each_rate(dls_drift_lab *lab, dls_model *model, const dls_drift_run *kind, dls_drift_finding *found,
                            dls_error *error)
{
    const dls_drift_settings *set = lab->settings;
    bool shown = kind->reference || kind->iterations == set->shown_iterations;
    series s = {.count = 0};
    for (size_t k = 0; k < lab->n_rates; k++) {
        dls_drift_run run = *kind;
        run.step = 1.0 / (double)lab->rates[k];
        DLS_TRY(measure(lab, model, &run, shown && lab->rates[k] == set->shown_rate, error));
        write_run(lab, &run);
        write_time(lab, &run);
        note_shown(lab, &run, lab->rates[k], found);
        s.smallest = run.worst[0];
        if ((double)lab->rates[k] >= set->fit_from)
            s.step[s.count] = run.step, s.error[s.count++] = run.worst[0];
    }
    double order = dls_drift_order(s.step, s.error, s.count);
    if (kind->reference)
        found->order = order;
    write_names(lab->orders, kind);
    dls_table_real(lab->orders, order);
    dls_table_real(lab->orders, kind->hold->order);
    dls_table_real(lab->orders, s.smallest);
    dls_table_end_row(lab->orders);
    return DLS_OK;
}

static dls_status each_way(dls_drift_lab *lab, size_t m, dls_model *model, dls_error *error)
{
    for (size_t w = 0; dls_holds[w].name; w++)
        for (size_t i = 0; i <= lab->n_iterations; i++) {
            dls_drift_run kind = {.mechanism = &dls_drift_mechanisms[m], .hold = &dls_holds[w], .reference = i == 0};
            dls_drift_solver(lab, kind.hold, i ? lab->iterations[i - 1] : 0, &kind.solver, &kind.iterations);
            DLS_TRY(each_rate(lab, model, &kind, &lab->found[m][w], error));
        }
    return DLS_OK;
}

static double longest_step(const dls_model *chain)
{
    const dls_state *state = chain->initial;
    double mass = 0.0, length = dls_norm(dls_sub(state->x[1], state->x[0]));
    for (size_t i = 0; i < chain->n_bodies; i++)
        mass += chain->bodies[i].mass;
    return 2.0 / sqrt(mass * dls_norm(chain->world.gravity) * length / chain->bodies[0].inertia.m[0]);
}

static dls_status each_mechanism(dls_drift_lab *lab, dls_error *error)
{
    for (size_t m = 0; m < DLS_DRIFT_MECHANISMS; m++) {
        dls_model *model;
        dls_job_progress(lab->job, dls_drift_mechanisms[m].name, 0.9 * (double)m / DLS_DRIFT_MECHANISMS);
        DLS_TRY(dls_drift_model(lab, &dls_drift_mechanisms[m], &model, error));
        if (m == 0)
            lab->chain_step = longest_step(model);
        dls_status status = each_way(lab, m, model, error);
        dls_model_destroy(model);
        DLS_TRY(status);
    }
    return DLS_OK;
}

dls_status dls_drift_runs(dls_drift_lab *lab, dls_error *error)
{
    dls_table **const all[] = {&lab->runs, &lab->times, &lab->history, &lab->orders};
    static const char *const stems[] = {"drift.runs", "drift.cost", "drift.history", "drift.order.summary"};
    static const char *const columns[] = {run_columns, time_columns, history_columns, order_columns};
    dls_status status = DLS_OK;
    for (int i = 0; i < 4 && status == DLS_OK; i++)
        status = dls_drift_table(lab, stems[i], columns[i], all[i], error);
    if (status == DLS_OK)
        status = each_mechanism(lab, error);
    for (int i = 0; i < 4; i++) {
        if (status == DLS_OK)
            status = dls_table_commit(*all[i], error);
        else
            dls_table_abandon(*all[i]);
        *all[i] = NULL;
    }
    return status;
}
