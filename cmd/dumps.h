/* dumps.h - folders of steps that another program has dumped: NAME.problem, and beside it NAME.impulses
 * (examples/dump/delassus_dump.h). */
#ifndef DELASSUS_CMD_DUMPS_H
#define DELASSUS_CMD_DUMPS_H

#include "command.h"

#define DUMPS_PROBLEM ".problem"
#define DUMPS_IMPULSES ".impulses"

/* Names of files relative to a folder, without their suffix, in the order of bytes. */
typedef struct dumps {
    char **names;
    size_t count, capacity;
} dumps;

/* Adds every file with the suffix in the folder and in those below it; names that begin with a point are ignored. The
 * first call is for an empty (zeroed) list. Release it after a failure, too. */
dls_status dumps_find(const char *folder, const char *suffix, dumps *found, dls_error *error);
/* The place of a name, or DLS_NONE. */
size_t dumps_index(const dumps *found, const char *name);
void dumps_release(dumps *found);
/* FOLDER/NAME SUFFIX into path[DLS_PATH_MAX]; DLS_BAD_INPUT where it is too long. */
dls_status dumps_path(const char *folder, const char *name, const char *suffix, char *path, dls_error *error);

#endif
