/* Links that collide: as bodies do, to rounding; which pairs are left out; shapes from URDF; a grip, a landing. */
#include "mesh/hull.h"

#include "articulated.h"
#include "stepping.h"
#include "world.h"

static void begin(run *r, dls_model *model, const char *solver, size_t iterations, bool warm)
{
    dls_simulation_options options = dls_simulation_default();
    options.solver = dls_iterative_find(solver);
    options.iterations = iterations;
    options.warm = (dls_warm){warm, 1e-2, 3};
    run_open(r, model, &options);
}

/* The sum of the forces of all contacts on an end. */
static dls_vec3 contact_force(run *r, size_t end)
{
    const dls_contacts *contacts = dls_simulation_contacts(r->simulation);
    dls_vec3 sum = zero3;
    for (size_t k = 0; k < contacts->count; k++)
        for (int i = 0; i < 2; i++)
            if (contacts->at[k].body[i] == end)
                sum = dls_add(sum, force_of(r, dls_model_count(r->model).joints + k).end[i].lin);
    return sum;
}

/* --- a link is a body --- */

static const char one_link[] =
    "world: {gravity: [1.3, 0.4, -9.81], collide: true, friction: %s, mu: 0.4, restitution: 0.3, contact_margin: 1 "
    "mm}\n"
    "bodies:\n"
    "  - {name: ground, static: true, shape: plane}\n"
    "  - {name: post, shape: cylinder, radius: 0.2, length: 0.5, mass: 3, position: [0.7, 0.1, 0.26]}\n"
    "%s";
static const char as_body[] = "  - {name: box, shape: box, size: [0.3, 0.5, 0.2], mass: 2.4, position: [0, 0, 0.4], "
                              "orientation: [0.9, 0.1, 0.3, 0.3], omega: [1, 2, 0.3], velocity: [0.5, 0, 0]}\n";
static const char as_link[] =
    "articulations:\n"
    "  - name: one\n"
    "    links:\n"
    "      - {name: box, shape: box, size: [0.3, 0.5, 0.2], mass: 2.4, position: [0, 0, 0.4], "
    "orientation: [0.9, 0.1, 0.3, 0.3], omega: [1, 2, 0.3], velocity: [0.5, 0, 0]}\n";

static dls_model *one_model(const char *law, const char *box)
{
    char text[2048];
    snprintf(text, sizeof text, one_link, law, box);
    return parse_model(text);
}

/* The same rows, coefficient by coefficient, and the same impulses, from the fall to rest, cold and warm. */
TEST(test_one_floating_link_is_a_body)
{
    for (int warm = 0; warm < 2; warm++) {
        run body, link;
        size_t most = 0;
        double rows_apart = 0.0, impulses_apart = 0.0;
        begin(&body, one_model("box", as_body), "pgs", 20, warm),
            begin(&link, one_model("box", as_link), "pgs", 20, warm);
        for (int k = 0; k < 400; k++) {
            run_steps(&body, 1, 1e-3), run_steps(&link, 1, 1e-3);
            const dls_problem *p = dls_simulation_problem(body.simulation),
                              *q = dls_simulation_problem(link.simulation);
            const double *l = dls_simulation_impulses(body.simulation), *m = dls_simulation_impulses(link.simulation);
            assert_int_equal(p->n, q->n);
            assert_int_equal(p->J.n_blocks, q->J.n_blocks);
            most = p->n > most ? p->n : most;
            double scale = 1e-3 * 2.4 * 9.81;
            for (size_t i = 0; i < p->n; i++)
                scale = fmax(scale, fabs(l[i]));
            for (size_t i = 0; i < p->n; i++)
                impulses_apart = fmax(impulses_apart, fabs(l[i] - m[i]) / scale);
            for (size_t i = 0; i < p->J.coef_at[p->J.n_blocks]; i++)
                rows_apart = fmax(rows_apart, fabs(p->J.coef[i] - q->J.coef[i]));
        }
        print_message("# %s: up to %zu rows, coefficients %.1e and impulses %.1e apart\n", warm ? "warm" : "cold", most,
                      rows_apart, impulses_apart);
        assert_true(most >= 12);
        assert_below(rows_apart, 1e-9);
        assert_below(impulses_apart, 1e-7); /* what rounding has become by the end of the tumbling */
        run_stop(&body), run_stop(&link);
    }
}

/* In the step of the first touch nothing has grown yet. */
TEST(test_the_first_touch_is_equal_to_rounding)
{
    static const char *const laws[] = {"fixed", "box", "cone"};
    for (int law = 0; law < 3; law++) {
        run body, link;
        const char *solver = law == 2 ? "nsgs" : "pgs";
        begin(&body, one_model(laws[law], as_body), solver, 20, false);
        begin(&link, one_model(laws[law], as_link), solver, 20, false);
        for (bool touched = false; !touched;) {
            run_steps(&body, 1, 1e-3), run_steps(&link, 1, 1e-3);
            const double *l = dls_simulation_impulses(body.simulation), *m = dls_simulation_impulses(link.simulation);
            double scale = 0.0;
            const dls_contacts *contacts = dls_simulation_contacts(body.simulation);
            for (size_t i = 0; i < dls_simulation_problem(body.simulation)->n; i++)
                scale = fmax(scale, fabs(l[i]));
            for (size_t i = 0; i < dls_simulation_problem(body.simulation)->n; i++)
                assert_close(l[i], m[i], 1e-12 * scale);
            for (size_t k = 0; k < contacts->count; k++)
                touched = touched || contacts->at[k].body[1] == 2;
            assert_true(dls_simulation_state(body.simulation)->time < 0.5);
        }
        run_stop(&body), run_stop(&link);
    }
}

/* --- every scheme --- */

/* An arm whose hand lies on the ground, and a box on the hand: what the ground carries is all the weight that the
 * pivot does not. */
static const char lying[] =
    "world: {gravity: [0, 0, -9.81], collide: true, friction: box, mu: 0.5, contact_margin: 2 mm}\n"
    "bodies:\n"
    "  - {name: ground, static: true, shape: plane}\n"
    "  - {name: load, shape: box, size: [0.2, 0.2, 0.1], mass: 1.5, position: [0.8, 0, 0.15]}\n"
    "articulations:\n"
    "  - name: arm\n"
    "    links:\n"
    "      - {name: base, static: true, position: [0, 0, 0.05]}\n"
    "      - {name: hand, parent: base, motion: revolute, axis: [0, 1, 0], anchor: [0, 0, 0.05], shape: box, size: "
    "[0.6, 0.3, 0.1], mass: 2, position: [0.7, 0, 0.05]}\n";

TEST(test_every_scheme_rests_on_links)
{
    for (size_t v = 0; v < VARIANTS; v++) {
        run r;
        start_kept(&r, parse_model(lying), &variants[v], 100);
        run_steps(&r, 300, 1e-3);
        const size_t load = dls_model_find_end(r.model, "load"), hand = dls_model_find_end(r.model, "arm.hand");
        dls_joint_wrench pivot;
        dls_error error;
        assert_status(dls_simulation_joint_wrench(r.simulation, 0, 1, &pivot, &error), &error);
        const double left = contact_force(&r, hand).z + pivot.wrench.lin.z;
        print_message("# %-26s load %.6g N, hand and pivot %.6g N\n", name_of(&variants[v]), contact_force(&r, load).z,
                      left);
        assert_close(contact_force(&r, load).z, 1.5 * 9.81, 1e-2);
        assert_close(left, 2 * 9.81, 1e-2);
        assert_below(dls_ledger_mismatch(dls_simulation_ledger(r.simulation)), 1e-12);
        run_stop(&r);
    }
}

/* --- a grip and a landing --- */

TEST(test_a_gripper_lifts_a_box)
{
    run r;
    begin(&r, load_scene("lift"), "pgs", 300, true);
    run_steps(&r, 900, 1e-3);
    const size_t box = dls_model_find_end(r.model, "box"), left = dls_model_find_end(r.model, "gripper.left"),
                 right = dls_model_find_end(r.model, "gripper.right");
    const dls_state *state = dls_simulation_state(r.simulation);
    const dls_contacts *contacts = dls_simulation_contacts(r.simulation);
    double tangential = 0.0, normal[2] = {0.0, 0.0};
    assert_true(state->x[box].z > 0.15);
    for (size_t k = 0; k < contacts->count; k++) {
        const dls_contact *contact = &contacts->at[k];
        const size_t finger = contact->body[contact->body[0] == box];
        const int side = contact->body[0] == box ? 0 : 1;
        assert_true(finger == left || finger == right);
        const dls_vec3 f = force_of(&r, dls_model_count(r.model).joints + k).end[side].lin;
        normal[finger == right] += fabs(dls_dot(f, contact->normal));
        tangential += dls_sub(f, dls_scale(dls_dot(f, contact->normal), contact->normal)).z;
    }
    print_message("# tangential %.9g N of a weight of %.9g N; the fingers press with %.6g N and %.6g N\n", tangential,
                  2 * 9.81, normal[0], normal[1]);
    assert_close(tangential, 2 * 9.81, 1e-3 * 2 * 9.81);
    assert_close(normal[0], 30.0, 0.3);
    assert_close(normal[1], 30.0, 0.3);
    run_stop(&r);
}

TEST(test_a_humanoid_comes_to_rest)
{
    run r;
    double speed = 0.0;
    begin(&r, load_scene("humanoid"), "pgs", 100, true);
    run_steps(&r, 4000, 1e-3);
    const dls_articulation *tree = dls_model_articulations(r.model)[0].tree;
    const dls_state *state = dls_simulation_state(r.simulation);
    const dls_contacts *contacts = dls_simulation_contacts(r.simulation);
    double normals = 0.0;
    for (size_t k = 0; k < dls_model_count(r.model).nv; k++)
        speed = fmax(speed, fabs(state->v[k]));
    for (size_t k = 0; k < contacts->count; k++) {
        const dls_contact *contact = &contacts->at[k];
        const int on_robot = contact->body[0] == 0;
        const dls_vec3 f = force_of(&r, dls_model_count(r.model).joints + k).end[on_robot].lin;
        if (contact->body[0] == 0 || contact->body[1] == 0)
            normals += f.z;
    }
    print_message("# %zu contacts, fastest coordinate %.1e; normals %.9g N of %.9g N\n", contacts->count, speed,
                  normals, tree->mass * 9.81);
    assert_below(speed, 1e-6);
    assert_close(normals, tree->mass * 9.81, 1e-3 * tree->mass * 9.81);
    run_stop(&r);
}

/* --- which pairs --- */

static size_t pairs_of(const char *text, char *names, size_t size)
{
    dls_model *model = parse_model(text);
    dls_collider *collider;
    dls_contacts contacts = {0, 0, NULL};
    dls_error error;
    size_t pairs = 0;
    names[0] = '\0';
    assert_status(dls_collider_create(model, &collider, &error), &error);
    assert_status(dls_collider_find(collider, dls_model_initial(model), &contacts, &error), &error);
    for (size_t k = 0; k < contacts.count; k++) {
        char one[64], two[64];
        const dls_contact *contact = &contacts.at[k];
        if (k > 0 && memcmp(contact->body, contact[-1].body, sizeof contact->body) == 0)
            continue;
        dls_model_end_name(model, contact->body[0], one, sizeof one);
        dls_model_end_name(model, contact->body[1], two, sizeof two);
        const size_t used = strlen(names);
        snprintf(names + used, size - used, "%s-%s ", one, two);
        pairs++;
    }
    dls_contacts_release(&contacts);
    dls_collider_destroy(collider);
    dls_model_destroy(model);
    return pairs;
}

/* Four links that all overlap: a and d are rigidly one, b and c follow. a-b and b-c are parent and child, d-b too. */
static const char crowd[] =
    "world: {collide: true}\n"
    "bodies:\n"
    "  - {name: ball, shape: sphere, radius: 0.5, mass: 1}\n"
    "articulations:\n"
    "  - name: t\n"
    "    self_collision: %s\n"
    "    links:\n"
    "      - {name: a, shape: sphere, radius: 0.5, mass: 1, position: [0.1, 0, 0]}\n"
    "      - {name: d, parent: a, shape: sphere, radius: 0.5, mass: 1, position: [0, 0.1, 0]}\n"
    "      - {name: b, parent: d, motion: revolute, axis: [0, 0, 1], shape: sphere, radius: 0.5, "
    "mass: 1, position: [0, 0, 0.1]}\n"
    "      - {name: c, parent: b, motion: revolute, axis: [0, 0, 1], shape: sphere, radius: 0.5, "
    "mass: 1, position: [0.1, 0, 0.1]%s}\n"
    "%s";

TEST(test_pairs)
{
    static const struct {
        const char *more, *rest, *names;
    } cases[] = {
        {"", "", "ball-t.a ball-t.d ball-t.b ball-t.c t.a-t.c t.d-t.c "},
        {", collide: false", "", "ball-t.a ball-t.d ball-t.b "},
        {"", "apart:\n  - {body1: t.c, body2: t.a}\n  - {body1: ball, body2: t.b}\n",
         "ball-t.a ball-t.d ball-t.c t.d-t.c "},
        {"", "joints:\n  - {name: j, type: ball, body1: t.c, body2: ball, anchor: [0, 0, 0]}\n",
         "ball-t.a ball-t.d ball-t.b t.a-t.c t.d-t.c "},
        /* another robot collides with each link of this one, whether its own links collide or not */
        {", collide: false",
         "  - name: u\n    self_collision: false\n    links:\n"
         "      - {name: e, shape: sphere, radius: 0.5, mass: 1}\n"
         "      - {name: f, parent: e, motion: revolute, axis: [0, 0, 1], shape: sphere, radius: 0.5, mass: 1}\n"
         "      - {name: g, parent: f, motion: revolute, axis: [0, 0, 1], shape: sphere, radius: 0.5, mass: 1, "
         "position: "
         "[0.1, 0, 0]}\n",
         "ball-t.a ball-t.d ball-t.b ball-u.e ball-u.f ball-u.g t.a-u.e t.a-u.f t.a-u.g t.d-u.e t.d-u.f t.d-u.g "
         "t.b-u.e "
         "t.b-u.f t.b-u.g "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[2048], names[1024], others[1024] = "";
        snprintf(text, sizeof text, crowd, "true", cases[i].more, cases[i].rest);
        (void)pairs_of(text, names, sizeof names);
        assert_string_equal(names, cases[i].names);
        /* without self-collision: all pairs but those of the articulation with itself */
        for (const char *pair = names; *pair; pair += strcspn(pair, " ") + 1)
            if (strncmp(pair, "t.", 2) != 0 || strncmp(strchr(pair, '-'), "-t.", 3) != 0)
                strncat(others, pair, strcspn(pair, " ") + 1);
        snprintf(text, sizeof text, crowd, "false", cases[i].more, cases[i].rest);
        (void)pairs_of(text, names, sizeof names);
        assert_string_equal(names, others);
    }
}

/* --- URDF --- */

static const char robot[] =
    "<robot name='r'>\n"
    " <link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>\n"
    "  <visual/><collision><origin xyz='0 0 0.5' rpy='0 0.1 0'/><geometry><box size='0.1 0.2 "
    "0.3'/></geometry></collision>\n"
    "  <collision><geometry><sphere radius='0.4'/></geometry></collision></link>\n"
    " <link name='b'><inertial><origin xyz='0.1 0 0'/><mass value='1'/>"
    "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>\n"
    "  <collision><geometry><cylinder radius='0.2' length='0.7'/></geometry></collision>\n"
    "  <collision><geometry>%s</geometry></collision></link>\n"
    " <joint name='j' type='continuous'><parent link='a'/><child link='b'/><origin xyz='0 0 3'/></joint>\n"
    "</robot>\n";

static dls_status robot_status(const char *geometry, dls_meshes meshes, bool collide, dls_model **model,
                               dls_error *error)
{
    char text[4096];
    dls_scene *scene = NULL;
    *model = NULL;
    snprintf(text, sizeof text, robot, geometry);
    dls_status status = dls_scene_parse(text, strlen(text), "r.urdf", &scene, error);
    if (status == DLS_OK) {
        scene->world.collide = collide, scene->world.meshes = (int)meshes;
        status = dls_model_create(scene, model, error);
    }
    dls_scene_destroy(scene);
    return status;
}

/* A mesh collides as the hull of its points; one that is flat, or whose file is not there, is an error that names it.
 * */
static void check_hull(void)
{
    static const char name[] = "test_links_collide.obj";
    static const char *const points[] = {"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.1 0.1 0.1\n",
                                         "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 2 2 0\n", NULL};
    static const char *const messages[] = {NULL, "lie in a plane", name};
    for (int i = 0; i < 3; i++) {
        dls_model *model;
        dls_error error;
        FILE *f = points[i] ? fopen(name, "w") : NULL;
        if (f) {
            fprintf(f, "%sf 1 2 3\nf 2 3 4\nf 1 4 5\n", points[i]);
            fclose(f);
        }
        const dls_status status = robot_status("<mesh filename='test_links_collide.obj' scale='2 3 -4'/>",
                                               DLS_MESHES_HULL, true, &model, &error);
        remove(name);
        if (messages[i]) {
            assert_int_not_equal(status, DLS_OK);
            assert_true(strstr(error.file, name) || strstr(error.message, name));
            assert_true(i == 2 || strstr(error.message, messages[i]));
            continue;
        }
        assert_status(status, &error);
        assert_int_equal(dls_model_articulations(model)[0].meshes_hulled, 1);
        const dls_solid *solid = &dls_model_solids(model)[3];
        assert_true(solid->shape == DLS_SHAPE_MESH && solid->hull->n_vertices == 4 && solid->hull->n_faces == 4);
        assert_close(solid->hull->size, 4.0, 0.0);
        dls_model_destroy(model);
    }
}

TEST(test_shapes_from_urdf)
{
    dls_model *model;
    dls_error error;
    assert_status(robot_status("<capsule radius='0.1' length='0.6'/>", DLS_MESHES_REFUSE, true, &model, &error),
                  &error);
    const dls_solid *solids = dls_model_solids(model);
    assert_int_equal(dls_model_count(model).solids, 4);
    assert_int_equal(solids[0].shape, DLS_SHAPE_BOX);
    assert_true(solids[0].size.x == 0.1 && solids[0].size.y == 0.2 && solids[0].size.z == 0.3);
    assert_true(solids[0].frame.p.z == 0.5 && solids[0].offset);
    assert_close(solids[0].frame.q.y, sin(0.05), 1e-15);
    assert_int_equal(solids[1].shape, DLS_SHAPE_SPHERE);
    assert_int_equal(solids[2].shape, DLS_SHAPE_CYLINDER);
    assert_close(solids[2].frame.p.x, -0.1, 1e-15); /* from the centre of mass */
    assert_int_equal(solids[3].shape, DLS_SHAPE_CAPSULE);
    assert_true(solids[3].radius == 0.1 && solids[3].length == 0.6);
    dls_model_destroy(model);
    /* a mesh: refused by name where the scene collides, unless it is to be skipped */
    static const char mesh[] = "<mesh filename='package://robot/meshes/hull.stl'/>";
    assert_int_equal(robot_status(mesh, DLS_MESHES_REFUSE, true, &model, &error), DLS_REFUSED);
    assert_non_null(strstr(error.message, "collision mesh 'package://robot/meshes/hull.stl' of link 'b'"));
    assert_status(robot_status(mesh, DLS_MESHES_SKIP, true, &model, &error), &error);
    assert_int_equal(dls_model_count(model).solids, 3);
    assert_int_equal(dls_model_articulations(model)[0].n_shapes, 4);
    assert_int_equal(dls_model_articulations(model)[0].meshes_skipped, 1);
    dls_model_destroy(model);
    assert_status(robot_status(mesh, DLS_MESHES_REFUSE, false, &model, &error), &error);
    dls_model_destroy(model);
    check_hull();
    static const struct {
        const char *geometry, *message;
    } wrong[] = {
        {"<cone radius='1'/>", "<cone> is not read in <geometry>"},
        {"", "no box, sphere, cylinder, capsule or mesh"},
        {"<box size='1 2'/>", "fewer numbers"},
        {"<box size='1 2 -1'/>", "three positive"},
        {"<box/>", "three positive"},
        {"<sphere radius='0'/>", "must be positive"},
        {"<cylinder radius='1'/>", "missing"},
        {"<mesh/>", "missing"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(robot_status(wrong[i].geometry, DLS_MESHES_REFUSE, true, &model, &error), DLS_REFUSED);
        if (!strstr(error.message, wrong[i].message))
            fail_msg("'%s' instead of '%s'", error.message, wrong[i].message);
    }
}

/* --- what is wrong --- */

TEST(test_errors)
{
    static const struct {
        const char *rest, *message;
    } wrong[] = {
        {"apart:\n  - {body1: t.c, body2: t.e}\n", "no link 'e'"},
        {"apart:\n  - {body1: t.c, body2: world}\n", "the world has no shape"},
        {"apart:\n  - {body1: t.c, body2: t.c}\n", "does not collide with itself"},
        {"apart:\n  - {body1: t.c}\n", "it names no body; write body2"},
        {"apart:\n  - {body3: t.c}\n", "unknown key of a pair"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[2048];
        snprintf(text, sizeof text, crowd, "true", "", wrong[i].rest);
        assert_scene_refused(text, wrong[i].message);
    }
}
