/* DART: articulated bodies whose joints are coordinates, and a boxed LCP over contacts and loops, by Dantzig's
 * algorithm or by projected Gauss-Seidel. J. Lee, M. X. Grey, C. K. Liu and others.
 *
 * Every tree is a skeleton, and the frames of its joints stand along the world's axes at the start; that of a
 * floating body is its own, since DART integrates the motion of this frame. A joint that closes a loop is a dynamic
 * joint constraint: a ball is one, a hinge two of them along its axis, and a fixed joint a weld. */
#include "engine_tree.h"

#include <dart/collision/CollisionFilter.hpp>
#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/config.hpp>
#include <dart/constraint/BallJointConstraint.hpp>
#include <dart/constraint/BoxedLcpConstraintSolver.hpp>
#include <dart/constraint/DantzigBoxedLcpSolver.hpp>
#include <dart/constraint/PgsBoxedLcpSolver.hpp>
#include <dart/constraint/WeldJointConstraint.hpp>
#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/UniversalJoint.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

#include <cmath>
#include <cstdio>
#include <exception>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

namespace
{

using dart::dynamics::BodyNode;
using dart::dynamics::SkeletonPtr;

Eigen::Vector3d vector(dls_vec3 v) { return {v.x, v.y, v.z}; }
dls_vec3 vector(const Eigen::Vector3d &v) { return dls_v3(v.x(), v.y(), v.z()); }
Eigen::Isometry3d pose(dls_vec3 x, dls_quat q)
{
    Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
    T.linear() = Eigen::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix();
    T.translation() = vector(x);
    return T;
}

struct dart_world {
    const dls_engine_mechanism *m;
    dart::simulation::WorldPtr world = dart::simulation::World::create();
    std::shared_ptr<dart::collision::BodyNodeCollisionFilter> apart =
        std::make_shared<dart::collision::BodyNodeCollisionFilter>();
    std::vector<BodyNode *> bodies; // null where one neither moves nor collides

    dart_world(const dls_engine_mechanism *mechanism, bool sweeps) : m(mechanism), bodies(m->n_bodies, nullptr)
    {
        if (m->restitution > 0.0 && m->threshold > 0.0)
            throw std::runtime_error("a threshold of restitution: its contacts rebound from 0.1 m/s on");
        world->setGravity(vector(m->gravity));
        world->setTimeStep(m->h);
        for (std::size_t k = 0; k < m->n_moving; k++)
            add_body(m->order[k]);
        for (std::size_t i = 0; i < m->n_bodies; i++)
            if (!m->bodies[i].moves && m->bodies[i].collides)
                add_fixed(i);
        for (std::size_t k = 0; k < m->n_planes; k++)
            add_plane(m->planes[k]);
        set_solver(sweeps);
        for (std::size_t k = 0; k < m->n_joints; k++)
            if (m->closes[k])
                close_loop(m->joints[k]);
        keep_apart();
    }

    void set_solver(bool sweeps)
    {
        using namespace dart::constraint;
        // The second solver has the problem where the first one fails, as it does on a row of zeros.
        const auto pgs = std::make_shared<PgsBoxedLcpSolver>();
        pgs->setOption(PgsBoxedLcpSolver::Option(static_cast<int>(m->iterations), 0.0, 0.0));
        std::unique_ptr<BoxedLcpConstraintSolver> solver;
        if (sweeps)
            solver.reset(new BoxedLcpConstraintSolver(pgs, nullptr));
        else
            solver.reset(new BoxedLcpConstraintSolver(std::make_shared<DantzigBoxedLcpSolver>(), pgs));
        DynamicJointConstraint::setErrorReductionParameter(m->erp);
        DynamicJointConstraint::setErrorAllowance(0.0);
        DynamicJointConstraint::setMaxErrorReductionVelocity(std::numeric_limits<double>::infinity());
        DynamicJointConstraint::setConstraintForceMixing(1e-9);
        solver->setCollisionDetector(dart::collision::DARTCollisionDetector::create());
        solver->getCollisionOption().collisionFilter = apart;
        world->setConstraintSolver(std::move(solver));
    }

    void add_shapes(BodyNode *body, const dls_engine_body &b)
    {
        for (std::size_t k = 0; k < b.n_shapes; k++) {
            const dls_engine_shape &s = b.shapes[k];
            dart::dynamics::ShapePtr shape;
            if (s.shape == DLS_SHAPE_BOX)
                shape = std::make_shared<dart::dynamics::BoxShape>(vector(s.size));
            else
                shape = std::make_shared<dart::dynamics::SphereShape>(s.radius);
            auto *node = give(body, shape, m->mu);
            if (s.placed)
                node->setRelativeTransform(pose(s.x, s.q));
        }
    }

    dart::dynamics::ShapeNode *give(BodyNode *body, const dart::dynamics::ShapePtr &shape, double mu)
    {
        auto *node = body->createShapeNodeWith<dart::dynamics::CollisionAspect, dart::dynamics::DynamicsAspect>(shape);
        node->getDynamicsAspect()->setFrictionCoeff(mu);                           // of two the lesser one
        node->getDynamicsAspect()->setRestitutionCoeff(std::sqrt(m->restitution)); // of two the product
        return node;
    }

    // A joint of body i in `skeleton`, its frame at `joint`, and the body that hangs by it.
    template <class Joint>
    Joint *join(const SkeletonPtr &skeleton, std::size_t i, const Eigen::Isometry3d &joint,
                typename Joint::Properties properties)
    {
        const dls_engine_body &b = m->bodies[i], *p = dls_engine_parent(m, i);
        BodyNode *parent = p ? bodies[static_cast<std::size_t>(p - m->bodies)] : nullptr;
        properties.mName = "j" + std::to_string(i);
        properties.mT_ParentBodyToJoint = p ? pose(p->x, p->q).inverse() * joint : joint;
        properties.mT_ChildBodyToJoint = pose(b.x, b.q).inverse() * joint;
        BodyNode::Properties body;
        body.mName = "b" + std::to_string(i);
        if (b.moves) {
            const double *I = b.inertia.m;
            body.mInertia = dart::dynamics::Inertia(b.mass, 0, 0, 0, I[0], I[4], I[8], I[1], I[2], I[5]);
        }
        auto pair = skeleton->createJointAndBodyNodePair<Joint>(parent, properties, body);
        bodies[i] = pair.second;
        return pair.first;
    }

    SkeletonPtr begin_skeleton(std::size_t i)
    {
        SkeletonPtr skeleton = dart::dynamics::Skeleton::create("s" + std::to_string(i));
        skeleton->enableSelfCollisionCheck();
        skeleton->enableAdjacentBodyCheck();
        return skeleton;
    }

    void add_body(std::size_t i)
    {
        using namespace dart::dynamics;
        const dls_engine_joint *j = dls_engine_hanger(m, i);
        const dls_engine_body *p = dls_engine_parent(m, i);
        const SkeletonPtr skeleton =
            p ? bodies[static_cast<std::size_t>(p - m->bodies)]->getSkeleton() : begin_skeleton(i);
        if (j)
            hang(skeleton, i, *j);
        else
            set_free(skeleton, i);
        if (m->bodies[i].collides)
            add_shapes(bodies[i], m->bodies[i]);
        if (!p)
            world->addSkeleton(skeleton);
    }

    void set_free(const SkeletonPtr &skeleton, std::size_t i)
    {
        using dart::dynamics::FreeJoint;
        const dls_engine_body &b = m->bodies[i];
        auto *joint = join<FreeJoint>(skeleton, i, pose(b.x, b.q), FreeJoint::Properties());
        joint->setLinearVelocity(vector(b.v));
        joint->setAngularVelocity(vector(b.omega));
    }

    static void set_action(dart::dynamics::Joint *joint, const dls_engine_action &a)
    {
        joint->setPositionLowerLimit(0, a.lower);
        joint->setPositionUpperLimit(0, a.upper);
        joint->setLimitEnforcement(std::isfinite(a.lower) || std::isfinite(a.upper));
        joint->setSpringStiffness(0, a.stiffness);
        joint->setRestPosition(0, 0.0);
        joint->setDampingCoefficient(0, a.damping);
        joint->setCoulombFriction(0, a.friction);
    }

    void hang(const SkeletonPtr &skeleton, std::size_t i, const dls_engine_joint &j)
    {
        using namespace dart::dynamics;
        const int mine = dls_engine_end(&j, i);
        const dls_vec3 a = j.axis[mine], first = j.axis[1 - mine], along = dls_engine_direction(&j, i);
        const Eigen::Isometry3d at = pose(j.anchor[mine], {1, 0, 0, 0});
        const dls_engine_motion by = dls_engine_relative(m, i);
        if (j.pair == DLS_PAIR_BALL) {
            join<BallJoint>(skeleton, i, at, BallJoint::Properties())->setVelocities(vector(by.turn));
        } else if (j.pair == DLS_PAIR_HINGE) {
            auto *hinge = join<RevoluteJoint>(skeleton, i, at, RevoluteJoint::Properties());
            hinge->setAxis(vector(along));
            hinge->setVelocity(0, dls_dot(by.turn, along));
            set_action(hinge, j.action);
        } else if (j.pair == DLS_PAIR_SLIDER) {
            auto *slider = join<PrismaticJoint>(skeleton, i, at, PrismaticJoint::Properties());
            slider->setAxis(vector(along));
            slider->setVelocity(0, dls_dot(by.slip, along));
            set_action(slider, j.action);
        } else if (j.pair == DLS_PAIR_UNIVERSAL) {
            auto *cross = join<UniversalJoint>(skeleton, i, at, UniversalJoint::Properties());
            cross->setAxis1(vector(first));
            cross->setAxis2(vector(a));
            cross->setVelocities(Eigen::Vector2d(dls_dot(by.turn, first), dls_dot(by.turn, a)));
        } else {
            join<WeldJoint>(skeleton, i, at, WeldJoint::Properties());
        }
    }

    void add_fixed(std::size_t i)
    {
        const SkeletonPtr skeleton = begin_skeleton(i);
        join<dart::dynamics::WeldJoint>(skeleton, i, pose(dls_v3(0, 0, 0), {1, 0, 0, 0}),
                                        dart::dynamics::WeldJoint::Properties());
        add_shapes(bodies[i], m->bodies[i]);
        skeleton->setMobile(false);
        world->addSkeleton(skeleton);
    }

    // The top of a box of 2 km, since the detector has no planes.
    void add_plane(const dls_engine_plane &p)
    {
        const double half = 1e3;
        dart::dynamics::WeldJoint::Properties properties;
        const SkeletonPtr skeleton = dart::dynamics::Skeleton::create("plane");
        properties.mT_ParentBodyToJoint =
            pose(dls_scale(p.distance - half, p.normal), dls_quat_between(dls_axis3(2), p.normal));
        BodyNode *ground = skeleton->createJointAndBodyNodePair<dart::dynamics::WeldJoint>(nullptr, properties).second;
        give(ground, std::make_shared<dart::dynamics::BoxShape>(Eigen::Vector3d::Constant(2.0 * half)), p.mu);
        skeleton->setMobile(false);
        world->addSkeleton(skeleton);
    }

    void close_loop(const dls_engine_joint &j)
    {
        const int first = j.body[0] == DLS_WORLD; // the first one is never the world
        BodyNode *one = bodies[j.body[first]],
                 *other = j.body[1 - first] == DLS_WORLD ? nullptr : bodies[j.body[1 - first]];
        if (j.pair == DLS_PAIR_FIXED) {
            if (other)
                world->getConstraintSolver()->addConstraint(
                    std::make_shared<dart::constraint::WeldJointConstraint>(one, other));
            else
                world->getConstraintSolver()->addConstraint(
                    std::make_shared<dart::constraint::WeldJointConstraint>(one));
            return;
        }
        const double half = j.pair == DLS_PAIR_HINGE ? 0.1 : 0.0; // [m] from its anchor to the two points of a hinge
        for (int side = -1; side <= (half > 0.0 ? 1 : -1); side += 2) {
            const Eigen::Vector3d at = vector(dls_add(j.anchor[first], dls_scale(side * half, j.axis[0])));
            if (other)
                world->getConstraintSolver()->addConstraint(
                    std::make_shared<dart::constraint::BallJointConstraint>(one, other, at));
            else
                world->getConstraintSolver()->addConstraint(
                    std::make_shared<dart::constraint::BallJointConstraint>(one, at));
        }
    }

    void keep_apart()
    {
        for (std::size_t i = 0; i < m->n_bodies; i++)
            for (std::size_t k = 0; k < i; k++)
                if (m->bodies[i].collides && m->bodies[k].collides && !m->touch[i * m->n_bodies + k])
                    apart->addBodyNodePairToBlackList(bodies[i], bodies[k]);
    }
};

void version(char *text, std::size_t size)
{
    std::snprintf(text, size, "DART %d.%d.%d, double precision", DART_MAJOR_VERSION, DART_MINOR_VERSION,
                  DART_PATCH_VERSION);
}

void *open(const dls_engine_mechanism *m, bool sweeps, char *why, std::size_t size)
{
    try {
        return new dart_world(m, sweeps);
    } catch (const std::exception &problem) {
        std::snprintf(why, size, "%s", problem.what());
        return nullptr;
    }
}
void *open_direct(const dls_engine_mechanism *m, char *why, std::size_t size) { return open(m, false, why, size); }
void *open_sweeps(const dls_engine_mechanism *m, char *why, std::size_t size) { return open(m, true, why, size); }

void step(void *world)
{
    const dart_world &w = *static_cast<dart_world *>(world);
    for (std::size_t k = 0; k < w.m->n_moving; k++) { // of one step
        const std::size_t i = w.m->order[k];
        w.bodies[i]->addExtForce(vector(w.m->bodies[i].force), Eigen::Vector3d::Zero(), false);
        w.bodies[i]->addExtTorque(vector(w.m->bodies[i].torque), false);
        const dls_engine_joint *j = dls_engine_hanger(w.m, i);
        if (j && j->action.effort != 0.0)
            w.bodies[i]->getParentJoint()->setForce(0, j->action.effort);
    }
    w.world->step();
}

void read(void *world, dls_engine_state *states)
{
    const dart_world &w = *static_cast<dart_world *>(world);
    for (std::size_t i = 0; i < w.m->n_bodies; i++) {
        const dls_engine_body &start = w.m->bodies[i];
        states[i] = {start.x, dls_v3(0, 0, 0), dls_v3(0, 0, 0), start.q};
        if (!start.moves)
            continue;
        const Eigen::Isometry3d &T = w.bodies[i]->getWorldTransform();
        const Eigen::Quaterniond q(T.linear());
        states[i] = {vector(Eigen::Vector3d(T.translation())),
                     vector(w.bodies[i]->getCOMLinearVelocity()),
                     vector(w.bodies[i]->getAngularVelocity()),
                     {q.w(), q.x(), q.y(), q.z()}};
    }
}

void close(void *world) { delete static_cast<dart_world *>(world); }

#define EVERY_NOTE                                                                                                    \
    {"joints", "those of the trees are coordinates and have no error but rounding; those that close a loop are "      \
               "constraints with our ERP and a CFM of 1e-9, a hinge as two balls"},                                   \
        {"actions", "limits and dry friction are its own constraints; springs and dampers are implicit"},             \
        {"contacts", "found by DART's own detector in every step: boxes and spheres; ERP 0.01 up to 0.01 m/s, and a " \
                     "CFM of 1e-5, its defaults; a plane is the top of a box of 2 km"},                               \
        {"restitution", "from 0.1 m/s on, e times the speed that forces would lead to without the contact"},          \
        {"friction", "a pyramid along two tangents, mu times the normal force"},                                      \
    {                                                                                                                 \
        "integrator",                                                                                                 \
            "semi-implicit Euler in generalised coordinates, the gyroscopic term explicit; rotations by the "         \
            "exponential map"                                                                                         \
    }

const dls_engine_note direct_notes[] = {
    EVERY_NOTE,
    {"iterations", "none, where Dantzig's algorithm succeeds; where it returns no numbers, as on a row of zeros, the "
                   "iterations of dart-pgs. Redundant rows may lock a loop: a planar four-bar of hinges does not move"},
    {nullptr, nullptr}};
const dls_engine_note sweep_notes[] = {
    EVERY_NOTE, {"iterations", "sweeps over the rows of contacts and loops, from zero impulse"}, {nullptr, nullptr}};

constexpr unsigned long loops = 1 << DLS_PAIR_BALL | 1 << DLS_PAIR_HINGE | 1 << DLS_PAIR_FIXED;
constexpr unsigned long pairs = loops | 1 << DLS_PAIR_SLIDER | 1 << DLS_PAIR_UNIVERSAL;
constexpr unsigned long solids = 1 << DLS_SHAPE_BOX | 1 << DLS_SHAPE_SPHERE;

constexpr unsigned long acts =
    DLS_ENGINE_LIMIT | DLS_ENGINE_SPRING | DLS_ENGINE_DAMPER | DLS_ENGINE_EFFORT | DLS_ENGINE_FRICTION;

const dls_engine direct = {"dart", pairs,        loops,   solids,      acts, 0,    true,
                           false,  direct_notes, version, open_direct, step, read, close};
const dls_engine sweeps = {"dart-pgs", pairs,       loops,   solids,      acts, 0,    true,
                           true,       sweep_notes, version, open_sweeps, step, read, close};

} // namespace

DLS_ENGINES(&direct, &sweeps);
