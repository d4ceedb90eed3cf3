#include "scenes.h"

#include <stdio.h>
#include <stdlib.h>

/* A scene that is being made: `count` boxes of one size and mass, after the ground if there is one. */
typedef struct maker {
    dls_scene *scene;
    dls_contacts contacts;
    size_t count, balls;
    dls_vec3 size;     /* [m] */
    double mass;       /* [kg] */
    dls_status status; /* the first failure */
    dls_error *error;
} maker;

#define NO_BOX ((size_t)-1) /* the world, or the ground */

static maker make_scene(dls_vec3 size, double mass, double step, dls_error *error)
{
    maker m = {.size = size, .mass = mass, .error = error};
    m.status = dls_scene_create(&m.scene, error);
    if (m.status == DLS_OK) {
        dls_world_def *world = &m.scene->world;
        world->gravity = dls_v3(0.0, 0.0, -9.81);
        world->friction = DLS_LAW_BOX;
        world->mu = world->contact_margin = 0.0;
        world->step = step;
    }
    return m;
}

static void put_ground(maker *m)
{
    dls_body_def ground;
    dls_body_default(&ground);
    snprintf(ground.name, sizeof ground.name, "ground");
    ground.is_static = true;
    ground.shape = DLS_SHAPE_PLANE;
    if (m->status == DLS_OK)
        m->status = dls_scene_add_body(m->scene, &ground, m->error);
}

/* Boxes that collide with each other and with the ground z = 0. */
static maker make_colliding(dls_vec3 size, double mass, double step, dls_error *error)
{
    maker m = make_scene(size, mass, step, error);
    put_ground(&m);
    if (m.status == DLS_OK) {
        m.scene->world.collide = true;
        m.scene->world.mu = 0.6;
    }
    return m;
}

static void name_box(size_t box, char name[DLS_NAME_MAX])
{
    if (box == NO_BOX)
        snprintf(name, DLS_NAME_MAX, "world");
    else
        snprintf(name, DLS_NAME_MAX, "box %zu", box);
}

static void put_box(maker *m, dls_vec3 x)
{
    dls_body_def body;
    dls_body_default(&body);
    name_box(m->count++, body.name);
    body.shape = DLS_SHAPE_BOX;
    body.size = m->size;
    body.mass = m->mass;
    body.position = x;
    if (m->status == DLS_OK)
        m->status = dls_scene_add_body(m->scene, &body, m->error);
}

/* The model, or nothing. */
static dls_status finish(maker *m, bench_scene **scene)
{
    bench_scene *s = *scene = calloc(1, sizeof *s);
    if (m->status == DLS_OK && !s)
        m->status = dls_fail(m->error, DLS_NO_MEMORY, "no memory for a scene of %zu boxes", m->count);
    if (m->status == DLS_OK) {
        *s = (bench_scene){.boxes = m->count, .contacts = m->contacts};
        m->contacts = (dls_contacts){0};
        m->status = dls_model_create(m->scene, &s->model, m->error);
    }
    if (m->status == DLS_OK)
        s->h = dls_model_world(s->model)->step;
    dls_scene_destroy(m->scene);
    dls_contacts_release(&m->contacts);
    if (m->status != DLS_OK) {
        bench_scene_destroy(s);
        *scene = NULL;
    }
    return m->status;
}

void bench_scene_destroy(bench_scene *s)
{
    if (!s)
        return;
    dls_model_destroy(s->model);
    dls_contacts_release(&s->contacts);
    free(s);
}

/* --- given contacts --- */

static const dls_vec3 brick = {1.0, 0.8, 0.6};
static const double brick_mass = 2.385;

/* The four corners of the rectangle at height z where the box `upper` stands on `lower`. */
static void put_manifold(maker *m, size_t upper, size_t lower, double x_from, double x_to, double z, double mu)
{
    for (int corner = 0; corner < 4 && m->contacts.at; corner++) {
        const dls_vec3 p = dls_v3(corner & 1 ? x_to : x_from, corner & 2 ? 0.5 * brick.y : -0.5 * brick.y, z);
        m->contacts.at[m->contacts.count++] = (dls_contact){.body = {upper + 1, lower == NO_BOX ? 0 : lower + 1},
                                                            .point = {p, p},
                                                            .normal = dls_axis3(2),
                                                            .mu = mu,
                                                            .erp = 0.2,
                                                            .friction = DLS_LAW_BOX};
    }
}

dls_status bench_contacts(size_t layers, double mu, bench_scene **scene, dls_error *error)
{
    const double pitch = 1.1 * brick.x, half = 0.5 * brick.x;
    maker m = make_scene(brick, brick_mass, 0.01, error);
    put_ground(&m);
    m.contacts.capacity = 4 * layers * layers;
    m.contacts.at = calloc(m.contacts.capacity, sizeof *m.contacts.at);
    if (m.status == DLS_OK && !m.contacts.at)
        m.status = dls_fail(error, DLS_NO_MEMORY, "no memory for %zu contacts", m.contacts.capacity);
    for (size_t layer = 0; layer < layers; layer++)
        for (size_t i = 0; i < layers - layer; i++) {
            const double x = pitch * ((double)i + 0.5 * (double)layer), z = brick.z * ((double)layer + 0.5);
            const double low = z - 0.5 * brick.z;
            const size_t index = m.count, below = index - (layers - layer + 1); /* in the layer below, to the left */
            put_box(&m, dls_v3(x, 0.0, z));
            if (layer == 0) {
                put_manifold(&m, index, NO_BOX, x - half, x + half, low, mu);
                continue;
            }
            put_manifold(&m, index, below, x - half, x - 0.5 * pitch + half, low, mu);
            put_manifold(&m, index, below + 1, x + 0.5 * pitch - half, x + half, low, mu);
        }
    return finish(&m, scene);
}

/* --- a grid of ball joints --- */

static dls_status add_ball(maker *m, size_t box1, size_t box2, dls_vec3 p)
{
    const double anchor[3] = {p.x, p.y, p.z};
    dls_joint_def joint;
    DLS_TRY(dls_joint_default(&joint, "ball", m->error));
    snprintf(joint.name, sizeof joint.name, "ball %zu", m->balls++);
    name_box(box1, joint.body[0]);
    name_box(box2, joint.body[1]);
    dls_status status = dls_joint_set_numbers(&joint, "anchor", anchor, 3, m->error);
    if (status == DLS_OK)
        status = dls_scene_add_joint(m->scene, &joint, m->error);
    if (status != DLS_OK)
        dls_joint_def_release(&joint);
    return status;
}

dls_status bench_grid(size_t columns, size_t rows, bench_scene **scene, dls_error *error)
{
    const dls_vec3 pitch = dls_scale(1.1, brick);
    maker m = make_scene(brick, brick_mass, 0.01, error);
    for (size_t row = 0; row < rows; row++)
        for (size_t i = 0; i < columns; i++)
            put_box(&m, dls_v3(pitch.x * (double)i, 0.0, -pitch.z * (double)row));
    for (size_t index = 0; index < rows * columns && m.status == DLS_OK; index++) {
        const size_t row = index / columns, i = index % columns;
        const dls_vec3 x = dls_v3(pitch.x * (double)i, 0.0, -pitch.z * (double)row);
        m.status = add_ball(&m, index, row ? index - columns : NO_BOX, dls_add(x, dls_v3(0.0, 0.0, 0.5 * pitch.z)));
        if (i > 0 && m.status == DLS_OK)
            m.status = add_ball(&m, index, index - 1, dls_add(x, dls_v3(-0.5 * pitch.x, 0.0, 0.0)));
    }
    return finish(&m, scene);
}

/* --- boxes that collide --- */

static const dls_vec3 unit = {1.0, 1.0, 1.0};
static const double unit_mass = 100.0;

dls_status bench_pyramid(size_t bottom, bench_scene **scene, dls_error *error)
{
    maker m = make_colliding(unit, unit_mass, 1.0 / 60.0, error);
    for (size_t row = 0; row < bottom; row++)
        for (size_t i = 0; i < bottom - row; i++)
            put_box(&m, dls_v3((double)i + 0.5 * (double)row, 0.0, (double)row + 0.5));
    return finish(&m, scene);
}

dls_status bench_pile(size_t side, bench_scene **scene, dls_error *error)
{
    const double pitch = 1.1;
    maker m = make_colliding(unit, unit_mass, 1.0 / 60.0, error);
    for (size_t layer = 0; layer < side; layer++)
        for (size_t i = 0; i < side - layer; i++)
            for (size_t k = 0; k < side - layer; k++)
                put_box(&m, dls_v3(pitch * ((double)i + 0.5 * (double)layer), pitch * ((double)k + 0.5 * (double)layer),
                                   (double)layer + 0.5));
    return finish(&m, scene);
}

dls_status bench_wall(size_t bricks, bench_scene **scene, dls_error *error)
{
    const dls_vec3 size = {0.24, 0.115, 0.1};
    const size_t columns = bricks < 20 ? 5 : 10;
    maker m = make_colliding(size, 1800.0 * size.x * size.y * size.z, 1.0 / 240.0, error);
    if (m.status == DLS_OK)
        m.scene->world.contact_margin = 0.002;
    for (size_t course = 0; course < bricks / columns; course++)
        for (size_t i = 0; i < columns; i++)
            put_box(&m, dls_v3(0.25 * (double)i + (course % 2 ? 0.06 : 0.0), 0.0, size.z * ((double)course + 0.5)));
    return finish(&m, scene);
}
