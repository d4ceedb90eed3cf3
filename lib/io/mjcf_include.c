/* <include file="..."/> of MJCF: all elements within the root element of the other file, of any name, take the place of
 * the include. The file is looked for in the folder of the model, then in that of the file that includes it. A file is
 * included once at most.
 */
#include "mjcf.h"

#include "base/memory.h"
#include "base/text.h"
#include "delassus/io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static dls_status find_file(mjcf *m, const xmlNode *include, char path[DLS_PATH_MAX])
{
    char file[DLS_PATH_MAX];
    bool there;
    DLS_TRY(dls_xml_attribute(&m->x, include, "file", file, sizeof file, &there));
    if (!file[0])
        return dls_xml_bad(&m->x, include, "file", "the attribute is missing or empty");
    const char *const beside[] = {dls_xml_file(&m->x, include), m->x.file}; /* the model's is tried first */
    for (size_t k = 2; k-- > 0;) {
        if (!dls_path_beside(beside[k], file, path))
            return dls_xml_bad(&m->x, include, "file", "the path is too long");
        if (k == 0 || access(path, F_OK) == 0)
            break;
    }
    return DLS_OK;
}

/* Keeps the name of a file that is included, for as long as the model is read. */
static dls_status note_file(mjcf *m, const xmlNode *include, const char *path, const char **kept)
{
    for (size_t i = 0; i < m->n_files; i++)
        if (strcmp(m->files[i], path) == 0)
            return dls_xml_fail(&m->x, DLS_BAD_INPUT, include, "file", "'%s' is included already; leave one out", path);
    char *copy = DLS_GROW(m->files, m->cap_files, m->n_files + 1) ? malloc(strlen(path) + 1) : NULL;
    if (!copy)
        return dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for %zu files", m->n_files + 1);
    strcpy(copy, path);
    *kept = m->files[m->n_files++] = copy;
    return DLS_OK;
}

typedef struct inclusion {
    mjcf *m;
    xmlNode *element;
    const char *file;
    xmlNode *first;
} inclusion;

static dls_status insert_elements(void *context, xmlNode *root)
{
    inclusion *i = context;
    return dls_xml_replace(&i->m->x, i->element, root, i->file, &i->first);
}

/* *next: the first element that came in its place, or else the one after it. */
static dls_status include_file(mjcf *m, xmlNode *element, xmlNode **next)
{
    char path[DLS_PATH_MAX], *text;
    inclusion in = {.m = m, .element = element};
    size_t size;
    dls_error why;
    xmlNode *after = element->next;
    DLS_TRY(find_file(m, element, path));
    DLS_TRY(note_file(m, element, path, &in.file));
    dls_status status = dls_file_read(path, &text, &size, &why);
    if (status != DLS_OK)
        return status == DLS_NO_MEMORY ? dls_fail(m->x.error, status, "no memory for '%s'", path)
                                       : dls_xml_fail(&m->x, status, element, "file", "'%s': %s", path, why.message);
    const dls_xml own = {.file = in.file, .error = m->x.error};
    status = dls_xml_parse(text, size, NULL, &own, insert_elements, &in);
    free(text);
    *next = in.first ? in.first : after;
    return status;
}

static dls_status include_within(mjcf *m, xmlNode *node)
{
    for (xmlNode *at = node->children, *next; at; at = next) {
        next = at->next;
        if (dls_xml_is_element(at, "include"))
            DLS_TRY(include_file(m, at, &next));
        else if (at->type == XML_ELEMENT_NODE)
            DLS_TRY(include_within(m, at));
    }
    return DLS_OK;
}

dls_status mjcf_include_files(mjcf *m, xmlNode *root)
{
    const char *kept;
    DLS_TRY(note_file(m, root, m->x.file, &kept));
    return include_within(m, root);
}
