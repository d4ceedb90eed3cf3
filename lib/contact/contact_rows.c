/* The rows of a contact point: a normal row and two friction rows. ode-new-joints section 6, temporal-coherence,
 * Contact Model.
 *
 * With the unit normal n from body 2 to body 1 and the contact points a_i from the centres of mass:
 *     C  = n . (x1 + a1 - x2 - a2)                             gap, negative if the bodies overlap
 *     C' = n . (v1 + omega1 x a1 - v2 - omega2 x a2)           n and the points are fixed during the step
 *     J  = [n, a1 x n, -n, -(a2 x n)],  lambda >= 0            (47)-(53); the source prints (r2 x d)^T for (r2 x n)^T
 *
 * Friction: the same rows along two tangents u1 x u2 = n, with the target J v = 0 and the force f along each within a
 * bound:
 * (a) fixed:   |f| <= mu m g, the simplified law of temporal-coherence (Friction Constraint). m is a mass that is
 *              assigned to the contact: the bound is that of a body of this mass on level ground, and does not depend
 *              on the force that presses on the contact. A body that slides on k such points with m = M/k decelerates
 *              by mu g, whatever its impulses.
 * (b) box:     |f| <= mu f_normal with the CURRENT normal force, whose row is the parent. The bound depends on the
 *              solution: the problem is not a mixed LCP, except in each sweep of a method that updates the bounds.
 *              In (a) and (b) each tangent has its own bound: a square in place of Coulomb's disc, which allows
 *              sqrt(2) mu along its diagonal.
 * (c) cone:    Coulomb's law, |f_t| <= mu f_normal for both tangents together, with sliding opposite to f_t. The choice
 *              of tangents has no effect.
 *
 * (d) associated: the convex relaxation of (c); a contact that slides opens with mu |u_t| (law.h).
 *
 * Under (c) and (d) the two tangents may have two coefficients, along a given direction and across it. ROLLING friction
 * adds the rows J = [0, u, 0, -u] along both tangents, a torque of at most rolling f_normal in all, and TORSIONAL
 * friction, under (b) and (c), the row J = [0, n, 0, -n], whose torque is at most torsion f_normal. Both coefficients
 * are lengths: that by which the normal force is off the point of contact, and the radius of a patch times its mu.
 *
 * The fixed bound applies only to a closed contact, and the sign of a gap that is 0 up to rounding is not reliable. A
 * contact counts as closed if it can be closed at the end of the step, including its acceleration by gravity: C + h J v
 * - h^2 g <= 0. The laws with the current normal force need no such rule: without normal force there is no friction.
 *
 * RESTITUTION (rebound.c) acts on a contact that approaches faster than its threshold, and faster than gravity
 * accelerates it in a step (h g; a slower contact rests). Any other contact with a gap may close it in the step (ERP =
 * 1).
 */
#include "delassus/contact.h"

#include <stdlib.h>
#include <string.h>

/* Velocity of the material point at offset a. */
static dls_vec3 point_velocity(const dls_end *end, dls_vec3 a) { return dls_add(end->v, dls_cross(end->omega, a)); }

/* A row of the Jacobian on each end that moves: [u, a x u] on the first, its negative on the second. */
static void put_contact_jacobian(dls_vec3 u, const dls_vec3 a[2], double *const J[2], size_t at)
{
    if (J[0]) {
        double *to = J[0] + at;
        const dls_vec3 turn = dls_cross(a[0], u);
        to[0] = u.x, to[1] = u.y, to[2] = u.z;
        to[3] = turn.x, to[4] = turn.y, to[5] = turn.z;
    }
    if (J[1]) {
        double *to = J[1] + at;
        const dls_vec3 turn = dls_cross(a[1], u);
        to[0] = -u.x, to[1] = -u.y, to[2] = -u.z;
        to[3] = -turn.x, to[4] = -turn.y, to[5] = -turn.z;
    }
}

/* A torque between the ends along u. */
static void put_turning_jacobian(dls_vec3 u, double *const J[2], size_t at)
{
    for (int i = 0; i < 2; i++)
        if (J[i]) {
            double *to = J[i] + at;
            const double sign = i == 0 ? 1.0 : -1.0;
            to[0] = to[1] = to[2] = 0.0;
            to[3] = sign * u.x, to[4] = sign * u.y, to[5] = sign * u.z;
        }
}

const char *dls_contact_refuses(dls_law friction, double rolling, double torsion, bool anisotropic)
{
    if (rolling > 0.0 && !dls_law_has_discs(friction))
        return "rolling friction needs friction: cone, or associated";
    if (torsion > 0.0 && friction != DLS_LAW_BOX && friction != DLS_LAW_CONE)
        return "torsional friction needs friction: cone, or box";
    return anisotropic && !dls_law_has_discs(friction) ? "two friction coefficients need friction: cone, or associated"
                                                       : NULL;
}

void dls_contact_frame(const dls_contact *contact, dls_vec3 u[2])
{
    const dls_vec3 n = contact->normal, flat = dls_sub(contact->along, dls_scale(dls_dot(contact->along, n), n));
    if (dls_norm(flat) > 0.0) {
        u[0] = dls_unit(flat);
        u[1] = dls_cross(n, u[0]);
    } else {
        dls_tangents(n, &u[0], &u[1]);
    }
}

/* Each of these writes all of a row but its owner. `speed`: J v at the start of the step; `least`: the speed by which
 * gravity changes it in a step. */
static void put_normal(const dls_contact *contact, double speed, double least, dls_list_row *row)
{
    const bool gap = contact->gap > 0.0;
    *row = (dls_list_row){.C = contact->gap,
                          .erp = gap ? 1.0 : contact->erp,
                          .cfm = contact->cfm,
                          .hi = HUGE_VAL,
                          .restitution = contact->restitution,
                          .impact = (unsigned char)contact->impact,
                          .owner = row->owner,
                          .label = "normal",
                          .law = DLS_LAW_FIXED,
                          .role = DLS_ROLE_STOP,
                          .gap = gap};
    dls_list_row_rebound(row, speed, fmax(contact->threshold, least));
}

/* `force`: the fixed bound. */
static void put_friction(const dls_contact *contact, double force, unsigned char slot, dls_list_row *row)
{
    const bool fixed = contact->friction == DLS_LAW_FIXED;
    *row = (dls_list_row){.lo = fixed ? -force : -HUGE_VAL,
                          .hi = fixed ? force : HUGE_VAL,
                          .mu = fixed                               ? 0.0
                                : slot == 2 && contact->anisotropic ? contact->mu_across
                                                                    : contact->mu,
                          .owner = row->owner,
                          .label = slot == 1 ? "friction 1" : "friction 2",
                          .slot = slot,
                          .after = fixed ? 0 : slot,
                          .law = (unsigned char)contact->friction,
                          .role = DLS_ROLE_FRICTION};
}

/* Row `slot` of rolling or torsional friction. */
static void put_turning(double mu, dls_law law, const char *label, unsigned char slot, dls_list_row *row)
{
    *row = (dls_list_row){.lo = -HUGE_VAL,
                          .hi = HUGE_VAL,
                          .mu = mu,
                          .owner = row->owner,
                          .label = label,
                          .slot = slot,
                          .after = slot,
                          .law = (unsigned char)law,
                          .role = DLS_ROLE_FRICTION,
                          .angular = true};
}

void dls_contact_put(const dls_contact *contact, const dls_end *const end[2], double gravity, double h,
                     dls_list_row *rows, double *const J[2], size_t stride)
{
    const dls_vec3 a[2] = {dls_sub(contact->point[0], end[0]->x), dls_sub(contact->point[1], end[1]->x)};
    double speed = dls_dot(contact->normal, dls_sub(point_velocity(end[0], a[0]), point_velocity(end[1], a[1])));
    put_normal(contact, speed, h * gravity, &rows[0]);
    put_contact_jacobian(contact->normal, a, J, 0);
    if (dls_contact_count(contact) == 1)
        return;
    bool closed = contact->gap + h * (speed - h * gravity) <= 0.0;
    double force = closed ? contact->mu * contact->friction_mass * gravity : 0.0;
    dls_vec3 u[2];
    unsigned char slot = 1;
    dls_contact_frame(contact, u);
    for (unsigned char i = 0; i < dls_contact_tangents(contact); i++, slot++) {
        put_friction(contact, force, slot, &rows[slot]);
        put_contact_jacobian(u[i], a, J, slot * stride);
    }
    for (unsigned char i = 0; i < 2 && contact->rolling > 0.0; i++, slot++) {
        put_turning(contact->rolling, contact->friction, i == 0 ? "rolling 1" : "rolling 2", slot, &rows[slot]);
        put_turning_jacobian(u[i], J, slot * stride);
    }
    if (contact->torsion > 0.0) {
        put_turning(contact->torsion, DLS_LAW_BOX, "torsion", slot, &rows[slot]);
        put_turning_jacobian(contact->normal, J, slot * stride);
    }
}

void dls_contact_rows(const dls_contact *contact, const dls_end end[2], double gravity, double h, dls_row *rows)
{
    dls_list_row list[DLS_CONTACT_ROWS_MAX];
    double *const J[2] = {rows->J1, rows->J2};
    const size_t count = dls_contact_count(contact);
    memset(rows, 0, count * sizeof *rows);
    dls_contact_put(contact, (const dls_end *const[2]){&end[0], &end[1]}, gravity, h, list, J,
                    sizeof *rows / sizeof(double));
    for (size_t r = 0; r < count; r++) {
        dls_row *row = &rows[r];
        row->C = list[r].C, row->u = list[r].u, row->gap = list[r].gap;
        row->erp = list[r].erp, row->cfm = list[r].cfm;
        row->lo = list[r].lo, row->hi = list[r].hi, row->mu = list[r].mu;
        row->restitution = list[r].restitution, row->impact = (dls_impact_law)list[r].impact;
        row->impacts = list[r].impacts;
        row->law = (dls_law)list[r].law, row->role = (dls_row_role)list[r].role;
        row->parent = list[r].after ? 0 : -1;
        row->label = list[r].label;
        row->angular = row->is_rate = list[r].angular; /* of rolling and torsion */
    }
}

void dls_contacts_release(dls_contacts *contacts)
{
    free(contacts->at);
    *contacts = (dls_contacts){0, 0, NULL};
}
