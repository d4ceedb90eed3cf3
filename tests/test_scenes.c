/* The scenes that come with the program: they load, their joints hold at the start, and they do what their comments
 * say. */
#include "examined.h"
#include "mechanism.h"

#include "delassus/reference.h"
#include "delassus/solvers.h"

static const char *const names[] = {
    "pendulum",   "chain-10",       "chain-100",  "four-bar",     "box-on-slope", "stack-10",      "stack-10-found",
    "wall",       "heavy-on-light", "hinge-pair", "slider-crank", "all-joints",   "rods-parallel", "rods-series",
    "star-5",     "loop",           "gripper",    "helix",        "hump",         "loop-track",    "railway",
    "driven-arm", "shoulder",       "tendons",    "six-axis",     "bennett",      "arm-12"};
enum { NAMES = sizeof names / sizeof names[0] };

static dls_model *load(const char *name)
{
    char path[DLS_PATH_MAX];
    const char *source = getenv("DLS_TEST_SOURCE");
    dls_scene *scene;
    dls_model *model;
    dls_error error;
    snprintf(path, sizeof path, "%s/scenes/%s.yaml", source ? source : ".", name);
    assert_status(dls_scene_read(path, &scene, &error), &error);
    assert_status(dls_model_create(scene, &model, &error), &error);
    dls_scene_destroy(scene);
    return model;
}

static dls_problem *first_step(const dls_model *model)
{
    return problem_from_state(model, dls_model_initial(model), NULL, dls_model_world(model)->step);
}

TEST(test_joints_hold_at_the_start_and_jacobians_are_right)
{
    for (size_t k = 0; k < NAMES; k++) {
        dls_model *model = load(names[k]);
        dls_problem *problem = first_step(model);
        const dls_list_row *row = dls_problem_rows(problem)->row;
        double worst;
        dls_error error;
        for (size_t i = 0; i < problem->n; i++)
            if (row[i].spring)
                continue; /* a spring is not in error */
            else if (problem->lo[i] < 0.0)
                assert_close(row[i].C, 0.0, 1e-14);
            else
                assert_true(row[i].C > -1e-14);
        assert_status(dls_check_jacobians(model, dls_model_initial(model), DLS_CHECK_STEP, &worst, NULL, NULL, &error),
                      &error);
        assert_below(worst, 1e-9); /* as in test_joints.c */
        dls_problem_destroy(problem);
        dls_model_destroy(model);
    }
}

/* Rank of a symmetric semidefinite matrix by complete pivoting; each entry scaled by sqrt(D_i D_j). */
static size_t rank_of(const dls_dense *dense)
{
    size_t n = dense->n, rank = 0;
    double *A = malloc(n * n * sizeof *A);
    assert_non_null(A);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            A[i + n * j] = dense->A[i + n * j] / sqrt(dense->A[i + n * i] * dense->A[j + n * j]);
    for (;; rank++) {
        size_t pivot = 0;
        for (size_t i = 1; i < n; i++)
            pivot = A[i + n * i] > A[pivot + n * pivot] ? i : pivot;
        double largest = A[pivot + n * pivot];
        if (rank == n || largest < 1e-11) /* rounding leaves some 1e-16 times the condition of the rest */
            break;
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < n; i++)
                if (i != pivot && j != pivot)
                    A[i + n * j] -= A[i + n * pivot] * A[pivot + n * j] / largest;
        for (size_t i = 0; i < n; i++)
            A[i + n * pivot] = A[pivot + n * i] = 0.0;
    }
    free(A);
    return rank;
}

TEST(test_rank_of_the_loops)
{
    static const struct {
        const char *name;
        size_t rows, rank;
    } cases[] = {{"four-bar", 20, 17},
                 {"bennett", 20, 17},
                 {"slider-crank", 17, 17},
                 {"heavy-on-light", 8, 6},
                 {"chain-10", 30, 30}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        dls_model *model = load(cases[c].name);
        dls_problem *problem = first_step(model);
        dls_dense *dense = dense_of(problem);
        assert_int_equal(dense->n, cases[c].rows);
        assert_int_equal(rank_of(dense), cases[c].rank);
        dls_dense_destroy(dense);
        dls_problem_destroy(problem);
        dls_model_destroy(model);
    }
}

static void start(run *r, const char *name, size_t iterations)
{
    dls_simulation_options options = dls_simulation_default();
    options.solver = dls_iterative_find("pgs");
    options.iterations = iterations;
    run_open(r, load(name), &options);
}

static double height(const run *r, size_t body)
{
    return dls_simulation_state(r->simulation)->x[body].z - dls_model_initial(r->model)->x[body].z;
}

TEST(test_the_box_slides_down_its_slope)
{
    run r;
    start(&r, "box-on-slope", 400);
    run_steps(&r, 500, dls_model_world(r.model)->step);
    dls_vec3 v = dls_configuration_end(dls_simulation_configuration(r.simulation), 0).v;
    double slope = 20.0 * DLS_PI / 180.0, speed = 0.5 * 9.81 * (sin(slope) - 0.3);
    assert_close(v.x, speed * cos(slope), 1e-10); /* what 400 sweeps leave, 500 times */
    assert_close(v.z, -speed * sin(slope), 1e-10);
    run_stop(&r);
}

/* Loops and chains stay closed over a run; energy changes by O(h). */
TEST(test_mechanisms_keep_together)
{
    static const char *const loops[] = {"four-bar", "bennett", "slider-crank", "hinge-pair"};
    for (size_t k = 0; k < sizeof loops / sizeof loops[0]; k++) {
        run r;
        double worst = 0.0;
        start(&r, loops[k], 300);
        double before = run_energy(&r);
        for (int i = 0; i < 300; i++) {
            run_steps(&r, 1, dls_model_world(r.model)->step);
            for (size_t row = 0; row < dls_simulation_problem(r.simulation)->n; row++)
                worst = fmax(worst, fabs(dls_simulation_rows(r.simulation)->row[row].C));
        }
        double after = run_energy(&r);
        print_message("# %s: joint errors up to %.1e, energy %.4f J, then %.4f J, of it kinetic %.4f J\n", loops[k],
                      worst, before, after, dls_kinetic_energy(dls_simulation_configuration(r.simulation)));
        assert_below(worst, 1e-3);
        assert_close(after, before, 0.02 * (1.0 + fabs(before)));
        assert_true(dls_kinetic_energy(dls_simulation_configuration(r.simulation)) > 0.05);
        run_stop(&r);
    }
}

/* Nothing is thrown up, nor falls further than it would freely: what heavy-on-light does under 500 sweeps. */
TEST(test_stacks_stand)
{
    static const struct {
        const char *name;
        size_t iterations;
        size_t steps;
    } cases[] = {{"stack-10", 500, 50}, {"stack-10-found", 500, 50}, {"heavy-on-light", 500, 50}, {"wall", 30, 10}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        run r;
        double lowest = 0.0, highest = 0.0;
        start(&r, cases[c].name, cases[c].iterations);
        run_steps(&r, cases[c].steps, dls_model_world(r.model)->step);
        for (size_t i = 0; i < dls_model_count(r.model).bodies; i++) {
            lowest = fmin(lowest, height(&r, i));
            highest = fmax(highest, height(&r, i));
        }
        double h = dls_model_world(r.model)->step, free_fall = 0.5 * 9.81 * pow(h * (double)cases[c].steps, 2);
        print_message("# %s after %zu steps: %zu rows, from %.1e to %.1e m; a free fall is %.1e m\n", cases[c].name,
                      cases[c].steps, dls_simulation_problem(r.simulation)->n, lowest, highest, free_fall);
        assert_true(lowest > -1.2 * free_fall && highest < 1e-4);
        run_stop(&r);
    }
}
