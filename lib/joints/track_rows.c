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
 * The two terms with omega2 are joined as in slider.c, d . (omega2 x n) = -omega2 . (d x n): the force on body 2 acts
 * at A, not at P as printed, and angular momentum is conserved at any error. d . (Omega x N) = t d.B - c d.T and d .
 * (Omega x B) = -cb d.T - t d.N: along a twisted track an error along B becomes an error along N.
 *
 * ROLL, PITCH, YAW (8)-(10).  E = F^T A is the rotation from the frame to the axes of the anchor, in the frame's
 * coordinates.
 *     E' = hat(r) E,   r = F^T (omega1 - omega2 - s' Omega)
 * C = phi(E), C' = D r. With n = F D^T e_i the row is n . (omega1 - omega2) - (n . Omega) s'; on the track D = 1 and
 * n . Omega is t, -cb and c: (8) and (10), and (9) for frames that are not Frenet's.
 *     half      phi = 1/2 sum e_i x E_i                    = sin(theta) u          D = 1/2 (tr(E) - E)
 *     printed   phi = sum e_i x E_i                        = 2 sin(theta) u        D = 1, half of the correct value
 *     vector    phi = log(E)                               = theta u               D = dls_rotation_rate(phi)
 * with E_i column i of E: sum e_i x (r x E_i) = tr(E) r - E r. `half` is valid up to a quarter of a turn, where D is
 * singular. If exactly one of the three rows is left out, say that about e_k, `half` uses this axis only, so that the
 * rotation about it may have any size:
 *               phi = e_k x E_k = sin(theta) u,    D r = (e_k . E_k) r - E_k (e_k . r)
 *
 * MOTOR (11).  s' = speed, with u = speed in c, since (11) divides by erp.  STOP: the gap s, or length - s.
 *
 * s'.  The row of s' depends on the update (track.c). d . T = 0 after each step, except for terms of higher order in h.
 * Differentiating s+ = s + (A - P(s)) . T / k with d . T = 0, k = 1 - d . (Omega x T):
 *     before    T at t:  k s' = T . (v1 + omega1 x a1) - T . (v2 + omega2 x (P - x2))         as printed, with k = 1
 *     after     k s' has d . (omega2 x T) too: omega2 acts at A
 *     nearest   0 = (d . T)' is the same
 * So all terms with s' are in J, and none in c. After the joint has released its body, s is constant and s' = 0.
 */
#include "track_parts.h"

#include "model/model.h"

typedef dls_track_joint_settings settings;

static const dls_track *track_of(const dls_joint *joint) { return ((const settings *)joint->settings)->track.object; }

static void put_in_world(dls_curve_point *p, dls_quat q, dls_vec3 origin)
{
    p->P = dls_add(origin, dls_quat_rotate(q, p->P));
    p->T = dls_quat_rotate(q, p->T);
    p->N = dls_quat_rotate(q, p->N);
    p->B = dls_quat_rotate(q, p->B);
}

dls_track_where dls_track_where_at(const dls_joint *joint, const dls_end end[2], double s)
{
    const dls_track *track = track_of(joint);
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

static bool released(const dls_end end[2]) { return end[0].joint_state[DLS_TRACK_RELEASED] > 0.0; }

static dls_track_where where_on_track(const dls_joint *joint, const dls_end end[2])
{
    return dls_track_where_at(joint, end, end[0].joint_state[DLS_TRACK_S]);
}

static dls_vec3 turn_per_metre(const dls_curve_point *F)
{
    return dls_add(dls_scale(F->t, F->T), dls_sub(dls_scale(F->c, F->B), dls_scale(F->cb, F->N)));
}

/* Column k of the frame. */
static dls_vec3 track_axis(const dls_curve_point *F, int k) { return k == 0 ? F->T : k == 1 ? F->N : F->B; }

/* row += k travel */
static void add_travel(dls_row *row, double k, const dls_row *travel)
{
    for (int i = 0; i < 6; i++)
        row->J1[i] += k * travel->J1[i], row->J2[i] += k * travel->J2[i];
}

double dls_track_slope(const dls_joint *joint, const dls_track_where *w)
{
    const double k = 1.0 - dls_dot(w->d, dls_cross(turn_per_metre(&w->at), w->at.T));
    const settings *of = joint->settings;
    return of->update == DLS_TRACK_NEAREST ? k : fmax(k, of->least_slope);
}

static dls_row track_travel(const dls_joint *joint, const dls_track_where *w, bool stays)
{
    const int update = ((const settings *)joint->settings)->update;
    dls_row row = {.parent = -1}, zero = {.parent = -1};
    dls_row_set_linear(&row, w->at.T, w->arm[0],
                       update == DLS_TRACK_BEFORE && !stays ? w->arm[1] : dls_add(w->arm[1], w->d));
    if (stays)
        return row;
    add_travel(&zero, 1.0 / dls_track_slope(joint, w), &row);
    return zero;
}

dls_row dls_track_travel(const dls_joint *joint, const dls_end end[2])
{
    dls_track_where w = where_on_track(joint, end);
    return track_travel(joint, &w, released(end));
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

static dls_vec3 track_column(dls_mat3 E, int k) { return dls_v3(E.m[k], E.m[3 + k], E.m[6 + k]); }

/* phi(E) */
static dls_vec3 angle_error(const settings *of, dls_mat3 E)
{
    dls_vec3 sum = {0.0, 0.0, 0.0};
    int free = free_axis(of);
    if (of->angle == DLS_TRACK_VECTOR)
        return dls_quat_log(dls_matrix_quat(E));
    for (int k = 0; k < 3; k++)
        if (of->angle == DLS_TRACK_PRINTED || free < 0 || free == k)
            sum = dls_add(sum, dls_cross(dls_axis3(k), track_column(E, k)));
    return of->angle == DLS_TRACK_PRINTED || free >= 0 ? sum : dls_scale(0.5, sum);
}

/* D of that phi: phi' = D r */
static dls_mat3 angle_rate(const settings *of, dls_mat3 E, dls_vec3 phi)
{
    const dls_mat3 one = {{1, 0, 0, 0, 1, 0, 0, 0, 1}};
    dls_mat3 D = one;
    int free = free_axis(of);
    if (of->angle == DLS_TRACK_VECTOR)
        return dls_rotation_rate(phi);
    if (of->angle == DLS_TRACK_PRINTED)
        return one;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            D.m[3 * i + j] = free < 0 ? 0.5 * ((E.m[0] + E.m[4] + E.m[8]) * one.m[3 * i + j] - E.m[3 * i + j])
                                      : E.m[4 * free] * one.m[3 * i + j] - E.m[3 * i + free] * one.m[3 * free + j];
    return D;
}

static dls_mat3 rotation_error(const dls_joint *joint, const dls_end end[2], const dls_curve_point *F)
{
    dls_mat3 A = dls_quat_matrix(dls_end_rotation(&end[0], &joint->frame[0])), E;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            E.m[3 * i + k] = dls_dot(track_axis(F, i), track_column(A, k));
    return E;
}

/* --- rows --- */

/* Rows in their order; a joint has some of them. */
enum { LATERAL, SUPPORT, ROLL, PITCH, YAW, DRIVE, STOP, SLOTS };

bool dls_track_has_stop(const dls_joint *joint)
{
    return ((const settings *)joint->settings)->ends == DLS_TRACK_STOP && !track_of(joint)->curve->closed;
}

static size_t slots_of(const dls_joint *joint, int slots[SLOTS])
{
    const settings *of = joint->settings;
    const bool has[SLOTS] = {of->lateral,
                             of->support != DLS_TRACK_UNSUPPORTED,
                             of->turns[0],
                             of->turns[1],
                             of->turns[2],
                             !isnan(of->speed),
                             dls_track_has_stop(joint)};
    size_t count = 0;
    for (int k = 0; k < SLOTS; k++)
        if (has[k])
            slots[count++] = k;
    return count;
}

size_t dls_track_count(const dls_joint *joint)
{
    int slots[SLOTS];
    return slots_of(joint, slots);
}

/* Whether the nearer end is that where s = 0. */
static bool near_start(const dls_joint *joint, const dls_end end[2])
{
    return end[0].joint_state[DLS_TRACK_S] < 0.5 * track_of(joint)->curve->length;
}

/* C of every slot. That of the motor is the way along the track, a displacement whose rate is its J v. */
static void slot_errors(const dls_joint *joint, const dls_end end[2], const dls_track_where *w, double C[SLOTS])
{
    const dls_curve_point *F = &w->at;
    double s = end[0].joint_state[DLS_TRACK_S];
    dls_vec3 phi = angle_error(joint->settings, rotation_error(joint, end, F));
    C[LATERAL] = dls_dot(w->d, F->N);
    C[SUPPORT] = dls_dot(w->d, F->B);
    C[ROLL] = phi.x, C[PITCH] = phi.y, C[YAW] = phi.z;
    C[DRIVE] = released(end) ? dls_dot(w->d, F->T) : s;
    C[STOP] = near_start(joint, end) ? s : track_of(joint)->curve->length - s;
}

void dls_track_position(const dls_joint *joint, const dls_end end[2], double *C)
{
    int slots[SLOTS];
    double all[SLOTS];
    dls_track_where w = where_on_track(joint, end);
    slot_errors(joint, end, &w, all);
    for (size_t i = 0, count = slots_of(joint, slots); i < count; i++)
        C[i] = all[slots[i]];
}

/* Terms that all rows of one configuration use. */
typedef struct motion {
    dls_track_where w;
    dls_row travel; /* J of s' */
    dls_vec3 turn;  /* Omega; 0 where s stays */
    dls_mat3 D;
} motion;

static void set_across(dls_row *row, const motion *m, dls_vec3 n)
{
    dls_row_set_linear(row, n, m->w.arm[0], dls_add(m->w.arm[1], m->w.d));
    add_travel(row, dls_dot(m->w.d, dls_cross(m->turn, n)), &m->travel);
}

static void set_turn(dls_row *row, const motion *m, int i)
{
    dls_vec3 n = dls_v3(0, 0, 0);
    for (int j = 0; j < 3; j++)
        n = dls_add(n, dls_scale(m->D.m[3 * i + j], track_axis(&m->w.at, j)));
    dls_row_set_angular(row, n);
    add_travel(row, -dls_dot(n, m->turn), &m->travel);
}

static void set_drive(dls_row *row, const motion *m, const settings *of)
{
    add_travel(row, 1.0, &m->travel);
    row->C = 0.0;
    row->erp = row->kp = row->kd = row->frequency = 0.0; /* the joint's spring holds it to the track, not on its way */
    row->u = of->speed;
    row->role = of->speed == 0.0 ? DLS_ROLE_FRICTION : DLS_ROLE_MOTOR;
    row->lo = fmax(row->lo, of->motor_min);
    row->hi = fmin(row->hi, of->motor_max);
}

void dls_track_rows(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows)
{
    static const char *const labels[] = {"lateral", "support", "roll", "pitch", "yaw", "drive", "stop"};
    const settings *of = joint->settings;
    const double force[SLOTS] = {of->lateral_force, of->support_force, of->torque[0], of->torque[1],
                                 of->torque[2],     HUGE_VAL,          of->stop_force};
    const double least[SLOTS] = {
        of->lateral_min, of->support_min, of->torque_min[0], of->torque_min[1], of->torque_min[2], NAN, NAN};
    int slots[SLOTS];
    double C[SLOTS];
    motion m = {.w = where_on_track(joint, end)};
    bool stays = released(end);
    (void)h;
    m.travel = track_travel(joint, &m.w, stays);
    m.turn = stays ? dls_v3(0, 0, 0) : turn_per_metre(&m.w.at);
    slot_errors(joint, end, &m.w, C);
    m.D = angle_rate(of, rotation_error(joint, end, &m.w.at), dls_v3(C[ROLL], C[PITCH], C[YAW]));
    for (size_t i = 0, count = slots_of(joint, slots); i < count; i++) {
        dls_row *row = &rows[i];
        int slot = slots[i];
        dls_row_bilateral(row, joint, labels[slot]);
        row->C = C[slot];
        row->hi = fmin(row->hi, force[slot]);
        row->lo = fmax(row->lo, isnan(least[slot]) ? -force[slot] : least[slot]);
        if (slot == LATERAL || slot == SUPPORT)
            set_across(row, &m, slot == LATERAL ? m.w.at.N : m.w.at.B);
        else if (slot == DRIVE)
            set_drive(row, &m, of);
        else if (slot == STOP)
            add_travel(row, near_start(joint, end) ? 1.0 : -1.0, &m.travel);
        else
            set_turn(row, &m, slot - ROLL);
        if (slot == STOP || (slot == SUPPORT && of->support == DLS_TRACK_ONE_SIDED))
            dls_row_make_unilateral(row);
        if (stays) {
            row->C = row->erp = row->u = row->lo = row->hi = 0.0;
            row->gap = false;
        }
    }
}

/* --- readings --- */

static double track_rate(const double J[6], const dls_end *end)
{
    return dls_dot(dls_v3(J[0], J[1], J[2]), end->v) + dls_dot(dls_v3(J[3], J[4], J[5]), end->omega);
}

dls_track_ride dls_track_ride_of(const dls_joint *joint, const dls_end end[2])
{
    dls_track_where w = where_on_track(joint, end);
    dls_row row = dls_track_travel(joint, end);
    const dls_curve_point *F = &w.at;
    return (dls_track_ride){.s = end[0].joint_state[DLS_TRACK_S],
                            .speed = track_rate(row.J1, &end[0]) + track_rate(row.J2, &end[1]),
                            .frame = *F,
                            .off = dls_v3(dls_dot(w.d, F->T), dls_dot(w.d, F->N), dls_dot(w.d, F->B)),
                            .released = released(end),
                            .released_at = end[0].joint_state[DLS_TRACK_RELEASED_AT]};
}

dls_track_forces dls_track_forces_of(const dls_model *model, size_t joint, const dls_row_list *list,
                                     const double *lambda, double h)
{
    int slots[SLOTS];
    double force[SLOTS] = {0};
    slots_of(&model->joints[joint], slots);
    for (size_t i = 0; i < list->n; i++)
        if (list->row[i].owner == joint)
            force[slots[list->row[i].slot]] = lambda[i] / h;
    return (dls_track_forces){.lateral = force[LATERAL],
                              .support = force[SUPPORT],
                              .roll = force[ROLL],
                              .pitch = force[PITCH],
                              .yaw = force[YAW],
                              .drive = force[DRIVE],
                              .stop = force[STOP]};
}
