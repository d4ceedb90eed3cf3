/* Experiment: the energy balance of every scheme.
 *
 * The ledger (lib/simulation/ledger.c) of each step, summed over a run: of a double pendulum, whose energy should be
 * constant, and of a standing stack, whose contacts remove in each step the energy that gravity has added to v. Every
 * method of constraint stabilisation has the same solver and iterations. The columns add up to the change of energy,
 * step by step and over the run: two sums that have only the states at the ends in common.
 */
#include "energy/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FIELD(...) DLS_SETTING(dls_energy_settings, __VA_ARGS__)
static const dls_field fields[] = {
    FIELD(solver, "", NAME, "pgs", 0, 0, "iterative solver; TGS accepts no other"),
    FIELD(iterations, "", COUNT, "20", 1, 1e6,
          "iterations per step, from zero impulse; number of substeps of small steps"),
    FIELD(step, "s", REAL, "0.005", 1e-6, 1, "time step"),
    FIELD(duration, "s", REAL, "1", 1e-6, 1e3, "duration of a run"),
    FIELD(erp, "", REAL, "0.2", 0, 1, "ERP of all rows with a position error"),
    FIELD(frequency, "Hz", REAL, "10", 1e-3, 1e6, "natural frequency of soft rows"),
    FIELD(damping_ratio, "", REAL, "1", 0, 1e3, "damping ratio of soft rows"),
};

static const struct {
    const char *name, *scene, *caption;
} cases[DLS_ENERGY_CASES] = {
    {"double-pendulum", "hinge-pair", "two bars on hinges, a double pendulum released from the side"},
    {"stack", "stack-10", "a stack of 10 boxes that stands"},
};
const char *const dls_energy_names[DLS_ENERGY_COLUMNS] = {
    "external", "constraint", "bias", "compliance", "friction", "motor", "collision", "projection", "integrator"};

enum { SUMMARY, HISTORY };
#define SUMS "external[J]" DLS_LEDGER_COLUMNS "\tprojection[J]\tintegrator[J]"
static const dls_experiment_table tables[] = {
    [SUMMARY] = {.stem = "energy.ledger.summary",
                 .columns = "scene\tway\tsteps\tchange[J]\tsum[J]\tsum_error\tworst_step_mismatch\t" SUMS},
    [HISTORY] = {.stem = "energy.ledger.history", .columns = "scene\tway\ttime[s]\tchange[J]\tsum[J]\t" SUMS},
    {.stem = NULL},
};

static double total(const dls_energy_sum *sum)
{
    double all = 0.0;
    for (int k = 0; k < DLS_ENERGY_COLUMNS; k++)
        all += sum->column[k];
    return all;
}

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

static void write_sums(dls_table *table, const dls_energy_sum *sum)
{
    dls_table_reals(table, sum->column, DLS_ENERGY_COLUMNS);
    dls_table_end_row(table);
}

static dls_status run_case(const dls_study *study, size_t c, const dls_method *method, dls_energy_sum *sum,
                           dls_error *error)
{
    const dls_energy_settings *set = study->settings;
    const dls_stabilisation stabilisation = {set->erp, set->frequency, set->damping_ratio};
    const dls_rig_plan plan = {
        .method = method->name, .solver = set->solver, .iterations = set->iterations, .ledger = true};
    const size_t count = dls_step_count(set->duration, set->step), every = (count + 99) / 100;
    dls_scene *scene;
    dls_rig rig;
    DLS_TRY(dls_scene_named(cases[c].scene, &scene, error));
    dls_stabilise_joints(scene, method, &stabilisation);
    DLS_TRY(dls_rig_open(&rig, scene, &plan, error));
    double before = dls_energy(dls_rig_at(&rig));
    while (dls_rig_next(&rig, set->step, count)) {
        const dls_ledger *l = dls_simulation_ledger(rig.simulation);
        add_step(sum, l);
        sum->change = dls_energy(dls_rig_at(&rig)) - before;
        sum->error = fabs(total(sum) - sum->change) /
                     (sum->moved + (l->kinetic_after + fabs(l->potential_after) + fabs(before)));
        if (rig.steps % every != 0 && rig.steps != count)
            continue;
        dls_table_cells(study->tables[HISTORY], "%s %s %g %g %g", cases[c].name, method->name,
                        dls_rig_state(&rig)->time, sum->change, total(sum));
        write_sums(study->tables[HISTORY], sum);
    }
    return dls_rig_end(&rig);
}

static dls_status run_all(dls_study *study, dls_error *error)
{
    dls_energy_findings *f = study->found;
    for (dls_grid g = DLS_GRID(DLS_ENERGY_CASES, DLS_METHODS); dls_study_next(study, &g);) {
        const dls_method *method = &dls_methods[g.at[1]];
        dls_energy_sum *sum = &f->of[g.at[0]][g.at[1]];
        DLS_TRY(run_case(study, g.at[0], method, sum, error));
        dls_table_cells(study->tables[SUMMARY], "%s %s %zu %g %g %g %g", cases[g.at[0]].name, method->name, sum->steps,
                        sum->change, total(sum), sum->error, sum->mismatch);
        write_sums(study->tables[SUMMARY], sum);
    }
    return DLS_OK;
}

static dls_status draw_energy(dls_study *study, dls_error *error)
{
    const dls_energy_settings *set = study->settings;
    const dls_energy_findings *f = study->found;
    for (size_t c = 0; c < DLS_ENERGY_CASES; c++) {
        double sum_error = 0.0, mismatch = 0.0;
        dls_figure figure;
        for (size_t w = 0; w < DLS_METHODS; w++) {
            sum_error = fmax(sum_error, f->of[c][w].error);
            mismatch = fmax(mismatch, f->of[c][w].mismatch);
        }
        dls_figure_begin(&figure, study, "energy-ledger", SUMMARY, cases[c].name);
        dls_figure_set(&figure, "scene", "%s", cases[c].name);
        dls_figure_say(
            &figure,
            "Where the energy went: %s, %g s at %g s a step, %s of %zu iterations (small steps: substeps) "
            "from zero impulse. Bars: the columns of the ledger summed over the run, gains to the right and "
            "losses to the left; points: the change of energy, which is their sum, to %.1e of what was moved in a step "
            "and to %.1e in a run. The change [J]: ",
            cases[c].caption, set->duration, set->step, set->solver, set->iterations, mismatch, sum_error);
        for (size_t w = 0; w < DLS_METHODS; w++)
            dls_figure_say(&figure, "%s%s %.3g", w ? ", " : "", dls_methods[w].name, f->of[c][w].change);
        DLS_TRY(dls_figure_draw(&figure, error, "."));
    }
    return DLS_OK;
}

static const dls_experiment_part parts[] = {{"energy", run_all}, {NULL, NULL}};

static void conclude(const dls_study *study, dls_finding *finding)
{
    const dls_energy_findings *f = study->found;
    double worst = 0.0;
    for (size_t c = 0; c < DLS_ENERGY_CASES; c++)
        for (size_t k = 0; k < DLS_METHODS; k++)
            worst = fmax(worst, f->of[c][k].error);
    snprintf(finding->figure, sizeof finding->figure, "energy-ledger-double-pendulum");
    snprintf(
        finding->sentence, sizeof finding->sentence,
        "Every joule has a name: the ledger's columns account for the change of energy of %d methods to %.1e of what "
        "they moved.",
        DLS_METHODS, worst);
}

const dls_experiment dls_experiment_energy = {
    .name = "energy",
    .summary = "the energy ledger of every method of constraint stabilisation, of a double pendulum and of a stack",
    .title = "Energy ledger",
    .question = "Where does the energy of each scheme go?",
    .varies = "the method of constraint stabilisation, on a double pendulum and on a stack",
    .measures = "every step's work of forces, rows, corrections and the integrator",
    .shows =
        "that the columns account for the change of energy to rounding, and which of them each method loses energy to",
    .mechanisms = "hinge-pair stack-10",
    .fields = DLS_FIELD_TABLE(fields, dls_energy_settings),
    .small = "duration=0.05",
    .tables = tables,
    .parts = parts,
    .findings = sizeof(dls_energy_findings),
    .remark = {"columns", "those of the ledger, summed from the first step on; sum_error: relative to the sum of all "
                          "contributions and the energies at both ends"},
    .figures = draw_energy,
    .conclude = conclude,
};
