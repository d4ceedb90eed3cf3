/* A scene built in C, stepped, with the forces of its joints read back.
 *
 * Two weights hang in a chain of two ball joints, and the lower one is pushed. At each step the program checks Newton's
 * law of the lower weight: its momentum changes by h (m g + f), f the force that the joint is said to exert on it.
 *
 *     cc hanging.c $(pkg-config --cflags --libs delassus) -o hanging && ./hanging
 */
#include <delassus/delassus.h>
#include <delassus/experiments.h>

#include <stdio.h>
#include <string.h>

static dls_status add_weight(dls_scene *scene, const char *name, double mass, double height, double speed,
                             dls_error *error)
{
    dls_body_def body;
    dls_body_default(&body);
    strcpy(body.name, name);
    body.shape = DLS_SHAPE_SPHERE;
    body.radius = 0.1;
    body.mass = mass;
    body.position = dls_v3(0.0, 0.0, height);
    body.velocity = dls_v3(speed, 0.0, 0.0);
    return dls_scene_add_body(scene, &body, error);
}

/* A ball joint between two bodies, or between a body and the "world". The scene takes the definition; one that was not
 * taken is released. */
static dls_status add_joint(dls_scene *scene, const char *name, const char *body1, const char *body2,
                            const char *anchor, dls_error *error)
{
    dls_joint_def joint;
    DLS_TRY(dls_joint_default(&joint, "ball", error));
    dls_status status = dls_joint_set(&joint, "name", name, error);
    if (status == DLS_OK)
        status = dls_joint_set(&joint, "body1", body1, error);
    if (status == DLS_OK)
        status = dls_joint_set(&joint, "body2", body2, error);
    if (status == DLS_OK)
        status = dls_joint_set(&joint, "anchor", anchor, error);
    if (status == DLS_OK)
        status = dls_scene_add_joint(scene, &joint, error);
    dls_joint_def_release(&joint);
    return status;
}

static dls_status build(dls_model **model, dls_error *error)
{
    dls_scene *scene;
    DLS_TRY(dls_scene_create(&scene, error));
    dls_status status = add_weight(scene, "upper", 2.0, -1.0, 0.0, error);
    if (status == DLS_OK)
        status = add_weight(scene, "lower", 3.0, -2.0, 1.5, error);
    if (status == DLS_OK)
        status = add_joint(scene, "hook", "upper", "world", "[0, 0, 0]", error);
    if (status == DLS_OK)
        status = add_joint(scene, "link", "lower", "upper", "[0, 0, -1]", error);
    if (status == DLS_OK)
        status = dls_model_create(scene, model, error);
    dls_scene_destroy(scene);
    return status;
}

/* Bodies and joints have the numbers of the order in which they were added. */
enum { LOWER = 1, HOOK = 0, LINK = 1, STEPS = 1000 };

static dls_status swing(dls_simulation *simulation, double *worst, dls_error *error)
{
    const double h = 0.001;
    const dls_model *model = dls_simulation_model(simulation);
    const dls_body *lower = &dls_model_bodies(model)[LOWER];
    for (int k = 1; k <= STEPS; k++) {
        dls_constraint_force hook, link;
        const double *v = dls_simulation_state(simulation)->v + lower->offset;
        dls_vec3 before = dls_v3(v[0], v[1], v[2]);
        DLS_TRY(dls_simulation_step(simulation, h, error));
        DLS_TRY(dls_simulation_forces_of(simulation, HOOK, &hook, error));
        DLS_TRY(dls_simulation_forces_of(simulation, LINK, &link, error));
        v = dls_simulation_state(simulation)->v + lower->offset;
        dls_vec3 change = dls_scale(lower->mass, dls_sub(dls_v3(v[0], v[1], v[2]), before));
        dls_vec3 force = dls_add(dls_scale(lower->mass, dls_model_world(model)->gravity), link.end[0].lin);
        *worst = fmax(*worst, dls_norm(dls_sub(change, dls_scale(h, force))));
        if (k % 100 == 0)
            printf("%.1f s: the hook pulls with (%7.3f, %7.3f, %7.3f) N\n", k * h, hook.end[0].lin.x, hook.end[0].lin.y,
                   hook.end[0].lin.z);
    }
    return DLS_OK;
}

int main(void)
{
    dls_error error;
    char text[DLS_MESSAGE_MAX];
    dls_model *model = NULL;
    dls_simulation *simulation = NULL;
    double worst = 0.0;
    dls_simulation_options options = dls_simulation_default();
    options.solver = dls_solver_find("block-pivoting");
    dls_status status = build(&model, &error);
    if (status == DLS_OK)
        status = dls_simulation_open(model, &options, &simulation, &error);
    if (status == DLS_OK)
        status = swing(simulation, &worst, &error);
    dls_simulation_close(simulation);
    dls_model_destroy(model);
    if (status != DLS_OK) {
        dls_error_format(&error, text, sizeof text);
        fprintf(stderr, "%s\n", text);
        return 1;
    }
    printf("m (v1 - v0) - h (m g + f) is %.1e N s at most\n", worst);
    return worst < 1e-12 ? 0 : 1;
}
