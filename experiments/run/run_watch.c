/* Steps of a run that are not resolved, or in which forces do nothing.
 *
 * A pair of bodies is closed in a step in which one of its contacts has a normal impulse. A motion that the steps
 * resolve keeps a pair closed, or open, for some steps each; a pair that CHATTERS changes between the two at the rate
 * of the steps themselves, so that its motion is one of the steps and not of the mechanism. A drive is SATURATED in a
 * step in which its force is at its limit, and PRESSES in one in which it pushes its coordinate against a limit that is
 * closed. */
#include "run.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A pair of ends that has been closed, by their numbers. */
struct dls_watch_pair {
    size_t end[2];
    size_t first, switches; /* step in which it was closed first; changes since then */
    size_t last;            /* step in which it was closed last */
    bool was_closed;        /* at the end of the step before */
};

dls_status dls_run_watch_open(dls_run_watch *watch, const dls_model *model, dls_error *error)
{
    *watch = (dls_run_watch){.n_joints = dls_model_count(model).joints};
    watch->joint = calloc(watch->n_joints + 1, sizeof *watch->joint);
    return watch->joint ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory to watch %zu joints", watch->n_joints);
}

void dls_run_watch_close(dls_run_watch *watch)
{
    free(watch->joint);
    free(watch->pair);
    *watch = (dls_run_watch){.pair = NULL};
}

/* --- contacts --- */

static int compare_ends(const size_t *a, const size_t *b)
{
    const size_t k = a[0] == b[0];
    return a[k] < b[k] ? -1 : a[k] > b[k];
}

/* The pair of these ends, which is added in its order if it is new. */
static dls_status find_pair(dls_run_watch *watch, const size_t *end, struct dls_watch_pair **pair, dls_error *error)
{
    size_t from = 0, to = watch->n_pairs;
    while (from < to) {
        const size_t middle = (from + to) / 2;
        const int order = compare_ends(watch->pair[middle].end, end);
        if (order == 0) {
            *pair = &watch->pair[middle];
            return DLS_OK;
        }
        if (order < 0)
            from = middle + 1;
        else
            to = middle;
    }
    if (watch->n_pairs == watch->capacity && !DLS_GROW(watch->pair, watch->capacity, watch->n_pairs + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory to watch %zu pairs of bodies", watch->n_pairs + 1);
    memmove(watch->pair + from + 1, watch->pair + from, (watch->n_pairs++ - from) * sizeof *watch->pair);
    *pair = &watch->pair[from];
    **pair = (struct dls_watch_pair){.end = {end[0], end[1]}, .first = watch->steps};
    return DLS_OK;
}

static dls_status watch_contacts(dls_run_watch *watch, const dls_simulation *s, dls_error *error)
{
    const dls_row_list *rows = dls_simulation_rows(s);
    const dls_contacts *contacts = dls_simulation_contacts(s);
    const double *lambda = dls_simulation_impulses(s);
    for (size_t i = 0; i < rows->n; i++) {
        const dls_list_row *row = &rows->row[i];
        struct dls_watch_pair *pair = NULL;
        if (row->role != DLS_ROLE_STOP || row->owner < watch->n_joints || row->owner == DLS_NONE || !(lambda[i] > 0.0))
            continue;
        DLS_TRY(find_pair(watch, contacts->at[row->owner - watch->n_joints].body, &pair, error));
        pair->last = watch->steps;
    }
    for (size_t k = 0; k < watch->n_pairs; k++) {
        struct dls_watch_pair *pair = &watch->pair[k];
        const bool closed = pair->last == watch->steps;
        pair->switches += closed != pair->was_closed && pair->first < watch->steps;
        pair->was_closed = closed;
    }
    return DLS_OK;
}

/* --- drives --- */

/* The row of a drive with a target: of a position, or of a speed other than 0, which a damper has. */
static bool has_target(const dls_model *model, const dls_list_row *row, size_t n_joints)
{
    return row->owner < n_joints && dls_model_joints(model)[row->owner].type->driven && row->spring &&
           (row->spring->kp > 0.0 || row->u != 0.0);
}

/* The scalar product of two rows with the same columns; 0 where these differ. */
static double rows_product(const dls_rows *J, size_t i, size_t k)
{
    double product = 0.0;
    if (J->start[i + 1] - J->start[i] != J->start[k + 1] - J->start[k])
        return 0.0;
    for (size_t a = J->start[i], b = J->start[k]; a < J->start[i + 1]; a++, b++) {
        const size_t length = J->coef_at[a + 1] - J->coef_at[a];
        if (J->offset[a] != J->offset[b] || length != J->coef_at[b + 1] - J->coef_at[b])
            return 0.0;
        for (size_t c = 0; c < length; c++)
            product += J->coef[J->coef_at[a] + c] * J->coef[J->coef_at[b] + c];
    }
    return product;
}

/* Whether both joints act on one coordinate, the same one. */
static bool one_coordinate(const dls_joint *a, const dls_joint *b)
{
    const dls_term *s = a->terms, *t = b->terms;
    return a->n_terms == 1 && b->n_terms == 1 && s->dof == t->dof && s->joint == t->joint && s->axis == t->axis;
}

static void watch_drives(dls_run_watch *watch, const dls_simulation *s)
{
    const dls_model *model = dls_simulation_model(s);
    const dls_joint *joints = dls_model_joints(model);
    const dls_row_list *rows = dls_simulation_rows(s);
    const dls_problem *problem = dls_simulation_problem(s);
    const double *lambda = dls_simulation_impulses(s);
    for (size_t i = 0; i < rows->n; i++) {
        const size_t drive = rows->row[i].owner;
        if (!has_target(model, &rows->row[i], watch->n_joints) || lambda[i] == 0.0)
            continue;
        const bool free = problem->lo[i] < problem->hi[i]; /* an explicit drive has both bounds at its force */
        watch->joint[drive].saturated += free && dls_problem_row_status(problem, i, lambda) != DLS_ROW_BETWEEN;
        for (size_t k = 0; k < rows->n; k++) {
            const dls_list_row *stop = &rows->row[k];
            if (stop->role == DLS_ROLE_STOP && stop->owner < watch->n_joints && lambda[k] > 0.0 &&
                one_coordinate(&joints[drive], &joints[stop->owner]) &&
                lambda[i] * rows_product(&problem->J, i, k) < 0.0) {
                watch->joint[drive].pressing++;
                watch->joint[drive].limit = stop->owner;
                break;
            }
        }
    }
}

/* --- a run --- */

dls_status dls_run_watch_step(dls_run_watch *watch, const dls_simulation *s, dls_error *error)
{
    watch->steps++;
    if (!dls_simulation_impulses(s) || dls_simulation_rows(s)->n != dls_simulation_problem(s)->n)
        return DLS_OK;
    watch_drives(watch, s);
    return watch_contacts(watch, s, error);
}

/* Enters a share into a list of the largest ones, which is in descending order. */
static void enter_share(dls_run_unresolved *list, double share, double count, const char *name, const char *other)
{
    size_t k = DLS_RUN_UNRESOLVED;
    while (k > 0 && share > list[k - 1].share)
        k--;
    if (k == DLS_RUN_UNRESOLVED)
        return;
    memmove(list + k + 1, list + k, (DLS_RUN_UNRESOLVED - 1 - k) * sizeof *list);
    list[k] = (dls_run_unresolved){.share = share, .count = count};
    snprintf(list[k].name, sizeof list[k].name, "%s", name);
    snprintf(list[k].other, sizeof list[k].other, "%s", other);
}

void dls_run_watch_conclude(const dls_run_watch *watch, const dls_model *model, dls_run_result *result)
{
    enum { SWITCHES_LEAST = 10 }; /* fewer may be an impact, or a bounce that dies out */
    const double steps = (double)watch->steps;
    const dls_joint *joints = dls_model_joints(model);
    char name[2][2 * DLS_NAME_MAX];
    for (size_t k = 0; k < watch->n_pairs; k++) {
        const struct dls_watch_pair *pair = &watch->pair[k];
        if (pair->switches < SWITCHES_LEAST)
            continue;
        for (int e = 0; e < 2; e++)
            dls_model_end_name(model, pair->end[e], name[e], sizeof name[e]);
        enter_share(result->chatter, (double)pair->switches / (steps - (double)pair->first), (double)pair->switches,
                    name[0], name[1]);
    }
    for (size_t j = 0; j < watch->n_joints; j++) {
        enter_share(result->saturated, (double)watch->joint[j].saturated / steps, (double)watch->joint[j].saturated,
                    joints[j].name, "");
        enter_share(result->pressing, (double)watch->joint[j].pressing / steps, (double)watch->joint[j].pressing,
                    joints[j].name, joints[watch->joint[j].limit].name);
    }
}
