/* Prismatic: the anchor slides along an axis of the joint frame, S = (a, 0); q in metres. */
#include "parts.h"

const dls_motion dls_motion_prismatic = {
    .name = "prismatic",
    .joint = "slider",
    .summary = "slides along one axis",
    .n_dofs = 1,
    .n_positions = 1,
    .first_axis = DLS_X,
    .slides = true,
};
