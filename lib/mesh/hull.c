/* The convex hull of a mesh, its edges and its sides.
 *
 * qhull gives triangles: their vertices, the outward normals, and on which side of it a triangle turns anticlockwise.
 * Each edge is of two of them. A hull that is thinner than a millionth of its size, by 2 volume / area, counts as flat:
 * which way its sides face is rounding.
 *
 * A side is found from its first triangle: neighbours join it as long as their normals agree with that one's. Its
 * corners are where its outer edges meet. Triangles whose outer edges are no single loop, which rounding may cause, are
 * a side each.
 */
#include "hull.h"

#include "base/text.h"

#include <libqhull_r/qhull_ra.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VERTICES = 10000 };
static const double same_normal = 1e-5; /* [rad] */

/* An edge of one triangle, from vertex[0] to vertex[1]. */
typedef struct half_edge {
    unsigned vertex[2], triangle, edge;
} half_edge;

typedef struct maker {
    dls_hull *hull;
    const char *path;
    dls_arena *memory, *scratch;
    dls_error *error;
    half_edge *sorted;    /* by edge: two and two */
    unsigned (*edges)[3]; /* of each triangle: from corner i to the next */
} maker;

static dls_status hull_refuse(const maker *m, const char *why)
{
    return dls_fail_about(m->error, DLS_REFUSED, m->path, NULL, "%s", why);
}

static dls_status no_hull_memory(const maker *m)
{
    return dls_fail(m->error, DLS_NO_MEMORY, "no memory for the convex hull of '%s'", m->path);
}

/* --- from qhull --- */

static dls_vec3 triangle_area(const dls_hull *h, size_t t)
{
    const dls_vec3 a = h->vertex[h->triangle[t].vertex[0]];
    return dls_scale(0.5, dls_cross(dls_sub(h->vertex[h->triangle[t].vertex[1]], a),
                                    dls_sub(h->vertex[h->triangle[t].vertex[2]], a)));
}

static dls_status copy_vertices(const maker *m, qhT *qh, unsigned *number)
{
    dls_hull *h = m->hull;
    vertexT *vertex;
    h->n_vertices = (size_t)qh->num_vertices;
    if (h->n_vertices > MOST_VERTICES)
        return dls_fail_about(m->error, DLS_REFUSED, m->path, NULL,
                              "its convex hull has %zu vertices; at most %d collide: simplify the mesh", h->n_vertices,
                              (int)MOST_VERTICES);
    h->vertex = DLS_TAKE(m->memory, dls_vec3, h->n_vertices);
    if (!h->vertex)
        return no_hull_memory(m);
    unsigned count = 0;
    FORALLvertices
    {
        const coordT *p = vertex->point;
        number[qh_pointid(qh, vertex->point)] = count;
        h->vertex[count] = dls_v3(p[0], p[1], p[2]);
        h->size = fmax(h->size, dls_norm(h->vertex[count++]));
    }
    return DLS_OK;
}

/* Which order of the vertices is anticlockwise is the same for all triangles up to `toporient`: that of the largest one
 * shows it. */
static dls_status copy_triangles(const maker *m, qhT *qh, const unsigned *number)
{
    dls_hull *h = m->hull;
    facetT *facet;
    vertexT *vertex, **vertexp;
    double largest = 0.0;
    bool turned = false;
    h->triangle = dls_arena_take(m->memory, (size_t)qh->num_facets, sizeof *h->triangle);
    bool *top = DLS_TAKE(m->scratch, bool, (size_t)qh->num_facets);
    if (!h->triangle || !top)
        return no_hull_memory(m);
    FORALLfacets
    {
        const size_t t = h->n_triangles++;
        int k = 0;
        if (qh_setsize(qh, facet->vertices) != 3)
            return hull_refuse(m, "its convex hull has a side that is no triangle; simplify the mesh");
        FOREACHvertex_(facet->vertices) h->triangle[t].vertex[k++] = number[qh_pointid(qh, vertex->point)];
        h->triangle[t].normal = dls_unit(dls_v3(facet->normal[0], facet->normal[1], facet->normal[2]));
        top[t] = facet->toporient;
        const dls_vec3 area = triangle_area(h, t);
        if (dls_norm(area) > largest) {
            largest = dls_norm(area);
            turned = (dls_dot(area, h->triangle[t].normal) < 0.0) != (bool)facet->toporient;
        }
    }
    for (size_t t = 0; t < h->n_triangles; t++) {
        unsigned *v = h->triangle[t].vertex;
        if (top[t] != turned) {
            const unsigned swap = v[1];
            v[1] = v[2], v[2] = swap;
        }
        h->triangle[t].face = UINT_MAX; /* not found yet */
        h->triangle[t].height = -HUGE_VAL;
        for (int k = 0; k < 3; k++)
            h->triangle[t].height = fmax(h->triangle[t].height, dls_dot(h->triangle[t].normal, h->vertex[v[k]]));
    }
    return DLS_OK;
}

static dls_status copy_hull(const maker *m, qhT *qh, int outcome, size_t count)
{
    if (outcome == qh_ERRmem)
        return no_hull_memory(m);
    if (outcome == qh_ERRsingular || outcome == qh_ERRinput)
        return hull_refuse(m, "its points lie in a plane; a mesh that collides needs a volume");
    if (outcome != 0)
        return hull_refuse(m, "its convex hull cannot be computed; simplify the mesh");
    unsigned *number = DLS_TAKE_ZEROS(m->scratch, unsigned, count);
    if (!number)
        return no_hull_memory(m);
    DLS_TRY(copy_vertices(m, qh, number));
    return copy_triangles(m, qh, number);
}

static dls_status run_qhull(const maker *m, const dls_triangles *from)
{
    static char options[] = "qhull Qt Pp";
    const size_t count = 3 * from->count;
    coordT *points = DLS_TAKE(m->scratch, coordT, 3 * count);
    FILE *nowhere = fopen("/dev/null", "w");
    qhT state, *qh = &state;
    int kept, total;
    if (!points || !nowhere) {
        if (nowhere)
            fclose(nowhere);
        return no_hull_memory(m);
    }
    for (size_t i = 0; i < count; i++) {
        const dls_vec3 p = dls_add(from->corners[i], from->middle);
        points[3 * i] = p.x, points[3 * i + 1] = p.y, points[3 * i + 2] = p.z;
    }
    qh_zero(qh, nowhere);
    const int outcome = qh_new_qhull(qh, 3, (int)count, points, False, options, nowhere, nowhere);
    const dls_status status = copy_hull(m, qh, outcome, count);
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &kept, &total);
    fclose(nowhere);
    return status;
}

/* --- edges --- */

static int compare_edges(const void *a, const void *b)
{
    const half_edge *p = a, *q = b;
    const unsigned low[2] = {p->vertex[0] < p->vertex[1] ? p->vertex[0] : p->vertex[1],
                             q->vertex[0] < q->vertex[1] ? q->vertex[0] : q->vertex[1]};
    const unsigned high[2] = {p->vertex[0] + p->vertex[1] - low[0], q->vertex[0] + q->vertex[1] - low[1]};
    if (low[0] != low[1])
        return low[0] < low[1] ? -1 : 1;
    if (high[0] != high[1])
        return high[0] < high[1] ? -1 : 1;
    return p->triangle < q->triangle ? -1 : p->triangle > q->triangle;
}

static dls_status find_edges(maker *m)
{
    dls_hull *h = m->hull;
    const size_t n = 3 * h->n_triangles;
    m->sorted = DLS_TAKE(m->scratch, half_edge, n);
    m->edges = dls_arena_take(m->scratch, h->n_triangles, sizeof *m->edges);
    h->edge = dls_arena_take(m->memory, n / 2, sizeof *h->edge);
    if (!m->sorted || !m->edges || !h->edge)
        return no_hull_memory(m);
    for (size_t i = 0; i < n; i++) {
        const unsigned *v = h->triangle[i / 3].vertex;
        m->sorted[i] = (half_edge){{v[i % 3], v[(i + 1) % 3]}, (unsigned)(i / 3), (unsigned)(i % 3)};
    }
    qsort(m->sorted, n, sizeof *m->sorted, compare_edges);
    for (size_t e = 0; 2 * e < n; e++) {
        const half_edge *one = &m->sorted[2 * e], *other = one + 1;
        if (2 * e + 1 == n || one->vertex[0] != other->vertex[1] || one->vertex[1] != other->vertex[0])
            return hull_refuse(m, "its convex hull is not closed; simplify the mesh");
        for (int k = 0; k < 2; k++) {
            h->edge[e].vertex[k] = one->vertex[k];
            h->edge[e].triangle[k] = one[k].triangle;
            m->edges[one[k].triangle][one[k].edge] = (unsigned)e;
        }
    }
    h->n_edges = n / 2;
    return DLS_OK;
}

static dls_status list_edges(const maker *m)
{
    dls_hull *h = m->hull;
    h->first = DLS_TAKE_ZEROS(m->memory, unsigned, h->n_vertices + 2);
    h->edge_of = DLS_TAKE(m->memory, unsigned, 2 * h->n_edges);
    if (!h->first || !h->edge_of)
        return no_hull_memory(m);
    for (size_t e = 0; e < h->n_edges; e++)
        for (int k = 0; k < 2; k++)
            h->first[h->edge[e].vertex[k] + 2]++;
    for (size_t i = 0; i < h->n_vertices; i++)
        h->first[i + 2] += h->first[i + 1];
    for (size_t e = 0; e < h->n_edges; e++)
        for (int k = 0; k < 2; k++)
            h->edge_of[h->first[h->edge[e].vertex[k] + 1]++] = (unsigned)e;
    return DLS_OK;
}

static bool is_flat(const dls_hull *h)
{
    double volume = 0.0, area = 0.0;
    const dls_vec3 inside = h->vertex[0];
    for (size_t t = 0; t < h->n_triangles; t++) {
        const dls_vec3 normal = triangle_area(h, t);
        volume += dls_dot(normal, dls_sub(h->vertex[h->triangle[t].vertex[0]], inside)) / 3.0;
        area += dls_norm(normal);
    }
    return !(2.0 * volume > 1e-6 * area * sqrt(area));
}

/* --- sides --- */

static unsigned other_triangle(const dls_hull *h, unsigned edge, unsigned triangle)
{
    return h->edge[edge].triangle[h->edge[edge].triangle[0] == triangle];
}

/* All triangles of the side that begins with `seed`; they get the number of the side. */
static size_t gather_face(const maker *m, unsigned seed, unsigned side, bool *taken, unsigned *list)
{
    dls_hull *h = m->hull;
    const dls_vec3 n = h->triangle[seed].normal;
    size_t count = 1;
    list[0] = seed;
    taken[seed] = true;
    h->triangle[seed].face = side;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            const unsigned next = other_triangle(h, m->edges[list[i]][k], list[i]);
            if (taken[next] || dls_norm(dls_sub(h->triangle[next].normal, n)) > same_normal)
                continue;
            taken[next] = true;
            h->triangle[next].face = side;
            list[count++] = next;
        }
    return count;
}

/* The outer edges of a side in order, into `loop`: triangle and corner as 3 triangle + corner; their number, 0 where
 * they are no single loop. `next`: for each vertex, UINT_MAX. */
static size_t follow_border(const maker *m, const unsigned *list, size_t count, unsigned *next, unsigned *loop)
{
    const dls_hull *h = m->hull;
    size_t outer = 0, length = 0;
    bool simple = true;
    unsigned start = 0;
    for (size_t i = 0; i < count; i++)
        for (unsigned k = 0; k < 3; k++) {
            const unsigned t = list[i], from = h->triangle[t].vertex[k];
            if (h->triangle[other_triangle(h, m->edges[t][k], t)].face == h->triangle[t].face)
                continue;
            simple = simple && next[from] == UINT_MAX;
            next[from] = 3 * t + k;
            start = outer++ ? start : from;
        }
    for (unsigned at = start; simple && next[at] != UINT_MAX && length < outer;) {
        const unsigned half = loop[length++] = next[at];
        next[at] = UINT_MAX;
        at = h->triangle[half / 3].vertex[(half % 3 + 1) % 3];
    }
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            next[h->triangle[list[i]].vertex[k]] = UINT_MAX;
    return simple && length == outer ? length : 0;
}

static dls_status add_face(const maker *m, const unsigned *list, size_t count, const unsigned *loop, size_t length)
{
    dls_hull *h = m->hull;
    dls_hull_face *face = &h->face[h->n_faces++];
    const size_t kept = length < DLS_HULL_CORNERS ? length : DLS_HULL_CORNERS;
    unsigned *vertex = DLS_TAKE(m->memory, unsigned, 2 * kept + count), *edge = vertex + kept, *triangle = edge + kept;
    dls_vec3 area = {0, 0, 0};
    if (!vertex)
        return no_hull_memory(m);
    for (size_t i = 0; i < kept; i++) {
        const size_t at = i * length / kept, next = (i + 1) * length / kept;
        vertex[i] = h->triangle[loop[at] / 3].vertex[loop[at] % 3];
        edge[i] = next == at + 1 ? m->edges[loop[at] / 3][loop[at] % 3] : DLS_HULL_NO_EDGE;
    }
    for (size_t i = 0; i < count; i++) {
        triangle[i] = list[i];
        area = dls_add(area, triangle_area(h, list[i]));
    }
    const dls_vec3 normal = dls_norm(area) > 0.0 ? dls_unit(area) : h->triangle[list[0]].normal;
    *face = (dls_hull_face){normal, kept, vertex, edge, triangle, count};
    return DLS_OK;
}

static dls_status find_faces(const maker *m)
{
    dls_hull *h = m->hull;
    bool *taken = DLS_TAKE_ZEROS(m->scratch, bool, h->n_triangles);
    unsigned *list = DLS_TAKE(m->scratch, unsigned, h->n_triangles),
             *next = DLS_TAKE(m->scratch, unsigned, h->n_vertices);
    unsigned *loop = DLS_TAKE(m->scratch, unsigned, 3 * h->n_triangles);
    h->face = DLS_TAKE(m->memory, dls_hull_face, h->n_triangles);
    if (!taken || !list || !next || !loop || !h->face)
        return no_hull_memory(m);
    memset(next, 255, h->n_vertices * sizeof *next);
    for (unsigned t = 0; t < h->n_triangles; t++) {
        if (taken[t])
            continue;
        const size_t count = gather_face(m, t, (unsigned)h->n_faces, taken, list),
                     length = follow_border(m, list, count, next, loop);
        if (length) {
            DLS_TRY(add_face(m, list, count, loop, length));
            continue;
        }
        for (size_t i = 0; i < count; i++) {
            const unsigned own[3] = {3 * list[i], 3 * list[i] + 1, 3 * list[i] + 2};
            h->triangle[list[i]].face = (unsigned)h->n_faces;
            DLS_TRY(add_face(m, &list[i], 1, own, 3));
        }
    }
    return DLS_OK;
}

/* --- pictures --- */

static dls_status keep_picture(const maker *m)
{
    dls_hull *h = m->hull;
    dls_vec3 low = h->vertex[0], high = low;
    h->shown.corners = DLS_TAKE(m->memory, dls_vec3, 3 * h->n_triangles);
    if (!h->shown.corners)
        return no_hull_memory(m);
    for (size_t i = 0; i < h->n_vertices; i++) {
        const dls_vec3 p = h->vertex[i];
        low = dls_v3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = dls_v3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    h->shown.middle = dls_scale(0.5, dls_add(low, high));
    h->shown.half = dls_scale(0.5, dls_sub(high, low));
    for (size_t t = 0; t < h->n_triangles; t++) {
        if (!(dls_norm(triangle_area(h, t)) > 0.0))
            continue;
        for (size_t k = 0; k < 3; k++)
            h->shown.corners[3 * h->shown.count + k] = dls_sub(h->vertex[h->triangle[t].vertex[k]], h->shown.middle);
        h->shown.count++;
    }
    return DLS_OK;
}

static dls_status hull_make(maker *m, const dls_triangles *from)
{
    DLS_TRY(run_qhull(m, from));
    DLS_TRY(find_edges(m));
    if (is_flat(m->hull))
        return hull_refuse(m, "it is thinner than a millionth of its size; a mesh that collides needs a volume");
    DLS_TRY(list_edges(m));
    DLS_TRY(find_faces(m));
    return keep_picture(m);
}

dls_status dls_hull_create(const dls_triangles *from, const char *path, dls_arena *memory, const dls_hull **hull,
                           dls_error *error)
{
    dls_arena scratch = {0};
    maker m = {.hull = DLS_TAKE_ZEROS(memory, dls_hull, 1),
               .path = path,
               .memory = memory,
               .scratch = &scratch,
               .error = error};
    const dls_status status = m.hull ? hull_make(&m, from) : no_hull_memory(&m);
    dls_arena_release(&scratch);
    *hull = status == DLS_OK ? m.hull : NULL;
    return status;
}
