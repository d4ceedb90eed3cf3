/* Rows of the track joint. track-joint (6)-(11), corrected; exact off the track too.
 *
 * With P and T, N, B the twisted frame at s in the world, A the anchor of body 1, d = A - P, and F_i one of T, N, B:
 * body 2 carries the frame, and it runs along the track at s' (curve.h),
 *     P'   = v2 + omega2 x (P - x2) + s' T
 *     F_i' = omega2 x F_i + s' Omega x F_i,        Omega = t T - cb N + c B
 *
 * LATERAL, SUPPORT (6), (7).  C = d . n with n = N or B.
 *     C' = (v1 + omega1 x a1 - P') . n + d . n'
 *        = n . (v1 + omega1 x a1) - n . (v2 + omega2 x (P - x2 + d)) + s' d . (Omega x n)               T . n = 0
 * The two terms with omega2 made one as (slider.c) d . (omega2 x n) = -omega2 . (d x n): body 2 is held at A, not at
 * P as printed, and angular momentum is conserved at any error. d . (Omega x N) = t d.B - c d.T and d . (Omega x B) =
 * -cb d.T - t d.N: off a twisted track, running on brings an error along N that was one along B.
 *
 * ROLL, PITCH, YAW (8)-(10).  E = F^T A is the rotation from the frame to the axes of the anchor, in the frame's
 * coordinates.
 *     E' = hat(r) E,   r = F^T (omega1 - omega2 - s' Omega)
 * C = phi(E), C' = D r. With n = F D^T e_i the row is n . (omega1 - omega2) - (n . Omega) s'; on the track D = 1 and
 * n . Omega is t, -cb and c: (8) and (10), and (9) for frames that are not Frenet's.
 *     half      phi = 1/2 sum e_i x E_i                    = sin(theta) u          D = 1/2 (tr(E) - E)
 *     printed   phi = sum e_i x E_i                        = 2 sin(theta) u        D = 1 as printed: half of what it
 *     is
 *     vector    phi = log(E)                               = theta u               D = dls_rotation_rate(phi)
 * with E_i column i of E: sum e_i x (r x E_i) = tr(E) r - E r. `half` holds up to a quarter of a turn, where D loses
 * its rank. If just one of the three is left out, say about e_k, `half` looks at that axis alone, however far the
 * body has turned about it:
 *               phi = e_k x E_k                            = sin(theta) u          D r = (e_k . E_k) r - E_k (e_k .
 *               r)
 *
 * MOTOR (11).  s' = speed.  u = speed stands in c: (11) divides by erp.  STOP: the gap s, or length - s.
 *
 * s'.  The row of s' depends on the update (track.c). d . T = 0 after any step, but for higher orders in h.
 * Differentiating s+ = s + (A - P(s)) . T with d . T = 0:
 *     before    T at t:  s' = T . (v1 + omega1 x a1) - T . (v2 + omega2 x (P - x2))                      as printed
 *     after     s' has d . (omega2 x T) too: omega2 acts at A
 *     nearest   0 = (d . T)':  s' (1 - d . (Omega x T)) = the same
 * So everything that hangs on s has its share in J, and c has none. Where the joint has released its body s stays and
 * s' = 0.
 */
#include "track_parts.h"

#include <string.h>

typedef dls_track_settings settings;

static void put_in_world(dls_curve_point *p, dls_quat q, dls_vec3 origin)
{
    p->P = dls_add(origin, dls_quat_rotate(q, p->P));
    p->T = dls_quat_rotate(q, p->T);
    p->N = dls_quat_rotate(q, p->N);
    p->B = dls_quat_rotate(q, p->B);
}

dls_track_where dls_track_where_at(const dls_joint *joint, const dls_end end[2], double s)
{
    const dls_track *track = dls_track_of(joint);
    dls_track_where w;
    if (dls_track_at(track->curve, track->twist, s, NULL, &w.at) != DLS_CURVE_ON) {
        w.at.P = dls_add(w.at.P, dls_scale(s < 0.0 ? s : s - track->curve->length, w.at.T));
        w.at.c = w.at.cb = w.at.t = 0.0;
    }
    put_in_world(&w.at, dls_end_rotation(&end[1], &joint->frame[1]), dls_end_anchor(&end[1], &joint->frame[1]));
    w.arm[0] = dls_end_arm(&end[0], &joint->frame[0]);
    w.arm[1] = dls_sub(w.at.P, end[1].x);
    w.d = dls_sub(dls_add(end[0].x, w.arm[0]), w.at.P);
    return w;
}

static bool released(const dls_end end[2]) { return end[0].own[DLS_TRACK_RELEASED] > 0.0; }

static dls_track_where where(const dls_joint *joint, const dls_end end[2])
{
    return dls_track_where_at(joint, end, end[0].own[DLS_TRACK_S]);
}

static dls_vec3 turn_per_metre(const dls_curve_point *F)
{
    return dls_add(dls_scale(F->t, F->T), dls_sub(dls_scale(F->c, F->B), dls_scale(F->cb, F->N)));
}

/* Column k of the frame. */
static dls_vec3 axis(const dls_curve_point *F, int k) { return k == 0 ? F->T : k == 1 ? F->N : F->B; }

/* row += k travel */
static void add(dls_row *row, double k, const dls_row *travel)
{
    for (int i = 0; i < 6; i++)
        row->J1[i] += k * travel->J1[i], row->J2[i] += k * travel->J2[i];
}

static dls_row travel(const dls_joint *joint, const dls_track_where *w, bool stays)
{
    const int update = ((const settings *)joint->settings)->update;
    dls_row row = {.parent = -1}, zero = {.parent = -1};
    dls_row_set_linear(&row, w->at.T, w->arm[0],
                       update == DLS_TRACK_BEFORE && !stays ? w->arm[1] : dls_add(w->arm[1], w->d));
    if (update != DLS_TRACK_NEAREST || stays)
        return row;
    add(&zero, 1.0 / (1.0 - dls_dot(w->d, dls_cross(turn_per_metre(&w->at), w->at.T))), &row);
    return zero;
}

dls_row dls_track_travel(const dls_joint *joint, const dls_end end[2])
{
    dls_track_where w = where(joint, end);
    return travel(joint, &w, released(end));
}

/* --- angles --- */

/* The one axis about which the body is free to turn; -1: none or several. */
static int free_axis(const settings *of)
{
    int free = -1, count = 0;
    for (int k = 0; k < 3; k++)
        if (!of->turns[k])
            free = k, count++;
    return count == 1 ? free : -1;
}

static dls_vec3 column(dls_mat3 E, int k) { return dls_v3(E.m[k], E.m[3 + k], E.m[6 + k]); }

/* phi(E) and D. */
static dls_vec3 angle_error(const settings *of, dls_mat3 E, dls_mat3 *D)
{
    const dls_mat3 one = {{1, 0, 0, 0, 1, 0, 0, 0, 1}};
    dls_vec3 sum = {0.0, 0.0, 0.0};
    int free = free_axis(of);
    *D = one;
    if (of->angle == DLS_TRACK_VECTOR) {
        dls_vec3 phi = dls_quat_log(dls_matrix_quat(E));
        *D = dls_rotation_rate(phi);
        return phi;
    }
    for (int k = 0; k < 3; k++)
        if (of->angle == DLS_TRACK_PRINTED || free < 0 || free == k)
            sum = dls_add(sum, dls_cross(dls_axis3(k), column(E, k)));
    if (of->angle == DLS_TRACK_PRINTED)
        return sum;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            D->m[3 * i + j] = free < 0 ? 0.5 * ((E.m[0] + E.m[4] + E.m[8]) * one.m[3 * i + j] - E.m[3 * i + j])
                                       : E.m[4 * free] * one.m[3 * i + j] - E.m[3 * i + free] * one.m[3 * free + j];
    return free < 0 ? dls_scale(0.5, sum) : sum;
}

static dls_mat3 rotation_error(const dls_joint *joint, const dls_end end[2], const dls_curve_point *F)
{
    dls_mat3 A = dls_quat_matrix(dls_end_rotation(&end[0], &joint->frame[0])), E;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            E.m[3 * i + k] = dls_dot(axis(F, i), column(A, k));
    return E;
}

/* --- rows --- */

typedef struct writer {
    const dls_joint *joint;
    const dls_end *end;
    dls_track_where w;
    dls_row travel; /* J of s' */
    dls_vec3 turn;  /* Omega; 0 where s stays */
    bool stays;
    dls_row *next;
} writer;

static dls_row *put(writer *to, const char *label, double C, double force)
{
    dls_row *row = to->next++;
    *row = dls_row_bilateral(to->joint, label);
    row->C = C;
    dls_part_limit_force(row, force);
    return row;
}

static dls_row *put_across(writer *to, const char *label, dls_vec3 n, double force)
{
    const dls_track_where *w = &to->w;
    dls_row *row = put(to, label, dls_dot(w->d, n), force);
    dls_row_set_linear(row, n, w->arm[0], dls_add(w->arm[1], w->d));
    add(row, dls_dot(w->d, dls_cross(to->turn, n)), &to->travel);
    return row;
}

static void put_turns(writer *to, const settings *of)
{
    static const char *const labels[] = {"roll", "pitch", "yaw"};
    const dls_curve_point *F = &to->w.at;
    dls_mat3 D;
    dls_vec3 phi = angle_error(of, rotation_error(to->joint, to->end, F), &D);
    for (int i = 0; i < 3; i++) {
        if (!of->turns[i])
            continue;
        dls_vec3 n = dls_v3(0, 0, 0);
        for (int j = 0; j < 3; j++)
            n = dls_add(n, dls_scale(D.m[3 * i + j], axis(F, j)));
        dls_row *row = put(to, labels[i], dls_get3(phi, i), of->torque[i]);
        dls_row_set_angular(row, n);
        add(row, -dls_dot(n, to->turn), &to->travel);
    }
}

/* C of the motor is the way along the track, a displacement whose rate is its J v. */
static void put_along(writer *to, const settings *of)
{
    double s = to->end[0].own[DLS_TRACK_S], length = dls_track_of(to->joint)->curve->length;
    if (!isnan(of->speed)) {
        dls_row *row = put(to, "drive", to->stays ? dls_dot(to->w.d, to->w.at.T) : s, HUGE_VAL);
        add(row, 1.0, &to->travel);
        row->erp = row->kp = row->kd = row->frequency =
            0.0; /* the joint's spring holds it to the track, not on its way */
        row->u = of->speed;
        row->role = of->speed == 0.0 ? DLS_ROLE_FRICTION : DLS_ROLE_MOTOR;
        row->lo = fmax(row->lo, of->motor_min);
        row->hi = fmin(row->hi, of->motor_max);
    }
    if (dls_track_has_stop(to->joint)) {
        bool first = s < 0.5 * length;
        dls_row *row = put(to, "stop", first ? s : length - s, of->stop_force);
        add(row, first ? 1.0 : -1.0, &to->travel);
        dls_row_make_unilateral(row);
    }
}

static size_t put_all(const dls_joint *joint, const dls_end end[2], dls_row *rows)
{
    const settings *of = joint->settings;
    writer to = {.joint = joint, .end = end, .w = where(joint, end), .stays = released(end), .next = rows};
    to.travel = travel(joint, &to.w, to.stays);
    to.turn = to.stays ? dls_v3(0, 0, 0) : turn_per_metre(&to.w.at);
    if (of->lateral)
        put_across(&to, "lateral", to.w.at.N, of->lateral_force);
    if (of->support != DLS_TRACK_UNSUPPORTED) {
        dls_row *row = put_across(&to, "support", to.w.at.B, of->support_force);
        if (of->support == DLS_TRACK_ONE_SIDED)
            dls_row_make_unilateral(row);
    }
    put_turns(&to, of);
    put_along(&to, of);
    return (size_t)(to.next - rows);
}

bool dls_track_has_stop(const dls_joint *joint)
{
    return ((const settings *)joint->settings)->ends == DLS_TRACK_STOP && !dls_track_of(joint)->curve->closed;
}

size_t dls_track_count(const dls_joint *joint)
{
    const settings *of = joint->settings;
    const bool rows[] = {of->lateral,
                         of->support != DLS_TRACK_UNSUPPORTED,
                         of->turns[0],
                         of->turns[1],
                         of->turns[2],
                         !isnan(of->speed),
                         dls_track_has_stop(joint)};
    size_t count = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        count += rows[i];
    return count;
}

void dls_track_position(const dls_joint *joint, const dls_end end[2], double *C)
{
    dls_row rows[DLS_JOINT_ROWS_MAX];
    size_t count = put_all(joint, end, rows);
    for (size_t i = 0; i < count; i++)
        C[i] = rows[i].C;
}

void dls_track_rows(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows)
{
    (void)h;
    size_t count = put_all(joint, end, rows);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(rows[i].label, "drive") == 0)
            rows[i].C = 0.0;
        if (released(end)) {
            rows[i].C = rows[i].erp = rows[i].u = rows[i].lo = rows[i].hi = 0.0;
            rows[i].gap = false;
        }
    }
}

/* --- readings --- */

static double rate(const double J[6], const dls_end *end)
{
    return dls_dot(dls_v3(J[0], J[1], J[2]), end->v) + dls_dot(dls_v3(J[3], J[4], J[5]), end->omega);
}

dls_track_ride dls_track_ride_of(const dls_joint *joint, const dls_end end[2])
{
    dls_track_where w = where(joint, end);
    dls_row row = dls_track_travel(joint, end);
    const dls_curve_point *F = &w.at;
    return (dls_track_ride){.s = end[0].own[DLS_TRACK_S],
                            .speed = rate(row.J1, &end[0]) + rate(row.J2, &end[1]),
                            .frame = *F,
                            .off = dls_v3(dls_dot(w.d, F->T), dls_dot(w.d, F->N), dls_dot(w.d, F->B)),
                            .released = released(end),
                            .released_at = end[0].own[DLS_TRACK_RELEASED_AT]};
}

dls_track_forces dls_track_forces_of(const dls_row_list *list, const double *lambda, double h, size_t joint)
{
    dls_track_forces forces = {0};
    const struct {
        const char *label;
        double *force;
    } rows[] = {{"lateral", &forces.lateral}, {"support", &forces.support}, {"roll", &forces.roll},
                {"pitch", &forces.pitch},     {"yaw", &forces.yaw},         {"drive", &forces.drive},
                {"stop", &forces.stop}};
    for (size_t i = 0; i < list->n; i++)
        for (size_t k = 0; list->row[i].owner == joint && k < sizeof rows / sizeof rows[0]; k++)
            if (strcmp(list->row[i].label, rows[k].label) == 0)
                *rows[k].force = lambda[i] / h;
    return forces;
}
