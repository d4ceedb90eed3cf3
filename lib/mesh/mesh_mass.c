/* Mass properties of meshes of uniform density.
 *
 * With the apex o, the triangle with corners o + a, o + b, o + c (anticlockwise from outside) is the base of a pyramid
 * of the signed volume V = a.(b x c) / 6, whose centroid is o + (a + b + c) / 4 and whose second moments about o are
 *     int x x' dV = V / 20 (a a' + b b' + c c' + s s'),   s = a + b + c,
 * since the barycentric coordinates of a simplex of dimension n have the means 1 / (n + 1) and the mean products
 * (1 + delta_ij) / ((n + 1) (n + 2)). By the theorem of Gauss the signed pyramids of a closed surface sum up to the
 * solid within it, whatever o is. For a triangle of area A itself (a shell, n = 2) they are A, o + s / 3 and
 * A / 12 (a a' + b b' + c c' + s s'). The inertia about o is (tr S) 1 - S of the second moments S.
 *
 * A surface is closed if its boundary is 0: if as many triangles have an edge in one direction as in the other.
 *
 * MuJoCo's `legacy` takes |V| in place of V: first with the centroid of the surface as apex, which gives the centre of
 * mass, then with that one, which gives volume and inertia. It is exact for a surface that is seen whole from both
 * points, as a convex one is, and counts space several times otherwise.
 */
#include "mesh_mass.h"

#include "hull.h"
#include "mesh_sides.h"

#include <math.h>
#include <string.h>

typedef struct moments {
    double measure;
    dls_vec3 first; /* moments about an apex */
    dls_mat3 second;
} moments;

static void add_outer(dls_mat3 *S, double by, dls_vec3 v)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            S->m[3 * i + k] += by * (dls_get3(v, i) * dls_get3(v, k));
}

static dls_vec3 area_vector(const dls_vec3 *p)
{
    return dls_scale(0.5, dls_cross(dls_sub(p[1], p[0]), dls_sub(p[2], p[0])));
}

/* Moments of all triangles (shell), or of their pyramids. */
static moments sum_moments(const dls_triangles *t, dls_vec3 apex, dls_mesh_filling filling)
{
    moments sum = {0};
    const bool shell = filling == DLS_MESH_SHELL;
    for (size_t i = 0; i < t->count; i++) {
        const dls_vec3 *p = t->corners + 3 * i, a = dls_sub(p[0], apex), b = dls_sub(p[1], apex),
                       c = dls_sub(p[2], apex), s = dls_add(a, dls_add(b, c));
        const double volume = dls_dot(a, dls_cross(b, c)) / 6.0;
        const double own = shell ? dls_norm(area_vector(p)) : filling == DLS_MESH_LEGACY ? fabs(volume) : volume;
        const double share = own / (shell ? 12.0 : 20.0);
        sum.measure += own;
        sum.first = dls_add(sum.first, dls_scale(own / (shell ? 3.0 : 4.0), s));
        add_outer(&sum.second, share, a);
        add_outer(&sum.second, share, b);
        add_outer(&sum.second, share, c);
        add_outer(&sum.second, share, s);
    }
    return sum;
}

/* Whether each edge has as many sides in one way as in the other, triangles without an area among them. */
static dls_status find_closed(const dls_triangles *t, dls_arena *scratch, bool *closed)
{
    const size_t faces = t->count + t->n_flat, n = 3 * faces;
    dls_vec3 *corners = DLS_TAKE(scratch, dls_vec3, n), *vertex = DLS_TAKE(scratch, dls_vec3, n);
    unsigned *number = DLS_TAKE(scratch, unsigned, n);
    dls_mesh_side *sides = DLS_TAKE(scratch, dls_mesh_side, n);
    if (scratch->failed)
        return DLS_NO_MEMORY;
    memcpy(corners, t->corners, 3 * t->count * sizeof *corners);
    if (t->n_flat)
        memcpy(corners + 3 * t->count, t->flat, 3 * t->n_flat * sizeof *corners);
    if (!dls_mesh_join(corners, n, scratch, vertex, number))
        return DLS_NO_MEMORY;
    dls_mesh_sort_sides(number, faces, sides);
    *closed = true;
    for (size_t i = 0, next; *closed && i < n; i = next) {
        int sum = 0;
        next = dls_mesh_edge_end(sides, n, i);
        for (size_t k = i; k < next; k++)
            sum += sides[k].way;
        *closed = sum == 0;
    }
    return DLS_OK;
}

static dls_status check_closed(const dls_triangles *t, const char *path, dls_error *error)
{
    dls_arena scratch = {0};
    bool closed = false;
    const dls_status status = find_closed(t, &scratch, &closed);
    dls_arena_release(&scratch);
    if (status != DLS_OK)
        return dls_fail(error, status, "no memory for the edges of %zu triangles", t->count + t->n_flat);
    return closed ? DLS_OK
                  : dls_fail_about(error, DLS_REFUSED, path, NULL,
                                   "the surface is not closed, and has no volume of its own: it has an edge that does "
                                   "not lie between two triangles of one direction of rotation; close it, or choose "
                                   "another inertia");
}

static dls_status weigh_triangles(const dls_triangles *t, dls_mesh_filling filling, const char *path,
                                  dls_mesh_mass *mass, dls_error *error)
{
    const moments surface = sum_moments(t, dls_v3(0, 0, 0), DLS_MESH_SHELL);
    dls_vec3 centre = dls_scale(1.0 / surface.measure, surface.first);
    if (filling != DLS_MESH_SHELL) {
        const moments whole = sum_moments(t, centre, filling);
        if (!(whole.measure > 1e-9 * surface.measure * sqrt(surface.measure)))
            return dls_fail_about(error, DLS_REFUSED, path, NULL,
                                  "the mesh has no volume, or its triangles are clockwise from outside; give the body "
                                  "its <inertial>");
        centre = dls_add(centre, dls_scale(1.0 / whole.measure, whole.first));
    }
    const moments about = sum_moments(t, centre, filling);
    const double trace = about.second.m[0] + about.second.m[4] + about.second.m[8];
    mass->measure = about.measure;
    mass->centre = dls_add(centre, t->middle);
    for (int i = 0; i < 9; i++)
        mass->inertia.m[i] = ((i % 4 == 0 ? trace : 0.0) - about.second.m[i]) / about.measure;
    return DLS_OK;
}

static dls_status weigh_hull(const dls_triangles *t, const char *path, dls_mesh_mass *mass, dls_error *error)
{
    dls_arena memory = {0};
    const dls_hull *hull = NULL;
    dls_status status = dls_hull_create(t, path, &memory, &hull, error);
    if (status == DLS_OK)
        status = weigh_triangles(&hull->shown, DLS_MESH_EXACT, path, mass, error);
    dls_arena_release(&memory);
    return status;
}

dls_status dls_mesh_weigh(const dls_triangles *t, dls_mesh_filling filling, const char *path, dls_mesh_mass *mass,
                          dls_error *error)
{
    if (filling == DLS_MESH_EXACT)
        DLS_TRY(check_closed(t, path, error));
    return filling == DLS_MESH_CONVEX ? weigh_hull(t, path, mass, error)
                                      : weigh_triangles(t, filling, path, mass, error);
}
