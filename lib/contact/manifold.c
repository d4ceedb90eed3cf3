/* Contact points of two convex solids.
 *
 * With the normal n of their gap (convex.h), each solid turns a feature to the other one: a face, a segment (an edge of
 * a box, the axis of a capsule, the side of a cylinder), or a point, according to whether n is across it within 5
 * degrees. Seen along n, two features overlap in a convex region. The points of contact are the corners of this region:
 * a vertex or a point of a rim over the other feature, or the crossing of two edges. There
 *     a, b on the two features with a - b = gap n,
 * and the gap is linear in between, so that the corners have all that the region can do. Faces and edges are those of
 * the solids themselves. A rim has eight points that are fixed to the body, its lowest one, and its crossings.
 *
 * The balls of spheres and capsules are added along n. Along two round sides that are not quite parallel the normal
 * turns; each end has its own, from the point of one axis that is nearest to it on the other.
 *
 * A point is named by the vertex, edge or face of each solid that it is of, so that it keeps its name while it slides.
 */
#include "manifold.h"

#include <math.h>

static const double flat = 0.0871557427476582; /* sin 5 degrees */

enum {
    RIM_POINTS = 8,
    VERTICES = DLS_HULL_CORNERS, /* of a feature */
    CORNERS = 4 * VERTICES       /* of a region: vertices and crossings */
};

/* Names. */
enum { VERTEX = 0, EDGE = 8, FACE = 20, RIM_POINT = 32, LOWEST = RIM_POINTS, CROSSING = 64, NAMES = 512 };

typedef enum kind { POINT, SEGMENT, POLYGON, CAP, GROUND } kind;

typedef struct feature {
    const dls_convex *of;
    kind kind;
    int count;
    dls_vec3 at[VERTICES];                   /* of the core; of a cap, points of its rim */
    unsigned name[VERTICES], edge[VERTICES]; /* edge i is from vertex i to the next */
    dls_vec3 middle, normal;                 /* of a face */
    const dls_hull_face *side;               /* of a mesh: the face; else NULL */
    dls_vec3 slope;                          /* of a face: n / (n . normal) */
    double x[VERTICES], y[VERTICES];         /* of the vertices, seen along n */
    unsigned whole;                          /* the name of points that are not near a vertex or an edge */
    dls_vec3 to_axis;                        /* from the side of a cylinder */
} feature;

typedef struct region {
    const dls_convex *const *solid;
    dls_vec3 n, u, v;        /* u, v: across n */
    double limit, tiny, gap; /* gap: of the solids, along n */
    int count;
    dls_contact_point at[CORNERS];
} region;

/* --- features --- */

static unsigned face_name(int axis, bool positive) { return FACE + 2 * (unsigned)axis + positive; }

static void put_vertex(feature *f, dls_vec3 at, unsigned name, unsigned edge)
{
    f->name[f->count] = name;
    f->edge[f->count] = edge;
    f->at[f->count++] = at;
}

static dls_vec3 box_vertex(const dls_convex *c, unsigned bits)
{
    dls_vec3 p = c->centre;
    for (int k = 0; k < 3; k++)
        p = dls_add(p, dls_scale(bits >> k & 1 ? c->half[k] : -c->half[k], c->axis[k]));
    return p;
}

static unsigned box_edge(unsigned bits, int axis)
{
    const unsigned one = bits >> (axis + 1) % 3 & 1, other = bits >> (axis + 2) % 3 & 1;
    return EDGE + 4 * (unsigned)axis + 2 * other + one;
}

/* g: components of the outward direction along the axes. */
static void box_feature(feature *f, const double *g, bool whole_face)
{
    int high = 0, low = 0;
    unsigned bits = 0;
    for (int k = 0; k < 3; k++) {
        high = fabs(g[k]) > fabs(g[high]) ? k : high;
        low = fabs(g[k]) < fabs(g[low]) ? k : low;
        bits |= (unsigned)(g[k] > 0.0) << k;
    }
    if (whole_face || g[high] * g[high] > 1.0 - flat * flat) {
        const int i = (high + 1) % 3, j = (high + 2) % 3;
        const double side = g[high] > 0.0 ? 1.0 : -1.0;
        const dls_vec3 x = dls_scale(f->of->half[i], f->of->axis[i]), y = dls_scale(f->of->half[j], f->of->axis[j]);
        unsigned corner = bits & 1u << high;
        f->kind = POLYGON;
        f->normal = dls_scale(side, f->of->axis[high]);
        f->middle = dls_add(f->of->centre, dls_scale(f->of->half[high], f->normal));
        f->whole = face_name(high, side > 0.0);
        for (int k = 0; k < 4; k++) { /* - -, + -, + +, - + */
            const dls_vec3 arm = k == 0 || k == 3 ? dls_neg(x) : x;
            put_vertex(f, dls_add(f->middle, k < 2 ? dls_sub(arm, y) : dls_add(arm, y)), VERTEX + corner,
                       box_edge(corner, k % 2 ? j : i));
            corner ^= 1u << (k % 2 ? j : i);
        }
    } else if (fabs(g[low]) < flat) {
        f->kind = SEGMENT;
        f->whole = box_edge(bits, low);
        put_vertex(f, box_vertex(f->of, bits & ~(1u << low)), VERTEX + (bits & ~(1u << low)), f->whole);
        put_vertex(f, box_vertex(f->of, bits | 1u << low), VERTEX + (bits | 1u << low), f->whole);
    } else {
        put_vertex(f, box_vertex(f->of, bits), VERTEX + bits, 0);
    }
}

static void capsule_feature(feature *f, const double *g, bool whole_side)
{
    const dls_vec3 half = dls_scale(f->of->half[2], f->of->axis[2]);
    const bool side = whole_side || fabs(g[2]) < flat;
    f->kind = side ? SEGMENT : POINT;
    f->whole = EDGE;
    if (side || g[2] <= 0.0)
        put_vertex(f, dls_sub(f->of->centre, half), VERTEX, EDGE);
    if (side || g[2] > 0.0)
        put_vertex(f, dls_add(f->of->centre, half), VERTEX + 1, EDGE);
}

static unsigned rim_name(bool top, unsigned i) { return (top ? RIM_POINT + 16u : RIM_POINT) + i; }

static void cylinder_feature(feature *f, const double *g, bool ground)
{
    const dls_convex *c = f->of;
    const double across = hypot(g[0], g[1]);
    const dls_vec3 half = dls_scale(c->half[2], c->axis[2]), x = dls_scale(c->disc, c->axis[0]),
                   y = dls_scale(c->disc, c->axis[1]);
    const dls_vec3 lowest = across > 0.0 ? dls_add(dls_scale(g[0] / across, x), dls_scale(g[1] / across, y)) : x;
    const bool top = g[2] > 0.0;
    if (ground ? fabs(g[2]) > across : across < flat) {
        f->kind = CAP;
        f->normal = dls_scale(top ? 1.0 : -1.0, c->axis[2]);
        f->middle = dls_add(c->centre, dls_scale(c->half[2], f->normal));
        f->whole = face_name(2, top);
        for (unsigned i = 0; i < RIM_POINTS; i++) {
            const double angle = 2.0 * DLS_PI * i / RIM_POINTS;
            const dls_vec3 arm = dls_add(dls_scale(cos(angle), x), dls_scale(sin(angle), y));
            put_vertex(f, dls_add(f->middle, arm), rim_name(top, i), 0);
        }
        if (across > 1e-9)
            put_vertex(f, dls_add(f->middle, lowest), rim_name(top, LOWEST), 0);
        return;
    }
    const bool side = ground || fabs(g[2]) < flat;
    f->kind = side ? SEGMENT : POINT;
    f->whole = EDGE;
    f->to_axis = dls_neg(lowest);
    if (side || !top)
        put_vertex(f, dls_add(dls_sub(c->centre, half), lowest), rim_name(false, LOWEST), EDGE);
    if (side || top)
        put_vertex(f, dls_add(dls_add(c->centre, half), lowest), rim_name(true, LOWEST), EDGE);
}

/* A mesh: its vertices, edges and faces are named in this order. */
static unsigned side_name(const dls_hull *h, unsigned face) { return (unsigned)(h->n_vertices + h->n_edges) + face; }

static void put_mesh_vertex(feature *f, unsigned vertex, unsigned edge)
{
    put_vertex(f, dls_add(f->of->centre, dls_convex_turned(f->of, f->of->hull->vertex[vertex])), vertex, edge);
}

static void side_feature(feature *f, unsigned face)
{
    const dls_hull *h = f->of->hull;
    const dls_hull_face *side = f->side = &h->face[face];
    f->kind = POLYGON;
    f->whole = side_name(h, face);
    f->normal = dls_convex_turned(f->of, side->normal);
    for (size_t k = 0; k < side->corners; k++)
        put_mesh_vertex(f, side->vertex[k],
                        side->edge[k] == DLS_HULL_NO_EDGE ? f->whole : (unsigned)h->n_vertices + side->edge[k]);
    f->middle = f->at[0];
}

/* g: the outward direction in the axes of the mesh. Among the faces and edges at the vertex that is farthest out. */
static void mesh_feature(feature *f, dls_vec3 g, bool whole_face)
{
    const dls_hull *h = f->of->hull;
    const unsigned at = dls_convex_vertex(h, g);
    unsigned face = 0, edge = 0;
    double most = -2.0, least = 2.0;
    for (unsigned k = h->first[at]; k < h->first[at + 1]; k++) {
        const unsigned e = h->edge_of[k], *ends = h->edge[e].vertex, *sides = h->edge[e].triangle;
        const double slant = fabs(dls_dot(g, dls_unit(dls_sub(h->vertex[ends[1]], h->vertex[ends[0]]))));
        for (int i = 0; i < 2; i++) {
            const double facing = dls_dot(g, h->face[h->triangle[sides[i]].face].normal);
            if (facing > most)
                most = facing, face = h->triangle[sides[i]].face;
        }
        if (h->triangle[sides[0]].face != h->triangle[sides[1]].face && slant < least)
            least = slant, edge = e;
    }
    if (whole_face || most * fabs(most) > 1.0 - flat * flat) {
        side_feature(f, face);
    } else if (least < flat) {
        f->kind = SEGMENT;
        f->whole = (unsigned)h->n_vertices + edge;
        put_mesh_vertex(f, h->edge[edge].vertex[0], f->whole);
        put_mesh_vertex(f, h->edge[edge].vertex[1], f->whole);
    } else {
        put_mesh_vertex(f, at, 0);
    }
}

unsigned dls_manifold_names(const dls_convex *c)
{
    const unsigned own = c->hull      ? side_name(c->hull, (unsigned)c->hull->n_faces)
                         : c->terrain ? (unsigned)c->terrain->n_items
                                      : 0;
    return own > NAMES ? own : NAMES;
}

static bool is_face(const feature *f) { return f->kind == POLYGON || f->kind == CAP || f->kind == GROUND; }

/* ground: the other solid is a plane, for which every vertex of a face counts, however it is inclined. */
static void set_feature(feature *f, const dls_convex *c, dls_vec3 outward, bool ground)
{
    const double g[3] = {dls_dot(outward, c->axis[0]), dls_dot(outward, c->axis[1]), dls_dot(outward, c->axis[2])};
    f->of = c, f->kind = POINT, f->count = 0, f->slope = outward;
    f->middle = c->centre, f->normal = c->axis[2];
    f->to_axis = dls_v3(0, 0, 0);
    f->side = NULL;
    if (c->hull)
        mesh_feature(f, dls_v3(g[0], g[1], g[2]), ground);
    else if (c->shape == DLS_SHAPE_BOX)
        box_feature(f, g, ground);
    else if (c->shape == DLS_SHAPE_CAPSULE)
        capsule_feature(f, g, ground);
    else if (c->shape == DLS_SHAPE_CYLINDER)
        cylinder_feature(f, g, ground);
    else if (c->shape == DLS_SHAPE_PLANE)
        f->kind = GROUND, f->whole = FACE;
    else if (c->shape == DLS_SHAPE_ELLIPSOID)
        put_vertex(f, dls_add(c->centre, dls_convex_reach(c, outward)), VERTEX, 0), f->whole = VERTEX;
    else
        put_vertex(f, c->centre, VERTEX, 0), f->whole = VERTEX;
    if (is_face(f) && !f->side)
        f->slope = dls_scale(1.0 / dls_dot(outward, f->normal), outward);
}

static int count_edges(const feature *f) { return f->kind == SEGMENT ? 1 : f->kind == POLYGON ? f->count : 0; }

/* --- corners --- */

static double square_distance(const dls_vec3 *a, const dls_vec3 *b)
{
    const double x = a->x - b->x, y = a->y - b->y, z = a->z - b->z;
    return x * x + y * y + z * z;
}

/* a, b: a point of each solid. Of two in one place the nearer one stays. No points are deeper than the solids along the
 * normal of their gap, n.(a - b) >= gap, but they may be along another one, which then is not theirs. */
static inline void keep_corner(region *r, dls_vec3 a, dls_vec3 b, dls_vec3 n, unsigned name_a, unsigned name_b)
{
    double gap = dls_dot(n, dls_sub(a, b));
    if (gap < r->gap - r->tiny) {
        n = r->n;
        gap = dls_dot(n, dls_sub(a, b));
    }
    int at = 0;
    if (!(gap <= r->limit) || r->count == CORNERS)
        return;
    while (at < r->count && square_distance(&r->at[at].point[0], &a) > 1e6 * r->tiny * r->tiny)
        at++;
    if (at < r->count && gap >= r->at[at].gap - r->tiny)
        return;
    r->count += at == r->count;
    r->at[at] = (dls_contact_point){{a, b}, n, gap, {name_a, name_b}};
}

/* a, b: of the cores, one along n from the other. */
static inline void keep_cores(region *r, dls_vec3 a, dls_vec3 b, unsigned name_a, unsigned name_b)
{
    keep_corner(r, dls_sub(a, dls_scale(r->solid[0]->ball, r->n)), dls_add(b, dls_scale(r->solid[1]->ball, r->n)), r->n,
                name_a, name_b);
}

/* Down to the lowest of the planes of a mesh's face, which are one up to the rounding of its file. `slope`: outward. */
static dls_vec3 onto_side(const feature *face, dls_vec3 x)
{
    const dls_hull *h = face->of->hull;
    const dls_vec3 p = dls_convex_local(face->of, dls_sub(x, face->of->centre));
    const dls_vec3 out = dls_convex_local(face->of, face->slope);
    double by = HUGE_VAL;
    for (size_t k = 0; k < face->side->triangles; k++) {
        const unsigned t = face->side->triangle[k];
        const double rate = dls_dot(h->triangle[t].normal, out);
        by = rate > 0.0 ? fmin(by, (h->triangle[t].height - dls_dot(h->triangle[t].normal, p)) / rate) : by;
    }
    return by < HUGE_VAL ? dls_add(x, dls_scale(by, face->slope)) : x;
}

/* `x` moved along n into the plane of a face. */
static inline dls_vec3 onto_face(const feature *face, dls_vec3 x)
{
    if (face->side)
        return onto_side(face, x);
    return dls_sub(x, dls_scale(dls_dot(dls_sub(x, face->middle), face->normal), face->slope));
}

static int next_vertex(const feature *f, int i) { return i + 1 < f->count ? i + 1 : 0; }

static dls_vec3 edge_vector(const feature *f, int i) { return dls_sub(f->at[next_vertex(f, i)], f->at[i]); }

/* The vertices of a feature seen along n. */
static void view_vertices(const region *r, feature *f, dls_vec3 origin)
{
    for (int i = 0; i < f->count; i++) {
        const dls_vec3 d = dls_sub(f->at[i], origin);
        f->x[i] = dls_dot(d, r->u), f->y[i] = dls_dot(d, r->v);
    }
}

/* How far each vertex of `one` is inside each edge of `other`, seen along n, times the length of the edge: row by row,
 * as many columns as edges. */
typedef double inside[VERTICES * VERTICES];

static double twice_area(const feature *f)
{
    double area = 0.0;
    for (int i = 1; i + 1 < f->count; i++)
        area += (f->x[i] - f->x[0]) * (f->y[i + 1] - f->y[0]) - (f->y[i] - f->y[0]) * (f->x[i + 1] - f->x[0]);
    return area;
}

static void measure_insides(const region *r, const feature *one, const feature *other, inside in, double *tiny)
{
    const double *x = other->x, *y = other->y;
    const int n_edges = count_edges(other);
    const double area = n_edges > 1 ? twice_area(other) : 1.0;
    for (int j = 0; j < n_edges; j++) {
        const int next = next_vertex(other, j);
        const double ex = area < 0.0 ? x[j] - x[next] : x[next] - x[j];
        const double ey = area < 0.0 ? y[j] - y[next] : y[next] - y[j];
        tiny[j] = r->tiny * (fabs(ex) + fabs(ey));
        for (int k = 0; k < one->count; k++)
            in[k * n_edges + j] = ex * (one->y[k] - y[j]) - ey * (one->x[k] - x[j]);
    }
}

static bool covers_point(const region *r, const feature *f, const double *in, const double *tiny, dls_vec3 x)
{
    if (f->kind == CAP) {
        const dls_vec3 arm = dls_sub(onto_face(f, x), f->middle);
        const double reach = f->of->disc + r->tiny;
        return dls_dot(arm, arm) <= reach * reach;
    }
    for (int j = 0; j < count_edges(f); j++)
        if (in[j] < -tiny[j])
            return false;
    return is_face(f);
}

static void keep_vertices(region *r, const feature *one, const feature *other, inside in, const double *tiny,
                          bool one_is_first)
{
    for (int i = 0; i < one->count; i++)
        if (covers_point(r, other, in + i * count_edges(other), tiny, one->at[i])) {
            const dls_vec3 below = onto_face(other, one->at[i]);
            if (one_is_first)
                keep_cores(r, one->at[i], below, one->name[i], other->whole);
            else
                keep_cores(r, below, one->at[i], other->whole, one->name[i]);
        }
}

/* a_in: of the vertices of a, within the edges of b. */
static void keep_crossings(region *r, const feature *a, const feature *b, inside a_in, inside b_in)
{
    const int of_a = count_edges(a), of_b = count_edges(b);
    for (int j = 0; j < of_b; j++)
        for (int i = 0; i < of_a; i++) {
            const double a0 = a_in[i * of_b + j], a1 = a_in[next_vertex(a, i) * of_b + j];
            if (!(a0 * a1 < 0.0))
                continue;
            const double b0 = b_in[j * of_a + i], b1 = b_in[next_vertex(b, j) * of_a + i];
            if (b0 * b1 < 0.0)
                keep_cores(r, dls_add(a->at[i], dls_scale(a0 / (a0 - a1), edge_vector(a, i))),
                           dls_add(b->at[j], dls_scale(b0 / (b0 - b1), edge_vector(b, j))), a->edge[i], b->edge[j]);
        }
}

static unsigned crossing_name(const feature *cap, bool second) { return CROSSING + 2 * (cap->whole - FACE) + second; }

/* The edges of `other` over the rim of `cap`. */
static void keep_rim_crossings(region *r, const feature *cap, const feature *other, bool cap_is_first)
{
    for (int i = 0; i < count_edges(other); i++) {
        const dls_vec3 p = dls_sub(onto_face(cap, other->at[i]), cap->middle);
        const dls_vec3 q = dls_sub(onto_face(cap, other->at[next_vertex(other, i)]), cap->middle);
        const dls_vec3 u = dls_sub(q, p);
        const double uu = dls_dot(u, u), pu = dls_dot(p, u), radius = cap->of->disc;
        const double root = pu * pu - uu * (dls_dot(p, p) - radius * radius);
        for (int second = 0; second < 2 && root > 0.0; second++) {
            const double t = (-pu + (second ? 1.0 : -1.0) * sqrt(root)) / uu;
            if (!(t >= 0.0 && t <= 1.0))
                continue;
            const dls_vec3 on_cap = dls_add(cap->middle, dls_add(p, dls_scale(t, u)));
            const dls_vec3 on_edge = dls_add(other->at[i], dls_scale(t, edge_vector(other, i)));
            if (cap_is_first)
                keep_cores(r, on_cap, on_edge, crossing_name(cap, second), other->edge[i]);
            else
                keep_cores(r, on_edge, on_cap, other->edge[i], crossing_name(cap, second));
        }
    }
}

/* Where two rims cross: of circles at first, then by Newton's method along the rim of a. */
static void keep_rims_crossing(region *r, const feature *a, const feature *b)
{
    const dls_vec3 x = a->of->axis[0], y = a->of->axis[1], to = dls_sub(onto_face(a, b->middle), a->middle);
    const double R = a->of->disc, S = b->of->disc, far = dls_norm(to);
    const double cosine = (far * far + R * R - S * S) / (2.0 * far * R);
    if (!(far > 0.0 && fabs(cosine) <= 1.0))
        return;
    for (int second = 0; second < 2; second++) {
        double angle = atan2(dls_dot(to, y), dls_dot(to, x)) + (second ? 1.0 : -1.0) * acos(cosine), miss = 1.0;
        dls_vec3 on_a = a->middle, on_b = b->middle;
        for (int step = 0; step < 10 && fabs(miss) > 1e-15; step++) {
            const double c = cos(angle), s = sin(angle);
            on_a = dls_add(a->middle, dls_scale(R, dls_add(dls_scale(c, x), dls_scale(s, y))));
            on_b = onto_face(b, on_a);
            const dls_vec3 d = dls_sub(on_b, b->middle), along = dls_sub(dls_scale(c, y), dls_scale(s, x));
            const dls_vec3 speed = onto_face(b, dls_add(b->middle, along));
            const double rate = 2.0 * R * dls_dot(d, dls_sub(speed, b->middle)) / (S * S);
            miss = dls_dot(d, d) / (S * S) - 1.0;
            angle -= fabs(rate) > 1e-3 ? miss / rate : 0.0;
        }
        if (fabs(miss) < 1e-12)
            keep_cores(r, on_a, on_b, crossing_name(a, second), crossing_name(b, second));
    }
}

/* --- along two segments --- */

static double side_radius(const feature *f) { return f->of->disc + f->of->ball; }

/* From a point of the axis to the side, `way` being outward. */
static dls_vec3 onto_round(const feature *f, dls_vec3 x, dls_vec3 way)
{
    if (f->of->shape == DLS_SHAPE_CYLINDER) {
        const dls_vec3 u = f->of->axis[2];
        way = dls_unit(dls_sub(way, dls_scale(dls_dot(way, u), u)));
    }
    return dls_add(x, dls_scale(side_radius(f), way));
}

/* Where x is along a segment whose axis begins at `from`, as a share of its length. */
static double share_at(dls_vec3 x, dls_vec3 from, dls_vec3 edge)
{
    return dls_dot(dls_sub(x, from), edge) / dls_dot(edge, edge);
}

/* The direction of v, if that is near `way` and not lost in rounding, as it is between edges that touch. */
static bool turns_normal(dls_vec3 v, double round, dls_vec3 *way)
{
    const double length = dls_norm(v);
    if (!(length > 0.1 * round && dls_dot(v, *way) > 0.9 * length && round > 0.0))
        return false;
    *way = dls_scale(1.0 / length, v);
    return true;
}

/* The end of a segment over the other one: the end's own point, and the nearest one to it of the other side. */
static void keep_end(region *r, const feature *one, int end, const feature *other, bool one_is_first)
{
    const dls_vec3 x = dls_add(one->at[end], one->to_axis), from = dls_add(other->at[0], other->to_axis);
    const dls_vec3 edge = edge_vector(other, 0);
    dls_vec3 way = one_is_first ? r->n : dls_neg(r->n); /* from the other */
    /* across the other one; the rim of a cylinder over an edge: in the plane of the rim */
    const bool in_rim = one->of->shape == DLS_SHAPE_CYLINDER && !(side_radius(other) > 0.0);
    const dls_vec3 u = in_rim ? one->of->axis[2] : edge;
    const double foot = dls_dot(dls_sub(x, from), u) / dls_dot(edge, u);
    if (!(foot >= 0.0 && foot <= 1.0))
        return;
    dls_vec3 y = dls_add(from, dls_scale(foot, edge));
    turns_normal(dls_sub(x, y), side_radius(one) + side_radius(other), &way);
    const dls_vec3 p = onto_round(one, x, dls_neg(way));
    const double share = share_at(p, from, edge);
    const dls_vec3 below = dls_add(from, dls_scale(share, edge));
    if (share >= 0.0 && share <= 1.0 && turns_normal(dls_sub(p, below), side_radius(other), &way))
        y = below;
    const dls_vec3 q = onto_round(other, y, way);
    if (one_is_first)
        keep_corner(r, p, q, way, one->name[end], other->whole);
    else
        keep_corner(r, q, p, dls_neg(way), other->whole, one->name[end]);
}

/* The two ends of the common part of two segments that are parallel within 5 degrees. */
static void keep_shared(region *r, const feature *a, const feature *b)
{
    const dls_vec3 p = dls_add(a->at[0], a->to_axis), q = dls_add(b->at[0], b->to_axis);
    const dls_vec3 u = edge_vector(a, 0), v = edge_vector(b, 0);
    const double uv = dls_dot(u, v), slant = uv * uv / (dls_dot(u, u) * dls_dot(v, v));
    if (slant < 1.0 - flat * flat)
        return;
    for (int end = 0; end < 2; end++) {
        const double on_b = share_at(end ? dls_add(p, u) : p, q, v), on_a = share_at(end ? dls_add(q, v) : q, p, u);
        if (on_b >= 0.0 && on_b <= 1.0)
            keep_end(r, a, end, b, true);
        if (on_a >= 0.0 && on_a <= 1.0)
            keep_end(r, b, end, a, false);
    }
}

static void keep_corners(region *r, feature *a, feature *b)
{
    inside a_in, b_in;
    double tiny_a[VERTICES], tiny_b[VERTICES];
    dls_tangents(r->n, &r->u, &r->v);
    view_vertices(r, a, a->middle), view_vertices(r, b, a->middle);
    measure_insides(r, a, b, a_in, tiny_b);
    measure_insides(r, b, a, b_in, tiny_a);
    keep_vertices(r, a, b, a_in, tiny_b, true);
    keep_vertices(r, b, a, b_in, tiny_a, false);
    if (a->kind == SEGMENT && b->kind == SEGMENT)
        keep_shared(r, a, b);
    else
        keep_crossings(r, a, b, a_in, b_in);
    if (a->kind == CAP)
        keep_rim_crossings(r, a, b, true);
    if (b->kind == CAP)
        keep_rim_crossings(r, b, a, false);
    if (a->kind == CAP && b->kind == CAP)
        keep_rims_crossing(r, a, b);
}

/* --- the nearest points --- */

static unsigned feature_name_at(const feature *f, dls_vec3 x, double tiny)
{
    for (int i = 0; i < f->count; i++)
        if (f->kind == POINT || dls_norm(dls_sub(x, f->at[i])) <= tiny)
            return f->name[i];
    return f->whole;
}

static bool is_nearest(const region *r, const dls_contact_point *t, double gap)
{
    const dls_vec3 along = dls_scale(t->gap, t->normal), between = dls_sub(t->point[0], t->point[1]);
    return t->gap <= gap + r->tiny && square_distance(&between, &along) <= r->tiny * r->tiny &&
           square_distance(&t->normal, &r->n) <= 1e-24;
}

/* If no corner has them: the points of the cores that are nearest, in place of a corner that is there. */
static void keep_nearest(region *r, dls_separation *gap, const feature *a, const feature *b)
{
    dls_vec3 x[2];
    bool nearly = false;
    for (int i = 0; i < r->count; i++) {
        if (is_nearest(r, &r->at[i], gap->gap))
            return;
        nearly = nearly || r->at[i].gap <= gap->gap + 1e2 * r->tiny;
    }
    if (dls_convex_nearest(r->solid, gap, x) > r->tiny && nearly)
        return;
    r->n = gap->normal;
    const dls_vec3 on_a = dls_sub(x[0], dls_scale(r->solid[0]->ball, r->n));
    const dls_vec3 on_b = dls_add(x[1], dls_scale(r->solid[1]->ball, r->n));
    const unsigned name[2] = {feature_name_at(a, x[0], 1e3 * r->tiny), feature_name_at(b, x[1], 1e3 * r->tiny)};
    int kept = 0;
    for (int i = 0; i < r->count; i++)
        if (square_distance(&r->at[i].point[0], &on_a) > 1e6 * r->tiny * r->tiny &&
            !(r->at[i].name[0] == name[0] && r->at[i].name[1] == name[1]))
            r->at[kept++] = r->at[i];
    r->count = kept;
    keep_corner(r, on_a, on_b, r->n, name[0], name[1]);
}

/* --- at most DLS_PAIR_CONTACTS --- */

/* The nearest, then again and again the one farthest from those taken; the first of those that are equal to rounding.
 * */
static void thin_out(const region *r, int taken[DLS_PAIR_CONTACTS])
{
    double distance[CORNERS]; /* to the nearest one taken */
    int next = 0;
    for (int i = 0; i < r->count; i++) {
        distance[i] = HUGE_VAL;
        next = r->at[i].gap < r->at[next].gap - 1e1 * r->tiny ? i : next;
    }
    for (int k = 0; k < DLS_PAIR_CONTACTS; k++) {
        const dls_vec3 *last = &r->at[taken[k] = next].point[0];
        next = 0;
        for (int i = 0; i < r->count; i++) {
            const double to_last = square_distance(&r->at[i].point[0], last);
            distance[i] = to_last < distance[i] ? to_last : distance[i];
            next = distance[i] > distance[next] * (1.0 + 1e-9) ? i : next;
        }
    }
}

static uint64_t full_name(const dls_contact_point *t) { return (uint64_t)t->name[0] << 32 | t->name[1]; }

/* By name; of two with one name the nearer one stays. */
static size_t sort_by_name(const region *r, const int *taken, size_t count, dls_contact_point *touch)
{
    int order[DLS_PAIR_CONTACTS];
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const dls_contact_point *t = &r->at[taken[i]];
        size_t at = kept;
        while (at > 0 && full_name(&r->at[order[at - 1]]) > full_name(t))
            at--;
        if (at > 0 && full_name(&r->at[order[at - 1]]) == full_name(t)) {
            order[at - 1] = t->gap < r->at[order[at - 1]].gap ? taken[i] : order[at - 1];
            continue;
        }
        for (size_t k = kept++; k > at; k--)
            order[k] = order[k - 1];
        order[at] = taken[i];
    }
    for (size_t i = 0; i < kept; i++)
        touch[i] = r->at[order[i]];
    return kept;
}

size_t dls_manifold(const dls_convex *const solid[2], double limit, dls_contact_point touch[DLS_PAIR_CONTACTS])
{
    dls_separation gap;
    region r;
    r.tiny = 1e-12 * (solid[0]->size + solid[1]->size);
    r.limit = limit + 1e-2 * r.tiny;
    if (!dls_convex_separate(solid, r.limit, &gap))
        return 0;
    r.solid = solid, r.n = gap.normal, r.gap = gap.gap, r.count = 0;
    const bool ground[2] = {solid[0]->shape == DLS_SHAPE_PLANE, solid[1]->shape == DLS_SHAPE_PLANE};
    feature a, b;
    set_feature(&a, solid[0], dls_neg(gap.normal), ground[1]);
    set_feature(&b, solid[1], gap.normal, ground[0]);
    if (ground[0] || ground[1] || (a.kind != POINT && b.kind != POINT))
        keep_corners(&r, &a, &b);
    if (!ground[0] && !ground[1])
        keep_nearest(&r, &gap, &a, &b);
    int taken[DLS_PAIR_CONTACTS] = {0, 1, 2, 3};
    if (r.count > DLS_PAIR_CONTACTS)
        thin_out(&r, taken);
    return sort_by_name(&r, taken, r.count < DLS_PAIR_CONTACTS ? (size_t)r.count : DLS_PAIR_CONTACTS, touch);
}
