/* The Open Dynamics Engine: dWorldStep, whose LCP is solved by Dantzig's algorithm, and dWorldQuickStep, successive
 * over-relaxation. R. Smith and others.
 *
 * Bodies get the whole inertia matrix in their own frame. A contact is a joint of one step, made where dCollide finds
 * it. */
#include "engine_tree.h"

#include <math.h>
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>

enum { CONTACTS = 8 }; /* of a pair of bodies */

typedef struct ode_world {
    const dls_engine_mechanism *m;
    dWorldID world;
    dJointGroupID joints, contacts;
    dSpaceID space;
    dBodyID *bodies;   /* NULL where one does not move */
    dJointID *handles; /* of the joints of the mechanism */
    dGeomID *planes;
} ode_world;

static void version(char *text, size_t size)
{
    const bool twice = dCheckConfiguration("ODE_double_precision") != 0;
    snprintf(text, size, "ODE %s, %s precision", dODE_VERSION, twice ? "double" : "single");
}

static void add_body(ode_world *w, size_t i)
{
    const dls_engine_body *b = &w->m->bodies[i];
    const double *I = b->inertia.m;
    const dQuaternion q = {(dReal)b->q.w, (dReal)b->q.x, (dReal)b->q.y, (dReal)b->q.z};
    dMass mass;
    if (!b->moves)
        return;
    w->bodies[i] = dBodyCreate(w->world);
    dMassSetParameters(&mass, (dReal)b->mass, 0, 0, 0, (dReal)I[0], (dReal)I[4], (dReal)I[8], (dReal)I[1], (dReal)I[2],
                       (dReal)I[5]);
    dBodySetMass(w->bodies[i], &mass);
    dBodySetPosition(w->bodies[i], (dReal)b->x.x, (dReal)b->x.y, (dReal)b->x.z);
    dBodySetQuaternion(w->bodies[i], q);
    dBodySetLinearVel(w->bodies[i], (dReal)b->v.x, (dReal)b->v.y, (dReal)b->v.z);
    dBodySetAngularVel(w->bodies[i], (dReal)b->omega.x, (dReal)b->omega.y, (dReal)b->omega.z);
    dBodySetAutoDisableFlag(w->bodies[i], 0);
}

static dGeomID shape_of(const ode_world *w, const dls_engine_shape *b)
{
    switch (b->shape) {
    case DLS_SHAPE_BOX:
        return dCreateBox(w->space, (dReal)b->size.x, (dReal)b->size.y, (dReal)b->size.z);
    case DLS_SHAPE_SPHERE:
        return dCreateSphere(w->space, (dReal)b->radius);
    case DLS_SHAPE_CAPSULE:
        return dCreateCapsule(w->space, (dReal)b->radius, (dReal)b->length);
    default:
        return dCreateCylinder(w->space, (dReal)b->radius, (dReal)b->length);
    }
}

/* The shape has its body as data, which also bodies have that do not move. */
static void add_shape(ode_world *w, size_t i, const dls_engine_shape *s)
{
    const dls_engine_body *b = &w->m->bodies[i];
    const bool moves = w->bodies[i] != NULL;
    const dls_quat turn = moves ? s->q : dls_engine_turn(b, s);
    const dls_vec3 x = moves ? s->x : dls_engine_centre(b, s);
    const dQuaternion q = {(dReal)turn.w, (dReal)turn.x, (dReal)turn.y, (dReal)turn.z};
    dGeomID geom = shape_of(w, s);
    dGeomSetData(geom, &w->bodies[i]);
    if (!moves) {
        dGeomSetPosition(geom, (dReal)x.x, (dReal)x.y, (dReal)x.z);
        dGeomSetQuaternion(geom, q);
        return;
    }
    dGeomSetBody(geom, w->bodies[i]);
    if (s->placed) {
        dGeomSetOffsetPosition(geom, (dReal)x.x, (dReal)x.y, (dReal)x.z);
        dGeomSetOffsetQuaternion(geom, q);
    }
}

static dBodyID joint_end(const ode_world *w, size_t body) { return body == DLS_WORLD ? NULL : w->bodies[body]; }

static void set_param(const dls_engine_joint *j, dJointID joint, int key, double value)
{
    if (j->pair == DLS_PAIR_HINGE)
        dJointSetHingeParam(joint, key, (dReal)value);
    else
        dJointSetSliderParam(joint, key, (dReal)value);
}

/* A coordinate has one row for its stops and one for its motor: a spring is a soft stop at 0, with its damper; a damper
 * alone is a soft motor of speed 0, and dry friction one of a greatest force. */
static void set_action(const ode_world *w, const dls_engine_joint *j, dJointID joint)
{
    const dls_engine_action *a = &j->action;
    const double stiff = w->m->h * a->stiffness + a->damping;
    if (a->lower > -HUGE_VAL)
        set_param(j, joint, dParamLoStop, a->lower);
    if (a->upper < HUGE_VAL)
        set_param(j, joint, dParamHiStop, a->upper);
    if (a->stiffness > 0.0) {
        set_param(j, joint, dParamLoStop, 0.0);
        set_param(j, joint, dParamHiStop, 0.0);
        set_param(j, joint, dParamStopERP, w->m->h * a->stiffness / stiff);
        set_param(j, joint, dParamStopCFM, 1.0 / stiff);
    } else if (a->damping > 0.0) {
        set_param(j, joint, dParamFMax, (double)dInfinity);
        set_param(j, joint, dParamCFM, 1.0 / a->damping);
    } else if (a->friction > 0.0) {
        set_param(j, joint, dParamFMax, a->friction);
    }
}

/* Why it cannot have what acts on a joint; NULL: it can. */
static const char *wrong_action(const dls_engine_joint *j)
{
    const dls_engine_action *a = &j->action;
    const double half_turn = j->pair == DLS_PAIR_HINGE ? 3.14159 : HUGE_VAL;
    if ((a->lower > -HUGE_VAL && a->lower < -half_turn) || (a->upper < HUGE_VAL && a->upper > half_turn))
        return "a limit half a turn or more away from the start, which is no stop of ODE";
    if (a->stiffness + a->damping + a->friction > 0.0 && (a->lower > -HUGE_VAL || a->upper < HUGE_VAL))
        return "a spring, damper or dry friction beside limits: at a stop ODE pushes with the greatest force of its "
               "motor";
    if (a->friction > 0.0 && a->stiffness + a->damping > 0.0)
        return "dry friction beside a spring or damper, which are one row of ODE";
    return NULL;
}

static void add_joint(ode_world *w, const dls_engine_joint *j)
{
    const dls_vec3 p = j->anchor[0], p2 = j->anchor[1], a = j->axis[0], a2 = j->axis[1];
    dJointID joint = j->pair == DLS_PAIR_BALL        ? dJointCreateBall(w->world, w->joints)
                     : j->pair == DLS_PAIR_HINGE     ? dJointCreateHinge(w->world, w->joints)
                     : j->pair == DLS_PAIR_SLIDER    ? dJointCreateSlider(w->world, w->joints)
                     : j->pair == DLS_PAIR_UNIVERSAL ? dJointCreateUniversal(w->world, w->joints)
                     : j->pair == DLS_PAIR_FIXED     ? dJointCreateFixed(w->world, w->joints)
                                                     : dJointCreateDBall(w->world, w->joints);
    dJointAttach(joint, joint_end(w, j->body[0]), joint_end(w, j->body[1]));
    w->handles[j - w->m->joints] = joint;
    switch (j->pair) {
    case DLS_PAIR_BALL:
        dJointSetBallAnchor(joint, (dReal)p.x, (dReal)p.y, (dReal)p.z);
        break;
    case DLS_PAIR_HINGE:
        dJointSetHingeAnchor(joint, (dReal)p.x, (dReal)p.y, (dReal)p.z);
        dJointSetHingeAxis(joint, (dReal)a.x, (dReal)a.y, (dReal)a.z);
        set_action(w, j, joint);
        break;
    case DLS_PAIR_SLIDER:
        dJointSetSliderAxis(joint, (dReal)a.x, (dReal)a.y, (dReal)a.z);
        set_action(w, j, joint);
        break;
    case DLS_PAIR_UNIVERSAL:
        dJointSetUniversalAnchor(joint, (dReal)p.x, (dReal)p.y, (dReal)p.z);
        dJointSetUniversalAxis1(joint, (dReal)a.x, (dReal)a.y, (dReal)a.z);
        dJointSetUniversalAxis2(joint, (dReal)a2.x, (dReal)a2.y, (dReal)a2.z);
        break;
    case DLS_PAIR_FIXED:
        dJointSetFixed(joint);
        break;
    default:
        dJointSetDBallAnchor1(joint, (dReal)p.x, (dReal)p.y, (dReal)p.z);
        dJointSetDBallAnchor2(joint, (dReal)p2.x, (dReal)p2.y, (dReal)p2.z);
        dJointSetDBallDistance(joint, (dReal)j->length);
        break;
    }
}

static void close_world(void *world)
{
    ode_world *w = world;
    if (w->world) {
        dJointGroupDestroy(w->joints);
        dJointGroupDestroy(w->contacts);
        if (w->space)
            dSpaceDestroy(w->space);
        dWorldDestroy(w->world);
        dCloseODE();
    }
    free(w->bodies);
    free(w->handles);
    free(w->planes);
    free(w);
}

static void set_up(ode_world *w)
{
    const dls_engine_mechanism *m = w->m;
    dInitODE2(0);
    dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
    w->world = dWorldCreate();
    w->joints = dJointGroupCreate(0);
    w->contacts = dJointGroupCreate(0);
    dWorldSetGravity(w->world, (dReal)m->gravity.x, (dReal)m->gravity.y, (dReal)m->gravity.z);
    dWorldSetERP(w->world, (dReal)m->erp);
    dWorldSetQuickStepNumIterations(w->world, (int)m->iterations);
    for (size_t i = 0; i < m->n_bodies; i++)
        add_body(w, i);
    for (size_t k = 0; k < m->n_joints; k++)
        add_joint(w, &m->joints[k]);
    if (!m->collides)
        return;
    w->space = dSweepAndPruneSpaceCreate(NULL, dSAP_AXES_XYZ);
    for (size_t k = 0; k < m->n_planes; k++) {
        const dls_vec3 n = m->planes[k].normal;
        w->planes[k] = dCreatePlane(w->space, (dReal)n.x, (dReal)n.y, (dReal)n.z, (dReal)m->planes[k].distance);
    }
    for (size_t i = 0; i < m->n_bodies; i++)
        for (size_t k = 0; k < m->bodies[i].n_shapes && m->bodies[i].collides; k++)
            add_shape(w, i, &m->bodies[i].shapes[k]);
}

static void *open_world(const dls_engine_mechanism *m, char *why, size_t size)
{
    for (size_t k = 0; k < m->n_joints; k++)
        if (wrong_action(&m->joints[k])) {
            snprintf(why, size, "joint '%s' has %s", m->joints[k].name, wrong_action(&m->joints[k]));
            return NULL;
        }
    ode_world *w = calloc(1, sizeof *w);
    if (w) {
        w->m = m;
        w->handles = calloc(m->n_joints + 1, sizeof *w->handles);
        w->bodies = calloc(m->n_bodies + 1, sizeof *w->bodies);
        w->planes = calloc(m->n_planes + 1, sizeof *w->planes);
    }
    if (w && w->bodies && w->handles && w->planes) {
        set_up(w);
        return w;
    }
    if (w)
        close_world(w);
    snprintf(why, size, "no memory for %zu bodies", m->n_bodies);
    return NULL;
}

/* The number of the body that a shape is; n_bodies: a plane. */
static size_t body_of(const ode_world *w, dGeomID geom)
{
    const dBodyID *at = dGeomGetData(geom);
    return at ? (size_t)(at - w->bodies) : w->m->n_bodies;
}

/* The friction of a pair of shapes, one of which may be a plane. */
static dReal friction_of(const ode_world *w, dGeomID one, dGeomID other)
{
    for (size_t k = 0; k < w->m->n_planes; k++)
        if (w->planes[k] == one || w->planes[k] == other)
            return (dReal)w->m->planes[k].mu;
    return (dReal)w->m->mu;
}

static void touch(void *world, dGeomID one, dGeomID other)
{
    ode_world *w = world;
    const size_t n = w->m->n_bodies, i = body_of(w, one), j = body_of(w, other);
    dContactGeom found[CONTACTS];
    if ((i < n && j < n && !w->m->touch[i * n + j]) || (!dGeomGetBody(one) && !dGeomGetBody(other)))
        return;
    const int count = dCollide(one, other, CONTACTS, found, sizeof found[0]);
    for (int k = 0; k < count; k++) {
        const dContact contact = {.surface = {.mode = dContactApprox1 | (w->m->restitution > 0.0 ? dContactBounce : 0),
                                              .mu = friction_of(w, one, other),
                                              .bounce = (dReal)w->m->restitution,
                                              .bounce_vel = (dReal)w->m->threshold},
                                  .geom = found[k]};
        dJointAttach(dJointCreateContact(w->world, w->contacts, &contact), dGeomGetBody(one), dGeomGetBody(other));
    }
}

/* Contacts and constant forces of the next step. */
static void load_step(ode_world *w)
{
    for (size_t i = 0; i < w->m->n_bodies; i++) {
        const dls_vec3 f = w->m->bodies[i].force, t = w->m->bodies[i].torque;
        if (!w->bodies[i])
            continue;
        dBodyAddForce(w->bodies[i], (dReal)f.x, (dReal)f.y, (dReal)f.z);
        dBodyAddTorque(w->bodies[i], (dReal)t.x, (dReal)t.y, (dReal)t.z);
    }
    for (size_t k = 0; k < w->m->n_joints; k++) {
        const dls_engine_joint *j = &w->m->joints[k];
        if (j->action.effort == 0.0)
            continue;
        if (j->pair == DLS_PAIR_HINGE)
            dJointAddHingeTorque(w->handles[k], (dReal)j->action.effort);
        else
            dJointAddSliderForce(w->handles[k], (dReal)j->action.effort);
    }
    if (w->space)
        dSpaceCollide(w->space, w, touch);
}

static void step(void *world)
{
    ode_world *w = world;
    load_step(w);
    dWorldStep(w->world, (dReal)w->m->h);
    dJointGroupEmpty(w->contacts);
}

static void quick_step(void *world)
{
    ode_world *w = world;
    load_step(w);
    dWorldQuickStep(w->world, (dReal)w->m->h);
    dJointGroupEmpty(w->contacts);
}

static dls_vec3 vector(const dReal *v) { return dls_v3((double)v[0], (double)v[1], (double)v[2]); }

static void read(void *world, dls_engine_state *states)
{
    const ode_world *w = world;
    for (size_t i = 0; i < w->m->n_bodies; i++) {
        const dls_engine_body *start = &w->m->bodies[i];
        states[i] = (dls_engine_state){.x = start->x, .q = start->q};
        if (!w->bodies[i])
            continue;
        const dReal *q = dBodyGetQuaternion(w->bodies[i]);
        states[i] = (dls_engine_state){vector(dBodyGetPosition(w->bodies[i])),
                                       vector(dBodyGetLinearVel(w->bodies[i])),
                                       vector(dBodyGetAngularVel(w->bodies[i])),
                                       {(double)q[0], (double)q[1], (double)q[2], (double)q[3]}};
    }
}

#define EVERY_NOTE                                                                                                  \
    {"joints", "errors by ERP, as ours, and a CFM of 1e-10 in double precision (1e-5 in single), which ours do "    \
               "not have; a slider has no anchor"},                                                                 \
        {"actions", "a spring and its damper are a soft stop, a damper alone a soft motor, implicit as ours; none " \
                    "of them, nor dry friction, beside limits or another; limits within half a turn of the start"}, \
        {"contacts", "found by ODE in every step, at most 8 of a pair; each lasts one step, with the ERP of the "   \
                     "joints"},                                                                                     \
        {"restitution", "e times the speed of approach, or the speed of the ERP if this is larger"},                \
        {"friction", "a pyramid along two tangents, mu times the normal force (dContactApprox1)"},                  \
    {                                                                                                               \
        "integrator", "semi-implicit Euler; the gyroscopic term is implicit; rotations by q + h/2 omega q, "        \
                      "normalised"                                                                                  \
    }

static const dls_engine_note step_notes[] = {
    EVERY_NOTE, {"iterations", "none: Dantzig's algorithm solves each step"}, {NULL, NULL}};
static const dls_engine_note quick_notes[] = {
    EVERY_NOTE,
    {"iterations", "sweeps over all rows, over-relaxed by 1.3, in an order that is drawn at random, from zero impulse"},
    {NULL, NULL}};

enum {
    PAIRS = 1 << DLS_PAIR_BALL | 1 << DLS_PAIR_HINGE | 1 << DLS_PAIR_SLIDER | 1 << DLS_PAIR_UNIVERSAL |
            1 << DLS_PAIR_FIXED | 1 << DLS_PAIR_ROD,
    SHAPES = 1 << DLS_SHAPE_BOX | 1 << DLS_SHAPE_SPHERE | 1 << DLS_SHAPE_CAPSULE | 1 << DLS_SHAPE_CYLINDER,
    ACTS = DLS_ENGINE_LIMIT | DLS_ENGINE_SPRING | DLS_ENGINE_DAMPER | DLS_ENGINE_EFFORT | DLS_ENGINE_FRICTION
};

static const dls_engine ode_step = {"ode-step", PAIRS,      PAIRS,   SHAPES,     ACTS, ACTS, true,
                                    false,      step_notes, version, open_world, step, read, close_world};
static const dls_engine ode_quick = {"ode-quick", PAIRS,       PAIRS,   SHAPES,     ACTS,       ACTS, true,
                                     true,        quick_notes, version, open_world, quick_step, read, close_world};
DLS_ENGINES(&ode_step, &ode_quick);
