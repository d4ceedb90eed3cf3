/* Every allocation of a rig fails once, in every method of constraint stabilisation and with rows in another order: the
 * status says so, nothing leaks. */
#include "check.h"
#include "failing_memory.h"

#include "study/rig.h"

typedef struct rig_case {
    const dls_method *method;
    dls_row_order order;
    const dls_model *model;
} rig_case;

static dls_status try_rig(const void *argument, dls_error *error)
{
    const rig_case *c = argument;
    const dls_rig_plan plan = {.method = c->method->name, .order = c->order, .iterations = 2};
    dls_rig rig;
    dls_status status = dls_rig_open_model(&rig, c->model, &plan, error);
    for (int k = 0; k < 2 && status == DLS_OK; k++)
        status = dls_rig_step(&rig, 0.01, error);
    dls_rig_close(&rig);
    return status;
}

static void check_method(const dls_method *method, dls_row_order order)
{
    const dls_stabilisation hold = {0.2, 5.0, 1.0};
    dls_scene *scene;
    dls_model *model;
    dls_error error;
    assert_status(dls_scene_named("hinge-pair", &scene, &error), &error);
    scene->bodies[scene->n_bodies - 1].mass = 1e3 * scene->bodies[0].mass;
    dls_stabilise_joints(scene, method, &hold);
    assert_status(dls_model_create(scene, &model, &error), &error);
    dls_scene_destroy(scene);
    fail_every_allocation(try_rig, &(rig_case){method, order, model}, method->name);
    dls_model_destroy(model);
}

TEST(test_every_allocation)
{
    for (const dls_method *method = dls_methods; method->name; method++)
        for (int k = 0; k < 2; k++)
            check_method(method, k ? DLS_ORDER_REVERSED : DLS_ORDER_GIVEN);
}
