/* The matrix A of the dense reference is J M^-1 J^T + Gamma by its definition, with M^-1 J^T from the matrix M: of all
 * scenes, of a robot with limits and mimic joints, and of drawn trees with loops. */
#include "articulated.h"
#include "published.h"

#include "delassus/reference.h"

#include <glob.h>
#include <unistd.h>

/* Entries to 1e-12 of sqrt(A_ii A_jj), times the condition of M that the definition has and products do not; both
 * triangles are the same numbers, and no entry of the diagonal is negative. */
static void matrix_is_its_definition(const dls_model *model, double tolerance)
{
    dls_problem *p;
    dls_dense *dense;
    dls_error error;
    dls_state *state = new_state(model);
    assert_status(dls_problem_create(model, state, NULL, 0.01, &p, &error), &error);
    assert_status(dls_dense_create(p, &dense, &error), &error);
    const size_t n = p->n;
    double *B = calloc(n * p->nv + 1, sizeof *B), *A = calloc(n * n + 1, sizeof *A);
    dls_configuration *c;
    assert_status(dls_configuration_create(model, &c, &error), &error);
    dls_configuration_evaluate(c, state);
    assert_status(dls_configuration_factor(c, &error), &error);
    assert_status(dls_configuration_delassus(c, NULL, n, A, &error), &error);
    assert_status(dls_dense_response(p, B, &error), &error);
    const double most = largest(dense->A, n * n); /* J has zeros where the forces of a planar loop cancel to rounding */
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            const double scale = sqrt(dense->A[i * (n + 1)] * dense->A[j * (n + 1)]);
            const double gamma = i == j ? p->gamma[i] : 0.0;
            assert_close(dense->A[i + n * j], dls_rows_dot(&p->J, i, B + p->nv * j) + gamma, tolerance * scale);
            assert_close(dense->A[i + n * j], dense->A[j + n * i], 0.0);
            assert_close(A[i + n * j] + gamma, dense->A[i + n * j], tolerance * most);
            assert_close(A[i + n * j], A[j + n * i], 0.0);
        }
    free(B), free(A);
    dls_configuration_destroy(c);
    dls_dense_destroy(dense);
    dls_problem_destroy(p);
    dls_state_destroy(state);
}

static void matrix_of_file(const char *path)
{
    dls_scene *scene;
    dls_model *model;
    dls_error error;
    assert_status(dls_scene_read(path, &scene, &error), &error);
    assert_status(dls_model_create(scene, &model, &error), &error);
    matrix_is_its_definition(model, 1e-11);
    dls_scene_destroy(scene);
    dls_model_destroy(model);
}

TEST(test_matrices_of_scenes)
{
    char pattern[DLS_PATH_MAX];
    glob_t files;
    snprintf(pattern, sizeof pattern, "%s/scenes/*.yaml", getenv("DLS_TEST_SOURCE"));
    assert_int_equal(glob(pattern, 0, NULL, &files), 0);
    for (size_t k = 0; k < files.gl_pathc; k++)
        matrix_of_file(files.gl_pathv[k]);
    globfree(&files);
}

TEST(test_matrix_of_a_robot)
{
    char path[DLS_PATH_MAX];
    data_path(path, "urdf/baxter_simple.urdf");
    if (access(path, R_OK) != 0)
        skip();
    matrix_of_file(path);
}

TEST(test_matrices_of_drawn_trees)
{
    uint64_t seed = 4;
    for (int k = 0; k < 10; k++) {
        dls_scene *scene = draw_tree_scene(&seed, k % 2);
        dls_model *model;
        dls_error error;
        assert_status(dls_model_create(scene, &model, &error), &error);
        matrix_is_its_definition(model, 1e-12);
        dls_scene_destroy(scene);
        dls_model_destroy(model);
    }
}
