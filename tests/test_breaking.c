/* Joints that break: at which force, about which point, what is left of the mechanism, and what its momentum and energy
 * do. */
#include "problems.h"
#include "stepping.h"
#include "world.h"

#include "delassus/check.h"

static size_t events_of(const run *r, dls_event *all, size_t room)
{
    size_t count;
    const dls_event *events = dls_simulation_events(r->simulation, &count);
    for (size_t k = 0; k < count && k < room; k++)
        all[k] = events[k];
    return count;
}

static size_t broken(const run *r, const char *joint)
{
    return dls_simulation_state(r->simulation)->broken[dls_model_find_joint(r->model, joint)];
}

/* --- two masses that turn about each other --- */

/* The tension m w^2 r of the joint is 1.3 * 2.1^2 * 0.4 N. Its thresholds are these shares of it. */
static dls_model *dumbbell(double share)
{
    char text[2048];
    snprintf(text, sizeof text,
             "world: {gravity: [0, 0, 0]}\n"
             "bodies:\n"
             "  - {name: a, shape: sphere, radius: 0.1, mass: 1.3, position: [0.4, 0, 0], velocity: [0.7, 0.84, 0.1], "
             "omega: [0, 0, 2.1]}\n"
             "  - {name: b, shape: sphere, radius: 0.1, mass: 1.3, position: [-0.4, 0, 0], velocity: [0.7, -0.84, "
             "0.1], omega: [0, 0, 2.1]}\n"
             "joints:\n"
             "  - {name: rod, type: fixed, body1: a, body2: b, anchor: [0.4, 0, 0], break_force: %.17g}\n",
             share * 1.3 * 2.1 * 2.1 * 0.4);
    return parse_model(text);
}

static double distance_of(dls_vec3 a, dls_vec3 b) { return dls_norm(dls_sub(a, b)); }

TEST(test_momentum)
{
    for (size_t v = 0; v < VARIANTS; v++) {
        run r;
        dls_event event[4];
        dls_vec3 p[3], L[3];
        start(&r, dumbbell(0.9), &variants[v], 40);
        momentum_of(r.model, dls_simulation_state(r.simulation), &p[0], &L[0]);
        size_t steps = 0, n = 0;
        for (; n == 0 && steps < 100; steps++) { /* the first step is straight, and no force is in the rod yet */
            run_steps(&r, 1, 1e-3);
            n = events_of(&r, event, 4);
        }
        assert_int_equal(n, 1);
        assert_int_equal(event[0].kind, DLS_EVENT_BREAK);
        assert_int_equal(event[0].cause, DLS_CAUSE_FORCE);
        assert_string_equal(dls_simulation_subject(r.simulation, &event[0]), "rod");
        print_message("# %-26s %zu steps, %.9g N\n", name_of(&variants[v]), steps, event[0].value);
        assert_close(event[0].time, dls_simulation_state(r.simulation)->time, 0.0);
        assert_true(event[0].value > event[0].threshold && event[0].value < 3.0 * event[0].threshold);
        assert_close(event[0].threshold, 0.9 * 1.3 * 2.1 * 2.1 * 0.4, 1e-15);
        assert_int_equal(dls_simulation_problem(r.simulation)->n, 6); /* the step that broke it has its impulses */
        momentum_of(r.model, dls_simulation_state(r.simulation), &p[1], &L[1]);
        const dls_vec3 velocity = dls_simulation_configuration(r.simulation)->bodies[0].v;
        run_steps(&r, 1, 1e-3);
        assert_int_equal(dls_simulation_problem(r.simulation)->n, 0);
        assert_int_equal(events_of(&r, event, 4), 0);
        run_steps(&r, 900, 1e-3);
        momentum_of(r.model, dls_simulation_state(r.simulation), &p[2], &L[2]);
        const double apart = acts_in_pairs(&variants[v]) ? 1e-15 : 1e-6;
        assert_close(distance_of(p[1], p[0]), 0.0, apart);
        assert_close(distance_of(p[2], p[0]), 0.0, apart);
        assert_close(distance_of(L[2], L[1]), 0.0,
                     900.0 * 40.0 * 0x1p-53 * 1.3 * 1.1); /* places are rounded, by tgs 40 times a step */
        assert_close(distance_of(dls_simulation_configuration(r.simulation)->bodies[0].v, velocity), 0.0, 0.0);
        assert_int_equal(broken(&r, "rod"), 1);
        run_stop(&r);
    }
}

/* Corrections of positions come and go beside the tension, and take up to as much. */
TEST(test_it_holds)
{
    for (size_t v = 0; v < VARIANTS; v++) {
        run r;
        start(&r, dumbbell(3), &variants[v], 40);
        run_steps(&r, 300, 1e-3);
        if (broken(&r, "rod"))
            fail_msg("%s: the rod broke", name_of(&variants[v]));
        run_stop(&r);
    }
}

/* --- about which point the torque is --- */

/* A beam, held at its end: the torque there is m g L, that about its centre of mass another. */
static dls_model *cantilever(const char *limits)
{
    char text[1024];
    snprintf(text, sizeof text,
             "world: {gravity: [0, 0, -10]}\n"
             "bodies:\n"
             "  - {name: beam, shape: box, size: [1.2, 0.1, 0.1], mass: 2.3, position: [0.6, 0, 0]}\n"
             "joints:\n"
             "  - {name: clamp, type: fixed, body1: %s, anchor: [0, 0, 0], %s}\n",
             strstr(limits, "swapped") ? "world, body2: beam" : "beam", limits + (strstr(limits, "swapped") ? 8 : 0));
    return parse_model(text);
}

TEST(test_torque_about_the_anchor)
{
    static const struct {
        const char *limits;
        size_t broken;
        dls_cause cause;
    } cases[] = {
        {"break_torque: 13.75", 1, DLS_CAUSE_TORQUE}, /* m g L = 13.8 */
        {"break_torque: 13.85", 0, DLS_CAUSES},
        {"swapped break_torque: 13.75", 1, DLS_CAUSE_TORQUE},
        {"swapped break_torque: 13.85", 0, DLS_CAUSES},
        {"break_force: 22.95", 1, DLS_CAUSE_FORCE},
        {"break_force: 23.05, break_torque: 13.85", 0, DLS_CAUSES},
        {"break_force: 23.05, break_torque: 13.75", 1, DLS_CAUSE_TORQUE},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        run r;
        dls_event event = {0};
        start(&r, cantilever(cases[k].limits), &variants[0], 4000);
        run_steps(&r, 1, 1e-3);
        assert_int_equal(events_of(&r, &event, 1), cases[k].broken);
        if (cases[k].broken)
            assert_int_equal(event.cause, cases[k].cause);
        assert_int_equal(broken(&r, "clamp"), cases[k].broken);
        run_stop(&r);
    }
}

/* --- what ends with it --- */

static const char door[] =
    "world: {gravity: [0, 0, 0]}\n"
    "bodies:\n"
    "  - {name: leaf, shape: box, size: [0.8, 0.05, 2], mass: 20, position: [0.4, 0, 0], omega: [0, 0, 1], velocity: "
    "[0, 0.4, 0]}\n"
    "joints:\n"
    "  - {name: hinge, type: hinge, body1: leaf, anchor: [0, 0, 0], axis: [0, 0, 1]}\n"
    "  - {name: stop, type: limit, coordinates: {hinge: 1}, lower: -1, upper: 2}\n"
    "  - {name: closer, type: drive, coordinates: {hinge: 1}, stiffness: 50, break_torque: 1000}\n";

TEST(test_what_ends_with_it)
{
    run r;
    dls_error error;
    dls_event event[4];
    start_kept(&r, parse_model(door), &variants[0], 50);
    run_steps(&r, 10, 1e-3);
    assert_int_equal(dls_simulation_problem(r.simulation)->n, 8);
    assert_int_equal(dls_simulation_break(r.simulation, 3, &error), DLS_BAD_ARGUMENT);
    const double angle = dls_simulation_state(r.simulation)->measured[0];
    const double h = 1e-3;
    assert_status(dls_simulation_break(r.simulation, dls_model_find_joint(r.model, "hinge"), &error), &error);
    assert_status(dls_simulation_break(r.simulation, dls_model_find_joint(r.model, "hinge"), &error), &error);
    assert_int_equal(events_of(&r, event, 4), 3);
    run_steps(&r, 1, h); /* what a program did before a step is told with it */
    assert_int_equal(events_of(&r, event, 4), 3);
    assert_int_equal(dls_simulation_problem(r.simulation)->n, 0);
    assert_int_equal(event[0].kind, DLS_EVENT_BREAK);
    assert_int_equal(event[0].cause, DLS_CAUSE_CALL);
    for (int k = 1; k < 3; k++) {
        assert_int_equal(event[k].kind, DLS_EVENT_LOST);
        assert_int_equal(event[k].cause, DLS_CAUSE_JOINT);
        assert_string_equal(dls_simulation_subject(r.simulation, &event[k]), k == 1 ? "stop" : "closer");
    }
    assert_close(dls_simulation_ledger(r.simulation)->elastic_lost, 0.5 * 50.0 * angle * angle, 1e-15);
    run_steps(&r, 1, h);
    assert_int_equal(events_of(&r, event, 4), 0);
    dls_constraint_force force;
    assert_status(dls_simulation_forces_of(r.simulation, 0, &force, &error), &error);
    assert_close(dls_norm(force.end[0].lin), 0.0, 0.0);
    run_stop(&r);
}

/* --- energy --- */

/* A mass on a spring that is let go: its greatest force is 2 m g at the bottom. The spring breaks on the way, where k C
 * passes the threshold, and 1/2 k C^2 goes with it; the other energies of that step sum as ever. */
TEST(test_elastic_energy)
{
    static const char *const springs[] = {"stiffness: 400", "stiffness: 400, damping: 0.5",
                                          "frequency: 2.03, damping_ratio: 0", "erp: 0.5, cfm: 1.25e-1"};
    for (size_t k = 0; k < 4; k++) {
        run r;
        dls_event event = {.subject = DLS_NONE};
        char text[1024];
        double stretch = 0.0;
        snprintf(text, sizeof text,
                 "world: {gravity: [0, 0, -10]}\n"
                 "bodies:\n"
                 "  - {name: load, shape: sphere, radius: 0.1, mass: 2.5, position: [0, 0, 0]}\n"
                 "joints:\n"
                 "  - {name: spring, type: ball, body1: load, anchor: [0, 0, 0], break_force: 40, %s}\n",
                 springs[k]);
        start_kept(&r, parse_model(text), &variants[0], 50);
        size_t steps = 0, count = 0;
        for (; count == 0 && steps < 2000; steps++) {
            run_steps(&r, 1, 1e-3);
            assert_true(dls_ledger_mismatch(dls_simulation_ledger(r.simulation)) < 1e-12);
            if (!(count = events_of(&r, &event, 1)))
                assert_close(dls_simulation_ledger(r.simulation)->elastic_lost, 0.0, 0.0);
        }
        assert_int_equal(count, 1);
        stretch = dls_norm(dls_simulation_state(r.simulation)->x[0]);
        const double w = 2.0 * DLS_PI * 2.03;
        const double stiff = k < 2 ? 400.0 : k == 2 ? 2.5 * w * w : 0.5 / (1e-3 * 1.25e-1);
        const double lost = dls_simulation_ledger(r.simulation)->elastic_lost;
        assert_close(lost, 0.5 * stiff * stretch * stretch, 1e-10 * lost);
        print_message("# %-28s broke after %zu steps at %.9g N, %.9g J lost\n", springs[k], steps, event.value, lost);
        run_steps(&r, 1, 1e-3);
        assert_true(dls_ledger_mismatch(dls_simulation_ledger(r.simulation)) < 1e-12);
        assert_close(dls_simulation_ledger(r.simulation)->elastic_lost, 0.0, 0.0);
        run_stop(&r);
    }
}

/* --- what is left goes on as it would have --- */

static dls_model *two_chains(double threshold)
{
    char text[4096];
    snprintf(text, sizeof text,
             "world: {gravity: [0, 0, -10]}\n"
             "bodies:\n"
             "  - {repeat: 3, name: 'y{i}', shape: sphere, radius: 0.1, mass: 1.5, position: {start: [0.5, 3, 0], i: "
             "[0.5, 0, 0]}}\n"
             "  - {repeat: 3, name: 'x{i}', shape: sphere, radius: 0.1, mass: 0.7, position: {start: [0.5, 0, 0], i: "
             "[0.5, 0, 0]}}\n"
             "joints:\n"
             "  - {name: y, type: ball, body1: y0, anchor: [0.25, 3, 0]}\n"
             "  - {name: yy, type: ball, body1: y1, body2: y0, anchor: [0.75, 3, 0], break_force: %g}\n"
             "  - {name: yyy, type: ball, body1: y2, body2: y1, anchor: [1.25, 3, 0]}\n"
             "  - {name: x, type: ball, body1: x0, anchor: [0.25, 0, 0]}\n"
             "  - {name: xx, type: ball, body1: x1, body2: x0, anchor: [0.75, 0, 0]}\n"
             "  - {name: xxx, type: ball, body1: x2, body2: x1, anchor: [1.25, 0, 0]}\n",
             threshold);
    return parse_model(text);
}

/* Few iterations and warm starts: an impulse that went to another row would show. */
TEST(test_the_rest_to_the_bit)
{
    for (size_t v = 0; v < VARIANTS; v++) {
        run one, other;
        dls_error error;
        dls_simulation_options options = options_of(&one, dls_iterative_find("pgs"), &variants[v], 3);
        assert_status(dls_fields_default(&dls_warm_fields, &options.warm, &error), &error);
        run_open(&one, two_chains(25), &options);
        options = options_of(&other, dls_iterative_find("pgs"), &variants[v], 3);
        assert_status(dls_fields_default(&dls_warm_fields, &options.warm, &error), &error);
        run_open(&other, two_chains(1e9), &options);
        run_steps(&one, 1500, 1e-3);
        run_steps(&other, 1500, 1e-3);
        assert_int_equal(broken(&one, "yy"), 1);
        assert_int_equal(broken(&other, "yy"), 0);
        const dls_state *a = dls_simulation_state(one.simulation), *b = dls_simulation_state(other.simulation);
        assert_memory_equal(a->x + 3, b->x + 3, 3 * sizeof *a->x);
        assert_memory_equal(a->v + 18, b->v + 18, 18 * sizeof *a->v);
        assert_true(memcmp(a->x, b->x, 3 * sizeof *a->x) != 0);
        run_stop(&one);
        run_stop(&other);
    }
}

/* The examiner's definitions of the rows of what is left. */
TEST(test_checked)
{
    dls_model *model = two_chains(25);
    dls_state *state = new_state(model);
    dls_error error;
    dls_check_report *report;
    state->broken[1] = 1;
    assert_status(dls_check_stir(model, state, 7, &error), &error);
    dls_problem *problem = problem_from_state(model, state, NULL, 1e-3);
    assert_int_equal(problem->n, 15);
    assert_status(dls_check_problem(model, state, NULL, problem, 3, &report, &error), &error);
    assert_true(report->passed);
    dls_check_report_destroy(report);
    state->broken[1] = 0; /* and it sees that rows are missing */
    assert_int_equal(dls_check_problem(model, state, NULL, problem, 3, &report, &error), DLS_BAD_ARGUMENT);
    dls_problem_destroy(problem);
    dls_state_destroy(state);
    dls_model_destroy(model);
}

/* --- coordinates --- */

/* The lock of a hinge of a tree carries m g L. */
TEST(test_on_coordinates)
{
    for (int breaks = 0; breaks < 2; breaks++) {
        run r;
        char text[1024];
        snprintf(
            text, sizeof text,
            "world: {gravity: [0, 0, -10]}\n"
            "articulations:\n"
            "  - name: arm\n"
            "    links:\n"
            "      - {name: base, static: true}\n"
            "      - {name: rod, joint: elbow, parent: base, motion: revolute, axis: [0, 1, 0], anchor: [0, 0, 0], "
            "shape: sphere, radius: 0.1, mass: 1.7, position: [0.6, 0, 0]}\n"
            "joints:\n"
            "  - {name: brake, type: lock, coordinates: {arm.elbow: 1}, break_torque: %g}\n",
            breaks ? 10.19 : 10.21);
        start(&r, parse_model(text), &variants[0], 50);
        run_steps(&r, 1, 1e-3);
        assert_int_equal(broken(&r, "brake"), breaks);
        run_stop(&r);
    }
}

TEST(test_refused)
{
    static const char scene[] = "bodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1]}\njoints:\n%s";
    static const struct {
        const char *joint, *message;
    } cases[] = {
        {"  - {name: j, type: ball, body1: a, break_force: 0}", "0"},
        {"  - {name: j, type: ball, body1: a, break_force: 3 m}", "wrong unit"},
        {"  - {name: j, type: ball, body1: a, brake_force: 3}", "did you mean 'break_force'?"},
        {"  - {name: j, type: segment, body1: a, anchor1: [0, 0, 0], anchor2: [1, 0, 0], break_force: 3}", "no rows"},
        {"  - {name: h, type: hinge, body1: a, anchor: [1, 0, 0], axis: [0, 0, 1]}\n"
         "  - {name: j, type: lock, coordinates: {h: 1}, break_force: 3}",
         "write break_torque"},
        {"  - {name: h, type: slider, body1: a, axis: [0, 0, 1]}\n"
         "  - {name: j, type: lock, coordinates: {h: 1}, break_torque: 3}",
         "write break_force"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[1024];
        snprintf(text, sizeof text, scene, cases[k].joint);
        assert_scene_refused(text, cases[k].message);
    }
}
