/* Redundant rows of closed loops: Bennett's linkage moves under every direct method, what its rows keep is told and
 * verified, and rows that are only nearly dependent are held. */
#include "stepping.h"

#include "delassus/reference.h"

enum { STEPS = 250 };
static const double tolerance = 1e-9; /* of delassus solve */

typedef struct figures {
    double loss, worst, inconsistent;
    size_t confirmed;
} figures;

static bool takes_loops(const dls_solver *solver)
{
    return !(solver->accepts & (DLS_NEEDS_CONE | DLS_BY_NAME)) && (solver->accepts & DLS_ACCEPTS_FREE);
}

/* `count` steps of 0.5 s / count. */
static figures run_bennett(const dls_solver *solver, const char *feedback, size_t count)
{
    const variant v = {"euler", "feedback", feedback};
    run r;
    figures f = {0};
    dls_examiner *examiner = NULL;
    dls_error error;
    start_with(&r, load_scene("bennett"), solver, &v, 1);
    double before = run_energy(&r);
    for (size_t k = 0; k < count; k++) {
        dls_certificate c;
        run_steps(&r, 1, 0.5 / (double)count);
        const dls_problem *p = dls_simulation_problem(r.simulation);
        assert_status(examiner ? dls_examiner_reload(examiner, p, &error) : dls_examiner_create(p, &examiner, &error),
                      &error);
        dls_examine(examiner, dls_simulation_impulses(r.simulation), NULL, &c);
        const dls_report *report = dls_simulation_report(r.simulation);
        if (report->outcome != DLS_OUTCOME_SOLVED)
            fail_msg("%s, feedback %s, step %zu: %s (%s)", solver->name, feedback, k, dls_outcome_text(report->outcome),
                     report->message);
        f.worst = fmax(f.worst, c.scaled_residual);
        f.inconsistent = fmax(f.inconsistent, c.inconsistent);
        f.confirmed += c.scaled_residual <= tolerance && c.inconsistent <= 1.001 * report->inconsistent + 1e-12;
    }
    f.loss = 1.0 - run_energy(&r) / before;
    dls_examiner_destroy(examiner);
    run_stop(&r);
    return f;
}

/* Nothing acts on the linkage but its hinges: its kinetic energy stays, but for the O(h) of the scheme, and that is the
 * same under every method. In half a second the crank turns by more than a radian. */
static void test_bennett_moves(void **unused)
{
    static const char *const feedbacks[] = {"baumgarte", "none"};
    size_t methods = 0;
    (void)unused;
    for (size_t k = 0; k < 2; k++) {
        figures first = {.loss = NAN};
        for (size_t s = 0; dls_direct_solvers[s]; s++) {
            const dls_solver *solver = dls_direct_solvers[s];
            if (!takes_loops(solver))
                continue;
            methods++;
            figures coarse = run_bennett(solver, feedbacks[k], STEPS),
                    fine = run_bennett(solver, feedbacks[k], 2 * STEPS);
            print_message(
                "# %-15s %-9s: energy lost %.3e at 2 ms, %.3e at 1 ms; rows inconsistent by %.1e m/s, residual "
                "%.1e\n",
                solver->name, feedbacks[k], coarse.loss, fine.loss, coarse.inconsistent, coarse.worst);
            assert_int_equal(coarse.confirmed, STEPS);
            assert_int_equal(fine.confirmed, 2 * STEPS);
            assert_true(coarse.inconsistent > 1e-7); /* there is something to tell */
            assert_below(fabs(coarse.loss), 5e-3);
            assert_below(fabs(fine.loss), 0.6 * fabs(coarse.loss));
            first = isnan(first.loss) ? coarse : first;
            assert_close(coarse.loss, first.loss, 1e-9);
        }
    }
    assert_true(methods >= 12);
}

/* The problem of Bennett's linkage after some steps, and its answer. */
static const dls_problem *drifted(run *r, const char *solver)
{
    const variant v = {"euler", NULL, NULL};
    start_with(r, load_scene("bennett"), dls_direct_find(solver), &v, 1);
    run_steps(r, 40, 2e-3);
    return dls_simulation_problem(r->simulation);
}

/* An impulse that is wrong by one part in 1e7 is refuted in every row; a c that no impulse can make stays told. */
static void test_wrong_answers_are_refuted(void **unused)
{
    run r;
    dls_examiner *examiner;
    dls_certificate c;
    dls_error error;
    (void)unused;
    const dls_problem *p = drifted(&r, "block-pivoting");
    double *lambda = test_calloc(p->n, sizeof *lambda), largest = 0.0;
    memcpy(lambda, dls_simulation_impulses(r.simulation), p->n * sizeof *lambda);
    assert_status(dls_examiner_create(p, &examiner, &error), &error);
    dls_examine(examiner, lambda, NULL, &c);
    assert_below(c.scaled_residual, tolerance);
    assert_true(c.inconsistent > 1e-7);
    for (size_t i = 0; i < p->n; i++)
        largest = fmax(largest, fabs(lambda[i]));
    for (size_t i = 0; i < p->n; i++) {
        double right = lambda[i];
        lambda[i] += 1e-6 * largest;
        dls_examine(examiner, lambda, NULL, &c);
        if (!(c.scaled_residual > tolerance))
            fail_msg("row %zu: an impulse off by 1e-6 passes with %.3g", i, c.scaled_residual);
        assert_true(c.inconsistent == 0.0);
        lambda[i] = right;
    }
    dls_examiner_destroy(examiner);
    test_free(lambda);
    run_stop(&r);
}

/* No answer of the solver passes, as its own nor as one of redundant rows. */
static void assert_not_solved(const dls_solver *solver, const dls_problem *p)
{
    double settings[32], *answer = test_calloc(p->n, sizeof *answer);
    dls_report report = {0};
    dls_certificate c;
    dls_examiner *examiner;
    dls_error error;
    assert_true(solver->fields.size <= sizeof settings);
    assert_status(dls_fields_default(&solver->fields, settings, &error), &error);
    assert_status(dls_solve(solver, p, settings, 1, answer, &report, NULL, NULL, &error), &error);
    assert_status(dls_examiner_create(p, &examiner, &error), &error);
    dls_examine(examiner, answer, NULL, &c);
    if (report.outcome == DLS_OUTCOME_SOLVED && c.scaled_residual > tolerance)
        fail_msg("%s: solved (%s), examined %.3g", solver->name, report.message, c.scaled_residual);
    assert_true(c.inconsistent == 0.0);
    dls_examiner_destroy(examiner);
    dls_report_release(&report);
    test_free(answer);
}

/* Half a metre per second more on one row of the loop is no error of closure: nothing solves that, and no answer
 * passes. */
static void test_true_contradictions_are_refused(void **unused)
{
    run r;
    dls_examiner *examiner;
    dls_certificate c;
    dls_error error;
    (void)unused;
    const dls_problem *p = drifted(&r, "block-pivoting");
    double *lambda = test_calloc(p->n, sizeof *lambda);
    memcpy(lambda, dls_simulation_impulses(r.simulation), p->n * sizeof *lambda);
    for (size_t i = 0; i < p->n; i += 3) {
        p->c[i] += 0.5;
        assert_status(dls_examiner_create(p, &examiner, &error), &error);
        dls_examine(examiner, lambda, NULL, &c);
        assert_true(c.scaled_residual > tolerance && c.inconsistent == 0.0);
        for (size_t s = 0; dls_direct_solvers[s]; s++)
            if (takes_loops(dls_direct_solvers[s]))
                assert_not_solved(dls_direct_solvers[s], p);
        dls_examiner_destroy(examiner);
        p->c[i] -= 0.5;
    }
    test_free(lambda);
    run_stop(&r);
}

/* Points have no lever: two rods between the same centres are redundant all the same. */
static void test_rods_between_points(void **unused)
{
    dls_error error;
    (void)unused;
    dls_scene *scene = new_scene();
    dls_body_def a = new_body("a", DLS_SHAPE_SPHERE, 1.3, dls_v3(0, 0, 0)),
                 b = new_body("b", DLS_SHAPE_SPHERE, 0.7, dls_v3(0.3, 0.1, 0.2));
    a.radius = b.radius = 0.05;
    b.velocity = dls_v3(0.4, -0.2, 0.1);
    add_body(scene, &a);
    add_body(scene, &b);
    for (int k = 0; k < 2; k++)
        add_joint(scene, "distance", k ? "second" : "first", "a", "b",
                  KEYS("anchor1", "[0, 0, 0]", "anchor2", "[0.3, 0.1, 0.2]"));
    dls_model *model = finish(scene);
    for (size_t s = 0; dls_direct_solvers[s]; s++) {
        dls_simulation_options options = dls_simulation_default();
        dls_simulation *simulation;
        dls_examiner *examiner;
        dls_certificate c;
        options.solver = dls_direct_solvers[s];
        if (!takes_loops(options.solver))
            continue;
        assert_status(dls_simulation_open(model, &options, &simulation, &error), &error);
        for (int k = 0; k < 5; k++)
            assert_status(dls_simulation_step(simulation, 0.01, &error), &error);
        assert_int_equal(dls_simulation_report(simulation)->outcome, DLS_OUTCOME_SOLVED);
        assert_status(dls_examiner_create(dls_simulation_problem(simulation), &examiner, &error), &error);
        dls_examine(examiner, dls_simulation_impulses(simulation), NULL, &c);
        assert_below(c.scaled_residual, tolerance);
        dls_examiner_destroy(examiner);
        dls_simulation_close(simulation);
    }
    dls_model_destroy(model);
}

/* Two free rows on one axis of a body, whose speeds differ by 0.5 m/s, read from a file. The file tells no target speed
 * from the correction of an error, but what C = 1 mm explains in a step of 10 ms is 0.1 m/s. */
static void test_contradictions_in_files_are_refused(void **unused)
{
    static const char *const rows[] = {"0.5 -inf inf -0.001", "0.5 -inf inf 0.001", "-0.5 -inf inf 0.001"};
    (void)unused;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        char text[1024];
        dls_problem *p;
        dls_error error;
        int length = snprintf(text, sizeof text,
                              "delassus-problem 1\nname \"two speeds\"\nform mechanical\nstep 0.01\nmasses 1\nrows 2\n"
                              "blocks 2\ncoefficients 12\nmass body 2 0.5 1 0 0 0 1 0 0 0 1 1 0 0 0 1 0 0 0 1\n"
                              "velocity 0\nvelocity 0\nvelocity 0\nvelocity 0\nvelocity 0\nvelocity 0\n"
                              "row 0 %s 0 - - 1 \"one\"\nblock 0 6 1 0 0 0 1 0\n"
                              "row 0 0 -inf inf 0 0 - - 1 \"other\"\nblock 0 6 1 0 0 0 1 0\nend\n",
                              rows[k]);
        assert_in_range(length, 1, sizeof text - 1);
        assert_status(dls_problem_parse(text, (size_t)length, "text", &p, &error), &error);
        for (size_t s = 0; dls_direct_solvers[s]; s++)
            if (takes_loops(dls_direct_solvers[s]))
                assert_not_solved(dls_direct_solvers[s], p);
        dls_problem_destroy(p);
    }
}

/* Rows that depend nearly on each other because of their masses or levers are no self-stress, however far they are off:
 * every one of them is held. */
static void test_nearly_dependent_rows_are_held(void **unused)
{
    static const struct {
        double ratio;       /* of the masses */
        const char *anchor; /* of B; that of A is the origin */
    } pairs[] = {{1.0, "[0.2, 0, 0]"}, {1e6, "[0.2, 0, 0]"}, {1e12, "[0.2, 0, 0]"}, {1.0, "[2e-4, 0, 0]"}};
    dls_error error;
    (void)unused;
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
        dls_scene *scene = new_scene();
        dls_body_def light = new_body("light", DLS_SHAPE_SPHERE, 1.0, dls_v3(0.1, 0.0, 0.0)),
                     heavy = new_body("heavy", DLS_SHAPE_SPHERE, pairs[k].ratio, dls_v3(0.3, 0.0, 0.0));
        light.radius = heavy.radius = 0.08;
        heavy.velocity = dls_v3(0.0, 0.2, 0.1);
        add_body(scene, &light);
        add_body(scene, &heavy);
        add_joint(scene, "ball", "A", "light", "world", KEYS("anchor", "[0, 0, 0]"));
        add_joint(scene, "ball", "B", "heavy", "light", KEYS("anchor", pairs[k].anchor));
        dls_model *model = finish(scene);
        for (size_t s = 0; dls_direct_solvers[s]; s++) {
            const dls_solver *solver = dls_direct_solvers[s];
            if (!takes_loops(solver))
                continue;
            run r;
            dls_examiner *examiner;
            dls_certificate c;
            dls_simulation_options options = dls_simulation_default();
            options.solver = solver;
            assert_status(dls_simulation_open(model, &options, &r.simulation, &error), &error);
            run_steps(&r, 3, 0.02);
            const dls_row_list *rows = dls_simulation_rows(r.simulation);
            double open = 0.0;
            for (size_t i = 0; i < rows->n; i++)
                open = fmax(open, fabs(rows->row[i].C));
            assert_true(open > 1e-5);
            assert_int_equal(dls_simulation_report(r.simulation)->outcome, DLS_OUTCOME_SOLVED);
            assert_true(dls_simulation_report(r.simulation)->inconsistent == 0.0);
            assert_status(dls_examiner_create(dls_simulation_problem(r.simulation), &examiner, &error), &error);
            dls_examine(examiner, dls_simulation_impulses(r.simulation), NULL, &c);
            assert_below(c.scaled_residual, tolerance);
            assert_true(c.inconsistent == 0.0);
            dls_examiner_destroy(examiner);
            dls_simulation_close(r.simulation);
        }
        dls_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bennett_moves),
        cmocka_unit_test(test_wrong_answers_are_refuted),
        cmocka_unit_test(test_true_contradictions_are_refused),
        cmocka_unit_test(test_contradictions_in_files_are_refused),
        cmocka_unit_test(test_rods_between_points),
        cmocka_unit_test(test_nearly_dependent_rows_are_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
