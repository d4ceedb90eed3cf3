/* Pinocchio, J. Carpentier and others, in double, its templates compiled here without assertions, those of Eigen taking
 * more than half of the time of crba: configure with CXXFLAGS='-O3 -march=native' to see it at its fastest. Hinges are
 * its joints RX, RY, RZ, its fastest. It has two conventions for the frame in which ABA and CRBA work: "pinocchio" is
 * that of the links, "pinocchio-world" that of the world.
 *
 * Timed quantities, always from q on:
 *     aba        aba
 *     crba       crba, the upper triangle of M
 *     rnea       rnea
 *     gravity    computeGeneralizedGravity
 * The other tasks are left out.
 */
#ifndef NDEBUG
#define NDEBUG
#endif

#include "peer.h"

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/model.hpp>

#include <memory>
#include <new>

namespace
{

struct engine {
    pinocchio::Model model;
    pinocchio::Data data;
    pinocchio::Convention convention;
    Eigen::VectorXd q, v, vdot, tau;
};

/* The joint whose axis is x, y or z of the link. */
pinocchio::JointModel joint_about(int axis)
{
    if (axis == 0)
        return pinocchio::JointModelRX();
    if (axis == 1)
        return pinocchio::JointModelRY();
    return pinocchio::JointModelRZ();
}

pinocchio::Model model_of(const bench_tree *tree)
{
    pinocchio::Model model;
    model.gravity.linear() = Eigen::Vector3d(0.0, 0.0, -tree->gravity);
    for (size_t i = 0; i < tree->n; i++) {
        const bench_hinge &h = tree->hinges[i];
        const Eigen::Map<const Eigen::Vector3d> anchor(h.anchor), centre(h.centre), inertia(h.inertia);
        const pinocchio::SE3 placement(Eigen::Matrix3d::Identity(), anchor);
        const pinocchio::JointIndex joint = model.addJoint(h.parent == BENCH_WORLD ? 0 : h.parent + 1,
                                                           joint_about(h.axis), placement, "j" + std::to_string(i));
        model.appendBodyToJoint(joint, pinocchio::Inertia(h.mass, centre, inertia.asDiagonal().toDenseMatrix()));
    }
    return model;
}

void *create(const bench_tree *tree, pinocchio::Convention convention)
try {
    const Eigen::Index n = static_cast<Eigen::Index>(tree->n);
    const auto entries = [n](const double *x) { return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(x, n)); };
    pinocchio::Model model = model_of(tree);
    pinocchio::Data data(model);
    return new engine{
        model, data, convention, entries(tree->q), entries(tree->v), entries(tree->vdot), entries(tree->tau)};
} catch (const std::bad_alloc &) {
    return nullptr;
}

void *create_local(const bench_tree *tree) { return create(tree, pinocchio::Convention::LOCAL); }
void *create_world(const bench_tree *tree) { return create(tree, pinocchio::Convention::WORLD); }

const double *run(void *created, bench_task task)
{
    engine &e = *static_cast<engine *>(created);
    switch (task) {
    case BENCH_ABA:
        return pinocchio::aba(e.model, e.data, e.q, e.v, e.tau, e.convention).data();
    case BENCH_MASS_MATRIX:
        pinocchio::crba(e.model, e.data, e.q, e.convention);
        return nullptr;
    case BENCH_RNEA:
        return pinocchio::rnea(e.model, e.data, e.q, e.v, e.vdot).data();
    case BENCH_GRAVITY:
        return pinocchio::computeGeneralizedGravity(e.model, e.data, e.q).data();
    default:
        return nullptr;
    }
}

void destroy(void *created) { delete static_cast<engine *>(created); }

} // namespace

const bench_tree_peer bench_peer_pinocchio = {"pinocchio", BENCH_JACOBIAN, create_local, run, destroy};
const bench_tree_peer bench_peer_pinocchio_world = {"pinocchio-world", BENCH_JACOBIAN, create_world, run, destroy};
