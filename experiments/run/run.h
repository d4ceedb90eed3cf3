/* run.h - the shared parts of a run. Not installed.
 *
 * THE ROOM. A run of one scene, stepped and measured: tables of states, energies, events and changes, the end of a run
 * and its reason, gains of energy, the law of warm starts, and batches of copies. Public in delassus/experiments.h:
 * dls_run_trajectory and dls_run_copies. A table or a measure that every run of a scene may have belongs here; runs of
 * many scenes or settings belong to sweep/, a question to a folder of its own, pictures to picture/. */
#ifndef DLS_EXPERIMENTS_RUN_H
#define DLS_EXPERIMENTS_RUN_H

#include "delassus/change.h"
#include "delassus/experiments.h"

/* --- lines of the tables of states (state_lines.c) --- */

#define DLS_BODY_COLUMNS \
    "body\tx[m]\ty[m]\tz[m]\tqw\tqx\tqy\tqz\tvx[m/s]\tvy[m/s]\tvz[m/s]\twx[rad/s]\twy[rad/s]\twz[rad/s]"
#define DLS_JOINT_COLUMNS "joint\tq[rad|m]\tqd[rad/s|m/s]"

/* Bodies, then links, of those that can move, kinematic ones too. `copy` is a cell after the time, of a batch;
 * DLS_NONE: there is none. `added`: of the parts alone that a change has added; NULL: of all. */
void dls_write_bodies(const dls_configuration *at, double time, size_t copy, const dls_change *added, dls_table *table);
/* Whole angles and travels: of articulations, then of the hinges and sliders that others are coupled to. */
void dls_write_joints(const dls_configuration *at, const dls_state *state, size_t copy, const dls_change *added,
                      dls_table *table);
/* Whether there are any such. */
bool dls_has_coordinates(const dls_model *model);
/* Provenance: the settings of the solver, the scheme with its settings, and those of warm starts. */
void dls_note_method(const dls_run *run, dls_table *table);

/* --- changes of the scene (run_changes.c) --- */

/* The model that holds at present, and how many changes have led to it. Start with {run, run->model}. */
typedef struct dls_run_changes {
    const dls_run *run;
    const dls_model *model;
    dls_model *owned; /* the same; NULL before the first change: it is the run's */
    size_t count;
} dls_run_changes;
void dls_run_changes_release(dls_run_changes *changes); /* after the simulation */

extern const char dls_run_changes_columns[];
size_t dls_run_changes_total(const dls_run *run); /* of the scene */
/* Compiles the scene after each change, as if nothing had moved, and calls `visit` with the first model and each of
 * these. */
dls_status dls_run_changes_try(const dls_run *run, void (*visit)(void *context, const dls_model *model), void *context,
                               dls_error *error);
/* Whether the next change comes before step k (from 0). */
bool dls_run_changes_due(const dls_run_changes *changes, size_t k);
/* Carries it out. `change` gets the parts that came and went, and is the caller's to release; each has a line in the
 * table, which may be NULL. After a failure the simulation is what it was. */
dls_status dls_run_changes_next(dls_run_changes *changes, dls_simulation **simulation, dls_change *change,
                                dls_table *table, dls_run_result *result, dls_error *error);

/* --- energy that nothing gives, by the ledger (energy_gains.c) --- */

enum { DLS_GAIN_OTHERS = 5, DLS_GAIN_COLUMNS = DLS_LEDGER_PARTS + DLS_GAIN_OTHERS };

/* The account of a run on its way, after its last step. */
typedef struct dls_energy_gains {
    double sum[DLS_GAIN_COLUMNS];   /* of each column since the start, without energy that is given [J] */
    double least[DLS_GAIN_COLUMNS]; /* the same at the time when the total without springs was least */
    double since;                   /* this time [s] */
    double stored;                  /* by springs at the start, and after each change of the scene [J] */
    double largest;                 /* energy of all states, without the gain of the run [J] */
    double scale;                   /* the same, at least the energy of rest [J] */
    dls_run_gain now;               /* of the last step, without its share */
} dls_energy_gains;

/* The account of a run that starts with these energies [J]. */
void dls_energy_gains_start(dls_energy_gains *gains, const dls_model *model, double kinetic, double potential,
                            double stored);
/* Adds the step that has ended at `time`. */
void dls_energy_gains_add(dls_energy_gains *gains, const dls_model *model, const dls_ledger *ledger, double time);
/* The scale of a gain: the larger one of `largest`, of the states before (0: there are none), and the energy of a
 * state, with what springs store, without the gain of the run, nor what is rounding of it where it is all [J]. */
double dls_energy_largest(double largest, double kinetic, double potential, double stored, double gain);

/* --- contacts that chatter, drives that are saturated or press against limits (run_watch.c) --- */

/* The steps of a run on its way, since the last change of its model. */
typedef struct dls_run_watch {
    size_t n_joints, n_pairs, capacity, steps;
    struct {
        size_t saturated, pressing; /* steps */
        size_t limit;               /* the joint that it pressed against last */
    } * joint;                      /* n_joints */
    struct dls_watch_pair *pair;    /* n_pairs, in the order of their ends */
} dls_run_watch;
dls_status dls_run_watch_open(dls_run_watch *watch, const dls_model *model, dls_error *error);
void dls_run_watch_close(dls_run_watch *watch);
dls_status dls_run_watch_step(dls_run_watch *watch, const dls_simulation *simulation, dls_error *error);
/* Keeps what is worse than the result has already. */
void dls_run_watch_conclude(const dls_run_watch *watch, const dls_model *model, dls_run_result *result);

/* --- whether the iterations of a run damp its warm starts (warm_law.c) --- */

/* Measures the law on the problem of the simulation's last step, and keeps the larger rate of this one and of *law.
 * Leaves *law as it is where the law does not apply (no warm starts, another scheme, a solver whose iteration is no
 * linear sweep, no feedback of errors); more than 200 rows between their bounds are counted in law->largest alone. */
dls_status dls_warm_law_measure(const dls_run *run, const dls_simulation *simulation, dls_run_warm *law,
                                dls_error *error);

#endif
