/* Soft constraints with a reference acceleration and an impedance: the constraint model of MuJoCo. E. Todorov, T. Erez,
 * Y. Tassa, MuJoCo: A physics engine for model-based control, 2012; MuJoCo documentation, Computation, Solver
 * parameters, 2.2.2 (2022).
 *
 * With A = J M^-1 J^T a row of error r, speed y = J v + J_k v_k and acceleration a_0 without constraint forces has
 *     a_ref = -b y - k r,   a + R f = a_ref,   a = a_0 + A f,   R = (1 - d) / d A_ii
 * so that a lone row obeys a = (1 - d) a_0 + d a_ref, that is
 *     r'' + d (b r' + k r) = (1 - d) a_0
 * d = 0 would leave the row out, d = 1 would make a_ref hard. solref = (timeconst, dampratio) and solimp = (d_0, d_max,
 * width, midpoint, power) give
 *     b = 2 / (d_max timeconst),   k = d(r) / (d_max timeconst dampratio)^2
 *     d(r) = d_0 + s (d_max - d_0),  x = min(|r| / width, 1)
 *     s = x^p / midpoint^(p-1) for x <= midpoint,  1 - (1 - x)^p / (1 - midpoint)^(p-1) otherwise
 * Units: timeconst [s], width [m, rad], f the force.
 *
 * A STEP is semi-implicit Euler. With lambda = h f and a = (y+ - y) / h the row is
 *     y+ + R lambda = (1 - h b) y - h k r        Gamma = R,  c = (1 - h b) y - h k r - J_k v_k
 * So it is a row with ERP and CFM, but not that of a spring implicit over h (conventions): b and k act at the start of
 * the step, which is stable for timeconst >= 2 h; shorter ones count as 2 h, as MuJoCo's refsafe. A_ii is the row's
 * own; MuJoCo has a constant in its place, from the initial pose.
 *     joints, stops   all rigid rows with a position error; ERP 0 leaves r out
 *     gaps            no force before they are closed, as MuJoCo's with margin 0
 *     friction        k = 0; under a normal row of R_n  R = R_n / impratio for the first tangent, and (mu_1 / mu_j)^2
 *                     times this in row j, so that the ellipsoid of the forces has one regularisation
 * Springs, motors and rows with bounds stay as they are. With `friction: associated` in the scene and condim 3 the
 * problem is MuJoCo's with an elliptic cone, a strictly convex one, and has one solution. RESTITUTION does not exist in
 * the model, and is refused.
 *
 * AT REST under a force F along the row (1 - d) A F = d k r: the row gives way for every h. And FRICTION NEVER STICKS:
 * a tangential force F within the cone moves a contact at the speed y at which R f = -b y,
 *     y = (1 - d) / (d b) A F
 * With the defaults a box on a slope of 5 degrees creeps at 0.4 to 0.9 mm/s, at every step. Order 1 in h on smooth
 * motions, of that other mechanism.
 *
 * LEDGER. The work of all these rows is `compliance`; that of friction stays `friction`.
 */
#include "mobility.h"
#include "positions.h"

#include <math.h>

typedef struct soft_reference {
    double timeconst, dampratio, d0, dmax, width, midpoint, power, impratio;
} soft_reference;

static const dls_field fields[] = {
    {"timeconst", "s", DLS_FIELD_REAL, offsetof(soft_reference, timeconst), "0.02", 1e-9, 1e9, false, NULL,
     "time constant of the reference acceleration, at least twice the time step"},
    {"dampratio", "", DLS_FIELD_REAL, offsetof(soft_reference, dampratio), "1", 1e-3, 1e6, false, NULL,
     "damping ratio of the reference acceleration"},
    {"d0", "", DLS_FIELD_REAL, offsetof(soft_reference, d0), "0.9", 1e-4, 0.9999, false, NULL,
     "impedance of a row without error"},
    {"dmax", "", DLS_FIELD_REAL, offsetof(soft_reference, dmax), "0.95", 1e-4, 0.9999, false, NULL,
     "impedance of a row whose error is `width` or more"},
    {"width", "m, rad", DLS_FIELD_REAL, offsetof(soft_reference, width), "0.001", 1e-12, 1e9, false, NULL,
     "error over which the impedance changes"},
    {"midpoint", "", DLS_FIELD_REAL, offsetof(soft_reference, midpoint), "0.5", 1e-4, 0.9999, false, NULL,
     "share of the width at which the change is half made"},
    {"power", "", DLS_FIELD_REAL, offsetof(soft_reference, power), "2", 1, 100, false, NULL, "power of the change"},
    {"impratio", "", DLS_FIELD_REAL, offsetof(soft_reference, impratio), "1", 1e-6, 1e9, false, NULL,
     "compliance of a normal row over that of its friction"},
};

static double impedance(const soft_reference *set, double r)
{
    const double x = fmin(fabs(r) / set->width, 1.0), p = set->power, m = set->midpoint;
    const double s = x <= m ? pow(x, p) / pow(m, p - 1.0) : 1.0 - pow(1.0 - x, p) / pow(1.0 - m, p - 1.0);
    return set->d0 + s * (set->dmax - set->d0);
}

/* The row i of error r and regularisation R; k acts on r. */
static void put_row(dls_simulation *s, const soft_reference *set, size_t i, double R, double k, double r)
{
    dls_problem *p = dls_stage_problem(s);
    const double *prescribed = dls_row_list_prescribed(dls_simulation_rows(s)),
                 given = prescribed ? prescribed[i] : 0.0;
    const double y = dls_rows_dot(&p->J, i, dls_simulation_state(s)->v) + given,
                 b = 2.0 / (set->dmax * fmax(set->timeconst, 2.0 * p->h));
    p->gamma[i] = R;
    p->c[i] = (1.0 - p->h * b) * y - p->h * k * r - given;
    dls_simulation_rows(s)->row[i].bias = 0.0;
}

static void put_rows(dls_simulation *s, const soft_reference *set, dls_mobility *mobility)
{
    dls_problem *p = dls_stage_problem(s);
    const double stretch = set->dmax * fmax(set->timeconst, 2.0 * p->h) * set->dampratio;
    double R = 0.0; /* of the normal row above, 0: none */
    for (size_t i = 0, normal = 0; i < p->n; i++) {
        const dls_list_row *row = &dls_simulation_rows(s)->row[i];
        const bool friction = row->role == DLS_ROLE_FRICTION,
                   follows = friction && row->slot > 0 && i == normal + row->slot;
        if (follows && R > 0.0) {
            put_row(s, set, i, R / set->impratio * (p->mu[i] > 0.0 ? pow(p->mu[normal + 1] / p->mu[i], 2.0) : 1.0), 0.0,
                    0.0);
            continue;
        }
        normal = i, R = 0.0;
        if (row->role == DLS_ROLE_STOP && row->gap && !row->spring)
            p->lo[i] = p->hi[i] = 0.0;
        else if (dls_row_constrains_position(row, p->h)) {
            const double r = row->erp > 0.0 ? row->C : 0.0, d = impedance(set, r);
            R = (1.0 - d) / d * dls_mobility_of(mobility, p, i);
            if (R > 0.0 && !isinf(R))
                put_row(s, set, i, R, d / (stretch * stretch), r);
        }
    }
}

static dls_status refuse_restitution(const dls_simulation *s, dls_error *error)
{
    const dls_row_list *rows = dls_simulation_rows(s);
    for (size_t i = 0; i < rows->n; i++)
        if (rows->row[i].impacts && rows->row[i].restitution > 0.0)
            return dls_fail(error, DLS_REFUSED,
                            "soft-reference has no restitution, and a contact or limit rebounds with the coefficient "
                            "%g; set its restitution to 0, or take another scheme",
                            rows->row[i].restitution);
    return DLS_OK;
}

static dls_status step(dls_simulation *s, const void *settings, void *work, double h, dls_error *error)
{
    dls_stage_begin(s);
    DLS_TRY(dls_stage_linearise(s, h, error));
    DLS_TRY(refuse_restitution(s, error));
    put_rows(s, settings, work);
    DLS_TRY(dls_stage_solve(s, dls_stage_iterations(s), error));
    dls_stage_kick(s);
    dls_stage_drift(s, h);
    return dls_stage_end(s, h, error);
}

const dls_scheme dls_scheme_soft_reference = {
    .name = "soft-reference",
    .summary = "semi-implicit Euler whose rigid rows and friction have a reference acceleration and an impedance, as "
               "MuJoCo's",
    .source = "Todorov, Erez, Tassa 2012; MuJoCo 2.2.2",
    .fields = DLS_FIELD_TABLE(fields, soft_reference),
    .open = dls_mobility_open,
    .close = dls_mobility_close,
    .step = step,
};
