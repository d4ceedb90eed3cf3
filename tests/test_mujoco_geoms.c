/* Mass properties of geoms in MuJoCo and here: meshes and what is fitted to them.
 *
 * MuJoCo 2.2.2 weighs meshes in single precision: centres agree to 1e-7 of the greatest coordinate, 16, masses and
 * moments to as much of themselves; the closed forms of test_mesh_mass.c are met to rounding. Without exactmeshinertia
 * the volume of a mesh is there that of the box of equal inertia, 8 x y z; in later versions that of the pyramids, as
 * here. A solid that is fitted to extents (fitaabb) is there at the coordinates that the middle of the mesh has in its
 * principal axes, as though they were the geom's; here it is on the mesh. */
#include "delassus/io.h"

#include "check.h"
#include "draws.h"

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct pair {
    mjModel *theirs;
    dls_scene *scene;
} pair;

static void open_model(pair *p, const char *text)
{
    char folder[] = "mujoco.XXXXXX", path[DLS_PATH_MAX], why[1024] = "";
    dls_error error;
    dls_content content;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/model.xml", folder);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
    p->theirs = mj_loadXML(path, NULL, why, sizeof why);
    if (!p->theirs)
        print_error("MuJoCo: %s\n", why);
    assert_non_null(p->theirs);
    assert_status(dls_file_load(path, NULL, &content, &error), &error);
    p->scene = content.scene;
    assert_status(dls_scene_check_dropped(p->scene, DLS_ALL_ASPECTS, &error), &error);
    assert_int_equal(p->scene->n_articulations, p->theirs->nbody - 1);
    assert_int_equal(remove(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void close_model(pair *p)
{
    mj_deleteModel(p->theirs);
    dls_scene_destroy(p->scene);
}

static const dls_link_def *link_of(const pair *p, int body) { return &p->scene->articulations[body - 1]->links[0]; }

static const dls_link_shape *shape_of(const pair *p, int body) { return &p->scene->articulations[body - 1]->shapes[0]; }

/* Mass, centre and principal moments, which their model has in falling order. `near`: of 1 m, and of the largest. */
static void compare_masses(const pair *p, int body, double near)
{
    const dls_link_def *link = link_of(p, body);
    const mjtNum *c = p->theirs->body_ipos + 3 * body, *I = p->theirs->body_inertia + 3 * body;
    double d[3];
    dls_mat3 axes;
    dls_eigen3(link->inertia, d, &axes);
    assert_close(link->mass, p->theirs->body_mass[body], near * link->mass);
    for (int k = 0; k < 3; k++)
        assert_close(dls_get3(link->centre, k), c[k], near);
    for (int k = 0; k < 3; k++)
        assert_close(d[2 - k], I[k], near * d[2]);
    /* and the tensor, whose axes are right to 1e-9 */
    const mjtNum *q = p->theirs->body_iquat + 4 * body;
    const dls_mat3 T = dls_rotate_tensor(dls_quat_matrix((dls_quat){q[0], q[1], q[2], q[3]}),
                                         (dls_mat3){{I[0], 0, 0, 0, I[1], 0, 0, 0, I[2]}});
    for (int k = 0; k < 9; k++)
        assert_close(link->inertia.m[k], T.m[k], (near + 1e-8) * d[2]);
}

static const double single = 2e-6;

/* A tetrahedron; a box; an angle of two boxes. */
#define TETRAHEDRON "vertex='0 0 0 4 0 0 0 8 0 0 0 16' face='0 2 1 0 1 3 0 3 2 1 2 3' "
#define BOX "vertex='-1 -2 -3 1 -2 -3 1 2 -3 -1 2 -3 -1 -2 3 1 -2 3 1 2 3 -1 2 3' "
#define ANGLE                                                                                                         \
    "vertex='0 0 0 3 0 0 3 1 0 1 1 0 1 2 0 0 2 0 0 0 1 3 0 1 3 1 1 1 1 1 1 2 1 0 2 1' face='3 2 1 3 1 0 5 4 3 5 3 0 " \
    "6 7 8 6 8 9 6 9 10 6 10 11 0 1 7 0 7 6 1 2 8 1 8 7 2 3 9 2 9 8 3 4 10 3 10 9 4 5 11 4 11 10 5 0 6 5 6 11' "
#define BODY(geom) "<body><freejoint/><geom " geom "/></body>"

static const char meshes[] =
    "<asset><mesh name='t' " TETRAHEDRON "/><mesh name='h' vertex='0 0 0 4 0 0 0 8 0 1 1 1 0 0 16'/>"
    "<mesh name='b' " BOX "/><mesh name='a' " ANGLE "/><mesh name='p' refpos='1 2 4' scale='2 1 .5' " TETRAHEDRON "/>"
    "<mesh name='q' refpos='1 0 -1' refquat='0 2 0 0' scale='2 2 2' " TETRAHEDRON "/></asset>";

TEST(test_meshes)
{
    char text[8192];
    pair p;
    for (int exact = 0; exact < 2; exact++) {
        snprintf(text, sizeof text,
                 "<mujoco><compiler exactmeshinertia='%s'/>%s<worldbody>" BODY("type='mesh' mesh='t' mass='3'")
                     BODY("type='mesh' mesh='h' mass='3'") BODY("type='mesh' mesh='b' mass='2' pos='1 2 3'")
                         BODY("type='mesh' mesh='p' mass='2' euler='10 20 30' pos='1 0 0'")
                             BODY("type='mesh' mesh='q' mass='4'")
                                 BODY("type='mesh' mesh='a' mass='7'") "</worldbody></mujoco>",
                 exact ? "true" : "false", meshes);
        open_model(&p, text);
        for (int body = 1; body < p.theirs->nbody; body++)
            compare_masses(&p, body, single);
        close_model(&p);
    }
}

/* Masses by density: the volume of the mesh, which for `legacy` their version takes from the box of equal inertia. */
TEST(test_volumes)
{
    const double volume[] = {0, 256.0 / 3.0, 48.0, 4.0};
    for (int exact = 0; exact < 2; exact++) {
        char text[8192];
        pair p;
        snprintf(text, sizeof text,
                 "<mujoco><compiler exactmeshinertia='%s'/>%s<worldbody>" BODY("type='mesh' mesh='t'")
                     BODY("type='mesh' mesh='b'") BODY("type='mesh' mesh='a'") "</worldbody></mujoco>",
                 exact ? "true" : "false", meshes);
        open_model(&p, text);
        for (int body = 1; body < p.theirs->nbody; body++) {
            const dls_link_def *link = link_of(&p, body);
            double d[3], box = 8.0;
            dls_mat3 axes;
            dls_eigen3(link->inertia, d, &axes);
            for (int k = 0; k < 3; k++)
                box *= sqrt(1.5 * (d[0] + d[1] + d[2] - 2.0 * d[k]) / link->mass);
            if (exact || body < 3) /* the angle's pyramids overlap */
                assert_close(link->mass, 1e3 * volume[body], 1e-10 * link->mass);
            assert_close(p.theirs->body_mass[body], exact ? link->mass : 1e3 * box, single * link->mass);
        }
        close_model(&p);
    }
}

/* Solids that are fitted to a mesh have their sizes, masses and places. */
TEST(test_fitted)
{
    static const char *const types[] = {"sphere", "capsule", "cylinder", "box", "ellipsoid"};
    enum { TYPES = sizeof types / sizeof types[0] };
    char text[8192];
    pair p;
    for (int aabb = 0; aabb < 2; aabb++) {
        int used = snprintf(text, sizeof text, "<mujoco><compiler fitaabb='%s'/>%s<worldbody>", aabb ? "true" : "false",
                            meshes);
        for (int k = 0; k < 2 * TYPES; k++)
            used += snprintf(text + used, sizeof text - (size_t)used,
                             BODY("type='%s' mesh='%s' fitscale='1.5' pos='1 2 3' euler='10 20 30'"), types[k / 2],
                             k % 2 ? "t" : "b");
        snprintf(text + used, sizeof text - (size_t)used, "</worldbody></mujoco>");
        open_model(&p, text);
        for (int k = 0; k < 2 * TYPES; k++) {
            const dls_link_shape *s = shape_of(&p, k + 1);
            const mjtNum *size = p.theirs->geom_size + 3 * k;
            const bool box = k / 2 >= 3;
            const double own[3] = {box ? s->size.x / 2 : s->radius,
                                   box     ? s->size.y / 2
                                   : k < 2 ? 0.0
                                           : s->length / 2,
                                   box ? s->size.z / 2 : 0.0};
            for (int i = 0; i < 3; i++)
                assert_close(own[i], size[i], single * size[0]);
            if (!aabb)
                compare_masses(&p, k + 1, single);
        }
        close_model(&p);
    }
}
