/* The experiment on mimic joints, in small: a joint alone, competition, order of rows, decay, stars, and the tables. */
#include "direct_solve.h"
#include "draws.h"

#include "mimic/parts.h"

#include "delassus/minimal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double coarse = 1.0 / 60.0, fine = 1e-3;

static dls_mimic_result measure(size_t mechanism, size_t actuation, bool mimic_last, double erp,
                                const dls_mimic_run *run)
{
    const dls_mimic_setup setup = {
        .mechanism = mechanism, .actuation = actuation, .mimic_last = mimic_last, .erp = erp};
    dls_mimic_result result;
    dls_error error;
    assert_status(dls_mimic_try(&setup, run, NULL, &result, &error), &error);
    return result;
}

/* --- alone --- */

/* One row is exact after one iteration: what is left in 5 s is rounding. */
TEST(test_alone_is_exact)
{
    static const size_t exact[] = {DLS_MIMIC_PARALLEL_2, DLS_MIMIC_PARALLEL_05, DLS_MIMIC_PARALLEL_17,
                                   DLS_MIMIC_SERIES_2,   DLS_MIMIC_SERIES_05,   DLS_MIMIC_SERIES_17,
                                   DLS_MIMIC_SIX};
    for (size_t m = 0; m < sizeof exact / sizeof exact[0]; m++)
        for (dls_mimic_way way = 0; way < DLS_MIMIC_WAYS; way++)
            for (size_t N = 1; N <= (way == DLS_MIMIC_DENSE ? 1 : 9); N += 4)
                for (int h = 0; h < 2; h++) {
                    const dls_mimic_run run = {way, N, h ? fine : coarse, 5.0};
                    dls_mimic_result r = measure(exact[m], DLS_MIMIC_ALONE, false, 0.2, &run);
                    assert_int_equal(r.steps, h ? 5000 : 300);
                    assert_below(r.worst_error, 1e-12);
                    if (way == DLS_MIMIC_DENSE)
                        assert_below(r.worst_residual, 1e-10);
                }
}

/* The rows of every mechanism against minimal coordinates, which have neither rows nor multipliers: in motion the
 * accelerations by the equations of the rows, and from rest one step of the dense problem, (v+ - v) / h. */
TEST(test_rows_are_minimal_coordinates)
{
    const double h = 1e-3;
    draw_seed(3);
    for (size_t m = 0; m < DLS_MIMIC_MECHANISMS; m++) {
        const dls_mimic_setup setup = {.mechanism = m, .actuation = DLS_MIMIC_ALONE, .erp = 0.2};
        dls_model *model;
        dls_loops *loops;
        dls_minimal *minimal;
        dls_problem *problem;
        dls_report report = {0};
        dls_error error;
        size_t left_out;
        assert_status(dls_mimic_model(&setup, &model, &error), &error);
        dls_state *state;
        assert_status(dls_state_create(model, &state, &error), &error);
        assert_status(dls_loops_create(model, &loops, &error), &error);
        assert_status(dls_loops_add_all(loops, &left_out, &error), &error);
        const size_t nv = loops->nv;
        double *v = calloc(3 * nv + 64, sizeof *v), *scratch = v + nv, *none = scratch + nv, *lambda = none + nv;
        for (int moving = left_out > 0; moving < 2; moving++) { /* a damper acts in a step, and not in `loops` */
            assert_status(dls_loops_prepare(loops, state, NULL, &error), &error);
            assert_status(dls_minimal_create(loops, NULL, &minimal, &error), &error);
            assert_int_equal(minimal->n, nv - loops->n);
            if (moving)
                assert_status(dls_loops_motion(loops, none, v, lambda, &error), &error);
            else {
                assert_status(dls_problem_create(model, state, NULL, h, &problem, &error), &error);
                direct_solve("dantzig", problem, NULL, lambda, &report);
                dls_problem_velocity(problem, lambda, v, scratch);
                dls_problem_destroy(problem);
            }
            double largest = 1.0;
            for (size_t k = 0; k < nv; k++)
                largest = fmax(largest, fabs(minimal->vdot[k]));
            for (size_t k = 0; k < nv; k++)
                assert_close(moving ? v[k] : v[k] / h, minimal->vdot[k], 1e-10 * largest);
            for (size_t k = 0; k < nv; k++)
                state->v[k] = uniform(-1.0, 1.0);
            dls_minimal_velocity(minimal, state->v);
            dls_minimal_destroy(minimal);
        }
        free(v);
        dls_report_release(&report);
        dls_state_destroy(state);
        dls_loops_destroy(loops);
        dls_model_destroy(model);
    }
}

/* Two grippers of a robot that others have described, with the limits and dampings it has: one mimic joint each. */
TEST(test_baxter_keeps_its_mimics)
{
    const char *folder = getenv("DLS_TEST_DATA"), *source = getenv("DLS_TEST_SOURCE");
    char path[DLS_PATH_MAX];
    dls_scene *scene;
    dls_model *model;
    dls_error error;
    snprintf(path, sizeof path, "%s%s/urdf/baxter_simple.urdf",
             folder   ? folder
             : source ? source
                      : ".",
             folder ? "" : "/../shared/data");
    if (access(path, R_OK) != 0)
        skip();
    assert_status(dls_scene_read(path, &scene, &error), &error);
    dls_articulation_def *robot = scene->articulations[0];
    for (size_t i = 0; i < robot->n_links;
         i++) /* half open: an arm's fingers are named [lr]_gripper_[lr]_finger_joint */
        if (strstr(robot->links[i].joint, "_finger_joint"))
            robot->links[i].q[0] = strstr(robot->links[i].joint, "_r_finger") ? -0.01 : 0.01;
    assert_status(dls_model_create(scene, &model, &error), &error);
    size_t mimics = 0;
    for (size_t j = 0; j < dls_model_count(model).joints; j++)
        mimics += strcmp(dls_model_joints(model)[j].type->name, "mimic") == 0;
    assert_int_equal(mimics, 2);
    for (dls_mimic_way way = 0; way < DLS_MIMIC_WAYS; way++) {
        const dls_mimic_run run = {way, 4, fine, 0.1};
        dls_mimic_result r;
        assert_status(dls_mimic_measure(model, &run, NULL, NULL, &r, &error), &error);
        assert_below(r.worst_error, 1e-12);
        assert_true(r.worst_coordinate > 0.05); /* the arms fall */
        if (way == DLS_MIMIC_DENSE)
            assert_below(r.worst_residual, 1e-10);
    }
    dls_model_destroy(model);
    dls_scene_destroy(scene);
}

/* --- in competition --- */

/* Every dense step certified, whatever competes, and the mimic joints as exact as the stiffest rows let them be. */
TEST(test_dense_steps_are_certified)
{
    for (size_t m = 0; m < DLS_MIMIC_MECHANISMS; m++)
        for (size_t actuation = 0; actuation < DLS_MIMIC_ACTUATIONS; actuation++)
            for (int last = 0; last < 2; last++) {
                const dls_mimic_run run = {DLS_MIMIC_DENSE, 0, coarse, 1.0};
                dls_mimic_result r = measure(m, actuation, last, 0.2, &run);
                assert_below(r.worst_residual, 1e-10);
                assert_below(r.worst_error, 1e-10);
            }
}

/* Largest |C| and distance to the dense path, of PGS or TGS. */
static dls_mimic_result against_dense(size_t mechanism, bool mimic_last, dls_mimic_way way, size_t N, double h)
{
    const dls_mimic_setup setup = {
        .mechanism = mechanism, .actuation = DLS_MIMIC_DRIVE, .mimic_last = mimic_last, .erp = 0.2};
    dls_mimic_run run = {DLS_MIMIC_DENSE, 0, h, 0.5};
    dls_mimic_path dense;
    dls_mimic_result r;
    dls_model *model;
    dls_error error;
    assert_status(dls_mimic_model(&setup, &model, &error), &error);
    assert_status(dls_mimic_measure(model, &run, NULL, &dense, &r, &error), &error);
    run.way = way, run.iterations = N;
    assert_status(dls_mimic_measure(model, &run, &dense, NULL, &r, &error), &error);
    dls_mimic_path_release(&dense);
    dls_model_destroy(model);
    return r;
}

/* Two rows, mimic and drive, of parallel rods: a sweep leaves a12^2 / (a11 a22) of the error, and the largest one is
 * that of the first step, whose rows start from nothing. With r = 1 / I of a rod about its hinge:
 *
 *     a11 = r (1 + G^2),  a12 = r G,  a22 = r + 1 / (h (h kp + kd)) */
static double rate_of_two_rows(void)
{
    const double G = 0.5, r = 1.0 / ((1.0 + 0.05 * 0.05) / 12.0 + 0.25),
                 a22 = r + 1.0 / (coarse * (coarse * 1e4 + 1e2));
    return r * G * G / (1.0 + G * G) / a22;
}

TEST(test_pgs_converges_as_two_rows_do)
{
    const double rate = rate_of_two_rows();
    const dls_mimic_result one = against_dense(DLS_MIMIC_PARALLEL_05, false, DLS_MIMIC_PGS, 1, coarse);
    assert_close(one.worst_error, 0.58, 0.005); /* as long as C is a rod's turn alone, with any gear */
    for (size_t N = 2; N < 12; N++) {
        const dls_mimic_result many = against_dense(DLS_MIMIC_PARALLEL_05, false, DLS_MIMIC_PGS, N, coarse);
        /* The difference is rounding of |C|, of which some 1e-12 is left of 0.58. */
        assert_close(many.worst_error / one.worst_error / pow(rate, (double)N - 1.0), 1.0, 1e-4);
        if (N == 4)
            assert_close(many.worst_error, 3.7e-3, 5e-5);
    }
    const dls_mimic_result end = against_dense(DLS_MIMIC_PARALLEL_05, false, DLS_MIMIC_PGS, 64, coarse);
    assert_below(end.worst_error, 1e-13);
    assert_below(end.distance, 1e-13);
}

/* |C| falls with the iterations. Under PGS the path goes to that of dense steps; TGS has another one, off by O(h). */
TEST(test_errors_fall_with_iterations)
{
    static const size_t mechanisms[] = {DLS_MIMIC_PARALLEL_2, DLS_MIMIC_SERIES_17, DLS_MIMIC_STAR, DLS_MIMIC_HAND,
                                        DLS_MIMIC_SIX};
    for (size_t m = 0; m < sizeof mechanisms / sizeof mechanisms[0]; m++)
        for (dls_mimic_way way = DLS_MIMIC_PGS; way < DLS_MIMIC_WAYS; way++) {
            dls_mimic_result before = against_dense(mechanisms[m], false, way, 1, fine);
            for (size_t N = 4; N <= 64; N *= 4) {
                dls_mimic_result now = against_dense(mechanisms[m], false, way, N, fine);
                assert_below(now.worst_error, 0.9 * before.worst_error + 1e-13);
                before = now;
            }
            if (way == DLS_MIMIC_PGS)
                assert_below(before.distance, 1e-11);
        }
    const double whole[2] = {against_dense(DLS_MIMIC_PARALLEL_2, false, DLS_MIMIC_TGS_STEP, 16, fine).distance,
                             against_dense(DLS_MIMIC_PARALLEL_2, false, DLS_MIMIC_TGS_SUBSTEP, 16, fine).distance};
    assert_below(against_dense(DLS_MIMIC_PARALLEL_2, false, DLS_MIMIC_TGS_STEP, 16, fine / 4.0).distance,
                 whole[0] / 3.0);
    assert_below(against_dense(DLS_MIMIC_PARALLEL_2, false, DLS_MIMIC_TGS_SUBSTEP, 16, fine / 4.0).distance,
                 whole[1] / 6.0);
}

/* The last row of a sweep is exact: with the mimic row there |C| says nothing, at any number of iterations, and the
 * error of the whole answer does. It falls by the same rate in both orders, a12^2 / (a11 a22) per sweep. */
TEST(test_order_of_rows)
{
    const double rate = rate_of_two_rows();
    dls_mimic_result one[2];
    for (int last = 0; last < 2; last++) {
        one[last] = against_dense(DLS_MIMIC_PARALLEL_05, last, DLS_MIMIC_PGS, 1, coarse);
        assert_true(one[last].distance > 0.1);
        assert_true(one[last].answer_error > 1.0);
        for (size_t N = 2; N < 8; N++) {
            const dls_mimic_result many = against_dense(DLS_MIMIC_PARALLEL_05, last, DLS_MIMIC_PGS, N, coarse);
            assert_close(many.answer_error / one[last].answer_error / pow(rate, (double)N - 1.0), 1.0, 1e-4);
        }
    }
    assert_true(one[0].worst_error > 0.5);
    for (dls_mimic_way way = DLS_MIMIC_PGS; way < DLS_MIMIC_WAYS; way++)
        for (size_t N = 1; N <= 64; N *= 4) {
            const dls_mimic_result last = against_dense(DLS_MIMIC_PARALLEL_05, true, way, N, coarse);
            assert_below(last.worst_error, 1e-13);
            assert_true(way == DLS_MIMIC_PGS || last.answer_error > 0.01);
        }
}

/* --- decay, stars --- */

/* (1 - erp)^k, (1 - erp / N)^(N k), (1 - erp)^(N k), moving under gravity. */
TEST(test_decay_of_an_error)
{
    const double erp = 0.37;
    const size_t N = 3;
    const double kept[DLS_MIMIC_WAYS] = {1.0 - erp, 1.0 - erp, pow(1.0 - erp / 3.0, 3.0), pow(1.0 - erp, 3.0)};
    for (dls_mimic_way way = 0; way < DLS_MIMIC_WAYS; way++) {
        const dls_mimic_setup setup = {
            .mechanism = DLS_MIMIC_SERIES_2, .actuation = DLS_MIMIC_ALONE, .erp = erp, .error = -0.1};
        const dls_mimic_run run = {way, N, coarse, 0.3};
        dls_mimic_path path;
        dls_mimic_result r;
        dls_error error;
        assert_status(dls_mimic_try(&setup, &run, &path, &r, &error), &error);
        assert_int_equal(path.count, 19);
        assert_close(r.worst_error, 0.1, 1e-15);
        for (size_t k = 0; k < path.count; k++)
            assert_close(dls_mimic_path_error(&path, k), 0.1 * pow(kept[way], (double)k),
                         1e-14); /* roundings of coordinates near 1 */
        dls_mimic_path_release(&path);
    }
}

/* Five followers of one leader, on the root and on the leader, four iterations of TGS: bounded with any erp. */
TEST(test_stars_are_stable)
{
    for (int hand = 0; hand < 2; hand++)
        for (dls_mimic_way way = DLS_MIMIC_TGS_STEP; way < DLS_MIMIC_WAYS; way++)
            for (int k = 0; k < 3; k++) {
                const dls_mimic_run run = {way, 4, coarse, 5.0};
                const size_t star = hand ? DLS_MIMIC_HAND : DLS_MIMIC_STAR;
                dls_mimic_result alone = measure(star, DLS_MIMIC_ALONE, false, 0.2 + 0.4 * k, &run);
                dls_mimic_result driven = measure(star, DLS_MIMIC_DRIVE, false, 0.2 + 0.4 * k, &run);
                assert_int_equal(alone.failed + driven.failed, 0);
                assert_below(alone.worst_coordinate, 0.6); /* it starts at up to 0.55 rad */
                assert_below(alone.worst_error, 0.01);
                assert_below(driven.worst_coordinate, 2.5); /* to 2 / 1.7 rad, and past it */
            }
}

/* A limit closes at a speed, and N sweeps from zero impulse leave a share of this impact unsolved: the distance to
 * dense steps does not vanish with the step, but with N, by the rate of the sweep, a12^2 / (a11 a22) each. */
TEST(test_sweeps_leave_a_share_of_an_impact)
{
    static const size_t sweeps[] = {4, 16};
    const dls_mimic_setup setup = {.mechanism = DLS_MIMIC_SERIES_05, .actuation = DLS_MIMIC_LIMIT, .erp = 0.2};
    double distance[2][2];
    dls_model *model;
    dls_error error;
    assert_status(dls_mimic_model(&setup, &model, &error), &error);
    for (int k = 0; k < 2; k++) {
        const double step = k ? 1.0 / 3840.0 : 1.0 / 960.0;
        const dls_mimic_run exact = {DLS_MIMIC_DENSE, 1, step, 1.0};
        dls_mimic_path dense;
        dls_mimic_result r;
        assert_status(dls_mimic_measure(model, &exact, NULL, &dense, &r, &error), &error);
        for (int i = 0; i < 2; i++) {
            const dls_mimic_run run = {DLS_MIMIC_PGS, sweeps[i], step, 1.0};
            assert_status(dls_mimic_measure(model, &run, &dense, NULL, &r, &error), &error);
            distance[k][i] = r.distance;
            print_message("# step %g, %zu sweeps: %.2e rad from dense steps\n", step, sweeps[i], r.distance);
        }
        dls_mimic_path_release(&dense);
    }
    assert_true(distance[1][0] > 0.5 * distance[0][0] && distance[0][0] > 1e-4);
    for (int k = 0; k < 2; k++)
        assert_true(distance[k][1] < 0.1 * distance[k][0]);
    dls_model_destroy(model);
}

/* --- the experiment --- */

static const char *const outputs[] = {
    "mimic.runs.tsv",  "mimic.summary.tsv", "mimic.physx.summary.tsv",     "mimic.fits.summary.tsv",
    "mimic.decay.tsv", "mimic.energy.tsv",  "mimic.stability.summary.tsv", "mimic.exact.tsv"};

static dls_status run_experiment(const char *folder, const char *mechanisms, const char *iterations, dls_error *error)
{
    const dls_experiment *experiment = dls_experiment_find("mimic");
    dls_mimic_settings settings;
    const dls_job job = {.output = folder, .command = "test"};
    assert_status(dls_fields_default(&experiment->fields, &settings, error), error);
    dls_status status = dls_field_set(&experiment->fields, &settings, "mechanisms", mechanisms, error);
    if (status == DLS_OK)
        status = dls_field_set(&experiment->fields, &settings, "iterations", iterations, error);
    settings.duration = 0.2, settings.contest = 0.05;
    if (status == DLS_OK)
        status = dls_experiment_run(experiment, &job, &settings, error);
    dls_fields_release(&experiment->fields, &settings);
    return status;
}

static size_t count_lines(const char *folder, const char *name)
{
    char path[128], line[2048];
    size_t count = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        count += line[0] != '#';
    fclose(file);
    assert_int_equal(remove(path), 0);
    return count;
}

/* With nothing drawn: no figure is of the gripper alone. */
TEST(test_tables)
{
    char folder[] = "/tmp/delassus-test-XXXXXX";
    dls_error error;
    assert_non_null(mkdtemp(folder));
    assert_status(run_experiment(folder, "gripper", "1,3", &error), &error);
    size_t lines[sizeof outputs / sizeof outputs[0]];
    for (size_t k = 0; k < sizeof outputs / sizeof outputs[0]; k++)
        lines[k] = count_lines(folder, outputs[k]);
    /* Alone: two steps. Five actuations: two steps, and the coarse one with the mimic rows last. */
    const size_t setups = 2 + 5 * 3;
    assert_int_equal(lines[0], 1 + setups * (1 + 3 * 2));
    assert_int_equal(lines[1], 1 + setups * 4);
    assert_int_equal(rmdir(folder), 0);
}

TEST(test_bad_lists)
{
    dls_error error;
    assert_int_equal(run_experiment("/tmp", "parallel,serial", "1", &error), DLS_BAD_INPUT);
    assert_string_equal(error.key, "mechanisms");
    static const char *const lists[] = {"0", "1,,2", "1;2", "-3", "x", "1.5", ""};
    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++) {
        assert_int_equal(run_experiment("/tmp", "six", lists[k], &error), DLS_BAD_INPUT);
        assert_string_equal(error.key, "iterations");
    }
}
