/* Exact arithmetic: numbers, A and b of both forms, exact residuals, and Farkas vectors that are proved or not. */
#include "check.h"
#include "mechanisms.h"

#include "delassus/reference.h"
#include "exact/rational.h"

#include <float.h>
#include <string.h>

static dls_problem *matrix_problem(size_t n, const double *A, const double *b, const double *lo, const double *hi)
{
    dls_problem *problem;
    dls_error error = {0};
    assert_status(dls_problem_from_matrix(n, A, b, lo, hi, &problem, &error), &error);
    return problem;
}

static dls_problem *chain(int links, double ratio)
{
    dls_model *model = make_chain(links, ratio);
    dls_problem *problem;
    dls_error error = {0};
    assert_status(dls_problem_create(model, dls_model_initial(model), NULL, 0.01, &problem, &error), &error);
    dls_model_destroy(model);
    return problem;
}

/* --- numbers --- */

static void test_doubles_survive(void **unused)
{
    const double values[] = {0.0,          1.0,          -2.385, 0.1,        1e300, -DBL_MAX, DBL_MIN, -DBL_MIN / 8.0,
                             4.94066e-324, 1.0 / 3.0e-5, 1e-310, 123456789.0};
    fmpq_t x;
    (void)unused;
    fmpq_init(x);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        for (int r = DLS_ROUND_NEAREST; r <= DLS_ROUND_AWAY; r++) {
            dls_rational_set(x, values[i]);
            assert_true(dls_rational_get(x, (dls_rounding)r) == values[i]);
        }
    fmpq_clear(x);
}

/* Between a double and the next one: a quarter, half and three quarters of the way, at both ends of the range too. */
static void test_rounding(void **unused)
{
    const double values[] = {1.0, 1.0 + DBL_EPSILON, 2.385, DBL_MIN, DBL_MIN - 4.94066e-324, 0.0, 1e-320, 1e300};
    fmpq_t x, y, z;
    (void)unused;
    fmpq_init(x), fmpq_init(y), fmpq_init(z);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        for (int quarters = 1; quarters <= 3; quarters++)
            for (int sign = -1; sign <= 1; sign += 2) {
                double low = values[i], high = nextafter(low, HUGE_VAL);
                uint64_t bits;
                memcpy(&bits, &low, sizeof bits);
                double nearest = quarters == 1 || (quarters == 2 && bits % 2 == 0) ? low : high;
                dls_rational_set(x, low), dls_rational_set(y, high);
                fmpq_sub(y, y, x);
                fmpq_set_si(z, quarters, 4);
                fmpq_addmul(x, y, z);
                if (sign < 0)
                    fmpq_neg(x, x);
                assert_true(dls_rational_get(x, DLS_ROUND_TOWARDS_ZERO) == sign * low);
                assert_true(dls_rational_get(x, DLS_ROUND_AWAY) == sign * high);
                assert_true(dls_rational_get(x, DLS_ROUND_NEAREST) == sign * nearest);
            }
    dls_rational_set(x, DBL_MAX), fmpq_mul_2exp(x, x, 3);
    assert_true(dls_rational_get(x, DLS_ROUND_TOWARDS_ZERO) == DBL_MAX);
    assert_true(isinf(dls_rational_get(x, DLS_ROUND_NEAREST)));
    fmpq_mul_2exp(x, x, 100000);
    assert_true(isinf(dls_rational_get(x, DLS_ROUND_AWAY)));
    fmpq_div_2exp(x, x, 200000);
    assert_true(dls_rational_get(x, DLS_ROUND_NEAREST) == 0.0);
    assert_true(dls_rational_get(x, DLS_ROUND_AWAY) > 0.0);
    fmpq_clear(x), fmpq_clear(y), fmpq_clear(z);
}

/* --- A and b --- */

/* The dense assembly is within rounding of it: n + nv + 6 operations an entry, bodies of moderate inertia. */
static void test_mechanical_form(void **unused)
{
    dls_problem *p = chain(5, 10.0);
    dls_rational r;
    dls_dense *d;
    dls_error error = {0};
    (void)unused;
    assert_status(dls_rational_init(&r, p, &error), &error);
    assert_status(dls_dense_create(p, &d, &error), &error);
    for (size_t i = 0; i < p->n; i++) {
        double scale = 0.0;
        for (size_t j = 0; j < p->n; j++)
            scale = fmax(scale, fabs(d->A[i + p->n * j]));
        for (size_t j = 0; j < p->n; j++) {
            double exact = dls_rational_get(fmpq_mat_entry(r.A, (slong)i, (slong)j), DLS_ROUND_NEAREST);
            assert_close(d->A[i + p->n * j], exact, 1e-14 * scale);
            assert_true(fmpq_equal(fmpq_mat_entry(r.A, (slong)i, (slong)j), fmpq_mat_entry(r.A, (slong)j, (slong)i)));
        }
        double b = dls_rational_get(fmpq_mat_entry(r.b, (slong)i, 0), DLS_ROUND_NEAREST);
        assert_close(d->b[i], b, 1e-15 * fmax(1.0, fabs(b)));
    }
    dls_dense_destroy(d);
    dls_rational_clear(&r);
    dls_problem_destroy(p);
}

/* w = (1 + 2^-60, -1) and the bounds [0, 1], [0, inf): figures that doubles cannot hold. */
static void test_residual(void **unused)
{
    const double tiny = ldexp(1.0, -60), A[4] = {1.0, 0.0, tiny, 1.0}, b[2] = {-1.0, -3.0}, lo[2] = {0.0, 0.0},
                 hi[2] = {1.0, HUGE_VAL};
    double lambda[2] = {2.0, 1.0}, residual[2], w[2];
    dls_problem *p = matrix_problem(2, A, b, lo, hi);
    dls_rational r;
    dls_error error = {0};
    (void)unused;
    assert_status(dls_rational_init(&r, p, &error), &error);
    dls_rational_residual(&r, lambda, residual, w);
    assert_true(w[0] == 1.0 && w[1] == -2.0);
    assert_true(residual[0] == nextafter(1.0, 2.0) && residual[1] == 2.0); /* w_0 = 1 + 2^-60, rounded up */
    lambda[0] = 0.0, lambda[1] = 3.0;
    dls_rational_residual(&r, lambda, residual, w);
    assert_true(residual[0] == 1.0 && residual[1] == 0.0); /* w_0 = -1 + 3 / 2^60 */
    dls_rational_clear(&r);
    dls_problem_destroy(p);
}

static void test_refusals(void **unused)
{
    const double A[9] = {2, 0, 0, 0, 1, 0, 0, 0, 1}, b[3] = {-1, 2, 0.5};
    dls_problem *p = matrix_problem(3, A, b, NULL, NULL);
    dls_rational r;
    dls_error error = {0};
    (void)unused;
    dls_problem_make_cone(p, 0, 0.4);
    assert_int_equal(dls_rational_init(&r, p, &error), DLS_REFUSED);
    assert_non_null(strstr(error.message, "row 1"));
    dls_problem_destroy(p);
    p = chain(100, 1.0);
    assert_int_equal(dls_rational_init(&r, p, &error), DLS_REFUSED);
    assert_non_null(strstr(error.message, "at most 200 rows"));
    dls_problem_destroy(p);
}

/* --- Farkas vectors --- */

static dls_farkas_proof verify(const dls_problem *p, const double *y)
{
    dls_farkas_proof proof;
    dls_error error = {0};
    assert_status(dls_farkas_verify(p, y, &proof, &error), &error);
    assert_true(proof.proved == (proof.reason[0] == 0));
    assert_true(proof.proved == (proof.margin > 0.0));
    return proof;
}

static unsigned state = 2385;
static int draw(int from, int to)
{
    state = state * 1664525u + 1013904223u;
    return from + (int)(state >> 8) % (to - from + 1);
}

/* A = G G^T with integers, G^T y = 0 for an integer y (the last row of G is chosen so), b.y = -1 or more; rows lower,
 * upper, free and boxed. y comes with rounding: relative errors of 1e-15, and noise on the boxed rows. */
static void test_vectors_with_rounding_are_proved(void **unused)
{
    (void)unused;
    for (int round = 0; round < 200; round++) {
        enum { n = 8, rank = 3 };
        double A[n * n] = {0}, b[n], lo[n], hi[n], hint[n];
        int y[n], G[n][rank], by = 0;
        for (int i = 0; i < n; i++) {
            int kind = i == n - 1 ? 2 : draw(0, 3);
            y[i] = i == n - 1 ? 1 : kind == 0 ? draw(0, 5) : kind == 1 ? -draw(0, 5) : kind == 2 ? draw(-5, 5) : 0;
            lo[i] = kind == 0 ? draw(0, 1) ? 0.0 : -1.5 : kind == 3 ? -2.0 : -HUGE_VAL;
            hi[i] = kind == 1 ? draw(0, 1) ? 0.0 : 2.5 : kind == 3 ? 1.0 : HUGE_VAL;
            b[i] = i == n - 1 ? 0.0 : draw(-9, 9);
            by += (int)b[i] * y[i];
        }
        b[n - 1] = -1.0 - by;
        for (int c = 0; c < rank; c++) {
            G[n - 1][c] = 0;
            for (int i = 0; i < n - 1; i++) {
                G[i][c] = draw(-7, 7);
                G[n - 1][c] -= G[i][c] * y[i];
            }
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                for (int c = 0; c < rank; c++)
                    A[i + n * j] += (double)(G[i][c] * G[j][c]);
        for (int i = 0; i < n; i++)
            hint[i] = 0.1 * y[i] * (1.0 + 1e-15 * draw(-9, 9)) + 1e-17 * draw(-9, 9);
        dls_problem *p = matrix_problem(n, A, b, lo, hi);
        dls_farkas_proof proof = verify(p, hint);
        if (!proof.proved)
            print_error("round %d: %s\n", round, proof.reason);
        assert_true(proof.proved);
        b[n - 1] = 1.0 - by; /* y.w = 1 now: y says nothing */
        dls_problem *other = matrix_problem(n, A, b, lo, hi);
        for (int i = 0; i < n; i++)
            hint[i] = 0.1 * y[i];
        assert_false(verify(other, hint).proved);
        dls_problem_destroy(p);
        dls_problem_destroy(other);
    }
}

/* A vector that is a proof as it stands may have any number of entries; one with noise has at most 250. */
static void test_long_vectors(void **unused)
{
    enum { LONG = 300 };
    static double A[LONG * LONG], b[LONG], y[LONG];
    (void)unused;
    for (size_t i = 0; i < LONG; i++)
        b[i] = -1.0, y[i] = 0.5;
    A[LONG] = 1.0, A[1] = -1.0; /* y.A = 0 but for these two, where y_0 = y_1 */
    A[0] = 1.0, A[LONG + 1] = -1.0;
    dls_problem *p = matrix_problem(LONG, A, b, NULL, NULL);
    const dls_farkas_proof proof = verify(p, y);
    assert_true(proof.proved && proof.margin == LONG);
    y[0] += 1e-16;
    const dls_farkas_proof refused = verify(p, y);
    assert_false(refused.proved);
    assert_non_null(strstr(refused.reason, "300 entries that matter"));
    dls_problem_destroy(p);
}

/* A problem of integers that some y with small integers proves unsolvable with the given margin times max |y|. Matrix
 * form: not symmetric, with Gamma on the diagonal and rows of every kind, z = A^T y of the sign that the row wants, not
 * 0 where its bounds are. Mechanical form: free and unilateral rows J of which one is a combination of others, and
 * compliant rows that y does not use. */
enum { NOISY = 7, COLUMNS = 6 };
static dls_problem *unsolvable(bool matrix, int *y, int margin)
{
    double A[NOISY * NOISY], b[NOISY], lo[NOISY], hi[NOISY];
    int supremum = 0, last = NOISY - 1;
    for (int i = 0; i < NOISY; i++) {
        const int kind = i == last ? 2 : draw(0, matrix ? 3 : 2);
        lo[i] = kind == 0 ? draw(-2, 2) : kind == 3 ? -3.0 : -HUGE_VAL;
        hi[i] = kind == 1 ? draw(-2, 2) : kind == 3 ? 2.0 : HUGE_VAL;
        y[i] = i == last ? 1 : kind == 0 ? draw(0, 4) : kind == 1 ? -draw(0, 4) : kind == 2 ? draw(-4, 4) : 0;
        b[i] = draw(-6, 6);
    }
    if (!matrix) {
        dls_problem *p;
        dls_error error;
        static double one = 1.0;
        static dls_mass_dense mass[COLUMNS];
        int cy = margin;
        assert_status(dls_problem_allocate(NOISY, COLUMNS, NOISY * COLUMNS, NOISY * COLUMNS, COLUMNS, &p, &error),
                      &error);
        p->form = DLS_FORM_MECHANICAL, p->h = 0.01;
        for (size_t k = 0; k < COLUMNS; k++) {
            mass[k] = (dls_mass_dense){1, &one, &one};
            p->mass.blocks[k] = (dls_mass_block){k, 1, &dls_mass_dense_kind, &mass[k]};
            p->v_star[k] = draw(-3, 3);
        }
        for (size_t i = 0; i < NOISY; i++) {
            for (size_t k = i * COLUMNS; k < (i + 1) * COLUMNS; k++) {
                p->J.offset[k] = k % COLUMNS, p->J.mass[k] = (uint32_t)(k % COLUMNS), p->J.coef_at[k + 1] = k + 1;
                p->J.coef[k] = (int)i < last ? draw(-5, 5) : 0.0;
                for (size_t r = 0; r < NOISY - 1 && (int)i == last; r++)
                    p->J.coef[k] -= y[r] * p->J.coef[r * COLUMNS + k % COLUMNS];
            }
            p->J.start[i + 1] = (i + 1) * COLUMNS;
            p->gamma[i] = y[i] == 0 ? 0.5 * draw(0, 1) : 0.0;
            p->parent[i] = DLS_NONE, p->lo[i] = lo[i], p->hi[i] = hi[i];
            p->c[i] = b[i];
            cy -= (int)i < last ? (int)b[i] * y[i] : 0;
        }
        p->J.n_blocks = NOISY * COLUMNS;
        p->c[last] = cy; /* b.y = -c.y */
        return p;
    }
    for (int j = 0; j < NOISY; j++) {
        const bool two = !isinf(lo[j]) && !isinf(hi[j]), none = isinf(lo[j]) && isinf(hi[j]);
        const int z = none || draw(0, 1) ? 0 : two ? draw(-3, 3) : isinf(hi[j]) ? -draw(0, 3) : draw(0, 3);
        int sum = 0;
        for (int i = 0; i < last; i++) {
            A[i + NOISY * j] = draw(-5, 5);
            sum += y[i] * (int)A[i + NOISY * j];
        }
        A[last + NOISY * j] = z - sum;
        supremum += z > 0 ? z * (int)hi[j] : z < 0 ? z * (int)lo[j] : 0;
    }
    for (int i = 0; i < last; i++)
        supremum += (int)b[i] * y[i];
    b[last] = -margin - supremum;
    dls_problem *p = matrix_problem(NOISY, A, b, lo, hi);
    for (size_t i = 0; i < NOISY; i++) { /* what the diagonal loses Gamma has */
        const int part = draw(0, 3);
        for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++)
            for (size_t at = p->J.coef_at[k], j = p->J.offset[k]; at < p->J.coef_at[k + 1]; at++, j++)
                if (j == i)
                    p->J.coef[at] -= part, p->gamma[i] = part;
    }
    return p;
}

/* A vector without noise is a proof as it stands, with the margin of its definition; up to the sharpest of what counts
 * as small those with noise are made exact, beyond that fewer and fewer, and no margin is better than the noise allows.
 * A y of margin 0 proves nothing, but another one near it may. How many are proved is the same on every processor. */
static void test_vectors_with_noise(void **unused)
{
    static const double noises[] = {0.0, 1e-16, 1e-14, 1e-12, 1e-10, 1e-8, 1e-6};
    enum { NOISES = sizeof noises / sizeof noises[0], ROUNDS = 100 };
    static const int known[2][NOISES] = {{75, 75, 75, 75, 75, 75, 75}, {75, 62, 64, 61, 64, 60, 36}};
    int count[2][NOISES] = {{0}};
    (void)unused;
    for (int round = 0; round < 2 * ROUNDS; round++) {
        const bool matrix = round % 2 == 0;
        const int margin = round % 8 < 2 ? 0 : draw(1, 5);
        int y[NOISY], largest = 0;
        dls_problem *p = unsolvable(matrix, y, margin);
        for (int i = 0; i < NOISY; i++)
            largest = abs(y[i]) > largest ? abs(y[i]) : largest;
        for (int k = 0; k < NOISES; k++) {
            double hint[NOISY];
            for (int i = 0; i < NOISY; i++)
                hint[i] = 0.5 * y[i] * (1.0 + noises[k] * draw(-9, 9)) + 0.1 * noises[k] * draw(-9, 9);
            const dls_farkas_proof proof = verify(p, hint);
            const double exact = (double)margin / largest;
            count[matrix][k] += proof.proved;
            if (k == 0 && margin > 0)
                assert_true(proof.proved && proof.margin <= exact && proof.margin >= exact * (1.0 - DBL_EPSILON));
            if (proof.proved)
                assert_true(fabs(proof.margin - exact) <= 1e4 * noises[k] + DBL_EPSILON * exact);
        }
        dls_problem_destroy(p);
    }
    for (int form = 0; form < 2; form++)
        for (int k = 0; k < NOISES; k++) {
            print_message("%d%s", count[form][k], k + 1 < NOISES ? ", " : "\n");
            assert_true(abs(count[form][k] - known[form][k]) <= (k > 0 ? 2 : 0));
        }
}

/* Slack that is not rounding of the hint, but of the problem: lambda = (0, 3e13) solves it. */
static void test_a_slack_is_no_proof(void **unused)
{
    const double A[4] = {1.0, 0.0, 0.0, 3e-14}, b[2] = {0.0, -1.0}, y[2] = {0.0, 1.0};
    dls_problem *p = matrix_problem(2, A, b, NULL, NULL);
    (void)unused;
    assert_false(verify(p, y).proved);
    dls_problem_destroy(p);
    const double B[4] = {1.0, 1.0, 1.0, 1.0 + DBL_EPSILON}, c[2] = {1.0, -1.0 - 1e-9}, z[2] = {1.0, -1.0},
                 lo[2] = {-HUGE_VAL, -HUGE_VAL}; /* free rows, regular by one unit in the last place */
    p = matrix_problem(2, B, c, lo, NULL);
    assert_false(verify(p, z).proved);
    dls_problem_destroy(p);
}

/* An exact proof of margin 2^-60, and one whose y is not representable: y = (1, 3, 1 / 3) up to a factor. */
static void test_small_margins_and_rational_vectors(void **unused)
{
    const double zero[1] = {0.0}, b[1] = {-ldexp(1.0, -60)}, one[1] = {2.0};
    dls_problem *p = matrix_problem(1, zero, b, NULL, NULL);
    (void)unused;
    dls_farkas_proof proof = verify(p, one);
    assert_true(proof.proved && proof.margin == ldexp(1.0, -60));
    dls_problem_destroy(p);
    /* columns: 3 y_0 - y_1 = 0 and y_1 - 9 y_2 = 0, for A^T has them as rows */
    const double A[9] = {3, -1, 0, 0, 1, -9, 0, 0, 0}, c[3] = {0, 0, -1}, y[3] = {0.1, 0.3, 0.1 / 3.0},
                 lo[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    p = matrix_problem(3, A, c, lo, NULL);
    proof = verify(p, y);
    assert_true(proof.proved);
    assert_close(proof.margin, 1.0 / 9.0, DBL_EPSILON);
    assert_true(proof.margin <= 1.0 / 9.0);
    dls_problem_destroy(p);
}

/* Two ball joints at one point, and a target speed that differs by 1e-3: rows 0 to 2 against rows 3 to 5. With
 * compliance on one of the rows there is a solution, and no proof. */
static void test_mechanical_contradictions(void **unused)
{
    dls_problem *p = chain(1, 1.0), *twice;
    double y[6] = {0.0, 0.0, 1.0, 0.0, 0.0, -1.0 + 1e-16};
    dls_error error = {0};
    (void)unused;
    assert_int_equal(p->n, 3);
    size_t blocks = p->J.n_blocks, coefs = p->J.coef_at[blocks];
    assert_status(dls_problem_allocate(6, p->nv, 2 * blocks, 2 * coefs, 1, &twice, &error), &error);
    twice->form = DLS_FORM_MECHANICAL, twice->h = p->h;
    twice->mass.blocks[0] = p->mass.blocks[0];
    memcpy(twice->v_star, p->v_star, p->nv * sizeof *p->v_star);
    for (size_t i = 0; i < 6; i++) {
        twice->lo[i] = -HUGE_VAL, twice->hi[i] = HUGE_VAL, twice->parent[i] = DLS_NONE;
        twice->J.start[i + 1] = (i < 3 ? 0 : blocks) + p->J.start[i % 3 + 1];
    }
    for (size_t k = 0; k < 2 * blocks; k++) {
        twice->J.offset[k] = p->J.offset[k % blocks], twice->J.mass[k] = p->J.mass[k % blocks];
        twice->J.coef_at[k + 1] = (k < blocks ? 0 : coefs) + p->J.coef_at[k % blocks + 1];
    }
    for (size_t c = 0; c < 2 * coefs; c++)
        twice->J.coef[c] = p->J.coef[c % coefs];
    assert_false(verify(twice, y).proved); /* they agree */
    twice->c[5] = -1e-3;
    double opposite[6];
    for (int i = 0; i < 6; i++)
        opposite[i] = -y[i];
    bool forth = verify(twice, y).proved, back = verify(twice, opposite).proved;
    assert_true(forth != back); /* one of the two signs contradicts */
    twice->gamma[5] = 1e-9;
    assert_false(verify(twice, y).proved);
    assert_false(verify(twice, opposite).proved);
    dls_problem_destroy(twice);
    dls_problem_destroy(p);
}

/* J^T y is 0 but for one entry of it, whichever it is: the row moves one coordinate of the body alone. */
static void test_every_entry_counts(void **unused)
{
    const double y[3] = {1.0, 0.0, 0.0};
    size_t tried = 0;
    (void)unused;
    for (size_t j = 0; j < 6; j++) {
        dls_problem *p = chain(1, 1.0);
        for (size_t c = 0; c < p->J.coef_at[p->J.start[1]]; c++)
            p->J.coef[c] = c == j ? 1e-9 : 0.0;
        for (int sign = -1; sign <= 1; sign += 2) {
            p->c[0] = sign;
            dls_farkas_proof proof = verify(p, y);
            assert_false(proof.proved);
            tried++;
        }
        p->J.coef[j] = 0.0;
        bool proved = verify(p, y).proved;
        p->c[0] = -1.0;
        assert_true(proved || verify(p, y).proved); /* but for this entry it is a proof */
        dls_problem_destroy(p);
    }
    assert_int_equal(tried, 12);
}

static void test_what_is_no_vector(void **unused)
{
    const double A[4] = {0, 0, 0, 0}, b[2] = {-1, -1}, nan_y[2] = {NAN, 1.0}, zero[2] = {0, 0}, wrong[2] = {-1, 0};
    dls_problem *p = matrix_problem(2, A, b, NULL, NULL);
    (void)unused;
    assert_false(verify(p, nan_y).proved);
    assert_false(verify(p, zero).proved);
    assert_false(verify(p, wrong).proved);
    dls_problem_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_doubles_survive),
        cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_mechanical_form),
        cmocka_unit_test(test_residual),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_vectors_with_rounding_are_proved),
        cmocka_unit_test(test_vectors_with_noise),
        cmocka_unit_test(test_long_vectors),
        cmocka_unit_test(test_a_slack_is_no_proof),
        cmocka_unit_test(test_small_margins_and_rational_vectors),
        cmocka_unit_test(test_mechanical_contradictions),
        cmocka_unit_test(test_every_entry_counts),
        cmocka_unit_test(test_what_is_no_vector),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
