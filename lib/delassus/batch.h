/* batch.h - many copies of one model, stepped in one call, with their states in flat arrays.
 * physx-articulations, Data-Oriented Direct GPU API.
 * The options start from the defaults; only the solver has no default:
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
 * The complete program is examples/arms.c.
 * Copies differ in their states, setpoints and applied forces, not in the model. The states of a copy are, to the last
 * bit, those of a separate dls_simulation with the same model, options and input, for any number of threads and
 * whatever the other copies do.
 * COST. A copy owns its state and its warm starts, some kilobytes (dls_batch_size). The working memory of a step
 * belongs to a few simulations per thread, which all copies share in turn; so it stays in the processor's cache.
 * DLS_TOGETHER copies at a time are solved in the lanes of SIMD vectors if their problems have the same structure, the
 * scheme has one solve per step (euler), the solver is pgs, sor or symmetric-pgs, and every row acts on articulations.
 */
#ifndef DELASSUS_BATCH_H
#define DELASSUS_BATCH_H

#include "delassus/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dls_batch dls_batch;

typedef struct dls_batch_options {
    dls_simulation_options simulation; /* for every copy; a batch keeps no ledger */
    size_t threads;                    /* 0: as many as OpenMP gives; 1 without OpenMP */
    /* Called after each step of each copy that did not fail, with the simulation that has just stepped it: its rows,
     * forces and report are those of this copy. Calls of different copies may run at the same time, in any order.
     * It may read the simulation and must not change it. NULL: none. */
    void (*observe)(void *context, size_t copy, dls_simulation *simulation);
    void *context;
} dls_batch_options;
/* The defaults of dls_simulation_default; the solver has no default. */
dls_batch_options dls_batch_default(void);

/* `count` copies of `model`, which must outlive the batch, each in the model's initial state. DLS_BAD_ARGUMENT if count
 * is 0 or if the options have a ledger. DLS_UNAVAILABLE for several threads in a build
 * without OpenMP. */
dls_status dls_batch_open(const dls_model *model, size_t count, const dls_batch_options *options, dls_batch **batch,
                          dls_error *error);
void dls_batch_close(dls_batch *batch); /* NULL is allowed */

/* One time step of h > 0 [s] of every copy that has not failed. A copy fails where dls_simulation_step does, if it
 * diverges or the solver does not solve or accept its problem: it keeps the state before that step and is skipped from
 * then on, and the other copies continue. The error names the first copy that fails in this step, and its status is
 * returned; the next step returns DLS_OK unless another copy fails. DLS_BAD_ARGUMENT for an invalid h; then no copy
 * has moved. */
dls_status dls_batch_step(dls_batch *batch, double h, dls_error *error);
/* DLS_OK, or the status and error with which the copy failed; `error` may be NULL. */
dls_status dls_batch_status(const dls_batch *batch, size_t copy, dls_error *error);
/* The number of copies that have failed. */
size_t dls_batch_failed(const dls_batch *batch);
/* How the last solve of a copy ended; DLS_OUTCOME_RUNNING before the first step. */
dls_outcome dls_batch_outcome(const dls_batch *batch, size_t copy);

/* The data that can be read and written, as rows of numbers: X(NAME, text, numbers of one copy).
 * Orders are those of the scene: bodies, drives and articulations, their links and joints in link order. Poses are a
 * centre of mass (x, y, z) [m] and a unit quaternion (w, x, y, z), the body's or link's frame to the world; velocities
 * (v, omega) of the centre of mass [m/s, rad/s], forces (f, tau) at it [N, N m], world axes.
 *   joint-position  unwrapped angles and travels [rad, m]; of a spherical joint its unit quaternion;
 *                   writing it sets its turns to 0
 *   joint-turns     whole turns of the twist of each spherical joint, which its quaternion does not determine
 *   joint-velocity  speeds of all joints, without floating bases [rad/s, m/s]
 *   joint-force     forces on the joints, applied until they are written again; at first the scene's efforts [N m, N]
 *   link-force, body-force  forces and torques at the centres of mass, applied until they are written again
 *   drive-*         the setpoints of the joints that have one, one number each
 *   island          0 for what is awake, else the number of the island with which it sleeps: a number for each body
 *                   that can move, then for each articulation with a degree of freedom; none in a world without sleep.
 *                   Writing puts to sleep, in the state as it is and at velocity 0, and wakes; what joints connect
 *                   has the same island
 *   wake-counter    time at rest after which it may fall asleep [s], in the order of `island`: sleep_time less the time
 *                   for which it has been at rest; any motion sets it to sleep_time
 * Link poses and velocities follow from the other data and are read-only. Static bodies and the bases of fixed
 * articulations have velocity 0, and 0 must be written; the pose written for a static body must be its present one. */
#define DLS_BATCH_LIST(X)                                \
    X(JOINT_POSITION, "joint-position", coordinates)     \
    X(JOINT_TURNS, "joint-turns", twists)                \
    X(JOINT_VELOCITY, "joint-velocity", joint_speeds)    \
    X(JOINT_FORCE, "joint-force", joint_speeds)          \
    X(ROOT_POSE, "root-pose", 7 * articulations)         \
    X(ROOT_VELOCITY, "root-velocity", 6 * articulations) \
    X(LINK_POSE, "link-pose", 7 * links)                 \
    X(LINK_VELOCITY, "link-velocity", 6 * links)         \
    X(LINK_FORCE, "link-force", 6 * links)               \
    X(BODY_POSE, "body-pose", 7 * bodies)                \
    X(BODY_VELOCITY, "body-velocity", 6 * bodies)        \
    X(BODY_FORCE, "body-force", 6 * bodies)              \
    X(DRIVE_TARGET, "drive-target", drives)              \
    X(DRIVE_SPEED, "drive-speed", drives)                \
    X(DRIVE_FORCE, "drive-force", drives)                \
    X(ISLAND, "island", sleepers)                        \
    X(WAKE_COUNTER, "wake-counter", sleepers)
typedef enum dls_batch_data {
#define DLS_BATCH_ENUM(name, text, numbers) DLS_BATCH_##name,
    DLS_BATCH_LIST(DLS_BATCH_ENUM)
#undef DLS_BATCH_ENUM
        DLS_BATCH_DATA /* how many there are */
} dls_batch_data;
const char *dls_batch_data_text(dls_batch_data data);
/* How many numbers one copy has of `data`: the smallest allowed stride. */
size_t dls_batch_numbers(const dls_batch *batch, dls_batch_data data);

/* Reads or writes the numbers of the `n` copies listed in `copies`; NULL: of all copies. The numbers of copy i are at
 * array + i stride, whatever its place in the list: array has stride times the number of copies of the batch, or less
 * if the last ones are not in the list. DLS_BAD_ARGUMENT for a stride that is too short or a copy that does not exist;
 * when writing, also for data that cannot be written (link poses, quaternions that are not unit, setpoints that follow
 * a schedule, a motion of a static body or fixed base). DLS_NOT_FINITE for numbers that are not finite. Errors name the
 * copy and the entry; nothing is written then. A copy that has failed stays failed after writing: use dls_batch_reset
 * or dls_batch_set_state. */
dls_status dls_batch_read(const dls_batch *batch, dls_batch_data data, const size_t *copies, size_t n, double *array,
                          size_t stride, dls_error *error);
dls_status dls_batch_write(dls_batch *batch, dls_batch_data data, const size_t *copies, size_t n, const double *array,
                           size_t stride, dls_error *error);

/* The whole state of a copy. NULL if there is no such copy. */
const dls_state *dls_batch_state(const dls_batch *batch, size_t copy);
/* Replaces the state of a copy, bit by bit, by a state of the same model. The copy no longer counts as failed, and its
 * warm starts are forgotten: it continues like a simulation that is opened in that state. DLS_BAD_ARGUMENT,
 * DLS_NOT_FINITE. */
dls_status dls_batch_set_state(dls_batch *batch, size_t copy, const dls_state *state, dls_error *error);
/* The same with the model's initial state, for the listed copies, or for all (NULL). */
dls_status dls_batch_reset(dls_batch *batch, const size_t *copies, size_t n, dls_error *error);

const dls_model *dls_batch_model(const dls_batch *batch);
size_t dls_batch_count(const dls_batch *batch);
size_t dls_batch_threads(const dls_batch *batch); /* the largest number that a step uses */
/* Bytes that the largest copy owns. */
size_t dls_batch_size(const dls_batch *batch);

#ifdef __cplusplus
}
#endif

#endif
