/* Tendons of MJCF.
 *
 * A fixed tendon has the length L = sum coef_i q_i. A spatial one runs through sites: L is the sum of the distances of
 * consecutive sites, each divided by the divisor of the preceding pulley; there is no distance across a pulley. Each
 * distance is a `segment`, whose coordinate enters the length; if both sites are on one body it is constant.
 *
 * The spring is f = -stiffness (L - springlength): a `tendon`. Without a springlength, it is the length at which hinges
 * and slides are at their springref. Two lengths are the ends of a dead band: two tendons that go slack, the lower one
 * on -L, so that it pushes.
 */
#include "mjcf.h"

#include "base/memory.h"

#include <string.h>

/* --- lengths --- */

static dls_status add_term(mjcf *m, mjcf_tendon *t, const xmlNode *node, const char *coordinate, double gear)
{
    for (size_t k = t->first; k < m->n_terms; k++)
        if (strcmp(m->terms[k].coordinate, coordinate) == 0)
            return dls_xml_bad(&m->x, node, "joint", "the joint is in the tendon already; add up its coefficients");
    if (!DLS_GROW(m->terms, m->cap_terms, m->n_terms + 1))
        return dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for %zu terms of tendons", m->n_terms + 1);
    m->terms[m->n_terms] = (dls_term_def){.gears = {gear}, .place = dls_xml_place(node)};
    snprintf(m->terms[m->n_terms].coordinate, DLS_COORDINATE_MAX, "%s", coordinate);
    m->n_terms++, t->count++;
    return DLS_OK;
}

static dls_status read_fixed(mjcf *m, const xmlNode *node, mjcf_tendon *t)
{
    for (const xmlNode *at = dls_xml_child(node, "joint"); at; at = dls_xml_next(at->next, "joint")) {
        size_t joint;
        double coef = 0.0;
        DLS_TRY(mjcf_find(m, &m->joint_names, at, "joint", "joint", &joint));
        DLS_TRY(dls_xml_required_number(&m->x, at, "coef", &coef));
        if (!m->joints[joint].one_way)
            return dls_xml_bad(&m->x, at, "joint", "a fixed tendon is of hinges and slides");
        if (coef != 0.0)
            DLS_TRY(add_term(m, t, at, m->joints[joint].coordinate, coef));
        t->length += coef * m->joints[joint].ref;
        t->unsprung += coef * m->joints[joint].springref;
    }
    return DLS_OK;
}

static dls_vec3 site_point(const mjcf_site *site, dls_frame pose)
{
    return dls_add(pose.p, dls_quat_rotate(pose.q, site->frame.p));
}

/* The distance of two sites; of one end it is constant. */
static dls_status add_segment(mjcf *m, const xmlNode *node, const char *name, mjcf_tendon *t, const size_t sites[2],
                              double divisor)
{
    mjcf_new_joint segment = {.m = m, .node = node, .type = "segment", .may_touch = true};
    const bool turned = m->bodies[m->sites[sites[0]].body].moved == 0; /* body 1 of a joint moves */
    dls_vec3 now[2], then[2];
    char number[32];
    for (int i = 0; i < 2; i++) {
        const mjcf_site *site = &m->sites[sites[i]];
        const mjcf_body *body = &m->bodies[site->body];
        now[i] = site_point(site, body->pose);
        then[i] = site_point(site, body->spring);
        memcpy(segment.body[turned ? 1 - i : i], body->end, sizeof body->end);
    }
    const double length = dls_norm(dls_sub(now[0], now[1])) / divisor;
    t->length += length;
    t->unsprung += dls_norm(dls_sub(then[0], then[1])) / divisor;
    if (strcmp(segment.body[0], segment.body[1]) == 0) {
        t->offset += length;
        return DLS_OK;
    }
    snprintf(number, sizeof number, "segment %zu", t->count + 1);
    DLS_TRY(mjcf_join(m, node, segment.name, name, number));
    mjcf_set_vector(&segment, "anchor1", now[turned]);
    mjcf_set_vector(&segment, "anchor2", now[!turned]);
    DLS_TRY(mjcf_add_joint(&segment));
    return add_term(m, t, node, segment.name, 1.0 / divisor);
}

static dls_status read_path(mjcf *m, const xmlNode *node, const char *name, mjcf_tendon *t)
{
    size_t sites[2], count = 0;
    double divisor = 1.0;
    const xmlNode *wrapped = dls_xml_child(node, "geom");
    if (wrapped)
        return dls_xml_fail(&m->x, DLS_REFUSED, wrapped, "geom",
                            "a tendon that wraps around a geom has no counterpart; let it run through sites alone");
    for (const xmlNode *at = dls_xml_next(node->children, NULL); at; at = dls_xml_next(at->next, NULL)) {
        if (dls_xml_is_element(at, "pulley")) {
            DLS_TRY(dls_xml_required_number(&m->x, at, "divisor", &divisor));
            if (!(divisor > 0.0))
                return dls_xml_bad(&m->x, at, "divisor", "must be positive");
            count = 0;
        } else if (dls_xml_is_element(at, "site")) {
            sites[0] = sites[1];
            DLS_TRY(mjcf_find(m, &m->site_names, at, "site", "site", &sites[1]));
            if (++count > 1)
                DLS_TRY(add_segment(m, at, name, t, sites, divisor));
        }
    }
    return DLS_OK;
}

/* --- forces --- */

typedef struct spring {
    double stiffness, damping, friction, range[2], rest[2];
    bool limited;
} spring;

static dls_status read_spring(const mjcf *m, const mjcf_element *e, const mjcf_tendon *t, spring *s)
{
    int count;
    *s = (spring){.rest = {-1.0, -1.0}};
    DLS_TRY(mjcf_number(m, e, "stiffness", &s->stiffness));
    DLS_TRY(mjcf_number(m, e, "damping", &s->damping));
    DLS_TRY(mjcf_number(m, e, "frictionloss", &s->friction));
    if (!(s->stiffness >= 0.0) || !(s->damping >= 0.0) || !(s->friction >= 0.0))
        return dls_xml_bad(&m->x, e->node, "stiffness", "stiffness, damping and frictionloss must not be negative");
    DLS_TRY(mjcf_numbers(m, e, "springlength", s->rest, 1, 2, &count));
    s->rest[1] = count == 2 ? s->rest[1] : s->rest[0];
    if (count < 2 && s->rest[0] == -1.0)
        s->rest[0] = s->rest[1] = t->unsprung;
    if (!(s->rest[0] <= s->rest[1]))
        return dls_xml_bad(&m->x, mjcf_holder(m, e, "springlength"), "springlength", "needs lower <= upper");
    DLS_TRY(mjcf_limited(m, e, "limited", "range", &s->limited));
    DLS_TRY(mjcf_vector(m, e, "range", s->range, 2, &count));
    return DLS_OK;
}

static mjcf_new_joint tendon_joint(const mjcf *m, const xmlNode *node, const mjcf_tendon *t, const char *type)
{
    return (mjcf_new_joint){.m = m, .node = node, .type = type, .terms = m->terms + t->first, .n_terms = t->count};
}

/* Spring, damper and limits about one length. */
static dls_status add_tendon(const mjcf *m, const xmlNode *node, const char *name, const mjcf_tendon *t,
                             const spring *s)
{
    mjcf_new_joint joint = tendon_joint(m, node, t, "tendon");
    const bool one_rest = s->rest[0] == s->rest[1], sprung = s->stiffness > 0.0 && one_rest;
    const bool limited = s->limited && m->on.limit, damped = s->damping > 0.0;
    mjcf_set(&joint, "offset", t->offset);
    if (sprung) {
        mjcf_set(&joint, "stiffness", s->stiffness);
        mjcf_set(&joint, "rest", s->rest[0]);
    }
    if (damped)
        mjcf_set(&joint, "damping", s->damping);
    if (limited) {
        mjcf_set(&joint, "lower", s->range[0]);
        mjcf_set(&joint, "upper", s->range[1]);
    }
    memcpy(joint.name, name, sizeof joint.name);
    return sprung || damped || limited ? mjcf_add_joint(&joint) : DLS_OK;
}

/* A tendon that pulls above the upper length, and one on minus the length, below minus the lower one. */
static dls_status add_band(const mjcf *m, const xmlNode *node, const char *name, const mjcf_tendon *t, const spring *s)
{
    dls_term_def *terms = calloc(t->count + 1, sizeof *terms);
    dls_status status = terms ? DLS_OK : dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for %zu terms", t->count);
    for (int upper = 0; status == DLS_OK && upper < 2; upper++) {
        mjcf_new_joint joint = tendon_joint(m, node, t, "tendon");
        const double sign = upper ? 1.0 : -1.0;
        for (size_t k = 0; k < t->count; k++) {
            terms[k] = m->terms[t->first + k];
            terms[k].gears[0] *= sign;
        }
        joint.terms = terms;
        mjcf_set(&joint, "slack", 1.0);
        mjcf_set(&joint, "stiffness", s->stiffness);
        mjcf_set(&joint, "offset", sign * t->offset);
        mjcf_set(&joint, "rest", sign * s->rest[upper]);
        status = mjcf_join(m, node, joint.name, name, upper ? "long" : "short");
        if (status == DLS_OK)
            status = mjcf_add_joint(&joint);
    }
    free(terms);
    return status;
}

static dls_status add_forces(const mjcf *m, const xmlNode *node, const char *name, const mjcf_tendon *t, spring s)
{
    s.stiffness = m->on.spring ? s.stiffness : 0.0;
    s.damping = m->on.damper ? s.damping : 0.0;
    DLS_TRY(add_tendon(m, node, name, t, &s));
    if (s.stiffness > 0.0 && s.rest[0] < s.rest[1])
        DLS_TRY(add_band(m, node, name, t, &s));
    if (!(s.friction > 0.0) || !m->on.frictionloss)
        return DLS_OK;
    mjcf_new_joint motor = tendon_joint(m, node, t, "motor");
    mjcf_set(&motor, "force", s.friction);
    DLS_TRY(mjcf_join(m, node, motor.name, name, "friction"));
    return mjcf_add_joint(&motor);
}

/* --- all --- */

static dls_status read_tendon(mjcf *m, const xmlNode *node)
{
    mjcf_tendon t = {.first = m->n_terms};
    mjcf_element e;
    char name[DLS_NAME_MAX];
    spring s;
    DLS_TRY(mjcf_open(m, node, "tendon", m->main_class, &e));
    DLS_TRY(mjcf_name(m, &m->tendon_names, node, "tendon", m->n_tendons, name));
    DLS_TRY(mjcf_claim(m, node, "tendon", name));
    if (!DLS_GROW(m->tendons, m->cap_tendons, m->n_tendons + 1))
        return dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for %zu tendons", m->n_tendons + 1);
    mjcf_tendon *kept = &m->tendons[m->n_tendons++];
    kept->left_out = true;
    DLS_TRY(dls_xml_is_element(node, "fixed") ? read_fixed(m, node, &t) : read_path(m, node, name, &t));
    *kept = t;
    DLS_TRY(read_spring(m, &e, &t, &s));
    if (t.count == 0)
        return dls_xml_bad(&m->x, node, NULL,
                           "the length of the tendon does not change; it needs joints, or sites on two bodies");
    return add_forces(m, node, name, &t, s);
}

dls_status mjcf_find_tendon(const mjcf *m, const xmlNode *node, const char *attribute, const mjcf_tendon **tendon)
{
    size_t index;
    DLS_TRY(mjcf_find(m, &m->tendon_names, node, attribute, "tendon", &index));
    *tendon = &m->tendons[index];
    return (*tendon)->left_out ? dls_xml_fail(&m->x, DLS_REFUSED, node, attribute, "the tendon is left out") : DLS_OK;
}

dls_status mjcf_read_tendons(mjcf *m, const xmlNode *root)
{
    for (const xmlNode *at = dls_xml_child(root, "tendon"); at; at = dls_xml_next(at->next, "tendon"))
        for (const xmlNode *node = dls_xml_next(at->children, NULL); node; node = dls_xml_next(node->next, NULL))
            DLS_TRY(dls_xml_drop_refused(&m->x, read_tendon(m, node), DLS_ASPECT_CONSTRAINTS));
    return DLS_OK;
}
