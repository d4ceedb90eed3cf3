/* One run of a model by one runner, an engine or ours, and its states. */
#include "other_engines/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void dls_engines_scene_name(const char *path, char name[DLS_NAME_MAX])
{
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    snprintf(name, DLS_NAME_MAX, "%.*s", (int)strcspn(file, "."), file);
}

void dls_engines_states(const dls_model *model, const dls_state *state, dls_engine_state *to)
{
    const dls_body *bodies = dls_model_bodies(model);
    for (size_t i = 0; i < state->n_bodies; i++) {
        const double still[6] = {0}, *v = bodies[i].offset == DLS_NONE ? still : state->v + bodies[i].offset;
        to[i] = (dls_engine_state){state->x[i], dls_v3(v[0], v[1], v[2]), dls_v3(v[3], v[4], v[5]), state->q[i]};
    }
}

dls_status dls_engines_record_create(const dls_model *model, size_t steps, dls_engine_record *record, dls_error *error)
{
    const size_t n = dls_model_count(model).bodies;
    *record = (dls_engine_record){.n_bodies = n, .states = calloc(steps * n + 1, sizeof *record->states)};
    return record->states ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu states", steps);
}

dls_status dls_engines_run_ours(const dls_engines_runner *r, const dls_model *model, double h, size_t steps,
                                dls_engines_note *note, void *context, dls_engine_record *record, dls_error *error)
{
    dls_certified_record answers = {0};
    const dls_certified certified = {.methods = r->direct, .good_enough = DLS_SOLVED_TOLERANCE, .record = &answers};
    dls_rig_plan plan = {
        .method = r->method, .solver = r->solver, .iterations = r->iterations, .warm = r->warm, .diverges = true};
    if (r->direct)
        plan.with = (dls_choice){.solver = &dls_solver_certified, .settings = (void *)&certified};
    dls_rig rig;
    DLS_TRY(dls_rig_open_model(&rig, model, &plan, error));
    dls_status status = DLS_OK;
    while (status == DLS_OK) {
        const double start = dls_seconds();
        const bool more = dls_rig_next(&rig, h, steps);
        record->seconds += dls_seconds() - start;
        if (!more)
            break;
        status = note(context, dls_rig_state(&rig), record, error);
    }
    if (rig.failed)
        snprintf(record->why, sizeof record->why, "diverged: the state after step %zu is not finite", rig.failed);
    const dls_status end = dls_rig_end(&rig);
    return status == DLS_OK ? end : status;
}

/* The state of a model of bodies, `context`. */
static dls_status note_bodies(void *context, const dls_state *state, dls_engine_record *record, dls_error *error)
{
    (void)error;
    dls_engines_states(context, state, record->states + record->steps++ * record->n_bodies);
    return DLS_OK;
}

dls_status dls_engines_take(const dls_engines_runner *r, const dls_model *model, double h, size_t steps,
                            double patience, dls_engine_record *record, dls_error *error)
{
    dls_engine_mechanism *m;
    *record = (dls_engine_record){.n_bodies = 0};
    if (!r->engine) {
        dls_status status = dls_engines_record_create(model, steps, record, error);
        if (status == DLS_OK)
            status = dls_engines_run_ours(r, model, h, steps, note_bodies, (void *)model, record, error);
        if (status != DLS_OK)
            dls_engine_record_release(record);
        return status;
    }
    DLS_TRY(dls_engine_mechanism_create(model, h, r->iterations, &m, error));
    dls_status status = dls_engine_run(r->engine->engine, m, steps, patience, record, error);
    dls_engine_mechanism_destroy(m);
    return status;
}
