/* Newton's method, interior points and the proximal point algorithm under Coulomb's cone: manufactured contacts, the
 * slope, the published problems to 1e-12 scaled, redundant contacts, and proofs that there is no solution. */
#include "cones.h"
#include "direct/cone_map.h"
#include "direct_solve.h"
#include "published.h"

enum { FILE_ROWS = 162 };

static const char *const methods[] = {"cone-newton", "cone-interior", "ppa", "cone-ipm", "primal"};
enum { METHODS = sizeof methods / sizeof methods[0] };

static double solve_cones(const char *method, const dls_problem *p, double *lambda, double *w, dls_report *report)
{
    memset(report, 0, sizeof *report);
    direct_solve(method, p, NULL, lambda, report);
    assert_outcome_is(report, DLS_OUTCOME_SOLVED, p->name);
    return direct_examine(p, lambda, w);
}

TEST(test_manufactured_contacts)
{
    for (unsigned seed = 1; seed < 60; seed++) {
        double chosen[60], w_chosen[60], lambda[60], w[60];
        size_t contacts = 1 + seed % 20;
        dls_report report;
        dls_problem *p = cone_manufacture(contacts, seed, chosen, w_chosen);
        for (size_t m = 0; m < METHODS; m++) {
            assert_below(solve_cones(methods[m], p, lambda, w, &report), 1e-13);
            assert_below(cone_certify(p, lambda).cone_violation, 1e-13);
            dls_report_release(&report);
        }
        dls_problem_destroy(p);
    }
}

/* Rows beside the cones: an equality that holds a contact's first tangent back, and friction in a box. */
TEST(test_mixed_rows)
{
    for (unsigned seed = 1; seed < 40; seed++) {
        enum { N = 9 };
        double chosen[N], w_chosen[N], lambda[N], w[N];
        dls_report report;
        dls_error error;
        dls_problem *p = cone_manufacture(3, seed, chosen, w_chosen);
        p->law[4] = DLS_LAW_BOX, p->law[5] = DLS_LAW_FIXED;
        p->parent[5] = p->parent[6] = p->parent[7] = p->parent[8] = DLS_NONE;
        p->law[7] = p->law[8] = DLS_LAW_FIXED;
        p->n_cone = 2, p->n_coupled = 3;
        p->mu[5] = p->mu[7] = p->mu[8] = 0.0;
        p->lo[5] = -HUGE_VAL, p->hi[5] = HUGE_VAL, p->lo[7] = -0.3, p->hi[7] = 0.2, p->lo[8] = -0.1,
        p->hi[8] = HUGE_VAL;
        assert_status(dls_problem_check(p, &error), &error);
        for (size_t m = 0; m < METHODS; m++) {
            assert_below(solve_cones(methods[m], p, lambda, w, &report), 1e-13);
            dls_report_release(&report);
        }
        dls_problem_destroy(p);
    }
}

/* A block on a slope, falling line at any angle to the tangents: sticks below atan(mu), slides above, and straight
 * down. */
TEST(test_critical_angle)
{
    const double A[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, mu = 0.385;
    for (int turn = 0; turn < 12; turn++)
        for (int side = -1; side <= 1; side += 2) {
            double slope = atan(mu) + 1e-6 * side, heading = 0.4 * turn, lambda[3], w[3];
            const double b[3] = {-cos(slope), sin(slope) * cos(heading), sin(slope) * sin(heading)};
            dls_report report;
            dls_problem *p = problem_from_matrix(3, A, b, NULL, NULL);
            dls_problem_make_cone(p, 0, mu);
            assert_below(solve_cones("cone-newton", p, lambda, w, &report), 1e-15);
            double across = w[2] * cos(heading) - w[1] * sin(heading),
                   along = w[1] * cos(heading) + w[2] * sin(heading);
            assert_close(along, side < 0 ? 0.0 : sin(slope) - mu * cos(slope), 1e-15);
            assert_close(across, 0.0, 1e-15);
            dls_report_release(&report);
            dls_problem_destroy(p);
        }
}

/* A contact that opens and closes is a row with a bound. */
TEST(test_rows_without_a_cone)
{
    const double A[4] = {2.0, 1.0, 1.0, 3.0}, b[2] = {-1.0, 4.0};
    for (size_t m = 0; m < METHODS; m++) {
        double lambda[2], w[2];
        dls_report report;
        dls_problem *p = problem_from_matrix(2, A, b, NULL, NULL);
        solve_cones(methods[m], p, lambda, w, &report);
        assert_close(lambda[0], 0.5, 1e-15);
        assert_close(lambda[1], 0.0, 0.0);
        dls_report_release(&report);
        dls_problem_destroy(p);
    }
}

/* A contact with A = 0 that presses; two contacts that press one body from both sides: no impulse solves them, and the
 * sum of their normal rows is the proof. They have a solution where the sum of their speeds is not negative. */
TEST(test_no_solution_is_proved)
{
    enum { N = 6 };
    for (size_t m = 0; m < METHODS; m++)
        for (int variant = 0; variant < 3; variant++) {
            double A[N * N] = {0}, b[N] = {-1.0, 0.3, 0.2, variant == 1 ? -0.5 : 1.5, 0.3, -0.2}, lambda[N];
            const bool solvable = variant == 2;
            const size_t n = variant == 0 ? 3 : N;
            for (size_t k = 0; k < 3 && n == N; k++) {
                A[k + N * k] = A[k + 3 + N * (k + 3)] = 1.0;
                A[k + N * (k + 3)] = A[k + 3 + N * k] = k == 0 ? -1.0 : 1.0;
            }
            dls_report report = {0};
            dls_farkas_proof proof;
            dls_error error;
            dls_problem *p = problem_from_matrix(n, A, b, NULL, NULL);
            for (size_t c = 0; c < n; c += 3)
                dls_problem_make_cone(p, c, 0.5);
            direct_solve(methods[m], p, NULL, lambda, &report);
            assert_outcome_is(&report, solvable ? DLS_OUTCOME_SOLVED : DLS_OUTCOME_NO_SOLUTION, report.message);
            if (!solvable) {
                assert_status(dls_farkas_verify(p, report.proof_vector, &proof, &error), &error);
                assert_true(proof.proved);
            }
            dls_report_release(&report);
            dls_problem_destroy(p);
        }
}

/* w_n = -1 - lambda_n + lambda_t < 0 for |lambda_t| <= mu lambda_n where mu <= 1: y = (1, 0, 0) proves it. For mu > 1
 * there is a solution, and y proves nothing. */
TEST(test_friction_in_proofs)
{
    const double A[9] = {-1, 0, 0, 1, 1, 0, 0, 0, 1}, b[3] = {-1, 0, 0}, y[3] = {1, 0, 0}, tangent[3] = {0, 1, 0};
    const double mu[] = {0.0, 0.5, 1.0, 1.0 + 0x1p-52, 2.0};
    for (size_t k = 0; k < sizeof mu / sizeof mu[0]; k++)
        for (int box = 0; box < 2; box++) {
            dls_farkas_proof proof;
            dls_error error;
            dls_problem *p = problem_from_matrix(3, A, b, NULL, NULL);
            dls_problem_make_cone(p, 0, mu[k]);
            if (box)
                p->law[1] = p->law[2] = DLS_LAW_BOX, p->n_cone = 0;
            assert_status(dls_farkas_verify(p, y, &proof, &error), &error);
            assert_int_equal(proof.proved, mu[k] <= 1.0);
            assert_status(dls_farkas_verify(p, tangent, &proof, &error), &error);
            assert_false(proof.proved); /* the w of a tangent has any sign */
            dls_problem_destroy(p);
        }
}

/* 2 n^3 = 432,000 multiplications a step: two steps of those that twenty contacts take. */
TEST(test_work_has_a_limit)
{
    const char *const options[] = {"work=1e6", "sweeps=1", NULL}, *const one_step[] = {"work=1e6", "sweeps=1",
                                                                                       "limit=1", NULL};
    double chosen[60], w_chosen[60], lambda[60];
    dls_report report = {0};
    dls_problem *p = cone_manufacture(20, 5, chosen, w_chosen);
    direct_solve("cone-newton", p, options, lambda, &report);
    assert_outcome_is(&report, DLS_OUTCOME_ITERATION_LIMIT, "a limit of the work");
    assert_non_null(strstr(report.message, "the limit of the work after 1 rounds and 2 steps"));
    direct_solve("cone-newton", p, one_step, lambda, &report);
    assert_non_null(strstr(report.message, "the limit of the work after 2 rounds and 2 steps"));
    dls_report_release(&report);
    dls_problem_destroy(p);
}

/* A cone of mu = 1/2, a box of mu = 1/4 and two rows with bounds, in whole numbers. */
TEST(test_projection)
{
    enum { N = 8 };
    static const double from[][N] = {
        {10, 12, 16, 8, 3, -1, 3, -4}, {10, 3, 4, 8, -2, 2.5, 2, -1}, {-1, 3, 4, -1, 3, 4, 0, 0}, {0}};
    static const double to[][N] = {
        {10, 3, 4, 8, 2, -1, 2, -1}, {10, 3, 4, 8, -2, 2, 2, -1}, {0, 0, 0, 0, 0, 0, 0, 0}, {0}};
    double A[N * N] = {0}, b[N] = {0}, lo[N] = {0}, hi[N];
    for (size_t i = 0; i < N; i++)
        A[i + N * i] = 1.0, hi[i] = i < 6 ? HUGE_VAL : 2.0, lo[i] = i < 6 ? 0.0 : -1.0;
    dls_problem *p = problem_from_matrix(N, A, b, lo, hi);
    dls_problem_make_cone(p, 0, 0.5);
    dls_problem_make_cone(p, 3, 0.25);
    p->law[4] = p->law[5] = DLS_LAW_BOX;
    double w[N] = {0};
    int units[N] = {0};
    const dls_direct d = {.problem = p, .q = {.n = N, .lo = p->lo, .hi = p->hi}, .n = N, .row_unit = units};
    for (size_t k = 0; k < sizeof from / sizeof from[0]; k++) {
        double lambda[N];
        memcpy(lambda, from[k], sizeof lambda);
        dls_cone_map_project(&d, w, lambda);
        for (size_t i = 0; i < N; i++)
            assert_close(lambda[i], to[k][i], 0.0);
    }
    dls_problem_destroy(p);
}

/* --- published problems --- */

static const struct {
    const char *file;
    bool unique;
} files[] = {
    {"FC3D_Example1.dat", true}, {"NESpheres_10_1.dat", true},        {"Rover1039.dat", true},
    {"Rover4144.dat", true},     {"Confeti-ex03-Fc3D-SBM.dat", true}, {"OneObject-i1028-138.hdf5.dat", false},
};

static void compare_with_known(const char *json, const char *file, const dls_problem *p, const double *w, bool unique)
{
    double r[FILE_ROWS], w_known[FILE_ROWS], apart = 0.0, size = 1.0;
    char name[128];
    snprintf(name, sizeof name, "fc3d/%s", file);
    if (known(json, name, "r", r, FILE_ROWS) != p->n)
        return;
    assert_below(direct_examine(p, r, w_known), 1e-12); /* against the least terms of a contact 2.4e-13 */
    for (size_t i = 0; i < p->n; i++) {
        apart = fmax(apart, fabs(w[i] - w_known[i]));
        size = fmax(size, fabs(p->c[i]));
    }
    print_message("  velocities apart from the known ones: %.1e\n", apart);
    if (unique)
        assert_below(apart, 1e-11 * size);
    else
        assert_true(apart > 1e-4); /* 69 rows of rank 51: both answers are certified, and they are two */
}

TEST(test_published_problems)
{
    char *json = slurp("siconos/known_answers.json"), path[256];
    if (!json)
        skip();
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        double lambda[FILE_ROWS], w[FILE_ROWS];
        dls_report report;
        snprintf(path, sizeof path, "siconos/fc3d/%s", files[k].file);
        dls_problem *p = read_data(path, "siconos-fc3d");
        for (size_t m = 0; m < METHODS; m++) {
            if (strcmp(methods[m], "cone-interior") == 0 || dls_solver_refuses(dls_direct_find(methods[m]), p))
                continue;
            double residual = solve_cones(methods[m], p, lambda, w, &report);
            print_message("%s, %s: %zu steps, scaled residual %.1e %s\n", files[k].file, methods[m], report.iterations,
                          residual, report.message);
            assert_below(residual, 1e-12);
            compare_with_known(json, files[k].file, p, w, files[k].unique);
            dls_report_release(&report);
        }
        dls_problem_destroy(p);
    }
    test_free(json);
}

/* --- ContactBench: a cube of 1000 kg on one of 1 g --- */

/* The sums of normal impulses: 9.81000981 N s on the ground, 9.81 N s between the cubes, friction or not; times 1 -
 * 5e-7, for the file's matrix has a compliance of 1e-9 on its diagonal beside the 2e-3 of the heavy cube's eigenvalue.
 * Entries of 4e3 meet impulses of 2.5 in rows of 24: 24 x 1e4 x 1.1e-16 is rounding, 2.6e-11. */
TEST(test_two_cubes)
{
    char path[256];
    double lambda[24], w[24], ground = 0.0, between = 0.0;
    dls_report report;
    data_path(path, "contactbench/2cubes_t0.txt");
    FILE *there = fopen(path, "r");
    if (!there)
        skip();
    fclose(there);
    dls_problem *p = read_data("contactbench/2cubes_t0.txt", "contactbench");
    assert_int_equal(p->n, 24);
    assert_int_equal(p->n_cone, 16);
    double residual = solve_cones("cone-newton", p, lambda, w, &report);
    for (size_t c = 0; c < 4; c++)
        ground += lambda[3 * c], between += lambda[3 * (c + 4)];
    print_message("%zu steps, scaled residual %.1e, sums %.12g, %.12g %s\n", report.iterations, residual, ground,
                  between, report.message);
    assert_below(residual, 1e-10);
    assert_close(ground, 9.81000981 * (1.0 - 5e-7), 1e-8 * 9.81);
    assert_close(between, 9.81 * (1.0 - 5e-7), 1e-8 * 9.81);
    dls_report_release(&report);
    dls_problem_destroy(p);
}

/* Off the plane along its normal: lambda_t - w_t = 0 is the centre of a disc of radius 0, which has no direction. */
TEST(test_a_contact_that_opens_straight)
{
    const double A[9] = {1.3, 0.2, 0, 0.2, 0.9, 0, 0, 0, 1.1}, b[3] = {0.7, 0, 0};
    double lambda[3], w[3];
    dls_report report;
    dls_problem *p = problem_from_matrix(3, A, b, NULL, NULL);
    dls_problem_make_cone(p, 0, 0.385);
    assert_close(solve_cones("cone-newton", p, lambda, w, &report), 0.0, 0.0);
    for (int i = 0; i < 3; i++) {
        assert_close(lambda[i], 0.0, 0.0);
        assert_close(w[i], b[i], 0.0);
    }
    dls_report_release(&report);
    dls_problem_destroy(p);
}
