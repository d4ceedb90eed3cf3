/* One contact under Coulomb's law, by what the law says: u = W lambda + q, lambda_n in [0, hi] complementary to u_n,
 * and the friction lambda_t within mu lambda_n, at its limit and against u_t where the contact slides. */
#include "contact_law.h"

#include "check.h"

#include <string.h>

enum { PROBLEMS = 4000 };

static unsigned long long state;
static double random_unit(void)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(state >> 11) / 9007199254740992.0;
}
static double random_sign(void) { return 2.0 * random_unit() - 1.0; }

/* W = G G^T, with a skew part that keeps it monotone. `coupling`: of normal and tangents. */
static void random_matrix(double W[3][3], double coupling, double skew)
{
    double G[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            G[i][k] = (i == 0) == (k == 0) ? random_sign() + (i == k ? 1.5 : 0.0) : coupling * random_sign();
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            W[i][j] = 0.0;
            for (int k = 0; k < 3; k++)
                W[i][j] += G[i][k] * G[j][k];
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++) {
            const double s = (j == 0 ? coupling : 1.0) * skew * random_sign();
            W[i][j] += s, W[j][i] -= s;
        }
}

typedef struct met {
    size_t open, stick, slide, full;
} met;

/* Velocities and impulses in another unit, near the ends of the range of a double: the same figures. */
static void check_units(const dls_contact_block *b, const double q[3], const double lambda[3])
{
    static const double units[] = {0x1p-900, 0x1p900};
    for (int k = 0; k < 2; k++) {
        dls_contact_block scaled = *b;
        const double unit = units[k], q_scaled[3] = {q[0] * unit, q[1] * unit, q[2] * unit};
        double found[3];
        scaled.hi *= unit;
        dls_contact_solve(&scaled, q_scaled, found);
        for (int i = 0; i < 3; i++)
            assert_true(found[i] == lambda[i] * unit);
    }
}

static void check_law(const dls_contact_block *b, const double q[3], met *seen)
{
    double lambda[3], u[3], scale = 0.0;
    dls_contact_solve(b, q, lambda);
    check_units(b, q, lambda);
    for (int i = 0; i < 3; i++) {
        u[i] = q[i];
        for (int j = 0; j < 3; j++) {
            u[i] += b->W[i][j] * lambda[j];
            scale = fmax(scale, fabs(b->W[i][j] * lambda[j]));
        }
        scale = fmax(scale, fabs(q[i]));
    }
    const double small = 1e-11 * scale; /* rounding leaves 1e-14 of it where W is well conditioned */
    const double most = b->mu * lambda[0], t = hypot(lambda[1], lambda[2]), slip = hypot(u[1], u[2]);
    assert_true(lambda[0] >= 0.0 && lambda[0] <= b->hi);
    assert_below(t, most * (1.0 + 1e-12));
    if (lambda[0] == 0.0) {
        assert_true(u[0] >= -small || b->hi == 0.0);
        assert_true(t == 0.0);
        seen->open++;
        return;
    }
    if (lambda[0] < b->hi)
        assert_close(u[0], 0.0, small);
    else
        assert_below(u[0], small);
    seen->full += lambda[0] == b->hi;
    if (slip <= small) {
        seen->stick++;
        return;
    }
    seen->slide++;
    assert_close(t, most, 1e-11 * most);
    assert_close(lambda[1] * u[2] - lambda[2] * u[1], 0.0, 1e-10 * (t + most) * slip + small * most);
    assert_below(lambda[1] * u[1] + lambda[2] * u[2], 0.0);
}

static void run(double coupling, double skew, double mu, double hi, met *seen)
{
    for (size_t k = 0; k < PROBLEMS; k++) {
        dls_contact_block b = {.mu = mu < 0.0 ? 1.5 * random_unit() : mu, .hi = hi};
        double q[3];
        random_matrix(b.W, coupling, skew);
        for (int i = 0; i < 3; i++)
            q[i] = i == 0 ? 1.5 * random_sign() - 0.8 : 3.0 * random_sign();
        if (dls_contact_block_prepare(&b))
            check_law(&b, q, seen);
    }
}

/* Where a strong coupling meets a bound on the normal impulse, the law without the bound may have several solutions,
 * one of them beyond it; the last two cases hold such problems. */
static void test_law(void **unused)
{
    static const struct {
        double coupling, skew, mu, hi;
    } cases[] = {{1.0, 0.0, -1.0, HUGE_VAL}, {0.1, 0.0, -1.0, 0.3}, {1.0, 0.0, 0.0, HUGE_VAL},
                 {1.0, 0.3, 0.2, HUGE_VAL},  {1.0, 0.0, 0.7, 0.0},  {0.1, 0.3, 1.1, 0.5},
                 {1.0, 0.0, -1.0, 0.3},      {1.0, 0.3, 1.1, 0.5}};
    met seen = {0};
    (void)unused;
    state = 2385;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        run(cases[k].coupling, cases[k].skew, cases[k].mu, cases[k].hi, &seen);
    print_message("# %zu open, %zu stick, %zu slide, %zu at their greatest normal impulse\n", seen.open, seen.stick,
                  seen.slide, seen.full);
    assert_true(seen.open > 500 && seen.stick > 500 && seen.slide > 500 && seen.full > 500);
}

/* W = diag(2, 0.5, 0.5), q = (-3, x, 0): lambda_n = 1.5; it sticks up to 2 x = 1.5 mu, with lambda_t = -2 x. */
static void test_closed_form(void **unused)
{
    static const double slips[] = {-2.385, -0.31, -0.2, 0.0, 0.11, 0.299, 0.301, 1.7};
    (void)unused;
    for (size_t k = 0; k < sizeof slips / sizeof slips[0]; k++) {
        dls_contact_block b = {.W = {{2.0, 0.0, 0.0}, {0.0, 0.5, 0.0}, {0.0, 0.0, 0.5}}, .mu = 0.4, .hi = HUGE_VAL};
        const double q[3] = {-3.0, slips[k], 0.0}, most = 0.4 * 1.5;
        double lambda[3];
        assert_true(dls_contact_block_prepare(&b));
        dls_contact_solve(&b, q, lambda);
        assert_close(lambda[0], 1.5, 1e-15);
        assert_close(lambda[1], -fmax(-most, fmin(most, 2.0 * slips[k])), 1e-14);
        assert_close(lambda[2], 0.0, 1e-15);
    }
}

/* What has no unique answer by this way is not taken: a normal that moves nothing, tangents that are indefinite, with
 * the normal held or not. Small coupling is taken. */
#define NEARLY 3.5e-15 /* just within the rounding of entries of size 1 */
static void test_prepare(void **unused)
{
    static const struct {
        double W[3][3];
        bool taken;
    } cases[] = {
        {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, true},
        {{{0, 0, 0}, {0, 1, 0}, {0, 0, 1}}, false},
        {{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, false},
        {{{1, 0, 0}, {0, -0.1, 0}, {0, 0, 1}}, false},
        {{{1, 0, 0}, {0, 1, 0}, {0, 0, -0.1}}, false},
        {{{1, 0, 0}, {0, 1, 1.2}, {0, 1.2, 1}}, false},
        {{{1, 0, 0}, {0, 1, 0.9}, {0, 0.9, 1}}, true},
        {{{1, 0, 0}, {0, 1, 1}, {0, 1, 1}}, true},
        {{{1, 2, 0}, {2, 1, 0}, {0, 0, 1}}, false},
        {{{1, 0, 2}, {0, 1, 0}, {2, 0, 1}}, false},
        {{{1, 0.9, 0}, {0.9, 1, 0}, {0, 0, 1}}, true},
        {{{1, 2, 0}, {-2, 1, 0}, {0, 0, 1}}, true},
        {{{1, 2, 0}, {-2, -0.1, 0}, {0, 0, 1}}, false},
        {{{1, 0, 0}, {0, 1, 3}, {0, -3, 1}}, true},
        {{{4, 2, 0}, {2, 1 + 1e-3, 0}, {0, 0, 1}}, true},
        {{{4, 2, 0}, {2, 1 - 1e-3, 0}, {0, 0, 1}}, false},
        {{{4, 0, 2}, {0, 1, 0}, {2, 0, 1 - 1e-3}}, false},
        {{{1, 0, 0}, {0, 0, 0}, {0, 0, 0}}, true},
        {{{1, 0, 0}, {0, -NEARLY, 0}, {0, 0, -28 * NEARLY}}, false},
        {{{1, 0, 0}, {0, -28 * NEARLY, 0}, {0, 0, -NEARLY}}, false},
        {{{1, 0, 0}, {0, -NEARLY, 0}, {0, 0, -NEARLY}}, true},
    };
    (void)unused;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        dls_contact_block b = {.mu = 0.5, .hi = HUGE_VAL};
        memcpy(b.W, cases[k].W, sizeof b.W);
        if (dls_contact_block_prepare(&b) != cases[k].taken)
            fail_msg("matrix %zu: taken %d, expected %d", k, !cases[k].taken, cases[k].taken);
    }
}

/* A tangent that nothing moves (rank 2, with a pushed slip along it): it slides at the limit, or stays where q is 0. */
/* W = v v^T, whichever entry of v is the largest: what is left of it by rounding is no negative curvature. */
static void test_prepare_allows_for_rounding(void **unused)
{
    (void)unused;
    for (int draw = 0; draw < 600; draw++) {
        dls_contact_block b = {.mu = 0.5, .hi = HUGE_VAL};
        double v[3];
        for (int i = 0; i < 3; i++)
            v[i] = (0.5 + random_unit()) * (i == draw % 3 ? 1e4 : 1.0);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                b.W[i][j] = v[i] * v[j];
        assert_true(dls_contact_block_prepare(&b));
    }
}

static void test_singular(void **unused)
{
    (void)unused;
    dls_contact_block b = {.W = {{2.0, 0.0, 0.0}, {0.0, 0.5, 0.0}, {0.0, 0.0, 0.0}}, .mu = 0.4, .hi = HUGE_VAL};
    const double pushed[3] = {-3.0, 0.0, 0.7}, held[3] = {-3.0, 0.1, 0.0};
    double lambda[3];
    assert_true(dls_contact_block_prepare(&b));
    dls_contact_solve(&b, pushed, lambda);
    assert_close(lambda[0], 1.5, 1e-15);
    assert_close(lambda[2], -0.6, 1e-12);
    assert_close(lambda[1], 0.0, 1e-12);
    dls_contact_solve(&b, held, lambda);
    assert_close(lambda[1], -0.2, 1e-12);
    assert_close(lambda[2], 0.0, 1e-12);
}

/* Tangents that are coupled so that one combination of them moves nothing: what is pushed along the other sticks. The
 * solution is not unique, and w_t is 0 to rounding, also where q leaves the range of W by its rounding. */
static void test_singular_and_coupled(void **unused)
{
    static const double tangents[][3] = {{4.0, 1.0, 0.25}, {4.0, 2.0, 1.0}, {0.25, -1.0, 4.0}, {1e-3, 1e-2, 1e-1},
                                         {9.0, -6.0, 4.0}, {0.3, 0.3, 0.3}, {1.0, 1e-4, 1e-8}};
    (void)unused;
    for (size_t k = 0; k < sizeof tangents / sizeof tangents[0]; k++)
        for (double push = -0.2; push < 0.25; push += 0.1) {
            const double *t = tangents[k];
            dls_contact_block b = {
                .W = {{2.0, 0.0, 0.0}, {0.0, t[0], t[1]}, {0.0, t[1], t[2]}}, .mu = 0.4, .hi = HUGE_VAL};
            const double q[3] = {-3.0, push * t[0], push * t[1]};
            double lambda[3];
            assert_true(dls_contact_block_prepare(&b));
            dls_contact_solve(&b, q, lambda);
            assert_close(lambda[0], 1.5, 1e-15);
            assert_below(hypot(lambda[1], lambda[2]), 0.4 * 1.5);
            for (int i = 1; i < 3; i++)
                assert_close(q[i] + b.W[i][1] * lambda[1] + b.W[i][2] * lambda[2], 0.0, 1e-14);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_law),
        cmocka_unit_test(test_closed_form),
        cmocka_unit_test(test_prepare),
        cmocka_unit_test(test_singular),
        cmocka_unit_test(test_singular_and_coupled),
        cmocka_unit_test(test_prepare_allows_for_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
