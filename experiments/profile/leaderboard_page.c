/* The leaderboard as a page that stands alone beside its figures: for a reader who knows nothing of this program first
 * what is compared and who is right, then which solver to choose, then every table, and the rules. */
#include "profile/profile.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

static const char head[] =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Constraint solvers, examined</title>\n"
    "<meta name=\"viewport\" content=\"width=device-width\"><style>\n"
    "body{font:16px/1.5 sans-serif;max-width:64em;margin:2em auto;padding:0 1em;color:#222;background:#fff}\n"
    "table{border-collapse:collapse;margin:1em 0}th,td{padding:.2em .6em;text-align:right;border-bottom:1px solid "
    "#ccc}\n"
    "th:nth-child(2),td:nth-child(2){text-align:left}.wrong{color:#b00;font-weight:bold}\n"
    ".bars{display:grid;grid-template-columns:max-content 1fr max-content;gap:.25em .8em;align-items:center}\n"
    ".bar{display:flex;height:1.1em;background:#e4e4e4}.bar i{display:block;height:100%}\n"
    ".g{background:#009e73}.r{background:#d50000}.y{background:#e6b450}\n"
    "pre{background:#f4f4f4;padding:.8em;overflow:auto}img{max-width:100%;background:#fff}\n"
    ".scroll{overflow-x:auto}\n"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}th,td{border-color:#444}.wrong{color:#f77}\n"
    ".bar{background:#333}pre{background:#222}}\n"
    "</style></head><body>\n";

/* The charter, in three sentences. */
static const char charter[] =
    "<h2>How it is kept fair</h2>\n<p>Every answer is in this folder with its problem, and was examined again when "
    "this "
    "page was made: nothing that a solver says of itself counts. All solvers get the same problems and the same time, "
    "start from impulses of zero, and nobody's answer is improved before or after. Whoever doubts a line runs "
    "<code>delassus leaderboard</code> on the folder, and whoever has another solver adds its answers.</p>\n";

enum { BARS = 12, NAMED = 8 };

/* --- what is compared, and who is right --- */

static void print_question(FILE *to, const dls_verdict_list *list)
{
    fprintf(
        to,
        "<h1>Which constraint solver is right?</h1>\n"
        "<p>A program that moves robots, machines or piles of stones computes in every step which impulses act in "
        "the joints and contacts. The part that does so is the solver, and this page compares %zu of them on %zu "
        "problems, with at most %g s for each answer.</p>\n"
        "<p>Each answer was checked by a program that shares nothing with any solver. It is <b>right</b> if it solves "
        "the problem to the given accuracy, or proves that there is no solution. It is <b>silently wrong</b> if the "
        "solver calls it a solution and it is none: worse than no answer, because nobody notices.</p>\n",
        list->n_solvers, list->n_problems, list->limit);
}

static void print_bar(FILE *to, const dls_verdict_list *list, const dls_standing *of)
{
    const double all = (double)of->score.problems;
    const size_t right = of->score.verdicts[DLS_VERDICT_RIGHT], wrong = of->score.verdicts[DLS_VERDICT_WRONG];
    fputs("<span>", to);
    dls_put_markup(to, list->solvers[of->solver]);
    fprintf(
        to,
        "</span><span class=\"bar\"><i class=\"g\" style=\"width:%.2f%%\"></i><i class=\"r\" style=\"width:%.2f%%\">"
        "</i></span><span>%zu right%s",
        100.0 * (double)right / all, 100.0 * (double)wrong / all, right, wrong > 0 ? ", <b class=\"wrong\">" : "");
    if (wrong > 0)
        fprintf(to, "%zu silently wrong</b>", wrong);
    fputs("</span>\n", to);
}

static int by_wrong(const void *a, const void *b)
{
    const dls_standing *x = a, *y = b;
    const size_t wrong_x = x->score.verdicts[DLS_VERDICT_WRONG], wrong_y = y->score.verdicts[DLS_VERDICT_WRONG];
    return wrong_x != wrong_y ? (wrong_x < wrong_y) - (wrong_x > wrong_y)
                              : (x->solver > y->solver) - (x->solver < y->solver);
}

/* "3 solvers called wrong answers solutions: A (23), B (6), C (1)." Sorts the places. */
static void print_wrong(FILE *to, const dls_verdict_list *list, dls_standing *places)
{
    size_t count = 0;
    qsort(places, list->n_solvers, sizeof *places, by_wrong);
    while (count < list->n_solvers && places[count].score.verdicts[DLS_VERDICT_WRONG] > 0)
        count++;
    if (count == 0) {
        fputs("No solver called a wrong answer a solution.", to);
        return;
    }
    fprintf(to, "<b class=\"wrong\">%zu solver%s</b> called wrong answers solutions: ", count, count > 1 ? "s" : "");
    for (size_t k = 0; k < count && k < NAMED; k++) {
        fputs(k > 0 ? ", " : "", to);
        dls_put_markup(to, list->solvers[places[k].solver]);
        fprintf(to, " (%zu)", places[k].score.verdicts[DLS_VERDICT_WRONG]);
    }
    fputs(count > NAMED ? " and others." : ".", to);
}

static dls_status print_answer(FILE *to, const dls_verdict_list *list, size_t tolerance, dls_error *error)
{
    dls_standing *places = dls_standings(list, tolerance, error);
    if (!places)
        return DLS_NO_MEMORY;
    const size_t shown = list->n_solvers < BARS ? list->n_solvers : BARS;
    fprintf(to, "<h2>Right to an accuracy of %g: the best %zu</h2>\n<div class=\"bars\">\n",
            list->tolerances[tolerance], shown);
    for (size_t k = 0; k < shown; k++)
        print_bar(to, list, &places[k]);
    fputs("</div>\n<p>Grey: not right, because the solver found nothing in time, said that it failed, or does not take "
          "such problems. ",
          to);
    if (list->n_solvers > 0) {
        const dls_score *best = &places[0].score;
        fputs("<b>", to);
        dls_put_markup(to, list->solvers[places[0].solver]);
        fprintf(to,
                "</b> is first, with %zu of %zu problems; of problems drawn alike it has %.0f to "
                "%.0f %% right, with a confidence of 95 %%. ",
                best->verdicts[DLS_VERDICT_RIGHT], best->problems, 100.0 * best->least, 100.0 * best->most);
    }
    print_wrong(to, list, places);
    fputs("</p>\n", to);
    free(places);
    return DLS_OK;
}

/* --- which one to choose --- */

static void print_choice(FILE *to, const dls_verdict_list *list, const dls_choice_errors *choice)
{
    if (choice->single == DLS_NONE || !choice->text)
        return;
    fputs("<h2>Which one for which problem?</h2>\n<pre>", to);
    dls_put_markup(to, choice->text);
    fprintf(to,
            "</pre>\n<p>These questions were learnt from the %zu problems that any solver has right. On problems that "
            "they were not learnt from they name a solver that is not right, or takes ten times as long as the fastest "
            "one, for %.0f %%; always to take ",
            choice->n, 100.0 * choice->folds[1]);
    dls_put_markup(to, list->solvers[choice->single]);
    fprintf(
        to,
        " does so for %.0f %%. On whole kinds of problems that were not seen: %.0f %% and %.0f %%. "
        "(rows: unknown impulses; density: rows over velocities; rank_ratio, condition: of the scaled matrix; fill: "
        "share of numbers that are not 0; ..._rows: share of rows of this kind.)</p>\n",
        100.0 * choice->folds[0], 100.0 * choice->families[1], 100.0 * choice->families[0]);
}

/* --- figures and tables --- */

static void print_figures(FILE *to, const dls_job *job)
{
    static const char *const stems[][2] = {
        {"profile-verdicts", "What became of the problems, for each solver."},
        {"profile-families",
         "Share of right answers in each family of problems: red crosses are silently wrong answers."},
        {"profile", "Share of problems that a solver has right within a cost, in times of the best one's."},
        {"profile-budget", "The same within a number of sweeps, or a time."}};
    const unsigned formats = job->figures ? job->figures : DLS_FIGURES_DEFAULT;
    const char *suffix = formats & 1u << DLS_FIGURE_SVG ? "svg" : formats & 1u << DLS_FIGURE_PNG ? "png" : NULL;
    fputs(suffix ? "<h2>Figures</h2>\n" : "", to);
    for (size_t k = 0; suffix && k < sizeof stems / sizeof stems[0]; k++)
        fprintf(to, "<p>%s</p>\n<img src=\"%s.%s\" alt=\"%s\">\n", stems[k][1], stems[k][0], suffix, stems[k][1]);
}

static void print_place(FILE *to, const dls_verdict_list *list, size_t rank, const dls_standing *of)
{
    const size_t *v = of->score.verdicts;
    fprintf(to, "<tr><td>%zu</td><td>", rank);
    dls_put_markup(to, list->solvers[of->solver]);
    fprintf(to, "</td><td>%g</td><td>%zu of %zu</td><td>%.0f to %.0f %%</td><td%s>%zu</td><td>%zu</td><td>%zu</td>",
            of->score.points, v[DLS_VERDICT_RIGHT], of->score.problems - v[DLS_VERDICT_REFUSED] - of->score.unanswered,
            100.0 * of->score.least, 100.0 * of->score.most, v[DLS_VERDICT_WRONG] > 0 ? " class=\"wrong\"" : "",
            v[DLS_VERDICT_WRONG], v[DLS_VERDICT_UNFINISHED], v[DLS_VERDICT_FAILED] + v[DLS_VERDICT_UNPROVED]);
    fprintf(to, "<td>%zu</td><td>%.3g</td></tr>\n", v[DLS_VERDICT_REFUSED] + of->score.unanswered, of->score.par2);
}

static dls_status print_tolerance(FILE *to, const dls_verdict_list *list, size_t tolerance, dls_error *error)
{
    dls_standing *places = dls_standings(list, tolerance, error);
    if (!places)
        return DLS_NO_MEMORY;
    fprintf(
        to,
        "<h2>All solvers, accuracy %g</h2>\n<div class=\"scroll\"><table><tr><th></th><th>solver</th><th>points</th>"
        "<th>right of those it takes</th><th>share of all, 95 %%</th><th>silently "
        "wrong</th><th>unfinished</th><th>failed, unproved</th>"
        "<th>refused, none</th><th>PAR-2 [s]</th></tr>\n",
        list->tolerances[tolerance]);
    for (size_t s = 0; s < list->n_solvers; s++)
        print_place(to, list, s + 1, &places[s]);
    fputs("</table></div>\n", to);
    free(places);
    return DLS_OK;
}

static dls_status print_tables(FILE *to, const dls_verdict_list *list, dls_error *error)
{
    for (size_t t = 0; t < list->n_tolerances; t++)
        DLS_TRY(print_tolerance(to, list, t, error));
    fputs("<p>A right answer is a point, a silently wrong one costs 16 points. Unfinished: at the limit of time or "
          "iterations, and says so. Unproved: neither confirmed nor refuted. Refused: the solver does not take such "
          "problems. The accuracy is the scaled residual: the largest violation of a row beside its own terms. PAR-2: "
          "mean "
          "time, with twice the limit where there is no right answer. The numbers are in profile.answers.tsv, "
          "profile.scores.tsv, profile.families.tsv, profile.problems.tsv, profile.tree.tsv, profile.choice.tsv and "
          "profile.curves.tsv.</p>\n",
          to);
    return DLS_OK;
}

dls_status dls_leaderboard_page(const dls_job *job, const dls_verdict_list *list, const dls_choice_errors *choice,
                                dls_error *error)
{
    char path[DLS_PATH_MAX];
    dls_output output;
    const size_t middle = list->n_tolerances / 2;
    DLS_TRY(dls_job_path(job, "index", "html", path, error));
    DLS_TRY(dls_output_open(&output, path, error));
    FILE *to = output.stream;
    fputs(head, to);
    print_question(to, list);
    dls_status status = print_answer(to, list, middle, error);
    print_choice(to, list, &choice[middle]);
    fputs(charter, to);
    if (choice[middle].single != DLS_NONE)
        print_figures(to, job);
    if (status == DLS_OK)
        status = print_tables(to, list, error);
    fputs("</body></html>\n", to);
    if (status == DLS_OK)
        return dls_output_commit(&output, error);
    dls_output_abandon(&output);
    return status;
}
