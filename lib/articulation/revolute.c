/* Revolute: turns about an axis a of the joint frames; with d from the anchor to the centre of mass, S = (a x d, a).
 *
 * The position stays in (-2 pi, 2 pi], as physx-articulations, Articulation Joints, says; that interval is 4 pi long,
 * so the position jumps by 4 pi and the count of jumps makes the angle whole again: dls_articulation_unwrapped.
 */
#include "parts.h"

const dls_motion dls_motion_revolute = {
    .name = "revolute",
    .joint = "hinge",
    .summary = "turns about one axis; the position is kept in (-2 pi, 2 pi]",
    .n_dofs = 1,
    .n_positions = 1,
    .first_axis = DLS_TWIST,
    .wraps = true,
};
