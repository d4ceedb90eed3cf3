/* Where the file of a mesh is: as a path, from the folder of the model that names it; or package://NAME/PATH, in the
 * nearest folder NAME that is in the model's folder or in one above it and has that file. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "mesh_file.h"

#include "base/text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static dls_status too_long(const char *mesh, dls_error *error)
{
    return dls_fail_about(error, DLS_BAD_INPUT, mesh, NULL, "the path is too long: at most %d bytes", DLS_PATH_MAX - 1);
}

static bool is_there(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && !S_ISDIR(facts.st_mode);
}

/* The text after the given start; NULL where it begins otherwise. */
static const char *behind(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0 ? text + strlen(start) : NULL;
}

/* The absolute folder of the model, without a slash at its end; that of the process for a text that is in no file. */
static dls_status folder_of(const char *model, char folder[DLS_PATH_MAX], dls_error *error)
{
    char whole[PATH_MAX];
    const bool is_file = realpath(model, whole) != NULL;
    if (!is_file && !realpath(".", whole))
        return dls_fail_about(error, DLS_IO, model, "mesh", "the folder of the process is not there any more");
    if (is_file)
        *strrchr(whole, '/') = '\0';
    return snprintf(folder, DLS_PATH_MAX, "%s", whole) < DLS_PATH_MAX ? DLS_OK : too_long(model, error);
}

static dls_status find_upwards(const char *inside, const char *model, char path[DLS_PATH_MAX], dls_error *error)
{
    char folder[DLS_PATH_MAX];
    DLS_TRY(folder_of(model, folder, error));
    for (;;) {
        char *slash = strrchr(folder, '/');
        if (snprintf(path, DLS_PATH_MAX, "%s/%s", folder, inside) >= DLS_PATH_MAX)
            return too_long(inside, error);
        if (is_there(path))
            return DLS_OK;
        if (!slash)
            break;
        *slash = '\0';
    }
    return dls_fail_about(error, DLS_IO, model, "mesh",
                          "'%s' is neither in this file's folder nor in one above; put the package there", inside);
}

dls_status dls_mesh_place(const char *mesh, const char *model, char path[DLS_PATH_MAX], dls_error *error)
{
    const char *inside = behind(mesh, "package://");
    if (inside)
        return find_upwards(inside, model, path, error);
    const char *plain = behind(mesh, "file://") ? behind(mesh, "file://") : mesh;
    if (strstr(plain, "://"))
        return dls_fail_about(error, DLS_REFUSED, model, "mesh",
                              "'%s' is no path; write package://NAME/PATH, or a path from this file's folder", mesh);
    return dls_path_beside(model, plain, path) ? DLS_OK : too_long(mesh, error);
}
