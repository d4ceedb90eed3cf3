/* Models in MJCF: what becomes of each element, what is noted, and what is refused, where. Against MuJoCo itself:
 * test_mujoco.c. */
#include "delassus/articulation.h"
#include "delassus/io.h"
#include "delassus/model.h"
#include "delassus/simulation.h"
#include "delassus/solvers.h"
#include "delassus/state.h"

#include "check.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static dls_status read_text(const char *text, dls_scene **scene, dls_error *error)
{
    return dls_scene_parse(text, strlen(text), "model.xml", scene, error);
}

/* The same, and a model of it, which must not lack any word that may change the motion. */
static dls_status read_whole(const char *text, dls_scene **scene, dls_error *error)
{
    dls_model *model;
    DLS_TRY(read_text(text, scene, error));
    const dls_status status = dls_scene_check_dropped(*scene, DLS_ALL_ASPECTS, error);
    if (status != DLS_OK) { /* no model comes of it */
        assert_int_equal(dls_model_create(*scene, &model, NULL), status);
        dls_scene_destroy(*scene);
        *scene = NULL;
    }
    return status;
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

TEST(test_options)
{
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
TEST(test_defaults)
{
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
TEST(test_joints)
{
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
TEST(test_masses)
{
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
TEST(test_gravity_compensation)
{
    dls_scene *scene =
        read_inside("<worldbody><body name='t' gravcomp='0.75'><freejoint/><inertial pos='0 0 0' mass='3' "
                    "diaginertia='1 1 1'/></body></worldbody>");
    assert_close(scene->articulations[0]->links[0].force.z, 0.75 * 3.0 * 9.81, 1e-14);
    dls_scene_destroy(scene);
}

/* Two lengths of rest are two tendons that go slack; on minus the length the lower one pushes. */
TEST(test_tendon_with_a_dead_band)
{
    dls_scene *scene = read_inside("<worldbody><body name='t'><joint name='j' type='slide'/>" BALL
                                   "</body></worldbody><tendon><fixed name='c' stiffness='8' springlength='-0.25 0.5'>"
                                   "<joint joint='j' coef='2'/></fixed></tendon>");
    assert_setting(scene, "c long", "rest", 0.5);
    assert_setting(scene, "c short", "rest", 0.25);
    assert_close(joint_of(scene, "c long")->terms[0].gears[0], 2.0, 0.0);
    assert_close(joint_of(scene, "c short")->terms[0].gears[0], -2.0, 0.0);
    assert_string_equal(setting(joint_of(scene, "c short"), "slack"), "true");
    dls_scene_destroy(scene);
}

TEST(test_actuators)
{
    dls_scene *scene =
        read_inside("<default><general ctrlrange='2 3'/><position kp='9'/></default><worldbody><body name='t'><joint "
                    "name='j'/>" BALL "</body></worldbody><actuator><position name='p' joint='j' gear='4'/><velocity "
                    "name='v' joint='j' ctrlrange='-1 1' kv='6' "
                    "forcerange='-2 5'/><motor joint='j' ctrllimited='false'/></actuator>");
    assert_setting(scene, "p", "stiffness", 9.0);
    assert_setting(scene, "p", "target", 2.0); /* 0 is not in its range */
    assert_close(joint_of(scene, "p")->terms[0].gears[0], 4.0, 0.0);
    assert_setting(scene, "v", "damping", 6.0);
    assert_setting(scene, "v", "force_lo", -2.0);
    assert_setting(scene, "v", "force_hi", 5.0);
    assert_int_equal(note_of(scene, "motor")->count, 1);
    dls_scene_destroy(scene);
}

/* Setting by setting, with numbers that are all different: ctrl is the number of its range that is nearest to 0, gears
 * multiply those of a tendon, whose part that is constant the target makes up for. */
TEST(test_laws_of_actuators)
{
    dls_scene *scene = read_inside(
        "<worldbody><body name='t'><joint name='j'/><joint name='k' type='slide'/>" BALL "</body></worldbody>"
        "<tendon><fixed name='c'><joint joint='j' coef='2'/><joint joint='k' coef='-3'/></fixed></tendon><actuator>"
        "<general name='g' jointinparent='j' gear='0.5 9 9' ctrlrange='1 7' biastype='affine' biasprm='2 -3 -4' "
        "gainprm='5 9' forcerange='-6 0'/>"
        "<position name='p' tendon='c' gear='4' kp='9' kv='2' ctrlrange='-3 -1'/>"
        "<velocity name='v' joint='k' ctrlrange='0.25 1' kv='6'/><position name='d' joint='j' forcelimited='false' "
        "forcerange='-1 1' ctrllimited='false' ctrlrange='3 4'/></actuator>");
    static const struct {
        const char *joint, *key;
        double value;
    } settings[] = {
        {"g", "stiffness", 3},
        {"g", "damping", 4},
        {"g", "target", 0},
        {"g", "speed", 0},
        {"g", "feed", 2 + 5 * 1},
        {"g", "force_lo", -6},
        {"g", "force_hi", 0},
        {"p", "stiffness", 9},
        {"p", "damping", 2},
        {"p", "target", -1},
        {"p", "speed", 0},
        {"p", "feed", 0},
        {"p", "force_lo", -HUGE_VAL},
        {"p", "force_hi", HUGE_VAL},
        {"v", "damping", 6},
        {"v", "speed", 0.25},
        {"v", "target", 0},
        {"v", "feed", 0},
        {"v", "stiffness", NAN},
        {"d", "stiffness", 1},
        {"d", "damping", NAN},
        {"d", "target", 0},
        {"d", "force_lo", -HUGE_VAL},
        {"d", "force_hi", HUGE_VAL},
    };
    for (size_t k = 0; k < sizeof settings / sizeof settings[0]; k++) {
        const double found = strtod(setting(joint_of(scene, settings[k].joint), settings[k].key), NULL);
        if (found != settings[k].value && !(isnan(found) && isnan(settings[k].value))) /* NaN: it is not set */
            fail_msg("%s of %s: %g, expected %g", settings[k].key, settings[k].joint, found, settings[k].value);
    }
    const dls_joint_def *g = joint_of(scene, "g"), *p = joint_of(scene, "p");
    assert_int_equal(g->n_terms, 1);
    assert_string_equal(g->terms[0].coordinate, "t.j");
    assert_close(g->terms[0].gears[0], 0.5, 0.0);
    assert_int_equal(p->n_terms, 2);
    assert_string_equal(p->terms[0].coordinate, "t.j");
    assert_string_equal(p->terms[1].coordinate, "t.k");
    assert_close(p->terms[0].gears[0], 4.0 * 2.0, 0.0);
    assert_close(p->terms[1].gears[0], 4.0 * -3.0, 0.0);
    assert_int_equal(scene->n_joints, 4);
    dls_scene_destroy(scene);
}

/* q1 - r1 = a0 + a1 (q2 - r2) + .. of coordinates and of lengths, in powers of q2; what does not turn up in the sum is
 * no term. */
TEST(test_equalities_of_coordinates)
{
    dls_scene *scene = read_inside(
        "<compiler angle='radian'/><worldbody><body name='t'><joint name='j' ref='0.25'/><joint name='k' type='slide' "
        "ref='-2'/><joint name='l'/>" BALL "</body></worldbody><tendon>"
        "<fixed name='c'><joint joint='j' coef='2'/><joint joint='k' coef='3'/></fixed>"
        "<fixed name='d'><joint joint='l' coef='7'/><joint joint='j' coef='-4'/></fixed>"
        "<fixed name='e'><joint joint='l' coef='7'/></fixed></tendon><equality>"
        "<joint name='two' joint1='j' joint2='k' polycoef='0.5 -3'/><joint name='one' joint1='k' polycoef='0.75 5 2'/>"
        "<joint name='plain' joint1='k' joint2='j'/><joint name='none' joint1='j' joint2='k' polycoef='1 0'/>"
        "<tendon name='lengths' tendon1='c' tendon2='d' polycoef='0.125 -0.5'/>"
        "<tendon name='length' tendon1='c' polycoef='8'/><joint joint1='j' active='false'/>"
        "<joint name='cam' joint1='l' joint2='k' polycoef='0.5 -3 2 0.25 -1'/>"
        "<tendon name='pulled' tendon1='c' tendon2='e' polycoef='0.125 -0.5 3'/>"
        "<joint name='self' joint1='j' joint2='j' polycoef='0 0 2'/></equality>");
    static const struct {
        const char *joint, *type;
        size_t n_terms;
        double gears[3][DLS_GEARS_MAX];
        const char *coordinate[3];
        const char *key;
        double value;
    } made[] = {
        /* j - 0.25 = 0.5 - 3 (k + 2) */
        {"two", "mimic", 2, {{1}, {3}}, {"t.j", "t.k"}, "offset", -(0.25 + 0.5 - 6)},
        {"one", "lock", 1, {{1}}, {"t.k"}, "at", -2 + 0.75},
        /* k + 2 = j - 0.25 */
        {"plain", "mimic", 2, {{1}, {-1}}, {"t.k", "t.j"}, "offset", 2.25},
        {"none", "lock", 1, {{1}}, {"t.j"}, "at", 0.25 + 1},
        /* 2 j + 3 k - (0.5 - 6) = 0.125 - 0.5 (7 l - 4 j + 1): j is no longer there */
        {"lengths", "mimic", 2, {{3}, {3.5}}, {"t.k", "t.l"}, "offset", 5.5 - 0.125 + 0.5},
        {"length", "mimic", 2, {{2}, {3}}, {"t.j", "t.k"}, "offset", 5.5 - 8},
        /* l = P(k + 2), by Taylor's formula at 2 */
        {"cam", "mimic", 2, {{1}, {24, 20.5, 7.75, 1}}, {"t.l", "t.k"}, "offset", 11.5},
        /* 2 j + 3 k - (0.5 - 6) = 0.125 - 0.5 (7 l) + 3 (7 l)^2 */
        {"pulled", "mimic", 3, {{2}, {3}, {3.5, -147}}, {"t.j", "t.k", "t.l"}, "offset", 5.5 - 0.125},
        /* j - 0.25 = 2 (j - 0.25)^2 */
        {"self", "lock", 1, {{2, -2}}, {"t.j"}, "at", 0.25 + 0.125},
    };
    assert_int_equal(scene->n_joints, sizeof made / sizeof made[0]);
    assert_int_equal(note_of(scene, "active")->count, 1);
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
        const dls_joint_def *joint = joint_of(scene, made[i].joint);
        assert_string_equal(joint->type->name, made[i].type);
        assert_int_equal(joint->n_terms, made[i].n_terms);
        for (size_t k = 0; k < made[i].n_terms; k++) {
            assert_string_equal(joint->terms[k].coordinate, made[i].coordinate[k]);
            for (size_t power = 0; power < DLS_GEARS_MAX; power++)
                assert_close(joint->terms[k].gears[power], made[i].gears[k][power], 0.0);
        }
        assert_setting(scene, made[i].joint, made[i].key, made[i].value);
    }
    dls_scene_destroy(scene);
}

/* Each force of a tendon where it is there, and no joint where it is not; without a length of rest that of the springs
 * of its joints, which here are 2 0.25 - 3 0.5. */
TEST(test_forces_of_tendons)
{
    dls_scene *scene = read_inside(
        "<compiler angle='radian'/><worldbody><body name='t'><joint name='j' springref='0.25'/><joint name='k' "
        "type='slide' springref='0.5'/>" BALL "</body></worldbody><tendon>"
#define OF_BOTH "><joint joint='j' coef='2'/><joint joint='k' coef='-3'/></fixed>"
        "<fixed name='own' stiffness='5'" OF_BOTH "<fixed name='given' stiffness='6' springlength='0.75'" OF_BOTH
        "<fixed name='same' stiffness='7' springlength='2 2' damping='8'" OF_BOTH
        "<fixed name='damped' damping='9'" OF_BOTH "<fixed name='limits' range='-2 4'" OF_BOTH
        "<fixed name='rough' frictionloss='3'" OF_BOTH
        "<fixed name='band' stiffness='4' springlength='-1 3' damping='0.5'" OF_BOTH "<fixed name='nothing'" OF_BOTH
        "<fixed name='asked' stiffness='2' springlength='-1'" OF_BOTH "</tendon>");
#undef OF_BOTH
    static const struct {
        const char *joint, *type, *key;
        double value;
    } settings[] = {
        {"own", "tendon", "stiffness", 5},       {"own", "tendon", "rest", 0.5 - 1.5},
        {"own", "tendon", "damping", NAN},       {"given", "tendon", "rest", 0.75},
        {"same", "tendon", "rest", 2},           {"same", "tendon", "stiffness", 7},
        {"same", "tendon", "damping", 8},        {"damped", "tendon", "damping", 9},
        {"damped", "tendon", "stiffness", NAN},  {"limits", "tendon", "lower", -2},
        {"limits", "tendon", "upper", 4},        {"rough friction", "motor", "force", 3},
        {"band", "tendon", "damping", 0.5},      {"band", "tendon", "stiffness", NAN},
        {"band long", "tendon", "stiffness", 4}, {"band long", "tendon", "rest", 3},
        {"band short", "tendon", "rest", 1},     {"band short", "tendon", "stiffness", 4},
        {"asked", "tendon", "rest", 0.5 - 1.5},
    };
    assert_int_equal(scene->n_joints, 10); /* of `band` three, of `nothing` none */
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        const dls_joint_def *joint = joint_of(scene, settings[i].joint);
        const double sign = strcmp(settings[i].joint, "band short") == 0 ? -1.0 : 1.0;
        assert_string_equal(joint->type->name, settings[i].type);
        if (isnan(settings[i].value)) /* not set */
            assert_true(isnan(strtod(setting(joint, settings[i].key), NULL)));
        else
            assert_setting(scene, settings[i].joint, settings[i].key, settings[i].value);
        assert_int_equal(joint->n_terms, 2);
        assert_close(joint->terms[0].gears[0], sign * 2.0, 0.0);
        assert_close(joint->terms[1].gears[0], sign * -3.0, 0.0);
    }
    dls_scene_destroy(scene);
}

/* Contacts: one coefficient, pairs apart that masks or <exclude> keep apart, and a chain of joints is still a parent.
 */
TEST(test_contacts)
{
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

/* A pair of geoms has the larger friction of the two, or that of the one with priority. Only pairs that may touch must
 * agree. */
TEST(test_friction_is_of_pairs)
{
    static const struct {
        const char *floor, *a, *b;
        double mu; /* of the world; NaN: each pair has its own */
    } cases[] = {
        {"", "friction='0.5'", "friction='0.5'", 1.0}, /* but the two may not touch each other */
        {"friction='0.25'", "friction='0.5'", "friction='0.5'", 0.5},
        {"friction='0.25'", "friction='0.5'", "friction='0.75'", NAN},
        {"friction='0.75'", "friction='0.5'", "friction='0.25'", 0.75},
        {"friction='0.75' priority='1'", "friction='2'", "friction='3'", 0.75},
        {"friction='0.75'", "friction='0.5' priority='1'", "friction='0.5' priority='2'", 0.5},
        {"condim='1'", "condim='1'", "condim='1'", 0.0},
        {"condim='1' friction='0.25'", "friction='0.5'", "friction='0.5'", 0.5},
        {"condim='1' priority='1'", "", "", 0.0},
        {"condim='1'", "condim='1'", "", NAN},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[1024];
        dls_scene *scene;
        dls_error error;
        snprintf(text, sizeof text,
                 "<mujoco><worldbody><geom type='plane' %s/><body name='a'><freejoint/><geom size='1' %s/></body>"
                 "<body name='b' pos='3 0 0'><freejoint/><geom size='1' %s/></body></worldbody><contact>"
                 "<exclude body1='a' body2='b'/></contact></mujoco>",
                 cases[k].floor, cases[k].a, cases[k].b);
        assert_status(read_whole(text, &scene, &error), &error);
        assert_int_equal(scene->bodies[0].surface[0] != 0, isnan(cases[k].mu));
        if (!isnan(cases[k].mu))
            assert_close(scene->world.mu, cases[k].mu, 0.0);
        dls_scene_destroy(scene);
    }
}

/* condim 4 adds torsional friction, 6 rolling friction too; a pair has the larger condim and the larger of each number.
 * */
TEST(test_friction_of_turning)
{
    static const struct {
        const char *floor, *a;
        double torsion, rolling;
    } cases[] = {
        {"", "friction='0.5 0.1 0.2'", 0.0, 0.0},
        {"condim='4'", "friction='0.5 0.1 0.2'", 0.1, 0.0},
        {"condim='4' friction='0.5 0.3'", "friction='0.5 0.1 0.2' condim='1'", 0.3, 0.0},
        {"condim='6'", "condim='6'", 0.005, 0.0001},
        {"friction='1 2 3'", "condim='6' friction='1 0.25 0.5' priority='1'", 0.25, 0.5},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[1024];
        dls_scene *scene;
        dls_error error;
        snprintf(text, sizeof text,
                 "<mujoco><worldbody><geom type='plane' %s/><body name='a'><freejoint/><geom size='1' %s/></body>"
                 "</worldbody></mujoco>",
                 cases[k].floor, cases[k].a);
        assert_status(read_text(text, &scene, &error), &error);
        assert_close(scene->world.torsion, cases[k].torsion, 0.0);
        assert_close(scene->world.rolling, cases[k].rolling, 0.0);
        dls_scene_destroy(scene);
    }
}

static dls_vec3 turn90(dls_vec3 v) { return dls_v3(-v.y, v.x, v.z); }

/* An element that a frame moves and turns is where its composition with each element is; frames within frames too. */
TEST(test_frames)
{
    static const char frame[] =
        "<frame pos='1 2 3' euler='0 0 30'><frame pos='0 0 0' euler='0 0 60'>%s</frame></frame>",
                      inside[] = "<geom name='g' type='box' size='1 2 3' pos='1 0 0' euler='10 0 0'/>"
                                 "<geom name='h' type='capsule' size='1' fromto='1 0 0 1 2 4'/>"
                                 "<body name='b' pos='0 1 0'><joint name='j' axis='1 0 0' pos='0 0 1'/>" BALL "</body>",
                      within[] = "<frame pos='1 2 3' euler='0 0 90'><joint name='k' axis='1 0 0' pos='3 1 0'/>"
                                 "<site name='s' pos='4 5 6'/><geom size='1' pos='2 0 0' contype='0' conaffinity='0'/>"
                                 "</frame>";
    char framed[1024], text[2048], plain[1024];
    snprintf(framed, sizeof framed, frame, inside);
    snprintf(text, sizeof text,
             "<worldbody>%s<body name='t'>%s</body></worldbody><sensor><force name='f' site='s'/></sensor>", framed,
             within);
    snprintf(plain, sizeof plain, "<worldbody>%s<body name='t'><joint name='k'/>" BALL "</body></worldbody>", inside);
    dls_scene *moved = read_inside(text), *still = read_inside(plain);
    const dls_quat turn = dls_quat_exp(dls_v3(0, 0, 0.5 * DLS_PI));
    const dls_vec3 by = dls_v3(1, 2, 3);
    assert_int_equal(moved->n_bodies, 2);
    for (size_t i = 0; i < 2; i++) {
        const dls_body_def *body = &moved->bodies[i], *other = &still->bodies[i];
        const dls_mat3 R = dls_quat_matrix(body->orientation),
                       Q = dls_quat_matrix(dls_quat_mul(turn, other->orientation));
        assert_below(dls_norm(dls_sub(body->position, dls_add(by, turn90(other->position)))), 1e-14);
        for (int k = 0; k < 9; k++)
            assert_close(R.m[k], Q.m[k], 1e-14);
    }
    /* The hinge of b turns with its frame: its axis is y of the world, through (0, 1, 1) moved. */
    const dls_articulation_def *b = dls_scene_articulation(moved, "b"), *t = dls_scene_articulation(moved, "t");
    const dls_link_def *link = &b->links[1];
    assert_below(dls_norm(dls_sub(link->parent_frame.p, dls_add(by, turn90(dls_v3(0, 1, 1))))), 1e-14);
    assert_below(dls_norm(dls_sub(dls_quat_rotate(link->parent_frame.q, dls_axis3(0)), dls_v3(0, 1, 0))), 1e-14);
    /* Joints, sites and geoms within a frame of their body. */
    link = &t->links[1];
    assert_below(dls_norm(dls_sub(link->child_frame.p, dls_add(by, turn90(dls_v3(3, 1, 0))))), 1e-14);
    assert_below(dls_norm(dls_sub(dls_quat_rotate(link->child_frame.q, dls_axis3(0)), dls_v3(0, 1, 0))), 1e-14);
    assert_below(dls_norm(dls_sub(link->centre, dls_add(by, turn90(dls_v3(2, 0, 0))))), 1e-14);
    assert_below(dls_norm(dls_sub(moved->sensors[0].position, dls_add(by, turn90(dls_v3(4, 5, 6))))), 1e-14);
    dls_scene_destroy(moved);
    dls_scene_destroy(still);
}

/* The class of an element is that of the nearest frame or body around it. */
TEST(test_classes_of_frames)
{
    dls_scene *scene = read_inside(
        "<default><default class='x'><joint damping='3'/></default><default class='y'><joint damping='5'/></default>"
        "</default><worldbody><body name='t' childclass='x'><joint name='a'/><frame><joint name='b'/></frame>"
        "<frame childclass='y'><joint name='c'/><frame><joint name='d'/><joint name='e' class='x'/>"
        "<body name='u'><joint name='f'/>" BALL "</body></frame></frame><body name='v'><joint name='g'/>" BALL
        "</body>" BALL "</body></worldbody>");
    static const struct {
        const char *joint;
        double damping;
    } expected[] = {{"a", 3}, {"b", 3}, {"c", 5}, {"d", 5}, {"e", 3}, {"f", 5}, {"g", 3}};
    for (size_t k = 0; k < sizeof expected / sizeof expected[0]; k++) {
        char name[64];
        snprintf(name, sizeof name, "t.%s damping", expected[k].joint);
        assert_setting(scene, name, "damping", expected[k].damping);
    }
    dls_scene_destroy(scene);
}

/* All masses, inertias and forces against weights grow by one factor, to which bodies that are fixed to the world
 * count, by their geoms or their <inertial>. */
TEST(test_total_mass)
{
    static const char world[] =
        "<worldbody><body><geom size='0.1' mass='2'/></body><body><inertial mass='3' diaginertia='1 1 1'/></body>"
        "<body name='t' gravcomp='1'><joint/><inertial pos='1 0 0' mass='4' diaginertia='1 2 2.5'/>"
        "<body name='u'><joint/><geom size='0.1' mass='1'/></body></body></worldbody>";
    char text[1024];
    dls_scene *plain = read_inside(world);
    snprintf(text, sizeof text, "<compiler settotalmass='35'/>%s", world);
    dls_scene *scaled = read_inside(text);
    for (size_t i = 1; i < 3; i++) {
        const dls_link_def *a = &plain->articulations[0]->links[i], *b = &scaled->articulations[0]->links[i];
        assert_close(b->mass, 3.5 * a->mass, 1e-15);
        assert_true(b->centre.x == a->centre.x);
        assert_close(b->force.z, 3.5 * a->force.z, 1e-13);
        for (int k = 0; k < 9; k++)
            assert_close(b->inertia.m[k], 3.5 * a->inertia.m[k], 1e-15);
    }
    dls_scene_destroy(plain);
    dls_scene_destroy(scaled);
}

/* --- several files --- */

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[DLS_PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
}

/* A model in three files is the model in one; what is wrong in one of them is said of that file and line. */
TEST(test_included_files)
{
    static const struct {
        const char *inner, *file, *word; /* of the error; NULL: none */
        long line;
    } cases[] = {
        {"<any>\n<joint name='k' damping='2' user='1'/></any>", NULL, NULL, 0},
        {"<any>\n<joint name='k' damping='-2'/></any>", "in/inner.xml", "negative", 2},
        {"<any>\n<joint name='k' dampin='2'/></any>", "in/inner.xml", "joint/damping", 2},
        {"<any>\n<include file='outer.xml'/></any>", "in/inner.xml", "included already", 2},
        {"<any>\n<include file='in/inner.xml'/></any>", "in/inner.xml", "included already", 2},
        {"<any>\n<joint </any>", "in/inner.xml", "", 2},
        {"", "in/inner.xml", "empty", 0},
    };
    static const char *const made[] = {"in/inner.xml", "in/outer.xml", "model.xml", "in"};
    char folder[] = "include.XXXXXX", path[DLS_PATH_MAX];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/in", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    write_file(folder, "model.xml", "<mujoco><option timestep='0.1'/>\n<include file='in/outer.xml'/></mujoco>");
    write_file(folder, "in/outer.xml",
               "<mujocoinclude><option timestep='0.2'/><worldbody><body name='t'><joint name='j'/>\n"
               "<include file='inner.xml'/><geom size='1'/></body></worldbody></mujocoinclude>");
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        dls_scene *scene = NULL;
        dls_error error = {.message = ""};
        write_file(folder, "in/inner.xml", cases[k].inner);
        snprintf(path, sizeof path, "%s/model.xml", folder);
        dls_status status = dls_scene_read(path, &scene, &error);
        if (status == DLS_OK)
            status = dls_scene_check_dropped(scene, DLS_ALL_ASPECTS, &error);
        if (!cases[k].word) {
            assert_status(status, &error);
            assert_close(scene->world.step, 0.2, 0.0); /* the later one holds */
            assert_setting(scene, "t.k damping", "damping", 2.0);
            assert_string_equal(strrchr(note_of(scene, "joint.user")->file, '/'), "/inner.xml");
            assert_int_equal(note_of(scene, "joint.user")->place.line, 2);
        } else if (status == DLS_OK || !strstr(error.file, cases[k].file) || !strstr(error.message, cases[k].word) ||
                   error.line != cases[k].line) {
            fail_msg("case %zu: %s:%ld: %s", k, error.file, error.line, error.message);
        }
        dls_scene_destroy(scene);
    }
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, made[i]);
        assert_int_equal(remove(path), 0);
    }
    assert_int_equal(rmdir(folder), 0);
}

/* A sensor in the model is the wrench of the link's joint, about its origin, in its axes: the weight, at rest. */
TEST(test_force_sensor)
{
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
TEST(test_quaternions)
{
    static const char *const components[] = {"w", "x", "y", "z"};
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

/* Copies at the poses that the rule gives, with what refers to them; an outer one after an inner one. */
TEST(test_replicas)
{
    static const double expected[3][3] = {{0.5, 0.0, 0.0}, {1.0, 0.5, 0.0}, {0.5, 1.0, 0.0}};
    dls_scene *scene = read_inside(
        "<worldbody><geom name='b' type='plane' contype='0' conaffinity='0'/><replicate count='3' offset='1 0 0' "
        "euler='0 "
        "0 90' sep='-'><body name='b' pos='.5 0 0'><joint name='j' axis='0 0 1' damping='2'/>" BALL
        "<replicate count='10' offset='0 0 .1'><site name='s'/></replicate></body></replicate></worldbody><tendon>"
        "<fixed name='t'><joint joint='j' coef='2'/></fixed></tendon><actuator><position name='a' "
        "tendon='t'/></actuator>"
        "<sensor><force name='f' site='s'/></sensor>");
    assert_int_equal(scene->n_articulations, 3);
    assert_int_equal(scene->n_dropped, 0);
    assert_int_equal(scene->n_sensors, 30);
    for (size_t k = 0; k < 3; k++) {
        char name[DLS_NAME_MAX];
        const dls_link_def *link = &scene->articulations[k]->links[1];
        snprintf(name, sizeof name, "b-%zu", k);
        assert_string_equal(scene->articulations[k]->name, name);
        const dls_vec3 p = link->parent_frame.p, x = dls_quat_rotate(link->parent_frame.q, dls_v3(0.0, 1.0, 0.0));
        for (int i = 0; i < 3; i++)
            assert_close(dls_get3(p, i), expected[k][i], 1e-15);
        const dls_vec3 first = dls_quat_rotate(scene->articulations[0]->links[1].parent_frame.q, dls_v3(0.0, 1.0, 0.0));
        assert_close(dls_dot(x, first), cos((double)k * DLS_PI / 2.0), 1e-15);
        snprintf(name, sizeof name, "a-%zu", k);
        assert_string_equal(joint_of(scene, name)->type->name, "drive");
        snprintf(name, sizeof name, "b-%zu.j-%zu", k, k);
        assert_string_equal(joint_of(scene, scene->joints[3 + k].name)->terms[0].coordinate, name);
    }
    assert_string_equal(scene->sensors[12].name, "f04-0");
    assert_string_equal(scene->sensors[12].link, "b-0.b-0");
    assert_close(scene->sensors[12].position.z, 0.4, 1e-15);
    dls_scene_destroy(scene);
}

/* A weld of two sites is that of their bodies in the pose in which the sites coincide. */
TEST(test_equalities_of_sites)
{
    dls_scene *scene =
        read_inside("<worldbody><body name='a'><freejoint/>" BALL
                    "<site name='s' pos='.25 .5 .75' quat='0 1 0 0'/></body><body name='b' "
                    "pos='0 0 1'><freejoint/>" BALL
                    "<site name='t' pos='.5 .75 .25' quat='.5 .5 .5 .5'/></body></worldbody><equality>"
                    "<weld name='w' site1='s' site2='t'/><connect name='c' site1='s' site2='t'/></equality>");
    static const char *const joints[] = {"w", "c"};
    for (size_t k = 0; k < 2; k++) {
        const dls_joint_def *joint = joint_of(scene, joints[k]);
        assert_string_equal(joint->body[0], "a.a");
        assert_string_equal(joint->body[1], "b.b");
        assert_string_equal(setting(joint, "anchor"), "[0.25, 0.5, 0.75]");
        assert_string_equal(setting(joint, "anchor2"), "[0.5, 0.75, 1.25]");
    }
    assert_string_equal(setting(joint_of(scene, "w"), "orientation1"), "[0, 1, 0, 0]");
    assert_string_equal(setting(joint_of(scene, "w"), "orientation2"), "[0.5, 0.5, 0.5, 0.5]");
    dls_scene_destroy(scene);
}

/* d = 2 r sqrt(k M), with M the inertia about the hinge over the square of the gear; the same by kv. */
/* A mocap body is kinematic, with its geoms and the bodies on it, and what is welded to it moves with the velocity
 * that a program sets; one that carries joints is fixed. */
TEST(test_mocap_bodies_move)
{
    dls_scene *scene = read_inside(
        "<option gravity='0 0 0'/><worldbody><body name='hand' mocap='true' pos='0 0 1'><geom name='palm' type='box' "
        "size='.1 .2 .3' pos='0 0 .5'/><body name='thumb' pos='.2 0 0'><geom name='nail' size='.01'/></body></body>"
        "<body name='shelf' mocap='true' pos='5 0 0'><body name='door'><joint name='hinge'/>" BALL "</body></body>"
        "<body name='ball' pos='0 1 1'><freejoint/>" BALL "</body></worldbody>"
        "<equality><weld name='grip' body1='ball' body2='thumb'/></equality>");
    dls_simulation_options options = dls_simulation_default();
    dls_simulation *simulation;
    dls_model *model;
    dls_error error;
    assert_int_equal(note_of(scene, "mocap")->count, 1);
    assert_string_equal(joint_of(scene, "grip")->body[1], "hand mocap");
    assert_true(scene->articulations[0]->fixed_base);
    assert_status(dls_model_create(scene, &model, &error), &error);
    options.solver = dls_iterative_find("pgs");
    options.iterations = 100;
    assert_status(dls_simulation_open(model, &options, &simulation, &error), &error);
    dls_state *state = dls_simulation_edit(simulation);
    static const char *const names[] = {"hand mocap", "palm", "nail"};
    for (size_t k = 0; k < 3; k++) {
        const dls_body *body = &dls_model_bodies(model)[dls_model_find_end(model, names[k])];
        assert_true(body->prescribed != DLS_NONE);
        state->prescribed[body->prescribed].lin = dls_v3(0.1, 0.2, 0.3);
    }
    for (int i = 0; i < 100; i++)
        assert_status(dls_simulation_step(simulation, 1e-2, &error), &error);
    const dls_state *after = dls_simulation_state(simulation);
    const dls_vec3 ball = after->roots[1].p, nail = after->x[dls_model_find_end(model, "nail")];
    assert_close(nail.z, 1.3, 1e-12);
    assert_close(ball.x, 0.1, 1e-9);
    assert_close(ball.y, 1.2, 1e-9);
    assert_close(ball.z, 1.3, 1e-9);
    dls_simulation_close(simulation);
    dls_model_destroy(model);
    dls_scene_destroy(scene);
}

TEST(test_damping_ratio)
{
    dls_scene *scene = read_inside(
        "<worldbody><body name='t'><joint name='j' axis='0 1 0' armature='.5'/><inertial pos='.5 0 0' mass='2' "
        "diaginertia='1 1 1'/></body></worldbody><actuator><position name='p' joint='j' kp='8' dampratio='.75' "
        "gear='3'/></actuator>");
    assert_setting(scene, "p", "stiffness", 8.0);
    assert_setting(scene, "p", "damping", 2.0 * 0.75 * sqrt(8.0 * (1.0 + 2.0 * 0.25 + 0.5) / 9.0));
    dls_scene_destroy(scene);
}

/* A site between two points: in their middle, its z from the second to the first. */
TEST(test_site_between_points)
{
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

#define SUM                    \
    WORLD("<joint name='l'/>") \
    "<tendon><fixed name='u'><joint joint='j' coef='1'/><joint joint='l' coef='1'/></fixed></tendon>"

#define FREE(attributes) "<worldbody>\n<body>\n\n<joint type='free' " attributes "/>" BALL "</body></worldbody>"

/* Meshes that have no mass, or are not there. */
#define FLAT                                                                                                           \
    "<asset>\n<mesh name='x' vertex='0 0 0 1 0 0 0 1 0'/><mesh name='y'/><mesh name='z' vertex='0 0 0' refquat='1 1 "  \
    "0 0' scale='1 1 2'/><mesh name='w' vertex='0 0 0' refquat='0 0 0 0'/><mesh name='v' inertia='exact' vertex='0 0 " \
    "0 1 0 0 0 1 0 0 0 1' face='0 2 1 0 1 3 0 3 2'/><mesh name='u' file='lost.stl'/><mesh name='s' vertex='0 0 0 1 0 " \
    "0 0 1 0 0 0 1'/></asset>"
TEST(test_refusals)
{
    static const struct {
        const char *text;
        dls_status status;
        long line;
        const char *key, *words;
    } cases[] = {
        {"<mujoco/>", DLS_BAD_INPUT, 1, "worldbody", "no body"},
        {"<mujoco>\n<include file='no/x.xml'/></mujoco>", DLS_IO, 2, "file", "'no/x.xml': cannot read: No such file"},
        {"<mujoco>\n<include/></mujoco>", DLS_BAD_INPUT, 2, "file", "missing or empty"},
        {"<mujoco><worldbody>\n<frame><joint/></frame></worldbody></mujoco>", DLS_BAD_INPUT, 2, "", "does not move"},
        {"<mujoco>" WORLD("<frame><inertial mass='1' diaginertia='1 1 1'/></frame>") "</mujoco>", DLS_REFUSED, 4,
         "<inertial>", "<inertial> is not read in <frame>"},
        {"<mujoco>" WORLD(
             "<inertial mass='1' diaginertia='1 1 1'/><inertial mass='1' diaginertia='1 1 1'/>") "</mujoco>",
         DLS_BAD_INPUT, 4, "", "a second <inertial>"},
        {"<mujoco>" WORLD("<geom size='1' frction='1'/>") "</mujoco>", DLS_REFUSED, 4, "frction",
         "did you mean 'geom/friction'?"},
        {"<mujoco><compiler settotalmass='3'/><worldbody><geom size='1'/></worldbody></mujoco>", DLS_BAD_INPUT, 1,
         "settotalmass", "no body has a mass"},
        {"<mujoco><compiler\ncoordinate='global'/></mujoco>", DLS_BAD_INPUT, 2, "coordinate", "none of local"},
        {"<mujoco><option density='-1.2'/>" WORLD("") "</mujoco>", DLS_BAD_INPUT, 1, "density", "negative"},
        {"<mujoco><option viscosity='-1'/>" WORLD("") "</mujoco>", DLS_BAD_INPUT, 1, "viscosity", "negative"},
        {"<mujoco>" WORLD("<geom size='1' fluidshape='ball'/>") "</mujoco>", DLS_BAD_INPUT, 4, "fluidshape",
         "none of none, ellipsoid"},
        {"<mujoco>" WORLD("<geom size='1' fluidshape='ellipsoid' fluidcoef='1 -2'/>") "</mujoco>", DLS_BAD_INPUT, 4,
         "fluidcoef", "negative"},
        {"<mujoco><option timestep='0'/></mujoco>", DLS_BAD_INPUT, 1, "timestep", "positive"},
        {"<mujoco>" WORLD("<bogus/>") "</mujoco>", DLS_REFUSED, 4, "<bogus>", "<bogus> is not read in <body>"},
        {"<mujoco>" WORLD("<geom size='1' bogus='1'/>") "</mujoco>", DLS_REFUSED, 4, "bogus", "not read of <geom>"},
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
        {"<mujoco>" WORLD("<geom type='hfield' hfield='h'/>") "</mujoco>", DLS_REFUSED, 4, "type", "does not move"},
        {"<mujoco><asset><hfield name='h' file='h.png' size='1 1 1 1'/></asset>\n<worldbody><geom type='hfield' "
         "hfield='h'/><body name='t'>\n<freejoint/><geom size='1'/></body></worldbody></mujoco>",
         DLS_REFUSED, 2, "hfield", "in a file is not read"},
        {"<mujoco>" WORLD("<geom type='mesh' mesh='x' mass='0'/>") "</mujoco>", DLS_BAD_INPUT, 4, "mesh",
         "no mesh 'x'"},
        {"<mujoco>" WORLD("<geom type='mesh' mesh='x' contype='0' conaffinity='0'/>") "</mujoco>", DLS_BAD_INPUT, 4,
         "mesh", "no mesh 'x'"},
        {"<mujoco>" WORLD("<geom type='sdf' contype='0' conaffinity='0'/>") "</mujoco>", DLS_REFUSED, 4, "type",
         "a mass that is not computed"},
        {"<mujoco>" WORLD("<geom size='0.1' condim='5'/>") "</mujoco>", DLS_BAD_INPUT, 4, "condim", "1, 3, 4 or 6"},
        {"<mujoco>" WORLD("<geom type='plane' size='1 1 1'/>") "</mujoco>", DLS_REFUSED, 4, "type", "does not move"},
        {"<mujoco>" WORLD("<geom size='-1'/>") "</mujoco>", DLS_BAD_INPUT, 4, "size", "positive"},
        {"<mujoco>" WORLD("<geom type='box' size='1 1'/>") "</mujoco>", DLS_BAD_INPUT, 4, "size",
         "a box needs 3 numbers"},
        {"<mujoco>" WORLD("<site quat='0 0 0 0'/>") "</mujoco>", DLS_BAD_INPUT, 4, "quat", "no direction"},
        {"<mujoco>" WORLD("<site quat='1 0 0 0' euler='1 2 3'/>") "</mujoco>", DLS_BAD_INPUT, 4, "euler",
         "given by quat, too"},
        {"<mujoco>" WORLD("<inertial pos='0 0 0' mass='1'/>") "</mujoco>", DLS_BAD_INPUT, 4, "diaginertia",
         "diaginertia or fullinertia"},
        {"<mujoco><worldbody><geom type='plane'/><body>\n<freejoint/><geom size='1'/><geom size='1' contype='0' "
         "conaffinity='2 2'/></body></worldbody></mujoco>",
         DLS_BAD_INPUT, 2, "conaffinity", "more than the numbers"},
        {"<mujoco>" WORLD("") "<contact>\n<pair geom1='a' geom2='b'/></contact></mujoco>", DLS_BAD_INPUT, 5, "geom1",
         "no geom 'a'"},
        {"<mujoco>" SUM "<equality>\n<tendon tendon1='u' tendon2='u' polycoef='0 1 2 0 0'/></equality></mujoco>",
         DLS_REFUSED, 5, "polycoef", "first degree of several coordinates"},
        {"<mujoco>" WORLD("") "<equality>\n<joint joint1='k'/></equality></mujoco>", DLS_BAD_INPUT, 5, "joint1",
         "no joint 'k'"},
        {"<mujoco>" WORLD("") "<equality>\n<connect body1='t' body2='t' anchor='0 0 0'/></equality></mujoco>",
         DLS_BAD_INPUT, 5, "body2", "do not move"},
        {"<mujoco>" WORLD("") "<tendon>\n<fixed><joint joint='j' coef='0'/></fixed></tendon></mujoco>", DLS_BAD_INPUT,
         5, "", "does not change"},
        {"<mujoco>" WORLD("") "<tendon>\n<spatial>\n<geom geom='g'/></spatial></tendon></mujoco>", DLS_REFUSED, 6,
         "geom", "wraps around"},
        {"<mujoco>" WORLD("") "<actuator>\n<muscle joint='j'/></actuator></mujoco>", DLS_REFUSED, 5, "",
         "<muscle> has no counterpart"},
        {"<mujoco>" WORLD("") "<actuator>\n<general joint='j' dyntype='filter' ctrlrange='1 2'/></actuator></mujoco>",
         DLS_REFUSED, 5, "dyntype", "stay at 0"},
        {"<mujoco>" WORLD("") "<actuator>\n<general joint='j' biastype='affine' biasprm='0 1'/></actuator></mujoco>",
         DLS_REFUSED, 5, "biasprm", "grows"},
        {"<mujoco>" WORLD("") "<sensor>\n<force site='s'/></sensor></mujoco>", DLS_BAD_INPUT, 5, "site", "no site 's'"},
        {"<mujoco>" FREE("armature='1'") "</mujoco>", DLS_REFUSED, 4, "armature", "free joint with an armature"},
        {"<mujoco>" FREE("springdamper='1 1'") "</mujoco>", DLS_REFUSED, 4, "springdamper",
         "write stiffness and damping"},
        {"<mujoco>" FREE("frictionloss='1'") "</mujoco>", DLS_REFUSED, 4, "frictionloss", "ball or free joint"},
        {"<mujoco>" WORLD("<joint type='ball' frictionloss='1'/>") "</mujoco>", DLS_REFUSED, 4, "frictionloss",
         "ball or free joint"},
        {"<mujoco>" WORLD("<joint type='ball' damping='2'/>") "</mujoco>", DLS_REFUSED, 4, "stiffness",
         "body of its own"},
        {"<mujoco>" WORLD("<joint stiffness='-1'/>") "</mujoco>", DLS_BAD_INPUT, 4, "stiffness", "negative"},
        {"<mujoco>" WORLD("<joint armature='-1'/>") "</mujoco>", DLS_BAD_INPUT, 4, "armature", "negative"},
        {"<mujoco>" WORLD("<joint frictionloss='-1'/>") "</mujoco>", DLS_BAD_INPUT, 4, "frictionloss", "negative"},
        {"<mujoco>" WORLD("<joint type='slide' axis='0 0 0'/>") "</mujoco>", DLS_BAD_INPUT, 4, "axis", "no direction"},
        {"<mujoco>" WORLD("<joint type='slide' range='2 1'/>") "</mujoco>", DLS_BAD_INPUT, 4, "range",
         "lower <= upper"},
        {"<mujoco>" WORLD("<joint limited='true'/>") "</mujoco>", DLS_BAD_INPUT, 4, "range", "missing"},
        {"<mujoco><compiler autolimits='false'/>" WORLD("<joint range='1 2'/>") "</mujoco>", DLS_BAD_INPUT, 4,
         "limited", "there is a range, and without autolimits"},
        {"<mujoco>" WORLD("<inertial pos='0 0 0' mass='1' diaginertia='1 1 1' fullinertia='1 1 1 0 0 0'/>") "</mujoco>",
         DLS_BAD_INPUT, 4, "diaginertia", "not both"},
        {"<mujoco>" WORLD("<geom size='0.1' contype='4294967296'/>") "</mujoco>", DLS_BAD_INPUT, 4, "contype",
         "32 bits"},
        {"<mujoco>" WORLD("<geom size='0.1' conaffinity='-2147483649'/>") "</mujoco>", DLS_BAD_INPUT, 4, "conaffinity",
         "32 bits"},
        {"<mujoco>" WORLD("<geom size='0.1' contype='0.5'/>") "</mujoco>", DLS_BAD_INPUT, 4, "contype", "32 bits"},
        {"<mujoco>" WORLD("<geom size='0.1' fromto='0 0 0 0 0 1'/>") "</mujoco>", DLS_BAD_INPUT, 4, "fromto",
         "is for capsules"},
        {"<mujoco>" WORLD("<geom type='capsule' size='0.1' fromto='1 2 3 1 2 3'/>") "</mujoco>", DLS_BAD_INPUT, 4,
         "fromto", "one point"},
        {"<mujoco>" WORLD("<geom type='capsule' fromto='1 2 3 1 2 4'/>") "</mujoco>", DLS_BAD_INPUT, 4, "size",
         "a capsule needs 1 numbers"},
        {"<mujoco>" WORLD("<geom type='cylinder' size='1'/>") "</mujoco>", DLS_BAD_INPUT, 4, "size",
         "a cylinder needs 2 numbers"},
        {"<mujoco>" WORLD("<geom type='box' size='1 1 0'/>") "</mujoco>", DLS_BAD_INPUT, 4, "size", "positive"},
        {"<mujoco>" WORLD("<geom type='box' size='0 1 1'/>") "</mujoco>", DLS_BAD_INPUT, 4, "size", "positive"},
        {"<mujoco>" WORLD("<geom size='0.1' mass='-1'/>") "</mujoco>", DLS_BAD_INPUT, 4, "mass", "negative"},
        {"<mujoco>" WORLD("<geom size='0.1' density='-1'/>") "</mujoco>", DLS_BAD_INPUT, 4, "density", "negative"},
        {"<mujoco>" WORLD("<geom size='0.1' condim='2'/>") "</mujoco>", DLS_BAD_INPUT, 4, "condim", "1, 3, 4 or 6"},
        {"<mujoco>" WORLD("<geom size='0.1' condim='7'/>") "</mujoco>", DLS_BAD_INPUT, 4, "condim", "1, 3, 4 or 6"},
        {"<mujoco>" WORLD("<geom size='0.1' friction='-0.1'/>") "</mujoco>", DLS_BAD_INPUT, 4, "friction", "negative"},
        {"<mujoco>" WORLD("<geom size='0.1' mesh='x'/>") "</mujoco>", DLS_BAD_INPUT, 4, "mesh", "no mesh 'x'"},
        {"<mujoco>" WORLD("<geom mesh='x' contype='0' conaffinity='0'/>") FLAT "</mujoco>", DLS_REFUSED, 4, "mesh",
         "lie in a plane"},
        {"<mujoco>" WORLD("<geom mesh='y' mass='0'/>") FLAT "</mujoco>", DLS_REFUSED, 4, "mesh", "neither a file nor"},
        {"<mujoco>" WORLD("<geom mesh='z' mass='0'/>") FLAT "</mujoco>", DLS_REFUSED, 4, "mesh", "one scale"},
        {"<mujoco>" WORLD("<geom mesh='w' mass='0' type='mesh'/>") FLAT "</mujoco>", DLS_BAD_INPUT, 5, "refquat",
         "not all 0"},
        {"<mujoco>" WORLD("<geom mesh='s' fitscale='0'/>") FLAT "</mujoco>", DLS_BAD_INPUT, 4, "fitscale", "positive"},
        {"<mujoco>" WORLD("<geom type='mesh' mesh='u'/>") FLAT "</mujoco>", DLS_REFUSED, 4, "mesh", "lost.stl"},
        {"<mujoco>" WORLD("<geom type='mesh' mesh='v'/>") FLAT "</mujoco>", DLS_REFUSED, 4, "mesh", "not closed"},
        {"<mujoco>" WORLD("<site axisangle='0 0 0 1'/>") "</mujoco>", DLS_BAD_INPUT, 4, "axisangle", "no direction"},
        {"<mujoco>" WORLD("<site zaxis='0 0 0'/>") "</mujoco>", DLS_BAD_INPUT, 4, "zaxis", "no direction"},
        {"<mujoco>" WORLD("<site xyaxes='1 2 3 2 4 6'/>") "</mujoco>", DLS_BAD_INPUT, 4, "xyaxes", "no direction"},
        {"<mujoco><compiler eulerseq='xy'/></mujoco>", DLS_BAD_INPUT, 1, "eulerseq", "three letters"},
        {"<mujoco><compiler eulerseq='xyzx'/></mujoco>", DLS_BAD_INPUT, 1, "eulerseq", "three letters"},
        {"<mujoco><compiler eulerseq='xyw'/></mujoco>", DLS_BAD_INPUT, 1, "eulerseq", "three letters"},
        {"<mujoco><option timestep='-1'/></mujoco>", DLS_BAD_INPUT, 1, "timestep", "positive"},
        {"<mujoco>" SUM "<equality>\n<tendon tendon1='u' tendon2='u' polycoef='0 1 0 3 0'/></equality></mujoco>",
         DLS_REFUSED, 5, "polycoef", "first degree of several coordinates"},
        {"<mujoco>" SUM "<equality>\n<tendon tendon1='u' tendon2='u' polycoef='0 1 0 0 4'/></equality></mujoco>",
         DLS_REFUSED, 5, "polycoef", "first degree of several coordinates"},
        {"<mujoco>" WORLD("") "<equality>\n<joint joint1='j' joint2='j'/></equality></mujoco>", DLS_BAD_INPUT, 5,
         "polycoef", "nothing that moves"},
        {"<mujoco>" WORLD("<joint name='b' type='ball'/>") "<equality>\n<joint joint1='b'/></equality></mujoco>",
         DLS_BAD_INPUT, 5, "joint1", "hinges and slides"},
        {"<mujoco>" WORLD("") "<equality>\n<connect body1='t'/></equality></mujoco>", DLS_BAD_INPUT, 5, "anchor",
         "missing"},
        {"<mujoco>" WORLD("") "<tendon>\n<fixed stiffness='-1'><joint joint='j' coef='1'/></fixed></tendon></mujoco>",
         DLS_BAD_INPUT, 5, "stiffness", "negative"},
        {"<mujoco>" WORLD("") "<tendon>\n<fixed damping='-1'><joint joint='j' coef='1'/></fixed></tendon></mujoco>",
         DLS_BAD_INPUT, 5, "stiffness", "negative"},
        {"<mujoco>" WORLD("") "<tendon>\n<fixed frictionloss='-1'><joint joint='j' coef='1'/></fixed></tendon>"
                              "</mujoco>",
         DLS_BAD_INPUT, 5, "stiffness", "negative"},
        {"<mujoco>" WORLD("") "<tendon>\n<fixed springlength='2 1'><joint joint='j' coef='1'/></fixed></tendon>"
                              "</mujoco>",
         DLS_BAD_INPUT, 5, "springlength", "lower <= upper"},
        {"<mujoco>" WORLD("") "<tendon>\n<fixed>\n<joint joint='j' coef='1'/>\n<joint joint='j' coef='2'/></fixed>"
                              "</tendon></mujoco>",
         DLS_BAD_INPUT, 7, "joint", "in the tendon already"},
        {"<mujoco>" WORLD(
             "<site name='s'/><site name='r'/>") "<tendon>\n<spatial>\n<site site='s'/><pulley "
                                                 "divisor='0'/><site site='r'/></spatial></tendon></mujoco>",
         DLS_BAD_INPUT, 6, "divisor", "positive"},
        {"<mujoco>" WORLD("") "<actuator>\n<position joint='j' ctrlrange='2 1'/></actuator></mujoco>", DLS_BAD_INPUT, 5,
         "ctrlrange", "lower <= upper"},
        {"<mujoco>" WORLD("") "<actuator>\n<position joint='j' forcerange='0.1 1'/></actuator></mujoco>", DLS_REFUSED,
         5, "forcerange", "without 0"},
        {"<mujoco>" WORLD("") "<actuator>\n<position joint='j' forcerange='-1 -0.1'/></actuator></mujoco>", DLS_REFUSED,
         5, "forcerange", "without 0"},
        {"<mujoco>" WORLD("") "<actuator>\n<position joint='j' kp='-1'/></actuator></mujoco>", DLS_REFUSED, 5,
         "biasprm", "grows"},
        {"<mujoco>" WORLD("") "<actuator>\n<general joint='j' biastype='affine' biasprm='0 0 1'/></actuator></mujoco>",
         DLS_REFUSED, 5, "biasprm", "grows"},
        {"<mujoco>" WORLD("<joint name='b' type='ball'/>") "<actuator>\n<position joint='b'/></actuator></mujoco>",
         DLS_REFUSED, 5, "joint", "ball or free joint"},
        {"<mujoco><default class='a'/>\n<default class='a'/></mujoco>", DLS_BAD_INPUT, 2, "class",
         "duplicate class 'a'"},
        {"<!DOCTYPE mujoco [<!ENTITY a 'b'>]>\n<mujoco>&a;</mujoco>", DLS_BAD_INPUT, 1, "", ""},
        {"<mujoco>" WORLD("") "<keyframe>\n<key name='a'/><key name='a'/></keyframe></mujoco>", DLS_BAD_INPUT, 5,
         "name", "duplicate name 'a', after that of line 5"},
        {"<mujoco><default><default/></default></mujoco>", DLS_BAD_INPUT, 1, "class", "needs a name"},
    };
    size_t failures = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dls_scene *scene = NULL;
        dls_error error = {.message = ""};
        const dls_status status = read_whole(cases[i].text, &scene, &error);
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

/* Values at the end of what is refused, and what a flag turns off. */
TEST(test_what_is_just_read)
{
    static const char *const texts[] = {
        WORLD("<joint range='1 1'/>"),
        WORLD("<joint type='ball' range='0 0' limited='false'/>"),
        WORLD("<joint stiffness='0' damping='0' armature='0' frictionloss='0'/>"),
        WORLD("<geom size='0.1' contype='4294967295' conaffinity='-2147483648'/>"),
        WORLD("<geom size='0.1' condim='1' friction='1'/>"),
        WORLD("<geom size='0.1' condim='3' margin='0.1' gap='0.1'/>"),
        WORLD("<geom size='0.1' mass='0'/><geom size='0.1' density='0'/>"),
        WORLD("<geom type='mesh' mass='0' contype='0' conaffinity='0'/>"),
        WORLD("<geom type='plane' contype='0' conaffinity='0'/>"),
        WORLD("<geom size='0.1' mesh='x' contype='0' conaffinity='0'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 "
              "1'/>") "<compiler inertiafromgeom='false'/>",
        WORLD("") "<equality><joint joint1='j' polycoef='1 2 0 0 0'/></equality>",
        WORLD("") "<equality><weld body1='t' relpose='1 2 3 0 0 0 0'/></equality>",
        WORLD("") "<actuator><position joint='j' ctrlrange='1 1' forcerange='0 1'/></actuator>",
        WORLD("") "<actuator><position joint='j' forcerange='-1 0'/></actuator>",
        WORLD("") "<actuator><motor joint='j' ctrlrange='0 1'/></actuator>",
        WORLD("") "<actuator><motor joint='j' ctrlrange='-1 0'/></actuator>",
        WORLD("") "<actuator><general joint='j' biastype='none' biasprm='1 2 3'/></actuator>",
        WORLD("") "<tendon><fixed stiffness='1' springlength='2 2'><joint joint='j' coef='1'/></fixed></tendon>",
        "<option><flag frictionloss='disable'/></option>" WORLD("<joint type='ball' frictionloss='1'/>"),
        "<option><flag limit='disable'/></option>" WORLD("<joint type='ball' range='0 40'/>"),
        "<option><flag constraint='disable'/></option>" WORLD("<joint type='ball' range='0 40' frictionloss='1'/>"),
        "<option><flag passive='disable'/></option>" WORLD("<joint type='ball' stiffness='1' damping='1'/>"),
        "<option><flag contact='disable'/></option>" WORLD("<geom type='hfield' hfield='h'/>"),
        "<option><flag equality='disable'/></option>" WORLD("") "<equality><joint joint1='none'/></equality>",
        "<option><flag actuation='disable'/></option>" WORLD("") "<actuator><motor joint='none'/></actuator>",
        "<compiler settotalmass='-1' boundmass='0' boundinertia='0.0' alignfree='false'/>" WORLD(""),
        "<option density='0' viscosity='0' wind='0 0 0'/>" WORLD(""),
    };
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        char text[1024];
        dls_scene *scene;
        dls_error error;
        snprintf(text, sizeof text, "<mujoco>%s</mujoco>", texts[k]);
        if (read_whole(text, &scene, &error) != DLS_OK)
            fail_msg("%s: %s: %s", texts[k], error.key, error.message);
        dls_scene_destroy(scene);
    }
}

#define OPEN(inside) "<worldbody>\n<body name='t'>\n<joint name='j'/>\n" inside

/* An attribute of numbers takes as many as it needs, and neither one fewer nor one more. */
TEST(test_how_many_numbers_an_attribute_takes)
{
    static const struct {
        const char *before, *after, *key; /* the numbers stand between the two */
        int least, most;
    } attributes[] = {
        {"<option timestep='", "'/>" WORLD(""), "timestep", 1, 1},
        {"<option gravity='", "'/>" WORLD(""), "gravity", 3, 3},
        {"<compiler inertiagrouprange='", "'/>" WORLD(""), "inertiagrouprange", 2, 2},
        {OPEN("<site pos='"), "'/>" BALL "</body></worldbody>", "pos", 3, 3},
        {OPEN("<site quat='"), "'/>" BALL "</body></worldbody>", "quat", 4, 4},
        {OPEN("<site axisangle='"), "'/>" BALL "</body></worldbody>", "axisangle", 4, 4},
        {OPEN("<site zaxis='"), "'/>" BALL "</body></worldbody>", "zaxis", 3, 3},
        {OPEN("<site euler='"), "'/>" BALL "</body></worldbody>", "euler", 3, 3},
        {OPEN("<site fromto='"), "'/>" BALL "</body></worldbody>", "fromto", 6, 6},
        {OPEN("<joint pos='"), "'/>" BALL "</body></worldbody>", "pos", 3, 3},
        {OPEN("<joint axis='"), "'/>" BALL "</body></worldbody>", "axis", 3, 3},
        {OPEN("<joint range='"), "'/>" BALL "</body></worldbody>", "range", 2, 2},
        {OPEN("<joint stiffness='"), "'/>" BALL "</body></worldbody>", "stiffness", 1, 1},
        {OPEN("<inertial pos='0 0 0' mass='1' diaginertia='"), "'/>" BALL "</body></worldbody>", "diaginertia", 3, 3},
        {OPEN("<inertial pos='0 0 0' mass='1' fullinertia='"), "'/>" BALL "</body></worldbody>", "fullinertia", 6, 6},
        {OPEN("<inertial pos='0 0 0' diaginertia='1 1 1' mass='"), "'/>" BALL "</body></worldbody>", "mass", 1, 1},
        {OPEN("<geom size='0.1' mass='"), "'/>" BALL "</body></worldbody>", "mass", 1, 1},
        {OPEN("<geom size='0.1' friction='"), "'/>" BALL "</body></worldbody>", "friction", 1, 3},
        {OPEN("<geom type='box' size='1 1 1' contype='"), "'/>" BALL "</body></worldbody>", "contype", 1, 1},
        {OPEN("<geom type='box' size='"), "'/>" BALL "</body></worldbody>", "size", 3, 3},
        {OPEN("<geom type='capsule' size='"), "'/>" BALL "</body></worldbody>", "size", 2, 3},
        {OPEN("<geom type='sphere' size='"), "'/>" BALL "</body></worldbody>", "size", 1, 3},
        {OPEN("<geom type='box' size='1' fromto='"), "'/>" BALL "</body></worldbody>", "fromto", 6, 6},
        {WORLD("") "<equality><joint joint1='j' polycoef='", "'/></equality>", "polycoef", 1, 5},
        {WORLD("") "<equality><connect body1='t' anchor='", "'/></equality>", "anchor", 3, 3},
        {WORLD("") "<equality><weld body1='t' anchor='", "'/></equality>", "anchor", 3, 3},
        {WORLD("") "<tendon><fixed stiffness='1' springlength='", "'><joint joint='j' coef='1'/></fixed></tendon>",
         "springlength", 1, 2},
        {WORLD("") "<tendon><fixed range='", "'><joint joint='j' coef='1'/></fixed></tendon>", "range", 2, 2},
        {WORLD("") "<tendon><fixed><joint joint='j' coef='", "'/></fixed></tendon>", "coef", 1, 1},
        {WORLD("") "<actuator><position joint='j' ctrlrange='", "'/></actuator>", "ctrlrange", 2, 2},
        {WORLD("") "<actuator><position joint='j' kp='", "'/></actuator>", "kp", 1, 1},
        {WORLD("") "<actuator><position joint='j' gear='", "'/></actuator>", "gear", 1, 6},
        {WORLD("") "<actuator><general joint='j' gainprm='", "'/></actuator>", "gainprm", 1, 10},
        {WORLD("") "<actuator><general joint='j' biasprm='", "'/></actuator>", "biasprm", 1, 10},
    };
    for (size_t k = 0; k < sizeof attributes / sizeof attributes[0]; k++)
        for (int count = 0; count <= attributes[k].most + 1; count++) {
            char text[2048];
            dls_scene *scene = NULL;
            dls_error error = {.message = ""};
            size_t used = (size_t)snprintf(text, sizeof text, "<mujoco>%s", attributes[k].before);
            for (int i = 0; i < count; i++) /* they ascend, as those of a range have to */
                used += (size_t)snprintf(text + used, sizeof text - used, "%s%d", i ? " " : "", i + 1);
            snprintf(text + used, sizeof text - used, "%s</mujoco>", attributes[k].after);
            const dls_status status = read_whole(text, &scene, &error);
            const bool fits = count >= attributes[k].least && count <= attributes[k].most;
            const bool other = strcmp(attributes[k].key, "size") == 0; /* sizes depend on the type of a geom */
            const char *said = other                        ? ""
                               : count > attributes[k].most ? "more than the numbers it takes"
                               : attributes[k].most == 1    ? "not a number"
                                                            : "fewer numbers than it takes";
            if ((status == DLS_OK) != fits ||
                (!fits && (strcmp(error.key, attributes[k].key) != 0 || !strstr(error.message, said))))
                fail_msg("%s, %d numbers: %s, '%s': %s", attributes[k].before, count, dls_status_text(status),
                         error.key, error.message);
            dls_scene_destroy(scene);
        }
}

/* A link is TREE.BODY, and each joint but the last of a body one named BODY JOINT: names have up to 63 bytes. */
TEST(test_longest_names)
{
    for (int joint = 0; joint < 2; joint++) {
        const int longest = joint ? DLS_NAME_MAX - 1 - (int)strlen("t ") : (DLS_NAME_MAX - 1 - 1) / 2;
        for (int length = longest; length <= longest + 1; length++) {
            char text[512], name[DLS_NAME_MAX];
            dls_scene *scene = NULL;
            dls_error error;
            memset(name, 'n', sizeof name);
            name[length] = '\0';
            snprintf(text, sizeof text,
                     "<mujoco><worldbody><body name='%s'><joint name='%s'/><joint name='k'/>" BALL
                     "</body></worldbody></mujoco>",
                     joint ? "t" : name, joint ? name : "j");
            assert_int_equal(read_text(text, &scene, &error), length == longest ? DLS_OK : DLS_BAD_INPUT);
            if (length > longest) {
                assert_string_equal(error.key, "name");
                assert_non_null(strstr(error.message, joint ? "at most 63 bytes" : "at most 62 bytes"));
            }
            dls_scene_destroy(scene);
        }
    }
}

static const dls_link_visual *visual_of(const dls_articulation_def *def, size_t k)
{
    assert_true(k < def->n_visuals);
    return &def->visuals[k];
}

/* Colours in 24 bits, red first; what is not in 0 .. 1 is at its end. Of a mesh scale and file, or what is wrong. */
TEST(test_looks)
{
    dls_scene *scene = read_inside(
        "<compiler meshdir='in' strippath='false'/><asset><mesh name='good' file='a/b.stl' scale='1 2 3'/>"
        "<mesh name='plain' file='/c.stl'/><mesh file='d.obj' scale='1 2'/><mesh name='four' file='e.obj' "
        "scale='1 2 3 4'/><mesh name='none'/><mesh name='turned' file='f.stl' refpos='1 0 0'/>"
        "<material name='red' rgba='1 0.2 0 1'/></asset><worldbody>"
        "<body name='s'><geom size='0.5' contype='0' conaffinity='0' rgba='0 0 1 1'/>"
        "<body name='t'><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
        "<geom size='0.1' rgba='0.2 0.4 0.6 1'/><geom size='0.1' rgba='2 -1 0.5 1'/><geom size='0.1' material='red'/>"
        "<geom size='0.1' rgba='1 1 1 0'/><geom size='0.1' group='2'/><geom size='0.1' group='3'/>"
#define SEEN "contype='0' conaffinity='0'/>"
        "<geom type='mesh' mesh='good' " SEEN "<geom type='mesh' mesh='plain' " SEEN "<geom type='mesh' mesh='d' " SEEN
        "<geom type='mesh' mesh='four' " SEEN "<geom type='mesh' mesh='none' " SEEN
        "<geom type='mesh' mesh='turned' " SEEN "<geom type='mesh' " SEEN "<geom type='mesh' mesh='lost' " SEEN
        "</body><body name='u'><joint/>" BALL "</body></body></worldbody>");
#undef SEEN
    static const struct {
        long colour;
        const char *mesh, *wrong;
        double scale[3];
    } seen[] = {
        {0x0000ff, "", "", {0}}, /* of the body above, which the first tree on it draws */
        {0x336699, "", "", {0}},
        {0xff0080, "", "", {0}},
        {0xff3300, "", "", {0}},
        {-1, "", "", {0}},
        {-1, "in/a/b.stl", "", {1, 2, 3}},
        {-1, "/c.stl", "", {1, 1, 1}},
        {-1, "", "scale: fewer numbers", {0}},
        {-1, "", "scale: more than the numbers", {0}},
        {-1, "", "file: the mesh has neither a file", {0}},
        {-1, "in/f.stl", "", {1, 1, 1}},
        {-1, "", "mesh: the attribute is missing", {0}},
        {-1, "", "mesh: there is no mesh 'lost'", {0}},
    };
    const size_t count = sizeof seen / sizeof seen[0];
    assert_int_equal(scene->n_articulations, 2);
    const dls_articulation_def *def = scene->articulations[0];
    assert_int_equal(def->n_visuals, count);
    for (size_t k = 0; k < count; k++) {
        const dls_link_visual *visual = visual_of(def, k);
        assert_int_equal(visual->colour, seen[k].colour);
        assert_string_equal(visual->link, k ? "t" : "s");
        if (strncmp(visual->wrong, seen[k].wrong, seen[k].wrong[0] ? strlen(seen[k].wrong) : 1) != 0)
            fail_msg("visual %zu: '%s', expected '%s'", k, visual->wrong, seen[k].wrong);
        if (!seen[k].wrong[0])
            assert_string_equal(visual->mesh, seen[k].mesh);
        if (seen[k].mesh[0])
            assert_true(visual->scale.x == seen[k].scale[0] && visual->scale.y == seen[k].scale[1] &&
                        visual->scale.z == seen[k].scale[2]);
    }
    assert_int_equal(scene->articulations[1]->n_visuals, 1);
    assert_string_equal(visual_of(scene->articulations[1], 0)->link, "u");
    dls_model *model;
    dls_error error;
    assert_status(dls_model_create(scene, &model, &error), &error);
    assert_int_equal(dls_model_count(model).visuals, count + 1);
    const dls_visual *visuals = dls_model_visuals(model);
    for (size_t k = 0; k <= count; k++)
        assert_int_equal(visuals[k].end, dls_model_find_end(model, k == 0 ? "t.s" : k < count ? "t.t" : "u.u"));
    assert_int_equal(visuals[1].colour, 0x336699);
    assert_string_equal(visuals[5].mesh, "in/a/b.stl");
    assert_close(visuals[10].frame.p.x, -1.0, 0.0); /* refpos */
    assert_close(visuals[5].scale.y, 2.0, 0.0);
    dls_model_destroy(model);
    dls_scene_destroy(scene);
}

/* A start by name or number; without one the run begins in the reference configuration. What is wrong with a keyframe
 * is no error until a run begins with it. Against MuJoCo: test_mujoco.c. */
TEST(test_keyframes)
{
    static const struct {
        const char *start, *word; /* of the error; NULL: none */
        double q, target;
    } cases[] = {
        {NULL, NULL, 0.5, 0.0},
        {"home", NULL, 0.25, 0.75},
        {"1", NULL, 0.125, 0.0},
        {"0", NULL, 0.25, 0.75},
        {"hme", "did you mean 'home'", 0, 0},
        {"7", "no start '7'", 0, 0},
        {"long", "qpos: has 2 numbers; the model needs 1", 0, 0},
        {"word", "qpos: not a number", 0, 0},
        {"act", "act: has 1 numbers; the model needs 0", 0, 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        dls_scene *scene = read_inside(
            "<compiler angle='radian'/><worldbody><body name='t'><joint name='j' ref='0.5'/>" BALL "</body></worldbody>"
            "<actuator><position name='p' joint='j'/></actuator><keyframe><key name='home' qpos='0.25' ctrl='0.75'/>"
            "<key qpos='0.125'/><key name='long' qpos='1 2'/><key name='word' qpos='x'/><key name='act' act='1'/>"
            "</keyframe>");
        dls_model *model = NULL;
        dls_error error = {.message = ""};
        if (cases[k].start)
            assert_status(dls_scene_set(scene, "world.start", cases[k].start, &error), &error);
        const dls_status status = dls_model_create(scene, &model, &error);
        if (cases[k].word) {
            assert_true(status == DLS_BAD_INPUT || status == DLS_REFUSED);
            assert_non_null(strstr(error.message, cases[k].word));
            assert_string_equal(error.key, "start");
        } else {
            assert_status(status, &error);
            const dls_state *state = dls_model_initial(model);
            assert_close(state->coordinates[0], cases[k].q, 0.0);
            assert_close(state->joint_state[0], cases[k].target, 0.0);
        }
        dls_model_destroy(model);
        dls_scene_destroy(scene);
    }
}

/* Ignored attributes are told, once for each attribute, with how often and where first. */
TEST(test_notes)
{
    dls_scene *scene = read_inside(
        "\n<visual><map force='1'/></visual><worldbody>\n<body><freejoint/><geom size='1' user='1 1 1 1'/>"
        "<geom size='1' user='1 1 1 1' solref='1 1'/></body></worldbody><keyframe><key time='1'/></keyframe>");
    assert_int_equal(note_of(scene, "geom.user")->count, 2);
    assert_int_equal(note_of(scene, "geom.user")->place.line, 3);
    assert_non_null(strstr(note_of(scene, "geom.solref")->text, "rigid"));
    assert_non_null(note_of(scene, "<visual>"));
    assert_non_null(note_of(scene, "key.time"));
    dls_scene_destroy(scene);
}
