/* Certificates of a matrix that is known only within an enclosure, |H' - H|_ij <= slack size_i size_j, against
 * the worst matrix of the enclosure. The enclosures are as wide as a percent or a half, so that what a bound allows for
 * the enclosure is not lost beside what it allows for rounding; and they are such that the bounds of the theorems are
 * reached, so that a bound too small is false, and one too large is seen. */
#include "check.h"
#include "problems.h"

#include "certify/parts.h"

#include <lapacke.h>
#include <string.h>

enum { MOST = 8 };

/* n of the rows of a matrix: those of the test are rows[0..m-1]; the others hold what nothing may read. */
typedef struct enclosure {
    dls_arena memory;
    dls_problem *p;
    dls_stored s;
    size_t m, rows[MOST];
    double size[MOST];
} enclosure;

static unsigned long long draw_bits = 2385;
static double draw(double from, double to)
{
    draw_bits = draw_bits * 6364136223846793005ull + 1442695040888963407ull;
    return from + (to - from) * (double)(draw_bits >> 11) / 9007199254740992.0;
}

/* H (m x m, row-major) at every second row of a larger matrix, or all of one. */
static void enclose(enclosure *e, size_t m, const double *H, const double *size, double slack, bool within_another)
{
    const size_t n = within_another ? 2 * m : m;
    double A[4 * MOST * MOST] = {0.0}, b[2 * MOST] = {0.0};
    const char *why;
    dls_error error;
    *e = (enclosure){.m = m};
    for (size_t i = 0; i < n; i++)
        A[i + n * i] = 1.0;
    e->p = problem_from_matrix(n, A, b, NULL, NULL);
    assert_status(dls_stored_take(e->p, &e->memory, &e->s, &why, &error), &error);
    assert_null(why);
    e->s.mirrored = true, e->s.exact = false, e->s.slack = slack;
    for (size_t i = 0; i < n * n; i++)
        e->s.H[i] = within_another ? draw(-9.0, 9.0) : 0.0;
    for (size_t i = 0; i < n; i++) {
        assert_true(e->s.d[i] == 1.0);
        e->s.size[i] = within_another ? draw(1.0, 9.0) : 0.0;
    }
    for (size_t a = 0; a < m; a++) {
        const size_t i = e->rows[a] = within_another ? 2 * a + 1 : a;
        e->s.size[i] = e->size[a] = size[a];
        for (size_t c = 0; c < m; c++) {
            const size_t j = within_another ? 2 * c + 1 : c;
            e->s.H[j + n * i] = H[c + m * a];
            e->s.mirrored = e->s.mirrored && H[c + m * a] == H[a + m * c];
        }
    }
}

static void release(enclosure *e)
{
    dls_arena_release(&e->memory);
    dls_problem_destroy(e->p);
}

/* The smallest eigenvalue of the symmetric part of H, and its vector. */
static double least_eigenvalue(size_t m, const double *H, double *vector)
{
    double S[MOST * MOST], values[MOST];
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            S[j + m * i] = 0.5 * (H[j + m * i] + H[i + m * j]);
    assert_int_equal(LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'V', 'L', (lapack_int)m, S, (lapack_int)m, values), 0);
    for (size_t i = 0; i < m; i++)
        vector[i] = S[m * i];
    return values[0];
}

/* --- definiteness --- */

/* H = 1 - (1 - g) s s^T / |s|^2, and a skew part: its smallest eigenvalue is g, with the vector s, to which the worst
 * matrix of the enclosure, H - slack s s^T, does most. |s|^2. */
static double draw_definite(size_t m, double g, bool skew, double *H, double *s)
{
    double square = 0.0;
    for (size_t i = 0; i < m; i++) {
        s[i] = draw(0.3, 1.2);
        square += s[i] * s[i];
    }
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            H[j + m * i] = (i == j) - (1.0 - g) * s[i] * s[j] / square + (skew ? (double)j - (double)i : 0.0);
    return square;
}

TEST(test_definite)
{
    for (size_t round = 0; round < 60; round++) {
        const size_t m = 1 + round % MOST;
        const bool skew = round % 3 == 2;
        const double g = draw(0.01, 0.5), share = round % 2 ? 0.75 : 0.0; /* of g that is wanted */
        double H[MOST * MOST], L[MOST * MOST], worst[MOST * MOST], v[MOST], size[MOST];
        const double square = draw_definite(m, g, skew, H, size);
        size_t proved = 0;
        for (int percent = 2; percent < 200; percent += 3) {
            /* alpha is max(off, wanted), and is proved where off + alpha <= g; off = slack |s|^2 */
            const double ends = share > 0.0 ? (1.0 - share) * g : 0.5 * g, slack = 0.01 * percent * ends / square;
            enclosure e;
            enclose(&e, m, H, size, slack, round % 4 < 2);
            const double alpha = dls_stored_definite(&e.s, m, e.rows, share * g, L);
            for (size_t i = 0; i < m; i++)
                for (size_t j = 0; j < m; j++)
                    worst[j + m * i] = H[j + m * i] - slack * size[i] * size[j];
            const double least = least_eigenvalue(m, worst, v);
            assert_close(least, g - slack * square, 1e-13);
            assert_true(alpha == 0.0 || alpha <= least + 1e-13);
            assert_true((alpha > 0.0) == (percent <= 99));
            if (alpha > 0.0)
                assert_close(alpha, fmax(slack * square, share * g), 1e-10);
            proved += alpha > 0.0;
            release(&e);
        }
        assert_true(proved == 33);
    }
}

/* Rows between both their bounds, whose matrix is no H-matrix for its skew part, beside rows that are held:
 * |x - solution| <= |violations| / alpha. */
TEST(test_definite_between_bounds)
{
    for (size_t round = 0; round < 40; round++) {
        const size_t m = 2 + round % (MOST - 1);
        const double g = draw(0.01, 0.5);
        double H[MOST * MOST], room[4 * MOST * MOST], size[MOST], w[2 * MOST] = {0.0}, wrong[2 * MOST],
                                                                        radius[2 * MOST];
        const double square = draw_definite(m, g, true, H, size);
        for (int percent = 2; percent < 200; percent += 3) {
            dls_slope_part part[2 * MOST];
            double norm = 0.0;
            enclosure e;
            bool proved;
            dls_error error;
            enclose(&e, m, H, size, 0.01 * percent * 0.5 * g / square, true);
            for (size_t i = 0; i < e.s.n; i++)
                part[i] = DLS_SLOPE_HELD, wrong[i] = 9.0;
            for (size_t k = 0; k < m; k++) {
                part[e.rows[k]] = DLS_SLOPE_UNDECIDED;
                wrong[e.rows[k]] = draw(0.0, 1.0);
                norm = hypot(norm, wrong[e.rows[k]]);
            }
            assert_status(dls_slope_radii(&e.s, part, w, w, wrong, room, radius, &proved, &error), &error);
            assert_true(proved == (percent < 100));
            for (size_t k = 0; k < e.s.n; k++)
                if (part[k] == DLS_SLOPE_HELD)
                    assert_true(radius[k] == 0.0);
                else if (proved)
                    assert_close(radius[k], norm / (e.s.slack * square), 1e-9 * radius[k]);
            release(&e);
        }
    }
}

/* (H x)_i of the worst matrix is largest where x is along its row: |H_i| + slack size_i |size|, if both are alike. */
TEST(test_rows)
{
    for (size_t round = 0; round < 40; round++) {
        const size_t m = 1 + round % MOST;
        const double slack = draw(0.0, 0.5);
        double H[MOST * MOST], size[MOST], square = 0.0;
        enclosure e;
        for (size_t i = 0; i < m; i++) {
            size[i] = draw(0.3, 1.2);
            square += size[i] * size[i];
        }
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < m; j++)
                H[j + m * i] = (round % 2 ? -1.0 : 1.0) * size[j];
        enclose(&e, m, H, size, slack, round % 3 == 0);
        for (size_t a = 0; a < m; a++) {
            const double exact = (1.0 + slack * size[a]) * sqrt(square),
                         bound = dls_stored_row(&e.s, e.rows[a], m, e.rows);
            assert_true(bound >= exact * (1.0 - 1e-15));
            assert_close(bound, exact, 1e-13 * exact);
        }
        release(&e);
    }
}

/* --- M-matrices of equal row sums --- */

/* H = 1 - a C, C >= 0 circulant with row sums 1: an M-matrix whose row sums are 1 - a. All sizes are 1, so that the
 * worst matrix of the enclosure is H - slack 1 1^T, with row sums 1 - a - m slack. */
static void circulant(size_t m, double a, double *H)
{
    double weight[MOST] = {0.0}, sum = 0.0;
    for (size_t k = 1; k < m; k++)
        sum += weight[k] = draw(0.2, 1.0);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            H[j + m * i] = i == j ? 1.0 : -a * weight[(j + m - i) % m] / sum;
}

/* A P-matrix as long as no row sum of the worst matrix, H - slack 1 1^T, vanishes: with m slack = 1 - a that is
 * singular. */
TEST(test_P)
{
    for (size_t round = 0; round < 60; round++) {
        const size_t m = 2 + round % (MOST - 1);
        const double a = draw(0.3, 0.9);
        double H[MOST * MOST], room[4 * MOST * MOST], size[MOST];
        circulant(m, a, H);
        for (size_t i = 0; i < m; i++)
            size[i] = 1.0;
        for (int percent = 1; percent < 130; percent += 2) {
            enclosure e;
            bool proved;
            dls_error error;
            enclose(&e, m, H, size, 0.01 * percent * (1.0 - a) / (double)m, false);
            assert_status(dls_stored_is_P(&e.s, room, &proved, &error), &error);
            assert_true(proved == (percent < 100));
            release(&e);
        }
    }
    for (int percent = 50; percent < 150; percent += 3) { /* one row, a triangle: each row is a block of its own */
        const double one = 1.0, triangle[4] = {1.0, 0.0, -5.0, 1.0}, sizes[2] = {1.0, 0.0};
        double room[16];
        enclosure e;
        bool proved;
        dls_error error;
        enclose(&e, 1, &one, &one, 0.01 * percent, false);
        assert_status(dls_stored_is_P(&e.s, room, &proved, &error), &error);
        assert_true(proved == (percent < 100));
        release(&e);
        enclose(&e, 2, triangle, sizes, 0.01 * percent, false);
        assert_status(dls_stored_is_P(&e.s, room, &proved, &error), &error);
        assert_true(proved == (percent < 100));
        release(&e);
    }
}

/* w = -1 in every row; all free: the worst matrix has x = 1 / (1 - a - m slack) in every row. Rows with both their
 * bounds, w wrong by 1, have the same distance to the solution at most, which -H'^-1 1 reaches for free rows. A matrix
 * without an allowance is an M-matrix, and so is its Schur complement: the same distance bounds all rows, however they
 * are split. Their system is solved to a thousandth of the largest entry; with off-diagonal sums up to 1/4 that is a
 * residual of at most 0.00025 of it, which the weights u, between 9/8 and 1.57, with <B> u at least 0.73, amplify to
 * 0.0006. */
TEST(test_radii)
{
    int furthest = 0;
    double least_ratio = HUGE_VAL, ratio[3] = {0.0, 0.0, 0.0};
    for (size_t round = 0; round < 300; round++) {
        const size_t m = 1 + round % MOST, kind = round % 3; /* all free, none, every other one */
        const double a = m > 1 ? draw(0.1, 0.8) : 0.0,
                     slack = (round % 4 ? draw(0.0, 0.9) : 0.0) * (1.0 - a) / (double)m;
        double H[MOST * MOST], room[4 * MOST * MOST], size[MOST], w[2 * MOST],
            w_error[2 * MOST] = {0.0}, wrong[2 * MOST], radius[2 * MOST];
        dls_slope_part part[2 * MOST];
        enclosure e;
        bool proved;
        dls_error error;
        circulant(m, a, H);
        for (size_t i = 0; i < m; i++)
            size[i] = 1.0;
        enclose(&e, m, H, size, slack, round % 2 == 0);
        for (size_t i = 0; i < e.s.n; i++) { /* what is held moves nothing */
            part[i] = DLS_SLOPE_HELD;
            w[i] = wrong[i] = 9.0;
        }
        for (size_t k = 0; k < m; k++) {
            const size_t i = e.rows[k];
            part[i] = kind == 0 || (kind == 2 && k % 2 == 0) ? DLS_SLOPE_FREE : DLS_SLOPE_UNDECIDED;
            w_error[i] = round % 5 ? 0.0 : 0.25;
            w[i] = part[i] == DLS_SLOPE_FREE ? -1.0 + w_error[i] : 0.0;
            wrong[i] = 1.0;
        }
        assert_status(dls_slope_radii(&e.s, part, w, w_error, wrong, room, radius, &proved, &error), &error);
        if (kind == 0 && slack * (double)m > 0.49 * (1.0 - a)) { /* |1 - R H| is not below 1/2 */
            release(&e);
            continue;
        }
        const double worst = 1.0 / (1.0 - a - slack * (double)m);
        for (size_t k = 0; k < e.s.n; k++) {
            const bool held = part[k] == DLS_SLOPE_HELD;
            if (held)
                assert_true(radius[k] == 0.0);
            if (held || !proved)
                continue;
            least_ratio = fmin(least_ratio, radius[k] / worst);
            ratio[kind] = fmax(ratio[kind], radius[k] / worst);
            if (a + slack * (double)m <= 0.25 && (kind == 1 || slack == 0.0))
                assert_true(radius[k] <= worst * 1.002);
        }
        if (kind < 2 || slack == 0.0)
            assert_true(proved);
        release(&e);
    }
    for (size_t round = 0; round < 80; round++) { /* none is proved where the worst matrix is singular or beyond */
        const size_t m = 2 + round % (MOST - 1);
        const bool mixed = round % 2;
        const double a = draw(0.3, 0.9);
        double H[MOST * MOST], room[4 * MOST * MOST], size[MOST], w[2 * MOST] = {0.0}, wrong[2 * MOST],
                                                                        radius[2 * MOST];
        dls_slope_part part[2 * MOST];
        circulant(m, a, H);
        for (size_t i = 0; i < m; i++)
            size[i] = wrong[i] = 1.0, part[i] = mixed && i % 2 ? DLS_SLOPE_FREE : DLS_SLOPE_UNDECIDED;
        for (int percent = 1; percent < 130; percent += 2) {
            enclosure e;
            bool proved;
            dls_error error;
            enclose(&e, m, H, size, 0.01 * percent * (1.0 - a) / (double)m, false);
            assert_status(dls_slope_radii(&e.s, part, w, w, wrong, room, radius, &proved, &error), &error);
            assert_true(mixed ? !proved || percent < 100 : proved == (percent < 100));
            if (mixed && proved)
                furthest = percent > furthest ? percent : furthest;
            release(&e);
        }
    }
    print_message("# mixed rows are proved up to %d %% of what makes the worst matrix singular\n", furthest);
    assert_true(furthest > 60);
    print_message("# radius / worst: from %.17g; all free %g, all undecided %g, mixed %g\n", least_ratio, ratio[0],
                  ratio[1], ratio[2]);
    assert_true(least_ratio >= 1.0 - 1e-12);
    assert_true(ratio[0] <= 1.0 + 1e-12);
}

/* Chains of undecided rows, each of which depends on the next: the rows are solved one after another in the one order
 * in which no error grows, whichever way they are numbered, and the radii are those of the inverse matrix, 1.5^k. */
TEST(test_chains_of_undecided_rows)
{
    enum { CHAIN = 150 };
    for (int way = 0; way < 3; way++) {
        static double A[CHAIN * CHAIN], b[CHAIN], w[CHAIN], wrong[CHAIN], room[CHAIN * CHAIN], radius[CHAIN];
        dls_slope_part part[CHAIN];
        size_t place[CHAIN];
        dls_arena memory = {0};
        dls_stored s;
        const char *why;
        dls_error error;
        bool proved;
        memset(A, 0, sizeof A);
        for (size_t k = 0; k < CHAIN; k++) {
            place[k] = way == 0 ? k : way == 1 ? CHAIN - 1 - k : k * 77 % CHAIN; /* 77 and 150 have no common factor */
            wrong[k] = 1.0;
            part[k] = DLS_SLOPE_UNDECIDED;
        }
        for (size_t k = 0; k < CHAIN; k++) {
            A[place[k] + CHAIN * place[k]] = 1.0;
            if (k + 1 < CHAIN)
                A[place[k] + CHAIN * place[k + 1]] = k % 2 ? 1.5 : -1.5;
        }
        dls_problem *p = problem_from_matrix(CHAIN, A, b, NULL, NULL);
        assert_status(dls_stored_take(p, &memory, &s, &why, &error), &error);
        assert_null(why);
        assert_status(dls_slope_radii(&s, part, w, w, wrong, room, radius, &proved, &error), &error);
        assert_true(proved);
        double sum = 0.0;
        for (size_t k = CHAIN; k-- > 0;) {
            sum = 1.0 + 1.5 * sum;
            assert_true(radius[place[k]] >= sum * (1.0 - 1e-12));
            assert_true(radius[place[k]] <= sum * (1.0 + 1e-4));
        }
        dls_arena_release(&memory);
        dls_problem_destroy(p);
    }
}

/* --- the distance of two vectors of impulses --- */

/* sqrt(a . A a + sum |a_i| (shift_i + errors) + sum radius_i (|A a|_i + shift_i + errors)), or without a solution near
 * by sqrt(a . A a + sum |a_i| errors); in any units. */
TEST(test_distance)
{
    for (size_t round = 0; round < 400; round++) {
        const size_t n = 1 + round % MOST;
        const bool alone = round % 2, still = round % 37 == 0;
        const double impulse = ldexp(1.0, (int)draw(-300.0, 300.0)), speed = ldexp(1.0, (int)draw(-300.0, 300.0));
        double given[MOST], w_given[MOST], given_error[MOST], w[MOST], w_error[MOST], radius[MOST], shift[MOST],
            sum = 0.0, product = 0.0;
        dls_twofold lambda[MOST];
        for (size_t i = 0; i < n; i++) {
            const double a = still ? 0.0 : draw(-1.0, 1.0), moved = draw(-1.0, 1.0),
                         r = round % 3 ? draw(0.0, 0.3) : 0.0;
            const double low = ldexp(1.0, -60), error_one = draw(0.0, 0.01), error_two = draw(0.0, 0.02),
                         shifted = draw(0.0, 0.1), errors = error_one + error_two + (alone ? 0.0 : shifted);
            lambda[i] = (dls_twofold){impulse * draw(-1.0, 1.0), impulse * low};
            given[i] = lambda[i].high + impulse * a;
            w[i] = speed * draw(-1.0, 1.0);
            w_given[i] = w[i] + speed * moved;
            given_error[i] = speed * error_one, w_error[i] = speed * error_two;
            radius[i] = impulse * r, shift[i] = speed * shifted;
            product += a * moved;
            sum += fabs(a) * errors + (alone ? 0.0 : r * (fabs(moved) + errors));
        }
        const dls_vicinity near = {lambda, w, w_error, alone ? NULL : radius, alone ? NULL : shift};
        const double found = dls_stored_distance(n, given, w_given, given_error, &near),
                     exact = sqrt(impulse) * sqrt(speed) * sqrt(fmax(0.0, product) + sum);
        assert_true(found >= exact * (1.0 - 1e-12));
        if (sum > 0.01)
            assert_close(found, exact, 1e-9 * exact);
    }
    const double x[1] = {2.0}, error[1] = {0.1};
    const dls_twofold same[1] = {{2.0, 0.0}};
    const dls_vicinity near = {same, x, error, NULL, NULL};
    assert_true(dls_stored_distance(1, x, x, error, &near) == 0.0);
    const double infinite[1] = {HUGE_VAL}, other[1] = {1.0};
    assert_true(isinf(dls_stored_distance(1, infinite, x, error, &near)));
    assert_true(isinf(dls_stored_distance(1, other, infinite, error, &near)));
}

/* A triangular matrix is a P-matrix however fast its substitution grows, also where its diagonal is a rounded sum. */
TEST(test_triangular_with_compliance)
{
    double A[MOST * MOST] = {0.0}, b[MOST], room[MOST * MOST];
    dls_arena memory = {0};
    dls_stored s;
    dls_error error;
    const char *why;
    bool proved;
    for (size_t j = 0; j < MOST; j++)
        for (size_t i = j; i < MOST; i++)
            A[i + MOST * j] = i == j ? 1.0 : -30.0, b[i] = -1.0;
    dls_problem *p = problem_from_matrix(MOST, A, b, NULL, NULL);
    for (size_t i = 0; i < MOST; i++)
        p->gamma[i] = 0.1;
    assert_status(dls_stored_take(p, &memory, &s, &why, &error), &error);
    assert_true(!why && !s.exact);
    assert_status(dls_stored_is_P(&s, room, &proved, &error), &error);
    assert_true(proved);
    dls_bounds bounds;
    double lambda[MOST], sum = 0.0; /* by substitution */
    for (size_t i = 0; i < MOST; i++) {
        lambda[i] = (1.0 + 30.0 * sum) / 1.1;
        sum += lambda[i];
    }
    assert_status(dls_certify(p, lambda, &bounds, &error), &error);
    print_message("# %s\n", bounds.text);
    assert_true(bounds.kind == DLS_BOUNDS_ACTIVE_SET && bounds.unique);
    dls_bounds_release(&bounds);
    dls_arena_release(&memory);
    dls_problem_destroy(p);
}
