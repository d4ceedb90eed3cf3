/* Contact point given in the scene (1 row, 3 with friction, up to 6 with rolling and torsional friction).
 * lib/contact/contact_rows.c derives the rows.
 *
 * The contact point at the start is fixed to body 2; the point at the distance `gap` from it along the normal is fixed
 * to body 1. The normal is constant in the world frame:
 *     C = n . (x1 + a1 - x2 - a2)
 * This is valid for motions that are small relative to the bodies: resting, sliding a little, an impact. Bodies that
 * roll or travel need contacts that are detected in every step (collide: true).
 */
#include "parts.h"

#include "delassus/contact.h"

#include <string.h>

typedef struct given {
    dls_vec3 point, normal, along;
    double gap, mu, across, rolling, torsion, friction_mass, restitution, threshold;
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
     "Coulomb's cone; associated: its convex relaxation, under which a sliding contact opens"},
    {"along", "", DLS_FIELD_VEC3, offsetof(given, along), "[0, 0, 0]", 0, 0, false, NULL,
     "direction of the first tangent, world frame, any length and not along the normal; default: chosen from the "
     "normal"},
    REAL("across", "", across, "", 0, HUGE_VAL,
         "friction coefficient across that direction, along which it is mu (anisotropic friction; cone and "
         "associated); default: mu"),
    REAL("rolling", "m", rolling, "0", 0, HUGE_VAL,
         "coefficient of rolling friction: a torque about the tangents of at most so much times the normal force (cone "
         "and associated)"),
    REAL("torsion", "m", torsion, "0", 0, HUGE_VAL,
         "coefficient of torsional friction: a torque about the normal of at most so much times the normal force (cone "
         "and box)"),
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

/* Its friction beside mu. */
static dls_status check_friction(const given *settings, dls_vec3 n, dls_error *error)
{
    const bool anisotropic = !isnan(settings->across);
    const dls_vec3 along = settings->along;
    if (isinf(settings->rolling) || isinf(settings->torsion) || isinf(settings->across))
        return dls_joint_refuse(error, "rolling", "rolling, torsion and across must be finite");
    const char *why =
        dls_contact_refuses((dls_law)settings->friction, settings->rolling, settings->torsion, anisotropic);
    if (why)
        return dls_joint_refuse(error, "friction", why);
    if (dls_norm(along) > 0.0 && !(dls_norm(dls_cross(dls_unit(along), n)) > 1e-6))
        return dls_joint_refuse(error, "along", "the direction of a tangent must not be along the normal");
    if (anisotropic && !(dls_norm(along) > 0.0))
        return dls_joint_refuse(error, "along", "across needs the direction along which mu holds");
    return DLS_OK;
}

static dls_status contact_place(dls_joint *joint, const dls_end end[2], dls_error *error)
{
    const given *settings = joint->settings;
    dls_vec3 n;
    DLS_TRY(dls_part_axis(settings->normal, "normal", &n, error));
    DLS_TRY(check_friction(settings, n, error));
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

/* Everything but places. */
static dls_contact friction_of(const given *settings)
{
    return (dls_contact){.normal = dls_unit(settings->normal),
                         .mu = settings->mu,
                         .friction = (dls_law)settings->friction,
                         .along = settings->along,
                         .anisotropic = !isnan(settings->across),
                         .mu_across = isnan(settings->across) ? settings->mu : settings->across,
                         .rolling = settings->rolling,
                         .torsion = settings->torsion};
}

static size_t contact_count(const dls_joint *joint)
{
    const dls_contact contact = friction_of(joint->settings);
    return dls_contact_count(&contact);
}

static dls_contact contact_of(const dls_joint *joint, const dls_end end[2])
{
    const given *settings = joint->settings;
    dls_contact contact = friction_of(settings);
    for (int k = 0; k < 2; k++) {
        contact.body[k] = joint->body[k];
        contact.point[k] = dls_end_anchor(&end[k], &joint->frame[k]);
    }
    contact.restitution = settings->restitution, contact.threshold = settings->threshold;
    contact.impact = (dls_impact_law)settings->impact;
    contact.erp = joint->common.erp, contact.cfm = joint->common.cfm;
    contact.friction_mass = isnan(settings->friction_mass) ? lighter_mass(joint->mass) : settings->friction_mass;
    contact.gap = dls_dot(contact.normal, dls_sub(contact.point[0], contact.point[1]));
    return contact;
}

static void contact_position(const dls_joint *joint, const dls_end end[2], double *C)
{
    const dls_contact contact = friction_of(joint->settings);
    const dls_vec3 d = dls_part_separation(joint, end);
    dls_vec3 u[2];
    memset(C, 0, dls_contact_count(&contact) * sizeof *C); /* rolling and torsion are rates */
    C[0] = dls_dot(contact.normal, d);
    dls_contact_frame(&contact, u);
    for (size_t k = 0; k < dls_contact_tangents(&contact); k++)
        C[1 + k] = dls_dot(u[k], d);
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
                                                 {.label = "rolling 1", .kind = DLS_ROW_TANGENT},
                                                 {.label = "rolling 2", .kind = DLS_ROW_TANGENT},
                                                 {.label = "torsion", .kind = DLS_ROW_TANGENT},
                                                 {.label = NULL}};

const dls_joint_type dls_joint_contact = {
    .name = "contact",
    .summary = "a contact point given in the scene, with friction",
    .equation = "C = n . (x1 + a1 - x2 - a2) >= 0; friction along two tangents, of rolling and of torsion",
    .drawing = DLS_DRAW_CONTACT,
    .pair = DLS_PAIR_CONTACT,
    .fields = DLS_FIELD_TABLE(fields, given),
    .place = contact_place,
    .count = contact_count,
    .rows = contact_rows,
    .position = contact_position,
    .definitions = definitions,
};
