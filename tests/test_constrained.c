/* Rows on one articulation by the articulated-body algorithm with added inertia: the solutions are those of the dense
 * equations, also where rows depend on each other. */
#include "failing_memory.h"
#include "tree_rows.h"

#include "delassus/constrained.h"

#include <lapacke.h>
#include <string.h>

/* A = J M^-1 J^T, with M^-1 J^T = B. */
static double *dense_matrix(const articulated *a, const double *y, size_t rows, double *B)
{
    const size_t nv = a->art->nv;
    double *A = calloc(rows * rows + 1, sizeof *A);
    for (size_t j = 0; j < rows; j++)
        dls_articulation_solve(a->work, y + nv * j, B + nv * j);
    for (size_t j = 0; j < rows; j++)
        for (size_t i = 0; i < rows; i++)
            for (size_t k = 0; k < nv; k++)
                A[i + rows * j] += y[nv * i + k] * B[nv * j + k];
    return A;
}

/* (A + R) x = b, with R of about a tenth of the diagonal. */
static void inverse_undoes_the_matrix(articulated *a, uint64_t *seed)
{
    const size_t nv = a->art->nv, rows = 3 + a->art->n_links / 2;
    dls_error error;
    dls_constrained *c;
    assert_status(dls_articulation_factor(a->work, &error), &error);
    forces f = draw_forces(seed, a->art, rows);
    double *y = transposed(a, &f), *B = calloc(nv * rows + 1, sizeof *B), *A = dense_matrix(a, y, rows, B);
    double *R = calloc(rows, sizeof *R), *b = draw_vector(seed, rows, 1.7), *x = calloc(rows, sizeof *x);
    for (size_t i = 0; i < rows; i++)
        R[i] = 0.1 * A[i + rows * i] + 0.01, b[i] *= sqrt(R[i]);
    assert_status(dls_constrained_create(a->work, rows, f.n, f.at, R, &c, &error), &error);
    dls_constrained_inverse(c, b, x);
    for (size_t i = 0; i < rows; i++) {
        double sum = R[i] * x[i];
        for (size_t j = 0; j < rows; j++)
            sum += A[i + rows * j] * x[j];
        assert_close(sum / sqrt(R[i]), b[i] / sqrt(R[i]), 1e-10 * (double)rows);
    }
    dls_constrained_destroy(c);
    free(f.at), free(y), free(B), free(A), free(R), free(b), free(x);
}

TEST(test_the_inverse_of_the_damped_matrix) { on_all_trees(inverse_undoes_the_matrix); }

/* A third of the degrees of freedom as independent rows, of up to three forces; then every second of them once more,
 * times -2: J has not full rank, and vdot is the same. */
static void forward_is_the_dense_solution(articulated *a, uint64_t *seed)
{
    const size_t nv = a->art->nv, rows = nv / 3;
    if (rows == 0)
        return;
    dls_error error;
    dls_constrained *c;
    dls_constrained_report report;
    assert_status(dls_articulation_factor(a->work, &error), &error);
    forces f = draw_forces(seed, a->art, rows);
    double *y = transposed(a, &f), *B = calloc(nv * rows, sizeof *B), *A = dense_matrix(a, y, rows, B);
    double *tau = draw_vector(seed, nv, 3.1), *gamma = draw_vector(seed, 2 * rows, 2.3), *vdot = calloc(nv, sizeof *A),
           *lambda = calloc(2 * rows, sizeof *A), *expected = calloc(nv, sizeof *A), *right = calloc(rows, sizeof *A),
           *diagonal = calloc(rows, sizeof *A);
    double condition;
    dls_articulation_solve(a->work, tau, expected);
    for (size_t i = 0; i < rows; i++) {
        diagonal[i] = sqrt(A[i * (rows + 1)]);
        for (size_t k = 0; k < nv; k++)
            right[i] -= y[nv * i + k] * expected[k];
        right[i] = (right[i] + gamma[i]) / diagonal[i];
    }
    for (size_t i = 0; i < rows * rows; i++)
        A[i] /= diagonal[i % rows] * diagonal[i / rows];
    const lapack_int n = (lapack_int)rows;
    const double norm = LAPACKE_dlansy(LAPACK_COL_MAJOR, '1', 'L', n, A, n);
    const bool regular = LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, A, n) == 0;
    if (regular) {
        assert_int_equal(LAPACKE_dpocon(LAPACK_COL_MAJOR, 'L', n, A, n, norm, &condition), 0);
        assert_int_equal(LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', n, 1, A, n, right, n), 0);
    }
    /* A drawn link may be fixed to another, and its row then depends on others: such draws are left out. */
    for (int twice = 0; twice < 2 && regular && condition > 1e-4; twice++) {
        size_t all = rows;
        forces g = {0, f.n, calloc(2 * f.n, sizeof *g.at)};
        memcpy(g.at, f.at, f.n * sizeof *f.at);
        for (size_t i = 0; i < rows && twice; i += 2, all++) {
            for (size_t k = 0; k < f.n; k++)
                if (f.at[k].row == i) {
                    dls_tree_force *copy = &g.at[g.n++];
                    *copy = f.at[k];
                    copy->row = all, copy->force *= -2.0;
                    copy->wrench = (dls_spatial){dls_scale(-2, copy->wrench.lin), dls_scale(-2, copy->wrench.ang)};
                }
            gamma[all] = -2.0 * gamma[i];
        }
        assert_status(dls_constrained_create(a->work, all, g.n, g.at, NULL, &c, &error), &error);
        dls_constrained_forward(c, tau, gamma, 1e-12, 30, vdot, lambda, &report);
        assert_true(report.converged);
        for (size_t i = 0; i < rows; i++) {
            double *column = B + nv * i, sum = lambda[i];
            for (size_t k = 0; k < nv && !twice; k++)
                expected[k] += column[k] * right[i] / diagonal[i];
            if (twice && i % 2 == 0) { /* least in the norm of R, which is 4 times as large for the copy */
                assert_close(lambda[rows + i / 2], -0.5 * lambda[i], 1e-8 * largest(lambda, all));
                sum += -2.0 * lambda[rows + i / 2];
            }
            assert_close(sum * diagonal[i], right[i], 1e-8 * largest(right, rows));
        }
        assert_below(relative(vdot, expected, nv), 1e-8);
        dls_constrained_destroy(c);
        free(g.at);
    }
    free(f.at), free(y), free(B), free(A), free(tau), free(gamma), free(vdot), free(lambda), free(expected);
    free(right), free(diagonal);
}

TEST(test_forward_is_the_dense_solution) { on_all_trees(forward_is_the_dense_solution); }

/* A row whose speed cannot be reached is missed, and the motion is as if it were not there: the root is fixed. */
TEST(test_a_row_that_nothing_moves)
{
    uint64_t seed = 5;
    articulated a = compile_articulated(draw_tree(&seed, 6, 1, true));
    const dls_tree_force at = {.row = 0, .dof = DLS_NONE, .link = 0, .wrench = {{1, 2, 3}, {0, 0, 0}}};
    const double gamma = 0.7;
    double *tau = draw_vector(&seed, a.art->nv, 1.3), *free_motion = calloc(a.art->nv, sizeof *tau),
           *vdot = calloc(a.art->nv, sizeof *tau), lambda;
    dls_error error;
    dls_constrained *c;
    dls_constrained_report report;
    assert_status(dls_articulation_factor(a.work, &error), &error);
    dls_articulation_solve(a.work, tau, free_motion);
    assert_status(dls_constrained_create(a.work, 1, 1, &at, NULL, &c, &error), &error);
    dls_constrained_forward(c, tau, &gamma, 1e-12, 20, vdot, &lambda, &report);
    assert_below(relative(vdot, free_motion, a.art->nv), 1e-12);
    assert_true(report.converged && report.missed > 0.0);
    dls_constrained_destroy(c);
    const double none = 0.0;
    assert_int_equal(dls_constrained_create(a.work, 1, 1, &at, &none, &c, &error), DLS_BAD_ARGUMENT);
    free(tau), free(free_motion), free(vdot);
    destroy_articulated(&a);
}

static dls_status create_constrained(const void *argument, dls_error *error)
{
    const articulated *a = argument;
    dls_tree_force at[3] = {
        {.row = 0, .dof = 3, .force = 1.0}, {.row = 1, .dof = 1, .force = 1.0}, {.row = 1, .dof = 2}};
    dls_constrained *c = NULL;
    at[2].force = -2.0;
    dls_status status = dls_constrained_create(a->work, 2, 3, at, NULL, &c, error);
    dls_constrained_destroy(c);
    return status;
}

TEST(test_memory_that_runs_out)
{
    uint64_t seed = 5;
    articulated a = compile_articulated(draw_tree(&seed, 6, 1, false));
    fail_every_allocation(create_constrained, &a, "constrained");
    destroy_articulated(&a);
}
