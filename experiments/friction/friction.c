/* Experiment: the limits of friction laws, for a block on a slope, a block pulled in every direction, and a box pulled
 * out of a stack.
 *
 * temporal-coherence, Friction Constraint: a fixed bound mu m g does not depend on the pressure, "lower boxes slide
 * just as easily as upper boxes"; separate bounds on the tangents are a square in place of Coulomb's disc, and k facets
 * are a polygon. Each law is solved by a direct method and certified, and compared with sweeps of a few iterations. The
 * laws: friction_laws.c.
 */
#include "friction/parts.h"

#include <stdio.h>

#define FIELD(...) DLS_SETTING(dls_friction_settings, __VA_ARGS__)
static const dls_field fields[] = {
    FIELD(mu, "", REAL, "0.37", 0.01, 0.7,
          "friction coefficient; with larger values boxes topple on steep slopes and in tall stacks"),
    FIELD(mass, "kg", REAL, "1.7", 0.1, 10, "mass of a box"),
    FIELD(step, "s", REAL, "0.01", 1e-3, 1, "time step"),
    FIELD(steps, "", COUNT, "10", 1, 1000, "number of steps of a slide from rest"),
    FIELD(angles, "", COUNT, "40", 2, 1000, "number of slopes, from level to twice the critical angle"),
    FIELD(directions, "", COUNT, "64", 32, 4096,
          "number of directions of pull; a multiple of 32 includes the corners and the middles of all edges"),
    FIELD(boxes, "", COUNT, "5", 2, 6, "number of boxes of the stack"),
    FIELD(few, "", COUNT, "10", 1, 1e6, "smaller number of iterations of sweeps, from zero impulse"),
    FIELD(many, "", COUNT, "100", 1, 1e6, "larger number of iterations of sweeps, from zero impulse"),
    FIELD(beyond, "", REAL, "1.1", 1.001, 1.5,
          "pull, over the least force that moves the box, at which the direction of motion is measured"),
    FIELD(still, "", REAL, "1e-11", 1e-15, 1e-3, "speed over g h below which a box counts as at rest"),
    FIELD(width, "", REAL, "1e-11", 1e-14, 1e-2,
          "width of the angle [rad], or of the force over mu m g, at which the bisection ends"),
};

#define MOTION                                                                                         \
    "law\tsolver\titerations\tdirection[rad]\tpull_over_mu_m_g\toff_the_pull[rad]\tpredicted_off[rad]" \
    "\tspeed[m/s]\tpredicted_speed[m/s]\tscaled_residual"
static const dls_experiment_table tables[] = {
    [DLS_FRICTION_SLOPE] = {.stem = "friction.slope",
                            .columns = "law\tsolver\titerations\tangle[rad]\tacceleration[m/s^2]"
                                       "\tpredicted[m/s^2]\tscaled_residual"},
    [DLS_FRICTION_SLOPE_SUMMARY] =
        {.stem = "friction.slope.summary",
         .columns = "law\treference\tcritical_angle[rad]\tpredicted_angle[rad]\tdifference[rad]"
                    "\tslide_error_over_g\tcreep_over_g_few\tcreep_over_g_many\tslide_error_over_g_few"
                    "\tslide_error_over_g_many\tscaled_residual\tsolves\tnot_by_the_first_method"},
    [DLS_FRICTION_PULL] = {.stem = "friction.pull",
                           .columns = "law\tdirection[rad]\tleast_force[N]\tleast_force_over_mu_m_g\tpredicted"},
    [DLS_FRICTION_DIRECTION] = {.stem = "friction.direction", .columns = MOTION},
    [DLS_FRICTION_PREDICTED] = {.stem = "friction.direction.predicted",
                                .columns = "law\tdirection[rad]\toff_the_pull[rad]"},
    [DLS_FRICTION_DIAGONAL] = {.stem = "friction.diagonal.summary", .columns = MOTION},
    [DLS_FRICTION_PULL_SUMMARY] =
        {.stem = "friction.pull.summary",
         .columns = "law\treference\tanisotropy\tpredicted\trelative_difference"
                    "\tworst_relative_error_of_force\tlargest_off_the_pull[rad]\terror_of_direction[rad]"
                    "\terror_of_direction_few[rad]\terror_of_direction_many[rad]\tscaled_residual"
                    "\tsolves\tnot_by_the_first_method"},
    [DLS_FRICTION_STACK] = {.stem = "friction.stack.summary",
                            .columns = "law\treference\tbox\tleast_force[N]\tpredicted[N]"
                                       "\tleast_force_over_mu_m_g\tboxes_that_move\tscaled_residual"},
    [DLS_FRICTION_SWEEPS] = {.stem = "friction.stack.sweeps",
                             .columns = "law\tsolver\titerations\tbox\tforce_over_least\tspeed[m/s]"
                                        "\tspeed_without_friction[m/s]"},
    {.stem = NULL},
};

static const dls_experiment_part parts[] = {
    {"slope", dls_friction_slope}, {"pulls", dls_friction_pulls}, {"stack", dls_friction_stack}, {NULL, NULL}};

static dls_status prepare(dls_study *study, dls_error *error)
{
    const dls_friction_settings *set = study->settings;
    return set->directions % 32 == 0 ? DLS_OK
                                     : dls_fail_about(error, DLS_BAD_INPUT, NULL, "directions",
                                                      "must be a multiple of 32, not %zu", set->directions);
}

static void conclude(const dls_study *study, dls_finding *finding)
{
    const dls_friction_findings *f = study->found;
    snprintf(finding->figure, sizeof finding->figure, "friction-pull");
    snprintf(finding->sentence, sizeof finding->sentence,
             "Under a box of friction bounds a block withstands %.4f times as much in one direction as in another; "
             "under Coulomb's cone all directions agree to %.1e.",
             f->of[DLS_FRICTION_LAW_BOX].anisotropy, fabs(f->of[DLS_FRICTION_LAW_CONE].anisotropy - 1.0));
}

const dls_experiment dls_experiment_friction = {
    .name = "friction",
    .summary = "a slope, pulls in every direction and a stack under each friction law, exactly and with sweeps",
    .title = "Friction laws",
    .question = "Which forces does each friction law hold, and in which direction does a body slide under it?",
    .varies = "the law (fixed bound, box, facets, cone), slope, direction of pull, height in a stack, number of sweeps",
    .measures = "critical angles, least forces, directions of motion, creep under sweeps",
    .shows = "how far each law is from Coulomb's, in closed form, and the additional error of few sweeps",
    .mechanisms = "box-on-slope stack-10",
    .fields = DLS_FIELD_TABLE(fields, dls_friction_settings),
    .small = "angles=8 directions=32 boxes=2 steps=2",
    .tables = tables,
    .parts = parts,
    .findings = sizeof(dls_friction_findings),
    .prepare = prepare,
    .remark = {"laws", "with facets: the problem has the cone, and the LCP of its facets is solved in its place"},
    .figures = dls_friction_figures,
    .conclude = conclude,
};
