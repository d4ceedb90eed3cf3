/* Experiment: problems of Coulomb friction with several solutions, and what each solver makes of them.
 *
 * PAINLEVE'S ROD (P. Painleve 1895; F. Genot, B. Brogliato 1999) slides on its lower end, inclined by theta. Its
 * contact has two rows that matter, the normal n and the tangent t of the plane, with b_n >= 0 where the end is about
 * to lift off. With s the sign of the sliding speed w_t the solutions are
 *     open    lambda = 0                                                        if b_n >= 0
 *     slide   lambda_n = -b_n / (A_nn - s mu A_nt), lambda_t = -s mu lambda_n   if lambda_n > 0 and w_t has the sign s
 *     stick   lambda = -A^-1 b                                                  if lambda_n > 0, |lambda_t| <= mu lambda_n
 * A steep rod with much friction has A_nn < s mu A_nt: pressing on the end pulls it down. Then open, slide and stick
 * may all be solutions, of three different velocities.
 *
 * A WEDGE that is pulled out of a groove whose walls are inclined by alpha from the direction of the pull is free,
 * since its contacts open. It may also be jammed: its friction can withstand any pull if mu > tan(alpha).
 *
 * Nothing is wrong with a solver that finds one of the solutions; but none may say that it is the only one.
 */
#include "study/rig.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    dls_list angles, mus, walls, solvers;
    double speed, lift, seconds;
    size_t limit;
} settings;

#define FIELD(...) DLS_SETTING(settings, __VA_ARGS__)
static const dls_field fields[] = {
    FIELD(angles, "", REALS, "10, 20, 30, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85", 0.1, 89.9,
          "inclinations of the rod [degrees]"),
    FIELD(mus, "", REALS, "0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3", 1e-3, 100, "friction coefficients"),
    FIELD(walls, "", REALS, "10, 20, 30, 40, 50, 60", 0.1, 89.9, "inclinations of the walls of the groove [degrees]"),
    FIELD(speed, "m/s", REAL, "1", 0, 1e3, "speed at which the rod slides"),
    FIELD(lift, "m/s", REAL, "0.05", -10, 10, "speed at which it rises, before gravity"),
    FIELD(limit, "", COUNT, "20000", 1, 1e9, "greatest number of iterations of each solver"),
    FIELD(seconds, "s", REAL, "0.2", 1e-3, 1e5, "time of each run, its examinations included"),
    FIELD(solvers, "", NAMES, "", 0, 0, "default: every solver that accepts the problem, but for those by name alone"),
};

enum { PROBLEMS, ANSWERS, SUMMARY };
static const dls_experiment_table tables[] = {
    [PROBLEMS] = {.stem = "paradox.problems", .columns = "mechanism\tangle[deg]\tmu\tfound\tpredicted"},
    [ANSWERS] = {.stem = "paradox.answers", .columns = "mechanism\tangle[deg]\tmu\tsolver\toutcome\tstate\tresidual"},
    [SUMMARY] = {.stem = "paradox.summary",
                 .columns = "mechanism\tsolver\tproblems\topen\tslide\tstick\tno_answer\twrongly_claimed"},
    {.stem = NULL},
};

enum { OPEN, SLIDE, STICK, NO_ANSWER, STATES };
static const char *const states[] = {"open", "slide", "stick", "none"};
enum { MECHANISMS = 2, SOLVERS_MAX = 64 };
static const char *const mechanisms[MECHANISMS] = {"rod", "wedge"};

typedef struct findings {
    size_t problems, several, differences; /* differences: found and predicted counts that differ */
    size_t wrong;                          /* claims that the examiner refutes */
    char name[SOLVERS_MAX][DLS_NAME_MAX];
    size_t n_solvers, answers[MECHANISMS][SOLVERS_MAX][STATES], refuted[MECHANISMS][SOLVERS_MAX];
} findings;

/* --- the mechanisms --- */

static dls_status make_rod(const settings *set, double degrees, double mu, dls_scene **scene, dls_error *error)
{
    const double theta = degrees * M_PI / 180.0;
    return dls_scene_text(
        scene, error,
        "name: rod\nworld: {gravity: [0, 0, -9.81]}\nbodies:\n"
        "  - {name: rod, mass: 1, inertia: [0.3333333333333333, 0.3333333333333333, 0.001], position: [0, 0, %.17g],\n"
        "     orientation: [%.17g, 0, %.17g, 0], velocity: [%.17g, 0, %.17g]}\njoints:\n"
        "  - {name: end, type: contact, body1: rod, point: [%.17g, 0, 0], normal: [0, 0, 1], mu: %.17g, friction: "
        "cone}\n",
        sin(theta), cos(0.5 * (0.5 * M_PI - theta)), sin(0.5 * (0.5 * M_PI - theta)), -set->speed, set->lift,
        -cos(theta), mu);
}

/* Pulled upwards. The walls lean outwards by the angle, so that their normals point upwards by as much. */
static dls_status make_wedge(double degrees, double mu, dls_scene **scene, dls_error *error)
{
    const double alpha = degrees * M_PI / 180.0;
    return dls_scene_text(
        scene, error,
        "name: wedge\nworld: {gravity: [0, 0, 0]}\nbodies:\n"
        "  - {name: wedge, mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0], velocity: [0, 0, 1]}\njoints:\n"
        "  - {name: left, type: contact, body1: wedge, point: [-0.1, 0, 0], normal: [%.17g, 0, %.17g], mu: %.17g, "
        "friction: box}\n"
        "  - {name: right, type: contact, body1: wedge, point: [0.1, 0, 0], normal: [%.17g, 0, %.17g], mu: %.17g, "
        "friction: box}\n",
        cos(alpha), sin(alpha), mu, -cos(alpha), sin(alpha), mu);
}

/* The number of solutions of the rod by the equations of the head, from the entries of its rows n and t; the other
 * tangent has no part in them. */
static dls_status predict_rod(const dls_problem *problem, size_t *count, dls_error *error)
{
    dls_dense *d;
    DLS_TRY(dls_dense_create(problem, &d, error));
    const size_t t = fabs(d->A[1]) > fabs(d->A[2]) ? 1 : 2; /* A_nt of the other tangent is 0 */
    const double nn = d->A[0], nt = d->A[t], tt = d->A[t * (d->n + 1)], mu = problem->mu[t], n = d->b[0], v = d->b[t];
    const double det = nn * tt - nt * nt, lambda_n = (nt * v - tt * n) / det, lambda_t = (nt * n - nn * v) / det;
    *count = n >= 0.0;
    *count += lambda_n > 0.0 && fabs(lambda_t) <= mu * lambda_n;
    for (int s = -1; s <= 1; s += 2) {
        const double slides = -n / (nn - s * mu * nt);
        *count += slides > 0.0 && s * (v + (nt - s * mu * tt) * slides) > 0.0;
    }
    dls_dense_destroy(d);
    return DLS_OK;
}

/* --- answers --- */

static int state_of(const dls_problem *problem, const double *lambda, const double *w, bool solved)
{
    double normal = 0.0, slip = 0.0, speed = 0.0;
    if (!solved)
        return NO_ANSWER;
    for (size_t i = 0; i < problem->n; i++) {
        if (problem->parent[i] == DLS_NONE)
            normal = fmax(normal, lambda[i]);
        else
            slip = fmax(slip, fabs(w[i]));
        speed = fmax(speed, fabs(w[i]));
    }
    return !(normal > 0.0) ? OPEN : slip > 1e-6 ? SLIDE : STICK;
}

static dls_status ask(dls_study *study, size_t mechanism, double degrees, double mu, const dls_problem *problem,
                      dls_examiner *examiner, const dls_choice *choice, size_t place, dls_error *error)
{
    const settings *set = study->settings;
    findings *f = study->found;
    double lambda[16], w[16];
    dls_solver_reach reach;
    dls_certificate certificate;
    DLS_TRY(dls_reach_measure(choice, problem, examiner, NULL, set->limit, set->seconds, lambda, &reach, error));
    dls_examine(examiner, lambda, w, &certificate);
    const bool solved = certificate.scaled_residual <= 1e-9;
    const int state = state_of(problem, lambda, w, solved);
    const bool wrong = dls_outcome_solved(reach.claim) && !solved;
    f->answers[mechanism][place][state]++;
    f->refuted[mechanism][place] += wrong;
    f->wrong += wrong;
    dls_table_row(study->tables[ANSWERS], "%s %g %g %s %s %s %g", mechanisms[mechanism], degrees, mu,
                  choice->solver->name, dls_outcome_text(reach.claim), states[state], certificate.scaled_residual);
    return DLS_OK;
}

static dls_status run_problem(dls_study *study, size_t mechanism, double degrees, double mu, const dls_choice *choices,
                              size_t count, dls_error *error)
{
    const settings *set = study->settings;
    findings *f = study->found;
    dls_scene *scene;
    dls_model *model;
    dls_problem *problem = NULL;
    dls_examiner *examiner = NULL;
    dls_velocities found = {0};
    size_t predicted = mu > tan(degrees * M_PI / 180.0) ? 2 : 1; /* of the wedge */
    DLS_TRY(mechanism == 0 ? make_rod(set, degrees, mu, &scene, error) : make_wedge(degrees, mu, &scene, error));
    DLS_TRY(dls_scene_model(scene, &model, error));
    dls_status status = dls_first_problem(model, 1e-3, &problem, error);
    if (status == DLS_OK)
        status = dls_examiner_create(problem, &examiner, error);
    if (status == DLS_OK && mechanism == 0)
        status = predict_rod(problem, &predicted, error);
    if (status == DLS_OK)
        status = dls_velocities_find(problem, examiner, 1e-9, &found, error);
    if (status == DLS_OK) {
        const size_t several = found.count > 1 ? found.count : 1;
        f->problems++;
        f->several += predicted > 1;
        f->differences += several != predicted;
        dls_table_row(study->tables[PROBLEMS], "%s %g %g %zu %zu", mechanisms[mechanism], degrees, mu, several,
                      predicted);
    }
    for (size_t k = 0; k < count && status == DLS_OK && predicted > 1; k++)
        if (!dls_solver_refuses(choices[k].solver, problem))
            status = ask(study, mechanism, degrees, mu, problem, examiner, &choices[k], k, error);
    dls_velocities_release(&found);
    dls_examiner_destroy(examiner);
    dls_problem_destroy(problem);
    dls_model_destroy(model);
    return status;
}

static void write_summary(const dls_study *study)
{
    const findings *f = study->found;
    for (size_t m = 0; m < MECHANISMS; m++)
        for (size_t k = 0; k < f->n_solvers; k++) {
            const size_t *a = f->answers[m][k], all = a[OPEN] + a[SLIDE] + a[STICK] + a[NO_ANSWER];
            if (all)
                dls_table_row(study->tables[SUMMARY], "%s %s %zu %zu %zu %zu %zu %zu", mechanisms[m], f->name[k], all,
                              a[OPEN], a[SLIDE], a[STICK], a[NO_ANSWER], f->refuted[m][k]);
        }
}

static dls_status run_all(dls_study *study, dls_error *error)
{
    const settings *set = study->settings;
    findings *f = study->found;
    dls_choice *choices;
    size_t count;
    DLS_TRY(dls_reach_choices(&set->solvers, set->seconds, &choices, &count, error));
    dls_status status =
        count <= SOLVERS_MAX ? DLS_OK : dls_fail(error, DLS_BAD_ARGUMENT, "solvers: more than %d", SOLVERS_MAX);
    for (f->n_solvers = 0; status == DLS_OK && f->n_solvers < count; f->n_solvers++)
        snprintf(f->name[f->n_solvers], DLS_NAME_MAX, "%s", choices[f->n_solvers].solver->name);
    const size_t rods = set->angles.count, all = rods + set->walls.count;
    for (dls_grid g = DLS_GRID(all, set->mus.count); status == DLS_OK && dls_study_next(study, &g);) {
        const size_t mechanism = g.at[0] < rods ? 0 : 1;
        const double degrees = mechanism == 0 ? set->angles.reals[g.at[0]] : set->walls.reals[g.at[0] - rods];
        status = run_problem(study, mechanism, degrees, set->mus.reals[g.at[1]], choices, count, error);
    }
    if (status == DLS_OK)
        write_summary(study);
    for (size_t k = 0; k < count; k++)
        dls_choice_release(&choices[k]);
    free(choices);
    return status;
}

static const dls_experiment_part parts[] = {{"problems", run_all}, {NULL, NULL}};

static dls_status figures(dls_study *study, dls_error *error)
{
    const findings *f = study->found;
    dls_figure figure;
    dls_figure_begin(&figure, study, "paradox", PROBLEMS, NULL);
    dls_figure_set_table(&figure, "summary", SUMMARY);
    return dls_figure_draw(&figure, error,
                           "Left: the number of solutions of Painleve's rod, over its inclination and the friction "
                           "coefficient; it is that of the closed form in all but %zu of %zu problems, wedges "
                           "included. Right: the solutions that each solver ends at where the rod has several.",
                           f->differences, f->problems);
}

static void conclude(const dls_study *study, dls_finding *finding)
{
    const findings *f = study->found;
    snprintf(finding->figure, sizeof finding->figure, "paradox");
    snprintf(
        finding->sentence, sizeof finding->sentence,
        "Of %zu rods and wedges %zu have several solutions; the search finds as many as the closed form says in all "
        "but %zu, each solver ends at one of them, and %zu claims are refuted.",
        f->problems, f->several, f->differences, f->wrong);
}

const dls_experiment dls_experiment_paradox = {
    .name = "paradox",
    .summary = "Painleve's rod and a jammed wedge: all solutions, and the one that each solver ends at",
    .title = "Several solutions",
    .question = "Which problems of Coulomb friction have several solutions, and which of them does a solver return?",
    .varies = "the inclination of a rod and of the walls of a groove, the friction coefficient, and the solver",
    .measures = "the number of solutions, by search and in closed form, and the state of the contacts in each answer",
    .shows = "that a solver's answer may be one of three, by its method and not by the mechanics",
    .mechanisms = "painleve",
    .fields = DLS_FIELD_TABLE(fields, settings),
    .small = "angles=60 mus=2 walls=20 solvers=ppa,nsgs limit=2000",
    .tables = tables,
    .parts = parts,
    .findings = sizeof(findings),
    .figures = figures,
    .conclude = conclude,
};
