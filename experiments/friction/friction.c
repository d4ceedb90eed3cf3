/* Experiment: what friction laws hold, a block on a slope, a block pulled in every direction, a box pulled out of a
 * stack.
 *
 * temporal-coherence, Friction Constraint: a fixed bound mu m g knows no pressure, "lower boxes slide just as easily as
 * upper boxes"; bounds on each tangent alone make a square of Coulomb's disc, k facets a polygon. Each law is solved by
 * a direct method and certified; sweeps of a few iterations stand beside it. The laws: laws.c. */
#include "friction.h"

#include <math.h>
#include <stdio.h>

#define FIELD(key, unit, kind, member, fallback, min, max, help)                                                    \
    {                                                                                                               \
        key, unit, DLS_FIELD_##kind, offsetof(dls_friction_settings, member), fallback, min, max, false, NULL, help \
    }
static const dls_field fields[] = {
    FIELD("mu", "", REAL, mu, "0.37", 0.01, 0.7,
          "friction coefficient; steep slopes and tall stacks with more of it topple"),
    FIELD("mass", "kg", REAL, mass, "1.7", 0.1, 10, "of a box"),
    FIELD("step", "s", REAL, step, "0.01", 1e-3, 1, "time step"),
    FIELD("steps", "", COUNT, steps, "10", 1, 1000, "steps of a slide, from rest"),
    FIELD("angles", "", COUNT, angles, "40", 2, 1000, "slopes, from level to twice the critical angle"),
    FIELD("directions", "", COUNT, directions, "64", 32, 4096,
          "directions of pull; a multiple of 32 has corners and middles of all edges"),
    FIELD("boxes", "", COUNT, boxes, "5", 2, 6, "height of the stack"),
    FIELD("few", "", COUNT, few, "10", 1, 1e6, "iterations of sweeps, from zero impulse"),
    FIELD("many", "", COUNT, many, "100", 1, 1e6, "the same, more of them"),
    FIELD("beyond", "", REAL, beyond, "1.1", 1.001, 1.5,
          "pull over the least force, where the direction of motion is looked at"),
    FIELD("still", "", REAL, still, "1e-11", 1e-15, 1e-3, "slower than this part of g h a box is at rest"),
    FIELD("width", "", REAL, width, "1e-11", 1e-14, 1e-2,
          "bisection ends at this width of the angle [rad], or of the force over mu m g"),
};
const dls_field_table dls_friction_fields = DLS_FIELD_TABLE(fields, dls_friction_settings);

dls_status dls_friction_table(const dls_friction_lab *lab, const char *stem, const char *columns, dls_table **table,
                              dls_error *error)
{
    DLS_TRY(dls_job_table(lab->job, stem, table, error));
    dls_table_note_fields(*table, "", &lab->fields, lab->settings);
    dls_table_note(*table, "laws",
                   "facets take the place of the cone, asked for by name: the problem has the cone, the LCP of its "
                   "facets is solved");
    dls_table_columns(*table, columns);
    return DLS_OK;
}

dls_status dls_friction_finish(dls_table *table, dls_status status, dls_error *error)
{
    if (status == DLS_OK)
        return dls_table_commit(table, error);
    dls_table_abandon(table);
    return status;
}

void dls_friction_note(dls_friction_finding *found, const dls_friction_rig *rig)
{
    found->residual = fmax(found->residual, rig->worst);
    found->solves += rig->solves;
    found->others += rig->others;
}

dls_status dls_friction_bisect(dls_friction_probe probe, void *context, double low, double high, double width,
                               double *x, dls_error *error)
{
    bool at_low, at_high, moves;
    DLS_TRY(probe(context, low, &at_low, error));
    DLS_TRY(probe(context, high, &at_high, error));
    if (at_low || !at_high)
        return dls_fail(error, DLS_REFUSED, "it %s at %g and %s at %g: no threshold to bisect",
                        at_low ? "moves" : "rests", low, at_high ? "moves" : "rests", high);
    while (high - low > width) {
        double middle = low + 0.5 * (high - low);
        if (middle <= low || middle >= high)
            break;
        DLS_TRY(probe(context, middle, &moves, error));
        *(moves ? &high : &low) = middle;
    }
    *x = low + 0.5 * (high - low);
    return DLS_OK;
}

dls_status dls_friction_study(dls_friction_lab *lab, dls_error *error)
{
    if (lab->settings->directions % 32 != 0)
        return dls_fail_at(error, DLS_BAD_INPUT, NULL, 0, 0, "directions", "must be a multiple of 32, not %zu",
                           lab->settings->directions);
    dls_job_progress(lab->job, "slope", 0.0);
    DLS_TRY(dls_friction_slope(lab, error));
    dls_job_progress(lab->job, "pulls", 0.2);
    DLS_TRY(dls_friction_pulls(lab, error));
    dls_job_progress(lab->job, "stack", 0.6);
    return dls_friction_stack(lab, error);
}

static dls_status run(const dls_job *job, const void *settings, dls_error *error)
{
    dls_friction_lab lab = {.job = job, .settings = settings, .fields = dls_friction_fields};
    DLS_TRY(dls_friction_study(&lab, error));
    return dls_friction_figures(&lab, error);
}

const dls_experiment dls_experiment_friction = {
    .name = "friction",
    .summary = "a slope, pulls in every direction and a stack under each friction law, exactly and with sweeps",
    .fields = DLS_FIELD_TABLE(fields, dls_friction_settings),
    .run = run,
};
