/* Histories of sweeps on the scenes of the convergence experiment: where they end, and how fast, against the
 * prediction. */
#include "check.h"

#include "delassus/experiments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct expected {
    const char *scene;
    double last_mass;
    size_t iterations;
    double distance;
    size_t settled_solvers;
} expected;

static void compare_scene(const expected *e, const char *folder)
{
    char path[DLS_PATH_MAX];
    dls_scene *scene;
    dls_model *model;
    dls_problem *problem;
    dls_choice *choices;
    dls_comparison found[4];
    dls_table *history, *summary;
    size_t count;
    dls_error error;
    const dls_job job = {.output = folder, .command = "test"};
    snprintf(path, sizeof path, "%s/scenes/%s.yaml", getenv("DLS_TEST_SOURCE"), e->scene);
    assert_status(dls_scene_read(path, &scene, &error), &error);
    if (e->last_mass > 0.0)
        scene->bodies[scene->n_bodies - 1].mass = e->last_mass;
    assert_status(dls_model_create(scene, &model, &error), &error);
    assert_status(dls_first_problem(model, 0.01, &problem, &error), &error);
    assert_status(dls_choices_create("pgs,sor,symmetric-pgs,jacobi", &choices, &count, &error), &error);
    assert_status(dls_job_table(&job, "history", &history, &error), &error);
    assert_status(dls_job_table(&job, "summary", &summary, &error), &error);
    dls_table_columns(history, dls_history_columns);
    dls_table_columns(summary, dls_summary_columns);
    const dls_effort effort = {.iterations = e->iterations, .samples = 10};
    assert_status(dls_compare(e->scene, problem, choices, count, &effort, history, summary, found, &error), &error);
    assert_status(dls_table_commit(history, &error), &error);
    assert_status(dls_table_commit(summary, &error), &error);
    for (size_t k = 0; k < count; k++) {
        print_message("%s, %s: distance %.3e, predicted rate %.9f, fitted %.9f\n", e->scene, choices[k].solver->name,
                      found[k].distance, found[k].predicted_rate, found[k].fitted_rate);
        if (k < e->settled_solvers)
            assert_close(log(found[k].fitted_rate) / log(found[k].predicted_rate), 1.0, 0.02);
    }
    assert_below(found[0].distance, e->distance);
    dls_choices_release(choices, count);
    dls_problem_destroy(problem);
    dls_model_destroy(model);
    dls_scene_destroy(scene);
}

/* The predicted and the fitted rate agree to 2 % once one mode is left, and PGS reaches the reference to 1e-12 in the
 * M-norm on the chain of ten. */
static void test_rates_and_ends(void **unused)
{
    static const expected scenes[] = {
        {"chain-10", 1.0, 6000, 1e-12, 4},
        {"four-bar", 0.0, 200, 1e-13, 4},
        {"stack-10", 0.0, 15000, 1e-6, 2}, /* the symmetric sweep is still on its way to one mode: 4 % */
    };
    char folder[] = "/tmp/delassus-test-XXXXXX", path[64];
    (void)unused;
    assert_non_null(mkdtemp(folder));
    for (size_t k = 0; k < sizeof scenes / sizeof scenes[0]; k++)
        compare_scene(&scenes[k], folder);
    snprintf(path, sizeof path, "%s/history.tsv", folder);
    assert_int_equal(remove(path), 0);
    snprintf(path, sizeof path, "%s/summary.tsv", folder);
    assert_int_equal(remove(path), 0);
    assert_int_equal(rmdir(folder), 0); /* nothing else was left */
}

/* A straight line in a logarithmic plot, and too few points. */
static void test_fit(void **unused)
{
    double distance[20], rate;
    dls_error error;
    (void)unused;
    for (int k = 0; k < 20; k++)
        distance[k] = 2.385 * pow(0.7, k);
    assert_status(dls_fit_rate(distance, 3, 20, &rate, &error), &error);
    assert_close(rate, 0.7, 1e-14);
    assert_status(dls_fit_rate(distance, 13, 20, &rate, &error), &error);
    assert_true(isnan(rate));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rates_and_ends), cmocka_unit_test(test_fit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
