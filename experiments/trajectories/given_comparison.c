/* Each file of siconos-tutorials beside the motion of its example.
 *
 * THE FIRST IMPACT is at t in the motion. In the file it is before the row next to t in which a rate has changed by
 * more than half of its jump: time stepping shows it up to a step later, and an integrator that locates it at once. The
 * rate is the one with the largest jump.
 */
#include "trajectories/parts.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

/* Compared values: rows of the file that count, in our units. */
typedef struct given {
    const dls_given_run *run;
    const dls_planar_example *example;
    dls_given_table table;
    size_t rows, n;
    double *times, *value, *rate;
} given;

static void release_given(given *g)
{
    dls_given_table_release(&g->table);
    free(g->times);
    free(g->value);
    free(g->rate);
}

static dls_status check_columns(const given *g, const char *path, dls_error *error)
{
    for (size_t i = 0; i < g->n; i++) {
        const size_t value = g->run->column[i].value, rate = g->run->column[i].rate, last = value > rate ? value : rate;
        if (last >= g->table.columns)
            return dls_fail_about(error, DLS_BAD_INPUT, path, "columns",
                                  "the table has %zu columns, and that of %s is number %zu; is it the file of %s?",
                                  g->table.columns, g->example->traced[i].label, last + 1, g->run->example);
    }
    return DLS_OK;
}

static double cell(const given *g, size_t k, size_t column)
{
    return column ? g->table.at[(k + g->run->skip) * g->table.columns + column] : (double)NAN;
}

static dls_status open_given(given *g, const char *path, dls_error *error)
{
    DLS_TRY(dls_given_table_read(path, &g->table, error));
    g->n = dls_traced_count(g->example);
    DLS_TRY(check_columns(g, path, error));
    const size_t rows = g->table.rows > g->run->skip ? g->table.rows - g->run->skip : 0;
    g->times = calloc(rows + 1, sizeof *g->times);
    g->value = calloc(rows * g->n + 1, sizeof *g->value);
    g->rate = calloc(rows * g->n + 1, sizeof *g->rate);
    if (!g->times || !g->value || !g->rate)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a table");
    for (g->rows = 0; g->rows < rows; g->rows++) {
        const size_t k = g->rows;
        g->times[k] = g->table.at[(k + g->run->skip) * g->table.columns];
        if (g->times[k] > g->example->until * (1.0 + 1e-9))
            break;
        for (size_t i = 0; i < g->n; i++) {
            g->value[k * g->n + i] = cell(g, k, g->run->column[i].value) / g->run->column[i].factor;
            g->rate[k * g->n + i] = cell(g, k, g->run->column[i].rate);
        }
    }
    return DLS_OK;
}

/* The traced number whose rate jumps most in the first impact, and its jump. */
static dls_status find_jump(const given *g, double impact, size_t *of, double *jump, dls_error *error)
{
    const double around[] = {impact - 1e-7, impact + 1e-7};
    dls_traced_motion m;
    DLS_TRY(dls_traced_follow(g->example, around, 2, 1.0, NULL, &m, error));
    *jump = 0.0;
    for (size_t i = 0; m.reached == 2 && i < m.n; i++)
        if (g->run->column[i].rate && fabs(m.rate[m.n + i] - m.rate[i]) > fabs(*jump))
            *of = i, *jump = m.rate[m.n + i] - m.rate[i];
    dls_traced_release(&m);
    return DLS_OK;
}

/* How much later than in the motion the file has the first impact. [s]; NaN: it is not there. */
static dls_status find_delay(const given *g, double impact, double *delay, dls_error *error)
{
    size_t of = 0;
    double jump;
    *delay = (double)NAN;
    if (!isfinite(impact) || impact - g->example->begins < 1e-7)
        return DLS_OK;
    DLS_TRY(find_jump(g, impact, &of, &jump, error));
    for (size_t k = 1; k < g->rows; k++) {
        const double change = g->rate[k * g->n + of] - g->rate[(k - 1) * g->n + of], later = g->times[k] - impact;
        if (fabs(change) > 0.5 * fabs(jump) && !(fabs(later) >= fabs(*delay)))
            *delay = later;
    }
    return DLS_OK;
}

enum { LOCATED, EXPECTED, NEARER, OFF };
static const char *const verdicts[] = {"located", "as-expected", "nearer", "off"};
static const double location = 1e-6, factor = 3.0;

static int judge_run(const given *g, double most, double expected)
{
    if (g->run->located)
        return most <= location ? LOCATED : OFF;
    return !(most <= factor * expected) ? OFF : most < expected / factor ? NEARER : EXPECTED;
}

/* A file is counted once, by its first kind of numbers. */
static void count_verdict(dls_trajectories_findings *f, const given *g, int verdict, dls_traced_kind kind, double most)
{
    if (kind != dls_traced_kind_of(g->example, 0))
        return;
    f->located += verdict == LOCATED;
    f->expected += verdict == EXPECTED || verdict == NEARER;
    f->off += verdict == OFF;
    if (verdict == OFF && kind == DLS_TRACED_LENGTH && most > f->worst)
        f->worst = most, f->worst_file = g->run->file;
}

/* Our own run with the same example and step: its distance from the motion is what is expected of a file, and the file
 * is the same run where it has the same numbers. Files of one example and step follow each other, and share it. */
typedef struct companion {
    const dls_planar_example *example;
    double step;
    dls_traced_motion own;
    dls_traced_difference off[DLS_TRACED_KINDS];
} companion;

static dls_status run_companion(const dls_study *study, companion *c, dls_error *error)
{
    const dls_trajectories_settings *set = study->settings;
    dls_traced_motion exact;
    double *times;
    size_t rows;
    DLS_TRY(dls_traced_times(c->example, c->step, &times, &rows, error));
    dls_status status = dls_own_steps(c->example, c->step, 1, set->iterations, rows, &c->own, error);
    if (status == DLS_OK)
        status = dls_traced_follow(c->example, times, rows, 1.0, NULL, &exact, error);
    if (status == DLS_OK) {
        dls_traced_compare(c->example, &exact, times, c->own.value, c->own.rate, c->off);
        dls_traced_release(&exact);
    }
    free(times);
    return status;
}

static dls_status find_companion(const dls_study *study, const given *g, companion *c, dls_error *error)
{
    if (c->example == g->example && c->step == g->run->step)
        return DLS_OK;
    dls_traced_release(&c->own);
    *c = (companion){.example = g->example, .step = g->run->step};
    return run_companion(study, c, error);
}

/* The distance of a file from our own run, whose first row is number `first` of ours. */
static void compare_companion(const given *g, const companion *c, dls_traced_difference apart[DLS_TRACED_KINDS])
{
    const size_t first = (size_t)lround(g->times[0] / c->step);
    dls_traced_motion shown = c->own;
    for (int kind = 0; kind < DLS_TRACED_KINDS; kind++)
        apart[kind].most = (double)NAN;
    if (g->run->located || g->example->begins > 0.0 || first >= shown.rows)
        return;
    shown.value += first * shown.n, shown.rate += first * shown.n;
    shown.rows = shown.reached = g->rows < shown.rows - first ? g->rows : shown.rows - first;
    dls_traced_compare(g->example, &shown, g->times, g->value, g->rate, apart);
}

static void write_given(dls_study *study, const given *g, const dls_traced_motion *m,
                        const dls_traced_difference found[], const companion *c, double delay)
{
    dls_traced_difference apart[DLS_TRACED_KINDS];
    compare_companion(g, c, apart);
    for (int kind = 0; kind < DLS_TRACED_KINDS; kind++) {
        const dls_traced_difference *d = &found[kind];
        const double expected = g->run->located ? (double)NAN : c->off[kind].most;
        if (isnan(d->most))
            continue;
        const int verdict = judge_run(g, d->most, expected);
        dls_table_row(study->tables[DLS_TRAJECTORIES_PUBLISHED], "%s %s %s %g %s %s %g %g %g %g %g %g %g %g %s",
                      g->example->name, g->run->file, g->run->integrator, g->run->step, dls_traced_kinds[kind],
                      g->example->traced[d->of].label, d->most, d->at, d->rate, expected, apart[kind].most,
                      m->first_impact, delay, g->times[m->reached - 1], verdicts[verdict]);
        count_verdict(study->found, g, verdict, (dls_traced_kind)kind, d->most);
    }
}

static dls_status compare_given(dls_study *study, given *g, const char *path, companion *c, dls_error *error)
{
    dls_traced_motion m;
    dls_traced_difference found[DLS_TRACED_KINDS];
    double delay;
    DLS_TRY(open_given(g, path, error));
    if (!g->run->located)
        DLS_TRY(find_companion(study, g, c, error));
    DLS_TRY(dls_traced_follow(g->example, g->times, g->rows, 1.0, NULL, &m, error));
    dls_status status = find_delay(g, m.first_impact, &delay, error);
    if (status == DLS_OK && m.reached > 0) {
        dls_traced_compare(g->example, &m, g->times, g->value, g->rate, found);
        write_given(study, g, &m, found, c, delay);
    }
    dls_traced_release(&m);
    return status;
}

static void write_missing(dls_study *study, const dls_given_run *run)
{
    const double none = (double)NAN;
    dls_table_row(study->tables[DLS_TRAJECTORIES_PUBLISHED], "%s %s %s %g %s %s %g %g %g %g %g %g %g %g %s",
                  run->example, run->file, run->integrator, run->step, "-", "-", none, none, none, none, none, none,
                  none, none, "not-given");
}

dls_status dls_trajectories_published(dls_study *study, dls_error *error)
{
    dls_trajectories_findings *f = study->found;
    companion c = {.example = NULL};
    dls_status status = DLS_OK;
    size_t runs = 0;
    while (dls_given_runs[runs].file)
        runs++;
    for (dls_grid grid = DLS_GRID(runs); status == DLS_OK && dls_study_next(study, &grid);) {
        const dls_given_run *run = &dls_given_runs[grid.at[0]];
        const size_t e = dls_planar_example_find(run->example);
        given g = {.run = run, .example = &dls_planar_examples[e]};
        char path[DLS_PATH_MAX];
        if (!dls_planar_example_wanted(study, e))
            continue;
        snprintf(path, sizeof path, "%.700s/siconos-tutorials/examples/mechanics/%s",
                 study->job->data ? study->job->data : "", run->file);
        if (!study->job->data || access(path, R_OK) != 0) {
            f->missing++;
            write_missing(study, run);
            continue;
        }
        f->given++;
        status = compare_given(study, &g, path, &c, error);
        release_given(&g);
    }
    dls_traced_release(&c.own);
    return status;
}
