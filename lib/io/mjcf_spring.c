/* Springs and dampers of joints of MJCF, after all bodies and masses. Dampers of hinges and slides by themselves are
 * those of their links (mjcf_body.c). */
#include "mjcf.h"

#include <string.h>

/* A hinge or slide: f = -stiffness (q - springref). A ball joint: the torque -stiffness phi, phi the rotation vector
 * of the joint, which is that of a fixed joint with a spring: its three rows of the distance of the anchors never
 * move. Those of a free joint pull the origin of the body frame to where it is in the reference configuration. */
static dls_status add_spring(const mjcf *m, const mjcf_joint *j)
{
    const mjcf_body *body = &m->bodies[j->body], *above = &m->bodies[body->parent];
    const dls_term_def term = {.gears = {1.0}};
    mjcf_new_joint spring = {.m = m, .node = j->node, .type = j->one_way ? "drive" : "fixed"};
    dls_term_def terms[1] = {term};
    memcpy(terms[0].coordinate, j->coordinate, sizeof j->coordinate);
    mjcf_set(&spring, "stiffness", j->stiffness);
    if (j->one_way) {
        mjcf_set(&spring, "target", j->springref);
        spring.terms = terms, spring.n_terms = 1;
    } else {
        memcpy(spring.body[0], body->end, sizeof body->end);
        memcpy(spring.body[1], above->end, sizeof above->end);
        mjcf_set_vector(&spring, "anchor", dls_add(body->pose.p, dls_quat_rotate(body->pose.q, j->anchor)));
    }
    DLS_TRY(mjcf_join(m, j->node, spring.name, j->coordinate, "spring"));
    return mjcf_add_joint(&spring);
}

/* A free joint has besides -damping v at the origin of the body frame: a ball joint without a stiffness. */
static dls_status add_origin_damper(const mjcf *m, const mjcf_joint *j)
{
    const mjcf_body *body = &m->bodies[j->body];
    mjcf_new_joint damper = {.m = m, .node = j->node, .type = "ball", .may_touch = true};
    memcpy(damper.body[0], body->end, sizeof body->end);
    memcpy(damper.body[1], DLS_WORLD_NAME, sizeof DLS_WORLD_NAME);
    mjcf_set_vector(&damper, "anchor", body->pose.p);
    mjcf_set(&damper, "damping", j->damping);
    DLS_TRY(mjcf_join(m, j->node, damper.name, j->coordinate, "damping of the origin"));
    return mjcf_add_joint(&damper);
}

static dls_status add_ball_damper(const mjcf *m, const mjcf_joint *j)
{
    const mjcf_body *body = &m->bodies[j->body], *above = &m->bodies[body->parent];
    mjcf_new_joint damper = {.m = m, .node = j->node, .type = "damper"};
    memcpy(damper.body[0], body->end, sizeof body->end);
    memcpy(damper.body[1], above->end, sizeof above->end);
    mjcf_set(&damper, "angular", j->damping);
    DLS_TRY(mjcf_join(m, j->node, damper.name, j->coordinate, "damping"));
    return mjcf_add_joint(&damper);
}

/* Stiffness and damping of a joint whose spring has a time constant: with the inertia I = 1 / mobility at it,
 * stiffness = I / (time constant * damping ratio)^2, damping = 2 I / time constant. */
static dls_status set_spring_by_time(const mjcf *m, mjcf_joint *j)
{
    const double inertia = 1.0 / j->mobility, period = j->time_constant * j->damping_ratio;
    j->stiffness = m->on.spring ? inertia / (period * period) : 0.0;
    j->damping = m->on.damper ? 2.0 * inertia / j->time_constant : 0.0;
    if (!j->one_way || !(j->damping > 0.0))
        return DLS_OK;
    const dls_term_def term = {.gears = {1.0}};
    dls_term_def terms[1] = {term};
    memcpy(terms[0].coordinate, j->coordinate, sizeof j->coordinate);
    mjcf_new_joint damper = {.m = m, .node = j->node, .type = "drive", .terms = terms, .n_terms = 1};
    mjcf_set(&damper, "damping", j->damping);
    DLS_TRY(mjcf_join(m, j->node, damper.name, j->coordinate, "damping"));
    return mjcf_add_joint(&damper);
}

static dls_status add_springs_of(const mjcf *m, const mjcf_joint *j)
{
    if (!j->one_way && m->bodies[j->body].n_joints > 1 && j->stiffness + j->damping > 0.0)
        return dls_xml_fail(&m->x, DLS_REFUSED, j->node, "stiffness",
                            "a ball joint with a spring or a damper among several joints of a body has no counterpart; "
                            "give the joint a body of its own");
    if (j->stiffness > 0.0)
        DLS_TRY(add_spring(m, j));
    if (!(j->damping > 0.0) || j->one_way)
        return DLS_OK;
    DLS_TRY(add_ball_damper(m, j));
    return j->floats ? add_origin_damper(m, j) : DLS_OK;
}

dls_status mjcf_add_springs(mjcf *m)
{
    bool timed = false;
    for (size_t k = 0; k < m->n_joints; k++)
        timed = timed || m->joints[k].time_constant > 0.0;
    if (timed)
        DLS_TRY(mjcf_weigh_joints(m));
    for (size_t k = 0; k < m->n_joints; k++)
        if (m->joints[k].time_constant > 0.0)
            DLS_TRY(set_spring_by_time(m, &m->joints[k]));
    for (size_t k = 0; k < m->n_joints; k++)
        DLS_TRY(dls_xml_drop_refused(&m->x, add_springs_of(m, &m->joints[k]), DLS_ASPECT_FORCES));
    return DLS_OK;
}
