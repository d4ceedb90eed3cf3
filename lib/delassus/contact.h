/* contact.h - contacts between the solids of bodies and links, detected for one step. */
#ifndef DELASSUS_CONTACT_H
#define DELASSUS_CONTACT_H

#include "delassus/configuration.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The largest number of contacts kept for a pair of shapes: the nearest, and those that are farthest apart. */
enum { DLS_PAIR_CONTACTS = 4 };

typedef struct dls_contact {
    size_t body[2];    /* body 1, body 2: ends, bodies or links (model.h) */
    dls_vec3 point[2]; /* the contact point on the surface of each body, world frame [m] */
    dls_vec3 place[2]; /* the same relative to the centre of mass, in body axes, at the time of detection */
    dls_vec3 normal;   /* unit, from body 2 to body 1 */
    double gap;        /* n . (point1 - point2) [m], negative: penetration */
    double mu, restitution;
    double threshold; /* no bounce below this speed of approach [m/s] */
    dls_impact_law impact;
    double erp, cfm; /* of the normal row; friction rows have neither */
    dls_law friction;
    double friction_mass;    /* m of the fixed bound mu m g [kg] */
    double rolling, torsion; /* coefficients of rolling and torsional friction [m]; 0: none */
    bool anisotropic;        /* mu holds along the tangent `along`, and mu_across across it; false: mu everywhere */
    double mu_across;
    dls_vec3 along;   /* world frame, any length; 0: the tangents are those of dls_tangents() */
    uint64_t feature; /* names both shapes and the vertex, edge or face of each: the same while the contact slides */
} dls_contact;

typedef struct dls_contacts {
    size_t count, capacity;
    dls_contact *at;
} dls_contacts;

typedef struct dls_collider dls_collider;

/* DLS_REFUSED if the model has more than 2^23 shapes, fewer where a mesh has a thousand vertices or more. */
dls_status dls_collider_create(const dls_model *model, dls_collider **collider, dls_error *error);
/* Detects all contacts in `state` with a gap of at most the world's contact_margin. Points, normals and gaps are those
 * of the shapes: gap = max over unit vectors n of (min n.a - max n.b) over points a and b of both, the distance of
 * shapes that are apart and minus the depth of those that overlap, and n is the normal. Faces and edges that lie along
 * each other within 5 degrees touch in the corners of what they share, each at its own gap. Capsules and cylinders that
 * lie along each other have a normal at each end. Meshes are their convex hulls. The order of contacts depends on the
 * state only: by pair of shapes, in the order of their ends, then by feature. Pairs of ends that cannot move
 * (dls_configuration_still) or that dls_model_may_touch excludes have no contacts; a pair of shapes has at most
 * DLS_PAIR_CONTACTS. Friction, restitution, ERP and CFM are those of the world; a contact's friction mass is the mass
 * of the lighter movable body divided by the number of contacts between the two ends. DLS_NOT_FINITE, naming the body,
 * for a pose that is not finite. */
dls_status dls_collider_find(dls_collider *collider, const dls_state *state, dls_contacts *contacts, dls_error *error);
/* The same at a configuration that has been evaluated already. */
dls_status dls_collider_find_at(dls_collider *collider, const dls_configuration *at, dls_contacts *contacts,
                                dls_error *error);
void dls_collider_destroy(dls_collider *collider);
void dls_contacts_release(dls_contacts *contacts);
/* Writes the name of an owner of rows into text[size]: the joint's name, or "contact K of BODY1 on BODY2" for contact K
 * = `owner` - n_joints of the list. */
void dls_owner_name(const dls_model *model, const dls_contacts *contacts, size_t owner, char *text, size_t size);

/* The rows of a contact: normal; two tangents where a coefficient of sliding or rolling friction is positive; two rows
 * of rolling friction, and one of torsional friction, where theirs are. Shared by detected and given contacts
 * (lib/joints/contact.c). Rolling friction needs a law with discs (law.h), torsional friction DLS_LAW_BOX or
 * DLS_LAW_CONE: dls_contact_refuses. */
enum { DLS_CONTACT_ROWS_MAX = 6 };
static inline size_t dls_contact_tangents(const dls_contact *contact)
{
    return contact->mu > 0.0 || contact->rolling > 0.0 || (contact->anisotropic && contact->mu_across > 0.0) ? 2 : 0;
}
static inline size_t dls_contact_count(const dls_contact *contact)
{
    return 1 + dls_contact_tangents(contact) + (contact->rolling > 0.0 ? 2U : 0U) + (contact->torsion > 0.0);
}
/* NULL if the law of a contact takes its friction, else the reason. */
const char *dls_contact_refuses(dls_law friction, double rolling, double torsion, bool anisotropic);
/* The directions of the tangents, and of the rows of rolling friction: u1 x u2 = n. */
void dls_contact_frame(const dls_contact *contact, dls_vec3 u[2]);
void dls_contact_rows(const dls_contact *contact, const dls_end end[2], double gravity, double h, dls_row *rows);
/* The same, written directly into a list of rows; owners are left as they are. J[i] is the Jacobian of the first row on
 * end[i], six numbers, or NULL if that end cannot move; the Jacobian of the next row follows `stride` numbers later. */
void dls_contact_put(const dls_contact *contact, const dls_end *const end[2], double gravity, double h,
                     dls_list_row *rows, double *const J[2], size_t stride);
/* Applies the law of impact of a stop to its row (lib/contact/rebound.c): sets `impacts`, and changes u, ERP and hi,
 * from its `restitution`, `impact` and `gap`. `speed`: J v at the start of the step [m/s, rad/s]; `least`: a stop that
 * approaches more slowly does not rebound, except by Moreau's law. */
void dls_list_row_rebound(dls_list_row *row, double speed, double least);

#ifdef __cplusplus
}
#endif

#endif
