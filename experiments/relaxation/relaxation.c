/* Experiment: how far the convex relaxation of friction is from Coulomb's law.
 *
 * APGD, SAP, MuJoCo and Chrono solve the associated law (law.h): lambda in the cone K, w in K*, orthogonal, the
 * optimality conditions of a convex problem. A contact that slides then opens with w_n = mu |w_t|, where Coulomb's law
 * says w_n = 0. SAP (A. Castro, F. Permenter, X. Han, "An unconstrained convex formulation of compliant contact", IEEE
 * Trans. Robotics 39 (2023)) also regularises, A + R with
 *     R_n = beta^2 / (4 pi^2) |W|,   R_t = sigma |W|,   |W| the root mean square of the contact's block of A, / 3:
 * near-rigid for beta = 1, and sticking contacts creep with R_t lambda_t; its default is beta = 1, sigma = 1e-3. The
 * answer of SAP is here that of the associated law on A + R, by the direct method `primal`, whose residual the examiner
 * measures.
 *
 * THE GAP OF A SLIDING BODY. One step of the associated law ends with J_n v + C_n / h = mu |v_t|, and the height after
 * it is C_n + h J_n v: a body that slides on a plane glides at the height
 *     h mu |v_t|,
 * whatever its mass and its contacts are, exactly; it tends to the ground with the step. A body that touches the
 * ground when it begins to slide leaves it with the speed mu |v_t|: therefore it begins at this height here.
 */
#include "study/rig.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    dls_list cases, steps;
    size_t contacts, layers, seed;
    double tolerance, least, most, factor, mu, speed, duration;
} settings;

#define FIELD(...) DLS_SETTING(settings, __VA_ARGS__)
static const dls_field fields[] = {
    FIELD(cases, "", NAMES, "stack-cone, pile, cones-0.5, cones-1, cones-3", 0, 0,
          "problems of the experiment methods under Coulomb's cone"),
    FIELD(contacts, "", COUNT, "30", 1, 1000, "number of drawn contacts"),
    FIELD(layers, "", COUNT, "4", 1, 20, "layers of the pile of balls"),
    FIELD(seed, "", COUNT, "1", 0, 1e9, "of the draws"),
    FIELD(tolerance, "", REAL, "1e-9", 1e-14, 1, "scaled residual of the answers"),
    FIELD(least, "", REAL, "1e-8", 1e-15, 1e3, "least sigma or beta above 0,"),
    FIELD(most, "", REAL, "1", 1e-12, 1e3, "and the largest one"),
    FIELD(factor, "", REAL, "10", 1.01, 1e6, "between two"),
    FIELD(mu, "", REAL, "0.5", 1e-3, 10, "friction coefficient of the body that slides"),
    FIELD(speed, "m/s", REAL, "3", 1e-3, 1e3, "its speed at the start"),
    FIELD(duration, "s", REAL, "0.1", 1e-4, 10, "for which it slides"),
    FIELD(steps, "s", REALS, "0.02, 0.01, 0.005, 0.002, 0.001", 1e-6, 1, "time steps"),
};

enum { PROBLEMS, GLIDE };
static const dls_experiment_table tables[] = {
    [PROBLEMS] = {.stem = "relaxation.problems",
                  .columns = "case\tvaried\tsigma\tbeta\tdistance\tresidual\tresidual_under_coulomb"
                             "\tlargest_opening\tlargest_creep"},
    [GLIDE] = {.stem = "relaxation.glide", .columns = "step[s]\tspeed[m/s]\theight[m]\tpredicted_height[m]"},
    {.stem = NULL},
};

typedef struct findings {
    double rigid[2]; /* least and largest distance of the associated law alone */
    double usual[2]; /* the same with sigma = 1e-3 and beta = 1 */
    size_t cases;
    double deviation; /* largest relative deviation of a height from the law */
} findings;

/* --- problems --- */

/* One case: Coulomb's problem and its solution. */
typedef struct truth {
    const char *name;
    const dls_problem *problem;
    dls_examiner *examiner;
    dls_reference_solution *solution;
    dls_dense *dense;
    double size;                        /* the distance of lambda = 0 from the solution */
    double *work, *w, *lambda, *w_true; /* n each, but for work: n x n */
} truth;

/* The associated law on A + R. */
static dls_status make_relaxed(const truth *t, double sigma, double beta, dls_problem **relaxed, dls_error *error)
{
    const dls_problem *p = t->problem;
    const size_t n = p->n;
    memcpy(t->work, t->dense->A, n * n * sizeof *t->work);
    for (size_t i = 0; i < n; i++) {
        if (!dls_problem_is_cone(p, i))
            continue;
        double square = 0.0;
        for (size_t a = 0; a < 3; a++)
            for (size_t b = 0; b < 3; b++)
                square += t->dense->A[i + a + n * (i + b)] * t->dense->A[i + a + n * (i + b)];
        const double W = sqrt(square) / 3.0;
        t->work[i * (n + 1)] += beta * beta / (4.0 * M_PI * M_PI) * W;
        t->work[(i + 1) * (n + 1)] += sigma * W;
        t->work[(i + 2) * (n + 1)] += sigma * W;
    }
    DLS_TRY(dls_problem_from_matrix(n, t->work, t->dense->b, t->dense->lo, t->dense->hi, relaxed, error));
    for (size_t i = 0; i < n; i++)
        if (dls_problem_is_cone(p, i))
            dls_problem_make_disc(*relaxed, i, i + 1, DLS_LAW_ASSOCIATED, p->mu[i + 1], p->mu[i + 2]);
    return DLS_OK;
}

/* w_n of contacts that Coulomb's law closes, and |w_t| of those that stick under it, each over the largest |w| that a
 * contact has without impulses. */
static void find_errors(const truth *t, const double *w, double *opening, double *creep)
{
    const dls_problem *p = t->problem;
    const double *lambda = t->solution->lambda;
    double scale = 0.0;
    *opening = *creep = 0.0;
    for (size_t i = 0; i < p->n; i++) {
        if (!dls_problem_is_cone(p, i))
            continue;
        const double friction = hypot(lambda[i + 1], lambda[i + 2]), slip = hypot(w[i + 1], w[i + 2]);
        scale = fmax(scale, fabs(t->dense->b[i]) + hypot(t->dense->b[i + 1], t->dense->b[i + 2]));
        if (lambda[i] > 0.0)
            *opening = fmax(*opening, w[i]);
        if (lambda[i] > 0.0 && friction < (1.0 - 1e-6) * p->mu[i + 1] * lambda[i])
            *creep = fmax(*creep, slip);
    }
    *opening /= scale, *creep /= scale;
}

static dls_status compare(dls_study *study, const truth *t, const char *varied, double sigma, double beta,
                          dls_error *error)
{
    const settings *set = study->settings;
    findings *f = study->found;
    dls_problem *relaxed = NULL;
    dls_examiner *examiner = NULL;
    dls_choice primal = {.solver = NULL};
    dls_report report = {0};
    dls_certificate own, true_one;
    dls_status status = make_relaxed(t, sigma, beta, &relaxed, error);
    if (status == DLS_OK)
        status = dls_examiner_create(relaxed, &examiner, error);
    if (status == DLS_OK)
        status = dls_choice_create("primal", &primal, error);
    if (status == DLS_OK) {
        memset(t->lambda, 0, t->problem->n * sizeof *t->lambda);
        status = dls_solve(primal.solver, relaxed, primal.settings, 1, t->lambda, &report, NULL, NULL, error);
    }
    if (status == DLS_OK) {
        double opening, creep;
        dls_examine(examiner, t->lambda, NULL, &own);
        dls_examine(t->examiner, t->lambda, t->w, &true_one);
        find_errors(t, t->w, &opening, &creep);
        const double distance = dls_examiner_distance(t->examiner, t->lambda, t->solution->lambda) / t->size;
        dls_table_row(study->tables[PROBLEMS], "%s %s %g %g %g %g %g %g %g", t->name, varied, sigma, beta, distance,
                      own.scaled_residual, true_one.scaled_residual, opening, creep);
        double *range = sigma == 0.0 && beta == 0.0 ? f->rigid : sigma == 1e-3 && beta == 1.0 ? f->usual : NULL;
        if (range && strcmp(varied, "sigma") == 0 && own.scaled_residual <= set->tolerance) {
            range[0] = f->cases == 0 || distance < range[0] ? distance : range[0];
            range[1] = fmax(range[1], distance);
        }
    }
    dls_report_release(&report);
    dls_choice_release(&primal);
    dls_examiner_destroy(examiner);
    dls_problem_destroy(relaxed);
    return status;
}

/* Over sigma with beta = 1, over beta with sigma = 1e-3; the law alone, and SAP's default, first. */
static dls_status compare_all(dls_study *study, const truth *t, dls_error *error)
{
    const settings *set = study->settings;
    const size_t count = dls_ladder_count(set->least, set->most, set->factor);
    DLS_TRY(compare(study, t, "sigma", 0.0, 0.0, error));
    DLS_TRY(compare(study, t, "sigma", 1e-3, 1.0, error));
    for (size_t k = 0; k < count; k++) {
        const double value = dls_ladder(set->least, set->factor, k);
        DLS_TRY(compare(study, t, "sigma alone", value, 0.0, error));
        DLS_TRY(compare(study, t, "beta alone", 0.0, value, error));
    }
    ((findings *)study->found)->cases++;
    return DLS_OK;
}

static dls_status run_case(dls_study *study, const dls_case *of, dls_error *error)
{
    const settings *set = study->settings;
    const dls_case_size size = {.layers = set->layers, .contacts = set->contacts, .seed = set->seed};
    dls_case_open at;
    DLS_TRY(dls_case_begin(&at, of, &size, error));
    truth t = {.name = of->name, .problem = at.problem};
    const size_t n = at.problem->n;
    double *zero = calloc(n * (n + 4) + 1, sizeof *zero);
    t.lambda = zero + n, t.w = t.lambda + n, t.w_true = t.w + n, t.work = t.w_true + n;
    dls_status status = zero ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", n);
    if (status == DLS_OK)
        status = dls_dense_create(t.problem, &t.dense, error);
    if (status == DLS_OK)
        status = dls_examiner_create(t.problem, &t.examiner, error);
    if (status == DLS_OK)
        status = dls_reference_solution_create(t.problem, t.examiner, NULL, set->tolerance, &t.solution, error);
    if (status == DLS_OK) {
        t.size = dls_examiner_distance(t.examiner, zero, t.solution->lambda);
        status = compare_all(study, &t, error);
    }
    dls_reference_solution_destroy(t.solution);
    dls_examiner_destroy(t.examiner);
    dls_dense_destroy(t.dense);
    free(zero);
    dls_case_close(&at);
    return status;
}

static dls_status run_problems(dls_study *study, dls_error *error)
{
    const settings *set = study->settings;
    for (dls_grid g = DLS_GRID(set->cases.count); dls_study_next(study, &g);) {
        const dls_case *of = dls_cases;
        while (of->name && strcmp(of->name, set->cases.names[g.at[0]]) != 0)
            of++;
        if (!of->name || of->law != DLS_LAW_CONE)
            return dls_fail(
                error, DLS_BAD_ARGUMENT,
                "cases: '%s' is no problem under Coulomb's cone; they are stack-cone, pile, grasp, cones-0.5, "
                "cones-1, cones-2 and cones-3",
                set->cases.names[g.at[0]]);
        DLS_TRY(run_case(study, of, error));
    }
    return DLS_OK;
}

/* --- the body that slides --- */

static dls_status run_glide(dls_study *study, dls_error *error)
{
    const settings *set = study->settings;
    findings *f = study->found;
    for (dls_grid g = DLS_GRID(set->steps.count); dls_study_next(study, &g);) {
        const double h = set->steps.reals[g.at[0]], start = h * set->mu * set->speed;
        const dls_rig_plan plan = {.solver = "primal", .iterations = 1};
        dls_scene *scene;
        dls_rig rig;
        DLS_TRY(dls_scene_text(
            &scene, error,
            "name: glide\nworld: {gravity: [0, 0, -9.81]}\nbodies:\n"
            "  - {name: box, shape: box, size: [1, 1, 0.5], mass: 2, position: [0, 0, 0.25], velocity: [%.17g, 0, 0]}\n"
            "joints:\n"
            "  - {repeat: {i: 2, j: 2}, name: 'c{i}{j}', type: contact, body1: box, normal: [0, 0, 1], mu: %.17g, "
            "friction: associated, gap: %.17g, point: {start: [-0.5, -0.5, 0], i: [1, 0, 0], j: [0, 1, 0]}}\n",
            set->speed, set->mu, start));
        DLS_TRY(dls_rig_open(&rig, scene, &plan, error));
        double height = 0.0, speed = 0.0;
        while (dls_rig_next(&rig, h, dls_step_count(set->duration, h))) {
            height = start + dls_rig_state(&rig)->x[0].z - dls_model_initial(rig.model)->x[0].z;
            speed = dls_rig_state(&rig)->v[0];
        }
        DLS_TRY(dls_rig_end(&rig));
        const double predicted = h * set->mu * fabs(speed);
        dls_table_row(study->tables[GLIDE], "%g %g %g %g", h, speed, height, predicted);
        f->deviation = fmax(f->deviation, fabs(height / predicted - 1.0));
    }
    return DLS_OK;
}

static const dls_experiment_part parts[] = {{"problems", run_problems}, {"glide", run_glide}, {NULL, NULL}};

static dls_status figures(dls_study *study, dls_error *error)
{
    const settings *set = study->settings;
    const findings *f = study->found;
    char cases[DLS_MESSAGE_MAX] = "";
    dls_figure figure;
    for (size_t k = 0; k < set->cases.count; k++)
        dls_words_add(cases, sizeof cases, set->cases.names[k]);
    dls_figure_begin(&figure, study, "relaxation", PROBLEMS, NULL);
    dls_figure_set(&figure, "cases", "%s", cases);
    dls_figure_set_table(&figure, "glide", GLIDE);
    return dls_figure_draw(&figure, error,
                           "Left: distance of the answers of the associated law from Coulomb's, as a share of the work "
                           "of the contacts, over the regularisation sigma of the tangents alone (lines), and without "
                           "any (dashed). Right: the height at which a body glides under the associated law, and "
                           "h mu |v_t|, which it is within %.1e.",
                           f->deviation);
}

static void conclude(const dls_study *study, dls_finding *finding)
{
    const findings *f = study->found;
    snprintf(finding->figure, sizeof finding->figure, "relaxation");
    snprintf(finding->sentence, sizeof finding->sentence,
             "The associated law is %.2g to %.2g of the contacts' velocity change away from Coulomb's on %zu problems, "
             "with SAP's default regularisation %.2g to %.2g; a body that slides glides at h mu |v_t| within %.1e.",
             f->rigid[0], f->rigid[1], f->cases, f->usual[0], f->usual[1], f->deviation);
}

const dls_experiment dls_experiment_relaxation = {
    .name = "relaxation",
    .summary = "the distance of the convex relaxation of friction, and of SAP's regularisation, from Coulomb's law",
    .title = "The convex relaxation of friction",
    .question = "How wrong is the associated law, which many engines solve in place of Coulomb's?",
    .varies = "the problem, SAP's regularisation of tangents and normals, and the time step of a body that slides",
    .measures =
        "the distance of v+ from Coulomb's, the opening of closed contacts, the creep of those that stick, and the "
        "height of a body that slides",
    .shows = "that the distance does not vanish with the regularisation, and that the gap vanishes with the step",
    .mechanisms = "stack-10-found",
    .fields = DLS_FIELD_TABLE(fields, settings),
    .small = "cases=cones-0.5 contacts=4 least=1e-4 factor=100 steps=0.01",
    .tables = tables,
    .parts = parts,
    .findings = sizeof(findings),
    .figures = figures,
    .conclude = conclude,
};
