/* Robots in URDF: small ones by hand, wrong ones, and Baxter against the figures of two other libraries. */
#include "published.h"

#include "delassus/articulation.h"

static const char arm[] =
    "<?xml version=\"1.0\"?>\n"
    "<robot name=\"arm\">\n"
    "  <link name=\"base\"><visual/><collision/></link>\n"
    "  <link name=\"rod\">\n"
    "    <inertial><origin xyz=\"0 0 -0.5\"/><mass value=\"2\"/>\n"
    "      <inertia ixx=\"0.3\" ixy=\"0\" ixz=\"0\" iyy=\"0.4\" iyz=\"0\" izz=\"0.2\"/></inertial>\n"
    "  </link>\n"
    "  <joint name=\"pivot\" type=\"revolute\">\n"
    "    <parent link=\"base\"/><child link=\"rod\"/><origin xyz=\"0 0 1\" rpy=\"0 0 0\"/>\n"
    "    <axis xyz=\"0 1 0\"/><limit lower=\"-1\" upper=\"2\" effort=\"5\" velocity=\"3\"/>\n"
    "    <dynamics damping=\"0.7\" friction=\"0.1\"/>\n"
    "  </joint>\n"
    "</robot>\n";

static dls_articulation *compile(const char *text, size_t *shapes)
{
    dls_articulation_def *def;
    dls_articulation *tree;
    dls_error error;
    assert_status(dls_urdf_parse(text, strlen(text), "arm.urdf", &def, shapes, &error), &error);
    assert_status(dls_articulation_create(def, &tree, &error), &error);
    dls_articulation_def_destroy(def);
    return tree;
}

/* A rod of 2 kg whose centre hangs 0.5 m below the pivot: g(q) = m g l sin q about y, H = I + m l^2. */
TEST(test_a_pendulum_by_hand)
{
    size_t shapes;
    dls_articulation *tree = compile(arm, &shapes);
    dls_articulation_state *state;
    dls_articulation_work *work;
    dls_error error;
    double tau, H;
    assert_int_equal(shapes, 2);
    assert_int_equal(tree->nv, 1);
    assert_true(tree->fixed_base);
    assert_close(tree->defs[1].lower, -1.0, 0.0);
    assert_close(tree->defs[1].upper, 2.0, 0.0);
    assert_close(tree->defs[1].force_limit, 5.0, 0.0);
    assert_close(tree->defs[1].damping, 0.7, 0.0);
    assert_status(dls_articulation_state_create(tree, &state, &error), &error);
    assert_status(dls_articulation_work_create(tree, &work, &error), &error);
    dls_articulation_set_position(tree, state, dls_articulation_find_joint(tree, "pivot"), 0.4);
    dls_articulation_kinematics(state, work);
    dls_articulation_velocities(state->v, work);
    dls_articulation_gravity_force(work, dls_v3(0, 0, -9.81), &tau);
    assert_close(tau, 2.0 * 9.81 * 0.5 * sin(0.4), 1e-14);
    dls_articulation_mass_matrix(work, &H, 1);
    assert_close(H, 0.4 + 2.0 * 0.25, 1e-15);
    dls_vec3 c = dls_articulation_centre_of_mass(work);
    assert_close(c.x, -0.5 * sin(0.4), 1e-15); /* y turns z towards x: below the pivot towards -x */
    assert_close(c.z, 1.0 - 0.5 * cos(0.4), 1e-15);
    dls_articulation_work_destroy(work);
    dls_articulation_state_destroy(state);
    dls_articulation_destroy(tree);
}

/* --- wrong robots --- */

/* The arm with one piece of its text replaced. */
static void replaced(char *to, size_t size, const char *from, const char *by)
{
    const char *at = strstr(arm, from);
    assert_non_null(at);
    snprintf(to, size, "%.*s%s%s", (int)(at - arm), arm, by, at + strlen(from));
}

TEST(test_wrong_robots)
{
    static const struct {
        const char *from, *by;
        long line;
        const char *word;
    } wrong[] = {
        {"<robot name", "<Robot name", 0, ""},
        {"</robot>", "", 0, ""},
        {"type=\"revolute\"", "type=\"planar\"", 10, "lower and upper of a planar joint are not read"},
        {"damping=\"0.7\"", "damping=\"-0.7\"", 11, "damping >= 0"},
        {"</joint>", "<mimic joint=\"nobody\"/></joint>", 8, "follows 'nobody', which is no joint"},
        {"</joint>", "<mimic joint=\"pivot\"/></joint>", 8, "in the end itself"},
        {"type=\"revolute\"", "type=\"hinge\"", 8, "hinge"},
        {"type=\"revolute\"", "", 8, "missing"},
        {"link=\"rod\"/><origin", "link=\"rot\"/><origin", 8, "rot"},
        {"<child link=\"rod\"/>", "", 8, "child"},
        {"mass value=\"2\"", "mass value=\"two\"", 5, "not a number"},
        {"mass value=\"2\"", "mass value=\"nan\"", 5, "finite"},
        {"xyz=\"0 1 0\"", "xyz=\"0 0 0\"", 10, "direction"},
        {"xyz=\"0 1 0\"", "xyz=\"0 1\"", 10, "fewer"},
        {"xyz=\"0 1 0\"", "xyz=\"0 1 0 0\"", 10, "more"},
        {"lower=\"-1\"", "lower=\"3\"", 10, "lower"},
        {"<limit lower=\"-1\" upper=\"2\" effort=\"5\" velocity=\"3\"/>", "", 8, "limit"},
        {"ixx=\"0.3\"", "", 6, "missing"},
        {"name=\"rod\"", "name=\"base\"", 4, "duplicate"},
        {"name=\"pivot\"", "name=\"\"", 8, "name: the attribute is missing or empty"},
        {"name=\"rod\"", "", 4, "name: the attribute is missing or empty"},
        {"<parent link=\"base\"/>", "", 8, "parent: the joint does not name this link"},
        {"parent link=\"base\"", "parent link=\"vase\"", 8, "parent: there is no link 'vase'"},
        {"<mass value=\"2\"/>", "", 5, "<inertial> without <mass>"},
        {"<mass value=\"2\"/>", "<mass/>", 5, "value: the attribute is missing"},
        {"iyy=\"0.4\"", "", 6, "iyy: the attribute is missing"},
        {"izz=\"0.2\"", "", 6, "izz: the attribute is missing"},
        {"effort=\"5\"", "effort=\"-1\"", 10, "effort >= 0"},
        {"velocity=\"3\"", "velocity=\"-1\"", 10, "velocity >= 0"},
        {"friction=\"0.1\"", "friction=\"-0.1\"", 11, "friction >= 0"},
        {"rpy=\"0 0 0\"", "rpy=\"0 0\"", 9, "rpy: fewer"},
        {"xyz=\"0 0 1\"", "xyz=\"0 0 1 2\"", 9, "xyz: more"},
        {"<collision/>", "<collision><geometry><cone/></geometry></collision>", 3, "<cone> is not read in <geometry>"},
        {"<collision/>", "<collision><geometry/></collision>", 3, "<collision> of link 'base' is no box"},
        {"<collision/>", "<collision><geometry><sphere radius=\"0\"/></geometry></collision>", 3, "must be positive"},
        {"<collision/>", "<collision><geometry><sphere/></geometry></collision>", 3,
         "radius: the attribute is missing"},
        {"<collision/>", "<collision><geometry><box size=\"1 0 1\"/></geometry></collision>", 3, "three positive"},
        {"<collision/>", "<collision><geometry><box size=\"0 1 1\"/></geometry></collision>", 3, "three positive"},
        {"<collision/>", "<collision><geometry><box size=\"1 1 0\"/></geometry></collision>", 3, "three positive"},
        {"<collision/>", "<collision><geometry><box size=\"1 1\"/></geometry></collision>", 3, "fewer"},
        {"<collision/>", "<collision><geometry><box/></geometry></collision>", 3, "three positive"},
        {"<collision/>", "<collision><geometry><cylinder radius=\"1\" length=\"0\"/></geometry></collision>", 3,
         "length: must be positive"},
        {"<collision/>", "<collision><geometry><capsule radius=\"0\" length=\"1\"/></geometry></collision>", 3,
         "radius: must be positive"},
        {"<collision/>", "<collision><geometry><mesh/></geometry></collision>", 3,
         "filename: the attribute is missing"},
        {"</joint>",
         "</joint><joint name=\"again\" type=\"fixed\"><parent link=\"base\"/><child link=\"rod\"/></joint>", 12,
         "link 'rod' is the child of two joints"},
        {"</joint>",
         "</joint>\n<link name=\"tip\"/>\n<joint name=\"pivot\" type=\"fixed\"><parent link=\"rod\"/><child "
         "link=\"tip\"/></joint>",
         14, "name: duplicate joint 'pivot', after that of line 8"},
        {"name=\"rod\"", "name=\"base\"", 4, "duplicate link 'base', after that of line 3"},
        {"lower=\"-1\"", "lower=\"inf\"", 10, "lower <= upper"},
        {"upper=\"2\"", "upper=\"nan\"", 10, "upper: not a finite"},
        {"<?xml version=\"1.0\"?>", "<?xml version=\"1.0\" encoding=\"EBCDIC\"?>", 1, "'ebcdic' is not read"},
        /* words that are not known, and words that would be lost */
        {"</joint>", "<mimick joint=\"pivot\"/></joint>", 12, "<mimick> is not read in <joint>; did you mean 'mimic'?"},
        {"lower=\"-1\"", "lowr=\"-1\"", 10, "lowr: <limit> has no such attribute; did you mean 'limit/lower'?"},
        {"xyz=\"0 0 1\"", "xzy=\"0 0 1\"", 9, "did you mean 'origin/xyz'?"},
        {"</joint>", "<mimic joint=\"pivot\" multiplyer=\"2\"/></joint>", 12, "did you mean 'mimic/multiplier'?"},
        {"damping=\"0.7\"", "spring_stiffness=\"5\"", 11, "spring_stiffness: is not read of <dynamics>"},
        {"</robot>", "<loop_joint/></robot>", 13, "<loop_joint> is not read in <robot>"},
        {"</joint>", "<limit lower=\"0\" upper=\"0\"/></joint>", 12,
         "a second <limit> of one <joint>, after that of line 10"},
        {"</inertial>", "</inertial><inertial/>", 6, "a second <inertial> of one <link>, after that of line 5"},
        {"<collision/>", "<collision><geometry><sphere radius=\"1\"/><box size=\"1 1 1\"/></geometry></collision>", 3,
         "a second shape"},
        {"</joint>", "</joint><xacro:wheel/>", 12, "install xacro, or expand it"},
        {"</joint>", "</joint><xacro:wheel xmlns:xacro=\"http://www.ros.org/wiki/xacro\"/>", 12,
         "install xacro, or expand it"},
        {"name=\"pivot\"", "name=\"${prefix}pivot\"", 8, "install xacro, or expand it"},
        {"<visual/>", "<visual><geometry><mesh filename=\"$(find arm)/a.stl\"/></geometry></visual>", 3,
         "install xacro, or expand it"},
        {"</joint>", "<mimic/></joint>", 12, "joint: the attribute is missing"},
        {"<?xml version=\"1.0\"?>", "<!DOCTYPE robot [<!ENTITY a \"b\">]>", 0, ""},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        char text[2048], shown[DLS_PATH_MAX + 2 * DLS_MESSAGE_MAX];
        dls_articulation_def *def = NULL;
        dls_error error = {0};
        replaced(text, sizeof text, wrong[k].from, wrong[k].by);
        dls_status status = dls_urdf_parse(text, strlen(text), "arm.urdf", &def, NULL, &error);
        dls_error_format(&error, shown, sizeof shown);
        if (status == DLS_OK || def || (wrong[k].line && error.line != wrong[k].line) ||
            !strstr(shown, wrong[k].word) || !strstr(shown, "arm.urdf"))
            fail_msg("'%s' by '%s': %s", wrong[k].from, wrong[k].by, status == DLS_OK ? "accepted" : shown);
    }
}

/* --- what hinders nothing --- */

/* Equal robots have equal definitions but for the lines. */
static dls_articulation_def *parsed(const char *text, size_t size)
{
    dls_articulation_def *def;
    dls_error error = {.message = ""};
    if (dls_urdf_parse(text, size, "arm.urdf", &def, NULL, &error) != DLS_OK)
        fail_msg("%s:%ld: %s: %s", text, error.line, error.key, error.message);
    for (size_t i = 0; i < def->n_links; i++)
        def->links[i].place = (dls_place){0, 0};
    return def;
}

/* Another vocabulary, ignored elements, byte order marks and encodings leave the robot as it is. */
TEST(test_the_same_robot)
{
    static const struct {
        const char *from, *by;
    } same[] = {
        {"<?xml", "\xef\xbb\xbf<?xml"},
        {"<?xml version=\"1.0\"?>", "  <?xml version='0.0' ?>"},
        {"<?xml version=\"1.0\"?>\n", "<?xml version='1.0'\n?>"},
        {"<?xml version=\"1.0\"?>", "<?xml version='1.0' encoding='ISO-8859-1'?><!-- caf\xe9 -->"},
        {"<?xml version=\"1.0\"?>", "<?xml version='1.0' encoding = \"Latin1\"?><!-- \xff -->"},
        {"<?xml version=\"1.0\"?>", "<?xml version='1.0' encoding='UTF-8'?><!-- caf\xc3\xa9 -->"},
        {"</robot>", "<gazebo reference='rod'><limit/></gazebo><transmission/><sensor/><ros2_control/></robot>"},
        {"</joint>", "<calibration rising='0'/><safety_controller k_velocity='1'/></joint>"},
        {"</joint>", "<d:limit xmlns:d='urn:d' lower='0' upper='0'/><e:mimic joint='x'/></joint>"},
        {"<limit lower", "<limit xmlns:d='urn:d' d:upper='0' d:lower='0' lower"},
        {"<inertial>", "<d:inertial xmlns:d='urn:d'/><inertial>"},
        {"<dynamics ", "<dynamics spring_stiffness='0.0' spring_reference='3' "},
        {"<robot name", "<robot xmlns='urn:urdf' version='1.0' name"},
    };
    dls_articulation_def *const expected = parsed(arm, strlen(arm));
    for (size_t k = 0; k < sizeof same / sizeof same[0]; k++) {
        char text[2048];
        replaced(text, sizeof text, same[k].from, same[k].by);
        dls_articulation_def *def = parsed(text, strlen(text));
        assert_int_equal(def->n_links, expected->n_links);
        assert_memory_equal(def->links, expected->links, def->n_links * sizeof *def->links);
        dls_articulation_def_destroy(def);
    }
    dls_articulation_def_destroy(expected);
}

/* Ignored elements are named, with the first line and the count. */
TEST(test_notes)
{
    static const struct {
        const char *key;
        size_t count;
        long line;
    } expected[] = {{"<gazebo>", 2, 12}, {"<d:limit>", 1, 12}, {"limit.jerk", 1, 10}, {"inertia of tip", 1, 12}};
    static const char base[] =
        "<inertial><mass value='0'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>";
    char text[2048];
    dls_scene *scene;
    dls_error error;
    const char *at = strstr(arm, "<visual/>"), *limit = strstr(arm, "effort="), *end = strstr(arm, "</joint>");
    snprintf(text, sizeof text,
             "%.*s%s%.*sjerk='3' %.*s<d:limit xmlns:d='d'/></joint><gazebo/><gazebo/><link name='tip'>%s</link>"
             "<joint name='t' type='fixed'><parent link='rod'/><child link='tip'/></joint></robot>",
             (int)(at - arm), arm, base, (int)(limit - at), at, (int)(end - limit), limit, base);
    assert_status(dls_scene_parse(text, strlen(text), "arm.urdf", &scene, &error), &error);
    assert_int_equal(scene->n_notes, sizeof expected / sizeof expected[0]);
    for (size_t k = 0; k < scene->n_notes; k++) {
        const dls_note *note = NULL;
        for (size_t i = 0; i < scene->n_notes; i++)
            note = strcmp(scene->notes[i].key, expected[k].key) == 0 ? &scene->notes[i] : note;
        assert_non_null(note);
        assert_int_equal(note->count, expected[k].count);
        assert_int_equal(note->place.line, expected[k].line);
        assert_string_equal(note->file, "arm.urdf");
    }
    dls_scene_destroy(scene);
}

/* The arm's inertia about its joint under a policy of the world, or the error of its model. */
static double inertia_under(const char *text, const char *policy, dls_error *error)
{
    dls_scene *scene;
    dls_model *model = NULL;
    double H = NAN;
    assert_status(dls_scene_parse(text, strlen(text), "arm.urdf", &scene, error), error);
    assert_int_equal(scene->n_notes, 1);
    assert_non_null(strstr(scene->notes[0].key, "inertia of rod"));
    assert_status(dls_scene_set(scene, "world.inertia", policy, error), error);
    if (dls_model_create(scene, &model, error) == DLS_OK) {
        dls_articulation_state *state;
        dls_articulation_work *work;
        assert_status(dls_articulation_state_create(dls_model_articulations(model)[0].tree, &state, error), error);
        assert_status(dls_articulation_work_create(dls_model_articulations(model)[0].tree, &work, error), error);
        dls_articulation_kinematics(state, work);
        dls_articulation_mass_matrix(work, &H, 1);
        dls_articulation_work_destroy(work);
        dls_articulation_state_destroy(state);
    }
    dls_model_destroy(model);
    dls_scene_destroy(scene);
    return H;
}

/* A principal inertia that is negative is used as it is written and named, becomes the mean of all three, or is
 * refused; where a joint then moves no inertia, no acceleration is computed. */
TEST(test_indefinite_inertias)
{
    char text[2048];
    dls_articulation *tree;
    dls_articulation_state *state;
    dls_articulation_work *work;
    dls_error error;
    replaced(text, sizeof text, "ixx=\"0.3\"", "ixx=\"-0.3\"");
    assert_close(inertia_under(text, "warn", &error), 0.4 + 0.5, 1e-15);
    assert_close(inertia_under(text, "balance", &error), 0.1 + 0.5, 1e-15);
    assert_true(isnan(inertia_under(text, "refuse", &error)));
    assert_non_null(strstr(error.message, "not all of its principal inertias are positive"));
    replaced(text, sizeof text, "ixx=\"0.3\"", "ixx=\"-0.7\"");
    assert_true(isnan(inertia_under(text, "balance", &error))); /* the mean is -0.1 / 3 */
    replaced(text, sizeof text, "iyy=\"0.4\"", "iyy=\"-0.5\"");
    tree = compile(text, NULL);
    assert_status(dls_articulation_state_create(tree, &state, &error), &error);
    assert_status(dls_articulation_work_create(tree, &work, &error), &error);
    dls_articulation_kinematics(state, work);
    assert_int_equal(dls_articulation_factor(work, &error), DLS_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "'pivot' moves no inertia"));
    dls_articulation_work_destroy(work);
    dls_articulation_state_destroy(state);
    dls_articulation_destroy(tree);
}

/* An infinite limit is none. A joint that does not move needs no axis. A fixed root without mass may have an inertia,
 * which has no effect: a mass of its own would have none either. */
TEST(test_words_without_effect)
{
    char text[2048];
    replaced(text, sizeof text, "<limit lower=\"-1\" upper=\"2\" effort=\"5\" velocity=\"3\"/>",
             "<limit lower='-inf' upper='inf' effort='Infinity' velocity='inf'/>");
    dls_articulation_def *def = parsed(text, strlen(text));
    const dls_link_def *rod = dls_articulation_def_find(def, "rod");
    assert_true(rod->lower == -HUGE_VAL && rod->upper == HUGE_VAL);
    assert_true(rod->force_limit == HUGE_VAL && rod->speed_limit == HUGE_VAL);
    dls_articulation_def_destroy(def);
    replaced(text, sizeof text, "type=\"revolute\"", "type='fixed'");
    char *axis = strstr(text, "xyz=\"0 1 0\"");
    memcpy(axis, "xyz=\"0 0 0\"", 11);
    dls_articulation_destroy(compile(text, NULL));
    replaced(text, sizeof text, "<visual/>",
             "<inertial><mass value='0'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>");
    dls_articulation_destroy(compile(text, NULL));
}

/* --- everything arrives --- */

/* R = Rz(yaw) Ry(pitch) Rx(roll), from the three matrices. */
static dls_mat3 rotation(double roll, double pitch, double yaw)
{
    const double a = cos(roll), b = sin(roll), c = cos(pitch), d = sin(pitch), e = cos(yaw), f = sin(yaw);
    return dls_matmul3((dls_mat3){{e, -f, 0, f, e, 0, 0, 0, 1}},
                       dls_matmul3((dls_mat3){{c, 0, d, 0, 1, 0, -d, 0, c}}, (dls_mat3){{1, 0, 0, 0, a, -b, 0, b, a}}));
}

static void assert_matrix(dls_mat3 found, dls_mat3 expected, double tolerance)
{
    for (int i = 0; i < 9; i++)
        assert_close(found.m[i], expected.m[i], tolerance);
}

/* A robot in which all numbers are different: poses, axes, inertia, limits, what a joint follows, and shapes. */
TEST(test_everything_arrives)
{
    static const char text[] =
        "<robot name='all'><material name='blue'><color rgba='0 0 1 1'/></material><link name='base'>"
        "<collision><origin xyz='1 2 3' rpy='0.1 0.2 0.3'/><geometry><box size='0.1 0.2 0.3'/></geometry></collision>"
        "<collision/><collision><geometry> <sphere radius='0.4'/></geometry></collision>"
        "<collision><geometry><cylinder radius='0.5' length='0.6'/></geometry></collision>"
        "<collision><geometry><capsule radius='0.7' length='0.8'/></geometry></collision>"
        "<collision><geometry><mesh filename='package://a/b.stl'/></geometry></collision>"
        "<visual><geometry><box size='1 2 3'/></geometry><material name='blue'/></visual>"
        "<visual><geometry><mesh filename='c/d.obj' scale='4 5 6'/></geometry><material name='own'>"
        "<color rgba='1 0.5 0 1'/></material></visual><visual><geometry><sphere radius='9'/></geometry>"
        "<material name='own'/></visual><visual/><visual><geometry><sphere/></geometry></visual></link>"
        "<link name='a'><inertial><origin xyz='0.1 0.2 0.3' rpy='-0.4 0.5 0.6'/><mass value='7'/>"
        "<inertia ixx='3' ixy='0.1' ixz='0.2' iyy='4' iyz='0.3' izz='5'/></inertial></link>"
        "<link name='b'/><link name='c'/><link name='d'/>"
        "<joint name='ja' type='revolute'><parent link='base'/><child link='a'/><origin xyz='-1 -2 -3' rpy='0.7 -0.8 "
        "0.9'/><axis xyz='1 2 -2'/><limit lower='-0.5' upper='1.5' effort='11' velocity='12'/><dynamics damping='13' "
        "friction='14'/></joint><joint name='jb' type='continuous'><parent link='a'/><child link='b'/><limit "
        "lower='-0.25' upper='0.25' effort='0' velocity='0'/><dynamics damping='0' friction='0'/></joint>"
        "<joint name='jc' type='prismatic'><parent link='b'/><child link='c'/><axis xyz='0 0 2'/><limit lower='3' "
        "upper='3'/><mimic joint='ja' multiplier='-2' offset='0.125'/></joint>"
        "<joint name='jd' type='fixed'><parent link='c'/><child link='d'/></joint></robot>";
    dls_articulation_def *def;
    dls_error error;
    size_t shapes;
    assert_status(dls_urdf_parse(text, strlen(text), "all.urdf", &def, &shapes, &error), &error);
    assert_int_equal(shapes, 11);
    assert_int_equal(def->n_links, 5);
    assert_string_equal(def->name, "all");
    const dls_link_def *a = dls_articulation_def_find(def, "a"), *b = dls_articulation_def_find(def, "b"),
                       *c = dls_articulation_def_find(def, "c"), *d = dls_articulation_def_find(def, "d");
    assert_close(a->mass, 7.0, 0.0);
    assert_true(a->centre.x == 0.1 && a->centre.y == 0.2 && a->centre.z == 0.3);
    assert_matrix(a->inertia,
                  dls_rotate_tensor(rotation(-0.4, 0.5, 0.6), (dls_mat3){{3, .1, .2, .1, 4, .3, .2, .3, 5}}), 1e-14);
    /* The joint frame has its x axis along (1, 2, -2)/3 of the frame of the origin. */
    const dls_mat3 R = rotation(0.7, -0.8, 0.9);
    const dls_vec3 axis = dls_v3(1.0 / 3.0, 2.0 / 3.0, -2.0 / 3.0);
    assert_true(a->parent_frame.p.x == -1 && a->parent_frame.p.y == -2 && a->parent_frame.p.z == -3);
    assert_below(dls_norm(dls_sub(dls_quat_rotate(a->parent_frame.q, dls_axis3(0)), dls_mul3(R, axis))), 1e-15);
    assert_below(dls_norm(dls_sub(dls_quat_rotate(a->child_frame.q, dls_axis3(0)), axis)), 1e-15);
    assert_matrix(dls_matmul3(dls_quat_matrix(a->parent_frame.q), dls_quat_matrix(dls_quat_conj(a->child_frame.q))), R,
                  1e-15);
    assert_true(dls_norm(a->child_frame.p) == 0.0);
    static const char *const motions[] = {"revolute-unwrapped", "revolute-unwrapped", "prismatic", "fix"};
    const dls_link_def *const links[] = {a, b, c, d};
    for (int k = 0; k < 4; k++) {
        assert_string_equal(links[k]->motion->name, motions[k]);
        assert_string_equal(links[k]->parent, k ? links[k - 1]->name : "base");
    }
    assert_true(a->lower == -0.5 && a->upper == 1.5 && a->force_limit == 11 && a->speed_limit == 12);
    assert_true(a->damping == 13 && a->friction == 14);
    assert_true(b->lower == -HUGE_VAL && b->upper == HUGE_VAL && b->force_limit == 0 && b->speed_limit == 0);
    assert_true(b->damping == 0 && b->friction == 0);
    assert_true(dls_quat_rotate(b->parent_frame.q, dls_axis3(0)).x == 1.0); /* without an axis it is x */
    assert_true(c->lower == 3 && c->upper == 3 && c->multiplier == -2 && c->offset == 0.125);
    assert_string_equal(c->mimic, "ja");
    assert_below(dls_norm(dls_sub(dls_quat_rotate(c->parent_frame.q, dls_axis3(0)), dls_axis3(2))), 1e-15);
    /* Shapes, but the <collision> without one. */
    assert_int_equal(def->n_shapes, 5);
    const dls_link_shape *s = def->shapes;
    assert_true(s[0].shape == DLS_SHAPE_BOX && s[0].size.x == 0.1 && s[0].size.y == 0.2 && s[0].size.z == 0.3);
    assert_true(s[0].frame.p.x == 1 && s[0].frame.p.y == 2 && s[0].frame.p.z == 3);
    assert_matrix(dls_quat_matrix(s[0].frame.q), rotation(0.1, 0.2, 0.3), 1e-15);
    assert_true(s[1].shape == DLS_SHAPE_SPHERE && s[1].radius == 0.4);
    assert_true(s[2].shape == DLS_SHAPE_CYLINDER && s[2].radius == 0.5 && s[2].length == 0.6);
    assert_true(s[3].shape == DLS_SHAPE_CAPSULE && s[3].radius == 0.7 && s[3].length == 0.8);
    assert_true(s[4].shape == DLS_SHAPE_NONE);
    assert_string_equal(s[4].mesh, "package://a/b.stl");
    for (int k = 0; k < 5; k++)
        assert_string_equal(s[k].link, "base");
    assert_int_equal(def->n_visuals, 4);
    const dls_link_visual *v = def->visuals;
    assert_true(v[0].colour == 0x0000ff && v[0].size.z == 3 && v[1].colour == 0xff8000 && v[2].colour == 0xff8000);
    assert_true(v[1].scale.x == 4 && v[1].scale.y == 5 && v[1].scale.z == 6 && v[0].scale.y == 1);
    assert_string_equal(v[1].mesh, "c/d.obj");
    assert_true(!v[0].wrong[0] && !v[1].wrong[0] && !v[2].wrong[0]);
    assert_string_equal(v[3].wrong, "radius: the attribute is missing");
    assert_int_equal(v[3].colour, -1);
    dls_articulation_def_destroy(def);
}

/* --- the base --- */

/* The root of a floating joint has no parent, no mass, no other child, and is gone with what it looked like. */
TEST(test_where_a_base_floats)
{
#define BODY "<inertial><mass value='3'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>"
#define TIE(name, type, parent, child) \
    "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/></joint>"
    static const struct {
        const char *inside;
        bool floats;
    } cases[] = {
        {"<link name='w'/><link name='b'>" BODY "</link>" TIE("f", "floating", "w", "b"), true},
        {"<link name='w'>" BODY "</link><link name='b'>" BODY "</link>" TIE("f", "floating", "w", "b"), false},
        {"<link name='w'/><link name='b'>" BODY "</link><link name='c'>" BODY "</link>" TIE("f", "floating", "w", "b")
             TIE("g", "fixed", "w", "c"),
         false},
        {"<link name='r'/><link name='w'/><link name='b'>" BODY "</link>" TIE("g", "fixed", "r", "w")
             TIE("f", "floating", "w", "b"),
         false},
    };
#undef BODY
#undef TIE
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[2048];
        dls_articulation_def *def = NULL;
        dls_error error;
        snprintf(text, sizeof text, "<robot name='r'>%s</robot>", cases[k].inside);
        assert_status(dls_urdf_parse(text, strlen(text), "r.urdf", &def, NULL, &error), &error);
        const dls_link_def *b = dls_articulation_def_find(def, "b");
        assert_int_equal(def->fixed_base, !cases[k].floats);
        assert_string_equal(b->parent, cases[k].floats ? "" : "f_z");
        assert_string_equal(b->motion->name, cases[k].floats ? "fix" : "spherical");
        dls_articulation_def_destroy(def);
    }
}

TEST(test_floating_base)
{
    const char text[] = "<robot name=\"box\"><link name=\"world\"/><link name=\"box\"><inertial><mass value=\"3\"/>"
                        "<inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>"
                        "<joint name=\"free\" type=\"floating\"><parent link=\"world\"/><child link=\"box\"/>"
                        "<origin xyz=\"1 2 3\"/></joint></robot>";
    dls_articulation *tree = compile(text, NULL);
    dls_articulation_state *state;
    dls_error error;
    assert_false(tree->fixed_base);
    assert_int_equal(tree->nv, 6);
    assert_int_equal(tree->n_links, 1);
    assert_status(dls_articulation_state_create(tree, &state, &error), &error);
    assert_close(state->root_x.x, 1.0, 0.0);
    assert_close(state->root_x.z, 3.0, 0.0);
    dls_articulation_state_destroy(state);
    dls_articulation_destroy(tree);
}

/* --- Baxter --- */

enum { JOINTS = 19 };
typedef struct reference {
    char name[JOINTS][64];
    double q[JOINTS], qd[JOINTS], qdd[JOINTS], tau[JOINTS], gravity[JOINTS], bias[JOINTS], M[JOINTS][JOINTS];
} reference;

/* "joint,q,qd,qdd,tau,gravity,bias" lines, then a line of the mass matrix each; lines with # are comments. */
static void parse_reference(const char *text, reference *r)
{
    size_t joint = 0, row = 0;
    for (const char *line = text; *line; line += strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n')) {
        if (*line == '#' || *line == '\n')
            continue;
        const char *comma = strchr(line, ',');
        char *end = NULL;
        assert_non_null(comma);
        if (joint < JOINTS) {
            double *const columns[] = {r->q, r->qd, r->qdd, r->tau, r->gravity, r->bias};
            snprintf(r->name[joint], sizeof r->name[joint], "%.*s", (int)(comma - line), line);
            for (int k = 0; k < 6; k++, comma = end)
                columns[k][joint] = strtod(comma + 1, &end);
            joint++;
        } else if (row < JOINTS) {
            const char *at = line;
            for (int k = 0; k < JOINTS; k++, at = end + 1)
                r->M[row][k] = strtod(at, &end);
            row++;
        }
    }
    assert_int_equal(joint, JOINTS);
    assert_int_equal(row, JOINTS);
}

/* The figures agree with each other to 2e-9 (KDL and MuJoCo); the limit is that of the comparison, 1e-8. */
TEST(test_baxter)
{
    char *text = slurp("urdf/baxter_simple.ref.csv"), path[DLS_PATH_MAX];
    static reference r;
    dls_articulation_def *def;
    dls_articulation *tree;
    dls_articulation_state *state;
    dls_articulation_work *work;
    dls_error error;
    size_t dof[JOINTS], shapes;
    double vdot[JOINTS], out[JOINTS], coriolis[JOINTS], M[JOINTS * JOINTS];
    if (!text)
        skip();
    parse_reference(text, &r);
    test_free(text);
    data_path(path, "urdf/baxter_simple.urdf");
    assert_status(dls_urdf_read(path, &def, &shapes, &error), &error);
    assert_true(shapes > 50);
    assert_status(dls_articulation_create(def, &tree, &error), &error);
    dls_articulation_def_destroy(def);
    assert_int_equal(tree->nv, JOINTS);
    assert_status(dls_articulation_state_create(tree, &state, &error), &error);
    assert_status(dls_articulation_work_create(tree, &work, &error), &error);
    for (size_t k = 0; k < JOINTS; k++) {
        size_t link = dls_articulation_find_joint(tree, r.name[k]);
        assert_true(link != DLS_NONE);
        dof[k] = tree->links[link].dof;
        dls_articulation_set_position(tree, state, link, r.q[k]);
        state->v[dof[k]] = r.qd[k];
        vdot[dof[k]] = r.qdd[k];
    }
    dls_vec3 g = dls_v3(0, 0, -9.81);
    dls_articulation_kinematics(state, work);
    dls_articulation_velocities(state->v, work);
    dls_articulation_inverse(work, vdot, NULL, g, out);
    for (size_t k = 0; k < JOINTS; k++)
        assert_close(out[dof[k]], r.tau[k], 1e-8);
    dls_articulation_coriolis_force(work, coriolis);
    dls_articulation_gravity_force(work, g, out);
    for (size_t k = 0; k < JOINTS; k++) {
        assert_close(out[dof[k]], r.gravity[k], 1e-8);
        assert_close(out[dof[k]] + coriolis[dof[k]], r.bias[k], 1e-8);
    }
    dls_articulation_mass_matrix(work, M, JOINTS);
    for (size_t i = 0; i < JOINTS; i++)
        for (size_t j = 0; j < JOINTS; j++)
            assert_close(M[dof[i] + JOINTS * dof[j]], r.M[i][j], 1e-8);
    size_t follower = dls_articulation_find_joint(tree, "l_gripper_r_finger_joint");
    assert_string_equal(tree->defs[follower].mimic, "l_gripper_l_finger_joint");
    assert_close(tree->defs[follower].multiplier, -1.0, 0.0);
    dls_articulation_work_destroy(work);
    dls_articulation_state_destroy(state);
    dls_articulation_destroy(tree);
}

/* --- the manual --- */

/* "`a`, `b`" of "a b", appended. */
static void quote(char *to, size_t size, const char *words)
{
    for (const char *at = words; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
        const size_t used = strlen(to);
        snprintf(to + used, size - used, "%s`%.*s`", at == words ? "" : ", ", (int)strcspn(at, " "), at);
    }
}

/* doc/urdf.md has a line for every element of the table, and no other. */
TEST(test_the_manual_has_all_words)
{
    enum { READ, READ_ONCE, SKIPPED, KEPT };
    static const char *const ways[] = {"read", "read, one at most", "ignored", "for pictures"};
#define ELEMENT(parents, names, how, aspect, read, looks, soft, zero) \
    {parents, names, ways + (how), {read, looks, zero}},
#define ATTRIBUTE(elements, names, aspect)
    static const struct {
        const char *parents, *names, *const *how, *columns[3];
    } words[] = {
#include "../lib/io/urdf_words.def"
    };
#undef ELEMENT
#undef ATTRIBUTE
    char path[DLS_PATH_MAX], manual[1 << 14] = "", line[1024];
    size_t rows = 0;
    snprintf(path, sizeof path, "%s/doc/urdf.md", getenv("DLS_TEST_SOURCE"));
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    assert_true(fread(manual, 1, sizeof manual - 1, stream) > 0);
    fclose(stream);
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
        const char *const columns[] = {words[k].parents,    words[k].names,      NULL,
                                       words[k].columns[0], words[k].columns[1], words[k].columns[2]};
        line[0] = '\0';
        for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
            strcat(line, "| ");
            if (columns[i])
                quote(line, sizeof line, columns[i]);
            else
                strcat(line, *words[k].how);
            strcat(line, " ");
        }
        strcat(line, "|\n");
        if (!strstr(manual, line))
            fail_msg("doc/urdf.md has no line %s", line);
    }
    for (const char *at = manual; (at = strstr(at, "\n|")); at += 2)
        rows++;
    assert_int_equal(rows, sizeof words / sizeof words[0] + 2); /* and the head */
}
