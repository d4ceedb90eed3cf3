/* Redundant rows of closed loops: Bennett's linkage moves under every direct method, what its rows keep is told and
 * verified, and rows that are only nearly dependent are held. */
#include "examined.h"
#include "stepping.h"

#include "delassus/reference.h"

#include <float.h>
#include <string.h>

enum { STEPS = 250 };
static const double tolerance = 1e-9; /* of delassus solve */

typedef struct figures {
    double loss, worst, inconsistent;
    size_t confirmed;
} figures;

/* Loops that do not close are for dense methods. */
static bool takes_loops(const dls_solver *solver)
{
    return !(solver->accepts & (DLS_NEEDS_CONE | DLS_BY_NAME | DLS_LARGE)) && (solver->accepts & DLS_ACCEPTS_FREE);
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
TEST(test_bennett_moves)
{
    static const char *const feedbacks[] = {"baumgarte", "none"};
    size_t methods = 0;
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
static const dls_problem *drifted(run *r, const char *solver, double h)
{
    const variant v = {"euler", NULL, NULL};
    start_with(r, load_scene("bennett"), dls_direct_find(solver), &v, 1);
    run_steps(r, 40, h);
    return dls_simulation_problem(r->simulation);
}

/* An impulse that is wrong by one part in 1e7 is refuted in every row; a c that no impulse can make stays told. */
TEST(test_wrong_answers_are_refuted)
{
    run r;
    dls_certificate c;
    const dls_problem *p = drifted(&r, "block-pivoting", 2e-3);
    double *lambda = test_calloc(p->n, sizeof *lambda), largest = 0.0;
    memcpy(lambda, dls_simulation_impulses(r.simulation), p->n * sizeof *lambda);
    dls_examiner *examiner = examiner_of(p);
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

/* --- the criterion of examine_redundant.c, written with dense matrices --- */

typedef struct criterion {
    const dls_problem *p;
    double *J, *D, *y; /* n x nv by rows; A_ii; w_i / A_ii of the rows that are off */
} criterion;

static bool holds_both_ways(const dls_problem *p, size_t i)
{
    return p->lo[i] == -HUGE_VAL && p->hi[i] == HUGE_VAL && p->gamma[i] == 0.0;
}

/* |J_i| over the angular velocities of bodies, or over the others: every block here is a body. */
static double part_of_row(const criterion *c, size_t i, size_t body, bool torque)
{
    const double *part = c->J + i * c->p->nv + 6 * body + (torque ? 3 : 0);
    return sqrt(part[0] * part[0] + part[1] * part[1] + part[2] * part[2]);
}

static double part_of_rows(const criterion *c, size_t i, bool torque)
{
    double square = 0.0;
    for (size_t body = 0; body < c->p->nv / 6; body++)
        square += pow(part_of_row(c, i, body, torque), 2.0);
    return sqrt(square);
}

/* 4 phi(y) + 1e-13 */
static double allowed_angle(const criterion *c)
{
    const dls_list_row *row = dls_problem_rows(c->p)->row;
    double lever = 0.0, phi = 0.0, most = 0.0;
    for (size_t i = 0; i < c->p->n; i++) {
        if (holds_both_ways(c->p, i) && !row[i].angular && part_of_rows(c, i, false) > 0.0)
            lever = fmax(lever, part_of_rows(c, i, true));
        most = fmax(most, fabs(c->y[i]));
    }
    for (size_t i = 0; i < c->p->n; i++) {
        const bool linear = !row[i].angular && part_of_rows(c, i, false) > 0.0;
        phi = fmax(phi, fabs(row[i].C) / (linear ? lever : 1.0) * fabs(c->y[i]) / most);
    }
    return 4.0 * phi + 1e-13;
}

static bool leaves_bodies_at_rest(const criterion *c, double phi)
{
    for (size_t part = 0; part < c->p->nv / 3; part++) {
        double force[3] = {0.0}, terms = 0.0;
        for (size_t i = 0; i < c->p->n; i++) {
            for (int k = 0; k < 3; k++)
                force[k] += c->J[i * c->p->nv + 3 * part + (size_t)k] * c->y[i];
            terms += part_of_row(c, i, part / 2, part % 2) * fabs(c->y[i]);
        }
        if (sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]) > phi * terms)
            return false;
    }
    return true;
}

static bool is_explained(const criterion *c, const double *w, double phi)
{
    double along = 0.0, allowed = 0.0;
    for (size_t i = 0; i < c->p->n; i++) {
        double speed = 0.0;
        for (size_t j = 0; j < c->p->nv; j++)
            speed += fabs(c->J[i * c->p->nv + j] * c->p->v_star[j]);
        along += c->y[i] * w[i];
        allowed += fabs(c->y[i]) * (phi * speed + fabs(dls_problem_rows(c->p)->row[i].bias));
    }
    return fabs(along) <= allowed;
}

static bool is_forgiven(criterion *c, const double *w)
{
    for (size_t i = 0; i < c->p->n; i++)
        c->y[i] = holds_both_ways(c->p, i) && fabs(w[i]) > 1e-13 ? w[i] / c->D[i] : 0.0;
    const double phi = allowed_angle(c);
    return phi <= 0.2 && is_explained(c, w, phi) && leaves_bodies_at_rest(c, phi);
}

static criterion criterion_of(const dls_problem *p)
{
    criterion c = {p, test_calloc(p->n * p->nv, sizeof(double)), test_calloc(p->n, sizeof(double)),
                   test_calloc(p->n, sizeof(double))};
    dls_dense *dense = dense_of(p);
    for (size_t i = 0; i < p->n; i++) {
        c.D[i] = dense->A[i + p->n * i];
        for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++)
            for (size_t at = p->J.coef_at[k]; at < p->J.coef_at[k + 1]; at++)
                c.J[i * p->nv + p->J.offset[k] + at - p->J.coef_at[k]] = p->J.coef[at];
    }
    dls_dense_destroy(dense);
    return c;
}

/* Other velocities v* at the same b. */
static void scale_velocities(const criterion *c, const double *v_star, double scale)
{
    const dls_problem *p = c->p;
    for (size_t j = 0; j < p->nv; j++) {
        const double change = scale * v_star[j] - p->v_star[j];
        for (size_t i = 0; i < p->n; i++)
            p->c[i] += c->J[i * p->nv + j] * change;
        p->v_star[j] += change;
    }
}

/* C in one kind of rows or in all, the bias or v*, which explain the error of closure together, or what one impulse
 * more does: the change is scaled until what was forgiven is so no longer. The examiner agrees with the criterion at
 * each of the steps of 2.3 %. */
TEST(test_what_is_forgiven)
{
    enum { C_OF_ALL, C_OF_ANGULAR, C_OF_LINEAR, BIAS, VELOCITY, IMPULSE, CHANGES, SCALES = 1000 };
    run r;
    const dls_problem *p = drifted(&r, "lemke", 2e-2);
    criterion c = criterion_of(p);
    dls_list_row *row = dls_problem_rows(p)->row, *rows = test_calloc(p->n, sizeof *rows);
    double *lambda = test_calloc(p->n, sizeof *lambda), *w = test_calloc(p->n, sizeof *w),
           *v_star = test_calloc(p->nv, sizeof *v_star);
    memcpy(rows, row, p->n * sizeof *rows);
    memcpy(v_star, p->v_star, p->nv * sizeof *v_star);
    for (int change = 0; change < CHANGES; change++) {
        bool before = false;
        size_t turns = 0;
        for (int step = 0; step < SCALES; step++) {
            const double scale = pow(10.0, -8.0 + 0.01 * step);
            dls_certificate found;
            memcpy(lambda, dls_simulation_impulses(r.simulation), p->n * sizeof *lambda);
            for (size_t i = 0; i < p->n; i++) {
                if (change == C_OF_ALL || change == (row[i].angular ? C_OF_ANGULAR : C_OF_LINEAR))
                    row[i].C = scale * rows[i].C;
                row[i].bias = change == BIAS ? scale * rows[i].bias : change == VELOCITY ? 0.0 : rows[i].bias;
                lambda[i] *= change == IMPULSE ? 1.0 + scale * sin(2.385 * (double)i) : 1.0;
            }
            scale_velocities(&c, v_star, change == BIAS ? 0.0 : change == VELOCITY ? scale : 1.0);
            dls_examiner *examiner = examiner_of(p);
            dls_examine(examiner, lambda, w, &found);
            const bool forgiven = is_forgiven(&c, w);
            if (forgiven != (found.inconsistent > 0.0))
                fail_msg("change %d, scale %g: the examiner %s it", change, scale, forgiven ? "refuses" : "forgives");
            turns += step > 0 && forgiven != before;
            before = forgiven;
            dls_examiner_destroy(examiner);
            memcpy(row, rows, p->n * sizeof *rows);
        }
        scale_velocities(&c, v_star, 1.0);
        print_message("# change %d: %zu turns\n", change, turns);
        assert_true(turns > 0);
    }
    test_free(c.J), test_free(c.D), test_free(c.y), test_free(rows), test_free(lambda), test_free(w), test_free(v_star);
    run_stop(&r);
}

/* No answer of the solver passes, as its own nor as one of redundant rows. */
static void assert_not_solved(const dls_solver *solver, const dls_problem *p)
{
    double settings[32], *answer = test_calloc(p->n, sizeof *answer);
    dls_report report = {0};
    dls_certificate c;
    dls_error error;
    assert_true(solver->fields.size <= sizeof settings);
    assert_status(dls_fields_default(&solver->fields, settings, &error), &error);
    assert_status(dls_solve(solver, p, settings, 1, answer, &report, NULL, NULL, &error), &error);
    dls_examiner *examiner = examiner_of(p);
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
TEST(test_true_contradictions_are_refused)
{
    run r;
    dls_examiner *examiner;
    dls_certificate c;
    const dls_problem *p = drifted(&r, "block-pivoting", 2e-3);
    double *lambda = test_calloc(p->n, sizeof *lambda);
    memcpy(lambda, dls_simulation_impulses(r.simulation), p->n * sizeof *lambda);
    for (size_t i = 0; i < p->n; i += 3) {
        p->c[i] += 0.5;
        examiner = examiner_of(p);
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
TEST(test_rods_between_points)
{
    dls_error error;
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
        dls_certificate c;
        options.solver = dls_direct_solvers[s];
        if (!takes_loops(options.solver))
            continue;
        assert_status(dls_simulation_open(model, &options, &simulation, &error), &error);
        for (int k = 0; k < 5; k++)
            assert_status(dls_simulation_step(simulation, 0.01, &error), &error);
        assert_int_equal(dls_simulation_report(simulation)->outcome, DLS_OUTCOME_SOLVED);
        dls_examiner *examiner = examiner_of(dls_simulation_problem(simulation));
        dls_examine(examiner, dls_simulation_impulses(simulation), NULL, &c);
        assert_below(c.scaled_residual, tolerance);
        dls_examiner_destroy(examiner);
        dls_simulation_close(simulation);
    }
    dls_model_destroy(model);
}

/* Two free rows on one axis of a body, whose speeds differ by 0.5 m/s, read from a file. The file tells no target speed
 * from the correction of an error, but what C = 1 mm explains in a step of 10 ms is 0.1 m/s. */
TEST(test_contradictions_in_files_are_refused)
{
    static const char *const rows[] = {"0.5 -inf inf -0.001", "0.5 -inf inf 0.001", "-0.5 -inf inf 0.001"};
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
TEST(test_nearly_dependent_rows_are_held)
{
    static const struct {
        double ratio;       /* of the masses */
        const char *anchor; /* of B; that of A is the origin */
    } pairs[] = {{1.0, "[0.2, 0, 0]"}, {1e6, "[0.2, 0, 0]"}, {1e12, "[0.2, 0, 0]"}, {1.0, "[2e-4, 0, 0]"}};
    dls_error error;
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
            dls_examiner *examiner = examiner_of(dls_simulation_problem(r.simulation));
            dls_examine(examiner, dls_simulation_impulses(r.simulation), NULL, &c);
            assert_below(c.scaled_residual, tolerance);
            assert_true(c.inconsistent == 0.0);
            dls_examiner_destroy(examiner);
            dls_simulation_close(r.simulation);
        }
        dls_model_destroy(model);
    }
}

/* A row that nothing moves, beside two whose A has the rounding of a planar loop's joint off its diagonal: the others
 * have the impulses that they have without it, -b_i / A_ii to rounding, by every method. */
TEST(test_a_row_that_nothing_moves_changes_no_other)
{
    static const char *const problem =
        "delassus-problem 1\nname \"loop\"\nform mechanical\nstep 0.002\nmasses 2\nvelocities 3\nrows 3\n"
        "blocks 6\ncoefficients 9\nmass dense 2\ncolumn 0.33 0.225\ncolumn 0.225\n"
        "mass dense 1\ncolumn 0.057\nvelocity 3.8e-14\nvelocity 0.036\nvelocity 1e-15\n"
        "row 0 0 -inf inf 0 0 - 0 2 \"x\"\nblock 0 2 %.17g 0\nblock 2 1 -0.5\n"
        "row 0 0 -inf inf 0 0 - 0 2 \"y\"\nblock 0 2 0 0\nblock 2 1 0\n"
        "row 0 0 -inf inf 0 0 - 0 2 \"z\"\nblock 0 2 -0.8 %.17g\nblock 2 1 0\nend\n";
    for (int off = -8; off <= 8; off++)
        for (size_t s = 0; dls_direct_solvers[s]; s++) {
            char text[900];
            double lambda[3] = {0.0};
            dls_problem *p;
            dls_report report = {0};
            dls_error error;
            unsigned char settings[64];
            if (!takes_loops(dls_direct_solvers[s]))
                continue;
            snprintf(text, sizeof text, problem, 0.3 + off * DBL_EPSILON, -0.8 - off * DBL_EPSILON);
            assert_status(dls_problem_parse(text, strlen(text), "loop", &p, &error), &error);
            dls_dense *q = dense_of(p);
            assert_status(dls_fields_default(&dls_direct_solvers[s]->fields, settings, &error), &error);
            assert_status(dls_solve(dls_direct_solvers[s], p, settings, 1000, lambda, &report, NULL, NULL, &error),
                          &error);
            assert_int_equal(report.outcome, DLS_OUTCOME_SOLVED);
            for (size_t i = 0; i < 3; i += 2)
                assert_close(lambda[i], -q->b[i] / q->A[4 * i], 1e-15);
            assert_close(lambda[1], 0.0, 1e-15);
            dls_report_release(&report);
            dls_dense_destroy(q);
            dls_problem_destroy(p);
        }
}
