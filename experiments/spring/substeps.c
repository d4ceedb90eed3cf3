/* Small steps and TGS against their laws (laws.c), and the damping that each scheme adds to an oscillator that
 * has none. */
#include "spring.h"

#include <math.h>
#include <string.h>

enum { STEPS = 20 };

static bool is_tgs(const dls_spring_way *way) { return strcmp(way->scheme, "tgs") == 0; }
static bool is_small(const dls_spring_way *way) { return strcmp(way->scheme, "small-steps") == 0; }

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

static void law(const dls_spring_way *way, dls_spring_mass *s, double h, size_t N)
{
    double C, v;
    if (is_tgs(way))
        dls_spring_tgs(s, h, N, strcmp(way->value, "step") == 0 ? h : h / (double)N, &C, &v);
    else
        dls_spring_after(s, is_small(way) ? h / (double)N : h, is_small(way) ? N : 1, &C, &v);
    s->C = C, s->v = v;
}

/* --- laws --- */

static dls_status follow(dls_spring_rig *rig, const dls_spring_way *way, dls_spring_mass mass, double h, size_t N,
                         double *apart, dls_error *error)
{
    double scale = fmax(fabs(mass.C), fabs(mass.f) / mass.kp), w = sqrt(mass.kp / mass.m);
    *apart = 0.0;
    for (int k = 0; k < STEPS; k++) {
        DLS_TRY(dls_spring_step(rig, h, error));
        law(way, &mass, h, N);
        *apart = fmax(*apart, fabs(dls_spring_C(rig) - mass.C) / scale);
        *apart = fmax(*apart, fabs(dls_spring_speed(rig) - mass.v) / (scale * fmax(w, 1.0)));
    }
    return DLS_OK;
}

static dls_status law_one(dls_spring_lab *lab, const dls_spring_setup *setup, double damping, const dls_spring_way *way,
                          size_t N, dls_table *table, dls_error *error)
{
    const double h = lab->settings->coarse;
    dls_spring_rig rig;
    double apart;
    DLS_TRY(dls_spring_open(setup, way, "pgs", N, &rig, error));
    dls_status status = follow(&rig, way, in_substeps(setup, (double)N), h, N, &apart, error);
    dls_spring_close(&rig);
    DLS_TRY(status);
    lab->found.law = fmax(lab->found.law, apart);
    lab->found.laws++;
    const double values[] = {setup->kp, damping, (double)N, apart};
    dls_spring_row(table, dls_spring_kind_names[setup->kind], way->name, values, sizeof values / sizeof values[0]);
    return DLS_OK;
}

/* Numbers ERP and CFM under TGS hold for h, whatever the time base makes of ERP: no spring, no law here. */
static dls_status laws_of(dls_spring_lab *lab, const dls_spring_setup *setup, double damping, dls_table *table,
                          dls_error *error)
{
    for (const dls_spring_way *way = dls_spring_ways; way->name; way++)
        for (size_t i = 0; i < lab->counts.count; i++)
            if (is_small(way) || (is_tgs(way) && setup->kind != DLS_SPRING_NUMBERS))
                DLS_TRY(law_one(lab, setup, damping, way, (size_t)lab->counts.at[i], table, error));
    return DLS_OK;
}

static dls_status laws(dls_spring_lab *lab, dls_table *table, dls_error *error)
{
    const dls_spring_settings *set = lab->settings;
    for (dls_spring_kind kind = DLS_SPRING_SLIDER; kind <= DLS_SPRING_NUMBERS; kind++)
        for (double kp = set->softest; kp <= set->stiffest * 1.001; kp *= 100.0)
            for (size_t d = 0; d < lab->dampings.count; d++) {
                double kd = lab->dampings.at[d] * dls_spring_critical(dls_spring_inertia(kind, set->mass), kp);
                const dls_spring_setup setup = {
                    .kind = kind, .mass = set->mass, .kp = kp, .kd = kd, .C = set->amplitude, .step = set->coarse};
                DLS_TRY(laws_of(lab, &setup, lab->dampings.at[d], table, error));
            }
    return DLS_OK;
}

/* --- what an undamped oscillator becomes --- */

static dls_status seen_one(dls_spring_lab *lab, size_t which, size_t i, dls_table *table, dls_error *error)
{
    const dls_spring_settings *set = lab->settings;
    const double h = set->coarse, m = dls_spring_inertia(DLS_SPRING_DISTANCE, set->mass), w0 = set->stiffness / h;
    const dls_spring_setup setup = {
        .kind = DLS_SPRING_DISTANCE, .mass = set->mass, .kp = m * w0 * w0, .C = set->amplitude};
    double P[4], w, ratio;
    DLS_TRY(dls_spring_map(&setup, &dls_spring_ways[which], (size_t)lab->counts.at[i], h, false, P, error));
    dls_spring_seen(P[0] + P[3], P[0] * P[3] - P[1] * P[2], h, &w, &ratio);
    if (i == 0)
        lab->found.seen_ratio[which][0] = ratio;
    lab->found.seen_ratio[which][1] = ratio;
    const double values[] = {lab->counts.at[i], set->stiffness, w / w0, ratio};
    dls_spring_row(table, "distance", dls_spring_ways[which].name, values, sizeof values / sizeof values[0]);
    return DLS_OK;
}

static dls_status seen(dls_spring_lab *lab, dls_table *table, dls_error *error)
{
    for (size_t which = 0; dls_spring_ways[which].name; which++)
        for (size_t i = 0; i < lab->counts.count; i++)
            DLS_TRY(seen_one(lab, which, i, table, error));
    return DLS_OK;
}

dls_status dls_spring_substeps(dls_spring_lab *lab, dls_error *error)
{
    dls_table *table;
    DLS_TRY(dls_spring_table(lab, "spring.laws.summary",
                             "rig\tscheme\tkp\tdamping_ratio\titerations\tdifference_to_law", &table, error));
    DLS_TRY(dls_spring_finish(table, laws(lab, table, error), error));
    DLS_TRY(dls_spring_table(lab, "spring.damping", "rig\tscheme\titerations\tw_h\tfrequency_over_w\tdamping_ratio",
                             &table, error));
    return dls_spring_finish(table, seen(lab, table, error), error);
}
