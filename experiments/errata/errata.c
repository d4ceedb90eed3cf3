/* Experiment: claims of the source documents that only a measurement decides.
 *
 * The printed sentences are short, and true or false only within bounds that the documents do not state. Each part
 * takes one of them, measures it, and gives the bounds. Wrong equations are in doc/errata.md, with tests. Other
 * experiments measure mass ratios of articulations (`ratio`, `articulation`), the price of CFM in accuracy (`cfm`),
 * borders of explicit drives (`articulation`), and the ERP from which an error overshoots (`drift`).
 */
#include "parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define FIELD(...) DLS_SETTING(dls_claims_settings, __VA_ARGS__)
static const dls_field fields[] = {
    FIELD(mixings, "m s^-1 N^-1", REALS, "0, 1e-14, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2", 0, 1e6, "CFM of all joints"),
    FIELD(gains, "", REALS, "0.01, 0.1, 1, 10, 100, 1e3, 1e4, 1e5, 1e6", 1e-6, 1e9,
          "stiffness of the drives, h^2 kp / m"),
    FIELD(sweeps, "", COUNTS, "1, 4, 16", 1, 1e6, "sweeps of PGS over the rows of the drives"),
    FIELD(corrections, "", REALS, "0, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8", 0, 1.99,
          "ERP of all joints"),
    FIELD(duration, "s", REAL, "0.5", 1e-3, 1e3, "length of the runs with CFM,"),
    FIELD(fall, "s", REAL, "2", 1e-3, 1e3, "and of those with ERP"),
    FIELD(step, "s", REAL, "0.001", 1e-9, 1, "time step, except of the runs with ERP: 4 ms"),
    FIELD(iterations, "", COUNT, "4", 1, 1e6, "sweeps of PGS in these runs"),
    FIELD(limit, "", COUNT, "100000", 1, 1e9, "most sweeps to a certified residual"),
    FIELD(seconds, "s", REAL, "3", 1e-3, 1e5, "most time of a solver to each residual"),
    FIELD(unknowns, "", COUNT, "150", 3, 2000, "rows of the dense problems, which are manufactured"),
    FIELD(seed, "", COUNT, "1", 0, 1e9, "of their random numbers"),
    FIELD(flight, "s", REAL, "0.7", 1e-3, 10, "time of the cart's flight"),
    FIELD(lap, "s", REAL, "20", 1e-3, 1e4, "time of its laps"),
    FIELD(shown, "", COUNT, "10", 1, 1e6, "steps between two of its lines"),
};

static const dls_experiment_table tables[] = {
    [DLS_CLAIMS_CASES] = {.stem = "errata.cases", .columns = "claim\tcase\tway\tvaried\tvalue\tquantity\tresult"},
    [DLS_CLAIMS_RACES] = {.stem = "errata.races",
                          .columns = "case\tscaled_residual\tmeasured_pgs[s]\tmeasured_jacobi[s]"
                                     "\tmeasured_block_pivoting[s]\tmeasured_sparse_active_set[s]\tmeasured_ratio"},
    [DLS_CLAIMS_VERDICTS] = {.stem = "errata.verdicts", .columns = "claim\tprinted\tverdict\tmeasured"},
    {.stem = NULL},
};

/* --- verdicts --- */

static void write_verdict(const dls_study *study, const char *claim, const char *printed, const char *verdict,
                          const char *format, ...) DLS_PRINTF(5, 6);
static void write_verdict(const dls_study *study, const char *claim, const char *printed, const char *verdict,
                          const char *format, ...)
{
    char text[512];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    dls_table_row(study->tables[DLS_CLAIMS_VERDICTS], "%s %s %s %s", claim, printed, verdict, text);
}

/* The first entry of a list that is `value` to rounding; its length if there is none. */
static size_t place_of(const dls_list *list, double value)
{
    size_t k = 0;
    while (k < list->count && fabs(list->reals[k] - value) > 1e-9 * fabs(value))
        k++;
    return k;
}

/* The least CFM with which a Cholesky factor alone follows the loop as well as a method that treats dependent rows;
 * NaN: none. */
static double least_mixing(const dls_claims_settings *set, const dls_claims_findings *f)
{
    const dls_claims_mixing *way = f->mixing[DLS_CLAIMS_LOOP];
    double least = NAN;
    for (size_t k = 0; k < set->mixings.count; k++)
        if (set->mixings.reals[k] > 0.0 && way[DLS_CLAIMS_PLAIN].unsolved[k] == 0 &&
            way[DLS_CLAIMS_PLAIN].error[k] <= 1.1 * way[DLS_CLAIMS_TREATED].error[k])
            least = fmin(isnan(least) ? HUGE_VAL : least, set->mixings.reals[k]);
    return least;
}

static void judge_mixing(const dls_study *study)
{
    const dls_claims_settings *set = study->settings;
    const dls_claims_findings *f = study->found;
    const size_t none = place_of(&set->mixings, 0.0);
    const double least = least_mixing(set, f);
    if (none == set->mixings.count)
        return;
    const dls_claims_mixing *loop = f->mixing[DLS_CLAIMS_LOOP];
    const bool fails = loop[DLS_CLAIMS_PLAIN].unsolved[none] > 0 ||
                       !(loop[DLS_CLAIMS_PLAIN].error[none] <= 10.0 * loop[DLS_CLAIMS_TREATED].error[none]);
    write_verdict(
        study, "cfm", "CFM can markedly increase the stability of near-singular systems",
        fails && least > 0.0 ? "true only of a factor of A alone" : "false",
        "the factor leaves %zu steps unsolved at CFM 0, none from %.1e m/(s N) on; a method that treats dependent "
        "rows has %.2e m of error at CFM 0",
        loop[DLS_CLAIMS_PLAIN].unsolved[none], least, loop[DLS_CLAIMS_TREATED].error[none]);
}

static void judge_sweeps(const dls_study *study)
{
    const dls_claims_findings *f = study->found;
    const dls_claims_race *stack = &f->race[2], *wall = &f->race[3];
    const bool early = stack->ratio[0] < 1.0 && wall->ratio[0] < 1.0;
    const bool late = stack->ratio[1] < 1.0 && wall->ratio[1] < 1.0;
    write_verdict(
        study, "gauss-seidel", "Gauss-Seidel is better if A is singular and sparse",
        late    ? "true"
        : early ? "true only of coarse answers"
                : "false",
        "seconds of PGS over the fastest direct method, stack and wall: %.2g and %.2g to 1e-3, %.2g and %.2g to 1e-6",
        stack->ratio[0], wall->ratio[0], stack->ratio[1], wall->ratio[1]);
}

static void judge_drives(const dls_study *study)
{
    const dls_claims_settings *set = study->settings;
    const dls_claims_findings *f = study->found;
    double worst = 0.0, border = NAN;
    for (size_t way = 1; way < 2 + set->sweeps.count; way++)
        worst = fmax(worst, f->drive[way].largest);
    for (size_t k = 0; k < set->gains.count; k++)
        if (f->drive[0].radius[k] > 1.0)
            border = fmin(isnan(border) ? HUGE_VAL : border, set->gains.reals[k]);
    write_verdict(
        study, "drives", "implicit drives can handle very large gains", worst < 1.0 ? "true" : "false",
        "spectral radius of a step at most %.6f, exact or by sweeps; explicit drives are unstable at h^2 kp / m = %g",
        worst, border);
}

/* The ERP with the least joint error. */
static double best_correction(const dls_claims_settings *set, const dls_claims_correction *of)
{
    size_t best = 0;
    for (size_t k = 1; k < set->corrections.count; k++)
        if (of->error[k] < of->error[best])
            best = k;
    return set->corrections.reals[best];
}

/* The least over the mechanisms of the best ERP. */
static double least_best(const dls_claims_settings *set, const dls_claims_findings *f, size_t way)
{
    double least = HUGE_VAL;
    for (size_t m = 0; m < DLS_CLAIMS_MECHANISMS; m++)
        least = fmin(least, best_correction(set, &f->correction[m][way]));
    return least;
}

static void judge_corrections(const dls_study *study)
{
    const dls_claims_settings *set = study->settings;
    const dls_claims_findings *f = study->found;
    const double exact = least_best(set, f, DLS_CLAIMS_EXACT), few = least_best(set, f, DLS_CLAIMS_FEW),
                 warm = least_best(set, f, DLS_CLAIMS_WARM);
    write_verdict(
        study, "erp", "ERP = 0.1 to 0.8 is recommended; ERP = 1 is not",
        exact >= 1.0 && few >= 1.0 && warm < 0.8 ? "false: the bound depends on the solver" : "undecided",
        "ERP of the least joint error, least of three mechanisms: exact %.3g, %zu sweeps %.3g, with warm starts %.3g",
        exact, set->iterations, few, warm);
}

static void judge_energy(const dls_study *study)
{
    const dls_claims_settings *set = study->settings;
    const dls_claims_findings *f = study->found;
    double first[DLS_CLAIMS_SOLVES];
    for (size_t way = 0; way < DLS_CLAIMS_SOLVES; way++) {
        first[way] = HUGE_VAL;
        for (size_t m = 0; m < DLS_CLAIMS_MECHANISMS; m++)
            for (size_t k = 0; k < set->corrections.count; k++)
                if (f->correction[m][way].energy[k] > 1.0)
                    first[way] = fmin(first[way], set->corrections.reals[k]);
    }
    write_verdict(
        study, "energy", "increasing erp risks adding energy",
        first[DLS_CLAIMS_EXACT] < HUGE_VAL ? "true" : "true only of sweeps that do not converge",
        "a mechanism gains more than 1 J from ERP %.3g (exact), %.3g (sweeps), %.3g (warm sweeps) on; an isolated "
        "error gets energy in proportion to ERP^2 for a step",
        first[DLS_CLAIMS_EXACT], first[DLS_CLAIMS_FEW], first[DLS_CLAIMS_WARM]);
}

static void judge_advance(const dls_study *study)
{
    const dls_claims_findings *f = study->found;
    const double *flight = f->lag[DLS_CLAIMS_FLIGHT], *lap = f->lag[DLS_CLAIMS_LAP];
    write_verdict(
        study, "ds", "any other choice of ds advances or falls behind",
        fabs(flight[DLS_CLAIMS_DIVIDED]) < fabs(flight[DLS_CLAIMS_PRINTED]) ? "false" : "true",
        "s off the nearest point by %.2g m as printed, %.2g m by the speed and %.2g m divided by the slope in a "
        "flight; by %.2g, %.2g and %.2g m on the track",
        flight[0], flight[1], flight[2], lap[0], lap[1], lap[2]);
}

static dls_status judge_claims(dls_study *study, dls_error *error)
{
    (void)error;
    judge_mixing(study);
    judge_sweeps(study);
    judge_drives(study);
    judge_corrections(study);
    judge_energy(study);
    judge_advance(study);
    return DLS_OK;
}

static const dls_experiment_part parts[] = {
    {"cfm", dls_claims_near_singular},   {"gauss-seidel", dls_claims_singular_sweeps},
    {"drives", dls_claims_stiff_drives}, {"erp", dls_claims_corrections},
    {"isolated", dls_claims_isolated},   {"ds", dls_claims_advance},
    {"verdicts", judge_claims},          {NULL, NULL},
};

static dls_status figures(dls_study *study, dls_error *error)
{
    const dls_claims_settings *set = study->settings;
    dls_figure figure;
    dls_figure_begin(&figure, study, "errata-bounds", DLS_CLAIMS_CASES, NULL);
    dls_figure_set(&figure, "mixed", "%s", "four-bar");
    dls_figure_set(&figure, "mechanism", "%s", "hinge-pair");
    dls_figure_set(&figure, "sweeps", "%zu", set->iterations);
    DLS_TRY(dls_figure_draw(
        &figure, error,
        "Four claims of the sources. Any CFM above 0 makes a Cholesky factor alone follow a loop with redundant rows, "
        "and none is needed by a method that treats them; ERP = 1 leaves smaller errors than the recommended range, "
        "and with few warm sweeps that range is too wide. Implicit drives are stable at every gain; the printed "
        "advance of s along a track is lost where the track is further away than its radius of curvature."));
    dls_figure_begin(&figure, study, "errata-race", DLS_CLAIMS_RACES, NULL);
    return dls_figure_draw(
        &figure, error,
        "Time of PGS over that of the fastest direct method to a certified residual. To 1e-3 sweeps "
        "are faster on contacts and on dense problems, to 1e-6 on dense and regular ones alone. Marks "
        "on the upper edge: PGS did not get there in %g s.",
        set->seconds);
}

static void conclude(const dls_study *study, dls_finding *finding)
{
    const dls_claims_settings *set = study->settings;
    const dls_claims_findings *f = study->found;
    snprintf(finding->figure, sizeof finding->figure, "errata-bounds");
    snprintf(finding->sentence, sizeof finding->sentence,
             "A Cholesky factor alone follows a loop from a CFM of %.1e m/(s N) on; the ERP of the least joint error "
             "is %.3g with exact solves and %.3g with %zu warm sweeps.",
             least_mixing(set, f), least_best(set, f, DLS_CLAIMS_EXACT), least_best(set, f, DLS_CLAIMS_WARM),
             set->iterations);
}

const dls_experiment dls_experiment_errata = {
    .name = "errata",
    .summary = "claims of the source documents, measured: CFM, Gauss-Seidel, drives, ERP, ds",
    .title = "Claims of the sources",
    .question = "Which of the sources' claims hold, and within which bounds?",
    .varies = "CFM, ERP, gains of drives, solvers, and the advance of s along a track",
    .measures = "joint errors, energy, spectral radii of a step, time to certified residuals, and the lag of s",
    .shows = "for each claim the bounds within which it is true",
    .mechanisms = "four-bar chain-10 hinge-pair",
    .fields = DLS_FIELD_TABLE(fields, dls_claims_settings),
    .small = "duration=0.02 fall=0.1 lap=0.5 flight=0.3 seconds=0.05 limit=200 unknowns=30 gains=1,1e4 sweeps=1 "
             "corrections=0.2,1 mixings=0,1e-6",
    .tables = tables,
    .parts = parts,
    .findings = sizeof(dls_claims_findings),
    .figures = figures,
    .conclude = conclude,
};
