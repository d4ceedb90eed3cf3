/* A block on a slope: the angle at which it begins to slide, and its acceleration beyond it.
 *
 * Facets and boxes have a corner or the middle of an edge along x, the direction of the slope: there all of them hold
 * mu times the normal force m g cos t, as the cone does, and the block slides for tan t > mu with a = g (sin t - mu cos
 * t). The fixed bound is that of level ground, mu m g: it holds up to sin t = mu, and a = g (sin t - mu). Semi-implicit
 * Euler is exact in v under constant forces.
 */
#include "friction/parts.h"

#include <math.h>

typedef struct trial {
    const dls_study *study;
    size_t law;
} trial;

static double downhill(const dls_friction_rig *rig, int k, double angle)
{
    return dls_dot(dls_friction_velocity(rig, k, 0), dls_v3(cos(angle), 0.0, -sin(angle)));
}

static double expected(const dls_friction_rig *rig, double angle)
{
    double mu = rig->settings->mu * dls_friction_reach(rig->law, 0.0),
           pressed = rig->law->friction == DLS_LAW_FIXED ? 1.0 : cos(angle);
    return fmax(0.0, dls_friction_gravity * (sin(angle) - mu * pressed));
}

/* Along the slope: off it goes what closes a gap of rounding, C / h. */
static dls_status slides(void *context, double angle, bool *so, dls_error *error)
{
    const trial *t = context;
    const dls_friction_settings *set = t->study->settings;
    dls_friction_rig rig;
    DLS_TRY(dls_friction_open(t->study, t->law, 1, angle, &rig, error));
    dls_status status = dls_friction_push(&rig, 0, 1, 0, 0.0, 0.0, error);
    *so = fabs(downhill(&rig, 0, angle)) > set->still * dls_friction_gravity * set->step;
    dls_friction_close(&rig);
    return status;
}

static dls_status find_critical(const dls_study *study, size_t law, dls_error *error)
{
    const dls_friction_settings *set = study->settings;
    const dls_friction_law *l = &dls_friction_laws[law];
    dls_friction_finding *f = &((dls_friction_findings *)study->found)->of[law];
    trial t = {study, law};
    double low = 0.0, high = 2.0 * atan(set->mu);
    DLS_TRY(dls_bisect(slides, &t, &low, &high, set->width, error));
    f->critical = low + 0.5 * (high - low);
    f->critical_expected = l->friction == DLS_LAW_FIXED ? asin(set->mu) : atan(set->mu);
    dls_table_cells(study->tables[DLS_FRICTION_SLOPE_SUMMARY], "%s %s %g %g %g %g", l->name, l->direct, f->critical,
                    f->critical_expected, f->critical - f->critical_expected, f->slide_error);
    for (int k = 0; k < 4; k++)
        dls_table_real(study->tables[DLS_FRICTION_SLOPE_SUMMARY],
                       l->sweep ? (k < 2 ? f->sweep_creep : f->sweep_error)[k % 2] : NAN);
    dls_table_row(study->tables[DLS_FRICTION_SLOPE_SUMMARY], "%g %zu %zu", f->record.worst, f->record.solves,
                  f->record.others);
    return DLS_OK;
}

/* From rest, by the reference and by sweeps; the mean acceleration down the slope. */
static dls_status slide(const dls_study *study, size_t law, double angle, dls_error *error)
{
    const dls_friction_settings *set = study->settings;
    dls_status status = DLS_OK;
    dls_friction_rig rig;
    DLS_TRY(dls_friction_open(study, law, 1, angle, &rig, error));
    for (int k = 0; k < (int)rig.n && status == DLS_OK; k++) {
        status = dls_friction_push(&rig, k, set->steps, 0, 0.0, 0.0, error);
        double a = downhill(&rig, k, angle) / (set->step * (double)set->steps), should = expected(&rig, angle);
        double *worst = k == 0         ? &rig.found->slide_error
                        : should > 0.0 ? &rig.found->sweep_error[k - 1]
                                       : &rig.found->sweep_creep[k - 1];
        *worst = fmax(*worst, fabs(a - should) / dls_friction_gravity);
        dls_table_row(study->tables[DLS_FRICTION_SLOPE], "%s %s %zu %g %g %g %g", rig.law->name,
                      dls_friction_solver(&rig, k), dls_friction_iterations(&rig, k), angle, a, should,
                      k ? NAN : rig.record.worst);
    }
    dls_friction_close(&rig);
    return status;
}

dls_status dls_friction_slope(dls_study *study, dls_error *error)
{
    const dls_friction_settings *set = study->settings;
    for (dls_grid g = DLS_GRID(DLS_FRICTION_LAWS, set->angles); dls_study_next(study, &g);) {
        DLS_TRY(slide(study, g.at[0], 2.0 * atan(set->mu) * (double)g.at[1] / (double)(set->angles - 1), error));
        if (g.at[1] + 1 == set->angles)
            DLS_TRY(find_critical(study, g.at[0], error));
    }
    return DLS_OK;
}
