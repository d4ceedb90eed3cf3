/* Box3D: soft constraints in substeps, each with one sweep that has the bias and one relaxing sweep without it.
 * E. Catto.
 *
 * The origin of a body is its centre of mass, and it has the full inertia matrix. Planes are the tops of wide boxes.
 */
#include "engine.h"

#include <box3d/box3d.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct box3d_world {
    const dls_engine_mechanism *m;
    b3WorldId world;
    b3BodyId ground; /* of joints to the world */
    b3BodyId *bodies;
} box3d_world;

static void version(char *text, size_t size)
{
    const b3Version v = b3GetVersion();
    snprintf(text, size, "Box3D %d.%d.%d, %s", v.major, v.minor, v.revision,
             b3IsDoublePrecision() ? "positions in double, all else in single precision" : "single precision");
}

static b3Vec3 vector(dls_vec3 v) { return (b3Vec3){(float)v.x, (float)v.y, (float)v.z}; }
static b3Quat rotation(dls_quat q) { return (b3Quat){.v = {(float)q.x, (float)q.y, (float)q.z}, .s = (float)q.w}; }
static b3Pos point(dls_vec3 v)
{
    const b3Pos p = {(float)v.x, (float)v.y, (float)v.z};
    return p;
}

/* Planes stand behind the bodies, and touch all of them. */
static bool may_touch(b3ShapeId one, b3ShapeId other, void *world)
{
    const box3d_world *w = world;
    const size_t n = w->m->n_bodies;
    const size_t i = (size_t)((const b3BodyId *)b3Shape_GetUserData(one) - w->bodies);
    const size_t j = (size_t)((const b3BodyId *)b3Shape_GetUserData(other) - w->bodies);
    return i >= n || j >= n || w->m->touch[i * n + j];
}

static b3ShapeDef shape_def(const box3d_world *w, size_t i)
{
    b3ShapeDef def = b3DefaultShapeDef();
    def.userData = &w->bodies[i];
    def.enableCustomFiltering = true;
    def.updateBodyMass = false;
    def.baseMaterial.friction = (float)w->m->mu;             /* of two: the root of the product */
    def.baseMaterial.restitution = (float)w->m->restitution; /* the larger one */
    return def;
}

static void add_shape(box3d_world *w, size_t i, const dls_engine_shape *s)
{
    const b3ShapeDef def = shape_def(w, i);
    const dls_vec3 half = dls_scale(0.5, s->size), axis = dls_quat_rotate(s->q, dls_v3(0.0, 0.0, 0.5 * s->length));
    const float radius = (float)s->radius;
    if (s->shape == DLS_SHAPE_BOX) {
        const b3Transform at = {vector(s->x), rotation(s->q)};
        const float x = (float)half.x, y = (float)half.y, z = (float)half.z;
        const b3BoxHull box = s->placed ? b3MakeTransformedBoxHull(x, y, z, at) : b3MakeBoxHull(x, y, z);
        b3CreateHullShape(w->bodies[i], &def, &box.base);
    } else if (s->shape == DLS_SHAPE_SPHERE) {
        const b3Sphere sphere = {.center = vector(s->x), .radius = radius};
        b3CreateSphereShape(w->bodies[i], &def, &sphere);
    } else {
        const b3Capsule capsule = {
            .center1 = vector(dls_sub(s->x, axis)), .center2 = vector(dls_add(s->x, axis)), .radius = radius};
        b3CreateCapsuleShape(w->bodies[i], &def, &capsule);
    }
}

static void add_body(box3d_world *w, size_t i)
{
    const dls_engine_body *b = &w->m->bodies[i];
    const double *I = b->inertia.m;
    const b3MassData mass = {.mass = (float)b->mass,
                             .inertia = {.cx = {(float)I[0], (float)I[3], (float)I[6]},
                                         .cy = {(float)I[1], (float)I[4], (float)I[7]},
                                         .cz = {(float)I[2], (float)I[5], (float)I[8]}}};
    b3BodyDef def = b3DefaultBodyDef();
    def.type = b->moves ? b3_dynamicBody : b3_staticBody;
    def.enableSleep = false;
    def.allowFastRotation = true;
    def.position = point(b->x);
    def.rotation = rotation(b->q);
    def.linearVelocity = vector(b->v);
    def.angularVelocity = vector(b->omega);
    w->bodies[i] = b3CreateBody(w->world, &def);
    for (size_t k = 0; k < b->n_shapes && b->collides; k++)
        add_shape(w, i, &b->shapes[k]);
    if (b->moves)
        b3Body_SetMassData(w->bodies[i], mass);
}

static void add_plane(box3d_world *w, const dls_engine_plane *p)
{
    const float wide = 1000.0f, thick = 1.0f; /* [m], halves */
    b3BodyDef def = b3DefaultBodyDef();
    def.position = point(dls_scale(p->distance - thick, p->normal));
    def.rotation = rotation(dls_quat_between(dls_axis3(2), p->normal));
    const b3BodyId body = b3CreateBody(w->world, &def);
    b3ShapeDef shape = shape_def(w, w->m->n_bodies);
    if (w->m->mu > 0.0)
        shape.baseMaterial.friction = (float)(p->mu * p->mu / w->m->mu);
    const b3BoxHull slab = b3MakeBoxHull(wide, wide, thick);
    b3CreateHullShape(body, &shape, &slab.base);
}

/* The ends of a joint. Its frames stand at the anchors, their axis number `axis` along the world's directions a. */
static void tie(const box3d_world *w, const dls_engine_joint *j, const int order[2], int axis, b3JointDef *base)
{
    const dls_quat turned = dls_quat_between(dls_axis3(axis), j->axis[0]);
    b3BodyId body[2];
    b3Transform frame[2];
    for (int k = 0; k < 2; k++) {
        const size_t i = j->body[order[k]];
        const dls_vec3 anchor = j->anchor[order[k]];
        body[k] = i == DLS_WORLD ? w->ground : w->bodies[i];
        frame[k] = (b3Transform){vector(anchor), rotation(turned)};
        if (i == DLS_WORLD)
            continue;
        const dls_engine_body *b = &w->m->bodies[i];
        const dls_quat back = dls_quat_conj(b->q);
        frame[k].p = vector(dls_quat_rotate(back, dls_sub(anchor, b->x)));
        frame[k].q = rotation(dls_quat_mul(back, turned));
    }
    base->bodyIdA = body[0], base->bodyIdB = body[1];
    base->localFrameA = frame[0], base->localFrameB = frame[1];
}

static void add_joint(box3d_world *w, const dls_engine_joint *j)
{
    static const int order[2] = {1, 0}; /* its body A is our body 2 */
    if (j->pair == DLS_PAIR_BALL) {
        b3SphericalJointDef def = b3DefaultSphericalJointDef();
        tie(w, j, order, 2, &def.base);
        b3CreateSphericalJoint(w->world, &def);
    } else if (j->pair == DLS_PAIR_HINGE) {
        b3RevoluteJointDef def = b3DefaultRevoluteJointDef();
        tie(w, j, order, 2, &def.base);
        b3CreateRevoluteJoint(w->world, &def);
    } else if (j->pair == DLS_PAIR_SLIDER) {
        b3PrismaticJointDef def = b3DefaultPrismaticJointDef();
        tie(w, j, order, 0, &def.base);
        b3CreatePrismaticJoint(w->world, &def);
    } else if (j->pair == DLS_PAIR_FIXED) {
        b3WeldJointDef def = b3DefaultWeldJointDef();
        tie(w, j, order, 2, &def.base);
        b3CreateWeldJoint(w->world, &def);
    } else {
        b3DistanceJointDef def = b3DefaultDistanceJointDef();
        tie(w, j, order, 2, &def.base);
        def.length = (float)j->length;
        b3CreateDistanceJoint(w->world, &def);
    }
}

static void *open_world(const dls_engine_mechanism *m, char *why, size_t size)
{
    box3d_world *w = calloc(1, sizeof *w);
    if (w)
        w->bodies = calloc(m->n_bodies + 1, sizeof *w->bodies);
    if (!w || !w->bodies) {
        free(w);
        snprintf(why, size, "no memory for %zu bodies", m->n_bodies);
        return NULL;
    }
    b3WorldDef def = b3DefaultWorldDef();
    const b3BodyDef ground = b3DefaultBodyDef();
    def.gravity = vector(m->gravity);
    def.enableSleep = false;
    def.restitutionThreshold = (float)m->threshold;
    def.workerCount = 1;
    w->m = m;
    w->world = b3CreateWorld(&def);
    w->ground = b3CreateBody(w->world, &ground);
    b3World_SetCustomFilterCallback(w->world, may_touch, w);
    for (size_t k = 0; k < m->n_planes; k++)
        add_plane(w, &m->planes[k]);
    for (size_t i = 0; i < m->n_bodies; i++)
        add_body(w, i);
    for (size_t k = 0; k < m->n_joints; k++)
        add_joint(w, &m->joints[k]);
    return w;
}

static void step(void *world)
{
    const box3d_world *w = world;
    for (size_t i = 0; i < w->m->n_bodies; i++) {
        if (!w->m->bodies[i].moves)
            continue;
        b3Body_ApplyForceToCenter(w->bodies[i], vector(w->m->bodies[i].force), true);
        b3Body_ApplyTorque(w->bodies[i], vector(w->m->bodies[i].torque), true);
    }
    const int substeps = (int)(w->m->iterations / 2);
    b3World_Step(w->world, (float)w->m->h, substeps > 0 ? substeps : 1);
}

static dls_vec3 from(b3Vec3 v) { return dls_v3((double)v.x, (double)v.y, (double)v.z); }

static void read(void *world, dls_engine_state *states)
{
    const box3d_world *w = world;
    for (size_t i = 0; i < w->m->n_bodies; i++) {
        const b3Pos x = b3Body_GetPosition(w->bodies[i]);
        const b3Quat q = b3Body_GetRotation(w->bodies[i]);
        states[i].x = dls_v3((double)x.x, (double)x.y, (double)x.z);
        states[i].q = (dls_quat){(double)q.s, (double)q.v.x, (double)q.v.y, (double)q.v.z};
        states[i].v = from(b3Body_GetLinearVelocity(w->bodies[i]));
        states[i].omega = from(b3Body_GetAngularVelocity(w->bodies[i]));
    }
}

static void close_world(void *world)
{
    box3d_world *w = world;
    b3DestroyWorld(w->world);
    free(w->bodies);
    free(w);
}

static const dls_engine_note notes[] = {
    {"joints", "springs of 60 Hz and damping ratio 2 (the default), never stiffer than the substeps allow, in the "
               "place of ERP; no universal joint"},
    {"contacts", "found by Box3D once in a step, up to 2 cm ahead; springs of 30 Hz, and depths below 5 mm are left; "
                 "no cylinders; a plane is the top of a box of 2 km"},
    {"restitution", "applied once in a step, after its substeps"},
    {"friction", "one force for all points of a pair, on Coulomb's disc, with a twist"},
    {"integrator", "semi-implicit Euler in substeps; one Newton step of the implicit gyroscopic term; rotations by "
                   "q + h/2 omega q, normalised"},
    {"iterations", "half as many substeps, each with a sweep with the bias and one without; warm started"},
    {NULL, NULL}};

enum {
    PAIRS = 1 << DLS_PAIR_BALL | 1 << DLS_PAIR_HINGE | 1 << DLS_PAIR_SLIDER | 1 << DLS_PAIR_FIXED | 1 << DLS_PAIR_ROD,
    SHAPES = 1 << DLS_SHAPE_BOX | 1 << DLS_SHAPE_SPHERE | 1 << DLS_SHAPE_CAPSULE
};

static const dls_engine box3d = {"box3d", PAIRS, PAIRS,   SHAPES,     0,    0,    true,
                                 true,    notes, version, open_world, step, read, close_world};
DLS_ENGINES(&box3d);
