/* Actuators of MJCF on joints of one degree of freedom and on tendons, with ctrl = 0 at the start, or as a keyframe
 * says.
 *
 * Their length is l = gear y, with y the joint's coordinate or the tendon's length, and their force is f = gain ctrl +
 * bias, which acts on y with gear f. bias = b0 + b1 l + b2 l'. So with b1 <= 0 and b2 <= 0 each is a drive on the
 * coordinates with the gears times `gear`,
 *
 *     f = feed - stiffness (l - target) - damping (l' - speed),   stiffness = -b1,  damping = -b2
 *
 * whose setpoint replaces ctrl: `position` has b1 = -kp and target = ctrl, `velocity` b2 = -kv and speed = ctrl. A
 * `motor` has no force until a program, or a keyframe, applies one.
 */
#include "mjcf.h"

#include "base/memory.h"
#include "delassus/start.h"

#include <stdlib.h>
#include <string.h>

static const char tags[] = "general motor position velocity";

typedef struct actuator {
    double gear, bias[3], range[2];
    double target, speed, feed; /* due to ctrl */
    bool limited;
} actuator;

/* --- laws --- */

/* Clamps ctrl to its range. */
static dls_status read_ctrl(const mjcf *m, const mjcf_element *e, double *ctrl)
{
    double range[2] = {0.0, 0.0};
    bool limited;
    int count;
    DLS_TRY(mjcf_limited(m, e, "ctrllimited", "ctrlrange", &limited));
    DLS_TRY(mjcf_vector(m, e, "ctrlrange", range, 2, &count));
    if (limited && m->on.clampctrl)
        *ctrl = fmin(fmax(*ctrl, range[0]), range[1]);
    return !limited || range[0] <= range[1]
               ? DLS_OK
               : dls_xml_bad(&m->x, mjcf_holder(m, e, "ctrlrange"), "ctrlrange", "needs lower <= upper");
}

static dls_status read_position(const mjcf *m, const mjcf_element *e, double ctrl, actuator *a)
{
    double kp = 1.0, kv = 0.0;
    DLS_TRY(mjcf_number(m, e, "kp", &kp));
    DLS_TRY(mjcf_number(m, e, "kv", &kv));
    a->bias[1] = -kp, a->bias[2] = -kv;
    a->target = ctrl;
    return DLS_OK;
}

static dls_status read_velocity(const mjcf *m, const mjcf_element *e, double ctrl, actuator *a)
{
    double kv = 1.0;
    DLS_TRY(mjcf_number(m, e, "kv", &kv));
    a->bias[2] = -kv;
    a->speed = ctrl;
    return DLS_OK;
}

static dls_status read_motor(const mjcf *m, const mjcf_element *e, double ctrl, actuator *a)
{
    (void)m, (void)e;
    a->feed = ctrl;
    return DLS_OK;
}

static dls_status read_general(const mjcf *m, const mjcf_element *e, double ctrl, actuator *a)
{
    static const char *const dynamics[] = {"none", NULL}, *const gains[] = {"fixed", NULL},
                             *const biases[] = {"none", "affine", NULL};
    double gain[10] = {1.0}, bias[10] = {0.0};
    int choice = 0, affine = 0, count;
    DLS_TRY(mjcf_choice(m, e, "dyntype", dynamics, &choice));
    DLS_TRY(mjcf_choice(m, e, "gaintype", gains, &choice));
    DLS_TRY(mjcf_choice(m, e, "biastype", biases, &affine));
    DLS_TRY(mjcf_numbers(m, e, "gainprm", gain, 1, 10, &count));
    DLS_TRY(mjcf_numbers(m, e, "biasprm", bias, 1, 10, &count));
    if (affine)
        memcpy(a->bias, bias, sizeof a->bias);
    a->feed = a->bias[0] + gain[0] * ctrl;
    return DLS_OK;
}

static const struct {
    const char *name;
    dls_status (*read)(const mjcf *m, const mjcf_element *e, double ctrl, actuator *a);
} laws[] = {{"position", read_position}, {"velocity", read_velocity}, {"motor", read_motor}, {"general", read_general}};

static dls_status read_law(const mjcf *m, const mjcf_element *e, double ctrl, actuator *a)
{
    double gear[6] = {1.0};
    int count;
    DLS_TRY(read_ctrl(m, e, &ctrl));
    DLS_TRY(mjcf_numbers(m, e, "gear", gear, 1, 6, &count));
    *a = (actuator){.gear = gear[0]};
    for (size_t k = 0; k < sizeof laws / sizeof laws[0]; k++)
        if (dls_xml_is_element(e->node, laws[k].name))
            DLS_TRY(laws[k].read(m, e, ctrl, a));
    if (!(a->bias[1] <= 0.0) || !(a->bias[2] <= 0.0))
        return dls_xml_fail(&m->x, DLS_REFUSED, e->node, "biasprm",
                            "a force that grows with length or speed has no counterpart");
    DLS_TRY(mjcf_limited(m, e, "forcelimited", "forcerange", &a->limited));
    DLS_TRY(mjcf_vector(m, e, "forcerange", a->range, 2, &count));
    if (a->limited && !(a->range[0] <= 0.0 && a->range[1] >= 0.0))
        return dls_xml_fail(&m->x, DLS_REFUSED, mjcf_holder(m, e, "forcerange"), "forcerange",
                            "a range of forces without 0 has no counterpart");
    return DLS_OK;
}

/* --- coordinates on which they act --- */

static dls_status find_coordinates(const mjcf *m, const xmlNode *node, mjcf_tendon *on, dls_term_def *own,
                                   const dls_term_def **terms)
{
    size_t index;
    bool there;
    char name[DLS_NAME_MAX];
    DLS_TRY(dls_xml_attribute(&m->x, node, "tendon", name, sizeof name, &there));
    if (there) {
        DLS_TRY(mjcf_find(m, &m->tendon_names, node, "tendon", "tendon", &index));
        *on = m->tendons[index];
        *terms = m->terms + on->first;
        return DLS_OK;
    }
    DLS_TRY(dls_xml_attribute(&m->x, node, "joint", name, sizeof name, &there));
    const char *attribute = there ? "joint" : "jointinparent";
    DLS_TRY(mjcf_find(m, &m->joint_names, node, attribute, "joint", &index));
    if (!m->joints[index].one_way)
        return dls_xml_fail(&m->x, DLS_REFUSED, node, attribute,
                            "an actuator of a ball or free joint has no counterpart; apply the force from a program");
    *on = (mjcf_tendon){.count = 1};
    *own = (dls_term_def){.gear = 1.0};
    memcpy(own->coordinate, m->joints[index].coordinate, sizeof own->coordinate);
    *terms = own;
    return DLS_OK;
}

/* The target refers to the sum of the terms alone. */
static dls_setpoint setpoint_of(const actuator *a, double offset)
{
    return (dls_setpoint){a->target - a->gear * offset, a->speed, a->feed};
}

static void set_law(mjcf_new_joint *drive, const actuator *a, double offset)
{
    const dls_setpoint setpoint = setpoint_of(a, offset);
    if (a->bias[1] < 0.0)
        mjcf_set(drive, "stiffness", -a->bias[1]);
    if (a->bias[2] < 0.0)
        mjcf_set(drive, "damping", -a->bias[2]);
    mjcf_set(drive, "target", setpoint.target);
    mjcf_set(drive, "speed", setpoint.speed);
    mjcf_set(drive, "feed", setpoint.force);
    if (a->limited) {
        mjcf_set(drive, "force_lo", a->range[0]);
        mjcf_set(drive, "force_hi", a->range[1]);
    }
}

static dls_status add_drive(const mjcf *m, const xmlNode *node, const char *name, const actuator *a)
{
    mjcf_tendon on = {0};
    dls_term_def own;
    const dls_term_def *from = NULL;
    DLS_TRY(find_coordinates(m, node, &on, &own, &from));
    dls_term_def *terms = calloc(on.count + 1, sizeof *terms);
    if (!terms)
        return dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for the coordinates of an actuator");
    for (size_t k = 0; k < on.count; k++) {
        terms[k] = from[k];
        terms[k].gear *= a->gear;
    }
    mjcf_new_joint drive = {.m = m, .node = node, .type = "drive", .terms = terms, .n_terms = on.count};
    memcpy(drive.name, name, sizeof drive.name);
    set_law(&drive, a, on.offset);
    dls_status status = mjcf_add_joint(&drive);
    free(terms);
    return status;
}

/* --- all --- */

static dls_status read_actuator(mjcf *m, const xmlNode *node)
{
    mjcf_element e;
    char name[DLS_NAME_MAX];
    actuator a;
    DLS_TRY(mjcf_open(m, node, tags, m->main_class, &e));
    DLS_TRY(mjcf_name(m, &m->actuator_names, node, "actuator", m->actuator_names.names.count, name));
    DLS_TRY(mjcf_claim(m, node, "actuator", name));
    DLS_TRY(read_law(m, &e, 0.0, &a));
    if (!DLS_GROW(m->actuators, m->cap_actuators, m->n_actuators + 1))
        return dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for %zu actuators", m->n_actuators + 1);
    m->actuators[m->n_actuators].node = node;
    memcpy(m->actuators[m->n_actuators++].drive, name, sizeof name);
    if (a.bias[1] < 0.0 || a.bias[2] < 0.0)
        return add_drive(m, node, name, &a);
    return a.feed == 0.0
               ? mjcf_note(m, node, "motor", "motors have no force until a program applies one")
               : dls_xml_fail(&m->x, DLS_REFUSED, node, "ctrlrange",
                              "a motor with a force at the start has no counterpart; let its ctrlrange have 0");
}

/* A constant force of a motor on the joints that it pulls at. */
static dls_status start_motor(const mjcf *m, const xmlNode *node, const actuator *a, dls_start *start)
{
    const double force = a->gear * (a->limited ? fmin(fmax(a->feed, a->range[0]), a->range[1]) : a->feed);
    mjcf_tendon on = {0};
    dls_term_def own;
    const dls_term_def *terms = NULL;
    DLS_TRY(find_coordinates(m, node, &on, &own, &terms));
    for (size_t t = 0; t < on.count; t++) {
        size_t k = 0;
        while (k < m->n_joints && strcmp(m->joints[k].coordinate, terms[t].coordinate) != 0)
            k++;
        if (k == m->n_joints)
            return dls_xml_fail(&m->x, DLS_REFUSED, node, "tendon",
                                "a force of a motor on a spatial tendon has no counterpart; write its ctrl as 0");
        start->joints[k].effort += force * terms[t].gear;
    }
    return DLS_OK;
}

dls_status mjcf_start_actuator(const mjcf *m, size_t k, double ctrl, dls_start *start)
{
    const xmlNode *node = m->actuators[k].node;
    mjcf_tendon on = {0};
    dls_term_def own;
    const dls_term_def *terms;
    mjcf_element e;
    actuator a;
    DLS_TRY(mjcf_open(m, node, tags, m->main_class, &e));
    DLS_TRY(read_law(m, &e, ctrl, &a));
    if (a.bias[1] == 0.0 && a.bias[2] == 0.0)
        return a.feed == 0.0 ? DLS_OK : start_motor(m, node, &a, start);
    DLS_TRY(find_coordinates(m, node, &on, &own, &terms));
    dls_start_drive *drive = &start->drives[start->n_drives++];
    memcpy(drive->joint, m->actuators[k].drive, sizeof drive->joint);
    drive->setpoint = setpoint_of(&a, on.offset);
    return DLS_OK;
}

dls_status mjcf_read_actuators(mjcf *m, const xmlNode *root)
{
    for (const xmlNode *at = dls_xml_child(root, "actuator"); m->on.actuation && at;
         at = dls_xml_next(at->next, "actuator"))
        for (const xmlNode *node = dls_xml_next(at->children, NULL); node; node = dls_xml_next(node->next, NULL))
            DLS_TRY(read_actuator(m, node));
    return DLS_OK;
}
