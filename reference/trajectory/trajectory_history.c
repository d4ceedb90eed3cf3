/* States and forces of a motion, and the motion at any time up to the one reached.
 *
 * Every state from which a step began is kept, with the modes of its rows. The motion at t is a step from the last of
 * them before t: shorter than the step that was accepted there, so that its error is within the tolerance, too, and
 * without an event in between. At an event the state after it is kept; the limit from the left is a step from the state
 * before. */
#include "parts.h"

#include "base/arithmetic.h"

#include <stdlib.h>

/* --- states and forces --- */

void trajectory_write_state(const dls_trajectory *e, const dls_state *from, dls_state *to)
{
    dls_state_copy(to, from);
    for (size_t i = 0; i < e->rows.n; i++)
        if (e->rows.row[i].kind == TRAJECTORY_GONE)
            to->broken[e->rows.row[i].owner] = 1;
}

void trajectory_write_forces(const dls_trajectory *e, const double *v, dls_trajectory_force *rows)
{
    static const char *const modes[] = {"held", "open", "spring", "lower bound", "upper bound", "slides"};
    for (size_t i = 0; rows && i < e->rows.n; i++) {
        const trajectory_row *row = &e->rows.row[i];
        rows[i] = (dls_trajectory_force){
            row->owner, row->label, modes[row->mode], row->C, trajectory_row_speed(&e->rows, i, v), row->force};
    }
}

/* --- the steps so far --- */

static dls_status create_kept(dls_trajectory *e, trajectory_kept *kept, dls_error *error)
{
    kept->row = DLS_TAKE_ZEROS(&e->memory, trajectory_kept_row, e->rows.n);
    if (e->memory.failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the history of a motion at t = %.9g s", e->base->time);
    return dls_state_create(e->model, &kept->state, error);
}

static void fill_kept(const dls_trajectory *e, trajectory_kept *kept)
{
    dls_state_copy(kept->state, e->base);
    kept->late = e->late;
    for (size_t i = 0; i < e->rows.n; i++) {
        const trajectory_row *row = &e->rows.row[i];
        kept->row[i] = (trajectory_kept_row){row->kind, row->mode, row->begins, row->onset, row->direction};
    }
}

/* The base and the modes of a kept state, with its slope. */
static dls_status return_to(dls_trajectory *e, const trajectory_kept *kept, dls_error *error)
{
    dls_state_copy(e->base, kept->state);
    e->late = kept->late;
    trajectory_given_begin(&e->rows, e->base->time);
    for (size_t i = 0; i < e->rows.n; i++) {
        const trajectory_kept_row *from = &kept->row[i];
        trajectory_row *row = &e->rows.row[i];
        row->kind = from->kind, row->mode = from->mode, row->begins = from->begins;
        row->onset = from->onset, row->direction = from->direction;
    }
    if (!trajectory_eliminates(e)) {
        DLS_TRY(trajectory_system_evaluate(&e->system, &e->rows, e->base, true, error));
        DLS_TRY(trajectory_share_choose(&e->system, &e->rows, e->base->v, error));
    }
    return trajectory_begin_step(e, error);
}

dls_status trajectory_history_create(dls_trajectory *e, dls_error *error)
{
    return e->settings.history ? create_kept(e, &e->present, error) : DLS_OK;
}

dls_status trajectory_history_keep(dls_trajectory *e, dls_error *error)
{
    if (!e->settings.history || e->is_kept)
        return DLS_OK;
    if (!DLS_GROW(e->kept, e->kept_capacity, e->n_kept + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the history of a motion at t = %.9g s", e->base->time);
    trajectory_kept *kept = &e->kept[e->n_kept];
    *kept = (trajectory_kept){0};
    DLS_TRY(create_kept(e, kept, error));
    fill_kept(e, kept);
    e->n_kept++;
    e->is_kept = true;
    return DLS_OK;
}

void trajectory_history_destroy(dls_trajectory *e)
{
    for (size_t k = 0; k < e->n_kept; k++)
        dls_state_destroy(e->kept[k].state);
    dls_state_destroy(e->present.state);
    free(e->kept);
}

/* The last kept state whose time is not after `time`, or, for the limit from the left, before it; the first one where
 * there is none. */
static const trajectory_kept *kept_before(const dls_trajectory *e, double time, bool left)
{
    size_t low = 0, high = e->n_kept;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        const double at = e->kept[middle].state->time;
        if (left ? at < time : at <= time)
            low = middle;
        else
            high = middle;
    }
    return &e->kept[low];
}

/* The rows, and `now`, at a time after a kept state. */
static dls_status visit_time(dls_trajectory *e, const trajectory_kept *kept, double time, dls_error *error)
{
    DLS_TRY(return_to(e, kept, error));
    const double h = time - e->base->time - e->late;
    if (h > 0.0 ? !isnan(trajectory_attempt(e, h)) && trajectory_derivative(e, e->y, e->error)
                : trajectory_derivative(e, e->y, e->error))
        return DLS_OK;
    *error = e->trial;
    return error->status;
}

dls_status dls_trajectory_at(dls_trajectory *e, double time, bool left, dls_state *state, dls_trajectory_force *rows,
                             dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    dls_error unheard;
    error = error ? error : &unheard;
    const bool ended = e->failure.status != DLS_OK;
    if (!e->settings.history)
        return dls_fail(error, DLS_BAD_ARGUMENT, "this trajectory keeps no steps: set `history` in its settings");
    const double start = e->n_kept > 0 ? e->kept[0].state->time : e->base->time;
    if (!(time >= start) || !(time <= e->base->time))
        return dls_fail(error, DLS_BAD_ARGUMENT, "the motion is known from t = %.9g s to %.9g s, not at %.9g s", start,
                        e->base->time, time);
    const trajectory_kept *kept = e->n_kept > 0 ? kept_before(e, time, left) : &e->present;
    const dls_trajectory_report report = e->report;
    fill_kept(e, &e->present);
    if (time == e->present.state->time && !ended && !(left && kept->state->time < time))
        kept = &e->present;
    dls_status status = visit_time(e, kept, time, error);
    if (status == DLS_OK) {
        trajectory_write_state(e, e->now, state);
        state->time = time;
        trajectory_write_forces(e, e->now->v, rows);
    }
    const dls_status back = return_to(e, &e->present, ended ? &unheard : error);
    e->report = report;
    return status != DLS_OK || ended ? status : back;
}
