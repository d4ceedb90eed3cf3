#include "delassus/experiments.h"

#include "base/module.h"

#include <cblas.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void dls_job_progress(const dls_job *job, const char *what, double share)
{
    if (job->progress)
        job->progress(job->context, what, share);
}

bool dls_job_stops(const dls_job *job) { return job->stop && job->stop(job->context); }

char *dls_shell_word(char *to, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,:=@%^";
    if (*word && !word[strspn(word, plain)])
        return stpcpy(to, word);
    *to++ = '\'';
    for (; *word; word++)
        if (*word == '\'')
            to = stpcpy(to, "'\\''");
        else
            *to++ = *word;
    return stpcpy(to, "'");
}

dls_status dls_job_path(const dls_job *job, const char *stem, const char *suffix, char *path, dls_error *error)
{
    int length = snprintf(path, DLS_PATH_MAX, "%s/%s.%s", job->output, stem, suffix);
    return length < DLS_PATH_MAX ? DLS_OK
                                 : dls_fail(error, DLS_BAD_INPUT, "the path of %s.%s is too long", stem, suffix);
}

void dls_note_provenance(dls_table *table, const char *command)
{
    dls_table_note_build(table);
    dls_table_note(table, "blas", "%s, threads %d", openblas_get_config(), openblas_get_num_threads());
    dls_table_note(table, "command", "%s", command);
}

dls_status dls_job_table(const dls_job *job, const char *stem, dls_table **table, dls_error *error)
{
    char path[DLS_PATH_MAX];
    DLS_TRY(dls_job_path(job, stem, "tsv", path, error));
    DLS_TRY(dls_table_create(path, table, error));
    dls_note_provenance(*table, job->command);
    return DLS_OK;
}

dls_status dls_tables_end(dls_table **tables, size_t count, dls_status status, dls_error *error)
{
    for (size_t k = 0; k < count && status == DLS_OK; k++)
        if (tables[k])
            status = dls_table_settle(tables[k], error);
    for (size_t k = 0; k < count; k++) {
        if (status == DLS_OK && tables[k])
            status = dls_table_commit(tables[k], error);
        else
            dls_table_abandon(tables[k]);
        tables[k] = NULL;
    }
    return status;
}

static bool has_plots(const char *folder)
{
    char path[DLS_PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/plots/style.gp", folder);
    return length < DLS_PATH_MAX && access(path, R_OK) == 0;
}

static bool not_installed(void) { return dls_runs_in_build_tree() && has_plots(DELASSUS_SOURCEDIR); }

/* The data of a wheel, whose library is in delassus.libs/ beside the package delassus/; "" where there are none. */
static char wheel_data[DLS_PATH_MAX];
static pthread_once_t wheel_data_found = PTHREAD_ONCE_INIT;

static void find_wheel_data(void)
{
    char *path = dls_beside_library("../delassus/data", wheel_data) ? realpath(wheel_data, NULL) : NULL;
    snprintf(wheel_data, sizeof wheel_data, "%s", path && has_plots(path) ? path : "");
    free(path);
}

const char *dls_data_folder(void)
{
    const char *folder = getenv("DELASSUS_DATADIR");
    if (folder && *folder)
        return folder;
    pthread_once(&wheel_data_found, find_wheel_data);
    if (wheel_data[0])
        return wheel_data;
    return not_installed() || !has_plots(DELASSUS_DATADIR) ? DELASSUS_SOURCEDIR : DELASSUS_DATADIR;
}

const char *dls_peer_folder(void)
{
    return dls_module_folder("DELASSUS_PEERDIR", DELASSUS_BUILDDIR "/solvers/peers/.libs", DELASSUS_PEERDIR);
}

const char *dls_engine_folder(void)
{
    return dls_module_folder("DELASSUS_ENGINEDIR", DELASSUS_BUILDDIR "/experiments/engines/.libs", DELASSUS_ENGINEDIR);
}
