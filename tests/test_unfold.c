/* Articulations as bodies and joints between them: the same mass, momentum and energy, and the same accelerations as in
 * reduced coordinates; and what bodies cannot have is refused by its name. */
#include "articulated.h"
#include "gripper.h"
#include "world.h"

#include "delassus/reference.h"
#include "delassus/unfold.h"

typedef struct pair {
    dls_scene *scene;
    dls_model *model, *bodies;
    dls_state *state, *to;
} pair;

/* Takes the scene. */
static pair unfold_scene(dls_scene *scene)
{
    dls_scene *unfolded;
    dls_error error;
    pair p = {.scene = scene};
    assert_status(dls_model_create(scene, &p.model, &error), &error);
    assert_status(dls_scene_unfold(scene, 0, &unfolded, &error), &error);
    p.bodies = finish(unfolded);
    p.state = new_state(p.model), p.to = new_state(p.bodies);
    return p;
}

static void close_pair(pair *p)
{
    dls_state_destroy(p->state);
    dls_state_destroy(p->to);
    dls_model_destroy(p->model);
    dls_model_destroy(p->bodies);
    dls_scene_destroy(p->scene);
}

static void assert_unfolds(pair *p)
{
    dls_error error;
    assert_status(dls_state_unfold(p->model, p->state, p->bodies, p->to, &error), &error);
}

/* A tree of all motion types, without what bodies cannot have. */
static dls_scene *draw_plain_scene(uint64_t *seed, bool fixed_base)
{
    dls_scene *scene = draw_tree_scene(seed, fixed_base);
    dls_articulation_def *def = scene->articulations[0];
    for (size_t i = 0; i < def->n_links; i++) {
        memset(def->links[i].armature, 0, sizeof def->links[i].armature);
        if (def->links[i].motion->n_dofs != 1)
            memset(def->links[i].effort, 0, sizeof def->links[i].effort);
    }
    return scene;
}

/* The greatest |C| and |J v| of the joints of the tree. */
static double joints_apart(const pair *p)
{
    dls_configuration *at = configuration_of(p->bodies, p->to);
    dls_row rows[DLS_JOINT_ROWS_MAX];
    dls_end end[2];
    double most = 0.0;
    for (size_t j = 0; j < dls_model_count(p->bodies).joints; j++) {
        const dls_joint *joint = &dls_model_joints(p->bodies)[j];
        if (joint->n_terms || dls_model_find_joint(p->model, joint->name) != DLS_NONE)
            continue;
        dls_configuration_ends(at, joint, end);
        for (size_t i = dls_rows_of_joint(at, joint, 1.0, rows); i-- > 0;) {
            double rate = 0.0;
            for (int k = 0; k < 2; k++) {
                const double *J = k ? rows[i].J2 : rows[i].J1;
                rate += dls_dot(dls_v3(J[0], J[1], J[2]), end[k].v) + dls_dot(dls_v3(J[3], J[4], J[5]), end[k].omega);
            }
            most = fmax(most, fmax(fabs(rows[i].C), fabs(rate)));
        }
    }
    dls_configuration_destroy(at);
    return most;
}

static double mass_of(const dls_model *model)
{
    double mass = 0.0;
    for (size_t i = 0; i < dls_model_count(model).bodies; i++)
        mass += dls_model_bodies(model)[i].mass;
    for (size_t a = 0; a < dls_model_count(model).articulations; a++) {
        const dls_articulation *tree = dls_model_articulations(model)[a].tree;
        for (size_t i = 0; i < tree->n_links; i++)
            mass += dls_articulation_last_dof(tree, i) == DLS_NONE ? 0.0 : tree->links[i].mass;
    }
    return mass;
}

static void assert_same_measures(const pair *p)
{
    dls_configuration *a = configuration_of(p->model, p->state), *b = configuration_of(p->bodies, p->to);
    dls_vec3 linear[2], angular[2];
    const double kinetic = dls_kinetic_energy(a);
    dls_momentum(a, &linear[0], &angular[0]);
    dls_momentum(b, &linear[1], &angular[1]);
    assert_close(mass_of(p->bodies), mass_of(p->model), 1e-14 * mass_of(p->model));
    assert_close(dls_kinetic_energy(b), kinetic, 1e-13 * (1.0 + kinetic));
    assert_vector(linear[1], linear[0], 1e-12 * (1.0 + kinetic));
    assert_vector(angular[1], angular[0], 1e-12 * (1.0 + kinetic));
    dls_configuration_destroy(a);
    dls_configuration_destroy(b);
}

/* Potential energies under three gravities are the three components of mass times centre of mass. */
static dls_vec3 moment_of(const dls_model *model, const dls_state *state)
{
    dls_configuration *at = configuration_of(model, state);
    dls_vec3 sum = zero3;
    for (size_t i = 0; i < dls_model_count(model).ends; i++) {
        size_t link;
        const dls_model_articulation *of = dls_model_articulation_of(model, i, &link);
        const double mass = of ? of->tree->links[link].mass : dls_model_bodies(model)[i].mass;
        if (dls_model_moves(model, i))
            sum = dls_add(sum, dls_scale(mass, dls_configuration_end(at, i).x));
    }
    dls_configuration_destroy(at);
    return sum;
}

TEST(test_an_unfolded_state_has_the_same_measures)
{
    uint64_t seed = 3;
    for (int trial = 0; trial < 6; trial++) {
        pair p = unfold_scene(draw_plain_scene(&seed, trial % 2 == 0));
        for (int k = 0; k < 5; k++) {
            assert_unfolds(&p);
            assert_same_measures(&p);
            assert_vector(moment_of(p.bodies, p.to), moment_of(p.model, p.state), 1e-12);
            assert_below(joints_apart(&p), 1e-12);
            if (k == 0) {
                const dls_state *initial = dls_model_initial(p.bodies);
                for (size_t i = 0; i < initial->n_bodies; i++) {
                    assert_vector(p.to->x[i], initial->x[i], 0.0);
                    assert_true(dls_quat_mul(p.to->q[i], dls_quat_conj(initial->q[i])).w > 1.0 - 1e-15);
                }
                for (size_t i = 0; i < initial->nv; i++)
                    assert_close(p.to->v[i], initial->v[i], 0.0);
                for (size_t j = 0; j < initial->n_joints; j++)
                    assert_close(p.to->measured[j], initial->measured[j], 1e-13);
            }
            stir(p.model, p.state, 1.5, &seed);
        }
        close_pair(&p);
    }
}

/* --- accelerations --- */

/* Generalised forces of the explicit drives, J^T f. */
static void add_efforts(const dls_model *model, const dls_state *state, double *tau)
{
    dls_configuration *at = configuration_of(model, state);
    dls_row_list *list;
    dls_error error;
    assert_status(dls_configuration_factor(at, &error), &error);
    assert_status(dls_row_list_create(&list, &error), &error);
    assert_status(dls_row_list_fill(list, at, NULL, 1.0, &error), &error);
    for (size_t i = 0; i < list->n; i++)
        if (list->row[i].lo == list->row[i].hi)
            dls_rows_axpy(&list->J, i, list->row[i].lo, tau);
    dls_row_list_destroy(list);
    dls_configuration_destroy(at);
}

/* Accelerations under all joints of the scene, by the dense equations with multipliers. The caller frees them. */
static double *accelerations_of(const dls_model *model, const dls_state *state)
{
    dls_loops *loops;
    dls_error error;
    assert_status(dls_loops_create(model, &loops, &error), &error);
    assert_status(dls_loops_add_all(loops, NULL, &error), &error);
    assert_status(dls_loops_prepare(loops, state, NULL, &error), &error);
    const size_t nv = loops->nv;
    double *vdot = calloc(2 * nv + loops->n + 1, sizeof *vdot);
    assert_non_null(vdot);
    for (size_t a = 0; a < dls_model_count(model).articulations; a++) {
        const dls_model_articulation *of = &dls_model_articulations(model)[a];
        const dls_articulation_load load = dls_state_load(model, state, a);
        for (size_t k = of->tree->n_base; k < of->tree->nv; k++)
            vdot[nv + of->offset + k] = load.tau[k];
    }
    add_efforts(model, state, vdot + nv);
    assert_status(dls_loops_motion(loops, vdot + nv, vdot, vdot + 2 * nv, &error), &error);
    dls_loops_destroy(loops);
    return vdot;
}

/* The acceleration of a link, from those of the joints: the rate of its velocity, and J vdot. */
static dls_spatial link_acceleration(const pair *p, size_t a, size_t link, const double *vdot)
{
    dls_configuration *at = configuration_of(p->model, p->state);
    const dls_model_articulation *of = &dls_model_articulations(p->model)[a];
    double *tau = calloc(of->tree->nv + 1, sizeof *tau);
    assert_non_null(tau);
    dls_articulation_inverse(at->works[a], vdot + of->offset, NULL, zero3, tau);
    const dls_spatial acceleration = dls_articulation_acceleration(at->works[a], link, zero3);
    free(tau);
    dls_configuration_destroy(at);
    return acceleration;
}

static void assert_same_accelerations(pair *p)
{
    assert_unfolds(p);
    double *reduced = accelerations_of(p->model, p->state), *maximal = accelerations_of(p->bodies, p->to);
    dls_configuration *at = configuration_of(p->model, p->state);
    const double size = 1.0 + largest(maximal, dls_model_count(p->bodies).nv);
    for (size_t i = 0; i < dls_model_count(p->bodies).bodies; i++) {
        const dls_body *body = &dls_model_bodies(p->bodies)[i];
        const size_t end = dls_model_find_end(p->model, body->name);
        size_t link;
        if (body->offset == DLS_NONE)
            continue;
        const dls_model_articulation *of = dls_model_articulation_of(p->model, end, &link);
        dls_spatial a = of ? link_acceleration(p, (size_t)(of - dls_model_articulations(p->model)), link, reduced)
                           : dls_spatial_from(reduced + dls_model_bodies(p->model)[end].offset);
        const dls_spatial b = dls_spatial_from(maximal + body->offset);
        /* the centre of mass of links that are one body is not that of the link: a + alpha x r + omega x (omega x r) */
        const dls_end e = dls_configuration_end(at, end);
        const dls_vec3 r = dls_sub(p->to->x[i], e.x);
        a.lin = dls_add(a.lin, dls_add(dls_cross(a.ang, r), dls_cross(e.omega, dls_cross(e.omega, r))));
        assert_vector(b.lin, a.lin, 1e-10 * size);
        assert_vector(b.ang, a.ang, 1e-10 * size);
    }
    dls_configuration_destroy(at);
    free(reduced);
    free(maximal);
}

/* With efforts, constant forces, a loop and a body on a link. */
TEST(test_an_unfolded_state_has_the_same_accelerations)
{
    uint64_t seed = 11;
    for (int trial = 0; trial < 6; trial++) {
        pair p = unfold_scene(draw_plain_scene(&seed, trial % 2 == 0));
        for (int k = 0; k < 3; k++) {
            assert_same_accelerations(&p);
            stir(p.model, p.state, 0.7, &seed);
        }
        close_pair(&p);
    }
}

/* --- coordinates --- */

/* Hinges and sliders begin with the coordinates of the tree, whole turns included, and follow them. */
TEST(test_coordinates_are_those_of_the_tree)
{
    static const char text[] =
        "world: {gravity: [0, 0, 0]}\n"
        "articulations:\n  - name: t\n    links:\n      - {name: root, static: true}\n"
        "      - {name: A, parent: root, motion: revolute-unwrapped, axis: [0.3, 1, 0.2], shape: sphere, radius: 0.1, "
        "mass: 1, anchor: [0.2, 0, 0], q: 0.4, start: 9, speed: 0.6}\n"
        "      - {name: B, parent: A, joint: rail, motion: prismatic, axis: [1, 0, 0.5], shape: sphere, radius: 0.1, "
        "mass: 1, q: 0.1, start: -0.7, speed: 0.3}\n"
        "joints:\n"
        "  - {name: stop, type: limit, coordinates: {t.A: 1, t.rail: 2}, lower: -50}\n"
        "  - {name: pull, type: drive, coordinates: {t.rail: -1}, stiffness: 3}\n";
    pair p = unfold_scene(parse_scene(text));
    uint64_t seed = 5;
    for (int k = 0; k < 5; k++) {
        assert_unfolds(&p);
        for (size_t j = 0; j < dls_model_count(p.model).joints; j++) {
            const dls_joint *own = &dls_model_joints(p.model)[j];
            const size_t at = dls_model_find_joint(p.bodies, own->name);
            assert_close(dls_state_coordinates(p.to, &dls_model_joints(p.bodies)[at]),
                         dls_state_coordinates(p.state, own), 1e-13);
        }
        dls_configuration *c = configuration_of(p.bodies, p.to);
        dls_configuration_measure(c, p.to, 0.0);
        const size_t turn = dls_model_find_joint(p.bodies, "t.A"), rail = dls_model_find_joint(p.bodies, "t.rail");
        assert_close(p.to->measured[turn], p.state->coordinates[0], 1e-13);
        assert_close(p.to->measured[rail], p.state->coordinates[1], 1e-13);
        assert_close(dls_configuration_rate(c, &dls_model_joints(p.bodies)[turn]), p.state->v[0], 1e-13);
        assert_close(dls_configuration_rate(c, &dls_model_joints(p.bodies)[rail]), p.state->v[1], 1e-13);
        dls_configuration_destroy(c);
        stir(p.model, p.state, 2.0, &seed);
    }
    close_pair(&p);
}

/* A frame without mass is no body, nor is a point mass or an inertia alone: they belong to the link they are fixed to,
 * and joints on them act there. */
TEST(test_massless_frames_belong_to_a_body)
{
    static const char text[] =
        "articulations:\n  - name: t\n    links:\n      - {name: base}\n"
        "      - {name: trunk, parent: base, shape: box, size: [0.3, 0.2, 0.1], mass: 2, position: [0.1, 0, 0]}\n"
        "      - {name: mount, parent: trunk, position: [0.3, 0, 0]}\n"
        "      - {name: hub, parent: mount, motion: revolute, anchor: [0.3, 0, 0], axis: [0, 1, 0], position: [0.3, 0, "
        "0]}\n"
        "      - {name: arm, parent: hub, shape: sphere, radius: 0.1, mass: 1, position: [0.6, 0, 0.1]}\n"
        "      - {name: tip, parent: arm, position: [0.9, 0, 0.1]}\n"
        "      - {name: fixed, parent: arm, shape: sphere, radius: 0.1, mass: 0.2, position: [0.9, 0, 0.2]}\n"
        "      - {name: bob, parent: arm, mass: 0.4, inertia: [0, 0, 0], position: [0.5, 0.3, 0.1], orientation: [0.8, "
        "0.6, 0, 0]}\n"
        "      - {name: plate, parent: trunk, mass: 0.1, inertia: [0.2, 0.2, 0], inertia_off: [0.2, 0, 0], position: "
        "[0.1, -0.2, 0], orientation: [0.6, 0, 0.8, 0]}\n"
        "      - {name: lamp, parent: hub, motion: revolute, anchor: [0.3, 0, 0], axis: [1, 0, 0], mass: 0.3, inertia: "
        "[0, 0, 0], position: [0.3, 0.4, 0]}\n"
        "      - {name: shade, parent: lamp, shape: sphere, radius: 0.1, mass: 0.1, position: [0.3, 0.6, 0]}\n"
        "joints:\n  - {name: hold, type: ball, body1: t.tip, anchor: [0.9, 0, 0.1]}\n";
    pair p = unfold_scene(parse_scene(text));
    uint64_t seed = 29;
    assert_int_equal(dls_model_count(p.bodies).bodies, 4);
    assert_int_equal(dls_model_count(p.bodies).joints, 4);
    for (int k = 0; k < 3; k++) {
        assert_unfolds(&p);
        assert_same_measures(&p);
        assert_below(joints_apart(&p), 1e-13);
        assert_same_accelerations(&p);
        stir(p.model, p.state, 0.5, &seed);
    }
    close_pair(&p);
}

/* The key of the world does the same. */
TEST(test_the_world_chooses_the_coordinates)
{
    uint64_t seed = 31;
    dls_scene *scene = draw_plain_scene(&seed, true);
    pair p;
    dls_error error;
    dls_model *chosen;
    p = unfold_scene(scene);
    assert_status(dls_scene_set(p.scene, "world.coordinates", "maximal", &error), &error);
    assert_status(dls_model_create(p.scene, &chosen, &error), &error);
    assert_int_equal(dls_model_count(chosen).articulations, 0);
    assert_int_equal(dls_state_size(dls_model_initial(chosen)), dls_state_size(dls_model_initial(p.bodies)));
    for (size_t k = 0; k < dls_model_count(chosen).nv; k++)
        assert_close(dls_model_initial(chosen)->v[k], dls_model_initial(p.bodies)->v[k], 0.0);
    dls_model_destroy(chosen);
    close_pair(&p);
}

/* --- a gripper at rest --- */

TEST(test_a_gripper_rests_on_the_limit_of_its_loop)
{
    static const char *const texts[] = {GRIPPER("step: 2 ms, coordinates: reduced"),
                                        GRIPPER("step: 2 ms, coordinates: maximal")};
    for (size_t k = 0; k < 2; k++) {
        run r;
        run_start(&r, parse_model(texts[k]), dls_direct_find("block-pivoting"), NULL, 1);
        run_steps(&r, 1500, 2e-3);
        const size_t close = dls_model_find_joint(r.model, "close"), stop = dls_model_find_joint(r.model, "stop");
        const dls_state *state = dls_simulation_state(r.simulation);
        assert_close(state->measured[close], -0.4, 1e-8);
        assert_close(force_of(&r, stop).along_sum, 1.3 + 9.81 * 0.2 * sin(0.4) * (0.3 + 0.5), 1e-6);
        for (size_t i = 0; i < dls_model_count(r.model).nv; i++)
            assert_close(state->v[i], 0.0, 1e-8);
        run_stop(&r);
    }
}

/* --- what bodies cannot have --- */

#define ARM(world, more)                                                                                    \
    "world: {" world "}\narticulations:\n  - name: t\n    links:\n      - {name: root, static: true}\n"     \
    "      - {name: A, parent: root, motion: revolute, axis: [0, 1, 0], shape: sphere, radius: 0.1, mass: " \
    "1, anchor: [0.2, 0, 0]" more "}\n"
TEST(test_what_bodies_cannot_have_is_refused_by_name)
{
    static const char *const cases[][2] = {
        {ARM("", ", armature: 0.1"), "joint 'A' has an armature"},
        {ARM("medium_density: 1.2", ""), "medium"},
        {ARM("", "") "      - {name: B, parent: A, motion: revolute, axis: [1, 0, 0], armature: 1}\n",
         "link 'B' has no mass and moves"},
        {ARM("", "") "      - {name: B, parent: A, motion: spherical, anchor: [1, 0, 0], mass: 1, shape: sphere, "
                     "radius: 0.1}\njoints:\n  - {name: drive, type: drive, coordinates: {t.B.twist: 1}, "
                     "stiffness: 2}\n",
         "'drive' acts on a coordinate of a joint with several axes"},
        {ARM("", "") "sensors:\n  - {name: s, link: t.A, incoming: true}\n", "'s' measures one kind of joints"},
        {ARM("", "") "tracks:\n  - {name: rail, curve: {type: line, length: 1}}\n", "rail"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        dls_scene *scene = parse_scene(cases[k][0]), *unfolded;
        dls_error error;
        assert_int_equal(dls_scene_unfold(scene, 0, &unfolded, &error), DLS_REFUSED);
        if (!strstr(error.message, cases[k][1]))
            fail_msg("'%s' instead of '%s'", error.message, cases[k][1]);
        assert_null(unfolded);
        dls_scene_destroy(scene);
    }
}
