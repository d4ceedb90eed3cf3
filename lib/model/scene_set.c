/* Settings of a scene by key, as --set and sweeps change them.
 */
#include "delassus/scene.h"

#include <fnmatch.h>
#include <string.h>

/* "PATTERN.KEY" behind the kind: names may have dots, keys have none. */
static bool split_pattern(const char *text, char pattern[DLS_NAME_MAX], const char **key)
{
    const char *dot = strrchr(text, '.');
    const size_t length = dot ? (size_t)(dot - text) : 0;
    if (length == 0 || length >= DLS_NAME_MAX || !dot[1])
        return false;
    memcpy(pattern, text, length);
    pattern[length] = '\0';
    *key = dot + 1;
    return true;
}

static const char *body_at(const void *scene, size_t i)
{
    const dls_scene *s = scene;
    return i < s->n_bodies ? s->bodies[i].name : NULL;
}

static const char *joint_at(const void *scene, size_t i)
{
    const dls_scene *s = scene;
    return i < s->n_joints ? s->joints[i].name : NULL;
}

static dls_status set_body(dls_scene *s, size_t i, const char *key, const char *text, dls_error *error)
{
    return dls_field_set(&dls_body_fields, &s->bodies[i], key, text, error);
}

static dls_status set_joint(dls_scene *s, size_t i, const char *key, const char *text, dls_error *error)
{
    return dls_joint_set(&s->joints[i], key, text, error);
}

static const struct {
    const char *prefix, *what;
    const char *(*name_at)(const void *scene, size_t i);
    dls_status (*set)(dls_scene *, size_t, const char *, const char *, dls_error *);
} kinds[] = {{"bodies.", "body", body_at, set_body}, {"joints.", "joint", joint_at, set_joint}};

static const char world_prefix[] = "world.";
enum { KINDS = sizeof kinds / sizeof kinds[0] };

bool dls_scene_has_key(const char *key)
{
    bool has = strncmp(key, world_prefix, strlen(world_prefix)) == 0;
    for (size_t k = 0; k < KINDS; k++)
        has = has || strncmp(key, kinds[k].prefix, strlen(kinds[k].prefix)) == 0;
    return has;
}

/* The scene itself, or the one after its k-th change. */
static dls_scene *at_change(dls_scene *scene, size_t k) { return k == 0 ? scene : scene->changes[k - 1].after; }

static dls_status set_matching(dls_scene *scene, size_t kind, const char *rest, const char *text, dls_error *error)
{
    char pattern[DLS_NAME_MAX];
    const char *key, *name;
    size_t matched = 0;
    if (!split_pattern(rest, pattern, &key))
        return dls_fail(error, DLS_BAD_INPUT, "'%s%.60s' is not %sNAME.KEY; in NAME, * stands for anything",
                        kinds[kind].prefix, rest, kinds[kind].prefix);
    if (strcmp(key, "name") == 0)
        return dls_fail(error, DLS_BAD_INPUT, "a name cannot be set: others refer to it");
    for (size_t k = 0; k <= scene->n_changes; k++) {
        dls_scene *one = at_change(scene, k);
        for (size_t i = 0; (name = kinds[kind].name_at(one, i)); i++)
            if (fnmatch(pattern, name, 0) == 0) {
                dls_error why;
                const dls_status status = kinds[kind].set(one, i, key, text, &why);
                if (status != DLS_OK)
                    return dls_fail(error, status, "%s '%s': %s", kinds[kind].what, name, why.message);
                matched++;
            }
    }
    if (matched > 0)
        return DLS_OK;
    const char *nearest = dls_nearest_word(pattern, kinds[kind].name_at, scene);
    return dls_fail(error, DLS_BAD_INPUT, "no %s is called '%s'%s", kinds[kind].what, pattern,
                    dls_hint_of(nearest, NULL).text);
}

dls_status dls_scene_set(dls_scene *scene, const char *key, const char *text, dls_error *error)
{
    if (strncmp(key, world_prefix, strlen(world_prefix)) == 0) {
        dls_status status = DLS_OK;
        for (size_t k = 0; k <= scene->n_changes && status == DLS_OK; k++)
            status =
                dls_field_set(&dls_world_fields, &at_change(scene, k)->world, key + strlen(world_prefix), text, error);
        return status;
    }
    for (size_t k = 0; k < KINDS; k++)
        if (strncmp(key, kinds[k].prefix, strlen(kinds[k].prefix)) == 0)
            return set_matching(scene, k, key + strlen(kinds[k].prefix), text, error);
    return dls_fail(error, DLS_BAD_INPUT, "'%.60s' is no key of a scene: these begin with world., bodies. or joints.",
                    key);
}
