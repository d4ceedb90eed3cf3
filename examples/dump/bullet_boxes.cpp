/* Three boxes that fall on each other and on a floor, in Bullet with bullet.patch, whose solver writes each step.
 *
 *     git clone --branch 3.25 https://github.com/bulletphysics/bullet3 && cd bullet3
 *     patch -p1 <bullet.patch && cp delassus_dump.h src/
 *     ...build it, with -DUSE_DOUBLE_PRECISION=ON, and this file with it...
 *     DELASSUS_DUMP=steps ./bullet_boxes [STEPS [ITERATIONS]] && delassus ci steps --tolerance 1e-6
 *
 * SPDX-License-Identifier: CC0-1.0 */
#include <btBulletDynamicsCommon.h>

#include <cstdlib>

namespace
{

void add_box(btDiscreteDynamicsWorld &world, const btVector3 &size, double mass, const btVector3 &at, double angle)
{
    auto *shape = new btBoxShape(0.5 * size);
    btVector3 inertia(0.0, 0.0, 0.0);
    if (mass > 0.0)
        shape->calculateLocalInertia(mass, inertia);
    const btTransform pose(btQuaternion(btVector3(0.1, 0.2, 1.0).normalized(), angle), at);
    auto *body = new btRigidBody(mass, new btDefaultMotionState(pose), shape, inertia);
    body->setFriction(0.8); /* Bullet multiplies those of both bodies: 0.64 */
    world.addRigidBody(body);
}

} // namespace

/* Objects live until the program ends. */
int main(int argc, char **argv)
{
    auto *configuration = new btDefaultCollisionConfiguration;
    btDiscreteDynamicsWorld world(new btCollisionDispatcher(configuration), new btDbvtBroadphase,
                                  new btSequentialImpulseConstraintSolver, configuration);
    world.setGravity({0.0, 0.0, -9.81});
    world.getSolverInfo().m_numIterations = argc > 2 ? std::atoi(argv[2]) : 10;
    add_box(world, {10.0, 10.0, 1.0}, 0.0, {0.0, 0.0, -0.5}, 0.0);
    add_box(world, {0.4, 0.4, 0.2}, 32.0, {0.0, 0.0, 0.11}, 0.0);
    add_box(world, {0.4, 0.3, 0.2}, 24.0, {0.02, 0.01, 0.36}, 0.2);
    add_box(world, {0.3, 0.4, 0.2}, 24.0, {0.06, 0.03, 0.62}, 0.6);
    for (int k = 0, steps = argc > 1 ? std::atoi(argv[1]) : 240; k < steps; k++)
        world.stepSimulation(1.0 / 240.0, 0);
    return 0;
}
