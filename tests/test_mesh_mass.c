/* Volumes, centres and inertias of meshes against closed forms of boxes and pyramids; meshes of MuJoCo's formats
 * against those of OBJ. */
#include "check.h"
#include "draws.h"

#include "delassus/delassus.h"
#include "mesh/hull.h"
#include "mesh/mesh_mass.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void parse(const char *name, const char *text, size_t size, dls_vec3 scale, dls_triangles *t)
{
    dls_error error;
    assert_status(dls_mesh_parse(text, size, name, scale, t, &error), &error);
}

static void parse_obj(const char *text, dls_triangles *t) { parse("a.obj", text, strlen(text), dls_v3(1, 1, 1), t); }

static dls_mesh_mass weigh(const dls_triangles *t, dls_mesh_filling filling)
{
    dls_mesh_mass mass;
    dls_error error;
    assert_status(dls_mesh_weigh(t, filling, "a", &mass, &error), &error);
    return mass;
}

/* A box from `low` to `high`, appended to an OBJ with `before` vertices. */
static void put_box(char *text, int before, dls_vec3 low, dls_vec3 high)
{
    static const char *const sides[] = {"1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"};
    for (int k = 0; k < 8; k++)
        sprintf(text + strlen(text), "v %.17g %.17g %.17g\n", k & 1 ? high.x : low.x, k & 2 ? high.y : low.y,
                k & 4 ? high.z : low.z);
    for (int k = 0; k < 6; k++) {
        int v[4];
        assert_int_equal(sscanf(sides[k], "%d %d %d %d", &v[0], &v[1], &v[2], &v[3]), 4);
        sprintf(text + strlen(text), "f %d %d %d %d\n", before + v[0], before + v[1], before + v[2], before + v[3]);
    }
}

/* A prism about the z axis with n sides, with its ends if they are given; `turned` side has its corners the other way
 * round. */
static void put_prism(char *text, int n, bool low, bool high, int turned)
{
    for (int k = 0; k < 2 * n; k++)
        sprintf(text + strlen(text), "v %.17g %.17g %d\n", cos(2 * DLS_PI * (k % n) / n), sin(2 * DLS_PI * (k % n) / n),
                k / n);
    for (int k = 1; k <= n; k++) {
        const int next = k % n + 1, left = k == turned ? next : k, right = k == turned ? k : next;
        sprintf(text + strlen(text), "f %d %d %d %d\n", left, right, right + n, left + n);
    }
    strcat(text, low ? "f" : "");
    for (int k = n; low && k > 0; k--)
        sprintf(text + strlen(text), " %d", k);
    strcat(text, high ? "\nf" : "");
    for (int k = n + 1; high && k <= 2 * n; k++)
        sprintf(text + strlen(text), " %d", k);
}

static void expect_inertia(dls_mat3 I, double xx, double yy, double zz, double tolerance)
{
    const double wanted[9] = {xx, 0, 0, 0, yy, 0, 0, 0, zz};
    for (int k = 0; k < 9; k++)
        assert_close(I.m[k], wanted[k], tolerance);
}

/* A box of the sizes a, b, c has the volume abc and I_xx = (b^2 + c^2) / 12 per unit of mass, however it is filled; its
 * surface has the sides' areas, with the inertia of six plates. Wherever the box is, nothing but the centre differs. */
TEST(test_boxes)
{
    const double a = 0.3, b = 1.1, c = 0.7;
    const dls_vec3 places[] = {{0, 0, 0}, {-7, 3, 5}, {1e3, -1e3, 2e3}};
    for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
        char text[4096] = "";
        dls_triangles t;
        const dls_vec3 o = places[p];
        const double near = 1e-13 * (1.0 + dls_norm(o)); /* the rounding of the vertices */
        put_box(text, 0, o, dls_add(o, dls_v3(a, b, c)));
        parse_obj(text, &t);
        for (int f = DLS_MESH_EXACT; f <= DLS_MESH_LEGACY; f++) {
            const dls_mesh_mass m = weigh(&t, (dls_mesh_filling)f);
            assert_close(m.measure, a * b * c, near);
            assert_true(dls_norm(dls_sub(m.centre, dls_add(o, dls_v3(a / 2, b / 2, c / 2)))) < near);
            expect_inertia(m.inertia, (b * b + c * c) / 12, (a * a + c * c) / 12, (a * a + b * b) / 12, near);
        }
        const dls_mesh_mass shell = weigh(&t, DLS_MESH_SHELL);
        const double area = 2 * (a * b + b * c + c * a);
        const double sizes[3] = {a, b, c};
        double second[3]; /* int x^2 dA: of both plates across x at a/2, and of the four others */
        for (int i = 0; i < 3; i++) {
            const double x = sizes[i], y = sizes[(i + 1) % 3], z = sizes[(i + 2) % 3];
            second[i] = (2 * y * z * x * x / 4 + 2 * x * (y + z) * x * x / 12) / area;
        }
        assert_close(shell.measure, area, near);
        expect_inertia(shell.inertia, second[1] + second[2], second[0] + second[2], second[0] + second[1], near);
        dls_triangles_release(&t);
    }
}

/* Two boxes of volumes 3 and 1 that make an L: the sum of both by the parallel axis theorem; its hull has a prism with
 * the triangle between their ends as well. The legacy pyramids count more than the solid. */
TEST(test_an_angle)
{
    static const char text[] = "v 0 0 0\nv 3 0 0\nv 3 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\n"
                               "v 0 0 1\nv 3 0 1\nv 3 1 1\nv 1 1 1\nv 1 2 1\nv 0 2 1\n"
                               "f 4 3 2 1\nf 6 5 4 1\nf 7 8 9 10\nf 7 10 11 12\n"
                               "f 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n";
    dls_triangles t;
    parse_obj(text, &t);
    const dls_mesh_mass exact = weigh(&t, DLS_MESH_EXACT), convex = weigh(&t, DLS_MESH_CONVEX),
                        legacy = weigh(&t, DLS_MESH_LEGACY);
    assert_close(exact.measure, 4.0, 1e-14);
    assert_true(dls_norm(dls_sub(exact.centre, dls_v3(1.25, 0.75, 0.5))) < 1e-14);
    /* 3 (1 + 1) / 12 + 3 / 16 + (1 + 1) / 12 + 9 / 16; 3 (9 + 1) / 12 + 3 / 16 + 2 / 12 + 9 / 16; xy: -3/16 - 9/16 */
    assert_close(exact.inertia.m[0], (2.0 / 3.0 + 0.75) / 4.0, 1e-14);
    assert_close(exact.inertia.m[4], (2.5 + 1.0 / 6.0 + 0.75) / 4.0, 1e-14);
    assert_close(exact.inertia.m[1], 0.75 / 4.0, 1e-14);
    assert_close(convex.measure, 5.0, 1e-14);
    assert_true(dls_norm(dls_sub(convex.centre, dls_v3((5.0 + 5.0 / 3.0) / 5.0, (3.0 + 4.0 / 3.0) / 5.0, 0.5))) <
                1e-14);
    assert_true(legacy.measure > exact.measure);
    dls_triangles_release(&t);
}

/* Without one end a prism is open, and without both, where the area vectors of its sides sum up to 0 as those of a
 * closed surface do; a side that is turned opens it as well. */
TEST(test_open_tubes)
{
    for (int n = 3; n < 12; n++)
        for (int ends = 0; ends < 4; ends++)
            for (int turned = 0; turned <= n; turned++) {
                char text[4096] = "";
                dls_triangles t;
                dls_mesh_mass mass;
                dls_error error;
                put_prism(text, n, ends & 1, ends & 2, turned);
                parse_obj(text, &t);
                if (ends == 3 && !turned) {
                    assert_close(weigh(&t, DLS_MESH_EXACT).measure, 0.5 * n * sin(2 * DLS_PI / n), 1e-14);
                } else {
                    assert_int_equal(dls_mesh_weigh(&t, DLS_MESH_EXACT, "a", &mass, &error), DLS_REFUSED);
                    assert_non_null(strstr(error.message, "not closed"));
                }
                dls_triangles_release(&t);
            }
}

/* Solids that meet in an edge or in a side have the sum of their volumes; triangles without an area close a surface. */
TEST(test_closed_surfaces_that_meet)
{
    char text[4096] = "";
    dls_triangles t;
    put_box(text, 0, dls_v3(0, 0, 0), dls_v3(1, 1, 1));
    put_box(text, 8, dls_v3(1, 1, 0), dls_v3(2, 2, 1));
    put_box(text, 16, dls_v3(0, 1, 0), dls_v3(1, 2, 1));
    parse_obj(text, &t);
    assert_close(weigh(&t, DLS_MESH_EXACT).measure, 3.0, 1e-14);
    dls_triangles_release(&t);
    /* a tetrahedron, one edge of which has a corner on one side alone, and a triangle that is a line there */
    static const char needle[] = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 4\nv 0.5 0 0\n"
                                 "f 1 3 5\nf 5 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    for (int lines = 0; lines < 2; lines++) {
        dls_mesh_mass mass;
        dls_error error;
        snprintf(text, sizeof text, "%s%s", needle, lines ? "f 1 5 2\nf 1 1 2\n" : "");
        parse_obj(text, &t);
        assert_int_equal(t.count, 5);
        assert_int_equal(t.n_flat, lines);
        assert_int_equal(dls_mesh_weigh(&t, DLS_MESH_EXACT, "a", &mass, &error), lines ? DLS_OK : DLS_REFUSED);
        if (lines)
            assert_close(mass.measure, 4.0 / 3.0, 1e-15);
        dls_triangles_release(&t);
    }
}

/* A mirrored one is not inside out. */
TEST(test_mirrors)
{
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 4\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    dls_triangles t, mirrored;
    parse_obj(text, &t);
    parse("a.obj", text, strlen(text), dls_v3(-1, 1, 1), &mirrored);
    const dls_mesh_mass a = weigh(&t, DLS_MESH_EXACT), b = weigh(&mirrored, DLS_MESH_EXACT);
    assert_close(a.measure, 4.0 / 3.0, 1e-15);
    assert_close(b.measure, 4.0 / 3.0, 1e-15);
    assert_close(a.centre.x, 0.25, 1e-15);
    assert_close(b.centre.x, -0.25, 1e-15);
    assert_close(a.inertia.m[0], 3.0 / 80.0 * (4.0 + 16.0), 1e-14); /* 3/80 (b^2 + c^2) of a corner of a box */
    assert_close(a.inertia.m[1], 1.0 / 80.0 * 2.0, 1e-14);
    assert_close(b.inertia.m[1], -1.0 / 80.0 * 2.0, 1e-14);
    dls_triangles_release(&t);
    dls_triangles_release(&mirrored);
}

TEST(test_what_has_no_mass)
{
    static const struct {
        const char *text;
        dls_mesh_filling filling;
        const char *wrong;
    } cases[] = {
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n", DLS_MESH_EXACT, "not closed"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n", DLS_MESH_EXACT, "clockwise"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 3 2\nf 1 2 3\n", DLS_MESH_LEGACY, "no volume"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 3 2\nf 1 2 3\n", DLS_MESH_CONVEX, "lie in a plane"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        dls_triangles t;
        dls_mesh_mass mass;
        dls_error error;
        parse_obj(cases[k].text, &t);
        assert_int_equal(dls_mesh_weigh(&t, cases[k].filling, "a.obj", &mass, &error), DLS_REFUSED);
        assert_non_null(strstr(error.message, cases[k].wrong));
        dls_triangles_release(&t);
    }
}

/* --- formats --- */

static void put_words(char *to, const void *from, size_t words)
{
    for (size_t i = 0; i < words; i++) {
        uint32_t bits;
        memcpy(&bits, (const char *)from + 4 * i, 4);
        for (size_t k = 0; k < 4; k++)
            to[4 * i + k] = (char)(bits >> 8 * k & 255);
    }
}

static void expect_same(const dls_triangles *a, const dls_triangles *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < 3 * a->count; i++)
        assert_true(dls_norm(dls_sub(dls_add(a->corners[i], a->middle), dls_add(b->corners[i], b->middle))) < 1e-15);
}

/* The same tetrahedron as OBJ, as MSH with a normal and a texture coordinate, and in the text of a model. */
TEST(test_formats)
{
    static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 4\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    static const char xml[] =
        "<mujoco><asset><mesh name='b' vertex='1 2 3'/></asset><asset><mesh name='a' vertex='0 0 0 "
        "1 0 0 0 2 0 0 0 4' face='0 2 1 0 1 3 0 3 2 1 2 3'/></asset></mujoco>";
    const int32_t head[4] = {4, 1, 1, 4}, faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    const float vertices[12 + 5] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 4};
    char msh[16 + 4 * 17 + 48];
    dls_triangles from_obj, from_msh, from_xml;
    put_words(msh, head, 4), put_words(msh + 16, vertices, 17), put_words(msh + 16 + 4 * 17, faces, 12);
    parse_obj(obj, &from_obj);
    parse("a.msh", msh, sizeof msh, dls_v3(1, 1, 1), &from_msh);
    parse("m.xml#a", xml, strlen(xml), dls_v3(1, 1, 1), &from_xml);
    expect_same(&from_obj, &from_msh);
    expect_same(&from_obj, &from_xml);
    dls_triangles_release(&from_obj);
    dls_triangles_release(&from_msh);
    dls_triangles_release(&from_xml);
}

/* Points without triangles are their hull: the volume of a tetrahedron whose fifth point is within it. */
TEST(test_points)
{
    static const char obj[] = "v 0 0 0\nv 1 0 0\nv .1 .1 .1\nv 0 2 0\nv 0 0 4\n";
    static const char xml[] =
        "<mujoco><asset><mesh name='a' vertex='0 0 0 1 0 0 .1 .1 .1 0 2 0 0 0 4'/></asset></mujoco>";
    const int32_t head[4] = {5, 0, 0, 0};
    const float vertices[15] = {0, 0, 0, 1, 0, 0, 0.1f, 0.1f, 0.1f, 0, 2, 0, 0, 0, 4};
    char msh[16 + 60];
    const struct {
        const char *name, *text;
        size_t size;
    } files[] = {{"a.obj", obj, strlen(obj)},   {"m.XML#a", xml, strlen(xml)},  {"a.msh", msh, sizeof msh},
                 {"model#a", xml, strlen(xml)}, {"m.mjcf#a", xml, strlen(xml)}, {"a#1.obj", obj, strlen(obj)},
                 {"a#1#2.msh", msh, sizeof msh}};
    put_words(msh, head, 4), put_words(msh + 16, vertices, 15);
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        dls_triangles t;
        parse(files[k].name, files[k].text, files[k].size, dls_v3(-1, 1, 2), &t);
        assert_int_equal(t.count, 4);
        assert_close(weigh(&t, DLS_MESH_EXACT).measure, 8.0 / 3.0, 1e-15);
        dls_triangles_release(&t);
    }
}

static void expect_hull(const dls_scene *scene)
{
    dls_model *model;
    dls_error error;
    assert_status(dls_model_create(scene, &model, &error), &error);
    assert_int_equal(dls_model_count(model).solids, 2);
    assert_true(dls_model_solids(model)[1].hull != NULL);
    dls_model_destroy(model);
}

/* A mesh in the text of a model collides whatever the model's file and the mesh are called, also in the scene that is
 * written of it. */
TEST(test_names_of_meshes_in_a_text)
{
    static const char *const files[] = {"m%ld.xml", "m%ld.mjcf", "m%ld", "m#%ld.txt"}, *const meshes[] = {
                                                                                           "a", "a#b", "a.stl", "a b"};
    for (size_t f = 0; f < 4; f++)
        for (size_t k = 0; k < 4; k++) {
            char path[64], written[64];
            dls_content content, again;
            dls_error error;
            unsigned lost;
            snprintf(path, sizeof path, files[f], (long)getpid());
            snprintf(written, sizeof written, "m%ld.yaml", (long)getpid());
            FILE *file = fopen(path, "w");
            assert_non_null(file);
            fprintf(file,
                    "<mujoco><asset><mesh name='%s' vertex='0 0 0 1 0 0 0 2 0 0 0 4'/></asset><worldbody><geom "
                    "type='plane'/><body>"
                    "<freejoint/><geom type='mesh' mesh='%s'/></body></worldbody></mujoco>",
                    meshes[k], meshes[k]);
            assert_int_equal(fclose(file), 0);
            assert_status(dls_file_load(path, NULL, &content, &error), &error);
            expect_hull(content.scene);
            assert_status(dls_scene_write(content.scene, written, &lost, &error), &error);
            assert_status(dls_file_load(written, NULL, &again, &error), &error);
            expect_hull(again.scene);
            dls_content_release(&content), dls_content_release(&again);
            assert_int_equal(remove(path) + remove(written), 0);
        }
}

/* A link whose shape is a mesh has its hull, as one with a mesh in its list of shapes. */
TEST(test_links_that_are_meshes)
{
    static const char *const links[] = {"shape: mesh, mesh: %s, scale: [1, 2, 3]",
                                        "shapes: [{shape: mesh, mesh: %s, scale: [1, 2, 3]}]"};
    dls_vec3 far[2];
    char path[64];
    snprintf(path, sizeof path, "m%ld.obj", (long)getpid());
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n", file);
    assert_int_equal(fclose(file), 0);
    for (size_t k = 0; k < 2; k++) {
        char text[512], link[256];
        dls_scene *scene;
        dls_model *model;
        dls_error error;
        snprintf(link, sizeof link, links[k], path);
        snprintf(text, sizeof text,
                 "world: {collide: true}\narticulations: [{name: a, links: [{name: l, mass: 1, inertia: [1, 1, 1], "
                 "%s}]}]\n",
                 link);
        assert_status(dls_scene_parse(text, strlen(text), "text.yaml", &scene, &error), &error);
        assert_status(dls_model_create(scene, &model, &error), &error);
        assert_int_equal(dls_model_count(model).solids, 1);
        const dls_hull *hull = dls_model_solids(model)[0].hull;
        assert_true(hull && hull->n_vertices == 4);
        far[k] = dls_v3(0, 0, 0);
        for (size_t i = 0; i < 4; i++)
            far[k] = dls_v3(fmax(far[k].x, hull->vertex[i].x), fmax(far[k].y, hull->vertex[i].y),
                            fmax(far[k].z, hull->vertex[i].z));
        dls_model_destroy(model);
        dls_scene_destroy(scene);
    }
    assert_int_equal(remove(path), 0);
    assert_true(far[0].x == 1.0 && far[0].y == 2.0 && far[0].z == 3.0);
    assert_true(far[0].x == far[1].x && far[0].y == far[1].y && far[0].z == far[1].z);
}

TEST(test_wrong_meshes)
{
#define MODEL(mesh) "<mujoco><asset>" mesh "</asset></mujoco>"
    static const struct {
        const char *name, *text, *wrong;
    } cases[] = {
        {"m.xml#a", MODEL("<mesh name='b'/>"), "has a mesh 'a'"},
        {"m.xml#a", MODEL("<mesh name='a' vertex='1 2'/>"), "no threes"},
        {"m.xml#a", MODEL("<mesh name='a' vertex='1 2 3 4 5 6 7 8 x'/>"), "not a number"},
        {"m.xml#a", MODEL("<mesh name='a' vertex='0 0 0 1 0 0 0 1 0' face='0 1 3'/>"), "no vertex"},
        {"m.xml#a", MODEL("<mesh name='a' vertex='0 0 0 1 0 0 0 1 0' face='0 1 -1'/>"), "no vertex"},
        {"m.xml#a", MODEL("<mesh name='a' vertex='0 0 0 1 0 0 0 1 0' face='0 1 1.5'/>"), "no vertex"},
        {"m.xml#a", MODEL("<mesh name='a' vertex='0 0 0 1e31 0 0 0 1 0' face='0 1 2'/>"), "another scale"},
        {"m.xml#a", MODEL("<mesh name='a'/>"), "without vertices"},
        {"m.xml#a", MODEL("<mesh name='a' vertex='0 0 0 1 0 0 0 1 0'/>"), "lie in a plane"},
        {"m.xml#a", "<mujoco>", "m.xml#a"},
        {"a.msh", "short", "not complete"},
        {"a.msh", "0123456789abcdef0123", "not complete"},
        {"a.xml", MODEL("<mesh name='a'/>"), "neither .stl"},
        {"a.stl#a", "solid a", "cannot be named"},
        {"a.OBJ#a", "v 0 0 0", "cannot be named"},
        {"a.dae#a", MODEL("<mesh name='a'/>"), "cannot be named"},
        {"a.msh#a", MODEL("<mesh name='a'/>"), "cannot be named"},
        {"a.ply#a", "ply", "no such text"},
        {"a#a", "ply", "no such text"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        dls_triangles t;
        dls_error error;
        assert_int_not_equal(
            dls_mesh_parse(cases[k].text, strlen(cases[k].text), cases[k].name, dls_v3(1, 1, 1), &t, &error), DLS_OK);
        if (!strstr(error.message, cases[k].wrong) && !strstr(error.file, cases[k].wrong))
            fail_msg("case %zu: %s: %s", k, error.file, error.message);
        dls_triangles_release(&t);
    }
}
