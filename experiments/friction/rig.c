/* Piles of blocks on a slope, and their steps under a law, by the reference or by sweeps.
 *
 * The reference: block pivoting where bounds are fixed, Lemke's method where the law is a polygon or a box
 * (reference/facets.c), semismooth Newton under the cone. The examiner certifies each answer on the problem that was
 * solved: the LCP of the facets, or the cone's. Four points hold a box six ways twice over; at the threshold, where
 * what slides and what sticks are the same to rounding, Lemke's last basis may be singular to rounding as well.
 * Newton's method and interior points, which take shortest solutions, come next then. */
#include "friction.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double good_enough = 1e-14;       /* scaled residual; well below the speed that counts as rest */
static const double edge[3] = {0.6, 0.4, 0.2}; /* [m] */

/* --- models --- */

/* Of the slope's frame, x down, z off it. */
static dls_vec3 on_slope(const dls_friction_pile *pile, double x, double y, double z)
{
    double c = cos(pile->slope), s = sin(pile->slope);
    return dls_v3(c * x + s * z, y, c * z - s * x);
}

static dls_status add_box(dls_scene *scene, const dls_friction_pile *pile, size_t i, dls_error *error)
{
    dls_body_def body;
    dls_body_default(&body);
    snprintf(body.name, sizeof body.name, "box%zu", i);
    body.shape = DLS_SHAPE_BOX;
    body.size = dls_v3(edge[0], edge[1], edge[2]);
    body.mass = pile->mass;
    body.position = on_slope(pile, 0.0, 0.0, ((double)i + 0.5) * edge[2]);
    body.orientation = (dls_quat){cos(0.5 * pile->slope), 0.0, sin(0.5 * pile->slope), 0.0};
    return dls_scene_add_body(scene, &body, error);
}

static dls_status set_vector(dls_joint_def *joint, const char *key, dls_vec3 value, dls_error *error)
{
    char text[128];
    snprintf(text, sizeof text, "[%.17g, %.17g, %.17g]", value.x, value.y, value.z);
    return dls_joint_set(joint, key, text, error);
}

static dls_status set_real(dls_joint_def *joint, const char *key, double value, dls_error *error)
{
    char text[40];
    snprintf(text, sizeof text, "%.17g", value);
    return dls_joint_set(joint, key, text, error);
}

static dls_status set_contact(dls_joint_def *joint, const dls_friction_law *law, const dls_friction_pile *pile,
                              dls_vec3 point, dls_error *error)
{
    DLS_TRY(set_vector(joint, "point", point, error));
    DLS_TRY(set_vector(joint, "normal", on_slope(pile, 0.0, 0.0, 1.0), error));
    DLS_TRY(set_real(joint, "mu", pile->mu, error));
    DLS_TRY(set_real(joint, "friction_mass", 0.25 * pile->mass, error));
    return dls_joint_set(joint, "friction", dls_friction_names[law->friction], error);
}

/* A corner of the lower face of a box. */
static dls_status add_contact(dls_scene *scene, const dls_friction_law *law, const dls_friction_pile *pile, size_t box,
                              int corner, dls_error *error)
{
    dls_joint_def joint = {0};
    dls_vec3 point = on_slope(pile, corner & 1 ? 0.5 * edge[0] : -0.5 * edge[0],
                              corner & 2 ? 0.5 * edge[1] : -0.5 * edge[1], (double)box * edge[2]);
    dls_status status = dls_joint_default(&joint, "contact", error);
    snprintf(joint.name, sizeof joint.name, "under%zu-%d", box, corner);
    snprintf(joint.body[0], sizeof joint.body[0], "box%zu", box);
    if (box > 0)
        snprintf(joint.body[1], sizeof joint.body[1], "box%zu", box - 1);
    if (status == DLS_OK)
        status = set_contact(&joint, law, pile, point, error);
    if (status == DLS_OK)
        status = dls_scene_add_joint(scene, &joint, error);
    dls_joint_def_release(&joint);
    return status;
}

static dls_status fill(dls_scene *scene, const dls_friction_law *law, const dls_friction_pile *pile, dls_error *error)
{
    scene->world.gravity = dls_v3(0.0, 0.0, -dls_friction_gravity);
    for (size_t i = 0; i < pile->boxes; i++) {
        DLS_TRY(add_box(scene, pile, i, error));
        for (int corner = 0; corner < 4; corner++)
            DLS_TRY(add_contact(scene, law, pile, i, corner, error));
    }
    return DLS_OK;
}

static dls_status make_model(const dls_friction_law *law, const dls_friction_pile *pile, dls_model **model,
                             dls_error *error)
{
    dls_scene *scene;
    DLS_TRY(dls_scene_create(&scene, error));
    dls_status status = fill(scene, law, pile, error);
    if (status == DLS_OK)
        status = dls_model_create(scene, model, error);
    dls_scene_destroy(scene);
    return status;
}

/* --- rigs --- */

static dls_status open_parts(const dls_friction_pile *pile, dls_friction_rig *rig, dls_error *error)
{
    DLS_TRY(make_model(rig->law, pile, &rig->model, error));
    DLS_TRY(dls_choices_create(rig->law->direct, &rig->direct, &rig->n_direct, error));
    if (rig->law->sweep)
        DLS_TRY(dls_choice_create(rig->law->sweep, &rig->sweep, error));
    rig->v = calloc(2 * rig->model->nv + 1, sizeof *rig->v);
    if (!rig->v)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu velocities", rig->model->nv);
    rig->scratch = rig->v + rig->model->nv;
    dls_simulation_options options = dls_simulation_default();
    options.solver = rig->direct[0].solver, options.solver_settings = rig->direct[0].settings;
    return dls_simulation_open(rig->model, &options, &rig->simulation, error);
}

dls_status dls_friction_open(const dls_friction_law *law, const dls_friction_pile *pile, dls_friction_rig *rig,
                             dls_error *error)
{
    *rig = (dls_friction_rig){.law = law};
    dls_status status = open_parts(pile, rig, error);
    if (status != DLS_OK)
        dls_friction_close(rig);
    return status;
}

void dls_friction_close(dls_friction_rig *rig)
{
    dls_simulation_close(rig->simulation);
    dls_choices_release(rig->direct, rig->n_direct);
    dls_choice_release(&rig->sweep);
    dls_model_destroy(rig->model);
    free(rig->v);
    *rig = (dls_friction_rig){.law = NULL};
}

/* What a method left: a residual, HUGE_VAL where it says that it has no solution. */
static dls_status try_method(const dls_choice *choice, const dls_problem *problem, dls_examiner *examiner,
                             double *lambda, double *residual, char *why, size_t size, dls_error *error)
{
    dls_report report = {0};
    dls_certificate certificate;
    memset(lambda, 0, problem->n * sizeof *lambda);
    dls_status status = dls_solve(choice->solver, problem, choice->settings, 1, lambda, &report, NULL, NULL, error);
    *residual = HUGE_VAL;
    if (status == DLS_OK && report.outcome == DLS_OUTCOME_SOLVED) {
        dls_examine(examiner, lambda, NULL, &certificate);
        *residual = certificate.scaled_residual;
    }
    snprintf(why, size, "%s: %s (%.200s)", choice->solver->name, dls_outcome_text(report.outcome), report.message);
    dls_report_release(&report);
    return status;
}

/* The law's methods in turn, until the examiner finds one good; else the best of them. `trial` has n entries. */
static dls_status try_methods(dls_friction_rig *rig, const dls_problem *problem, dls_examiner *examiner, double *lambda,
                              double *trial, dls_error *error)
{
    char why[DLS_MESSAGE_MAX / 2] = "";
    rig->solves++;
    rig->residual = HUGE_VAL;
    for (size_t k = 0; k < rig->n_direct && !(rig->residual <= good_enough); k++) {
        double residual;
        DLS_TRY(try_method(&rig->direct[k], problem, examiner, trial, &residual, why, sizeof why, error));
        rig->others += k == 1;
        if (residual < rig->residual) {
            rig->residual = residual;
            memcpy(lambda, trial, problem->n * sizeof *lambda);
        }
    }
    rig->worst = fmax(rig->worst, rig->residual);
    return isfinite(rig->residual)
               ? DLS_OK
               : dls_fail(error, DLS_REFUSED, "the law %s has no reference; %s", rig->law->name, why);
}

static dls_status certify(dls_friction_rig *rig, const dls_problem *problem, double *lambda, dls_error *error)
{
    dls_examiner *examiner;
    DLS_TRY(dls_examiner_create(problem, &examiner, error));
    double *trial = calloc(problem->n + 1, sizeof *trial);
    dls_status status = trial ? try_methods(rig, problem, examiner, lambda, trial, error)
                              : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", problem->n);
    free(trial);
    dls_examiner_destroy(examiner);
    return status;
}

static dls_status solve_facets(dls_friction_rig *rig, const dls_problem *problem, double *lambda, dls_error *error)
{
    dls_facets *facets;
    DLS_TRY(dls_problem_facets(problem, rig->law->facets, DLS_FACETS_EXACT, &facets, error));
    double *z = calloc(facets->m + 1, sizeof *z);
    dls_status status = z ? certify(rig, facets->problem, z, error)
                          : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu facets", facets->m);
    if (status == DLS_OK)
        dls_facets_impulses(facets, z, lambda);
    free(z);
    dls_facets_destroy(facets);
    return status;
}

static dls_status solve_sweeps(const dls_friction_rig *rig, size_t iterations, dls_error *error)
{
    dls_report report = {0};
    dls_status status = dls_solve(rig->sweep.solver, dls_stage_problem(rig->simulation), rig->sweep.settings,
                                  iterations, dls_stage_impulses(rig->simulation), &report, NULL, NULL, error);
    if (status == DLS_OK && report.outcome == DLS_OUTCOME_REFUSED)
        status = dls_fail(error, DLS_REFUSED, "%s: %s", rig->sweep.solver->name, report.message);
    dls_report_release(&report);
    return status;
}

dls_status dls_friction_solve(dls_friction_rig *rig, double h, size_t iterations, dls_error *error)
{
    dls_simulation *s = rig->simulation;
    dls_stage_begin(s);
    DLS_TRY(dls_stage_linearise(s, h, error));
    const dls_problem *problem = dls_stage_problem(s);
    double *lambda = dls_stage_impulses(s);
    if (iterations > 0)
        DLS_TRY(solve_sweeps(rig, iterations, error));
    else if (rig->law->facets > 0)
        DLS_TRY(solve_facets(rig, problem, lambda, error));
    else
        DLS_TRY(certify(rig, problem, lambda, error));
    dls_problem_velocity(problem, lambda, rig->v, rig->scratch);
    return DLS_OK;
}

void dls_friction_pull(dls_friction_rig *rig, size_t box, double force, double direction)
{
    dls_state *state = dls_simulation_edit(rig->simulation);
    double *to = state->force + rig->model->bodies[box].offset;
    memset(state->force, 0, rig->model->nv * sizeof *to);
    to[0] = force * cos(direction);
    to[1] = force * sin(direction);
}

bool dls_friction_moves(const dls_friction_rig *rig, size_t box, double still, double h)
{
    return dls_norm(dls_friction_velocity(rig, box)) > still * dls_friction_gravity * h;
}

dls_vec3 dls_friction_velocity(const dls_friction_rig *rig, size_t box)
{
    const double *v = rig->v + rig->model->bodies[box].offset;
    return dls_v3(v[0], v[1], v[2]);
}
