/* The sign of the compliance as ode-new-joints (24) prints it: J v = c + Gamma lambda, lambda acting on the bodies.
 *
 * CFM is then -CFM. The row with ERP and -CFM is the one of kp = ERP / (h CFM) and kd = (1 - ERP) / CFM with both signs
 * turned: implicit Euler of a spring that repels, f = +kp C + kd C'. Its P has D = m - h kd - h^2 kp; undamped its
 * eigenvalues are 1 / (1 +- h w), w^2 = kp / m. So C grows by 1 / |1 - h w| a step where h w < 2. Beyond that h^2 kp
 * dwarfs m, CFM hardly matters, and the row is nearly rigid with any sign. */
#include "spring.h"

#include <complex.h>
#include <math.h>

enum { SHOWN = 60 };
static const double small =
    0.01; /* near h w = 1 a step of the printed sign must not take the bodies through each other */

static double radius(double trace, double determinant)
{
    double complex root = csqrt(0.25 * trace * trace - determinant);
    return fmax(cabs(0.5 * trace + root), cabs(0.5 * trace - root));
}

/* P of implicit Euler (lib/schemes/small_steps.c) */
static void predict(double m, double kp, double kd, double h, double P[4])
{
    double D = m + h * kd + h * h * kp;
    P[0] = (m + h * kd) / D, P[1] = h * m / D, P[2] = -h * kp / D, P[3] = m / D;
}

static double factor(const double P[4]) { return radius(P[0] + P[3], P[0] * P[3] - P[1] * P[2]); }

/* The largest difference over the largest entry, C in units in which w is 1. The factors themselves are ill conditioned
 * near critical damping. */
static double apart(const double P[4], const double Q[4], double w)
{
    const double unit[4] = {1.0, w, 1.0 / w, 1.0};
    double most = 0.0, size = 0.0;
    for (int k = 0; k < 4; k++) {
        most = fmax(most, fabs(P[k] - Q[k]) * unit[k]);
        size = fmax(size, fabs(Q[k]) * unit[k]);
    }
    return most / size;
}

/* --- the factor a step --- */

static dls_status factor_one(dls_spring_lab *lab, double kp, double damping, bool printed, dls_table *table,
                             dls_error *error)
{
    const dls_spring_settings *set = lab->settings;
    const double h = set->coarse, m = dls_spring_inertia(DLS_SPRING_DISTANCE, set->mass), sign = printed ? -1.0 : 1.0;
    const dls_spring_setup setup = {.kind = DLS_SPRING_DISTANCE,
                                    .mass = set->mass,
                                    .kp = kp,
                                    .kd = damping * dls_spring_critical(m, kp),
                                    .C = small * set->amplitude};
    double P[4], expected[4], w = sqrt(kp / m);
    predict(m, sign * kp, sign * setup.kd, h, expected);
    DLS_TRY(dls_spring_map(&setup, &dls_spring_ways[0], 1, h, printed, P, error));
    lab->found.growth = fmax(lab->found.growth, apart(P, expected, w));
    const double values[] = {kp, damping, w * h, factor(P), factor(expected), apart(P, expected, w)};
    dls_spring_row(table, "distance", printed ? "printed" : "correct", values, sizeof values / sizeof values[0]);
    return DLS_OK;
}

/* Four stiffnesses a decade: the printed sign's factor has a pole at h w = 1. */
static dls_status factors(dls_spring_lab *lab, dls_table *table, dls_error *error)
{
    const dls_spring_settings *set = lab->settings;
    for (double kp = set->softest; kp <= set->stiffest * 1.001; kp *= pow(10.0, 0.25))
        for (size_t d = 0; d < lab->dampings.count; d++)
            for (int printed = 0; printed < 2; printed++)
                DLS_TRY(factor_one(lab, kp, lab->dampings.at[d], printed, table, error));
    return DLS_OK;
}

/* --- a run --- */

/* w h = 0.5, a tenth of critical damping. */
static dls_status run(dls_spring_lab *lab, bool printed, dls_table *table, dls_error *error)
{
    const dls_spring_settings *set = lab->settings;
    const double m = dls_spring_inertia(DLS_SPRING_DISTANCE, set->mass), w = set->stiffness / set->coarse;
    const dls_spring_setup setup = {
        .kind = DLS_SPRING_DISTANCE, .mass = set->mass, .kp = m * w * w, .kd = 0.2 * m * w, .C = set->amplitude};
    dls_spring_rig rig;
    dls_status status = DLS_OK;
    DLS_TRY(dls_spring_open(&setup, &dls_spring_ways[0], "pgs", 1, &rig, error));
    rig.printed = printed;
    for (int k = 0; k <= SHOWN && status == DLS_OK; k++) {
        const double values[] = {k, fabs(dls_spring_C(&rig))};
        *(printed ? &lab->found.growth_shown : &lab->found.correct_left) = values[1];
        dls_spring_row(table, "distance", printed ? "printed" : "correct", values, sizeof values / sizeof values[0]);
        status = dls_spring_step(&rig, set->coarse, error);
    }
    dls_spring_close(&rig);
    return status;
}

dls_status dls_spring_sign(dls_spring_lab *lab, dls_error *error)
{
    const dls_spring_settings *set = lab->settings;
    dls_table *table;
    lab->found.turning = 4.0 * dls_spring_inertia(DLS_SPRING_DISTANCE, set->mass) / (set->coarse * set->coarse);
    DLS_TRY(dls_spring_table(lab, "spring.sign",
                             "rig\tsign\tkp\tdamping_ratio\tw_h\tfactor\tpredicted\tmatrix_difference", &table, error));
    DLS_TRY(dls_spring_finish(table, factors(lab, table, error), error));
    DLS_TRY(dls_spring_table(lab, "spring.sign.run", "rig\tsign\tsteps\tabs_C", &table, error));
    dls_status status = run(lab, false, table, error);
    if (status == DLS_OK)
        status = run(lab, true, table, error);
    return dls_spring_finish(table, status, error);
}
