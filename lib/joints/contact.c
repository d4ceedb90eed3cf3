/* Contact point given in the scene (1 row, 3 with friction). lib/contact/contact_rows.c derives the rows.
 *
 * The contact point at the start is fixed to body 2; the point at the distance `gap` from it along the normal is fixed
 * to body 1. The normal is constant in the world frame:
 *     C = n . (x1 + a1 - x2 - a2)
 * This is valid for motions that are small relative to the bodies: resting, sliding a little, an impact. Bodies that
 * roll or travel need contacts that are detected in every step (collide: true).
 */
#include "parts.h"

#include "delassus/contact.h"

typedef struct given {
    dls_vec3 point, normal;
    double gap, mu, friction_mass, restitution, threshold;
    int friction, impact;
} given;

#define REAL(key, unit, member, fallback, min, max, help)                                         \
    {                                                                                             \
        key, unit, DLS_FIELD_REAL, offsetof(given, member), fallback, min, max, false, NULL, help \
    }
static const dls_field fields[] = {
    {"point", "m", DLS_FIELD_VEC3, offsetof(given, point), NULL, 0, 0, false, NULL,
     "contact point on body 2 at the start, world frame"},
    {"normal", "", DLS_FIELD_VEC3, offsetof(given, normal), NULL, 0, 0, false, NULL,
     "contact normal from body 2 to body 1, fixed in the world frame, any length"},
    REAL("gap", "m", gap, "0", 0, 0, "distance along the normal at the start; negative if the bodies overlap"),
    REAL("mu", "", mu, "0", 0, HUGE_VAL, "friction coefficient; with 0 there are no friction rows"),
    {"friction", "", DLS_FIELD_CHOICE, offsetof(given, friction), "fixed", 0, 0, false, dls_law_names,
     "bound of the friction force; fixed: mu m g; box: mu times the current normal force on each tangent; cone: "
     "Coulomb's cone"},
    {"friction_mass", "kg", DLS_FIELD_REAL, offsetof(given, friction_mass), "", 0, HUGE_VAL, true, NULL,
     "mass m in the fixed bound, the share that this contact point carries; default: the whole mass of the lighter "
     "movable body"},
    REAL(
        "restitution", "", restitution, "0", 0, 1,
        "coefficient of restitution e: normal speed after the impact over the speed before it, or by the law `impact`"),
    {"impact", "", DLS_FIELD_CHOICE, offsetof(given, impact), "newton", 0, 0, false, dls_impact_law_names,
     "law of impact, which says what e is the ratio of; newton: of normal speeds; poisson: of normal impulses; "
     "stronge: "
     "of the square roots of their work; moreau: newton's for a closed contact, at any speed"},
    REAL("threshold", "m/s", threshold, "0", 0, HUGE_VAL,
         "a contact that approaches more slowly than this, or more slowly than gravity accelerates it in one step, "
         "does not rebound"),
};

static double lighter_mass(const double mass[2])
{
    if (mass[0] > 0.0 && mass[1] > 0.0)
        return fmin(mass[0], mass[1]);
    return mass[0] + mass[1];
}

static dls_status contact_place(dls_joint *joint, const dls_end end[2], dls_error *error)
{
    const given *settings = joint->settings;
    dls_vec3 n;
    DLS_TRY(dls_part_axis(settings->normal, "normal", &n, error));
    if (isinf(settings->mu) || isinf(settings->friction_mass) || isinf(settings->threshold))
        return dls_joint_refuse(error, "mu", "mu, friction_mass and threshold must be finite");
    if (settings->mu > 0.0 && settings->friction == DLS_LAW_FIXED && isnan(settings->friction_mass) &&
        !(lighter_mass(joint->mass) > 0.0))
        return dls_joint_refuse(error, "friction_mass",
                                "neither end has a mass of its own; give the mass that the bound is of");
    dls_row spring = {0};
    dls_row_set_spring(joint, &spring);
    if (settings->restitution > 0.0 && dls_row_springs(&spring))
        return dls_joint_refuse(error, "restitution",
                                "a contact with a spring bounces by its damping; leave out restitution");
    dls_vec3 above = dls_add(settings->point, dls_scale(settings->gap, n));
    joint->frame[0] = dls_end_frame(&end[0], above, dls_quat_identity());
    joint->frame[1] = dls_end_frame(&end[1], settings->point, dls_quat_identity());
    return DLS_OK;
}

static size_t contact_count(const dls_joint *joint) { return ((const given *)joint->settings)->mu > 0.0 ? 3 : 1; }

static dls_contact contact_of(const dls_joint *joint, const dls_end end[2])
{
    const given *settings = joint->settings;
    dls_contact contact = {
        .body = {joint->body[0], joint->body[1]},
        .point = {dls_end_anchor(&end[0], &joint->frame[0]), dls_end_anchor(&end[1], &joint->frame[1])},
        .normal = dls_unit(settings->normal),
        .mu = settings->mu,
        .restitution = settings->restitution,
        .threshold = settings->threshold,
        .impact = (dls_impact_law)settings->impact,
        .erp = joint->common.erp,
        .cfm = joint->common.cfm,
        .friction = (dls_law)settings->friction,
        .friction_mass = isnan(settings->friction_mass) ? lighter_mass(joint->mass) : settings->friction_mass,
    };
    contact.gap = dls_dot(contact.normal, dls_sub(contact.point[0], contact.point[1]));
    return contact;
}

static void contact_position(const dls_joint *joint, const dls_end end[2], double *C)
{
    dls_vec3 d = dls_part_separation(joint, end), n = dls_unit(((const given *)joint->settings)->normal), u[2];
    C[0] = dls_dot(n, d);
    if (contact_count(joint) == 1)
        return;
    dls_tangents(n, &u[0], &u[1]);
    C[1] = dls_dot(u[0], d), C[2] = dls_dot(u[1], d);
}

static void contact_rows(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows)
{
    dls_contact contact = contact_of(joint, end);
    dls_contact_rows(&contact, end, joint->gravity, h, rows);
    rows[0].hi = fmin(rows[0].hi, joint->common.force_hi);
    dls_row_set_spring(joint, &rows[0]);
}

static const dls_row_definition definitions[] = {{.label = "normal", .kind = DLS_ROW_NORMAL},
                                                 {.label = "friction 1", .kind = DLS_ROW_TANGENT},
                                                 {.label = "friction 2", .kind = DLS_ROW_TANGENT},
                                                 {.label = NULL}};

const dls_joint_type dls_joint_contact = {
    .name = "contact",
    .summary = "a contact point given in the scene, with friction",
    .equation = "C = n . (x1 + a1 - x2 - a2) >= 0; friction along two tangents",
    .drawing = DLS_DRAW_CONTACT,
    .pair = DLS_PAIR_CONTACT,
    .fields = DLS_FIELD_TABLE(fields, given),
    .place = contact_place,
    .count = contact_count,
    .rows = contact_rows,
    .position = contact_position,
    .definitions = definitions,
};
