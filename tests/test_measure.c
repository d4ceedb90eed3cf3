/* What a method asks of itself (measure.c), against the definitions: natural map, rounding, scales, violations, and the
 * bound that a Farkas vector gives. */
#include "check.h"

#include "direct/measure.h"

enum { MOST = 6 };

static unsigned long long state = 17;
static double draw(double from, double to)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return from + (to - from) * (double)(state >> 11) / 9007199254740992.0;
}
static int whole(int from, int to) { return from + (int)floor(draw(0.0, to - from + 1)); }

typedef struct system_of_rows {
    double A[MOST * MOST], b[MOST], lo[MOST], hi[MOST], lambda[MOST], w[MOST];
    dls_dense q;
} system_of_rows;

/* Small integers, of which sums are exact. */
static void draw_system(system_of_rows *s, size_t n)
{
    *s = (system_of_rows){.q = {.n = n, .A = s->A, .b = s->b, .lo = s->lo, .hi = s->hi}};
    for (size_t i = 0; i < n; i++) {
        const int kind = whole(0, 3);
        s->b[i] = whole(-3, 3), s->lambda[i] = whole(-3, 3), s->w[i] = whole(-3, 3);
        s->lo[i] = kind == 0 || kind == 3 ? whole(-2, 0) : -HUGE_VAL;
        s->hi[i] = kind == 1 || kind == 3 ? whole(0, 2) : HUGE_VAL;
        for (size_t j = 0; j < n; j++)
            s->A[i + n * j] = whole(-2, 2);
    }
}

static double middle(double a, double b, double c) { return fmax(fmin(a, b), fmin(fmax(a, b), c)); }

/* Each figure is the one of the definition: sums of integers are exact, and quotients rounded once. */
static void test_figures_of_rows(void **unused)
{
    (void)unused;
    for (int round = 0; round < 2000; round++) {
        const size_t n = (size_t)whole(1, MOST);
        static system_of_rows s;
        double T[MOST], most[MOST], rows[MOST], residual = 0.0;
        bool zero = true;
        draw_system(&s, n);
        dls_row_scales(&s.q, s.lambda, T, most);
        dls_dense_row_max(&s.q, rows);
        for (size_t i = 0; i < n; i++) {
            double sum = fabs(s.b[i]), least = HUGE_VAL, largest = 0.0, bound = 0.0;
            for (size_t j = 0; j < n; j++) {
                sum += fabs(s.A[i + n * j] * s.lambda[j]);
                largest = fmax(largest, fabs(s.A[i + n * j]));
            }
            assert_true(T[i] == sum && rows[i] == largest);
            assert_close(dls_row_rounding(&s.q, i, s.lambda), (double)(n + 3) * DBL_EPSILON * sum, 1e-30);
            for (size_t k = 0; k < n; k++) {
                double terms = fabs(s.b[k]);
                for (size_t j = 0; j < n; j++)
                    terms += fabs(s.A[k + n * j] * s.lambda[j]);
                if (s.A[k + n * i] != 0.0)
                    least = fmin(least, terms / fabs(s.A[k + n * i]));
            }
            bound = fmax(isinf(s.lo[i]) ? 0.0 : -s.lo[i], isinf(s.hi[i]) ? 0.0 : s.hi[i]);
            assert_true(most[i] == (bound > 0.0 ? fmin(bound, least) : least));
            const double map = middle(s.lambda[i] - s.lo[i], s.w[i], s.lambda[i] - s.hi[i]);
            assert_true(dls_natural_map(&s.q, i, s.lambda[i], s.w[i]) == map);
            residual = fmax(residual, fabs(map));
            zero = zero && fabs(map) <= 1.0;
            const double scale = isinf(most[i]) ? 0.0 : most[i], low = s.lambda[i] - s.lo[i],
                         high = s.lambda[i] - s.hi[i], terms = draw(0.5, 2.0);
            assert_true(dls_row_violation(s.lo[i], s.hi[i], s.lambda[i], s.w[i], terms, most[i]) ==
                        middle(low == 0.0 ? 0.0 : low / scale, s.w[i] / terms, high == 0.0 ? 0.0 : high / scale));
        }
        assert_true(dls_natural_residual(&s.q, s.lambda, s.w) == residual);
        assert_true(dls_natural_zero(&s.q, s.lambda, s.w, 1.0) == zero);
        s.w[n - 1] = NAN;
        assert_true(isnan(dls_natural_residual(&s.q, s.lambda, s.w)));
        assert_false(dls_natural_zero(&s.q, s.lambda, s.w, HUGE_VAL));
    }
}

/* A row whose map is below its rounding is zero, whatever is allowed, and one just above is not. */
static void test_rounding_is_zero(void **unused)
{
    double A[1] = {1.0}, b[1] = {-1.0}, lo[1] = {-HUGE_VAL}, hi[1] = {HUGE_VAL};
    const dls_dense q = {.n = 1, .A = A, .b = b, .lo = lo, .hi = hi};
    const double lambda[1] = {1.0}, rounding = 8.0 * DBL_EPSILON;
    (void)unused;
    for (int k = 0; k < 2; k++) {
        const double w[1] = {(k ? -1.0 : 1.0) * rounding}, more[1] = {(k ? -1.001 : 1.001) * rounding};
        assert_true(dls_natural_zero(&q, lambda, w, 0.0));
        assert_false(dls_natural_zero(&q, lambda, more, 0.0));
        assert_true(dls_natural_zero(&q, lambda, more, 1.002 * rounding));
    }
}

/* y less its entries of the wrong sign, at most 1 in size; the bound is the definition's; in any unit of y. */
static void test_farkas_bounds(void **unused)
{
    dls_law law[MOST] = {DLS_LAW_FIXED};
    const dls_problem laws = {.law = law};
    size_t proofs = 0, bounded = 0, none = 0;
    (void)unused;
    for (int round = 0; round < 20000; round++) {
        const size_t n = (size_t)whole(1, MOST);
        static system_of_rows s;
        double y[MOST], right[MOST], largest = 0.0, value = 0.0, slack = 0.0, bound;
        const double unit = ldexp(1.0, whole(-30, 30)), size = ldexp(1.0, whole(-40, 4));
        draw_system(&s, n);
        for (size_t i = 0; i < n; i++) {
            y[i] = unit * whole(-2, 2);
            const bool lo = !isinf(s.lo[i]), hi = !isinf(s.hi[i]);
            right[i] = lo && hi ? 0.0 : lo ? fmax(y[i], 0.0) : hi ? fmin(y[i], 0.0) : y[i];
            largest = fmax(largest, fabs(right[i]));
        }
        for (size_t j = 0; j < n && largest > 0.0; j++) {
            double z = 0.0;
            for (size_t i = 0; i < n; i++)
                z += s.A[i + n * j] * right[i] / largest;
            const double at = z > 0.0 ? s.hi[j] : s.lo[j];
            value += s.b[j] * right[j] / largest;
            if (isinf(at))
                slack = fmax(slack, fabs(z));
            else
                value += z * at;
        }
        const double expected = largest > 0.0 && value < 0.0 ? -value / slack / size : 0.0;
        size_t block[MOST] = {0};
        double block_size = size;
        const dls_direct d = {.problem = &laws, .q = s.q, .n = n, .n_blocks = 1, .block = block, .size = &block_size};
        const bool proved = dls_direct_farkas(&d, y, &bound);
        if (isinf(expected))
            assert_true(isinf(bound));
        else
            assert_close(bound, expected, 1e-14 * expected);
        assert_true(proved == (expected > 1e6));
        for (size_t i = 0; i < n && largest > 0.0; i++)
            assert_close(y[i], right[i] / largest, 1e-16);
        proofs += proved, bounded += !proved && bound > 0.0, none += bound == 0.0;
    }
    assert_true(proofs > 500 && bounded > 500 && none > 500);
    const double scales[] = {1e-4, 1.0, 1e-9}; /* a slack that is small enough, or not */
    for (size_t k = 0; k < 3; k++) {
        double A[1] = {-1e-7 * scales[k]}, b[1] = {-1.0}, lo[1] = {-HUGE_VAL}, hi[1] = {HUGE_VAL}, y[1] = {3.0}, bound;
        double size[1] = {20.0};
        size_t block[1] = {0};
        const dls_direct d = {.problem = &laws,
                              .q = {.n = 1, .A = A, .b = b, .lo = lo, .hi = hi},
                              .n = 1,
                              .n_blocks = 1,
                              .block = block,
                              .size = size};
        assert_true(dls_direct_farkas(&d, y, &bound) == (1.0 / (1e-7 * scales[k]) > 2e7));
        assert_close(bound, 1e7 / scales[k] / 20.0, 1e-9 * bound);
    }
    dls_report report = {0};
    dls_error error;
    double y1[1] = {1.0};
    int unit[1] = {0};
    const dls_direct d = {.q = {.n = 1}, .n = 1, .row_unit = unit};
    assert_status(dls_direct_report_farkas(&d, y1, 5e7, &report, &error), &error);
    assert_non_null(strstr(report.message, "at least 5e+07 times b"));
    assert_int_equal(report.outcome, DLS_OUTCOME_NO_SOLUTION);
    dls_report_release(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures_of_rows),
        cmocka_unit_test(test_rounding_is_zero),
        cmocka_unit_test(test_farkas_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
