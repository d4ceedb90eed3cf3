/* The row of a spring against implicit Euler, to rounding, and against the damped oscillator, to first order in h.
 */
#include "spring/parts.h"

#include <math.h>

static const dls_spring_kind kinds[] = {DLS_SPRING_SLIDER, DLS_SPRING_HINGE, DLS_SPRING_DISTANCE, DLS_SPRING_NUMBERS};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static dls_spring_setup setup_of(const dls_spring_settings *set, dls_spring_kind kind, double kp, double damping,
                                 double h)
{
    double kd = damping * dls_spring_critical(dls_spring_inertia(kind, set->mass), kp);
    return (dls_spring_setup){.kind = kind, .mass = set->mass, .kp = kp, .kd = kd, .C = set->amplitude, .step = h};
}

/* Largest |C - C of implicit Euler|, and the last C, over the larger one of the start and the sag. */
static dls_status follow(const dls_spring_settings *set, const dls_spring_setup *setup, double *apart, double *last,
                         dls_error *error)
{
    const dls_spring_mass mass = dls_spring_ideal(setup);
    const double h = set->step, scale = fmax(fabs(mass.C), fabs(mass.f) / mass.kp);
    long double C = mass.C, v = 0.0L;
    dls_rig rig;
    *apart = 0.0;
    DLS_TRY(dls_spring_open(setup, &dls_spring_ways[0], "pgs", 1, &rig, error));
    while (dls_rig_next(&rig, h, dls_step_count(set->duration, h))) {
        dls_spring_implicit(&mass, h, &C, &v);
        *apart = fmax(*apart, fabs((double)(dls_spring_C(&rig) - C)) / scale);
    }
    *last = dls_spring_C(&rig) / scale;
    return dls_rig_end(&rig);
}

dls_status dls_spring_euler(dls_study *study, dls_error *error)
{
    const dls_spring_settings *set = study->settings;
    dls_spring_findings *f = study->found;
    const size_t n_kp = dls_ladder_count(set->softest, set->stiffest, 10.0);
    for (dls_grid g = DLS_GRID(KINDS, n_kp, f->n_dampings); dls_study_next(study, &g);) {
        const dls_spring_kind kind = kinds[g.at[0]];
        double kp = dls_ladder(set->softest, 10.0, g.at[1]), damping = f->dampings[g.at[2]], apart, last;
        const dls_spring_setup setup = setup_of(set, kind, kp, damping, set->step);
        DLS_TRY(follow(set, &setup, &apart, &last, error));
        f->euler[kind] = fmax(f->euler[kind], apart);
        f->runs++;
        dls_table_row(study->tables[DLS_SPRING_EULER], "%s %s %g %g %g %g %g %g", dls_spring_kind_names[kind], "euler",
                      kp, damping, setup.kd, sqrt(kp / dls_spring_inertia(kind, set->mass)) * set->step, apart, last);
    }
    return DLS_OK;
}

/* --- the damped oscillator --- */

enum { HALVINGS = 5, COARSEST = 100 }; /* steps in a period of the fastest mode */
static const double too_damped = 10.0; /* the slow mode would take long, the fast one is gone at once */

/* Largest |C - exact| in a period, over the amplitude. */
static dls_status error_of(const dls_spring_setup *setup, double h, double period, double *worst, dls_error *error)
{
    const dls_spring_mass mass = dls_spring_ideal(setup);
    const size_t steps = (size_t)(period / h + 0.5);
    dls_rig rig;
    *worst = 0.0;
    DLS_TRY(dls_spring_open(setup, &dls_spring_ways[0], "pgs", 1, &rig, error));
    while (dls_rig_next(&rig, h, steps))
        *worst = fmax(*worst, fabs(dls_spring_C(&rig) - dls_spring_exact(&mass, (double)rig.steps * h)));
    *worst /= fabs(mass.C - mass.f / mass.kp);
    return dls_rig_end(&rig);
}

static dls_status order_of(dls_study *study, dls_spring_kind kind, double kp, double damping, dls_error *error)
{
    dls_spring_findings *f = study->found;
    const dls_spring_setup setup = setup_of(study->settings, kind, kp, damping, 0.0);
    double w = sqrt(kp / dls_spring_inertia(kind, setup.mass)), period = 2.0 * DLS_PI / w, found[HALVINGS];
    double fastest = damping > 1.0 ? damping + sqrt(damping * damping - 1.0) : 1.0;
    for (int k = 0; k < HALVINGS; k++) {
        double h = period / (COARSEST * (1 << k) * ceil(fastest));
        DLS_TRY(error_of(&setup, h, period, &found[k], error));
        dls_table_row(study->tables[DLS_SPRING_ORDER], "%s %s %g %g %g %g %g", dls_spring_kind_names[kind], "euler", kp,
                      damping, h, w * h, found[k]);
        if (kind == DLS_SPRING_SLIDER && damping == 0.0)
            f->error_constant = found[k] / (w * h);
    }
    double order = log2(found[HALVINGS - 2] / found[HALVINGS - 1]);
    dls_table_row(study->tables[DLS_SPRING_ORDERS], "%s %s %g %g %g", dls_spring_kind_names[kind], "euler", kp, damping,
                  order);
    f->order_low = fmin(f->order_low, order);
    f->order_high = fmax(f->order_high, order);
    return DLS_OK;
}

/* Three periods of the undamped distance joint. */
static dls_status show_euler(dls_study *study, dls_error *error)
{
    const dls_spring_settings *set = study->settings;
    const dls_spring_setup setup = setup_of(set, DLS_SPRING_DISTANCE, set->softest, 0.0, 0.0);
    const dls_spring_mass mass = dls_spring_ideal(&setup);
    const double period = 2.0 * DLS_PI * sqrt(mass.m / mass.kp);
    for (int n = 20; n <= 500; n *= 5) {
        dls_rig rig;
        DLS_TRY(dls_spring_open(&setup, &dls_spring_ways[0], "pgs", 1, &rig, error));
        do {
            const double t = (double)rig.steps / n;
            dls_table_row(study->tables[DLS_SPRING_MOTION], "%s %s %g %g %g %g", "distance", "euler", (double)n, t,
                          dls_spring_C(&rig) / mass.C, dls_spring_exact(&mass, t * period) / mass.C);
        } while (dls_rig_next(&rig, period / n, 3 * (size_t)n));
        DLS_TRY(dls_rig_end(&rig));
    }
    return DLS_OK;
}

dls_status dls_spring_order(dls_study *study, dls_error *error)
{
    const dls_spring_settings *set = study->settings;
    dls_spring_findings *f = study->found;
    const size_t n_kp = dls_ladder_count(set->softest, set->stiffest, 100.0);
    f->order_low = HUGE_VAL, f->order_high = -HUGE_VAL;
    for (dls_grid g = DLS_GRID(KINDS - 1, n_kp, f->n_dampings); dls_study_next(study, &g);)
        if (f->dampings[g.at[2]] <= too_damped)
            DLS_TRY(
                order_of(study, kinds[g.at[0]], dls_ladder(set->softest, 100.0, g.at[1]), f->dampings[g.at[2]], error));
    return show_euler(study, error);
}
