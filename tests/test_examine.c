/* The examiner: accepts manufactured solutions, objects to every perturbation, and agrees with dense matrices. */
#include "draws.h"
#include "examined.h"
#include "mechanisms.h"

#include "delassus/io.h"
#include "delassus/reference.h"

#include <gsl/gsl_cblas.h>

enum { N_MAX = 60 };

/* One ball joint, twice. */
static const char twice[] =
    "bodies:\n  - {name: rod, shape: box, size: [1, 0.1, 0.1], mass: 2, position: [0.5, 0, 0]}\n"
    "joints:\n  - {name: one, type: ball, body1: rod, anchor: [0, 0, 0]}\n"
    "  - {name: two, type: ball, body1: rod, anchor: [0, 0, 0]}\n";

static const dls_recipe recipes[] = {
    {DLS_MATRIX_DEFINITE, DLS_BOUNDS_LCP, 17, 0.0, 1},
    {DLS_MATRIX_DEFINITE, DLS_BOUNDS_BOXED, 60, 0.3, 2},
    {DLS_MATRIX_SEMIDEFINITE, DLS_BOUNDS_LCP, 40, 0.0, 3},
    {DLS_MATRIX_MONOTONE, DLS_BOUNDS_BOXED, 31, 0.2, 4},
    {DLS_MATRIX_P, DLS_BOUNDS_LCP, 25, 0.0, 5},
};

TEST(test_manufactured_solutions_pass)
{
    for (size_t k = 0; k < sizeof recipes / sizeof recipes[0]; k++) {
        double lambda[N_MAX], w_chosen[N_MAX], w[N_MAX];
        dls_certificate c;
        dls_problem *problem = problem_from_recipe(&recipes[k], lambda, w_chosen);
        dls_examiner *examiner = examiner_of(problem);
        dls_examine(examiner, lambda, w, &c);
        assert_below(c.scaled_residual, 1e-12);
        assert_below(c.natural_residual, 1e-12);
        assert_below(c.bound_violation, 0.0);
        assert_below(c.complementarity_gap, 1e-11);
        for (size_t i = 0; i < recipes[k].n; i++)
            assert_close(w[i], w_chosen[i], 1e-12);
        dls_examiner_destroy(examiner);
        dls_problem_destroy(problem);
    }
}

TEST(test_every_perturbed_entry_is_seen)
{
    for (size_t k = 0; k < sizeof recipes / sizeof recipes[0]; k++) {
        double lambda[N_MAX];
        dls_certificate c;
        if (recipes[k].matrix == DLS_MATRIX_SEMIDEFINITE || recipes[k].degenerate > 0.0)
            continue; /* there a change can lead to another solution */
        dls_problem *problem = problem_from_recipe(&recipes[k], lambda, NULL);
        dls_examiner *examiner = examiner_of(problem);
        for (size_t i = 0; i < recipes[k].n; i++) {
            double kept = lambda[i];
            lambda[i] += 1e-6;
            dls_examine(examiner, lambda, NULL, &c);
            assert_true(c.scaled_residual > 1e-9);
            lambda[i] = NAN;
            dls_examine(examiner, lambda, NULL, &c);
            assert_true(isnan(c.natural_residual) && isnan(c.scaled_residual) && isnan(c.bound_violation));
            lambda[i] = kept;
        }
        dls_examiner_destroy(examiner);
        dls_problem_destroy(problem);
    }
}

/* Perturbations of all impulses at once, of 1e-3 to 1e-9 of the largest: each is caught by a tolerance of 1e-12, which
 * the solution itself passes. */
TEST(test_perturbations_of_every_size)
{
    enum { SEEDS = 1000 };
    double least = HUGE_VAL, solved = 0.0;
    for (unsigned long seed = 1; seed <= SEEDS; seed++) {
        double lambda[N_MAX], largest = 0.0;
        dls_recipe recipe = recipes[seed % (sizeof recipes / sizeof recipes[0])];
        dls_certificate c;
        recipe.seed = seed;
        draw_seed(seed);
        dls_problem *problem = problem_from_recipe(&recipe, lambda, NULL);
        dls_examiner *examiner = examiner_of(problem);
        dls_examine(examiner, lambda, NULL, &c);
        solved = fmax(solved, c.scaled_residual);
        const double size = scale_between(-9.0, -3.0);
        for (size_t i = 0; i < recipe.n; i++)
            largest = fmax(largest, fabs(lambda[i]));
        for (size_t i = 0; i < recipe.n; i++)
            lambda[i] += size * largest * uniform(-1.0, 1.0);
        dls_examine(examiner, lambda, NULL, &c);
        least = fmin(least, c.scaled_residual / size);
        assert_true(c.scaled_residual > 1e-12);
        assert_true(c.worst_row < recipe.n);
        dls_examiner_destroy(examiner);
        dls_problem_destroy(problem);
    }
    print_message("# solutions: scaled residual %.2e at most; perturbations of size s: %.2g s at least\n", solved,
                  least);
    assert_below(solved, 1e-13);
}

/* Three figures on a problem small enough for pencil and paper: A = [2 1; 1 3], b = [-1, 4], lambda = [1, -2]. */
TEST(test_figures_by_hand)
{
    const double A[] = {2, 1, 1, 3}, b[] = {-1, 4}, lambda[] = {1, -2};
    dls_certificate c;
    double w[2];
    dls_problem *problem = problem_from_matrix(2, A, b, NULL, NULL);
    dls_examiner *examiner = examiner_of(problem);
    dls_examine(examiner, lambda, w, &c);
    assert_close(w[0], -1.0, 1e-15); /* 2 - 2 - 1 */
    assert_close(w[1], -1.0, 1e-15); /* 1 - 6 + 4 */
    /* row 1: |1 - (1 + 1)| = 1; row 2: |-2 - max(0, -2 + 1)| = 2 */
    assert_close(c.natural_residual, 2.0, 1e-15);
    assert_close(c.natural_residual_impulse, 2.0, 1e-15);  /* 1/2 and 2 */
    assert_close(c.natural_residual_velocity, 6.0, 1e-15); /* 2 * 3 */
    /* T = (1 + 2 + 2, 4 + 1 + 6), Lambda = (min(5/2, 11/1), min(5/1, 11/3)); row 1: |w| / T; row 2: off by 2 */
    assert_close(c.velocity_residual, 1.0 / 5.0, 1e-15);
    assert_close(c.impulse_residual, 2.0 / (11.0 / 3.0), 1e-15);
    assert_close(c.scaled_residual, 6.0 / 11.0, 1e-15);
    assert_close(c.bound_violation, 2.0, 1e-15);
    assert_close(c.objective, 0.5 * (2.0 - 4.0 + 12.0) - 1.0 - 8.0, 1e-15);
    dls_examiner_destroy(examiner);
    dls_problem_destroy(problem);
}

/* A contact under the cone with a diagonal matrix: the distance of (1, 1, 0) to the cone of mu = 1/2 is that to (1.2,
 * 0.6, 0); as a row, (1, 0) is 1/2 beyond the disc of radius 1/2. Its scale is T_i / A_ii, T_i = |b_i| + A_ii
 * |lambda_i|, the larger one of the tangents. */
TEST(test_scales_of_a_contact_by_hand)
{
    enum { N = 3 };
    static const double b[N] = {-1.0, 2.0, 3.0}, lambda[N] = {1.0, 1.0, 0.0}, solved[N] = {1.0, 0.0, 0.0};
    for (size_t k = 0; k <= N; k++) {
        double A[N * N] = {0.0}, w[N], scale[N];
        dls_problem *p;
        dls_examiner *examiner;
        dls_certificate c;
        for (size_t i = 0; i < N; i++) {
            A[i + N * i] = i == k ? 8.0 : 1.0;
            scale[i] = (fabs(b[i]) + A[i + N * i] * lambda[i]) / A[i + N * i];
        }
        p = problem_from_matrix(N, A, b, NULL, NULL);
        dls_problem_make_cone(p, 0, 0.5);
        examiner = examiner_of(p);
        dls_examine(examiner, lambda, w, &c);
        assert_close(c.cone_violation, hypot(0.2, 0.4), 1e-15);
        assert_close(c.impulse_residual, 0.5 / fmax(scale[1], scale[2]), 1e-15);
        dls_examiner_destroy(examiner);
        dls_problem_destroy(p);
    }
    for (size_t k = 0; k < N; k++) { /* a contact that sticks but for a speed of 1e-3 in one row */
        double A[N * N] = {0.0}, w[N];
        const double speed = 1e-3;
        double of[N] = {-1.0, 0.0, 0.0};
        dls_problem *p;
        dls_examiner *examiner;
        dls_certificate c;
        for (size_t i = 0; i < N; i++)
            A[i + N * i] = 1.0;
        of[k] += k == 0 ? -speed : speed;
        p = problem_from_matrix(N, A, of, NULL, NULL);
        dls_problem_make_cone(p, 0, 0.5);
        examiner = examiner_of(p);
        dls_examine(examiner, solved, w, &c);
        assert_close(fabs(w[k]), speed, 1e-15);
        assert_close(c.velocity_residual, k == 0 ? speed / (2.0 + speed) : 1.0, 1e-12); /* speed / T of its row */
        dls_examiner_destroy(examiner);
        dls_problem_destroy(p);
    }
}

/* A contact under the cone in its first three rows. */
static dls_certificate examined_contact(size_t n, const double *A, const double *b, const double *lambda)
{
    dls_certificate c;
    dls_problem *p = problem_from_matrix(n, A, b, NULL, NULL);
    dls_problem_make_cone(p, 0, 0.5);
    dls_examiner *examiner = examiner_of(p);
    dls_examine(examiner, lambda, NULL, &c);
    dls_examiner_destroy(examiner);
    dls_problem_destroy(p);
    return c;
}

/* A contact that slides at 1e12 m/s, and whose normal row is wrong by 1e-6 m/s beside terms of 2 m/s. Then one whose
 * normal row has terms of 1e12 m/s, and whose tangents move at 1e-6 m/s beside terms of 2 m/s, though their impulse is
 * within the disc. */
TEST(test_no_row_of_a_contact_is_weighed_away)
{
    enum { N = 3 };
    static const double A[N * N] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const double b[2][N] = {{-1.0 - 1e-6, 1e12, 0.0}, {-1e12, -1.0 + 1e-6, 0.0}};
    static const double lambda[2][N] = {{1.0, -0.5, 0.0}, {1e12, 1.0, 0.0}};
    for (size_t k = 0; k < 2; k++) {
        const dls_certificate c = examined_contact(N, A, b[k], lambda[k]);
        assert_close(c.velocity_residual, 0.5e-6, 1e-12);
        assert_true(c.impulse_residual == 0.0);
    }
}

/* Terms of 1e308 whose sum overflows, so that w may be anything, though it is a number or the row has no impulse:
 * w_0 = 1e308 - 1.5e308 closes though lambda_0 = 0; the tangents of an open contact move at -1e308 - 1e308. */
/* The residual of rows is that of the certificate at the worst of them, and 0 but for rounding at a solution; an
 * impulse that is off is seen in its own row, and where a row is between its bounds the map is w_i / D_i, times D_i. */
TEST(test_residuals_of_rows)
{
    dls_model *model = make_chain(7, 50.0);
    dls_problem *problem = problem_from_state(model, dls_model_initial(model), NULL, 0.01);
    dls_examiner *examiner = examiner_of(problem);
    double lambda[21], w[21], residual[21], most = 0.0;
    dls_certificate rows, whole;
    for (int i = 0; i < 21; i++)
        lambda[i] = sin(2.385 * i);
    dls_examine_rows(examiner, lambda, residual, &rows);
    dls_examine(examiner, lambda, w, &whole);
    for (int i = 0; i < 21; i++) {
        most = fmax(most, residual[i]);
        assert_close(residual[i], fabs(w[i]), 1e-12 * whole.w_max);
    }
    assert_true(most == whole.natural_residual_velocity);
    assert_memory_equal(&rows, &whole, sizeof rows);
    dls_examiner_destroy(examiner);
    dls_problem_destroy(problem);
    dls_model_destroy(model);
    for (size_t k = 0; k < sizeof recipes / sizeof recipes[0]; k++) {
        double solution[N_MAX], chosen[N_MAX], of[N_MAX];
        problem = problem_from_recipe(&recipes[k], solution, chosen);
        examiner = examiner_of(problem);
        dls_examine_rows(examiner, solution, of, &rows);
        most = 0.0;
        for (size_t i = 0; i < recipes[k].n; i++) {
            assert_below(of[i], 1e-12);
            most = fmax(most, of[i]);
        }
        memset(&whole, 0, sizeof whole);
        dls_examine(examiner, solution, NULL, &whole);
        assert_true(most == whole.natural_residual_velocity);
        assert_memory_equal(&rows, &whole, sizeof rows);
        dls_examiner_destroy(examiner);
        dls_problem_destroy(problem);
    }
}

TEST(test_overflow_is_no_solution)
{
    enum { N = 4 };
    static const double A[2][N * N] = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1e108, 0, 0, 1},
                                       {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1e108, 0, 1}};
    static const double b[2][N] = {{-1.5e308, 0.0, 0.0, -1e200}, {1.0, -1e308, 0.0, -1e200}};
    static const double lambda[N] = {0.0, 0.0, 0.0, 1e200};
    for (size_t k = 0; k < 2; k++) {
        const dls_certificate c = examined_contact(N, A[k], b[k], lambda);
        assert_true(isnan(c.scaled_residual));
        assert_true(c.worst_row == 0);
    }
}

/* A ball that slides across its contact without closing: n . v is 0 but for rounding, and so are the terms of the
 * normal row. An impulse of less than that is none under a box and under a cone, with its friction left out or with the
 * wrong sign; one that can be seen is refuted. */
TEST(test_impulses_below_rounding_are_none)
{
    static const char *const laws[] = {"box", "cone"};
    size_t cancelled = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        char text[1024];
        draw_seed(seed);
        const dls_vec3 n = dls_unit(dls_v3(uniform(0.1, 1), uniform(0.1, 1), uniform(0.1, 1)));
        const dls_vec3 v = dls_cross(n, dls_v3(uniform(1, 2), uniform(-2, -1), uniform(-1, 1)));
        snprintf(text, sizeof text,
                 "world: {gravity: [0, 0, 0]}\n"
                 "bodies: [{name: ball, shape: sphere, radius: 0.5, mass: %.17g, velocity: [%.17g, %.17g, %.17g]}]\n"
                 "joints: [{name: touch, type: contact, body1: ball, point: [%.17g, %.17g, %.17g], normal: [%.17g, "
                 "%.17g, %.17g], mu: 0.5, friction: %s}]\n",
                 uniform(1, 4), v.x, v.y, v.z, -0.5 * n.x, -0.5 * n.y, -0.5 * n.z, n.x, n.y, n.z, laws[seed % 2]);
        dls_model *model = parse_model(text);
        dls_problem *problem = problem_from_state(model, dls_model_initial(model), NULL, 0.01);
        dls_examiner *examiner = examiner_of(problem);
        double lambda[3] = {0.0}, w[3];
        dls_certificate c;
        dls_examine(examiner, lambda, w, &c);
        assert_int_equal(problem->n, 3);
        assert_true(fabs(w[0]) < 2e-15 && hypot(w[1], w[2]) > 0.5);
        assert_below(c.scaled_residual, 1e-12);
        cancelled += w[0] != 0.0;
        for (int k = 0; k < 3; k++) {
            lambda[0] = k < 2 ? 2e-17 : -2e-17;
            lambda[1] = k == 1 ? copysign(1e-17, w[1]) : 0.0;
            dls_examine(examiner, lambda, NULL, &c);
            assert_below(c.scaled_residual, 1e-12);
            lambda[0] = k < 2 ? 2e-10 : -2e-10;
            dls_examine(examiner, lambda, NULL, &c);
            if (!(c.least_residual > 0.1))
                fail_msg("seed %d, %s, case %d: %g", (int)seed, laws[seed % 2], k, c.least_residual);
        }
        dls_examiner_destroy(examiner);
        dls_problem_destroy(problem);
        dls_model_destroy(model);
    }
    assert_true(cancelled > 20);
}

TEST(test_mechanical_form_agrees_with_dense)
{
    dls_model *model = make_chain(7, 50.0);
    dls_certificate c;
    double lambda[21], other[21], w[21], expected[21], M_norm = 0.0;
    dls_problem *problem = problem_from_state(model, dls_model_initial(model), NULL, 0.01);
    dls_dense *dense = dense_of(problem);
    dls_examiner *examiner = examiner_of(problem);
    assert_true(dense->symmetric && dense->n == 21);
    for (int i = 0; i < 21; i++) {
        lambda[i] = sin(2.385 * i);
        other[i] = cos(i);
    }
    memcpy(expected, dense->b, sizeof expected);
    cblas_dgemv(CblasColMajor, CblasNoTrans, 21, 21, 1.0, dense->A, 21, lambda, 1, 1.0, expected, 1);
    dls_examine(examiner, lambda, w, &c);
    for (int i = 0; i < 21; i++)
        assert_close(w[i], expected[i], 1e-11); /* |A| is about 150 */
    for (int i = 0; i < 21; i++)
        for (int j = 0; j < 21; j++)
            M_norm += (lambda[i] - other[i]) * dense->A[i + 21 * j] * (lambda[j] - other[j]);
    assert_close(dls_examiner_distance(examiner, lambda, other), sqrt(M_norm), 1e-11);
    dls_examiner_destroy(examiner);
    dls_dense_destroy(dense);
    dls_problem_destroy(problem);
    dls_model_destroy(model);
}

/* The rows of a chain are independent: one lambda makes a velocity. With every row twice the nearest is found, and what
 * no impulse makes is told. */
TEST(test_impulses_of_a_velocity)
{
    dls_model *model = make_chain(4, 50.0);
    dls_error error;
    double lambda[12], near[12], found[12], v[24], scratch[24], left;
    dls_problem *problem = problem_from_state(model, dls_model_initial(model), NULL, 0.01);
    assert_true(problem->n == 12 && problem->nv == 24);
    for (int i = 0; i < 12; i++)
        lambda[i] = 0.01 * sin(2.385 * i), near[i] = 3.0 * cos(i);
    dls_problem_velocity(problem, lambda, v, scratch);
    assert_status(dls_impulses_of_velocity(problem, v, near, found, &left, &error), &error);
    for (int i = 0; i < 12; i++)
        assert_close(found[i], lambda[i], 1e-12);
    assert_below(left, 1e-12);
    v[3] += 0.1; /* a ball that turns by itself */
    assert_status(dls_impulses_of_velocity(problem, v, near, found, &left, &error), &error);
    assert_true(left > 1e-3);
    dls_problem_destroy(problem);
    dls_model_destroy(model);
}

/* A light ball that turns by itself beside one of 1e12 times its mass: 1e-4 rad/s are 1e-10 of the kinetic energy's
 * root, and are told all the same. The right velocity leaves nothing. */
TEST(test_a_heavy_body_hides_no_velocity)
{
    dls_model *model = make_chain(3, 1e12);
    dls_error error;
    double lambda[9], near[9] = {0.0}, found[9], v[18], scratch[18], left;
    dls_problem *problem = problem_from_state(model, dls_model_initial(model), NULL, 0.01);
    assert_true(problem->n == 9 && problem->nv == 18);
    for (int i = 0; i < 9; i++)
        lambda[i] = 0.01 * sin(2.385 * i);
    dls_problem_velocity(problem, lambda, v, scratch);
    assert_status(dls_impulses_of_velocity(problem, v, near, found, &left, &error), &error);
    assert_below(left, 1e-12);
    v[3] += 1e-4;
    assert_status(dls_impulses_of_velocity(problem, v, near, found, &left, &error), &error);
    assert_true(left > 1e-6);
    dls_problem_destroy(problem);
    dls_model_destroy(model);
}

TEST(test_impulses_of_a_velocity_in_redundant_rows)
{
    dls_error error;
    const double near[6] = {0.3, -0.1, 0.2, 0.1, 0.5, -0.4};
    double found[6], v[6], scratch[6], left;
    dls_model *model = parse_model(twice);
    dls_problem *problem = problem_from_state(model, dls_model_initial(model), NULL, 0.01);
    assert_true(problem->n == 6);
    dls_problem_velocity(problem, near, v, scratch);
    assert_status(dls_impulses_of_velocity(problem, v, near, found, &left, &error), &error);
    for (int i = 0; i < 6; i++)
        assert_close(found[i], near[i], 1e-14); /* nothing needs to change */
    const double sum[6] = {1.0, 2.0, 3.0, 0.0, 0.0, 0.0};
    dls_problem_velocity(problem, sum, v, scratch);
    assert_status(dls_impulses_of_velocity(problem, v, near, found, &left, &error), &error);
    for (int i = 0; i < 3; i++) { /* both joints change by the same */
        assert_close(found[i] + found[i + 3], sum[i], 1e-13);
        assert_close(found[i] - near[i], found[i + 3] - near[i + 3], 1e-13);
    }
    assert_below(left, 1e-13);
    dls_problem_destroy(problem);
    dls_model_destroy(model);
}

/* (A, t b, t lo, t hi) and (S A S, S b, S^-1 lo, S^-1 hi), t and S powers of two: rows of J by S, velocities by t. The
 * figures without a unit keep every bit; the others have their units. */
static void assert_units_change_nothing(dls_problem *p, double *lambda, double t)
{
    dls_certificate before, after;
    dls_error error;
    const bool matrix = p->form == DLS_FORM_MATRIX;
    dls_examiner *examiner = examiner_of(p);
    dls_examine(examiner, lambda, NULL, &before);
    assert_true(before.scaled_residual > 1e-6 && before.data_residual > 0.0);
    for (size_t i = 0; i < p->n; i++) {
        const double s = ldexp(1.0, (int)(7 * i % 41) - 20);
        for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++)
            for (size_t at = p->J.coef_at[k]; at < p->J.coef_at[k + 1]; at++)
                p->J.coef[at] *=
                    matrix ? s * ldexp(1.0, (int)(7 * (p->J.offset[k] + at - p->J.coef_at[k]) % 41) - 20) : s;
        p->gamma[i] *= s * s;
        p->c[i] *= s * t;
        p->lo[i] *= t / s;
        p->hi[i] *= t / s;
        lambda[i] *= t / s;
    }
    for (size_t j = 0; !matrix && j < p->nv; j++)
        p->v_star[j] *= t;
    assert_status(dls_examiner_reload(examiner, p, &error), &error);
    dls_examine(examiner, lambda, NULL, &after);
    assert_memory_equal(&after.impulse_residual, &before.impulse_residual, sizeof(double));
    assert_memory_equal(&after.velocity_residual, &before.velocity_residual, sizeof(double));
    assert_memory_equal(&after.scaled_residual, &before.scaled_residual, sizeof(double));
    assert_memory_equal(&after.data_residual, &before.data_residual, sizeof(double));
    if (isnormal(t * t)) /* an energy outside the range of doubles is 0 or infinite; no figure without a unit is */
        assert_true(after.complementarity_gap == t * t * before.complementarity_gap);
    dls_examiner_destroy(examiner);
}

TEST(test_units_change_nothing)
{
    static const double units[] = {0x1p-37, 0x1p-900, 0x1p900};
    double lambda[N_MAX];
    dls_problem *problem;
    for (size_t k = 0; k < sizeof recipes / sizeof recipes[0]; k++) {
        problem = problem_from_recipe(&recipes[k], lambda, NULL);
        for (size_t i = 0; i < problem->n; i++)
            lambda[i] += 1e-3 * sin(2.3 * (double)i);
        assert_units_change_nothing(problem, lambda, units[k % 3]);
        dls_problem_destroy(problem);
    }
    dls_model *model = make_chain(7, 50.0);
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++) {
        problem = problem_from_state(model, dls_model_initial(model), NULL, 0.01);
        for (size_t i = 0; i < problem->n; i++)
            lambda[i] = sin(2.385 * (double)i);
        assert_units_change_nothing(problem, lambda, units[k]);
        dls_problem_destroy(problem);
    }
    dls_model_destroy(model);
}

/* Two limits of a hinge that contradict each other pull equally, and no impulse changes it: for rows that hold both
 * ways that would be the answer of least squares, but rows with one bound have none. */
TEST(test_limits_are_not_redundant_rows)
{
    static const char text[] =
        "name: limits\nworld: {gravity: [0, 0, 0], step: 1 ms}\n"
        "bodies: [{name: rod, shape: box, size: [1, 0.1, 0.1], mass: 1, position: [0.5, 0, 0]}]\n"
        "joints:\n- {name: h, type: hinge, body1: rod, anchor: [0, 0, 0], axis: [0, 1, 0]}\n"
        "- {name: up, type: limit, coordinates: {h: 1}, lower: 0.01, erp: 0.2}\n"
        "- {name: down, type: limit, coordinates: {h: 1}, upper: -0.01, erp: 0.2}\n";
    const double lambda[7] = {0.0};
    double w[7];
    dls_certificate c;
    dls_model *model = parse_model(text);
    dls_problem *problem = problem_from_state(model, dls_model_initial(model), NULL, 1e-3);
    assert_int_equal(problem->n, 7);
    problem->c[3] = problem->c[4] = 0.0; /* the rounding of the hinge's axis */
    dls_examiner *examiner = examiner_of(problem);
    dls_examine(examiner, lambda, w, &c);
    assert_close(w[5], -2.0, 1e-12);
    assert_close(w[6], -2.0, 1e-12);
    assert_close(c.velocity_residual, 1.0, 1e-15);
    assert_true(c.worst_row >= 5);
    dls_examiner_destroy(examiner);
    dls_problem_destroy(problem);
    dls_model_destroy(model);
}

/* A matrix is symmetric if its entries are so to 1e-13 of themselves, or of the diagonal. */
TEST(test_what_counts_as_symmetric)
{
    static const struct {
        double entry, other;
        bool symmetric;
    } cases[] = {{0.5, 0.5, true},    {0.5, 0.5 + 5e-14, true}, {0.5, 0.5 + 1e-11, false}, {1e-15, 0.0, true},
                 {1e-12, 0.0, false}, {0.5, -0.5, false},       {0.0, 0.5, false}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const double A[] = {1.0, cases[k].entry, cases[k].other, 1.0}, b[] = {1.0, 1.0};
        dls_problem *problem = problem_from_matrix(2, A, b, NULL, NULL);
        assert_int_equal(dls_problem_is_symmetric(problem), cases[k].symmetric);
        dls_problem_destroy(problem);
    }
}

/* A small diagonal beside large entries of its row hides nothing: lambda = 0 and w = b violate two rows here. */
TEST(test_small_diagonals_hide_nothing)
{
    const double A[] = {1e-14, 3, 1, 0, 1, 1e-14, -1, 3, 1, -2, 1e-14, 2, 2, 2, 2, 1e-14}, b[] = {0, -4, -2, 0},
                 lo[] = {-2, -2, -2, -2}, hi[] = {0.5, 0, 1, 0}, lambda[4] = {0};
    dls_certificate c;
    dls_problem *problem = problem_from_matrix(4, A, b, lo, hi);
    dls_examiner *examiner = examiner_of(problem);
    dls_examine(examiner, lambda, NULL, &c);
    assert_below(c.natural_residual_velocity, 1e-13); /* D weighs the violation away */
    assert_close(c.velocity_residual, 1.0, 1e-15);
    dls_examiner_destroy(examiner);
    dls_problem_destroy(problem);
}

/* A = [1 -1; -1 1], b = [-1, 0] has no solution, and at (1e16, 1e16) every row's terms are so large that w = b is
 * nothing beside them: the data residual sees it, also beside a row of its own with a larger impulse, in any unit. */
TEST(test_large_impulses_hide_nothing)
{
    static const double units[] = {1.0, 0x1p-300, 0x1p-600, 0x1p-900, 0x1p300, 0x1p600, 0x1p900};
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++) {
        const double t = units[k], A[] = {1, -1, 0, -1, 1, 0, 0, 0, 1e-10}, b[] = {-t, 0, -1e10 * t},
                     lambda[] = {1e16 * t, 1e16 * t, 1e20 * t};
        dls_certificate c;
        dls_problem *problem = problem_from_matrix(3, A, b, NULL, NULL);
        dls_examiner *examiner = examiner_of(problem);
        dls_examine(examiner, lambda, NULL, &c);
        assert_below(c.scaled_residual, 1e-15);
        assert_true(c.data_residual > 0.1);
        dls_examiner_destroy(examiner);
        dls_problem_destroy(problem);
    }
}

/* The same where an impulse runs away between bounds that it does not reach: they are no data of its answer. */
TEST(test_wide_bounds_hide_nothing)
{
    const double A[] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, b[] = {-1, -3, 2}, lo[] = {0, -1e10, -HUGE_VAL},
                 hi[] = {HUGE_VAL, 1e10, 0}, away[] = {5e9, -5e9, 0}, at_bound[] = {1e10, -1e10, 0};
    dls_certificate c;
    dls_problem *problem = problem_from_matrix(3, A, b, lo, hi);
    dls_examiner *examiner = examiner_of(problem);
    dls_examine(examiner, away, NULL, &c);
    assert_below(c.scaled_residual, 1e-9);
    assert_true(c.data_residual > 0.1);
    dls_examine(examiner, at_bound, NULL, &c); /* this one is held by its bound */
    assert_below(c.data_residual, 1e-9);
    dls_examiner_destroy(examiner);
    dls_problem_destroy(problem);
}

/* And where the impulses of tangents run away: those of two contacts that press on each other, w_1 = l_1 - l_2 - 1 and
 * w_2 = l_2 - l_1, beside normal impulses that hold them by little energy of their own. */
TEST(test_friction_that_runs_away_hides_nothing)
{
    enum { N = 6 };
    for (size_t cone = 0; cone < 2; cone++) {
        double A[N * N] = {0.0}, b[N] = {-2e-14, -1.0, 0.0, -2e-14, 0.0, 0.0};
        const double lambda[N] = {2e16, 1e16, 0.0, 2e16, 1e16, 0.0};
        dls_certificate c;
        A[0] = A[3 + N * 3] = 1e-30;
        A[1 + N * 1] = A[4 + N * 4] = A[2 + N * 2] = A[5 + N * 5] = 1.0;
        A[1 + N * 4] = A[4 + N * 1] = -1.0;
        dls_problem *p = problem_from_matrix(N, A, b, NULL, NULL);
        for (size_t i = 0; i < N; i += 3) {
            if (cone)
                dls_problem_make_cone(p, i, 1.0);
            for (size_t k = i + 1; !cone && k < i + 3; k++) {
                p->parent[k] = i, p->law[k] = DLS_LAW_BOX, p->mu[k] = 1.0;
                p->lo[k] = p->hi[k] = 0.0;
                p->n_coupled++;
            }
        }
        dls_examiner *examiner = examiner_of(p);
        dls_examine(examiner, lambda, NULL, &c);
        assert_below(c.scaled_residual, 1e-15);
        assert_true(c.data_residual > 0.1);
        dls_examiner_destroy(examiner);
        dls_problem_destroy(p);
    }
}

/* An island without b, whose impulses could be 0: what rounding leaves there hides nothing and is no reason to doubt,
 * while larger impulses, which nothing calls for, are. Rows 2 and 3 are nearly redundant; units of both islands
 * vary. */
TEST(test_rounding_beside_other_islands_is_no_doubt)
{
    static const double units[] = {1.0, 0x1p-300, 0x1p300};
    for (size_t k = 0; k < 3; k++)
        for (size_t large = 0; large < 2; large++) {
            const double t = units[k], A[] = {1, 0, 0, 0, 1, 1 - 0x1p-40, 0, 1 - 0x1p-40, 1}, b[] = {-t, 0, 0},
                         x = large ? 1e-6 * t : 1e-9 * t, lambda[] = {t, x, -x};
            const double lo[] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, hi[] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
            dls_certificate c;
            dls_problem *problem = problem_from_matrix(3, A, b, lo, hi);
            dls_examiner *examiner = examiner_of(problem);
            dls_examine(examiner, lambda, NULL, &c);
            assert_below(c.scaled_residual, 1e-11);
            assert_true(large ? isinf(c.data_residual) : c.data_residual == 0.0);
            dls_examiner_destroy(examiner);
            dls_problem_destroy(problem);
        }
}
