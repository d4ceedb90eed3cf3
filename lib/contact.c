/* The rows of a contact point: a normal row and two friction rows. ode-new-joints section 6, temporal-coherence, Contact Model.
 *
 * With the unit normal n from body 2 to body 1 and the contact points a_i from the centres of mass:
 *     C  = n . (x1 + a1 - x2 - a2)                             gap, negative when the bodies overlap
 *     C' = n . (v1 + omega1 x a1 - v2 - omega2 x a2)           n and the points held fixed over the step
 *     J  = [n, a1 x n, -n, -(a2 x n)],  lambda >= 0            (47)-(53); the source's last block (r2 x d)^T is a slip for n
 * Restitution asks J v+ = -e J v of an approaching contact: u = -e J v.
 * Friction: the same rows along two tangents u1 x u2 = n, with the force within
 *     fixed:   |f| <= mu m g, the simplified law of temporal-coherence (Friction Constraint): m is a mass assigned to the
 *              contact, so the bound does not know what presses on it
 *     coupled: |f| <= mu f_normal, the current normal force
 * A contact with a gap (C > 0) may close it within the step (ERP = 1) but has neither restitution nor friction yet.
 */
#include "delassus/contact.h"

#include <stdlib.h>

size_t dls_contact_count(const dls_contact *contact) { return contact->mu > 0.0 ? 3 : 1; }

/* Velocity of the material point at offset a. */
static dls_vec3 point_velocity(const dls_end *end, dls_vec3 a) { return dls_add(end->v, dls_cross(end->omega, a)); }

static dls_row contact_row(const dls_contact *contact, const char *label, dls_vec3 n, dls_vec3 a1, dls_vec3 a2)
{
    dls_row row = {.erp = contact->erp, .cfm = contact->cfm, .hi = HUGE_VAL, .parent = -1, .label = label};
    dls_row_set_linear(&row, n, a1, a2);
    return row;
}

static void bound_friction(dls_row *row, const dls_contact *contact, double gravity)
{
    row->erp = 0.0;
    if (contact->gap > 0.0) {
        row->hi = 0.0;
    } else if (contact->friction == DLS_FRICTION_COUPLED) {
        row->law = DLS_ROW_COUPLED;
        row->parent = 0;
        row->mu = contact->mu;
    } else {
        row->hi = contact->mu * contact->friction_mass * gravity;
    }
    row->lo = -row->hi;
}

void dls_contact_rows(const dls_contact *contact, const dls_end end[2], double gravity, double h, dls_row *rows)
{
    (void)h;
    dls_vec3 n = contact->normal, a1 = dls_sub(contact->point[0], end[0].x), a2 = dls_sub(contact->point[1], end[1].x);
    dls_row *normal = &rows[0];
    *normal = contact_row(contact, "normal", n, a1, a2);
    normal->C = contact->gap;
    dls_row_make_unilateral(normal);
    double speed = dls_dot(n, dls_sub(point_velocity(&end[0], a1), point_velocity(&end[1], a2)));
    if (speed < 0.0 && contact->gap <= 0.0)
        normal->u = -contact->restitution * speed;
    if (dls_contact_count(contact) == 1)
        return;
    dls_vec3 u[2];
    dls_tangents(n, &u[0], &u[1]);
    for (int i = 0; i < 2; i++) {
        rows[1 + i] = contact_row(contact, i ? "friction 2" : "friction 1", u[i], a1, a2);
        bound_friction(&rows[1 + i], contact, gravity);
    }
}

void dls_contacts_release(dls_contacts *contacts)
{
    free(contacts->at);
    *contacts = (dls_contacts){0, 0, NULL};
}
