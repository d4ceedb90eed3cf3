/* The experiment on springs, in small: its laws against each other and against reference trajectories, and what each
 * study finds. */
#include "studies.h"

#include "spring/parts.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double ratios[] = {0.0, 0.2, 1.0, 1.0 + 1e-9, 1.7, 40.0};
enum { RATIOS = sizeof ratios / sizeof ratios[0] };

static dls_spring_mass oscillator(double kp, double ratio)
{
    return (dls_spring_mass){
        .m = 0.7, .kp = kp, .kd = ratio * dls_spring_critical(0.7, kp), .f = -3.0, .C = 0.3, .v = -1.1};
}

/* --- laws --- */

TEST(test_substeps_in_closed_form)
{
    for (double kp = 1.0; kp < 2e8; kp *= 100.0)
        for (int r = 0; r < RATIOS; r++)
            for (size_t n = 1; n < 200; n = 3 * n + 1) {
                const dls_spring_mass s = oscillator(kp, ratios[r]);
                long double C = s.C, v = s.v;
                double C_n, v_n;
                for (size_t k = 0; k < n; k++)
                    dls_spring_implicit(&s, 1e-3, &C, &v);
                dls_spring_after(&s, 1e-3, n, &C_n, &v_n);
                assert_close(C_n, (double)C, 1e-12 * (1.0 + 3.0 / kp)); /* from the rest position f / kp */
                assert_close(v_n, (double)v, 1e-12 * (1.0 + sqrt(kp)));
            }
}

/* One iteration, bias over the step: implicit Euler. Many: entry by entry as in lib/simulation/schemes/tgs.c. */
TEST(test_tgs_in_closed_form)
{
    const double h = 1e-2;
    for (double kp = 1.0; kp < 2e8; kp *= 100.0)
        for (int r = 0; r < RATIOS; r++)
            for (size_t N = 1; N < 50; N = 2 * N + 1)
                for (int base = 0; base < 2; base++) {
                    const dls_spring_mass s = oscillator(kp, ratios[r]);
                    long double C = s.C, v = 0.0L, free = s.v + h * (long double)s.f / s.m,
                                T = base ? h / (long double)N : h;
                    double C_N, v_N;
                    for (size_t n = 0; n < N; n++) {
                        v = (free - h * s.kp / s.m * C) / (1.0L + h * (T * s.kp + s.kd) / s.m);
                        C += h / (long double)N * v;
                    }
                    dls_spring_tgs(&s, h, N, (double)T, &C_N, &v_N);
                    assert_close(C_N, (double)C, 1e-12 * (1.0 + 100.0 / kp)); /* from m v* / (h kp) */
                    assert_close(v_N, (double)v, 1e-12 * (1.0 + sqrt(kp)));
                }
}

TEST(test_the_oscillator_is_the_exact_trajectory)
{
    for (int r = 0; r < 5; r++)
        for (dls_spring_kind kind = DLS_SPRING_SLIDER; kind <= DLS_SPRING_HINGE; kind++) {
            dls_spring_setup setup = {.kind = kind, .mass = 2.385, .kp = 40.0, .C = 0.1};
            setup.kd = ratios[r] * dls_spring_critical(dls_spring_inertia(kind, setup.mass), setup.kp);
            const dls_spring_mass mass = dls_spring_ideal(&setup);
            dls_rig rig;
            dls_trajectory *exact;
            dls_error error;
            assert_status(dls_spring_open(&setup, &dls_spring_ways[0], "pgs", 1, &rig, &error), &error);
            assert_status(dls_trajectory_create(rig.model, dls_model_initial(rig.model), NULL, &exact, &error), &error);
            for (int k = 1; k <= 5; k++) {
                assert_status(dls_trajectory_advance(exact, 0.2 * k, dls_simulation_edit(rig.simulation), &error),
                              &error);
                assert_close(dls_spring_C(&rig), dls_spring_exact(&mass, 0.2 * k),
                             2e-11); /* a thousand steps or so of 3e-14 */
            }
            dls_trajectory_destroy(exact);
            dls_rig_close(&rig);
        }
}

/* A matrix made from a frequency and a ratio shows them. */
TEST(test_seen)
{
    for (double ratio = 0.0; ratio < 0.99; ratio += 0.1) {
        const double h = 0.01, w = 37.0, decay = exp(-ratio * w * h), turn = w * h * sqrt(1.0 - ratio * ratio);
        double seen, damping;
        dls_spring_oscillator(2.0 * decay * cos(turn), decay * decay, h, &seen, &damping);
        assert_close(seen, w, 1e-11);
        assert_close(damping, ratio, 1e-12);
    }
}

/* One step: after the first sweep each one more keeps the predicted part of the error. */
TEST(test_rate_of_a_sweep)
{
    for (dls_spring_kind kind = DLS_SPRING_SLIDER; kind <= DLS_SPRING_HINGE; kind++)
        for (double kp = 100.0; kp < 1e6; kp *= 10.0) {
            const dls_spring_setup setup = {.kind = kind, .mass = 2.385, .kp = kp, .kd = 3.0, .C = 0.1, .arm = 0.5};
            const double h = 0.01;
            double v[3], expected = 0.0;
            dls_error error;
            for (int k = 0; k < 3; k++) {
                dls_rig rig;
                assert_status(dls_spring_open(&setup, &dls_spring_ways[0], k == 2 ? "block-pivoting" : "pgs",
                                              (size_t)k + 2, &rig, &error),
                              &error);
                expected = dls_spring_rate(&setup, h);
                assert_status(dls_rig_step(&rig, h, &error), &error);
                v[k] = dls_spring_speed(&rig, kind); /* C is not linear in it where the hinge gives */
                dls_rig_close(&rig);
            }
            assert_true(fabs(v[0] - v[2]) > 1e-5);
            assert_close((v[1] - v[2]) / (v[0] - v[2]), expected, 1e-9); /* 1e-15 over 1e-5, a few times */
        }
}

/* --- studies --- */

static dls_spring_settings settings;

static dls_status open_spring(const char *folder, const char *key, const char *value, dls_study **study,
                              dls_error *error)
{
    static dls_job job;
    job = (dls_job){.output = folder, .command = "test"};
    const char *const options[][2] = {
        {"softest", "1e3"}, {"stiffest", "1e5"}, {"duration", "0.2"}, {"contest", "0.1"}, {key, value}};
    return open_study("spring", &job, &settings, options, 5, study, error);
}

TEST(test_findings)
{
    char folder[] = "/tmp/delassus-test-XXXXXX";
    dls_study *study;
    dls_error error;
    assert_non_null(mkdtemp(folder));
    assert_status(open_spring(folder, "dampings", "0.3,1,3", &study, &error), &error);
    assert_status(dls_study_measure(study, &error), &error);
    const dls_spring_findings *f = study->found;
    assert_int_equal(f->n_dampings, 4); /* and 0 */
    for (int kind = DLS_SPRING_SLIDER; kind <= DLS_SPRING_NUMBERS; kind++)
        assert_below(f->euler[kind], 1e-12);
    assert_below(1.02 - f->order_low, 0.04), assert_below(f->order_high, 1.02);
    assert_close(f->error_constant, DLS_PI, 0.02 * DLS_PI);
    assert_below(f->law, 1e-10);
    for (int kind = 0; kind < 2; kind++) {
        assert_true(f->pgs[kind][0] > 10.0 * f->pgs[kind][settings.counts.count - 1]);
        for (size_t way = 0; way < DLS_SPRING_WAYS; way++)
            assert_below(f->depth[kind][way], 1e-9);
    }
    assert_below(f->pgs_distance, 1e-13);
    /* Numerical damping of implicit Euler over k is w k / 2 at leading order: N = 32 has 1/32 of that. */
    enum { SMALL = 7 };
    assert_string_equal(dls_spring_ways[SMALL].name, "small-steps");
    assert_close(f->seen_ratio[SMALL][1], 0.5 * 0.5 / 32.0, 1e-4);
    assert_close(f->seen_ratio[SMALL][0], f->seen_ratio[0][1], 1e-12);
    assert_below(f->growth, 1e-9);
    assert_true(f->growth_shown > 1e9 && f->correct_left < 0.01);
    close_study("spring", &settings, study);
    remove_tables("spring", folder);
}

TEST(test_bad_settings)
{
    static const char *const bad[][2] = {{"dampings", "-1"}, {"dampings", "0,,1"}, {"dampings", ""},
                                         {"dampings", "x"},  {"counts", "0"},      {"counts", "1.5"},
                                         {"counts", "1;2"},  {"stiffest", "1"}};
    dls_study *study;
    dls_error error;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        assert_int_equal(open_spring("/tmp", bad[k][0], bad[k][1], &study, &error), DLS_BAD_INPUT);
        assert_string_equal(error.key, bad[k][0]);
        close_study("spring", &settings, study);
    }
}
