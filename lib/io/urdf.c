/* Robots in URDF (wiki.ros.org/urdf/XML) through libxml2: links, joints, inertials, limits, dynamics, mimic tags.
 *
 * A URDF joint places the child's link frame in the parent's by its origin (xyz, then R = Rz(yaw) Ry(pitch) Rx(roll))
 * and moves it about or along an axis of that frame. Our joint frames have their first axis along x: with Q the
 * shortest turn of x to the axis, parent frame = origin Q, child frame = Q, and both coincide at q = 0. The tree's root
 * is fixed, unless it is tied to its one child by a floating joint: then the child is a floating base.
 *
 * <collision> shapes are kept: box, sphere, cylinder, and capsule, whose length is that between the centres of its
 * caps, as ours. A mesh is kept by its name, for whoever detects contacts to refuse. <visual> elements are ignored; both
 * are counted.
 */
#include "file.h"

#include "base/names.h"
#include "base/text.h"
#include "delassus/articulation.h"
#include "delassus/io.h"

#include <libxml/parser.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const char *file;
    dls_error *error;
    dls_articulation_def *def;
    xmlNode *robot;
    dls_names joints; /* indices of the links that they move */
    size_t shapes;
} reader;

static dls_status bad(const reader *r, xmlNode *at, const char *key, const char *message)
{
    return dls_fail_at(r->error, DLS_BAD_INPUT, r->file, xmlGetLineNo(at), 1, key, "%s", message);
}

/* --- elements and attributes --- */

static bool is_element(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

static xmlNode *next_element(xmlNode *node, const char *name)
{
    while (node && !is_element(node, name))
        node = node->next;
    return node;
}

static xmlNode *child(const xmlNode *node, const char *name) { return next_element(node->children, name); }

/* An attribute's text into text[size]; *there tells whether there is one. It is read where it stands in the tree:
 * xmlGetProp copies it, and its NULL does not tell an absent attribute from exhausted memory. */
static dls_status attribute(const reader *r, xmlNode *node, const char *name, char *text, size_t size, bool *there)
{
    const xmlAttr *found = xmlHasProp(node, (const xmlChar *)name);
    size_t used = 0;
    text[0] = 0;
    *there = found != NULL;
    for (const xmlNode *part = found ? found->children : NULL; part; part = part->next) {
        const char *content = part->type == XML_TEXT_NODE ? (const char *)part->content : NULL;
        if (!content)
            return bad(r, node, name, "an entity; write its text instead");
        if (strlen(content) >= size - used)
            return bad(r, node, name, "the attribute is too long");
        memcpy(text + used, content, strlen(content) + 1);
        used += strlen(content);
    }
    return DLS_OK;
}

static dls_status required_name(const reader *r, xmlNode *node, const char *name, char to[DLS_NAME_MAX])
{
    bool there;
    DLS_TRY(attribute(r, node, name, to, DLS_NAME_MAX, &there));
    return there && to[0] ? DLS_OK : bad(r, node, name, "the attribute is missing or empty");
}

/* `count` numbers separated by blanks; left alone where the attribute is not there. */
static dls_status numbers(const reader *r, xmlNode *node, const char *name, double *to, int count, bool *there)
{
    char text[256];
    const char *at = text;
    DLS_TRY(attribute(r, node, name, text, sizeof text, there));
    for (int i = 0; *there && i < count; i++) {
        const char *end;
        dls_error why;
        double value;
        dls_status status = dls_read_real(at, &value, &end, &why);
        if (end == at)
            return bad(r, node, name, count == 1 ? "not a number" : "fewer numbers than it takes");
        if (status != DLS_OK || !isfinite(value))
            return bad(r, node, name, status == DLS_BAD_INPUT ? why.message : "not a finite number");
        to[i] = value;
        at = end;
    }
    return *there && at[strspn(at, " \t\r\n")] ? bad(r, node, name, "more than the numbers it takes") : DLS_OK;
}

static dls_status number(const reader *r, xmlNode *node, const char *name, double *to)
{
    bool there;
    return numbers(r, node, name, to, 1, &there);
}

static dls_status required_number(const reader *r, xmlNode *node, const char *name, double *to)
{
    bool there;
    DLS_TRY(numbers(r, node, name, to, 1, &there));
    return there ? DLS_OK : bad(r, node, name, "the attribute is missing");
}

/* <origin xyz="" rpy=""/> of a node; the identity where it has none. */
static dls_status origin(const reader *r, const xmlNode *node, dls_frame *frame)
{
    double xyz[3] = {0, 0, 0}, rpy[3] = {0, 0, 0};
    bool there;
    xmlNode *at = child(node, "origin");
    if (at) {
        DLS_TRY(numbers(r, at, "xyz", xyz, 3, &there));
        DLS_TRY(numbers(r, at, "rpy", rpy, 3, &there));
    }
    dls_quat roll = dls_quat_exp(dls_v3(rpy[0], 0, 0)), pitch = dls_quat_exp(dls_v3(0, rpy[1], 0)),
             yaw = dls_quat_exp(dls_v3(0, 0, rpy[2]));
    *frame = (dls_frame){dls_v3(xyz[0], xyz[1], xyz[2]), dls_quat_unit(dls_quat_mul(yaw, dls_quat_mul(pitch, roll)))};
    return DLS_OK;
}

/* --- links --- */

static dls_status inertial(const reader *r, xmlNode *node, dls_link_def *link)
{
    static const char *const names[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    xmlNode *mass = child(node, "mass"), *inertia = child(node, "inertia");
    dls_frame frame;
    double I[6];
    DLS_TRY(origin(r, node, &frame));
    if (!mass)
        return bad(r, node, "mass", "<inertial> without <mass>");
    DLS_TRY(required_number(r, mass, "value", &link->mass));
    if (!inertia)
        return bad(r, node, "inertia", "<inertial> without <inertia>");
    for (int i = 0; i < 6; i++)
        DLS_TRY(required_number(r, inertia, names[i], &I[i]));
    link->centre = frame.p;
    link->inertia =
        dls_rotate_tensor(dls_quat_matrix(frame.q), (dls_mat3){{I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5]}});
    return DLS_OK;
}

static dls_place place(xmlNode *node) { return (dls_place){xmlGetLineNo(node), 1}; }

/* --- what collides --- */

static dls_status positive(const reader *r, xmlNode *node, const char *name, double *to)
{
    DLS_TRY(required_number(r, node, name, to));
    return *to > 0.0 ? DLS_OK : bad(r, node, name, "must be positive");
}

static dls_status box(const reader *r, xmlNode *node, dls_link_shape *shape)
{
    double size[3] = {0.0, 0.0, 0.0};
    bool there;
    DLS_TRY(numbers(r, node, "size", size, 3, &there));
    shape->shape = DLS_SHAPE_BOX;
    shape->size = dls_v3(size[0], size[1], size[2]);
    return size[0] > 0.0 && size[1] > 0.0 && size[2] > 0.0 ? DLS_OK
                                                           : bad(r, node, "size", "needs three positive numbers");
}

static dls_status sphere(const reader *r, xmlNode *node, dls_link_shape *shape)
{
    shape->shape = DLS_SHAPE_SPHERE;
    return positive(r, node, "radius", &shape->radius);
}

static dls_status round_solid(const reader *r, xmlNode *node, dls_shape kind, dls_link_shape *shape)
{
    shape->shape = (int)kind;
    DLS_TRY(positive(r, node, "radius", &shape->radius));
    return positive(r, node, "length", &shape->length);
}

static dls_status cylinder(const reader *r, xmlNode *node, dls_link_shape *shape)
{
    return round_solid(r, node, DLS_SHAPE_CYLINDER, shape);
}

static dls_status capsule(const reader *r, xmlNode *node, dls_link_shape *shape)
{
    return round_solid(r, node, DLS_SHAPE_CAPSULE, shape);
}

/* The name of the file alone, or as much of its end as there is room for. */
static dls_status mesh(const reader *r, xmlNode *node, dls_link_shape *shape)
{
    char file[DLS_PATH_MAX];
    bool there;
    DLS_TRY(attribute(r, node, "filename", file, sizeof file, &there));
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    const size_t length = strlen(name), room = sizeof shape->mesh - 1, kept = length < room ? length : room;
    shape->shape = DLS_SHAPE_NONE;
    memcpy(shape->mesh, name + (length - kept), kept + 1);
    return there ? DLS_OK : bad(r, node, "filename", "the attribute is missing");
}

static const struct {
    const char *name;
    dls_status (*read)(const reader *, xmlNode *, dls_link_shape *);
} geometries[] = {{"box", box}, {"sphere", sphere}, {"cylinder", cylinder}, {"capsule", capsule}, {"mesh", mesh}};
enum { GEOMETRIES = sizeof geometries / sizeof geometries[0] };

/* A <collision> without a <geometry> is nothing, and ignored. */
static dls_status read_collision(reader *r, xmlNode *node, const dls_link_def *link)
{
    dls_link_shape shape = {.place = place(node)};
    xmlNode *geometry = child(node, "geometry"), *at = geometry ? geometry->children : NULL;
    size_t kind = GEOMETRIES;
    while (at && at->type != XML_ELEMENT_NODE)
        at = at->next;
    for (size_t i = 0; i < GEOMETRIES && at; i++)
        kind = is_element(at, geometries[i].name) ? i : kind;
    if (!geometry)
        return DLS_OK;
    if (kind == GEOMETRIES)
        return dls_fail_at(r->error, DLS_REFUSED, r->file, xmlGetLineNo(geometry), 1, "geometry",
                           "the <collision> of link '%s' is no box, sphere, cylinder, capsule or mesh", link->name);
    memcpy(shape.link, link->name, sizeof shape.link);
    DLS_TRY(origin(r, node, &shape.frame));
    DLS_TRY(geometries[kind].read(r, at, &shape));
    return dls_articulation_def_add_shape(r->def, &shape, r->error);
}

static dls_status read_link(reader *r, xmlNode *node, dls_link_def *link)
{
    dls_link_default(link);
    link->place = place(node);
    DLS_TRY(required_name(r, node, "name", link->name));
    xmlNode *at = child(node, "inertial");
    if (at)
        DLS_TRY(inertial(r, at, link));
    for (at = node->children; at; at = at->next) {
        r->shapes += is_element(at, "visual") || is_element(at, "collision");
        if (is_element(at, "collision"))
            DLS_TRY(read_collision(r, at, link));
    }
    return DLS_OK;
}

/* --- joints --- */

/* What URDF calls a joint, and our motion; without one it is refused, or the floating base. */
typedef struct joint_type {
    const char *name, *motion;
    dls_axis axis;
    bool needs_limit; /* a <limit> must be there */
    bool unbounded;   /* its lower and upper mean nothing */
    bool refused;
} joint_type;
static const joint_type types[] = {
    {.name = "fixed", .motion = "fix", .axis = DLS_TWIST},
    {.name = "revolute", .motion = "revolute-unwrapped", .axis = DLS_TWIST, .needs_limit = true},
    {.name = "continuous", .motion = "revolute-unwrapped", .axis = DLS_TWIST, .unbounded = true},
    {.name = "prismatic", .motion = "prismatic", .axis = DLS_X, .needs_limit = true},
    {.name = "floating", .axis = DLS_TWIST},
    {.name = "planar", .axis = DLS_TWIST, .refused = true},
};

static dls_status type_of(const reader *r, xmlNode *node, const joint_type **type)
{
    char name[DLS_NAME_MAX];
    DLS_TRY(required_name(r, node, "type", name));
    for (*type = types; *type < types + sizeof types / sizeof types[0]; ++*type)
        if (strcmp((*type)->name, name) == 0)
            return DLS_OK;
    return dls_fail_at(r->error, DLS_BAD_INPUT, r->file, xmlGetLineNo(node), 1, "type",
                       "'%s' is none of fixed, revolute, continuous, prismatic, floating", name);
}

static dls_status joint_axis(const reader *r, xmlNode *node, dls_quat *turn)
{
    double axis[3] = {1, 0, 0};
    bool there;
    xmlNode *at = child(node, "axis");
    if (at)
        DLS_TRY(numbers(r, at, "xyz", axis, 3, &there));
    dls_vec3 a = dls_v3(axis[0], axis[1], axis[2]);
    if (!(dls_norm(a) > 0.0))
        return bad(r, at, "xyz", "the axis has no direction");
    *turn = dls_quat_between(dls_v3(1, 0, 0), dls_unit(a));
    return DLS_OK;
}

static dls_status joint_limits(const reader *r, xmlNode *node, const joint_type *type, dls_link_def *link)
{
    xmlNode *limit = child(node, "limit"), *dynamics = child(node, "dynamics"), *mimic = child(node, "mimic");
    if (limit) {
        double lower = 0.0, upper = 0.0;
        DLS_TRY(number(r, limit, "lower", &lower));
        DLS_TRY(number(r, limit, "upper", &upper));
        DLS_TRY(number(r, limit, "effort", &link->force_limit));
        DLS_TRY(number(r, limit, "velocity", &link->speed_limit));
        if (!type->unbounded)
            link->lower = lower, link->upper = upper;
        if (!(link->lower <= link->upper) || !(link->force_limit >= 0.0) || !(link->speed_limit >= 0.0))
            return bad(r, limit, "limit", "needs lower <= upper, effort >= 0 and velocity >= 0");
    } else if (type->needs_limit) {
        return bad(r, node, "limit", "a revolute or prismatic joint needs a <limit>");
    }
    if (dynamics) {
        DLS_TRY(number(r, dynamics, "damping", &link->damping));
        DLS_TRY(number(r, dynamics, "friction", &link->friction));
        if (!(link->damping >= 0.0) || !(link->friction >= 0.0))
            return bad(r, dynamics, "dynamics", "needs damping >= 0 and friction >= 0");
    }
    if (mimic) {
        DLS_TRY(required_name(r, mimic, "joint", link->mimic));
        DLS_TRY(number(r, mimic, "multiplier", &link->multiplier));
        DLS_TRY(number(r, mimic, "offset", &link->offset));
    }
    return DLS_OK;
}

static dls_status end_of_joint(const reader *r, xmlNode *node, const char *end, char name[DLS_NAME_MAX])
{
    xmlNode *at = child(node, end);
    return at ? required_name(r, at, "link", name) : bad(r, node, end, "the joint does not name this link");
}

static dls_status read_joint(reader *r, xmlNode *node)
{
    char parent[DLS_NAME_MAX], moved[DLS_NAME_MAX], name[DLS_NAME_MAX];
    const joint_type *type;
    dls_frame at;
    dls_quat turn;
    DLS_TRY(required_name(r, node, "name", name));
    DLS_TRY(type_of(r, node, &type));
    DLS_TRY(end_of_joint(r, node, "parent", parent));
    DLS_TRY(end_of_joint(r, node, "child", moved));
    dls_link_def *link = dls_articulation_def_find(r->def, moved);
    if (!link || !dls_articulation_def_find(r->def, parent))
        return dls_fail_at(r->error, DLS_BAD_INPUT, r->file, xmlGetLineNo(node), 1, link ? "parent" : "child",
                           "there is no link '%s'", link ? parent : moved);
    if (link->parent[0])
        return dls_fail_at(r->error, DLS_BAD_INPUT, r->file, xmlGetLineNo(node), 1, "child",
                           "link '%s' is the child of two joints", moved);
    DLS_TRY(origin(r, node, &at));
    DLS_TRY(joint_axis(r, node, &turn));
    memcpy(link->joint, name, sizeof name);
    memcpy(link->parent, parent, sizeof parent);
    if (dls_names_add(&r->joints, name, (size_t)(link - r->def->links)) == SIZE_MAX)
        return dls_fail(r->error, DLS_NO_MEMORY, "no memory for the names of joints");
    link->place = place(node);
    link->motion = type->motion ? dls_motion_find(type->motion) : NULL;
    link->axis[0] = type->axis;
    link->parent_frame = (dls_frame){at.p, dls_quat_unit(dls_quat_mul(at.q, turn))};
    link->child_frame = (dls_frame){dls_v3(0, 0, 0), turn};
    if (type->refused)
        return dls_fail_at(
            r->error, DLS_REFUSED, r->file, xmlGetLineNo(node), 1, "type",
            "joint '%s' is planar, which is no motion type here; write two prismatic joints and a continuous one",
            name);
    return joint_limits(r, node, type, link);
}

/* --- who follows whom --- */

static bool moves_one_way(const dls_link_def *link) { return link->motion && link->motion->n_dofs == 1; }

/* The link whose joint a joint that moves one way follows, and which moves one way, too. */
static dls_status leader_of(const reader *r, size_t i, size_t *leader)
{
    const dls_link_def *link = &r->def->links[i];
    *leader = dls_names_find(&r->joints, link->mimic);
    if (*leader != SIZE_MAX && moves_one_way(link) && moves_one_way(&r->def->links[*leader]))
        return DLS_OK;
    return dls_fail_at(r->error, DLS_BAD_INPUT, r->file, link->place.line, 1, "mimic", "joint '%s' follows '%s', %s",
                       link->joint, link->mimic,
                       *leader == SIZE_MAX ? "which is no joint" : "and one of the two has not one degree of freedom");
}

/* A joint that follows another, and that one perhaps a third: none follows itself in the end. Walks end where an
 * earlier one has been, so that all of them together pass each link once. */
static dls_status check_mimics(const reader *r)
{
    const size_t n = r->def->n_links;
    size_t *walk = calloc(n + 1, sizeof *walk); /* the walk that passed a link, from 1 */
    dls_status status = walk ? DLS_OK : dls_fail(r->error, DLS_NO_MEMORY, "no memory for %zu links", n);
    for (size_t k = 0; status == DLS_OK && k < n; k++)
        for (size_t i = k, next; status == DLS_OK && !walk[i] && r->def->links[i].mimic[0]; i = next) {
            const dls_link_def *link = &r->def->links[i];
            walk[i] = k + 1;
            status = leader_of(r, i, &next);
            if (status == DLS_OK && walk[next] == k + 1)
                status = dls_fail_at(r->error, DLS_BAD_INPUT, r->file, link->place.line, 1, "mimic",
                                     "joint '%s' follows '%s', and in the end itself", link->joint, link->mimic);
        }
    free(walk);
    return status;
}

/* --- the base --- */

/* A floating joint is the base's: its parent must be the root, have no mass and no other child. */
static dls_status float_base(reader *r, dls_link_def *base)
{
    dls_articulation_def *def = r->def;
    dls_link_def *root = dls_articulation_def_find(r->def, base->parent);
    size_t children = 0;
    for (size_t i = 0; i < def->n_links; i++)
        children += strcmp(def->links[i].parent, root->name) == 0;
    if (root->parent[0] || children != 1 || root->mass > 0.0)
        return dls_fail_at(
            r->error, DLS_BAD_INPUT, r->file, base->place.line, 1, "type",
            "a floating joint ties the base to a root without mass and other children; this one is elsewhere");
    base->position = base->parent_frame.p;
    base->orientation = dls_quat_mul(base->parent_frame.q, dls_quat_conj(base->child_frame.q));
    base->parent[0] = base->joint[0] = 0;
    base->motion = dls_motion_find("fix");
    base->child_frame = base->parent_frame = (dls_frame){dls_v3(0, 0, 0), dls_quat_identity()};
    *root = def->links[--def->n_links]; /* the order of definitions is free */
    def->fixed_base = false;
    return DLS_OK;
}

static dls_status read_robot(reader *r)
{
    bool there;
    DLS_TRY(attribute(r, r->robot, "name", r->def->name, sizeof r->def->name, &there));
    snprintf(r->def->file, sizeof r->def->file, "%s", r->file);
    r->def->fixed_base = true;
    for (xmlNode *node = child(r->robot, "link"); node; node = next_element(node->next, "link")) {
        dls_link_def link;
        DLS_TRY(read_link(r, node, &link));
        if (dls_articulation_def_find(r->def, link.name))
            return dls_fail_at(r->error, DLS_BAD_INPUT, r->file, xmlGetLineNo(node), 1, "name", "duplicate link '%s'",
                               link.name);
        DLS_TRY(dls_articulation_def_add(r->def, &link, r->error));
    }
    if (r->def->n_links == 0)
        return bad(r, r->robot, "link", "the robot has no links");
    for (xmlNode *node = child(r->robot, "joint"); node; node = next_element(node->next, "joint"))
        DLS_TRY(read_joint(r, node));
    DLS_TRY(check_mimics(r));
    for (size_t i = 0; i < r->def->n_links; i++)
        if (!r->def->links[i].motion)
            return float_base(r, &r->def->links[i]);
    return DLS_OK;
}

/* --- the document --- */

/* Where a document type definition begins the parser stops: nothing that it declares is expanded, or read from a file. */
static void refuse_subset(void *context, const xmlChar *name, const xmlChar *external, const xmlChar *system)
{
    (void)name, (void)external, (void)system;
    xmlParserCtxt *parser = context;
    *(bool *)parser->_private = true;
    xmlStopParser(parser);
}

/* What libxml2 reports to the thread while a document is parsed. When an allocation fails it may return a tree that
 * lacks elements and attributes, and call it well-formed: only the report tells. */
#if LIBXML_VERSION < 21200
typedef xmlErrorPtr xml_report;
#else
typedef const xmlError *xml_report;
#endif

static void note_report(void *context, xml_report report)
{
    bool *out_of_memory = context;
    *out_of_memory = *out_of_memory || report->code == XML_ERR_NO_MEMORY;
}

static dls_status no_memory(const reader *r)
{
    return dls_fail_at(r->error, DLS_NO_MEMORY, r->file, 0, 0, NULL, "no memory to read XML");
}

static dls_status not_xml(const reader *r, const xmlError *what)
{
    char message[256];
    snprintf(message, sizeof message, "%s", what && what->message ? what->message : "not XML");
    message[strcspn(message, "\r\n")] = 0;
    return dls_fail_at(r->error, DLS_BAD_INPUT, r->file, what ? what->line : 0, what ? what->int2 : 0, NULL, "%s",
                       message);
}

/* Without a document type definition the only entities are those of characters, and XML_PARSE_NOENT makes every
 * attribute one text. The encoding is UTF-8, as dls_text_check knows, whatever the document says of itself. */
static dls_status parse(const char *text, size_t size, reader *r)
{
    const int options = XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
                        XML_PARSE_BIG_LINES | XML_PARSE_IGNORE_ENC;
    const xmlStructuredErrorFunc report_before = xmlStructuredError;
    void *const context_before = xmlStructuredErrorContext;
    bool has_subset = false, out_of_memory = false;
    xmlDoc *document = NULL;
    xmlSetStructuredErrorFunc(&out_of_memory, note_report);
    xmlParserCtxt *context = size <= INT32_MAX ? xmlNewParserCtxt() : NULL;
    if (context) {
        context->_private = &has_subset;
        context->sax->internalSubset = refuse_subset;
        document = xmlCtxtReadMemory(context, text, (int)size, r->file, NULL, options);
    }
    xmlSetStructuredErrorFunc(context_before, report_before);
    dls_status status;
    r->robot = document ? xmlDocGetRootElement(document) : NULL;
    if (!context || out_of_memory || context->errNo == XML_ERR_NO_MEMORY)
        status = no_memory(r);
    else if (has_subset)
        status = dls_fail_at(r->error, DLS_BAD_INPUT, r->file, 1, 1, NULL, "a document type definition; leave it out");
    else if (!document)
        status = not_xml(r, xmlCtxtGetLastError(context));
    else if (!r->robot || strcmp((const char *)r->robot->name, "robot") != 0)
        status = dls_fail_at(r->error, DLS_BAD_INPUT, r->file, r->robot ? xmlGetLineNo(r->robot) : 1, 1, NULL,
                             "the root element is not <robot>");
    else
        status = read_robot(r);
    xmlFreeDoc(document);
    xmlFreeParserCtxt(context);
    return status;
}

dls_status dls_urdf_parse(const char *text, size_t size, const char *name, dls_articulation_def **def, size_t *shapes,
                          dls_error *error)
{
    reader r = {.file = name, .error = error};
    *def = NULL;
    DLS_TRY(dls_text_check(text, size, name,
                           error)); /* UTF-8: libxml2 is not left to guess, and has nothing to print about */
    DLS_TRY(dls_articulation_def_create(def, error));
    r.def = *def;
    dls_status status = parse(text, size, &r);
    dls_names_release(&r.joints);
    if (shapes)
        *shapes = r.shapes;
    if (status != DLS_OK) {
        dls_articulation_def_destroy(*def);
        *def = NULL;
    }
    return status;
}

dls_status dls_urdf_read(const char *path, dls_articulation_def **def, size_t *shapes, dls_error *error)
{
    char *text;
    size_t size;
    *def = NULL;
    DLS_TRY(dls_file_read(path, &text, &size, error));
    dls_status status = dls_urdf_parse(text, size, path, def, shapes, error);
    free(text);
    return status;
}
