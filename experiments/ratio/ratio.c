/* Experiment: mass ratios, in reduced and in maximal coordinates.
 *
 * An arch of rods that hangs from both ends, of which the lowest is up to 1e12 times as heavy as the others, is one
 * step's problem in two forms: every joint as rows between bodies, or an articulation with the rows of one ball joint
 * that closes it. Every solver of the tables that accepts the problem runs from zero impulse up to certified residuals.
 * Iterations of a sweep grow in proportion to the ratio where the heavy rod hangs on light ones; the closing rows of an
 * articulation see the masses through M^-1, which is exact.
 */
#include "../articulation/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    size_t links, iterations;
    double seconds, step;
    dls_list ratios, solvers;
} settings;

#define FIELD(...) DLS_SETTING(settings, __VA_ARGS__)
static const dls_field fields[] = {
    FIELD(links, "", COUNT, "6", 2, 1000, "rods of the arch"),
    FIELD(iterations, "", COUNT, "100000", 1, 1e9, "greatest number of iterations of each run"),
    FIELD(seconds, "s", REAL, "0.5", 1e-3, 1e5, "time of each run, its examinations included"),
    FIELD(step, "s", REAL, "0.01", 1e-9, 1, "time step of the problem"),
    FIELD(ratios, "", REALS, "1,1e2,1e4,1e6,1e8,1e10,1e12", 1e-12, 1e12, "mass of the lowest rod over the others'"),
    FIELD(solvers, "", NAMES, "", 0, 0, "default: every solver that accepts the problem, but for those by name alone"),
};

enum { WORK };
static const dls_experiment_table tables[] = {
    [WORK] = {.stem = "ratio.work",
              .columns = "mass_ratio\tform\trows\tsolver\tkind\titerations_to_1e-6\trow_visits_to_1e-6"
                         "\tmeasured_seconds_to_1e-6[s]\tclaim\tcertified\tscaled_residual\tprediction"
                         "\tpredicted_rate"},
    {.stem = NULL},
};
enum { SHOWN = 1 }; /* the target 1e-6 */

typedef struct findings {
    dls_choice *choices;
    size_t n_choices;
    double pgs[DLS_REDUCED_FORMS]; /* the largest ratio that PGS brings to 1e-6 */
    double direct;                 /* the largest residual that a direct method calls solved */
    size_t direct_failures, direct_runs;
} findings;

static dls_status prepare(dls_study *study, dls_error *error)
{
    const settings *set = study->settings;
    findings *f = study->found;
    return dls_reach_choices(&set->solvers, set->seconds, &f->choices, &f->n_choices, error);
}

static void release_findings(void *found)
{
    findings *f = found;
    dls_choices_release(f->choices, f->n_choices);
}

static void note_settings(const dls_study *study, dls_table *table)
{
    const findings *f = study->found;
    dls_note_choices(table, f->choices, f->n_choices);
}

static dls_reduced_chain arch_of(size_t links, double ratio)
{
    return (dls_reduced_chain){
        .links = links, .ratio = ratio, .middle = true, .arch = true, .joints = DLS_REDUCED_BALLS};
}

static dls_status mechanism(const char *name, dls_scene **scene, dls_error *error)
{
    const dls_reduced_chain arch = arch_of(6, 1.0);
    (void)name;
    return dls_reduced_chain_scene(&arch, DLS_MAXIMAL, 0.2, scene, error);
}

static dls_status first_problem(const settings *set, dls_reduced_form form, double ratio, dls_problem **problem,
                                dls_error *error)
{
    const dls_reduced_chain chain = arch_of(set->links, ratio);
    dls_model *model;
    DLS_TRY(dls_reduced_chain_model(&chain, form, 0.2, &model, error));
    const dls_status status = dls_first_problem(model, set->step, problem, error);
    dls_model_destroy(model);
    return status;
}

/* On the free set of the solver's last impulses; the words of solver.h. */
static void predict(const dls_choice *choice, const dls_problem *problem, const double *lambda, dls_rate *rate)
{
    dls_status status = DLS_REFUSED;
    if (choice->solver->splitting)
        status = dls_rate_predict(problem, lambda, NULL, choice->solver->splitting(choice->settings), rate, NULL);
    else if (choice->solver->law)
        status = dls_rate_predict_law(problem, lambda, choice->solver->law, choice->settings, rate, NULL);
    if (status != DLS_OK)
        *rate = (dls_rate){.spectral_radius = NAN, .word = DLS_RATE_NONE};
}

static dls_status run_solver(const dls_study *study, dls_reduced_form form, double ratio, const dls_choice *choice,
                             const dls_problem *problem, dls_examiner *examiner, double *lambda, dls_error *error)
{
    const settings *set = study->settings;
    findings *f = study->found;
    const bool direct = choice->solver->kind == DLS_SOLVER_DIRECT;
    dls_solver_reach reach;
    dls_rate rate;
    DLS_TRY(dls_reach_measure(choice, problem, examiner, NULL, set->iterations, set->seconds, lambda, &reach, error));
    predict(choice, problem, lambda, &rate);
    dls_table_row(study->tables[WORK], "%g %s %zu %s %s %g %g %g %s %s %g %s %g", ratio, dls_reduced_form_names[form],
                  problem->n, choice->solver->name, direct ? "direct" : "iterative", reach.to[SHOWN].iterations,
                  reach.to[SHOWN].visits, reach.to[SHOWN].seconds, dls_outcome_text(reach.claim),
                  dls_outcome_text(reach.certified), reach.residual, dls_rate_words[rate.word], rate.spectral_radius);
    if (strcmp(choice->solver->name, "pgs") == 0 && isfinite(reach.to[SHOWN].iterations))
        f->pgs[form] = fmax(f->pgs[form], ratio);
    if (direct) {
        f->direct_runs++;
        f->direct_failures += !dls_outcome_solved(reach.certified);
        f->direct = dls_outcome_solved(reach.certified) ? fmax(f->direct, reach.residual) : f->direct;
    }
    return DLS_OK;
}

static dls_status run_ratios(dls_study *study, dls_error *error)
{
    const settings *set = study->settings;
    const findings *f = study->found;
    for (dls_grid g = DLS_GRID(set->ratios.count, DLS_REDUCED_FORMS); dls_study_next(study, &g);) {
        const double ratio = set->ratios.reals[g.at[0]];
        const dls_reduced_form form = (dls_reduced_form)g.at[1];
        dls_problem *problem;
        dls_examiner *examiner = NULL;
        DLS_TRY(first_problem(set, form, ratio, &problem, error));
        double *lambda = calloc(problem->n + 1, sizeof *lambda);
        dls_status status = lambda ? dls_examiner_create(problem, &examiner, error)
                                   : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", problem->n);
        for (size_t k = 0; k < f->n_choices && status == DLS_OK; k++)
            if (!dls_solver_refuses(f->choices[k].solver, problem))
                status = run_solver(study, form, ratio, &f->choices[k], problem, examiner, lambda, error);
        dls_examiner_destroy(examiner);
        free(lambda);
        dls_problem_destroy(problem);
        DLS_TRY(status);
    }
    return DLS_OK;
}

static const dls_experiment_part parts[] = {{"ratios", run_ratios}, {NULL, NULL}};

static dls_status figures(dls_study *study, dls_error *error)
{
    const settings *set = study->settings;
    const findings *f = study->found;
    for (int direct = 0; direct < 2; direct++) {
        dls_figure figure;
        char names[4096] = "";
        for (size_t k = 0; k < f->n_choices; k++)
            if ((f->choices[k].solver->kind == DLS_SOLVER_DIRECT) == (direct == 1))
                dls_words_add(names, sizeof names, f->choices[k].solver->name);
        if (!names[0])
            continue;
        dls_figure_begin(&figure, study, "ratio", WORK, direct ? "direct" : "work");
        dls_figure_set(&figure, "solvers", "%s", names);
        dls_figure_set(&figure, "measure", "%s", direct ? "scaled_residual" : "row_visits_to_1e-6");
        dls_figure_set(&figure, "title", "%s",
                       direct ? "scaled residual of the answer [1]" : "row visits to a certified 10^{-6}");
        DLS_TRY(dls_figure_draw(&figure, error,
                                direct
                                    ? "Scaled residual of the answers of direct methods on an arch of %zu rods, over "
                                      "the mass of the lowest one."
                                    : "Row visits of iterative methods to a certified residual of 1e-6 on an arch of "
                                      "%zu rods, over the mass of the lowest one. Lines end where a method no longer "
                                      "gets there within its limits.",
                                set->links));
    }
    return DLS_OK;
}

static void conclude(const dls_study *study, dls_finding *finding)
{
    const findings *f = study->found;
    if (f->direct_runs == 0)
        return;
    snprintf(finding->figure, sizeof finding->figure, "ratio-work");
    snprintf(finding->sentence, sizeof finding->sentence,
             "PGS reaches a certified 1e-6 up to a mass ratio of %g with bodies and joints, and of %g with an "
             "articulation; %zu of %zu direct answers are not certified, the others to %.1e.",
             f->pgs[DLS_MAXIMAL], f->pgs[DLS_REDUCED], f->direct_failures, f->direct_runs, f->direct);
}

const dls_experiment dls_experiment_ratio = {
    .name = "ratio",
    .summary = "mass ratios up to 1e12 in reduced and maximal coordinates, every solver",
    .title = "Mass ratios",
    .question = "Up to which mass ratio does a solver answer, with bodies and joints, and with an articulation?",
    .varies = "the mass ratio, the coordinates, and the solver",
    .measures = "row visits and time to certified residuals, the residual of direct answers, and predicted rates",
    .shows = "how the work grows with the ratio, where methods end, and what reduced coordinates change",
    .mechanisms = "arch",
    .mechanism = mechanism,
    .fields = DLS_FIELD_TABLE(fields, settings),
    .small = "links=2 iterations=200 seconds=0.05 ratios=1,1e4 solvers=pgs,block-pivoting",
    .tables = tables,
    .parts = parts,
    .findings = sizeof(findings),
    .prepare = prepare,
    .release = release_findings,
    .note = note_settings,
    .figures = figures,
    .conclude = conclude,
};
