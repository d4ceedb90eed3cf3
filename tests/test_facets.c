/* Facets in the place of cones: corners and edges of the polygon, convergence to the cone, boxes, and the convex
 * relaxation. */
#include "direct_solve.h"
#include "examined.h"
#include "published.h"

#include "delassus/delassus.h"

static const double pi = 3.14159265358979323846;

/* A block of mass 1 on the ground, pressed with an impulse of 2 and pulled with q_t: A = 1, b = (-2, q_t). */
static dls_problem *block(double pull, double angle, double mu)
{
    const double A[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, b[3] = {-2.0, pull * cos(angle), pull * sin(angle)};
    dls_problem *p = problem_from_matrix(3, A, b, NULL, NULL);
    dls_problem_make_cone(p, 0, mu);
    return p;
}

/* Solved by Lemke's method; impulses and velocities of the problem with the cone. */
static void solve(const dls_problem *p, size_t k, dls_facets_variant variant, double *lambda, double *w)
{
    dls_facets *f;
    dls_error error = {0};
    dls_report report = {0};
    assert_status(dls_problem_facets(p, k, variant, &f, &error), &error);
    double *z = test_calloc(f->m + 1, sizeof *z);
    assert_int_equal(f->problem->n_coupled, 0);
    direct_solve("lemke", f->problem, NULL, z, &report);
    assert_outcome_is(&report, DLS_OUTCOME_SOLVED, "lemke");
    dls_facets_impulses(f, z, lambda);
    (void)direct_examine(p, lambda, w);
    dls_report_release(&report);
    test_free(z);
    dls_facets_destroy(f);
}

/* Pulled through the middle of an edge a block holds mu lambda_n cos(pi / k), through a corner mu lambda_n: a ratio of
 * 1 / cos(pi / k). */
TEST(test_holds_up_to_the_polygon)
{
    const double mu = 0.385;
    for (size_t k = 3; k < 17; k++)
        for (int corner = 0; corner < 2; corner++) {
            double angle = pi + (corner ? 2.0 : 1.0) * pi / (double)k,
                   limit = 2.0 * mu * (corner ? 1.0 : cos(pi / (double)k));
            for (int beyond = 0; beyond < 2; beyond++) {
                double lambda[3], w[3];
                dls_problem *p = block(limit * (beyond ? 1.0 + 1e-9 : 1.0 - 1e-9), angle, mu);
                solve(p, k, DLS_FACETS_EXACT, lambda, w);
                if (beyond)
                    assert_true(hypot(w[1], w[2]) > 0.5e-9 * limit);
                else
                    assert_below(hypot(w[1], w[2]), 1e-14);
                assert_close(lambda[0], 2.0, 1e-15);
                dls_problem_destroy(p);
            }
        }
}

/* Sliding between two corners the impulse is the corner that dissipates most, off the pull by their angle. */
TEST(test_slides_at_a_corner)
{
    for (size_t k = 3; k < 12; k++) {
        double lambda[3], w[3], angle = pi + 2.0 * pi / (double)k + 0.2 * pi / (double)k, mu = 0.3;
        dls_problem *p = block(5.0, angle, mu);
        solve(p, k, DLS_FACETS_EXACT, lambda, w);
        assert_close(lambda[1], 2.0 * mu * cos(2.0 * pi / (double)k), 1e-14);
        assert_close(lambda[2], 2.0 * mu * sin(2.0 * pi / (double)k), 1e-14);
        assert_close(w[0], 0.0, 1e-15);
        dls_problem_destroy(p);
    }
}

/* The convex relaxation moves the block up: w_n = mu |w_t| at the corner, and its problem is symmetric. */
TEST(test_convex_lifts_off)
{
    double lambda[3], w[3];
    dls_problem *p = block(5.0, pi, 0.3);
    dls_facets *f;
    dls_error error = {0};
    solve(p, 8, DLS_FACETS_CONVEX, lambda, w);
    /* beta (n + mu d): w_n = beta - 2, w_t = mu beta - 5 along d; w_n + mu w_t = 0 gives beta = (2 + 5 mu) / (1 + mu^2)
     */
    assert_close(lambda[0], 3.5 / 1.09, 1e-14);
    assert_close(lambda[1], 0.3 * 3.5 / 1.09, 1e-14);
    assert_close(w[0], 3.5 / 1.09 - 2.0, 1e-14);
    assert_close(w[0], 0.3 * fabs(w[1]), 1e-14);
    assert_status(dls_problem_facets(p, 8, DLS_FACETS_CONVEX, &f, &error), &error);
    dls_dense *dense = dense_of(f->problem);
    assert_true(dense->symmetric);
    dls_dense_destroy(dense);
    dls_facets_destroy(f);
    dls_problem_destroy(p);
}

/* A box is two facets a tangent: the direct method for boxes finds the same. */
TEST(test_boxes_are_exact)
{
    for (unsigned seed = 1; seed < 20; seed++) {
        enum { N = 12 };
        double chosen[N], lambda[N], w[N], other[N], w_other[N];
        const dls_recipe recipe = {DLS_MATRIX_DEFINITE, DLS_BOUNDS_LCP, N, 0.0, seed};
        dls_error error = {0};
        dls_report report = {0};
        dls_problem *p = problem_from_recipe(&recipe, chosen, w);
        for (size_t i = 0; i < N; i++)
            if (i % 3) {
                p->parent[i] = i - i % 3, p->law[i] = DLS_LAW_BOX, p->mu[i] = 0.1, p->lo[i] = p->hi[i] = 0.0;
                p->n_coupled++;
            }
        assert_status(dls_problem_check(p, &error), &error);
        direct_solve("fixed-point", p, NULL, other, &report);
        assert_outcome_is(&report, DLS_OUTCOME_SOLVED, "fixed-point");
        solve(p, 3, DLS_FACETS_EXACT, lambda, w);
        assert_below(direct_examine(p, other, w_other), 1e-11);
        assert_below(direct_examine(p, lambda, w), 1e-11);
        dls_report_release(&report);
        dls_problem_destroy(p);
    }
}

/* Friction of what slides is off by an angle of pi / k at most: the residual of the cone falls with 1 / k, in steps. */
TEST(test_published_problems_approach_the_cone)
{
    static const char *const files[] = {"siconos/fc3d/NESpheres_10_1.dat", "siconos/fc3d/Rover1039.dat",
                                        "siconos/fc3d/Rover4144.dat"};
    char *json = slurp("siconos/known_answers.json");
    if (!json)
        skip();
    test_free(json);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        dls_problem *p = read_data(files[i], "siconos-fc3d");
        double first = 0.0, last = 0.0;
        for (size_t k = 4; k <= 64; k *= 4) {
            double lambda[27], w[27];
            solve(p, k, DLS_FACETS_EXACT, lambda, w);
            last = direct_examine(p, lambda, w);
            first = k == 4 ? last : first;
            print_message("%s, %zu facets: residual of the cone %.2e\n", files[i], k, last);
        }
        assert_true(first > 1e-3 && last < 0.25 * first);
        dls_problem_destroy(p);
    }
}

TEST(test_what_facets_cannot_say)
{
    dls_facets *f;
    dls_error error;
    dls_problem *p = block(1.0, 0.0, 0.3);
    assert_int_equal(dls_problem_facets(p, 2, DLS_FACETS_EXACT, &f, &error), DLS_BAD_ARGUMENT);
    assert_string_equal(error.message, "a polygon has 3 facets or more, not 2");
    assert_null(f);
    p->lo[0] = -1.0;
    assert_int_equal(dls_problem_facets(p, 4, DLS_FACETS_EXACT, &f, &error), DLS_REFUSED);
    assert_string_equal(error.message, "row 1: facets need a normal impulse from 0 up");
    p->lo[0] = 0.0, p->hi[0] = 3.0;
    assert_int_equal(dls_problem_facets(p, 4, DLS_FACETS_CONVEX, &f, &error), DLS_REFUSED);
    assert_string_equal(error.message, "row 1: the convex form has no upper bound of the normal impulse");
    p->law[1] = p->law[2] = DLS_LAW_BOX, p->n_cone = 0;
    assert_int_equal(dls_problem_facets(p, 4, DLS_FACETS_CONVEX, &f, &error), DLS_REFUSED);
    dls_problem_destroy(p);
    const double A[4] = {2, 1, 1, 2}, b[2] = {-1, -1}, lo[2] = {-1, -1}; /* row 0 rubs at row 1 */
    p = problem_from_matrix(2, A, b, lo, NULL);
    p->parent[0] = 1, p->law[0] = DLS_LAW_BOX, p->mu[0] = 0.5, p->n_coupled = 1;
    p->lo[0] = p->hi[0] = 0.0;
    assert_int_equal(dls_problem_facets(p, 4, DLS_FACETS_EXACT, &f, &error), DLS_REFUSED);
    p->lo[1] = 0.0;
    assert_status(dls_problem_facets(p, 4, DLS_FACETS_EXACT, &f, &error), &error);
    dls_facets_destroy(f);
    dls_problem_destroy(p);
}

/* A free row, a cone, a row between two bounds, a normal row with two rows under its box, and a cone. */
enum { ROWS = 11, FIRST = 1, SECOND = 8, NORMAL = 5, MOST = 40 };

static dls_problem *mixed_rows(unsigned seed, bool boxes, double *A, double *b)
{
    double lo[ROWS], hi[ROWS];
    unsigned state = 77 + 7919 * seed;
    for (size_t k = 0; k < ROWS * (ROWS + 1); k++) {
        state = state * 1664525u + 1013904223u;
        *(k < ROWS * ROWS ? &A[k] : &b[k - ROWS * ROWS]) = (double)(state >> 8) / 8388608.0 - 1.0;
    }
    for (size_t i = 0; i < ROWS; i++)
        lo[i] = i == 0 ? -HUGE_VAL : i == 4 ? -0.5 : 0.0, hi[i] = i == 4 ? 0.25 : HUGE_VAL;
    hi[NORMAL] = 3.0;
    hi[FIRST] = boxes ? 2.0 : 0.0;
    dls_problem *p = problem_from_matrix(ROWS, A, b, lo, hi);
    dls_problem_make_cone(p, FIRST, 0.5);
    dls_problem_make_cone(p, SECOND, 0.3);
    for (size_t i = NORMAL + 1; boxes && i < NORMAL + 3; i++) {
        p->parent[i] = NORMAL, p->law[i] = DLS_LAW_BOX, p->mu[i] = i == 6 ? 0.7 : 0.2, p->lo[i] = p->hi[i] = 0.0;
        p->n_coupled++;
    }
    return p;
}

/* The unknowns of the definition at the head of facets.c: columns of T, and the rows and columns of sigma in C. */
typedef struct expected {
    size_t m;
    double T[ROWS * MOST], C[MOST * MOST], lo[MOST], hi[MOST];
} expected;

static size_t add_unknown(expected *e, double lo, double hi)
{
    e->lo[e->m] = lo, e->hi[e->m] = hi;
    return e->m++;
}

static void add_sliding(expected *e, size_t normal, size_t first, double mu)
{
    const size_t sigma = add_unknown(e, 0.0, HUGE_VAL);
    for (size_t j = first; j < sigma; j++)
        e->C[j + MOST * sigma] = 1.0, e->C[sigma + MOST * j] = -1.0;
    e->C[sigma + MOST * normal] = mu;
}

static void add_cone(expected *e, const dls_problem *p, size_t normal, size_t column, size_t k, bool convex)
{
    const size_t first = e->m;
    const double mu = p->mu[normal + 1];
    for (size_t j = 0; j < k; j++) {
        const double angle = 2.0 * pi * (double)j / (double)k, size = convex ? mu : 1.0;
        double *T = e->T + ROWS * add_unknown(e, 0.0, convex && p->hi[normal] == 0.0 ? 0.0 : HUGE_VAL);
        T[normal] = convex ? 1.0 : 0.0, T[normal + 1] = size * cos(angle), T[normal + 2] = size * sin(angle);
    }
    if (!convex)
        add_sliding(e, column, first, mu);
}

static void expect(expected *e, const dls_problem *p, size_t k, bool convex)
{
    size_t column[ROWS] = {0};
    memset(e, 0, sizeof *e);
    for (size_t i = 0; i < ROWS; i++)
        if (p->parent[i] == DLS_NONE && !(convex && (i == FIRST || i == SECOND))) {
            column[i] = add_unknown(e, p->lo[i], p->hi[i]);
            e->T[i + ROWS * column[i]] = 1.0;
        }
    add_cone(e, p, FIRST, column[FIRST], k, convex);
    for (size_t i = NORMAL + 1; i < NORMAL + 3 && p->law[i] == DLS_LAW_BOX; i++) {
        const size_t first = e->m;
        for (int sign = 1; sign >= -1; sign -= 2)
            e->T[i + ROWS * add_unknown(e, 0.0, HUGE_VAL)] = sign;
        add_sliding(e, column[NORMAL], first, p->mu[i]);
    }
    add_cone(e, p, SECOND, column[SECOND], k, convex);
}

TEST(test_the_problem_is_its_definition)
{
    static expected e;
    for (unsigned seed = 0; seed < 20; seed++) {
        const size_t k = 3 + seed % 6;
        const bool convex = seed % 2 != 0;
        double A[ROWS * ROWS], b[ROWS], z[MOST], lambda[ROWS], of_A[ROWS];
        dls_problem *p = mixed_rows(seed, !convex, A, b);
        dls_facets *f;
        dls_error error;
        snprintf(p->name, sizeof p->name, "mixed");
        assert_status(dls_problem_facets(p, k, convex ? DLS_FACETS_CONVEX : DLS_FACETS_EXACT, &f, &error), &error);
        dls_dense *d = dense_of(f->problem);
        expect(&e, p, k, convex);
        assert_int_equal(f->n, ROWS);
        assert_int_equal(f->m, e.m);
        assert_string_equal(f->problem->name, "mixed");
        for (size_t j = 0; j < e.m; j++) {
            double of_b = 0.0;
            for (size_t i = 0; i < ROWS; i++) {
                of_A[i] = 0.0;
                of_b += e.T[i + ROWS * j] * b[i];
                for (size_t c = 0; c < ROWS; c++)
                    of_A[i] += A[i + ROWS * c] * e.T[c + ROWS * j];
                assert_close(f->T[i + ROWS * j], e.T[i + ROWS * j], 1e-15);
            }
            assert_close(d->b[j], of_b, 1e-14);
            assert_true(d->lo[j] == e.lo[j] && d->hi[j] == e.hi[j]);
            for (size_t i = 0; i < e.m; i++) {
                double entry = e.C[i + MOST * j];
                for (size_t r = 0; r < ROWS; r++)
                    entry += e.T[r + ROWS * i] * of_A[r];
                assert_close(d->A[i + e.m * j], entry, 1e-14);
            }
            z[j] = (double)(j % 5) - 1.5;
        }
        dls_facets_impulses(f, z, lambda);
        for (size_t i = 0; i < ROWS; i++) {
            double sum = 0.0;
            for (size_t j = 0; j < e.m; j++)
                sum += e.T[i + ROWS * j] * z[j];
            assert_close(lambda[i], sum, 1e-13);
        }
        dls_dense_destroy(d);
        dls_facets_destroy(f);
        dls_problem_destroy(p);
    }
}

/* The first facet is n + t: its diagonal entry is 2 d with A_nt = -1 + d, and terms of size 4; its b is d with terms
 * of size 2. Sums of at most 8 and 5 roundings of that are 0. */
TEST(test_rounding_is_cleared)
{
    for (int k = 0; k < 4; k++) {
        const double d = ldexp(k == 0 ? 15.0 : k == 1 ? 17.0 : 1.0, -52), e = ldexp(k == 2 ? 9.0 : 11.0, -52);
        const double A[9] = {1, -1 + d, 0, -1 + d, 1, 0, 0, 0, 1}, b[3] = {1, -1 + e, 0};
        dls_problem *p = problem_from_matrix(3, A, b, NULL, NULL);
        dls_facets *f;
        dls_error error;
        dls_problem_make_cone(p, 0, 1.0);
        assert_status(dls_problem_facets(p, 4, DLS_FACETS_CONVEX, &f, &error), &error);
        dls_dense *dense = dense_of(f->problem);
        assert_true(dense->A[0] == (k == 1 ? 2.0 * d : 0.0));
        assert_true(dense->b[0] == (k == 2 ? 0.0 : e));
        dls_dense_destroy(dense);
        dls_facets_destroy(f);
        dls_problem_destroy(p);
    }
}
