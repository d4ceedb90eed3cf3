/* Published problems as a set: all files of a folder, and of the folders in it, that hold a problem or a scene in a
 * format that is read (io.h), in the order of their paths. They are named files-FOLDER/PATH. */
#include "collection/parts.h"

#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEEPEST = 32 }; /* folders in each other */

typedef struct file {
    char *path;
    char *why; /* that it is no member, or NULL */
} file;

struct dls_collection_files {
    char name[DLS_NAME_MAX];
    size_t base; /* where the part of each path begins that is in its problem's name */
    size_t count, members, cap;
    file *file; /* count: members first */
};

static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

static dls_status add_file(struct dls_collection_files *f, const char *path, dls_error *error)
{
    dls_content content;
    dls_error why;
    const dls_status status = dls_load_problem(path, NULL, &content, &why);
    const bool member = status == DLS_OK && content.problem->n > 0;
    dls_content_release(&content);
    if (status == DLS_NO_MEMORY || !DLS_GROW(f->file, f->cap, f->count + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu files", f->count + 1);
    file new = {.path = strdup(path), .why = member ? NULL : strdup(status == DLS_OK ? "no rows" : why.message)};
    if (!new.path || (!member && !new.why)) {
        free(new.path), free(new.why);
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu files", f->count + 1);
    }
    f->file[f->count++] = new;
    f->members += member;
    return DLS_OK;
}

static dls_status add_path(struct dls_collection_files *f, const char *path, size_t depth, dls_error *error)
{
    struct stat kind;
    struct dirent **entries;
    dls_status status = DLS_OK;
    if (stat(path, &kind) != 0)
        return dls_fail(error, DLS_BAD_INPUT, "%s cannot be read: %s", path, strerror(errno));
    if (!S_ISDIR(kind.st_mode))
        return add_file(f, path, error);
    if (depth > DEEPEST)
        return dls_fail(error, DLS_BAD_INPUT, "%.200s: more than %d folders in each other", path, (int)DEEPEST);
    const int count = scandir(path, &entries, is_visible, by_name);
    if (count < 0)
        return dls_fail(error, DLS_BAD_INPUT, "the folder %s cannot be read: %s", path, strerror(errno));
    for (int i = 0; i < count; i++) {
        char inside[DLS_PATH_MAX];
        if (status == DLS_OK && snprintf(inside, sizeof inside, "%s/%s", path, entries[i]->d_name) >= DLS_PATH_MAX)
            status = dls_fail(error, DLS_BAD_INPUT, "%.200s: the path of a file in it is too long", path);
        if (status == DLS_OK)
            status = add_path(f, inside, depth + 1, error);
        free(entries[i]);
    }
    free(entries);
    return status;
}

/* Members first, each kind in its order. */
static int by_kind(const void *a, const void *b)
{
    const file *one = a, *other = b;
    const int kinds = (one->why != NULL) - (other->why != NULL);
    return kinds ? kinds : strcmp(one->path, other->path);
}

/* The name of the folder, or of the folder of a single file. */
static void name_files(struct dls_collection_files *f, const char *path, bool is_file)
{
    char folder[DLS_PATH_MAX];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = is_file ? strrchr(folder, '/') : NULL;
    f->base = is_file ? slash ? (size_t)(slash - folder) + 1 : 0 : strlen(path) + 1;
    if (is_file)
        snprintf(slash ? slash : folder, 1, "%s", "");
    slash = strrchr(folder, '/');
    const char *const last = slash ? slash + 1 : folder;
    snprintf(f->name, sizeof f->name, "files-%.50s", *last && strcmp(last, ".") != 0 ? last : "here");
}

dls_status dls_collection_read(const char *path, dls_collection_set *set, dls_error *error)
{
    char folder[DLS_PATH_MAX];
    struct stat kind;
    struct dls_collection_files *f = calloc(1, sizeof *f);
    *set = (dls_collection_set){.files = f, .tier = DLS_TIER_AVERAGE, .summary = "files"};
    if (!f)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a list of files");
    snprintf(folder, sizeof folder, "%s", path);
    for (size_t length = strlen(folder); length > 1 && folder[length - 1] == '/'; length--)
        folder[length - 1] = '\0';
    dls_status status = add_path(f, folder, 0, error);
    if (status == DLS_OK && f->members == 0)
        status = dls_fail(error, DLS_BAD_INPUT, "%.300s: no problem in a format that is read%s%.300s", folder,
                          f->count > 0 ? "; " : "", f->count > 0 ? f->file[0].why : "");
    if (status == DLS_OK) {
        qsort(f->file, f->count, sizeof *f->file, by_kind);
        name_files(f, folder, stat(folder, &kind) == 0 && !S_ISDIR(kind.st_mode));
        set->name = f->name, set->count = f->members;
    } else {
        dls_collection_release(set);
    }
    return status;
}

void dls_collection_release(dls_collection_set *set)
{
    for (size_t i = 0; set->files && i < set->files->count; i++)
        free(set->files->file[i].path), free(set->files->file[i].why);
    if (set->files)
        free(set->files->file);
    free(set->files);
    *set = (dls_collection_set){.name = NULL};
}

const char *dls_collection_skipped(const dls_collection_set *set, size_t i, const char **why)
{
    const struct dls_collection_files *f = set->files;
    if (!f || f->members + i >= f->count)
        return NULL;
    *why = f->file[f->members + i].why;
    return f->file[f->members + i].path;
}

const char *dls_collection_path(const dls_collection_set *set, size_t k)
{
    return set->files->file[k].path + set->files->base;
}

dls_status dls_collection_load(const dls_collection_set *set, size_t k, dls_problem **problem, dls_error *error)
{
    dls_content content;
    DLS_TRY(dls_load_problem(set->files->file[k].path, NULL, &content, error));
    *problem = content.problem;
    content.problem = NULL;
    dls_content_release(&content);
    return DLS_OK;
}
