/* Tables of shards as one. */
#include "sweep.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct merge {
    size_t cells;
    char **rows;                   /* of each cell, behind its number; into the texts */
    char *scene, *sweep, *columns; /* lines that all tables share */
    char **texts;                  /* of the files */
    size_t count;
} merge;

static dls_status shard_fault(const char *file, const char *why, dls_error *error)
{
    return dls_fail_about(error, DLS_BAD_INPUT, file, NULL, "%s", why);
}

/* The text after "# KEY: " in a line, or NULL. */
static char *note_of(char *line, const char *key)
{
    const size_t length = strlen(key);
    const bool is =
        strncmp(line, "# ", 2) == 0 && strncmp(line + 2, key, length) == 0 && strncmp(line + 2 + length, ": ", 2) == 0;
    return is ? line + 4 + length : NULL;
}

static bool is_same(char **shared, char *found)
{
    if (!*shared)
        *shared = found;
    return found && strcmp(*shared, found) == 0;
}

static dls_status take_row(merge *m, const char *file, char *line, dls_error *error)
{
    char *rest;
    const unsigned long long cell = strtoull(line, &rest, 10);
    if (*rest != '\t' || cell == 0 || cell > m->cells)
        return shard_fault(file, "a row has no number of a cell of this sweep", error);
    if (m->rows[cell - 1])
        return dls_fail_about(error, DLS_BAD_INPUT, file, NULL, "cell %llu is in another table, too", cell);
    m->rows[cell - 1] = rest + 1;
    return DLS_OK;
}

/* The notes, the line of columns, the rows; lines are cut in place. */
static dls_status take_file(merge *m, const char *file, char *text, dls_error *error)
{
    char *scene = NULL, *sweep = NULL, *shard = NULL, *next;
    bool rows = false;
    for (char *line = text; *line; line = next) {
        next = line + strcspn(line, "\n");
        if (*next)
            *next++ = '\0';
        scene = scene ? scene : note_of(line, "scene");
        sweep = sweep ? sweep : note_of(line, "sweep");
        shard = shard ? shard : note_of(line, "shard");
        if (*line == '#')
            continue;
        if (rows) {
            DLS_TRY(take_row(m, file, line, error));
            continue;
        }
        const char *of = shard ? strstr(shard, ", of ") : NULL;
        const unsigned long long cells = of ? strtoull(of + 5, NULL, 10) : 0;
        if (!scene || !sweep || cells == 0)
            return shard_fault(file, "is no table of a sweep", error);
        if (!is_same(&m->scene, scene) || !is_same(&m->sweep, sweep) || !is_same(&m->columns, line) ||
            (m->rows && m->cells != cells))
            return shard_fault(file, "is of another sweep than the tables before it", error);
        if (!m->rows) {
            m->cells = (size_t)cells;
            m->rows = calloc(m->cells + 1, sizeof *m->rows);
            if (!m->rows)
                return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu cells", m->cells);
        }
        rows = true;
    }
    return rows ? DLS_OK : shard_fault(file, "is no table of a sweep", error);
}

static dls_status take_files(merge *m, const char *const *files, size_t count, dls_error *error)
{
    m->texts = calloc(count + 1, sizeof *m->texts);
    if (!m->texts)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu tables", count);
    for (; m->count < count; m->count++) {
        size_t size;
        DLS_TRY(dls_file_read(files[m->count], &m->texts[m->count], &size, error));
        if (strlen(m->texts[m->count]) != size)
            return m->count++, shard_fault(files[m->count - 1], "has a zero byte", error);
        const dls_status status = take_file(m, files[m->count], m->texts[m->count], error);
        if (status != DLS_OK)
            return m->count++, status;
    }
    for (size_t k = 0; k < m->cells; k++)
        if (!m->rows[k])
            return dls_fail(error, DLS_BAD_INPUT, "cell %zu of %zu is in no table: a shard is missing", k + 1,
                            m->cells);
    return DLS_OK;
}

static dls_status write_table(const merge *m, const dls_job *job, const char *stem, dls_sweep_result *result,
                              dls_error *error)
{
    char number[32], name[DLS_NAME_MAX + 16];
    dls_table *table;
    snprintf(name, sizeof name, "%s.sweep", stem);
    DLS_TRY(dls_job_table(job, name, &table, error));
    dls_table_note(table, "scene", "%s", m->scene);
    dls_table_note(table, "sweep", "%s", m->sweep);
    dls_table_note(table, "shard", "1 of 1, of %zu cells", m->cells);
    dls_table_columns(table, m->columns);
    for (size_t k = 0; k < m->cells; k++) {
        snprintf(number, sizeof number, "%zu", k + 1);
        dls_table_text(table, number);
        dls_sweep_put(table, m->rows[k], result);
    }
    result->cells = m->cells;
    DLS_TRY(dls_table_commit(table, error));
    return dls_job_path(job, name, "tsv", result->table, error);
}

dls_status dls_sweep_merge(const dls_job *job, const char *const *files, size_t count, dls_sweep_result *result,
                           dls_error *error)
{
    merge m = {.cells = 0};
    char stem[DLS_NAME_MAX];
    *result = (dls_sweep_result){.cells = 0};
    dls_status status = take_files(&m, files, count, error);
    if (status == DLS_OK) {
        dls_file_stem(files[0], stem, sizeof stem);
        char *suffix = strstr(stem, ".sweep");
        if (suffix)
            *suffix = '\0';
        status = write_table(&m, job, stem, result, error);
    }
    for (size_t k = 0; k < m.count; k++)
        free(m.texts[k]);
    free(m.texts);
    free(m.rows);
    return status;
}
