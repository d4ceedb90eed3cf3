/* Sparse matrices of problems and their factors, against the dense assembly and by residuals. */
#include "mechanism.h"
#include "problems.h"

#include "sparse/sparse.h"

#include "bench/scenes.h"
#include "delassus/reference.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static dls_problem *problem_of_scene(bench_scene *scene)
{
    dls_state *state = new_state(scene->model);
    dls_problem *problem = problem_from_state(scene->model, state, &scene->contacts, scene->h);
    dls_state_destroy(state);
    return problem;
}

/* A x for a matrix whose lower triangle may be all that is stored. */
static double *product(const dls_sparse *A, const double *x)
{
    double *y = calloc(A->rows + 1, sizeof *y);
    assert_non_null(y);
    dls_sparse_add_product(A, 1.0, x, y);
    return y;
}

static double *draw_vector(size_t n, uint64_t seed)
{
    double *x = calloc(n + 1, sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < n; i++)
        x[i] = draw(&seed);
    return x;
}

/* Columns have ascending rows, on and below the diagonal where the matrix says so. */
static void check_structure(const dls_sparse *A)
{
    for (size_t j = 0; j < A->columns; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            assert_true(A->row[k] < (int64_t)A->rows && (!A->lower || A->row[k] >= (int64_t)j));
            assert_true(k == A->start[j] || A->row[k] > A->row[k - 1]);
        }
}

static double largest_of(size_t n, const double *x)
{
    double largest = 0.0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(x[i]));
    return largest;
}

/* A x = J M^-1 J^T x + Gamma x, computed by rows. The two sums differ by some hundred roundings of the largest terms.
 */
static void check_delassus(const dls_problem *p, dls_arena *memory)
{
    dls_sparse A;
    dls_error error;
    assert_status(dls_sparse_delassus(p, memory, &A, &error), &error);
    check_structure(&A);
    double *x = draw_vector(p->n, 3), *y = product(&A, x), *v = calloc(2 * p->nv + 1, sizeof *v);
    assert_non_null(v);
    const double size = largest_of(p->n, y);
    dls_problem_velocity(p, x, v, v + p->nv);
    for (size_t j = 0; j < p->nv; j++)
        v[j] -= p->v_star[j];
    for (size_t i = 0; i < p->n; i++)
        assert_close(y[i], dls_rows_dot(&p->J, i, v) + p->gamma[i] * x[i], 1e-12 * size);
    free(v);
    free(x);
    free(y);
}

/* K (v, lambda) = (M v - J^T lambda, J v + Gamma lambda), and a solution by LU with 1 added to Gamma, for rows may be
 * dependent. */
static void check_kkt(const dls_problem *p, dls_arena *memory)
{
    dls_sparse K;
    dls_error error;
    int64_t *diagonal;
    const size_t m = p->nv + p->n;
    assert_status(dls_sparse_kkt(p, memory, &K, &diagonal, &error), &error);
    check_structure(&K);
    for (size_t k = 0; k < m; k++)
        assert_int_equal(K.row[diagonal[k]], k);
    double *x = draw_vector(m, 5), *y = product(&K, x), *expected = calloc(m + 1, sizeof *expected);
    assert_non_null(expected);
    dls_mass_multiply(&p->mass, x, expected);
    for (size_t i = 0; i < p->n; i++) {
        dls_rows_axpy(&p->J, i, -x[p->nv + i], expected);
        expected[p->nv + i] = dls_rows_dot(&p->J, i, x) + p->gamma[i] * x[p->nv + i];
    }
    for (size_t k = 0; k < m; k++)
        assert_close(y[k], expected[k], 1e-11 * (1.0 + fabs(y[k])));
    dls_sparse_factor *factor;
    bool good;
    for (size_t i = 0; i < p->n; i++)
        K.value[diagonal[p->nv + i]] += 1.0;
    free(y);
    y = product(&K, x);
    assert_status(dls_sparse_factor_create(DLS_SPARSE_LU, &factor, &error), &error);
    assert_status(dls_sparse_factor_analyze(factor, &K, &error), &error);
    assert_status(dls_sparse_factorize(factor, &K, &good, &error), &error);
    assert_true(good);
    assert_status(dls_sparse_factor_solve(factor, &K, y, expected, &error), &error);
    for (size_t k = 0; k < m; k++)
        assert_close(expected[k], x[k], 1e-8);
    dls_sparse_factor_destroy(factor);
    free(expected);
    free(x);
    free(y);
}

/* M + sum s_ij J_i^T J_j over the rows of contacts, with all entries, and as a lower triangle where s_ij = s_ji. */
static void check_pairs(const dls_problem *p, dls_arena *memory, const double *x)
{
    dls_error error;
    double *expected = calloc(p->nv + 1, sizeof *expected);
    assert_non_null(expected);
    for (int lower = 0; lower < 2; lower++) {
        dls_springs springs;
        assert_status(dls_springs_take(p, lower, memory, &springs, &error), &error);
        check_structure(&springs.H);
        dls_springs_reset(&springs);
        dls_mass_multiply(&p->mass, x, expected);
        for (size_t i = 0; i < p->n; i++)
            for (size_t j = 0; j < p->n; j++) {
                const bool joined = i == j || (p->parent[i] != DLS_NONE && p->parent[i] == p->parent[j]);
                const double s = !joined ? 0.0 : lower ? 1.0 + (double)((i + j) % 4) : 1.0 + (double)((i + 2 * j) % 5);
                if (s == 0.0)
                    continue;
                dls_springs_add(&springs, i, j, s);
                dls_rows_axpy(&p->J, i, s * dls_rows_dot(&p->J, j, x), expected);
            }
        double *y = product(&springs.H, x);
        for (size_t j = 0; j < p->nv; j++)
            assert_close(y[j], expected[j], 1e-11 * (1.0 + fabs(y[j])));
        free(y);
    }
    free(expected);
}

/* H(s) x = M x + J^T diag(s) J x, and its solution; a matrix that is not definite, or not finite, has no factor. */
static void check_springs(const dls_problem *p, dls_arena *memory)
{
    dls_springs springs;
    dls_sparse_factor *factor;
    dls_error error;
    bool good;
    double *s = draw_vector(p->n, 7), *x = draw_vector(p->nv, 9), *expected = calloc(p->nv + 1, sizeof *expected);
    assert_non_null(expected);
    assert_status(dls_springs_take(p, true, memory, &springs, &error), &error);
    check_structure(&springs.H);
    assert_status(dls_sparse_factor_create(DLS_SPARSE_CHOLESKY, &factor, &error), &error);
    assert_status(dls_sparse_factor_analyze(factor, &springs.H, &error), &error);
    for (size_t i = 0; i < p->n; i++)
        s[i] = i % 3 ? 1.0 + s[i] : 0.0;
    dls_springs_fill(&springs, s);
    dls_mass_multiply(&p->mass, x, expected);
    for (size_t i = 0; i < p->n; i++)
        dls_rows_axpy(&p->J, i, s[i] * dls_rows_dot(&p->J, i, x), expected);
    double *y = product(&springs.H, x);
    for (size_t j = 0; j < p->nv; j++)
        assert_close(y[j], expected[j], 1e-11 * (1.0 + fabs(y[j])));
    assert_status(dls_sparse_factorize(factor, &springs.H, &good, &error), &error);
    assert_true(good);
    assert_status(dls_sparse_factor_solve(factor, &springs.H, y, expected, &error), &error);
    for (size_t j = 0; j < p->nv; j++)
        assert_close(expected[j], x[j], 1e-8);
    for (int wrong = 0; wrong < 2; wrong++) {
        springs.H.value[0] = wrong ? NAN : -1.0;
        assert_status(dls_sparse_factorize(factor, &springs.H, &good, &error), &error);
        assert_false(good);
    }
    dls_springs_fill(&springs, s);
    assert_status(dls_sparse_factorize(factor, &springs.H, &good, &error), &error);
    assert_true(good);
    check_pairs(p, memory, x);
    dls_sparse_factor_destroy(factor);
    free(expected);
    free(s);
    free(x);
    free(y);
}

static void check_problem(dls_problem *p)
{
    dls_arena memory = {0};
    check_delassus(p, &memory);
    check_kkt(p, &memory);
    check_springs(p, &memory);
    dls_arena_release(&memory);
    dls_problem_destroy(p);
}

TEST(bodies_and_articulations_give_the_matrices_of_the_conventions)
{
    dls_error error;
    bench_scene *scene;
    assert_status(bench_contacts(4, 0.5, &scene, &error), &error);
    check_problem(problem_of_scene(scene));
    bench_scene_destroy(scene);
    assert_status(bench_grid(3, 4, &scene, &error), &error);
    check_problem(problem_of_scene(scene));
    bench_scene_destroy(scene);
    static const char *const files[] = {"tendons", "humanoid", "chain-10", "all-joints", "gripper"};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        dls_scene *read = read_scene(files[k]);
        dls_model *model = finish(read);
        dls_state *state = new_state(model);
        check_problem(problem_from_state(model, state, NULL, 0.01));
        dls_state_destroy(state);
        dls_model_destroy(model);
    }
}

TEST(a_problem_given_as_a_matrix_has_no_velocities)
{
    const double A[] = {2.0, 1.0, 1.0, 3.0}, b[] = {1.0, -1.0};
    dls_problem *p = problem_from_matrix(2, A, b, NULL, NULL);
    dls_arena memory = {0};
    dls_sparse matrix;
    dls_springs springs;
    int64_t *diagonal;
    dls_error error;
    assert_int_equal(dls_sparse_delassus(p, &memory, &matrix, &error), DLS_BAD_ARGUMENT);
    assert_int_equal(dls_sparse_kkt(p, &memory, &matrix, &diagonal, &error), DLS_BAD_ARGUMENT);
    assert_int_equal(dls_springs_take(p, true, &memory, &springs, &error), DLS_BAD_ARGUMENT);
    dls_arena_release(&memory);
    dls_problem_destroy(p);
}
