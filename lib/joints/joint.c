#include "delassus/joint.h"

#include "base/memory.h"

#include <float.h>
#include <math.h>

const char *const dls_law_names[] = {"fixed", "box|coupled", "cone", "associated", NULL};

#define COMMON(key, unit, member, fallback, min, max, help)                                                  \
    {                                                                                                        \
        key, unit, DLS_FIELD_REAL, offsetof(dls_joint_common, member), fallback, min, max, false, NULL, help \
    }
static const dls_field common_fields[] = {
    COMMON("erp", "", erp, "0.2", 0, 1,
           "error reduction parameter: share of the position error that is corrected per step"),
    COMMON("cfm", "", cfm, "0", 0, DBL_MAX,
           "constraint force mixing: compliance, as velocity error per force [m/(s N), rad/(s N m)]"),
    COMMON("stiffness", "", stiffness, "", 0, HUGE_VAL,
           "stiffness of a spring in each row, in place of erp and cfm [N/m, N m/rad]"),
    COMMON("damping", "", damping, "", 0, HUGE_VAL, "damping of this spring [N s/m, N m s/rad]"),
    {"frequency", "Hz", DLS_FIELD_REAL, offsetof(dls_joint_common, frequency), "", 0, HUGE_VAL, true, NULL,
     "natural frequency of a spring in each row with the effective mass of the row, in place of stiffness and damping"},
    COMMON("damping_ratio", "", damping_ratio, "", 0, HUGE_VAL,
           "damping ratio of this spring; if not given, 1 (critical damping)"),
    COMMON("force_lo", "", force_lo, "-inf", -HUGE_VAL, HUGE_VAL,
           "lower bound of the force of each row [N, N m]; for unilateral rows it is 0"),
    COMMON("force_hi", "", force_hi, "inf", -HUGE_VAL, HUGE_VAL,
           "upper bound of the force of each row, except friction rows [N, N m]"),
    {"break_force", "N", DLS_FIELD_REAL, offsetof(dls_joint_common, break_force), "inf", 0, HUGE_VAL, true, NULL,
     "the joint breaks, and has no rows any more, after a step in which it transmits a greater force"},
    {"break_torque", "N m", DLS_FIELD_REAL, offsetof(dls_joint_common, break_torque), "inf", 0, HUGE_VAL, true, NULL,
     "the same for the torque about the anchor on body 1"},
};
const dls_field_table dls_joint_common_fields = DLS_FIELD_TABLE(common_fields, dls_joint_common);

void *dls_joint_memory(struct dls_arena *memory, size_t size) { return dls_arena_zeros(memory, 1, size); }

dls_status dls_joint_refuse(dls_error *error, const char *key, const char *message)
{
    return dls_fail_about(error, DLS_BAD_INPUT, NULL, key, "%s", message);
}

dls_frame dls_end_frame(const dls_end *end, dls_vec3 p, dls_quat q)
{
    return (dls_frame){dls_tmul3(end->R, dls_sub(p, end->x)), dls_quat_mul(dls_quat_conj(end->q), q)};
}

/* Member by member: a row that is cleared as a whole first, or copied, takes several times as long. */
void dls_row_bilateral(dls_row *row, const dls_joint *joint, const char *label)
{
    for (int k = 0; k < 6; k++)
        row->J1[k] = row->J2[k] = 0.0;
    row->C = row->Jy = row->u = row->mu = row->feed = row->restitution = row->threshold = 0.0;
    row->impact = DLS_IMPACT_NEWTON;
    row->measured = row->impacts = false;
    row->erp = joint->common.erp;
    row->cfm = joint->common.cfm;
    row->lo = joint->common.force_lo;
    row->hi = joint->common.force_hi;
    row->law = DLS_LAW_FIXED;
    row->role = DLS_ROLE_JOINT;
    row->parent = -1;
    row->angular = row->gap = row->per_mass = row->is_explicit = row->is_rate = false;
    row->label = label;
    dls_row_set_spring(joint, row);
}

void dls_row_set_spring(const dls_joint *joint, dls_row *row)
{
    const dls_joint_common *common = &joint->common;
    row->kp = isnan(common->stiffness) ? 0.0 : common->stiffness;
    row->kd = isnan(common->damping) ? 0.0 : common->damping;
    row->frequency = isnan(common->frequency) ? 0.0 : common->frequency;
    row->ratio = isnan(common->damping_ratio) ? 1.0 : common->damping_ratio;
}

void dls_row_make_unilateral(dls_row *row)
{
    row->lo = 0.0;
    row->role = DLS_ROLE_STOP;
    row->gap = row->C > 0.0;
    if (row->gap)
        row->erp = 1.0;
}
