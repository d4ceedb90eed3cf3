/* Six-axis joint (D6): each of three translations and three rotations of body 1 relative to body 2 is locked, limited
 * or free (up to 12 rows). physx-articulations, Articulation Joints, names the type and does not define it; its axes
 * are those of the source's spherical joints. Hinge, slider, cylindrical, planar, ball and fixed joints are cases.
 *
 * The joint's axes x, y, z are `axis`, `axis2` and their cross product; frame 1 moves with body 1, frame 2 with body 2,
 * and they coincide at the start. With d = x1 + a1 - x2 - a2 and the axes e_i of frame 2,
 *     y_i = e_i . d,   y_i' = J v,   J = [e_i, a1 x e_i, -e_i, -((a2 + d) x e_i)]   (derived in slider.c)
 * are the translations. The rotation of frame 1 relative to frame 2 is decomposed as q = s t (math3.h,
 * dls_swing_twist): the twist t about x by the angle phi, and then the swing s by the rotation vector (0, s1, s2). The
 * rotations are
 *     phi, s1, s2,   with the rates  phi' = (e + R_s e) . omega / (2 n^2),   s' = B(s) (omega - R_s e phi'),
 * n = |(q_w, q_x)|, e along x, omega = F2^T (omega1 - omega2); so J = [0, F2 r, 0, -F2 r] with these rates r. The three
 * are not Euler angles: neither swing comes first, they have no gimbal lock within a swing of half a turn, and (s1, s2)
 * is the vector of the shortest rotation from the x axis of body 2 to that of body 1, whose length is the true angle. A
 * hinge holds that vector at 0 as well (hinge.c).
 *
 * SINGULAR is a swing of half a turn, n = 0: its direction and the twist are not defined there, and the rate of the
 * twist grows as 1 / n^2 towards it. Limits of the swings keep a joint away from it. The rows stay finite: at n = 0 the
 * twist has J = 0. If all rotations are locked at 0 they need no decomposition, and the rows are those of a fixed
 * joint, which only have a jump at half a turn. If all translations are locked at 0 the rows are those of a ball, along
 * the world's axes.
 *
 * ROWS. Of a locked axis C = y - at; of a limited one C = y - lower >= 0 and upper - y >= 0, each unilateral. The twist
 * is known up to whole turns: it is taken within half a turn of `at`, or of the middle of its range, which is less than
 * a turn. The limits of the two swings are a rectangle; swing-limit has an ellipse. A joint whose rows are springs
 * (stiffness and damping, or a frequency) pulls its locked axes towards `at`: beside a rigid joint it is a set of
 * springs on them.
 *
 * COORDINATE: y of one axis, on which drives, motors, limits and couplings act. Further joints of this type with free
 * axes alone, which have no rows, provide the other axes. The twist counts its turns, as the angle of a hinge does.
 */
#include "parts.h"

#include <stdio.h>

enum { LOCKED, LIMITED, FREE };
enum { LINEAR = 3, TWIST = 3, AXES = 6 };
enum { COORDINATE_FIRST, COORDINATE_X };
static const char *const modes[] = {"locked", "limited", "free", NULL};
static const char *const coordinates[] = {"first", "x", "y", "z", "twist", "swing1", "swing2", NULL};
static const char *const *const names = coordinates + COORDINATE_X;

typedef struct six_axis {
    dls_vec3 anchor, axis, axis2;
    struct six_axis_setting {
        int mode;
        double at, lower, upper;
    } axes[AXES];
    int coordinate;
} six_axis;

#define AXIS(i, key, unit, most, what)                                                                            \
    {key, "", DLS_FIELD_CHOICE, offsetof(six_axis, axes[i].mode), "locked", 0, 0, false, modes, what},            \
        {key "_at", unit,  DLS_FIELD_REAL, offsetof(six_axis, axes[i].at),        "0", -(most),                   \
         most,      false, NULL,           "value at which it is held, if locked"},                               \
        {key "_lower", unit,  DLS_FIELD_REAL, offsetof(six_axis, axes[i].lower), "-inf", -HUGE_VAL,               \
         HUGE_VAL,     false, NULL,           "its lower limit, if limited"},                                     \
    {                                                                                                             \
        key "_upper", unit, DLS_FIELD_REAL, offsetof(six_axis, axes[i].upper), "inf", -HUGE_VAL, HUGE_VAL, false, \
            NULL, "its upper limit, if limited"                                                                   \
    }
static const dls_field fields[] = {
    {"anchor", "m", DLS_FIELD_VEC3, offsetof(six_axis, anchor), "", 0, 0, false, NULL,
     "origin of the axes at the start, world frame; default: the centre of mass of body 1 (of body 2 if body 1 cannot "
     "move)"},
    {"axis", "", DLS_FIELD_VEC3, offsetof(six_axis, axis), "[1, 0, 0]", 0, 0, false, NULL,
     "x axis, which is that of the twist, at the start, world frame, any length"},
    {"axis2", "", DLS_FIELD_VEC3, offsetof(six_axis, axis2), "", 0, 0, false, NULL,
     "y axis, perpendicular to axis, any length; z is across both; default: any"},
    AXIS(0, "x", "m", HUGE_VAL, "translation of body 1 along x of body 2: locked, limited or free"),
    AXIS(1, "y", "m", HUGE_VAL, "translation along y"),
    AXIS(2, "z", "m", HUGE_VAL, "translation along z"),
    AXIS(3, "twist", "rad", DLS_PI, "rotation about x"),
    AXIS(4, "swing1", "rad", DLS_PI, "rotation of the x axis about y"),
    AXIS(5, "swing2", "rad", DLS_PI, "rotation of the x axis about z"),
    {"coordinate", "", DLS_FIELD_CHOICE, offsetof(six_axis, coordinate), "first", 0, 0, false, coordinates,
     "axis whose value the joint provides as its coordinate; first: the first that is not locked"},
};

/* --- settings --- */

static dls_status check_axis(const struct six_axis_setting *axis, int i, dls_error *error)
{
    const bool lower = isfinite(axis->lower), upper = isfinite(axis->upper);
    char key[DLS_NAME_MAX];
    snprintf(key, sizeof key, "%s%s", names[i], lower ? "_lower" : "_upper");
    if (axis->mode != LIMITED && (lower || upper))
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, key, "needs '%s: limited'", names[i]);
    if (axis->mode == LIMITED && !lower && !upper)
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, key, "a limited axis needs a lower or upper limit, or both");
    if (axis->mode == LIMITED && !(axis->lower <= axis->upper))
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, key, "the upper limit must not be less than the lower one");
    if (axis->mode == LIMITED && i == TWIST && !(axis->upper - axis->lower < 2.0 * DLS_PI))
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, key,
                              "the rows know the twist up to whole turns: give both limits, less than a turn apart, or "
                              "leave the axis free and limit the coordinate");
    snprintf(key, sizeof key, "%s_at", names[i]);
    if (axis->mode != LOCKED && axis->at != 0.0)
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, key, "needs '%s: locked'", names[i]);
    return isfinite(axis->at) ? DLS_OK : dls_fail_about(error, DLS_BAD_INPUT, NULL, key, "must be finite");
}

static dls_status six_axis_place(dls_joint *joint, const dls_end end[2], dls_error *error)
{
    const six_axis *settings = joint->settings;
    dls_vec3 x;
    dls_quat frame;
    for (int i = 0; i < AXES; i++)
        DLS_TRY(check_axis(&settings->axes[i], i, error));
    DLS_TRY(dls_part_axes(settings->axis, settings->axis2, &x, &frame, error));
    dls_part_place(joint, end, dls_part_anchor_or_centre(joint, end, settings->anchor), frame);
    return DLS_OK;
}

static bool locked_at_zero(const six_axis *settings, int first)
{
    bool all = true;
    for (int i = first; i < first + 3; i++)
        all = all && settings->axes[i].mode == LOCKED && settings->axes[i].at == 0.0;
    return all;
}

/* The rows in their order: the axis of each, and its side: 0 locked, 1 lower limit, -1 upper limit. */
typedef struct six_axis_line {
    int axis, side;
} six_axis_line;

static size_t list_lines(const six_axis *settings, six_axis_line line[2 * AXES])
{
    size_t n = 0;
    for (int i = 0; i < AXES; i++) {
        const struct six_axis_setting *axis = &settings->axes[i];
        if (axis->mode == LOCKED)
            line[n++] = (six_axis_line){i, 0};
        if (axis->mode == LIMITED && isfinite(axis->lower))
            line[n++] = (six_axis_line){i, 1};
        if (axis->mode == LIMITED && isfinite(axis->upper))
            line[n++] = (six_axis_line){i, -1};
    }
    return n;
}

static size_t six_axis_count(const dls_joint *joint)
{
    six_axis_line line[2 * AXES];
    return list_lines(joint->settings, line);
}

/* --- values and rows --- */

/* The values of the axes, and their gradients: directions of the relative velocity and angular velocity, world. */
typedef struct six_axis_pose {
    dls_vec3 d, gradient[AXES];
    double value[AXES];
} six_axis_pose;

static six_axis_pose pose_of(const dls_joint *joint, const dls_end end[2])
{
    six_axis_pose pose = {.d = dls_part_separation(joint, end)};
    const dls_quat F1 = dls_end_rotation(&end[0], &joint->frame[0]), F2 = dls_end_rotation(&end[1], &joint->frame[1]);
    dls_swing_twist(dls_quat_mul(dls_quat_conj(F2), F1), pose.value + LINEAR, pose.gradient + LINEAR);
    for (int i = 0; i < LINEAR; i++) {
        pose.gradient[i] = dls_part_axis_of(joint, end, 1, i);
        pose.value[i] = dls_dot(pose.gradient[i], pose.d);
        pose.gradient[LINEAR + i] = dls_quat_rotate(F2, pose.gradient[LINEAR + i]);
    }
    return pose;
}

static double line_error(const six_axis *settings, const six_axis_pose *pose, six_axis_line line)
{
    const struct six_axis_setting *axis = &settings->axes[line.axis];
    double y = pose->value[line.axis];
    if (line.axis == TWIST) {
        const double middle = line.side == 0 ? axis->at : 0.5 * (axis->lower + axis->upper);
        y = middle + remainder(y - middle, 2.0 * DLS_PI);
    }
    return line.side == 0 ? y - axis->at : line.side > 0 ? y - axis->lower : axis->upper - y;
}

static void six_axis_position(const dls_joint *joint, const dls_end end[2], double *C)
{
    const six_axis *settings = joint->settings;
    const six_axis_pose pose = pose_of(joint, end);
    six_axis_line line[2 * AXES];
    const size_t n = list_lines(settings, line);
    for (size_t k = 0; k < n; k++)
        C[k] = line_error(settings, &pose, line[k]);
    if (locked_at_zero(settings, 0))
        dls_part_point_position(joint, end, C);
    if (locked_at_zero(settings, LINEAR))
        dls_part_lock_position(joint, end, C + n - 3);
}

/* J of `sign` times the value of an axis. */
static void set_axis(const dls_joint *joint, const dls_end end[2], const six_axis_pose *pose, int axis, double sign,
                     dls_row *row)
{
    const dls_vec3 n = dls_scale(sign, pose->gradient[axis]);
    if (axis < LINEAR)
        dls_row_set_linear(row, n, dls_end_arm(&end[0], &joint->frame[0]),
                           dls_add(dls_end_arm(&end[1], &joint->frame[1]), pose->d));
    else
        dls_row_set_angular(row, n);
}

static void six_axis_rows(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows)
{
    static const char *const labels[3][AXES] = {
        {"x upper", "y upper", "z upper", "twist upper", "swing1 upper", "swing2 upper"},
        {"x", "y", "z", "twist", "swing1", "swing2"},
        {"x lower", "y lower", "z lower", "twist lower", "swing1 lower", "swing2 lower"}};
    const six_axis *settings = joint->settings;
    const six_axis_pose pose = pose_of(joint, end);
    six_axis_line line[2 * AXES];
    const size_t n = list_lines(settings, line);
    (void)h;
    for (size_t k = 0; k < n; k++) {
        dls_row_bilateral(&rows[k], joint, labels[1 + line[k].side][line[k].axis]);
        rows[k].C = line_error(settings, &pose, line[k]);
        set_axis(joint, end, &pose, line[k].axis, line[k].side < 0 ? -1.0 : 1.0, &rows[k]);
        if (line[k].side != 0)
            dls_row_make_unilateral(&rows[k]);
    }
    if (locked_at_zero(settings, 0))
        dls_part_point_rows(joint, end, rows);
    if (locked_at_zero(settings, LINEAR))
        dls_part_lock_rows(joint, end, rows + n - 3);
}

static void six_axis_coordinate(const dls_joint *joint, const dls_end end[2], dls_row *row)
{
    const six_axis *settings = joint->settings;
    const six_axis_pose pose = pose_of(joint, end);
    int axis = settings->coordinate - COORDINATE_X;
    if (settings->coordinate == COORDINATE_FIRST)
        for (axis = 0; axis < AXES - 1 && settings->axes[axis].mode == LOCKED; axis++)
            ;
    row->C = pose.value[axis];
    set_axis(joint, end, &pose, axis, 1.0, row);
}

#define AXIS_ROWS(key)                                                                    \
    {.label = key, .from = key "_at", .sense = 1},                                        \
        {.label = key " lower", .kind = DLS_ROW_LIMIT, .from = key "_lower", .sense = 1}, \
    {                                                                                     \
        .label = key " upper", .kind = DLS_ROW_LIMIT, .from = key "_upper", .sense = -1   \
    }
static const dls_row_definition definitions[] = {
    AXIS_ROWS("x"),      AXIS_ROWS("y"),      AXIS_ROWS("z"),  AXIS_ROWS("twist"),
    AXIS_ROWS("swing1"), AXIS_ROWS("swing2"), {.label = NULL},
};

const dls_joint_type dls_joint_six_axis = {
    .name = "six-axis",
    .summary = "each of three translations and three rotations is locked, limited or free (D6)",
    .equation = "C = y - at, y - lower >= 0, upper - y >= 0; y: e_i . d, twist and swings of F2^T F1",
    .drawing = DLS_DRAW_POINT,
    .fields = DLS_FIELD_TABLE(fields, six_axis),
    .place = six_axis_place,
    .count = six_axis_count,
    .rows = six_axis_rows,
    .position = six_axis_position,
    .coordinate = six_axis_coordinate,
    .definitions = definitions,
};
