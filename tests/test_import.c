/* Words of models that are not read: all of them are recorded at once, sorted by the aspect of the motion that they may
 * change, and a model is made only with leave to lack them. */
#include "delassus/io.h"
#include "delassus/model.h"

#include "check.h"

#include <string.h>

static dls_scene *read_scene(const char *text)
{
    dls_scene *scene;
    dls_error error;
    assert_status(dls_scene_parse(text, strlen(text), "model.xml", &scene, &error), &error);
    return scene;
}

static dls_status make_model(const dls_scene *scene, dls_error *error)
{
    dls_model *model;
    const dls_status status = dls_model_create(scene, &model, error);
    dls_model_destroy(model);
    return status;
}

static const char arm[] =
    "<mujoco><worldbody>\n"
    "<body name='a'><joint name='j' axis='0 1 0' bogus='3'/><geom size='.1' adhesion='2'/></body>\n"
    "<body name='b'><joint name='k'/><geom size='.1' adhesion='2'/></body></worldbody>\n"
    "<actuator><muscle joint='j'/><motor name='m' joint='j' damping='1'/></actuator>\n"
    "<sensor><force site='s'/></sensor></mujoco>";

/* One reading finds everything; equal words are one entry with their number; the error names all. */
TEST(test_all_words_at_once)
{
    static const struct {
        dls_aspect aspect;
        const char *key;
        size_t count;
        long line;
    } expected[] = {
        {DLS_ASPECT_BODIES, "bogus", 1, 2},      {DLS_ASPECT_FORCES, "damping", 1, 4},
        {DLS_ASPECT_CONTACTS, "adhesion", 2, 2}, {DLS_ASPECT_ACTUATORS, "", 1, 4},
        {DLS_ASPECT_SENSORS, "site", 1, 5},
    };
    dls_scene *scene = read_scene(arm);
    dls_error error;
    assert_int_equal(scene->n_dropped, sizeof expected / sizeof expected[0]);
    for (size_t k = 0; k < scene->n_dropped; k++) {
        const dls_dropped *d = &scene->dropped[k];
        assert_int_equal(d->aspect, expected[k].aspect);
        assert_string_equal(d->key, expected[k].key);
        assert_int_equal(d->count, expected[k].count);
        assert_int_equal(d->place.line, expected[k].line);
    }
    assert_int_equal(make_model(scene, &error), DLS_REFUSED);
    assert_int_equal(error.line, 2);
    for (size_t k = 1; k < scene->n_dropped; k++)
        assert_non_null(strstr(error.message, dls_aspect_names[expected[k].aspect]));
    dls_scene_destroy(scene);
}

/* An aspect is complete if no word of it is left out, whatever is left out of the others; a model needs all of them, or
 * leave for each. */
TEST(test_aspects)
{
    const unsigned all = DLS_ALL_ASPECTS;
    dls_scene *scene = read_scene(arm);
    dls_error error;
    for (unsigned aspect = 0; aspect < DLS_ASPECTS; aspect++) {
        const bool complete = aspect == DLS_ASPECT_CONSTRAINTS;
        assert_int_equal(dls_scene_check_dropped(scene, 1u << aspect, &error), complete ? DLS_OK : DLS_REFUSED);
    }
    for (unsigned aspect = 0; aspect < DLS_ASPECTS; aspect++) {
        assert_int_equal(make_model(scene, &error), aspect <= DLS_ASPECT_SENSORS ? DLS_REFUSED : DLS_OK);
        dls_scene_ignore(scene, 1u << aspect);
        assert_status(dls_scene_check_dropped(scene, (2u << aspect) - 1, &error), &error);
    }
    assert_status(make_model(scene, &error), &error);
    dls_scene_destroy(scene);
    scene = read_scene(arm);
    assert_status(dls_scene_set(scene, "world.import", "warn", &error), &error);
    assert_status(dls_scene_check_dropped(scene, all, &error), &error);
    assert_status(make_model(scene, &error), &error);
    dls_scene_destroy(scene);
}

TEST(test_names_of_aspects)
{
    unsigned aspects;
    dls_error error;
    assert_status(dls_aspects_read("contacts,sensors", &aspects, &error), &error);
    assert_int_equal(aspects, 1u << DLS_ASPECT_CONTACTS | 1u << DLS_ASPECT_SENSORS);
    assert_status(dls_aspects_read("all", &aspects, &error), &error);
    assert_int_equal(aspects, DLS_ALL_ASPECTS);
    static const char *const wrong[] = {"", "contact", "contacts,", ",contacts", "contacts, sensors", "allx"};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        assert_int_equal(dls_aspects_read(wrong[k], &aspects, &error), DLS_BAD_INPUT);
        assert_non_null(strstr(error.message, "contacts, actuators"));
    }
}

/* A part that refers to something that is left out is left out itself, and nothing takes its place. */
TEST(test_references_to_what_is_left_out)
{
    dls_scene *scene = read_scene(
        "<mujoco><worldbody><geom name='g' size='1'/><site name='s'/><body name='a'><joint name='j'/><geom size='.1' "
        "contype='0' conaffinity='0'/><site name='t' pos='1 0 0'/></body></worldbody><tendon><spatial name='w' "
        "stiffness='5'><site site='s'/><geom geom='g'/><site site='t'/></spatial><fixed name='f'><joint joint='j' "
        "coef='2'/></fixed></tendon><actuator><position name='p' tendon='w'/><position name='q' tendon='f'/></actuator>"
        "<equality><tendon tendon1='f' tendon2='w'/></equality></mujoco>");
    assert_int_equal(scene->n_dropped, 3);
    assert_int_equal(scene->n_joints, 1);
    assert_string_equal(scene->joints[0].name, "q");
    dls_scene_destroy(scene);
}

/* URDF has the same policy; a program that asks for a robot without a scene gets the error. */
TEST(test_robots)
{
    static const char robot[] =
        "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia "
        "ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>\n"
        "<joint name='j' type='continuous'><parent link='a'/><child link='b'/><axis xyz='0 1 0'/>"
        "<dynamics damping='1' spring_stiffness='2'/></joint></robot>";
    dls_articulation_def *def;
    dls_error error;
    dls_scene *scene = read_scene(robot);
    assert_int_equal(scene->n_dropped, 1);
    assert_int_equal(scene->dropped[0].aspect, DLS_ASPECT_FORCES);
    assert_int_equal(make_model(scene, &error), DLS_REFUSED);
    assert_status(dls_scene_check_dropped(scene, 1u << DLS_ASPECT_BODIES, &error), &error);
    dls_scene_ignore(scene, 1u << DLS_ASPECT_FORCES);
    assert_status(make_model(scene, &error), &error);
    dls_scene_destroy(scene);
    assert_int_equal(dls_urdf_parse(robot, strlen(robot), "r.urdf", &def, NULL, &error), DLS_REFUSED);
    assert_string_equal(error.key, "spring_stiffness");
}
