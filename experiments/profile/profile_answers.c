/* Solvers on problems, one file of answers for each pair, in the folder of the job:
 *     problems/NAME.problem          each problem once, by the SHA-256 of its numbers
 *     answers/SOLVER/NAME.json       answers of one solver
 * A pair whose file is there, of this version and with the same tolerances, is not solved again: a profile that was
 * stopped goes on, and another solver can be added. */
#include "profile/profile.h"

#include "base/memory.h"
#include "host/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text before the first "-", "_", "." or digit of the file's name. */
static void family_of_file(const char *file, char family[DLS_NAME_MAX])
{
    dls_file_stem(file, family, DLS_NAME_MAX);
    const size_t length = strcspn(family, "-_.0123456789");
    if (length > 0)
        family[length] = '\0';
}

/* A name for a folder: of another program's command, letters and digits alone. */
static void solver_folder(const char *solver, char folder[DLS_NAME_MAX])
{
    snprintf(folder, DLS_NAME_MAX, "%.*s", DLS_NAME_MAX - 1, solver);
    for (char *c = folder; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '-'))
            *c = '_';
}

/* An answer of another build may be another one. */
static void build_version(char version[DLS_NAME_MAX])
{
    const dls_build build = dls_build_facts();
    snprintf(version, DLS_NAME_MAX, "%s, commit %s", build.version, build.commit);
}

static bool is_answered(const char *path, const dls_profile *profile, size_t attempts)
{
    dls_answers answers;
    dls_error ignored;
    char version[DLS_NAME_MAX];
    build_version(version);
    bool same = dls_answers_read(path, &answers, &ignored) == DLS_OK && answers.count == attempts &&
                strcmp(answers.version, version) == 0;
    for (size_t k = 0; same && k < attempts; k++)
        same = answers.attempts[k].tolerance == profile->tolerances[attempts == 1 ? profile->n_tolerances - 1 : k];
    dls_answers_release(&answers);
    return same;
}

static dls_status make_attempt(const dls_profile *profile, const dls_choice *choice, const dls_problem *problem,
                               dls_examiner *examiner, dls_attempt *a, dls_error *error)
{
    dls_stop stop = {.examiner = examiner, .tolerance = a->tolerance, .limit = profile->iterations, .timed = true};
    dls_report report = {0};
    a->lambda = calloc(problem->n + 1, sizeof *a->lambda);
    if (!a->lambda)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", problem->n);
    const dls_status status = dls_solve_until(choice, problem, &stop, a->lambda, &report, error);
    if (status == DLS_OK) {
        a->claim = report.outcome;
        a->iterations = report.iterations, a->row_visits = report.row_visits, a->seconds = report.seconds;
        a->farkas = report.proof == DLS_PROOF_FARKAS ? report.proof_vector : NULL;
        report.proof_vector = a->farkas ? NULL : report.proof_vector;
        snprintf(a->message, sizeof a->message, "%s", report.message);
    }
    for (size_t i = 0; i < problem->n; i++)
        if (!isfinite(a->lambda[i])) { /* JSON has no such number */
            free(a->lambda);
            a->lambda = NULL;
            break;
        }
    dls_report_release(&report);
    return status;
}

static dls_status answer_problem(const dls_job *job, const dls_profile *profile, const dls_choice *choice,
                                 const dls_problem *problem, dls_examiner *examiner, dls_answers *answers,
                                 dls_error *error)
{
    char path[DLS_PATH_MAX], folder[DLS_NAME_MAX], stem[3 * DLS_NAME_MAX];
    solver_folder(choice->solver->name, folder);
    snprintf(stem, sizeof stem, "answers/%s/%s", folder, answers->problem);
    DLS_TRY(dls_job_path(job, stem, "json", path, error));
    answers->direct = choice->solver->kind == DLS_SOLVER_DIRECT;
    answers->count = answers->direct ? 1 : profile->n_tolerances;
    if (is_answered(path, profile, answers->count))
        return DLS_OK;
    snprintf(answers->solver, sizeof answers->solver, "%.*s", DLS_NAME_MAX - 1, choice->solver->name);
    answers->attempts = calloc(answers->count, sizeof *answers->attempts);
    dls_status status = answers->attempts ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for an answer");
    for (size_t k = 0; k < answers->count && status == DLS_OK; k++) {
        answers->attempts[k].tolerance = profile->tolerances[answers->direct ? profile->n_tolerances - 1 : k];
        status = make_attempt(profile, choice, problem, examiner, &answers->attempts[k], error);
    }
    char full[DLS_PATH_MAX];
    snprintf(stem, sizeof stem, "answers/%s", folder);
    if (status == DLS_OK)
        status = dls_job_path(job, stem, "", full, error);
    if (status == DLS_OK) {
        full[strlen(full) - 1] = '\0'; /* the dot of a suffix */
        status = dls_folder_create(full, error);
    }
    if (status == DLS_OK)
        status = dls_answers_write(answers, path, error);
    for (size_t k = 0; answers->attempts && k < answers->count; k++) {
        free(answers->attempts[k].lambda);
        free(answers->attempts[k].farkas);
    }
    free(answers->attempts);
    answers->attempts = NULL;
    return status;
}

static dls_status answer_file(const dls_job *job, const dls_profile *profile, const char *file, dls_error *error)
{
    dls_content content;
    dls_examiner *examiner = NULL;
    dls_answers answers = {.count = 0};
    char stem[DLS_NAME_MAX + DLS_PROBLEM_NAME], path[DLS_PATH_MAX];
    DLS_TRY(dls_load_problem(file, NULL, &content, error));
    dls_status status = dls_problem_name(content.problem, answers.problem, error);
    family_of_file(file, answers.family);
    dls_cpu_name(answers.machine, sizeof answers.machine);
    build_version(answers.version);
    snprintf(answers.file, sizeof answers.file, "%s", file);
    snprintf(stem, sizeof stem, "problems/%s", answers.problem);
    answers.n = content.problem->n;
    if (status == DLS_OK)
        status = dls_job_path(job, stem, "problem", path, error);
    if (status == DLS_OK)
        status = dls_problem_write(content.problem, path, error);
    if (status == DLS_OK)
        status = dls_examiner_create(content.problem, &examiner, error);
    for (size_t k = 0; k < profile->n_choices && status == DLS_OK && !dls_job_stops(job); k++)
        status = answer_problem(job, profile, &profile->choices[k], content.problem, examiner, &answers, error);
    dls_examiner_destroy(examiner);
    dls_content_release(&content);
    return status;
}

static dls_status answer_files(const dls_job *job, const dls_profile *profile, dls_error *error)
{
    char folder[DLS_PATH_MAX];
    snprintf(folder, sizeof folder, "%.900s/problems", job->output);
    DLS_TRY(dls_folder_create(folder, error));
    for (size_t k = 0; k < profile->n_choices; k++)
        DLS_TRY(dls_choice_limit(&profile->choices[k], profile->seconds, error));
    for (size_t i = 0; i < profile->n_files && !dls_job_stops(job); i++) {
        dls_job_progress(job, profile->files[i], (double)i / (double)profile->n_files);
        DLS_TRY(answer_file(job, profile, profile->files[i], error));
    }
    return DLS_OK;
}

dls_status dls_profile_run(const dls_job *job, const dls_profile *profile, dls_error *error)
{
    dls_verdict_list list;
    DLS_TRY(answer_files(job, profile, error));
    dls_status status = dls_verdicts_of_folder(job, profile->tolerances, profile->n_tolerances, &list, error);
    if (status == DLS_OK)
        status = dls_scores_write(job, &list, profile->seconds, error);
    dls_verdicts_release(&list);
    return status;
}

dls_status dls_leaderboard(const dls_job *job, const double *tolerances, size_t count, double seconds, dls_error *error)
{
    dls_verdict_list list;
    dls_status status = dls_verdicts_of_folder(job, tolerances, count, &list, error);
    if (status == DLS_OK)
        status = dls_scores_write(job, &list, seconds, error);
    if (status == DLS_OK)
        status = dls_leaderboard_page(job, &list, seconds, error);
    dls_verdicts_release(&list);
    return status;
}
