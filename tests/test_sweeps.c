/* The battery of every iterative method in the table: each sweep against the naive loop of the conventions, iterate by
 * iterate. A newcomer in solvers.def inherits all of it; a test that fails names the method. */
#include "delassus/delassus.h"
#include "delassus/reference.h"
#include "delassus/solvers.h"

#include "bench/scenes.h"
#include "check.h"
#include "examined.h"
#include "naive.h"
#include "solvers/packed.h"

#include <stdio.h>
#include <string.h>

static const dls_solver *solver_at(size_t s)
{
    const dls_solver *solver = dls_iterative_solvers[s];
    method_under_test = solver ? solver->name : NULL;
    return solver;
}

/* An omega under which a method converges on each problem of the battery, where its default does not. */
enum { PILE, GRID, MATRIX, KINDS };
static const char *damping_of(const dls_solver *solver, int kind)
{
    static const char *const jacobi[KINDS] = {"0.15", "0.3", "0.05"};
    return solver == dls_iterative_find("jacobi") ? jacobi[kind] : NULL;
}

/* --- comparison --- */

static void *settings_of(const dls_solver *solver, const char *omega)
{
    dls_error error;
    void *settings = test_calloc(1, solver->fields.size);
    assert_status(dls_fields_default(&solver->fields, settings, &error), &error);
    if (omega && dls_field_find(&solver->fields, "omega"))
        assert_status(dls_field_set(&solver->fields, settings, "omega", omega, &error), &error);
    return settings;
}

static void assert_vector_close(size_t n, const double *value, const double *expected)
{
    double scale = 1.0;
    for (size_t j = 0; j < n; j++)
        scale = fmax(scale, fabs(expected[j]));
    for (size_t j = 0; j < n; j++)
        assert_close(value[j], expected[j], 1e-12 * scale);
}

/* Every method has impulses within their bounds, exactly, and the velocity of these impulses. */
static void check_iterate(const dls_solver *solver, const void *work, const naive *w, const double *lambda)
{
    const dls_problem *p = w->p;
    double *v = test_calloc(2 * p->nv + 1, sizeof *v), *expected = test_calloc(p->nv + 1, sizeof *expected);
    for (size_t i = 0; i < p->n; i++) {
        double lo, hi;
        dls_problem_bounds(p, i, lambda, &lo, &hi);
        if (w->D[i] != 0.0 && p->parent[i] == DLS_NONE)
            assert_true(lambda[i] >= lo && lambda[i] <= hi);
    }
    if (solver->velocity) {
        dls_problem_velocity(p, lambda, expected, v);
        solver->velocity(work, v);
        assert_vector_close(p->nv, v, expected);
    }
    test_free(v), test_free(expected);
}

/* Every iterate of a solver against the naive loop of its splitting, if it has one, c replaced by another one on half
 * way: the sums are taken in another order and in other coordinates, so each row costs some ten roundings, which 30
 * convergent sweeps do not amplify; the scale is that of the impulses. */
static void compare_with(const dls_solver *solver, const char *omega, const dls_problem *p, const double *lambda0)
{
    dls_error error;
    dls_report report = {0};
    void *settings = settings_of(solver, omega), *work;
    const dls_splitting none = {DLS_SPLITTING_NONE, 0.0};
    const dls_splitting splitting = solver->splitting ? solver->splitting(settings) : none;
    double *lambda = test_calloc(p->n + 1, sizeof *lambda), scale = 1.0;
    dls_problem same = *p; /* but with a c of its own */
    same.c = test_calloc(p->n + 1, sizeof *same.c);
    memcpy(same.c, p->c, p->n * sizeof *same.c);
    naive w = naive_open(&same, splitting, false, lambda0);
    assert_status(solver->open(p, settings, lambda0, &work, &error), &error);
    for (size_t k = 0; k < 30; k++) {
        if (k == 15 && solver->refresh) {
            for (size_t i = 0; i < p->n; i++)
                same.c[i] = 0.7 * same.c[i] + 0.13 * (double)(i % 3) - 0.1;
            solver->refresh(work, same.c);
            naive_renew(&w, &same);
        }
        assert_status(solver->iterate(work, &report, &error), &error);
        solver->read(work, lambda);
        check_iterate(solver, work, &w, lambda);
        if (splitting.kind == DLS_SPLITTING_NONE)
            continue;
        naive_iterate(&w);
        for (size_t i = 0; i < p->n; i++)
            scale = fmax(scale, fabs((double)w.lambda[i]));
        for (size_t i = 0; i < p->n; i++)
            assert_close(lambda[i], (double)w.lambda[i], 1e-12 * scale);
    }
    assert_int_equal(report.iterations, 30);
    solver->close(work);
    naive_close(&w);
    test_free(lambda), test_free(same.c);
    test_free(settings);
}

/* Cold, and from impulses that are none of the iterates. */
static void compare_all(const dls_problem *p, int kind)
{
    double *lambda0 = test_calloc(p->n + 1, sizeof *lambda0);
    for (size_t i = 0; i < p->n; i++)
        lambda0[i] = 0.07 * (double)(i % 5) - 0.113;
    const dls_solver *solver;
    for (size_t s = 0; (solver = solver_at(s)); s++) {
        const char *damped = damping_of(solver, kind);
        if (dls_solver_refuses(solver, p))
            continue;
        compare_with(solver, damped, p, NULL);
        compare_with(solver, damped, p, lambda0);
        if (!damped)
            compare_with(solver, "0.7", p, lambda0);
    }
    test_free(lambda0);
}
static dls_problem *problem_of(const bench_scene *scene)
{
    return problem_from_state(scene->model, dls_model_initial(scene->model), &scene->contacts, scene->h);
}

/* Deterministic numbers in [-1, 1). */
static double draw(unsigned long *seed)
{
    *seed = (*seed * 1103515245ul + 12345ul) & 0x7ffffffful;
    return (double)*seed / 1073741824.0 - 1.0;
}

static void stir(bench_scene *scene)
{
    unsigned long seed = 7;
    for (size_t i = 0; i < dls_model_count(scene->model).bodies; i++) {
        dls_vec3 turn = dls_v3(0.3 * draw(&seed), 0.3 * draw(&seed), 0.3 * draw(&seed));
        dls_model_initial(scene->model)->q[i] = dls_quat_mul(dls_quat_exp(turn), dls_model_initial(scene->model)->q[i]);
    }
    for (size_t j = 0; j < dls_model_count(scene->model).nv; j++)
        dls_model_initial(scene->model)->v[j] = 0.4 * draw(&seed);
}

TEST_AFTER(test_pile, name_the_method)
{
    bench_scene *scene;
    dls_error error;
    for (int boxed = 0; boxed < 2; boxed++) {
        assert_status(bench_contacts(4, 0.385, &scene, &error), &error);
        stir(scene);
        for (size_t k = 0; k < scene->contacts.count; k++) {
            dls_contact *contact = &scene->contacts.at[k];
            contact->friction = boxed ? DLS_LAW_BOX : DLS_LAW_FIXED;
            contact->friction_mass = 1.3;
            contact->gap = k % 7 == 3 ? 0.004 : -0.001;    /* plain friction rows of no force between those of a box */
            contact->mu = k % 11 == 5 ? 0.0 : contact->mu; /* a contact of one row */
            contact->cfm = k % 13 == 6 ? 1e-4 : 0.0;
        }
        dls_problem *p = problem_of(scene);
        for (size_t i = 0; i < p->n; i++)
            if (p->parent[i] != DLS_NONE && i % 4 == 0)
                p->lo[p->parent[i]] = -0.3; /* adhesion: a negative normal impulse leaves no friction */
        compare_all(p, PILE);
        dls_problem_destroy(p);
        bench_scene_destroy(scene);
    }
}

TEST_AFTER(test_grid, name_the_method)
{
    bench_scene *scene;
    dls_error error;
    assert_status(bench_grid(5, 5, &scene, &error), &error);
    stir(scene);
    dls_problem *p = problem_of(scene);
    compare_all(p, GRID);
    for (size_t i = 0; i < p->n; i++) { /* groups of mixed kinds and compliances */
        p->lo[i] = i % 9 < 3 ? -0.02 : p->lo[i];
        p->hi[i] = i % 9 == 4 ? 0.05 : p->hi[i];
        p->gamma[i] = i % 15 < 2 ? 0.021 : 0.0;
    }
    compare_all(p, GRID);
    dls_problem_destroy(p);
    bench_scene_destroy(scene);
}

TEST_AFTER(test_matrix_form, name_the_method)
{
    const dls_matrix_class classes[] = {DLS_MATRIX_DEFINITE, DLS_MATRIX_SEMIDEFINITE, DLS_MATRIX_MONOTONE};
    for (size_t k = 0; k < 3; k++) {
        dls_recipe recipe = {classes[k], DLS_BOUNDS_BOXED, 23, 0.1, 5};
        dls_problem *p = problem_from_recipe(&recipe, NULL, NULL);
        compare_all(p, MATRIX);
        dls_problem_destroy(p);
    }
}

/* A method that is no stationary iteration and cannot move bodies between iterations passes through the battery too. */
TEST_AFTER(test_methods_without_a_splitting, name_the_method)
{
    bench_scene *scene;
    dls_error error;
    dls_solver bare = *dls_iterative_find("pgs");
    bare.splitting = NULL, bare.refresh = NULL, bare.velocity = NULL;
    assert_status(bench_grid(4, 4, &scene, &error), &error);
    dls_problem *p = problem_of(scene);
    compare_with(&bare, NULL, p, NULL);
    dls_problem_destroy(p);
    bench_scene_destroy(scene);
}

/* --- answers --- */

TEST_AFTER(test_manufactured_solution, name_the_method)
{
    enum { N = 60 };
    double chosen[N], w[N], lambda[N];
    const dls_solver *solver;
    for (size_t s = 0; (solver = solver_at(s)); s++)
        for (int bounds = DLS_BOUNDS_LCP; bounds <= DLS_BOUNDS_BOXED; bounds++) {
            dls_error error;
            dls_report report = {0};
            dls_recipe recipe = {DLS_MATRIX_DEFINITE, (dls_bounds_class)bounds, N, 0.0, 3};
            bool damped = damping_of(solver, MATRIX) != NULL;
            void *settings = settings_of(solver, damped ? "0.3" : NULL);
            dls_problem *p = problem_from_recipe(&recipe, chosen, w);
            memset(lambda, 0, sizeof lambda);
            assert_status(dls_solve(solver, p, settings, damped ? 6000 : 2000, lambda, &report, NULL, NULL, &error),
                          &error);
            for (size_t i = 0; i < N && report.outcome != DLS_OUTCOME_REFUSED; i++)
                assert_close(lambda[i], chosen[i], 1e-10); /* condition 40, roundings of 60 terms of size 2 */
            dls_report_release(&report);
            dls_problem_destroy(p);
            test_free(settings);
        }
}

TEST_AFTER(test_dead_rows, name_the_method)
{
    bench_scene *scene;
    dls_error error;
    assert_status(bench_grid(3, 3, &scene, &error), &error);
    dls_problem *p = problem_of(scene);
    double *lambda0 = test_calloc(p->n, sizeof *lambda0), *lambda = test_calloc(p->n, sizeof *lambda);
    const size_t dead[] = {0, 7, 8, p->n - 1};
    for (size_t k = 0; k < 4; k++) {
        for (size_t j = p->J.coef_at[p->J.start[dead[k]]]; j < p->J.coef_at[p->J.start[dead[k] + 1]]; j++)
            p->J.coef[j] = 0.0;
        p->lo[dead[k]] = -0.1, p->hi[dead[k]] = 0.1;
        lambda0[dead[k]] = 2.385; /* outside of its bounds: left alone all the same */
    }
    compare_all(p, GRID);
    const dls_solver *solver;
    for (size_t s = 0; (solver = solver_at(s)); s++) {
        dls_report report = {0};
        if (dls_solver_refuses(solver, p))
            continue;
        void *settings = settings_of(solver, NULL);
        memcpy(lambda, lambda0, p->n * sizeof *lambda);
        assert_status(dls_solve(solver, p, settings, 3, lambda, &report, NULL, NULL, &error), &error);
        assert_int_equal(report.dead_rows, 4);
        for (size_t k = 0; k < 4; k++)
            assert_true(lambda[dead[k]] == 2.385);
        test_free(settings);
    }
    test_free(lambda0), test_free(lambda);
    dls_problem_destroy(p);
    bench_scene_destroy(scene);
}

/* Nothing can move any of its rows. */
TEST_AFTER(test_all_rows_dead, name_the_method)
{
    const double A[4] = {0}, b[2] = {1.0, -2.0}, lo[2] = {-1.0, 0.0}, hi[2] = {1.0, 1.0};
    dls_error error;
    dls_problem *p = problem_from_matrix(2, A, b, lo, hi);
    const dls_solver *solver;
    for (size_t s = 0; (solver = solver_at(s)); s++) {
        double lambda[2] = {0.25, 0.5};
        dls_report report = {0};
        if (dls_solver_refuses(solver, p))
            continue;
        void *settings = settings_of(solver, NULL);
        assert_status(dls_solve(solver, p, settings, 3, lambda, &report, NULL, NULL, &error), &error);
        assert_int_equal(report.dead_rows, 2);
        assert_true(lambda[0] == 0.25 && lambda[1] == 0.5);
        dls_report_release(&report);
        test_free(settings);
    }
    dls_problem_destroy(p);
}

TEST_AFTER(test_refusals, name_the_method)
{
    const double A[] = {2.0, 0.0, 0.0, -1.0}, tiny[] = {2.0, 0.0, 0.0, 1e-310}, b[] = {1.0, 1.0},
                 lo[] = {0.0, -HUGE_VAL};
    dls_solver const *pgs = dls_iterative_find("pgs");
    void *settings = settings_of(pgs, NULL), *work;
    dls_error error;
    dls_problem *p = problem_from_matrix(2, A, b, NULL, NULL);
    assert_int_equal(pgs->open(p, settings, NULL, &work, &error), DLS_REFUSED);
    dls_problem_destroy(p);
    p = problem_from_matrix(2, A, b, lo, NULL); /* a free row may have one */
    assert_status(pgs->open(p, settings, NULL, &work, &error), &error);
    pgs->close(work);
    dls_problem_destroy(p);
    p = problem_from_matrix(2, tiny, b, NULL, NULL);
    assert_int_equal(pgs->open(p, settings, NULL, &work, &error), DLS_REFUSED);
    dls_problem_destroy(p);
    assert_int_equal(dls_field_set(&pgs->fields, settings, "omega", "0", &error), DLS_BAD_INPUT);
    assert_int_equal(dls_field_set(&pgs->fields, settings, "omega", "2.1", &error), DLS_BAD_INPUT);
    assert_status(dls_field_set(&pgs->fields, settings, "omega", "2", &error), &error);
    p = problem_from_matrix(2, A, b, lo, NULL);
    assert_int_equal(pgs->open(p, settings, NULL, &work, &error), DLS_BAD_ARGUMENT);
    dls_problem_destroy(p);
    test_free(settings);
}

/* --- packed rows --- */

/* Rows of bodies are swept four groups at a time: none is a general row, and most lanes have a row. */
TEST_AFTER(test_rows_of_bodies_fill_the_lanes, name_the_method)
{
    for (int pile = 0; pile < 2; pile++) {
        bench_scene *scene;
        dls_packed *packed;
        dls_error error;
        size_t lanes = 0;
        assert_status(pile ? bench_contacts(5, 0.385, &scene, &error) : bench_grid(6, 6, &scene, &error), &error);
        dls_problem *p = problem_of(scene);
        assert_status(dls_packed_create(1.0, &packed, &error), &error);
        assert_status(dls_packed_load(packed, p, NULL, &error), &error);
        assert_int_equal(packed->n_general, 0);
        for (size_t k = 0; k < packed->n_units; k++)
            assert_true(packed->units[k].whole);
        for (size_t k = 0; k < packed->n_batches; k++)
            lanes += DLS_LANES * (size_t)packed->batches[k].rows;
        print_message("  %zu rows in %zu lanes\n", p->n, lanes);
        assert_true(lanes >= p->n && lanes <= 2 * p->n);
        dls_packed_destroy(packed);
        dls_problem_destroy(p);
        bench_scene_destroy(scene);
    }
}
