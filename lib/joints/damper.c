/* Damper: viscous damping of the motion of body 1 relative to body 2, by default the world (3 rows for each kind of
 * damping). physx-articulations, Stability (linear and angular damping).
 *
 *     f = -linear (v1 - v2 - omega2 x (x1 - x2)),  at the centre of mass of body 1
 *         J = [e, 0, -e, -(x1 - x2) x e]
 *     tau = -angular (omega1 - omega2)
 *         J = [0, e, 0, -e]
 * for the world axes e. The rows are implicit, so that every damping is stable at every step: for body 1 alone in the
 * world v+ = v / (1 + h linear / m). With `mode: acceleration` the damping [1/s] of each row is multiplied by the row's
 * own effective mass: v+ = v / (1 + h linear) for any mass. The two forces act at one point, so momentum is conserved.
 * The rows have no position error: their velocities are not derivatives of coordinates.
 */
#include "parts.h"

enum { FORCE, ACCELERATION };
static const char *const modes[] = {"force", "acceleration", NULL};

typedef struct damper {
    double linear, angular;
    int mode;
} damper;

static const dls_field fields[] = {
    {"linear", "", DLS_FIELD_REAL, offsetof(damper, linear), "0", 0, HUGE_VAL, false, NULL,
     "force per velocity of the centre of mass of body 1 relative to body 2 [N s/m]; acceleration per velocity in that "
     "mode [1/s]"},
    {"angular", "", DLS_FIELD_REAL, offsetof(damper, angular), "0", 0, HUGE_VAL, false, NULL,
     "torque per angular velocity [N m s/rad]; angular acceleration per angular velocity in that mode [1/s]"},
    {"mode", "", DLS_FIELD_CHOICE, offsetof(damper, mode), "force", 0, 0, false, modes,
     "what linear and angular give: a force, or an acceleration that does not depend on the mass"},
};

static dls_status damper_place(dls_joint *joint, const dls_end end[2], dls_error *error)
{
    const damper *settings = joint->settings;
    if (!(settings->linear + settings->angular > 0.0) || isinf(settings->linear) || isinf(settings->angular))
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, isinf(settings->angular) ? "angular" : "linear",
                              "needs linear or angular, finite and not 0");
    dls_part_place(joint, end, end[0].x, dls_quat_identity());
    return DLS_OK;
}

static size_t damper_count(const dls_joint *joint)
{
    const damper *settings = joint->settings;
    return 3 * ((size_t)(settings->linear > 0.0) + (size_t)(settings->angular > 0.0));
}

static void damper_position(const dls_joint *joint, const dls_end end[2], double *C)
{
    (void)end;
    for (size_t i = 0; i < damper_count(joint); i++)
        C[i] = 0.0;
}

static void put_row(dls_row *row, const damper *settings, double damping)
{
    row->erp = row->kp = 0.0;
    row->kd = damping;
    row->per_mass = settings->mode == ACCELERATION;
    row->is_rate = true;
}

static void damper_rows(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows)
{
    static const char *const labels[] = {"x", "y", "z", "turn x", "turn y", "turn z"};
    const damper *settings = joint->settings;
    (void)h;
    for (int i = 0; i < 3 && settings->linear > 0.0; i++, rows++) {
        dls_row_bilateral(rows, joint, labels[i]);
        dls_row_set_linear(rows, dls_axis3(i), dls_v3(0, 0, 0), dls_sub(end[0].x, end[1].x));
        put_row(rows, settings, settings->linear);
    }
    for (int i = 0; i < 3 && settings->angular > 0.0; i++, rows++) {
        dls_row_bilateral(rows, joint, labels[3 + i]);
        dls_row_set_angular(rows, dls_axis3(i));
        put_row(rows, settings, settings->angular);
    }
}

#define LINEAR(name)                                                                   \
    {                                                                                  \
        .label = name, .kind = DLS_ROW_DAMPER, .damping = "linear", .per_mass = "mode" \
    }
#define ANGULAR(name)                                                                   \
    {                                                                                   \
        .label = name, .kind = DLS_ROW_DAMPER, .damping = "angular", .per_mass = "mode" \
    }
static const dls_row_definition definitions[] = {
    LINEAR("x"), LINEAR("y"), LINEAR("z"), ANGULAR("turn x"), ANGULAR("turn y"), ANGULAR("turn z"), {.label = NULL}};

const dls_joint_type dls_joint_damper = {
    .name = "damper",
    .summary = "viscous damping of the velocity and angular velocity of a body",
    .equation = "f = -linear v, tau = -angular omega, of body 1 relative to body 2",
    .no_position = true,
    .fields = DLS_FIELD_TABLE(fields, damper),
    .place = damper_place,
    .count = damper_count,
    .rows = damper_rows,
    .position = damper_position,
    .definitions = definitions,
};
