/* Trees that choose: a split is the best of all, no tree costs more than its root, and what can be told apart is. */
#include "check.h"

#include "base/draw.h"
#include "profile/decision_tree.h"

#include <math.h>

enum { N = 60, PROPERTIES = 3, CLASSES = 4 };
static double property[N * PROPERTIES], cost[N * CLASSES];
static bool use[N];
static const dls_samples samples = {N, PROPERTIES, CLASSES, property, cost};

/* Properties of few values, so that many are equal, and some are not known. */
static void draw_samples(uint64_t seed)
{
    for (size_t k = 0; k < N * PROPERTIES; k++)
        property[k] = dls_draw_below(&seed, 9) == 0 ? NAN : (double)dls_draw_below(&seed, 12);
    for (size_t k = 0; k < N * CLASSES; k++)
        cost[k] = (double)dls_draw_below(&seed, 3);
    for (size_t i = 0; i < N; i++)
        use[i] = dls_draw_below(&seed, 5) > 0;
}

/* The cost of the best class for samples in use whose property p is (or is not) at most t; `n`: their number. */
static double cost_of_side(size_t p, double t, bool below, size_t *n)
{
    double sum[CLASSES] = {0.0}, best = HUGE_VAL;
    *n = 0;
    for (size_t i = 0; i < N; i++)
        if (use[i] && (property[i * PROPERTIES + p] <= t) == below) {
            ++*n;
            for (size_t c = 0; c < CLASSES; c++)
                sum[c] += cost[i * CLASSES + c];
        }
    for (size_t c = 0; c < CLASSES; c++)
        best = fmin(best, sum[c]);
    return best;
}

static double cost_of_tree(const dls_tree *tree)
{
    double sum = 0.0;
    for (size_t i = 0; i < N; i++)
        sum += use[i] ? cost[i * CLASSES + tree->node[dls_tree_leaf(tree, property + i * PROPERTIES)].choice] : 0.0;
    return sum;
}

TEST(decision_tree_splits_are_the_best_of_all)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        dls_tree none, one, deep;
        size_t below, above;
        draw_samples(seed);
        assert_status(dls_tree_learn(&samples, use, 0, &none, NULL), NULL);
        assert_status(dls_tree_learn(&samples, use, 1, &one, NULL), NULL);
        assert_status(dls_tree_learn(&samples, use, DLS_TREE_DEPTH, &deep, NULL), NULL);
        double best = cost_of_tree(&none);
        for (size_t p = 0; p < PROPERTIES; p++)
            for (int t = 0; t < 12; t++) {
                const double split = cost_of_side(p, t, true, &below) + cost_of_side(p, t, false, &above);
                if (below >= DLS_TREE_LEAF && above >= DLS_TREE_LEAF && split < cost_of_tree(&none) - 1.0)
                    best = fmin(best, split);
            }
        assert_true(cost_of_tree(&one) == best);
        assert_true(cost_of_tree(&deep) <= best);
    }
}

TEST(decision_tree_tells_apart_what_one_question_after_another_can)
{
    dls_tree tree;
    uint64_t seed = 7;
    for (size_t i = 0; i < N; i++) {
        const double x = (double)i + 0.25, y = (double)dls_draw_below(&seed, 100);
        const size_t right = x < 20.0 ? 2 : y < 50.0 ? 0 : 3;
        property[i * PROPERTIES] = x, property[i * PROPERTIES + 1] = y, property[i * PROPERTIES + 2] = 1.0;
        for (size_t c = 0; c < CLASSES; c++)
            cost[i * CLASSES + c] = c == right ? 0.0 : 1.0;
        use[i] = true;
    }
    assert_status(dls_tree_learn(&samples, use, 2, &tree, NULL), NULL);
    assert_true(cost_of_tree(&tree) == 0.0);
    /* And samples that were not learnt from. */
    const double others[3][PROPERTIES] = {{19.0, 80.0, 1.0}, {90.0, 1.0, 1.0}, {90.0, 99.0, NAN}};
    const size_t wanted[3] = {2, 0, 3};
    for (size_t k = 0; k < 3; k++)
        assert_int_equal(tree.node[dls_tree_leaf(&tree, others[k])].choice, wanted[k]);
}
