/* The complementarity problems of events: the rows that have a part in them, and their solution, of which there must be
 * one. */
#include "parts.h"

const char *const trajectory_shared =
    "contacts share their load and friction in many ways, of which not all are tried: "
    "it is undecided whether a motion goes on from here, and which";

/* --- rows of an event --- */

dls_status trajectory_refuse_at(const dls_trajectory *e, size_t i, const char *why, dls_error *error)
{
    char name[TRAJECTORY_NAME];
    return dls_fail(error, DLS_REFUSED, "'%s', row '%s', t = %.17g s: %s",
                    trajectory_owner_name(&e->rows, trajectory_row_of(e, i)->owner, name),
                    trajectory_row_of(e, i)->label, e->base->time, why);
}

dls_status trajectory_record(dls_trajectory *e, dls_trajectory_event_kind kind, size_t i, double time, double speed,
                             dls_error *error)
{
    if (e->n_events == TRAJECTORY_EVENT_LIMIT)
        return dls_fail(error, DLS_REFUSED, "more than %d events until t = %.9g s", (int)TRAJECTORY_EVENT_LIMIT,
                        e->base->time);
    e->event[e->n_events++] =
        (dls_trajectory_event){time, kind, trajectory_row_of(e, i)->owner, trajectory_row_of(e, i)->label, speed};
    return DLS_OK;
}

/* The rate of row i at the largest velocity in the base, in units of the scene. */
double trajectory_fast_rate(const dls_trajectory *e, size_t i)
{
    return trajectory_row_of(e, i)->size * fmax(1.0, trajectory_rows_largest(&e->rows, e->base->v));
}

/* The rate of row i that counts as none. */
double trajectory_slow_rate(const dls_trajectory *e, size_t i)
{
    return trajectory_touching * trajectory_fast_rate(e, i);
}

void trajectory_find_rates(dls_trajectory *e)
{
    for (size_t i = 0; i < e->rows.n; i++)
        e->rate[i] = trajectory_row_speed(&e->rows, i, e->base->v);
}

bool trajectory_is_closed(const dls_trajectory *e, size_t i)
{
    return trajectory_row_of(e, i)->kind == TRAJECTORY_STOP &&
           trajectory_row_of(e, i)->C < trajectory_touching * trajectory_row_of(e, i)->size;
}

/* A row is added once at most, so that there is room for all. */
void trajectory_add_choice(dls_trajectory *e, trajectory_choice choice) { e->modes.choice[e->modes.n++] = choice; }

/* The row of a normal among the choices; DLS_NONE: it has no part. */
static size_t choice_of(const dls_trajectory *e, size_t row)
{
    for (size_t c = 0; c < e->modes.n; c++)
        if (e->modes.choice[c].row == row)
            return c;
    return DLS_NONE;
}

void trajectory_add_friction(dls_trajectory *e, size_t i, trajectory_law law)
{
    const size_t parent = choice_of(e, trajectory_row_of(e, i)->parent);
    if (parent == DLS_NONE)
        return;
    trajectory_add_choice(
        e, (trajectory_choice){.law = law, .row = i, .parent = parent, .mu = trajectory_row_of(e, i)->mu});
    if (law == TRAJECTORY_CHOICE_DISC)
        trajectory_add_choice(
            e, (trajectory_choice){
                   .law = TRAJECTORY_CHOICE_SECOND, .row = i + 1, .parent = parent, .mu = trajectory_row_of(e, i)->mu});
}

/* Whether friction has a part in rows that depend on each other: then it can be shared in ways that are no mode. */
static bool shares_friction(dls_trajectory *e)
{
    const trajectory_modes *m = &e->modes;
    bool friction = false;
    for (size_t c = 0; c < m->n; c++) {
        e->system.held[c] = m->choice[c].row;
        friction = friction || (m->choice[c].law >= TRAJECTORY_CHOICE_BOX && m->choice[c].mu > 0.0);
    }
    return friction && trajectory_system_rank(&e->system, &e->rows, e->system.held, m->n) < m->n;
}

static bool same_movers(const trajectory_row *a, const trajectory_row *b)
{
    return a->mover[0] == b->mover[0] && a->mover[1] == b->mover[1];
}

dls_status trajectory_solve_choices(dls_trajectory *e, const double *b, double terms, size_t about, const char *of,
                                    dls_error *error)
{
    trajectory_modes *m = &e->modes;
    for (size_t c = 0; c < m->n; c++) {
        const size_t i = m->choice[c].row;
        m->choice[c].group = 0;
        while (!same_movers(trajectory_row_of(e, i), trajectory_row_of(e, m->choice[m->choice[c].group].row)))
            m->choice[c].group++;
        m->b[c] = b[i];
        m->terms[c] = terms * trajectory_row_of(e, i)->size;
        for (size_t r = 0; r < m->n; r++)
            m->A[r + m->n * c] = e->system.full[m->choice[r].row + e->rows.n * i];
    }
    DLS_TRY(trajectory_modes_solve(m, e->watch[2], error));
    e->report.searched += m->searched;
    if (m->solutions == 1 && m->undecided == 0)
        return DLS_OK;
    if (shares_friction(e))
        return trajectory_refuse_at(e, about, trajectory_shared, error);
    char name[TRAJECTORY_NAME];
    return dls_fail(error, DLS_REFUSED, "'%s', row '%s', t = %.17g s: the %s have %s",
                    trajectory_owner_name(&e->rows, trajectory_row_of(e, about)->owner, name),
                    trajectory_row_of(e, about)->label, e->base->time, of,
                    m->solutions > 1   ? "several solutions: more than one motion goes on from here"
                    : m->undecided > 0 ? "two solutions that meet, or none, within rounding: it is undecided whether "
                                         "more than one motion goes on from here, or none"
                    : m->searched      ? "no solution that a search finds, with contacts that slide at once"
                                       : "no solution: no motion goes on from here");
}
