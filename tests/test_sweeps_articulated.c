/* Sweeps over rows on articulations against the textbook's loops on the dense Delassus matrix; compiled paths against
 * each other. */
#include "delassus/delassus.h"
#include "delassus/reference.h"
#include "delassus/solvers.h"

#include "articulated.h"
#include "examined.h"
#include "solvers/packed.h"
#include "solvers/together.h"

/* --- the textbook --- */

/* w = A lambda + b with A and b by LAPACK, nothing of the mass operator's M^-1 nor of rows in it. */
typedef struct textbook {
    const dls_problem *p;
    dls_dense *dense;
    double omega, *lambda, *next;
} textbook;

static double next_impulse(const textbook *t, size_t i)
{
    double lo, hi, w = t->dense->b[i];
    for (size_t j = 0; j < t->p->n; j++)
        w += t->dense->A[i + t->p->n * j] * t->lambda[j];
    dls_problem_bounds(t->p, i, t->lambda, &lo, &hi);
    double to = t->lambda[i] - t->omega * w / t->dense->A[i + t->p->n * i];
    return to < lo ? lo : to > hi ? hi : to;
}

static void iterate(textbook *t, dls_splitting_kind kind)
{
    size_t n = t->p->n;
    if (kind == DLS_SPLITTING_JACOBI) {
        for (size_t i = 0; i < n; i++)
            t->next[i] = next_impulse(t, i);
        memcpy(t->lambda, t->next, n * sizeof *t->lambda);
        return;
    }
    for (size_t i = 0; i < n; i++)
        t->lambda[i] = next_impulse(t, i);
    for (size_t i = n; kind == DLS_SPLITTING_SYMMETRIC && i-- > 0;)
        t->lambda[i] = next_impulse(t, i);
}

/* Iterates agree to the rounding of A, a few hundred eps of the largest impulse: so well are the masses conditioned. */
static void compare_with(const dls_solver *solver, const char *omega, const dls_problem *p, bool warm)
{
    dls_error error;
    dls_report report = {0};
    char settings[64];
    void *work;
    textbook t = {.p = p, .lambda = test_calloc(p->n, sizeof(double)), .next = test_calloc(p->n, sizeof(double))};
    double *lambda = test_calloc(p->n, sizeof *lambda), scale = 1.0;
    assert_true(solver->fields.size <= sizeof settings);
    assert_status(dls_fields_default(&solver->fields, settings, &error), &error);
    if (omega)
        assert_status(dls_field_set(&solver->fields, settings, "omega", omega, &error), &error);
    dls_splitting splitting = solver->splitting(settings);
    t.omega = splitting.omega;
    for (size_t i = 0; i < p->n && warm; i++)
        t.lambda[i] = 0.07 * (double)(i % 5) - 0.113;
    t.dense = dense_of(p);
    assert_status(solver->open(p, settings, t.lambda, &work, &error), &error);
    for (int k = 0; k < 30; k++) {
        assert_status(solver->iterate(work, &report, &error), &error);
        solver->read(work, lambda);
        iterate(&t, splitting.kind);
        for (size_t i = 0; i < p->n; i++)
            scale = fmax(scale, fabs(t.lambda[i]));
        for (size_t i = 0; i < p->n; i++)
            assert_close(lambda[i], t.lambda[i], 1e-12 * scale);
    }
    solver->close(work);
    dls_dense_destroy(t.dense);
    test_free(t.lambda), test_free(t.next), test_free(lambda);
}

/* --- every compiled path --- */

/* NULL: the path that this processor has, as dls_packed_create chooses it. */
static dls_packed *packed_for(const dls_problem *p, const dls_sweep_path *path, const double *lambda0)
{
    dls_packed *packed;
    dls_error error;
    assert_status(dls_packed_create(1.1, &packed, &error), &error);
    packed->path = path ? path : packed->path;
    assert_status(dls_packed_load(packed, p, lambda0, &error), &error);
    return packed;
}

enum { SWEEPS = 20 };
static void sweep_to(dls_packed *packed, double *lambda)
{
    for (int k = 0; k < SWEEPS; k++) {
        dls_packed_sweep(packed, DLS_FORWARD);
        dls_packed_sweep(packed, DLS_BACKWARD);
    }
    dls_packed_read(packed, lambda);
}

static void sweep(const dls_problem *p, const dls_sweep_path *path, const double *lambda0, double *lambda)
{
    dls_packed *packed = packed_for(p, path, lambda0);
    sweep_to(packed, lambda);
    dls_packed_destroy(packed);
}

/* Problems that start from other impulses, p and `other` of as many rows in turn, each in a lane of its own, or one by
 * one; whether they went together. */
static bool compare_together(const dls_problem *p, const dls_problem *other, const dls_sweep_path *path)
{
    enum { WORKS = DLS_TOGETHER };
    const dls_problem *of[2] = {p, other};
    double *start = test_calloc(WORKS * p->n, sizeof *start), *expected = test_calloc(p->n, sizeof *expected),
           *lambda = test_calloc(p->n, sizeof *lambda);
    dls_together together = {0};
    dls_packed *works[WORKS];
    bool done[WORKS] = {false}, all = true;
    for (size_t i = 0; i < WORKS * p->n; i++)
        start[i] = 0.07 * (double)(i % 7) - 0.113;
    for (size_t k = 0; k < WORKS; k++)
        works[k] = packed_for(of[k % 2], path, start + k * p->n);
    dls_together_sweep(&together, works, WORKS, SWEEPS, true, done);
    dls_together_release(&together);
    for (size_t k = 0; k < WORKS; k++) {
        all = all && done[k];
        if (done[k]) {
            sweep(of[k % 2], path, start + k * p->n, expected);
            dls_packed_read(works[k], lambda);
            assert_memory_equal(lambda, expected, p->n * sizeof *lambda);
        }
        dls_packed_destroy(works[k]);
    }
    test_free(start), test_free(expected), test_free(lambda);
    return all;
}

/* Whether the rows can go together. */
static bool compare_paths(const dls_problem *p)
{
    const dls_sweep_path *plain = dls_sweep_paths;
    double *expected = test_calloc(p->n, sizeof *expected), *lambda = test_calloc(p->n, sizeof *lambda);
    while (strcmp(plain->name, "plain") != 0)
        plain++;
    const bool together = compare_together(p, p, plain);
    sweep(p, plain, NULL, expected);
    for (const dls_sweep_path *path = dls_sweep_paths; path->name; path++)
        if (path->available()) {
            sweep(p, path, NULL, lambda);
            assert_memory_equal(lambda, expected, p->n * sizeof *lambda);
            assert_true(compare_together(p, p, path) == together);
        }
    test_free(expected), test_free(lambda);
    return together;
}

/* Damped far enough for Jacobi not to run away: its iterates would outgrow the comparison. */
static bool compare_all(const dls_problem *p)
{
    for (size_t s = 0; dls_iterative_solvers[s]; s++) {
        const dls_solver *solver = dls_iterative_solvers[s];
        const char *omega = strcmp(solver->name, "jacobi") == 0 ? "0.1" : NULL;
        if (!solver->splitting) /* no textbook loop */
            continue;
        compare_with(solver, omega, p, false);
        compare_with(solver, omega, p, true);
    }
    return compare_paths(p);
}

static dls_problem *problem_of(const dls_model *model)
{
    return problem_from_state(model, dls_model_initial(model), NULL, 0.01);
}

/* --- bodies, articulations and loops --- */

/* An arm of five joints and a floating tree; closures from link to link, to a body, to the world, between
 * articulations; couplings within one, across both and with a hinge between bodies; limits and drives. */
static const char mixed_text[] =
    "bodies:\n"
    "  - {name: crate, shape: box, size: [0.4, 0.3, 0.5], mass: 2.385, position: [1.1, 0.3, -0.4], velocity: [0.3, 0, "
    "-1]}\n"
    "  - {name: lid, shape: box, size: [0.4, 0.3, 0.1], mass: 0.9, position: [1.1, 0.3, -0.1], omega: [0.2, 0, 1]}\n"
    "articulations:\n"
    "  - name: arm\n"
    "    links:\n"
    "      - {name: root, static: true}\n"
    "      - {name: a, parent: root, motion: revolute, shape: box, size: [0.1, 0.2, 0.8], mass: 1.3, position: [0, 0, "
    "-0.4], anchor: [0, 0, 0], axis: [0, 1, 0], start: 0.3, armature: 0.02}\n"
    "      - {name: b, parent: a, motion: revolute, shape: box, size: [0.1, 0.2, 0.6], mass: 0.8, position: [0.1, 0, "
    "-1], anchor: [0, 0, -0.8], axis: [0.2, 1, 0], speed: 1.1}\n"
    "      - {name: c, parent: b, motion: prismatic, shape: box, size: [0.1, 0.1, 0.4], mass: 0.5, position: [0.3, 0, "
    "-1.2], anchor: [0.2, 0, -1.2], axis: [1, 0, 0.4], speed: -0.4}\n"
    "      - {name: d, parent: root, motion: revolute, shape: box, size: [0.1, 0.3, 0.7], mass: 1.9, position: [0.6, "
    "0, -0.4], anchor: [0.6, 0, 0], axis: [0, 1, 0.1], start: -0.2}\n"
    "      - {name: e, parent: d, motion: spherical, shape: box, size: [0.2, 0.3, 0.3], mass: 1.1, position: [0.7, "
    "0.1, -1], anchor: [0.6, 0, -0.8], spin: [1, 2, -1]}\n"
    "  - name: swimmer\n"
    "    links:\n"
    "      - {name: hull, shape: box, size: [1, 0.4, 0.3], mass: 3.7, position: [0, 1.5, 0], omega: [0, 0.3, 1]}\n"
    "      - {name: fin, parent: hull, motion: revolute, shape: box, size: [0.5, 0.3, 0.1], mass: 0.4, position: [0.8, "
    "1.5, 0.1], anchor: [0.5, 1.5, 0], axis: [0, 1, 0.2], speed: 3}\n"
    "      - {name: tail, parent: hull, motion: revolute, shape: box, size: [0.5, 0.3, 0.1], mass: 0.6, position: "
    "[-0.8, 1.5, 0.1], anchor: [-0.5, 1.5, 0], axis: [0, 0, 1]}\n"
    "joints:\n"
    "  - {name: lid, type: hinge, body1: lid, body2: crate, anchor: [0.9, 0.3, -0.15], axis: [0, 1, 0]}\n"
    "  - {name: loop, type: ball, body1: arm.c, body2: arm.e, anchor: [0.6, 0, -1.2], erp: 0.4}\n"
    "  - {name: pair, type: mimic, coordinates: {arm.a: 1, arm.d: -1.7}, offset: 0.3}\n"
    "  - {name: hold, type: ball, body1: arm.e, body2: crate, anchor: [0.9, 0.2, -0.7], cfm: 1e-3}\n"
    "  - {name: across, type: mimic, coordinates: {arm.b: 0.5, swimmer.tail: 1, lid: 0.3}}\n"
    "  - {name: ties, type: ball, body1: swimmer.fin, body2: arm.c, anchor: [0.6, 1, -0.5]}\n"
    "  - {name: moor, type: distance, body1: swimmer.tail, anchor1: [-0.9, 1.5, 0], anchor2: [-1.3, 1.2, 0.4]}\n"
    "  - {name: stop, type: limit, coordinates: {arm.a: 1}, upper: 0.25}\n"
    "  - {name: push, type: drive, coordinates: {arm.c: 1}, stiffness: 1e4, damping: 100, force: 3}\n";

TEST(test_bodies_and_articulations)
{
    dls_model *model = parse_model(mixed_text);
    dls_problem *p = problem_of(model);
    assert_int_equal(p->mass.n_blocks, 4);
    compare_all(p);
    for (size_t i = 0; i < p->n; i++) { /* friction and boxes on rows of every kind */
        p->gamma[i] += i % 5 == 2 ? 0.02 : 0.0;
        p->hi[i] = i % 4 == 1 ? 0.1 : p->hi[i];
    }
    for (size_t i = 6; i < 12; i++) {
        p->parent[i] = i < 9 ? 5 : 12;
        p->law[i] = DLS_LAW_BOX;
        p->mu[i] = 0.6;
        p->lo[i] = p->hi[i] = 0.0;
        p->n_coupled++;
    }
    assert_status(dls_problem_check(p, NULL), NULL);
    compare_all(p);
    dls_problem_destroy(p);
    dls_model_destroy(model);
}

/* Links that float alone have six velocities, as bodies do, and groups of rows with them. */
TEST(test_links_that_float_alone)
{
    dls_model *model = parse_model(
        "articulations:\n"
        "  - {name: one, links: [{name: root, mass: 1.3, inertia: [1, 2, 2.5]}]}\n"
        "  - {name: two, links: [{name: root, mass: 2, inertia: [1, 1.5, 2], position: [1, 0.2, 0.1]}]}\n"
        "  - {name: three, links: [{name: root, mass: 2, inertia: [3, 1.5, 2], position: [2, 0.2, 0.1]}]}\n"
        "joints:\n"
        "  - {name: first, type: ball, body1: one.root, body2: two.root, anchor: [0.4, 0.3, 0]}\n"
        "  - {name: second, type: hinge, body1: two.root, body2: three.root, anchor: [1.4, 0.3, 0], axis: [1, 2, "
        "3]}\n");
    dls_problem *p = problem_of(model);
    dls_packed *packed = packed_for(p, NULL, NULL);
    assert_int_equal(packed->n_full, 3);
    assert_int_equal(packed->n_general, 0);
    dls_packed_destroy(packed);
    compare_all(p);
    dls_problem_destroy(p);
    dls_model_destroy(model);
}

/* Two arms of three hinges, with rows on two of the coordinates each, in the order of `rows`: of one column, or of
 * two. */
static dls_model *arms(const char *rows)
{
    char text[2048];
    size_t used = (size_t)snprintf(text, sizeof text, "articulations:\n");
    for (int arm = 0; arm < 2; arm++) {
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "  - name: arm%d\n    links:\n      - {name: base, static: true}\n", arm);
        for (int link = 0; link < 3; link++)
            used += (size_t)snprintf(
                text + used, sizeof text - used,
                "      - {name: l%d, parent: %s%.*d, joint: %c, motion: revolute, axis: [%d, 1, %d], mass: "
                "1.%d, inertia: [1, 1, 1], position: [%d, 0.2, 0.%d]}\n",
                link, link ? "l" : "base", link ? 1 : 0, link ? link - 1 : 0, 'a' + link, link, arm, link + arm,
                link + 1, arm + 1);
    }
    used += (size_t)snprintf(text + used, sizeof text - used, "joints:\n%s", rows);
    assert_in_range(used, 1, sizeof text - 1);
    return parse_model(text);
}

TEST(test_rows_of_one_column_in_turn)
{
    dls_model *model =
        arms("  - {name: r0, type: drive, coordinates: {arm0.a: 1}, stiffness: 1e3, damping: 10, target: 0.3}\n"
             "  - {name: r1, type: drive, coordinates: {arm1.a: 1}, stiffness: 1e3, damping: 10, target: 0.3}\n"
             "  - {name: r2, type: drive, coordinates: {arm0.b: -2}, stiffness: 1e3, damping: 10, target: 0.3}\n"
             "  - {name: r3, type: drive, coordinates: {arm0.b: 2}, stiffness: 1e3, damping: 10, target: 0.3}\n"
             "  - {name: r4, type: drive, coordinates: {arm1.c: 1}, stiffness: 1e3, damping: 10, target: 0.3}\n");
    dls_problem *p = problem_of(model);
    assert_int_equal(p->n, 5);
    assert_true(compare_all(p));
    dls_problem_destroy(p);
    dls_model_destroy(model);
}

/* Rows of as many columns as those before, but of others. */
TEST(test_rows_of_other_columns)
{
    static const char *const rows[] = {"  - {name: r0, type: mimic, coordinates: {arm0.a: 1, arm0.b: 1}}\n"
                                       "  - {name: r1, type: mimic, coordinates: {arm1.a: 1, arm1.b: -1}}\n",
                                       "  - {name: r0, type: mimic, coordinates: {arm0.b: 1, arm0.c: 1}}\n"
                                       "  - {name: r1, type: mimic, coordinates: {arm1.a: 1, arm1.b: -1}}\n",
                                       "  - {name: r0, type: mimic, coordinates: {arm0.b: 1, arm0.c: 1}}\n"
                                       "  - {name: r1, type: mimic, coordinates: {arm0.a: 1, arm0.b: -1}}\n"};
    dls_error error;
    for (size_t from = 0; from < 3; from++)
        for (size_t to = 0; to < 3; to++) {
            dls_model *models[2] = {arms(rows[from]), arms(rows[to])};
            dls_problem *p[2] = {problem_of(models[0]), problem_of(models[1])};
            double expected[2], lambda[2];
            assert_true(p[0]->n == 2 && p[1]->n == 2 && p[0]->J.n_blocks == p[1]->J.n_blocks);
            dls_packed *packed = packed_for(p[0], NULL, NULL);
            assert_status(dls_packed_load(packed, p[1], NULL, &error), &error);
            sweep_to(packed, lambda);
            sweep(p[1], NULL, NULL, expected);
            assert_memory_equal(lambda, expected, sizeof lambda);
            dls_packed_destroy(packed);
            for (int k = 0; k < 2; k++)
                dls_problem_destroy(p[k]), dls_model_destroy(models[k]);
        }
}

/* --- trees of all motion types --- */

static void couple(dls_scene *scene, size_t i, size_t j)
{
    dls_joint_def joint;
    dls_error error;
    char name[64];
    assert_status(dls_joint_default(&joint, "mimic", &error), &error);
    snprintf(joint.name, sizeof joint.name, "m%zu-%zu", i, j);
    snprintf(name, sizeof name, "tree.link%zu", i);
    assert_status(dls_joint_couple(&joint, name, 1.0, &error), &error);
    snprintf(name, sizeof name, "tree.link%zu", j);
    assert_status(dls_joint_couple(&joint, name, 0.3 - 0.7 * (double)(i % 3), &error), &error);
    assert_status(dls_scene_add_joint(scene, &joint, &error), &error);
}

/* A chain of mimics, each hanging on one before it, and one in three on the first of all. */
static dls_model *tree(uint64_t *seed, size_t links, size_t reach, bool fixed_base)
{
    dls_error error;
    dls_scene *scene;
    dls_articulation_def *def = draw_tree(seed, links, reach, fixed_base);
    size_t leader = 0, last = 0, count = 0;
    snprintf(def->name, sizeof def->name, "tree");
    assert_status(dls_scene_create(&scene, &error), &error);
    for (size_t i = 1; i < links; i++) {
        if (def->links[i].motion->n_positions != 1)
            continue;
        if (count > 0)
            couple(scene, i, count % 3 ? last : leader);
        leader = count ? leader : i, last = i, count++;
    }
    assert_status(dls_scene_add_articulation(scene, def, &error), &error);
    return finish(scene);
}

TEST(test_trees)
{
    uint64_t seed = 17;
    for (size_t links = 8; links <= 40; links += 16)
        for (size_t reach = 1; reach <= 5; reach += 2)
            for (int fixed = 0; fixed < 2; fixed++) {
                dls_model *model = tree(&seed, links, reach, fixed);
                dls_problem *p = problem_of(model);
                assert_true(p->n > 1);
                assert_true(compare_all(p)); /* all of its rows are general ones */
                dls_problem *other = problem_of(model);
                for (size_t i = 1; i < p->n; i += 2) { /* some with friction */
                    p->parent[i] = i - 1, p->law[i] = DLS_LAW_BOX, p->mu[i] = 0.4;
                    p->lo[i] = p->hi[i] = 0.0;
                    p->n_coupled++;
                }
                assert_status(dls_problem_check(p, NULL), NULL);
                assert_true(compare_all(p));
                for (const dls_sweep_path *path = dls_sweep_paths; path->name; path++)
                    if (path->available())
                        compare_together(p, other, path);
                dls_problem_destroy(other);
                dls_problem_destroy(p);
                dls_model_destroy(model);
            }
}

/* --- what is stored --- */

/* Two branches of twelve hinges on a fixed root and a mimic in each: the rows do not know of the other branch. */
TEST(test_only_what_is_not_zero_is_stored)
{
    enum { BRANCH = 12 };
    uint64_t seed = 3;
    dls_error error;
    dls_scene *scene;
    dls_packed *packed;
    dls_articulation_def *def = new_articulation(true);
    dls_link_def root = new_link("link0", "", "fix");
    add_link(def, &root);
    snprintf(def->name, sizeof def->name, "tree");
    for (size_t i = 1; i <= 2 * BRANCH; i++) {
        char name[32], parent[32];
        snprintf(name, sizeof name, "link%zu", i);
        snprintf(parent, sizeof parent, "link%zu", i % BRANCH == 1 ? 0 : i - 1);
        dls_link_def link = new_link(name, parent, "revolute");
        link.mass = 1.3, link.centre = draw3(&seed), link.inertia = draw_inertia(&seed, 1.3);
        link.parent_frame.p = draw3(&seed);
        add_link(def, &link);
    }
    assert_status(dls_scene_create(&scene, &error), &error);
    couple(scene, 1, 11), couple(scene, BRANCH + 5, BRANCH + 6);
    assert_status(dls_scene_add_articulation(scene, def, &error), &error);
    dls_model *model = finish(scene);
    dls_problem *p = problem_of(model);
    assert_status(dls_packed_create(1.0, &packed, &error), &error);
    assert_status(dls_packed_load(packed, p, NULL, &error), &error);
    assert_int_equal(packed->n_general, 2);
    for (size_t k = 0; k < 2; k++) {
        const dls_general_row *row = &packed->general[k];
        size_t expected = packed->where[0] == row->lambda ? 2 : 1,
               from = expected == 2 ? 0 : BRANCH; /* columns 0 and 10; 16 and 17 */
        assert_int_equal(row->n_J, expected);
        assert_int_equal(packed->segments[row->J].vectors, 1);
        assert_int_equal(row->n_B, 1);
        assert_int_equal(packed->segments[row->B].y, from);
        assert_int_equal(packed->segments[row->B].vectors, BRANCH / DLS_LANES);
    }
    dls_packed_destroy(packed);
    dls_problem_destroy(p);
    dls_model_destroy(model);
}
