/* Joints of robots in URDF: types, limits, dynamics, mimic tags, and the base.
 */
#include "urdf_reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef dls_urdf_reader reader;

/* --- joints --- */

/* A joint type of URDF and its motion here. Joints without a motion are made of several: planar of two prismatic ones
 * and a revolute one, floating of three and a spherical one, unless it is that of the base. */
typedef struct joint_type {
    const char *name, *motion;
    dls_axis axis;
    bool needs_limit; /* a <limit> must be there */
    bool unbounded;   /* its lower and upper mean nothing */
    bool several;     /* it has several coordinates, or none of its own */
} joint_type;
static const joint_type types[] = {
    {.name = "fixed", .motion = "fix", .axis = DLS_TWIST},
    {.name = "revolute", .motion = "revolute-unwrapped", .axis = DLS_TWIST, .needs_limit = true},
    {.name = "continuous", .motion = "revolute-unwrapped", .axis = DLS_TWIST, .unbounded = true},
    {.name = "prismatic", .motion = "prismatic", .axis = DLS_X, .needs_limit = true},
    {.name = "spherical", .motion = "spherical", .axis = DLS_TWIST, .several = true}, /* not in URDF: of Bullet */
    {.name = "floating", .axis = DLS_TWIST, .several = true},
    {.name = "planar", .axis = DLS_TWIST, .several = true},
};

static dls_status find_joint_type(const reader *r, xmlNode *node, const joint_type **type)
{
    char name[DLS_NAME_MAX];
    DLS_TRY(dls_xml_required_name(&r->x, node, "type", name));
    for (*type = types; *type < types + sizeof types / sizeof types[0]; ++*type)
        if (strcmp((*type)->name, name) == 0)
            return DLS_OK;
    return dls_fail_at(r->x.error, DLS_BAD_INPUT, r->x.file, xmlGetLineNo(node), 1, "type",
                       "'%s' is none of fixed, revolute, continuous, prismatic, planar, floating", name);
}

static bool is_planar(const joint_type *type) { return strcmp(type->name, "planar") == 0; }

/* The rotation that the joint frames have in the link frames: x is along the axis, of a planar joint z. A joint that
 * does not move has no axis, and may have one without a direction; that of a spherical and of a floating joint has no
 * effect. */
static dls_status joint_axis(const reader *r, xmlNode *node, const joint_type *type, dls_quat *turn)
{
    double axis[3] = {1, 0, 0};
    int count;
    xmlNode *at = dls_xml_child(node, "axis");
    if (at)
        DLS_TRY(dls_xml_vector(&r->x, at, "xyz", axis, 3, &count));
    const dls_vec3 a = dls_v3(axis[0], axis[1], axis[2]);
    const bool needed = is_planar(type) || (!type->several && dls_motion_find(type->motion)->n_dofs > 0);
    *turn = dls_quat_identity();
    if (!(dls_norm(a) > 0.0))
        return needed ? dls_xml_bad(&r->x, at, "xyz", "the axis has no direction") : DLS_OK;
    if (!type->several || is_planar(type))
        *turn = dls_quat_between(is_planar(type) ? dls_v3(0, 0, 1) : dls_v3(1, 0, 0), dls_unit(a));
    return DLS_OK;
}

/* --- limits, dynamics, mimic tags --- */

/* A limit that is none is left out. */
static dls_status read_limit(const reader *r, xmlNode *limit, const joint_type *type, dls_link_def *link)
{
    double lower = 0.0, upper = 0.0, effort = HUGE_VAL, speed = HUGE_VAL;
    DLS_TRY(dls_xml_bound(&r->x, limit, "lower", &lower));
    DLS_TRY(dls_xml_bound(&r->x, limit, "upper", &upper));
    DLS_TRY(dls_xml_bound(&r->x, limit, "effort", &effort));
    DLS_TRY(dls_xml_bound(&r->x, limit, "velocity", &speed));
    if (type->several && (lower != 0.0 || upper != 0.0))
        return dls_xml_drop(&r->x, DLS_ASPECT_CONSTRAINTS, limit, "limit", "lower and upper of a %s joint are not read",
                            type->name);
    if (type->several)
        return DLS_OK;
    if (type->unbounded)
        lower = -HUGE_VAL, upper = HUGE_VAL;
    if (!(lower <= upper) || lower == HUGE_VAL || upper == -HUGE_VAL || !(effort >= 0.0) || !(speed >= 0.0))
        return dls_xml_drop(&r->x, DLS_ASPECT_CONSTRAINTS, limit, "limit",
                            "needs lower <= upper, effort >= 0 and velocity >= 0");
    link->lower = lower, link->upper = upper;
    link->force_limit = effort, link->speed_limit = speed;
    return DLS_OK;
}

static dls_status read_dynamics(const reader *r, xmlNode *dynamics, const joint_type *type, dls_link_def *link)
{
    DLS_TRY(dls_xml_number(&r->x, dynamics, "damping", &link->damping));
    DLS_TRY(dls_xml_number(&r->x, dynamics, "friction", &link->friction));
    if (!(link->damping >= 0.0) || !(link->friction >= 0.0))
        return dls_xml_bad(&r->x, dynamics, "dynamics", "needs damping >= 0 and friction >= 0");
    if (!type->several || link->damping + link->friction == 0.0)
        return DLS_OK;
    link->damping = link->friction = 0.0;
    return dls_xml_drop(&r->x, DLS_ASPECT_FORCES, dynamics, "dynamics",
                        "damping and friction of a %s joint are not read", type->name);
}

static dls_status read_mimic(const reader *r, xmlNode *mimic, dls_link_def *link)
{
    DLS_TRY(dls_xml_required_name(&r->x, mimic, "joint", link->mimic));
    DLS_TRY(dls_xml_number(&r->x, mimic, "multiplier", &link->multiplier));
    return dls_xml_number(&r->x, mimic, "offset", &link->offset);
}

static dls_status joint_limits(const reader *r, xmlNode *node, const joint_type *type, dls_link_def *link)
{
    xmlNode *limit = dls_xml_child(node, "limit"), *dynamics = dls_xml_child(node, "dynamics"),
            *mimic = dls_xml_child(node, "mimic");
    if (!limit && type->needs_limit)
        return dls_xml_bad(&r->x, node, "limit", "a revolute or prismatic joint needs a <limit>");
    if (limit)
        DLS_TRY(read_limit(r, limit, type, link));
    if (dynamics)
        DLS_TRY(read_dynamics(r, dynamics, type, link));
    return mimic ? read_mimic(r, mimic, link) : DLS_OK;
}

static dls_status end_of_joint(const reader *r, xmlNode *node, const char *end, char name[DLS_NAME_MAX])
{
    xmlNode *at = dls_xml_child(node, end);
    return at ? dls_xml_required_name(&r->x, at, "link", name)
              : dls_xml_bad(&r->x, node, end, "the joint does not name this link");
}

/* --- joints that are made of several --- */

/* A massless link JOINT_SUFFIX, by a joint of that name, between the parent of link number i and that link. */
static dls_status add_carrier(reader *r, size_t i, const char *suffix, const char *motion, dls_axis axis)
{
    dls_link_def carrier;
    const dls_link_def *link = &r->def->links[i];
    dls_link_default(&carrier);
    const int length = snprintf(carrier.name, sizeof carrier.name, "%s_%s", link->joint, suffix);
    if (length >= DLS_NAME_MAX || dls_articulation_def_find(r->def, carrier.name))
        return dls_fail_at(r->x.error, DLS_BAD_INPUT, r->x.file, link->place.line, 1, "name",
                           "the coordinates of joint '%s' have no name that is free and short enough; rename it",
                           link->joint);
    memcpy(carrier.joint, carrier.name, sizeof carrier.joint);
    memcpy(carrier.parent, link->parent, sizeof carrier.parent);
    carrier.motion = dls_motion_find(motion);
    carrier.axis[0] = axis;
    carrier.parent_frame = link->parent_frame;
    carrier.place = link->place;
    DLS_TRY(dls_articulation_def_add(r->def, &carrier, r->x.error));
    dls_link_def *moved = &r->def->links[i];
    memcpy(moved->parent, carrier.name, sizeof moved->parent);
    moved->parent_frame = (dls_frame){dls_v3(0, 0, 0), dls_quat_identity()};
    return DLS_OK;
}

/* x and y in the plane, and the turn about its normal, JOINT itself. */
static dls_status expand_planar(reader *r, size_t i)
{
    DLS_TRY(add_carrier(r, i, "x", "prismatic", DLS_X));
    DLS_TRY(add_carrier(r, i, "y", "prismatic", DLS_Y));
    r->def->links[i].motion = dls_motion_find("revolute-unwrapped");
    r->def->links[i].axis[0] = DLS_SWING2;
    return DLS_OK;
}

static dls_status expand_floating(reader *r, size_t i)
{
    DLS_TRY(add_carrier(r, i, "x", "prismatic", DLS_X));
    DLS_TRY(add_carrier(r, i, "y", "prismatic", DLS_Y));
    DLS_TRY(add_carrier(r, i, "z", "prismatic", DLS_Z));
    r->def->links[i].motion = dls_motion_find("spherical");
    return DLS_OK;
}

/* --- a joint --- */

static dls_status read_joint(reader *r, xmlNode *node)
{
    char parent[DLS_NAME_MAX], moved[DLS_NAME_MAX], name[DLS_NAME_MAX];
    const joint_type *type;
    dls_frame at;
    dls_quat turn;
    DLS_TRY(dls_xml_required_name(&r->x, node, "name", name));
    DLS_TRY(find_joint_type(r, node, &type));
    DLS_TRY(end_of_joint(r, node, "parent", parent));
    DLS_TRY(end_of_joint(r, node, "child", moved));
    dls_link_def *link = dls_articulation_def_find(r->def, moved);
    if (!link || !dls_articulation_def_find(r->def, parent))
        return dls_fail_at(r->x.error, DLS_BAD_INPUT, r->x.file, xmlGetLineNo(node), 1, link ? "parent" : "child",
                           "there is no link '%s'", link ? parent : moved);
    if (link->parent[0])
        return dls_fail_at(r->x.error, DLS_BAD_INPUT, r->x.file, xmlGetLineNo(node), 1, "child",
                           "link '%s' is the child of two joints", moved);
    DLS_TRY(dls_urdf_origin(r, node, &at));
    DLS_TRY(joint_axis(r, node, type, &turn));
    const size_t moves = (size_t)(link - r->def->links), found = dls_names_add(&r->joints, name, moves);
    if (found == SIZE_MAX)
        return dls_fail(r->x.error, DLS_NO_MEMORY, "no memory for the names of joints");
    if (found != moves)
        return dls_xml_fail(&r->x, DLS_BAD_INPUT, node, "name",
                            "duplicate joint '%s', after that of line %ld; rename one of the two", name,
                            r->def->links[found].place.line);
    memcpy(link->joint, name, sizeof name);
    memcpy(link->parent, parent, sizeof parent);
    link->place = dls_xml_place(node);
    link->motion = type->motion ? dls_motion_find(type->motion) : NULL;
    link->axis[0] = type->axis;
    link->parent_frame = (dls_frame){at.p, dls_quat_unit(dls_quat_mul(at.q, turn))};
    link->child_frame = (dls_frame){dls_v3(0, 0, 0), turn};
    DLS_TRY(joint_limits(r, node, type, link));
    return is_planar(type) ? expand_planar(r, moves) : DLS_OK;
}

/* --- mimic joints --- */

static bool moves_one_way(const dls_link_def *link) { return link->motion && link->motion->n_dofs == 1; }
static bool can_move(const dls_link_def *link) { return !link->motion || link->motion->n_dofs > 0; }

static dls_status note_mimic(const reader *r, const dls_link_def *link, const char *text)
{
    return r->x.scene ? dls_scene_note_in(r->x.scene, r->x.file, link->place, "mimic", text, r->x.error) : DLS_OK;
}

static dls_status drop_mimic(const reader *r, dls_link_def *link, const char *why)
{
    const dls_status status = dls_fail_at(r->x.error, DLS_REFUSED, r->x.file, link->place.line, 1, "mimic",
                                          "joint '%s' follows '%s', %s", link->joint, link->mimic, why);
    link->mimic[0] = '\0';
    return dls_xml_drop_refused(&r->x, status, DLS_ASPECT_CONSTRAINTS);
}

/* A joint that does not move has nothing to follow with; one that follows a joint that does not move is held at its
 * offset. */
static dls_status settle_mimic(const reader *r, dls_link_def *link)
{
    const size_t leader = dls_names_find(&r->joints, link->mimic);
    const dls_link_def *leads = leader == SIZE_MAX ? NULL : &r->def->links[leader];
    if (!leads)
        return drop_mimic(r, link, "which is no joint");
    if (!can_move(link)) {
        link->mimic[0] = '\0';
        return note_mimic(r, link, "is ignored, where the joint is fixed");
    }
    if (!moves_one_way(link) || (can_move(leads) && !moves_one_way(leads)))
        return drop_mimic(r, link, "and one of the two has not one degree of freedom");
    if (can_move(leads))
        return DLS_OK;
    link->multiplier = 0.0;
    return note_mimic(r, link, "follows a fixed joint: it is held at its offset");
}

/* A joint that follows another, and that one perhaps a third: none follows itself in the end. Walks end where an
 * earlier one has been, so that all of them together pass each link once. */
static dls_status check_mimics(const reader *r)
{
    const size_t n = r->def->n_links;
    size_t *walk = calloc(n + 1, sizeof *walk); /* the walk that passed a link, from 1 */
    dls_status status = walk ? DLS_OK : dls_fail(r->x.error, DLS_NO_MEMORY, "no memory for %zu links", n);
    for (size_t k = 0; status == DLS_OK && k < n; k++)
        if (r->def->links[k].mimic[0])
            status = settle_mimic(r, &r->def->links[k]);
    for (size_t k = 0; status == DLS_OK && k < n; k++)
        for (size_t i = k, next; status == DLS_OK && !walk[i] && r->def->links[i].mimic[0]; i = next) {
            const dls_link_def *link = &r->def->links[i];
            walk[i] = k + 1;
            next = dls_names_find(&r->joints, link->mimic);
            if (walk[next] == k + 1)
                status = dls_fail_at(r->x.error, DLS_BAD_INPUT, r->x.file, link->place.line, 1, "mimic",
                                     "joint '%s' follows '%s', and in the end itself", link->joint, link->mimic);
        }
    free(walk);
    return status;
}

/* --- the base --- */

/* A floating joint is the base's if its parent is the root, which has neither mass nor other children. */
static bool is_base(const dls_articulation_def *def, const dls_link_def *link)
{
    const dls_link_def *root = dls_articulation_def_find(def, link->parent);
    size_t children = 0;
    for (size_t i = 0; i < def->n_links; i++)
        children += strcmp(def->links[i].parent, root->name) == 0;
    return !root->parent[0] && children == 1 && root->mass == 0.0;
}

/* Shapes of the root stay behind: they would be fixed to the world. */
static dls_status float_base(reader *r, dls_link_def *base)
{
    dls_articulation_def *def = r->def;
    dls_link_def *root = dls_articulation_def_find(r->def, base->parent);
    for (size_t k = 0; k < def->n_shapes; k++)
        if (strcmp(def->shapes[k].link, root->name) == 0)
            return expand_floating(r, (size_t)(base - def->links));
    base->position = base->parent_frame.p;
    base->orientation = dls_quat_mul(base->parent_frame.q, dls_quat_conj(base->child_frame.q));
    base->parent[0] = base->joint[0] = 0;
    base->motion = dls_motion_find("fix");
    base->child_frame = base->parent_frame = (dls_frame){dls_v3(0, 0, 0), dls_quat_identity()};
    size_t kept = 0;
    for (size_t k = 0; k < def->n_visuals; k++)
        if (strcmp(def->visuals[k].link, root->name) != 0)
            def->visuals[kept++] = def->visuals[k];
    def->n_visuals = kept;
    *root = def->links[--def->n_links]; /* the order of definitions is free */
    def->fixed_base = false;
    return DLS_OK;
}

dls_status dls_urdf_joints(reader *r, const xmlNode *robot)
{
    for (xmlNode *node = dls_xml_child(robot, "joint"); node; node = dls_xml_next(node->next, "joint"))
        DLS_TRY(read_joint(r, node));
    DLS_TRY(check_mimics(r));
    for (size_t i = 0; i < r->def->n_links; i++)
        if (!r->def->links[i].motion)
            DLS_TRY(is_base(r->def, &r->def->links[i]) ? float_base(r, &r->def->links[i]) : expand_floating(r, i));
    return DLS_OK;
}
