/* Figures on mimic joints, and captions with the numbers that they show. */
#include "mimic.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A text that grows. */
typedef struct text {
    char at[2048];
} text;

static void DLS_PRINTF(2, 3) append(text *t, const char *format, ...)
{
    size_t used = strlen(t->at);
    va_list values;
    va_start(values, format);
    vsnprintf(t->at + used, sizeof t->at - used, format, values);
    va_end(values);
}

/* One line of runs. */
typedef struct line {
    const char *mechanism, *rival;
    bool mimic_last;
    double step;
    dls_mimic_way way;
} line;
typedef enum figure_of { WORST_ERROR, DISTANCE } figure_of;

static const dls_mimic_result *result_of(const dls_mimic_lab *lab, const line *l, size_t iterations)
{
    return dls_mimic_result_of(lab, l->mechanism, l->rival, l->mimic_last, l->step, l->way,
                               l->way == DLS_MIMIC_DENSE ? 0 : iterations);
}

/* "1.2e-03, 4.5e-06, ...", one for every number of iterations. */
static void append_values(text *t, const dls_mimic_lab *lab, line l, figure_of what)
{
    for (size_t i = 0; i < lab->n_iterations; i++) {
        const dls_mimic_result *r = result_of(lab, &l, lab->iterations[i]);
        append(t, "%s%.1e", i ? ", " : "", r ? what == DISTANCE ? r->distance : r->worst_error : NAN);
    }
}

static void append_counts(text *t, const dls_mimic_lab *lab)
{
    append(t, "N = ");
    for (size_t i = 0; i < lab->n_iterations; i++)
        append(t, "%s%zu", i ? ", " : "", lab->iterations[i]);
}

static bool all_wanted(const dls_mimic_lab *lab, const char *const *names)
{
    for (; *names; names++)
        if (!dls_mimic_wanted(lab, dls_mimic_find(*names)))
            return false;
    return true;
}

static const char rods[] =
    "Rods of 1 m and 1 kg, thin boxes, hinged about y at the upper end, gravity -9.81 z; C = q_A + G q_B + 0.3.";

/* --- |C| over iterations --- */

/* The largest |C| and the worst certificate of all dense runs. */
static void dense_figures(const dls_mimic_lab *lab, double *C, double *residual)
{
    *C = *residual = 0.0;
    for (size_t k = 0; k < lab->n_records; k++) {
        if (lab->records[k].run.way != DLS_MIMIC_DENSE)
            continue;
        *C = fmax(*C, lab->records[k].result.worst_error);
        *residual = fmax(*residual, lab->records[k].result.worst_residual);
    }
}

static dls_status plot_iterations(const dls_mimic_lab *lab, dls_error *error)
{
    const char *const names[] = {"parallel+0.5", "series+0.5", NULL};
    char table[DLS_PATH_MAX], published[DLS_PATH_MAX], step[40];
    const double h = lab->settings->coarse;
    double C, residual;
    text t = {""};
    if (!all_wanted(lab, names))
        return DLS_OK;
    DLS_TRY(dls_job_path(lab->job, "mimic.runs", "tsv", table, error));
    DLS_TRY(dls_job_path(lab->job, "mimic.physx.summary", "tsv", published, error));
    dense_figures(lab, &C, &residual);
    append(&t,
           "The largest |C| of a mimic joint, G = +0.5, whose coordinate B a drive (1e4 N m/rad, 100 N m s/rad) "
           "pulls to 2 rad, over the iterations of a step of %.4g s; the mimic row comes first. %s At ",
           h, rods);
    append_counts(&t, lab);
    append(&t, " two parallel rods have under PGS ");
    append_values(&t, lab, (line){"parallel+0.5", "drive", false, h, DLS_MIMIC_PGS}, WORST_ERROR);
    append(&t, " rad, as PhysX 5.6.1 is published to have; under TGS ");
    append_values(&t, lab, (line){"parallel+0.5", "drive", false, h, DLS_MIMIC_TGS_STEP}, WORST_ERROR);
    append(&t, " (bias over the step) and ");
    append_values(&t, lab, (line){"parallel+0.5", "drive", false, h, DLS_MIMIC_TGS_SUBSTEP}, WORST_ERROR);
    append(&t,
           " (over the substep): TGS moves bodies with what its first iterations got wrong. Dense steps: at most "
           "%.1e in all runs of the experiment, every step certified to a scaled residual of %.1e. Values below "
           "1e-16 are drawn there. The gear of the published series is not known.",
           C, residual);
    snprintf(step, sizeof step, "%.17g", h);
    const char *const variables[] = {"published", published, "step", step, NULL};
    return dls_plot(lab->job, "mimic-iterations", table, "mimic-iterations", t.at, variables, error);
}

/* --- order of rows --- */

static dls_status plot_order(const dls_mimic_lab *lab, dls_error *error)
{
    const char *const names[] = {"parallel-2", NULL};
    char table[DLS_PATH_MAX], step[40];
    const double h = lab->settings->coarse;
    text t = {""};
    if (!all_wanted(lab, names))
        return DLS_OK;
    DLS_TRY(dls_job_path(lab->job, "mimic.runs", "tsv", table, error));
    append(&t,
           "The last row of a sweep is exact, the others are not. Two parallel rods, G = -2, B driven (1e4, 100) to "
           "2 rad and limited to 0.3 rad, step %.4g s, ",
           h);
    append_counts(&t, lab);
    append(&t, ". With the mimic row first PGS leaves |C| = ");
    append_values(&t, lab, (line){"parallel-2", "drive+limit", false, h, DLS_MIMIC_PGS}, WORST_ERROR);
    append(&t, " rad, with the mimic row last ");
    append_values(&t, lab, (line){"parallel-2", "drive+limit", true, h, DLS_MIMIC_PGS}, WORST_ERROR);
    append(&t, " rad. But the way to the dense reference is as long, ");
    append_values(&t, lab, (line){"parallel-2", "drive+limit", false, h, DLS_MIMIC_PGS}, DISTANCE);
    append(&t, " against ");
    append_values(&t, lab, (line){"parallel-2", "drive+limit", true, h, DLS_MIMIC_PGS}, DISTANCE);
    append(&t, " rad in the worst coordinate: the error is another row's. %s", rods);
    snprintf(step, sizeof step, "%.17g", h);
    const char *const variables[] = {"mechanism", names[0], "rival", "drive+limit", "step", step, NULL};
    return dls_plot(lab->job, "mimic-order", table, "mimic-order", t.at, variables, error);
}

/* --- decay and energy --- */

static dls_status plot_decay(const dls_mimic_lab *lab, const dls_mimic_findings *found, dls_error *error)
{
    const char *const names[] = {"parallel+0.5", NULL};
    char table[DLS_PATH_MAX];
    text t = {""};
    if (!all_wanted(lab, names))
        return DLS_OK;
    DLS_TRY(dls_job_path(lab->job, "mimic.decay", "tsv", table, error));
    append(&t,
           "A mimic joint alone that starts with C = %g rad, erp = %g, 4 iterations a step: measured (points) and "
           "predicted (lines) |C| after k steps, (1 - erp)^k for PGS and the dense reference, (1 - erp/4)^(4k) for "
           "TGS with the bias over the step, (1 - erp)^(4k) over the substep. Over all gears, parallel and in "
           "series, under gravity, measurement and prediction differ by at most %.1e of the first error.",
           lab->settings->error, lab->settings->erp, found->decay_deviation);
    const char *const variables[] = {"mechanism", names[0], NULL};
    return dls_plot(lab->job, "mimic-decay", table, "mimic-decay", t.at, variables, error);
}

static double drift(const dls_mimic_lab *lab, const char *mechanism, double step, dls_mimic_way way, size_t iterations)
{
    const line l = {mechanism, dls_mimic_rivals[0].name, false, step, way};
    const dls_mimic_result *r = result_of(lab, &l, iterations);
    return r ? r->worst_drift : NAN;
}

static dls_status plot_energy(const dls_mimic_lab *lab, dls_error *error)
{
    const char *const names[] = {"series+0.5", "chain", NULL};
    const double h = lab->settings->coarse;
    size_t N = dls_mimic_middle(lab);
    char table[DLS_PATH_MAX], coarse[40], fine[40];
    text t = {""};
    if (!all_wanted(lab, names))
        return DLS_OK;
    DLS_TRY(dls_job_path(lab->job, "mimic.energy", "tsv", table, error));
    append(&t,
           "Energy of rods that nothing but mimic joints couples. Left: two in series, G = +0.5; one row, which all "
           "ways solve. The energy strays from that of the start by at most %.3g J with steps of %.4g s and %.3g J "
           "with %.4g s, as h does, and sinks in the mean: semi-implicit Euler, of generalised coordinates whose "
           "mass matrix changes. Right: a finger of four rods, each following the one before, %zu iterations of %.4g "
           "s. Largest change: ",
           drift(lab, names[0], h, DLS_MIMIC_DENSE, 0), h,
           drift(lab, names[0], lab->settings->fine, DLS_MIMIC_DENSE, 0), lab->settings->fine, N, h);
    for (dls_mimic_way way = 0; way < DLS_MIMIC_WAYS; way++)
        append(&t, "%s%.3g (%s)", way ? ", " : "", drift(lab, names[1], h, way, N), dls_mimic_way_names[way]);
    append(&t, " J.");
    snprintf(coarse, sizeof coarse, "%.17g", h);
    snprintf(fine, sizeof fine, "%.17g", lab->settings->fine);
    const char *const variables[] = {"one", names[0], "many", names[1], "coarse", coarse, "fine", fine, NULL};
    return dls_plot(lab->job, "mimic-energy", table, "mimic-energy", t.at, variables, error);
}

static dls_status plot_stability(const dls_mimic_lab *lab, const dls_mimic_findings *found, dls_error *error)
{
    const char *const names[] = {"star", "chain", NULL};
    char table[DLS_PATH_MAX];
    text t = {""};
    if (!all_wanted(lab, names))
        return DLS_OK;
    DLS_TRY(dls_job_path(lab->job, "mimic.stability.summary", "tsv", table, error));
    append(&t,
           "Mimic joints against each other, and against a drive (1e4, 100) on a follower, under TGS with steps of "
           "%.4g s for %g s; the number is the erp. Five followers of one leader, all on the root (left) or hanging "
           "on it (middle): over all erp, time bases and iterations |q| is at most %.3g rad alone and %.3g rad "
           "driven. (PhysX 5.6.1 is reported to diverge with such a star at 4 iterations, to 789 rad.) A finger of "
           "four rods, driven at its tip (right), leaves the finite numbers in %zu of %zu runs, drawn at 100 rad: "
           "TGS keeps the speed of the bias, up to erp C / T, in the state, and Coriolis terms, explicit in the "
           "step, answer to its square. Of the runs with the bias over the step and erp 0.2 %zu do so, of those of "
           "PGS and dense steps %zu.",
           lab->settings->coarse, lab->settings->duration, found->star_coordinate[0], found->star_coordinate[1],
           found->chain_failed, found->chain_runs, found->chain_failed_gentle, found->others_failed);
    return dls_plot(lab->job, "mimic-stability", table, "mimic-stability", t.at, NULL, error);
}

static dls_status plot_exact(const dls_mimic_lab *lab, const dls_mimic_findings *found, dls_error *error)
{
    static const char *const what[] = {
        "Left, two rods in series, G = +0.5, alone: order ",
        "Middle, a chain of mimics: ", "Right, the two rods, B driven (1e4, 100) to 2 rad: "};
    const char *const names[] = {"series+0.5", "chain", NULL};
    char table[DLS_PATH_MAX];
    text t = {""};
    if (!all_wanted(lab, names))
        return DLS_OK;
    DLS_TRY(dls_job_path(lab->job, "mimic.exact", "tsv", table, error));
    append(&t,
           "Largest difference of a coordinate to the exact trajectory in a second, over the step; %zu iterations a "
           "step of PGS and TGS. Orders are fitted to the four smallest steps, the error at the smallest stands "
           "behind; where a drive of some 5 ms acts they are still on their way to 1.",
           dls_mimic_middle(lab));
    for (int k = 0; k < DLS_MIMIC_EXACT_CASES; k++) {
        append(&t, " %s", what[k]);
        for (dls_mimic_way way = 0; way < DLS_MIMIC_WAYS; way++)
            append(&t, "%s%.3f, %.1e rad (%s)", way ? "; " : "", found->slope[k][way], found->finest[k][way],
                   dls_mimic_way_names[way]);
        append(&t, ".");
    }
    return dls_plot(lab->job, "mimic-exact", table, "mimic-exact", t.at, NULL, error);
}

dls_status dls_mimic_figures(const dls_mimic_lab *lab, const dls_mimic_findings *found, dls_error *error)
{
    DLS_TRY(plot_iterations(lab, error));
    DLS_TRY(plot_order(lab, error));
    DLS_TRY(plot_decay(lab, found, error));
    DLS_TRY(plot_exact(lab, found, error));
    DLS_TRY(plot_energy(lab, error));
    return plot_stability(lab, found, error);
}
