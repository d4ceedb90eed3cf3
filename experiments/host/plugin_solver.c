/* A solver from a shared object that exports a dls_plugin (solver.h). It runs in a separate process
 * (separate_solver.c). */
#include "host.h"

#include "base/arithmetic.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const char inside[] = "inside:", symbol[] = "dls_plugin_here";

bool dls_is_plugin(const char *name) { return strchr(name, '/') != NULL; }

/* Whether every solver of the list, which is not empty, has the functions that a solver must have. */
static bool is_complete(const dls_solver *const *solvers)
{
    if (!solvers || !solvers[0])
        return false;
    for (; *solvers; solvers++)
        if (!(*solvers)->name || !(*solvers)->summary || !(*solvers)->source || !(*solvers)->open ||
            !(*solvers)->iterate || !(*solvers)->read || !(*solvers)->close)
            return false;
    return true;
}

const dls_plugin *dls_plugin_load(const char *path, void **object, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!*object) {
        dls_fail_about(error, DLS_IO, path, NULL, "cannot be loaded: %s", dlerror());
        return NULL;
    }
    const dls_plugin *plugin = dlsym(*object, symbol);
    const dls_plugin ours = DLS_PLUGIN_OF(NULL);
    if (!plugin)
        dls_fail_about(error, DLS_BAD_INPUT, path, NULL, "has no '%s': declare DLS_PLUGIN(its descriptor)", symbol);
    else if (plugin->version != ours.version || plugin->solver_size != ours.solver_size ||
             plugin->problem_size != ours.problem_size || plugin->report_size != ours.report_size)
        dls_fail_about(error, DLS_BAD_INPUT, path, NULL,
                       "was compiled for another delassus: compile it again with the headers of this one");
    else if (!is_complete(plugin->solvers))
        dls_fail_about(error, DLS_BAD_INPUT, path, NULL,
                       "a descriptor of it lacks name, summary, source, open, iterate, read or close");
    else
        return plugin;
    dlclose(*object);
    *object = NULL;
    return NULL;
}

/* The solver of that name; without one ("") the only solver. */
static const dls_solver *find_solver(const dls_plugin *plugin, const char *path, const char *name, dls_error *error)
{
    char names[DLS_MESSAGE_MAX / 2] = "";
    size_t used = 0, count = 0;
    for (; plugin->solvers[count]; count++) {
        if (strcmp(plugin->solvers[count]->name, name) == 0)
            return plugin->solvers[count];
        if (used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, " %s", plugin->solvers[count]->name);
    }
    if (count == 1 && !*name)
        return plugin->solvers[0];
    dls_fail_about(error, DLS_BAD_INPUT, path, NULL, "%s; name one behind a colon, PATH:NAME:%s",
                   *name ? "has no solver of that name" : "has several solvers", names);
    return NULL;
}

dls_status dls_plugin_choose(const char *name, dls_choice *choice, dls_error *error)
{
    const bool ours = strncmp(name, inside, sizeof inside - 1) == 0;
    char path[DLS_PATH_MAX];
    const char *file = name + (ours ? sizeof inside - 1 : 0), *slash = strrchr(file, '/');
    const char *colon = strchr(slash ? slash : file, ':'), *wanted = colon ? colon + 1 : "";
    snprintf(path, sizeof path, "%.*s", colon ? (int)(colon - file) : DLS_PATH_MAX - 1, file);
    void *object;
    *choice = (dls_choice){NULL, NULL, NULL};
    const dls_plugin *plugin = dls_plugin_load(path, &object, error);
    const dls_solver *real = plugin ? find_solver(plugin, path, wanted, error) : NULL;
    if (!real) {
        if (plugin)
            dlclose(object);
        return error ? error->status : DLS_BAD_INPUT;
    }
    return dls_separate_choose(real, object, ours, choice, error);
}
