#define _GNU_SOURCE /* dladdr */

#include "module.h"

#include "arithmetic.h"
#include "text.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool dls_runs_in_build_tree(void)
{
    static const char here[] = "";
    Dl_info where;
    char *file = dladdr(here, &where) ? realpath(where.dli_fname, NULL) : NULL;
    char *tree = realpath(DELASSUS_BUILDDIR, NULL);
    size_t length = tree ? strlen(tree) : 0;
    bool inside = file && tree && strncmp(file, tree, length) == 0 && file[length] == '/';
    free(file);
    free(tree);
    return inside;
}

bool dls_beside_library(const char *relative, char path[DLS_PATH_MAX])
{
    static const char here[] = "";
    Dl_info where;
    char *file = dladdr(here, &where) ? realpath(where.dli_fname, NULL) : NULL;
    const char *end = file ? strrchr(file, '/') : NULL;
    const int length = end ? snprintf(path, DLS_PATH_MAX, "%.*s/%s", (int)(end - file), file, relative) : -1;
    free(file);
    return length >= 0 && length < DLS_PATH_MAX;
}

const char *dls_module_folder(const char *variable, const char *built, const char *installed)
{
    const char *folder = getenv(variable);
    if (folder && *folder)
        return folder;
    return dls_runs_in_build_tree() ? built : installed;
}

dls_status dls_reader_module(const char *name, const char *symbol, const char *path, const char *what,
                             const void **found, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    const char *folder =
        dls_module_folder("DELASSUS_READERDIR", DELASSUS_BUILDDIR "/lib/readers/.libs", DELASSUS_READERDIR);
    char file[DLS_PATH_MAX];
    const int length = snprintf(file, sizeof file, "%s/%s.so", folder, name);
    if (length >= DLS_PATH_MAX || access(file, R_OK) != 0)
        return dls_fail_about(error, DLS_UNAVAILABLE, path, NULL,
                              "%s needs lib%s, with which this delassus was not built: there is no %s.so in %s; "
                              "install lib%s-dev and build it again",
                              what, name, name, folder, name);
    void *object = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!object)
        return dls_fail_about(error, DLS_IO, file, NULL, "cannot be loaded: %s", dlerror());
    *found = dlsym(object, symbol);
    return *found ? DLS_OK : dls_fail_about(error, DLS_BAD_INPUT, file, NULL, "is of another delassus; build it again");
}
