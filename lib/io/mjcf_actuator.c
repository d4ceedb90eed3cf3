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
#include "delassus/articulation.h"
#include "delassus/start.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char tags[] = "general motor position velocity intvelocity damper cylinder";

typedef struct actuator {
    double gear, bias[3], range[2];
    double target, speed, feed; /* due to ctrl */
    bool limited;
    bool has_dynamics; /* ctrl acts through an activation, which is 0 at the start */
    double damping_ratio;
    size_t n_activations;
} actuator;

static dls_status refuse_actuator(const mjcf *m, const mjcf_element *e, const char *key, const char *why)
{
    const xmlNode *at = mjcf_holder(m, e, key);
    return dls_xml_fail(&m->x, DLS_REFUSED, at ? at : e->node, key, "%s", why);
}

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

/* kp, kv and dampratio of a servo. */
static dls_status read_servo(const mjcf *m, const mjcf_element *e, actuator *a)
{
    double kp = 1.0, kv = 0.0;
    DLS_TRY(mjcf_number(m, e, "kp", &kp));
    DLS_TRY(mjcf_number(m, e, "kv", &kv));
    DLS_TRY(mjcf_number(m, e, "dampratio", &a->damping_ratio));
    a->bias[1] = -kp, a->bias[2] = -kv;
    return a->damping_ratio >= 0.0 && (kv == 0.0 || a->damping_ratio == 0.0)
               ? DLS_OK
               : dls_xml_bad(&m->x, mjcf_holder(m, e, "dampratio"), "dampratio",
                             "must not be negative, and takes the place of kv");
}

static dls_status read_position(const mjcf *m, const mjcf_element *e, double ctrl, actuator *a)
{
    double time_constant = 0.0;
    DLS_TRY(mjcf_number(m, e, "timeconst", &time_constant));
    a->has_dynamics = time_constant > 0.0;
    a->n_activations = a->has_dynamics;
    a->target = a->has_dynamics ? 0.0 : ctrl;
    return read_servo(m, e, a);
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

/* dyntype, in MuJoCo's order. */
typedef enum dynamics { NONE, INTEGRATOR, FILTER, FILTER_EXACT } dynamics;

/* Without a counterpart: what is not simulated here has no effect while the activation, or the control, is 0. */
static dls_status check_dynamics(const mjcf *m, const mjcf_element *e, double ctrl, int dynamic, actuator *a)
{
    double range[2] = {0.0, 0.0}, states = 1.0;
    bool limited;
    int count;
    a->has_dynamics = dynamic != NONE;
    DLS_TRY(mjcf_limited(m, e, "actlimited", "actrange", &limited));
    DLS_TRY(mjcf_vector(m, e, "actrange", range, 2, &count));
    DLS_TRY(mjcf_number(m, e, "actdim", &states));
    a->n_activations = !a->has_dynamics ? 0 : states >= 1.0 && states <= 1e6 ? (size_t)states : 1;
    if (dynamic > FILTER_EXACT)
        return refuse_actuator(m, e, "dyntype", "the dynamics of muscles and of users have no counterpart");
    if (a->has_dynamics && (ctrl != 0.0 || (limited && !(range[0] <= 0.0 && range[1] >= 0.0))))
        return refuse_actuator(m, e, "dyntype",
                               "an activation that does not stay at 0 has no counterpart; let ctrlrange and actrange "
                               "have 0, or write dyntype=\"none\"");
    return a->has_dynamics ? mjcf_note(m, e->node, "dyntype",
                                       "activations are not simulated: what programs set is the activation itself")
                           : DLS_OK;
}

/* A position servo whose target is the integral of ctrl. */
static dls_status read_intvelocity(const mjcf *m, const mjcf_element *e, double ctrl, actuator *a)
{
    DLS_TRY(check_dynamics(m, e, ctrl, INTEGRATOR, a));
    return read_servo(m, e, a);
}

/* f = bias + area times the filtered ctrl, which is 0. */
static dls_status read_cylinder(const mjcf *m, const mjcf_element *e, double ctrl, actuator *a)
{
    int count;
    DLS_TRY(check_dynamics(m, e, ctrl, FILTER, a));
    DLS_TRY(mjcf_numbers(m, e, "bias", a->bias, 1, 3, &count));
    a->feed = a->bias[0];
    return DLS_OK;
}

static dls_status check_gain(const mjcf *m, const mjcf_element *e, double ctrl, const char *key)
{
    return ctrl != 0.0
               ? refuse_actuator(m, e, key, "a gain that depends on length or speed has no counterpart")
               : mjcf_note(m, e->node, key,
                           "the part of the gain that depends on length and speed has no effect while ctrl is 0");
}

/* f = -kv ctrl l'. */
static dls_status read_damper(const mjcf *m, const mjcf_element *e, double ctrl, actuator *a)
{
    (void)a;
    return check_gain(m, e, ctrl, "kv");
}

static dls_status read_general(const mjcf *m, const mjcf_element *e, double ctrl, actuator *a)
{
    static const char *const kinds[] = {"none", "integrator", "filter", "filterexact", "muscle", "user", NULL},
                             *const gains[] = {"fixed", "affine", "muscle", "user", NULL},
                             *const biases[] = {"none", "affine", "muscle", "user", NULL};
    enum { FIXED, AFFINE };
    double gain[10] = {1.0}, bias[10] = {0.0};
    int dynamic = 0, gaining = FIXED, biased = 0, count;
    DLS_TRY(mjcf_choice(m, e, "dyntype", kinds, &dynamic));
    DLS_TRY(mjcf_choice(m, e, "gaintype", gains, &gaining));
    DLS_TRY(mjcf_choice(m, e, "biastype", biases, &biased));
    DLS_TRY(mjcf_numbers(m, e, "gainprm", gain, 1, 10, &count));
    DLS_TRY(mjcf_numbers(m, e, "biasprm", bias, 1, 10, &count));
    if (gaining > AFFINE || biased > AFFINE)
        return refuse_actuator(m, e, gaining > AFFINE ? "gaintype" : "biastype",
                               "gains and biases of muscles and of users have no counterpart");
    DLS_TRY(check_dynamics(m, e, ctrl, dynamic, a));
    if (biased)
        memcpy(a->bias, bias, sizeof a->bias);
    if (gaining == AFFINE && (gain[1] != 0.0 || gain[2] != 0.0))
        DLS_TRY(check_gain(m, e, ctrl, "gaintype"));
    if (gain[0] == -bias[1] && bias[2] > 0.0) /* as MuJoCo understands it */
        a->damping_ratio = bias[2], a->bias[2] = 0.0;
    a->feed = a->bias[0] + (a->has_dynamics ? 0.0 : gain[0] * ctrl);
    return DLS_OK;
}

static const struct {
    const char *name;
    dls_status (*read)(const mjcf *m, const mjcf_element *e, double ctrl, actuator *a);
} laws[] = {{"position", read_position}, {"velocity", read_velocity},       {"motor", read_motor},
            {"general", read_general},   {"intvelocity", read_intvelocity}, {"damper", read_damper},
            {"cylinder", read_cylinder}};
enum { LAWS = sizeof laws / sizeof laws[0] };

static dls_status read_law(const mjcf *m, const mjcf_element *e, double ctrl, actuator *a)
{
    double gear[6] = {1.0};
    int count;
    DLS_TRY(read_ctrl(m, e, &ctrl));
    DLS_TRY(mjcf_numbers(m, e, "gear", gear, 1, 6, &count));
    *a = (actuator){.gear = gear[0]};
    size_t k = 0;
    while (k < LAWS && !dls_xml_is_element(e->node, laws[k].name))
        k++;
    if (k == LAWS)
        return dls_xml_fail(&m->x, DLS_REFUSED, e->node, NULL, "<%s> has no counterpart", dls_xml_name(e->node));
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
    static const char *const others[] = {"site", "body", "cranksite", "slidersite"};
    size_t index;
    bool there;
    char name[DLS_NAME_MAX];
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (dls_xml_has(node, others[i]))
            return dls_xml_fail(&m->x, DLS_REFUSED, node, others[i],
                                "an actuator at sites or bodies has no counterpart; apply the force from a program");
    DLS_TRY(dls_xml_attribute(&m->x, node, "tendon", name, sizeof name, &there));
    if (there) {
        const mjcf_tendon *tendon;
        DLS_TRY(mjcf_find_tendon(m, node, "tendon", &tendon));
        *on = *tendon;
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
    *own = (dls_term_def){.gears = {1.0}};
    memcpy(own->coordinate, m->joints[index].coordinate, sizeof own->coordinate);
    *terms = own;
    return DLS_OK;
}

/* The target refers to the sum of the terms alone. */
static dls_setpoint setpoint_of(const actuator *a, double offset)
{
    return (dls_setpoint){a->target - a->gear * offset, a->speed, a->feed};
}

/* The joint with that coordinate; NULL: it is that of a segment. */
static mjcf_joint *joint_at(const mjcf *m, const char *coordinate)
{
    for (size_t k = 0; k < m->n_joints; k++)
        if (strcmp(m->joints[k].coordinate, coordinate) == 0)
            return &m->joints[k];
    return NULL;
}

/* The damping d = 2 r sqrt(k M) of a ratio r, with M the inertia that the actuator moves in the reference
 * configuration: the sum of the joints' entries of the mass matrix over the squares of their gears. */
static dls_status damp_by_ratio(const mjcf *m, const xmlNode *node, actuator *a)
{
    mjcf_tendon on = {0};
    dls_term_def own;
    const dls_term_def *terms = NULL;
    double mass = 0.0;
    if (!(a->damping_ratio > 0.0))
        return DLS_OK;
    DLS_TRY(find_coordinates(m, node, &on, &own, &terms));
    for (size_t t = 0; t < on.count; t++) {
        const mjcf_joint *joint = joint_at(m, terms[t].coordinate);
        const double gear = a->gear * terms[t].gears[0];
        if (!joint)
            return dls_xml_fail(&m->x, DLS_REFUSED, node, "dampratio",
                                "a damping ratio on a spatial tendon has no counterpart; write kv");
        mass += gear * gear > 1e-15 ? joint->inertia / (gear * gear) : 0.0; /* MuJoCo's smallest number */
    }
    a->bias[2] = -2.0 * a->damping_ratio * sqrt(-a->bias[1] * mass);
    return DLS_OK;
}

/* The greatest force of all actuators of a joint, which is that of its only drive. */
static dls_status limit_by_joints(const mjcf *m, const xmlNode *node, const mjcf_tendon *on, const dls_term_def *terms,
                                  actuator *a)
{
    for (size_t t = 0; t < on->count; t++) {
        mjcf_joint *joint = joint_at(m, terms[t].coordinate);
        const double gear = a->gear * terms[t].gears[0];
        if (!joint || !joint->force_limited || gear == 0.0)
            continue;
        if (joint->driven || on->count > 1)
            return dls_xml_fail(&m->x, DLS_REFUSED, node, "actuatorfrcrange",
                                "a range of the sum of several actuators, or of one on several joints, has no "
                                "counterpart; write a forcerange for each");
        const double low = joint->force_range[gear < 0.0] / gear, high = joint->force_range[gear > 0.0] / gear;
        a->range[0] = a->limited ? fmax(a->range[0], low) : low;
        a->range[1] = a->limited ? fmin(a->range[1], high) : high;
        a->limited = true;
        joint->driven = true;
    }
    return DLS_OK;
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

static dls_status add_drive(const mjcf *m, const xmlNode *node, const char *name, actuator *a)
{
    mjcf_tendon on = {0};
    dls_term_def own;
    const dls_term_def *from = NULL;
    DLS_TRY(find_coordinates(m, node, &on, &own, &from));
    DLS_TRY(limit_by_joints(m, node, &on, from, a));
    dls_term_def *terms = calloc(on.count + 1, sizeof *terms);
    if (!terms)
        return dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for the coordinates of an actuator");
    for (size_t k = 0; k < on.count; k++) {
        terms[k] = from[k];
        terms[k].gears[0] *= a->gear;
    }
    mjcf_new_joint drive = {.m = m, .node = node, .type = "drive", .terms = terms, .n_terms = on.count};
    memcpy(drive.name, name, sizeof drive.name);
    set_law(&drive, a, on.offset);
    dls_status status = mjcf_add_joint(&drive);
    free(terms);
    return status;
}

/* --- all --- */

/* The constant force of a motor on joint number k of m->joints, at gear `gear` of its coordinate. */
static double motor_force(const mjcf_joint *joint, const actuator *a, double gear)
{
    const double force = a->limited ? fmin(fmax(a->feed, a->range[0]), a->range[1]) : a->feed;
    const double on_joint = a->gear * force * gear;
    return joint->force_limited ? fmin(fmax(on_joint, joint->force_range[0]), joint->force_range[1]) : on_joint;
}

/* Finds the joints that a motor pulls at; DLS_REFUSED if it is at others than joints, or shares the range of one. */
static dls_status find_pulled(const mjcf *m, const xmlNode *node, mjcf_tendon *on, dls_term_def *own,
                              const dls_term_def **terms)
{
    DLS_TRY(find_coordinates(m, node, on, own, terms));
    for (size_t t = 0; t < on->count; t++) {
        const mjcf_joint *joint = joint_at(m, (*terms)[t].coordinate);
        if (!joint)
            return dls_xml_fail(&m->x, DLS_REFUSED, node, "tendon",
                                "a force of a motor on a spatial tendon has no counterpart; write its ctrl as 0");
        if (joint->force_limited && (joint->driven || on->count > 1))
            return dls_xml_fail(&m->x, DLS_REFUSED, node, "actuatorfrcrange",
                                "a range of the sum of several actuators has no counterpart");
    }
    return DLS_OK;
}

/* A motor that pulls from the start on, since 0 is not in its ctrlrange, or it has a bias: efforts of the joints. */
static dls_status push_joints(mjcf *m, const xmlNode *node, const actuator *a)
{
    mjcf_tendon on = {0};
    dls_term_def own;
    const dls_term_def *terms = NULL;
    DLS_TRY(find_pulled(m, node, &on, &own, &terms));
    for (size_t t = 0; t < on.count; t++) {
        mjcf_joint *joint = joint_at(m, terms[t].coordinate);
        const char *dot = strchr(joint->coordinate, '.');
        char tree[DLS_NAME_MAX];
        snprintf(tree, sizeof tree, "%.*s", (int)(dot - joint->coordinate), joint->coordinate);
        dls_articulation_def *def = dls_scene_articulation(m->scene, tree);
        for (size_t i = 0; i < def->n_links; i++)
            if (strcmp(def->links[i].joint, dot + 1) == 0)
                def->links[i].effort[0] += motor_force(joint, a, terms[t].gears[0]);
        joint->driven = true;
    }
    return DLS_OK;
}

static bool is_motor(const actuator *a) { return a->bias[1] == 0.0 && a->bias[2] == 0.0; }

static dls_status read_actuator(mjcf *m, const xmlNode *node)
{
    mjcf_element e;
    char name[DLS_NAME_MAX];
    actuator a;
    DLS_TRY(mjcf_open(m, node, tags, m->main_class, &e));
    DLS_TRY(mjcf_name(m, &m->actuator_names, node, "actuator", m->actuator_names.names.count, name));
    DLS_TRY(mjcf_claim(m, node, "actuator", name));
    if (!DLS_GROW(m->actuators, m->cap_actuators, m->n_actuators + 1))
        return dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for %zu actuators", m->n_actuators + 1);
    mjcf_actuator *to = &m->actuators[m->n_actuators++];
    *to = (mjcf_actuator){.node = node, .left_out = true};
    memcpy(to->drive, name, sizeof name);
    DLS_TRY(read_law(m, &e, 0.0, &a));
    to->n_activations = a.n_activations, to->has_dynamics = a.has_dynamics;
    DLS_TRY(damp_by_ratio(m, node, &a));
    if (is_motor(&a))
        DLS_TRY(a.feed == 0.0 ? mjcf_note(m, node, "motor", "motors have no force until a program applies one")
                              : push_joints(m, node, &a));
    else
        DLS_TRY(add_drive(m, node, name, &a));
    to->left_out = false;
    return DLS_OK;
}

/* A constant force of a motor, in place of `before`, that of the reference configuration. */
static dls_status start_motor(const mjcf *m, const xmlNode *node, const actuator *a, const actuator *before,
                              dls_start *start)
{
    mjcf_tendon on = {0};
    dls_term_def own;
    const dls_term_def *terms = NULL;
    DLS_TRY(find_pulled(m, node, &on, &own, &terms));
    for (size_t t = 0; t < on.count; t++) {
        const mjcf_joint *joint = joint_at(m, terms[t].coordinate);
        start->joints[joint - m->joints].effort +=
            motor_force(joint, a, terms[t].gears[0]) - motor_force(joint, before, terms[t].gears[0]);
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
    if (m->actuators[k].left_out)
        return DLS_OK;
    DLS_TRY(mjcf_open(m, node, tags, m->main_class, &e));
    DLS_TRY(read_law(m, &e, ctrl, &a));
    DLS_TRY(damp_by_ratio(m, node, &a));
    if (m->actuators[k].has_dynamics && ctrl != 0.0)
        return dls_xml_fail(&m->x, DLS_REFUSED, node, "ctrl", "the control of an activation is not 0");
    if (is_motor(&a)) {
        actuator before;
        DLS_TRY(read_law(m, &e, 0.0, &before));
        return a.feed == before.feed ? DLS_OK : start_motor(m, node, &a, &before, start);
    }
    DLS_TRY(find_coordinates(m, node, &on, &own, &terms));
    dls_start_drive *drive = &start->drives[start->n_drives++];
    memcpy(drive->joint, m->actuators[k].drive, sizeof drive->joint);
    drive->setpoint = setpoint_of(&a, on.offset);
    return DLS_OK;
}

static dls_status weigh_for_ratios(mjcf *m, const xmlNode *root)
{
    bool needed = false;
    for (const xmlNode *at = dls_xml_child(root, "actuator"); at; at = dls_xml_next(at->next, "actuator"))
        for (const xmlNode *node = dls_xml_next(at->children, NULL); node; node = dls_xml_next(node->next, NULL)) {
            mjcf_element e;
            DLS_TRY(mjcf_open(m, node, tags, m->main_class, &e));
            needed = needed || mjcf_holder(m, &e, "dampratio") || mjcf_holder(m, &e, "biasprm");
        }
    return needed ? mjcf_weigh_joints(m) : DLS_OK;
}

dls_status mjcf_read_actuators(mjcf *m, const xmlNode *root)
{
    if (m->on.actuation)
        DLS_TRY(weigh_for_ratios(m, root));
    for (const xmlNode *at = dls_xml_child(root, "actuator"); m->on.actuation && at;
         at = dls_xml_next(at->next, "actuator"))
        for (const xmlNode *node = dls_xml_next(at->children, NULL); node; node = dls_xml_next(node->next, NULL))
            DLS_TRY(dls_xml_drop_refused(&m->x, read_actuator(m, node), DLS_ASPECT_ACTUATORS));
    return DLS_OK;
}
