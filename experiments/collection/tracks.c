/* Bodies on tracks: rows along a curve, whose frame the body follows.
 *
 *     line    a slope with a rational direction
 *     arc     the lowest point of a loop of radius 1 to 4
 *     spline  a closed spline through drawn points of a lattice, at the first of them
 *
 * The body moves along the track, so that it has to turn with it; a third of the bodies has a motor with a bounded
 * force, another a one-sided support from which it is lifted. All bodies are at the arc length 0, where no curve needs
 * a trigonometric function. */
#include "collection/parts.h"

#include "base/text.h"

#include <stdio.h>

enum { LINE, ARC, SPLINE };

static dls_status set_curve(dls_curve_def *curve, const char *key, double x, double y, double z, dls_error *error)
{
    char text[96];
    dls_print(text, sizeof text, "[%.17g, %.17g, %.17g]", x, y, z);
    return dls_curve_set(curve, key, text, error);
}

/* Points around the origin, at the distances 2 to 3, in the order of their angles; heights in eighths. */
static dls_status add_points(dls_curve_def *curve, uint64_t *draws, dls_error *error)
{
    static const double around[][2] = {{1.0, 0.0},  {0.8, 0.6},   {0.0, 1.0},  {-0.8, 0.6},
                                       {-1.0, 0.0}, {-0.8, -0.6}, {0.0, -1.0}, {0.8, -0.6}};
    for (size_t k = 0; k < sizeof around / sizeof around[0]; k++) {
        const double radius = 2.0 + (double)dls_draw_below(draws, 9) / 8.0, height = dls_draw_whole(draws, 8) / 8.0;
        DLS_TRY(dls_curve_add_point(curve, dls_v3(radius * around[k][0], radius * around[k][1], height), error));
    }
    return dls_curve_set(curve, "closed", "true", error);
}

static dls_status fill_curve(dls_curve_def *curve, dls_collection_member *of, dls_error *error)
{
    static const double slopes[][2] = {{1.0, 0.0}, {0.8, -0.6}, {0.96, -0.28}, {0.6, -0.8}};
    const double *slope = slopes[of->k / 9 % 4];
    char text[32];
    switch (of->k % 3) {
    case LINE:
        DLS_TRY(set_curve(curve, "tangent", slope[0], 0.0, slope[1], error));
        DLS_TRY(set_curve(curve, "normal", 0.0, 1.0, 0.0, error));
        return dls_curve_set(curve, "length", "8", error);
    case ARC:
        DLS_TRY(set_curve(curve, "tangent", 1.0, 0.0, 0.0, error));
        DLS_TRY(set_curve(curve, "normal", 0.0, 0.0, 1.0, error));
        snprintf(text, sizeof text, "%zu", 1 + of->k / 9 % 4);
        DLS_TRY(dls_curve_set(curve, "radius", text, error));
        return dls_curve_set(curve, "closed", "true", error);
    default:
        return add_points(curve, &of->draws, error);
    }
}

static dls_status add_track(dls_maker *m, dls_collection_member *of, dls_error *error)
{
    static const char *const types[] = {"line", "arc", "spline"};
    dls_track_def def = {.name = "track"};
    dls_status status = dls_curve_default(&def.curve, types[of->k % 3], error);
    if (status == DLS_OK)
        status = fill_curve(&def.curve, of, error);
    if (status == DLS_OK)
        status = dls_scene_add_track(m->scene, &def, error);
    if (status != DLS_OK)
        dls_track_def_release(&def);
    return status;
}

/* Where a track begins, and its direction there. */
static dls_status find_start(const dls_track_def *def, dls_curve_point *start, dls_error *error)
{
    dls_track track;
    DLS_TRY(dls_track_create(def, &track, error));
    dls_curve_at(track.curve, 0.0, start);
    dls_track_release(&track);
    return DLS_OK;
}

static void make_rider(dls_maker *m, dls_collection_member *of, const dls_curve_point *at)
{
    const size_t kind = of->k / 3 % 3;
    const double speed = dls_draw_whole(&of->draws, 16) / 4.0;
    dls_collect_body(m, 0, (double)(1 + dls_draw_below(&of->draws, 16)) / 4.0, at->P, &of->draws);
    if (m->status == DLS_OK) {
        m->scene->bodies[0].velocity = dls_scale(speed, at->T);
        if (kind == 2) /* lifts the body off a one-sided support */
            m->scene->bodies[0].force = dls_scale(64.0 * dls_draw_whole(&of->draws, 1), at->B);
    }
    dls_collect_joint(m, "track", 0, 0, DLS_NONE);
    dls_make_set(m, "track", "track");
    dls_make_real(m, "s", 0.0);
    dls_make_set(m, "support", kind == 2 ? "one-sided" : "two-sided");
    if (kind == 1) {
        dls_make_real(m, "speed", dls_draw_whole(&of->draws, 8) / 4.0);
        dls_make_real(m, "motor_force_max", 8.0);
        dls_make_real(m, "motor_force_min", -8.0);
    }
}

dls_status dls_collect_tracks(dls_collection_member of, dls_collected *made, dls_error *error)
{
    dls_curve_point at;
    dls_maker maker = dls_make_scene(dls_v3(0.0, 0.0, -9.75), error);
    if (maker.status == DLS_OK)
        maker.status = add_track(&maker, &of, error);
    if (maker.status == DLS_OK)
        maker.status = find_start(&maker.scene->tracks[0], &at, error);
    if (maker.status == DLS_OK)
        make_rider(&maker, &of, &at);
    return dls_collect_made(&maker, made, error);
}
