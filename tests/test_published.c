/* Every published problem by every direct method: solved, and then with the known answer, or truthfully not. */
#include "direct_solve.h"
#include "published.h"

enum { ROWS = 64, ANSWERS_MAX = 512 };

typedef struct published { const char *file; dls_foreign kind; } published;
static const published files[] = {
    {"lcp/lcp_CPS_2.dat", DLS_FOREIGN_LCP},        {"lcp/lcp_CPS_3.dat", DLS_FOREIGN_LCP},
    {"lcp/lcp_CPS_4bis.dat", DLS_FOREIGN_LCP},     {"lcp/lcp_exp_murty.dat", DLS_FOREIGN_LCP},
    {"lcp/lcp_mmc.dat", DLS_FOREIGN_LCP},          {"lcp/lcp_ortiz_block.dat", DLS_FOREIGN_LCP},
    {"mlcp/PD_mlcp.dat", DLS_FOREIGN_MLCP},        {"mlcp/RLCD_mlcp.dat", DLS_FOREIGN_MLCP},
    {"mlcp/diodeBridge_mlcp.dat", DLS_FOREIGN_MLCP}, {"mlcp/diodeBridge20_mlcp.dat", DLS_FOREIGN_MLCP},
    {"mlcp/relay2_mlcp.dat", DLS_FOREIGN_MLCP},    {"relay/relay_4x4.dat", DLS_FOREIGN_RELAY},
    {"relay/step_2x2.dat", DLS_FOREIGN_RELAY},     {"gmp/GMP0.dat", DLS_FOREIGN_GMP},
    {"gmp/GMP3.dat", DLS_FOREIGN_GMP},
};
static const char unsolvable[] = "lcp/lcp_Pang_isolated_sol_perturbed.dat";

/* All known answers, one behind another; returns how many, 0 where none is known. */
static size_t known_answers(const char *json, const published *p, size_t n, double *z)
{
    size_t count = known(json, p->file, p->kind == DLS_FOREIGN_MLCP ? "u" : "z", z, ANSWERS_MAX);
    if (p->kind == DLS_FOREIGN_MLCP)
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

static void test_every_file_by_every_method(void **unused)
{
    (void)unused;
    char *json = slurp("siconos/known_answers.json"), path[256];
    double z[ANSWERS_MAX];
    if (!json)
        skip();
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        size_t solved = 0;
        snprintf(path, sizeof path, "siconos/%s", files[k].file);
        dls_problem *problem = read_data(path, files[k].kind);
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

static void test_three_solutions_are_listed(void **unused)
{
    (void)unused;
    char *json = slurp("siconos/known_answers.json");
    double lambda[ROWS], z[ANSWERS_MAX];
    dls_report report = {0};
    if (!json)
        skip();
    const published three = {"lcp/lcp_CPS_3.dat", DLS_FOREIGN_LCP};
    dls_problem *problem = read_data("siconos/lcp/lcp_CPS_3.dat", DLS_FOREIGN_LCP);
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
static void test_unsolvable_problem(void **unused)
{
    (void)unused;
    char *json = slurp("siconos/known_answers.json"), path[256];
    double lambda[ROWS];
    size_t proofs = 0;
    if (!json)
        skip();
    test_free(json);
    snprintf(path, sizeof path, "siconos/%s", unsolvable);
    dls_problem *problem = read_data(path, DLS_FOREIGN_LCP);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_file_by_every_method),
        cmocka_unit_test(test_three_solutions_are_listed),
        cmocka_unit_test(test_unsolvable_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
