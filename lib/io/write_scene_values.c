/* Values in YAML: texts, fields that are not at their default, with the shortest numbers that are read as the same, and
 * the files of meshes. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "write_scene.h"

#include "base/text.h"
#include "delassus/table.h"
#include "mesh/mesh_file.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INDENT = 2, LONGEST = 16384 };

/* --- values --- */

dls_status dls_scene_write_quoted(const dls_scene_writer *w, const char *text)
{
    fputc('\'', w->to);
    for (const char *at = text; *at; at++) {
        if ((unsigned char)*at < ' ')
            return dls_fail(w->error, DLS_REFUSED, "'%s' has a control character, which no scene has; rename it", text);
        if (*at == '\'')
            fputc('\'', w->to);
        fputc(*at, w->to);
    }
    fputc('\'', w->to);
    return DLS_OK;
}

dls_status dls_scene_write_text(const dls_scene_writer *w, int depth, const char *key, const char *text)
{
    fprintf(w->to, "%*s%s: ", INDENT * depth, "", key);
    DLS_TRY(dls_scene_write_quoted(w, text));
    fputc('\n', w->to);
    return DLS_OK;
}

static bool is_text(const dls_field *field)
{
    return field->kind == DLS_FIELD_NAME || field->kind == DLS_FIELD_TRACK || field->kind == DLS_FIELD_JOINT ||
           field->kind == DLS_FIELD_END;
}

void dls_scene_write_number(const dls_scene_writer *w, double x)
{
    char text[40];
    dls_print_shortest(text, sizeof text, x);
    fputs(text, w->to);
}

/* A value as dls_field_print writes it, with the shortest numbers. */
static void put_value(const dls_scene_writer *w, const char *text)
{
    while (*text) {
        double x;
        const char *end = text;
        if (strchr("+-.0123456789", *text) && dls_read_real(text, &x, &end, NULL) == DLS_OK && end > text) {
            dls_scene_write_number(w, x);
            text = end;
        } else {
            fputc(*text++, w->to);
        }
    }
}

static bool is_numbers(const dls_field *field)
{
    return field->kind == DLS_FIELD_REAL || field->kind == DLS_FIELD_VEC3 || field->kind == DLS_FIELD_QUAT ||
           field->kind == DLS_FIELD_REALS;
}

static dls_status write_field(const dls_scene_writer *w, int depth, const dls_field *field, const void *values,
                              const void *defaults)
{
    char text[LONGEST], fallback[LONGEST];
    if (dls_field_print(field, values, text, sizeof text) >= sizeof text)
        return dls_fail(w->error, DLS_REFUSED, "the value of '%s' is too long for a scene", field->key);
    dls_field_print(field, defaults, fallback, sizeof fallback);
    if ((field->fallback && strcmp(text, fallback) == 0) || (is_text(field) && !text[0]))
        return DLS_OK;
    if (is_text(field))
        return dls_scene_write_text(w, depth, field->key, text);
    const bool list = field->kind >= DLS_FIELD_REALS && field->kind <= DLS_FIELD_NAMES && text[0] != '[';
    fprintf(w->to, "%*s%s: %s", INDENT * depth, "", field->key, list ? "[" : "");
    if (is_numbers(field))
        put_value(w, text);
    else
        fputs(text, w->to);
    fputs(list ? "]\n" : "\n", w->to);
    return DLS_OK;
}

dls_status dls_scene_write_fields(const dls_scene_writer *w, int depth, const dls_field_table *table,
                                  const void *values)
{
    dls_settings defaults;
    DLS_TRY(dls_settings_create(table, &defaults, w->error));
    dls_status status = DLS_OK;
    for (size_t i = 0; status == DLS_OK && i < table->count; i++)
        status = write_field(w, depth, &table->fields[i], values, defaults.values);
    dls_settings_release(&defaults);
    return status;
}

/* --- files of meshes --- */

/* The path `to` as seen from `folder`, both absolute. */
static bool path_from(const char *folder, const char *to, char path[DLS_PATH_MAX])
{
    size_t same = 0, used = 0;
    for (size_t i = 0; folder[i] && folder[i] == to[i]; i++)
        same = to[i] == '/' ? i + 1 : same;
    const size_t length = strlen(folder);
    if (strncmp(folder, to, length) == 0 && to[length] == '/')
        return (size_t)snprintf(path, DLS_PATH_MAX, "%s", to + length + 1) < DLS_PATH_MAX;
    for (const char *at = folder + same; *at && used < DLS_PATH_MAX; at += strspn(at, "/")) {
        at += strcspn(at, "/");
        used += (size_t)snprintf(path + used, DLS_PATH_MAX - used, "../");
    }
    return used < DLS_PATH_MAX &&
           used + (size_t)snprintf(path + used, DLS_PATH_MAX - used, "%s", to + same) < DLS_PATH_MAX;
}

/* The folder of the written file, which need not be there yet. */
static dls_status written_folder(const dls_scene_writer *w, char folder[PATH_MAX])
{
    char own[DLS_PATH_MAX];
    const char *slash = strrchr(w->path, '/');
    const int length = slash == w->path ? 1 : (int)(slash - w->path);
    snprintf(own, sizeof own, "%.*s", slash ? length : 1, slash ? w->path : ".");
    return realpath(own, folder) ? DLS_OK
                                 : dls_fail_about(w->error, DLS_IO, own, NULL, "the folder of the scene is not there");
}

/* A package that is not there is one where the scene is read, perhaps. */
dls_status dls_scene_write_mesh(const dls_scene_writer *w, int depth, const char *mesh, const char *model)
{
    char found[DLS_PATH_MAX], whole[DLS_PATH_MAX], folder[PATH_MAX], path[DLS_PATH_MAX];
    const dls_status status = dls_mesh_place(mesh, model, found, w->error);
    if (status == DLS_IO || status == DLS_REFUSED)
        return dls_scene_write_text(w, depth, "mesh", mesh);
    DLS_TRY(status);
    DLS_TRY(written_folder(w, folder));
    if (!dls_mesh_absolute(found, whole) || !path_from(folder, whole, path))
        return dls_fail_about(w->error, DLS_REFUSED, found, NULL, "the path of the mesh is too long for a scene");
    return dls_scene_write_text(w, depth, "mesh", path);
}
