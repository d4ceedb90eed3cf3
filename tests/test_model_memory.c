/* From a scene to a step: the n-th allocation fails, for every n, and the call that needed it says so and leaks
 * nothing. */
#include "delassus/delassus.h"
#include "delassus/solvers.h"

#include "check.h"
#include "failing_memory.h"

#include <stdio.h>
#include <string.h>

static dls_status add_body(dls_scene *scene, int i, dls_error *error)
{
    dls_body_def body;
    dls_body_default(&body);
    snprintf(body.name, sizeof body.name, "ball%d", i);
    body.shape = DLS_SHAPE_SPHERE;
    body.radius = 0.3;
    body.mass = 1.7;
    body.position = dls_v3(0.5 * i, 0.1 * (i % 3), 0);
    return dls_scene_add_body(scene, &body, error);
}

static dls_status add_joint(dls_scene *scene, const char *type, int i, dls_error *error)
{
    dls_joint_def joint;
    DLS_TRY(dls_joint_default(&joint, type, error));
    snprintf(joint.name, sizeof joint.name, "joint%d", i);
    snprintf(joint.body[0], sizeof joint.body[0], "ball%d", i);
    snprintf(joint.body[1], sizeof joint.body[1], "ball%d", i + 1);
    dls_status status = dls_scene_add_joint(scene, &joint, error);
    dls_joint_def_release(&joint);
    return status;
}

static dls_status fill(dls_scene *scene, dls_error *error)
{
    scene->world.collide = true;
    for (int i = 0; i < 20; i++)
        DLS_TRY(add_body(scene, i, error));
    for (int i = 0; i < 10; i++)
        DLS_TRY(add_joint(scene, "fixed", i, error));
    return DLS_OK;
}

static dls_status steps(const dls_model *model, const dls_scheme *scheme, size_t iterations, dls_error *error)
{
    dls_simulation_options options = dls_simulation_default();
    double worst;
    dls_simulation *simulation;
    options.solver = dls_iterative_find("pgs");
    options.scheme = scheme;
    options.iterations = iterations;
    DLS_TRY(dls_simulation_open(model, &options, &simulation, error));
    dls_status status = DLS_OK;
    for (int i = 0; i < 2 && status == DLS_OK; i++)
        status = dls_simulation_step(simulation, 1e-3, error);
    if (status == DLS_OK)
        status =
            dls_check_jacobians(model, dls_simulation_state(simulation), DLS_CHECK_STEP, &worst, NULL, NULL, error);
    dls_simulation_close(simulation);
    return status;
}

static dls_status whole(const dls_scheme *scheme, size_t iterations, dls_error *error)
{
    dls_scene *scene;
    dls_model *model = NULL;
    DLS_TRY(dls_scene_create(&scene, error));
    dls_status status = fill(scene, error);
    if (status == DLS_OK)
        status = dls_model_create(scene, &model, error);
    dls_scene_destroy(scene);
    if (status == DLS_OK)
        status = steps(model, scheme, iterations, error);
    dls_model_destroy(model);
    return status;
}

static dls_status five_iterations(const void *scheme, dls_error *error) { return whole(scheme, 5, error); }

TEST(test_every_allocation_may_fail)
{
    for (size_t i = 0; dls_schemes[i]; i++)
        fail_every_allocation(five_iterations, dls_schemes[i], dls_schemes[i]->name);
}

static size_t needed_by(const dls_scheme *scheme, size_t iterations)
{
    dls_error error;
    allocations = 0, fail_at = 0;
    assert_status(whole(scheme, iterations, &error), &error);
    return allocations;
}

TEST(test_iterations_take_no_memory)
{
    for (size_t i = 0; dls_schemes[i]; i++)
        if (strcmp(dls_schemes[i]->name, "small-steps") != 0) /* each of its iterations is a solve */
            assert_int_equal(needed_by(dls_schemes[i], 50), needed_by(dls_schemes[i], 1));
}
