/* plugin.h - descriptors from shared objects. Not installed. */
#ifndef DLS_EXPERIMENTS_PLUGIN_H
#define DLS_EXPERIMENTS_PLUGIN_H

#include "delassus/experiments.h"

/* Whether a name is the path of a shared object: it has a '/'. */
bool dls_is_plugin(const char *name);
/* Loads a shared object and finds its symbol, which the macro declares; NULL after a failure, with the object closed.
 * *object is to be closed by dlclose. */
const void *dls_plugin_open(const char *path, const char *symbol, const char *macro, void **object, dls_error *error);
/* Closes the object after a failure that concerns its descriptors: it was compiled for other headers, or a descriptor
 * lacks a member of the list `members`. */
dls_status dls_plugin_outdated(const char *path, void *object, dls_error *error);
dls_status dls_plugin_incomplete(const char *path, void *object, const char *members, dls_error *error);
/* Splits "PATH" or "PATH:NAME": writes the path into path[DLS_PATH_MAX], and returns the name, "" if there is none. */
const char *dls_plugin_split(const char *text, char *path);
/* The index of the descriptor of that name, or with the name "" of the only one; DLS_NONE after an error, which calls
 * the descriptors "solvers" or the like. name_at returns NULL after the last. */
size_t dls_plugin_find(const char *path, const char *name, const char *plural,
                       const char *(*name_at)(const void *context, size_t i), const void *context, dls_error *error);

#endif
