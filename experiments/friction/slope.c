/* A block on a slope: at which angle it begins to slide, and how fast it then goes.
 *
 * Facets and boxes have a corner or the middle of an edge along x, which the slope goes down: there all of them hold mu
 * times the normal force m g cos t, as the cone does, and the block slides from tan t = mu on with a = g (sin t - mu
 * cos t). The fixed bound is that of level ground, mu m g: it holds up to sin t = mu, and a = g (sin t - mu).
 * Semi-implicit Euler is exact in v under constant forces. */
#include "friction.h"

#include <math.h>

typedef struct study {
    dls_friction_lab *lab;
    const dls_friction_law *law;
    dls_friction_finding *found;
} study;

static dls_friction_pile block(const study *s, double angle)
{
    return (dls_friction_pile){.boxes = 1, .mu = s->lab->settings->mu, .mass = s->lab->settings->mass, .slope = angle};
}

static double downhill(const dls_friction_rig *rig, double angle)
{
    return dls_dot(dls_friction_velocity(rig, 0), dls_v3(cos(angle), 0.0, -sin(angle)));
}

static double expected(const study *s, double angle)
{
    double mu = s->lab->settings->mu * dls_friction_reach(s->law, 0.0),
           pressed = s->law->friction == DLS_FRICTION_FIXED ? 1.0 : cos(angle);
    return fmax(0.0, dls_friction_gravity * (sin(angle) - mu * pressed));
}

/* --- the critical angle --- */

/* Along the slope: off it goes what closes a gap of rounding, C / h. */
static dls_status slides(void *context, double angle, bool *moves, dls_error *error)
{
    const study *s = context;
    const dls_friction_pile pile = block(s, angle);
    double h = s->lab->settings->step;
    dls_friction_rig rig;
    DLS_TRY(dls_friction_open(s->law, &pile, &rig, error));
    dls_status status = dls_friction_solve(&rig, h, 0, error);
    if (status == DLS_OK)
        *moves = fabs(downhill(&rig, angle)) > s->lab->settings->still * dls_friction_gravity * h;
    dls_friction_note(s->found, &rig);
    dls_friction_close(&rig);
    return status;
}

static dls_status find_critical(study *s, dls_table *table, dls_error *error)
{
    dls_friction_finding *f = s->found;
    double mu = s->lab->settings->mu;
    f->critical_expected = s->law->friction == DLS_FRICTION_FIXED ? asin(mu) : atan(mu);
    DLS_TRY(dls_friction_bisect(slides, s, 0.0, 2.0 * atan(mu), s->lab->settings->width, &f->critical, error));
    dls_table_text(table, s->law->name);
    dls_table_text(table, s->law->direct);
    const double values[] = {f->critical, f->critical_expected, f->critical - f->critical_expected, f->slide_error};
    const double sweeps[] = {f->sweep_creep[0], f->sweep_creep[1], f->sweep_error[0], f->sweep_error[1]};
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++)
        dls_table_real(table, values[k]);
    for (size_t k = 0; k < sizeof sweeps / sizeof sweeps[0]; k++)
        dls_table_real(table, s->law->sweep ? sweeps[k] : NAN);
    dls_table_real(table, f->residual);
    dls_table_count(table, f->solves);
    dls_table_count(table, f->others);
    dls_table_end_row(table);
    return DLS_OK;
}

/* --- slides --- */

/* From rest; the mean acceleration down the slope. */
static dls_status slide(const study *s, dls_friction_rig *rig, double angle, size_t iterations, double *acceleration,
                        dls_error *error)
{
    const dls_friction_settings *set = s->lab->settings;
    dls_state_copy(dls_simulation_edit(rig->simulation), rig->model->initial);
    for (size_t k = 0; k < set->steps; k++) {
        DLS_TRY(dls_friction_solve(rig, set->step, iterations, error));
        dls_stage_kick(rig->simulation);
        dls_stage_drift(rig->simulation, set->step);
        DLS_TRY(dls_stage_end(rig->simulation, set->step, error));
    }
    *acceleration = downhill(rig, angle) / (set->step * (double)set->steps);
    return DLS_OK;
}

static void write_slide(const study *s, const dls_friction_rig *rig, double angle, size_t iterations, double a,
                        dls_table *table)
{
    dls_table_text(table, s->law->name);
    dls_table_text(table, iterations ? s->law->sweep : "reference");
    dls_table_count(table, iterations);
    dls_table_real(table, angle);
    dls_table_real(table, a);
    dls_table_real(table, expected(s, angle));
    dls_table_real(table, iterations ? NAN : rig->worst);
    dls_table_end_row(table);
}

static dls_status slide_all(study *s, dls_friction_rig *rig, double angle, dls_table *table, dls_error *error)
{
    const size_t iterations[3] = {0, s->lab->settings->few, s->lab->settings->many};
    for (int k = 0; k < (s->law->sweep ? 3 : 1); k++) {
        double a, should = expected(s, angle);
        DLS_TRY(slide(s, rig, angle, iterations[k], &a, error));
        double wrong = fabs(a - should) / dls_friction_gravity;
        double *worst = k == 0         ? &s->found->slide_error
                        : should > 0.0 ? &s->found->sweep_error[k - 1]
                                       : &s->found->sweep_creep[k - 1];
        *worst = fmax(*worst, wrong);
        write_slide(s, rig, angle, iterations[k], a, table);
    }
    dls_friction_note(s->found, rig);
    return DLS_OK;
}

static dls_status sweep_angles(study *s, dls_table *table, dls_error *error)
{
    const dls_friction_settings *set = s->lab->settings;
    for (size_t k = 0; k < set->angles; k++) {
        double angle = 2.0 * atan(set->mu) * (double)k / (double)(set->angles - 1);
        const dls_friction_pile pile = block(s, angle);
        dls_friction_rig rig;
        DLS_TRY(dls_friction_open(s->law, &pile, &rig, error));
        dls_status status = slide_all(s, &rig, angle, table, error);
        dls_friction_close(&rig);
        DLS_TRY(status);
    }
    return DLS_OK;
}

static dls_status each_law(dls_friction_lab *lab, dls_table *slides_table, dls_table *summary, dls_error *error)
{
    for (size_t i = 0; dls_friction_laws[i].name; i++) {
        study s = {lab, &dls_friction_laws[i], &lab->found[i]};
        DLS_TRY(sweep_angles(&s, slides_table, error));
        DLS_TRY(find_critical(&s, summary, error));
    }
    return DLS_OK;
}

dls_status dls_friction_slope(dls_friction_lab *lab, dls_error *error)
{
    dls_table *table, *summary;
    DLS_TRY(dls_friction_table(
        lab, "friction.slope",
        "law\tsolver\titerations\tangle[rad]\tacceleration[m/s^2]\tpredicted[m/s^2]\tscaled_residual", &table, error));
    dls_status status = dls_friction_table(lab, "friction.slope.summary",
                                           "law\treference\tcritical_angle[rad]\tpredicted_angle[rad]\tdifference[rad]"
                                           "\tslide_error_over_g\tcreep_over_g_few"
                                           "\tcreep_over_g_many\tslide_error_over_g_few\tslide_error_over_g_"
                                           "many\tscaled_residual\tsolves\tnot_by_the_first_method",
                                           &summary, error);
    if (status != DLS_OK) {
        dls_table_abandon(table);
        return status;
    }
    status = each_law(lab, table, summary, error);
    status = dls_friction_finish(table, status, error);
    return dls_friction_finish(summary, status, error);
}
