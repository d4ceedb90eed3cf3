/* simulation.h - a run of time steps: a model in motion, the solver and the scheme that move it, and all that a run
 * keeps.
 *
 * The only option without a default is the solver:
 *     dls_simulation_options options = dls_simulation_default();
 *     options.solver = dls_solver_find("block-pivoting");
 * A run is opened, stepped, read and closed:
 *     status = dls_simulation_open(model, &options, &simulation, &error);
 * for each step
 *     DLS_TRY(dls_simulation_step(simulation, h, error));
 *     DLS_TRY(dls_simulation_forces_of(simulation, HOOK, &hook, error));
 * and at the end
 *     dls_simulation_close(simulation);
 * All of it: examples/hanging.c.
 */
#ifndef DELASSUS_SIMULATION_H
#define DELASSUS_SIMULATION_H

#include "delassus/contact.h"
#include "delassus/event.h"
#include "delassus/ledger.h"
#include "delassus/scheme.h"
#include "delassus/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Warm starts: each solve begins with the impulses of the step before (lib/simulation/warm.c). */
typedef struct dls_warm {
    bool on;
    double distance; /* a contact that has moved farther on both bodies is another one [m] */
    size_t age;      /* steps after which a contact that was not detected again is forgotten */
} dls_warm;
extern const dls_field_table dls_warm_fields; /* the defaults switch them on */

/* Settings are structs as the descriptor's `fields` describe them; NULL: the defaults. They must outlive the
 * simulation. */
typedef struct dls_simulation_options {
    unsigned stamp;           /* set by dls_simulation_default: options that were never initialised are refused */
    const dls_solver *solver; /* required */
    const void *solver_settings;
    const dls_scheme *scheme; /* NULL: semi-implicit Euler */
    const void *scheme_settings;
    /* Limit of an iterative solver per step, usually 10 to 50; also the substeps of some schemes. 0: the
     * `position_iterations` of the model's world. Articulations may ask for more. */
    size_t iterations;
    /* Iterations more per step, without the feedback of position errors, once positions have moved; they leave
     * J v = u. 0: the `velocity_iterations` of the model's world. Articulations may ask for more. */
    size_t velocity_iterations;
    dls_warm warm; /* warm starts: off */
    bool ledger;   /* keep an energy ledger of every step: off */
} dls_simulation_options;
dls_simulation_options dls_simulation_default(void);

/* A simulation of `model`, which must outlive it, from the model's initial state on. */
dls_status dls_simulation_open(const dls_model *model, const dls_simulation_options *options,
                               dls_simulation **simulation, dls_error *error);
void dls_simulation_close(dls_simulation *simulation); /* NULL is allowed */
/* One time step of h > 0 [s]. DLS_NOT_FINITE, naming the body or joint, where the run has diverged; DLS_REFUSED where
 * the solver does not accept the problem of the step. A solver that ends without a solution is no error: the report
 * says so. */
dls_status dls_simulation_step(dls_simulation *simulation, double h, dls_error *error);

/* What a drive aims at from the next step on; it keeps that until it is given another setpoint. DLS_BAD_ARGUMENT where
 * there is no such joint, where it has no setpoint, and where it follows a schedule; DLS_NOT_FINITE. */
dls_status dls_simulation_drive(dls_simulation *simulation, size_t joint, dls_setpoint setpoint, dls_error *error);

/* Joint `joint` has broken from now on, and has no rows; joints on its coordinate end with it. Nothing else changes, nor
 * does anything where it has broken before. DLS_BAD_ARGUMENT where there is no such joint. */
dls_status dls_simulation_break(dls_simulation *simulation, size_t joint, dls_error *error);
/* What sleeps (lib/simulation/sleep.c): whether body or link `end` does; it and its island, of the last step's rows, fall
 * asleep, however fast they are, and whatever the world's `sleep` says; it and its island wake. DLS_BAD_ARGUMENT where
 * nothing can move that end, and, to put it to sleep, before the first step. */
bool dls_simulation_asleep(const dls_simulation *simulation, size_t end);
dls_status dls_simulation_sleep(dls_simulation *simulation, size_t end, dls_error *error);
dls_status dls_simulation_wake(dls_simulation *simulation, size_t end, dls_error *error);
/* What happened in the last step, and what the program did after the step before: *count of them, in order. They last
 * until the next call that steps or changes the simulation. */
const dls_event *dls_simulation_events(const dls_simulation *simulation, size_t *count);
/* The name of an event's subject. */
const char *dls_simulation_subject(const dls_simulation *simulation, const dls_event *event);

/* The iterations of each step: those of the options or of the world, and at least what every articulation asks for. */
typedef struct dls_iterations {
    size_t position, velocity;
} dls_iterations;
dls_iterations dls_simulation_iterations(const dls_simulation *simulation);

const dls_model *dls_simulation_model(const dls_simulation *simulation);
/* The current state. */
const dls_state *dls_simulation_state(const dls_simulation *simulation);
/* The current state, to be changed between steps: poses, velocities, applied forces. Call it again before each change.
 */
dls_state *dls_simulation_edit(dls_simulation *simulation);
/* Everything that follows from the current state: poses and velocities of links, coordinates, energies. */
const dls_configuration *dls_simulation_configuration(dls_simulation *simulation);
/* Of the last step (its last substep, where it has several): the problem, its impulses, how its solve ended, the
 * contacts detected at its start. NULL or empty before the first step. */
const dls_row_list *dls_simulation_rows(
    const dls_simulation *simulation); /* row i of the list is row i of the problem */
const dls_problem *dls_simulation_problem(const dls_simulation *simulation);
const double *dls_simulation_impulses(const dls_simulation *simulation);
const dls_report *dls_simulation_report(const dls_simulation *simulation);
const dls_contacts *dls_simulation_contacts(const dls_simulation *simulation);

/* The force of a constraint, averaged over the last step (its last substep). */
typedef struct dls_constraint_force {
    dls_spatial end[2]; /* on each end: the force and the torque about its centre of mass, world frame [N, N m] */
    double along_sum; /* of a joint on coordinates: f along its sum y = sum G_i q_i; coordinate i gets G_i f [N, N m] */
} dls_constraint_force;
/* That of joint `owner`, or of contact `owner` - n_joints of dls_simulation_contacts. DLS_BAD_ARGUMENT before the first
 * step, and where there is no such owner. */
dls_status dls_simulation_forces_of(const dls_simulation *simulation, size_t owner, dls_constraint_force *force,
                                    dls_error *error);

/* What an owner of rows is called: the joint's name, or "contact K of BODY1 on BODY2"; into text[size]. */
void dls_simulation_owner_name(const dls_simulation *simulation, size_t owner, char *text, size_t size);

/* The impulse of one row of the last step (its last substep). */
typedef struct dls_row_force {
    size_t owner;          /* as of dls_simulation_forces_of */
    const char *label;     /* static text: "x", "normal", ... */
    double impulse, force; /* lambda [N s, N m s] and lambda / h [N, N m] */
    bool angular;          /* N m */
    dls_row_status status; /* which bound it is at, if any */
} dls_row_force;
/* That of row `row` of dls_simulation_rows; errors as of dls_simulation_forces_of. */
dls_status dls_simulation_row(const dls_simulation *simulation, size_t row, dls_row_force *force, dls_error *error);

/* What the joint of a link transmits to it from its parent, averaged over the last step (its last substep): actuators
 * and rows on the joint's own coordinates are in it, rotors (armature) turn beside it. */
typedef struct dls_joint_wrench {
    dls_vec3 anchor;    /* of the joint, in the world [m]; of a root its centre of mass */
    dls_spatial wrench; /* force, and torque about the anchor, world axes [N, N m] */
} dls_joint_wrench;
/* Of link `link` of articulation `member`; of a fixed root what the world holds it with, of a floating one 0. The first
 * call after a step costs O(rows + links), later ones O(1). DLS_BAD_ARGUMENT before the first step. */
dls_status dls_simulation_joint_wrench(dls_simulation *simulation, size_t member, size_t link, dls_joint_wrench *joint,
                                       dls_error *error);
/* The wrench of sensor `sensor` of the model (dls_model_sensors), about its origin, in its axes or the world's,
 * averaged over the last step (its last substep). [N, N m] */
dls_status dls_simulation_sensor(dls_simulation *simulation, size_t sensor, dls_spatial *wrench, dls_error *error);

/* What a cache may hold of articulation `member` (flags of dls_cache_flags, those of DLS_CACHE_STEP too): the current
 * state and the applied forces, and of the last step (its last substep) the mean accelerations of joints and links,
 * and the rows that act on the articulation, in the order of dls_simulation_rows. DLS_BAD_ARGUMENT where the cache was
 * made for another structure, and of what a step has before the first one. */
dls_status dls_simulation_cache(dls_simulation *simulation, size_t member, dls_articulation_cache *cache,
                                unsigned flags, dls_error *error);

/* The energy ledger of the last step; NULL where none is kept. */
const dls_ledger *dls_simulation_ledger(const dls_simulation *simulation);

#ifdef __cplusplus
}
#endif

#endif
