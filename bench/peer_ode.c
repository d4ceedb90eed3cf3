/* The solver of the Open Dynamics Engine's quick step on given contacts and ball joints: successive over-relaxation in
 * random row order, R. Smith and others. */
#include "peer.h"

#include <ode/ode.h>
#include <stdlib.h>

typedef struct ode_world {
    const dls_engine_mechanism *m;
    dWorldID world;
    dJointGroupID joints;
    dBodyID *bodies; /* NULL where one does not move */
} ode_world;

static dBodyID body_at(const ode_world *w, size_t body) { return body == DLS_WORLD ? NULL : w->bodies[body]; }

static void add_body(ode_world *w, size_t i)
{
    const dls_engine_body *b = &w->m->bodies[i];
    const double *I = b->inertia.m;
    dMass mass;
    if (!b->moves)
        return;
    dMassSetParameters(&mass, b->mass, 0, 0, 0, I[0], I[4], I[8], 0, 0, 0);
    w->bodies[i] = dBodyCreate(w->world);
    dBodySetMass(w->bodies[i], &mass);
    dBodySetAutoDisableFlag(w->bodies[i], 0);
    dBodySetGyroscopicMode(w->bodies[i], 0);
}

static void add_contact(ode_world *w, const dls_contact *c)
{
    dContact contact = {.surface = {.mode = dContactApprox1, .mu = c->mu}};
    for (int k = 0; k < 3; k++) {
        contact.geom.pos[k] = dls_get3(c->point[0], k);
        contact.geom.normal[k] = dls_get3(c->normal, k);
    }
    dJointAttach(dJointCreateContact(w->world, w->joints, &contact), body_at(w, c->body[0]), body_at(w, c->body[1]));
}

static void add_ball(ode_world *w, const dls_engine_joint *j)
{
    dJointID joint = dJointCreateBall(w->world, w->joints);
    dJointAttach(joint, body_at(w, j->body[0]), body_at(w, j->body[1]));
    dJointSetBallAnchor(joint, j->anchor[0].x, j->anchor[0].y, j->anchor[0].z);
}

static void return_to_start(ode_world *w)
{
    static const dQuaternion upright = {1.0, 0.0, 0.0, 0.0};
    for (size_t i = 0; i < w->m->n_bodies; i++) {
        if (!w->bodies[i])
            continue;
        const dls_vec3 x = w->m->bodies[i].x;
        dBodySetPosition(w->bodies[i], x.x, x.y, x.z);
        dBodySetQuaternion(w->bodies[i], upright);
        dBodySetLinearVel(w->bodies[i], 0, 0, 0);
        dBodySetAngularVel(w->bodies[i], 0, 0, 0);
    }
}

static void *create(const dls_engine_mechanism *m, const dls_contacts *contacts)
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
    dWorldSetGravity(w->world, m->gravity.x, m->gravity.y, m->gravity.z);
    dWorldSetERP(w->world, 0.2);
    dWorldSetCFM(w->world, 0.0);
    dWorldSetQuickStepW(w->world, 1.0);
    for (size_t i = 0; i < m->n_bodies; i++)
        add_body(w, i);
    return_to_start(w);
    for (size_t k = 0; k < contacts->count; k++)
        add_contact(w, &contacts->at[k]);
    for (size_t k = 0; k < m->n_joints; k++)
        add_ball(w, &m->joints[k]);
    return w;
}

static double step(void *world, int iterations, dls_engine_state *states)
{
    ode_world *w = world;
    return_to_start(w);
    dWorldSetQuickStepNumIterations(w->world, iterations);
    const double start = bench_clock();
    dWorldQuickStep(w->world, w->m->h);
    const double seconds = bench_since(start);
    for (size_t i = 0; i < w->m->n_bodies; i++) {
        if (!w->bodies[i])
            continue;
        const dReal *v = dBodyGetLinearVel(w->bodies[i]), *omega = dBodyGetAngularVel(w->bodies[i]);
        states[i].v = dls_v3(v[0], v[1], v[2]);
        states[i].omega = dls_v3(omega[0], omega[1], omega[2]);
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
