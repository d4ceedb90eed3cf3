/* xml.h - shared by the readers of XML: a document through libxml2, its elements, and attributes as text and numbers.
 * Not installed.
 *
 * No function here takes exhausted memory for an absent element or attribute. */
#ifndef DELASSUS_IO_XML_H
#define DELASSUS_IO_XML_H

#include "delassus/scene.h"

#include <libxml/parser.h>

/* Where errors go, and the file that they name. Elements and attributes that are left out are recorded in the scene;
 * without a scene they are errors. */
typedef struct dls_xml {
    const char *file;
    dls_error *error; /* not NULL where there is a scene */
    dls_scene *scene;
} dls_xml;

/* True if the text is XML with a root element of that name (NULL: any), as far as its beginning tells. */
bool dls_xml_is(const char *text, size_t size, const char *root);
/* Parses the text and hands the root element, which must have that name (NULL: any), to read(context, root). A document
 * type definition is refused, and nothing is read from anywhere else. */
dls_status dls_xml_parse(const char *text, size_t size, const char *root, const dls_xml *x,
                         dls_status (*read)(void *context, xmlNode *root), void *context);

/* DLS_BAD_INPUT, or any other status, at an element. */
dls_status dls_xml_bad(const dls_xml *x, const xmlNode *at, const char *key, const char *message);
dls_status dls_xml_fail(const dls_xml *x, dls_status status, const xmlNode *at, const char *key, const char *format,
                        ...) DLS_PRINTF(5, 6);
/* Leaves out an element, or the attribute `key` of it, that may change an aspect of the motion. */
dls_status dls_xml_drop(const dls_xml *x, dls_aspect aspect, const xmlNode *at, const char *key, const char *format,
                        ...) DLS_PRINTF(5, 6);
/* The status of the reading of an element: DLS_REFUSED becomes DLS_OK, and the element is left out with the reason in
 * x->error. */
dls_status dls_xml_drop_refused(const dls_xml *x, dls_status status, dls_aspect aspect);
/* Place of an element in the file of the document; line 0 if it is from another file. */
dls_place dls_xml_place(const xmlNode *node);
/* The file of an element: that of the document, or the one that dls_xml_replace took it from; and its line there. */
const char *dls_xml_file(const dls_xml *x, const xmlNode *node);
/* Adds the place of an element to an error that has none. */
dls_status dls_xml_at(const dls_xml *x, dls_status status, const xmlNode *node);
/* A copy of an element of `file` with all in it, for a document, which has it once it is added to an element of it. */
dls_status dls_xml_copy(const dls_xml *x, const xmlNode *of, xmlDoc *document, const char *file, xmlNode **copy);
/* Replaces an element by copies of all elements within another one, which is of `file`; the document keeps the pointer
 * to that name. The first of the copies, or NULL, goes to *first. */
dls_status dls_xml_replace(const dls_xml *x, xmlNode *element, const xmlNode *by, const char *file, xmlNode **first);

/* --- elements --- */

/* True if the name of an element or attribute has a prefix: then it belongs to another vocabulary, and no function
 * below finds it. */
bool dls_xml_is_foreign(const xmlNs *space, const xmlChar *name);
/* The name of an element; NULL if the node is not an element, or a foreign one. */
const char *dls_xml_name(const xmlNode *node);
bool dls_xml_is_element(const xmlNode *node, const char *name);
/* `node` or the first of its siblings after it that is an element of that name, NULL: of any; or NULL. */
xmlNode *dls_xml_next(xmlNode *node, const char *name);
/* The first such child. */
xmlNode *dls_xml_child(const xmlNode *node, const char *name);

/* --- attributes --- */

bool dls_xml_has(const xmlNode *node, const char *name);
/* An attribute's text into text[size]; *there tells whether there is one. */
dls_status dls_xml_attribute(const dls_xml *x, const xmlNode *node, const char *name, char *text, size_t size,
                             bool *there);
/* A name, which must be there and not be empty. */
dls_status dls_xml_required_name(const dls_xml *x, const xmlNode *node, const char *name, char to[DLS_NAME_MAX]);
/* From `least` to `most` finite numbers separated by blanks, the number of which is *count; 0 where the attribute is
 * not there, and then `to` is left alone. */
dls_status dls_xml_numbers(const dls_xml *x, const xmlNode *node, const char *name, double *to, int least, int most,
                           int *count);
/* All numbers of the attribute, which the caller frees; *list NULL: it is not there. */
dls_status dls_xml_list(const dls_xml *x, const xmlNode *node, const char *name, double **list, size_t *count);
/* n of them: the same with no choice. */
dls_status dls_xml_vector(const dls_xml *x, const xmlNode *node, const char *name, double *to, int n, int *count);
/* One number; left alone where the attribute is not there. */
dls_status dls_xml_number(const dls_xml *x, const xmlNode *node, const char *name, double *to);
/* The same, and the number may be infinite. */
dls_status dls_xml_bound(const dls_xml *x, const xmlNode *node, const char *name, double *to);
dls_status dls_xml_required_number(const dls_xml *x, const xmlNode *node, const char *name, double *to);
/* Red, green and blue from 0 to 1 as 0xRRGGBB; numbers beyond become the nearer of the two. */
long dls_xml_colour(const double *rgb);

#endif
