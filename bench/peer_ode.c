/* The Open Dynamics Engine's quick step: successive over-relaxation in random row order, R. Smith and others. */
#include "peer.h"

#include <ode/ode.h>
#include <stdlib.h>

typedef struct ode_world {
    const bench_mechanism *m;
    dWorldID world;
    dJointGroupID joints, found; /* those of the mechanism; contacts of a whole step */
    dSpaceID space;
    dBodyID *bodies;
} ode_world;

static dBodyID body_at(const ode_world *w, size_t body) { return body == BENCH_WORLD ? NULL : w->bodies[body]; }

static void add_body(ode_world *w, size_t i)
{
    const bench_free_body *b = &w->m->bodies[i];
    dMass mass;
    dMassSetParameters(&mass, b->mass, 0, 0, 0, b->inertia[0], b->inertia[1], b->inertia[2], 0, 0, 0);
    w->bodies[i] = dBodyCreate(w->world);
    dBodySetMass(w->bodies[i], &mass);
    dBodySetAutoDisableFlag(w->bodies[i], 0);
    dBodySetGyroscopicMode(w->bodies[i], 0);
}

static void attach(ode_world *w, dJointGroupID group, const dContact *contact, dBodyID one, dBodyID other)
{
    dJointAttach(dJointCreateContact(w->world, group, contact), one, other);
}

static void add_contact(ode_world *w, const bench_contact *c)
{
    dContact contact = {.surface = {.mode = dContactApprox1, .mu = c->mu}};
    for (int k = 0; k < 3; k++) {
        contact.geom.pos[k] = c->point[k];
        contact.geom.normal[k] = c->normal[k];
    }
    attach(w, w->joints, &contact, body_at(w, c->body[0]), body_at(w, c->body[1]));
}

static void place(ode_world *w)
{
    static const dQuaternion upright = {1.0, 0.0, 0.0, 0.0};
    for (size_t i = 0; i < w->m->n_bodies; i++) {
        const double *x = w->m->bodies[i].x;
        dBodySetPosition(w->bodies[i], x[0], x[1], x[2]);
        dBodySetQuaternion(w->bodies[i], upright);
        dBodySetLinearVel(w->bodies[i], 0, 0, 0);
        dBodySetAngularVel(w->bodies[i], 0, 0, 0);
    }
}

static void add_ball(ode_world *w, const bench_ball *b)
{
    dJointID joint = dJointCreateBall(w->world, w->joints);
    dJointAttach(joint, body_at(w, b->body[0]), body_at(w, b->body[1]));
    dJointSetBallAnchor(joint, b->anchor[0], b->anchor[1], b->anchor[2]);
}

static void *create(const bench_mechanism *m)
{
    ode_world *w = calloc(1, sizeof *w);
    if (!w || !(w->bodies = calloc(m->n_bodies + 1, sizeof *w->bodies))) {
        free(w);
        return NULL;
    }
    w->m = m;
    dInitODE2(0);
    dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
    w->world = dWorldCreate();
    w->joints = dJointGroupCreate(0);
    w->found = dJointGroupCreate(0);
    dWorldSetGravity(w->world, 0, 0, -m->gravity);
    dWorldSetERP(w->world, 0.2);
    dWorldSetCFM(w->world, 0.0);
    dWorldSetQuickStepW(w->world, 1.0);
    for (size_t i = 0; i < m->n_bodies; i++)
        add_body(w, i);
    place(w);
    for (size_t k = 0; k < m->n_contacts; k++)
        add_contact(w, &m->contacts[k]);
    for (size_t k = 0; k < m->n_balls; k++)
        add_ball(w, &m->balls[k]);
    return w;
}

static void read(void *world, double *pose, double *v)
{
    ode_world *w = world;
    for (size_t i = 0; i < w->m->n_bodies; i++)
        for (size_t k = 0; k < 3; k++) {
            if (pose)
                pose[7 * i + k] = dBodyGetPosition(w->bodies[i])[k];
            v[6 * i + k] = dBodyGetLinearVel(w->bodies[i])[k];
            v[6 * i + 3 + k] = dBodyGetAngularVel(w->bodies[i])[k];
        }
    for (size_t i = 0; pose && i < w->m->n_bodies; i++)
        for (size_t k = 0; k < 4; k++)
            pose[7 * i + 3 + k] = dBodyGetQuaternion(w->bodies[i])[k];
}

static double step(void *world, int iterations, double *v)
{
    ode_world *w = world;
    place(w);
    dWorldSetQuickStepNumIterations(w->world, iterations);
    double start = bench_clock();
    dWorldQuickStep(w->world, w->m->h);
    double seconds = bench_since(start);
    read(w, NULL, v);
    return seconds;
}

static void destroy(void *world)
{
    ode_world *w = world;
    dJointGroupDestroy(w->joints);
    dJointGroupDestroy(w->found);
    if (w->space)
        dSpaceDestroy(w->space);
    dWorldDestroy(w->world);
    dCloseODE();
    free(w->bodies);
    free(w);
}

const bench_peer bench_peer_ode = {"ode", create, step, destroy};

/* --- whole steps --- */

static void *create_engine(const bench_mechanism *m, int iterations)
{
    ode_world *w = create(m);
    if (!w)
        return NULL;
    dWorldSetQuickStepNumIterations(w->world, iterations);
    if (!m->collide)
        return w;
    w->space = dSweepAndPruneSpaceCreate(NULL, dSAP_AXES_XYZ); /* half of the time of its hash space, on the pyramid */
    dCreatePlane(w->space, 0, 0, 1, 0);
    for (size_t i = 0; i < m->n_bodies; i++) {
        const double *size = m->bodies[i].size;
        dGeomSetBody(dCreateBox(w->space, size[0], size[1], size[2]), w->bodies[i]);
    }
    return w;
}

static void collide(void *world, dGeomID one, dGeomID other)
{
    enum { CONTACTS = 4 };
    ode_world *w = world;
    dContactGeom found[CONTACTS];
    int count = dCollide(one, other, CONTACTS, found, sizeof found[0]);
    for (int i = 0; i < count; i++) {
        dContact contact = {.surface = {.mode = dContactApprox1, .mu = w->m->mu}, .geom = found[i]};
        attach(w, w->found, &contact, dGeomGetBody(one), dGeomGetBody(other));
    }
}

static double whole_step(void *world)
{
    ode_world *w = world;
    double start = bench_clock();
    if (w->space)
        dSpaceCollide(w->space, w, collide);
    dWorldQuickStep(w->world, w->m->h);
    dJointGroupEmpty(w->found);
    return bench_since(start);
}

const bench_engine bench_engine_ode = {
    "ode", "quick step, ERP 0.2, at most 4 contacts per pair, cold", create_engine, whole_step, read, destroy};
