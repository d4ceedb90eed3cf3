/* Data that are read from the copies of a batch and written to them: each kind has a function that copies it out of a
 * state, and one that checks it and copies it in. */
#include "batch_parts.h"

#include "articulation/parts.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

/* --- rows of numbers --- */

static double *put3(double *to, dls_vec3 a)
{
    to[0] = a.x, to[1] = a.y, to[2] = a.z;
    return to + 3;
}
static double *put_spatial(double *to, dls_spatial a) { return put3(put3(to, a.lin), a.ang); }
static double *put_pose(double *to, dls_vec3 x, dls_quat q)
{
    to = put3(to, x);
    to[0] = q.w, to[1] = q.x, to[2] = q.y, to[3] = q.z;
    return to + 4;
}
static dls_vec3 get3(const double *from) { return dls_v3(from[0], from[1], from[2]); }
static dls_quat get_quat(const double *from) { return (dls_quat){from[0], from[1], from[2], from[3]}; }

static dls_status check_pose(const char *what, const char *name, const double *pose, dls_error *error)
{
    const dls_quat q = get_quat(pose + 3);
    return dls_tree_unit(q)
               ? DLS_OK
               : dls_fail(error, DLS_BAD_ARGUMENT, "the quaternion of %s '%s' must be unit, not (%g, %g, %g, %g)", what,
                          name, q.w, q.x, q.y, q.z);
}

/* DLS_BAD_ARGUMENT, with the name of the part that cannot move, unless all six numbers are 0. */
static dls_status check_still(const char *what, const char *name, const double *v, dls_error *error)
{
    for (size_t k = 0; k < 6; k++)
        if (v[k] != 0.0)
            return dls_fail(error, DLS_BAD_ARGUMENT, "%s '%s' cannot move: its velocity must be 0", what, name);
    return DLS_OK;
}

/* --- joints --- */

static void read_positions(const dls_batch *batch, dls_configuration *c, const dls_state *state, double *to)
{
    (void)c;
    memcpy(to, state->coordinates, batch->model->n_coordinates * sizeof *to);
    for (size_t a = 0; a < batch->model->n_articulations; a++) {
        const dls_model_articulation *articulation = &batch->model->articulations[a];
        for (size_t i = 1; i < articulation->tree->n_links; i++) {
            const size_t k = articulation->position + articulation->tree->links[i].position;
            if (articulation->tree->links[i].motion->wraps && state->wraps[k])
                to[k] += 4.0 * DLS_PI * (double)state->wraps[k];
        }
    }
}

static dls_status write_link_position(const dls_articulation *tree, size_t i, dls_articulation_state *state,
                                      const double *q, dls_error *error)
{
    const dls_link *link = &tree->links[i];
    if (link->motion->n_positions == 1) {
        dls_articulation_set_position(tree, state, i, q[0]);
        return DLS_OK;
    }
    if (link->motion->n_positions == 4 && !dls_tree_unit(get_quat(q)))
        return dls_fail(error, DLS_BAD_ARGUMENT, "the quaternion of joint '%s' must be unit, not (%g, %g, %g, %g)",
                        tree->defs[i].joint, q[0], q[1], q[2], q[3]);
    for (size_t k = 0; k < link->motion->n_positions; k++) {
        state->q[link->position + k] = q[k];
        state->wraps[link->position + k] = 0;
    }
    return DLS_OK;
}

static dls_status write_positions(const dls_batch *batch, dls_state *state, const double *from, dls_error *error)
{
    for (size_t a = 0; a < batch->model->n_articulations; a++) {
        const dls_model_articulation *articulation = &batch->model->articulations[a];
        dls_articulation_state own = dls_state_articulation(batch->model, state, a);
        for (size_t i = 1; i < articulation->tree->n_links; i++)
            DLS_TRY(write_link_position(articulation->tree, i, &own,
                                        from + articulation->position + articulation->tree->links[i].position, error));
    }
    return DLS_OK;
}

/* The coordinates of the model at which quaternions begin, one after the other: member and link `at`, from (0, 0). */
static bool next_twist(const dls_model *model, size_t at[2], size_t *k)
{
    for (; at[0] < model->n_articulations; at[0]++, at[1] = 0) {
        const dls_model_articulation *articulation = &model->articulations[at[0]];
        while (++at[1] < articulation->tree->n_links)
            if (articulation->tree->links[at[1]].motion->coordinate) {
                *k = articulation->position + articulation->tree->links[at[1]].position;
                return true;
            }
    }
    return false;
}

static size_t count_twists(const dls_model *model)
{
    size_t n = 0;
    for (size_t at[2] = {0, 0}, k; next_twist(model, at, &k);)
        n++;
    return n;
}

static void read_turns(const dls_batch *batch, dls_configuration *c, const dls_state *state, double *to)
{
    (void)c;
    for (size_t at[2] = {0, 0}, k; next_twist(batch->model, at, &k);)
        *to++ = (double)state->wraps[k];
}

static dls_status write_turns(const dls_batch *batch, dls_state *state, const double *from, dls_error *error)
{
    for (size_t at[2] = {0, 0}, k; next_twist(batch->model, at, &k); from++) {
        if (round(*from) != *from || fabs(*from) > 0x1p53)
            return dls_fail(error, DLS_BAD_ARGUMENT, "turns are whole numbers up to 2^53, not %g", *from);
        state->wraps[k] = (long)*from;
    }
    return DLS_OK;
}

static size_t joint_speeds(const dls_model *model)
{
    size_t n = 0;
    for (size_t a = 0; a < model->n_articulations; a++)
        n += model->articulations[a].tree->nv - model->articulations[a].tree->n_base;
    return n;
}

/* Those of the joints among generalised velocities or forces, out or in. */
static void read_speeds(const dls_model *model, const double *v, double *to)
{
    for (size_t a = 0; a < model->n_articulations; a++) {
        const dls_articulation *tree = model->articulations[a].tree;
        memcpy(to, v + model->articulations[a].offset + tree->n_base, (tree->nv - tree->n_base) * sizeof *to);
        to += tree->nv - tree->n_base;
    }
}

static void write_speeds(const dls_model *model, double *v, const double *from)
{
    for (size_t a = 0; a < model->n_articulations; a++) {
        const dls_articulation *tree = model->articulations[a].tree;
        memcpy(v + model->articulations[a].offset + tree->n_base, from, (tree->nv - tree->n_base) * sizeof *from);
        from += tree->nv - tree->n_base;
    }
}

static void read_velocities(const dls_batch *batch, dls_configuration *c, const dls_state *state, double *to)
{
    (void)c;
    read_speeds(batch->model, state->v, to);
}

static dls_status write_velocities(const dls_batch *batch, dls_state *state, const double *from, dls_error *error)
{
    (void)error;
    write_speeds(batch->model, state->v, from);
    return DLS_OK;
}

static void read_forces(const dls_batch *batch, dls_configuration *c, const dls_state *state, double *to)
{
    (void)c;
    read_speeds(batch->model, state->force, to);
}

static dls_status write_forces(const dls_batch *batch, dls_state *state, const double *from, dls_error *error)
{
    (void)error;
    write_speeds(batch->model, state->force, from);
    return DLS_OK;
}

/* --- roots --- */

static void read_root_poses(const dls_batch *batch, dls_configuration *c, const dls_state *state, double *to)
{
    (void)c;
    for (size_t a = 0; a < batch->model->n_articulations; a++)
        to = put_pose(to, state->roots[a].p, state->roots[a].q);
}

static dls_status write_root_poses(const dls_batch *batch, dls_state *state, const double *from, dls_error *error)
{
    for (size_t a = 0; a < batch->model->n_articulations; a++, from += 7) {
        DLS_TRY(check_pose("root", batch->model->articulations[a].tree->defs[0].name, from, error));
        state->roots[a] = (dls_frame){get3(from), get_quat(from + 3)};
    }
    return DLS_OK;
}

static void read_root_velocities(const dls_batch *batch, dls_configuration *c, const dls_state *state, double *to)
{
    (void)c;
    memset(to, 0, 6 * batch->model->n_articulations * sizeof *to);
    for (size_t a = 0; a < batch->model->n_articulations; a++, to += 6)
        memcpy(to, state->v + batch->model->articulations[a].offset,
               batch->model->articulations[a].tree->n_base * sizeof *to);
}

static dls_status write_root_velocities(const dls_batch *batch, dls_state *state, const double *from, dls_error *error)
{
    for (size_t a = 0; a < batch->model->n_articulations; a++, from += 6) {
        const dls_model_articulation *articulation = &batch->model->articulations[a];
        if (articulation->tree->n_base == 0)
            DLS_TRY(check_still("root", articulation->tree->defs[0].name, from, error));
        memcpy(state->v + articulation->offset, from, articulation->tree->n_base * sizeof *from);
    }
    return DLS_OK;
}

/* --- links --- */

static void read_link_poses(const dls_batch *batch, dls_configuration *c, const dls_state *state, double *to)
{
    (void)state;
    for (size_t end = batch->model->n_bodies; end < batch->model->n_ends; end++) {
        const dls_end link = dls_configuration_end(c, end);
        to = put_pose(to, link.x, link.q);
    }
}

static void read_link_velocities(const dls_batch *batch, dls_configuration *c, const dls_state *state, double *to)
{
    (void)state;
    for (size_t end = batch->model->n_bodies; end < batch->model->n_ends; end++) {
        const dls_end link = dls_configuration_end(c, end);
        to = put3(put3(to, link.v), link.omega);
    }
}

static void read_link_forces(const dls_batch *batch, dls_configuration *c, const dls_state *state, double *to)
{
    (void)c;
    for (size_t i = 0; i < batch->model->n_links; i++)
        to = put_spatial(to, state->link_force[i]);
}

static dls_status write_link_forces(const dls_batch *batch, dls_state *state, const double *from, dls_error *error)
{
    (void)error;
    for (size_t i = 0; i < batch->model->n_links; i++)
        state->link_force[i] = dls_spatial_from(from + 6 * i);
    return DLS_OK;
}

/* --- bodies --- */

static bool is_static(const dls_body *body) { return body->offset == DLS_NONE && body->prescribed == DLS_NONE; }

static void read_body_poses(const dls_batch *batch, dls_configuration *c, const dls_state *state, double *to)
{
    (void)c;
    for (size_t i = 0; i < batch->model->n_bodies; i++)
        to = put_pose(to, state->x[i], state->q[i]);
}

static dls_status write_body_poses(const dls_batch *batch, dls_state *state, const double *from, dls_error *error)
{
    for (size_t i = 0; i < batch->model->n_bodies; i++, from += 7) {
        const dls_body *body = &batch->model->bodies[i];
        double here[7];
        put_pose(here, state->x[i], state->q[i]);
        DLS_TRY(check_pose("body", body->name, from, error));
        if (is_static(body) && memcmp(here, from, sizeof here) != 0)
            return dls_fail(error, DLS_BAD_ARGUMENT, "body '%s' is static: its pose must stay as it is read",
                            body->name);
        state->x[i] = get3(from);
        state->q[i] = get_quat(from + 3);
    }
    return DLS_OK;
}

static void read_body_velocities(const dls_batch *batch, dls_configuration *c, const dls_state *state, double *to)
{
    (void)c;
    for (size_t i = 0; i < batch->model->n_bodies; i++) {
        const dls_body *body = &batch->model->bodies[i];
        dls_spatial v = {{0, 0, 0}, {0, 0, 0}};
        if (body->offset != DLS_NONE)
            v = dls_spatial_from(state->v + body->offset);
        else if (body->prescribed != DLS_NONE)
            v = state->prescribed[body->prescribed];
        to = put_spatial(to, v);
    }
}

static dls_status write_body_velocities(const dls_batch *batch, dls_state *state, const double *from, dls_error *error)
{
    for (size_t i = 0; i < batch->model->n_bodies; i++, from += 6) {
        const dls_body *body = &batch->model->bodies[i];
        if (is_static(body))
            DLS_TRY(check_still("body", body->name, from, error));
        if (body->offset != DLS_NONE)
            memcpy(state->v + body->offset, from, 6 * sizeof *from);
        else if (body->prescribed != DLS_NONE)
            state->prescribed[body->prescribed] = dls_spatial_from(from);
    }
    return DLS_OK;
}

static void read_body_forces(const dls_batch *batch, dls_configuration *c, const dls_state *state, double *to)
{
    (void)c;
    memset(to, 0, 6 * batch->model->n_bodies * sizeof *to);
    for (size_t i = 0; i < batch->model->n_bodies; i++, to += 6)
        if (batch->model->bodies[i].offset != DLS_NONE)
            memcpy(to, state->force + batch->model->bodies[i].offset, 6 * sizeof *to);
}

static dls_status write_body_forces(const dls_batch *batch, dls_state *state, const double *from, dls_error *error)
{
    for (size_t i = 0; i < batch->model->n_bodies; i++, from += 6) {
        const dls_body *body = &batch->model->bodies[i];
        for (size_t k = 0; k < 6 && body->offset == DLS_NONE; k++)
            if (from[k] != 0.0)
                return dls_fail(error, DLS_BAD_ARGUMENT, "no force moves body '%s': it must be 0", body->name);
        if (body->offset != DLS_NONE)
            memcpy(state->force + body->offset, from, 6 * sizeof *from);
    }
    return DLS_OK;
}

/* --- drives --- */

static void read_setpoints(const dls_batch *batch, const dls_state *state, size_t part, double *to)
{
    for (size_t k = 0; k < batch->n_drives; k++)
        to[k] = state->joint_state[batch->model->joints[batch->drives[k]].joint_state + part];
}

static dls_status write_setpoints(const dls_batch *batch, dls_state *state, size_t part, const double *from,
                                  dls_error *error)
{
    double own[DLS_JOINT_STATE_MAX];
    for (size_t k = 0; k < batch->n_drives; k++) {
        const dls_joint *joint = &batch->model->joints[batch->drives[k]];
        if (joint->type->schedule && joint->type->schedule(joint, state->time, own))
            return dls_fail(error, DLS_BAD_ARGUMENT, "joint '%s' follows a schedule; leave out either", joint->name);
        state->joint_state[joint->joint_state + part] = from[k];
    }
    return DLS_OK;
}

#define SETPOINT(name, member)                                                                                     \
    static void read_##name(const dls_batch *batch, dls_configuration *c, const dls_state *state, double *to)      \
    {                                                                                                              \
        (void)c;                                                                                                   \
        read_setpoints(batch, state, offsetof(dls_setpoint, member) / sizeof(double), to);                         \
    }                                                                                                              \
    static dls_status write_##name(const dls_batch *batch, dls_state *state, const double *from, dls_error *error) \
    {                                                                                                              \
        return write_setpoints(batch, state, offsetof(dls_setpoint, member) / sizeof(double), from, error);        \
    }
SETPOINT(targets, target)
SETPOINT(drive_speeds, speed)
SETPOINT(drive_forces, force)

/* --- sleep --- */

static size_t count_sleepers(const dls_model *model) { return model->world.sleep ? model->n_blocks : 0; }

static void read_islands(const dls_batch *batch, dls_configuration *c, const dls_state *state, double *to)
{
    (void)c;
    for (size_t b = 0; b < count_sleepers(batch->model); b++)
        to[b] = (double)state->asleep[b];
}

/* Blocks that the rows of a joint connect sleep and wake together. */
static dls_status check_islands(const dls_model *model, const dls_state *state, const double *from, dls_error *error)
{
    for (size_t j = 0; j < model->n_joints; j++) {
        const dls_joint *joint = &model->joints[j];
        size_t one = DLS_NONE;
        for (size_t k = 0; k < joint->n_spans + 2 && joint->n_rows > 0 && !state->broken[j]; k++) {
            const size_t block = k < 2 ? dls_model_end_block(model, joint->body[k]) : joint->spans[k - 2].block;
            if (one != DLS_NONE && block != DLS_NONE && from[block] != from[one])
                return dls_fail(error, DLS_BAD_ARGUMENT,
                                "joint '%s' connects numbers %zu and %zu: they have the same island, or are both awake",
                                joint->name, one, block);
            one = block != DLS_NONE ? block : one;
        }
    }
    return DLS_OK;
}

/* A block that falls asleep has no velocity from then on; one that wakes has been at rest for no time. */
static dls_status write_islands(const dls_batch *batch, dls_state *state, const double *from, dls_error *error)
{
    const dls_model *model = batch->model;
    if (count_sleepers(model) == 0)
        return DLS_OK;
    for (size_t b = 0; b < count_sleepers(model); b++)
        if (!(from[b] >= 0.0 && from[b] <= 0x1p53 && round(from[b]) == from[b]))
            return dls_fail(error, DLS_BAD_ARGUMENT, "islands are whole numbers from 0 to 2^53, not %g", from[b]);
    DLS_TRY(check_islands(model, state, from, error));
    for (size_t k = 0; k < model->nv; k++) {
        const size_t b = dls_model_block(model, k);
        if (from[b] != 0.0 && !state->asleep[b])
            state->v[k] = 0.0;
    }
    for (size_t b = 0; b < count_sleepers(model); b++) {
        if (from[b] == 0.0 && state->asleep[b])
            state->calm[b] = 0.0;
        state->asleep[b] = (size_t)from[b];
    }
    return DLS_OK;
}

static void read_counters(const dls_batch *batch, dls_configuration *c, const dls_state *state, double *to)
{
    (void)c;
    for (size_t b = 0; b < count_sleepers(batch->model); b++)
        to[b] = batch->model->world.sleep_time - state->calm[b];
}

static dls_status write_counters(const dls_batch *batch, dls_state *state, const double *from, dls_error *error)
{
    (void)error;
    for (size_t b = 0; b < count_sleepers(batch->model); b++)
        state->calm[b] = batch->model->world.sleep_time - from[b];
    return DLS_OK;
}

/* --- kinds --- */

typedef struct kind {
    void (*read)(const dls_batch *batch, dls_configuration *c, const dls_state *state, double *to);
    dls_status (*write)(const dls_batch *batch, dls_state *state, const double *from, dls_error *error);
    bool follows;   /* it follows from the state: `c` is evaluated first */
    bool positions; /* the coordinates that joints measure are evaluated afterwards */
    bool rests;     /* sleeping bodies accept the new state as that in which they sleep */
} kind;

static const kind kinds[DLS_BATCH_DATA] = {
    [DLS_BATCH_JOINT_POSITION] = {.read = read_positions, .write = write_positions, .positions = true},
    [DLS_BATCH_JOINT_TURNS] = {.read = read_turns, .write = write_turns, .positions = true},
    [DLS_BATCH_JOINT_VELOCITY] = {.read = read_velocities, .write = write_velocities},
    [DLS_BATCH_JOINT_FORCE] = {.read = read_forces, .write = write_forces},
    [DLS_BATCH_ROOT_POSE] = {.read = read_root_poses, .write = write_root_poses, .positions = true},
    [DLS_BATCH_ROOT_VELOCITY] = {.read = read_root_velocities, .write = write_root_velocities},
    [DLS_BATCH_LINK_POSE] = {.read = read_link_poses, .follows = true},
    [DLS_BATCH_LINK_VELOCITY] = {.read = read_link_velocities, .follows = true},
    [DLS_BATCH_LINK_FORCE] = {.read = read_link_forces, .write = write_link_forces},
    [DLS_BATCH_BODY_POSE] = {.read = read_body_poses, .write = write_body_poses, .positions = true},
    [DLS_BATCH_BODY_VELOCITY] = {.read = read_body_velocities, .write = write_body_velocities},
    [DLS_BATCH_BODY_FORCE] = {.read = read_body_forces, .write = write_body_forces},
    [DLS_BATCH_DRIVE_TARGET] = {.read = read_targets, .write = write_targets},
    [DLS_BATCH_DRIVE_SPEED] = {.read = read_drive_speeds, .write = write_drive_speeds},
    [DLS_BATCH_ISLAND] = {.read = read_islands, .write = write_islands, .rests = true},
    [DLS_BATCH_WAKE_COUNTER] = {.read = read_counters, .write = write_counters},
    [DLS_BATCH_DRIVE_FORCE] = {.read = read_drive_forces, .write = write_drive_forces},
};

const char *dls_batch_data_text(dls_batch_data data)
{
    static const char *const text[] = {
#define DLS_BATCH_TEXT(name, words, numbers) words,
        DLS_BATCH_LIST(DLS_BATCH_TEXT)
#undef DLS_BATCH_TEXT
    };
    return (size_t)data < DLS_BATCH_DATA ? text[data] : "unknown data";
}

size_t dls_batch_numbers(const dls_batch *batch, dls_batch_data data)
{
    const size_t articulations = batch->model->n_articulations, links = batch->model->n_links,
                 bodies = batch->model->n_bodies;
    const size_t coordinates = batch->model->n_coordinates, speeds = joint_speeds(batch->model);
    const size_t drives = batch->n_drives, joint_speeds = speeds, twists = count_twists(batch->model),
                 sleepers = count_sleepers(batch->model);
    const size_t numbers[] = {
#define DLS_BATCH_NUMBERS(name, words, count) count,
        DLS_BATCH_LIST(DLS_BATCH_NUMBERS)
#undef DLS_BATCH_NUMBERS
    };
    return (size_t)data < DLS_BATCH_DATA ? numbers[data] : 0;
}

static dls_status check_call(const dls_batch *batch, dls_batch_data data, const size_t *copies, size_t n, size_t stride,
                             dls_error *error)
{
    const size_t numbers = dls_batch_numbers(batch, data);
    if ((size_t)data >= DLS_BATCH_DATA)
        return dls_fail(error, DLS_BAD_ARGUMENT, "there is no data number %d in a batch", (int)data);
    if (stride < numbers)
        return dls_fail(error, DLS_BAD_ARGUMENT, "the stride of %s must be at least %zu, not %zu",
                        dls_batch_data_text(data), numbers, stride);
    return dls_batch_check_list(batch, copies, n, error);
}

dls_status dls_batch_read(const dls_batch *batch, dls_batch_data data, const size_t *copies, size_t n, double *array,
                          size_t stride, dls_error *error)
{
    dls_configuration *c = batch->workers[0].reader;
    DLS_TRY(check_call(batch, data, copies, n, stride, error));
    for (size_t k = 0; k < (copies ? n : batch->count); k++) {
        const size_t copy = dls_batch_listed(copies, k);
        const dls_state *state = batch->copies[copy].state;
        if (kinds[data].follows)
            dls_configuration_evaluate(c, state);
        kinds[data].read(batch, c, state, array + copy * stride);
    }
    return DLS_OK;
}

static dls_status write_copy(const dls_batch *batch, dls_batch_data data, dls_state *state, const double *from,
                             dls_error *error)
{
    for (size_t k = 0; k < dls_batch_numbers(batch, data); k++)
        if (!isfinite(from[k]))
            return dls_fail(error, DLS_NOT_FINITE, "number %zu must be finite", k);
    DLS_TRY(kinds[data].write(batch, state, from, error));
    if (kinds[data].positions && batch->model->n_measured) {
        dls_configuration_evaluate(batch->workers[0].reader, state);
        dls_configuration_measure(batch->workers[0].reader, state, 0.0);
    }
    return DLS_OK;
}

/* First all of them into a state that is thrown away, so that a call that fails has written nothing. */
dls_status dls_batch_write(dls_batch *batch, dls_batch_data data, const size_t *copies, size_t n, const double *array,
                           size_t stride, dls_error *error)
{
    dls_error why;
    const size_t listed = copies ? n : batch->count;
    DLS_TRY(check_call(batch, data, copies, n, stride, error));
    if (!kinds[data].write)
        return dls_fail(error, DLS_BAD_ARGUMENT, "%s follows from the rest of the state and is only read",
                        dls_batch_data_text(data));
    for (size_t k = 0; k < listed; k++) {
        const size_t copy = dls_batch_listed(copies, k);
        dls_state_copy(batch->scratch, batch->copies[copy].state);
        const dls_status status = write_copy(batch, data, batch->scratch, array + copy * stride, &why);
        if (status != DLS_OK)
            return dls_fail(error, status, "%s of copy %zu: %.400s", dls_batch_data_text(data), copy, why.message);
    }
    for (size_t k = 0; k < listed; k++) {
        const size_t copy = dls_batch_listed(copies, k);
        (void)write_copy(batch, data, batch->copies[copy].state, array + copy * stride, &why);
        batch->copies[copy].touched = true;
        if (kinds[data].rests && batch->copies[copy].rest)
            dls_state_copy(batch->copies[copy].rest, batch->copies[copy].state);
    }
    return DLS_OK;
}
