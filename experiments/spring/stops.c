/* A mass let down on a limit and on a contact with a spring: how deep it rests, m g / kp under every scheme. */
#include "spring.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 4, SETTLE = 200 };
static const double lifetimes = 40.0; /* of a transient, critically damped */

static dls_status settle(const dls_spring_setup *setup, const dls_spring_way *way, double h, double *depth,
                         dls_error *error)
{
    dls_spring_rig rig;
    size_t steps = SETTLE + (size_t)(lifetimes / (sqrt(setup->kp / setup->mass) * h));
    dls_status status = DLS_OK;
    DLS_TRY(dls_spring_open(setup, way, "pgs", ITERATIONS, &rig, error));
    for (size_t k = 0; k < steps && status == DLS_OK; k++)
        status = dls_spring_step(&rig, h, error);
    *depth = -dls_spring_C(&rig);
    dls_spring_close(&rig);
    return status;
}

static dls_status one(dls_spring_lab *lab, dls_spring_kind kind, double kp, size_t which, dls_table *table,
                      dls_error *error)
{
    const dls_spring_settings *set = lab->settings;
    const dls_spring_setup setup = {
        .kind = kind, .mass = set->mass, .kp = kp, .kd = dls_spring_critical(set->mass, kp)};
    double depth, expected = set->mass * dls_spring_gravity / kp;
    DLS_TRY(settle(&setup, &dls_spring_ways[which], set->coarse, &depth, error));
    double *worst = &lab->found.depth[kind - DLS_SPRING_LIMIT][which];
    *worst = fmax(*worst, fabs(depth / expected - 1.0));
    const double values[] = {kp, depth, expected, depth / expected - 1.0};
    dls_spring_row(table, dls_spring_kind_names[kind], dls_spring_ways[which].name, values,
                   sizeof values / sizeof values[0]);
    return DLS_OK;
}

static dls_status all(dls_spring_lab *lab, dls_table *table, dls_error *error)
{
    const dls_spring_settings *set = lab->settings;
    for (dls_spring_kind kind = DLS_SPRING_LIMIT; kind <= DLS_SPRING_CONTACT; kind++)
        for (size_t which = 0; dls_spring_ways[which].name; which++)
            for (double kp = set->softest; kp <= set->stiffest * 1.001; kp *= 10.0)
                DLS_TRY(one(lab, kind, kp, which, table, error));
    return DLS_OK;
}

dls_status dls_spring_stops(dls_spring_lab *lab, dls_error *error)
{
    dls_table *table;
    DLS_TRY(dls_spring_table(lab, "spring.stops", "rig\tscheme\tkp\tdepth[m]\tm_g_over_kp[m]\trelative_error", &table,
                             error));
    return dls_spring_finish(table, all(lab, table, error), error);
}
