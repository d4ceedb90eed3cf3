/* Scores: of each solver at each tolerance, of all problems and of each family.
 *
 * A right answer is a point, a silently wrong one costs 16, as in the competition on software verification (SV-COMP);
 * PAR-2 is the mean time, with twice the limit where there is no right answer. The share of right answers has
 * Wilson's interval of 95 % (E. B. Wilson 1927): of problems drawn as these were. */
#include "profile/profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WRONG_POINTS = -16 };

/* Wilson's interval of 95 % of a share of n. */
static void score_interval(double share, double n, double *least, double *most)
{
    static const double z = 1.959963984540054; /* of 95 % */
    const double middle = share + z * z / (2.0 * n), scale = 1.0 + z * z / n,
                 half = z * sqrt(share * (1.0 - share) / n + z * z / (4.0 * n * n));
    *least = fmax(0.0, (middle - half) / scale), *most = fmin(1.0, (middle + half) / scale);
}

/* The score on problems of this family; DLS_NONE: on all. */
static dls_score score_family(const dls_verdict_list *list, size_t solver, size_t tolerance, size_t family)
{
    dls_score score = {.problems = 0};
    double time = 0.0;
    size_t answered = 0;
    for (size_t p = 0; p < list->n_problems; p++)
        score.problems += family == DLS_NONE || list->family[p] == family;
    for (size_t k = 0; k < list->count; k++) {
        const dls_judged *j = &list->judged[k];
        if (j->solver != solver || j->tolerance != tolerance ||
            (family != DLS_NONE && list->family[j->problem] != family))
            continue;
        answered++;
        score.verdicts[j->verdict]++;
        time += j->verdict == DLS_VERDICT_RIGHT ? j->cost[DLS_COST_SECONDS] : 2.0 * list->limit;
    }
    score.unanswered = score.problems - answered;
    time += 2.0 * list->limit * (double)score.unanswered;
    const double n = (double)score.problems, right = (double)score.verdicts[DLS_VERDICT_RIGHT];
    score.points = right + WRONG_POINTS * (double)score.verdicts[DLS_VERDICT_WRONG];
    if (score.problems > 0) {
        score.par2 = time / n;
        score.share = right / n;
        score_interval(score.share, n, &score.least, &score.most);
    }
    return score;
}

/* By points, then by time, then in the order of the list. */
static int by_points(const void *a, const void *b)
{
    const dls_standing *x = a, *y = b;
    if (x->score.points != y->score.points)
        return x->score.points > y->score.points ? -1 : 1;
    if (x->score.par2 != y->score.par2)
        return x->score.par2 < y->score.par2 ? -1 : 1;
    return (x->solver > y->solver) - (x->solver < y->solver);
}

dls_standing *dls_standings(const dls_verdict_list *list, size_t tolerance, dls_error *error)
{
    dls_standing *places = malloc((list->n_solvers + 1) * sizeof *places);
    if (!places) {
        dls_fail(error, DLS_NO_MEMORY, "no memory for the scores of %zu solvers", list->n_solvers);
        return NULL;
    }
    for (size_t s = 0; s < list->n_solvers; s++)
        places[s] = (dls_standing){s, score_family(list, s, tolerance, DLS_NONE)};
    qsort(places, list->n_solvers, sizeof *places, by_points);
    return places;
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
                      list->families[list->family[j->problem]], list->rows[j->problem], list->solvers[j->solver],
                      list->tolerances[j->tolerance], dls_outcome_text(j->claim), dls_outcome_text(j->outcome),
                      dls_verdicts[j->verdict], j->cost[0], j->cost[1], j->cost[2], j->residual);
    }
    return dls_table_commit(table, error);
}

static void put_score(dls_table *table, const dls_score *score)
{
    for (size_t v = 0; v < DLS_VERDICTS; v++)
        dls_table_count(table, score->verdicts[v]);
    dls_table_cells(table, "%zu %g %g %g %g %g", score->unanswered, score->points, score->par2, score->share,
                    score->least, score->most);
    dls_table_end_row(table);
}

#define SCORE_COLUMNS                                                                                              \
    "problems\tright\tunfinished\tunproved\tfailed\tsilently_wrong\trefused\tunanswered\tpoints\tpar2[s]\tshare\t" \
    "share_least\tshare_most"

/* At each tolerance, the best first. */
static dls_status write_scores(const dls_job *job, const dls_verdict_list *list, dls_error *error)
{
    dls_table *table;
    DLS_TRY(dls_job_table(job, "profile.scores", &table, error));
    dls_table_note(table, "limit", "%g s", list->limit);
    dls_table_columns(table, "tolerance\tsolver\t" SCORE_COLUMNS);
    for (size_t t = 0; t < list->n_tolerances; t++) {
        dls_standing *places = dls_standings(list, t, error);
        if (!places) {
            dls_table_abandon(table);
            return DLS_NO_MEMORY;
        }
        for (size_t k = 0; k < list->n_solvers; k++) {
            dls_table_cells(table, "%g %s %zu", list->tolerances[t], list->solvers[places[k].solver],
                            places[k].score.problems);
            put_score(table, &places[k].score);
        }
        free(places);
    }
    return dls_table_commit(table, error);
}

/* A row for each tolerance, family and solver, in this order. */
static dls_status write_families(const dls_job *job, const dls_verdict_list *list, dls_error *error)
{
    dls_table *table;
    DLS_TRY(dls_job_table(job, "profile.families", &table, error));
    dls_table_note(table, "limit", "%g s", list->limit);
    dls_table_columns(table, "tolerance\tfamily\tsolver\t" SCORE_COLUMNS);
    for (size_t t = 0; t < list->n_tolerances; t++)
        for (size_t f = 0; f < list->n_families; f++)
            for (size_t s = 0; s < list->n_solvers; s++) {
                const dls_score score = score_family(list, s, t, f);
                dls_table_cells(table, "%g %s %s %zu", list->tolerances[t], list->families[f], list->solvers[s],
                                score.problems);
                put_score(table, &score);
            }
    return dls_table_commit(table, error);
}

dls_status dls_scores_write(const dls_job *job, const dls_verdict_list *list, dls_error *error)
{
    DLS_TRY(write_answers(job, list, error));
    DLS_TRY(write_scores(job, list, error));
    return write_families(job, list, error);
}
