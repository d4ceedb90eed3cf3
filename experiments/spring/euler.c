/* A spring's row against implicit Euler, to rounding, and against the damped oscillator, to first order in h. */
#include "spring.h"

#include <math.h>

static const dls_spring_kind kinds[] = {DLS_SPRING_SLIDER, DLS_SPRING_HINGE, DLS_SPRING_DISTANCE, DLS_SPRING_NUMBERS};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static dls_spring_setup setup_of(const dls_spring_lab *lab, dls_spring_kind kind, double kp, double damping, double h)
{
    const dls_spring_settings *set = lab->settings;
    double kd = damping * dls_spring_critical(dls_spring_inertia(kind, set->mass), kp);
    return (dls_spring_setup){.kind = kind, .mass = set->mass, .kp = kp, .kd = kd, .C = set->amplitude, .step = h};
}

/* --- implicit Euler --- */

/* Largest |C - C of implicit Euler|, over the larger one of the start and the sag. */
static dls_status follow(const dls_spring_lab *lab, const dls_spring_setup *setup, dls_spring_rig *rig, double *apart,
                         double *last, dls_error *error)
{
    const dls_spring_mass mass = dls_spring_ideal(setup);
    const double h = lab->settings->step, scale = fmax(fabs(mass.C), fabs(mass.f) / mass.kp);
    long double C = mass.C, v = 0.0L;
    size_t steps = (size_t)ceil(lab->settings->duration / h - 1e-9);
    *apart = 0.0;
    for (size_t k = 0; k < steps; k++) {
        dls_spring_implicit(&mass, h, &C, &v);
        DLS_TRY(dls_spring_step(rig, h, error));
        *apart = fmax(*apart, fabs((double)(dls_spring_C(rig) - C)) / scale);
    }
    *last = dls_spring_C(rig) / scale;
    return DLS_OK;
}

static dls_status euler_one(dls_spring_lab *lab, dls_spring_kind kind, double kp, double damping, dls_table *table,
                            dls_error *error)
{
    const dls_spring_setup setup = setup_of(lab, kind, kp, damping, lab->settings->step);
    dls_spring_rig rig;
    double apart, last;
    DLS_TRY(dls_spring_open(&setup, &dls_spring_ways[0], "pgs", 1, &rig, error));
    dls_status status = follow(lab, &setup, &rig, &apart, &last, error);
    dls_spring_close(&rig);
    DLS_TRY(status);
    lab->found.euler[kind] = fmax(lab->found.euler[kind], apart);
    lab->found.runs++;
    const double values[] = {
        kp, damping, setup.kd, sqrt(kp / dls_spring_inertia(kind, setup.mass)) * lab->settings->step, apart, last};
    dls_spring_row(table, dls_spring_kind_names[kind], "euler", values, sizeof values / sizeof values[0]);
    return DLS_OK;
}

dls_status dls_spring_euler(dls_spring_lab *lab, dls_error *error)
{
    const dls_spring_settings *set = lab->settings;
    dls_table *table;
    dls_status status = DLS_OK;
    DLS_TRY(dls_spring_table(lab, "spring.euler.summary",
                             "rig\tscheme\tkp\tdamping_ratio\tkd\tw_h\tdifference_to_implicit_euler\tlast_C", &table,
                             error));
    for (int i = 0; i < KINDS; i++)
        for (double kp = set->softest; kp <= set->stiffest * 1.001; kp *= 10.0)
            for (size_t d = 0; d < lab->dampings.count && status == DLS_OK; d++)
                status = euler_one(lab, kinds[i], kp, lab->dampings.at[d], table, error);
    return dls_spring_finish(table, status, error);
}

/* --- the damped oscillator --- */

enum { HALVINGS = 5, COARSEST = 100 }; /* steps in a period of the fastest mode */
static const double too_damped = 10.0; /* the slow mode would take long, the fast one is gone at once */

/* Largest |C - exact| in a period, over the amplitude. */
static dls_status error_of(const dls_spring_setup *setup, double h, double period, double *worst, dls_error *error)
{
    const dls_spring_mass mass = dls_spring_ideal(setup);
    dls_spring_rig rig;
    dls_status status = DLS_OK;
    *worst = 0.0;
    DLS_TRY(dls_spring_open(setup, &dls_spring_ways[0], "pgs", 1, &rig, error));
    size_t steps = (size_t)(period / h + 0.5);
    for (size_t k = 1; k <= steps && status == DLS_OK; k++) {
        status = dls_spring_step(&rig, h, error);
        *worst = fmax(*worst, fabs(dls_spring_C(&rig) - dls_spring_exact(&mass, (double)k * h)));
    }
    *worst /= fabs(mass.C - mass.f / mass.kp);
    dls_spring_close(&rig);
    return status;
}

static dls_status order_one(dls_spring_lab *lab, dls_spring_kind kind, double kp, double damping, dls_table *errors,
                            dls_table *orders, dls_error *error)
{
    const dls_spring_setup setup = setup_of(lab, kind, kp, damping, 0.0);
    double w = sqrt(kp / dls_spring_inertia(kind, setup.mass)), period = 2.0 * DLS_PI / w, found[HALVINGS];
    double fastest = damping > 1.0 ? damping + sqrt(damping * damping - 1.0) : 1.0;
    for (int k = 0; k < HALVINGS; k++) {
        double h = period / (COARSEST * (1 << k) * ceil(fastest));
        DLS_TRY(error_of(&setup, h, period, &found[k], error));
        const double values[] = {kp, damping, h, w * h, found[k]};
        dls_spring_row(errors, dls_spring_kind_names[kind], "euler", values, sizeof values / sizeof values[0]);
        if (kind == DLS_SPRING_SLIDER && damping == 0.0)
            lab->found.error_constant = found[k] / (w * h);
    }
    const double order[] = {kp, damping, log2(found[HALVINGS - 2] / found[HALVINGS - 1])};
    dls_spring_row(orders, dls_spring_kind_names[kind], "euler", order, sizeof order / sizeof order[0]);
    lab->found.order_low = fmin(lab->found.order_low, order[2]);
    lab->found.order_high = fmax(lab->found.order_high, order[2]);
    return DLS_OK;
}

static dls_status order_all(dls_spring_lab *lab, dls_table *errors, dls_table *orders, dls_error *error)
{
    const dls_spring_settings *set = lab->settings;
    lab->found.order_low = HUGE_VAL, lab->found.order_high = -HUGE_VAL;
    for (int i = 0; i < KINDS; i++)
        for (double kp = set->softest; kp <= set->stiffest * 1.001 && kinds[i] != DLS_SPRING_NUMBERS; kp *= 100.0)
            for (size_t d = 0; d < lab->dampings.count; d++)
                if (lab->dampings.at[d] <= too_damped)
                    DLS_TRY(order_one(lab, kinds[i], kp, lab->dampings.at[d], errors, orders, error));
    return DLS_OK;
}

/* Three periods of the undamped distance joint. */
static dls_status show(const dls_spring_lab *lab, dls_table *table, dls_error *error)
{
    const dls_spring_setup setup = setup_of(lab, DLS_SPRING_DISTANCE, lab->settings->softest, 0.0, 0.0);
    const dls_spring_mass mass = dls_spring_ideal(&setup);
    const double period = 2.0 * DLS_PI * sqrt(mass.m / mass.kp);
    for (int n = 20; n <= 500; n *= 5) {
        dls_spring_rig rig;
        dls_status status = DLS_OK;
        DLS_TRY(dls_spring_open(&setup, &dls_spring_ways[0], "pgs", 1, &rig, error));
        for (int k = 0; k <= 3 * n && status == DLS_OK; k++) {
            const double t = (double)k / n;
            const double values[] = {n, t, dls_spring_C(&rig) / mass.C, dls_spring_exact(&mass, t * period) / mass.C};
            dls_spring_row(table, "distance", "euler", values, sizeof values / sizeof values[0]);
            status = dls_spring_step(&rig, period / n, error);
        }
        dls_spring_close(&rig);
        DLS_TRY(status);
    }
    return DLS_OK;
}

dls_status dls_spring_order(dls_spring_lab *lab, dls_error *error)
{
    dls_table *errors, *orders = NULL, *motion;
    DLS_TRY(dls_spring_table(lab, "spring.order", "rig\tscheme\tkp\tdamping_ratio\tstep[s]\tw_h\terror_over_amplitude",
                             &errors, error));
    dls_status status =
        dls_spring_table(lab, "spring.order.summary", "rig\tscheme\tkp\tdamping_ratio\torder", &orders, error);
    if (status == DLS_OK)
        status = order_all(lab, errors, orders, error);
    status = dls_spring_finish(errors, status, error);
    if (status == DLS_OK) {
        status = dls_spring_finish(orders, status, error);
        orders = NULL;
    }
    dls_table_abandon(orders);
    DLS_TRY(status);
    DLS_TRY(dls_spring_table(lab, "spring.motion", "rig\tscheme\tsteps_a_period\tperiods\tC_over_start\texact", &motion,
                             error));
    return dls_spring_finish(motion, show(lab, motion, error), error);
}
