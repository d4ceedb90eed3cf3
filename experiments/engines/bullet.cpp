/* Bullet's rigid bodies (btDiscreteDynamicsWorld) in double precision: sequential impulses, and its Dantzig solver
 * of the whole mixed LCP. E. Coumans and others.
 *
 * A body of Bullet has a diagonal inertia: its frame is that of the principal axes, which `axes` rotates relative to
 * the body frame of delassus. */
#include "engine.h"

#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <new>
#include <vector>

namespace
{

btVector3 vector(dls_vec3 v) { return btVector3(v.x, v.y, v.z); }
btQuaternion rotation(dls_quat q) { return btQuaternion(q.x, q.y, q.z, q.w); }
dls_vec3 vector(const btVector3 &v) { return dls_v3(v.x(), v.y(), v.z()); }

// A frame at p whose x, or z, is the unit vector a.
btTransform frame(dls_vec3 p, dls_vec3 a, int axis)
{
    return btTransform(shortestArcQuat(btVector3(axis == 0, axis == 1, axis == 2), vector(a)), vector(p));
}

struct bullet_world {
    const dls_engine_mechanism *m;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btDantzigSolver dantzig;
    std::unique_ptr<btConstraintSolver> solver;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies; // of the mechanism, then planes, then the world
    std::vector<std::unique_ptr<btTypedConstraint>> joints;
    std::unique_ptr<btDiscreteDynamicsWorld> world;

    bullet_world(const dls_engine_mechanism *mechanism, bool direct) : m(mechanism)
    {
        if (direct)
            solver.reset(new btMLCPSolver(&dantzig));
        else
            solver.reset(new btSequentialImpulseConstraintSolver);
        world.reset(new btDiscreteDynamicsWorld(&dispatcher, &broadphase, solver.get(), &configuration));
        world->setGravity(vector(m->gravity));
        world->getSolverInfo().m_numIterations = int(m->iterations);
        world->getSolverInfo().m_erp = world->getSolverInfo().m_erp2 = m->erp; // of joints and of contacts
        world->getSolverInfo().m_restitutionVelocityThreshold = m->threshold;
        world->getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
        for (std::size_t i = 0; i < m->n_bodies; i++)
            add_body(m->bodies[i]);
        for (std::size_t k = 0; k < m->n_planes; k++)
            add_plane(m->planes[k]);
        add(nullptr, 0, btVector3(0, 0, 0), btTransform::getIdentity(), false);
        for (std::size_t k = 0; k < m->n_joints; k++)
            add_joint(m->joints[k]);
        keep_apart();
    }

    ~bullet_world()
    {
        for (auto &joint : joints)
            world->removeConstraint(joint.get());
        for (auto &body : bodies)
            world->removeRigidBody(body.get());
    }

    btCollisionShape *keep(btCollisionShape *shape)
    {
        shapes.emplace_back(shape);
        return shape;
    }

    btCollisionShape *shape_of(const dls_engine_shape &b)
    {
        switch (b.shape) {
        case DLS_SHAPE_BOX:
            return keep(new btBoxShape(btScalar(0.5) * vector(b.size)));
        case DLS_SHAPE_SPHERE:
            return keep(new btSphereShape(b.radius));
        case DLS_SHAPE_CAPSULE:
            return keep(new btCapsuleShapeZ(b.radius, b.length));
        case DLS_SHAPE_CYLINDER:
            return keep(new btCylinderShapeZ(btVector3(b.radius, b.radius, 0.5 * b.length)));
        default:
            return nullptr;
        }
    }

    btRigidBody &add(btCollisionShape *shape, double mass, const btVector3 &inertia, const btTransform &at,
                     bool collides)
    {
        if (!shape)
            shape = keep(new btEmptyShape);
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
        info.m_startWorldTransform = at;
        info.m_friction = m->mu > 0 ? std::sqrt(m->mu) : 0; // of two bodies: the product
        info.m_restitution = std::sqrt(m->restitution);     // the same
        bodies.emplace_back(new btRigidBody(info));
        bodies.back()->setActivationState(DISABLE_DEACTIVATION);
        if (m->restitution > 0) // a point that is found d ahead would rebound with e v - d / h
            bodies.back()->setContactProcessingThreshold(0);
        world->addRigidBody(bodies.back().get(), 1, collides ? 1 : 0);
        return *bodies.back();
    }

    // The body stands along its principal axes, its shapes along ours.
    btCollisionShape *surface_of(const dls_engine_body &b, const btQuaternion &axes)
    {
        if (b.n_shapes == 1 && !b.shapes->placed && axes.w() == 1)
            return shape_of(*b.shapes);
        auto *all = new btCompoundShape;
        const btTransform back(axes.inverse());
        for (std::size_t k = 0; k < b.n_shapes; k++)
            all->addChildShape(back * btTransform(rotation(b.shapes[k].q), vector(b.shapes[k].x)),
                               shape_of(b.shapes[k]));
        return keep(all);
    }

    void add_body(const dls_engine_body &b)
    {
        const btQuaternion axes = rotation(b.axes);
        btCollisionShape *shape = b.collides ? surface_of(b, axes) : nullptr;
        const btVector3 inertia =
            b.moves ? btVector3(b.principal[0], b.principal[1], b.principal[2]) : btVector3(0, 0, 0);
        btRigidBody &body = add(shape, b.mass, inertia, btTransform(rotation(b.q) * axes, vector(b.x)), b.collides);
        body.setLinearVelocity(vector(b.v));
        body.setAngularVelocity(vector(b.omega));
    }

    void add_plane(const dls_engine_plane &p)
    {
        auto *shape = keep(new btStaticPlaneShape(vector(p.normal), p.distance));
        btRigidBody &plane = add(shape, 0, btVector3(0, 0, 0), btTransform::getIdentity(), true);
        plane.setFriction(m->mu > 0 ? p.mu / std::sqrt(m->mu) : 0);
    }

    btRigidBody &end_of(const dls_engine_joint &j, int end)
    {
        return j.body[end] == DLS_WORLD ? *bodies.back() : *bodies[j.body[end]];
    }

    // Coordinates of joints are 0 at the start.
    btTypedConstraint *hinge(const dls_engine_joint &j, btRigidBody &a, btRigidBody &b, const btTransform &in_a,
                             const btTransform &in_b)
    {
        const dls_engine_action &act = j.action;
        auto *joint = new btHingeConstraint(a, b, in_a * frame(j.anchor[0], j.axis[0], 2),
                                            in_b * frame(j.anchor[1], j.axis[0], 2));
        if (limited(act)) // an angle of it is within half a turn
            joint->setLimit(std::max(act.lower, -double(SIMD_PI)), std::min(act.upper, double(SIMD_PI)), 0.9, 0.3, 0);
        joint->setParam(BT_CONSTRAINT_STOP_ERP, m->erp);
        if (act.friction > 0)
            joint->enableAngularMotor(true, 0, act.friction * m->h);
        return joint;
    }

    // btSliderConstraint does not follow two bodies that turn, at any step.
    btTypedConstraint *slider(const dls_engine_joint &j, btRigidBody &a, btRigidBody &b, const btTransform &in_a,
                              const btTransform &in_b)
    {
        const dls_engine_action &act = j.action;
        auto *joint = new btGeneric6DofSpring2Constraint(b, a, in_b * frame(j.anchor[0], j.axis[0], 0),
                                                         in_a * frame(j.anchor[0], j.axis[0], 0));
        const bool bounded = limited(act); // a lower limit above the upper one is none
        joint->setLinearLowerLimit(btVector3(bounded ? std::max(act.lower, -1e9) : 1, 0, 0));
        joint->setLinearUpperLimit(btVector3(bounded ? std::min(act.upper, 1e9) : -1, 0, 0));
        joint->setAngularLowerLimit(btVector3(0, 0, 0));
        joint->setAngularUpperLimit(btVector3(0, 0, 0));
        for (int axis = 0; axis < 6; axis++)
            joint->setParam(BT_CONSTRAINT_STOP_ERP, m->erp, axis);
        if (act.friction > 0) {
            joint->enableMotor(0, true);
            joint->setTargetVelocity(0, 0);
            joint->setMaxMotorForce(0, act.friction);
        }
        return joint;
    }

    static bool limited(const dls_engine_action &a) { return std::isfinite(a.lower) || std::isfinite(a.upper); }

    // Applies the forces of springs, dampers and given forces on the coordinates, of the start of the step.
    void act_on(std::size_t k)
    {
        const dls_engine_action &act = m->joints[k].action;
        if (act.stiffness == 0 && act.damping == 0 && act.effort == 0)
            return;
        btTypedConstraint &joint = *joints[k];
        btRigidBody &a = end_of(m->joints[k], 0), &b = end_of(m->joints[k], 1);
        if (m->joints[k].pair == DLS_PAIR_HINGE) {
            auto &turn = static_cast<btHingeConstraint &>(joint);
            const btVector3 axis = a.getCenterOfMassTransform().getBasis() * turn.getAFrame().getBasis().getColumn(2);
            const double rate = axis.dot(a.getAngularVelocity() - b.getAngularVelocity());
            const double force = act.effort - act.stiffness * turn.getHingeAngle() - act.damping * rate;
            a.applyTorque(force * axis);
            b.applyTorque(-force * axis);
            return;
        }
        auto &slide = static_cast<btGeneric6DofSpring2Constraint &>(joint);
        const btTransform at_b = b.getCenterOfMassTransform() * slide.getFrameOffsetA();
        const btVector3 axis = at_b.getBasis().getColumn(0),
                        point = a.getCenterOfMassTransform() * slide.getFrameOffsetB().getOrigin();
        const btVector3 arm_a = point - a.getCenterOfMassPosition(), arm_b = point - b.getCenterOfMassPosition();
        const double rate = axis.dot(a.getVelocityInLocalPoint(arm_a) - b.getVelocityInLocalPoint(arm_b));
        const double force = act.effort - act.stiffness * axis.dot(point - at_b.getOrigin()) - act.damping * rate;
        a.applyForce(force * axis, arm_a);
        b.applyForce(-force * axis, arm_b);
    }

    void add_joint(const dls_engine_joint &j)
    {
        btRigidBody &a = end_of(j, 0), &b = end_of(j, 1);
        const btTransform in_a = a.getCenterOfMassTransform().inverse(), in_b = b.getCenterOfMassTransform().inverse();
        const btVector3 p1 = vector(j.anchor[0]), p2 = vector(j.anchor[1]), axis = vector(j.axis[0]);
        btTypedConstraint *joint;
        switch (j.pair) {
        case DLS_PAIR_BALL:
            joint = new btPoint2PointConstraint(a, b, in_a * p1, in_b * p2);
            break;
        case DLS_PAIR_HINGE:
            joint = hinge(j, a, b, in_a, in_b);
            break;
        case DLS_PAIR_SLIDER:
            joint = slider(j, a, b, in_a, in_b);
            break;
        case DLS_PAIR_UNIVERSAL: { // its first body is our second; a lower limit above the upper one is none
            auto *universal = new btUniversalConstraint(b, a, p1, vector(j.axis[1]), axis);
            universal->setLowerLimit(1, 1);
            universal->setUpperLimit(-1, -1);
            joint = universal;
            break;
        }
        default:
            joint = new btFixedConstraint(a, b, in_a * btTransform(btQuaternion::getIdentity(), p1),
                                          in_b * btTransform(btQuaternion::getIdentity(), p2));
            break;
        }
        joints.emplace_back(joint);
        world->addConstraint(joint, true);
    }

    void keep_apart()
    {
        for (std::size_t i = 0; i < m->n_bodies; i++)
            for (std::size_t j = 0; j < i; j++)
                if (m->bodies[i].collides && m->bodies[j].collides && !m->touch[i * m->n_bodies + j])
                    bodies[i]->setIgnoreCollisionCheck(bodies[j].get(), true);
    }
};

void version(char *text, std::size_t size)
{
    std::snprintf(text, size, "Bullet %d.%02d, %s precision", btGetVersion() / 100, btGetVersion() % 100,
                  sizeof(btScalar) == sizeof(double) ? "double" : "single");
}

void *open(const dls_engine_mechanism *m, bool direct, char *why, std::size_t size)
{
    for (std::size_t k = 0; k < m->n_joints; k++) {
        const dls_engine_action &a = m->joints[k].action;
        if (m->joints[k].pair == DLS_PAIR_HINGE &&
            ((std::isfinite(a.lower) && a.lower < -SIMD_PI) || (std::isfinite(a.upper) && a.upper > SIMD_PI))) {
            std::snprintf(why, size, "joint '%s' has a limit more than half a turn away from the start",
                          m->joints[k].name);
            return nullptr;
        }
    }
    try {
        return new bullet_world(m, direct);
    } catch (const std::bad_alloc &) {
        std::snprintf(why, size, "no memory for %zu bodies", m->n_bodies);
        return nullptr;
    }
}
void *open_sweeps(const dls_engine_mechanism *m, char *why, std::size_t size) { return open(m, false, why, size); }
void *open_direct(const dls_engine_mechanism *m, char *why, std::size_t size) { return open(m, true, why, size); }

void step(void *world)
{
    bullet_world &w = *static_cast<bullet_world *>(world);
    for (std::size_t i = 0; i < w.m->n_bodies; i++) {
        w.bodies[i]->applyCentralForce(vector(w.m->bodies[i].force));
        w.bodies[i]->applyTorque(vector(w.m->bodies[i].torque));
    }
    for (std::size_t k = 0; k < w.m->n_joints; k++)
        w.act_on(k);
    w.world->stepSimulation(w.m->h, 0);
}

void read(void *world, dls_engine_state *states)
{
    const bullet_world &w = *static_cast<bullet_world *>(world);
    for (std::size_t i = 0; i < w.m->n_bodies; i++) {
        const btRigidBody &b = *w.bodies[i];
        const btQuaternion q = b.getCenterOfMassTransform().getRotation() * rotation(w.m->bodies[i].axes).inverse();
        states[i].x = vector(b.getCenterOfMassPosition());
        states[i].v = vector(b.getLinearVelocity());
        states[i].omega = vector(b.getAngularVelocity());
        states[i].q = {q.w(), q.x(), q.y(), q.z()};
    }
}

void close(void *world) { delete static_cast<bullet_world *>(world); }

#define EVERY_NOTE                                                                                                     \
    {"joints", "errors by ERP, as ours; sliders, universal and fixed joints by settings of their own, which are left " \
               "as they are; a universal joint turns by less than a quarter about the axis of body 1"},                \
        {"actions", "limits and dry friction are its own; springs and dampers are forces of the start of the step, "   \
                    "explicit, where ours are implicit; limits of a hinge within half a turn of the start"},           \
        {"contacts", "found by Bullet, kept from step to step with a margin of 4 cm around shapes; depths up to 4 cm " \
                     "are taken back by our ERP, larger ones by split impulses"},                                      \
        {"restitution", "e times the speed of approach; where a scene has one, contacts wait until they are closed, "  \
                        "since by default a point that is found d ahead rebounds with e v - d / h"},                   \
        {"friction", "a pyramid along two tangents, mu times the normal impulse"},                                     \
    {                                                                                                                  \
        "integrator", "semi-implicit Euler; the gyroscopic term is implicit in the body's frame; rotations by the "    \
                      "exponential map, at most a quarter of a turn per step"                                          \
    }

const dls_engine_note sweep_notes[] = {
    EVERY_NOTE,
    {"iterations", "sweeps over joints, then contacts, then friction; contacts start from 0.85 of the "
                   "impulses of the step before, joints from 0"},
    {nullptr, nullptr}};
const dls_engine_note direct_notes[] = {
    EVERY_NOTE,
    {"iterations", "none, where Dantzig's algorithm succeeds; where it fails, Bullet falls back to its sweeps, and "
                   "does not say so"},
    {nullptr, nullptr}};

constexpr unsigned long pairs =
    1 << DLS_PAIR_BALL | 1 << DLS_PAIR_HINGE | 1 << DLS_PAIR_SLIDER | 1 << DLS_PAIR_UNIVERSAL | 1 << DLS_PAIR_FIXED;
constexpr unsigned long solids =
    1 << DLS_SHAPE_BOX | 1 << DLS_SHAPE_SPHERE | 1 << DLS_SHAPE_CAPSULE | 1 << DLS_SHAPE_CYLINDER;

constexpr unsigned long acts =
    DLS_ENGINE_LIMIT | DLS_ENGINE_SPRING | DLS_ENGINE_DAMPER | DLS_ENGINE_EFFORT | DLS_ENGINE_FRICTION;

const dls_engine sweeps = {"bullet", pairs,       pairs,   solids,      acts, acts, true,
                           true,     sweep_notes, version, open_sweeps, step, read, close};
const dls_engine direct = {"bullet-dantzig", pairs,   pairs,       solids, acts, acts, true, true,
                           direct_notes,     version, open_direct, step,   read, close};

} // namespace

DLS_ENGINES(&sweeps, &direct);
