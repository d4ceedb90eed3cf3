/* The sign of the compliance as ode-new-joints (24) prints it: J v = c + Gamma lambda, lambda acting on the bodies.
 *
 * The effective compliance is then -CFM. The row with ERP and -CFM is that of kp = ERP / (h CFM) and kd = (1 - ERP) /
 * CFM with both signs reversed: implicit Euler for a repelling spring, f = +kp C + kd C'. Its P has D = m - h kd - h^2
 * kp; without damping its eigenvalues are 1 / (1 +- h w), w^2 = kp / m. So C grows by the factor 1 / |1 - h w| per step
 * if h w < 2. Beyond this h^2 kp is much larger than m, CFM has little effect, and the row is nearly rigid with either
 * sign. */
#include "spring/parts.h"

#include <complex.h>
#include <math.h>

enum { SHOWN = 60 };
static const double small = 0.01; /* of the amplitude: near h w = 1 the printed sign must not take the bodies through
                                     each other */

static double radius(double trace, double determinant)
{
    double complex root = csqrt(0.25 * trace * trace - determinant);
    return fmax(cabs(0.5 * trace + root), cabs(0.5 * trace - root));
}

/* P of implicit Euler (lib/simulation/schemes/small_steps.c) */
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

/* --- the factor of a step --- */

/* Four stiffnesses a decade: the printed sign's factor has a pole at h w = 1. */
static dls_status factors(dls_study *study, dls_error *error)
{
    const dls_spring_settings *set = study->settings;
    dls_spring_findings *f = study->found;
    const double h = set->coarse, m = dls_spring_inertia(DLS_SPRING_DISTANCE, set->mass), rung = pow(10.0, 0.25);
    for (dls_grid g = DLS_GRID(dls_ladder_count(set->softest, set->stiffest, rung), f->n_dampings, 2);
         dls_study_next(study, &g);) {
        const bool printed = g.at[2] == 1;
        double kp = dls_ladder(set->softest, rung, g.at[0]), ratio = f->dampings[g.at[1]], w = sqrt(kp / m);
        const dls_spring_setup setup = {.kind = DLS_SPRING_DISTANCE,
                                        .mass = set->mass,
                                        .kp = kp,
                                        .kd = ratio * dls_spring_critical(m, kp),
                                        .C = small * set->amplitude,
                                        .printed = printed};
        double P[4], expected[4];
        predict(m, printed ? -kp : kp, printed ? -setup.kd : setup.kd, h, expected);
        DLS_TRY(dls_spring_map(&setup, &dls_spring_ways[0], 1, h, P, error));
        f->growth = fmax(f->growth, apart(P, expected, w));
        dls_table_row(study->tables[DLS_SPRING_SIGN], "%s %s %g %g %g %g %g %g", "distance",
                      printed ? "printed" : "correct", kp, ratio, w * h, factor(P), factor(expected),
                      apart(P, expected, w));
    }
    return DLS_OK;
}

/* A run with w h as set and a tenth of critical damping. */
static dls_status run_sign(dls_study *study, bool printed, dls_error *error)
{
    const dls_spring_settings *set = study->settings;
    dls_spring_findings *f = study->found;
    const double m = dls_spring_inertia(DLS_SPRING_DISTANCE, set->mass), w = set->stiffness / set->coarse;
    const dls_spring_setup setup = {.kind = DLS_SPRING_DISTANCE,
                                    .mass = set->mass,
                                    .kp = m * w * w,
                                    .kd = 0.2 * m * w,
                                    .C = set->amplitude,
                                    .printed = printed};
    dls_rig rig;
    DLS_TRY(dls_spring_open(&setup, &dls_spring_ways[0], "pgs", 1, &rig, error));
    do {
        double C = fabs(dls_spring_C(&rig));
        *(printed ? &f->growth_shown : &f->correct_left) = C;
        dls_table_row(study->tables[DLS_SPRING_SIGN_RUN], "%s %s %zu %g", "distance", printed ? "printed" : "correct",
                      rig.steps, C);
    } while (dls_rig_next(&rig, set->coarse, SHOWN));
    return dls_rig_end(&rig);
}

dls_status dls_spring_sign(dls_study *study, dls_error *error)
{
    const dls_spring_settings *set = study->settings;
    dls_spring_findings *f = study->found;
    f->turning = 4.0 * dls_spring_inertia(DLS_SPRING_DISTANCE, set->mass) / (set->coarse * set->coarse);
    DLS_TRY(factors(study, error));
    DLS_TRY(run_sign(study, false, error));
    return run_sign(study, true, error);
}
