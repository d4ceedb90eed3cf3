/* Revolute, unwrapped: turns about an axis of the joint frames, S = (a x d, a); the position is the whole angle. */
#include "parts.h"

const dls_motion dls_motion_revolute_unwrapped = {
    .name = "revolute-unwrapped",
    .joint = "hinge",
    .summary = "turns about one axis; the position is the whole angle",
    .n_dofs = 1,
    .n_positions = 1,
    .first_axis = DLS_TWIST,
};
