/* overlaps.h - which of many axis-aligned boxes overlap: the broad phase of collision detection. Not installed.
 *
 *     dls_overlaps overlaps = {0};
 *     dls_overlaps_reserve(&overlaps, n_bodies);
 *     for (...) overlaps.boxes[overlaps.n++] = (dls_bounding_box){...};
 *     dls_overlaps_find(&overlaps);
 *     for (size_t k = 0; k < overlaps.n_pairs; k++) ... overlaps.pairs[k] ...
 *     dls_overlaps_release(&overlaps);
 *
 * The boxes stay from call to call, in another order; only those that have moved need new bounds.
 */
#ifndef DELASSUS_CONTACT_OVERLAPS_H
#define DELASSUS_CONTACT_OVERLAPS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct dls_bounding_box {
    double at[6]; /* least and greatest x, y and z [m]; infinite where the body is unbounded */
    size_t body;  /* at most one box of each */
    bool movable; /* two boxes that are not movable are no pair */
} dls_bounding_box;

typedef struct dls_pair {
    size_t body[2]; /* body[0] < body[1] */
} dls_pair;

typedef struct dls_overlaps {
    size_t n, n_bodies, n_nodes;
    double sides; /* of all nodes when the tree was built [m] */
    dls_bounding_box *boxes;
    struct dls_overlaps_node *nodes;
    size_t *start; /* of each body's pairs while they are sorted */
    size_t n_pairs, capacity, spare_capacity;
    dls_pair *pairs, *spare;
} dls_overlaps;

/* Room for a box of each of `n_bodies`; false where memory is exhausted. */
bool dls_overlaps_reserve(dls_overlaps *overlaps, size_t n_bodies);
/* All pairs of boxes that share a point, sorted by body[0], then body[1]. O(n log n) time in n boxes that overlap few
 * others each, whatever their sizes; allocates only where there are more pairs than ever before. False where memory is
 * exhausted. */
bool dls_overlaps_find(dls_overlaps *overlaps);
void dls_overlaps_release(dls_overlaps *overlaps);
/* Sorts `count` pairs of bodies below `n_bodies`; `spare` has room for as many, `start` for n_bodies + 1 numbers. */
void dls_pairs_sort(dls_pair *pairs, dls_pair *spare, size_t count, size_t *start, size_t n_bodies);

#endif
