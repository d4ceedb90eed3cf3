/* Experiment: mimic joints, alone and against drives and limits, under dense steps, PGS and TGS.
 * mimic-joints, all of it; conventions, Projected Gauss-Seidel and TGS.
 *
 * Alone, a mimic joint is one row, and one row is exact after one iteration of anything. Beside a drive or a limit on
 * one of its coordinates sweeps leave an error, which depends on how many there are and on who comes last; two mimic
 * joints that share a coordinate are such rivals too. Every run is compared with dense steps of the same size, each of
 * which the examiner certifies.
 */
#include "mimic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(key, unit, kind, member, fallback, min, max, help)                                                 \
    {                                                                                                            \
        key, unit, DLS_FIELD_##kind, offsetof(dls_mimic_settings, member), fallback, min, max, false, NULL, help \
    }
static const dls_field fields[] = {
    FIELD("mechanisms", "", NAME, mechanisms, "parallel,series,star,chain,six,gripper", 0, 0,
          "which ones, separated by commas"),
    FIELD("iterations", "", NAME, iterations, "1,4,16,64", 0, 0,
          "iterations a step, separated by commas, 8 numbers at most"),
    FIELD("coarse", "s", REAL, coarse, "0.016666666666666666", 1e-6, 0.1, "the longer step"),
    FIELD("fine", "s", REAL, fine, "0.001", 1e-6, 0.1, "the shorter step"),
    FIELD("duration", "s", REAL, duration, "5", 0.01, 1000, "length of a run of mimic joints alone"),
    FIELD("contest", "s", REAL, contest, "0.5", 0.01, 1000, "length of a run where others act on the coordinate B"),
    FIELD("erp", "", REAL, erp, "0.2", 0, 1, "of the mimic joints"),
    FIELD("error", "", REAL, error, "0.1", -10, 10, "position error whose decay is measured [rad]"),
};

/* --- lists in settings --- */

static bool listed(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *from = list; *from; from += strcspn(from, ","), from += *from == ',')
        if (strcspn(from, ",") == length && strncmp(from, word, length) == 0)
            return true;
    return false;
}

bool dls_mimic_wanted(const dls_mimic_lab *lab, const dls_mimic_mechanism *mechanism)
{
    return listed(lab->settings->mechanisms, mechanism->group);
}

static dls_status check_groups(const char *list, dls_error *error)
{
    for (const char *from = list; *from; from += strcspn(from, ","), from += *from == ',') {
        const dls_mimic_mechanism *m = dls_mimic_mechanisms;
        char word[DLS_NAME_MAX];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(from, ","), from);
        while (m->name && strcmp(m->group, word) != 0)
            m++;
        if (!m->name)
            return dls_fail_at(error, DLS_BAD_INPUT, NULL, 0, 0, "mechanisms", "there is no mechanism '%s'", word);
    }
    return DLS_OK;
}

static dls_status read_counts(dls_mimic_lab *lab, dls_error *error)
{
    for (const char *from = lab->settings->iterations; *from;) {
        char *end;
        unsigned long count = strtoul(from, &end, 10);
        if (end == from || (*end && *end != ',') || *from == '-' || count < 1 || count > 100000 ||
            lab->n_iterations == DLS_MIMIC_COUNTS_MAX)
            return dls_fail_at(error, DLS_BAD_INPUT, NULL, 0, 0, "iterations",
                               "must be 1 to %d numbers from 1 to 100000, separated by commas",
                               (int)DLS_MIMIC_COUNTS_MAX);
        lab->iterations[lab->n_iterations++] = count;
        from = end + (*end == ',');
    }
    return lab->n_iterations
               ? DLS_OK
               : dls_fail_at(error, DLS_BAD_INPUT, NULL, 0, 0, "iterations", "must be at least one number");
}

/* --- tables --- */

dls_status dls_mimic_table(const dls_mimic_lab *lab, const char *stem, const char *columns, dls_table **table,
                           dls_error *error)
{
    DLS_TRY(dls_job_table(lab->job, stem, table, error));
    dls_table_note_fields(*table, "", &lab->fields, lab->settings);
    dls_table_note(*table, "C", "[rad], of the gripper [m]; coordinates likewise");
    dls_table_columns(*table, columns);
    return DLS_OK;
}

dls_status dls_mimic_finish(dls_table *table, dls_status status, dls_error *error)
{
    if (status == DLS_OK)
        return dls_table_commit(table, error);
    dls_table_abandon(table);
    return status;
}

static const char run_columns[] =
    "mechanism\trival\trows_of_mimic\tstep[s]\tscheme\titerations\tmax_C\tfinal_C\tdistance_to_dense"
    "\tmax_energy_drift[J]\tfinal_energy_drift[J]\tscaled_residual\tsteps\tfailed_at_step";

static void write_head(dls_table *table, const dls_mimic_record *r)
{
    dls_table_text(table, r->setup.mechanism->name);
    dls_table_text(table, r->setup.rival->name);
    dls_table_text(table, r->setup.mimic_last ? "last" : "first");
    dls_table_real(table, r->run.step);
    dls_table_text(table, dls_mimic_way_names[r->run.way]);
}

static void write_run(dls_table *table, const dls_mimic_record *r)
{
    const dls_mimic_result *found = &r->result;
    write_head(table, r);
    dls_table_count(table, r->run.iterations);
    const double values[] = {found->worst_error, found->last_error, found->distance,
                             found->worst_drift, found->last_drift, found->worst_residual};
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++)
        dls_table_real(table, values[k]);
    dls_table_count(table, found->steps);
    dls_table_count(table, found->failed);
    dls_table_end_row(table);
}

static dls_status write_runs(const dls_mimic_lab *lab, dls_error *error)
{
    dls_table *table;
    DLS_TRY(dls_mimic_table(lab, "mimic.runs", run_columns, &table, error));
    for (size_t k = 0; k < lab->n_records; k++)
        write_run(table, &lab->records[k]);
    return dls_mimic_finish(table, DLS_OK, error);
}

/* A line for all runs that differ in their iterations alone; the dense one stands in all columns. */
static void write_line(const dls_mimic_lab *lab, dls_table *table, const dls_mimic_record *r)
{
    bool dense = r->run.way == DLS_MIMIC_DENSE;
    write_head(table, r);
    for (size_t i = 0; i < lab->n_iterations; i++)
        dls_table_real(table, r[dense ? 0 : i].result.worst_error);
    for (size_t i = 0; i < lab->n_iterations; i++)
        dls_table_real(table, r[dense ? 0 : i].result.last_error);
    for (size_t i = 0; i < lab->n_iterations; i++)
        dls_table_real(table, r[dense ? 0 : i].result.distance);
    dls_table_end_row(table);
}

static dls_status write_summary(const dls_mimic_lab *lab, dls_error *error)
{
    static const char *const what[] = {"max_C", "final_C", "distance_to_dense"};
    char columns[1024] = "mechanism\trival\trows_of_mimic\tstep[s]\tscheme";
    dls_table *table;
    for (int w = 0; w < 3; w++)
        for (size_t i = 0; i < lab->n_iterations; i++) {
            size_t used = strlen(columns);
            snprintf(columns + used, sizeof columns - used, "\t%s_N%zu", what[w], lab->iterations[i]);
        }
    DLS_TRY(dls_mimic_table(lab, "mimic.summary", columns, &table, error));
    for (size_t k = 0; k < lab->n_records; k += lab->records[k].run.way == DLS_MIMIC_DENSE ? 1 : lab->n_iterations)
        write_line(lab, table, &lab->records[k]);
    return dls_mimic_finish(table, DLS_OK, error);
}

/* --- the sweep: every mechanism, rival, order, step, way and number of iterations --- */

const dls_mimic_result *dls_mimic_result_of(const dls_mimic_lab *lab, const char *mechanism, const char *rival,
                                            bool mimic_last, double step, dls_mimic_way way, size_t iterations)
{
    for (const dls_mimic_record *r = lab->records; r < lab->records + lab->n_records; r++)
        if (r->run.way == way && r->run.iterations == iterations && r->run.step == step &&
            r->setup.mimic_last == mimic_last && strcmp(r->setup.mechanism->name, mechanism) == 0 &&
            strcmp(r->setup.rival->name, rival) == 0)
            return &r->result;
    return NULL;
}

static dls_status keep(dls_mimic_lab *lab, const dls_mimic_record *record, dls_error *error)
{
    if (lab->n_records == lab->cap_records) {
        size_t more = lab->cap_records ? 2 * lab->cap_records : 256;
        dls_mimic_record *larger = realloc(lab->records, more * sizeof *larger);
        if (!larger)
            return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu runs", more);
        lab->records = larger;
        lab->cap_records = more;
    }
    lab->records[lab->n_records++] = *record;
    return DLS_OK;
}

static dls_status measure_ways(dls_mimic_lab *lab, const dls_model *model, dls_mimic_record *r, dls_mimic_path *dense,
                               dls_error *error)
{
    r->run.way = DLS_MIMIC_DENSE, r->run.iterations = 0;
    DLS_TRY(dls_mimic_measure(model, &r->run, NULL, dense, &r->result, error));
    r->result.distance = 0.0;
    DLS_TRY(keep(lab, r, error));
    for (r->run.way = DLS_MIMIC_PGS; r->run.way < DLS_MIMIC_WAYS; r->run.way++)
        for (size_t i = 0; i < lab->n_iterations; i++) {
            r->run.iterations = lab->iterations[i];
            DLS_TRY(dls_mimic_measure(model, &r->run, dense, NULL, &r->result, error));
            DLS_TRY(keep(lab, r, error));
        }
    return DLS_OK;
}

static dls_status measure_setup(dls_mimic_lab *lab, const dls_mimic_setup *setup, double step, double duration,
                                dls_error *error)
{
    dls_mimic_record record = {.setup = *setup, .run = {.step = step, .duration = duration}};
    dls_mimic_path dense = {0, 0, NULL};
    dls_model *model;
    DLS_TRY(dls_mimic_model(setup, &model, error));
    dls_status status = measure_ways(lab, model, &record, &dense, error);
    dls_mimic_path_release(&dense);
    dls_model_destroy(model);
    return status;
}

static dls_status sweep_mechanism(dls_mimic_lab *lab, const dls_mimic_mechanism *m, dls_error *error)
{
    const dls_mimic_settings *s = lab->settings;
    for (const dls_mimic_rival *rival = dls_mimic_rivals; rival->name; rival++) {
        dls_mimic_setup setup = {.mechanism = m, .rival = rival, .erp = s->erp};
        double duration = rival == dls_mimic_rivals ? s->duration : s->contest;
        DLS_TRY(measure_setup(lab, &setup, s->coarse, duration, error));
        DLS_TRY(measure_setup(lab, &setup, s->fine, duration, error));
        setup.mimic_last = true;
        if (rival != dls_mimic_rivals)
            DLS_TRY(measure_setup(lab, &setup, s->coarse, duration, error));
    }
    return DLS_OK;
}

static dls_status sweep(dls_mimic_lab *lab, dls_error *error)
{
    size_t count = 0, done = 0;
    for (const dls_mimic_mechanism *m = dls_mimic_mechanisms; m->name; m++)
        count += dls_mimic_wanted(lab, m);
    for (const dls_mimic_mechanism *m = dls_mimic_mechanisms; m->name; m++) {
        if (!dls_mimic_wanted(lab, m))
            continue;
        dls_job_progress(lab->job, m->name, (double)done++ / (double)count);
        DLS_TRY(sweep_mechanism(lab, m, error));
    }
    return DLS_OK;
}

dls_status dls_mimic_try(const dls_mimic_setup *setup, const dls_mimic_run *run, dls_mimic_path *path,
                         dls_mimic_result *result, dls_error *error)
{
    dls_model *model;
    DLS_TRY(dls_mimic_model(setup, &model, error));
    dls_status status = dls_mimic_measure(model, run, NULL, path, result, error);
    dls_model_destroy(model);
    return status;
}

/* --- the experiment --- */

static dls_status run_lab(dls_mimic_lab *lab, dls_error *error)
{
    dls_mimic_findings found;
    DLS_TRY(check_groups(lab->settings->mechanisms, error));
    DLS_TRY(read_counts(lab, error));
    DLS_TRY(sweep(lab, error));
    DLS_TRY(write_runs(lab, error));
    DLS_TRY(write_summary(lab, error));
    DLS_TRY(dls_mimic_physx(lab, error));
    DLS_TRY(dls_mimic_decay(lab, &found, error));
    DLS_TRY(dls_mimic_energy(lab, error));
    DLS_TRY(dls_mimic_stability(lab, &found, error));
    DLS_TRY(dls_mimic_exact(lab, &found, error));
    return dls_mimic_figures(lab, &found, error);
}

static dls_status run(const dls_job *job, const void *settings, dls_error *error)
{
    dls_mimic_lab lab = {.job = job, .settings = settings, .fields = DLS_FIELD_TABLE(fields, dls_mimic_settings)};
    dls_status status = run_lab(&lab, error);
    free(lab.records);
    return status;
}

const dls_experiment dls_experiment_mimic = {
    .name = "mimic",
    .summary = "mimic joints alone and against drives and limits, under dense steps, PGS and TGS",
    .fields = DLS_FIELD_TABLE(fields, dls_mimic_settings),
    .run = run,
};
