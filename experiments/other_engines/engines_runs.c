/* Runs of a scene, and the measurement of their states.
 */
#include "other_engines/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- states --- */

static void copy_states(const dls_model *model, const dls_state *state, dls_engine_state *to)
{
    const dls_body *bodies = dls_model_bodies(model);
    for (size_t i = 0; i < state->n_bodies; i++) {
        const double still[6] = {0}, *v = bodies[i].offset == DLS_NONE ? still : state->v + bodies[i].offset;
        to[i] = (dls_engine_state){state->x[i], dls_v3(v[0], v[1], v[2]), dls_v3(v[3], v[4], v[5]), state->q[i]};
    }
}

/* Ours, in the place of an engine. */
static dls_status run_ours(const dls_engines_runner *r, const dls_model *model, double h, size_t steps,
                           dls_engine_record *record, dls_error *error)
{
    dls_certified_record answers = {0};
    const dls_certified certified = {.methods = r->direct, .good_enough = DLS_SOLVED_TOLERANCE, .record = &answers};
    dls_rig_plan plan = {
        .method = r->method, .solver = r->solver, .iterations = r->iterations, .warm = r->warm, .diverges = true};
    if (r->direct)
        plan.with = (dls_choice){.solver = &dls_solver_certified, .settings = (void *)&certified};
    const size_t n = dls_model_count(model).bodies;
    dls_rig rig;
    *record = (dls_engine_record){.n_bodies = n, .states = calloc(steps * n + 1, sizeof *record->states)};
    if (!record->states)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu states", steps);
    dls_status status = dls_rig_open_model(&rig, model, &plan, error);
    if (status != DLS_OK)
        return status;
    for (;;) {
        const double start = dls_seconds();
        const bool more = dls_rig_next(&rig, h, steps);
        record->seconds += dls_seconds() - start;
        if (!more)
            break;
        copy_states(model, dls_rig_state(&rig), record->states + record->steps++ * n);
    }
    if (rig.failed)
        snprintf(record->why, sizeof record->why, "diverged: the state after step %zu is not finite", rig.failed);
    return dls_rig_end(&rig);
}

dls_status dls_engines_take(const dls_engines_runner *r, const dls_model *model, double h, size_t steps,
                            double patience, dls_engine_record *record, dls_error *error)
{
    dls_engine_mechanism *m;
    *record = (dls_engine_record){.n_bodies = 0};
    if (!r->engine) {
        dls_status status = run_ours(r, model, h, steps, record, error);
        if (status != DLS_OK)
            dls_engine_record_release(record);
        return status;
    }
    DLS_TRY(dls_engine_mechanism_create(model, h, r->iterations, &m, error));
    dls_status status = dls_engine_run(r->engine->engine, m, steps, patience, record, error);
    dls_engine_mechanism_destroy(m);
    return status;
}

/* --- measures --- */

typedef struct measuring {
    const dls_model *model;
    dls_state *state;
    dls_configuration *at;
    dls_collider *collider; /* NULL: the scene finds none */
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

static dls_status open_measuring(const dls_model *model, measuring *l, dls_error *error)
{
    *l = (measuring){.model = model, .room = DLS_JOINT_ROWS_MAX * dls_model_count(model).joints + 1};
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

static dls_status measure_state(measuring *l, measures *m, dls_error *error)
{
    dls_configuration_evaluate(l->at, l->state);
    const size_t count = dls_position_errors(l->at, l->C, l->angular, l->room);
    *m = (measures){.energy = dls_energy(l->at), .depth = dls_given_depth(l->at)};
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
static dls_status examine_run(dls_study *study, const char *scene, const dls_engines_runner *r, const dls_model *model,
                              const dls_engine_record *record, dls_engines_finding *found, measures *last,
                              dls_error *error)
{
    const dls_engines_settings *set = study->settings;
    const size_t total = dls_step_count(set->duration, set->step), every = (total - 1) / set->samples + 1;
    const dls_engines_law law = dls_engines_law_find(model, !r->engine);
    const dls_body *body = law.body < dls_model_count(model).bodies ? &dls_model_bodies(model)[law.body] : NULL;
    measuring l;
    measures start, m = {0};
    DLS_TRY(open_measuring(model, &l, error));
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

/* The result of a run, or why there was none. */
static dls_status run_one(dls_study *study, size_t s, const dls_engines_runner *r, const dls_model *model,
                          dls_engines_finding *found, dls_error *error)
{
    const dls_engines_settings *set = study->settings;
    const char *scene = ((const dls_engines_findings *)study->found)->names[s],
               *version = r->engine ? r->engine->version : "";
    const char *contacts = contacts_of(model);
    const size_t steps = dls_step_count(set->duration, set->step);
    dls_engine_record record;
    dls_error why = {.message = ""};
    measures last = {0};
    dls_status status = dls_engines_take(r, model, set->step, steps, set->patience, &record, &why);
    if (status == DLS_REFUSED) {
        dls_table_row(study->tables[DLS_ENGINES_RUNS], "%s %s %s %zu %s %g %zu %s %g %g %g %g %g %g %g %g %g %s", scene,
                      contacts, r->name, r->iterations, version, set->step, (size_t)0, "refused", NAN, NAN, NAN, NAN,
                      NAN, NAN, NAN, NAN, NAN, why.message);
        return DLS_OK;
    }
    if (status != DLS_OK) {
        if (error)
            *error = why;
        return status;
    }
    status = examine_run(study, scene, r, model, &record, found, &last, error);
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

dls_status dls_engines_model(const char *scene, dls_model **model, dls_error *error)
{
    dls_scene *read;
    if (strpbrk(scene, "./"))
        return dls_load_model(scene, model, error);
    DLS_TRY(dls_scene_named(scene, &read, error));
    return dls_scene_model(read, model, error);
}

dls_status dls_engines_runs(dls_study *study, dls_error *error)
{
    const dls_engines_settings *set = study->settings;
    dls_engines_findings *f = study->found;
    for (dls_grid g = DLS_GRID(set->scenes.count, f->n_runners); dls_study_next(study, &g);) {
        const size_t s = g.at[0], k = g.at[1];
        dls_model *model;
        DLS_TRY(dls_engines_model(set->scenes.names[s], &model, error));
        const dls_status status = run_one(study, s, &f->runners[k], model, &f->of[s * f->n_runners + k], error);
        dls_model_destroy(model);
        DLS_TRY(status);
    }
    return DLS_OK;
}
