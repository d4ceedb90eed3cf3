/* parts.h - a simulation from the inside, for its own files and the schemes of this folder. Not installed. */
#ifndef DELASSUS_SIMULATION_PARTS_H
#define DELASSUS_SIMULATION_PARTS_H

#include "delassus/simulation.h"

/* The greatest force and torque that a joint transmitted in a step. [N, N m] */
typedef struct dls_strain {
    double force, torque;
} dls_strain;

/* Two configurations: `now` is that of the state, `held` the one that the problem was assembled at, whose inertias its
 * mass operator applies. While a step moves the state, `now` is evaluated into the other one. */
struct dls_simulation {
    const dls_model *model;
    dls_simulation_options options; /* that it was opened with */
    const dls_solver *solver;
    const void *solver_settings;
    size_t iterations, velocity_iterations;
    const dls_scheme *scheme;
    const void *scheme_settings;
    void *scheme_work;
    void *defaults[2]; /* settings of the solver and of the scheme, where none were given */
    dls_state *state, *start;
    dls_configuration *configuration[2];
    dls_configuration *now, *held;
    double elapsed; /* since the start of the step [s] */
    bool bare;   /* a batch's: what follows from the state at the end of a step is evaluated for who reads it alone */
    bool edited; /* the caller may have changed the state since `now` was evaluated */
    bool sped;   /* the state's velocities have changed since */
    dls_row_list *rows,
        *springs; /* springs: the rows of joints at the current state; NULL until their energy is asked for */
    dls_problem *problem;
    bool biased; /* whether the biases of the rows are in c of the problem */
    dls_solver_work solving;
    dls_collider *collider; /* NULL where the scene does not collide */
    dls_contacts contacts, moved;
    const dls_contacts *listed; /* those whose rows are in the list */
    double *lambda, *earlier;   /* earlier: impulses before they are changed again */
    size_t capacity, earlier_capacity;
    double *before, *scratch, *turning; /* nv each; turning: impulses of the last linearisation, gyroscopic.h */
    double *linearised_v;               /* nv: velocities at the last linearisation */
    struct dls_force_store *forces;     /* NULL until somebody asks for one; forces.c */
    dls_vec3 *centre_speed;             /* n_articulations: scratch of keep_momentum.c */
    dls_report report;
    struct {
        dls_outcome outcome; /* DLS_OUTCOME_RUNNING: none */
        char message[DLS_MESSAGE_MAX];
    } failure; /* the first one in the step, where the simulation goes on after failures */
    dls_warm warm;
    struct dls_warm_store *warm_store;
    bool touched; /* the caller may have changed the state since the last step */
    struct dls_sleeping *sleeping;
    dls_ledger *ledger;  /* NULL: none is kept */
    dls_strain *strains; /* n_joints; NULL: no joint of the model breaks */
    size_t n_events, event_capacity;
    dls_event *events;
    bool events_over; /* they are of a step that has ended, and the next one begins with none */
};

/* The scheme of the options, or the default. */
const dls_scheme *dls_simulation_scheme_of(const dls_simulation_options *options);
/* The parts of dls_simulation_step with a scheme that has them, and its check of the time step. Between the first two
 * stands dls_stage_solve. */
dls_status dls_simulation_check_step(double h, dls_error *error);
dls_status dls_simulation_prepare(dls_simulation *simulation, double h, dls_error *error);
dls_status dls_simulation_finish(dls_simulation *simulation, double h, dls_error *error);
/* Evaluates all of `now` that has changed. */
void dls_simulation_bring(dls_simulation *simulation);
/* The configuration that positions move to: the one that the problem was assembled at is kept. */
dls_configuration *dls_simulation_next(const dls_simulation *simulation);
/* With `keep_momentum` of the world: the velocity of the centre of mass of each floating articulation
 * (n_articulations), by its momentum. */
const dls_vec3 *dls_momentum_centres(dls_simulation *simulation);
/* With `keep_momentum` of the world: bodies and floating articulations, which have moved since the problem was made,
 * get the velocities that their momentum has where they are; keep_momentum.c. `now` is current. */
void dls_momentum_keep(dls_simulation *simulation);
/* The numbers that a joint keeps, into the state, and where that is not evaluated again, into what follows from it. */
void dls_simulation_put_numbers(dls_simulation *simulation, const dls_joint *joint, const double *joint_state);
/* The loads of joints whose friction answers to them, from the step that has just ended. loads.c */
dls_status dls_loads_bring(dls_simulation *simulation, dls_error *error);
/* The first row of an owner in the list, whose owners ascend; n where it has none and nor have those after it. */
size_t dls_forces_first_row(const dls_row_list *rows, size_t owner);
/* Articulations that have greatest speeds of their centres of mass are brought back to them; `now` is current.
 * com_speed.c */
void dls_com_speed_clamp(dls_simulation *simulation);
/* Joints that break (breaks.c): a step begins; a substep has ended, whose forces strain them; the step has ended. */
void dls_breaks_begin(dls_simulation *simulation);
dls_status dls_breaks_strain(dls_simulation *simulation, dls_error *error);
void dls_breaks_end(dls_simulation *simulation);
/* With a ledger: the energy of the springs of joints that the changed model does not have, and what was lost since the
 * last step. */
double dls_breaks_elastic_removed(dls_simulation *simulation, const dls_model *changed);
/* Sleep (sleep.c). A step begins; a joint is to keep these numbers, which wake it where they are new; contacts were
 * detected, and whether something woke by them, so that they are to be detected again; the step of h ends. */
dls_status dls_sleep_open(dls_simulation *simulation, dls_error *error);
void dls_sleep_close(struct dls_sleeping *sleeping);
/* Replaces the state when something last fell asleep, which a batch keeps for each copy; returns the one before. */
dls_state *dls_sleep_exchange(dls_simulation *simulation, dls_state *rest);
void dls_sleep_begin(dls_simulation *simulation);
void dls_sleep_target(dls_simulation *simulation, size_t joint, const double *joint_state);
bool dls_sleep_touch(dls_simulation *simulation);
void dls_sleep_end(dls_simulation *simulation, double h);
/* Wakes islands that have a joint, or touch an end, that the other model has not. */
dls_status dls_sleep_wake_changed(dls_simulation *simulation, const dls_model *other, dls_error *error);
/* What sleeps now is as it fell asleep. */
void dls_sleep_rest(dls_simulation *simulation);
void dls_sleep_wake_joint(dls_simulation *simulation, size_t joint, dls_cause cause);
/* Events (events.c): room for that many more, before anything happens; and one of them, at the state's time. */
dls_status dls_events_reserve(dls_simulation *simulation, size_t count, dls_error *error);
void dls_events_put(dls_simulation *simulation, dls_event event);
/* The forces of the last step are those of a new one from now on. */
void dls_forces_forget(dls_simulation *simulation);
/* Contacts into simulation->moved, where their bodies have gone since the start of the step. */
void dls_stage_follow(dls_simulation *simulation);

#endif
