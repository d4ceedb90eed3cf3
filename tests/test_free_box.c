/* The free box of S. Peters' benchmark: engines have the numbers that were published of them, and schemes of delassus
 * those of their order. */
#include "check.h"

#include "other_engines/parts.h"
#include "study/study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOMENTUM, ENERGY, POSITION, VELOCITY };
static const double duration = 10.0, g = 9.8, E0 = 368.54641249999997;

static void measure_box(const dls_engines_runner *r, double h, double errors[DLS_ENGINES_FREE])
{
    dls_engine_record record;
    dls_model *model;
    dls_error error;
    assert_status(dls_engines_model("free-box", &model, &error), &error);
    assert_status(dls_engines_take(r, model, h, dls_step_count(duration, h), 60.0, &record, &error), &error);
    assert_int_equal(record.steps, dls_step_count(duration, h));
    dls_engines_free_errors(model, &record, h, errors);
    dls_engine_record_release(&record);
    dls_model_destroy(model);
}

/* Energy and momentum of the start are those of the benchmark, and a motion by its laws has no error. */
TEST(test_errors_of_a_free_motion)
{
    dls_engine_state states[3];
    double errors[DLS_ENGINES_FREE];
    const double h = 0.5;
    dls_model *model;
    dls_error error;
    assert_status(dls_engines_model("free-box", &model, &error), &error);
    const dls_state *start = dls_model_initial(model);
    const dls_body *body = &dls_model_bodies(model)[0];
    assert_close(body->inertia.m[0], 0.80833333, 1e-8);
    assert_close(body->inertia.m[4], 0.68333333, 1e-8);
    assert_close(body->inertia.m[8], 0.14166667, 1e-8);
    for (int k = 0; k < 3; k++) {
        const double t = h * (k + 1);
        states[k] = (dls_engine_state){dls_v3(-2.0 * t, 2.0 * t, 8.0 * t - 0.5 * g * t * t),
                                       dls_v3(-2.0, 2.0, 8.0 - g * t), dls_v3(0.1, 5.0, 0.1), start->q[0]};
    }
    dls_engine_record record = {.n_bodies = 1, .steps = 3, .states = states};
    dls_engines_free_errors(model, &record, h, errors);
    for (int k = 0; k < DLS_ENGINES_FREE; k++)
        assert_below(errors[k], 1e-14);
    states[1].x.y += 0.3, states[2].v.x += 0.25, states[0].omega.y = 0.0;
    dls_engines_free_errors(model, &record, h, errors);
    assert_close(errors[POSITION], 0.3, 1e-14);
    assert_close(errors[VELOCITY], 0.25, 1e-14);
    assert_close(errors[ENERGY], 0.5 * (41.0 / 60.0) * 25.0 / E0, 1e-9);
    assert_close(errors[MOMENTUM], 5.0 * (41.0 / 60.0) / 3.41765, 1e-5);
    dls_model_destroy(model);
}

/* Momentum, energy and position after 10 s at 1 ms, to the six digits that are published of these engines in Gazebo. */
TEST(test_engines_have_their_published_numbers)
{
    static const struct {
        const char *name;
        double published[3];
    } cases[] = {{"bullet", {0.0124501, 0.0135771, 0.049}}, {"simbody-euler2", {0.00643471, 0.00623355, 0.0245}}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        dls_engine_choice choice;
        dls_error error;
        double errors[DLS_ENGINES_FREE];
        if (dls_engine_choose(cases[k].name, &choice, &error) != DLS_OK) {
            print_message("# skipped: %s\n", error.message);
            continue;
        }
        measure_box(&(dls_engines_runner){.engine = &choice, .iterations = 20}, 1e-3, errors);
        print_message("# %s: %.6g %.6g %.6g m\n", cases[k].name, errors[0], errors[1], errors[2]);
        for (int q = 0; q < 3; q++)
            assert_close(errors[q] / cases[k].published[q], 1.0, 1e-5);
        dls_engine_release(&choice);
    }
}

/* Semi-implicit Euler with v+ falls h g t / 2 too far, and the energy is off by m g times that, but for what the
 * explicit gyroscopic torque adds. Schemes of second order have a parabola exactly, to the rounding of t, and an
 * error of the momentum that a step twice as long quadruples. */
TEST(test_schemes_have_their_order)
{
    static const char *const second[] = {"midpoint", "rattle", "moreau-jean"};
    double euler[DLS_ENGINES_FREE], coarse[DLS_ENGINES_FREE], fine[DLS_ENGINES_FREE];
    const double h = 1e-3;
    measure_box(&(dls_engines_runner){.method = "baumgarte", .solver = "pgs", .iterations = 1}, h, euler);
    assert_close(euler[POSITION], 0.5 * h * g * duration, 1e-9);
    assert_close(euler[ENERGY], 10.0 * g * 0.5 * h * g * duration / E0, 0.05 * euler[ENERGY]);
    for (size_t k = 0; k < sizeof second / sizeof second[0]; k++) {
        const dls_engines_runner r = {.method = second[k], .solver = "pgs", .iterations = 1};
        measure_box(&r, 2.0 * h, coarse);
        measure_box(&r, h, fine);
        print_message("# %s: momentum %.3g and %.3g, position %.2g m\n", second[k], coarse[MOMENTUM], fine[MOMENTUM],
                      fine[POSITION]);
        assert_close(coarse[MOMENTUM] / fine[MOMENTUM], 4.0, 0.05);
        assert_below(fine[MOMENTUM], 2e-3 * euler[MOMENTUM]);
        assert_below(fine[ENERGY], 1e-5 * euler[ENERGY]);
        assert_below(fine[POSITION], 1e-9);
    }
}

/* Writes the table of the free box, 0.1 ms steps, by one engine with that patience and by one method. */
static void write_table(const char *engine, const char *patience, const char *path)
{
    static const char *const options[][2] = {{"box_steps", "0.0001"}, {"box_methods", "baumgarte"}};
    dls_engines_settings settings;
    dls_table *tables[DLS_ENGINES_NOTES + 1] = {NULL};
    dls_engine_choice choice;
    dls_error error;
    const dls_experiment *experiment = dls_experiment_find("engines");
    assert_status(dls_fields_default(&experiment->fields, &settings, &error), &error);
    for (size_t k = 0; k < 2; k++)
        assert_status(dls_field_set(&experiment->fields, &settings, options[k][0], options[k][1], &error), &error);
    assert_status(dls_field_set(&experiment->fields, &settings, "patience", patience, &error), &error);
    assert_status(dls_engine_choose(engine, &choice, &error), &error);
    dls_engines_runner runner = {.name = "engine", .engine = &choice, .iterations = 20};
    dls_engines_findings found = {.n_engines = 1, .runners = &runner};
    const dls_job job = {.output = "/tmp"};
    dls_study study = {
        .job = &job, .experiment = experiment, .settings = &settings, .found = &found, .tables = tables, .n_parts = 1};
    assert_status(dls_table_create(path, &tables[DLS_ENGINES_BOX], &error), &error);
    dls_table_columns(tables[DLS_ENGINES_BOX], experiment->tables[DLS_ENGINES_BOX].columns);
    assert_status(dls_engines_box(&study, &error), &error);
    assert_status(dls_table_commit(tables[DLS_ENGINES_BOX], &error), &error);
    dls_engine_release(&choice);
    dls_fields_release(&experiment->fields, &settings);
}

/* The steps and the reason of the rows of `runner`; the last two cells. */
static void read_rows(const char *path, const char *runner, size_t *steps, char reason[DLS_MESSAGE_MAX])
{
    char line[2048];
    size_t rows = 0;
    FILE *from = fopen(path, "r");
    assert_non_null(from);
    while (fgets(line, sizeof line, from)) {
        if (strncmp(line, runner, strlen(runner)) != 0)
            continue;
        char *last = strrchr(line, '\t');
        *last = '\0';
        *steps = strtoul(strrchr(line, '\t') + 1, NULL, 10);
        snprintf(reason, DLS_MESSAGE_MAX, "%s", last + 1);
        rows++;
    }
    fclose(from);
    assert_int_equal(rows, 4);
}

/* A run that ends early says at which step and why; its errors are not those of a whole run. */
TEST(test_runs_that_end_early_are_told)
{
    char path[] = "/tmp/dls-free-box-XXXXXX";
    char reason[DLS_MESSAGE_MAX];
    dls_engine_choice choice;
    dls_error error;
    size_t steps;
    if (dls_engine_choose("ode-step", &choice, &error) != DLS_OK) {
        print_message("# skipped: %s\n", error.message);
        return;
    }
    dls_engine_release(&choice);
    const int made = mkstemp(path);
    assert_true(made >= 0 && close(made) == 0);
    write_table("ode-step", "0.001", path); /* 100,000 steps take longer */
    read_rows(path, "engine", &steps, reason);
    assert_true(steps < 100000);
    assert_non_null(strstr(reason, "no answer within 0.001 s"));
    read_rows(path, "ours-baumgarte", &steps, reason);
    assert_int_equal(steps, 100000);
    assert_string_equal(reason, "-\n");
    assert_int_equal(remove(path), 0);
}

static int set_folder(void **unused)
{
    (void)unused;
    return setenv("DELASSUS_DATADIR", getenv("DLS_TEST_SOURCE") ? getenv("DLS_TEST_SOURCE") : ".", 1);
}
TESTS_WITH(set_folder, NULL)
