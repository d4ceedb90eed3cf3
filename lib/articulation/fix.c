/* Fix: the link moves with its parent. No degrees of freedom. */
#include "parts.h"

const dls_motion dls_motion_fix = {
    .name = "fix",
    .joint = "fixed",
    .summary = "moves with its parent",
};
