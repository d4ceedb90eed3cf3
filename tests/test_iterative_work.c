/* A solver's work, kept from problem to problem: every solver gives the bytes of fresh work on each of a row of
 * problems that differ in their numbers, their sizes and their structure, with refusals and failures between them. */
#include "delassus/delassus.h"
#include "delassus/reference.h"
#include "delassus/solvers.h"

#include "bench/scenes.h"
#include "check.h"
#include "examined.h"
#include "failing_memory.h"
#include "solvers/packed.h"

#include <string.h>

enum { PROBLEMS = 14, ROWS = 200, ITERATIONS = 7 };

/* How often rows have been put in an order. */
static size_t schedules;
dls_status __real_dls_pack_schedule(dls_packed *packed, dls_error *error);
dls_status __wrap_dls_pack_schedule(dls_packed *packed, dls_error *error);
dls_status __wrap_dls_pack_schedule(dls_packed *packed, dls_error *error)
{
    schedules++;
    return __real_dls_pack_schedule(packed, error);
}

static double draw(unsigned *seed)
{
    *seed = 1664525u * *seed + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

/* A pile or a grid: positions and velocities by draw, the same structure for each seed. */
static dls_problem *of_bodies(bool pile, size_t size, unsigned seed)
{
    bench_scene *scene;
    dls_error error;
    assert_status(pile ? bench_contacts(size, 0.385, &scene, &error) : bench_grid(size, size, &scene, &error), &error);
    for (size_t i = 0; i < dls_model_count(scene->model).bodies; i++) {
        dls_vec3 turn = dls_v3(0.3 * draw(&seed), 0.3 * draw(&seed), 0.3 * draw(&seed));
        dls_model_initial(scene->model)->q[i] = dls_quat_mul(dls_quat_exp(turn), dls_model_initial(scene->model)->q[i]);
    }
    for (size_t j = 0; j < dls_model_count(scene->model).nv; j++)
        dls_model_initial(scene->model)->v[j] = 0.4 * draw(&seed);
    dls_problem *p = problem_from_state(scene->model, dls_model_initial(scene->model), &scene->contacts, scene->h);
    bench_scene_destroy(scene);
    assert_true(p->n <= ROWS);
    return p;
}

static void swap(double *a, double *b, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const double kept = a[k];
        a[k] = b[k], b[k] = kept;
    }
}

/* A grid two of whose ball joints, each between two bodies, are exchanged: the same kinds of rows, of other bodies. */
static dls_problem *with_joints_exchanged(unsigned seed)
{
    dls_problem *p = of_bodies(false, 3, seed);
    dls_rows *J = &p->J;
    const size_t rows = 3, last = p->n - rows, to = J->start[last], blocks = J->start[p->n] - to;
    size_t first = 0;
    while (J->start[first + rows] - J->start[first] != blocks)
        first += rows;
    const size_t from = J->start[first], coefs = J->coef_at[from + blocks] - J->coef_at[from];
    assert_true(first < last && J->coef_at[to + blocks] - J->coef_at[to] == coefs);
    for (size_t k = 0; k < blocks; k++) {
        const size_t offset = J->offset[from + k];
        const uint32_t mass = J->mass[from + k];
        J->offset[from + k] = J->offset[to + k], J->offset[to + k] = offset;
        J->mass[from + k] = J->mass[to + k], J->mass[to + k] = mass;
    }
    swap(J->coef + J->coef_at[from], J->coef + J->coef_at[to], coefs);
    swap(p->c + first, p->c + last, rows);
    return p;
}

static dls_problem *of_matrix(size_t n, unsigned seed, bool cone)
{
    const dls_recipe recipe = {DLS_MATRIX_DEFINITE, cone ? DLS_BOUNDS_LCP : DLS_BOUNDS_BOXED, n, 0.1, seed};
    dls_problem *p = problem_from_recipe(&recipe, NULL, NULL);
    for (size_t i = 0; cone && i + 2 < n; i += 3)
        dls_problem_make_cone(p, i, 0.4);
    return p;
}

/* A pile whose boxes of friction are cones. */
static dls_problem *under_cones(unsigned seed)
{
    dls_problem *p = of_bodies(true, 3, seed);
    for (size_t i = 0; i + 2 < p->n; i++)
        if (p->parent[i + 1] == i && p->parent[i + 2] == i) {
            p->law[i + 1] = p->law[i + 2] = DLS_LAW_CONE;
            p->n_cone += 2;
        }
    assert_true(dls_problem_cones(p) > 0);
    return p;
}

/* Nothing can move a bounded row of a negative diagonal, and no direct method takes this matrix for definite. */
static dls_problem *indefinite(void)
{
    const double A[] = {2.0, 0.0, 0.0, -1.0}, b[] = {1.0, 1.0};
    return problem_from_matrix(2, A, b, NULL, NULL);
}

static void make_problems(dls_problem *problems[PROBLEMS])
{
    dls_problem *made[PROBLEMS] = {of_bodies(true, 3, 1),    of_bodies(true, 3, 2),  of_bodies(false, 3, 3),
                                   of_bodies(false, 4, 4),   of_bodies(true, 3, 5),  of_matrix(9, 6, false),
                                   of_matrix(9, 7, false),   indefinite(),           of_matrix(12, 8, true),
                                   of_matrix(12, 9, true),   of_bodies(false, 3, 6), of_bodies(false, 3, 7),
                                   with_joints_exchanged(6), under_cones(8)};
    made[11]->lo[4] = -0.01, made[11]->gamma[5] = 0.021; /* the same blocks, other kinds of rows */
    memcpy(problems, made, sizeof made);
}

static void destroy_problems(dls_problem *problems[PROBLEMS])
{
    for (size_t k = 0; k < PROBLEMS; k++)
        dls_problem_destroy(problems[k]);
}

static void *settings_of(const dls_solver *solver)
{
    dls_error error;
    void *settings = test_calloc(1, solver->fields.size + 1);
    assert_status(dls_fields_default(&solver->fields, settings, &error), &error);
    return settings;
}

/* The n-th problem's start. */
static void start(const dls_problem *p, double *lambda)
{
    unsigned seed = 17;
    for (size_t i = 0; i < p->n; i++)
        lambda[i] = 0.1 * draw(&seed);
}

static void check_same(dls_solver_work *kept, const dls_problem *p, const void *settings)
{
    dls_error error;
    dls_report once = {0}, again = {0};
    double expected[ROWS], lambda[ROWS];
    start(p, expected), start(p, lambda);
    assert_status(dls_solve(kept->solver, p, settings, ITERATIONS, expected, &once, NULL, NULL, &error), &error);
    assert_status(dls_solver_load(kept, p, lambda, &again, &error), &error);
    assert_status(dls_solver_run(kept, ITERATIONS, lambda, &again, NULL, NULL, &error), &error);
    assert_int_equal(again.outcome, once.outcome);
    assert_string_equal(again.message, once.message);
    assert_int_equal(again.iterations, once.iterations);
    assert_int_equal(again.dead_rows, once.dead_rows);
    assert_memory_equal(lambda, expected, p->n * sizeof *lambda);
    dls_report_release(&once), dls_report_release(&again);
}

static void visit_all(void (*check)(const dls_solver *solver, dls_problem *const problems[PROBLEMS]))
{
    dls_problem *problems[PROBLEMS];
    make_problems(problems);
    for (size_t s = 0; dls_iterative_solvers[s]; s++)
        check(dls_iterative_solvers[s], problems);
    for (size_t s = 0; dls_direct_solvers[s]; s++)
        check(dls_direct_solvers[s], problems);
    destroy_problems(problems);
}

static void check_every_problem_after_every_other(const dls_solver *solver, dls_problem *const problems[PROBLEMS])
{
    void *settings = settings_of(solver);
    dls_solver_work kept = {.solver = solver, .settings = settings};
    size_t refused = 0;
    for (size_t before = 0; before < PROBLEMS; before++)
        for (size_t k = 0; k < PROBLEMS; k++) {
            check_same(&kept, problems[before], settings);
            check_same(&kept, problems[k], settings);
            refused += dls_solver_refuses(solver, problems[k]) != NULL;
        }
    assert_true(refused < PROBLEMS * PROBLEMS);
    dls_solver_release(&kept);
    check_same(&kept, problems[0], settings); /* a work that was released is a new one */
    dls_solver_release(&kept);
    test_free(settings);
}

TEST(test_every_problem_after_every_other) { visit_all(check_every_problem_after_every_other); }

/* Problems of the same structure, and those that have been here before, find memory enough; enumeration, which decides
 * its word by an exact search, opens that for each problem. */
static void check_settled_loads(const dls_solver *solver, dls_problem *const problems[PROBLEMS])
{
    void *settings = settings_of(solver);
    dls_solver_work kept = {.solver = solver, .settings = settings};
    dls_report report = {0};
    dls_error error;
    double lambda[ROWS];
    const bool keeps = solver->reload && solver != dls_direct_find("enumeration");
    for (size_t k = 0; k < 3 * PROBLEMS && keeps; k++) {
        const dls_problem *p = problems[k % PROBLEMS];
        start(p, lambda);
        allocations = 0;
        assert_status(dls_solver_load(&kept, p, lambda, &report, &error), &error);
        assert_status(dls_solver_run(&kept, ITERATIONS, lambda, &report, NULL, NULL, &error), &error);
        if (k >= PROBLEMS) /* but for the vectors of the report */
            assert_int_equal(allocations,
                             (report.solutions != NULL) + (report.proof_vector != NULL) + (report.fractions != NULL));
    }
    dls_report_release(&report);
    dls_solver_release(&kept);
    test_free(settings);
}

TEST(test_settled_loads_take_no_memory)
{
    visit_all(check_settled_loads);
    for (size_t s = 0; dls_iterative_solvers[s]; s++)
        assert_non_null(dls_iterative_solvers[s]->reload);
}

/* Rows that stand in a known order are not put in it again; rows of another structure are. */
TEST(test_an_order_is_kept)
{
    static const struct {
        size_t from, to;
        bool same;
    } pairs[] = {{0, 1, true},  {2, 10, true}, {5, 6, true},   {8, 9, true},
                 {0, 2, false}, {2, 3, false}, {10, 12, false}};
    dls_problem *problems[PROBLEMS];
    const dls_solver *solver = dls_iterative_find("pgs");
    make_problems(problems);
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
        void *settings = settings_of(solver);
        dls_solver_work kept = {.solver = solver, .settings = settings};
        dls_report report = {0};
        dls_error error;
        assert_status(dls_solver_load(&kept, problems[pairs[k].from], NULL, &report, &error), &error);
        const size_t before = schedules;
        assert_status(dls_solver_load(&kept, problems[pairs[k].to], NULL, &report, &error), &error);
        assert_int_equal(schedules - before, pairs[k].same ? 0 : 1);
        assert_status(dls_solver_load(&kept, problems[pairs[k].to], NULL, &report, &error), &error);
        assert_int_equal(schedules - before, pairs[k].same ? 0 : 1);
        dls_report_release(&report);
        dls_solver_release(&kept);
        test_free(settings);
    }
    destroy_problems(problems);
}

/* Each allocation of a load fails once; the work takes the next problem as if nothing had happened. */
static void check_failing_memory(const dls_solver *solver, dls_problem *const problems[PROBLEMS])
{
    void *settings = settings_of(solver);
    for (size_t k = 1; k < PROBLEMS; k++)
        for (size_t which = 1, failed = 1; failed; which++) {
            dls_solver_work kept = {.solver = solver, .settings = settings};
            dls_report report = {0};
            dls_error error = {.message = ""};
            long before = live;
            check_same(&kept, problems[k - 1], settings);
            allocations = 0, fail_at = which;
            dls_status status = dls_solver_load(&kept, problems[k], NULL, &report, &error);
            failed = allocations >= which;
            fail_at = 0;
            assert_int_equal(status, failed ? DLS_NO_MEMORY : DLS_OK);
            check_same(&kept, problems[k], settings);
            dls_report_release(&report);
            dls_solver_release(&kept);
            assert_int_equal(live, before);
        }
    test_free(settings);
}

TEST(test_failing_memory) { visit_all(check_failing_memory); }
