/* The experiments on drift and energy, in small: orders, overshoots, counted costs, sums of ledgers, and what is
 * refused. */
#include "studies.h"

#include "drift/parts.h"
#include "energy/parts.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static size_t way(const char *name) { return (size_t)(dls_method_find(name) - dls_methods); }

/* --- drift --- */

TEST(test_an_order_is_the_exponent)
{
    const double step[] = {0.013, 0.0071, 0.0029, 0.00083};
    double error[4];
    for (int i = 0; i < 4; i++)
        error[i] = 2.385 * pow(step[i], 1.73);
    assert_close(dls_fit_order(step, error, 4), 1.73, 1e-13);
    assert_true(isnan(dls_fit_order(step, error, 2)));
    error[1] = HUGE_VAL;
    assert_true(isnan(dls_fit_order(step, error, 4)));
    error[1] = 0.0;
    assert_true(isnan(dls_fit_order(step, error, 4)));
}

/* Steps of 0.5 to 2 ms are not small beside the motion: what is left of h^3 in the error shifts a fitted order by a few
 * percent, by up to a tenth where the error is still on its way to where it settles. Four sweeps over positions under a
 * mass ratio of 1000, and sweeps of the chain, are far from settled: theirs are not asked. */
static void check_orders(const dls_drift_findings *f)
{
    static const char *const names[] = {"none", "baumgarte", "split-impulse", "small-steps", "small-steps-relaxed"};
    for (size_t m = 0; m < DLS_DRIFT_MECHANISMS; m++)
        for (size_t k = 0; k < 5; k++) {
            double order = f->of[m][way(names[k])].order, theory = dls_methods[way(names[k])].order;
            print_message("# %s, %s: order %.3f\n", dls_drift_mechanisms[m].name, names[k], order);
            assert_close(order, theory, k == 0 ? 0.05 : 0.12);
        }
}

/* Solved exactly C+ = (1 - ERP) C: an overshoot of 1e-3 is there from ERP = 1 + 1e-3 on, to what the bisection (1e-6)
 * and the push, 1e-6 m beside 0.05 m, leave. */
static void check_overshoots(const dls_drift_findings *f)
{
    for (size_t m = 0; m < DLS_DRIFT_MECHANISMS; m++) {
        assert_close(f->of[m][way("baumgarte")].overshoot, 1.001, 2e-5);
        assert_close(f->of[m][way("split-impulse")].overshoot, 1.001, 2e-5);
        assert_true(isnan(f->of[m][way("projection-newton")].overshoot)); /* it has no ERP */
    }
    assert_true(f->of[0][way("baumgarte")].overshoot_few < 0.9); /* few sweeps of the chain: sooner */
}

/* Rows: 30 of the chain, 20 of the loop, 10 of the pair; 4 iterations of 500 steps a second. */
static void check_costs(const dls_drift_findings *f)
{
    static const double rows[DLS_DRIFT_MECHANISMS] = {30, 20, 10, 30};
    for (size_t m = 0; m < DLS_DRIFT_MECHANISMS; m++) {
        double once = rows[m] * 4.0 * 500.0;
        assert_close(f->of[m][way("baumgarte")].shown_cost, once, 1e-9 * once);
        assert_close(f->of[m][way("tgs-step")].shown_cost, once, 1e-9 * once);
        assert_close(f->of[m][way("small-steps")].shown_cost, once, 1e-9 * once);
        assert_close(f->of[m][way("small-steps-relaxed")].shown_cost, 2.0 * once, 1e-9 * once);
        assert_close(f->of[m][way("split-impulse")].shown_cost, 2.0 * once, 1e-9 * once);
        assert_close(f->of[m][way("projection-gauss-seidel")].shown_cost, 2.0 * once,
                     1e-9 * once); /* 4 sweeps by default */
        assert_true(f->of[m][way("small-steps")].shown_error < f->of[m][way("baumgarte")].shown_error);
    }
}

TEST(test_drift)
{
    /* No law here needs several copies. */
    const char *const options[][2] = {{"rates", "500,1000,2000"},
                                      {"copies", check_small() ? "1" : "2"},
                                      {"shown_rate", "500"},
                                      {"iterations", "4"},
                                      {"duration", "0.2"},
                                      {"many", "20"},
                                      {"shown_iterations", "4"},
                                      {"erp_points", "7"},
                                      {"erp_steps", "10"},
                                      {"event_rates", "100,200"},
                                      {"phases", "1"},
                                      {"crossings", "rod"}};
    char folder[] = "/tmp/delassus-test-XXXXXX";
    dls_drift_settings settings;
    dls_study *study;
    dls_error error;
    assert_non_null(mkdtemp(folder));
    const dls_job job = {.output = folder, .command = "test"};
    assert_status(open_study("drift", &job, &settings, options, sizeof options / sizeof options[0], &study, &error),
                  &error);
    assert_status(dls_study_measure(study, &error), &error);
    const dls_drift_findings *f = study->found;
    check_orders(f);
    check_overshoots(f);
    check_costs(f);
    assert_true(f->chain_step > 1e-3 && f->chain_step < 1.0 / 120.0);
    close_study("drift", &settings, study);
    remove_tables("drift", folder);
}

TEST(test_lists_are_checked)
{
    static const char *const wrong[] = {"", "x", "30,,60", "-3", "0", "1.5", "1000001", "30;60"};
    const dls_job job = {.output = "/tmp", .command = "test"};
    dls_drift_settings settings;
    dls_study *study;
    dls_error error;
    assert_status(open_study("drift", &job, &settings, NULL, 0, &study, &error), &error);
    assert_int_equal(settings.rates.count, 6);
    close_study("drift", &settings, study);
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        const char *const option[1][2] = {{"rates", wrong[k]}};
        assert_int_equal(open_study("drift", &job, &settings, option, 1, &study, &error), DLS_BAD_INPUT);
        assert_string_equal(error.key, "rates");
        assert_null(study);
        close_study("drift", &settings, study);
    }
}

TEST(test_scenes_that_do_not_fit)
{
    static const dls_drift_mechanism large = {"large", "chain-100", false, false, ""},
                                     small = {"small", "pendulum", false, false, ""};
    const dls_job job = {.output = "/tmp", .command = "test"};
    dls_drift_run run = {.method = dls_method_find("baumgarte"), .erp = 0.2};
    dls_drift_settings settings;
    dls_study *study;
    dls_rig rig;
    dls_error error;
    assert_status(open_study("drift", &job, &settings, NULL, 0, &study, &error), &error);
    run.mechanism = &large;
    assert_int_equal(dls_drift_open(study, &run, &rig, &error), DLS_REFUSED); /* rows */
    run.mechanism = &small;
    assert_int_equal(dls_drift_open(study, &run, &rig, &error), DLS_REFUSED); /* bodies */
    assert_null(rig.simulation);
    close_study("drift", &settings, study);
}

/* --- the order of the rows --- */

/* A fall of a scene under a scheme, by this solver with warm starts: its last state, n numbers. */
static void fall(const char *scene_name, const char *scheme, const char *key, const char *value, dls_choice choice,
                 size_t iterations, double *state, size_t n)
{
    dls_simulation_options options = dls_simulation_default();
    dls_simulation *simulation;
    dls_scene *scene;
    dls_model *model;
    dls_error error;
    options.scheme = dls_scheme_find(scheme);
    void *settings = test_calloc(1, options.scheme->fields.size + 1);
    assert_status(dls_fields_default(&options.scheme->fields, settings, &error), &error);
    if (key)
        assert_status(dls_field_set(&options.scheme->fields, settings, key, value, &error), &error);
    assert_status(dls_fields_default(&dls_warm_fields, &options.warm, &error), &error);
    options.warm.on = true;
    options.solver = choice.solver, options.solver_settings = choice.settings;
    options.scheme_settings = settings;
    options.iterations = iterations;
    assert_status(dls_scene_named(scene_name, &scene, &error), &error);
    assert_status(dls_scene_model(scene, &model, &error), &error);
    assert_status(dls_simulation_open(model, &options, &simulation, &error), &error);
    for (int k = 0; k < 15; k++)
        assert_status(dls_simulation_step(simulation, 0.004, &error), &error);
    const dls_state *s = dls_simulation_state(simulation);
    assert_true(n <= 3 * s->n_bodies);
    memcpy(state, s->x, n * sizeof *state);
    dls_simulation_close(simulation);
    dls_model_destroy(model);
    test_free(settings);
}

/* Rows that are reversed twice are the given ones, so that every number is the same, whatever a scheme asks of its
 * solver; reversed once they give another path. */
TEST(test_rows_reversed_twice)
{
    static const char *const cases[][3] = {{"euler", NULL, NULL},
                                           {"split-impulse", NULL, NULL},
                                           {"small-steps", NULL, NULL},
                                           {"tgs", "refresh", "bias"},
                                           {"tgs", "refresh", "all"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        double plain[30], twice[30], once[30];
        dls_ordered inner, outer;
        dls_choice pgs;
        dls_error error;
        assert_status(dls_choice_create("pgs", &pgs, &error), &error);
        const dls_choice reversed = dls_ordered_set(&inner, pgs, DLS_ORDER_REVERSED, 0);
        const dls_choice given = dls_ordered_set(&outer, reversed, DLS_ORDER_REVERSED, 0);
        fall("chain-10", cases[k][0], cases[k][1], cases[k][2], pgs, 5, plain, 30);
        fall("chain-10", cases[k][0], cases[k][1], cases[k][2], given, 5, twice, 30);
        fall("chain-10", cases[k][0], cases[k][1], cases[k][2], reversed, 5, once, 30);
        assert_memory_equal(plain, twice, sizeof plain);
        assert_memory_not_equal(plain, once, sizeof plain);
        dls_choice_release(&pgs);
    }
}

/* The limit of sweeps does not depend on the order of the rows. */
TEST(test_converged_sweeps_have_no_order)
{
    static const dls_row_order orders[] = {DLS_ORDER_GIVEN, DLS_ORDER_REVERSED, DLS_ORDER_RANDOM};
    double x[3][9];
    for (size_t k = 0; k < 3; k++) {
        dls_ordered ordered;
        dls_choice pgs;
        dls_error error;
        assert_status(dls_choice_create("pgs", &pgs, &error), &error);
        fall("four-bar", "euler", NULL, NULL, dls_ordered_set(&ordered, pgs, orders[k], 3), 300, x[k], 9);
        for (size_t i = 0; i < 9; i++)
            assert_close(x[k][i], x[0][i], 1e-10);
        dls_choice_release(&pgs);
    }
}

/* A row has two turns in an iteration of a symmetric sweep. */
TEST(test_symmetric_sweeps_count_twice)
{
    const dls_rig_plan plan = {.solver = "symmetric-pgs", .iterations = 3};
    dls_scene *scene;
    dls_rig rig;
    dls_error error;
    assert_status(dls_scene_named("chain-10", &scene, &error), &error);
    assert_status(dls_rig_open(&rig, scene, &plan, &error), &error);
    assert_status(dls_rig_step(&rig, 0.01, &error), &error);
    assert_int_equal(rig.spy.row_iterations, 2 * 3 * dls_simulation_problem(rig.simulation)->n);
    dls_rig_close(&rig);
}

/* --- energy --- */

static double column(const dls_energy_sum *sum, const char *name)
{
    size_t k = 0;
    while (strcmp(dls_energy_names[k], name) != 0)
        k++;
    return sum->column[k];
}

static void check_sum(size_t which, size_t w, const dls_energy_sum *sum)
{
    const char *scheme = dls_methods[w].scheme;
    bool corrects = strstr(scheme, "projection") || strcmp(scheme, "split-impulse") == 0 ||
                    strcmp(scheme, "midpoint") == 0 || dls_methods[w].solves;
    const bool rattle = strcmp(scheme, "rattle") == 0; /* it corrects where its tolerance is exceeded */
    const bool soft = dls_methods[w].soft || strncmp(scheme, "soft-", 5) == 0;
    bool biased = dls_methods[w].by_erp && !corrects && !rattle;
    print_message("# case %zu, %s: sum %.1e, step %.1e\n", which, dls_methods[w].name, sum->error, sum->mismatch);
    assert_int_equal(sum->steps, 40);
    assert_below(sum->error, 1e-12);
    assert_below(sum->mismatch, 1e-12);
    assert_true(rattle || (column(sum, "projection") != 0.0) == corrects);
    assert_true((column(sum, "bias") != 0.0) == biased);
    assert_true((column(sum, "compliance") != 0.0) == soft);
    assert_true(column(sum, "external") == 0.0 && column(sum, "motor") == 0.0);
    if (which == 0)
        assert_true(column(sum, "friction") == 0.0 && column(sum, "collision") == 0.0);
}

TEST(test_ledgers_add_up)
{
    static const char *const options[][2] = {{"duration", "0.2"}, {"iterations", "7"}};
    char folder[] = "/tmp/delassus-test-XXXXXX";
    dls_energy_settings settings;
    dls_study *study;
    dls_error error;
    assert_non_null(mkdtemp(folder));
    const dls_job job = {.output = folder, .command = "test"};
    assert_status(open_study("energy", &job, &settings, options, 2, &study, &error), &error);
    assert_status(dls_study_measure(study, &error), &error);
    const dls_energy_findings *f = study->found;
    for (size_t which = 0; which < DLS_ENERGY_CASES; which++)
        for (size_t w = 0; w < DLS_METHODS; w++)
            check_sum(which, w, &f->of[which][w]);
    dls_study_close(study);
    remove_tables("energy", folder);
}

/* A failure leaves no table behind. */
TEST(test_refusals)
{
    static const char *const options[][1][2] = {{{"solver", "block-pivoting"}}, {{"solver", "pgss"}}};
    char folder[] = "/tmp/delassus-test-XXXXXX";
    dls_energy_settings settings;
    dls_error error;
    assert_non_null(mkdtemp(folder));
    const dls_job job = {.output = folder, .command = "test"};
    for (int k = 0; k < 2; k++) {
        dls_study *study;
        assert_status(open_study("energy", &job, &settings, options[k], 1, &study, &error), &error);
        assert_int_equal(dls_study_measure(study, &error), k ? DLS_BAD_INPUT : DLS_REFUSED); /* by TGS */
        dls_study_close(study);
    }
    assert_int_equal(rmdir(folder), 0);
}

/* The table of methods: those of each kind first, all schemes, names once, schemes and settings that are there. */
TEST(test_methods)
{
    size_t count = 0;
    for (const dls_scheme *const *scheme = dls_schemes; *scheme; scheme++) {
        bool found = false;
        for (size_t k = 0; k < DLS_METHODS; k++)
            found = found || strcmp(dls_methods[k].scheme, (*scheme)->name) == 0;
        if (!found)
            print_error("scheme '%s' is in schemes.def and not in experiments/study/methods.def\n", (*scheme)->name);
        assert_true(found);
    }
    for (const dls_method *m = dls_methods; m->name; m++, count++) {
        const dls_scheme *scheme = dls_scheme_find(m->scheme);
        assert_non_null(scheme);
        assert_true(!m->key || dls_field_find(&scheme->fields, m->key));
        assert_ptr_equal(dls_method_find(m->name), m);
    }
    assert_true(count >= DLS_METHODS);
    assert_null(dls_method_find("euler"));
}
