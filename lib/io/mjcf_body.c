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
#include "delassus/spatial.h"

#include <stdio.h>
#include <string.h>

/* The body that is read, and its place in a tree. */
typedef struct place {
    size_t body, childclass;
    dls_articulation_def *tree; /* NULL: it is fixed to the world */
    dls_frame in_parent;
} place;

/* --- mass --- */

static dls_status read_inertia(const mjcf *m, const mjcf_element *e, dls_mat3 *I)
{
    double d[3], full[6];
    int diagonal, all;
    DLS_TRY(mjcf_vector(m, e, "diaginertia", d, 3, &diagonal));
    DLS_TRY(mjcf_vector(m, e, "fullinertia", full, 6, &all));
    if (!diagonal == !all)
        return dls_xml_bad(&m->x, e->node, "diaginertia", "needs diaginertia or fullinertia, and not both");
    *I = diagonal ? (dls_mat3){{d[0], 0, 0, 0, d[1], 0, 0, 0, d[2]}}
                  : (dls_mat3){{full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2]}};
    return DLS_OK;
}

static dls_status read_inertial(const mjcf *m, const xmlNode *node, dls_link_def *link)
{
    const mjcf_element e = {.node = node, .class = DLS_NONE};
    dls_frame frame;
    DLS_TRY(mjcf_frame(m, &e, &frame));
    DLS_TRY(dls_xml_required_number(&m->x, node, "mass", &link->mass));
    DLS_TRY(read_inertia(m, &e, &link->inertia));
    link->centre = frame.p;
    link->inertia_allowance = dls_inertia_allowance(link->inertia);
    link->inertia = dls_rotate_tensor(dls_quat_matrix(frame.q), link->inertia);
    return DLS_OK;
}

/* Adds the mass of a body that is fixed to the world, and has an <inertial>, to that of its geoms. */
static dls_status weigh_fixed_body(mjcf *m, const xmlNode *node, bool geoms_weigh)
{
    const xmlNode *inertial = dls_xml_child(node, "inertial");
    double mass = 0.0;
    if (inertial && (m->inertia_source != MJCF_GEOMS || !geoms_weigh))
        DLS_TRY(dls_xml_required_number(&m->x, inertial, "mass", &mass));
    m->fixed_mass += mass;
    return DLS_OK;
}

/* Scales all masses, as MuJoCo does, so that they and those of fixed bodies sum up to the total that is set. */
static dls_status scale_masses(mjcf *m, const xmlNode *root)
{
    double sum = m->fixed_mass;
    for (size_t a = 0; a < m->scene->n_articulations; a++)
        for (size_t i = 0; i < m->scene->articulations[a]->n_links; i++)
            sum += m->scene->articulations[a]->links[i].mass;
    if (!(sum > 0.0))
        return dls_xml_bad(&m->x, root, "settotalmass", "no body has a mass that could be scaled");
    const double scale = m->total_mass / sum;
    for (size_t a = 0; a < m->scene->n_articulations; a++)
        for (size_t i = 0; i < m->scene->articulations[a]->n_links; i++) {
            dls_link_def *link = &m->scene->articulations[a]->links[i];
            link->mass *= scale;
            link->inertia_allowance *= scale;
            link->force = dls_scale(scale, link->force);
            for (int k = 0; k < 9; k++)
                link->inertia.m[k] *= scale;
        }
    return DLS_OK;
}

/* Mass and shapes of a link, and the force that takes a share of its weight. */
static dls_status fill_link(mjcf *m, const place *at, dls_link_def *link)
{
    const xmlNode *node = m->bodies[at->body].node, *inertial = dls_xml_child(node, "inertial");
    double share = 0.0;
    DLS_TRY(mjcf_read_geoms(m, at->body, at->childclass, at->tree, link));
    if (inertial && (m->inertia_source != MJCF_GEOMS || link->mass == 0.0)) /* without geoms it holds all the same */
        DLS_TRY(read_inertial(m, inertial, link));
    DLS_TRY(dls_xml_number(&m->x, node, "gravcomp", &share));
    if (m->on.passive)
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
    j->pos = dls_v3(pos[0], pos[1], pos[2]);
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

/* Refuses joints that have no counterpart here and would change the motion. */
static dls_status refuse_joint(const mjcf *m, const mjcf_element *e, const joint *j)
{
    const struct {
        bool bad;
        const char *key, *why;
    } cases[] = {
        {j->type == FREE && j->armature > 0.0, "armature", "a free joint with an armature has no counterpart; write 0"},
        {j->type == FREE && j->stiffness > 0.0, "stiffness", "a free joint with a spring has no counterpart; write 0"},
        {j->type == FREE && j->damping > 0.0, "damping",
         "a free joint with a damper at the frame of its body has no counterpart; write 0"},
        {j->type >= BALL && j->friction > 0.0 && m->on.frictionloss, "frictionloss",
         "friction of a ball or free joint has no counterpart; write 0"},
        {j->type == BALL && j->limited && m->on.limit, "range",
         "a limit of the whole angle of a ball joint has no counterpart; write limited=\"false\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (cases[i].bad)
            return dls_xml_fail(&m->x, DLS_REFUSED, mjcf_holder(m, e, cases[i].key), cases[i].key, "%s", cases[i].why);
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
    return refuse_joint(m, e, j);
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
    if (m->on.passive)
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
                       .springref = j->springref};
    if (m->on.passive)
        to->stiffness = j->stiffness, to->damping = j->type == BALL ? j->damping : 0.0;
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

static bool is_joint(const xmlNode *node)
{
    return dls_xml_is_element(node, "joint") || dls_xml_is_element(node, "freejoint");
}

static size_t count_joints(const xmlNode *body)
{
    size_t count = 0;
    for (const xmlNode *at = NULL; (at = mjcf_next(body, at));)
        count += is_joint(at);
    return count;
}

static dls_status is_free(mjcf *m, const xmlNode *body, size_t childclass, bool *free)
{
    *free = false;
    for (const xmlNode *at = NULL; (at = mjcf_next(body, at));) {
        mjcf_element e;
        joint_type type;
        if (!is_joint(at))
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
    *body = (mjcf_body){.node = node, .parent = parent, .n_joints = count_joints(node), .end = DLS_WORLD_NAME};
    DLS_TRY(mjcf_name(m, &m->body_names, node, "body", me, body->name));
    body->pose = mjcf_compose(above->pose, at->in_parent);
    body->spring = mjcf_compose(above->spring, at->in_parent);
    body->moved = body->n_joints ? me : above->moved;
    at->body = m->n_bodies++;
    return DLS_OK;
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
        if (is_joint(node))
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
    DLS_TRY(weigh_fixed_body(m, node, m->fixed_mass > before));
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

/* --- springs --- */

/* A hinge or slide: f = -stiffness (q - springref). A ball joint: the torque -stiffness phi, phi the rotation vector of
 * the joint, which is that of a fixed joint with a spring: its three rows of the distance of the anchors never move. */
static dls_status add_spring(const mjcf *m, const mjcf_joint *j)
{
    const mjcf_body *body = &m->bodies[j->body], *above = &m->bodies[body->parent];
    const dls_term_def term = {.gear = 1.0};
    mjcf_new_joint spring = {.m = m, .node = j->node, .type = j->one_way ? "drive" : "fixed"};
    dls_term_def terms[1] = {term};
    memcpy(terms[0].coordinate, j->coordinate, sizeof j->coordinate);
    mjcf_set(&spring, "stiffness", j->stiffness);
    if (j->one_way) {
        mjcf_set(&spring, "target", j->springref);
        spring.terms = terms, spring.n_terms = 1;
    } else {
        memcpy(spring.body[0], body->end, sizeof body->end);
        memcpy(spring.body[1], above->end, sizeof above->end);
        mjcf_set_vector(&spring, "anchor", dls_add(body->pose.p, dls_quat_rotate(body->pose.q, j->anchor)));
    }
    DLS_TRY(mjcf_join(m, j->node, spring.name, j->coordinate, "spring"));
    return mjcf_add_joint(&spring);
}

static dls_status add_ball_damper(const mjcf *m, const mjcf_joint *j)
{
    const mjcf_body *body = &m->bodies[j->body], *above = &m->bodies[body->parent];
    mjcf_new_joint damper = {.m = m, .node = j->node, .type = "damper"};
    memcpy(damper.body[0], body->end, sizeof body->end);
    memcpy(damper.body[1], above->end, sizeof above->end);
    mjcf_set(&damper, "angular", j->damping);
    DLS_TRY(mjcf_join(m, j->node, damper.name, j->coordinate, "damping"));
    return mjcf_add_joint(&damper);
}

static dls_status add_springs(const mjcf *m, const mjcf_joint *j)
{
    if (!j->one_way && m->bodies[j->body].n_joints > 1 && j->stiffness + j->damping > 0.0)
        return dls_xml_fail(&m->x, DLS_REFUSED, j->node, "stiffness",
                            "a ball joint with a spring or a damper among several joints of a body has no counterpart; "
                            "give the joint a body of its own");
    if (j->stiffness > 0.0)
        DLS_TRY(add_spring(m, j));
    return j->damping > 0.0 ? add_ball_damper(m, j) : DLS_OK;
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
            if (is_joint(e))
                return dls_xml_bad(&m->x, e, NULL,
                                   "a joint of the world body, which does not move; put it into a body");
        DLS_TRY(mjcf_read_geoms(m, 0, at.childclass, NULL, NULL));
        DLS_TRY(read_sites(m, &at));
        DLS_TRY(read_bodies(m, node, 0, at.childclass, NULL));
    }
    if (m->n_bodies < 2)
        return dls_xml_bad(&m->x, root, "worldbody", "there is no body");
    if (m->total_mass > 0.0)
        DLS_TRY(scale_masses(m, root));
    for (size_t k = 0; k < m->n_joints; k++)
        DLS_TRY(add_springs(m, &m->joints[k]));
    return DLS_OK;
}
