// Bullet's sequential impulses, double precision: its solver alone, on manifolds and constraints made by hand.
#include "peer.h"

#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

namespace
{

btVector3 vector3(dls_vec3 v) { return btVector3(v.x, v.y, v.z); }

struct bullet_world {
    const dls_engine_mechanism *m;
    btSequentialImpulseConstraintSolver solver;
    btSphereShape shape{btScalar(0.1)};
    std::vector<std::unique_ptr<btRigidBody>> bodies; // the last one is the world
    std::vector<std::unique_ptr<btPersistentManifold>> manifolds;
    std::vector<std::unique_ptr<btTypedConstraint>> joints;
    std::vector<btCollisionObject *> body_list;
    std::vector<btPersistentManifold *> manifold_list;
    std::vector<btTypedConstraint *> joint_list;

    bullet_world(const dls_engine_mechanism *mechanism, const dls_contacts *contacts) : m(mechanism)
    {
        for (size_t i = 0; i < m->n_bodies; i++)
            add_body(m->bodies[i]);
        add_body(dls_engine_body());
        for (size_t k = 0; k < contacts->count; k++)
            add_contact(contacts->at[k]);
        for (size_t k = 0; k < m->n_joints; k++)
            add_ball(m->joints[k]);
    }

    btRigidBody *body_at(size_t body) { return bodies[body == DLS_WORLD ? m->n_bodies : body].get(); }

    void add_body(const dls_engine_body &b)
    {
        const btVector3 inertia(b.inertia.m[0], b.inertia.m[4], b.inertia.m[8]);
        btRigidBody::btRigidBodyConstructionInfo info(b.moves ? b.mass : 0.0, nullptr, &shape, inertia);
        info.m_startWorldTransform.setIdentity();
        info.m_startWorldTransform.setOrigin(vector3(b.x));
        bodies.emplace_back(new btRigidBody(info));
        bodies.back()->setFlags(0); // no gyroscopic term
        bodies.back()->setGravity(vector3(m->gravity));
        body_list.push_back(bodies.back().get());
    }

    void add_contact(const dls_contact &c)
    {
        btRigidBody *a = body_at(c.body[0]), *b = body_at(c.body[1]);
        if (manifolds.empty() || manifolds.back()->getBody0() != a || manifolds.back()->getBody1() != b) {
            manifolds.emplace_back(new btPersistentManifold(a, b, 0, btScalar(0.02), btScalar(1e30)));
            manifold_list.push_back(manifolds.back().get());
        }
        const btVector3 point = vector3(c.point[0]);
        btManifoldPoint p(a->getCenterOfMassTransform().inverse() * point,
                          b->getCenterOfMassTransform().inverse() * point, vector3(c.normal), 0);
        p.m_positionWorldOnA = p.m_positionWorldOnB = point;
        p.m_combinedFriction = c.mu;
        p.m_combinedRestitution = 0;
        manifolds.back()->addManifoldPoint(p);
    }

    void add_ball(const dls_engine_joint &j)
    {
        btRigidBody *a = body_at(j.body[0]);
        const btVector3 anchor = vector3(j.anchor[0]), in_a = a->getCenterOfMassTransform().inverse() * anchor;
        if (j.body[1] == DLS_WORLD) {
            joints.emplace_back(new btPoint2PointConstraint(*a, in_a));
        } else {
            btRigidBody *b = body_at(j.body[1]);
            joints.emplace_back(
                new btPoint2PointConstraint(*a, *b, in_a, b->getCenterOfMassTransform().inverse() * anchor));
        }
        joint_list.push_back(joints.back().get());
    }

    void return_to_start()
    {
        for (auto &body : bodies) {
            body->setLinearVelocity(btVector3(0, 0, 0));
            body->setAngularVelocity(btVector3(0, 0, 0));
            body->clearForces();
            body->applyGravity();
        }
    }
};

void *create(const dls_engine_mechanism *m, const dls_contacts *contacts) { return new bullet_world(m, contacts); }

double step(void *world, int iterations, dls_engine_state *states)
{
    bullet_world &w = *static_cast<bullet_world *>(world);
    btContactSolverInfo info;
    info.m_timeStep = w.m->h;
    info.m_numIterations = iterations;
    info.m_solverMode = SOLVER_USE_2_FRICTION_DIRECTIONS; // no warm start, no random order
    info.m_splitImpulse = 0;
    info.m_leastSquaresResidualThreshold = -1; // all iterations
    w.return_to_start();
    const double start = bench_clock();
    w.solver.solveGroup(w.body_list.data(), static_cast<int>(w.body_list.size()), w.manifold_list.data(),
                        static_cast<int>(w.manifold_list.size()), w.joint_list.data(),
                        static_cast<int>(w.joint_list.size()), info, nullptr, nullptr);
    const double seconds = bench_since(start);
    for (size_t i = 0; i < w.m->n_bodies; i++) {
        const btVector3 &v = w.bodies[i]->getLinearVelocity(), &omega = w.bodies[i]->getAngularVelocity();
        states[i].v = dls_v3(v.x(), v.y(), v.z());
        states[i].omega = dls_v3(omega.x(), omega.y(), omega.z());
    }
    return seconds;
}

void destroy(void *world) { delete static_cast<bullet_world *>(world); }

} // namespace

const bench_peer bench_peer_bullet = {"bullet", create, step, destroy};
