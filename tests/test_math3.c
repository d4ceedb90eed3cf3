/* Vectors and rotations against what defines them. */
#include "mechanism.h"

enum { DRAWS = 1000 };
static const double eps = 2.3e-16;

static double distance3(dls_vec3 a, dls_vec3 b) { return dls_norm(dls_sub(a, b)); }

static double matrix_distance(dls_mat3 A, dls_mat3 B)
{
    double worst = 0.0;
    for (int i = 0; i < 9; i++)
        worst = fmax(worst, fabs(A.m[i] - B.m[i]));
    return worst;
}

static dls_mat3 identity(void) { return dls_quat_matrix(dls_quat_identity()); }

TEST(test_hat_is_the_cross_product)
{
    uint64_t seed = 1;
    for (int i = 0; i < DRAWS; i++) {
        dls_vec3 a = draw3(&seed), b = draw3(&seed);
        assert_close(distance3(dls_mul3(dls_hat(a), b), dls_cross(a, b)), 0.0, 0.0);
        assert_close(dls_dot(dls_cross(a, b), a), 0.0, 4 * eps);
        assert_close(distance3(dls_tmul3(dls_hat(a), b), dls_cross(b, a)), 0.0, 0.0);
    }
}

/* |s a| = s |a|, and s a has the direction of a, for powers of two whose squares are no normal numbers, and where
 * 1 / |s a| is none either. */
TEST(test_lengths_of_any_size)
{
    uint64_t seed = 9;
    for (int i = 0; i < DRAWS; i++) {
        const dls_vec3 a = draw3(&seed), flat = i % 2 ? a : dls_v3(a.x, 0, 0);
        for (int power = -1000; power <= 1000; power += 25) {
            const double s = ldexp(1.0, power);
            assert_close(dls_norm(dls_scale(s, flat)) / s, dls_norm(flat), 4 * eps);
            assert_close(distance3(dls_unit(dls_scale(s, flat)), dls_unit(flat)), 0.0, 4 * eps);
        }
    }
    for (int i = 0; i < 3; i++) {
        assert_close(distance3(dls_unit(dls_scale(4.94e-324, dls_axis3(i))), dls_axis3(i)), 0.0, 0.0);
        assert_close(distance3(dls_unit(dls_scale(-1.79e308, dls_axis3(i))), dls_neg(dls_axis3(i))), 0.0, eps);
    }
    assert_close(dls_norm(dls_unit(dls_v3(1.7e308, 1.7e308, 1.7e308))), 1.0, 4 * eps);
    assert_close(dls_norm(dls_unit(dls_v3(5e-324, 5e-324, 5e-324))), 1.0, 4 * eps);
    assert_close(dls_norm(dls_v3(0, 0, 0)), 0.0, 0.0);
    assert_close(dls_norm(dls_unit(dls_v3(0, -0.0, 0))), 0.0, 0.0);
    assert_true(isnan(dls_norm(dls_v3(1, NAN, 2))) && isinf(dls_norm(dls_v3(1, -HUGE_VAL, 2))));
}

TEST(test_exponential_is_the_series)
{
    uint64_t seed = 2;
    for (int i = 0; i < DRAWS; i++) {
        dls_vec3 phi = dls_scale(i % 3 ? 2.0 : 1e-6, draw3(&seed));
        dls_mat3 H = dls_hat(phi), term = identity(), sum = term;
        for (int k = 1; k < 40; k++) { /* (2 sqrt 3)^40 / 40! < 1e-25 */
            term = dls_matmul3(term, H);
            for (int j = 0; j < 9; j++) {
                term.m[j] /= k;
                sum.m[j] += term.m[j];
            }
        }
        assert_close(matrix_distance(dls_quat_matrix(dls_quat_exp(phi)), sum), 0.0,
                     100 * eps); /* terms of up to 3.5^3/3! cancel */
    }
}

TEST(test_logarithm_inverts_the_exponential)
{
    static const double angles[] = {0.0, 1e-300, 1e-12, 1e-8, 1e-4, 0.7, 2.0, 3.0, DLS_PI - 1e-6, DLS_PI - 1e-12};
    uint64_t seed = 3;
    for (int i = 0; i < DRAWS; i++) {
        dls_vec3 phi = dls_scale(angles[i % 10], dls_unit(draw3(&seed)));
        dls_quat q = dls_quat_exp(phi), minus = {-q.w, -q.x, -q.y, -q.z};
        assert_close(distance3(dls_quat_log(q), phi), 0.0, 4 * eps * fmax(angles[i % 10], 1e-300));
        assert_close(distance3(dls_quat_log(minus), phi), 0.0,
                     4 * eps * fmax(angles[i % 10], 1e-300)); /* the same rotation */
    }
    assert_close(dls_norm(dls_quat_log((dls_quat){0, 0.6, 0, -0.8})), DLS_PI, eps);
}

/* phi' = B omega, by central differences of log(exp(s omega) exp(phi)). */
TEST(test_rotation_rate_is_the_derivative_of_the_rotation_vector)
{
    static const double angles[] = {0.0, 1e-9, 0.99e-4, 1.01e-4, 0.01, 1.0, 2.5, 3.1};
    const double s = 1e-3;
    uint64_t seed = 4;
    for (int i = 0; i < DRAWS; i++) {
        dls_vec3 phi = dls_scale(angles[i % 8], dls_unit(draw3(&seed))), omega = draw3(&seed), at[4];
        for (int k = 0; k < 4; k++) {
            static const double steps[] = {-2, -1, 1, 2};
            at[k] = dls_quat_log(dls_quat_mul(dls_quat_exp(dls_scale(s * steps[k], omega)), dls_quat_exp(phi)));
        }
        dls_vec3 inner = dls_scale(8.0, dls_sub(at[2], at[1])), outer = dls_sub(at[3], at[0]);
        dls_vec3 rate = dls_scale(1.0 / (12.0 * s), dls_sub(inner, outer));
        dls_mat3 B = dls_rotation_rate(phi), T = dls_rotation_rate(dls_neg(phi));
        assert_close(distance3(dls_mul3(B, omega), rate), 0.0, 1e-11); /* s^4 and eps/s */
        assert_close(distance3(dls_mul3(B, phi), phi), 0.0, 8 * eps);  /* turning about itself */
        assert_close(distance3(dls_tmul3(B, omega), dls_mul3(T, omega)), 0.0, 8 * eps);
    }
}

TEST(test_quaternions_multiply_as_matrices)
{
    uint64_t seed = 5;
    for (int i = 0; i < DRAWS; i++) {
        dls_quat a = draw_rotation(&seed), b = draw_rotation(&seed);
        dls_mat3 A = dls_quat_matrix(a), B = dls_quat_matrix(b);
        dls_vec3 v = draw3(&seed);
        assert_close(matrix_distance(dls_quat_matrix(dls_quat_mul(a, b)), dls_matmul3(A, B)), 0.0, 16 * eps);
        assert_close(distance3(dls_quat_rotate(a, v), dls_mul3(A, v)), 0.0, 16 * eps);
        assert_close(distance3(dls_quat_rotate(dls_quat_conj(a), v), dls_tmul3(A, v)), 0.0, 16 * eps);
        assert_close(matrix_distance(dls_rotate_tensor(A, identity()), identity()), 0.0, 16 * eps);
        assert_close(dls_det3(A), 1.0, 16 * eps);
    }
}

/* R A R^T of any A: of a symmetric one exactly symmetric, also where only some of its pairs are unlike. */
TEST(test_tensors_turn)
{
    uint64_t seed = 9;
    for (int i = 0; i < DRAWS; i++) {
        static const int upper[] = {1, 2, 5}, lower[] = {3, 6, 7};
        dls_mat3 A, R = dls_quat_matrix(draw_rotation(&seed)), Rt;
        for (int k = 0; k < 9; k++)
            A.m[k] = draw(&seed);
        for (int k = 0; k < 3; k++)
            if (i >> k & 1) /* every choice of pairs that are alike */
                A.m[lower[k]] = A.m[upper[k]];
        for (int k = 0; k < 9; k++)
            Rt.m[k] = R.m[3 * (k % 3) + k / 3];
        const dls_mat3 T = dls_rotate_tensor(R, A);
        assert_close(matrix_distance(T, dls_matmul3(dls_matmul3(R, A), Rt)), 0.0, 32 * eps);
        for (int k = 0; k < 3 && i % 8 == 7; k++)
            assert_close(T.m[lower[k]], T.m[upper[k]], 0.0);
    }
}

TEST(test_inverse)
{
    uint64_t seed = 6;
    for (int i = 0; i < DRAWS; i++) {
        dls_mat3 A;
        for (int k = 0; k < 9; k++)
            A.m[k] = draw(&seed) + (k % 4 ? 0.0 : 3.0); /* diagonally dominant: condition below 10 */
        assert_close(matrix_distance(dls_matmul3(A, dls_inverse3(A)), identity()), 0.0, 50 * eps);
    }
}

TEST(test_between_turns_one_onto_the_other)
{
    uint64_t seed = 7;
    for (int i = 0; i < DRAWS; i++) {
        dls_vec3 a = dls_unit(draw3(&seed)), b = i % 3 ? dls_unit(draw3(&seed)) : i % 2 ? a : dls_neg(a);
        dls_quat q = dls_quat_between(a, b);
        assert_close(distance3(dls_quat_rotate(q, a), b), 0.0, 1e-13);
        assert_close(dls_dot(dls_quat_log(q), a), 0.0, 1e-13);
    }
    /* Almost opposite, on both sides of the switch to an exact half turn. */
    for (double angle = 1e-9; angle < 1e-5; angle *= 2.0) {
        dls_vec3 b = dls_v3(sin(angle), 0, -cos(angle));
        assert_close(distance3(dls_quat_rotate(dls_quat_between(dls_axis3(2), b), dls_axis3(2)), b), 0.0, 2e-7);
    }
}

TEST(test_tangents_are_a_right_handed_frame)
{
    uint64_t seed = 8;
    for (int i = 0; i < DRAWS; i++) {
        dls_vec3 n = dls_unit(draw3(&seed)), u1, u2;
        if (i < 6)
            n = dls_scale(i % 2 ? 1.0 : -1.0, dls_axis3(i / 2));
        dls_tangents(n, &u1, &u2);
        assert_close(distance3(dls_cross(u1, u2), n), 0.0, 8 * eps);
        assert_close(dls_norm(u1), 1.0, 8 * eps);
        assert_close(dls_dot(u1, n), 0.0, 8 * eps);
    }
}

TEST(test_matrix_back_to_quaternion)
{
    uint64_t seed = 8;
    for (int i = 0; i < DRAWS; i++) {
        dls_quat q = draw_rotation(&seed);
        if (i < 8) /* half turns, and none: all but one of the components are 0 or of rounding size */
            q = dls_quat_unit((dls_quat){i % 4 == 0, i % 4 == 1, i % 4 == 2, i % 4 == 3});
        if (i >= 4 && i < 8)
            q = dls_quat_mul(q, dls_quat_exp(dls_scale(1e-9, draw3(&seed))));
        dls_quat back = dls_matrix_quat(dls_quat_matrix(q));
        double cosine = q.w * back.w + q.x * back.x + q.y * back.y + q.z * back.z;
        assert_close(matrix_distance(dls_quat_matrix(back), dls_quat_matrix(q)), 0.0, 8 * eps);
        assert_close(fabs(cosine), 1.0, 4 * eps);
    }
}
