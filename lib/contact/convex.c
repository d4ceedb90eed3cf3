/* The signed gap of two convex solids.
 *
 * With d the difference of the centres, the difference of two solids of convex.h is again such a sum: segments h_k e_k
 * of both, at most six, at most two discs of radius rho_j across u_j, and the ball of both radii r. So
 *     gap = max f(n) - r over |n| = 1,   f(n) = n.d - sum_k h_k |n.e_k| - sum_j rho_j |u_j x n|
 * (S. Cameron and R. Culley, "Determining the minimum translational distance between two convex polyhedra", IEEE
 * ICRA 1986, for the depth). Any n gives a lower bound, and an n whose error is e a value whose error is of the order
 * e^2, or e |n.e_k| where n is perpendicular to a segment; such an n is computed as perpendicular to it.
 *
 * Great circles n.e_k = 0 part the unit sphere into strata, on each of which f is smooth up to the poles of the discs:
 * points   n = u_j and n perpendicular to two segments: a face, or two edges. With segments only and an overlap, the
 *          maximum is one of them: inside a cell f is n.w with w fixed, which has no maximum that is negative. This is
 *          the theorem of separating axes (S. Gottschalk, M. Lin and D. Manocha, "OBBTree", SIGGRAPH 1996).
 * circles  n perpendicular to one segment: an edge, or the side of a cylinder.
 * cells    neither: vertices and rims. An overlap has its maximum there only between two rims.
 * Within a stratum the maximum is found by Newton's method. With w = d - sum_k +-h_k e_k - sum_j rho_j r_j, where r_j
 * is the unit vector along the part of n across u_j, and t_j = u_j x r_j,
 *     grad f = w,   Hess f = -sum_j rho_j / |u_j x n| t_j t_j',   on the sphere: P grad f, P (Hess f) P - (n.w) P
 *
 * If the cores are apart, f has one maximum, and -grad f at it is the vector between their nearest points. It is
 * bracketed by the algorithm of E. Gilbert, D. Johnson and S. Keerthi (IEEE J. Robotics and Automation 4(2), 1988) and
 * refined in the strata next to it. If they overlap, all strata are searched. Points, and pairs of segments, have
 * closed forms.
 *
 * An ellipsoid with E^2 = sum_k radii_k^2 axis_k axis_k' adds -|E n| to f, which is smooth everywhere, -E^2 n / |E n|
 * to its gradient, and -(E^2 - E^2 n n' E^2 / |E n|^2) / |E n| to its Hessian. A ball of the radius least^2 / greatest
 * of the radii, the least radius of curvature, touches its surface at any point from within (W. Blaschke, Kreis und
 * Kugel, 1916, section 24), which proves a shallow depth as the balls of other solids do. A deep one is searched from
 * evenly spread directions, and from the normals at evenly spread points of the ellipsoid.
 *
 * A mesh adds min n.v, or -max n.v, over its vertices to f. Its strata are the normals of its triangles, the circles
 * across its edges, and cells in which one vertex counts. For solids that overlap, a polytope within the difference
 * that grows towards its surface brackets the depth from both sides.
 */
#include "convex.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    SEGMENTS = 6,
    DISCS = 2,
    SIMPLEX = 4,
    BORDER = 64,   /* edges or faces at a vertex of a mesh */
    POINTS = 4096, /* of a polytope, which has at most 2 POINTS - 4 triangles */
    FACES = 2 * POINTS
};

typedef struct difference {
    dls_vec3 d;
    int n_segments, n_discs;
    dls_vec3 e[SEGMENTS], u[DISCS], p[DISCS], q[DISCS]; /* u: axis of a disc; p, q: across it */
    double h[SEGMENTS], rho[DISCS];
    int first_of_second;       /* segments from here on are the second solid's */
    const dls_convex *mesh[2]; /* NULL: a solid without mesh */
    const dls_convex *ellipsoid[2];
    double size; /* of all lengths; lengths below its rounding are 0 */
} difference;

/* Where f is smooth: the ends of the segments, and the vertices of meshes, that count along n. */
typedef struct cell {
    double sign[SEGMENTS];
    unsigned vertex[2];
} cell;

typedef struct peak {
    double f;
    dls_vec3 n;
    bool is_point; /* of its stratum: n is known to rounding */
} peak;

/* --- solids --- */

dls_convex dls_convex_of(const dls_solid *solid)
{
    dls_convex c = {.shape = solid->shape, .centre = {NAN, NAN, NAN}};
    if (solid->shape == DLS_SHAPE_BOX)
        c.half[0] = 0.5 * solid->size.x, c.half[1] = 0.5 * solid->size.y, c.half[2] = 0.5 * solid->size.z;
    if (solid->shape == DLS_SHAPE_SPHERE || solid->shape == DLS_SHAPE_CAPSULE)
        c.ball = solid->radius;
    if (solid->shape == DLS_SHAPE_CYLINDER)
        c.disc = solid->radius;
    if (solid->shape == DLS_SHAPE_CYLINDER || solid->shape == DLS_SHAPE_CAPSULE)
        c.half[2] = 0.5 * solid->length;
    if (solid->shape == DLS_SHAPE_ELLIPSOID)
        for (int k = 0; k < 3; k++)
            c.radii[k] = 0.5 * dls_get3(solid->size, k);
    c.hull = solid->shape == DLS_SHAPE_MESH ? solid->hull : NULL;
    c.terrain = solid->shape == DLS_SHAPE_TERRAIN ? solid->terrain : NULL;
    c.size = c.half[0] + c.half[1] + c.half[2] + c.disc + c.ball + fmax(c.radii[0], fmax(c.radii[1], c.radii[2])) +
             (c.hull ? c.hull->size : 0.0);
    for (int k = 0; c.terrain && k < 6; k++)
        c.size = fmax(c.size, fabs(c.terrain->node[0].at[k]));
    return c;
}

void dls_convex_place(dls_convex *c, dls_frame pose)
{
    const dls_mat3 R = dls_quat_matrix(pose.q);
    c->centre = pose.p;
    for (int k = 0; k < 3; k++)
        c->axis[k] = dls_v3(R.m[k], R.m[3 + k], R.m[6 + k]);
}

static unsigned vertex_by_climbing(const dls_hull *hull, dls_vec3 along)
{
    unsigned at = 0, before;
    double high = dls_dot(along, hull->vertex[0]);
    do {
        before = at;
        for (unsigned k = hull->first[before]; k < hull->first[before + 1]; k++) {
            const unsigned *ends = hull->edge[hull->edge_of[k]].vertex, other = ends[ends[0] == before];
            const double to = dls_dot(along, hull->vertex[other]);
            if (to > high)
                high = to, at = other;
        }
    } while (at != before);
    return at;
}

/* Large hulls by climbing along edges: a vertex higher than its neighbours is the highest. */
unsigned dls_convex_vertex(const dls_hull *hull, dls_vec3 along)
{
    enum { LARGE = 128 };
    if (hull->n_vertices > LARGE)
        return vertex_by_climbing(hull, along);
    unsigned at = 0;
    double high = dls_dot(along, hull->vertex[0]);
    for (unsigned i = 1; i < hull->n_vertices; i++) {
        const double to = dls_dot(along, hull->vertex[i]);
        if (to > high)
            high = to, at = i;
    }
    return at;
}

/* E n of an ellipsoid, in its axes. */
static dls_vec3 shrunk(const dls_convex *c, dls_vec3 n)
{
    const dls_vec3 g = dls_convex_local(c, n);
    return dls_v3(c->radii[0] * g.x, c->radii[1] * g.y, c->radii[2] * g.z);
}

dls_vec3 dls_convex_reach(const dls_convex *c, dls_vec3 n)
{
    const dls_vec3 m = dls_unit(shrunk(c, n));
    return dls_convex_turned(c, dls_v3(c->radii[0] * m.x, c->radii[1] * m.y, c->radii[2] * m.z));
}

void dls_convex_bounds(const dls_convex *c, double bounds[6])
{
    const dls_vec3 up = c->axis[2];
    for (int i = 0; i < 3; i++) {
        const double x = dls_get3(c->centre, i);
        double extent = c->ball;
        if (c->disc > 0.0)
            extent += c->disc * dls_norm(dls_cross(up, dls_axis3(i)));
        if (c->shape == DLS_SHAPE_ELLIPSOID)
            extent += dls_norm(shrunk(c, dls_axis3(i)));
        for (int k = 0; k < 3; k++)
            extent += c->half[k] * fabs(dls_get3(c->axis[k], i));
        bounds[2 * i] = x - extent, bounds[2 * i + 1] = x + extent;
        if (c->hull) {
            const dls_vec3 g = dls_convex_local(c, dls_axis3(i));
            bounds[2 * i] = x + dls_dot(g, c->hull->vertex[dls_convex_vertex(c->hull, dls_neg(g))]);
            bounds[2 * i + 1] = x + dls_dot(g, c->hull->vertex[dls_convex_vertex(c->hull, g)]);
        }
        for (int k = 0; c->terrain && k < 3; k++) {
            const double *at = &c->terrain->node[0].at[2 * k], along = dls_get3(c->axis[k], i);
            bounds[2 * i] += along * (along > 0.0 ? at[0] : at[1]);
            bounds[2 * i + 1] += along * (along > 0.0 ? at[1] : at[0]);
        }
        if (c->shape != DLS_SHAPE_PLANE)
            continue;
        const bool upright = dls_norm(dls_cross(up, dls_axis3(i))) == 0.0;
        if (!upright || dls_get3(up, i) > 0.0)
            bounds[2 * i] = -HUGE_VAL;
        if (!upright || dls_get3(up, i) < 0.0)
            bounds[2 * i + 1] = HUGE_VAL;
    }
}

static difference difference_of(const dls_convex *const solid[2])
{
    difference D = {.d = dls_sub(solid[0]->centre, solid[1]->centre)};
    for (int i = 0; i < 2; i++) {
        D.first_of_second = i ? D.n_segments : 0;
        for (int k = 0; k < 3; k++)
            if (solid[i]->half[k] > 0.0) {
                D.e[D.n_segments] = solid[i]->axis[k];
                D.h[D.n_segments++] = solid[i]->half[k];
            }
        if (solid[i]->disc > 0.0) {
            D.u[D.n_discs] = solid[i]->axis[2];
            D.p[D.n_discs] = solid[i]->axis[0], D.q[D.n_discs] = solid[i]->axis[1];
            D.rho[D.n_discs++] = solid[i]->disc;
        }
        D.mesh[i] = solid[i]->hull ? solid[i] : NULL;
        D.ellipsoid[i] = solid[i]->shape == DLS_SHAPE_ELLIPSOID ? solid[i] : NULL;
    }
    D.size = solid[0]->size + solid[1]->size;
    return D;
}

/* --- the function --- */

/* The part of n in the plane of disc j. */
static dls_vec3 in_plane(const difference *D, int j, dls_vec3 n)
{
    return dls_add(dls_scale(dls_dot(n, D->p[j]), D->p[j]), dls_scale(dls_dot(n, D->q[j]), D->q[j]));
}

/* The vertex of a mesh that is nearest to the other solid along n. */
static unsigned mesh_vertex(const difference *D, int i, dls_vec3 n)
{
    return dls_convex_vertex(D->mesh[i]->hull, dls_convex_local(D->mesh[i], i ? n : dls_neg(n)));
}

static double support_value(const difference *D, dls_vec3 n)
{
    double f = dls_dot(n, D->d);
    for (int i = 0; i < 2; i++)
        if (D->mesh[i]) {
            const double at = dls_dot(dls_convex_local(D->mesh[i], n), D->mesh[i]->hull->vertex[mesh_vertex(D, i, n)]);
            f += i ? -at : at;
        }
    for (int k = 0; k < D->n_segments; k++)
        f -= D->h[k] * fabs(dls_dot(n, D->e[k]));
    for (int j = 0; j < D->n_discs; j++)
        f -= D->rho[j] * dls_norm(in_plane(D, j, n));
    for (int i = 0; i < 2; i++)
        if (D->ellipsoid[i])
            f -= dls_norm(shrunk(D->ellipsoid[i], n));
    return f;
}

/* `v` without its part along the unit vector `e`. */
static dls_vec3 part_across(dls_vec3 v, dls_vec3 e) { return dls_sub(v, dls_scale(dls_dot(v, e), e)); }

/* A unit vector perpendicular to the unit vector `e`. */
static dls_vec3 any_across(dls_vec3 e)
{
    dls_vec3 u[2];
    dls_tangents(e, &u[0], &u[1]);
    return u[0];
}

/* The nearest point of the difference to the origin along n, where segments to which n is perpendicular, and meshes,
 * count by the cell: grad f. */
static dls_vec3 support_slope(const difference *D, const cell *in, dls_vec3 n)
{
    dls_vec3 w = D->d;
    for (int i = 0; i < 2; i++)
        if (D->mesh[i]) {
            const dls_vec3 at = dls_convex_turned(D->mesh[i], D->mesh[i]->hull->vertex[in->vertex[i]]);
            w = i ? dls_sub(w, at) : dls_add(w, at);
        }
    for (int k = 0; k < D->n_segments; k++)
        w = dls_sub(w, dls_scale(in->sign[k] * D->h[k], D->e[k]));
    for (int j = 0; j < D->n_discs; j++) {
        const dls_vec3 rim = in_plane(D, j, n);
        const double length = dls_norm(rim);
        if (length > 0.0)
            w = dls_sub(w, dls_scale(D->rho[j] / length, rim));
    }
    for (int i = 0; i < 2; i++)
        if (D->ellipsoid[i])
            w = dls_sub(w, dls_convex_reach(D->ellipsoid[i], n));
    return w;
}

static void set_cell(const difference *D, dls_vec3 n, cell *in)
{
    for (int k = 0; k < D->n_segments; k++)
        in->sign[k] = dls_dot(n, D->e[k]) < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 2; i++)
        in->vertex[i] = D->mesh[i] ? mesh_vertex(D, i, n) : 0;
}

static bool has_mesh(const difference *D) { return D->mesh[0] || D->mesh[1]; }
static bool has_ellipsoid(const difference *D) { return D->ellipsoid[0] || D->ellipsoid[1]; }

/* Accepts n or -n, whichever is in the half-space of d (n itself if there are meshes), if it is higher: than a point by
 * more than rounding, and than a value found by steps, which are continued from here, up to rounding. */
static void propose(const difference *D, dls_vec3 n, bool is_point, peak *best)
{
    if (dls_dot(n, D->d) < 0.0 && !has_mesh(D))
        n = dls_neg(n);
    const double f = support_value(D, n);
    if (f > best->f + (best->is_point ? 1e-14 : -1e-14) * D->size)
        *best = (peak){f, n, is_point};
}

/* --- strata --- */

/* Perpendicular to both unit vectors to rounding, however small the angle between them; false if there is none. */
static bool both_across(dls_vec3 a, dls_vec3 b, dls_vec3 *n)
{
    const dls_vec3 rest = part_across(b, a);
    const double sine = dls_norm(rest);
    if (!(sine > 1e-12))
        return false;
    *n = dls_unit(dls_cross(a, dls_scale(1.0 / sine, rest)));
    return true;
}

/* A box has the normals of its faces as axes, a cylinder those of its caps. */
static void try_points(const difference *D, const dls_convex *const solid[2], double limit, peak *best)
{
    for (int i = 0; i < 2 && best->f <= limit; i++)
        for (int k = 0; k < 3; k++)
            if (solid[i]->shape == DLS_SHAPE_BOX || (k == 2 && solid[i]->shape == DLS_SHAPE_CYLINDER))
                propose(D, solid[i]->axis[k], true, best);
    for (int k = 0; k < D->first_of_second; k++)
        for (int m = D->first_of_second; m < D->n_segments && best->f <= limit; m++) {
            dls_vec3 n;
            if (both_across(D->e[k], D->e[m], &n))
                propose(D, n, true, best);
        }
}

static double larger_of(double a, double b) { return a > b ? a : b; }

/* The same for two boxes, in the axes of both (S. Gottschalk, M. Lin and D. Manocha): c = a_i x b_j has
 *     |c|^2 = sum_k (a_k.b_j)^2 over k != i,   |c.e| = |a_l.b_j| or |a_i.b_l| along the other axes e.
 * Rounding spoils f by about size / |c|; edges that may have the maximum are proposed with their exact n. */
static void try_boxes(const dls_convex *const solid[2], double limit, peak *best)
{
    const dls_convex *A = solid[0], *B = solid[1];
    const double *h = A->half, *g = B->half;
    const double rounding = 4e-15 * (A->size + B->size), clearly = 1e-14 * (A->size + B->size);
    const dls_vec3 apart = dls_sub(A->centre, B->centre);
    double R[3][3], Q[3][3], d[3], f[9], most;
    for (int i = 0; i < 3; i++) {
        d[i] = dls_dot(apart, A->axis[i]);
        for (int j = 0; j < 3; j++)
            R[i][j] = dls_dot(A->axis[i], B->axis[j]), Q[i][j] = fabs(R[i][j]);
    }
    for (int k = 0; k < 6; k++) {
        const int i = k % 3;
        const double along = k < 3 ? d[i] : dls_dot(apart, B->axis[i]);
        const double high = k < 3 ? h[i] + g[0] * Q[i][0] + g[1] * Q[i][1] + g[2] * Q[i][2]
                                  : g[i] + h[0] * Q[0][i] + h[1] * Q[1][i] + h[2] * Q[2][i];
        const double value = fabs(along) - high;
        if (value > best->f + clearly)
            *best = (peak){value, dls_scale(along < 0.0 ? -1.0 : 1.0, k < 3 ? A->axis[i] : B->axis[i]), true};
        if (value > limit)
            return;
    }
    most = best->f;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            const double cc = R[i1][j] * R[i1][j] + R[i2][j] * R[i2][j];
            const double top = fabs(d[i2] * R[i1][j] - d[i1] * R[i2][j]) - h[i1] * Q[i2][j] - h[i2] * Q[i1][j] -
                               g[j1] * Q[i][j2] - g[j2] * Q[i][j1];
            f[3 * i + j] = -HUGE_VAL;
            if (top + rounding < (most < 0.0 ? most : 0.0) || !(cc > 1e-24))
                continue; /* |c| <= 1 */
            const double per = 1.0 / sqrt(cc);
            f[3 * i + j] = (top + rounding) * per;
            most = larger_of(most, (top - rounding) * per);
        }
    if (most > limit) {
        best->f = most;
        return;
    }
    for (int k = 0; k < 9; k++) {
        dls_vec3 n;
        if (f[k] < most || f[k] <= best->f + clearly || !both_across(A->axis[k / 3], B->axis[k % 3], &n))
            continue;
        const difference D = difference_of(solid);
        propose(&D, n, true, best);
    }
}

/* A step of Newton's method along the tangents t; shortened where f has no maximum in its direction. */
static dls_vec3 newton_step(const difference *D, dls_vec3 n, dls_vec3 w, const dls_vec3 *t, int n_tangents)
{
    double g[2] = {0, 0}, H[3] = {dls_dot(n, w), 0.0, dls_dot(n, w)}; /* -Hess f: 11, 12, 22 */
    for (int i = 0; i < n_tangents; i++)
        g[i] = dls_dot(t[i], w);
    for (int j = 0; j < D->n_discs; j++) {
        const dls_vec3 side = dls_cross(D->u[j], in_plane(D, j, n));
        const double length = fmax(dls_norm(side), 1e-12), bend = D->rho[j] / (length * length * length);
        double c[2] = {0, 0};
        for (int i = 0; i < n_tangents; i++)
            c[i] = dls_dot(t[i], side);
        H[0] += bend * c[0] * c[0], H[1] += bend * c[0] * c[1], H[2] += bend * c[1] * c[1];
    }
    for (int j = 0; j < 2; j++)
        if (D->ellipsoid[j]) {
            const dls_vec3 m = shrunk(D->ellipsoid[j], n);
            const double length = dls_norm(m);
            dls_vec3 side[2] = {{0, 0, 0}, {0, 0, 0}}; /* E t across E n */
            for (int i = 0; i < n_tangents; i++)
                side[i] = part_across(shrunk(D->ellipsoid[j], t[i]), dls_scale(1.0 / length, m));
            H[0] += dls_dot(side[0], side[0]) / length, H[1] += dls_dot(side[0], side[1]) / length;
            H[2] += dls_dot(side[1], side[1]) / length;
        }
    if (n_tangents == 1) {
        H[0] = H[0] > 0.0 ? H[0] : fabs(H[0]) + 1e-3 * D->size;
        return dls_scale(g[0] / H[0], t[0]);
    }
    const double mean = 0.5 * (H[0] + H[2]), low = mean - hypot(0.5 * (H[0] - H[2]), H[1]);
    if (low <= 0.0)
        H[0] += -low + 1e-3 * D->size, H[2] += -low + 1e-3 * D->size;
    const double det = H[0] * H[2] - H[1] * H[1];
    return dls_add(dls_scale((H[2] * g[0] - H[1] * g[1]) / det, t[0]),
                   dls_scale((H[0] * g[1] - H[1] * g[0]) / det, t[1]));
}

/* The maximum in a cell with one disc or none: along the nearest point of its rim, or of the vertex. */
static dls_vec3 from_vertex(const difference *D, const cell *in)
{
    const dls_vec3 vertex = support_slope(D, in, dls_v3(0, 0, 0));
    const dls_vec3 rim = D->n_discs ? in_plane(D, 0, vertex) : dls_v3(0, 0, 0);
    const double length = dls_norm(rim);
    return dls_unit(length > 0.0 ? dls_sub(vertex, dls_scale(D->rho[0] / length, rim)) : vertex);
}

/* From n to the maximum of the smooth function with these signs, on the sphere (e == NULL) or on the circle across
 * e. */
static dls_vec3 climb_smooth(const difference *D, const cell *in, dls_vec3 n, const dls_vec3 *e)
{
    if (!e && D->n_discs < 2 && !has_ellipsoid(D))
        return from_vertex(D, in);
    dls_vec3 w = support_slope(D, in, n);
    double f = support_value(D, n), f_to = f;
    for (int step = 0; step < 20; step++) {
        dls_vec3 t[2];
        if (e)
            t[0] = dls_cross(*e, n);
        else
            dls_tangents(n, &t[0], &t[1]);
        const dls_vec3 by = newton_step(D, n, w, t, e ? 1 : 2);
        const double length = dls_norm(by), rate = dls_dot(by, w);
        if (!(length > 1e-16))
            break;
        double share = fmin(1.0, 0.3 / length);
        dls_vec3 to = n, w_to = w;
        bool higher = false;
        for (int cut = 0; cut < 12 && !higher; cut++, share *= 0.5) {
            to = dls_add(n, dls_scale(share, by));
            to = dls_unit(e ? part_across(to, *e) : to);
            w_to = support_slope(D, in, to);
            f_to = support_value(D, to); /* not n.w, which is higher in other cells */
            higher = f_to >= f + 0.1 * share * rate;
            if (length < 1e-5)
                break; /* below that, f is flat to rounding: the step is that of its gradient */
        }
        n = to, w = w_to, f = f_to;
        if (length < 1e-15 || (!higher && length >= 1e-5))
            break;
    }
    return n;
}

/* From n to a maximum in a cell (e == NULL) or on the circle across e; over into the next one where that is higher. */
static void climb(const difference *D, dls_vec3 n, const dls_vec3 *e, peak *best)
{
    cell in = {{0}, {0, 0}}, next = in;
    if (e)
        n = dls_unit(part_across(n, *e));
    set_cell(D, n, &next);
    for (int turn = 0; turn < 4 && (turn == 0 || memcmp(&in, &next, sizeof in) != 0); turn++) {
        in = next;
        n = climb_smooth(D, &in, n, e);
        propose(D, n, false, best);
        set_cell(D, n, &next);
    }
}

/* --- cores that are apart --- */

typedef struct simplex {
    int count;
    dls_vec3 at[SIMPLEX], nearest;
    dls_vec3 first[SIMPLEX]; /* the points of the first solid that `at` are differences of */
    double share[SIMPLEX];   /* nearest = sum share at */
} simplex;

/* Nearest point of a subset's affine hull to the origin and its coordinates there; false if it is not inside the
 * subset. */
static bool nearest_of(const dls_vec3 *p, int count, dls_vec3 *v, double *share)
{
    if (count == 1) {
        *v = p[0];
        share[0] = 1.0;
        return true;
    }
    const dls_vec3 ab = dls_sub(p[1], p[0]);
    if (count == 2) {
        const double t = -dls_dot(p[0], ab) / dls_dot(ab, ab);
        *v = dls_add(p[0], dls_scale(t, ab));
        share[0] = 1.0 - t, share[1] = t;
        return t > 0.0 && t < 1.0;
    }
    const dls_vec3 ac = dls_sub(p[2], p[0]);
    dls_vec3 n = dls_cross(ab, ac);
    double sum = 0.0;
    bool inside = true;
    if (count == 3) {
        const double nn = dls_dot(n, n);
        if (!(nn > 0.0))
            return false;
        *v = dls_scale(dls_dot(n, p[0]) / nn, n);
        for (int i = 0; i < 3; i++) {
            share[i] = dls_dot(n, dls_cross(p[(i + 1) % 3], p[(i + 2) % 3]));
            inside = inside && share[i] > 0.0;
            sum += share[i];
        }
    } else {
        *v = dls_v3(0, 0, 0);
        for (int i = 0; i < 4; i++) { /* the origin and p[i] on one side of the triangle of the others */
            const dls_vec3 a = p[(i + 1) % 4], b = p[(i + 2) % 4], c = p[(i + 3) % 4];
            n = dls_cross(dls_sub(b, a), dls_sub(c, a));
            share[i] = -dls_dot(n, a) / dls_dot(n, dls_sub(p[i], a));
            inside = inside && share[i] > 0.0 && share[i] < HUGE_VAL;
            sum += share[i];
        }
    }
    for (int i = 0; i < count; i++)
        share[i] /= sum;
    return inside;
}

/* Adds w, of the point `first` of the first solid, and keeps the smallest subset that has the nearest point; no
 * tetrahedron if the origin is `outside`. False if the origin is in it. */
static bool add_point(simplex *s, dls_vec3 w, dls_vec3 first, bool outside)
{
    simplex from;
    const simplex all = *s;
    double least = HUGE_VAL;
    for (int set = 0; set < 1 << all.count; set++) {
        from.count = 1;
        from.at[0] = w, from.first[0] = first;
        for (int i = 0; i < all.count; i++)
            if (set & 1 << i)
                from.at[from.count] = all.at[i], from.first[from.count++] = all.first[i];
        if ((from.count == SIMPLEX && outside) || !nearest_of(from.at, from.count, &from.nearest, from.share) ||
            !(dls_dot(from.nearest, from.nearest) < least))
            continue;
        least = dls_dot(from.nearest, from.nearest);
        *s = from;
    }
    return least > 0.0;
}

typedef enum outcome { APART, FAR, MEET } outcome;

/* Gilbert, Johnson and Keerthi: a direction near that of the maximum. */
static outcome approach(const difference *D, double limit, dls_vec3 *n)
{
    simplex s = {0};
    double before = HUGE_VAL, least = -HUGE_VAL;
    cell in;
    for (int step = 0; step < 60; step++) {
        set_cell(D, *n, &in);
        const dls_vec3 w = support_slope(D, &in, *n);
        if (dls_dot(w, *n) > limit)
            return FAR;
        if (step > 0 && before - dls_dot(w, *n) <= 1e-9 * before)
            return APART;
        least = fmax(least, dls_dot(w, *n));
        if (!add_point(&s, w, w, least > 0.0))
            return MEET;
        const double v = dls_norm(s.nearest);
        if (v < 1e-14 * D->size)
            return MEET;
        if (!(v < before))
            return APART;
        *n = dls_scale(1.0 / v, s.nearest);
        before = v;
    }
    return APART;
}

/* The maximum in the strata that n may belong to. */
static void refine(const difference *D, dls_vec3 n, peak *best)
{
    propose(D, n, false, best);
    climb(D, n, NULL, best);
    for (int k = 0; k < D->n_segments; k++)
        if (fabs(dls_dot(n, D->e[k])) < 0.1)
            climb(D, n, &D->e[k], best);
}

/* --- cores that overlap --- */

/* From between two directions of the arc where f begins to fall. */
static void search_arc(const difference *D, dls_vec3 e, dls_vec3 p, dls_vec3 q, double from, double to, peak *best)
{
    enum { PARTS = 16 };
    const double middle = 0.5 * (from + to), step = (to - from) / PARTS;
    dls_vec3 n = dls_add(dls_scale(cos(middle), p), dls_scale(sin(middle), q));
    const double side = dls_dot(n, D->d) < 0.0 && !has_mesh(D) ? -1.0 : 1.0;
    cell in;
    bool rose = false;
    set_cell(D, dls_scale(side, n), &in);
    for (int k = 0; k <= PARTS; k++) {
        const double c = side * cos(from + k * step), s = side * sin(from + k * step);
        const dls_vec3 next = dls_add(dls_scale(c, p), dls_scale(s, q));
        const bool rises = dls_dot(support_slope(D, &in, next), dls_cross(e, next)) > 0.0;
        if (rose && !rises)
            climb(D, dls_add(n, next), &e, best);
        n = next, rose = rises;
    }
}

/* Between the points of a circle, those nearest to the poles of discs, and those across d: of n and -n the one along d
 * is the higher. */
static void search_circle(const difference *D, dls_vec3 e, peak *best)
{
    enum { ENDS = SEGMENTS + DISCS + 2 };
    const dls_vec3 p = any_across(e), q = dls_cross(e, p);
    double end[ENDS];
    int count = 0;
    for (int k = 0; k < D->n_segments; k++)
        end[count++] = atan2(-dls_dot(D->e[k], p), dls_dot(D->e[k], q));
    for (int j = 0; j < D->n_discs; j++)
        end[count++] = atan2(dls_dot(D->u[j], q), dls_dot(D->u[j], p));
    end[count++] = atan2(-dls_dot(D->d, p), dls_dot(D->d, q));
    for (int i = 0; i < count; i++) { /* of a half circle, sorted */
        end[i] -= DLS_PI * floor(end[i] / DLS_PI);
        for (int j = i; j > 0 && end[j - 1] > end[j]; j--) {
            const double swap = end[j];
            end[j] = end[j - 1], end[j - 1] = swap;
        }
    }
    end[count] = end[0] + DLS_PI;
    for (int i = 0; i < count; i++)
        if (end[i + 1] - end[i] > 1e-9)
            search_arc(D, e, p, q, end[i], end[i + 1], best);
}

enum { KEPT = 6 };

/* Keeps n, or -n, whichever is along d, if it is among the highest on its sides of both discs. */
static void keep_highest(const difference *D, dls_vec3 n, peak high[4][KEPT])
{
    n = dls_dot(n, D->d) < 0.0 ? dls_neg(n) : n;
    peak p = {support_value(D, n), n, false}, *to = high[(dls_dot(n, D->u[0]) < 0.0) + 2 * (dls_dot(n, D->u[1]) < 0.0)];
    for (int k = 0; k < KEPT; k++)
        if (p.f > to[k].f) {
            const peak swap = to[k];
            to[k] = p, p = swap;
        }
}

/* Between two rims: from the highest of evenly spread directions (E. Saff and A. Kuijlaars, "Distributing many points
 * on a sphere", The Mathematical Intelligencer 19(1), 1997), the highest of each cell. The cells between the great
 * circles of the discs are as narrow as the angle of their axes, and may have no such direction within: their middle is
 * the circle across the sum or the difference of the axes. */
static void search_cells(const difference *D, peak *best)
{
    enum { TRIED = 160, AROUND = 48 };
    peak high[4][KEPT];
    for (int c = 0; c < 4 * KEPT; c++)
        high[c / KEPT][c % KEPT].f = -HUGE_VAL;
    for (int i = 0; i < TRIED; i++) {
        const double z = (i + 0.5) / TRIED, angle = 2.399963229728653 * i, r = sqrt(1.0 - z * z);
        keep_highest(D, dls_v3(r * cos(angle), r * sin(angle), z), high);
    }
    for (double sign = -1.0; sign <= 1.0; sign += 2.0) {
        const dls_vec3 middle = dls_add(D->u[0], dls_scale(sign, D->u[1]));
        if (dls_norm(middle) < 1e-9)
            continue;
        const dls_vec3 p = any_across(dls_unit(middle)), q = dls_cross(dls_unit(middle), p);
        for (int i = 0; i < AROUND; i++) {
            const double angle = DLS_PI * (i + 0.5) / AROUND;
            keep_highest(D, dls_add(dls_scale(cos(angle), p), dls_scale(sin(angle), q)), high);
        }
    }
    for (int c = 0; c < 4 * KEPT; c++)
        if (high[c / KEPT][c % KEPT].f > -HUGE_VAL)
            climb(D, high[c / KEPT][c % KEPT].n, NULL, best);
}

static void search_all(const difference *D, peak *best)
{
    for (int k = 0; k < D->n_segments; k++)
        search_circle(D, D->e[k], best);
    if (D->n_discs == 2)
        search_cells(D, best);
}

/* --- closed forms --- */

/* From a core to a point at d from its centre: along the axes, and of a cylinder also from its third axis, how far the
 * point is outside; if it is inside, the least depth. */
static peak from_core(const dls_convex *core, dls_vec3 d)
{
    dls_vec3 along[3], v = {0, 0, 0};
    double out[3];
    int least = 0, count = 0;
    for (int k = core->disc > 0.0 ? 2 : 0; k < 3; k++) {
        const double x = dls_dot(d, core->axis[k]);
        along[count] = dls_scale(copysign(1.0, x), core->axis[k]);
        out[count++] = fabs(x) - core->half[k];
    }
    if (core->disc > 0.0) {
        const dls_vec3 rest = part_across(d, core->axis[2]);
        const double radius = dls_norm(rest);
        along[count] = radius > 0.0 ? dls_scale(1.0 / radius, rest) : core->axis[0];
        out[count++] = radius - core->disc;
    }
    for (int k = 0; k < count; k++) {
        v = dls_add(v, dls_scale(fmax(out[k], 0.0), along[k]));
        least = out[k] > out[least] ? k : least;
    }
    const double length = dls_norm(v);
    return length > 0.0 ? (peak){length, dls_scale(1.0 / length, v), false} : (peak){out[least], along[least], true};
}

static bool is_point(const dls_convex *core)
{
    return core->half[0] + core->half[1] + core->half[2] + core->disc == 0.0 && !core->hull;
}

/* Two segments: the directions from each end to the other segment, and the one across both. */
static void try_segments(const difference *D, const dls_convex *const solid[2], peak *best)
{
    dls_vec3 n;
    if (both_across(D->e[0], D->e[1], &n))
        propose(D, n, true, best);
    for (int k = 0; k < 2; k++)
        for (int side = -1; side <= 1; side += 2) {
            const dls_vec3 end = dls_scale(side * D->h[k], D->e[k]);
            propose(D, from_core(solid[1 - k], dls_add(k ? dls_neg(D->d) : D->d, end)).n, false, best);
        }
}

/* --- points --- */

/* Sets coordinate k to `to`, or the end that is nearest. */
static void set_coordinate(const difference *D, int k, double to, double *s, dls_vec3 *w)
{
    to = fmin(fmax(to, -1.0), 1.0);
    *w = dls_sub(*w, dls_scale((to - s[k]) * D->h[k], D->e[k]));
    s[k] = to;
}

/* Two free segments that are not parallel: w = s_1 h_1 e_1 + s_2 h_2 e_2. */
static void meet_edges(const difference *D, const bool *free_segment, double *s, dls_vec3 *w)
{
    int k[2] = {0, 0}, count = 0;
    for (int i = 0; i < D->n_segments; i++)
        if (free_segment[i])
            k[count++] = i;
    if (count < 2)
        return;
    const dls_vec3 p[2] = {part_across(D->e[k[0]], D->e[k[1]]), part_across(D->e[k[1]], D->e[k[0]])}, whole = *w;
    if (dls_dot(p[0], p[0]) > 1e-20)
        for (int i = 0; i < 2; i++)
            set_coordinate(D, k[i], dls_dot(whole, p[i]) / (D->h[k[i]] * dls_dot(p[i], p[i])), s, w);
}

/* Coordinates s of the segments and y of the discs with w = d - sum s_k h_k e_k - sum y_j along n: those that n does
 * not decide are adjusted one after the other. Returns the rest of w. */
static dls_vec3 meet_coordinates(const difference *D, dls_vec3 n, double f, int rounds, bool final, double *s,
                                 dls_vec3 *y)
{
    bool free_segment[SEGMENTS], free_disc[DISCS];
    dls_vec3 w = dls_sub(D->d, dls_scale(f, n));
    int count = 0;
    for (int i = 0; i < 2; i++)
        if (D->ellipsoid[i])
            w = dls_sub(w, dls_convex_reach(D->ellipsoid[i], n));
    for (int k = 0; k < D->n_segments; k++) {
        const double c = dls_dot(n, D->e[k]);
        free_segment[k] = fabs(c) <= 1e-12;
        s[k] = free_segment[k] ? 0.0 : copysign(1.0, c);
        w = dls_sub(w, dls_scale(s[k] * D->h[k], D->e[k]));
        count += free_segment[k];
    }
    for (int j = 0; j < D->n_discs; j++) {
        const dls_vec3 rim = in_plane(D, j, n);
        const double length = dls_norm(rim);
        free_disc[j] = length <= 1e-12;
        y[j] = free_disc[j] ? dls_v3(0, 0, 0) : dls_scale(D->rho[j] / length, rim);
        w = dls_sub(w, y[j]);
        count += free_disc[j];
    }
    if (count == 2)
        meet_edges(D, free_segment, s, &w);
    for (int round = 0; round < rounds && count > 0 && dls_norm(part_across(w, n)) > 1e-15 * D->size; round++) {
        for (int k = 0; k < D->n_segments; k++)
            if (free_segment[k])
                set_coordinate(D, k, s[k] + dls_dot(w, D->e[k]) / D->h[k], s, &w);
        for (int j = 0; j < D->n_discs; j++) {
            if (!free_disc[j])
                continue;
            dls_vec3 to = in_plane(D, j, dls_add(y[j], w));
            const double length = dls_norm(to);
            to = length > D->rho[j] ? dls_scale(D->rho[j] / length, to) : to;
            w = dls_sub(w, dls_sub(to, y[j]));
            y[j] = to;
        }
    }
    for (int round = 0; round < 4 && final && dls_norm(w) < 1e-6 * D->size; round++)
        for (int j = 0; j < D->n_discs; j++) { /* n gives the point of a rim up to its rounding alone */
            const dls_vec3 to = dls_scale(D->rho[j], dls_unit(in_plane(D, j, dls_add(y[j], w))));
            if (free_disc[j])
                continue;
            w = dls_sub(w, dls_sub(to, y[j]));
            y[j] = to;
        }
    return w;
}

/* The vertex of a mesh that `outward` (in its axes) leads to, up to rounding, and among several of them `way`. */
static unsigned vertex_beside(const dls_hull *h, dls_vec3 outward, dls_vec3 way)
{
    unsigned at = dls_convex_vertex(h, outward);
    const double high = dls_dot(outward, h->vertex[at]) - 1e-13 * h->size;
    for (unsigned i = 0; i < h->n_vertices; i++)
        if (dls_dot(outward, h->vertex[i]) >= high && dls_dot(way, h->vertex[i]) > dls_dot(way, h->vertex[at]))
            at = i;
    return at;
}

/* The point of the difference that is least along n, and among several of them along `way`; `first`: the point of the
 * first solid that it is of. */
static dls_vec3 corner_beside(const difference *D, const dls_convex *const solid[2], dls_vec3 n, dls_vec3 way,
                              dls_vec3 *first)
{
    dls_vec3 part[2] = {{0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < 2; i++)
        if (D->mesh[i]) {
            const double sign = i ? 1.0 : -1.0;
            const unsigned at = vertex_beside(D->mesh[i]->hull, dls_scale(sign, dls_convex_local(D->mesh[i], n)),
                                              dls_scale(sign, dls_convex_local(D->mesh[i], way)));
            part[i] = dls_scale(-sign, dls_convex_turned(D->mesh[i], D->mesh[i]->hull->vertex[at]));
        }
    for (int k = 0; k < D->n_segments; k++) {
        dls_vec3 *to = &part[k >= D->first_of_second];
        const double along = dls_dot(n, D->e[k]);
        *to = dls_sub(*to, dls_scale(copysign(D->h[k], fabs(along) > 1e-12 ? along : dls_dot(way, D->e[k])), D->e[k]));
    }
    for (int j = 0; j < D->n_discs; j++) { /* across n: see find_points_of_mesh */
        dls_vec3 *to = &part[!(solid[0]->disc > 0.0)];
        const dls_vec3 rim = in_plane(D, j, way);
        const double length = dls_norm(rim);
        *to = length > 0.0 ? dls_sub(*to, dls_scale(D->rho[j] / length, rim)) : *to;
    }
    *first = dls_add(solid[0]->centre, part[0]);
    return dls_add(D->d, dls_add(part[0], part[1]));
}

/* Seen along n, the point of the difference that is nearest to the origin among those that are least along n, and the
 * point of the first solid that it is of: by the algorithm of Gilbert, Johnson and Keerthi in this plane. */
static dls_vec3 nearest_beside(const difference *D, const dls_convex *const solid[2], dls_vec3 n, dls_vec3 *first)
{
    simplex s = {0};
    double before = HUGE_VAL;
    dls_vec3 way = any_across(n), rest = {0, 0, 0};
    for (int step = 0; step < 100; step++) {
        dls_vec3 at;
        const dls_vec3 w = part_across(corner_beside(D, solid, n, way, &at), n);
        if (step > 0 && before - dls_dot(w, way) <= 1e-16 * D->size)
            break;
        add_point(&s, w, at, true);
        const double length = dls_norm(s.nearest);
        if (!(length < before))
            break;
        rest = s.nearest, before = length, *first = dls_v3(0, 0, 0);
        for (int i = 0; i < s.count; i++)
            *first = dls_add(*first, dls_scale(s.share[i], s.first[i]));
        if (length <= 1e-16 * D->size)
            break;
        way = dls_scale(1.0 / length, rest);
    }
    return rest;
}

/* find_points where one of the solids is a mesh. A point of a rim is given by n, up to its rounding, which the rest
 * tells. */
static dls_vec3 find_points_of_mesh(const difference *D, const dls_convex *const solid[2], double f, dls_vec3 n,
                                    dls_vec3 point[2])
{
    const dls_vec3 rim = D->n_discs ? in_plane(D, 0, n) : dls_v3(0, 0, 0);
    const bool is_rim = dls_norm(rim) > 1e-12;
    difference corners = *D;
    dls_vec3 y = {0, 0, 0}, rest = y;
    if (is_rim) {
        corners.n_discs = 0;
        y = dls_scale(D->rho[0], dls_unit(rim));
    }
    const dls_convex *round_solid = D->ellipsoid[0] ? D->ellipsoid[0] : D->ellipsoid[1];
    const dls_vec3 reach = round_solid ? dls_convex_reach(round_solid, n) : dls_v3(0, 0, 0);
    for (int round = 0; round < 4; round++) {
        corners.d = dls_sub(dls_sub(D->d, y), reach);
        rest = nearest_beside(&corners, solid, n, &point[0]);
        point[0] = is_rim && solid[0]->disc > 0.0 ? dls_sub(point[0], y) : point[0];
        point[0] = D->ellipsoid[0] ? dls_sub(point[0], reach) : point[0];
        if (!is_rim || dls_norm(rest) <= 1e-15 * D->size || dls_norm(rest) >= 1e-6 * D->size)
            break;
        y = dls_scale(D->rho[0], dls_unit(in_plane(D, 0, dls_add(y, rest))));
    }
    point[1] = dls_sub(dls_sub(point[0], dls_scale(f, n)), rest);
    return rest;
}

/* A point of each core along n from each other, if there is one within `rounds`; else the rest. */
static dls_vec3 find_points(const difference *D, const dls_convex *const solid[2], double f, dls_vec3 n, int rounds,
                            bool final, dls_vec3 point[2])
{
    double s[SEGMENTS];
    dls_vec3 y[DISCS];
    if (has_mesh(D))
        return find_points_of_mesh(D, solid, f, n, point);
    const dls_vec3 rest = meet_coordinates(D, n, f, rounds, final, s, y);
    point[0] = solid[0]->centre;
    for (int k = 0; k < D->first_of_second; k++)
        point[0] = dls_sub(point[0], dls_scale(s[k] * D->h[k], D->e[k]));
    if (solid[0]->disc > 0.0)
        point[0] = dls_sub(point[0], y[0]);
    if (D->ellipsoid[0])
        point[0] = dls_sub(point[0], dls_convex_reach(D->ellipsoid[0], n));
    point[1] = dls_sub(dls_sub(point[0], dls_scale(f, n)), rest);
    return rest;
}

double dls_convex_nearest(const dls_convex *const solid[2], dls_separation *found, dls_vec3 point[2])
{
    const difference D = difference_of(solid);
    const double balls = solid[0]->ball + solid[1]->ball, core_gap = found->gap + balls;
    const double off = dls_norm(find_points(&D, solid, core_gap, found->normal, 100, true, point));
    if (core_gap > 1e-4 * D.size && off > 1e-13 * D.size &&
        off < 1e-6 * core_gap) { /* n was right to the rounding of f */
        const dls_vec3 v = dls_sub(point[0], point[1]);
        *found = (dls_separation){dls_norm(v) - balls, dls_unit(v)};
        return 0.0;
    }
    point[1] = dls_sub(point[0], dls_scale(core_gap, found->normal));
    return off;
}

/* --- meshes --- */

/* Edges of a solid next to n, and the normals of faces there: of a mesh those at its vertex, of others its axes. The
 * triangles of a side have normals that agree to the rounding of a file, and not all of them are at one vertex. */
typedef struct border {
    int n_edges, n_normals;
    dls_vec3 edge[BORDER], normal[BORDER];
} border;

/* If there are more than fit, as at the tip of a fine cone, those nearest to n stay: edges across it, normals along it.
 * */
static void put_border(border *b, bool edge, dls_vec3 e, dls_vec3 n)
{
    const double along = fabs(dls_dot(e, n));
    dls_vec3 *list = edge ? b->edge : b->normal;
    int *count = edge ? &b->n_edges : &b->n_normals, to = *count;
    if (edge ? along >= 0.2 : along <= 0.8)
        return;
    if (*count < BORDER) {
        ++*count;
    } else {
        to = 0;
        for (int k = 1; k < BORDER; k++)
            if ((fabs(dls_dot(list[k], n)) > fabs(dls_dot(list[to], n))) == edge)
                to = k;
        if ((along < fabs(dls_dot(list[to], n))) != edge)
            return;
    }
    list[to] = !edge && dls_dot(e, n) < 0.0 ? dls_neg(e) : e;
}

static void border_of(const difference *D, const dls_convex *c, int i, dls_vec3 n, border *b)
{
    b->n_edges = b->n_normals = 0;
    for (int k = 0; k < 3; k++) {
        if (c->half[k] > 0.0)
            put_border(b, true, c->axis[k], n);
        if (c->shape == DLS_SHAPE_BOX || (k == 2 && c->shape == DLS_SHAPE_CYLINDER))
            put_border(b, false, c->axis[k], n);
    }
    if (!c->hull)
        return;
    const unsigned at = mesh_vertex(D, i, n);
    for (unsigned k = c->hull->first[at]; k < c->hull->first[at + 1]; k++) {
        const unsigned e = c->hull->edge_of[k];
        const dls_vec3 along =
            dls_sub(c->hull->vertex[c->hull->edge[e].vertex[1]], c->hull->vertex[c->hull->edge[e].vertex[0]]);
        put_border(b, true, dls_unit(dls_convex_turned(c, along)), n);
        for (int side = 0; side < 2; side++)
            put_border(b, false, dls_convex_turned(c, c->hull->triangle[c->hull->edge[e].triangle[side]].normal), n);
    }
}

/* The maximum in the strata next to n: normals of faces, of two edges, circles of edges and sides, and the cell. Again
 * from there while it rises. */
static void refine_mesh(const difference *D, const dls_convex *const solid[2], dls_vec3 n, peak *best)
{
    bool rises = true;
    propose(D, n, false, best);
    for (int round = 0; round < 50 && rises; round++) {
        border b[2];
        const double before = best->f;
        n = best->n;
        for (int i = 0; i < 2; i++) {
            border_of(D, solid[i], i, n, &b[i]);
            for (int k = 0; k < b[i].n_normals; k++)
                propose(D, b[i].normal[k], true, best);
        }
        for (int k = 0; k < b[0].n_edges; k++)
            for (int m = 0; m < b[1].n_edges; m++) {
                dls_vec3 to;
                if (both_across(b[0].edge[k], b[1].edge[m], &to) && fabs(dls_dot(to, n)) > 0.8)
                    propose(D, dls_dot(to, n) < 0.0 ? dls_neg(to) : to, true, best);
            }
        climb(D, n, NULL, best);
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < b[i].n_edges; k++)
                climb(D, n, &b[i].edge[k], best);
        if (D->n_discs && fabs(dls_dot(n, D->u[0])) < 0.2)
            climb(D, n, &D->u[0], best);
        rises = best->f > before + 1e-14 * D->size;
    }
}

/* A polytope in the difference of the cores that grows where the origin is nearest to its surface, until that is
 * surface of the difference, too: G. van den Bergen, "Proximity queries and penetration depth computation on 3D game
 * objects", Game Developers Conference 2001. The rounder the difference is, and the nearer the origin is to its centre,
 * the more points it takes: 3,500 for two meshes of 9,900 vertices on concentric spheres; a hull has at most 10,000.
 * With k points on a sphere of radius R the triangles are within 2.4 R / k of it, so that even at POINTS, where the
 * polytope stops, the depth is found to 0.06 % of R. */
typedef struct polytope {
    int n_points, n_faces;
    dls_vec3 point[POINTS];
    struct {
        int at[3];
        dls_vec3 normal;
        double height;
    } face[FACES];
} polytope;

/* The point of the difference that is farthest along `out`. */
static dls_vec3 farthest(const difference *D, dls_vec3 out)
{
    cell in;
    set_cell(D, dls_neg(out), &in);
    return support_slope(D, &in, dls_neg(out));
}

static bool add_face(polytope *p, int a, int b, int c)
{
    if (p->n_faces == FACES)
        return false;
    const dls_vec3 x = p->point[a], y = dls_sub(p->point[b], x), z = dls_sub(p->point[c], x), n = dls_cross(y, z);
    const double area = dls_norm(n), least = 1e-14 * dls_norm(y) * dls_norm(z);
    const dls_vec3 normal = area > least ? dls_scale(1.0 / area, n) : dls_v3(0, 0, 0);
    p->face[p->n_faces].at[0] = a, p->face[p->n_faces].at[1] = b, p->face[p->n_faces].at[2] = c;
    p->face[p->n_faces].normal = normal;
    p->face[p->n_faces++].height =
        area > least ? fmax(dls_dot(normal, x), fmax(dls_dot(normal, p->point[b]), dls_dot(normal, p->point[c])))
                     : HUGE_VAL;
    return true;
}

/* The farthest point along or against a direction, whichever is farther from `from`. */
static dls_vec3 farther(const difference *D, dls_vec3 along, dls_vec3 from)
{
    const dls_vec3 a = farthest(D, along), b = farthest(D, dls_neg(along));
    return fabs(dls_dot(along, dls_sub(a, from))) >= fabs(dls_dot(along, dls_sub(b, from))) ? a : b;
}

static void begin_polytope(const difference *D, polytope *p)
{
    dls_vec3 *x = p->point;
    x[0] = farthest(D, dls_v3(1, 0, 0));
    x[1] = farther(D, dls_v3(-1, 0, 0), x[0]);
    const dls_vec3 u = dls_unit(dls_sub(x[1], x[0]));
    x[2] = farther(D, any_across(u), x[0]);
    const dls_vec3 n = dls_unit(dls_cross(u, dls_sub(x[2], x[0])));
    x[3] = farther(D, n, x[0]);
    const bool above = dls_dot(n, dls_sub(x[3], x[0])) > 0.0;
    const int b = above ? 2 : 1, c = above ? 1 : 2;
    p->n_points = 4, p->n_faces = 0;
    add_face(p, 0, b, c), add_face(p, 0, c, 3), add_face(p, c, b, 3), add_face(p, b, 0, 3);
}

/* Puts a cone from `w` in place of the faces that it sees. False without room. */
static bool grow_polytope(polytope *p, dls_vec3 w, double tiny)
{
    int edge[FACES][2], n_edges = 0, kept = 0;
    const int tip = p->n_points++;
    p->point[tip] = w;
    for (int f = 0; f < p->n_faces; f++) {
        const bool seen = dls_dot(p->face[f].normal, w) > p->face[f].height + tiny;
        if (!seen) {
            p->face[kept++] = p->face[f];
            continue;
        }
        for (int k = 0; k < 3; k++) {
            const int a = p->face[f].at[k], b = p->face[f].at[(k + 1) % 3];
            int same = 0;
            while (same < n_edges && !(edge[same][0] == b && edge[same][1] == a))
                same++;
            if (same == n_edges) {
                if (n_edges == FACES)
                    return false;
                edge[n_edges][0] = a, edge[n_edges++][1] = b;
            } else {
                n_edges--;
                edge[same][0] = edge[n_edges][0], edge[same][1] = edge[n_edges][1];
            }
        }
    }
    p->n_faces = kept;
    for (int k = 0; k < n_edges; k++)
        if (!add_face(p, edge[k][0], edge[k][1], tip))
            return false;
    return true;
}

/* The direction of the depth, where there is no disc. */
static dls_vec3 expand_polytope(const difference *D)
{
    const double near = 1e-13 * D->size;
    polytope p;
    begin_polytope(D, &p);
    for (;;) {
        int least = 0;
        for (int f = 1; f < p.n_faces; f++)
            least = p.face[f].height < p.face[least].height ? f : least;
        const dls_vec3 out = p.face[least].normal, w = farthest(D, out);
        if (dls_dot(out, w) - p.face[least].height <= near || p.n_points == POINTS || !grow_polytope(&p, w, 0.1 * near))
            return dls_neg(out);
    }
}

/* f at the normal of a triangle, of which one vertex suffices. */
static double value_at_triangle(const difference *D, int i, unsigned triangle, dls_vec3 *n)
{
    const dls_convex *mesh = D->mesh[i];
    const dls_vec3 out = dls_convex_turned(mesh, mesh->hull->triangle[triangle].normal);
    cell in = {{0}, {0, 0}};
    *n = i ? out : dls_neg(out);
    in.vertex[i] = mesh->hull->triangle[triangle].vertex[0];
    for (int k = 0; k < D->n_segments; k++)
        in.sign[k] = dls_dot(*n, D->e[k]) < 0.0 ? -1.0 : 1.0;
    return dls_dot(*n, support_slope(D, &in, *n));
}

/* The directions of an edge are the arc between the normals of its two triangles. Where the axis of the cylinder is
 * across it, both edges are across n. On the rest f is smooth, and exceeds its ends by no more than half the arc times
 * the length of its gradient. */
static void search_edge(const difference *D, int i, unsigned edge, peak *best)
{
    const dls_hull *h = D->mesh[i]->hull;
    const unsigned *side = h->edge[edge].triangle;
    dls_vec3 p, last, across_e = {0, 0, 0};
    const double high = larger_of(value_at_triangle(D, i, side[0], &p), value_at_triangle(D, i, side[1], &last));
    const dls_vec3 corner = dls_convex_turned(D->mesh[i], h->vertex[h->edge[edge].vertex[0]]);
    dls_vec3 e = dls_unit(dls_sub(dls_convex_turned(D->mesh[i], h->vertex[h->edge[edge].vertex[1]]), corner));
    e = dls_dot(dls_cross(p, last), e) < 0.0 ? dls_neg(e) : e;
    p = dls_unit(part_across(p, e));
    const dls_vec3 q = dls_cross(e, p), u = D->u[0];
    const double arc = atan2(dls_dot(last, q), dls_dot(last, p));
    const double steepest = dls_norm(i ? dls_sub(D->d, corner) : dls_add(D->d, corner)) + D->h[0] + D->rho[0];
    if (high + 0.5 * arc * steepest <= best->f)
        return;
    both_across(e, u, &across_e);
    double end[4] = {0.0, arc, arc, arc};
    int count = 1;
    for (int k = -2; k < 2; k++) { /* where u is across n, and the points nearest to u and -u */
        const dls_vec3 to = dls_scale(k < 0 ? -1.0 : 1.0, k % 2 ? across_e : u);
        const double at = atan2(dls_dot(to, q), dls_dot(to, p));
        if (!(at > 0.0 && at < arc))
            continue;
        if (k % 2)
            propose(D, to, true, best);
        end[count++] = at;
    }
    if (count == 3 && end[1] > end[2])
        end[3] = end[1], end[1] = end[2], end[2] = end[3], end[3] = arc;
    for (int k = 0; k < count; k++)
        if (end[k + 1] - end[k] > 1e-14)
            search_arc(D, e, p, q, end[k], end[k + 1], best);
}

/* A mesh and a cylinder that overlap: the normals of triangles and caps, the arcs of edges, and the circle of the
 * cylinder's side. On that one there is no maximum but at arcs, unless its axis misses the mesh; then the nearest
 * points of both give it. Between a rim and a vertex there is none. */
static void search_mesh(const difference *D, const dls_convex *const solid[2], peak *best)
{
    const int i = D->mesh[0] ? 0 : 1;
    const dls_hull *h = solid[i]->hull;
    dls_vec3 n;
    propose(D, D->u[0], true, best), propose(D, dls_neg(D->u[0]), true, best);
    for (unsigned t = 0; t < h->n_triangles; t++)
        if (value_at_triangle(D, i, t, &n) > best->f)
            propose(D, n, true, best);
    for (unsigned e = 0; e < h->n_edges; e++)
        search_edge(D, i, e, best);
    difference axis = *D;
    axis.n_discs = 0, axis.h[0] = 4.0 * D->size;
    n = dls_unit(D->d);
    if (approach(&axis, HUGE_VAL, &n) == APART)
        climb(D, n, &D->u[0], best);
}

/* Where no points of the cores are along n from each other, the rest between the nearest is the direction in which
 * f rises most: over into the strata on that side. False if a rest remains in the end. */
static bool rise_along(const difference *D, const dls_convex *const solid[2], peak *best)
{
    for (int round = 0; round < 4; round++) {
        dls_vec3 point[2];
        const dls_vec3 rest = find_points(D, solid, best->f, best->n, 30, false, point);
        const double length = dls_norm(rest), before = best->f;
        if (length <= 1e-12 * D->size)
            return true;
        for (double step = 0.1; step > 1e-13 && best->f <= before; step *= 0.1) {
            const dls_vec3 n = dls_unit(dls_add(best->n, dls_scale(step / length, rest)));
            if (support_value(D, n) > before)
                has_mesh(D) ? refine_mesh(D, solid, n, best) : refine(D, n, best);
        }
        if (best->f <= before + 1e-14 * D->size)
            break;
    }
    return false;
}

static peak highest_of_mesh(const difference *D, const dls_convex *const solid[2], double limit)
{
    peak best = {-HUGE_VAL, {NAN, NAN, NAN}, false};
    dls_vec3 n = dls_norm(D->d) > 0.0 ? dls_unit(D->d) : dls_v3(0, 0, 1);
    const outcome how = approach(D, limit, &n);
    if (how == FAR) {
        best.f = HUGE_VAL;
        return best;
    }
    refine_mesh(D, solid, n, &best);
    if (best.f > 0.0 && rise_along(D, solid, &best))
        return best;
    if (D->n_discs) {
        search_mesh(D, solid, &best);
    } else {
        n = expand_polytope(D);
        propose(D, n, true, &best);
    }
    refine_mesh(D, solid, best.n, &best);
    /* where f, to its rounding, does not tell two directions apart, but the points do */
    if (!rise_along(D, solid, &best) && !D->n_discs && support_value(D, n) > best.f - 1e-14 * D->size)
        best = (peak){support_value(D, n), n, true};
    return best;
}

/* --- the maximum --- */

/* The largest ball in a core that touches its surface at `point`, where the normal is n or -n; 0 at edges. */
static double ball_at(const dls_convex *core, dls_vec3 point, dls_vec3 n)
{
    const dls_vec3 p = dls_sub(point, core->centre);
    const double *r = core->radii, least = fmin(r[0], fmin(r[1], r[2]));
    double room[3]; /* to the ends along each axis */
    if (core->shape == DLS_SHAPE_ELLIPSOID)
        return least * least / fmax(r[0], fmax(r[1], r[2]));
    for (int k = 0; k < 3; k++)
        room[k] = core->half[k] - fabs(dls_dot(p, core->axis[k]));
    const double side = core->disc - dls_norm(part_across(p, core->axis[2]));
    if (core->disc > 0.0) {
        const double lean = fabs(dls_dot(n, core->axis[2]));
        return lean > 1.0 - 1e-12 ? fmin(side, core->half[2]) : lean < 1e-12 ? fmin(room[2], core->disc) : 0.0;
    }
    for (int k = 0; k < 3; k++)
        if (fabs(dls_dot(n, core->axis[k])) > 1.0 - 1e-12)
            return fmin(core->half[k], fmin(room[(k + 1) % 3], room[(k + 2) % 3]));
    return 0.0;
}

/* True if a peak is certainly the maximum. Points a and b of the cores with a - b = f n prove it if the cores are
 * apart. If they overlap, so does a ball within one of them that touches its surface there and whose radius exceeds the
 * depth: a shorter translation leaves its centre in the other solid. */
static bool is_proved(const difference *D, const dls_convex *const solid[2], const peak *best)
{
    dls_vec3 point[2];
    if (D->n_discs == 0 && !has_ellipsoid(D) && best->f <= 0.0)
        return true;
    if (dls_norm(find_points(D, solid, best->f, best->n, 6, false, point)) >
        (has_ellipsoid(D) ? 1e-12 : 1e-14) * D->size)
        return false;
    return best->f > 0.0 || ball_at(solid[0], point[0], best->n) > -best->f ||
           ball_at(solid[1], point[1], best->n) > -best->f;
}

/* --- ellipsoids --- */

static void refine_any(const difference *D, const dls_convex *const solid[2], dls_vec3 n, peak *best)
{
    has_mesh(D) ? refine_mesh(D, solid, n, best) : refine(D, n, best);
}

/* The highest directions of those seen, no two of which are near each other. */
enum { STARTS = 24 };
typedef struct starts {
    int count;
    peak at[STARTS];
} starts;

static void keep_start(const difference *D, dls_vec3 n, starts *s)
{
    const double f = support_value(D, n);
    int to = s->count;
    for (int k = 0; k < s->count; k++) {
        if (dls_dot(s->at[k].n, n) > 0.97) {
            to = k;
            break;
        }
        if (s->count == STARTS && (to == STARTS || s->at[k].f < s->at[to].f))
            to = k;
    }
    if (to == s->count)
        s->at[s->count++] = (peak){f, n, false};
    else if (f > s->at[to].f)
        s->at[to] = (peak){f, n, false};
}

/* Evenly spread directions m as search_cells has, and E^-1 m, the normals at evenly spread points of an ellipsoid. */
static void spread_starts(const difference *D, const dls_convex *ellipsoid, starts *s)
{
    enum { TRIED = 256 };
    for (int k = 0; k < TRIED; k++) {
        const double z = (2.0 * k + 1.0) / TRIED - 1.0, angle = 2.399963229728653 * k, r = sqrt(1.0 - z * z);
        dls_vec3 m = dls_v3(r * cos(angle), r * sin(angle), z);
        if (ellipsoid) {
            const double *e = ellipsoid->radii;
            m = dls_unit(dls_convex_turned(ellipsoid, dls_v3(m.x / e[0], m.y / e[1], m.z / e[2])));
        }
        keep_start(D, m, s);
    }
}

/* The normals of the triangles of a mesh, and those between two of them. */
static void mesh_starts(const difference *D, int i, starts *s)
{
    const dls_convex *mesh = D->mesh[i];
    for (size_t t = 0; t < mesh->hull->n_triangles; t++) {
        const dls_vec3 out = dls_convex_turned(mesh, mesh->hull->triangle[t].normal);
        keep_start(D, i ? out : dls_neg(out), s);
    }
    for (size_t e = 0; e < mesh->hull->n_edges; e++) {
        const unsigned *side = mesh->hull->edge[e].triangle;
        const dls_vec3 between = dls_convex_turned(
            mesh, dls_add(mesh->hull->triangle[side[0]].normal, mesh->hull->triangle[side[1]].normal));
        keep_start(D, dls_unit(i ? between : dls_neg(between)), s);
    }
}

static void search_ellipsoids(const difference *D, const dls_convex *const solid[2], peak *best)
{
    starts s = {0};
    for (int k = 0; k < D->n_segments; k++)
        search_circle(D, D->e[k], best);
    spread_starts(D, NULL, &s);
    for (int i = 0; i < 2; i++) {
        if (D->ellipsoid[i])
            spread_starts(D, D->ellipsoid[i], &s);
        if (D->mesh[i])
            mesh_starts(D, i, &s);
    }
    for (int k = 0; k < s.count; k++) {
        peak own = {-HUGE_VAL, {NAN, NAN, NAN}, false};
        refine_any(D, solid, s.at[k].n, &own);
        propose(D, own.n, own.is_point, best);
    }
}

static peak highest_of_ellipsoid(const difference *D, const dls_convex *const solid[2], double limit)
{
    peak best = {-HUGE_VAL, {NAN, NAN, NAN}, false};
    dls_vec3 n = dls_norm(D->d) > 0.0 ? dls_unit(D->d) : dls_v3(0, 0, 1);
    if (approach(D, limit, &n) == FAR) {
        best.f = HUGE_VAL;
        return best;
    }
    try_points(D, solid, HUGE_VAL, &best);
    refine_any(D, solid, n, &best);
    if (is_proved(D, solid, &best) || (best.f > 0.0 && rise_along(D, solid, &best)))
        return best;
    search_ellipsoids(D, solid, &best);
    rise_along(D, solid, &best);
    return best;
}

/* The sides of cylinders that turn to the other solid. */
static void try_sides(const difference *D, peak *best)
{
    for (int j = 0; j < D->n_discs; j++)
        if (dls_norm(in_plane(D, j, D->d)) > 0.0)
            climb(D, D->d, &D->u[j], best);
}

static peak highest(const difference *D, const dls_convex *const solid[2], double limit, peak best)
{
    for (int i = 0; i < 2; i++)
        if (solid[i]->shape == DLS_SHAPE_PLANE) {
            best.n = i ? solid[i]->axis[2] : dls_neg(solid[i]->axis[2]);
            best.f = support_value(D, best.n);
            return best;
        }
    if (has_ellipsoid(D))
        return highest_of_ellipsoid(D, solid, limit);
    if (has_mesh(D))
        return highest_of_mesh(D, solid, limit);
    if (is_point(solid[0]))
        return from_core(solid[1], D->d);
    if (is_point(solid[1])) {
        best = from_core(solid[0], dls_neg(D->d));
        best.n = dls_neg(best.n);
        return best;
    }
    if (D->n_segments == 2 && D->n_discs == 0) {
        try_segments(D, solid, &best);
        return best;
    }
    if (solid[0]->shape != DLS_SHAPE_BOX || solid[1]->shape != DLS_SHAPE_BOX)
        try_points(D, solid, limit, &best);
    if (best.f > limit || is_proved(D, solid, &best))
        return best;
    if (D->n_discs > 0) {
        try_sides(D, &best);
        if (best.f > limit || is_proved(D, solid, &best))
            return best;
    }
    dls_vec3 n = best.n;
    const outcome how = approach(D, limit, &n);
    if (how == FAR) {
        best.f = HUGE_VAL;
        return best;
    }
    refine(D, n, &best); /* of a shallow overlap too: n is the direction in which least was left */
    if (D->n_discs == 0)
        return best;
    const bool searched = best.f <= 0.0; /* rounding may have taken touching solids for separate ones */
    if (searched)
        search_all(D, &best);
    if (!rise_along(D, solid, &best) && !searched)
        search_all(D, &best);
    return best;
}

bool dls_convex_separate(const dls_convex *const solid[2], double limit, dls_separation *found)
{
    const double balls = solid[0]->ball + solid[1]->ball;
    peak best = {-HUGE_VAL, {NAN, NAN, NAN}, false};
    if (solid[0]->shape == DLS_SHAPE_PLANE && solid[1]->shape == DLS_SHAPE_PLANE)
        return false;
    const bool boxes = solid[0]->shape == DLS_SHAPE_BOX && solid[1]->shape == DLS_SHAPE_BOX;
    if (boxes)
        try_boxes(solid, limit, &best);
    if (!boxes || (best.f > 0.0 && best.f <= limit)) {
        const difference D = difference_of(solid);
        best = highest(&D, solid, limit + balls, best);
    }
    *found = (dls_separation){best.f - balls, best.n};
    return !(found->gap > limit);
}
