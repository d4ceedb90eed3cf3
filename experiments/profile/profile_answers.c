/* Solvers on problems, one file of answers for each pair, in the folder of the job:
 *     problems/NAME.problem          each problem once, by the SHA-256 of its numbers
 *     answers/SOLVER/NAME.json       answers of one solver
 * A pair whose file is there, of this version and with the same settings, limits and tolerances, is not solved again: a
 * profile that was stopped goes on, and another solver can be added. */
#include "profile/profile.h"

#include "base/memory.h"
#include "host/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* "KEY=VALUE KEY=VALUE" of all settings. */
static dls_status settings_text(const dls_choice *choice, char text[DLS_SETTINGS_MAX], dls_error *error)
{
    const dls_field_table *fields = &choice->solver->fields;
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < fields->count && used < DLS_SETTINGS_MAX; i++) {
        used +=
            (size_t)snprintf(text + used, DLS_SETTINGS_MAX - used, "%s%s=", i > 0 ? " " : "", fields->fields[i].key);
        if (used < DLS_SETTINGS_MAX)
            used += dls_field_print(&fields->fields[i], choice->settings, text + used, DLS_SETTINGS_MAX - used);
    }
    return used < DLS_SETTINGS_MAX
               ? DLS_OK
               : dls_fail(error, DLS_BAD_INPUT, "the settings of %.60s take more than %d characters",
                          choice->solver->name, DLS_SETTINGS_MAX - 1);
}

/* Whether the file has the answers that are asked for. */
static bool is_answered(const char *path, const dls_profile *profile, const dls_answers *asked)
{
    dls_answers there;
    dls_error ignored;
    bool same = dls_answers_read(path, &there, &ignored) == DLS_OK && there.count == asked->count &&
                there.n == asked->n && there.direct == asked->direct && there.limit == asked->limit &&
                there.most_iterations == asked->most_iterations && strcmp(there.problem, asked->problem) == 0 &&
                strcmp(there.solver, asked->solver) == 0 && strcmp(there.version, asked->version) == 0 &&
                strcmp(there.settings, asked->settings) == 0;
    for (size_t k = 0; same && k < there.count; k++)
        same = there.attempts[k].tolerance == profile->tolerances[there.direct ? profile->n_tolerances - 1 : k];
    dls_answers_release(&there);
    return same;
}

/* JSON has finite numbers alone: a vector with others is left out, and the message says so. */
static void drop_unless_finite(double **x, size_t n, const char *name, dls_attempt *a)
{
    size_t i = 0;
    while (*x && i < n && isfinite((*x)[i]))
        i++;
    if (!*x || i == n)
        return;
    free(*x);
    *x = NULL;
    const size_t used = strlen(a->message);
    snprintf(a->message + used, sizeof a->message - used, "%s%s %zu is not finite: left out", used > 0 ? "; " : "",
             name, i);
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
    drop_unless_finite(&a->lambda, problem->n, "impulse", a);
    drop_unless_finite(&a->farkas, problem->n, "entry of Farkas' vector", a);
    dls_report_release(&report);
    return status;
}

/* Whether the iterates of a sweep up to this answer, or up to its limit, have a good one. */
static bool is_good(const dls_attempt *a, dls_examiner *examiner)
{
    dls_certificate certificate;
    if (!a->lambda)
        return false;
    dls_examine(examiner, a->lambda, NULL, &certificate);
    return dls_is_converged(&certificate, a->tolerance);
}

static double *copy_vector(const double *x, size_t n)
{
    double *copy = malloc((n + 1) * sizeof *copy);
    return copy ? memcpy(copy, x, n * sizeof *copy) : NULL;
}

/* The answer to a smaller tolerance of a sweep that has not reached the one before: the same iterates up to the same
 * limit. */
static dls_status copy_attempt(const dls_attempt *from, size_t n, dls_attempt *to, dls_error *error)
{
    const double tolerance = to->tolerance;
    *to = *from;
    to->tolerance = tolerance;
    to->lambda = from->lambda ? copy_vector(from->lambda, n) : NULL;
    to->farkas = from->farkas ? copy_vector(from->farkas, n) : NULL;
    return (from->lambda && !to->lambda) || (from->farkas && !to->farkas)
               ? dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", n)
               : DLS_OK;
}

static dls_status make_attempts(const dls_profile *profile, const dls_choice *choice, const dls_problem *problem,
                                dls_examiner *examiner, dls_answers *answers, dls_error *error)
{
    answers->attempts = calloc(answers->count, sizeof *answers->attempts);
    if (!answers->attempts)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for an answer");
    for (size_t k = 0; k < answers->count; k++) {
        dls_attempt *a = &answers->attempts[k];
        a->tolerance = profile->tolerances[answers->direct ? profile->n_tolerances - 1 : k];
        if (k > 0 && !dls_outcome_solved(a[-1].claim) && !is_good(&a[-1], examiner))
            DLS_TRY(copy_attempt(&a[-1], problem->n, a, error));
        else
            DLS_TRY(make_attempt(profile, choice, problem, examiner, a, error));
    }
    return DLS_OK;
}

/* Creates FOLDER/answers/SOLVER, and writes the path of the answers to this problem in it. */
static dls_status place_answers(const dls_job *job, const dls_answers *answers, char path[DLS_PATH_MAX],
                                dls_error *error)
{
    char folder[DLS_NAME_MAX], stem[3 * DLS_NAME_MAX], full[DLS_PATH_MAX];
    solver_folder(answers->solver, folder);
    snprintf(stem, sizeof stem, "answers/%s/%s", folder, answers->problem);
    DLS_TRY(dls_job_path(job, stem, "json", path, error));
    snprintf(full, sizeof full, "%.*s", (int)(strrchr(path, '/') - path), path);
    return dls_folder_create(full, error);
}

static dls_status answer_problem(const dls_job *job, const dls_profile *profile, const dls_choice *choice,
                                 const dls_problem *problem, dls_examiner *examiner, dls_answers *answers,
                                 dls_error *error)
{
    char path[DLS_PATH_MAX];
    snprintf(answers->solver, sizeof answers->solver, "%.*s", DLS_NAME_MAX - 1, choice->solver->name);
    answers->direct = choice->solver->kind == DLS_SOLVER_DIRECT;
    answers->count = answers->direct ? 1 : profile->n_tolerances;
    DLS_TRY(settings_text(choice, answers->settings, error));
    DLS_TRY(place_answers(job, answers, path, error));
    if (is_answered(path, profile, answers))
        return DLS_OK;
    dls_status status = make_attempts(profile, choice, problem, examiner, answers, error);
    if (status == DLS_OK)
        status = dls_answers_write(answers, path, error);
    dls_attempts_release(answers);
    return status;
}

static dls_status answer_entry(const dls_job *job, const dls_profile *profile, const dls_profile_entry *entry,
                               dls_error *error)
{
    dls_content content;
    dls_examiner *examiner = NULL;
    dls_answers answers = {.limit = profile->seconds, .most_iterations = profile->iterations};
    char stem[DLS_NAME_MAX + DLS_PROBLEM_NAME], path[DLS_PATH_MAX];
    DLS_TRY(dls_profile_load(entry, &content, answers.family, answers.file, error));
    dls_status status = dls_problem_name(content.problem, answers.problem, error);
    dls_cpu_name(answers.machine, sizeof answers.machine);
    build_version(answers.version);
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

/* Two solvers whose answers would be the same files. */
static dls_status refuse_namesakes(const dls_profile *profile, dls_error *error)
{
    char one[DLS_NAME_MAX], other[DLS_NAME_MAX];
    for (size_t k = 0; k < profile->n_choices; k++)
        for (size_t i = 0; i < k; i++) {
            solver_folder(profile->choices[k].solver->name, one);
            solver_folder(profile->choices[i].solver->name, other);
            if (strcmp(one, other) == 0)
                return dls_fail(error, DLS_BAD_INPUT, "two solvers would both write answers/%s: name each once", one);
        }
    return DLS_OK;
}

static dls_status answer_entries(const dls_job *job, const dls_profile *profile, dls_error *error)
{
    char folder[DLS_PATH_MAX];
    dls_profile_entry *entries;
    size_t count;
    snprintf(folder, sizeof folder, "%.900s/problems", job->output);
    DLS_TRY(refuse_namesakes(profile, error));
    DLS_TRY(dls_folder_create(folder, error));
    for (size_t k = 0; k < profile->n_choices; k++)
        DLS_TRY(dls_choice_limit(&profile->choices[k], profile->seconds, error));
    dls_status status = dls_profile_entries(profile, &entries, &count, error);
    for (size_t i = 0; i < count && status == DLS_OK && !dls_job_stops(job); i++) {
        dls_job_progress(job, entries[i].word, (double)i / (double)count);
        status = answer_entry(job, profile, &entries[i], error);
    }
    free(entries);
    return status;
}

/* Tables and figures of what was judged, and the page. */
static dls_status write_results(const dls_job *job, const dls_verdict_list *list, bool page, dls_error *error)
{
    dls_profile_curve *curves = NULL;
    size_t count = 0;
    dls_choice_errors *choice = calloc(list->n_tolerances + 1, sizeof *choice);
    dls_status status =
        choice ? dls_scores_write(job, list, error) : dls_fail(error, DLS_NO_MEMORY, "no memory for a tree");
    if (status == DLS_OK)
        status = dls_known_write(job, list, error);
    if (status == DLS_OK)
        status = dls_choice_write(job, list, choice, error);
    if (status == DLS_OK)
        status = dls_curves_write(job, list, &curves, &count, error);
    if (status == DLS_OK)
        status = dls_profile_figures(job, list, curves, count, error);
    if (status == DLS_OK && page)
        status = dls_leaderboard_page(job, list, choice, error);
    for (size_t t = 0; choice && t < list->n_tolerances; t++)
        free(choice[t].text);
    free(choice);
    free(curves);
    return status;
}

dls_status dls_profile_run(const dls_job *job, const dls_profile *profile, dls_error *error)
{
    dls_verdict_list list;
    DLS_TRY(answer_entries(job, profile, error));
    dls_status status = dls_verdicts_of_folder(job, profile->tolerances, profile->n_tolerances, &list, error);
    if (status == DLS_OK)
        status = write_results(job, &list, false, error);
    dls_verdicts_release(&list);
    return status;
}

dls_status dls_leaderboard(const dls_job *job, const double *tolerances, size_t count, dls_error *error)
{
    dls_verdict_list list;
    dls_status status = dls_verdicts_of_folder(job, tolerances, count, &list, error);
    if (status == DLS_OK)
        status = write_results(job, &list, true, error);
    dls_verdicts_release(&list);
    return status;
}
