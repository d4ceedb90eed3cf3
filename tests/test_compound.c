/* Bodies of several shapes: contacts are those of the shapes one by one, and mass and inertia those of the body. */
#include "articulated.h"
#include "world.h"

#include "delassus/io.h"
#include "delassus/reference.h"
#include "delassus/unfold.h"

#include <unistd.h>

/* The same gaps, normals and points, in the same order, up to rounding. */
static void assert_same_contacts(const dls_model *one, const dls_model *other, size_t least, double rounding)
{
    dls_contacts a = contacts_at_start(one), b = contacts_at_start(other);
    assert_true(a.count >= least);
    assert_int_equal(a.count, b.count);
    for (size_t k = 0; k < a.count; k++) {
        assert_close(a.at[k].gap, b.at[k].gap, rounding);
        assert_vector(a.at[k].normal, b.at[k].normal, rounding);
        for (int i = 0; i < 2; i++)
            assert_vector(a.at[k].point[i], b.at[k].point[i], rounding);
    }
    dls_contacts_release(&a);
    dls_contacts_release(&b);
}

#define FLOOR "world: {collide: true, mu: 0.5, contact_erp: 0}\nbodies:\n- {name: floor, shape: plane, static: true}\n"

/* A shape in the list is the shape of a body. */
TEST(test_one_shape_in_the_list_is_the_shape_of_the_body)
{
    static const char *const shapes[] = {"shape: box, size: [1, 0.6, 0.4]", "shape: sphere, radius: 0.3",
                                         "shape: capsule, radius: 0.2, length: 0.7",
                                         "shape: cylinder, radius: 0.2, length: 0.5"};
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        char alone[512], listed[512];
        static const char rest[] = "mass: 2, inertia: [1, 1.2, 1.3], position: [0, 0, 0.2], "
                                   "orientation: [0.8, 0.6, 0, 0]";
        snprintf(alone, sizeof alone, FLOOR "- {name: b, %s, %s}\n", shapes[k], rest);
        snprintf(listed, sizeof listed, FLOOR "- {name: b, %s, shapes: [{%s}]}\n", rest, shapes[k]);
        dls_model *one = parse_model(alone), *other = parse_model(listed);
        assert_same_contacts(one, other, 1, 0.0);
        dls_model_destroy(one);
        dls_model_destroy(other);
    }
}

/* A bar on two balls bears its weight by levers: N_1 = m g b / (a + b), whatever touches where. */
TEST(test_a_bar_on_two_balls_bears_its_weight_by_levers)
{
    static const char text[] = FLOOR "- {name: bar, shape: box, size: [0.9, 0.1, 0.1], mass: 3, position: [0, 0, 0.2], "
                                     "shapes: [{shape: sphere, radius: 0.2, position: [-0.3, 0, 0]}, "
                                     "{shape: sphere, radius: 0.2, position: [0.6, 0, 0]}]}\n";
    run r;
    run_start(&r, parse_model(text), dls_direct_find("block-pivoting"), NULL, 1);
    run_steps(&r, 3, 1e-3);
    const dls_contacts *contacts = dls_simulation_contacts(r.simulation);
    double along[2] = {0.0, 0.0};
    assert_int_equal(contacts->count, 2);
    for (size_t k = 0; k < 2; k++)
        along[contacts->at[k].point[0].x > 0.0] += force_of(&r, dls_model_count(r.model).joints + k).end[1].lin.z;
    assert_close(along[0], 3.0 * 9.81 * 0.6 / 0.9, 1e-10);
    assert_close(along[1], 3.0 * 9.81 * 0.3 / 0.9, 1e-10);
    run_stop(&r);
}

/* --- a ball that rolls --- */

static const double radius = 0.2;

/* A ball that rolls on the floor; with a smaller one in it, which touches nothing, if `passes` is not NULL. */
static dls_model *rolling_ball(const bool *passes)
{
    dls_scene *scene = parse_scene(FLOOR "- {name: ball, shape: sphere, radius: 0.2, mass: 3, position: [0, 0, 0.2], "
                                         "velocity: [0.7, 0.1, 0], omega: [0.2, 3.1, 1]}\n");
    dls_link_shape inner = {
        .link = "ball", .shape = DLS_SHAPE_SPHERE, .radius = 0.05, .frame = {{0, 0, 0}, {1, 0, 0, 0}}};
    dls_error error;
    if (passes) {
        inner.passes = *passes;
        assert_status(dls_scene_add_body_shape(scene, &inner, &error), &error);
    }
    return finish(scene);
}

/* The gap of its contact after it has turned in its place. */
static double gap_after_turn(const dls_model *model, double angle)
{
    dls_contacts contacts = contacts_at_start(model);
    dls_state *state = new_state(model);
    assert_int_equal(contacts.count, 1);
    state->q[1] = dls_quat_exp(dls_v3(0, angle, 0));
    dls_configuration *turned = configuration_of(model, state);
    const double gap = dls_contact_follow(turned, &contacts.at[0]).gap;
    dls_configuration_destroy(turned);
    dls_state_destroy(state);
    dls_contacts_release(&contacts);
    return gap;
}

/* A ball turns under its point of contact, also with further shapes if all of them collide with nothing; the point of a
 * body of several shapes turns with it, by r (1 - cos angle) from the floor. */
TEST(test_a_ball_with_shapes_that_pass_rolls_as_a_ball)
{
    static const bool passes = true, touches = false;
    const double angle = 0.3;
    dls_model *ball = rolling_ball(NULL), *passing = rolling_ball(&passes), *compound = rolling_ball(&touches);
    assert_close(gap_after_turn(ball, angle), 0.0, 1e-15);
    assert_close(gap_after_turn(passing, angle), 0.0, 1e-15);
    assert_close(gap_after_turn(compound, angle), radius * (1.0 - cos(angle)), 1e-15);
    dls_model_destroy(compound);
    run runs[2];
    dls_simulation_options options = dls_simulation_default();
    options.solver = dls_direct_find("block-pivoting");
    options.scheme = dls_scheme_find("small-steps");
    options.iterations = 4;
    for (int k = 0; k < 2; k++) {
        run_open(&runs[k], k ? passing : ball, &options);
        run_steps(&runs[k], 300, 2e-3);
    }
    const dls_state *one = dls_simulation_state(runs[0].simulation), *other = dls_simulation_state(runs[1].simulation);
    assert_true(one->x[1].x > 0.3);
    assert_vector(one->x[1], other->x[1], 0.0);
    for (int k = 0; k < 6; k++)
        assert_close(one->v[k], other->v[k], 0.0);
    for (int k = 0; k < 2; k++)
        run_stop(&runs[k]);
}

#define TREE                                                                                                       \
    "  - name: t\n    links:\n"                                                                                    \
    "      - name: trunk\n        mass: 3\n        inertia: [0.1, 0.2, 0.3]\n        position: [0, 0, 0.31]\n"     \
    "        orientation: [0.96, 0.28, 0, 0]\n        velocity: [0.3, 0, -0.2]\n        omega: [0.4, -0.1, 0.2]\n" \
    "        shapes:\n          - {shape: box, size: [0.8, 0.4, 0.2], position: [0.1, 0.02, -0.1]}\n"              \
    "          - {shape: sphere, radius: 0.2, position: [-0.3, 0.3, -0.2], surface: rubber}\n"                     \
    "      - {name: skid, parent: trunk, position: [0.5, 0, 0.2], shape: capsule, radius: 0.1, length: 0.4}\n"     \
    "      - name: leg\n        parent: trunk\n        motion: revolute\n        axis: [0, 1, 0]\n"                \
    "        anchor: [-0.5, 0, 0.3]\n        start: 0.4\n        speed: 1.5\n        mass: 1\n"                    \
    "        position: [-0.5, 0, 0.1]\n        inertia: [0.02, 0.02, 0.01]\n"                                      \
    "        shapes:\n          - {shape: cylinder, radius: 0.1, length: 0.4, position: [0, 0, -0.1]}\n"
#define TREE_SCENE                                                                                  \
    FLOOR "- {name: step, shape: box, size: [0.4, 2, 0.2], static: true, position: [-0.6, 0, 0]}\n" \
          "surfaces: [{name: rubber, mu: 1}]\narticulations:\n" TREE

/* The largest difference of a velocity after one step in reduced and in maximal coordinates. */
static double apart_after(double h)
{
    dls_scene *scene = parse_scene(TREE_SCENE), *unfolded;
    run reduced, maximal;
    double apart = 0.0;
    dls_error error;
    assert_status(dls_scene_unfold(scene, 0, &unfolded, &error), &error);
    run_start(&reduced, finish(scene), dls_direct_find("block-pivoting"), NULL, 1);
    run_start(&maximal, finish(unfolded), dls_direct_find("block-pivoting"), NULL, 1);
    dls_state *to = new_state(maximal.model);
    run_steps(&reduced, 1, h);
    run_steps(&maximal, 1, h);
    const dls_state *from = dls_simulation_state(reduced.simulation);
    assert_status(dls_state_unfold(reduced.model, from, maximal.model, to, &error), &error);
    for (size_t k = 0; k < dls_model_count(maximal.model).nv; k++)
        apart = fmax(apart, fabs(to->v[k] - dls_simulation_state(maximal.simulation)->v[k]));
    dls_state_destroy(to);
    run_stop(&reduced);
    run_stop(&maximal);
    return apart;
}

/* The bodies of links have their shapes. Impacts and contact forces are the same, so that velocities differ by the
 * rotation of the joints within a step alone, of the order h. */
TEST(test_links_of_several_shapes_are_bodies_of_them)
{
    dls_scene *scene = parse_scene(TREE_SCENE), *unfolded;
    dls_error error;
    assert_status(dls_scene_unfold(scene, 0, &unfolded, &error), &error);
    dls_model *model = finish(scene), *bodies = finish(unfolded);
    assert_int_equal(dls_model_count(model).solids, dls_model_count(bodies).solids);
    assert_same_contacts(model, bodies, 6, 1e-14);
    dls_model_destroy(model);
    dls_model_destroy(bodies);
    const double coarse = apart_after(1e-4), fine = apart_after(5e-5);
    assert_below(coarse, 1e-2);
    assert_below(fine, 0.6 * coarse);
}

/* --- in files --- */

#define STOOL                                                                                                         \
    FLOOR "- {name: stool, density: 500, shape: cylinder, radius: 0.3, length: 0.05, position: [0, 0, 0.4], "         \
          "shapes: [{shape: box, size: [0.05, 0.04, 0.4], position: [0.2, 0, -0.2], orientation: [0.8, 0, 0, 0.6]}, " \
          "{shape: sphere, radius: 0.03, position: [-0.2, 0.1, -0.37]}]}\n"

/* A scene that is written has the same shapes, and a copied body, too; one that is removed takes them along. */
TEST(test_shapes_of_bodies_in_files)
{
    char path[64];
    unsigned lost;
    dls_content content;
    dls_error error;
    dls_scene *scene = parse_scene(STOOL);
    snprintf(path, sizeof path, "compound-%ld.yaml", (long)getpid());
    assert_status(dls_scene_write(scene, path, &lost, &error), &error);
    assert_status(dls_file_load(path, NULL, &content, &error), &error);
    assert_int_equal(remove(path), 0);
    dls_model *one = finish(scene), *other = finish(content.scene);
    assert_int_equal(dls_model_count(one).solids, 4);
    assert_same_contacts(one, other, 2, 0.0);
    dls_model_destroy(one);
    dls_model_destroy(other);
    scene = parse_scene(STOOL "- {name: \"b{i}\", mass: 1, inertia: [1, 1, 1], repeat: 3, shapes: "
                              "[{shape: sphere, radius: 1}, {shape: sphere, radius: 0.5}]}\n");
    assert_status(dls_scene_remove(scene, DLS_PART_BODY, "stool", &error), &error);
    one = finish(scene);
    assert_int_equal(dls_model_count(one).solids, 1 + 3 * 2);
    dls_model_destroy(one);
}

TEST(test_wrong_shapes_of_bodies)
{
    assert_scene_refused(FLOOR "- {name: b, mass: 1, inertia: [1, 1, 1], shapes: [{shape: plane}]}\n", "must be box");
    assert_scene_refused(FLOOR "- {name: b, mass: 1, inertia: [1, 1, 1], shapes: [{shape: sphere}]}\n", "radius");
    assert_scene_refused(FLOOR "- {name: b, mass: 1, inertia: [1, 1, 1], shapes: [{shape: sphere, radius: 1, "
                               "surface: ice}]}\n",
                         "ice");
    dls_scene *scene = new_scene();
    dls_link_shape shape = {.link = "b", .shape = DLS_SHAPE_SPHERE, .radius = 1.0, .frame = {{0, 0, 0}, {1, 0, 0, 0}}};
    dls_error error;
    assert_int_equal(dls_scene_add_body_shape(scene, &shape, &error), DLS_BAD_INPUT);
    assert_non_null(strstr(error.message, "'b'"));
    dls_scene_destroy(scene);
    scene = parse_scene(STOOL);
    dls_model *model;
    memcpy(scene->body_shapes[1].link, "ghost", sizeof "ghost");
    assert_int_equal(dls_model_create(scene, &model, &error), DLS_BAD_INPUT);
    assert_non_null(strstr(error.message, "'ghost'"));
    dls_scene_destroy(scene);
}
