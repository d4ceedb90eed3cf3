/* Names, axes and indices: physx-articulations, Cache Indexing. */
#include "parts.h"

#include <stdio.h>
#include <string.h>

static size_t find_name(const dls_articulation *art, const dls_names *names, const char *name)
{
    size_t i = dls_names_find(names, name);
    return i == DLS_NONE ? DLS_NONE : art->inside->link_of[i];
}

size_t dls_articulation_find_link(const dls_articulation *art, const char *name)
{
    return find_name(art, &art->inside->links, name);
}

size_t dls_articulation_find_joint(const dls_articulation *art, const char *name)
{
    return find_name(art, &art->inside->joints, name);
}

dls_axis dls_articulation_axis(const dls_articulation *art, size_t dof)
{
    size_t i = art->dof_link[dof], k = dof - art->links[i].dof;
    if (i == 0)
        return (dls_axis)(k < 3 ? DLS_X + k : DLS_TWIST + (k - 3));
    return art->links[i].n_dofs == 3 ? (dls_axis)(DLS_TWIST + k) : art->defs[i].axis[k];
}

size_t dls_articulation_dof(const dls_articulation *art, size_t link, dls_axis axis)
{
    const dls_link *L = &art->links[link];
    for (size_t k = L->dof; k < L->dof + L->n_dofs; k++)
        if (dls_articulation_axis(art, k) == axis)
            return k;
    return DLS_NONE;
}

void dls_articulation_dof_name(const dls_articulation *art, size_t dof, char *text, size_t size)
{
    static const char *const axes[] = {"twist", "swing1", "swing2", "x", "y", "z"};
    const char *axis = axes[dls_articulation_axis(art, dof)];
    size_t link = art->dof_link[dof];
    if (dof < art->n_base)
        snprintf(text, size, "base.%s", axis);
    else if (art->links[link].n_dofs == 1)
        snprintf(text, size, "%s", art->defs[link].joint);
    else
        snprintf(text, size, "%s.%s", art->defs[link].joint, axis);
}

size_t dls_articulation_last_dof(const dls_articulation *art, size_t link)
{
    return link == DLS_NONE ? DLS_NONE : art->links[link].last_dof;
}

size_t dls_articulation_coordinate(const dls_articulation *art, size_t dof)
{
    size_t i = art->dof_link[dof];
    const dls_link *link = &art->links[i];
    return i == 0 || link->motion->n_positions != link->n_dofs ? DLS_NONE : link->position + (dof - link->dof);
}

void dls_articulation_unpack(const dls_articulation *art, const double *reduced, double *maximal)
{
    memset(maximal, 0, 6 * art->n_links * sizeof *maximal);
    for (size_t k = 0; k < art->nv; k++)
        maximal[6 * art->dof_link[k] + dls_articulation_axis(art, k)] = reduced[k];
}

void dls_articulation_pack(const dls_articulation *art, const double *maximal, double *reduced)
{
    for (size_t k = 0; k < art->nv; k++)
        reduced[k] = maximal[6 * art->dof_link[k] + dls_articulation_axis(art, k)];
}
