#include "scenes.h"

#include <stdio.h>
#include <stdlib.h>

/* --- the mechanism --- */

static dls_status allocate(size_t n_bodies, size_t n_contacts, size_t n_balls, bench_scene **scene, dls_error *error)
{
    bench_scene *s = *scene = calloc(1, sizeof *s);
    if (s) {
        s->m = (bench_mechanism){.h = 0.01, .gravity = 9.81};
        s->m.bodies = calloc(n_bodies + 1, sizeof *s->m.bodies);
        s->m.contacts = calloc(n_contacts + 1, sizeof *s->m.contacts);
        s->m.balls = calloc(n_balls + 1, sizeof *s->m.balls);
        s->contacts.at = calloc(n_contacts + 1, sizeof *s->contacts.at);
        s->contacts.capacity = n_contacts;
        if (s->m.bodies && s->m.contacts && s->m.balls && s->contacts.at)
            return DLS_OK;
    }
    bench_scene_destroy(s);
    *scene = NULL;
    return dls_fail(error, DLS_NO_MEMORY, "no memory for a mechanism of %zu bodies", n_bodies);
}

void bench_scene_destroy(bench_scene *s)
{
    if (!s)
        return;
    dls_model_destroy(s->model);
    free(s->m.bodies);
    free(s->m.contacts);
    free(s->m.balls);
    free(s->contacts.at);
    free(s);
}

static void put_box(bench_mechanism *m, double mass, dls_vec3 size, dls_vec3 x)
{
    const double k = mass / 12.0;
    m->bodies[m->n_bodies++] =
        (bench_free_body){.mass = mass,
                          .inertia = {k * (size.y * size.y + size.z * size.z), k * (size.x * size.x + size.z * size.z),
                                      k * (size.x * size.x + size.y * size.y)},
                          .size = {size.x, size.y, size.z},
                          .x = {x.x, x.y, x.z}};
}

/* --- the same as a model --- */

static dls_vec3 vector(const double a[3]) { return dls_v3(a[0], a[1], a[2]); }

static bool grounded(const bench_mechanism *m) { return m->collide || m->n_contacts > 0; }

static void body_name(size_t body, char name[DLS_NAME_MAX])
{
    if (body == BENCH_WORLD)
        snprintf(name, DLS_NAME_MAX, "world");
    else
        snprintf(name, DLS_NAME_MAX, "box %zu", body);
}

static dls_status add_ground(dls_scene *scene, dls_error *error)
{
    dls_body_def ground;
    dls_body_default(&ground);
    snprintf(ground.name, sizeof ground.name, "ground");
    ground.is_static = true;
    ground.shape = DLS_SHAPE_PLANE;
    return dls_scene_add_body(scene, &ground, error);
}

static dls_status add_body(dls_scene *scene, const bench_mechanism *m, size_t i, dls_error *error)
{
    dls_body_def body;
    dls_body_default(&body);
    body_name(i, body.name);
    body.shape = DLS_SHAPE_BOX;
    body.size = vector(m->bodies[i].size);
    body.mass = m->bodies[i].mass;
    body.position = vector(m->bodies[i].x);
    return dls_scene_add_body(scene, &body, error);
}

static dls_status add_ball(dls_scene *scene, const bench_mechanism *m, size_t k, dls_error *error)
{
    const bench_ball *ball = &m->balls[k];
    dls_joint_def joint;
    DLS_TRY(dls_joint_default(&joint, "ball", error));
    snprintf(joint.name, sizeof joint.name, "ball %zu", k);
    for (int i = 0; i < 2; i++)
        body_name(ball->body[i], joint.body[i]);
    dls_status status = dls_joint_set_numbers(&joint, "anchor", ball->anchor, 3, error);
    if (status == DLS_OK)
        status = dls_scene_add_joint(scene, &joint, error);
    if (status != DLS_OK)
        dls_joint_def_release(&joint);
    return status;
}

static dls_status fill_scene(const bench_mechanism *m, dls_scene *scene, dls_error *error)
{
    scene->world.gravity = dls_v3(0.0, 0.0, -m->gravity);
    scene->world.collide = m->collide;
    scene->world.friction = DLS_LAW_BOX;
    scene->world.mu = m->mu;
    scene->world.contact_margin = m->margin;
    if (grounded(m))
        DLS_TRY(add_ground(scene, error));
    for (size_t i = 0; i < m->n_bodies; i++)
        DLS_TRY(add_body(scene, m, i, error));
    for (size_t k = 0; k < m->n_balls; k++)
        DLS_TRY(add_ball(scene, m, k, error));
    return DLS_OK;
}

static dls_status make_model(bench_scene *s, dls_error *error)
{
    dls_scene *scene;
    DLS_TRY(dls_scene_create(&scene, error));
    dls_status status = fill_scene(&s->m, scene, error);
    if (status == DLS_OK)
        status = dls_model_create(scene, &s->model, error);
    dls_scene_destroy(scene);
    for (size_t k = 0; k < s->m.n_contacts; k++) {
        const bench_contact *from = &s->m.contacts[k];
        dls_contact *to = &s->contacts.at[s->contacts.count++];
        *to = (dls_contact){.normal = vector(from->normal), .mu = from->mu, .erp = 0.2, .friction = DLS_LAW_BOX};
        for (int i = 0; i < 2; i++) {
            to->body[i] = from->body[i] == BENCH_WORLD ? 0 : from->body[i] + 1;
            to->point[i] = vector(from->point);
        }
    }
    return status;
}

/* Ends a maker of scenes: its model, or nothing. */
static dls_status finish(bench_scene **scene, dls_error *error)
{
    dls_status status = make_model(*scene, error);
    if (status != DLS_OK) {
        bench_scene_destroy(*scene);
        *scene = NULL;
    }
    return status;
}

/* --- given contacts --- */

static const dls_vec3 brick = {1.0, 0.8, 0.6};
static const double brick_mass = 2.385;

/* The four corners of the rectangle where `upper` stands on `lower`. */
static void put_manifold(bench_mechanism *m, size_t upper, size_t lower, double x_from, double x_to, double mu)
{
    for (int corner = 0; corner < 4; corner++)
        m->contacts[m->n_contacts++] =
            (bench_contact){.body = {upper, lower},
                            .point = {corner & 1 ? x_to : x_from, corner & 2 ? 0.5 * brick.y : -0.5 * brick.y,
                                      m->bodies[upper].x[2] - 0.5 * brick.z},
                            .normal = {0.0, 0.0, 1.0},
                            .mu = mu};
}

dls_status bench_contacts(size_t layers, double mu, bench_scene **scene, dls_error *error)
{
    const double pitch = 1.1 * brick.x, half = 0.5 * brick.x;
    DLS_TRY(allocate(layers * (layers + 1) / 2, 4 * layers * layers, 0, scene, error));
    bench_mechanism *m = &(*scene)->m;
    for (size_t layer = 0; layer < layers; layer++)
        for (size_t i = 0; i < layers - layer; i++) {
            double x = pitch * ((double)i + 0.5 * (double)layer), z = brick.z * ((double)layer + 0.5);
            size_t index = m->n_bodies, below = index - (layers - layer + 1); /* of the layer below, left of this one */
            put_box(m, brick_mass, brick, dls_v3(x, 0.0, z));
            if (layer == 0) {
                put_manifold(m, index, BENCH_WORLD, x - half, x + half, mu);
                continue;
            }
            put_manifold(m, index, below, x - half, x - 0.5 * pitch + half, mu);
            put_manifold(m, index, below + 1, x + 0.5 * pitch - half, x + half, mu);
        }
    return finish(scene, error);
}

/* --- a grid of ball joints --- */

static void put_ball(bench_mechanism *m, size_t body1, size_t body2, dls_vec3 p)
{
    m->balls[m->n_balls++] = (bench_ball){{body1, body2}, {p.x, p.y, p.z}};
}

dls_status bench_grid(size_t columns, size_t rows, bench_scene **scene, dls_error *error)
{
    const double pitch_x = 1.1 * brick.x, pitch_z = 1.1 * brick.z;
    DLS_TRY(allocate(columns * rows, 0, 2 * columns * rows - rows, scene, error));
    bench_mechanism *m = &(*scene)->m;
    for (size_t row = 0; row < rows; row++)
        for (size_t i = 0; i < columns; i++) {
            const size_t index = m->n_bodies;
            const dls_vec3 x = dls_v3(pitch_x * (double)i, 0.0, -pitch_z * (double)row);
            put_box(m, brick_mass, brick, x);
            put_ball(m, index, row ? index - columns : BENCH_WORLD, dls_add(x, dls_v3(0.0, 0.0, 0.5 * pitch_z)));
            if (i > 0)
                put_ball(m, index, index - 1, dls_add(x, dls_v3(-0.5 * pitch_x, 0.0, 0.0)));
        }
    return finish(scene, error);
}

/* --- boxes that collide --- */

static const dls_vec3 unit = {1.0, 1.0, 1.0};
static const double unit_mass = 100.0;

static void collide(bench_mechanism *m)
{
    m->collide = 1;
    m->mu = 0.6;
    m->h = 1.0 / 60.0;
}

dls_status bench_pyramid(size_t bottom, bench_scene **scene, dls_error *error)
{
    DLS_TRY(allocate(bottom * (bottom + 1) / 2, 0, 0, scene, error));
    bench_mechanism *m = &(*scene)->m;
    collide(m);
    for (size_t row = 0; row < bottom; row++)
        for (size_t i = 0; i < bottom - row; i++)
            put_box(m, unit_mass, unit, dls_v3((double)i + 0.5 * (double)row, 0.0, (double)row + 0.5));
    return finish(scene, error);
}

dls_status bench_pile(size_t side, bench_scene **scene, dls_error *error)
{
    const double pitch = 1.1;
    DLS_TRY(allocate(side * (side + 1) * (2 * side + 1) / 6, 0, 0, scene, error));
    bench_mechanism *m = &(*scene)->m;
    collide(m);
    for (size_t layer = 0; layer < side; layer++)
        for (size_t i = 0; i < side - layer; i++)
            for (size_t k = 0; k < side - layer; k++)
                put_box(m, unit_mass, unit,
                        dls_v3(pitch * ((double)i + 0.5 * (double)layer), pitch * ((double)k + 0.5 * (double)layer),
                               (double)layer + 0.5));
    return finish(scene, error);
}

dls_status bench_wall(size_t bricks, bench_scene **scene, dls_error *error)
{
    const dls_vec3 size = {0.24, 0.115, 0.1};
    const size_t columns = bricks < 20 ? 5 : 10;
    DLS_TRY(allocate(bricks, 0, 0, scene, error));
    bench_mechanism *m = &(*scene)->m;
    collide(m);
    m->h = 1.0 / 240.0;
    m->margin = 0.002;
    for (size_t course = 0; course < bricks / columns; course++)
        for (size_t i = 0; i < columns; i++)
            put_box(m, 1800.0 * size.x * size.y * size.z, size,
                    dls_v3(0.25 * (double)i + (course % 2 ? 0.06 : 0.0), 0.0, size.z * ((double)course + 0.5)));
    return finish(scene, error);
}
