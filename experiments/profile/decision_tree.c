/* Classification by a tree (L. Breiman, J. H. Friedman, R. A. Olshen, C. J. Stone, Classification and Regression Trees,
 * 1984), with a cost for each sample and class in the place of a number of errors. The cost of a node is the least sum
 * over the classes; a node is split at the property and threshold, between two values that occur, which leave the least
 * cost in the two children. Each child has at least 5 samples. A split that saves less than 1, the cost of one wrong
 * choice, is not made, and there is no other pruning. An unknown property counts as larger than every threshold. */
#include "profile/decision_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct learner {
    const dls_samples *of;
    size_t depth;
    dls_tree *tree;
    size_t *order;       /* n: samples, those of a node together */
    double *below, *all; /* n_classes: summed costs */
    double (*keys)[2];   /* n: value and sample */
} learner;

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

static void sort_samples(learner *l, const size_t *samples, size_t n, size_t property)
{
    for (size_t i = 0; i < n; i++) {
        const double x = l->of->property[samples[i] * l->of->n_properties + property];
        l->keys[i][0] = isnan(x) ? HUGE_VAL : x, l->keys[i][1] = (double)samples[i];
    }
    qsort(l->keys, n, sizeof *l->keys, by_value);
}

/* The class of the least cost, the first of several. */
static size_t least(const double *cost, size_t n)
{
    size_t best = 0;
    for (size_t c = 1; c < n; c++)
        best = cost[c] < cost[best] ? c : best;
    return best;
}

static void add_costs(const dls_samples *of, size_t sample, double *sum)
{
    for (size_t c = 0; c < of->n_classes; c++)
        sum[c] += of->cost[sample * of->n_classes + c];
}

static double least_of_rest(const learner *l)
{
    double best = HUGE_VAL;
    for (size_t c = 0; c < l->of->n_classes; c++)
        best = fmin(best, l->all[c] - l->below[c]);
    return best;
}

/* The threshold between two values; the lower one, where their mean is rounded to the upper one. */
static double between(double low, double high)
{
    const double mean = isinf(high) ? low : 0.5 * low + 0.5 * high;
    return mean < high ? mean : low;
}

/* Finds the best split of a node; its cost is at least 1 less than that of the node, or there is none. */
static bool find_split(learner *l, dls_tree_node *node, const size_t *samples)
{
    const size_t n = node->n_samples;
    double lowest = node->cost - 1.0;
    for (size_t p = 0; p < l->of->n_properties; p++) {
        sort_samples(l, samples, n, p);
        memset(l->below, 0, l->of->n_classes * sizeof *l->below);
        for (size_t k = 0; k + DLS_TREE_LEAF < n; k++) {
            add_costs(l->of, (size_t)l->keys[k][1], l->below);
            if (k + 1 < DLS_TREE_LEAF || !(l->keys[k][0] < l->keys[k + 1][0]))
                continue;
            const double cost = l->below[least(l->below, l->of->n_classes)] + least_of_rest(l);
            if (cost < lowest) {
                lowest = cost;
                node->property = p;
                node->threshold = between(l->keys[k][0], l->keys[k + 1][0]);
            }
        }
    }
    return node->property != DLS_NONE;
}

static bool is_below(const dls_tree_node *node, const double *property)
{
    return property[node->property] <= node->threshold;
}

/* Moves the samples below the threshold to the front; returns their number. */
static size_t partition(const learner *l, const dls_tree_node *node, size_t *samples)
{
    size_t front = 0;
    for (size_t i = 0; i < node->n_samples; i++)
        if (is_below(node, l->of->property + samples[i] * l->of->n_properties)) {
            const size_t moved = samples[i];
            samples[i] = samples[front];
            samples[front++] = moved;
        }
    return front;
}

/* Makes a node of these samples, and its children; returns its number. */
static size_t grow(learner *l, size_t *samples, size_t n, size_t depth)
{
    const size_t at = l->tree->count++;
    dls_tree_node *node = &l->tree->node[at];
    memset(l->all, 0, l->of->n_classes * sizeof *l->all);
    for (size_t i = 0; i < n; i++)
        add_costs(l->of, samples[i], l->all);
    const size_t choice = least(l->all, l->of->n_classes);
    *node =
        (dls_tree_node){.depth = depth, .property = DLS_NONE, .choice = choice, .n_samples = n, .cost = l->all[choice]};
    if (depth < l->depth && find_split(l, node, samples)) {
        const size_t front = partition(l, node, samples);
        node->below = grow(l, samples, front, depth + 1);
        node->above = grow(l, samples + front, n - front, depth + 1);
    }
    return at;
}

dls_status dls_tree_learn(const dls_samples *samples, const bool *use, size_t depth, dls_tree *tree, dls_error *error)
{
    learner l = {.of = samples, .depth = depth, .tree = tree};
    size_t n = 0;
    l.order = malloc((samples->n + 1) * sizeof *l.order);
    l.keys = malloc((samples->n + 1) * sizeof *l.keys);
    l.below = malloc((2 * samples->n_classes + 1) * sizeof *l.below);
    tree->count = 0;
    if (l.order && l.keys && l.below) {
        l.all = l.below + samples->n_classes;
        for (size_t i = 0; i < samples->n; i++)
            if (use[i])
                l.order[n++] = i;
        grow(&l, l.order, n, 0);
    }
    free(l.order), free(l.keys), free(l.below);
    return tree->count > 0 ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for a tree of %zu samples", samples->n);
}

size_t dls_tree_leaf(const dls_tree *tree, const double *property)
{
    size_t at = 0;
    while (tree->node[at].property != DLS_NONE)
        at = is_below(&tree->node[at], property) ? tree->node[at].below : tree->node[at].above;
    return at;
}
