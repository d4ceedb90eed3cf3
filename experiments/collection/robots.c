/* Robots: trees in reduced coordinates with contacts at their feet or pads.
 *
 *     quadruped  a trunk on four legs of two links, with a point contact at each foot
 *     humanoid   a pelvis, a trunk, two arms, two legs of thigh, shank and foot, four contacts at each foot
 *     gripper    two fingers of two links that press a cube between them, four contacts at each pad
 *
 * Each joint has a motor with the target speed 0 and a bounded torque: in a third of the problems it is too weak for
 * the weight, and the robot gives way. A third of the robots is at rest; the joints of the others have drawn speeds.
 * Joints turn about y, and links lean by angles with rational sines and cosines, so that no trigonometric function is
 * needed; the pose of the drawing is that of the joint coordinates 0. */
#include "collection/parts.h"

#include <stdio.h>
#include <string.h>

/* sin, cos */
static const double leans[][2] = {{0.0, 1.0},
                                  {7.0 / 25.0, 24.0 / 25.0},
                                  {5.0 / 13.0, 12.0 / 13.0},
                                  {8.0 / 17.0, 15.0 / 17.0},
                                  {3.0 / 5.0, 4.0 / 5.0}};
enum { LEANS = sizeof leans / sizeof leans[0] };
static const char robot_name[] = "robot";

typedef struct robot {
    dls_maker maker;
    dls_articulation_def *def; /* the maker's, once its links are complete */
    double torque;             /* of each motor [N m] */
    bool moves;
    uint64_t draws;
} robot;

/* Adds a box between two points, whose other edges are `width`, or the root if `parent` is NULL. It turns about y at
 * `from`. */
static void robot_link(robot *r, const char *name, const char *parent, dls_vec3 from, dls_vec3 to, double width,
                       double mass)
{
    dls_posed_link link;
    const dls_vec3 along = dls_sub(to, from);
    if (r->maker.status != DLS_OK)
        return;
    dls_body_default(&link.body);
    r->maker.status = dls_fields_default(&dls_posed_joint_fields, &link.joint, r->maker.error);
    snprintf(link.body.name, sizeof link.body.name, "%s", name);
    link.body.shape = DLS_SHAPE_BOX;
    link.body.size = dls_v3(width, width, dls_norm(along));
    link.body.mass = mass;
    link.body.position = dls_scale(0.5, dls_add(from, to));
    link.body.orientation = dls_quat_between(dls_axis3(2), dls_unit(along));
    if (parent) {
        snprintf(link.joint.parent, sizeof link.joint.parent, "%s", parent);
        strcpy(link.joint.motion, "revolute");
        link.joint.anchor = from;
        link.joint.axis = dls_axis3(1);
        link.joint.speed = r->moves ? dls_draw_whole(&r->draws, 8) / 16.0 : 0.0;
    }
    if (r->maker.status == DLS_OK)
        r->maker.status = dls_articulation_def_add_posed(r->def, &link, r->maker.error);
}

static void robot_begin(robot *r, const dls_collection_member *of, double weak, double strong, dls_error *error)
{
    *r = (robot){.maker = dls_make_scene(dls_v3(0.0, 0.0, -9.75), error),
                 .torque = of->k % 3 == 0 ? weak : strong,
                 .moves = of->k % 3 == 2,
                 .draws = of->draws};
    if (r->maker.status == DLS_OK)
        r->maker.status = dls_articulation_def_create(&r->def, error);
    if (r->maker.status == DLS_OK)
        snprintf(r->def->name, sizeof r->def->name, "%s", robot_name);
}

/* The tree is complete: adds it to the scene, and the motors of its joints. */
static void robot_end_tree(robot *r)
{
    char name[DLS_NAME_MAX], coordinate[DLS_COORDINATE_MAX];
    dls_articulation_def *const def = r->def;
    if (r->maker.status == DLS_OK) {
        r->maker.status = dls_scene_add_articulation(r->maker.scene, def, r->maker.error);
        r->def = r->maker.status == DLS_OK ? NULL : def;
    }
    dls_articulation_def_destroy(r->def);
    for (size_t i = 1; r->maker.status == DLS_OK && i < def->n_links; i++) {
        snprintf(name, sizeof name, "motor%zu", i);
        snprintf(coordinate, sizeof coordinate, "%s.%.60s", robot_name, def->links[i].name);
        dls_make_joint(&r->maker, "motor", name, NULL, NULL);
        dls_make_term(&r->maker, coordinate, 1.0);
        dls_make_real(&r->maker, "speed", 0.0);
        dls_make_real(&r->maker, "force", r->torque);
    }
}

/* A contact of a body, or of a link of the robot, under the cone. */
static void robot_contact(robot *r, const char *body1, const char *link2, dls_vec3 point, dls_vec3 normal, double mu)
{
    char name[DLS_NAME_MAX], other[DLS_COORDINATE_MAX];
    snprintf(name, sizeof name, "contact%zu", r->maker.scene ? r->maker.scene->n_joints : 0);
    snprintf(other, sizeof other, "%s.%s", robot_name, link2 ? link2 : "");
    dls_make_joint(&r->maker, "contact", name, body1, link2 ? other : NULL);
    dls_make_vector(&r->maker, "point", point);
    dls_make_vector(&r->maker, "normal", normal);
    dls_make_real(&r->maker, "mu", mu);
    dls_make_set(&r->maker, "friction", "cone");
}

static void stand(robot *r, const char *link, dls_vec3 point, double mu)
{
    char name[DLS_COORDINATE_MAX];
    snprintf(name, sizeof name, "%s.%s", robot_name, link);
    robot_contact(r, name, NULL, point, dls_axis3(2), mu);
}

/* --- quadruped --- */

static void make_quadruped(robot *r, const double lean[2], double mu)
{
    char thigh[DLS_NAME_MAX], shank[DLS_NAME_MAX];
    const double height = lean[1]; /* two links of half a metre */
    dls_vec3 foot[4];
    robot_link(r, "trunk", NULL, dls_v3(-0.5, 0.0, height), dls_v3(0.5, 0.0, height), 0.25, 16.0);
    for (size_t leg = 0; leg < 4; leg++) {
        const double x = leg & 1 ? 0.5 : -0.5, y = leg & 2 ? 0.25 : -0.25, forth = leg & 1 ? -1.0 : 1.0;
        const dls_vec3 hip = dls_v3(x, y, height), knee = dls_v3(x + 0.5 * forth * lean[0], y, 0.5 * height);
        foot[leg] = dls_v3(x, y, 0.0);
        snprintf(thigh, sizeof thigh, "thigh%zu", leg);
        snprintf(shank, sizeof shank, "shank%zu", leg);
        robot_link(r, thigh, "trunk", hip, knee, 0.125, 2.0);
        robot_link(r, shank, thigh, knee, foot[leg], 0.0625, 1.0);
    }
    robot_end_tree(r);
    for (size_t leg = 0; leg < 4; leg++) {
        snprintf(shank, sizeof shank, "shank%zu", leg);
        stand(r, shank, foot[leg], mu);
    }
}

/* --- humanoid --- */

/* A leg whose thigh leans forwards and whose shank leans back by the same angle, and an arm that hangs. */
static void make_side(robot *r, size_t side, const double lean[2], double height)
{
    const char *const names[2][5] = {{"thigh0", "shank0", "foot0", "upperarm0", "forearm0"},
                                     {"thigh1", "shank1", "foot1", "upperarm1", "forearm1"}};
    const char *const *name = names[side];
    const double y = side ? 0.125 : -0.125, arm = side ? 0.375 : -0.375;
    const dls_vec3 hip = dls_v3(0.0, y, height), knee = dls_v3(0.5 * lean[0], y, height - 0.5 * lean[1]),
                   ankle = dls_v3(0.0, y, height - lean[1]), shoulder = dls_v3(0.0, arm, height + 0.625),
                   elbow = dls_v3(0.25 * lean[0], arm, height + 0.625 - 0.25 * lean[1]);
    robot_link(r, name[0], "pelvis", hip, knee, 0.125, 8.0);
    robot_link(r, name[1], name[0], knee, ankle, 0.125, 4.0);
    robot_link(r, name[2], name[1], ankle, dls_v3(0.0, y, 0.0), 0.125, 1.0);
    robot_link(r, name[3], "torso", shoulder, elbow, 0.0625, 2.0);
    robot_link(r, name[4], name[3], elbow, dls_v3(0.5 * lean[0], arm, height + 0.625 - 0.5 * lean[1]), 0.0625, 1.0);
}

static void make_humanoid(robot *r, const double lean[2], double mu)
{
    const double height = lean[1] + 0.125; /* of the hips, above ankles at 1/8 */
    robot_link(r, "pelvis", NULL, dls_v3(0.0, -0.125, height), dls_v3(0.0, 0.125, height), 0.25, 8.0);
    robot_link(r, "torso", "pelvis", dls_v3(0.0, 0.0, height), dls_v3(0.0, 0.0, height + 0.625), 0.25, 24.0);
    for (size_t side = 0; side < 2; side++)
        make_side(r, side, lean, height);
    robot_end_tree(r);
    for (size_t c = 0; c < 8; c++)
        stand(r, c & 1 ? "foot1" : "foot0",
              dls_v3(c & 2 ? 0.1875 : -0.125, (c & 1 ? 0.125 : -0.125) + (c & 4 ? 0.0625 : -0.0625), 0.0), mu);
}

/* --- gripper --- */

static void make_gripper(robot *r, const double lean[2], double mu, double squeeze)
{
    static const char *const upper[] = {"upper0", "upper1"}, *const lower[] = {"lower0", "lower1"};
    const double rise = 0.5 * lean[1];
    robot_link(r, "palm", NULL, dls_v3(-0.25, 0.0, 0.25 + rise), dls_v3(0.25, 0.0, 0.25 + rise), 0.125, 1.0);
    if (r->maker.status == DLS_OK)
        r->def->fixed_base = true;
    for (size_t side = 0; side < 2; side++) { /* the lower link is vertical, and its inner side is the pad */
        const double sign = side ? 1.0 : -1.0, pad = sign * 0.3125;
        const dls_vec3 base = dls_v3(pad - sign * 0.5 * lean[0], 0.0, 0.25 + rise), knuckle = dls_v3(pad, 0.0, 0.25);
        robot_link(r, upper[side], "palm", base, knuckle, 0.125, 0.5);
        robot_link(r, lower[side], upper[side], knuckle, dls_v3(pad, 0.0, -0.25), 0.125, 0.25);
        if (r->maker.status == DLS_OK)
            for (size_t i = r->def->n_links - 2; i < r->def->n_links; i++)
                r->def->links[i].effort[0] = sign * squeeze;
    }
    robot_end_tree(r);
    dls_collect_body(&r->maker, 0, 1.0, dls_v3(0.0, 0.0, 0.0), &r->draws);
    if (r->maker.status == DLS_OK)
        r->maker.scene->bodies[0].velocity = r->maker.scene->bodies[0].omega = dls_v3(0.0, 0.0, 0.0);
    for (size_t c = 0; c < 8; c++)
        robot_contact(r, "body0", lower[c & 1],
                      dls_v3(c & 1 ? 0.25 : -0.25, c & 2 ? 0.0625 : -0.0625, c & 4 ? 0.125 : -0.125),
                      dls_v3(c & 1 ? -1.0 : 1.0, 0.0, 0.0), mu);
}

dls_status dls_collect_robots(dls_collection_member of, dls_collected *made, dls_error *error)
{
    const double *lean = leans[of.k / 3 % LEANS], mu = of.k / 15 % 2 ? 0.25 : 0.75;
    robot r;
    switch (of.variant) {
    case DLS_ROBOTS_QUADRUPED:
        robot_begin(&r, &of, 0.5, 128.0, error);
        make_quadruped(&r, lean, mu);
        break;
    case DLS_ROBOTS_HUMANOID:
        robot_begin(&r, &of, 0.5, 512.0, error);
        make_humanoid(&r, lean, mu);
        break;
    default:
        robot_begin(&r, &of, 0.0625, 4.0, error);
        make_gripper(&r, lean, mu, of.k % 3 == 0 ? 0.25 : 8.0);
    }
    return dls_collect_made(&r.maker, made, error);
}
