/* The table of all runs, and the figure of cost against error. */
#include "parts.h"

#include "base/text.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WAYS = 2048 };
static const double drawn = 10.0; /* largest error in the figure, as in plots/recommend.gp */
static const char columns[] =
    "scheme\tsolver\titerations\tstep[s]\tsteps\twork\tmeasured_time[s]\terror\terror_end\tfate"
    "\tfront\trecommended\treason";

static int compare_trials(const void *a, const void *b)
{
    const recommend_trial *one = *(recommend_trial *const *)a, *other = *(recommend_trial *const *)b;
    if (one->work != other->work)
        return one->work > other->work ? 1 : -1;
    return (one->most > other->most) - (one->most < other->most);
}

/* Adds its scheme and solver to the words, unless they are there. */
static void add_way(char ways[WAYS], const recommend_trial *trial)
{
    char way[2 * DLS_NAME_MAX + 2];
    snprintf(way, sizeof way, "%s/%s", trial->scheme->name, trial->choice.solver->name);
    const size_t length = strlen(way);
    for (const char *at = ways; (at = strstr(at, way)); at += length)
        if ((at == ways || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return;
    dls_words_add(ways, WAYS, way);
}

/* Marks the runs that no run of less work, or as much, has a smaller error than. */
static dls_status mark_front(recommend_trial *trials, size_t count, char ways[WAYS], dls_error *error)
{
    recommend_trial **order = malloc((count + 1) * sizeof(recommend_trial *));
    size_t ended = 0;
    double least = HUGE_VAL;
    if (!order)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu runs", count);
    for (size_t k = 0; k < count; k++)
        if (!isnan(trials[k].most))
            order[ended++] = &trials[k];
    qsort(order, ended, sizeof(recommend_trial *), compare_trials);
    for (size_t k = 0; k < ended; k++)
        if (order[k]->most < least) {
            order[k]->front = true;
            least = order[k]->most;
            if (order[k]->most > 0.0 && order[k]->most <= drawn)
                add_way(ways, order[k]);
        }
    free(order);
    return DLS_OK;
}

static void write_rows(dls_table *table, const recommend_trial *trials, size_t count, const recommend_trial *best)
{
    for (const recommend_trial *t = trials; t < trials + count; t++)
        dls_table_row(table, "%s %s %zu %g %zu %g %g %g %g %s %zu %zu %s", t->scheme->name, t->choice.solver->name,
                      t->iterations, t->step, (size_t)RECOMMEND_COARSEST << t->level, t->work, t->seconds, t->most,
                      t->end, recommend_fates[t->fate], (size_t)t->front, (size_t)(t == best), t->reason);
}

static void write_notes(dls_table *table, const dls_recommend *wanted, const recommend_truth *truth)
{
    dls_table_note(table, "scene", "%s", dls_model_name(wanted->model));
    dls_table_note(table, "error", "%.17g of the size of the mechanism, %.17g m", wanted->error, truth->size);
    if (truth->step > 0.0)
        dls_table_note(table, "truth", "a refined run with steps of %.17g s, since %s", truth->step,
                       truth->why_refined);
    else
        dls_table_note(table, "truth", "the motion in continuous time");
    dls_table_note(table, "error of the truth", "about %.3g", truth->own);
    dls_table_columns(table, columns);
}

static dls_status draw(const dls_job *job, const dls_recommend *wanted, const recommend_truth *truth, const char *stem,
                       const char *ways, const dls_recommendation *found, dls_error *error)
{
    char caption[2048], bound[32];
    dls_print(bound, sizeof bound, "%.17g", wanted->error);
    dls_print(
        caption, sizeof caption,
        "Work of %zu runs of %s, in row visits, over their largest distance from the truth, in sizes of the "
        "mechanism (%.4g m). Runs in colour are the front: no cheaper run has a smaller error. Runs without an end, "
        "errors of 0 and errors above 10 are left out. %s",
        found->runs, dls_model_name(wanted->model), truth->size, found->sentence);
    const char *const variables[] = {"bound", bound, "ways", ways, NULL};
    return dls_plot(job, "recommend", found->table, stem, caption, variables, error);
}

dls_status recommend_write(const dls_job *job, const dls_recommend *wanted, const recommend_truth *truth,
                           recommend_trial *trials, size_t count, const recommend_trial *best,
                           dls_recommendation *found, dls_error *error)
{
    char stem[DLS_NAME_MAX + 16], ways[WAYS] = "";
    dls_table *table;
    snprintf(stem, sizeof stem, "%s.recommend", wanted->stem);
    DLS_TRY(mark_front(trials, count, ways, error));
    DLS_TRY(dls_job_table(job, stem, &table, error));
    write_notes(table, wanted, truth);
    write_rows(table, trials, count, best);
    DLS_TRY(dls_table_commit(table, error));
    DLS_TRY(dls_job_path(job, stem, "tsv", found->table, error));
    return draw(job, wanted, truth, stem, ways, found, error);
}
