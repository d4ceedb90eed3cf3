/* Iterations of a step: tgs.refresh, and velocity iterations. tgs.c, stages.c. */
#include "failing_memory.h"
#include "mechanisms.h"
#include "world.h"

#include "delassus/solvers.h"

#include <string.h>

static const char *const refreshes[] = {"bias", "jacobian", "responses", "all"};
static const char *const time_bases[] = {"step", "substep"};
enum { BIAS, JACOBIAN, RESPONSES, ALL, REFRESHES };

/* A run of tgs, with its settings. */
typedef struct swept {
    run run;
    dls_settings scheme;
} swept;

static void open_swept(swept *s, dls_model *model, const dls_solver *solver, const char *refresh, const char *time_base,
                       size_t iterations, bool ledger)
{
    dls_simulation_options options = dls_simulation_default();
    dls_error error;
    options.solver = solver;
    options.scheme = dls_scheme_find("tgs");
    options.iterations = iterations;
    options.ledger = ledger;
    assert_status(dls_settings_create(&options.scheme->fields, &s->scheme, &error), &error);
    assert_status(dls_settings_set(&s->scheme, "refresh", refresh, &error), &error);
    assert_status(dls_settings_set(&s->scheme, "time_base", time_base, &error), &error);
    options.scheme_settings = s->scheme.values;
    run_open(&s->run, model, &options);
}

static void close_swept(swept *s)
{
    run_stop(&s->run);
    dls_settings_release(&s->scheme);
}

/* Whether two runs have the same bytes: velocities, bodies, coordinates, impulses. */
static bool same_bytes(const run *a, const run *b)
{
    const dls_state *one = dls_simulation_state(a->simulation), *two = dls_simulation_state(b->simulation);
    const dls_model_counts count = dls_model_count(a->model);
    const size_t n = dls_simulation_problem(a->simulation)->n;
    return memcmp(one->v, two->v, count.nv * sizeof *one->v) == 0 &&
           memcmp(one->x, two->x, count.bodies * sizeof *one->x) == 0 &&
           memcmp(one->q, two->q, count.bodies * sizeof *one->q) == 0 &&
           memcmp(one->coordinates, two->coordinates, count.coordinates * sizeof *one->coordinates) == 0 &&
           memcmp(dls_simulation_impulses(a->simulation), dls_simulation_impulses(b->simulation), n * sizeof(double)) ==
               0;
}

/* --- where nothing varies, nothing is refreshed --- */

/* Slides along the axes of the world, and spheres that do not turn. */
#define CONSTANT                                                                                                      \
    "world: {gravity: [0.7, -0.3, -9.81]}\n"                                                                          \
    "bodies:\n"                                                                                                       \
    "  - {name: low, shape: sphere, radius: 0.2, mass: 1.7, position: [3, 0, 0.2]}\n"                                 \
    "  - {name: high, shape: sphere, radius: 0.2, mass: 0.6, position: [3, 0, 0.63]}\n"                               \
    "articulations:\n"                                                                                                \
    "  - name: gantry\n"                                                                                              \
    "    links:\n"                                                                                                    \
    "      - {name: base, static: true}\n"                                                                            \
    "      - {name: x, parent: base, motion: prismatic, axis: [1, 0, 0], shape: box, size: [1, 1, 1], mass: 2.3, "    \
    "position: [0, 0, 1], speed: 0.4}\n"                                                                              \
    "      - {name: y, parent: x, motion: prismatic, axis: [0, 1, 0], shape: box, size: [1, 1, 1], mass: 1.1, "       \
    "position: [0, 0, 2], speed: -0.7}\n"                                                                             \
    "      - {name: z, parent: y, motion: prismatic, axis: [0, 0, 1], shape: box, size: [1, 1, 1], mass: 0.4, "       \
    "position: [0, 0, 3]}\n"                                                                                          \
    "joints:\n"                                                                                                       \
    "  - {name: floor, type: contact, body1: low, body2: world, point: [3, 0, 0], normal: [0, 0, 1], mu: 0}\n"        \
    "  - {name: pile, type: contact, body1: high, body2: low, point: [3, 0, 0.4], normal: [0, 0, 1], gap: 0.03, mu: " \
    "0}\n"                                                                                                            \
    "  - {name: couple, type: mimic, coordinates: {gantry.x: 1, gantry.y: -1.7}, erp: 0.3}\n"                         \
    "  - {name: hold, type: drive, coordinates: {gantry.z: 1, gantry.y: 0.4}, stiffness: 90, damping: 3, target: "    \
    "0.1}\n"                                                                                                          \
    "  - {name: stop, type: limit, coordinates: {gantry.x: 1}, lower: -0.5, upper: 0.05}\n"

TEST(test_constant_rows_and_masses_have_the_same_bytes)
{
    for (size_t k = 0; dls_iterative_solvers[k]; k++)
        for (int base = 0; base < 2; base++) {
            swept s[REFRESHES];
            for (int r = 0; r < REFRESHES; r++) {
                open_swept(&s[r], parse_model(CONSTANT), dls_iterative_solvers[k], refreshes[r], time_bases[base], 6,
                           false);
                run_steps(&s[r].run, 100, 4e-3);
                assert_true(same_bytes(&s[0].run, &s[r].run));
            }
            for (int r = 0; r < REFRESHES; r++)
                close_swept(&s[r]);
        }
}

/* A planar arm whose elbow follows its shoulder, and a spring at the shoulder: J is constant, and M is not. (The mimic
 * row alone is solved by one iteration, and the others have nothing left to do.) */
#define COUPLED_ARM                                                                                                   \
    "articulations:\n"                                                                                                \
    "  - name: arm\n"                                                                                                 \
    "    links:\n"                                                                                                    \
    "      - {name: base, static: true}\n"                                                                            \
    "      - {name: upper, parent: base, motion: revolute, axis: [0, 1, 0], anchor: [0, 0, 0], shape: box, size: "    \
    "[0.05, 0.05, 0.6], mass: 1.3, position: [0.3, 0, 0], orientation: [0.7071067811865476, 0, 0.7071067811865476, "  \
    "0]}\n"                                                                                                           \
    "      - {name: lower, parent: upper, motion: revolute, axis: [0, 1, 0], anchor: [0.6, 0, 0], shape: box, size: " \
    "[0.05, 0.05, 0.4], mass: 0.7, position: [0.8, 0, 0], orientation: [0.7071067811865476, 0, 0.7071067811865476, "  \
    "0]}\n"                                                                                                           \
    "joints:\n"                                                                                                       \
    "  - {name: couple, type: mimic, coordinates: {arm.lower: 1, arm.upper: -1.7}}\n"                                 \
    "  - {name: spring, type: drive, coordinates: {arm.upper: 1}, stiffness: 60, damping: 1, target: -0.3}\n"

/* A sphere on a rod, which pulls at its centre and turns nothing: M is constant, and J is not. */
#define ROD_PENDULUM                                                                  \
    "bodies:\n"                                                                       \
    "  - {name: one, shape: sphere, radius: 0.1, mass: 1.3, position: [0.6, 0, 0]}\n" \
    "joints:\n"                                                                       \
    "  - {name: rod, type: distance, body1: one, anchor1: [0.6, 0, 0], anchor2: [0, 0, 0]}\n"

/* Which refreshes have the same bytes after some steps: entry [a][b]. */
static void compare_bytes(const char *text, size_t steps, bool same[REFRESHES][REFRESHES])
{
    swept s[REFRESHES];
    for (int r = 0; r < REFRESHES; r++) {
        open_swept(&s[r], parse_model(text), dls_iterative_find("pgs"), refreshes[r], "step", 4, false);
        run_steps(&s[r].run, steps, 4e-3);
    }
    for (int a = 0; a < REFRESHES; a++)
        for (int b = 0; b < REFRESHES; b++)
            same[a][b] = same_bytes(&s[a].run, &s[b].run);
    for (int r = 0; r < REFRESHES; r++)
        close_swept(&s[r]);
}

TEST(test_a_refresh_sees_what_varies_and_nothing_else)
{
    bool same[REFRESHES][REFRESHES];
    compare_bytes(COUPLED_ARM, 50, same);
    assert_true(same[BIAS][JACOBIAN] && same[RESPONSES][ALL] && !same[BIAS][ALL]);
    compare_bytes(ROD_PENDULUM, 50, same);
    assert_true(same[BIAS][RESPONSES] && same[JACOBIAN][ALL] && !same[BIAS][ALL]);
}

TEST(test_one_iteration_is_euler_with_any_refresh)
{
    const char *const texts[] = {COUPLED_ARM, ROD_PENDULUM, CONSTANT};
    for (size_t t = 0; t < 3; t++) {
        run euler;
        run_start(&euler, parse_model(texts[t]), dls_iterative_find("pgs"), NULL, 1);
        run_steps(&euler, 50, 4e-3);
        for (int r = 0; r < REFRESHES; r++) {
            swept s;
            open_swept(&s, parse_model(texts[t]), dls_iterative_find("pgs"), refreshes[r], "substep", 1, false);
            run_steps(&s.run, 50, 4e-3);
            for (size_t k = 0; k < dls_model_count(s.run.model).nv; k++) /* 50 steps of some ten roundings */
                assert_close(dls_simulation_state(s.run.simulation)->v[k], dls_simulation_state(euler.simulation)->v[k],
                             1e-11);
            close_swept(&s);
        }
        run_stop(&euler);
    }
}

/* --- what is frozen is wrong by O(h) --- */

enum { SIZES = 5 };

/* The first coordinate, or the height of the first body, at t = 0.4 s. */
static double place_at(const char *text, const char *refresh, size_t steps)
{
    swept s;
    open_swept(&s, parse_model(text), dls_iterative_find("pgs"), refresh, "substep", 4, false);
    run_steps(&s.run, steps, 0.4 / (double)steps);
    const dls_state *state = dls_simulation_state(s.run.simulation);
    const double place = dls_model_count(s.run.model).bodies ? state->x[0].z : state->coordinates[0];
    close_swept(&s);
    return place;
}

/* Least squares of log2 y over the halvings of h. */
static double order_of(const double *y)
{
    double sum = 0.0, weight = 0.0;
    for (int k = 0; k < SIZES; k++) {
        const double x = k - 0.5 * (SIZES - 1);
        sum -= x * log2(fabs(y[k])), weight += x * x;
    }
    return sum / weight;
}

static void check_order(const char *name, const char *text, size_t steps)
{
    double at[REFRESHES][SIZES], apart[SIZES], error[SIZES];
    /* Richardson's extrapolation of two fine runs: what is left of their O(h) is O(h^2). */
    const double exact = 2.0 * place_at(text, "all", 102400) - place_at(text, "all", 51200);
    for (int k = 0; k < SIZES; k++)
        for (int r = 0; r < REFRESHES; r++)
            at[r][k] = place_at(text, refreshes[r], steps << k);
    for (int k = 0; k < SIZES; k++) {
        print_message("# %s, h = %g ms: error of all %+.3e, of bias %+.3e more\n", name, 400.0 / (double)(steps << k),
                      at[ALL][k] - exact, at[BIAS][k] - at[ALL][k]);
        apart[k] = at[BIAS][k] - at[ALL][k];
        error[k] = at[ALL][k] - exact;
    }
    print_message("# %s: bias - all is of order %.3f, all - exact of order %.3f\n", name, order_of(apart),
                  order_of(error));
    assert_close(order_of(apart), 1.0, 0.15);
    assert_close(order_of(error), 1.0, 0.15);
}

TEST(test_frozen_responses_are_off_by_the_first_order)
{
    check_order("coupled arm (J constant)", COUPLED_ARM, 400);
    check_order("rod pendulum (M constant)", ROD_PENDULUM, 3200);
}

/* The gain of a swinging chain in a second [J], and its joints' error [m]. */
static double gain_of_chain(const char *refresh, const char *time_base, size_t iterations, double *error)
{
    swept s;
    open_swept(&s, make_chain(10, 1.0), dls_iterative_find("pgs"), refresh, time_base, iterations, false);
    const double before = run_energy(&s.run);
    run_steps(&s.run, 250, 4e-3);
    *error = 0.0;
    for (size_t j = 0; j < dls_model_count(s.run.model).joints; j++)
        *error = fmax(*error, joint_error(s.run.model, dls_simulation_state(s.run.simulation),
                                          dls_model_joints(s.run.model)[j].name));
    const double gain = run_energy(&s.run) - before;
    close_swept(&s);
    return gain;
}

/* Corrections along a J of before put energy into what turns: most of what tgs gains is theirs. */
TEST(test_a_fresh_jacobian_keeps_the_energy)
{
    for (size_t n = 4; n <= 64; n *= 4) {
        double error[2], frozen = gain_of_chain("bias", "substep", n, &error[0]),
                         fresh = gain_of_chain("all", "substep", n, &error[1]);
        print_message("# chain, %2zu iterations: refresh=bias %.2e m, %+.3f J; all %.2e m, %+.3f J\n", n, error[0],
                      frozen, error[1], fresh);
        assert_true(fabs(fresh) < 0.2 * fabs(frozen));
    }
}

/* --- the ledger, and momentum --- */

/* Rows of every refresh on links, coordinates and bodies, one of them kinematic. */
#define MIXED                                                                                 \
    TWO_TREES                                                                                 \
    "joints:\n"                                                                               \
    "  - {name: tie, type: ball, body1: arm.hand, body2: stone, anchor: [0.8, 0.3, 0.4]}\n"   \
    "  - {name: hang, type: ball, body1: bird.left, body2: ball, anchor: [-0.4, 0.5, 0.7]}\n" \
    "  - {name: couple, type: mimic, coordinates: {bird.left: 1, bird.right: -0.7}}\n"        \
    "  - {name: spring, type: drive, coordinates: {arm.upper: 1}, stiffness: 40, damping: 2, mode: acceleration}\n"

TEST(test_the_ledger_sums_with_every_refresh)
{
    for (int r = 0; r < REFRESHES; r++) {
        swept s;
        double worst = 0.0;
        open_swept(&s, parse_model(MIXED), dls_iterative_find("pgs"), refreshes[r], "step", 5, true);
        for (int k = 0; k < 100; k++) {
            run_steps(&s.run, 1, 2e-3);
            worst = fmax(worst, dls_ledger_mismatch(dls_simulation_ledger(s.run.simulation)));
        }
        print_message("# refresh=%s: ledger mismatch %.2e\n", refreshes[r], worst);
        assert_close(worst, 0.0, 1e-11);
        close_swept(&s);
    }
}

/* Floating bodies and articulations without gravity keep their linear momentum where the world says so. */
TEST(test_momentum_is_kept_with_every_refresh)
{
    static const char text[] =
        "world: {gravity: [0, 0, 0], keep_momentum: true}\n"
        "articulations:\n"
        "  - name: bird\n"
        "    links:\n"
        "      - {name: body, shape: box, size: [0.5, 0.2, 0.2], mass: 1.1, position: [-0.7, -0.5, 0.9], velocity: "
        "[0.1, 0.2, -0.1], omega: [0.3, -0.5, 0.2]}\n"
        "      - {name: left, parent: body, motion: revolute, axis: [1, 0, 0.1], anchor: [-0.7, -0.3, 0.9], shape: "
        "box, size: [0.3, 0.5, 0.05], mass: 0.4, position: [-0.7, 0, 0.9], speed: 2.7}\n"
        "      - {name: right, parent: body, motion: revolute, axis: [1, 0, -0.1], anchor: [-0.7, -0.7, 0.9], shape: "
        "box, size: [0.3, 0.5, 0.05], mass: 0.4, position: [-0.7, -1, 0.9], speed: -1.4}\n"
        "joints:\n"
        "  - {name: couple, type: mimic, coordinates: {bird.left: 1, bird.right: 0.7}}\n";
    for (int r = 0; r < REFRESHES; r++) {
        swept s;
        dls_vec3 before, after, angular[2];
        open_swept(&s, parse_model(text), dls_iterative_find("pgs"), refreshes[r], "step", 4, false);
        dls_momentum(dls_simulation_configuration(s.run.simulation), &before, &angular[0]);
        run_steps(&s.run, 300, 2e-3);
        dls_momentum(dls_simulation_configuration(s.run.simulation), &after, &angular[1]);
        print_message("# refresh=%s: |dp| %.2e, |dL| %.2e\n", refreshes[r], dls_norm(dls_sub(after, before)),
                      dls_norm(dls_sub(angular[1], angular[0])));
        assert_close(dls_norm(dls_sub(after, before)), 0.0, 1e-12);
        assert_close(dls_norm(dls_sub(angular[1], angular[0])), 0.0, 1e-11);
        close_swept(&s);
    }
}

/* A ball on a body that follows a given motion: with all rows fresh it follows too. */
TEST(test_kinematic_ends_with_every_refresh)
{
    static const char text[] =
        "world: {gravity: [0, 0, 0]}\n"
        "bodies:\n"
        "  - {name: wheel, kinematic: true, omega: [0, 0, 3]}\n"
        "  - {name: bob, shape: box, size: [0.1, 0.2, 0.1], mass: 0.7, position: [1, 0, 0], velocity: [0, 3, 0]}\n"
        "joints:\n"
        "  - {name: pin, type: ball, body1: bob, body2: wheel, anchor: [0.8, 0, 0]}\n";
    for (int r = 0; r < REFRESHES; r++) {
        swept s;
        open_swept(&s, parse_model(text), dls_iterative_find("pgs"), refreshes[r], "substep", 8, false);
        run_steps(&s.run, 200, 2e-3);
        const double error = joint_error(s.run.model, dls_simulation_state(s.run.simulation), "pin");
        print_message("# refresh=%s: pin %.2e m off\n", refreshes[r], error);
        assert_true(error < 1e-3);
        close_swept(&s);
    }
}

/* --- velocity iterations --- */

/* The largest |J v - u| of rigid two-sided rows, with the problem's J. */
static double worst_speed(const run *r)
{
    const dls_problem *p = dls_simulation_problem(r->simulation);
    const dls_row_list *rows = dls_simulation_rows(r->simulation);
    const double *v = dls_simulation_state(r->simulation)->v;
    double worst = 0.0;
    for (size_t i = 0; i < p->n; i++)
        if (rows->row[i].role == DLS_ROLE_JOINT && p->gamma[i] == 0.0)
            worst = fmax(worst, fabs(dls_rows_dot(&p->J, i, v) - rows->row[i].u));
    return worst;
}

static void start_chain(run *r, const char *scheme, size_t velocity_iterations)
{
    dls_simulation_options options = dls_simulation_default();
    options.solver = dls_iterative_find("pgs");
    options.scheme = dls_scheme_find(scheme);
    options.iterations = 8;
    options.velocity_iterations = velocity_iterations;
    options.ledger = true;
    run_open(r, make_chain(5, 7.3), &options);
    dls_simulation_edit(r->simulation)->x[2].y += 0.01; /* an error to correct */
}

TEST(test_velocity_iterations_leave_no_bias)
{
    for (size_t k = 0; dls_schemes[k]; k++) {
        run without, with;
        start_chain(&without, dls_schemes[k]->name, 0);
        start_chain(&with, dls_schemes[k]->name, 4000);
        run_steps(&without, 1, 4e-3), run_steps(&with, 1, 4e-3);
        const dls_state *one = dls_simulation_state(without.simulation), *two = dls_simulation_state(with.simulation);
        print_message("# %s: |J v - u| %.3e m/s after 8 iterations, %.3e after velocity iterations\n",
                      dls_schemes[k]->name, worst_speed(&without), worst_speed(&with));
        assert_close(worst_speed(&with), 0.0, 1e-12);            /* sweeps until rounding */
        assert_memory_equal(one->x, two->x, 5 * sizeof *one->x); /* they move nothing */
        assert_memory_equal(one->q, two->q, 5 * sizeof *one->q);
        assert_close(dls_ledger_mismatch(dls_simulation_ledger(with.simulation)), 0.0, 1e-12);
        run_stop(&without), run_stop(&with);
    }
}

/* Rows with compliance keep their force, and a gap its way: a body on a spring, and one over the floor. */
TEST(test_velocity_iterations_leave_springs_and_gaps)
{
    static const char text[] =
        "bodies:\n"
        "  - {name: hung, shape: sphere, radius: 0.1, mass: 1.3, position: [0, 0, 0]}\n"
        "  - {name: thrown, shape: sphere, radius: 0.1, mass: 0.7, position: [1, 0, 0.104], velocity: [0, 0, -1]}\n"
        "joints:\n"
        "  - {name: spring, type: ball, body1: hung, anchor: [0, 0, 0], stiffness: 170, damping: 3}\n"
        "  - {name: floor, type: contact, body1: thrown, point: [1, 0, 0], normal: [0, 0, 1], gap: 0.004, mu: 0}\n";
    run r[2];
    for (size_t k = 0; k < 2; k++) {
        dls_simulation_options options = dls_simulation_default();
        options.solver = dls_iterative_find("pgs");
        options.velocity_iterations = 3 * k;
        run_open(&r[k], parse_model(text), &options);
        run_steps(&r[k], 1, 1e-2);
    }
    for (size_t j = 0; j < 12; j++)
        assert_close(dls_simulation_state(r[1].simulation)->v[j], dls_simulation_state(r[0].simulation)->v[j], 1e-15);
    run_stop(&r[0]), run_stop(&r[1]);
}

/* The options come first, then the world; every articulation has a minimum of its own. */
TEST(test_counts_of_iterations)
{
    static const char text[] =
        "world: {position_iterations: 7, velocity_iterations: 2}\n"
        "articulations:\n"
        "  - {name: one, position_iterations: 5, velocity_iterations: 3, links: [{name: root, static: true}]}\n"
        "  - {name: two, position_iterations: 6, links: [{name: root, static: true}]}\n";
    const size_t asked[][2] = {{0, 0}, {4, 1}, {9, 5}}, expected[][2] = {{7, 3}, {6, 3}, {9, 5}};
    for (size_t k = 0; k < 3; k++) {
        run r;
        dls_simulation_options options = dls_simulation_default();
        options.solver = dls_iterative_find("pgs");
        options.iterations = asked[k][0], options.velocity_iterations = asked[k][1];
        run_open(&r, parse_model(text), &options);
        assert_int_equal(dls_simulation_iterations(r.simulation).position, expected[k][0]);
        assert_int_equal(dls_simulation_iterations(r.simulation).velocity, expected[k][1]);
        run_stop(&r);
    }
    assert_scene_refused("world: {position_iterations: 0}\nbodies: [{name: b, static: true}]\n", "0 is outside [1");
}

/* A settled run takes no memory, with the rows of every refresh; and where a step lacks some it says so. */
TEST(test_memory_of_refreshes)
{
    for (size_t k = 0; dls_iterative_solvers[k]; k++)
        for (int r = 0; r < REFRESHES; r++) {
            swept s;
            dls_error error;
            dls_status status = DLS_NO_MEMORY;
            open_swept(&s, parse_model(MIXED), dls_iterative_solvers[k], refreshes[r], "step", 3, false);
            for (size_t n = 1; status == DLS_NO_MEMORY; n++) { /* the n-th allocation of a first step fails */
                allocations = 0, fail_at = n;
                status = dls_simulation_step(s.run.simulation, 1e-3, &error);
                fail_at = 0;
            }
            assert_status(status, &error);
            run_steps(&s.run, 3, 1e-3);
            allocations = 0;
            run_steps(&s.run, 20, 1e-3);
            assert_int_equal(allocations, 0);
            close_swept(&s);
        }
}

TEST(test_a_solver_that_cannot_is_named)
{
    swept s;
    dls_error error;
    dls_solver other = *dls_iterative_find("pgs");
    other.name = "other", other.renew = NULL;
    open_swept(&s, parse_model(ROD_PENDULUM), &other, "all", "step", 4, false);
    assert_int_equal(dls_simulation_step(s.run.simulation, 1e-3, &error), DLS_REFUSED);
    assert_non_null(strstr(error.message, "other"));
    assert_non_null(strstr(error.message, "refresh=bias"));
    close_swept(&s);
}
