/* Experiment: what constraint force mixing buys and costs.
 *
 * CFM adds Gamma = cfm / h to the diagonal of A. It lifts the least eigenvalue of D^-1 (A + Gamma), so that sweeps
 * converge faster, and changes the answer: with A v-side error J M^-1 J^T dlambda = -Gamma lambda the joints yield by
 * Gamma lambda per step, and hang by cfm times their force (ERP brings them back, C = cfm f h / ERP in the steady
 * state).
 */
#include "spectra.h"
#include "study/rig.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    double ratio, step, duration, least, most, factor;
    size_t iterations;
} settings;

#define FIELD(...) DLS_SETTING(settings, __VA_ARGS__)
static const dls_field fields[] = {
    FIELD(ratio, "", REAL, "100", 1e-6, 1e12, "mass of the last ball of the chain over that of the others"),
    FIELD(step, "s", REAL, "0.001", 1e-9, 1, "time step"),
    FIELD(duration, "s", REAL, "1", 1e-3, 1e5, "length of the runs in which drift is measured"),
    FIELD(least, "m s^-1 N^-1", REAL, "1e-9", 1e-30, 1e6, "least CFM above 0,"),
    FIELD(most, "m s^-1 N^-1", REAL, "1", 1e-30, 1e6, "and the largest one"),
    FIELD(factor, "", REAL, "10", 1.01, 1e6, "between two"),
    FIELD(iterations, "", COUNT, "20000", 30, 1e9, "sweeps from which a rate is fitted"),
};

enum { MIXING };
static const dls_experiment_table tables[] = {
    [MIXING] = {.stem = "cfm.mixing",
                .columns = "cfm[m s^-1 N^-1]\tleast_eigenvalue\tlargest_eigenvalue\tpredicted_rate\tfitted_rate\tfit"
                           "\tpredicted_iterations_per_decade\tfitted_iterations_per_decade\tbias\tdrift[m]"},
    {.stem = NULL},
};

typedef struct findings {
    double cfm, decade[2], bias, drift[2]; /* [0]: without CFM; [1]: at the least one that halves the sweeps */
} findings;

static dls_status make_model(const settings *set, double cfm, dls_model **model, dls_error *error)
{
    dls_scene *scene;
    DLS_TRY(dls_scene_named("chain-10", &scene, error));
    scene->bodies[scene->n_bodies - 1].mass = set->ratio * scene->bodies[0].mass;
    for (size_t j = 0; j < scene->n_joints; j++)
        scene->joints[j].common.cfm = cfm;
    return dls_scene_model(scene, model, error);
}

/* The extreme eigenvalues of D^-1/2 (A + Gamma) D^-1/2. */
static dls_status find_spectrum(const dls_problem *problem, double ends[2], dls_error *error)
{
    dls_dense *d;
    DLS_TRY(dls_dense_create(problem, &d, error));
    const size_t n = d->n;
    dls_arena memory = {0};
    double *w = DLS_TAKE(&memory, double, n);
    dls_status status = w ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu eigenvalues", n);
    if (status == DLS_OK) {
        for (size_t i = 0; i < n; i++)
            w[i] = 1.0 / sqrt(d->A[i * (n + 1)]);
        for (size_t k = 0; k < n * n; k++)
            d->A[k] *= w[k % n] * w[k / n];
        status = dls_symmetric_spectrum(n, false, d->A, w, &memory, "the eigenvalues of A", error);
        ends[0] = w[0], ends[1] = w[n - 1];
    }
    dls_arena_release(&memory);
    dls_dense_destroy(d);
    return status;
}

/* |v - v0| / |v0 - v*| in the M-norm, v0 the solution without CFM: the share of the constraints' work that is missing.
 */
static dls_status find_bias(const dls_problem *rigid, const dls_problem *mixed, double *bias, dls_error *error)
{
    const dls_problem *const problems[] = {rigid, mixed};
    dls_reference_solution *solution[2] = {NULL, NULL};
    dls_examiner *examiner[2] = {NULL, NULL};
    dls_status status = DLS_OK;
    for (size_t k = 0; k < 2 && status == DLS_OK; k++) {
        status = dls_examiner_create(problems[k], &examiner[k], error);
        if (status == DLS_OK)
            status = dls_reference_solution_create(problems[k], examiner[k], NULL, 1e-12, &solution[k], error);
    }
    double *zero = calloc(rigid->n + 1, sizeof *zero);
    if (status == DLS_OK && !zero)
        status = dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", rigid->n);
    if (status == DLS_OK)
        *bias = dls_examiner_distance(examiner[0], solution[1]->lambda, solution[0]->lambda) /
                dls_examiner_distance(examiner[0], zero, solution[0]->lambda);
    free(zero);
    for (size_t k = 0; k < 2; k++) {
        dls_reference_solution_destroy(solution[k]);
        dls_examiner_destroy(examiner[k]);
    }
    return status;
}

static dls_status find_drift(const settings *set, const dls_model *model, double *drift, dls_error *error)
{
    const dls_rig_plan plan = {.solver = "block-pivoting"};
    dls_rig rig;
    double linear, angular;
    *drift = 0.0;
    DLS_TRY(dls_rig_open_model(&rig, model, &plan, error));
    while (dls_rig_next(&rig, set->step, dls_step_count(set->duration, set->step))) {
        dls_joint_errors(dls_rig_at(&rig), &linear, &angular);
        *drift = fmax(*drift, linear);
    }
    return dls_rig_end(&rig);
}

static dls_status measure(dls_study *study, double cfm, const dls_problem *rigid, dls_error *error)
{
    const settings *set = study->settings;
    findings *f = study->found;
    dls_model *model = NULL;
    dls_problem *problem = NULL;
    dls_choice pgs = {.solver = NULL};
    dls_comparisons found = {.of = NULL};
    double ends[2], bias = 0.0, drift = 0.0;
    dls_status status = make_model(set, cfm, &model, error);
    if (status == DLS_OK)
        status = dls_first_problem(model, set->step, &problem, error);
    if (status == DLS_OK)
        status = find_spectrum(problem, ends, error);
    if (status == DLS_OK)
        status = dls_choice_create("pgs", &pgs, error);
    if (status == DLS_OK)
        status = dls_compare(problem, &pgs, 1, set->iterations, 1e-12, &found, error);
    if (status == DLS_OK && rigid)
        status = find_bias(rigid, problem, &bias, error);
    if (status == DLS_OK)
        status = find_drift(set, model, &drift, error);
    if (status == DLS_OK) {
        const dls_comparison *of = &found.of[0];
        const double decade = -1.0 / log10(of->predicted_rate);
        dls_table_row(study->tables[MIXING], "%g %g %g %g %g %s %g %g %g %g", cfm, ends[0], ends[1], of->predicted_rate,
                      of->fitted_rate, dls_fit_words[of->fit], decade, -1.0 / log10(of->fitted_rate), bias, drift);
        if (!rigid)
            f->decade[0] = decade, f->drift[0] = drift;
        else if (f->cfm == 0.0 && decade <= 0.5 * f->decade[0])
            f->cfm = cfm, f->decade[1] = decade, f->bias = bias, f->drift[1] = drift;
    }
    dls_comparisons_release(&found);
    dls_choice_release(&pgs);
    dls_problem_destroy(problem);
    dls_model_destroy(model);
    return status;
}

static dls_status run_mixing(dls_study *study, dls_error *error)
{
    const settings *set = study->settings;
    dls_model *model;
    dls_problem *rigid = NULL;
    DLS_TRY(make_model(set, 0.0, &model, error));
    dls_status status = dls_first_problem(model, set->step, &rigid, error);
    const size_t count = dls_ladder_count(set->least, set->most, set->factor);
    for (dls_grid g = DLS_GRID(count + 1); status == DLS_OK && dls_study_next(study, &g);)
        status = g.at[0] == 0 ? measure(study, 0.0, NULL, error)
                              : measure(study, dls_ladder(set->least, set->factor, g.at[0] - 1), rigid, error);
    dls_problem_destroy(rigid);
    dls_model_destroy(model);
    return status;
}

static const dls_experiment_part parts[] = {{"mixing", run_mixing}, {NULL, NULL}};

static dls_status figures(dls_study *study, dls_error *error)
{
    const settings *set = study->settings;
    dls_figure figure;
    dls_figure_begin(&figure, study, "cfm", MIXING, NULL);
    return dls_figure_draw(
        &figure, error,
        "A chain of 10 balls, the last one %g times as heavy, over the CFM of its joints. Left: sweeps "
        "of PGS per factor of ten, predicted (line) and fitted (points). Right: the share of the "
        "velocity change that is missing (bias), and the largest joint error in %g s with exact "
        "solves.",
        set->ratio, set->duration);
}

static void conclude(const dls_study *study, dls_finding *finding)
{
    const findings *f = study->found;
    if (!(f->cfm > 0.0))
        return;
    snprintf(finding->figure, sizeof finding->figure, "cfm");
    snprintf(
        finding->sentence, sizeof finding->sentence,
        "The least CFM that halves the sweeps of PGS, %g m/(s N), leaves out %.2g of the change of velocity that "
        "rigid joints make: %.0f sweeps per factor of ten become %.0f, and the largest joint error of %.1e m %.1e.",
        f->cfm, f->bias, f->decade[0], f->decade[1], f->drift[0], f->drift[1]);
}

const dls_experiment dls_experiment_cfm = {
    .name = "cfm",
    .summary = "spectrum, rate of sweeps, bias and drift over the constraint force mixing",
    .title = "Constraint force mixing",
    .question = "What does CFM buy in iterations, and what does it cost in accuracy?",
    .varies = "the CFM of all joints of a chain",
    .measures =
        "extreme eigenvalues of the scaled matrix, predicted and fitted rates of PGS, distance of the answer from "
        "that without CFM, and the largest joint error of a run with exact solves",
    .shows = "that sweeps become faster only when the answer changes",
    .mechanisms = "chain-10",
    .fields = DLS_FIELD_TABLE(fields, settings),
    .small = "duration=0.05 least=1e-6 factor=1000 iterations=100",
    .tables = tables,
    .parts = parts,
    .findings = sizeof(findings),
    .figures = figures,
    .conclude = conclude,
};
