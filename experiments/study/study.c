/* A run of an experiment: settings checked, tables opened, parts run, tables committed, figures drawn. */
#include "study/study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dls_status check_lists(const dls_field_table *table, const void *settings, dls_error *error)
{
    for (const dls_field *f = table->fields; f < table->fields + table->count; f++) {
        dls_list list;
        if (f->kind != DLS_FIELD_REALS && f->kind != DLS_FIELD_COUNTS)
            continue;
        memcpy(&list, (const char *)settings + f->offset, sizeof list);
        if (list.count == 0 || list.count > DLS_LIST_MAX)
            return dls_fail_about(error, DLS_BAD_INPUT, NULL, f->key, "must be 1 to %d numbers, not %zu",
                                  (int)DLS_LIST_MAX, list.count);
    }
    return DLS_OK;
}

dls_status dls_study_open(const dls_experiment *experiment, const dls_job *job, const void *settings, dls_study **study,
                          dls_error *error)
{
    dls_study *s = *study = calloc(1, sizeof *s);
    size_t n_tables = 0, n_parts = 0;
    while (experiment->tables[n_tables].stem)
        n_tables++;
    while (experiment->parts[n_parts].name)
        n_parts++;
    if (s) {
        *s = (dls_study){.job = job,
                         .experiment = experiment,
                         .settings = settings,
                         .found = calloc(1, experiment->findings + 1),
                         .tables = calloc(n_tables + 1, sizeof(dls_table *)),
                         .n_tables = n_tables,
                         .n_parts = n_parts};
    }
    dls_status status = s && s->found && s->tables
                            ? DLS_OK
                            : dls_fail(error, DLS_NO_MEMORY, "no memory for the experiment %s", experiment->name);
    if (status == DLS_OK)
        status = check_lists(&experiment->fields, settings, error);
    if (status == DLS_OK && experiment->prepare)
        status = experiment->prepare(s, error);
    if (status != DLS_OK) {
        dls_study_close(s);
        *study = NULL;
    }
    return status;
}

static dls_status open_tables(dls_study *s, dls_error *error)
{
    const dls_experiment *e = s->experiment;
    for (size_t k = 0; k < s->n_tables; k++) {
        DLS_TRY(dls_job_table(s->job, e->tables[k].stem, &s->tables[k], error));
        dls_table_note_fields(s->tables[k], "", &e->fields, s->settings);
        if (e->remark[0])
            dls_table_note(s->tables[k], e->remark[0], "%s", e->remark[1]);
        if (e->note)
            e->note(s, s->tables[k]);
        if (e->tables[k].columns)
            dls_table_columns(s->tables[k], e->tables[k].columns);
    }
    return DLS_OK;
}

dls_status dls_study_measure(dls_study *s, dls_error *error)
{
    dls_status status = open_tables(s, error);
    const dls_experiment_part *parts = s->experiment->parts;
    for (s->part = 0; s->part < s->n_parts && status == DLS_OK; s->part++) {
        dls_job_progress(s->job, parts[s->part].name, (double)s->part / (double)s->n_parts);
        status = parts[s->part].run(s, error);
    }
    return dls_tables_end(s->tables, s->n_tables, status, error);
}

void dls_study_close(dls_study *s)
{
    if (!s)
        return;
    if (s->found && s->experiment->release)
        s->experiment->release(s->found);
    free(s->found);
    free(s->tables);
    free(s);
}

/* NAME.finding.txt: the figure's stem, and the sentence on the next line. */
static dls_status write_finding(const dls_study *study, dls_error *error)
{
    dls_finding finding = {.figure = ""};
    char path[DLS_PATH_MAX];
    dls_output output;
    study->experiment->conclude(study, &finding);
    DLS_TRY(dls_job_path(study->job, study->experiment->name, "finding.txt", path, error));
    if (!finding.figure[0]) {
        remove(path); /* of an earlier run in this folder */
        return DLS_OK;
    }
    DLS_TRY(dls_output_open(&output, path, error));
    fprintf(output.stream, "%s\n%s\n", finding.figure, finding.sentence);
    return dls_output_commit(&output, error);
}

bool dls_finding_read(const dls_job *job, const char *experiment, dls_finding *finding)
{
    char path[DLS_PATH_MAX], *text;
    size_t size;
    *finding = (dls_finding){.figure = ""};
    if (dls_job_path(job, experiment, "finding.txt", path, NULL) != DLS_OK ||
        dls_file_read(path, &text, &size, NULL) != DLS_OK)
        return false;
    char *sentence = text;
    const char *figure = strsep(&sentence, "\n");
    if (sentence) {
        snprintf(finding->figure, sizeof finding->figure, "%s", figure);
        snprintf(finding->sentence, sizeof finding->sentence, "%.*s", (int)strcspn(sentence, "\n"), sentence);
    }
    free(text);
    return finding->figure[0] != '\0';
}

dls_status dls_experiment_run(const dls_experiment *experiment, const dls_job *job, const void *settings,
                              dls_error *error)
{
    dls_study *study;
    DLS_TRY(dls_study_open(experiment, job, settings, &study, error));
    dls_status status = dls_study_measure(study, error);
    if (status == DLS_OK && experiment->figures)
        status = experiment->figures(study, error);
    if (status == DLS_OK && experiment->conclude)
        status = write_finding(study, error);
    dls_study_close(study);
    return status;
}

bool dls_study_next(const dls_study *s, dls_grid *grid)
{
    size_t total = 1, left = grid->done++;
    for (int k = 0; k < DLS_GRID_AXES && grid->count[k]; k++)
        total *= grid->count[k];
    if (left >= total)
        return false;
    double share = (double)left / (double)total;
    for (int k = DLS_GRID_AXES - 1; k >= 0; k--) {
        size_t count = grid->count[k] ? grid->count[k] : 1;
        grid->at[k] = left % count;
        left /= count;
    }
    dls_job_progress(s->job, s->experiment->parts[s->part].name, ((double)s->part + share) / (double)s->n_parts);
    return true;
}
