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
static void test_a_pendulum_by_hand(void **unused)
{
    (void)unused;
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

static void test_wrong_robots(void **unused)
{
    static const struct {
        const char *from, *by;
        long line;
        const char *word;
    } wrong[] = {
        {"<robot name", "<Robot name", 0, ""},
        {"</robot>", "", 0, ""},
        {"type=\"revolute\"", "type=\"planar\"", 8, "joint 'pivot' is planar"},
        {"damping=\"0.7\"", "damping=\"-0.7\"", 11, "damping >= 0"},
        {"</joint>", "<mimic joint=\"nobody\"/></joint>", 8, "follows 'nobody', which is no joint"},
        {"</joint>", "<mimic joint=\"pivot\"/></joint>", 8, "in the end itself"},
        {"type=\"revolute\">", "type=\"fixed\"><mimic joint=\"pivot\"/>", 8, "degree of freedom"},
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
        {"<?xml version=\"1.0\"?>", "<!DOCTYPE robot [<!ENTITY a \"b\">]>", 0, ""},
    };
    (void)unused;
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

/* --- the base --- */

static void test_floating_base(void **unused)
{
    (void)unused;
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
static void test_baxter(void **unused)
{
    (void)unused;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_pendulum_by_hand),
        cmocka_unit_test(test_wrong_robots),
        cmocka_unit_test(test_floating_base),
        cmocka_unit_test(test_baxter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
