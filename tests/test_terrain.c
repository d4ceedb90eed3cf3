/* Contacts on terrains: flat ones against a plane, ridges and peaks against closed forms, whatever the triangles are;
 * what is no terrain. */
#include "contact/ground.h"

#include "mechanism.h"

#include <stdio.h>
#include <string.h>

typedef struct ground {
    dls_arena memory;
    dls_convex convex;
} ground;

static void read_ground(ground *g, const char *name, const char *text, dls_frame pose)
{
    dls_triangles t;
    dls_error error;
    const dls_terrain *terrain;
    memset(g, 0, sizeof *g);
    assert_status(dls_mesh_parse(text, strlen(text), name, dls_v3(1, 1, 1), &t, &error), &error);
    assert_status(dls_terrain_create(&t, name, &g->memory, &terrain, &error), &error);
    dls_triangles_release(&t);
    g->convex = dls_convex_of(&(dls_solid){.shape = DLS_SHAPE_TERRAIN, .terrain = terrain});
    dls_convex_place(&g->convex, pose);
}

/* A field of n x n numbers: 4 m x 6 m, 1 m high; without numbers flat. */
static void read_field(ground *g, int n, const char *numbers, dls_frame pose)
{
    char text[1024];
    snprintf(text, sizeof text,
             "<mujoco><asset><hfield name='h' nrow='%d' ncol='%d' size='2 3 1 1' %s%s%s/></asset></mujoco>", n, n,
             numbers ? "elevation='" : "", numbers ? numbers : "", numbers ? "'" : "");
    read_ground(g, "m.xml#hfield h", text, pose);
}

static dls_contact_points touch(const dls_convex *solid, const ground *g, double limit, bool swapped)
{
    dls_contact_points points = {0};
    const dls_convex *const pair[2] = {swapped ? &g->convex : solid, swapped ? solid : &g->convex};
    assert_true(dls_ground_touch(pair, limit, &points));
    return points;
}

static const dls_shape shapes[] = {DLS_SHAPE_SPHERE, DLS_SHAPE_CAPSULE, DLS_SHAPE_BOX, DLS_SHAPE_CYLINDER,
                                   DLS_SHAPE_ELLIPSOID};
enum { SHAPES = 5 };

static dls_convex draw_convex(dls_shape shape, uint64_t *seed)
{
    dls_solid s = {.shape = shape, .radius = 0.2 + 0.1 * draw(seed), .length = 0.4 + 0.2 * draw(seed)};
    s.size = dls_v3(0.4 + 0.2 * draw(seed), 0.4 + 0.2 * draw(seed), 0.4 + 0.2 * draw(seed));
    s.length = shape == DLS_SHAPE_CAPSULE || shape == DLS_SHAPE_CYLINDER ? s.length : 0.0;
    return dls_convex_of(&s);
}

/* A flat field, level or tilted, has the points, gaps and normals of the plane that it lies in, however many faces. */
TEST(test_a_flat_field_is_a_plane)
{
    uint64_t seed = 3;
    double worst = 0.0;
    size_t seen = 0;
    for (int i = 0; i < 2000; i++) {
        const dls_frame pose = {draw3(&seed), i % 2 ? draw_rotation(&seed) : dls_quat_identity()};
        ground g;
        read_field(&g, 2 + i % 9, NULL, pose);
        dls_convex plane = dls_convex_of(&(dls_solid){.shape = DLS_SHAPE_PLANE}),
                   solid = draw_convex(shapes[i % SHAPES], &seed);
        dls_convex_place(&plane, pose);
        const dls_vec3 over = dls_v3(draw(&seed), 2.0 * draw(&seed), 0.2 + 0.3 * draw(&seed));
        const dls_quat own = i % 3 ? draw_rotation(&seed) : pose.q; /* also flat on it */
        dls_convex_place(&solid, (dls_frame){dls_add(pose.p, dls_quat_rotate(pose.q, over)), own});
        dls_contact_point of_plane[DLS_PAIR_CONTACTS];
        const size_t count = dls_manifold((const dls_convex *const[2]){&solid, &plane}, 0.1, of_plane);
        dls_contact_points of_field = touch(&solid, &g, 0.1, false), swapped = touch(&solid, &g, 0.1, true);
        assert_int_equal(of_field.count, count);
        assert_int_equal(swapped.count, count);
        for (size_t k = 0; k < count; k++) {
            double least = HUGE_VAL;
            for (size_t p = 0; p < count; p++)
                least = fmin(least, dls_norm(dls_sub(of_plane[p].point[0], of_field.at[k].point[0])) +
                                        fabs(of_plane[p].gap - of_field.at[k].gap) +
                                        dls_norm(dls_sub(of_plane[p].normal, of_field.at[k].normal)));
            worst = fmax(worst, least);
            worst = fmax(worst, dls_norm(dls_add(swapped.at[k].normal, of_field.at[k].normal)) +
                                    dls_norm(dls_sub(swapped.at[k].point[1], of_field.at[k].point[0])));
        }
        seen += count;
        free(of_field.at), free(swapped.at);
        dls_arena_release(&g.memory);
    }
    print_message("# %zu contacts, off by %.1e\n", seen, worst);
    assert_true(seen > 1000);
    assert_true(worst < 1e-12);
}

/* A roof along y, 1 m high over 2 m to both sides: a ball over its ridge has the distance of the ridge, one over a side
 * that of its plane. */
TEST(test_balls_on_a_roof)
{
    uint64_t seed = 4;
    ground g;
    const double slope = 1.0 / sqrt(5.0), side = 2.0 / sqrt(5.0); /* the normals (+-slope, 0, side) */
    read_field(&g, 3, "0 1 0 0 1 0 0 1 0", (dls_frame){{0, 0, 0}, {1, 0, 0, 0}});
    assert_int_equal(g.convex.terrain->n_faces, 8);
    for (int i = 0; i < 4000; i++) {
        const dls_vec3 c = dls_v3(draw(&seed), 2.0 * draw(&seed), 1.2 + 0.3 * draw(&seed));
        dls_convex ball = dls_convex_of(&(dls_solid){.shape = DLS_SHAPE_SPHERE, .radius = 0.25});
        dls_convex_place(&ball, (dls_frame){c, dls_quat_identity()});
        const double across = fabs(c.x), over = c.z - 1.0;
        const double plane = slope * across + side * over;         /* from the plane of its side */
        const bool on_ridge = side * across - slope * over <= 0.0; /* the foot is beyond the ridge */
        const double gap = (on_ridge ? hypot(across, over) : plane) - 0.25;
        if (plane <= 0.0) /* its centre is in the ground */
            continue;
        dls_contact_points points = touch(&ball, &g, 0.05, false);
        double least = HUGE_VAL;
        for (size_t k = 0; k < points.count; k++)
            least = fmin(least, points.at[k].gap);
        if (gap < 0.05 - 1e-9)
            assert_close(least, gap, 1e-14);
        else if (gap > 0.05 + 1e-9)
            assert_int_equal(points.count, 0);
        free(points.at);
    }
    dls_arena_release(&g.memory);
}

/* The bounds of a terrain have all of its vertices, and touch some of them where it is not turned. */
TEST(test_bounds_of_terrains)
{
    uint64_t seed = 11;
    for (int i = 0; i < 200; i++) {
        ground g;
        double bounds[6], of[6] = {HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL};
        const dls_frame pose = {draw3(&seed), i % 2 ? draw_rotation(&seed) : dls_quat_identity()};
        read_field(&g, 3, "0 1 3 -2 1 0 0.5 1 0", pose);
        dls_convex_bounds(&g.convex, bounds);
        const dls_terrain *t = g.convex.terrain;
        for (size_t v = 0; v < t->n_vertices; v++) {
            const dls_vec3 p = dls_add(pose.p, dls_quat_rotate(pose.q, t->vertex[v]));
            for (int k = 0; k < 3; k++)
                of[2 * k] = fmin(of[2 * k], dls_get3(p, k)), of[2 * k + 1] = fmax(of[2 * k + 1], dls_get3(p, k));
        }
        for (int k = 0; k < 6; k++) {
            assert_true(k % 2 ? bounds[k] >= of[k] - 1e-14 : bounds[k] <= of[k] + 1e-14);
            if (i % 2 == 0)
                assert_close(bounds[k], of[k], 1e-14);
        }
        dls_arena_release(&g.memory);
    }
}

/* A box whose lower face is above a pyramid touches its tip; beyond the border of a field nothing is. */
TEST(test_tips_and_borders)
{
    ground g;
    read_field(&g, 3, "0 0 0 0 1 0 0 0 0", (dls_frame){{0, 0, 0}, {1, 0, 0, 0}});
    dls_convex box = dls_convex_of(&(dls_solid){.shape = DLS_SHAPE_BOX, .size = {1, 1, 1}});
    dls_convex_place(&box, (dls_frame){{0.1, 0.2, 1.49}, dls_quat_identity()});
    dls_contact_points points = touch(&box, &g, 0.0, false);
    assert_int_equal(points.count, 1);
    assert_close(points.at[0].gap, -0.01, 1e-15);
    assert_close(points.at[0].normal.z, 1.0, 1e-15);
    assert_true(dls_norm(dls_sub(points.at[0].point[1], dls_v3(0, 0, 1))) < 1e-15);
    free(points.at);
    dls_convex ball = dls_convex_of(&(dls_solid){.shape = DLS_SHAPE_SPHERE, .radius = 0.25});
    dls_convex_place(&ball, (dls_frame){{2.2, 0, 0}, dls_quat_identity()}); /* beside the border, at its height */
    points = touch(&ball, &g, 0.0, false);
    assert_int_equal(points.count, 1);
    assert_close(points.at[0].gap, -0.05, 1e-15);
    assert_close(points.at[0].normal.x, 1.0, 1e-15);
    free(points.at);
    dls_convex_place(&ball, (dls_frame){{2.3, 0, 0}, dls_quat_identity()});
    points = touch(&ball, &g, 0.0, false);
    assert_int_equal(points.count, 0);
    free(points.at);
    dls_arena_release(&g.memory);
}

/* A box that stands on four triangles of a file has the contacts that it has on a plane. */
TEST(test_a_terrain_in_a_scene)
{
    const char path[] = "test_terrain.obj";
    for (int flat = 0; flat < 2; flat++) {
        dls_scene *scene = new_scene();
        scene->world.collide = true;
        scene->world.mu = 0.5;
        dls_body_def floor = new_body("floor", flat ? DLS_SHAPE_PLANE : DLS_SHAPE_TERRAIN, NAN, dls_v3(0, 0, 0));
        floor.is_static = true;
        if (!flat) {
            FILE *file = fopen(path, "w");
            assert_non_null(file);
            fputs("v -5 -5 0\nv 5 -5 0\nv 5 5 0\nv -5 5 0\nv 0.1 0.2 0\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n", file);
            assert_int_equal(fclose(file), 0);
            strcpy(floor.mesh, path);
        }
        add_body(scene, &floor);
        dls_body_def box = new_box("box", 2.0, dls_v3(1, 1, 1), dls_v3(0, 0, 0.499));
        add_body(scene, &box);
        dls_model *model = finish(scene);
        dls_collider *collider;
        dls_contacts contacts = {0};
        dls_error error;
        assert_status(dls_collider_create(model, &collider, &error), &error);
        assert_status(dls_collider_find(collider, dls_model_initial(model), &contacts, &error), &error);
        assert_int_equal(contacts.count, 4);
        for (size_t k = 0; k < 4; k++) {
            assert_close(contacts.at[k].gap, -0.001, 1e-15);
            assert_close(fabs(contacts.at[k].normal.z), 1.0, 1e-15);
            for (size_t i = 0; i < k; i++)
                assert_true(contacts.at[i].feature != contacts.at[k].feature);
        }
        dls_contacts_release(&contacts);
        dls_collider_destroy(collider);
        dls_model_destroy(model);
    }
    assert_int_equal(remove(path), 0);
}

static dls_status try_terrain(const char *text, dls_error *error)
{
    dls_triangles t;
    dls_arena memory = {0};
    const dls_terrain *terrain;
    dls_status status = dls_mesh_parse(text, strlen(text), "a.obj", dls_v3(1, 1, 1), &t, error);
    if (status == DLS_OK)
        status = dls_terrain_create(&t, "a.obj", &memory, &terrain, error);
    dls_triangles_release(&t);
    dls_arena_release(&memory);
    return status;
}

/* A fan of n faces about a vertex, all of which face upwards, is a terrain unless it goes round more than once; so are
 * two faces at one edge unless both lie on one side of it, and sheets one beside the other but not over it. */
TEST(test_folds)
{
    uint64_t seed = 5;
    for (int i = 0; i < 400; i++) {
        char text[2048] = "v 0 0 0\n";
        const int n = 3 + i % 9;
        const double turn = 2.0 * DLS_PI * (i % 3 == 0 ? 1.0 : i % 3 == 1 ? 0.999 : 1.001), first = draw(&seed);
        if (turn / n > 3.1)
            continue;
        for (int k = 0; k <= n; k++) {
            const double r = 1.0 + 0.5 * (k % n ? draw(&seed) : 0.0),
                         at = first + (k < n || i % 3 ? turn * k / n : 0.0);
            sprintf(text + strlen(text), "v %.17g %.17g %.17g\n", r * cos(at), r * sin(at), k % n ? draw(&seed) : 0.25);
        }
        for (int k = 1; k <= n; k++)
            sprintf(text + strlen(text), "f 1 %d %d\n", k + 1, k + 2);
        dls_error error;
        const dls_status status = try_terrain(text, &error);
        assert_int_equal(status, i % 3 == 2 ? DLS_REFUSED : DLS_OK);
        if (status != DLS_OK)
            assert_non_null(strstr(error.message, "over each other"));
    }
    for (int i = 0; i < 400; i++) { /* the second apex is beyond the edge from (0, 0) to (1, 0), or within it */
        char text[512];
        const double y = 0.01 + 0.5 * fabs(draw(&seed));
        const bool folded = i % 2;
        dls_error error;
        snprintf(text, sizeof text, "v 0 0 0\nv 1 0 %.17g\nv 0.5 0.7 %.17g\nv %.17g %.17g %.17g\nf 1 2 3\nf %s 4\n",
                 draw(&seed), draw(&seed), draw(&seed), folded ? y : -y, draw(&seed), folded ? "1 2" : "2 1");
        assert_int_equal(try_terrain(text, &error), folded ? DLS_REFUSED : DLS_OK);
    }
    for (int i = 0; i < 400; i++) { /* squares of the edge 1 with the centres 0 and (x, y) */
        char text[1024];
        const double x = 1.5 * draw(&seed), y = 1.5 * draw(&seed), z = 5.0 * draw(&seed);
        dls_error error;
        snprintf(text, sizeof text,
                 "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\nv %.17g %.17g %.17g\nv %.17g %.17g "
                 "%.17g\nv %.17g %.17g %.17g\nv %.17g %.17g %.17g\nf 5 6 7 8\n",
                 x, y, z, x + 1, y, z, x + 1, y + 1, z, x, y + 1, z);
        assert_int_equal(try_terrain(text, &error), fabs(x) < 1.0 && fabs(y) < 1.0 ? DLS_REFUSED : DLS_OK);
    }
}

TEST(test_what_is_no_terrain)
{
#define FIELD(attributes) "<mujoco><asset><hfield name='h' " attributes "/></asset></mujoco>"
    static const struct {
        const char *name, *text, *wrong;
    } cases[] = {
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 3 2\n", "does not face upwards"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n", "does not face upwards"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 1 1\nv 0 1 2\nf 1 2 3\nf 1 2 4\nf 1 2 5\n", "share an edge"},
        {"m.xml#hfield h", FIELD("nrow='2' ncol='2' size='1 1 1 1' elevation='1 2 3'"), "nrow times ncol"},
        {"m.xml#hfield h", FIELD("nrow='1' ncol='2' size='1 1 1 1'"), "from 2 to 1000"},
        {"m.xml#hfield h", FIELD("nrow='2' ncol='2.5' size='1 1 1 1'"), "from 2 to 1000"},
        {"m.xml#hfield h", FIELD("nrow='2' ncol='2' size='1 0 1 1'"), "four positive"},
        {"m.xml#hfield h", FIELD("nrow='2' ncol='2' size='0 1 1 1'"), "four positive"},
        {"m.xml#hfield h", FIELD("nrow='2' ncol='2' size='1 1 -1 1'"), "four positive"},
        {"m.xml#hfield h", FIELD("nrow='2' ncol='2' size='1 1 1 0'"), "four positive"},
        {"m.xml#hfield h", FIELD("nrow='2' ncol='2' size='1 1 1e300 1'"), "another size"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv .5 0 0\nf 1 2 3\nf 1 4 2\n", "has no area"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv .5 -1e-12 0\nf 1 2 3\nf 1 4 2\n", "is a line"},
        {"m.xml#hfield h", FIELD("nrow='2' ncol='2'"), "four positive"},
        {"m.xml#hfield h", FIELD("file='a.png' size='1 1 1 1'"), "is not read"},
        {"m.xml#hfield i", FIELD("nrow='2' ncol='2' size='1 1 1 1'"), "'hfield i'"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        dls_triangles t;
        dls_error error;
        dls_arena memory = {0};
        const dls_terrain *terrain;
        dls_status status =
            dls_mesh_parse(cases[k].text, strlen(cases[k].text), cases[k].name, dls_v3(1, 1, 1), &t, &error);
        if (status == DLS_OK)
            status = dls_terrain_create(&t, cases[k].name, &memory, &terrain, &error);
        assert_int_not_equal(status, DLS_OK);
        if (!strstr(error.message, cases[k].wrong))
            fail_msg("case %zu: %s", k, error.message);
        dls_triangles_release(&t);
        dls_arena_release(&memory);
    }
}
