/* Inverse dynamics with loops: the coefficient matrix, static loops in closed form, forward dynamics under the result,
 * the source's iteration and its rate, what is unique and what is refused. */
#include "failing_memory.h"
#include "world.h"

#include "delassus/delassus.h"
#include "delassus/reference.h"

#include <lapacke.h>
#include <string.h>
#undef I /* of complex.h */

/* A planar four-bar: crank AB, coupler BC, rocker CD; the tree ends at D, which a joint of the scene ties to the world.
 * All in the plane y = 0, links of unequal lengths, the masses off their middles. */
#define FOUR_BAR(close)                                                                                               \
    "world: {gravity: [0.3, 0, -9.81]}\n"                                                                             \
    "articulations:\n"                                                                                                \
    "  - name: bar\n"                                                                                                 \
    "    links:\n"                                                                                                    \
    "      - {name: base, static: true}\n"                                                                            \
    "      - {name: crank, parent: base, joint: A, motion: revolute, axis: [0, 1, 0], anchor: [0, 0, 0], mass: 0.6, " \
    "inertia: [0.004, 0.005, 0.002], position: [0.03, 0, 0.14]}\n"                                                    \
    "      - {name: coupler, parent: crank, joint: B, motion: revolute, axis: [0, 1, 0], anchor: [0, 0, 0.3], mass: " \
    "1.1, inertia: [0.02, 0.023, 0.004], position: [0.17, 0, 0.47]}\n"                                                \
    "      - {name: rocker, parent: coupler, joint: C, motion: revolute, axis: [0, 1, 0], anchor: [0.4, 0, 0.6], "    \
    "mass: 1.3, inertia: [0.03, 0.031, 0.003], position: [0.46, 0, 0.33]}\n"                                          \
    "joints:\n" close
#define BALL "  - {name: D, type: ball, body1: bar.rocker, anchor: [0.5, 0, 0]}\n"
#define HINGE "  - {name: D, type: hinge, body1: bar.rocker, anchor: [0.5, 0, 0], axis: [0, 1, 0]}\n"

/* A chain in space of five joints that is held at its end by a ball, beside a floating body of two links on a rope. */
#define SPACE                                                                                                          \
    "world: {gravity: [0.3, -0.2, -9.81]}\n"                                                                           \
    "bodies:\n"                                                                                                        \
    "  - {name: stone, shape: box, size: [0.4, 0.3, 0.2], mass: 1.7, position: [0.9, 0.4, 0.3], omega: [1, -2, "       \
    "0.5]}\n"                                                                                                          \
    "articulations:\n"                                                                                                 \
    "  - name: arm\n"                                                                                                  \
    "    links:\n"                                                                                                     \
    "      - {name: base, static: true}\n"                                                                             \
    "      - {name: one, parent: base, motion: revolute, axis: [0, 0.2, 1], anchor: [0, 0, 0], shape: box, size: "     \
    "[0.1, 0.1, 0.4], mass: 1.3, position: [0, 0, 0.2], armature: 0.02}\n"                                             \
    "      - {name: two, parent: one, motion: revolute, axis: [0, 1, 0.1], anchor: [0, 0, 0.4], shape: box, size: "    \
    "[0.5, 0.1, 0.1], mass: 0.9, position: [0.25, 0, 0.4]}\n"                                                          \
    "      - {name: three, parent: two, motion: revolute, axis: [1, 0.3, 0], anchor: [0.5, 0, 0.4], shape: box, "      \
    "size: [0.1, 0.4, 0.1], mass: 0.7, position: [0.5, 0.2, 0.4]}\n"                                                   \
    "      - {name: four, parent: three, motion: revolute, axis: [0, 0.4, 1], anchor: [0.5, 0.4, 0.4], shape: box, "   \
    "size: [0.3, 0.1, 0.1], mass: 0.5, position: [0.35, 0.4, 0.4]}\n"                                                  \
    "      - {name: five, parent: four, motion: revolute, axis: [1, 1, 0], anchor: [0.2, 0.4, 0.4], shape: sphere, "   \
    "radius: 0.1, mass: 0.4, position: [0.2, 0.5, 0.6]}\n"                                                             \
    "  - name: bird\n"                                                                                                 \
    "    links:\n"                                                                                                     \
    "      - {name: body, shape: box, size: [0.5, 0.2, 0.2], mass: 1.1, position: [-0.7, -0.5, 0.9], velocity: "       \
    "[0.1, 0.2, -0.1], omega: [0.3, -0.5, 0.2]}\n"                                                                     \
    "      - {name: wing, parent: body, motion: revolute, axis: [1, 0, 0.1], anchor: [-0.7, -0.3, 0.9], shape: box, "  \
    "size: [0.3, 0.5, 0.05], mass: 0.4, position: [-0.7, 0, 0.9], speed: 0.7}\n"                                       \
    "joints:\n"                                                                                                        \
    "  - {name: hold, type: ball, body1: arm.five, anchor: [0.1, 0.6, 0.7]}\n"                                         \
    "  - {name: rope, type: distance, body1: bird.wing, body2: stone, anchor1: [-0.7, 0.2, 0.9], anchor2: [0.9, 0.4, " \
    "0.4]}\n"

/* The chain alone: five joints, of which the ball takes three. */
#define LOOP_OF_FIVE                                                                                                 \
    "articulations:\n"                                                                                               \
    "  - name: arm\n"                                                                                                \
    "    links:\n"                                                                                                   \
    "      - {name: base, static: true}\n"                                                                           \
    "      - {name: one, parent: base, motion: revolute, axis: [0, 0.2, 1], anchor: [0, 0, 0], shape: box, size: "   \
    "[0.1, 0.1, 0.4], mass: 1.3, position: [0, 0, 0.2], armature: 0.02, speed: 0.7}\n"                               \
    "      - {name: two, parent: one, motion: revolute, axis: [0, 1, 0.1], anchor: [0, 0, 0.4], shape: box, size: "  \
    "[0.5, 0.1, 0.1], mass: 0.9, position: [0.25, 0, 0.4], speed: -1.1}\n"                                           \
    "      - {name: three, parent: two, motion: revolute, axis: [1, 0.3, 0], anchor: [0.5, 0, 0.4], shape: box, "    \
    "size: [0.1, 0.4, 0.1], mass: 0.7, position: [0.5, 0.2, 0.4]}\n"                                                 \
    "      - {name: four, parent: three, motion: revolute, axis: [0, 0.4, 1], anchor: [0.5, 0.4, 0.4], shape: box, " \
    "size: [0.3, 0.1, 0.1], mass: 0.5, position: [0.35, 0.4, 0.4]}\n"                                                \
    "      - {name: five, parent: four, motion: revolute, axis: [1, 1, 0], anchor: [0.2, 0.4, 0.4], shape: sphere, " \
    "radius: 0.1, mass: 0.4, position: [0.2, 0.5, 0.6]}\n"                                                           \
    "joints:\n"                                                                                                      \
    "  - {name: hold, type: ball, body1: arm.five, anchor: [0.1, 0.6, 0.7]}\n"

typedef struct looped {
    dls_model *model;
    dls_loops *loops;
    dls_state *state;
    double *lambda, *tau, *vdot, *spare;
} looped;

static void open_loops(looped *l, const char *text)
{
    dls_error error;
    size_t left_out;
    l->model = parse_model(text);
    l->state = new_state(l->model);
    assert_status(dls_loops_create(l->model, &l->loops, &error), &error);
    assert_status(dls_loops_add_all(l->loops, &left_out, &error), &error);
    l->lambda = calloc(128 + 2 * l->loops->nv, sizeof(double));
    assert_non_null(l->lambda);
    l->tau = l->lambda + 64, l->vdot = l->tau + l->loops->nv, l->spare = l->vdot + l->loops->nv;
}

static void close_loops(looped *l)
{
    free(l->lambda);
    dls_state_destroy(l->state);
    dls_loops_destroy(l->loops);
    dls_model_destroy(l->model);
}

static void prepare(looped *l)
{
    dls_error error;
    assert_status(dls_loops_prepare(l->loops, l->state, l->vdot, &error), &error);
    assert_true(l->loops->n <= 64);
}

static dls_loops_facts solve(looped *l)
{
    dls_loops_facts facts;
    dls_error error;
    assert_status(dls_loops_solve(l->loops, l->lambda, l->tau, &facts, &error), &error);
    return facts;
}

static dls_loops_report feed_back(looped *l, const dls_solver *solver, size_t sweeps, size_t limit)
{
    dls_loops_report report;
    dls_settings settings;
    dls_error error;
    assert_status(dls_settings_create(&solver->fields, &settings, &error), &error);
    const dls_loops_options options = {solver, settings.values, sweeps, limit, 1e-12};
    memset(l->lambda, 0, 64 * sizeof *l->lambda);
    assert_status(dls_loops_feedback(l->loops, &options, l->lambda, l->tau, &report, &error), &error);
    dls_settings_release(&settings);
    return report;
}

/* Motors at these degrees of freedom alone, by their numbers; DLS_NONE at the end. */
static void actuate(looped *l, const size_t *dofs)
{
    memset(l->loops->actuated, 0, l->loops->nv * sizeof *l->loops->actuated);
    for (; *dofs != DLS_NONE; dofs++)
        l->loops->actuated[*dofs] = true;
}
#define DOFS(...) ((const size_t[]){__VA_ARGS__, DLS_NONE})

/* Accelerations that the loops allow: any, less what M^-1 J^T must take of them, by the dense equations. */
static void draw_accelerations(looped *l, uint64_t *seed)
{
    dls_error error;
    for (size_t k = 0; k < l->loops->nv; k++)
        l->tau[k] = draw(seed), l->vdot[k] = 0.0;
    prepare(l);
    assert_status(dls_loops_motion(l->loops, l->tau, l->vdot, l->spare, &error), &error);
}

/* --- the coefficient matrix --- */

/* A unit force of a row on links is an outer force on each, whose generalised force inverse dynamics tells. */
TEST(test_the_coefficient_matrix_is_that_of_unit_forces)
{
    looped l;
    dls_row rows[DLS_JOINT_ROWS_MAX];
    double K[64 * 64], J[64 * 64], tau[64];
    uint64_t seed = 7;
    open_loops(&l, SPACE);
    stir(l.model, l.state, 0.3, &seed);
    prepare(&l);
    const size_t nv = l.loops->nv, n = l.loops->n;
    assert_int_equal(n, 4);
    dls_loops_coefficients(l.loops, K, nv);
    dls_dense_jacobian(l.loops->problem, J);
    dls_configuration *c = configuration_of(l.model, l.state);
    for (size_t i = 0, joint = 0; joint < 2; joint++) {
        const dls_joint *of = &dls_model_joints(l.model)[joint];
        const size_t count = dls_rows_of_joint(c, of, 1.0, rows);
        for (size_t r = 0; r < count; r++, i++) {
            for (size_t a = 0; a < 2; a++) {
                const dls_model_articulation *articulation = &dls_model_articulations(l.model)[a];
                dls_spatial force[8] = {{{0, 0, 0}, {0, 0, 0}}};
                for (int e = 0; e < 2; e++) {
                    size_t link;
                    const double *J6 = e == 0 ? rows[r].J1 : rows[r].J2;
                    if (dls_model_articulation_of(l.model, of->body[e], &link) == articulation)
                        force[link] = (dls_spatial){dls_v3(J6[0], J6[1], J6[2]), dls_v3(J6[3], J6[4], J6[5])};
                }
                dls_articulation_external_force(c->works[a], force, tau); /* what holds it against them */
                for (size_t k = 0; k < articulation->tree->nv; k++)
                    assert_close(K[articulation->offset + k + nv * i], -tau[k], 1e-14);
            }
            for (size_t k = 0; k < nv; k++)
                assert_close(K[k + nv * i], J[i + n * k], 0.0);
        }
    }
    dls_configuration_destroy(c);
    close_loops(&l);
}

/* --- a static loop --- */

/* C of the four-bar turns with the rocker about D and with the coupler about B: with unit speed of the crank
 * w2 d(C - B)/dt..., planar cross products. Speeds of coupler and rocker for a crank of 1 rad/s, about y. */
static void speeds_of(dls_vec3 A, dls_vec3 B, dls_vec3 C, dls_vec3 D, double *coupler, double *rocker)
{
    const dls_vec3 y = dls_v3(0, 1, 0), b = dls_cross(y, dls_sub(B, A)), p = dls_cross(y, dls_sub(C, B)),
                   r = dls_cross(y, dls_sub(C, D));
    /* b + coupler p = rocker r */
    const double det = p.z * r.x - p.x * r.z;
    *coupler = (b.x * r.z - b.z * r.x) / det;
    *rocker = (p.z * b.x - p.x * b.z) / det;
}

static void check_static(const char *text, bool unique)
{
    looped l;
    open_loops(&l, text);
    actuate(&l, DOFS(0));
    prepare(&l);
    const dls_loops_facts facts = solve(&l);
    /* Virtual work: the crank's torque does what gravity takes. */
    const dls_vec3 A = {0, 0, 0}, B = {0, 0, 0.3}, C = {0.4, 0, 0.6}, D = {0.5, 0, 0}, g = {0.3, 0, -9.81};
    const dls_vec3 y = {0, 1, 0}, G[3] = {{0.03, 0, 0.14}, {0.17, 0, 0.47}, {0.46, 0, 0.33}};
    const double mass[3] = {0.6, 1.1, 1.3};
    double w2, w3;
    speeds_of(A, B, C, D, &w2, &w3);
    const dls_vec3 v[3] = {dls_cross(y, G[0]), dls_add(dls_cross(y, B), dls_scale(w2, dls_cross(y, dls_sub(G[1], B)))),
                           dls_scale(w3, dls_cross(y, dls_sub(G[2], D)))};
    double torque = 0.0;
    for (int i = 0; i < 3; i++)
        torque -= mass[i] * dls_dot(g, v[i]);
    assert_close(l.tau[0], torque, 1e-13);
    assert_close(l.tau[1], 0.0, 0.0);
    assert_close(l.tau[2], 0.0, 0.0);
    assert_close(facts.missed, 0.0, 1e-13);
    /* The force F on the rocker at D: no moment of it and of the weights about C on the rocker, about B on both. */
    const dls_vec3 weight[3] = {dls_scale(mass[0], g), dls_scale(mass[1], g), dls_scale(mass[2], g)};
    const double mC = -dls_cross(dls_sub(G[2], C), weight[2]).y;
    const double mB = -dls_cross(dls_sub(G[2], B), weight[2]).y - dls_cross(dls_sub(G[1], B), weight[1]).y;
    const dls_vec3 c = dls_sub(D, C), b = dls_sub(D, B); /* (r x F).y = r.z F.x - r.x F.z */
    const double det = -c.z * b.x + c.x * b.z, Fx = (-mC * b.x + mB * c.x) / det, Fz = (c.z * mB - b.z * mC) / det;
    assert_close(l.lambda[0], Fx, 1e-12);
    assert_close(l.lambda[2], Fz, 1e-12);
    assert_close(l.lambda[1], 0.0, 0.0); /* nothing moves across the plane */
    assert_int_equal(facts.rank, 2);
    assert_int_equal(facts.rank_of_rows, 2);
    assert_true(facts.forces_unique && facts.unique == unique);
    close_loops(&l);
}

TEST(test_a_static_four_bar)
{
    check_static(FOUR_BAR(BALL), false); /* the row across the plane holds nothing: its force is free */
    check_static(FOUR_BAR(HINGE), false);
    looped l;
    open_loops(&l, FOUR_BAR("  - {name: D, type: distance, body1: bar.rocker, anchor1: [0.5, 0, 0], anchor2: [0.9, 0, "
                            "-0.7]}\n"));
    actuate(&l, DOFS(0, 1));
    prepare(&l);
    assert_true(solve(&l).unique); /* one row, one passive joint */
    close_loops(&l);
}

/* With a motor in every joint the loop may be braced by any force: the least is none, and the tree's forces do. */
TEST(test_motors_everywhere_leave_the_force_free)
{
    looped l;
    double gravity[3];
    open_loops(&l, FOUR_BAR(BALL));
    prepare(&l);
    const dls_loops_facts facts = solve(&l);
    assert_true(!facts.unique && !facts.forces_unique && facts.rank == 0 && facts.rank_of_rows == 2);
    dls_configuration *c = configuration_of(l.model, l.state);
    dls_articulation_gravity_force(c->works[0], dls_v3(0.3, 0, -9.81), gravity);
    for (size_t k = 0; k < 3; k++) {
        assert_close(l.tau[k], gravity[k], 1e-15);
        assert_close(l.lambda[k], 0.0, 0.0);
    }
    /* and so says the iteration, which stays where it starts */
    const dls_loops_report report = feed_back(&l, dls_direct_find("block-pivoting"), 1, 200);
    assert_true(report.converged);
    dls_loops_map map;
    dls_error error;
    assert_status(dls_loops_rate(l.loops, 0, &map, &error), &error);
    assert_int_equal(map.unseen, 2);
    dls_configuration_destroy(c);
    close_loops(&l);
}

/* Without a motor nothing holds it. */
TEST(test_forces_that_nobody_supplies_are_told)
{
    looped l;
    open_loops(&l, FOUR_BAR(BALL));
    actuate(&l, DOFS(0));
    l.loops->actuated[0] = false;
    prepare(&l);
    assert_true(solve(&l).missed > 0.01);
    close_loops(&l);
}

/* --- in motion --- */

/* J' v is what the accelerations along a constrained motion need: a rocker that turns steadily. */
TEST(test_gamma_of_a_turning_rod)
{
    looped l;
    open_loops(&l, "bodies:\n"
                   "  - {name: bob, shape: sphere, radius: 0.1, mass: 1.3, position: [0.6, 0.3, 0], velocity: [-0.6, "
                   "1.2, 0.7]}\n"
                   "joints:\n"
                   "  - {name: rod, type: distance, body1: bob, anchor1: [0.6, 0.3, 0], anchor2: [0, 0, 0]}\n");
    prepare(&l);
    const double d2 = 0.6 * 0.6 + 0.3 * 0.3, along = (-0.6 * 0.6 + 1.2 * 0.3) / sqrt(d2),
                 v2 = 0.6 * 0.6 + 1.2 * 1.2 + 0.7 * 0.7;
    assert_close(l.loops->gamma[0], -(v2 - along * along) / sqrt(d2), 1e-10);
    close_loops(&l);
}

/* Forces found for accelerations, then the dense equations of motion under these forces: the same accelerations. */
static void check_motion(const char *text, const size_t *dofs, double size, uint64_t seed)
{
    looped l;
    dls_error error;
    double vdot[64], lambda[64];
    open_loops(&l, text);
    if (size > 0.0)
        stir(l.model, l.state, size, &seed);
    for (int turn = 0; turn < 5; turn++) {
        draw_accelerations(&l, &seed);
        actuate(&l, dofs);
        prepare(&l);
        const dls_loops_facts facts = solve(&l);
        assert_true(facts.forces_unique);
        assert_close(facts.missed, 0.0, 1e-9);
        assert_status(dls_loops_motion(l.loops, l.tau, vdot, lambda, &error), &error);
        for (size_t k = 0; k < l.loops->nv; k++)
            assert_close(vdot[k], l.vdot[k], 1e-9 * (1.0 + fabs(l.vdot[k])));
    }
    close_loops(&l);
}

TEST(test_forward_dynamics_under_the_result)
{
    check_motion(FOUR_BAR(BALL), DOFS(0), 0.0, 3);
    check_motion(FOUR_BAR(HINGE), DOFS(2), 0.0, 5);
    check_motion(LOOP_OF_FIVE, DOFS(0, 2), 0.0, 7);
    check_motion(LOOP_OF_FIVE, DOFS(1, 4), 0.0, 9);
}

/* A step of the simulation is forward dynamics too: under the forces found, from rest, v+ = h vdot. */
TEST(test_a_step_under_the_result)
{
    looped l;
    uint64_t seed = 11;
    const double h = 1e-4;
    open_loops(&l, FOUR_BAR(BALL));
    draw_accelerations(&l, &seed);
    actuate(&l, DOFS(0));
    prepare(&l);
    (void)solve(&l);
    run r;
    dls_simulation_options options = dls_simulation_default();
    options.solver = dls_direct_find("block-pivoting");
    run_open(&r, parse_model(FOUR_BAR(BALL)), &options);
    memcpy(dls_simulation_edit(r.simulation)->force, l.tau, 3 * sizeof *l.tau);
    run_steps(&r, 1, h);
    for (size_t k = 0; k < 3; k++)
        assert_close(dls_simulation_state(r.simulation)->v[k], h * l.vdot[k], 1e-12);
    for (size_t i = 0; i < 3; i++)
        assert_close(dls_simulation_impulses(r.simulation)[i] / h, l.lambda[i], 1e-8);
    run_stop(&r);
    close_loops(&l);
}

/* --- the source's iteration --- */

/* Against the direct answer, and its rate against the spectral radius. */
static void check_feedback(const char *name, const char *text, const size_t *dofs, const dls_solver *solver,
                           size_t sweeps)
{
    looped l;
    dls_loops_map map;
    dls_error error;
    uint64_t seed = 17;
    double tau[64], lambda[64];
    open_loops(&l, text);
    draw_accelerations(&l, &seed);
    actuate(&l, dofs);
    prepare(&l);
    const dls_loops_facts facts = solve(&l);
    memcpy(tau, l.tau, l.loops->nv * sizeof *tau), memcpy(lambda, l.lambda, l.loops->n * sizeof *lambda);
    assert_true(facts.forces_unique);
    assert_status(dls_loops_rate(l.loops, solver->kind == DLS_SOLVER_DIRECT ? 0 : sweeps, &map, &error), &error);
    const dls_loops_report report = feed_back(&l, solver, sweeps, 2000);
    print_message("# %s, %s x %zu: predicted %.6f, measured %.6f, %zu turns, %s\n", name, solver->name, sweeps,
                  map.rate, report.rate, report.turns, report.converged ? "converged" : report.message);
    assert_true(report.converged == (map.rate < 1.0));
    if (report.converged)
        for (size_t k = 0; k < l.loops->nv; k++)
            assert_close(l.tau[k], tau[k], 1e-8 * (1.0 + fabs(tau[k])));
    close_loops(&l);
}

TEST(test_the_sources_iteration)
{
    const dls_solver *direct = dls_direct_find("block-pivoting"), *pgs = dls_iterative_find("pgs");
    for (size_t k = 0; k < 3; k++) {
        check_feedback("four-bar", FOUR_BAR(BALL), DOFS(k), direct, 1);
        check_feedback("four-bar", FOUR_BAR(BALL), DOFS(k), pgs, 1);
        check_feedback("four-bar", FOUR_BAR(BALL), DOFS(k), pgs, 10);
    }
    for (size_t a = 0; a < 5; a++)
        for (size_t b = 0; b < a; b++)
            check_feedback("chain", LOOP_OF_FIVE, DOFS(a, b), direct, 1);
    check_feedback("chain", LOOP_OF_FIVE, DOFS(0, 2), pgs, 20);
}

/* lambda after so many turns from 0. */
static void lambda_after(looped *l, size_t turns, double *lambda)
{
    const dls_solver *solver = dls_direct_find("block-pivoting");
    dls_settings settings;
    dls_loops_report report;
    dls_error error;
    assert_status(dls_settings_create(&solver->fields, &settings, &error), &error);
    const dls_loops_options options = {solver, settings.values, 1, turns, 0.0};
    memset(lambda, 0, l->loops->n * sizeof *lambda);
    assert_status(dls_loops_feedback(l->loops, &options, lambda, l->tau, &report, &error), &error);
    dls_settings_release(&settings);
}

/* The dominant eigenvalue of the map behind measured changes c_0 .. c_d of lambda in turns that follow each other. They
 * lie in the complement of the unseen directions, whose dimension is d: there the map has a characteristic polynomial
 * of degree d, and c_d = p_0 c_0 + ... + p_{d-1} c_{d-1}. Its roots are the eigenvalues of the companion matrix. */
static void measure_eigenvalue(looped *l, size_t d, double *modulus, double *angle)
{
    enum { ROWS = 3 };
    double lambda[ROWS + 2][64], changes[ROWS * ROWS], last[ROWS], singular[ROWS], real[ROWS], imaginary[ROWS];
    double companion[ROWS * ROWS] = {0};
    lapack_int rank;
    assert_int_equal(l->loops->n, ROWS);
    for (size_t k = 0; k < d + 2; k++)
        lambda_after(l, k, lambda[k]);
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t k = 0; k < d; k++)
            changes[i + ROWS * k] = lambda[k + 1][i] - lambda[k][i];
        last[i] = lambda[d + 1][i] - lambda[d][i];
    }
    const lapack_int size = (lapack_int)d;
    assert_int_equal(LAPACKE_dgelsd(LAPACK_COL_MAJOR, ROWS, size, 1, changes, ROWS, last, ROWS, singular, 0.0, &rank),
                     0);
    for (size_t k = 0; k < d; k++) {
        companion[k + d * (d - 1)] = last[k];
        if (k > 0)
            companion[k + d * (k - 1)] = 1.0;
    }
    assert_int_equal(
        LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', size, companion, size, real, imaginary, NULL, 1, NULL, 1), 0);
    *modulus = *angle = 0.0;
    for (size_t k = 0; k < d; k++)
        if (hypot(real[k], imaginary[k]) > *modulus) {
            *modulus = hypot(real[k], imaginary[k]);
            *angle = fabs(atan2(imaginary[k], real[k]));
        }
}

/* Every choice of one to four motors on the chain: with three or four, lambda is not unique and the map has the
 * eigenvalue 1. The rate and the angle are those that the iteration itself shows in its first turns. */
TEST(test_the_rate_where_lambda_is_not_unique)
{
    size_t pairs = 0, unseen = 0;
    for (unsigned motors = 1; motors < 31; motors++) {
        looped l;
        dls_loops_map map;
        dls_error error;
        uint64_t seed = 17;
        double modulus, angle;
        open_loops(&l, LOOP_OF_FIVE);
        draw_accelerations(&l, &seed);
        for (size_t k = 0; k < 5; k++)
            l.loops->actuated[k] = motors >> k & 1;
        prepare(&l);
        const dls_loops_facts facts = solve(&l);
        assert_status(dls_loops_rate(l.loops, 0, &map, &error), &error);
        assert_int_equal(map.unseen, l.loops->n - facts.rank);
        measure_eigenvalue(&l, l.loops->n - map.unseen, &modulus, &angle);
        print_message("# motors %2u: unseen %zu, radius %.6f, rate %.6f, angle %.6f, measured %.1e, %.1e apart\n",
                      motors, map.unseen, map.spectral_radius, map.rate, map.angle, fabs(modulus - map.rate),
                      fabs(angle - map.angle));
        assert_close(modulus, map.rate, 1e-9); /* rounding of lambda over its change in the last of these turns */
        assert_close(angle, map.angle, 1e-9);
        assert_close(map.spectral_radius, map.unseen ? fmax(1.0, map.rate) : map.rate, 1e-8);
        pairs += map.angle > 0.0 && map.angle < DLS_PI, unseen += map.unseen;
        close_loops(&l);
    }
    assert_true(pairs > 0 && unseen > 0);
}

/* --- contacts, and what is refused --- */

/* A foot of a floating link on the ground: the contact pushes with its weight; open gaps have no row. */
TEST(test_contacts_as_loops)
{
    looped l;
    dls_error error;
    open_loops(
        &l, "articulations:\n"
            "  - {name: foot, links: [{name: sole, shape: sphere, radius: 0.2, mass: 1.7, position: [0, 0, 0.2]}]}\n");
    dls_contact touch = {.body = {dls_model_find_end(l.model, "foot.sole"), DLS_WORLD},
                         .point = {{0, 0, 0}, {0, 0, 0}},
                         .place = {{0, 0, -0.2}, {0, 0, 0}},
                         .normal = {0, 0, 1}};
    assert_status(dls_loops_add_contact(l.loops, &touch, &error), &error);
    touch.gap = 0.1;
    assert_status(dls_loops_add_contact(l.loops, &touch, &error), &error);
    prepare(&l);
    assert_int_equal(l.loops->n, 1);
    assert_int_equal(l.loops->open, 1);
    const dls_loops_facts facts = solve(&l);
    assert_close(l.lambda[0], 1.7 * 9.81, 1e-13);
    assert_true(facts.unique && facts.pulling == 0);
    assert_close(facts.missed, 0.0, 1e-13);
    l.vdot[2] = -20.0; /* through the ground: the ground would have to pull, with a force that holds nothing */
    prepare(&l);
    assert_int_equal(solve(&l).pulling, 1);
    const dls_loops_report report = feed_back(&l, dls_iterative_find("pgs"), 1, 200);
    assert_close(l.lambda[0], 1.7 * 9.81, 1e-13); /* the iteration has the forces of the motion that there is */
    assert_true(report.converged);
    assert_close(report.missed, 1.7 * 20.0, 1e-12);
    dls_loops_remove_contacts(l.loops);
    prepare(&l);
    assert_int_equal(l.loops->n + l.loops->open, 0);
    touch.gap = 0.0, touch.mu = 0.7, touch.friction = DLS_LAW_CONE, touch.friction_mass = 1.0;
    assert_status(dls_loops_add_contact(l.loops, &touch, &error), &error);
    prepare(&l);
    assert_int_equal(l.loops->n, 1); /* friction is no loop */
    assert_int_equal(l.loops->problem->n, 1);
    assert_true(l.loops->problem->lo[0] == 0.0 && l.loops->problem->hi[0] == HUGE_VAL);
    close_loops(&l);
}

/* --- what is needed --- */

static const char pushed[] =
    "world: {gravity: [0.3, -0.2, -9.81], gyroscopic: %s}\n"
    "bodies:\n"
    "  - {name: ground, static: true}\n"
    "  - {name: one, shape: box, size: [0.4, 0.3, 0.2], mass: 1.7, position: [1, 0, 0], orientation: [0.5, 0.5, -0.5, "
    "0.5], omega: [1, -2, 0.5], force: [0.4, 0.3, -0.7], torque: [0.2, -0.1, 0.3]}\n"
    "  - {name: between, static: true}\n"
    "  - {name: two, shape: box, size: [0.2, 0.3, 0.6], mass: 0.6, position: [3, 0, 0], orientation: [0.1, 0.7, 0.5, "
    "0.5], velocity: [1, 2, 3], omega: [-1, 0.7, 0.4], torque: [0.1, 0.4, -0.6]}\n";

/* Without loops: Newton's and Euler's equations of each body, less the forces on passive degrees of freedom. */
TEST(test_what_bodies_need)
{
    static const char *const gyroscopic[] = {"explicit", "implicit", "none"};
    for (int g = 0; g < 3; g++) {
        char text[1200];
        uint64_t seed = 5;
        looped l;
        snprintf(text, sizeof text, pushed, gyroscopic[g]);
        open_loops(&l, text);
        assert_int_equal(l.loops->nv, 12);
        for (size_t k = 0; k < 12; k++) {
            assert_false(l.loops->actuated[k]); /* no body has motors */
            l.vdot[k] = draw(&seed), l.state->force[k] = draw(&seed);
        }
        l.loops->actuated[4] = l.loops->actuated[9] = true;
        prepare(&l);
        assert_memory_equal(l.loops->vdot, l.vdot, 12 * sizeof(double));
        for (size_t i = 0; i < 2; i++) {
            const dls_body *body = &dls_model_bodies(l.model)[2 * i + 1];
            const double *v = l.state->v + 6 * i, *a = l.vdot + 6 * i;
            const dls_vec3 omega = dls_v3(v[3], v[4], v[5]);
            const dls_mat3 I = dls_rotate_tensor(dls_quat_matrix(l.state->q[2 * i + 1]), body->inertia);
            const dls_vec3 turning = g == 2 ? dls_v3(0, 0, 0) : dls_cross(omega, dls_mul3(I, omega));
            const dls_vec3 torque = dls_sub(dls_add(dls_mul3(I, dls_v3(a[3], a[4], a[5])), turning), body->torque);
            for (size_t k = 0; k < 6; k++) {
                const int axis = (int)(k % 3);
                const double whole = k < 3 ? body->mass * (a[k] - dls_get3(dls_model_world(l.model)->gravity, axis)) -
                                                 dls_get3(body->force, axis)
                                           : dls_get3(torque, axis);
                const double given = l.loops->actuated[6 * i + k] ? 0.0 : l.state->force[6 * i + k];
                assert_close(l.loops->needed[6 * i + k], whole - given, 1e-13);
            }
        }
        dls_error error; /* without accelerations they are 0 */
        assert_status(dls_loops_prepare(l.loops, l.state, NULL, &error), &error);
        for (size_t k = 0; k < 12; k++)
            assert_true(l.loops->vdot[k] == 0.0);
        close_loops(&l);
    }
}

/* A registered joint that is broken or asleep has no rows, and is named. */
TEST(test_absent_joints_are_named)
{
    char text[128], little[64];
    looped l;
    open_loops(&l, SPACE);
    const size_t hold = dls_model_find_joint(l.model, "hold"), rope = dls_model_find_joint(l.model, "rope");
    prepare(&l);
    dls_loops_absent_text(l.loops, text, sizeof text);
    assert_string_equal(text, "");
    assert_int_equal(l.loops->n, 4);
    assert_int_equal(l.loops->n_absent, 0);
    l.state->broken[hold] = 1;
    prepare(&l);
    assert_int_equal(l.loops->n, 1);
    assert_string_equal(l.loops->absent[hold], "broken");
    assert_null(l.loops->absent[rope]);
    for (size_t b = 0; b < dls_model_count(l.model).blocks; b++)
        l.state->asleep[b] = 1;
    prepare(&l);
    assert_int_equal(l.loops->n, 0);
    assert_int_equal(l.loops->n_absent, 2);
    dls_loops_absent_text(l.loops, text, sizeof text);
    assert_string_equal(text, "joint 'hold' is broken, joint 'rope' is asleep");
    dls_loops_absent_text(l.loops, little, sizeof little); /* room for one of them and the number of the others */
    assert_string_equal(little, "joint 'hold' is broken, and 1 more");
    dls_loops_absent_text(l.loops, little, 20);
    assert_string_equal(little, "2 joints have no ro");
    /* one that is not registered is not missed */
    dls_error error;
    assert_status(dls_loops_remove_joint(l.loops, rope, &error), &error);
    prepare(&l);
    assert_int_equal(l.loops->n_absent, 1);
    /* awake and whole again */
    memset(l.state->asleep, 0, dls_model_count(l.model).blocks * sizeof *l.state->asleep);
    l.state->broken[hold] = 0;
    prepare(&l);
    assert_int_equal(l.loops->n, 3);
    assert_int_equal(l.loops->n_absent, 0);
    close_loops(&l);
}

/* In any room: as many names as leave 32 characters for the number of the others, and that number, never beyond it. */
TEST(test_absent_joints_in_any_room)
{
    static const char *const names[] = {"a", "second", "c3"};
    char text[160], expected[160], one[64];
    looped l;
    open_loops(&l, "bodies:\n  - {name: box, shape: sphere, radius: 1, mass: 1}\njoints:\n"
                   "  - {name: a, type: ball, body1: box, anchor: [0, 0, 0]}\n  - {name: second, type: ball, body1: "
                   "box, anchor: [0, 0, 0]}\n"
                   "  - {name: there, type: ball, body1: box, anchor: [0, 0, 0]}\n  - {name: c3, type: ball, body1: "
                   "box, anchor: [0, 0, 0]}\n");
    for (size_t k = 0; k < 3; k++)
        l.state->broken[dls_model_find_joint(l.model, names[k])] = 1;
    prepare(&l);
    assert_int_equal(l.loops->n_absent, 3);
    for (size_t size = 0; size < sizeof text - 8; size++) {
        size_t used = 0, named = 0;
        expected[0] = '\0';
        for (size_t k = 0; k < 3; k++) {
            const size_t length = (size_t)snprintf(one, sizeof one, "%sjoint '%s' is broken", k ? ", " : "", names[k]);
            if (used + length + 32 >= size)
                break;
            memcpy(expected + used, one, length + 1);
            used += length, named++;
        }
        if (named == 0)
            snprintf(expected, size, "3 joints have no rows");
        else if (named < 3)
            snprintf(expected + used, sizeof expected - used, ", and %zu more", 3 - named);
        memset(text, '#', sizeof text);
        dls_loops_absent_text(l.loops, text, size);
        for (size_t k = size; k < sizeof text; k++)
            assert_true(text[k] == '#');
        if (size > 0)
            assert_string_equal(text, expected);
    }
    close_loops(&l);
}

TEST(test_refusals)
{
    looped l;
    dls_error error;
    size_t left_out;
    open_loops(&l, FOUR_BAR(BALL "  - {name: spring, type: drive, coordinates: {bar.A: 1}, stiffness: 3}\n"
                                 "  - {name: soft, type: ball, body1: bar.rocker, anchor: [0.5, 0, 0], cfm: 1e-4}\n"
                                 "  - {name: weak, type: ball, body1: bar.rocker, anchor: [0.5, 0, 0], force_hi: 4}\n"
                                 "  - {name: loose, type: ball, body1: bar.rocker, anchor: [0.5, 0, 0], force_lo: -4}\n"
                                 "  - {name: motor, type: motor, coordinates: {bar.A: 1}, speed: 1, force: 3}\n"
                                 "  - {name: brake, type: motor, coordinates: {bar.A: 1}, force: 3}\n"));
    assert_status(dls_loops_add_all(l.loops, &left_out, &error), &error);
    assert_int_equal(left_out, 6);
    const char *const names[] = {"spring", "soft", "weak", "loose", "motor", "brake"},
                      *const why[] = {"has a spring or compliance", "has a spring or compliance", "has force bounds",
                                      "has force bounds",           "holds no position",          "holds no position"};
    for (size_t k = 0; k < 6; k++) {
        assert_false(l.loops->joints[dls_model_find_joint(l.model, names[k])]);
        assert_int_equal(dls_loops_add_joint(l.loops, dls_model_find_joint(l.model, names[k]), &error), DLS_REFUSED);
        assert_non_null(strstr(error.message, names[k]));
        assert_non_null(strstr(error.message, why[k]));
    }
    assert_int_equal(dls_loops_add_joint(l.loops, 0, &error), DLS_BAD_ARGUMENT);
    assert_string_equal(error.message, "joint 'D' is registered already");
    const size_t beyond = dls_model_count(l.model).joints;
    assert_int_equal(dls_loops_add_joint(l.loops, beyond, &error), DLS_BAD_ARGUMENT);
    assert_string_equal(error.message, "there is no such joint");
    assert_status(dls_loops_remove_joint(l.loops, 0, &error), &error);
    assert_int_equal(dls_loops_remove_joint(l.loops, 0, &error), DLS_BAD_ARGUMENT);
    assert_int_equal(dls_loops_remove_joint(l.loops, beyond, &error), DLS_BAD_ARGUMENT);
    assert_status(dls_loops_add_joint(l.loops, 0, &error), &error); /* and again */
    prepare(&l);
    assert_int_equal(l.loops->n, 3);
    assert_status(dls_loops_remove_joint(l.loops, 0, &error), &error);
    prepare(&l);
    assert_int_equal(l.loops->n, 0);
    assert_close(solve(&l).missed, 0.0, 0.0);
    l.vdot[0] = NAN;
    assert_int_equal(dls_loops_prepare(l.loops, l.state, l.vdot, &error), DLS_NOT_FINITE);
    close_loops(&l);
    open_loops(&l, "bodies:\n  - {name: lift, kinematic: true, velocity: [0, 0, 1]}\n"
                   "  - {name: box, shape: sphere, radius: 1, mass: 1}\n"
                   "joints:\n  - {name: tie, type: ball, body1: box, body2: lift, anchor: [0, 0, 0]}\n");
    assert_int_equal(dls_loops_prepare(l.loops, l.state, NULL, &error), DLS_REFUSED);
    assert_non_null(strstr(error.message, "kinematic"));
    close_loops(&l);
    dls_loops_destroy(NULL);
}

/* physx-articulations sizes lambda by the loop joints: one joint of three rows has three forces, none of which follows
 * from the others. */
TEST(test_lambda_has_an_entry_for_each_row)
{
    looped l;
    uint64_t seed = 23;
    dls_vec3 found[2];
    open_loops(&l, LOOP_OF_FIVE);
    actuate(&l, DOFS(0, 2));
    for (int k = 0; k < 2; k++) {
        memset(l.vdot, 0, l.loops->nv * sizeof *l.vdot);
        draw_accelerations(&l, &seed);
        prepare(&l);
        assert_true(solve(&l).unique);
        found[k] = dls_v3(l.lambda[0], l.lambda[1], l.lambda[2]);
    }
    assert_int_equal(dls_model_count(l.model).joints, 1);
    assert_int_equal(l.loops->n, 3);
    assert_true(dls_norm(dls_cross(found[0], found[1])) > 0.01 * dls_norm(found[0]) * dls_norm(found[1]));
    close_loops(&l);
}

/* Each allocation fails in its turn; nothing is lost. */
static dls_status all_of_it(const dls_model *model, dls_error *error)
{
    dls_loops *loops;
    dls_loops_facts facts;
    dls_loops_report report;
    dls_loops_map map;
    double lambda[8] = {0.0}, tau[8], vdot[8];
    const double settings[8] = {1.0};
    const dls_loops_options options = {dls_iterative_find("pgs"), settings, 2, 5, 1e-9};
    const dls_contact touch = {.body = {dls_model_find_end(model, "arm.four"), DLS_WORLD}, .normal = {0, 0, 1}};
    DLS_TRY(dls_loops_create(model, &loops, error));
    dls_status status = dls_loops_add_all(loops, NULL, error);
    if (status == DLS_OK)
        status = dls_loops_add_contact(loops, &touch, error);
    if (status == DLS_OK)
        status = dls_loops_prepare(loops, dls_model_initial(model), NULL, error);
    if (status == DLS_OK)
        status = dls_loops_solve(loops, lambda, tau, &facts, error);
    if (status == DLS_OK)
        status = dls_loops_feedback(loops, &options, lambda, tau, &report, error);
    if (status == DLS_OK)
        status = dls_loops_motion(loops, tau, vdot, lambda, error);
    if (status == DLS_OK)
        status = dls_loops_rate(loops, 2, &map, error);
    dls_loops_destroy(loops);
    return status;
}

TEST(test_memory_that_runs_out)
{
    dls_model *model = parse_model(LOOP_OF_FIVE);
    dls_status status = DLS_NO_MEMORY;
    dls_error error;
    assert_status(all_of_it(model, &error), &error);
    size_t n = 0;
    while (status == DLS_NO_MEMORY) {
        const long before = live;
        allocations = 0, fail_at = ++n;
        status = all_of_it(model, &error);
        fail_at = 0;
        assert_int_equal(live, before);
    }
    assert_status(status, &error);
    assert_true(n > 20);
    dls_model_destroy(model);
}
