/* The slowest mode of a sweep, and the rows in which it lives. */
#include "problems.h"

#include "delassus/reference.h"

#include <math.h>
#include <string.h>

static const dls_splitting sweep = {DLS_SPLITTING_FORWARD, 1.0};

/* A row of n equal parts, 2 on the diagonal of A and -1 beside it: with t = pi / (n + 1) Gauss-Seidel has the radius
 * cos(t)^2 and the mode e_i = cos(t)^i sin(i t), since 2 cos(t) sin(i t) = sin((i - 1) t) + sin((i + 1) t). Units of
 * rows, A -> S A S, change no share. */
TEST(test_shares_of_a_chain_in_closed_form)
{
    enum { N = 9 };
    static const double unit[N] = {1.0, 0.37, 24.0, 3.1, 0.011, 1.7, 530.0, 0.83, 2.9};
    for (int scaled = 0; scaled < 2; scaled++) {
        double A[N * N] = {0.0}, b[N] = {0.0}, lambda[N], share[N], expected[N], sum = 0.0;
        const double t = acos(-1.0) / (N + 1);
        for (size_t i = 0; i < N; i++) {
            lambda[i] = 1.0 / (scaled ? unit[i] : 1.0);
            for (size_t j = 0; j < N; j++)
                A[i + N * j] = (i == j                     ? 2.0
                                : i == j + 1 || j == i + 1 ? -1.0
                                                           : 0.0) *
                               (scaled ? unit[i] * unit[j] : 1.0);
            expected[i] = pow(pow(cos(t), (double)(i + 1)) * sin((double)(i + 1) * t), 2);
            sum += expected[i];
        }
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < N; j++)
                b[i] -= A[i + N * j] * lambda[j];
        dls_rate rate;
        dls_error error;
        dls_problem *problem = problem_from_matrix(N, A, b, NULL, NULL);
        assert_status(dls_rate_mode(problem, lambda, sweep, &rate, share, &error), &error);
        assert_close(rate.spectral_radius, cos(t) * cos(t), 1e-13);
        for (size_t i = 0; i < N; i++)
            assert_close(share[i], expected[i] / sum, 1e-12); /* eps over the distance of the eigenvalues */
        dls_problem_destroy(problem);
    }
}

/* Two pairs of rows that do not touch, two rows that are redundant, and one at its bound: the slow pair alone. A sweep
 * makes (-a e_2, a^2 e_2) of its error, so that its mode is (1, -a). */
TEST(test_mode_lives_in_the_slow_rows_alone)
{
    enum { N = 7 };
    const double a = 0.9;
    const double pairs[3] = {0.5, a, 1.0}, bounds[N] = {0.0};
    double A[N * N] = {0.0}, b[N] = {0.0}, share[N], lambda[N] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0};
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < 2; i++) {
            A[2 * k + i + N * (2 * k + i)] = 1.0;
            A[2 * k + i + N * (2 * k + 1 - i)] = pairs[k];
            b[2 * k + i] = -(1.0 + pairs[k]);
        }
    A[N * N - 1] = b[N - 1] = 1.0;
    dls_rate rate;
    dls_error error;
    dls_problem *problem = problem_from_matrix(N, A, b, bounds, NULL);
    assert_status(dls_rate_mode(problem, lambda, sweep, &rate, share, &error), &error);
    assert_int_equal(rate.redundant, 1);
    assert_close(rate.spectral_radius, a * a, 1e-14);
    for (size_t i = 0; i < N; i++)
        assert_close(share[i], i == 2 ? 1.0 / (1.0 + a * a) : i == 3 ? a * a / (1.0 + a * a) : 0.0, 1e-13);
    dls_problem_destroy(problem);
}

/* Where all rows are at a bound there is no mode. */
TEST(test_no_free_row_has_no_mode)
{
    const double A[] = {2.0, 1.0, 1.0, 2.0}, b[] = {3.0, 5.0}, lambda[] = {0.0, 0.0};
    double share[] = {7.0, 7.0};
    dls_rate rate;
    dls_error error;
    dls_problem *problem = problem_from_matrix(2, A, b, NULL, NULL);
    assert_status(dls_rate_mode(problem, lambda, sweep, &rate, share, &error), &error);
    assert_true(share[0] == 0.0 && share[1] == 0.0 && rate.spectral_radius == 0.0);
    dls_problem_destroy(problem);
}
