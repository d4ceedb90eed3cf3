/* The leaderboard as a page that stands alone: scores by tolerance, the best first, and the rules. */
#include "profile/profile.h"

#include <stdio.h>
#include <stdlib.h>

static const char head[] =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Constraint solvers, examined</title>\n"
    "<meta name=\"viewport\" content=\"width=device-width\"><style>\n"
    "body{font:16px/1.5 sans-serif;max-width:70em;margin:2em auto;padding:0 1em;color:#222;background:#fff}\n"
    "table{border-collapse:collapse;margin:1em 0}th,td{padding:.3em .7em;text-align:right;border-bottom:1px solid "
    "#ccc}\n"
    "th:nth-child(2),td:nth-child(2){text-align:left}.wrong{color:#b00;font-weight:bold}\n"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}th,td{border-color:#444}.wrong{color:#f77}}\n"
    "</style></head><body>\n<h1>Constraint solvers, examined</h1>\n";

/* The charter, in three sentences. */
static const char charter[] =
    "<p>Every answer is in this folder with its problem, and was examined again when this page was made: nothing that "
    "a "
    "solver says of itself counts. All solvers get the same problems and the same time, start from impulses of zero, "
    "and "
    "nobody's answer is improved before or after. Whoever doubts a line runs <code>delassus leaderboard</code> on the "
    "folder, and whoever has another solver adds its answers.</p>\n";

typedef struct place {
    size_t solver;
    dls_score score;
} place;

/* By points, then by time, then in the order of the names. */
static int by_points(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->score.points != y->score.points)
        return x->score.points > y->score.points ? -1 : 1;
    if (x->score.par2 != y->score.par2)
        return x->score.par2 < y->score.par2 ? -1 : 1;
    return (x->solver > y->solver) - (x->solver < y->solver);
}

/* Names come from files of others. */
static void print_escaped(FILE *to, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '<':
            fputs("&lt;", to);
            break;
        case '&':
            fputs("&amp;", to);
            break;
        default:
            fputc(*text, to);
        }
}

static void print_place(FILE *to, const dls_verdict_list *list, size_t rank, const place *of)
{
    const size_t *v = of->score.verdicts;
    fprintf(to, "<tr><td>%zu</td><td>", rank);
    print_escaped(to, list->solvers[of->solver]);
    fprintf(to, "</td><td>%g</td><td>%zu of %zu</td><td>%.0f to %.0f %%</td><td%s>%zu</td><td>%zu</td><td>%zu</td>",
            of->score.points, v[DLS_VERDICT_RIGHT], of->score.problems, 100.0 * of->score.least, 100.0 * of->score.most,
            v[DLS_VERDICT_WRONG] > 0 ? " class=\"wrong\"" : "", v[DLS_VERDICT_WRONG], v[DLS_VERDICT_UNFINISHED],
            v[DLS_VERDICT_FAILED] + v[DLS_VERDICT_UNPROVED]);
    fprintf(to, "<td>%zu</td><td>%.3g</td></tr>\n", v[DLS_VERDICT_REFUSED], of->score.par2);
}

static void print_tolerance(FILE *to, const dls_verdict_list *list, size_t tolerance, double seconds, place *places)
{
    for (size_t s = 0; s < list->n_solvers; s++)
        places[s] = (place){s, dls_score_of(list, s, tolerance, seconds)};
    qsort(places, list->n_solvers, sizeof *places, by_points);
    fprintf(
        to,
        "<h2>Tolerance %g</h2>\n<table><tr><th></th><th>solver</th><th>points</th><th>right</th><th>share, 95 %%</th>"
        "<th>silently wrong</th><th>unfinished</th><th>failed, unproved</th><th>refused</th><th>PAR-2 [s]</th></tr>\n",
        list->tolerances[tolerance]);
    for (size_t s = 0; s < list->n_solvers; s++)
        print_place(to, list, s + 1, &places[s]);
    fputs("</table>\n", to);
}

dls_status dls_leaderboard_page(const dls_job *job, const dls_verdict_list *list, double seconds, dls_error *error)
{
    char path[DLS_PATH_MAX];
    dls_output output;
    place *places = malloc((list->n_solvers + 1) * sizeof *places);
    if (!places)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu solvers", list->n_solvers);
    dls_status status = dls_job_path(job, "index", "html", path, error);
    if (status == DLS_OK)
        status = dls_output_open(&output, path, error);
    if (status == DLS_OK) {
        FILE *to = output.stream;
        fprintf(to, "%s<p>%zu problems, %zu solvers, at most %g s for each answer.</p>\n%s", head, list->n_problems,
                list->n_solvers, seconds, charter);
        for (size_t t = 0; t < list->n_tolerances; t++)
            print_tolerance(to, list, t, seconds, places);
        fputs(
            "<p>A right answer is a point, a silently wrong one costs 16. PAR-2: mean time, with twice the limit where "
            "there is no right answer. Tables: profile.answers.tsv, profile.scores.tsv, profile.curves.tsv.</p>\n"
            "</body></html>\n",
            to);
        status = dls_output_commit(&output, error);
    }
    free(places);
    return status;
}
