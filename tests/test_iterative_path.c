/* lib and solvers alone: from a scene to steps of a pendulum, with no dense matrix linked in. */
#include "delassus/delassus.h"
#include "delassus/solvers.h"

#include "check.h"

#include <string.h>

static dls_model *pendulum(void)
{
    dls_scene *scene;
    dls_body_def body;
    dls_joint_def joint;
    dls_error error;
    assert_status(dls_scene_create(&scene, &error), &error);
    dls_body_default(&body);
    strcpy(body.name, "bob");
    body.shape = DLS_SHAPE_SPHERE;
    body.radius = 0.1;
    body.mass = 2.385;
    body.position = dls_v3(1.0, 0.0, 0.0);
    assert_status(dls_scene_add_body(scene, &body, &error), &error);
    assert_status(dls_joint_default(&joint, "ball", &error), &error);
    strcpy(joint.name, "pivot");
    strcpy(joint.body[0], "bob");
    strcpy(joint.body[1], "world");
    assert_status(dls_joint_set(&joint, "anchor", "[0, 0, 0] m", &error), &error);
    assert_status(dls_scene_add_joint(scene, &joint, &error), &error);
    dls_model *model;
    assert_status(dls_model_create(scene, &model, &error), &error);
    dls_scene_destroy(scene);
    return model;
}

static double energy(dls_simulation *simulation)
{
    const dls_configuration *now = dls_simulation_configuration(simulation);
    return dls_kinetic_energy(now) + dls_potential_energy(now);
}

TEST(test_pendulum_keeps_its_length_and_energy)
{
    dls_model *model = pendulum();
    dls_simulation_options options = dls_simulation_default();
    dls_simulation *simulation;
    dls_error error;
    options.solver = dls_iterative_find("pgs");
    options.iterations = 200;
    assert_status(dls_simulation_open(model, &options, &simulation, &error), &error);
    double before = energy(simulation);
    for (int i = 0; i < 1000; i++)
        assert_status(dls_simulation_step(simulation, 1e-3, &error), &error);
    double after = energy(simulation);
    assert_close(dls_norm(dls_simulation_state(simulation)->x[0]), 1.0, 2e-4);
    assert_close(after, before, 0.05);
    assert_true(dls_simulation_state(simulation)->x[0].z < -0.1);
    dls_simulation_close(simulation);
    dls_model_destroy(model);
}
