/* Families of FCLIB, the collection of V. Acary, M. Bremond and O. Huber (github.com/FrictionalContactLibrary/
 * fclib-library, the README.md of each family), generated again. Theirs are steps of simulations in Siconos with
 * Bullet. Mechanisms, masses, coefficients of friction and the ranges of velocities and contacts correspond where
 * stated; motions, and with them the right-hand sides, do not. (Capsules: heaps.c.)
 *
 *     boxes   BoxesStack: 1 to 50 cubes of 2 m and 1 kg on each other, mu = 0.7; 6 to 300 velocities, 4 to 200
 *             contacts. Each is shifted by up to 1/8 m; contacts at the corners of the common rectangle
 *     kaplas  KaplasTower: rings of 12 planks of 11.74 x 0.78267 x 2.348 (the sizes of siconos/Global/Kaplas/mkinput.py
 *             in FrictionalContactLibrary/fclib-scripts) on a circle of radius 23.48, each ring turned by 15 degrees
 *             against the one below, mu = 0.7, 1 kg. The first ring stands with 48 contacts, and 11 rings have 792
 *             velocities, as theirs; a plank crosses two below, with a contact at each corner of the common polygon, of
 *             which corners nearer than 1/4 to another are one: four, as many as Bullet keeps. Cosines of multiples of
 *             15 degrees are square roots
 *     chain   Chain: 8 to 10 links of 1 kg that hang from a fixed one, mu = 0.3, the last at 0.05 m/s; 48 to 60
 *             velocities, 8 to 28 contacts. Theirs are meshes; here bars of 13.7 m whose bends touch in 1 to 3 points,
 *             with normals spread by rational angles
 *     chute   Chute: polyhedra with 8 vertices of about 0.1 m and 2500 kg/m^3, mu = 1. Theirs flow into a hopper; here
 *             they are at places of a packing, and touch neighbours in drawn points near the middle between them, with
 *             drawn normals; 46 to 256 bodies, and from 74 contacts on, as theirs
 *     local   Chute_local_problems: one such body on a wall with its lowest vertex, 6 velocities, mu = 1
 *
 * POLYHEDRA. A vertex in each octant, by drawn fractions of the half edges, and two triangles for each side of a cube.
 * With the tetrahedra from the origin over the triangles (a, b, c), and d = a . (b x c), the volume is sum d / 6, the
 * first moments sum d (a + b + c) / 24, the second ones sum d (s s^T + a a^T + b b^T + c c^T) / 120, s = a + b + c. */
#include "collection/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void add_contact(dls_maker *m, size_t k, size_t body, size_t other, dls_vec3 point, dls_vec3 normal, double mu)
{
    dls_collect_joint(m, "contact", k, body, other);
    dls_make_vector(m, "point", point);
    dls_make_vector(m, "normal", normal);
    dls_make_real(m, "mu", mu);
    dls_make_set(m, "friction", "cone");
}

/* Adds a body of this shape and pose, which moves if `moves`. */
static void add_body(dls_maker *m, size_t i, dls_vec3 size, double mass, dls_vec3 at, dls_quat turned, bool moves,
                     uint64_t *draws)
{
    dls_collect_body(m, i, mass, at, draws);
    if (m->status != DLS_OK)
        return;
    dls_body_def *body = &m->scene->bodies[i];
    body->size = size, body->orientation = turned;
    if (!moves)
        body->velocity = body->omega = dls_v3(0.0, 0.0, 0.0);
}

/* --- boxes --- */

static dls_status make_boxes(dls_collection_member of, dls_collected *made, dls_error *error)
{
    static const size_t counts[] = {1, 2, 3, 5, 8, 12, 18, 25, 35, 50};
    const size_t n = counts[of.k % 10];
    dls_vec3 at = dls_v3(0.0, 0.0, -1.0);
    dls_maker m = dls_make_scene(dls_v3(0.0, 0.0, -9.81), error);
    for (size_t i = 0; i < n; i++) {
        const dls_vec3 below = at;
        const double shift_y = dls_draw_whole(&of.draws, 8) / 64.0, shift_x = dls_draw_whole(&of.draws, 8) / 64.0;
        at = dls_v3(shift_x, shift_y, at.z + 2.0);
        add_body(&m, i, dls_v3(2.0, 2.0, 2.0), 1.0, at, dls_quat_identity(), of.k >= 10, &of.draws);
        for (size_t c = 0; c < 4; c++) {
            const double x = c & 1 ? 1.0 : -1.0, y = c & 2 ? 1.0 : -1.0;
            const double other_x = i > 0 ? below.x + x : at.x + x, other_y = i > 0 ? below.y + y : at.y + y;
            add_contact(&m, 4 * i + c, i, i > 0 ? i - 1 : DLS_NONE,
                        dls_v3(c & 1 ? fmin(at.x + x, other_x) : fmax(at.x + x, other_x),
                               c & 2 ? fmin(at.y + y, other_y) : fmax(at.y + y, other_y), at.z - 1.0),
                        dls_axis3(2), 0.7);
        }
    }
    return dls_collect_made(&m, made, error);
}

/* --- kaplas --- */

enum { PLANKS = 12, CLIPPED = 12 };
static const double plank_radius = 23.48, plank_length = 11.74, plank_height = 2.348, plank_thickness = 0.78267;

/* The cosine of `quarters` times 15 degrees. */
static double cosine_of(size_t quarters)
{
    const double root2 = sqrt(2.0), root3 = sqrt(3.0), root6 = sqrt(6.0);
    const double cosines[] = {1.0, (root6 + root2) / 4.0, root3 / 2.0, root2 / 2.0, 0.5, (root6 - root2) / 4.0, 0.0};
    const size_t turn = quarters % 24, half = turn > 12 ? 24 - turn : turn;
    return half > 6 ? -cosines[12 - half] : cosines[half];
}

static double sine_of(size_t quarters) { return cosine_of(quarters + 18); }

/* Corners of the plank at `quarters` times 15 degrees, counterclockwise, in the plane. */
static void plank_corners(size_t quarters, double corner[4][2])
{
    static const double sides[4][2] = {{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}};
    const double c = cosine_of(quarters), s = sine_of(quarters);
    for (size_t k = 0; k < 4; k++) {
        const double out = plank_radius + 0.5 * plank_thickness * sides[k][0], along = 0.5 * plank_length * sides[k][1];
        corner[k][0] = c * out - s * along, corner[k][1] = s * out + c * along;
    }
}

/* The part of a polygon on the left of the line from a to b (I. Sutherland, G. Hodgman, 1974). */
static size_t clip(double polygon[CLIPPED][2], size_t n, const double a[2], const double b[2])
{
    double kept[CLIPPED][2];
    size_t count = 0;
    for (size_t k = 0; k < n; k++) {
        const double *p = polygon[k], *q = polygon[(k + 1) % n];
        const double left_p = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
        const double left_q = (b[0] - a[0]) * (q[1] - a[1]) - (b[1] - a[1]) * (q[0] - a[0]);
        const double t = left_p / (left_p - left_q);
        if (left_p >= 0.0)
            kept[count][0] = p[0], kept[count++][1] = p[1];
        if ((left_p > 0.0 && left_q < 0.0) || (left_p < 0.0 && left_q > 0.0))
            kept[count][0] = p[0] + t * (q[0] - p[0]), kept[count][1] = p[1] + t * (q[1] - p[1]), count++;
    }
    for (size_t k = 0; k < count; k++)
        polygon[k][0] = kept[k][0], polygon[k][1] = kept[k][1];
    return count;
}

/* The distance of a corner to the one before is more than 1/4. */
static bool is_apart(double polygon[CLIPPED][2], size_t n, size_t k)
{
    const double *before = polygon[(k + n - 1) % n], x = polygon[k][0] - before[0], y = polygon[k][1] - before[1];
    return x * x + y * y > 0.0625;
}

static size_t common_polygon(size_t above, size_t below, double polygon[CLIPPED][2])
{
    double other[4][2];
    size_t n = 4;
    plank_corners(above, polygon);
    plank_corners(below, other);
    for (size_t k = 0; k < 4 && n > 0; k++)
        n = clip(polygon, n, other[k], other[(k + 1) % 4]);
    return n;
}

/* Contacts of plank i of a ring with the ground, or with two planks below. */
static void stand_plank(dls_maker *m, size_t ring, size_t i, size_t *contacts)
{
    const size_t at = 2 * i + ring % 2;
    double polygon[CLIPPED][2];
    for (size_t k = 0; k < (ring > 0 ? 2 : 1); k++) {
        const size_t below = ring % 2 ? (i + k) % PLANKS : (i + PLANKS - 1 + k) % PLANKS;
        const size_t n = ring > 0 ? common_polygon(at, 2 * below + (ring - 1) % 2, polygon) : 4;
        if (ring == 0)
            plank_corners(at, polygon);
        for (size_t c = 0; c < n; c++)
            if (is_apart(polygon, n, c))
                add_contact(m, (*contacts)++, PLANKS * ring + i, ring > 0 ? PLANKS * (ring - 1) + below : DLS_NONE,
                            dls_v3(polygon[c][0], polygon[c][1], plank_height * (double)ring), dls_axis3(2), 0.7);
    }
}

static dls_status make_kaplas(dls_collection_member of, dls_collected *made, dls_error *error)
{
    const size_t rings = 1 + of.k % 11;
    size_t contacts = 0;
    dls_maker m = dls_make_scene(dls_v3(0.0, 0.0, -9.81), error);
    for (size_t ring = 0; ring < rings; ring++)
        for (size_t i = 0; i < PLANKS; i++) {
            const double c = cosine_of(2 * i + ring % 2), s = sine_of(2 * i + ring % 2);
            const dls_mat3 turned = {{c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0}};
            add_body(&m, PLANKS * ring + i, dls_v3(plank_thickness, plank_length, plank_height), 1.0,
                     dls_v3(c * plank_radius, s * plank_radius, plank_height * (0.5 + (double)ring)),
                     dls_matrix_quat(turned), of.k >= 11, &of.draws);
        }
    for (size_t ring = 0; ring < rings; ring++)
        for (size_t i = 0; i < PLANKS; i++)
            stand_plank(&m, ring, i, &contacts);
    return dls_collect_made(&m, made, error);
}

/* --- chain --- */

static dls_status make_chain(dls_collection_member of, dls_collected *made, dls_error *error)
{
    static const double spread[][2] = {{0.0, 1.0}, {5.0 / 13.0, 12.0 / 13.0}, {-5.0 / 13.0, 12.0 / 13.0}};
    const size_t links = 8 + of.k % 3;
    const double length = 13.7, thickness = 0.5;
    size_t contacts = 0;
    dls_maker m = dls_make_scene(dls_v3(0.0, 0.0, -9.81), error);
    for (size_t i = 0; i < links; i++) {
        add_body(&m, i, dls_v3(i % 2 ? 1.0 : 7.6, i % 2 ? 7.6 : 1.0, length), 1.0,
                 dls_v3(0.0, 0.0, -(length - thickness) * ((double)i + 0.5)), dls_quat_identity(), false, &of.draws);
        if (m.status == DLS_OK && i + 1 == links)
            m.scene->bodies[i].velocity = dls_v3(0.03, 0.04, 0.0);
    }
    for (size_t i = 0; i < links; i++) {
        /* The bends of neighbours touch below and above each other; link i hangs on the one above. */
        const size_t points = 1 + dls_draw_below(&of.draws, of.k < 3 ? 1 : 3);
        for (size_t c = 0; c < points && contacts < 28; c++) {
            const double aside = spread[c][0], up = spread[c][1];
            const dls_vec3 normal = i % 2 ? dls_v3(aside, 0.0, up) : dls_v3(0.0, aside, up);
            const dls_vec3 at = dls_v3(0.0, 0.0, -(length - thickness) * (double)i);
            add_contact(&m, contacts++, i, i > 0 ? i - 1 : DLS_NONE, dls_add(at, dls_scale(-thickness, normal)), normal,
                        0.3);
        }
    }
    return dls_collect_made(&m, made, error);
}

/* --- polyhedra --- */

typedef struct polyhedron {
    dls_vec3 vertex[8]; /* about the centre of mass */
    double mass;
    double second[3][3]; /* integral of x x^T, times the density */
} polyhedron;

static void draw_polyhedron(polyhedron *p, double edge, uint64_t *draws)
{
    for (size_t v = 0; v < 8; v++)
        for (int axis = 0; axis < 3; axis++) {
            const double size = 0.5 * edge * (double)(8 + dls_draw_below(draws, 9)) / 16.0;
            *(axis == 0   ? &p->vertex[v].x
              : axis == 1 ? &p->vertex[v].y
                          : &p->vertex[v].z) = v >> axis & 1 ? size : -size;
        }
}

static void measure_polyhedron(polyhedron *p, double density)
{
    static const unsigned char sides[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                              {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    double volume = 0.0;
    dls_vec3 first = dls_v3(0.0, 0.0, 0.0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            p->second[i][j] = 0.0;
    for (size_t t = 0; t < 12; t++) {
        const unsigned char *side = sides[t / 2];
        const dls_vec3 a = p->vertex[side[0]], b = p->vertex[side[1 + t % 2]], c = p->vertex[side[2 + t % 2]];
        const dls_vec3 corner[4] = {dls_add(a, dls_add(b, c)), a, b, c};
        const double d = dls_dot(a, dls_cross(b, c));
        volume += d / 6.0, first = dls_add(first, dls_scale(d / 24.0, corner[0]));
        for (size_t k = 0; k < 4; k++)
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    p->second[i][j] += d / 120.0 * dls_get3(corner[k], i) * dls_get3(corner[k], j);
    }
    const dls_vec3 centre = dls_scale(1.0 / volume, first);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            p->second[i][j] = density * (p->second[i][j] - volume * dls_get3(centre, i) * dls_get3(centre, j));
    for (size_t v = 0; v < 8; v++)
        p->vertex[v] = dls_sub(p->vertex[v], centre);
    p->mass = density * volume;
}

static void add_polyhedron(dls_maker *m, size_t i, dls_vec3 at, polyhedron *p, uint64_t *draws)
{
    draw_polyhedron(p, (double)(12 + dls_draw_below(draws, 9)) / 160.0, draws);
    measure_polyhedron(p, 2500.0);
    dls_collect_body(m, i, p->mass, at, draws);
    if (m->status != DLS_OK)
        return;
    dls_body_def *body = &m->scene->bodies[i];
    body->inertia =
        dls_v3(p->second[1][1] + p->second[2][2], p->second[0][0] + p->second[2][2], p->second[0][0] + p->second[1][1]);
    body->inertia_off = dls_v3(-p->second[0][1], -p->second[0][2], -p->second[1][2]);
}

/* A drawn direction near n. */
static dls_vec3 draw_normal(dls_vec3 n, uint64_t *draws)
{
    const double x = dls_draw_whole(draws, 8), y = dls_draw_whole(draws, 8), z = dls_draw_whole(draws, 8);
    return dls_add(dls_scale(16.0, n), dls_v3(x, y, z));
}

static dls_status make_local(dls_collection_member of, dls_collected *made, dls_error *error)
{
    static const dls_vec3 walls[] = {
        {0.0, 0.0, 1.0}, {0.6, 0.0, 0.8}, {0.0, -0.6, 0.8}, {0.36, 0.48, 0.8}, {0.8, 0.0, 0.6}};
    const dls_vec3 normal = walls[of.k % 5];
    polyhedron p;
    size_t lowest = 0;
    dls_maker m = dls_make_scene(dls_v3(0.0, 0.0, -9.81), error);
    add_polyhedron(&m, 0, dls_v3(0.0, 0.0, 0.0), &p, &of.draws);
    for (size_t v = 1; v < 8; v++)
        lowest = dls_dot(p.vertex[v], normal) < dls_dot(p.vertex[lowest], normal) ? v : lowest;
    add_contact(&m, 0, 0, DLS_NONE, p.vertex[lowest], normal, 1.0);
    return dls_collect_made(&m, made, error);
}

/* Places of {0, .., side - 1}^3 with an even sum of coordinates, 0.1 m apart along the diagonals of its faces. */
static size_t fill_places(size_t bodies, size_t side, dls_vec3 *place)
{
    size_t count = 0;
    for (size_t k = 0; k < side * side * side && count < bodies; k++)
        if ((k % side + k / side % side + k / side / side) % 2 == 0)
            place[count++] =
                dls_scale(0.0625, dls_v3((double)(k % side), (double)(k / side % side), (double)(k / side / side)));
    return count;
}

static dls_status make_chute(dls_collection_member of, dls_collected *made, dls_error *error)
{
    static const size_t counts[] = {46, 64, 92, 128, 184, 256};
    const size_t n = counts[of.k % 6], side = 8;
    const size_t most = of.k < 6 ? n * 74 / 46 : n * 5 / 2; /* theirs have 74 contacts of 46 bodies, 5056 of 918 */
    dls_vec3 *place = calloc(n, sizeof *place);
    if (!place)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu polyhedra", n);
    fill_places(n, side, place);
    dls_maker m = dls_make_scene(dls_v3(0.0, 0.0, -9.81), error);
    for (size_t i = 0; i < n; i++) {
        polyhedron p;
        add_polyhedron(&m, i, place[i], &p, &of.draws);
    }
    size_t contacts = 0;
    for (size_t i = 0; i < n; i++) {
        if (place[i].z == 0.0 && contacts < most)
            add_contact(&m, contacts++, i, DLS_NONE, dls_v3(place[i].x, place[i].y, -0.046875),
                        draw_normal(dls_axis3(2), &of.draws), 1.0);
        for (size_t j = 0; j < i; j++) {
            const dls_vec3 apart = dls_scale(16.0, dls_sub(place[i], place[j]));
            if (dls_dot(apart, apart) != 2.0 || dls_draw_below(&of.draws, 2) || contacts >= most)
                continue;
            const dls_vec3 aside = dls_draw_vector(&of.draws, 8, 0x1p-10);
            add_contact(&m, contacts++, i, j, dls_add(aside, dls_scale(0.5, dls_add(place[i], place[j]))),
                        draw_normal(apart, &of.draws), 1.0);
        }
    }
    free(place);
    return dls_collect_made(&m, made, error);
}

dls_status dls_collect_fclib(dls_collection_member of, dls_collected *made, dls_error *error)
{
    switch (of.variant) {
    case DLS_FCLIB_BOXES:
        return make_boxes(of, made, error);
    case DLS_FCLIB_KAPLAS:
        return make_kaplas(of, made, error);
    case DLS_FCLIB_CHAIN:
        return make_chain(of, made, error);
    case DLS_FCLIB_CHUTE:
        return make_chute(of, made, error);
    default:
        return make_local(of, made, error);
    }
}
