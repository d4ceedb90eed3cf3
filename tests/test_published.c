/* Every published problem by every direct method: solved, and then with the known answer, or truthfully not. */
#include "direct_solve.h"
#include "published.h"

enum { ROWS = 64, ANSWERS_MAX = 512 };

typedef struct published {
    const char *file;
    const char *format;
} published;
static const published files[] = {
    {"lcp/lcp_CPS_2.dat", "siconos-lcp"},
    {"lcp/lcp_CPS_3.dat", "siconos-lcp"},
    {"lcp/lcp_CPS_4bis.dat", "siconos-lcp"},
    {"lcp/lcp_exp_murty.dat", "siconos-lcp"},
    {"lcp/lcp_mmc.dat", "siconos-lcp"},
    {"lcp/lcp_ortiz_block.dat", "siconos-lcp"},
    {"mlcp/PD_mlcp.dat", "siconos-mlcp"},
    {"mlcp/RLCD_mlcp.dat", "siconos-mlcp"},
    {"mlcp/diodeBridge_mlcp.dat", "siconos-mlcp"},
    {"mlcp/diodeBridge20_mlcp.dat", "siconos-mlcp"},
    {"mlcp/relay2_mlcp.dat", "siconos-mlcp"},
    {"relay/relay_4x4.dat", "siconos-relay"},
    {"relay/step_2x2.dat", "siconos-relay"},
    {"gmp/GMP0.dat", "siconos-gmp"},
    {"gmp/GMP3.dat", "siconos-gmp"},
};
static const char unsolvable[] = "lcp/lcp_Pang_isolated_sol_perturbed.dat";

/* All known answers, one behind another; returns how many, 0 where none is known. */
static size_t known_answers(const char *json, const published *p, size_t n, double *z)
{
    size_t count = known(json, p->file, strcmp(p->format, "siconos-mlcp") == 0 ? "u" : "z", z, ANSWERS_MAX);
    if (strcmp(p->format, "siconos-mlcp") == 0)
        count += known(json, p->file, "v", z + count, ANSWERS_MAX - count);
    return count / n;
}

/* The distance to the nearest known answer, as a part of its size. */
static double distance(const double *lambda, size_t n, const double *z, size_t answers)
{
    double nearest = HUGE_VAL;
    for (size_t a = 0; a < answers; a++) {
        double worst = 0.0, size = 1.0;
        for (size_t i = 0; i < n; i++) {
            worst = fmax(worst, fabs(lambda[i] - z[a * n + i]));
            size = fmax(size, fabs(z[a * n + i]));
        }
        nearest = fmin(nearest, worst / size);
    }
    return nearest;
}

/* One method on one problem; returns whether it solved it. A claim must be true; the other outcomes claim nothing. */
static bool try_solver(const dls_solver *solver, const dls_problem *problem, const double *z, size_t answers)
{
    double lambda[ROWS], w[ROWS];
    dls_report report = {0};
    direct_solve(solver->name, problem, NULL, lambda, &report);
    bool solved = report.outcome == DLS_OUTCOME_SOLVED || report.outcome == DLS_OUTCOME_SEVERAL;
    assert_true(report.outcome != DLS_OUTCOME_NO_SOLUTION); /* they all have one */
    if (solved) {
        assert_below(direct_examine(problem, lambda, w), 1e-9);
        if (answers > 0)
            assert_below(distance(lambda, problem->n, z, answers), 1e-6);
    } else {
        print_message("  %s: %s, %s\n", solver->name, dls_outcome_text(report.outcome), report.message);
        assert_true(report.message[0] != 0);
    }
    if (report.outcome == DLS_OUTCOME_SEVERAL && answers > 0)
        assert_int_equal(report.n_solutions, answers);
    dls_report_release(&report);
    return solved;
}

TEST(test_every_file_by_every_method)
{
    char *json = slurp("siconos/known_answers.json"), path[256];
    double z[ANSWERS_MAX];
    if (!json)
        skip();
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        size_t solved = 0;
        snprintf(path, sizeof path, "siconos/%s", files[k].file);
        dls_problem *problem = read_data(path, files[k].format);
        assert_true(problem->n <= ROWS);
        print_message("%s\n", files[k].file);
        size_t answers = known_answers(json, &files[k], problem->n, z);
        for (size_t s = 0; dls_direct_solvers[s]; s++)
            solved += try_solver(dls_direct_solvers[s], problem, z, answers);
        assert_true(solved >= 2);
        dls_problem_destroy(problem);
    }
    test_free(json);
}

TEST(test_three_solutions_are_listed)
{
    char *json = slurp("siconos/known_answers.json");
    double lambda[ROWS], z[ANSWERS_MAX];
    dls_report report = {0};
    if (!json)
        skip();
    const published three = {"lcp/lcp_CPS_3.dat", "siconos-lcp"};
    dls_problem *problem = read_data("siconos/lcp/lcp_CPS_3.dat", "siconos-lcp");
    assert_int_equal(known_answers(json, &three, problem->n, z), 3);
    direct_solve("enumeration", problem, NULL, lambda, &report);
    assert_outcome_is(&report, DLS_OUTCOME_SEVERAL, "CPS_3");
    assert_int_equal(report.n_solutions, 3);
    for (size_t a = 0; a < 3; a++)
        assert_below(distance(z + a * problem->n, problem->n, report.solutions, 3), 1e-12);
    dls_report_release(&report);
    dls_problem_destroy(problem);
    test_free(json);
}

/* Pang's example, perturbed, has no solution: one method proves it, and none says otherwise. */
TEST(test_unsolvable_problem)
{
    char *json = slurp("siconos/known_answers.json"), path[256];
    double lambda[ROWS];
    size_t proofs = 0;
    if (!json)
        skip();
    test_free(json);
    snprintf(path, sizeof path, "siconos/%s", unsolvable);
    dls_problem *problem = read_data(path, "siconos-lcp");
    for (size_t s = 0; dls_direct_solvers[s]; s++) {
        dls_report report = {0};
        direct_solve(dls_direct_solvers[s]->name, problem, NULL, lambda, &report);
        assert_true(report.outcome != DLS_OUTCOME_SOLVED && report.outcome != DLS_OUTCOME_SEVERAL);
        proofs += report.outcome == DLS_OUTCOME_NO_SOLUTION;
        dls_report_release(&report);
    }
    assert_true(proofs >= 1);
    dls_problem_destroy(problem);
}

/* A 1000 kg cube on a 1 g cube: in a step of 1 ms the ground bears 9.81000981 N s and the light cube 9.81 N s, however
 * the corners share it. The file's A, entries of 1 / m = 1e3 / kg, is off by 2.5e-13 of that (w at the answer
 * is 2.45e-9 m/s in every row), and both impulses together meet 1 / M = 1e-3 / kg alone: the file determines them to
 * some 2.5e-13 m^-1 M = 2.5e-7 of their size and its exact solution is 5e-7 away, so 1e-6; their difference, which
 * meets 1 / m, to 9.81 times 2.5e-13, so 1e-11. All agree to 1e-8. */
TEST(test_two_cubes_by_every_method)
{
    char path[DLS_PATH_MAX];
    size_t solved = 0;
    double first = 0.0;
    data_path(path, "contactbench/2cubes_t0.txt");
    FILE *there = fopen(path, "r");
    if (!there)
        skip();
    fclose(there);
    dls_problem *problem = read_data("contactbench/2cubes_t0.txt", "contactbench-normals");
    assert_int_equal(problem->n, 8);
    for (size_t s = 0; dls_direct_solvers[s]; s++) {
        double lambda[8], w[8];
        dls_report report = {0};
        direct_solve(dls_direct_solvers[s]->name, problem, NULL, lambda, &report);
        print_message("  %s: %s, %s\n", dls_direct_solvers[s]->name, dls_outcome_text(report.outcome), report.message);
        assert_true(report.outcome != DLS_OUTCOME_NO_SOLUTION);
        if (report.outcome == DLS_OUTCOME_SOLVED || report.outcome == DLS_OUTCOME_SEVERAL) {
            double ground = lambda[0] + lambda[1] + lambda[2] + lambda[3],
                   between = lambda[4] + lambda[5] + lambda[6] + lambda[7];
            print_message("  residual %.1e, sums %.12g, %.12g\n", direct_examine(problem, lambda, w), ground, between);
            assert_below(direct_examine(problem, lambda, w), 1e-9);
            assert_close(ground, 9.81000981, 1e-6 * 9.81000981);
            assert_close(between, 9.81, 1e-6 * 9.81);
            assert_close(ground - between, 9.81e-6, 1e-11);
            first = solved == 0 ? ground : first;
            assert_close(ground, first, 1e-8 * 9.81);
            solved++;
        }
        dls_report_release(&report);
    }
    assert_true(solved >= 3);
    dls_problem_destroy(problem);
}
