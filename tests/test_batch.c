/* A batch: every copy has the bytes of a simulation that is stepped alone with the same input, at any number of
 * threads, whatever the other copies do; data goes in and out by lists and strides; a copy that fails is named and
 * spoils no other; what cannot be is refused, and nothing leaks where memory runs out. */
#include "failing_memory.h"
#include "problems.h"
#include "stepping.h"
#include "world.h"

#include "delassus/reference.h"

#include <string.h>

enum { COPIES = 11, STEPS = 6 };

static dls_batch *open_batch(const dls_model *model, size_t count, size_t threads,
                             const dls_simulation_options *simulation)
{
    dls_batch_options options = dls_batch_default();
    dls_batch *batch;
    dls_error error;
    options.simulation = *simulation;
    options.threads = threads;
    assert_status(dls_batch_open(model, count, &options, &batch, &error), &error);
    return batch;
}

static dls_simulation *open_single(const dls_model *model, const dls_simulation_options *options)
{
    dls_simulation *simulation;
    dls_error error;
    assert_status(dls_simulation_open(model, options, &simulation, &error), &error);
    return simulation;
}

static dls_simulation_options pgs(size_t iterations, bool warm)
{
    dls_simulation_options options = dls_simulation_default();
    dls_error error;
    options.solver = dls_iterative_find("pgs");
    options.iterations = iterations;
    assert_status(dls_fields_default(&dls_warm_fields, &options.warm, &error), &error);
    options.warm.on = warm;
    return options;
}

/* --- the same bytes --- */

static bool same_bytes(const dls_state *a, const dls_state *b)
{
    return a->time == b->time && dls_state_size(a) == dls_state_size(b) &&
           memcmp(a + 1, b + 1, dls_state_size(a) - sizeof *a) == 0;
}

/* The change of a copy's input before a step: its own number for each kind and place, so that no two copies are
 * alike. Most steps change nothing. */
static double change(dls_batch_data data, size_t copy, size_t step, size_t k)
{
    uint64_t seed = 977 * (uint64_t)data + 131071 * copy + 7919 * step + 65537 * k;
    return 0.2 * draw(&seed);
}
static bool changes(size_t step) { return step % 4 == 1; }

/* By the state's own arrays. */
static void change_state(const dls_model *model, dls_state *state, size_t copy, size_t step)
{
    const dls_model_counts count = dls_model_count(model);
    size_t speed = 0, drive = 0;
    for (size_t a = 0; a < count.articulations; a++) {
        const dls_model_articulation *articulation = &dls_model_articulations(model)[a];
        for (size_t k = articulation->tree->n_base; k < articulation->tree->nv; k++, speed++) {
            state->v[articulation->offset + k] += change(DLS_BATCH_JOINT_VELOCITY, copy, step, speed);
            state->force[articulation->offset + k] += change(DLS_BATCH_JOINT_FORCE, copy, step, speed);
        }
    }
    for (size_t i = 0; i < count.bodies; i++)
        for (size_t k = 0; k < 6 && dls_model_bodies(model)[i].offset != DLS_NONE; k++) {
            state->v[dls_model_bodies(model)[i].offset + k] += change(DLS_BATCH_BODY_VELOCITY, copy, step, 6 * i + k);
            state->force[dls_model_bodies(model)[i].offset + k] += change(DLS_BATCH_BODY_FORCE, copy, step, 6 * i + k);
        }
    for (size_t i = 0; i < count.links; i++) {
        double d[6];
        for (size_t k = 0; k < 6; k++)
            d[k] = change(DLS_BATCH_LINK_FORCE, copy, step, 6 * i + k);
        state->link_force[i].lin = dls_add(state->link_force[i].lin, dls_v3(d[0], d[1], d[2]));
        state->link_force[i].ang = dls_add(state->link_force[i].ang, dls_v3(d[3], d[4], d[5]));
    }
    for (size_t j = 0; j < count.joints; j++) {
        const dls_joint *joint = &dls_model_joints(model)[j];
        double joint_state[DLS_JOINT_STATE_MAX];
        if (!joint->type->driven || (joint->type->schedule && joint->type->schedule(joint, 0.0, joint_state)))
            continue;
        state->joint_state[joint->joint_state] += change(DLS_BATCH_DRIVE_TARGET, copy, step, drive++);
    }
}

static bool has_schedules(const dls_model *model)
{
    for (size_t j = 0; j < dls_model_count(model).joints; j++) {
        const dls_joint *joint = &dls_model_joints(model)[j];
        double joint_state[DLS_JOINT_STATE_MAX];
        if (joint->type->driven && joint->type->schedule && joint->type->schedule(joint, 0.0, joint_state))
            return true;
    }
    return false;
}

/* By reading, adding and writing, with a stride that is longer than it must be. */
static void change_batch(dls_batch *batch, size_t step)
{
    static const dls_batch_data kinds[] = {DLS_BATCH_JOINT_VELOCITY, DLS_BATCH_JOINT_FORCE, DLS_BATCH_BODY_VELOCITY,
                                           DLS_BATCH_BODY_FORCE,     DLS_BATCH_LINK_FORCE,  DLS_BATCH_DRIVE_TARGET};
    const dls_model *model = dls_batch_model(batch);
    const size_t count = dls_batch_count(batch);
    dls_error error;
    for (size_t d = 0; d < sizeof kinds / sizeof kinds[0]; d++) {
        const size_t n = dls_batch_numbers(batch, kinds[d]), stride = n + 3;
        if (kinds[d] == DLS_BATCH_DRIVE_TARGET && has_schedules(model))
            continue;
        double *all = calloc(count * stride, sizeof *all);
        assert_non_null(all);
        assert_status(dls_batch_read(batch, kinds[d], NULL, 0, all, stride, &error), &error);
        for (size_t copy = 0; copy < count; copy++)
            for (size_t k = 0; k < n; k++) {
                const bool body = kinds[d] == DLS_BATCH_BODY_VELOCITY || kinds[d] == DLS_BATCH_BODY_FORCE;
                if (!body || dls_model_bodies(model)[k / 6].offset != DLS_NONE)
                    all[copy * stride + k] += change(kinds[d], copy, step, k);
            }
        assert_status(dls_batch_write(batch, kinds[d], NULL, 0, all, stride, &error), &error);
        free(all);
    }
}

typedef struct sights {
    size_t calls[COPIES];
    double impulses[COPIES], visits[COPIES]; /* sums */
} sights;

static double sum_of_impulses(dls_simulation *s)
{
    double sum = 0.0;
    for (size_t i = 0; i < dls_simulation_problem(s)->n; i++)
        sum += dls_simulation_impulses(s)[i];
    return sum;
}

static void watch(void *context, size_t copy, dls_simulation *simulation)
{
    sights *all = context;
    all->calls[copy]++;
    all->impulses[copy] = sum_of_impulses(simulation);
    all->visits[copy] = dls_simulation_report(simulation)->row_visits;
}

/* Copies in a batch beside simulations of their own; where one of these fails, so does the copy, with the same status.
 */
static void compare_with_singles(const dls_model *model, const dls_simulation_options *simulation, size_t threads,
                                 const char *what)
{
    dls_batch_options options = dls_batch_default();
    dls_simulation *single[COPIES];
    dls_status status[COPIES] = {DLS_OK};
    dls_batch *batch;
    dls_error error;
    sights seen = {.calls = {0}};
    const double h = dls_model_world(model)->step;
    options.simulation = *simulation;
    options.threads = threads;
    options.observe = watch, options.context = &seen;
    assert_status(dls_batch_open(model, COPIES, &options, &batch, &error), &error);
    for (size_t i = 0; i < COPIES; i++)
        single[i] = open_single(model, simulation);
    for (size_t step = 0; step < STEPS; step++) {
        if (changes(step))
            change_batch(batch, step);
        (void)dls_batch_step(batch, h, &error);
        for (size_t i = 0; i < COPIES; i++) {
            if (status[i] != DLS_OK)
                continue;
            if (changes(step))
                change_state(model, dls_simulation_edit(single[i]), i, step);
            status[i] = dls_simulation_step(single[i], h, &error);
            assert_int_equal(dls_batch_status(batch, i, NULL), status[i]);
            if (status[i] != DLS_OK)
                continue;
            if (!same_bytes(dls_batch_state(batch, i), dls_simulation_state(single[i])))
                fail_msg("%s: copy %zu of %d differs after step %zu, %zu threads", what, i, COPIES, step, threads);
            assert_int_equal(dls_batch_outcome(batch, i), dls_simulation_report(single[i])->outcome);
            assert_int_equal(seen.calls[i], step + 1);
            assert_true(seen.impulses[i] == sum_of_impulses(single[i]));
            assert_true(seen.visits[i] == dls_simulation_report(single[i])->row_visits);
        }
    }
    for (size_t i = 0; i < COPIES; i++)
        dls_simulation_close(single[i]);
    dls_batch_close(batch);
}

static const char *const scenes[] = {"arm-12",   "gripper", "shoulder", "tendons",    "driven-arm",
                                     "star-5",   "loop",    "four-bar", "all-joints", "stack-10-found",
                                     "humanoid", "lift",    "hump",     "every-row",  "towers"};
enum { SCENES = sizeof scenes / sizeof scenes[0] };

TEST(test_every_copy_has_the_bytes_of_a_simulation_alone)
{
    for (size_t k = 0; k < SCENES; k++) {
        dls_model *model = load_scene(scenes[k]);
        for (int warm = 0; warm < 2; warm++) {
            const dls_simulation_options options = pgs(7, warm);
            for (size_t threads = 1; threads <= 3; threads++)
                compare_with_singles(model, &options, threads, scenes[k]);
        }
        dls_model_destroy(model);
    }
}

TEST(test_every_scheme)
{
    for (size_t v = 0; v < VARIANTS; v++) {
        run r;
        dls_model *model = load_scene("gripper");
        const dls_simulation_options options = options_of(&r, dls_iterative_find("pgs"), &variants[v], 5);
        compare_with_singles(model, &options, 2, variants[v].scheme);
        dls_model_destroy(model);
    }
}

TEST(test_every_solver)
{
    dls_model *model = load_scene("star-5"), *contacts = load_scene("humanoid");
    for (size_t k = 0; dls_iterative_solvers[k]; k++) {
        dls_simulation_options options = pgs(70, false); /* past the first look for impulses that are not finite */
        options.solver = dls_iterative_solvers[k];
        compare_with_singles(model, &options, 2, options.solver->name);
        compare_with_singles(contacts, &options, 2, options.solver->name);
    }
    for (size_t k = 0; dls_direct_solvers[k]; k++) {
        dls_simulation_options options = pgs(7, false);
        options.solver = dls_direct_solvers[k];
        compare_with_singles(model, &options, 2, options.solver->name);
    }
    dls_model_destroy(contacts);
    dls_model_destroy(model);
}

/* --- sleep --- */

/* Boxes that rest on the ground, one on the other, an arm that hangs at rest and one that swings; all of these by
 * speeds below which islands fall asleep after two steps. */
static const char sleepers[] =
    "world: {gravity: [0, 0, -9.81], step: 1 ms, collide: true, friction: box, mu: 0.5, sleep: true, sleep_time: 2 ms, "
    "sleep_energy: 1e-3}\n"
    "bodies:\n"
    "  - {name: ground, static: true, shape: plane}\n"
    "  - {name: low, shape: box, size: [0.4, 0.4, 0.2], mass: 2, position: [0, 0, 0.1]}\n"
    "  - {name: high, shape: box, size: [0.3, 0.3, 0.2], mass: 1, position: [0, 0, 0.3]}\n"
    "  - {name: alone, shape: box, size: [0.3, 0.3, 0.2], mass: 1, position: [2, 0, 0.1]}\n"
    "articulations:\n"
    "  - name: hangs\n"
    "    links:\n"
    "      - {name: root, static: true, position: [4, 0, 2]}\n"
    "      - {name: one, parent: root, motion: revolute, axis: [0, 1, 0], anchor: [4, 0, 2], mass: 1, inertia: [0.1, "
    "0.1, "
    "0.1], position: [4, 0, 1.5]}\n"
    "  - name: swings\n"
    "    links:\n"
    "      - {name: root, static: true, position: [6, 0, 2]}\n"
    "      - {name: one, parent: root, motion: revolute, axis: [0, 1, 0], anchor: [6, 0, 2], mass: 1, inertia: [0.1, "
    "0.1, "
    "0.1], position: [6.5, 0, 2], speed: 1}\n"
    "joints:\n"
    "  - {name: hold, type: drive, coordinates: {hangs.one: 1}, stiffness: 5, damping: 1}\n"
    "  - {name: tie, type: distance, body1: high, body2: low, anchor1: [0, 0, 0.3], anchor2: [0, 0, 0.1]}\n";

TEST(test_copies_sleep_as_simulations_do)
{
    dls_model *model = parse_model(sleepers);
    for (int warm = 0; warm < 2; warm++)
        for (size_t threads = 1; threads <= 3; threads++) {
            const dls_simulation_options options = pgs(30, warm);
            compare_with_singles(model, &options, threads, "sleepers");
        }
    dls_model_destroy(model);
}

/* A copy with the wake counter w falls asleep in the first step that ends at w or later; one that is put to sleep stays
 * where it is, whatever drives and forces it has, until it is woken or loaded; blocks of the scene are low, high,
 * alone, hangs, swings. */
TEST(test_sleep_is_read_and_written)
{
    enum { BLOCKS = 5, SLEEPERS = 6 };
    dls_model *model = parse_model(sleepers);
    const dls_simulation_options options = pgs(30, false);
    dls_batch *batch = open_batch(model, SLEEPERS, 2, &options);
    double islands[SLEEPERS][BLOCKS], counters[SLEEPERS][BLOCKS], force[SLEEPERS][2] = {{0.0}};
    const size_t last = SLEEPERS - 1;
    dls_error error;
    assert_int_equal(dls_batch_numbers(batch, DLS_BATCH_ISLAND), BLOCKS);
    for (size_t i = 0; i < SLEEPERS; i++)
        for (size_t b = 0; b < BLOCKS; b++)
            counters[i][b] = 0.5e-3 + 2e-3 * (double)i;
    assert_status(dls_batch_write(batch, DLS_BATCH_WAKE_COUNTER, NULL, 0, counters[0], BLOCKS, &error), &error);
    for (size_t step = 1; step <= 12; step++) {
        assert_status(dls_batch_step(batch, 1e-3, &error), &error);
        assert_status(dls_batch_read(batch, DLS_BATCH_ISLAND, NULL, 0, islands[0], BLOCKS, &error), &error);
        for (size_t i = 0; i < SLEEPERS; i++) {
            for (size_t b = 0; b < 4; b++)
                assert_true((islands[i][b] != 0.0) == (1e-3 * (double)step > 0.5e-3 + 2e-3 * (double)i));
            assert_true(islands[i][0] == islands[i][1] && islands[i][4] == 0.0); /* a pile is one island */
        }
    }
    /* The swinging arm of the last copy is put to sleep as it swings, and the pile of copy 0 is woken. */
    islands[last][4] = 9.0, islands[0][0] = islands[0][1] = 0.0;
    assert_status(dls_batch_write(batch, DLS_BATCH_ISLAND, NULL, 0, islands[0], BLOCKS, &error), &error);
    double before[SLEEPERS][2], after[SLEEPERS][2];
    assert_status(dls_batch_read(batch, DLS_BATCH_JOINT_POSITION, NULL, 0, before[0], 2, &error), &error);
    assert_status(dls_batch_step(batch, 1e-3, &error), &error);
    assert_status(dls_batch_read(batch, DLS_BATCH_JOINT_POSITION, NULL, 0, after[0], 2, &error), &error);
    assert_status(dls_batch_read(batch, DLS_BATCH_ISLAND, NULL, 0, islands[0], BLOCKS, &error), &error);
    assert_status(dls_batch_read(batch, DLS_BATCH_WAKE_COUNTER, NULL, 0, counters[0], BLOCKS, &error), &error);
    assert_true(islands[0][0] == 0.0 && islands[0][1] == 0.0 && islands[0][2] != 0.0 && islands[last][4] == 9.0);
    assert_close(counters[0][0], 1e-3, 1e-15); /* it has been at rest for a step */
    assert_true(after[last][1] == before[last][1] && after[0][1] != before[0][1]);
    /* A force on its joint wakes it, and nothing else. */
    force[last][1] = 0.1;
    assert_status(dls_batch_write(batch, DLS_BATCH_JOINT_FORCE, &last, 1, force[0], 2, &error), &error);
    assert_status(dls_batch_step(batch, 1e-3, &error), &error);
    assert_status(dls_batch_read(batch, DLS_BATCH_ISLAND, NULL, 0, islands[0], BLOCKS, &error), &error);
    assert_true(islands[last][4] == 0.0 && islands[last][2] != 0.0 && islands[last][3] != 0.0);
    /* Bodies that a joint connects sleep together; islands are numbers. */
    islands[1][0] = 0.0;
    assert_int_equal(dls_batch_write(batch, DLS_BATCH_ISLAND, NULL, 0, islands[0], BLOCKS, &error), DLS_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "joint 'tie' connects"));
    islands[1][0] = islands[1][1] = 0.5;
    assert_int_equal(dls_batch_write(batch, DLS_BATCH_ISLAND, NULL, 0, islands[0], BLOCKS, &error), DLS_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "whole numbers"));
    dls_batch_close(batch);
    dls_model_destroy(model);
}

/* A floating tree whose momentum is kept, friction that answers to the load of its joint, every motion type. */
TEST(test_what_a_step_leaves_to_the_next)
{
    static const char loaded[] =
        "world: {gravity: [0, 0, -9.81], step: 1 ms}\n"
        "articulations:\n"
        "  - name: arm\n"
        "    links:\n"
        "      - {name: base, static: true}\n"
        "      - {name: upper, parent: base, motion: revolute, anchor: [0, 0, 0], axis: [0, 1, 0], shape: box, size: "
        "[0.4, 0.1, 0.1], mass: 1.3, position: [0.2, 0, 0]}\n"
        "      - {name: fore, parent: upper, motion: revolute, anchor: [0.4, 0, 0], axis: [0, 1, 0], shape: box, size: "
        "[0.3, 0.1, 0.1], mass: 0.9, position: [0.55, 0, 0]}\n"
        "joints:\n"
        "  - {name: dry, type: friction, coordinates: {arm.upper: 1}, coefficient: 0.05, force: 0.1}\n";
    dls_scene *scene = parse_scene(TWO_TREES);
    scene->world.keep_momentum = true;
    dls_model *momentum = finish(scene), *friction = parse_model(loaded);
    const dls_simulation_options options = pgs(20, true);
    compare_with_singles(friction, &options, 2, "friction in proportion to the load");
    compare_with_singles(momentum, &options, 2, "two trees");
    dls_model_destroy(momentum);
    dls_model_destroy(friction);
}

/* --- data --- */

TEST(test_lists_and_strides)
{
    enum { STRIDE = 20, COUNT = 9 };
    dls_model *model = load_scene("arm-12");
    const dls_simulation_options options = pgs(5, false);
    dls_batch *batch = open_batch(model, COUNT, 1, &options);
    const size_t list[] = {7, 2, 5};
    double q[COUNT * STRIDE], back[COUNT * STRIDE], pose[COUNT * 7 * 13];
    dls_error error;
    assert_int_equal(dls_batch_numbers(batch, DLS_BATCH_JOINT_POSITION), 12);
    for (size_t k = 0; k < COUNT * STRIDE; k++)
        q[k] = 0.001 * (double)k, back[k] = -1.0;
    q[7 * STRIDE] = 15.0, q[2 * STRIDE + 11] = -20.0; /* whole turns */
    assert_status(dls_batch_write(batch, DLS_BATCH_JOINT_POSITION, list, 3, q, STRIDE, &error), &error);
    assert_status(dls_batch_read(batch, DLS_BATCH_JOINT_POSITION, list, 3, back, STRIDE, &error), &error);
    for (size_t copy = 0; copy < COUNT; copy++)
        for (size_t k = 0; k < STRIDE; k++) {
            const bool listed = copy == 7 || copy == 2 || copy == 5;
            assert_close(back[copy * STRIDE + k], listed && k < 12 ? q[copy * STRIDE + k] : -1.0, 1e-14);
        }
    for (size_t copy = 0; copy < COUNT; copy++) /* those that are not in the list are as they were */
        if (copy != 7 && copy != 2 && copy != 5)
            assert_true(same_bytes(dls_batch_state(batch, copy), dls_model_initial(model)));

    assert_status(dls_batch_read(batch, DLS_BATCH_LINK_POSE, NULL, 0, pose, 7 * 13, &error), &error);
    for (size_t copy = 0; copy < COUNT; copy++) {
        dls_simulation *s = open_single(model, &options);
        dls_state_copy(dls_simulation_edit(s), dls_batch_state(batch, copy));
        for (size_t i = 0; i < 13; i++) {
            const dls_end end = dls_configuration_end(dls_simulation_configuration(s), i);
            const double *p = pose + (copy * 13 + i) * 7;
            assert_true(p[0] == end.x.x && p[1] == end.x.y && p[2] == end.x.z);
            assert_true(p[3] == end.q.w && p[4] == end.q.x && p[5] == end.q.y && p[6] == end.q.z);
        }
        dls_simulation_close(s);
    }
    dls_batch_close(batch);
    dls_model_destroy(model);
}

/* Numbers that are read can be written, and leave the bytes as they are. */
TEST(test_what_is_read_can_be_written)
{
    dls_model *models[] = {parse_parts(PARTS(TWO_TREES)), load_scene("gripper"), load_scene("lift"),
                           load_scene("slider-crank")};
    for (size_t m = 0; m < sizeof models / sizeof models[0]; m++) {
        const dls_simulation_options options = pgs(5, false);
        dls_batch *batch = open_batch(models[m], 3, 1, &options);
        dls_error error;
        for (int k = 0; k < 4; k++)
            assert_status(dls_batch_step(batch, dls_model_world(models[m])->step, &error), &error);
        for (int d = 0; d < DLS_BATCH_DATA; d++) {
            const dls_batch_data data = (dls_batch_data)d;
            const size_t n = dls_batch_numbers(batch, data);
            double *all = calloc(3 * n + 1, sizeof *all);
            dls_state *before;
            assert_non_null(all);
            assert_status(dls_state_create(models[m], &before, &error), &error);
            dls_state_copy(before, dls_batch_state(batch, 1));
            assert_status(dls_batch_read(batch, data, NULL, 0, all, n, &error), &error);
            const dls_status status = dls_batch_write(batch, data, NULL, 0, all, n, &error);
            const bool derived = data == DLS_BATCH_LINK_POSE || data == DLS_BATCH_LINK_VELOCITY;
            assert_int_equal(status, derived ? DLS_BAD_ARGUMENT : DLS_OK);
            if (!same_bytes(before, dls_batch_state(batch, 1)))
                fail_msg("model %zu: %s changes as it is written", m, dls_batch_data_text(data));
            dls_state_destroy(before);
            free(all);
        }
        dls_batch_close(batch);
        dls_model_destroy(models[m]);
    }
}

/* --- number by number --- */

/* Static bodies, bodies with a given motion, measured coordinates, and articulations with a fixed and a floating root.
 */
static const char of_all_sorts[] =
    "bodies:\n"
    "  - {name: ground, static: true, position: [0.1, 0.2, -1]}\n"
    "  - {name: table, kinematic: true, velocity: [0.1, 0.2, 0], omega: [0, 0.3, 1.3], position: [4, 0, 0], "
    "orientation: [0.5, 0.5, 0.5, 0.5]}\n"
    "  - {name: cart, shape: box, size: [1, 0.5, 0.4], mass: 2, position: [0, 3, 0], orientation: [0.5, -0.5, 0.5, "
    "0.5], velocity: [0.3, 0, 0]}\n"
    "  - {name: top, shape: box, size: [1, 0.5, 0.4], mass: 0.7, position: [0, 6, 0], orientation: [0.1, 0.7, 0.5, "
    "0.5], omega: [0.3, 0.1, 0.2]}\n"
    "articulations:\n"
    "  - name: arm\n"
    "    links:\n"
    "      - {name: base, static: true}\n"
    "      - {name: upper, parent: base, motion: revolute, axis: [0, 1, 0.2], anchor: [0, 0, 1], position: [0.2, 0, "
    "1], shape: sphere, radius: 0.1, mass: 1, start: 0.4}\n"
    "      - {name: hand, parent: upper, motion: spherical, anchor: [0.7, 0, 1], position: [0.9, 0.1, 1.1], rotation: "
    "[0.5, 0.5, -0.5, 0.5], shape: sphere, radius: 0.1, mass: 1}\n"
    "      - {name: rail, parent: upper, motion: prismatic, axis: [1, 0, 0], position: [0.3, 0, 1], shape: sphere, "
    "radius: 0.1, mass: 1}\n"
    "  - name: bird\n"
    "    links:\n"
    "      - {name: body, position: [0, 1, 1], orientation: [0.5, 0.5, 0.5, -0.5], shape: sphere, radius: 0.1, mass: "
    "1}\n"
    "      - {name: wing, parent: body, motion: revolute-unwrapped, anchor: [0.1, 1.2, 1], axis: [0, 0, 1], position: "
    "[0.2, 1.4, 1], shape: sphere, radius: 0.1, mass: 1}\n"
    "joints:\n"
    "  - {name: way, type: slider, body1: cart, axis: [1, 0, 0]}\n"
    "  - {name: pull, type: drive, coordinates: {way: 1}, stiffness: 9, damping: 3, target: 0.5}\n"
    "  - {name: bend, type: drive, coordinates: {arm.upper: 1}, stiffness: 5, damping: 2, target: 0.1}\n";

enum { ROOM = 64 };

static void read_kind(const dls_batch *batch, int data, double *to)
{
    dls_error error;
    assert_true(dls_batch_numbers(batch, (dls_batch_data)data) <= ROOM);
    assert_status(dls_batch_read(batch, (dls_batch_data)data, NULL, 0, to, ROOM, &error), &error);
}

static bool is_derived(int data) { return data == DLS_BATCH_LINK_POSE || data == DLS_BATCH_LINK_VELOCITY; }

/* Writes a number of copy 1 that is larger by `by`, or else, for an entry of a unit quaternion, its negative. */
static dls_status write_number(dls_batch *batch, int data, const double *all, size_t k, double *value, dls_error *error)
{
    const size_t copy = 1;
    double changed[2 * ROOM];
    dls_status status;
    memcpy(changed, all, sizeof changed);
    changed[ROOM + k] = *value = all[ROOM + k] + 1.0;
    status = dls_batch_write(batch, (dls_batch_data)data, &copy, 1, changed, ROOM, error);
    if (status == DLS_OK || !strstr(error->message, "must be unit"))
        return status;
    changed[ROOM + k] = *value = -all[ROOM + k];
    return dls_batch_write(batch, (dls_batch_data)data, &copy, 1, changed, ROOM, error);
}

/* Each number is one of the state's, of its copy alone, and none that another kind of data has; what joints measure
 * follows; and what cannot move keeps its numbers, by name. */
TEST(test_each_number_is_one_of_its_own)
{
    dls_model *model = parse_model(of_all_sorts);
    const dls_simulation_options options = pgs(5, false);
    dls_batch *batch = open_batch(model, 2, 1, &options);
    dls_error error;
    double all[DLS_BATCH_DATA][2 * ROOM] = {{0.0}}, now[2 * ROOM];
    size_t written = 0, refused = 0;
    for (int d = 0; d < DLS_BATCH_DATA; d++)
        read_kind(batch, d, all[d]);
    for (int d = 0; d < DLS_BATCH_DATA; d++)
        for (size_t k = 0; k < dls_batch_numbers(batch, (dls_batch_data)d) && !is_derived(d); k++) {
            double value;
            const dls_status status = write_number(batch, d, all[d], k, &value, &error);
            if (status != DLS_OK) {
                static const char *const names[] = {"ground", "table", "base"};
                const size_t still = d == DLS_BATCH_ROOT_VELOCITY ? 2 : k / (d == DLS_BATCH_BODY_POSE ? 7 : 6);
                assert_int_equal(status, DLS_BAD_ARGUMENT);
                assert_true(still < 3);
                assert_non_null(strstr(error.message, names[still]));
                assert_non_null(strstr(error.message, "of copy 1"));
                assert_true(same_bytes(dls_batch_state(batch, 0), dls_batch_state(batch, 1)));
                refused++;
                continue;
            }
            written++;
            for (int other = 0; other < DLS_BATCH_DATA; other++) {
                const size_t n = dls_batch_numbers(batch, (dls_batch_data)other);
                memset(now, 0, sizeof now);
                read_kind(batch, other, now);
                if (other == d) {
                    assert_close(now[ROOM + k], value, 1e-15 * fabs(value));
                    now[ROOM + k] = all[d][ROOM + k];
                }
                assert_memory_equal(now, all[other], n * sizeof *now);
                if (!is_derived(other))
                    for (size_t i = 0; i < ROOM; i++)
                        if (now[ROOM + i] != all[other][ROOM + i])
                            fail_msg("%s %zu changes %s %zu", dls_batch_data_text((dls_batch_data)d), k,
                                     dls_batch_data_text((dls_batch_data)other), i);
            }
            const dls_state *state = dls_batch_state(batch, 1);
            dls_state *measured = new_state(model);
            dls_state_copy(measured, state);
            dls_configuration *c = configuration_of(model, measured);
            dls_configuration_measure(c, measured, 0.0);
            assert_true(same_bytes(measured, state));
            const bool along_the_way = d == DLS_BATCH_BODY_POSE && k == 7 * 2;
            assert_close(state->measured[0], along_the_way ? 1.0 : 0.0, 1e-12);
            dls_configuration_destroy(c);
            dls_state_destroy(measured);
            assert_status(dls_batch_reset(batch, NULL, 0, &error), &error);
        }
    /* pose, velocity and force of what stands, force on what follows a motion, velocity of the fixed root */
    assert_int_equal(refused, 7 + 6 + 6 + 6 + 6);
    size_t count = 0;
    for (int d = 0; d < DLS_BATCH_DATA; d++)
        count += is_derived(d) ? 0 : dls_batch_numbers(batch, (dls_batch_data)d);
    assert_int_equal(written + refused, count);
    dls_batch_close(batch);
    dls_model_destroy(model);
}

/* Turns are whole numbers that a double has; the largest is taken. */
TEST(test_turns_are_whole)
{
    dls_model *model = parse_model(of_all_sorts);
    const dls_simulation_options options = pgs(5, false);
    dls_batch *batch = open_batch(model, 1, 1, &options);
    dls_error error;
    assert_int_equal(dls_batch_numbers(batch, DLS_BATCH_JOINT_TURNS), 1);
    static const struct {
        double turns;
        bool taken;
    } cases[] = {{3, true},      {-2, true},      {0.5, false},          {-1e-9, false},
                 {0x1p53, true}, {-0x1p53, true}, {0x1p53 + 2.0, false}, {-0x1p53 - 2.0, false}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        double turns = 0.25;
        const dls_status status = dls_batch_write(batch, DLS_BATCH_JOINT_TURNS, NULL, 0, &cases[k].turns, 1, &error);
        assert_int_equal(status, cases[k].taken ? DLS_OK : DLS_BAD_ARGUMENT);
        if (!cases[k].taken)
            assert_non_null(strstr(error.message, "whole numbers up to 2^53"));
        assert_status(dls_batch_read(batch, DLS_BATCH_JOINT_TURNS, NULL, 0, &turns, 1, &error), &error);
        assert_true(!cases[k].taken || turns == cases[k].turns);
    }
    dls_batch_close(batch);
    dls_model_destroy(model);
}

/* --- failures --- */

static void write_speed(dls_batch *batch, size_t copy, double speed)
{
    double all[COPIES * 12];
    dls_error error;
    assert_status(dls_batch_read(batch, DLS_BATCH_JOINT_VELOCITY, NULL, 0, all, 12, &error), &error);
    all[copy * 12 + 4] = speed;
    assert_status(dls_batch_write(batch, DLS_BATCH_JOINT_VELOCITY, &copy, 1, all, 12, &error), &error);
}

TEST(test_a_copy_that_diverges)
{
    dls_model *model = load_scene("arm-12");
    const dls_simulation_options options = pgs(7, true);
    for (size_t threads = 1; threads <= 3; threads++) {
        dls_batch *batch = open_batch(model, COPIES, threads, &options);
        dls_simulation *single = open_single(model, &options);
        dls_error error;
        dls_state *before;
        assert_status(dls_state_create(model, &before, &error), &error);
        assert_status(dls_batch_step(batch, 2e-3, &error), &error);
        assert_status(dls_simulation_step(single, 2e-3, &error), &error);
        write_speed(batch, 9, 1e160);
        write_speed(batch, 3, 1e160);
        dls_state_copy(before, dls_batch_state(batch, 3));
        assert_int_equal(dls_batch_step(batch, 2e-3, &error), DLS_NOT_FINITE);
        assert_non_null(strstr(error.message, "copy 3:"));
        assert_status(dls_simulation_step(single, 2e-3, &error), &error);
        assert_int_equal(dls_batch_failed(batch), 2);
        assert_int_equal(dls_batch_status(batch, 9, &error), DLS_NOT_FINITE);
        assert_non_null(strstr(error.message, "copy 9:"));
        assert_true(same_bytes(before, dls_batch_state(batch, 3))); /* the start of the step */
        assert_status(dls_batch_step(batch, 2e-3, &error), &error); /* without them */
        assert_status(dls_simulation_step(single, 2e-3, &error), &error);
        assert_true(same_bytes(before, dls_batch_state(batch, 3)));
        for (size_t i = 0; i < COPIES; i++)
            if (i != 3 && i != 9)
                assert_true(same_bytes(dls_batch_state(batch, i), dls_simulation_state(single)));

        const size_t three = 3; /* one begins again, the other goes on from a state that it is given */
        assert_status(dls_batch_reset(batch, &three, 1, &error), &error);
        assert_status(dls_batch_set_state(batch, 9, dls_simulation_state(single), &error), &error);
        assert_int_equal(dls_batch_failed(batch), 0);
        assert_true(same_bytes(dls_batch_state(batch, 3), dls_model_initial(model)));
        dls_simulation *fresh = open_single(model, &options);
        assert_status(dls_batch_step(batch, 2e-3, &error), &error);
        assert_status(dls_simulation_step(fresh, 2e-3, &error), &error);
        assert_true(same_bytes(dls_batch_state(batch, 3), dls_simulation_state(fresh)));
        dls_simulation_close(fresh);
        fresh = open_single(model, &options); /* cold, as set_state says */
        dls_state_copy(dls_simulation_edit(fresh), dls_simulation_state(single));
        assert_status(dls_simulation_step(fresh, 2e-3, &error), &error);
        assert_true(same_bytes(dls_batch_state(batch, 9), dls_simulation_state(fresh)));
        dls_simulation_close(fresh);
        dls_state_destroy(before);
        dls_simulation_close(single);
        dls_batch_close(batch);
    }
    dls_model_destroy(model);
}

/* pgs, which refuses what is fast. */
static dls_status refuse_fast(const dls_problem *problem, dls_error *error)
{
    return fabs(problem->v_star[4]) < 50.0 ? DLS_OK : dls_fail(error, DLS_REFUSED, "too fast for it");
}

static dls_status open_slow(const dls_problem *problem, const void *settings, const double *lambda0, void **work,
                            dls_error *error)
{
    *work = NULL;
    DLS_TRY(refuse_fast(problem, error));
    return dls_iterative_find("pgs")->open(problem, settings, lambda0, work, error);
}

static dls_status reload_slow(void *work, const dls_problem *problem, const double *lambda0, dls_error *error)
{
    DLS_TRY(refuse_fast(problem, error));
    return dls_iterative_find("pgs")->reload(work, problem, lambda0, error);
}

TEST(test_a_solver_that_refuses_one_copy)
{
    dls_model *model = load_scene("arm-12");
    dls_simulation_options options = pgs(7, false);
    dls_solver slow = *options.solver;
    slow.open = open_slow, slow.reload = reload_slow;
    options.solver = &slow;
    dls_batch *batch = open_batch(model, COPIES, 2, &options);
    dls_simulation *single = open_single(model, &options);
    dls_error error;
    for (int k = 0; k < 4; k++) {
        if (k == 1)
            write_speed(batch, 6, 100.0);
        const dls_status status = dls_batch_step(batch, 2e-3, &error);
        assert_int_equal(status, k == 1 ? DLS_REFUSED : DLS_OK);
        assert_status(dls_simulation_step(single, 2e-3, &error), &error);
    }
    assert_int_equal(dls_batch_failed(batch), 1);
    assert_int_equal(dls_batch_outcome(batch, 6), DLS_OUTCOME_REFUSED);
    assert_int_equal(dls_batch_status(batch, 6, &error), DLS_REFUSED);
    assert_non_null(strstr(error.message, "copy 6: pgs refuses the step's problem: too fast for it"));
    for (size_t i = 0; i < COPIES; i++)
        if (i != 6)
            assert_true(same_bytes(dls_batch_state(batch, i), dls_simulation_state(single)));
    dls_simulation_close(single);
    dls_batch_close(batch);
    dls_model_destroy(model);
}

/* Each is refused by a message that has the words, and changes nothing. */
TEST(test_bad_arguments)
{
    dls_model *model = load_scene("arm-12"), *follows = load_scene("driven-arm"),
              *floats = parse_parts(PARTS(TWO_TREES));
    const dls_simulation_options options = pgs(5, false);
    dls_batch_options bad = dls_batch_default();
    dls_batch *batch = open_batch(model, 2, 1, &options), *none;
    double x[2 * 6 * 20] = {0.0};
    const size_t outside = 2;
    dls_error error;
#define REFUSED(call, status, words)                            \
    do {                                                        \
        assert_int_equal(call, status);                         \
        if (!strstr(error.message, words))                      \
            fail_msg("'%s' has no '%s'", error.message, words); \
    } while (0)
    bad.simulation = options;
    REFUSED(dls_batch_open(model, 0, &bad, &none, &error), DLS_BAD_ARGUMENT, "at least one copy");
    bad.simulation.ledger = true;
    REFUSED(dls_batch_open(model, 2, &bad, &none, &error), DLS_BAD_ARGUMENT, "ledger");
    bad.simulation = options, bad.simulation.solver = NULL;
    REFUSED(dls_batch_open(model, 2, &bad, &none, &error), DLS_BAD_ARGUMENT, "needs a solver");
    bad.simulation = options, bad.threads = 100000;
    REFUSED(dls_batch_open(model, 2, &bad, &none, &error), DLS_BAD_ARGUMENT, "too many");
    assert_null(none);
    REFUSED(dls_batch_step(batch, 0.0, &error), DLS_BAD_ARGUMENT, "time step");
    REFUSED(dls_batch_step(batch, NAN, &error), DLS_BAD_ARGUMENT, "time step");
    REFUSED(dls_batch_read(batch, DLS_BATCH_JOINT_POSITION, NULL, 0, x, 11, &error), DLS_BAD_ARGUMENT,
            "at least 12, not 11");
    REFUSED(dls_batch_read(batch, DLS_BATCH_JOINT_POSITION, &outside, 1, x, 12, &error), DLS_BAD_ARGUMENT,
            "the batch has 2");
    REFUSED(dls_batch_write(batch, DLS_BATCH_DATA, NULL, 0, x, 12, &error), DLS_BAD_ARGUMENT, "no data number");
    REFUSED(dls_batch_reset(batch, &outside, 1, &error), DLS_BAD_ARGUMENT, "the batch has 2");
    REFUSED(dls_batch_set_state(batch, 2, dls_model_initial(model), &error), DLS_BAD_ARGUMENT, "the batch has 2");
    REFUSED(dls_batch_set_state(batch, 1, dls_model_initial(floats), &error), DLS_BAD_ARGUMENT, "the batch's model");
    REFUSED(dls_batch_status(batch, 2, &error), DLS_BAD_ARGUMENT, "the batch has 2");
    assert_null(dls_batch_state(batch, 2));
    x[12 + 3] = INFINITY, x[0] = 1.0;
    REFUSED(dls_batch_write(batch, DLS_BATCH_JOINT_POSITION, NULL, 0, x, 12, &error), DLS_NOT_FINITE,
            "joint-position of copy 1: number 3 must be finite");
    x[12 + 3] = 0.0;
    REFUSED(dls_batch_write(batch, DLS_BATCH_ROOT_POSE, NULL, 0, x, 7, &error), DLS_BAD_ARGUMENT,
            "root-pose of copy 0: the quaternion of root 'base'");
    REFUSED(dls_batch_write(batch, DLS_BATCH_ROOT_VELOCITY, NULL, 0, x, 6, &error), DLS_BAD_ARGUMENT, "cannot move");
    REFUSED(dls_batch_write(batch, DLS_BATCH_LINK_POSE, NULL, 0, x, 100, &error), DLS_BAD_ARGUMENT, "only read");
    for (size_t i = 0; i < 2; i++)
        assert_true(same_bytes(dls_batch_state(batch, i), dls_model_initial(model)));
    dls_batch_close(batch);

    batch = open_batch(follows, 2, 1, &options);
    REFUSED(dls_batch_write(batch, DLS_BATCH_DRIVE_TARGET, NULL, 0, x, 2, &error), DLS_BAD_ARGUMENT,
            "follows a schedule");
    dls_batch_close(batch);
    batch = open_batch(floats, 2, 1, &options);
    x[1] = 0.25, x[2] = 0.5, x[3] = 0.75, x[4] = 2.0;
    REFUSED(dls_batch_write(batch, DLS_BATCH_JOINT_POSITION, NULL, 0, x, 50, &error), DLS_BAD_ARGUMENT,
            "the quaternion of joint 'fore' must be unit, not (0.25, 0.5, 0.75, 2)");
    REFUSED(dls_batch_write(batch, DLS_BATCH_BODY_VELOCITY, NULL, 0, x, 20, &error), DLS_BAD_ARGUMENT,
            "body 'ground' cannot move");
    dls_batch_close(batch);
    dls_model_destroy(floats);
    dls_model_destroy(follows);
    dls_model_destroy(model);
}

/* --- memory --- */

static dls_status use_memory(const dls_model *model, dls_error *error)
{
    dls_batch_options options = dls_batch_default();
    dls_batch *batch;
    options.simulation = pgs(3, true);
    options.threads = 1; /* the counters of allocations are those of one thread */
    DLS_TRY(dls_batch_open(model, 3, &options, &batch, error));
    dls_status status = DLS_OK;
    for (int k = 0; k < 3 && status == DLS_OK; k++)
        status = dls_batch_step(batch, 2e-3, error);
    dls_batch_close(batch);
    return status;
}

/* A lack of memory while the copies are solved together is none: they are then solved one by one. */
TEST(test_every_allocation_fails_once)
{
    dls_model *model = load_scene("arm-12");
    dls_error error;
    assert_status(use_memory(model, &error), &error);
    const long before = live;
    allocations = fail_at = 0;
    assert_status(use_memory(model, &error), &error);
    const size_t needed = allocations;
    size_t unnoticed = 0;
    for (size_t k = 1; k <= needed; k++) {
        error.message[0] = '\0';
        allocations = 0, fail_at = k;
        const dls_status status = use_memory(model, &error);
        fail_at = 0;
        assert_int_equal(live, before);
        unnoticed += status == DLS_OK;
        if (status != DLS_OK && (status != DLS_NO_MEMORY || !error.message[0]))
            fail_msg("allocation %zu of %zu: status '%s', message '%s'", k, needed, dls_status_text(status),
                     error.message);
    }
    assert_true(unnoticed > 0 && unnoticed <= 10); /* lanes: a struct, six arrays that may grow */
    dls_model_destroy(model);
}

/* Methods that can take several works at once do so on articulations, and not one by one. */
TEST(test_works_go_together)
{
    enum { WORKS = 3, ITERATIONS = 7, ROWS_MAX = 100 };
    size_t methods = 0;
    dls_model *model = load_scene("arm-12");
    dls_error error;
    dls_problem *p = problem_from_state(model, dls_model_initial(model), NULL, 1e-3);
    assert_in_range(p->n, 1, ROWS_MAX);
    for (const dls_solver *const *solver = dls_iterative_solvers; *solver; solver++) {
        void *works[WORKS], *alone;
        double settings[32], lambda[ROWS_MAX], expected[ROWS_MAX];
        dls_report reports[WORKS] = {0}, *to[WORKS] = {&reports[0], &reports[1], &reports[2]}, of_one = {0};
        bool done[WORKS] = {false};
        if (!(*solver)->iterate_together)
            continue;
        assert_status(dls_fields_default(&(*solver)->fields, settings, &error), &error);
        assert_status((*solver)->open(p, settings, NULL, &alone, &error), &error);
        for (size_t k = 0; k < WORKS; k++)
            assert_status((*solver)->open(p, settings, NULL, &works[k], &error), &error);
        (*solver)->iterate_together(works, WORKS, ITERATIONS, to, done);
        for (int k = 0; k < ITERATIONS; k++)
            assert_status((*solver)->iterate(alone, &of_one, &error), &error);
        (*solver)->read(alone, expected);
        for (size_t k = 0; k < WORKS; k++) {
            assert_true(done[k]);
            assert_int_equal(reports[k].iterations, ITERATIONS);
            assert_int_equal(reports[k].dead_rows, of_one.dead_rows);
            (*solver)->read(works[k], lambda);
            assert_memory_equal(lambda, expected, p->n * sizeof *lambda);
            (*solver)->close(works[k]);
        }
        (*solver)->close(alone);
        methods++;
    }
    assert_true(methods >= 2);
    dls_problem_destroy(p);
    dls_model_destroy(model);
}

TEST(test_a_run_that_has_settled_takes_no_memory)
{
    dls_model *model = load_scene("arm-12");
    const dls_simulation_options options = pgs(10, true);
    dls_batch *batch = open_batch(model, 16, 1, &options);
    dls_error error;
    for (int k = 0; k < 3; k++)
        assert_status(dls_batch_step(batch, 2e-3, &error), &error);
    const size_t before = allocations;
    for (int k = 0; k < 20; k++)
        assert_status(dls_batch_step(batch, 2e-3, &error), &error);
    assert_int_equal(allocations, before);
    assert_true(dls_batch_size(batch) < 8192);
    dls_batch_close(batch);
    dls_model_destroy(model);
}
