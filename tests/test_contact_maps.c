/* The natural map and Fischer and Burmeister's: their zeros against the law, their derivatives against finite
 * differences, and the answers of ppa with them against those with Alart and Curnier's map. */
#include "cones.h"
#include "direct_solve.h"

#include "direct/contact_maps.h"

typedef void contact_function(double mu, const double lambda[3], const double w[3], dls_contact_map *map);

static contact_function *const functions[] = {dls_contact_natural, dls_contact_fischer_burmeister};
enum { FUNCTIONS = 2 };

static double largest(const double *x) { return fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2]))); }

/* F is 0 where the law holds; where an impulse or a velocity is off by 0.2 across the law, it is not. */
TEST(test_zeros_of_contacts_are_the_law)
{
    unsigned seed = 5;
    for (int k = 0; k < 400; k++) {
        const regime r = (regime)(k % FULL); /* without an upper bound */
        const double mu = 0.1 + 1.4 * (cone_draw(&seed) + 0.5);
        double lambda[3], w[3];
        dls_contact_map map;
        cone_choose(r, mu, &seed, lambda, w);
        for (int f = 0; f < FUNCTIONS; f++) {
            functions[f](mu, lambda, w, &map);
            assert_below(largest(map.F), 1e-14);
            const double of_n = lambda[0], w_n = w[0], of_t = lambda[1];
            lambda[0] = -0.2;
            functions[f](mu, lambda, w, &map);
            assert_true(largest(map.F) > 1e-3);
            lambda[0] = of_n, w[0] -= r == OPEN ? w[0] + 0.2 : 0.2;
            functions[f](mu, lambda, w, &map);
            assert_true(largest(map.F) > 1e-3);
            w[0] = w_n, lambda[1] += copysign(2.2 * mu * of_n + 0.2, of_t);
            functions[f](mu, lambda, w, &map);
            assert_true(largest(map.F) > 1e-3);
            lambda[1] = of_t;
        }
    }
}

/* The central difference of a function with a kink is at most half its second difference away from the derivative on
 * either side; most points are smooth. */
TEST(test_derivatives_of_contacts)
{
    enum { DRAWS = 1000 };
    static const double h = 1e-6;
    unsigned seed = 9;
    for (int f = 0; f < FUNCTIONS; f++) {
        size_t smooth = 0;
        for (int k = 0; k < DRAWS; k++) {
            const double mu = 0.05 + cone_draw(&seed) + 0.5;
            double at[6];
            dls_contact_map map, after, before;
            for (int i = 0; i < 6; i++)
                at[i] = 2.0 * cone_draw(&seed) + (i == 0 ? 0.5 : 0.0);
            functions[f](mu, at, at + 3, &map);
            for (int j = 0; j < 6; j++) {
                const double here = at[j];
                at[j] = here + h;
                functions[f](mu, at, at + 3, &after);
                at[j] = here - h;
                functions[f](mu, at, at + 3, &before);
                at[j] = here;
                for (int i = 0; i < 3; i++) {
                    const double derivative = j < 3 ? map.X[i][j] : map.Y[i][j - 3];
                    const double bent = fabs(after.F[i] + before.F[i] - 2.0 * map.F[i]) / h;
                    assert_below(fabs((after.F[i] - before.F[i]) / (2.0 * h) - derivative), 1e-7 + bent);
                    smooth += bent < 1e-4;
                }
            }
        }
        assert_true(smooth > DRAWS * 18 * 9 / 10);
    }
}

/* Bounded derivatives at the kinks themselves: nothing, sliding on the rim, and grazing. */
TEST(test_contacts_at_kinks)
{
    static const double points[][6] = {
        {0, 0, 0, 0, 0, 0}, {1, 0.5, 0, 0, 0, 0}, {0, 0, 0, 0.5, 1, 0}, {0, 0, 0, 0, 1, 0}, {1, 0.5, 0, 0, -1e-300, 0}};
    for (size_t k = 0; k < sizeof points / sizeof *points; k++)
        for (int f = 0; f < FUNCTIONS; f++) {
            dls_contact_map map;
            functions[f](0.5, points[k], points[k] + 3, &map);
            for (int i = 0; i < 3; i++) {
                assert_true(largest(map.X[i]) <= 3.0 && largest(map.Y[i]) <= 3.0);
                assert_true(isfinite(map.F[i]));
            }
        }
}

/* Zeros and sign are those of the middle one of lambda - lo, w, lambda - hi, and each derivative is at least 0. */
TEST(test_rows_between_bounds)
{
    static const double bounds[][2] = {
        {0, HUGE_VAL}, {-HUGE_VAL, 0.5}, {-0.5, 0.5}, {-HUGE_VAL, HUGE_VAL}, {0.25, 0.25}};
    static const double h = 1e-6;
    unsigned seed = 3;
    for (size_t k = 0; k < 1000; k++) {
        const double lo = bounds[k % 5][0], hi = bounds[k % 5][1], lambda = 3.0 * cone_draw(&seed),
                     w = 3.0 * cone_draw(&seed);
        const double middle = fmax(fmin(lambda - lo, w), lambda - hi);
        double X, Y, unused[2];
        const double F = dls_row_fischer_burmeister(lo, hi, lambda, w, &X, &Y);
        assert_true(F * middle > 0.0 || (F == 0.0 && middle == 0.0));
        assert_true(X >= 0.0 && Y >= 0.0 && X + Y > 0.1);
        for (int j = 0; j < 2; j++) {
            const double x = j == 0 ? h : 0.0, y = j == 0 ? 0.0 : h;
            const double after = dls_row_fischer_burmeister(lo, hi, lambda + x, w + y, unused, unused + 1);
            const double before = dls_row_fischer_burmeister(lo, hi, lambda - x, w - y, unused, unused + 1);
            assert_below(fabs((after - before) / (2.0 * h) - (j == 0 ? X : Y)),
                         1e-7 + fabs(after + before - 2.0 * F) / h);
        }
    }
    double X, Y;
    assert_true(dls_row_fischer_burmeister(0.0, HUGE_VAL, 0.0, 0.7, &X, &Y) == 0.0);
    assert_true(dls_row_fischer_burmeister(0.0, HUGE_VAL, 0.7, 0.0, &X, &Y) == 0.0);
    assert_true(dls_row_fischer_burmeister(-1.0, 1.0, 1.0, -0.7, &X, &Y) == 0.0);
}

/* Weak friction over a definite matrix: one answer, and every map leads to it. The contacts pass through all regimes,
 * one of them with an upper bound. */
TEST(test_answers_are_the_same)
{
    enum { CONTACTS = 6, N = 3 * CONTACTS };
    static const char *const maps[] = {"map=alart-curnier", "map=natural", "map=fischer-burmeister"};
    for (unsigned seed = 0; seed < 40; seed++) {
        double chosen[N], w[N], lambda[N];
        dls_problem *p = cone_manufacture(CONTACTS, seed, chosen, w);
        for (size_t m = 0; m < sizeof maps / sizeof *maps; m++) {
            const char *const options[] = {maps[m], NULL};
            dls_report report = {0};
            direct_solve("ppa", p, options, lambda, &report);
            assert_outcome_is(&report, DLS_OUTCOME_SOLVED, maps[m]);
            assert_below(direct_examine(p, lambda, w), 1e-9);
            for (size_t i = 0; i < N; i++)
                check_close(lambda[i], chosen[i], 1e-9, maps[m], __FILE__, __LINE__);
            dls_report_release(&report);
        }
        dls_problem_destroy(p);
    }
}
