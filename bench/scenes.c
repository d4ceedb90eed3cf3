#include "scenes.h"

#include <stdio.h>
#include <stdlib.h>

static const dls_vec3 box = {1.0, 0.8, 0.6};

static dls_body make_body(size_t free_index)
{
    const double mass = 2.385, k = mass / 12.0;
    dls_body body = {.offset = 6 * free_index, .block = free_index, .mass = mass, .shape = DLS_SHAPE_BOX, .size = box};
    body.inertia.m[0] = k * (box.y * box.y + box.z * box.z);
    body.inertia.m[4] = k * (box.x * box.x + box.z * box.z);
    body.inertia.m[8] = k * (box.x * box.x + box.y * box.y);
    return body;
}

static dls_status allocate(size_t n_bodies, size_t n_free, size_t n_joints, bench_scene **scene, dls_error *error)
{
    bench_scene *s = *scene = calloc(1, sizeof *s);
    if (s) {
        s->h = 0.01;
        s->model.world.gravity = dls_v3(0.0, 0.0, -9.81);
        s->model.n_bodies = s->model.n_ends = n_bodies, s->model.n_joints = n_joints, s->model.nv = 6 * n_free;
        s->model.n_blocks = n_free;
        s->model.bodies = calloc(n_bodies, sizeof *s->model.bodies);
        s->model.joints = calloc(n_joints + 1, sizeof *s->model.joints);
    }
    if (s && s->model.bodies && s->model.joints && dls_state_create(&s->model, &s->model.initial, error) == DLS_OK)
        return DLS_OK;
    bench_scene_destroy(s);
    *scene = NULL;
    return dls_fail(error, DLS_NO_MEMORY, "no memory for a scene of %zu bodies", n_bodies);
}

void bench_scene_destroy(bench_scene *s)
{
    if (!s)
        return;
    dls_state_destroy(s->model.initial);
    free(s->model.bodies);
    free(s->model.joints);
    dls_contacts_release(&s->contacts);
    free(s);
}

static void put_body(bench_scene *s, size_t index, size_t free_index, dls_vec3 x)
{
    s->model.bodies[index] = make_body(free_index);
    snprintf(s->model.bodies[index].name, DLS_NAME_MAX, "box %zu", free_index);
    s->model.initial->x[index] = x;
    s->model.initial->q[index] = dls_quat_identity();
}

/* --- pile --- */

/* The four corners of the rectangle where `upper` stands on `lower`. */
static void add_manifold(bench_scene *s, size_t upper, size_t lower, double x_from, double x_to, double mu)
{
    double z = s->model.initial->x[upper].z - 0.5 * box.z;
    for (int corner = 0; corner < 4; corner++) {
        dls_vec3 p = dls_v3(corner & 1 ? x_to : x_from, corner & 2 ? 0.5 * box.y : -0.5 * box.y, z);
        s->contacts.at[s->contacts.count++] = (dls_contact){.body = {upper, lower},
                                                            .point = {p, p},
                                                            .normal = {0.0, 0.0, 1.0},
                                                            .mu = mu,
                                                            .erp = 0.2,
                                                            .friction = DLS_FRICTION_COUPLED};
    }
}

dls_status bench_pile(size_t layers, double mu, bench_scene **scene, dls_error *error)
{
    size_t boxes = layers * (layers + 1) / 2, manifolds = layers * layers;
    const double pitch = 1.1 * box.x;
    DLS_TRY(allocate(boxes + 1, boxes, 0, scene, error));
    bench_scene *s = *scene;
    s->contacts.at = calloc(4 * manifolds, sizeof *s->contacts.at);
    if (!s->contacts.at) {
        bench_scene_destroy(s);
        *scene = NULL;
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu contacts", 4 * manifolds);
    }
    s->contacts.capacity = 4 * manifolds;
    s->model.bodies[0] = (dls_body){.name = "ground", .offset = DLS_NONE, .block = DLS_NONE, .shape = DLS_SHAPE_PLANE};
    s->model.initial->q[0] = dls_quat_identity();
    for (size_t layer = 0, index = 1; layer < layers; layer++)
        for (size_t i = 0; i < layers - layer; i++, index++) {
            double x = pitch * ((double)i + 0.5 * (double)layer), z = box.z * ((double)layer + 0.5);
            size_t below = index - (layers - layer + 1); /* of the layer below, left of this one */
            put_body(s, index, index - 1, dls_v3(x, 0.0, z));
            if (layer == 0) {
                add_manifold(s, index, 0, x - 0.5 * box.x, x + 0.5 * box.x, mu);
                continue;
            }
            add_manifold(s, index, below, x - 0.5 * box.x, x - 0.5 * pitch + 0.5 * box.x, mu);
            add_manifold(s, index, below + 1, x + 0.5 * pitch - 0.5 * box.x, x + 0.5 * box.x, mu);
        }
    return DLS_OK;
}

/* --- grid --- */

/* A ball joint at the world point p. */
static void add_ball(bench_scene *s, size_t body1, size_t body2, dls_vec3 p)
{
    const dls_model *model = &s->model;
    dls_joint *joint = &model->joints[s->model.n_joints++];
    joint->type = dls_joint_type_find("ball");
    joint->body[0] = body1, joint->body[1] = body2;
    joint->common = (dls_joint_common){.erp = 0.2, .force_lo = -HUGE_VAL, .force_hi = HUGE_VAL};
    for (int i = 0; i < 2; i++) {
        dls_vec3 x = joint->body[i] == DLS_WORLD ? dls_v3(0.0, 0.0, 0.0) : model->initial->x[joint->body[i]];
        joint->frame[i] = (dls_frame){dls_sub(p, x), dls_quat_identity()}; /* all bodies are upright */
    }
}

dls_status bench_grid(size_t side, bench_scene **scene, dls_error *error)
{
    DLS_TRY(allocate(side * side, side * side, 2 * side * side - side, scene, error));
    bench_scene *s = *scene;
    const double pitch_x = 1.1 * box.x, pitch_z = 1.1 * box.z;
    s->model.n_joints = 0;
    for (size_t row = 0, index = 0; row < side; row++)
        for (size_t i = 0; i < side; i++, index++) {
            dls_vec3 x = dls_v3(pitch_x * (double)i, 0.0, -pitch_z * (double)row);
            put_body(s, index, index, x);
            add_ball(s, index, row ? index - side : DLS_WORLD, dls_add(x, dls_v3(0.0, 0.0, 0.5 * pitch_z)));
            if (i > 0)
                add_ball(s, index, index - 1, dls_add(x, dls_v3(-0.5 * pitch_x, 0.0, 0.0)));
        }
    return DLS_OK;
}
