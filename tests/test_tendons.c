/* Tendons: fixed ones on joint coordinates and spatial ones over segments; their gradients, virtual work, momentum, and
 * what they are equal to. */
#include "problems.h"
#include "stepping.h"
#include "world.h"

#include "delassus/check.h"
#include "delassus/reference.h"

#include <float.h>

static const double h = 1e-3;

/* A muscle from the bird's body over the arm's fore to a stone; a fixed tendon over four joints of both trees. */
#define TENDONS                                                                                                      \
    "joints:\n"                                                                                                      \
    "  - {name: one, type: segment, body1: arm.fore, body2: bird.body, anchor1: [0.3, 0.2, 1.1], anchor2: [-0.7, "   \
    "-0.4, 1]}\n"                                                                                                    \
    "  - {name: two, type: segment, body1: stone, body2: arm.fore, anchor1: [0.8, 0.4, 0.4], anchor2: [0.3, 0.2, "   \
    "1.1]}\n"                                                                                                        \
    "  - {name: three, type: segment, body1: arm.tool, body2: stone, anchor1: [0.9, 0.2, 1.4], anchor2: [0.8, 0.4, " \
    "0.4]}\n"                                                                                                        \
    "  - {name: muscle, type: tendon, coordinates: {one: 1, two: 0.6}, stiffness: 50, damping: 3, rest: 1}\n"        \
    "  - {name: branch, type: tendon, coordinates: {one: 1, three: -0.4}, stiffness: 30, rest: 0.5, lower: 0.1, "    \
    "upper: 3}\n"                                                                                                    \
    "  - {name: fixed, type: tendon, coordinates: {arm.upper: 1, arm.slide: -2, arm.fore.swing1: 0.7, bird.left: "   \
    "0.3}, "                                                                                                         \
    "stiffness: 20, damping: 1, rest: 0.2, offset: 0.1}\n"

TEST(test_lengths_have_their_gradients)
{
    uint64_t seed = 7;
    dls_model *model = parse_parts(PARTS(TWO_TREES TENDONS));
    dls_state *state = new_state(model);
    dls_jacobian_check checks[6];
    dls_error error;
    double worst = 0.0;
    for (int pose = 0; pose < 8; pose++) {
        stir(model, state, 0.3, &seed);
        assert_status(dls_check_columns(model, state, DLS_CHECK_STEP, checks, &error), &error);
        for (size_t j = 0; j < 6; j++)
            worst = fmax(worst, checks[j].worst);
    }
    print_message("# dL/dq of tendons against finite differences: %.1e\n", worst);
    assert_below(worst, 1e-9);
    dls_state_destroy(state);
    dls_model_destroy(model);
}

/* f dL = sum tau_k dq_k for any dq: L moved along dq against J^T f, by differences of the configuration itself. */
TEST(test_virtual_work)
{
    uint64_t seed = 11;
    dls_model *model = parse_parts(PARTS(TWO_TREES TENDONS));
    dls_state *state = new_state(model), *moved = new_state(model);
    double worst = 0.0, v[64];
    for (int n = 0; n < 20; n++) {
        stir(model, state, 0.2, &seed);
        dls_problem *problem = problem_from_state(model, state, NULL, h);
        const dls_row_list *rows = dls_problem_rows(problem);
        for (size_t k = 0; k < state->nv; k++)
            v[k] = draw(&seed);
        for (size_t i = 0; i < rows->n; i++) {
            const dls_joint *joint = &dls_model_joints(model)[rows->row[i].owner];
            const double s = 1e-4, tension = 17.0;
            double L[2];
            for (int side = 0; side < 2; side++) {
                double C[DLS_JOINT_ROWS_MAX];
                dls_state_copy(moved, state);
                advance_state(model, moved, v, side ? s : -s);
                joint_position(model, moved, joint, C);
                L[side] = C[rows->row[i].slot];
            }
            const double work = tension * (L[1] - L[0]) / (2 * s), power = tension * dls_rows_dot(&rows->J, i, v);
            worst = fmax(worst, fabs(work - power) / (1.0 + fabs(power)));
        }
        dls_problem_destroy(problem);
    }
    print_message("# virtual work of tensions: %.1e\n", worst);
    assert_below(worst, 1e-6); /* s^2 of central differences */
    dls_state_destroy(moved);
    dls_state_destroy(state);
    dls_model_destroy(model);
}

/* The impulses of a spatial tendon between free bodies come in pairs on one line: momenta are kept in the kick. */
TEST(test_momentum_is_kept)
{
    run r;
    run_start(
        &r,
        parse_parts(PARTS(
            "world: {gravity: [0, 0, 0]}\nbodies:\n"
            "  - {name: a, shape: sphere, radius: 0.2, mass: 1.3, position: [0, 0, 0], velocity: [0.3, 0.1, 0]}\n"
            "  - {name: b, shape: sphere, radius: 0.1, mass: 0.7, position: [1, 0.2, 0], velocity: [-0.3, 1, 0]}\n"
            "  - {name: c, shape: sphere, radius: 0.3, mass: 2.1, position: [1, 1.2, 0.5], omega: [0, 0, 2]}\n"
            "joints:\n"
            "  - {name: ab, type: segment, body1: a, body2: b, anchor1: [0.1, 0.1, 0], anchor2: [1, 0.3, 0.1]}\n"
            "  - {name: bc, type: segment, body1: b, body2: c, anchor1: [1, 0.3, 0.1], anchor2: [1, 1, 0.4]}\n"
            "  - {name: t, type: tendon, coordinates: {ab: 1, bc: 0.7}, stiffness: 90, damping: 1, rest: 0.5}\n")),
        dls_direct_find("block-pivoting"), NULL, 1);
    double off = 0.0, turned = 0.0;
    for (int step = 0; step < 500; step++) {
        dls_vec3 p0, L0, p1, L1;
        dls_state *before = new_state(r.model);
        dls_state_copy(before, dls_simulation_state(r.simulation));
        momentum_of(r.model, before, &p0, &L0);
        run_steps(&r, 1, h);
        memcpy(before->v, dls_simulation_state(r.simulation)->v, before->nv * sizeof *before->v);
        momentum_of(r.model, before, &p1, &L1); /* the new velocities where the impulses acted */
        off = fmax(off, dls_norm(dls_sub(p1, p0)));
        turned = fmax(turned, dls_norm(dls_sub(L1, L0)));
        dls_state_destroy(before);
    }
    print_message("# a step of a spatial tendon changes momentum by %.1e, angular momentum by %.1e\n", off, turned);
    assert_below(off, 1e-14);
    assert_below(turned, 1e-14);
    run_stop(&r);
}

/* --- what they are equal to --- */

static void same_runs(const char *what, const char *scene, const char *one, const char *other, double allowed)
{
    run a, b;
    run_start(&a, parse_parts(PARTS(scene, one)), dls_direct_find("block-pivoting"), NULL, 1);
    run_start(&b, parse_parts(PARTS(scene, other)), dls_direct_find("block-pivoting"), NULL, 1);
    double apart = 0.0, moved = 0.0;
    for (int step = 0; step < 300; step++) {
        run_steps(&a, 1, h);
        run_steps(&b, 1, h);
        const dls_state *x = dls_simulation_state(a.simulation), *y = dls_simulation_state(b.simulation);
        for (size_t k = 0; k < x->nv; k++) {
            apart = fmax(apart, fabs(x->v[k] - y->v[k]));
            moved = fmax(moved, fabs(x->v[k]));
        }
    }
    print_message("# %s: %.1e apart\n", what, apart);
    check_below(apart, allowed, what, __FILE__, __LINE__);
    assert_true(moved > 0.1);
    run_stop(&a);
    run_stop(&b);
}

#define PAIR                                                                                                  \
    "world: {gravity: [0, 0, -9.81]}\nbodies:\n"                                                              \
    "  - {name: a, shape: box, size: [0.3, 0.2, 0.1], mass: 1.3, position: [0.2, 0, 1], omega: [1, 2, 0]}\n"  \
    "  - {name: b, shape: sphere, radius: 0.1, mass: 0.7, position: [1, 0.2, 0.5], velocity: [-0.3, 1, 0]}\n" \
    "joints:\n"
#define SEGMENT "  - {name: s, type: segment, body1: a, body2: b, anchor1: [0.3, 0.1, 1], anchor2: [1, 0.3, 0.5]}\n"
#define ENDS "body1: a, body2: b, anchor1: [0.3, 0.1, 1], anchor2: [1, 0.3, 0.5]"

TEST(test_two_attachments_are_a_distance_joint)
{
    same_runs("two attachments, held", PAIR,
              SEGMENT "  - {name: t, type: tendon, coordinates: {s: 1}, equality: true, rest: 0.9, erp: 0.3}\n",
              "  - {name: t, type: distance, " ENDS ", length: 0.9, erp: 0.3}\n", 1e-11);
    same_runs("two attachments, sprung", PAIR,
              SEGMENT "  - {name: t, type: tendon, coordinates: {s: 1}, stiffness: 70, damping: 2, rest: 0.9}\n",
              "  - {name: t, type: distance, " ENDS ", length: 0.9, stiffness: 70, damping: 2}\n", 1e-11);
    same_runs("two attachments, limited", PAIR,
              SEGMENT "  - {name: t, type: tendon, coordinates: {s: 1}, lower: 0.8, upper: 0.9}\n",
              "  - {name: t, type: distance, " ENDS ", min: 0.8, max: 0.9}\n", 1e-11);
    same_runs("two attachments, slack", PAIR,
              SEGMENT
              "  - {name: t, type: tendon, coordinates: {s: 1}, stiffness: 70, damping: 2, rest: 0.9, slack: true}\n",
              "  - {name: t, type: distance, " ENDS ", max: 0.9, stiffness: 70, damping: 2}\n", 1e-11);
}

TEST(test_fixed_tendons_are_mimics_drives_and_limits)
{
    same_runs(
        "equality and mimic", TWO_TREES,
        "joints:\n  - {name: t, type: tendon, coordinates: {arm.upper: 1, arm.slide: -2}, equality: true, rest: 0.6, "
        "offset: 0.1}\n",
        "joints:\n  - {name: t, type: mimic, coordinates: {arm.upper: 1, arm.slide: -2}, offset: -0.5}\n", 1e-10);
    same_runs(
        "spring and drive", TWO_TREES,
        "joints:\n  - {name: t, type: tendon, coordinates: {arm.upper: 1, arm.slide: -2}, stiffness: 40, damping: 2, "
        "rest: 0.6, offset: 0.1}\n",
        "joints:\n  - {name: t, type: drive, coordinates: {arm.upper: 1, arm.slide: -2}, stiffness: 40, damping: 2, "
        "target: 0.5}\n",
        1e-10);
    same_runs(
        "soft limits and a soft limit", TWO_TREES,
        "joints:\n  - {name: t, type: tendon, coordinates: {arm.upper: 1, arm.slide: -2}, lower: 0.8, upper: 0.9, "
        "offset: 0.1, limit_stiffness: 300, limit_damping: 4}\n",
        "joints:\n  - {name: t, type: limit, coordinates: {arm.upper: 1, arm.slide: -2}, lower: 0.7, upper: 0.8, "
        "stiffness: 300, damping: 4}\n",
        1e-10);
    /* r_i = 3 G_i: three times as stiff. */
    same_runs(
        "recip coefficients and a stiffer tendon", TWO_TREES,
        "joints:\n  - {name: t, type: tendon, coordinates: {arm.upper: 1, arm.slide: -2}, recip: [3, -6], stiffness: "
        "40, "
        "damping: 2, upper: 0.4, limit_stiffness: 100}\n",
        "joints:\n  - {name: t, type: tendon, coordinates: {arm.upper: 1, arm.slide: -2}, stiffness: 120, damping: 6, "
        "upper: 0.4, limit_stiffness: 300}\n",
        1e-10);
}

/* A tree of attachments with two leaves is its segments and a tendon for each leaf. */
TEST(test_a_tree_of_attachments_is_its_joints)
{
    same_runs(
        "a tree of attachments and its joints", TWO_TREES,
        "tendons:\n  - name: m\n    attachments:\n"
        "      - {name: root, body: bird.body, point: [-0.7, -0.4, 1]}\n"
        "      - {name: via, parent: root, body: arm.fore, point: [0.3, 0.2, 1.1], coefficient: 0.6}\n"
        "      - {name: a, parent: via, body: stone, point: [0.8, 0.4, 0.4], stiffness: 50, damping: 3, rest: 1}\n"
        "      - {name: b, parent: via, body: world, point: [0, 1, 1], coefficient: -0.4, stiffness: 20, upper: 0.5}\n",
        "joints:\n"
        "  - {name: one, type: segment, body1: arm.fore, body2: bird.body, anchor1: [0.3, 0.2, 1.1], anchor2: [-0.7, "
        "-0.4, 1]}\n"
        "  - {name: two, type: segment, body1: stone, body2: arm.fore, anchor1: [0.8, 0.4, 0.4], anchor2: [0.3, 0.2, "
        "1.1]}\n"
        "  - {name: three, type: segment, body1: world, body2: arm.fore, anchor1: [0, 1, 1], anchor2: [0.3, 0.2, "
        "1.1]}\n"
        "  - {name: ta, type: tendon, coordinates: {two: 1, one: 0.6}, stiffness: 50, damping: 3, rest: 1}\n"
        "  - {name: tb, type: tendon, coordinates: {three: -0.4, one: 0.6}, stiffness: 20, upper: 0.5}\n",
        1e-11);
}

TEST(test_bad_trees_are_refused)
{
    static const struct {
        const char *tree, *key;
        long line;
    } cases[] = {
        {"tendons:\n  - name: m\n", "attachments", 2},
        {"tendons:\n  - attachments: []\n", "name", 2},
        {"tendons:\n  - name: m\n    attachments:\n      - {name: a, body: world, point: [0, 0, 0]}\n", "attachments",
         4},
        {"tendons:\n  - name: m\n    attachments:\n      - {name: a, parent: b, body: world, point: [0, 0, 0]}\n",
         "parent", 4},
        {"tendons:\n  - name: m\n    attachments:\n      - {name: a, body: world, point: [0, 0, 0]}\n      - {name: b, "
         "parent: c, body: s, point: [0, 0, 1], stiffness: 1}\n",
         "parent", 5},
        {"tendons:\n  - name: m\n    attachments:\n      - {name: a, body: world, point: [0, 0, 0]}\n      - {name: a, "
         "parent: a, body: s, point: [0, 0, 1], stiffness: 1}\n",
         "name", 5},
        {"tendons:\n  - name: m\n    attachments:\n      - {name: a, body: world, point: [0, 0, 0], stiffness: 3}\n    "
         "  "
         "- {name: b, parent: a, body: s, point: [0, 0, 1], stiffness: 1}\n",
         "stiffness", 4},
        {"tendons:\n  - name: m\n    attachments:\n      - {name: a, body: world, point: [0, 0, 0]}\n      - {name: b, "
         "parent: a, body: s, point: [0, 0, 1], coefficient: 0, stiffness: 1}\n",
         "m b", 5},
        {"tendons:\n  - name: m\n    attachments:\n      - {name: a, body: world, point: [0, 0, 0]}\n      - {name: b, "
         "parent: a, body: s, stiffness: 1}\n",
         "point", 5},
        {"tendons:\n  - name: m\n    attachments:\n      - {name: a, body: world, point: [0, 0, 0]}\n      - {name: b, "
         "parent: a, body: s, point: [0, 0, 1], stifness: 1}\n",
         "stifness", 5},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        dls_scene *scene;
        dls_error error = {.message = ""};
        const dls_status status = dls_scene_parse(cases[k].tree, strlen(cases[k].tree), "text", &scene, &error);
        if (status != DLS_BAD_INPUT || strcmp(error.key, cases[k].key) != 0 || error.line != cases[k].line)
            fail_msg("%s: status %d, key '%s', line %ld: %s", cases[k].tree, status, error.key, error.line,
                     error.message);
    }
}

/* A slack tendon has no force, and a taut one that of its spring, along its line. */
TEST(test_slack_and_taut)
{
    run r;
    run_start(
        &r,
        parse_parts(PARTS(
            "world: {gravity: [0, 0, -9.81]}\nbodies:\n"
            "  - {name: a, shape: sphere, radius: 0.1, mass: 2, position: [0, 0, -0.5]}\njoints:\n"
            "  - {name: s, type: segment, body1: a, body2: world, anchor1: [0, 0, -0.5], anchor2: [0, 0, 0]}\n"
            "  - {name: t, type: tendon, coordinates: {s: 1}, stiffness: 900, damping: 60, rest: 1, slack: true}\n")),
        dls_direct_find("block-pivoting"), NULL, 1);
    dls_constraint_force force;
    dls_error error;
    const size_t t = dls_model_find_joint(r.model, "t");
    run_steps(&r, 300, h);
    assert_status(dls_simulation_forces_of(r.simulation, t, &force, &error), &error);
    assert_close(force.along_sum, 0.0, 0.0);
    assert_close(dls_simulation_state(r.simulation)->v[2], -0.3 * 9.81, 1e-12);
    run_steps(&r, 5000, h);
    assert_status(dls_simulation_forces_of(r.simulation, t, &force, &error), &error);
    assert_close(-force.along_sum, 2 * 9.81, 1e-9);
    assert_close(dls_simulation_state(r.simulation)->x[0].z, -1 - 2 * 9.81 / 900, 1e-12);
    run_stop(&r);
}

/* The load of a hinge is told with the tendon in it: a bar that a tendon holds level, weight m g at its middle, the
 * tendon straight up at its end, so that both carry half. */
TEST(test_the_joint_wrench_counts_a_spatial_tendon)
{
    run r;
    run_start(&r,
              parse_parts(PARTS(
                  "world: {gravity: [0, 0, -9.81]}\narticulations:\n  - name: t\n    links:\n"
                  "      - {name: root, static: true}\n"
                  "      - {name: bar, parent: root, motion: revolute, anchor: [0, 0, 0], axis: [0, 1, 0], shape: box, "
                  "size: [1, 0.1, 0.1], mass: 2, position: [0.5, 0, 0]}\njoints:\n"
                  "  - {name: s, type: segment, body1: t.bar, body2: world, anchor1: [1, 0, 0], anchor2: [1, 0, 3]}\n"
                  "  - {name: up, type: tendon, coordinates: {s: 1}, equality: true, rest: 3}\n")),
              dls_direct_find("block-pivoting"), NULL, 1);
    run_steps(&r, 3, h);
    dls_joint_wrench joint;
    dls_error error;
    assert_status(dls_simulation_joint_wrench(r.simulation, 0, 1, &joint, &error), &error);
    assert_close(joint.wrench.lin.z, 9.81, 1e-10);
    assert_close(hypot(joint.wrench.lin.x, joint.wrench.lin.y), 0.0, 1e-10);
    run_stop(&r);
}

/* Every scheme steps them, and its ledger closes. */
TEST(test_tendons_under_every_scheme)
{
    for (size_t v = 0; v < VARIANTS; v++) {
        run r;
        start_kept(&r, parse_parts(PARTS(TWO_TREES TENDONS)), &variants[v], 8);
        for (int step = 0; step < 30; step++) {
            run_steps(&r, 1, h);
            check_below(dls_ledger_mismatch(dls_simulation_ledger(r.simulation)), 1e-11, name_of(&variants[v]),
                        __FILE__, __LINE__);
        }
        run_stop(&r);
    }
}

static void assert_refused(const char *tendon, const char *key)
{
    char text[6000];
    snprintf(text, sizeof text, "%sjoints:\n  - {name: x, type: tendon, %s}\n", TWO_TREES, tendon);
    assert_key_refused(text, key);
}

TEST(test_bad_tendons_are_refused)
{
    static const char *const on = "coordinates: {arm.upper: 1, arm.slide: -2}";
    static const struct {
        const char *keys, *key;
    } cases[] = {{"rest: 1", "stiffness"},
                 {"equality: true, stiffness: 3", "equality"},
                 {"slack: true, upper: 3", "slack"},
                 {"lower: 3, upper: 2", "upper"},
                 {"stiffness: 2, rest: inf", "rest"},
                 {"stiffness: 2, offset: inf", "offset"},
                 {"stiffness: 2, limit_damping: 2", "limit_damping"},
                 {"stiffness: 2, erp: 0.3", "erp"},
                 {"stiffness: 2, recip: [1]", "recip"},
                 {"stiffness: 2, recip: [1, 2]", "recip"},
                 {"stiffness: 2, recip: [-1, 2]", "recip"},
                 {"stiffness: 2, recip: [1, -0.5]", "recip"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[300];
        snprintf(text, sizeof text, "%s, %s", on, cases[k].keys);
        assert_refused(text, cases[k].key);
    }
}
