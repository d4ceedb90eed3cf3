/* Shared objects with descriptors: how they are loaded, and schemes and joint types from them. Solvers are in
 * plugin_solver.c. A scheme and a joint type run in this process, and their object stays loaded until it ends. */
#include "host.h"

#include "base/arithmetic.h"
#include "base/text.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

bool dls_is_plugin(const char *name) { return strchr(name, '/') != NULL; }

const void *dls_plugin_open(const char *path, const char *symbol, const char *macro, void **object, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!*object) {
        dls_fail_about(error, DLS_IO, path, NULL, "cannot be loaded: %s", dlerror());
        return NULL;
    }
    const void *plugin = dlsym(*object, symbol);
    if (plugin)
        return plugin;
    dls_fail_about(error, DLS_BAD_INPUT, path, NULL, "has no '%s': declare %s(its descriptor)", symbol, macro);
    dlclose(*object);
    *object = NULL;
    return NULL;
}

dls_status dls_plugin_outdated(const char *path, void *object, dls_error *error)
{
    dlclose(object);
    return dls_fail_about(error, DLS_BAD_INPUT, path, NULL,
                          "was compiled for another delassus: compile it again with the headers of this one");
}

dls_status dls_plugin_incomplete(const char *path, void *object, const char *members, dls_error *error)
{
    dlclose(object);
    return dls_fail_about(error, DLS_BAD_INPUT, path, NULL, "a descriptor of it lacks %s", members);
}

const char *dls_plugin_split(const char *text, char *path)
{
    const char *slash = strrchr(text, '/'), *colon = strchr(slash ? slash : text, ':');
    snprintf(path, DLS_PATH_MAX, "%.*s", colon ? (int)(colon - text) : DLS_PATH_MAX - 1, text);
    return colon ? colon + 1 : "";
}

size_t dls_plugin_find(const char *path, const char *name, const char *plural,
                       const char *(*name_at)(const void *context, size_t i), const void *context, dls_error *error)
{
    char names[DLS_MESSAGE_MAX / 2] = "";
    size_t used = 0, count = 0;
    for (const char *other; (other = name_at(context, count)); count++) {
        if (strcmp(other, name) == 0)
            return count;
        if (used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, " %s", other);
    }
    if (count == 1 && !*name)
        return 0;
    if (*name)
        dls_fail_about(error, DLS_BAD_INPUT, path, NULL,
                       "has no %.*s of that name; name one behind a colon, PATH:NAME:%s", (int)strlen(plural) - 1,
                       plural, names);
    else
        dls_fail_about(error, DLS_BAD_INPUT, path, NULL, "has several %s; name one behind a colon, PATH:NAME:%s",
                       plural, names);
    return DLS_NONE;
}

/* --- schemes --- */

static const char *plugin_scheme_name_at(const void *schemes, size_t i)
{
    const dls_scheme *scheme = ((const dls_scheme *const *)schemes)[i];
    return scheme ? scheme->name : NULL;
}

static bool schemes_are_complete(const dls_scheme *const *schemes)
{
    const bool any = schemes && schemes[0];
    for (; any && *schemes; schemes++)
        if (!(*schemes)->name || !(*schemes)->summary || !(*schemes)->source ||
            !((*schemes)->step || ((*schemes)->prepare && (*schemes)->finish)))
            return false;
    return any;
}

static dls_status load_scheme(const char *text, const dls_scheme **scheme, dls_error *error)
{
    const dls_scheme_plugin ours = DLS_SCHEME_PLUGIN_OF(NULL);
    char path[DLS_PATH_MAX];
    const char *wanted = dls_plugin_split(text, path);
    void *object;
    const dls_scheme_plugin *plugin =
        dls_plugin_open(path, "dls_scheme_plugin_here", "DLS_SCHEME_PLUGIN", &object, error);
    if (!plugin)
        return error ? error->status : DLS_BAD_INPUT;
    if (plugin->version != ours.version || plugin->scheme_size != ours.scheme_size ||
        plugin->problem_size != ours.problem_size || plugin->row_size != ours.row_size)
        return dls_plugin_outdated(path, object, error);
    if (!schemes_are_complete(plugin->schemes))
        return dls_plugin_incomplete(path, object, "name, summary, source, or step (or prepare and finish)", error);
    const size_t i = dls_plugin_find(path, wanted, "schemes", plugin_scheme_name_at, plugin->schemes, error);
    const dls_scheme *found = i == DLS_NONE ? NULL : plugin->schemes[i];
    if (found && !dls_scheme_find(found->name)) {
        *scheme = found;
        return DLS_OK;
    }
    if (found)
        dls_fail_about(error, DLS_BAD_INPUT, path, NULL, "its scheme has the name of one of delassus, '%s': rename it",
                       found->name);
    dlclose(object);
    return DLS_BAD_INPUT;
}

static const char *scheme_name_at(const void *context, size_t i)
{
    (void)context;
    return dls_schemes[i] ? dls_schemes[i]->name : NULL;
}

dls_status dls_scheme_choose(const char *name, const dls_scheme **scheme, dls_error *error)
{
    if (dls_is_plugin(name))
        return load_scheme(name, scheme, error);
    *scheme = dls_scheme_find(name);
    if (*scheme)
        return DLS_OK;
    return dls_fail(error, DLS_BAD_INPUT, "there is no scheme '%s'%s", name,
                    dls_hint_of(dls_nearest_word(name, scheme_name_at, NULL), "see delassus list schemes").text);
}

/* --- joint types --- */

dls_status dls_joint_types_load(const char *path, dls_error *error)
{
    const dls_joint_plugin ours = DLS_JOINT_PLUGIN_OF(NULL);
    void *object;
    const dls_joint_plugin *plugin = dls_plugin_open(path, "dls_joint_plugin_here", "DLS_JOINT_PLUGIN", &object, error);
    if (!plugin)
        return error ? error->status : DLS_BAD_INPUT;
    if (plugin->version != ours.version || plugin->type_size != ours.type_size ||
        plugin->joint_size != ours.joint_size || plugin->row_size != ours.row_size)
        return dls_plugin_outdated(path, object, error);
    if (!plugin->types || !plugin->types[0])
        return dls_plugin_incomplete(path, object, "everything: its list is empty", error);
    for (const dls_joint_type *const *type = plugin->types; *type; type++) {
        dls_error why;
        if (dls_joint_type_add(*type, &why) != DLS_OK)
            return dls_fail_about(error, DLS_BAD_INPUT, path, NULL, "%s", why.message);
    }
    return DLS_OK;
}
