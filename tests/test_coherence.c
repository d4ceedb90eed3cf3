/* The experiment on temporal coherence, in small: the law of warm starts, who stands, what a warm start is worth, and
 * the tables. */
#include "check.h"

#include "coherence/parts.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double step_length = 1.0 / 60.0;

/* --- the law --- */

/* Growth is 1 where kappa = erp / (1 + erp), less above, more below; without a bias positions stay where they are. */
TEST(test_border)
{
    for (double erp = 0.05; erp < 1.01; erp += 0.05) {
        double needed = erp / (1.0 + erp), growth[3], period;
        for (int i = 0; i < 3; i++)
            dls_coherence_law(needed + 0.01 * (i - 1), erp, &growth[i], &period);
        assert_close(growth[1], 1.0, 1e-12);
        assert_true(growth[0] > 1.0001 && growth[2] < 0.9999);
        dls_coherence_law(needed, 0.0, &growth[0], &period);
        assert_close(growth[0], 1.0, 1e-12);
    }
}

/* Balls that hang straight down grow, or calm down, as the law says: where one pair of modes leads by far, to the
 * digits that are left. */
TEST(test_law_is_measured)
{
    static const struct {
        double erp;
        size_t iterations;
    } cases[] = {{0.2, 2}, {0.2, 6}, {0.2, 7}, {0.2, 8}, {0.2, 10}, {0.5, 4}, {0.5, 17}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        double growth, period, measured, measured_period;
        dls_error error;
        dls_coherence_predict(cases[k].iterations, cases[k].erp, &growth, &period);
        assert_status(
            dls_coherence_measure_law(cases[k].iterations, cases[k].erp, 300, &measured, &measured_period, &error),
            &error);
        assert_close(measured, growth, 1e-8);
        assert_close(measured_period, period, 1e-6);
    }
}

/* --- piles --- */

static dls_coherence_stand stand(const char *method, double margin, bool warm, size_t iterations, double duration)
{
    const dls_coherence_run run = {DLS_COHERENCE_STACK, margin, method, iterations, step_length, warm, 0};
    dls_coherence_stand r;
    dls_error error;
    assert_status(dls_coherence_measure_stand(&run, duration, &r, &error), &error);
    return r;
}

/* Ten iterations: cold every stack falls within half a second; warm it stands where the bias stays out of the
 * velocities. */
TEST(test_who_stands)
{
    assert_below(stand("baumgarte", 0.0, false, 10, 2.0).fell, 0.5);
    assert_below(stand("split-impulse", 0.0, false, 10, 2.0).fell, 0.5);
    assert_true(isnan(stand("split-impulse", 0.0, true, 10, 2.0).fell));
}

/* A displacement of 1e-9 m moves the time of a fall, and the same seed gives the same fall. */
TEST(test_seeds)
{
    double fell[3];
    for (unsigned long seed = 0; seed < 3; seed++) {
        const dls_coherence_run run = {DLS_COHERENCE_STACK, 0.0, "baumgarte", 10, step_length, true, seed};
        dls_coherence_stand r, again;
        dls_error error;
        assert_status(dls_coherence_measure_stand(&run, 8.0, &r, &error), &error);
        assert_status(dls_coherence_measure_stand(&run, 8.0, &again, &error), &error);
        assert_true(r.fell == again.fell);
        fell[seed] = r.fell;
    }
    assert_true(fell[0] != fell[1] && fell[1] != fell[2]);
}

/* With many iterations a step, cold and warm end at the same height, and warm at the smaller residual. (Without a
 * margin a contact that is solved opens by a rounding now and then, and its box falls by g h^2.) */
TEST(test_many_iterations)
{
    dls_coherence_stand cold = stand("split-impulse", 0.01, false, 400, 0.3),
                        warm = stand("split-impulse", 0.01, true, 400, 0.3);
    assert_true(isnan(cold.fell) && isnan(warm.fell));
    assert_close(warm.height, cold.height, 1e-3); /* cold sinks by less than a millimetre in that time */
    assert_below(warm.residual, cold.residual);
}

/* A solved step needs no iteration when it is solved again. */
TEST(test_counts)
{
    const dls_coherence_run run = {
        DLS_COHERENCE_STACK, DLS_COHERENCE_STACK_MARGIN, "baumgarte", 5000, step_length, true, 0};
    size_t counts[DLS_COHERENCE_TARGETS];
    double solved, residual;
    dls_rig rig;
    dls_error error;
    assert_status(dls_coherence_open(&run, &rig, &error), &error);
    assert_status(dls_rig_step(&rig, run.step, &error), &error);
    const double *impulses = dls_simulation_impulses(rig.simulation);
    assert_status(dls_rig_residual(&rig, impulses, &solved, &error), &error);
    assert_status(dls_coherence_count(&rig, impulses, 10, counts, &residual, &error), &error);
    assert_true(residual == solved);
    for (int t = 0; t < DLS_COHERENCE_TARGETS; t++)
        assert_int_equal(counts[t], 0);
    assert_status(dls_coherence_count(&rig, NULL, 5000, counts, &residual, &error), &error);
    assert_true(0 < counts[0] && counts[0] < counts[1] && counts[1] < counts[2] && counts[2] < 5000);
    assert_status(dls_coherence_count(&rig, NULL, counts[1] - 1, counts, &residual, &error), &error);
    assert_true(counts[0] < SIZE_MAX && counts[1] == SIZE_MAX && counts[2] == SIZE_MAX);
    dls_rig_close(&rig);
}

TEST(test_unknown_method)
{
    const dls_coherence_run run = {DLS_COHERENCE_PLUMB, 0.2, "no-such-method", 1, step_length, true, 0};
    dls_rig rig;
    dls_error error;
    assert_int_equal(dls_coherence_open(&run, &rig, &error), DLS_BAD_ARGUMENT);
    assert_null(rig.simulation);
}

/* --- the whole, short --- */

static size_t lines_of(const char *folder, const char *name)
{
    char path[DLS_PATH_MAX], line[4096];
    size_t lines = 0;
    snprintf(path, sizeof path, "%s/%s.tsv", folder, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        lines += line[0] != '#';
    fclose(file);
    unlink(path);
    return lines;
}

/* The lines of the summary of stacks with `copies` copies, all of which stood. */
static size_t summaries_of(const char *folder, size_t copies)
{
    char path[DLS_PATH_MAX], line[4096], pair[32];
    size_t count = 0;
    snprintf(path, sizeof path, "%s/coherence.stand.summary.tsv", folder);
    snprintf(pair, sizeof pair, "\t%zu\t%zu\tnan\t", copies, copies);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        count += strstr(line, pair) != NULL;
    fclose(file);
    return count;
}

TEST(test_tables)
{
    static const char *const set[][2] = {{"duration", "0.1"}, {"limit", "20"},       {"samples", "2"},
                                         {"copies", "2"},     {"copies_short", "1"}, {"wall_steps", "3"}};
    const dls_experiment *experiment = dls_experiment_find("coherence");
    char folder[] = "test_coherence.XXXXXX";
    dls_coherence_settings settings;
    dls_error error;
    assert_non_null(mkdtemp(folder));
    const dls_job job = {.output = folder, .command = "test"};
    assert_status(dls_fields_default(&experiment->fields, &settings, &error), &error);
    for (size_t i = 0; i < sizeof set / sizeof set[0]; i++)
        assert_status(dls_field_set(&experiment->fields, &settings, set[i][0], set[i][1], &error), &error);
    dls_status status = dls_experiment_run(experiment, &job, &settings, &error);
    if (status != DLS_UNAVAILABLE) /* gnuplot may not be there: tables come first */
        assert_status(status, &error);
    assert_int_equal(lines_of(folder, "coherence.law"), 61);
    assert_int_equal(lines_of(folder, "coherence.chain.summary"), 17);
    assert_int_equal(lines_of(folder, "coherence.chain"), 1 + 16 * 6);
    assert_int_equal(summaries_of(folder, 2), 32); /* at the given step */
    assert_int_equal(summaries_of(folder, 1), 16); /* at a quarter of it */
    assert_int_equal(lines_of(folder, "coherence.stand.summary"), 49);
    assert_int_equal(lines_of(folder, "coherence.stand"), 1 + 48 * 2); /* none falls so soon */
    assert_int_equal(lines_of(folder, "coherence.iterations"), 9);
    assert_int_equal(lines_of(folder, "coherence.wall.summary"), 4);
    assert_int_equal(lines_of(folder, "coherence.wall"), 4);
    static const char *const figures[] = {"law", "chain", "stand", "iterations", "wall"}, *const suffixes[] = {
                                                                                              "svg", "png",
                                                                                              "caption.txt"};
    for (size_t i = 0; i < 15; i++) {
        char path[DLS_PATH_MAX];
        snprintf(path, sizeof path, "%s/coherence-%s.%s", folder, figures[i / 3], suffixes[i % 3]);
        if (unlink(path) != 0 && status == DLS_OK)
            fail_msg("there is no %s", path);
    }
    char path[DLS_PATH_MAX];
    snprintf(path, sizeof path, "%s/coherence.finding.txt", folder);
    if (unlink(path) != 0 && status == DLS_OK)
        fail_msg("there is no %s", path);
    assert_int_equal(rmdir(folder), 0);
}
