/* Bounds of large problems: they hold at impulses that are wrong in any way, in other units of the rows, and where they
 * cannot hold nothing is said. And sparse-active-set, whose answers they bound, against the dense methods. */
#include "examined.h"
#include "mechanism.h"
#include "problems.h"

#include "bench/scenes.h"
#include "delassus/reference.h"

#include <math.h>
#include <string.h>

enum { MOST = 1000 };

static dls_problem *problem_of_boxes(size_t layers, double mu)
{
    dls_error error;
    bench_scene *scene;
    assert_status(bench_contacts(layers, mu, &scene, &error), &error);
    dls_state *state = new_state(scene->model);
    dls_problem *problem = problem_from_state(scene->model, state, &scene->contacts, scene->h);
    assert_true(problem->n <= MOST);
    dls_state_destroy(state);
    bench_scene_destroy(scene);
    return problem;
}

static void solve(const char *name, const dls_problem *p, double *lambda)
{
    const dls_solver *solver = dls_direct_find(name);
    double settings[32];
    dls_report report = {0};
    dls_error error;
    assert_true(solver && solver->fields.size <= sizeof settings);
    assert_status(dls_fields_default(&solver->fields, settings, &error), &error);
    memset(lambda, 0, p->n * sizeof *lambda);
    assert_status(dls_solve(solver, p, settings, 1, lambda, &report, NULL, NULL, &error), &error);
    assert_int_equal(report.outcome, DLS_OUTCOME_SOLVED);
    dls_report_release(&report);
}

static dls_bounds certify(const dls_problem *p, const double *lambda)
{
    dls_bounds bounds;
    dls_error error;
    assert_status(dls_certify_large(p, lambda, &bounds, &error), &error);
    return bounds;
}

/* v+ is unique, so the velocities of two answers differ by no more than both bounds; and a pile of boxes, whose
 * contacts are redundant, has the velocities of the dense method. */
TEST(sparse_answers_have_the_velocities_of_dense_ones)
{
    double dense[MOST], sparse[MOST];
    for (int friction = 0; friction < 2; friction++) {
        dls_problem *p = problem_of_boxes(5, friction ? 0.5 : 0.0);
        dls_examiner *examiner = examiner_of(p);
        dls_certificate certificate;
        solve("sparse-active-set", p, sparse);
        solve(friction ? "fixed-point" : "block-pivoting", p, dense);
        dls_examine(examiner, sparse, NULL, &certificate);
        assert_below(certificate.scaled_residual, 1e-12);
        assert_below(dls_examiner_distance(examiner, sparse, dense), 1e-9);
        dls_examiner_destroy(examiner);
        dls_problem_destroy(p);
    }
}

/* |lambda - lambda*|_A of perturbed impulses is at most the bound, and known up to that of lambda*. */
TEST(bounds_hold_at_wrong_impulses)
{
    uint64_t seed = 7;
    double exact[MOST], lambda[MOST];
    dls_problem *p = problem_of_boxes(6, 0.0);
    dls_examiner *examiner = examiner_of(p);
    solve("block-pivoting", p, exact);
    dls_bounds at_solution = certify(p, exact);
    assert_int_equal(at_solution.kind, DLS_BOUNDS_VELOCITY);
    assert_below(at_solution.velocity, 1e-4); /* the root of the rounding of the energies, some joules */
    for (int trial = 0; trial < 60; trial++) {
        const double size = pow(10.0, -12.0 + 0.2 * trial);
        for (size_t i = 0; i < p->n; i++)
            lambda[i] = fmax(0.0, exact[i] * (1.0 + (trial % 3 ? size : -size) * draw(&seed)) +
                                      (trial % 2 ? size * draw(&seed) : 0.0));
        dls_bounds bounds = certify(p, lambda);
        if (bounds.kind == DLS_BOUNDS_VELOCITY)
            assert_below(dls_examiner_distance(examiner, lambda, exact), bounds.velocity + at_solution.velocity);
        dls_bounds_release(&bounds);
    }
    exact[3] = -1e-3;
    dls_bounds off = certify(p, exact);
    assert_int_equal(off.kind, DLS_BOUNDS_NONE);
    exact[3] = NAN;
    dls_bounds none = certify(p, exact);
    assert_int_equal(none.kind, DLS_BOUNDS_NONE);
    dls_bounds_release(&none);
    dls_bounds_release(&off);
    dls_bounds_release(&at_solution);
    dls_examiner_destroy(examiner);
    dls_problem_destroy(p);
}

/* Rows in other units, powers of two from 2^-40 to 2^40: the same energies, but for the rounding of the direction. */
TEST(bounds_do_not_depend_on_units_of_rows)
{
    double lambda[MOST];
    dls_problem *p = problem_of_boxes(4, 0.0);
    solve("sparse-active-set", p, lambda);
    dls_bounds before = certify(p, lambda);
    for (size_t i = 0; i < p->n; i++) {
        const double s = ldexp(1.0, 20 * ((int)(i % 5) - 2));
        for (size_t at = p->J.coef_at[p->J.start[i]]; at < p->J.coef_at[p->J.start[i + 1]]; at++)
            p->J.coef[at] *= s;
        p->c[i] *= s, p->gamma[i] *= s * s, lambda[i] /= s;
    }
    dls_bounds after = certify(p, lambda);
    assert_int_equal(before.kind, DLS_BOUNDS_VELOCITY);
    assert_int_equal(after.kind, DLS_BOUNDS_VELOCITY);
    assert_close(after.velocity, before.velocity, 1e-2 * before.velocity);
    dls_bounds_release(&before);
    dls_bounds_release(&after);
    dls_problem_destroy(p);
}

/* Friction has a backward statement; rows without bounds, and matrices, have none. */
TEST(statements_are_of_the_kind_that_theory_gives)
{
    double lambda[MOST] = {0};
    dls_error error;
    dls_problem *p = problem_of_boxes(4, 0.5);
    solve("sparse-active-set", p, lambda);
    dls_bounds friction = certify(p, lambda);
    assert_int_equal(friction.kind, DLS_BOUNDS_BACKWARD);
    assert_below(friction.b_off, 1e-10);
    lambda[0] *= 1.5; /* the boxes above it are thrown up: no small change of b explains that */
    dls_bounds wrong = certify(p, lambda);
    assert_true(wrong.kind != DLS_BOUNDS_BACKWARD || wrong.b_off > 1e-6);
    dls_problem_destroy(p);
    bench_scene *scene;
    assert_status(bench_grid(1, 5, &scene, &error), &error);
    dls_state *state = new_state(scene->model);
    p = problem_from_state(scene->model, state, &scene->contacts, scene->h);
    dls_state_destroy(state);
    bench_scene_destroy(scene);
    solve("sparse-active-set", p, lambda);
    dls_bounds free_rows = certify(p, lambda);
    assert_int_equal(free_rows.kind, DLS_BOUNDS_NONE);
    dls_problem_destroy(p);
    const double A[] = {2.0, 1.0, 1.0, 3.0}, b[] = {1.0, -1.0};
    p = problem_from_matrix(2, A, b, NULL, NULL);
    dls_bounds matrix = certify(p, lambda);
    assert_int_equal(matrix.kind, DLS_BOUNDS_NONE);
    dls_problem_destroy(p);
    dls_bounds *const all[] = {&friction, &wrong, &free_rows, &matrix};
    for (size_t k = 0; k < 4; k++)
        dls_bounds_release(all[k]);
}
