/* Functions of time in a reference trajectory: the motion of kinematic bodies, and the schedules of drives. The time
 * since the start of a step is an unknown of it, s' = 1 (trajectory_chart.c).
 *
 * KINEMATIC BODIES have no columns in J: a row with such an end has the rate J v + J_k v_k, v_k the given velocity, and
 * its derivative is J vdot + d/dt (J v + J_k v_k) at constant v, which contains the given acceleration
 * (trajectory_rows.c, DRIFT).
 *
 * SCHEDULES are smooth between their kinks, the times of a table or spline. A step ends at the next kink, and all its
 * values are those before it; the next step begins with those after it. */
#include "parts.h"

dls_status trajectory_given_list(trajectory_rows *rows, const dls_state *start, dls_arena *memory, dls_error *error)
{
    rows->given = DLS_TAKE_ZEROS(memory, trajectory_given, start->n_prescribed);
    if (memory->failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu kinematic bodies", start->n_prescribed);
    for (size_t i = 0; i < rows->has.bodies; i++) {
        const dls_body *body = &rows->bodies[i];
        if (body->prescribed == DLS_NONE)
            continue;
        const dls_spatial v = start->prescribed[body->prescribed];
        const bool swings = dls_norm(body->swing) > 0.0;
        rows->given[rows->n_given++] = (trajectory_given){.body = i,
                                                          .prescribed = body->prescribed,
                                                          .x = start->x[i],
                                                          .v = swings ? body->velocity : v.lin,
                                                          .omega = v.ang,
                                                          .swing = body->swing,
                                                          .q = start->q[i],
                                                          .start = start->time,
                                                          .w = swings ? 2.0 * DLS_PI / body->period : 0.0,
                                                          .phase = body->phase};
    }
    return DLS_OK;
}

static const dls_joint *scheduled(const trajectory_rows *rows, size_t j)
{
    return rows->joints[j].type->schedule ? &rows->joints[j] : NULL;
}

static void place_setpoints(const trajectory_rows *rows, dls_state *state, double time)
{
    const double before = fmin(time, nextafter(rows->kink, -HUGE_VAL));
    for (size_t j = 0; j < rows->has.joints; j++)
        if (scheduled(rows, j))
            scheduled(rows, j)->type->schedule(scheduled(rows, j), before,
                                               state->joint_state + rows->joints[j].joint_state);
}

void trajectory_given_begin(trajectory_rows *rows, double time)
{
    rows->kink = HUGE_VAL;
    for (size_t j = 0; j < rows->has.joints; j++)
        if (scheduled(rows, j) && scheduled(rows, j)->type->kink)
            rows->kink = fmin(rows->kink, scheduled(rows, j)->type->kink(scheduled(rows, j), time));
}

void trajectory_given_place(const trajectory_rows *rows, dls_state *state, double time)
{
    for (const trajectory_given *given = rows->given; given < rows->given + rows->n_given; given++) {
        const double t = time - given->start, from = given->w * given->start + given->phase;
        /* sin a - sin b = 2 sin((a - b) / 2) cos((a + b) / 2) */
        const double half = 0.5 * given->w * t, swung = 2.0 * sin(half) * cos(from + half);
        const dls_quat turn = dls_quat_exp(dls_scale(t, given->omega));
        state->x[given->body] = dls_add(given->x, dls_add(dls_scale(t, given->v), dls_scale(swung, given->swing)));
        state->q[given->body] = dls_quat_unit(dls_quat_mul(turn, given->q));
        state->prescribed[given->prescribed] =
            (dls_spatial){dls_add(given->v, dls_scale(given->w * cos(from + 2.0 * half), given->swing)), given->omega};
    }
    place_setpoints(rows, state, time);
}

double trajectory_given_rate(const trajectory_rows *rows)
{
    double rate = 0.0;
    for (const trajectory_given *given = rows->given; given < rows->given + rows->n_given; given++)
        rate = fmax(rate, fmax(dls_norm(given->omega), given->w));
    return rate;
}
