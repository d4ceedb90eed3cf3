/* The creep of regularised friction: a block that Coulomb's law holds on a slope, under MuJoCo's soft contacts.
 *
 * MuJoCo's contact (its documentation, chapter Computation) has the regularised row a + R f = -b v - k d r, of the
 * depth r >= 0, the velocity v and the acceleration a. Of its defaults (solref 0.02 1, solimp 0.9 0.95 0.001 0.5 2)
 * follow, with the inverse mass A that it assigns to the contact's bodies,
 *     d(r) = 0.9 + 0.05 s(r / 1 mm),  s(x) = 2 x^2 up to 1/2, 1 - 2 (1 - x)^2 up to 1, then 1,
 *     R = A (1 - d) / d,  b = 2 / (0.95 T),  k = 1 / (0.95 T)^2,  T = 0.02 s,
 * for a tangent R / impratio and no k. Therefore a tangential force at rest, a = 0, has a speed,
 *     v = R f / (b impratio),
 * whatever mu is. A block of mass m on several contacts has the speed that balances its weight,
 *     v = m g sin / (b impratio sum_i 1 / R_i),  R_i by the depth of each, R_i N_i = k d r_i,
 * with N_i from the moments. A = 1 / m, so that v does not depend on m.
 *
 * The rates that are published for a capsule of 0.045 kg between two pads of 0.2 kg on slides (MuJoCo's issue 3328,
 * pull request 3526: 154.99 um/s with impratio 10) have four contacts and A = 1 / 0.045 + 1 / (3 0.2), the mean over
 * the axes for a pad with one: at any normal force the law is between its values for d = 0.95 and d = 0.9. */
#include "coulomb/parts.h"

#include "engines/engine_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double time_constant = 0.02, least_impedance = 0.9, largest_impedance = 0.95, impedance_width = 1e-3;
static const double edge[3] = {0.6, 0.4, 0.1}; /* of the block [m] */

double dls_creep_impedance(double depth)
{
    const double x = fmin(1.0, depth / impedance_width), s = x <= 0.5 ? 2.0 * x * x : 1.0 - 2.0 * (1.0 - x) * (1.0 - x);
    return least_impedance + s * (largest_impedance - least_impedance);
}

double dls_creep_compliance(double impedance) { return (1.0 - impedance) / impedance; }

/* The depth at which a contact carries A N = `load`: k d(r)^2 r / (1 - d(r)) = load grows with r. */
static double depth_of(double load)
{
    const double k = 1.0 / (largest_impedance * largest_impedance * time_constant * time_constant);
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 100; i++) {
        const double r = 0.5 * (low + high), d = dls_creep_impedance(r);
        *(k * d * d * r / (1.0 - d) > load ? &high : &low) = r;
    }
    return high;
}

double dls_creep_speed(double acceleration, double impedance)
{
    return acceleration * dls_creep_compliance(impedance) * 0.5 * largest_impedance * time_constant;
}

double dls_creep_on_slope(double tangent)
{
    const double cosine = 1.0 / sqrt(1.0 + tangent * tangent), sine = tangent * cosine;
    const double turn =
        sine * edge[2] / edge[0]; /* moments: (N_low - N_high) edge_x / 2 = m g sin edge_z / 2, N of two */
    double stiffness = 0.0;
    for (int low = 0; low < 2; low++) {
        const double load = 0.25 * dls_coulomb_gravity * (cosine + (low ? turn : -turn));
        stiffness += 2.0 / dls_creep_compliance(dls_creep_impedance(depth_of(load)));
    }
    return dls_coulomb_gravity * sine / stiffness * 0.5 * largest_impedance * time_constant;
}

/* --- MuJoCo itself --- */

static dls_status creep_scene(double tangent, double mu, dls_scene **scene, dls_error *error)
{
    const double slope = atan(tangent);
    dls_maker m =
        dls_make_scene(dls_v3(dls_coulomb_gravity * sin(slope), 0.0, -dls_coulomb_gravity * cos(slope)), error);
    dls_make_box(&m, "block", dls_v3(edge[0], edge[1], edge[2]), 1.7, dls_v3(0.0, 0.0, 0.5 * edge[2]),
                 dls_quat_identity());
    dls_make_joint(&m, "contact", "ground", "block", NULL);
    dls_make_vector(&m, "point", dls_v3(0.0, 0.0, 0.0));
    dls_make_vector(&m, "normal", dls_v3(0.0, 0.0, 1.0));
    dls_make_real(&m, "mu", mu);
    dls_make_set(&m, "friction", "cone");
    return dls_make_end(&m, scene);
}

/* The mean speed in the second half of a run; NaN, and the reason in the record, where the engine fails. */
static dls_status measure_creep(const dls_engine *engine, const dls_coulomb_settings *set, double tangent,
                                double *speed, dls_error *error)
{
    const double h = 0.002;
    const size_t steps = dls_step_count(set->creep_time, h), half = steps / 2;
    dls_scene *scene;
    dls_model *model;
    dls_engine_mechanism *mechanism = NULL;
    dls_engine_record record = {0};
    *speed = NAN;
    DLS_TRY(creep_scene(tangent, set->mu, &scene, error));
    DLS_TRY(dls_scene_model(scene, &model, error));
    dls_status status = dls_engine_mechanism_create(model, h, 1, &mechanism, error);
    if (status == DLS_OK)
        status = dls_engine_run(engine, mechanism, steps, 60.0, &record, error);
    if (status == DLS_OK && record.steps == steps && half > 0)
        *speed = (record.states[(steps - 1) * record.n_bodies].x.x - record.states[(half - 1) * record.n_bodies].x.x) /
                 ((double)(steps - half) * h);
    dls_engine_record_release(&record);
    dls_engine_mechanism_destroy(mechanism);
    dls_model_destroy(model);
    return status;
}

/* The published rate beside the law at both ends of its impedance. */
static void write_published(dls_study *study)
{
    const double force = 0.25 * 0.045 * dls_coulomb_gravity, A = 1.0 / 0.045 + 1.0 / 0.6;
    for (int stiff = 0; stiff < 2; stiff++) {
        const double impratio = 10.0, d = stiff ? largest_impedance : least_impedance;
        const double law = dls_creep_speed(force * A, d) / impratio, published = 154.99e-6;
        dls_table_row(study->tables[DLS_COULOMB_CREEP], "%s %g %g %s %g %g %g",
                      stiff ? "pinched-deep" : "pinched-shallow", (double)NAN, impratio, "published", law, published,
                      published / law - 1.0);
    }
}

dls_status dls_coulomb_creep(dls_study *study, dls_error *error)
{
    const dls_coulomb_settings *set = study->settings;
    dls_coulomb_findings *f = study->found;
    dls_engine_choice choice = {.engine = NULL};
    dls_error missing;
    const bool here = dls_engine_choose("mujoco-tree", &choice, &missing) == DLS_OK;
    dls_status status = DLS_OK;
    f->creep = NAN;
    write_published(study);
    for (dls_grid g = DLS_GRID(set->slopes.count); status == DLS_OK && dls_study_next(study, &g);) {
        const double tangent = set->slopes.reals[g.at[0]], law = dls_creep_on_slope(tangent);
        double speed = NAN;
        if (here)
            status = measure_creep(choice.engine, set, tangent, &speed, error);
        if (status == DLS_OK)
            dls_table_row(study->tables[DLS_COULOMB_CREEP], "%s %g %g %s %g %g %g", "slope", tangent, 1.0,
                          here ? "mujoco-tree" : "law", law, speed, speed / law - 1.0);
        f->creep = fmax(fabs(speed / law - 1.0), f->creep);
    }
    if (here)
        dls_engine_release(&choice);
    return status;
}
