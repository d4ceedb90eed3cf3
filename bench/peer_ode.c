/* The Open Dynamics Engine's quick step: successive over-relaxation in random row order, R. Smith and others. */
#include "peer.h"

#include <ode/ode.h>
#include <stdlib.h>

typedef struct ode_world {
    const bench_mechanism *m;
    dWorldID world;
    dJointGroupID joints;
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

static void add_contact(ode_world *w, const bench_contact *c)
{
    dContact contact = {.surface = {.mode = dContactApprox1, .mu = c->mu}};
    for (int k = 0; k < 3; k++) {
        contact.geom.pos[k] = c->point[k];
        contact.geom.normal[k] = c->normal[k];
    }
    dJointAttach(dJointCreateContact(w->world, w->joints, &contact), body_at(w, c->body[0]), body_at(w, c->body[1]));
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
    if (!w || !(w->bodies = calloc(m->n_bodies, sizeof *w->bodies))) {
        free(w);
        return NULL;
    }
    w->m = m;
    dInitODE2(0);
    dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
    w->world = dWorldCreate();
    w->joints = dJointGroupCreate(0);
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

static double step(void *world, int iterations, double *v)
{
    ode_world *w = world;
    place(w);
    dWorldSetQuickStepNumIterations(w->world, iterations);
    double start = bench_clock();
    dWorldQuickStep(w->world, w->m->h);
    double seconds = bench_clock() - start;
    for (size_t i = 0; i < w->m->n_bodies; i++)
        for (int k = 0; k < 3; k++) {
            v[6 * i + (size_t)k] = dBodyGetLinearVel(w->bodies[i])[k];
            v[6 * i + 3 + (size_t)k] = dBodyGetAngularVel(w->bodies[i])[k];
        }
    return seconds;
}

static void destroy(void *world)
{
    ode_world *w = world;
    dJointGroupDestroy(w->joints);
    dWorldDestroy(w->world);
    dCloseODE();
    free(w->bodies);
    free(w);
}

const bench_peer bench_peer_ode = {"ode", create, step, destroy};
