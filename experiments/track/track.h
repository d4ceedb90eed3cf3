/* track.h - what the studies of the track experiment share. Not installed. */
#ifndef DELASSUS_EXPERIMENTS_TRACK_H
#define DELASSUS_EXPERIMENTS_TRACK_H

#include "delassus/experiments.h"
#include "delassus/track.h"

typedef struct dls_track_options {
    size_t iterations, substeps;
    double step, contact_step, seconds;
} dls_track_options;

typedef struct dls_track_lab {
    const dls_job *job;
    const dls_track_options *options;
    dls_field_table fields;
} dls_track_lab;

/* A scene under a solver and a scheme. Zeroed: closed. */
typedef struct dls_track_rig {
    dls_model *model;
    dls_choice choice;
    const dls_scheme *scheme;
    void *scheme_settings;
    dls_simulation *simulation;
} dls_track_rig;
/* Takes the scene, also on failure; dls_track_rig_close follows in every case. */
dls_status dls_track_rig_open(dls_track_rig *rig, dls_scene *scene, const char *solver, const char *scheme,
                              size_t iterations, dls_error *error);
dls_status dls_track_rig_step(dls_track_rig *rig, double h, dls_error *error);
dls_track_ride dls_track_rig_ride(const dls_track_rig *rig, size_t joint);
dls_track_forces dls_track_rig_forces(const dls_track_rig *rig, size_t joint);
void dls_track_rig_close(dls_track_rig *rig);

/* scenes/NAME.yaml; a scene as text. */
dls_status dls_track_scene(const char *name, dls_scene **scene, dls_error *error);
dls_status dls_track_scene_text(const char *text, dls_scene **scene, dls_error *error);
dls_status dls_track_table(const dls_track_lab *lab, const char *stem, const char *columns, dls_table **table,
                           dls_error *error);
/* Commits the table, or abandons it where `status` is a failure. */
dls_status dls_track_finish(dls_table *table, dls_status status, dls_error *error);
void dls_track_row(dls_table *table, const char *text, const char *second, const double *values, size_t count);

/* The studies, each with its tables. */
dls_status dls_track_order(const dls_track_lab *lab, dls_error *error);
dls_status dls_track_angles(const dls_track_lab *lab, dls_error *error);
dls_status dls_track_pair(const dls_track_lab *lab, dls_error *error);
dls_status dls_track_contact(const dls_track_lab *lab, dls_error *error);
dls_status dls_track_lateral(const dls_track_lab *lab, dls_error *error);
dls_status dls_track_railway(const dls_track_lab *lab, dls_error *error);

#endif
