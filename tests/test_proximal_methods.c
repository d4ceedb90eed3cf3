/* Proximal and projected methods beyond the laws of all iterative ones: distances that never grow, a problem on which
 * some cycle, dense factors, and starts of block pivoting. */
#include "delassus/delassus.h"
#include "delassus/reference.h"
#include "delassus/solvers.h"

#include "check.h"
#include "draws.h"
#include "examined.h"
#include "solvers/dense_factor.h"

#include <string.h>

enum { N = 24 };

static double settings[16]; /* of the solver at hand */

static const dls_solver *solver_of(const char *name)
{
    const dls_solver *solver = dls_iterative_find(name) ? dls_iterative_find(name) : dls_direct_find(name);
    dls_error error;
    assert_true(solver->fields.size <= sizeof settings);
    assert_status(dls_fields_default(&solver->fields, settings, &error), &error);
    return solver;
}

static dls_report solve(const char *name, const dls_problem *p, size_t limit, double *lambda)
{
    dls_report report = {0};
    dls_error error;
    const dls_solver *solver = solver_of(name);
    assert_status(dls_solve(solver, p, settings, limit, lambda, &report, NULL, NULL, &error), &error);
    return report;
}

/* --- distances --- */

/* |lambda - solution|^2 in the norm of D */
static double distance(const dls_dense *d, const double *lambda, const double *solution)
{
    double sum = 0.0;
    for (size_t i = 0; i < d->n; i++)
        sum += d->A[i + d->n * i] * (lambda[i] - solution[i]) * (lambda[i] - solution[i]);
    return sum;
}

static void check_distance(const dls_solver *solver, const dls_problem *p, const double *solution)
{
    dls_dense *d = dense_of(p);
    double lambda[N] = {0.0}, before = HUGE_VAL;
    dls_report report = {0};
    dls_error error;
    void *work;
    assert_status(solver->open(p, settings, NULL, &work, &error), &error);
    for (size_t k = 0; k < 300; k++) {
        assert_status(solver->iterate(work, &report, &error), &error);
        solver->read(work, lambda);
        const double now = distance(d, lambda, solution);
        assert_true(now <= before * (1.0 + 1e-12) + 1e-20);
        before = now;
    }
    solver->close(work);
    dls_dense_destroy(d);
}

/* Extragradient steps on monotone F, without symmetry too (G. M. Korpelevich, 1976). */
TEST(test_extragradient_never_goes_away_from_a_solution)
{
    const dls_matrix_class classes[] = {DLS_MATRIX_DEFINITE, DLS_MATRIX_SEMIDEFINITE, DLS_MATRIX_MONOTONE};
    for (size_t c = 0; c < 3; c++)
        for (unsigned seed = 1; seed <= 10; seed++) {
            const dls_recipe recipe = {classes[c], DLS_BOUNDS_BOXED, N, 0.1, seed};
            double solution[N], w[N];
            dls_problem *p = problem_from_recipe(&recipe, solution, w);
            check_distance(solver_of("extragradient"), p, solution);
            dls_problem_destroy(p);
        }
}

/* Projected fixed-point steps up to 2 / L: the greatest sum of |A_ij| / A_ii of a row is at least L. */
TEST(test_short_projected_steps_never_go_away_from_a_solution)
{
    for (unsigned seed = 1; seed <= 10; seed++) {
        const dls_recipe recipe = {DLS_MATRIX_DEFINITE, DLS_BOUNDS_BOXED, N, 0.1, seed};
        double solution[N], w[N], largest = 0.0;
        char text[32];
        dls_error error;
        dls_problem *p = problem_from_recipe(&recipe, solution, w);
        dls_dense *d = dense_of(p);
        for (size_t i = 0; i < N; i++) {
            double sum = 0.0;
            for (size_t j = 0; j < N; j++)
                sum += fabs(d->A[i + N * j]) / d->A[i + N * i];
            largest = fmax(largest, sum);
        }
        dls_dense_destroy(d);
        const dls_solver *prox = solver_of("prox");
        snprintf(text, sizeof text, "%.17g", 2.0 / largest);
        assert_status(dls_field_set(&prox->fields, settings, "r", text, &error), &error);
        check_distance(prox, p, solution);
        dls_problem_destroy(p);
    }
}

/* --- a problem on which methods cycle --- */

enum { ROWS = 9, RANK = 5 };

/* Three contacts with mu = 1 on five velocities: A = G G^T, b = G v. */
static dls_problem *make_counterexample(void)
{
    static const double G[ROWS][RANK] = {{2, 2, 2, 1, 1},   {0, -2, 3, -1, -1}, {2, 1, 0, -1, 1},
                                         {1, -2, 1, -3, 1}, {2, 2, 2, -3, 3},   {0, 0, -1, -1, 2},
                                         {1, 2, 0, -2, 2},  {1, 2, 1, 1, 1},    {0, -2, 1, -2, -2}};
    static const double v[RANK] = {1, 1, 1, 2, 2};
    double A[ROWS * ROWS] = {0.0}, b[ROWS] = {0.0}, lo[ROWS], hi[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        lo[i] = i % 3 ? -HUGE_VAL : 0.0, hi[i] = HUGE_VAL;
        for (size_t k = 0; k < RANK; k++) {
            b[i] += G[i][k] * v[k];
            for (size_t j = 0; j < ROWS; j++)
                A[i + ROWS * j] += G[i][k] * G[j][k];
        }
    }
    dls_problem *p = problem_from_matrix(ROWS, A, b, lo, hi);
    for (size_t i = 0; i < ROWS; i += 3)
        dls_problem_make_cone(p, i, 1.0);
    return p;
}

/* No theorem covers Coulomb's cone: on this problem, which has a solution, ADMM and nonsmooth Gauss-Seidel cycle, and
 * claim nothing. A change that lets them converge may take them off the list. */
TEST(test_methods_that_cycle_under_a_cone_claim_nothing)
{
    static const struct {
        const char *name;
        bool cycles;
    } methods[] = {{"admm", true}, {"nsgs", true}, {"extragradient", false}, {"prox", false}};
    dls_problem *p = make_counterexample();
    dls_examiner *examiner = examiner_of(p);
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        double lambda[ROWS] = {0.0};
        dls_certificate c;
        dls_report report = solve(methods[k].name, p, 2000, lambda);
        dls_examine(examiner, lambda, NULL, &c);
        assert_int_equal(report.outcome, DLS_OUTCOME_ITERATION_LIMIT);
        assert_true(methods[k].cycles ? c.scaled_residual > 1e-3 : c.scaled_residual < 1e-12);
        dls_report_release(&report);
    }
    dls_examiner_destroy(examiner);
    dls_problem_destroy(p);
}

/* --- dense factors --- */

/* A of rank N / 2 on N rows, of which every third is left out: A_FF x = b for b in its range, whichever rows depend on
 * others, and for every b with a shift. */
TEST(test_dense_factors)
{
    for (unsigned long long seed = 1; seed <= 20; seed++)
        for (int shifted = 0; shifted < 2; shifted++) {
            double G[N][N / 2], A[N * N] = {0.0}, b[N], dense[N * N], shift[N], L[1000], x[N], y[N];
            size_t rows[N], m = 0;
            void *work;
            dls_error error;
            draw_seed(seed);
            for (size_t i = 0; i < N; i++)
                for (size_t k = 0; k < N / 2; k++)
                    G[i][k] = uniform(-1.0, 1.0);
            for (size_t i = 0; i < N; i++) {
                for (size_t j = 0; j < N; j++)
                    for (size_t k = 0; k < N / 2; k++)
                        A[i + N * j] += G[i][k] * G[j][k];
                shift[i] = shifted ? 0.1 : 0.0, b[i] = uniform(-1.0, 1.0);
                rows[m] = i, m += i % 3 != 2;
            }
            dls_problem *p = problem_from_matrix(N, A, b, NULL, NULL);
            const dls_kit_plan plan = {.size = sizeof(dls_kit), .vectors = 2, .omega = 1.0};
            assert_status(dls_kit_open(&plan, p, NULL, &work, &error), &error);
            dls_kit *kit = work;
            dls_dense_matrix(kit, kit->vector[0], kit->vector[1], dense);
            for (size_t k = 0; k < (size_t)N * N; k++)
                assert_close(dense[k], A[k], 1e-14 * N);
            assert_true(dls_factor_size(m) <= 1000 && dls_factor_padded(m) <= N);
            memset(x, 0, sizeof x);
            for (size_t j = 0; j < m; j++)
                for (size_t k = 0; k < m; k++)
                    x[j] += A[rows[j] + N * rows[k]] * b[k];
            memcpy(y, x, sizeof y);
            dls_factor(kit, dense, shift, m, rows, L);
            dls_factor_solve(kit, m, L, x);
            for (size_t j = 0; j < m; j++) {
                double sum = shift[rows[j]] * x[j];
                for (size_t k = 0; k < m; k++)
                    sum += A[rows[j] + N * rows[k]] * x[k];
                assert_close(sum, y[j], 1e-8); /* pivots of the last independent rows may be small */
            }
            assert_true(kit->visits > 0.0);
            dls_kit_close(work);
            dls_problem_destroy(p);
        }
}

/* --- starts --- */

/* Block pivoting from an answer has its sets, and so no wrong row; from anything it finds the same unique answer. */
TEST(test_block_pivoting_begins_at_its_start)
{
    for (unsigned seed = 1; seed <= 10; seed++) {
        const dls_recipe recipe = {DLS_MATRIX_DEFINITE, DLS_BOUNDS_BOXED, N, 0.0, seed};
        double solution[N], w[N], cold[N] = {0.0}, lambda[N];
        dls_problem *p = problem_from_recipe(&recipe, solution, w);
        dls_report report = solve("block-pivoting", p, 1, cold);
        assert_int_equal(report.outcome, DLS_OUTCOME_SOLVED);
        dls_report_release(&report);
        for (int start = 0; start < 3; start++) {
            for (size_t i = 0; i < N; i++)
                lambda[i] = start == 0 ? cold[i] : start == 1 ? (i % 2 ? -1e3 : 1e3) : i % 2 ? NAN : HUGE_VAL;
            report = solve("block-pivoting", p, 1, lambda);
            assert_int_equal(report.outcome, DLS_OUTCOME_SOLVED);
            if (start == 0)
                assert_int_equal(report.iterations, 1);
            for (size_t i = 0; i < N; i++)
                assert_close(lambda[i], solution[i], 1e-9);
            dls_report_release(&report);
        }
        dls_problem_destroy(p);
    }
}
