/* A run of steps: poses and velocities of every body and link, joint coordinates, energies, joint errors and the
 * examiner's residual of every step; the arc lengths of bodies on tracks, and the forces of the tracks. */
#include "run.h"

#include "base/arithmetic.h"
#include "study/rig.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BODIES, ENERGIES, JOINTS, FORCES, ROWS, TRACKS, EVENTS, CHANGES, LEDGER, LEDGER_JOINTS, TABLES };
static const struct {
    const char *suffix, *columns;
} kinds[TABLES] = {
    [BODIES] = {"trajectory", "time[s]\t" DLS_BODY_COLUMNS},
    [ENERGIES] =
        {"energy",
         "time[s]\tkinetic[J]\tpotential[J]\ttotal[J]\tjoint_error[m]\tjoint_error[rad]"
         "\tpenetration[m]\trows\tcontacts\titerations\toutcome\tscaled_residual\terror_bound[sqrt(J)]\tbound_to"
         "\telastic[J]\tgain[J]\tgain_scale[J]\tgain_column"},
    [JOINTS] = {"joints", "time[s]\t" DLS_JOINT_COLUMNS},
    [FORCES] = {"forces", "time[s]\tkind\tname\tfx[N]\tfy[N]\tfz[N]\ttx[N m]\tty[N m]\ttz[N m]\talong[N|N m]"},
    [ROWS] = {"rows", "time[s]\towner\trow\timpulse[N s|N m s]\tforce[N|N m]\tstatus"},
    [TRACKS] = {"tracks", "time[s]\tjoint\ts[m]\tspeed[m/s]\toff_N[m]\toff_B[m]\tlateral[N]\tsupport[N]\troll[N m]"
                          "\tpitch[N m]\tyaw[N m]\tdrive[N]\tstop[N]\treleased_at[s]"},
    [EVENTS] = {"events", "time[s]\tevent\tname\tcause\tvalue\tthreshold"},
    [CHANGES] = {"changes", dls_run_changes_columns},
    [LEDGER] =
        {"ledger",
         "time[s]\tkinetic[J]\tpotential[J]\tchange[J]\tsum[J]\tmismatch\texternal[J]\tmedium[J]" DLS_LEDGER_COLUMNS
         "\tprojection[J]\tsleep[J]\tclamp[J]\tintegrator[J]\tof_it_gravity[J]\tof_it_potential[J]\tof_it_turning[J]"
         "\tof_it_inertia[J]\tdrift_px[kg m/s]\tdrift_py[kg m/s]\tdrift_pz[kg m/s]\tdrift_Lx[kg m^2/s]"
         "\tdrift_Ly[kg m^2/s]\tdrift_Lz[kg m^2/s]\telastic_lost[J]\timpact_gain[J]"},
    [LEDGER_JOINTS] = {"ledger-joints", "time[s]\tjoint" DLS_LEDGER_COLUMNS},
};
const char *const dls_examine_names[] = {"samples", "every", "never", NULL};
const char *const dls_run_end_names[] = {"finished", "diverged", "unsolved", "gained-energy", "interrupted", NULL};

/* A run on its way. */
typedef struct way {
    const dls_job *job;
    const dls_run *run;
    dls_simulation *s;
    dls_run_changes changes;
    dls_examiner *examiner;
    dls_table *tables[TABLES];
    dls_book *book; /* of the tables, where they become one file */
    dls_energy_gains gains;
    dls_run_watch watch;
    dls_run_result *result;
} way;

/* Writes the states of all parts, or of those that a change has added; and a frame of the film, with forces after a
 * step. `examiner` holds the problem of this step; NULL: it was not examined. */
static dls_status write_state(const way *w, const dls_change *added, bool stepped, dls_examiner *examiner,
                              dls_error *error)
{
    dls_simulation *s = w->s;
    dls_table *const *tables = w->tables;
    const dls_configuration *at = dls_simulation_configuration(s);
    const dls_state *state = dls_simulation_state(s);
    if (tables[BODIES])
        dls_write_bodies(at, state->time, DLS_NONE, added, tables[BODIES]);
    if (tables[JOINTS])
        dls_write_joints(at, state, DLS_NONE, added, tables[JOINTS]);
    return w->run->film ? dls_film_take(w->run->film, s, stepped, examiner, error) : DLS_OK;
}

/* Where bodies on tracks are after a step, and the forces in it. */
static void write_tracks(dls_simulation *s, dls_table *table)
{
    const dls_configuration *at = dls_simulation_configuration(s);
    for (size_t j = 0; j < dls_model_count(at->model).joints; j++) {
        const dls_joint *joint = &dls_model_joints(at->model)[j];
        if (!dls_track_of(joint))
            continue;
        dls_end end[2];
        dls_configuration_ends(at, joint, end);
        dls_track_ride ride = dls_track_ride_of(joint, end);
        dls_track_forces f = dls_track_forces_of(at->model, j, dls_simulation_rows(s), dls_simulation_impulses(s),
                                                 dls_simulation_problem(s)->h);
        const double values[] = {ride.s,    ride.speed, ride.off.y, ride.off.z,
                                 f.lateral, f.support,  f.roll,     f.pitch,
                                 f.yaw,     f.drive,    f.stop,     ride.released ? ride.released_at : NAN};
        dls_table_cells(table, "%g %s", dls_simulation_state(s)->time, joint->name);
        dls_table_reals(table, values, sizeof values / sizeof values[0]);
        dls_table_end_row(table);
    }
}

static void write_wrench(dls_table *table, double time, const char *kind, const char *name, dls_spatial f, double along)
{
    const double values[] = {f.lin.x, f.lin.y, f.lin.z, f.ang.x, f.ang.y, f.ang.z, along};
    dls_table_cells(table, "%g %s %s", time, kind, name);
    dls_table_reals(table, values, sizeof values / sizeof values[0]);
    dls_table_end_row(table);
}

/* The forces of a step: of joints and contacts on body 1, about its centre of mass, and along the sum of coordinates;
 * of the joint of every link, about its anchor; of sensors. */
static dls_status write_forces(dls_simulation *s, dls_table *table, dls_error *error)
{
    const dls_model *model = dls_simulation_model(s);
    const dls_model_counts has = dls_model_count(model);
    const double time = dls_simulation_state(s)->time;
    char name[6 * DLS_NAME_MAX];
    for (size_t owner = 0; owner < has.joints + dls_simulation_contacts(s)->count; owner++) {
        const bool sums = owner < has.joints && dls_model_joints(model)[owner].n_terms > 0;
        dls_constraint_force force;
        DLS_TRY(dls_simulation_forces_of(s, owner, &force, error));
        dls_simulation_owner_name(s, owner, name, sizeof name);
        write_wrench(table, time, owner < has.joints ? "joint" : "contact", name, force.end[0],
                     sums ? force.along_sum : NAN);
    }
    for (size_t a = 0; a < has.articulations; a++) {
        const dls_model_articulation *articulation = &dls_model_articulations(model)[a];
        for (size_t i = 0; i < articulation->tree->n_links; i++) {
            dls_joint_wrench joint;
            DLS_TRY(dls_simulation_joint_wrench(s, a, i, &joint, error));
            dls_model_end_name(model, articulation->first_end + i, name, sizeof name);
            write_wrench(table, time, "link", name, joint.wrench, NAN);
        }
    }
    for (size_t k = 0; k < has.sensors; k++) {
        dls_spatial wrench;
        DLS_TRY(dls_simulation_sensor(s, k, &wrench, error));
        write_wrench(table, time, "sensor", dls_model_sensors(model)[k].name, wrench, NAN);
    }
    return DLS_OK;
}

static dls_status write_rows(dls_simulation *s, dls_table *table, dls_error *error)
{
    char name[6 * DLS_NAME_MAX];
    for (size_t i = 0; i < dls_simulation_rows(s)->n; i++) {
        dls_row_force row;
        DLS_TRY(dls_simulation_row(s, i, &row, error));
        dls_simulation_owner_name(s, row.owner, name, sizeof name);
        dls_table_row(table, "%g %s %s %g %g %s", dls_simulation_state(s)->time, name, row.label, row.impulse,
                      row.force, dls_row_status_names[row.status]);
    }
    return DLS_OK;
}

/* Counts the events of a step, and writes them where there is a table. */
static void note_events(const dls_simulation *s, dls_table *table, dls_run_result *result)
{
    size_t count;
    const dls_event *events = dls_simulation_events(s, &count);
    for (const dls_event *event = events; event < events + count; event++) {
        const char *name = dls_simulation_subject(s, event);
        if (table)
            dls_table_row(table, "%g %s %s %s %g %g", event->time, dls_event_names[event->kind], name,
                          dls_cause_names[event->cause], event->value, event->threshold);
        result->slept += event->kind == DLS_EVENT_SLEEP;
        result->woke += event->kind == DLS_EVENT_WAKE;
        if (event->kind == DLS_EVENT_BREAK && result->n_broken++ < DLS_RUN_BROKEN) {
            snprintf(result->broken[result->n_broken - 1].name, sizeof result->broken[0].name, "%s", name);
            result->broken[result->n_broken - 1].time = event->time;
        }
    }
}

/* A state, measured. */
typedef struct measured {
    double time, kinetic, potential, elastic, linear, angular; /* elastic: NaN until it is measured */
    double gain, gain_scale;                                   /* NaN: no account is kept */
    const char *gain_column;
} measured;

static measured measure_step(dls_simulation *s)
{
    const dls_configuration *at = dls_simulation_configuration(s);
    measured m = {.time = dls_simulation_state(s)->time,
                  .kinetic = dls_kinetic_energy(at),
                  .potential = dls_potential_energy(at),
                  .elastic = NAN,
                  .gain = NAN,
                  .gain_scale = NAN,
                  .gain_column = ""};
    dls_joint_errors(at, &m.linear, &m.angular);
    return m;
}

/* The energy of springs too, of a state that stands in tables. */
static dls_status measure_springs(way *w, measured *now, dls_error *error)
{
    return dls_simulation_elastic_energy(w->s, w->run->step, &now->elastic, error);
}

/* The account of energy up to a state. */
static void measure_gain(const way *w, measured *now)
{
    const dls_run_gain *gain = &w->result->gain;
    if (!dls_simulation_ledger(w->s))
        return;
    now->gain = gain->gain;
    now->gain_scale = w->gains.scale;
    now->gain_column = gain->column ? gain->column : "";
}

/* The accuracy of a step's answer: the scaled residual, and the proved distance of v+ at most [sqrt(J)]: from that of
 * the solution, or from that of the independent rows alone. */
typedef struct worth {
    double residual, bound;
    const char *bound_to;
} worth;
static const worth unexamined = {NAN, NAN, ""};

/* A line about a step: the state before it, with the errors that its problem saw, beside how its solve ended. */
static void write_energy(const dls_simulation *s, const measured *at, size_t iterations, const char *outcome, worth of,
                         dls_table *table)
{
    if (!table)
        return;
    dls_table_row(table, "%g %g %g %g %g %g %g %zu %zu %zu %s %g %g %s %g %g %g %s", at->time, at->kinetic,
                  at->potential, at->kinetic + at->potential, at->linear, at->angular,
                  dls_penetration(dls_simulation_contacts(s)), dls_simulation_problem(s)->n,
                  dls_simulation_contacts(s)->count, iterations, outcome, of.residual, of.bound, of.bound_to,
                  at->elastic, at->gain, at->gain_scale, at->gain_column);
}

/* Lines about the last step, of the run and of each joint; lib/simulation/ledger.c explains the columns. */
static void write_ledger(const dls_simulation *s, dls_table *steps, dls_table *joints)
{
    const dls_ledger *l = dls_simulation_ledger(s);
    const dls_model *model = dls_simulation_model(s);
    const double time = dls_simulation_state(s)->time;
    dls_table_cells(steps, "%g %g %g %g %g %g %g %g", time, l->kinetic_after, l->potential_after, dls_ledger_change(l),
                    dls_ledger_sum(l), dls_ledger_mismatch(l), l->external, l->medium);
    dls_table_reals(steps, l->part, DLS_LEDGER_PARTS);
    const dls_spatial drift = l->momentum_drift;
    dls_table_cells(steps, "%g %g %g %g %g %g %g %g", l->projection, l->sleep, l->clamp, dls_ledger_integrator(l),
                    l->gravity, l->potential, l->turning, l->inertia);
    dls_table_row(steps, "%g %g %g %g %g %g %g %g", drift.lin.x, drift.lin.y, drift.lin.z, drift.ang.x, drift.ang.y,
                  drift.ang.z, l->elastic_lost, l->impact_gain);
    for (size_t owner = 0; owner < l->n_owners; owner++) {
        dls_table_cells(joints, "%g %s", time,
                        owner < dls_model_count(model).joints ? dls_model_joints(model)[owner].name
                                                              : "detected contacts");
        dls_table_reals(joints, l->by_owner + owner * DLS_LEDGER_PARTS, DLS_LEDGER_PARTS);
        dls_table_end_row(joints);
    }
}

/* The examiner is kept from step to step. `judged` becomes the step's report with the examiner's word; what it points
 * to stays the simulation's. */
static dls_status examine_step(const dls_run *run, const dls_simulation *s, dls_examiner **examiner, dls_report *judged,
                               dls_run_result *result, worth *of, dls_error *error)
{
    const dls_problem *problem = dls_simulation_problem(s);
    const dls_outcome claimed = judged->outcome;
    dls_certificate certificate;
    DLS_TRY(*examiner ? dls_examiner_reload(*examiner, problem, error) : dls_examiner_create(problem, examiner, error));
    const dls_criteria criteria = {problem, *examiner, DLS_SOLVED_TOLERANCE, DLS_CERTIFY_ROWS};
    dls_bounds bounds = {.kind = DLS_BOUNDS_NONE};
    dls_status status = dls_decide_outcome(&criteria, dls_simulation_impulses(s), &certificate,
                                           run->certify ? &bounds : NULL, judged, error);
    const bool proved = bounds.kind != DLS_BOUNDS_NONE && isfinite(bounds.velocity);
    const bool independent = proved && bounds.kind == DLS_BOUNDS_INDEPENDENT;
    *of = (worth){certificate.scaled_residual, proved ? bounds.velocity : NAN,
                  independent ? "independent-rows"
                  : proved    ? "solution"
                              : ""};
    dls_bounds_release(&bounds);
    DLS_TRY(status);
    result->examined++;
    result->certified += proved && !independent;
    result->certified_independent += independent;
    if (judged->outcome != DLS_OUTCOME_NO_SOLUTION) /* which has no answer to measure */
        result->worst_residual = dls_worse(result->worst_residual, of->residual);
    result->worst_inconsistent = dls_worse(result->worst_inconsistent, certificate.inconsistent);
    if (independent)
        result->worst_independent = dls_worse(result->worst_independent, of->bound);
    else if (proved)
        result->worst_bound = dls_worse(result->worst_bound, of->bound);
    result->confirmed += dls_outcome_solved(judged->outcome) || judged->outcome == DLS_OUTCOME_NO_SOLUTION;
    const bool refuted = judged->outcome == DLS_OUTCOME_NUMERICAL_FAILURE && claimed != judged->outcome;
    result->refuted += refuted;
    result->not_converged += !refuted && !dls_outcome_solved(judged->outcome) &&
                             judged->outcome != DLS_OUTCOME_NO_SOLUTION && !(of->residual <= DLS_SOLVED_TOLERANCE);
    return DLS_OK;
}

/* The changes that are due before step k. The state before them is in the tables; the states of the parts that they add
 * follow. */
static dls_status change(way *w, size_t k, dls_error *error)
{
    while (dls_run_changes_due(&w->changes, k)) {
        dls_change parts;
        if (w->run->watch)
            dls_run_watch_conclude(&w->watch, dls_simulation_model(w->s), w->result);
        DLS_TRY(dls_run_changes_next(&w->changes, &w->s, &parts, w->tables[CHANGES], w->result, error));
        const dls_status status = write_state(w, &parts, false, NULL, error);
        dls_change_release(&parts);
        dls_examiner_destroy(w->examiner);
        w->examiner = NULL;
        DLS_TRY(status);
        dls_run_watch_close(&w->watch);
        if (w->run->watch)
            DLS_TRY(dls_run_watch_open(&w->watch, dls_simulation_model(w->s), error));
    }
    return DLS_OK;
}

/* The ledger of a step, in the result; whether its gain is within the limit. */
static bool enter_ledger(way *w)
{
    const dls_ledger *ledger = dls_simulation_ledger(w->s);
    dls_run_result *result = w->result;
    if (!ledger)
        return true;
    dls_energy_gains_add(&w->gains, dls_simulation_model(w->s), ledger, dls_simulation_state(w->s)->time);
    if (w->gains.now.gain > result->gain.gain)
        result->gain = w->gains.now;
    result->gain.share = result->gain.gain > 0.0 ? result->gain.gain / w->gains.scale : 0.0;
    if (ledger->impact_gain > 0.0) {
        if (result->impacts.steps++ == 0)
            result->impacts.time = dls_simulation_state(w->s)->time;
        result->impacts.gain += ledger->impact_gain;
    }
    result->impacts.share = result->impacts.gain > 0.0 ? result->impacts.gain / w->gains.scale : 0.0;
    result->worst_mismatch = dls_worse(result->worst_mismatch, dls_ledger_mismatch(ledger));
    return !(w->run->energy_limit > 0.0) || !(result->gain.share > w->run->energy_limit);
}

/* Lines of the state after a step, and of the forces in it. */
static dls_status write_step(way *w, dls_examiner *examiner, dls_error *error)
{
    dls_table *const *tables = w->tables;
    DLS_TRY(write_state(w, NULL, true, examiner, error));
    if (tables[TRACKS])
        write_tracks(w->s, tables[TRACKS]);
    if (tables[FORCES])
        DLS_TRY(write_forces(w->s, tables[FORCES], error));
    return tables[ROWS] ? write_rows(w->s, tables[ROWS], error) : DLS_OK;
}

/* Counts a step without an answer, and keeps the one that ends the run, else the first. */
static void note_unsolved(const way *w, size_t k, double time, const dls_report *judged)
{
    dls_run_result *result = w->result;
    if (!dls_solver_unsolved(w->run->choice.solver, judged->outcome))
        return;
    if (result->steps_unsolved++ > 0 && result->end != DLS_RUN_UNSOLVED)
        return;
    result->unsolved = (dls_unsolved_step){.step = k + 1, .time = time, .outcome = judged->outcome};
    snprintf(result->unsolved.solver, sizeof result->unsolved.solver, "%s", w->run->choice.solver->name);
    snprintf(result->unsolved.reason, sizeof result->unsolved.reason, "%s", judged->message);
}

/* Step k was not made: a line says so, and `now`, the state before it, ends the tables. A proof that there is no
 * solution is verified. */
static dls_status end_early(way *w, size_t k, dls_run_end end, measured *now, bool written, dls_error *error)
{
    dls_report judged = *dls_simulation_report(w->s);
    worth of = unexamined;
    w->result->end = end;
    w->result->energy_end = now->kinetic + now->potential;
    if (end == DLS_RUN_UNSOLVED) {
        if (judged.outcome == DLS_OUTCOME_NO_SOLUTION)
            DLS_TRY(examine_step(w->run, w->s, &w->examiner, &judged, w->result, &of, error));
        note_unsolved(w, k, now->time, &judged);
        DLS_TRY(measure_springs(w, now, error));
        if (!written)
            DLS_TRY(write_state(w, NULL, false, NULL, error));
    }
    w->result->elastic_end = now->elastic;
    write_energy(w->s, now, judged.iterations,
                 end == DLS_RUN_UNSOLVED ? dls_outcome_text(judged.outcome) : dls_run_end_names[end], of,
                 w->tables[ENERGIES]);
    return DLS_OK;
}

/* The solver has no impulses for the step. A scheme may refuse a solver too, which is an error of the settings. */
static bool is_unsolved(const dls_simulation *s, dls_status status)
{
    return status == DLS_UNSOLVED ||
           (status == DLS_REFUSED && dls_simulation_report(s)->outcome == DLS_OUTCOME_REFUSED);
}

/* The state after the last step stands in the tables too: with the contacts and rows that the next step would have, and
 * without a solve. Where a step is not made the last line is that of the state before it. */
static dls_status steps(way *w, dls_error *error)
{
    const dls_run *run = w->run;
    dls_run_result *result = w->result;
    dls_table *const *tables = w->tables;
    size_t count = dls_step_count(run->duration, run->step);
    size_t every = run->samples && count > run->samples ? (count + run->samples - 1) / run->samples : 1;
    measured now = measure_step(w->s);
    DLS_TRY(dls_energy_check(dls_simulation_configuration(w->s), now.time, error));
    DLS_TRY(measure_springs(w, &now, error));
    result->energy_start = now.kinetic + now.potential;
    result->elastic_start = now.elastic;
    dls_energy_gains_start(&w->gains, dls_simulation_model(w->s), now.kinetic, now.potential, now.elastic);
    measure_gain(w, &now);
    DLS_TRY(write_state(w, NULL, false, NULL, error));
    for (size_t k = 0, written = 0; k < count && result->end == DLS_RUN_FINISHED; k++) {
        const bool due = dls_run_changes_due(&w->changes, k), ends = dls_run_changes_due(&w->changes, k + 1);
        const bool sample = k % every == 0 || due || ends;
        if (due) {
            DLS_TRY(change(w, k, error));
            now = measure_step(w->s);
            measure_gain(w, &now);
        }
        if (sample)
            DLS_TRY(measure_springs(w, &now, error));
        if (due) /* springs that came may be stretched */
            w->gains.stored += now.elastic;
        const measured before = now;
        worth of = unexamined;
        dls_error why;
        dls_status status = dls_simulation_step(w->s, run->step, &why);
        if (is_unsolved(w->s, status))
            return end_early(w, k, DLS_RUN_UNSOLVED, &now, written == k, error);
        measured after = status == DLS_OK ? measure_step(w->s) : now;
        if (!isfinite(after.kinetic + after.potential))
            status = dls_energy_check(dls_simulation_configuration(w->s), after.time, &why);
        if (status == DLS_NOT_FINITE) {
            snprintf(result->reason, sizeof result->reason, "%s", why.message);
            return end_early(w, k, DLS_RUN_DIVERGED, &now, written == k, error);
        }
        if (status != DLS_OK) {
            if (error) {
                *error = why;
                snprintf(error->message, sizeof error->message, "step %zu, from %g s: %.450s", k + 1, before.time,
                         why.message);
            }
            return status;
        }
        const bool interrupted = dls_job_stops(w->job), gained = !enter_ledger(w);
        const bool last = k + 1 == count || interrupted || gained;
        measure_gain(w, &after);
        dls_report judged = *dls_simulation_report(w->s);
        const bool examined =
            run->examine == DLS_EXAMINE_EVERY || (run->examine == DLS_EXAMINE_SAMPLES && (sample || last));
        if (examined)
            DLS_TRY(examine_step(run, w->s, &w->examiner, &judged, result, &of, error));
        if (k == 0 || last)
            DLS_TRY(dls_warm_law_measure(run, w->s, &result->warm, error));
        if (run->watch)
            DLS_TRY(dls_run_watch_step(&w->watch, w->s, error));
        note_events(w->s, tables[EVENTS], result);
        note_unsolved(w, k, before.time, &judged);
        result->steps++;
        result->iterations += judged.iterations;
        result->row_visits += judged.row_visits;
        result->end = gained ? DLS_RUN_GAINED : interrupted && k + 1 < count ? DLS_RUN_INTERRUPTED : DLS_RUN_FINISHED;
        if (sample)
            write_energy(w->s, &before, judged.iterations, dls_outcome_text(judged.outcome), of, tables[ENERGIES]);
        if (tables[LEDGER] && (sample || last))
            write_ledger(w->s, tables[LEDGER], tables[LEDGER_JOINTS]);
        if ((k + 1) % every == 0 || ends || last) {
            DLS_TRY(write_step(w, examined ? w->examiner : NULL, error));
            written = k + 1;
        }
        now = after;
        result->worst_linear = dls_worse(result->worst_linear, dls_worse(before.linear, now.linear));
        result->worst_angular = dls_worse(result->worst_angular, dls_worse(before.angular, now.angular));
        dls_job_progress(w->job, run->stem, (double)(k + 1) / (double)count);
    }
    DLS_TRY(measure_springs(w, &now, error));
    result->energy_end = now.kinetic + now.potential;
    result->elastic_end = now.elastic;
    DLS_TRY(dls_stage_linearise(w->s, run->step, error));
    write_energy(w->s, &now, 0, "", unexamined, tables[ENERGIES]);
    return DLS_OK;
}

dls_status dls_run_check_end(const dls_run_result *r, dls_error *error)
{
    const dls_unsolved_step *u = &r->unsolved;
    switch (r->end) {
    case DLS_RUN_DIVERGED:
        return dls_fail(error, DLS_NOT_FINITE, "the run diverged in step %zu, and ends before it: %s", r->steps + 1,
                        r->reason);
    case DLS_RUN_UNSOLVED:
        return dls_fail(error, u->outcome == DLS_OUTCOME_NO_SOLUTION ? DLS_UNSOLVABLE : DLS_UNSOLVED,
                        "step %zu, from %g s, is not solved, and the run ends before it: %s: %s: %.300s", u->step,
                        u->time, u->solver, dls_outcome_text(u->outcome), u->reason);
    case DLS_RUN_GAINED:
        return dls_fail(
            error, DLS_UNSOLVED,
            "step %zu, to %g s, ends the run: since %g s it gained %.3g J that nothing gives it, %.3g times "
            "its largest energy without it; most of it, %.3g J, in the ledger's column '%s'",
            r->steps, r->gain.time, r->gain.since, r->gain.gain, r->gain.share, r->gain.column_gain, r->gain.column);
    case DLS_RUN_INTERRUPTED:
        return dls_fail(error, DLS_UNSOLVED, "the run was stopped after step %zu", r->steps);
    default:
        return DLS_OK;
    }
}

static void note_run(const dls_run *run, dls_iterations iterations, dls_table *table, const char *columns)
{
    dls_table_note(table, "scene", "%s", dls_model_name(run->model));
    dls_table_note(table, "solver", "%s, at most %zu iterations per step, then %zu velocity iterations",
                   run->choice.solver->name, iterations.position, iterations.velocity);
    dls_note_method(run, table);
    dls_table_note(table, "step", "%.17g s", run->step);
    for (size_t k = 0; k < dls_run_changes_total(run); k++)
        dls_table_note(table, "change", "at %.17g s", run->scene->changes[k].time);
    dls_table_note(table, "examined", "%s", dls_examine_names[run->examine]);
    dls_table_note_fields(table, "world.", &dls_world_fields, dls_model_world(run->model));
    dls_table_columns(table, columns);
}

/* The tables of a run: those of the parts that the model has at some time. */
static void look_at(void *wanted, const dls_model *model)
{
    bool *has = wanted;
    has[JOINTS] = has[JOINTS] || dls_has_coordinates(model);
    has[TRACKS] = has[TRACKS] || dls_model_count(model).tracks > 0;
    has[EVENTS] = has[EVENTS] || dls_model_has_events(model);
}

static dls_status begin_table(const way *w, int kind, dls_table **table, dls_error *error)
{
    char stem[DLS_NAME_MAX + 32];
    if (w->book) {
        DLS_TRY(dls_book_table(w->book, kinds[kind].suffix, table, error));
        dls_note_provenance(*table, w->job->command);
        return DLS_OK;
    }
    snprintf(stem, sizeof stem, "%s.%s", w->run->stem, kinds[kind].suffix);
    return dls_job_table(w->job, stem, table, error);
}

static dls_status begin_tables(way *w, const bool *wanted, dls_error *error)
{
    char path[DLS_PATH_MAX];
    if (w->run->silent)
        return DLS_OK;
    if (w->run->hdf5) {
        DLS_TRY(dls_job_path(w->job, w->run->stem, "h5", path, error));
        DLS_TRY(dls_book_create(path, &w->book, error));
    }
    for (int i = 0; i < TABLES; i++) {
        if (!wanted[i])
            continue;
        DLS_TRY(begin_table(w, i, &w->tables[i], error));
        note_run(w->run, dls_simulation_iterations(w->s), w->tables[i], kinds[i].columns);
    }
    return DLS_OK;
}

/* The table that the figure is drawn from. */
static dls_status energies_path(const dls_job *job, const dls_run *run, char *path, dls_error *error)
{
    char stem[DLS_NAME_MAX + 32];
    snprintf(stem, sizeof stem, "%s.%s", run->stem, kinds[ENERGIES].suffix);
    return dls_job_path(job, stem, "tsv", path, error);
}

static dls_status plot_energy(const dls_job *job, const dls_run *run, dls_iterations iterations, dls_error *error)
{
    char stem[DLS_NAME_MAX + 32], table[DLS_PATH_MAX], title[2 * DLS_NAME_MAX + 64], caption[1024];
    snprintf(stem, sizeof stem, "%s.energy", run->stem);
    DLS_TRY(energies_path(job, run, table, error));
    snprintf(title, sizeof title, "%s: %s, h = %g s", dls_model_name(run->model), run->choice.solver->name, run->step);
    snprintf(caption, sizeof caption,
             "Energies and errors of the scene %s under %s (at most %zu iterations per step, h = %g s, scheme %s). The "
             "total energy has an axis of its own; errors below 1e-13 are rounding and left out, and lines end there. "
             "Where everything has come to rest early the axis of time ends soon after that.",
             dls_model_name(run->model), run->choice.solver->name, iterations.position, run->step, run->scheme->name);
    const char *const variables[] = {"title", title, NULL};
    return dls_plot(job, "energy", table, stem, caption, variables, error);
}

static dls_status end_tables(way *w, dls_status status, dls_error *error)
{
    if (!w->book)
        return dls_tables_end(w->tables, TABLES, status, error);
    char path[DLS_PATH_MAX];
    if (status == DLS_OK)
        status = energies_path(w->job, w->run, path, error);
    if (status == DLS_OK)
        status = dls_book_text(w->book, kinds[ENERGIES].suffix, path, error);
    if (status == DLS_OK)
        return dls_book_commit(w->book, error);
    dls_book_abandon(w->book);
    return status;
}

static dls_status run_tables(way *w, const bool *wanted, dls_error *error)
{
    dls_status status = begin_tables(w, wanted, error);
    if (status == DLS_OK && w->run->watch)
        status = dls_run_watch_open(&w->watch, w->run->model, error);
    if (status == DLS_OK)
        status = steps(w, error);
    if (status == DLS_OK && w->run->watch)
        dls_run_watch_conclude(&w->watch, dls_simulation_model(w->s), w->result);
    dls_run_watch_close(&w->watch);
    dls_examiner_destroy(w->examiner);
    return end_tables(w, status, error);
}

dls_status dls_run_trajectory(const dls_job *job, const dls_run *run, dls_run_result *result, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    way w = {.job = job, .run = run, .changes = {run, run->model, NULL, 0}, .result = result};
    bool wanted[TABLES] = {[BODIES] = true,
                           [ENERGIES] = true,
                           [FORCES] = run->forces,
                           [ROWS] = run->rows,
                           [CHANGES] = dls_run_changes_total(run) > 0,
                           [LEDGER] = run->ledger,
                           [LEDGER_JOINTS] = run->ledger};
    char energies[DLS_PATH_MAX];
    dls_simulation_options options = dls_simulation_default();
    options.solver = run->choice.solver, options.solver_settings = run->choice.settings;
    options.scheme = run->scheme, options.scheme_settings = run->scheme_settings;
    options.iterations = run->iterations;
    options.warm = run->warm;
    options.ledger = run->ledger || run->energy_limit > 0.0;
    options.go_on = run->go_on;
    DLS_TRY(dls_run_changes_try(run, look_at, wanted, error));
    *result = (dls_run_result){.joints = wanted[JOINTS], .events = wanted[EVENTS]};
    DLS_TRY(dls_simulation_open(run->model, &options, &w.s, error));
    const dls_iterations iterations = dls_simulation_iterations(w.s);
    dls_status status = run_tables(&w, wanted, error);
    dls_simulation_close(w.s);
    dls_run_changes_release(&w.changes);
    if (status != DLS_OK || run->silent)
        return status;
    status = plot_energy(job, run, iterations, error);
    if (run->hdf5 && energies_path(job, run, energies, NULL) == DLS_OK)
        remove(energies); /* it is in the book */
    return status;
}
