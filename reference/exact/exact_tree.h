/* exact_tree.h - the record of an exact search, which others can check. Not installed.
 *
 * JSON text: a choice of row i is {"row": i, "zero": T, "lower": T, "upper": T}, with a tree T for each of its closed
 * states, "lower" and "upper" only where it has such a bound; a choice that is contradictory is {"farkas": [y, ..]},
 * with the factors of w of dls_exact_simplex_conflict; a complete choice with a single point is {}. */
#ifndef DELASSUS_REFERENCE_EXACT_TREE_H
#define DELASSUS_REFERENCE_EXACT_TREE_H

#include "exact_simplex.h"

typedef struct dls_exact_tree {
    FILE *to; /* into text */
    char *text;
    size_t length;
    bool incomplete; /* a complete choice is not known to have a single point */
} dls_exact_tree;

/* All functions but these two do nothing where `tree` is NULL. */
bool dls_exact_tree_open(dls_exact_tree *tree); /* false: no memory */
/* Ends the text, which the caller owns: NULL where it is incomplete, or memory was not enough. */
char *dls_exact_tree_close(dls_exact_tree *tree);

void dls_exact_tree_row(dls_exact_tree *tree, size_t row);
void dls_exact_tree_side(dls_exact_tree *tree, const char *side);
void dls_exact_tree_row_end(dls_exact_tree *tree);
void dls_exact_tree_contradiction(dls_exact_tree *tree, const dls_exact_simplex *simplex);
/* `single`: it has a single point. */
void dls_exact_tree_point(dls_exact_tree *tree, bool single);

#endif
