/* Warm starts: which impulses the next solve begins with. */
#include "delassus/reference.h"
#include "delassus/solvers.h"

#include "examined.h"
#include "failing_memory.h"
#include "simulation/parts.h"
#include "simulation/warm.h"
#include "world.h"

#include <string.h>

/* --- a simulation whose contacts the test gives --- */

/* A lamp on a ball joint, whose three rows come first, then boxes on the ground. */
static const char scene[] = "bodies:\n"
                            "  - {name: ground, static: true, shape: plane}\n"
                            "  - {name: lamp, shape: sphere, radius: 0.1, mass: 1.3, position: [0, 0, 5]}\n"
                            "  - {repeat: 8, name: 'box{i}', shape: box, size: [1, 1, 1], mass: 2.1, position: {start: "
                            "[0, 0, 0.5], i: [3, 0, 0]}}\n"
                            "joints:\n"
                            "  - {name: hook, type: ball, body1: lamp, anchor: [0, 0, 6]}\n";
enum { JOINT_ROWS = 3, GROUND = 0, BOX = 2, BOXES = 8 };
static const double step_length = 0.01;

static dls_warm warm_starts(const char *on)
{
    dls_warm warm;
    dls_error error;
    assert_status(dls_fields_default(&dls_warm_fields, &warm, &error), &error);
    assert_true(warm.on);
    assert_status(dls_field_set(&dls_warm_fields, &warm, "start", on, &error), &error);
    return warm;
}

static void start(run *r)
{
    dls_simulation_options options = dls_simulation_default();
    options.solver = dls_iterative_find("pgs");
    options.iterations = 1;
    options.warm = warm_starts("true");
    run_open(r, parse_model(scene), &options);
    dls_simulation *s = r->simulation;
    s->lambda = calloc(1000, sizeof(double));
    s->contacts.at = calloc(100, sizeof(dls_contact));
    assert_true(s->lambda && s->contacts.at);
    s->capacity = 1000;
    s->contacts.capacity = 100;
}

/* A point of a box, `at` in its frame. */
static dls_contact contact(dls_simulation *s, size_t box, dls_vec3 at, dls_vec3 normal, double mu)
{
    const dls_configuration *now = dls_simulation_configuration(s);
    const dls_end ground = dls_configuration_end(now, GROUND), end = dls_configuration_end(now, BOX + box);
    const dls_vec3 p = dls_add(end.x, dls_mul3(end.R, at));
    return (dls_contact){.body = {GROUND, BOX + box},
                         .point = {p, p},
                         .place = {dls_tmul3(ground.R, dls_sub(p, ground.x)), dls_tmul3(end.R, dls_sub(p, end.x))},
                         .normal = normal,
                         .mu = mu,
                         .friction = DLS_LAW_BOX};
}

/* As dls_stage_linearise, with contacts of our own. */
static dls_status try_begin(dls_simulation *s, const dls_contact *contacts, size_t count, double h, dls_error *error)
{
    dls_warm_remember(s);
    assert_true(count <= 100);
    if (count)
        memcpy(s->contacts.at, contacts, count * sizeof *contacts);
    s->contacts.count = count;
    dls_simulation_update(s);
    DLS_TRY(dls_configuration_factor(s->now, error));
    DLS_TRY(dls_row_list_fill(s->rows, s->now, &s->contacts, h, error));
    DLS_TRY(dls_problem_assemble(s->problem, s->now, s->state, s->rows, h, error));
    memset(s->lambda, 0, s->problem->n * sizeof *s->lambda);
    return dls_warm_begin(s, h, error);
}

static void begin(dls_simulation *s, const dls_contact *contacts, size_t count, double h)
{
    dls_error error;
    assert_status(try_begin(s, contacts, count, h, &error), &error);
}

/* --- places --- */

static const dls_vec3 up = {0, 0, 1};

/* All orders of four contacts of one pair: impulses stay with their places. */
TEST(test_order_of_a_pair)
{
    static const double offset[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {-0.5, 0.5}, {-0.495, 0.49}};
    run r;
    start(&r);
    dls_simulation *s = r.simulation;
    dls_contact old[4], now[4];
    for (int k = 0; k < 4; k++)
        old[k] = contact(s, 0, dls_v3(offset[k][0], offset[k][1], -0.5), up, 0.0);
    for (int code = 0; code < 256; code++) {
        int order[4] = {code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6};
        bool permutation = (1 << order[0] | 1 << order[1] | 1 << order[2] | 1 << order[3]) == 15;
        if (!permutation)
            continue;
        begin(s, old, 4, step_length);
        for (int k = 0; k < 4; k++)
            s->lambda[JOINT_ROWS + k] = k + 1.0;
        /* The last two are near each other, and both move on towards where the third was. */
        for (int k = 0; k < 4; k++)
            now[k] = contact(
                s, 0, dls_v3(offset[order[k]][0], offset[order[k]][1] + (order[k] >= 2 ? 0.004 : 0.0), -0.5), up, 0.0);
        begin(s, now, 4, step_length);
        for (int k = 0; k < 4; k++)
            assert_true(s->lambda[JOINT_ROWS + k] == order[k] + 1.0);
    }
    run_stop(&r);
}

/* Contacts of a link with several shapes: more of a pair than one pair of shapes has, and among those of another pair.
 */
TEST(test_several_shapes)
{
    enum { COUNT = 24 };
    run r;
    start(&r);
    dls_simulation *s = r.simulation;
    dls_contact old[COUNT], now[COUNT];
    for (int k = 0; k < COUNT; k++) /* pairs 0, 1, 2, 0, 1, 2, ... and friction on every other contact of a pair */
        old[k] = contact(s, (size_t)k % 3, dls_v3(0.1 * (k / 3) - 0.4, 0.3, -0.5), up, k % 2 ? 0.5 : 0.0);
    begin(s, old, COUNT, step_length);
    for (int k = 0, row = JOINT_ROWS; k < COUNT; row += k++ % 2 ? 3 : 1) {
        s->lambda[row] = k + 1.0;
        if (k % 2)
            s->lambda[row + 1] = 0.25 * k, s->lambda[row + 2] = -0.5 * k;
    }
    for (int k = 0; k < COUNT; k++) /* the same in another order of shapes */
        now[k] = old[(7 * k + 5) % COUNT];
    begin(s, now, COUNT, step_length);
    for (int k = 0, row = JOINT_ROWS; k < COUNT; k++) {
        const int was = (7 * k + 5) % COUNT;
        assert_true(s->lambda[row] == was + 1.0);
        if (was % 2) {
            assert_close(s->lambda[row + 1], 0.25 * was, 1e-14);
            assert_close(s->lambda[row + 2], -0.5 * was, 1e-14);
        }
        row += was % 2 ? 3 : 1;
    }
    run_stop(&r);
}

static void add_box(dls_articulation_def *def, const char *link, dls_vec3 size, dls_vec3 at)
{
    dls_error error;
    dls_link_shape box = {.shape = DLS_SHAPE_BOX, .size = size, .frame = {at, dls_quat_identity()}};
    snprintf(box.link, sizeof box.link, "%s", link);
    assert_status(dls_articulation_def_add_shape(def, &box, &error), &error);
}

static dls_articulation_def *new_tree(const char *name, bool fixed_base)
{
    dls_articulation_def *def;
    dls_error error;
    assert_status(dls_articulation_def_create(&def, &error), &error);
    snprintf(def->name, sizeof def->name, "%s", name);
    def->fixed_base = fixed_base;
    return def;
}

static void add_link(dls_articulation_def *def, const char *name, const char *parent, dls_vec3 at)
{
    dls_error error;
    dls_link_def link;
    dls_link_default(&link);
    snprintf(link.name, sizeof link.name, "%s", name);
    snprintf(link.parent, sizeof link.parent, "%s", parent);
    link.mass = 8.0, link.inertia = (dls_mat3){{0.7, 0, 0, 0, 0.6, 0, 0, 0, 1.1}};
    link.position = link.parent_frame.p = at;
    assert_status(dls_articulation_def_add(def, &link, &error), &error);
}

/* A table at rest, two of whose feet stand on one slab and lie between those on the other in the list of shapes: each
 * solve begins where the last one ended, in every row. */
TEST(test_a_table_on_two_slabs)
{
    dls_scene *scene_of_both = new_scene();
    dls_error error;
    run r;
    dls_articulation_def *table = new_tree("table", false), *slabs = new_tree("slabs", true);
    add_link(table, "top", "", dls_v3(0.03, 0.05, 0.4));
    for (int k = 0; k < 4; k++)
        add_box(table, "top", dls_v3(0.1, 0.1, 0.4), dls_v3(k == 1 || k == 2 ? 0.5 : -0.5, k / 2 ? 0.4 : -0.4, -0.2));
    add_link(slabs, "left", "", dls_v3(-1.1, 0, -0.5));
    add_link(slabs, "right", "left", dls_v3(2.2, 0, 0));
    add_box(slabs, "left", dls_v3(2, 4, 1), dls_v3(0, 0, 0));
    add_box(slabs, "right", dls_v3(2, 4, 1), dls_v3(0, 0, 0));
    assert_status(dls_scene_add_articulation(scene_of_both, table, &error), &error);
    assert_status(dls_scene_add_articulation(scene_of_both, slabs, &error), &error);
    scene_of_both->world.collide = true;
    scene_of_both->world.contact_margin = 0.001;
    dls_simulation_options options = dls_simulation_default();
    options.solver = dls_iterative_find("pgs");
    options.iterations = 30;
    options.warm = warm_starts("true");
    run_open(&r, finish(scene_of_both), &options);
    run_steps(&r, 800, 5e-3);
    const dls_contacts *contacts = dls_simulation_contacts(r.simulation);
    double before[48], apart = 0.0, weight = 0.0;
    assert_int_equal(contacts->count, 16);
    assert_true(contacts->at[0].body[1] != contacts->at[4].body[1] &&
                contacts->at[0].body[1] == contacts->at[12].body[1]);
    memcpy(before, r.simulation->lambda, sizeof before);
    dls_stage_begin(r.simulation);
    assert_status(dls_stage_linearise(r.simulation, 5e-3, &error), &error);
    for (int i = 0; i < 48; i++)
        apart = fmax(apart, fabs(r.simulation->lambda[i] - before[i])), weight += i % 3 ? 0.0 : before[i];
    assert_close(weight, 8.0 * 9.81 * 5e-3, 1e-6);
    assert_below(apart, 1e-12);
    for (size_t k = 0; k < contacts->count; k++) /* each slab's contacts share the mass */
        assert_close(contacts->at[k].friction_mass, 1.0, 1e-15);
    run_stop(&r);
}

/* A box slides and turns: its corners are the same contacts in its own frame, a peg of the ground in the ground's.
 * What has moved in both by more than the limit is another contact; the limit itself is not. */
TEST(test_sliding_and_limit)
{
    run r;
    start(&r);
    dls_simulation *s = r.simulation;
    const dls_vec3 corner = {0.4, 0.3, -0.5};
    for (int k = 0; k < 4; k++) {
        double moved = (const double[]){0.0, 0.0, 0.0199, 0.0201}[k];
        bool peg = k == 1;
        dls_contact one = contact(s, 0, corner, up, 0.0);
        begin(s, &one, 1, step_length);
        s->lambda[JOINT_ROWS] = 7.0;
        dls_state *state = dls_simulation_edit(s);
        state->x[BOX] = dls_add(state->x[BOX], dls_v3(0.5, -0.2, 0.0));
        state->q[BOX] = dls_quat_exp(dls_v3(0, 0, 0.3 + k));
        if (!peg)
            one = contact(s, 0, dls_add(corner, dls_v3(moved, 0.0, 0.0)), up, 0.0);
        begin(s, &one, 1, step_length);
        assert_true(s->lambda[JOINT_ROWS] == (moved > 0.02 ? 0.0 : 7.0));
    }
    s->warm.distance = 0.0;
    dls_contact one = contact(s, 0, corner, up, 0.0);
    begin(s, &one, 1, step_length);
    s->lambda[JOINT_ROWS] = 7.0;
    begin(s, &one, 1, step_length);
    assert_true(s->lambda[JOINT_ROWS] == 7.0);
    run_stop(&r);
}

/* Another pair of bodies at the same place is another contact. */
TEST(test_bodies_count)
{
    run r;
    start(&r);
    dls_simulation *s = r.simulation;
    dls_contact one = contact(s, 1, dls_v3(0, 0, -0.5), up, 0.0);
    begin(s, &one, 1, step_length);
    s->lambda[JOINT_ROWS] = 7.0;
    one.body[1] = BOX + 2;
    begin(s, &one, 1, step_length);
    assert_true(s->lambda[JOINT_ROWS] == 0.0);
    run_stop(&r);
}

/* --- friction --- */

/* The friction of lambda as a vector of the world. */
static dls_vec3 friction_of(const double *lambda, dls_vec3 normal)
{
    dls_vec3 u1, u2;
    dls_tangents(normal, &u1, &u2);
    return dls_add(dls_scale(lambda[1], u1), dls_scale(lambda[2], u2));
}

/* The normal turns by 0.02 rad at a time all around: what was friction stays where it points to, less what has become
 * normal, though the tangents, which are made from the normal's largest components, jump on the way. */
TEST(test_tangents_turn)
{
    run r;
    start(&r);
    dls_simulation *s = r.simulation;
    double jump = 0.0;
    for (int k = 0; k < 315; k++) {
        dls_vec3 n[2];
        for (int i = 0; i < 2; i++)
            n[i] = dls_unit(dls_v3(cos(0.02 * (k + i)), 0.3 * sin(0.06 * (k + i)), sin(0.02 * (k + i))));
        dls_contact one = contact(s, 0, dls_v3(0, 0, -0.5), n[0], 0.5);
        begin(s, &one, 1, step_length);
        double *lambda = s->lambda + JOINT_ROWS;
        lambda[0] = 2.0, lambda[1] = 0.3, lambda[2] = -0.4;
        dls_vec3 before = friction_of(lambda, n[0]), expected = dls_sub(before, dls_scale(dls_dot(before, n[1]), n[1]));
        one = contact(s, 0, dls_v3(0, 0, -0.5), n[1], 0.5);
        begin(s, &one, 1, step_length);
        assert_true(lambda[0] == 2.0);
        assert_below(dls_norm(dls_sub(friction_of(lambda, n[1]), expected)), 1e-15);
        jump = fmax(jump, fabs(lambda[1] - 0.3));
    }
    assert_true(jump > 0.1); /* copied row by row some of them would be wrong by far */
    run_stop(&r);
}

/* A contact that had friction and has none, and the other way round. */
TEST(test_friction_comes_and_goes)
{
    run r;
    start(&r);
    dls_simulation *s = r.simulation;
    double *lambda = s->lambda + JOINT_ROWS;
    dls_contact rough = contact(s, 0, dls_v3(0, 0, -0.5), up, 0.5), smooth = rough;
    smooth.mu = 0.0;
    begin(s, &rough, 1, step_length);
    lambda[0] = 3.0, lambda[1] = 1.0;
    begin(s, &smooth, 1, step_length);
    assert_int_equal(s->problem->n, JOINT_ROWS + 1);
    assert_true(lambda[0] == 3.0);
    begin(s, &rough, 1, step_length);
    assert_true(lambda[0] == 3.0 && lambda[1] == 0.0 && lambda[2] == 0.0);
    run_stop(&r);
}

/* --- time --- */

/* Missed for `misses` steps, a contact is known up to `age` of them. */
TEST(test_age)
{
    run r;
    start(&r);
    dls_simulation *s = r.simulation;
    dls_contact one = contact(s, 0, dls_v3(0, 0, -0.5), up, 0.0);
    for (size_t age = 0; age < 4; age++)
        for (size_t misses = 0; misses < 6; misses++) {
            s->warm.age = age;
            begin(s, &one, 1, step_length);
            s->lambda[JOINT_ROWS] = 7.0;
            for (size_t k = 0; k < misses; k++)
                begin(s, NULL, 0, step_length);
            begin(s, &one, 1, step_length);
            assert_true(s->lambda[JOINT_ROWS] == (misses <= age ? 7.0 : 0.0));
        }
    run_stop(&r);
}

/* Impulses are those of the new step's length, of joints, contacts and contacts that were missed in between. */
TEST(test_step_length)
{
    run r;
    start(&r);
    dls_simulation *s = r.simulation;
    const dls_contact two[2] = {contact(s, 0, dls_v3(0, 0, -0.5), up, 0.5), contact(s, 1, dls_v3(0, 0, -0.5), up, 0.5)};
    begin(s, two, 2, 0.01);
    for (size_t i = 0; i < s->problem->n; i++)
        s->lambda[i] = 1.0 + (double)i;
    begin(s, two, 1, 0.02);
    for (size_t i = 0; i < s->problem->n; i++)
        assert_close(s->lambda[i], 2.0 * (1.0 + (double)i), 1e-15);
    begin(s, two, 2, 0.005);
    for (size_t i = 0; i < s->problem->n; i++)
        assert_close(s->lambda[i], 0.5 * (1.0 + (double)i), 1e-15);
    run_stop(&r);
}

/* --- many pairs, against a memory by number --- */

enum { CORNERS = 4 };
typedef struct place {
    double impulse, h;
    size_t age;
    bool known;
} place;

/* Where the contact with number k of a box lies; they wander by less than a tenth of the limit. */
static dls_vec3 place_of(size_t k, uint64_t *seed)
{
    dls_vec3 wander = dls_scale(1e-3, draw3(seed));
    return dls_add(dls_v3(k & 1 ? 0.4 : -0.4, k & 2 ? 0.4 : -0.4, -0.5), wander);
}

TEST(test_pairs_come_and_go)
{
    uint64_t seed = 7;
    place known[BOXES * CORNERS] = {{0.0, 0.0, 0, false}};
    run r;
    start(&r);
    dls_simulation *s = r.simulation;
    size_t found_again = 0;
    for (int step = 0; step < 400; step++) {
        dls_contact contacts[BOXES * CORNERS];
        size_t number[BOXES * CORNERS], count = 0;
        double h = 0.01 + 0.005 * draw(&seed);
        for (size_t box = 0; box < BOXES; box++) {
            bool present = draw(&seed) > -0.3;
            for (size_t i = 0, first = (size_t)step % CORNERS; i < CORNERS; i++) {
                size_t k = (first + i) % CORNERS; /* in another order every time */
                if (!present || draw(&seed) < -0.6)
                    continue;
                contacts[count] = contact(s, box, place_of(k, &seed), up, 0.0);
                number[count++] = box * CORNERS + k;
            }
        }
        begin(s, contacts, count, h);
        for (size_t i = 0; i < BOXES * CORNERS; i++)
            known[i].age++;
        for (size_t i = 0; i < count; i++) {
            place *p = &known[number[i]];
            bool expect = p->known && p->age <= s->warm.age + 1;
            assert_close(s->lambda[JOINT_ROWS + i], expect ? p->impulse * h / p->h : 0.0, 1e-13);
            found_again += expect && p->age > 1;
            s->lambda[JOINT_ROWS + i] = 2.0 + draw(&seed);
            *p = (place){s->lambda[JOINT_ROWS + i], h, 0, true};
        }
    }
    assert_true(found_again > 1000);
    run_stop(&r);
}

/* --- failures --- */

/* A step that fails before it has a problem leaves contacts and rows that do not belong together. */
TEST(test_failed_steps)
{
    run r;
    start(&r);
    dls_simulation *s = r.simulation;
    dls_error error;
    dls_contact four[4];
    for (int k = 0; k < 4; k++)
        four[k] = contact(s, 0, dls_v3(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, -0.5), up, 0.5);
    begin(s, four, 1, step_length);
    s->lambda[0] = 5.0, s->lambda[JOINT_ROWS] = 7.0;
    assert_int_equal(try_begin(s, four, 4, -1.0, &error), DLS_BAD_ARGUMENT);
    begin(s, four, 1, step_length);
    assert_true(s->lambda[0] == 5.0 && s->lambda[JOINT_ROWS] == 7.0);
    s->lambda[JOINT_ROWS + 1] = NAN; /* diverged: nothing is left to start from */
    for (int k = 0; k < 2; k++) {
        begin(s, four, 4, step_length);
        for (size_t i = 0; i < s->problem->n; i++)
            assert_true(s->lambda[i] == 0.0);
    }
    run_stop(&r);
}

/* Fewer contacts, then all, then fewer: the n-th allocation fails, for every n, and the same step succeeds after it.
 * Once all lists have grown, none is made. */
TEST(test_memory)
{
    for (size_t n = 1, failed = 1; failed; n++) {
        run r;
        start(&r);
        dls_simulation *s = r.simulation;
        dls_contact all[BOXES];
        dls_error error = {.message = ""};
        for (size_t k = 0; k < BOXES; k++)
            all[k] = contact(s, k, dls_v3(0, 0, -0.5), up, 0.0);
        failed = 0;
        allocations = 0;
        for (size_t k = 0; k < 40; k++) {
            size_t count = k % 2 ? BOXES : 1;
            begin(s, NULL, 0, step_length);
            fail_at = allocations < n ? n : 0;
            dls_status status = try_begin(s, all, count, step_length, &error);
            fail_at = 0;
            if (status != DLS_OK) {
                failed++;
                assert_int_equal(status, DLS_NO_MEMORY);
                assert_true(error.status == status && error.message[0]);
                begin(s, all, count, step_length);
            }
        }
        size_t before = allocations;
        for (size_t k = 0; k < 40; k++)
            begin(s, all, k % 3 ? BOXES : k % 2, step_length);
        assert_int_equal(allocations, before);
        run_stop(&r);
    }
}

/* --- stacks --- */

static const char stack[] =
    "world: {gravity: [0, 0, -9.81], step: 10 ms, collide: true, friction: box, mu: 0.5, contact_margin: 0.01}\n"
    "bodies:\n"
    "  - {name: ground, static: true, shape: plane}\n"
    "  - {repeat: 3, name: 'box{i}', shape: box, size: [0.5, 0.4, 0.2], mass: 1.7, position: {start: [0, 0, 0.1], i: "
    "[0.02, 0, 0.2]}}\n";

static void start_stack(run *r, size_t iterations, dls_warm warm)
{
    dls_simulation_options options = dls_simulation_default();
    options.solver = dls_iterative_find("pgs");
    options.iterations = iterations;
    options.warm = warm;
    run_open(r, parse_model(stack), &options);
}

static double residual(const dls_simulation *s)
{
    dls_certificate certificate;
    dls_examiner *examiner = examiner_of(s->problem);
    dls_examine(examiner, s->lambda, NULL, &certificate);
    dls_examiner_destroy(examiner);
    return certificate.scaled_residual;
}

/* Nothing moves: what solved one step solves the next, before its first iteration. From 0 it is as far off as it ever
 * was. */
TEST(test_rest_starts_solved)
{
    run r;
    dls_error error;
    start_stack(&r, 3000, warm_starts("true"));
    for (int k = 0; k < 5; k++) {
        run_steps(&r, 1, 0.01);
        assert_status(dls_stage_linearise(r.simulation, 0.01, &error), &error);
        assert_below(residual(r.simulation), 1e-12);
        memset(r.simulation->lambda, 0, r.simulation->problem->n * sizeof(double));
        assert_true(residual(r.simulation) > 0.05);
        assert_status(dls_simulation_step(r.simulation, 0.01, &error), &error);
    }
    run_stop(&r);
}

/* Over steps the iterations add up: the error falls; cold it stays what one step leaves. */
TEST(test_errors_fall_over_steps)
{
    double left[2];
    for (int on = 0; on < 2; on++) {
        run r;
        start_stack(&r, 20, warm_starts(on ? "true" : "false"));
        run_steps(&r, 100, 0.01);
        left[on] = residual(r.simulation);
        run_stop(&r);
    }
    assert_below(left[1], 1e-6 * left[0]);
}

static bool same_run(const char *one, const char *two)
{
    run r[2];
    start_stack(&r[0], 4, warm_starts(one));
    start_stack(&r[1], 4, strcmp(two, "false") == 0 ? (dls_warm){0} : warm_starts(two));
    run_steps(&r[0], 50, 0.01);
    run_steps(&r[1], 50, 0.01);
    const dls_state *a = dls_simulation_state(r[0].simulation), *b = dls_simulation_state(r[1].simulation);
    bool same = memcmp(a->v, b->v, a->nv * sizeof *a->v) == 0 && memcmp(a->x, b->x, a->n_bodies * sizeof *a->x) == 0 &&
                memcmp(a->q, b->q, a->n_bodies * sizeof *a->q) == 0;
    assert_true((r[1].simulation->warm_store != NULL) == (strcmp(two, "true") == 0));
    run_stop(&r[0]);
    run_stop(&r[1]);
    return same;
}

/* To the bit: twice the same; switched off as if there were none; and on is not off. */
TEST(test_bits)
{
    assert_true(same_run("true", "true"));
    assert_true(same_run("false", "false"));
    assert_false(same_run("true", "false"));
}
