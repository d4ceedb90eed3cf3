/* Problems as peers get them: MuJoCo's rows of every kind against solutions that are known, its R where it is
 * large enough to show, and what all peers share. tests/test_peers.sh runs the peers as the program does. */
#include "peers/peer.h"

#include "direct_solve.h"

#include <string.h>

enum { N = 6 };

static const dls_solver *const *solvers(void) { return dls_plugin_here.solvers; }

typedef struct options {
    double regularization, tolerance;
    const char *iterations;
} options;

static void solve(const dls_solver *solver, const dls_problem *p, const options *o, double *lambda, dls_report *report)
{
    double settings[16];
    char text[32];
    dls_error error;
    assert_true(solver->fields.size <= sizeof settings);
    assert_status(dls_fields_default(&solver->fields, settings, &error), &error);
    if (o) {
        snprintf(text, sizeof text, "%.17g", o->regularization);
        assert_status(dls_field_set(&solver->fields, settings, "regularization", text, &error), &error);
        snprintf(text, sizeof text, "%.17g", o->tolerance);
        assert_status(dls_field_set(&solver->fields, settings, "tolerance", text, &error), &error);
        assert_status(dls_field_set(&solver->fields, settings, "iterations", o->iterations, &error), &error);
    }
    memset(lambda, 0, p->n * sizeof *lambda);
    assert_status(dls_solve(solver, p, settings, 1, lambda, report, NULL, NULL, &error), &error);
}

/* Rows of every kind of bounds, in an order that is not MuJoCo's, at each end of their bounds and between them, in
 * units that differ by 10^3. The rows are coupled, so that an impulse in a wrong place shows in the others. */
TEST(test_rows)
{
    static const double lo[N] = {0.25, -HUGE_VAL, -0.5, -HUGE_VAL, -3.0, 1.0},
                        hi[N] = {HUGE_VAL, HUGE_VAL, 2.0, 1.5, HUGE_VAL, 1.75};
    static const double at[3][N] = {/* lower, upper, or between */
                                    {0.25, -2.0, -0.5, 0.75, -3.0, 1.0},
                                    {1.25, 0.5, 2.0, 1.5, -2.0, 1.75},
                                    {2.25, 3.0, 0.25, -1.0, 4.0, 1.25}};
    static const double unit[N] = {1.0, 10.0, 0.1, 30.0, 1.0, 0.03};
    const options exact = {1e-7, 0.0, "10000"}; /* where R is small, CG ends far from the solution by any tolerance */
    for (int k = 0; k < 3; k++) {
        double A[N * N], b[N], from[N], to[N], expected[N];
        for (size_t i = 0; i < N; i++) {
            from[i] = lo[i] * unit[i], to[i] = hi[i] * unit[i], expected[i] = at[k][i] * unit[i];
            b[i] = (at[k][i] == lo[i] ? 0.75 : at[k][i] == hi[i] ? -0.5 : 0.0) / unit[i];
        }
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < N; j++) {
                const double s = i == j ? 2.0 : (i + j) % 2 ? 0.25 : -0.125;
                A[i + N * j] = s / (unit[i] * unit[j]);
                b[i] -= A[i + N * j] * expected[j];
            }
        dls_problem *p = problem_from_matrix(N, A, b, from, to);
        for (const dls_solver *const *solver = solvers(); *solver; solver++) {
            double lambda[N];
            dls_report report = {0};
            solve(*solver, p, &exact, lambda, &report);
            for (size_t i = 0; i < N; i++)
                if (!(fabs(lambda[i] - expected[i]) <= 1e-5 * unit[i]))
                    fail_msg("%s, case %d, row %zu: %.9g, expected %.9g", (*solver)->name, k, i, lambda[i],
                             expected[i]);
            dls_report_release(&report);
        }
        dls_problem_destroy(p);
    }
}

/* lambda = -b / (A + R) of free rows, R a share of the diagonal, or R itself where the diagonal is 0. The outcome names
 * it. */
TEST(test_regularization)
{
    static const double A[4] = {2.0, 0.0, 0.0, 0.0}, b[2] = {-3.0, 0.5};
    static const double lo[2] = {-HUGE_VAL, -HUGE_VAL}, hi[2] = {HUGE_VAL, HUGE_VAL};
    const options soft = {0.25, 1e-15, "1000"}, once = {0.25, 0.0, "1"};
    dls_problem *p = problem_from_matrix(2, A, b, lo, hi);
    for (const dls_solver *const *solver = solvers(); *solver; solver++) {
        double lambda[2];
        dls_report report = {0};
        solve(*solver, p, &soft, lambda, &report);
        assert_outcome_is(&report, DLS_OUTCOME_ITERATION_LIMIT, (*solver)->name); /* MuJoCo claims nothing */
        assert_non_null(strstr(report.message, "in its own model, which has R = 0.25 diag(A) added to A"));
        assert_in_range(report.iterations, 1, 999);
        assert_close(lambda[0], 1.2, 1e-12);
        assert_close(lambda[1], -2.0, 1e-12);
        dls_report_release(&report);
        solve(*solver, p, &once, lambda, &report);
        assert_outcome_is(&report, DLS_OUTCOME_ITERATION_LIMIT, (*solver)->name);
        assert_int_equal(report.iterations, 1);
        assert_non_null(strstr(report.message, "it ended after 1 of 1 iterations"));
        dls_report_release(&report);
    }
    dls_problem_destroy(p);
}

/* Semidefinite to rounding of a unit diagonal is taken, and what is not is refused, as is what is too large. */
TEST(test_matrices)
{
    static const struct {
        double off; /* beside the diagonal 4, 9 */
        bool taken;
    } cases[] = {{5.9, true}, {6.0, true}, {6.0 * (1.0 + 1.5e-12), true}, {6.0 * (1.0 + 3e-12), false}, {-7.0, false}};
    const dls_solver *solver = solvers()[2];
    const dls_problem large = {.n = 2001};
    double lambda[2], settings[16];
    dls_error error;
    void *work = lambda;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const double A[4] = {4.0, cases[k].off, cases[k].off, 9.0}, b[2] = {-4.0, 0.0};
        dls_problem *p = problem_from_matrix(2, A, b, NULL, NULL);
        dls_report report = {0};
        solve(solver, p, NULL, lambda, &report);
        assert_outcome_is(&report, cases[k].taken ? DLS_OUTCOME_ITERATION_LIMIT : DLS_OUTCOME_REFUSED, "a matrix");
        if (cases[k].taken)
            assert_close(lambda[0], 1.0, 1e-5);
        else
            assert_string_equal(report.message, "A must be symmetric and semidefinite");
        dls_report_release(&report);
        dls_problem_destroy(p);
    }
    assert_status(dls_fields_default(&solver->fields, settings, &error), &error);
    assert_int_equal(solver->open(&large, settings, NULL, &work, &error), DLS_REFUSED);
    assert_non_null(strstr(error.message, "2001 rows are more than 2000"));
}

/* The impulse that is nearest to 0, and b for what is added to it; where the impulses start. */
TEST(test_origin)
{
    enum { M = 4 };
    static const double A[M * M] = {2, 0.5, 0, -1, 0.5, 3, 0.25, 0, 0, 0.25, 1, 0.5, -1, 0, 0.5, 4},
                              b[M] = {1, -2, 3, -4}, lo[M] = {0.5, -HUGE_VAL, -1, -3}, hi[M] = {2, -2, HUGE_VAL, 3},
                              expected[M] = {0.5, -2, 0, 0}, start[M] = {0.75, -2.5, 7, 1};
    dls_problem *p = problem_from_matrix(M, A, b, lo, hi);
    const dls_problem large = {.n = 5001};
    double lambda[M];
    void *work;
    dls_error error;
    for (int given = 0; given < 2; given++) {
        assert_status(peer_open(p, lo, given ? start : NULL, &work, &error), &error);
        const peer_work *w = work;
        assert_true(w->problem == p && w->settings == lo && !w->data);
        for (size_t i = 0; i < M; i++) {
            double shifted = b[i];
            for (size_t j = 0; j < M; j++)
                shifted += A[i + M * j] * expected[j];
            assert_close(w->origin[i], expected[i], 0.0);
            assert_close(w->shifted[i], shifted, 0.0);
        }
        peer_read(work, lambda);
        for (size_t i = 0; i < M; i++)
            assert_close(lambda[i], given ? start[i] : 0.0, 0.0);
        peer_close(work);
    }
    peer_close(NULL);
    dls_problem_destroy(p);
    assert_int_equal(peer_open(&large, lo, NULL, &work, &error), DLS_REFUSED);
    assert_null(work);
    assert_non_null(strstr(error.message, "5001 rows are more than 5000"));
}

/* Friction that follows a row is taken where that row may have no impulse. */
TEST(test_following)
{
    static const double A[4] = {2, 0, 0, 1}, b[2] = {-1, 0};
    static const struct {
        double lo, hi;
        bool taken;
    } cases[] = {{0, 1, true}, {-1, 0, true}, {-1, 1, true}, {0.5, 1, false}, {-1, -0.5, false}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        for (int follows = 0; follows < 2; follows++) {
            const double lo[2] = {cases[k].lo, 0}, hi[2] = {cases[k].hi, 0};
            const bool taken = cases[k].taken || !follows;
            dls_problem *p = problem_from_matrix(2, A, b, lo, hi);
            void *work = NULL;
            dls_error error;
            if (follows)
                p->parent[1] = 0, p->law[1] = DLS_LAW_BOX, p->mu[1] = 0.5, p->n_coupled = 1;
            assert_int_equal(peer_open_following(p, NULL, NULL, &work, &error), taken ? DLS_OK : DLS_REFUSED);
            if (taken)
                peer_close(work);
            else
                assert_non_null(strstr(error.message, "friction row 1 follows row 0, whose bounds exclude 0"));
            dls_problem_destroy(p);
        }
}

TEST(test_end)
{
    for (size_t iterations = 0; iterations < 6; iterations += 5)
        for (int claims = 0; claims < 2; claims++) {
            dls_report report = {.iterations = iterations};
            assert_int_equal(peer_end(claims, "it says so", &report), DLS_OK);
            assert_outcome_is(&report, claims ? DLS_OUTCOME_SOLVED : DLS_OUTCOME_ITERATION_LIMIT, "an end");
            assert_int_equal(report.iterations, iterations ? iterations : 1);
            assert_string_equal(report.message, claims ? "" : "it says so");
        }
}
