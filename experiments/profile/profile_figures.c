/* Figures: profiles (plots/profile.gp), verdicts (plots/profile-verdicts.gp) and families
 * (plots/profile-families.gp). */
#include "profile/profile.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 1 << 14, BEST = 6, PANELS_MAX = 32 };

/* Words with blanks between, which a script of gnuplot reads. */
typedef struct words {
    char text[WORDS_MAX];
    size_t used;
} words;

static void add_word(words *to, const char *format, ...) DLS_PRINTF(2, 3);
static void add_word(words *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    char word[DLS_NAME_MAX + 32];
    vsnprintf(word, sizeof word, format, list);
    va_end(list);
    for (char *c = word; *c; c++) /* commands of other programs have blanks */
        *c = *c == ' ' || *c == '\t' ? '_' : *c;
    if (to->used + strlen(word) + 2 < WORDS_MAX)
        to->used += (size_t)snprintf(to->text + to->used, WORDS_MAX - to->used, "%s%s", to->used > 0 ? " " : "", word);
}

/* --- profiles --- */

/* The panels of a figure: rows of the table of all curves, and of the best ones. */
typedef struct panels {
    words tolerance, cost, first, last, best, best_first, best_last;
    size_t count;
} panels;

static int by_area(const void *a, const void *b)
{
    const dls_profile_curve *x = a, *y = b;
    if (x->area != y->area)
        return x->area > y->area ? -1 : 1;
    return (x->solver > y->solver) - (x->solver < y->solver);
}

/* The curves of a panel stand together. */
static void add_panel(panels *p, const dls_verdict_list *list, const dls_profile_curve *curves, size_t count,
                      dls_profile_curve *sorted)
{
    const size_t end = curves[count - 1].first + curves[count - 1].rows;
    if (end == curves[0].first || p->count == PANELS_MAX)
        return;
    p->count++;
    add_word(&p->tolerance, "%g", list->tolerances[curves[0].tolerance]);
    add_word(&p->cost, "%d", curves[0].cost == DLS_COST_SECONDS);
    add_word(&p->first, "%zu", curves[0].first);
    add_word(&p->last, "%zu", end - 1);
    memcpy(sorted, curves, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_area);
    for (size_t k = 0; k < BEST; k++) {
        const bool is = k < count && sorted[k].rows > 0;
        add_word(&p->best, "%s", is ? list->solvers[sorted[k].solver] : "-");
        add_word(&p->best_first, "%zu", is ? sorted[k].first - curves[0].first : 0);
        add_word(&p->best_last, "%zu", is ? sorted[k].first - curves[0].first + sorted[k].rows - 1 : 0);
    }
}

static void find_panels(panels *p, const dls_verdict_list *list, const dls_profile_curve *curves, size_t count,
                        dls_profile_kind kind, dls_profile_curve *sorted)
{
    static const size_t shown[] = {DLS_COST_VISITS, DLS_COST_SECONDS};
    for (size_t t = 0; t < list->n_tolerances; t++)
        for (size_t c = 0; c < sizeof shown / sizeof shown[0]; c++) {
            size_t first = 0, end;
            while (first < count &&
                   (curves[first].kind != kind || curves[first].cost != shown[c] || curves[first].tolerance != t))
                first++;
            for (end = first;
                 end < count && curves[end].kind == kind && curves[end].cost == shown[c] && curves[end].tolerance == t;)
                end++;
            if (end > first)
                add_panel(p, list, curves + first, end - first, sorted);
        }
}

static dls_status draw_profile(const dls_job *job, const dls_verdict_list *list, const dls_profile_curve *curves,
                               size_t count, dls_profile_kind kind, dls_error *error)
{
    char table[DLS_PATH_MAX], caption[640];
    dls_profile_curve *sorted = malloc((count + 1) * sizeof *sorted);
    panels *p = calloc(1, sizeof *p);
    dls_status status = sorted && p ? dls_job_path(job, "profile.curves", "tsv", table, error)
                                    : dls_fail(error, DLS_NO_MEMORY, "no memory for a figure");
    if (status == DLS_OK) {
        find_panels(p, list, curves, count, kind, sorted);
        snprintf(
            caption, sizeof caption,
            "Share of %zu problems that a solver has right within a cost, %s, at each tolerance. The six curves of "
            "the largest area are named, with the bands of 95 %% of problems drawn again; all others are grey. Right "
            "is what the examiner certifies; problems that nobody has right count.",
            list->n_problems,
            kind == DLS_PROFILE_RATIO ? "in times of the best solver's (E. D. Dolan, J. J. More)"
                                      : "in sweeps of its rows or seconds (J. J. More, S. M. Wild)");
        status = dls_plot(job, "profile", table, kind == DLS_PROFILE_RATIO ? "profile" : "profile-budget", caption,
                          (const char *const[]){"tolerances", p->tolerance.text, "timed", p->cost.text, "first",
                                                p->first.text, "last", p->last.text, "best", p->best.text, "best_first",
                                                p->best_first.text, "best_last", p->best_last.text, "of_best",
                                                kind == DLS_PROFILE_RATIO ? "1" : "0", NULL},
                          error);
    }
    free(sorted);
    free(p);
    return status;
}

/* --- verdicts and families, at the tolerance in the middle --- */

static dls_status draw_verdicts(const dls_job *job, const dls_verdict_list *list, dls_error *error)
{
    char table[DLS_PATH_MAX], first[32], count[32], caption[512];
    const size_t t = list->n_tolerances / 2;
    DLS_TRY(dls_job_path(job, "profile.scores", "tsv", table, error));
    snprintf(first, sizeof first, "%zu", t * list->n_solvers);
    snprintf(count, sizeof count, "%zu", list->n_solvers);
    snprintf(
        caption, sizeof caption,
        "The fates of %zu problems with each solver at the tolerance %g, by points: a silently wrong answer, claimed "
        "and refuted, costs 16.",
        list->n_problems, list->tolerances[t]);
    return dls_plot(job, "profile-verdicts", table, "profile-verdicts", caption,
                    (const char *const[]){"first", first, "count", count, NULL}, error);
}

static dls_status draw_families(const dls_job *job, const dls_verdict_list *list, dls_error *error)
{
    char table[DLS_PATH_MAX], caption[512];
    const size_t t = list->n_tolerances / 2;
    words *families = calloc(3, sizeof *families), *solvers = families + 1, *place = families + 2;
    dls_standing *places = dls_standings(list, t, error);
    dls_status status = places && families ? dls_job_path(job, "profile.families", "tsv", table, error)
                                           : dls_fail(error, DLS_NO_MEMORY, "no memory for a figure");
    if (status == DLS_OK) {
        char first[32];
        for (size_t f = 0; f < list->n_families; f++)
            add_word(families, "%s", list->families[f]);
        for (size_t k = 0; k < list->n_solvers; k++)
            add_word(solvers, "%s", list->solvers[places[k].solver]);
        for (size_t s = 0; s < list->n_solvers; s++)
            for (size_t k = 0; k < list->n_solvers; k++)
                if (places[k].solver == s)
                    add_word(place, "%zu", k + 1);
        snprintf(first, sizeof first, "%zu", t * list->n_families * list->n_solvers);
        snprintf(caption, sizeof caption,
                 "Share of right answers of each solver, the best on top, in each family of problems at the "
                 "tolerance %g; a red cross marks families with a silently wrong answer, a dot those that it refuses.",
                 list->tolerances[t]);
        status = dls_plot(job, "profile-families", table, "profile-families", caption,
                          (const char *const[]){"first", first, "families", families->text, "solvers", solvers->text,
                                                "place", place->text, NULL},
                          error);
    }
    free(families);
    free(places);
    return status;
}

/* --- all --- */

static bool any_right(const dls_verdict_list *list)
{
    size_t k = 0;
    while (k < list->count && list->judged[k].verdict != DLS_VERDICT_RIGHT)
        k++;
    return k < list->count;
}

dls_status dls_profile_figures(const dls_job *job, const dls_verdict_list *list, const dls_profile_curve *curves,
                               size_t count, dls_error *error)
{
    if (!any_right(list))
        return DLS_OK;
    DLS_TRY(draw_profile(job, list, curves, count, DLS_PROFILE_RATIO, error));
    DLS_TRY(draw_profile(job, list, curves, count, DLS_PROFILE_BUDGET, error));
    DLS_TRY(draw_verdicts(job, list, error));
    return draw_families(job, list, error);
}
