/* Experiment: what friction laws hold, a block on a slope, a block pulled in every direction, a box pulled out of a
 * stack.
 *
 * temporal-coherence, Friction Constraint: a fixed bound mu m g knows no pressure, "lower boxes slide just as easily as
 * upper boxes"; bounds on each tangent alone make a square of Coulomb's disc, k facets a polygon. Each law is solved by
 * a direct method and certified; sweeps of a few iterations stand beside it. The laws: laws.c. */
#include "friction/parts.h"

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

#define MOTION                                                                                         \
    "law\tsolver\titerations\tdirection[rad]\tpull_over_mu_m_g\toff_the_pull[rad]\tpredicted_off[rad]" \
    "\tspeed[m/s]\tpredicted_speed[m/s]\tscaled_residual"
static const dls_experiment_table tables[] = {
    [DLS_FRICTION_SLOPE] = {"friction.slope", "law\tsolver\titerations\tangle[rad]\tacceleration[m/s^2]"
                                              "\tpredicted[m/s^2]\tscaled_residual"},
    [DLS_FRICTION_SLOPE_SUMMARY] = {"friction.slope.summary",
                                    "law\treference\tcritical_angle[rad]\tpredicted_angle[rad]\tdifference[rad]"
                                    "\tslide_error_over_g\tcreep_over_g_few\tcreep_over_g_many\tslide_error_over_g_few"
                                    "\tslide_error_over_g_many\tscaled_residual\tsolves\tnot_by_the_first_method"},
    [DLS_FRICTION_PULL] = {"friction.pull", "law\tdirection[rad]\tleast_force[N]\tleast_force_over_mu_m_g\tpredicted"},
    [DLS_FRICTION_DIRECTION] = {"friction.direction", MOTION},
    [DLS_FRICTION_PREDICTED] = {"friction.direction.predicted", "law\tdirection[rad]\toff_the_pull[rad]"},
    [DLS_FRICTION_DIAGONAL] = {"friction.diagonal.summary", MOTION},
    [DLS_FRICTION_PULL_SUMMARY] = {"friction.pull.summary",
                                   "law\treference\tanisotropy\tpredicted\trelative_difference"
                                   "\tworst_relative_error_of_force\tlargest_off_the_pull[rad]\terror_of_direction[rad]"
                                   "\terror_of_direction_few[rad]\terror_of_direction_many[rad]\tscaled_residual"
                                   "\tsolves\tnot_by_the_first_method"},
    [DLS_FRICTION_STACK] = {"friction.stack.summary", "law\treference\tbox\tleast_force[N]\tpredicted[N]"
                                                      "\tleast_force_over_mu_m_g\tboxes_that_move\tscaled_residual"},
    [DLS_FRICTION_SWEEPS] = {"friction.stack.sweeps", "law\tsolver\titerations\tbox\tforce_over_least\tspeed[m/s]"
                                                      "\tspeed_without_friction[m/s]"},
    {NULL, NULL},
};

static const dls_experiment_part parts[] = {
    {"slope", dls_friction_slope}, {"pulls", dls_friction_pulls}, {"stack", dls_friction_stack}, {NULL, NULL}};

static dls_status prepare(dls_study *study, dls_error *error)
{
    const dls_friction_settings *set = study->settings;
    return set->directions % 32 == 0 ? DLS_OK
                                     : dls_fail_at(error, DLS_BAD_INPUT, NULL, 0, 0, "directions",
                                                   "must be a multiple of 32, not %zu", set->directions);
}

static void note(const dls_study *study, dls_table *table)
{
    (void)study;
    dls_table_note(table, "laws",
                   "facets take the place of the cone, asked for by name: the problem has the cone, the LCP of its "
                   "facets is solved");
}

const dls_experiment dls_experiment_friction = {
    .name = "friction",
    .summary = "a slope, pulls in every direction and a stack under each friction law, exactly and with sweeps",
    .fields = DLS_FIELD_TABLE(fields, dls_friction_settings),
    .tables = tables,
    .parts = parts,
    .findings = sizeof(dls_friction_findings),
    .prepare = prepare,
    .note = note,
    .figures = dls_friction_figures,
};
