/* plugin_solver.h - solvers from shared objects. Not installed. */
#ifndef DLS_EXPERIMENTS_PLUGIN_SOLVER_H
#define DLS_EXPERIMENTS_PLUGIN_SOLVER_H

#include "delassus/experiments.h"

/* Whether the name of a solver is that of a shared object: it has a '/' in it. */
/* The plugin of a shared object, checked; NULL after a failure. *object is to be closed by dlclose. */
const dls_plugin *dls_plugin_load(const char *path, void **object, dls_error *error);
/* "PATH", or "PATH:NAME" where it has several solvers, in a process of its own; "inside:" before it: in ours. */
dls_status dls_plugin_choose(const char *name, dls_choice *choice, dls_error *error);

#endif
