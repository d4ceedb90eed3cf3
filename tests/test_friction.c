/* The experiment on friction laws, small: critical angles, anisotropies, directions of motion and the stack, and what
 * it refuses. */
#include "failing_memory.h"
#include "studies.h"

#include "friction/parts.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double pi = 3.14159265358979323846;

static dls_friction_settings small_settings(void)
{
    const dls_field_table *fields = &dls_experiment_find("friction")->fields;
    static const char *const options[][2] = {{"angles", "8"}, {"directions", "64"}, {"boxes", "3"},
                                             {"steps", "3"},  {"mu", "0.43"},       {"mass", "2.385"}};
    dls_friction_settings settings;
    dls_error error;
    assert_status(dls_fields_default(fields, &settings, &error), &error);
    for (size_t k = 0; k < sizeof options / sizeof options[0]; k++)
        assert_status(dls_field_set(fields, &settings, options[k][0], options[k][1], &error), &error);
    return settings;
}

/* 1 / cos(pi / k) by hand: sqrt 2, sqrt 2, sqrt(4 - 2 sqrt 2) and 2 / sqrt(2 + sqrt(2 + sqrt 2)). */
static double anisotropy_of(const char *law)
{
    return strcmp(law, "cone") == 0        ? 1.0
           : strcmp(law, "facets-8") == 0  ? sqrt(4.0 - 2.0 * sqrt(2.0))
           : strcmp(law, "facets-16") == 0 ? 2.0 / sqrt(2.0 + sqrt(2.0 + sqrt(2.0)))
                                           : sqrt(2.0);
}

/* Tolerances: a box counts as at rest below 1e-11 g h, which a force of 1e-11 m g gives it; over mu m g that is 1e-11 /
 * mu, of a stack as many times more as it has boxes. The critical angle is asked for to 1e-6 rad, the anisotropy to
 * 1e-9. */
static void check_law(const dls_friction_law *law, const dls_friction_finding *f, const dls_friction_settings *set)
{
    bool fixed = strcmp(law->name, "fixed") == 0, square = fixed || strcmp(law->name, "box") == 0,
         cone = strcmp(law->name, "cone") == 0;
    double free_speed = 1.2 * set->mu * dls_friction_gravity * set->step;
    print_message("%s: critical angle %.2e rad off, anisotropy %.2e, direction %.2e rad, residual %.1e\n", law->name,
                  f->critical - (fixed ? asin(set->mu) : atan(set->mu)), f->anisotropy - anisotropy_of(law->name),
                  f->off_error, f->record.worst);
    assert_close(f->critical, fixed ? asin(set->mu) : atan(set->mu), 1e-10);
    assert_below(f->slide_error, 1e-12); /* (n + 3) eps = 3e-15 per row of 12, times the condition of a box, 1e2 */
    assert_close(f->anisotropy, anisotropy_of(law->name), 2e-10);
    assert_below(f->reach_error, 1e-10);
    assert_below(f->off_error, 1e-11);
    assert_below(f->record.worst, 1e-12);
    if (cone)
        assert_below(f->off, 1e-11); /* along the pull */
    else
        assert_true(f->off > 0.4 * pi / (double)law->corners);
    /* 1.2 mu m g: at 30 deg the box gives way along u1 alone, at 45 deg it holds */
    assert_close(f->diagonal_off[0], square ? -pi / 6.0 : f->diagonal_off_expected[0], 1e-11);
    assert_close(f->diagonal_speed[0], f->diagonal_speed_expected[0], 1e-12 * free_speed);
    assert_close(f->diagonal_speed[1], square ? 0.0 : f->diagonal_speed_expected[1], 1e-12 * free_speed);
    if (!square)
        assert_close(f->diagonal_off[1], 0.0, 1e-11);
    assert_close(f->lowest / f->highest, fixed ? 1.0 : (double)set->boxes, 1e-9);
    assert_below(f->stack_error, 1e-9);
    assert_int_equal(f->wrong_movers, 0);
    assert_below(f->stack_creep[0], 1e-11);
}

TEST(test_laws_hold_what_they_say)
{
    char folder[] = "/tmp/delassus-test-XXXXXX";
    dls_error error;
    const dls_friction_settings settings = small_settings();
    assert_non_null(mkdtemp(folder));
    const dls_job job = {.output = folder, .command = "test"};
    dls_study *study;
    assert_status(dls_study_open(dls_experiment_find("friction"), &job, &settings, &study, &error), &error);
    assert_status(dls_study_measure(study, &error), &error);
    const dls_friction_findings *f = study->found;
    for (size_t i = 0; i < DLS_FRICTION_LAWS; i++) {
        check_law(&dls_friction_laws[i], &f->of[i], &settings);
        if (!dls_friction_laws[i].sweep)
            continue;
        /* more iterations, less creep; ten do not hold a stack that the reference holds */
        assert_true(f->of[i].sweep_off_error[1] < f->of[i].sweep_off_error[0]);
        assert_true(f->of[i].stack_creep[2] < f->of[i].stack_creep[1] && f->of[i].stack_creep[1] > 0.01);
    }
    dls_study_close(study);
    remove_tables("friction", folder);
}

/* The nearest point of a polygon against a search along its rim; nearer than the search's grid by its square at most.
 */
TEST(test_what_is_left_of_a_pull)
{
    enum { GRID = 20000 };
    static double rim[GRID][2];
    const double r = 1.3;
    for (const dls_friction_law *law = dls_friction_laws; law < dls_friction_laws + DLS_FRICTION_LAWS; law++) {
        for (int i = 0; i < GRID; i++) {
            double angle = 2.0 * pi * i / GRID, reach = r * dls_friction_reach(law, angle);
            rim[i][0] = reach * cos(angle), rim[i][1] = reach * sin(angle);
        }
        for (int k = 0; k < 40; k++) {
            double direction = 0.37 * k - 5.0, pull = 1.9 + 0.03 * k, nearest = HUGE_VAL, along;
            for (int i = 0; i < GRID; i++)
                nearest = fmin(nearest, hypot(pull * cos(direction) - rim[i][0], pull * sin(direction) - rim[i][1]));
            double excess = dls_friction_excess(law, r, pull, direction, &along);
            if (excess == 0.0) {
                assert_true(pull <= r * dls_friction_reach(law, direction));
                continue;
            }
            assert_close(excess, nearest, 1e-3 * r);
            /* what friction takes is on the rim */
            double x = pull * cos(direction) - excess * cos(along), y = pull * sin(direction) - excess * sin(along);
            assert_close(hypot(x, y), r * dls_friction_reach(law, atan2(y, x)), 1e-14);
        }
    }
}

static dls_status always(void *context, double x, bool *moves, dls_error *error)
{
    (void)x, (void)error;
    *moves = *(bool *)context;
    return DLS_OK;
}

TEST(test_refusals)
{
    dls_friction_settings settings = small_settings();
    const dls_job job = {.output = "/tmp", .command = "test"};
    dls_study *study;
    dls_error error;
    settings.directions = 33;
    assert_int_equal(dls_study_open(dls_experiment_find("friction"), &job, &settings, &study, &error), DLS_BAD_INPUT);
    assert_string_equal(error.key, "directions");
    for (int moves = 0; moves < 2; moves++) {
        bool so = moves;
        double low = 0.0, high = 1.0;
        assert_int_equal(dls_bisect(always, &so, &low, &high, 1e-3, &error), DLS_REFUSED);
    }
}

static dls_status push_twice(const dls_study *study, size_t law, dls_error *error)
{
    dls_friction_rig rig;
    DLS_TRY(dls_friction_open(study, law, 1, 0.5, &rig, error));
    dls_status status = dls_friction_push(&rig, 0, 1, 0, 1.0, 0.3, error);
    if (status == DLS_OK && rig.n > 1)
        status = dls_friction_push(&rig, 1, 1, 0, 1.0, 0.3, error);
    dls_friction_close(&rig);
    return status;
}

TEST(test_without_memory)
{
    dls_friction_settings settings = small_settings();
    const dls_job job = {.output = "/tmp", .command = "test"};
    dls_study *study;
    dls_error error;
    settings.few = 3;
    assert_status(dls_study_open(dls_experiment_find("friction"), &job, &settings, &study, &error), &error);
    for (size_t law = 0; law < DLS_FRICTION_LAWS; law++) {
        fail_at = 0;
        assert_status(push_twice(study, law, &error), &error); /* once for what libraries keep */
        long before = live;
        allocations = 0;
        assert_status(push_twice(study, law, &error), &error);
        size_t count = allocations;
        assert_true(count > 20);
        for (size_t n = 1; n <= count; n++) {
            allocations = 0, fail_at = n;
            dls_status status = push_twice(study, law, &error);
            fail_at = 0;
            assert_int_equal(status, DLS_NO_MEMORY);
            assert_int_equal(error.status, DLS_NO_MEMORY);
            assert_int_equal(live, before);
        }
    }
    dls_study_close(study);
}
