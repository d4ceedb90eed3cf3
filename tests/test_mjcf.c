/* Models in MJCF: what becomes of each element, what is noted, and what is refused, where. Against MuJoCo itself:
 * test_mujoco.c. */
#include "delassus/articulation.h"
#include "delassus/io.h"
#include "delassus/model.h"
#include "delassus/simulation.h"
#include "delassus/solvers.h"

#include "check.h"

#include <stdio.h>
#include <string.h>

static dls_status read_text(const char *text, dls_scene **scene, dls_error *error)
{
    return dls_scene_parse(text, strlen(text), "model.xml", scene, error);
}

/* <mujoco> around it. */
static dls_scene *read_inside(const char *inside)
{
    static char text[8192];
    dls_scene *scene;
    dls_error error;
    snprintf(text, sizeof text, "<mujoco model='m'>%s</mujoco>", inside);
    assert_status(read_text(text, &scene, &error), &error);
    return scene;
}

static const dls_joint_def *joint_of(const dls_scene *scene, const char *name)
{
    for (size_t i = 0; i < scene->n_joints; i++)
        if (strcmp(scene->joints[i].name, name) == 0)
            return &scene->joints[i];
    print_error("there is no joint '%s'\n", name);
    fail();
    return NULL;
}

/* The setting of a joint as text. */
static const char *setting(const dls_joint_def *joint, const char *key)
{
    static char text[128];
    const dls_field *field = dls_field_find(&joint->type->fields, key);
    const void *values = joint->settings.values;
    if (!field) {
        field = dls_field_find(&dls_joint_common_fields, key);
        values = &joint->common;
    }
    assert_non_null(field);
    dls_field_print(field, values, text, sizeof text);
    return text;
}

static void assert_setting(const dls_scene *scene, const char *joint, const char *key, double expected)
{
    assert_close(strtod(setting(joint_of(scene, joint), key), NULL), expected, 1e-14 * fmax(1.0, fabs(expected)));
}

static const dls_note *note_of(const dls_scene *scene, const char *key)
{
    for (size_t i = 0; i < scene->n_notes; i++)
        if (strcmp(scene->notes[i].key, key) == 0)
            return &scene->notes[i];
    return NULL;
}

#define BALL "<geom size='0.1' contype='0' conaffinity='0'/>"

static void test_options(void **unused)
{
    (void)unused;
    dls_scene *scene =
        read_inside("<option timestep='0.003' gravity='1 2 -3' integrator='RK4'/><worldbody><body><freejoint/>" BALL
                    "</body></worldbody>");
    assert_string_equal(scene->name, "m");
    assert_close(scene->world.step, 0.003, 0.0);
    assert_close(scene->world.gravity.y, 2.0, 0.0);
    assert_false(scene->world.collide);
    assert_non_null(note_of(scene, "option.integrator"));
    dls_scene_destroy(scene);
    scene = read_inside("<option><flag gravity='disable'/></option><worldbody><body><freejoint/>" BALL
                        "</body></worldbody>");
    assert_close(dls_norm(scene->world.gravity), 0.0, 0.0);
    assert_close(scene->world.step, 0.002, 0.0);
    dls_scene_destroy(scene);
}

/* An attribute is the element's, its class's, that class's parent's, and so on; childclass is inherited by bodies. */
static void test_defaults(void **unused)
{
    (void)unused;
    dls_scene *scene = read_inside(
        "<default><joint damping='1' stiffness='2'/><default class='a'><joint damping='3'/><default class='b'>"
        "<joint frictionloss='4'/></default></default></default><worldbody>"
        "<body name='t'><joint name='none'/>" BALL "<body childclass='b'><joint name='inherits'/>" BALL
        "<body><joint name='still'/>" BALL "<body><joint name='own' class='a' damping='7'/>" BALL
        "<body childclass='main'><joint name='back'/>" BALL "</body></body></body></body></body></worldbody>");
    static const struct {
        const char *joint;
        double damping, stiffness;
        bool friction;
    } cases[] = {{"none", 1, 2, false},
                 {"inherits", 3, 2, true},
                 {"still", 3, 2, true},
                 {"own", 7, 2, false},
                 {"back", 1, 2, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char name[DLS_NAME_MAX];
        snprintf(name, sizeof name, "t.%s damping", cases[i].joint);
        assert_setting(scene, name, "damping", cases[i].damping);
        snprintf(name, sizeof name, "t.%s spring", cases[i].joint);
        assert_setting(scene, name, "stiffness", cases[i].stiffness);
        snprintf(name, sizeof name, "t.%s friction", cases[i].joint);
        bool found = false;
        for (size_t k = 0; k < scene->n_joints; k++)
            found = found || strcmp(scene->joints[k].name, name) == 0;
        assert_int_equal(found, cases[i].friction);
    }
    dls_scene_destroy(scene);
}

/* Degrees by default; limits, springs and references of hinges are angles, those of slides lengths. */
static void test_joints(void **unused)
{
    (void)unused;
    dls_scene *scene =
        read_inside("<worldbody><body name='fix.ed' pos='0 0 1'><body name='t.x'><joint name='h' range='-90 45' "
                    "ref='30' springref='60' stiffness='5'/>"
                    "<joint name='s' type='slide' range='-1 2' limited='true' ref='0.5' armature='0.25'/>" BALL
                    "<body name='rigid' pos='0 0 3'>" BALL "</body></body></body></worldbody>");
    assert_int_equal(scene->n_articulations, 1);
    const dls_articulation_def *def = scene->articulations[0];
    assert_string_equal(def->name, "t_x");
    assert_true(def->fixed_base);
    assert_int_equal(def->n_links, 4);
    assert_string_equal(def->links[0].name, "fix.ed");
    assert_close(def->links[0].position.z, 1.0, 0.0);
    const dls_link_def *h = dls_articulation_def_find(def, "t.x h"), *s = dls_articulation_def_find(def, "t.x");
    assert_string_equal(s->parent, "t.x h");
    assert_close(h->mass, 0.0, 0.0);
    assert_close(dls_norm(h->position) + dls_norm(s->position), 0.0, 0.0);
    assert_close(s->mass, 1000.0 * 4.0 / 3.0 * DLS_PI * 1e-3, 1e-12);
    assert_close(s->armature[0], 0.25, 0.0);
    assert_close(h->q[0], DLS_PI / 6.0, 1e-15);
    assert_close(s->q[0], 0.5, 0.0);
    assert_string_equal(dls_articulation_def_find(def, "rigid")->motion->name, "fix");
    assert_setting(scene, "t_x.h limit", "lower", -DLS_PI / 2.0);
    assert_setting(scene, "t_x.h limit", "upper", DLS_PI / 4.0);
    assert_setting(scene, "t_x.h spring", "target", DLS_PI / 3.0);
    assert_setting(scene, "t_x.s limit", "upper", 2.0);
    dls_scene_destroy(scene);
}

/* Mass, centre and inertia from geoms: two unlike spheres, and a full tensor as it is written. */
static void test_masses(void **unused)
{
    (void)unused;
    dls_scene *scene =
        read_inside("<worldbody><body name='t' pos='0 0 9'><freejoint/>"
                    "<geom type='sphere' size='0.2' mass='2' pos='1 0 0' contype='0' conaffinity='0'/>"
                    "<geom type='sphere' size='0.1' mass='3' pos='-1 0 0' contype='0' conaffinity='0'/>"
                    "<geom type='box' size='1 1 1' mass='50' group='6' contype='0' conaffinity='0'/>"
                    "<body name='u'><joint/><inertial pos='0.1 0 0' mass='4' fullinertia='3 4 5 0.3 0.2 0.1'/>" BALL
                    "</body></body></worldbody>");
    const dls_link_def *t = dls_articulation_def_find(scene->articulations[0], "t"),
                       *u = dls_articulation_def_find(scene->articulations[0], "u");
    const double own = 0.4 * (2.0 * 0.04 + 3.0 * 0.01);
    assert_close(t->mass, 5.0, 1e-15);
    assert_close(t->centre.x, -0.2, 1e-15);
    assert_close(t->inertia.m[0], own, 1e-15);
    assert_close(t->inertia.m[4], own + 2.0 * 1.2 * 1.2 + 3.0 * 0.8 * 0.8, 1e-14);
    assert_close(t->position.z, 9.0, 0.0);
    assert_close(u->mass, 4.0, 0.0);
    assert_close(u->inertia.m[1], 0.3, 0.0);
    assert_close(u->inertia.m[5], 0.1, 0.0);
    dls_scene_destroy(scene);
}

/* gravcomp="0.75" carries three quarters of the weight: a quarter of the acceleration is left. */
static void test_gravity_compensation(void **unused)
{
    (void)unused;
    dls_scene *scene =
        read_inside("<worldbody><body name='t' gravcomp='0.75'><freejoint/><inertial pos='0 0 0' mass='3' "
                    "diaginertia='1 1 1'/></body></worldbody>");
    assert_close(scene->articulations[0]->links[0].force.z, 0.75 * 3.0 * 9.81, 1e-14);
    dls_scene_destroy(scene);
}

/* Two lengths of rest are two tendons that go slack; on minus the length the lower one pushes. */
static void test_tendon_with_a_dead_band(void **unused)
{
    (void)unused;
    dls_scene *scene = read_inside("<worldbody><body name='t'><joint name='j' type='slide'/>" BALL
                                   "</body></worldbody><tendon><fixed name='c' stiffness='8' springlength='-0.25 0.5'>"
                                   "<joint joint='j' coef='2'/></fixed></tendon>");
    assert_setting(scene, "c long", "rest", 0.5);
    assert_setting(scene, "c short", "rest", 0.25);
    assert_close(joint_of(scene, "c long")->terms[0].gear, 2.0, 0.0);
    assert_close(joint_of(scene, "c short")->terms[0].gear, -2.0, 0.0);
    assert_string_equal(setting(joint_of(scene, "c short"), "slack"), "true");
    dls_scene_destroy(scene);
}

static void test_actuators(void **unused)
{
    (void)unused;
    dls_scene *scene =
        read_inside("<default><general ctrlrange='2 3'/><position kp='9'/></default><worldbody><body name='t'><joint "
                    "name='j'/>" BALL "</body></worldbody><actuator><position name='p' joint='j' gear='4'/><velocity "
                    "name='v' joint='j' ctrlrange='-1 1' kv='6' "
                    "forcerange='-2 5'/><motor joint='j' ctrllimited='false'/></actuator>");
    assert_setting(scene, "p", "stiffness", 9.0);
    assert_setting(scene, "p", "target", 2.0); /* 0 is not in its range */
    assert_close(joint_of(scene, "p")->terms[0].gear, 4.0, 0.0);
    assert_setting(scene, "v", "damping", 6.0);
    assert_setting(scene, "v", "force_lo", -2.0);
    assert_setting(scene, "v", "force_hi", 5.0);
    assert_int_equal(note_of(scene, "motor")->count, 1);
    dls_scene_destroy(scene);
}

/* Contacts: one coefficient, pairs apart that masks or <exclude> keep apart, and a chain of joints is still a parent.
 */
static void test_contacts(void **unused)
{
    (void)unused;
    dls_scene *scene = read_inside(
        "<default><geom size='0.1' friction='0.8'/></default><worldbody><geom name='floor' type='plane'/>"
        "<body name='a' pos='0 0 1'><freejoint/><geom/><body name='b'><joint axis='1 0 0'/><joint axis='0 1 0'/><geom/>"
        "<body name='c'><joint/><geom/></body></body></body>"
        "<body name='d' pos='3 0 1'><freejoint/><geom contype='0' conaffinity='2'/></body></worldbody>"
        "<contact><exclude body1='a' body2='c'/></contact>");
    dls_model *model;
    dls_error error;
    assert_true(scene->world.collide);
    assert_close(scene->world.mu, 0.8, 0.0);
    assert_int_equal(scene->world.friction, DLS_LAW_CONE);
    assert_status(dls_model_create(scene, &model, &error), &error);
    static const struct {
        const char *one, *two;
        bool touch;
    } pairs[] = {{"floor", "a.a", true}, {"floor", "a.c", true}, {"a.a", "a.b", false},  {"a.b", "a.c", false},
                 {"a.a", "a.c", false},  {"d.d", "a.a", false},  {"d.d", "floor", false}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        assert_int_equal(dls_model_may_touch(model, dls_model_find_end(model, pairs[i].one),
                                             dls_model_find_end(model, pairs[i].two)),
                         pairs[i].touch);
    dls_model_destroy(model);
    dls_scene_destroy(scene);
}

/* A sensor in the model is the wrench of the link's joint, about its origin, in its axes: the weight, at rest. */
static void test_force_sensor(void **unused)
{
    (void)unused;
    dls_scene *scene = read_inside(
        "<worldbody><body name='t'><joint name='j' type='slide' axis='1 0 0'/><inertial pos='0 0 0' mass='2' "
        "diaginertia='1 1 1'/>"
        "<body name='u'><joint type='slide' axis='1 0 0'/><inertial pos='0.5 0 0' mass='3' diaginertia='1 1 1'/></body>"
        "<site name='s' pos='0 0.25 0' euler='90 0 0'/></body></worldbody><sensor><force name='f' site='s'/></sensor>");
    dls_model *model;
    dls_error error;
    dls_simulation *simulation;
    dls_spatial wrench;
    dls_simulation_options options = dls_simulation_default();
    assert_status(dls_model_create(scene, &model, &error), &error);
    options.solver = dls_iterative_find("pgs");
    assert_status(dls_simulation_open(model, &options, &simulation, &error), &error);
    assert_status(dls_simulation_step(simulation, 0.001, &error), &error);
    assert_status(dls_simulation_sensor(simulation, 0, &wrench, &error), &error);
    /* z of the world is y of the sensor; the torque of (0, 0, 5 g) at (0, 0, 0) and 3 g at x = 0.5 about (0, 0.25, 0).
     * */
    const double torque_x = -0.25 * 5.0 * 9.81, torque_y = -0.5 * 3.0 * 9.81;
    assert_close(wrench.lin.y, 5.0 * 9.81, 1e-12);
    assert_close(wrench.ang.x, torque_x, 1e-12);
    assert_close(wrench.ang.z, -torque_y, 1e-12);
    dls_simulation_close(simulation);
    dls_model_destroy(model);
    dls_scene_destroy(scene);
}

/* Quaternions need no length of 1, and any of their numbers may be 0 or negative. */
static void test_quaternions(void **unused)
{
    static const char *const components[] = {"w", "x", "y", "z"};
    (void)unused;
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++) {
            double at[4] = {0.0};
            char text[512];
            dls_scene *scene;
            dls_error error;
            if (i == j)
                continue;
            at[i] = 3.0, at[j] = -3.0;
            snprintf(text, sizeof text,
                     "<mujoco><worldbody><body name='b' quat='%g %g %g %g'><freejoint/>" BALL
                     "</body></worldbody></mujoco>",
                     at[0], at[1], at[2], at[3]);
            assert_status(read_text(text, &scene, &error), &error);
            const dls_quat q = scene->articulations[0]->links[0].orientation;
            const double found[] = {q.w, q.x, q.y, q.z}, sign = found[i] > 0.0 ? 1.0 : -1.0;
            for (size_t k = 0; k < 4; k++)
                if (!(fabs(sign * found[k] - at[k] / sqrt(18.0)) <= 1e-15))
                    fail_msg("%s of %s - %s: %g", components[k], components[i], components[j], found[k]);
            dls_scene_destroy(scene);
        }
}

/* A site between two points: in their middle, its z from the second to the first. */
static void test_site_between_points(void **unused)
{
    (void)unused;
    dls_scene *scene = read_inside(
        "<worldbody><body name='t'><joint name='j'/>" BALL
        "<site name='s' fromto='1 2 4 3 -4 7'/></body></worldbody><sensor><force name='f' site='s'/></sensor>");
    const dls_sensor_def *sensor = &scene->sensors[0];
    assert_below(dls_norm(dls_sub(sensor->position, dls_v3(2.0, -1.0, 5.5))), 1e-15);
    const dls_vec3 z = dls_quat_rotate(sensor->orientation, dls_v3(0.0, 0.0, 1.0)), expected = dls_v3(-2.0, 6.0, -3.0);
    assert_below(dls_norm(dls_sub(z, dls_scale(1.0 / 7.0, expected))), 1e-15);
    dls_scene_destroy(scene);
}

#define WORLD(inside) "<worldbody>\n<body name='t'>\n<joint name='j'/>\n" inside BALL "</body></worldbody>"

static void test_refusals(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        dls_status status;
        long line;
        const char *key, *words;
    } cases[] = {
        {"<mujoco/>", DLS_BAD_INPUT, 1, "worldbody", "no body"},
        {"<mujoco>\n<include file='x.xml'/></mujoco>", DLS_REFUSED, 2, "", "<include> is not read in <mujoco>"},
        {"<mujoco><compiler\ncoordinate='global'/></mujoco>", DLS_BAD_INPUT, 2, "coordinate", "none of local"},
        {"<mujoco><compiler settotalmass='3'/></mujoco>", DLS_REFUSED, 1, "settotalmass", "may change the motion"},
        {"<mujoco><option density='1.2'/></mujoco>", DLS_REFUSED, 1, "density", "may change the motion"},
        {"<mujoco><option timestep='0'/></mujoco>", DLS_BAD_INPUT, 1, "timestep", "positive"},
        {"<mujoco>" WORLD("<bogus/>") "</mujoco>", DLS_REFUSED, 4, "", "<bogus> is not read in <body>"},
        {"<mujoco>" WORLD("<geom bogus='1'/>") "</mujoco>", DLS_REFUSED, 4, "bogus", "not read of <geom>"},
        {"<mujoco>" WORLD("<joint type='screw'/>") "</mujoco>", DLS_BAD_INPUT, 4, "type",
         "'screw' is none of hinge, slide"},
        {"<mujoco>" WORLD("<joint axis='0 0 0'/>") "</mujoco>", DLS_BAD_INPUT, 4, "axis", "no direction"},
        {"<mujoco>" WORLD("<joint damping='-1'/>") "</mujoco>", DLS_BAD_INPUT, 4, "damping", "negative"},
        {"<mujoco>" WORLD("<joint range='2 1'/>") "</mujoco>", DLS_BAD_INPUT, 4, "range", "lower <= upper"},
        {"<mujoco>" WORLD("<joint type='ball' range='0 40'/>") "</mujoco>", DLS_REFUSED, 4, "range", "no counterpart"},
        {"<mujoco>" WORLD("<joint type='ball' stiffness='2'/>") "</mujoco>", DLS_REFUSED, 4, "stiffness",
         "body of its own"},
        {"<mujoco>" WORLD("<joint type='free'/>") "</mujoco>", DLS_BAD_INPUT, 4, "type", "the only joint"},
        {"<mujoco>" WORLD("<body><freejoint/></body>") "</mujoco>", DLS_BAD_INPUT, 4, "type",
         "stands in the world body"},
        {"<mujoco>" WORLD("<joint name='j'/>") "</mujoco>", DLS_BAD_INPUT, 4, "name", "duplicate name 'j'"},
        {"<mujoco>" WORLD("<joint class='c'/>") "</mujoco>", DLS_BAD_INPUT, 4, "class", "no default class 'c'"},
        {"<mujoco>" WORLD("<joint margin='0.1'/>") "</mujoco>", DLS_REFUSED, 4, "margin", "may change"},
        {"<mujoco>" WORLD("<geom type='ellipsoid' size='1 1 1'/>") "</mujoco>", DLS_REFUSED, 4, "type",
         "'geom 1' is of type ellipsoid"},
        {"<mujoco>" WORLD("<geom type='mesh' mesh='x'/>") "</mujoco>", DLS_REFUSED, 4, "type", "is of type mesh"},
        {"<mujoco>" WORLD("<geom type='mesh' mesh='x' contype='0' conaffinity='0'/>") "</mujoco>", DLS_REFUSED, 4,
         "type", "whose mass is not computed"},
        {"<mujoco>" WORLD("<geom size='0.1' condim='4'/>") "</mujoco>", DLS_REFUSED, 4, "condim", "write 1 or 3"},
        {"<mujoco>" WORLD("<geom size='0.1' margin='0.1'/>") "</mujoco>", DLS_REFUSED, 4, "margin", "at a distance"},
        {"<mujoco>" WORLD("<geom type='plane' size='1 1 1'/>") "</mujoco>", DLS_REFUSED, 4, "type", "does not move"},
        {"<mujoco>" WORLD("<geom size='-1'/>") "</mujoco>", DLS_BAD_INPUT, 4, "size", "positive"},
        {"<mujoco>" WORLD("<geom type='box' size='1 1'/>") "</mujoco>", DLS_BAD_INPUT, 4, "size",
         "a box needs 3 numbers"},
        {"<mujoco>" WORLD("<site quat='0 0 0 0'/>") "</mujoco>", DLS_BAD_INPUT, 4, "quat", "no direction"},
        {"<mujoco>" WORLD("<site quat='1 0 0 0' euler='1 2 3'/>") "</mujoco>", DLS_BAD_INPUT, 4, "euler",
         "given by quat, too"},
        {"<mujoco>" WORLD("<inertial pos='0 0 0' mass='1'/>") "</mujoco>", DLS_BAD_INPUT, 4, "diaginertia",
         "diaginertia or fullinertia"},
        {"<mujoco><worldbody><geom type='plane'/><body><freejoint/>\n<geom size='1' "
         "friction='0.5'/></body></worldbody></mujoco>",
         DLS_REFUSED, 2, "friction", "1 and 0.5"},
        {"<mujoco><worldbody><geom type='plane'/><body>\n<freejoint/><geom size='1'/><geom size='1' contype='0' "
         "conaffinity='2 2'/></body></worldbody></mujoco>",
         DLS_BAD_INPUT, 2, "conaffinity", "more than the numbers"},
        {"<mujoco><worldbody>\n<geom type='plane'/><body><freejoint/><geom size='1'/><geom size='1' contype='2' "
         "conaffinity='2'/>"
         "</body></worldbody></mujoco>",
         DLS_REFUSED, 2, "contype", "some geoms of 'geom 1' and 'body 1.body 1' collide"},
        {"<mujoco>" WORLD("") "<contact>\n<pair geom1='a' geom2='b'/></contact></mujoco>", DLS_REFUSED, 5, "",
         "<pair> is not read"},
        {"<mujoco>" WORLD("") "<equality>\n<joint joint1='j' polycoef='0 1 2 0 0'/></equality></mujoco>", DLS_REFUSED,
         5, "polycoef", "first degree"},
        {"<mujoco>" WORLD("") "<equality>\n<joint joint1='k'/></equality></mujoco>", DLS_BAD_INPUT, 5, "joint1",
         "no joint 'k'"},
        {"<mujoco>" WORLD("") "<equality>\n<weld body1='t' relpose='1 0 0 1 0 0 0'/></equality></mujoco>", DLS_REFUSED,
         5, "relpose", "another pose"},
        {"<mujoco>" WORLD("") "<equality>\n<weld body1='t' relpose='0 0 0 0 1 0 0'/></equality></mujoco>", DLS_REFUSED,
         5, "relpose", "another pose"},
        {"<mujoco>" WORLD("") "<equality>\n<weld body1='t' relpose='0 0 0 0 0 1 0'/></equality></mujoco>", DLS_REFUSED,
         5, "relpose", "another pose"},
        {"<mujoco>" WORLD("") "<equality>\n<weld body1='t' relpose='0 0 0 0 0 0 1'/></equality></mujoco>", DLS_REFUSED,
         5, "relpose", "another pose"},
        {"<mujoco>" WORLD("") "<equality>\n<connect body1='t' body2='t' anchor='0 0 0'/></equality></mujoco>",
         DLS_BAD_INPUT, 5, "body2", "do not move"},
        {"<mujoco>" WORLD("") "<tendon>\n<fixed><joint joint='j' coef='0'/></fixed></tendon></mujoco>", DLS_BAD_INPUT,
         5, "", "does not change"},
        {"<mujoco>" WORLD("") "<tendon>\n<spatial>\n<geom geom='g'/></spatial></tendon></mujoco>", DLS_REFUSED, 6, "",
         "<geom> is not read in <spatial>"},
        {"<mujoco>" WORLD("") "<actuator>\n<muscle joint='j'/></actuator></mujoco>", DLS_REFUSED, 5, "",
         "<muscle> is not read"},
        {"<mujoco>" WORLD("") "<actuator>\n<general joint='j' dyntype='filter'/></actuator></mujoco>", DLS_BAD_INPUT, 5,
         "dyntype", "none of none"},
        {"<mujoco>" WORLD("") "<actuator>\n<general joint='j' biastype='affine' biasprm='0 1'/></actuator></mujoco>",
         DLS_REFUSED, 5, "biasprm", "grows"},
        {"<mujoco>" WORLD("") "<actuator>\n<motor joint='j' ctrlrange='1 2'/></actuator></mujoco>", DLS_REFUSED, 5,
         "ctrlrange", "at the start"},
        {"<mujoco>" WORLD("") "<sensor>\n<force site='s'/></sensor></mujoco>", DLS_BAD_INPUT, 5, "site", "no site 's'"},
        {"<!DOCTYPE mujoco [<!ENTITY a 'b'>]>\n<mujoco>&a;</mujoco>", DLS_BAD_INPUT, 1, "", ""},
        {"<mujoco><default><default/></default></mujoco>", DLS_BAD_INPUT, 1, "class", "needs a name"},
    };
    size_t failures = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dls_scene *scene = NULL;
        dls_error error = {.message = ""};
        const dls_status status = read_text(cases[i].text, &scene, &error);
        const bool any = !cases[i].words[0]; /* which of two faults is found first does not matter */
        const bool good =
            status != DLS_OK && !scene && strstr(error.message, cases[i].words) &&
            strcmp(error.file, "model.xml") == 0 &&
            (any || (status == cases[i].status && error.line == cases[i].line && strcmp(error.key, cases[i].key) == 0));
        if (!good)
            print_error("case %zu: %s\n   %s, line %ld, key '%s': %s\n", i, cases[i].text, dls_status_text(status),
                        error.line, error.key, error.message);
        failures += !good;
        dls_scene_destroy(scene);
    }
    assert_int_equal(failures, 0);
}

/* What is ignored is said, once for each attribute, with how often and where first. */
static void test_notes(void **unused)
{
    (void)unused;
    dls_scene *scene =
        read_inside("\n<visual><map force='1'/></visual><worldbody>\n<body><freejoint/><geom size='1' user='1 1 1 1'/>"
                    "<geom size='1' user='1 1 1 1' solref='1 1'/></body></worldbody><keyframe/>");
    assert_int_equal(note_of(scene, "geom.user")->count, 2);
    assert_int_equal(note_of(scene, "geom.user")->place.line, 3);
    assert_non_null(strstr(note_of(scene, "geom.solref")->text, "rigid"));
    assert_non_null(note_of(scene, "<visual>"));
    assert_non_null(note_of(scene, "<keyframe>"));
    dls_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_joints),
        cmocka_unit_test(test_masses),
        cmocka_unit_test(test_gravity_compensation),
        cmocka_unit_test(test_tendon_with_a_dead_band),
        cmocka_unit_test(test_actuators),
        cmocka_unit_test(test_contacts),
        cmocka_unit_test(test_force_sensor),
        cmocka_unit_test(test_quaternions),
        cmocka_unit_test(test_site_between_points),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_notes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
