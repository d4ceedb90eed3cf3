/* Heaps of spheres and of lying capsules, whose contacts are found here: the library's narrow phase uses trigonometric
 * functions, which are not the same on every machine.
 *
 *     pile      spheres with radii of 1/2 to 1 on the ground, placed one by one where they touch three others, or two
 *               and the ground, at the lowest such place without overlap. Three spheres with the centres c_k leave two
 *               places at the distances d_k: with e_x along c_2 - c_1, e_y across it towards c_3, d = |c_2 - c_1|, and
 *               (i, j) the coordinates of c_3 - c_1,
 *                   x = (d_1^2 - d_2^2 + d^2) / (2 d),  y = (d_1^2 - d_3^2 + i^2 + j^2 - 2 i x) / (2 j),
 *                   z = sqrt(d_1^2 - x^2 - y^2)
 *     capsules  layers of parallel capsules, each layer across the one below by an angle with a rational sine, so that
 *               every pair of neighbouring layers touches where the axes cross
 *     dropped   1 to 50 capsules of radius 1 m, length 5 m and 1 kg with mu = 0.7, the family "Capsules" of FCLIB
 *               (github.com/FrictionalContactLibrary/fclib-library, Capsules/README.md: 6 to 300 velocities, up to 200
 *               contacts). Each lies in a drawn direction and is dropped, at the lowest of some drawn places, until it
 *               touches: the distance of lying axes is that of their projections and of their heights, so that the
 *               height is zeta + sqrt(4 r^2 - d^2). Pairs nearer than 3/4 m, and ends as near to the ground or to a
 *               wall of the box, are contacts, and are taken as closed, as in a scheme of velocities. Theirs were
 *               simulated in Siconos with Bullet; bodies, friction, mass and the range of contacts correspond, places
 *               do not */
#include "collection/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, CONTACTS = 8 * MOST };

/* A sphere, or a capsule whose axis goes from centre - half to centre + half. */
typedef struct grain {
    dls_vec3 centre, half;
    double radius, mass;
} grain;

/* Body 1 or the world (DLS_NONE) is other. */
typedef struct touch {
    size_t body, other;
    dls_vec3 point, normal;
} touch;

typedef struct heap {
    size_t n, touches;
    grain grain[MOST];
    touch touch[CONTACTS];
    double mu;
} heap;

static void heap_touch(heap *h, size_t body, size_t other, dls_vec3 point, dls_vec3 normal)
{
    if (h->touches < CONTACTS)
        h->touch[h->touches++] = (touch){body, other, point, normal};
}

static double clamp_unit(double x) { return x > 1.0 ? 1.0 : x < -1.0 ? -1.0 : x; }

/* The t of the point centre + t half of a segment that is nearest to a point. */
static double nearest_on(const grain *g, dls_vec3 point)
{
    const double size = dls_dot(g->half, g->half);
    return size > 0.0 ? clamp_unit(dls_dot(dls_sub(point, g->centre), g->half) / size) : 0.0;
}

static dls_vec3 point_on(const grain *g, double t) { return dls_add(g->centre, dls_scale(t, g->half)); }

/* The nearest points of two axes, and their distance: at the crossing of the lines if it is within both, else with
 * an end of one. */
static double axes_distance(const grain *a, const grain *b, dls_vec3 *on_a, dls_vec3 *on_b)
{
    const dls_vec3 apart = dls_sub(b->centre, a->centre);
    const double aa = dls_dot(a->half, a->half), bb = dls_dot(b->half, b->half), ab = dls_dot(a->half, b->half);
    const double da = dls_dot(apart, a->half), db = dls_dot(apart, b->half), det = aa * bb - ab * ab;
    const double s = det > 0.0 ? (da * bb - db * ab) / det : 2.0, t = det > 0.0 ? (da * ab - db * aa) / det : 2.0;
    double at[5][2] = {{s, t}, {-1.0, 0.0}, {1.0, 0.0}, {0.0, -1.0}, {0.0, 1.0}}, least = HUGE_VAL;
    for (size_t k = 0; k < 5; k++) {
        if (k == 0 && !(fabs(s) <= 1.0 && fabs(t) <= 1.0))
            continue;
        if (k == 1 || k == 2)
            at[k][1] = nearest_on(b, point_on(a, at[k][0]));
        if (k > 2)
            at[k][0] = nearest_on(a, point_on(b, at[k][1]));
        const dls_vec3 p = point_on(a, at[k][0]), q = point_on(b, at[k][1]);
        const double distance = dls_norm(dls_sub(p, q));
        if (distance < least)
            least = distance, *on_a = p, *on_b = q;
    }
    return least;
}

/* Contacts of all pairs nearer than `margin`, at the middle between their surfaces, and of all ends with the ground. */
static void find_touches(heap *h, double margin)
{
    for (size_t i = 0; i < h->n; i++) {
        const grain *g = &h->grain[i];
        const bool lies = dls_dot(g->half, g->half) > 0.0;
        for (int end = lies ? -1 : 0; end <= (lies ? 1 : 0); end += 2) {
            const dls_vec3 p = point_on(g, end);
            if (p.z - g->radius < margin)
                heap_touch(h, i, DLS_NONE, dls_v3(p.x, p.y, 0.0), dls_axis3(2));
        }
        for (size_t j = 0; j < i; j++) {
            dls_vec3 p, q;
            const double distance = axes_distance(g, &h->grain[j], &p, &q), sum = g->radius + h->grain[j].radius;
            const dls_vec3 normal = dls_scale(1.0 / distance, dls_sub(p, q));
            if (distance - sum < margin)
                heap_touch(h, i, j, dls_add(q, dls_scale(h->grain[j].radius + 0.5 * (distance - sum), normal)), normal);
        }
    }
}

/* --- spheres at the lowest places --- */

static bool place_is_free(const heap *h, dls_vec3 at, double radius)
{
    bool free = at.z >= radius;
    for (size_t j = 0; free && j < h->n; j++) {
        const double sum = radius + h->grain[j].radius, slack = 0x1p-40;
        const dls_vec3 apart = dls_sub(at, h->grain[j].centre);
        free = dls_dot(apart, apart) >= (sum - slack) * (sum - slack);
    }
    return free;
}

/* The higher place at the distances d from three points. */
static bool trilaterate(const dls_vec3 c[3], const double d[3], dls_vec3 *at)
{
    const dls_vec3 to2 = dls_sub(c[1], c[0]), to3 = dls_sub(c[2], c[0]);
    const double length = dls_norm(to2), along = dls_dot(to3, to2) / length;
    const dls_vec3 ex = dls_scale(1.0 / length, to2), rest = dls_sub(to3, dls_scale(along, ex));
    const double across = dls_norm(rest);
    if (!(across > 0x1p-10))
        return false;
    const dls_vec3 ey = dls_scale(1.0 / across, rest);
    dls_vec3 ez = dls_cross(ex, ey);
    ez = ez.z < 0.0 ? dls_scale(-1.0, ez) : ez;
    const double x = (d[0] * d[0] - d[1] * d[1] + length * length) / (2.0 * length);
    const double y = (d[0] * d[0] - d[2] * d[2] + along * along + across * across - 2.0 * along * x) / (2.0 * across);
    const double square = d[0] * d[0] - x * x - y * y;
    if (!(square >= 0.0))
        return false;
    *at = dls_add(dls_add(c[0], dls_scale(x, ex)), dls_add(dls_scale(y, ey), dls_scale(sqrt(square), ez)));
    return true;
}

/* Candidate place of a sphere on the ground that touches i and j, on either side. */
static bool place_on_ground(const heap *h, size_t i, size_t j, double radius, double side, dls_vec3 *at)
{
    const grain *a = &h->grain[i], *b = &h->grain[j];
    const double up_a = a->centre.z - radius, up_b = b->centre.z - radius;
    const double ra = (radius + a->radius) * (radius + a->radius) - up_a * up_a,
                 rb = (radius + b->radius) * (radius + b->radius) - up_b * up_b;
    const double dx = b->centre.x - a->centre.x, dy = b->centre.y - a->centre.y, square = dx * dx + dy * dy;
    if (!(square > 0.0 && ra > 0.0 && rb > 0.0))
        return false;
    const double along = (ra - rb + square) / (2.0 * square), across = ra / square - along * along;
    if (!(across >= 0.0))
        return false;
    const double s = side * sqrt(across);
    *at = dls_v3(a->centre.x + along * dx - s * dy, a->centre.y + along * dy + s * dx, radius);
    return true;
}

/* Keeps the lower of two places; a little order among equal heights: nearer to the axis. */
static void keep_lower(const heap *h, double radius, dls_vec3 at, dls_vec3 *best, double *height)
{
    const double value = at.z + 0.125 * (at.x * at.x + at.y * at.y);
    if (value < *height && place_is_free(h, at, radius))
        *best = at, *height = value;
}

static void add_sphere(heap *h, double radius)
{
    dls_vec3 best = dls_v3(0.0, 0.0, radius), at;
    double height = HUGE_VAL;
    if (h->n == 1) { /* beside the first one */
        const double sum = radius + h->grain[0].radius, up = h->grain[0].centre.z - radius;
        best = dls_v3(sqrt(sum * sum - up * up), 0.0, radius);
    }
    for (size_t i = 0; h->n > 1 && i < h->n; i++)
        for (size_t j = 0; j < i; j++) {
            for (double side = -1.0; side <= 1.0; side += 2.0)
                if (place_on_ground(h, i, j, radius, side, &at))
                    keep_lower(h, radius, at, &best, &height);
            for (size_t k = 0; k < j; k++) {
                const dls_vec3 c[3] = {h->grain[i].centre, h->grain[j].centre, h->grain[k].centre};
                const double d[3] = {radius + h->grain[i].radius, radius + h->grain[j].radius,
                                     radius + h->grain[k].radius};
                if (trilaterate(c, d, &at))
                    keep_lower(h, radius, at, &best, &height);
            }
        }
    h->grain[h->n++] = (grain){best, dls_v3(0.0, 0.0, 0.0), radius, radius * radius * radius};
}

static void fill_pile(heap *h, dls_collection_member *of)
{
    const size_t n = 2 + 2 * (of->k % 20);
    while (h->n < n)
        add_sphere(h, (double)(8 + dls_draw_below(&of->draws, 9)) / 16.0);
    h->mu = of->k < 20 ? 0.5 : 0.25;
    find_touches(h, 0x1p-20);
}

/* --- capsules --- */

static const double turns[][2] = {{1.0, 0.0}, {0.96, 0.28},  {0.8, 0.6},  {0.6, 0.8},  {0.28, 0.96},
                                  {0.0, 1.0}, {-0.28, 0.96}, {-0.6, 0.8}, {-0.8, 0.6}, {-0.96, 0.28}};
enum { TURNS = sizeof turns / sizeof turns[0] };

/* Layers are along x, and along (cos, sin) of an angle of at least 53 degrees. */
static void fill_layers(heap *h, dls_collection_member *of)
{
    const size_t layers = 2 + of->k % 4, across = 2 + of->k / 4 % 2;
    const double *turn = turns[3 + of->k / 8 % 4], radius = 0.5, half = 4.0;
    for (size_t i = 0; i < layers * across; i++) {
        const size_t layer = i / across;
        const double shift = 1.5 * ((double)(i % across) - 0.5 * (double)(across - 1));
        const double c = layer % 2 ? turn[0] : 1.0, s = layer % 2 ? turn[1] : 0.0, z = radius * (double)(1 + 2 * layer);
        h->grain[h->n++] = (grain){dls_v3(-s * shift, c * shift, z), dls_v3(half * c, half * s, 0.0), radius,
                                   (double)(1 + dls_draw_below(&of->draws, 8)) / 2.0};
    }
    h->mu = 0.5;
    find_touches(h, 0x1p-20);
}

/* The height at which a lying capsule rests on the others or on the ground. */
static double rest_height(const heap *h, const grain *g)
{
    double height = g->radius;
    for (size_t j = 0; j < h->n; j++) {
        grain flat = *g, other = h->grain[j];
        dls_vec3 p, q;
        flat.centre.z = other.centre.z = 0.0;
        const double sum = g->radius + other.radius, apart = axes_distance(&flat, &other, &p, &q);
        if (apart < sum)
            height = fmax(height, h->grain[j].centre.z + sqrt(sum * sum - apart * apart));
    }
    return height;
}

static void find_walls(heap *h, double side, double margin)
{
    for (size_t i = 0; i < h->n; i++)
        for (int end = -1; end <= 1; end += 2)
            for (size_t wall = 0; wall < 4; wall++) {
                const grain *g = &h->grain[i];
                const dls_vec3 p = point_on(g, end), in = dls_scale(wall & 1 ? -1.0 : 1.0, dls_axis3(wall & 2 ? 1 : 0));
                const double gap = side + dls_dot(p, in) - g->radius;
                if (gap < margin)
                    heap_touch(h, i, DLS_NONE, dls_sub(p, dls_scale(side + dls_dot(p, in), in)), in);
            }
}

static void fill_dropped(heap *h, dls_collection_member *of)
{
    static const size_t counts[] = {1, 2, 4, 7, 11, 16, 22, 30, 40, 50};
    enum { TRIES = 16 };
    const double side = 6.0, half = 2.5;
    const size_t n = counts[of->k % 10];
    for (; h->n < n; h->n++) {
        grain best = {.centre = {0.0, 0.0, HUGE_VAL}};
        for (size_t try = 0; try < TRIES; try++) {
            const double *turn = turns[dls_draw_below(&of->draws, TURNS)];
            const double x = dls_draw_whole(&of->draws, 16) / 16.0, y = dls_draw_whole(&of->draws, 16) / 16.0;
            grain g = {dls_v3(x * (side - 1.0 - half * fabs(turn[0])), y * (side - 1.0 - half * fabs(turn[1])), 0.0),
                       dls_v3(half * turn[0], half * turn[1], 0.0), 1.0, 1.0};
            g.centre.z = rest_height(h, &g);
            best = g.centre.z < best.centre.z ? g : best;
        }
        h->grain[h->n] = best;
    }
    h->mu = 0.7;
    find_touches(h, 0.75);
    find_walls(h, side, 0.75);
}

/* --- the scene --- */

static void add_grain(dls_maker *m, const grain *g, size_t i, bool moves, uint64_t *draws)
{
    dls_body_def body;
    dls_body_default(&body);
    const double length = 2.0 * dls_norm(g->half);
    snprintf(body.name, sizeof body.name, "body%zu", i);
    body.shape = length > 0.0 ? DLS_SHAPE_CAPSULE : DLS_SHAPE_SPHERE;
    body.radius = g->radius;
    body.mass = g->mass;
    body.position = g->centre;
    if (length > 0.0) {
        body.length = length;
        body.orientation = dls_quat_between(dls_axis3(2), dls_unit(g->half));
    }
    if (moves)
        body.velocity = dls_draw_vector(draws, 8, 0.0625);
    if (m->status == DLS_OK)
        m->status = dls_scene_add_body(m->scene, &body, m->error);
}

static dls_status heap_problem(const heap *h, dls_collection_member *of, dls_collected *made, dls_error *error)
{
    dls_maker maker = dls_make_scene(dls_v3(0.0, 0.0, -9.75), error);
    for (size_t i = 0; i < h->n; i++)
        add_grain(&maker, &h->grain[i], i, of->k % 2 == 1, &of->draws);
    for (size_t k = 0; k < h->touches; k++) {
        const touch *at = &h->touch[k];
        dls_collect_joint(&maker, "contact", k, at->body, at->other);
        dls_make_vector(&maker, "point", at->point);
        dls_make_vector(&maker, "normal", at->normal);
        dls_make_real(&maker, "mu", h->mu);
        dls_make_set(&maker, "friction", "cone");
    }
    return dls_collect_made(&maker, made, error);
}

dls_status dls_collect_heaps(dls_collection_member of, dls_collected *made, dls_error *error)
{
    heap *h = calloc(1, sizeof *h);
    if (!h)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a heap");
    if (of.variant == DLS_HEAPS_PILE)
        fill_pile(h, &of);
    else if (of.variant == DLS_HEAPS_CAPSULES)
        fill_layers(h, &of);
    else
        fill_dropped(h, &of);
    const dls_status status = h->touches < CONTACTS
                                  ? heap_problem(h, &of, made, error)
                                  : dls_fail(error, DLS_BAD_ARGUMENT, "a heap has more than %d contacts", CONTACTS - 1);
    free(h);
    return status;
}
