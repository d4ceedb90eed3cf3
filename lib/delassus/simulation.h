/* simulation.h - a run of time steps: a model, its current state, the solver and the scheme, and the results of the
 * last step.
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
 * The complete program is examples/hanging.c.
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

/* Warm starts: each solve starts from the impulses of the step before (lib/simulation/warm.c). */
typedef struct dls_warm {
    bool on;
    double distance; /* a contact that has moved farther than this on both bodies counts as new [m] */
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
    /* Largest number of iterations of an iterative solver per step, usually 10 to 50; also the number of substeps of
     * some schemes. 0: the `position_iterations` of the model's world. Articulations may require more. */
    size_t iterations;
    /* Additional iterations per step after positions have moved, without the feedback of position errors: they solve
     * for J v = u on the rows of the step's last problem, in which open gaps are those before the last motion (of the
     * step; under tgs and small-steps of the last iteration or substep). 0: the `velocity_iterations` of the model's
     * world. Articulations may require more. */
    size_t velocity_iterations;
    dls_warm warm; /* warm starts: off */
    bool ledger;   /* keep an energy ledger of every step: off */
    bool go_on;    /* make the step with the impulses that are left where the solver fails, which are no solution; then
                      only the report tells: off */
} dls_simulation_options;
dls_simulation_options dls_simulation_default(void);

/* A simulation of `model`, which must outlive it, starting at the model's initial state. */
dls_status dls_simulation_open(const dls_model *model, const dls_simulation_options *options,
                               dls_simulation **simulation, dls_error *error);
void dls_simulation_close(dls_simulation *simulation); /* NULL is allowed */
/* One time step of h > 0 [s]. DLS_NOT_FINITE, naming the body or joint, if the run has diverged. If the solver has no
 * impulses to step with, the error is its message: DLS_UNSOLVED if it failed, ran out of time, or says that there is no
 * solution (the report has its proof, which the examiner verifies), DLS_REFUSED if it does not accept the problem. The
 * state is then that of the start of the step, and problem and report are those of the failure; with `go_on` of the
 * options only a refusal is an error.
 * An iterative solver that has reached its number of iterations has not failed: how large the error of its impulses is
 * only the examiner tells. */
dls_status dls_simulation_step(dls_simulation *simulation, double h, dls_error *error);

/* Sets the setpoint of a drive from the next step on. DLS_BAD_ARGUMENT if there is no such joint, if it has no
 * setpoint, or if it follows a schedule; DLS_NOT_FINITE. */
dls_status dls_simulation_drive(dls_simulation *simulation, size_t joint, dls_setpoint setpoint, dls_error *error);

/* Breaks joint `joint`: it has no rows from now on, and neither have joints on its coordinate. Nothing else changes. No
 * effect on a joint that is broken already. DLS_BAD_ARGUMENT if there is no such joint. */
dls_status dls_simulation_break(dls_simulation *simulation, size_t joint, dls_error *error);
/* Sleep (lib/simulation/sleep.c). _asleep: whether body or link `end` is asleep. _sleep: puts it and its island,
 * defined by the rows of the last step, to sleep, at any speed and whatever the world's `sleep` is. _wake: wakes it and
 * its island. DLS_BAD_ARGUMENT if the end cannot move, and for _sleep before the first step. */
bool dls_simulation_asleep(const dls_simulation *simulation, size_t end);
dls_status dls_simulation_sleep(dls_simulation *simulation, size_t end, dls_error *error);
dls_status dls_simulation_wake(dls_simulation *simulation, size_t end, dls_error *error);
/* The events of the last step, and those caused by calls of the program since the step before: *count of them, in
 * order. They are valid until the next call that steps or changes the simulation. */
const dls_event *dls_simulation_events(const dls_simulation *simulation, size_t *count);
/* The name of the joint, body or articulation of an event. */
const char *dls_simulation_subject(const dls_simulation *simulation, const dls_event *event);

/* The numbers of iterations of each step: those of the options or of the world, or the largest number that an
 * articulation requires, if it is larger. */
typedef struct dls_iterations {
    size_t position, velocity;
} dls_iterations;
dls_iterations dls_simulation_iterations(const dls_simulation *simulation);

const dls_model *dls_simulation_model(const dls_simulation *simulation);
/* The current state. */
const dls_state *dls_simulation_state(const dls_simulation *simulation);
/* The current state, for changes between steps: poses, velocities, applied forces. Call it again before each change.
 */
dls_state *dls_simulation_edit(dls_simulation *simulation);
/* Everything that follows from the current state: poses and velocities of links, coordinates, energies. */
const dls_configuration *dls_simulation_configuration(dls_simulation *simulation);
/* Results of the last step (of its last substep, if it has several): the rows, the problem, its impulses, the report of
 * the solver, and the contacts detected at its start. NULL or empty before the first step. The report is that of the
 * last solve, except for its work: iterations, factorizations, row_visits and seconds are sums over all solves of the
 * step, those of substeps, passes, corrections of positions and velocity iterations, so that PGS has row_visits = sum
 * over solves of (rows x iterations). Schemes that solve row by row themselves (xpbd, avbd) count iterations alone. */
const dls_row_list *dls_simulation_rows(
    const dls_simulation *simulation); /* row i of the list is row i of the problem */
const dls_problem *dls_simulation_problem(const dls_simulation *simulation);
const double *dls_simulation_impulses(const dls_simulation *simulation);
const dls_report *dls_simulation_report(const dls_simulation *simulation);
const dls_contacts *dls_simulation_contacts(const dls_simulation *simulation);

/* The force of a constraint, averaged over the last step (its last substep). */
typedef struct dls_constraint_force {
    dls_spatial end[2]; /* force, and torque about the centre of mass, on each end; world frame [N, N m] */
    double along_sum;   /* for a joint on coordinates: f along its sum y = sum G_i q_i; coordinate i gets G_i f [N, N m]
                         */
} dls_constraint_force;
/* The force of joint `owner`, or of contact `owner` - n_joints of dls_simulation_contacts. DLS_BAD_ARGUMENT before the
 * first step, and if there is no such owner. */
dls_status dls_simulation_forces_of(const dls_simulation *simulation, size_t owner, dls_constraint_force *force,
                                    dls_error *error);

/* Writes the name of an owner of rows into text[size]: the joint's name, or "contact K of BODY1 on BODY2". */
void dls_simulation_owner_name(const dls_simulation *simulation, size_t owner, char *text, size_t size);

/* The impulse of one row of the last step (its last substep). */
typedef struct dls_row_force {
    size_t owner;          /* as in dls_simulation_forces_of */
    const char *label;     /* static text: "x", "normal", ... */
    double impulse, force; /* lambda [N s, N m s] and lambda / h [N, N m] */
    bool angular;          /* in N m s and N m */
    dls_row_status status; /* the bound that the impulse is at, if any */
} dls_row_force;
/* The impulse of row `row` of dls_simulation_rows; errors as in dls_simulation_forces_of. */
dls_status dls_simulation_row(const dls_simulation *simulation, size_t row, dls_row_force *force, dls_error *error);

/* The wrench that a link receives from its parent through its joint, averaged over the last step (its last substep). It
 * includes actuators and rows on the joint's own coordinates, but not the torques that accelerate rotors (armature). */
typedef struct dls_joint_wrench {
    dls_vec3 anchor;    /* of the joint, in the world [m]; for a root its centre of mass */
    dls_spatial wrench; /* force, and torque about the anchor, world axes [N, N m] */
} dls_joint_wrench;
/* The wrench on link `link` of an articulation. A fixed root receives its wrench from the world; for a floating
 * root it is 0. The first call after a step costs O(rows + links), later calls O(1). DLS_BAD_ARGUMENT before the first
 * step. */
dls_status dls_simulation_joint_wrench(dls_simulation *simulation, size_t articulation, size_t link,
                                       dls_joint_wrench *joint, dls_error *error);
/* The wrench of sensor `sensor` of the model (dls_model_sensors), about its origin, in its axes or the world's,
 * averaged over the last step (its last substep). [N, N m] */
dls_status dls_simulation_sensor(dls_simulation *simulation, size_t sensor, dls_spatial *wrench, dls_error *error);

/* Copies data of an articulation, given by its number, into a cache (flags of dls_cache_flags, also those of
 * DLS_CACHE_STEP): the current state and the applied forces, and from the last step (its last substep) the mean
 * accelerations of joints and links, and the rows that act on the articulation, in the order of dls_simulation_rows.
 * DLS_BAD_ARGUMENT if the cache was made for an articulation with other links, joints or base, and for data of a step
 * before the first step. */
dls_status dls_simulation_cache(dls_simulation *simulation, size_t articulation, dls_articulation_cache *cache,
                                unsigned flags, dls_error *error);

/* The energy that the springs of joints store in the current state [J], those of drives and tendons too: for each row
 * with compliance the work of its force from C to rest, with k = kp, or k = ERP / (h CFM) for steps of h [s], within
 * the bounds of the row. A spring by frequency, or per unit of mass, has its k in the current configuration. A
 * feedforward force, a damper, an explicit drive and a gap store none; a joint that sleeps has no rows, and is not
 * counted. dls_potential_energy is that of gravity alone. */
dls_status dls_simulation_elastic_energy(dls_simulation *simulation, double h, double *energy, dls_error *error);

/* The energy ledger of the last step; NULL if none is kept. */
const dls_ledger *dls_simulation_ledger(const dls_simulation *simulation);

#ifdef __cplusplus
}
#endif

#endif
