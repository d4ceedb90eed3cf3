/* Alart and Curnier's map, its derivative and the sweeps before Newton's steps, against their definitions in plain
 * arithmetic, on rows of every law in every regime. */
#include "direct_solve.h"

#include "direct/cone_map.h"

#include <string.h>

enum { N = 14, DRAWS = 400 };
enum { OPEN, STICKS, SLIDES, ABOVE, REGIMES };

static unsigned state;
static double draw(double from, double to)
{
    state = state * 1664525u + 1013904223u;
    return from + (to - from) * (double)(state >> 8) / 16777216.0;
}

typedef struct sample {
    dls_problem *p;
    int row_unit[N]; /* s = 2^row_unit */
    double s[N], A[N * N], b[N], lambda[N];
    dls_direct d;
} sample;

/* Two cones, one with an upper bound; a normal row with two rows under its box; free, boxed and one-sided rows. */
static void make(sample *m, unsigned seed)
{
    double G[N * N], lo[N], hi[N];
    state = 77 + 7919 * seed;
    for (size_t k = 0; k < N * N; k++)
        G[k] = draw(-1.0, 1.0);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            m->A[i + N * j] = i == j ? 0.5 : 0.0;
            for (size_t k = 0; k < N; k++)
                m->A[i + N * j] += G[i + N * k] * G[j + N * k] / N;
        }
    for (size_t i = 0; i < N; i++) {
        m->b[i] = draw(-3.0, 2.0), m->lambda[i] = draw(-1.0, 2.0);
        lo[i] = 0.0, hi[i] = HUGE_VAL;
    }
    hi[3] = draw(0.1, 1.5), hi[6] = seed % 2 ? HUGE_VAL : 0.75;
    lo[9] = -HUGE_VAL, lo[10] = -0.5, hi[10] = 0.5, lo[11] = -HUGE_VAL, hi[11] = -0.25, lo[12] = 0.25, hi[13] = 0.0;
    m->p = problem_from_matrix(N, m->A, m->b, lo, hi);
    dls_problem_make_cone(m->p, 0, 0.5);
    dls_problem_make_cone(m->p, 3, 0.3);
    for (size_t i = 7; i < 9; i++) {
        m->p->parent[i] = 6, m->p->law[i] = DLS_LAW_BOX, m->p->mu[i] = i == 7 ? 0.4 : 0.8;
        m->p->n_coupled++;
    }
    for (size_t i = 0; i < N; i++) {
        m->row_unit[i] = i == 1 || i == 2 || i == 6 ? 1 : i == 3 ? -1 : 0;
        m->s[i] = ldexp(1.0, m->row_unit[i]);
    }
    m->d = (dls_direct){.problem = m->p,
                        .q = {.n = N, .A = m->A, .b = m->b, .lo = m->p->lo, .hi = m->p->hi, .symmetric = true},
                        .n = N,
                        .row_unit = m->row_unit};
}

static double clamp(double x, double lo, double hi) { return fmin(fmax(x, lo), hi); }
static double mu_of(const sample *m, size_t i) { return m->p->mu[i] * m->s[m->p->parent[i]] / m->s[i]; }
static bool is_tangent(const sample *m, size_t i) { return m->p->law[i] == DLS_LAW_CONE; }
static double row_w(const sample *m, size_t i, const double *lambda)
{
    double w = m->b[i];
    for (size_t j = 0; j < N; j++)
        w += m->A[i + N * j] * lambda[j];
    return w;
}

/* The definition at the head of cone_map.c; notes the regimes of the contacts. */
static void expected_value(const sample *m, const double *lambda, double *F, bool seen[REGIMES])
{
    double tau[N];
    for (size_t i = 0; i < N; i++)
        tau[i] = lambda[i] - row_w(m, i, lambda);
    for (size_t i = 0; i < N; i++) {
        const size_t normal = m->p->parent[i];
        if (m->p->law[i] == DLS_LAW_FIXED) {
            F[i] = lambda[i] - clamp(tau[i], m->p->lo[i], m->p->hi[i]);
            continue;
        }
        const double pressed = clamp(tau[normal], m->p->lo[normal], m->p->hi[normal]), r = mu_of(m, i) * pressed;
        const size_t first = is_tangent(m, i) ? normal + 1 : i;
        const double length = is_tangent(m, i) ? hypot(tau[first], tau[first + 1]) : fabs(tau[i]);
        F[i] = lambda[i] - (length > r ? r / length : 1.0) * tau[i];
        seen[pressed == 0.0 ? OPEN : length <= r ? STICKS : pressed == m->p->hi[normal] ? ABOVE : SLIDES] = true;
    }
}

TEST(test_the_map_is_its_definition)
{
    bool seen[REGIMES] = {false};
    for (unsigned seed = 0; seed < DRAWS; seed++) {
        sample m;
        double w[N], F[N], expected[N];
        dls_cone_row rows[N];
        make(&m, seed);
        dls_cone_map_value(DLS_CONE_MAP_ALART_CURNIER, &m.d, m.lambda, w, F, rows);
        expected_value(&m, m.lambda, expected, seen);
        for (size_t i = 0; i < N; i++) {
            double of_piece = m.lambda[i] - rows[i].offset;
            for (size_t k = 0; k < rows[i].count; k++)
                of_piece -= rows[i].P[k] * (m.lambda[rows[i].column[k]] - w[rows[i].column[k]]);
            assert_close(w[i], row_w(&m, i, m.lambda), 1e-13);
            assert_close(F[i], expected[i], 1e-13);
            assert_close(F[i], of_piece, 1e-13);
        }
        dls_problem_destroy(m.p);
    }
    for (int k = 0; k < REGIMES; k++)
        assert_true(seen[k]);
}

/* V x and V^T y without the matrix, and a block of V, are those of the matrix. */
static void compare_products(const sample *m, const dls_cone_row *rows, const double *V)
{
    const size_t odd[] = {1, 3, 5};
    double block[9], product[N], Vx[N], Py[N], Vy[N];
    dls_cone_map_apply(&m->d, rows, m->lambda, product, Vx);
    dls_cone_map_apply_transposed(&m->d, rows, m->lambda, Py, Vy);
    dls_cone_map_jacobian(&m->d, rows, 3, odd, block);
    for (size_t i = 0; i < N; i++) {
        double row = 0.0, column = 0.0;
        for (size_t j = 0; j < N; j++)
            row += V[i + N * j] * m->lambda[j], column += V[j + N * i] * m->lambda[j];
        assert_close(Vx[i], row, 1e-12);
        assert_close(Vy[i], column, 1e-12);
    }
    for (size_t c = 0; c < 3; c++)
        for (size_t r = 0; r < 3; r++)
            assert_close(block[r + 3 * c], V[odd[r] + N * odd[c]], 0.0);
}

/* V is I - Q + P A, the derivative of F where F has one, and the piece of F at hand or its tangent is V lambda less the
 * right side. At a kink a central difference is half a second difference away from the derivatives of both sides. */
static size_t compare_derivatives(dls_cone_map map, sample *m)
{
    static const double h = 1e-6;
    static double V[N * N];
    size_t smooth = 0;
    double w[N], F[N], right[N], before[N], after[N];
    dls_cone_row rows[N], there[N];
    dls_cone_map_value(map, &m->d, m->lambda, w, F, rows);
    dls_cone_map_jacobian(&m->d, rows, m->d.n, NULL, V);
    dls_cone_map_right_side(&m->d, rows, right);
    for (size_t i = 0; i < N; i++) {
        double sum = -right[i];
        for (size_t j = 0; j < N; j++)
            sum += V[i + N * j] * m->lambda[j];
        assert_close(sum, F[i], 1e-12);
    }
    compare_products(m, rows, V);
    for (size_t j = 0; j < N; j++) {
        const double at = m->lambda[j];
        m->lambda[j] = at + h;
        dls_cone_map_value(map, &m->d, m->lambda, w, after, there);
        m->lambda[j] = at - h;
        dls_cone_map_value(map, &m->d, m->lambda, w, before, there);
        m->lambda[j] = at;
        for (size_t i = 0; i < N; i++) {
            const double bent = fabs(after[i] + before[i] - 2.0 * F[i]) / h;
            assert_below(fabs((after[i] - before[i]) / (2.0 * h) - V[i + N * j]), 1e-7 + bent);
            smooth += bent < 1e-4;
        }
    }
    return smooth;
}

TEST(test_the_jacobian_is_the_derivative)
{
    for (int map = DLS_CONE_MAP_ALART_CURNIER; map <= DLS_CONE_MAP_FISCHER_BURMEISTER; map++) {
        size_t smooth = 0;
        for (unsigned seed = 0; seed < DRAWS; seed++) {
            sample m;
            make(&m, seed);
            smooth += compare_derivatives((dls_cone_map)map, &m);
            dls_problem_destroy(m.p);
        }
        assert_true(smooth > DRAWS * N * N * 9 / 10);
    }
}

/* lambda - (lambda - w) would lose a small w; at a bound F is 0 to the bit. */
TEST(test_the_map_keeps_small_numbers)
{
    const double A[] = {1.0}, b[] = {-1.0 + 0x1p-40}, lo[] = {-1.0}, hi[] = {2.0};
    const struct {
        double lambda, F;
        size_t count;
    } cases[] = {{1.0, 0x1p-40, 1}, {-1.0, -2.0 + 0x1p-40, 1}, {2.0, 1.0 + 0x1p-40, 1}};
    dls_problem *p = problem_from_matrix(1, A, b, lo, hi);
    double w, F;
    dls_cone_row row;
    dls_direct d = {.problem = p, .q = {1, p->J.coef, NULL, p->lo, p->hi, true}, .n = 1, .row_unit = (int[]){0}};
    d.q.b = (double[]){b[0]};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        dls_cone_map_value(DLS_CONE_MAP_ALART_CURNIER, &d, &cases[k].lambda, &w, &F, &row);
        assert_true(F == cases[k].F);
        assert_int_equal(row.count, cases[k].count);
    }
    /* tau at or beyond a bound: lambda at it has F = 0 */
    for (int upper = 0; upper < 2; upper++)
        for (int beyond = 0; beyond < 2; beyond++) {
            const double lambda = upper ? 2.0 : -1.0;
            d.q.b = (double[]){-lambda + (upper ? -1.0 : 1.0) * beyond};
            dls_cone_map_value(DLS_CONE_MAP_ALART_CURNIER, &d, &lambda, &w, &F, &row);
            assert_true(F == 0.0);
            assert_int_equal(row.count, 0);
            assert_true(row.offset == lambda);
        }
    dls_problem_destroy(p);
}

TEST(test_projections_are_their_definition)
{
    for (unsigned seed = 0; seed < DRAWS; seed++) {
        sample m;
        double w[N], to[N], expected[N];
        make(&m, seed);
        for (size_t i = 0; i < N; i++)
            w[i] = draw(-1.0, 1.0);
        memcpy(to, m.lambda, sizeof to);
        dls_cone_map_project(&m.d, w, to);
        for (size_t i = 0; i < N; i++) {
            const size_t normal = m.p->parent[i], first = is_tangent(&m, i) ? normal + 1 : i;
            double lo = m.p->lo[i], hi = m.p->hi[i];
            if (normal != DLS_NONE)
                hi = mu_of(&m, i) * expected[normal], lo = -hi;
            if (!is_tangent(&m, i)) {
                const double tau = m.lambda[i] - w[i];
                expected[i] = tau <= lo ? lo : tau >= hi ? hi : clamp(m.lambda[i], lo, hi);
                continue;
            }
            const double tau[2] = {m.lambda[first] - w[first], m.lambda[first + 1] - w[first + 1]};
            const double reach = hypot(tau[0], tau[1]), length = hypot(m.lambda[first], m.lambda[first + 1]);
            expected[i] = reach > hi    ? hi * tau[i - first] / reach
                          : length > hi ? hi * m.lambda[i] / length
                                        : m.lambda[i];
        }
        for (size_t i = 0; i < N; i++)
            assert_close(to[i], expected[i], 1e-14);
        dls_problem_destroy(m.p);
    }
}

/* The nearest point of the cone |x_t| <= mu x_n; above `hi` the nearest one of its disc there. */
static void nearest_in_cone(double mu, double hi, double x[3])
{
    const double length = hypot(x[1], x[2]);
    double normal = x[0], radius;
    if (normal + mu * length <= 0.0 && length > mu * normal)
        normal = 0.0;
    else if (length > mu * normal)
        normal = (normal + mu * length) / (1.0 + mu * mu);
    normal = fmin(normal, hi);
    radius = mu * normal;
    x[0] = normal;
    for (size_t t = 1; t < 3; t++)
        x[t] = length > radius ? x[t] * radius / length : x[t];
}

static void expected_sweep(const sample *m, size_t inner, double *lambda)
{
    for (size_t i = 0; i < N; i++) {
        const size_t normal = m->p->parent[i];
        double lo = m->p->lo[i], hi = m->p->hi[i], trace = 0.0;
        if (is_tangent(m, i))
            continue;
        if (i + 1 < N && is_tangent(m, i + 1)) {
            for (size_t r = 0; r < 3; r++)
                trace += m->A[(i + r) * (N + 1)];
            for (size_t k = 0; k < inner && trace > 0.0; k++) {
                const double mu = mu_of(m, i + 1),
                             w[3] = {row_w(m, i, lambda), row_w(m, i + 1, lambda), row_w(m, i + 2, lambda)};
                double x[3];
                for (size_t r = 0; r < 3; r++)
                    x[r] = lambda[i + r] - (w[r] + (r == 0 ? mu * hypot(w[1], w[2]) : 0.0)) / trace;
                nearest_in_cone(mu, hi, x);
                memcpy(lambda + i, x, sizeof x);
            }
            continue;
        }
        if (!(m->A[i * (N + 1)] > 0.0))
            continue;
        if (normal != DLS_NONE)
            hi = mu_of(m, i) * clamp(lambda[normal], 0.0, m->p->hi[normal]), lo = -hi;
        lambda[i] = clamp(lambda[i] - row_w(m, i, lambda) / m->A[i * (N + 1)], lo, hi);
    }
}

TEST(test_sweeps_are_their_definition)
{
    for (unsigned seed = 0; seed < DRAWS; seed++) {
        sample m;
        double to[N], expected[N];
        make(&m, seed);
        if (seed % 4 == 3) /* a row that nothing moves, and a contact */
            for (size_t i = 0; i < N; i++)
                for (size_t j = 0; j < N; j++)
                    if (i == 10 || j == 10 || i < 3 || j < 3)
                        m.A[i + N * j] = 0.0;
        memcpy(to, m.lambda, sizeof to);
        memcpy(expected, m.lambda, sizeof expected);
        for (int sweep = 0; sweep < 2; sweep++) {
            dls_cone_map_sweep(&m.d, 1 + seed % 3, to);
            expected_sweep(&m, 1 + seed % 3, expected);
        }
        for (size_t i = 0; i < N; i++)
            assert_close(to[i], expected[i], 1e-12);
        dls_problem_destroy(m.p);
    }
}

/* The middle one of the distances to the bounds and w, in the scales of the row. */
static double row_violation(double lo, double hi, double lambda, double w, double T, double most)
{
    const double below = (lambda - lo) / most, above = (lambda - hi) / most;
    return fmax(fmin(below, w / T), above);
}

/* The largest over all rows, with T and Lambda of their own definition. */
static double expected_violation(const sample *m, const double *lambda, double *T, double *most)
{
    double worst = 0.0;
    for (size_t i = 0; i < N; i++) {
        T[i] = fabs(m->b[i]);
        for (size_t j = 0; j < N; j++)
            T[i] += fabs(m->A[i + N * j] * lambda[j]);
    }
    for (size_t j = 0; j < N; j++) {
        const double lo = m->p->lo[j], hi = m->p->hi[j];
        const double bound = fmax(isinf(lo) ? 0.0 : fabs(lo), isinf(hi) ? 0.0 : fabs(hi));
        most[j] = bound > 0.0 ? bound : HUGE_VAL;
        for (size_t i = 0; i < N; i++)
            most[j] = fmin(most[j], T[i] / fabs(m->A[i + N * j]));
    }
    for (size_t i = 0; i < N; i++) {
        const size_t normal = m->p->parent[i];
        const double w = row_w(m, i, lambda), r = normal == DLS_NONE ? 0.0 : mu_of(m, i) * fmax(lambda[normal], 0.0);
        double v;
        if (normal == DLS_NONE) {
            v = row_violation(m->p->lo[i], m->p->hi[i], lambda[i], w, T[i], most[i]);
        } else if (!is_tangent(m, i)) {
            v = row_violation(-r, r, lambda[i], w, T[i], most[i]);
        } else if (i == normal + 1) {
            const double scale = fmax(most[i], most[i + 1]), terms = fmax(T[i], T[i + 1]);
            const double x[2] = {lambda[i] / scale, lambda[i + 1] / scale};
            const double y[2] = {w / terms, row_w(m, i + 1, lambda) / terms};
            const double length = hypot(x[0] - y[0], x[1] - y[1]), share = fmin(1.0, r / scale / length);
            v = hypot(x[0] - share * (x[0] - y[0]), x[1] - share * (x[1] - y[1]));
        } else {
            continue;
        }
        worst = fmax(worst, fabs(v));
    }
    return worst;
}

/* Each row in turn is the one that is off most. */
TEST(test_violations_are_their_definition)
{
    for (unsigned seed = 0; seed < DRAWS; seed++) {
        sample m;
        double w[N], T[N], most[N], T_expected[N], most_expected[N];
        make(&m, seed);
        for (size_t k = 0; k < N; k++)
            if (seed % (N + 1) != N && m.p->parent[k] == DLS_NONE && k != seed % N) { /* w = 0 and no bound passed */
                const double inside = isinf(m.p->lo[k]) ? fmin(m.p->hi[k], 0.0) - 0.125 : m.p->lo[k];
                m.lambda[k] = fmin(fmax(m.lambda[k], inside), m.p->hi[k]);
            }
        for (size_t k = 0; k < N; k++)
            if (seed % (N + 1) != N && k != seed % N)
                m.b[k] -= row_w(&m, k, m.lambda);
        for (size_t k = 0; k < N; k++)
            w[k] = row_w(&m, k, m.lambda);
        const double found = dls_cone_map_violation(&m.d, m.lambda, w, T, most);
        assert_close(found, expected_violation(&m, m.lambda, T_expected, most_expected), 1e-12);
        for (size_t i = 0; i < N; i++) {
            assert_close(T[i], T_expected[i], 1e-12 * T_expected[i]);
            assert_close(most[i], most_expected[i], 1e-12 * most_expected[i]);
        }
        w[seed % N] = NAN;
        assert_true(isnan(dls_cone_map_violation(&m.d, m.lambda, w, T, most)));
        dls_problem_destroy(m.p);
    }
}

/* Tangents that move nothing: their scale is that of the one that does, or the radius, or there is none. */
TEST(test_violations_of_tangents_that_move_nothing)
{
    const struct {
        double moves[2], b[3], lambda[3], violation;
    } cases[] = {
        {{0, 0}, {0, 0, 0}, {0, 0, 0}, 0.0},
        {{0, 0}, {0, 0, 0}, {0, 1, 0}, HUGE_VAL},
        {{0, 0}, {0, 0, 0}, {0, 0, -1}, HUGE_VAL},
        {{0, 0}, {-4, 0, 0}, {4, 2, 0}, 0.0},    /* on the rim of radius 2, w = 0 */
        {{0, 0}, {-4, 0, 0}, {4, 0, -4}, 1.0},   /* twice the radius */
        {{0, 0}, {-4, 3, 0}, {4, 0, 0}, 1.0},    /* a w that nothing changes, as large as its terms */
        {{0, 0}, {-4, 0, 0.5}, {4, 0, -2}, 0.0}, /* slides */
        {{0, 0}, {0, 1, 0}, {0, 0, 0}, 0.0},     /* no friction, and so no w is wrong */
        {{0, 1}, {-4, 0, 0}, {4, 0, 1}, 1.0},    /* sticks, w as large as its terms */
        {{1, 0}, {-4, 0, 0}, {4, -1, 0}, 1.0},
        {{1, 1}, {-4, -1, -1}, {4, 1, 1}, 0.0}, /* sticks, w = 0 */
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const double A[9] = {1, 0, 0, 0, cases[k].moves[0], 0, 0, 0, cases[k].moves[1]};
        const double free_hi[] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
        double matrix[9], b[3], w[3], T[3], most[3];
        int units[3] = {0};
        dls_problem *p = problem_from_matrix(3, A, cases[k].b, NULL, free_hi);
        dls_problem_make_cone(p, 0, 0.5);
        memcpy(matrix, A, sizeof A);
        memcpy(b, cases[k].b, sizeof b);
        for (size_t i = 0; i < 3; i++)
            w[i] = A[4 * i] * cases[k].lambda[i] + b[i];
        const dls_direct d = {.problem = p, .q = {3, matrix, b, p->lo, p->hi, true}, .n = 3, .row_unit = units};
        const double found = dls_cone_map_violation(&d, cases[k].lambda, w, T, most);
        if (found != cases[k].violation)
            print_error("case %zu\n", k);
        if (isinf(cases[k].violation))
            assert_true(isinf(found));
        else
            assert_close(found, cases[k].violation, 1e-15);
        dls_problem_destroy(p);
    }
}
