/* Runs of a scene, and the measurement of their states.
 */
#include "other_engines/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t dls_engines_compared_count(const dls_study *study)
{
    const dls_engines_settings *set = study->settings;
    return ((const dls_engines_findings *)study->found)->n_engines + set->box_methods.count;
}

dls_engines_runner dls_engines_compared(const dls_study *study, size_t index, size_t iterations)
{
    const dls_engines_settings *set = study->settings;
    const dls_engines_findings *f = study->found;
    dls_engines_runner r = {.solver = "pgs", .iterations = iterations};
    if (index < f->n_engines)
        return f->runners[index];
    r.method = set->box_methods.names[index - f->n_engines];
    snprintf(r.name, sizeof r.name, "ours-%s", r.method);
    return r;
}

/* --- measures --- */

typedef struct measuring {
    const dls_model *model;
    dls_state *state;
    dls_configuration *at;
    const dls_model *folded; /* whose armatures store energy too; NULL: none do */
    dls_collider *collider;  /* NULL: the scene finds none */
    dls_contacts contacts;
    double *C; /* of every row */
    bool *angular;
    size_t room;
} measuring;

typedef struct measures {
    double error, angle, depth, energy;
} measures;

static void close_measuring(measuring *l)
{
    dls_contacts_release(&l->contacts);
    dls_collider_destroy(l->collider);
    dls_configuration_destroy(l->at);
    dls_state_destroy(l->state);
    free(l->C);
    free(l->angular);
}

static dls_status open_measuring(const dls_engines_scene *scene, measuring *l, dls_error *error)
{
    const dls_model *model = scene->model;
    *l = (measuring){.model = model,
                     .folded = scene->armed ? scene->folded : NULL,
                     .room = DLS_JOINT_ROWS_MAX * dls_model_count(model).joints + 1};
    l->C = calloc(l->room, sizeof *l->C);
    l->angular = calloc(l->room, sizeof *l->angular);
    dls_status status = l->C && l->angular ? dls_state_create(model, &l->state, error)
                                           : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", l->room);
    if (status == DLS_OK)
        status = dls_configuration_create(model, &l->at, error);
    if (status == DLS_OK && dls_model_world(model)->collide)
        status = dls_collider_create(model, &l->collider, error);
    if (status != DLS_OK)
        close_measuring(l);
    return status;
}

/* a y'^2 / 2 of each joint with an armature a. */
static double energy_of_armatures(const measuring *l)
{
    double twice = 0.0;
    for (size_t a = 0; l->folded && a < dls_model_count(l->folded).articulations; a++) {
        const dls_articulation *tree = dls_model_articulations(l->folded)[a].tree;
        for (size_t k = tree->n_base; k < tree->nv; k++) {
            char name[2 * DLS_NAME_MAX];
            snprintf(name, sizeof name, "%s.%s", tree->name, tree->defs[tree->dof_link[k]].joint);
            const size_t j = dls_model_find_joint(l->model, name);
            if (!(tree->armature[k] > 0.0) || j == DLS_NONE || !dls_model_joints(l->model)[j].type->coordinate)
                continue;
            const double rate = dls_configuration_rate(l->at, &dls_model_joints(l->model)[j]);
            twice += tree->armature[k] * rate * rate;
        }
    }
    return 0.5 * twice;
}

static dls_status measure_state(measuring *l, measures *m, dls_error *error)
{
    dls_configuration_evaluate(l->at, l->state);
    const size_t count = dls_position_errors(l->at, l->C, l->angular, l->room);
    *m = (measures){.energy = dls_energy(l->at) + energy_of_armatures(l), .depth = dls_given_depth(l->at)};
    for (size_t i = 0; i < count; i++) {
        double *worst = l->angular[i] ? &m->angle : &m->error;
        *worst = fmax(*worst, fabs(l->C[i]));
    }
    if (!l->collider)
        return DLS_OK;
    DLS_TRY(dls_collider_find(l->collider, l->state, &l->contacts, error));
    m->depth = fmax(m->depth, dls_penetration(&l->contacts));
    return DLS_OK;
}

/* A run's lines over time, and their largest values. */
static dls_status examine_run(dls_study *study, const char *scene, const dls_engines_runner *r,
                              const dls_engines_scene *of, const dls_engine_record *record, dls_engines_finding *found,
                              measures *last, dls_error *error)
{
    const dls_model *model = of->model;
    const dls_engines_settings *set = study->settings;
    const size_t total = dls_step_count(set->duration, set->step), every = (total - 1) / set->samples + 1;
    const dls_engines_law law = dls_engines_law_find(model, !r->engine);
    const dls_body *body = law.body < dls_model_count(model).bodies ? &dls_model_bodies(model)[law.body] : NULL;
    measuring l;
    measures start, m = {0};
    DLS_TRY(open_measuring(of, &l, error));
    dls_status status = measure_state(&l, &start, error);
    *found = (dls_engines_finding){.ran = true, .has_law = law.kind != DLS_ENGINES_NO_LAW};
    for (size_t k = 0; k < record->steps && status == DLS_OK; k++) {
        dls_engine_place(model, record->states + k * record->n_bodies, l.state);
        status = measure_state(&l, &m, error);
        m.energy -= start.energy;
        found->error = fmax(found->error, m.error);
        found->angle = fmax(found->angle, m.angle);
        found->depth = fmax(found->depth, m.depth);
        found->energy = fmax(found->energy, fabs(m.energy));
        const double t = (double)(k + 1) * set->step;
        const bool sampled = (k + 1) % every == 0;
        if (sampled)
            dls_table_row(study->tables[DLS_ENGINES_HISTORY], "%s %s %zu %g %g %g %g %g", scene, r->name, r->iterations,
                          t, m.error, m.angle, m.depth, m.energy);
        if (!body) /* links alone */
            continue;
        const dls_vec3 x = l.state->x[law.body], exact = dls_engines_law_at(&law, t);
        const double distance = dls_norm(dls_sub(x, exact));
        found->distance = fmax(found->distance, distance);
        if (!sampled)
            continue;
        const dls_vec3 from = dls_model_initial(model)->x[law.body];
        dls_table_row(study->tables[DLS_ENGINES_PATHS], "%s %s %zu %s %g %g %g %g %g %g %g", scene, r->name,
                      r->iterations, body->name, t, x.x, x.y, x.z, dls_norm(dls_sub(x, from)),
                      dls_norm(dls_sub(exact, from)), distance);
    }
    *last = m;
    close_measuring(&l);
    return status;
}

/* Where ours has its contacts from; engines find all of them. */
static const char *contacts_of(const dls_model *model)
{
    const dls_joint *joints = dls_model_joints(model);
    if (dls_model_world(model)->collide)
        return "detected";
    for (size_t k = 0; k < dls_model_count(model).joints; k++)
        if (joints[k].type->pair == DLS_PAIR_CONTACT)
            return "given";
    return "none";
}

static void write_refusal(const dls_study *study, size_t s, const dls_engines_runner *r, const char *contacts,
                          const char *why)
{
    dls_table_row(study->tables[DLS_ENGINES_RUNS], "%s %s %s %zu %s %g %zu %s %g %g %g %g %g %g %g %g %g %s",
                  ((const dls_engines_findings *)study->found)->names[s], contacts, r->name, r->iterations,
                  r->engine ? r->engine->version : "", ((const dls_engines_settings *)study->settings)->step, (size_t)0,
                  "refused", NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, why);
}

/* The result of a run, or why there was none. */
static dls_status run_one(dls_study *study, size_t s, const dls_engines_runner *r, const dls_engines_scene *of,
                          dls_engines_finding *found, dls_error *error)
{
    const dls_engines_settings *set = study->settings;
    const char *scene = ((const dls_engines_findings *)study->found)->names[s],
               *version = r->engine ? r->engine->version : "";
    const char *contacts = contacts_of(of->model);
    const size_t steps = dls_step_count(set->duration, set->step);
    dls_engine_record record;
    dls_error why = {.message = ""};
    measures last = {0};
    dls_status status = dls_engines_take_scene(r, of, set->step, steps, set->patience, &record, &why);
    if (status == DLS_REFUSED) {
        write_refusal(study, s, r, contacts, why.message);
        return DLS_OK;
    }
    if (status != DLS_OK) {
        if (error)
            *error = why;
        return status;
    }
    status = examine_run(study, scene, r, of, &record, found, &last, error);
    const char *outcome = !record.why[0] ? "finished" : strncmp(record.why, "diverged", 8) == 0 ? "diverged" : "failed";
    dls_table_row(study->tables[DLS_ENGINES_RUNS], "%s %s %s %zu %s %g %zu %s %g %g %g %g %g %g %g %g %g %s", scene,
                  contacts, r->name, r->iterations, version, set->step, record.steps, outcome, found->error, last.error,
                  found->angle, last.angle, found->depth, last.depth, found->energy, last.energy,
                  found->has_law ? found->distance : NAN, record.why);
    if (record.steps > 0)
        dls_table_row(study->tables[DLS_ENGINES_COST], "%s %s %zu %zu %g", scene, r->name, r->iterations, record.steps,
                      record.seconds / (double)record.steps);
    dls_engine_record_release(&record);
    return status;
}

dls_status dls_engines_runs(dls_study *study, dls_error *error)
{
    const dls_engines_settings *set = study->settings;
    dls_engines_findings *f = study->found;
    for (dls_grid g = DLS_GRID(set->scenes.count, f->n_runners); dls_study_next(study, &g);) {
        const size_t s = g.at[0], k = g.at[1];
        dls_engines_scene scene;
        dls_error why = {.message = ""};
        dls_status status = dls_engines_open(set->scenes.names[s], &scene, &why);
        if (status == DLS_REFUSED) { /* no bodies can have its articulation */
            write_refusal(study, s, &f->runners[k], "", why.message);
            continue;
        }
        if (status != DLS_OK && error)
            *error = why;
        if (status == DLS_OK)
            status = run_one(study, s, &f->runners[k], &scene, &f->of[s * f->n_runners + k], error);
        dls_engines_close(&scene);
        DLS_TRY(status);
    }
    return DLS_OK;
}
