/* parts.h - a simulation from the inside, for the files of this folder. Schemes use scheme.h alone. Not installed. */
#ifndef DELASSUS_SIMULATION_PARTS_H
#define DELASSUS_SIMULATION_PARTS_H

#include "delassus/simulation.h"

/* The greatest force and torque that a joint transmitted in a step. [N, N m] */
typedef struct dls_strain {
    double force, torque;
} dls_strain;

/* A sum over solves; dls_report has the units. */
typedef struct dls_step_work {
    size_t iterations, factorizations;
    double row_visits, seconds;
} dls_step_work;

/* A simulation has two configurations: `now` is that of the state, and `linearised` is the one at which the problem was
 * assembled, whose inertias its mass operator applies. While a step moves the state, `now` is evaluated into the other
 * one. */
struct dls_simulation {
    const dls_model *model;
    dls_simulation_options options; /* with which it was opened */
    size_t iterations, velocity_iterations;
    const dls_scheme *scheme;
    const void *scheme_settings;
    void *scheme_work;
    void *defaults[2]; /* default settings of the solver and of the scheme, if none were given */
    dls_state *state, *start;
    dls_configuration *configuration[2];
    dls_configuration *now, *linearised;
    double elapsed;               /* time since the start of the step [s] */
    double reach;                 /* dls_stage_reach; 0: the h of the problem */
    bool lazy;                    /* in a batch: the configuration at the end of a step is evaluated when it is read */
    bool edited;                  /* the state may have changed since `now` was evaluated */
    bool velocity_changed;        /* only its velocities have */
    dls_row_list *rows, *springs; /* springs: rows of joints at the current state; NULL before their energy is needed */
    dls_problem *problem;
    bool biased; /* whether c of the problem contains the biases of the rows */
    dls_solver_work solving;
    dls_collider *collider;       /* NULL if the scene does not collide */
    dls_contacts contacts, moved; /* those detected, and the same moved with their bodies */
    const dls_contacts *listed;   /* the contacts whose rows are in the list */
    double *lambda, *earlier;     /* impulses, and those before the last change of them */
    size_t capacity, earlier_capacity;
    double *before, *scratch, *turning; /* nv each; turning: impulses of the last linearisation, gyroscopic.h */
    double *linearised_v;               /* nv: velocities at the last linearisation */
    struct dls_force_store *forces;     /* NULL before a force is read; forces.c */
    dls_vec3 *centre_speed;             /* n_articulations: scratch of keep_momentum.c */
    dls_report report;                  /* of the last solve; after the step, with the work of all its solves */
    dls_step_work work;                 /* of the solves of this step before the last one */
    struct {
        dls_outcome outcome; /* DLS_OUTCOME_RUNNING: none */
        char message[DLS_MESSAGE_MAX];
    } failure; /* the first failure in the step, if the simulation goes on after failures */
    dls_warm warm;
    struct dls_warm_store *warm_store;
    bool touched; /* the caller may have changed the state since the last step */
    struct dls_sleeping *sleeping;
    struct dls_impacts *impacts; /* NULL: there was none; impact.c */
    dls_ledger *ledger;          /* NULL: none is kept */
    dls_strain *strains;         /* n_joints; NULL: no joint of the model breaks */
    size_t n_events, event_capacity;
    dls_event *events;
    bool events_over; /* the events are of a step that has ended: the next one begins with none */
};

/* The report of the last solve gets the work of all solves of the step (stages.c). */
void dls_simulation_sum_work(dls_simulation *simulation);

/* --- the current state (current.c) --- */

/* Evaluates all of `now` that has changed. */
void dls_simulation_update(dls_simulation *simulation);
/* The configuration into which positions move: `now`, or the other one if the problem was assembled at `now`. */
dls_configuration *dls_simulation_next(const dls_simulation *simulation);
/* Moves the detected contacts with their bodies, into `moved`. */
void dls_simulation_follow_contacts(dls_simulation *simulation);
/* Sets the numbers that a joint keeps, in the state and in `now`. */
void dls_simulation_put_numbers(dls_simulation *simulation, const dls_joint *joint, const double *joint_state);
dls_status dls_simulation_check_step(double h, dls_error *error);

/* --- the parts of dls_simulation_step, for batches --- */

/* The scheme of the options, or the default. */
const dls_scheme *dls_simulation_scheme_of(const dls_simulation_options *options);
/* A step with a scheme that has `prepare` and `finish` is these two, and dls_stage_solve between them. */
dls_status dls_simulation_prepare(dls_simulation *simulation, double h, dls_error *error);
dls_status dls_simulation_finish(dls_simulation *simulation, double h, dls_error *error);

/* --- momentum and speeds; `now` is up to date --- */

/* The velocity of the centre of mass of each floating articulation (n_articulations), from its momentum, if
 * `keep_momentum` of the world is set. keep_momentum.c */
const dls_vec3 *dls_momentum_centres(dls_simulation *simulation);
/* Gives bodies and floating articulations that have moved since the problem was assembled the velocities which their
 * momentum has at the current positions, if `keep_momentum` of the world is set. */
void dls_momentum_keep(dls_simulation *simulation);
/* Reduces the speeds of the centres of mass of articulations to their greatest speeds. com_speed.c */
void dls_com_speed_clamp(dls_simulation *simulation);

/* --- forces of the last step --- */

/* Computes the loads of joints with load-dependent friction, after a step. loads.c */
dls_status dls_loads_update(dls_simulation *simulation, dls_error *error);
/* The first row of an owner in the list, whose owners ascend; the next owner's, or n, if it has none. forces.c */
size_t dls_forces_first_row(const dls_row_list *rows, size_t owner);
/* Marks the forces of the last step as outdated. */
void dls_forces_forget(dls_simulation *simulation);

/* --- impacts (impact.c) --- */

/* Computes the impacts of the problem that has been assembled, from the velocities v before it, and sets the targets of
 * their rows. DLS_REFUSED, DLS_UNSOLVED. `again`: an iteration within the step, whose velocities v may be those after
 * the impact; if nothing approaches at v, the impacts are those found before. */
dls_status dls_impacts_find(dls_simulation *simulation, const double *v, bool again, dls_error *error);
/* Sets these targets again, after the rows were evaluated again. */
void dls_impacts_keep(dls_simulation *simulation);
/* Sets the impulses from which the solve of the step starts to those of the impacts, in their rows. */
void dls_impacts_start(dls_simulation *simulation);
/* Counts the work of the impacts' rows in a kick, as dls_ledger_kick. */
void dls_impacts_count(dls_simulation *simulation, const double *v0, const double *v1, const double *lambda0,
                       const double *lambda);
/* Ends the impacts of a step; returns the energy that they have created [J]. */
double dls_impacts_end(dls_simulation *simulation);
void dls_impacts_close(struct dls_impacts *impacts);

/* --- joints that break (breaks.c) --- */

/* At the start of a step; after a substep, whose forces are compared with the thresholds; at the end of the step. */
void dls_breaks_begin(dls_simulation *simulation);
dls_status dls_breaks_strain(dls_simulation *simulation, dls_error *error);
void dls_breaks_end(dls_simulation *simulation);
/* With a ledger: the energy of the springs of joints that the changed model does not have, and the energy that breaks
 * and changes have taken since the last step. [J] */
double dls_breaks_elastic_removed(dls_simulation *simulation, const dls_model *changed);

/* --- sleep (sleep.c) --- */

dls_status dls_sleep_open(dls_simulation *simulation, dls_error *error);
void dls_sleep_close(struct dls_sleeping *sleeping);
/* Replaces the state at which something last fell asleep, which a batch keeps for each copy; returns the previous one.
 */
dls_state *dls_sleep_exchange(dls_simulation *simulation, dls_state *rest);
/* Wakes all that the caller has changed, at the start of a step. */
void dls_sleep_begin(dls_simulation *simulation);
/* Wakes a joint for which new numbers are set. */
void dls_sleep_target(dls_simulation *simulation, size_t joint, const double *joint_state);
/* Wakes all that detected contacts touch; whether it woke anything, so that contacts must be detected again. */
bool dls_sleep_touch(dls_simulation *simulation);
/* Puts islands to sleep at the end of a step. */
void dls_sleep_end(dls_simulation *simulation, double h);
/* Wakes islands with a joint or a neighbour that the other model does not have. */
dls_status dls_sleep_wake_changed(dls_simulation *simulation, const dls_model *other, dls_error *error);
/* Takes the current state of all that sleeps as that in which it fell asleep. */
void dls_sleep_rest(dls_simulation *simulation);
void dls_sleep_wake_joint(dls_simulation *simulation, size_t joint, dls_cause cause);

/* --- events (events.c) --- */

/* Makes room for `count` more events, before anything happens; and adds one, at the time of the state. */
dls_status dls_events_reserve(dls_simulation *simulation, size_t count, dls_error *error);
void dls_events_put(dls_simulation *simulation, dls_event event);

#endif
