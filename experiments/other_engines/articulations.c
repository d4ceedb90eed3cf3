/* Articulations by engines: their links as bodies and their joints as joints between them (delassus/unfold.h), in steps
 * that are halved, beside the motion in continuous time in reduced coordinates.
 *
 * The distance from this motion of methods of first order is proportional to the step, so that its order is 1: masses,
 * frames, coordinates, springs or signs that differ leave a distance that no step removes. ours-reduced steps the
 * coordinates of the articulation, ours-exact the same bodies and joints as the engines. Sweeps have `many` iterations.
 */
#include "other_engines/parts.h"

#include "delassus/unfold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- scenes --- */

static dls_status unfold_model(const dls_scene *read, dls_engines_scene *of, dls_error *error)
{
    dls_scene *unfolded;
    DLS_TRY(dls_model_create(read, &of->folded, error));
    for (size_t a = 0; a < dls_model_count(of->folded).articulations; a++) {
        const dls_articulation *tree = dls_model_articulations(of->folded)[a].tree;
        for (size_t k = 0; k < tree->nv; k++)
            of->armed = of->armed || tree->armature[k] > 0.0;
    }
    DLS_TRY(dls_scene_unfold(read, DLS_UNFOLD_WITHOUT_ARMATURE, &unfolded, error));
    const dls_status status = dls_model_create(unfolded, &of->model, error);
    dls_scene_destroy(unfolded);
    return status;
}

/* An installed scene, or, if the name has a slash or a point, a file. */
static dls_status read_scene(const char *scene, dls_scene **read, dls_error *error)
{
    return strpbrk(scene, "./") ? dls_scene_read(scene, read, error) : dls_scene_named(scene, read, error);
}

dls_status dls_engines_model(const char *scene, dls_model **model, dls_error *error)
{
    dls_scene *read;
    DLS_TRY(read_scene(scene, &read, error));
    return dls_scene_model(read, model, error);
}

dls_status dls_engines_open(const char *scene, dls_engines_scene *of, dls_error *error)
{
    dls_scene *read;
    *of = (dls_engines_scene){.model = NULL};
    DLS_TRY(read_scene(scene, &read, error));
    const dls_status status = read->n_articulations && read->world.coordinates == DLS_COORDINATES_REDUCED
                                  ? unfold_model(read, of, error)
                                  : dls_model_create(read, &of->model, error);
    dls_scene_destroy(read);
    if (status != DLS_OK)
        dls_engines_close(of);
    return status;
}

void dls_engines_close(dls_engines_scene *of)
{
    dls_model_destroy(of->model);
    dls_model_destroy(of->folded);
    *of = (dls_engines_scene){.model = NULL};
}

/* --- motions of links as those of bodies --- */

/* The links of a run or motion of the articulations, in the place of the bodies of the unfolded model. */
typedef struct mirror {
    const dls_engines_scene *scene;
    dls_state *bodies;
} mirror;

static dls_status note_state(void *context, const dls_state *state, dls_engine_record *record, dls_error *error)
{
    const mirror *m = context;
    DLS_TRY(dls_state_unfold(m->scene->folded, state, m->scene->model, m->bodies, error));
    dls_engines_states(m->scene->model, m->bodies, record->states + record->steps++ * record->n_bodies);
    return DLS_OK;
}

static dls_status follow_links(mirror *m, dls_trajectory *exact, dls_state *state, double h, size_t steps,
                               dls_engine_record *record, dls_error *error)
{
    for (size_t k = 0; k < steps; k++) {
        DLS_TRY(dls_trajectory_advance(exact, (double)(k + 1) * h, state, error));
        DLS_TRY(note_state(m, state, record, error));
    }
    return DLS_OK;
}

/* States of the motion in continuous time, h apart. DLS_REFUSED with the reason where it is not known. */
static dls_status move_links(mirror *m, double h, size_t steps, dls_engine_record *record, dls_error *error)
{
    dls_trajectory_settings settings = dls_trajectory_default();
    settings.events = true;
    const dls_model *folded = m->scene->folded;
    dls_trajectory *exact = NULL;
    dls_state *state = NULL;
    dls_status status = dls_trajectory_create(folded, dls_model_initial(folded), &settings, &exact, error);
    if (status == DLS_OK)
        status = dls_state_create(folded, &state, error);
    if (status == DLS_OK)
        status = follow_links(m, exact, state, h, steps, record, error);
    dls_state_destroy(state);
    dls_trajectory_destroy(exact);
    return status;
}

/* The motion (r NULL), or a run of ours. */
static dls_status record_links(const dls_engines_scene *scene, const dls_engines_runner *r, double h, size_t steps,
                               dls_engine_record *record, dls_error *error)
{
    mirror m = {.scene = scene};
    dls_status status = dls_engines_record_create(scene->model, steps, record, error);
    if (status == DLS_OK)
        status = dls_state_create(scene->model, &m.bodies, error);
    if (status == DLS_OK)
        status = r ? dls_engines_run_ours(r, scene->folded, h, steps, note_state, &m, record, error)
                   : move_links(&m, h, steps, record, error);
    dls_state_destroy(m.bodies);
    if (status != DLS_OK)
        dls_engine_record_release(record);
    return status;
}

dls_status dls_engines_take_scene(const dls_engines_runner *r, const dls_engines_scene *scene, double h, size_t steps,
                                  double patience, dls_engine_record *record, dls_error *error)
{
    dls_engine_mechanism *m;
    *record = (dls_engine_record){.n_bodies = 0};
    if (r->reduced)
        return record_links(scene, r, h, steps, record, error);
    if (!r->engine && scene->armed)
        return dls_fail(error, DLS_REFUSED, "a joint has an armature, which our joints between bodies do not have");
    if (!r->engine)
        return dls_engines_take(r, scene->model, h, steps, patience, record, error);
    DLS_TRY(dls_engine_mechanism_create(scene->model, h, r->iterations, &m, error));
    dls_status status = DLS_OK;
    if (scene->folded)
        status = dls_engine_mechanism_add_armatures(m, scene->model, scene->folded, error);
    if (status == DLS_OK)
        status = dls_engine_run(r->engine->engine, m, steps, patience, record, error);
    dls_engine_mechanism_destroy(m);
    return status;
}

/* --- the table --- */

/* Keeps every state of number `every`, 2 every, ... */
static void thin_out(dls_engine_record *record, size_t every)
{
    record->steps /= every;
    for (size_t k = 0; k < record->steps; k++)
        memmove(record->states + k * record->n_bodies, record->states + ((k + 1) * every - 1) * record->n_bodies,
                record->n_bodies * sizeof *record->states);
}

/* The truth that runs are compared with: the motion in continuous time; where it is not known, as with dry friction,
 * our run of the articulations in steps of a 32nd of the smallest step. */
static dls_status follow_scene(const dls_study *study, const dls_engines_scene *scene, double h, size_t steps,
                               dls_engine_record *motion, dls_error *error)
{
    const dls_engines_settings *set = study->settings;
    const dls_list *all = &set->articulated_steps;
    const dls_engines_runner fine = dls_engines_folded(study, dls_engines_folded_count(study) - 1);
    const size_t every = 32 * (size_t)fmax(1.0, round(h / all->reals[all->count - 1]));
    dls_error why;
    dls_status status = record_links(scene, NULL, h, steps, motion, &why);
    if (status != DLS_OK && status != DLS_REFUSED && error)
        *error = why;
    if (status != DLS_REFUSED)
        return status;
    DLS_TRY(record_links(scene, &fine, h / (double)every, steps * every, motion, error));
    thin_out(motion, every);
    return DLS_OK;
}

/* The largest distance of a centre of mass [m], and angle [rad]. */
static void compare_records(const dls_engine_record *one, const dls_engine_record *other, double *distance,
                            double *angle)
{
    const size_t steps = one->steps < other->steps ? one->steps : other->steps;
    *distance = *angle = 0.0;
    for (size_t k = 0; k < steps * one->n_bodies; k++) {
        const dls_engine_state *a = &one->states[k], *b = &other->states[k];
        const dls_quat turn = dls_quat_mul(dls_quat_unit(a->q), dls_quat_conj(b->q));
        *distance = fmax(*distance, dls_norm(dls_sub(a->x, b->x)));
        *angle = fmax(*angle, dls_norm(dls_quat_log(turn)));
    }
}

size_t dls_engines_folded_count(const dls_study *study)
{
    return ((const dls_engines_findings *)study->found)->n_engines + 2;
}

dls_engines_runner dls_engines_folded(const dls_study *study, size_t index)
{
    const dls_engines_settings *set = study->settings;
    const dls_engines_findings *f = study->found;
    dls_engines_runner r = {.method = "baumgarte", .direct = f->direct};
    if (index < f->n_engines) {
        r = f->runners[index];
        r.iterations = f->engines[index].engine->sweeps ? set->many : 0;
        return r;
    }
    r.reduced = index > f->n_engines;
    snprintf(r.name, sizeof r.name, r.reduced ? "ours-reduced" : "ours-exact");
    return r;
}

/* The line of a run; `before` has its distance with the step before, or NaN, and gets the present one. */
static dls_status write_run(const dls_study *study, const char *name, const dls_engines_runner *r,
                            const dls_engines_scene *scene, const double step[2], const dls_engine_record *motion,
                            double *before, dls_error *error)
{
    const dls_engines_settings *set = study->settings;
    const size_t steps = dls_step_count(set->articulated_duration, step[1]);
    dls_engine_record record;
    dls_error why = {.message = ""};
    double distance = NAN, angle = NAN, order = NAN;
    dls_status status = dls_engines_take_scene(r, scene, step[1], steps, set->patience, &record, &why);
    if (status != DLS_OK && status != DLS_REFUSED) {
        if (error)
            *error = why;
        return status;
    }
    if (status == DLS_OK && record.steps == steps && motion->steps == steps) {
        compare_records(&record, motion, &distance, &angle);
        order = log(*before / distance) / log(step[0] / step[1]);
    }
    dls_table_row(study->tables[DLS_ENGINES_ARTICULATIONS], "%s %s %zu %s %g %zu %g %g %g %s", name, r->name,
                  r->iterations, r->engine ? r->engine->version : "", step[1], status == DLS_OK ? record.steps : 0,
                  distance, angle, isfinite(order) ? order : NAN,
                  status != DLS_OK ? why.message
                  : *record.why    ? record.why
                                   : motion->why);
    *before = distance;
    if (status == DLS_OK)
        dls_engine_record_release(&record);
    return DLS_OK;
}

static dls_status run_steps(const dls_study *study, size_t s, const dls_engines_scene *scene, double *before,
                            dls_error *error)
{
    const dls_engines_settings *set = study->settings;
    char name[DLS_NAME_MAX];
    dls_engines_scene_name(set->articulated.names[s], name);
    for (size_t k = 0; k < set->articulated_steps.count; k++) {
        const double h = set->articulated_steps.reals[k], step[2] = {k ? set->articulated_steps.reals[k - 1] : NAN, h};
        dls_engine_record motion;
        DLS_TRY(follow_scene(study, scene, h, dls_step_count(set->articulated_duration, h), &motion, error));
        dls_status status = DLS_OK;
        for (dls_grid g = DLS_GRID(dls_engines_folded_count(study)); status == DLS_OK && dls_study_next(study, &g);) {
            const dls_engines_runner r = dls_engines_folded(study, g.at[0]);
            status = write_run(study, name, &r, scene, step, &motion, &before[g.at[0]], error);
        }
        dls_engine_record_release(&motion);
        DLS_TRY(status);
    }
    return DLS_OK;
}

dls_status dls_engines_articulations(dls_study *study, dls_error *error)
{
    const dls_engines_settings *set = study->settings;
    const size_t n = dls_engines_folded_count(study);
    double *before = calloc(n, sizeof *before);
    dls_status status =
        before ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for the distances of %zu engines", n);
    for (size_t s = 0; s < set->articulated.count && status == DLS_OK; s++) {
        dls_engines_scene scene;
        for (size_t k = 0; k < n; k++)
            before[k] = NAN;
        status = dls_engines_open(set->articulated.names[s], &scene, error);
        if (status == DLS_OK && !scene.folded)
            status = dls_fail_about(error, DLS_BAD_INPUT, NULL, "articulated", "the scene '%s' has no articulation",
                                    set->articulated.names[s]);
        if (status == DLS_OK)
            status = run_steps(study, s, &scene, before, error);
        dls_engines_close(&scene);
    }
    free(before);
    return status;
}
