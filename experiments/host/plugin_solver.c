/* A solver from a shared object that exports a dls_plugin (solver.h). It runs in a separate process
 * (separate_solver.c). */
#include "host.h"
#include <dlfcn.h>
#include <string.h>

static const char inside[] = "inside:";

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
    const dls_plugin ours = DLS_PLUGIN_OF(NULL);
    const dls_plugin *plugin = dls_plugin_open(path, "dls_plugin_here", "DLS_PLUGIN", object, error);
    if (!plugin)
        return NULL;
    if (plugin->version != ours.version || plugin->solver_size != ours.solver_size ||
        plugin->problem_size != ours.problem_size || plugin->report_size != ours.report_size)
        dls_plugin_outdated(path, *object, error);
    else if (!is_complete(plugin->solvers))
        dls_plugin_incomplete(path, *object, "name, summary, source, open, iterate, read or close", error);
    else
        return plugin;
    *object = NULL;
    return NULL;
}

static const char *name_at(const void *solvers, size_t i)
{
    const dls_solver *solver = ((const dls_solver *const *)solvers)[i];
    return solver ? solver->name : NULL;
}

dls_status dls_plugin_choose(const char *name, dls_choice *choice, dls_error *error)
{
    const bool ours = strncmp(name, inside, sizeof inside - 1) == 0;
    char path[DLS_PATH_MAX];
    const char *wanted = dls_plugin_split(name + (ours ? sizeof inside - 1 : 0), path);
    void *object;
    *choice = (dls_choice){NULL, NULL, NULL};
    const dls_plugin *plugin = dls_plugin_load(path, &object, error);
    const size_t i = plugin ? dls_plugin_find(path, wanted, "solvers", name_at, plugin->solvers, error) : DLS_NONE;
    if (i != DLS_NONE)
        return dls_separate_choose(plugin->solvers[i], object, ours, choice, error);
    if (plugin)
        dlclose(object);
    return error ? error->status : DLS_BAD_INPUT;
}
