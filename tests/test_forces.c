/* Forces out: wrenches of the joints of trees, sensors, rows by name. Each against an answer in closed form, or against
 * the same mechanism in another form. */
#include "articulated.h"
#include "stepping.h"
#include "world.h"

static void begin(run *r, const char *text, const char *solver)
{
    dls_simulation_options options = dls_simulation_default();
    options.solver = dls_iterative_find(solver);
    options.iterations = 2000;
    run_open(r, parse_model(text), &options);
}

static dls_joint_wrench wrench_of(run *r, size_t articulation, size_t link)
{
    dls_joint_wrench joint;
    dls_error error;
    assert_status(dls_simulation_joint_wrench(r->simulation, articulation, link, &joint, &error), &error);
    return joint;
}

static dls_spatial sensor_of(run *r, size_t k)
{
    dls_spatial wrench;
    dls_error error;
    assert_status(dls_simulation_sensor(r->simulation, k, &wrench, &error), &error);
    return wrench;
}

/* --- the pendulum --- */

/* At the angle and the speed of a step's start the pivot pulls with m (g cos + L w^2) along the rod, and across it with
 * what makes the acceleration L w' - g sin of its centre of mass; about the hinge it has no torque. */
TEST(test_a_pendulum_pulls_at_its_pivot)
{
    const double m = 2.385, L = 0.55, g = 9.81, h = 1e-3, I = m / 12.0 * (1.1 * 1.1 + 0.05 * 0.05) + m * L * L;
    run r;
    begin(&r,
          "world: {gravity: [0, 0, -9.81]}\n"
          "articulations:\n"
          "  - name: arm\n"
          "    links:\n"
          "      - {name: base, static: true, position: [0, 0, 0.3]}\n"
          "      - {name: rod, parent: base, motion: revolute, anchor: [0, 0, 0], axis: [0, -1, 0], start: 0.7,\n"
          "         shape: box, size: [0.05, 0.05, 1.1], mass: 2.385, position: [0, 0, -0.55], speed: 1.3}\n",
          "pgs");
    for (int k = 0; k < 400; k++) {
        const dls_state *state = dls_simulation_state(r.simulation);
        const double q = state->coordinates[0], w = state->v[0];
        run_steps(&r, 1, h);
        const dls_joint_wrench pivot = wrench_of(&r, 0, 1), base = wrench_of(&r, 0, 0);
        const dls_vec3 along = dls_v3(-sin(q), 0, cos(q)), across = dls_v3(cos(q), 0, sin(q));
        assert_close(dls_dot(pivot.wrench.lin, along), m * (g * cos(q) + L * w * w), 1e-11);
        assert_close(dls_dot(pivot.wrench.lin, across), m * (-L * m * g * L * sin(q) / I + g * sin(q)), 1e-11);
        assert_vector(pivot.wrench.ang, zero3, 1e-11);
        assert_vector(pivot.anchor, zero3, 1e-14);
        assert_vector(base.wrench.lin, pivot.wrench.lin, 1e-12); /* a base without mass passes it on */
    }
    run_stop(&r);
}

/* --- a tree and the same in bodies --- */

static const char two_in_bodies[] =
    "world: {gravity: [0.4, -0.7, -9.81]}\n"
    "bodies:\n"
    "  - {name: upper, shape: box, size: [0.5, 0.06, 0.1], mass: 1.3, position: [0.25, 0, 0], force: [1, -2, 3]}\n"
    "  - {name: lower, shape: box, size: [0.4, 0.05, 0.08], mass: 0.7, position: [0.5, 0, -0.2], torque: [0.3, 0.2, "
    "0]}\n"
    "joints:\n"
    "  - {name: shoulder, type: hinge, body1: upper, anchor: [0, 0, 0], axis: [0, 1, 0]}\n"
    "  - {name: elbow, type: hinge, body1: lower, body2: upper, anchor: [0.5, 0, 0], axis: [1, 0, 0.3]}\n";
static const char two_in_a_tree[] =
    "world: {gravity: [0.4, -0.7, -9.81]}\n"
    "articulations:\n"
    "  - name: arm\n"
    "    links:\n"
    "      - {name: base, static: true}\n"
    "      - {name: upper, parent: base, motion: revolute, anchor: [0, 0, 0], axis: [0, 1, 0], shape: box, size: [0.5, "
    "0.06, 0.1], mass: 1.3, position: [0.25, 0, 0], force: [1, -2, 3]}\n"
    "      - {name: lower, parent: upper, motion: revolute, anchor: [0.5, 0, 0], axis: [1, 0, 0.3], shape: box, size: "
    "[0.4, 0.05, 0.08], mass: 0.7, position: [0.5, 0, -0.2], torque: [0.3, 0.2, 0]}\n";

/* From rest there is no difference between what rows hold at velocity level and a tree: the joint's force and torque
 * are those of the rows, through the same anchor. */
TEST(test_a_tree_is_joined_as_bodies_are)
{
    run bodies, tree;
    begin(&bodies, two_in_bodies, "pgs"), begin(&tree, two_in_a_tree, "pgs");
    run_steps(&bodies, 1, 1e-3), run_steps(&tree, 1, 1e-3);
    for (size_t j = 0; j < 2; j++) {
        const dls_spatial rows = force_of(&bodies, j).end[0];
        const dls_joint_wrench joint = wrench_of(&tree, 0, j + 1);
        const dls_vec3 from_anchor = dls_sub(dls_model_initial(bodies.model)->x[j], joint.anchor);
        assert_vector(joint.wrench.lin, rows.lin, 1e-9);
        assert_vector(joint.wrench.ang, dls_force_at(rows, from_anchor).ang, 1e-9);
    }
    run_stop(&bodies), run_stop(&tree);
}

/* --- trees of all motion types, with everything that acts on them --- */

static dls_model *busy_tree(bool fixed_base)
{
    uint64_t seed = fixed_base ? 21 : 22;
    dls_scene *scene = draw_tree_scene(&seed, fixed_base);
    dls_error error;
    dls_sensor_def sensor;
    for (int k = 0; k < 12; k++) {
        dls_sensor_default(&sensor);
        snprintf(sensor.name, sizeof sensor.name, "sensor%d", k);
        snprintf(sensor.link, sizeof sensor.link, "tree.link%d", k);
        sensor.position = draw3(&seed), sensor.orientation = draw_rotation(&seed);
        assert_status(dls_scene_add_sensor(scene, &sensor, &error), &error);
    }
    return finish(scene);
}

static void open_busy(run *r, bool fixed_base)
{
    dls_simulation_options options = dls_simulation_default();
    options.solver = dls_iterative_find("pgs");
    options.iterations = 5; /* what is left to solve makes no difference */
    run_open(r, busy_tree(fixed_base), &options);
}

/* A floating root is held by nobody; and what a joint transmits along its own degrees of freedom is the effort less
 * what turns its rotor. */
TEST(test_degrees_of_freedom_transmit_their_effort)
{
    for (int fixed = 0; fixed < 2; fixed++) {
        run r;
        open_busy(&r, fixed);
        run_steps(&r, 3, 1e-4);
        const size_t offset = dls_model_articulations(r.model)[0].offset;
        const dls_articulation *tree = dls_model_articulations(r.model)[0].tree;
        const dls_state *at = dls_simulation_state(r.simulation);
        double *v0 = calloc(tree->nv, sizeof *v0);
        dls_state *before = new_state(r.model);
        memcpy(v0, at->v + offset, tree->nv * sizeof *v0);
        dls_state_copy(before, at);
        dls_configuration *start = configuration_of(r.model, before);
        run_steps(&r, 1, 1e-4);
        for (size_t k = tree->n_base; k < tree->nv; k++) {
            const size_t i = tree->dof_link[k];
            const dls_joint_wrench joint = wrench_of(&r, 0, i);
            const dls_link_work *w = &start->works[0]->links[i];
            const double vdot = (at->v[offset + k] - v0[k]) / 1e-4, tau = at->force[offset + k];
            const dls_spatial at_centre = dls_force_at(joint.wrench, dls_neg(w->d));
            assert_close(dls_spatial_dot(start->works[0]->S[k], at_centre), tau - tree->armature[k] * vdot,
                         1e-9 * (1.0 + dls_norm(joint.wrench.lin)));
        }
        if (!fixed) {
            assert_vector(wrench_of(&r, 0, 0).wrench.lin, zero3, 1e-8);
            assert_vector(wrench_of(&r, 0, 0).wrench.ang, zero3, 1e-8);
        }
        dls_configuration_destroy(start);
        dls_state_destroy(before);
        free(v0);
        run_stop(&r);
    }
}

/* A sensor of all forces shows m a and the rate of angular momentum, moved to its origin. */
TEST(test_a_sensor_of_all_forces_shows_the_motion)
{
    for (int fixed = 0; fixed < 2; fixed++) {
        run r;
        open_busy(&r, fixed);
        run_steps(&r, 3, 1e-4);
        const dls_model_articulation *articulation = &dls_model_articulations(r.model)[0];
        const dls_articulation *tree = articulation->tree;
        dls_state *before = new_state(r.model);
        dls_state_copy(before, dls_simulation_state(r.simulation));
        dls_configuration *start = configuration_of(r.model, before);
        dls_articulation_work *work = start->works[0];
        run_steps(&r, 1, 1e-4);
        double *vdot = calloc(2 * tree->nv, sizeof *vdot), scale = 0.0;
        for (size_t k = 0; k < tree->nv; k++)
            vdot[k] = (dls_simulation_state(r.simulation)->v[articulation->offset + k] -
                       before->v[articulation->offset + k]) /
                      1e-4;
        dls_articulation_inverse(work, vdot, NULL, zero3, vdot + tree->nv);
        for (size_t k = 0; k < 12; k++) {
            const dls_sensor *sensor = &dls_model_sensors(r.model)[k];
            const size_t i = sensor->end - articulation->first_end;
            const dls_end end = dls_configuration_end(start, sensor->end);
            const dls_spatial a = work->links[i].a;
            const dls_mat3 I = dls_rotate_tensor(end.R, tree->defs[i].inertia);
            const dls_vec3 spin = dls_mul3(I, end.omega);
            const dls_spatial rate = {dls_scale(tree->links[i].mass, a.lin),
                                      dls_add(dls_mul3(I, a.ang), dls_cross(end.omega, spin))};
            const dls_spatial there = dls_force_at(rate, dls_neg(dls_end_arm(&end, &sensor->frame)));
            const dls_mat3 R = dls_quat_matrix(dls_end_rotation(&end, &sensor->frame));
            const dls_spatial found = sensor_of(&r, k);
            scale = fmax(scale, dls_norm(there.lin) + dls_norm(there.ang));
            assert_vector(dls_mul3(R, found.lin), there.lin, 1e-9 * (1.0 + scale));
            assert_vector(dls_mul3(R, found.ang), there.ang, 1e-9 * (1.0 + scale));
        }
        free(vdot);
        dls_configuration_destroy(start);
        dls_state_destroy(before);
        run_stop(&r);
    }
}

/* All that rows do to their ends, the weight and what holds a fixed root, make the change of momentum of everything. */
TEST(test_forces_sum_to_the_change_of_momentum)
{
    for (int fixed = 0; fixed < 2; fixed++) {
        run r;
        dls_spatial sum = {{0, 0, 0}, {0, 0, 0}};
        open_busy(&r, fixed);
        run_steps(&r, 3, 1e-4);
        const dls_model_articulation *articulation = &dls_model_articulations(r.model)[0];
        dls_state *before = new_state(r.model);
        dls_state_copy(before, dls_simulation_state(r.simulation));
        dls_configuration *start = configuration_of(r.model, before);
        run_steps(&r, 1, 1e-4);
        /* The rate of momentum at the start of the step, by the step's accelerations. */
        double *vdot = calloc(2 * articulation->tree->nv, sizeof *vdot);
        for (size_t k = 0; k < articulation->tree->nv; k++)
            vdot[k] = (dls_simulation_state(r.simulation)->v[articulation->offset + k] -
                       before->v[articulation->offset + k]) /
                      1e-4;
        dls_articulation_inverse(start->works[0], vdot, NULL, zero3, vdot + articulation->tree->nv);
        for (size_t i = 0; i < articulation->tree->n_links; i++)
            sum.lin = dls_sub(sum.lin, dls_scale(articulation->tree->links[i].mass, start->works[0]->links[i].a.lin));
        const double *v = dls_simulation_state(r.simulation)->v;
        for (int k = 0; k < 3; k++) {
            const double a = 0.7 * (v[k] - before->v[k]) / 1e-4;
            sum.lin = dls_sub(sum.lin, dls_scale(a, dls_axis3(k)));
        }
        const size_t joints = dls_model_count(r.model).joints;
        for (size_t j = 0; j < joints; j++)
            for (int i = 0; i < 2; i++)
                if (dls_model_joints(r.model)[j].body[i] != DLS_WORLD)
                    sum.lin = dls_add(sum.lin, force_of(&r, j).end[i].lin);
        sum.lin = dls_add(sum.lin, dls_scale(articulation->tree->mass + 0.7, dls_model_world(r.model)->gravity));
        sum.lin = dls_add(sum.lin, dls_v3(1, 2, -3)); /* the applied force */
        sum.lin = dls_add(sum.lin, wrench_of(&r, 0, 0).wrench.lin);
        assert_vector(sum.lin, zero3, 1e-7);
        free(vdot);
        dls_configuration_destroy(start);
        dls_state_destroy(before);
        run_stop(&r);
    }
}

/* --- statics --- */

/* A bracket of two fixed links holds a box on its end by a ball joint and hangs in equilibrium: weights alone. */
static const char bracket[] =
    "world: {gravity: [0, 0, -10]}\n"
    "bodies:\n"
    "  - {name: lamp, shape: sphere, radius: 0.1, mass: 3, position: [0.8, 0, -0.2]}\n"
    "articulations:\n"
    "  - name: bracket\n"
    "    links:\n"
    "      - {name: wall, static: true, mass: 5, shape: box, size: [0.1, 0.1, 0.1]}\n"
    "      - {name: beam, parent: wall, motion: fix, shape: box, size: [0.8, 0.1, 0.1], mass: 2, position: [0.4, 0, "
    "0]}\n"
    "      - {name: arm, parent: wall, motion: revolute, axis: [0, 1, 0], anchor: [0, 0, 0], effort: -6, shape: box, "
    "size: [0.4, 0.1, 0.1], mass: 3, position: [0.2, 0, 0]}\n"
    "joints:\n"
    "  - {name: hook, type: ball, body1: lamp, body2: bracket.beam, anchor: [0.8, 0, 0]}\n"
    "sensors:\n"
    "  - {name: end, link: bracket.beam, position: [0.4, 0, 0], orientation: [0, 0, 0, 1], gravity: false, tree: "
    "false}\n"
    "  - {name: bare, link: bracket.beam, gravity: false, constraints: false, axes: world}\n"
    "  - {name: weight, link: bracket.beam, position: [0.1, 0, 0], constraints: false, tree: false, axes: world}\n"
    "  - {name: lamp, link: lamp, gravity: false}\n";

TEST(test_statics)
{
    run r;
    begin(&r, bracket, "pgs");
    for (int k = 0; k < 50; k++) {
        run_steps(&r, 1, 1e-3);
        const dls_joint_wrench wall = wrench_of(&r, 0, 0), arm = wrench_of(&r, 0, 2), beam = wrench_of(&r, 0, 1);
        assert_vector(wall.wrench.lin, dls_v3(0, 0, 130), 1e-9); /* 5 + 2 + 3 + 3 kg */
        assert_vector(beam.wrench.lin, dls_v3(0, 0, 50), 1e-9);
        assert_vector(dls_force_at(beam.wrench, beam.anchor).ang, dls_v3(0, -32, 0), 1e-9); /* 20 * 0.4 + 30 * 0.8 */
        assert_vector(arm.wrench.lin, dls_v3(0, 0, 30), 1e-9);
        assert_vector(arm.wrench.ang, dls_v3(0, -6, 0), 1e-9); /* its motor: 30 * 0.2 */
        assert_vector(sensor_of(&r, 0).lin, dls_v3(0, 0, -30), 1e-9);
        assert_vector(sensor_of(&r, 0).ang, zero3, 1e-9);
        assert_vector(sensor_of(&r, 1).lin, dls_v3(0, 0, 50), 1e-9);
        assert_vector(sensor_of(&r, 1).ang, dls_v3(0, -32 + 50 * 0.4, 0), 1e-9);
        assert_vector(sensor_of(&r, 2).lin, dls_v3(0, 0, -20), 1e-12);
        assert_vector(sensor_of(&r, 2).ang, dls_v3(0, -2, 0), 1e-12);
        assert_vector(sensor_of(&r, 3).lin, dls_v3(0, 0, 30), 1e-9);
    }
    run_stop(&r);
}

/* A drive on the coordinate of a tree's joint is an effort of that joint: with its force as `effort` in its place every
 * sensor shows the same, with constraints and without. Rows whose end is the link are the difference of the two. */
TEST(test_drives_belong_to_the_tree)
{
    static const char text[] =
        "articulations:\n"
        "  - name: t\n"
        "    links:\n"
        "      - {name: wall, static: true}\n"
        "      - {name: arm, parent: wall, motion: revolute, axis: [0, 1, 0], anchor: [0, 0, 0], shape: box, size: "
        "[0.4, "
        "0.1, 0.1], mass: 3, position: [0.2, 0, 0]%s}\n"
        "      - {name: fore, parent: arm, motion: revolute, axis: [0, 1, 0.2], anchor: [0.4, 0, 0], shape: box, size: "
        "[0.3, 0.1, 0.1], mass: 2, position: [0.55, 0, 0]%s}\n"
        "bodies:\n"
        "  - {name: lamp, shape: sphere, radius: 0.05, mass: 0.5, position: [0.7, 0, -0.2]}\n"
        "joints:\n"
        "  - {name: hook, type: distance, body1: lamp, body2: t.fore, anchor1: [0.7, 0, -0.2], anchor2: [0.7, 0, 0]}\n"
        "%s"
        "sensors:\n"
        "  - {name: bare, link: t.arm, constraints: false, axes: world}\n"
        "  - {name: all, link: t.arm, axes: world}\n"
        "  - {name: tip bare, link: t.fore, constraints: false, axes: world}\n"
        "  - {name: tip, link: t.fore, axes: world}\n";
    dls_spatial seen[2][4];
    run r;
    for (int way = 0; way < 2; way++) {
        char of[3000];
        snprintf(of, sizeof of, text, way ? ", effort: -6" : "", way ? ", effort: 2.5" : "",
                 way ? ""
                     : "  - {name: one, type: drive, coordinates: {t.arm: 1}, stiffness: 9, damping: 1, target: "
                       "-90, force: 6}\n" /* both at their bounds: constant forces */
                       "  - {name: two, type: drive, coordinates: {t.fore: 1}, stiffness: 9, damping: 1, target: 90, "
                       "force: 2.5}\n");
        begin(&r, of, "pgs");
        run_steps(&r, 5, 1e-3);
        for (size_t k = 0; k < 4; k++)
            seen[way][k] = sensor_of(&r, k);
        if (way == 1) {
            const dls_spatial hook = force_of(&r, dls_model_find_joint(r.model, "hook")).end[1];
            assert_vector(dls_sub(seen[1][3].lin, seen[1][2].lin), hook.lin, 1e-9);
            assert_true(dls_norm(hook.lin) > 1.0);
        }
        run_stop(&r);
    }
    for (size_t k = 0; k < 4; k++) {
        assert_vector(seen[0][k].lin, seen[1][k].lin, 1e-8);
        assert_vector(seen[0][k].ang, seen[1][k].ang, 1e-8);
    }
    assert_vector(seen[0][0].lin, seen[0][1].lin, 0.0); /* no row has the arm as an end */
}

/* --- rows --- */

/* A box at rest under a push that its friction bears, and one that slides: which bound each row is at. */
TEST(test_rows_by_name)
{
    static const char world[] =
        "world: {gravity: [0, 0, -10], friction: %s, mu: 0.5, contact_margin: 0.01}\n"
        "bodies:\n"
        "  - {name: rests, shape: box, size: [1, 1, 0.2], mass: 2, force: [6, 0, 0]}\n"
        "  - {name: slides, shape: box, size: [1, 1, 0.2], mass: 2, position: [5, 0, 0], force: [14, 0, 0]}\n"
        "joints:\n"
        "  - {name: a, type: contact, body1: rests, point: [0, 0, 0], normal: [0, 0, 1], mu: 0.5, friction: %s}\n"
        "  - {name: b, type: contact, body1: slides, point: [5, 0, 0], normal: [0, 0, 1], mu: 0.5, friction: %s}\n";
    static const char *const laws[] = {"box", "cone"};
    for (int law = 0; law < 2; law++) {
        char text[2000], names[2048] = "";
        run r;
        snprintf(text, sizeof text, world, laws[law], laws[law], laws[law]);
        begin(&r, text, law ? "nsgs" : "pgs");
        run_steps(&r, 3, 1e-3);
        for (size_t i = 0; i < dls_simulation_rows(r.simulation)->n; i++) {
            dls_row_force row;
            dls_error error;
            char owner[64];
            assert_status(dls_simulation_row(r.simulation, i, &row, &error), &error);
            dls_simulation_owner_name(r.simulation, row.owner, owner, sizeof owner);
            const size_t used = strlen(names);
            snprintf(names + used, sizeof names - used, "%s.%s %s;", owner, row.label,
                     dls_row_status_names[row.status]);
            assert_close(row.force, row.impulse / 1e-3, 1e-12 * fabs(row.force));
        }
        print_message("# %s: %s\n", laws[law], names);
        assert_non_null(strstr(names, "a.normal between;"));
        assert_non_null(strstr(names, "b.normal between;"));
        assert_non_null(strstr(names, "a.friction 1 between;"));
        assert_non_null(strstr(strstr(names, "b."), law ? " cone;" : " lower;"));
        run_stop(&r);
    }
}

/* --- what is wrong --- */

TEST(test_errors)
{
    static const struct {
        const char *sensor, *message;
    } wrong[] = {
        {"{name: s, link: bracket.bean}", "no link 'bean'; did you mean 'beam'"},
        {"{name: s, link: world}", "not to the world"},
        {"{name: s, link: lamp, orientation: [1, 1, 0, 0]}", "norm"},
        {"{name: s, link: lamp, weight: true}", "unknown key of a sensor"},
        {"{link: lamp}", "needs a name"},
        {"{name: end, link: lamp}", "duplicate name 'end'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[4096];
        snprintf(text, sizeof text, "%s  - %s\n", bracket, wrong[i].sensor);
        assert_scene_refused(text, wrong[i].message);
    }
    run r;
    dls_joint_wrench joint;
    dls_row_force row;
    dls_spatial wrench;
    dls_error error;
    begin(&r, bracket, "pgs");
    assert_int_equal(dls_simulation_joint_wrench(r.simulation, 0, 0, &joint, &error), DLS_BAD_ARGUMENT);
    assert_int_equal(dls_simulation_sensor(r.simulation, 0, &wrench, &error), DLS_BAD_ARGUMENT);
    assert_int_equal(dls_simulation_row(r.simulation, 0, &row, &error), DLS_BAD_ARGUMENT);
    run_steps(&r, 1, 1e-3);
    assert_int_equal(dls_simulation_joint_wrench(r.simulation, 1, 0, &joint, &error), DLS_BAD_ARGUMENT);
    assert_int_equal(dls_simulation_joint_wrench(r.simulation, 0, 3, &joint, &error), DLS_BAD_ARGUMENT);
    assert_int_equal(dls_simulation_sensor(r.simulation, 4, &wrench, &error), DLS_BAD_ARGUMENT);
    assert_int_equal(dls_simulation_row(r.simulation, 99, &row, &error), DLS_BAD_ARGUMENT);
    run_stop(&r);
}

/* --- the cache of a step --- */

/* A tree that a ball closes, with a coupling, beside a body on another one: two articulations, and sensors on both. */
TEST(test_the_cache_of_a_step)
{
    static const char text[] =
        TWO_TREES "joints:\n"
                  "  - {name: tie, type: ball, body1: arm.hand, body2: stone, anchor: [0.8, 0.3, 0.4]}\n"
                  "  - {name: couple, type: mimic, coordinates: {bird.left: 1, bird.right: -0.7}, erp: 0}\n"
                  "  - {name: hang, type: ball, body1: bird.left, body2: arm.fore, anchor: [-0.4, 0.5, 0.7]}\n"
                  "sensors:\n"
                  "  - {name: one, link: stone}\n"
                  "  - {name: two, link: bird.tail}\n"
                  "  - {name: three, link: arm.hand}\n";
    const double h = 1e-5;
    const unsigned all = DLS_CACHE_ALL | DLS_CACHE_STEP;
    run r;
    dls_error error;
    begin(&r, text, "pgs");
    size_t seen[8] = {0};
    for (size_t a = 0; a < 2; a++) {
        const dls_model_articulation *articulation = &dls_model_articulations(r.model)[a];
        dls_articulation_cache *before, *after;
        assert_status(dls_articulation_cache_create(articulation->tree, &before, &error), &error);
        assert_status(dls_articulation_cache_create(articulation->tree, &after, &error), &error);
        if (a == 0)
            assert_int_equal(dls_simulation_cache(r.simulation, a, before, all, &error), DLS_BAD_ARGUMENT);
        assert_status(dls_simulation_cache(r.simulation, a, before, DLS_CACHE_LINK_VELOCITY, &error), &error);
        run_steps(&r, 1, h);
        assert_status(dls_simulation_cache(r.simulation, a, after, all, &error), &error);
        /* velocities of links before and after differ by their acceleration, to what h changes in that */
        for (size_t i = 0; i < after->n_links; i++) {
            const dls_spatial change = dls_spatial_sub(after->link_velocity[i], before->link_velocity[i]);
            const dls_spatial rate = {dls_scale(1.0 / h, change.lin), dls_scale(1.0 / h, change.ang)};
            const double size = 1.0 + dls_norm(rate.lin) + dls_norm(rate.ang);
            assert_close(dls_norm(dls_sub(rate.lin, after->link_acceleration[i].lin)), 0.0, 1e-3 * size);
            assert_close(dls_norm(dls_sub(rate.ang, after->link_acceleration[i].ang)), 0.0, 1e-3 * size);
        }
        const dls_problem *p = dls_simulation_problem(r.simulation);
        const double *lambda = dls_simulation_impulses(r.simulation);
        double *sum = calloc(2 * p->nv + 1, sizeof *sum);
        assert_non_null(sum);
        double *column = sum + p->nv;
        for (size_t i = 0; i < p->n; i++)
            dls_rows_axpy(&p->J, i, lambda[i] / h, sum);
        for (size_t k = 0; k < after->nv; k++)
            assert_close(after->solver_force[k], sum[articulation->offset + k],
                         1e-9 * (1.0 + fabs(sum[articulation->offset + k])));
        for (size_t i = 0; i < after->n_rows; i++) {
            memset(column, 0, p->nv * sizeof *column);
            dls_rows_axpy(&p->J, after->row_index[i], 1.0, column);
            assert_memory_equal(after->coefficients + after->nv * i, column + articulation->offset,
                                after->nv * sizeof *column);
            assert_close(after->lambda[i], lambda[after->row_index[i]] / h, 0.0);
            seen[after->row_index[i]]++;
        }
        assert_int_equal(after->n_sensors, 1);
        assert_int_equal(after->sensor_index[0], a == 0 ? 2 : 1);
        const dls_spatial wrench = sensor_of(&r, after->sensor_index[0]);
        assert_memory_equal(&after->sensors[0], &wrench, sizeof wrench);
        assert_int_equal(dls_simulation_cache(r.simulation, 2, after, all, &error), DLS_BAD_ARGUMENT);
        dls_state *state = dls_simulation_edit(r.simulation); /* twice as fast, to the bit */
        for (size_t k = 0; k < after->nv; k++)
            state->v[articulation->offset + k] *= 2.0;
        assert_status(dls_simulation_cache(r.simulation, a, before, DLS_CACHE_LINK_VELOCITY, &error), &error);
        for (size_t i = 0; i < after->n_links; i++) {
            assert_close(before->link_velocity[i].lin.x, 2.0 * after->link_velocity[i].lin.x, 0.0);
            assert_close(before->link_velocity[i].ang.z, 2.0 * after->link_velocity[i].ang.z, 0.0);
        }
        free(sum);
        dls_articulation_cache_destroy(before), dls_articulation_cache_destroy(after);
    }
    for (size_t i = 0; i < 7; i++) /* tie is of the arm, couple of the bird, hang of both */
        assert_int_equal(seen[i], i < 4 ? 1 : 2);
    assert_int_equal(seen[7], 0);
    run_stop(&r);
}
