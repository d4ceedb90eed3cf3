/* trees.h - trees of hinges with a fixed base, for this program and for its peers (peer.h). */
#ifndef DELASSUS_BENCH_TREES_H
#define DELASSUS_BENCH_TREES_H

#include "peer.h"

#include "delassus/articulation.h"

#include <stdbool.h>

enum { BENCH_LIMB = 6 }; /* hinges of the trunk, and of each limb */

/* n hinges in a chain, or `branched`, a trunk with four limbs: 5 BENCH_LIMB of them. False: no memory. */
bool bench_tree_make(bench_tree *tree, size_t n, bool branched);
void bench_tree_release(bench_tree *tree);
/* Adds the links `base` and l0, l1, ... to the definition. */
dls_status bench_tree_define(const bench_tree *tree, dls_articulation_def *def, dls_error *error);

#endif
