/* Spatial tendons of a scene: a tree of attachments, which becomes a segment for each but the root and a tendon for
 * each leaf, over the segments from the root to it. physx-articulations, Spatial Tendons; doc/scene-format.md. */
#include "scene_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct attachment {
    char name[DLS_NAME_MAX], parent[DLS_NAME_MAX], body[DLS_NAME_MAX];
    dls_vec3 point;
    double coefficient;
    const dls_yaml_node *map;
    size_t up; /* the parent; DLS_NONE of the root */
    bool inner;
} attachment;

static const dls_field fields[] = {
    {"name", "", DLS_FIELD_NAME, offsetof(attachment, name), NULL, 0, 0, false, NULL, "name of the attachment"},
    {"parent", "", DLS_FIELD_NAME, offsetof(attachment, parent), "", 0, 0, false, NULL,
     "name of the previous attachment; the root has none"},
    {"body", "", DLS_FIELD_NAME, offsetof(attachment, body), NULL, 0, 0, false, NULL,
     "body, ARTICULATION.LINK or world to which it is fixed"},
    {"point", "m", DLS_FIELD_VEC3, offsetof(attachment, point), NULL, 0, 0, false, NULL,
     "position at the start, world frame"},
    {"coefficient", "", DLS_FIELD_REAL, offsetof(attachment, coefficient), "1", -HUGE_VAL, HUGE_VAL, false, NULL,
     "coefficient, in the tendon's length, of the segment from the parent"},
};
static const dls_field_table attachment_fields = DLS_FIELD_TABLE(fields, attachment);
static const char *const attachment_keys[] = {"name", "parent", "body", "point", "coefficient", NULL};

typedef struct tendon {
    char name[DLS_NAME_MAX];
    attachment *at;
    size_t count, capacity;
} tendon;

static const dls_field tendon_name[] = {
    {"name", "", DLS_FIELD_NAME, offsetof(tendon, name), NULL, 0, 0, false, NULL,
     "name of the tendon, with which the names of its joints begin"},
};
static const dls_field_table tendon_fields = DLS_FIELD_TABLE(tendon_name, tendon);

static dls_status tendon_fail(const dls_reader *r, dls_place place, const char *key, const char *message)
{
    return dls_reader_at(r, dls_fail(r->error, DLS_BAD_INPUT, "%s", message), place, key);
}

/* --- attachments --- */

/* Fields of the map that are an attachment's; the others are those of the tendon that ends there. */
static dls_status read_attachment(dls_reader *r, const dls_yaml_node *map, attachment *to)
{
    DLS_TRY(dls_reader_expect(r, map, DLS_YAML_MAP, "an attachment, a map as in '- name: origin'"));
    DLS_TRY(dls_fields_default(&attachment_fields, to, r->error));
    to->map = map;
    for (const dls_yaml_node *child = map->first; child; child = child->next) {
        const dls_field *field = dls_field_find(&attachment_fields, child->key);
        if (field)
            DLS_TRY(dls_reader_at(r, dls_reader_value(r, field, to, child), child->place, child->key));
    }
    return dls_reader_at(r, dls_fields_require(&attachment_fields, to, r->error), map->place, NULL);
}

static size_t find_attachment(const tendon *t, const char *name)
{
    for (size_t i = 0; i < t->count; i++)
        if (strcmp(t->at[i].name, name) == 0)
            return i;
    return DLS_NONE;
}

static dls_status add_attachment(dls_reader *r, tendon *t, const dls_yaml_node *map)
{
    attachment one;
    DLS_TRY(read_attachment(r, map, &one));
    if (find_attachment(t, one.name) != DLS_NONE)
        return tendon_fail(r, map->place, "name", "another attachment of the tendon has this name");
    one.up = one.parent[0] ? find_attachment(t, one.parent) : DLS_NONE;
    if (t->count == 0 && one.parent[0])
        return tendon_fail(r, map->place, "parent", "the first attachment is the root, and has no parent");
    if (t->count > 0 && one.up == DLS_NONE)
        return tendon_fail(r, map->place, "parent", "names no attachment before this one; the first alone is the root");
    if (!DLS_GROW(t->at, t->capacity, t->count + 1))
        return dls_fail(r->error, DLS_NO_MEMORY, "no memory for %zu attachments", t->count + 1);
    if (one.up != DLS_NONE)
        t->at[one.up].inner = true;
    one.inner = false;
    t->at[t->count++] = one;
    return DLS_OK;
}

/* --- joints --- */

static dls_status name_joint(const dls_reader *r, const tendon *t, const char *between, const attachment *at,
                             dls_joint_def *joint)
{
    joint->place = at->map->place;
    const int length = snprintf(joint->name, sizeof joint->name, "%s%s%s", t->name, between, at->name);
    return length < DLS_NAME_MAX
               ? DLS_OK
               : tendon_fail(r, at->map->place, "name", "the names of tendon and attachment are too long together");
}

static dls_status set_segment_ends(const dls_reader *r, const attachment *at, const attachment *up,
                                   dls_joint_def *joint)
{
    const double p[2][3] = {{at->point.x, at->point.y, at->point.z}, {up->point.x, up->point.y, up->point.z}};
    memcpy(joint->body[0], at->body, sizeof joint->body[0]);
    memcpy(joint->body[1], up->body, sizeof joint->body[1]);
    DLS_TRY(dls_joint_set_numbers(joint, "anchor1", p[0], 3, r->error));
    return dls_joint_set_numbers(joint, "anchor2", p[1], 3, r->error);
}

static dls_status add_segment(dls_reader *r, const tendon *t, const attachment *at)
{
    dls_joint_def joint = {0};
    dls_status status = dls_joint_default(&joint, "segment", r->error);
    if (status == DLS_OK)
        status = name_joint(r, t, " ", at, &joint);
    if (status == DLS_OK)
        status = set_segment_ends(r, at, &t->at[at->up], &joint);
    if (status == DLS_OK)
        status = dls_reader_at(r, dls_scene_add_joint(r->scene, &joint, r->error), at->map->place, NULL);
    dls_joint_def_release(&joint);
    return status;
}

static dls_status couple_path(const dls_reader *r, const tendon *t, const attachment *leaf, dls_joint_def *joint)
{
    for (const attachment *at = leaf; at->up != DLS_NONE; at = &t->at[at->up]) {
        char segment[2 * DLS_NAME_MAX];
        snprintf(segment, sizeof segment, "%s %s", t->name, at->name);
        DLS_TRY(dls_reader_at(r, dls_joint_couple(joint, segment, at->coefficient, r->error), at->map->place,
                              "coefficient"));
    }
    return DLS_OK;
}

static dls_status add_leaf(dls_reader *r, const tendon *t, const attachment *at)
{
    dls_joint_def joint = {0};
    dls_status status = dls_joint_default(&joint, "tendon", r->error);
    if (status == DLS_OK)
        status = name_joint(r, t, " to ", at, &joint);
    if (status == DLS_OK)
        status = dls_reader_fields(r, &(dls_definition){"a tendon", &joint, {{NULL, NULL}}, attachment_keys}, at->map);
    if (status == DLS_OK)
        status = couple_path(r, t, at, &joint);
    if (status == DLS_OK)
        status = dls_reader_at(r, dls_scene_add_joint(r->scene, &joint, r->error), at->map->place, NULL);
    dls_joint_def_release(&joint);
    return status;
}

static dls_status add_joints(dls_reader *r, const tendon *t)
{
    static const char *const none[] = {NULL};
    for (size_t i = 1; i < t->count; i++)
        DLS_TRY(add_segment(r, t, &t->at[i]));
    for (size_t i = 0; i < t->count; i++) {
        const dls_definition inner = {"an attachment that is no leaf", NULL, {{&attachment_fields, &t->at[i]}}, none};
        DLS_TRY(t->at[i].inner ? dls_reader_fields(r, &inner, t->at[i].map) : add_leaf(r, t, &t->at[i]));
    }
    return DLS_OK;
}

/* --- a tendon --- */

static dls_status read_tendon(dls_reader *r, const dls_yaml_node *map, tendon *t)
{
    static const char *const others[] = {"attachments", NULL};
    const dls_yaml_node *list = dls_yaml_find(map, "attachments");
    DLS_TRY(dls_fields_default(&tendon_fields, t, r->error));
    t->at = NULL, t->count = t->capacity = 0;
    DLS_TRY(dls_reader_fields(r, &(dls_definition){"a tendon", NULL, {{&tendon_fields, t}}, others}, map));
    DLS_TRY(dls_reader_at(r, dls_fields_require(&tendon_fields, t, r->error), map->place, NULL));
    if (!list)
        return tendon_fail(r, map->place, "attachments", "missing; a tendon has a list of attachments");
    DLS_TRY(dls_reader_expect(r, list, DLS_YAML_LIST, "a list of attachments"));
    for (const dls_yaml_node *item = list->first; item; item = item->next)
        DLS_TRY(add_attachment(r, t, item));
    return t->count > 1 ? add_joints(r, t)
                        : tendon_fail(r, list->place, "attachments", "a tendon needs two attachments or more");
}

dls_status dls_reader_tendons(dls_reader *r, const dls_yaml_node *node)
{
    DLS_TRY(dls_reader_expect(r, node, DLS_YAML_LIST, "a list of tendons"));
    for (const dls_yaml_node *map = node->first; map; map = map->next) {
        tendon t = {.at = NULL};
        dls_counters_reset(&r->counters);
        dls_status status = dls_reader_expect(r, map, DLS_YAML_MAP, "a tendon, a map as in '- name: flexor'");
        if (status == DLS_OK)
            status = read_tendon(r, map, &t);
        free(t.at);
        DLS_TRY(status);
    }
    return DLS_OK;
}
