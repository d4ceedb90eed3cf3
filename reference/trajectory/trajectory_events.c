/* Events of a reference trajectory: where its right-hand side is not smooth, and how it goes on.
 *
 * Between events every row has a mode (parts.h), and the motion is that of a smooth system. A mode ends where one of
 * the functions `watch` of the state turns negative: an open gap C, the force of a closed stop, mu f_n - |f_t| of
 * friction that holds, u . e of friction that slides with e at the start of the step, the distance of a
 * force from its bound. They go on smoothly beyond the event, since modes are kept within a step.
 *
 * LOCATION. A step whose end has a negative function is taken again with other lengths, from the same start, until
 * the function is 0: each length is a step of the integrator with its full order, so the place of the event is as true
 * as a step is. A gap may close and open again within a step: the cubic through C and C' at both ends tells where to
 * look.
 *
 * CONTINUATION. At an event all stops with C = 0 that approach have an impact: impulses z with w = J v+ + e min(J v-,
 * 0) of stops, J v+ of friction and of joints. Then the accelerations of the stops with C = 0 and J v = 0, of friction
 * without sliding and of motors at their speed decide who stays: trajectory_modes.c has the problem for both.
 *
 * ACCUMULATION. A stop that is left with s, under an acceleration a < 0 towards it, is met again after 2 s / |a|. If
 * it was left with s / r the last time, the whole series ends after 2 s / (|a| (1 - r)). Once that is less than 1e-7 s,
 * its impulses are given at once: those of rest over this time, less the momentum with which it was left. */
#include "parts.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

enum { BARREN_LIMIT = 30, ROOT_LIMIT = 100 };
static const double grain = 1e-11;   /* of forces, against the largest */
static const double shortest = 1e-7; /* of the rest of a series of impacts, at the default tolerance [s] */

const char *const dls_trajectory_event_names[] = {"impact",   "touch",      "release",      "slip",  "stick", "reverse",
                                                  "saturate", "desaturate", "accumulation", "break", NULL};

/* --- watching --- */

/* Two functions of row i in the state as evaluated; HUGE_VAL: none. */
static void watch_row(const dls_trajectory *e, size_t i, const double *v, double g[2])
{
    const trajectory_rows *rows = &e->rows;
    const trajectory_row *row = &rows->row[i];
    const double spring = row->feed - row->kp * row->C - row->kd * (trajectory_row_speed(rows, i, v) - row->u);
    const double normal = row->kind >= TRAJECTORY_BOX ? row->mu * rows->row[row->parent].force : 0.0;
    g[0] = g[1] = HUGE_VAL;
    switch (row->kind) {
    case TRAJECTORY_STOP:
        g[0] = row->mode == TRAJECTORY_HELD ? row->force : row->C - row->floor;
        break;
    case TRAJECTORY_SPEED:
        if (row->mode == TRAJECTORY_HELD)
            g[0] = row->force - row->lo, g[1] = row->hi - row->force;
        else
            g[0] = (row->mode == TRAJECTORY_AT_LO ? 1.0 : -1.0) * (trajectory_row_speed(rows, i, v) - row->u);
        break;
    case TRAJECTORY_SPRING:
        if (row->mode == TRAJECTORY_ABSENT)
            g[0] = row->C;
        else if (row->mode == TRAJECTORY_FOLLOWS)
            g[0] = spring - row->lo, g[1] = row->hi - spring;
        else
            g[0] = row->mode == TRAJECTORY_AT_LO ? row->lo - spring : spring - row->hi;
        if (row->soft && row->mode == TRAJECTORY_AT_LO)
            g[1] = -row->C;
        break;
    case TRAJECTORY_BOX:
        if (row->mode == TRAJECTORY_HELD)
            g[0] = normal - row->force, g[1] = normal + row->force;
        else if (row->mode == TRAJECTORY_SLIDES)
            g[0] = row->onset * trajectory_row_speed(rows, i, v);
        break;
    case TRAJECTORY_DISC:
        if (row->mode == TRAJECTORY_HELD)
            g[0] = normal - hypot(row[0].force, row[1].force);
        else if (row->mode == TRAJECTORY_SLIDES)
            g[0] =
                row[0].onset * trajectory_row_speed(rows, i, v) + row[1].onset * trajectory_row_speed(rows, i + 1, v);
        break;
    default:
        break;
    }
}

static bool watches_force(const trajectory_row *row)
{
    return row->mode == TRAJECTORY_HELD || row->kind == TRAJECTORY_SPRING;
}

/* The value below which a function counts as negative; `row` NULL: of a joint. */
static double least(const dls_trajectory *e, const trajectory_row *row)
{
    if (!row)
        return grain * e->force_scale;
    return watches_force(row) && row->mode != TRAJECTORY_ABSENT ? grain * e->force_scale : 0.0;
}

/* The force and torque left to a joint until it breaks. */
static void watch_joint(const dls_trajectory *e, size_t j, double g[2])
{
    const dls_joint_common *limit = &e->rows.joints[j].common;
    double force, torque;
    g[0] = g[1] = HUGE_VAL;
    if (!isfinite(limit->break_force) && !isfinite(limit->break_torque))
        return;
    trajectory_rows_strain(&e->rows, j, &force, &torque);
    g[0] = limit->break_force - force, g[1] = limit->break_torque - torque;
}

static void watch_rows(const dls_trajectory *e, const double *v, double *g)
{
    for (size_t i = 0; i < e->rows.n; i++)
        watch_row(e, i, v, g + 2 * i);
    for (size_t j = 0; j < e->rows.has.joints; j++)
        watch_joint(e, j, g + 2 * (e->rows.n + j));
}

static void scale_forces(dls_trajectory *e)
{
    e->force_scale = 1e-300;
    for (size_t i = 0; i < e->rows.n; i++)
        e->force_scale = fmax(e->force_scale, fabs(trajectory_row_of(e, i)->force));
}

/* All functions after a step of h from the base. False where the motion has no value. */
static bool watch_after(dls_trajectory *e, double h, double *g)
{
    if (isnan(trajectory_attempt(e, h)) || !trajectory_derivative(e, e->y, e->error))
        return false;
    watch_rows(e, e->now->v, g);
    return true;
}

/* The zero of function k in [from, to], where it is f[0] > 0 and f[1] < 0, by false position with Illinois' rule (M.
 * Dowell and P. Jarratt, BIT 11 (1971) 168): the end that stays has its value halved. GSL's root finders end the
 * process where they find no memory. */
static double locate(dls_trajectory *e, size_t k, double from, double to, const double f[2])
{
    double end[2] = {from, to}, value[2] = {f[0], f[1]}, root = to, best = -f[1];
    const double grains = 4e-16 * (to + fabs(e->base->time));
    for (int n = 0, kept = -1; n < ROOT_LIMIT && end[1] - end[0] > grains; n++) {
        double at = (end[0] * value[1] - end[1] * value[0]) / (value[1] - value[0]);
        if (!(at > end[0] && at < end[1]))
            at = 0.5 * (end[0] + end[1]);
        if (!watch_after(e, at, e->watch[2]))
            break;
        const double g = e->watch[2][k];
        if (fabs(g) <= best)
            best = fabs(g), root = at;
        if (g == 0.0)
            break;
        const int side = g < 0.0;
        end[side] = at, value[side] = g;
        if (kept == !side)
            value[!side] *= 0.5;
        kept = !side;
    }
    return root;
}

/* A place in (0, h) where function k is positive, with its value there, for a function that starts at 0: by halves. 0:
 * none. */
static double positive_before(dls_trajectory *e, size_t k, double h, double *value)
{
    for (double at = 0.5 * h; at > 1e-13 * (1.0 + fabs(e->base->time)); at *= 0.5)
        if (watch_after(e, at, e->watch[2]) && (*value = e->watch[2][k]) > 0.0)
            return at;
    return 0.0;
}

/* Where the cubic through g and g' at both ends of [0, h] is least inside, or 0. */
static double cubic_dip(double h, double g0, double d0, double g1, double d1)
{
    if (!(d0 < 0.0) || !(d1 > 0.0))
        return 0.0;
    /* g = g0 + d0 t + a t^2 + b t^3 */
    const double s = (g1 - g0) / h, a = (3.0 * s - 2.0 * d0 - d1) / h, b = (d0 + d1 - 2.0 * s) / (h * h);
    const double root = sqrt(fmax(0.0, a * a - 3.0 * b * d0));
    const double t = -d0 / (a + root); /* the smaller zero of the slope, where it rises */
    return t > 0.0 && t < h && g0 + t * (d0 + t * (a + t * b)) < 1e-3 * fmax(fabs(g0), fabs(g1)) ? t : 0.0;
}

double trajectory_events_find(dls_trajectory *e, double h, size_t *which)
{
    double first = h;
    *which = DLS_NONE;
    if (!trajectory_derivative(e, e->y, e->error))
        return h;
    watch_rows(e, e->now->v, e->watch[1]);
    memcpy(e->z, e->y, (2 * e->n + 1) * sizeof *e->y);
    for (size_t i = 0; i < e->rows.n; i++)
        e->rate[i + e->rows.n] = trajectory_row_speed(&e->rows, i, e->now->v);
    for (size_t k = 0; k < e->n_watch; k++) {
        const size_t i = k / 2;
        const trajectory_row *row = i < e->rows.n ? trajectory_row_of(e, i) : NULL;
        const double start = e->watch[0][k], small = least(e, row);
        double to = h, from = 0.0, f[2] = {start, e->watch[1][k]};
        if (!(start < HUGE_VAL))
            continue;
        if (!(f[1] < -small)) {
            if (!row || row->mode != TRAJECTORY_ABSENT || !(start > trajectory_touching * row->size))
                continue;
            to = cubic_dip(h, start, e->rate[i], f[1], e->rate[i + e->rows.n]);
            if (!(to > 0.0) || !watch_after(e, to, e->watch[2]) || !((f[1] = e->watch[2][k]) < 0.0))
                continue;
        }
        if (!(start > small))
            from = positive_before(e, k, to, &f[0]);
        const double root = f[0] > 0.0 ? locate(e, k, from, to, f) : 0.0;
        if (root < first || *which == DLS_NONE)
            first = root, *which = k;
    }
    memcpy(e->y, e->z, (2 * e->n + 1) * sizeof *e->y);
    return first;
}

/* A contact that stops on a path that turns does so in steps that shrink with its speed u, since the direction of
 * friction turns as fast as u / |u|. At 1e-10 of the speeds the rest of the impulse, mu f_n for u / (mu f_n), is given
 * at once by the projection onto u = 0: over 1e-11 s or so the other forces have no part. */
bool trajectory_events_end_sliding(const dls_trajectory *e, size_t *which)
{
    for (size_t i = 0; i < e->rows.n; i++)
        if (trajectory_row_of(e, i)->kind == TRAJECTORY_DISC && trajectory_row_of(e, i)->mode == TRAJECTORY_SLIDES &&
            hypot(e->rate[i], e->rate[i + 1]) < 1e-10 * trajectory_fast_rate(e, i)) {
            *which = 2 * i;
            return true;
        }
    return false;
}

/* Half of the flight of a stop that has just been left, so that it is seen open. */
double trajectory_events_limit(const dls_trajectory *e)
{
    double h = HUGE_VAL;
    for (size_t i = 0; i < e->rows.n; i++) {
        const trajectory_row *row = trajectory_row_of(e, i);
        const double C = row->C, s = e->rate[i], a = e->rate[i + 2 * e->rows.n];
        if (row->mode == TRAJECTORY_ABSENT && row->kind == TRAJECTORY_STOP && s > 0.0 && a < 0.0 &&
            C < 0.1 * s * s / -a)
            h = fmin(h, -s / a);
    }
    return h;
}

/* --- accelerations --- */

/* Friction of normals that are not closed is absent; of the others, what slides, slides on. */
static void prepare_friction(dls_trajectory *e, size_t i, bool decided)
{
    trajectory_row *row = &e->rows.row[i];
    const bool disc = row->kind == TRAJECTORY_DISC;
    const double u[2] = {e->rate[i], disc ? e->rate[i + 1] : 0.0}, length = hypot(u[0], u[1]);
    if (trajectory_row_of(e, row->parent)->mode != TRAJECTORY_HELD)
        row->mode = TRAJECTORY_ABSENT;
    else if (decided) {
        row->mode = TRAJECTORY_SLIDES;
        row->begins = true;
    } else if (length > trajectory_slow_rate(e, i)) {
        row->mode = TRAJECTORY_SLIDES;
        for (int k = 0; k <= disc; k++)
            row[k].onset = row[k].direction = u[k] / length;
    } else
        row->mode = TRAJECTORY_HELD;
    if (disc)
        row[1].mode = row->mode;
}

static dls_status prepare_speed(dls_trajectory *e, size_t i, bool decided, dls_error *error)
{
    trajectory_row *row = &e->rows.row[i];
    const double off = e->rate[i] - row->u;
    if (decided || (row->lo == -HUGE_VAL && row->hi == HUGE_VAL))
        return DLS_OK;
    row->mode = fabs(off) <= trajectory_slow_rate(e, i) ? TRAJECTORY_HELD
                : off > 0.0                             ? TRAJECTORY_AT_LO
                                                        : TRAJECTORY_AT_HI;
    return (row->mode == TRAJECTORY_AT_LO && row->lo == -HUGE_VAL) ||
                   (row->mode == TRAJECTORY_AT_HI && row->hi == HUGE_VAL)
               ? trajectory_refuse_at(e, i, "its speed would have to jump, for its force has no bound", error)
               : DLS_OK;
}

/* The modes that velocities and places decide; HELD is a candidate. `decided`: a row whose mode the event has set. */
static dls_status prepare_modes(dls_trajectory *e, size_t decided, dls_error *error)
{
    for (size_t i = 0; i < e->rows.n; i++) {
        trajectory_row *row = &e->rows.row[i];
        if (row->kind == TRAJECTORY_STOP && i != decided)
            row->mode = trajectory_is_closed(e, i) && !(e->rate[i] > trajectory_slow_rate(e, i)) ? TRAJECTORY_HELD
                                                                                                 : TRAJECTORY_ABSENT;
        if (row->kind == TRAJECTORY_SPEED)
            DLS_TRY(prepare_speed(e, i, i == decided, error));
        if (row->kind == TRAJECTORY_SPRING && row->soft && i != decided && row->mode == TRAJECTORY_ABSENT &&
            row->C < 0.0)
            row->mode = TRAJECTORY_FOLLOWS;
    }
    for (size_t i = 0; i < e->rows.n; i++)
        if (trajectory_row_of(e, i)->kind == TRAJECTORY_BOX || trajectory_row_of(e, i)->kind == TRAJECTORY_DISC)
            prepare_friction(e, i, i == decided);
    return DLS_OK;
}

static void gather_accelerations(dls_trajectory *e, double *b)
{
    e->modes.n = 0;
    for (size_t i = 0; i < e->rows.n; i++) {
        const trajectory_row *row = trajectory_row_of(e, i);
        b[i] = e->rows.drift[i] + trajectory_row_rate(&e->rows, i, e->system.force);
        if (row->mode != TRAJECTORY_HELD)
            continue;
        if (row->kind == TRAJECTORY_BILATERAL)
            trajectory_add_choice(e, (trajectory_choice){.law = TRAJECTORY_CHOICE_FREE, .row = i});
        if (row->kind == TRAJECTORY_STOP)
            trajectory_add_choice(e, (trajectory_choice){.law = TRAJECTORY_CHOICE_UNILATERAL, .row = i});
        if (row->kind == TRAJECTORY_SPEED)
            trajectory_add_choice(
                e, (trajectory_choice){.law = TRAJECTORY_CHOICE_INTERVAL, .row = i, .lo = row->lo, .hi = row->hi});
        if (row->kind == TRAJECTORY_BOX)
            trajectory_add_friction(e, i, TRAJECTORY_CHOICE_BOX);
        if (row->kind == TRAJECTORY_DISC)
            trajectory_add_friction(e, i, TRAJECTORY_CHOICE_DISC);
    }
}

/* The modes of the solution. */
static void adopt_modes(dls_trajectory *e)
{
    for (size_t c = 0; c < e->modes.n; c++) {
        const trajectory_choice *choice = &e->modes.choice[c];
        trajectory_row *row = &e->rows.row[choice->row];
        if (choice->digit == 0)
            continue;
        switch (choice->law) {
        case TRAJECTORY_CHOICE_UNILATERAL:
            row->mode = TRAJECTORY_ABSENT;
            break;
        case TRAJECTORY_CHOICE_INTERVAL:
            row->mode = choice->digit == 1 ? TRAJECTORY_AT_LO : TRAJECTORY_AT_HI;
            break;
        case TRAJECTORY_CHOICE_BOX:
            row->mode = TRAJECTORY_SLIDES;
            row->onset = row->direction = choice->digit == 1 ? 1.0 : -1.0;
            break;
        case TRAJECTORY_CHOICE_DISC:
        case TRAJECTORY_CHOICE_SECOND:
            row->mode = TRAJECTORY_SLIDES;
            row->begins = true;
            row->onset = row->direction = choice->onset;
            break;
        default:
            break;
        }
    }
    for (size_t i = 0; i < e->rows.n; i++)
        if (trajectory_row_of(e, i)->kind >= TRAJECTORY_BOX &&
            trajectory_row_of(e, trajectory_row_of(e, i)->parent)->mode != TRAJECTORY_HELD)
            e->rows.row[i].mode = TRAJECTORY_ABSENT;
}

static dls_status choose_modes(dls_trajectory *e, size_t decided, size_t about, dls_error *error)
{
    DLS_TRY(prepare_modes(e, decided, error));
    DLS_TRY(trajectory_system_evaluate(&e->system, &e->rows, e->base, true, error));
    trajectory_rows_drift(&e->rows, e->base);
    trajectory_system_dense(&e->system, &e->rows);
    double *b = e->watch[1];
    gather_accelerations(e, b);
    /* The differences of drift lose 10 times as much to rounding as other sums (trajectory_rows.c). */
    const double terms = 10.0 * e->rows.drift_terms + trajectory_rows_largest(&e->rows, e->system.force);
    DLS_TRY(trajectory_solve_choices(e, b, terms, about, "accelerations", error));
    adopt_modes(e);
    DLS_TRY(trajectory_settle(e, error));
    e->rank = e->system.rank;
    return trajectory_begin_step(e, error);
}

/* J vdot + Jdot v of a row, after the slope at the base was found. */
static double acceleration_of(const dls_trajectory *e, size_t i)
{
    return e->rows.drift[i] + trajectory_row_rate(&e->rows, i, e->slope + e->n);
}

/* --- accumulation --- */

/* The rest of the series of impacts of a stop that has just been left [s]; infinite: no series. Flights that are lower
 * than the rounding of C, where its speed at the next impact is no longer that of the fall, would go on for ever. */
static double time_left(const dls_trajectory *e, size_t i, double speed)
{
    const trajectory_row *row = trajectory_row_of(e, i);
    const double a = acceleration_of(e, i), ratio = row->left_at < HUGE_VAL ? speed / row->left_at : 0.0;
    if (a < 0.0 && ratio > 0.999 && speed * speed < -2.0 * a * 16.0 * DBL_EPSILON * row->size)
        return 0.0;
    return a < 0.0 && ratio < 1.0 ? 2.0 * speed / (-a * (1.0 - ratio)) : HUGE_VAL;
}

/* Closes a stop that has been left slowly, if the others allow it. */
static dls_status close_series(dls_trajectory *e, size_t i, double left, dls_error *error)
{
    DLS_TRY(trajectory_record(e, DLS_EVENT_ACCUMULATION, i, e->base->time + left, e->rate[i], error));
    e->rows.row[i].left_at = HUGE_VAL;
    e->rows.row[i].mode = TRAJECTORY_HELD;
    DLS_TRY(trajectory_settle(e, error)); /* takes the speed away by the impulse of the row */
    trajectory_find_rates(e);
    return choose_modes(e, DLS_NONE, i, error);
}

static dls_status close_what_accumulates(dls_trajectory *e, dls_error *error)
{
    for (size_t i = 0; i < e->rows.n; i++) {
        if (!trajectory_is_closed(e, i) || trajectory_row_of(e, i)->mode != TRAJECTORY_ABSENT ||
            !(e->rate[i] > trajectory_slow_rate(e, i)))
            continue;
        const double left = time_left(e, i, e->rate[i]);
        if (left < shortest * e->rows.grain)
            DLS_TRY(close_series(e, i, left, error));
        else
            e->rows.row[i].left_at = e->rate[i];
    }
    return DLS_OK;
}

/* --- passing an event --- */

/* The mode that an event ends, and the kind of the event. */
static dls_trajectory_event_kind end_mode(dls_trajectory *e, size_t which, size_t *decided)
{
    const size_t i = which / 2;
    trajectory_row *row = &e->rows.row[i];
    const double length = row->kind == TRAJECTORY_DISC ? hypot(row[0].force, row[1].force) : 1.0;
    *decided = i;
    switch (row->kind) {
    case TRAJECTORY_STOP:
        if (row->mode == TRAJECTORY_HELD) {
            row->mode = TRAJECTORY_ABSENT;
            return DLS_EVENT_RELEASE;
        }
        row->C = 0.0;
        *decided = DLS_NONE;
        return DLS_EVENT_TOUCH;
    case TRAJECTORY_SPEED:
        if (row->mode == TRAJECTORY_HELD) {
            row->mode = which % 2 == 0 ? TRAJECTORY_AT_LO : TRAJECTORY_AT_HI;
            return DLS_EVENT_SLIP;
        }
        *decided = DLS_NONE;
        return DLS_EVENT_STICK;
    case TRAJECTORY_SPRING:
        if (row->soft && row->mode == TRAJECTORY_ABSENT) {
            row->mode = TRAJECTORY_FOLLOWS;
            return DLS_EVENT_TOUCH;
        }
        if (row->soft &&
            ((row->mode == TRAJECTORY_FOLLOWS && which % 2 == 0 && row->C > -trajectory_touching * row->size) ||
             (row->mode == TRAJECTORY_AT_LO && which % 2 == 1))) {
            row->mode = TRAJECTORY_ABSENT;
            return DLS_EVENT_RELEASE;
        }
        if (row->mode == TRAJECTORY_FOLLOWS) {
            row->mode = which % 2 == 0 ? TRAJECTORY_AT_LO : TRAJECTORY_AT_HI;
            return DLS_EVENT_SATURATE;
        }
        row->mode = TRAJECTORY_FOLLOWS;
        return DLS_EVENT_DESATURATE;
    default:
        if (row->mode == TRAJECTORY_SLIDES) {
            *decided = DLS_NONE;
            return DLS_EVENT_STICK;
        }
        if (row->kind == TRAJECTORY_BOX)
            row->onset = which % 2 == 0 ? -1.0 : 1.0;
        else
            for (int k = 0; k < 2; k++)
                row[k].onset = -row[k].force / length;
        return DLS_EVENT_SLIP;
    }
}

void trajectory_events_mark(dls_trajectory *e)
{
    scale_forces(e);
    trajectory_find_rates(e);
    for (size_t i = 0; i < e->rows.n; i++) {
        trajectory_row *row = &e->rows.row[i];
        e->rate[i + 2 * e->rows.n] = acceleration_of(e, i);
        if (row->mode == TRAJECTORY_SLIDES && row->kind != TRAJECTORY_BOX)
            row->onset = row->direction;
        row->floor = row->mode == TRAJECTORY_ABSENT ? fmin(row->C, 0.0) : 0.0;
        row->begins = row->begins && row->mode == TRAJECTORY_SLIDES && row->slow;
    }
    watch_rows(e, e->base->v, e->watch[0]);
}

/* The motion goes on in the modes that were chosen, from a short step. */
static dls_status resume(dls_trajectory *e, dls_error *error)
{
    trajectory_find_rates(e);
    DLS_TRY(close_what_accumulates(e, error));
    e->h = fmin(e->h, 1e-3);
    trajectory_events_mark(e);
    return DLS_OK;
}

/* A joint breaks: the motion goes on without its rows. */
static dls_status pass_break(dls_trajectory *e, size_t joint, dls_error *error)
{
    size_t i = 0;
    while (trajectory_row_of(e, i)->owner != joint)
        i++;
    trajectory_find_rates(e);
    DLS_TRY(trajectory_record(e, DLS_EVENT_BROKEN, i, e->base->time, e->rate[i], error));
    trajectory_rows_break(&e->rows, joint);
    DLS_TRY(choose_modes(e, DLS_NONE, i, error));
    return resume(e, error);
}

dls_status trajectory_events_pass(dls_trajectory *e, size_t which, dls_error *error)
{
    const size_t i = which / 2;
    e->is_kept = false;
    if (i >= e->rows.n)
        return pass_break(e, i - e->rows.n, error);
    size_t decided;
    bool struck;
    if (++e->barren > BARREN_LIMIT)
        return trajectory_refuse_at(e, i,
                                    e->system.n_held > e->system.rank
                                        ? trajectory_shared
                                        : "events follow each other without time between them",
                                    error);
    trajectory_find_rates(e);
    const double speed = e->rate[i];
    const dls_trajectory_event_kind kind = end_mode(e, which, &decided);
    /* Friction that stops has no speed, to the rounding of the place where it does. */
    if (kind == DLS_EVENT_STICK)
        for (size_t k = i; k <= i + (trajectory_row_of(e, i)->kind == TRAJECTORY_DISC); k++)
            e->rate[k] = trajectory_row_of(e, i)->kind == TRAJECTORY_SPEED ? trajectory_row_of(e, i)->u : 0.0;
    DLS_TRY(trajectory_pass_impact(e, &struck, error));
    if (!struck || kind != DLS_EVENT_TOUCH)
        DLS_TRY(trajectory_record(e, kind, i, e->base->time, speed, error));
    if (kind == DLS_EVENT_TOUCH && speed > 0.0) /* its flight is lower than the rounding of C: to be closed */
        e->rows.row[i].left_at = HUGE_VAL;
    const size_t last = e->n_events - 1;
    DLS_TRY(choose_modes(e, struck ? DLS_NONE : decided, i, error));
    if (kind == DLS_EVENT_STICK && trajectory_row_of(e, i)->mode != TRAJECTORY_HELD)
        e->event[last].kind = DLS_EVENT_REVERSE;
    return resume(e, error);
}

/* --- creation --- */

dls_status trajectory_events_create(dls_trajectory *e, dls_error *error)
{
    const size_t n = e->rows.n;
    e->n_watch = 2 * (n + e->rows.has.joints);
    for (int k = 0; k < 3; k++)
        e->watch[k] = DLS_TAKE_ZEROS(&e->memory, double, e->n_watch);
    e->rate = DLS_TAKE_ZEROS(&e->memory, double, 3 * n + 1);
    e->z = DLS_TAKE_ZEROS(&e->memory, double, n + 2 * e->nv + 1);
    e->event = DLS_TAKE_ZEROS(&e->memory, dls_trajectory_event, TRAJECTORY_EVENT_LIMIT);
    if (e->memory.failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the events of %zu rows", n);
    return trajectory_modes_create(&e->modes, n, &e->memory, error);
}

dls_status trajectory_events_start(dls_trajectory *e, dls_error *error)
{
    bool struck;
    DLS_TRY(trajectory_system_evaluate(&e->system, &e->rows, e->base, true, error));
    for (size_t i = 0; i < e->rows.n; i++)
        if (trajectory_row_of(e, i)->kind == TRAJECTORY_STOP &&
            trajectory_row_of(e, i)->C < -1e-10 * trajectory_row_of(e, i)->size)
            return trajectory_refuse_at(e, i, "it overlaps at the start", error);
    trajectory_find_rates(e);
    DLS_TRY(trajectory_pass_impact(e, &struck, error));
    DLS_TRY(choose_modes(e, DLS_NONE, 0, error));
    return resume(e, error);
}

const dls_trajectory_event *dls_trajectory_events(const dls_trajectory *e, size_t *count)
{
    *count = e->n_events;
    return e->event;
}

void dls_trajectory_owner_name(const dls_trajectory *e, size_t owner, char *text, size_t size)
{
    char name[TRAJECTORY_NAME];
    snprintf(text, size, "%s", trajectory_owner_name(&e->rows, owner, name));
}
