/* The motion of each mechanism in continuous time, beside the same with a hundred times the tolerance, whose distance
 * estimates its error on the safe side, and beside printed values. */
#include "mechanisms/parts.h"

#include "delassus/reference.h"

#include <math.h>

static const double coarser = 100.0;

/* Both motions. */
typedef struct twins {
    const dls_published *mechanism;
    const dls_model *model;
    dls_trajectory *exact[2];
    dls_state *state[2];
    dls_configuration *at[2];
    dls_vec3 arm[8]; /* of the watched points, in body axes */
} twins;

static void close_course(twins *c)
{
    for (int k = 0; k < 2; k++) {
        dls_trajectory_destroy(c->exact[k]);
        dls_state_destroy(c->state[k]);
        dls_configuration_destroy(c->at[k]);
    }
}

static dls_status open_course(twins *c, dls_error *error)
{
    for (int k = 0; k < 2; k++) {
        dls_trajectory_settings settings = dls_trajectory_default();
        settings.tolerance *= k ? coarser : 1.0;
        DLS_TRY(dls_trajectory_create(c->model, dls_model_initial(c->model), &settings, &c->exact[k], error));
        DLS_TRY(dls_state_create(c->model, &c->state[k], error));
        DLS_TRY(dls_configuration_create(c->model, &c->at[k], error));
    }
    dls_configuration_evaluate(c->at[0], dls_model_initial(c->model));
    for (size_t i = 0; c->mechanism->watched[i].label; i++) {
        const dls_watched *watched = &c->mechanism->watched[i];
        if (!watched->end)
            continue;
        const size_t place = dls_model_find_end(c->model, watched->end);
        if (place == DLS_NONE)
            return dls_fail(error, DLS_BAD_INPUT, "scene %s has no body or link '%s'", dls_model_name(c->model),
                            watched->end);
        const dls_end end = dls_configuration_end(c->at[0], place);
        c->arm[i] = dls_end_frame(&end, watched->point, dls_quat_identity()).p;
    }
    return DLS_OK;
}

static double watched_value(const twins *c, int k, size_t i)
{
    const dls_watched *watched = &c->mechanism->watched[i];
    if (!watched->end)
        return c->state[k]->coordinates[watched->index];
    const dls_end end = dls_configuration_end(c->at[k], dls_model_find_end(c->model, watched->end));
    const dls_vec3 p = dls_end_anchor(&end, &(dls_frame){.p = c->arm[i]});
    return watched->index == 0 ? p.x : watched->index == 1 ? p.y : p.z;
}

static dls_status move_course(twins *c, double time, dls_error *error)
{
    for (int k = 0; k < 2; k++) {
        DLS_TRY(dls_trajectory_advance(c->exact[k], time, c->state[k], error));
        dls_configuration_evaluate(c->at[k], c->state[k]);
    }
    return DLS_OK;
}

static double course_distance(const twins *c)
{
    double worst = 0.0;
    for (size_t i = 0; i < dls_model_count(c->model).ends; i++)
        if (dls_model_moves(c->model, i))
            worst = fmax(worst,
                         dls_norm(dls_sub(dls_configuration_end(c->at[0], i).x, dls_configuration_end(c->at[1], i).x)));
    return worst;
}

static void write_values(dls_study *study, size_t m, const twins *c, size_t sample, double time)
{
    dls_mechanisms_findings *f = study->found;
    for (size_t i = 0; c->mechanism->watched[i].label; i++) {
        const dls_watched *watched = &c->mechanism->watched[i];
        const double value = watched_value(c, 0, i), estimate = fabs(value - watched_value(c, 1, i)),
                     published = sample == DLS_MECHANISMS_SAMPLES ? watched->published : (double)NAN;
        dls_table_row(study->tables[DLS_MECHANISMS_MOTION], "%s %g %s %g %g %g %g", c->mechanism->name, time,
                      watched->label, value, estimate, published, value - published);
        if (isfinite(published))
            f->published[m] = fmax(f->published[m], fabs(value / published - 1.0));
    }
}

static dls_status follow_course(dls_study *study, size_t m, twins *c, dls_error *error)
{
    dls_mechanisms_findings *f = study->found;
    DLS_TRY(open_course(c, error));
    for (size_t s = 0; s <= DLS_MECHANISMS_SAMPLES; s++) {
        const double time = c->mechanism->duration * (double)s / DLS_MECHANISMS_SAMPLES;
        DLS_TRY(move_course(c, time, error));
        f->course[m].position = fmax(f->course[m].position, course_distance(c));
        write_values(study, m, c, s, time);
        DLS_TRY(dls_configuration_create(c->model, &f->course[m].at[s], error));
        dls_configuration_evaluate(f->course[m].at[s], c->state[0]);
    }
    f->course[m].complete = true;
    return DLS_OK;
}

/* Rows and rank of the scene that steps, at its start. */
static dls_status count_rows(const dls_published *mechanism, dls_reference_course *course, dls_error *error)
{
    dls_scene *scene;
    dls_model *model;
    dls_trajectory *start;
    DLS_TRY(dls_scene_named(mechanism->scene, &scene, error));
    DLS_TRY(dls_scene_model(scene, &model, error));
    dls_status status = dls_trajectory_create(model, dls_model_initial(model), NULL, &start, error);
    if (status == DLS_OK) {
        const dls_trajectory_report report = dls_trajectory_reported(start);
        course->rows = report.rows, course->rank = report.rank;
        dls_trajectory_destroy(start);
    }
    dls_model_destroy(model);
    return status;
}

static dls_status find_motion(dls_study *study, size_t m, dls_error *error)
{
    dls_mechanisms_findings *f = study->found;
    dls_scene *scene;
    twins c = {.mechanism = &dls_published_mechanisms[m]};
    DLS_TRY(count_rows(c.mechanism, &f->course[m], error));
    DLS_TRY(dls_scene_named(c.mechanism->reference, &scene, error));
    DLS_TRY(dls_scene_model(scene, &f->course[m].model, error));
    c.model = f->course[m].model;
    const dls_status status = follow_course(study, m, &c, error);
    close_course(&c);
    return status;
}

dls_status dls_mechanisms_motions(dls_study *study, dls_error *error)
{
    for (dls_grid g = DLS_GRID(DLS_PUBLISHED); dls_study_next(study, &g);)
        if (dls_mechanisms_wanted(study, g.at[0]))
            DLS_TRY(find_motion(study, g.at[0], error));
    return DLS_OK;
}
