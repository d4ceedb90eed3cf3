/* Three boxes that fall on each other and on a floor, in Box3D with box3d.patch, whose solver writes each substep.
 *
 *     git clone https://github.com/erincatto/box3d && cd box3d && git checkout 30c67b5e
 *     patch -p1 <box3d.patch && cp delassus_dump.h src/
 *     ...build it, and this file with it...
 *     DELASSUS_DUMP=steps ./box3d_boxes [STEPS [SUBSTEPS]] && delassus ci steps --tolerance 1e-6
 *
 * SPDX-License-Identifier: CC0-1.0 */
#include <box3d/box3d.h>

#include <math.h>
#include <stdlib.h>

static void add_box(b3WorldId world, b3BodyType type, b3Vec3 half, b3Pos at, float angle)
{
    const float length = sqrtf(0.1f * 0.1f + 0.2f * 0.2f + 1.0f), s = sinf(0.5f * angle) / length;
    const b3BoxHull box = b3MakeBoxHull(half.x, half.y, half.z);
    b3BodyDef body = b3DefaultBodyDef();
    b3ShapeDef shape = b3DefaultShapeDef();
    body.type = type;
    body.position = at;
    body.rotation = (b3Quat){{0.1f * s, 0.2f * s, s}, cosf(0.5f * angle)};
    shape.density = 1000.0f;
    shape.baseMaterial.friction = 0.6f;
    b3CreateHullShape(b3CreateBody(world, &body), &shape, &box.base);
}

int main(int argc, char **argv)
{
    b3WorldDef def = b3DefaultWorldDef();
    def.gravity = (b3Vec3){0.0f, 0.0f, -9.81f};
    def.enableSleep = false;
    const b3WorldId world = b3CreateWorld(&def);
    add_box(world, b3_staticBody, (b3Vec3){5.0f, 5.0f, 0.5f}, (b3Pos){0.0f, 0.0f, -0.5f}, 0.0f);
    add_box(world, b3_dynamicBody, (b3Vec3){0.2f, 0.2f, 0.1f}, (b3Pos){0.0f, 0.0f, 0.11f}, 0.0f);
    add_box(world, b3_dynamicBody, (b3Vec3){0.2f, 0.15f, 0.1f}, (b3Pos){0.02f, 0.01f, 0.36f}, 0.2f);
    add_box(world, b3_dynamicBody, (b3Vec3){0.15f, 0.2f, 0.1f}, (b3Pos){0.06f, 0.03f, 0.62f}, 0.6f);
    const int steps = argc > 1 ? atoi(argv[1]) : 60, substeps = argc > 2 ? atoi(argv[2]) : 4;
    for (int k = 0; k < steps; k++)
        b3World_Step(world, 1.0f / 60.0f, substeps);
    b3DestroyWorld(world);
    return 0;
}
