/* Sleep: who falls asleep, with whom and when; that what sleeps has no rows and stays to the bit; what wakes it; and
 * where the criterion is wrong. */
#include "problems.h"
#include "stepping.h"
#include "world.h"

#include "delassus/check.h"

static size_t end_named(const run *r, const char *name)
{
    const size_t end = dls_model_find_end(r->model, name);
    if (end == DLS_NONE)
        fail_msg("no body %s", name);
    return end;
}

static bool asleep(const run *r, const char *name) { return dls_simulation_asleep(r->simulation, end_named(r, name)); }

static size_t count_events(const run *r, dls_event_kind kind, dls_cause cause)
{
    size_t count, found = 0;
    const dls_event *events = dls_simulation_events(r->simulation, &count);
    for (size_t k = 0; k < count; k++)
        found += events[k].kind == kind && events[k].cause == cause;
    return found;
}

/* Steps until that body sleeps, at most `most`; how many there were. */
static size_t until_asleep(run *r, const char *name, size_t most)
{
    size_t steps = 0;
    for (; steps < most && !asleep(r, name); steps++)
        run_steps(r, 1, 1e-3);
    return steps;
}

static void wake_by_call(run *r, const char *name)
{
    dls_error error;
    assert_status(dls_simulation_wake(r->simulation, end_named(r, name), &error), &error);
}

/* Everything that is asleep is where it was, to the bit. */
static void assert_still(const run *r, const dls_state *then)
{
    const dls_state *now = dls_simulation_state(r->simulation);
    for (size_t i = 0; i < now->n_bodies; i++) {
        if (!dls_simulation_asleep(r->simulation, i))
            continue;
        assert_memory_equal(&now->x[i], &then->x[i], sizeof *now->x);
        assert_memory_equal(&now->q[i], &then->q[i], sizeof *now->q);
        for (size_t k = 0; k < 6; k++)
            assert_close(now->v[dls_model_bodies(r->model)[i].offset + k], 0.0, 0.0);
    }
}

/* --- given contacts --- */

#define ON_THE_GROUND(name, x)                                                                                        \
    "  - {name: " name "1, type: contact, body1: " name ", body2: world, point: [" x ", 0.2, 0], normal: [0, 0, 1], " \
    "mu: 0.5}\n"                                                                                                      \
    "  - {name: " name "2, type: contact, body1: " name ", body2: world, point: [" x ", -0.2, 0], normal: [0, 0, "    \
    "1], mu: 0.5}\n"                                                                                                  \
    "  - {name: " name "3, type: distance, body1: " name ", anchor1: [" x ", 0, 0.2], anchor2: [" x                   \
    ", 0, 3], stiffness: 0.1}\n"

static const char two_boxes[] =
    "world: {gravity: [0, 0, -10], sleep: true, sleep_time: 0.2}\n"
    "bodies:\n"
    "  - {name: a, shape: box, size: [0.4, 0.4, 0.4], mass: 2.4, position: [0, 0, 0.2], orientation: [0.8, 0, 0, "
    "0.6]}\n"
    "  - {name: b, shape: box, size: [0.4, 0.4, 0.4], mass: 1.3, position: [1, 0, 0.2]}\n"
    "  - {name: c, shape: box, size: [0.4, 0.4, 0.4], mass: 1.3, position: [3, 0, 0.2], velocity: [0.5, 0, 0]}\n"
    "joints:\n" ON_THE_GROUND("a", "0") ON_THE_GROUND(
        "b",
        "1") "  - {name: bond, type: distance, body1: a, body2: b, anchor1: [0.2, 0, 0.2], anchor2: [0.8, 0, 0.2]}\n";

/* The two that are tied sleep as one; the one that flies does not, and what holds all three, the world, ties nothing.
 */
TEST(test_islands)
{
    for (size_t v = 0; v < VARIANTS; v++) {
        run r;
        start_kept(&r, parse_model(two_boxes), &variants[v], 100);
        const size_t steps = until_asleep(&r, "a", 3000);
        print_message("# %-26s asleep after %zu steps\n", name_of(&variants[v]), steps);
        assert_true(steps >= 200 && steps < 3000);
        assert_true(asleep(&r, "b") && !asleep(&r, "c"));
        assert_int_equal(count_events(&r, DLS_EVENT_SLEEP, DLS_CAUSE_REST), 2);
        const dls_ledger *ledger = dls_simulation_ledger(r.simulation);
        assert_true(ledger->sleep <= 0.0 && dls_ledger_mismatch(ledger) < 1e-12);
        assert_close(ledger->momentum_drift.lin.z, 0.0, 1e-12);
        dls_state *then = new_state(r.model);
        dls_state_copy(then, dls_simulation_state(r.simulation));
        for (int k = 0; k < 100; k++) {
            run_steps(&r, 1, 1e-3);
            assert_int_equal(dls_simulation_problem(r.simulation)->n, 0);
            assert_true(dls_ledger_mismatch(ledger) < 1e-12 && ledger->sleep == 0.0);
            assert_close(dls_norm(ledger->momentum_drift.lin), 0.0, 1e-12);
        }
        assert_still(&r, then);
        assert_true(memcmp(&dls_simulation_state(r.simulation)->x[2], &then->x[2], sizeof *then->x) != 0);
        dls_state_destroy(then);
        run_stop(&r);
    }
}

/* --- what wakes --- */

static void sleep_soundly(run *r)
{
    start_kept(r, parse_model(two_boxes), &variants[0], 100);
    assert_true(until_asleep(r, "a", 3000) < 3000);
    run_steps(r, 10, 1e-3);
}

TEST(test_what_wakes)
{
    run r;
    dls_error error;
    sleep_soundly(&r);
    dls_simulation_edit(r.simulation);                  /* nothing is changed */
    dls_simulation_edit(r.simulation)->force[12] = 0.3; /* nor of what sleeps */
    run_steps(&r, 1, 1e-3);
    assert_true(asleep(&r, "a") && asleep(&r, "b"));
    assert_int_equal(count_events(&r, DLS_EVENT_WAKE, DLS_CAUSE_LOAD), 0);

    dls_simulation_edit(r.simulation)->force[8] = 20.0; /* lifts b, and with it a is awake */
    run_steps(&r, 1, 1e-3);
    assert_true(!asleep(&r, "a") && !asleep(&r, "b"));
    assert_int_equal(count_events(&r, DLS_EVENT_WAKE, DLS_CAUSE_LOAD), 2);
    assert_int_equal(dls_simulation_problem(r.simulation)->n, 15);
    assert_true(dls_simulation_state(r.simulation)->v[8] > 0.0); /* in the same step */
    run_stop(&r);

    sleep_soundly(&r);
    dls_simulation_edit(r.simulation)->v[3] = 0.4;
    run_steps(&r, 1, 1e-3);
    assert_int_equal(count_events(&r, DLS_EVENT_WAKE, DLS_CAUSE_STATE), 2);
    run_stop(&r);

    sleep_soundly(&r);
    assert_int_equal(dls_simulation_wake(r.simulation, 17, &error), DLS_BAD_ARGUMENT);
    wake_by_call(&r, "b");
    wake_by_call(&r, "b");
    assert_true(!asleep(&r, "a"));
    run_steps(&r, 1, 1e-3);
    assert_int_equal(count_events(&r, DLS_EVENT_WAKE, DLS_CAUSE_CALL), 2);
    assert_true(until_asleep(&r, "a", 400) >= 198); /* the time starts again */
    assert_status(dls_simulation_break(r.simulation, dls_model_find_joint(r.model, "bond"), &error), &error);
    assert_true(!asleep(&r, "a") && !asleep(&r, "b"));
    run_steps(&r, 1, 1e-3);
    assert_int_equal(count_events(&r, DLS_EVENT_WAKE, DLS_CAUSE_JOINT), 2);
    run_stop(&r);
}

/* Put to sleep by a program: in full motion, with its island and no other; without the world's leave. */
TEST(test_by_a_program)
{
    run r;
    dls_error error;
    char text[4096];
    snprintf(text, sizeof text, "%s", two_boxes);
    memcpy(strstr(text, "sleep: true,"), "           ,", 12);
    memcpy(strstr(text, "           ,"), "mu: 0.2    ,", 12);
    start(&r, parse_model(text), &variants[0], 100);
    assert_int_equal(dls_simulation_sleep(r.simulation, 0, &error), DLS_BAD_ARGUMENT);
    run_steps(&r, 1000, 1e-3);
    assert_true(!asleep(&r, "a")); /* off unless asked for */
    assert_status(dls_simulation_sleep(r.simulation, end_named(&r, "c"), &error), &error);
    assert_true(asleep(&r, "c") && !asleep(&r, "a"));
    assert_status(dls_simulation_sleep(r.simulation, end_named(&r, "a"), &error), &error);
    assert_true(asleep(&r, "c") && asleep(&r, "a") && asleep(&r, "b"));
    const dls_vec3 x = dls_simulation_state(r.simulation)->x[2];
    wake_by_call(&r, "a");
    run_steps(&r, 100, 1e-3);
    assert_true(asleep(&r, "c") && !asleep(&r, "b"));
    assert_memory_equal(&x, &dls_simulation_state(r.simulation)->x[2], sizeof x);
    run_stop(&r);
}

TEST(test_target)
{
    static const char text[] =
        "world: {gravity: [0, 0, -10], sleep: true, sleep_time: 0.2}\n"
        "articulations:\n"
        "  - name: arm\n"
        "    links:\n"
        "      - {name: base, static: true}\n"
        "      - {name: upper, parent: base, motion: revolute, axis: [0, 1, 0], anchor: [0, 0, 0], shape: sphere, "
        "radius: 0.1, mass: 1.7, position: [0.4, 0, 0]}\n"
        "      - {name: fore, parent: upper, motion: revolute, axis: [0, 1, 0], anchor: [0.4, 0, 0], shape: sphere, "
        "radius: 0.1, mass: 0.6, position: [0.7, 0, 0]}\n"
        "      - {name: wheel, parent: fore, motion: revolute, axis: [1, 0, 0], anchor: [0.7, 0, 0], shape: sphere, "
        "radius: 0.1, mass: 0.2, position: [0.75, 0, 0], speed: %g}\n"
        "joints:\n"
        "  - {name: one, type: drive, coordinates: {arm.upper: 1}, stiffness: 4000, damping: 80, target: 0.01}\n"
        "  - {name: two, type: drive, coordinates: {arm.fore: 1}, stiffness: 2000, damping: 40}\n";
    for (int turns = 0; turns < 2; turns++) {
        run r;
        dls_error error;
        char scene[2048];
        snprintf(scene, sizeof scene, text, turns ? 3.0 : 0.0);
        start(&r, parse_model(scene), &variants[0], 50);
        const size_t steps = until_asleep(&r, "arm.upper", 2000);
        if (turns) { /* one link that moves keeps the articulation awake */
            assert_int_equal(steps, 2000);
            run_stop(&r);
            continue;
        }
        assert_true(steps < 2000 && asleep(&r, "arm.fore"));
        run_steps(&r, 5, 1e-3);
        const double q = dls_simulation_state(r.simulation)->coordinates[1];
        assert_int_equal(dls_simulation_problem(r.simulation)->n, 0);
        assert_status(dls_simulation_drive(r.simulation, 0, (dls_setpoint){0.01, 0.0, 0.0}, &error), &error);
        run_steps(&r, 5, 1e-3); /* the same target */
        assert_true(asleep(&r, "arm.upper"));
        assert_true(memcmp(&q, &dls_simulation_state(r.simulation)->coordinates[1], sizeof q) == 0);
        assert_status(dls_simulation_drive(r.simulation, 1, (dls_setpoint){0.2, 0.0, 0.0}, &error), &error);
        run_steps(&r, 1, 1e-3);
        assert_int_equal(count_events(&r, DLS_EVENT_WAKE, DLS_CAUSE_TARGET), 1);
        assert_int_equal(dls_simulation_problem(r.simulation)->n, 2);
        run_steps(&r, 300, 1e-3);
        assert_close(dls_simulation_state(r.simulation)->coordinates[1], 0.2, 0.01);
        run_stop(&r);
    }
}

/* --- kinematic bodies --- */

/* A table that stands lets its load sleep, and wakes it when it moves; while it moves nobody on it sleeps, however
 * slow.
 */
TEST(test_carriers)
{
    static const char text[] = "world: {gravity: [0, 0, -10], sleep: true, sleep_time: 0.2}\n"
                               "bodies:\n"
                               "  - {name: table, kinematic: true, position: [0, 0, -0.1]}\n"
                               "  - {name: load, shape: box, size: [0.4, 0.4, 0.4], mass: 2.4, position: [0, 0, 0.2]}\n"
                               "joints:\n"
                               "  - {name: hold, type: fixed, body1: load, body2: table}\n";
    run r;
    start(&r, parse_model(text), &variants[0], 100);
    assert_true(until_asleep(&r, "load", 1000) < 1000);
    run_steps(&r, 10, 1e-3);
    dls_simulation_edit(r.simulation)->prescribed[0].lin = dls_v3(0, 0, 1e-3); /* far below the threshold */
    run_steps(&r, 1, 1e-3);
    assert_int_equal(count_events(&r, DLS_EVENT_WAKE, DLS_CAUSE_CARRIER), 1);
    run_steps(&r, 1000, 1e-3);
    assert_true(!asleep(&r, "load"));
    assert_close(dls_simulation_state(r.simulation)->x[1].z, 0.2 + 1e-3 * 1.001, 1e-6);
    dls_simulation_edit(r.simulation)->prescribed[0].lin = dls_v3(0, 0, 0);
    assert_true(until_asleep(&r, "load", 1000) < 1000);
    run_stop(&r);
}

/* --- false sleep --- */

/* A pendulum is below the threshold for (2 / w) asin(v_t / V) about its turning point: with that below sleep_time it
 * never sleeps, and above it does, in mid-swing. */
TEST(test_a_turning_point)
{
    const double w = sqrt(10.0 / 2.5), threshold = sqrt(2.0 * 5e-5);
    const double limit = threshold / sin(0.5 * w * 0.5);
    for (int k = 0; k < 2; k++) {
        run r;
        char text[1024];
        snprintf(text, sizeof text,
                 "world: {gravity: [0, 0, -10], sleep: true}\n"
                 "articulations:\n"
                 "  - name: p\n"
                 "    links:\n"
                 "      - {name: base, static: true}\n"
                 "      - {name: bob, parent: base, motion: revolute, axis: [0, 1, 0], anchor: [0, 0, 2.5], mass: 1.3, "
                 "inertia: [1e-9, 1e-9, 1e-9], position: [0, 0, 0], speed: %.17g}\n",
                 (k ? 0.97 : 1.03) * limit / 2.5);
        start(&r, parse_model(text), &variants[0], 50);
        run_steps(&r, 20000, 1e-3);
        print_message("# V = %.4g of the law's limit, %.4g m/s: %s\n", k ? 0.97 : 1.03, limit,
                      asleep(&r, "p.bob") ? "falsely asleep" : "awake");
        assert_int_equal(asleep(&r, "p.bob"), k);
        if (k) { /* not at its lowest point */
            const double q = dls_simulation_state(r.simulation)->coordinates[0];
            assert_true(fabs(q) > 0.5 * limit / 2.5 / w);
        }
        run_stop(&r);
    }
}

/* A box that is let go on a slope that friction does not quite hold speeds up by a = g (sin - mu cos), and is below the
 * threshold for v_t / a: it sleeps, falsely, where that is sleep_time or longer, and slides for ever where it is not.
 */
TEST(test_a_slope)
{
    const double slope = 0.3, threshold = sqrt(2.0 * 5e-5);
    const double limit = tan(slope) - threshold / 0.5 / (10.0 * cos(slope));
    for (int k = 0; k < 2; k++) {
        run r;
        char text[1024];
        const double mu = limit + (k ? 2e-4 : -2e-4);
        snprintf(
            text, sizeof text,
            "world: {gravity: [%.17g, 0, %.17g], sleep: true, collide: true, contact_margin: 1 mm, friction: cone, "
            "mu: %.17g}\n"
            "bodies:\n"
            "  - {name: ground, shape: plane, static: true}\n"
            "  - {name: box, shape: box, size: [0.4, 0.4, 0.1], mass: 2.4, position: [0, 0, 0.05]}\n",
            10.0 * sin(slope), -10.0 * cos(slope), mu);
        start_with(&r, parse_model(text), dls_iterative_find("nsgs"), &variants[0], 300);
        run_steps(&r, 1500, 1e-3);
        print_message("# mu = %.6f on a slope of tan %.6f: %s\n", mu, tan(slope),
                      asleep(&r, "box") ? "falsely asleep" : "slides");
        assert_int_equal(asleep(&r, "box"), k);
        run_stop(&r);
    }
}

/* --- detected contacts --- */

static const char towers[] =
    "world: {gravity: [0, 0, -10], sleep: true, sleep_time: 0.2, collide: true, contact_margin: 1 mm}\n"
    "bodies:\n"
    "  - {name: ground, shape: plane, static: true}\n"
    "  - {repeat: 3, name: 'a{i}', shape: box, size: [0.4, 0.4, 0.4], mass: 2.4, position: {start: [0, 0, 0.2], i: [0, "
    "0, "
    "0.4]}}\n"
    "  - {repeat: 3, name: 'b{i}', shape: box, size: [0.4, 0.4, 0.4], mass: 2.4, position: {start: [2, 0, 0.2], i: [0, "
    "0, "
    "0.4]}}\n"
    "  - {name: ball, shape: sphere, radius: 0.1, mass: 1.1, position: [0, 0, 6]}\n";

TEST(test_touch)
{
    for (int warm = 0; warm < 2; warm++) {
        run r;
        dls_error error;
        dls_simulation_options options = options_of(&r, dls_iterative_find("pgs"), &variants[0], 300);
        if (warm)
            assert_status(dls_fields_default(&dls_warm_fields, &options.warm, &error), &error);
        options.ledger = true;
        run_open(&r, parse_model(towers), &options);
        assert_true(until_asleep(&r, "a0", 800) < 800);
        assert_true(asleep(&r, "a1") && asleep(&r, "a2"));
        assert_true(until_asleep(&r, "b0", 800) < 800);
        assert_true(!asleep(&r, "ball"));
        dls_state *then = new_state(r.model);
        dls_state_copy(then, dls_simulation_state(r.simulation));
        size_t steps = 0;
        for (; asleep(&r, "a2") && steps < 2000; steps++) {
            assert_still(&r, then);
            if (steps > 0)
                assert_int_equal(dls_simulation_problem(r.simulation)->n, 0);
            run_steps(&r, 1, 1e-3);
            assert_true(dls_ledger_mismatch(dls_simulation_ledger(r.simulation)) < 1e-12);
        }
        print_message("# warm %d: the ball wakes them after %zu steps, %zu contacts\n", warm, steps,
                      dls_simulation_contacts(r.simulation)->count);
        assert_true(steps < 2000 && !asleep(&r, "a0") && !asleep(&r, "a1"));
        assert_int_equal(count_events(&r, DLS_EVENT_WAKE, DLS_CAUSE_TOUCH), 3);
        assert_int_equal(dls_simulation_contacts(r.simulation)->count, 13); /* of the whole tower, in that very step */
        assert_true(asleep(&r, "b0") && asleep(&r, "b1") && asleep(&r, "b2"));
        if (warm) { /* impulses from before the sleep are where the solve began */
            const dls_problem *problem = dls_simulation_problem(r.simulation);
            double sum = 0.0;
            assert_int_equal(problem->n, 39);
            for (size_t i = 0; i < 12; i += 3)
                sum += dls_simulation_impulses(r.simulation)[i];
            assert_true(sum > 0.9 * 3 * 2.4 * 10 * 1e-3);
        }
        run_steps(&r, 100, 1e-3);
        assert_still(&r, then);
        dls_state_destroy(then);
        run_stop(&r);
    }
}

/* The same bytes again, with events at the same steps. */
TEST(test_again)
{
    run one, two;
    start(&one, parse_model(towers), &variants[0], 300);
    start(&two, parse_model(towers), &variants[0], 300);
    for (int k = 0; k < 1500; k++) {
        run_steps(&one, 1, 1e-3);
        run_steps(&two, 1, 1e-3);
        const dls_state *a = dls_simulation_state(one.simulation), *b = dls_simulation_state(two.simulation);
        assert_memory_equal(a->x, b->x, a->n_bodies * sizeof *a->x);
        assert_memory_equal(a->asleep, b->asleep, a->n_blocks * sizeof *a->asleep);
    }
    run_stop(&one);
    run_stop(&two);
}

/* --- an articulation --- */

/* Two arms on ropes, each asleep by itself, and a link of the second that a program may load. */
static const char two_arms[] =
    "world: {gravity: [0, 0, 0], sleep: true, sleep_time: 0.05}\n"
    "articulations:\n"
    "  - name: one\n"
    "    links:\n"
    "      - {name: base, position: [0, 0, 1], shape: sphere, radius: 0.1, mass: 1}\n"
    "      - {name: arm, parent: base, motion: revolute, axis: [0, 1, 0], anchor: [0, 0, 1], shape: sphere, radius: "
    "0.1, mass: 0.6, position: [0.4, 0, 1]}\n"
    "  - name: two\n"
    "    links:\n"
    "      - {name: base, position: [3, 0, 1], shape: sphere, radius: 0.1, mass: 1.3}\n"
    "      - {name: arm, parent: base, motion: revolute, axis: [0, 1, 0], anchor: [3, 0, 1], shape: sphere, radius: "
    "0.1, mass: 0.4, position: [3.4, 0, 1]}\n"
    "      - {name: hand, parent: arm, motion: revolute, axis: [0, 0, 1], anchor: [3.4, 0, 1], shape: sphere, radius: "
    "0.1, mass: 0.2, position: [3.6, 0, 1]}\n"
    "  - name: three\n"
    "    links:\n"
    "      - {name: base, position: [6, 0, 1], shape: sphere, radius: 0.1, mass: 1.3}\n"
    "      - {name: arm, parent: base, motion: revolute, axis: [0, 1, 0], anchor: [6, 0, 1], shape: sphere, radius: "
    "0.1, mass: 0.4, position: [6.4, 0, 1]}\n";

/* Each number that the state has of an articulation wakes it when a program changes it, the last as well as the first,
 * and wakes nobody else: as a load where it is a force, as a state where it is more. */
TEST(test_every_number_of_an_articulation_wakes_it)
{
    run r;
    start_kept(&r, parse_model(two_arms), &variants[0], 20);
    const dls_model_articulation *two = &dls_model_articulations(r.model)[1];
    const size_t nq = two->tree->nq, nv = two->tree->nv, n_links = two->tree->n_links;
    const size_t kinds[] = {7, nq, nq, nv, nv, 6 * n_links};
    assert_int_equal(nv, 8);
    for (size_t kind = 0; kind < 6; kind++)
        for (size_t k = 0; k < kinds[kind]; k++) {
            assert_true(until_asleep(&r, "two.base", 500) < 500);
            assert_true(asleep(&r, "one.arm") && asleep(&r, "three.arm"));
            const dls_cause cause = kind < 4 ? DLS_CAUSE_STATE : DLS_CAUSE_LOAD;
            dls_state *state = dls_simulation_edit(r.simulation);
            dls_frame *root = &state->roots[1];
            double *const pose[7] = {&root->p.x, &root->p.y, &root->p.z, &root->q.w,
                                     &root->q.x, &root->q.y, &root->q.z};
            dls_spatial *load = &state->link_force[two->first_end - dls_model_count(r.model).bodies];
            double *const of_load[6] = {&load[k / 6].lin.x, &load[k / 6].lin.y, &load[k / 6].lin.z,
                                        &load[k / 6].ang.x, &load[k / 6].ang.y, &load[k / 6].ang.z};
            if (kind == 0)
                *pose[k] += 1e-13;
            else if (kind == 1)
                state->coordinates[two->position + k] += 1e-13;
            else if (kind == 2)
                state->wraps[two->position + k] += 1;
            else if (kind == 3)
                state->v[two->offset + k] += 1e-13;
            else if (kind == 4)
                state->force[two->offset + k] += 1e-13;
            else
                *of_load[k % 6] += 1e-13;
            run_steps(&r, 1, 1e-3);
            if (asleep(&r, "two.base") || !asleep(&r, "one.arm") || !asleep(&r, "three.arm") ||
                count_events(&r, DLS_EVENT_WAKE, cause) != 1)
                fail_msg("kind %zu, number %zu", kind, k);
        }
    run_stop(&r);
}

/* --- the examiner --- */

TEST(test_checked)
{
    run r;
    dls_error error;
    dls_check_report *report;
    sleep_soundly(&r);
    const dls_state *state = dls_simulation_state(r.simulation);
    dls_problem *problem = problem_from_state(r.model, state, NULL, 1e-3);
    assert_int_equal(problem->n, 0);
    assert_status(dls_check_problem(r.model, state, NULL, problem, 3, &report, &error), &error);
    assert_true(report->passed);
    dls_check_report_destroy(report);
    problem->v_star[2] = 1e-9; /* a body that falls in its sleep */
    assert_status(dls_check_problem(r.model, state, NULL, problem, 3, &report, &error), &error);
    assert_false(report->passed);
    dls_check_report_destroy(report);
    dls_problem_destroy(problem);
    run_stop(&r);
}
