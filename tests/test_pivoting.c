/* Lemke's and Dantzig's paths. Of a P-matrix the path is known without any basis: with the right side b + d t (Lemke),
 * or with one impulse held and moved (Dantzig), the solution is unique and piecewise linear, and each pivot is a place
 * where a row changes between its lower bound, free, and its upper bound. These places are counted here, by
 * elimination on the free rows: a method that follows the path needs no more pivots. */
#include "delassus/reference.h"

#include "check.h"
#include "draws.h"
#include "problems.h"

#include <float.h>
#include <string.h>

enum { N_MAX = 12, SETTINGS_MAX = 512, PROBLEMS = 300 };

typedef enum place { AT_LOWER, FREE, AT_UPPER, HELD } place;

typedef struct problem {
    size_t n;
    double A[N_MAX][N_MAX], b[N_MAX], lo[N_MAX], hi[N_MAX];
    place place[N_MAX];
    double held[N_MAX]; /* lambda of a row that is held */
} problem;

/* --- random problems --- */

/* Unit diagonal, so that the methods' own units are these; diagonally dominant: definite, and a P-matrix. */
static void random_problem(problem *p, size_t n, bool symmetric, int bounds)
{
    p->n = n;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            p->A[i][j] = i == j ? 1.0 : symmetric && j < i ? p->A[j][i] : uniform(-1.0, 1.0) * 1.6 / (double)n;
        const int kind = bounds == 0 ? 0 : (int)(5.0 * uniform(0.0, 1.0));
        p->b[i] = 4.0 * uniform(0.0, 1.0) - 2.6;
        p->lo[i] = kind == 1 || kind == 4 ? -HUGE_VAL : kind == 2 ? -0.5 * uniform(0.0, 1.0) : 0.0;
        p->hi[i] = kind == 0 || kind == 4 ? HUGE_VAL : kind == 1 ? 0.3 * uniform(0.0, 1.0) : 0.1 + uniform(0.0, 1.0);
        if (bounds == 2 && kind == 3)
            p->lo[i] = 0.2 * p->hi[i];
    }
}

/* --- the solution along the path --- */

static void eliminate(size_t m, double M[N_MAX][N_MAX], double *x)
{
    for (size_t k = 0; k < m; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < m; i++)
            best = fabs(M[i][k]) > fabs(M[best][k]) ? i : best;
        for (size_t j = 0; j < m; j++) {
            const double swap = M[k][j];
            M[k][j] = M[best][j], M[best][j] = swap;
        }
        const double swap = x[k];
        x[k] = x[best], x[best] = swap;
        for (size_t i = k + 1; i < m; i++) {
            const double factor = M[i][k] / M[k][k];
            for (size_t j = k; j < m; j++)
                M[i][j] -= factor * M[k][j];
            x[i] -= factor * x[k];
        }
    }
    for (size_t k = m; k-- > 0;) {
        for (size_t j = k + 1; j < m; j++)
            x[k] -= M[k][j] * x[j];
        x[k] /= M[k][k];
    }
}

/* lambda and w = A lambda + b + shift where w is 0 on free rows and the others rest. */
static void solve(const problem *p, const double *shift, double *lambda, double *w)
{
    double M[N_MAX][N_MAX], x[N_MAX];
    size_t free_row[N_MAX], m = 0;
    for (size_t i = 0; i < p->n; i++) {
        lambda[i] = p->place[i] == AT_LOWER ? p->lo[i] : p->place[i] == AT_UPPER ? p->hi[i] : p->held[i];
        if (p->place[i] == FREE)
            lambda[i] = 0.0, free_row[m++] = i;
    }
    for (size_t k = 0; k < m; k++) {
        x[k] = -p->b[free_row[k]] - shift[free_row[k]];
        for (size_t j = 0; j < p->n; j++)
            x[k] -= p->A[free_row[k]][j] * lambda[j];
        for (size_t j = 0; j < m; j++)
            M[k][j] = p->A[free_row[k]][free_row[j]];
    }
    eliminate(m, M, x);
    for (size_t k = 0; k < m; k++)
        lambda[free_row[k]] = x[k];
    for (size_t i = 0; i < p->n; i++) {
        w[i] = p->b[i] + shift[i];
        for (size_t j = 0; j < p->n; j++)
            w[i] += p->A[i][j] * lambda[j];
    }
}

/* --- Lemke --- */

/* The value to which t >= 0 has to fall before row i changes, and to what; -1: it does not. */
static double change_at(const problem *p, size_t i, double t, const double l[2], const double w[2], place *to)
{
    double at = -1.0;
    *to = FREE;
    if (p->place[i] != FREE) {
        const double slope = w[1] - w[0], from = w[0] + slope * t;
        const bool falls = p->place[i] == AT_LOWER ? slope > 0.0 : slope < 0.0;
        at = falls && p->lo[i] < p->hi[i] ? t - from / slope : -1.0;
    } else {
        const double slope = l[1] - l[0], end = slope > 0.0 ? p->lo[i] : p->hi[i];
        *to = slope > 0.0 ? AT_LOWER : AT_UPPER;
        at = isfinite(end) && slope != 0.0 ? t - (l[0] + slope * t - end) / slope : -1.0;
    }
    return fmin(at, t);
}

static size_t lemke_changes(problem *p)
{
    double zero[N_MAX] = {0.0}, d[N_MAX] = {0.0}, l[2][N_MAX], w[2][N_MAX], t = 1e6;
    size_t count = 0;
    for (size_t i = 0; i < p->n; i++) {
        p->place[i] = isfinite(p->lo[i]) ? AT_LOWER : isfinite(p->hi[i]) ? AT_UPPER : FREE;
        d[i] = p->place[i] == AT_LOWER ? 1.0 : p->place[i] == AT_UPPER ? -1.0 : 0.0;
    }
    for (;;) {
        double next = 0.0;
        size_t row = p->n;
        place to = FREE;
        solve(p, zero, l[0], w[0]);
        solve(p, d, l[1], w[1]);
        for (size_t i = 0; i < p->n; i++) {
            place changed;
            const double at = change_at(p, i, t, (double[]){l[0][i], l[1][i]}, (double[]){w[0][i], w[1][i]}, &changed);
            if (at > next)
                next = at, row = i, to = changed;
        }
        if (row == p->n)
            return count;
        p->place[row] = to, t = next, count++;
        assert_true(count < 1000);
    }
}

/* --- Dantzig --- */

/* How far the held impulse of `driven` has to move in direction s before row i changes. Rows that wait stay where they
 * are. */
static double move_to(const problem *p, size_t i, size_t driven, const bool *waits, const double l[2],
                      const double w[2], place *to)
{
    const double l_slope = l[1] - l[0], w_slope = w[1] - w[0];
    *to = FREE;
    if (i == driven) { /* joins the free rows where w is 0, or rests at the bound that it meets */
        const double end = l_slope > 0.0 ? p->hi[i] : p->lo[i], to_end = fabs(end - l[0]), to_zero = -w[0] / w_slope;
        *to = to_end < to_zero ? (l_slope > 0.0 ? AT_UPPER : AT_LOWER) : FREE;
        return fmin(to_end, to_zero);
    }
    if (waits[i])
        return HUGE_VAL;
    if (p->place[i] == FREE) {
        const double end = l_slope > 0.0 ? p->hi[i] : p->lo[i];
        *to = l_slope > 0.0 ? AT_UPPER : AT_LOWER;
        return l_slope == 0.0 || !isfinite(end) ? HUGE_VAL : fmax((end - l[0]) / l_slope, 0.0);
    }
    const bool towards = p->place[i] == AT_LOWER ? w_slope < 0.0 : w_slope > 0.0;
    return towards && p->lo[i] < p->hi[i] ? fmax(-w[0] / w_slope, 0.0) : HUGE_VAL;
}

static size_t drive(problem *p, size_t driven, bool *waits)
{
    const double zero[N_MAX] = {0.0};
    double l[2][N_MAX], w[2][N_MAX];
    size_t count = 0;
    solve(p, zero, l[0], w[0]);
    const bool lower = p->held[driven] == p->lo[driven], upper = p->held[driven] == p->hi[driven];
    const double s = w[0][driven] < 0.0 ? 1.0 : -1.0;
    if ((lower && w[0][driven] >= 0.0) || (upper && w[0][driven] <= 0.0)) {
        p->place[driven] = lower ? AT_LOWER : AT_UPPER, waits[driven] = false;
        return 0;
    }
    while (waits[driven]) {
        double least = HUGE_VAL;
        size_t row = p->n;
        place to = FREE;
        solve(p, zero, l[0], w[0]);
        p->held[driven] += s;
        solve(p, zero, l[1], w[1]);
        p->held[driven] -= s;
        for (size_t i = 0; i < p->n; i++) {
            place changed;
            const double length =
                move_to(p, i, driven, waits, (double[]){l[0][i], l[1][i]}, (double[]){w[0][i], w[1][i]}, &changed);
            if (length < least)
                least = length, row = i, to = changed;
        }
        assert_true(row < p->n && count < 1000);
        p->held[driven] += s * least;
        p->place[row] = to;
        waits[row] = false;
        count++;
    }
    return count;
}

/* The rows by what they violate at the start, the largest first. */
static size_t dantzig_changes(problem *p)
{
    const double zero[N_MAX] = {0.0};
    double l[N_MAX], w[N_MAX], violation[N_MAX];
    bool waits[N_MAX], done[N_MAX] = {false};
    size_t count = 0;
    for (size_t i = 0; i < p->n; i++) {
        p->held[i] = fmax(p->lo[i], fmin(p->hi[i], 0.0));
        waits[i] = isfinite(p->lo[i]) || isfinite(p->hi[i]);
        p->place[i] = waits[i] ? HELD : FREE;
    }
    solve(p, zero, l, w);
    for (size_t i = 0; i < p->n; i++)
        violation[i] = p->held[i] == p->lo[i] ? -w[i] : p->held[i] == p->hi[i] ? w[i] : fabs(w[i]);
    for (size_t k = 0; k < p->n; k++) {
        size_t worst = p->n;
        for (size_t i = 0; i < p->n; i++)
            if (!done[i] && (worst == p->n || violation[i] > violation[worst]))
                worst = i;
        done[worst] = true;
        if (waits[worst])
            count += drive(p, worst, waits);
    }
    return count;
}

/* --- the methods --- */

static size_t pivots_of(const char *solver, const problem *p, double *lambda)
{
    double A[N_MAX * N_MAX];
    char settings[SETTINGS_MAX];
    const dls_solver *method = dls_direct_find(solver);
    dls_report report = {0};
    dls_error error;
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < p->n; j++)
            A[i + p->n * j] = p->A[i][j];
    dls_problem *made = problem_from_matrix(p->n, A, p->b, p->lo, p->hi);
    assert_status(dls_fields_default(&method->fields, settings, &error), &error);
    memset(lambda, 0, p->n * sizeof *lambda);
    assert_status(dls_solve(method, made, settings, 1, lambda, &report, NULL, NULL, &error), &error);
    assert_int_equal(report.outcome, DLS_OUTCOME_SOLVED);
    assert_string_equal(report.message, ""); /* that the last step had to mend anything would be told */
    const size_t pivots = report.iterations;
    dls_report_release(&report);
    dls_problem_destroy(made);
    return pivots;
}

static void compare(const char *solver, bool symmetric, size_t (*changes)(problem *), size_t end)
{
    size_t most = 0;
    draw_seed(2385);
    for (int bounds = 0; bounds < 3; bounds++)
        for (size_t k = 0; k < PROBLEMS; k++) {
            const double zero[N_MAX] = {0.0};
            double lambda[N_MAX], l[N_MAX], w[N_MAX];
            problem p;
            random_problem(&p, 1 + k % N_MAX, symmetric, bounds);
            size_t expected = changes(&p), pivots = pivots_of(solver, &p, lambda);
            expected += expected > 0 ? end : 0;
            if (pivots > expected)
                fail_msg("%s, bounds %d, problem %zu of %zu rows: %zu pivots, expected at most %zu", solver, bounds, k,
                         p.n, pivots, expected);
            solve(&p, zero, l, w);
            for (size_t i = 0; i < p.n; i++)
                assert_close(lambda[i], l[i], 1e-10);
            most = expected > most ? expected : most;
        }
    assert_true(most >= N_MAX); /* some paths are long */
}

/* The last pivot takes t out. */
TEST(test_lemke)
{
    compare("lemke", false, lemke_changes, 1);
    compare("lemke", true, lemke_changes, 1);
}

/* Where many ratios agree a path may go round in a circle (M. M. Kostreva, "Cycling in linear complementarity
 * problems", Math. Programming 16 (1979)), but not if it is that of b + eps g, g_i = exp(i golden sections
 * mod 1): that one is counted with a small eps, where nothing agrees. It may be longer at its end, for t leaves as soon
 * as it is tied. */
TEST(test_lemke_breaks_ties)
{
    draw_seed(2385);
    for (size_t k = 0; k < 4 * PROBLEMS; k++) {
        problem p = {.n = 3 + 2 * (k % 4)};
        double lambda[N_MAX], fraction = 0.0;
        for (size_t i = 0; i < p.n; i++) {
            p.b[i] = k < PROBLEMS ? -1.0 : -floor(3.0 * uniform(0.0, 1.0)), p.hi[i] = HUGE_VAL;
            for (size_t j = 0; j < p.n; j++)
                p.A[i][j] = i == j ? 1.0 : j == (i + 1) % p.n ? 2.0 : 0.0;
        }
        for (size_t i = 0; k >= 2 * PROBLEMS && i < p.n; i++) /* triangular: a P-matrix too */
            for (size_t j = 0; j < i; j++)
                p.A[i][j] = floor(3.0 * uniform(0.0, 1.0)), p.A[j][i] = 0.0;
        const size_t pivots = pivots_of("lemke", &p, lambda);
        for (size_t i = 0; i < p.n; i++) {
            fraction = fmod(fraction + 0.6180339887498949, 1.0);
            p.b[i] += 1e-7 * exp(fraction);
        }
        assert_true(pivots <= lemke_changes(&p) + 1);
    }
}

/* Equations with multipliers: the free rows depend on each other, for A is 0 among them, and A is not symmetric. Their
 * impulses act on the bounded rows, with either sign:
 *     w_i = s_i lambda_m+i + b_i = 0,   w_m+i = lambda_m+i - s_i lambda_i + b_m+i >= 0,   lambda_m+i >= 0
 * with lambda_m+i = x_i > 0, and lambda_i = (x_i + b_m+i) / s_i. */
TEST(test_lemke_splits_dependent_rows)
{
    enum { PAIRS = N_MAX / 2 };
    size_t signs[2] = {0};
    draw_seed(2385);
    for (size_t k = 0; k < PROBLEMS; k++) {
        const size_t m = 1 + k % PAIRS;
        problem p = {.n = 2 * m};
        double lambda[N_MAX], expected[N_MAX];
        for (size_t i = 0; i < m; i++) {
            const double s = 0.5 + uniform(0.0, 1.0), x = 0.1 + uniform(0.0, 1.0);
            p.lo[i] = -HUGE_VAL, p.hi[i] = p.hi[m + i] = HUGE_VAL;
            p.A[i][m + i] = s, p.A[m + i][i] = -s, p.A[m + i][m + i] = 1.0;
            p.b[i] = -s * x, p.b[m + i] = 4.0 * uniform(0.0, 1.0) - 2.0;
            expected[m + i] = x, expected[i] = (x + p.b[m + i]) / s;
            signs[expected[i] > 0.0]++;
        }
        pivots_of("lemke", &p, lambda);
        for (size_t i = 0; i < p.n; i++)
            assert_close(lambda[i], expected[i], 1e-13);
    }
    assert_true(signs[0] > PROBLEMS && signs[1] > PROBLEMS);
}

/* A row whose w has the wrong sign wherever the impulses are within their bounds is a proof, whatever the others are,
 * and wherever the path ends; of a row without bounds either sign is wrong. */
TEST(test_lemke_proves_by_one_row)
{
    const dls_solver *lemke = dls_direct_find("lemke");
    draw_seed(2385);
    for (size_t k = 0; k < 10 * PROBLEMS; k++) {
        const size_t n = 2 + k % 5, row = (size_t)((double)n * uniform(0.0, 1.0));
        const double sign = uniform(0.0, 1.0) < 0.5 ? 1.0 : -1.0;
        double A[N_MAX * N_MAX], b[N_MAX], lo[N_MAX], hi[N_MAX], lambda[N_MAX] = {0.0}, settings[SETTINGS_MAX],
                                                                 most = 0.0;
        dls_report report = {0};
        dls_farkas_proof proof;
        dls_error error;
        for (size_t j = 0; j < n; j++) {
            lo[j] = floor(9.0 * uniform(0.0, 1.0)) - 6.0, hi[j] = lo[j] + 1.0 + floor(3.0 * uniform(0.0, 1.0));
            b[j] = floor(7.0 * uniform(0.0, 1.0)) - 3.0;
            for (size_t i = 0; i < n; i++)
                A[i + n * j] = (floor(7.0 * uniform(0.0, 1.0)) - 3.0) / 2.0;
        }
        const bool free_row = k % 3 == 0;
        lo[row] = sign > 0.0 && !free_row ? 0.0 : -HUGE_VAL, hi[row] = sign > 0.0 || free_row ? HUGE_VAL : 0.0;
        for (size_t j = 0; j < n; j++) {
            double *a = &A[row + n * j];
            if (j != row && uniform(0.0, 1.0) < 0.3) /* no bound where nothing comes of it */
                *a = 0.0, hi[j] = HUGE_VAL;
            *a = j != row ? *a : free_row ? 0.0 : -fabs(*a);
            most += *a == 0.0 || j == row ? 0.0 : sign * *a * (sign * *a > 0.0 ? hi[j] : lo[j]);
        }
        b[row] = sign * (-0.5 - most);
        dls_problem *p = problem_from_matrix(n, A, b, lo, hi);
        assert_status(dls_fields_default(&lemke->fields, settings, &error), &error);
        assert_status(dls_solve(lemke, p, settings, 1, lambda, &report, NULL, NULL, &error), &error);
        assert_int_equal(report.outcome, DLS_OUTCOME_NO_SOLUTION);
        assert_int_equal(report.proof, DLS_PROOF_FARKAS);
        assert_status(dls_farkas_verify(p, report.proof_vector, &proof, &error), &error);
        assert_true(proof.proved);
        dls_report_release(&report);
        dls_problem_destroy(p);
    }
}

TEST(test_dantzig) { compare("dantzig", true, dantzig_changes, 0); }

/* Row 0 ends at lambda = l, and w of row 1, a l - a l, is then 0 but for rounding, on either side: it is driven
 * nowhere. */
TEST(test_dantzig_drives_no_rounding)
{
    size_t negative = 0;
    draw_seed(2385);
    for (size_t k = 0; k < PROBLEMS; k++) {
        const double l = 1.0 + uniform(0.0, 1.0), a = 0.1 + 0.8 * uniform(0.0, 1.0);
        double lambda[N_MAX];
        problem p = {.n = 2,
                     .A = {{1.0, a}, {a, 1.0}},
                     .b = {-l, -(a * (l * (1.0 + (k % 3 == 0 ? DBL_EPSILON : 0.0))))},
                     .hi = {HUGE_VAL, HUGE_VAL}};
        negative += fma(a, l, p.b[1]) < 0.0;
        const size_t pivots = pivots_of("dantzig", &p, lambda);
        if (pivots > 1)
            fail_msg("a = %.17g, l = %.17g: %zu pivots", a, l, pivots);
        assert_close(lambda[0], l, 1e-15 * l);
        assert_close(lambda[1], 0.0, 1e-15 * l);
    }
    assert_in_range(negative, PROBLEMS / 4, PROBLEMS);
}

/* A violation is not rounding because it is small: nothing of w_1 = -1e-11 cancels. */
TEST(test_dantzig_drives_small_violations)
{
    const problem p = {.n = 2, .A = {{1.0, 0.0}, {0.0, 1.0}}, .b = {-1.0, -1e-11}, .hi = {HUGE_VAL, HUGE_VAL}};
    double lambda[N_MAX];
    pivots_of("dantzig", &p, lambda);
    assert_close(lambda[0], 1.0, 0.0);
    assert_close(lambda[1], 1e-11, 0.0);
}

/* Where pivots are no numbers, for A is below the smallest normal number, nothing is said of its eigenvalues. */
TEST(test_dantzig_of_tiny_numbers)
{
    static const double A[4] = {1e-310, 5e-311, 5e-311, 1e-310}, b[2] = {-1e-310, 1e-310};
    double lambda[2] = {0.0, 0.0}, settings[SETTINGS_MAX];
    const dls_solver *dantzig = dls_direct_find("dantzig");
    dls_report report = {0};
    dls_error error;
    dls_problem *p = problem_from_matrix(2, A, b, NULL, NULL);
    assert_status(dls_fields_default(&dantzig->fields, settings, &error), &error);
    assert_status(dls_solve(dantzig, p, settings, 100, lambda, &report, NULL, NULL, &error), &error);
    assert_int_not_equal(report.outcome, DLS_OUTCOME_REFUSED);
    assert_int_not_equal(report.outcome, DLS_OUTCOME_NO_SOLUTION);
    dls_report_release(&report);
    dls_problem_destroy(p);
}

/* Free rows that contradict each other, whichever of them asks for more, alone or beside a row that does not matter. */
TEST(test_contradictions_of_either_sign)
{
    static const double right[][2] = {{1, 2}, {2, 1}, {-1, -2}, {-2, -1}, {1, -1}, {-1, 1}, {0, 1}, {0, -1}};
    for (size_t k = 0; k < 2 * (sizeof right / sizeof right[0]); k++) {
        const double A[9] = {1, 1, 0, 1, 1, 0, 0, 0, 1}, *b = right[k / 2], of[3] = {b[0], b[1], -1},
                     lo[3] = {-HUGE_VAL, -HUGE_VAL, 0}, square[4] = {1, 1, 1, 1};
        double settings[SETTINGS_MAX / sizeof(double)], lambda[3] = {0};
        const dls_solver *solver = dls_direct_find("lemke");
        dls_problem *p;
        dls_report report = {0};
        dls_farkas_proof proof;
        dls_error error;
        assert_status(k % 2 ? dls_problem_from_matrix(3, A, of, lo, NULL, &p, &error)
                            : dls_problem_from_matrix(2, square, of, lo, NULL, &p, &error),
                      &error);
        assert_true(solver->fields.size <= sizeof settings);
        assert_status(dls_fields_default(&solver->fields, settings, &error), &error);
        assert_status(dls_solve(solver, p, settings, 1, lambda, &report, NULL, NULL, &error), &error);
        if (report.outcome != DLS_OUTCOME_NO_SOLUTION)
            fail_msg("b = (%g, %g): %s (%s)", b[0], b[1], dls_outcome_text(report.outcome), report.message);
        assert_status(dls_farkas_verify(p, report.proof_vector, &proof, &error), &error);
        assert_true(proof.proved);
        dls_report_release(&report);
        dls_problem_destroy(p);
    }
}
