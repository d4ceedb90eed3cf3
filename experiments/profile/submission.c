/* One answer file: its form, its problem, and the verdicts. */
#include "profile/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* FILE is FOLDER/answers/SOLVER/NAME.json: the problem is FOLDER/problems/NAME.problem. */
static void problem_beside(const char *file, const char *name, char path[DLS_PATH_MAX])
{
    const char *slash = strrchr(file, '/');
    const int length = slash ? (int)(slash - file) : 1;
    snprintf(path, DLS_PATH_MAX, "%.*s/../../problems/%s.problem", length, slash ? file : ".", name);
}

/* Loads the problem that is named; else that of the collection which the file names; else the one beside the file. */
static dls_status load_problem(const char *file, const char *named, const dls_answers *answers, dls_content *content,
                               dls_error *error)
{
    char path[DLS_PATH_MAX], family[DLS_NAME_MAX], name[DLS_PATH_MAX];
    const bool of_collection = !named && strchr(answers->file, '/') && dls_collection_has(answers->file);
    problem_beside(file, answers->problem, path);
    const char *word = named ? named : of_collection ? answers->file : path;
    dls_profile_entry *entries;
    size_t count;
    *content = (dls_content){.problem = NULL};
    dls_status status = dls_profile_entries(&(dls_profile){.words = &word, .n_words = 1}, &entries, &count, error);
    if (status == DLS_OK && count != 1)
        status = dls_fail(error, DLS_BAD_INPUT, "%.60s has %zu problems: name one of them", word, count);
    if (status == DLS_OK)
        status = dls_profile_load(&entries[0], content, family, name, error);
    free(entries);
    return status;
}

static dls_status judge(const char *file, const dls_answers *answers, const dls_problem *problem,
                        dls_verdict_list *list, dls_error *error)
{
    char name[DLS_PROBLEM_NAME];
    dls_examiner *examiner = NULL;
    DLS_TRY(dls_problem_name(problem, name, error));
    DLS_TRY(dls_verdicts_add_problem(list, name, problem, error));
    DLS_TRY(dls_examiner_create(problem, &examiner, error));
    const dls_status status = dls_verdicts_add_answers(list, answers, file, problem, examiner, error);
    dls_examiner_destroy(examiner);
    return status;
}

dls_status dls_submission_check(const char *file, const char *problem, const double *tolerances, size_t count,
                                dls_submission *of, dls_error *error)
{
    dls_answers answers;
    dls_content content = {.problem = NULL};
    dls_verdict_list list = dls_verdicts_begin(tolerances, count);
    *of = (dls_submission){.count = 0};
    dls_status status = dls_answers_read(file, &answers, error);
    if (status == DLS_OK)
        status = load_problem(file, problem, &answers, &content, error);
    if (status == DLS_OK)
        status = judge(file, &answers, content.problem, &list, error);
    if (status == DLS_OK && list.count > DLS_SUBMISSION_TOLERANCES)
        status = dls_fail(error, DLS_BAD_INPUT, "more than %d tolerances", DLS_SUBMISSION_TOLERANCES);
    if (status == DLS_OK) {
        snprintf(of->problem, sizeof of->problem, "%s", answers.problem);
        snprintf(of->solver, sizeof of->solver, "%s", answers.solver);
        snprintf(of->version, sizeof of->version, "%s", answers.version);
        of->rows = answers.n;
    }
    for (size_t k = 0; status == DLS_OK && k < list.count; k++) {
        const dls_judged *j = &list.judged[k];
        of->of[of->count++] = (dls_submitted){.tolerance = tolerances[j->tolerance],
                                              .claim = j->claim,
                                              .outcome = j->outcome,
                                              .verdict = j->verdict,
                                              .residual = j->residual,
                                              .seconds = j->cost[DLS_COST_SECONDS]};
    }
    dls_verdicts_release(&list);
    dls_content_release(&content);
    dls_answers_release(&answers);
    return status;
}
