/* Equalities of MJCF, all of which are rigid here.
 *
 * joint: q1 - r1 = P(q2 - r2), P(x) = a0 + a1 x + .. + a4 x^4, with r the coordinates of the reference configuration:
 * a mimic, q1 - Q(q2) + offset = 0, with the polynomial Q(q) + constant = P(q - r2); without a second joint, or where P
 * is constant, a lock. tendon: the same of two lengths, y = offset + sum of terms; a power of such a sum is no sum of
 * polynomials, and is refused unless the second length has one term alone. connect: a ball at the anchor, a point of
 * body 1. weld: a fixed joint at the anchor, a point of body 2, in the relative pose `relpose`, or that of the
 * reference configuration. Both may be of two sites instead, which coincide where the joint holds. */
#include "mjcf.h"

#include <math.h>
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

enum { COEFFICIENTS = 1 + DLS_GEARS_MAX };

/* b(x) = a(factor x + shift), by Horner's rule. */
static void substitute_linear(const double a[COEFFICIENTS], double factor, double shift, double b[COEFFICIENTS])
{
    memset(b, 0, COEFFICIENTS * sizeof *b);
    for (int k = COEFFICIENTS - 1; k >= 0; k--) {
        for (int power = COEFFICIENTS - 1; power > 0; power--)
            b[power] = shift * b[power] + factor * b[power - 1];
        b[0] = shift * b[0] + a[k];
    }
}

static dls_status joint_quantity(const mjcf *m, const xmlNode *node, const char *attribute, quantity *q)
{
    size_t joint;
    DLS_TRY(mjcf_find(m, &m->joint_names, node, attribute, "joint", &joint));
    if (!m->joints[joint].one_way)
        return dls_xml_bad(&m->x, node, attribute, "an equality of joints is of hinges and slides");
    q->own = (dls_term_def){.gears = {1.0}};
    memcpy(q->own.coordinate, m->joints[joint].coordinate, sizeof q->own.coordinate);
    q->terms = &q->own, q->count = 1;
    q->offset = 0.0, q->start = m->joints[joint].ref;
    return DLS_OK;
}

static dls_status tendon_quantity(const mjcf *m, const xmlNode *node, const char *attribute, quantity *q)
{
    const mjcf_tendon *t;
    DLS_TRY(mjcf_find_tendon(m, node, attribute, &t));
    *q = (quantity){.terms = m->terms + t->first, .count = t->count, .offset = t->offset, .start = t->length};
    return DLS_OK;
}

/* Adds a term to those of other coordinates, or to that of the same coordinate. */
static size_t add_term(dls_term_def *terms, size_t count, const dls_term_def *term)
{
    size_t k = 0;
    while (k < count && strcmp(terms[k].coordinate, term->coordinate) != 0)
        k++;
    if (k == count) {
        terms[count] = *term;
        return count + 1;
    }
    for (int power = 0; power < DLS_GEARS_MAX; power++)
        terms[k].gears[power] += term->gears[power];
    return count;
}

/* Leaves out the terms that vanish. */
static size_t drop_zeros(dls_term_def *terms, size_t count)
{
    size_t kept = 0;
    for (size_t k = 0; k < count; k++) {
        bool zero = true;
        for (int power = 0; power < DLS_GEARS_MAX; power++)
            zero = zero && terms[k].gears[power] == 0.0;
        if (!zero)
            terms[kept++] = terms[k];
    }
    return kept;
}

/* sum of terms + constant = 0 */
static dls_status add_coupling(const mjcf *m, const mjcf_element *e, const char *name, const dls_term_def *terms,
                               size_t count, double constant)
{
    mjcf_new_joint joint = {
        .m = m, .node = e->node, .type = count > 1 ? "mimic" : "lock", .terms = terms, .n_terms = count};
    memcpy(joint.name, name, sizeof joint.name);
    if (count > 1)
        mjcf_set(&joint, "offset", constant);
    else
        mjcf_set(&joint, "at", -constant);
    return count ? mjcf_add_joint(&joint)
                 : dls_xml_bad(&m->x, e->node, "polycoef", "the equality is of nothing that moves");
}

/* Adds the terms of -P(y - start) of a length, and its constant. */
static dls_status subtract_polynomial(const mjcf *m, const mjcf_element *e, const double a[COEFFICIENTS],
                                      const quantity *of, dls_term_def *terms, size_t *count, double *constant)
{
    const double shift = of->offset - of->start;
    double b[COEFFICIENTS];
    if (of->count > 1 && (a[2] != 0.0 || a[3] != 0.0 || a[4] != 0.0))
        return dls_xml_fail(&m->x, DLS_REFUSED, mjcf_holder(m, e, "polycoef"), "polycoef",
                            "a polynomial of more than the first degree of several coordinates has no counterpart");
    substitute_linear(a, 0.0, shift, b);
    *constant -= b[0];
    for (size_t t = 0; t < of->count; t++) {
        dls_term_def term = of->terms[t];
        substitute_linear(a, term.gears[0], shift, b);
        for (int k = 0; k < DLS_GEARS_MAX; k++)
            term.gears[k] = 0.0 - b[1 + k];
        *count = add_term(terms, *count, &term);
    }
    return DLS_OK;
}

/* y1 - s1 = P(y2 - s2), or a0 without y2; y = offset + sum of terms. */
static dls_status couple_quantities(const mjcf *m, const mjcf_element *e, const char *name, const quantity *one,
                                    const quantity *two)
{
    double a[COEFFICIENTS] = {0.0, 1.0}, constant = one->offset - one->start;
    int given;
    DLS_TRY(mjcf_numbers(m, e, "polycoef", a, 1, COEFFICIENTS, &given));
    dls_term_def *terms = calloc(one->count + (two ? two->count : 0) + 1, sizeof *terms);
    if (!terms)
        return dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for the terms of an equality");
    size_t count = 0;
    dls_status status = DLS_OK;
    for (size_t t = 0; t < one->count; t++)
        count = add_term(terms, count, &one->terms[t]);
    if (two)
        status = subtract_polynomial(m, e, a, two, terms, &count, &constant);
    else
        constant -= a[0];
    if (status == DLS_OK)
        status = add_coupling(m, e, name, terms, drop_zeros(terms, count), constant);
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

/* Two frames, in the world at the start, that are held together: of two bodies, or of sites on them. */
typedef struct tie {
    size_t body[2];
    dls_frame frame[2];
} tie;

/* `has_axes`: the joint holds the orientations, too. Body 1 of a joint moves. */
static dls_status tie_bodies(const mjcf *m, const xmlNode *node, const char *type, const char *name, const tie *t,
                             bool has_axes)
{
    static const char *const anchors[] = {"anchor", "anchor2"}, *const axes[] = {"orientation1", "orientation2"};
    mjcf_new_joint joint = {.m = m, .node = node, .type = type};
    const size_t first = m->bodies[t->body[0]].moved == 0;
    memcpy(joint.name, name, sizeof joint.name);
    for (size_t k = 0; k < 2; k++) {
        const size_t from = first ? 1 - k : k;
        memcpy(joint.body[k], m->bodies[t->body[from]].end, sizeof joint.body[k]);
        mjcf_set_vector(&joint, anchors[k], t->frame[from].p);
        if (has_axes)
            mjcf_set_quat(&joint, axes[k], t->frame[from].q);
    }
    if (m->bodies[t->body[0]].moved == m->bodies[t->body[1]].moved)
        return dls_xml_bad(&m->x, node, "body2", "the two bodies do not move against each other");
    return mjcf_add_joint(&joint);
}

static dls_status two_bodies(const mjcf *m, const xmlNode *node, size_t body[2])
{
    body[1] = 0;
    DLS_TRY(mjcf_find(m, &m->body_names, node, "body1", "body", &body[0]));
    return dls_xml_has(node, "body2") ? mjcf_find(m, &m->body_names, node, "body2", "body", &body[1]) : DLS_OK;
}

static dls_frame in_world(const mjcf *m, size_t body, dls_frame frame)
{
    return mjcf_compose(m->bodies[body].pose, frame);
}

/* *there: whether the equality is of two sites. */
static dls_status tie_sites(const mjcf *m, const xmlNode *node, tie *t, bool *there)
{
    static const char *const keys[] = {"site1", "site2"};
    *there = dls_xml_has(node, keys[0]) || dls_xml_has(node, keys[1]);
    for (int k = 0; *there && k < 2; k++) {
        size_t site;
        DLS_TRY(mjcf_find(m, &m->site_names, node, keys[k], "site", &site));
        t->body[k] = m->sites[site].body;
        t->frame[k] = in_world(m, t->body[k], m->sites[site].frame);
    }
    return DLS_OK;
}

static dls_status add_connect(const mjcf *m, const mjcf_element *e, const char *name)
{
    double anchor[3];
    tie t;
    int count;
    bool sites;
    DLS_TRY(tie_sites(m, e->node, &t, &sites));
    if (!sites) {
        DLS_TRY(two_bodies(m, e->node, t.body));
        DLS_TRY(mjcf_vector(m, e, "anchor", anchor, 3, &count));
        if (!count)
            return dls_xml_bad(&m->x, e->node, "anchor", "the attribute is missing");
        const dls_frame at = {dls_v3(anchor[0], anchor[1], anchor[2]), dls_quat_identity()};
        t.frame[0] = t.frame[1] = in_world(m, t.body[0], at);
    }
    return tie_bodies(m, e->node, "ball", name, &t, false);
}

/* The anchor is a point of body 2; relpose has the point of body 1 that it coincides with, and the orientation of body
 * 2 in body 1. Without a quaternion both are as they are at the start. */
static dls_status tie_poses(const mjcf *m, const mjcf_element *e, tie *t)
{
    double pose[7] = {0.0}, anchor[3] = {0.0};
    int count;
    DLS_TRY(two_bodies(m, e->node, t->body));
    DLS_TRY(mjcf_vector(m, e, "relpose", pose, 7, &count));
    DLS_TRY(mjcf_vector(m, e, "anchor", anchor, 3, &count));
    const dls_quat turn = {pose[3], pose[4], pose[5], pose[6]};
    const double size = sqrt(turn.w * turn.w + turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    const dls_frame at = {dls_v3(anchor[0], anchor[1], anchor[2]), dls_quat_identity()};
    t->frame[0] = t->frame[1] = in_world(m, t->body[1], at);
    if (size > 0.0) {
        const dls_frame relative = {dls_v3(pose[0], pose[1], pose[2]), dls_quat_unit(turn)};
        t->frame[0] = in_world(m, t->body[0], relative);
    }
    return size < HUGE_VAL ? DLS_OK : dls_xml_bad(&m->x, mjcf_holder(m, e, "relpose"), "relpose", "is too large");
}

static dls_status add_weld(const mjcf *m, const mjcf_element *e, const char *name)
{
    tie t;
    bool sites;
    DLS_TRY(tie_sites(m, e->node, &t, &sites));
    if (!sites)
        DLS_TRY(tie_poses(m, e, &t));
    return tie_bodies(m, e->node, "fixed", name, &t, true);
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
            DLS_TRY(dls_xml_drop_refused(&m->x, add_equality(m, node), DLS_ASPECT_CONSTRAINTS));
    return DLS_OK;
}
