/* The experiment drift across events, in small: which order is left after an impact, a reversal, a stop, a force that
 * saturates; who forgets errors; and who does not converge. */
#include "studies.h"

#include "drift/parts.h"

#include <math.h>
#include <string.h>

static dls_study *study;
static dls_drift_settings settings;

static dls_drift_crossed at(const char *crossing, size_t method)
{
    size_t k = 0;
    while (strcmp(dls_drift_crossing_names[k], crossing) != 0)
        k++;
    const dls_drift_crossed of = ((const dls_drift_findings *)study->found)->across[k][method];
    print_message("# %s, %s: orders %.2f, %.2f, last errors %.2e, %.2e\n", crossing, dls_methods[method].name,
                  of.order[0], of.order[1], of.error[0], of.error[1]);
    return of;
}

static bool is_of_second_order(size_t method)
{
    const char *scheme = dls_methods[method].scheme;
    return strcmp(scheme, "midpoint") == 0 || strcmp(scheme, "rattle") == 0 || strcmp(scheme, "moreau-jean") == 0;
}

static bool is_scheme(size_t method, const char *name) { return strcmp(dls_methods[method].scheme, name) == 0; }

/* A reached end, or the reason not to reach it: avbd and soft-reference have no restitution, and a soft row bounces by
 * its damping. */
static bool rebounds(const dls_drift_crossed *of, size_t method)
{
    const bool none = is_scheme(method, "avbd") || is_scheme(method, "soft-reference") || dls_methods[method].soft;
    assert_int_equal(of->ending, none ? DLS_DRIFT_REFUSED : DLS_DRIFT_REACHED);
    return !none;
}

/* The impact is late by a share of the step, so that places are off by the jump of the velocity times this: order 1 of
 * every scheme. Three phases are few for a mean, whose order is uncertain by some tenths. */
static void check_impact(void)
{
    for (size_t w = 0; w < DLS_METHODS; w++) {
        const dls_drift_crossed of = at("rod", w);
        if (rebounds(&of, w))
            assert_close(of.order[0], 1.0, 0.4);
    }
}

/* Friction that reverses within a step acts on all of it in one direction: order 1. A force that saturates is
 * continuous, and friction that stops a body leaves an error of h^2 in its place: schemes of order 2 keep it. A scheme
 * that has order 1 without events has it here too; contacts of soft-step are springs, which sag by as much for any
 * step, and those of soft-reference creep where they should stick. */
static void check_smooth_events(void)
{
    for (size_t w = 0; w < DLS_METHODS; w++) {
        const bool second = is_of_second_order(w);
        const dls_drift_crossed turns = at("slope-turns", w), stays = at("slope-stays", w), drive = at("drive", w);
        if (is_scheme(w, "soft-reference"))
            assert_true(stays.error[1] > 1e-3);
        else if (!is_scheme(w, "soft-step") && !dls_methods[w].soft) {
            assert_close(turns.order[0], 1.0, 0.4);
            assert_true(second ? stays.order[0] > 1.4 || isnan(stays.order[0]) : fabs(stays.order[0] - 1.0) < 0.2);
        }
        if (!dls_methods[w].soft) /* a drive has a spring of its own */
            assert_true(second ? !(drive.order[0] < 1.4) : fabs(drive.order[0] - 1.0) < 0.05);
        if (second) /* h^2 beside h, at 400 steps per second */
            assert_true(stays.error[0] < 0.1 * turns.error[0] && drive.error[0] < 0.1 * turns.error[0]);
    }
}

/* XPBD gives a stop its rebound by the mass m of its own cart, after the positions, and the mimic joint shares the
 * momentum in the next substep. The other cart has the mass m' = 4 / 2^2 at the stop, and the mechanism still
 * approaches if e m < m': it rests at the stop for any step, while the truth is on its third flight. All others
 * rebound. */
static void check_rebound_of_a_mimic(void)
{
    const double g = 9.81 * (2.0 * (2.0 * 1.5 + 4.0)) / (4.0 * 1.5 + 4.0), fast = sqrt(2.0 * g);
    const double time = 0.85 - 2.0 * fast / g, speed = 0.25 * fast; /* since the second impact */
    for (size_t w = 0; w < DLS_METHODS; w++) {
        const dls_drift_crossed of = at("mimic", w);
        if (!rebounds(&of, w))
            continue;
        if (is_scheme(w, "xpbd")) {
            assert_close(of.error[0], time * (speed - 0.5 * g * time), 1e-6);
            assert_close(of.error[1], speed - g * time, 1e-6);
        } else
            assert_true(of.error[0] < 0.01);
    }
}

/* A ball that has come to roll keeps its speed and its spin, 5 v / 7 and 5 v / (7 r), under every scheme, wherever in a
 * step it evaluates its rows: the contact stays below the ball. At 400 steps per second. */
static void check_rolling(void)
{
    for (size_t w = 0; w < DLS_METHODS; w++) {
        const dls_drift_crossed of = at("rolling", w);
        assert_below(of.error[1], 1e-9);
    }
}

TEST(test_orders_across_events)
{
    static const dls_experiment_part events[] = {{"events", dls_drift_events}, {NULL, NULL}};
    static const char *const options[][2] = {{"event_rates", "100, 200, 400"},
                                             {"crossings", "rod, slope-turns, slope-stays, drive, mimic, rolling"}};
    dls_experiment only = *dls_experiment_find("drift");
    char folder[] = "/tmp/delassus-test-XXXXXX";
    dls_error error;
    only.parts = events;
    assert_non_null(mkdtemp(folder));
    const dls_job job = {.output = folder, .command = "test"};
    assert_status(dls_fields_default(&only.fields, &settings, &error), &error);
    for (size_t k = 0; k < 2; k++)
        assert_status(dls_field_set(&only.fields, &settings, options[k][0], options[k][1], &error), &error);
    assert_status(dls_study_open(&only, &job, &settings, &study, &error), &error);
    assert_status(dls_study_measure(study, &error), &error);
    check_impact();
    check_smooth_events();
    check_rebound_of_a_mimic();
    check_rolling();
    close_study("drift", &settings, study);
    remove_tables("drift", folder);
}
