/* Profiles: the share of problems that a solver has right within a cost.
 *
 * RATIO (E. D. Dolan, J. J. More, Mathematical Programming 91 (2002)): for a cost c_ps of solver s on problem p, the
 * cost is c_ps / min over s of c_ps. BUDGET (J. J. More, S. M. Wild, SIAM Journal on Optimization 20 (2009)): it is
 * c_ps / u_p with a unit u_p of the problem alone, so that the curve of a solver does not depend on the others: the
 * rows for row visits, which makes it a number of sweeps, and 1 for iterations and seconds. The cost is infinite
 * where the answer is not right; problems that no solver has right count in the share. "Right" is the examiner's
 * word, with a certificate where there is one: no claim counts.
 *
 * BAND. Of 1000 resamples of the problems, with replacement and as many of each family as there are (B. Efron 1979),
 * the quantiles 0.025 and 0.975 of the share at each cost. It says how far the curve would be another one with other
 * problems of the same families, at this cost alone and not at all costs at once. The resamples are drawn from a
 * fixed seed. Where every problem of a family has one result, the band knows no other. */
#include "profile/profile.h"

#include "base/draw.h"
#include "base/memory.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *const costs[] = {
#define COST_TEXT(name, text) text,
    DLS_COST_LIST(COST_TEXT)
#undef COST_TEXT
};
enum { RESAMPLES = 1000, LEAST_RESAMPLE = 25, MOST_RESAMPLE = 974 };

static const char *const kinds[] = {"ratio", "budget"};

/* A problem that a solver has right, and its cost. */
typedef struct solved {
    double cost;
    size_t problem;
} solved;

typedef struct curves {
    const dls_verdict_list *list;
    dls_table *table;
    dls_profile_kind kind;
    size_t tolerance, cost;
    double *unit;          /* n_problems: the cost that counts as 1; infinite: no solver has it right */
    double least, most;    /* least and largest cost in these units */
    size_t rows;           /* of the table */
    dls_profile_curve *of; /* of every curve */
    size_t n_of, of_room;
    solved *right;     /* n_problems */
    uint16_t *drawn;   /* n_problems x RESAMPLES: how often a resample has the problem */
    uint16_t *count;   /* RESAMPLES: problems of a resample that are right so far */
    size_t *histogram; /* n_problems + 1 */
    bool *has_visits;  /* n_solvers: the solver makes sweeps; the iterations of others are something else */
} curves;

/* --- bands --- */

/* Draws each resample family by family. */
static void draw_resamples(curves *c)
{
    const dls_verdict_list *list = c->list;
    uint64_t draws = 20090327; /* any seed */
    for (size_t f = 0; f < list->n_families; f++) {
        size_t members = 0;
        for (size_t p = 0; p < list->n_problems; p++)
            if (list->family[p] == f)
                c->right[members++].problem = p; /* the room of the curves is free yet */
        for (size_t b = 0; b < RESAMPLES; b++)
            for (size_t k = 0; k < members; k++)
                c->drawn[c->right[dls_draw_below(&draws, members)].problem * RESAMPLES + b]++;
    }
}

/* The share whose rank among the resamples is `rank`. */
static double share_of_rank(const curves *c, size_t rank)
{
    size_t count = 0, below = c->histogram[0];
    while (below <= rank)
        below += c->histogram[++count];
    return (double)count / (double)c->list->n_problems;
}

static void find_band(curves *c, double *low, double *high)
{
    memset(c->histogram, 0, (c->list->n_problems + 1) * sizeof *c->histogram);
    for (size_t b = 0; b < RESAMPLES; b++)
        c->histogram[c->count[b]]++;
    *low = share_of_rank(c, LEAST_RESAMPLE), *high = share_of_rank(c, MOST_RESAMPLE);
}

/* --- costs --- */

/* Infinite where the answer is not right. A cost of 0 counts as the least positive one of its kind: one iteration or
 * visit, and a nanosecond. */
static double cost_of(const dls_judged *j, size_t cost)
{
    return j->verdict != DLS_VERDICT_RIGHT ? HUGE_VAL : fmax(j->cost[cost], cost == DLS_COST_SECONDS ? 1e-9 : 1.0);
}

static bool has_cost(const curves *c, size_t solver) { return c->cost == DLS_COST_SECONDS || c->has_visits[solver]; }

static void find_sweeps(curves *c)
{
    for (size_t k = 0; k < c->list->count; k++)
        c->has_visits[c->list->judged[k].solver] |= c->list->judged[k].cost[DLS_COST_VISITS] > 0.0;
}

/* The units of the problems, and the largest cost in them. */
static void find_units(curves *c)
{
    const dls_verdict_list *list = c->list;
    for (size_t p = 0; p < list->n_problems; p++)
        c->unit[p] = c->kind == DLS_PROFILE_RATIO ? HUGE_VAL : c->cost == DLS_COST_VISITS ? (double)list->rows[p] : 1.0;
    for (size_t k = 0; k < list->count && c->kind == DLS_PROFILE_RATIO; k++) {
        const dls_judged *j = &list->judged[k];
        if (j->tolerance == c->tolerance && has_cost(c, j->solver))
            c->unit[j->problem] = fmin(c->unit[j->problem], cost_of(j, c->cost));
    }
    c->least = HUGE_VAL, c->most = 0.0;
    for (size_t k = 0; k < list->count; k++) {
        const dls_judged *j = &list->judged[k];
        if (j->tolerance == c->tolerance && has_cost(c, j->solver) && j->verdict == DLS_VERDICT_RIGHT) {
            c->least = fmin(c->least, cost_of(j, c->cost) / c->unit[j->problem]);
            c->most = fmax(c->most, cost_of(j, c->cost) / c->unit[j->problem]);
        }
    }
}

/* --- curves --- */

static int by_cost(const void *a, const void *b)
{
    const solved *x = a, *y = b;
    return x->cost != y->cost ? (x->cost > y->cost) - (x->cost < y->cost)
                              : (x->problem > y->problem) - (x->problem < y->problem);
}

static size_t find_right(curves *c, size_t solver)
{
    size_t count = 0;
    for (size_t k = 0; k < c->list->count; k++) {
        const dls_judged *j = &c->list->judged[k];
        if (j->solver == solver && j->tolerance == c->tolerance && j->verdict == DLS_VERDICT_RIGHT)
            c->right[count++] = (solved){cost_of(j, c->cost) / c->unit[j->problem], j->problem};
    }
    qsort(c->right, count, sizeof *c->right, by_cost);
    return count;
}

/* The steps of one solver: the share from a cost on until the next one, and the share before. The last step goes on to
 * the largest cost of all solvers. */
static void write_curve(curves *c, size_t solver, dls_profile_curve *of)
{
    const size_t count = find_right(c, solver);
    const double all = (double)c->list->n_problems, width = log(c->most / c->least);
    double before = 0.0;
    *of = (dls_profile_curve){
        .kind = c->kind, .cost = c->cost, .tolerance = c->tolerance, .solver = solver, .first = c->rows};
    memset(c->count, 0, RESAMPLES * sizeof *c->count);
    for (size_t k = 0; k < count; k++) {
        double low, high;
        of->area += (width > 0.0 ? log(c->most / c->right[k].cost) / width : 1.0) / all;
        for (size_t b = 0; b < RESAMPLES; b++)
            c->count[b] = (uint16_t)(c->count[b] + c->drawn[c->right[k].problem * RESAMPLES + b]);
        if (k + 1 < count && !(c->right[k + 1].cost > c->right[k].cost))
            continue;
        find_band(c, &low, &high);
        const double share = (double)(k + 1) / all;
        dls_table_row(c->table, "%s %s %g %s %g %g %g %g %g %g", kinds[c->kind], costs[c->cost],
                      c->list->tolerances[c->tolerance], c->list->solvers[solver], c->right[k].cost,
                      k + 1 < count ? c->right[k + 1].cost : c->most, before, share, low, high);
        before = share;
        c->rows++;
    }
    of->rows = c->rows - of->first;
}

static bool write_all_curves(curves *c)
{
    for (c->kind = DLS_PROFILE_RATIO; c->kind <= DLS_PROFILE_BUDGET; c->kind++)
        for (c->cost = 0; c->cost < DLS_COSTS; c->cost++)
            for (c->tolerance = 0; c->tolerance < c->list->n_tolerances; c->tolerance++) {
                find_units(c);
                if (!DLS_GROW(c->of, c->of_room, c->n_of + c->list->n_solvers))
                    return false;
                for (size_t s = 0; s < c->list->n_solvers; s++)
                    if (has_cost(c, s))
                        write_curve(c, s, &c->of[c->n_of++]);
            }
    return true;
}

static bool curves_allocate(curves *c)
{
    const size_t n = c->list->n_problems + 1;
    c->unit = malloc(n * sizeof *c->unit);
    c->right = malloc(n * sizeof *c->right);
    c->drawn = calloc(n * RESAMPLES, sizeof *c->drawn);
    c->count = malloc(RESAMPLES * sizeof *c->count);
    c->histogram = malloc(n * sizeof *c->histogram);
    c->has_visits = calloc(c->list->n_solvers + 1, sizeof *c->has_visits);
    return c->unit && c->right && c->drawn && c->count && c->histogram && c->has_visits;
}

dls_status dls_curves_write(const dls_job *job, const dls_verdict_list *list, dls_profile_curve **written,
                            size_t *count, dls_error *error)
{
    curves c = {.list = list};
    dls_status status;
    if (list->n_problems > UINT16_MAX)
        status = dls_fail(error, DLS_REFUSED, "a profile of %zu problems; at most %d", list->n_problems, UINT16_MAX);
    else if (!curves_allocate(&c))
        status = dls_fail(error, DLS_NO_MEMORY, "no memory for the profile of %zu problems", list->n_problems);
    else
        status = dls_job_table(job, "profile.curves", &c.table, error);
    if (status == DLS_OK) {
        dls_table_columns(c.table, "profile\tcost\ttolerance\tsolver\tx\tuntil\tbefore\tshare\tshare_low\tshare_high");
        draw_resamples(&c);
        find_sweeps(&c);
        if (!write_all_curves(&c))
            status = dls_fail(error, DLS_NO_MEMORY, "no memory for the curves of %zu solvers", list->n_solvers);
    }
    status = c.table ? dls_tables_end(&c.table, 1, status, error) : status;
    free(c.unit), free(c.right), free(c.drawn), free(c.count), free(c.histogram), free(c.has_visits);
    *written = c.of, *count = c.n_of;
    return status;
}
