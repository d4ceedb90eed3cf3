/* Triangles that meet: corners in one place, and sides with one edge, are brought together by sorting them. */
#include "mesh_sides.h"

#include <stdlib.h>

typedef struct corner {
    dls_vec3 at;
    size_t number;
} corner;

static int compare_corners(const void *a, const void *b)
{
    const corner *p = a, *q = b;
    for (int k = 0; k < 3; k++) {
        const double x = dls_get3(p->at, k), y = dls_get3(q->at, k);
        if (x != y)
            return x < y ? -1 : 1;
    }
    return p->number < q->number ? -1 : p->number > q->number;
}

size_t dls_mesh_join(const dls_vec3 *from, size_t count, dls_arena *scratch, dls_vec3 *vertex, unsigned *number)
{
    corner *corners = DLS_TAKE(scratch, corner, count);
    size_t n = 0;
    for (size_t i = 0; corners && i < count; i++)
        corners[i] = (corner){from[i], i};
    if (corners)
        qsort(corners, count, sizeof *corners, compare_corners);
    for (size_t i = 0; corners && i < count; i++) {
        if (i == 0 || dls_norm(dls_sub(corners[i].at, vertex[n - 1])) > 0.0)
            vertex[n++] = corners[i].at;
        number[corners[i].number] = (unsigned)(n - 1);
    }
    return n;
}

static int compare_sides(const void *a, const void *b)
{
    const dls_mesh_side *p = a, *q = b;
    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    if (p->high != q->high)
        return p->high < q->high ? -1 : 1;
    return p->face < q->face ? -1 : p->face > q->face;
}

void dls_mesh_sort_sides(const unsigned *number, size_t faces, dls_mesh_side *sides)
{
    for (size_t i = 0; i < 3 * faces; i++) {
        const unsigned a = number[i], b = number[i % 3 < 2 ? i + 1 : i - 2];
        sides[i] = (dls_mesh_side){a < b ? a : b, a < b ? b : a, (unsigned)(i / 3), (a < b) - (b < a)};
    }
    if (faces)
        qsort(sides, 3 * faces, sizeof *sides, compare_sides);
}

size_t dls_mesh_edge_end(const dls_mesh_side *sides, size_t n, size_t i)
{
    size_t end = i + 1;
    while (end < n && sides[end].low == sides[i].low && sides[end].high == sides[i].high)
        end++;
    return end;
}
