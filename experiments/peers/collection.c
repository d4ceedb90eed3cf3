/* The problems: the first step of every scene, manufactured ones of every class, and published ones. */
#include "peers/parts.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- files of a folder, in the order of names --- */

static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

static bool ends_with(const char *name, const char *suffix)
{
    const size_t length = strlen(name), behind = strlen(suffix);
    return length > behind && strcmp(name + length - behind, suffix) == 0;
}

static dls_status try_file(dls_study *study, const char *what, const char *path, dls_error *error)
{
    char name[DLS_NAME_MAX];
    dls_content content;
    dls_file_stem(path, name, sizeof name);
    DLS_TRY(dls_load_problem(path, NULL, &content, error));
    const dls_peers_case of = {what, name, path, content.problem};
    dls_status status = dls_peers_try(study, &of, error);
    dls_content_release(&content);
    return status;
}

/* Every file with the suffix. */
static dls_status try_folder(dls_study *study, const char *what, const char *folder, const char *suffix,
                             dls_error *error)
{
    struct dirent **entries;
    dls_status status = DLS_OK;
    const int count = scandir(folder, &entries, is_visible, by_name);
    if (count < 0)
        return dls_fail(error, DLS_IO, "cannot read the folder %s: %s", folder, strerror(errno));
    for (int i = 0; i < count; i++) {
        char path[DLS_PATH_MAX];
        snprintf(path, sizeof path, "%.700s/%s", folder, entries[i]->d_name);
        if (status == DLS_OK && ends_with(path, suffix))
            status = try_file(study, what, path, error);
        dls_job_progress(study->job, entries[i]->d_name, (double)i / (double)count);
        free(entries[i]);
    }
    free(entries);
    return status;
}

dls_status dls_peers_scenes(dls_study *study, dls_error *error)
{
    const dls_peers_findings *f = study->found;
    char folder[DLS_PATH_MAX];
    snprintf(folder, sizeof folder, "%.700s/scenes", dls_data_folder());
    return f->n_choices ? try_folder(study, "scene", folder, ".yaml", error) : DLS_OK;
}

dls_status dls_peers_published(dls_study *study, dls_error *error)
{
    static const char *const folders[] = {"lcp", "mlcp", "relay", "fc3d"};
    const dls_peers_findings *f = study->found;
    for (size_t k = 0; study->job->data && f->n_choices && k < sizeof folders / sizeof folders[0]; k++) {
        char folder[DLS_PATH_MAX];
        snprintf(folder, sizeof folder, "%.700s/siconos/%s", study->job->data, folders[k]);
        DIR *there = opendir(folder);
        if (!there)
            continue;
        closedir(there);
        DLS_TRY(try_folder(study, "published", folder, ".dat", error));
    }
    return DLS_OK;
}

/* --- manufactured problems --- */

static const char *const matrices[] = {"definite", "semidefinite", "monotone", "p"}, *const bounds[] = {"lcp", "boxed"};

/* Its file stands beside the tables, so that a command can be given for each answer. */
static dls_status try_made(dls_study *study, const dls_recipe *recipe, dls_error *error)
{
    char name[2 * DLS_NAME_MAX], path[DLS_PATH_MAX];
    dls_problem *problem;
    snprintf(name, sizeof name, "peers-%s-%s%s-%lu", matrices[recipe->matrix], bounds[recipe->bounds],
             recipe->degenerate > 0.0 ? "-degenerate" : "", recipe->seed);
    DLS_TRY(dls_job_path(study->job, name, "problem", path, error));
    DLS_TRY(dls_manufacture(recipe, &problem, NULL, NULL, error));
    const dls_peers_case of = {"made", name, path, problem};
    dls_status status = dls_problem_write(problem, path, error);
    if (status == DLS_OK)
        status = dls_peers_try(study, &of, error);
    dls_problem_destroy(problem);
    return status;
}

dls_status dls_peers_made(dls_study *study, dls_error *error)
{
    const dls_peers_settings *set = study->settings;
    const dls_peers_findings *f = study->found;
    const size_t n = set->rows < 30 ? set->rows : 30;
    for (dls_grid g = DLS_GRID(4, 2, 2, set->made); f->n_choices && dls_study_next(study, &g);) {
        const dls_recipe recipe = {.matrix = (dls_matrix_class)g.at[0],
                                   .bounds = (dls_bounds_class)g.at[1],
                                   .n = n,
                                   .degenerate = g.at[2] ? 0.5 : 0.0,
                                   .seed = g.at[3] + 1};
        DLS_TRY(try_made(study, &recipe, error));
    }
    return DLS_OK;
}
