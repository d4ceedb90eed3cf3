/* Reference trajectories: the steps of the motion of a model in continuous time, up to its events.
 *
 * STEP SIZE. The difference of both orders, against 1 in d and 1 + max |v| in v in units of the scene's size
 * (trajectory_rows.c), must not exceed the tolerance; the solution goes on with the higher order, whose error is
 * smaller by another power of the step. */
#include "parts.h"

#include "base/arithmetic.h"

#include <stdlib.h>

enum { STAMP = 0xe4ac7, ORDER = 8 };
static const double start_tolerance =
    1e-10; /* against the sizes of rows: the rounding of poses that were typed in or computed elsewhere */
static const double first_step = 1e-3, least_step = 1e-12; /* [s] */

dls_trajectory_settings dls_trajectory_default(void)
{
    return (dls_trajectory_settings){.stamp = STAMP, .method = DLS_TRAJECTORY_MULTIPLIERS, .tolerance = 3e-15};
}

/* Record the errors of the rows as evaluated in the base, and refuse a gap that has closed. */
static dls_status inspect_rows(dls_trajectory *e, dls_error *error)
{
    char name[TRAJECTORY_NAME];
    const trajectory_errors errors = trajectory_rows_errors(&e->rows, e->base->v);
    e->report.C = fmax(e->report.C, errors.C);
    e->report.Jv = fmax(e->report.Jv, errors.Jv);
    for (size_t i = 0; i < e->rows.n; i++)
        if ((e->rows.row[i].kind == TRAJECTORY_OPEN && !(e->rows.row[i].C > 0.0)) ||
            (e->rows.row[i].kind == TRAJECTORY_STOP &&
             e->rows.row[i].C < -trajectory_left_tolerance * e->rows.row[i].size))
            return dls_fail(error, DLS_REFUSED,
                            "'%s', row '%s': its gap has closed at t = %.9g s; a reference trajectory ends there",
                            trajectory_owner_name(&e->rows, e->rows.row[i].owner, name), e->rows.row[i].label,
                            e->base->time);
    return DLS_OK;
}

static dls_status finish_step(dls_trajectory *e, dls_error *error)
{
    DLS_TRY(trajectory_settle(e, error));
    if (e->system.rank != e->rank)
        return dls_fail(error, DLS_REFUSED,
                        "the rank of the rows changes from %zu to %zu at t = %.9g s: the motion is not determined "
                        "from there",
                        e->rank, e->system.rank, e->base->time);
    DLS_TRY(trajectory_begin_step(e, error));
    if (e->settings.events)
        trajectory_events_mark(e);
    return inspect_rows(e, error);
}

/* --- steps --- */

static dls_status reject_step(dls_trajectory *e, double h, double ratio, dls_error *error)
{
    e->report.rejected++;
    e->h = h * fmax(0.2, 0.9 * pow(isnan(ratio) ? HUGE_VAL : ratio, -1.0 / ORDER));
    if (e->h > least_step)
        return DLS_OK;
    size_t which = DLS_NONE;
    if (e->settings.events && trajectory_events_end_sliding(e, &which)) {
        DLS_TRY(trajectory_begin_step(e, error));
        return trajectory_events_pass(e, which, error);
    }
    if (e->trial.status != DLS_OK) {
        *error = e->trial;
        return error->status;
    }
    if (e->system.weak > 0)
        return dls_fail(error, DLS_REFUSED,
                        "a singular position at t = %.9g s: the %zu independent rows become %zu there, and the "
                        "mechanism can go on along several branches: the motion is not determined from there",
                        e->base->time, e->system.rank, e->system.rank - e->system.weak);
    return dls_fail(error, DLS_REFUSED,
                    "steps fell below %g s at t = %.9g s: the motion does not stay smooth, or the tolerance is out of "
                    "reach",
                    least_step, e->base->time);
}

/* The time after a step of h. What its rounding loses is kept: at 40 rad/s, 5,000 roundings of 10 s turn a body by
 * 1e-12. */
static double time_after(const dls_trajectory *e, double h, double *late)
{
    const double start = e->base->time, step = h + e->late, time = start + step, moved = time - start;
    *late = (start - (time - moved)) + (step - moved); /* exact (D. Knuth) */
    return time;
}

static dls_status move_base(dls_trajectory *e, double time, double late, dls_error *error)
{
    trajectory_spread(e, e->y, e->d);
    trajectory_given_begin(&e->rows, time + late);
    trajectory_rows_move(&e->rows, e->base, e->d, time + late);
    trajectory_spread(e, e->y + e->n, e->base->v);
    e->base->time = time;
    e->late = late;
    e->is_kept = false;
    e->report.steps++;
    return finish_step(e, error);
}

/* Up to the first event of the step, if it has one. */
static dls_status accept_step(dls_trajectory *e, double h, double ratio, double end, dls_error *error)
{
    double late = 0.0, time = end;
    const double next = h * fmin(5.0, 0.9 * pow(ratio, -1.0 / ORDER));
    size_t which = DLS_NONE;
    e->h = h < e->h ? fmax(e->h, next) : next;
    if (h < end - e->base->time - e->late)
        time = time_after(e, h, &late);
    if (!e->settings.events)
        return move_base(e, time, late, error);
    const double until = trajectory_events_find(e, h, &which);
    if (which == DLS_NONE) {
        e->barren = 0;
        return move_base(e, time, late, error);
    }
    if (until > 0.0) {
        e->barren = 0;
        if (isnan(trajectory_attempt(e, until))) {
            *error = e->trial;
            return error->status;
        }
        time = time_after(e, until, &late);
        DLS_TRY(move_base(e, time, late, error));
    } else {
        DLS_TRY(trajectory_begin_step(e, error)); /* the search has evaluated other places */
    }
    return trajectory_events_pass(e, which, error);
}

static dls_status take_step(dls_trajectory *e, double end, dls_error *error)
{
    DLS_TRY(trajectory_history_keep(e, error));
    end = fmin(end, e->rows.kink);
    double left = end - e->base->time - e->late, h = e->h, fastest = trajectory_given_rate(&e->rows);
    for (size_t k = 0; k < e->n_turns; k++) { /* speeds held, nothing turns by more than a radian in the step */
        const double *w = e->base->v + e->turn[k];
        fastest = fmax(fastest, dls_norm(dls_v3(w[0], w[1], w[2])));
    }
    h = fmin(h, fastest > 0.0 ? 1.0 / fastest : HUGE_VAL);
    if (e->settings.events)
        h = fmin(h, trajectory_events_limit(e));
    if (left <= h)
        h = left;
    else if (left < 2.0 * h)
        h = 0.5 * left;
    double ratio = trajectory_attempt(e, h);
    if (!(ratio <= 1.0))
        return reject_step(e, h, ratio, error);
    return accept_step(e, h, ratio, end, error);
}

dls_status dls_trajectory_advance(dls_trajectory *e, double time, dls_state *state, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    if (!isfinite(time) || time < e->base->time)
        return dls_fail(error, DLS_BAD_ARGUMENT, "a reference trajectory goes on from t = %.9g s, not to %.9g s",
                        e->base->time, time);
    if (e->failure.status == DLS_OK)
        trajectory_history_keep(e, &e->failure); /* also where nothing moves */
    while (e->failure.status == DLS_OK && e->base->time < time && e->n > 0)
        take_step(e, time, &e->failure);
    if (e->failure.status != DLS_OK) {
        if (error)
            *error = e->failure;
        return e->failure.status;
    }
    e->base->time = time;
    trajectory_write_state(e, e->base, state);
    return DLS_OK;
}

/* --- creation --- */

static void find_turns(dls_trajectory *e)
{
    const trajectory_rows *rows = &e->rows;
    for (size_t i = 0; i < rows->has.bodies; i++)
        if (rows->bodies[i].offset != DLS_NONE)
            e->turn[e->n_turns++] = rows->bodies[i].offset + 3;
    for (const dls_model_articulation *articulation = rows->articulations;
         articulation < rows->articulations + rows->has.articulations; articulation++) {
        if (articulation->tree->n_base)
            e->turn[e->n_turns++] = articulation->offset + 3;
        for (size_t i = 1; i < articulation->tree->n_links; i++)
            if (articulation->tree->links[i].n_dofs == 3) /* spherical: a unit quaternion */
                e->turn[e->n_turns++] = articulation->offset + articulation->tree->links[i].dof;
    }
}

static dls_status allocate_trajectory(dls_trajectory *e, dls_error *error)
{
    size_t nv = e->nv;
    DLS_TRY(dls_state_create(e->model, &e->base, error));
    DLS_TRY(dls_state_create(e->model, &e->now, error));
    e->y = DLS_TAKE_ZEROS(&e->memory, double, 2 * nv + 1);
    e->error = DLS_TAKE_ZEROS(&e->memory, double, 2 * nv + 1);
    e->slope = DLS_TAKE_ZEROS(&e->memory, double, 2 * nv + 1);
    e->d = DLS_TAKE_ZEROS(&e->memory, double, nv);
    e->v = DLS_TAKE_ZEROS(&e->memory, double, nv);
    e->work = DLS_TAKE_ZEROS(&e->memory, double, TRAJECTORY_STEP_WORK *(2 * nv + 1));
    e->turn = DLS_TAKE_ZEROS(&e->memory, size_t, nv);
    return e->memory.failed ? dls_fail(error, DLS_NO_MEMORY, "no memory for a trajectory of %zu velocities", nv)
                            : DLS_OK;
}

static dls_status check_settings(const dls_model *model, const dls_trajectory_settings *settings, dls_error *error)
{
    if (settings->stamp != STAMP)
        return dls_fail(error, DLS_BAD_ARGUMENT,
                        "settings of a reference trajectory are made by dls_trajectory_default");
    if (!(settings->tolerance >= 1e-16) || !(settings->tolerance <= 1e-3))
        return dls_fail(error, DLS_BAD_ARGUMENT,
                        "the tolerance of a reference trajectory must be in [1e-16, 1e-3], not %g",
                        settings->tolerance);
    if (settings->events && settings->method != DLS_TRAJECTORY_MULTIPLIERS)
        return dls_fail(error, DLS_BAD_ARGUMENT, "events need the method of multipliers");
    if (dls_model_world(model)->collide && !settings->events)
        return dls_fail(error, DLS_REFUSED,
                        "the world looks for contacts (collide: true); a reference trajectory has none without "
                        "events");
    return DLS_OK;
}

/* The start as given, and on its rows. */
static dls_status place_start(dls_trajectory *e, dls_error *error)
{
    double moved;
    DLS_TRY(trajectory_system_evaluate(&e->system, &e->rows, e->base, true, error));
    const trajectory_errors errors = trajectory_rows_errors(&e->rows, e->base->v);
    e->report.start_C = errors.C, e->report.start_Jv = errors.Jv;
    if (!e->settings.project_start && !(errors.relative_C <= start_tolerance && errors.relative_Jv <= start_tolerance))
        return dls_fail(error, DLS_BAD_INPUT,
                        "the start is not on its rows: max |C| = %.9g, max |J v| = %.9g; move it there, or set "
                        "project_start",
                        e->report.start_C, e->report.start_Jv);
    DLS_TRY(trajectory_project(e, true, &moved, error));
    DLS_TRY(trajectory_share_choose(&e->system, &e->rows, e->base->v, error));
    e->report.rows = e->rows.n_bilateral;
    e->rank = e->report.rank = e->system.rank;
    return DLS_OK;
}

static dls_status choose_unknowns(dls_trajectory *e, dls_error *error)
{
    e->n = e->nv;
    if (trajectory_eliminates(e)) {
        if (!e->rows.constant)
            return dls_fail(
                error, DLS_REFUSED,
                "elimination is for linear rows on the coordinates of articulations, and this model has others");
        DLS_TRY(trajectory_system_null_space(&e->system, &e->rows, error));
        e->n = e->system.columns;
        e->rank = e->report.rank = e->system.rank;
    }
    return DLS_OK;
}

static dls_status fill_trajectory(dls_trajectory *e, const dls_state *start, dls_error *error)
{
    DLS_TRY(check_settings(e->model, &e->settings, error));
    DLS_TRY(dls_state_check(e->model, start, error));
    DLS_TRY(allocate_trajectory(e, error));
    dls_state_copy(e->base, start);
    DLS_TRY(trajectory_rows_create(&e->rows, e->model, e->base, e->settings.ignore_open_limits, e->settings.events,
                                   &e->memory, error));
    trajectory_given_begin(&e->rows, start->time);
    trajectory_given_place(&e->rows, e->base, start->time);
    DLS_TRY(trajectory_system_create(&e->system, &e->rows, &e->memory, error));
    if (e->settings.events)
        DLS_TRY(trajectory_share_create(&e->system, &e->memory, error));
    DLS_TRY(trajectory_history_create(e, error));
    find_turns(e);
    if (e->settings.events)
        DLS_TRY(trajectory_events_create(e, error));
    DLS_TRY(place_start(e, error));
    DLS_TRY(choose_unknowns(e, error));
    e->h = first_step;
    if (e->settings.events)
        return trajectory_events_start(e, error);
    DLS_TRY(trajectory_begin_step(e, error));
    return inspect_rows(e, error);
}

dls_status dls_trajectory_create(const dls_model *model, const dls_state *start,
                                 const dls_trajectory_settings *settings, dls_trajectory **trajectory, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    dls_error unheard;
    dls_trajectory *e = *trajectory = calloc(1, sizeof *e);
    if (!e)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a reference trajectory");
    e->model = model;
    e->nv = dls_model_count(model).nv;
    e->rows.model = model;
    e->settings = settings ? *settings : dls_trajectory_default();
    e->rows.grain = sqrt(sqrt(e->settings.tolerance / dls_trajectory_default().tolerance));
    dls_status status = fill_trajectory(e, start, error ? error : &unheard);
    if (status != DLS_OK) {
        dls_trajectory_destroy(e);
        *trajectory = NULL;
    }
    return status;
}

dls_trajectory_report dls_trajectory_reported(const dls_trajectory *trajectory) { return trajectory->report; }

size_t dls_trajectory_forces(const dls_trajectory *e, dls_trajectory_force *rows)
{
    trajectory_write_forces(e, e->base->v, rows);
    return e->rows.n;
}

void dls_trajectory_destroy(dls_trajectory *e)
{
    if (!e)
        return;
    trajectory_history_destroy(e);
    trajectory_rows_destroy(&e->rows);
    dls_state_destroy(e->base);
    dls_state_destroy(e->now);
    dls_arena_release(&e->memory);
    free(e);
}
