/* What acts on an articulation from outside in a step. */
#include "delassus/articulation.h"

#include <stdlib.h>
#include <string.h>

dls_status dls_articulation_load_create(const dls_articulation *art, dls_articulation_load **load, dls_error *error)
{
    dls_articulation_load *l = *load = calloc(1, sizeof *l);
    if (!l)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a load");
    l->nv = art->nv, l->n_links = art->n_links;
    l->tau = calloc(art->nv + 1, sizeof *l->tau);
    l->force = calloc(art->n_links, sizeof *l->force);
    if (l->tau && l->force)
        return DLS_OK;
    dls_articulation_load_destroy(l);
    *load = NULL;
    return dls_fail(error, DLS_NO_MEMORY, "no memory for a load of %zu links", art->n_links);
}

void dls_articulation_load_destroy(dls_articulation_load *load)
{
    if (!load)
        return;
    free(load->tau);
    free(load->force);
    free(load);
}

void dls_articulation_load_copy(dls_articulation_load *to, const dls_articulation_load *from)
{
    memcpy(to->tau, from->tau, from->nv * sizeof *from->tau);
    memcpy(to->force, from->force, from->n_links * sizeof *from->force);
}
