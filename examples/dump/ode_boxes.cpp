/* Three boxes that fall on each other and on a floor, in ODE with ode.patch, whose solver writes each step.
 *
 *     git clone https://bitbucket.org/odedevs/ode && cd ode && git checkout bcfb66cd
 *     patch -p1 --binary <ode.patch && cp delassus_dump.h ode/src/
 *     ...build it, in double precision, and this file with it...
 *     DELASSUS_DUMP=steps ./ode_boxes [STEPS] && delassus ci steps --tolerance 1e-6
 *
 * SPDX-License-Identifier: CC0-1.0 */
#include <ode/ode.h>

#include <cmath>
#include <cstdlib>

namespace
{

struct scene {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
};

void add_box(const scene &s, const double size[3], const double at[3], double angle)
{
    dMass mass;
    dMatrix3 turn;
    const dBodyID body = dBodyCreate(s.world);
    const dGeomID box = dCreateBox(s.space, size[0], size[1], size[2]);
    dMassSetBox(&mass, 1000.0, size[0], size[1], size[2]);
    dRFromAxisAndAngle(turn, 0.1, 0.2, 1.0, angle);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, at[0], at[1], at[2]);
    dBodySetRotation(body, turn);
    dGeomSetBody(box, body);
}

void touch(void *data, dGeomID a, dGeomID b)
{
    const scene *s = static_cast<const scene *>(data);
    dContact contacts[8] = {};
    const int n = dCollide(a, b, 8, &contacts[0].geom, sizeof contacts[0]);
    for (int k = 0; k < n; k++) {
        contacts[k].surface.mode = dContactApprox1;
        contacts[k].surface.mu = 0.6;
        dJointAttach(dJointCreateContact(s->world, s->contacts, &contacts[k]), dGeomGetBody(a), dGeomGetBody(b));
    }
}

} // namespace

int main(int argc, char **argv)
{
    static const double sizes[3][3] = {{0.4, 0.4, 0.2}, {0.4, 0.3, 0.2}, {0.3, 0.4, 0.2}};
    static const double places[3][3] = {{0.0, 0.0, 0.11}, {0.02, 0.01, 0.36}, {0.06, 0.03, 0.62}};
    static const double angles[3] = {0.0, 0.2, 0.6};
    dInitODE2(0);
    scene s = {dWorldCreate(), dHashSpaceCreate(nullptr), dJointGroupCreate(0)};
    dWorldSetGravity(s.world, 0.0, 0.0, -9.81);
    dCreatePlane(s.space, 0.0, 0.0, 1.0, 0.0);
    for (int k = 0; k < 3; k++)
        add_box(s, sizes[k], places[k], angles[k]);
    for (int k = 0, steps = argc > 1 ? std::atoi(argv[1]) : 240; k < steps; k++) {
        dSpaceCollide(s.space, &s, touch);
        dWorldStep(s.world, 1.0 / 240.0);
        dJointGroupEmpty(s.contacts);
    }
    dWorldDestroy(s.world);
    dCloseODE();
    return 0;
}
