/* The known elements and attributes of MJCF, so that nothing in a file that could change the motion is ignored
 * silently. mjcf_words.def has the list.
 */
#include "mjcf.h"

#include <stdio.h>
#include <string.h>

typedef enum treatment { READ, SKIPPED, DRAWN } treatment;

#define ELEMENT(parents, names, how, read, looks, soft, zero) {parents, names, how, read, looks, soft, zero},
static const struct word {
    const char *parents, *names;
    treatment how;
    const char *read, *looks, *soft, *zero;
} words[] = {
#include "mjcf_words.def"
};
#undef ELEMENT
enum { WORDS = sizeof words / sizeof words[0] };

static bool among(const char *name, const char *list)
{
    const size_t length = strlen(name);
    for (const char *at = list; length && (at = strstr(at, name)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == 0 || at[length] == ' '))
            return true;
    return false;
}

static const struct word *find(const char *name, const char *parent)
{
    for (size_t i = 0; i < WORDS; i++)
        if (among(name, words[i].names) && (parent ? among(parent, words[i].parents) : !words[i].parents[0]))
            return &words[i];
    return NULL;
}

/* Whether the attribute says nothing: 0, several of them, or false. */
static dls_status is_zero(const mjcf *m, const xmlNode *node, const char *name, bool *zero)
{
    char text[256];
    bool there;
    DLS_TRY(dls_xml_attribute(&m->x, node, name, text, sizeof text, &there));
    *zero = strspn(text, "0. \t\r\n") == strlen(text) || strcmp(text, "false") == 0 || strcmp(text, "-1") == 0;
    return DLS_OK;
}

static dls_status check_attribute(const mjcf *m, const xmlNode *node, const struct word *word, const char *name)
{
    char key[DLS_NAME_MAX];
    snprintf(key, sizeof key, "%.30s.%.30s", dls_xml_name(node), name);
    if (among(name, word->read))
        return DLS_OK;
    if (among(name, word->looks))
        return mjcf_note(m, node, key, "is ignored");
    if (among(name, word->soft))
        return mjcf_note(m, node, key, "is ignored: constraints are rigid here, and MuJoCo's soft");
    bool zero = false;
    if (among(name, word->zero))
        DLS_TRY(is_zero(m, node, name, &zero));
    return zero ? DLS_OK
                : dls_xml_fail(&m->x, DLS_REFUSED, node, name,
                               "is not read of <%s>, and may change the motion; leave it out", dls_xml_name(node));
}

static dls_status check_node(mjcf *m, const xmlNode *node, const char *parent)
{
    const char *name = dls_xml_name(node);
    const struct word *word = find(name, parent);
    if (!word)
        return dls_xml_fail(&m->x, DLS_REFUSED, node, NULL, "<%.60s> is not read%s%.60s%s", name, parent ? " in <" : "",
                            parent ? parent : "", parent ? ">; write out what it stands for, or leave it out" : "");
    if (word->how == DRAWN)
        return DLS_OK;
    if (word->how == SKIPPED) {
        char key[DLS_NAME_MAX];
        snprintf(key, sizeof key, "<%.60s>", name);
        return mjcf_note(m, node, key, "is ignored");
    }
    for (const xmlAttr *a = node->properties; a; a = a->next)
        DLS_TRY(check_attribute(m, node, word, (const char *)a->name));
    for (const xmlNode *at = dls_xml_next(node->children, NULL); at; at = dls_xml_next(at->next, NULL))
        DLS_TRY(check_node(m, at, name));
    return DLS_OK;
}

dls_status mjcf_check_words(mjcf *m, const xmlNode *root) { return check_node(m, root, NULL); }
