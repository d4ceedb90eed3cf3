/* Links given by a drawing: from poses, points and directions in the world to frames on links.
 *
 * A drawing shows every link at its place in the world, where joints of one degree of freedom have the coordinate q,
 * and others 0. The joint frame F in the world has its origin at the anchor, x along the first axis and y along the
 * second. Seen from the link it is the child frame; moved back by q along or about x, and seen from the parent, it is
 * the parent frame, so that both coincide at the coordinate 0.
 */
#include "parts.h"

#include <stdio.h>
#include <string.h>

#define FIELD(key, unit, kind, member, fallback, help)                                                    \
    {                                                                                                     \
        key, unit, DLS_FIELD_##kind, offsetof(dls_posed_joint, member), fallback, 0, 0, false, NULL, help \
    }
static const dls_field fields[] = {
    FIELD("parent", "", NAME, parent, "", "name of the parent link; the root has none"),
    FIELD("joint", "", NAME, joint, "", "name of the joint; default: the name of the link"),
    FIELD("motion", "", NAME, motion, "fix",
          "motion type of the joint: fix, prismatic, revolute, revolute-unwrapped, spherical, spherical-2"),
    FIELD("anchor", "m", VEC3, anchor, "", "anchor of the joint, world frame; default: the link's centre of mass"),
    FIELD("axis", "", VEC3, axis, "",
          "axis of rotation or translation, or twist axis of spherical, world frame, any length"),
    FIELD("axis2", "", VEC3, axis2, "",
          "second axis of spherical-2, or axis of the first swing of spherical; perpendicular to axis"),
    FIELD("q", "", REAL, q, "0", "coordinate in the drawing [rad, m], for one degree of freedom"),
    FIELD("start", "", REAL, start, "", "coordinate at the start [rad, m]; default: as in the drawing"),
    FIELD("start2", "", REAL, start2, "", "second coordinate of spherical-2 at the start [rad]"),
    FIELD("rotation", "", QUAT, rotation, "[1, 0, 0, 0]",
          "rotation of spherical at the start relative to the drawing, [w, x, y, z], in world axes"),
    FIELD("speed", "", REAL, speed, "0", "joint speed at the start [rad/s, m/s]"),
    FIELD("speed2", "", REAL, speed2, "0", "second joint speed of spherical-2 at the start [rad/s]"),
    FIELD("spin", "rad/s", VEC3, spin, "[0, 0, 0]",
          "angular velocity of spherical at the start, in the world axes of the drawing"),
    {"armature", "", DLS_FIELD_REAL, offsetof(dls_posed_joint, armature), "0", 0, HUGE_VAL, false, NULL,
     "rotor inertia added to the mass matrix for each degree of freedom [kg m^2, kg]"},
    FIELD("effort", "", REAL, effort, "0", "constant force on the first degree of freedom [N m, N]"),
    FIELD("box_axes", "", QUAT, box_axes, "",
          "rotation from the axes of its box in a medium to the link's, [w, x, y, z]; default: its principal axes"),
};
const dls_field_table dls_posed_joint_fields = DLS_FIELD_TABLE(fields, dls_posed_joint);

typedef struct drawing {
    const dls_articulation_def *def;
    const dls_posed_link *from;
    dls_error *error;
} drawing;

static dls_status posed_fail(drawing d, const char *key, const char *message)
{
    dls_place at = d.from->body.place;
    return dls_fail_at(d.error, DLS_BAD_INPUT, d.def->file, at.line, at.column, key, "link '%s': %s", d.from->body.name,
                       message);
}

static const char *motion_at(const void *unused, size_t i)
{
    (void)unused;
    return dls_motions[i] ? dls_motions[i]->name : NULL;
}

static dls_status find_motion(drawing d, const dls_motion **motion)
{
    char message[DLS_MESSAGE_MAX];
    const char *name = d.from->joint.motion;
    *motion = dls_motion_find(name);
    if (*motion)
        return DLS_OK;
    snprintf(message, sizeof message, "there is no motion '%.64s'%.400s", name,
             dls_hint_of(dls_nearest_word(name, motion_at, NULL), "see delassus list motions").text);
    return posed_fail(d, "motion", message);
}

/* The rotation of the joint frame: x is the first axis and y the second. */
static dls_status joint_rotation(drawing d, const dls_motion *motion, dls_quat *Q)
{
    const dls_posed_joint *joint = &d.from->joint;
    *Q = dls_quat_identity();
    if (motion->n_dofs == 0)
        return isnan(joint->axis.x) ? DLS_OK : posed_fail(d, "axis", "this motion has no axis; leave it out");
    if (motion->n_dofs == 3 && isnan(joint->axis.x))
        return isnan(joint->axis2.x) ? DLS_OK : posed_fail(d, "axis2", "a second axis needs a first");
    if (isnan(joint->axis.x) || !(dls_norm(joint->axis) > 0.0))
        return posed_fail(d, "axis", "this motion needs an axis that is not 0");
    dls_vec3 x = dls_unit(joint->axis);
    *Q = dls_quat_between(dls_axis3(0), x);
    if (motion->n_dofs == 3 && isnan(joint->axis2.x))
        return DLS_OK;
    if (motion->n_dofs == 1)
        return isnan(joint->axis2.x) ? DLS_OK
                                     : posed_fail(d, "axis2", "this motion has one axis; leave out the second");
    if (isnan(joint->axis2.x) || !(dls_norm(joint->axis2) > 0.0) || !(fabs(dls_dot(x, dls_unit(joint->axis2))) < 1e-9))
        return posed_fail(d, "axis2", "this motion needs a second axis at right angles to the first");
    dls_vec3 y = dls_unit(joint->axis2), z = dls_cross(x, y);
    *Q = dls_matrix_quat((dls_mat3){{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}});
    return DLS_OK;
}

/* Settings that the motion does not use are errors, since they would be ignored. */
static dls_status check_unused(drawing d, size_t n_dofs)
{
    const dls_posed_joint *joint = &d.from->joint;
    const dls_quat r = joint->rotation;
    const struct {
        const char *key;
        bool given, used;
    } keys[] = {
        {"start", !isnan(joint->start), n_dofs == 1 || n_dofs == 2},
        {"start2", !isnan(joint->start2), n_dofs == 2},
        {"speed", joint->speed != 0.0, n_dofs == 1 || n_dofs == 2},
        {"speed2", joint->speed2 != 0.0, n_dofs == 2},
        {"rotation", r.w != 1.0 || r.x != 0.0 || r.y != 0.0 || r.z != 0.0, n_dofs == 3},
        {"spin", dls_norm(joint->spin) > 0.0, n_dofs == 3},
        {"armature", joint->armature != 0.0, n_dofs > 0},
        {"effort", joint->effort != 0.0, n_dofs > 0},
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i].given && !keys[i].used)
            return posed_fail(d, keys[i].key, "this motion does not have it; leave it out");
    return DLS_OK;
}

/* All of the link but its joint. Mass and inertia that are both given may be those of a link that has one of them, or
 * an inertia that no body has: the tree and the world decide on them. */
static dls_status copy_body(drawing d, dls_link_def *link)
{
    const dls_body_def *body = &d.from->body;
    dls_link_default(link);
    memcpy(link->name, body->name, sizeof link->name);
    memcpy(link->parent, d.from->joint.parent, sizeof link->parent);
    memcpy(link->joint, d.from->joint.joint, sizeof link->joint);
    link->place = body->place;
    link->position = body->position;
    link->orientation = dls_quat_unit(body->orientation);
    link->force = body->force, link->torque = body->torque;
    if (body->kinematic || dls_norm(body->swing) > 0.0 || !isnan(body->period))
        return posed_fail(d, body->kinematic ? "kinematic" : "swing",
                          "a link cannot be kinematic, for its pose follows from its joints; make it a body");
    DLS_TRY(dls_body_shape(body, d.def->file, d.error));
    link->inertia_allowance = dls_body_inertia_allowance(body);
    bool any = !isnan(body->mass) || !isnan(body->density) || !isnan(body->inertia.x);
    if (isnan(body->mass) || !isnan(body->density) || isnan(body->inertia.x))
        return any ? dls_body_mass(body, d.def->file, &link->mass, &link->inertia, d.error) : DLS_OK;
    link->mass = body->mass;
    link->inertia = dls_body_given_inertia(body);
    return link->mass >= 0.0 ? DLS_OK : posed_fail(d, "mass", "the mass must not be negative");
}

static dls_status draw_root(drawing d, dls_articulation_def *def, dls_link_def *link)
{
    const dls_body_def *body = &d.from->body;
    const double speed[6] = {body->velocity.x, body->velocity.y, body->velocity.z,
                             body->omega.x,    body->omega.y,    body->omega.z};
    memcpy(link->speed, speed, sizeof speed);
    def->fixed_base = body->is_static;
    if (body->is_static && dls_norm(body->velocity) + dls_norm(body->omega) > 0.0)
        return posed_fail(d, "velocity", "a static root does not move");
    const dls_posed_joint *joint = &d.from->joint;
    if (joint->joint[0] || !isnan(joint->anchor.x) || !isnan(joint->axis.x) || !isnan(joint->axis2.x) ||
        joint->q != 0.0)
        return posed_fail(d, "parent",
                          "a joint without a parent; name the parent, or leave out the settings of the joint");
    const dls_motion *motion;
    DLS_TRY(check_unused(d, 0));
    DLS_TRY(find_motion(d, &motion));
    return motion->n_dofs == 0 ? DLS_OK : posed_fail(d, "motion", "the root has no joint; it floats, or is static");
}

/* Motion type, initial coordinates and speeds. Those of a spherical joint are given about the world's axes in the
 * drawing, and kept about the parent's joint axes Q. */
static void start(const dls_posed_joint *joint, const dls_motion *motion, dls_quat Q, dls_link_def *link)
{
    const dls_quat local = dls_quat_mul(dls_quat_mul(dls_quat_conj(Q), joint->rotation), Q);
    const dls_vec3 along = dls_quat_rotate(dls_quat_conj(Q), joint->spin);
    const double q[2] = {isnan(joint->start) ? joint->q : joint->start, isnan(joint->start2) ? 0.0 : joint->start2};
    const double turn[4] = {local.w, local.x, local.y, local.z};
    const double speed[2] = {joint->speed, joint->speed2}, spin[3] = {along.x, along.y, along.z};
    memcpy(link->q, motion->n_dofs == 3 ? turn : q, motion->n_positions * sizeof *q);
    memcpy(link->speed, motion->n_dofs == 3 ? spin : speed, motion->n_dofs * sizeof *speed);
    for (size_t k = 0; k < motion->n_dofs; k++)
        link->armature[k] = joint->armature;
    link->effort[0] = motion->n_dofs ? joint->effort : 0.0;
    link->motion = motion;
    link->axis[0] = motion->first_axis;
    link->axis[1] = motion->first_axis + 1;
}

static dls_status draw_joint(drawing d, dls_link_def *link)
{
    const dls_posed_joint *joint = &d.from->joint;
    const dls_link_def *parent = dls_articulation_def_find(d.def, joint->parent);
    const dls_motion *motion;
    dls_quat Q;
    DLS_TRY(find_motion(d, &motion));
    if (!parent)
        return posed_fail(d, "parent", "there is no such link before this one; draw the parent first");
    if (d.from->body.is_static || dls_norm(d.from->body.velocity) + dls_norm(d.from->body.omega) > 0.0)
        return posed_fail(d, d.from->body.is_static ? "static" : "velocity",
                          "only the root is static or has a velocity; joints have speeds");
    if (joint->q != 0.0 && motion->n_dofs != 1)
        return posed_fail(d, "q", "a joint of this motion is drawn at 0; give its start");
    DLS_TRY(check_unused(d, motion->n_dofs));
    DLS_TRY(joint_rotation(d, motion, &Q));
    dls_vec3 anchor = isnan(joint->anchor.x) ? link->position : joint->anchor, x = dls_quat_rotate(Q, dls_axis3(0));
    dls_end child = {.x = link->position, .q = link->orientation, .R = dls_quat_matrix(link->orientation)};
    dls_end from = {.x = parent->position, .q = parent->orientation, .R = dls_quat_matrix(parent->orientation)};
    dls_vec3 back = motion->slides ? dls_scale(-joint->q, x) : dls_v3(0, 0, 0);
    dls_quat turned = motion->slides ? Q : dls_quat_mul(dls_quat_exp(dls_scale(-joint->q, x)), Q);
    link->child_frame = dls_end_frame(&child, anchor, Q);
    link->parent_frame = dls_end_frame(&from, dls_add(anchor, back), turned);
    start(joint, motion, Q, link);
    return DLS_OK;
}

/* The shape of a drawn link is about its centre of mass, in the axes of its frame. */
static dls_status draw_shape(dls_articulation_def *def, const dls_body_def *body, dls_error *error)
{
    dls_link_shape shape = {.shape = body->shape == DLS_SHAPE_MESH ? (int)DLS_SHAPE_NONE : body->shape,
                            .size = body->size,
                            .radius = body->radius,
                            .length = body->length,
                            .frame = {{0, 0, 0}, {1, 0, 0, 0}},
                            .scale = body->scale,
                            .passes = !body->collide,
                            .place = body->place};
    if (body->shape == DLS_SHAPE_NONE)
        return DLS_OK;
    memcpy(shape.link, body->name, sizeof shape.link);
    memcpy(shape.mesh, body->mesh, sizeof body->mesh);
    memcpy(shape.surface, body->surface, sizeof shape.surface);
    return dls_articulation_def_add_shape(def, &shape, error);
}

dls_status dls_articulation_def_add_posed(dls_articulation_def *def, const dls_posed_link *from, dls_error *error)
{
    drawing d = {def, from, error};
    dls_link_def link;
    DLS_TRY(copy_body(d, &link));
    link.box_axes = from->joint.box_axes;
    DLS_TRY(link.parent[0] ? draw_joint(d, &link) : draw_root(d, def, &link));
    DLS_TRY(dls_articulation_def_add(def, &link, error));
    return draw_shape(def, &from->body, error);
}
