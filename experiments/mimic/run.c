/* A run with mimic joints, measured: |C|, the distance to the dense reference, energy.
 *
 * The dense way is semi-implicit Euler whose every step takes the reference solution of its problem, as the examiner
 * certifies it.
 */
#include "mimic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const dls_mimic_way_names[DLS_MIMIC_WAYS] = {"dense", "pgs", "tgs-step", "tgs-substep"};

void dls_mimic_path_release(dls_mimic_path *path)
{
    free(path->at);
    *path = (dls_mimic_path){0, 0, NULL};
}

void dls_mimic_look(const dls_configuration *at, const dls_state *state, double *to)
{
    const dls_model *model = at->model;
    const dls_articulation_state member = dls_state_member(model, state, 0);
    const dls_articulation *tree = model->members[0].tree;
    double worst = 0.0, C[DLS_JOINT_ROWS_MAX];
    for (size_t i = 1; i < tree->n_links; i++)
        if (tree->links[i].n_dofs == 1)
            *to++ = dls_articulation_unwrapped(tree, &member, i);
    for (size_t j = 0; j < model->n_joints; j++) {
        const dls_joint *joint = &model->joints[j];
        if (strcmp(joint->type->name, "mimic") != 0)
            continue;
        const dls_end end[2] = {{.y = dls_state_coordinates(state, joint)}, {.y = 0.0}};
        joint->type->position(joint, end, C);
        worst = fmax(worst, fabs(C[0]));
    }
    to[0] = worst;
    to[1] = dls_kinetic_energy(at) + dls_potential_energy(at);
}

size_t dls_mimic_coordinates(const dls_model *model)
{
    const dls_articulation *tree = model->members[0].tree;
    size_t count = 0;
    for (size_t i = 1; i < tree->n_links; i++)
        count += tree->links[i].n_dofs == 1;
    return count;
}

/* --- one step --- */

static dls_status dense_step(dls_simulation *s, double h, double *residual, dls_error *error)
{
    dls_examiner *examiner;
    dls_truth *truth = NULL;
    dls_stage_begin(s);
    DLS_TRY(dls_stage_linearise(s, h, error));
    const dls_problem *problem = dls_stage_problem(s);
    DLS_TRY(dls_examiner_create(problem, &examiner, error));
    dls_status status = dls_truth_create(problem, examiner, &truth, error);
    dls_examiner_destroy(examiner);
    if (status != DLS_OK)
        return status;
    memcpy(dls_stage_impulses(s), truth->lambda, problem->n * sizeof *truth->lambda);
    *residual = truth->certificate.scaled_residual;
    dls_truth_destroy(truth);
    dls_stage_kick(s);
    dls_stage_drift(s, h);
    return dls_stage_end(s, h, error);
}

/* What steps are taken with. */
typedef struct machine {
    dls_simulation *simulation;
    dls_choice choice;
    const dls_scheme *scheme;
    void *settings;
} machine;

static dls_status open(const dls_model *model, const dls_mimic_run *run, machine *m, dls_error *error)
{
    bool tgs = run->way == DLS_MIMIC_TGS_STEP || run->way == DLS_MIMIC_TGS_SUBSTEP;
    DLS_TRY(dls_choice_create("pgs", &m->choice, error));
    m->scheme = dls_scheme_find(tgs ? "tgs" : "euler");
    m->settings = malloc(m->scheme->fields.size);
    if (!m->settings)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the settings of %s", m->scheme->name);
    DLS_TRY(dls_fields_default(&m->scheme->fields, m->settings, error));
    if (tgs)
        DLS_TRY(dls_field_set(&m->scheme->fields, m->settings, "time_base",
                              run->way == DLS_MIMIC_TGS_STEP ? "step" : "substep", error));
    dls_simulation_options options = dls_simulation_default();
    options.solver = m->choice.solver, options.solver_settings = m->choice.settings;
    options.scheme = m->scheme, options.scheme_settings = m->settings;
    options.iterations = run->iterations;
    return dls_simulation_open(model, &options, &m->simulation, error);
}

static void close(machine *m)
{
    dls_simulation_close(m->simulation);
    free(m->settings);
    dls_choice_release(&m->choice);
}

/* --- a run --- */

static double distance(const double *a, const double *b, size_t count)
{
    double worst = 0.0;
    for (size_t i = 0; i < count; i++)
        worst = fmax(worst, fabs(a[i] - b[i]));
    return worst;
}

static void note(dls_mimic_result *r, const double *at, size_t count, const double *start, const double *dense)
{
    r->last_error = at[count];
    r->last_drift = at[count + 1] - start[count + 1];
    r->worst_error = fmax(r->worst_error, r->last_error);
    r->worst_drift = fmax(r->worst_drift, fabs(r->last_drift));
    for (size_t i = 0; i < count; i++)
        r->worst_coordinate = fmax(r->worst_coordinate, fabs(at[i]));
    if (dense)
        r->distance = fmax(r->distance, distance(at, dense, count));
}

/* A state that is no longer finite ends the run: it is a finding. */
static dls_status take(const dls_mimic_run *run, machine *m, const dls_mimic_path *dense, dls_mimic_path *path,
                       dls_mimic_result *r, dls_error *error)
{
    for (size_t k = 1; k < path->count; k++) {
        double *at = path->at + k * path->width, residual = 0.0;
        dls_status status = run->way == DLS_MIMIC_DENSE ? dense_step(m->simulation, run->step, &residual, error)
                                                        : dls_simulation_step(m->simulation, run->step, error);
        if (status == DLS_NOT_FINITE) {
            r->failed = k;
            r->worst_error = r->last_error = r->worst_coordinate = HUGE_VAL;
            path->count = k;
            return DLS_OK;
        }
        DLS_TRY(status);
        r->steps = k;
        r->worst_residual = fmax(r->worst_residual, residual);
        dls_mimic_look(dls_simulation_configuration(m->simulation), dls_simulation_state(m->simulation), at);
        note(r, at, path->width - 2, path->at, dense && k < dense->count ? dls_mimic_path_at(dense, k) : NULL);
    }
    return DLS_OK;
}

dls_status dls_mimic_measure(const dls_model *model, const dls_mimic_run *run, const dls_mimic_path *dense,
                             dls_mimic_path *path, dls_mimic_result *result, dls_error *error)
{
    machine m = {0};
    dls_mimic_path own = {.count = (size_t)ceil(run->duration / run->step - 1e-9) + 1,
                          .width = dls_mimic_coordinates(model) + 2};
    memset(result, 0, sizeof *result);
    own.at = calloc(own.count, own.width * sizeof *own.at);
    dls_status status = own.at ? open(model, run, &m, error)
                               : dls_fail(error, DLS_NO_MEMORY, "no memory for a path of %zu steps", own.count);
    if (status == DLS_OK) {
        dls_mimic_look(dls_simulation_configuration(m.simulation), dls_simulation_state(m.simulation), own.at);
        result->worst_error = result->last_error = own.at[own.width - 2];
        status = take(run, &m, dense, &own, result, error);
    }
    close(&m);
    if (!dense)
        result->distance = NAN;
    if (run->way != DLS_MIMIC_DENSE)
        result->worst_residual = NAN;
    if (status == DLS_OK && path)
        *path = own;
    else
        dls_mimic_path_release(&own);
    return status;
}
