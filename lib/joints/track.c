/* Track: body 1 moves along a curve that is fixed to body 2 (up to 7 rows). track-joint, with the errata of
 * conventions (Track joint, corrected). track_rows.c has the rows, C and J; this file has the arc length, its start,
 * and the ends of the track.
 *
 * The curve is given in the world frame at the start. An anchor on body 1, a point A and three axes, coincides with the
 * twisted frame wF(s): A = P(s), and the axes are T, N, B of wF. s [m] is not a function of the poses of the bodies (a
 * loop may pass a point twice, and several points of the track may be near the anchor). It is therefore part of the
 * state, and every motion of the bodies advances it.
 *
 * UPDATE OF s. With P(s, t) and T(s, t) the point and the tangent at s, moved with body 2:
 *     before    s+ = s + (A(t + dt) - P(s, t + dt)) . T(s, t) / k(t)           track-joint (3) with k = 1
 *     after     s+ = s + (A(t + dt) - P(s, t + dt)) . T(s, t + dt) / k(t + dt)
 *     nearest   (A(t + dt) - P(s+, t + dt)) . T(s+, t + dt) = 0
 * The nearest point is the root of f(s) = d . T, d = A - P, whose slope is -k, k = 1 - d . (Omega x T), Omega the turn
 * of the frame per metre (track_rows.c): at the distance D from a curve of radius R, k = 1 + D / R on its outer side
 * and 1 - D / R towards its centre. So this is one Newton step, and an error of s that it leaves is of the order of its
 * square; T(s, t) in place of T(s, t + dt) changes it by the distance from the track times the rotation of body 2 in
 * the step. With k = 1, as printed, an error e of s becomes -e D / R: a body that is thrown farther from its track than
 * R is never found again. Near the centre k vanishes, for all points of the track become equally near; there
 * `least_slope` is taken for k, and s follows more slowly: an error e of s becomes e (1 - k / least_slope) in a step.
 * Only the nearest point is a function of the positions.
 *
 * DERAIL. Farther than `derail` from its track the body is released permanently, as at an end that it leaves.
 *
 * ENDS of an open track. Beyond them the track is straight, without curvature and twist. `stop`: a unilateral row along
 * T, whose gap is the distance to the nearer end. `leave`: the body is released permanently when s passes an end: the
 * bounds of all rows become 0, and s is constant. A closed track has no ends; s increases without limit and is reduced
 * to one lap where the curve is evaluated.
 *
 * COORDINATE: s, so that limits, drives and couplings act on the arc length as they do on the travel of a slider.
 */
#include "track_parts.h"

typedef dls_track_joint_settings settings;

static const char *const supports[] = {"one-sided", "two-sided", "none", NULL};
static const char *const angles[] = {"half", "printed", "vector", NULL};
static const char *const updates[] = {"before", "after", "nearest", NULL};
static const char *const end_names[] = {"stop", "leave", NULL};

#define REAL(key, unit, member, fallback, min, max, help)                                            \
    {                                                                                                \
        key, unit, DLS_FIELD_REAL, offsetof(settings, member), fallback, min, max, false, NULL, help \
    }
#define ROW(key, member, help)                                                               \
    {                                                                                        \
        key, "", DLS_FIELD_BOOL, offsetof(settings, member), "true", 0, 0, false, NULL, help \
    }
#define CHOICE(key, member, fallback, names, help)                                                \
    {                                                                                             \
        key, "", DLS_FIELD_CHOICE, offsetof(settings, member), fallback, 0, 0, false, names, help \
    }
static const dls_field fields[] = {
    {"track", "", DLS_FIELD_TRACK, offsetof(settings, track), NULL, 0, 0, false, NULL,
     "name of the track, which is fixed to body 2"},
    {"anchor", "m", DLS_FIELD_VEC3, offsetof(settings, anchor), "", 0, 0, false, NULL,
     "point of body 1 that stays on the track, at the start, world frame; default: the centre of mass of body 1"},
    {"orientation", "", DLS_FIELD_QUAT, offsetof(settings, orientation), "", 0, 0, false, NULL,
     "rotation from the axes of body 1 that follow T, N, B (as x, y, z) to the world frame, at the start; default: T, "
     "N, B there"},
    REAL("s", "m", s, "", -HUGE_VAL, HUGE_VAL,
         "arc length on the track at the start; default: that of the point nearest to the anchor"),
    REAL("tolerance", "m", tolerance, "1e-6", 0, HUGE_VAL,
         "largest distance of the anchor from the track at the start"),
    {"snap", "", DLS_FIELD_BOOL, offsetof(settings, snap), "false", 0, 0, false, NULL,
     "an anchor that is farther from the track is moved onto it, relative to body 1, and not refused"},
    ROW("lateral", lateral, "prevents motion along N"),
    CHOICE("support", support, "one-sided", supports,
           "prevents motion along B; one-sided: against B only; two-sided: both ways; none: not at all"),
    ROW("roll", turns[0], "rotation about T follows the torsion and the twist of the track"),
    ROW("pitch", turns[1], "rotation about N follows the curvature along B, which is 0 in Frenet's frame"),
    ROW("yaw", turns[2], "rotation about B follows the curvature along N"),
    REAL("speed", "m/s", speed, "", -HUGE_VAL, HUGE_VAL,
         "target speed of a motor along T; 0: a brake; default: no motor"),
    REAL("motor_force_min", "N", motor_min, "-inf", -HUGE_VAL, 0, "lower bound of the force of the motor"),
    REAL("motor_force_max", "N", motor_max, "inf", 0, HUGE_VAL, "upper bound of the force of the motor"),
    REAL("lateral_force", "N", lateral_force, "inf", 0, HUGE_VAL, "greatest force along N"),
    REAL("lateral_force_min", "N", lateral_min, "", -HUGE_VAL, 0, "the same along -N, negative; default: as along N"),
    REAL("support_force", "N", support_force, "inf", 0, HUGE_VAL, "greatest force along B"),
    REAL("support_force_min", "N", support_min, "", -HUGE_VAL, 0,
         "the same along -B, negative, of a two-sided support; default: as along B"),
    REAL("roll_torque", "N m", torque[0], "inf", 0, HUGE_VAL, "greatest torque about T"),
    REAL("roll_torque_min", "N m", torque_min[0], "", -HUGE_VAL, 0, "the same about -T, negative; default: as about T"),
    REAL("pitch_torque", "N m", torque[1], "inf", 0, HUGE_VAL, "greatest torque about N"),
    REAL("pitch_torque_min", "N m", torque_min[1], "", -HUGE_VAL, 0,
         "the same about -N, negative; default: as about N"),
    REAL("yaw_torque", "N m", torque[2], "inf", 0, HUGE_VAL, "greatest torque about B"),
    REAL("yaw_torque_min", "N m", torque_min[2], "", -HUGE_VAL, 0, "the same about -B, negative; default: as about B"),
    REAL("stop_force", "N", stop_force, "inf", 0, HUGE_VAL, "greatest force of the stop at an end"),
    CHOICE("ends", ends, "stop", end_names,
           "behaviour at the ends of an open track; stop: the body is stopped; leave: the joint releases it"),
    REAL("derail", "m", derail, "inf", 0, HUGE_VAL, "distance from the track at which the body is released"),
    CHOICE("update", update, "before", updates,
           "how s follows the anchor; before: by the tangent before the step, track-joint (3); after: by the tangent "
           "after it; nearest: to the nearest point"),
    {"least_slope", "", DLS_FIELD_REAL, offsetof(settings, least_slope), "0.5", 0, 1, true, NULL,
     "least divisor k = 1 - d . (Omega x T) of an advance of s; k vanishes at the centre of curvature, where s would "
     "follow without bound; `update: nearest` has none"},
    CHOICE("angle", angle, "half", angles,
           "error of the rotation; half: half the sum of cross products; printed: the sum as track-joint prints it "
           "(twice the angle); vector: the rotation vector"),
};

extern const dls_joint_type dls_joint_track;

const dls_track *dls_track_of(const dls_joint *joint)
{
    return joint->type == &dls_joint_track ? ((const settings *)joint->settings)->track.object : NULL;
}

/* --- the start --- */

static dls_vec3 anchor_of(const settings *of, const dls_end end[2])
{
    return isnan(of->anchor.x) ? end[0].x : of->anchor;
}

static dls_status find_start_on_track(const dls_joint *joint, const dls_end end[2], double *s, double *distance,
                                      dls_error *error)
{
    const settings *of = joint->settings;
    const dls_curve *curve = dls_track_of(joint)->curve;
    dls_vec3 anchor = anchor_of(of, end);
    *s = of->s;
    if (isnan(*s)) {
        dls_curve_nearest nearest = dls_curve_nearest_of_all(curve, anchor);
        if (!nearest.found)
            return dls_joint_refuse(
                error, "s", "the search for the point of the track nearest to the anchor did not come to rest; give s");
        *s = nearest.s;
    }
    DLS_TRY(dls_curve_check(curve, *s, error));
    dls_curve_point at;
    dls_curve_at(curve, *s, &at);
    *distance = dls_norm(dls_sub(anchor, at.P));
    return DLS_OK;
}

static dls_status track_check(const dls_joint *joint, dls_error *error)
{
    const settings *of = joint->settings;
    double roll = dls_track_roll(dls_track_of(joint)->curve, dls_track_of(joint)->twist);
    if (dls_track_count(joint) == 0)
        return dls_joint_refuse(error, "lateral", "every row is left out; keep one");
    if (isnan(of->speed) && (of->motor_min != -HUGE_VAL || of->motor_max != HUGE_VAL))
        return dls_joint_refuse(error, "speed", "a motor with a force and no speed; give one (0 brakes)");
    if (isinf(of->speed))
        return dls_joint_refuse(error, "speed", "must be finite");
    if (fabs(roll) > 1e-6) /* a seam that a wagon rolls over within rounding of a curve's quadrature */
        return dls_fail_about(
            error, DLS_BAD_INPUT, NULL, "track",
            "where the closed track closes its frame jumps by %.6g deg about T; give a twist that takes it back",
            roll * 180.0 / DLS_PI);
    return DLS_OK;
}

static dls_status track_place(dls_joint *joint, const dls_end end[2], dls_error *error)
{
    const settings *of = joint->settings;
    double s, distance;
    DLS_TRY(track_check(joint, error));
    DLS_TRY(find_start_on_track(joint, end, &s, &distance, error));
    if (!(distance <= of->tolerance) && !of->snap)
        return dls_fail_about(
            error, DLS_BAD_INPUT, NULL, "anchor",
            "%.6g m off the track at s = %.6g m, more than the tolerance of %g m; move the body, or write snap: true",
            distance, s, of->tolerance);
    joint->frame[1] = dls_end_frame(&end[1], dls_v3(0, 0, 0), dls_quat_identity());
    dls_curve_point F = dls_track_where_at(joint, end, s).at;
    const dls_mat3 axes = {{F.T.x, F.N.x, F.B.x, F.T.y, F.N.y, F.B.y, F.T.z, F.N.z, F.B.z}};
    dls_quat q = isnan(of->orientation.w) ? dls_matrix_quat(axes) : of->orientation;
    joint->frame[0] = dls_end_frame(&end[0], distance <= of->tolerance ? anchor_of(of, end) : F.P, q);
    return DLS_OK;
}

static dls_status track_start(const dls_joint *joint, const dls_end end[2], double *joint_state, dls_error *error)
{
    double distance;
    return find_start_on_track(joint, end, &joint_state[DLS_TRACK_S], &distance, error);
}

/* --- along the track --- */

/* The way from s to the nearest point; straight on beyond an open end. */
static double way_to_nearest(const dls_joint *joint, const dls_end end[2], double s)
{
    const dls_curve *curve = dls_track_of(joint)->curve;
    dls_quat q = dls_end_rotation(&end[1], &joint->frame[1]);
    dls_vec3 A = dls_end_anchor(&end[0], &joint->frame[0]);
    dls_vec3 p = dls_quat_rotate(dls_quat_conj(q), dls_sub(A, dls_end_anchor(&end[1], &joint->frame[1])));
    dls_curve_nearest nearest = dls_curve_nearest_to(curve, p, s);
    double way = nearest.s - dls_curve_wrap(curve, s);
    if (curve->closed)
        return way - curve->length * round(way / curve->length);
    dls_track_where at = dls_track_where_at(joint, end, nearest.s);
    return nearest.where == DLS_CURVE_ON ? way : way + dls_dot(at.d, at.at.T);
}

static double way_along(const dls_joint *joint, const dls_end before[2], const dls_end after[2], double s)
{
    const int update = ((const settings *)joint->settings)->update;
    if (update == DLS_TRACK_NEAREST)
        return way_to_nearest(joint, after, s);
    dls_track_where now = dls_track_where_at(joint, after, s), then = dls_track_where_at(joint, before, s);
    const dls_track_where *tangent = update == DLS_TRACK_BEFORE ? &then : &now;
    return dls_dot(now.d, tangent->at.T) / dls_track_slope(joint, tangent);
}

static void track_advance(const dls_joint *joint, const dls_end before[2], const dls_end after[2], double h,
                          double *joint_state)
{
    const dls_curve *curve = dls_track_of(joint)->curve;
    joint_state[DLS_TRACK_CLOCK] += h;
    if (joint_state[DLS_TRACK_RELEASED] > 0.0)
        return;
    const settings *of = joint->settings;
    const double s = joint_state[DLS_TRACK_S] += way_along(joint, before, after, joint_state[DLS_TRACK_S]);
    const bool left = !curve->closed && of->ends == DLS_TRACK_LEAVE && !(s >= 0.0 && s <= curve->length);
    if (!left && (isinf(of->derail) || dls_norm(dls_track_where_at(joint, after, s).d) <= of->derail))
        return;
    joint_state[DLS_TRACK_RELEASED] = 1.0;
    joint_state[DLS_TRACK_RELEASED_AT] = joint_state[DLS_TRACK_CLOCK];
}

static bool track_holonomic(const dls_joint *joint)
{
    return ((const settings *)joint->settings)->update == DLS_TRACK_NEAREST;
}

static void track_coordinate(const dls_joint *joint, const dls_end end[2], dls_row *row)
{
    *row = dls_track_travel(joint, end);
    row->C = end[0].joint_state[DLS_TRACK_S];
}

static const dls_row_definition definitions[] = {
    {.label = "lateral", .least = "lateral_force_min", .most = "lateral_force"},
    {.label = "support",
     .kind = DLS_ROW_LIMIT,
     .most = "support_force",
     .choice = "support",
     .chosen = DLS_TRACK_ONE_SIDED},
    {.label = "support", .least = "support_force_min", .most = "support_force"},
    {.label = "roll", .least = "roll_torque_min", .most = "roll_torque"},
    {.label = "pitch", .least = "pitch_torque_min", .most = "pitch_torque"},
    {.label = "yaw", .least = "yaw_torque_min", .most = "yaw_torque"},
    {.label = "drive", .kind = DLS_ROW_SPEED, .speed = "speed", .least = "motor_force_min", .most = "motor_force_max"},
    {.label = "stop", .kind = DLS_ROW_LIMIT, .most = "stop_force"},
    {.label = NULL}};

const dls_joint_type dls_joint_track = {
    .name = "track",
    .summary = "body 1 moves along a curve that is fixed to body 2",
    .equation = "C = (d . N, d . B, angles about T, N, B), d = A - P(s); the arc length s is part of the state",
    .drawing = DLS_DRAW_POINT,
    .fields = DLS_FIELD_TABLE(fields, settings),
    .place = track_place,
    .count = dls_track_count,
    .rows = dls_track_rows,
    .position = dls_track_position,
    .coordinate = track_coordinate,
    .n_state = DLS_TRACK_NUMBERS,
    .start = track_start,
    .advance = track_advance,
    .definitions = definitions,
    .holonomic = track_holonomic,
};
