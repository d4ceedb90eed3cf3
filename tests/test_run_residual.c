/* The worst residual of a run, where that of one of its steps cannot be computed: it is told, whatever the others are.
 */
#include "check.h"

#include "delassus/experiments.h"
#include "study/rig.h"

#include <string.h>

/* Impulses of zero, but in one solve a pair so large that the terms of its rows overflow, which cancels in the motion.
 */
typedef struct huge {
    size_t n;
} huge;
static size_t solves, wrong_solve;

static dls_status open_huge(const dls_problem *problem, const void *settings, const double *lambda0, void **work,
                            dls_error *error)
{
    huge *made = calloc(1, sizeof *made);
    (void)settings, (void)lambda0;
    *work = made;
    if (!made)
        return dls_fail(error, DLS_NO_MEMORY, "no memory");
    made->n = problem->n;
    return DLS_OK;
}

static dls_status iterate_huge(void *work, dls_report *report, dls_error *error)
{
    (void)work, (void)error;
    dls_report_end(report, DLS_OUTCOME_ITERATION_LIMIT, "it does not try");
    solves++;
    return DLS_OK;
}

static void read_huge(const void *work, double *lambda)
{
    const huge *of = work;
    for (size_t i = 0; i < of->n; i++)
        lambda[i] = solves != wrong_solve ? 0.0 : i < of->n / 2 ? 1e308 : -1e308;
}

static const dls_solver solver = {.name = "huge",
                                  .summary = "impulses that cancel",
                                  .source = "none",
                                  .kind = DLS_SOLVER_ITERATIVE,
                                  .accepts = DLS_ACCEPTS_FREE | DLS_CALL_ONCE,
                                  .open = open_huge,
                                  .iterate = iterate_huge,
                                  .read = read_huge,
                                  .close = free};

static double worst_residual(size_t wrong, size_t steps)
{
    /* two joints that hold the same point of the same body, so that opposite impulses cancel */
    static const char text[] = "bodies:\n  - {name: a, shape: sphere, radius: 1, mass: 1}\njoints:\n"
                               "  - {name: one, type: ball, body1: a, anchor: [0, 0, 0]}\n"
                               "  - {name: two, type: ball, body1: a, anchor: [0, 0, 0]}\n";
    const dls_job job = {.output = ".", .command = "test_run_residual"};
    dls_run run = {.stem = "two", .scheme = dls_scheme_find("euler"), .examine = DLS_EXAMINE_EVERY, .silent = true};
    dls_run_result result;
    dls_settings settings;
    dls_scene *scene;
    dls_model *model;
    dls_error error;
    solves = 0, wrong_solve = wrong;
    assert_status(dls_scene_parse(text, strlen(text), "two", &scene, &error), &error);
    assert_status(dls_model_create(scene, &model, &error), &error);
    assert_status(dls_settings_create(&run.scheme->fields, &settings, &error), &error);
    assert_status(dls_fields_default(&dls_warm_fields, &run.warm, &error), &error);
    run.scheme_settings = settings.values;
    run.model = model, run.scene = scene;
    run.step = 1e-3, run.duration = 1e-3 * (double)steps, run.iterations = 1;
    run.choice = (dls_choice){.solver = &solver};
    assert_status(dls_run_trajectory(&job, &run, &result, &error), &error);
    assert_int_equal(result.examined, steps);
    assert_int_equal(result.end, DLS_RUN_FINISHED);
    assert_true(isfinite(result.worst_linear) && isfinite(result.energy_end));
    dls_settings_release(&settings);
    dls_model_destroy(model);
    dls_scene_destroy(scene);
    return result.worst_residual;
}

TEST(test_overflow_is_told)
{
    const double plain = worst_residual(SIZE_MAX, 4);
    assert_true(isfinite(plain) && plain > 0.0);
    for (size_t k = 1; k <= 4; k++)
        if (!isnan(worst_residual(k, 4)))
            fail_msg("the overflow in step %zu is hidden", k);
}

TEST(test_worse)
{
    const double values[] = {-HUGE_VAL, -1.0, 0.0, 2.0, HUGE_VAL};
    for (size_t i = 0; i < 5; i++) {
        for (size_t k = 0; k < 5; k++)
            assert_true(dls_worse(values[i], values[k]) == (i > k ? values[i] : values[k]));
        assert_true(isnan(dls_worse(values[i], NAN)) && isnan(dls_worse(NAN, values[i])));
    }
    assert_true(isnan(dls_worse(NAN, NAN)));
}
