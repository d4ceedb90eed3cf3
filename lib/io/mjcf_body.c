/* Bodies and joints of MJCF.
 *
 * A body with joints whose ancestors have none begins an articulation of the same name. With a free joint it is a
 * floating base; otherwise the root is the body above it, fixed to the world. Bodies without joints under the world are
 * not links: their geoms are static bodies, and constraints on them are constraints on the world.
 *
 * The link frame is the body frame. A joint moves the body about or along an axis of its frame, through the point pos;
 * at the coordinate ref the body has the `pos` and `quat` of the file. Several joints of a body act in turn, each one
 * moving the axes of those after it: they are a chain of massless links in place of the body, whose last link has the
 * mass. With Q the smallest rotation from x to the axis a, and B the pose of the body in its parent (the identity after
 * the first joint),
 *
 *     parent frame = B (pos, Q),   child frame = (pos, Q R_x(ref)) of a hinge, (pos + ref a, Q) of a slide
 *
 * so that the coordinate is MuJoCo's qpos. A ball joint has Q = 1.
 */
#include "mjcf.h"

#include "base/memory.h"
#include "delassus/io.h"

#include <stdio.h>
#include <string.h>

/* The body that is read, and its place in a tree. */
typedef struct place {
    size_t body, childclass;
    dls_articulation_def *tree; /* NULL: it is fixed to the world */
    dls_frame in_parent;
} place;

/* --- links --- */

/* Mass and shapes of a link, and the force that takes a share of its weight. */
static dls_status fill_link(mjcf *m, const place *at, dls_link_def *link)
{
    const xmlNode *node = m->bodies[at->body].node, *inertial = dls_xml_child(node, "inertial");
    double share = 0.0;
    DLS_TRY(mjcf_read_geoms(m, at->body, at->childclass, at->tree, link));
    if (inertial && (m->inertia_source != MJCF_GEOMS || link->mass == 0.0)) /* without geoms it holds all the same */
        DLS_TRY(mjcf_read_inertial(m, inertial, link));
    mjcf_bound_mass(m, link, !inertial && link->mass == 0.0, at->in_parent.p);
    DLS_TRY(dls_xml_number(&m->x, node, "gravcomp", &share));
    if (m->on.spring || m->on.damper) /* MuJoCo computes no passive force without both */
        link->force = dls_scale(-share * link->mass, m->scene->world.gravity);
    return DLS_OK;
}

/* --- joints --- */

typedef enum joint_type { HINGE, SLIDE, BALL, FREE } joint_type;

typedef struct joint {
    joint_type type;
    dls_vec3 pos, axis;
    double unit; /* of its angles, or 1 */
    double ref, stiffness, springref, damping, armature, friction;
    double springdamper[2];
    bool force_limited;
    double force_range[2];
    bool limited;
    double range[2];
    char name[DLS_NAME_MAX];
} joint;

static dls_status joint_type_of(const mjcf *m, const mjcf_element *e, joint_type *type)
{
    static const char *const types[] = {"hinge", "slide", "ball", "free", NULL};
    int choice = dls_xml_is_element(e->node, "freejoint") ? FREE : HINGE;
    DLS_TRY(mjcf_choice(m, e, "type", types, &choice));
    *type = (joint_type)choice;
    return DLS_OK;
}

static dls_status read_axis(const mjcf *m, const mjcf_element *e, joint *j)
{
    double pos[3] = {0, 0, 0}, axis[3] = {0, 0, 1};
    int count;
    DLS_TRY(mjcf_vector(m, e, "pos", pos, 3, &count));
    DLS_TRY(mjcf_vector(m, e, "axis", axis, 3, &count));
    j->pos = j->type == FREE ? dls_v3(0, 0, 0) : dls_v3(pos[0], pos[1], pos[2]);
    j->axis = dls_v3(axis[0], axis[1], axis[2]);
    const double length = dls_norm(j->axis);
    if (j->type <= SLIDE && !(length > 0.0 && isfinite(length)))
        return dls_xml_bad(&m->x, mjcf_holder(m, e, "axis"), "axis", "the axis has no direction");
    j->axis = dls_unit(j->axis);
    dls_frame frames = {dls_v3(0, 0, 0), dls_quat_identity()};
    if (j->type == FREE || !dls_xml_is_element(e->node->parent, "frame"))
        return DLS_OK;
    DLS_TRY(mjcf_leave_frames(m, e->node, &frames));
    j->pos = dls_add(frames.p, dls_quat_rotate(frames.q, j->pos));
    j->axis =
        dls_quat_rotate(frames.q, j->axis); /* a ball joint has none, and its coordinates stay those of the body */
    return DLS_OK;
}

static dls_status read_forces(const mjcf *m, const mjcf_element *e, joint *j)
{
    int count;
    DLS_TRY(mjcf_number(m, e, "stiffness", &j->stiffness));
    DLS_TRY(mjcf_number(m, e, "springref", &j->springref));
    DLS_TRY(mjcf_number(m, e, "damping", &j->damping));
    DLS_TRY(mjcf_number(m, e, "armature", &j->armature));
    DLS_TRY(mjcf_number(m, e, "frictionloss", &j->friction));
    DLS_TRY(mjcf_number(m, e, "ref", &j->ref));
    if (j->type != FREE)
        DLS_TRY(mjcf_limited(m, e, "limited", "range", &j->limited));
    DLS_TRY(mjcf_vector(m, e, "range", j->range, 2, &count));
    DLS_TRY(mjcf_vector(m, e, "springdamper", j->springdamper, 2, &count));
    DLS_TRY(mjcf_limited(m, e, "actuatorfrclimited", "actuatorfrcrange", &j->force_limited));
    DLS_TRY(mjcf_vector(m, e, "actuatorfrcrange", j->force_range, 2, &count));
    if ((j->springdamper[0] != 0.0 || j->springdamper[1] != 0.0) &&
        !(j->springdamper[0] > 0.0 && j->springdamper[1] > 0.0))
        return dls_xml_bad(&m->x, mjcf_holder(m, e, "springdamper"), "springdamper", "needs two positive numbers");
    if (j->force_limited && !(j->force_range[0] <= 0.0 && j->force_range[1] >= 0.0))
        return dls_xml_bad(&m->x, mjcf_holder(m, e, "actuatorfrcrange"), "actuatorfrcrange", "must have 0 in it");
    const struct {
        const char *name;
        double value;
    } forces[] = {
        {"stiffness", j->stiffness}, {"damping", j->damping}, {"armature", j->armature}, {"frictionloss", j->friction}};
    for (size_t i = 0; i < sizeof forces / sizeof forces[0]; i++)
        if (!(forces[i].value >= 0.0))
            return dls_xml_bad(&m->x, mjcf_holder(m, e, forces[i].name), forces[i].name, "must not be negative");
    j->unit = j->type == HINGE || j->type == BALL ? m->angle : 1.0;
    j->ref *= j->unit, j->springref *= j->unit, j->range[0] *= j->unit, j->range[1] *= j->unit;
    return DLS_OK;
}

/* Leaves out parts of joints that have no counterpart here and would change the motion. */
static dls_status drop_of_joint(const mjcf *m, const mjcf_element *e, joint *j)
{
    const struct {
        bool bad;
        dls_aspect aspect;
        const char *key, *why;
    } cases[] = {
        {j->type == FREE && j->armature > 0.0, DLS_ASPECT_BODIES, "armature",
         "a free joint with an armature has no counterpart; write 0"},
        {j->type == FREE && j->springdamper[0] > 0.0, DLS_ASPECT_FORCES, "springdamper",
         "a free joint whose spring has a time constant has no counterpart; write stiffness and damping"},
        {j->type >= BALL && j->friction > 0.0 && m->on.frictionloss, DLS_ASPECT_CONSTRAINTS, "frictionloss",
         "friction of a ball or free joint has no counterpart; write 0"},
        {j->type == BALL && j->limited && m->on.limit, DLS_ASPECT_CONSTRAINTS, "range",
         "a limit of the whole angle of a ball joint has no counterpart; write limited=\"false\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (cases[i].bad)
            DLS_TRY(dls_xml_drop(&m->x, cases[i].aspect, mjcf_holder(m, e, cases[i].key), cases[i].key, "%s",
                                 cases[i].why));
    if (j->type == FREE)
        j->armature = 0.0;
    if (j->type <= SLIDE && j->limited && !(j->range[0] <= j->range[1]))
        return dls_xml_bad(&m->x, mjcf_holder(m, e, "range"), "range", "needs lower <= upper");
    return DLS_OK;
}

static dls_status read_joint(const mjcf *m, const mjcf_element *e, joint *j)
{
    *j = (joint){.type = HINGE};
    DLS_TRY(joint_type_of(m, e, &j->type));
    DLS_TRY(read_axis(m, e, j));
    DLS_TRY(read_forces(m, e, j));
    return drop_of_joint(m, e, j);
}

static void place_joint_link(const joint *j, dls_frame in_parent, dls_link_def *link)
{
    static const char *const motions[] = {"revolute-unwrapped", "prismatic", "spherical"};
    const dls_quat Q = j->type == BALL ? dls_quat_identity() : dls_quat_between(dls_v3(1, 0, 0), j->axis);
    const dls_frame own = {j->pos, Q};
    link->motion = dls_motion_find(motions[j->type]);
    link->axis[0] = j->type == SLIDE ? DLS_X : DLS_TWIST;
    link->parent_frame = mjcf_compose(in_parent, own);
    link->child_frame = own;
    if (j->type == SLIDE)
        link->child_frame.p = dls_add(own.p, dls_scale(j->ref, j->axis));
    else if (j->type == HINGE)
        link->child_frame.q = dls_quat_unit(dls_quat_mul(Q, dls_quat_exp(dls_v3(j->ref, 0, 0))));
    for (size_t k = 0; k < link->motion->n_dofs; k++)
        link->armature[k] = j->armature;
}

/* Limits, damping and friction, of which dls_scene_add_robot makes joints. */
static void set_link_forces(const mjcf *m, const joint *j, dls_link_def *link)
{
    link->q[0] = j->ref;
    if (j->limited && m->on.limit)
        link->lower = j->range[0], link->upper = j->range[1];
    if (m->on.damper && j->springdamper[0] == 0.0)
        link->damping = j->damping;
    if (m->on.frictionloss)
        link->friction = j->friction;
}

static dls_status note_joint(mjcf *m, const joint *j, const place *at, const xmlNode *node, const char *tree)
{
    static const size_t positions[] = {[HINGE] = 1, [SLIDE] = 1, [BALL] = 4, [FREE] = 7},
                        speeds[] = {[HINGE] = 1, [SLIDE] = 1, [BALL] = 3, [FREE] = 6};
    if (!DLS_GROW(m->joints, m->cap_joints, m->n_joints + 1))
        return dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for %zu joints", m->n_joints + 1);
    mjcf_joint *to = &m->joints[m->n_joints++];
    *to = (mjcf_joint){.node = node,
                       .body = at->body,
                       .anchor = j->pos,
                       .ref = j->ref,
                       .one_way = j->type <= SLIDE,
                       .floats = j->type == FREE,
                       .n_positions = positions[j->type],
                       .n_speeds = speeds[j->type],
                       .springref = j->springref,
                       .force_limited = j->force_limited,
                       .force_range = {j->force_range[0], j->force_range[1]}};
    if (m->on.spring)
        to->stiffness = j->stiffness;
    if (m->on.damper)
        to->damping = j->type <= SLIDE ? 0.0 : j->damping;
    if (j->springdamper[0] > 0.0 && j->type != FREE)
        to->time_constant = j->springdamper[0], to->damping_ratio = j->springdamper[1];
    snprintf(to->coordinate, sizeof to->coordinate, "%s.%s", tree, j->name);
    return DLS_OK;
}

/* The motion of a hinge or slide from ref to springref, in the body frame. */
static dls_frame to_springref(const joint *j)
{
    const double by = j->springref - j->ref;
    if (j->type == SLIDE)
        return (dls_frame){dls_scale(by, j->axis), dls_quat_identity()};
    const dls_quat turn = dls_quat_exp(dls_scale(by, j->axis));
    return (dls_frame){dls_sub(j->pos, dls_quat_rotate(turn, j->pos)), turn};
}

/* The links that joint number `k` of `count` and those after it make of a body; `last` is the body's own. */
static dls_status add_joint_link(mjcf *m, const place *at, const xmlNode *node, size_t k, size_t count,
                                 dls_link_def *last, char parent[DLS_NAME_MAX])
{
    const mjcf_body *body = &m->bodies[at->body];
    const dls_frame none = {dls_v3(0, 0, 0), dls_quat_identity()};
    mjcf_element e;
    dls_link_def between, *link = k + 1 < count ? &between : last;
    joint j;
    DLS_TRY(mjcf_open(m, node, dls_xml_is_element(node, "joint") ? "joint" : NULL, at->childclass, &e));
    DLS_TRY(read_joint(m, &e, &j));
    DLS_TRY(mjcf_name(m, &m->joint_names, node, "joint", m->n_joints, j.name));
    DLS_TRY(note_joint(m, &j, at, node, at->tree->name));
    if (j.type == FREE)
        return count == 1 && at->tree->n_links == 0
                   ? DLS_OK
                   : dls_xml_bad(&m->x, node, "type",
                                 "a free joint is the only joint of its body, which stands in the world body");
    if (link == &between) {
        dls_link_default(link);
        DLS_TRY(mjcf_join(m, node, link->name, body->name, j.name));
    }
    memcpy(link->parent, parent, sizeof link->parent);
    memcpy(link->joint, j.name, sizeof link->joint);
    memcpy(parent, link->name, sizeof link->name);
    link->place = dls_xml_place(node);
    place_joint_link(&j, k == 0 ? at->in_parent : none, link);
    if (j.type != BALL) {
        set_link_forces(m, &j, link);
        m->bodies[at->body].spring = mjcf_compose(m->bodies[at->body].spring, to_springref(&j));
    }
    return link == last ? DLS_OK : dls_articulation_def_add(at->tree, link, m->x.error);
}

static dls_status is_free(mjcf *m, const xmlNode *body, size_t childclass, bool *free)
{
    *free = false;
    for (const xmlNode *at = NULL; (at = mjcf_next(body, at));) {
        mjcf_element e;
        joint_type type;
        if (!mjcf_is_joint(at))
            continue;
        DLS_TRY(mjcf_open(m, at, dls_xml_is_element(at, "joint") ? "joint" : NULL, childclass, &e));
        DLS_TRY(joint_type_of(m, &e, &type));
        *free = *free || type == FREE;
    }
    return DLS_OK;
}

/* --- sites --- */

static dls_status site_frame(const mjcf *m, const mjcf_element *e, dls_frame *frame)
{
    double ends[6];
    int count;
    DLS_TRY(mjcf_frame(m, e, frame));
    DLS_TRY(mjcf_vector(m, e, "fromto", ends, 6, &count));
    if (count) { /* as of a geom: in the middle, z from the second end to the first */
        const dls_vec3 a = dls_v3(ends[0], ends[1], ends[2]), b = dls_v3(ends[3], ends[4], ends[5]);
        *frame = (dls_frame){dls_scale(0.5, dls_add(a, b)), mjcf_turn_of_z(dls_sub(a, b))};
        return mjcf_leave_frames(m, e->node, frame);
    }
    return DLS_OK;
}

static dls_status read_sites(mjcf *m, const place *at)
{
    const xmlNode *node = m->bodies[at->body].node;
    for (const xmlNode *s = NULL; (s = mjcf_next_named(node, s, "site"));) {
        mjcf_element e;
        char name[DLS_NAME_MAX];
        if (!DLS_GROW(m->sites, m->cap_sites, m->n_sites + 1))
            return dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for %zu sites", m->n_sites + 1);
        DLS_TRY(mjcf_open(m, s, "site", at->childclass, &e));
        DLS_TRY(mjcf_name(m, &m->site_names, s, "site", m->n_sites, name));
        m->sites[m->n_sites].body = at->body;
        DLS_TRY(site_frame(m, &e, &m->sites[m->n_sites].frame));
        m->n_sites++;
    }
    return DLS_OK;
}

/* --- bodies --- */

static dls_status add_body(mjcf *m, const xmlNode *node, size_t parent, place *at)
{
    const size_t me = m->n_bodies;
    const mjcf_element e = {.node = node, .class = DLS_NONE};
    if (!DLS_GROW(m->bodies, m->cap_bodies, me + 1))
        return dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for %zu bodies", me + 1);
    DLS_TRY(mjcf_class_of(m, node, "childclass", at->childclass, &at->childclass));
    DLS_TRY(mjcf_frame(m, &e, &at->in_parent));
    mjcf_body *body = &m->bodies[me];
    const mjcf_body *above = &m->bodies[parent];
    *body =
        (mjcf_body){.node = node, .parent = parent, .n_joints = mjcf_count_joints(node), .kinematic = above->kinematic};
    snprintf(body->end, sizeof body->end, "%s", above->kinematic ? above->end : DLS_WORLD_NAME);
    DLS_TRY(mjcf_name(m, &m->body_names, node, "body", me, body->name));
    body->pose = mjcf_compose(above->pose, at->in_parent);
    body->spring = mjcf_compose(above->spring, at->in_parent);
    body->moved = body->n_joints ? me : above->moved;
    at->body = m->n_bodies++;
    return mjcf_read_mocap(m, me);
}

/* "TREE.BODY" must be a name. */
static dls_status name_end(mjcf *m, const place *at)
{
    mjcf_body *body = &m->bodies[at->body];
    const int length = snprintf(body->end, sizeof body->end, "%s.%s", at->tree->name, body->name);
    return length < DLS_NAME_MAX
               ? DLS_OK
               : dls_xml_fail(&m->x, DLS_BAD_INPUT, body->node, "name",
                              "the names '%s' and '%s' are together too long for a link; at most %d bytes",
                              at->tree->name, body->name, DLS_NAME_MAX - 2);
}

static dls_status add_links(mjcf *m, const place *at)
{
    const mjcf_body *body = &m->bodies[at->body];
    char parent[DLS_NAME_MAX];
    dls_link_def link;
    size_t k = 0;
    dls_link_default(&link);
    link.place = dls_xml_place(body->node);
    memcpy(link.name, body->name, sizeof link.name);
    memcpy(parent, m->bodies[body->parent].name, sizeof parent);
    DLS_TRY(fill_link(m, at, &link));
    const size_t count = m->bodies[at->body].n_joints;
    for (const xmlNode *node = NULL; (node = mjcf_next(m->bodies[at->body].node, node));)
        if (mjcf_is_joint(node))
            DLS_TRY(add_joint_link(m, at, node, k++, count, &link, parent));
    if (count == 0) {
        memcpy(link.parent, parent, sizeof link.parent);
        DLS_TRY(mjcf_join(m, m->bodies[at->body].node, link.joint, link.name, "fixed"));
        link.parent_frame = at->in_parent;
    }
    if (!at->tree->fixed_base && at->tree->n_links == 0) {
        link.position = m->bodies[at->body].pose.p;
        link.orientation = m->bodies[at->body].pose.q;
    }
    return dls_articulation_def_add(at->tree, &link, m->x.error);
}

static dls_status read_bodies(mjcf *m, const xmlNode *node, size_t parent, size_t childclass,
                              dls_articulation_def *tree);

static dls_status read_link(mjcf *m, const place *at)
{
    DLS_TRY(name_end(m, at));
    DLS_TRY(add_links(m, at));
    DLS_TRY(read_sites(m, at));
    return read_bodies(m, m->bodies[at->body].node, at->body, at->childclass, at->tree);
}

/* The first body with joints: its tree, on a root that floats with it or is the body above it. */
static dls_status fill_tree(mjcf *m, const place *at)
{
    const mjcf_body *body = &m->bodies[at->body], *above = &m->bodies[body->parent];
    dls_articulation_def *tree = at->tree;
    bool free;
    memcpy(tree->name, body->name, sizeof tree->name);
    for (char *dot = tree->name; (dot = strchr(dot, '.'));)
        *dot = '_'; /* in names of links and coordinates the dot comes after that of the tree */
    snprintf(tree->file, sizeof tree->file, "%s", m->x.file);
    DLS_TRY(is_free(m, body->node, at->childclass, &free));
    tree->fixed_base = !free;
    if (free && body->parent != 0)
        return dls_xml_bad(&m->x, body->node, "joint", "a body with a free joint stands in the world body alone");
    if (!free) {
        dls_link_def root;
        dls_link_default(&root);
        memcpy(root.name, above->name, sizeof root.name);
        root.place = dls_xml_place(body->node);
        root.position = above->pose.p, root.orientation = above->pose.q;
        DLS_TRY(dls_articulation_def_add(tree, &root, m->x.error));
        DLS_TRY(mjcf_draw_root(m, root.name, tree));
    }
    return read_link(m, at);
}

static dls_status read_tree(mjcf *m, place *at)
{
    DLS_TRY(dls_articulation_def_create(&at->tree, m->x.error));
    const xmlNode *node = m->bodies[at->body].node;
    dls_status status = fill_tree(m, at);
    if (status == DLS_OK)
        status = dls_scene_add_robot(m->scene, at->tree, m->x.error);
    if (status == DLS_OK)
        return DLS_OK;
    dls_articulation_def_destroy(at->tree);
    return dls_xml_at(&m->x, status, node);
}

static dls_status read_body(mjcf *m, const xmlNode *node, size_t parent, size_t childclass, dls_articulation_def *tree)
{
    place at = {.childclass = childclass, .tree = tree};
    DLS_TRY(add_body(m, node, parent, &at));
    if (tree)
        return read_link(m, &at);
    if (m->bodies[at.body].n_joints)
        return read_tree(m, &at);
    const double before = m->fixed_mass;
    DLS_TRY(mjcf_read_geoms(m, at.body, at.childclass, NULL, NULL));
    DLS_TRY(mjcf_weigh_fixed_body(m, node, m->fixed_mass > before, before));
    DLS_TRY(read_sites(m, &at));
    return read_bodies(m, node, at.body, at.childclass, NULL);
}

static dls_status read_bodies(mjcf *m, const xmlNode *node, size_t parent, size_t childclass,
                              dls_articulation_def *tree)
{
    for (const xmlNode *at = NULL; (at = mjcf_next_named(node, at, "body"));)
        DLS_TRY(read_body(m, at, parent, childclass, tree));
    return DLS_OK;
}

/* --- the world --- */

dls_status mjcf_read_world(mjcf *m, const xmlNode *root)
{
    for (const xmlNode *node = dls_xml_child(root, "worldbody"); node; node = dls_xml_next(node->next, "worldbody")) {
        place at = {.childclass = m->main_class};
        const bool first = m->n_bodies == 0;
        if (!DLS_GROW(m->bodies, m->cap_bodies, m->n_bodies + 1))
            return dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for bodies");
        m->bodies[0] = (mjcf_body){.node = node, .parent = DLS_NONE, .name = DLS_WORLD_NAME, .end = DLS_WORLD_NAME};
        m->bodies[0].pose.q = m->bodies[0].spring.q = dls_quat_identity();
        m->n_bodies += first;
        if (first && dls_names_add(&m->body_names.names, DLS_WORLD_NAME, 0) == SIZE_MAX)
            return dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for names of bodies");
        DLS_TRY(mjcf_class_of(m, node, "childclass", m->main_class, &at.childclass));
        for (const xmlNode *e = NULL; (e = mjcf_next(node, e));)
            if (mjcf_is_joint(e))
                return dls_xml_bad(&m->x, e, NULL,
                                   "a joint of the world body, which does not move; put it into a body");
        DLS_TRY(mjcf_read_geoms(m, 0, at.childclass, NULL, NULL));
        DLS_TRY(read_sites(m, &at));
        DLS_TRY(read_bodies(m, node, 0, at.childclass, NULL));
    }
    if (m->scene->n_articulations + m->scene->n_bodies == 0)
        return dls_xml_bad(&m->x, root, "worldbody", "there is no body, and nothing that bodies could touch");
    if (m->total_mass > 0.0)
        DLS_TRY(mjcf_scale_masses(m, root));
    return mjcf_add_springs(m);
}
