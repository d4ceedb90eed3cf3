/* Tendon: a length L = offset + sum G_i q_i of joint coordinates, with a spring and damper or an equality, and with
 * limits (up to 3 rows). physx-articulations, Articulation Tendons. On coordinates of joints it is a fixed tendon, on
 * segments (segment.c) a spatial one: its length is the sum of the segments from the root attachment to a leaf, each
 * with its coefficient, and each leaf has its own tendon.
 *
 *     tendon   C = L - rest     f = -stiffness C - damping L', implicit; with `equality` C = 0
 *     slack    C = rest - L     the same force, but f <= 0, and f = 0 while L < rest: the tendon only pulls
 *     lower    C = L - lower >= 0,   upper   C = upper - L >= 0        rigid, or with limit_stiffness and limit_damping
 * A tension f acts on coordinate i with the force G_i f, by the principle of virtual work: f dL = sum (G_i f) dq_i. The
 * source also gives each joint a RECIP COEFFICIENT r_i, with the force r_i f. If r_i = s G_i for all i, this is a
 * tendon with s times the stiffness, and `recip` is read as such (the source's own r_i = 1 / G_i has this form where
 * all |G_i| are equal). For any other r_i the forces of the joints do not have the work of any length: they have no
 * potential and no J^T, and such a tendon is refused. MuJoCo's fixed tendons have L = sum coef_i q_i and the force J^T
 * f, as here. They have no offset; their rest length is a dead band (`springlength`), which is a pair of slack tendons;
 * and their limits are soft by solref in place of stiffness and damping.
 */
#include "parts.h"

typedef struct tendon {
    double offset, rest, lower, upper, limit_stiffness, limit_damping;
    bool equality, slack;
    dls_list recip;
} tendon;

#define REAL(key, member, fallback, min, help)                                                        \
    {                                                                                                 \
        key, "", DLS_FIELD_REAL, offsetof(tendon, member), fallback, min, HUGE_VAL, false, NULL, help \
    }
static const dls_field fields[] = {
    REAL("offset", offset, "0", -HUGE_VAL,
         "constant that is added to the sum of coefficients times coordinates [m, rad]"),
    REAL("rest", rest, "0", -HUGE_VAL,
         "rest length, at which the spring has no force, or at which the length is held [m, rad]"),
    {"equality", "", DLS_FIELD_BOOL, offsetof(tendon, equality), "false", 0, 0, false, NULL,
     "the length is held at rest, in place of stiffness and damping"},
    {"slack", "", DLS_FIELD_BOOL, offsetof(tendon, slack), "false", 0, 0, false, NULL,
     "the tendon only pulls, and has no force while it is shorter than rest"},
    REAL("lower", lower, "-inf", -HUGE_VAL, "lower limit of the length [m, rad]"),
    REAL("upper", upper, "inf", -HUGE_VAL, "upper limit of the length [m, rad]"),
    REAL("limit_stiffness", limit_stiffness, "0", 0,
         "stiffness of a spring at both limits [N/m, N m/rad]; if limit_damping is 0 too, the limits are rigid"),
    REAL("limit_damping", limit_damping, "0", 0, "damping of this spring [N s/m, N m s/rad]"),
    {"recip", "", DLS_FIELD_REALS, offsetof(tendon, recip), "", -HUGE_VAL, HUGE_VAL, false, NULL,
     "recip coefficient of each coordinate, all in the same ratio to the coefficients; default: the coefficients"},
};

static bool sprung(const dls_joint *joint)
{
    dls_row spring = {0};
    dls_row_set_spring(joint, &spring);
    return dls_row_springs(&spring);
}

static bool pulls(const dls_joint *joint) { return ((const tendon *)joint->settings)->equality || sprung(joint); }

/* s of r_i = s G_i. */
static dls_status find_gain(dls_joint *joint, dls_error *error)
{
    const dls_list *recip = &((const tendon *)joint->settings)->recip;
    if (recip->count == 0)
        return DLS_OK;
    if (recip->count != joint->n_terms)
        return dls_joint_refuse(error, "recip", "needs as many values as there are coordinates");
    for (size_t i = 0; i < joint->n_terms; i++)
        if (!dls_term_is_linear(&joint->terms[i]))
            return dls_joint_refuse(error, "recip", "is for coefficients, not for polynomials of coordinates");
    joint->gain = recip->reals[0] / joint->terms[0].gears[0];
    if (!(joint->gain > 0.0) || !isfinite(joint->gain))
        return dls_joint_refuse(error, "recip", "must be finite, and have the sign of the coefficients");
    for (size_t i = 1; i < joint->n_terms; i++) {
        const double as = joint->gain * joint->terms[i].gears[0];
        if (!(fabs(recip->reals[i] - as) <= 1e-12 * fabs(as)))
            return dls_joint_refuse(
                error, "recip",
                "must be in one proportion to the coefficients; else one joint does work that no other gets");
    }
    return DLS_OK;
}

static dls_status tendon_place(dls_joint *joint, const dls_end end[2], dls_error *error)
{
    const tendon *s = joint->settings;
    const bool limited = isfinite(s->lower) || isfinite(s->upper);
    (void)end;
    if (!pulls(joint) && !limited)
        return dls_joint_refuse(error, "stiffness",
                                "a tendon needs a stiffness or a damping, equality: true, or a limit");
    if (s->equality && sprung(joint))
        return dls_joint_refuse(error, "equality",
                                "a tendon is held, or has a stiffness and a damping; leave out one of the two");
    if (s->slack && !pulls(joint))
        return dls_joint_refuse(error, "slack",
                                "a tendon that goes slack needs a stiffness, a damping or equality: true");
    if (!(s->lower <= s->upper) || s->lower == HUGE_VAL || s->upper == -HUGE_VAL)
        return dls_joint_refuse(error, "upper", "must not be less than lower");
    if (!isfinite(s->offset) || !isfinite(s->rest))
        return dls_joint_refuse(error, isfinite(s->offset) ? "rest" : "offset", "must be finite");
    if (!isfinite(s->limit_stiffness) || !isfinite(s->limit_damping))
        return dls_joint_refuse(error, isfinite(s->limit_stiffness) ? "limit_damping" : "limit_stiffness",
                                "must be finite");
    if (!limited && s->limit_stiffness + s->limit_damping > 0.0)
        return dls_joint_refuse(error, s->limit_stiffness > 0.0 ? "limit_stiffness" : "limit_damping",
                                "there is no limit that has it");
    return find_gain(joint, error);
}

static size_t tendon_count(const dls_joint *joint)
{
    const tendon *s = joint->settings;
    return (size_t)pulls(joint) + (size_t)isfinite(s->lower) + (size_t)isfinite(s->upper);
}

static void tendon_position(const dls_joint *joint, const dls_end end[2], double *C)
{
    const tendon *s = joint->settings;
    const double L = end[0].y + s->offset;
    if (pulls(joint))
        *C++ = s->slack ? s->rest - L : L - s->rest;
    if (isfinite(s->lower))
        *C++ = L - s->lower;
    if (isfinite(s->upper))
        *C = s->upper - L;
}

static void limit_row(const dls_joint *joint, const char *label, double slope, double C, dls_row *row)
{
    const tendon *s = joint->settings;
    dls_part_coordinate_row(joint, label, slope, row);
    row->kp = joint->gain * s->limit_stiffness, row->kd = joint->gain * s->limit_damping, row->frequency = 0.0;
    row->C = C;
    dls_row_make_unilateral(row);
}

static void tendon_rows(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows)
{
    const tendon *s = joint->settings;
    double C[3];
    size_t i = 0;
    (void)h;
    tendon_position(joint, end, C);
    if (pulls(joint)) {
        dls_part_coordinate_row(joint, s->slack ? "slack" : "tendon", s->slack ? -1.0 : 1.0, &rows[0]);
        rows[0].kp *= joint->gain, rows[0].kd *= joint->gain;
        rows[0].C = C[0];
        if (s->slack)
            dls_row_make_unilateral(&rows[0]);
        i = 1;
    }
    if (isfinite(s->lower)) {
        limit_row(joint, "lower", 1.0, C[i], &rows[i]);
        i++;
    }
    if (isfinite(s->upper))
        limit_row(joint, "upper", -1.0, C[i], &rows[i]);
}

#define LIMIT(key, sign)                                                                         \
    {                                                                                            \
        .label = key, .kind = DLS_ROW_LIMIT, .from = key, .minus_from = "offset", .sense = sign, \
        .stiffness = "limit_stiffness", .damping = "limit_damping"                               \
    }
static const dls_row_definition definitions[] = {
    {.label = "tendon", .from = "rest", .minus_from = "offset"},
    {.label = "slack", .kind = DLS_ROW_LIMIT, .from = "rest", .minus_from = "offset", .sense = -1},
    LIMIT("lower", 1),
    LIMIT("upper", -1),
    {.label = NULL}};

const dls_joint_type dls_joint_tendon = {
    .name = "tendon",
    .summary = "a length, a sum of joint coordinates or segments, that is held or has a spring and damper, with limits",
    .equation = "L = offset + sum G_i q_i; C = L - rest; L - lower >= 0; upper - L >= 0",
    .terms_min = 1,
    .fields = DLS_FIELD_TABLE(fields, tendon),
    .place = tendon_place,
    .count = tendon_count,
    .rows = tendon_rows,
    .position = tendon_position,
    .definitions = definitions,
};
