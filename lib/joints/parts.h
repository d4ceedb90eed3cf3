/* parts.h - rows and checks that several joint types share. */
#ifndef DELASSUS_JOINTS_PARTS_H
#define DELASSUS_JOINTS_PARTS_H

#include "delassus/joint.h"

/* Both joint frames at the world point p with the world rotation q. */
void dls_part_place(dls_joint *joint, const dls_end end[2], dls_vec3 p, dls_quat q);
/* The anchor as given, or where it was left unset the centre of mass of body 1 (of body 2 where body 1 cannot move). */
dls_vec3 dls_part_anchor_or_centre(const dls_joint *joint, const dls_end end[2], dls_vec3 anchor);
/* axis / |axis| into *unit; the zero vector is an error. */
dls_status dls_part_axis(dls_vec3 axis, const char *key, dls_vec3 *unit, dls_error *error);
/* The unit vector *x of `axis`, and the frame with the axes x, y, x cross y, where y is along `axis2`, or any direction
 * perpendicular to x if it is NaN. Errors of the keys "axis" and "axis2". */
dls_status dls_part_axes(dls_vec3 axis, dls_vec3 axis2, dls_vec3 *x, dls_quat *frame, dls_error *error);

/* Difference of the two anchors, x1 + a1 - x2 - a2. */
dls_vec3 dls_part_separation(const dls_joint *joint, const dls_end end[2]);
/* World direction of the local axis i of the joint frame on an end. */
dls_vec3 dls_part_axis_of(const dls_joint *joint, const dls_end end[2], int which_end, int i);

/* Coincident anchors, 3 rows (derived in ball.c). */
void dls_part_point_position(const dls_joint *joint, const dls_end end[2], double *C);
void dls_part_point_rows(const dls_joint *joint, const dls_end end[2], dls_row *rows);
/* A row of a joint on coordinates with dC/dy = slope; and how many rows such a joint mostly has. */
void dls_part_coordinate_row(const dls_joint *joint, const char *label, double slope, dls_row *row);
/* No more than |force|, within the bounds that the row has from the joint. */
void dls_part_limit_force(dls_row *row, double force);
size_t dls_part_one_row(const dls_joint *joint);
/* Makes J v + speed >= 0 of the row, by a force up to `force` within the bounds that it has from the joint. */
void dls_part_limit_speed(dls_row *row, double speed, double force);
/* No relative rotation, 3 rows (derived in fixed.c). */
void dls_part_lock_position(const dls_joint *joint, const dls_end end[2], double *C);
void dls_part_lock_rows(const dls_joint *joint, const dls_end end[2], dls_row *rows);

#endif
