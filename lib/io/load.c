/* Any file, whose format is given by name or recognised from its content. */
#include "formats.h"

#include "base/arithmetic.h"
#include "file.h"
#include "foreign.h"
#include "matrix_set.h"
#include "xml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FORMAT(id, name, help) {name, help},
const dls_format dls_formats[] = {
#include "formats.def"
    {NULL, NULL}};
#undef FORMAT

#define FORMAT(id, name, help) {dls_is_##id, dls_read_##id},
static const struct {
    dls_recogniser *recognise;
    dls_reader_of_format *read;
} functions[] = {
#include "formats.def"
};
#undef FORMAT

enum { FORMATS = sizeof functions / sizeof functions[0] };

bool dls_is_fclib(const char *text, size_t size)
{
    static const char signature[] = "\211HDF\r\n\032\n";
    return size >= sizeof signature - 1 && memcmp(text, signature, sizeof signature - 1) == 0;
}

/* --- formats that are known, and not read --- */

static bool begins_with(const char *text, size_t size, const char *word)
{
    return size >= strlen(word) && memcmp(text, word, strlen(word)) == 0;
}

static bool is_collada(const char *text, size_t size) { return dls_xml_is(text, size, "COLLADA"); }

/* As text, in binary, or an archive whose first file, after a header of 30 bytes, is one of these. */
static bool is_usd(const char *text, size_t size)
{
    enum { NAME = 30 };
    const size_t length = begins_with(text, size, "PK\003\004") && size > NAME ? (unsigned char)text[26] : 0;
    for (size_t i = NAME; i < NAME + length && i < size; i++)
        if (begins_with(text + i, size - i, ".usd"))
            return true;
    return begins_with(text, size, "#usda") || begins_with(text, size, "PXR-USDC");
}

static const struct {
    dls_recogniser *recognise;
    const char *why;
} not_read[] = {
    {is_usd,
     "this is USD, which is not read, for its library is not in Debian; convert it to URDF or MJCF where that is, "
     "by the exporter of URDF of Isaac Sim, or by usd2sdf of gz-usd"},
    {is_collada, "this is COLLADA, which is not read; convert it to URDF, whose meshes COLLADA may describe"},
};

dls_status dls_refuse_unread(const char *text, size_t size, const char *name, dls_error *error)
{
    for (size_t i = 0; i < sizeof not_read / sizeof not_read[0]; i++)
        if (not_read[i].recognise(text, size))
            return dls_fail_about(error, DLS_REFUSED, name, NULL, "%s", not_read[i].why);
    return DLS_OK;
}

/* --- formats that are read --- */

void dls_content_release(dls_content *content)
{
    dls_scene_destroy(content->scene);
    dls_problem_destroy(content->problem);
    free(content->stored);
    *content = (dls_content){NULL, NULL, NULL, NULL};
}

static const char *format_name_at(const void *unused, size_t i)
{
    (void)unused;
    return dls_formats[i].name;
}

void dls_format_names(const dls_format *formats, char *names, size_t size)
{
    names[0] = '\0';
    for (size_t i = 0, used = 0; formats[i].name && used < size; i++)
        used += (size_t)snprintf(names + used, size - used, "%s%s", i ? ", " : "", formats[i].name);
}

/* DLS_BAD_INPUT: `what`, and the list of formats. */
static dls_status name_one(const char *file, const char *what, dls_error *error)
{
    char names[3 * DLS_MESSAGE_MAX / 4];
    dls_format_names(dls_formats, names, sizeof names);
    return dls_fail_about(error, DLS_BAD_INPUT, file, NULL, "%s; the formats are %s", what, names);
}

static dls_status read_as(size_t i, const char *text, size_t size, const char *name, dls_content *content, size_t *end,
                          dls_error *error)
{
    *content = (dls_content){NULL, NULL, NULL, NULL};
    dls_status status = functions[i].read(text, size, name, content, end, error);
    if (status == DLS_OK)
        content->format = &dls_formats[i];
    else
        dls_content_release(content);
    return status;
}

static bool ends_at(const char *text, size_t size, size_t end)
{
    while (end < size && strchr(" \t\r\n", text[end]))
        end++;
    return end == size;
}

/* How sure a reader is of a file: it failed, it knows the file and refuses it, it read it, it read it to the end. */
typedef enum claim { FAILED, REFUSED, READ, READ_TO_THE_END } claim;

static claim claim_of(dls_status status, bool to_the_end)
{
    if (status == DLS_OK)
        return to_the_end ? READ_TO_THE_END : READ;
    return status == DLS_BAD_INPUT || status == DLS_NOT_FINITE ? FAILED : REFUSED;
}

/* Formats of numbers alone begin alike, and some of them ignore what follows their last number, so each that may be the
 * file's is tried. One that reads it to the end goes before one that does not; two that read it equally far leave the
 * choice to the caller; of those that fail the one that came furthest says why. */
static dls_status recognise(const char *text, size_t size, const char *name, dls_content *content, dls_error *error)
{
    size_t tried = 0, found = FORMATS, other = FORMATS, furthest = 0;
    dls_status result = DLS_BAD_INPUT;
    claim best = FAILED;
    dls_error reason = {.message = ""};
    for (size_t i = 0; i < FORMATS && result != DLS_NO_MEMORY; i++) {
        dls_content one;
        dls_error why;
        size_t end = 0;
        if (!functions[i].recognise(text, size))
            continue;
        dls_status status = read_as(i, text, size, name, &one, &end, &why);
        claim now = claim_of(status, ends_at(text, size, end));
        if (tried++ == 0 || status == DLS_NO_MEMORY || now > best || (now == best && now < READ && end > furthest)) {
            dls_content_release(content);
            *content = one;
            best = now, found = i, other = FORMATS, furthest = end, result = status;
            if (status != DLS_OK)
                reason = why;
        } else {
            dls_content_release(&one);
            other = now == best && now >= READ ? i : other;
        }
    }
    if (tried == 0)
        return name_one(name, "nothing in it tells what it is; name its format", error);
    if (other < FORMATS) {
        char what[160];
        snprintf(what, sizeof what, "it may be %s or %s; name its format", dls_formats[found].name,
                 dls_formats[other].name);
        dls_content_release(content);
        return name_one(name, what, error);
    }
    if (result != DLS_OK && error) {
        size_t used = strlen(reason.message);
        if (tried > 1)
            snprintf(reason.message + used, sizeof reason.message - used, " (read as %s)", dls_formats[found].name);
        *error = reason;
    }
    return result;
}

dls_status dls_file_parse(const char *text, size_t size, const char *name, const char *format, dls_content *content,
                          dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    size_t i = 0, end;
    *content = (dls_content){NULL, NULL, NULL, NULL};
    dls_text_skip_mark(&text, &size);
    if (!format && size == 0)
        return dls_text_check(text, size, name, error);
    if (!format)
        DLS_TRY(dls_refuse_unread(text, size, name, error));
    if (!format)
        return recognise(text, size, name, content, error);
    while (i < FORMATS && strcmp(dls_formats[i].name, format) != 0)
        i++;
    if (i < FORMATS)
        return read_as(i, text, size, name, content, &end, error);
    char what[2 * DLS_NAME_MAX + 64];
    snprintf(what, sizeof what, "there is no format '%.60s'%.100s", format,
             dls_hint_of(dls_nearest_word(format, format_name_at, NULL), NULL).text);
    return name_one(name, what, error);
}

dls_status dls_file_load(const char *path, const char *format, dls_content *content, dls_error *error)
{
    char *text, inside[DLS_PATH_MAX];
    size_t size;
    struct stat facts;
    *content = (dls_content){NULL, NULL, NULL, NULL};
    if (stat(path, &facts) == 0 && S_ISDIR(facts.st_mode)) {
        DLS_TRY(dls_matrix_set_find(path, inside, error));
        path = inside;
    }
    DLS_TRY(dls_file_read(path, &text, &size, error));
    dls_status status = dls_file_parse(text, size, path, format, content, error);
    free(text);
    return status;
}

/* --- files whose contents the caller knows --- */

dls_status dls_problem_parse(const char *text, size_t size, const char *name, dls_problem **problem, dls_error *error)
{
    dls_content content;
    dls_status status = dls_file_parse(text, size, name, "problem", &content, error);
    *problem = content.problem;
    return status;
}

dls_status dls_problem_read(const char *path, dls_problem **problem, dls_error *error)
{
    dls_content content;
    dls_status status = dls_file_load(path, "problem", &content, error);
    *problem = content.problem;
    return status;
}

dls_status dls_scene_parse(const char *text, size_t size, const char *name, dls_scene **scene, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    dls_content content = {NULL, NULL, NULL, NULL};
    size_t end;
    dls_text_skip_mark(&text, &size);
    dls_reader_of_format *read = dls_is_mjcf(text, size)   ? dls_read_mjcf
                                 : dls_is_sdf(text, size)  ? dls_read_sdf
                                 : dls_is_urdf(text, size) ? dls_read_urdf
                                                           : dls_read_scene;
    *scene = NULL;
    DLS_TRY(dls_refuse_unread(text, size, name, error));
    if (read == dls_read_scene && (dls_is_problem(text, size) || dls_is_json(text, size) || dls_is_dart(text, size)))
        return dls_fail_about(error, DLS_BAD_INPUT, name, NULL,
                              "a problem, not a scene: it has no bodies that move; solve and compare read it");
    dls_status status = read(text, size, name, &content, &end, error);
    if (status != DLS_OK)
        dls_content_release(&content);
    *scene = content.scene;
    return status;
}

dls_status dls_scene_read(const char *path, dls_scene **scene, dls_error *error)
{
    char *text;
    size_t size;
    *scene = NULL;
    DLS_TRY(dls_file_read(path, &text, &size, error));
    dls_status status = dls_scene_parse(text, size, path, scene, error);
    free(text);
    return status;
}
