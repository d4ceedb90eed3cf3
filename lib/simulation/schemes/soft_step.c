/* Soft steps: the small steps of Box2D 3 and Box3D, whose rows are springs by frequency and damping ratio while they
 * move positions, and rigid while they leave velocities. E. Catto, Soft constraints, GDC 2011; Solver2D, 2024.
 *
 *     contacts are detected once; N = the solver's iterations; k = h / N
 *     N times:   rows, M and v* at q, for k
 *                one iteration of the solver from the last impulses, with soft rows: lambda, v = v* + M^-1 J^T lambda
 *                q <- q (+) k v
 *                `relax` iterations with rigid rows and without bias: lambda, v
 *     `rebound` iterations with the rebounds as targets: lambda, v
 *
 * A SOFT ROW is a row with ERP and CFM. The source has, for omega = 2 pi hertz and the damping ratio zeta,
 *     b = omega / (2 zeta + k omega),   s = k omega (2 zeta + k omega)
 *     d lambda = -(1 / A) s / (1 + s) (J v + b C) - 1 / (1 + s) lambda              bias rate, mass and impulse scale
 * and this is Gauss-Seidel's d lambda = -(J v + b C + Gamma lambda) / (A + Gamma) for
 *     Gamma = A / s
 * With kp = omega^2 / A, kd = 2 zeta omega / A these are ERP = k b = k kp / (k kp + kd) and CFM = k Gamma = 1 / (k kp +
 * kd): the spring and damper of conventions, implicit over k, which scenes have by `frequency` and `damping_ratio`. So
 * the scheme replaces ERP and CFM of all rigid rows of joints and stops with a position error; rows with ERP 0,
 * springs, motors, friction and gaps stay as they are. A is the row's own J M^-1 J^T; the source has the 3 x 3 block of
 * a point, the same where it is a multiple of 1. Limits: zeta = 0 has b = 1 / k; omega -> inf b = 1 / k and Gamma = 0.
 *
 * DEFAULTS are those of Box3D 0.1.0 (2026): joints of 60 Hz and damping ratio 2, at most 1/4 of 1/k; contacts and
 * limits of 30 Hz and 10, at most 1/8 of 1/k, and parted by at most 3 m/s, which bounds b |C| / (1 + 1 / s), the speed
 * that one row at rest gets. Box3D has contacts with static bodies of twice the frequency and half the damping ratio,
 * which is left out here. The first substep starts from the impulses of the step before where the simulation has warm
 * starts.
 *
 * A LONE ROW, solved by its iteration. From rest the soft row gives the speed -k omega^2 C / (1 + 2 zeta k omega + (k
 * omega)^2), and the relaxation takes it away after the positions have moved:
 *     C+ = C (1 - (k omega)^2 / (1 + 2 zeta k omega + (k omega)^2)),   v+ = 0           per substep
 * Under a force F along the row, v+ = 0 needs lambda = -k F in both solves, so that b C = -Gamma lambda:
 *     C = A F / omega^2                                                                 at rest, for every k
 * The joint sags as the spring that it is; a hung mass by g / omega^2, 0.07 mm at 60 Hz. THE PRICE: this error does not
 * vanish with k, and grows with A F. A light body that holds R times its own mass sags by (1 + R) g / omega^2 at each
 * of its joints, however many substeps and iterations there are (tests/test_soft_step.c). The order in h on motions
 * with rigid joints is therefore 0, below that error; with joint_hertz so high that the limit 1/4 of 1/k acts, k omega
 * = pi / 2 is a constant, the error falls as k^2, and the order is 1 as that of small-steps.
 *
 * ENERGY. The relaxation is that of small_steps.c: where it is solved, |v|^2 = |v*|^2 - |d|^2, and the soft rows change
 * energy only by the way that they move positions.
 *
 * RESTITUTION by Newton's and Moreau's law is the last thing in a step. A stop that rebounds, in whichever substep its
 * gap has closed, only stops there; its target u, the greatest rebound of the step, acts after all substeps, with one
 * more sweep by default. Several contacts share an impact only as far as this sweep is converged (box3d, report 83),
 * and until the end of the step the body waits where it has stopped: an elastic ball loses up to m g |s| k in an
 * impact, where small-steps keep its energy. Targets of laws with phases belong to the positions of their impact, and
 * act in its substep. The ledger's impact_gain knows of rebounds that are put off those of the last substep alone.
 *
 * LEDGER. The work of soft rows is `compliance`, that of the relaxation `constraint` or `collision`.
 */
#include "mobility.h"
#include "positions.h"
#include "substeps.h"

#include <math.h>
#include <stdlib.h>

typedef struct soft_step {
    size_t relax, rebound;
    double joint_hertz, joint_damping, contact_hertz, contact_damping, push_speed;
} soft_step;

static const dls_field fields[] = {
    {"joint_hertz", "Hz", DLS_FIELD_REAL, offsetof(soft_step, joint_hertz), "60", 1e-3, HUGE_VAL, false, NULL,
     "natural frequency of rigid joints, at most 1/4 of the substeps per second"},
    {"joint_damping", "", DLS_FIELD_REAL, offsetof(soft_step, joint_damping), "2", 0, 1e6, false, NULL,
     "damping ratio of rigid joints"},
    {"contact_hertz", "Hz", DLS_FIELD_REAL, offsetof(soft_step, contact_hertz), "30", 1e-3, HUGE_VAL, false, NULL,
     "natural frequency of rigid contacts and limits, at most 1/8 of the substeps per second"},
    {"contact_damping", "", DLS_FIELD_REAL, offsetof(soft_step, contact_damping), "10", 0, 1e6, false, NULL,
     "damping ratio of rigid contacts and limits"},
    {"push_speed", "m/s, rad/s", DLS_FIELD_REAL, offsetof(soft_step, push_speed), "3", 0, HUGE_VAL, false, NULL,
     "greatest speed at which stops that overlap are pushed apart"},
    {"relax", "", DLS_FIELD_COUNT, offsetof(soft_step, relax), "1", 1, 1e6, false, NULL,
     "number of iterations with rigid rows after the positions have moved, per substep"},
    {"rebound", "", DLS_FIELD_COUNT, offsetof(soft_step, rebound), "1", 1, 1e6, false, NULL,
     "number of iterations for the restitution at the end of a step"},
};

static const double joint_share = 0.25, stop_share = 0.125; /* of 1 / k: the greatest frequencies */

typedef struct soft_work {
    const soft_step *settings;
    void *mobility;
    double *u; /* of all rows: the greatest rebound of the step */
    size_t capacity, rows;
} soft_work;

static void close_work(void *work)
{
    soft_work *w = work;
    if (w) {
        dls_mobility_close(w->mobility);
        free(w->u);
    }
    free(w);
}

static dls_status open_work(dls_simulation *s, void **work, dls_error *error)
{
    soft_work *w = *work = calloc(1, sizeof *w);
    return w ? dls_mobility_open(s, &w->mobility, error) : dls_fail(error, DLS_NO_MEMORY, "no memory for soft steps");
}

/* --- restitution --- */

static dls_status keep_room(soft_work *w, size_t n, dls_error *error)
{
    if (n > w->capacity) {
        double *u = realloc(w->u, (n + n / 2) * sizeof *u);
        if (!u)
            return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", n);
        w->u = u;
        w->capacity = n + n / 2;
    }
    for (; w->rows < n; w->rows++)
        w->u[w->rows] = 0.0;
    return DLS_OK;
}

/* Takes the rebound of a stop by Newton's or Moreau's law out of this substep. */
static void put_off_rebound(soft_work *w, dls_problem *p, dls_list_row *row, size_t i)
{
    const bool phases = row->impact == DLS_IMPACT_POISSON || row->impact == DLS_IMPACT_STRONGE;
    if (row->role != DLS_ROLE_STOP || !(row->restitution > 0.0) || row->gap || phases)
        return;
    w->u[i] = fmax(w->u[i], row->u);
    p->c[i] -= row->u;
    row->u = 0.0;
}

static dls_status make_rebounds(dls_simulation *s, const soft_work *w, dls_error *error)
{
    dls_problem *p = dls_stage_problem(s);
    bool any = false;
    for (size_t i = 0; i < p->n; i++) {
        if (!(w->u[i] > 0.0))
            continue;
        p->c[i] += w->u[i];
        dls_simulation_rows(s)->row[i].u += w->u[i];
        any = true;
    }
    return any ? dls_stage_relax(s, w->settings->rebound, error) : DLS_OK;
}

/* --- softness --- */

static void soften(const soft_work *w, dls_problem *p, dls_list_row *row, size_t i, double k)
{
    const soft_step *set = w->settings;
    const bool stop = row->role == DLS_ROLE_STOP;
    if (row->gap || !(row->erp > 0.0) || !dls_row_constrains_position(row, k))
        return;
    if (stop && row->u != 0.0) { /* in an impact by a law with phases, which has rigid rows */
        p->c[i] -= row->bias;
        row->bias = 0.0;
        return;
    }
    const double hertz = stop ? fmin(set->contact_hertz, stop_share / k) : fmin(set->joint_hertz, joint_share / k),
                 damping = stop ? set->contact_damping : set->joint_damping;
    const double turn = k * 2.0 * DLS_PI * hertz, rate = turn / (k * (2.0 * damping + turn)),
                 stiff = turn * (2.0 * damping + turn), most = stop ? set->push_speed * (1.0 + 1.0 / stiff) : HUGE_VAL;
    const double A = dls_mobility_of(w->mobility, p, i), bias = -copysign(fmin(rate * fabs(row->C), most), row->C);
    if (!(A > 0.0) || isinf(A))
        return;
    p->gamma[i] = A / stiff;
    p->c[i] += bias - row->bias;
    row->bias = bias;
}

static dls_status prepare(dls_simulation *s, void *context, size_t n, double k, dls_error *error)
{
    soft_work *w = context;
    dls_problem *p = dls_stage_problem(s);
    w->rows = n > 0 ? w->rows : 0;
    DLS_TRY(keep_room(w, p->n, error));
    for (size_t i = 0; i < p->n; i++) {
        put_off_rebound(w, p, &dls_simulation_rows(s)->row[i], i);
        soften(w, p, &dls_simulation_rows(s)->row[i], i, k);
    }
    return DLS_OK;
}

/* Makes soft rows rigid again, without bias. */
static void release(dls_simulation *s)
{
    dls_problem *p = dls_stage_problem(s);
    for (size_t i = 0; i < p->n; i++)
        if (dls_list_row_rigid(&dls_simulation_rows(s)->row[i], p->h))
            p->gamma[i] = 0.0;
    dls_stage_drop_bias(s, false);
}

static dls_status step(dls_simulation *s, const void *settings, void *work, double h, dls_error *error)
{
    soft_work *w = work;
    w->settings = settings;
    const dls_substeps substeps = {"soft-step", w->settings->relax, w, prepare, release};
    DLS_TRY(dls_substeps_make(s, &substeps, h, error));
    DLS_TRY(make_rebounds(s, w, error));
    return dls_stage_end(s, h, error);
}

const dls_scheme dls_scheme_soft_step = {
    .name = "soft-step",
    .summary = "small steps whose rigid rows are springs by frequency and damping ratio while they move positions, and "
               "rigid in the relaxation; restitution last",
    .source = "Catto, Solver2D, 2024; Box3D 0.1.0",
    .fields = DLS_FIELD_TABLE(fields, soft_step),
    .open = open_work,
    .close = close_work,
    .step = step,
};
