/* Fix: the link moves with its parent. No degrees of freedom. */
#include "parts.h"

const dls_motion dls_motion_fix = {
    .name = "fix",
    .summary = "moves with its parent",
};
