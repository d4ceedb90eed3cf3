/* Histories of sweeps on the scenes of the convergence experiment: where they end, and how fast, against the
 * prediction. */
#include "check.h"

#include "study/study.h"

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

static dls_problem *first_problem(const char *name, double last_mass)
{
    char path[DLS_PATH_MAX];
    dls_scene *scene;
    dls_model *model;
    dls_problem *problem;
    dls_error error;
    snprintf(path, sizeof path, "%s/scenes/%s.yaml", getenv("DLS_TEST_SOURCE"), name);
    assert_status(dls_scene_read(path, &scene, &error), &error);
    if (last_mass > 0.0)
        scene->bodies[scene->n_bodies - 1].mass = last_mass;
    assert_status(dls_model_create(scene, &model, &error), &error);
    assert_status(dls_first_problem(model, 0.01, &problem, &error), &error);
    dls_model_destroy(model);
    dls_scene_destroy(scene);
    return problem;
}

/* The predicted and the fitted rate agree to 2 % once one mode is left, and PGS reaches the reference to 1e-12 in the
 * M-norm on the chain of ten. */
TEST(test_rates_and_ends)
{
    static const expected scenes[] = {
        {"chain-10", 1.0, 6000, 1e-12, 4},
        {"four-bar", 0.0, 200, 1e-13, 4},
        {"stack-10", 0.0, 15000, 1e-6, 2}, /* the symmetric sweep is still on its way to one mode: 4 % */
    };
    for (const expected *e = scenes; e < scenes + sizeof scenes / sizeof scenes[0]; e++) {
        dls_problem *problem = first_problem(e->scene, e->last_mass);
        dls_choice *choices = NULL;
        dls_comparisons found;
        size_t count = 0;
        dls_error error;
        assert_status(dls_choices_add("pgs,sor,symmetric-pgs,jacobi", &choices, &count, &error), &error);
        assert_status(dls_compare(problem, choices, count, e->iterations, 0.0, &found, &error), &error);
        assert_int_equal(found.count, count);
        for (size_t k = 0; k < count; k++) {
            const dls_comparison *of = &found.of[k];
            print_message("%s, %s: distance %.3e, predicted rate %.9f, fitted %.9f\n", e->scene, of->solver->name,
                          of->distance[of->count - 1], of->predicted_rate, of->fitted_rate);
            if (k < e->settled_solvers)
                assert_close(log(of->fitted_rate) / log(of->predicted_rate), 1.0, 0.02);
        }
        assert_below(found.of[0].distance[found.of[0].count - 1], e->distance);
        dls_comparisons_release(&found);
        dls_choices_release(choices, count);
        dls_problem_destroy(problem);
    }
}

static size_t lines_of(const char *path)
{
    size_t lines = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (int c; (c = fgetc(file)) != EOF;)
        lines += c == '\n';
    fclose(file);
    assert_int_equal(remove(path), 0);
    return lines;
}

/* Every iterative solver that accepts the problem, those for cones left out; a run that ends where it is told to; a
 * history with every iterate, a history in samples, a summary, each by itself. */
TEST(test_tables)
{
    static const size_t samples[] = {0, 10, 0};
    char folder[] = "/tmp/delassus-test-XXXXXX", path[3][64];
    dls_problem *problem = first_problem("chain-10", 1.0);
    dls_table *tables[3];
    dls_choice *choices;
    dls_comparisons found;
    size_t count, iterates = 0, sampled = 0;
    dls_error error;
    assert_non_null(mkdtemp(folder));
    assert_status(dls_choices_iterative(problem, &choices, &count, &error), &error);
    for (size_t k = 0; k < count; k++)
        assert_null(dls_solver_refuses(choices[k].solver, problem));
    assert_status(dls_compare(problem, choices, count, 6000, 1e-3, &found, &error), &error);
    for (size_t k = 0; k < count; k++) {
        const dls_comparison *of = &found.of[k];
        size_t every = (of->count + 9) / 10;
        iterates += of->count;
        sampled += (of->count - 1) / every + 1 + ((of->count - 1) % every != 0);
        assert_int_equal(of->iterations + 1, of->count);
        assert_true(of->distance[of->count - 1] <= 1e-3 * of->distance[0]);
        assert_true(of->distance[of->count - 2] > 1e-3 * of->distance[0]);
    }
    for (int t = 0; t < 3; t++) {
        snprintf(path[t], sizeof path[t], "%s/%d.tsv", folder, t);
        assert_status(dls_table_create(path[t], &tables[t], &error), &error);
        dls_table_columns(tables[t], t == 2 ? dls_summary_columns : dls_history_columns);
        dls_comparisons_write(&found, "chain", samples[t], t == 2 ? NULL : tables[t], t == 2 ? tables[t] : NULL);
        assert_status(dls_table_commit(tables[t], &error), &error);
    }
    assert_int_equal(lines_of(path[0]), 1 + iterates);
    assert_int_equal(lines_of(path[1]), 1 + sampled);
    assert_int_equal(lines_of(path[2]), 1 + count);
    assert_int_equal(rmdir(folder), 0); /* nothing else was left */
    dls_comparisons_release(&found);
    dls_choices_release(choices, count);
    dls_problem_destroy(problem);
}

/* Without a choice every iterative solver that accepts a problem is in the experiment: eight cases, no cone. */
TEST(test_convergence_takes_every_solver)
{
    static const char *const stems[] = {"convergence.history", "convergence.summary", "convergence.ratios"};
    const dls_experiment *experiment = dls_experiment_find("convergence");
    char folder[] = "/tmp/delassus-test-XXXXXX", path[64];
    dls_problem *problem = first_problem("four-bar", 0.0);
    dls_settings settings;
    dls_choice *choices;
    dls_study *study;
    size_t count, cones = 0, lines[3];
    dls_error error;
    assert_non_null(mkdtemp(folder));
    const dls_job job = {.output = folder, .command = "test"};
    assert_status(dls_choices_iterative(problem, &choices, &count, &error), &error);
    assert_true(count >= 4);
    for (size_t k = 0; dls_solver_at(k); k++)
        cones += dls_solver_at(k)->kind == DLS_SOLVER_ITERATIVE && (dls_solver_at(k)->accepts & DLS_ACCEPTS_CONE);
    assert_status(dls_settings_create(&experiment->fields, &settings, &error), &error);
    assert_status(dls_settings_set(&settings, "solvers", "pgs, no-such-solver", &error), &error);
    assert_int_equal(dls_study_open(experiment, &job, settings.values, &study, &error), DLS_BAD_INPUT);
    dls_settings_release(&settings);
    assert_status(dls_settings_create(&experiment->fields, &settings, &error), &error);
    assert_status(dls_settings_set(&settings, "iterations", "20", &error), &error);
    assert_status(dls_study_open(experiment, &job, settings.values, &study, &error), &error);
    assert_status(dls_study_measure(study, &error), &error);
    dls_study_close(study);
    dls_settings_release(&settings);
    for (int t = 0; t < 3; t++) {
        char line[4096];
        snprintf(path, sizeof path, "%s/%s.tsv", folder, stems[t]);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        for (lines[t] = 0; fgets(line, sizeof line, file);)
            lines[t] += line[0] != '#';
        fclose(file);
        assert_int_equal(remove(path), 0);
    }
    assert_int_equal(lines[1], 1 + 10 * count + cones); /* one of the cases is under Coulomb's cone */
    assert_int_equal(lines[2], 1 + 5 * count);
    assert_true(lines[0] > lines[1]);
    assert_int_equal(rmdir(folder), 0);
    dls_choices_release(choices, count);
    dls_problem_destroy(problem);
}

/* A straight line in a logarithmic plot, and too few points. */
TEST(test_fit)
{
    double distance[20], rate;
    dls_error error;
    for (int k = 0; k < 20; k++)
        distance[k] = 2.385 * pow(0.7, k);
    assert_status(dls_fit_rate(distance, 3, 20, &rate, &error), &error);
    assert_close(rate, 0.7, 1e-14);
    assert_status(dls_fit_rate(distance, 13, 20, &rate, &error), &error);
    assert_true(isnan(rate));
}
