/* Scores and profiles.
 *
 * PROFILE (E. D. Dolan, J. J. More, Mathematical Programming 91 (2002)): for a cost c_ps of solver s on problem p,
 * r_ps = c_ps / min over s of c_ps, infinite where the answer is not right, and rho_s(r) = the share of problems with
 * r_ps <= r. Problems that no solver has right count in the share. "Right" is the examiner's word, with a certificate
 * where there is one: no claim counts.
 *
 * SCORE. A right answer is a point, a silently wrong one costs 16, as in the competition on software verification
 * (SV-COMP); PAR-2 is the mean time, with twice the limit where there is no right answer. The share of right answers has
 * Wilson's interval of 95 % (E. B. Wilson 1927): of problems drawn as these were. */
#include "profile/profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const costs[] = {"iterations", "row-visits", "seconds"};
enum { COSTS = 3, WRONG_POINTS = -16 };

dls_score dls_score_of(const dls_verdict_list *list, size_t solver, size_t tolerance, double seconds)
{
    static const double z = 1.959963984540054; /* of 95 % */
    dls_score score = {.problems = 0};
    double time = 0.0;
    for (size_t k = 0; k < list->count; k++) {
        const dls_judged *j = &list->judged[k];
        if (j->solver != solver || j->tolerance != tolerance)
            continue;
        score.problems++;
        score.verdicts[j->verdict]++;
        time += j->verdict == DLS_VERDICT_RIGHT ? fmin(j->cost[2], seconds) : 2.0 * seconds;
    }
    const double n = (double)score.problems, right = (double)score.verdicts[DLS_VERDICT_RIGHT];
    score.points = right + WRONG_POINTS * (double)score.verdicts[DLS_VERDICT_WRONG];
    if (score.problems > 0) {
        const double share = right / n, middle = share + z * z / (2.0 * n),
                     half = z * sqrt(share * (1.0 - share) / n + z * z / (4.0 * n * n)), scale = 1.0 + z * z / n;
        score.par2 = time / n;
        score.share = share;
        score.least = fmax(0.0, (middle - half) / scale), score.most = fmin(1.0, (middle + half) / scale);
    }
    return score;
}

static dls_status write_answers(const dls_job *job, const dls_verdict_list *list, dls_error *error)
{
    dls_table *table;
    DLS_TRY(dls_job_table(job, "profile.answers", &table, error));
    dls_table_columns(table, "problem\tfamily\trows\tsolver\ttolerance\tclaim\toutcome\tverdict\titerations\trow_visits"
                             "\tseconds[s]\tscaled_residual");
    for (size_t k = 0; k < list->count; k++) {
        const dls_judged *j = &list->judged[k];
        dls_table_row(table, "%s %s %zu %s %g %s %s %s %g %g %g %g", list->problems[j->problem],
                      list->families[j->problem], list->rows[j->problem], list->solvers[j->solver],
                      list->tolerances[j->tolerance], dls_outcome_text(j->claim), dls_outcome_text(j->outcome),
                      dls_verdicts[j->verdict], j->cost[0], j->cost[1], j->cost[2], j->residual);
    }
    return dls_table_commit(table, error);
}

static dls_status write_scores(const dls_job *job, const dls_verdict_list *list, double seconds, dls_error *error)
{
    dls_table *table;
    DLS_TRY(dls_job_table(job, "profile.scores", &table, error));
    dls_table_note(table, "seconds", "%g", seconds);
    dls_table_columns(table, "tolerance\tsolver\tproblems\tright\tunfinished\tunproved\tfailed\tsilently_wrong\trefused"
                             "\tpoints\tpar2[s]\tshare\tshare_least\tshare_most");
    for (size_t t = 0; t < list->n_tolerances; t++)
        for (size_t s = 0; s < list->n_solvers; s++) {
            const dls_score score = dls_score_of(list, s, t, seconds);
            dls_table_cells(table, "%g %s %zu", list->tolerances[t], list->solvers[s], score.problems);
            for (size_t v = 0; v < DLS_VERDICTS; v++)
                dls_table_count(table, score.verdicts[v]);
            dls_table_cells(table, "%g %g %g %g %g", score.points, score.par2, score.share, score.least, score.most);
            dls_table_end_row(table);
        }
    return dls_table_commit(table, error);
}

/* --- profiles --- */

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Infinite where the answer is not right. A cost of 0 counts as the least positive one of its kind: one iteration or
 * visit, and a nanosecond. */
static double cost_of(const dls_judged *j, size_t cost)
{
    return j->verdict != DLS_VERDICT_RIGHT ? HUGE_VAL : fmax(j->cost[cost], cost == 2 ? 1e-9 : 1.0);
}

/* Which solvers have this cost: direct methods make no sweeps, their iterations are others. */
static void solvers_with_cost(const dls_verdict_list *list, size_t cost, bool *has)
{
    for (size_t s = 0; s < list->n_solvers; s++)
        has[s] = cost == 2;
    for (size_t k = 0; k < list->count; k++)
        has[list->judged[k].solver] |= list->judged[k].cost[1] > 0.0;
}

/* The least costs of solvers that have this cost, and the largest ratio to them. */
static double least_costs(const dls_verdict_list *list, size_t tolerance, size_t cost, const bool *has, double *least)
{
    double most = 1.0;
    for (size_t p = 0; p < list->n_problems; p++)
        least[p] = HUGE_VAL;
    for (size_t k = 0; k < list->count; k++) {
        const dls_judged *j = &list->judged[k];
        if (j->tolerance == tolerance && has[j->solver])
            least[j->problem] = fmin(least[j->problem], cost_of(j, cost));
    }
    for (size_t k = 0; k < list->count; k++) {
        const dls_judged *j = &list->judged[k];
        if (j->tolerance == tolerance && has[j->solver] && j->verdict == DLS_VERDICT_RIGHT)
            most = fmax(most, cost_of(j, cost) / least[j->problem]);
    }
    return most;
}

/* The steps of rho of one solver: from each ratio on the share of problems, up to the ratio `most`. */
static void write_curve(const dls_verdict_list *list, size_t solver, size_t tolerance, size_t cost, const double *least,
                        double most, double *ratio, dls_table *table)
{
    size_t count = 0;
    for (size_t k = 0; k < list->count; k++) {
        const dls_judged *j = &list->judged[k];
        if (j->solver == solver && j->tolerance == tolerance && j->verdict == DLS_VERDICT_RIGHT)
            ratio[count++] = cost_of(j, cost) / least[j->problem];
    }
    qsort(ratio, count, sizeof *ratio, by_size);
    for (size_t k = 0; k < count; k++)
        if (k + 1 == count || ratio[k + 1] > ratio[k])
            dls_table_row(table, "%s %g %s %g %g", costs[cost], list->tolerances[tolerance], list->solvers[solver],
                          ratio[k], (double)(k + 1) / (double)list->n_problems);
    if (count > 0 && ratio[count - 1] < most)
        dls_table_row(table, "%s %g %s %g %g", costs[cost], list->tolerances[tolerance], list->solvers[solver], most,
                      (double)count / (double)list->n_problems);
}

static dls_status write_curves(const dls_job *job, const dls_verdict_list *list, dls_error *error)
{
    dls_table *table;
    double *least = malloc((2 * list->n_problems + 1) * sizeof *least),
           *ratio = least ? least + list->n_problems : NULL;
    bool *has = malloc((list->n_solvers + 1) * sizeof *has);
    dls_status status =
        least && has ? dls_job_table(job, "profile.curves", &table, error)
                     : dls_fail(error, DLS_NO_MEMORY, "no memory for the profile of %zu problems", list->n_problems);
    if (status == DLS_OK) {
        dls_table_columns(table, "cost\ttolerance\tsolver\tratio\tshare");
        for (size_t c = 0; c < COSTS; c++) {
            solvers_with_cost(list, c, has);
            for (size_t t = 0; t < list->n_tolerances; t++) {
                const double most = least_costs(list, t, c, has, least);
                for (size_t s = 0; s < list->n_solvers; s++)
                    if (has[s])
                        write_curve(list, s, t, c, least, most, ratio, table);
            }
        }
        status = dls_table_commit(table, error);
    }
    free(least);
    free(has);
    return status;
}

static dls_status draw_profile(const dls_job *job, const dls_verdict_list *list, dls_error *error)
{
    char table[DLS_PATH_MAX], tolerances[256] = "", caption[512], solvers[4096] = "";
    size_t used = 0, named = 0;
    DLS_TRY(dls_job_path(job, "profile.curves", "tsv", table, error));
    for (size_t t = 0; t < list->n_tolerances && used < sizeof tolerances - 30; t++)
        used += (size_t)snprintf(tolerances + used, sizeof tolerances - used, "%s%g", t > 0 ? " " : "",
                                 list->tolerances[t]);
    for (size_t s = 0; s < list->n_solvers && named < sizeof solvers - DLS_NAME_MAX; s++)
        named += (size_t)snprintf(solvers + named, sizeof solvers - named, "%s%s", s > 0 ? " " : "", list->solvers[s]);
    snprintf(
        caption, sizeof caption,
        "Share of %zu problems that a solver has right within a time of so many times the best one's (E. D. Dolan, "
        "J. J. More), for each tolerance. Right is what the examiner certifies; problems that nobody has right count.",
        list->n_problems);
    return dls_plot(job, "profile", table, "profile", caption,
                    (const char *const[]){"tolerances", tolerances, "solvers", solvers, NULL}, error);
}

dls_status dls_scores_write(const dls_job *job, const dls_verdict_list *list, double seconds, dls_error *error)
{
    DLS_TRY(write_answers(job, list, error));
    DLS_TRY(write_scores(job, list, seconds, error));
    DLS_TRY(write_curves(job, list, error));
    return list->count > 0 ? draw_profile(job, list, error) : DLS_OK;
}
