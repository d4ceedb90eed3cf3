/* Attributes of MJCF: the value of the element itself, else that of its default class, or of the parents of that class
 * up to the outermost one. The class of an element is the one that it names, or the childclass of its nearest ancestor
 * body that has one.
 */
#include "mjcf.h"
#include "xml_words.h"

#include "base/memory.h"

#include <string.h>

/* --- classes --- */

static dls_status add_class(mjcf *m, const xmlNode *node, size_t parent)
{
    const size_t me = m->n_classes;
    if (!DLS_GROW(m->classes, m->cap_classes, me + 1))
        return dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for %zu default classes", me + 1);
    mjcf_class *class = &m->classes[m->n_classes++];
    *class = (mjcf_class){.node = node, .parent = parent};
    bool there;
    DLS_TRY(dls_xml_attribute(&m->x, node, "class", class->name, sizeof class->name, &there));
    const bool top = dls_xml_is_element(node->parent, "mujoco");
    if (!class->name[0] && !top)
        return dls_xml_bad(&m->x, node, "class", "a default class within another needs a name");
    if (class->name[0] && dls_names_add(&m->class_names.names, class->name, me) == SIZE_MAX)
        return dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for %zu default classes", me + 1);
    if (class->name[0] && dls_names_find(&m->class_names.names, class->name) != me)
        return dls_xml_fail(&m->x, DLS_BAD_INPUT, node, "class", "duplicate class '%s': rename one of the two",
                            class->name);
    for (const xmlNode *at = dls_xml_child(node, "default"); at; at = dls_xml_next(at->next, "default"))
        DLS_TRY(add_class(m, at, me));
    return DLS_OK;
}

/* Sections of defaults add up: a later one is within the ones before it. */
dls_status mjcf_read_defaults(mjcf *m, const xmlNode *root)
{
    m->main_class = DLS_NONE;
    for (const xmlNode *at = dls_xml_child(root, "default"); at; at = dls_xml_next(at->next, "default")) {
        const size_t class = m->n_classes;
        DLS_TRY(add_class(m, at, m->main_class));
        m->main_class = class;
    }
    return DLS_OK;
}

/* The frame that an element is in; NULL: none. */
static const xmlNode *frame_around(const xmlNode *node)
{
    return node->parent && dls_xml_is_element(node->parent, "frame") ? node->parent : NULL;
}

dls_status mjcf_class_of(const mjcf *m, const xmlNode *node, const char *attribute, size_t fallback, size_t *class)
{
    char name[DLS_NAME_MAX];
    bool there;
    *class = fallback;
    DLS_TRY(dls_xml_attribute(&m->x, node, attribute, name, sizeof name, &there));
    for (const xmlNode *frame = frame_around(node); frame && !there; frame = frame_around(frame)) {
        attribute = "childclass";
        DLS_TRY(dls_xml_attribute(&m->x, frame, attribute, name, sizeof name, &there));
    }
    if (!there)
        return DLS_OK;
    *class = dls_names_find(&m->class_names.names, name);
    if (*class == SIZE_MAX && strcmp(name, "main") == 0)
        *class = m->main_class;
    else if (*class == SIZE_MAX)
        return dls_xml_fail(&m->x, DLS_BAD_INPUT, node, attribute, "there is no default class '%s'", name);
    return DLS_OK;
}

dls_status mjcf_open(const mjcf *m, const xmlNode *node, const char *tag, size_t childclass, mjcf_element *element)
{
    *element = (mjcf_element){.node = node, .tag = tag};
    return mjcf_class_of(m, node, "class", childclass, &element->class);
}

/* --- the holder of an attribute --- */

/* The last child of a class with one of the tags that has one of the attributes. */
static const xmlNode *default_with(const xmlNode *class, const char *tags, const char *const *attributes)
{
    const xmlNode *found = NULL;
    for (const xmlNode *at = class->children; at; at = at->next) {
        if (!dls_xml_name(at) || !dls_word_among(dls_xml_name(at), tags))
            continue;
        for (const char *const *a = attributes; *a; a++)
            found = dls_xml_has(at, *a) ? at : found;
    }
    return found;
}

static const xmlNode *holder_of_any(const mjcf *m, const mjcf_element *e, const char *const *attributes)
{
    const xmlNode *found = NULL;
    for (const char *const *a = attributes; *a; a++)
        if (dls_xml_has(e->node, *a))
            return e->node;
    for (size_t c = e->class; e->tag && c != DLS_NONE && !found; c = m->classes[c].parent)
        found = default_with(m->classes[c].node, e->tag, attributes);
    return found;
}

const xmlNode *mjcf_holder(const mjcf *m, const mjcf_element *e, const char *attribute)
{
    return holder_of_any(m, e, (const char *const[]){attribute, NULL});
}

/* --- values --- */

dls_status mjcf_numbers(const mjcf *m, const mjcf_element *e, const char *attribute, double *to, int least, int most,
                        int *count)
{
    const xmlNode *holder = mjcf_holder(m, e, attribute);
    *count = 0;
    return holder ? dls_xml_numbers(&m->x, holder, attribute, to, least, most, count) : DLS_OK;
}

dls_status mjcf_vector(const mjcf *m, const mjcf_element *e, const char *attribute, double *to, int n, int *count)
{
    return mjcf_numbers(m, e, attribute, to, n, n, count);
}

dls_status mjcf_number(const mjcf *m, const mjcf_element *e, const char *attribute, double *to)
{
    int count;
    return mjcf_vector(m, e, attribute, to, 1, &count);
}

dls_status mjcf_text(const mjcf *m, const mjcf_element *e, const char *attribute, char text[DLS_NAME_MAX], bool *there)
{
    const xmlNode *holder = mjcf_holder(m, e, attribute);
    *there = holder != NULL;
    text[0] = 0;
    return holder ? dls_xml_attribute(&m->x, holder, attribute, text, DLS_NAME_MAX, there) : DLS_OK;
}

dls_status mjcf_choice(const mjcf *m, const mjcf_element *e, const char *attribute, const char *const *words,
                       int *choice)
{
    char text[DLS_NAME_MAX], list[DLS_MESSAGE_MAX / 2] = "";
    bool there;
    DLS_TRY(mjcf_text(m, e, attribute, text, &there));
    for (int i = 0; there && words[i]; i++) {
        const size_t used = strlen(list);
        if (strcmp(words[i], text) == 0) {
            *choice = i;
            return DLS_OK;
        }
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", words[i]);
    }
    return there ? dls_xml_fail(&m->x, DLS_BAD_INPUT, mjcf_holder(m, e, attribute), attribute, "'%s' is none of %s",
                                text, list)
                 : DLS_OK;
}

dls_status mjcf_bool(const mjcf *m, const mjcf_element *e, const char *attribute, bool *value)
{
    static const char *const words[] = {"false", "true", NULL};
    int choice = *value;
    DLS_TRY(mjcf_choice(m, e, attribute, words, &choice));
    *value = choice;
    return DLS_OK;
}

dls_status mjcf_limited(const mjcf *m, const mjcf_element *e, const char *limited, const char *range, bool *is)
{
    static const char *const words[] = {"false", "true", "auto", NULL};
    int choice = 2;
    DLS_TRY(mjcf_choice(m, e, limited, words, &choice));
    const bool there = mjcf_holder(m, e, range) != NULL;
    *is = choice == 2 ? there : choice == 1;
    if (choice == 2 && there && !m->autolimits)
        return dls_xml_fail(&m->x, DLS_BAD_INPUT, mjcf_holder(m, e, range), limited,
                            "there is a %s, and without autolimits nothing says whether it holds", range);
    return *is && !there ? dls_xml_fail(&m->x, DLS_BAD_INPUT, e->node, range, "the attribute is missing") : DLS_OK;
}

/* --- frames --- */

/* For z itself and against it MuJoCo's choices: no turn, and half a turn about x. */
dls_quat mjcf_turn_of_z(dls_vec3 z)
{
    const dls_vec3 u = dls_unit(z);
    return u.z < 0.0 && u.x == 0.0 && u.y == 0.0 ? (dls_quat){0.0, 1.0, 0.0, 0.0}
                                                 : dls_quat_between(dls_v3(0.0, 0.0, 1.0), u);
}

static dls_status unit_direction(const mjcf *m, const xmlNode *at, const char *key, const double *a, dls_vec3 *unit)
{
    const dls_vec3 v = dls_v3(a[0], a[1], a[2]);
    *unit = dls_unit(v);
    return dls_norm(v) > 0.0 && isfinite(dls_norm(v)) ? DLS_OK : dls_xml_bad(&m->x, at, key, "it has no direction");
}

static dls_status from_quat(const mjcf *m, const xmlNode *at, const double *a, dls_quat *q)
{
    const double norm = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]);
    *q = dls_quat_unit((dls_quat){a[0], a[1], a[2], a[3]});
    return norm > 0.0 && isfinite(norm) ? DLS_OK : dls_xml_bad(&m->x, at, "quat", "it has no direction");
}

static dls_status from_axisangle(const mjcf *m, const xmlNode *at, const double *a, dls_quat *q)
{
    dls_vec3 axis;
    DLS_TRY(unit_direction(m, at, "axisangle", a, &axis));
    *q = dls_quat_exp(dls_scale(m->angle * a[3], axis));
    return DLS_OK;
}

/* x, and y made normal to it; z = x cross y. */
static dls_status from_xyaxes(const mjcf *m, const xmlNode *at, const double *a, dls_quat *q)
{
    dls_vec3 x, y, given;
    DLS_TRY(unit_direction(m, at, "xyaxes", a, &x));
    DLS_TRY(unit_direction(m, at, "xyaxes", a + 3, &given));
    y = dls_sub(given, dls_scale(dls_dot(x, given), x));
    DLS_TRY(unit_direction(m, at, "xyaxes", (double[]){y.x, y.y, y.z}, &y));
    const dls_vec3 z = dls_cross(x, y);
    *q = dls_matrix_quat((dls_mat3){{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}});
    return DLS_OK;
}

static dls_status from_zaxis(const mjcf *m, const xmlNode *at, const double *a, dls_quat *q)
{
    dls_vec3 z;
    DLS_TRY(unit_direction(m, at, "zaxis", a, &z));
    *q = mjcf_turn_of_z(z);
    return DLS_OK;
}

/* Small letters turn about the axes as they have been turned so far, capitals about those of the parent. */
static dls_status from_euler(const mjcf *m, const xmlNode *at, const double *a, dls_quat *q)
{
    (void)at;
    *q = dls_quat_identity();
    for (int i = 0; i < MJCF_EULER_AXES; i++) {
        const char letter = m->euler[i];
        const int axis = (letter | 0x20) - 'x';
        const dls_quat turn = dls_quat_exp(dls_scale(m->angle * a[i], dls_axis3(axis)));
        *q = letter >= 'x' ? dls_quat_mul(*q, turn) : dls_quat_mul(turn, *q);
    }
    *q = dls_quat_unit(*q);
    return DLS_OK;
}

dls_status mjcf_turn_by_euler(const mjcf *m, const double *angles, dls_quat *q)
{
    return from_euler(m, NULL, angles, q);
}

static const struct {
    const char *name;
    int count;
    dls_status (*read)(const mjcf *m, const xmlNode *at, const double *numbers, dls_quat *q);
} notations[] = {{"quat", 4, from_quat},
                 {"axisangle", 4, from_axisangle},
                 {"xyaxes", 6, from_xyaxes},
                 {"zaxis", 3, from_zaxis},
                 {"euler", 3, from_euler}};
enum { NOTATIONS = sizeof notations / sizeof notations[0] };

static dls_status read_orientation(const mjcf *m, const mjcf_element *e, dls_quat *q)
{
    static const char *const names[] = {"quat", "axisangle", "xyaxes", "zaxis", "euler", NULL};
    const xmlNode *holder = holder_of_any(m, e, names);
    int found = -1, count;
    double a[6];
    *q = dls_quat_identity();
    for (int i = 0; holder && i < NOTATIONS; i++) {
        if (!dls_xml_has(holder, notations[i].name))
            continue;
        if (found >= 0)
            return dls_xml_fail(&m->x, DLS_BAD_INPUT, holder, notations[i].name,
                                "the orientation is given by %s, too; leave out one of the two", notations[found].name);
        found = i;
    }
    if (found < 0)
        return DLS_OK;
    DLS_TRY(dls_xml_vector(&m->x, holder, notations[found].name, a, notations[found].count, &count));
    DLS_TRY(notations[found].read(m, holder, a, q));
    return isfinite(q->w + q->x + q->y + q->z) ? DLS_OK
                                               : dls_xml_bad(&m->x, holder, notations[found].name, "is too large");
}

const xmlNode *mjcf_next(const xmlNode *body, const xmlNode *after)
{
    xmlNode *at = after ? after->next : body->children;
    const xmlNode *around = after ? after->parent : body;
    for (;;) {
        at = dls_xml_next(at, NULL);
        if (at && !dls_xml_is_element(at, "frame"))
            return at;
        if (at) {
            around = at;
            at = at->children;
        } else if (around == body) {
            return NULL;
        } else {
            at = around->next;
            around = around->parent;
        }
    }
}

const xmlNode *mjcf_next_named(const xmlNode *body, const xmlNode *after, const char *name)
{
    do
        after = mjcf_next(body, after);
    while (after && !dls_xml_is_element(after, name));
    return after;
}

bool mjcf_is_joint(const xmlNode *node)
{
    return dls_xml_is_element(node, "joint") || dls_xml_is_element(node, "freejoint");
}

size_t mjcf_count_joints(const xmlNode *body)
{
    size_t count = 0;
    for (const xmlNode *at = NULL; (at = mjcf_next(body, at));)
        count += mjcf_is_joint(at);
    return count;
}

static dls_status own_frame(const mjcf *m, const mjcf_element *e, dls_frame *frame)
{
    double p[3] = {0.0, 0.0, 0.0};
    int count;
    DLS_TRY(mjcf_vector(m, e, "pos", p, 3, &count));
    frame->p = dls_v3(p[0], p[1], p[2]);
    return read_orientation(m, e, &frame->q);
}

dls_status mjcf_leave_frames(const mjcf *m, const xmlNode *node, dls_frame *frame)
{
    for (const xmlNode *around = frame_around(node); around; around = frame_around(around)) {
        const mjcf_element e = {.node = around, .class = DLS_NONE};
        dls_frame outer;
        DLS_TRY(own_frame(m, &e, &outer));
        *frame = mjcf_compose(outer, *frame);
    }
    return DLS_OK;
}

dls_status mjcf_frame(const mjcf *m, const mjcf_element *e, dls_frame *frame)
{
    DLS_TRY(own_frame(m, e, frame));
    return mjcf_leave_frames(m, e->node, frame);
}
