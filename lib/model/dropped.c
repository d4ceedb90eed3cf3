/* Words of models that readers leave out, although they may change the motion. A reader records each with the aspect of
 * the mechanism that it changes, and goes on, so that all of them are told at once. Whoever makes a model, or uses one
 * aspect of the scene alone, checks that nothing is missing in what it uses, unless the world has `import: warn` or the
 * aspect is ignored.
 */
#include "delassus/scene.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

const char *const dls_aspect_names[] = {"bodies", "forces", "constraints", "contacts", "actuators", "sensors", NULL};

/* --- recording --- */

static bool is_same(const dls_dropped *d, dls_aspect aspect, const char *file, const char *key, const char *text)
{
    return d->aspect == aspect && strncmp(d->key, key, sizeof d->key - 1) == 0 &&
           strncmp(d->text, text, sizeof d->text - 1) == 0 && strncmp(d->file, file, sizeof d->file - 1) == 0;
}

dls_status dls_scene_drop(dls_scene *scene, dls_aspect aspect, const char *file, dls_place place, const char *key,
                          const char *text, dls_error *error)
{
    size_t at = 0;
    for (; at < scene->n_dropped && scene->dropped[at].aspect <= aspect; at++)
        if (is_same(&scene->dropped[at], aspect, file, key, text)) {
            scene->dropped[at].count++;
            return DLS_OK;
        }
    if (!DLS_GROW(scene->dropped, scene->cap_dropped, scene->n_dropped + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu words that are left out", scene->n_dropped + 1);
    dls_dropped *to = &scene->dropped[at];
    memmove(to + 1, to, (scene->n_dropped++ - at) * sizeof *to);
    *to = (dls_dropped){.aspect = aspect, .count = 1, .place = place};
    snprintf(to->key, sizeof to->key, "%s", key);
    snprintf(to->text, sizeof to->text, "%s", text);
    snprintf(to->file, sizeof to->file, "%s", file);
    return DLS_OK;
}

/* --- aspects --- */

void dls_scene_ignore(dls_scene *scene, unsigned aspects)
{
    scene->ignored |= aspects;
    for (size_t k = 0; k < scene->n_changes; k++)
        dls_scene_ignore(scene->changes[k].after, aspects);
}

/* The aspects of one name; 0: there is no such name. */
static unsigned aspects_of(const char *name, size_t length)
{
    if (length == 3 && strncmp(name, "all", length) == 0)
        return DLS_ALL_ASPECTS;
    for (unsigned k = 0; k < DLS_ASPECTS; k++)
        if (strlen(dls_aspect_names[k]) == length && strncmp(name, dls_aspect_names[k], length) == 0)
            return 1u << k;
    return 0;
}

dls_status dls_aspects_read(const char *names, unsigned *aspects, dls_error *error)
{
    *aspects = 0;
    for (const char *at = names;; at++) {
        const size_t length = strcspn(at, ",");
        const unsigned found = aspects_of(at, length);
        if (!found)
            return dls_fail(error, DLS_BAD_INPUT,
                            "'%.*s' is none of bodies, forces, constraints, contacts, actuators, sensors, all",
                            (int)(length < DLS_NAME_MAX ? length : DLS_NAME_MAX), at);
        *aspects |= found;
        at += length;
        if (!*at)
            return DLS_OK;
    }
}

/* --- checking --- */

/* Adds text to a message; once there is no room for a whole piece, the rest is "...". */
static void append_piece(char text[DLS_MESSAGE_MAX], bool *full, const char *piece)
{
    const size_t used = strlen(text), reserve = sizeof "..." - 1;
    if (*full)
        return;
    *full = used + strlen(piece) + reserve >= DLS_MESSAGE_MAX;
    snprintf(text + used, DLS_MESSAGE_MAX - used, "%s", *full ? "..." : piece);
}

/* Adds "contacts: geom.margin (line 7), ..." about the words from number `first` on to a message. */
static void append_dropped(const dls_scene *scene, unsigned aspects, size_t first, char text[DLS_MESSAGE_MAX])
{
    char piece[2 * DLS_NAME_MAX + 64];
    bool full = false;
    int before = -1;
    for (const dls_dropped *d = scene->dropped + first; d < scene->dropped + scene->n_dropped; d++) {
        const int aspect = (int)d->aspect;
        if (!(aspects & 1u << aspect))
            continue;
        snprintf(piece, sizeof piece, "%s%s%s%s (line %ld)", before < 0 ? "" : ", ",
                 aspect == before ? "" : dls_aspect_names[aspect], aspect == before ? "" : ": ", d->key, d->place.line);
        append_piece(text, &full, piece);
        before = aspect;
    }
}

dls_status dls_scene_check_dropped(const dls_scene *scene, unsigned aspects, dls_error *error)
{
    char message[DLS_MESSAGE_MAX];
    size_t first = 0, count = 0;
    aspects &= scene->world.import == DLS_IMPORT_WARN ? 0u : ~scene->ignored;
    for (size_t k = scene->n_dropped; k-- > 0;)
        if (aspects & 1u << scene->dropped[k].aspect) {
            first = k;
            count++;
        }
    if (count == 0)
        return DLS_OK;
    const dls_dropped *d = &scene->dropped[first];
    snprintf(message, sizeof message, "%s", d->text);
    if (count > 1) {
        snprintf(message, sizeof message, "%.240s; %zu more that may change the motion: ", d->text, count - 1);
        append_dropped(scene, aspects, first + 1, message);
    }
    return dls_fail_at(error, DLS_REFUSED, d->file, d->place.line, d->place.column, d->key, "%s", message);
}

dls_status dls_scene_also_dropped(const dls_scene *scene, dls_status status, dls_error *error)
{
    if (!error || status == DLS_OK || status == DLS_NO_MEMORY || scene->n_dropped == 0)
        return status;
    const size_t used = strlen(error->message);
    snprintf(error->message + used, sizeof error->message - used, "; besides, not read: ");
    append_dropped(scene, DLS_ALL_ASPECTS, 0, error->message);
    return status;
}
