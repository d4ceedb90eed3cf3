/* Turns of the twist of spherical joints: counted by a step at any speed, up to the singular pose; what acts on a twist
 * of several turns, against closed forms, against a hinge and by finite differences; and kept by all that keeps a
 * state.
 */
#include "stepping.h"
#include "world.h"

#include "delassus/batch.h"
#include "delassus/change.h"
#include "delassus/reference.h"

#define INERTIA 0.7

/* A body of inertia 0.7 kg m^2 about x turns about its centre on a joint of the motion %s; a slider beside it. */
#define SHAFT                                                                                                        \
    "world: {gravity: [0, 0, 0]}\n"                                                                                  \
    "articulations:\n  - name: a\n    links:\n      - {name: root, static: true}\n"                                  \
    "      - {name: nut, parent: root, motion: prismatic, axis: [1, 0, 0], shape: sphere, radius: 0.1, mass: 0.6}\n" \
    "      - {name: w, parent: root, mass: 1, inertia: [0.7, 0.9, 1.1], motion: %s}\n"
#define TWIST "spherical, axis: [1, 0, 0], axis2: [0, 1, 0], spin: [20, 0, 0]"
#define HINGE "revolute, axis: [1, 0, 0], speed: 20"

/* Each % in `joints` is the coordinate: a.w.twist of the ball joint, a.w of the hinge. */
static void start_as(run *r, bool hinge, const dls_solver *solver, const variant *v, const char *joints)
{
    const char *on = hinge ? "a.w" : "a.w.twist";
    char text[2000];
    int n = snprintf(text, sizeof text, SHAFT "joints:\n", hinge ? HINGE : TWIST);
    for (; *joints && n < (int)sizeof text - 1; joints++)
        if (*joints == '%')
            n += snprintf(text + n, sizeof text - (size_t)n, "%s", on);
        else
            text[n++] = *joints;
    text[n] = 0;
    start_with(r, parse_model(text), solver, v, 20);
}

static void start_shaft(run *r, const char *joints)
{
    start_as(r, false, dls_direct_find("block-pivoting"), &variants[0], joints);
}

static double sum_of(const run *r, const char *joint)
{
    return dls_state_coordinates(dls_simulation_state(r->simulation), joint_named(r->model, joint));
}

/* --- the count --- */

static double coordinate(const double *q, long turns, size_t k)
{
    double gradient[DLS_DOFS_MAX];
    return dls_motion_find("spherical")->coordinate(q, turns, k, gradient);
}

/* A twist alone, by up to some turns in a step, there and back, beside whole numbers of half turns. */
TEST(test_a_twist_alone_is_counted_at_any_speed)
{
    const dls_motion *ball = dls_motion_find("spherical");
    static const double speeds[] = {0.3, 2.9, DLS_PI, 3.3, 6.2, 2 * DLS_PI, 31.7, -0.3, -3.3, -DLS_PI, -25.0};
    for (size_t i = 0; i < sizeof speeds / sizeof speeds[0]; i++) {
        double q[4] = {1, 0, 0, 0};
        long turns = 0;
        for (int n = 1; n <= 40; n++) {
            ball->advance(q, &turns, (double[]){speeds[i], 0, 0}, 1.0);
            assert_close(coordinate(q, turns, 0), n * speeds[i], 1e-12);
        }
    }
}

/* Small steps of any direction: the twist follows its rate from turn to turn, at swings up to 160 degrees. */
TEST(test_a_twist_among_swings_is_continuous)
{
    const dls_motion *ball = dls_motion_find("spherical");
    uint64_t seed = 3;
    double furthest = 0.0;
    for (int path = 0; path < 20; path++) {
        double q[4] = {1, 0, 0, 0}, integral = 0.0;
        long turns = 0;
        const dls_vec3 wobble = dls_scale(2.0, draw3(&seed));
        for (int n = 0; n < 4000; n++) {
            double before[3], rate[3];
            for (size_t k = 0; k < 3; k++)
                before[k] = ball->coordinate(q, turns, k, rate);
            /* twist fast, and swing about a circle of up to 2.6 rad: speeds that are asked of the three coordinates */
            const double t = 1e-3 * n, s = 1.3 * (1.0 - cos(t));
            double J[9], want[3] = {9.0, s * cos(wobble.x * t) - before[1], s * sin(wobble.y * t) - before[2]};
            for (size_t k = 0; k < 3; k++)
                ball->coordinate(q, turns, k, J + 3 * k);
            const dls_vec3 v =
                dls_mul3(dls_inverse3((dls_mat3){{J[0], J[1], J[2], J[3], J[4], J[5], J[6], J[7], J[8]}}),
                         dls_v3(want[0], want[1], want[2]));
            ball->advance(q, &turns, (double[]){v.x, v.y, v.z}, 1e-3);
            integral += 9e-3;
            furthest = fmax(furthest, hypot(before[1], before[2]));
            assert_close(coordinate(q, turns, 0), integral, 0.02); /* the rates are those of each step's start */
        }
        assert_true(turns == 6);
    }
    print_message("# swings up to %.2f rad\n", furthest);
    assert_true(furthest > 2.0);
}

/* Through the singular pose, exactly and not quite, no turn is counted; around it, it is one. */
TEST(test_turns_at_the_singular_pose)
{
    const dls_motion *ball = dls_motion_find("spherical");
    for (int side = -1; side <= 1; side++) {
        double q[4];
        long turns;
        ball->place(q, &turns, (double[]){0.4 + 6 * DLS_PI, 3.0, 1e-9 * side});
        assert_int_equal(turns, 3);
        for (int n = 0; n < 10; n++)
            ball->advance(q, &turns, (double[]){0, 0.03, 0}, 1.0);
        assert_close(coordinate(q, turns, 0), 0.4 + 6 * DLS_PI, 1e-7);
        assert_close(coordinate(q, turns, 1), 3.3 - 2 * DLS_PI, 1e-7);
    }
    for (int way = -1; way <= 1; way += 2) { /* the axis goes around the opposite of where it was */
        double q[4], start = 0.0;
        long turns;
        ball->place(q, &turns, (double[]){0, 0, 2.8});
        start = coordinate(q, turns, 0);
        for (int n = 0; n < 1000; n++)
            ball->advance(q, &turns, (double[]){way * 2e-3 * DLS_PI, 0, 0}, 1.0);
        assert_close(fabs(coordinate(q, turns, 0) - start), 2 * DLS_PI, 1e-9);
    }
}

/* --- what acts on it --- */

/* Free to the limit at 5 pi, at rest there, by an impulse that takes all of its spin. */
TEST(test_a_shaft_turns_to_its_limit)
{
    run r;
    double impulse = 0.0;
    start_shaft(&r, "  - {name: l, type: limit, coordinates: {%: 1}, upper: 15.707963267948966}\n");
    for (int n = 1; n <= 1200; n++) {
        run_steps(&r, 1, 1e-3);
        assert_close(sum_of(&r, "l"), fmin(20 * 1e-3 * n, 5 * DLS_PI), 1e-12);
        impulse += 1e-3 * force_of(&r, 0).along_sum;
    }
    assert_close(impulse, -INERTIA * 20, 1e-10);
    assert_close(dls_simulation_state(r.simulation)->v[1], 0.0, 1e-12);
    run_stop(&r);
}

/* A drive to 7 pi is implicit Euler of its spring and damper. */
TEST(test_a_drive_pulls_over_turns)
{
    const double h = 2e-3, kp = 4.0, kd = 0.9, target = 7 * DLS_PI;
    double y = 0.0, v = 20.0;
    run r;
    start_shaft(&r, "  - {name: d, type: drive, coordinates: {%: 1}, stiffness: 4, damping: 0.9, target: "
                    "21.991148575128552}\n");
    for (int n = 0; n < 3000; n++) {
        v = (INERTIA * v + h * kp * (target - y)) / (INERTIA + h * (h * kp + kd));
        y += h * v;
        run_steps(&r, 1, h);
        assert_close(sum_of(&r, "d"), y, 1e-11);
    }
    assert_below(fabs(y - target), 1.0);
    run_stop(&r);
}

/* A soft limit, a mimic joint, a tendon and friction: as on a hinge that turns with it, in every scheme. */
TEST(test_rows_on_a_twist_are_those_on_a_hinge)
{
    static const char *const joints[] = {
        "  - {name: y, type: limit, coordinates: {%: 1}, upper: 15.7337, stiffness: 30, damping: 0.2}\n",
        "  - {name: y, type: mimic, coordinates: {%: 0.05, a.nut: -1}}\n"
        "  - {name: e, type: limit, coordinates: {a.nut: 1}, lower: -2, upper: 0.9}\n",
        "  - {name: y, type: tendon, coordinates: {%: 0.05, a.nut: 1}, stiffness: 50, damping: 3, rest: 1.2}\n"
        "  - {name: e, type: drive, coordinates: {a.nut: 1}, stiffness: 8}\n",
        "  - {name: y, type: motor, coordinates: {%: 1}, force: 3}\n",
        "  - {name: y, type: drive, coordinates: {%: 1}, mode: acceleration, stiffness: 9, damping: 1, schedule: sine, "
        "amplitude: 12, period: 1}\n"};
    for (size_t k = 0; k < sizeof joints / sizeof joints[0]; k++)
        for (size_t v = 0; v < VARIANTS; v++) {
            run ball, hinge;
            double apart = 0.0, furthest = 0.0;
            start_as(&ball, false, dls_iterative_find("pgs"), &variants[v], joints[k]);
            start_as(&hinge, true, dls_iterative_find("pgs"), &variants[v], joints[k]);
            for (int n = 0; n < 900; n++) {
                run_steps(&ball, 1, 2e-3);
                run_steps(&hinge, 1, 2e-3);
                const dls_articulation *tree = dls_model_articulations(hinge.model)[0].tree;
                const dls_articulation_state of =
                    dls_state_articulation(hinge.model, dls_simulation_state(hinge.simulation), 0);
                apart = fmax(apart, fabs(sum_of(&ball, "y") - sum_of(&hinge, "y")));
                furthest = fmax(furthest, fabs(dls_articulation_unwrapped(tree, &of, 2)));
            }
            /* a row that closes a gap ends at 0 to rounding, which decides whether the next one is a gap or a depth */
            assert_below(apart, k == 0 ? 1e-6 : 1e-11);

            assert_true(furthest > 6 || k == 3);
            run_stop(&ball);
            run_stop(&hinge);
        }
}

/* Columns of every kind of row at twists of several turns, and at the seams between them. */
TEST(test_columns_are_differences_beyond_half_a_turn)
{
    uint64_t seed = 7;
    dls_model *model = parse_parts(
        PARTS(TWO_TREES "joints:\n"
                        "  - {name: l, type: limit, coordinates: {arm.fore.twist: 1, arm.upper: 0.3}, upper: 7}\n"
                        "  - {name: d, type: drive, coordinates: {arm.fore.twist: 2}, stiffness: 4}\n"
                        "  - {name: m, type: mimic, coordinates: {arm.fore.twist: 1, arm.hand.twist: 0.4}}\n"
                        "  - {name: t, type: tendon, coordinates: {arm.fore.twist: 0.3, arm.slide: -1}, stiffness: 4}\n"
                        "  - {name: k, type: lock, coordinates: {arm.fore.twist: 1}, at: 9}\n"));
    dls_state *state = new_state(model);
    const dls_term *term = &joint_named(model, "d")->terms[0];
    double worst = 0.0;
    for (int pose = 0; pose < 24; pose++) {
        dls_jacobian_check checks[5];
        dls_error error;
        const double seam = DLS_PI * (2 * (pose % 7) - 5),
                     twist = pose % 2 ? seam + 1e-6 * draw(&seed) : 30 * draw(&seed);
        stir(model, state, 0.4, &seed);
        dls_motion_find("spherical")
            ->place(state->coordinates + term->position, state->wraps + term->position,
                    (double[]){twist, draw(&seed), draw(&seed)});
        assert_close(dls_state_coordinate(state, term), twist, 1e-13);
        assert_status(dls_check_columns(model, state, DLS_CHECK_STEP, checks, &error), &error);
        for (size_t j = 0; j < 5; j++)
            worst = fmax(worst, checks[j].worst);
    }
    print_message("# columns against finite differences %.1e\n", worst);
    assert_below(worst, 1e-9);
    dls_state_destroy(state);
    dls_model_destroy(model);
}

/* --- what keeps it --- */

static const char driven[] = "  - {name: y, type: drive, coordinates: {%: 1}, stiffness: 3, target: 40}\n";

/* Two runs, and one that goes on from a copy of the state, and one that goes on with a changed model, are the same. */
TEST(test_copies_of_a_state_keep_the_turns)
{
    run r[3];
    dls_error error;
    for (int k = 0; k < 3; k++)
        start_shaft(&r[k], driven);
    run_steps(&r[0], 800, 1e-3);
    run_steps(&r[1], 800, 1e-3);
    dls_state_copy(dls_simulation_edit(r[2].simulation), dls_simulation_state(r[0].simulation));
    assert_true(sum_of(&r[0], "y") > 4 * DLS_PI);
    char text[2000]; /* without the nut, whose coordinate came before those of the ball joint */
    snprintf(text, sizeof text, SHAFT, TWIST);
    char *nut = strstr(text, "      - {name: nut"), *ball = strstr(text, "      - {name: w");
    memmove(nut, ball, strlen(ball) + 1);
    strcat(text, "joints:\n  - {name: y, type: drive, coordinates: {a.w.twist: 1}, stiffness: 3, target: 40}\n");
    dls_model *changed;
    dls_scene *scene = parse_scene(text);
    assert_status(dls_model_create_changed(scene, r[1].model, dls_simulation_state(r[1].simulation), &changed, &error),
                  &error);
    dls_scene_destroy(scene);
    assert_status(dls_simulation_change(&r[1].simulation, changed, NULL, &error), &error);
    dls_model_destroy(r[1].model);
    r[1].model = changed;
    for (int k = 0; k < 3; k++)
        run_steps(&r[k], 800, 1e-3);
    const double expected = sum_of(&r[0], "y");
    assert_true(sum_of(&r[1], "y") == expected && sum_of(&r[2], "y") == expected);
    for (int k = 0; k < 3; k++)
        run_stop(&r[k]);
}

TEST(test_a_cache_keeps_the_turns)
{
    run r;
    dls_error error;
    dls_articulation_cache *cache;
    start_shaft(&r, driven);
    run_steps(&r, 800, 1e-3);
    const double twist = sum_of(&r, "y");
    const dls_model *model = r.model;
    const dls_articulation *tree = dls_model_articulations(model)[0].tree;
    dls_articulation_work *work;
    assert_status(dls_articulation_work_create(tree, &work, &error), &error);
    assert_status(dls_articulation_cache_create(tree, &cache, &error), &error);
    dls_articulation_state of = dls_state_articulation(model, dls_simulation_state(r.simulation), 0);
    assert_status(dls_articulation_cache_copy_out(cache, &of, NULL, work, DLS_CACHE_POSITION, &error), &error);
    run_steps(&r, 500, 1e-3);
    assert_true(fabs(sum_of(&r, "y") - twist) > 1.0);
    of = dls_state_articulation(model, dls_simulation_edit(r.simulation), 0);
    assert_status(dls_articulation_cache_copy_in(cache, &of, NULL, work, DLS_CACHE_POSITION, &error), &error);
    assert_close(sum_of(&r, "y"), twist, 0.0);
    cache->wraps[tree->links[dls_articulation_find_link(tree, "w")].position] = 1L << 54;
    assert_int_equal(dls_articulation_cache_copy_in(cache, &of, NULL, work, DLS_CACHE_POSITION, &error),
                     DLS_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "too many turns"));
    dls_articulation_cache_destroy(cache);
    dls_articulation_work_destroy(work);
    run_stop(&r);
}

/* A batch steps as one by one, reads and writes turns beside quaternions, and is without them after a reset. */
TEST(test_a_batch_keeps_the_turns)
{
    run r;
    dls_batch *batch;
    dls_error error;
    double q[2][8], turns[2];
    dls_batch_options options = dls_batch_default();
    start_shaft(&r, driven);
    options.simulation.solver = dls_direct_find("block-pivoting");
    options.simulation.iterations = 20;
    assert_status(dls_batch_open(r.model, 2, &options, &batch, &error), &error);
    assert_int_equal(dls_batch_numbers(batch, DLS_BATCH_JOINT_TURNS), 1);
    assert_int_equal(dls_batch_numbers(batch, DLS_BATCH_JOINT_POSITION), 5);
    run_steps(&r, 800, 1e-3);
    for (int n = 0; n < 800; n++)
        assert_status(dls_batch_step(batch, 1e-3, &error), &error);
    const dls_term *term = &joint_named(r.model, "y")->terms[0];
    const double twist = sum_of(&r, "y");
    assert_true(dls_state_coordinate(dls_batch_state(batch, 1), term) == twist);
    assert_status(dls_batch_read(batch, DLS_BATCH_JOINT_POSITION, NULL, 0, q[0], 8, &error), &error);
    assert_status(dls_batch_read(batch, DLS_BATCH_JOINT_TURNS, NULL, 0, turns, 1, &error), &error);
    assert_true(turns[1] >= 2.0);
    assert_memory_equal(q[1] + 1, dls_batch_state(batch, 1)->coordinates + 1, 4 * sizeof(double));
    assert_status(dls_batch_reset(batch, NULL, 0, &error), &error);
    assert_close(dls_state_coordinate(dls_batch_state(batch, 1), term), 0.0, 0.0);
    assert_status(dls_batch_write(batch, DLS_BATCH_JOINT_POSITION, NULL, 0, q[0], 8, &error), &error);
    assert_close(dls_state_coordinate(dls_batch_state(batch, 1), term), twist - 2 * DLS_PI * turns[1], 1e-13);
    assert_status(dls_batch_write(batch, DLS_BATCH_JOINT_TURNS, NULL, 0, turns, 1, &error), &error);
    assert_true(dls_state_coordinate(dls_batch_state(batch, 1), term) == twist);
    turns[1] = 0.5;
    assert_int_equal(dls_batch_write(batch, DLS_BATCH_JOINT_TURNS, NULL, 0, turns, 1, &error), DLS_BAD_ARGUMENT);
    assert_string_equal(error.message, "joint-turns of copy 1: turns are whole numbers up to 2^53, not 0.5");
    dls_batch_close(batch);
    run_stop(&r);
}

/* Where turns can no longer be counted, the state is no longer finite, and the step says so. */
TEST(test_turns_beyond_all_counting_are_refused)
{
    run r;
    dls_error error;
    start_shaft(&r, driven);
    dls_simulation_edit(r.simulation)->v[1] = 1e30;
    assert_int_equal(dls_simulation_step(r.simulation, 1.0, &error), DLS_NOT_FINITE);
    assert_non_null(strstr(error.message, "joint 'w' left the finite numbers"));
    run_stop(&r);
}
