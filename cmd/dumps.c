/* Folders of dumped steps. */
#include "dumps.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

dls_status dumps_path(const char *folder, const char *name, const char *suffix, char *path, dls_error *error)
{
    const int length = snprintf(path, DLS_PATH_MAX, "%s%s%s%s", folder, *name ? "/" : "", name, suffix);
    return length >= 0 && length < DLS_PATH_MAX
               ? DLS_OK
               : dls_fail_about(error, DLS_BAD_INPUT, folder, NULL, "a path of more than %d bytes below it",
                                DLS_PATH_MAX - 1);
}

/* `below`: the path of the file relative to the folder, which ends with the suffix. */
static dls_status dumps_add(dumps *found, const char *below, size_t length, dls_error *error)
{
    if (found->count == found->capacity) {
        const size_t larger = 2 * found->capacity + 64;
        char **moved = realloc(found->names, larger * sizeof *moved);
        if (!moved)
            return dls_fail(error, DLS_NO_MEMORY, "no memory for the names of %zu files", larger);
        found->names = moved;
        found->capacity = larger;
    }
    found->names[found->count] = strndup(below, length);
    if (!found->names[found->count])
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the name of a file");
    found->count++;
    return DLS_OK;
}

static dls_status dumps_search(const char *folder, const char *below, const char *suffix, dumps *found,
                               dls_error *error);

static dls_status dumps_visit(const char *folder, const char *below, const char *suffix, dumps *found, dls_error *error)
{
    char path[DLS_PATH_MAX];
    struct stat facts;
    const size_t length = strlen(below), end = strlen(suffix);
    DLS_TRY(dumps_path(folder, below, "", path, error));
    if (stat(path, &facts) != 0)
        return dls_fail_about(error, DLS_IO, path, NULL, "cannot read: %s", strerror(errno));
    if (S_ISDIR(facts.st_mode))
        return dumps_search(folder, below, suffix, found, error);
    return length > end && strcmp(below + length - end, suffix) == 0 ? dumps_add(found, below, length - end, error)
                                                                     : DLS_OK;
}

static dls_status dumps_search(const char *folder, const char *below, const char *suffix, dumps *found,
                               dls_error *error)
{
    char path[DLS_PATH_MAX], next[DLS_PATH_MAX];
    dls_status status = DLS_OK;
    DLS_TRY(dumps_path(folder, below, "", path, error));
    DIR *stream = opendir(path);
    if (!stream)
        return dls_fail_about(error, DLS_IO, path, NULL, "cannot read: %s", strerror(errno));
    for (struct dirent *entry; status == DLS_OK && (entry = readdir(stream));) {
        if (entry->d_name[0] == '.')
            continue;
        status =
            *below ? dumps_path(below, entry->d_name, "", next, error) : dumps_path(entry->d_name, "", "", next, error);
        if (status == DLS_OK)
            status = dumps_visit(folder, next, suffix, found, error);
    }
    closedir(stream);
    return status;
}

static int dumps_order(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

dls_status dumps_find(const char *folder, const char *suffix, dumps *found, dls_error *error)
{
    DLS_TRY(dumps_search(folder, "", suffix, found, error));
    if (found->count > 1)
        qsort(found->names, found->count, sizeof *found->names, dumps_order);
    return DLS_OK;
}

size_t dumps_index(const dumps *found, const char *name)
{
    char *const *at =
        found->count ? bsearch(&name, found->names, found->count, sizeof *found->names, dumps_order) : NULL;
    return at ? (size_t)(at - found->names) : DLS_NONE;
}

void dumps_release(dumps *found)
{
    for (size_t i = 0; i < found->count; i++)
        free(found->names[i]);
    free(found->names);
    *found = (dumps){.names = NULL};
}
