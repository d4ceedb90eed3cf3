/* The examiner's verdicts on all answers of a folder, whoever wrote them: the claims in the files are what is judged. */
#include "profile/profile.h"

#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

/* The answer for a tolerance: the one with the largest tolerance that is not above it. */
static const dls_attempt *attempt_for(const dls_answers *answers, double tolerance)
{
    const dls_attempt *best = NULL;
    for (size_t k = 0; k < answers->count; k++) {
        const dls_attempt *a = &answers->attempts[k];
        if (a->tolerance <= tolerance && (!best || a->tolerance > best->tolerance))
            best = a;
    }
    return best;
}

static dls_status judge_attempt(const dls_answers *answers, const dls_attempt *a, const dls_criteria *criteria,
                                double *zeros, dls_judged *judged, dls_error *error)
{
    dls_report report = {.outcome = a->claim,
                         .proof = a->claim != DLS_OUTCOME_NO_SOLUTION ? DLS_PROOF_NONE
                                  : a->farkas                         ? DLS_PROOF_FARKAS
                                                                      : DLS_PROOF_ENUMERATION,
                         .proof_vector = a->farkas};
    dls_certificate figures;
    if (dls_outcome_solved(a->claim)) /* one of several too */
        report.outcome = DLS_OUTCOME_SOLVED;
    if (!a->lambda && (report.outcome == DLS_OUTCOME_SOLVED || report.outcome == DLS_OUTCOME_ITERATION_LIMIT))
        report.outcome = DLS_OUTCOME_NUMERICAL_FAILURE;
    const double *lambda = a->lambda ? a->lambda : zeros;
    DLS_TRY(dls_decide_outcome(criteria, lambda, &figures, NULL, &report, error));
    judged->claim = a->claim, judged->outcome = report.outcome;
    judged->residual = a->lambda ? figures.scaled_residual : NAN;
    judged->verdict = dls_verdict_of(answers->direct ? DLS_SOLVER_DIRECT : DLS_SOLVER_ITERATIVE, a->claim,
                                     report.outcome, judged->residual, criteria->tolerance);
    judged->cost[0] = (double)a->iterations, judged->cost[1] = a->row_visits, judged->cost[2] = a->seconds;
    return DLS_OK;
}

static dls_status judge_answers(const dls_answers *answers, const dls_problem *problem, dls_examiner *examiner,
                                dls_verdict_list *list, size_t solver, dls_error *error)
{
    double *zeros = calloc(problem->n + 1, sizeof *zeros);
    dls_status status = zeros ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", problem->n);
    for (size_t t = 0; t < list->n_tolerances && status == DLS_OK; t++) {
        const dls_criteria criteria = {problem, examiner, list->tolerances[t], DLS_CERTIFY_ROWS};
        const dls_attempt *a = attempt_for(answers, list->tolerances[t]);
        if (!a)
            continue;
        if (!DLS_GROW(list->judged, list->room[3], list->count + 1)) {
            status = dls_fail(error, DLS_NO_MEMORY, "no memory for a verdict");
            continue;
        }
        dls_judged *judged = &list->judged[list->count];
        *judged = (dls_judged){.problem = list->n_problems - 1, .solver = solver, .tolerance = t};
        status = judge_attempt(answers, a, &criteria, zeros, judged, error);
        list->count += status == DLS_OK;
    }
    free(zeros);
    return status;
}

/* The place of a solver in the list, which it enters; DLS_NONE: no memory. */
static size_t place_of_solver(dls_verdict_list *list, const char *solver)
{
    for (size_t k = 0; k < list->n_solvers; k++)
        if (strcmp(list->solvers[k], solver) == 0)
            return k;
    if (!DLS_GROW(list->solvers, list->room[2], list->n_solvers + 1))
        return DLS_NONE;
    snprintf(list->solvers[list->n_solvers], DLS_NAME_MAX, "%.*s", DLS_NAME_MAX - 1, solver);
    return list->n_solvers++;
}

static dls_status enter_problem(dls_verdict_list *list, const char *name, size_t rows, dls_error *error)
{
    const size_t k = list->n_problems;
    if (!DLS_GROW(list->problems, list->room[0], k + 1) || !DLS_GROW(list->families, list->room[1], k + 1) ||
        !DLS_GROW(list->rows, list->room[4], k + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu problems", k + 1);
    snprintf(list->problems[k], DLS_PROBLEM_NAME, "%s", name);
    list->families[k][0] = '\0';
    list->rows[k] = rows;
    list->n_problems++;
    return DLS_OK;
}

/* Answers of one solver to the last problem of the list, if it has some. */
static dls_status judge_solver(const dls_job *job, const char *folder, const dls_problem *problem,
                               dls_examiner *examiner, dls_verdict_list *list, dls_error *error)
{
    char path[DLS_PATH_MAX];
    const char *name = list->problems[list->n_problems - 1];
    dls_answers answers;
    snprintf(path, sizeof path, "%.600s/answers/%.200s/%s.json", job->output, folder, name);
    FILE *there = fopen(path, "r");
    if (!there)
        return DLS_OK;
    fclose(there);
    dls_status status = dls_answers_read(path, &answers, error);
    if (status == DLS_OK && (strcmp(answers.problem, name) != 0 || answers.n != problem->n))
        status = dls_fail_about(error, DLS_BAD_INPUT, path, "problem", "is another one than that of the file's name");
    const size_t solver = status == DLS_OK ? place_of_solver(list, answers.solver) : DLS_NONE;
    if (status == DLS_OK && solver == DLS_NONE)
        status = dls_fail(error, DLS_NO_MEMORY, "no memory for a solver");
    if (status == DLS_OK) {
        snprintf(list->families[list->n_problems - 1], DLS_NAME_MAX, "%s", answers.family);
        status = judge_answers(&answers, problem, examiner, list, solver, error);
    }
    dls_answers_release(&answers);
    return status;
}

static dls_status judge_problem(const dls_job *job, const char *file, struct dirent **folders, int n_folders,
                                dls_verdict_list *list, dls_error *error)
{
    char path[DLS_PATH_MAX], name[DLS_PROBLEM_NAME], stem[DLS_NAME_MAX + DLS_PROBLEM_NAME];
    dls_content content;
    dls_examiner *examiner = NULL;
    snprintf(path, sizeof path, "%.700s/problems/%.200s", job->output, file);
    DLS_TRY(dls_load_problem(path, NULL, &content, error));
    dls_file_stem(path, stem, sizeof stem);
    dls_status status = dls_problem_name(content.problem, name, error);
    if (status == DLS_OK && strcmp(name, stem) != 0)
        status = dls_fail_about(error, DLS_BAD_INPUT, path, NULL,
                                "is another problem than its name says: the SHA-256 of its numbers is %s", name);
    if (status == DLS_OK)
        status = enter_problem(list, name, content.problem->n, error);
    if (status == DLS_OK)
        status = dls_examiner_create(content.problem, &examiner, error);
    for (int k = 0; k < n_folders && status == DLS_OK; k++)
        status = judge_solver(job, folders[k]->d_name, content.problem, examiner, list, error);
    dls_examiner_destroy(examiner);
    dls_content_release(&content);
    return status;
}

static dls_status scan_folder(const dls_job *job, const char *name, struct dirent ***entries, int *count,
                              dls_error *error)
{
    char folder[DLS_PATH_MAX];
    snprintf(folder, sizeof folder, "%.900s/%s", job->output, name);
    *count = scandir(folder, entries, is_visible, by_name);
    return *count >= 0 ? DLS_OK
                       : dls_fail_about(error, DLS_BAD_INPUT, folder, NULL,
                                        "cannot be read: %s; it is made by 'delassus "
                                        "profile'",
                                        strerror(errno));
}

static void release_entries(struct dirent **entries, int count)
{
    for (int k = 0; k < count; k++)
        free(entries[k]);
    free(entries);
}

dls_status dls_verdicts_of_folder(const dls_job *job, const double *tolerances, size_t count, dls_verdict_list *list,
                                  dls_error *error)
{
    struct dirent **problems = NULL, **folders = NULL;
    int n_problems = 0, n_folders = 0;
    *list = (dls_verdict_list){.tolerances = tolerances, .n_tolerances = count};
    dls_status status = scan_folder(job, "problems", &problems, &n_problems, error);
    if (status == DLS_OK)
        status = scan_folder(job, "answers", &folders, &n_folders, error);
    for (int k = 0; k < n_problems && status == DLS_OK; k++)
        status = judge_problem(job, problems[k]->d_name, folders, n_folders, list, error);
    release_entries(problems, n_problems > 0 ? n_problems : 0);
    release_entries(folders, n_folders > 0 ? n_folders : 0);
    return status;
}

void dls_verdicts_release(dls_verdict_list *list)
{
    free(list->problems), free(list->families), free(list->solvers), free(list->rows), free(list->judged);
    *list = (dls_verdict_list){.count = 0};
}
