/* Equalities of MJCF, all of which are rigid here.
 *
 * joint: q1 - r1 = a0 + a1 (q2 - r2), with r the coordinates of the reference configuration: a mimic, q1 - a1 q2 +
 * offset = 0; without a second joint, or where a1 = 0, a lock. tendon: the same of two lengths. connect: a ball at the
 * anchor, a point of body 1. weld: a fixed joint at the anchor, a point of body 2, in the relative pose of the
 * reference configuration. */
#include "mjcf.h"

#include <stdlib.h>
#include <string.h>

/* --- of coordinates and lengths --- */

/* A length, or a coordinate as one. */
typedef struct quantity {
    const dls_term_def *terms;
    size_t count;
    double offset; /* beside the sum of its terms */
    double start;  /* in the reference configuration */
    dls_term_def own;
} quantity;

/* a0 and a1; those of higher powers have no counterpart. */
static dls_status read_polynomial(const mjcf *m, const mjcf_element *e, double a[2])
{
    double all[5] = {0.0, 1.0, 0.0, 0.0, 0.0};
    int count;
    DLS_TRY(mjcf_numbers(m, e, "polycoef", all, 1, 5, &count));
    if (all[2] != 0.0 || all[3] != 0.0 || all[4] != 0.0)
        return dls_xml_fail(&m->x, DLS_REFUSED, mjcf_holder(m, e, "polycoef"), "polycoef",
                            "a polynomial of more than the first degree has no counterpart");
    a[0] = all[0], a[1] = all[1];
    return DLS_OK;
}

static dls_status joint_quantity(const mjcf *m, const xmlNode *node, const char *attribute, quantity *q)
{
    size_t joint;
    DLS_TRY(mjcf_find(m, &m->joint_names, node, attribute, "joint", &joint));
    if (!m->joints[joint].one_way)
        return dls_xml_bad(&m->x, node, attribute, "an equality of joints is of hinges and slides");
    q->own = (dls_term_def){.gear = 1.0};
    memcpy(q->own.coordinate, m->joints[joint].coordinate, sizeof q->own.coordinate);
    q->terms = &q->own, q->count = 1;
    q->offset = 0.0, q->start = m->joints[joint].ref;
    return DLS_OK;
}

static dls_status tendon_quantity(const mjcf *m, const xmlNode *node, const char *attribute, quantity *q)
{
    size_t tendon;
    DLS_TRY(mjcf_find(m, &m->tendon_names, node, attribute, "tendon", &tendon));
    const mjcf_tendon *t = &m->tendons[tendon];
    *q = (quantity){.terms = m->terms + t->first, .count = t->count, .offset = t->offset, .start = t->length};
    return DLS_OK;
}

/* terms += factor times those of q; the sums that vanish are left out. */
static size_t add_terms(dls_term_def *terms, size_t count, const quantity *q, double factor)
{
    for (size_t i = 0; i < q->count; i++) {
        size_t k = 0;
        while (k < count && strcmp(terms[k].coordinate, q->terms[i].coordinate) != 0)
            k++;
        if (k == count) {
            terms[count] = q->terms[i];
            terms[count++].gear = 0.0;
        }
        terms[k].gear += factor * q->terms[i].gear;
    }
    size_t kept = 0;
    for (size_t k = 0; k < count; k++)
        if (terms[k].gear != 0.0)
            terms[kept++] = terms[k];
    return kept;
}

/* y1 - s1 = a0 + a1 (y2 - s2), y = offset + sum of terms. */
static dls_status couple_quantities(const mjcf *m, const mjcf_element *e, const char *name, const quantity *one,
                                    const quantity *two)
{
    double a[2] = {0.0, 1.0};
    DLS_TRY(read_polynomial(m, e, a));
    dls_term_def *terms = calloc(one->count + (two ? two->count : 0) + 1, sizeof *terms);
    if (!terms)
        return dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for the terms of an equality");
    size_t count = add_terms(terms, 0, one, 1.0);
    double at = one->start + a[0] - one->offset;
    if (two) {
        count = add_terms(terms, count, two, -a[1]);
        at += a[1] * (two->offset - two->start);
    }
    mjcf_new_joint joint = {
        .m = m, .node = e->node, .type = count > 1 ? "mimic" : "lock", .terms = terms, .n_terms = count};
    memcpy(joint.name, name, sizeof joint.name);
    if (count > 1)
        mjcf_set(&joint, "offset", -at);
    else
        mjcf_set(&joint, "at", at);
    dls_status status = count ? mjcf_add_joint(&joint)
                              : dls_xml_bad(&m->x, e->node, "polycoef", "the equality is of nothing that moves");
    free(terms);
    return status;
}

static dls_status equate_joints(const mjcf *m, const mjcf_element *e, const char *name)
{
    quantity one, two;
    const bool both = dls_xml_has(e->node, "joint2");
    DLS_TRY(joint_quantity(m, e->node, "joint1", &one));
    if (both)
        DLS_TRY(joint_quantity(m, e->node, "joint2", &two));
    return couple_quantities(m, e, name, &one, both ? &two : NULL);
}

static dls_status equate_tendons(const mjcf *m, const mjcf_element *e, const char *name)
{
    quantity one, two;
    const bool both = dls_xml_has(e->node, "tendon2");
    DLS_TRY(tendon_quantity(m, e->node, "tendon1", &one));
    if (both)
        DLS_TRY(tendon_quantity(m, e->node, "tendon2", &two));
    return couple_quantities(m, e, name, &one, both ? &two : NULL);
}

/* --- of bodies --- */

/* Body 1 of a joint moves. */
static dls_status tie_bodies(const mjcf *m, const xmlNode *node, const char *type, const char *name, size_t body1,
                             size_t body2, dls_vec3 anchor)
{
    mjcf_new_joint joint = {.m = m, .node = node, .type = type};
    const bool turned = m->bodies[body1].moved == 0;
    memcpy(joint.name, name, sizeof joint.name);
    memcpy(joint.body[turned], m->bodies[body1].end, sizeof joint.body[0]);
    memcpy(joint.body[!turned], m->bodies[body2].end, sizeof joint.body[0]);
    mjcf_set_vector(&joint, "anchor", anchor);
    if (m->bodies[body1].moved == m->bodies[body2].moved)
        return dls_xml_bad(&m->x, node, "body2", "the two bodies do not move against each other");
    return mjcf_add_joint(&joint);
}

static dls_status two_bodies(const mjcf *m, const xmlNode *node, size_t body[2])
{
    body[1] = 0;
    DLS_TRY(mjcf_find(m, &m->body_names, node, "body1", "body", &body[0]));
    return dls_xml_has(node, "body2") ? mjcf_find(m, &m->body_names, node, "body2", "body", &body[1]) : DLS_OK;
}

static dls_vec3 world_point(const mjcf *m, size_t body, const double *p)
{
    const dls_frame pose = m->bodies[body].pose;
    return dls_add(pose.p, dls_quat_rotate(pose.q, dls_v3(p[0], p[1], p[2])));
}

static dls_status add_connect(const mjcf *m, const mjcf_element *e, const char *name)
{
    double anchor[3];
    size_t body[2];
    int count;
    DLS_TRY(two_bodies(m, e->node, body));
    DLS_TRY(mjcf_vector(m, e, "anchor", anchor, 3, &count));
    if (!count)
        return dls_xml_bad(&m->x, e->node, "anchor", "the attribute is missing");
    return tie_bodies(m, e->node, "ball", name, body[0], body[1], world_point(m, body[0], anchor));
}

static dls_status add_weld(const mjcf *m, const mjcf_element *e, const char *name)
{
    double pose[7] = {0.0}, anchor[3] = {0.0};
    size_t body[2];
    int count;
    DLS_TRY(two_bodies(m, e->node, body));
    DLS_TRY(mjcf_vector(m, e, "relpose", pose, 7, &count));
    DLS_TRY(mjcf_vector(m, e, "anchor", anchor, 3, &count));
    if (pose[3] != 0.0 || pose[4] != 0.0 || pose[5] != 0.0 || pose[6] != 0.0)
        return dls_xml_fail(&m->x, DLS_REFUSED, mjcf_holder(m, e, "relpose"), "relpose",
                            "a weld in another pose than that of the file has no counterpart; "
                            "leave it out, and put the bodies there");
    return tie_bodies(m, e->node, "fixed", name, body[0], body[1], world_point(m, body[1], anchor));
}

/* --- all --- */

static const struct {
    const char *name;
    dls_status (*add)(const mjcf *m, const mjcf_element *e, const char *name);
} kinds[] = {{"joint", equate_joints}, {"tendon", equate_tendons}, {"connect", add_connect}, {"weld", add_weld}};

static dls_status add_equality(mjcf *m, const xmlNode *node)
{
    mjcf_element e;
    char name[DLS_NAME_MAX];
    bool active = true;
    DLS_TRY(mjcf_open(m, node, "equality", m->main_class, &e));
    DLS_TRY(mjcf_name(m, &m->equality_names, node, "equality", m->equality_names.names.count, name));
    DLS_TRY(mjcf_claim(m, node, "equality", name));
    DLS_TRY(mjcf_bool(m, &e, "active", &active));
    if (!active)
        return mjcf_note(m, node, "active", "equalities that are not active at the start are left out");
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        if (dls_xml_is_element(node, kinds[k].name))
            return kinds[k].add(m, &e, name);
    return DLS_OK; /* dls_mjcf_check_words refuses all others */
}

dls_status mjcf_read_equalities(mjcf *m, const xmlNode *root)
{
    for (const xmlNode *at = dls_xml_child(root, "equality"); m->on.equality && at;
         at = dls_xml_next(at->next, "equality"))
        for (const xmlNode *node = dls_xml_next(at->children, NULL); node; node = dls_xml_next(node->next, NULL))
            DLS_TRY(add_equality(m, node));
    return DLS_OK;
}
