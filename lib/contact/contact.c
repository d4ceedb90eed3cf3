/* The rows of a contact point: a normal row and two friction rows. ode-new-joints section 6, temporal-coherence,
 * Contact Model.
 *
 * With the unit normal n from body 2 to body 1 and the contact points a_i from the centres of mass:
 *     C  = n . (x1 + a1 - x2 - a2)                             gap, negative when the bodies overlap
 *     C' = n . (v1 + omega1 x a1 - v2 - omega2 x a2)           n and the points held fixed over the step
 *     J  = [n, a1 x n, -n, -(a2 x n)],  lambda >= 0            (47)-(53); the source's last block (r2 x d)^T is a
 *     slip for n
 *
 * Friction: the same rows along two tangents u1 x u2 = n, asking for J v = 0 with the force f along each within (a)
 * fixed:   |f| <= mu m g, the simplified law of temporal-coherence (Friction Constraint). m is a mass assigned to the
 *              contact: the bound is what a body of that mass would have on level ground, and does not know what
 *              presses on it.
 *              A body that slides on k such points with m = M/k loses speed at mu g, whatever its impulses.
 * (b) box:     |f| <= mu f_normal with the CURRENT normal force, whose row is the parent. The bound moves with the
 * solution:
 *              the problem is no longer a mixed LCP, but one in every sweep of a method that refreshes the bounds.
 *              Both bound each tangent alone: a square for Coulomb's disc, which lets through sqrt(2) mu along its
 *              diagonal.
 * (c) cone:    Coulomb's law, |f_t| <= mu f_normal of both tangents together, sliding against f_t. No choice of
 * tangents shows.
 *
 * The fixed bound must be told whether the contact is closed, and the sign of a gap that is 0 to rounding tells
 * nothing. It counts as closed where it could be by the end of the step, its approach helped by gravity: C + h J v -
 * h^2 g <= 0. The laws that look at the current normal force need no such rule: without it there is no friction.
 *
 * Newton's restitution asks J v+ = -e J v of a contact that approaches faster than its threshold, and faster than
 * gravity makes it in a step (h g: slower, it rests): u = -e J v, J v the speed at the start of the step. The row is
 * then left to that law alone. Its ERP is 0, for a body that came at speed s reaches up to s h deep in the step
 * before, and taking that back would add ERP s to the rebound. And it waits for the impact: closing a gap (C > 0)
 * within the step would spend the speed that is to be given back, so until then it is not active. Any other contact
 * with a gap may close it in the step (ERP = 1).
 */
#include "delassus/contact.h"

#include <stdlib.h>

size_t dls_contact_count(const dls_contact *contact) { return contact->mu > 0.0 ? 3 : 1; }

/* Velocity of the material point at offset a. */
static dls_vec3 point_velocity(const dls_end *end, dls_vec3 a) { return dls_add(end->v, dls_cross(end->omega, a)); }

static dls_row normal_row(const dls_contact *contact, double speed, double least, dls_vec3 a1, dls_vec3 a2)
{
    dls_row row = {
        .C = contact->gap, .erp = contact->erp, .cfm = contact->cfm, .hi = HUGE_VAL, .parent = -1, .label = "normal"};
    dls_row_set_linear(&row, contact->normal, a1, a2);
    dls_row_make_unilateral(&row);
    if (contact->restitution > 0.0 && speed < -fmax(contact->threshold, least)) {
        row.erp = 0.0;
        row.u = -contact->restitution * speed;
        if (contact->gap > 0.0)
            row.hi = 0.0;
    }
    return row;
}

static dls_row friction_row(const dls_contact *contact, double force, const char *label, dls_vec3 u, dls_vec3 a1,
                            dls_vec3 a2)
{
    dls_row row = {.lo = -force, .hi = force, .role = DLS_ROLE_FRICTION, .parent = -1, .label = label};
    dls_row_set_linear(&row, u, a1, a2);
    if (contact->friction != DLS_LAW_FIXED) {
        row.law = contact->friction;
        row.parent = 0;
        row.mu = contact->mu;
        row.lo = -HUGE_VAL, row.hi = HUGE_VAL;
    }
    return row;
}

void dls_contact_rows(const dls_contact *contact, const dls_end end[2], double gravity, double h, dls_row *rows)
{
    dls_vec3 a1 = dls_sub(contact->point[0], end[0].x), a2 = dls_sub(contact->point[1], end[1].x), u[2];
    double speed = dls_dot(contact->normal, dls_sub(point_velocity(&end[0], a1), point_velocity(&end[1], a2)));
    rows[0] = normal_row(contact, speed, h * gravity, a1, a2);
    if (dls_contact_count(contact) == 1)
        return;
    bool closed = contact->gap + h * (speed - h * gravity) <= 0.0;
    double force = closed ? contact->mu * contact->friction_mass * gravity : 0.0;
    dls_tangents(contact->normal, &u[0], &u[1]);
    rows[1] = friction_row(contact, force, "friction 1", u[0], a1, a2);
    rows[2] = friction_row(contact, force, "friction 2", u[1], a1, a2);
}

void dls_contacts_release(dls_contacts *contacts)
{
    free(contacts->at);
    *contacts = (dls_contacts){0, 0, NULL};
}
