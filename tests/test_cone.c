/* Coulomb's cone: the law's checks and files, the examiner on manufactured contacts, and the published problems. */
#include "cones.h"
#include "examined.h"
#include "published.h"

#include "delassus/delassus.h"
#include "delassus/solvers.h"

#include <unistd.h>

enum { CONTACTS = 10, ROWS = 3 * CONTACTS };

TEST(test_manufactured_contacts_pass)
{
    for (unsigned seed = 1; seed < 20; seed++) {
        double lambda[ROWS], w[ROWS], dissipation = 0.0;
        dls_problem *p = cone_manufacture(CONTACTS, seed, lambda, w);
        dls_certificate c = cone_certify(p, lambda);
        for (size_t i = 0; i < ROWS; i++)
            dissipation -= i % 3 ? lambda[i] * w[i] : 0.0;
        /* sums of 30 products of at most 1e1 in size: 30 x 10 x 1.1e-16, and the cone's own arithmetic */
        assert_below(c.scaled_residual, 1e-13);
        assert_below(c.natural_residual, 1e-13);
        assert_below(c.cone_violation, 1e-15);
        assert_below(c.bound_violation, 1e-15);
        assert_below(c.complementarity_gap, 1e-12);
        assert_close(c.friction_dissipation, dissipation, 1e-12);
        assert_true(dissipation > 0.1); /* the sliding contacts */
        dls_problem_destroy(p);
    }
}

/* Every entry moved by 1e-6 is seen: outside the cone, or w no longer fits. The matrix is definite, so no second
 * solution is near. */
TEST(test_perturbed_answers_are_rejected)
{
    for (unsigned seed = 1; seed < 20; seed++) {
        double lambda[ROWS], w[ROWS];
        dls_problem *p = cone_manufacture(CONTACTS, seed, lambda, w);
        for (size_t i = 0; i < ROWS; i++)
            for (int sign = -1; sign <= 1; sign += 2) {
                double kept = lambda[i];
                lambda[i] += 1e-6 * sign;
                assert_true(cone_certify(p, lambda).scaled_residual > 1e-8);
                lambda[i] = NAN;
                dls_certificate c = cone_certify(p, lambda);
                assert_true(isnan(c.natural_residual) && isnan(c.scaled_residual) && isnan(c.cone_violation));
                lambda[i] = kept;
            }
        dls_problem_destroy(p);
    }
}

/* Each part of the law forbids something, alone: A = 1, so that w = lambda + b and b chooses w freely. */
TEST(test_each_part_of_the_law)
{
    static const struct {
        double lambda[3], w[3], residual, gap;
        const char *what;
    } cases[] = {
        {{2, 0, 0}, {0, 0, 0}, 0.0, 0.0, "stick"},
        {{2, 0.6, 0.8}, {0, -3, -4}, 0.0, 0.0, "slide"},
        {{0, 0, 0}, {1, 5, -2}, 0.0, 0.0, "open, whatever the sliding"},
        {{0, 0, 0}, {0, 5, -2}, 0.0, 0.0, "touching without an impulse"},
        {{2, 0, 0}, {0.25, 0, 0}, 0.25, 0.5, "an impulse without contact"},
        {{0, 0, 0}, {-0.25, 0, 0}, 0.25, 0.0, "penetration"},
        {{2, 0, 0}, {0, 0.5, 0}, HUGE_VAL, 0.5, "sliding inside the cone"},
        {{2, 0.6, 0.8}, {0, 3, 4}, HUGE_VAL, 10.0, "friction that drives"},
        {{2, 0.6, 0.8}, {0, -4, -3}, HUGE_VAL, 0.2, "friction beside the sliding"},
        {{2, 1.2, 1.6}, {0, -3, -4}, HUGE_VAL, 5.0, "beyond the cone"},
        {{2, 0.6, 0.8}, {2.5, -3, -4}, HUGE_VAL, 5.0, "lift-off of the convex relaxation, w_n = mu |w_t|"},
        {{-1, 0, 0}, {0, 0, 0}, 1.0, 0.0, "adhesion"},
    };
    const double A[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        double b[3];
        for (int i = 0; i < 3; i++)
            b[i] = cases[k].w[i] - cases[k].lambda[i];
        dls_problem *p = problem_from_matrix(3, A, b, NULL, NULL);
        dls_problem_make_cone(p, 0, 0.5);
        dls_certificate c = cone_certify(p, cases[k].lambda);
        if (isinf(cases[k].residual))
            assert_true(c.natural_residual > 0.05);
        else
            assert_close(c.natural_residual, cases[k].residual, 1e-15);
        assert_close(c.complementarity_gap, cases[k].gap, 4e-15);
        dls_problem_destroy(p);
    }
}

/* The figures do not depend on the directions of the tangents: if a contact slides along one of them, an answer that is
 * right to rounding has no error, and an error across the sliding is as large as in any other frame. */
TEST(test_tangents_have_one_scale)
{
    const double A[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, errors[] = {0.0, 1.2e-16, -3e-17, 1e-6};
    for (size_t k = 0; k < sizeof errors / sizeof errors[0]; k++)
        for (int turn = 0; turn < 24; turn++) {
            const double angle = turn * 0.25 * 3.14159265358979323846 / 6.0, x = cos(angle), y = sin(angle);
            const double b[3] = {-2, 3 * x, 3 * y}, lambda[3] = {2, -x - errors[k] * y, -y + errors[k] * x};
            dls_problem *p = problem_from_matrix(3, A, b, NULL, NULL);
            dls_problem_make_cone(p, 0, 0.5);
            const dls_certificate c = cone_certify(p, lambda);
            if (errors[k] < 1e-15)
                assert_below(c.scaled_residual, 1e-15);
            else
                assert_true(c.scaled_residual > 0.2e-6 && c.scaled_residual < 2e-6);
            dls_problem_destroy(p);
        }
}

/* --- the law in problems, files and scenes --- */

TEST(test_wrong_cones_are_refused)
{
    double lambda[6], w[6];
    dls_error error;
    for (int k = 0; k < 6; k++) {
        dls_problem *p = cone_manufacture(2, 3, lambda, w);
        if (k == 0)
            p->law[4] = DLS_LAW_ASSOCIATED;
        else if (k == 1)
            p->lo[3] = -1.0;
        else if (k == 2)
            p->law[5] = DLS_LAW_BOX;
        else if (k == 3)
            p->parent[5] = 0;
        else if (k == 4)
            p->parent[4] = p->parent[5] = DLS_NONE;
        else
            p->parent[1] = p->parent[2] = 3;
        assert_int_equal(dls_problem_check(p, &error), DLS_BAD_INPUT);
        dls_problem_destroy(p);
    }
}

TEST(test_other_solvers_refuse_by_name)
{
    double lambda[6], w[6];
    dls_problem *p = cone_manufacture(2, 3, lambda, w);
    size_t refused = 0;
    for (size_t s = 0; dls_direct_solvers[s]; s++)
        if (!(dls_direct_solvers[s]->accepts & DLS_ACCEPTS_CONE)) {
            assert_non_null(strstr(dls_solver_refuses(dls_direct_solvers[s], p), "cone"));
            refused++;
        }
    assert_non_null(strstr(dls_solver_refuses(dls_iterative_find("pgs"), p), "cone"));
    assert_true(refused >= 6);
    dls_problem_destroy(p);
}

TEST(test_text_format_keeps_the_law)
{
    static const char path[] = "test_cone.problem";
    double lambda[ROWS], w[ROWS];
    dls_problem *p = cone_manufacture(CONTACTS, 5, lambda, w), *back;
    dls_error error;
    assert_status(dls_problem_write(p, path, &error), &error);
    assert_status(dls_problem_read(path, &back, &error), &error);
    assert_int_equal(back->n_cone, p->n_cone);
    assert_int_equal(back->n_coupled, p->n_coupled);
    assert_memory_equal(back->law, p->law, p->n * sizeof *p->law);
    assert_memory_equal(back->parent, p->parent, p->n * sizeof *p->parent);
    assert_memory_equal(back->mu, p->mu, p->n * sizeof *p->mu);
    unlink(path);
    dls_problem_destroy(p);
    dls_problem_destroy(back);
}

/* A box that slides over the ground in a direction no tangent has. */
TEST(test_scene_asks_for_the_cone)
{
    static const char text[] = "world: {gravity: [0, 0, -9.81], step: 0.01}\nbodies:\n"
                               "  - {name: a, shape: box, size: [1, 1, 1], mass: 3.7, velocity: [3, 4, 0]}\n"
                               "joints:\n  - {name: k, type: contact, body1: a, point: [0, 0, 0], normal: [0, 0, 1], "
                               "mu: 0.3, friction: cone}\n";
    dls_error error;
    dls_model *model = parse_model(text);
    dls_problem *p = problem_from_state(model, dls_model_initial(model), NULL, 0.01);
    assert_int_equal(p->n, 3);
    assert_int_equal(p->n_cone, 2);
    assert_true(dls_problem_is_cone(p, 0));
    double lambda[3] = {0, 0, 0}, v[6], scratch[6], settings[4] = {0};
    const dls_solver *nsgs = dls_iterative_find("nsgs");
    dls_report report = {0};
    assert_status(dls_fields_default(&nsgs->fields, settings, &error), &error);
    assert_status(dls_solve(nsgs, p, settings, 1, lambda, &report, NULL, NULL, &error), &error);
    dls_problem_velocity(p, lambda, v, scratch);
    /* the force is mu m g against the motion: both speeds fall by the same part; the point is at the centre, nothing
     * turns */
    assert_close(v[0], 3.0 - 0.6 * 0.3 * 9.81 * 0.01, 1e-15 * 4);
    assert_close(v[1], 4.0 - 0.8 * 0.3 * 9.81 * 0.01, 1e-15 * 4);
    assert_close(v[2], 0.0, 1e-16);
    dls_problem_destroy(p);
    dls_model_destroy(model);
}

/* --- sweeps --- */

typedef struct rule {
    dls_examiner *examiner;
    double tolerance, residual;
} rule;

static bool go_on(void *context, const double *lambda, const dls_report *report)
{
    rule *r = context;
    dls_certificate c;
    (void)report;
    dls_examine(r->examiner, lambda, NULL, &c);
    r->residual = c.scaled_residual;
    return !(r->residual <= r->tolerance);
}

static double sweep(const dls_problem *p, const char *order, size_t limit, double tolerance, double *lambda,
                    size_t *iterations)
{
    const dls_solver *nsgs = dls_iterative_find("nsgs");
    double settings[4] = {0};
    dls_report report = {0};
    dls_error error;
    rule r = {.tolerance = tolerance};
    r.examiner = examiner_of(p);
    assert_status(dls_fields_default(&nsgs->fields, settings, &error), &error);
    assert_status(dls_field_set(&nsgs->fields, settings, "order", order, &error), &error);
    memset(lambda, 0, p->n * sizeof *lambda);
    assert_status(dls_solve(nsgs, p, settings, limit, lambda, &report, go_on, &r, &error), &error);
    assert_int_equal(report.outcome, DLS_OUTCOME_ITERATION_LIMIT);
    *iterations = report.iterations;
    dls_report_release(&report);
    dls_examiner_destroy(r.examiner);
    return r.residual;
}

/* One contact is solved in one visit, whatever its regime. */
TEST(test_one_contact_in_one_visit)
{
    for (unsigned k = 1; k < 2000; k++) {
        double A[9], b[3], lambda[3], w[3], found[3], hi[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                                                      mu = 0.1 + 0.1 * (double)(k % 5);
        size_t iterations;
        unsigned seed = k;
        cone_matrix(3, &seed, A);
        hi[0] = cone_choose((regime)(k % REGIMES), mu, &seed, lambda, w);
        for (size_t i = 0; i < 3; i++)
            b[i] = w[i] - A[i] * lambda[0] - A[i + 3] * lambda[1] - A[i + 6] * lambda[2];
        dls_problem *p = problem_from_matrix(3, A, b, NULL, hi);
        dls_problem_make_cone(p, 0, mu);
        assert_below(sweep(p, "forward", 1, 0.0, found, &iterations), 2e-14);
        dls_problem_destroy(p);
    }
}

TEST(test_sweeps_find_manufactured_solutions)
{
    static const char *const orders[] = {"forward", "symmetric"};
    for (unsigned seed = 1; seed < 10; seed++)
        for (int k = 0; k < 2; k++) {
            double lambda[ROWS], w[ROWS], found[ROWS];
            size_t iterations;
            dls_problem *p = cone_manufacture(CONTACTS, seed, lambda, w);
            assert_below(sweep(p, orders[k], 20000, 1e-12, found, &iterations), 1e-12);
            dls_problem_destroy(p);
        }
}

static const char *const files[] = {"FC3D_Example1.dat", "NESpheres_10_1.dat",           "Rover1039.dat",
                                    "Rover4144.dat",     "OneObject-i1028-138.hdf5.dat", "Confeti-ex03-Fc3D-SBM.dat"};
enum { FILES = sizeof files / sizeof files[0], FILE_ROWS = 162 };

/* Where M is regular both solutions have the known velocities. Where it is not, friction leaves several: the
 * certificate decides. */
static void compare_with_known(const char *json, const char *file, const dls_problem *p, const double *lambda)
{
    double r[FILE_ROWS], u[FILE_ROWS], w[FILE_ROWS], size = 1.0;
    char name[128];
    snprintf(name, sizeof name, "fc3d/%s", file);
    size_t count = known(json, name, "r", r, FILE_ROWS), speeds = known(json, name, "u", u, FILE_ROWS);
    if (count == 0)
        return;
    assert_int_equal(count, p->n);
    assert_below(cone_certify(p, r).scaled_residual,
                 1e-12); /* 5e-15 raw; against the least terms of a contact 2.4e-13 */
    for (size_t i = 0; i < p->n; i++) {
        w[i] = dls_rows_dot(&p->J, i, lambda) - p->c[i];
        size = fmax(size, fabs(p->c[i]));
    }
    bool unique = strncmp(file, "OneObject", 9) != 0 && strncmp(file, "Rover4144", 9) != 0;
    for (size_t i = 0; unique && i < speeds; i++)
        assert_close(w[i], u[i], 1e-9 * size);
}

/* The certificate of answers further and further off has a solution within its radii. */
static void disturb_certified(const char *file, const dls_problem *p, const double *lambda)
{
    dls_bounds good, bad;
    dls_error error;
    size_t certified = 0;
    double off[FILE_ROWS];
    assert_status(dls_certify(p, lambda, &good, &error), &error);
    for (double far = 1e-15; far < 1.0 && good.kind == DLS_BOUNDS_ACTIVE_SET; far *= 10.0) {
        for (size_t i = 0; i < p->n; i++)
            off[i] = lambda[i] * (1.0 + far * sin(2.385 * (double)i));
        assert_status(dls_certify(p, off, &bad, &error), &error);
        for (size_t i = 0; i < p->n && bad.kind == DLS_BOUNDS_ACTIVE_SET; i++)
            assert_true(bad.radius_lambda[i] + good.radius_lambda[i] >= fabs(off[i] - lambda[i]));
        certified += bad.kind == DLS_BOUNDS_ACTIVE_SET;
        dls_bounds_release(&bad);
    }
    print_message("%s: %s; %zu of 15 others certified\n", file, good.text, certified);
    dls_bounds_release(&good);
}

TEST(test_published_problems)
{
    char *json = slurp("siconos/known_answers.json"), path[256];
    if (!json)
        skip();
    for (size_t k = 0; k < FILES; k++) {
        double lambda[FILE_ROWS];
        size_t iterations;
        snprintf(path, sizeof path, "siconos/fc3d/%s", files[k]);
        dls_problem *p = read_data(path, "siconos-fc3d");
        assert_true(p->n <= FILE_ROWS && p->n_cone == p->n / 3 * 2);
        double residual = sweep(p, "forward", 20000, 1e-12, lambda, &iterations);
        print_message("%s: nsgs %zu iterations, scaled residual %.2e\n", files[k], iterations, residual);
        assert_below(residual, 1e-12);
        compare_with_known(json, files[k], p, lambda);
        disturb_certified(files[k], p, lambda);
        dls_problem_destroy(p);
    }
    test_free(json);
}

/* --- fc3d text --- */

TEST(test_fc3d_comes_back)
{
    static const char path[] = "test_cone_fc3d.dat";
    double lambda[6], w[6];
    dls_problem *p = cone_manufacture(2, 7, lambda, w);
    dls_content content;
    dls_error error;
    assert_status(dls_file_write(p, NULL, "siconos-fc3d", path, NULL, &error), &error);
    assert_status(dls_file_load(path, NULL, &content, &error), &error);
    const dls_problem *back = content.problem;
    assert_string_equal(content.format->name, "siconos-fc3d");
    for (size_t i = 0; i < 6; i++) {
        assert_close(back->c[i], p->c[i], 0.0);
        assert_close(back->mu[i], p->mu[i], 0.0);
        double e[6] = {0};
        for (size_t j = 0; j < 6; j++, e[j - 1] = 0.0) {
            e[j] = 1.0;
            assert_close(dls_rows_dot(&back->J, i, e), dls_rows_dot(&p->J, i, e), 0.0);
        }
    }
    dls_content_release(&content);
    unlink(path);
    p->hi[0] = 3.0;
    assert_int_equal(dls_file_write(p, NULL, "siconos-fc3d", path, NULL, &error), DLS_REFUSED);
    dls_problem_destroy(p);
}

/* The backward statement finds what was done to b and to mu: no less, and where the law leaves no choice no more. */
TEST(test_backward_statement)
{
    enum { COUNT = 8, N = 3 * COUNT };
    const double off = 1e-4;
    double lambda[N], w[N];
    dls_bounds bounds;
    dls_error error;
    dls_problem *p = cone_manufacture(COUNT, 3, lambda, w);
    assert_status(dls_certify(p, lambda, &bounds, &error), &error);
    assert_int_equal(bounds.kind, DLS_BOUNDS_BACKWARD);
    assert_below(bounds.b_off, 1e-13);
    assert_below(bounds.mu_off, 1e-14);
    dls_bounds_release(&bounds);
    for (size_t i = 0; i < N; i++) {
        const regime r = (regime)(i / 3 % REGIMES);
        const bool free_of_it = r == OPEN || (r == FULL && i % 3 == 0); /* w may change there */
        p->c[i] += off;
        assert_status(dls_certify(p, lambda, &bounds, &error), &error);
        /* GRAZE is at the edge of two states until a c is changed; then a solution is proved, about `off` away */
        assert_true(bounds.kind == DLS_BOUNDS_BACKWARD ||
                    (bounds.kind == DLS_BOUNDS_ACTIVE_SET && bounds.lambda > 1e-2 * off));
        assert_below(bounds.b_off, free_of_it ? 1e-13 : off * (1.0 + 1e-9));
        if (i % 3 == 0 && !free_of_it)
            assert_true(bounds.b_off >= off * (1.0 - 1e-9));
        dls_bounds_release(&bounds);
        p->c[i] -= off;
    }
    for (size_t i = 0; i < N; i += 3) {
        p->mu[i + 1] += off, p->mu[i + 2] += off;
        assert_status(dls_certify(p, lambda, &bounds, &error), &error);
        assert_below(bounds.mu_off, off * (1.0 + 1e-9));
        if (i / 3 % REGIMES == SLIDE || i / 3 % REGIMES == FULL)
            assert_true(bounds.mu_off >= off * (1.0 - 1e-9));
        dls_bounds_release(&bounds);
        p->mu[i + 1] -= off, p->mu[i + 2] -= off;
    }
    lambda[0] = -1e-9;
    assert_status(dls_certify(p, lambda, &bounds, &error), &error);
    assert_int_equal(bounds.kind, DLS_BOUNDS_NONE);
    dls_bounds_release(&bounds);
    dls_problem_destroy(p);
}

/* A contact that slides a little across its friction: b is off by that part of its velocity, in every unit. */
TEST(test_backward_statement_of_tiny_numbers)
{
    const double A[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, direction[2] = {0.6, 0.8}, across = 1e-6;
    for (int exponent = -900; exponent <= 900; exponent += 100) {
        const double t = ldexp(1.0, exponent), lambda[3] = {2.0 * t, direction[0] * t, direction[1] * t};
        const double b[3] = {-lambda[0], -lambda[1] - t * (0.5 * direction[0] - across * direction[1]),
                             -lambda[2] - t * (0.5 * direction[1] + across * direction[0])};
        dls_bounds bounds;
        dls_error error;
        dls_problem *p = problem_from_matrix(3, A, b, NULL, NULL);
        dls_problem_make_cone(p, 0, 0.5);
        assert_status(dls_certify(p, lambda, &bounds, &error), &error);
        assert_true(bounds.b_off >= across * t * (1.0 - 1e-9) && bounds.b_off <= across * t * (1.0 + 1e-8));
        assert_below(bounds.mu_off, 1e-15);
        dls_bounds_release(&bounds);
        dls_problem_destroy(p);
    }
}
