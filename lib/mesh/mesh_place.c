/* Where the file of a mesh is: as a path, from the folder of the model that names it; or package://NAME/PATH, or
 * model://NAME/PATH. The package is the nearest one that has the file, of these:
 *     a folder NAME in the model's folder or in one above it,
 *     one of these folders itself, if its package.xml has that name, as in a checkout under another name,
 *     NAME in a folder of ROS_PACKAGE_PATH, share/NAME in one of AMENT_PREFIX_PATH, NAME in one of
 *     GZ_SIM_RESOURCE_PATH.
 */
#define _XOPEN_SOURCE 700 /* realpath */

#include "mesh_file.h"

#include "base/text.h"

#include <libxml/parser.h>
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

/* Whether a folder has a package.xml with that name. */
static bool is_package(const char *folder, const char *name, size_t length)
{
    char path[DLS_PATH_MAX];
    if (snprintf(path, sizeof path, "%s/package.xml", folder) >= DLS_PATH_MAX || !is_there(path))
        return false;
    xmlDoc *document = xmlReadFile(path, NULL, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    const xmlNode *root = document ? xmlDocGetRootElement(document) : NULL, *node = root ? root->children : NULL;
    while (node && (node->type != XML_ELEMENT_NODE || strcmp((const char *)node->name, "name") != 0))
        node = node->next;
    const char *text = node && node->children ? (const char *)node->children->content : NULL;
    text = text ? text + strspn(text, " \t\r\n") : "";
    const bool same = strncmp(text, name, length) == 0 && strspn(text + length, " \t\r\n") == strlen(text + length);
    xmlFreeDoc(document);
    return same;
}

/* `inside`: NAME/PATH. */
static dls_status find_upwards(const char *inside, const char *model, char path[DLS_PATH_MAX], bool *found,
                               dls_error *error)
{
    char folder[DLS_PATH_MAX];
    const size_t name = strcspn(inside, "/");
    DLS_TRY(folder_of(model, folder, error));
    for (;;) {
        char *slash = strrchr(folder, '/');
        if (snprintf(path, DLS_PATH_MAX, "%s/%s", folder, inside) >= DLS_PATH_MAX)
            return too_long(inside, error);
        *found = is_there(path);
        if (!*found && is_package(folder, inside, name)) {
            snprintf(path, DLS_PATH_MAX, "%s%s", folder, inside + name);
            *found = is_there(path);
        }
        if (*found || !slash)
            return DLS_OK;
        *slash = '\0';
    }
}

static bool find_in_list(const char *inside, char path[DLS_PATH_MAX])
{
    static const struct {
        const char *variable, *below;
    } lists[] = {{"ROS_PACKAGE_PATH", ""}, {"AMENT_PREFIX_PATH", "share/"}, {"GZ_SIM_RESOURCE_PATH", ""}};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        for (const char *at = getenv(lists[i].variable); at && *at; at += strspn(at, ":")) {
            const size_t length = strcspn(at, ":");
            if (snprintf(path, DLS_PATH_MAX, "%.*s/%s%s", (int)length, at, lists[i].below, inside) < DLS_PATH_MAX &&
                is_there(path))
                return true;
            at += length;
        }
    return false;
}

static dls_status find_package(const char *inside, const char *model, char path[DLS_PATH_MAX], dls_error *error)
{
    bool found;
    DLS_TRY(find_upwards(inside, model, path, &found, error));
    return found || find_in_list(inside, path)
               ? DLS_OK
               : dls_fail_about(error, DLS_IO, model, "mesh",
                                "'%s' is neither in this file's folder nor in one above, nor in ROS_PACKAGE_PATH, "
                                "AMENT_PREFIX_PATH or GZ_SIM_RESOURCE_PATH; put the package there",
                                inside);
}

dls_status dls_mesh_place(const char *mesh, const char *model, char path[DLS_PATH_MAX], dls_error *error)
{
    const char *inside = behind(mesh, "package://") ? behind(mesh, "package://") : behind(mesh, "model://");
    if (inside)
        return find_package(inside, model, path, error);
    const char *plain = behind(mesh, "file://") ? behind(mesh, "file://") : mesh;
    if (strstr(plain, "://"))
        return dls_fail_about(error, DLS_REFUSED, model, "mesh",
                              "'%s' is no path; write package://NAME/PATH, or a path from this file's folder", mesh);
    return dls_path_beside(model, plain, path) ? DLS_OK : too_long(mesh, error);
}

bool dls_mesh_absolute(const char *found, char whole[DLS_PATH_MAX])
{
    char real[PATH_MAX], file[DLS_PATH_MAX];
    const char *hash = dls_mesh_part(found);
    if (realpath(found, real))
        return snprintf(whole, DLS_PATH_MAX, "%s", real) < DLS_PATH_MAX;
    snprintf(file, sizeof file, "%.*s", hash ? (int)(hash - found) : 0, found);
    if (hash && realpath(file, real))
        return snprintf(whole, DLS_PATH_MAX, "%s%s", real, hash) < DLS_PATH_MAX;
    if (found[0] == '/')
        return snprintf(whole, DLS_PATH_MAX, "%s", found) < DLS_PATH_MAX;
    return realpath(".", real) && snprintf(whole, DLS_PATH_MAX, "%s/%s", real, found) < DLS_PATH_MAX;
}
