/* Sleep. physx-articulations, Articulations and Sleeping: parts with little energy for some time fall asleep, an
 * articulation as a unit, and only if each of its links fulfils the criterion. The source refers to a chapter on
 * sleeping that is not part of it; what it does not specify is chosen here.
 *
 * AT REST is a body, or a link with mass, if
 *     T / m = 1/2 |v|^2 + 1/2 omega . (I omega) / m  <  sleep_energy
 * at the end of a step: `calm` is the time for which this has been true of a block of the mass operator (a body, an
 * articulation). The energy is per unit of mass, so that the density does not matter. The criterion uses speeds and not
 * forces, so that a slow turning point counts as rest too. A pendulum of angular frequency w that passes its lowest
 * point at the speed V is below the threshold v_t = sqrt(2 sleep_energy) about each turning point for (2 / w) asin(v_t
 * / V); it falls asleep there, wrongly, if this time is sleep_time or longer,
 *     V <= v_t / sin(w sleep_time / 2)        or w sleep_time <= pi and V <= v_t
 * A body that creeps at a speed below v_t is stopped, also one whose speed would grow by less than v_t in sleep_time: a
 * box on a slope where friction is slightly too small to hold it. These are the errors of sleeping, which is disabled
 * unless a scene enables it.
 *
 * ISLANDS. The blocks that a row of the problem connects belong to one island (union-find over the rows). Static and
 * kinematic bodies have no block and do not connect others. An island falls asleep as a unit at the end of a step, when
 * each of its blocks has been calm for sleep_time and no row connects it to a moving kinematic body. Its velocities
 * become 0. From then on it has no rows, v* = 0 and, since v = 0, an unchanged pose to the bit. Its columns remain in
 * the problem, without any row.
 *
 * An island WAKES as a unit before the problem of a step is built: if a detected contact connects it to an awake block
 * or to a moving kinematic body (then contacts are detected again, since the island may touch others), if a joint
 * connects it to such a body, if the setpoint of one of its drives changes or one of its joints breaks, if a program
 * changes its state or the forces applied to it, and if a program wakes it. A contact within the world's margin counts.
 *
 * A sleeping island has no forces: those of rows are 0, and sensors show only the weight.
 */
#include "parts.h"

#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Arrays of n_blocks. */
struct dls_sleeping {
    dls_state *rest; /* when something last fell asleep */
    size_t *parent;  /* of the union-find; a root is its own */
    size_t *end;     /* the body, or the root of the articulation */
    size_t *number;  /* by root: of the island that falls asleep; 0: it stays awake */
    double *energy;  /* for each unit of mass [m^2/s^2] */
};

static void find_ends_of_blocks(const dls_model *model, size_t *end)
{
    for (size_t i = 0; i < model->n_bodies; i++)
        if (model->bodies[i].block != DLS_NONE)
            end[model->bodies[i].block] = i;
    for (size_t a = 0; a < model->n_articulations; a++)
        if (model->articulations[a].block != DLS_NONE)
            end[model->articulations[a].block] = model->articulations[a].first_end;
}

dls_status dls_sleep_open(dls_simulation *s, dls_error *error)
{
    const size_t n = s->model->n_blocks;
    struct dls_sleeping *w = s->sleeping = calloc(1, sizeof *w + 4 * n * sizeof(double));
    if (!w)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the islands of %zu bodies and articulations", n);
    w->energy = (double *)(w + 1);
    w->parent = (size_t *)(w->energy + n);
    w->end = w->parent + n;
    w->number = w->end + n;
    find_ends_of_blocks(s->model, w->end);
    return dls_state_create(s->model, &w->rest, error);
}

void dls_sleep_close(struct dls_sleeping *w)
{
    if (w)
        dls_state_destroy(w->rest);
    free(w);
}

dls_state *dls_sleep_exchange(dls_simulation *s, dls_state *rest)
{
    dls_state *before = s->sleeping->rest;
    s->sleeping->rest = rest;
    return before;
}

static void put_event(dls_simulation *s, dls_event_kind kind, dls_cause cause, size_t block, double value)
{
    dls_events_put(s, (dls_event){.kind = kind,
                                  .cause = cause,
                                  .subject = s->sleeping->end[block],
                                  .value = value,
                                  .threshold = cause == DLS_CAUSE_REST ? s->model->world.sleep_energy : NAN});
}

/* --- waking --- */

/* Wakes the island of a block. */
static void wake_island(dls_simulation *s, size_t block, dls_cause cause)
{
    const size_t number = s->state->asleep[block];
    for (size_t b = 0; b < s->model->n_blocks && number; b++) {
        if (s->state->asleep[b] != number)
            continue;
        s->state->asleep[b] = 0;
        s->state->calm[b] = 0.0;
        put_event(s, DLS_EVENT_WAKE, cause, b, NAN);
    }
    if (number && !s->edited)
        dls_configuration_rouse(s->now, s->state);
}

void dls_sleep_wake_joint(dls_simulation *s, size_t j, dls_cause cause)
{
    const dls_joint *joint = &s->model->joints[j];
    for (size_t k = 0; k < joint->n_spans; k++)
        wake_island(s, joint->spans[k].block, cause);
    for (int i = 0; i < 2; i++)
        if (dls_model_moves(s->model, joint->body[i]))
            wake_island(s, dls_model_end_block(s->model, joint->body[i]), cause);
}

/* Whether a program has changed the state of a block, or the forces on it, since it fell asleep. */
static bool block_changed(const dls_simulation *s, size_t block, dls_cause *cause)
{
    const dls_state *now = s->state, *then = s->sleeping->rest;
    size_t link, end = s->sleeping->end[block], offset, length = 6;
    const dls_model_articulation *articulation = dls_model_articulation_of(s->model, end, &link);
    bool moved, loaded = false; /* by forces on links */
    if (articulation) {
        const dls_articulation *tree = articulation->tree;
        const size_t a = (size_t)(articulation - s->model->articulations), first = end - s->model->n_bodies,
                     at = articulation->position;
        offset = articulation->offset, length = tree->nv;
        moved = memcmp(&now->roots[a], &then->roots[a], sizeof *now->roots) != 0 ||
                memcmp(now->coordinates + at, then->coordinates + at, tree->nq * sizeof *now->coordinates) != 0 ||
                memcmp(now->wraps + at, then->wraps + at, tree->nq * sizeof *now->wraps) != 0;
        loaded =
            memcmp(now->link_force + first, then->link_force + first, tree->n_links * sizeof *now->link_force) != 0;
    } else {
        offset = s->model->bodies[end].offset;
        moved = memcmp(&now->x[end], &then->x[end], sizeof *now->x) != 0 ||
                memcmp(&now->q[end], &then->q[end], sizeof *now->q) != 0;
    }
    moved = moved || memcmp(now->v + offset, then->v + offset, length * sizeof *now->v) != 0;
    loaded = loaded || memcmp(now->force + offset, then->force + offset, length * sizeof *now->force) != 0;
    *cause = moved ? DLS_CAUSE_STATE : DLS_CAUSE_LOAD;
    return moved || loaded;
}

static void wake_changed(dls_simulation *s)
{
    dls_cause cause;
    for (size_t b = 0; b < s->model->n_blocks; b++)
        if (s->state->asleep[b] && block_changed(s, b, &cause))
            wake_island(s, b, cause);
    for (size_t j = 0; j < s->model->n_joints; j++) {
        const dls_joint *joint = &s->model->joints[j];
        const size_t size = joint->type->n_state * sizeof(double);
        if (memcmp(s->state->joint_state + joint->joint_state, s->sleeping->rest->joint_state + joint->joint_state,
                   size) != 0)
            dls_sleep_wake_joint(s, j, DLS_CAUSE_STATE);
    }
}

static bool joint_on_prescribed(const dls_simulation *s, const dls_joint *joint)
{
    bool any =
        dls_configuration_prescribed(s->now, joint->body[0]) || dls_configuration_prescribed(s->now, joint->body[1]);
    for (size_t t = 0; t < joint->n_terms && !any; t++)
        any = joint->terms[t].dof == DLS_NONE && joint_on_prescribed(s, &s->model->joints[joint->terms[t].joint]);
    return any;
}

void dls_sleep_begin(dls_simulation *s)
{
    const bool touched = s->touched;
    s->touched = false;
    dls_simulation_update(s);
    if (touched && s->now->n_asleep)
        wake_changed(s);
    for (size_t j = 0; j < s->model->n_joints && s->model->n_prescribed && s->now->n_asleep; j++)
        if (!s->state->broken[j] && s->now->idle[j] && joint_on_prescribed(s, &s->model->joints[j]))
            dls_sleep_wake_joint(s, j, DLS_CAUSE_CARRIER);
}

void dls_sleep_target(dls_simulation *s, size_t j, const double *joint_state)
{
    const dls_joint *joint = &s->model->joints[j];
    if (memcmp(s->state->joint_state + joint->joint_state, joint_state, joint->type->n_state * sizeof *joint_state) ==
            0 ||
        s->state->broken[j])
        return;
    for (size_t k = 0; k < joint->n_spans; k++)
        s->state->calm[joint->spans[k].block] = 0.0;
    dls_sleep_wake_joint(s, j, DLS_CAUSE_TARGET);
}

bool dls_sleep_touch(dls_simulation *s)
{
    const size_t before = s->now->n_asleep;
    for (size_t k = 0; k < s->contacts.count && before; k++) {
        const size_t *end = s->contacts.at[k].body;
        for (int i = 0; i < 2; i++)
            if (dls_model_moves(s->model, end[i]) && dls_configuration_still(s->now, end[i]))
                wake_island(s, dls_model_end_block(s->model, end[i]),
                            dls_configuration_prescribed(s->now, end[1 - i]) ? DLS_CAUSE_CARRIER : DLS_CAUSE_TOUCH);
    }
    return s->now->n_asleep != before;
}

dls_status dls_sleep_wake_changed(dls_simulation *s, const dls_model *other, dls_error *error)
{
    DLS_TRY(dls_events_reserve(s, s->model->n_blocks, error));
    dls_simulation_update(s);
    if (!s->now->n_asleep)
        return DLS_OK;
    if (s->collider) { /* as if all were awake */
        memset(s->now->asleep, 0, s->model->n_blocks * sizeof *s->now->asleep);
        s->now->n_asleep = 0;
        const dls_status status = dls_collider_find_at(s->collider, s->now, &s->contacts, error);
        dls_configuration_rouse(s->now, s->state);
        DLS_TRY(status);
    }
    for (size_t k = 0; k < s->contacts.count && s->collider; k++) {
        const size_t *end = s->contacts.at[k].body;
        for (int i = 0; i < 2; i++)
            if (dls_change_end(s->model, end[i], other) == DLS_NONE && dls_model_moves(s->model, end[1 - i]))
                wake_island(s, dls_model_end_block(s->model, end[1 - i]), DLS_CAUSE_CHANGE);
    }
    for (size_t end = 0; end < s->model->n_ends; end++)
        if (dls_model_moves(s->model, end) && dls_change_end(s->model, end, other) == DLS_NONE)
            wake_island(s, dls_model_end_block(s->model, end), DLS_CAUSE_CHANGE);
    for (size_t j = 0; j < s->model->n_joints; j++)
        if (!s->state->broken[j] && dls_change_joint(s->model, j, other) == DLS_NONE)
            dls_sleep_wake_joint(s, j, DLS_CAUSE_CHANGE);
    return DLS_OK;
}

/* --- falling asleep --- */

static double energy_of_link(const dls_simulation *s, const dls_model_articulation *articulation, size_t link)
{
    const dls_link_def *def = &articulation->tree->defs[link];
    const dls_end end = dls_configuration_end(s->now, articulation->first_end + link);
    const dls_vec3 w = dls_tmul3(end.R, end.omega);
    return def->mass > 0.0 ? 0.5 * dls_dot(end.v, end.v) + 0.5 * dls_dot(w, dls_mul3(def->inertia, w)) / def->mass
                           : 0.0;
}

/* The largest energy per mass of the body or of the links of a block. [m^2/s^2] */
static double energy_of(const dls_simulation *s, size_t block)
{
    size_t link, end = s->sleeping->end[block];
    const dls_model_articulation *articulation = dls_model_articulation_of(s->model, end, &link);
    double most = 0.0;
    if (!articulation) {
        const dls_body *body = &s->model->bodies[end];
        const dls_end *at = &s->now->bodies[end];
        const dls_vec3 w = dls_tmul3(at->R, at->omega);
        return 0.5 * dls_dot(at->v, at->v) + 0.5 * dls_dot(w, dls_mul3(body->inertia, w)) / body->mass;
    }
    for (size_t i = 0; i < articulation->tree->n_links; i++)
        most = fmax(most, energy_of_link(s, articulation, i));
    return most;
}

static size_t root_of(size_t *parent, size_t b)
{
    while (parent[b] != b)
        b = parent[b] = parent[parent[b]];
    return b;
}

/* The lower number is the root, so that islands do not depend on the order of the rows. */
static void join_islands(size_t *parent, size_t a, size_t b)
{
    a = root_of(parent, a), b = root_of(parent, b);
    if (a != b)
        parent[a < b ? b : a] = a < b ? a : b;
}

/* The islands of the last step's rows. */
static void find_islands(dls_simulation *s)
{
    const dls_rows *J = &s->rows->J;
    size_t *parent = s->sleeping->parent;
    for (size_t b = 0; b < s->model->n_blocks; b++)
        parent[b] = b;
    for (size_t i = 0; i < J->n; i++)
        for (size_t k = J->start[i] + 1; k < J->start[i + 1]; k++)
            join_islands(parent, J->mass[J->start[i]], J->mass[k]);
}

/* Islands tied to a kinematic body that moves stay awake. */
static void keep_prescribed_awake(dls_simulation *s)
{
    const size_t n_joints = s->model->n_joints;
    for (size_t i = 0; i < s->rows->n && s->model->n_prescribed; i++) {
        const dls_list_row *row = &s->rows->row[i];
        const size_t *end = row->owner < n_joints ? NULL : s->contacts.at[row->owner - n_joints].body;
        const size_t first = s->rows->J.start[i];
        if (row->slot == 0 && s->rows->J.start[i + 1] > first &&
            (end ? dls_configuration_prescribed(s->now, end[0]) || dls_configuration_prescribed(s->now, end[1])
                 : joint_on_prescribed(s, &s->model->joints[row->owner])))
            s->sleeping->number[root_of(s->sleeping->parent, s->rows->J.mass[first])] = 0;
    }
}

static size_t free_number(const dls_simulation *s)
{
    size_t most = 0;
    for (size_t b = 0; b < s->model->n_blocks; b++)
        most = s->state->asleep[b] > most ? s->state->asleep[b] : most;
    return most + 1;
}

/* Puts the islands that have a number to sleep. */
static void put_to_sleep(dls_simulation *s, dls_cause cause)
{
    struct dls_sleeping *w = s->sleeping;
    const double kinetic = dls_kinetic_energy(s->now);
    const dls_spatial momentum = s->ledger ? dls_ledger_momentum(s->now) : (dls_spatial){{0, 0, 0}, {0, 0, 0}};
    for (size_t b = 0; b < s->model->n_blocks; b++) {
        const size_t number = w->number[root_of(w->parent, b)];
        const dls_mass_block *block = &s->problem->mass.blocks[b];
        if (s->state->asleep[b] || !number)
            continue;
        s->state->asleep[b] = number;
        memset(s->state->v + block->offset, 0, block->length * sizeof *s->state->v);
        put_event(s, DLS_EVENT_SLEEP, cause, b, energy_of(s, b));
    }
    dls_configuration_set_velocity(s->now, s->state->v);
    dls_configuration_rouse(s->now, s->state);
    if (s->ledger && cause == DLS_CAUSE_REST) /* within a step */
        dls_ledger_sleep(s->ledger, s->now, kinetic, momentum);
    dls_state_copy(w->rest, s->state);
}

void dls_sleep_rest(dls_simulation *s) { dls_state_copy(s->sleeping->rest, s->state); }

/* Numbers the islands that fall asleep, by their roots; whether there are any. */
static bool number_islands(dls_simulation *s)
{
    struct dls_sleeping *w = s->sleeping;
    size_t next = free_number(s);
    bool any = false;
    for (size_t b = 0; b < s->model->n_blocks; b++)
        w->number[b] = w->parent[b] == b && !s->state->asleep[b];
    for (size_t b = 0; b < s->model->n_blocks; b++)
        if (s->state->calm[b] < s->model->world.sleep_time)
            w->number[root_of(w->parent, b)] = 0;
    keep_prescribed_awake(s);
    for (size_t b = 0; b < s->model->n_blocks; b++)
        if (w->number[b]) {
            w->number[b] = next++;
            any = true;
        }
    return any;
}

void dls_sleep_end(dls_simulation *s, double h)
{
    struct dls_sleeping *w = s->sleeping;
    const dls_world_def *world = &s->model->world;
    bool ripe = false;
    if (!world->sleep)
        return;
    for (size_t b = 0; b < s->model->n_blocks; b++) {
        if (s->state->asleep[b])
            continue;
        w->energy[b] = energy_of(s, b);
        s->state->calm[b] = w->energy[b] < world->sleep_energy ? s->state->calm[b] + h : 0.0;
        ripe = ripe || s->state->calm[b] >= world->sleep_time;
    }
    if (!ripe)
        return;
    find_islands(s);
    if (number_islands(s))
        put_to_sleep(s, DLS_CAUSE_REST);
}

/* --- by a program --- */

static dls_status block_of(const dls_simulation *s, size_t end, size_t *block, dls_error *error)
{
    *block = end < s->model->n_ends ? dls_model_end_block(s->model, end) : DLS_NONE;
    return *block != DLS_NONE ? DLS_OK
                              : dls_fail(error, DLS_BAD_ARGUMENT, "there is no body or link %zu that forces move", end);
}

dls_status dls_simulation_wake(dls_simulation *s, size_t end, dls_error *error)
{
    size_t block;
    DLS_TRY(block_of(s, end, &block, error));
    DLS_TRY(dls_events_reserve(s, s->model->n_blocks, error));
    wake_island(s, block, DLS_CAUSE_CALL);
    return DLS_OK;
}

dls_status dls_simulation_sleep(dls_simulation *s, size_t end, dls_error *error)
{
    size_t block;
    DLS_TRY(block_of(s, end, &block, error));
    if (!s->linearised)
        return dls_fail(error, DLS_BAD_ARGUMENT, "before the first step there are no islands that could sleep");
    DLS_TRY(dls_events_reserve(s, s->model->n_blocks, error));
    if (s->state->asleep[block])
        return DLS_OK;
    dls_simulation_update(s);
    find_islands(s);
    memset(s->sleeping->number, 0, s->model->n_blocks * sizeof *s->sleeping->number);
    s->sleeping->number[root_of(s->sleeping->parent, block)] = free_number(s);
    put_to_sleep(s, DLS_CAUSE_CALL);
    return DLS_OK;
}

bool dls_simulation_asleep(const dls_simulation *s, size_t end)
{
    const size_t block = end < s->model->n_ends ? dls_model_end_block(s->model, end) : DLS_NONE;
    return block != DLS_NONE && s->state->asleep[block];
}
