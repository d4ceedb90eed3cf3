/* Contacts of a reference trajectory between solids: rounded points on planes, on spheres and on boxes.
 *
 * A sphere is its centre with a radius, a capsule the two centres of its caps on a plane, and a box its eight corners
 * with the radius 0. With c the point, r its radius, n the unit normal of a plane through p,
 *     C = n . (c - p) - r,     and on a sphere (p, R):   C = |c - p| - r - R,  n = (c - p) / |c - p|
 * are smooth in the configuration at any distance, which a detector's manifold is not. On a box it is the distance from
 * the nearest point of its surface, where only spheres are taken: its gradient n is continuous outside, and jumps in
 * its derivative where the nearest point passes from a face to an edge: the integrator takes short steps there. The
 * points that touch are c - r
 * n and c - (r + C) n; the rows are those of every contact (lib/contact/contact_rows.c). Other pairs of shapes are
 * refused by name. */
#include "parts.h"

#include <string.h>

static const double box_corners[8][3] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                         {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};

/* The points of a solid on its end; 0: it has none. */
static size_t solid_points(const dls_solid *solid, dls_vec3 points[8], double *radius)
{
    const dls_vec3 axis = dls_quat_rotate(solid->frame.q, dls_v3(0, 0, 0.5 * solid->length));
    *radius = solid->shape == DLS_SHAPE_BOX ? 0.0 : solid->radius;
    switch (solid->shape) {
    case DLS_SHAPE_SPHERE:
        points[0] = solid->frame.p;
        return 1;
    case DLS_SHAPE_CAPSULE:
        points[0] = dls_add(solid->frame.p, axis), points[1] = dls_sub(solid->frame.p, axis);
        return 2;
    case DLS_SHAPE_BOX:
        for (size_t k = 0; k < 8; k++)
            points[k] = dls_add(solid->frame.p,
                                dls_quat_rotate(solid->frame.q, dls_v3(0.5 * box_corners[k][0] * solid->size.x,
                                                                       0.5 * box_corners[k][1] * solid->size.y,
                                                                       0.5 * box_corners[k][2] * solid->size.z)));
        return 8;
    default:
        return 0;
    }
}

static bool may_meet(const dls_model *model, const dls_solid *a, const dls_solid *b)
{
    return a->end != b->end && (dls_model_moves(model, a->end) || dls_model_moves(model, b->end)) &&
           dls_model_may_touch(model, a->end, b->end);
}

static dls_status refuse_pair(const trajectory_rows *rows, const dls_solid *a, const dls_solid *b, dls_error *error)
{
    return dls_fail(
        error, DLS_REFUSED,
        "a %s and a %s may meet (solids %zu and %zu); a reference trajectory has contacts of spheres with "
        "spheres and boxes, and of spheres, capsules and boxes with planes: give others as joints of type contact, "
        "or keep them apart",
        dls_shape_names[a->shape], dls_shape_names[b->shape], (size_t)(a - dls_model_solids(rows->model)),
        (size_t)(b - dls_model_solids(rows->model)));
}

/* The pairs of two solids, written where `to` is not NULL, and their number. */
static dls_status pair_solids(const trajectory_rows *rows, const dls_solid *a, const dls_solid *b, trajectory_pair *to,
                              size_t *count, dls_error *error)
{
    dls_vec3 points[8];
    double radius;
    if (a->shape == DLS_SHAPE_PLANE || (a->shape == DLS_SHAPE_BOX && b->shape == DLS_SHAPE_SPHERE)) {
        const dls_solid *swap = a;
        a = b, b = swap;
    }
    const bool box = b->shape == DLS_SHAPE_BOX;
    *count = b->shape == DLS_SHAPE_PLANE || (a->shape == DLS_SHAPE_SPHERE && (b->shape == DLS_SHAPE_SPHERE || box))
                 ? solid_points(a, points, &radius)
                 : 0;
    if (*count == 0)
        return refuse_pair(rows, a, b, error);
    for (size_t k = 0; to && k < *count; k++)
        to[k] = (trajectory_pair){.body = {a->end, b->end},
                                  .point = points[k],
                                  .radius = radius,
                                  .plane = b->shape == DLS_SHAPE_PLANE,
                                  .centre = b->frame.p,
                                  .normal = dls_quat_rotate(b->frame.q, dls_v3(0, 0, 1)),
                                  .other = b->shape == DLS_SHAPE_SPHERE ? b->radius : 0.0,
                                  .half = box ? dls_scale(0.5, b->size) : dls_v3(0, 0, 0),
                                  .turn = b->frame.q};
    return DLS_OK;
}

dls_status trajectory_pairs_list(trajectory_rows *rows, dls_arena *memory, dls_error *error)
{
    const dls_solid *solid = dls_model_solids(rows->model);
    rows->n_pairs = 0;
    if (!dls_model_world(rows->model)->collide)
        return DLS_OK;
    for (int pass = 0; pass < 2; pass++) {
        size_t total = 0, count;
        for (size_t a = 0; a < rows->has.solids; a++)
            for (size_t b = a + 1; b < rows->has.solids; b++)
                if (may_meet(rows->model, &solid[a], &solid[b])) {
                    DLS_TRY(pair_solids(rows, &solid[a], &solid[b], pass ? rows->pairs + total : NULL, &count, error));
                    total += count;
                }
        rows->n_pairs = total;
        if (!pass)
            rows->pairs = DLS_TAKE_ZEROS(memory, trajectory_pair, total);
        if (!rows->pairs)
            return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu pairs of solids", total);
    }
    return DLS_OK;
}

static double clamp(double x, double most) { return fmax(-most, fmin(most, x)); }

/* The distance of the point d, from the centre of a box in its axes, to the box, and the direction from there; inside
 * the nearest face tells. */
static double distance_from_box(dls_vec3 d, dls_vec3 half, dls_vec3 *n)
{
    const dls_vec3 out = dls_v3(d.x - clamp(d.x, half.x), d.y - clamp(d.y, half.y), d.z - clamp(d.z, half.z));
    const double far = dls_norm(out);
    if (far > 0.0) {
        *n = dls_scale(1.0 / far, out);
        return far;
    }
    const double depth[3] = {half.x - fabs(d.x), half.y - fabs(d.y), half.z - fabs(d.z)};
    const int k = depth[0] <= depth[1] && depth[0] <= depth[2] ? 0 : depth[1] <= depth[2] ? 1 : 2;
    *n = dls_scale(dls_get3(d, k) < 0.0 ? -1.0 : 1.0, dls_axis3(k));
    return -depth[k];
}

/* The gap of a pair, and the normal from its second end; d from the centre of that to the point of the first. */
static double pair_gap(const trajectory_pair *pair, const dls_mat3 *R, dls_vec3 d, dls_vec3 *n)
{
    double distance;
    if (pair->plane) {
        *n = dls_mul3(*R, pair->normal);
        distance = dls_dot(*n, d);
    } else if (pair->half.x > 0.0) {
        const dls_mat3 axes = dls_quat_matrix(pair->turn);
        distance = distance_from_box(dls_tmul3(axes, dls_tmul3(*R, d)), pair->half, n);
        *n = dls_mul3(*R, dls_mul3(axes, *n));
    } else {
        *n = dls_unit(d);
        distance = dls_norm(d);
    }
    return distance - pair->radius - pair->other;
}

dls_contact trajectory_pair_contact(const trajectory_rows *rows, const trajectory_pair *pair, const dls_end end[2])
{
    const dls_world_def *world = dls_model_world(rows->model);
    const dls_vec3 c = dls_add(end[0].x, dls_mul3(end[0].R, pair->point));
    const dls_vec3 d = dls_sub(c, dls_add(end[1].x, dls_mul3(end[1].R, pair->centre)));
    dls_vec3 n;
    const double gap = pair_gap(pair, &end[1].R, d, &n);
    return (dls_contact){
        .body = {pair->body[0], pair->body[1]},
        .point = {dls_sub(c, dls_scale(pair->radius, n)), dls_sub(c, dls_scale(pair->radius + gap, n))},
        .normal = n,
        .gap = gap,
        .mu = world->mu,
        .restitution = world->restitution,
        .threshold = world->restitution_threshold,
        .impact = (dls_impact_law)world->impact,
        .friction = (dls_law)world->friction,
        .rolling = world->rolling,
        .torsion = world->torsion};
}

double trajectory_pair_rate(const trajectory_pair *pair, const dls_end end[2])
{
    if (!(pair->half.x > 0.0))
        return 0.0;
    const dls_vec3 c = dls_add(end[0].x, dls_mul3(end[0].R, pair->point));
    const dls_vec3 d = dls_sub(c, dls_add(end[1].x, dls_mul3(end[1].R, pair->centre)));
    const dls_vec3 local = dls_tmul3(dls_quat_matrix(pair->turn), dls_tmul3(end[1].R, d));
    const dls_vec3 v = dls_sub(dls_add(end[0].v, dls_cross(end[0].omega, dls_sub(c, end[0].x))),
                               dls_add(end[1].v, dls_cross(end[1].omega, dls_sub(c, end[1].x))));
    double near = pair->radius;
    for (int k = 0; k < 3; k++)
        near = fmin(near, fabs(fabs(dls_get3(local, k)) - dls_get3(pair->half, k)));
    return dls_norm(v) / fmax(near, 1e-9 * pair->radius);
}
