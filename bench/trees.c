/* Trees of hinges that are timed: a chain, and a trunk with four limbs. */
#include "trees.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Two limbs on the far end of the trunk, then two on its first link. */
static size_t limb_parent(size_t i)
{
    size_t limb = i / BENCH_LIMB;
    return limb == 0 || i % BENCH_LIMB ? i - 1 : limb < 3 ? BENCH_LIMB - 1 : 0;
}

static void shape(bench_tree *tree, bool branched)
{
    tree->gravity = 9.81;
    for (size_t i = 0; i < tree->n; i++) {
        double t = (double)(i + 1);
        tree->hinges[i] = (bench_hinge){i == 0     ? BENCH_WORLD
                                        : branched ? limb_parent(i)
                                                   : i - 1,
                                        (int)(i % 3),
                                        {0.02, 0.01, i ? 0.2 : 0.0},
                                        {0.01, -0.01, 0.1},
                                        1.0 + 0.5 * sin(t),
                                        {0.004, 0.005, 0.003}};
        tree->q[i] = sin(2.0 * t), tree->v[i] = cos(t), tree->vdot[i] = sin(t), tree->tau[i] = cos(3.0 * t);
    }
}

void bench_tree_release(bench_tree *tree)
{
    free(tree->hinges);
    free(tree->q);
}

bool bench_tree_make(bench_tree *tree, size_t n, bool branched)
{
    *tree = (bench_tree){.n = n, .hinges = calloc(n, sizeof *tree->hinges), .q = calloc(4 * n, sizeof *tree->q)};
    if (!tree->hinges || !tree->q) {
        bench_tree_release(tree);
        return false;
    }
    tree->v = tree->q + n, tree->vdot = tree->v + n, tree->tau = tree->vdot + n;
    shape(tree, branched);
    return true;
}

static dls_status add_hinge(dls_articulation_def *def, const bench_tree *tree, size_t i, dls_error *error)
{
    const bench_hinge *h = &tree->hinges[i];
    dls_link_def link;
    dls_link_default(&link);
    snprintf(link.name, sizeof link.name, "l%zu", i);
    snprintf(link.parent, sizeof link.parent, "base");
    if (h->parent != BENCH_WORLD)
        snprintf(link.parent, sizeof link.parent, "l%zu", h->parent);
    link.motion = dls_motion_find("revolute");
    link.axis[0] = (dls_axis)(DLS_TWIST + h->axis);
    link.parent_frame.p = dls_v3(h->anchor[0], h->anchor[1], h->anchor[2]);
    link.mass = h->mass;
    link.centre = dls_v3(h->centre[0], h->centre[1], h->centre[2]);
    link.inertia = (dls_mat3){{h->inertia[0], 0, 0, 0, h->inertia[1], 0, 0, 0, h->inertia[2]}};
    link.q[0] = tree->q[i];
    link.speed[0] = tree->v[i];
    return dls_articulation_def_add(def, &link, error);
}

dls_status bench_tree_define(const bench_tree *tree, dls_articulation_def *def, dls_error *error)
{
    dls_link_def base;
    dls_link_default(&base);
    snprintf(base.name, sizeof base.name, "base");
    def->fixed_base = true;
    DLS_TRY(dls_articulation_def_add(def, &base, error));
    for (size_t i = 0; i < tree->n; i++)
        DLS_TRY(add_hinge(def, tree, i, error));
    return DLS_OK;
}
