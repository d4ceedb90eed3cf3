/* Errata of ode-new-joints, temporal-coherence and mimic-joints (doc/errata.md): the printed form fails, the mended one
 * holds. Those of track-joint: test_errata_track.c; of physx-articulations: test_articulation_motion.c. */
#include "mechanism.h"

/* --- ode-new-joints (8): hat(a) hat(b) hat(b) hat(a) = -hat(b) hat(a) hat(a) hat(b) is printed as an identity --- */

static dls_mat3 four(dls_mat3 A, dls_mat3 B) { return dls_matmul3(dls_matmul3(A, B), dls_matmul3(B, A)); }

static double trace(dls_mat3 A) { return A.m[0] + A.m[4] + A.m[8]; }

/* By (7) the left side is (hat(b) hat(a))^T hat(b) hat(a), and the right one without its sign likewise: both are
 * positive semidefinite, and have the same trace. */
TEST(test_four_hats_are_no_identity)
{
    const dls_mat3 A = dls_hat(dls_v3(0.3, -1.1, 0.7)), B = dls_hat(dls_v3(-0.8, 0.4, 1.3)), product = four(A, A);
    double size = 0.0;
    for (int i = 0; i < 9; i++)
        size = fmax(size, fabs(product.m[i])); /* a = b would need product = -product = 0 */
    assert_true(size > 1.0);
    assert_true(trace(four(A, B)) > 1.0);
    assert_close(trace(four(A, B)), trace(four(B, A)), 1e-14);
}

/* --- ode-new-joints (9), (10): hat(A b) = A hat(b) A^T and A b x A c = A (b x c) if A^T A = 1 --- */

/* Largest entry of hat(A b) - sign A hat(b) A^T, and of A b x A c - sign A (b x c). */
static double turned_differently(dls_mat3 A, double sign)
{
    const dls_vec3 b = {1, 2, 3}, c = {-0.7, 1.1, 0.4}, Ab = dls_mul3(A, b);
    const dls_mat3 hat = dls_hat(Ab), turned = dls_rotate_tensor(A, dls_hat(b));
    double worst = dls_norm(dls_sub(dls_cross(Ab, dls_mul3(A, c)), dls_scale(sign, dls_mul3(A, dls_cross(b, c)))));
    for (int i = 0; i < 9; i++)
        worst = fmax(worst, fabs(hat.m[i] - sign * turned.m[i]));
    return worst;
}

TEST(test_reflections_turn_cross_products_over)
{
    const dls_mat3 mirror = {{1, 0, 0, 0, 1, 0, 0, 0, -1}}; /* A^T A = 1, det A = -1 */
    const dls_mat3 R = dls_quat_matrix(dls_quat_exp(dls_v3(0.3, -1.1, 0.7)));
    assert_close(dls_det3(mirror), -1.0, 0.0);
    assert_true(turned_differently(mirror, 1.0) >= 6.0); /* 2 b_3 */
    assert_below(turned_differently(mirror, dls_det3(mirror)), 1e-15);
    assert_below(turned_differently(R, 1.0), 1e-14);
}

/* --- a body and one row of a ball joint: its centre at x on an axis, held to the origin --- */

typedef struct bead {
    double x, v, mass;
} bead;

static dls_row row_of(const bead *b, double erp, double cfm)
{
    dls_joint joint = {.type = dls_joint_type_find("ball"),
                       .common = {.erp = erp, .cfm = cfm, .force_lo = -HUGE_VAL, .force_hi = HUGE_VAL}};
    for (int i = 0; i < 2; i++)
        joint.frame[i].q = dls_quat_identity();
    const dls_mat3 one = dls_quat_matrix(dls_quat_identity());
    const dls_end end[2] = {{.x = {b->x, 0, 0}, .q = dls_quat_identity(), .R = one, .v = {b->v, 0, 0}},
                            {.q = dls_quat_identity(), .R = one}};
    dls_row rows[3];
    joint.type->rows(&joint, end, 1.0, rows);
    return rows[0];
}

/* A step with J v+ = s_c (ERP/h) C + s_gamma (CFM/h) lambda; conventions: s_c = s_gamma = -1. */
static void advance(bead *b, double erp, double cfm, double h, double s_c, double s_gamma)
{
    dls_row row = row_of(b, erp, cfm);
    double J = row.J1[0], A = J * J / b->mass - s_gamma * row.cfm / h, c = s_c * row.erp / h * row.C;
    double lambda = (c - J * b->v) / A;
    b->v += J * lambda / b->mass;
    b->x += h * b->v;
}

/* (41), (43), (54) print c = +(ERP/s) C. */
TEST(test_the_sign_of_the_correction)
{
    bead printed = {1.0, 0.0, 2.385}, correct = printed;
    for (int i = 0; i < 200; i++) {
        advance(&printed, 0.2, 0.0, 1e-2, 1.0, -1.0);
        advance(&correct, 0.2, 0.0, 1e-2, -1.0, -1.0);
    }
    assert_close(printed.x / pow(1.2, 200), 1.0, 1e-12); /* 7e15 m */
    assert_below(fabs(correct.x), 1e-15);
}

/* (24) prints J v = c + C lambda with lambda acting on the bodies: the spring of (55), (56) then diverges. */
TEST(test_the_sign_of_the_compliance)
{
    const double kp = 170.0, kd = 3.5, h = 1e-2, m = 2.385, erp = h * kp / (h * kp + kd), cfm = 1.0 / (h * kp + kd);
    bead printed = {0.4, 0.0, m}, correct = printed;
    double x = 0.4, v = 0.0;
    for (int i = 0; i < 200; i++) {
        advance(&printed, erp, cfm, h, -1.0, 1.0);
        advance(&correct, erp, cfm, h, -1.0, -1.0);
        v = (v - h * kp / m * x) / (1.0 + h * kd / m + h * h * kp / m); /* implicit Euler of f = -kp x - kd v */
        x += h * v;
        assert_close(correct.x, x, 1e-14); /* 200 steps of a few roundings of 0.4 */
    }
    assert_true(!(fabs(printed.x) < 1e3));
}

/* ode-new-joints 6.3: with C > 0 "the bodies will interpenetrate". A body that is pressed onto a contact with the force
 * of its weight has J v+ = CFM m g h / (CFM + h / m) > 0 by (24) as printed: it is lifted. */
TEST(test_a_pressed_contact_yields)
{
    const double m = 2.385, g = 9.81, h = 1e-2, cfm = 1e-4;
    for (int printed = 0; printed < 2; printed++) {
        bead b = {0.0, -h * g, m};
        advance(&b, 0.0, cfm, h, -1.0, printed ? 1.0 : -1.0);
        const double lambda = m * (b.v + h * g); /* impulse that the contact has given */
        assert_true(lambda > 0.0);
        assert_true(printed ? b.v > 0.0 : b.v < 0.0);
        assert_close(fabs(b.v), cfm / h * lambda, 1e-16);
    }
}

/* ode-new-joints 5.4: J1 v1 + Omega1 omega1 is the velocity of the socket, and "similarly J2 v2 + Omega2 omega2 is the
 * velocity of the ball". It is minus that velocity, or both would have to vanish where c = 0. */
TEST(test_the_second_block_is_minus_the_velocity_of_the_ball)
{
    uint64_t seed = 5;
    dls_joint joint = {.type = dls_joint_type_find("ball"), .common = {.force_lo = -HUGE_VAL, .force_hi = HUGE_VAL}};
    dls_end end[2];
    dls_row rows[3];
    for (int i = 0; i < 2; i++) {
        const dls_quat q = draw_rotation(&seed);
        end[i] =
            (dls_end){.x = draw3(&seed), .q = q, .R = dls_quat_matrix(q), .v = draw3(&seed), .omega = draw3(&seed)};
        joint.frame[i] = (dls_frame){draw3(&seed), dls_quat_identity()};
    }
    joint.type->rows(&joint, end, 1e-3, rows);
    const dls_vec3 arm = dls_end_arm(&end[1], &joint.frame[1]);
    const double s = 1e-5;
    for (int k = 0; k < 3; k++) {
        const dls_vec3 v = end[1].v, w = end[1].omega;
        const double *J = rows[k].J2,
                     block = J[0] * v.x + J[1] * v.y + J[2] * v.z + J[3] * w.x + J[4] * w.y + J[5] * w.z;
        dls_vec3 at[2];
        for (int side = 0; side < 2; side++) { /* where the ball is a little later and earlier */
            const double t = side ? s : -s;
            at[side] = dls_add(dls_scale(t, v), dls_quat_rotate(dls_quat_exp(dls_scale(t, w)), arm));
        }
        const double velocity = dls_get3(dls_sub(at[1], at[0]), k) / (2.0 * s);
        assert_close(block, -velocity, 1e-9); /* s^2 / 6 |omega|^3 |arm| */
        assert_true(fabs(block - velocity) > 0.1);
    }
}

/* ode-new-joints 6.2 defines a1 and a2 as the offsets to the one contact point; then (54) has no error to reduce. With
 * the point of each body that is deepest in the other one it is minus the depth. */
TEST(test_one_contact_point_has_no_depth)
{
    const dls_vec3 n = {0, 0.6, 0.8}, p1 = {0.3, 0.2, 0.9}, p2 = {0.1, -0.4, -0.2}, point = {0.2, 0.1, 0.3};
    const double depth = 0.02;
    const dls_vec3 deepest[2] = {dls_sub(point, dls_scale(0.5 * depth, n)), dls_add(point, dls_scale(0.5 * depth, n))};
    for (int printed = 0; printed < 2; printed++) {
        const dls_vec3 a1 = dls_sub(printed ? point : deepest[0], p1), a2 = dls_sub(printed ? point : deepest[1], p2);
        const double error = dls_dot(n, dls_sub(dls_add(p1, a1), dls_add(p2, a2)));
        assert_close(error, printed ? 0.0 : -depth, 1e-16);
    }
}

/* temporal-coherence, Time Stepping, prints eta = zeta/dt - J (V/dt - M^-1 F) for J M^-1 J^T lambda = eta. */
TEST(test_the_sign_of_the_force_in_eta)
{
    const double h = 1e-2, g = 9.81, m = 2.385;
    for (int printed = 0; printed < 2; printed++) {
        bead b = {0.0, 0.0, m};
        double J = row_of(&b, 0.2, 0.0).J1[0], F = -m * g, sign = printed ? -1.0 : 1.0;
        double force = -J * (b.v / h + sign * F / m) / (J * J / m);
        b.v += h * (F + J * force) / m;
        assert_close(b.v, printed ? -2.0 * g * h : 0.0, 1e-16); /* a held body keeps 2 g h of speed */
    }
}

/* --- temporal-coherence, Normal Constraint: the last block is printed -(r2 x d)^T, d the distance of the two points
 * --- */

TEST(test_the_last_block_of_a_contact)
{
    uint64_t seed = 9;
    dls_scene *scene = new_scene();
    dls_body_def one = new_box("one", 2.385, dls_v3(0.3, 0.5, 0.7), draw3(&seed)),
                 two = new_box("two", 0.613, dls_v3(0.2, 0.9, 0.4), draw3(&seed));
    add_body(scene, &one);
    add_body(scene, &two);
    add_joint(scene, "contact", "contact", "one", "two",
              KEYS("point", "[0.3, -0.7, 1.1]", "normal", "[0.3, -0.5, 1.7]", "gap", "-0.02"));
    dls_model *model = finish(scene);
    const dls_joint *joint = &dls_model_joints(model)[0];
    const dls_end end[2] = {end_of(model, dls_model_initial(model), 0), end_of(model, dls_model_initial(model), 1)};
    dls_row row;
    joint->type->rows(joint, end, 1e-3, &row);
    dls_vec3 r2 = dls_end_arm(&end[1], &joint->frame[1]);
    dls_vec3 d = dls_sub(dls_end_anchor(&end[0], &joint->frame[0]), dls_end_anchor(&end[1], &joint->frame[1]));
    dls_vec3 printed = dls_neg(dls_cross(r2, d));
    const double s = 1e-4;
    for (int k = 0; k < 3; k++) { /* turn body 2 about the axis k */
        double C[2];
        for (int side = 0; side < 2; side++) {
            dls_end moved[2] = {end[0], end[1]};
            moved[1].q = dls_quat_mul(dls_quat_exp(dls_scale(side ? s : -s, dls_axis3(k))), end[1].q);
            moved[1].R = dls_quat_matrix(moved[1].q);
            joint->type->position(joint, moved, &C[side]);
        }
        double rate = (C[1] - C[0]) / (2.0 * s);
        assert_close(row.J2[3 + k], rate, 1e-8);                           /* s^2/6 |r2| */
        assert_true(fabs(dls_get3(printed, k) - rate) > 0.1 * fabs(rate)); /* metres where the row has none */
    }
    dls_model_destroy(model);
}

/* --- temporal-coherence, Friction Constraint: the row of u2 is printed with -(r2 x u2)^T for body 1 --- */

TEST(test_the_arm_of_the_second_tangent)
{
    const dls_vec3 r1 = {0.3, -0.7, 0.4}, r2 = {-0.5, 0.2, 1.1}, v1 = {0.9, 0.1, -0.6}, w1 = {1.3, -0.4, 0.8};
    const dls_vec3 v2 = {-0.2, 0.7, 0.5}, w2 = {0.6, 0.9, -1.2};
    dls_vec3 u1, u2;
    dls_tangents(dls_unit(dls_v3(0.3, -0.5, 1.7)), &u1, &u2);
    /* the source's own definition of the rate, (v2 + omega2 x r2 - v1 - omega1 x r1) . u2 */
    const double rate = dls_dot(dls_sub(dls_add(v2, dls_cross(w2, r2)), dls_add(v1, dls_cross(w1, r1))), u2);
    const double rest = dls_dot(u2, dls_sub(v2, v1)) + dls_dot(dls_cross(r2, u2), w2);
    assert_close(rest - dls_dot(dls_cross(r1, u2), w1), rate, 1e-15);
    assert_true(fabs(rest - dls_dot(dls_cross(r2, u2), w1) - rate) > 0.1);
}

/* --- temporal-coherence, Gauss-Seidel and Projected Gauss-Seidel: all entries are printed as updated at once --- */

enum { SIX = 6, SWEEPS = 200 };

/* A = 0.3 + 0.7 1: definite, and every pair of rows coupled, so that the iteration matrix of Jacobi's method has the
 * eigenvalue -5 . 0.3. */
static double coupled_entry(int i, int k) { return i == k ? 1.0 : 0.3; }
static const double coupled_b[SIX] = {0.9, 1.1, 1.0, 1.3, 0.8, -0.4}; /* with x >= 0 the last entry is 0 */

static double residual_of(const double *x, int i)
{
    double sum = coupled_b[i];
    for (int k = 0; k < SIX; k++)
        sum -= coupled_entry(i, k) * x[k];
    return sum;
}

/* x += (b - A x) / diag(A) within lo <= x, all at once as printed, or each entry with the newest values of the others;
 * the largest |x|. */
static double sweep_many(double *x, double lo, bool printed)
{
    double largest = 0.0;
    for (int i = 0; i < SIX; i++)
        x[i] = 0.0;
    for (int j = 0; j < SWEEPS; j++) {
        double old[SIX];
        memcpy(old, x, sizeof old);
        for (int i = 0; i < SIX; i++)
            x[i] = fmax(lo, x[i] + residual_of(printed ? old : x, i) / coupled_entry(i, i));
    }
    for (int i = 0; i < SIX; i++)
        largest = fmax(largest, fabs(x[i]));
    return largest;
}

TEST(test_gauss_seidel_as_printed_is_jacobi)
{
    double x[SIX], sum = 0.0;
    assert_true(sweep_many(x, -HUGE_VAL, true) > pow(1.4, SWEEPS));
    sweep_many(x, -HUGE_VAL, false);
    for (int i = 0; i < SIX; i++)
        sum += coupled_b[i] / (1.0 + 5.0 * 0.3);
    for (int i = 0; i < SIX; i++) /* A = 0.7 1 + 0.3 e e^T, and e . x = e . b / (0.7 + 6 . 0.3) */
        assert_close(x[i], (coupled_b[i] - 0.3 * sum) / 0.7, 1e-14);
}

/* lambda >= 0, J B lambda = eta: complementarity of lambda and of J B lambda - eta. With five rows between their bounds
 * the eigenvalue of the printed form is -4 . 0.3. */
TEST(test_projected_gauss_seidel_as_printed)
{
    for (int printed = 0; printed < 2; printed++) {
        double x[SIX], worst = 0.0;
        sweep_many(x, 0.0, printed);
        for (int i = 0; i < SIX; i++)
            worst = fmax(worst, fabs(fmin(x[i], -residual_of(x, i))));
        if (printed)
            assert_true(worst > 0.1);
        else
            assert_below(worst, 1e-14);
    }
}

/* --- mimic-joints, proof under (11): the constraint force "performs no work" --- */

/* Two coupled degrees of freedom with speeds that violate the constraint J = {1, G}, C = 0, and the impulse of (12).
 * The impulse I = M (v(t) - v(t - dt)) does the work I . (v(t) + v(t - dt)) / 2, the change of the kinetic energy: here
 * -1/2 dv . M dv. The printed expression dt F . (v(t) - v(t - dt)) is neither that work nor 0: it is dv . M dv. */
TEST(test_a_mimic_joint_performs_work)
{
    const double G = -0.6, J[2] = {1, G}, r[2][2] = {{0.8, 0.3}, {0.3, 1.7}}, det = 0.8 * 1.7 - 0.3 * 0.3;
    const double M[2][2] = {{1.7 / det, -0.3 / det}, {-0.3 / det, 0.8 / det}};
    for (int consistent = 0; consistent < 2; consistent++) {
        const double v0[2] = {consistent ? 0.6 : 1.4, 1.0};
        double denominator = 0.0, v1[2], energy[2] = {0.0, 0.0}, square = 0.0, printed = 0.0;
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 2; k++)
                denominator += J[i] * r[i][k] * J[k];
        const double impulse = -(J[0] * v0[0] + J[1] * v0[1]) / denominator; /* dt f */
        for (int i = 0; i < 2; i++) {
            v1[i] = v0[i] + impulse * (r[i][0] * J[0] + r[i][1] * J[1]);
            printed += impulse * J[i] * (v1[i] - v0[i]);
        }
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 2; k++) {
                energy[0] += 0.5 * v0[i] * M[i][k] * v0[k];
                energy[1] += 0.5 * v1[i] * M[i][k] * v1[k];
                square += (v1[i] - v0[i]) * M[i][k] * (v1[k] - v0[k]);
            }
        assert_close(v1[0] + G * v1[1], 0.0, 1e-15);
        assert_close(energy[1] - energy[0], -0.5 * square, 1e-15);
        assert_close(printed, square, 1e-15);
        if (consistent)
            assert_close(square, 0.0, 1e-15);
        else
            assert_true(square > 0.1);
    }
}
