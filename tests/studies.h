/* studies.h - experiments in small, with their tables in a folder of their own, for tests of their findings. */
#ifndef DLS_TESTS_STUDIES_H
#define DLS_TESTS_STUDIES_H

#include "delassus/experiments.h"

#include "check.h"
#include "study/study.h"

#include <stdio.h>
#include <unistd.h>

/* Opens the experiment with these settings; `settings` has room for them. Closed by close_study, also after
 * a failure. */
static inline dls_status open_study(const char *name, const dls_job *job, void *settings,
                                    const char *const (*options)[2], size_t count, dls_study **study, dls_error *error)
{
    const dls_experiment *experiment = dls_experiment_find(name);
    assert_non_null(experiment);
    *study = NULL;
    assert_status(dls_fields_default(&experiment->fields, settings, error), error);
    for (size_t k = 0; k < count; k++)
        DLS_TRY(dls_field_set(&experiment->fields, settings, options[k][0], options[k][1], error));
    return dls_study_open(experiment, job, settings, study, error);
}

static inline void close_study(const char *name, void *settings, dls_study *study)
{
    dls_study_close(study);
    dls_fields_release(&dls_experiment_find(name)->fields, settings);
}

/* The folder has the tables of the experiment, and nothing else. */
static inline void remove_tables(const char *name, const char *folder)
{
    for (const dls_experiment_table *table = dls_experiment_find(name)->tables; table->stem; table++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s.tsv", folder, table->stem);
        assert_int_equal(remove(path), 0);
    }
    assert_int_equal(rmdir(folder), 0);
}

#endif
