/* Bodies and joints of scenes that the collection makes. Their coordinates are dyadic and their axes are those of the
 * world, so that the rows are exact, and those of a closed loop are consistent to the bit. */
#include "collection/parts.h"

#include <stdio.h>

static void body_name(size_t number, char name[DLS_NAME_MAX]) { snprintf(name, DLS_NAME_MAX, "body%zu", number); }

/* Three whole numbers over 8, from -1 to 1. */
static dls_vec3 draw_vector(uint64_t *draws)
{
    const double x = dls_draw_whole(draws, 8), y = dls_draw_whole(draws, 8), z = dls_draw_whole(draws, 8);
    return dls_v3(x / 8.0, y / 8.0, z / 8.0);
}

void dls_collect_body(dls_maker *m, size_t number, double mass, dls_vec3 position, uint64_t *draws)
{
    char name[DLS_NAME_MAX];
    body_name(number, name);
    dls_make_box(m, name, dls_v3(0.5, 0.5, 0.5), mass, position, dls_quat_identity());
    if (m->status != DLS_OK)
        return;
    dls_body_def *body = &m->scene->bodies[m->scene->n_bodies - 1];
    body->velocity = draw_vector(draws);
    body->omega = draw_vector(draws);
}

void dls_collect_joint(dls_maker *m, const char *type, size_t number, size_t body1, size_t body2)
{
    char name[DLS_NAME_MAX], one[DLS_NAME_MAX], other[DLS_NAME_MAX];
    snprintf(name, sizeof name, "joint%zu", number);
    body_name(body1, one), body_name(body2, other);
    dls_make_joint(m, type, name, body1 == DLS_NONE ? NULL : one, body2 == DLS_NONE ? NULL : other);
}

dls_status dls_collect_first(dls_scene *scene, dls_collected *made, dls_error *error)
{
    dls_model *model;
    DLS_TRY(dls_scene_model(scene, &model, error));
    const dls_status status = dls_first_problem(model, 0.0, &made->problem, error);
    dls_model_destroy(model);
    return status;
}

dls_status dls_collect_made(dls_maker *m, dls_collected *made, dls_error *error)
{
    dls_scene *scene;
    DLS_TRY(dls_make_end(m, &scene));
    return dls_collect_first(scene, made, error);
}
