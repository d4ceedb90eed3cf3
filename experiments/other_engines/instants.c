/* The first steps: whether an engine has the same model.
 *
 * After one step h from the same state, consistent methods of first order have the same velocities to O(h^2), whatever
 * their treatment of position errors, since there are none yet: their mean accelerations over the step differ by O(h).
 * Halving h halves the difference; a wrong mass, inertia, anchor or axis causes a difference that does not vanish, and
 * so does softness. The reference is Euler's step with the direct method; sweeps have `many` iterations, so that they
 * converge. Contacts are left out: with gaps of 0 each engine detects them in a different step.
 */
#include "other_engines/parts.h"

#include <math.h>

enum { HALVINGS = 3 };

/* The line of one engine at one step: the largest differences of the mean accelerations of a body over the step, linear
 * [m/s^2] and angular [rad/s^2]; NaN where one of the two took no step. */
static dls_status compare_instants(dls_study *study, const char *scene, const dls_engines_scene *from,
                                   const dls_engine_choice *of, double h, dls_error *error)
{
    const dls_engines_settings *set = study->settings;
    const dls_engines_findings *f = study->found;
    const dls_engines_runner ours = {.method = "baumgarte", .direct = f->direct};
    const dls_engines_runner theirs = {.engine = of, .iterations = of->engine->sweeps ? set->many : 0};
    dls_error why = {.message = ""};
    double linear = NAN, angular = NAN;
    dls_engine_record one, exact;
    dls_status status = dls_engines_take_scene(&theirs, from, h, 1, set->patience, &one, &why);
    if (status == DLS_OK) {
        status = dls_engines_take_scene(&ours, from, h, 1, set->patience, &exact, &why);
        if (status == DLS_OK && one.steps == 1 && exact.steps == 1) {
            linear = angular = 0.0;
            for (size_t i = 0; i < one.n_bodies; i++) {
                const dls_engine_state *a = &one.states[i], *b = &exact.states[i];
                linear = fmax(linear, dls_norm(dls_sub(a->v, b->v)) / h);
                angular = fmax(angular, dls_norm(dls_sub(a->omega, b->omega)) / h);
            }
        }
        if (status == DLS_OK)
            dls_engine_record_release(&exact);
        dls_engine_record_release(&one);
    }
    if (status != DLS_OK && status != DLS_REFUSED) {
        if (error)
            *error = why;
        return status;
    }
    dls_table_row(study->tables[DLS_ENGINES_INSTANTS], "%s %s %zu %g %g %g %s", scene, of->engine->name,
                  theirs.iterations, h, linear, angular, why.message);
    return DLS_OK;
}

dls_status dls_engines_instants(dls_study *study, dls_error *error)
{
    const dls_engines_settings *set = study->settings;
    const dls_engines_findings *f = study->found;
    if (f->n_engines == 0)
        return DLS_OK;
    for (dls_grid g = DLS_GRID(set->scenes.count, f->n_engines, HALVINGS); dls_study_next(study, &g);) {
        dls_engines_scene scene;
        dls_error why = {.message = ""};
        dls_status status = dls_engines_open(set->scenes.names[g.at[0]], &scene, &why);
        if (status == DLS_REFUSED) /* engines.runs.tsv says why */
            continue;
        if (status != DLS_OK) {
            if (error)
                *error = why;
            return status;
        }
        const dls_model *model = scene.model;
        bool contacts = dls_model_world(model)->collide;
        for (size_t k = 0; k < dls_model_count(model).joints; k++)
            contacts = contacts || dls_model_joints(model)[k].type->pair == DLS_PAIR_CONTACT;
        if (!contacts)
            status = compare_instants(study, f->names[g.at[0]], &scene, &f->engines[g.at[1]],
                                      ldexp(set->step, -(int)g.at[2]), error);
        dls_engines_close(&scene);
        DLS_TRY(status);
    }
    return DLS_OK;
}
