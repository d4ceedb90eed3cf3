/* Impacts of a reference trajectory: impulses of all closed stops at once, with the friction of contacts and with
 * joints, w+ = w- + A z, in an instant without forces.
 *
 * NEWTON  0 <= z_n complementary to w+_n + e w-_n >= 0 where w-_n is below the threshold of the stop, else to w+_n >=
 * 0, and friction with mu z_n and w+_t; MOREAU  the former at any w-_n, after which a stop that had separated may
 * approach: refused. All laws are this one for a single stop without friction, and where e = 0.
 *
 * POISSON (C. Glocker and F. Pfeiffer, Nonlinear Dynamics 7 (1995) 471) compression w_c = w- + A p with 0 <= p_n
 * complementary to w_cn >= 0, and friction with mu p_n; expansion w+ = w_c + A q with 0 <= q_n - e p_n complementary to
 * w+_n >= 0, and friction with mu q_n. One contact that approaches faster than its threshold starts both phases, with
 * the e of all. The expansion depends on every p_n: where corners share an impulse in several ways, and have friction
 * or different e, it is refused. Without friction and with one e it depends on J^T p alone, which is unique.
 *
 * STRONGE  for one contact with friction (trajectory_stronge.c). */
#include "parts.h"

#include <string.h>

static void gather_joints(dls_trajectory *e)
{
    e->modes.n = 0;
    for (size_t i = 0; i < e->rows.n; i++) {
        const trajectory_row *row = trajectory_row_of(e, i);
        if (row->kind == TRAJECTORY_BILATERAL ||
            (row->kind == TRAJECTORY_SPEED && row->lo == -HUGE_VAL && row->hi == HUGE_VAL))
            trajectory_add_choice(e, (trajectory_choice){.law = TRAJECTORY_CHOICE_FREE, .row = i});
    }
}

/* Closed stops and their friction; `least` of the impulses of stops, NULL: 0. */
static void gather_stops(dls_trajectory *e, const double *least)
{
    for (size_t i = 0; i < e->rows.n; i++) {
        const trajectory_row *row = trajectory_row_of(e, i);
        if (trajectory_is_closed(e, i))
            trajectory_add_choice(
                e, (trajectory_choice){.law = TRAJECTORY_CHOICE_UNILATERAL, .row = i, .lo = least ? least[i] : 0.0});
        if (row->kind == TRAJECTORY_BOX)
            trajectory_add_friction(e, i, TRAJECTORY_CHOICE_BOX);
        if (row->kind == TRAJECTORY_DISC)
            trajectory_add_friction(e, i, TRAJECTORY_CHOICE_DISC);
    }
}

/* An impulse in row i: w += A_i z. */
static void push_row(const dls_trajectory *e, size_t i, double impulse, double *w)
{
    for (size_t r = 0; r < e->rows.n; r++)
        w[r] += e->system.full[r + e->rows.n * i] * impulse;
}

/* Adds the impulses of the rows that were gathered, from the speeds w, to z, and their effect to w. */
static dls_status solve_phase(dls_trajectory *e, size_t about, double *w, double *z, dls_error *error)
{
    const double terms = trajectory_rows_largest(&e->rows, e->base->v);
    DLS_TRY(trajectory_solve_choices(e, w, terms, about, "impulses of the impact", error));
    for (size_t c = 0; c < e->modes.n; c++) {
        const size_t i = e->modes.choice[c].row;
        z[i] += e->watch[2][c];
        push_row(e, i, e->watch[2][c], w);
    }
    return DLS_OK;
}

/* --- laws --- */

static bool rebounds(const dls_trajectory *e, size_t i)
{
    const trajectory_row *row = trajectory_row_of(e, i);
    return trajectory_is_closed(e, i) && row->restitution > 0.0 && e->rate[i] < -row->threshold;
}

/* The law of an impact, DLS_IMPACT_NEWTON where all are the same. */
static dls_status find_law(const dls_trajectory *e, dls_impact_law *law, dls_error *error)
{
    size_t stops = 0, first = DLS_NONE;
    *law = DLS_IMPACT_NEWTON;
    for (size_t i = 0; i < e->rows.n; i++) {
        const trajectory_row *row = trajectory_row_of(e, i);
        stops += trajectory_is_closed(e, i);
        stops += row->kind >= TRAJECTORY_BOX && trajectory_is_closed(e, row->parent) && row->mu > 0.0;
        if (rebounds(e, i) && (row->impact == DLS_IMPACT_POISSON || row->impact == DLS_IMPACT_STRONGE))
            first = i;
    }
    if (first == DLS_NONE || stops == 1)
        return DLS_OK;
    *law = (dls_impact_law)trajectory_row_of(e, first)->impact;
    for (size_t i = 0; i < e->rows.n; i++)
        if (trajectory_is_closed(e, i) && trajectory_row_of(e, i)->restitution > 0.0 &&
            trajectory_row_of(e, i)->impact != (int)*law)
            return trajectory_refuse_at(e, i, "contacts with different laws meet in one impact; give them one", error);
    return DLS_OK;
}

/* Refuses a compression whose normal impulses are not unique, where the expansion depends on them. */
static dls_status check_compression(dls_trajectory *e, size_t about, dls_error *error)
{
    size_t *const row = e->system.held, n = 0, normals = 0;
    double ratio = -1.0;
    bool depends = false;
    for (size_t c = 0; c < e->modes.n; c++)
        if (e->modes.choice[c].law != TRAJECTORY_CHOICE_UNILATERAL) {
            row[n++] = e->modes.choice[c].row;
            depends = depends || (e->modes.choice[c].law >= TRAJECTORY_CHOICE_BOX && e->modes.choice[c].mu > 0.0);
        }
    const size_t others = trajectory_system_rank(&e->system, &e->rows, row, n);
    for (size_t c = 0; c < e->modes.n; c++)
        if (e->modes.choice[c].law == TRAJECTORY_CHOICE_UNILATERAL) {
            const double restitution = trajectory_row_of(e, e->modes.choice[c].row)->restitution;
            row[n++] = e->modes.choice[c].row;
            normals++;
            depends = depends || (ratio >= 0.0 && restitution != ratio);
            ratio = restitution;
        }
    return !depends || trajectory_system_rank(&e->system, &e->rows, row, n) == others + normals
               ? DLS_OK
               : trajectory_refuse_at(e, about,
                                      "contacts share the impulses of an impact in many ways, and their expansion by "
                                      "Poisson's law depends on it",
                                      error);
}

static dls_status strike_poisson(dls_trajectory *e, size_t about, double *w, double *least, dls_error *error)
{
    gather_joints(e);
    gather_stops(e, NULL);
    DLS_TRY(solve_phase(e, about, w, e->z, error));
    DLS_TRY(check_compression(e, about, error));
    for (size_t i = 0; i < e->rows.n; i++)
        least[i] = trajectory_is_closed(e, i) ? trajectory_row_of(e, i)->restitution * e->z[i] : 0.0;
    gather_joints(e);
    gather_stops(e, least);
    return solve_phase(e, about, w, e->z, error);
}

static dls_status strike_newton(dls_trajectory *e, size_t about, double *w, dls_error *error)
{
    for (size_t i = 0; i < e->rows.n; i++)
        if (rebounds(e, i) || (trajectory_is_closed(e, i) && trajectory_row_of(e, i)->impact == DLS_IMPACT_MOREAU))
            w[i] += trajectory_row_of(e, i)->restitution * e->rate[i];
    gather_joints(e);
    gather_stops(e, NULL);
    return solve_phase(e, about, w, e->z, error);
}

/* The normal row and both tangents of the only closed stop; refuses others. */
static dls_status find_contact(const dls_trajectory *e, size_t about, size_t row[3], dls_error *error)
{
    size_t stops = 0;
    bool disc = false;
    for (size_t i = 0; i < e->rows.n; i++) {
        stops += trajectory_is_closed(e, i);
        if (trajectory_row_of(e, i)->kind == TRAJECTORY_DISC && trajectory_row_of(e, i)->parent == about) {
            row[0] = about, row[1] = i, row[2] = i + 1;
            disc = true;
        }
    }
    return stops == 1 && disc ? DLS_OK
                              : trajectory_refuse_at(e, about,
                                                     "reference trajectories have Stronge's law for one contact alone, "
                                                     "with friction: cone",
                                                     error);
}

static dls_status strike_stronge(dls_trajectory *e, size_t about, double *w, double *column, dls_error *error)
{
    const size_t n = e->rows.n;
    size_t row[3];
    double impulse[3];
    DLS_TRY(find_contact(e, about, row, error));
    trajectory_struck struck = {.mu = trajectory_row_of(e, row[1])->mu, .e = trajectory_row_of(e, about)->restitution};
    for (size_t c = 0; c < 3; c++) { /* A of the contact, with the impulses of joints that keep their speeds */
        memcpy(column, e->system.full + n * row[c], n * sizeof *column);
        gather_joints(e);
        DLS_TRY(trajectory_solve_choices(e, column, 0.0, about, "impulses of joints", error));
        for (size_t k = 0; k < e->modes.n; k++)
            push_row(e, e->modes.choice[k].row, e->watch[2][k], column);
        for (size_t r = 0; r < 3; r++)
            struck.A[r][c] = column[row[r]];
        struck.w[c] = w[row[c]];
    }
    if (!trajectory_strike_stronge(&struck, impulse))
        return trajectory_refuse_at(e, about, "its impact by Stronge's law has no end: it jams", error);
    for (size_t c = 0; c < 3; c++) {
        e->z[row[c]] = impulse[c];
        push_row(e, row[c], impulse[c], w);
    }
    gather_joints(e);
    return solve_phase(e, about, w, e->z, error);
}

/* --- the impact --- */

dls_status trajectory_pass_impact(dls_trajectory *e, bool *any, dls_error *error)
{
    double *const w = e->watch[1];
    dls_impact_law law;
    size_t about = DLS_NONE;
    *any = false;
    for (size_t i = 0; i < e->rows.n; i++)
        if (trajectory_is_closed(e, i) && e->rate[i] < -trajectory_slow_rate(e, i)) {
            about = *any ? about : i;
            *any = true;
        }
    if (!*any)
        return DLS_OK;
    for (size_t i = 0; i < e->rows.n; i++)
        if (trajectory_row_of(e, i)->kind >= TRAJECTORY_BOX)
            e->rows.row[i].mode = TRAJECTORY_ABSENT;
    DLS_TRY(trajectory_system_evaluate(&e->system, &e->rows, e->base, true, error));
    trajectory_system_dense(&e->system, &e->rows);
    DLS_TRY(find_law(e, &law, error));
    memset(e->z, 0, e->rows.n * sizeof *e->z);
    for (size_t i = 0; i < e->rows.n; i++)
        w[i] = e->rate[i] - trajectory_row_target(trajectory_row_of(e, i));
    DLS_TRY(law == DLS_IMPACT_POISSON   ? strike_poisson(e, about, w, w + e->rows.n, error)
            : law == DLS_IMPACT_STRONGE ? strike_stronge(e, about, w, w + e->rows.n, error)
                                        : strike_newton(e, about, w, error));
    DLS_TRY(trajectory_record(e, DLS_EVENT_IMPACT, about, e->base->time, e->rate[about], error));
    trajectory_system_strike(&e->system, &e->rows, e->z, e->base->v);
    trajectory_find_rates(e);
    for (size_t i = 0; i < e->rows.n; i++)
        if (trajectory_is_closed(e, i) && e->rate[i] < -trajectory_slow_rate(e, i))
            return trajectory_refuse_at(e, i, "it still approaches after an impact by Moreau's law", error);
    return DLS_OK;
}
