/* Every method on every mechanism, at every rate, by the reference and by some sweeps; errors over time; orders fitted.
 *
 * STABILITY LIMIT OF EXPLICIT STEPS. A light ball of the chain is a rod of length L between its two anchors and of
 * inertia I about its centre, under the tension T of the weight below. In its fastest mode neighbours rotate in
 * opposite directions by small angles a about fixed centres:
 *     1/2 I a'^2 + 1/2 T L a^2,   w = sqrt(T L / I)
 * and semi-implicit Euler, whose forces act along the rods at the start of the step, is stable only for h < 2 / w; here
 * h is the substep if there are substeps. */
#include "drift/parts.h"

#include <math.h>
#include <stdlib.h>

static const double offset = 1e-9; /* of a copy [m] */
static const double variation = 0.3;

const char *const dls_drift_order_names[] = {
    [DLS_DRIFT_GIVEN] = "given",
    [DLS_DRIFT_REVERSED] = "reversed",
    [DLS_DRIFT_RANDOM] = "random",
    [DLS_DRIFT_SYMMETRIC] = "symmetric",
    NULL,
};

const dls_drift_mechanism dls_drift_mechanisms[DLS_DRIFT_MECHANISMS] = {
    {"chain", "chain-10", false, false, "a chain of 10 balls, the last one 100 times as heavy as the others"},
    {"four-bar", "four-bar", false, false, "a four-bar loop of hinges, whose rows are redundant"},
    {"hinge-pair", "hinge-pair", false, true, "two bars on hinges, the lower one much heavier"},
    {"generic-chain", "chain-10", true, false,
     "chains of 10 balls with masses and gravity changed at random by up to 30 %"},
};

/* Whether a direct method solves every problem of the run. */
static bool is_direct(const dls_drift_run *run) { return run->iterations == 0 && !run->method->sweeps_only; }

const char *dls_drift_solver(const dls_study *study, const dls_drift_run *run)
{
    const dls_drift_settings *set = study->settings;
    return is_direct(run) ? set->reference : run->order == DLS_DRIFT_SYMMETRIC ? "symmetric-pgs" : "pgs";
}

/* Iterations of that solver in a step. */
static size_t iterations_of(const dls_drift_settings *set, const dls_drift_run *run)
{
    const size_t sweeps = run->iterations ? run->iterations : set->many;
    return is_direct(run) ? set->substeps : run->order == DLS_DRIFT_SYMMETRIC ? (sweeps + 1) / 2 : sweeps;
}

dls_status dls_drift_open(const dls_study *study, const dls_drift_run *run, dls_rig *rig, dls_error *error)
{
    const dls_drift_settings *set = study->settings;
    const dls_stabilisation stabilisation = {run->erp, set->frequency, set->damping_ratio};
    const dls_rig_plan plan = {.method = run->method->name,
                               .solver = dls_drift_solver(study, run),
                               .iterations = iterations_of(set, run),
                               .order = run->order == DLS_DRIFT_REVERSED ? DLS_ORDER_REVERSED
                                        : run->order == DLS_DRIFT_RANDOM ? DLS_ORDER_RANDOM
                                                                         : DLS_ORDER_GIVEN,
                               .seed = set->seed,
                               .diverges = true};
    dls_scene *scene;
    DLS_TRY(dls_scene_named(run->mechanism->scene, &scene, error));
    if (run->mechanism->ratio)
        scene->bodies[scene->n_bodies - 1].mass = set->mass_ratio * scene->bodies[0].mass;
    if (run->weightless)
        scene->world.gravity = dls_v3(0.0, 0.0, 0.0);
    dls_stabilise_joints(scene, run->method, &stabilisation);
    dls_status status = DLS_OK;
    if (run->mechanism->generic)
        status = dls_scene_vary(scene, variation, set->seed + run->copy, error);
    else if (run->copy > 0)
        status = dls_scene_displace(scene, dls_v3(offset, offset, offset), set->seed + run->copy, error);
    if (status != DLS_OK) {
        dls_scene_destroy(scene);
        return status;
    }
    DLS_TRY(dls_rig_open(rig, scene, &plan, error));
    size_t rows = dls_position_errors(dls_rig_at(rig), NULL, NULL, 0), bodies = dls_model_count(rig->model).bodies;
    if (bodies >= 2 && rows >= 1 && rows <= DLS_DRIFT_ROWS_MAX)
        return DLS_OK;
    dls_rig_close(rig);
    return dls_fail(error, DLS_REFUSED, "scene %s has %zu bodies and %zu rows; drift needs at least 2, and 1 to %d",
                    run->mechanism->scene, bodies, rows, (int)DLS_DRIFT_ROWS_MAX);
}

/* --- a run --- */

typedef struct measures {
    double last[2], worst[2];       /* joint error [m], [rad] */
    double energy, energy_worst;    /* change since the start, the largest of |change| [J] */
    double seconds;                 /* of a processor, measured, all steps */
    size_t steps, failed, unsolved; /* unsolved: the solver had no answer */
    size_t row_iterations, solves;
} measures;

static void measure_state(const dls_rig *rig, double energy_start, measures *m)
{
    double C[DLS_DRIFT_ROWS_MAX];
    bool angular[DLS_DRIFT_ROWS_MAX];
    size_t count = dls_position_errors(dls_rig_at(rig), C, angular, DLS_DRIFT_ROWS_MAX);
    m->last[0] = m->last[1] = 0.0;
    for (size_t i = 0; i < count; i++)
        m->last[angular[i]] = fmax(m->last[angular[i]], fabs(C[i]));
    for (int k = 0; k < 2; k++)
        m->worst[k] = fmax(m->worst[k], m->last[k]);
    m->energy = dls_energy(dls_rig_at(rig)) - energy_start;
    m->energy_worst = fmax(m->energy_worst, fabs(m->energy));
}

static dls_status measure_run(const dls_study *study, const dls_drift_run *run, double h, bool shown, measures *m,
                              dls_error *error)
{
    const dls_drift_settings *set = study->settings;
    dls_rig rig;
    *m = (measures){.steps = 0};
    DLS_TRY(dls_drift_open(study, run, &rig, error));
    double energy_start = dls_energy(dls_rig_at(&rig));
    const size_t count = dls_step_count(set->duration, h);
    for (;;) {
        const double begin = dls_seconds();
        const bool more = dls_rig_next(&rig, h, count);
        m->seconds += dls_seconds() - begin;
        if (!more)
            break;
        measure_state(&rig, energy_start, m);
        if (shown)
            dls_table_row(study->tables[DLS_DRIFT_HISTORY], "%s %s %s %zu %g %g %g %g", run->mechanism->name,
                          run->method->name, dls_drift_solver(study, run), run->iterations, dls_rig_state(&rig)->time,
                          m->last[0], m->last[1], m->energy);
    }
    if (rig.failed)
        m->last[0] = m->last[1] = m->worst[0] = m->worst[1] = m->energy = m->energy_worst = HUGE_VAL;
    m->steps = rig.steps, m->failed = rig.failed, m->unsolved = rig.unsolved;
    m->row_iterations = rig.spy.row_iterations, m->solves = rig.spy.solves;
    return dls_rig_end(&rig);
}

/* All copies of a run: the measures of the one with the median error, and the spreads. */
typedef struct copies_measures {
    measures median;
    dls_spread error, energy; /* worst [m], |change| [J] */
} copies_measures;

static dls_status measure_copies(const dls_study *study, dls_drift_run run, double h, bool shown, copies_measures *m,
                                 dls_error *error)
{
    const dls_drift_settings *set = study->settings;
    double *worst = calloc(set->copies, sizeof *worst), *energy = calloc(set->copies, sizeof *energy);
    measures *each = calloc(set->copies, sizeof *each);
    dls_status status =
        worst && energy && each ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu copies", set->copies);
    for (run.copy = 0; run.copy < set->copies && status == DLS_OK; run.copy++) {
        measures *one = &each[run.copy];
        status = measure_run(study, &run, h, shown && run.copy == 0, one, error);
        worst[run.copy] = one->worst[0], energy[run.copy] = one->energy_worst;
    }
    if (status == DLS_OK) {
        m->error = dls_spread_of(worst, set->copies);
        m->energy = dls_spread_of(energy, set->copies);
        size_t k = 0;
        while (each[k].worst[0] != m->error.median)
            k++;
        m->median = each[k];
        m->median.energy_worst = m->energy.median;
    }
    free(each);
    free(energy);
    free(worst);
    return status;
}

static void write_run(const dls_study *study, const dls_drift_run *run, double h, const copies_measures *of)
{
    const measures *m = &of->median;
    const size_t copies = ((const dls_drift_settings *)study->settings)->copies;
    const char *solver = dls_drift_solver(study, run);
    double steps = (double)(m->steps + (m->failed != 0)), length = steps * h;
    dls_table_row(study->tables[DLS_DRIFT_RUNS],
                  "%s %s %s %zu %s %g %zu %zu %zu %zu %g %g %g %g %g %g %g %g %g %g %g %g", run->mechanism->name,
                  run->method->name, solver, run->iterations, dls_drift_order_names[run->order], 1.0 / h, copies,
                  m->steps, m->failed, m->unsolved, m->worst[0], of->error.least, of->error.most, m->last[0],
                  m->worst[1], m->last[1], m->energy_worst, of->energy.least, of->energy.most, m->energy,
                  is_direct(run) ? NAN : (double)m->row_iterations / length, (double)m->solves / length);
    if (run->iterations > 0 && run->order == DLS_DRIFT_GIVEN)
        dls_table_row(study->tables[DLS_DRIFT_COST], "%s %s %s %zu %g %g %g %g %g %g", run->mechanism->name,
                      run->method->name, solver, run->iterations, 1.0 / h, m->seconds / steps,
                      m->seconds / (steps * (double)run->iterations), m->seconds / (double)m->row_iterations,
                      m->worst[0], m->energy_worst);
}

/* The longest step that follows the chain as it hangs. */
static dls_status find_chain_step(dls_study *study, dls_error *error)
{
    const dls_drift_run run = {.mechanism = &dls_drift_mechanisms[0], .method = &dls_methods[0]};
    dls_drift_findings *f = study->found;
    dls_rig rig;
    DLS_TRY(dls_drift_open(study, &run, &rig, error));
    const dls_state *state = dls_model_initial(rig.model);
    const dls_body *bodies = dls_model_bodies(rig.model);
    const double length = dls_norm(dls_sub(state->x[1], state->x[0]));
    double mass = 0.0;
    for (size_t i = 0; i < state->n_bodies; i++)
        mass += bodies[i].mass;
    f->chain_step = 2.0 / sqrt(mass * dls_norm(dls_model_world(rig.model)->gravity) * length / bodies[0].inertia.m[0]);
    return dls_rig_end(&rig);
}

/* Whether the settings name this order; solves that are exact do not depend on it, and schemes with iterations of their
 * own have the given one. */
static bool is_wanted(const dls_drift_settings *set, const dls_drift_run *run)
{
    bool named = false;
    for (size_t k = 0; k < set->row_orders.count; k++)
        named |= set->row_orders.choices[k] == (int)run->order;
    return run->order == DLS_DRIFT_GIVEN || (named && run->iterations > 0 && !run->method->solves);
}

dls_status dls_drift_runs(dls_study *study, dls_error *error)
{
    const dls_drift_settings *set = study->settings;
    dls_drift_findings *f = study->found;
    double step[DLS_LIST_MAX], worst[DLS_LIST_MAX]; /* of the rates to be fitted */
    size_t n_fitted = 0;
    DLS_TRY(find_chain_step(study, error));
    for (dls_grid g = DLS_GRID(DLS_DRIFT_MECHANISMS, DLS_METHODS, 1 + set->iterations.count, DLS_DRIFT_ORDERS_OF_ROWS,
                               set->rates.count);
         dls_study_next(study, &g);) {
        const dls_drift_run run = {.mechanism = &dls_drift_mechanisms[g.at[0]],
                                   .method = &dls_methods[g.at[1]],
                                   .iterations = g.at[2] ? set->iterations.counts[g.at[2] - 1] : 0,
                                   .order = (dls_drift_order)g.at[3],
                                   .erp = set->erp};
        const double rate = (double)set->rates.counts[g.at[4]], h = 1.0 / rate;
        const bool given = run.order == DLS_DRIFT_GIVEN, few = run.iterations == set->shown_iterations;
        const bool shown = rate == (double)set->shown_rate;
        dls_drift_finding *of = &f->of[g.at[0]][g.at[1]];
        copies_measures m;
        if (!is_wanted(set, &run))
            continue;
        DLS_TRY(measure_copies(study, run, h, given && shown && (few || run.iterations == 0), &m, error));
        write_run(study, &run, h, &m);
        if (shown && few)
            of->order_error[run.order] = m.error.median;
        if (!given)
            continue;
        if (shown && few)
            of->error = m.error, of->shown_error = m.error.median, of->shown_energy = m.energy.median,
            of->shown_cost = (double)m.median.row_iterations / set->duration;
        if (rate >= set->fit_from)
            step[n_fitted] = h, worst[n_fitted++] = m.error.median;
        if (g.at[4] + 1 < set->rates.count)
            continue;
        double order = dls_fit_order(step, worst, n_fitted);
        if (run.iterations == 0)
            of->order = order;
        dls_table_row(study->tables[DLS_DRIFT_ORDERS], "%s %s %s %zu %g %g %g", run.mechanism->name, run.method->name,
                      dls_drift_solver(study, &run), run.iterations, order, run.method->order, m.error.median);
        n_fitted = 0;
    }
    return DLS_OK;
}
