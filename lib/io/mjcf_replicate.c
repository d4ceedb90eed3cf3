/* <replicate count="" offset="" euler="" sep=""> of MJCF: copies of all within it, each in a frame. With the rotation
 * R_i of i times the Euler angles, copy i has the orientation R_i and the position p_i, p_0 = 0,
 *
 *     p_(i+1) = p_i + R_i offset
 *
 * Names get the suffix sep and i, with as many digits as the count. Elements of other sections that refer to names
 * within are repeated with the names of each copy; one that refers to others as well has no counterpart, and is left
 * out. Inner ones are expanded before those around them.
 */
#include "mjcf.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct replica {
    mjcf *m;
    dls_names names; /* of elements within */
    char suffix[DLS_NAME_MAX];
} replica;

static dls_status no_room(const mjcf *m)
{
    return dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for copies of a <replicate>");
}

/* --- names --- */

/* Attributes that name elements, and the kinds of these; NULL: another attribute has the kind. */
static const struct {
    const char *attribute, *kind;
} references[] = {{"joint", "joint"},    {"joint1", "joint"},      {"joint2", "joint"},  {"jointinparent", "joint"},
                  {"body", "body"},      {"body1", "body"},        {"body2", "body"},    {"target", "body"},
                  {"geom", "geom"},      {"geom1", "geom"},        {"geom2", "geom"},    {"site", "site"},
                  {"site1", "site"},     {"site2", "site"},        {"refsite", "site"},  {"sidesite", "site"},
                  {"cranksite", "site"}, {"slidersite", "site"},   {"tendon", "tendon"}, {"tendon1", "tendon"},
                  {"tendon2", "tendon"}, {"actuator", "actuator"}, {"objname", NULL},    {"refname", NULL}};
enum { REFERENCES = sizeof references / sizeof references[0], KEY = 2 * DLS_NAME_MAX };

static bool is_text(const xmlAttr *a) { return a->children && a->children->content && !a->children->next; }

/* "KIND NAME" of what an attribute refers to; false: it refers to nothing. */
static bool referred(const xmlNode *node, const xmlAttr *a, char key[KEY])
{
    size_t k = 0;
    while (k < REFERENCES && strcmp((const char *)a->name, references[k].attribute) != 0)
        k++;
    if (k == REFERENCES || !is_text(a))
        return false;
    const char *kind = references[k].kind, *name = (const char *)a->children->content;
    if (!kind) {
        const xmlAttr *type = xmlHasProp(node, (const xmlChar *)(a->name[0] == 'o' ? "objtype" : "reftype"));
        kind = type && is_text(type) ? (const char *)type->children->content : "";
        kind = strcmp(kind, "xbody") == 0 ? "body" : kind;
    }
    snprintf(key, KEY, "%s %s", kind, name);
    return true;
}

/* "KIND NAME" of an element; false: it has no name. */
static bool named(const xmlNode *node, char key[KEY])
{
    const xmlAttr *name = xmlHasProp(node, (const xmlChar *)"name");
    const char *kind = (const char *)node->name;
    if (!name || !is_text(name))
        return false;
    if (strcmp(kind, "freejoint") == 0)
        kind = "joint";
    if (dls_xml_is_element(node->parent, "tendon"))
        kind = "tendon";
    if (dls_xml_is_element(node->parent, "actuator"))
        kind = "actuator";
    snprintf(key, KEY, "%s %s", kind, (const char *)name->children->content);
    return true;
}

static dls_status collect_names(replica *r, const xmlNode *node)
{
    char key[KEY];
    if (named(node, key) && dls_names_add(&r->names, key, 0) == SIZE_MAX)
        return no_room(r->m);
    for (const xmlNode *at = node->children; at; at = at->next)
        if (at->type == XML_ELEMENT_NODE)
            DLS_TRY(collect_names(r, at));
    return DLS_OK;
}

/* Adds the suffix to own names, and to those of elements within. */
static dls_status rename_all(const replica *r, xmlNode *node)
{
    for (xmlAttr *a = node->properties; a; a = a->next) {
        char text[KEY], key[KEY];
        const bool own = strcmp((const char *)a->name, "name") == 0 && is_text(a);
        if (!own && !(referred(node, a, key) && dls_names_find(&r->names, key) != SIZE_MAX))
            continue;
        const int length = snprintf(text, sizeof text, "%s%s", (const char *)a->children->content, r->suffix);
        if (length >= DLS_NAME_MAX)
            return dls_xml_bad(&r->m->x, node, (const char *)a->name, "is too long with the suffix of its copy");
        if (!xmlSetProp(node, a->name, (const xmlChar *)text))
            return no_room(r->m);
    }
    for (xmlNode *at = node->children; at; at = at->next)
        if (at->type == XML_ELEMENT_NODE)
            DLS_TRY(rename_all(r, at));
    return DLS_OK;
}

/* --- copies --- */

static void set_suffix(replica *r, const char *separator, size_t count, size_t i)
{
    char digits[24];
    const int width = snprintf(digits, sizeof digits, "%zu", count);
    snprintf(r->suffix, sizeof r->suffix, "%.30s%0*zu", separator, width, i);
}

/* A copy of an element with the suffix, before `place`. */
static dls_status add_copy(const replica *r, const xmlNode *of, xmlNode *place)
{
    xmlNode *copy;
    DLS_TRY(dls_xml_copy(&r->m->x, of, place->doc, of->_private, &copy));
    xmlAddPrevSibling(place, copy);
    return rename_all(r, copy);
}

/* --- other sections --- */

/* Counts references of an element to elements within and to others. */
static void count_references(const replica *r, const xmlNode *node, size_t *within, size_t *others)
{
    char key[KEY];
    for (const xmlAttr *a = node->properties; a; a = a->next)
        if (referred(node, a, key))
            ++*(dls_names_find(&r->names, key) != SIZE_MAX ? within : others);
    for (const xmlNode *at = node->children; at; at = at->next)
        if (at->type == XML_ELEMENT_NODE)
            count_references(r, at, within, others);
}

static dls_status repeat_reference(replica *r, xmlNode *node, const char *separator, size_t count, dls_aspect aspect)
{
    size_t within = 0, others = 0;
    dls_status status = DLS_OK;
    count_references(r, node, &within, &others);
    if (within == 0)
        return DLS_OK;
    r->m->repeats_actuators = r->m->repeats_actuators || dls_xml_is_element(node->parent, "actuator");
    if (others > 0)
        status =
            dls_xml_drop(&r->m->x, aspect, node, NULL,
                         "<%s> refers to an element within a <replicate> and to one outside, which has no counterpart",
                         dls_xml_name(node));
    char key[KEY];
    if (status == DLS_OK && others == 0 && named(node, key) && dls_names_add(&r->names, key, 0) == SIZE_MAX)
        status = no_room(r->m); /* what refers to it is repeated, too */
    for (size_t i = 0; status == DLS_OK && others == 0 && i < count; i++) {
        set_suffix(r, separator, count, i);
        status = add_copy(r, node, node);
    }
    xmlUnlinkNode(node);
    xmlFreeNode(node);
    return status;
}

static dls_status repeat_references(replica *r, xmlNode *root, const char *separator, size_t count)
{
    static const struct {
        const char *name;
        dls_aspect aspect;
    } sections[] = {{"contact", DLS_ASPECT_CONTACTS},
                    {"tendon", DLS_ASPECT_BODIES},
                    {"equality", DLS_ASPECT_CONSTRAINTS},
                    {"actuator", DLS_ASPECT_BODIES},
                    {"sensor", DLS_ASPECT_SENSORS}};
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        for (xmlNode *at = dls_xml_child(root, sections[i].name); at; at = dls_xml_next(at->next, sections[i].name))
            for (xmlNode *node = dls_xml_child(at, NULL), *next; node; node = next) {
                next = dls_xml_next(node->next, NULL);
                DLS_TRY(repeat_reference(r, node, separator, count, sections[i].aspect));
            }
    return DLS_OK;
}

/* --- one --- */

typedef struct layout {
    double count, offset[3], euler[3];
    char separator[DLS_NAME_MAX], childclass[DLS_NAME_MAX];
} layout;

static dls_status read_layout(const mjcf *m, const xmlNode *node, layout *to)
{
    static const char *const known[] = {"count", "offset", "euler", "sep", "childclass"};
    int count;
    bool there;
    *to = (layout){.count = 0.0};
    for (const xmlAttr *a = node->properties; a; a = a->next) {
        bool is_known = false;
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            is_known = is_known || strcmp((const char *)a->name, known[i]) == 0;
        if (!is_known)
            return dls_xml_bad(&m->x, node, (const char *)a->name, "<replicate> has no such attribute");
    }
    DLS_TRY(dls_xml_required_number(&m->x, node, "count", &to->count));
    DLS_TRY(dls_xml_vector(&m->x, node, "offset", to->offset, 3, &count));
    DLS_TRY(dls_xml_vector(&m->x, node, "euler", to->euler, 3, &count));
    DLS_TRY(dls_xml_attribute(&m->x, node, "sep", to->separator, sizeof to->separator, &there));
    DLS_TRY(dls_xml_attribute(&m->x, node, "childclass", to->childclass, sizeof to->childclass, &there));
    return to->count >= 1.0 && to->count <= 1e5 && to->count == floor(to->count) && strlen(to->separator) <= 30
               ? DLS_OK
               : dls_xml_bad(&m->x, node, "count",
                             "needs a whole number from 1 to 100000, and a sep of at most 30 bytes");
}

/* The frame of copy i at a position, before the <replicate>. */
static dls_status add_frame(const replica *r, xmlNode *node, const layout *l, size_t i, dls_vec3 p)
{
    char pos[128], euler[128];
    xmlNode *frame = xmlNewDocNode(node->doc, NULL, (const xmlChar *)"frame", NULL);
    dls_print(pos, sizeof pos, "%.17g %.17g %.17g", p.x, p.y, p.z);
    dls_print(euler, sizeof euler, "%.17g %.17g %.17g", (double)i * l->euler[0], (double)i * l->euler[1],
              (double)i * l->euler[2]);
    if (!frame)
        return no_room(r->m);
    xmlAddPrevSibling(node, frame);
    frame->_private = node->_private;
    frame->line = node->line;
    if (!xmlNewProp(frame, (const xmlChar *)"pos", (const xmlChar *)pos) ||
        !xmlNewProp(frame, (const xmlChar *)"euler", (const xmlChar *)euler) ||
        (l->childclass[0] && !xmlNewProp(frame, (const xmlChar *)"childclass", (const xmlChar *)l->childclass)))
        return no_room(r->m);
    xmlNode *mark = xmlNewChild(frame, NULL, (const xmlChar *)"frame", NULL);
    if (!mark)
        return no_room(r->m);
    for (const xmlNode *at = node->children; at; at = at->next)
        if (at->type == XML_ELEMENT_NODE)
            DLS_TRY(add_copy(r, at, mark));
    xmlUnlinkNode(mark);
    xmlFreeNode(mark);
    return DLS_OK;
}

static dls_status expand(replica *r, xmlNode *root, xmlNode *node)
{
    layout l;
    dls_vec3 p = dls_v3(0.0, 0.0, 0.0);
    DLS_TRY(read_layout(r->m, node, &l));
    DLS_TRY(collect_names(r, node));
    for (size_t i = 0; i < (size_t)l.count; i++) {
        dls_quat q;
        set_suffix(r, l.separator, (size_t)l.count, i);
        DLS_TRY(add_frame(r, node, &l, i, p));
        const double angles[3] = {(double)i * l.euler[0], (double)i * l.euler[1], (double)i * l.euler[2]};
        DLS_TRY(mjcf_turn_by_euler(r->m, angles, &q));
        p = dls_add(p, dls_quat_rotate(q, dls_v3(l.offset[0], l.offset[1], l.offset[2])));
    }
    return repeat_references(r, root, l.separator, (size_t)l.count);
}

static dls_status replicate_within(mjcf *m, xmlNode *root, xmlNode *node)
{
    for (xmlNode *at = node->children, *next; at; at = next) {
        next = at->next;
        if (at->type != XML_ELEMENT_NODE)
            continue;
        DLS_TRY(replicate_within(m, root, at));
        if (!dls_xml_is_element(at, "replicate"))
            continue;
        replica r = {.m = m};
        const dls_status status = expand(&r, root, at);
        dls_names_release(&r.names);
        DLS_TRY(status);
        xmlUnlinkNode(at);
        xmlFreeNode(at);
    }
    return DLS_OK;
}

dls_status mjcf_replicate(mjcf *m, xmlNode *root)
{
    for (xmlNode *at = dls_xml_child(root, "worldbody"); at; at = dls_xml_next(at->next, "worldbody"))
        DLS_TRY(replicate_within(m, root, at));
    return DLS_OK;
}
