/* Experiment: a body on rails against closed forms. track-joint, all of it.
 *
 * A helix under gravity, a hump and a loop, a track on a free body, the printed angle error, a line that runs into a
 * curve with and without a clothoid, and a small railway. What each must give is derived in the file of its study. */
#include "track.h"

#include <stdlib.h>

#define FIELD(key, unit, kind, member, fallback, min, max, help)                                                \
    {                                                                                                           \
        key, unit, DLS_FIELD_##kind, offsetof(dls_track_options, member), fallback, min, max, false, NULL, help \
    }
static const dls_field fields[] = {
    FIELD("step", "s", REAL, step, "1 ms", 1e-5, 0.1,
          "time step; studies of order take 8 times, 4 times, twice and half of it too"),
    FIELD("contact_step", "s", REAL, contact_step, "0.2 ms", 1e-5, 0.1, "time step of hump and loop"),
    FIELD("seconds", "s", REAL, seconds, "1", 0.01, 2, "length of a ride down the helix"),
    FIELD("iterations", "", COUNT, iterations, "100", 1, 1e6,
          "of pgs in a step; sweeps that are compared have 100 times as many"),
    FIELD("substeps", "", COUNT, substeps, "20", 1, 1e4, "iterations of tgs in a step"),
};

/* --- rigs --- */

static dls_status open(dls_track_rig *rig, const dls_scene *scene, const char *solver, const char *scheme,
                       size_t iterations, dls_error *error)
{
    rig->scheme = dls_scheme_find(scheme);
    rig->scheme_settings = malloc(rig->scheme->fields.size);
    if (!rig->scheme_settings)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the settings of %s", scheme);
    DLS_TRY(dls_fields_default(&rig->scheme->fields, rig->scheme_settings, error));
    DLS_TRY(dls_choice_create(solver, &rig->choice, error));
    DLS_TRY(dls_model_create(scene, &rig->model, error));
    dls_simulation_options options = dls_simulation_default();
    options.solver = rig->choice.solver, options.solver_settings = rig->choice.settings;
    options.scheme = rig->scheme, options.scheme_settings = rig->scheme_settings;
    options.iterations = iterations;
    return dls_simulation_open(rig->model, &options, &rig->simulation, error);
}

dls_status dls_track_rig_open(dls_track_rig *rig, dls_scene *scene, const char *solver, const char *scheme,
                              size_t iterations, dls_error *error)
{
    *rig = (dls_track_rig){0};
    dls_status status = open(rig, scene, solver, scheme, iterations, error);
    dls_scene_destroy(scene);
    return status;
}

dls_status dls_track_rig_step(dls_track_rig *rig, double h, dls_error *error)
{
    return dls_simulation_step(rig->simulation, h, error);
}

dls_track_ride dls_track_rig_ride(const dls_track_rig *rig, size_t joint)
{
    dls_end end[2];
    dls_configuration_ends(dls_simulation_configuration(rig->simulation), &rig->model->joints[joint], end);
    return dls_track_ride_of(&rig->model->joints[joint], end);
}

dls_track_forces dls_track_rig_forces(const dls_track_rig *rig, size_t joint)
{
    return dls_track_forces_of(dls_simulation_rows(rig->simulation), dls_simulation_impulses(rig->simulation),
                               dls_simulation_problem(rig->simulation)->h, joint);
}

void dls_track_rig_close(dls_track_rig *rig)
{
    dls_simulation_close(rig->simulation);
    dls_model_destroy(rig->model);
    dls_choice_release(&rig->choice);
    free(rig->scheme_settings);
    *rig = (dls_track_rig){0};
}

dls_status dls_track_scene(const char *name, dls_scene **scene, dls_error *error)
{
    char path[DLS_PATH_MAX];
    snprintf(path, sizeof path, "%s/scenes/%s.yaml", dls_data_folder(), name);
    return dls_scene_read(path, scene, error);
}

dls_status dls_track_scene_text(const char *text, dls_scene **scene, dls_error *error)
{
    size_t size = 0;
    while (text[size])
        size++;
    return dls_scene_parse(text, size, "track", scene, error);
}

/* --- tables --- */

dls_status dls_track_table(const dls_track_lab *lab, const char *stem, const char *columns, dls_table **table,
                           dls_error *error)
{
    DLS_TRY(dls_job_table(lab->job, stem, table, error));
    dls_table_note_fields(*table, "", &lab->fields, lab->options);
    dls_table_columns(*table, columns);
    return DLS_OK;
}

dls_status dls_track_finish(dls_table *table, dls_status status, dls_error *error)
{
    if (status == DLS_OK)
        return dls_table_commit(table, error);
    dls_table_abandon(table);
    return status;
}

void dls_track_row(dls_table *table, const char *text, const char *second, const double *values, size_t count)
{
    dls_table_text(table, text);
    if (second)
        dls_table_text(table, second);
    for (size_t i = 0; i < count; i++)
        dls_table_real(table, values[i]);
    dls_table_end_row(table);
}

/* --- the experiment --- */

static dls_status run(const dls_job *job, const void *settings, dls_error *error)
{
    const dls_track_lab lab = {job, settings, DLS_FIELD_TABLE(fields, dls_track_options)};
    static const struct {
        const char *name;
        dls_status (*study)(const dls_track_lab *, dls_error *);
    } studies[] = {{"order", dls_track_order},     {"angles", dls_track_angles},   {"pair", dls_track_pair},
                   {"contact", dls_track_contact}, {"lateral", dls_track_lateral}, {"railway", dls_track_railway}};
    const size_t count = sizeof studies / sizeof studies[0];
    for (size_t i = 0; i < count; i++) {
        dls_job_progress(job, studies[i].name, (double)i / (double)count);
        DLS_TRY(studies[i].study(&lab, error));
    }
    return DLS_OK;
}

const dls_experiment dls_experiment_track = {
    .name = "track",
    .summary = "a body on rails against closed forms: helix, hump, loop, a track on a free body, a railway",
    .fields = DLS_FIELD_TABLE(fields, dls_track_options),
    .run = run,
};
