/* XML through libxml2, with a safe subset of XML: no document type definition, hence no entities except those of
 * characters, and libxml2 reads nothing from other files or the network. Exhausted memory is distinguished from an
 * incomplete document. */
#include "xml.h"

#include "base/text.h"
#include "file.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- errors --- */

/* Elements from another file have its name in the field that libxml2 keeps for applications. */
dls_place dls_xml_place(const xmlNode *node)
{
    return node->_private ? (dls_place){0, 0} : (dls_place){xmlGetLineNo(node), 1};
}

const char *dls_xml_file(const dls_xml *x, const xmlNode *node) { return node->_private ? node->_private : x->file; }

dls_status dls_xml_at(const dls_xml *x, dls_status status, const xmlNode *node)
{
    return status == DLS_OK ? DLS_OK
                            : dls_fail_place(x->error, status, dls_xml_file(x, node), xmlGetLineNo(node), 1, NULL);
}

dls_status dls_xml_bad(const dls_xml *x, const xmlNode *at, const char *key, const char *message)
{
    return dls_xml_fail(x, DLS_BAD_INPUT, at, key, "%s", message);
}

dls_status dls_xml_fail(const dls_xml *x, dls_status status, const xmlNode *at, const char *key, const char *format,
                        ...)
{
    char message[DLS_MESSAGE_MAX];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    return dls_fail_at(x->error, status, dls_xml_file(x, at), xmlGetLineNo(at), 1, key, "%s", message);
}

dls_status dls_xml_drop_refused(const dls_xml *x, dls_status status, dls_aspect aspect)
{
    if (status != DLS_REFUSED || !x->scene)
        return status;
    const dls_error why = *x->error;
    return dls_scene_drop(x->scene, aspect, why.file, (dls_place){why.line, why.column}, why.key, why.message,
                          x->error);
}

dls_status dls_xml_drop(const dls_xml *x, dls_aspect aspect, const xmlNode *at, const char *key, const char *format,
                        ...)
{
    char message[DLS_MESSAGE_MAX];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    return dls_xml_drop_refused(x, dls_xml_fail(x, DLS_REFUSED, at, key, "%s", message), aspect);
}

static dls_status no_xml_memory(const dls_xml *x)
{
    return dls_fail_about(x->error, DLS_NO_MEMORY, x->file, NULL, "no memory to read XML");
}

/* --- elements --- */

const char *dls_xml_name(const xmlNode *node)
{
    const bool own = node->type == XML_ELEMENT_NODE && !dls_xml_is_foreign(node->ns, node->name);
    return own ? (const char *)node->name : NULL;
}

bool dls_xml_is_foreign(const xmlNs *space, const xmlChar *name)
{
    return (space && space->prefix) || strchr((const char *)name, ':');
}

bool dls_xml_is_element(const xmlNode *node, const char *name)
{
    const char *own = dls_xml_name(node);
    return own && (!name || strcmp(own, name) == 0);
}

xmlNode *dls_xml_next(xmlNode *node, const char *name)
{
    while (node && !dls_xml_is_element(node, name))
        node = node->next;
    return node;
}

xmlNode *dls_xml_child(const xmlNode *node, const char *name) { return dls_xml_next(node->children, name); }

/* --- attributes --- */

bool dls_xml_has(const xmlNode *node, const char *name)
{
    return xmlHasNsProp(node, (const xmlChar *)name, NULL) != NULL;
}

/* It is read in place in the tree: xmlGetProp copies it, and its NULL does not tell an absent attribute from
 * exhausted memory. */
dls_status dls_xml_attribute(const dls_xml *x, const xmlNode *node, const char *name, char *text, size_t size,
                             bool *there)
{
    const xmlAttr *found = xmlHasNsProp(node, (const xmlChar *)name, NULL);
    size_t used = 0;
    text[0] = 0;
    *there = found != NULL;
    for (const xmlNode *part = found ? found->children : NULL; part; part = part->next) {
        const char *content = part->type == XML_TEXT_NODE ? (const char *)part->content : NULL;
        if (!content)
            return dls_xml_bad(x, node, name, "an entity; write its text instead");
        if (strlen(content) >= size - used)
            return dls_xml_bad(x, node, name, "the attribute is too long");
        memcpy(text + used, content, strlen(content) + 1);
        used += strlen(content);
    }
    return DLS_OK;
}

dls_status dls_xml_required_name(const dls_xml *x, const xmlNode *node, const char *name, char to[DLS_NAME_MAX])
{
    bool there;
    DLS_TRY(dls_xml_attribute(x, node, name, to, DLS_NAME_MAX, &there));
    return there && to[0] ? DLS_OK : dls_xml_bad(x, node, name, "the attribute is missing or empty");
}

static const char blanks[] = " \t\r\n";

/* The numbers of a text, as dls_xml_numbers reads them. */
static dls_status parse_numbers(const dls_xml *x, const xmlNode *node, const char *name, const char *text,
                                bool infinite, double *to, int least, int most, int *count)
{
    const char *at = text;
    while (*count < most && (*count < least || at[strspn(at, blanks)])) {
        const char *end;
        dls_error why;
        double value;
        dls_status status = dls_read_real(at, &value, &end, &why);
        if (end == at)
            return dls_xml_bad(x, node, name,
                               most == 1 || *count >= least ? "not a number" : "fewer numbers than it takes");
        if (status != DLS_OK || (!infinite && !isfinite(value)))
            return dls_xml_bad(x, node, name, status == DLS_BAD_INPUT ? why.message : "not a finite number");
        if (*end && !strchr(blanks, *end))
            return dls_xml_bad(x, node, name, most == 1 ? "not a number" : "no blank behind a number");
        to[(*count)++] = value;
        at = end;
    }
    return at[strspn(at, blanks)] ? dls_xml_bad(x, node, name, "more than the numbers it takes") : DLS_OK;
}

static dls_status read_numbers(const dls_xml *x, const xmlNode *node, const char *name, bool infinite, double *to,
                               int least, int most, int *count)
{
    enum { ROOM = 512 };
    char text[ROOM];
    bool there;
    *count = 0;
    DLS_TRY(dls_xml_attribute(x, node, name, text, sizeof text, &there));
    return there ? parse_numbers(x, node, name, text, infinite, to, least, most, count) : DLS_OK;
}

dls_status dls_xml_list(const dls_xml *x, const xmlNode *node, const char *name, double **list, size_t *count)
{
    const xmlAttr *found = xmlHasNsProp(node, (const xmlChar *)name, NULL);
    size_t size = 1;
    int read = 0;
    bool there;
    *list = NULL, *count = 0;
    for (const xmlNode *part = found ? found->children : NULL; part; part = part->next)
        size += part->content ? strlen((const char *)part->content) : 0;
    if (!found)
        return DLS_OK;
    char *text = malloc(size);
    double *numbers = malloc((size / 2 + 1) * sizeof *numbers); /* each has a digit and a blank */
    dls_status status = text && numbers && size <= INT_MAX ? DLS_OK : no_xml_memory(x);
    if (status == DLS_OK)
        status = dls_xml_attribute(x, node, name, text, size, &there);
    if (status == DLS_OK)
        status = parse_numbers(x, node, name, text, false, numbers, 0, (int)(size / 2 + 1), &read);
    free(text);
    *count = (size_t)read;
    if (status == DLS_OK)
        *list = numbers;
    else
        free(numbers);
    return status;
}

dls_status dls_xml_numbers(const dls_xml *x, const xmlNode *node, const char *name, double *to, int least, int most,
                           int *count)
{
    return read_numbers(x, node, name, false, to, least, most, count);
}

dls_status dls_xml_bound(const dls_xml *x, const xmlNode *node, const char *name, double *to)
{
    int count;
    return read_numbers(x, node, name, true, to, 1, 1, &count);
}

dls_status dls_xml_vector(const dls_xml *x, const xmlNode *node, const char *name, double *to, int n, int *count)
{
    return dls_xml_numbers(x, node, name, to, n, n, count);
}

dls_status dls_xml_number(const dls_xml *x, const xmlNode *node, const char *name, double *to)
{
    int count;
    return dls_xml_vector(x, node, name, to, 1, &count);
}

dls_status dls_xml_required_number(const dls_xml *x, const xmlNode *node, const char *name, double *to)
{
    int count;
    DLS_TRY(dls_xml_vector(x, node, name, to, 1, &count));
    return count ? DLS_OK : dls_xml_bad(x, node, name, "the attribute is missing");
}

long dls_xml_colour(const double *rgb)
{
    long colour = 0;
    for (int i = 0; i < 3; i++)
        colour = colour << 8 | (long)(255.0 * fmin(1.0, fmax(0.0, rgb[i])) + 0.5);
    return colour;
}

/* --- the document --- */

static size_t skip_blanks(const char *text, size_t size, size_t at)
{
    while (at < size && text[at] && strchr(blanks, text[at]))
        at++;
    return at;
}

/* Past `close`, or the end. */
static size_t skip_past(const char *text, size_t size, size_t at, const char *close)
{
    const size_t length = strlen(close);
    while (at + length <= size && memcmp(text + at, close, length) != 0)
        at++;
    return at + length <= size ? at + length : size;
}

static bool begins_at(const char *text, size_t size, size_t at, const char *word)
{
    return at + strlen(word) <= size && memcmp(text + at, word, strlen(word)) == 0;
}

/* Blanks, the XML declaration, instructions and comments may stand before the root element. */
bool dls_xml_is(const char *text, size_t size, const char *root)
{
    size_t at = skip_blanks(text, size, 0);
    if (!root)
        return at < size && text[at] == '<';
    while (begins_at(text, size, at, "<?") || begins_at(text, size, at, "<!--"))
        at = skip_blanks(text, size, skip_past(text, size, at, text[at + 1] == '?' ? "?>" : "-->"));
    const size_t end = at + 1 + strlen(root);
    return begins_at(text, size, at, "<") && begins_at(text, size, at + 1, root) && end < size && text[end] &&
           strchr(" \t\r\n/>", text[end]);
}

/* Where a document type definition begins the parser stops: nothing that it declares is expanded or read from
 * a file. */
static void refuse_subset(void *context, const xmlChar *name, const xmlChar *external, const xmlChar *system)
{
    (void)name, (void)external, (void)system;
    xmlParserCtxt *parser = context;
    *(bool *)parser->_private = true;
    xmlStopParser(parser);
}

/* The reports of libxml2 to the thread while a document is parsed. When an allocation fails it may return a tree that
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

static dls_status not_xml(const dls_xml *x, const xmlError *what)
{
    char message[256];
    snprintf(message, sizeof message, "%s", what && what->message ? what->message : "not XML");
    message[strcspn(message, "\r\n")] = 0;
    return dls_fail_at(x->error, DLS_BAD_INPUT, x->file, what ? what->line : 0, what ? what->int2 : 0, NULL, "%s",
                       message);
}

/* --- encodings --- */

enum { ENCODING_MAX = 24 };

/* Where the XML declaration begins and ends, which blanks may precede; end 0: there is none. */
static size_t find_declaration(const char *text, size_t size, size_t *end)
{
    const size_t at = skip_blanks(text, size, 0);
    const bool there = begins_at(text, size, at, "<?xml") && at + 5 < size && strchr(" \t\r\n?", text[at + 5]);
    *end = there ? skip_past(text, size, at, "?>") : 0;
    return at;
}

/* The encoding that a declaration names, in small letters; "" where it names none. */
static void declared_encoding(const char *text, size_t at, size_t end, char encoding[ENCODING_MAX])
{
    size_t length = 0;
    at = skip_blanks(text, end, skip_past(text, end, at, "encoding"));
    if (at < end && text[at] == '=')
        at = skip_blanks(text, end, at + 1);
    const char quote = at < end && (text[at] == '"' || text[at] == '\'') ? text[at] : '\0';
    while (quote && ++at < end && text[at] != quote && length + 1 < ENCODING_MAX)
        encoding[length++] = (char)(text[at] >= 'A' && text[at] <= 'Z' ? text[at] + ('a' - 'A') : text[at]);
    encoding[length] = '\0';
}

static dls_status find_encoding(const char *encoding, const dls_xml *x, bool *is_latin)
{
    static const char *const same[] = {"", "utf-8", "utf8", "us-ascii", "ascii"}, *const latin[] = {
                                                                                      "iso-8859-1", "iso8859-1",
                                                                                      "iso_8859-1", "latin1",
                                                                                      "latin-1"};
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        *is_latin = strcmp(encoding, latin[i]) == 0;
        if (*is_latin || strcmp(encoding, same[i]) == 0)
            return DLS_OK;
    }
    return dls_fail_at(x->error, DLS_BAD_INPUT, x->file, 1, 1, "encoding",
                       "'%s' is not read; save the file as UTF-8, and say so", encoding);
}

/* The text in UTF-8 and without its declaration, as a copy in *copy; NULL where it has no declaration, and is UTF-8.
 * The version in it does not matter: many robots have 0.0. A byte of ISO-8859-1 is the number of its character, of
 * which those from 128 on are two bytes of UTF-8. */
static dls_status decode(const char **text, size_t *size, const dls_xml *x, char **copy)
{
    char encoding[ENCODING_MAX];
    bool is_latin;
    size_t end, length = 0;
    const size_t at = find_declaration(*text, *size, &end);
    *copy = NULL;
    if (end == 0)
        return DLS_OK;
    declared_encoding(*text, at, end, encoding);
    DLS_TRY(find_encoding(encoding, x, &is_latin));
    *copy = malloc((is_latin ? 2 : 1) * *size + 1);
    if (!*copy)
        return no_xml_memory(x);
    for (size_t i = 0; i < *size; i++) {
        const unsigned char c = (unsigned char)(*text)[i];
        const bool declares = i >= at && i < end && c != '\n';
        if (is_latin && c >= 0x80)
            (*copy)[length++] = (char)(0xc0 | c >> 6);
        (*copy)[length++] = (char)(declares ? ' ' : is_latin && c >= 0x80 ? 0x80 | (c & 0x3f) : c);
    }
    (*copy)[length] = '\0';
    *text = *copy, *size = length;
    return DLS_OK;
}

/* --- parsing --- */

/* Without a document type definition the only entities are those of characters, and XML_PARSE_NOENT makes every
 * attribute one text. The text is UTF-8. */
static dls_status parse_utf8(const char *text, size_t size, const char *name, const dls_xml *x,
                             dls_status (*read)(void *context, xmlNode *root), void *reader)
{
    const int options = XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
                        XML_PARSE_BIG_LINES | XML_PARSE_IGNORE_ENC;
    DLS_TRY(dls_text_check(text, size, x->file, x->error)); /* libxml2 is not left to guess, and has nothing to print */
    const xmlStructuredErrorFunc report_before = xmlStructuredError;
    void *const context_before = xmlStructuredErrorContext;
    bool has_subset = false, out_of_memory = false;
    xmlDoc *document = NULL;
    xmlSetStructuredErrorFunc(&out_of_memory, note_report);
    xmlParserCtxt *context = size <= INT32_MAX ? xmlNewParserCtxt() : NULL;
    if (context) {
        context->_private = &has_subset;
        context->sax->internalSubset = refuse_subset;
        document = xmlCtxtReadMemory(context, text, (int)size, x->file, NULL, options);
    }
    xmlSetStructuredErrorFunc(context_before, report_before);
    dls_status status;
    xmlNode *root = document ? xmlDocGetRootElement(document) : NULL;
    if (!context || out_of_memory || context->errNo == XML_ERR_NO_MEMORY)
        status = no_xml_memory(x);
    else if (has_subset)
        status = dls_fail_at(x->error, DLS_BAD_INPUT, x->file, 1, 1, NULL, "a document type definition; leave it out");
    else if (!document)
        status = not_xml(x, xmlCtxtGetLastError(context));
    else if (!root || (name && !dls_xml_is_element(root, name)))
        status = dls_fail_at(x->error, DLS_BAD_INPUT, x->file, root ? xmlGetLineNo(root) : 1, 1, NULL,
                             "the root element is not <%s>", name);
    else
        status = read(reader, root);
    xmlFreeDoc(document);
    xmlFreeParserCtxt(context);
    return status;
}

dls_status dls_xml_parse(const char *text, size_t size, const char *name, const dls_xml *x,
                         dls_status (*read)(void *context, xmlNode *root), void *reader)
{
    char *copy;
    dls_text_skip_mark(&text, &size);
    DLS_TRY(decode(&text, &size, x, &copy));
    const dls_status status = parse_utf8(text, size, name, x, read, reader);
    free(copy);
    return status;
}

/* --- other files --- */

static bool same_text(const xmlChar *a, const xmlChar *b) { return a == b || (a && b && xmlStrEqual(a, b)); }

static bool same_space(const xmlNs *a, const xmlNs *b) { return !a == !b && (!a || same_text(a->prefix, b->prefix)); }

/* True if a copy has all that readers use: where memory is exhausted, libxml2 leaves out names, attributes and
 * texts, and does not report all of that. */
static bool is_complete(const xmlNode *copy, const xmlNode *of)
{
    const xmlNode *a = copy->children, *b = of->children;
    const xmlAttr *p = copy->properties, *q = of->properties;
    if (!same_text(copy->name, of->name) || !same_space(copy->ns, of->ns))
        return false;
    for (; p && q; p = p->next, q = q->next) {
        const xmlNode *s = p->children, *t = q->children;
        for (; s && t && same_text(s->content, t->content); s = s->next)
            t = t->next;
        if (s || t || !same_text(p->name, q->name) || !same_space(p->ns, q->ns))
            return false;
    }
    for (; a && b; a = a->next, b = b->next)
        if (a->type != b->type || (a->type == XML_ELEMENT_NODE && !is_complete(a, b)))
            return false;
    return !p && !q && !a && !b;
}

static void name_file(xmlNode *node, const char *file)
{
    node->_private = (void *)file;
    for (xmlNode *at = node->children; at; at = at->next)
        if (at->type == XML_ELEMENT_NODE)
            name_file(at, file);
}

dls_status dls_xml_copy(const dls_xml *x, const xmlNode *of, xmlDoc *document, const char *file, xmlNode **copy)
{
    const xmlStructuredErrorFunc report_before = xmlStructuredError;
    void *const context_before = xmlStructuredErrorContext;
    bool out_of_memory = false;
    xmlSetStructuredErrorFunc(&out_of_memory, note_report);
    *copy = xmlDocCopyNode((xmlNode *)of, document, 1);
    xmlSetStructuredErrorFunc(context_before, report_before);
    if (*copy && !out_of_memory && is_complete(*copy, of)) {
        name_file(*copy, file);
        return DLS_OK;
    }
    xmlFreeNode(*copy);
    *copy = NULL;
    return no_xml_memory(x);
}

dls_status dls_xml_replace(const dls_xml *x, xmlNode *element, const xmlNode *by, const char *file, xmlNode **first)
{
    dls_status status = DLS_OK;
    *first = NULL;
    for (const xmlNode *at = by->children; at && status == DLS_OK; at = at->next) {
        xmlNode *copy;
        if (at->type != XML_ELEMENT_NODE || (status = dls_xml_copy(x, at, element->doc, file, &copy)) != DLS_OK)
            continue;
        xmlAddPrevSibling(element, copy);
        *first = *first ? *first : copy;
    }
    xmlUnlinkNode(element);
    xmlFreeNode(element);
    return status;
}
