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
