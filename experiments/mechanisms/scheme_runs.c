/* Every scheme with its defaults on every mechanism, over a ladder of steps: the largest errors at
 * the times of the reference motion, and their order.
 *
 * A scheme that does not take a direct method gets PGS with so many sweeps; one that refuses the mechanism is left
 * out. */
#include "mechanisms/parts.h"

#include <math.h>
#include <string.h>

typedef struct outcome {
    dls_status status; /* REFUSED: the scheme does not take the mechanism */
    size_t steps, failed, unsolved;
    double position, energy; /* largest errors */
} outcome;

/* --- the distance from the motion --- */

static const char *short_name(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

/* The body or link of the same name. */
static size_t find_same(const dls_model *model, const char *name)
{
    char other[2 * DLS_NAME_MAX];
    for (size_t i = 0; i < dls_model_count(model).ends; i++) {
        dls_model_end_name(model, i, other, sizeof other);
        if (strcmp(short_name(other), short_name(name)) == 0)
            return i;
    }
    return DLS_NONE;
}

static void compare_state(dls_simulation *simulation, const dls_reference_course *course, size_t sample, outcome *to)
{
    const dls_configuration *at = dls_simulation_configuration(simulation), *exact = course->at[sample];
    char name[2 * DLS_NAME_MAX];
    for (size_t i = 0; i < dls_model_count(at->model).ends; i++) {
        dls_model_end_name(at->model, i, name, sizeof name);
        const size_t same = find_same(course->model, name);
        if (dls_model_moves(at->model, i) && same != DLS_NONE)
            to->position = fmax(
                to->position, dls_norm(dls_sub(dls_configuration_end(at, i).x, dls_configuration_end(exact, same).x)));
    }
    to->energy = fmax(to->energy, fabs(dls_energy(at) - dls_energy(exact)));
}

/* --- a run --- */

typedef struct plan {
    const dls_model *model;
    const dls_scheme *scheme;
    const dls_solver *solver;
    const char *by; /* the solver's name, or "own": sweeps of the scheme's own */
    size_t iterations, steps;
    double duration;
} plan;
static const char *const own = "own";
static const struct {
    const char *scheme;
    bool substeps; /* its iterations are substeps */
} sweeping[] = {{"xpbd", true}, {"avbd", false}, {NULL, false}};

static dls_status step_through(const plan *p, dls_simulation *simulation, const dls_reference_course *course,
                               outcome *to, dls_error *error)
{
    const size_t apart = p->steps / DLS_MECHANISMS_SAMPLES;
    for (to->steps = 0; to->steps < p->steps;) {
        const dls_status status = dls_simulation_step(simulation, p->duration / (double)p->steps, error);
        if (status == DLS_NOT_FINITE) {
            to->failed = to->steps + 1;
            to->position = to->energy = HUGE_VAL;
            return DLS_OK;
        }
        DLS_TRY(status);
        to->steps++;
        to->unsolved += p->by != own && dls_solver_unsolved(p->solver, dls_simulation_report(simulation)->outcome);
        if (to->steps % apart == 0)
            compare_state(simulation, course, to->steps / apart, to);
    }
    return DLS_OK;
}

/* DLS_REFUSED, of the opening or the first step, is in to->status. */
static dls_status run_plan(const plan *p, const dls_reference_course *course, outcome *to, dls_error *error)
{
    dls_simulation_options options = dls_simulation_default();
    dls_simulation *simulation = NULL;
    options.solver = p->solver, options.scheme = p->scheme;
    options.iterations = p->iterations;
    options.go_on = true;
    *to = (outcome){.status = dls_simulation_open(p->model, &options, &simulation, error)};
    if (to->status == DLS_OK)
        to->status = step_through(p, simulation, course, to, error);
    dls_simulation_close(simulation);
    return to->status == DLS_REFUSED ? DLS_OK : to->status;
}

/* --- a ladder --- */

static dls_status run_ladder(dls_study *study, size_t m, size_t s, plan *p, dls_error *error)
{
    const dls_mechanisms_settings *set = study->settings;
    dls_mechanisms_findings *f = study->found;
    const dls_published *mechanism = &dls_published_mechanisms[m];
    const dls_reference_course *course = &f->course[m];
    dls_mechanisms_finding of = {.run = true};
    double step[DLS_LIST_MAX], position[DLS_LIST_MAX];
    for (size_t k = 0; k < set->levels; k++) {
        outcome to;
        p->steps = mechanism->steps << k;
        DLS_TRY(run_plan(p, course, &to, error));
        if (to.status == DLS_REFUSED)
            return DLS_OK;
        step[k] = p->duration / (double)p->steps, position[k] = to.position;
        of.error = to.position, of.energy = to.energy, of.unsolved += to.unsolved;
        dls_table_row(study->tables[DLS_MECHANISMS_RUNS], "%s %s %s %g %zu %zu %zu %zu %zu %g %g", mechanism->name,
                      p->scheme->name, p->by, step[k], to.steps, to.failed, to.unsolved, course->rows, course->rank,
                      to.position, to.energy);
    }
    of.order = dls_fit_order(step, position, set->levels);
    f->of[m][s] = of;
    dls_table_row(study->tables[DLS_MECHANISMS_ORDERS], "%s %s %s %g %g %g %g %zu", mechanism->name, p->scheme->name,
                  p->by, of.order, of.error / pow(step[set->levels - 1], of.order), of.error, of.energy, of.unsolved);
    return DLS_OK;
}

/* With the solver of the settings, else with PGS. */
static dls_status run_scheme(dls_study *study, size_t m, size_t s, const dls_model *model, dls_error *error)
{
    const dls_mechanisms_settings *set = study->settings;
    const dls_mechanisms_findings *f = study->found;
    plan p = {.model = model,
              .scheme = dls_schemes[s],
              .solver = dls_solver_find(set->solver),
              .by = set->solver,
              .iterations = set->iterations,
              .duration = dls_published_mechanisms[m].duration};
    for (size_t k = 0; sweeping[k].scheme; k++)
        if (strcmp(p.scheme->name, sweeping[k].scheme) == 0) {
            p.by = own;
            p.iterations = sweeping[k].substeps ? set->iterations : set->sweeps;
        }
    DLS_TRY(run_ladder(study, m, s, &p, error));
    if (f->of[m][s].run || p.by == own)
        return DLS_OK;
    p.solver = dls_solver_find("pgs");
    p.by = "pgs", p.iterations = set->sweeps;
    return run_ladder(study, m, s, &p, error);
}

dls_status dls_mechanisms_runs(dls_study *study, dls_error *error)
{
    const dls_mechanisms_findings *f = study->found;
    size_t schemes = 0;
    while (dls_schemes[schemes] && schemes < DLS_PUBLISHED_SCHEMES)
        schemes++;
    for (dls_grid g = DLS_GRID(DLS_PUBLISHED, schemes); dls_study_next(study, &g);) {
        const size_t m = g.at[0];
        dls_scene *scene;
        dls_model *model;
        if (!f->course[m].complete)
            continue;
        DLS_TRY(dls_scene_named(dls_published_mechanisms[m].scene, &scene, error));
        DLS_TRY(dls_scene_model(scene, &model, error));
        const dls_status status = run_scheme(study, m, g.at[1], model, error);
        dls_model_destroy(model);
        DLS_TRY(status);
    }
    return DLS_OK;
}
