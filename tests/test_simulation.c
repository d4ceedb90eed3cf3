/* A simulation from outside and from within: every scheme is tested, kinematics are evaluated once for each
 * position, a run that has settled takes no memory, assembly uses its memory again, and constraints tell their
 * forces. */
#include "failing_memory.h"
#include "model/model.h"
#include "problems.h"
#include "simulation/parts.h"
#include "stepping.h"
#include "world.h"

#include "delassus/reference.h"

#include <float.h>
#include <string.h>

/* --- every scheme is here --- */

TEST(test_every_scheme_is_in_the_battery)
{
    static const char *const listed[] = {
#define SCHEME(name) #name,
#include "simulation/schemes/schemes.def"
#undef SCHEME
    };
    size_t n = 0;
    for (; dls_schemes[n]; n++) {
        bool found = false;
        for (size_t v = 0; v < VARIANTS; v++)
            found = found || strcmp(variants[v].scheme, dls_schemes[n]->name) == 0;
        if (!found)
            fail_msg("scheme %s is not among the variants of tests/stepping.h", dls_schemes[n]->name);
        for (size_t k = 0; dls_schemes[n]->name[k]; k++)
            assert_true(listed[n][k] == (dls_schemes[n]->name[k] == '-' ? '_' : dls_schemes[n]->name[k]));
    }
    assert_int_equal(n, sizeof listed / sizeof listed[0]);
}

/* --- kinematics, once for each position --- */

/* Every change of positions goes through here (--wrap). */
typedef void advance(dls_configuration *from, dls_configuration *to, dls_state *state, const double *v, double h,
                     bool all);
typedef void advance_kept(dls_configuration *from, dls_configuration *to, dls_state *state, const double *v,
                          const dls_vec3 *centre_speed, double h, bool all);
advance __real_dls_configuration_advance, __wrap_dls_configuration_advance;
advance_kept __real_dls_configuration_advance_kept, __wrap_dls_configuration_advance_kept;
static size_t moves, placements; /* placements: moves that place the centres of mass */

void __wrap_dls_configuration_advance(dls_configuration *from, dls_configuration *to, dls_state *state, const double *v,
                                      double h, bool all)
{
    moves++;
    __real_dls_configuration_advance(from, to, state, v, h, all);
}

void __wrap_dls_configuration_advance_kept(dls_configuration *from, dls_configuration *to, dls_state *state,
                                           const double *v, const dls_vec3 *centre_speed, double h, bool all)
{
    moves++, placements++;
    __real_dls_configuration_advance_kept(from, to, state, v, centre_speed, h, all);
}

/* pgs, with its problems counted, and the memory that it takes for them. */
static size_t loads, taken_by_solver;

static dls_status open_counted(const dls_problem *problem, const void *settings, const double *lambda0, void **work,
                               dls_error *error)
{
    size_t before = allocations;
    dls_status status = dls_iterative_find("pgs")->open(problem, settings, lambda0, work, error);
    taken_by_solver += allocations - before;
    loads++;
    return status;
}

static dls_status reload_counted(void *work, const dls_problem *problem, const double *lambda0, dls_error *error)
{
    size_t before = allocations;
    dls_status status = dls_iterative_find("pgs")->reload(work, problem, lambda0, error);
    taken_by_solver += allocations - before;
    loads++;
    return status;
}

static const dls_solver *counted_pgs(void)
{
    static dls_solver solver;
    solver = *dls_iterative_find("pgs");
    solver.open = open_counted;
    if (solver.reload)
        solver.reload = reload_counted;
    return &solver;
}

enum { STEPS = 7, ITERATIONS = 5 };

/* Positions that STEPS steps bring about, each by one change of them:
 *     euler, soft-reference  the end of the step
 *     tgs, small-steps, soft-step  the end of each of its iterations
 *     split-impulse      after the velocities, and after the pseudo-velocities
 *     projection-newton  after the velocities, and after each solve for positions: as many as there are solves in all
 *     moreau-jean        q~, and the end of the step
 *     midpoint, rattle   those of each problem, the start of the step again after each, and the end of the step
 *     xpbd, avbd         after each correction: as many as were counted
 *     projection-gauss-seidel  after the velocities, and after each row that is in error: as many as were counted */
static size_t positions_of(const dls_scheme *scheme)
{
    const char *name = scheme->name;
    if (strcmp(name, "euler") == 0 || strcmp(name, "soft-reference") == 0)
        return STEPS;
    if (strcmp(name, "tgs") == 0 || strcmp(name, "small-steps") == 0 || strcmp(name, "soft-step") == 0)
        return (size_t)STEPS * ITERATIONS;
    if (strcmp(name, "split-impulse") == 0)
        return (size_t)2 * STEPS;
    if (strcmp(name, "projection-newton") == 0)
        return loads;
    if (is_halfway(&(variant){name, NULL, NULL}))
        return moves + loads;
    if (strcmp(name, "projection-gauss-seidel") == 0 || solves_itself(&(variant){name, NULL, NULL}))
        return moves;
    fail_msg("how many positions does a step of %s have?", name);
    return 0;
}

/* tgs and split-impulse look at links that no joint holds only when the step has ended, unless there is a ledger. */
static bool looks_at_the_end_alone(const dls_scheme *scheme)
{
    return strcmp(scheme->name, "tgs") == 0 || strcmp(scheme->name, "split-impulse") == 0;
}

static size_t evaluations_of(const dls_simulation *s)
{
    return s->configuration[0]->evaluations + s->configuration[1]->evaluations;
}

/* Returns how many positions there were. */
static size_t count_kinematics(dls_model *model, const dls_scheme *scheme, bool ledger)
{
    run r;
    dls_simulation_options options = dls_simulation_default();
    options.solver = counted_pgs();
    options.scheme = scheme;
    options.iterations = ITERATIONS;
    options.ledger = ledger;
    run_open(&r, model, &options);
    moves = placements = loads = 0;
    for (int k = 0; k < STEPS; k++) {
        run_steps(&r, 1, 1e-3);
        assert_true(isfinite(run_energy(&r))); /* a look between steps evaluates nothing anew */
    }
    const size_t visited = positions_of(scheme);
    assert_true(moves <= visited);
    size_t expected = 0;
    for (size_t a = 0; a < dls_model_count(model).articulations; a++) {
        const dls_model_articulation *of = &dls_model_articulations(model)[a];
        bool kept = model->world.keep_momentum && of->tree->n_base > 0;
        bool all = ledger || of->held || kept || !looks_at_the_end_alone(scheme);
        expected += 1 + (all ? visited : STEPS); /* the first one is that of the model */
        expected += kept ? placements : 0;       /* once more where its centre of mass has been placed */
    }
    const size_t evaluated = evaluations_of(r.simulation);
    if (evaluated > expected)
        fail_msg("%s, %s, %s ledger: %zu evaluations, more than %zu for %zu positions", dls_model_name(model),
                 scheme->name, ledger ? "with a" : "without a", evaluated, expected, visited);
    dls_simulation_edit(r.simulation);
    run_energy(&r), run_energy(&r);
    assert_int_equal(evaluations_of(r.simulation), evaluated + dls_model_count(model).articulations);
    run_stop(&r);
    return visited;
}

/* One articulation is held by a ball, of the other one a mimic and a limit take coordinates alone. */
static dls_model *half_held(void)
{
    return parse_model(TWO_TREES
                       "joints:\n  - {name: tie, type: ball, body1: arm.tool, body2: stone, anchor: [0.9, 0.3, 0.9]}\n"
                       "  - {name: m, type: mimic, coordinates: {bird.left: 1, bird.right: -2}}\n"
                       "  - {name: l, type: limit, coordinates: {bird.left: 1}, lower: -0.5}\n");
}

/* The centre of mass of what floats is placed at every position. */
static dls_model *keeping_momentum(dls_model *model)
{
    model->world.keep_momentum = true;
    return model;
}

TEST(test_kinematics_are_evaluated_once)
{
    for (size_t k = 0; dls_schemes[k]; k++)
        for (int ledger = 0; ledger < 2; ledger++) {
            size_t loop = count_kinematics(load_scene("loop"), dls_schemes[k], ledger),
                   star = count_kinematics(load_scene("star-5"), dls_schemes[k], ledger),
                   gripper = count_kinematics(load_scene("gripper"), dls_schemes[k], ledger),
                   both = count_kinematics(half_held(), dls_schemes[k], ledger);
            if (!refuses_to_keep_momentum(&(variant){dls_schemes[k]->name, NULL, NULL})) { /* they refuse it */
                count_kinematics(keeping_momentum(load_scene("gripper")), dls_schemes[k], ledger);
                count_kinematics(keeping_momentum(half_held()), dls_schemes[k], ledger);
            }
            print_message("# %-24s %s ledger, %d steps: positions %zu, %zu, %zu, %zu\n", dls_schemes[k]->name,
                          ledger ? "with" : "no", STEPS, loop, star, gripper, both);
            if (strncmp(dls_schemes[k]->name, "projection", 10) == 0)
                assert_true(loop > STEPS && both > STEPS); /* positions were corrected */
        }
}

/* --- memory --- */

/* Once 20 steps have been made, 20 more allocate nothing. The memory of solvers: test_iterative_work.c. */
static size_t taken_when_settled(const char *scene, const variant *v, bool ledger)
{
    run r;
    dls_error error;
    dls_simulation_options options = options_of(&r, counted_pgs(), v, 10);
    assert_status(dls_fields_default(&dls_warm_fields, &options.warm, &error), &error);
    options.ledger = ledger;
    run_open(&r, load_scene(scene), &options);
    run_steps(&r, 20, 1e-3);
    size_t before = allocations - taken_by_solver;
    run_steps(&r, 20, 1e-3);
    size_t in_steps = allocations - taken_by_solver - before;
    assert_true(dls_simulation_problem(r.simulation)->n > 0);
    run_stop(&r);
    return in_steps;
}

TEST(test_a_settled_run_takes_no_memory)
{
    static const char *const scenes[] = {"stack-10-found", "chain-10", "four-bar", "gripper", "all-joints"};
    size_t total = 0;
    for (size_t k = 0; k < sizeof scenes / sizeof scenes[0]; k++)
        for (size_t v = 0; v < VARIANTS; v++)
            for (int ledger = 0; ledger < 2; ledger++) {
                size_t in_steps = taken_when_settled(scenes[k], &variants[v], ledger);
                if (in_steps)
                    print_error("%s, %s, %s ledger: %zu allocations in 20 steps\n", scenes[k], name_of(&variants[v]),
                                ledger ? "with a" : "without a", in_steps);
                total += in_steps;
            }
    assert_int_equal(total, 0);
}

static void assert_same_rows(const dls_row_list *a, const dls_row_list *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->J.n, b->J.n);
    assert_int_equal(a->J.n_blocks, b->J.n_blocks);
    assert_int_equal(a->J.n_columns, b->J.n_columns);
    assert_memory_equal(a->J.start, b->J.start, (a->n + 1) * sizeof *a->J.start);
    assert_memory_equal(a->J.coef_at, b->J.coef_at, (a->J.n_blocks + 1) * sizeof *a->J.coef_at);
    assert_memory_equal(a->J.offset, b->J.offset, a->J.n_blocks * sizeof *a->J.offset);
    assert_memory_equal(a->J.mass, b->J.mass, a->J.n_blocks * sizeof *a->J.mass);
    assert_memory_equal(a->J.coef, b->J.coef, a->J.coef_at[a->J.n_blocks] * sizeof *a->J.coef);
    for (size_t i = 0; i < a->n; i++) {
        const dls_list_row *x = &a->row[i], *y = &b->row[i];
        const double one[] = {x->C, x->erp, x->cfm, x->u, x->lo, x->hi, x->mu},
                     two[] = {y->C, y->erp, y->cfm, y->u, y->lo, y->hi, y->mu};
        assert_memory_equal(one, two, sizeof one);
        assert_true(!x->spring == !y->spring);
        if (x->spring)
            assert_memory_equal(x->spring, y->spring, sizeof *x->spring);
        assert_string_equal(x->label, y->label);
        assert_true(x->after == y->after && x->owner == y->owner && x->slot == y->slot && x->law == y->law &&
                    x->role == y->role && x->gap == y->gap && x->angular == y->angular);
    }
}

static void assert_same_problem(const dls_problem *a, const dls_problem *b, uint64_t *seed)
{
    const double *const arrays[][2] = {
        {a->gamma, b->gamma}, {a->c, b->c}, {a->lo, b->lo}, {a->hi, b->hi}, {a->mu, b->mu}};
    assert_true(a->n == b->n && a->nv == b->nv && a->h == b->h && a->form == b->form);
    assert_true(a->n_coupled == b->n_coupled && a->n_cone == b->n_cone && a->mass.n_blocks == b->mass.n_blocks);
    assert_memory_equal(a->v_star, b->v_star, a->nv * sizeof *a->v_star);
    assert_memory_equal(a->parent, b->parent, a->n * sizeof *a->parent);
    assert_memory_equal(a->law, b->law, a->n * sizeof *a->law);
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        assert_memory_equal(arrays[k][0], arrays[k][1], a->n * sizeof(double));
    assert_same_rows(dls_problem_rows(a), dls_problem_rows(b));
    double *x = test_calloc(3 * a->nv, sizeof *x), *y = x + a->nv, *z = y + a->nv;
    for (size_t i = 0; i < a->nv; i++)
        x[i] = draw(seed);
    dls_mass_solve(&a->mass, x, y), dls_mass_solve(&b->mass, x, z);
    assert_memory_equal(y, z, a->nv * sizeof *y);
    test_free(x);
}

static dls_contact touching(const dls_state *state, size_t body)
{
    return (dls_contact){.body = {body, body + 1},
                         .point = {state->x[body], state->x[body + 1]},
                         .normal = {0, 0, 1},
                         .gap = -1e-3,
                         .mu = 0.4,
                         .erp = 0.2,
                         .friction = DLS_LAW_BOX};
}

static const char *const of_all_kinds[] = {"all-joints", "pendulum", "gripper", "chain-100", "loop",
                                           "four-bar",   "star-5",   "hump",    "stack-10",  NULL};

/* One list and one problem for all scenes, larger and smaller ones in turn: the bytes of fresh memory. */
TEST(test_assembly_into_memory_used_before)
{
    uint64_t seed = 2385;
    dls_error error;
    dls_row_list *rows;
    dls_problem *problem, *fresh;
    assert_status(dls_row_list_create(&rows, &error), &error);
    assert_status(dls_problem_allocate(0, 0, 0, 0, 0, &problem, &error), &error);
    for (int round = 0; round < 2; round++)
        for (size_t k = 0; of_all_kinds[k]; k++) {
            dls_model *model = load_scene(of_all_kinds[k]);
            dls_state *state = new_state(model);
            if (round)
                stir(model, state, 0.02, &seed);
            dls_configuration *c = configuration_of(model, state);
            dls_contact contact = touching(state, 0);
            const dls_contacts contacts = {.count = dls_model_count(model).bodies > 2 && dls_model_moves(model, 0),
                                           .at = &contact};
            assert_status(dls_configuration_factor(c, &error), &error);
            assert_status(dls_row_list_fill(rows, c, &contacts, 1e-3, &error), &error);
            assert_status(dls_problem_assemble(problem, c, state, rows, 1e-3, &error), &error);
            fresh = problem_from_state(model, state, &contacts, 1e-3);
            assert_ptr_equal(dls_problem_rows(problem), rows);
            assert_same_problem(problem, fresh, &seed);
            dls_problem_destroy(fresh);
            dls_configuration_destroy(c);
            dls_state_destroy(state);
            dls_model_destroy(model);
        }
    dls_problem_destroy(problem);
    dls_row_list_destroy(rows);
}

/* One number of one row that is none, or of the wrong sign, refuses the problem, and names the row's joint or
 * contact. */
TEST(test_rows_out_of_order_are_refused)
{
    static const struct {
        size_t member;
        double value;
    } wrong[] = {
        {offsetof(dls_list_row, lo), NAN},    {offsetof(dls_list_row, lo), HUGE_VAL},
        {offsetof(dls_list_row, hi), NAN},    {offsetof(dls_list_row, hi), -HUGE_VAL},
        {offsetof(dls_list_row, cfm), NAN},   {offsetof(dls_list_row, cfm), HUGE_VAL},
        {offsetof(dls_list_row, cfm), -1e-9}, {offsetof(dls_list_row, mu), NAN},
        {offsetof(dls_list_row, mu), -1e-9},  {offsetof(dls_list_row, mu), HUGE_VAL},
        {offsetof(dls_list_row, u), NAN},     {offsetof(dls_list_row, u), -HUGE_VAL},
    };
    dls_error error;
    dls_row_list *rows;
    dls_problem *problem;
    dls_model *model = load_scene("stack-10");
    dls_state *state = new_state(model);
    dls_configuration *c = configuration_of(model, state);
    dls_contact contact = touching(state, 0);
    const dls_contacts contacts = {.count = 1, .at = &contact};
    assert_status(dls_row_list_create(&rows, &error), &error);
    assert_status(dls_problem_allocate(0, 0, 0, 0, 0, &problem, &error), &error);
    assert_status(dls_configuration_factor(c, &error), &error);
    assert_status(dls_row_list_fill(rows, c, &contacts, 1e-3, &error), &error);
    assert_status(dls_problem_assemble(problem, c, state, rows, 1e-3, &error), &error);
    for (size_t i = 0; i < rows->n; i++)
        for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
            const dls_list_row right = rows->row[i];
            const bool of_bounds =
                wrong[k].member == offsetof(dls_list_row, lo) || wrong[k].member == offsetof(dls_list_row, hi);
            if (of_bounds && right.law != DLS_LAW_FIXED) /* its bounds follow from its normal row */
                continue;
            memcpy((char *)&rows->row[i] + wrong[k].member, &wrong[k].value, sizeof wrong[k].value);
            error.message[0] = '\0';
            if (dls_problem_assemble(problem, c, state, rows, 1e-3, &error) == DLS_OK)
                fail_msg("row %zu, wrong number %zu: taken", i, k);
            assert_non_null(strstr(error.message, rows->row[i].owner < model->n_joints ? "joint '" : "contact 0"));
            rows->row[i] = right;
        }
    assert_status(dls_problem_assemble(problem, c, state, rows, 1e-3, &error), &error);
    state->force[0] = NAN;
    assert_int_not_equal(dls_problem_assemble(problem, c, state, rows, 1e-3, &error), DLS_OK);
    dls_configuration_destroy(c);
    dls_state_destroy(state);
    dls_model_destroy(model);
    dls_problem_destroy(problem);
    dls_row_list_destroy(rows);
}

/* Owner by owner, the rows of a list become what they are where everything has gone: those of a list that is made
 * there. */
TEST(test_renewed_rows_are_those_of_a_new_list)
{
    uint64_t seed = 77;
    dls_error error;
    for (size_t k = 0; of_all_kinds[k]; k++) {
        dls_model *model = load_scene(of_all_kinds[k]);
        dls_state *state = new_state(model);
        dls_configuration *c = configuration_of(model, state);
        dls_row_list *rows, *fresh;
        dls_contact contact = touching(state, 0);
        const dls_contacts contacts = {.count = dls_model_count(model).bodies > 2 && dls_model_moves(model, 0),
                                       .at = &contact};
        assert_status(dls_row_list_create(&rows, &error), &error);
        assert_status(dls_row_list_create(&fresh, &error), &error);
        assert_status(dls_configuration_factor(c, &error), &error);
        assert_status(dls_row_list_fill(rows, c, &contacts, 1e-3, &error), &error);
        stir(model, state, 0.02, &seed);
        contact = touching(state, 0);
        dls_configuration_evaluate(c, state);
        assert_status(dls_configuration_factor(c, &error), &error);
        assert_status(dls_row_list_fill(fresh, c, &contacts, 1e-3, &error), &error);
        bool differ = false;
        for (size_t i = 0; i < rows->n; i++)
            differ = differ || rows->row[i].C != fresh->row[i].C;
        assert_true(differ);
        for (size_t i = rows->n; i-- > 0;) /* in any order: the last owner first */
            if (i == 0 || rows->row[i].owner != rows->row[i - 1].owner)
                dls_row_list_renew(rows, c, rows->row[i].owner == dls_model_count(model).joints ? &contact : NULL, i,
                                   1e-3);
        assert_same_rows(rows, fresh);
        double B[2][600] = {{0.0}}, scratch[600];
        assert_true(dls_model_count(model).nv <= 600);
        for (size_t i = 0; i < rows->n; i++)
            assert_true(dls_row_list_response(rows, i, B[0], scratch) ==
                        dls_row_list_response(fresh, i, B[1], scratch));
        assert_memory_equal(B[0], B[1], sizeof B[0]);
        dls_row_list_destroy(rows);
        dls_row_list_destroy(fresh);
        dls_configuration_destroy(c);
        dls_state_destroy(state);
        dls_model_destroy(model);
    }
}

/* --- rows of contacts between any two ends --- */

static double *numbers(size_t count)
{
    double *made = test_calloc(count + 1, sizeof *made);
    assert_non_null(made);
    return made;
}

/* A contact of these ends, away from their centres of mass. */
static dls_contact between(const dls_configuration *c, size_t one, size_t two, uint64_t *seed)
{
    const size_t ends[2] = {one, two};
    dls_contact contact = {.body = {one, two},
                           .normal = dls_unit(draw3(seed)),
                           .gap = -1e-3,
                           .mu = 0.4,
                           .erp = 0.2,
                           .friction = DLS_LAW_BOX,
                           .friction_mass = 1.3};
    for (int i = 0; i < 2; i++)
        contact.point[i] = dls_add(dls_configuration_end(c, ends[i]).x, draw3(seed));
    return contact;
}

/* The row's blocks are in the order of their columns, do not meet, and each lies within its block of the mass. */
static void assert_blocks_in_order(const dls_problem *p, size_t i)
{
    size_t free_from = 0;
    for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++) {
        const dls_mass_block *mass = &p->mass.blocks[p->J.mass[k]];
        const size_t length = p->J.coef_at[k + 1] - p->J.coef_at[k];
        assert_true(length > 0 && p->J.offset[k] >= free_from);
        assert_true(p->J.offset[k] >= mass->offset && p->J.offset[k] + length <= mass->offset + mass->length);
        free_from = p->J.offset[k] + length;
    }
}

static dls_vec3 point_speed(const dls_configuration *c, size_t end, dls_vec3 point)
{
    const dls_end at = dls_configuration_end(c, end);
    return dls_add(at.v, dls_cross(at.omega, dls_sub(point, at.x)));
}

/* J_i M^-1 J_i^T and M^-1 J_i^T by the mass operator, from the row in columns; elsewhere B stays as it is. */
static void assert_response(const dls_problem *p, size_t i, double *memory)
{
    double *dense = memory, *solved = dense + p->nv, *B = solved + p->nv, *scratch = B + p->nv;
    double expected = 0.0, largest = 0.0;
    for (size_t k = 0; k < p->nv; k++)
        dense[k] = 0.0, B[k] = 7.5;
    dls_rows_axpy(&p->J, i, 1.0, dense);
    dls_mass_solve(&p->mass, dense, solved);
    for (size_t k = 0; k < p->nv; k++)
        expected += dense[k] * solved[k], largest = fmax(largest, fabs(solved[k]));
    assert_close(dls_row_list_response(dls_problem_rows(p), i, B, scratch), expected, 1e-11 * expected);
    for (size_t k = 0; k < p->nv; k++) {
        bool touched = false;
        for (size_t b = p->J.start[i]; b < p->J.start[i + 1]; b++)
            touched = touched || (k >= p->mass.blocks[p->J.mass[b]].offset &&
                                  k < p->mass.blocks[p->J.mass[b]].offset + p->mass.blocks[p->J.mass[b]].length);
        assert_close(B[k], touched ? solved[k] : 7.5, touched ? 1e-11 * largest : 0.0);
    }
}

/* How many blocks a row of these ends has: one for each end that moves, one for both of one articulation. */
static size_t blocks_of(const dls_model *model, size_t one, size_t two)
{
    const size_t first = one == DLS_WORLD ? DLS_NONE : dls_model_end_block(model, one),
                 second = two == DLS_WORLD ? DLS_NONE : dls_model_end_block(model, two);
    const bool can[2] = {dls_model_moves(model, one), dls_model_moves(model, two)};
    return can[0] && can[1] && first == second ? 1 : (size_t)can[0] + (size_t)can[1];
}

/* Bodies, links of one articulation and of two, what stands still: J v is the velocity of one point seen from the
 * other, along the normal and along two tangents that are right-handed with it. */
TEST(test_a_contact_of_any_two_ends)
{
    dls_model *model = parse_model(TWO_TREES);
    dls_state *state = new_state(model);
    uint64_t seed = 41;
    double *memory = numbers(4 * model->nv);
    for (size_t k = 0; k < model->nv; k++)
        state->v[k] = draw(&seed);
    dls_configuration *c = configuration_of(model, state);
    size_t within = 0;
    for (size_t one = 0; one <= model->n_ends; one++)
        for (size_t two = 0; two <= model->n_ends; two++) {
            const size_t ends[2] = {one < model->n_ends ? one : DLS_WORLD, two < model->n_ends ? two : DLS_WORLD};
            if (one == two || (!dls_model_moves(model, ends[0]) && !dls_model_moves(model, ends[1])))
                continue;
            dls_contact contact = between(c, ends[0], ends[1], &seed);
            const dls_contacts contacts = {.count = 1, .at = &contact};
            dls_problem *problem = problem_from_state(model, state, &contacts, 1e-3);
            const size_t first = problem->n - 3, blocks = blocks_of(model, ends[0], ends[1]);
            const dls_vec3 apart =
                dls_sub(point_speed(c, ends[0], contact.point[0]), point_speed(c, ends[1], contact.point[1]));
            double speed[3];
            for (size_t r = 0; r < 3; r++) {
                speed[r] = dls_rows_dot(&problem->J, first + r, state->v);
                assert_int_equal(problem->J.start[first + r + 1] - problem->J.start[first + r], blocks);
                assert_int_equal(dls_problem_rows(problem)->row[first + r].owner, model->n_joints);
                assert_blocks_in_order(problem, first + r);
                assert_response(problem, first + r, memory);
            }
            dls_vec3 u[2];
            dls_tangents(contact.normal, &u[0], &u[1]);
            assert_close(speed[0], dls_dot(contact.normal, apart), 1e-12);
            assert_close(speed[1], dls_dot(u[0], apart), 1e-12);
            assert_close(speed[2], dls_dot(u[1], apart), 1e-12);
            assert_true(dls_problem_rows(problem)->finite);
            within += blocks == 1 && dls_model_moves(model, ends[0]) && dls_model_moves(model, ends[1]);
            dls_problem_destroy(problem);
        }
    assert_true(within > 20);
    test_free(memory);
    dls_configuration_destroy(c);
    dls_state_destroy(state);
    dls_model_destroy(model);
}

/* Along a branch: a row between two links of it has no entry before the link that both hang on, up to rounding, and
 * none of other branches. */
TEST(test_a_contact_within_a_branch_moves_nothing_below_it)
{
    dls_model *model = parse_model(TWO_TREES);
    dls_state *state = new_state(model);
    uint64_t seed = 43;
    const size_t arm = dls_model_find_end(model, "arm.fore"), hand = dls_model_find_end(model, "arm.tool");
    const size_t fin = dls_model_find_end(model, "arm.fin"), upper = dls_model_find_end(model, "arm.upper");
    const size_t pairs[][2] = {{arm, hand}, {hand, arm}, {fin, upper}, {upper, fin}};
    dls_configuration *c = configuration_of(model, state);
    for (size_t k = 0; k < 4; k++) {
        dls_contact contact = between(c, pairs[k][0], pairs[k][1], &seed);
        contact.point[1] = contact.point[0]; /* in touch: what both hang on moves neither against the other */
        const dls_contacts contacts = {.count = 1, .at = &contact};
        double *row = numbers(model->nv);
        dls_problem *problem = problem_from_state(model, state, &contacts, 1e-3);
        dls_rows_axpy(&problem->J, problem->n - 3, 1.0, row);
        const dls_model_articulation *of = &dls_model_articulations(model)[0];
        size_t entries = 0;
        for (size_t i = 0; i < of->tree->nv; i++) {
            const size_t moved = of->first_end + of->tree->dof_link[i];
            const bool of_fin = moved == fin, of_fore = !of_fin && moved != upper && moved != arm;
            if (!(k < 2 ? of_fore : of_fin))
                assert_true(row[of->offset + i] == 0.0);
            entries += row[of->offset + i] != 0.0;
        }
        assert_int_equal(entries, k < 2 ? 3 : 1); /* the slide and the hand's two, or the flap */
        test_free(row);
        dls_problem_destroy(problem);
    }
    dls_configuration_destroy(c);
    dls_state_destroy(state);
    dls_model_destroy(model);
}

/* --- some of the rows --- */

#define SPRUNG                                                                                                       \
    "bodies:\n"                                                                                                      \
    "  - {name: a, shape: box, size: [0.2, 0.3, 0.4], mass: 1.3}\n"                                                  \
    "  - {name: b, shape: box, size: [0.3, 0.2, 0.4], mass: 0.7, position: [1, 0, 0]}\n"                             \
    "joints:\n"                                                                                                      \
    "  - {name: first, type: ball, body1: a, anchor: [0, 0.1, 0]}\n"                                                 \
    "  - {name: pull, type: distance, body1: a, body2: b, anchor1: [0.1, 0, 0], anchor2: [0.9, 0, 0], stiffness: "   \
    "30, damping: 2}\n"                                                                                              \
    "  - {name: rope, type: distance, body1: b, anchor1: [1, 0.1, 0], anchor2: [1, 1, 0], max: 0.8}\n"               \
    "  - {name: tuned, type: ball, body1: b, anchor: [1, 0, 0.2], frequency: 3, damping_ratio: 0.4}\n"               \
    "  - {name: foot, type: contact, body1: b, body2: a, point: [0.5, 0, 0], normal: [1, 0, 0], mu: 0.5, friction: " \
    "cone}\n"                                                                                                        \
    "  - {name: last, type: distance, body1: b, anchor1: [1, 0, 0.1], anchor2: [2, 0, 1], frequency: 2}\n"

static void assert_row_kept(const dls_row_list *kept, size_t k, const dls_row_list *all, size_t i)
{
    const dls_list_row *x = &kept->row[k], *y = &all->row[i];
    assert_true(x->C == y->C && x->erp == y->erp && x->cfm == y->cfm && x->u == y->u && x->lo == y->lo &&
                x->hi == y->hi && x->bias == y->bias && x->gap == y->gap && x->angular == y->angular);
    assert_true(x->owner == y->owner && x->slot == y->slot && x->role == y->role && x->label == y->label);
    assert_true(x->after == 0 && x->mu == 0.0 && x->law == DLS_LAW_FIXED);
    assert_true(!x->spring == !y->spring);
    if (y->spring) {
        assert_true(x->spring != y->spring);
        assert_memory_equal(x->spring, y->spring, sizeof *x->spring);
    }
    const size_t blocks = all->J.start[i + 1] - all->J.start[i];
    assert_int_equal(kept->J.start[k + 1] - kept->J.start[k], blocks);
    for (size_t b = 0; b < blocks; b++) {
        const size_t to = kept->J.start[k] + b, from = all->J.start[i] + b;
        const size_t length = all->J.coef_at[from + 1] - all->J.coef_at[from];
        assert_int_equal(kept->J.offset[to], all->J.offset[from]);
        assert_int_equal(kept->J.mass[to], all->J.mass[from]);
        assert_int_equal(kept->J.coef_at[to + 1] - kept->J.coef_at[to], length);
        assert_memory_equal(kept->J.coef + kept->J.coef_at[to], all->J.coef + all->J.coef_at[from],
                            length * sizeof *all->J.coef);
    }
}

/* Every choice of a few owners, and none and all of the rows: each row that is kept is what it was, with a spring of
 * its own, and without what coupled it to another. */
TEST(test_a_filtered_list_has_the_rows_that_are_kept)
{
    dls_model *model = parse_model(SPRUNG);
    dls_state *state = new_state(model);
    dls_configuration *c = configuration_of(model, state);
    dls_row_list *all, *kept;
    dls_error error;
    bool keep[32];
    assert_status(dls_row_list_create(&all, &error), &error);
    assert_status(dls_row_list_create(&kept, &error), &error);
    assert_status(dls_configuration_factor(c, &error), &error);
    assert_status(dls_row_list_fill(all, c, NULL, 1e-3, &error), &error);
    assert_int_equal(all->n, 12);
    size_t springs = 0;
    for (size_t i = 0; i < all->n; i++)
        springs += all->row[i].spring != NULL;
    assert_int_equal(springs, 5);
    for (size_t mask = 0; mask < 64; mask++) {
        size_t count = 0, blocks = 0;
        for (size_t i = 0; i < all->n; i++)
            keep[i] = mask >> all->row[i].owner & 1;
        assert_status(dls_row_list_filter(kept, all, keep, &error), &error);
        for (size_t i = 0; i < all->n; i++)
            if (keep[i]) {
                assert_true(count < kept->n);
                assert_row_kept(kept, count++, all, i);
                blocks += all->J.start[i + 1] - all->J.start[i];
            }
        assert_int_equal(kept->n, count);
        assert_int_equal(kept->J.n, count);
        assert_int_equal(kept->J.n_blocks, blocks);
        assert_int_equal(kept->J.n_columns, model->nv);
        assert_true(kept->finite);
        assert_null(dls_row_list_prescribed(kept));
    }
    all->finite = false;
    assert_status(dls_row_list_filter(kept, all, keep, &error), &error);
    assert_false(kept->finite);
    dls_row_list_destroy(kept);
    dls_row_list_destroy(all);
    dls_configuration_destroy(c);
    dls_state_destroy(state);
    dls_model_destroy(model);
}

/* --- coefficients that are no numbers --- */

enum { MANY = 60 }; /* contacts of 36 coefficients: more than are looked at together */

static void renew_contact(dls_row_list *rows, const dls_configuration *c, const dls_contact *contact, size_t k)
{
    dls_row_list_renew(rows, c, contact, 3 * k, 1e-3);
}

/* One number of one contact of many, wherever it stands, and only while it is there. */
TEST(test_one_coefficient_that_is_no_number_is_seen)
{
    static const double wrong[] = {NAN, HUGE_VAL, -HUGE_VAL};
    dls_model *model = parse_model("bodies:\n  - {name: a, shape: sphere, radius: 1, mass: 1}\n"
                                   "  - {name: b, shape: sphere, radius: 1, mass: 2, position: [2, 0, 0]}\n");
    dls_state *state = new_state(model);
    dls_configuration *c = configuration_of(model, state);
    dls_contact list[MANY];
    const dls_contacts contacts = {.count = MANY, .at = list};
    dls_row_list *rows;
    dls_error error;
    for (size_t k = 0; k < MANY; k++)
        list[k] = touching(state, 0);
    assert_status(dls_row_list_create(&rows, &error), &error);
    assert_status(dls_configuration_factor(c, &error), &error);
    for (size_t k = 0; k < MANY; k++) {
        const dls_contact right = list[k];
        list[k].point[k % 2].x = wrong[k % 3];
        assert_status(dls_row_list_fill(rows, c, &contacts, 1e-3, &error), &error);
        assert_false(rows->finite);
        renew_contact(rows, c, &right, k); /* what has been found once is not forgotten */
        assert_false(rows->finite);
        list[k] = right;
        dls_row_list_renew_all(rows, c, &contacts, 1e-3);
        assert_true(rows->finite);
        renew_contact(rows, c, &right, k);
        assert_true(rows->finite);
        list[k].point[k % 2].y = wrong[k % 3];
        renew_contact(rows, c, &list[k], k);
        assert_false(rows->finite);
        list[k] = right;
    }
    assert_status(dls_row_list_fill(rows, c, &contacts, 1e-3, &error), &error);
    assert_int_equal(rows->n, 3 * MANY);
    assert_int_equal(rows->J.coef_at[rows->J.n_blocks], 36 * MANY);
    assert_true(rows->finite);
    dls_row_list_destroy(rows);
    dls_configuration_destroy(c);
    dls_state_destroy(state);
    dls_model_destroy(model);
}

/* --- rows on what follows a given motion --- */

static const char carried_scene[] =
    "bodies:\n"
    "  - {name: a, shape: box, size: [0.2, 0.3, 0.4], mass: 1.3, velocity: [0.3, 0.1, -0.4], omega: [0.5, -0.2, 0.7]}\n"
    "  - {name: lift, kinematic: true, velocity: [0.1, 0.6, -0.3], omega: [0.4, 0.3, -0.9], position: [1, 0.2, 0]}\n"
    "  - {name: table, kinematic: true, velocity: [-0.7, 0.2, 0.1], omega: [-0.4, 0.5, 0.2], position: [0, 2, 0.3]}\n"
    "articulations:\n"
    "  - {name: bird, links: [{name: body, shape: sphere, radius: 0.2, mass: 1.7, position: [0, 0, 2], omega: [1, 2, "
    "3]}]}\n"
    "joints:\n"
    "  - {name: rope, type: distance, body1: a, body2: lift, anchor1: [0.1, 0, 0], anchor2: [0.9, 0, 0.2]}\n"
    "  - {name: ball, type: ball, body1: table, body2: a, anchor: [0, 1, 0.1]}\n"
    "  - {name: own, type: ball, body1: a, anchor: [0, 0.1, 0]}\n"
    "  - {name: rail, type: slider, body1: a, body2: lift, axis: [0.6, 0.8, 0]}\n"
    "  - {name: pull, type: drive, coordinates: {rail: -2}, stiffness: 9, damping: 3}\n";

/* J v and what kinematic ends add are the rate of the row: of contacts and balls the velocity of one point seen from
 * another, of a rope along it, of a coordinate the rate of its row times the gear. */
TEST(test_kinematic_ends_carry_their_rows)
{
    dls_model *model = parse_model(carried_scene);
    dls_state *state = new_state(model);
    dls_configuration *c = configuration_of(model, state);
    dls_row_list *rows, *kept;
    dls_error error;
    uint64_t seed = 3;
    assert_status(dls_row_list_create(&rows, &error), &error);
    assert_status(dls_row_list_create(&kept, &error), &error);
    assert_status(dls_configuration_factor(c, &error), &error);
    for (size_t count = 0; count < 7; count++) { /* end 3 is the link */
        const size_t pairs[][2] = {{0, 1}, {2, 0}, {0, DLS_WORLD}, {DLS_WORLD, 0}, {0, 2}, {3, 1}};
        dls_contact list[6];
        const dls_contacts contacts = {.count = count, .at = list};
        for (size_t k = 0; k < 6; k++)
            list[k] = between(c, pairs[k][0], pairs[k][1], &seed);
        assert_status(dls_row_list_fill(rows, c, count ? &contacts : NULL, 1e-3, &error), &error);
        const double *prescribed = dls_row_list_prescribed(rows);
        assert_non_null(prescribed);
        const size_t joint_rows = 1 + 3 + 3 + 5 + 1;
        assert_int_equal(rows->n, joint_rows + 3 * count);
        double rate[32];
        for (size_t i = 0; i < rows->n; i++)
            rate[i] = dls_rows_dot(&rows->J, i, state->v) + prescribed[i];
        for (size_t k = 0; k < count; k++) {
            const size_t at = joint_rows + 3 * k;
            const dls_vec3 apart =
                dls_sub(point_speed(c, pairs[k][0], list[k].point[0]), point_speed(c, pairs[k][1], list[k].point[1]));
            dls_vec3 u[2];
            dls_tangents(list[k].normal, &u[0], &u[1]);
            assert_close(rate[at], dls_dot(list[k].normal, apart), 1e-14);
            assert_close(rate[at + 1], dls_dot(u[0], apart), 1e-14);
            assert_close(rate[at + 2], dls_dot(u[1], apart), 1e-14);
            assert_true(pairs[k][0] != DLS_WORLD && pairs[k][1] != DLS_WORLD ? prescribed[at] != 0.0
                                                                             : prescribed[at] == 0.0);
        }
        const dls_vec3 one = dls_v3(0.1, 0, 0), two = dls_v3(0.9, 0, 0.2), anchor = dls_v3(0, 1, 0.1);
        const dls_vec3 along = dls_unit(dls_sub(one, two));
        assert_close(rate[0], dls_dot(along, dls_sub(point_speed(c, 0, one), point_speed(c, 1, two))), 1e-14);
        const dls_vec3 ball = dls_sub(point_speed(c, 2, anchor), point_speed(c, 0, anchor));
        for (size_t k = 0; k < 3; k++) {
            assert_close(rate[1 + k], dls_get3(ball, (int)k), 1e-14);
            assert_true(prescribed[4 + k] == 0.0);
        }
        dls_end ends[2];
        dls_row along_rail = {0};
        ends_of(model, state, &dls_model_joints(model)[3], ends);
        dls_joint_type_find("slider")->coordinate(&dls_model_joints(model)[3], ends, &along_rail);
        double slides = 0.0;
        for (int k = 0; k < 6; k++)
            for (int i = 0; i < 2; i++)
                slides += (i ? along_rail.J2 : along_rail.J1)[k] * dls_get3(k < 3 ? ends[i].v : ends[i].omega, k % 3);
        assert_close(rate[12], -2.0 * slides, 1e-14);
        bool keep[32];
        for (size_t i = 0; i < rows->n; i++)
            keep[i] = i % 3 != 1;
        assert_status(dls_row_list_filter(kept, rows, keep, &error), &error);
        for (size_t i = 0, k = 0; i < rows->n; i++)
            if (keep[i])
                assert_true(dls_row_list_prescribed(kept)[k++] == prescribed[i]);
        /* evaluated again, they follow the motion that there is now */
        state->prescribed[0].lin.x += 0.25, state->prescribed[1].ang.y -= 0.5;
        dls_configuration_evaluate(c, state);
        dls_row_list_renew_all(rows, c, count ? &contacts : NULL, 1e-3);
        assert_true(dls_row_list_prescribed(rows)[0] + dls_rows_dot(&rows->J, 0, state->v) != rate[0]);
        assert_status(dls_configuration_factor(c, &error), &error);
        assert_status(dls_row_list_fill(kept, c, count ? &contacts : NULL, 1e-3, &error), &error);
        assert_memory_equal(dls_row_list_prescribed(rows), dls_row_list_prescribed(kept), rows->n * sizeof *rate);
        state->prescribed[0].lin.x -= 0.25, state->prescribed[1].ang.y += 0.5;
        dls_configuration_evaluate(c, state);
        assert_status(dls_configuration_factor(c, &error), &error);
    }
    dls_row_list_destroy(kept);
    dls_row_list_destroy(rows);
    dls_configuration_destroy(c);
    dls_state_destroy(state);
    dls_model_destroy(model);
}

/* A contact that follows its ends: points that are fixed to what moves or is prescribed are where it has gone, those of
 * what stands stay, and the gap grows by what that is along the normal. */
TEST(test_a_contact_follows_its_ends)
{
    dls_model *models[] = {parse_model(carried_scene), parse_model(TWO_TREES)};
    uint64_t seed = 8;
    for (size_t m = 0; m < 2; m++) {
        const dls_model *model = models[m];
        dls_state *state = new_state(model);
        dls_configuration *c = configuration_of(model, state), *now;
        dls_error error;
        for (size_t i = 0; i < model->n_bodies; i++)
            if (model->bodies[i].prescribed != DLS_NONE || model->bodies[i].offset != DLS_NONE) {
                state->x[i] = dls_add(state->x[i], draw3(&seed));
                state->q[i] = draw_rotation(&seed);
            }
        for (size_t k = 0; k < model->nv; k++)
            state->v[k] = draw(&seed);
        dls_configuration_evaluate(c, state);
        assert_status(dls_configuration_create(model, &now, &error), &error);
        dls_configuration_evaluate(now, dls_model_initial(model));
        size_t stay = 0, go = 0;
        for (size_t one = 0; one <= model->n_ends; one++)
            for (size_t two = 0; two <= model->n_ends; two++) {
                const size_t ends[2] = {one < model->n_ends ? one : DLS_WORLD, two < model->n_ends ? two : DLS_WORLD};
                dls_contact contact = between(now, ends[0], ends[1], &seed);
                double gap = contact.gap;
                for (int i = 0; i < 2; i++) {
                    const dls_end end = dls_configuration_end(now, ends[i]);
                    contact.place[i] = dls_tmul3(end.R, dls_sub(contact.point[i], end.x));
                }
                const dls_contact moved = dls_contact_follow(c, &contact);
                for (int i = 0; i < 2; i++) {
                    const dls_end end = dls_configuration_end(c, ends[i]);
                    const bool is_body = ends[i] < model->n_bodies;
                    const bool prescribed = is_body && model->bodies[ends[i]].prescribed != DLS_NONE;
                    const bool ball = is_body && model->bodies[ends[i]].shape == DLS_SHAPE_SPHERE;
                    const dls_vec3 arm =
                        ball ? dls_scale(i ? model->bodies[ends[i]].radius : -model->bodies[ends[i]].radius,
                                         contact.normal)
                             : dls_mul3(end.R, contact.place[i]);
                    const dls_vec3 expected = dls_add(end.x, arm);
                    gap += (i ? -1.0 : 1.0) * dls_dot(contact.normal, dls_sub(moved.point[i], contact.point[i]));
                    if (dls_model_moves(model, ends[i]) || prescribed) {
                        assert_vector(moved.point[i], expected, 1e-15);
                        go++;
                    } else {
                        assert_memory_equal(&moved.point[i], &contact.point[i], sizeof expected);
                        stay++;
                    }
                }
                assert_close(moved.gap, gap, 1e-14);
                assert_memory_equal(&moved.normal, &contact.normal, sizeof moved.normal);
            }
        assert_true(stay > 0 && go > stay);
        dls_configuration_destroy(now);
        dls_configuration_destroy(c);
        dls_state_destroy(state);
        dls_model_destroy(models[m]);
    }
}

/* --- what has no digit of its own --- */

/* A slide along x, an arm that turns about y, and a ball of which the slide moves one row only. */
static const char sliding_and_turning[] =
    "articulations:\n"
    "  - name: slide\n"
    "    links:\n"
    "      - {name: base, static: true}\n"
    "      - {name: cart, parent: base, motion: prismatic, axis: [1, 0, 0], shape: sphere, radius: 1, mass: 1, "
    "position: [0, 3, 4]}\n"
    "  - name: turn\n"
    "    links:\n"
    "      - {name: base, static: true}\n"
    "      - {name: arm, parent: base, motion: revolute, axis: [0, 1, 0], anchor: [0, 0, 0], shape: sphere, radius: 1, "
    "mass: 1, position: [3, 0, 4]}\n"
    "joints:\n"
    "  - {name: hold, type: ball, body1: slide.cart, anchor: [0, 6, 4]}\n";

/* The first entry of the normal row of a contact with the world. */
static double entry_of(const dls_model *model, const char *link, dls_vec3 point, dls_vec3 normal)
{
    const dls_model_articulation *of = &dls_model_articulations(model)[link[0] == 't'];
    dls_contact contact = {.body = {dls_model_find_end(model, link), DLS_WORLD}, .normal = normal};
    contact.point[0] = contact.point[1] = point;
    const dls_contacts contacts = {.count = 1, .at = &contact};
    double row[2] = {0.0, 0.0};
    assert_int_equal(dls_model_count(model).nv, 2);
    dls_problem *problem = problem_from_state(model, dls_model_initial(model), &contacts, 1e-3);
    dls_rows_axpy(&problem->J, problem->n - 1, 1.0, row);
    dls_problem_destroy(problem);
    return row[of->offset];
}

/* An entry is 0 where it is less than gamma |S| |J6|, with gamma = 4 eps times 6 operations and one for each link on
 * the way: of two links 32 eps. The slide: |S| = 1. The arm: a normal along z at a height of 1 above the axis, t beside
 * it, where the link's centre is 5 away: 5 of its velocity, 10 of the places that its arm is a difference of, 3 of the
 * moment. */
TEST(test_entries_without_a_digit_are_0)
{
    static const double sizes[] = {-1.1, -0.9, 0.9, 1.1};
    const double gamma = 32.0 * DBL_EPSILON;
    dls_model *model = parse_model(sliding_and_turning);
    for (size_t k = 0; k < 4; k++) {
        const bool kept = fabs(sizes[k]) > 1.0;
        double t = sizes[k] * gamma;
        double entry = entry_of(model, "slide.cart", dls_v3(1, 2, 3), dls_v3(t, 0, 1));
        assert_close(entry, kept ? t : 0.0, kept ? 0.1 * gamma : 0.0);
        t = sizes[k] * 18.0 * gamma;
        entry = entry_of(model, "turn.arm", dls_v3(t, 0, 1), dls_v3(0, 0, 1));
        assert_close(entry, kept ? -t : 0.0, kept ? 1.8 * gamma : 0.0);
    }
    dls_model_destroy(model);
}

/* The error of a row that nothing can move is 0 where it is less than the rounding of both ends: of the link, 5 away
 * with an arm of 3, and of the world's anchor, sqrt(52) away; with a moment of each. */
TEST(test_errors_of_rows_that_nothing_moves)
{
    static const double sizes[] = {-1.3, -0.75, 0.75, 1.3};
    dls_model *model = parse_model(sliding_and_turning);
    dls_state *state = new_state(model);
    const double y = state->roots[0].p.y, z = state->roots[0].p.z;
    /* of the row along y the moments are those about x: 0 of the link's arm, 4 of the world's; along z 3 and 6 */
    const double moments[2][2] = {{0.0, 4.0}, {3.0, 6.0}};
    for (size_t axis = 0; axis < 2; axis++)
        for (size_t k = 0; k < 4; k++) {
            const double noise = 32.0 * DBL_EPSILON * (5.0 + 3.0 + moments[axis][0] + sqrt(52.0) + moments[axis][1]);
            state->roots[0].p.y = y + (axis == 0 ? sizes[k] * noise : 0.0);
            state->roots[0].p.z = z + (axis == 1 ? sizes[k] * noise : 0.0);
            dls_problem *problem = problem_from_state(model, state, NULL, 1e-3);
            const double C = dls_problem_rows(problem)->row[1 + axis].C;
            if (fabs(sizes[k]) > 1.0)
                assert_close(C, sizes[k] * noise, 0.1 * noise);
            else
                assert_true(C == 0.0);
            dls_problem_destroy(problem);
        }
    dls_state_destroy(state);
    dls_model_destroy(model);
}

/* --- forces of constraints --- */

static void open_with(run *r, dls_model *model, const dls_solver *solver, const char *scheme, size_t iterations)
{
    dls_simulation_options options = dls_simulation_default();
    options.solver = solver;
    options.scheme = dls_scheme_find(scheme);
    options.iterations = iterations;
    run_open(r, model, &options);
}

/* A rod of length 2 L, level at rest, hung by its end from p: at first its pivot carries m g I / (I + m L^2), which
 * turns it by L times that. */
static dls_model *rod(double half, double mass, dls_vec3 p)
{
    char anchor[128];
    dls_scene *scene = new_scene();
    dls_body_def body = new_box("rod", mass, dls_v3(2 * half, 0.1, 0.2), dls_add(p, dls_v3(half, 0, 0)));
    add_body(scene, &body);
    snprintf(anchor, sizeof anchor, "[%.17g, %.17g, %.17g]", p.x, p.y, p.z);
    add_joint(scene, "ball", "pivot", "rod", "world", KEYS("anchor", anchor));
    return finish(scene);
}

TEST(test_the_pivot_of_a_pendulum)
{
    const double L = 0.6, m = 2.385, g = 9.81, h = 1e-3;
    const dls_vec3 p = {0.3, 0.2, 0.1};
    for (size_t k = 0; dls_schemes[k]; k++) {
        run r;
        const char *name = dls_schemes[k]->name;
        const bool euler = strcmp(name, "euler") == 0 || strcmp(name, "split-impulse") == 0,
                   cut = !euler && strncmp(name, "projection", 10) != 0;
        open_with(&r, rod(L, m, p), dls_iterative_find("pgs"), name, 400);
        run_steps(&r, 1, h);
        const double impedance = strcmp(name, "soft-reference") == 0 ? 0.9 : 1.0; /* of a row without error */
        const double I = dls_model_bodies(r.model)[0].inertia.m[4], F = impedance * m * g * I / (I + m * L * L),
                     near = cut ? 1e-3 : 1e-9;
        const dls_constraint_force force = force_of(&r, 0);
        /* the others have seen the rod turn within the step */
        assert_vector(force.end[0].lin, dls_v3(0, 0, F), near);
        assert_vector(force.end[0].ang, dls_v3(0, L * F, 0), near);
        assert_vector(force.end[1].lin, dls_v3(0, 0, -F), near);
        assert_vector(force.end[1].ang, dls_cross(p, dls_v3(0, 0, -F)), near);
        assert_close(force.along_sum, 0.0, 0.0);
        run_stop(&r);
    }
}

/* Under gravity and its pivot alone, whatever the solver has left: m (v+ - v) / h = m g + F, and F through the
 * pivot turns the rod. */
TEST(test_a_force_is_what_changes_momentum)
{
    const double L = 0.6, m = 2.385, h = 1e-3;
    run r;
    open_with(&r, rod(L, m, dls_v3(0, 0, 0)), dls_iterative_find("pgs"), "euler", 3);
    for (int k = 0; k < 300; k++) {
        const dls_state *state = dls_simulation_state(r.simulation);
        const double *v = state->v;
        const dls_vec3 before = dls_v3(v[0], v[1], v[2]),
                       arm = dls_mul3(dls_quat_matrix(state->q[0]), dls_v3(-L, 0, 0));
        run_steps(&r, 1, h);
        const dls_constraint_force force = force_of(&r, 0);
        const dls_vec3 change = dls_scale(m / h, dls_sub(dls_v3(v[0], v[1], v[2]), before));
        assert_vector(force.end[0].lin, dls_add(change, dls_v3(0, 0, m * 9.81)), 1e-11);
        assert_vector(force.end[0].ang, dls_cross(arm, force.end[0].lin), 1e-11);
    }
    assert_true(dls_norm(force_of(&r, 0).end[0].lin) > m * 9.81); /* it is near its lowest point */
    run_stop(&r);
}

static const char box_at_rest[] =
    "world: {gravity: [0, 0, -9.81], step: 1 ms, collide: %s, friction: box, mu: 0.5, contact_margin: 0.01}\n"
    "bodies:\n"
    "  - {name: ground, static: true, shape: plane}\n"
    "  - {name: box, shape: box, size: [0.6, 0.8, 0.5], mass: 2.4, position: [0, 0, 0.25]}\n%s";
static const char four_feet[] = "joints:\n"
                                "  - {name: a, type: contact, body1: box, body2: ground, point: [0.3, 0.4, 0], normal: "
                                "[0, 0, 1], mu: 0.3, friction: box}\n"
                                "  - {name: b, type: contact, body1: box, body2: ground, point: [-0.3, 0.4, 0], "
                                "normal: [0, 0, 1], mu: 0.3, friction: box}\n"
                                "  - {name: c, type: contact, body1: box, body2: ground, point: [0.3, -0.4, 0], "
                                "normal: [0, 0, 1], mu: 0.3, friction: box}\n"
                                "  - {name: d, type: contact, body1: ground, body2: box, point: [-0.3, -0.4, 0], "
                                "normal: [0, 0, -1], mu: 0.3, friction: box}\n";

/* Contacts of the scene, and contacts that are found, carry the weight together and do not turn the box. What they
 * give besides has changed its velocity in the last step; of small steps, in the last substep, which leaves what
 * one sweep leaves, and of rattle in the last half of the step. */
static void check_rest(const char *scheme, bool found)
{
    run r;
    char text[2000];
    snprintf(text, sizeof text, box_at_rest, found ? "true" : "false", found ? "" : four_feet);
    open_with(&r, parse_model(text), dls_iterative_find("pgs"), scheme, 300);
    run_steps(&r, strcmp(scheme, "soft-reference") == 0 ? 400 : 40, 1e-3); /* its time constant is 20 ms */
    const double *v = dls_simulation_state(r.simulation)->v, weight = 2.4 * 9.81;
    const dls_vec3 before = dls_v3(v[0], v[1], v[2]);
    run_steps(&r, 1, 1e-3);
    const dls_vec3 push = dls_scale(2.4 / 1e-3, dls_sub(dls_v3(v[0], v[1], v[2]), before));
    const dls_contacts *contacts = dls_simulation_contacts(r.simulation);
    const size_t first = found ? dls_model_count(r.model).joints : 0,
                 count = found ? contacts->count : dls_model_count(r.model).joints;
    dls_vec3 force = {0, 0, 0}, torque = {0, 0, 0};
    assert_int_equal(count, 4);
    for (size_t k = 0; k < count; k++) {
        const dls_constraint_force f = force_of(&r, first + k);
        const size_t *body = found ? contacts->at[k].body : dls_model_joints(r.model)[k].body, box = body[1] == 1;
        assert_true(body[box] == 1 && body[!box] == 0);
        assert_vector(f.end[!box].lin, dls_scale(-1.0, f.end[box].lin), 0.0);
        force = dls_add(force, f.end[box].lin);
        torque = dls_add(torque, f.end[box].ang);
    }
    print_message("# %-24s %s contacts: off by %.1e N of %.6g N, %.1e N m; pushed by %.1e N\n", scheme,
                  found ? "found" : "given", dls_norm(dls_sub(force, dls_v3(0, 0, weight))), weight, dls_norm(torque),
                  dls_norm(push));
    const variant v_of = {scheme, NULL, NULL};
    const bool cut = has_substeps(&v_of) || strcmp(scheme, "rattle") == 0 || solves_itself(&v_of);
    if (!cut)
        assert_vector(force, dls_add(push, dls_v3(0, 0, weight)), 1e-11);
    assert_vector(force, dls_v3(0, 0, weight), 1e-3 * weight);
    assert_vector(torque, dls_v3(0, 0, 0), 1e-3 * weight);
    run_stop(&r);
}

TEST(test_contacts_carry_the_weight)
{
    for (size_t k = 0; dls_schemes[k]; k++) {
        check_rest(dls_schemes[k]->name, false);
        check_rest(dls_schemes[k]->name, true);
    }
}

/* The actions of a joint on its two ends sum to nothing: forces, and moments about the world's origin of forces where
 * the ends were when the rows were made, but for the error C between the two points that it holds together. The
 * points of a contact may slide apart, and have forces alone here. */
static void check_action_and_reaction(const char *scene)
{
    run r;
    open_with(&r, load_scene(scene), dls_iterative_find("pgs"), "euler", 10);
    double worst = 0.0, largest = 0.0;
    for (int step = 0; step < 20; step++) {
        dls_configuration *before = configuration_of(r.model, dls_simulation_state(r.simulation));
        run_steps(&r, 1, dls_model_world(r.model)->step);
        const dls_row_list *rows = dls_simulation_rows(r.simulation);
        for (size_t i = 0; i < rows->n; i++) {
            const size_t owner = rows->row[i].owner;
            if (i > 0 && rows->row[i - 1].owner == owner)
                continue;
            const dls_joint *joint = owner < dls_model_count(r.model).joints ? &dls_model_joints(r.model)[owner] : NULL;
            const dls_constraint_force f = force_of(&r, owner);
            if (joint && joint->n_terms) { /* on coordinates */
                assert_true(dls_norm(f.end[0].lin) + dls_norm(f.end[1].lin) == 0.0);
                continue;
            }
            largest = fmax(largest, fmax(dls_norm(f.end[0].lin), dls_norm(f.end[0].ang)));
            worst = fmax(worst, dls_norm(dls_add(f.end[0].lin, f.end[1].lin)));
            if (!joint || strcmp(joint->type->name, "contact") == 0)
                continue;
            dls_vec3 moment = {0, 0, 0};
            double C = 0.0;
            for (int k = 0; k < 2; k++) {
                const dls_vec3 x = dls_configuration_end(before, joint->body[k]).x;
                moment = dls_add(moment, dls_add(f.end[k].ang, dls_cross(x, f.end[k].lin)));
            }
            for (size_t k = i; k < rows->n && rows->row[k].owner == owner; k++)
                C = hypot(C, rows->row[k].C);
            worst = fmax(worst, dls_norm(moment) - C * dls_norm(f.end[0].lin));
        }
        dls_configuration_destroy(before);
    }
    print_message("# %s: forces up to %.2g N, action and reaction differ by %.1e\n", scene, largest, worst);
    assert_true(largest > 0.1);
    assert_below(worst, 1e-12 * largest);
    run_stop(&r);
}

TEST(test_action_is_reaction)
{
    static const char *const scenes[] = {"all-joints",   "four-bar", "chain-10",      "loop",
                                         "box-on-slope", "stack-10", "stack-10-found"};
    for (size_t k = 0; k < sizeof scenes / sizeof scenes[0]; k++)
        check_action_and_reaction(scenes[k]);
}

/* A brake that gives all it has, -4 N m along its sum 2 q, slows the joint of inertia I by 2 * 4 / I. */
TEST(test_force_along_a_sum)
{
    run r;
    open_with(
        &r,
        parse_model("world: {gravity: [0, 0, 0]}\n"
                    "articulations:\n  - name: a\n    links:\n      - {name: root, static: true}\n"
                    "      - {name: w, parent: root, motion: revolute, axis: [0, 0, 1], shape: sphere, radius: 1, "
                    "mass: 2, speed: 17}\n"
                    "joints:\n  - {name: brake, type: motor, coordinates: {a.w: 2}, force: 4}\n"),
        dls_iterative_find("pgs"), "euler", 5);
    run_steps(&r, 3, 1e-2);
    const dls_constraint_force force = force_of(&r, 0);
    assert_close(force.along_sum, -4.0, 1e-13);
    assert_true(dls_norm(force.end[0].lin) + dls_norm(force.end[0].ang) == 0.0);
    assert_close(dls_simulation_state(r.simulation)->v[0], 17.0 - 3e-2 * 8.0 / (0.4 * 2.0), 1e-12);
    run_stop(&r);
}

TEST(test_what_has_no_force)
{
    run r;
    dls_error error;
    dls_constraint_force force;
    open_with(&r, load_scene("four-bar"), dls_iterative_find("pgs"), "euler", 5);
    assert_int_equal(dls_simulation_forces_of(r.simulation, 0, &force, &error), DLS_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "before the first step"));
    run_steps(&r, 1, 1e-3);
    assert_status(dls_simulation_forces_of(r.simulation, dls_model_count(r.model).joints - 1, &force, &error), &error);
    const size_t none[] = {dls_model_count(r.model).joints, dls_model_count(r.model).joints + 3, SIZE_MAX};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(dls_simulation_forces_of(r.simulation, none[k], &force, &error), DLS_BAD_ARGUMENT);
        assert_non_null(strstr(error.message, "4 joints and 0 contacts"));
    }
    run_stop(&r);
}

/* --- opening --- */

TEST(test_wrong_options)
{
    dls_model *model = load_scene("pendulum");
    dls_simulation *simulation = (dls_simulation *)1;
    dls_simulation_options options = {.solver = dls_iterative_find("pgs"), .scheme = dls_schemes[0]};
    dls_error error;
    assert_int_equal(dls_simulation_open(model, &options, &simulation, &error), DLS_BAD_ARGUMENT);
    assert_null(simulation);
    options = dls_simulation_default();
    assert_int_equal(dls_simulation_open(model, &options, &simulation, &error), DLS_BAD_ARGUMENT);
    options.solver = dls_iterative_find("pgs");
    assert_status(dls_simulation_open(model, &options, &simulation, &error), &error);
    const double wrong[] = {0.0, -1e-3, NAN, HUGE_VAL};
    for (int k = 0; k < 4; k++)
        assert_int_equal(dls_simulation_step(simulation, wrong[k], &error), DLS_BAD_ARGUMENT);
    assert_close(dls_simulation_state(simulation)->time, 0.0, 0.0);
    assert_status(dls_simulation_step(simulation, 1e-3, &error), &error);
    dls_simulation_close(simulation);
    dls_simulation_close(NULL);
    dls_model_destroy(model);
}
