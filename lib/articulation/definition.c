#include "delassus/articulation.h"

#include <stdlib.h>
#include <string.h>

enum { STAMP = 0x11acdef };

dls_status dls_articulation_def_create(dls_articulation_def **def, dls_error *error)
{
    *def = calloc(1, sizeof **def);
    return *def ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for an articulation's definition");
}

void dls_articulation_def_destroy(dls_articulation_def *def)
{
    if (!def)
        return;
    free(def->links);
    free(def);
}

void dls_link_default(dls_link_def *link)
{
    dls_frame origin = {{0, 0, 0}, {1, 0, 0, 0}};
    *link = (dls_link_def){.stamp = STAMP, .orientation = {1, 0, 0, 0}, .motion = dls_motion_find("fix")};
    link->parent_frame = link->child_frame = origin;
    link->axis[1] = DLS_SWING1;
    link->q[0] = NAN;
    link->lower = -HUGE_VAL, link->upper = HUGE_VAL;
    link->force_limit = link->speed_limit = HUGE_VAL;
    link->multiplier = 1.0;
}

static dls_status grow(dls_articulation_def *def, dls_error *error)
{
    size_t cap = def->cap_links ? 2 * def->cap_links : 8;
    dls_link_def *links = realloc(def->links, cap * sizeof *links);
    if (!links)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu links", cap);
    def->links = links;
    def->cap_links = cap;
    return DLS_OK;
}

dls_status dls_articulation_def_add(dls_articulation_def *def, const dls_link_def *link, dls_error *error)
{
    if (link->stamp != STAMP)
        return dls_fail(error, DLS_BAD_ARGUMENT, "a link's definition must start with dls_link_default");
    if (def->n_links == def->cap_links)
        DLS_TRY(grow(def, error));
    def->links[def->n_links] = *link;
    if (!link->joint[0])
        memcpy(def->links[def->n_links].joint, link->name, sizeof link->name);
    def->n_links++;
    return DLS_OK;
}
