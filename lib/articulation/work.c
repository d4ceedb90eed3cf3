/* Objects that are made for a tree: work space and load. Each lives with all its arrays in one arena. */
#include "parts.h"

#include <string.h>

/* --- work space --- */

dls_status dls_articulation_work_create(const dls_articulation *art, dls_articulation_work **work, dls_error *error)
{
    dls_arena m = {0};
    const size_t n = art->n_links, nv = art->nv;
    const struct dls_articulation_inside *tree = art->inside;
    dls_articulation_work *w = DLS_TAKE_ZEROS(&m, dls_articulation_work, 1);
    struct dls_articulation_work_inside in = {
        .composite = DLS_TAKE_ZEROS(&m, dls_rigid_inertia, n),
        .F = DLS_TAKE_ZEROS(&m, dls_spatial, nv),
        .columns = DLS_TAKE_ZEROS(&m, double, 12 * n),
        .sine = DLS_TAKE_ZEROS(&m, double, art->nq),
        .cosine = DLS_TAKE_ZEROS(&m, double, art->nq),
        .S0 = DLS_TAKE_ZEROS(&m, double, 6 * DLS_FOURS(nv)),
        .F0 = DLS_TAKE_ZEROS(&m, double, 6 * DLS_FOURS(nv)),
        .diagonal = DLS_TAKE_ZEROS(&m, double, DLS_FOURS(nv)),
        .inertia = DLS_TAKE_ZEROS(&m, dls_inertia6, n),
        .G = DLS_TAKE_ZEROS(&m, dls_spatial, nv),
        .D_inverse = DLS_TAKE_ZEROS(&m, double, nv),
        .u = DLS_TAKE_ZEROS(&m, double, nv),
        .moved = DLS_TAKE_ZEROS(&m, dls_spatial, n),
        .pairs = DLS_TAKE(&m, dls_tree_pair, n),
        .by_dof = DLS_TAKE(&m, double, DLS_TREE_ROW *nv),
        .lanes = DLS_TAKE(&m, double, tree->n_response ? 0 : DLS_ARTICULATION_LANES *(6 * n + nv)),
        .response = DLS_TAKE(&m, double, tree->n_response),
        .test_force = DLS_TAKE(&m, double, 6 * tree->n_slots),
        .by_slot = DLS_TAKE(&m, double, tree->n_slots),
    };
    dls_link_work *links = DLS_TAKE_ZEROS(&m, dls_link_work, n);
    dls_spatial *S = DLS_TAKE_ZEROS(&m, dls_spatial, nv);
    double *vdot = DLS_TAKE_ZEROS(&m, double, nv);
    struct dls_articulation_work_inside *inside = DLS_TAKE(&m, struct dls_articulation_work_inside, 1);
    *work = NULL;
    if (m.failed) {
        dls_arena_release(&m);
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the work space of an articulation of %zu links", n);
    }
    in.memory = m;
    *inside = in;
    *w = (dls_articulation_work){dls_articulation_share(art), links, S, vdot, inside};
    *work = w;
    return DLS_OK;
}

void dls_articulation_work_destroy(dls_articulation_work *work)
{
    if (!work)
        return;
    dls_arena memory = work->inside->memory;
    dls_articulation_destroy(work->articulation);
    dls_arena_release(&memory);
}

/* --- load --- */

typedef struct owned_load {
    dls_articulation_load load; /* first: the caller has its address */
    dls_arena memory;
} owned_load;

dls_status dls_articulation_load_create(const dls_articulation *art, dls_articulation_load **load, dls_error *error)
{
    dls_arena m = {0};
    owned_load *owned = DLS_TAKE(&m, owned_load, 1);
    const dls_articulation_load made = {art->nv, art->n_links, DLS_TAKE_ZEROS(&m, double, art->nv),
                                        DLS_TAKE_ZEROS(&m, dls_spatial, art->n_links)};
    *load = NULL;
    if (m.failed) {
        dls_arena_release(&m);
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a load of %zu links", art->n_links);
    }
    *owned = (owned_load){made, m};
    *load = &owned->load;
    return DLS_OK;
}

void dls_articulation_load_destroy(dls_articulation_load *load)
{
    if (!load)
        return;
    dls_arena memory = ((owned_load *)load)->memory;
    dls_arena_release(&memory);
}

void dls_articulation_load_copy(dls_articulation_load *to, const dls_articulation_load *from)
{
    memcpy(to->tau, from->tau, from->nv * sizeof *from->tau);
    memcpy(to->force, from->force, from->n_links * sizeof *from->force);
}
