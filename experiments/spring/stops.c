/* A mass lowered onto a limit and onto a contact with a spring: its depth at rest is m g / kp under every scheme.
 */
#include "spring/parts.h"

#include <math.h>

enum { ITERATIONS = 4, SETTLE = 200 };
static const double lifetimes = 40.0; /* of a transient, critically damped */

static dls_status settle(const dls_spring_setup *setup, const dls_spring_way *way, double h, double *depth,
                         dls_error *error)
{
    const size_t steps = SETTLE + (size_t)(lifetimes / (sqrt(setup->kp / setup->mass) * h));
    dls_rig rig;
    DLS_TRY(dls_spring_open(setup, way, "pgs", ITERATIONS, &rig, error));
    while (dls_rig_next(&rig, h, steps))
        ;
    *depth = -dls_spring_C(&rig);
    return dls_rig_end(&rig);
}

dls_status dls_spring_stops(dls_study *study, dls_error *error)
{
    static const dls_spring_kind kinds[] = {DLS_SPRING_LIMIT, DLS_SPRING_CONTACT};
    const dls_spring_settings *set = study->settings;
    dls_spring_findings *f = study->found;
    for (dls_grid g = DLS_GRID(2, DLS_SPRING_WAYS, dls_ladder_count(set->softest, set->stiffest, 10.0));
         dls_study_next(study, &g);) {
        double kp = dls_ladder(set->softest, 10.0, g.at[2]), depth, expected = set->mass * dls_spring_gravity / kp;
        const dls_spring_setup setup = {
            .kind = kinds[g.at[0]], .mass = set->mass, .kp = kp, .kd = dls_spring_critical(set->mass, kp)};
        DLS_TRY(settle(&setup, &dls_spring_ways[g.at[1]], set->coarse, &depth, error));
        double *worst = &f->depth[g.at[0]][g.at[1]];
        *worst = fmax(*worst, fabs(depth / expected - 1.0));
        dls_table_row(study->tables[DLS_SPRING_STOPS], "%s %s %g %g %g %g", dls_spring_kind_names[setup.kind],
                      dls_spring_ways[g.at[1]].name, kp, depth, expected, depth / expected - 1.0);
    }
    return DLS_OK;
}
