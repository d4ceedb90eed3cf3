/* The table of the answers of a set, which later runs continue. */
#include "collection/answer.h"

#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char columns[] = "problem\tsha256\trows\tanswer\tmethod\tscaled_residual\tbound\tcertificate\tstatement";

/* The rows of a set by the numbers of their problems, as text with tabs between the cells; NULL: not known. */
typedef struct answers {
    const dls_job *job;
    const dls_collection_set *set;
    char stem[DLS_NAME_MAX];
    char **rows;
} answers;

/* The word of the answer of a row; DLS_ANSWER_WORDS where the row has too few cells, too many, or no such word. */
static size_t row_answer(const char *row)
{
    enum { CELLS = 9, ANSWER = 3 };
    const char *cell = row, *answer = "";
    size_t cells = 1;
    for (; (cell = strchr(cell, '\t')); cells++)
        if (cells == ANSWER)
            answer = ++cell;
        else
            cell++;
    size_t word = 0;
    while (word < DLS_ANSWER_WORDS && (strlen(dls_answer_names[word]) != strcspn(answer, "\t") ||
                                       strncmp(dls_answer_names[word], answer, strcspn(answer, "\t")) != 0))
        word++;
    return cells == CELLS ? word : DLS_ANSWER_WORDS;
}

static bool is_known(const answers *all, size_t k, const char *sha)
{
    const char *row = all->rows[k], *tab = row ? strchr(row, '\t') : NULL;
    return tab && strncmp(tab + 1, sha, DLS_PROBLEM_NAME - 1) == 0 && tab[DLS_PROBLEM_NAME] == '\t';
}

static dls_status keep_row(answers *all, size_t k, const char *text, size_t length, dls_error *error)
{
    char *row = malloc(length + 1);
    if (!row)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a row of a table");
    memcpy(row, text, length);
    row[length] = '\0';
    free(all->rows[k]);
    all->rows[k] = row;
    return DLS_OK;
}

/* The number of the problem of this name. */
static size_t find_problem(const dls_collection_set *set, const char *name, size_t length)
{
    for (size_t k = 0; k < set->count; k++) {
        char own[DLS_PATH_MAX];
        dls_collection_name(set, k, own);
        if (strlen(own) == length && memcmp(own, name, length) == 0)
            return k;
    }
    return DLS_NONE;
}

/* Keeps the rows of the lines "NAME<tab>..." with all cells. Other lines are those of the head, or rows that are not
 * whole, whose problems are solved again. */
static dls_status keep_lines(answers *all, const char *text, dls_error *error)
{
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const size_t k = find_problem(all->set, line, strcspn(line, "\t\n"));
        if (k == DLS_NONE)
            continue;
        DLS_TRY(keep_row(all, k, line, strcspn(line, "\n"), error));
        if (row_answer(all->rows[k]) == DLS_ANSWER_WORDS) {
            free(all->rows[k]);
            all->rows[k] = NULL;
        }
    }
    return DLS_OK;
}

/* Reads the table of an earlier run, if there is one. */
static dls_status read_answers(answers *all, dls_error *error)
{
    char path[DLS_PATH_MAX], *text;
    size_t size;
    DLS_TRY(dls_job_path(all->job, all->stem, "tsv", path, error));
    FILE *there = fopen(path, "r");
    if (!there)
        return DLS_OK;
    fclose(there);
    DLS_TRY(dls_file_read(path, &text, &size, error));
    const dls_status status = keep_lines(all, text, error);
    free(text);
    return status;
}

static void write_cells(dls_table *table, char *row)
{
    for (char *cell = row, *tab; cell; cell = tab ? tab + 1 : NULL) {
        tab = strchr(cell, '\t');
        if (tab)
            *tab = '\0';
        dls_table_text(table, cell);
        if (tab)
            *tab = '\t';
    }
    dls_table_end_row(table);
}

static dls_status write_answers(const answers *all, dls_error *error)
{
    dls_table *table;
    DLS_TRY(dls_job_table(all->job, all->stem, &table, error));
    dls_table_columns(table, columns);
    for (size_t k = 0; k < all->set->count; k++)
        if (all->rows[k])
            write_cells(table, all->rows[k]);
    return dls_table_commit(table, error);
}

/* Removes the certificate of an earlier answer, if there is one. */
static dls_status remove_certificate(const char *path, dls_error *error)
{
    if (remove(path) != 0 && errno != ENOENT)
        return dls_fail(error, DLS_IO, "%s: cannot remove the certificate of an earlier answer: %s", path,
                        dls_system_text(errno));
    return DLS_OK;
}

static dls_status add_answer(answers *all, size_t k, const dls_problem *p, const char *sha, dls_error *error)
{
    char path[DLS_PATH_MAX], stem[DLS_PATH_MAX], row[2 * DLS_PATH_MAX + 2 * DLS_MESSAGE_MAX];
    dls_answer answer;
    dls_collection_name(all->set, k, stem);
    DLS_TRY(dls_job_path(all->job, stem, "cert.json", path, error));
    DLS_TRY(dls_answer_find(p, path, &answer, error));
    if (!answer.stated)
        DLS_TRY(remove_certificate(path, error));
    for (char *c = answer.statement; *c; c++) /* one cell of one line */
        *c = *c == '\t' || *c == '\n' ? ' ' : *c;
    const int length =
        dls_print(row, sizeof row, "%s\t%s\t%zu\t%s\t%s\t%.17g\t%.17g\t%s%s\t%.900s", stem, sha, p->n,
                  dls_answer_names[answer.word], *answer.method ? answer.method : "-", answer.residual, answer.bound,
                  answer.stated ? stem : "-", answer.stated ? ".cert.json" : "", answer.statement);
    return keep_row(all, k, row, (size_t)length, error);
}

/* The answer of a row that is known. */
static void count_answer(const answers *all, size_t k, dls_collection_tally *tally)
{
    tally->answers[row_answer(all->rows[k])]++;
    tally->problems++;
}

static dls_status check_problem(answers *all, size_t k, dls_collection_tally *tally, dls_error *error)
{
    char sha[DLS_PROBLEM_NAME];
    dls_collected made;
    DLS_TRY(dls_collection_make(all->set, k, &made, error));
    dls_status status = dls_problem_name(made.problem, sha, error);
    const bool known = status == DLS_OK && is_known(all, k, sha);
    if (status == DLS_OK && !known)
        status = add_answer(all, k, made.problem, sha, error);
    if (status == DLS_OK && !known)
        status = write_answers(all, error);
    if (status == DLS_OK) {
        tally->known += known;
        count_answer(all, k, tally);
        dls_job_progress(all->job, made.problem->name, (double)(k + 1) / (double)all->set->count);
    }
    dls_collected_release(&made);
    return status;
}

dls_status dls_collection_check(const dls_job *job, const dls_collection_set *set, size_t k,
                                dls_collection_tally *tally, dls_error *error)
{
    answers all = {.job = job, .set = set, .rows = calloc(set->count, sizeof *all.rows)};
    const size_t first = k == DLS_NONE ? 0 : k, end = k == DLS_NONE ? set->count : k + 1;
    dls_collection_stem(set, all.stem);
    dls_status status =
        all.rows ? read_answers(&all, error) : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu answers", set->count);
    for (size_t i = first; status == DLS_OK && i < end && !dls_job_stops(job); i++)
        status = check_problem(&all, i, tally, error);
    for (size_t i = 0; all.rows && i < set->count; i++)
        free(all.rows[i]);
    free(all.rows);
    return status;
}
