/* The experiment on published trajectories: its motions against closed forms, its comparison, and its reader of files.
 */
#include "failing_memory.h"
#include "published.h"
#include "studies.h"

#include "trajectories/parts.h"

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

static dls_traced_motion follow(const char *name, const double *times, size_t rows)
{
    dls_traced_motion m;
    dls_error error;
    const dls_planar_example *example = &dls_planar_examples[dls_planar_example_find(name)];
    assert_non_null(example->name);
    assert_status(dls_traced_follow(example, times, rows, 1.0, NULL, &m, &error), &error);
    assert_int_equal(m.reached, rows);
    assert_string_equal(m.end, "");
    return m;
}

/* --- closed forms --- */

/* A ball that falls from H with the restitution e has its first impact at sqrt(2 H / g), at the speed u = sqrt(2 g H);
 * its jump number k = 1, 2, ... begins with e^k u and takes 2 e^k u / g. All of them together end at
 * sqrt(2 H / g) (1 + e) / (1 - e). */
static void bounce(double H, double e, double g, double t, double *x, double *v)
{
    double after = t - sqrt(2.0 * H / g), speed = e * sqrt(2.0 * g * H);
    *x = H - 0.5 * g * t * t, *v = -g * t;
    if (after < 0.0)
        return;
    *x = *v = 0.0;
    if (t >= sqrt(2.0 * H / g) * (1.0 + e) / (1.0 - e))
        return;
    while (after > 2.0 * speed / g) {
        after -= 2.0 * speed / g;
        speed *= e;
    }
    *x = after * (speed - 0.5 * g * after), *v = speed - g * after;
}

TEST(test_ball_by_its_closed_form)
{
    enum { ROWS = 101 };
    double times[ROWS];
    for (size_t k = 0; k < ROWS; k++)
        times[k] = 0.1 * (double)k;
    dls_traced_motion m = follow("ball", times, ROWS);
    for (size_t k = 0; k < ROWS; k++) {
        double x, v;
        bounce(1.0, 0.9, 9.81, times[k], &x, &v);
        assert_close(m.value[k], x, 1e-12);
        assert_close(m.rate[k], v, 1e-11);
    }
    assert_close(m.first_impact, sqrt(2.0 / 9.81), 1e-14);
    dls_traced_release(&m);
}

/* A block on one corner without friction keeps the place of its centre along the floor, and falls as
 *     y = (L sin a + H cos a) / 2,   (I + m (dy/da)^2) a'^2 / 2 = m g (y0 - y),   I = m (L^2 + H^2) / 12. */
TEST(test_block_on_a_corner)
{
    const double times[] = {0.0, 0.1, 0.25, 0.4, 0.58}, L = 1.0, H = 0.5;
    dls_traced_motion m = follow("block", times, 5);
    for (size_t k = 0; k < 5; k++) {
        const double *q = m.value + k * m.n, *u = m.rate + k * m.n, a = q[2];
        const double slope = 0.5 * (L * cos(a) - H * sin(a)), I = (L * L + H * H) / 12.0;
        assert_close(q[0], m.value[0], 1e-14);
        assert_close(q[1], 0.5 * (L * sin(a) + H * cos(a)), 1e-14);
        assert_close(0.5 * (I + slope * slope) * u[2] * u[2], 9.81 * (m.value[1] - q[1]), 1e-13);
        assert_close(u[1], slope * u[2], 1e-13);
    }
    dls_traced_release(&m);
}

/* Elastic beads that touch each other rebound together, as one ball does: the energy stays, and so do the distances. */
TEST(test_elastic_beads)
{
    const double times[] = {0.0, 0.05, 0.15, 0.25, 0.4, 0.49};
    dls_traced_motion m = follow("beads-elastic", times, 6);
    for (size_t k = 0; k < 6; k++) {
        double x, v;
        bounce(0.05, 1.0, 9.81, times[k], &x, &v);
        for (size_t i = 0; i < m.n; i++) {
            assert_close(m.value[k * m.n + i], x + 0.005 + 0.01 * (double)i, 1e-12);
            assert_close(m.rate[k * m.n + i], v, 1e-11);
        }
    }
    dls_traced_release(&m);
}

/* Ten beads fall freely until the lowest meets the floor; then the momentum changes by their weight and by impulses of
 * the floor, upwards; an impact of restitution e < 1 takes energy. */
TEST(test_beads_momentum_and_energy)
{
    enum { ROWS = 101 };
    double times[ROWS], before = HUGE_VAL;
    for (size_t k = 0; k < ROWS; k++)
        times[k] = 0.01 * (double)k;
    dls_traced_motion m = follow("beads", times, ROWS);
    for (size_t k = 0; k < ROWS; k++) {
        double momentum = 98.1 * times[k], energy = 0.0;
        for (size_t i = 0; i < m.n; i++) {
            const double v = m.rate[k * m.n + i];
            momentum += v, energy += 0.5 * v * v + 9.81 * m.value[k * m.n + i];
        }
        if (times[k] < m.first_impact)
            assert_close(momentum, 0.0, 1e-12);
        assert_true(momentum > -1e-12);
        assert_true(energy <= before + 1e-11);
        before = energy;
    }
    assert_close(m.first_impact, sqrt(1.8 / 9.81), 1e-14);
    dls_traced_release(&m);
}

/* A disk that spins at 2 rad/s strikes with the impulse 1.9 m u, a tenth of which is more than friction needs to make
 * it roll: from 2/5 m R^2 (2 - w) = R P and m v = P with v = R w follows w = 2 (2/5) / (7/5), which stays. */
TEST(test_disk_rolls_from_its_first_impact)
{
    const double times[] = {0.3, 0.4, 1.0, 9.0}, w = 2.0 * 0.4 / 1.4;
    dls_traced_motion m = follow("disk", times, 4);
    assert_close(m.rate[2], 2.0, 1e-15);
    for (size_t k = 1; k < 4; k++) {
        assert_close(m.rate[k * m.n + 2], w, 1e-12);
        assert_close(m.rate[k * m.n + 1], 0.5 * w, 1e-12);
        assert_close(m.value[k * m.n + 1], 0.5 * w * (times[k] - sqrt(1.0 / 9.81)), 1e-11);
    }
    dls_traced_release(&m);
}

/* A slender block that rocks without slip goes on about its other edge with 1 - 3/2 sin^2 a of its angular speed, a the
 * angle of its diagonal (G. Housner, Bull. Seismol. Soc. Am. 53 (1963) 403). Here a = atan(0.4), and friction holds. */
TEST(test_rocking_block_loses_angular_speed)
{
    const double b = 0.2, h = 0.5, turned = 0.2, g = 9.81, times[] = {0.0, 0.42, 0.5}, I = 4.0 / 3.0 * (b * b + h * h);
    const double sine = b / hypot(b, h);
    char scene[1024];
    snprintf(scene, sizeof scene,
             "world: {gravity: [0, -9.81, 0]}\nbodies:\n  - {name: block, shape: box, size: [0.4, 1, 1], mass: 3, "
             "position: [%.17g, %.17g, 0], orientation: [%.17g, 0, 0, %.17g]}\njoints:\n  - {name: a, type: contact, "
             "body1: block, point: [0, 0, 0], normal: [0, 1, 0], mu: 5, friction: cone}\n  - {name: b, type: contact, "
             "body1: block, point: [%.17g, 0, 0], normal: [0, 1, 0], gap: %.17g, mu: 5, friction: cone}\n",
             b * cos(turned) - h * sin(turned), b * sin(turned) + h * cos(turned), cos(0.5 * turned), sin(0.5 * turned),
             2.0 * b * cos(turned), 2.0 * b * sin(turned));
    const dls_planar_example rocking = {.scene = scene,
                                        .traced = {{"y", "block", DLS_ALONG_Y}, {"theta", "block", DLS_ABOUT_Z}}};
    dls_traced_motion m;
    dls_error error;
    double speed[3];
    assert_status(dls_traced_follow(&rocking, times, 3, 1.0, NULL, &m, &error), &error);
    assert_int_equal(m.reached, 3);
    assert_true(m.first_impact > 0.0 && m.first_impact < times[2]);
    for (size_t k = 0; k < 3; k++) /* that it has when it stands upright, by its energy about the edge */
        speed[k] = sqrt(m.rate[2 * k + 1] * m.rate[2 * k + 1] + 2.0 * g * (m.value[2 * k] - h) / I);
    print_message("# impact at %.4f s, ratio of angular speeds %.12f\n", m.first_impact, speed[2] / speed[0]);
    assert_close(speed[times[1] < m.first_impact ? 1 : 0], speed[0], 1e-12);
    assert_close(speed[2] / speed[0], 1.0 - 1.5 * sine * sine, 1e-11);
    dls_traced_release(&m);
}

/* The woodpecker's slides have together the mass matrix M of its three coordinates, its spring and its weight, whose
 * potential is g times the first row of M times q: the energy at the start, and its constancy while no contact acts,
 * between 0.0670 s, when the sleeve leaves the pole, and its next impact at 0.0779 s. */
TEST(test_woodpecker_has_its_mass_matrix)
{
    static const double m[2] = {0.0003, 0.0045}, J[2] = {5e-9, 7e-7}, l[2] = {0.01, 0.015}, c = 0.0056, g = 9.81;
    const double M[3][3] = {{m[0] + m[1], m[1] * l[0], m[1] * l[1]},
                            {m[1] * l[0], J[0] + m[1] * l[0] * l[0], m[1] * l[0] * l[1]},
                            {m[1] * l[1], m[1] * l[0] * l[1], J[1] + m[1] * l[1] * l[1]}};
    const double times[] = {0.0, 0.068, 0.073, 0.077};
    double energy[4];
    dls_traced_motion w = follow("woodpecker", times, 4);
    for (size_t k = 0; k < 4; k++) {
        const double *q = w.value + 3 * k, *u = w.rate + 3 * k;
        energy[k] = 0.5 * c * (q[1] - q[2]) * (q[1] - q[2]);
        for (size_t i = 0; i < 3; i++) {
            energy[k] += g * M[0][i] * q[i];
            for (size_t j = 0; j < 3; j++)
                energy[k] += 0.5 * u[i] * M[i][j] * u[j];
        }
    }
    assert_close(energy[2], energy[1], 1e-15);
    assert_close(energy[3], energy[1], 1e-15);
    assert_true(energy[1] < energy[0]);
    dls_traced_release(&w);

    dls_scene *scene;
    dls_model *model;
    dls_configuration *at;
    dls_error error;
    assert_status(
        dls_scene_text(&scene, &error, "%s", dls_planar_examples[dls_planar_example_find("woodpecker")].scene), &error);
    assert_status(dls_scene_model(scene, &model, &error), &error);
    assert_status(dls_configuration_create(model, &at, &error), &error);
    dls_configuration_evaluate(at, dls_model_initial(model));
    assert_close(dls_energy(at) + 0.5 * c * (0.2788 - 0.1036) * (0.2788 - 0.1036), energy[0], 1e-18);
    dls_configuration_destroy(at);
    dls_model_destroy(model);
}

/* --- comparison --- */

/* A run that is off by d in one place, and whose rate is off by r all the time, differs by d there and by r in the
 * mean; angles differ up to full turns, and what is not a number is not compared. */
TEST(test_difference_from_a_motion)
{
    static const dls_planar_example example = {.traced = {{"x", "body", DLS_ALONG_X}, {"a", "body", DLS_ABOUT_Z}}};
    double times[] = {0.0, 0.5, 2.0, 3.0}, value[] = {1, 3, 2, 3, 3, 3, 4, -3}, rate[8] = {0};
    const dls_traced_motion m = {.rows = 4, .n = 2, .value = value, .rate = rate, .reached = 4};
    double other[] = {1, 3 + 2.0 * M_PI, 2.25, 3, 3, 3 - 4.0 * M_PI, (double)NAN, 2.0 * M_PI - 3.5};
    double rates[] = {0.5, (double)NAN, 0.5, (double)NAN, 0.5, (double)NAN, 0.5, (double)NAN};
    dls_traced_difference of[DLS_TRACED_KINDS];
    dls_traced_compare(&example, &m, times, other, rates, of);
    assert_close(of[DLS_TRACED_LENGTH].most, 0.25, 1e-15);
    assert_close(of[DLS_TRACED_LENGTH].at, 0.5, 0.0);
    assert_close(of[DLS_TRACED_LENGTH].rate, 0.5, 1e-15);
    assert_close(of[DLS_TRACED_ANGLE].most, 0.5, 1e-14);
    assert_close(of[DLS_TRACED_ANGLE].at, 3.0, 0.0);
    assert_true(isnan(of[DLS_TRACED_ANGLE].rate));
}

/* The theta method converges to the motion, with order 1 where it does not locate impacts. An impact at some time of
 * the step h has a place that is off by at most h times the jump of the speed, below 3 m/s in this motion. */
TEST(test_own_steps_come_nearer)
{
    const dls_planar_example *stick = &dls_planar_examples[dls_planar_example_find("stick")];
    double *times, most[2];
    size_t rows;
    dls_error error;
    assert_status(dls_traced_times(stick, stick->step, &times, &rows, &error), &error);
    assert_int_equal(rows, 2001);
    dls_traced_motion exact = follow("stick", times, rows);
    for (int k = 0; k < 2; k++) {
        dls_traced_motion own;
        dls_traced_difference of[DLS_TRACED_KINDS];
        assert_status(dls_own_steps(stick, stick->step, k ? 8 : 1, 100, rows, &own, &error), &error);
        dls_traced_compare(stick, &exact, times, own.value, own.rate, of);
        most[k] = of[DLS_TRACED_LENGTH].most;
        dls_traced_release(&own);
    }
    assert_true(most[1] < most[0]);
    assert_below(most[0], 3.0 * stick->step);
    dls_traced_release(&exact);
    free(times);
}

/* --- files --- */

static dls_status parse(const char *text, dls_given_table *table, dls_error *error)
{
    *error = (dls_error){0};
    return dls_given_table_parse(text, strlen(text), "run.ref", table, error);
}

TEST(test_reading_a_table)
{
    dls_given_table table;
    dls_error error;
    assert_status(parse("4 3\n0 1 2\n0.5e0 -1 3\n 0.5 4 5 \n0 0 0\n", &table, &error), &error);
    assert_int_equal(table.rows, 3); /* the last one was not filled */
    assert_int_equal(table.columns, 3);
    const double numbers[] = {0, 1, 2, 0.5, -1, 3, 0.5, 4, 5};
    for (size_t k = 0; k < 9; k++)
        assert_close(table.at[k], numbers[k], 0.0);
    dls_given_table_release(&table);
}

TEST(test_wrong_tables)
{
    static const struct {
        const char *text, *key;
        long line;
    } wrong[] = {{"2 3\n0 1 2\n1 2\n", "value", 3},
                 {"2 3\n0 1 2\n1 2 x\n", "value", 3},
                 {"2 3\n0 1 2 3\n1 2 3\n", "", 2},
                 {"2 2\n1 1\n0.5 1\n", "time", 3},
                 {"2 2\n0 1\n", "value", 3},
                 {"2 2\n0 1\n1 1\n2 1\n", "", 4},
                 {"1 1\n0\n", "columns", 1},
                 {"0 2\n0 1\n", "columns", 1},
                 {"9999999 9\n0 1\n", "rows", 1},
                 {"9 9\n0 1\n", "rows", 1},
                 {"2 2\n0 1\n1 nan\n", "value", 3},
                 {"", "rows", 1},
                 {"stepNum1 position2\n0 1\n", "rows", 1}};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        dls_given_table table;
        dls_error error;
        const dls_status status = parse(wrong[k].text, &table, &error);
        print_message("# %s:%ld: %s: %s\n", error.file, error.line, error.key, error.message);
        assert_true(status == DLS_BAD_INPUT || status == DLS_NOT_FINITE);
        assert_string_equal(error.file, "run.ref");
        assert_string_equal(error.key, wrong[k].key);
        assert_int_equal(error.line, wrong[k].line);
        assert_null(table.at);
    }
}

static dls_status try_table(const void *text, dls_error *error)
{
    dls_given_table table;
    const dls_status status = dls_given_table_parse(text, strlen(text), "run.ref", &table, error);
    dls_given_table_release(&table);
    return status;
}

static dls_status try_motions(const void *example, dls_error *error)
{
    const double times[] = {0.0, 1e-3};
    dls_traced_motion exact, own;
    dls_status status = dls_traced_follow(example, times, 2, 1.0, NULL, &exact, error);
    dls_traced_release(&exact);
    if (status == DLS_OK) {
        status = dls_own_steps(example, times[1], 1, 10, 2, &own, error);
        dls_traced_release(&own);
    }
    return status;
}

TEST(test_no_memory_for_trajectories)
{
    fail_every_allocation(try_table, "2 2\n0 1\n1 1\n", "a table");
    fail_every_allocation(try_motions, &dls_planar_examples[dls_planar_example_find("stick")], "motions");
}

/* Every file belongs to an example, and says where at least one of its numbers is. */
TEST(test_files_and_examples)
{
    for (size_t r = 0; dls_given_runs[r].file; r++) {
        const dls_planar_example *example = &dls_planar_examples[dls_planar_example_find(dls_given_runs[r].example)];
        assert_non_null(example->name);
        const size_t n = dls_traced_count(example);
        assert_true(n > 0 && n < DLS_TRACED_MAX);
        for (size_t i = 0; i < n; i++)
            assert_true(dls_given_runs[r].column[i].value > 0 && dls_given_runs[r].column[i].factor > 0.0);
        assert_int_equal(dls_given_runs[r].column[n].value, 0);
    }
    assert_true(dls_planar_example_find("") < DLS_PLANAR_EXAMPLES_MAX);
}

/* --- the experiment --- */

static dls_status run_small(const char *data, dls_trajectories_findings *found, dls_error *error)
{
    static const char *const options[][2] = {
        {"examples", "ball-rest, beads-elastic"}, {"samples", "2"}, {"levels", "1"}};
    char folder[] = "/tmp/trajectories-XXXXXX";
    assert_non_null(mkdtemp(folder));
    const dls_job job = {.output = folder, .command = "test", .data = data};
    dls_trajectories_settings settings;
    dls_study *study;
    assert_status(open_study("trajectories", &job, &settings, options, 3, &study, error), error);
    const dls_status status = dls_study_measure(study, error);
    *found = *(const dls_trajectories_findings *)study->found;
    close_study("trajectories", &settings, study);
    if (status == DLS_OK)
        remove_tables("trajectories", folder);
    else
        assert_int_equal(rmdir(folder), 0);
    return status;
}

TEST(test_without_the_files)
{
    dls_trajectories_findings found;
    dls_error error;
    assert_status(run_small(NULL, &found, &error), &error);
    assert_int_equal(found.given, 0);
    assert_int_equal(found.missing, 2);
    assert_int_equal(found.located + found.expected + found.off, 0);
}

/* A file in the place of a published one: rows of the motion itself, and the same 1 mm higher. */
static void write_rest(const char *data, double off)
{
    char path[DLS_PATH_MAX];
    snprintf(path, sizeof path,
             "%s/siconos-tutorials/examples/mechanics/BouncingBallEventDriven/"
             "BouncingBallED-withRestingContact.ref",
             data);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "50 3\n");
    for (int k = 0; k < 50; k++) {
        double x, v;
        bounce(1.0, 0.0, 9.81, 0.01 * k, &x, &v);
        fprintf(file, "%.17g %.17g %.17g\n", 0.01 * k, x + off, v);
    }
    fclose(file);
}

static void make_folders(const char *data)
{
    static const char *const folders[] = {"siconos-tutorials", "examples", "mechanics", "BouncingBallEventDriven"};
    char path[DLS_PATH_MAX];
    size_t used = (size_t)snprintf(path, sizeof path, "%s", data);
    for (size_t k = 0; k < 4; k++) {
        used += (size_t)snprintf(path + used, sizeof path - used, "/%s", folders[k]);
        assert_int_equal(mkdir(path, 0700), 0);
    }
}

static void remove_folders(const char *data)
{
    static const char *const paths[] = {
        "siconos-tutorials/examples/mechanics/BouncingBallEventDriven/BouncingBallED-withRestingContact.ref",
        "siconos-tutorials/examples/mechanics/BouncingBallEventDriven",
        "siconos-tutorials/examples/mechanics",
        "siconos-tutorials/examples",
        "siconos-tutorials",
        ""};
    for (size_t k = 0; k < 6; k++) {
        char path[DLS_PATH_MAX];
        snprintf(path, sizeof path, "%s/%s", data, paths[k]);
        assert_int_equal(remove(path), 0);
    }
}

TEST(test_with_a_file)
{
    char data[] = "/tmp/published-XXXXXX";
    dls_trajectories_findings found;
    dls_error error;
    assert_non_null(mkdtemp(data));
    make_folders(data);
    write_rest(data, 0.0);
    assert_status(run_small(data, &found, &error), &error);
    assert_int_equal(found.given, 1);
    assert_int_equal(found.missing, 1);
    assert_int_equal(found.located, 1);
    write_rest(data, 1e-3);
    assert_status(run_small(data, &found, &error), &error);
    assert_int_equal(found.off, 1);
    assert_close(found.worst, 1e-3, 1e-12);
    remove_folders(data);
}

/* The files of the collection itself, where it is given: two that locate their events. */
TEST(test_published_files)
{
    char folder[DLS_PATH_MAX], path[DLS_PATH_MAX];
    dls_trajectories_findings found;
    dls_error error;
    data_path(folder, "");
    data_path(path, "siconos-tutorials/examples/mechanics");
    if (access(path, R_OK) != 0)
        skip();
    assert_status(run_small(folder, &found, &error), &error);
    assert_int_equal(found.given, 2);
    assert_int_equal(found.located, 2);
}
