/* Any file, by its name and its first line. */
#include "delassus/io.h"

#include "file.h"

#include <string.h>
#include <strings.h>

#define KNOWN                                                                                             \
    "scene, problem, siconos-lcp, siconos-mlcp, siconos-relay, siconos-gmp, siconos-fc3d, contactbench, " \
    "contactbench-cone, fclib"

/* Foreign formats have nothing in them that tells them apart: the word is looked for in the name of the file, then of
 * its folder. "mlcp" before "lcp", which it contains. */
static const struct format {
    const char *name, *word;
    dls_foreign kind;
} formats[] = {
    {"siconos-fc3d", "fc3d", DLS_FOREIGN_FC3D},
    {"siconos-mlcp", "mlcp", DLS_FOREIGN_MLCP},
    {"siconos-lcp", "lcp", DLS_FOREIGN_LCP},
    {"siconos-relay", "relay", DLS_FOREIGN_RELAY},
    {"siconos-gmp", "gmp", DLS_FOREIGN_GMP},
    {"contactbench", "contactbench", DLS_FOREIGN_CONTACTBENCH},
    {"contactbench-cone", "contactbench-cone", DLS_FOREIGN_CONTACTBENCH_CONE},
};
enum { FORMATS = sizeof formats / sizeof formats[0] };

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcasecmp(text + length - tail, end) == 0;
}

static bool contains(const char *text, size_t length, const char *word)
{
    size_t n = strlen(word);
    for (size_t i = 0; i + n <= length; i++)
        if (strncasecmp(text + i, word, n) == 0)
            return true;
    return false;
}

static const struct format *find_in(const char *text, size_t length)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (contains(text, length, formats[i].word))
            return &formats[i];
    return NULL;
}

static const struct format *find_by_path(const char *path)
{
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    const struct format *format = find_in(file, strlen(file));
    if (format || !slash)
        return format;
    const char *folder = slash;
    while (folder > path && folder[-1] != '/')
        folder--;
    return find_in(folder, (size_t)(slash - folder));
}

static bool begins_hdf5(const char *start, size_t got)
{
    static const char signature[] = "\211HDF\r\n\032\n";
    return got >= sizeof signature - 1 && memcmp(start, signature, sizeof signature - 1) == 0;
}

bool dls_fclib_is(const char *path)
{
    char start[8];
    size_t got;
    return dls_file_peek(path, start, sizeof start, &got, NULL) == DLS_OK && begins_hdf5(start, got);
}

static dls_status load_as(const char *path, const char *name, dls_scene **scene, dls_problem **problem,
                          dls_error *error)
{
    if (strcmp(name, "scene") == 0)
        return dls_scene_read(path, scene, error);
    if (strcmp(name, "problem") == 0)
        return dls_problem_read(path, problem, error);
    if (strcmp(name, "fclib") == 0)
        return dls_fclib_read(path, problem, NULL, error);
    for (size_t i = 0; i < FORMATS; i++)
        if (strcmp(formats[i].name, name) == 0)
            return dls_foreign_read(path, formats[i].kind, problem, error);
    return dls_fail_at(error, DLS_BAD_ARGUMENT, path, 0, 0, NULL, "there is no format '%s'; the formats are " KNOWN,
                       name);
}

dls_status dls_file_load(const char *path, const char *format, dls_scene **scene, dls_problem **problem,
                         dls_error *error)
{
    static const char first_line[] = "delassus-problem";
    char start[sizeof first_line - 1];
    size_t got;
    *scene = NULL;
    *problem = NULL;
    if (format)
        return load_as(path, format, scene, problem, error);
    if (ends_with(path, ".yaml") || ends_with(path, ".yml") || ends_with(path, ".urdf"))
        return dls_scene_read(path, scene, error);
    DLS_TRY(dls_file_peek(path, start, sizeof start, &got, error));
    if (got == 0)
        return dls_fail_at(error, DLS_BAD_INPUT, path, 0, 0, NULL, "the file is empty");
    if (begins_hdf5(start, got))
        return dls_fclib_read(path, problem, NULL, error);
    if (dls_text_marked(start, got))
        return dls_text_check(start, got, path, error);
    if (got == sizeof start && memcmp(start, first_line, sizeof start) == 0)
        return dls_problem_read(path, problem, error);
    const struct format *found = find_by_path(path);
    if (found)
        return dls_foreign_read(path, found->kind, problem, error);
    return dls_fail_at(error, DLS_BAD_INPUT, path, 0, 0, NULL,
                       "neither a scene (.yaml), nor a robot (.urdf), nor a problem (first line: delassus-problem 1); "
                       "name its format: " KNOWN);
}
