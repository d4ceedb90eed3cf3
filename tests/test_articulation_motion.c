/* Worked examples of physx-articulations with their analytic values, motions in time, indices, and definitions that are
 * refused. */
#include "articulated.h"

#include "articulation/parts.h"

#include <float.h>

/* The pendulum of the source: pivot at the origin, q from +y towards -x, centre of mass at the distance L; inertia m
 * L^2 / 3 about it. */
static const double m = 1.3, L = 0.7, g = 9.6;
static const dls_vec3 down = {0, -9.6, 0};

static dls_link_def rod(const char *name, const char *parent, double anchor)
{
    dls_link_def link = new_link(name, parent, "revolute");
    double i = m * L * L / 3.0;
    link.axis[0] = DLS_SWING2;
    link.mass = m;
    link.centre = dls_v3(0, L, 0);
    link.inertia = (dls_mat3){{i, 0, 0, 0, 0.1 * i, 0, 0, 0, i}};
    link.parent_frame.p = dls_v3(0, anchor, 0);
    return link;
}

static articulated pendulum(size_t rods, const double *q, const double *qd, double armature)
{
    dls_articulation_def *def = new_articulation(true);
    dls_link_def base = new_link("base", "", "fix");
    add_link(def, &base);
    for (size_t i = 0; i < rods; i++) {
        dls_link_def link = rod(i ? "rod2" : "rod1", i ? "rod1" : "base", i ? 2.0 * L : 0.0);
        link.q[0] = q[i];
        link.speed[0] = qd[i];
        link.armature[0] = armature;
        add_link(def, &link);
    }
    return compile_articulated(def);
}

/* Perpendicular to gravity: gravity turns it with + m g L, so holding it takes - m g L (the source prints its
 * magnitude). */
TEST(test_pendulum_gravity)
{
    double q = DLS_PI / 2, qd = 0, tau;
    articulated a = pendulum(1, &q, &qd, 0.2);
    dls_articulation_gravity_force(a.work, down, &tau);
    assert_close(tau, -m * g * L, 1e-15 * m * g * L);
    destroy_articulated(&a);
}

TEST(test_pendulum_external_force)
{
    double q = DLS_PI / 4, qd = 0, tau;
    articulated a = pendulum(1, &q, &qd, 0.2);
    dls_spatial force[2] = {{{5, 5, 5}, {5, 5, 5}}, {{1.1, 0, 0}, {0, 0, 0.9}}};
    dls_articulation_external_force(a.work, force, &tau);
    assert_close(tau, cos(q) * L * 1.1 - 0.9, 1e-15);
    destroy_articulated(&a);
}

TEST(test_pendulum_acceleration_and_force)
{
    dls_error error;
    double q = DLS_PI / 2, qd = 0, vdot, tau = 0, armature = 0.2, target = 1.4;
    double inertia = m * L * L / 3.0 + m * L * L + armature;
    articulated a = pendulum(1, &q, &qd, armature);
    assert_status(dls_articulation_factor(a.work, &error), &error);
    dls_articulation_forward(a.work, NULL, NULL, down, &vdot);
    assert_close(vdot, m * g * L / inertia, 1e-14);
    dls_spatial tip = dls_articulation_acceleration(a.work, 1, down);
    assert_close(tip.lin.y, -L * vdot, 1e-14);
    assert_close(tip.ang.z, vdot, 0.0);
    tau = -m * g * L;
    dls_articulation_forward(a.work, &tau, NULL, down, &vdot);
    assert_close(vdot, 0.0, 1e-14);
    dls_articulation_joint_force(a.work, &target, &tau);
    assert_close(tau, target * inertia, 1e-15);
    dls_articulation_mass_matrix(a.work, &tau, 1);
    assert_close(tau, inertia, 1e-15);
    destroy_articulated(&a);
}

TEST(test_pendulum_jacobian)
{
    double q = DLS_PI / 2, qd = 0.8, J[6], expected[6] = {0, -L, 0, 0, 0, 1};
    articulated a = pendulum(1, &q, &qd, 0.0);
    assert_int_equal(dls_articulation_jacobian_rows(a.art), 6);
    dls_articulation_jacobian(a.work, J, 6);
    for (int i = 0; i < 6; i++)
        assert_close(J[i], expected[i], 1e-15);
    dls_end end = dls_articulation_end(a.work, 1);
    assert_close(dls_norm(dls_sub(end.x, dls_v3(-L, 0, 0))), 0.0, 1e-15);
    assert_close(dls_norm(dls_articulation_origin(a.work, 1)), 0.0, 1e-15);
    assert_close(end.v.y, -L * qd, 1e-15);
    destroy_articulated(&a);
}

/* Two rods of length 2 L; h = m (2 L) L sin q2:  C1 = -h (2 qd1 + qd2) qd2,  C2 = h qd1^2. The source's case is qd2 =
 * 0, q2 = pi/2. */
TEST(test_double_pendulum_coriolis)
{
    static const double qd[2][2] = {{1.0, 0.0}, {1.2, -0.7}}, q[2][2] = {{0.0, DLS_PI / 2}, {0.4, 0.9}};
    for (int k = 0; k < 2; k++) {
        articulated a = pendulum(2, q[k], qd[k], 0.15);
        double tau[2], M[4], h = 2 * m * L * L * sin(q[k][1]), c = 2 * m * L * L * cos(q[k][1]), I = m * L * L / 3;
        dls_articulation_coriolis_force(a.work, tau);
        assert_close(tau[0], -h * (2 * qd[k][0] + qd[k][1]) * qd[k][1], 1e-15);
        assert_close(tau[1], h * qd[k][0] * qd[k][0], 1e-15);
        dls_articulation_mass_matrix(a.work, M, 2);
        assert_close(M[3], I + m * L * L + 0.15, 1e-15);
        assert_close(M[2], I + m * L * L + c, 1e-14);
        assert_close(M[1], M[2], 0.0);
        assert_close(M[0], 2 * I + m * L * L + 5 * m * L * L + 2 * c + 0.15, 1e-14);
        destroy_articulated(&a);
    }
}

/* --- errata of the examples (doc/errata.md): the printed form fails --- */

/* The holding torque is printed as +m g L, and the torque that cancels gravity is said to be "1 Nm". */
TEST(test_printed_holding_torque)
{
    dls_error error;
    const double q = DLS_PI / 2, qd = 0, printed[2] = {m * g * L, 1.0}, mended = -m * g * L;
    double vdot;
    articulated a = pendulum(1, &q, &qd, 0.0);
    assert_status(dls_articulation_factor(a.work, &error), &error);
    for (int k = 0; k < 2; k++) {
        dls_articulation_forward(a.work, &printed[k], NULL, down, &vdot);
        assert_close(vdot, (m * g * L + printed[k]) / (4.0 / 3.0 * m * L * L), 1e-13);
        assert_true(vdot > 1.0);
    }
    dls_articulation_forward(a.work, &mended, NULL, down, &vdot);
    assert_close(vdot, 0.0, 1e-14);
    destroy_articulated(&a);
}

/* "Compute Coriolis Joint Forces" opens with computeGeneralizedExternalForce, which without external forces is 0. Under
 * the torques of the source's example the double pendulum keeps its joint speeds only with the Coriolis forces. */
TEST(test_printed_coriolis_call)
{
    dls_error error;
    const double q[2] = {0.0, DLS_PI / 2}, qd[2] = {1.0, 0.0};
    const dls_spatial none[3] = {{{0, 0, 0}, {0, 0, 0}}};
    double tau[2][2], weight[2], vdot[2];
    articulated a = pendulum(2, q, qd, 0.0);
    assert_status(dls_articulation_factor(a.work, &error), &error);
    dls_articulation_gravity_force(a.work, down, weight);
    dls_articulation_external_force(a.work, none, tau[0]);
    dls_articulation_coriolis_force(a.work, tau[1]);
    for (int mended = 0; mended < 2; mended++) {
        for (int i = 0; i < 2; i++)
            tau[mended][i] += weight[i];
        dls_articulation_forward(a.work, tau[mended], NULL, down, vdot);
        if (mended)
            assert_below(fmax(fabs(vdot[0]), fabs(vdot[1])), 1e-13);
        else
            assert_true(fabs(vdot[1]) > 0.5);
    }
    destroy_articulated(&a);
}

/* The coefficient matrix J^T "can be used to convert a set of lambda values (impulses) into a set of joint forces to
 * counteract these impulses". J^T lambda is the joint impulse that lambda makes; the forces that counteract it in a
 * step of h are -J^T lambda / h. A force at the tip of the second rod, whose speed is J v: */
TEST(test_printed_conversion_of_impulses)
{
    dls_error error;
    const double q[2] = {0.4, 0.9}, qd[2] = {0.0, 0.0}, h = 1e-2, lambda = 0.7;
    double J[2], response[2], left[2];
    articulated a = pendulum(2, q, qd, 0.15);
    assert_status(dls_articulation_factor(a.work, &error), &error);
    /* the tip is at (-2 L sin q1 - 2 L sin(q1 + q2), ...), and the force along x */
    J[1] = -2.0 * L * cos(q[0] + q[1]), J[0] = J[1] - 2.0 * L * cos(q[0]);
    const double impulse[2] = {J[0] * lambda, J[1] * lambda};
    dls_articulation_solve(a.work, impulse, response);
    for (int mended = 0; mended < 2; mended++) {
        double force[2], sum = 0.0;
        for (int i = 0; i < 2; i++)
            force[i] = mended ? -impulse[i] / h : impulse[i];
        dls_articulation_forward(a.work, force, NULL, dls_v3(0, 0, 0), left);
        for (int i = 0; i < 2; i++)
            sum += fabs(response[i] + h * left[i]);
        if (mended)
            assert_below(sum, 1e-15);
        else
            assert_true(sum > 0.1);
    }
    destroy_articulated(&a);
}

/* A buffer of maxGpuIndex maxDofs entries, in which the entries of an articulation begin at index maxDofs, has no room
 * for the articulation of the greatest index; (maxGpuIndex + 1) maxDofs are needed. */
TEST(test_printed_size_of_gpu_buffers)
{
    enum { ARTICULATIONS = 3 };
    const size_t dofs[ARTICULATIONS] = {4, 7, 2};
    size_t most = 0, last = 0;
    for (size_t index = 0; index < ARTICULATIONS; index++)
        most = dofs[index] > most ? dofs[index] : most;
    for (size_t index = 0; index < ARTICULATIONS; index++)
        last = index * most + dofs[index] - 1; /* the last entry that is written */
    assert_true(last >= (ARTICULATIONS - 1) * most);
    assert_true(last < ARTICULATIONS * most);
}

/* --- motions in time --- */

TEST(test_revolute_counts_wraps)
{
    double q[2] = {0.3, 0.0}, qd[2] = {0, 0}, h = 1.0;
    articulated a = pendulum(2, q, qd, 0.0);
    for (int turn = 0; turn < 5; turn++) { /* five turns each way, and back */
        double v[2] = {7.0, -7.0};
        dls_articulation_advance(a.art, a.state, v, h);
        for (size_t i = 1; i < 3; i++) {
            double whole = (i == 1 ? 0.3 : 0.0) + v[i - 1] * (turn + 1);
            assert_close(dls_articulation_unwrapped(a.art, a.state, i), whole, 1e-14);
            assert_true(a.state->q[i - 1] > -2 * DLS_PI && a.state->q[i - 1] <= 2 * DLS_PI);
        }
    }
    assert_int_equal(a.state->wraps[0], 3);
    assert_int_equal(a.state->wraps[1], -3);
    dls_articulation_set_position(a.art, a.state, 1, 2 * DLS_PI); /* the interval is closed above and open below */
    assert_close(a.state->q[0], 2 * DLS_PI, 0.0);
    dls_articulation_set_position(a.art, a.state, 1, -2 * DLS_PI);
    assert_close(a.state->q[0], 2 * DLS_PI, 0.0);
    assert_int_equal(a.state->wraps[0], -1);
    assert_close(dls_articulation_unwrapped(a.art, a.state, 1), -2 * DLS_PI, 0.0);
    dls_articulation_set_position(a.art, a.state, 1, nextafter(2 * DLS_PI, 7));
    assert_true(a.state->q[0] > -2 * DLS_PI && a.state->q[0] < -6);
    destroy_articulated(&a);
}

static dls_articulation_def *one_joint(const char *motion)
{
    dls_articulation_def *def = new_articulation(true);
    dls_link_def base = new_link("base", "", "fix"), link = new_link("link", "base", motion);
    add_link(def, &base);
    link.mass = m;
    link.inertia = (dls_mat3){{0.3, 0, 0, 0, 0.4, 0, 0, 0, 0.5}};
    add_link(def, &link);
    return def;
}

TEST(test_unwrapped_revolute_does_not_wrap)
{
    articulated a = compile_articulated(one_joint("revolute-unwrapped"));
    double v = 30.0;
    dls_articulation_advance(a.art, a.state, &v, 1.0);
    assert_close(a.state->q[0], 30.0, 0.0);
    assert_close(dls_articulation_unwrapped(a.art, a.state, 1), 30.0, 0.0);
    destroy_articulated(&a);
}

TEST(test_spherical_stays_unit)
{
    articulated a = compile_articulated(one_joint("spherical"));
    uint64_t seed = 5;
    double v[3], *q = a.state->q;
    for (int k = 0; k < 20000; k++) {
        dls_vec3 w = dls_scale(k % 7 ? 20.0 : 1e-7, draw3(&seed));
        v[0] = w.x, v[1] = w.y, v[2] = w.z;
        dls_articulation_advance(a.art, a.state, v, 0.05);
        assert_close(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), 1.0, 3e-16);
    }
    /* A constant speed turns by its length, in any number of steps. */
    q[0] = 1, q[1] = q[2] = q[3] = 0;
    for (int k = 0; k < 64; k++)
        dls_articulation_advance(a.art, a.state, (double[3]){0.6, 0.0, -0.8}, 1.0 / 64);
    dls_articulation_kinematics(a.state, a.work);
    dls_quat end = dls_articulation_end(a.work, 1).q, expected = dls_quat_exp(dls_v3(0.6, 0, -0.8));
    assert_close(dls_norm(dls_quat_log(dls_quat_mul(end, dls_quat_conj(expected)))), 0.0, 1e-14);
    destroy_articulated(&a);
}

/* Many turns in one step about the axis of the twist, or about that axis as the joint has turned it: the swing keeps
 * its size, and the twist grows by the angle. */
TEST(test_spherical_counts_turns_of_one_step)
{
    const dls_motion *spherical = dls_motion_find("spherical");
    static const double swings[][2] = {{0.5, 0.0}, {0.0, 0.5}, {-0.5, 0.0}, {0.0, -0.5}, {0.3, 0.2}};
    for (size_t i = 0; i < sizeof swings / sizeof swings[0]; i++)
        for (int turned = 0; turned < 2; turned++)
            for (int way = -1; way <= 1; way += 2) {
                double q[4], unused_gradient[3];
                const double angles[3] = {2.0, swings[i][0], swings[i][1]};
                long turns = 0;
                spherical->place(q, &turns, angles);
                const dls_vec3 x = dls_v3(1.0, 0.0, 0.0),
                               axis = turned ? dls_quat_rotate((dls_quat){q[0], q[1], q[2], q[3]}, x) : x;
                spherical->advance(q, &turns, (double[3]){way * axis.x, way * axis.y, way * axis.z}, 40.0);
                assert_close(spherical->coordinate(q, turns, 0, unused_gradient), 2.0 + 40.0 * way, 1e-12);
                const double y = spherical->coordinate(q, turns, 1, unused_gradient),
                             z = spherical->coordinate(q, turns, 2, unused_gradient);
                assert_close(hypot(y, z), hypot(angles[1], angles[2]), 1e-13);
            }
}

static double energy(articulated *a)
{
    update(a);
    return dls_articulation_kinetic_energy(a->work, a->state->v) + dls_articulation_potential_energy(a->work, down);
}

static void step(articulated *a, double h, double *vdot)
{
    dls_error error;
    assert_status(dls_articulation_factor(a->work, &error), &error);
    dls_articulation_forward(a->work, NULL, NULL, down, vdot);
    for (size_t k = 0; k < a->art->nv; k++)
        a->state->v[k] += h * vdot[k];
    dls_articulation_advance(a->art, a->state, a->state->v, h);
    update(a);
}

/* The energy that a freely swinging tree of all motion types gains in 0.25 s of semi-implicit Euler. */
static double drift(articulated *a, double h)
{
    dls_articulation_state *start;
    dls_error error;
    double vdot[64], before = energy(a);
    assert_status(dls_articulation_state_create(a->art, &start, &error), &error);
    dls_articulation_state_copy(start, a->state);
    for (int k = 0; k < (int)lround(0.25 / h); k++)
        step(a, h, vdot);
    double after = energy(a);
    dls_articulation_state_copy(a->state, start);
    dls_articulation_state_destroy(start);
    return after - before;
}

/* Coordinates of every motion whose position is no list of them give the position, and are those of the position. */
TEST(test_coordinates_place_what_has_them)
{
    static const double angles[][3] = {{0, 0, 0},     {0.3, -1.2, 0.7}, {-2.9, 1e-9, 0},   {3.1, 2.1, -2.2},
                                       {1.5, 0, 3.0}, {3.2, 0.4, 0},    {-47.5, 1.2, 2.0}, {9.4, 0.1, 0.3}};
    for (const dls_motion *const *motion = dls_motions; *motion; motion++) {
        assert_int_equal(!(*motion)->coordinate, !(*motion)->place);
        for (size_t i = 0; (*motion)->place && i < sizeof angles / sizeof angles[0]; i++) {
            double q[DLS_POSITIONS_MAX], unused_gradient[DLS_DOFS_MAX], norm = 0.0;
            long turns = -7;
            (*motion)->place(q, &turns, angles[i]);
            for (size_t k = 0; k < (*motion)->n_positions; k++)
                norm += q[k] * q[k];
            assert_close(norm, 1.0, 1e-15);
            for (size_t k = 0; k < (*motion)->n_dofs; k++)
                assert_close((*motion)->coordinate(q, turns, k, unused_gradient), angles[i][k], 1e-14);
        }
    }
}

TEST(test_energy_drift_is_of_first_order)
{
    for (int fixed = 0; fixed < 2; fixed++) {
        uint64_t seed = 11;
        articulated a = compile_articulated(draw_tree(&seed, 8, 2, fixed));
        double e = energy(&a), coarse = drift(&a, 1.0 / 8192), fine = drift(&a, 1.0 / 16384);
        assert_below(fabs(fine), 0.02 * fabs(e));
        assert_close(coarse / fine, 2.0, 0.1);
        destroy_articulated(&a);
    }
}

/* Nothing pulls at it but gravity: the momentum about the centre of mass stays, but for the step's error of first
 * order. */
TEST(test_floating_tree_keeps_momentum)
{
    uint64_t seed = 12;
    articulated a = compile_articulated(draw_tree(&seed, 7, 3, false));
    assert_true(a.art->nv <= 40);
    double vdot[40], A[240], before[6] = {0}, after[6] = {0}, h = 1.0 / 65536;
    /* Armature has angular momentum that links do not carry; without it the momentum is that of the links alone. */
    memset(a.art->armature, 0, a.art->nv * sizeof(double));
    dls_articulation_centroidal_momentum(a.work, A);
    for (size_t k = 0; k < 6 * a.art->nv; k++)
        before[k % 6] += A[k] * a.state->v[k / 6];
    for (int k = 0; k < 2048; k++)
        step(&a, h, vdot);
    dls_articulation_centroidal_momentum(a.work, A);
    for (size_t k = 0; k < 6 * a.art->nv; k++)
        after[k % 6] += A[k] * a.state->v[k / 6];
    before[1] += a.art->mass * down.y * 2048 * h;
    assert_below(relative(after, before, 6), 1e-3);
    destroy_articulated(&a);
}

/* --- order and indices --- */

TEST(test_link_order_is_depth_first)
{
    static const char *const names[][2] = {{"b1", "b"},   {"a", "root"}, {"root", ""},
                                           {"b", "root"}, {"a1", "a"},   {"b2", "b"}};
    static const char *const expected[] = {"root", "a", "a1", "b", "b1", "b2"};
    dls_articulation_def *def = new_articulation(true);
    uint64_t seed = 4;
    for (size_t i = 0; i < 6; i++) {
        dls_link_def link = new_link(names[i][0], names[i][1], i % 2 ? "spherical-2" : "prismatic");
        link.axis[0] = i % 2 ? DLS_SWING2 : DLS_Y;
        link.axis[1] = DLS_TWIST;
        link.mass = 1.0;
        link.inertia = draw_inertia(&seed, 1.0);
        add_link(def, &link);
    }
    articulated a = compile_articulated(def);
    for (size_t i = 0; i < 6; i++)
        assert_string_equal(a.art->defs[i].name, expected[i]);
    assert_int_equal(a.art->links[1].subtree_end, 3);
    assert_int_equal(a.art->links[3].subtree_end, 6);
    assert_int_equal(dls_articulation_find_link(a.art, "b1"), 4);
    assert_int_equal(dls_articulation_find_joint(a.art, "b2"), 5);
    assert_true(dls_articulation_find_link(a.art, "c") == DLS_NONE);
    assert_int_equal(a.art->nv, 8); /* a: 2, a1: 1, b: 2, b1: 1, b2: 2 */
    assert_int_equal(dls_articulation_dof(a.art, 1, DLS_SWING2), 0);
    assert_int_equal(dls_articulation_dof(a.art, 1, DLS_TWIST), 1);
    assert_int_equal(dls_articulation_dof(a.art, 4, DLS_Y), 5);
    assert_true(dls_articulation_dof(a.art, 4, DLS_X) == DLS_NONE);
    double reduced[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8], maximal[36];
    dls_articulation_unpack(a.art, reduced, maximal);
    assert_close(maximal[6 * 4 + DLS_Y], 6.0, 0.0);
    assert_close(maximal[6 * 4 + DLS_X], 0.0, 0.0);
    dls_articulation_pack(a.art, maximal, back);
    assert_memory_equal(back, reduced, sizeof back);
    destroy_articulated(&a);
}

/* Only joints have joint names: a root's link may be called like one. */
TEST(test_root_takes_no_joint_name)
{
    dls_articulation_def *def = one_joint("revolute");
    snprintf(def->links[1].joint, DLS_NAME_MAX, "base");
    articulated a = compile_articulated(def);
    assert_int_equal(dls_articulation_find_joint(a.art, "base"), 1);
    destroy_articulated(&a);
}

/* A chain of n links on a base, every second joint free; the definitions run from the tip to the base. */
static dls_articulation_def *long_chain(size_t n)
{
    dls_articulation_def *def = new_articulation(true);
    char name[DLS_NAME_MAX], parent[DLS_NAME_MAX];
    for (size_t i = n; i-- > 0;) {
        snprintf(name, sizeof name, "link%zu", i);
        snprintf(parent, sizeof parent, "link%zu", i - 1);
        dls_link_def link = new_link(name, i ? parent : "", i % 2 ? "revolute-unwrapped" : "fix");
        link.mass = 1.0;
        add_link(def, &link);
        assert_string_equal(dls_articulation_def_find(def, name)->name, name);
        assert_null(dls_articulation_def_find(def, parent));
    }
    return def;
}

/* A tree is made in a time proportional to its links: names cost the same number of looks at a table for each link.
 * The chain of 20,000 took over 14 s when each link was compared with all others. */
TEST(test_names_cost_the_same_for_each_link)
{
    double probes[2];
    for (size_t k = 0; k < 2; k++) {
        const size_t n = (k + 1) * 20000;
        articulated a = compile_articulated(long_chain(n));
        probes[k] = (double)(a.art->inside->links.probes + a.art->inside->joints.probes);
        assert_int_equal(a.art->n_links, n);
        assert_int_equal(dls_articulation_find_link(a.art, "link19999"), 19999);
        assert_int_equal(dls_articulation_find_joint(a.art, "link7"), 7);
        assert_true(dls_articulation_find_joint(a.art, "link0") == DLS_NONE);
        assert_int_equal(a.art->links[n - 1].parent, n - 2);
        assert_int_equal(a.art->nv, n / 2);
        destroy_articulated(&a);
    }
    assert_below(probes[1] / probes[0], 2.3);
}

/* A link is found under the name that it was added with wherever a reader has moved it, and not after it is gone. */
TEST(test_links_of_a_definition_by_name)
{
    dls_articulation_def *def = long_chain(4);
    assert_ptr_equal(dls_articulation_def_find(def, "link0"), &def->links[3]);
    def->links[1] = def->links[--def->n_links];
    assert_ptr_equal(dls_articulation_def_find(def, "link0"), &def->links[1]);
    assert_ptr_equal(dls_articulation_def_find(def, "link3"), &def->links[0]);
    assert_null(dls_articulation_def_find(def, "link2"));
    dls_articulation_def_destroy(def);
}

/* --- what is refused --- */

static void lose_parent(dls_articulation_def *d) { snprintf(d->links[2].parent, DLS_NAME_MAX, "nobody"); }
static void close_cycle(dls_articulation_def *d) { snprintf(d->links[1].parent, DLS_NAME_MAX, "link3"); }
static void hang_on_a_cycle(dls_articulation_def *d) /* two links that are on none, and one that is its own parent */
{
    for (size_t i = 1; i < 4; i++)
        snprintf(d->links[i].parent, DLS_NAME_MAX, "link%d", i < 3 ? (int)i + 1 : 3);
}
static void two_roots(dls_articulation_def *d) { d->links[2].parent[0] = 0; }
static void no_root(dls_articulation_def *d) { snprintf(d->links[0].parent, DLS_NAME_MAX, "link1"); }
static void same_joint(dls_articulation_def *d) { snprintf(d->links[2].joint, DLS_NAME_MAX, "link1"); }
static void same_name(dls_articulation_def *d) { snprintf(d->links[2].name, DLS_NAME_MAX, "link1"); }
static void negative_mass(dls_articulation_def *d) { d->links[1].mass = -1.0; }
static void nan_mass(dls_articulation_def *d) { d->links[1].mass = NAN; }
static void skew_inertia(dls_articulation_def *d) { d->links[2].inertia.m[1] += 0.01; }
static void endless_inertia(dls_articulation_def *d) { d->links[2].inertia.m[8] = HUGE_VAL; }
static void moves_nothing(dls_articulation_def *d)
{
    dls_link_def *tip = &d->links[3];
    tip->mass = 0.0, tip->inertia = (dls_mat3){{0}}, tip->armature[0] = 0.0, tip->motion = dls_motion_find("revolute"),
    tip->axis[0] = DLS_TWIST;
}
static void negative_armature(dls_articulation_def *d)
{
    d->links[1].motion = dls_motion_find("spherical");
    d->links[1].q[0] = NAN;
    d->links[1].armature[2] = -0.1;
}
static void wrong_axis(dls_articulation_def *d)
{
    d->links[1].motion = dls_motion_find("prismatic"), d->links[1].axis[0] = DLS_SWING1;
}
static void same_axes(dls_articulation_def *d)
{
    d->links[1].motion = dls_motion_find("spherical-2");
    d->links[1].axis[0] = d->links[1].axis[1] = DLS_SWING1;
}
static void long_quaternion(dls_articulation_def *d) { d->links[1].child_frame.q.w += 0.1; }
static void infinite_position(dls_articulation_def *d) { d->links[1].parent_frame.p.x = HUGE_VAL; }
static void no_links(dls_articulation_def *d) { d->n_links = 0; }
static void no_name(dls_articulation_def *d) { d->links[3].name[0] = 0; }
static void no_motion(dls_articulation_def *d) { d->links[1].motion = NULL; }
static void turn_about_a_slide(dls_articulation_def *d)
{
    d->links[1].motion = dls_motion_find("revolute"), d->links[1].axis[0] = DLS_X;
}
static void long_parent_frame(dls_articulation_def *d) { d->links[1].parent_frame.q.x += 0.1; }
static void long_orientation(dls_articulation_def *d) { d->links[1].orientation.y += 0.2; }
static void infinite_armature(dls_articulation_def *d) { d->links[1].armature[0] = HUGE_VAL; }
static void infinite_mass(dls_articulation_def *d) { d->links[1].mass = HUGE_VAL; }
static void long_position(dls_articulation_def *d)
{
    d->links[1].motion = dls_motion_find("spherical");
    d->links[1].q[0] = d->links[1].q[1] = d->links[1].q[2] = 0.0, d->links[1].q[3] = 1.1;
}

TEST(test_bad_definitions_are_refused)
{
    static const struct {
        void (*spoil)(dls_articulation_def *);
        const char *key, *says;
    } cases[] = {
        {lose_parent, "parent", "there is no link 'nobody'"},
        {close_cycle, "parent", "is its own ancestor"},
        {hang_on_a_cycle, "parent", "link 'link3': is its own ancestor"},
        {two_roots, "parent", "one root"},
        {no_root, "parent", "no link is the root"},
        {same_name, "name", "taken"},
        {same_joint, "joint", "another joint has the name 'link1'"},
        {negative_mass, "mass", "not negative"},
        {nan_mass, "mass", "not negative"},
        {skew_inertia, "inertia", "not symmetric"},
        {endless_inertia, "inertia", "must be finite"},
        {negative_armature, "armature", "not negative"},
        {wrong_axis, "axis", "x, y or z"},
        {same_axes, "axis", "must differ"},
        {long_quaternion, "orientation", "unit"},
        {infinite_position, "position", "finite"},
        {no_links, "links", "no links"},
        {no_name, "name", "a link needs a name"},
        {no_motion, "motion", "no motion type"},
        {turn_about_a_slide, "axis", "turns about twist, swing1 or swing2"},
        {long_parent_frame, "orientation", "unit"},
        {long_orientation, "orientation", "unit"},
        {infinite_armature, "armature", "not negative"},
        {infinite_mass, "mass", "must be finite"},
        {long_position, "q", "a unit quaternion"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t seed = 9;
        dls_articulation_def *def = draw_tree(&seed, 4, 1, true);
        dls_articulation *art;
        dls_error error;
        cases[i].spoil(def);
        assert_int_equal(dls_articulation_create(def, &art, &error), DLS_BAD_INPUT);
        assert_null(art);
        assert_string_equal(error.key, cases[i].key);
        assert_non_null(strstr(error.message, cases[i].says));
        dls_articulation_def_destroy(def);
    }
    dls_link_def never = {0};
    dls_articulation_def *def = new_articulation(true);
    assert_int_equal(dls_articulation_def_add(def, &never, NULL), DLS_BAD_ARGUMENT);
    dls_articulation_def_destroy(def);
}

/* Each number of a link that is none is refused by its key; beyond the numbers that its motion has, none is read. */
TEST(test_numbers_of_a_link_that_are_none_are_refused)
{
    enum { MOVED = 1 }; /* a link on a spherical joint; link 0 is the floating root */
    static const struct {
        size_t member, count, link, read;
        const char *key;
    } arrays[] = {
        {offsetof(dls_link_def, centre), 3, MOVED, 3, "centre"},
        {offsetof(dls_link_def, position), 3, MOVED, 3, "position"},
        {offsetof(dls_link_def, parent_frame) + offsetof(dls_frame, p), 3, MOVED, 3, "position"},
        {offsetof(dls_link_def, child_frame) + offsetof(dls_frame, p), 3, MOVED, 3, "position"},
        {offsetof(dls_link_def, force), 3, MOVED, 3, "force"},
        {offsetof(dls_link_def, torque), 3, MOVED, 3, "force"},
        {offsetof(dls_link_def, orientation), 4, MOVED, 4, "orientation"},
        {offsetof(dls_link_def, speed), 6, MOVED, 3, "speed"},
        {offsetof(dls_link_def, effort), 3, MOVED, 3, "effort"},
        {offsetof(dls_link_def, q) + sizeof(double), 3, MOVED, 3, "q"},
        {offsetof(dls_link_def, speed), 6, 0, 6, "speed"},
    };
    static const double wrong[] = {NAN, HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        for (size_t k = 0; k < arrays[i].count; k++)
            for (size_t w = 0; w < 3; w++) {
                uint64_t seed = 9;
                dls_articulation_def *def = draw_tree(&seed, 4, 1, true);
                dls_articulation *art;
                dls_error error;
                dls_link_def *link = &def->links[MOVED];
                link->motion = dls_motion_find("spherical");
                link->q[0] = 1.0, link->q[1] = link->q[2] = link->q[3] = 0.0;
                memcpy((char *)&def->links[arrays[i].link] + arrays[i].member + k * sizeof(double), &wrong[w],
                       sizeof(double));
                const bool read = k < arrays[i].read;
                error.message[0] = '\0';
                if (dls_articulation_create(def, &art, &error) != (read ? DLS_BAD_INPUT : DLS_OK))
                    fail_msg("%s, number %zu: %s", arrays[i].key, k, read ? "taken" : error.message);
                if (read) {
                    assert_string_equal(error.key, arrays[i].key);
                    assert_non_null(strstr(error.message, def->links[arrays[i].link].name));
                }
                dls_articulation_destroy(art);
                dls_articulation_def_destroy(def);
            }
}

/* The Jacobian of the last link; `massless`: its joint moves nothing. */
static void jacobian_of_tip(bool massless, double J[6][8])
{
    uint64_t seed = 9;
    double all[8 * 24];
    dls_articulation_def *def = draw_tree(&seed, 4, 1, true);
    dls_articulation *art;
    dls_articulation_state *state;
    dls_articulation_work *work;
    dls_error error;
    moves_nothing(def);
    if (!massless)
        def->links[3].mass = 1.7, def->links[3].inertia = def->links[2].inertia;
    assert_status(dls_articulation_create(def, &art, &error), &error);
    assert_status(dls_articulation_state_create(art, &state, &error), &error);
    assert_status(dls_articulation_work_create(art, &work, &error), &error);
    dls_articulation_kinematics(state, work);
    const size_t rows = dls_articulation_jacobian_rows(art), tip = dls_articulation_find_link(art, "link3");
    assert_true(art->nv <= 8 && rows <= 24);
    dls_articulation_jacobian(work, all, rows);
    for (size_t i = 0; i < 6; i++)
        for (size_t k = 0; k < 8; k++)
            J[i][k] = k < art->nv ? all[6 * (tip - 1) + i + rows * k] : 0.0;
    dls_status status = dls_articulation_check_dynamics(art, &error), factored = dls_articulation_factor(work, NULL);
    assert_int_equal(status, massless ? DLS_BAD_INPUT : DLS_OK);
    assert_int_equal(factored, massless ? DLS_BAD_ARGUMENT : DLS_OK);
    if (massless)
        assert_string_equal(error.message, "link 'link3': its joint moves no mass; give a mass or an armature");
    dls_articulation_work_destroy(work);
    dls_articulation_state_destroy(state);
    dls_articulation_destroy(art);
    dls_articulation_def_destroy(def);
}

TEST(test_a_joint_without_mass_has_kinematics)
{
    double with[6][8], without[6][8];
    jacobian_of_tip(false, with);
    jacobian_of_tip(true, without);
    assert_memory_equal(with, without, sizeof with);
}

/* The first of several in link order is named; a link further out carries the mass of those before it. */
TEST(test_where_mass_is_missing)
{
    dls_error error;
    for (size_t heavy = 0; heavy <= 4; heavy++)
        for (int armed = 0; armed < 2; armed++) {
            dls_articulation_def *def = new_articulation(heavy % 2 == 1);
            dls_articulation *art;
            for (size_t i = 0; i < 4; i++) {
                dls_link_def link;
                dls_link_default(&link);
                snprintf(link.name, sizeof link.name, "link%zu", i);
                if (i > 0)
                    snprintf(link.parent, sizeof link.parent, "link%zu", i - 1);
                link.motion = dls_motion_find("revolute");
                link.armature[0] = armed && i > heavy ? 0.3 : 0.0;
                link.mass = i == heavy ? 2.385 : 0.0;
                assert_status(dls_articulation_def_add(def, &link, &error), &error);
            }
            assert_status(dls_articulation_create(def, &art, &error), &error);
            dls_status status = dls_articulation_check_dynamics(art, &error);
            const bool enough = heavy == 3 || (armed && heavy < 3);
            assert_int_equal(status, enough ? DLS_OK : DLS_BAD_INPUT);
            if (!enough && heavy == 4)
                assert_non_null(strstr(error.message, "link 'link0': a floating base without any mass"));
            else if (!enough) {
                char name[32];
                snprintf(name, sizeof name, "link 'link%zu'", heavy + 1);
                assert_non_null(strstr(error.message, name));
            }
            dls_articulation_destroy(art);
            dls_articulation_def_destroy(def);
        }
}

TEST(test_state_that_diverged_is_named)
{
    uint64_t seed = 2;
    articulated a = compile_articulated(draw_tree(&seed, 6, 2, false));
    dls_error error;
    assert_status(dls_articulation_state_check(a.art, a.state, &error), &error);
    size_t link = a.art->dof_link[a.art->nv - 1];
    a.state->v[a.art->nv - 1] = HUGE_VAL;
    assert_int_equal(dls_articulation_state_check(a.art, a.state, &error), DLS_NOT_FINITE);
    assert_non_null(strstr(error.message, a.art->defs[link].joint));
    destroy_articulated(&a);
}

/* A position of more turns than a double counts has no angle left, and is no number any more. */
TEST(test_turns_beyond_counting)
{
    double q[2] = {0.3, 0.1}, qd[2] = {0, 0}, v[2] = {1e300, 0.0};
    articulated a = pendulum(2, q, qd, 0.0);
    dls_error error;
    dls_articulation_advance(a.art, a.state, v, 1.0);
    assert_true(isnan(a.state->q[0]));
    assert_int_equal(a.state->wraps[0], 0);
    assert_int_equal(dls_articulation_state_check(a.art, a.state, &error), DLS_NOT_FINITE);
    assert_non_null(strstr(error.message, "joint 'rod1'"));
    dls_articulation_advance(a.art, a.state, v, 1.0);
    assert_true(isnan(a.state->q[0]));
    dls_articulation_set_position(a.art, a.state, 1, 1e15); /* counted, and its angle known to 1/8 */
    assert_status(dls_articulation_state_check(a.art, a.state, &error), &error);
    assert_close(dls_articulation_unwrapped(a.art, a.state, 1), 1e15, 0.25);
    destroy_articulated(&a);
}

/* Two hinges in line, and no mass between them: in this position the first moves what the second lets go. */
TEST(test_singular_position_is_named)
{
    dls_articulation_def *def = new_articulation(true);
    dls_link_def base = new_link("base", "", "fix"), ring = new_link("ring", "base", "revolute"),
                 tip = new_link("tip", "ring", "revolute");
    tip.mass = 1.0;
    tip.inertia = (dls_mat3){{1, 0, 0, 0, 1, 0, 0, 0, 1}};
    add_link(def, &base), add_link(def, &ring), add_link(def, &tip);
    articulated a = compile_articulated(def);
    dls_error error;
    assert_int_equal(dls_articulation_factor(a.work, &error), DLS_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "'ring'"));
    destroy_articulated(&a);
}

static void check_sines(const double *x, size_t n)
{
    double sine[5], cosine[5];
    dls_tree_sines(x, n, sine, cosine);
    for (size_t k = 0; k < n; k++) {
        assert_true(fabsl((long double)sine[k] - sinl(x[k])) <= (long double)DBL_EPSILON);
        assert_true(fabsl((long double)cosine[k] - cosl(x[k])) <= (long double)DBL_EPSILON);
    }
}

/* Any angle, quarter turns where one of both nearly vanishes, and angles beyond the range of the series. */
TEST(test_sines_to_a_unit_in_the_last_place)
{
    uint64_t seed = 5;
    static const double reaches[] = {0.8, 6.3, 1e5, 1e9},
                        quarters[] = {0.0, 0.5 * DLS_PI, -DLS_PI, 1.5 * DLS_PI, 31415.0 * DLS_PI};
    for (size_t r = 0; r < 4; r++)
        for (int trial = 0; trial < 2000; trial++) {
            double x[5];
            for (int k = 0; k < 5; k++)
                x[k] = reaches[r] * draw(&seed);
            check_sines(x, 5);
            check_sines(x, 2);
        }
    check_sines(quarters, 5);
    double x[3] = {NAN, 1.0, HUGE_VAL}, sine[3], cosine[3];
    dls_tree_sines(x, 3, sine, cosine);
    assert_true(isnan(sine[0]) && isnan(cosine[0]) && isnan(sine[2]) && isnan(cosine[2]));
    assert_close(sine[1], sin(1.0), DBL_EPSILON);
    dls_tree_sines(&(double){0.0}, 1, sine, cosine);
    assert_true(sine[0] == 0.0 && cosine[0] == 1.0);
}
