/* The examiner linked with lib alone, without the dense assembly, the direct methods and LAPACK: it needs none of them,
 * nor the M^-1 of the mass operator; and it is kept from problem to problem. */
#include "examined.h"
#include "mechanisms.h"

#include "delassus/reference.h"

#include "failing_memory.h"

#include <string.h>

enum { LINKS = 7, ROWS = 3 * LINKS };

static dls_problem *chain(double ratio, double h)
{
    dls_model *model = make_chain(LINKS, ratio);
    dls_problem *problem = problem_from_state(model, dls_model_initial(model), NULL, h);
    dls_model_destroy(model);
    return problem;
}

static dls_problem *matrix(void)
{
    const double A[] = {2, 1, 0.385, 3}, b[] = {-1, 4};
    return problem_from_matrix(2, A, b, NULL, NULL);
}

static void choose_impulses(double *lambda)
{
    for (int i = 0; i < ROWS; i++)
        lambda[i] = sin(2.385 * i);
}

static size_t multiplied;
static void count_and_multiply(const void *data, const double *x, double *y)
{
    multiplied++;
    dls_mass_body_kind.multiply(data, x, y);
}
static void refuse_to_solve(const void *data, const double *x, double *y)
{
    (void)data, (void)x, (void)y;
    fail_msg("the examiner asks the mass operator for M^-1");
}

/* w = J v+ + Gamma lambda - c by lib's own velocity; each column of a block of M is asked for once in a load. */
TEST(test_w_without_the_inverse_of_the_mass_operator)
{
    static const dls_mass_kind watched = {"watched", count_and_multiply, refuse_to_solve, NULL, NULL};
    dls_problem *p = chain(50.0, 0.01);
    dls_certificate c;
    double lambda[ROWS], w[ROWS], v[6 * LINKS], scratch[6 * LINKS], moved = 0.0;
    choose_impulses(lambda);
    dls_problem_velocity(p, lambda, v, scratch);
    for (size_t k = 0; k < p->mass.n_blocks; k++)
        p->mass.blocks[k].kind = &watched;
    dls_examiner *examiner = examiner_of(p);
    assert_int_equal(multiplied, 6 * LINKS);
    dls_examine(examiner, lambda, w, &c);
    for (size_t i = 0; i < ROWS; i++)
        assert_close(w[i], dls_rows_dot(&p->J, i, v) + p->gamma[i] * lambda[i] - p->c[i], 1e-12); /* |w| up to 40 */
    for (size_t j = 0; j < 6 * LINKS; j++)
        moved += scratch[j] * (v[j] - p->v_star[j]); /* g^T M^-1 g, g = J^T lambda */
    memset(v, 0, sizeof v);
    assert_close(dls_examiner_distance(examiner, lambda, v), sqrt(moved), 1e-12);
    assert_int_equal(multiplied, 6 * LINKS);
    dls_examiner_destroy(examiner);
    dls_problem_destroy(p);
}

/* A block of M that is not positive definite is named. */
TEST(test_a_mass_that_is_none)
{
    dls_problem *p = chain(50.0, 0.01);
    dls_examiner *examiner;
    dls_error error;
    dls_mass_body negative = *(const dls_mass_body *)p->mass.blocks[3].data;
    negative.mass = -1.0;
    p->mass.blocks[3].data = &negative;
    assert_int_equal(dls_examiner_create(p, &examiner, &error), DLS_BAD_INPUT);
    assert_non_null(strstr(error.message, "block 3"));
    assert_null(examiner);
    dls_problem_destroy(p);
}

/* Every problem after every other: the bytes of an examiner of its own, and no memory once each has been there. */
TEST(test_reloading)
{
    enum { PROBLEMS = 4 };
    dls_problem *problems[PROBLEMS] = {chain(50.0, 0.01), matrix(), chain(0.385, 0.002), chain(1.0, 0.1)};
    dls_certificate expected[PROBLEMS], c;
    dls_examiner *examiner;
    dls_error error;
    double lambda[ROWS], w[ROWS], own[PROBLEMS][ROWS] = {{0}};
    choose_impulses(lambda);
    for (size_t k = 0; k < PROBLEMS; k++) {
        examiner = examiner_of(problems[k]);
        dls_examine(examiner, lambda, own[k], &expected[k]);
        dls_examiner_destroy(examiner);
    }
    examiner = examiner_of(problems[0]);
    for (size_t step = 0; step < PROBLEMS + PROBLEMS * PROBLEMS; step++) {
        size_t k = step < PROBLEMS ? step : step % 2 ? step / 2 % PROBLEMS : step / 8 % PROBLEMS;
        size_t before = allocations;
        assert_status(dls_examiner_reload(examiner, problems[k], &error), &error);
        dls_examine(examiner, lambda, w, &c);
        if (step >= PROBLEMS)
            assert_int_equal(allocations, before);
        assert_memory_equal(w, own[k], problems[k]->n * sizeof *w);
        assert_memory_equal(&c.scaled_residual, &expected[k].scaled_residual, sizeof(double));
        assert_memory_equal(&c.natural_residual_impulse, &expected[k].natural_residual_impulse, sizeof(double));
    }
    assert_true(isnan(expected[1].objective)); /* not symmetric */
    dls_examiner_destroy(examiner);
    for (size_t k = 0; k < PROBLEMS; k++)
        dls_problem_destroy(problems[k]);
}

TEST(test_failing_memory)
{
    dls_problem *p = chain(50.0, 0.01);
    size_t failed = 0;
    for (bool done = false; !done; failed++) {
        dls_examiner *examiner;
        dls_error error;
        long before = live;
        allocations = 0, fail_at = failed + 1;
        dls_status status = dls_examiner_create(p, &examiner, &error);
        fail_at = 0;
        assert_int_equal(status, examiner ? DLS_OK : DLS_NO_MEMORY);
        done = status == DLS_OK;
        dls_examiner_destroy(examiner);
        assert_int_equal(live, before);
    }
    assert_true(failed > 2);
    dls_problem_destroy(p);
}
