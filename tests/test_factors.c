/* The parts that direct methods work with, each against plain dense algebra: the basis of complementary pivoting, the
 * updated Cholesky factor, the point of least distance, and the step of reference trajectories. */
#include "check.h"

#include "direct/basis.h"
#include "direct/least_distance.h"
#include "direct/updated_cholesky.h"
#include "trajectory/parts.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <lapacke.h>
#include <string.h>

enum { N = 12 };

static unsigned state;
static double draw(double from, double to)
{
    state = state * 1664525u + 1013904223u;
    return from + (to - from) * (double)(state >> 8) / 16777216.0;
}
static size_t choose(size_t count) { return (size_t)draw(0.0, (double)count); }

/* --- the basis --- */

typedef struct pivoting {
    size_t n;
    double A[N * N], cover[N];
    dls_basis basis;
} pivoting;

static double entry(const pivoting *p, size_t row, size_t variable)
{
    return variable < p->n       ? p->A[row + p->n * variable]
           : variable < 2 * p->n ? (variable - p->n == row ? -1.0 : 0.0)
                                 : p->cover[row];
}

/* The lists are each other's inverse, and solutions are those of the columns at their positions. */
static void check_basis(pivoting *p)
{
    const size_t n = p->n;
    double B[N * N], r[N], kept[N], x[N], expected[N], column[N];
    lapack_int pivots[N];
    size_t basic = 0;
    for (size_t v = 0; v <= 2 * n; v++) {
        const size_t at = p->basis.where[v];
        basic += at != DLS_NOT_BASIC;
        assert_true(at == DLS_NOT_BASIC || p->basis.head[at] == v);
        dls_basis_column(&p->basis, v, column);
        for (size_t i = 0; i < n; i++)
            assert_true(column[i] == entry(p, i, v));
    }
    assert_int_equal(basic, n);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            B[i + n * j] = entry(p, i, p->basis.head[j]);
    for (size_t i = 0; i < n; i++)
        r[i] = kept[i] = expected[i] = choose(3) ? draw(-1.0, 1.0) : 0.0;
    dls_basis_solve(&p->basis, r, x);
    assert_memory_equal(r, kept, n * sizeof *r);
    assert_int_equal(LAPACKE_dgesv(LAPACK_COL_MAJOR, (int)n, 1, B, (int)n, pivots, expected, (int)n), 0);
    for (size_t i = 0; i < n; i++)
        assert_close(x[i], expected[i], 1e-9 * (1.0 + fabs(expected[i])));
}

/* One exchange with a pivot that is not small; whether there was one. */
static bool exchange(pivoting *p, bool *more)
{
    double column[N], coordinates[N];
    const size_t entering = choose(2 * p->n + 1), at = choose(p->n);
    if (p->basis.where[entering] != DLS_NOT_BASIC)
        return false;
    dls_basis_column(&p->basis, entering, column);
    dls_basis_solve(&p->basis, column, coordinates);
    if (!(fabs(coordinates[at]) > 0.3))
        return false;
    const size_t leaving = p->basis.head[at];
    *more = dls_basis_update(&p->basis, at, entering, coordinates);
    assert_true(p->basis.head[at] == entering && p->basis.where[leaving] == DLS_NOT_BASIC);
    return true;
}

TEST(test_bases_are_their_columns)
{
    static const size_t limits[] = {1, 2, 5, 50};
    for (unsigned seed = 0; seed < 48; seed++) {
        pivoting p = {.n = 1 + seed % N};
        dls_arena memory = {0};
        const size_t limit = limits[seed / 12];
        size_t since = 0, factored = 1;
        state = 5 + 7919 * seed;
        for (size_t k = 0; k < p.n * p.n; k++)
            p.A[k] = draw(-1.0, 1.0);
        for (size_t i = 0; i < p.n; i++)
            p.cover[i] = i % 3 ? 1.0 : -1.0;
        dls_basis_take(&p.basis, &memory, p.n, p.A, p.cover, limit);
        assert_false(memory.failed);
        assert_true(dls_basis_factorise(&p.basis));
        check_basis(&p);
        for (int k = 0; k < 120; k++) {
            bool more = true;
            if (!exchange(&p, &more))
                continue;
            assert_int_equal(more, ++since < limit);
            assert_int_equal(p.basis.n_eta, since);
            if (!more) {
                assert_true(dls_basis_factorise(&p.basis));
                since = 0, factored++;
            }
            assert_int_equal(p.basis.factorizations, factored);
            check_basis(&p);
        }
        assert_true(p.n < 3 || factored + since > 5);
        dls_basis_start(&p.basis);
        assert_true(dls_basis_factorise(&p.basis));
        for (size_t i = 0; i < p.n; i++)
            assert_int_equal(p.basis.head[i], p.n + i);
        check_basis(&p);
        dls_arena_release(&memory);
    }
}

TEST(test_a_singular_core_is_told)
{
    const double A[4] = {1, 2, 2, 4}, cover[2] = {1, 1};
    dls_arena memory = {0};
    dls_basis basis;
    dls_basis_take(&basis, &memory, 2, A, cover, 4);
    dls_basis_exchange(&basis, 0, 0);
    assert_true(dls_basis_factorise(&basis));
    dls_basis_exchange(&basis, 1, 1);
    assert_false(dls_basis_factorise(&basis));
    dls_arena_release(&memory);
}

/* --- the Cholesky factor --- */

static void check_factor(const dls_cholesky *f, const double *A, size_t m, const size_t *F)
{
    double x[N], forward[N], backward[N];
    assert_int_equal(f->m, m);
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = 0.0;
            for (size_t k = 0; k <= j; k++)
                sum += f->L[i + f->stride * k] * f->L[j + f->stride * k];
            assert_close(sum, A[F[i] + N * F[j]], 1e-13);
        }
        assert_true(f->L[i + f->stride * i] > 0.0);
        x[i] = forward[i] = backward[i] = draw(-1.0, 1.0);
    }
    dls_cholesky_forward(f, forward);
    dls_cholesky_backward(f, backward);
    for (size_t i = 0; i < m; i++) {
        double by_L = 0.0, by_transposed = 0.0;
        for (size_t k = 0; k <= i; k++)
            by_L += f->L[i + f->stride * k] * forward[k];
        for (size_t k = i; k < m; k++)
            by_transposed += f->L[k + f->stride * i] * backward[k];
        assert_close(by_L, x[i], 1e-13);
        assert_close(by_transposed, x[i], 1e-13);
    }
}

/* row = L^-1 A_Fi and s = A_ii - row.row of the index that is tried. */
static void check_pending(const dls_cholesky *f, const double *A, size_t i, const size_t *F)
{
    double s = A[i + N * i];
    for (size_t r = 0; r < f->m; r++) {
        double sum = 0.0;
        for (size_t k = 0; k <= r; k++)
            sum += f->L[r + f->stride * k] * f->row[k];
        assert_close(sum, A[F[r] + N * i], 1e-13);
        s -= f->row[r] * f->row[r];
    }
    assert_close(f->s, s, 1e-13);
}

TEST(test_indices_enter_and_leave)
{
    for (unsigned seed = 0; seed < 20; seed++) {
        double G[N * N], A[N * N];
        size_t F[N], m = 0, removals = 0;
        dls_arena memory = {0};
        dls_cholesky f;
        state = 5 + 7919 * seed;
        for (size_t k = 0; k < N * N; k++)
            G[k] = draw(-1.0, 1.0);
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < N; j++) {
                A[i + N * j] = i == j ? 0.5 : 0.0;
                for (size_t k = 0; k < N; k++)
                    A[i + N * j] += G[i + N * k] * G[j + N * k];
            }
        dls_cholesky_take(&f, &memory, N);
        assert_false(memory.failed);
        for (int round = 0; round < 100; round++) {
            const size_t i = choose(N);
            size_t place = m;
            for (size_t k = 0; k < m; k++)
                place = F[k] == i ? k : place;
            if (place < m) {
                dls_cholesky_remove(&f, place);
                memmove(F + place, F + place + 1, (--m - place) * sizeof *F);
                check_factor(&f, A, m, F);
                continue;
            }
            for (size_t k = 0; k < m; k++)
                f.row[k] = A[F[k] + N * i];
            dls_cholesky_try(&f, A[i + N * i]);
            check_pending(&f, A, i, F);
            while (m > 0 && choose(3) == 0) {
                const size_t at = choose(m);
                dls_cholesky_remove(&f, at);
                memmove(F + at, F + at + 1, (--m - at) * sizeof *F);
                check_factor(&f, A, m, F);
                check_pending(&f, A, i, F);
                removals++;
            }
            dls_cholesky_append(&f);
            F[m++] = i;
            check_factor(&f, A, m, F);
        }
        assert_true(removals > 5);
        dls_arena_release(&memory);
    }
}

/* Columns a multiple of 4096 bytes apart share their lines of the cache. */
TEST(test_columns_share_no_lines)
{
    for (size_t capacity = 0; capacity < 1100; capacity = capacity == 40 ? 470 : capacity + 1) {
        dls_arena memory = {0};
        dls_cholesky f;
        dls_cholesky_take(&f, &memory, capacity);
        assert_int_equal(f.capacity, capacity);
        assert_int_equal(f.stride % 8, 0);
        assert_in_range(f.stride, capacity + 1, capacity + 24);
        assert_true(f.stride % 512 != 0);
        dls_arena_release(&memory);
    }
}

/* --- the least distance --- */

enum { PLANES = 7 };

/* The shortest u among those that are the points of least norm of some planes G_S u = h_S and satisfy all; false where
 * there is none. */
static bool nearest(size_t m, size_t k, const double *G, const double *h, double *u)
{
    double best = HUGE_VAL;
    for (unsigned set = 0; set < 1u << m; set++) {
        double GG[PLANES * PLANES], y[PLANES], x[PLANES] = {0}, norm = 0.0, worst = -HUGE_VAL;
        size_t S[PLANES], count = 0;
        lapack_int pivots[PLANES];
        for (size_t j = 0; j < m; j++)
            if (set >> j & 1u)
                S[count++] = j;
        if (count > k)
            continue;
        for (size_t a = 0; a < count; a++) {
            y[a] = h[S[a]];
            for (size_t b = 0; b < count; b++) {
                GG[a + count * b] = 0.0;
                for (size_t c = 0; c < k; c++)
                    GG[a + count * b] += G[S[a] + m * c] * G[S[b] + m * c];
            }
        }
        if (count > 0 && LAPACKE_dgesv(LAPACK_COL_MAJOR, (int)count, 1, GG, (int)count, pivots, y, (int)count) != 0)
            continue;
        for (size_t c = 0; c < k; c++) {
            for (size_t a = 0; a < count; a++)
                x[c] += G[S[a] + m * c] * y[a];
            norm += x[c] * x[c];
        }
        for (size_t j = 0; j < m; j++) {
            double lack = h[j];
            for (size_t c = 0; c < k; c++)
                lack -= G[j + m * c] * x[c];
            worst = fmax(worst, lack);
        }
        if (worst <= 1e-10 && norm < best) {
            best = norm;
            memcpy(u, x, k * sizeof *u);
        }
    }
    return best < HUGE_VAL;
}

TEST(test_the_nearest_point)
{
    size_t found = 0, none = 0;
    for (unsigned seed = 0; seed < 1500; seed++) {
        const size_t m = seed % (PLANES + 1), k = 1 + seed / 8 % 4;
        double G[PLANES * 4], h[PLANES], scaled_G[PLANES * 4], scaled_h[PLANES], u[4] = {0}, expected[4] = {0};
        state = 5 + 7919 * seed;
        double *memory = test_calloc(dls_least_distance_size(m, k), sizeof *memory);
        for (size_t j = 0; j < m; j++) {
            for (size_t c = 0; c < k; c++)
                G[j + m * c] = draw(-1.0, 1.0);
            h[j] = draw(-1.0, seed % 3 ? 0.5 : 1.0);
        }
        for (size_t c = 0; c < k && m > 2 && seed % 5 == 0; c++) /* the same plane twice */
            G[m - 1 + m * c] = 2.0 * G[m * c];
        if (m > 2 && seed % 5 == 0)
            h[m - 1] = 2.0 * h[0];
        for (size_t j = 0; j < m; j++) { /* the size of a row does not matter */
            const double size = ldexp(1.0, (int)choose(101) - 50);
            for (size_t c = 0; c < k; c++)
                scaled_G[j + m * c] = size * G[j + m * c];
            scaled_h[j] = size * h[j];
        }
        const bool any = nearest(m, k, G, h, expected);
        assert_int_equal(dls_least_distance(m, k, scaled_G, scaled_h, 1e-6, memory, u), any);
        for (size_t c = 0; c < k && any; c++)
            assert_close(u[c], expected[c], 1e-10 * (1.0 + fabs(expected[c])));
        found += any, none += !any;
        test_free(memory);
    }
    print_message("%zu found, %zu none\n", found, none);
    assert_true(found > 500 && none > 100);
}

/* |u| = 2^19 and 2^21 on either side of 1 / 1e-6; and a row of zeros, which asks for h <= 0 alone. */
TEST(test_how_far_the_nearest_point_may_be)
{
    double memory[256], u[2] = {0};
    assert_true(dls_least_distance_size(2, 2) <= sizeof memory / sizeof memory[0]);
    for (int power = 19; power <= 21; power += 2) {
        const double G[2] = {ldexp(1.0, -power), 0.0}, h[1] = {1.0};
        assert_int_equal(dls_least_distance(1, 2, G, h, 1e-6, memory, u), power == 19);
        if (power == 19)
            assert_close(u[0] / 0x1p19, 1.0, 1e-3);
    }
    for (int sign = -1; sign <= 1; sign++) {
        const double G[2] = {0.0, 0.0}, h[1] = {sign};
        assert_int_equal(dls_least_distance(1, 2, G, h, 1e-6, memory, u), sign <= 0);
        assert_true(sign > 0 || (u[0] == 0.0 && u[1] == 0.0));
    }
}

/* --- the step --- */

static int calls, last_call;

static bool slope_of(void *context, const double *y, double *slope)
{
    (void)context;
    slope[0] = 1.0;
    slope[1] = cos(y[0]) * y[2] - 0.25 * y[1] * y[1];
    slope[2] = y[1] - 0.5 * y[2] * y[0];
    return ++calls != last_call;
}

static int slope_of_gsl(double t, const double *y, double *slope, void *context)
{
    (void)t;
    return slope_of(context, y, slope) ? GSL_SUCCESS : GSL_FAILURE;
}

/* GSL has the same step, from the same tableau. */
TEST(test_steps_are_those_of_gsl)
{
    const gsl_odeiv2_system system = {slope_of_gsl, NULL, 3, NULL};
    gsl_odeiv2_step *step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, 3);
    for (int k = 1; k < 8; k++) {
        const double h = 0.1 * k;
        double y[3] = {0.3, -0.7, 1.1}, expected[3], slope[3], error[3], error_of_gsl[3],
               work[3 * TRAJECTORY_STEP_WORK];
        memcpy(expected, y, sizeof y);
        last_call = 0;
        assert_int_equal(gsl_odeiv2_step_apply(step, 0.0, h, expected, error_of_gsl, NULL, NULL, &system), 0);
        assert_true(slope_of(NULL, y, slope));
        calls = 0;
        assert_true(trajectory_step(slope_of, NULL, 3, h, slope, y, error, work));
        assert_in_range(calls, 1, 12); /* 13 stages, the first of which is given */
        for (int i = 0; i < 3; i++) {
            assert_close(y[i], expected[i], 1e-15);
            assert_close(error[i], error_of_gsl[i], 1e-15);
        }
        assert_true(fabs(error[1]) > 1e-15 || k < 3);
    }
    gsl_odeiv2_step_free(step);
}

TEST(test_a_slope_without_value_ends_the_step)
{
    double slope[3] = {1, 0, 0}, error[3], work[3 * TRAJECTORY_STEP_WORK];
    for (last_call = 1; last_call <= 12; last_call++) {
        double y[3] = {0.3, -0.7, 1.1};
        calls = 0;
        assert_false(trajectory_step(slope_of, NULL, 3, 0.1, slope, y, error, work));
        assert_int_equal(calls, last_call);
    }
}
