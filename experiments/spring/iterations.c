/* A spring whose guides answer to it, under PGS of few iterations, against direct steps.
 *
 * Slider on a rail at the arm r, I the inertia about y: the spring's row and the row that keeps the body from
 * turning. Hinge at the arm r, I about z: the spring's row and that of the axis across the arm. Of two rows a sweep
 * keeps A_12^2 / (A_11 A_22) of the error:
 *     slider   m r^2 / (I + m r^2 + m I Gamma)               Gamma = 1 / (h (h kp + kd))
 *     hinge    m r^2 / ((I + m r^2) (1 + I Gamma))
 * A soft spring's own compliance hides the guide from it; a stiff one is as slow as a rigid row. The weight on the
 * guides takes sweeps of its own; on the slider none of them moves C. */
#include "spring.h"

#include <math.h>

static const dls_spring_kind kinds[] = {DLS_SPRING_SLIDER, DLS_SPRING_HINGE};

double dls_spring_rate(const dls_spring_rig *rig, const dls_spring_setup *s, double h)
{
    dls_mat3 inertia = rig->model->bodies[0].inertia;
    double r2 = s->mass * s->arm * s->arm, gamma = 1.0 / (h * (h * s->kp + s->kd)), I;
    if (s->kind == DLS_SPRING_SLIDER) {
        I = dls_mul3(inertia, dls_v3(0.0, 1.0, 0.0)).y;
        return r2 / (I + r2 + s->mass * I * gamma);
    }
    I = dls_mul3(inertia, dls_v3(0.0, 0.0, 1.0)).z;
    return r2 / ((I + r2) * (1.0 + I * gamma));
}

/* Largest |C - C of direct steps|, in lockstep. */
static dls_status race(dls_spring_rig *rig, dls_spring_rig *direct, double h, double duration, double *apart,
                       dls_error *error)
{
    size_t steps = (size_t)ceil(duration / h - 1e-9);
    *apart = 0.0;
    for (size_t k = 0; k < steps; k++) {
        DLS_TRY(dls_spring_step(rig, h, error));
        DLS_TRY(dls_spring_step(direct, h, error));
        *apart = fmax(*apart, fabs(dls_spring_C(rig) - dls_spring_C(direct)));
    }
    return DLS_OK;
}

static dls_status compare(const dls_spring_lab *lab, const dls_spring_setup *setup, size_t N, double *apart,
                          double *predicted, dls_error *error)
{
    const double h = lab->settings->coarse;
    dls_spring_rig rig, direct;
    DLS_TRY(dls_spring_open(setup, &dls_spring_ways[0], "pgs", N, &rig, error));
    *predicted = dls_spring_rate(&rig, setup, h);
    dls_status status = dls_spring_open(setup, &dls_spring_ways[0], "block-pivoting", 1, &direct, error);
    if (status == DLS_OK) {
        status = race(&rig, &direct, h, lab->settings->contest, apart, error);
        dls_spring_close(&direct);
    }
    dls_spring_close(&rig);
    return status;
}

static dls_status one(dls_spring_lab *lab, dls_spring_kind kind, double arm, double kp, size_t i, dls_table *table,
                      dls_error *error)
{
    const dls_spring_settings *set = lab->settings;
    const dls_spring_setup setup = {.kind = kind, .mass = set->mass, .kp = kp, .C = set->amplitude, .arm = arm};
    const dls_spring_mass ideal = dls_spring_ideal(&setup);
    double apart, predicted;
    DLS_TRY(compare(lab, &setup, (size_t)lab->counts.at[i], &apart, &predicted, error));
    apart /= fmax(set->amplitude, fabs(ideal.f) / kp);
    double *worst = arm > 0.0 ? &lab->found.pgs[kind][i] : &lab->found.pgs_distance;
    *worst = fmax(*worst, apart);
    const double values[] = {arm, kp, lab->counts.at[i], apart, arm > 0.0 ? predicted : 0.0};
    dls_spring_row(table, dls_spring_kind_names[kind], "euler", values, sizeof values / sizeof values[0]);
    return DLS_OK;
}

static dls_status all(dls_spring_lab *lab, dls_table *table, dls_error *error)
{
    const dls_spring_settings *set = lab->settings;
    for (double kp = set->softest; kp <= set->stiffest * 1.001; kp *= 10.0) {
        DLS_TRY(one(lab, DLS_SPRING_DISTANCE, 0.0, kp, 0, table, error));
        for (int kind = 0; kind < 2; kind++)
            for (size_t i = 0; i < lab->counts.count; i++)
                DLS_TRY(one(lab, kinds[kind], set->arm, kp, i, table, error));
    }
    return DLS_OK;
}

dls_status dls_spring_iterations(dls_spring_lab *lab, dls_error *error)
{
    dls_table *table;
    DLS_TRY(dls_spring_table(lab, "spring.iterations",
                             "rig\tscheme\tarm[m]\tkp\titerations\tdifference_to_direct\tpredicted_rate", &table,
                             error));
    return dls_spring_finish(table, all(lab, table, error), error);
}
