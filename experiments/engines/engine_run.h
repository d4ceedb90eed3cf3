/* engine_run.h - a model said to an engine of another project, and its run. Not installed. */
#ifndef DLS_EXPERIMENTS_ENGINE_RUN_H
#define DLS_EXPERIMENTS_ENGINE_RUN_H

#include "delassus/experiments.h"
#include "engines/engine.h"

/* --- a mechanism for engines (translate.c) --- */

/* The model at its start, for steps of h [s]. A given contact lets the shapes of its two bodies touch, or that of one
 * and the plane through the point; engines find the contacts themselves. DLS_REFUSED, with the reason, for what cannot
 * be said to any engine. */
dls_status dls_engine_mechanism_create(const dls_model *model, double h, size_t iterations,
                                       dls_engine_mechanism **mechanism, dls_error *error);
/* Adds the armatures of the joints of articulations to those of a mechanism: that of the model which they have been
 * unfolded to (delassus/unfold.h), and in which they have the same names. DLS_REFUSED for one of several axes. */
dls_status dls_engine_mechanism_add_armatures(dls_engine_mechanism *mechanism, const dls_model *model,
                                              const dls_model *folded, dls_error *error);
void dls_engine_mechanism_destroy(dls_engine_mechanism *mechanism); /* NULL is allowed */
/* DLS_REFUSED where this engine lacks a joint type or a shape of it. */
dls_status dls_engine_check(const dls_engine *engine, const dls_engine_mechanism *mechanism, dls_error *error);

/* A setting of a joint by its key, a real; NaN: its type has none. */
double dls_engine_setting(const dls_joint *joint, const char *key);

/* --- runs of engines (engine_run.c) --- */

/* An engine that was loaded. */
typedef struct dls_engine_choice {
    const dls_engine *engine;
    void *object;
    char version[DLS_NAME_MAX];
} dls_engine_choice;
/* DLS_BAD_ARGUMENT for a name that is not in engines.def; DLS_UNAVAILABLE, with the library that it needs, where it was
 * not built. */
dls_status dls_engine_choose(const char *name, dls_engine_choice *choice, dls_error *error);
void dls_engine_release(dls_engine_choice *choice);

/* The states after each step of a run. */
typedef struct dls_engine_record {
    size_t n_bodies, steps;    /* steps that were taken, */
    dls_engine_state *states;  /* steps x n_bodies, */
    double seconds;            /* and the processor time of all of them [s] */
    char why[DLS_MESSAGE_MAX]; /* why there are no more of them; "": all were taken */
} dls_engine_record;
/* `steps` steps in a process of its own, so that a crash or a hang (`patience` [s]) of the engine is its end alone.
 * A failure of the engine is told in the record. DLS_REFUSED with the reason where it cannot. */
dls_status dls_engine_run(const dls_engine *engine, const dls_engine_mechanism *mechanism, size_t steps,
                          double patience, dls_engine_record *record, dls_error *error);
void dls_engine_record_release(dls_engine_record *record);
/* Writes the states of all bodies, of an engine, into a state of the model. */
void dls_engine_place(const dls_model *model, const dls_engine_state *states, dls_state *state);

#endif
