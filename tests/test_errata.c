/* The sources' slips that concern balls, contacts and friction: the printed form fails, the corrected one holds. */
#include "mechanism.h"

/* --- ode-new-joints (8): hat(a) hat(b) hat(b) hat(a) = -hat(b) hat(a) hat(a) hat(b) is printed as an identity --- */

static dls_mat3 four(dls_mat3 A, dls_mat3 B) { return dls_matmul3(dls_matmul3(A, B), dls_matmul3(B, A)); }

TEST(test_four_hats_are_no_identity)
{
    dls_mat3 A = dls_hat(dls_v3(0.3, -1.1, 0.7)), product = four(A, A);
    double size = 0.0;
    for (int i = 0; i < 9; i++)
        size = fmax(size, fabs(product.m[i])); /* a = b would need product = -product = 0 */
    assert_true(size > 1.0);
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
