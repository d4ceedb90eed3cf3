/* Reduced against maximal coordinates: a chain, a loop of two branches and an arch, whose last solid is up to 1e6 times
 * as heavy as the others. Errors against reference trajectories (reference/trajectory), iterations to a tolerance,
 * time.
 *
 * STABILITY LIMIT OF EXPLICIT STEPS. The light rods of the chain oscillate under the tension of the heavy one with
 * frequencies up to w = sqrt(T L / I) (experiments/drift/runs.c). This is not the effect of a row or a spring: in both
 * kinds of coordinates the force is that at the start of the step, and semi-implicit Euler is stable only for
 * h < 2 / w. */
#include "parts.h"

#include <math.h>
#include <stdlib.h>

enum { SHORTER = 10 }; /* shorter steps in one */
static const double compared =
    1e3; /* up to this ratio both forms' reference trajectories are compared: they take long */

const char *const dls_reduced_mechanism_names[DLS_REDUCED_MECHANISMS] = {"chain", "four-bar", "arch"};

/* --- mechanisms --- */

static dls_status four_bar(dls_reduced_form form, double ratio, double erp, dls_scene **scene, dls_error *error)
{
    DLS_TRY(dls_scene_named(form == DLS_REDUCED ? "loop" : "four-bar", scene, error));
    const dls_stabilisation stabilisation = {.erp = erp};
    dls_stabilise_joints(*scene, dls_method_find("baumgarte"), &stabilisation);
    if (form == DLS_MAXIMAL) {
        (*scene)->bodies[(*scene)->n_bodies - 1].mass *= ratio;
        return DLS_OK;
    }
    dls_articulation_def *def = (*scene)->articulations[0];
    dls_link_def *rocker = &def->links[def->n_links - 1];
    rocker->mass *= ratio;
    for (int k = 0; k < 9; k++)
        rocker->inertia.m[k] *= ratio;
    return DLS_OK;
}

static dls_status make_model(const dls_study *study, size_t mechanism, dls_reduced_form form, double ratio,
                             dls_model **model, dls_error *error)
{
    const dls_reduced_settings *set = study->settings;
    const dls_reduced_chain chain = {.links = set->links, .ratio = ratio, .arch = mechanism == 2};
    dls_scene *scene;
    *model = NULL;
    DLS_TRY(mechanism == 1 ? four_bar(form, ratio, set->erp, &scene, error)
                           : dls_reduced_chain_scene(&chain, form, set->erp, &scene, error));
    return dls_scene_model(scene, model, error);
}

/* --- reference trajectories --- */

/* Centres of all solids after every step. */
typedef struct path {
    size_t solids, steps;
    dls_vec3 *at; /* steps x solids */
} path;

static double distance(const path *p, size_t step, const dls_configuration *at)
{
    double worst = 0.0;
    for (size_t i = 0; i < p->solids; i++)
        worst = fmax(worst, dls_norm(dls_sub(p->at[step * p->solids + i], dls_reduced_solid(at, i).x)));
    return worst;
}

static void keep_chain(void *context, size_t k, const dls_configuration *at, const dls_state *state)
{
    const path *p = context;
    (void)state;
    for (size_t i = 0; i < p->solids; i++)
        p->at[k * p->solids + i] = dls_reduced_solid(at, i).x;
}

/* A path, and the largest distance to it. */
typedef struct comparison {
    const path *with;
    double apart;
} comparison;

static void compare_look(void *context, size_t k, const dls_configuration *at, const dls_state *state)
{
    comparison *c = context;
    (void)state;
    c->apart = fmax(c->apart, distance(c->with, k, at));
}

/* The reduced form's; where `both`, that of the other form is compared with it. */
static dls_status exact_path(dls_study *study, dls_model *const model[DLS_REDUCED_FORMS], bool both, path *p,
                             dls_error *error)
{
    const dls_reduced_settings *set = study->settings;
    dls_reduced_findings *f = study->found;
    comparison c = {.with = p};
    p->solids = dls_model_count(model[DLS_MAXIMAL]).bodies;
    p->steps = dls_step_count(set->duration, set->step);
    p->at = calloc(p->solids * p->steps, sizeof *p->at);
    if (!p->at)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a path of %zu steps", p->steps);
    DLS_TRY(dls_reduced_exactly(model[DLS_REDUCED], set->step, p->steps, keep_chain, p, error));
    if (both)
        DLS_TRY(dls_reduced_exactly(model[DLS_MAXIMAL], set->step, p->steps, compare_look, &c, error));
    f->apart = fmax(f->apart, c.apart);
    return DLS_OK;
}

/* --- runs --- */

/* A mechanism in one form. */
typedef struct chain_case {
    size_t mechanism, r; /* r: of its ratio */
    dls_reduced_form form;
    const dls_model *model;
    const path *exact;
} chain_case;

/* A run, and the line of its largest errors: distance to the exact path [m], joint error [m], |change of energy| [J].
 * iterations 0: every problem's certified solution; `parts` steps in one of the path's. */
static dls_status run_chain(dls_study *study, const chain_case *c, size_t iterations, size_t parts, double *found,
                            dls_error *error)
{
    const dls_reduced_settings *set = study->settings;
    dls_reduced_findings *f = study->found;
    dls_certified certified = {.good_enough = 1e-10, .record = &f->record};
    dls_rig_plan plan = {.iterations = iterations ? iterations : 1, .diverges = true};
    double distant = 0.0, joint = 0.0, energy = 0.0;
    dls_rig rig;
    if (iterations == 0)
        plan.with = (dls_choice){&dls_solver_certified, &certified, NULL};
    DLS_TRY(dls_rig_open_model(&rig, c->model, &plan, error));
    const double start = dls_energy(dls_rig_at(&rig));
    while (dls_rig_next(&rig, set->step / (double)parts, parts * c->exact->steps)) {
        double linear, angular;
        if (rig.steps % parts != 0)
            continue;
        dls_joint_errors(dls_rig_at(&rig), &linear, &angular);
        distant = fmax(distant, distance(c->exact, rig.steps / parts - 1, dls_rig_at(&rig)));
        joint = fmax(joint, linear);
        energy = fmax(energy, fabs(dls_energy(dls_rig_at(&rig)) - start));
    }
    if (rig.failed)
        distant = joint = energy = HUGE_VAL;
    const size_t steps = rig.steps, failed = rig.failed;
    DLS_TRY(dls_rig_end(&rig));
    dls_table_row(study->tables[DLS_REDUCED_ERRORS], "%s %s %s %zu %g %g %g %g %g %zu %zu",
                  dls_reduced_mechanism_names[c->mechanism], dls_reduced_form_names[c->form],
                  c->form == DLS_REDUCED && c->mechanism == 0 ? "none"
                  : iterations                                ? "pgs"
                                                              : "certified",
                  iterations, set->ratios.reals[c->r], set->step / (double)parts, distant, joint, energy, steps,
                  failed);
    if (found)
        *found = distant;
    return DLS_OK;
}

/* --- iterations and time to a tolerance --- */

/* A step solved directly, and one of as many iterations as the tolerance takes: of set->most, and in proportion, where
 * these are more. */
static dls_status times(const dls_study *study, const char *mechanism, const char *form, double ratio,
                        const dls_model *model, double iterations, dls_error *error)
{
    const dls_reduced_settings *set = study->settings;
    const double run = fmin(ceil(iterations), (double)set->most);
    double direct, sweeps;
    DLS_TRY(dls_reduced_time(model, "block-pivoting", 1, set->step, &direct, error));
    DLS_TRY(dls_reduced_time(model, "pgs", (size_t)fmax(run, 1.0), set->step, &sweeps, error));
    dls_table_row(study->tables[DLS_REDUCED_TIMES], "%s %s %g %g %g %g %g", mechanism, form, ratio, direct, iterations,
                  run, sweeps * (run > 0.0 ? iterations / run : 1.0));
    return DLS_OK;
}

dls_status dls_reduced_compare(const dls_study *study, const dls_model *model, dls_comparisons *found, dls_error *error)
{
    const dls_reduced_settings *set = study->settings;
    dls_problem *problem;
    dls_choice pgs = {NULL, NULL, NULL};
    *found = (dls_comparisons){.of = NULL};
    DLS_TRY(dls_first_problem(model, set->step, &problem, error));
    dls_status status = problem->n > 0 ? dls_choice_create("pgs", &pgs, error) : DLS_OK;
    if (status == DLS_OK && problem->n > 0)
        status = dls_compare(problem, &pgs, 1, set->most, 1e-8, found, error);
    dls_choice_release(&pgs);
    dls_problem_destroy(problem);
    return status;
}

static dls_status iterations_to_tolerance(dls_study *study, size_t mechanism, dls_reduced_form form, size_t r,
                                          const dls_model *model, dls_error *error)
{
    const dls_reduced_settings *set = study->settings;
    dls_reduced_findings *f = study->found;
    const char *name = dls_reduced_mechanism_names[mechanism], *form_name = dls_reduced_form_names[form];
    double rate = 0.0, fitted = NAN, needed = 0.0, reached = 0.0;
    dls_comparisons found;
    DLS_TRY(dls_reduced_compare(study, model, &found, error));
    const size_t rows = found.rows;
    if (found.of) { /* the predicted rate is that of the slowest mode that the error holds */
        rate = found.of->predicted_rate, fitted = found.of->fitted_rate;
        needed = log(1e-6) / log(rate), reached = dls_comparison_reached(found.of);
    }
    dls_comparisons_release(&found);
    if (!isnan(fitted) && !isnan(reached))
        f->rate_error = fmax(f->rate_error, fabs(log(fitted) / log(rate) - 1.0));
    f->needed[mechanism][form][r] = isnan(reached) ? needed : reached;
    if (form == DLS_REDUCED)
        f->most_reduced = fmax(f->most_reduced, f->needed[mechanism][form][r]);
    dls_table_row(study->tables[DLS_REDUCED_RATES], "%s %s %g %zu %zu %g %g %g %g", name, form_name,
                  set->ratios.reals[r], dls_model_count(model).nv, rows, rate, fitted, needed, reached);
    return times(study, name, form_name, set->ratios.reals[r], model, f->needed[mechanism][form][r], error);
}

/* w h of the light rods of the heaviest chain. */
static double fastest(const dls_reduced_settings *set, const dls_model *model)
{
    const dls_body *bodies = dls_model_bodies(model);
    double mass = 0.0;
    for (size_t i = 0; i < dls_model_count(model).bodies; i++)
        mass += bodies[i].mass;
    return set->step *
           sqrt(mass * dls_norm(dls_model_world(model)->gravity) * dls_reduced_rod / bodies[0].inertia.m[0]);
}

static dls_status run_case(dls_study *study, size_t mechanism, size_t r, dls_error *error)
{
    const dls_reduced_settings *set = study->settings;
    dls_reduced_findings *f = study->found;
    const double ratio = set->ratios.reals[r];
    dls_model *model[DLS_REDUCED_FORMS] = {NULL};
    path exact = {.at = NULL};
    dls_status status = DLS_OK;
    for (dls_reduced_form form = 0; form < DLS_REDUCED_FORMS && status == DLS_OK; form++)
        status = make_model(study, mechanism, form, ratio, &model[form], error);
    if (status == DLS_OK)
        status = exact_path(study, model, ratio <= compared, &exact, error);
    for (dls_reduced_form form = 0; form < DLS_REDUCED_FORMS && status == DLS_OK; form++) {
        const chain_case c = {mechanism, r, form, model[form], &exact};
        const bool rows = form == DLS_MAXIMAL || mechanism > 0;
        status = run_chain(study, &c, 0, 1, &f->error[mechanism][form][r], error);
        if (status == DLS_OK && mechanism == 0 && r + 1 == set->ratios.count) /* the heaviest: shorter steps too */
            status = run_chain(study, &c, 0, SHORTER, &f->fine[form], error);
        for (size_t k = 0; k < set->iterations.count && rows && status == DLS_OK; k++)
            status = run_chain(study, &c, set->iterations.counts[k], 1, NULL, error);
        if (status == DLS_OK)
            status = iterations_to_tolerance(study, mechanism, form, r, model[form], error);
    }
    if (status == DLS_OK && mechanism == 0)
        f->fastest = fastest(set, model[DLS_MAXIMAL]);
    free(exact.at);
    for (size_t form = 0; form < DLS_REDUCED_FORMS; form++)
        dls_model_destroy(model[form]);
    return status;
}

dls_status dls_reduced_chains(dls_study *study, dls_error *error)
{
    const dls_reduced_settings *set = study->settings;
    for (dls_grid g = DLS_GRID(DLS_REDUCED_MECHANISMS, set->ratios.count); dls_study_next(study, &g);)
        DLS_TRY(run_case(study, g.at[0], g.at[1], error));
    return DLS_OK;
}
