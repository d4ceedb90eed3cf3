/* decision_tree.h - a tree that chooses one of several classes at a cost for each sample. Not installed. */
#ifndef DELASSUS_EXPERIMENTS_DECISION_TREE_H
#define DELASSUS_EXPERIMENTS_DECISION_TREE_H

#include "delassus/scene.h"

#include <stdbool.h>

/* The examples that a tree is learnt from. */
typedef struct dls_samples {
    size_t n, n_properties, n_classes;
    double *property; /* n x n_properties; NaN: not known */
    double *cost;     /* n x n_classes: of choosing this class for this sample */
} dls_samples;

enum { DLS_TREE_DEPTH = 4, DLS_TREE_NODES = (2 << DLS_TREE_DEPTH) - 1, DLS_TREE_LEAF = 5 };

typedef struct dls_tree_node {
    size_t depth, property;   /* DLS_NONE: a leaf */
    double threshold;         /* samples with property <= threshold go to the child `below`, others to `above` */
    size_t below, above;      /* nodes */
    size_t choice, n_samples; /* the class of the least cost, and the samples of the node */
    double cost;              /* of that class, summed over them */
} dls_tree_node;
/* Node 0 is the root; children come after their parent. */
typedef struct dls_tree {
    size_t count;
    dls_tree_node node[DLS_TREE_NODES];
} dls_tree;

/* Learns a tree of at most `depth` <= DLS_TREE_DEPTH questions one after another from the samples with use[i]. */
dls_status dls_tree_learn(const dls_samples *samples, const bool *use, size_t depth, dls_tree *tree, dls_error *error);
/* The leaf of a sample, and its class tree->node[leaf].choice. */
size_t dls_tree_leaf(const dls_tree *tree, const double *property);

#endif
