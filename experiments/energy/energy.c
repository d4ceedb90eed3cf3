/* Experiment: where the energy of every scheme goes.
 *
 * The ledger (lib/simulation/ledger.c) of each step, summed over a run: of a double pendulum, whose energy should stay,
 * and of a stack that stands, whose contacts take each step what gravity has put into v. Every way to hold a constraint
 * (hold.c) with the same solver and iterations. The columns add up to the change of energy, step by step and over the
 * run: two sums that share nothing but the states at the ends. */
#include "study/hold.h"

#include "energy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FIELD(key, unit, kind, member, fallback, min, max, help)                                                  \
    {                                                                                                             \
        key, unit, DLS_FIELD_##kind, offsetof(dls_energy_settings, member), fallback, min, max, false, NULL, help \
    }
static const dls_field fields[] = {
    FIELD("solver", "", NAME, solver, "pgs", 0, 0, "an iterative one, for TGS takes no other"),
    FIELD("iterations", "", COUNT, iterations, "20", 1, 1e6, "a step, from zero impulse; substeps of small steps"),
    FIELD("step", "s", REAL, step, "0.005", 1e-6, 1, "time step"),
    FIELD("duration", "s", REAL, duration, "1", 1e-6, 1e3, "of a run"),
    FIELD("erp", "", REAL, erp, "0.2", 0, 1, "of every row that has one"),
    FIELD("frequency", "Hz", REAL, frequency, "10", 1e-3, 1e6, "of soft rows"),
    FIELD("damping_ratio", "", REAL, damping_ratio, "1", 0, 1e3, "of soft rows"),
};
const dls_field_table dls_energy_fields = DLS_FIELD_TABLE(fields, dls_energy_settings);

const dls_energy_case dls_energy_cases[] = {
    {"double-pendulum", "hinge-pair", "two bars on hinges, a double pendulum let go from the side"},
    {"stack", "stack-10", "a stack of 10 boxes that stands"},
};
const char *const dls_energy_names[DLS_ENERGY_COLUMNS] = {
    "external", "constraint", "bias", "compliance", "friction", "motor", "collision", "projection", "integrator"};
#define SUMS                                                                                                 \
    "external[J]\tconstraint[J]\tbias[J]\tcompliance[J]\tfriction[J]\tmotor[J]\tcollision[J]\tprojection[J]" \
    "\tintegrator[J]"
static const char columns[] = "scene\tway\tsteps\tchange[J]\tsum[J]\tsum_error\tworst_step_mismatch\t" SUMS;
static const char history_columns[] = "scene\tway\ttime[s]\tchange[J]\tsum[J]\t" SUMS;

/* --- sums --- */

static void add_step(dls_energy_sum *sum, const dls_ledger *l)
{
    double now[DLS_ENERGY_COLUMNS] = {l->external};
    memcpy(now + 1, l->part, sizeof l->part);
    now[DLS_LEDGER_PARTS + 1] = l->projection;
    now[DLS_LEDGER_PARTS + 2] = dls_ledger_integrator(l);
    for (int k = 0; k < DLS_ENERGY_COLUMNS; k++) {
        sum->column[k] += now[k];
        sum->moved += fabs(now[k]);
    }
    sum->mismatch = fmax(sum->mismatch, dls_ledger_mismatch(l));
    sum->steps++;
}

static double total(const dls_energy_sum *sum)
{
    double all = 0.0;
    for (int k = 0; k < DLS_ENERGY_COLUMNS; k++)
        all += sum->column[k];
    return all;
}

/* The change against the sum, over all that was moved and the energies that the change is the difference of. */
static void check_sum(dls_energy_sum *sum, double before, double after, double size)
{
    sum->change = after - before;
    sum->error = fabs(total(sum) - sum->change) / (sum->moved + size);
}

static void write_values(dls_table *table, const double *values, size_t count)
{
    for (size_t k = 0; k < count; k++)
        dls_table_real(table, values[k]);
}

static void write_history(dls_table *table, const dls_energy_case *c, const dls_hold *hold, double time,
                          const dls_energy_sum *sum)
{
    dls_table_text(table, c->name);
    dls_table_text(table, hold->name);
    const double values[] = {time, sum->change, total(sum)};
    write_values(table, values, 3);
    write_values(table, sum->column, DLS_ENERGY_COLUMNS);
    dls_table_end_row(table);
}

static void write_sum(dls_table *table, const dls_energy_case *c, const dls_hold *hold, const dls_energy_sum *sum)
{
    dls_table_text(table, c->name);
    dls_table_text(table, hold->name);
    dls_table_count(table, sum->steps);
    const double values[] = {sum->change, total(sum), sum->error, sum->mismatch};
    write_values(table, values, 4);
    write_values(table, sum->column, DLS_ENERGY_COLUMNS);
    dls_table_end_row(table);
}

/* --- runs --- */

static dls_status take_steps(dls_energy_lab *lab, const dls_energy_case *c, dls_hold_rig *rig, dls_energy_sum *sum,
                             dls_error *error)
{
    const dls_energy_settings *set = lab->settings;
    dls_simulation *s = rig->simulation;
    double before = dls_hold_energy(dls_simulation_configuration(s));
    size_t count = (size_t)ceil(set->duration / set->step - 1e-9), every = (count + 99) / 100;
    for (size_t k = 1; k <= count; k++) {
        DLS_TRY(dls_hold_step(rig, set->step, error));
        const dls_ledger *l = dls_simulation_ledger(s);
        add_step(sum, l);
        check_sum(sum, before, dls_hold_energy(dls_simulation_configuration(s)),
                  l->kinetic_after + fabs(l->potential_after) + fabs(before));
        if (k % every == 0 || k == count)
            write_history(lab->history, c, rig->hold, dls_simulation_state(s)->time, sum);
    }
    return DLS_OK;
}

static dls_status each_way(dls_energy_lab *lab, size_t which, dls_model *model, dls_error *error)
{
    const dls_energy_settings *set = lab->settings;
    const dls_hold_rows rows = {set->erp, set->frequency, set->damping_ratio};
    for (size_t w = 0; dls_holds[w].name; w++) {
        dls_hold_rig rig;
        dls_energy_sum *sum = &lab->sums[which][w];
        dls_status status = dls_hold_open(&dls_holds[w], model, &rows, set->solver, set->iterations, true, &rig, error);
        if (status == DLS_OK)
            status = take_steps(lab, &dls_energy_cases[which], &rig, sum, error);
        dls_hold_close(&rig);
        DLS_TRY(status);
        write_sum(lab->table, &dls_energy_cases[which], &dls_holds[w], sum);
    }
    return DLS_OK;
}

static dls_status each_case(dls_energy_lab *lab, dls_error *error)
{
    for (size_t i = 0; i < DLS_ENERGY_CASES; i++) {
        dls_model *model;
        dls_job_progress(lab->job, dls_energy_cases[i].name, (double)i / DLS_ENERGY_CASES);
        DLS_TRY(dls_hold_model(dls_energy_cases[i].scene, 0.0, &model, error));
        dls_status status = each_way(lab, i, model, error);
        dls_model_destroy(model);
        DLS_TRY(status);
    }
    return DLS_OK;
}

static dls_status open_table(const dls_energy_lab *lab, const char *stem, const char *names, dls_table **table,
                             dls_error *error)
{
    DLS_TRY(dls_job_table(lab->job, stem, table, error));
    dls_table_note_fields(*table, "", &dls_energy_fields, lab->settings);
    dls_table_note(*table, "columns",
                   "of the ledger, summed from the first step on; sum_error: over all that was "
                   "moved and the energies at both ends");
    dls_table_columns(*table, names);
    return DLS_OK;
}

dls_status dls_energy_study(dls_energy_lab *lab, dls_error *error)
{
    lab->history = NULL;
    DLS_TRY(open_table(lab, "energy.ledger.summary", columns, &lab->table, error));
    dls_status status = open_table(lab, "energy.ledger.history", history_columns, &lab->history, error);
    if (status == DLS_OK)
        status = each_case(lab, error);
    if (status == DLS_OK)
        status = dls_table_commit(lab->table, error);
    else
        dls_table_abandon(lab->table);
    if (status == DLS_OK)
        return dls_table_commit(lab->history, error);
    dls_table_abandon(lab->history);
    return status;
}

/* --- figures --- */

static void list_sums(const dls_energy_sum *sums, char *text, size_t size)
{
    text[0] = 0;
    for (size_t w = 0; dls_holds[w].name; w++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s %.3g", used ? ", " : "", dls_holds[w].name, sums[w].change);
    }
}

static dls_status plot(const dls_energy_lab *lab, size_t which, dls_error *error)
{
    const dls_energy_case *c = &dls_energy_cases[which];
    const dls_energy_settings *set = lab->settings;
    const char *const variables[] = {"scene", c->name, NULL};
    char table[DLS_PATH_MAX], stem[2 * DLS_NAME_MAX], changes[1024], caption[3072];
    double error_of_sum = 0.0, mismatch = 0.0;
    for (size_t w = 0; w < DLS_HOLDS; w++) {
        error_of_sum = fmax(error_of_sum, lab->sums[which][w].error);
        mismatch = fmax(mismatch, lab->sums[which][w].mismatch);
    }
    list_sums(lab->sums[which], changes, sizeof changes);
    DLS_TRY(dls_job_path(lab->job, "energy.ledger.summary", "tsv", table, error));
    snprintf(stem, sizeof stem, "energy-ledger-%s", c->name);
    snprintf(caption, sizeof caption,
             "Where the energy went: %s, %g s at %g s a step, %s of %zu iterations (small steps: substeps) from zero "
             "impulse. Bars: the columns of the ledger summed over the run, gains up "
             "and losses down; points: the change of energy, which is their sum. Every step adds up to %.1e of what "
             "was moved in it, every run to %.1e. The change [J]: %s.",
             c->caption, set->duration, set->step, set->solver, set->iterations, mismatch, error_of_sum, changes);
    return dls_plot(lab->job, "energy-ledger", table, stem, caption, variables, error);
}

static dls_status run(const dls_job *job, const void *settings, dls_error *error)
{
    dls_energy_lab lab = {.job = job, .settings = settings};
    DLS_TRY(dls_energy_study(&lab, error));
    for (size_t i = 0; i < DLS_ENERGY_CASES; i++)
        DLS_TRY(plot(&lab, i, error));
    return DLS_OK;
}

const dls_experiment dls_experiment_energy = {
    .name = "energy",
    .summary = "the energy ledger of every way to hold a constraint, of a double pendulum and of a stack",
    .fields = DLS_FIELD_TABLE(fields, dls_energy_settings),
    .run = run,
};
