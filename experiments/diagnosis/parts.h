/* Findings of a diagnosis (delassus/diagnosis.h), by what they are measured on: inertias and sizes (body_causes.c), the
 * positions and speeds at the start (start_causes.c), springs and drives (spring_causes.c), the rows of one step
 * (row_causes.c), a run (run_causes.c), its tables (table_causes.c). Not installed. */
#ifndef DELASSUS_DIAGNOSIS_PARTS_H
#define DELASSUS_DIAGNOSIS_PARTS_H

#include "base/memory.h"
#include "delassus/diagnosis.h"

/* A mechanism in its initial state, and the rows of its first step. */
typedef struct diagnosis_scene {
    dls_diagnosis *into;
    const dls_model *model;
    dls_model_counts has;
    const dls_world_def *world;
    double step, length; /* [s]; the size of the mechanism [m] */
    size_t iterations;
    double *extent;    /* n_ends: the distance of an end's farthest known point from its centre of mass [m]; 0: none */
    bool *whole;       /* n_ends: whether the end has shapes or visuals, and all of them are known */
    double *room;      /* n_ends: the volume of its visuals, boxes around their meshes [m^3]; NaN: one is not known */
    double *thickness; /* n_ends: the least thickness of its shapes [m]; infinite: it has none */
    dls_configuration *at;
    double *weight; /* nv: the generalised forces that hold the articulations at rest against gravity */
    dls_contacts contacts;
    dls_row_list *rows;
    dls_arena memory;
} diagnosis_scene;

/* Adds a finding whose number exceeds a limit; nothing is added where it does not, nor if it is not a number. `subject`
 * NULL: the mechanism as a whole. */
dls_status dls_diagnosis_add(dls_diagnosis *diagnosis, dls_fault_cause cause, dls_severity severity,
                             const char *subject, double value, double limit, dls_error *error, const char *format, ...)
    DLS_PRINTF(8, 9);

/* Adds a note that figures were not measured, as "the rate of sweeps is", and why. */
dls_status diagnosis_unmeasured(dls_diagnosis *diagnosis, const char *figure, const char *reason, dls_error *error);

/* --- runs and their tables (run_causes.c) --- */

extern const double diagnosis_residual_most; /* scaled, of an answer that steps are made with */
extern const double diagnosis_drift_most;    /* of the size of the mechanism, or [rad] */
dls_severity diagnosis_gain_severity(double share);
const char *diagnosis_gain_mend(const char *column); /* how to fix a gain in this column of the ledger */

/* --- mechanisms --- */

/* "OWNER.LABEL" of row i of a list. */
void diagnosis_row_name(const diagnosis_scene *scene, size_t i, char *text, size_t size);
double diagnosis_row_size(const diagnosis_scene *scene, size_t i);      /* the size of the mechanism [m], or 1 rad */
const char *diagnosis_row_unit(const diagnosis_scene *scene, size_t i); /* "m" or "rad" */
double diagnosis_volume(const dls_solid *solid);                        /* [m^3]; NaN: of a plane or a mesh */
double diagnosis_row_speed(const diagnosis_scene *scene, size_t i);     /* J_i v of the start */

dls_status diagnosis_bodies(diagnosis_scene *scene, dls_error *error);
dls_status diagnosis_start(diagnosis_scene *scene, dls_error *error);
dls_status diagnosis_springs(diagnosis_scene *scene, dls_error *error);

#endif
