/* The contents of a frame: poses of items and arrows, and the corners between which everything lies.
 */
#include "picture.h"

bool dls_item_shown(const dls_item *item, size_t frame) { return item->from <= frame && frame < item->until; }

static dls_vec3 point_in_world(const dls_film_pose *pose, dls_vec3 p)
{
    return dls_add(pose->x, dls_quat_rotate(pose->q, p));
}

dls_film_pose dls_item_pose(const dls_film *film, const dls_film_frame *frame, const dls_item *item, double *stretch)
{
    const dls_film_pose *pose = film->poses + frame->pose;
    const dls_film_pose *on = &pose[item->node[0]], *other = &pose[item->node[1]];
    *stretch = 1.0;
    if (!dls_item_facts_of[item->kind].stretched)
        return (dls_film_pose){point_in_world(on, item->frame.p), dls_quat_mul(on->q, item->frame.q)};
    const dls_vec3 a = point_in_world(on, item->frame.p), b = point_in_world(other, item->far_end), d = dls_sub(b, a);
    *stretch = dls_norm(d);
    return (dls_film_pose){dls_scale(0.5, dls_add(a, b)),
                           *stretch > 0.0 ? dls_quat_between(dls_axis3(2), dls_unit(d)) : dls_quat_identity()};
}

/* Half of the diagonal is the length of the weight of all that there is, so that the forces of a scene at rest are of
 * its size; no arrow is longer than the diagonal. Without gravity, force has no scale: the largest is a third of it. */
dls_film_pose dls_arrow_pose(const dls_film *film, const dls_film_arrow *arrow, double *length)
{
    const double force = dls_norm(arrow->force);
    *length = fmin(film->size, film->arrow_scale * force);
    return (dls_film_pose){arrow->point, dls_quat_between(dls_axis3(2), dls_unit(arrow->force))};
}

void dls_film_corners(const dls_film *film, size_t number, void (*see)(void *context, dls_vec3 p), void *context)
{
    const dls_film_frame *frame = &film->frames[number];
    for (size_t k = 0; k < film->n_items; k++) {
        const dls_item *item = &film->items[k];
        double stretch;
        if (dls_item_facts_of[item->kind].layer == DLS_LAYER_FLOOR || !dls_item_shown(item, number))
            continue;
        const dls_film_pose pose = dls_item_pose(film, frame, item, &stretch);
        const dls_vec3 half = dls_surface_half(&item->form);
        for (size_t p = 0; p < item->count; p++)
            see(context, point_in_world(&pose, film->points[item->first + p]));
        for (int c = 0; c < 8 && item->count == 0; c++)
            see(context, point_in_world(&pose, dls_v3(c & 1 ? half.x : -half.x, c & 2 ? half.y : -half.y,
                                                      stretch * (c & 4 ? half.z : -half.z))));
    }
}
