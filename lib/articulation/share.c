/* Who keeps a tree alive: its maker and every work space made for it hold a share each. The tree is const to all of
 * them, and they may live in different threads, so the count stands apart and is atomic. */
#include "parts.h"

#include <stdatomic.h>
#include <stdlib.h>

struct dls_articulation_shares {
    atomic_size_t count;
};

dls_status dls_part_first_share(dls_articulation *art, dls_error *error)
{
    art->shares = malloc(sizeof *art->shares);
    if (!art->shares)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for an articulation");
    atomic_init(&art->shares->count, 1);
    return DLS_OK;
}

const dls_articulation *dls_articulation_share(const dls_articulation *art)
{
    atomic_fetch_add(&art->shares->count, 1);
    return art;
}

void dls_articulation_destroy(const dls_articulation *art)
{
    if (!art || (art->shares && atomic_fetch_sub(&art->shares->count, 1) > 1))
        return;
    free(art->shares);
    free(art->links);
    free(art->defs);
    free(art->armature);
    free(art->dof_link);
    free(art->dof_before);
    free(art->dof_run);
    free((void *)art);
}
