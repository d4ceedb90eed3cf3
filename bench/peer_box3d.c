/* Box3D's whole step, in the precision of its build (float by default): soft contacts in substeps, each with one sweep
 * that has the bias and one, relaxing, that has none. E. Catto, 2026. */
#include "peer.h"

#include <box3d/box3d.h>

#include <stdlib.h>

typedef struct box3d_world {
    const bench_mechanism *m;
    b3WorldId world;
    b3BodyId ground, *bodies;
    int substeps;
} box3d_world;

static b3Vec3 vector(const double *x) { return (b3Vec3){(float)x[0], (float)x[1], (float)x[2]}; }

static void add_ground(box3d_world *w)
{
    b3BodyDef def = b3DefaultBodyDef();
    b3BoxHull slab = b3MakeBoxHull(1000.0f, 1000.0f, 1.0f);
    b3ShapeDef shape = b3DefaultShapeDef();
    def.position.z = -1.0f;
    w->ground = b3CreateBody(w->world, &def);
    shape.baseMaterial.friction = (float)w->m->mu;
    if (!w->m->collide)
        shape.filter.maskBits = 0;
    b3CreateHullShape(w->ground, &shape, &slab.base);
}

static void add_body(box3d_world *w, size_t i)
{
    const bench_free_body *b = &w->m->bodies[i];
    b3BodyDef def = b3DefaultBodyDef();
    b3ShapeDef shape = b3DefaultShapeDef();
    b3BoxHull box = b3MakeBoxHull((float)(0.5 * b->size[0]), (float)(0.5 * b->size[1]), (float)(0.5 * b->size[2]));
    b3MassData mass = {.mass = (float)b->mass};
    def.type = b3_dynamicBody;
    def.enableSleep = false;
    def.position.x = (float)b->x[0], def.position.y = (float)b->x[1], def.position.z = (float)b->x[2];
    mass.inertia.cx.x = (float)b->inertia[0], mass.inertia.cy.y = (float)b->inertia[1];
    mass.inertia.cz.z = (float)b->inertia[2];
    shape.baseMaterial.friction = (float)w->m->mu;
    if (!w->m->collide)
        shape.filter.maskBits = 0;
    w->bodies[i] = b3CreateBody(w->world, &def);
    b3CreateHullShape(w->bodies[i], &shape, &box.base);
    b3Body_SetMassData(w->bodies[i], mass);
}

/* The frame of a body, whose axes are the world's, at a point of the world. */
static b3Vec3 anchor_on(const box3d_world *w, size_t body, const double *p)
{
    static const double ground[3] = {0.0, 0.0, -1.0};
    const double *x = body == BENCH_WORLD ? ground : w->m->bodies[body].x;
    return vector((double[3]){p[0] - x[0], p[1] - x[1], p[2] - x[2]});
}

static void add_ball(box3d_world *w, const bench_ball *ball)
{
    b3SphericalJointDef def = b3DefaultSphericalJointDef();
    b3BodyId body[2];
    for (int i = 0; i < 2; i++)
        body[i] = ball->body[i] == BENCH_WORLD ? w->ground : w->bodies[ball->body[i]];
    def.base.bodyIdA = body[0], def.base.bodyIdB = body[1];
    def.base.localFrameA.p = anchor_on(w, ball->body[0], ball->anchor);
    def.base.localFrameB.p = anchor_on(w, ball->body[1], ball->anchor);
    b3CreateSphericalJoint(w->world, &def);
}

static void *create(const bench_mechanism *m, int iterations)
{
    box3d_world *w = calloc(1, sizeof *w);
    if (!w || !(w->bodies = calloc(m->n_bodies + 1, sizeof *w->bodies))) {
        free(w);
        return NULL;
    }
    b3WorldDef def = b3DefaultWorldDef();
    def.gravity = (b3Vec3){0.0f, 0.0f, (float)-m->gravity};
    def.enableSleep = false;
    def.workerCount = 1;
    w->m = m;
    w->substeps = iterations / 2;
    w->world = b3CreateWorld(&def);
    add_ground(w);
    for (size_t i = 0; i < m->n_bodies; i++)
        add_body(w, i);
    for (size_t k = 0; k < m->n_balls; k++)
        add_ball(w, &m->balls[k]);
    return w;
}

static double step(void *world)
{
    box3d_world *w = world;
    double start = bench_clock();
    b3World_Step(w->world, (float)w->m->h, w->substeps);
    return bench_since(start);
}

static void read(void *world, double *pose, double *v)
{
    box3d_world *w = world;
    for (size_t i = 0; i < w->m->n_bodies; i++, pose += 7, v += 6) {
        b3Pos x = b3Body_GetPosition(w->bodies[i]);
        b3Quat q = b3Body_GetRotation(w->bodies[i]);
        b3Vec3 linear = b3Body_GetLinearVelocity(w->bodies[i]), angular = b3Body_GetAngularVelocity(w->bodies[i]);
        pose[0] = x.x, pose[1] = x.y, pose[2] = x.z;
        pose[3] = q.s, pose[4] = q.v.x, pose[5] = q.v.y, pose[6] = q.v.z;
        v[0] = linear.x, v[1] = linear.y, v[2] = linear.z;
        v[3] = angular.x, v[4] = angular.y, v[5] = angular.z;
    }
}

static void destroy(void *world)
{
    box3d_world *w = world;
    b3DestroyWorld(w->world);
    free(w->bodies);
    free(w);
}

const bench_engine bench_engine_box3d = {
    "box3d", "iterations / 2 substeps of a sweep with bias and one without, warm; defaults else", create, step, read,
    destroy};
