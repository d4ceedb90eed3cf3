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

void dls_tree_keep_z(const dls_mat3 *P, const double *q, const double *sine, const double *cosine, dls_mat3 *R,
                     dls_vec3 *axis)
{
    (void)q, (void)sine, (void)cosine;
    *R = *P;
    axis[0] = dls_tree_column(P, 2);
}

void dls_tree_turn_z(const dls_mat3 *P, const double *q, const double *sine, const double *cosine, dls_mat3 *R,
                     dls_vec3 *axis)
{
    (void)q;
    const double s = sine[0], c = cosine[0];
    const dls_vec3 x = dls_tree_column(P, 0), y = dls_tree_column(P, 1);
    *R = (dls_mat3){{c * x.x + s * y.x, c * y.x - s * x.x, P->m[2], c * x.y + s * y.y, c * y.y - s * x.y, P->m[5],
                     c * x.z + s * y.z, c * y.z - s * x.z, P->m[8]}};
    axis[0] = dls_tree_column(P, 2);
}

/* An interval of length 4 pi, so a turn is 4 pi: the position is unique, and its rotation does not change. Where the
 * count would pass 2^53, as far as doubles count, no position is left: NaN, which the check of the state names. */
void dls_tree_wrap(double *q, long *wraps)
{
    if (*q > -2.0 * DLS_PI && *q <= 2.0 * DLS_PI)
        return;
    double turns = ceil((*q - 2.0 * DLS_PI) / (4.0 * DLS_PI));
    bool counts = fabs((double)*wraps + turns) <= 0x1p53;
    *q = counts ? *q - 4.0 * DLS_PI * turns : NAN;
    if (counts)
        *wraps += (long)turns;
}
