/* The rows of a problem in other orders: undone bit for bit, friction stays behind its normal row, solutions
 * correspond, and a sweep over reversed rows is the backward sweep. The response and the diagonal of A in both
 * forms. */
#include "check.h"
#include "problems.h"

#include "delassus/reference.h"
#include "delassus/solvers.h"

#include "cones.h"
#include "failing_memory.h"
#include "packed_problems.h"

#include <string.h>

static made drawn; /* its problem has the masses of this */

/* Problems of every form and kind: random mechanical rows with friction, their matrix, a matrix that is not symmetric,
 * and contacts under a cone. */
enum { MECHANICAL, MATRIX, UNSYMMETRIC, CONES, KINDS };

static dls_problem *unsymmetric_problem(size_t n)
{
    double A[30 * 30], b[30], lo[30], hi[30];
    for (size_t k = 0; k < n * n; k++)
        A[k] = below(3) ? 0.0 : uniform(-1.0, 1.0);
    for (size_t i = 0; i < n; i++) {
        A[i + n * i] = below(8) ? 3.0 + uniform(-1.0, 1.0) : 0.0;
        b[i] = uniform(-1.0, 1.0), lo[i] = -fabs(uniform(-1.0, 1.0)),
        hi[i] = below(2) ? fabs(uniform(-1.0, 1.0)) : HUGE_VAL;
    }
    return problem_from_matrix(n, A, b, lo, hi);
}

/* The problem, to be destroyed before the next one is made. */
static dls_problem *draw_kind(int kind, unsigned seed)
{
    dls_problem *p;
    dls_error error;
    if (kind == UNSYMMETRIC)
        return unsymmetric_problem(1 + below(30));
    if (kind == CONES) {
        double lambda[30] = {0}, w[30] = {0};
        return cone_manufacture(1 + below(10), seed, lambda, w);
    }
    draw_problem(&drawn);
    finish(&drawn);
    if (kind == MECHANICAL)
        return drawn.p;
    assert_status(dls_problem_matrix_form(drawn.p, &p, &error), &error);
    dls_problem_destroy(drawn.p);
    return p;
}

static dls_problem *reorder(const dls_problem *p, const size_t *order)
{
    dls_problem *reordered;
    dls_error error;
    assert_status(dls_problem_reorder(p, order, &reordered, &error), &error);
    return reordered;
}

static void find_order(const dls_problem *p, dls_row_order kind, uint64_t seed, size_t *order)
{
    dls_error error;
    assert_status(dls_problem_order(p, kind, seed, order, &error), &error);
}

/* --- undone --- */

static void row_of(const dls_problem *p, size_t i, double *row)
{
    memset(row, 0, VELOCITIES * sizeof *row);
    for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++)
        memcpy(row + p->J.offset[k], p->J.coef + p->J.coef_at[k],
               (p->J.coef_at[k + 1] - p->J.coef_at[k]) * sizeof *row);
}

static void assert_same(const dls_problem *p, const dls_problem *q)
{
    assert_true(p->n == q->n && p->nv == q->nv && p->form == q->form && p->h == q->h);
    assert_true(p->n_coupled == q->n_coupled && p->n_cone == q->n_cone && strcmp(p->name, q->name) == 0);
    assert_memory_equal(p->v_star, q->v_star, p->nv * sizeof *p->v_star);
    assert_memory_equal(p->gamma, q->gamma, p->n * sizeof *p->gamma);
    assert_memory_equal(p->c, q->c, p->n * sizeof *p->c);
    assert_memory_equal(p->lo, q->lo, p->n * sizeof *p->lo);
    assert_memory_equal(p->hi, q->hi, p->n * sizeof *p->hi);
    assert_memory_equal(p->mu, q->mu, p->n * sizeof *p->mu);
    assert_memory_equal(p->parent, q->parent, p->n * sizeof *p->parent);
    assert_memory_equal(p->law, q->law, p->n * sizeof *p->law);
    for (size_t i = 0; i < p->n; i++) {
        double one[VELOCITIES], other[VELOCITIES];
        row_of(p, i, one), row_of(q, i, other);
        assert_memory_equal(one, other, sizeof one);
        assert_string_equal(dls_problem_label(p, i), dls_problem_label(q, i));
        assert_string_equal(dls_problem_owner(p, i), dls_problem_owner(q, i));
    }
}

TEST(test_undone_bit_for_bit)
{
    size_t order[ROWS], back_order[ROWS];
    double x[ROWS], y[ROWS], z[ROWS];
    for (unsigned seed = 0; seed < 200; seed++) {
        dls_problem *p = draw_kind((int)(seed % KINDS), seed);
        find_order(p, (dls_row_order)(seed / KINDS % 3), seed, order);
        for (size_t i = 0; i < p->n; i++)
            back_order[order[i]] = i, x[i] = uniform(-1.0, 1.0);
        dls_problem *there = reorder(p, order), *back = reorder(there, back_order);
        assert_same(back, p);
        if (seed / KINDS % 3 == DLS_ORDER_GIVEN)
            assert_same(there, p);
        dls_order_apply(p->n, order, x, y);
        dls_order_undo(p->n, order, y, z);
        assert_memory_equal(z, x, p->n * sizeof *x);
        dls_problem_destroy(back), dls_problem_destroy(there), dls_problem_destroy(p);
    }
}

/* The first step of a scene of the project, from its own model. */
static dls_problem *scene_problem(const char *name)
{
    const char *source = getenv("DLS_TEST_SOURCE");
    char path[DLS_PATH_MAX];
    dls_scene *scene;
    dls_model *model;
    dls_error error;
    snprintf(path, sizeof path, "%s/scenes/%s.yaml", source ? source : ".", name);
    assert_status(dls_scene_read(path, &scene, &error), &error);
    assert_status(dls_model_create(scene, &model, &error), &error);
    dls_problem *p = problem_from_state(model, dls_model_initial(model), NULL, 0.01);
    dls_model_destroy(model);
    dls_scene_destroy(scene);
    return p;
}

/* The names of the rows of a scene go with them. */
TEST(test_rows_keep_their_names)
{
    size_t order[ROWS];
    dls_problem *p = scene_problem("four-bar");
    find_order(p, DLS_ORDER_REVERSED, 0, order);
    dls_problem *reordered = reorder(p, order);
    assert_string_not_equal(dls_problem_owner(p, 0), dls_problem_owner(reordered, 0));
    for (size_t i = 0; i < p->n; i++) {
        assert_int_equal(order[i], p->n - 1 - i);
        assert_string_equal(dls_problem_owner(reordered, i), dls_problem_owner(p, order[i]));
        assert_string_equal(dls_problem_label(reordered, i), dls_problem_label(p, order[i]));
        assert_true(dls_problem_rows(reordered)->row[i].angular == dls_problem_rows(p)->row[order[i]].angular);
    }
    dls_problem_destroy(reordered), dls_problem_destroy(p);
}

/* --- friction --- */

/* A friction row comes after its normal row, with rows of the same contact alone between them. */
TEST(test_friction_follows_its_normal_row)
{
    size_t order[ROWS];
    for (unsigned seed = 0; seed < 200; seed++) {
        dls_problem *p = draw_kind((int)(seed % KINDS), seed);
        find_order(p, seed % 3 ? DLS_ORDER_RANDOM : DLS_ORDER_REVERSED, seed, order);
        dls_problem *reordered = reorder(p, order);
        for (size_t i = 0; i < p->n; i++) {
            const size_t before = p->parent[order[i]], normal = reordered->parent[i];
            assert_true((before == DLS_NONE) == (normal == DLS_NONE));
            if (normal == DLS_NONE)
                continue;
            assert_int_equal(order[normal], before);
            assert_true(normal < i);
            for (size_t k = normal + 1; k < i; k++)
                assert_true(reordered->parent[k] == normal && order[k] < order[i]);
            assert_true(dls_problem_is_cone(reordered, normal) == dls_problem_is_cone(p, before));
        }
        dls_problem_destroy(reordered), dls_problem_destroy(p);
    }
}

/* --- solutions --- */

/* The examiner finds the same of the same impulses in either order, whether they solve the problem or not. */
TEST(test_impulses_are_worth_the_same)
{
    size_t order[ROWS];
    double x[ROWS], y[ROWS];
    for (unsigned seed = 0; seed < 200; seed++) {
        dls_problem *p = seed % KINDS == MECHANICAL ? scene_problem(seed % 8 ? "chain-10" : "box-on-slope")
                                                    : draw_kind((int)(seed % KINDS), seed);
        for (size_t i = 0; i < p->n; i++)
            x[i] = uniform(-1.0, 1.0);
        find_order(p, DLS_ORDER_RANDOM, seed, order);
        dls_problem *reordered = reorder(p, order);
        dls_order_apply(p->n, order, x, y);
        const dls_certificate one = cone_certify(p, x), other = cone_certify(reordered, y);
        assert_close(other.natural_residual, one.natural_residual, 1e-12 * one.natural_residual);
        assert_close(other.scaled_residual, one.scaled_residual, 1e-12);
        dls_problem_destroy(reordered), dls_problem_destroy(p);
    }
}

/* A solution by construction stays one, and the solution of the reordered problem is one of the given one. */
TEST(test_solutions_correspond)
{
    const dls_solver *exact = dls_direct_find("block-pivoting");
    size_t order[ROWS];
    void *settings = test_calloc(1, exact->fields.size);
    dls_error error;
    for (unsigned seed = 0; seed < 50; seed++) {
        double lambda[30] = {0}, w[30] = {0}, moved[30];
        dls_problem *p = cone_manufacture(1 + below(10), seed, lambda, w);
        find_order(p, DLS_ORDER_RANDOM, seed, order);
        dls_problem *reordered = reorder(p, order);
        dls_order_apply(p->n, order, lambda, moved);
        assert_below(cone_certify(reordered, moved).scaled_residual, 1e-13);
        dls_problem_destroy(reordered), dls_problem_destroy(p);
    }
    assert_status(dls_fields_default(&exact->fields, settings, &error), &error);
    for (size_t n = 2; n < 30; n++) {
        double A[30 * 30], b[30], hi[30], x[30] = {0}, y[30] = {0};
        unsigned seed = (unsigned)n;
        dls_report report = {0};
        cone_matrix(n, &seed, A);
        for (size_t i = 0; i < n; i++)
            b[i] = uniform(-1.0, 1.0), hi[i] = below(2) ? 0.3 : HUGE_VAL;
        dls_problem *p = problem_from_matrix(n, A, b, NULL, hi);
        find_order(p, DLS_ORDER_RANDOM, n, order);
        dls_problem *reordered = reorder(p, order);
        assert_status(dls_solve(exact, reordered, settings, 1000, y, &report, NULL, NULL, &error), &error);
        dls_order_undo(n, order, y, x);
        assert_below(cone_certify(p, x).scaled_residual, 1e-13);
        dls_report_release(&report);
        dls_problem_destroy(reordered), dls_problem_destroy(p);
    }
    test_free(settings);
}

/* --- orders --- */

/* Forward over the given rows, then forward over the reversed ones: an iteration of symmetric PGS. */
TEST(test_reversed_rows_are_a_backward_sweep)
{
    const dls_solver *pgs = dls_iterative_find("pgs"), *both = dls_iterative_find("symmetric-pgs");
    size_t order[ROWS];
    for (unsigned seed = 0; seed < 50; seed++) {
        double x[ROWS] = {0}, y[ROWS], z[ROWS] = {0}, scale = 0.0;
        void *settings = test_calloc(1, pgs->fields.size);
        dls_report report = {0};
        dls_error error;
        dls_problem *p = unsymmetric_problem(1 + below(30));
        find_order(p, DLS_ORDER_REVERSED, 0, order);
        dls_problem *reversed = reorder(p, order);
        assert_status(dls_fields_default(&pgs->fields, settings, &error), &error);
        assert_status(dls_solve(pgs, p, settings, 1, x, &report, NULL, NULL, &error), &error);
        dls_order_apply(p->n, order, x, y);
        assert_status(dls_solve(pgs, reversed, settings, 1, y, &report, NULL, NULL, &error), &error);
        dls_order_undo(p->n, order, y, x);
        assert_status(dls_solve(both, p, settings, 1, z, &report, NULL, NULL, &error), &error);
        for (size_t i = 0; i < p->n; i++)
            scale = fmax(scale, fabs(z[i]));
        for (size_t i = 0; i < p->n; i++)
            assert_close(x[i], z[i], 1e-13 * scale);
        dls_report_release(&report);
        dls_problem_destroy(reversed), dls_problem_destroy(p);
        test_free(settings);
    }
}

/* Each of the 24 orders of four rows is as frequent: chi^2 with 23 degrees of freedom is below 50 but for one draw in
 * 1,000; and a seed says which one. */
TEST(test_random_orders_are_uniform)
{
    const double A[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, b[4] = {0};
    enum { DRAWS = 24000 };
    size_t count[256] = {0}, order[4], again[4], seen = 0;
    double chi2 = 0.0;
    dls_problem *p = problem_from_matrix(4, A, b, NULL, NULL);
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        find_order(p, DLS_ORDER_RANDOM, seed, order);
        find_order(p, DLS_ORDER_RANDOM, seed, again);
        assert_memory_equal(order, again, sizeof order);
        count[order[0] | order[1] << 2 | order[2] << 4 | order[3] << 6]++;
    }
    for (size_t k = 0; k < 256; k++)
        if (count[k])
            seen++, chi2 += pow((double)count[k] - DRAWS / 24.0, 2.0) / (DRAWS / 24.0);
    assert_int_equal(seen, 24);
    assert_below(chi2, 50.0);
    dls_problem_destroy(p);
}

TEST(test_wrong_orders)
{
    static const size_t twice[6] = {0, 1, 2, 3, 4, 4}, beyond[6] = {0, 1, 2, 3, 4, 6}, apart[6] = {0, 3, 1, 2, 4, 5};
    double lambda[6] = {0}, w[6] = {0};
    dls_problem *p = cone_manufacture(2, 1, lambda, w), *reordered;
    dls_error error;
    assert_int_equal(dls_problem_reorder(p, twice, &reordered, &error), DLS_BAD_ARGUMENT);
    assert_int_equal(dls_problem_reorder(p, beyond, &reordered, &error), DLS_BAD_ARGUMENT);
    assert_int_equal(dls_problem_reorder(p, apart, &reordered, &error), DLS_BAD_INPUT);
    assert_null(reordered);
    dls_problem_destroy(p);
}

TEST(test_failing_memory)
{
    double lambda[9] = {0}, w[9] = {0};
    size_t order[9];
    dls_problem *p = cone_manufacture(3, 1, lambda, w), *reordered = NULL;
    dls_error error;
    dls_status status = DLS_NO_MEMORY;
    for (size_t k = 1; status != DLS_OK; k++) {
        const long before = live;
        allocations = 0, fail_at = k;
        status = dls_problem_order(p, DLS_ORDER_REVERSED, 0, order, &error);
        if (status == DLS_OK)
            status = dls_problem_reorder(p, order, &reordered, &error);
        fail_at = 0;
        assert_true(status == DLS_OK || (status == DLS_NO_MEMORY && !reordered && live == before));
    }
    dls_problem_destroy(reordered), dls_problem_destroy(p);
}

/* --- responses --- */

/* A unit impulse of row i changes w by column i of A; which is what the masses make of J in the mechanical form. */
TEST(test_response_and_diagonal)
{
    for (unsigned seed = 0; seed < 100; seed++) {
        dls_problem *p = draw_kind((int)(seed % KINDS), seed);
        double diagonal[ROWS], scratch[2 * VELOCITIES], B[VELOCITIES], row[VELOCITIES];
        dls_problem_diagonal(p, diagonal, scratch);
        for (size_t i = 0; i < p->n; i++) {
            memset(B, 0, sizeof B);
            assert_true(dls_problem_response(p, i, B, scratch) == diagonal[i]);
            if (p->form == DLS_FORM_MECHANICAL) {
                for (size_t j = 0; j < p->nv; j++)
                    assert_close(B[j], drawn.B[i][j], 1e-13 * (1.0 + fabs(B[j])));
                assert_close(diagonal[i], drawn.diagonal[i], 1e-13 * (1.0 + diagonal[i]));
                continue;
            }
            row_of(p, i, row);
            assert_true(diagonal[i] == row[i] + p->gamma[i]);
            for (size_t k = 0; k < p->n; k++) {
                row_of(p, k, row);
                assert_true(dls_rows_dot(&p->J, k, B) == row[i]);
            }
        }
        dls_problem_destroy(p);
    }
}
