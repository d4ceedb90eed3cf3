/* Facets of shapes. Everything but a box, a plane, an ellipsoid and triangles from a file is a solid of revolution: a
 * list of pieces of its outline. */
#include "picture.h"

#include "base/memory.h"

#include <stdlib.h>

enum { AROUND = 24, CAP = 5 }; /* facets around an axis, and from the rim of a hemisphere to its pole */

void dls_mesh_release(dls_mesh *mesh)
{
    free(mesh->points);
    free(mesh->normals);
    free(mesh->faces);
    *mesh = (dls_mesh){0};
}

static bool room(dls_mesh *mesh, size_t points, size_t faces)
{
    size_t capacity = mesh->cap_points;
    return DLS_GROW(mesh->normals, capacity, mesh->n_points + points) &&
           DLS_GROW(mesh->points, mesh->cap_points, mesh->n_points + points) &&
           DLS_GROW(mesh->faces, mesh->cap_faces, mesh->n_faces + faces);
}

static size_t add_point(dls_mesh *mesh, dls_vec3 point, dls_vec3 normal)
{
    mesh->points[mesh->n_points] = point;
    mesh->normals[mesh->n_points] = normal;
    return mesh->n_points++;
}

static void add_face(dls_mesh *mesh, size_t a, size_t b, size_t c, size_t d)
{
    size_t *face = mesh->faces[mesh->n_faces++];
    face[0] = a, face[1] = b, face[2] = c, face[3] = d;
}

/* A piece of an outline, at the distances r from the z axis, upwards, and the outward normals at its ends. */
typedef struct piece {
    double r[2], z[2], normal_r[2], normal_z[2];
} piece;

static bool revolve(dls_mesh *mesh, piece p)
{
    const size_t first = mesh->n_points;
    if (!room(mesh, 2 * AROUND, AROUND))
        return false;
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < AROUND; k++) {
            const double c = cos(2.0 * DLS_PI * k / AROUND), s = sin(2.0 * DLS_PI * k / AROUND);
            add_point(mesh, dls_v3(p.r[side] * c, p.r[side] * s, p.z[side]),
                      dls_v3(p.normal_r[side] * c, p.normal_r[side] * s, p.normal_z[side]));
        }
    for (size_t k = 0; k < AROUND; k++) {
        const size_t next = (k + 1) % AROUND, low = first, high = first + AROUND;
        if (p.r[0] == 0.0)
            add_face(mesh, low + k, high + next, high + k, high + k);
        else if (p.r[1] == 0.0)
            add_face(mesh, low + k, low + next, high + k, high + k);
        else
            add_face(mesh, low + k, low + next, high + next, high + k);
    }
    return true;
}

/* The part of a sphere about z = centre between the latitudes of its south pole and equator, or equator and north. */
static bool hemisphere(dls_mesh *mesh, double radius, double centre, bool north)
{
    for (int k = 0; k < CAP; k++) {
        piece p;
        for (int side = 0; side < 2; side++) {
            const int step = k + side + (north ? 0 : -CAP);
            const bool pole = step == CAP || step == -CAP;
            const double latitude = 0.5 * DLS_PI * step / CAP, across = pole ? 0.0 : cos(latitude);
            p.r[side] = radius * across, p.z[side] = centre + radius * sin(latitude);
            p.normal_r[side] = across, p.normal_z[side] = sin(latitude);
        }
        if (!revolve(mesh, p))
            return false;
    }
    return true;
}

static bool add_sphere(dls_mesh *mesh, const dls_surface *form)
{
    return hemisphere(mesh, form->radius, 0.0, false) && hemisphere(mesh, form->radius, 0.0, true);
}

/* A sphere of radius 1 with the half axes E: its normals are E^-1 of the sphere's. */
static bool add_ellipsoid(dls_mesh *mesh, const dls_surface *form)
{
    const dls_vec3 r = dls_scale(0.5, form->size);
    const size_t first = mesh->n_points;
    if (!hemisphere(mesh, 1.0, 0.0, false) || !hemisphere(mesh, 1.0, 0.0, true))
        return false;
    for (size_t k = first; k < mesh->n_points; k++) {
        const dls_vec3 m = mesh->normals[k], p = mesh->points[k];
        mesh->points[k] = dls_v3(r.x * p.x, r.y * p.y, r.z * p.z);
        mesh->normals[k] = dls_unit(dls_v3(m.x / r.x, m.y / r.y, m.z / r.z));
    }
    return true;
}

static bool wall(dls_mesh *mesh, double radius, double low, double high)
{
    return revolve(mesh, (piece){{radius, radius}, {low, high}, {1, 1}, {0, 0}});
}

static bool add_capsule(dls_mesh *mesh, const dls_surface *form)
{
    const double half = 0.5 * form->length;
    return hemisphere(mesh, form->radius, -half, false) && wall(mesh, form->radius, -half, half) &&
           hemisphere(mesh, form->radius, half, true);
}

static bool add_cylinder(dls_mesh *mesh, const dls_surface *form)
{
    const double half = 0.5 * form->length, r = form->radius;
    return revolve(mesh, (piece){{0, r}, {-half, -half}, {0, 0}, {-1, -1}}) && wall(mesh, r, -half, half) &&
           revolve(mesh, (piece){{r, 0}, {half, half}, {0, 0}, {1, 1}});
}

/* A shaft and a cone with its tip at z = 1. */
static bool add_arrow(dls_mesh *mesh, const dls_surface *form)
{
    const double shaft = 0.022, head = 0.06, neck = 0.8, slope = hypot(head, 1.0 - neck);
    const double across = (1.0 - neck) / slope, along = head / slope;
    (void)form;
    return revolve(mesh, (piece){{0, shaft}, {0, 0}, {0, 0}, {-1, -1}}) && wall(mesh, shaft, 0.0, neck) &&
           revolve(mesh, (piece){{shaft, head}, {neck, neck}, {0, 0}, {-1, -1}}) &&
           revolve(mesh, (piece){{head, 0}, {neck, 1}, {across, across}, {along, along}});
}

/* A rectangle with the centre c, half of its sides a and b, and the normal a x b. */
static bool add_rectangle(dls_mesh *mesh, dls_vec3 c, dls_vec3 a, dls_vec3 b)
{
    const dls_vec3 n = dls_unit(dls_cross(a, b));
    if (!room(mesh, 4, 1))
        return false;
    const size_t p0 = add_point(mesh, dls_sub(dls_sub(c, a), b), n), p1 = add_point(mesh, dls_sub(dls_add(c, a), b), n);
    const size_t p2 = add_point(mesh, dls_add(dls_add(c, a), b), n), p3 = add_point(mesh, dls_add(dls_sub(c, a), b), n);
    add_face(mesh, p0, p1, p2, p3);
    return true;
}

static bool add_box(dls_mesh *mesh, const dls_surface *form)
{
    const double half[3] = {0.5 * form->size.x, 0.5 * form->size.y, 0.5 * form->size.z};
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const dls_vec3 c = dls_scale(half[i], dls_axis3(i)), a = dls_scale(half[j], dls_axis3(j)),
                       b = dls_scale(half[k], dls_axis3(k));
        if (!add_rectangle(mesh, c, a, b) || !add_rectangle(mesh, dls_neg(c), b, a))
            return false;
    }
    return true;
}

static bool add_plane(dls_mesh *mesh, const dls_surface *form)
{
    return add_rectangle(mesh, dls_v3(0, 0, 0), dls_v3(0.5 * form->size.x, 0, 0), dls_v3(0, 0.5 * form->size.y, 0));
}

/* Flat facets: which edges of a mesh are sharp, its file does not say. */
static bool add_triangles(dls_mesh *mesh, const dls_surface *form)
{
    const dls_triangles *from = form->triangles;
    if (!room(mesh, 3 * from->count, from->count))
        return false;
    for (size_t k = 0; k < from->count; k++) {
        const dls_vec3 *p = from->corners + 3 * k;
        const dls_vec3 normal = dls_unit(dls_cross(dls_sub(p[1], p[0]), dls_sub(p[2], p[0])));
        const size_t first = add_point(mesh, p[0], normal);
        add_point(mesh, p[1], normal);
        add_point(mesh, p[2], normal);
        add_face(mesh, first, first + 1, first + 2, first + 2);
    }
    return true;
}

static dls_vec3 half_triangles(const dls_surface *form) { return form->triangles->half; }
static dls_vec3 half_size(const dls_surface *form) { return dls_scale(0.5, form->size); }
static dls_vec3 half_round(const dls_surface *form)
{
    return dls_v3(form->radius, form->radius, form->radius + 0.5 * form->length);
}
static dls_vec3 half_cylinder(const dls_surface *form)
{
    return dls_v3(form->radius, form->radius, 0.5 * form->length);
}
static dls_vec3 half_nothing(const dls_surface *form)
{
    (void)form;
    return dls_v3(0, 0, 0);
}

typedef struct maker {
    bool (*facets)(dls_mesh *mesh, const dls_surface *form); /* false without memory */
    dls_vec3 (*half)(const dls_surface *form);
    bool edges;
} maker;
static const maker shapes[] = {
    [DLS_SHAPE_NONE] = {add_arrow, half_nothing, false},         [DLS_SHAPE_BOX] = {add_box, half_size, true},
    [DLS_SHAPE_SPHERE] = {add_sphere, half_round, false},        [DLS_SHAPE_CAPSULE] = {add_capsule, half_round, false},
    [DLS_SHAPE_CYLINDER] = {add_cylinder, half_cylinder, false}, [DLS_SHAPE_PLANE] = {add_plane, half_size, false},
    [DLS_SHAPE_ELLIPSOID] = {add_ellipsoid, half_size, false},
};
static const maker file = {add_triangles, half_triangles, false};

static const maker *maker_of(const dls_surface *form) { return form->triangles ? &file : &shapes[form->shape]; }

dls_status dls_mesh_create(const dls_surface *form, dls_mesh *mesh, dls_error *error)
{
    *mesh = (dls_mesh){0};
    return maker_of(form)->facets(mesh, form) ? DLS_OK
                                              : dls_fail(error, DLS_NO_MEMORY, "no memory for the facets of a shape");
}

dls_vec3 dls_surface_half(const dls_surface *form) { return maker_of(form)->half(form); }

bool dls_surface_edges(const dls_surface *form) { return maker_of(form)->edges; }

bool dls_surface_convex(const dls_surface *form) { return !form->triangles; }

bool dls_surface_equal(const dls_surface *a, const dls_surface *b)
{
    return a->shape == b->shape && a->size.x == b->size.x && a->size.y == b->size.y && a->size.z == b->size.z &&
           a->radius == b->radius && a->length == b->length && a->triangles == b->triangles;
}
