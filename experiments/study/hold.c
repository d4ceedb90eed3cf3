/* Ways to hold a constraint, and a rig that takes steps of one while it counts what the solver does.
 *
 * ORDERS of the joint error in the step h, with d = h^2/2 (second derivative of C) what a straight step across curved
 * rows leaves: without feedback t/h errors d add up, O(h t). A feedback or correction that takes the share s of the
 * error back each step settles at d (1 - s)/s or d/s, O(h^2), whatever s is made of: ERP, sweeps, substeps. Springs sag
 * by load / kp, which knows no h. A sweep that starts from zero impulse leaves J v short of c by some part of h times
 * the load, which costs h times that of position a step: O(h^2) again. */
#include "hold.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const dls_hold dls_holds[] = {
    {"none", "euler", "feedback", "none", false, false, false, 1.0},
    {"baumgarte", "euler", NULL, NULL, false, false, true, 2.0},
    {"soft", "euler", NULL, NULL, true, false, false, 0.0},
    {"split-impulse", "split-impulse", NULL, NULL, false, false, true, 2.0},
    {"projection-gauss-seidel", "projection-gauss-seidel", NULL, NULL, false, false, false, 2.0},
    {"projection-newton", "projection-newton", NULL, NULL, false, false, false, NAN},
    {"tgs-step", "tgs", "time_base", "step", false, true, true, 2.0},
    {"tgs-substep", "tgs", "time_base", "substep", false, true, true, 2.0},
    {"small-steps", "small-steps", "relax", "0", false, false, true, 2.0},
    {"small-steps-relaxed", "small-steps", "relax", "1", false, false, true, 2.0},
    {NULL, NULL, NULL, NULL, false, false, false, 0.0},
};

/* --- a solver that is counted --- */

typedef struct counted {
    const dls_solver *inner;
    dls_hold_cost *cost;
    size_t n;
    void *work;
} counted;

static dls_status open_counted(const dls_problem *problem, const void *settings, const double *lambda0, void **work,
                               dls_error *error)
{
    const dls_hold_counting *counting = settings;
    counted *c = *work = calloc(1, sizeof *c);
    if (!c)
        return dls_fail(error, DLS_NO_MEMORY, "no memory to count the iterations of %s",
                        counting->choice->solver->name);
    *c = (counted){counting->choice->solver, counting->cost, problem->n, NULL};
    c->cost->solves++;
    dls_status status = c->inner->open(problem, counting->choice->settings, lambda0, &c->work, error);
    if (status != DLS_OK) {
        free(c);
        *work = NULL;
    }
    return status;
}

static dls_status reload_counted(void *work, const dls_problem *problem, const double *lambda0, dls_error *error)
{
    counted *c = work;
    c->n = problem->n;
    c->cost->solves++;
    return c->inner->reload(c->work, problem, lambda0, error);
}

static dls_status iterate_counted(void *work, dls_report *report, dls_error *error)
{
    counted *c = work;
    c->cost->row_iterations += c->n;
    return c->inner->iterate(c->work, report, error);
}

static void read_counted(const void *work, double *lambda)
{
    const counted *c = work;
    c->inner->read(c->work, lambda);
}

static void refresh_counted(void *work, const double *c_new)
{
    const counted *c = work;
    c->inner->refresh(c->work, c_new);
}

static void velocity_counted(const void *work, double *v)
{
    const counted *c = work;
    c->inner->velocity(c->work, v);
}

static void close_counted(void *work)
{
    counted *c = work;
    if (!c)
        return;
    c->inner->close(c->work);
    free(c);
}

static void count_solver(dls_hold_rig *rig)
{
    rig->solver = *rig->choice.solver;
    rig->solver.open = open_counted;
    rig->solver.reload = rig->choice.solver->reload ? reload_counted : NULL;
    rig->solver.iterate = iterate_counted;
    rig->solver.read = read_counted;
    rig->solver.close = close_counted;
    if (rig->choice.solver->refresh) {
        rig->solver.refresh = refresh_counted;
        rig->solver.velocity = velocity_counted;
    }
    rig->counting = (dls_hold_counting){&rig->choice, &rig->cost};
}

/* --- a rig --- */

static void set_rows(dls_model *model, const dls_hold *hold, const dls_hold_rows *rows)
{
    for (size_t j = 0; j < model->n_joints; j++) {
        dls_joint_common *common = &model->joints[j].common;
        common->erp = rows->erp;
        common->frequency = hold->soft ? rows->frequency : NAN;
        common->damping_ratio = hold->soft ? rows->ratio : NAN;
    }
}

static dls_status open_scheme(dls_hold_rig *rig, dls_error *error)
{
    rig->scheme = dls_scheme_find(rig->hold->scheme);
    rig->settings = malloc(rig->scheme->fields.size);
    if (!rig->settings)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the settings of %s", rig->scheme->name);
    DLS_TRY(dls_fields_default(&rig->scheme->fields, rig->settings, error));
    if (!rig->hold->key)
        return DLS_OK;
    return dls_field_set(&rig->scheme->fields, rig->settings, rig->hold->key, rig->hold->value, error);
}

dls_status dls_hold_open(const dls_hold *hold, dls_model *model, const dls_hold_rows *rows, const char *solver,
                         size_t iterations, bool ledger, dls_hold_rig *rig, dls_error *error)
{
    *rig = (dls_hold_rig){.hold = hold};
    set_rows(model, hold, rows);
    DLS_TRY(dls_choice_create(solver, &rig->choice, error));
    DLS_TRY(open_scheme(rig, error));
    count_solver(rig);
    dls_simulation_options options = dls_simulation_default();
    options.solver = &rig->solver, options.solver_settings = &rig->counting;
    options.scheme = rig->scheme, options.scheme_settings = rig->settings;
    options.iterations = iterations;
    options.ledger = ledger;
    return dls_simulation_open(model, &options, &rig->simulation, error);
}

void dls_hold_close(dls_hold_rig *rig)
{
    dls_simulation_close(rig->simulation);
    free(rig->settings);
    dls_choice_release(&rig->choice);
    *rig = (dls_hold_rig){.hold = NULL};
}

/* The turns of rows that a sweep over the positions has had in the last step. */
static size_t swept(const dls_hold_rig *rig)
{
    const dls_field *sweeps = dls_field_find(&rig->scheme->fields, "sweeps");
    size_t count = 0;
    if (sweeps)
        memcpy(&count, (const char *)rig->settings + sweeps->offset, sizeof count);
    return count * dls_simulation_rows(rig->simulation)->n;
}

dls_status dls_hold_step(dls_hold_rig *rig, double h, dls_error *error)
{
    DLS_TRY(dls_simulation_step(rig->simulation, h, error));
    rig->cost.row_iterations += swept(rig);
    return DLS_OK;
}

/* --- what is looked at --- */

size_t dls_hold_positions(const dls_configuration *at, double *C, bool *angular, size_t room)
{
    dls_row rows[DLS_JOINT_ROWS_MAX];
    size_t count = 0;
    for (size_t j = 0; j < at->model->n_joints; j++) {
        size_t n = dls_rows_of_joint(at, &at->model->joints[j], at->model->world.step, rows);
        for (size_t r = 0; r < n; r++) {
            if (rows[r].role != DLS_ROLE_JOINT || rows[r].lo != -HUGE_VAL || rows[r].hi != HUGE_VAL)
                continue;
            if (count < room)
                C[count] = rows[r].C;
            if (angular && count < room)
                angular[count] = rows[r].angular;
            count++;
        }
    }
    return count;
}

double dls_hold_energy(const dls_configuration *at) { return dls_kinetic_energy(at) + dls_potential_energy(at); }

dls_status dls_hold_model(const char *scene_name, double mass_ratio, dls_model **model, dls_error *error)
{
    char path[DLS_PATH_MAX];
    dls_scene *scene;
    *model = NULL;
    if (snprintf(path, sizeof path, "%s/scenes/%s.yaml", dls_data_folder(), scene_name) >= DLS_PATH_MAX)
        return dls_fail(error, DLS_BAD_INPUT, "the path of scene %s is too long", scene_name);
    DLS_TRY(dls_scene_read(path, &scene, error));
    if (mass_ratio > 0.0)
        scene->bodies[scene->n_bodies - 1].mass = mass_ratio * scene->bodies[0].mass;
    dls_status status = dls_model_create(scene, model, error);
    dls_scene_destroy(scene);
    return status;
}
