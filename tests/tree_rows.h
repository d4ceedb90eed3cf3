/* tree_rows.h - drawn rows on an articulation, and J^T of them. */
#ifndef DLS_TESTS_TREE_ROWS_H
#define DLS_TESTS_TREE_ROWS_H

#include "articulated.h"
#include "check.h"

typedef struct forces {
    size_t rows, n;
    dls_tree_force *at;
} forces;

/* Rows on links near and far, some of three forces, as loops and mimic joints have; every third on a degree of freedom.
 * Several are on one link, more than six on a way. */
static inline forces draw_forces(uint64_t *seed, const dls_articulation *art, size_t rows)
{
    forces f = {rows, 0, calloc(3 * rows, sizeof *f.at)};
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < 1 + i % 3; k++) {
            const bool on_dof = art->nv && (i + k) % 3 == 2;
            dls_tree_force *force = &f.at[f.n++];
            *force = (dls_tree_force){.row = i, .dof = DLS_NONE};
            if (on_dof)
                force->dof = draw_index(seed, art->nv), force->force = draw(seed);
            else {
                force->link = i % 4 ? draw_index(seed, art->n_links) : art->n_links - 1;
                force->wrench = (dls_spatial){draw3(seed), draw3(seed)};
            }
        }
    return f;
}

/* J^T, nv x rows: every entry is the force on a degree of freedom of a link's path to the root. */
static inline double *transposed(const articulated *a, const forces *f)
{
    const size_t nv = a->art->nv;
    double *y = calloc(nv * f->rows + 1, sizeof *y);
    for (size_t i = 0; i < f->n; i++) {
        const dls_tree_force *force = &f->at[i];
        double *column = y + force->row * nv;
        if (force->dof != DLS_NONE) {
            column[force->dof] += force->force;
            continue;
        }
        for (size_t k = dls_articulation_last_dof(a->art, force->link); k != DLS_NONE; k = a->art->dof_before[k]) {
            dls_vec3 arm = dls_sub(a->work->links[force->link].c, a->work->links[a->art->dof_link[k]].c);
            column[k] += dls_spatial_dot(a->work->S[k], dls_force_at(force->wrench, arm));
        }
    }
    return y;
}

#endif
