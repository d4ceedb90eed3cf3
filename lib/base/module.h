/* module.h - shared objects of ours that the library loads when they are needed, and the folders where they are. Not
 * installed. */
#ifndef DELASSUS_BASE_MODULE_H
#define DELASSUS_BASE_MODULE_H

#include "delassus/status.h"

#include <stdbool.h>

/* Whether this code is loaded from the tree that it was built in: the library's file, or the program's where it is
 * linked statically. */
bool dls_runs_in_build_tree(void);
/* The path of a file or folder relative to the folder of the library's file; false where that is not known. */
bool dls_beside_library(const char *relative, char path[DLS_PATH_MAX]);
/* The folder of our shared objects: that of the environment, else the build folder's or the installed one. */
const char *dls_module_folder(const char *variable, const char *built, const char *installed);
/* The symbol of a reader of files by another library, NAME.so, which stays loaded until the process ends. Where it was
 * not built: DLS_UNAVAILABLE, about `path`, and the message says that `what` needs that library and how to have it. */
dls_status dls_reader_module(const char *name, const char *symbol, const char *path, const char *what,
                             const void **found, dls_error *error);

#endif
