/* Inertias that no body can have: which ones they are, also when they are written with few digits, and that all formats
 * treat them as the world says. */
#include "delassus/articulation.h"
#include "delassus/configuration.h"
#include "delassus/io.h"
#include "delassus/model.h"
#include "delassus/spatial.h"

#include "check.h"
#include "draws.h"
#include "problems.h"

#include <stdio.h>
#include <string.h>

static dls_mat3 turned(dls_vec3 principal)
{
    const double x = uniform(-2, 2), y = uniform(-2, 2), z = uniform(-2, 2); /* in this order */
    const dls_quat q = dls_quat_exp(dls_v3(x, y, z));
    return dls_rotate_tensor(dls_quat_matrix(q), (dls_mat3){{principal.x, 0, 0, 0, principal.y, 0, 0, 0, principal.z}});
}

/* In whichever axes, the sum of the two smaller principal values decides; an allowance is added to it. */
TEST(test_the_triangle_decides)
{
    draw_seed(5);
    for (int k = 0; k < 2000; k++) {
        const double a = scale_between(-2, 0), b = scale_between(-2, 0), over = 1e-5 * any_sign(a + b),
                     size = scale_between(-9, 9);
        const dls_mat3 I = turned(dls_v3(size * a, size * (a + b + over), size * b));
        assert_null(dls_inertia_fault(I));
        assert_int_equal(dls_inertia_of_a_body(I, 0.0), over < 0.0);
        assert_int_equal(dls_inertia_of_a_body(I, 1.01 * size * fabs(over)), true);
        assert_int_equal(dls_inertia_of_a_body(I, 0.5 * size * fabs(over)), over < 0.0);
    }
    assert_non_null(dls_inertia_fault(turned(dls_v3(1, 1, -1))));
    assert_non_null(dls_inertia_fault(turned(dls_v3(1, 1, 0))));
}

/* Nearest number of so many significant digits. */
static double rounded(double x, int digits)
{
    char text[40];
    snprintf(text, sizeof text, "%.*e", digits - 1, x);
    return strtod(text, NULL);
}

/* The tensor of a plate, for which both sides are equal, is that of a body however it is rounded to three digits or
 * more. What misses by a tenth is none, whatever its digits. */
TEST(test_digits_hinder_nothing)
{
    int missed = 0;
    draw_seed(6);
    for (int k = 0; k < 5000; k++) {
        const int digits = draw(3, 12);
        const double a = scale_between(-1, 0), b = scale_between(-1, 0), size = scale_between(-6, 2);
        dls_mat3 I = turned(dls_v3(size * a, size * b, size * (a + b)));
        for (int i = 0; i < 3; i++)
            for (int j = i; j < 3; j++)
                I.m[3 * i + j] = I.m[3 * j + i] = rounded(I.m[3 * i + j], digits);
        missed += !dls_inertia_of_a_body(I, 0.0);
        assert_true(dls_inertia_of_a_body(I, dls_inertia_allowance(I)));
        const dls_mat3 wrong = turned(dls_v3(size * a, size * b, 1.1 * size * (a + b)));
        assert_false(dls_inertia_of_a_body(wrong, dls_inertia_allowance(wrong)));
    }
    assert_true(missed > 500); /* the rule is needed */
    const dls_mat3 whole = {{1, 0, 0, 0, 1, 0, 0, 0, 3}};
    assert_false(dls_inertia_of_a_body(whole, dls_inertia_allowance(whole)));
}

/* --- formats --- */

#define INERTIA_OF_LINK "ixx='2' ixy='0' ixz='0' iyy='1' iyz='0' izz='4.5'"
static const char *const files[] = {
    "bodies: [{name: a, mass: 1, inertia: [2, 1, 4.5]}]",
    "articulations: [{name: t, links: [{name: b, static: true}, {name: a, parent: b, motion: revolute, axis: [0, 0, 1],"
    " mass: 1, inertia: [2, 1, 4.5]}]}]",
    "<robot name='t'><link name='b'/><link name='a'><inertial><mass value='1'/><inertia " INERTIA_OF_LINK
    "/></inertial></link><joint name='j' type='continuous'><parent link='b'/><child link='a'/><axis xyz='0 0 1'/>"
    "</joint></robot>",
    "<mujoco><worldbody><body name='a'><joint/><inertial pos='0 0 0' mass='1' diaginertia='2 1 4.5'/></body>"
    "</worldbody></mujoco>",
    "<mujoco><worldbody><body name='a'><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='2 1 4.5'/></body>"
    "</worldbody></mujoco>",
};

static dls_mat3 inertia_of(const dls_model *model)
{
    if (dls_model_count(model).bodies)
        return dls_model_bodies(model)[0].inertia;
    const dls_articulation *tree = dls_model_articulations(model)[0].tree;
    return tree->defs[dls_articulation_find_link(tree, "a")].inertia;
}

/* The same file under the three policies: refused by name; used and noted; the mean of the principal values. */
TEST(test_one_policy_for_all_formats)
{
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        dls_model *model;
        dls_error error;
        size_t notes = 0;
        dls_scene *scene = parse_scene(files[k]);
        for (size_t i = 0; i < scene->n_notes; i++)
            notes += strcmp(scene->notes[i].key, "inertia of a") == 0;
        assert_int_equal(notes, 1);
        assert_status(dls_model_create(scene, &model, &error), &error);
        assert_close(inertia_of(model).m[8], 4.5, 0.0);
        dls_model_destroy(model);
        assert_status(dls_scene_set(scene, "world.inertia", "balance", &error), &error);
        assert_status(dls_model_create(scene, &model, &error), &error);
        for (int i = 0; i < 9; i++)
            assert_close(inertia_of(model).m[i], i % 4 ? 0.0 : 2.5, 0.0);
        if (!dls_model_count(model).bodies) { /* what the algorithms use */
            const dls_articulation *tree = dls_model_articulations(model)[0].tree;
            const dls_sym3 *I = &tree->links[dls_articulation_find_link(tree, "a")].inertia;
            assert_true(I->xx == 2.5 && I->yy == 2.5 && I->zz == 2.5 && I->xy == 0.0 && I->xz == 0.0 && I->yz == 0.0);
        }
        dls_model_destroy(model);
        assert_status(dls_scene_set(scene, "world.inertia", "refuse", &error), &error);
        assert_int_equal(dls_model_create(scene, &model, &error), DLS_BAD_INPUT);
        assert_string_equal(error.key, "inertia");
        assert_non_null(strstr(error.message, "'a': no body has this inertia"));
        dls_scene_destroy(scene);
    }
}

/* --- without mass --- */

/* H of a continuous joint about z whose link has this <inertial>, and what is fixed to it. */
static double inertia_about_z(const char *inertial, const char *more)
{
    char text[2048];
    dls_articulation_def *def;
    dls_articulation *tree;
    dls_articulation_state *state;
    dls_articulation_work *work;
    dls_error error;
    double H;
    snprintf(
        text, sizeof text,
        "<robot name='t'><link name='b'>%s</link><link name='a'>%s</link><joint name='j' type='continuous'><parent "
        "link='b'/><child link='a'/><axis xyz='0 0 1'/></joint>%s</robot>",
        "<inertial><mass value='0'/><inertia ixx='1' ixy='5' ixz='0' iyy='1' iyz='0' izz='-1'/></inertial>", inertial,
        more);
    assert_status(dls_urdf_parse(text, strlen(text), "t", &def, NULL, &error), &error);
    assert_status(dls_articulation_create(def, &tree, &error), &error);
    assert_status(dls_articulation_state_create(tree, &state, &error), &error);
    assert_status(dls_articulation_work_create(tree, &work, &error), &error);
    dls_articulation_kinematics(state, work);
    dls_articulation_mass_matrix(work, &H, 1);
    dls_articulation_work_destroy(work);
    dls_articulation_state_destroy(state);
    dls_articulation_destroy(tree);
    dls_articulation_def_destroy(def);
    return H;
}

/* The inertia of a frame without mass adds to that of the link that it is fixed to, wherever it is, and that of a fixed
 * root, whatever it is, to nothing. */
TEST(test_inertias_without_mass)
{
#define INERTIAL(mass, izz)                              \
    "<inertial><origin xyz='.5 0 0'/><mass value='" mass \
    "'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='" izz "'/></inertial>"
    const double one = inertia_about_z(INERTIAL("2", "1.25"), ""),
                 two = inertia_about_z(
                     INERTIAL("2", "1"),
                     "<link name='f'>" INERTIAL(
                         "0", "0.25") "</link><joint name='k' type='fixed'>"
                                      "<parent link='a'/><child link='f'/><origin xyz='7 8 9'/></joint>");
#undef INERTIAL
    assert_close(one, 2.0 * 0.25 + 1.25, 1e-14); /* the tensors are turned */
    assert_close(two, one, 1e-14);
}
