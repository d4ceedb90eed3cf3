/* Memory of the direct methods: none is taken for another problem of the same size, and with the n-th allocation
 * failing for every n there is a status, no leak, no crash. */
#include "direct_solve.h"
#include "examined.h"

#include "delassus/io.h"
#include "delassus/table.h"

#include "failing_memory.h"

#include <string.h>
#include <unistd.h>

static void default_settings(const dls_solver *solver, double settings[32])
{
    dls_error error = {0};
    assert_true(solver->fields.size <= 32 * sizeof *settings);
    assert_status(dls_fields_default(&solver->fields, settings, &error), &error);
}

static dls_status solve_with_failure(const dls_solver *solver, const dls_problem *problem, const void *settings,
                                     size_t after, dls_report *report)
{
    double lambda[6] = {0};
    dls_error error = {0};
    allocations = 0, fail_at = after + 1;
    dls_status status = dls_solve(solver, problem, settings, 1, lambda, report, NULL, NULL, &error);
    bool reached = allocations >= fail_at;
    fail_at = 0;
    if (status != DLS_OK) {
        assert_int_equal(status, DLS_NO_MEMORY);
        assert_string_not_equal(error.message, "");
        assert_true(reached);
    }
    return status;
}

static void fail_each_allocation_with(const dls_solver *solver, const dls_problem *problem, const void *settings)
{
    dls_report report = {0};
    size_t after = 0;
    long before = live;
    while (solve_with_failure(solver, problem, settings, after, &report) != DLS_OK) {
        after++;
        assert_true(after < 1000);
        dls_report_release(&report);
    }
    assert_true(after > 0 || report.outcome == DLS_OUTCOME_REFUSED);
    dls_report_release(&report);
    assert_int_equal(live, before);
}

static void fail_each_allocation(const dls_solver *solver, const dls_problem *problem)
{
    double settings[32];
    default_settings(solver, settings);
    fail_each_allocation_with(solver, problem, settings);
}

static dls_problem *contact_problem(void)
{
    const double A[9] = {2, 0.3, 0, 0.3, 1, 0.1, 0, 0.1, 1}, b[3] = {-1, 2, 0.5};
    dls_problem *problem = problem_from_matrix(3, A, b, NULL, NULL);
    dls_problem_make_cone(problem, 0, 0.4);
    return problem;
}

/* The regularisation of SAP takes a matrix of its own. */
TEST(test_primal_survives_each_failure)
{
    const dls_solver *primal = dls_direct_find("primal");
    double settings[32];
    dls_error error;
    dls_problem *problem = contact_problem();
    default_settings(primal, settings);
    assert_status(dls_field_set(&primal->fields, settings, "regularisation", "sap", &error), &error);
    fail_each_allocation_with(primal, problem, settings);
    dls_problem_destroy(problem);
}

TEST(test_each_method_survives_each_failure)
{
    for (size_t k = 0; dls_direct_solvers[k]; k++) {
        for (int matrix = DLS_MATRIX_DEFINITE; matrix <= DLS_MATRIX_P; matrix++)
            for (int bounds = DLS_BOUNDS_LCP; bounds <= DLS_BOUNDS_BOXED; bounds++) {
                const dls_recipe recipe = {(dls_matrix_class)matrix, (dls_bounds_class)bounds, 6, 0.2, 5};
                dls_problem *problem = problem_from_recipe(&recipe, NULL, NULL);
                fail_each_allocation(dls_direct_solvers[k], problem);
                dls_problem_destroy(problem);
            }
        dls_problem *problem = contact_problem();
        fail_each_allocation(dls_direct_solvers[k], problem);
        dls_problem_destroy(problem);
        problem = infeasible_problem(6, false);
        fail_each_allocation(dls_direct_solvers[k], problem);
        dls_problem_destroy(problem);
    }
}

/* Another problem of the same size into the work of a first one gives the bytes of a fresh solve, and takes memory for
 * nothing but the vectors of the report. */
static void reload(const dls_solver *solver, const dls_problem *first, const dls_problem *second)
{
    enum { ROUNDS = 3 };
    double settings[32], fresh[12] = {0}, again[12] = {0};
    dls_report report = {0};
    dls_error error = {0};
    default_settings(solver, settings);
    assert_status(dls_solve(solver, second, settings, 1, fresh, &report, NULL, NULL, &error), &error);
    dls_solver_work kept = {.solver = solver, .settings = settings};
    for (int round = 0; round < ROUNDS; round++) {
        assert_status(dls_solver_load(&kept, first, NULL, &report, &error), &error);
        assert_status(dls_solver_run(&kept, 1, again, &report, NULL, NULL, &error), &error);
        size_t before = allocations;
        assert_status(dls_solver_load(&kept, second, NULL, &report, &error), &error);
        assert_status(dls_solver_run(&kept, 1, again, &report, NULL, NULL, &error), &error);
        size_t own = allocations - before - (report.solutions != NULL) - (report.proof_vector != NULL) -
                     (report.fractions != NULL);
        if (round == ROUNDS - 1 && strcmp(solver->name, "enumeration") != 0) /* the exact search has its own memory */
            assert_int_equal(own, 0);
        assert_memory_equal(again, fresh, second->n * sizeof *again);
    }
    dls_solver_release(&kept);
    dls_report_release(&report);
}

TEST(test_a_reload_takes_no_memory)
{
    for (size_t k = 0; dls_direct_solvers[k]; k++) {
        for (int matrix = DLS_MATRIX_DEFINITE; matrix <= DLS_MATRIX_P; matrix++)
            for (int bounds = DLS_BOUNDS_LCP; bounds <= DLS_BOUNDS_BOXED; bounds++) {
                dls_problem *problem[2];
                for (unsigned long seed = 0; seed < 2; seed++) {
                    const dls_recipe recipe = {(dls_matrix_class)matrix, (dls_bounds_class)bounds, 12, 0.2, seed};
                    problem[seed] = problem_from_recipe(&recipe, NULL, NULL);
                }
                reload(dls_direct_solvers[k], problem[0], problem[1]);
                dls_problem_destroy(problem[0]);
                dls_problem_destroy(problem[1]);
            }
        dls_problem *contact = contact_problem();
        reload(dls_direct_solvers[k], contact, contact);
        dls_problem_destroy(contact);
    }
}

static dls_status facets_with_failure(const dls_problem *problem, dls_facets_variant variant, size_t after)
{
    dls_facets *facets;
    dls_error error = {0};
    allocations = 0, fail_at = after + 1;
    dls_status status = dls_problem_facets(problem, 5, variant, &facets, &error);
    fail_at = 0;
    assert_true((status == DLS_OK) == (facets != NULL));
    assert_true(status == DLS_OK || status == DLS_NO_MEMORY);
    dls_facets_destroy(facets);
    return status;
}

TEST(test_facets_survive_each_failure)
{
    dls_problem *problem = contact_problem();
    for (int variant = DLS_FACETS_EXACT; variant <= DLS_FACETS_CONVEX; variant++) {
        size_t after = 0;
        while (facets_with_failure(problem, (dls_facets_variant)variant, after) != DLS_OK)
            assert_true(++after < 100);
        assert_true(after > 5);
    }
    dls_problem_destroy(problem);
}

/* Allocations of FLINT are not seen. */
TEST(test_verified_proofs_survive_each_failure)
{
    const double y[6] = {1.0, 1.1, 1.2, 1.3, 1.4, 1.5};
    dls_problem *problem = infeasible_problem(6, false);
    dls_farkas_proof proof;
    dls_error error = {0};
    dls_status status = DLS_NO_MEMORY;
    size_t after = 0;
    for (long before = live; status != DLS_OK; after++) {
        allocations = 0, fail_at = after + 1;
        status = dls_farkas_verify(problem, y, &proof, &error);
        fail_at = 0;
        assert_true(status == DLS_OK || status == DLS_NO_MEMORY);
        assert_int_equal(live, before);
        assert_true(after < 100);
    }
    assert_true(after > 1);
    dls_problem_destroy(problem);
}

TEST(test_equilibria_survive_each_failure)
{
    const double corner[8] = {0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0};
    const dls_structure_body bodies[2] = {{4, corner}, {0, NULL}};
    const dls_structure_joint joint = {.body = {0, 1}, .point = {{0.0, 0.0}, {1.0, 0.0}}, .mu = 0.3};
    const dls_structure structure = {2, 1, bodies, &joint, HUGE_VAL};
    dls_error error = {0};
    dls_status status = DLS_NO_MEMORY;
    size_t after = 0;
    for (long before = live; status != DLS_OK; after++) {
        dls_equilibrium *found;
        allocations = 0, fail_at = after + 1;
        status = dls_equilibrium_decide(&structure, &found, &error);
        fail_at = 0;
        assert_true(status == DLS_OK || status == DLS_NO_MEMORY);
        assert_int_equal(found != NULL, status == DLS_OK);
        dls_equilibrium_destroy(found);
        assert_int_equal(live, before);
        assert_true(after < 100);
    }
    assert_true(after > 1);
}

static dls_status fclib_with_failure(const dls_problem *problem, size_t after)
{
    static const char path[] = "test_direct_memory.hdf5";
    const double r[3] = {1, 0, 0};
    dls_content back = {NULL, NULL, NULL, NULL};
    dls_error error = {0};
    allocations = 0, fail_at = after + 1;
    dls_status status = dls_file_write(problem, r, "fclib", path, NULL, &error);
    if (status == DLS_OK)
        status = dls_file_load(path, "fclib", &back, &error);
    fail_at = 0;
    assert_true((status == DLS_OK) == (back.problem != NULL) && (status == DLS_OK) == (back.stored != NULL));
    assert_true(status == DLS_OK || status == DLS_NO_MEMORY);
    dls_content_release(&back);
    unlink(path);
    return status;
}

TEST(test_files_of_fclib_survive_each_failure)
{
    if (!dls_hdf5_available())
        skip();
    dls_problem *problem = contact_problem();
    size_t after = 0;
    while (fclib_with_failure(problem, after) != DLS_OK)
        assert_true(++after < 200);
    assert_true(after > 5);
    dls_problem_destroy(problem);
}
