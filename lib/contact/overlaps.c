/* A tree of bounding boxes, halved at the median of its longest side: J. Goldsmith and J. Salmon, "Automatic creation
 * of object hierarchies for ray tracing", IEEE Computer Graphics and Applications 7(5), 1987; G. van den Bergen,
 * "Efficient collision detection of complex deformable models using AABB trees", Journal of Graphics Tools 2(4), 1997.
 *
 * The boxes of a node are adjacent, and the nodes are in preorder: after a node come its two halves, then, at
 * `next`, the nodes outside it. The partners of a leaf that come after it are found in one walk from it to the last
 * node, which steps over each node that the leaf does not overlap.
 *
 * The tree stays while its boxes move; it is built again once its nodes have grown by a quarter. No pair depends on
 * it. */
#include "overlaps.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF = 6 }; /* boxes of a leaf, at most */

typedef struct dls_overlaps_node {
    double at[6];
    size_t first, count, next;
} node;

static bool boxes_overlap(const double *a, const double *b)
{
    return a[0] <= b[1] && b[0] <= a[1] && a[2] <= b[3] && b[2] <= a[3] && a[4] <= b[5] && b[4] <= a[5];
}

/* --- tree --- */

/* Twice the middle of a box along an axis. */
static double box_middle(const dls_bounding_box *box, int axis) { return box->at[2 * axis] + box->at[2 * axis + 1]; }

static void swap_boxes(dls_bounding_box *a, dls_bounding_box *b)
{
    dls_bounding_box c = *a;
    *a = *b, *b = c;
}

/* Moves the boxes with the `half` lowest middles to the front: C. A. R. Hoare, "Algorithm 65: Find", Communications of
 * the ACM 4(7), 1961. */
static void split_boxes(dls_bounding_box *box, size_t count, size_t half, int axis)
{
    ptrdiff_t low = 0, high = (ptrdiff_t)count - 1, at = (ptrdiff_t)half;
    while (low < high) {
        const double pivot = box_middle(&box[at], axis);
        ptrdiff_t i = low, j = high;
        while (i <= j) {
            while (box_middle(&box[i], axis) < pivot)
                i++;
            while (pivot < box_middle(&box[j], axis))
                j--;
            if (i > j)
                break;
            if (i < j)
                swap_boxes(&box[i], &box[j]);
            i++, j--;
        }
        if (j < at)
            low = i;
        if (at < i)
            high = j;
    }
}

static void enclose_box(double *at, const double *other)
{
    for (int i = 0; i < 6; i += 2) {
        at[i] = other[i] < at[i] ? other[i] : at[i];
        at[i + 1] = other[i + 1] > at[i + 1] ? other[i + 1] : at[i + 1];
    }
}

/* The subtree of boxes first to first + count - 1 from node `k` on, yet without bounds; returns the node after it. */
static size_t build_subtree(dls_overlaps *o, size_t first, size_t count, size_t k)
{
    node *made = &o->nodes[k];
    *made = (node){.first = first, .count = count, .next = k + 1};
    if (count <= LEAF)
        return made->next;
    int longest = 0;
    double at[6];
    memcpy(at, o->boxes[first].at, sizeof at);
    for (size_t i = 1; i < count; i++)
        enclose_box(at, o->boxes[first + i].at);
    for (int axis = 1; axis < 3; axis++)
        if (at[2 * axis + 1] - at[2 * axis] > at[2 * longest + 1] - at[2 * longest])
            longest = axis;
    split_boxes(o->boxes + first, count, count / 2, longest);
    size_t right = build_subtree(o, first, count / 2, k + 1);
    return made->next = build_subtree(o, first + count / 2, count - count / 2, right);
}

/* Bounds of all nodes; the sum of the lengths of their sides. */
static double fit_tree(dls_overlaps *o)
{
    double sides = 0.0;
    for (size_t k = o->n_nodes; k-- > 0;) {
        node *n = &o->nodes[k];
        if (n->count > LEAF) {
            memcpy(n->at, o->nodes[k + 1].at, sizeof n->at);
            enclose_box(n->at, o->nodes[o->nodes[k + 1].next].at);
        } else {
            memcpy(n->at, o->boxes[n->first].at, sizeof n->at);
            for (size_t i = 1; i < n->count; i++)
                enclose_box(n->at, o->boxes[n->first + i].at);
        }
        sides += n->at[1] - n->at[0] + n->at[3] - n->at[2] + n->at[5] - n->at[4];
    }
    return sides;
}

/* Fits the tree to `count` boxes, and builds it again where that has become poor. */
static void renew_tree(dls_overlaps *o, size_t count)
{
    const bool same = o->n_nodes > 0 && o->nodes[0].count == count;
    if (same && fit_tree(o) <= 1.25 * o->sides)
        return;
    o->n_nodes = count ? build_subtree(o, 0, count, 0) : 0;
    o->sides = fit_tree(o);
}

/* Boxes that reach to infinity have no middle; they go to the end. How many are finite. */
static size_t set_unbounded_apart(dls_overlaps *o)
{
    size_t finite = 0;
    for (size_t k = 0; k < o->n; k++) {
        double extent = 0.0;
        for (int i = 0; i < 6; i++)
            extent += fabs(o->boxes[k].at[i]);
        if (!(extent < HUGE_VAL))
            continue;
        if (k != finite)
            swap_boxes(&o->boxes[k], &o->boxes[finite]);
        finite++;
    }
    return finite;
}

/* --- pairs --- */

static bool put_pair(dls_overlaps *o, const dls_bounding_box *a, const dls_bounding_box *b)
{
    if (!(a->movable || b->movable) || !boxes_overlap(a->at, b->at))
        return true;
    if (o->n_pairs == o->capacity && !DLS_GROW(o->pairs, o->capacity, o->n_pairs + 1))
        return false;
    o->pairs[o->n_pairs++] = a->body < b->body ? (dls_pair){{a->body, b->body}} : (dls_pair){{b->body, a->body}};
    return true;
}

/* The pairs of one box with `count` others. */
static bool put_pairs(dls_overlaps *o, const dls_bounding_box *box, const dls_bounding_box *others, size_t count)
{
    bool ok = true;
    for (size_t k = 0; k < count; k++)
        ok = put_pair(o, box, &others[k]) && ok;
    return ok;
}

static bool find_in_tree(dls_overlaps *o)
{
    bool ok = true;
    for (size_t l = 0; l < o->n_nodes; l++) {
        const node *leaf = &o->nodes[l];
        if (leaf->count > LEAF)
            continue;
        const dls_bounding_box *box = o->boxes + leaf->first;
        for (size_t i = 0; i < leaf->count; i++)
            ok = put_pairs(o, &box[i], &box[i + 1], leaf->count - i - 1) && ok;
        for (size_t k = l + 1; k < o->n_nodes;) {
            const node *other = &o->nodes[k];
            if (!boxes_overlap(leaf->at, other->at)) {
                k = other->next;
                continue;
            }
            k++;
            for (size_t i = 0; i < leaf->count && other->count <= LEAF; i++)
                if (boxes_overlap(box[i].at, other->at))
                    ok = put_pairs(o, &box[i], o->boxes + other->first, other->count) && ok;
        }
    }
    return ok;
}

/* Sorts by body[which], and keeps the order of equal ones. */
static void sort_by_body(const dls_pair *from, dls_pair *to, size_t count, int which, size_t *start, size_t n_bodies)
{
    memset(start, 0, (n_bodies + 1) * sizeof *start);
    for (size_t k = 0; k < count; k++)
        start[from[k].body[which] + 1]++;
    for (size_t i = 0; i < n_bodies; i++)
        start[i + 1] += start[i];
    for (size_t k = 0; k < count; k++)
        to[start[from[k].body[which]]++] = from[k];
}

void dls_pairs_sort(dls_pair *pairs, dls_pair *spare, size_t count, size_t *start, size_t n_bodies)
{
    sort_by_body(pairs, spare, count, 1, start, n_bodies);
    sort_by_body(spare, pairs, count, 0, start, n_bodies);
}

bool dls_overlaps_find(dls_overlaps *o)
{
    o->n_pairs = 0;
    const size_t finite = set_unbounded_apart(o);
    renew_tree(o, finite);
    bool ok = find_in_tree(o);
    for (size_t k = finite; k < o->n; k++)
        ok = put_pairs(o, &o->boxes[k], o->boxes, k) && ok;
    if (!ok || !DLS_GROW(o->spare, o->spare_capacity, o->n_pairs))
        return false;
    dls_pairs_sort(o->pairs, o->spare, o->n_pairs, o->start, o->n_bodies);
    return true;
}

/* --- memory --- */

bool dls_overlaps_reserve(dls_overlaps *o, size_t n_bodies)
{
    dls_overlaps_release(o);
    o->n_bodies = n_bodies;
    o->boxes = calloc(n_bodies + 1, sizeof *o->boxes);
    o->nodes = calloc(n_bodies + 1, sizeof *o->nodes); /* each leaf but the root has two boxes or more */
    o->start = calloc(n_bodies + 1, sizeof *o->start);
    return o->boxes && o->nodes && o->start;
}

void dls_overlaps_release(dls_overlaps *o)
{
    free(o->boxes);
    free(o->nodes);
    free(o->start);
    free(o->pairs);
    free(o->spare);
    *o = (dls_overlaps){0};
}
