/* Contact points of a convex solid on a terrain.
 *
 * Each item of the terrain near the solid is a solid of its own, whose contact points (manifold.h) count where the
 * terrain has their normal: a face as the plane that it lies in, for the points that are on the face; a ridge as a
 * segment, for normals across it that neither of its sides is above; a peak as a point, for normals that no edge at it
 * is above. So a flat terrain touches as a plane does, however many faces it has, and the normal never turns at an edge
 * between faces that lie in one plane.
 *
 * All is seen from the terrain.
 */
#include "ground.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

typedef struct seeker {
    const dls_terrain *t;
    dls_convex solid; /* in the axes of the terrain */
    double limit, tiny, box[6];
    dls_contact_points *points;
    size_t first;
    bool ok;
} seeker;

/* Contacts of the item; the second solid is its own. Points that are there already, as of two faces in one plane, are
 * left out. */
static void keep_point(seeker *s, const dls_contact_point *p, unsigned item)
{
    dls_contact_points *to = s->points;
    for (size_t i = s->first; i < to->count; i++)
        if (dls_norm(dls_sub(to->at[i].point[0], p->point[0])) <= 1e3 * s->tiny &&
            dls_norm(dls_sub(to->at[i].normal, p->normal)) <= 1e-6)
            return;
    if (to->count == to->capacity && !DLS_GROW(to->at, to->capacity, to->count + 1)) {
        s->ok = false;
        return;
    }
    to->at[to->count] = *p;
    to->at[to->count++].name[1] = item;
}

static bool is_on_face(const seeker *s, unsigned face, dls_vec3 x)
{
    const unsigned *v = s->t->face[face];
    for (int k = 0; k < 3; k++) {
        const dls_vec3 a = s->t->vertex[v[k]], e = dls_sub(s->t->vertex[v[(k + 1) % 3]], a);
        const dls_vec3 inward = dls_unit(dls_cross(s->t->normal[face], e));
        if (dls_dot(inward, dls_sub(x, a)) < -s->tiny)
            return false;
    }
    return true;
}

static void touch_face(seeker *s, unsigned face)
{
    dls_contact_point found[DLS_PAIR_CONTACTS];
    dls_convex plane = {.shape = DLS_SHAPE_PLANE, .centre = s->t->vertex[s->t->face[face][0]]};
    plane.axis[2] = s->t->normal[face];
    dls_tangents(plane.axis[2], &plane.axis[0], &plane.axis[1]);
    const size_t count = dls_manifold((const dls_convex *const[2]){&s->solid, &plane}, s->limit, found);
    for (size_t i = 0; i < count; i++)
        if (is_on_face(s, face, found[i].point[1]))
            keep_point(s, &found[i], face);
}

static void touch_ridge(seeker *s, unsigned ridge, unsigned item)
{
    dls_contact_point found[DLS_PAIR_CONTACTS];
    const dls_terrain_ridge *r = &s->t->ridge[ridge];
    const dls_vec3 a = s->t->vertex[r->vertex[0]], b = s->t->vertex[r->vertex[1]];
    dls_convex segment = {.shape = DLS_SHAPE_CAPSULE, .centre = dls_scale(0.5, dls_add(a, b))};
    segment.half[2] = segment.size = 0.5 * dls_norm(dls_sub(b, a));
    segment.axis[2] = dls_unit(dls_sub(b, a));
    dls_tangents(segment.axis[2], &segment.axis[0], &segment.axis[1]);
    const size_t count = dls_manifold((const dls_convex *const[2]){&s->solid, &segment}, s->limit, found);
    for (size_t i = 0; i < count; i++)
        if (fabs(dls_dot(found[i].normal, segment.axis[2])) <= 1e-6 && dls_dot(found[i].normal, r->into[0]) <= 1e-9 &&
            dls_dot(found[i].normal, r->into[1]) <= 1e-9)
            keep_point(s, &found[i], item);
}

static void touch_peak(seeker *s, unsigned vertex, unsigned item)
{
    dls_contact_point found[DLS_PAIR_CONTACTS];
    const dls_terrain *t = s->t;
    const dls_convex point = {
        .shape = DLS_SHAPE_SPHERE, .centre = t->vertex[vertex], .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const size_t count = dls_manifold((const dls_convex *const[2]){&s->solid, &point}, s->limit, found);
    for (size_t i = 0; i < count; i++) {
        const dls_vec3 n = found[i].normal;
        bool highest = n.z >= -1e-9;
        for (unsigned k = t->first[vertex]; highest && k < t->first[vertex + 1]; k++)
            highest = dls_dot(n, dls_unit(dls_sub(t->vertex[t->beside[k]], point.centre))) <= 1e-9;
        if (highest)
            keep_point(s, &found[i], item);
    }
}

static void touch_item(seeker *s, unsigned item)
{
    const size_t faces = s->t->n_faces, ridges = s->t->n_ridges;
    if (item < faces)
        touch_face(s, item);
    else if (item < faces + ridges)
        touch_ridge(s, item - (unsigned)faces, item);
    else
        touch_peak(s, s->t->peak[item - faces - ridges], item);
}

static void search_node(seeker *s, size_t node)
{
    const dls_terrain_node *n = &s->t->node[node];
    for (int k = 0; k < 6; k += 2)
        if (n->at[k] > s->box[k + 1] || n->at[k + 1] < s->box[k])
            return;
    if (n->second) {
        search_node(s, node + 1);
        search_node(s, n->second);
        return;
    }
    for (size_t i = n->first; i < n->first + n->count; i++)
        touch_item(s, s->t->item[i]);
}

static int compare_points(const void *a, const void *b)
{
    const dls_contact_point *p = a, *q = b;
    if (p->name[1] != q->name[1])
        return p->name[1] < q->name[1] ? -1 : 1;
    return p->name[0] < q->name[0] ? -1 : p->name[0] > q->name[0];
}

bool dls_ground_touch(const dls_convex *const solid[2], double limit, dls_contact_points *points)
{
    const int ground = solid[1]->terrain != NULL;
    const dls_convex *terrain = solid[ground];
    seeker s = {.t = terrain->terrain,
                .solid = *solid[!ground],
                .limit = limit,
                .tiny = 1e-12 * (solid[0]->size + solid[1]->size),
                .points = points,
                .first = points->count,
                .ok = true};
    s.solid.centre = dls_convex_local(terrain, dls_sub(solid[!ground]->centre, terrain->centre));
    for (int k = 0; k < 3; k++)
        s.solid.axis[k] = dls_convex_local(terrain, solid[!ground]->axis[k]);
    dls_convex_bounds(&s.solid, s.box);
    for (int k = 0; k < 6; k++)
        s.box[k] += k % 2 ? limit + s.tiny : -limit - s.tiny;
    search_node(&s, 0);
    if (points->count > s.first)
        qsort(points->at + s.first, points->count - s.first, sizeof *points->at, compare_points);
    for (size_t i = s.first; i < points->count; i++) {
        dls_contact_point *p = &points->at[i];
        for (int k = 0; k < 2; k++)
            p->point[k] = dls_add(terrain->centre, dls_convex_turned(terrain, p->point[k]));
        p->normal = dls_convex_turned(terrain, p->normal);
        if (ground)
            continue;
        const dls_vec3 swap = p->point[0];
        const unsigned name = p->name[0];
        p->point[0] = p->point[1], p->point[1] = swap;
        p->name[0] = p->name[1], p->name[1] = name;
        p->normal = dls_neg(p->normal);
    }
    return s.ok;
}
