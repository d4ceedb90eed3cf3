/* Experiment: the work of every method up to certified residuals.
 *
 * Each problem is solved by every solver of the tables that accepts it, from zero impulse (cold), from the impulses of
 * the step before (warm), and from the best answer of the cold runs with every impulse changed by up to a tenth
 * (perturbed). Iterative methods end at the first iterate that the examiner finds good enough; their work is counted in
 * row visits, which do not depend on the machine, and in time of the solver alone. Direct methods have a time alone.
 *
 * A profile (E. D. Dolan, J. J. More, Math. Program. 91 (2002)) is the share of problems that a method solves with at
 * most r times the work of the best method on each: at r = 1 it shows how often a method is the best, far to the right
 * how often it gets there at all.
 */
#include "study/rig.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    size_t iterations, layers, contacts, seed;
    double seconds, share;
    dls_list cases, solvers;
} settings;

#define FIELD(...) DLS_SETTING(settings, __VA_ARGS__)
static const dls_field fields[] = {
    FIELD(iterations, "", COUNT, "100000", 1, 1e9, "greatest number of iterations of each run"),
    FIELD(seconds, "s", REAL, "0.5", 1e-3, 1e5, "time of each run, its examinations included"),
    FIELD(layers, "", COUNT, "5", 1, 30, "layers of the pile of balls; 9: about 900 contacts"),
    FIELD(contacts, "", COUNT, "60", 1, 2000, "number of drawn contacts"),
    FIELD(seed, "", COUNT, "1", 0, 1e9, "of the draws"),
    FIELD(share, "", REAL, "0.1", 0, 1, "largest relative change of an impulse in perturbed starts"),
    FIELD(cases, "", NAMES, "", 0, 0, "default: all problems of the experiment"),
    FIELD(solvers, "", NAMES, "", 0, 0, "default: every solver that accepts the problem, but for those by name alone"),
};

enum { COLD, WARM, PERTURBED, STARTS };
static const char *const start_names[STARTS] = {"cold", "warm", "perturbed"};
enum { WORK, PROFILE };
enum { CASES_MAX = 16, PROFILED = 1 }; /* the target of the profiles, 1e-6 */

static const dls_experiment_table tables[] = {
    [WORK] = {.stem = "methods.work",
              .columns = "problem\trows\tstart\tsolver\tkind\ttarget\titerations\trow_visits\tmeasured_seconds[s]"},
    [PROFILE] = {.stem = "methods.profile", .columns = "measure\tsolver\tratio\tshare"},
    {.stem = "methods.claims", .columns = "problem\tsolver\tclaim\tcertified\tscaled_residual"},
    {.stem = NULL},
};
enum { CLAIMS = 2 };
enum { VISITS, SECONDS, MEASURES };
static const char *const measure_names[MEASURES] = {"row_visits", "seconds"};

typedef struct findings {
    dls_choice *choices;
    size_t n_choices, n_cases;
    double *work[MEASURES]; /* cases x choices, from cold starts to PROFILED; NaN: not reached */
    double *best;           /* the impulses of the least residual of a case */
    size_t overclaims;
} findings;

static dls_status prepare(dls_study *study, dls_error *error)
{
    const settings *set = study->settings;
    findings *f = study->found;
    DLS_TRY(dls_reach_choices(&set->solvers, set->seconds, &f->choices, &f->n_choices, error));
    for (size_t m = 0; m < MEASURES; m++) {
        f->work[m] = calloc(CASES_MAX * (f->n_choices + 1), sizeof *f->work[m]);
        if (!f->work[m])
            return dls_fail(error, DLS_NO_MEMORY, "no memory for the results of %zu solvers", f->n_choices);
    }
    return DLS_OK;
}

static void release_findings(void *found)
{
    findings *f = found;
    dls_choices_release(f->choices, f->n_choices);
    for (size_t m = 0; m < MEASURES; m++)
        free(f->work[m]);
    free(f->best);
}

static void note_settings(const dls_study *study, dls_table *table)
{
    const findings *f = study->found;
    dls_note_choices(table, f->choices, f->n_choices);
}

static bool is_chosen(const dls_list *names, const char *name)
{
    bool found = names->count == 0;
    for (size_t i = 0; i < names->count; i++)
        found = found || strcmp(names->names[i], name) == 0;
    return found;
}

/* A problem with everything that its runs need. */
typedef struct bench {
    const dls_study *study;
    const dls_case *of;
    dls_case_open at;
    dls_examiner *examiner;
    double *lambda, *start, *best, best_residual; /* n each */
} bench;

static dls_status run_solver(bench *b, int start, size_t k, dls_error *error)
{
    const settings *set = b->study->settings;
    findings *f = b->study->found;
    const dls_choice *choice = &f->choices[k];
    const dls_problem *problem = b->at.problem;
    const bool direct = choice->solver->kind == DLS_SOLVER_DIRECT;
    dls_solver_reach reach;
    DLS_TRY(dls_reach_measure(choice, problem, b->examiner, start == COLD ? NULL : b->start, set->iterations,
                              set->seconds, b->lambda, &reach, error));
    if (start == COLD) {
        if (reach.residual < b->best_residual) {
            b->best_residual = reach.residual;
            memcpy(b->best, b->lambda, problem->n * sizeof *b->best);
        }
        f->work[VISITS][f->n_cases * f->n_choices + k] = reach.to[PROFILED].visits;
        f->work[SECONDS][f->n_cases * f->n_choices + k] = reach.to[PROFILED].seconds;
        f->overclaims += dls_outcome_solved(reach.claim) && !dls_outcome_solved(reach.certified);
        dls_table_row(b->study->tables[CLAIMS], "%s %s %s %s %g", b->of->name, choice->solver->name,
                      dls_outcome_text(reach.claim), dls_outcome_text(reach.certified), reach.residual);
    }
    for (size_t t = 0; t < DLS_REACH_TARGETS; t++)
        dls_table_row(b->study->tables[WORK], "%s %zu %s %s %s %s %g %g %g", b->of->name, problem->n,
                      start_names[start], choice->solver->name, direct ? "direct" : "iterative", dls_reach_names[t],
                      reach.to[t].iterations, reach.to[t].visits, reach.to[t].seconds);
    return DLS_OK;
}

static dls_status run_start(bench *b, int start, dls_error *error)
{
    const settings *set = b->study->settings;
    findings *f = b->study->found;
    const size_t n = b->at.problem->n;
    if (start == WARM && !b->at.warm)
        return DLS_OK;
    if (start == WARM)
        memcpy(b->start, b->at.warm, n * sizeof *b->start);
    if (start == PERTURBED) {
        memcpy(b->start, b->best, n * sizeof *b->start);
        DLS_TRY(dls_perturb(n, set->share, set->seed, b->start, error));
    }
    for (size_t k = 0; k < f->n_choices; k++) {
        const dls_solver *solver = f->choices[k].solver;
        if (dls_solver_refuses(solver, b->at.problem)) {
            if (start == COLD)
                f->work[VISITS][f->n_cases * f->n_choices + k] = f->work[SECONDS][f->n_cases * f->n_choices + k] = NAN;
        } else if (start == COLD || solver->kind == DLS_SOLVER_ITERATIVE)
            DLS_TRY(run_solver(b, start, k, error));
    }
    return DLS_OK;
}

static dls_status run_case(const dls_study *study, const dls_case *of, dls_error *error)
{
    const settings *set = study->settings;
    findings *f = study->found;
    const dls_case_size size = {.layers = set->layers, .contacts = set->contacts, .seed = set->seed};
    bench b = {.study = study, .of = of, .best_residual = HUGE_VAL};
    DLS_TRY(dls_case_begin(&b.at, of, &size, error));
    const size_t n = b.at.problem->n;
    b.lambda = calloc(3 * n + 1, sizeof *b.lambda);
    b.start = b.lambda ? b.lambda + n : NULL, b.best = b.lambda ? b.lambda + 2 * n : NULL;
    dls_status status = b.lambda ? dls_examiner_create(b.at.problem, &b.examiner, error)
                                 : dls_fail(error, DLS_NO_MEMORY, "no memory for impulses of %zu rows", n);
    for (int start = 0; start < STARTS && status == DLS_OK; start++)
        status = run_start(&b, start, error);
    f->n_cases++;
    dls_examiner_destroy(b.examiner);
    free(b.lambda);
    dls_case_close(&b.at);
    return status;
}

static dls_status run_cases(dls_study *study, dls_error *error)
{
    const settings *set = study->settings;
    size_t count = 0;
    while (dls_cases[count].name && count < CASES_MAX)
        count++;
    for (dls_grid g = DLS_GRID(count); dls_study_next(study, &g);)
        if (is_chosen(&set->cases, dls_cases[g.at[0]].name))
            DLS_TRY(run_case(study, &dls_cases[g.at[0]], error));
    return DLS_OK;
}

/* --- profiles --- */

/* The work of method k on case c over that of the best one; infinite where it does not get there, and where none does.
 */
static double ratio_to_best(const findings *f, size_t measure, size_t c, size_t k)
{
    const double *work = f->work[measure] + c * f->n_choices;
    double least = HUGE_VAL;
    for (size_t j = 0; j < f->n_choices; j++)
        least = fmin(least, work[j]); /* NaN is ignored */
    return isfinite(work[k]) ? work[k] / least : HUGE_VAL;
}

static dls_status write_profiles(dls_study *study, dls_error *error)
{
    findings *f = study->found;
    (void)error;
    for (size_t m = 0; m < MEASURES; m++)
        for (size_t k = 0; k < f->n_choices; k++) {
            if (m == VISITS && f->choices[k].solver->kind == DLS_SOLVER_DIRECT)
                continue;
            for (double ratio = 1.0; ratio < 1.1e4; ratio *= pow(10.0, 0.125)) {
                size_t reached = 0;
                for (size_t c = 0; c < f->n_cases; c++)
                    reached += ratio_to_best(f, m, c, k) <= 1.0001 * ratio;
                dls_table_row(study->tables[PROFILE], "%s %s %g %g", measure_names[m], f->choices[k].solver->name,
                              ratio, f->n_cases ? (double)reached / (double)f->n_cases : NAN);
            }
        }
    return DLS_OK;
}

static const dls_experiment_part parts[] = {{"solves", run_cases}, {"profiles", write_profiles}, {NULL, NULL}};

/* --- figures --- */

static size_t solved(const findings *f, size_t k)
{
    size_t count = 0;
    for (size_t c = 0; c < f->n_cases; c++)
        count += isfinite(f->work[SECONDS][c * f->n_choices + k]) ? 1 : 0;
    return count;
}

static dls_status figures(dls_study *study, dls_error *error)
{
    const findings *f = study->found;
    dls_figure figure;
    char names[4096] = "";
    for (size_t k = 0; k < f->n_choices; k++)
        if (solved(f, k) > 0)
            dls_words_add(names, sizeof names, f->choices[k].solver->name);
    dls_figure_begin(&figure, study, "methods", PROFILE, NULL);
    dls_figure_set(&figure, "solvers", "%s", names);
    DLS_TRY(dls_figure_draw(&figure, error,
                            "Share of %zu problems that a method brings to a certified residual of 1e-6 from zero "
                            "impulse, with at most the given multiple of the best method's work. Left: row visits of "
                            "iterative methods; right: time of the solver alone, direct methods included.",
                            f->n_cases));
    dls_figure_begin(&figure, study, "methods-starts", WORK, NULL);
    dls_figure_set(&figure, "solvers", "%s", names);
    return dls_figure_draw(&figure, error,
                           "Row visits to a certified residual of 1e-6 on each problem, by iterative method; filled: "
                           "from zero impulse, open: from the impulses of the step before. A method without a mark "
                           "does not get there within its limits, or refuses the problem.");
}

static size_t find_choice(const findings *f, const char *name)
{
    size_t k = 0;
    while (k < f->n_choices && strcmp(f->choices[k].solver->name, name) != 0)
        k++;
    return k;
}

/* The best row visits on case c over those of PGS, or of NSGS where PGS does not get there; NaN where both do not. */
static double share_of_sweeps(const findings *f, size_t c)
{
    const size_t pgs = find_choice(f, "pgs"), nsgs = find_choice(f, "nsgs");
    const double ratios[] = {pgs < f->n_choices ? ratio_to_best(f, VISITS, c, pgs) : HUGE_VAL,
                             nsgs < f->n_choices ? ratio_to_best(f, VISITS, c, nsgs) : HUGE_VAL};
    const double ratio = isfinite(ratios[0]) ? ratios[0] : ratios[1];
    return isfinite(ratio) ? 1.0 / ratio : NAN;
}

static void conclude(const dls_study *study, dls_finding *finding)
{
    const findings *f = study->found;
    double share[CASES_MAX];
    size_t count = 0;
    for (size_t c = 0; c < f->n_cases; c++) {
        share[count] = share_of_sweeps(f, c);
        count += isfinite(share[count]) ? 1 : 0;
    }
    if (count == 0)
        return;
    snprintf(finding->figure, sizeof finding->figure, "methods");
    snprintf(finding->sentence, sizeof finding->sentence,
             "To a certified 1e-6 the best iterative method takes %.2g of the row visits of PGS, or of NSGS under "
             "cones, in the median of the %zu problems of %zu that these reach; %zu claims of a solution were refuted.",
             dls_spread_of(share, count).median, count, f->n_cases, f->overclaims);
}

const dls_experiment dls_experiment_methods = {
    .name = "methods",
    .summary = "row visits and time of every solver to certified residuals, from cold, warm and perturbed starts",
    .title = "Methods",
    .question = "Which method brings which problem to a certified residual, and with how much work?",
    .varies = "the solver, the problem, the residual, and the start",
    .measures = "iterations, row visits and time of the solver alone up to the first iterate that the examiner "
                "certifies; claims against certified outcomes",
    .shows = "which methods get there, at which multiple of the best method's work, and what a start is worth",
    .mechanisms = "stack-10-found chain-10 wall lift humanoid",
    .fields = DLS_FIELD_TABLE(fields, settings),
    .small = "iterations=200 seconds=0.05 contacts=4 cases=stack,chain-1,cones-0.5",
    .tables = tables,
    .parts = parts,
    .findings = sizeof(findings),
    .prepare = prepare,
    .release = release_findings,
    .note = note_settings,
    .figures = figures,
    .conclude = conclude,
};
