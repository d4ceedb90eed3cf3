// Bullet's sequential impulses, double precision: its solver alone, on manifolds and constraints made by hand.
#include "peer.h"

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <memory>
#include <vector>

namespace
{

btVector3 vector3(const double *x) { return btVector3(x[0], x[1], x[2]); }

struct bullet_world {
    const bench_mechanism *m;
    btSequentialImpulseConstraintSolver solver;
    btSphereShape shape{btScalar(0.1)};
    std::vector<std::unique_ptr<btRigidBody>> bodies; // the last one is the ground
    std::vector<std::unique_ptr<btPersistentManifold>> manifolds;
    std::vector<std::unique_ptr<btTypedConstraint>> joints;
    std::vector<btCollisionObject *> body_list;
    std::vector<btPersistentManifold *> manifold_list;
    std::vector<btTypedConstraint *> joint_list;

    explicit bullet_world(const bench_mechanism *mechanism) : m(mechanism)
    {
        for (size_t i = 0; i <= m->n_bodies; i++)
            add_body(i);
        for (size_t k = 0; k < m->n_contacts; k++)
            add_contact(m->contacts[k]);
        for (size_t k = 0; k < m->n_balls; k++)
            add_ball(m->balls[k]);
    }

    btRigidBody *body_at(size_t body) { return bodies[body == BENCH_WORLD ? m->n_bodies : body].get(); }

    void add_body(size_t i)
    {
        const bool ground = i == m->n_bodies;
        btRigidBody::btRigidBodyConstructionInfo info(ground ? 0.0 : m->bodies[i].mass, nullptr, &shape,
                                                      ground ? btVector3(0, 0, 0) : vector3(m->bodies[i].inertia));
        info.m_startWorldTransform.setIdentity();
        if (!ground)
            info.m_startWorldTransform.setOrigin(vector3(m->bodies[i].x));
        bodies.emplace_back(new btRigidBody(info));
        bodies.back()->setFlags(0); // no gyroscopic term
        bodies.back()->setGravity(btVector3(0, 0, -m->gravity));
        body_list.push_back(bodies.back().get());
    }

    void add_contact(const bench_contact &c)
    {
        btRigidBody *a = body_at(c.body[0]), *b = body_at(c.body[1]);
        if (manifolds.empty() || manifolds.back()->getBody0() != a || manifolds.back()->getBody1() != b) {
            manifolds.emplace_back(new btPersistentManifold(a, b, 0, btScalar(0.02), btScalar(1e30)));
            manifold_list.push_back(manifolds.back().get());
        }
        const btVector3 point = vector3(c.point);
        btManifoldPoint p(a->getCenterOfMassTransform().inverse() * point,
                          b->getCenterOfMassTransform().inverse() * point, vector3(c.normal), 0);
        p.m_positionWorldOnA = p.m_positionWorldOnB = point;
        p.m_combinedFriction = c.mu;
        p.m_combinedRestitution = 0;
        manifolds.back()->addManifoldPoint(p);
    }

    void add_ball(const bench_ball &ball)
    {
        btRigidBody *a = body_at(ball.body[0]);
        const btVector3 anchor = vector3(ball.anchor), in_a = a->getCenterOfMassTransform().inverse() * anchor;
        if (ball.body[1] == BENCH_WORLD) {
            joints.emplace_back(new btPoint2PointConstraint(*a, in_a));
        } else {
            btRigidBody *b = body_at(ball.body[1]);
            joints.emplace_back(
                new btPoint2PointConstraint(*a, *b, in_a, b->getCenterOfMassTransform().inverse() * anchor));
        }
        joint_list.push_back(joints.back().get());
    }

    void place()
    {
        for (auto &body : bodies) {
            body->setLinearVelocity(btVector3(0, 0, 0));
            body->setAngularVelocity(btVector3(0, 0, 0));
            body->clearForces();
            body->applyGravity();
        }
    }
};

void *create(const bench_mechanism *m) { return new bullet_world(m); }

double step(void *world, int iterations, double *v)
{
    bullet_world &w = *static_cast<bullet_world *>(world);
    btContactSolverInfo info;
    info.m_timeStep = w.m->h;
    info.m_numIterations = iterations;
    info.m_solverMode = SOLVER_USE_2_FRICTION_DIRECTIONS; // no warm start, no random order
    info.m_splitImpulse = 0;
    info.m_leastSquaresResidualThreshold = -1; // all iterations
    w.place();
    const double start = bench_clock();
    w.solver.solveGroup(w.body_list.data(), static_cast<int>(w.body_list.size()), w.manifold_list.data(),
                        static_cast<int>(w.manifold_list.size()), w.joint_list.data(),
                        static_cast<int>(w.joint_list.size()), info, nullptr, nullptr);
    const double seconds = bench_since(start);
    for (size_t i = 0; i < w.m->n_bodies; i++)
        for (int k = 0; k < 3; k++) {
            v[6 * i + static_cast<size_t>(k)] = w.bodies[i]->getLinearVelocity()[k];
            v[6 * i + 3 + static_cast<size_t>(k)] = w.bodies[i]->getAngularVelocity()[k];
        }
    return seconds;
}

void destroy(void *world) { delete static_cast<bullet_world *>(world); }

// --- whole steps: its world, which starts warm and has split impulses for deep contacts by default ---

struct bullet_engine {
    const bench_mechanism *m;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btStaticPlaneShape plane{btVector3(0, 0, 1), 0};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies; // the last one is the ground
    std::vector<std::unique_ptr<btTypedConstraint>> joints;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};

    bullet_engine(const bench_mechanism *mechanism, int iterations) : m(mechanism)
    {
        world.setGravity(btVector3(0, 0, -m->gravity));
        world.getSolverInfo().m_numIterations = iterations;
        world.getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS; // as the others have
        for (size_t i = 0; i < m->n_bodies; i++) {
            const bench_free_body &b = m->bodies[i];
            shapes.emplace_back(new btBoxShape(btScalar(0.5) * vector3(b.size)));
            add_body(shapes.back().get(), b.mass, vector3(b.inertia), vector3(b.x));
        }
        add_body(&plane, 0, btVector3(0, 0, 0), btVector3(0, 0, 0));
        for (size_t k = 0; k < m->n_balls; k++)
            add_ball(m->balls[k]);
    }

    ~bullet_engine()
    {
        for (auto &joint : joints)
            world.removeConstraint(joint.get());
        for (auto &body : bodies)
            world.removeRigidBody(body.get());
    }

    void add_body(btCollisionShape *shape, double mass, const btVector3 &inertia, const btVector3 &x)
    {
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
        info.m_startWorldTransform.setOrigin(x);
        info.m_friction = m->mu > 0 ? std::sqrt(m->mu) : 0; // of two bodies: the product
        bodies.emplace_back(new btRigidBody(info));
        bodies.back()->setActivationState(DISABLE_DEACTIVATION);
        bodies.back()->setFlags(0);
        world.addRigidBody(bodies.back().get(), 1, m->collide ? 1 : 0);
    }

    void add_ball(const bench_ball &ball)
    {
        btRigidBody &a = *bodies[ball.body[0]];
        const btVector3 anchor = vector3(ball.anchor), in_a = a.getCenterOfMassTransform().inverse() * anchor;
        if (ball.body[1] == BENCH_WORLD) {
            joints.emplace_back(new btPoint2PointConstraint(a, in_a));
        } else {
            btRigidBody &b = *bodies[ball.body[1]];
            joints.emplace_back(
                new btPoint2PointConstraint(a, b, in_a, b.getCenterOfMassTransform().inverse() * anchor));
        }
        world.addConstraint(joints.back().get(), true);
    }
};

void *create_engine(const bench_mechanism *m, int iterations) { return new bullet_engine(m, iterations); }

double whole_step(void *world)
{
    bullet_engine &w = *static_cast<bullet_engine *>(world);
    const double start = bench_clock();
    w.world.stepSimulation(w.m->h, 0);
    return bench_since(start);
}

void read_engine(void *world, double *pose, double *v)
{
    bullet_engine &w = *static_cast<bullet_engine *>(world);
    for (size_t i = 0; i < w.m->n_bodies; i++, pose += 7, v += 6) {
        const btTransform &at = w.bodies[i]->getCenterOfMassTransform();
        const btQuaternion q = at.getRotation();
        pose[3] = q.w(), pose[4] = q.x(), pose[5] = q.y(), pose[6] = q.z();
        for (int k = 0; k < 3; k++) {
            pose[k] = at.getOrigin()[k];
            v[k] = w.bodies[i]->getLinearVelocity()[k];
            v[3 + k] = w.bodies[i]->getAngularVelocity()[k];
        }
    }
}

void destroy_engine(void *world) { delete static_cast<bullet_engine *>(world); }

} // namespace

const bench_peer bench_peer_bullet = {"bullet", create, step, destroy};
const bench_engine bench_engine_bullet = {
    "bullet", "warm starts, split impulses", create_engine, whole_step, read_engine, destroy_engine};
