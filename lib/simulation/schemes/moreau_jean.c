/* Moreau and Jean's time stepping, with the theta method. J. J. Moreau, Unilateral contact and dry friction in finite
 * freedom dynamics, 1988; M. Jean, The non-smooth contact dynamics method, 1999; V. Acary, B. Brogliato, Numerical
 * Methods for Nonsmooth Dynamical Systems, 2008, chapter 10.
 *
 *     q~ = q (+) (1 - theta) h v
 *     v+ = v + h M^-1 f(q~, (1 - theta) v + theta v+) + M^-1 J^T lambda         M, J at q~
 *     q+ = q~ (+) theta h v+
 * Joints and motors have J v+ = u - (ERP / h) C(q~). A stop whose gap is closed in the middle of the step has J v+ >= u
 * with Newton's rebound u = -e J v, and an open one has no impulse (halfway.c). So an impact is a law between
 * velocities, which does not depend on when within the step it happens. With theta = 1 everything is evaluated at q, as
 * in semi-implicit Euler.
 *
 * ERRORS OF POSITION. With x = C(q~) / h a step has J v+ = -ERP x, and the next x is (1 - ERP) x: stable for every
 * theta. With feedback=none, as the authors have it, joints drift by O(h t), and stops stay as deep as an impact has
 * left them, which is O(h).
 *
 * ORDER 1 for theta > 1/2. For theta = 1/2 a step without rows is a drift of h/2, a kick that is symmetric in v and v+,
 * and a drift of h/2: order 2, also for springs (theta in halfway.c), and for forces that depend on v if `passes` is 2
 * or more, since each pass evaluates them again. Rigid rows whose J changes have J v+ = 0 at q~ and not at q+, so that
 * v+ is off by theta h J' v, and the order is 1 with feedback=none. Feedback takes this error back: positions settle at
 * C(q~) = -h d / ERP, with h d the distance by which a straight step misses the curved constraint, and J v+ = d is the
 * speed that makes J+ v+ = O(h^2). So with ERP > 0 the order of theta = 1/2 is 2 after some 1 / ERP steps. Both are
 * measured in tests/test_order_in_step.c. `midpoint` needs no feedback for its order.
 */
#include "halfway.h"

#include <string.h>

enum { BAUMGARTE, NONE };
typedef struct moreau_jean {
    double theta;
    size_t passes;
    int feedback;
} moreau_jean;

static const char *const feedbacks[] = {"baumgarte", "none", NULL};
static const dls_field fields[] = {
    {"theta", "", DLS_FIELD_REAL, offsetof(moreau_jean, theta), "0.5", 0.5, 1, false, NULL,
     "time in the step, as a share of it, at which forces are evaluated; 1: implicit; 0.5: of second order without "
     "rows"},
    {"passes", "", DLS_FIELD_COUNT, offsetof(moreau_jean, passes), "2", 1, 1e6, false, NULL,
     "number of fixed-point iterations for forces that depend on velocities, each with one linearisation and one "
     "solve"},
    {"feedback", "", DLS_FIELD_CHOICE, offsetof(moreau_jean, feedback), "baumgarte", 0, 0, false, feedbacks,
     "feedback of position errors; baumgarte: by the ERP of the rows; none: rows hold at the velocity level only"},
};

static dls_status open_work(dls_simulation *s, void **work, dls_error *error)
{
    return dls_halfway_open(s, sizeof(dls_halfway), work, error);
}

/* The rows of the problem at q~, whose c contains -(ERP / h) C of the rows in error. */
static void put_rows(dls_halfway *w, const moreau_jean *set)
{
    dls_problem *p = dls_stage_problem(w->simulation);
    const dls_row_list *rows = dls_simulation_rows(w->simulation);
    const double *prescribed = dls_row_list_prescribed(rows), *v = dls_stage_start(w->simulation)->v;
    for (size_t i = 0; i < p->n; i++) {
        const double given = prescribed ? prescribed[i] : 0.0, speed = dls_rows_dot(&p->J, i, v) + given;
        dls_list_row *row = &rows->row[i];
        dls_spring_law law;
        if (set->feedback == NONE || row->gap)
            row->bias = 0.0;
        if (dls_row_spring_law(row, p->h, &law))
            dls_halfway_put_spring(p, i, &law, set->theta, row->C, speed, given);
        else
            p->c[i] = row->u + row->bias - given;
    }
}

static dls_status pass(dls_halfway *w, const moreau_jean *set, bool first, double h, dls_error *error)
{
    dls_simulation *s = w->simulation;
    const double *v = dls_stage_start(s)->v;
    DLS_TRY(dls_stage_linearise_at(s, w->mean, h, error));
    dls_halfway_keep(w, first, (1.0 - set->theta) * h);
    put_rows(w, set);
    DLS_TRY(dls_stage_solve(s, dls_stage_iterations(s), error));
    dls_problem_velocity(dls_stage_problem(s), dls_stage_impulses(s), w->v, w->scratch);
    for (size_t k = 0; k < dls_stage_problem(s)->nv; k++)
        w->mean[k] = (1.0 - set->theta) * v[k] + set->theta * w->v[k];
    return DLS_OK;
}

static dls_status step(dls_simulation *s, const void *settings, void *work, double h, dls_error *error)
{
    const moreau_jean *set = settings;
    dls_halfway *w = work;
    const double after = set->theta * h;
    DLS_TRY(dls_halfway_refuse_keep(s, "moreau-jean", error));
    dls_stage_begin(s);
    DLS_TRY(dls_stage_linearise(s, h, error)); /* detects contacts */
    DLS_TRY(dls_halfway_begin(w, error));
    dls_stage_drift(s, h - after);
    dls_stage_reach(s, after);
    for (size_t n = 0; n < set->passes; n++)
        DLS_TRY(pass(w, set, n == 0, h, error));
    dls_stage_set_velocity(s, w->v);
    dls_stage_count_impulses(s, dls_stage_start(s)->v, NULL);
    dls_stage_drift(s, after);
    return dls_stage_end(s, h, error);
}

static double feedback(const void *settings, double erp)
{
    return ((const moreau_jean *)settings)->feedback == BAUMGARTE ? erp : 0.0;
}

const dls_scheme dls_scheme_moreau_jean = {
    .name = "moreau-jean",
    .summary = "theta method with impacts as a law between velocities, for stops whose gap is forecast to be closed",
    .source = "Moreau 1988; Jean 1999; Acary, Brogliato 2008",
    .fields = DLS_FIELD_TABLE(fields, moreau_jean),
    .open = open_work,
    .close = dls_halfway_close,
    .step = step,
    .feedback = feedback,
};
