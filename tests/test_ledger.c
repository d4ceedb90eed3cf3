/* The energy ledger: its columns sum to the change of energy in every scheme, and it notices what is not so. */
#include "articulated.h"
#include "problems.h"
#include "simulation/parts.h"
#include "stepping.h"

/* --- mechanisms --- */

static dls_model *double_pendulum(void)
{
    dls_scene *scene = new_scene();
    dls_body_def upper = new_box("upper", 1.3, dls_v3(0.5, 0.06, 0.1), dls_v3(0.25, 0, 0));
    dls_body_def lower = new_box("lower", 0.7, dls_v3(0.4, 0.05, 0.08), dls_v3(0.7, 0, 0));
    lower.omega = dls_v3(0.3, 1.7, -0.2);
    add_body(scene, &upper), add_body(scene, &lower);
    add_joint(scene, "hinge", "shoulder", "upper", "world", KEYS("anchor", "[0, 0, 0]", "axis", "[0, 1, 0]"));
    add_joint(scene, "ball", "elbow", "lower", "upper", KEYS("anchor", "[0.5, 0, 0]"));
    return finish(scene);
}

/* Springs, a motor, a brake, a drive and a limit; forces on a body; fast spins. */
static dls_model *machine(const char *gyroscopic)
{
    dls_scene *scene = new_scene();
    dls_error error;
    dls_body_def arm = new_box("arm", 1.3, dls_v3(0.5, 0.06, 0.1), dls_v3(0.25, 0, 0));
    dls_body_def hand = new_box("hand", 0.7, dls_v3(0.4, 0.05, 0.2), dls_v3(0.7, 0, 0));
    dls_body_def top = new_box("top", 0.9, dls_v3(0.1, 0.3, 0.2), dls_v3(2, 0, 0));
    assert_status(dls_field_set(&dls_world_fields, &scene->world, "gyroscopic", gyroscopic, &error), &error);
    arm.force = dls_v3(1.1, -0.3, 2.0), hand.torque = dls_v3(0.1, 0.2, -0.15);
    top.omega = dls_v3(7, 0.1, 3), top.velocity = dls_v3(0.3, 0, 1);
    add_body(scene, &arm), add_body(scene, &hand), add_body(scene, &top);
    add_joint(scene, "hinge", "shoulder", "arm", "world", KEYS("anchor", "[0, 0, 0]", "axis", "[0, 1, 0]"));
    add_joint(scene, "hinge", "wrist", "hand", "arm", KEYS("anchor", "[0.5, 0, 0]", "axis", "[0, 0.2, 1]"));
    add_joint(scene, "ball", "spring", "top", "hand",
              KEYS("anchor", "[1.4, 0.1, 0]", "stiffness", "40", "damping", "0.7"));
    add_joint(scene, "distance", "tuned", "top", "world",
              KEYS("anchor1", "[2, 0, 0]", "anchor2", "[3, 0, 0.5]", "frequency", "3 Hz", "damping_ratio", "0.3"));
    return finish(scene);
}

static dls_model *tree(bool fixed_base)
{
    uint64_t seed = fixed_base ? 11 : 12;
    dls_scene *scene = draw_tree_scene(&seed, fixed_base);
    add_joint(scene, "ball", "soft", "load", "world",
              KEYS("anchor", "[0.8, 0, 0]", "frequency", "2", "damping_ratio", "0.4"));
    return finish(scene);
}

/* --- the sum --- */

static double worst_of(dls_model *model, const variant *v, size_t steps, double h)
{
    run r;
    double worst = 0.0;
    start_kept(&r, model, v, 7);
    for (size_t k = 0; k < steps; k++) {
        run_steps(&r, 1, h);
        worst = fmax(worst, dls_ledger_mismatch(dls_simulation_ledger(r.simulation)));
    }
    run_stop(&r);
    return worst;
}

TEST(test_columns_sum_to_the_change_of_energy)
{
    static const char *const names[] = {"pendulum",      "implicit", "explicit", "none",      "fixed tree",
                                        "floating tree", "stack",    "found",    "all joints"};
    for (size_t v = 0; v < VARIANTS; v++) {
        double worst[9] = {worst_of(double_pendulum(), &variants[v], 400, 2e-3),
                           worst_of(machine("implicit"), &variants[v], 200, 2e-3),
                           worst_of(machine("explicit"), &variants[v], 200, 2e-3),
                           worst_of(machine("none"), &variants[v], 200, 2e-3),
                           worst_of(tree(true), &variants[v], 40, 1e-4),
                           worst_of(tree(false), &variants[v], 40, 1e-4),
                           worst_of(load_scene("stack-10"), &variants[v], 60, 2e-3),
                           worst_of(load_scene("stack-10-found"), &variants[v], 30, 2e-3),
                           worst_of(load_scene("all-joints"), &variants[v], 60, 2e-3)};
        for (size_t k = 0; k < 9; k++) {
            print_message("# %-26s %-14s mismatch %.1e\n", name_of(&variants[v]), names[k], worst[k]);
            assert_below(worst[k], 1e-12);
        }
    }
}

/* --- what the columns are, by hand --- */

/* A fall of a step from rest: gravity works h m g (g h / 2) on v, the potential falls by h m g (g h). */
TEST(test_a_free_fall)
{
    const double h = 1e-2, m = 2.385, g = 9.81;
    run r;
    dls_scene *scene = new_scene();
    dls_body_def body = new_box("box", m, dls_v3(0.3, 0.5, 0.7), dls_v3(0, 0, 0));
    add_body(scene, &body);
    start_kept(&r, finish(scene), &variants[0], 3);
    run_steps(&r, 1, h);
    const dls_ledger *l = dls_simulation_ledger(r.simulation);
    assert_true(l->n_owners == 1 && l->nv == 6); /* no joint, but contacts */
    assert_close(l->gravity, 0.5 * m * pow(g * h, 2), 1e-15);
    assert_close(l->potential, -m * pow(g * h, 2), 1e-15);
    assert_close(dls_ledger_integrator(l), -0.5 * m * pow(g * h, 2), 1e-15);
    assert_close(dls_ledger_change(l), dls_ledger_integrator(l), 1e-15);
    run_stop(&r);
}

/* A ball that bounces loses (1 - e^2) of its kinetic energy to the collision, and nothing to anything else. */
TEST(test_a_collision)
{
    for (size_t v = 0; v < VARIANTS; v++) {
        run r;
        if (is_scheme(&variants[v], "avbd") || is_scheme(&variants[v], "soft-reference"))
            continue; /* they refuse restitution */
        dls_scene *scene = new_scene();
        dls_body_def ball = new_body("ball", DLS_SHAPE_SPHERE, 1.7, dls_v3(0, 0, 0.25));
        ball.radius = 0.25, ball.velocity = dls_v3(0.4, 0, -2.3);
        scene->world.gravity = dls_v3(0, 0, 0);
        add_body(scene, &ball);
        add_joint(scene, "contact", "touch", "ball", "world",
                  KEYS("point", "[0, 0, 0]", "normal", "[0, 0, 1]", "restitution", "0.6"));
        start_kept(&r, finish(scene), &variants[v], 4);
        run_steps(&r, 1, 1e-3);
        const dls_ledger *l = dls_simulation_ledger(r.simulation);
        assert_close(l->part[DLS_LEDGER_COLLISION], -0.5 * 1.7 * (1.0 - 0.36) * 2.3 * 2.3, 1e-14);
        assert_close(dls_ledger_change(l), l->part[DLS_LEDGER_COLLISION], 1e-14);
        run_stop(&r);
    }
}

/* Work of friction, of a motor with limited force and of an applied force: force times the mean way h (v0 + v1) / 2. */
TEST(test_friction_motor_and_force)
{
    const double h = 1e-3, m = 2.0;
    run r;
    dls_scene *scene = new_scene();
    dls_body_def box = new_box("box", m, dls_v3(0.3, 0.5, 0.7), dls_v3(0, 0, 0.35));
    box.velocity = dls_v3(1.5, 0, 0), box.force = dls_v3(0, 3.0, 0);
    add_body(scene, &box);
    add_joint(scene, "contact", "floor", "box", "world",
              KEYS("point", "[0, 0, 0.35]", "normal", "[0, 0, 1]", "mu", "0.25", "friction_mass", "2"));
    dls_model *model = finish(scene);
    start_kept(&r, model, &variants[0], 60);
    run_steps(&r, 1, h);
    const dls_ledger *l = dls_simulation_ledger(r.simulation);
    const double *v = dls_simulation_state(r.simulation)->v, *lambda = dls_simulation_impulses(r.simulation);
    double mean[3] = {0.5 * (1.5 + v[0]), 0.5 * v[1], 0.5 * v[2]};
    double tangents = 0.0;
    for (size_t i = 1; i < 3; i++)
        tangents += lambda[i] * (dls_simulation_problem(r.simulation)->J.coef[6 * i] * mean[0] +
                                 dls_simulation_problem(r.simulation)->J.coef[6 * i + 1] * mean[1]);
    assert_close(l->external, h * 3.0 * mean[1], 1e-16);
    assert_close(l->part[DLS_LEDGER_FRICTION], tangents, 1e-15);
    assert_true(l->part[DLS_LEDGER_FRICTION] < -1e-3 * 0.2 * m * 9.81);
    run_stop(&r);
}

/* Positions and velocities apart: no bias; relaxed: what the bias gave is taken out again; soft: it is compliance. */
TEST(test_whose_bias_works)
{
    for (size_t v = 0; v < VARIANTS; v++) {
        run r;
        start_kept(&r, load_scene("four-bar"), &variants[v], 40);
        const bool apart = moves_apart(&variants[v]) || solves_itself(&variants[v]),
                   within = is_halfway(&variants[v]) && !is_scheme(&variants[v], "rattle");
        bool none = variants[v].value && strcmp(variants[v].value, "none") == 0;
        double bias = 0.0, moved = 0.0;
        for (int k = 0; k < 100; k++) {
            run_steps(&r, 1, 2e-3);
            bias += fabs(dls_simulation_ledger(r.simulation)->part[DLS_LEDGER_BIAS]);
            moved += fabs(dls_simulation_ledger(r.simulation)->projection);
            assert_close(dls_simulation_ledger(r.simulation)->inertia, 0.0,
                         within  ? 1e-3
                         : apart ? 1e-8
                                 : 1e-13); /* R^T omega stays as a body turns about omega, of the same step */
        }
        assert_true((bias == 0.0) == (apart || none || is_scheme(&variants[v], "rattle") ||
                                      strncmp(variants[v].scheme, "soft-", 5) == 0));
        assert_true((moved > 0.0) == apart);
        run_stop(&r);
    }
}

/* --- what is not so is noticed --- */

/* One entry of what a scheme reports, off by a millionth (a way by a thousandth): the sum is off by far more than
 * rounding. */
TEST(test_a_wrong_report_is_noticed)
{
    for (int wrong = 0; wrong < 4; wrong++) {
        run r;
        dls_error error;
        const double h = 2e-3;
        start_kept(&r, tree(true), &variants[0], 30);
        dls_simulation *s = r.simulation;
        dls_ledger *l = s->ledger;
        double *v0 = draw_vector(&(uint64_t){1}, dls_model_count(r.model).nv, 0.0);
        dls_stage_begin(s);
        memcpy(v0, s->state->v, dls_model_count(r.model).nv * sizeof *v0);
        assert_status(dls_stage_linearise(s, h, &error), &error);
        assert_status(dls_stage_solve(s, 30, &error), &error);
        dls_ledger_begin(l, s->now); /* anew, by hand */
        dls_ledger_linearise(l, s->now, s->state, s->problem);
        double *v1 = draw_vector(&(uint64_t){1}, dls_model_count(r.model).nv, 0.0),
               *scratch = draw_vector(&(uint64_t){1}, dls_model_count(r.model).nv, 0.0);
        dls_problem_velocity(s->problem, s->lambda, v1, scratch);
        double worst_row = 0.0;
        size_t row = 0;
        for (size_t i = 0; i < s->problem->n; i++)
            if (fabs(s->lambda[i] * dls_rows_dot(&s->problem->J, i, v0)) > worst_row)
                worst_row = fabs(s->lambda[i] * dls_rows_dot(&s->problem->J, i, v0)), row = i;
        if (wrong == 1)
            s->lambda[row] *= 1.0 + 1e-6;
        if (wrong == 2)
            l->impulse_turning[dls_model_count(r.model).nv - 1] += 1e-6;
        memcpy(s->state->v, v1, dls_model_count(r.model).nv * sizeof *v1);
        dls_ledger_kick(l, s->problem, s->rows, v0, v1, NULL, s->lambda, true);
        double links = dls_links_potential_energy(s->now);
        dls_configuration *end = s->configuration[s->now == s->configuration[0]];
        dls_configuration_advance(s->now, end, s->state, v1, h, true);
        dls_ledger_drift(l, end, v1, wrong == 3 ? h * (1.0 + 1e-3) : h, links);
        dls_ledger_end(l, end);
        print_message("# report %d: mismatch %.1e\n", wrong, dls_ledger_mismatch(l));
        if (wrong)
            assert_true(dls_ledger_mismatch(l) > 1e-12);
        else
            assert_below(dls_ledger_mismatch(l), 1e-14);
        free(v0), free(v1), free(scratch);
        run_stop(&r);
    }
}

/* --- the sum, entry by entry --- */

/* The sum and the change by their definitions, from entries that are powers of two, which a sum of them all still
 * tells; and the mismatch is relative to the sizes of all entries, whatever their signs. */
TEST(test_each_entry_counts_once)
{
    dls_ledger *l;
    dls_error error;
    dls_model *model = double_pendulum();
    assert_status(dls_ledger_create(model, &l, &error), &error);
    double *const once[] = {&l->external,  &l->projection, &l->sleep,   &l->clamp, &l->gravity,
                            &l->potential, &l->turning,    &l->inertia, &l->medium};
    double *const ends[] = {&l->kinetic_before, &l->kinetic_after, &l->potential_before, &l->potential_after};
    assert_true(dls_ledger_sum(l) == 0.0 && dls_ledger_change(l) == 0.0 && dls_ledger_mismatch(l) == 0.0);
    double sum = 0.0, size = 0.0;
    for (size_t k = 0; k < 9 + DLS_LEDGER_PARTS; k++) {
        const double value = ldexp(k % 2 ? -1.0 : 1.0, (int)k);
        *(k < 9 ? once[k] : &l->part[k - 9]) = value;
        if (k >= 9) /* the last owner: contacts that were found */
            l->by_owner[(l->n_owners - 1) * DLS_LEDGER_PARTS + k - 9] = value;
        sum += value, size += fabs(value);
        assert_true(dls_ledger_sum(l) == sum);
        assert_close(dls_ledger_mismatch(l), fabs(sum) / size, 1e-15);
    }
    assert_true(dls_ledger_integrator(l) == *once[4] + *once[5] + *once[6] + *once[7]);
    for (size_t k = 0; k < 4; k++) {
        *ends[k] = ldexp(3.0, (int)k);
        size += *ends[k];
    }
    const double change = *ends[1] - *ends[0] + *ends[3] - *ends[2];
    assert_true(dls_ledger_change(l) == change);
    assert_close(dls_ledger_mismatch(l), fabs(sum - change) / size, 1e-15);
    *ends[1] += sum - change; /* to the number that is right */
    assert_true(dls_ledger_mismatch(l) == 0.0);
    dls_ledger_destroy(l);
    dls_model_destroy(model);
}

/* Rows of every role, on two bodies of which one stands beside them in the columns. */
static dls_model *rows_of_every_role(void)
{
    static const char text[] =
        "world: {gravity: [0.3, -0.2, -9.81], step: 0.01}\n"
        "bodies:\n"
        "  - {name: ground, static: true}\n"
        "  - {name: a, shape: box, size: [0.4, 0.3, 0.2], mass: 1.7, position: [1, 0, 0], omega: [1, -2, 0.5], "
        "force: [0.4, 0.3, -0.7], torque: [0.2, -0.1, 0.3]}\n"
        "  - {name: b, shape: box, size: [0.2, 0.3, 0.6], mass: 0.6, position: [3, 0, 0], velocity: [1, 2, 3], omega: "
        "[-1, 0.7, 0.4], torque: [0.1, 0.4, -0.6]}\n"
        "joints:\n"
        "  - {name: rail, type: slider, body1: a, axis: [1, 0.2, 0], erp: 0.3}\n"
        "  - {name: motor, type: motor, coordinates: {rail: 1}, speed: 0.7, force: 3}\n"
        "  - {name: brake, type: motor, coordinates: {rail: 1}, force: 5}\n"
        "  - {name: foot, type: contact, body1: b, body2: a, point: [2, 0, 0.1], normal: [0.8, 0, 0.6], mu: 0.4, "
        "friction: box, gap: -0.01}\n"
        "  - {name: soft, type: distance, body1: b, body2: a, anchor1: [3, 0.1, 0], anchor2: [1, 0.3, 0], "
        "stiffness: 50, damping: 3}\n"
        "  - {name: rod, type: distance, body1: b, anchor1: [3, 0.1, 0], anchor2: [4, 1, 0]}\n";
    return parse_model(text);
}

static dls_ledger_part part_of(const dls_list_row *row, double gamma)
{
    return row->role == DLS_ROLE_FRICTION ? DLS_LEDGER_FRICTION
           : row->role == DLS_ROLE_MOTOR  ? DLS_LEDGER_MOTOR
           : gamma > 0.0                  ? DLS_LEDGER_COMPLIANCE
           : row->role == DLS_ROLE_STOP   ? DLS_LEDGER_COLLISION
                                          : DLS_LEDGER_CONSTRAINT;
}

/* Work is impulse times mean velocity, row by row, of which rigid rows of positions give half their bias to the error
 * that they correct; forces enter where they are said to act. */
TEST(test_a_kick_is_the_work_of_its_rows)
{
    dls_model *model = rows_of_every_role();
    dls_state *state = new_state(model);
    dls_configuration *c = configuration_of(model, state);
    dls_ledger *l;
    dls_error error;
    uint64_t seed = 17;
    double v0[12], v1[12], lambda[32], lambda0[32];
    assert_status(dls_configuration_factor(c, &error), &error);
    for (size_t k = 0; k < 12; k++)
        v0[k] = draw(&seed), v1[k] = draw(&seed), state->force[k] = draw(&seed);
    dls_problem *problem = problem_from_state(model, state, NULL, 0.01);
    assert_true(problem->nv == 12 && problem->n <= 32);
    const dls_row_list *rows = dls_problem_rows(problem);
    for (size_t i = 0; i < problem->n; i++)
        lambda[i] = draw(&seed), lambda0[i] = draw(&seed);
    assert_status(dls_ledger_create(model, &l, &error), &error);
    assert_int_equal(l->n_owners, 7);
    for (int way = 0; way < 4; way++) {
        const bool forces = way & 1, before = way & 2;
        double part[DLS_LEDGER_PARTS] = {0.0}, by_owner[7][DLS_LEDGER_PARTS] = {{0.0}};
        dls_ledger_begin(l, c);
        dls_ledger_linearise(l, c, state, problem);
        dls_ledger_kick(l, problem, rows, v0, v1, before ? lambda0 : NULL, lambda, forces);
        size_t kinds = 0;
        for (size_t i = 0; i < problem->n; i++) {
            const double impulse = lambda[i] - (before ? lambda0[i] : 0.0);
            const double work = 0.5 * impulse * (dls_rows_dot(&problem->J, i, v0) + dls_rows_dot(&problem->J, i, v1));
            const dls_ledger_part into = part_of(&rows->row[i], problem->gamma[i]);
            const bool rigid = into == DLS_LEDGER_COLLISION || into == DLS_LEDGER_CONSTRAINT;
            const double bias = rigid ? 0.5 * impulse * rows->row[i].bias : 0.0;
            by_owner[rows->row[i].owner][into] += work - bias;
            by_owner[rows->row[i].owner][DLS_LEDGER_BIAS] += bias;
            part[into] += work - bias, part[DLS_LEDGER_BIAS] += bias;
            kinds |= (size_t)1 << into;
        }
        assert_int_equal(kinds, 1u << DLS_LEDGER_FRICTION | 1u << DLS_LEDGER_MOTOR | 1u << DLS_LEDGER_COMPLIANCE |
                                    1u << DLS_LEDGER_COLLISION | 1u << DLS_LEDGER_CONSTRAINT);
        assert_true(fabs(part[DLS_LEDGER_BIAS]) > 1e-3);
        for (size_t k = 0; k < DLS_LEDGER_PARTS; k++) {
            assert_close(l->part[k], part[k], 1e-13);
            for (size_t j = 0; j < l->n_owners; j++)
                assert_close(l->by_owner[j * DLS_LEDGER_PARTS + k], by_owner[j][k], 1e-13);
        }
        double gravity = 0.0, external = 0.0;
        dls_spatial given = {{0, 0, 0}, {0, 0, 0}};
        for (size_t i = 0; i < 2; i++) {
            const dls_body *body = &dls_model_bodies(model)[i + 1];
            double impulse[6], mean[6];
            for (size_t k = 0; k < 6; k++) {
                const int axis = (int)(k % 3);
                const double pull = k < 3 ? 0.01 * body->mass * dls_get3(dls_model_world(model)->gravity, axis) : 0.0;
                const double push =
                    0.01 * (dls_get3(k < 3 ? body->force : body->torque, axis) + state->force[6 * i + k]);
                mean[k] = 0.5 * (v0[6 * i + k] + v1[6 * i + k]);
                gravity += pull * mean[k], external += push * mean[k];
                impulse[k] = forces ? pull + push : 0.0;
            }
            for (size_t r = 0; r < problem->n; r++) {
                double row[12] = {0.0};
                dls_rows_axpy(&problem->J, r, lambda[r] - (before ? lambda0[r] : 0.0), row);
                for (size_t k = 0; k < 6; k++)
                    impulse[k] += row[6 * i + k];
            }
            const dls_vec3 lin = dls_v3(impulse[0], impulse[1], impulse[2]);
            given.lin = dls_add(given.lin, lin);
            given.ang = dls_add(given.ang,
                                dls_add(dls_v3(impulse[3], impulse[4], impulse[5]), dls_cross(state->x[i + 1], lin)));
        }
        assert_close(l->gravity, forces ? gravity : 0.0, 1e-13);
        assert_close(l->external, forces ? external : 0.0, 1e-13);
        assert_vector(l->momentum_given.lin, given.lin, 1e-12);
        assert_vector(l->momentum_given.ang, given.ang, 1e-12);
    }
    dls_ledger_destroy(l);
    dls_problem_destroy(problem);
    dls_configuration_destroy(c);
    dls_state_destroy(state);
    dls_model_destroy(model);
}
