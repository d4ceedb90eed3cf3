/* The examiner's verdicts on all answers of a folder, whoever wrote them: the claims in the files are what is judged.
 */
#include "profile/profile.h"

#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

dls_verdict_list dls_verdicts_begin(const double *tolerances, size_t count)
{
    return (dls_verdict_list){.tolerances = tolerances, .n_tolerances = count, .limit = NAN};
}

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

/* The largest sum of the terms of a velocity b_i = J_i v* - c_i, before they cancel [m/s, rad/s]. */
static double largest_terms(const dls_problem *p)
{
    double largest = 0.0;
    for (size_t i = 0; i < p->n; i++) {
        double sum = fabs(p->c[i]);
        for (size_t block = p->J.start[i]; p->form == DLS_FORM_MECHANICAL && block < p->J.start[i + 1]; block++)
            for (size_t k = p->J.coef_at[block]; k < p->J.coef_at[block + 1]; k++)
                sum += fabs(p->J.coef[k] * p->v_star[p->J.offset[block] + k - p->J.coef_at[block]]);
        largest = fmax(largest, sum);
    }
    return largest;
}

/* Whether what refutes an answer is only small beside the data: in a row whose terms cancel, the scaled residual of an
 * impulse of 1e-16 N s, where 0 is the solution, may be 1. Nobody is accused of that. */
static bool is_small_beside_data(const dls_certificate *figures, const dls_criteria *criteria)
{
    return figures->natural_residual_velocity <= criteria->tolerance * largest_terms(criteria->problem);
}

/* Sets the outcome of the answer. A claim that there is no solution whose Farkas vector proves nothing may be true: the
 * search decides. */
static dls_status decide_attempt(const dls_attempt *a, const dls_criteria *criteria, const double *lambda,
                                 dls_certificate *figures, dls_report *report, dls_error *error)
{
    const bool claims_none = a->claim == DLS_OUTCOME_NO_SOLUTION;
    *report = (dls_report){.outcome = a->claim,
                           .proof = !claims_none ? DLS_PROOF_NONE
                                    : a->farkas  ? DLS_PROOF_FARKAS
                                                 : DLS_PROOF_ENUMERATION,
                           .proof_vector = a->farkas};
    if (dls_outcome_solved(a->claim)) /* one of several too */
        report->outcome = DLS_OUTCOME_SOLVED;
    if (!a->lambda && (report->outcome == DLS_OUTCOME_SOLVED || report->outcome == DLS_OUTCOME_ITERATION_LIMIT))
        report->outcome = DLS_OUTCOME_NUMERICAL_FAILURE;
    DLS_TRY(dls_decide_outcome(criteria, lambda, figures, NULL, report, error));
    if (!claims_none || !a->farkas || report->outcome == DLS_OUTCOME_NO_SOLUTION)
        return DLS_OK;
    *report = (dls_report){.outcome = a->claim, .proof = DLS_PROOF_ENUMERATION};
    return dls_decide_outcome(criteria, lambda, figures, NULL, report, error);
}

static dls_verdict verdict_on(const dls_answers *answers, const dls_attempt *a, const dls_criteria *criteria,
                              const dls_certificate *figures, dls_outcome outcome)
{
    const double residual = a->lambda && a->claim != DLS_OUTCOME_NO_SOLUTION ? figures->scaled_residual : NAN;
    const dls_verdict verdict = dls_verdict_of(answers->direct ? DLS_SOLVER_DIRECT : DLS_SOLVER_ITERATIVE, a->claim,
                                               outcome, residual, criteria->tolerance);
    if (verdict == DLS_VERDICT_WRONG && a->lambda && dls_outcome_solved(a->claim) &&
        is_small_beside_data(figures, criteria))
        return DLS_VERDICT_UNPROVED;
    return verdict == DLS_VERDICT_RIGHT && a->seconds > answers->limit ? DLS_VERDICT_FAILED : verdict; /* too late */
}

static dls_status judge_attempt(const dls_answers *answers, const dls_attempt *a, const dls_criteria *criteria,
                                double *zeros, dls_judged *judged, dls_error *error)
{
    dls_report report;
    dls_certificate figures;
    DLS_TRY(decide_attempt(a, criteria, a->lambda ? a->lambda : zeros, &figures, &report, error));
    judged->claim = a->claim, judged->outcome = report.outcome;
    judged->residual = a->lambda ? figures.scaled_residual : NAN;
    judged->verdict = verdict_on(answers, a, criteria, &figures, report.outcome);
    judged->cost[DLS_COST_ITERATIONS] = (double)a->iterations;
    judged->cost[DLS_COST_VISITS] = a->row_visits;
    judged->cost[DLS_COST_SECONDS] = a->seconds;
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

dls_status dls_verdicts_add_problem(dls_verdict_list *list, const char *name, const dls_problem *problem,
                                    dls_error *error)
{
    const size_t k = list->n_problems;
    if (!DLS_GROW(list->problems, list->room[0], k + 1) || !DLS_GROW(list->family, list->room[1], k + 1) ||
        !DLS_GROW(list->rows, list->room[4], k + 1) || !DLS_GROW(list->known, list->room[6], k + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu problems", k + 1);
    snprintf(list->problems[k], DLS_PROBLEM_NAME, "%s", name);
    list->family[k] = DLS_NONE;
    list->rows[k] = problem->n;
    list->n_problems++;
    return dls_known_measure(problem, &list->known[k], error);
}

/* The family of the last problem: what the first of its answers calls it. */
static dls_status enter_family(dls_verdict_list *list, const char *name, dls_error *error)
{
    size_t *of = &list->family[list->n_problems - 1];
    if (*of != DLS_NONE)
        return DLS_OK;
    for (*of = 0; *of < list->n_families && strcmp(list->families[*of], name) != 0;)
        ++*of;
    if (*of < list->n_families)
        return DLS_OK;
    if (!DLS_GROW(list->families, list->room[5], list->n_families + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu families", list->n_families + 1);
    snprintf(list->families[list->n_families++], DLS_NAME_MAX, "%s", name);
    return DLS_OK;
}

/* Families in the order of their names. */
static void sort_families(dls_verdict_list *list)
{
    for (size_t end = list->n_families; end > 1; end--)
        for (size_t f = 1; f < end; f++) {
            char kept[DLS_NAME_MAX];
            if (strcmp(list->families[f - 1], list->families[f]) <= 0)
                continue;
            memcpy(kept, list->families[f], sizeof kept);
            memcpy(list->families[f], list->families[f - 1], sizeof kept);
            memcpy(list->families[f - 1], kept, sizeof kept);
            for (size_t p = 0; p < list->n_problems; p++)
                list->family[p] = list->family[p] == f ? f - 1 : list->family[p] == f - 1 ? f : list->family[p];
        }
}

/* All answers of a folder have one time limit. */
static dls_status enter_limit(dls_verdict_list *list, const char *path, double limit, dls_error *error)
{
    if (isnan(list->limit)) {
        list->limit = limit;
        snprintf(list->limit_file, sizeof list->limit_file, "%s", path);
    }
    return limit == list->limit ? DLS_OK
                                : dls_fail_about(error, DLS_BAD_INPUT, path, "limit",
                                                 "is %g s, but %g s in %s: answers of different time limits are not "
                                                 "compared; put them into different folders",
                                                 limit, list->limit, list->limit_file);
}

dls_status dls_verdicts_add_answers(dls_verdict_list *list, const dls_answers *answers, const char *path,
                                    const dls_problem *problem, dls_examiner *examiner, dls_error *error)
{
    if (strcmp(answers->problem, list->problems[list->n_problems - 1]) != 0 || answers->n != problem->n)
        return dls_fail_about(error, DLS_BAD_INPUT, path, "problem",
                              "%s, of %zu rows, is not %s, of %zu rows, which it is examined with", answers->problem,
                              answers->n, list->problems[list->n_problems - 1], problem->n);
    DLS_TRY(enter_limit(list, path, answers->limit, error));
    DLS_TRY(enter_family(list, answers->family, error));
    const size_t solver = place_of_solver(list, answers->solver);
    return solver == DLS_NONE ? dls_fail(error, DLS_NO_MEMORY, "no memory for a solver")
                              : judge_answers(answers, problem, examiner, list, solver, error);
}

/* Answers of one solver to the last problem of the list, if it has some. */
static dls_status judge_solver(const dls_job *job, const char *folder, const dls_problem *problem,
                               dls_examiner *examiner, dls_verdict_list *list, dls_error *error)
{
    char path[DLS_PATH_MAX];
    dls_answers answers;
    snprintf(path, sizeof path, "%.600s/answers/%.200s/%s.json", job->output, folder,
             list->problems[list->n_problems - 1]);
    if (access(path, F_OK) != 0)
        return DLS_OK;
    dls_status status = dls_answers_read(path, &answers, error);
    if (status == DLS_OK)
        status = dls_verdicts_add_answers(list, &answers, path, problem, examiner, error);
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
        status = dls_verdicts_add_problem(list, name, content.problem, error);
    if (status == DLS_OK)
        status = dls_examiner_create(content.problem, &examiner, error);
    for (int k = 0; k < n_folders && status == DLS_OK; k++)
        status = judge_solver(job, folders[k]->d_name, content.problem, examiner, list, error);
    if (status == DLS_OK)
        status = enter_family(list, "-", error); /* if nobody has answered it */
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
    *list = dls_verdicts_begin(tolerances, count);
    dls_status status = scan_folder(job, "problems", &problems, &n_problems, error);
    if (status == DLS_OK)
        status = scan_folder(job, "answers", &folders, &n_folders, error);
    for (int k = 0; k < n_problems && status == DLS_OK; k++)
        status = judge_problem(job, problems[k]->d_name, folders, n_folders, list, error);
    sort_families(list);
    release_entries(problems, n_problems > 0 ? n_problems : 0);
    release_entries(folders, n_folders > 0 ? n_folders : 0);
    return status;
}

void dls_verdicts_release(dls_verdict_list *list)
{
    free(list->problems), free(list->families), free(list->solvers), free(list->rows), free(list->family),
        free(list->known), free(list->judged);
    *list = (dls_verdict_list){.count = 0};
}
