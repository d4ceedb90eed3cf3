#include "delassus/articulation.h"

#include <stdlib.h>

dls_status dls_articulation_work_create(const dls_articulation *art, dls_articulation_work **work, dls_error *error)
{
    dls_articulation_work *w = *work = calloc(1, sizeof *w);
    if (!w)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a work space");
    size_t n = art->n_links, nv = art->nv + 1;
    w->articulation = dls_articulation_share(art);
    w->links = calloc(n, sizeof *w->links);
    w->S = calloc(nv, sizeof *w->S);
    w->composite = calloc(n, sizeof *w->composite);
    w->F = calloc(nv, sizeof *w->F);
    w->sine = calloc(2 * art->nq + 1, sizeof *w->sine);
    w->cosine = w->sine + (w->sine ? art->nq : 0);
    w->S0 = calloc(6 * nv, sizeof *w->S0);
    w->inertia = calloc(n, sizeof *w->inertia);
    w->G = calloc(nv, sizeof *w->G);
    w->D_inverse = calloc(nv, sizeof *w->D_inverse);
    w->u = calloc(nv, sizeof *w->u);
    w->lanes = calloc(DLS_ARTICULATION_LANES * (6 * n + nv), sizeof *w->lanes);
    w->vdot = calloc(nv, sizeof *w->vdot);
    if (w->links && w->S && w->composite && w->F && w->S0 && w->inertia && w->G && w->D_inverse && w->u && w->lanes &&
        w->vdot && w->sine)
        return DLS_OK;
    dls_articulation_work_destroy(w);
    *work = NULL;
    return dls_fail(error, DLS_NO_MEMORY, "no memory for the work space of an articulation of %zu links", n);
}

void dls_articulation_work_destroy(dls_articulation_work *work)
{
    if (!work)
        return;
    dls_articulation_destroy(work->articulation);
    free(work->links);
    free(work->S);
    free(work->composite);
    free(work->F);
    free(work->S0);
    free(work->sine);
    free(work->inertia);
    free(work->G);
    free(work->D_inverse);
    free(work->u);
    free(work->lanes);
    free(work->vdot);
    free(work);
}
