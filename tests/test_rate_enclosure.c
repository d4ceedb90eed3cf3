/* Predicted rates with proof: closed forms, evaluated in balls of 300 bits, lie within; what is close to defective or
 * redundant too. */
#include "mechanisms.h"

#include "delassus/reference.h"

#include "exact/rational.h"

#ifdef DLS_FLINT_HAS_ARB
#include <flint/arb.h>
#else
#include <arb.h>
#endif

enum { ROWS_MAX = 12, BITS = 300 };

static dls_rate_bounds enclosed(const dls_problem *p, const double *lambda, dls_splitting_kind kind, double omega)
{
    dls_rate_bounds bounds;
    dls_error error;
    assert_status(dls_rate_enclose(p, lambda, (dls_splitting){kind, omega}, &bounds, &error), &error);
    assert_true(bounds.least <= bounds.most);
    return bounds;
}

/* The number in the ball x lies between the bounds, and these are no further apart than `width` of it. */
static void assert_holds(dls_rate_bounds bounds, const arb_t x, double width)
{
    arb_t end;
    arb_init(end);
    arb_set_d(end, bounds.least);
    assert_false(arb_gt(end, x));
    arb_set_d(end, bounds.most);
    assert_false(arb_lt(end, x));
    assert_below(bounds.most - bounds.least, width * bounds.most);
    arb_clear(end);
}

static dls_problem *matrix_problem(size_t n, const double *A, double *lambda)
{
    const double b[ROWS_MAX] = {0};
    dls_problem *p;
    dls_error error;
    for (size_t i = 0; i < n; i++)
        lambda[i] = 1.0;
    assert_status(dls_problem_from_matrix(n, A, b, NULL, NULL, &p, &error), &error);
    return p;
}

/* Two rows [1 a; a 1]: Jacobi |a|, Gauss-Seidel a^2, symmetric a^2, and of SOR the larger root of
 *     mu^2 - (omega^2 a^2 - 2 (omega - 1)) mu + (omega - 1)^2 = 0,
 * in modulus; near the best omega, 2 / (1 + sqrt(1 - a^2)), the roots are nearly equal and the matrix nearly defective.
 */
static void test_two_rows(void **unused)
{
    (void)unused;
    const double couplings[] = {0.7, -0.385, 0.9999999, 1e-9};
    arb_t x, y, disc;
    arb_init(x), arb_init(y), arb_init(disc);
    for (size_t k = 0; k < 4; k++) {
        const double a = couplings[k], A[] = {1, a, a, 1}, best = 2.0 / (1.0 + sqrt(1.0 - a * a));
        double lambda[2];
        dls_problem *p = matrix_problem(2, A, lambda);
        arb_set_d(x, a);
        arb_abs(x, x);
        assert_holds(enclosed(p, lambda, DLS_SPLITTING_JACOBI, 1.0), x, 1e-14);
        arb_sqr(x, x, BITS);
        assert_holds(enclosed(p, lambda, DLS_SPLITTING_FORWARD, 1.0), x, 1e-14);
        assert_holds(enclosed(p, lambda, DLS_SPLITTING_SYMMETRIC, 1.0), x, 1e-14);
        for (int j = 0; j < 9; j++) {
            const double omegas[] = {0.5,         0.9, best, nextafter(best, 2.0), nextafter(best, 0.0), best + 1e-9,
                                     best - 1e-9, 1.5, 1.95};
            const double omega = omegas[j];
            /* half = omega^2 a^2 / 2 - (omega - 1), disc = half^2 - (omega - 1)^2 */
            arb_set_d(y, omega);
            arb_sqr(y, y, BITS);
            arb_mul(y, y, x, BITS);
            arb_mul_2exp_si(y, y, -1);
            arb_set_d(disc, omega);
            arb_sub_si(disc, disc, 1, BITS);
            arb_t relax, root;
            arb_init(relax), arb_init(root);
            arb_set(relax, disc);
            arb_sub(y, y, relax, BITS);
            arb_sqr(disc, y, BITS);
            arb_submul(disc, relax, relax, BITS);
            if (arb_is_positive(disc)) {
                arb_sqrt(root, disc, BITS);
                arb_abs(y, y);
                arb_add(y, y, root, BITS);
            } else {
                assert_true(arb_is_negative(disc));
                arb_abs(y, relax);
            }
            assert_holds(enclosed(p, lambda, DLS_SPLITTING_FORWARD, omega), y, 1e-13);
            arb_clear(relax), arb_clear(root);
        }
        dls_problem_destroy(p);
    }
    arb_clear(x), arb_clear(y), arb_clear(disc);
}

/* A row of masses between springs, (-1, 2, -1): Jacobi cos(pi / (n + 1)), Gauss-Seidel its square. Half of the
 * eigenvalues of Gauss-Seidel are 0, and defective. */
static void test_rows_of_masses(void **unused)
{
    (void)unused;
    arb_t x;
    arb_init(x);
    for (size_t n = 1; n <= ROWS_MAX; n++) {
        double A[ROWS_MAX * ROWS_MAX] = {0}, lambda[ROWS_MAX];
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                A[i + n * j] = i == j ? 2.0 : i + 1 == j || j + 1 == i ? -1.0 : 0.0;
        dls_problem *p = matrix_problem(n, A, lambda);
        arb_const_pi(x, BITS);
        arb_div_ui(x, x, n + 1, BITS);
        arb_cos(x, x, BITS);
        if (n > 1) {
            assert_holds(enclosed(p, lambda, DLS_SPLITTING_JACOBI, 1.0), x, 1e-14);
            arb_sqr(x, x, BITS);
            assert_holds(enclosed(p, lambda, DLS_SPLITTING_FORWARD, 1.0), x, 1e-14);
        } else {
            assert_below(enclosed(p, lambda, DLS_SPLITTING_JACOBI, 1.0).most, 1e-70);
        }
        dls_problem_destroy(p);
    }
    arb_clear(x);
}

/* Redundant rows leave exactly so many eigenvalues 1 out; rows that are redundant to rounding leave one near 1 in, and
 * that is what is said. */
static void test_redundant_rows(void **unused)
{
    (void)unused;
    const double twice[] = {2, 2, 0, 2, 2, 0, 0, 0, 1}, nearly[] = {2, 2, 2, 2.0 + 4.0 * DBL_EPSILON};
    double lambda[3];
    dls_problem *p = matrix_problem(3, twice, lambda);
    dls_rate_bounds bounds = enclosed(p, lambda, DLS_SPLITTING_FORWARD, 1.0);
    assert_int_equal(bounds.redundant, 1);
    assert_below(bounds.most, 1e-70);
    dls_problem_destroy(p);
    p = matrix_problem(2, nearly, lambda);
    bounds = enclosed(p, lambda, DLS_SPLITTING_FORWARD, 1.0);
    assert_int_equal(bounds.redundant, 0);
    assert_true(bounds.least > 1.0 - 1e-14 && bounds.most < 1.0);
    dls_problem_destroy(p);
}

/* Sweeps that diverge, and nothing to sweep over. */
static void test_limits(void **unused)
{
    (void)unused;
    const double A[] = {1, 2, 2, 1}, at[2] = {0};
    double lambda[2];
    dls_rate_bounds bounds;
    dls_error error;
    dls_problem *p = matrix_problem(2, A, lambda);
    assert_true(enclosed(p, lambda, DLS_SPLITTING_FORWARD, 1.0).least > 3.999);
    bounds = enclosed(p, at, DLS_SPLITTING_FORWARD, 1.0);
    assert_true(bounds.free_rows == 0 && bounds.least == 0.0 && bounds.most == 0.0);
    assert_int_equal(dls_rate_enclose(p, lambda, (dls_splitting){DLS_SPLITTING_NONE, 1.0}, &bounds, &error),
                     DLS_REFUSED);
    assert_int_equal(dls_rate_enclose(p, lambda, (dls_splitting){DLS_SPLITTING_FORWARD, 0.0}, &bounds, &error),
                     DLS_BAD_ARGUMENT);
    dls_problem_destroy(p);
}

/* Chains: what is predicted in plain doubles lies within, to its own rounding. */
static void test_chains(void **unused)
{
    (void)unused;
    const double ratios[] = {1.0, 100.0};
    for (size_t k = 0; k < 2; k++) {
        dls_model *model = make_chain(5, ratios[k]);
        double lambda[15] = {0};
        dls_problem *p;
        dls_rate rate;
        dls_error error;
        assert_status(dls_problem_create(model, dls_model_initial(model), NULL, 0.01, &p, &error), &error);
        for (int kind = DLS_SPLITTING_FORWARD; kind <= DLS_SPLITTING_SYMMETRIC; kind++) {
            const dls_splitting splitting = {(dls_splitting_kind)kind, 1.2};
            assert_status(dls_rate_predict(p, lambda, NULL, splitting, &rate, &error), &error);
            dls_rate_bounds bounds = enclosed(p, lambda, splitting.kind, splitting.omega);
            assert_int_equal(bounds.free_rows, rate.free_rows);
            assert_below(fabs(rate.spectral_radius - bounds.least), 1e-9);
            assert_below(bounds.most - bounds.least, 1e-13);
        }
        dls_problem_destroy(p);
        dls_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_rows), cmocka_unit_test(test_rows_of_masses), cmocka_unit_test(test_redundant_rows),
        cmocka_unit_test(test_limits),   cmocka_unit_test(test_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
