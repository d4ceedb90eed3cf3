#include "parts.h"

#include <string.h>

#define MOTION(name) extern const dls_motion dls_motion_##name;
#include "articulation/motions.def"
#undef MOTION
const dls_motion *const dls_motions[] = {
#define MOTION(name) &dls_motion_##name,
#include "articulation/motions.def"
#undef MOTION
    NULL};

const dls_motion *dls_motion_find(const char *name)
{
    for (size_t i = 0; dls_motions[i]; i++)
        if (strcmp(dls_motions[i]->name, name) == 0)
            return dls_motions[i];
    return NULL;
}

bool dls_tree_count(long *turns, double more)
{
    const bool counts = fabs((double)*turns + more) <= 0x1p53;
    if (counts)
        *turns += (long)more;
    return counts;
}

/* An interval of length 4 pi, so a turn is 4 pi: the position is unique, and its rotation does not change. Where turns
 * can no longer be counted no position is left: NaN, which the check of the state names. */
void dls_tree_wrap(double *q, long *wraps)
{
    if (*q > -2.0 * DLS_PI && *q <= 2.0 * DLS_PI)
        return;
    double turns = ceil((*q - 2.0 * DLS_PI) / (4.0 * DLS_PI));
    *q = dls_tree_count(wraps, turns) ? *q - 4.0 * DLS_PI * turns : NAN;
}
