/* Friction: dry friction of a joint coordinate, or of a sum y = sum G_i q_i of several: a constant and a share of the
 * load of the joint (1 row). physx-articulations, Stability (joint friction), which does not define the load.
 *
 *     y' = 0 if it needs no more than |f| <= force + coefficient (N + M / radius)
 * N and M are the magnitudes of the force [N] and of the moment about the anchor [N m] that the joint of the first
 * coordinate transmitted in the previous step, without the components along its free directions: for a joint of a tree
 * its incoming wrench, for a hinge or slider between bodies the forces of its rows. So coefficient is the friction
 * coefficient of a slider [1], and for a hinge the friction coefficient times the radius of its bearing [m].
 *
 * The contact forces that carry a moment depend on their arms, which the joint does not know: `radius` is their
 * effective length. Two bearings on a shaft, or two shoes on a rail, at the distance `radius` before and behind the
 * anchor each carry F / 2 of a force F, and carry a moment M by the forces M / (2 radius) and its opposite. Friction
 * acts at both, so that the magnitudes add up: to max(F, M / radius) if all forces are in one plane, and to
 * sqrt(F^2 + (M / radius)^2) if those of the moment are perpendicular to the others. N + M / radius is an upper bound
 * of both, and exact if F or M is 0. With an infinite radius moments have no effect. N and M are part of the state, 0
 * in the first step, and those of the previous step: the bound is of first order.
 */
#include "parts.h"

typedef struct friction {
    double force, coefficient, radius;
} friction;

static const dls_field fields[] = {
    {"force", "", DLS_FIELD_REAL, offsetof(friction, force), "0", 0, HUGE_VAL, false, NULL,
     "friction force without load [N, N m]"},
    {"coefficient", "", DLS_FIELD_REAL, offsetof(friction, coefficient), "0", 0, HUGE_VAL, false, NULL,
     "friction force per load of the joint; slider: the friction coefficient [1]; hinge: the friction coefficient "
     "times the radius of the bearing [m]"},
    {"radius", "m", DLS_FIELD_REAL, offsetof(friction, radius), "inf", 0, HUGE_VAL, true, NULL,
     "effective arm of the moment M that the joint transmits: M / radius is added to the load"},
};

static dls_status friction_place(dls_joint *joint, const dls_end end[2], dls_error *error)
{
    const friction *settings = joint->settings;
    (void)end;
    if (!(settings->force + settings->coefficient > 0.0) || isinf(settings->coefficient))
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, isinf(settings->coefficient) ? "coefficient" : "force",
                              "needs a force or a coefficient, which is finite, and not 0");
    if (isfinite(settings->radius) && settings->coefficient == 0.0)
        return dls_joint_refuse(error, "radius",
                                "a moment counts by the coefficient; give one, or leave the radius out");
    return DLS_OK;
}

static dls_status friction_start(const dls_joint *joint, const dls_end end[2], double *joint_state, dls_error *error)
{
    (void)joint, (void)end, (void)error;
    joint_state[0] = joint_state[1] = 0.0;
    return DLS_OK;
}

/* No position is in error: a displacement, whose rate is y'. */
static void friction_position(const dls_joint *joint, const dls_end end[2], double *C)
{
    (void)joint;
    C[0] = end[0].y;
}

static void friction_rows(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows)
{
    const friction *settings = joint->settings;
    const double load = end[0].joint_state[0] + end[0].joint_state[1] / settings->radius;
    (void)h;
    dls_part_coordinate_row(joint, "friction", 1.0, &rows[0]);
    rows[0].erp = 0.0;
    rows[0].role = DLS_ROLE_FRICTION;
    dls_part_limit_force(&rows[0], settings->force + settings->coefficient * load);
}

static const dls_row_definition definitions[] = {
    {.label = "friction", .kind = DLS_ROW_SPEED, .most = "force", .most_per_load = "coefficient", .arm = "radius"},
    {.label = NULL}};

const dls_joint_type dls_joint_friction = {
    .name = "friction",
    .summary = "dry friction of a joint coordinate, or of a sum of several: a constant and a share of the joint's load",
    .equation = "y' = 0, |f| <= force + coefficient (N + M / radius), y = sum G_i q_i",
    .terms_min = 1,
    .no_position = true,
    .fields = DLS_FIELD_TABLE(fields, friction),
    .place = friction_place,
    .count = dls_part_one_row,
    .rows = friction_rows,
    .position = friction_position,
    .n_state = 2,
    .start = friction_start,
    .loaded = true,
    .definitions = definitions,
};
