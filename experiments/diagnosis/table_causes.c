/* Causes that the tables of a run show, each from the first line on in which it is seen. The tables have samples of the
 * steps, and no scene: the size of the mechanism is half the diagonal of the box around the bodies at the start. The
 * columns of the run's account (experiments/run/energy_gains.c) have the energy that nothing gives it. Without them
 * drives or motors may have given it, and only an energy that has grown many times over is a finding. Figures that the
 * tables do not have are told as such. */
#include "parts.h"

#include "base/arithmetic.h"
#include "base/text.h"
#include "run/run.h"
#include "study/sheet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double growth_most = 10.0; /* times the energy before */

/* --- tables --- */

typedef struct run_table {
    const char *path;
    dls_sheet sheet;
} run_table;

static dls_status open_table(const char *path, run_table *t, dls_error *error)
{
    *t = (run_table){.path = path};
    return dls_sheet_read(path, &t->sheet, error);
}

static void release_table(run_table *t) { dls_sheet_release(&t->sheet); }

static dls_status find_column(run_table *t, const char *name, size_t *column, dls_error *error)
{
    return dls_sheet_column(&t->sheet, t->path, name, column, error);
}

/* A number of a cell, NaN for a cell without one; false for any other text. */
static bool read_number(const run_table *t, size_t row, size_t column, double *value)
{
    const char *cell = dls_sheet_cell(&t->sheet, row, column);
    *value = NAN;
    if (strcmp(cell, "inf") == 0 || strcmp(cell, "-inf") == 0)
        *value = *cell == '-' ? -HUGE_VAL : HUGE_VAL;
    else if (*cell != '\0' && strcmp(cell, "nan") != 0 && strcmp(cell, "-") != 0)
        return dls_sheet_real(&t->sheet, row, column, value);
    return true;
}

static double cell_number(const run_table *t, size_t row, size_t column)
{
    double value;
    return read_number(t, row, column, &value) ? value : NAN;
}

/* A column of numbers. */
static dls_status find_numbers(run_table *t, const char *name, size_t *column, dls_error *error)
{
    double value;
    DLS_TRY(find_column(t, name, column, error));
    for (size_t i = 0; i < t->sheet.rows; i++)
        if (!read_number(t, i, *column, &value))
            return dls_fail_at(error, DLS_BAD_INPUT, t->path, (long)t->sheet.line[1 + i], 1, name,
                               "'%.40s' is not a number; a table of a run has numbers, nan or nothing there",
                               dls_sheet_cell(&t->sheet, i, *column));
    return DLS_OK;
}

/* --- findings --- */

typedef struct table_findings {
    dls_diagnosis *into;
    double *first; /* time of the first line with a finding; NaN: none yet */
    size_t count;  /* findings whose time is noted */
} table_findings;

/* Notes since when the finding is seen that was just added; nothing where the number was within its limit. */
static void note_time(table_findings *f, double since)
{
    if (f->into->count > f->count)
        *f->first = fmin(*f->first, since); /* NaN gives way */
    f->count = f->into->count;
}

static dls_status note_unmeasured(table_findings *f, const char *figure, const char *reason, dls_error *error)
{
    const dls_status status = diagnosis_unmeasured(f->into, figure, reason, error);
    f->count = f->into->count;
    return status;
}

/* The largest number of a column, the time of the first line above the limit (NaN: none is), and how many lines have a
 * number. */
typedef struct column_peak {
    double most, since;
    size_t numbers;
} column_peak;

static dls_status find_peak(run_table *t, const char *name, double limit, column_peak *peak, dls_error *error)
{
    size_t time, column;
    DLS_TRY(find_numbers(t, "time[s]", &time, error));
    DLS_TRY(find_numbers(t, name, &column, error));
    *peak = (column_peak){0.0, NAN, 0};
    for (size_t i = 0; i < t->sheet.rows; i++) {
        const double value = fabs(cell_number(t, i, column));
        peak->numbers += isnan(value) ? 0 : 1;
        peak->most = value > peak->most ? value : peak->most;
        if (value > limit && isnan(peak->since))
            peak->since = cell_number(t, i, time);
    }
    return DLS_OK;
}

/* Steps without an answer, and the end of the run. */
static dls_status judge_outcomes(table_findings *f, run_table *t, dls_error *error)
{
    size_t time, outcome, failed = 0;
    double since = NAN;
    const char *word = "";
    DLS_TRY(find_numbers(t, "time[s]", &time, error));
    DLS_TRY(find_column(t, "outcome", &outcome, error));
    for (size_t i = 0; i < t->sheet.rows; i++)
        for (int k = 0; k < DLS_OUTCOMES; k++)
            if (dls_outcome_failed((dls_outcome)k) &&
                strcmp(dls_sheet_cell(&t->sheet, i, outcome), dls_outcome_text((dls_outcome)k)) == 0 && failed++ == 0)
                since = cell_number(t, i, time), word = dls_outcome_text((dls_outcome)k);
    DLS_TRY(dls_diagnosis_add(f->into, DLS_FAULT_UNSOLVED, DLS_SEVERITY_FAULT, NULL, (double)failed, 0.0, error,
                              "%zu lines are about steps that the solver did not solve, the first at %.6g s: %s",
                              failed, since, word));
    note_time(f, since);
    const size_t last = t->sheet.rows - 1;
    const bool diverged = strcmp(dls_sheet_cell(&t->sheet, last, outcome), dls_run_end_names[DLS_RUN_DIVERGED]) == 0;
    DLS_TRY(dls_diagnosis_add(f->into, DLS_FAULT_DIVERGED, DLS_SEVERITY_FAULT, NULL, diverged, 0.0, error,
                              "the run ends at %.6g s, before a step without a finite result",
                              cell_number(t, last, time)));
    note_time(f, cell_number(t, last, time));
    return DLS_OK;
}

static dls_status judge_residuals(table_findings *f, run_table *t, dls_error *error)
{
    column_peak peak;
    DLS_TRY(find_peak(t, "scaled_residual", diagnosis_residual_most, &peak, error));
    if (peak.numbers == 0)
        return note_unmeasured(f, "residuals are", "the run examined no step (--examine samples)", error);
    DLS_TRY(dls_diagnosis_add(
        f->into, DLS_FAULT_NOT_CONVERGED, DLS_SEVERITY_RISK, NULL, peak.most, diagnosis_residual_most, error,
        "scaled residuals of up to %.2g, above the limit since %.6g s: more iterations, or a direct "
        "method",
        peak.most, peak.since));
    note_time(f, peak.since);
    return DLS_OK;
}

/* `unknown`: why the mechanism has no size; NULL: it has one. */
static dls_status judge_errors(table_findings *f, run_table *t, double size, const char *unknown, dls_error *error)
{
    column_peak peak;
    DLS_TRY(find_peak(t, "joint_error[rad]", diagnosis_drift_most, &peak, error));
    DLS_TRY(dls_diagnosis_add(f->into, DLS_FAULT_DRIFT, DLS_SEVERITY_RISK, NULL, peak.most, diagnosis_drift_most, error,
                              "joints twist apart by up to %.3g rad, by more than the limit since %.6g s: more "
                              "iterations, a larger erp, or a shorter step",
                              peak.most, peak.since));
    note_time(f, peak.since);
    DLS_TRY(find_peak(t, "joint_error[m]", diagnosis_drift_most * size, &peak, error));
    if (unknown)
        return peak.most > 0.0
                   ? note_unmeasured(f, "the drift of joints against the size of the mechanism is", unknown, error)
                   : DLS_OK;
    DLS_TRY(dls_diagnosis_add(
        f->into, DLS_FAULT_DRIFT, DLS_SEVERITY_RISK, NULL, peak.most / size, diagnosis_drift_most, error,
        "joints come apart by up to %.3g m, by more than the limit since %.6g s: more iterations, a "
        "larger erp, or a shorter step",
        peak.most, peak.since));
    note_time(f, peak.since);
    return DLS_OK;
}

/* --- energy --- */

/* Gains of the lines, the largest of them, and the energy that they are relative to. */
typedef struct table_gains {
    const double *gain; /* a line each [J] */
    double most, scale; /* [J] */
    size_t at;          /* the line of the largest */
} table_gains;

/* The time of the first line whose gain is above a share of the scale; NaN: none is. */
static double gain_since(const run_table *t, const table_gains *g, size_t time, double share)
{
    for (size_t i = 0; i < t->sheet.rows; i++)
        if (g->gain[i] > share * g->scale)
            return cell_number(t, i, time);
    return NAN;
}

/* The gains by the run's account, relative to the energy of the last line. */
static dls_status judge_account(table_findings *f, run_table *t, double *gain, bool *kept, dls_error *error)
{
    static const char account[] = "energy that nothing gives is";
    table_gains g = {.gain = gain};
    size_t time, own, scale, column;
    if (find_column(t, "gain[J]", &own, NULL) != DLS_OK)
        return note_unmeasured(f, account, "the table has no account of it; write it with this version", error);
    DLS_TRY(find_numbers(t, "time[s]", &time, error));
    DLS_TRY(find_numbers(t, "gain[J]", &own, error));
    DLS_TRY(find_numbers(t, "gain_scale[J]", &scale, error));
    DLS_TRY(find_column(t, "gain_column", &column, error));
    for (size_t i = 0; i < t->sheet.rows; i++) {
        gain[i] = cell_number(t, i, own);
        if (gain[i] > g.most)
            g.most = gain[i], g.at = i;
    }
    g.scale = cell_number(t, t->sheet.rows - 1, scale);
    if (isnan(gain[t->sheet.rows - 1]) || isnan(g.scale))
        return note_unmeasured(f, account, "the run kept no account of it; give it an energy limit, or a ledger",
                               error);
    *kept = true;
    if (!(g.most > 0.0))
        return DLS_OK;
    const double share = g.most / g.scale, since = gain_since(t, &g, time, dls_run_gain_told);
    const char *worst = dls_sheet_cell(&t->sheet, g.at, column);
    DLS_TRY(dls_diagnosis_add(
        f->into, DLS_FAULT_ENERGY, diagnosis_gain_severity(share), NULL, share, dls_run_gain_told, error,
        "gains %.3g J that nothing gives it, %.3g of its energy, beyond the limit since %.6g s; most of it is in the "
        "column '%.40s' of the ledger (--ledger): %s",
        g.most, share, since, worst, diagnosis_gain_mend(worst)));
    note_time(f, since);
    return DLS_OK;
}

/* The energy of each line above the least one before it, in `gain`, and the energy that it is relative to. */
static dls_status measure_growth(run_table *t, double *gain, table_gains *g, size_t *unknown, dls_error *error)
{
    size_t kinetic, potential, elastic;
    double least = HUGE_VAL;
    DLS_TRY(find_numbers(t, "kinetic[J]", &kinetic, error));
    DLS_TRY(find_numbers(t, "potential[J]", &potential, error));
    DLS_TRY(find_numbers(t, "elastic[J]", &elastic, error));
    *g = (table_gains){.gain = gain};
    for (size_t i = 0; i < t->sheet.rows; i++) {
        const double T = cell_number(t, i, kinetic), V = cell_number(t, i, potential), U = cell_number(t, i, elastic);
        const double total = T + V + U;
        gain[i] = 0.0;
        *unknown += isnan(total) ? 1 : 0;
        if (isnan(total))
            continue;
        least = fmin(least, total);
        gain[i] = total - least;
        g->scale = dls_energy_largest(g->scale, T, V, U, gain[i]);
        if (gain[i] > g->most)
            g->most = gain[i], g->at = i;
    }
    return DLS_OK;
}

/* Growth that drives, motors or forces may have given. */
static dls_status judge_growth(table_findings *f, run_table *t, double *gain, dls_error *error)
{
    table_gains g;
    size_t time, unknown = 0;
    char reason[120];
    DLS_TRY(find_numbers(t, "time[s]", &time, error));
    DLS_TRY(measure_growth(t, gain, &g, &unknown, error));
    if (unknown > 0) {
        snprintf(reason, sizeof reason, "%zu of %zu lines have no energy", unknown, t->sheet.rows);
        DLS_TRY(note_unmeasured(f, "the growth of its energy is in part", reason, error));
    }
    if (!(g.most > 0.0))
        return DLS_OK;
    if (!(g.scale > 0.0)) {
        dls_print(reason, sizeof reason, "all that it has, %.3g J, is growth, and there is nothing to compare it with",
                  g.most);
        return note_unmeasured(f, "the growth of its energy is", reason, error);
    }
    const double share = g.most / g.scale, since = gain_since(t, &g, time, growth_most);
    DLS_TRY(dls_diagnosis_add(f->into, DLS_FAULT_ENERGY, DLS_SEVERITY_RISK, NULL, share, growth_most, error,
                              "its energy grows by %.3g J, %.3g times what it had, beyond the limit since %.6g s: if "
                              "drives are not to give it, lower their gains or shorten the step",
                              g.most, share, since));
    note_time(f, since);
    return DLS_OK;
}

static dls_status judge_energy(table_findings *f, run_table *t, dls_error *error)
{
    bool kept = false;
    dls_arena memory = {0};
    double *gain = DLS_TAKE(&memory, double, t->sheet.rows);
    dls_status status =
        memory.failed ? dls_fail(error, DLS_NO_MEMORY, "no memory for a table of %zu lines", t->sheet.rows) : DLS_OK;
    if (status == DLS_OK)
        status = judge_account(f, t, gain, &kept, error);
    if (status == DLS_OK && !kept)
        status = judge_growth(f, t, gain, error);
    dls_arena_release(&memory);
    return status;
}

/* --- a run --- */

/* Half the diagonal of the box around all bodies at the time of the first line. */
static dls_status measure_size(run_table *t, double *size, dls_error *error)
{
    static const char *const names[3] = {"x[m]", "y[m]", "z[m]"};
    size_t time, column[3];
    double square = 0.0;
    DLS_TRY(find_numbers(t, "time[s]", &time, error));
    for (int k = 0; k < 3; k++) {
        double least = HUGE_VAL, most = -HUGE_VAL;
        DLS_TRY(find_numbers(t, names[k], &column[k], error));
        for (size_t i = 0; i < t->sheet.rows && cell_number(t, i, time) == cell_number(t, 0, time); i++) {
            const double x = cell_number(t, i, column[k]);
            least = fmin(least, x), most = fmax(most, x);
        }
        square += (most - least) * (most - least);
    }
    *size = 0.5 * sqrt(square);
    return DLS_OK;
}

/* STEM.KIND.tsv beside STEM.energy.tsv; false where there is none. */
static bool beside_table(const char *energies, const char *kind, char path[DLS_PATH_MAX])
{
    const size_t stem = strlen(energies) - strlen("energy.tsv");
    if (snprintf(path, DLS_PATH_MAX, "%.*s%s.tsv", (int)stem, energies, kind) >= DLS_PATH_MAX)
        return false;
    FILE *file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file != NULL;
}

/* The size of the mechanism, 0 where it is *unknown. */
static dls_status find_size(const char *energies, double *size, const char **unknown, dls_error *error)
{
    char path[DLS_PATH_MAX];
    run_table places;
    *size = 0.0;
    *unknown = "there is no table of its bodies beside this one (NAME.trajectory.tsv)";
    if (!beside_table(energies, "trajectory", path))
        return DLS_OK;
    dls_status status = open_table(path, &places, error);
    if (status == DLS_OK)
        status = measure_size(&places, size, error);
    release_table(&places);
    *unknown = *size > 0.0 ? NULL : "all bodies start at one point";
    return status;
}

static dls_status judge_tables(table_findings *f, run_table *energy, dls_error *error)
{
    const char *unknown;
    double size;
    DLS_TRY(find_size(energy->path, &size, &unknown, error));
    DLS_TRY(judge_outcomes(f, energy, error));
    DLS_TRY(judge_residuals(f, energy, error));
    DLS_TRY(judge_errors(f, energy, size, unknown, error));
    return judge_energy(f, energy, error);
}

dls_status dls_diagnose_tables(dls_diagnosis *diagnosis, const char *energies, double *first, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    table_findings f = {diagnosis, first, diagnosis->count};
    run_table energy;
    *first = NAN;
    dls_status status = open_table(energies, &energy, error);
    if (status == DLS_OK)
        status = judge_tables(&f, &energy, error);
    release_table(&energy);
    return status;
}
