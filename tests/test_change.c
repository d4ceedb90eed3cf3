/* Mechanisms that change between steps: what both have by name goes on to the bit, what is new is placed where the
 * bodies are, and what vanished takes nothing along. */
#include "failing_memory.h"
#include "stepping.h"
#include "world.h"

#include "delassus/change.h"

#include <string.h>

/* The run goes on with the scene of that text; the old model is destroyed. */
static void change_to(run *r, const char *text, dls_change *change)
{
    dls_model *changed;
    dls_error error;
    dls_scene *scene = parse_scene(text);
    assert_status(dls_model_create_changed(scene, r->model, dls_simulation_state(r->simulation), &changed, &error),
                  &error);
    dls_scene_destroy(scene);
    assert_status(dls_simulation_change(&r->simulation, changed, change, &error), &error);
    dls_model_destroy(r->model);
    r->model = changed;
}

static const char *fate_of(const dls_change *change, dls_part part, const char *name)
{
    for (size_t k = 0; k < change->count; k++)
        if (change->parts[k].part == part && strcmp(change->parts[k].name, name) == 0)
            return dls_fate_names[change->parts[k].fate];
    return "not told";
}

static dls_vec3 at(const run *r, const char *body)
{
    return dls_simulation_state(r->simulation)->x[dls_model_find_end(r->model, body)];
}

static void open_warm(run *r, const char *text, const variant *v)
{
    dls_error error;
    dls_simulation_options options = options_of(r, dls_iterative_find("pgs"), v, 10);
    assert_status(dls_fields_default(&dls_warm_fields, &options.warm, &error), &error);
    run_open(r, parse_model(text), &options);
}

#define TIES                                                                                                      \
    "joints:\n"                                                                                                   \
    "  - {name: hold, type: hinge, body1: stone, anchor: [1, 0.4, 0.3], axis: [0, 1, 0.2]}\n"                     \
    "  - {name: motor, type: motor, coordinates: {hold: 1}, speed: 20, force: 60}\n"                              \
    "  - {name: rope, type: distance, body1: ball, body2: bird.body, anchor1: [-0.4, 0.5, 0.7], anchor2: [-0.7, " \
    "-0.4, 0.9]}\n"                                                                                               \
    "  - {name: servo, type: drive, coordinates: {arm.upper: 1}, stiffness: 200, damping: 20, target: 0.3}\n"

/* A change to the same scene is none: the run goes on to the bit, warm starts and setpoints too, in every scheme. */
TEST(test_no_change)
{
    for (size_t v = 0; v < VARIANTS; v++) {
        run one, two;
        dls_error error;
        dls_change change;
        open_warm(&one, TWO_TREES TIES, &variants[v]);
        open_warm(&two, TWO_TREES TIES, &variants[v]);
        run_steps(&one, 400, 1e-3);
        run_steps(&two, 400, 1e-3);
        assert_status(dls_simulation_drive(one.simulation, 3, (dls_setpoint){0.1, 0.0, 1.0}, &error), &error);
        assert_status(dls_simulation_drive(two.simulation, 3, (dls_setpoint){0.1, 0.0, 1.0}, &error), &error);
        change_to(&two, TWO_TREES TIES, &change);
        for (size_t k = 0; k < change.count; k++)
            assert_int_equal(change.parts[k].fate, DLS_FATE_KEPT);
        assert_int_equal(change.count, dls_model_count(two.model).ends + dls_model_count(two.model).joints);
        dls_change_release(&change);
        run_steps(&one, 200, 1e-3);
        run_steps(&two, 200, 1e-3);
        const dls_state *a = dls_simulation_state(one.simulation), *b = dls_simulation_state(two.simulation);
        assert_true(a->measured[0] > 7.0); /* whole turns */
        assert_memory_equal(&a->time, &b->time, sizeof a->time);
        assert_memory_equal(a->x, b->x, a->n_bodies * sizeof *a->x);
        assert_memory_equal(a->q, b->q, a->n_bodies * sizeof *a->q);
        assert_memory_equal(a->v, b->v, a->nv * sizeof *a->v);
        assert_memory_equal(a->roots, b->roots, a->n_articulations * sizeof *a->roots);
        assert_memory_equal(a->coordinates, b->coordinates, a->n_coordinates * sizeof *a->coordinates);
        assert_memory_equal(a->measured, b->measured, a->n_joints * sizeof *a->measured);
        assert_memory_equal(a->joint_state, b->joint_state, a->n_joint_state * sizeof *a->joint_state);
        run_stop(&one);
        run_stop(&two);
    }
}

/* --- springs that go --- */

#define HELD                                                                                                         \
    "world: {gravity: [0, 0, -10]}\nbodies:\n"                                                                       \
    "  - {name: a, shape: sphere, radius: 0.1, mass: 1.7}\n  - {name: b, shape: sphere, radius: 0.1, mass: 0.6, "    \
    "position: [2, 0, 0]}\njoints:\n  - {name: keep, type: distance, body1: a, anchor1: [0, 0, 0], anchor2: [0, 0, " \
    "1], stiffness: 300, damping: 2}\n"
#define SPRINGS                                                                                      \
    "  - {name: stiff, type: ball, body1: a, anchor: [0, 0, 0], stiffness: 500, damping: 3}\n"       \
    "  - {name: tuned, type: ball, body1: b, anchor: [2, 0, 0], frequency: 3, damping_ratio: 0.3}\n" \
    "  - {name: open, type: distance, body1: b, anchor1: [2, 0, 0], anchor2: [2, 0, 5], max: 6, stiffness: 900}\n"

/* The energy that springs have when a change removes them is told with the next step, and with no other. */
TEST(test_springs_that_are_removed)
{
    for (size_t v = 0; v < VARIANTS; v++) {
        run r;
        start_kept(&r, parse_model(HELD SPRINGS), &variants[v], 20);
        run_steps(&r, 230, 1e-3);
        const dls_vec3 a = at(&r, "a"), b = dls_sub(at(&r, "b"), dls_v3(2, 0, 0));
        const double w = 6.0 * DLS_PI, energy = 250.0 * dls_dot(a, a) + 0.5 * 0.6 * w * w * dls_dot(b, b);
        assert_true(dls_norm(a) > 1e-3 && dls_norm(b) > 1e-3);
        assert_close(dls_simulation_ledger(r.simulation)->elastic_lost, 0.0, 0.0);
        change_to(&r, HELD, NULL);
        run_steps(&r, 1, 1e-3);
        const dls_ledger *l = dls_simulation_ledger(r.simulation);
        assert_close(l->elastic_lost, energy, 1e-10);
        assert_below(dls_ledger_mismatch(l), 1e-12);
        run_steps(&r, 1, 1e-3);
        assert_close(dls_simulation_ledger(r.simulation)->elastic_lost, 0.0, 0.0);
        run_stop(&r);
    }
}

/* --- parts that come and go --- */

static const char arm_of_two[] =
    "world: {gravity: [0, 0, -10]}\n"
    "bodies:\n"
    "  - {name: p, shape: sphere, radius: 0.1, mass: 1.7, position: [3, 0, 0], velocity: [0.1, 0.2, 0.3], omega: [1, "
    "2, "
    "3]}\n"
    "  - {name: q, shape: box, size: [0.3, 0.2, 0.1], mass: 0.4, position: [4, 0, 0], omega: [0.3, 0.1, 2]}\n"
    "articulations:\n"
    "  - name: arm\n"
    "    links:\n"
    "      - {name: base, static: true}\n"
    "      - {name: upper, parent: base, motion: revolute, axis: [0, 1, 0], anchor: [0, 0, 0], shape: sphere, radius: "
    "0.1, mass: 1.7, position: [0.4, 0, 0]}\n"
    "      - {name: fore, parent: upper, motion: revolute, axis: [0, 1, 0.3], anchor: [0.4, 0, 0], shape: sphere, "
    "radius: 0.1, mass: 0.6, position: [0.7, 0, 0]}\n";
/* In another order, with a link and a body more, and without q. */
static const char arm_of_three[] =
    "world: {gravity: [0, 0, -10]}\n"
    "bodies:\n"
    "  - {name: fresh, shape: sphere, radius: 0.1, mass: 1.7, position: [9, 0, 0], velocity: [0.7, 0, 0]}\n"
    "  - {name: p, shape: sphere, radius: 0.1, mass: 1.7, position: [3, 0, 0], velocity: [0.1, 0.2, 0.3], omega: [1, "
    "2, "
    "3]}\n"
    "articulations:\n"
    "  - name: arm\n"
    "    links:\n"
    "      - {name: base, static: true}\n"
    "      - {name: fin, parent: base, motion: spherical, anchor: [0, 0, 0], shape: sphere, radius: 0.1, mass: 0.2, "
    "position: [0, 0.2, 0]}\n"
    "      - {name: upper, parent: base, motion: revolute, axis: [0, 1, 0], anchor: [0, 0, 0], shape: sphere, radius: "
    "0.1, mass: 1.7, position: [0.4, 0, 0]}\n"
    "      - {name: fore, parent: upper, motion: revolute, axis: [0, 1, 0.3], anchor: [0.4, 0, 0], shape: sphere, "
    "radius: 0.1, mass: 0.6, position: [0.7, 0, 0]}\n";

TEST(test_links_and_bodies)
{
    run r;
    dls_change change;
    start(&r, parse_model(arm_of_two), &variants[0], 10);
    run_steps(&r, 700, 1e-3);
    dls_state *then = new_state(r.model);
    dls_state_copy(then, dls_simulation_state(r.simulation));
    change_to(&r, arm_of_three, &change);
    assert_string_equal(fate_of(&change, DLS_PART_BODY, "p"), "kept");
    assert_string_equal(fate_of(&change, DLS_PART_BODY, "q"), "gone");
    assert_string_equal(fate_of(&change, DLS_PART_BODY, "fresh"), "new");
    assert_string_equal(fate_of(&change, DLS_PART_LINK, "arm.fin"), "new");
    assert_string_equal(fate_of(&change, DLS_PART_LINK, "arm.upper"), "kept");
    assert_string_equal(fate_of(&change, DLS_PART_LINK, "arm.fore"), "kept");
    assert_int_equal(change.count, 7);
    dls_change_release(&change);
    const dls_state *now = dls_simulation_state(r.simulation);
    assert_memory_equal(&now->x[1], &then->x[0], sizeof *now->x);
    assert_memory_equal(&now->q[1], &then->q[0], sizeof *now->q);
    assert_memory_equal(now->v + 6, then->v, 6 * sizeof *now->v);
    assert_close(now->v[0], 0.7, 0.0);
    const dls_articulation *tree = dls_model_articulations(r.model)[0].tree;
    const char *const links[] = {"upper", "fore"};
    for (size_t k = 0; k < 2; k++) {
        const dls_link *link = &tree->links[dls_articulation_find_link(tree, links[k])];
        assert_memory_equal(&now->coordinates[link->position], &then->coordinates[k], sizeof *now->coordinates);
        assert_memory_equal(&now->v[12 + link->dof], &then->v[12 + k], sizeof *now->v);
    }
    run_steps(&r, 100, 1e-3);
    change_to(&r, arm_of_two, NULL); /* and back: q starts as its scene has it */
    assert_close(at(&r, "q").x, 4.0, 0.0);
    run_steps(&r, 100, 1e-3);
    dls_state_destroy(then);
    run_stop(&r);
}

/* Two bodies that fly are welded where they are: nothing jumps, and their momentum stays. */
TEST(test_a_new_joint)
{
    static const char bodies[] =
        "world: {gravity: [0, 0, 0]}\n"
        "bodies:\n"
        "  - {name: p, shape: sphere, radius: 0.1, mass: 1.7, position: [0, 0, 0], velocity: [0.1, 0.2, 0.3], omega: "
        "[1, "
        "2, 3]}\n"
        "  - {name: q, shape: sphere, radius: 0.1, mass: 0.4, position: [1, 0, 0], velocity: [-0.4, 0.1, 0]}\n";
    for (size_t v = 0; v < VARIANTS; v++) {
        run r;
        char text[2048];
        dls_vec3 p[2], L[2];
        dls_change change;
        start(&r, parse_model(bodies), &variants[v], 200);
        run_steps(&r, 500, 1e-3);
        const dls_vec3 one = at(&r, "p"), two = at(&r, "q");
        snprintf(text, sizeof text,
                 "%sjoints:\n  - {name: weld, type: fixed, body1: p, body2: q, anchor: [%.17g, 0.1, 0]}\n", bodies,
                 0.5 * (one.x + two.x));
        momentum_of(r.model, dls_simulation_state(r.simulation), &p[0], &L[0]);
        change_to(&r, text, &change);
        assert_string_equal(fate_of(&change, DLS_PART_JOINT, "weld"), "new");
        dls_change_release(&change);
        assert_memory_equal(&one, &dls_simulation_state(r.simulation)->x[0], sizeof one);
        assert_close(joint_error(r.model, dls_simulation_state(r.simulation), "weld"), 0.0, 1e-15);
        run_steps(&r, 1, 1e-3);
        assert_int_equal(dls_simulation_problem(r.simulation)->n, 6);
        momentum_of(r.model, dls_simulation_state(r.simulation), &p[1], &L[1]);
        assert_close(dls_norm(dls_sub(p[1], p[0])), 0.0, acts_in_pairs(&variants[v]) ? 1e-15 : 1e-6);
        run_steps(&r, 300, 1e-3);
        momentum_of(r.model, dls_simulation_state(r.simulation), &p[1], &L[1]);
        assert_close(dls_norm(dls_sub(p[1], p[0])), 0.0,
                     acts_in_pairs(&variants[v]) ? 300.0 * 200.0 * 0x1p-53 * 0.6 : 1e-6); /* a rounding per substep */
        change_to(&r, bodies, NULL);                                                      /* and apart again */
        momentum_of(r.model, dls_simulation_state(r.simulation), &p[0], &L[0]);
        assert_memory_equal(&p[0], &p[1], sizeof p[0]);
        assert_memory_equal(&L[0], &L[1], sizeof L[0]);
        run_steps(&r, 1, 1e-3);
        assert_int_equal(dls_simulation_problem(r.simulation)->n, 0);
        run_stop(&r);
    }
}

/* A broken joint stays broken; a part of another kind is another part. */
TEST(test_kinds)
{
    run r;
    dls_error error;
    dls_change change;
    start(
        &r,
        parse_model("bodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1]}\n  - {name: b, mass: 1, inertia: [1, 1, 1]}\n"
                    "joints:\n  - {name: j, type: ball, body1: a, anchor: [0, 0, 0]}\n  - {name: k, type: ball, body1: "
                    "b, anchor: [0, 0, 0]}\n"),
        &variants[0], 10);
    run_steps(&r, 3, 1e-3);
    assert_status(dls_simulation_break(r.simulation, 0, &error), &error);
    assert_status(dls_simulation_break(r.simulation, 1, &error), &error);
    change_to(&r,
              "bodies:\n  - {name: b, static: true}\n  - {name: a, mass: 1, inertia: [1, 1, 1]}\n"
              "joints:\n  - {name: k, type: hinge, body1: a, anchor: [0, 0, 0], axis: [0, 0, 1]}\n  - {name: j, type: "
              "ball, body1: a, anchor: [0, 0, 0]}\n",
              &change);
    assert_string_equal(fate_of(&change, DLS_PART_BODY, "b"), "gone");
    assert_string_equal(fate_of(&change, DLS_PART_JOINT, "k"), "gone");
    assert_string_equal(fate_of(&change, DLS_PART_JOINT, "j"), "kept");
    assert_int_equal(change.count, 6);
    dls_change_release(&change);
    assert_int_equal(dls_simulation_state(r.simulation)->broken[1], 1);
    assert_int_equal(dls_simulation_state(r.simulation)->broken[0], 0);
    run_steps(&r, 1, 1e-3);
    assert_int_equal(dls_simulation_problem(r.simulation)->n, 5);

    dls_model *wrong; /* a scene in error changes nothing */
    const char *text = "bodies:\n  - {name: a, mass: 1}\n";
    dls_scene *scene = parse_scene(text);
    assert_int_equal(dls_model_create_changed(scene, r.model, dls_simulation_state(r.simulation), &wrong, &error),
                     DLS_BAD_INPUT);
    dls_scene_destroy(scene);
    run_steps(&r, 1, 1e-3);
    run_stop(&r);
}

/* --- contacts --- */

#define PILE_WORLD "world: {gravity: [0.4, 0.2, -10], collide: true, contact_margin: 1 mm, friction: box}\nbodies:\n"
#define PILE_GROUND "  - {name: ground, shape: box, size: [9, 9, 0.2], static: true, position: [0, 0, -0.1]}\n"
#define PILE_LOW "  - {name: low, shape: box, size: [0.5, 0.4, 0.3], mass: 3.1, position: [0, 0, 0.15]}\n"
#define PILE_HIGH "  - {name: high, shape: box, size: [0.4, 0.5, 0.2], mass: 1.7, position: [0.03, 0.02, 0.4]}\n"
#define PILE_BALL "  - {name: ball, shape: sphere, radius: 0.2, mass: 0.6, position: [2, 0, 0.2]}\n"

/* The impulse of all contacts of a pair on the body `on`, with the next solve's start, or the last one's result. */
static dls_vec3 impulse_on(const run *r, const char *on, const char *other)
{
    const size_t ends[2] = {dls_model_find_end(r->model, on), dls_model_find_end(r->model, other)};
    const dls_contacts *contacts = dls_simulation_contacts(r->simulation);
    const double *lambda = dls_simulation_impulses(r->simulation);
    dls_vec3 sum = {0.0, 0.0, 0.0};
    for (size_t k = 0, row = 0; k < contacts->count; row += dls_contact_count(&contacts->at[k++])) {
        const dls_contact *c = &contacts->at[k];
        dls_vec3 u1, u2, p;
        dls_tangents(c->normal, &u1, &u2);
        p = dls_add(dls_scale(lambda[row], c->normal),
                    dls_add(dls_scale(lambda[row + 1], u1), dls_scale(lambda[row + 2], u2)));
        for (int i = 0; i < 2; i++)
            if (c->body[i] == ends[0] && c->body[1 - i] == ends[1])
                sum = dls_add(sum, dls_scale(i ? -1.0 : 1.0, p));
    }
    return sum;
}

/* The same scene again changes nothing, contacts included, even where a solve is far from converged. */
TEST(test_contacts_go_on)
{
    for (size_t v = 0; v < VARIANTS; v++) {
        run one, two;
        open_warm(&one, PILE_WORLD PILE_GROUND PILE_LOW PILE_HIGH PILE_BALL, &variants[v]);
        open_warm(&two, PILE_WORLD PILE_GROUND PILE_LOW PILE_HIGH PILE_BALL, &variants[v]);
        for (int change = 0; change < 3; change++) {
            run_steps(&one, 50, 1e-3);
            run_steps(&two, 50, 1e-3);
            change_to(&two, PILE_WORLD PILE_GROUND PILE_LOW PILE_HIGH PILE_BALL, NULL);
        }
        run_steps(&one, 50, 1e-3);
        run_steps(&two, 50, 1e-3);
        const dls_state *a = dls_simulation_state(one.simulation), *b = dls_simulation_state(two.simulation);
        assert_memory_equal(a->x, b->x, a->n_bodies * sizeof *a->x);
        assert_memory_equal(a->v, b->v, a->nv * sizeof *a->v);
        run_stop(&one);
        run_stop(&two);
    }
}

/* Contacts that persist start where they were, in whatever order the bodies are now: the solve of the next step begins
 * with the impulses of the step before on each body. What touched the vanished body starts again. */
TEST(test_contacts_in_another_order)
{
    run r;
    dls_error error;
    open_warm(&r, PILE_WORLD PILE_GROUND PILE_LOW PILE_HIGH PILE_BALL, &variants[0]);
    run_steps(&r, 300, 1e-3);
    const dls_vec3 high = impulse_on(&r, "high", "low"), low = impulse_on(&r, "low", "ground");
    assert_true(high.z > 0.8 * 1.7 * 10e-3 && low.z > 0.8 * 4.8 * 10e-3 && dls_norm(dls_v3(low.x, low.y, 0.0)) > 1e-4);
    change_to(&r, PILE_WORLD PILE_HIGH PILE_LOW PILE_GROUND, NULL);
    assert_status(dls_stage_linearise(r.simulation, 1e-3, &error), &error);
    const dls_vec3 high2 = impulse_on(&r, "high", "low"), low2 = impulse_on(&r, "low", "ground");
    assert_close(dls_norm(dls_sub(high2, high)), 0.0, 1e-15); /* tangents are drawn again for the opposite normal */
    assert_close(dls_norm(dls_sub(low2, low)), 0.0, 1e-15);
    run_stop(&r);

    open_warm(&r, PILE_WORLD PILE_GROUND PILE_LOW PILE_HIGH PILE_BALL, &variants[0]);
    run_steps(&r, 300, 1e-3);
    change_to(&r, PILE_WORLD PILE_GROUND PILE_LOW PILE_BALL, NULL);
    assert_status(dls_stage_linearise(r.simulation, 1e-3, &error), &error);
    const dls_vec3 alone = impulse_on(&r, "low", "ground");
    assert_memory_equal(&alone, &low, sizeof low);
    run_stop(&r);
}

/* --- memory --- */

static void fail_each_allocation(const char *text, size_t least)
{
    run r, alone;
    dls_error error;
    open_warm(&r, text, &variants[0]);
    open_warm(&alone, text, &variants[0]);
    run_steps(&r, 5, 1e-3);
    run_steps(&alone, 5, 1e-3);
    dls_scene *scene = parse_scene(text);
    size_t k = 1;
    for (dls_status status = DLS_NO_MEMORY; status != DLS_OK; k++) {
        dls_model *changed = NULL;
        dls_simulation *before = r.simulation;
        dls_change change = {0};
        allocations = 0, fail_at = k;
        status = dls_model_create_changed(scene, r.model, dls_simulation_state(r.simulation), &changed, &error);
        if (status == DLS_OK)
            status = dls_simulation_change(&r.simulation, changed, &change, &error);
        fail_at = 0;
        dls_change_release(&change);
        if (status == DLS_OK) {
            dls_model_destroy(r.model);
            r.model = changed;
            break;
        }
        assert_int_equal(status, DLS_NO_MEMORY);
        assert_ptr_equal(r.simulation, before);
        dls_model_destroy(changed);
    }
    print_message("# %zu allocations\n", k - 1);
    assert_true(k > least);
    dls_scene_destroy(scene);
    run_steps(&r, 20, 1e-3);
    run_steps(&alone, 20, 1e-3);
    const dls_state *a = dls_simulation_state(r.simulation), *b = dls_simulation_state(alone.simulation);
    assert_memory_equal(a->v, b->v, a->nv * sizeof *a->v);
    assert_memory_equal(a->coordinates, b->coordinates, a->n_coordinates * sizeof *a->coordinates);
    run_stop(&r);
    run_stop(&alone);
}

/* Whichever allocation fails, the simulation is what it was, and goes on as one that was left alone. */
TEST(test_every_allocation_may_fail)
{
    fail_each_allocation(TWO_TREES TIES, 40);
    fail_each_allocation(PILE_WORLD PILE_GROUND PILE_LOW PILE_HIGH PILE_BALL, 40);
}

/* --- sleep --- */

#define SHELVES(first)                                                                                      \
    "world: {gravity: [0, 0, -10], sleep: true, sleep_time: 0.1, collide: true, contact_margin: 1 mm}\n"    \
    "bodies:\n" first "  - {name: low, shape: box, size: [2, 2, 0.2], static: true, position: [5, 0, 0]}\n" \
    "  - {name: a, shape: box, size: [0.4, 0.4, 0.4], mass: 2.4, position: [0, 0, 0.3]}\n"                  \
    "  - {name: b, shape: box, size: [0.4, 0.4, 0.4], mass: 2.4, position: [5, 0, 0.3]}\n"

TEST(test_sleepers)
{
    static const char shelf[] =
        SHELVES("  - {name: shelf, shape: box, size: [2, 2, 0.2], static: true, position: [0, 0, 0]}\n");
    static const char beside[] =
        SHELVES("  - {name: shelf, shape: box, size: [2, 2, 0.2], static: true, position: [0, 0, 0]}\n"
                "  - {name: wall, shape: box, size: [0.2, 2, 2], static: true, position: [0.3, 0, 1]}\n");
    run r;
    size_t count;
    start(&r, parse_model(shelf), &variants[0], 100);
    run_steps(&r, 200, 1e-3);
    assert_true(dls_simulation_asleep(r.simulation, dls_model_find_end(r.model, "a")));
    const dls_vec3 b = at(&r, "b");
    change_to(&r, beside, NULL); /* a wall that touches a */
    assert_true(!dls_simulation_asleep(r.simulation, dls_model_find_end(r.model, "a")));
    assert_true(dls_simulation_asleep(r.simulation, dls_model_find_end(r.model, "b")));
    const dls_event *event = dls_simulation_events(r.simulation, &count);
    assert_int_equal(count, 1);
    assert_int_equal(event->kind, DLS_EVENT_WAKE);
    assert_int_equal(event->cause, DLS_CAUSE_CHANGE);
    assert_string_equal(dls_simulation_subject(r.simulation, event), "a");
    run_steps(&r, 400, 1e-3);
    assert_true(dls_simulation_asleep(r.simulation, dls_model_find_end(r.model, "a")));
    change_to(&r, SHELVES(""), NULL); /* no shelf any more */
    assert_true(!dls_simulation_asleep(r.simulation, dls_model_find_end(r.model, "a")));
    run_steps(&r, 100, 1e-3);
    assert_true(at(&r, "a").z < 0.3 - 0.04);
    assert_true(dls_simulation_asleep(r.simulation, dls_model_find_end(r.model, "b")));
    const dls_vec3 later = at(&r, "b");
    assert_memory_equal(&b, &later, sizeof b);
    run_stop(&r);
}

/* Two scenes with the same parts in other orders, and one of each kind that the other has not. */
#define BODY(name) "  - {name: " name ", shape: sphere, radius: 0.1, mass: 2, position: [0, 0, 9]}\n"
#define LIFT(name) "  - {name: " name ", kinematic: true, velocity: [0, 0, 0.3]}\n"
#define SOLID "shape: box, size: [0.1, 0.1, 0.3], mass: 1"
#define TURNS(name) \
    "      - {name: " name ", parent: base, motion: revolute, " SOLID ", anchor: [0, 0, 0], axis: [0, 1, 0]}\n"
#define SLIDES(name) \
    "      - {name: " name ", parent: base, motion: prismatic, " SOLID ", anchor: [0, 0, 0], axis: [1, 0, 0]}\n"
#define TREE(name, root, links) "  - name: " name "\n    links:\n      - {name: base, " root "}\n" links
static const char carried_from[] = "bodies:\n" BODY("a") LIFT("l") BODY("gone") LIFT("k")
    BODY("b") "articulations:\n" TREE("t", "static: true", TURNS("p") SLIDES("q")) TREE("lost", SOLID,
                                                                                        TURNS("p") SLIDES("q"))
        TREE("u", SOLID,
             TURNS("p")
                 SLIDES("q")) "joints:\n"
                              "  - {name: h, type: hinge, body1: a, anchor: [0, 0, 9], axis: [0, 1, 0]}\n"
                              "  - {name: d, type: drive, coordinates: {h: 1}, stiffness: 200, target: 0.3}\n"
                              "  - {name: e, type: drive, coordinates: {t.p: 1, u.q: [2, 3]}, stiffness: 100, target: "
                              "0.5}\n"
                              "  - {name: bent, type: drive, coordinates: {t.p: [1, 2]}, stiffness: 100, target: 0.1}\n"
                              "  - {name: other, type: ball, body1: b, anchor: [0, 0, 9]}\n"
                              "  - {name: s, type: slider, body1: b, axis: [1, 0, 0]}\n";
static const char carried_to[] = "bodies:\n" LIFT("k") BODY("b") BODY("new") LIFT("l")
    BODY("a") "articulations:\n" TREE("u", SOLID, SLIDES("q") TURNS("r")) TREE("fresh", SOLID, TURNS("p") SLIDES("q"))
        TREE("t", "static: true",
             SLIDES("q")
                 TURNS("p")) "joints:\n"
                             "  - {name: s, type: slider, body1: b, axis: [1, 0, 0]}\n"
                             "  - {name: other, type: ball, body1: a, anchor: [0, 0, 9]}\n"
                             "  - {name: e, type: drive, coordinates: {t.p: 1, u.q: [2, 3]}, stiffness: 100, target: "
                             "0.5}\n"
                             "  - {name: bent, type: drive, coordinates: {t.p: [1, 4]}, stiffness: 100, target: 0.2}\n"
                             "  - {name: g, type: drive, coordinates: {u.r: 1}, stiffness: 100, target: 0.25}\n"
                             "  - {name: h, type: hinge, body1: a, anchor: [0, 0, 9], axis: [0, 1, 0]}\n"
                             "  - {name: d, type: drive, coordinates: {h: 1}, stiffness: 200, target: 0.3}\n";

/* Numbers of a state that are all different, and none of which is in an initial state. */
static void fill(dls_state *state, dls_model_counts counts)
{
    double next = 1000.0;
    double *const reals[] = {state->v,
                             state->force,
                             state->link_force ? &state->link_force[0].lin.x : NULL,
                             state->measured,
                             state->joint_state,
                             state->coordinates,
                             &state->prescribed[0].lin.x};
    const size_t many[] = {counts.nv,
                           counts.nv,
                           6 * counts.links,
                           counts.joints,
                           state->n_joint_state,
                           counts.coordinates,
                           6 * state->n_prescribed};
    for (size_t k = 0; k < sizeof reals / sizeof reals[0]; k++)
        for (size_t i = 0; i < many[k]; i++)
            reals[k][i] = next++;
    for (size_t i = 0; i < counts.bodies; i++) {
        state->x[i] = dls_v3(next, next + 1.0, next + 2.0), next += 3.0;
        state->q[i] = dls_quat_exp(dls_v3(next / 9000.0, 0.1, 0.2)), next++;
    }
    for (size_t i = 0; i < counts.articulations; i++)
        state->roots[i].p = dls_v3(next, next + 1.0, next + 2.0), next += 3.0;
    for (size_t i = 0; i < counts.blocks; i++)
        state->asleep[i] = i % 2, state->calm[i] = next++;
    for (size_t i = 0; i < counts.joints; i++)
        state->broken[i] = i % 2;
}

static void same(const void *a, const void *b, size_t size, const char *what, const char *name)
{
    if (memcmp(a, b, size) != 0)
        fail_msg("%s of %s is another", what, name);
}

/* The twin of a part has its numbers, and a part that is new those of the initial state. */
TEST(test_every_number_goes_along)
{
    dls_model *model = parse_model(carried_from), *changed = parse_model(carried_to);
    dls_state *from = new_state(model), *to = new_state(changed);
    const dls_state *initial = dls_model_initial(changed);
    const dls_model_counts counts = dls_model_count(model), new = dls_model_count(changed);
    dls_error error;
    fill(from, counts);
    from->time = 12.5;
    assert_status(dls_state_carry(model, from, changed, to, NULL, &error), &error);
    assert_close(to->time, 12.5, 0.0);
    for (size_t k = 0; k < new.ends; k++) {
        char name[2 * DLS_NAME_MAX];
        dls_model_end_name(changed, k, name, sizeof name);
        const size_t i = dls_model_find_end(model, name);
        const bool kept = i != SIZE_MAX;
        const dls_state *source = kept ? from : initial;
        const dls_model *of = kept ? model : changed;
        const size_t at = kept ? i : k;
        if (k < new.bodies) {
            const dls_body *body = &dls_model_bodies(changed)[k], *twin = &dls_model_bodies(of)[at];
            same(&to->x[k], &source->x[at], sizeof *to->x, "x", name);
            same(&to->q[k], &source->q[at], sizeof *to->q, "q", name);
            if (body->prescribed != DLS_NONE)
                same(&to->prescribed[body->prescribed], &source->prescribed[twin->prescribed], sizeof *to->prescribed,
                     "prescribed", name);
            if (body->offset == DLS_NONE)
                continue;
            same(to->v + body->offset, source->v + twin->offset, 6 * sizeof(double), "v", name);
            same(to->force + body->offset, source->force + twin->offset, 6 * sizeof(double), "force", name);
            assert_int_equal(to->asleep[body->block], source->asleep[twin->block]);
            assert_true(to->calm[body->block] == source->calm[twin->block]);
            continue;
        }
        size_t link, other;
        const dls_model_articulation *one = dls_model_articulation_of(changed, k, &link),
                                     *two = dls_model_articulation_of(of, at, &other);
        const dls_link *l = &one->tree->links[link], *m = &two->tree->links[other];
        same(&to->link_force[k - new.bodies], &source->link_force[at - (kept ? counts : new).bodies],
             sizeof *to->link_force, "link_force", name);
        same(to->v + one->offset + l->dof, source->v + two->offset + m->dof, l->n_dofs * sizeof(double), "v", name);
        same(to->force + one->offset + l->dof, source->force + two->offset + m->dof, l->n_dofs * sizeof(double),
             "force", name);
        if (l->parent == DLS_NONE) {
            same(&to->roots[one - dls_model_articulations(changed)], &source->roots[two - dls_model_articulations(of)],
                 sizeof *to->roots, "root", name);
            assert_int_equal(to->asleep[one->block], source->asleep[two->block]);
            assert_true(to->calm[one->block] == source->calm[two->block]);
        } else {
            same(to->coordinates + one->position + l->position, source->coordinates + two->position + m->position,
                 l->motion->n_positions * sizeof(double), "coordinates", name);
        }
    }
    /* h, d, e and s are the same joints; `other` ties another body, `bent` has another polynomial, and g is new. */
    for (size_t k = 0; k < new.joints; k++) {
        const dls_joint *joint = &dls_model_joints(changed)[k];
        const size_t i = dls_model_find_joint(model, joint->name);
        const bool kept = i != SIZE_MAX && strcmp(joint->name, "other") != 0 && strcmp(joint->name, "bent") != 0;
        const size_t size = joint->type->n_state * sizeof(double);
        assert_int_equal(to->broken[k], kept ? from->broken[i] : false);
        if (kept)
            same(&to->measured[k], &from->measured[i], sizeof(double), "measured", joint->name);
        same(to->joint_state + joint->joint_state,
             kept ? from->joint_state + dls_model_joints(model)[i].joint_state
                  : initial->joint_state + joint->joint_state,
             size, "joint_state", joint->name);
    }
    dls_state_destroy(from), dls_state_destroy(to);
    dls_model_destroy(model), dls_model_destroy(changed);
}
