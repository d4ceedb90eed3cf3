/* The known elements and attributes of MJCF and URDF, so that nothing in a file that could change the motion is
 * ignored silently. mjcf_words.def and urdf_words.def have the lists. All others are left out and recorded in the
 * scene, with the aspect of the motion that they may change: an unknown attribute may change whatever its element is
 * about. */
#include "xml_words.h"

#include "delassus/field.h"

#include <stdio.h>
#include <string.h>

typedef enum treatment { READ, READ_ONCE, SKIPPED, KEPT } treatment;

typedef struct word {
    const char *parents, *names;
    treatment how;
    dls_aspect aspect; /* that unknown attributes and elements in it may change */
    const char *read, *looks, *soft, *zero;
} word;

/* Attributes that change another aspect than their element, or than an unknown element within it. */
typedef struct exception {
    const char *elements, *names;
    dls_aspect aspect;
} exception;

#define ELEMENT(parents, names, how, aspect, read, looks, soft, zero) \
    {parents, names, how, DLS_ASPECT_##aspect, read, looks, soft, zero},
#define ATTRIBUTE(elements, names, aspect)
static const word mjcf_words[] = {
#include "mjcf_words.def"
    {0}};
static const word urdf_words[] = {
#include "urdf_words.def"
    {0}};
#undef ELEMENT
#undef ATTRIBUTE
#define ELEMENT(parents, names, how, aspect, read, looks, soft, zero)
#define ATTRIBUTE(elements, names, aspect) {elements, names, DLS_ASPECT_##aspect},
static const exception mjcf_exceptions[] = {
#include "mjcf_words.def"
    {0}};
static const exception urdf_exceptions[] = {
#include "urdf_words.def"
    {0}};
#undef ELEMENT
#undef ATTRIBUTE

typedef struct checker {
    const dls_xml *x;
    const word *words;
    const exception *exceptions;
} checker;

/* --- lists of words --- */

bool dls_word_among(const char *name, const char *list)
{
    const size_t length = strlen(name);
    for (const char *at = list; length && (at = strstr(at, name)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == 0 || at[length] == ' '))
            return true;
    return false;
}

static const word *find_word(const word *words, const char *name, const char *parent)
{
    for (const word *w = words; w->names; w++)
        if (dls_word_among(name, w->names) && (parent ? dls_word_among(parent, w->parents) : !w->parents[0]))
            return w;
    return NULL;
}

/* Words of lists, each with its terminating zero, for dls_nearest_word. */
typedef struct word_list {
    char text[2048];
    size_t used;
} word_list;

static void add_words(word_list *list, const char *words)
{
    for (size_t length; *words; words += length + (words[length] == ' ')) {
        length = strcspn(words, " ");
        if (length > 0 && list->used + length + 2 <= sizeof list->text) {
            memcpy(list->text + list->used, words, length);
            list->used += length;
            list->text[list->used++] = '\0';
        }
    }
}

static const char *word_at(const void *context, size_t i)
{
    const word_list *list = context;
    const char *at = list->text, *end = list->text + list->used;
    while (at < end && i-- > 0)
        at += strlen(at) + 1;
    return at < end ? at : NULL;
}

/* The most similar attribute of an element, or element within `parent`. */
static const char *nearest_attribute(const word *element, const char *name, word_list *list)
{
    const char *const kinds[] = {element->read, element->looks, element->soft, element->zero};
    list->used = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        add_words(list, kinds[i]);
    return dls_nearest_word(name, word_at, list);
}

static const char *nearest_element(const word *words, const char *parent, const char *name, word_list *list)
{
    list->used = 0;
    for (const word *w = words; w->names; w++)
        if (dls_word_among(parent, w->parents))
            add_words(list, w->names);
    return dls_nearest_word(name, word_at, list);
}

/* --- notes --- */

static dls_status note_ignored(const checker *c, const xmlNode *node, const char *key, const char *text)
{
    const dls_place at = {xmlGetLineNo(node), 1};
    return c->x->scene ? dls_scene_note_in(c->x->scene, dls_xml_file(c->x, node), at, key, text, c->x->error) : DLS_OK;
}

/* "PREFIX:" of a name; "" where it has none, or where the name has it in itself. */
static void prefix_of(const xmlNs *space, char text[24])
{
    const bool there = space && space->prefix;
    snprintf(text, 24, "%.20s%s", there ? (const char *)space->prefix : "", there ? ":" : "");
}

static dls_status note_element(const checker *c, const xmlNode *node)
{
    char key[DLS_NAME_MAX], prefix[24];
    prefix_of(node->ns, prefix);
    snprintf(key, sizeof key, "<%s%.36s>", prefix, (const char *)node->name);
    return note_ignored(c, node, key, "is ignored");
}

/* --- templates --- */

static dls_status refuse_template(const checker *c, const xmlNode *node, const char *found)
{
    return dls_xml_fail(
        c->x, DLS_REFUSED, node, NULL,
        "%s: the file is a template, and parts of the robot are missing in it; install xacro, or expand "
        "it where that is, as in: xacro FILE >robot.urdf",
        found);
}

static bool has_expression(const xmlAttr *attribute)
{
    for (const xmlNode *part = attribute->children; part; part = part->next)
        if (part->content && (strstr((const char *)part->content, "${") || strstr((const char *)part->content, "$(")))
            return true;
    return false;
}

/* Checks that xacro has replaced all of its words in an element and in all within it. */
static dls_status check_expanded(const checker *c, const xmlNode *node)
{
    char prefix[24];
    prefix_of(node->ns, prefix);
    if (strcmp(prefix, "xacro:") == 0 || strncmp((const char *)node->name, "xacro:", 6) == 0)
        return refuse_template(c, node, "an element of xacro");
    for (const xmlAttr *a = node->properties; a; a = a->next)
        if (has_expression(a))
            return refuse_template(c, node, "an expression of xacro");
    for (const xmlNode *at = node->children; at; at = at->next)
        if (at->type == XML_ELEMENT_NODE)
            DLS_TRY(check_expanded(c, at));
    return DLS_OK;
}

bool dls_urdf_is_template(const xmlNode *root)
{
    dls_error unused;
    const dls_xml silent = {.file = "", .error = &unused};
    return check_expanded(&(checker){.x = &silent}, root) != DLS_OK;
}

/* --- elements and attributes --- */

static dls_aspect aspect_of(const checker *c, const word *element, const char *name, const char *attribute)
{
    for (const exception *e = c->exceptions; e->names; e++)
        if (dls_word_among(name, e->elements) && dls_word_among(attribute, e->names))
            return e->aspect;
    return element->aspect;
}

/* *zero: true if the attribute has no effect: 0, several of them, or false. */
static dls_status is_zero(const checker *c, const xmlNode *node, const char *name, bool *zero)
{
    char text[256];
    bool there;
    DLS_TRY(dls_xml_attribute(c->x, node, name, text, sizeof text, &there));
    *zero = strspn(text, "0. \t\r\n") == strlen(text) || strcmp(text, "false") == 0 || strcmp(text, "-1") == 0;
    return DLS_OK;
}

static dls_status check_attribute(const checker *c, const xmlNode *node, const word *element, const xmlAttr *attribute)
{
    char key[DLS_NAME_MAX], prefix[24];
    const char *name = (const char *)attribute->name, *nearest;
    const bool foreign = dls_xml_is_foreign(attribute->ns, attribute->name);
    word_list list;
    prefix_of(attribute->ns, prefix);
    snprintf(key, sizeof key, "%.20s.%s%.18s", dls_xml_name(node), prefix, name);
    if (!foreign && dls_word_among(name, element->read))
        return DLS_OK;
    if (foreign || dls_word_among(name, element->looks))
        return note_ignored(c, node, key, "is ignored");
    if (dls_word_among(name, element->soft))
        return note_ignored(c, node, key, "is ignored: constraints are rigid here, and MuJoCo's soft");
    bool zero = false;
    if (dls_word_among(name, element->zero))
        DLS_TRY(is_zero(c, node, name, &zero));
    else if ((nearest = nearest_attribute(element, name, &list))) {
        snprintf(key, sizeof key, "%.30s/%.30s", dls_xml_name(node), nearest);
        return dls_xml_drop(c->x, element->aspect, node, name, "<%s> has no such attribute%s", dls_xml_name(node),
                            dls_hint_of(key, NULL).text);
    }
    return zero ? DLS_OK
                : dls_xml_drop(c->x, aspect_of(c, element, dls_xml_name(node), name), node, name,
                               "is not read of <%s>, and may change the motion; leave it out", dls_xml_name(node));
}

/* Leaves an unknown element out; `within`: what is known about the element that it is in. */
static dls_status drop_element(const checker *c, const xmlNode *node, const word *within, const char *parent)
{
    word_list list;
    char key[DLS_NAME_MAX];
    const char *name = dls_xml_name(node), *nearest = nearest_element(c->words, parent, name, &list);
    dls_aspect aspect = within->aspect;
    for (const xmlAttr *a = node->properties; a; a = a->next) {
        const dls_aspect other = aspect_of(c, within, parent, (const char *)a->name);
        aspect = other < aspect ? other : aspect;
    }
    snprintf(key, sizeof key, "<%.60s>", name);
    return dls_xml_drop(c->x, aspect, node, key, "<%.60s> is not read in <%.60s>%s", name, parent,
                        dls_hint_of(nearest, "write out what it stands for, or leave it out").text);
}

/* An element that is read once must be the only one of its name. */
static dls_status check_single(const checker *c, const xmlNode *node)
{
    const xmlNode *other = node->prev;
    while (other && !dls_xml_is_element(other, dls_xml_name(node)))
        other = other->prev;
    return other ? dls_xml_fail(c->x, DLS_BAD_INPUT, node, NULL,
                                "a second <%s> of one <%s>, after that of line %ld; leave out one of the two",
                                dls_xml_name(node), dls_xml_name(node->parent), xmlGetLineNo(other))
                 : DLS_OK;
}

static dls_status check_elements(const checker *c, xmlNode *node, const word *element);

static dls_status check_element(const checker *c, xmlNode *node, const word *element)
{
    if (element->how == KEPT)
        return DLS_OK;
    if (element->how == SKIPPED)
        return note_element(c, node);
    if (element->how == READ_ONCE)
        DLS_TRY(check_single(c, node));
    for (const xmlAttr *a = node->properties; a; a = a->next)
        DLS_TRY(check_attribute(c, node, element, a));
    return check_elements(c, node, element);
}

/* All within an element; those that are not known are taken out of the document. */
static dls_status check_elements(const checker *c, xmlNode *node, const word *element)
{
    for (xmlNode *at = node->children, *next; at; at = next) {
        next = at->next;
        const char *name = dls_xml_name(at);
        const word *known = name ? find_word(c->words, name, dls_xml_name(node)) : NULL;
        if (known) {
            DLS_TRY(check_element(c, at, known));
        } else if (name) {
            DLS_TRY(drop_element(c, at, element, dls_xml_name(node)));
            xmlUnlinkNode(at);
            xmlFreeNode(at);
        } else if (at->type == XML_ELEMENT_NODE) {
            DLS_TRY(note_element(c, at)); /* of another vocabulary */
        }
    }
    return DLS_OK;
}

static dls_status check_root(const checker *c, xmlNode *root)
{
    const word *known = find_word(c->words, dls_xml_name(root), NULL);
    return known ? check_element(c, root, known)
                 : dls_xml_fail(c->x, DLS_REFUSED, root, NULL, "<%.60s> is not read", dls_xml_name(root));
}

dls_status dls_mjcf_check_words(const dls_xml *x, xmlNode *root)
{
    return check_root(&(checker){x, mjcf_words, mjcf_exceptions}, root);
}

dls_status dls_urdf_check_words(const dls_xml *x, xmlNode *root)
{
    const checker c = {x, urdf_words, urdf_exceptions};
    DLS_TRY(check_expanded(&c, root));
    return check_root(&c, root);
}
