/* Segment: the distance between a point of body 1 and a point of body 2 as a coordinate (no rows).
 * physx-articulations, Spatial Tendons: the part between two attachments.
 *
 *     y = |d|,  d = x1 + a1 - x2 - a2,   dy = [u, a1 x u, -u, -(a2 x u)],  u = d / |d|
 * as for the distance joint. Sums of segments are the lengths of tendons over several links: a force on such a sum acts
 * along each segment, multiplied by its gear, as a pair of forces on one line. At |d| = 0 the direction is not defined;
 * u is then the direction of d at the start, rotated with body 2 (its z axis if d was 0).
 */
#include "parts.h"

typedef struct segment {
    dls_vec3 anchor1, anchor2;
} segment;

static const dls_field fields[] = {
    {"anchor1", "m", DLS_FIELD_VEC3, offsetof(segment, anchor1), NULL, 0, 0, false, NULL,
     "point of body 1 at the start, world frame"},
    {"anchor2", "m", DLS_FIELD_VEC3, offsetof(segment, anchor2), NULL, 0, 0, false, NULL,
     "point of body 2 at the start, world frame"},
};

static dls_status segment_place(dls_joint *joint, const dls_end end[2], dls_error *error)
{
    const segment *settings = joint->settings;
    const dls_vec3 d = dls_sub(settings->anchor1, settings->anchor2);
    const dls_quat q = dls_norm(d) > 0.0 ? dls_quat_between(dls_axis3(2), dls_unit(d)) : dls_quat_identity();
    (void)error;
    joint->frame[0] = dls_end_frame(&end[0], settings->anchor1, q);
    joint->frame[1] = dls_end_frame(&end[1], settings->anchor2, q);
    return DLS_OK;
}

static size_t segment_count(const dls_joint *joint)
{
    (void)joint;
    return 0;
}

static void segment_rows(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows)
{
    (void)joint, (void)end, (void)h, (void)rows;
}

static void segment_position(const dls_joint *joint, const dls_end end[2], double *C)
{
    (void)joint, (void)end, (void)C;
}

static void segment_coordinate(const dls_joint *joint, const dls_end end[2], dls_row *row)
{
    const dls_vec3 d = dls_part_separation(joint, end);
    const double length = dls_norm(d);
    const dls_vec3 u = length > 0.0 ? dls_unit(d) : dls_part_axis_of(joint, end, 1, 2);
    row->C = length;
    dls_row_set_linear(row, u, dls_end_arm(&end[0], &joint->frame[0]), dls_end_arm(&end[1], &joint->frame[1]));
}

const dls_joint_type dls_joint_segment = {
    .name = "segment",
    .summary = "the distance between two points as a coordinate, for tendons over several bodies or links; no rows",
    .equation = "y = |d|, d = x1 + a1 - x2 - a2",
    .drawing = DLS_DRAW_STRING,
    .fields = DLS_FIELD_TABLE(fields, segment),
    .place = segment_place,
    .count = segment_count,
    .rows = segment_rows,
    .position = segment_position,
    .coordinate = segment_coordinate,
};
