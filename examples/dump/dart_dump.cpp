/* DART's steps, as its solvers of boxed LCPs have solved them: a solver around DART's own writes A, b, the bounds and
 * the answer, and no line of DART is changed.
 *
 *     c++ -std=c++17 dart_dump.cpp $(pkg-config --cflags --libs dart) -o dart_dump && mkdir steps
 *     DELASSUS_DUMP=steps ./dart_dump [STEPS [dantzig|pgs]] && delassus ci steps --tolerance 1e-6
 *
 * DART solves A x = b + w with lo <= x <= hi, and for friction -hi x_f <= x <= hi x_f with f = findex: a box of the
 * coefficient hi. A row without friction has findex -1, or its own number. Each group of connected bodies is a problem.
 *
 * SPDX-License-Identifier: CC0-1.0 */
#include "delassus_dump.h"

#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/constraint/BoxedLcpConstraintSolver.hpp>
#include <dart/constraint/DantzigBoxedLcpSolver.hpp>
#include <dart/constraint/PgsBoxedLcpSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

#include <memory>
#include <vector>

namespace
{

using dart::constraint::BoxedLcpSolver;

class Dumping : public BoxedLcpSolver
{
  public:
    Dumping(std::shared_ptr<BoxedLcpSolver> inner, dls_dump *dump) : inner_(std::move(inner)), dump_(dump) {}
    const std::string &getType() const override { return inner_->getType(); }
#ifndef NDEBUG
    bool canSolve(int, const double *) override { return true; }
#endif

    /* The rows of A are padded to a multiple of four numbers; the solver destroys A and b. */
    bool solve(int n, double *A, double *x, double *b, int nub, double *lo, double *hi, int *findex,
               bool early) override
    {
        const std::size_t rows = static_cast<std::size_t>(n), stride = rows > 1 ? ((rows - 1) | 3) + 1 : rows;
        const std::vector<double> matrix(A, A + rows * stride), right(b, b + n), low(lo, lo + n), high(hi, hi + n);
        const std::vector<int> parent(findex, findex + n);
        const bool solved = inner_->solve(n, A, x, b, nub, lo, hi, findex, early);
        dls_dump_begin_matrix(dump_, rows);
        for (std::size_t i = 0; i < rows; i++) {
            char label[32];
            std::snprintf(label, sizeof label, "row %d", static_cast<int>(i));
            dls_dump_row(dump_, label, right[i], 0.0, low[i], high[i], x[i]);
            dls_dump_block(dump_, 0, matrix.data() + i * stride);
            if (parent[i] >= 0 && parent[i] != static_cast<int>(i))
                dls_dump_friction(dump_, parent[i], high[i], DLS_DUMP_BOX);
        }
        dls_dump_end(dump_);
        return solved;
    }

  private:
    std::shared_ptr<BoxedLcpSolver> inner_;
    dls_dump *dump_;
};

dart::dynamics::SkeletonPtr box(const char *name, const Eigen::Vector3d &size, double height, double angle)
{
    auto skeleton = dart::dynamics::Skeleton::create(name);
    auto pair = skeleton->createJointAndBodyNodePair<dart::dynamics::FreeJoint>();
    auto shape = std::make_shared<dart::dynamics::BoxShape>(size);
    auto *node =
        pair.second->createShapeNodeWith<dart::dynamics::CollisionAspect, dart::dynamics::DynamicsAspect>(shape);
    node->getDynamicsAspect()->setFrictionCoeff(0.6);
    dart::dynamics::Inertia inertia;
    inertia.setMass(1000.0 * size.prod());
    inertia.setMoment(shape->computeInertia(inertia.getMass()));
    pair.second->setInertia(inertia);
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation() = Eigen::Vector3d(0.1 * angle, 0.05 * angle, height);
    pose.linear() = Eigen::AngleAxisd(angle, Eigen::Vector3d(0.1, 0.2, 1.0).normalized()).toRotationMatrix();
    pair.first->setPositions(dart::dynamics::FreeJoint::convertToPositions(pose));
    return skeleton;
}

dart::dynamics::SkeletonPtr floor_box()
{
    auto skeleton = dart::dynamics::Skeleton::create("floor");
    auto *body = skeleton->createJointAndBodyNodePair<dart::dynamics::WeldJoint>().second;
    auto shape = std::make_shared<dart::dynamics::BoxShape>(Eigen::Vector3d(10.0, 10.0, 1.0));
    auto *node = body->createShapeNodeWith<dart::dynamics::CollisionAspect, dart::dynamics::DynamicsAspect>(shape);
    node->getDynamicsAspect()->setFrictionCoeff(0.6);
    node->setRelativeTranslation(Eigen::Vector3d(0.0, 0.0, -0.5));
    return skeleton;
}

} // namespace

int main(int argc, char **argv)
{
    using namespace dart::constraint;
    const int steps = argc > 1 ? std::atoi(argv[1]) : 500;
    const bool sweeps = argc > 2 && std::strcmp(argv[2], "pgs") == 0;
    if (argc > 2 && !sweeps && std::strcmp(argv[2], "dantzig") != 0) {
        std::fprintf(stderr, "%s is neither dantzig nor pgs\n", argv[2]);
        return 2;
    }
    dls_dump dump;
    dls_dump_open(&dump, nullptr, "dart");
    std::shared_ptr<BoxedLcpSolver> inner = std::make_shared<DantzigBoxedLcpSolver>();
    if (sweeps)
        inner = std::make_shared<PgsBoxedLcpSolver>();
    auto world = dart::simulation::World::create();
    world->setTimeStep(0.002);
    world->setConstraintSolver(
        std::make_unique<BoxedLcpConstraintSolver>(std::make_shared<Dumping>(inner, &dump), nullptr));
    world->getConstraintSolver()->setCollisionDetector(dart::collision::DARTCollisionDetector::create());
    world->addSkeleton(floor_box());
    world->addSkeleton(box("a", {0.4, 0.4, 0.2}, 0.11, 0.0));
    world->addSkeleton(box("b", {0.4, 0.3, 0.2}, 0.36, 0.2));
    world->addSkeleton(box("c", {0.3, 0.4, 0.2}, 0.62, 0.6));
    for (int k = 0; k < steps; k++)
        world->step();
    const int error = dls_dump_close(&dump);
    if (error)
        std::fprintf(stderr, "the steps cannot be written: %s\n", std::strerror(error));
    return error ? 1 : 0;
}
