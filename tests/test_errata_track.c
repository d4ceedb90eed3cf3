/* Errata of track-joint (doc/errata.md): the printed form fails, the mended one holds. The angle error of (8) to (10):
 * test_printed_angle_error_doubles_erp. Letters are the source's: A is the anchor on the moving body m, wF the frame of
 * the track on the body t, d = A.P - wF.P. */
#include "mechanism.h"

static dls_vec3 turned(double angle, dls_vec3 axis, dls_vec3 a)
{
    return dls_quat_rotate(dls_quat_exp(dls_scale(angle, axis)), a);
}

/* "(A x B) x C = (B x C) x A = (C x A) x B". The products with a dot have one value. */
TEST(test_the_triple_product)
{
    const dls_vec3 A = {0.3, -1.1, 0.7}, B = {1.3, 0.2, -0.4}, C = {-0.6, 0.9, 1.7};
    const dls_vec3 first = dls_cross(dls_cross(A, B), C), second = dls_cross(dls_cross(B, C), A),
                   third = dls_cross(dls_cross(C, A), B);
    assert_true(dls_norm(dls_sub(first, second)) > 0.1 && dls_norm(dls_sub(second, third)) > 0.1);
    assert_close(dls_dot(dls_cross(A, B), C), dls_dot(dls_cross(B, C), A), 1e-15);
    assert_close(dls_dot(dls_cross(B, C), A), dls_dot(dls_cross(C, A), B), 1e-15);
}

/* dt = 1 "in a simulation world": with velocities per second (4) then takes back erp h of an error, h the step. */
TEST(test_the_time_step_of_the_correction)
{
    const double h = 1.0 / 60.0, erp = 0.2, start = 0.3;
    for (int printed = 0; printed < 2; printed++) {
        const double dt = printed ? 1.0 : h, velocity = -erp / dt * start, after = start + h * velocity;
        assert_close(1.0 - after / start, printed ? erp * h : erp, 1e-15);
    }
}

/* fmin = "infinite": the one force within the bounds is infinite. With -infinite the row is bilateral, as the lateral
 * row of the library is. */
TEST(test_the_lower_bound_of_the_force)
{
    const double wanted[] = {-7.0, 0.0, 7.0};
    for (size_t k = 0; k < 3; k++) {
        assert_true(isinf(fmin(fmax(wanted[k], HUGE_VAL), HUGE_VAL)));
        assert_close(fmin(fmax(wanted[k], -HUGE_VAL), HUGE_VAL), wanted[k], 0.0);
    }
    dls_row rows[DLS_JOINT_ROWS_MAX];
    dls_end end[2];
    dls_model *model = parse_model("tracks: [{name: rail, curve: {type: line, length: 3}}]\n"
                                   "bodies: [{name: cart, mass: 2, inertia: [0.5, 0.5, 0.5], position: [1, 0, 0]}]\n"
                                   "joints: [{name: ride, type: track, body1: cart, track: rail, speed: 2, erp: 0}]\n");
    const dls_joint *joint = &dls_model_joints(model)[0];
    ends_of(model, dls_model_initial(model), joint, end);
    joint->type->rows(joint, end, 1e-3, rows);
    assert_true(rows[0].lo == -HUGE_VAL && rows[0].hi == HUGE_VAL);
    /* (11) puts E6 = dt / erp vTarget into erp / dt E6: 0 . inf at erp = 0. The library's row has vTarget itself. */
    const double erp = 0.0, dt = 1e-3, E6 = dt / erp * 2.0;
    assert_true(isnan(erp / dt * E6));
    assert_close(rows[5].u, 2.0, 0.0);
    dls_model_destroy(model);
}

/* The left side above (11) is printed as T . ((Vm + Wm) x (A.P - Fm.P)); T . (Vm + Wm x (A.P - Fm.P)) is the speed of
 * the anchor. */
TEST(test_the_speed_of_the_anchor)
{
    const dls_vec3 T = {0.6, 0, 0.8}, V = {0.9, 0.1, -0.6}, W = {1.3, -0.4, 0.8}, arm = {0.3, -0.7, 0.4};
    const double s = 1e-5;
    const dls_vec3 later = dls_add(dls_scale(s, V), turned(s, W, arm)),
                   earlier = dls_add(dls_scale(-s, V), turned(-s, W, arm));
    const double speed = dls_dot(T, dls_sub(later, earlier)) / (2.0 * s);
    assert_close(dls_dot(T, dls_add(V, dls_cross(W, arm))), speed, 1e-9); /* s^2 / 6 |W|^3 |arm| */
    assert_true(fabs(dls_dot(T, dls_cross(dls_add(V, W), arm)) - speed) > 0.1);
}

/* (6), (7): Rt = n x (wF.P - Ft.P). On a straight track, off which the anchor is, C = d . n, n turning with the body t.
 * The derivative of C along Wt is n x (A.P - Ft.P), and only then do the two impulses have no moment together. */
TEST(test_the_arm_of_the_track)
{
    const dls_vec3 A = {0.9, 0.4, 0.1}, P = {0.7, 0.1, -0.2}, Fm = {0.5, 0.6, 0.8}, Ft = {-0.4, 0.3, 0.2},
                   n = {0, 0.6, 0.8};
    const dls_vec3 Rm = dls_cross(dls_sub(A, Fm), n);
    for (int printed = 0; printed < 2; printed++) {
        const dls_vec3 Rt = dls_cross(n, dls_sub(printed ? P : A, Ft));
        double off = 0.0;
        for (int k = 0; k < 3; k++) {
            const double s = 1e-5;
            double C[2];
            for (int side = 0; side < 2; side++) {
                const double angle = side ? s : -s;
                const dls_vec3 moved = dls_add(Ft, turned(angle, dls_axis3(k), dls_sub(P, Ft)));
                C[side] = dls_dot(dls_sub(A, moved), turned(angle, dls_axis3(k), n));
            }
            off = fmax(off, fabs((C[1] - C[0]) / (2.0 * s) - dls_get3(Rt, k)));
        }
        /* moment of both impulses about the origin, that of n at A on m and of -n on t */
        const dls_vec3 moment = dls_add(dls_add(dls_cross(Fm, n), Rm), dls_sub(Rt, dls_cross(Ft, n)));
        if (printed) {
            assert_true(off > 0.1);
            assert_close(dls_norm(dls_sub(moment, dls_cross(dls_sub(A, P), n))), 0.0, 1e-15);
            assert_true(dls_norm(moment) > 0.1);
        } else {
            assert_below(off, 1e-9); /* s^2 / 6 */
            assert_below(dls_norm(moment), 1e-15);
        }
    }
}

/* (7) holds for a lifted anchor too, E2 < 0: it may fall at erp gap / dt and no faster, so that a force acts before the
 * anchor touches its track. A gap needs erp = 1: then the impulse is 0 unless the gap would be passed in the step. */
TEST(test_support_at_a_distance)
{
    const double gap = 0.05, h = 1e-2, v = -2.0, m = 2.385, erp = 0.2; /* in the step the body falls by 0.02 m */
    for (int printed = 0; printed < 2; printed++) {
        const double least = -(printed ? erp : 1.0) / h * gap, impulse = m * fmax(0.0, least - v);
        assert_true(gap + h * v > 0.0);
        if (printed)
            assert_close(impulse, m, 1e-14); /* 1 m/s of the 2 are taken */
        else
            assert_close(impulse, 0.0, 0.0);
    }
}

/* (3) on a circle of radius R, with the anchor at the distance D outside of it: an error e of s. As printed it becomes
 * e - (R + D) sin(e / R), which is -e D / R to first order, and grows where D > R; with ds / k, k = 1 + D / R, it
 * becomes O(e^3). */
TEST(test_the_advance_of_s)
{
    const double R = 0.8, D = 1.1, k = 1.0 + D / R;
    for (int printed = 0; printed < 2; printed++) {
        double e = 1e-6; /* s - the foot of the anchor */
        const double first = e;
        for (int step = 0; step < 20; step++) {
            const dls_vec3 A = {R + D, 0, 0}, P = {R * cos(e / R), R * sin(e / R), 0}, T = {-sin(e / R), cos(e / R), 0};
            e += dls_dot(dls_sub(A, P), T) / (printed ? 1.0 : k);
            if (step == 0)
                assert_close(e / first, printed ? -D / R : 0.0, 1e-9); /* roundings of R over e */
        }
        if (printed)
            assert_close(fabs(e / first) / pow(D / R, 20), 1.0, 1e-5);
        else
            assert_below(fabs(e), 1e-15); /* roundings of R */
    }
}

/* "J_m, R_m, J_t, R_t: 3xn matrices": J_m V_m has the n entries of (4) only if J_m is n x 3. The library's joint has
 * n = 6 rows, each with three entries for each velocity, and n is the size of J V. */
TEST(test_rows_of_the_jacobian)
{
    dls_row rows[DLS_JOINT_ROWS_MAX];
    dls_end end[2];
    double velocity[DLS_JOINT_ROWS_MAX] = {0.0};
    dls_model *model = parse_model("tracks: [{name: rail, curve: {type: line, length: 3}}]\n"
                                   "bodies: [{name: cart, mass: 2, inertia: [0.5, 0.5, 0.5], position: [1, 0, 0]}]\n"
                                   "joints: [{name: ride, type: track, body1: cart, track: rail, speed: 2}]\n");
    const dls_joint *joint = &dls_model_joints(model)[0];
    ends_of(model, dls_model_initial(model), joint, end);
    joint->type->rows(joint, end, 1e-3, rows);
    const double V[3] = {0.3, -0.4, 0.5};
    size_t n = 0;
    for (size_t i = 0; i < joint->n_rows; i++, n++)
        for (int k = 0; k < 3; k++)
            velocity[i] += rows[i].J1[k] * V[k];
    assert_true(n != 3); /* so that 3 x n cannot stand in front of V */
    assert_close(hypot(hypot(velocity[0], velocity[1]), velocity[5]), sqrt(0.5), 1e-15); /* along N, B and T */
    dls_model_destroy(model);
}
