/* Bodies, joints and articulations in one world: rows in the columns of the whole, the Delassus matrix, closed loops,
 * momentum, and the same mechanism in maximal and in reduced coordinates. */
#include "examined.h"
#include "world.h"

#include "delassus/check.h"
#include "delassus/reference.h"

/* --- rows against the motion of the whole --- */

static const char *const ties[] = {
    "type: ball, anchor: [0.31, 0.22, 0.87]",
    "type: hinge, anchor: [0.31, 0.22, 0.87], axis: [1, 0.4, -0.3]",
    "type: slider, axis: [0.2, 1, 0.3]",
    "type: fixed",
    "type: universal, anchor: [0.31, 0.22, 0.87], axis1: [0, 1, 0], axis2: [0, 0, 1]",
    "type: distance, anchor1: [0.3, 0.1, 0.8], anchor2: [0.1, 0.7, 0.4]",
    "type: distance, anchor1: [0.3, 0.1, 0.8], anchor2: [0.1, 0.7, 0.4], min: 0.2, max: 0.9",
    "type: contact, point: [0.2, 0.3, 0.5], normal: [0.3, 1, 0.2], gap: 0.1, mu: 0.4",
};
static const char *const pairs[][2] = {
    {"arm.tool", "world"},   {"arm.hand", "stone"},     {"stone", "arm.fore"},     {"arm.tool", "ground"},
    {"arm.fin", "arm.tool"}, {"arm.hand", "bird.left"}, {"bird.body", "arm.base"}, {"bird.tail", "bird.right"},
    {"world", "bird.left"},  {"arm.hand", "arm.tool"},
};
enum { TIES = sizeof ties / sizeof ties[0], PAIRS = sizeof pairs / sizeof pairs[0] };

static dls_model *tied(size_t tie, size_t pair)
{
    char joint[400];
    snprintf(joint, sizeof joint, "joints:\n  - {name: tie, body1: %s, body2: %s, %s}\n", pairs[pair][0],
             pairs[pair][1], ties[tie]);
    return parse_parts(PARTS(TWO_TREES, joint));
}

TEST(test_rows_are_derivatives_along_every_column)
{
    static const double sizes[] = {0.0, 1e-6, 0.5};
    uint64_t seed = 2385;
    for (size_t tie = 0; tie < TIES; tie++) {
        double worst = 0.0;
        for (size_t pair = 0; pair < PAIRS; pair++) {
            dls_model *model = tied(tie, pair);
            dls_state *state = new_state(model);
            for (int size = 0; size < 3; size++) {
                dls_jacobian_check check;
                dls_error error;
                stir(model, state, sizes[size], &seed);
                assert_status(dls_check_columns(model, state, DLS_CHECK_STEP, &check, &error), &error);
                worst = fmax(worst, check.worst);
            }
            dls_state_destroy(state);
            dls_model_destroy(model);
        }
        print_message("# %s: columns against finite differences %.1e\n", ties[tie], worst);
        assert_below(worst, 1e-9); /* differences.c: some 1e-12, times arms and the curvature of short distances */
    }
}

/* A joint holds at the start, whatever it ties. */
TEST(test_ties_hold_at_the_start)
{
    for (size_t tie = 0; tie < TIES; tie++)
        for (size_t pair = 0; pair < PAIRS; pair++) {
            if (strstr(ties[tie], "min:") || strstr(ties[tie], "gap:"))
                continue;
            dls_model *model = tied(tie, pair);
            assert_below(joint_error(model, dls_model_initial(model), "tie"), 1e-14);
            dls_model_destroy(model);
        }
}

/* --- the order of the generalised velocity --- */

TEST(test_order_of_the_generalised_velocity)
{
    dls_model *model = parse_model(TWO_TREES);
    dls_state *state = new_state(model);
    assert_int_equal(dls_model_count(model).nv, 2 * 6 + 8 + 6 + 5);
    assert_int_equal(dls_model_bodies(model)[0].offset, DLS_NONE);
    assert_int_equal(dls_model_bodies(model)[1].offset, 0);
    assert_int_equal(dls_model_bodies(model)[2].offset, 6);
    assert_int_equal(dls_model_articulations(model)[0].offset, 12);
    assert_int_equal(dls_model_articulations(model)[1].offset, 20);
    assert_close(state->v[20], 0.1, 0.0);
    assert_close(state->v[24], -0.5, 0.0);
    assert_close(state->v[26], 0.7, 0.0);
    assert_close(state->v[30], -0.6, 0.0);
    /* Ends: bodies, then links. A velocity column moves what it belongs to. */
    for (size_t k = 0; k < dls_model_count(model).nv; k++) {
        for (size_t i = 0; i < dls_model_count(model).nv; i++)
            state->v[i] = i == k;
        dls_end stone = end_of(model, state, 1), ball = end_of(model, state, 2), fin = end_of(model, state, 3 + 6),
                bird = end_of(model, state, 3 + 7);
        assert_int_equal(dls_norm(stone.v) + dls_norm(stone.omega) > 0.0, k < 6);
        assert_int_equal(dls_norm(ball.v) + dls_norm(ball.omega) > 0.0, k >= 6 && k < 12);
        assert_int_equal(dls_norm(fin.v) + dls_norm(fin.omega) > 0.0, k == 12 || k == 19);
        assert_int_equal(dls_norm(bird.v) + dls_norm(bird.omega) > 0.0, k >= 20 && k < 26);
    }
    char name[2 * DLS_NAME_MAX];
    dls_model_end_name(model, 3 + 6, name, sizeof name);
    assert_string_equal(name, "arm.fin");
    dls_model_end_name(model, 3 + 7, name, sizeof name);
    assert_string_equal(name, "bird.body");
    assert_int_equal(dls_model_find_end(model, "bird.body"), 3 + 7);
    assert_int_equal(dls_model_find_end(model, "ball"), 2);
    assert_int_equal(dls_model_find_end(model, "bird"), DLS_NONE);
    dls_state_destroy(state);
    dls_model_destroy(model);
}

/* --- the Delassus matrix --- */

#define ALL_TIES                                                                                                       \
    "joints:\n"                                                                                                        \
    "  - {name: a, type: ball, body1: arm.hand, body2: stone, anchor: [0.8, 0.3, 0.9]}\n"                              \
    "  - {name: b, type: hinge, body1: arm.fin, body2: bird.left, anchor: [-0.2, 0.2, 0.6], axis: [1, 0, 1]}\n"        \
    "  - {name: c, type: slider, body1: ball, body2: bird.tail, axis: [0, 1, 0.3]}\n"                                  \
    "  - {name: d, type: contact, body1: bird.right, body2: ground, point: [-0.7, -1, 0.5], normal: [0, 0.1, 1], mu: " \
    "0.3}\n"                                                                                                           \
    "  - {name: e, type: mimic, coordinates: {arm.upper: 1, arm.flap: -2, bird.left: 0.5, arm.hand.swing1: 1.5, b: "   \
    "-0.7, c: 3}, offset: 0.1}\n"                                                                                      \
    "  - {name: f, type: limit, coordinates: {arm.slide: 2}, lower: -0.1, upper: 0.3}\n"

/* M block by block: diag(m 1, I) of bodies, and the joint-space inertia of the composite-rigid-body algorithm. */
static void independent_mass(const dls_model *model, const dls_state *state, double *M)
{
    const size_t nv = dls_model_count(model).nv;
    for (size_t i = 0; i < dls_model_count(model).bodies; i++) {
        const dls_body *body = &dls_model_bodies(model)[i];
        if (body->offset == DLS_NONE)
            continue;
        dls_mat3 I = dls_rotate_tensor(dls_quat_matrix(state->q[i]), body->inertia);
        for (size_t r = 0; r < 3; r++) {
            M[(body->offset + r) * (nv + 1)] = body->mass;
            for (size_t c = 0; c < 3; c++)
                M[body->offset + 3 + r + nv * (body->offset + 3 + c)] = I.m[3 * r + c];
        }
    }
    for (size_t a = 0; a < dls_model_count(model).articulations; a++) {
        dls_articulation_work *work;
        dls_error error;
        assert_status(dls_articulation_work_create(dls_model_articulations(model)[a].tree, &work, &error), &error);
        const dls_articulation_state articulation = dls_state_articulation(model, state, a);
        dls_articulation_kinematics(&articulation, work);
        dls_articulation_mass_matrix(work, M + dls_model_articulations(model)[a].offset * (nv + 1), nv);
        dls_articulation_work_destroy(work);
    }
}

/* Row Jacobians from the velocities of the ends: column k of C' = J v is what the ends do at v = e_k. */
static void independent_jacobian(const dls_model *model, dls_state *state, double *J)
{
    dls_row rows[DLS_JOINT_ROWS_MAX];
    size_t n = 0;
    for (size_t j = 0; j < dls_model_count(model).joints; j++)
        n += dls_model_joints(model)[j].type->count(&dls_model_joints(model)[j]);
    for (size_t k = 0; k < dls_model_count(model).nv; k++) {
        for (size_t i = 0; i < dls_model_count(model).nv; i++)
            state->v[i] = i == k;
        double *column = J + n * k;
        for (size_t j = 0; j < dls_model_count(model).joints; j++) {
            const dls_joint *joint = &dls_model_joints(model)[j];
            dls_end end[2];
            double y = 0.0;
            ends_of(model, state, joint, end);
            joint->type->rows(joint, end, 1e-3, rows);
            for (size_t t = 0; t < joint->n_terms; t++) {
                const dls_term *term = &joint->terms[t];
                const double slope = dls_term_at(term, dls_state_coordinate(state, term)).slope;
                dls_row rate = {0};
                if (term->dof != DLS_NONE) {
                    y += slope * state->v[term->dof];
                    continue;
                }
                dls_end two[2];
                const dls_joint *other = &dls_model_joints(model)[term->joint];
                ends_of(model, state, other, two);
                other->type->coordinate(other, two, &rate);
                for (int c = 0; c < 12; c++)
                    y += slope * (c < 6 ? rate.J1 : rate.J2)[c % 6] *
                         dls_get3(c % 6 < 3 ? two[c / 6].v : two[c / 6].omega, c % 3);
            }
            for (size_t r = 0; r < joint->type->count(joint); r++) {
                double sum = rows[r].Jy * y;
                for (int c = 0; c < 12; c++)
                    sum += (c < 6 ? rows[r].J1 : rows[r].J2)[c % 6] *
                           dls_get3(c % 6 < 3 ? end[c / 6].v : end[c / 6].omega, c % 3);
                *column++ = sum;
            }
        }
    }
}

/* X = M^-1 B by Cholesky without pivoting: M is small and well conditioned. */
static void cholesky_solve(size_t n, double *M, size_t columns, double *X)
{
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k < j; k++)
            for (size_t i = j; i < n; i++)
                M[i + n * j] -= M[i + n * k] * M[j + n * k];
        double d = sqrt(M[j + n * j]);
        for (size_t i = j; i < n; i++)
            M[i + n * j] /= d;
    }
    for (size_t c = 0; c < columns; c++) {
        double *x = X + n * c;
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < i; k++)
                x[i] -= M[i + n * k] * x[k];
            x[i] /= M[i + n * i];
        }
        for (size_t i = n; i-- > 0;) {
            for (size_t k = i + 1; k < n; k++)
                x[i] -= M[k + n * i] * x[k];
            x[i] /= M[i + n * i];
        }
    }
}

TEST(test_delassus_matrix_is_that_of_an_independent_assembly)
{
    uint64_t seed = 77;
    dls_model *model = parse_parts(PARTS(TWO_TREES, ALL_TIES));
    dls_state *state = new_state(model);
    stir(model, state, 0.4, &seed);
    dls_problem *problem = problem_from_state(model, state, NULL, 1e-3);
    dls_dense *dense = dense_of(problem);
    size_t n = problem->n, nv = dls_model_count(model).nv;
    assert_int_equal(n, 3 + 5 + 5 + 3 + 1 + 2);
    double *M = calloc(nv * nv, sizeof *M), *J = calloc(n * nv, sizeof *J), *X = calloc(nv * n, sizeof *X), worst = 0.0,
           largest = 0.0;
    independent_mass(model, state, M);
    independent_jacobian(model, state, J);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < nv; k++)
            X[k + nv * i] = J[i + n * k];
    cholesky_solve(nv, M, n, X);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            double A = i == j ? problem->gamma[i] : 0.0;
            for (size_t k = 0; k < nv; k++)
                A += J[i + n * k] * X[k + nv * j];
            worst = fmax(worst, fabs(A - dense->A[i + n * j]));
            largest = fmax(largest, fabs(A));
        }
    print_message("# dense A against CRBA and end velocities: %.1e of the largest entry\n", worst / largest);
    assert_below(worst / largest, 1e-12); /* the condition number of M is some 1e3 */
    free(M), free(J), free(X);
    dls_dense_destroy(dense);
    dls_problem_destroy(problem);
    dls_state_destroy(state);
    dls_model_destroy(model);
}

/* --- links as they are drawn --- */

/* At the coordinates of the drawing every link stands where it was drawn. */
TEST(test_links_stand_where_they_are_drawn)
{
    dls_error error;
    dls_scene *scene = parse_scene(TWO_TREES);
    for (size_t a = 0; a < 2; a++)
        for (size_t i = 1; i < scene->articulations[a]->n_links; i++)
            scene->articulations[a]->links[i].q[0] = NAN; /* joint frames coincide: 0, and no rotation */
    scene->articulations[0]->links[1].q[0] = 0.4;
    scene->articulations[0]->links[3].q[0] = 0.1;
    dls_model *model;
    assert_status(dls_model_create(scene, &model, &error), &error);
    for (size_t a = 0; a < 2; a++)
        for (size_t i = 0; i < scene->articulations[a]->n_links; i++) {
            const dls_link_def *drawn = &scene->articulations[a]->links[i];
            dls_end end = end_of(model, dls_model_initial(model),
                                 dls_model_articulations(model)[a].first_end +
                                     dls_articulation_find_link(dls_model_articulations(model)[a].tree, drawn->name));
            dls_vec3 turn = dls_quat_log(dls_quat_mul(dls_quat_conj(drawn->orientation), end.q));
            assert_below(dls_norm(dls_sub(end.x, drawn->position)), 1e-15);
            assert_below(dls_norm(turn), 1e-15);
        }
    dls_model_destroy(model);
    dls_scene_destroy(scene);
}

/* A robot stands where the scene puts it: its links and its root's axes turn with it. */
TEST(test_robots_stand_where_the_scene_puts_them)
{
    static const char text[] = "articulations:\n  - {name: a, urdf: ../models/gripper.urdf, start: {wrist: 0.4}}\n"
                               "  - {name: b, urdf: ../models/gripper.urdf, start: {wrist: 0.4}, position: [1, 2, 3], "
                               "orientation: [0.48, 0.6, 0, 0.64]}\n";
    const dls_quat turn = {0.48, 0.6, 0.0, 0.64};
    char path[DLS_PATH_MAX];
    dls_scene *scene;
    dls_error error;
    snprintf(path, sizeof path, "%s/scenes/two.yaml", getenv("DLS_TEST_SOURCE"));
    assert_status(dls_scene_parse(text, strlen(text), path, &scene, &error), &error);
    assert_int_equal(scene->n_joints, 12);
    dls_model *model = finish(scene);
    for (size_t i = 0; i < dls_model_articulations(model)[0].tree->n_links; i++) {
        dls_end a = end_of(model, dls_model_initial(model), i),
                b = end_of(model, dls_model_initial(model), dls_model_articulations(model)[1].first_end + i);
        dls_vec3 expected = dls_add(dls_v3(1, 2, 3), dls_quat_rotate(turn, a.x));
        assert_below(dls_norm(dls_sub(b.x, expected)), 1e-14);
        assert_below(dls_norm(dls_quat_log(dls_quat_mul(dls_quat_conj(dls_quat_mul(turn, a.q)), b.q))), 1e-14);
    }
    assert_close(dls_model_initial(model)->coordinates[1], 0.4, 0.0);
    dls_model_destroy(model);
}

/* Counters of repeated links are theirs alone. */
TEST(test_repeated_links)
{
    static const char text[] =
        "articulations:\n  - name: a\n    links:\n      - {name: r0, static: true}\n"
        "      - {repeat: 3, name: 'r{i+1}', parent: 'r{i}', motion: revolute, axis: [0, 1, 0], shape: sphere, radius: "
        "1, mass: {start: 1, i: 2},\n"
        "         position: {start: [1, 0, 0], i: [1, 0, 0]}}\n"
        "  - {name: 'b{i}', links: [{name: x, mass: 1, inertia: [1, 1, 1]}]}\n"
        "joints:\n  - {repeat: 2, name: 'm{i}', type: mimic, coordinates: {'a.r{i+1}': 1, 'a.r{i+2}': '-{i+2}'}}\n";
    dls_scene *scene = parse_scene(text);
    const dls_articulation_def *def = scene->articulations[0];
    assert_int_equal(def->n_links, 4);
    assert_string_equal(def->links[3].name, "r3");
    assert_string_equal(def->links[3].parent, "r2");
    assert_close(def->links[3].mass, 5.0, 0.0);
    assert_close(def->links[3].position.x, 3.0, 0.0);
    assert_string_equal(scene->articulations[1]->name, "b{i}");
    assert_string_equal(scene->joints[1].terms[1].coordinate, "a.r3");
    assert_close(scene->joints[1].terms[1].gears[0], -3.0, 0.0);
    dls_model_destroy(finish(scene));
}

/* --- the same mechanism as bodies and as an articulation --- */

#define A_SOLID "shape: box, size: [0.1, 0.2, 0.6], mass: 1.3, position: [0.3, 0.1, 0]"
#define B_SOLID \
    "shape: box, size: [0.1, 0.1, 0.5], mass: 0.9, position: [0.7, 0.2, -0.1], orientation: [0.8, 0, 0.6, 0]"
#define C_SOLID "shape: sphere, radius: 0.2, mass: 0.4, position: [1, 0.3, 0]"
#define D_SOLID "shape: box, size: [0.4, 0.1, 0.2], mass: 0.7, position: [1.2, 0.2, 0.2]"
#define E_SOLID "shape: box, size: [0.2, 0.3, 0.1], mass: 0.3, position: [1.4, 0.3, 0.2]"
#define MECHANISM(name) "world: {gravity: [0.5, -1, -9.81]}\n" name
#define TREE_LINKS                                                                                                  \
    "      - {name: b, parent: a, motion: spherical, anchor: [0.5, 0.1, 0], spin: [0.5, -0.4, 0.8], " B_SOLID "}\n" \
    "      - {name: c, parent: b, motion: prismatic, axis: [1, 0.2, 0.1], speed: 0.3, " C_SOLID "}\n"               \
    "      - {name: d, parent: a, motion: spherical-2, anchor: [0.6, 0, 0.1], axis: [0, 0, 1], axis2: [0, 1, 0], "  \
    "speed: 0.7, speed2: -0.6, " D_SOLID "}\n"                                                                      \
    "      - {name: e, parent: d, " E_SOLID "}\n"
#define BODIES                                                                                                         \
    "bodies:\n  - {name: a, " A_SOLID "}\n  - {name: b, " B_SOLID "}\n  - {name: c, " C_SOLID                          \
    "}\n  - {name: d, " D_SOLID "}\n  - {name: e, " E_SOLID "}\njoints:\n"                                             \
    "  - {name: ab, type: ball, body1: b, body2: a, anchor: [0.5, 0.1, 0]}\n"                                          \
    "  - {name: bc, type: slider, body1: c, body2: b, axis: [1, 0.2, 0.1]}\n"                                          \
    "  - {name: ad, type: universal, body1: d, body2: a, anchor: [0.6, 0, 0.1], axis1: [0, 1, 0], axis2: [0, 0, 1]}\n" \
    "  - {name: de, type: fixed, body1: e, body2: d}\n"
#define TREE_HEAD "articulations:\n  - name: t\n    links:\n"

static const struct {
    const char *name, *tree, *bodies;
} pairs_of_worlds[] = {
    {"hung on a hinge",
     MECHANISM(TREE_HEAD "      - {name: root, static: true}\n      - {name: a, parent: root, motion: revolute, "
                         "anchor: [0, 0, 0], axis: [0.2, 1, 0], speed: 1.1, " A_SOLID "}\n" TREE_LINKS),
     MECHANISM(BODIES "  - {name: pin, type: hinge, body1: a, anchor: [0, 0, 0], axis: [0.2, 1, 0]}\n")},
    {"floating",
     MECHANISM(TREE_HEAD "      - {name: a, velocity: [0.3, 0.2, 1], omega: [0.4, 0.9, -0.3], " A_SOLID
                         "}\n" TREE_LINKS),
     MECHANISM(BODIES)},
    {"four-bar closed by a ball",
     TREE_HEAD "      - {name: root, static: true}\n"
               "      - {name: a, parent: root, motion: revolute, anchor: [0, 0, 0], axis: [0, 1, 0], shape: box, "
               "size: [0.04, 0.04, 0.3], mass: 0.6, position: [0, 0, 0.15]}\n"
               "      - {name: b, parent: a, motion: revolute, anchor: [0, 0, 0.3], axis: [0, 1, 0], shape: box, size: "
               "[0.04, 0.04, 0.5], mass: 1, position: [0.2, 0, 0.45],\n"
               "         orientation: [0.8944271909999159, 0, 0.4472135954999579, 0]}\n"
               "      - {name: c, parent: root, motion: revolute, anchor: [0.5, 0, 0], axis: [0, 1, 0], shape: box, "
               "size: [0.04, 0.04, 0.6082762530298219], mass: 1.2,\n"
               "         position: [0.45, 0, 0.3], orientation: [0.9965926760297167, 0, -0.08248053154489328, 0]}\n"
               "joints:\n  - {name: loop, type: ball, body1: t.b, body2: t.c, anchor: [0.4, 0, 0.6]}\n",
     NULL},
    {"four-bar closed by a hinge", NULL, NULL},
};
enum { WORLDS = sizeof pairs_of_worlds / sizeof pairs_of_worlds[0] };

static dls_model *tree_world(size_t i)
{
    char text[4000];
    if (pairs_of_worlds[i].tree)
        return parse_model(pairs_of_worlds[i].tree);
    snprintf(text, sizeof text, "%s", pairs_of_worlds[i - 1].tree);
    char *joint = strstr(text, "{name: loop");
    snprintf(joint, sizeof text - (size_t)(joint - text),
             "{name: loop, type: hinge, body1: t.b, body2: t.c, anchor: [0.4, 0, 0.6], axis: [0, 1, 0]}\n");
    return parse_model(text);
}

/* With the velocities that the links have. */
static dls_model *body_world(size_t i, const dls_model *tree)
{
    dls_scene *scene;
    dls_error error;
    char path[DLS_PATH_MAX];
    if (pairs_of_worlds[i].bodies)
        scene = parse_scene(pairs_of_worlds[i].bodies);
    else {
        snprintf(path, sizeof path, "%s/scenes/four-bar.yaml", getenv("DLS_TEST_SOURCE"));
        assert_status(dls_scene_read(path, &scene, &error), &error);
    }
    size_t first = dls_model_count(tree).ends - scene->n_bodies;
    for (size_t k = 0; k < scene->n_bodies; k++) {
        dls_end end = end_of(tree, dls_model_initial(tree), first + k);
        scene->bodies[k].velocity = end.v;
        scene->bodies[k].omega = end.omega;
    }
    return finish(scene);
}

/* Largest distance between a body and the link that it is, at the end of a run. */
static double apart(size_t i, double h, double time)
{
    run tree, bodies;
    dls_model *links = tree_world(i), *free = body_world(i, links);
    const dls_solver *dense = dls_direct_find("block-pivoting");
    double worst = 0.0;
    run_start(&tree, links, dense, NULL, 1);
    run_start(&bodies, free, dense, NULL, 1);
    run_steps(&tree, (size_t)(time / h + 0.5), h);
    run_steps(&bodies, (size_t)(time / h + 0.5), h);
    size_t first = dls_model_count(links).ends - dls_model_count(free).bodies;
    for (size_t k = 0; k < dls_model_count(free).bodies; k++) {
        dls_end link = end_of(links, dls_simulation_state(tree.simulation), first + k),
                body = end_of(free, dls_simulation_state(bodies.simulation), k);
        worst = fmax(worst, dls_norm(dls_sub(link.x, body.x)));
    }
    run_stop(&tree);
    run_stop(&bodies);
    return worst;
}

TEST(test_bodies_and_articulations_move_alike)
{
    for (size_t i = 0; i < WORLDS; i++) {
        double time = i < 2 ? 0.4 : 0.7, h = i < 2 ? 1e-3 : 2.5e-4; /* the loops start at rest */
        double coarse = apart(i, h, time), half = apart(i, h / 2, time), quarter = apart(i, h / 4, time);
        double order = log2(half / quarter);
        print_message("# %s: apart by %.2e, %.2e, %.2e m, order %.2f\n", pairs_of_worlds[i].name, coarse, half, quarter,
                      order);
        assert_below(quarter, 2e-3);
        assert_close(order, 1.0, 0.15);
    }
}

/* Nothing moves a planar loop across its plane: that row of the closing ball is 0, not what rounding leaves of it,
 * wherever the loop stands; every direct method takes it, and sweeps pass over it and say so. */
TEST(test_loops_have_no_rows_of_rounding)
{
    run r;
    dls_error error;
    run_start(&r, tree_world(2), dls_direct_find("block-pivoting"), NULL, 1);
    for (int k = 0; k < 50; k++) {
        double lambda[3] = {0};
        run_steps(&r, 13, 1e-3);
        const dls_problem *p = dls_simulation_problem(r.simulation);
        for (size_t c = p->J.coef_at[p->J.start[1]]; c < p->J.coef_at[p->J.start[2]]; c++)
            assert_true(p->J.coef[c] == 0.0); /* y is across the plane */
        assert_true(p->c[1] == 0.0);          /* nor is what rounding leaves of the error */
        for (size_t i = 0; dls_direct_solvers[i] && k == 0; i++) {
            if (dls_direct_solvers[i]->accepts & (DLS_NEEDS_CONE | DLS_BY_NAME))
                continue;
            double settings[32];
            dls_report report = {0};
            assert_status(dls_fields_default(&dls_direct_solvers[i]->fields, settings, &error), &error);
            assert_status(dls_solve(dls_direct_solvers[i], p, settings, 1, lambda, &report, NULL, NULL, &error),
                          &error);
            if (report.outcome != DLS_OUTCOME_SOLVED &&
                report.outcome != DLS_OUTCOME_REFUSED) /* those of friction cones refuse */
                fail_msg("%s: %s, %s", dls_direct_solvers[i]->name, dls_outcome_text(report.outcome), report.message);
            dls_report_release(&report);
        }
    }
    const dls_solver *pgs = dls_iterative_find("pgs");
    double settings[32], lambda[3] = {0};
    dls_report report = {0};
    assert_status(dls_fields_default(&pgs->fields, settings, &error), &error);
    assert_status(
        dls_solve(pgs, dls_simulation_problem(r.simulation), settings, 50, lambda, &report, NULL, NULL, &error),
        &error);
    assert_int_equal(report.dead_rows, 1);
    dls_report_release(&report);
    dls_joint *ball = (dls_joint *)(uintptr_t)&dls_model_joints(r.model)[0]; /* an error with digits stays */
    const double erp = dls_simulation_rows(r.simulation)->row[1].erp;
    ball->frame[1].p.y += 1e-9;
    run_steps(&r, 1, 1e-3);
    const double c = dls_simulation_problem(r.simulation)->c[1];
    assert_close(fabs(c), erp * 1e-9 / 1e-3, 1e-6 * fabs(c));
    run_stop(&r);
}

/* --- momentum --- */

#define FLYING                                                                                                       \
    "world: {gravity: [0, 0, 0]}\n"                                                                                  \
    "bodies:\n"                                                                                                      \
    "  - {name: stone, shape: box, size: [0.4, 0.3, 0.2], mass: 1.7, position: [0.9, 0.4, 0.3], orientation: [0.6, " \
    "0.48, 0.64, 0], velocity: [0.2, -0.3, 0.1], omega: [0.3, 0.1, -0.4]}\n"                                         \
    "  - {name: ball, shape: sphere, radius: 0.15, mass: 0.8, position: [-0.4, 0.5, 0.7]}\n" TREE_HEAD               \
    "      - {name: a, velocity: [0.3, 0.2, 1], omega: [0.4, 0.9, -0.3], " A_SOLID "}\n" TREE_LINKS "joints:\n"      \
    "  - {name: p, type: ball, body1: t.e, body2: stone, anchor: [1.2, 0.35, 0.25]}\n"                               \
    "  - {name: q, type: hinge, body1: ball, body2: t.b, anchor: [0.1, 0.3, 0.3], axis: [0.2, 0.3, 1]}\n"            \
    "  - {name: r, type: contact, body1: t.c, body2: stone, point: [0.95, 0.35, 0.15], normal: [0.1, 0, -1], mu: "   \
    "0.4}\n"                                                                                                         \
    "  - {name: s, type: mimic, coordinates: {t.c: 1, q: 0.4, t.d.twist: -0.3}}\n"                                   \
    "  - {name: d, type: drive, coordinates: {t.d.swing1: 1}, stiffness: 20, damping: 1, target: 0.4}\n"

static double momentum_change(const dls_model *model, const dls_state *before, const dls_state *after)
{
    dls_vec3 p[2], L[2];
    momentum_of(model, before, &p[0], &L[0]);
    momentum_of(model, after, &p[1], &L[1]);
    return fmax(dls_norm(dls_sub(p[1], p[0])), dls_norm(dls_sub(L[1], L[0])));
}

/* The impulses of joints in a step sum to no momentum, whatever they tie. */
TEST(test_impulses_of_joints_conserve_momentum)
{
    uint64_t seed = 12;
    dls_model *model = parse_model(FLYING);
    dls_state *before = new_state(model), *after = new_state(model);
    double lambda[32] = {0}, scratch[64], worst = 0.0, smallest = HUGE_VAL;
    for (int draw_number = 0; draw_number < 20; draw_number++) {
        for (size_t k = 0; k < dls_model_count(model).nv; k++)
            before->v[k] = draw(&seed);
        dls_problem *problem = problem_from_state(model, before, NULL, 1e-3);
        memcpy(before->v, problem->v_star, dls_model_count(model).nv * sizeof *before->v);
        double size = 0.0;
        for (size_t i = 0; i < problem->n; i++) {
            lambda[i] = draw(&seed); /* of any size and sign: momentum knows no bounds */
            size += fabs(lambda[i]);
        }
        dls_problem_velocity(problem, lambda, after->v, scratch);
        worst = fmax(worst, momentum_change(model, before, after));
        smallest = fmin(smallest, size);
        dls_problem_destroy(problem);
    }
    print_message("# impulses of more than %.1f N s change momentum by %.1e\n", smallest, worst);
    assert_below(worst, 1e-13);
    dls_state_destroy(before);
    dls_state_destroy(after);
    dls_model_destroy(model);
}

/* Over time it drifts by the error of the scheme, order 1. */
static double drift(double h)
{
    run r;
    run_start(&r, parse_model(FLYING), dls_direct_find("fixed-point"), NULL, 1);
    run_steps(&r, (size_t)(0.5 / h + 0.5), h);
    double change = momentum_change(r.model, dls_model_initial(r.model), dls_simulation_state(r.simulation));
    run_stop(&r);
    return change;
}

TEST(test_momentum_drifts_with_the_step_alone)
{
    double coarse = drift(1e-3), fine = drift(5e-4);
    print_message("# momentum after 0.5 s: off by %.2e, and %.2e with half the step\n", coarse, fine);
    assert_below(coarse, 2e-2);
    assert_close(log2(coarse / fine), 1.0, 0.25);
}

/* --- articulations among themselves --- */

#define PENDULUM(name, x, mass)                                                                              \
    "  - name: " name "\n    links:\n      - {name: root, static: true}\n"                                   \
    "      - {name: u, parent: root, motion: revolute, anchor: [" x                                          \
    ", 0, 0], axis: [0, 1, 0], shape: box, size: [0.05, 0.05, 0.5], mass: 1, position: [" x ", 0, -0.25]}\n" \
    "      - {name: v, parent: u, motion: spherical, anchor: [" x                                            \
    ", 0, -0.5], shape: box, size: [0.05, 0.05, 0.5], mass: " mass ", position: [" x ", 0, -0.75],\n"        \
    "         spin: [0.4, 1.5, -0.3]}\n"

/* Two chains whose ends are held together by a rod and a ball: the answer of sweeps tends to that of the direct method.
 */
TEST(test_two_articulations_coupled_by_joints)
{
    static const char scene[] = "articulations:\n" PENDULUM("p", "0", "0.7")
        PENDULUM("q", "0.3", "2.3") "joints:\n  - {name: rod, type: distance, body1: p.v, body2: q.v, anchor1: [0, 0, "
                                    "-1], anchor2: [0.3, 0, -1]}\n"
                                    "  - {name: ball, type: ball, body1: p.u, body2: q.u, anchor: [0.15, 0, -0.4]}\n";
    run dense, sweeps;
    run_start(&dense, parse_model(scene), dls_direct_find("dantzig"), NULL, 1);
    run_start(&sweeps, parse_model(scene), dls_iterative_find("pgs"), NULL, 3000);
    double worst = 0.0, hold = 0.0;
    for (int k = 0; k < 100; k++) {
        run_steps(&dense, 1, 1e-3);
        run_steps(&sweeps, 1, 1e-3);
        for (size_t i = 0; i < dls_model_count(dense.model).nv; i++)
            worst = fmax(worst, fabs(dls_simulation_state(dense.simulation)->v[i] -
                                     dls_simulation_state(sweeps.simulation)->v[i]));
        hold = fmax(hold, fmax(joint_error(dense.model, dls_simulation_state(dense.simulation), "rod"),
                               joint_error(dense.model, dls_simulation_state(dense.simulation), "ball")));
    }
    print_message("# two chains: sweeps and the direct method differ by %.1e, joints open by %.1e m\n", worst, hold);
    assert_below(worst, 1e-8);
    assert_below(hold, 1e-4); /* h^2 a / erp */
    run_stop(&dense);
    run_stop(&sweeps);
}

/* A rod of one articulation falls on one of another, which falls on the ground: no gap closes to less than nothing, and
 * all rests. */
TEST(test_two_articulations_coupled_by_contacts)
{
#define FALLING(name, z)                                                   \
    "  - name: " name "\n    links:\n      - {name: root, static: true}\n" \
    "      - {name: r, parent: root, motion: revolute, anchor: [0, 0, " z  \
    "], axis: [0, 1, 0], shape: box, size: [1, 0.1, 0.02], mass: 1, position: [0.5, 0, " z "]}\n"
    run r;
    run_start(&r,
              parse_model("articulations:\n" FALLING("low", "0.1")
                              FALLING("high", "0.2") "joints:\n  - {name: g, type: contact, body1: low.r, body2: "
                                                     "world, point: [0.9, 0, 0.05], normal: [0, 0, 1], gap: 0.05}\n"
                                                     "  - {name: c, type: contact, body1: high.r, body2: low.r, point: "
                                                     "[0.7, 0, 0.15], normal: [0, 0, 1], gap: 0.05}\n"),
              dls_direct_find("lemke"), NULL, 1);
    double C[DLS_JOINT_ROWS_MAX], deepest = 0.0;
    for (int k = 0; k < 1000; k++) {
        run_steps(&r, 1, 1e-3);
        for (size_t j = 0; j < 2; j++) {
            joint_position(r.model, dls_simulation_state(r.simulation), &dls_model_joints(r.model)[j], C);
            deepest = fmax(deepest, -C[0]);
        }
    }
    print_message("# rods that rest on each other: never deeper than %.1e m\n", deepest);
    assert_below(deepest, 1e-5); /* curvature: (h omega)^2 / 2 times the length, at the impact */
    for (size_t k = 0; k < 2; k++) {
        assert_close(dls_simulation_state(r.simulation)->v[k], 0.0, 1e-9);
        joint_position(r.model, dls_simulation_state(r.simulation), &dls_model_joints(r.model)[k], C);
        assert_close(C[0], 0.0, 1e-9);
    }
    run_stop(&r);
}

/* --- the cache of an articulation in a world --- */

/* A state that comes out after a step goes in again, to the bit, and the next step is the same; accelerations are
 * those of the step. */
TEST(test_a_cache_takes_an_articulation_out_and_in)
{
    dls_model *model = parse_model(
        TWO_TREES "joints:\n  - {name: tie, type: ball, body1: arm.tool, body2: bird.left, anchor: [0.3, 0.2, 0.9]}\n");
    dls_articulation_cache *cache;
    dls_error error;
    run r;
    run_start(&r, model, dls_direct_find("block-pivoting"), NULL, 1);
    run_steps(&r, 20, 1e-3);
    const dls_state *state = dls_simulation_state(r.simulation);
    dls_state *before = new_state(model), *after = new_state(model);
    dls_state_copy(before, state);
    run_steps(&r, 1, 1e-3);
    const dls_configuration *configuration = dls_simulation_configuration(r.simulation);
    dls_configuration *in = configuration_of(model, before);
    for (size_t a = 0; a < dls_model_count(model).articulations; a++) {
        const dls_model_articulation *articulation = &dls_model_articulations(model)[a];
        assert_status(dls_articulation_cache_create(articulation->tree, &cache, &error), &error);
        const dls_articulation_state now = dls_state_articulation(model, state, a);
        dls_articulation_load load = dls_state_load(model, state, a);
        assert_status(
            dls_articulation_cache_copy_out(cache, &now, &load, configuration->works[a], DLS_CACHE_ALL, &error),
            &error);
        for (size_t k = 0; k < cache->nv; k++)
            assert_true(cache->vdot[k] ==
                        (state->v[articulation->offset + k] - before->v[articulation->offset + k]) / 1e-3);
        for (size_t i = 0; i < cache->n_links; i++) {
            dls_end end = dls_configuration_end(configuration, articulation->first_end + i);
            assert_memory_equal(&cache->link_pose[i].p, &end.x, sizeof end.x);
            assert_memory_equal(&cache->link_velocity[i].lin, &end.v, sizeof end.v);
        }
        dls_state_copy(after, before); /* this articulation alone goes on */
        dls_articulation_state set = dls_state_articulation(model, after, a);
        load = dls_state_load(model, after, a);
        assert_status(dls_articulation_cache_copy_in(cache, &set, &load, in->works[a], DLS_CACHE_SETTABLE, &error),
                      &error);
        dls_state_set_root(after, a, &set);
        assert_memory_equal(after->coordinates + articulation->position, now.q, cache->nq * sizeof *cache->q);
        assert_memory_equal(after->v + articulation->offset, state->v + articulation->offset,
                            cache->nv * sizeof *cache->v);
        assert_memory_equal(&after->roots[a].p, &state->roots[a].p, sizeof after->roots[a].p);
        dls_articulation_cache_destroy(cache);
    }
    dls_configuration_destroy(in);
    dls_state_copy(after, state);
    dls_state_copy(dls_simulation_edit(r.simulation), before);
    run_steps(&r, 1, 1e-3);
    assert_memory_equal(state->v, after->v, dls_model_count(model).nv * sizeof *state->v);
    assert_memory_equal(state->coordinates, after->coordinates,
                        dls_model_count(model).coordinates * sizeof *state->coordinates);
    dls_state_destroy(before);
    dls_state_destroy(after);
    run_stop(&r);
}

/* --- states that are not finite --- */

/* Each number of a state in turn. */
TEST(test_every_number_must_be_finite)
{
    static const char *const kinematic[] = {
        "bodies:\n  - {name: lift, kinematic: true, velocity: [0, 0, 0.3]}\n"
        "  - {name: stone, shape: sphere, radius: 0.1, mass: 2, position: [1, 0, 0]}\n",
        NULL};
    static const char *const keeping[] = {
        "bodies:\n  - {name: a, shape: sphere, radius: 0.1, mass: 2}\n  - {name: b, shape: sphere, radius: 0.1, mass: "
        "2, "
        "position: [1, 0, 0]}\n"
        "joints:\n  - {name: hold, type: hinge, body1: a, anchor: [0, 0, 0], axis: [0, 1, 0]}\n"
        "  - {name: turn, type: hinge, body1: b, anchor: [1, 0, 0], axis: [0, 1, 0]}\n"
        "  - {name: one, type: drive, coordinates: {hold: 1}, stiffness: 200, target: 0.3}\n"
        "  - {name: two, type: drive, coordinates: {turn: 1}, stiffness: 200, target: 0.3}\n",
        NULL};
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int which = 0; which < 3; which++) {
        dls_model *model = which == 2 ? parse_parts(keeping)
                           : which    ? parse_parts(kinematic)
                                      : parse_parts(PARTS(TWO_TREES));
        dls_state *state = new_state(model);
        const struct {
            double *of;
            size_t count;
        } parts[] = {{&state->x[0].x, 3 * state->n_bodies},
                     {&state->q[0].w, 4 * state->n_bodies},
                     {state->v, dls_model_count(model).nv},
                     {state->coordinates, dls_model_count(model).coordinates},
                     {state->n_articulations ? &state->roots[0].p.x : NULL, 3 * (state->n_articulations > 0)},
                     {state->n_prescribed ? &state->prescribed[0].lin.x : NULL, 6 * state->n_prescribed},
                     {state->joint_state, state->n_joint_state}};
        assert_int_equal(state->n_joint_state > 2, which == 2);
        assert_status(dls_state_check(model, state, NULL), NULL);
        for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++)
            for (size_t k = 0; k < parts[p].count; k++)
                for (size_t b = 0; b < sizeof bad / sizeof bad[0]; b++) {
                    const double before = parts[p].of[k];
                    dls_error error;
                    parts[p].of[k] = bad[b];
                    if (dls_state_check(model, state, &error) != DLS_NOT_FINITE)
                        fail_msg("part %zu, number %zu: %g passes", p, k, bad[b]);
                    assert_non_null(strstr(error.message, "left the finite numbers"));
                    parts[p].of[k] = before;
                }
        assert_status(dls_state_check(model, state, NULL), NULL);
        dls_state_destroy(state);
        dls_model_destroy(model);
    }
}
