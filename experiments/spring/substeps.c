/* Small steps and TGS against their laws (oscillator.c), and the damping that each scheme adds to an undamped
 * oscillator.
 */
#include "spring/parts.h"

#include <math.h>

enum { STEPS = 20 };

/* The spring of numbers ERP and CFM, made for h, in a substep k = h / N: kp N times as large. */
static dls_spring_mass in_substeps(const dls_spring_setup *setup, double N)
{
    dls_spring_mass mass = dls_spring_ideal(setup);
    if (setup->kind == DLS_SPRING_NUMBERS) {
        double stiff = setup->step * setup->kp + setup->kd, ERP = setup->step * setup->kp / stiff;
        mass.kp = N * ERP * stiff / setup->step;
        mass.kd = (1.0 - ERP) * stiff;
    }
    return mass;
}

/* A step. */
static void law(const dls_spring_way *way, dls_spring_mass *s, double h, size_t N)
{
    double C, v;
    const double k = h / (double)N;
    if (way->integrator == DLS_SPRING_SUBSTEPS)
        dls_spring_after(s, k, N, &C, &v);
    else
        dls_spring_tgs(s, h, N, way->integrator == DLS_SPRING_TGS_STEP ? h : k, &C, &v);
    s->C = C, s->v = v;
}

/* Largest difference of C and of C' / w to the law, over the larger one of start and sag. */
static dls_status follow(const dls_spring_setup *setup, const dls_spring_way *way, double h, size_t N, double *apart,
                         dls_error *error)
{
    dls_spring_mass mass = in_substeps(setup, (double)N);
    double scale = fmax(fabs(mass.C), fabs(mass.f) / mass.kp), w = sqrt(mass.kp / mass.m);
    dls_rig rig;
    *apart = 0.0;
    DLS_TRY(dls_spring_open(setup, way, "pgs", N, &rig, error));
    while (dls_rig_next(&rig, h, STEPS)) {
        law(way, &mass, h, N);
        *apart = fmax(*apart, fabs(dls_spring_C(&rig) - mass.C) / scale);
        *apart = fmax(*apart, fabs(dls_spring_speed(&rig, setup->kind) - mass.v) / (scale * fmax(w, 1.0)));
    }
    return dls_rig_end(&rig);
}

/* Numbers ERP and CFM under TGS hold for h, whatever the time base makes of ERP: no spring, no law here. */
static dls_status laws(dls_study *study, dls_error *error)
{
    const dls_spring_settings *set = study->settings;
    dls_spring_findings *f = study->found;
    const size_t n_kp = dls_ladder_count(set->softest, set->stiffest, 100.0);
    for (dls_grid g = DLS_GRID(DLS_SPRING_NUMBERS + 1, n_kp, f->n_dampings, DLS_SPRING_WAYS, set->counts.count);
         dls_study_next(study, &g);) {
        const dls_spring_kind kind = (dls_spring_kind)g.at[0];
        const dls_spring_way *way = &dls_spring_ways[g.at[3]];
        const size_t N = set->counts.counts[g.at[4]];
        double kp = dls_ladder(set->softest, 100.0, g.at[1]), damping = f->dampings[g.at[2]], apart;
        const dls_spring_setup setup = {.kind = kind,
                                        .mass = set->mass,
                                        .kp = kp,
                                        .kd = damping * dls_spring_critical(dls_spring_inertia(kind, set->mass), kp),
                                        .C = set->amplitude,
                                        .step = set->coarse};
        if (way->integrator == DLS_SPRING_OTHER ||
            (way->integrator != DLS_SPRING_SUBSTEPS && kind == DLS_SPRING_NUMBERS))
            continue;
        DLS_TRY(follow(&setup, way, set->coarse, N, &apart, error));
        f->law = fmax(f->law, apart);
        f->laws++;
        dls_table_row(study->tables[DLS_SPRING_LAWS], "%s %s %g %g %zu %g", dls_spring_kind_names[kind], way->name, kp,
                      damping, N, apart);
    }
    return DLS_OK;
}

/* The effective damping of an undamped oscillator. */
static dls_status damping(dls_study *study, dls_error *error)
{
    const dls_spring_settings *set = study->settings;
    dls_spring_findings *f = study->found;
    const double h = set->coarse, m = dls_spring_inertia(DLS_SPRING_DISTANCE, set->mass), w0 = set->stiffness / h;
    const dls_spring_setup setup = {
        .kind = DLS_SPRING_DISTANCE, .mass = set->mass, .kp = m * w0 * w0, .C = set->amplitude};
    for (dls_grid g = DLS_GRID(DLS_SPRING_WAYS, set->counts.count); dls_study_next(study, &g);) {
        const dls_spring_way *way = &dls_spring_ways[g.at[0]];
        const size_t N = set->counts.counts[g.at[1]];
        double P[4], w, ratio;
        DLS_TRY(dls_spring_map(&setup, way, N, h, P, error));
        dls_spring_oscillator(P[0] + P[3], P[0] * P[3] - P[1] * P[2], h, &w, &ratio);
        f->seen_ratio[g.at[0]][g.at[1] > 0] = ratio;
        if (set->counts.count == 1)
            f->seen_ratio[g.at[0]][1] = ratio;
        dls_table_row(study->tables[DLS_SPRING_DAMPING], "%s %s %zu %g %g %g", "distance", way->name, N, set->stiffness,
                      w / w0, ratio);
    }
    return DLS_OK;
}

dls_status dls_spring_substeps(dls_study *study, dls_error *error)
{
    DLS_TRY(laws(study, error));
    return damping(study, error);
}
