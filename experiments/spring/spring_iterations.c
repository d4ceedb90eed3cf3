/* A spring that is coupled to its guides, under PGS with few iterations, against direct steps.
 *
 * Slider on a track at the arm r, I the inertia about y: the row of the spring, and the row that prevents the rotation
 * of the body. Hinge at the arm r, I about z: the row of the spring, and the row of the axis perpendicular to the arm.
 * With two rows, a sweep multiplies the error by A_12^2 / (A_11 A_22):
 *     slider   m r^2 / (I + m r^2 + m I Gamma)               Gamma = 1 / (h (h kp + kd))
 *     hinge    m r^2 / ((I + m r^2) (1 + I Gamma))
 * The compliance of a soft spring decouples it from the guide; with a stiff spring the convergence is as slow as with a
 * rigid row. The weight on the guides needs additional sweeps; on the slider these do not move C.
 */
#include "spring/parts.h"

#include <math.h>

double dls_spring_rate(const dls_spring_setup *s, double h)
{
    const dls_vec3 I = dls_spring_inertias(s->mass);
    double r2 = s->mass * s->arm * s->arm, gamma = 1.0 / (h * (h * s->kp + s->kd));
    return s->kind == DLS_SPRING_SLIDER ? r2 / (I.y + r2 + s->mass * I.y * gamma)
                                        : r2 / ((I.z + r2) * (1.0 + I.z * gamma));
}

/* Largest |C - C of direct steps|, in lockstep. */
static dls_status race(const dls_spring_setup *setup, size_t N, double h, double duration, double *apart,
                       dls_error *error)
{
    dls_rig rig, direct;
    *apart = 0.0;
    DLS_TRY(dls_spring_open(setup, &dls_spring_ways[0], "pgs", N, &rig, error));
    rig.status = dls_spring_open(setup, &dls_spring_ways[0], "block-pivoting", 1, &direct, error);
    while (dls_rig_next(&rig, h, dls_step_count(duration, h))) {
        rig.status = dls_rig_step(&direct, h, error);
        *apart = fmax(*apart, fabs(dls_spring_C(&rig) - dls_spring_C(&direct)));
    }
    dls_rig_close(&direct);
    return dls_rig_end(&rig);
}

static dls_status one(dls_study *study, dls_spring_kind kind, double arm, double kp, size_t i, dls_error *error)
{
    const dls_spring_settings *set = study->settings;
    dls_spring_findings *f = study->found;
    const dls_spring_setup setup = {.kind = kind, .mass = set->mass, .kp = kp, .C = set->amplitude, .arm = arm};
    const size_t N = set->counts.counts[i];
    double apart, *worst = arm > 0.0 ? &f->pgs[kind][i] : &f->pgs_distance;
    DLS_TRY(race(&setup, N, set->coarse, set->contest, &apart, error));
    apart /= fmax(set->amplitude, fabs(dls_spring_ideal(&setup).f) / kp);
    *worst = fmax(*worst, apart);
    dls_table_row(study->tables[DLS_SPRING_ITERATIONS], "%s %s %g %g %zu %g %g", dls_spring_kind_names[kind], "euler",
                  arm, kp, N, apart, arm > 0.0 ? dls_spring_rate(&setup, set->coarse) : 0.0);
    return DLS_OK;
}

dls_status dls_spring_iterations(dls_study *study, dls_error *error)
{
    const dls_spring_settings *set = study->settings;
    for (dls_grid g = DLS_GRID(dls_ladder_count(set->softest, set->stiffest, 10.0), 2, set->counts.count);
         dls_study_next(study, &g);) {
        double kp = dls_ladder(set->softest, 10.0, g.at[0]);
        if (g.at[1] == 0 && g.at[2] == 0)
            DLS_TRY(one(study, DLS_SPRING_DISTANCE, 0.0, kp, 0, error));
        DLS_TRY(one(study, g.at[1] ? DLS_SPRING_HINGE : DLS_SPRING_SLIDER, set->arm, kp, g.at[2], error));
    }
    return DLS_OK;
}
