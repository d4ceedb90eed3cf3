/* plugin_solver.h - a solver from a shared object. Not installed. */
#ifndef DLS_EXPERIMENTS_PLUGIN_SOLVER_H
#define DLS_EXPERIMENTS_PLUGIN_SOLVER_H

#include "delassus/experiments.h"

/* Whether the name of a solver is that of a shared object: it has a '/' in it. */
bool dls_is_plugin(const char *name);
/* "PATH", in a process of its own, or "inside:PATH", in ours. */
dls_status dls_plugin_choose(const char *name, dls_choice *choice, dls_error *error);
/* Of choice->plugin: its settings and its code go too. */
void dls_plugin_release(void *plugin);

#endif
