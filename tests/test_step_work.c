/* The work of a step: the sum over all its solves, whatever the scheme makes of them. A solver that is watched counts
 * the turns of rows on its own. */
#include "stepping.h"

#include "study/rig.h"

enum { ITERATIONS = 6, VELOCITY_ITERATIONS = 2, STEPS = 3 };
static const double step = 2e-3; /* [s] */

static void open_watched(run *r, dls_spy *spy, const char *scene, const variant *v, size_t velocity_iterations)
{
    dls_choice pgs;
    dls_error error;
    assert_status(dls_choice_create("pgs", &pgs, &error), &error);
    dls_spy_set(spy, pgs);
    dls_simulation_options options = options_of(r, &spy->solver, v, ITERATIONS);
    options.solver_settings = &spy->self;
    options.velocity_iterations = velocity_iterations;
    run_open(r, load_scene(scene), &options);
}

/* Joints alone, and contacts that open and close: the number of rows is another one in every solve. */
TEST(test_work_of_a_step_is_that_of_all_its_solves)
{
    static const char *const scenes[] = {"chain-10", "four-bar", "stack-10-found", "tendons"};
    for (size_t scene = 0; scene < sizeof scenes / sizeof scenes[0]; scene++)
        for (size_t v = 0; v < VARIANTS; v++)
            for (size_t more = 0; more <= VELOCITY_ITERATIONS; more += VELOCITY_ITERATIONS) {
                run r;
                dls_spy spy;
                open_watched(&r, &spy, scenes[scene], &variants[v], more);
                for (size_t k = 0; k < STEPS; k++) {
                    const size_t before = spy.row_iterations;
                    run_steps(&r, 1, step);
                    const dls_report *report = dls_simulation_report(r.simulation);
                    if (report->row_visits != (double)(spy.row_iterations - before))
                        fail_msg("%s, %s: %g row visits are reported, and %zu were made", scenes[scene],
                                 name_of(&variants[v]), report->row_visits, spy.row_iterations - before);
                }
                run_stop(&r);
                dls_choice_release(&spy.of);
                dls_spy_release(&spy);
            }
}

/* PGS on the 30 rows of chain-10: rows x iterations x solves. */
TEST(test_work_of_a_step_in_closed_form)
{
    static const struct {
        variant of;
        size_t iterations;
    } cases[] = {
        {{"euler", NULL, NULL}, ITERATIONS},
        {{"tgs", "time_base", "step"}, ITERATIONS},
        {{"split-impulse", NULL, NULL}, 2 * ITERATIONS},    /* velocities, positions */
        {{"small-steps", "relax", "0"}, ITERATIONS},        /* as many solves of one iteration */
        {{"small-steps", "relax", "3"}, 4 * ITERATIONS},    /* and three in each relaxation */
        {{"moreau-jean", "passes", "3"}, 3 * ITERATIONS},   /* a solve in each pass */
        {{"midpoint", "passes", "2"}, (2 + 1) * ITERATIONS} /* and one of the positions */
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        run r;
        dls_simulation_options options = options_of(&r, dls_iterative_find("pgs"), &cases[k].of, ITERATIONS);
        options.velocity_iterations = VELOCITY_ITERATIONS;
        run_open(&r, load_scene("chain-10"), &options);
        run_steps(&r, 2, step);
        const dls_report *report = dls_simulation_report(r.simulation);
        assert_int_equal(dls_simulation_rows(r.simulation)->n, 30);
        assert_int_equal(report->iterations, cases[k].iterations + VELOCITY_ITERATIONS);
        assert_true(report->row_visits == 30.0 * (double)(cases[k].iterations + VELOCITY_ITERATIONS));
        run_stop(&r);
    }
}

static size_t turns; /* of the clock */

static dls_status iterate_for_a_second(void *work, dls_report *report, dls_error *error)
{
    turns++;
    report->seconds += 1.0;
    report->factorizations += 2;
    return dls_iterative_find("pgs")->iterate(work, report, error);
}

/* A solver that tells its time, as one in another process does, and counts factorisations. */
TEST(test_seconds_and_factorizations_are_sums_too)
{
    dls_solver clocked = *dls_iterative_find("pgs");
    clocked.accepts |= DLS_ELSEWHERE;
    clocked.iterate = iterate_for_a_second;
    clocked.iterate_together = NULL;
    for (size_t v = 0; v < VARIANTS; v++) {
        run r;
        start_with(&r, load_scene("four-bar"), &clocked, &variants[v], ITERATIONS);
        for (size_t k = 0; k < STEPS; k++) {
            turns = 0;
            run_steps(&r, 1, step);
            assert_true(dls_simulation_report(r.simulation)->seconds == (double)turns);
            assert_int_equal(dls_simulation_report(r.simulation)->factorizations, 2 * turns);
        }
        run_stop(&r);
    }
}
