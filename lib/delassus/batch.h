/* batch.h - many copies of one model, stepped in one call, with their states in flat arrays.
 * physx-articulations, Data-Oriented Direct GPU API.
 *
 * The options begin with the defaults; the solver is the only one without:
 *     dls_batch_options options = dls_batch_default();
 *     options.simulation.solver = dls_solver_find("pgs");
 * A batch is opened,
 *     dls_status status = dls_batch_open(model, COPIES, &options, &batch, error);
 * written, stepped and read as often as wanted,
 *     DLS_TRY(dls_batch_write(batch, DLS_BATCH_DRIVE_TARGET, NULL, 0, targets, n_drives, error));
 * for each step
 *     DLS_TRY(dls_batch_step(batch, h, error));
 * and in the end
 *     DLS_TRY(dls_batch_read(batch, DLS_BATCH_JOINT_POSITION, NULL, 0, positions, n_joints, error));
 * and closed.
 *     dls_batch_close(batch);
 * All of it: examples/arms.c.
 *
 * Copies differ in their states, setpoints and applied forces, not in the model. Each has, to the last bit, the states
 * that a dls_simulation of the same model and options has that is stepped alone with the same input: at any number of
 * threads, whatever the other copies do.
 *
 * COST. A copy owns its state and its warm starts, some kilobytes (dls_batch_size). All that a step computes lies in a
 * few simulations for each thread, which the copies pass through; so it stays in the processor's cache. Copies whose
 * problems have the same structure are solved DLS_TOGETHER at once in the lanes of vectors, where the scheme has one
 * solve in a step (euler), the solver is pgs, sor or symmetric-pgs, and every row acts on articulations.
 */
#ifndef DELASSUS_BATCH_H
#define DELASSUS_BATCH_H

#include "delassus/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dls_batch dls_batch;

typedef struct dls_batch_options {
    dls_simulation_options simulation; /* of every copy; a batch keeps no ledger */
    size_t threads;                    /* 0: as many as OpenMP gives; 1 without OpenMP */
    /* Called after each step of each copy that did not fail, with the simulation that has just stepped it: its rows,
     * forces and report are those of this copy. Calls of different copies may run at the same time, in any order.
     * It may read everything and change nothing. NULL: none. */
    void (*observe)(void *context, size_t copy, dls_simulation *simulation);
    void *context;
} dls_batch_options;
/* The defaults of dls_simulation_default; the solver is the only option without one. */
dls_batch_options dls_batch_default(void);

/* `count` copies of `model`, which must outlive the batch, each in the model's initial state. DLS_BAD_ARGUMENT for no
 * copies, a ledger or a world that sleeps, DLS_UNAVAILABLE for several threads in a build without OpenMP. */
dls_status dls_batch_open(const dls_model *model, size_t count, const dls_batch_options *options, dls_batch **batch,
                          dls_error *error);
void dls_batch_close(dls_batch *batch); /* NULL is allowed */

/* One time step of h > 0 [s] of every copy that has not failed. A copy fails where a step of it does (it diverges, or
 * the solver refuses its problem): it stays in the state before that step and is left out from then on, and the others
 * go on. The first copy that fails in this step is named in the error, and its status returned; the next step is DLS_OK
 * unless another copy fails. DLS_BAD_ARGUMENT for h, and then nothing has moved. */
dls_status dls_batch_step(dls_batch *batch, double h, dls_error *error);
/* DLS_OK, or why a copy failed; `error` may be NULL. */
dls_status dls_batch_status(const dls_batch *batch, size_t copy, dls_error *error);
/* How many have failed. */
size_t dls_batch_failed(const dls_batch *batch);
/* How the last solve of a copy ended; DLS_OUTCOME_RUNNING before the first step. */
dls_outcome dls_batch_outcome(const dls_batch *batch, size_t copy);

/* What is read and written, as rows of numbers: X(NAME, text, numbers of one copy).
 * Orders are those of the scene: bodies, drives and articulations, their links and joints in link order. Poses are a
 * centre of mass (x, y, z) [m] and a unit quaternion (w, x, y, z), the body's or link's frame to the world; velocities
 * (v, omega) of the centre of mass [m/s, rad/s], forces (f, tau) at it [N, N m], world axes.
 *   joint-position  whole angles and travels [rad, m]; of a spherical joint its unit quaternion; written, it has no turns
 *   joint-turns     whole turns of the twists of spherical joints, one number each: those that its quaternion leaves open
 *   joint-velocity  of all joints, floating bases left out [rad/s, m/s]
 *   joint-force     applied to them until written again; at first the efforts of the scene [N m, N]
 *   link-force, body-force  applied at the centres of mass, as constant
 *   drive-*         the setpoints of the joints that have one, one number each
 * Link poses and velocities follow from the others and are only read. What cannot move (a static body, the base of a
 * fixed articulation) has velocity 0 and must be written so; a static body must be written where it is. */
#define DLS_BATCH_LIST(X)                             \
    X(JOINT_POSITION, "joint-position", coordinates)  \
    X(JOINT_TURNS, "joint-turns", twists)             \
    X(JOINT_VELOCITY, "joint-velocity", joint_speeds) \
    X(JOINT_FORCE, "joint-force", joint_speeds)       \
    X(ROOT_POSE, "root-pose", 7 * members)            \
    X(ROOT_VELOCITY, "root-velocity", 6 * members)    \
    X(LINK_POSE, "link-pose", 7 * links)              \
    X(LINK_VELOCITY, "link-velocity", 6 * links)      \
    X(LINK_FORCE, "link-force", 6 * links)            \
    X(BODY_POSE, "body-pose", 7 * bodies)             \
    X(BODY_VELOCITY, "body-velocity", 6 * bodies)     \
    X(BODY_FORCE, "body-force", 6 * bodies)           \
    X(DRIVE_TARGET, "drive-target", drives)           \
    X(DRIVE_SPEED, "drive-speed", drives)             \
    X(DRIVE_FORCE, "drive-force", drives)
typedef enum dls_batch_data {
#define DLS_BATCH_ENUM(name, text, numbers) DLS_BATCH_##name,
    DLS_BATCH_LIST(DLS_BATCH_ENUM)
#undef DLS_BATCH_ENUM
        DLS_BATCH_DATA /* how many there are */
} dls_batch_data;
const char *dls_batch_data_text(dls_batch_data data);
/* How many numbers a copy has of it: the least stride. */
size_t dls_batch_numbers(const dls_batch *batch, dls_batch_data data);

/* Reads or writes the numbers of the `n` copies of the list `copies`; NULL: of all of them. Those of copy i are at
 * array + i stride, whatever its place in the list: array has stride times the number of copies of the batch, or less
 * if the last ones are not in the list. DLS_BAD_ARGUMENT for a stride that is too short or a copy that is not there;
 * of writing also for what cannot be written (link poses, quaternions that are not unit, setpoints that follow a
 * schedule, the motion of what cannot move); DLS_NOT_FINITE. Errors name the copy and the entry, and then nothing is
 * written. Writing changes nothing of a copy's failure: dls_batch_reset or dls_batch_set_state end it. */
dls_status dls_batch_read(const dls_batch *batch, dls_batch_data data, const size_t *copies, size_t n, double *array,
                          size_t stride, dls_error *error);
dls_status dls_batch_write(dls_batch *batch, dls_batch_data data, const size_t *copies, size_t n, const double *array,
                           size_t stride, dls_error *error);

/* The whole state of a copy. NULL where there is no such copy. */
const dls_state *dls_batch_state(const dls_batch *batch, size_t copy);
/* Another one, of the same model, to the bit. A failure of the copy ends, and its warm starts are forgotten: it goes on
 * as a simulation that is opened in that state. DLS_BAD_ARGUMENT, DLS_NOT_FINITE. */
dls_status dls_batch_set_state(dls_batch *batch, size_t copy, const dls_state *state, dls_error *error);
/* The same with the model's initial state, of the listed copies, or of all (NULL). */
dls_status dls_batch_reset(dls_batch *batch, const size_t *copies, size_t n, dls_error *error);

const dls_model *dls_batch_model(const dls_batch *batch);
size_t dls_batch_count(const dls_batch *batch);
size_t dls_batch_threads(const dls_batch *batch); /* how many a step uses at most */
/* Bytes that the largest copy owns. */
size_t dls_batch_size(const dls_batch *batch);

#ifdef __cplusplus
}
#endif

#endif
