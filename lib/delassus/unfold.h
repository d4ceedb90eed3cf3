/* unfold.h - articulations in maximal coordinates: every link becomes a body, and its joint a joint between bodies.
 *
 *     dls_scene_unfold(scene, 0, &unfolded, error);   // or the key `coordinates: maximal` of the world
 *     dls_model_create(unfolded, &bodies, error);
 *     dls_state_unfold(model, state, bodies, to, error);
 * Links and joints keep their names, "ARTICULATION.LINK" and "ARTICULATION.JOINT", so that joints of the scene act on
 * the same ends and coordinates as before. */
#ifndef DELASSUS_UNFOLD_H
#define DELASSUS_UNFOLD_H

#include "delassus/scene.h"
#include "delassus/state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Quantities that the caller adds by other means; they are left out and not refused. */
enum { DLS_UNFOLD_WITHOUT_ARMATURE = 1 };

/* Makes the scene of bodies and joints that has the motion of `scene`, at its initial state: poses and velocities of
 * the bodies are those of the links there.
 *     a link that no joint moves    a static body
 *     fix                           fixed
 *     revolute, prismatic           hinge, slider, whose coordinate has the value and sign of the joint's
 *     spherical, spherical-2        ball, universal
 *     effort                        an explicit drive with this feed, "ARTICULATION.JOINT effort"
 * Body 1 of a joint is the link, body 2 its parent. A link without mass, or without an inertia about each axis, is not
 * a body, but belongs to the link that it is fixed to: the body has the mass and inertia of all its links, and its
 * centre of mass is theirs. The body frame has the axes of the link frame, and the body the shapes that collide of its
 * links (dls_scene_add_body_shape); their visuals are left out. All other parts of the scene are copied. `without`: a
 * sum of the constants above. The caller destroys *unfolded.
 *
 * DLS_REFUSED, with the name of the part, for what bodies cannot have: an armature; a link without mass that a joint
 * moves; coordinates of spherical joints; maximum speeds of a centre of mass; a medium; tracks; changes of the scene;
 * sensors of one kind of joints only; joints placed before a start. */
dls_status dls_scene_unfold(const dls_scene *scene, unsigned without, dls_scene **unfolded, dls_error *error);

/* Writes a state of `model`, whose scene has been unfolded, into a state of `bodies`, the model of the unfolded scene:
 * poses, velocities, coordinates that joints measure, and the numbers that joints keep. DLS_BAD_ARGUMENT, with its
 * name, for a body that is no end of `model`. */
dls_status dls_state_unfold(const dls_model *model, const dls_state *state, const dls_model *bodies, dls_state *to,
                            dls_error *error);

#ifdef __cplusplus
}
#endif

#endif
