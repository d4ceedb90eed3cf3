/* A joint type of one's own in a shared object: a point of body 1 stays in a plane of body 2.
 *
 *     cc -shared -fPIC own_joint.c $(pkg-config --cflags --libs delassus) -o own_joint.so
 *     delassus run scene.yaml --joint-type ./own_joint.so -o out          with a joint of the scene
 *         - {type: own-plane, name: ice, body1: puck, body2: world, anchor: [0, 0, 0], normal: [0, 1, 2]}
 *     delassus check scene.yaml --joint-type ./own_joint.so               compares J with finite differences of C
 *
 * With the anchor x1 + a1 on body 1, the point x2 + a2 of the plane and its normal n, which turns with body 2:
 *     C = n . d,  d = x1 + a1 - x2 - a2
 *     C' = n . (v1 + omega1 x a1 - v2 - omega2 x a2) + (omega2 x n) . d
 * and (omega2 x n) . d = omega2 . (n x d), so that J = [n, a1 x n, -n, -(a2 + d) x n]: both forces act at the anchor.
 */
#include <delassus/delassus.h>

typedef struct plane {
    dls_vec3 anchor, normal;
} plane;

static const dls_field fields[] = {
    {"anchor", "m", DLS_FIELD_VEC3, offsetof(plane, anchor), NULL, 0, 0, false, NULL,
     "point of body 1 at the start, world frame"},
    {"normal", "", DLS_FIELD_VEC3, offsetof(plane, normal), NULL, 0, 0, false, NULL,
     "normal of the plane at the start, world frame, any length"},
};

/* The plane goes through the anchor at the start; the z axis of frame 2 is its normal. */
static dls_status place(dls_joint *joint, const dls_end end[2], dls_error *error)
{
    const plane *settings = joint->settings;
    if (!(dls_norm(settings->normal) > 0.0))
        return dls_joint_refuse(error, "normal", "must not be zero");
    const dls_quat q = dls_quat_between(dls_v3(0, 0, 1), dls_unit(settings->normal));
    for (int i = 0; i < 2; i++)
        joint->frame[i] = dls_end_frame(&end[i], settings->anchor, q);
    return DLS_OK;
}

static size_t count(const dls_joint *joint)
{
    (void)joint;
    return 1;
}

static void rows(const dls_joint *joint, const dls_end end[2], double h, dls_row *row)
{
    const dls_vec3 n = dls_quat_rotate(dls_end_rotation(&end[1], &joint->frame[1]), dls_v3(0, 0, 1)),
                   a1 = dls_end_arm(&end[0], &joint->frame[0]), anchor = dls_add(end[0].x, a1);
    (void)h;
    dls_row_bilateral(row, joint, "normal");
    row->C = dls_dot(n, dls_sub(anchor, dls_end_anchor(&end[1], &joint->frame[1])));
    dls_row_set_linear(row, n, a1, dls_sub(anchor, end[1].x));
}

static void position(const dls_joint *joint, const dls_end end[2], double *C)
{
    dls_row row;
    rows(joint, end, 1.0, &row);
    *C = row.C;
}

static const dls_joint_type own_plane = {
    .name = "own-plane",
    .summary = "a point of body 1 stays in a plane of body 2",
    .equation = "C = n . (x1 + a1 - x2 - a2)",
    .drawing = DLS_DRAW_AXIS,
    .fields = DLS_FIELD_TABLE(fields, plane),
    .place = place,
    .count = count,
    .rows = rows,
    .position = position,
};
DLS_JOINT_PLUGIN(own_plane);
