/* Detected contacts against analytic ones; the broad phase against all pairs. Random poses: test_convex.c. */
#include "contact/overlaps.h"

#include "mechanism.h"

#include <pthread.h>
#include <stdlib.h>

static dls_body_def ground(dls_vec3 point, dls_quat orientation)
{
    dls_body_def body = new_body("ground", DLS_SHAPE_PLANE, NAN, point);
    body.is_static = true;
    body.orientation = orientation;
    return body;
}

static dls_body_def round_body(const char *name, dls_shape shape, double radius, double length, dls_vec3 position)
{
    dls_body_def body = new_body(name, shape, 1.7, position);
    body.radius = radius;
    if (shape != DLS_SHAPE_SPHERE)
        body.length = length;
    return body;
}

static dls_model *two(const dls_body_def *one, const dls_body_def *other)
{
    dls_scene *scene = new_scene();
    scene->world.collide = true;
    scene->world.mu = 0.3;
    scene->world.contact_erp = 0.15;
    add_body(scene, one);
    add_body(scene, other);
    return finish(scene);
}

/* The conditions of every contact; the gap and normal that all contacts of the scene share. */
static void check_contacts(const dls_contacts *contacts, size_t count, dls_vec3 normal, double gap, double tolerance)
{
    assert_int_equal(contacts->count, count);
    for (size_t k = 0; k < count; k++) {
        const dls_contact *c = &contacts->at[k];
        assert_true(c->body[0] < c->body[1]);
        assert_close(dls_norm(c->normal), 1.0, 1e-15);
        assert_close(dls_dot(c->normal, dls_sub(c->point[0], c->point[1])), c->gap, 1e-15);
        assert_close(dls_norm(dls_sub(c->normal, normal)), 0.0, tolerance);
        assert_close(c->gap, gap, tolerance);
        assert_true(c->mu == 0.3 && c->erp == 0.15);
        for (size_t i = 0; i < k; i++)
            assert_true(contacts->at[i].feature != c->feature);
    }
}

TEST(test_sphere_on_a_tilted_plane)
{
    dls_quat tilt = dls_quat_exp(dls_v3(0.3, -0.2, 0.5));
    dls_vec3 n = dls_quat_rotate(tilt, dls_axis3(2)), point = dls_v3(0.4, 1.1, -0.3);
    dls_body_def plane = ground(point, tilt);
    dls_body_def ball = round_body("ball", DLS_SHAPE_SPHERE, 0.35, 0, dls_add(point, dls_scale(0.32, n)));
    for (int order = 0; order < 2; order++) { /* the normal turns round with the order of the bodies */
        dls_model *model = order ? two(&ball, &plane) : two(&plane, &ball);
        dls_contacts contacts = contacts_at_start(model);
        check_contacts(&contacts, 1, order ? n : dls_neg(n), -0.03, 1e-14);
        assert_close(contacts.at[0].friction_mass, 1.7, 0.0);
        dls_contacts_release(&contacts);
        dls_model_destroy(model);
    }
}

TEST(test_box_on_a_plane)
{
    dls_body_def plane = ground(dls_v3(0, 0, 0.2), dls_quat_identity());
    dls_body_def box = new_box("box", 2.4, dls_v3(0.6, 0.8, 0.5), dls_v3(0.1, 0.3, 0.44));
    box.orientation = dls_quat_exp(dls_v3(0, 0, 0.7));
    dls_model *model = two(&box, &plane);
    dls_contacts contacts = contacts_at_start(model);
    check_contacts(&contacts, 4, dls_axis3(2), -0.01, 1e-14);
    for (size_t k = 0; k < 4; k++) {
        dls_vec3 arm = dls_sub(contacts.at[k].point[0], box.position);
        assert_close(hypot(arm.x, arm.y), 0.5, 1e-14); /* half the diagonal of 0.6 x 0.8 */
        assert_close(contacts.at[k].friction_mass, 0.6, 1e-15);
    }
    dls_contacts_release(&contacts);
    dls_model_destroy(model);
}

TEST(test_box_on_a_box)
{
    dls_body_def lower = new_box("lower", 3.0, dls_v3(1, 1, 1), dls_v3(0, 0, 0));
    dls_body_def upper = new_box("upper", 1.2, dls_v3(0.5, 0.5, 0.5), dls_v3(0.1, -0.2, 0.745));
    dls_model *model = two(&lower, &upper);
    dls_contacts contacts = contacts_at_start(model);
    check_contacts(&contacts, 4, dls_v3(0, 0, -1), -0.005, 1e-14);
    dls_vec3 sum = dls_v3(0, 0, 0);
    for (size_t k = 0; k < 4; k++)
        sum = dls_add(sum, dls_scale(0.25, contacts.at[k].point[1]));
    assert_close(sum.x, 0.1, 1e-14); /* the four corners of the upper box */
    assert_close(sum.y, -0.2, 1e-14);
    assert_close(contacts.at[0].friction_mass, 0.3, 1e-15);
    dls_contacts_release(&contacts);
    dls_model_destroy(model);
}

/* Eight corners of a turned box on a box of the same size: the four that stay are an octagon's, spread evenly. */
TEST(test_many_contacts_are_thinned_out)
{
    dls_body_def lower = new_box("lower", 3.0, dls_v3(1, 1, 1), dls_v3(0, 0, 0));
    dls_body_def upper = new_box("upper", 1.2, dls_v3(1, 1, 1), dls_v3(0, 0, 0.99));
    upper.orientation = dls_quat_exp(dls_v3(0, 0, 0.25 * DLS_PI));
    dls_model *model = two(&lower, &upper);
    dls_contacts contacts = contacts_at_start(model);
    check_contacts(&contacts, DLS_PAIR_CONTACTS, dls_v3(0, 0, -1), -0.01, 1e-14);
    dls_vec3 sum = dls_v3(0, 0, 0);
    for (size_t k = 0; k < 4; k++)
        sum = dls_add(sum, contacts.at[k].point[0]);
    assert_close(hypot(sum.x, sum.y), 0.0, 1e-13); /* two pairs of opposite corners */
    dls_contacts_release(&contacts);
    dls_model_destroy(model);
}

TEST(test_spheres_and_capsules)
{
    dls_body_def one = round_body("one", DLS_SHAPE_SPHERE, 0.3, 0, dls_v3(0.1, 0.2, 0.3));
    dls_body_def other = round_body("other", DLS_SHAPE_SPHERE, 0.4, 0, dls_v3(0.1 + 0.36, 0.2, 0.3 + 0.48));
    dls_model *model = two(&one, &other);
    dls_contacts contacts = contacts_at_start(model);
    check_contacts(&contacts, 1, dls_v3(-0.6, 0, -0.8), -0.1, 1e-14);
    dls_contacts_release(&contacts);
    dls_model_destroy(model);

    /* A capsule lies along its z, turned to x: cap centres 0.5 to either side, both caps 0.02 deep. */
    dls_body_def plane = ground(dls_v3(0, 0, 0), dls_quat_identity());
    dls_body_def capsule = round_body("capsule", DLS_SHAPE_CAPSULE, 0.2, 1.0, dls_v3(0.3, 0, 0.18));
    capsule.orientation = dls_quat_exp(dls_v3(0, 0.5 * DLS_PI, 0));
    model = two(&capsule, &plane);
    contacts = contacts_at_start(model);
    check_contacts(&contacts, 2, dls_axis3(2), -0.02, 1e-14);
    assert_close(fabs(contacts.at[0].point[0].x - contacts.at[1].point[0].x), 1.0, 1e-14);
    dls_contacts_release(&contacts);
    dls_model_destroy(model);

    /* Crossed capsules touch in one point between their axes; a sphere on the side of a capsule as well. */
    dls_body_def across = round_body("across", DLS_SHAPE_CAPSULE, 0.25, 1.4, dls_v3(0.35, 0.1, 0.18 + 0.4));
    across.orientation = dls_quat_exp(dls_v3(0.5 * DLS_PI, 0, 0));
    model = two(&capsule, &across);
    contacts = contacts_at_start(model);
    check_contacts(&contacts, 1, dls_v3(0, 0, -1), -0.05, 1e-12);
    dls_contacts_release(&contacts);
    dls_model_destroy(model);
    dls_body_def ball = round_body("ball", DLS_SHAPE_SPHERE, 0.3, 0, dls_v3(0.45, 0.0, 0.18 + 0.47));
    model = two(&capsule, &ball);
    contacts = contacts_at_start(model);
    check_contacts(&contacts, 1, dls_v3(0, 0, -1), -0.03, 1e-14);
    assert_close(contacts.at[0].point[0].x, 0.45, 1e-14);
    dls_contacts_release(&contacts);
    dls_model_destroy(model);
}

/* A capsule that lies on a box rests on both its caps; one that leans on an edge touches there, and one upright on its
 * end. */
TEST(test_capsule_on_a_box)
{
    dls_body_def box = new_box("box", 3.0, dls_v3(1, 1, 1), dls_v3(0, 0, 0));
    dls_body_def capsule = round_body("capsule", DLS_SHAPE_CAPSULE, 0.2, 0.6, dls_v3(0.1, 0, 0.69));
    for (int order = 0; order < 2; order++) {
        capsule.position = dls_v3(0.1, 0, 0.69);
        capsule.orientation = dls_quat_exp(dls_v3(0.5 * DLS_PI, 0, 0));
        dls_model *model = order ? two(&capsule, &box) : two(&box, &capsule);
        dls_vec3 normal = dls_v3(0, 0, order ? 1 : -1);
        dls_contacts contacts = contacts_at_start(model);
        check_contacts(&contacts, 2, normal, -0.01, 1e-14);
        assert_close(fabs(contacts.at[0].point[0].y - contacts.at[1].point[0].y), 0.6, 1e-14);
        dls_contacts_release(&contacts);
        dls_model_destroy(model);
        dls_body_def needle = round_body("needle", DLS_SHAPE_CAPSULE, 1e-3, 0.02, dls_v3(0.1, 0, 0.501 - 1e-5));
        needle.orientation = capsule.orientation;
        model = order ? two(&needle, &box) : two(&box, &needle);
        contacts = contacts_at_start(model);
        check_contacts(&contacts, 2, normal, -1e-5, 1e-14);
        assert_close(fabs(contacts.at[0].point[0].y - contacts.at[1].point[0].y), 0.02, 1e-14);
        dls_contacts_release(&contacts);
        dls_model_destroy(model);
        capsule.position = dls_v3(0.1, 0, 0.99);
        capsule.orientation = dls_quat_identity();
        model = order ? two(&capsule, &box) : two(&box, &capsule);
        contacts = contacts_at_start(model);
        check_contacts(&contacts, 1, normal, -0.01, 1e-14);
        dls_contacts_release(&contacts);
        dls_model_destroy(model);
        double half = 0.19 * sqrt(0.5); /* 45 degrees over the edge x = z = 0.5, the cylinder 0.01 deep */
        capsule.position = dls_v3(0.5 + half, 0, 0.5 + half);
        capsule.orientation = dls_quat_exp(dls_v3(0, 0.75 * DLS_PI, 0));
        model = order ? two(&capsule, &box) : two(&box, &capsule);
        contacts = contacts_at_start(model);
        assert_int_equal(contacts.count, 1);
        assert_close(contacts.at[0].gap, -0.01, 1e-14);
        dls_contacts_release(&contacts);
        dls_model_destroy(model);
    }
}

TEST(test_cylinder_stands_on_a_plane)
{
    dls_body_def plane = ground(dls_v3(0, 0, 0), dls_quat_identity());
    dls_body_def cylinder = round_body("cylinder", DLS_SHAPE_CYLINDER, 0.4, 1.0, dls_v3(0.3, 0, 0.49));
    dls_model *model = two(&cylinder, &plane);
    dls_contacts contacts = contacts_at_start(model);
    assert_true(contacts.count >= 3);
    check_contacts(&contacts, contacts.count, dls_axis3(2), -0.01, 1e-14);
    for (size_t k = 0; k < contacts.count; k++)
        assert_close(hypot(contacts.at[k].point[0].x - 0.3, contacts.at[k].point[0].y), 0.4, 1e-14);
    dls_contacts_release(&contacts);
    dls_model_destroy(model);
}

/* A body of height 1, with the axis along z. */
static dls_body_def of_height_one(const char *name, dls_shape shape, double mass, double z)
{
    dls_body_def body = new_body(name, shape, mass, dls_v3(0, 0, z));
    body.size = dls_v3(1, 1, 1);
    body.radius = shape == DLS_SHAPE_CAPSULE ? 0.25 : 0.5;
    body.length = shape == DLS_SHAPE_CAPSULE ? 0.5 : 1.0;
    if (shape != DLS_SHAPE_BOX)
        body.size = dls_v3(NAN, NAN, NAN);
    if (shape == DLS_SHAPE_BOX || shape == DLS_SHAPE_PLANE)
        body.radius = NAN;
    if (shape != DLS_SHAPE_CAPSULE && shape != DLS_SHAPE_CYLINDER)
        body.length = NAN;
    return body;
}

static const double margins[] = {0.1, 0.05, 0.01, 0.001, 0.0};

static void check_margin(dls_shape below, dls_shape above, double gap, double margin)
{
    const bool found = gap <= margin;
    dls_scene *scene = new_scene();
    scene->world.collide = true;
    scene->world.mu = 0.3;
    scene->world.contact_erp = 0.15;
    scene->world.contact_margin = margin;
    dls_body_def one = of_height_one("one", below, 1.7, 0.0), two = of_height_one("two", above, 0.6, 1.0 + gap);
    if (below == DLS_SHAPE_PLANE)
        one = ground(dls_v3(0, 0, 0.5), dls_quat_identity());
    add_body(scene, &one), add_body(scene, &two);
    dls_model *model = finish(scene);
    dls_contacts contacts = contacts_at_start(model);
    if (found != (contacts.count > 0))
        fail_msg("shapes %d and %d at a gap of %g, margin %g: %zu contacts", (int)below, (int)above, gap, margin,
                 contacts.count);
    check_contacts(&contacts, contacts.count, dls_v3(0, 0, -1), gap, 1e-12);
    for (size_t k = 0; k < contacts.count; k++) {
        const dls_contact *c = &contacts.at[k];
        assert_close(c->friction_mass, 0.6 / (double)contacts.count, 1e-15);
        assert_close(c->point[0].z, 0.5, 1e-12);
        assert_close(c->point[1].z, 0.5 + gap, 1e-12);
        assert_true(fmax(fabs(c->point[0].x), fabs(c->point[0].y)) <= 0.5 + 1e-12);
        assert_vector(dls_add(dls_model_initial(model)->x[1], c->place[1]), c->point[1], 1e-15);
    }
    dls_contacts_release(&contacts);
    dls_model_destroy(model);
}

/* Solids of every kind have contacts as soon as their gap is at most the margin, at the gap that they have, and at
 * points of the solids themselves, whatever the margin is. */
TEST(test_a_margin_finds_gaps)
{
    static const dls_shape shapes[] = {DLS_SHAPE_BOX, DLS_SHAPE_SPHERE, DLS_SHAPE_CAPSULE, DLS_SHAPE_CYLINDER,
                                       DLS_SHAPE_PLANE};
    static const double gaps[] = {-0.1, -0.02, -1e-6, 0.0005, 0.005, 0.04, 0.099, 0.101};
    for (size_t a = 0; a < 5; a++)
        for (size_t b = 0; b < 4; b++)
            for (size_t m = 0; m < sizeof margins / sizeof margins[0]; m++)
                for (size_t g = 0; g < sizeof gaps / sizeof gaps[0]; g++)
                    check_margin(shapes[a], shapes[b], gaps[g], margins[m]);
}

/* Along each axis of boxes with unequal edges the gap is what it is. */
TEST(test_a_margin_along_each_axis)
{
    const dls_vec3 size = dls_v3(1.0, 2.0, 3.0);
    for (int axis = 0; axis < 3; axis++)
        for (int far = 0; far < 2; far++) {
            const double gap = far ? 0.101 : 0.05;
            const dls_vec3 along = dls_axis3(axis);
            dls_scene *scene = new_scene();
            scene->world.collide = true;
            scene->world.mu = 0.3;
            scene->world.contact_erp = 0.15;
            scene->world.contact_margin = 0.1;
            dls_body_def one = new_box("one", 1.7, size, dls_v3(0, 0, 0)),
                         other = new_box("other", 0.6, size, dls_scale(dls_get3(size, axis) + gap, along));
            add_body(scene, &one), add_body(scene, &other);
            dls_model *model = finish(scene);
            dls_contacts contacts = contacts_at_start(model);
            assert_true((contacts.count == 0) == (far == 1));
            check_contacts(&contacts, contacts.count, dls_neg(along), gap, 1e-9);
            dls_contacts_release(&contacts);
            dls_model_destroy(model);
        }
}

TEST(test_what_does_not_touch_is_left_out)
{
    dls_body_def plane = ground(dls_v3(0, 0, 0), dls_quat_identity());
    dls_body_def wall = new_box("wall", NAN, dls_v3(1, 1, 1), dls_v3(0, 0, 0.3)); /* static, within the plane */
    wall.is_static = true;
    dls_body_def near = new_box("near", 1.0, dls_v3(1, 1, 1), dls_v3(0.9, 0, 1.1));
    dls_body_def linked = new_box("linked", 1.0, dls_v3(1, 1, 1), dls_v3(1.8, 0, 1.1)); /* overlaps near */
    dls_body_def ghost = new_box("ghost", 1.0, dls_v3(3, 3, 3), dls_v3(0, 0, 0));
    ghost.collide = false;
    for (int joint = 0; joint < 2; joint++) {
        dls_scene *scene = new_scene();
        scene->world.collide = true;
        add_body(scene, &plane), add_body(scene, &wall), add_body(scene, &near), add_body(scene, &linked),
            add_body(scene, &ghost);
        if (joint)
            add_joint(scene, "hinge", "link", "linked", "near", KEYS("anchor", "[1.35, 0, 1.1]", "axis", "[0, 1, 0]"));
        dls_model *model = finish(scene);
        dls_contacts contacts = contacts_at_start(model);
        bool linked_found = false;
        for (size_t k = 0; k < contacts.count; k++) {
            const size_t *body = contacts.at[k].body;
            assert_false(body[0] == 0 && body[1] == 1);
            assert_true(body[1] < 4);
            linked_found = linked_found || (body[0] == 2 && body[1] == 3);
        }
        assert_int_equal(linked_found, !joint);
        dls_contacts_release(&contacts);
        dls_model_destroy(model);
    }
}

/* A body that has left for good does not disturb the others; one that is nowhere is an error. */
TEST(test_far_away_and_nowhere)
{
    dls_scene *scene = new_scene();
    scene->world.collide = true;
    scene->world.mu = 0.3;
    scene->world.contact_erp = 0.15;
    dls_body_def plane = ground(dls_v3(0, 0, 0), dls_quat_identity());
    dls_body_def box = new_box("box", 2.4, dls_v3(0.6, 0.8, 0.5), dls_v3(0.1, 0.3, 0.24));
    dls_body_def gone = new_box("gone", 2.4, dls_v3(0.6, 0.8, 0.5), dls_v3(1e200, -1e100, 1e12));
    add_body(scene, &plane), add_body(scene, &box), add_body(scene, &gone);
    dls_model *model = finish(scene);
    dls_contacts contacts = contacts_at_start(model);
    check_contacts(&contacts, 4, dls_v3(0, 0, -1), -0.01, 1e-14);
    dls_state *state = new_state(model);
    dls_collider *collider;
    dls_error error;
    state->x[2].y = NAN;
    assert_status(dls_collider_create(model, &collider, &error), &error);
    assert_int_equal(dls_collider_find(collider, state, &contacts, &error), DLS_NOT_FINITE);
    dls_collider_destroy(collider);
    dls_state_destroy(state);
    dls_contacts_release(&contacts);
    dls_model_destroy(model);
}

/* The same state gives the same bytes, whatever was asked before, and pairs come in order. */
TEST(test_order_depends_on_the_state_alone)
{
    uint64_t seed = 47;
    dls_scene *scene = new_scene();
    scene->world.collide = true;
    for (int i = 0; i < 40; i++) {
        char name[16];
        snprintf(name, sizeof name, "body %d", i);
        dls_body_def body = i % 2 ? new_box(name, 1.0, dls_v3(0.5, 0.4, 0.3), draw3(&seed))
                                  : round_body(name, DLS_SHAPE_SPHERE, 0.3, 0, draw3(&seed));
        body.orientation = draw_rotation(&seed);
        add_body(scene, &body);
    }
    dls_model *model = finish(scene);
    dls_state *elsewhere = new_state(model);
    dls_contacts first = contacts_at_start(model), again = {0, 0, NULL};
    dls_collider *collider;
    dls_error error;
    assert_status(dls_collider_create(model, &collider, &error), &error);
    assert_true(first.count > 50);
    for (int crowd = 0; crowd < 20; crowd++) { /* from all in one place, where all pairs touch, to few that do */
        for (size_t i = 0; i < dls_model_count(model).bodies; i++)
            elsewhere->x[i] = dls_scale(0.1 * crowd, draw3(&seed));
        assert_status(dls_collider_find(collider, elsewhere, &again, &error), &error);
        assert_status(dls_collider_find(collider, dls_model_initial(model), &again, &error), &error);
        assert_int_equal(again.count, first.count);
        for (size_t k = 0; k < first.count; k++) {
            const dls_contact *a = &first.at[k], *b = &again.at[k];
            assert_true(a->gap == b->gap && a->feature == b->feature);
            assert_memory_equal(a->point, b->point, sizeof a->point);
            assert_memory_equal(&a->normal, &b->normal, sizeof a->normal);
            if (k > 0)
                assert_true(first.at[k - 1].feature < a->feature);
        }
    }
    dls_collider_destroy(collider);
    dls_contacts_release(&again);
    dls_contacts_release(&first);
    dls_state_destroy(elsewhere);
    dls_model_destroy(model);
}

/* --- the broad phase, against all pairs --- */

static size_t all_pairs(const dls_overlaps *o, dls_pair *pairs)
{
    size_t count = 0;
    for (size_t i = 0; i < o->n; i++)
        for (size_t j = 0; j < o->n; j++) {
            const dls_bounding_box *a = &o->boxes[i], *b = &o->boxes[j];
            bool overlap = a->body < b->body && (a->movable || b->movable);
            for (int k = 0; k < 6; k += 2)
                overlap = overlap && fmax(a->at[k], b->at[k]) <= fmin(a->at[k + 1], b->at[k + 1]);
            if (overlap)
                pairs[count++] = (dls_pair){{a->body, b->body}};
        }
    return count;
}

static int compare_pairs(const void *a, const void *b)
{
    const size_t *x = ((const dls_pair *)a)->body, *y = ((const dls_pair *)b)->body;
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

/* A box about `x`; on a lattice of eighths, so that many only touch. */
static void set_bounds(dls_bounding_box *box, dls_vec3 x, double size)
{
    for (int k = 0; k < 3; k++) {
        double middle = round(8.0 * dls_get3(x, k)) / 8.0;
        box->at[2 * k] = middle - size, box->at[2 * k + 1] = middle + size;
    }
}

/* Boxes of very different sizes, many in one place, some unbounded, one that flies away, and then all elsewhere. */
TEST(test_overlaps_are_all_found)
{
    static const size_t counts[] = {0, 1, 2, 7, 60, 400};
    uint64_t seed = 61;
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        const size_t n = counts[c];
        dls_overlaps o = {0};
        dls_pair *expected = malloc((n * n + 1) * sizeof *expected);
        assert_true(expected && dls_overlaps_reserve(&o, n));
        for (size_t i = 0; i < n; i++)
            o.boxes[o.n++] = (dls_bounding_box){.body = i, .movable = i % 5 != 1};
        for (int round = 0; round < 12; round++) {
            for (size_t k = 0; k < n; k++) {
                const size_t i = o.boxes[k].body;
                if (round % 3 == 1 && i % 2)
                    continue; /* stays */
                set_bounds(&o.boxes[k], dls_scale(i % 7 ? 6.0 : 0.1, draw3(&seed)), i % 11 ? 0.25 : 3.0);
                if (i % 50 == 20)
                    o.boxes[k].at[i % 3] = i % 3 == 1 ? HUGE_VAL : -HUGE_VAL;
                if (i == 4)
                    o.boxes[k].at[3] = pow(1e30, round);
            }
            size_t count = all_pairs(&o, expected);
            qsort(expected, count, sizeof *expected, compare_pairs);
            assert_true(dls_overlaps_find(&o));
            assert_int_equal(o.n_pairs, count);
            if (count)
                assert_memory_equal(o.pairs, expected, count * sizeof *expected);
            assert_true(n < 60 || count > n);
        }
        free(expected);
        dls_overlaps_release(&o);
    }
}

/* Each thread has its own colliders, made and destroyed while others work; all find the same. */
typedef struct job {
    const dls_model *model;
    dls_contacts contacts;
} job;

static void *work(void *context)
{
    job *j = context;
    for (int i = 0; i < 20; i++) {
        dls_collider *collider;
        if (dls_collider_create(j->model, &collider, NULL) != DLS_OK)
            return "create";
        dls_status status = dls_collider_find(collider, dls_model_initial(j->model), &j->contacts, NULL);
        dls_collider_destroy(collider);
        if (status != DLS_OK)
            return "find";
    }
    return NULL;
}

TEST(test_threads_find_the_same)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    job jobs[THREADS];
    dls_body_def lower = new_box("lower", 3.0, dls_v3(1, 1, 1), dls_v3(0, 0, 0));
    dls_body_def upper = new_box("upper", 1.2, dls_v3(0.5, 0.5, 0.5), dls_v3(0.1, -0.2, 0.745));
    dls_model *model = two(&lower, &upper);
    for (int i = 0; i < THREADS; i++) {
        jobs[i] = (job){model, {0, 0, NULL}};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        assert_null(failed);
        check_contacts(&jobs[i].contacts, 4, dls_v3(0, 0, -1), -0.005, 1e-14);
        dls_contacts_release(&jobs[i].contacts);
    }
    dls_model_destroy(model);
}
