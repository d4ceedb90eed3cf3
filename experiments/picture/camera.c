/* The view of a mechanism: along the direction in which it is thin, slightly from above and from the side.
 */
#include "picture.h"

#include <stdlib.h>

enum { LOOKED_AT = 60 }; /* frames that decide, evenly over the film */

/* Sums over the visible corners, with horizontal axes e1 and e2. */
typedef struct survey {
    dls_vec3 low, high, e1, e2;
    bool any, first; /* whether the box of the first frame is on its way */
    dls_vec3 first_low, first_high;
    double margin; /* points farther than this from that box do not count: they fly away */
    double n, x, y, xx, xy, yy, z_low, z_high;
    dls_vec3 up;
} survey;

static dls_vec3 lower(dls_vec3 a, dls_vec3 b) { return dls_v3(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)); }
static dls_vec3 higher(dls_vec3 a, dls_vec3 b) { return dls_v3(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z)); }

static void survey_corner(void *context, dls_vec3 p)
{
    survey *s = context;
    if (!s->first) {
        const dls_vec3 m = dls_v3(s->margin, s->margin, s->margin);
        p = lower(higher(p, dls_sub(s->first_low, m)), dls_add(s->first_high, m));
    }
    const double x = dls_dot(s->e1, p), y = dls_dot(s->e2, p), z = dls_dot(s->up, p);
    s->low = s->any ? lower(s->low, p) : p;
    s->high = s->any ? higher(s->high, p) : p;
    s->z_low = s->any ? fmin(s->z_low, z) : z;
    s->z_high = s->any ? fmax(s->z_high, z) : z;
    s->any = true;
    s->n += 1.0, s->x += x, s->y += y, s->xx += x * x, s->xy += x * y, s->yy += y * y;
}

static survey survey_of(const dls_film *film, size_t first, size_t end)
{
    survey s = {.up = film->up, .first = true, .margin = film->size};
    const dls_quat q = dls_quat_between(dls_axis3(2), film->up);
    s.e1 = dls_quat_rotate(q, dls_axis3(0)), s.e2 = dls_quat_rotate(q, dls_axis3(1));
    dls_film_corners(film, first, survey_corner, &s);
    s.first = false;
    s.first_low = s.low, s.first_high = s.high;
    const size_t every = (end - first) / LOOKED_AT + 1;
    for (size_t k = first + every; k < end && s.any; k += every)
        dls_film_corners(film, k, survey_corner, &s);
    return s;
}

dls_camera dls_camera_of(const dls_film *film, size_t first, size_t end)
{
    const survey s = survey_of(film, first, end);
    const double n = fmax(s.n, 1.0), a = s.xx / n - s.x * s.x / n / n, b = s.xy / n - s.x * s.y / n / n,
                 d = s.yy / n - s.y * s.y / n / n;
    const double half = 0.5 * (a + d), spread = hypot(0.5 * (a - d), b), most = half + spread,
                 least = fmax(half - spread, 0.0);
    /* e1 cos + e2 sin is the direction in which it is long, where there is one. */
    const double along = spread > 0.1 * most ? 0.5 * atan2(2.0 * b, a - d) : 0.0;
    const bool thin = least < 0.2 * most, flat = s.z_high - s.z_low < 1.5 * sqrt(least);
    double azimuth = thin ? along - 0.5 * DLS_PI + 0.4 : along - 0.5 * DLS_PI + 0.6;
    if (sin(azimuth) > 0.2) /* not from behind */
        azimuth += DLS_PI;
    const double elevation = flat ? 0.65 : 0.3;
    const dls_vec3 flat_back = dls_add(dls_scale(cos(azimuth), s.e1), dls_scale(sin(azimuth), s.e2));
    dls_camera camera = {.target = dls_scale(0.5, dls_add(s.low, s.high)),
                         .radius = 0.5 * dls_norm(dls_sub(s.high, s.low))};
    camera.back = dls_add(dls_scale(cos(elevation), flat_back), dls_scale(sin(elevation), film->up));
    camera.right = dls_cross(film->up, flat_back);
    camera.up = dls_cross(camera.back, camera.right);
    if (!(camera.radius > 0.0))
        camera.radius = film->size;
    return camera;
}
