/* Faces, ridges and peaks of a terrain, and a tree of boxes about them.
 *
 * Corners in one place are one vertex. Two faces that meet at an edge make a ridge if each lies below the plane of the
 * other by more than 1e-9 rad, an edge of one face always does. Seen from above no two faces lie over each other: an
 * edge of one of them has the other one outside.
 */
#include "terrain.h"

#include "mesh_sides.h"

#include <math.h>
#include <string.h>

enum { LEAF = 4 };
static const double level = 1e-9; /* [rad] */

typedef struct maker {
    dls_terrain *t;
    const char *path;
    dls_arena *memory, *scratch;
    dls_error *error;
} maker;

static dls_status no_terrain_memory(const maker *m)
{
    return dls_fail(m->error, DLS_NO_MEMORY, "no memory for the terrain '%s'", m->path);
}

/* --- vertices and faces --- */

static dls_status find_vertices(const maker *m, const dls_triangles *from)
{
    dls_terrain *t = m->t;
    const size_t n = 3 * from->count;
    dls_vec3 *corners = DLS_TAKE(m->scratch, dls_vec3, n);
    t->vertex = DLS_TAKE(m->memory, dls_vec3, n);
    t->face = dls_arena_take(m->memory, from->count, sizeof *t->face);
    if (!corners || !t->vertex || !t->face)
        return no_terrain_memory(m);
    for (size_t i = 0; i < n; i++)
        corners[i] = dls_add(from->corners[i], from->middle);
    t->n_faces = from->count;
    t->n_vertices = dls_mesh_join(corners, n, m->scratch, t->vertex, (unsigned *)t->face);
    return t->n_vertices ? DLS_OK : no_terrain_memory(m);
}

static dls_status face_refuse(const maker *m, size_t f, const char *why)
{
    return dls_fail_about(m->error, DLS_REFUSED, m->path, NULL, "triangle %zu of the terrain %s", f, why);
}

static dls_status find_normals(const maker *m)
{
    dls_terrain *t = m->t;
    t->normal = DLS_TAKE(m->memory, dls_vec3, t->n_faces);
    if (!t->normal)
        return no_terrain_memory(m);
    for (size_t f = 0; f < t->n_faces; f++) {
        const dls_vec3 a = t->vertex[t->face[f][0]], b = t->vertex[t->face[f][1]], c = t->vertex[t->face[f][2]];
        const dls_vec3 across = dls_cross(dls_sub(b, a), dls_sub(c, a));
        const double longest = fmax(dls_norm(dls_sub(b, a)), fmax(dls_norm(dls_sub(c, b)), dls_norm(dls_sub(a, c))));
        if (!(dls_norm(across) > level * longest * longest))
            return face_refuse(m, f, "is a line to rounding; join its corners with those of its neighbours");
        t->normal[f] = dls_unit(across);
        if (!(t->normal[f].z > level))
            return face_refuse(m, f, "does not face upwards, along z; a solid body is a mesh");
    }
    return DLS_OK;
}

/* --- ridges and peaks --- */

/* Across the edge of unit direction e, into a face. */
static dls_vec3 across_into(const dls_terrain *t, unsigned face, dls_vec3 from, dls_vec3 e)
{
    dls_vec3 out = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        const dls_vec3 d = dls_sub(t->vertex[t->face[face][k]], from), own = dls_sub(d, dls_scale(dls_dot(d, e), e));
        out = dls_dot(own, own) > dls_dot(out, out) ? own : out;
    }
    return dls_unit(out);
}

/* The edge of `count` sides, one or two. */
static void add_ridge(dls_terrain *t, const dls_mesh_side *s, size_t count, bool *is_peak)
{
    dls_terrain_ridge *r = &t->ridge[t->n_ridges];
    const dls_vec3 from = t->vertex[s->low], e = dls_unit(dls_sub(t->vertex[s->high], from));
    r->vertex[0] = s->low, r->vertex[1] = s->high;
    r->into[0] = across_into(t, s[0].face, from, e);
    r->into[1] =
        count == 2 ? across_into(t, s[1].face, from, e) : dls_unit(dls_sub(dls_scale(e.z, e), dls_v3(0, 0, 1)));
    if (count == 2 && dls_dot(r->into[1], t->normal[s[0].face]) >= -level)
        return;
    is_peak[s->low] = is_peak[s->high] = true;
    t->n_ridges++;
}

static dls_status list_neighbours(const maker *m, const dls_mesh_side *sides, size_t n)
{
    dls_terrain *t = m->t;
    t->first = DLS_TAKE_ZEROS(m->memory, unsigned, t->n_vertices + 2);
    t->beside = DLS_TAKE(m->memory, unsigned, 2 * n);
    if (!t->first || !t->beside)
        return no_terrain_memory(m);
    for (size_t i = 0; i < n; i++)
        t->first[sides[i].low + 2]++, t->first[sides[i].high + 2]++;
    for (size_t i = 0; i < t->n_vertices; i++)
        t->first[i + 2] += t->first[i + 1];
    for (size_t i = 0; i < n; i++) {
        t->beside[t->first[sides[i].low + 1]++] = sides[i].high;
        t->beside[t->first[sides[i].high + 1]++] = sides[i].low;
    }
    return DLS_OK;
}

static dls_status find_ridges(const maker *m)
{
    dls_terrain *t = m->t;
    const size_t n = 3 * t->n_faces;
    dls_mesh_side *sides = DLS_TAKE(m->scratch, dls_mesh_side, n);
    bool *is_peak = DLS_TAKE_ZEROS(m->scratch, bool, t->n_vertices);
    t->ridge = DLS_TAKE(m->memory, dls_terrain_ridge, n);
    t->peak = DLS_TAKE(m->memory, unsigned, t->n_vertices);
    if (!sides || !is_peak || !t->ridge || !t->peak)
        return no_terrain_memory(m);
    dls_mesh_sort_sides((unsigned *)t->face, t->n_faces, sides);
    for (size_t i = 0, next; i < n; i = next) {
        next = dls_mesh_edge_end(sides, n, i);
        if (next - i > 2)
            return dls_fail_about(m->error, DLS_REFUSED, m->path, NULL,
                                  "%zu triangles of the terrain share an edge; at most two do", next - i);
        add_ridge(t, &sides[i], next - i, is_peak);
    }
    for (unsigned v = 0; v < t->n_vertices; v++)
        if (is_peak[v])
            t->peak[t->n_peaks++] = v;
    return list_neighbours(m, sides, n);
}

/* --- the tree --- */

static void item_box(const dls_terrain *t, unsigned item, double at[6])
{
    const unsigned *list = item < t->n_faces                 ? t->face[item]
                           : item < t->n_faces + t->n_ridges ? t->ridge[item - t->n_faces].vertex
                                                             : &t->peak[item - t->n_faces - t->n_ridges];
    const int count = item < t->n_faces ? 3 : item < t->n_faces + t->n_ridges ? 2 : 1;
    for (int i = 0; i < 3; i++) {
        at[2 * i] = HUGE_VAL, at[2 * i + 1] = -HUGE_VAL;
        for (int k = 0; k < count; k++) {
            const double x = dls_get3(t->vertex[list[k]], i);
            at[2 * i] = fmin(at[2 * i], x), at[2 * i + 1] = fmax(at[2 * i + 1], x);
        }
    }
}

static double twice_middle(const dls_terrain *t, unsigned item, int axis)
{
    double at[6];
    item_box(t, item, at);
    return at[2 * axis] + at[2 * axis + 1];
}

/* Moves items whose middle is below that of all to the front; their number. */
static size_t part_items(const dls_terrain *t, unsigned *item, size_t count, const double at[6])
{
    int axis = at[3] - at[2] > at[1] - at[0];
    size_t low = 0;
    for (size_t i = 0; i < count; i++)
        if (twice_middle(t, item[i], axis) < at[2 * axis] + at[2 * axis + 1]) {
            const unsigned swap = item[low];
            item[low++] = item[i], item[i] = swap;
        }
    return low > 0 && low < count ? low : count / 2;
}

static void build_node(dls_terrain *t, size_t first, size_t count)
{
    dls_terrain_node *n = &t->node[t->n_nodes++];
    *n = (dls_terrain_node){{HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL}, first, count, 0};
    for (size_t i = first; i < first + count; i++) {
        double at[6];
        item_box(t, t->item[i], at);
        for (int k = 0; k < 6; k += 2)
            n->at[k] = fmin(n->at[k], at[k]), n->at[k + 1] = fmax(n->at[k + 1], at[k + 1]);
    }
    if (count <= LEAF)
        return;
    const size_t low = part_items(t, t->item + first, count, n->at);
    build_node(t, first, low);
    n->second = t->n_nodes;
    build_node(t, first + low, count - low);
}

static dls_status build_tree(const maker *m)
{
    dls_terrain *t = m->t;
    t->n_items = t->n_faces + t->n_ridges + t->n_peaks;
    t->item = DLS_TAKE(m->memory, unsigned, t->n_items);
    t->node = DLS_TAKE(m->memory, dls_terrain_node, 2 * t->n_items);
    if (!t->item || !t->node)
        return no_terrain_memory(m);
    for (size_t i = 0; i < t->n_items; i++)
        t->item[i] = (unsigned)i;
    build_node(t, 0, t->n_items);
    return DLS_OK;
}

/* --- faces over each other --- */

/* Seen from above, whether an edge of face f has all of face g outside, up to `near`. */
static bool has_outside(const dls_terrain *t, size_t f, size_t g, double near)
{
    for (int k = 0; k < 3; k++) {
        const dls_vec3 a = t->vertex[t->face[f][k]], b = t->vertex[t->face[f][(k + 1) % 3]];
        const double x = b.x - a.x, y = b.y - a.y, allowed = near * hypot(x, y);
        bool outside = true;
        for (int i = 0; i < 3 && outside; i++) {
            const dls_vec3 p = t->vertex[t->face[g][i]];
            outside = x * (p.y - a.y) - y * (p.x - a.x) <= allowed;
        }
        if (outside)
            return true;
    }
    return false;
}

/* A face of a greater number that lies over face f, or under it, in this node; DLS_NONE: none. */
static size_t find_over(const dls_terrain *t, size_t f, const double at[6], size_t node)
{
    const dls_terrain_node *n = &t->node[node];
    const double near = level * (at[1] - at[0] + at[3] - at[2]);
    if (n->at[1] <= at[0] || n->at[0] >= at[1] || n->at[3] <= at[2] || n->at[2] >= at[3])
        return DLS_NONE;
    if (n->second) {
        const size_t found = find_over(t, f, at, node + 1);
        return found == DLS_NONE ? find_over(t, f, at, n->second) : found;
    }
    for (size_t i = n->first; i < n->first + n->count; i++) {
        const size_t g = t->item[i];
        if (g > f && g < t->n_faces && !has_outside(t, f, g, near) && !has_outside(t, g, f, near))
            return g;
    }
    return DLS_NONE;
}

static dls_status check_faces_apart(const maker *m)
{
    for (size_t f = 0; f < m->t->n_faces; f++) {
        double at[6];
        item_box(m->t, (unsigned)f, at);
        const size_t over = find_over(m->t, f, at, 0);
        if (over != DLS_NONE)
            return dls_fail_about(m->error, DLS_REFUSED, m->path, NULL,
                                  "triangles %zu and %zu of the terrain lie over each other; a solid body is a mesh", f,
                                  over);
    }
    return DLS_OK;
}

static dls_status keep_picture(const maker *m, const dls_triangles *from)
{
    m->t->shown = (dls_triangles){.count = from->count, .middle = from->middle, .half = from->half};
    m->t->shown.corners = DLS_TAKE(m->memory, dls_vec3, 3 * from->count);
    if (!m->t->shown.corners)
        return no_terrain_memory(m);
    memcpy(m->t->shown.corners, from->corners, 3 * from->count * sizeof *from->corners);
    return DLS_OK;
}

static dls_status make_terrain(const maker *m, const dls_triangles *from)
{
    if (from->n_flat) {
        const dls_vec3 p = dls_add(from->flat[0], from->middle);
        return dls_fail_about(m->error, DLS_REFUSED, m->path, NULL,
                              "a triangle of the terrain with a corner at (%g, %g, %g) has no area; join its corners "
                              "with those of its neighbours",
                              p.x, p.y, p.z);
    }
    DLS_TRY(find_vertices(m, from));
    DLS_TRY(find_normals(m));
    DLS_TRY(find_ridges(m));
    DLS_TRY(build_tree(m));
    DLS_TRY(check_faces_apart(m));
    return keep_picture(m, from);
}

dls_status dls_terrain_create(const dls_triangles *from, const char *path, dls_arena *memory,
                              const dls_terrain **terrain, dls_error *error)
{
    dls_arena scratch = {0};
    const maker m = {DLS_TAKE_ZEROS(memory, dls_terrain, 1), path, memory, &scratch, error};
    const dls_status status = m.t ? make_terrain(&m, from) : no_terrain_memory(&m);
    dls_arena_release(&scratch);
    *terrain = status == DLS_OK ? m.t : NULL;
    return status;
}
