/* Temporal Gauss-Seidel: one iteration, how an error decays, springs, gaps, rest, momentum, chains, refusals. */
#include "mechanisms.h"
#include "problems.h"
#include "simulation/parts.h"
#include "world.h"

/* time_base NULL: euler. */
static void start_model(run *r, dls_model *model, const char *solver, const char *time_base, size_t iterations)
{
    run_start(r, model, dls_iterative_find(solver), time_base, iterations);
}

/* With pgs. */
static void start(run *r, dls_scene *scene, const char *time_base, size_t iterations)
{
    start_model(r, finish(scene), "pgs", time_base, iterations);
}

static const char *const time_bases[] = {"step", "substep"};
static double base_of(int substep, double h, size_t iterations) { return substep ? h / (double)iterations : h; }

/* --- one iteration is a step of euler with one iteration --- */

static void compare_with_euler(const char *solver, const char *time_base)
{
    run one, other;
    start_model(&one, make_chain(5, 7.3), solver, NULL, 1);
    start_model(&other, make_chain(5, 7.3), solver, time_base, 1);
    run_steps(&one, 50, 4e-3);
    run_steps(&other, 50, 4e-3);
    assert_close(dls_simulation_state(other.simulation)->time, dls_simulation_state(one.simulation)->time, 0.0);
    for (size_t i = 0; i < 5; i++)
        assert_close(
            dls_norm(dls_sub(dls_simulation_state(other.simulation)->x[i], dls_simulation_state(one.simulation)->x[i])),
            0.0, 1e-12);
    for (size_t j = 0; j < dls_model_count(one.model).nv; j++)
        assert_close(dls_simulation_state(other.simulation)->v[j], dls_simulation_state(one.simulation)->v[j],
                     1e-11); /* 50 steps of some ten roundings */
    run_stop(&one), run_stop(&other);
}

TEST(test_one_iteration_is_euler)
{
    for (size_t s = 0; dls_iterative_solvers[s]; s++)
        for (int b = 0; b < 2; b++)
            compare_with_euler(dls_iterative_solvers[s]->name, time_bases[b]);
}

/* --- decay of a lone error --- */

/* A body held at its centre, or sliding, off by C0: no row of it sees another, so one sweep solves them. */
static void check_decay(const char *joint, double erp, int substep, size_t iterations)
{
    char text[32];
    snprintf(text, sizeof text, "%.17g", erp);
    dls_scene *scene = new_scene();
    dls_body_def body = new_box("box", 2.385, dls_v3(0.3, 0.5, 0.7), dls_v3(0, 0, 0));
    scene->world.gravity = dls_v3(0, 0, 0);
    add_body(scene, &body);
    if (strcmp(joint, "ball") == 0)
        add_joint(scene, joint, "joint", "box", "world", KEYS("anchor", "[0, 0, 0]", "erp", text));
    else
        add_joint(scene, joint, "joint", "box", "world", KEYS("axis", "[0, 1, 0]", "erp", text));
    run r;
    start(&r, scene, time_bases[substep], iterations);
    dls_simulation_edit(r.simulation)->x[0] = dls_v3(0.1, 0, -0.037);
    double kept = pow(1.0 - (substep ? erp : erp / (double)iterations), (double)iterations), C = 0.1;
    for (int k = 0; k < 3; k++) {
        C *= kept;
        run_steps(&r, 1, 1.0 / 60.0);
        /* relative, down to a rounding of the first error: C + T v of equal size leaves that */
        assert_close(dls_simulation_state(r.simulation)->x[0].x, C, 1e-10 * C + 1e-16);
        assert_close(dls_simulation_state(r.simulation)->x[0].z, -0.37 * C, 1e-10 * C + 1e-16);
    }
    run_stop(&r);
}

TEST(test_decay_of_a_lone_error)
{
    const double erps[] = {0.0, 0.2, 0.385, 0.8, 1.0};
    const size_t iterations[] = {1, 4, 16};
    for (size_t e = 0; e < 5; e++)
        for (size_t n = 0; n < 3; n++)
            for (int substep = 0; substep < 2; substep++) {
                check_decay("ball", erps[e], substep, iterations[n]);
                check_decay("slider", erps[e], substep, iterations[n]);
            }
}

/* --- compliance and bounds are those of the step's mean force --- */

/* ERP = T kp / (T kp + kd), CFM = 1 / (T kp + kd): every iteration has m (v - v*) / h = -kp (x + T v) - kd v. */
static double spring_step(double x, double *v, double m, double kp, double kd, double h, double T, size_t iterations)
{
    double v_star = *v - h * 9.81;
    for (size_t n = 0; n < iterations; n++) {
        *v = (v_star - h / m * kp * x) / (1.0 + h / m * (T * kp + kd));
        x += h / (double)iterations * *v;
    }
    return x;
}

TEST(test_a_spring_is_that_of_the_time_base)
{
    const double kp = 170.0, kd = 3.5, h = 1e-2, m = 2.385;
    for (int substep = 0; substep < 2; substep++) {
        const size_t iterations = 5;
        double T = base_of(substep, h, iterations), x = 0.4, v = 0.0;
        char erp[32], cfm[32];
        snprintf(erp, sizeof erp, "%.17g", T * kp / (T * kp + kd));
        snprintf(cfm, sizeof cfm, "%.17g", 1.0 / (T * kp + kd));
        dls_scene *scene = new_scene();
        dls_body_def body = new_box("box", m, dls_v3(0.3, 0.5, 0.7), dls_v3(0, 0, 0));
        add_body(scene, &body);
        add_joint(scene, "ball", "spring", "box", "world", KEYS("anchor", "[0, 0, 0]", "erp", erp, "cfm", cfm));
        run r;
        start(&r, scene, time_bases[substep], iterations);
        dls_simulation_edit(r.simulation)->x[0].z = x;
        for (int i = 0; i < 600; i++) {
            x = spring_step(x, &v, m, kp, kd, h, T, iterations);
            run_steps(&r, 1, h);
            assert_close(dls_simulation_state(r.simulation)->x[0].z, x, 1e-13);
        }
        assert_close(x, -m * 9.81 / kp, 1e-3); /* it settles where the spring carries the weight, with either */
        run_stop(&r);
    }
}

/* A joint that may pull with less than the weight: the body falls with what is left, however the step is cut. */
TEST(test_force_bounds_are_those_of_the_step)
{
    for (int substep = 0; substep < 2; substep++) {
        dls_scene *scene = new_scene();
        dls_body_def body = new_box("box", 2.0, dls_v3(0.3, 0.5, 0.7), dls_v3(0, 0, 0));
        add_body(scene, &body);
        add_joint(scene, "ball", "weak", "box", "world",
                  KEYS("anchor", "[0, 0, 0]", "force_lo", "-5", "force_hi", "5"));
        run r;
        start(&r, scene, time_bases[substep], 7);
        run_steps(&r, 40, 1e-2);
        assert_close(dls_simulation_state(r.simulation)->v[2], -0.4 * (9.81 - 5.0 / 2.0), 1e-13);
        run_stop(&r);
    }
}

/* --- gaps and contacts --- */

static dls_scene *ball_over_the_floor(double height, double speed, const char *restitution)
{
    dls_scene *scene = new_scene();
    dls_body_def ball = new_body("ball", DLS_SHAPE_SPHERE, 1.7, dls_v3(0, 0, 0.25 + height));
    ball.radius = 0.25;
    ball.velocity = dls_v3(0, 0, -speed);
    scene->world.gravity = dls_v3(0, 0, 0);
    add_body(scene, &ball);
    char gap[32];
    snprintf(gap, sizeof gap, "%.17g m", height);
    add_joint(scene, "contact", "touch", "ball", "world",
              KEYS("point", "[0, 0, 0]", "normal", "[0, 0, 1]", "gap", gap, "restitution", restitution));
    return scene;
}

/* The speed stays until the gap has closed, to the iteration; then the ball stands on the floor, and not above it. */
TEST(test_no_impulse_before_a_gap_has_closed)
{
    const double h = 1e-2;
    for (int substep = 0; substep < 2; substep++) {
        run r;
        start(&r, ball_over_the_floor(0.031, 1.0, "0"), time_bases[substep], 10);
        run_steps(&r, 3, h);
        assert_close(dls_simulation_state(r.simulation)->v[2], -1.0, 1e-14);
        assert_close(dls_simulation_state(r.simulation)->x[0].z, 0.251, 1e-14);
        run_steps(&r, 1, h); /* a tenth of it falls, nine tenths stand */
        assert_close(dls_simulation_state(r.simulation)->v[2], 0.0, 1e-13);
        assert_close(dls_simulation_state(r.simulation)->x[0].z, 0.25, 1e-14);
        run_stop(&r);
        start(&r, ball_over_the_floor(0.009, 1.0, "0"), time_bases[substep], 10);
        run_steps(&r, 1, h); /* the last tenth reaches it */
        assert_close(dls_simulation_state(r.simulation)->x[0].z, 0.25, 1e-14);
        run_stop(&r);
    }
}

/* Newton's law answers to the speed before the step in every iteration, not to the one it has made itself. */
TEST(test_a_ball_bounces_by_newtons_law)
{
    for (int substep = 0; substep < 2; substep++) {
        run r;
        start(&r, ball_over_the_floor(0.0, 2.3, "0.6"), time_bases[substep], 8);
        run_steps(&r, 1, 1e-3);
        assert_close(dls_simulation_state(r.simulation)->v[2], 0.6 * 2.3, 1e-14);
        assert_close(dls_simulation_state(r.simulation)->x[0].z, 0.25 + 1e-3 * 0.6 * 2.3, 1e-15);
        run_stop(&r);
    }
}

TEST(test_a_box_on_four_points_stays)
{
    enum { STEPS = 1000, ITERATIONS = 60 };
    const double h = 1e-3, way = h * h * 9.81 / ITERATIONS; /* what the first iteration of a step may let through */
    static const char *const points[] = {"[-0.4, -0.3, 0]", "[0.4, -0.3, 0]", "[-0.4, 0.3, 0]", "[0.4, 0.3, 0]"};
    static const char *const names[] = {"p1", "p2", "p3", "p4"};
    for (int substep = 0; substep < 2; substep++) {
        dls_scene *scene = new_scene();
        dls_body_def box = new_box("box", 2.385, dls_v3(0.8, 0.6, 0.5), dls_v3(0, 0, 0.25));
        add_body(scene, &box);
        for (int k = 0; k < 4; k++)
            add_joint(scene, "contact", names[k], "box", "world",
                      KEYS("point", points[k], "normal", "[0, 0, 1]", "mu", "0.5"));
        run r;
        start(&r, scene, time_bases[substep], ITERATIONS);
        run_steps(&r, STEPS, h);
        const dls_state *s = dls_simulation_state(r.simulation);
        assert_close(s->x[0].z, 0.25, way / 0.2); /* the bias takes a fifth of it back in a step */
        assert_close(s->v[2], 0.0, h * 9.81 / ITERATIONS);
        assert_close(hypot(s->x[0].x, s->x[0].y), 0.0, STEPS * way); /* nothing takes it back: it creeps */
        assert_close(dls_norm(dls_quat_log(s->q[0])), 0.0, STEPS * way / 0.25);
        run_stop(&r);
    }
}

/* The stages of an assembly: a problem at one configuration, and C at another. */
typedef struct linearised {
    dls_configuration *start, *now;
    dls_row_list *rows;
    dls_problem *problem;
} linearised;

static void linearise(linearised *l, const dls_model *model, const dls_state *state, const dls_contacts *contacts,
                      double h)
{
    dls_error error;
    l->start = configuration_of(model, state);
    assert_status(dls_configuration_create(model, &l->now, &error), &error);
    assert_status(dls_row_list_create(&l->rows, &error), &error);
    assert_status(dls_problem_allocate(0, 0, 0, 0, 0, &l->problem, &error), &error);
    assert_status(dls_configuration_factor(l->start, &error), &error);
    assert_status(dls_row_list_fill(l->rows, l->start, contacts, h, &error), &error);
    assert_status(dls_problem_assemble(l->problem, l->start, state, l->rows, h, &error), &error);
}

/* With at most one contact, found at `start`. */
static void refresh(linearised *l, const dls_state *start, const dls_state *now, const dls_contacts *contacts,
                    dls_time_base T)
{
    dls_contact moved;
    dls_contacts followed = {.count = contacts ? contacts->count : 0, .at = &moved};
    assert_true(followed.count <= 1);
    dls_configuration_evaluate(l->now, now);
    dls_configuration_set_velocity(l->now, start->v); /* the speeds that restitution answers to */
    if (followed.count)
        moved = dls_contact_follow(l->now, &contacts->at[0]);
    dls_row_list_refresh(l->rows, l->now, &followed, l->problem->h);
    dls_problem_refresh(l->problem, l->rows, T);
}

static void forget(linearised *l)
{
    dls_problem_destroy(l->problem);
    dls_row_list_destroy(l->rows);
    dls_configuration_destroy(l->start);
    dls_configuration_destroy(l->now);
}

/* Contacts that are detected go with their bodies: against a contact of the scene at the same points. */
TEST(test_found_contacts_follow_their_bodies)
{
    dls_scene *scene = new_scene();
    dls_body_def low = new_box("low", 3.1, dls_v3(1, 1, 0.5), dls_v3(0, 0, 0));
    dls_body_def high = new_box("high", 2.385, dls_v3(0.8, 0.6, 0.5), dls_v3(0.1, 0, 0.49));
    add_body(scene, &low), add_body(scene, &high);
    add_joint(scene, "contact", "given", "high", "low",
              KEYS("point", "[0.3, -0.2, 0.25]", "normal", "[0.1, 0, 1]", "gap", "-0.01"));
    dls_model *model = finish(scene);
    dls_state *start = new_state(model), *now = new_state(model);
    dls_vec3 n = dls_unit(dls_v3(0.1, 0, 1)), p = dls_v3(0.3, -0.2, 0.25);
    dls_contact found = {
        .body = {1, 0}, .point = {dls_add(p, dls_scale(-0.01, n)), p}, .normal = n, .gap = -0.01, .erp = 0.2};
    dls_contacts contacts = {1, 1, &found};
    linearised l;
    uint64_t seed = 5;
    for (int i = 0; i < 2; i++) /* both bodies stand upright */
        found.place[i] = dls_sub(found.point[i], start->x[found.body[i]]);
    linearise(&l, model, start, &contacts, 1e-2);
    for (int k = 0; k < 20; k++) {
        for (size_t i = 0; i < 2; i++) {
            now->x[i] = dls_add(start->x[i], dls_scale(0.1, draw3(&seed)));
            now->q[i] = dls_quat_exp(dls_scale(0.3, draw3(&seed)));
        }
        refresh(&l, start, now, &contacts, (dls_time_base){1e-2, 2.5e-3});
        const double C = l.rows->row[1].C;
        assert_close(C, l.rows->row[0].C, 1e-15);
        assert_close(l.problem->c[1], C > 0.0 ? -C / 2.5e-3 : -0.2 * C / 1e-2, 1e-13);
    }
    forget(&l);
    dls_state_destroy(start), dls_state_destroy(now);
    dls_model_destroy(model);
}

/* --- momentum and chains --- */

TEST(test_two_joined_bodies_keep_their_linear_momentum)
{
    for (int substep = 0; substep < 2; substep++) {
        dls_scene *scene = new_scene();
        dls_body_def one = new_box("one", 2.385, dls_v3(0.3, 0.5, 0.7), dls_v3(0, 0, 0));
        dls_body_def two = new_box("two", 0.71, dls_v3(0.2, 0.4, 0.3), dls_v3(0.6, 0.1, -0.2));
        scene->world.gravity = dls_v3(0, 0, 0);
        one.velocity = dls_v3(0.3, 1.1, -0.7), one.omega = dls_v3(1.3, -2.1, 0.4);
        two.omega = dls_v3(-0.6, 3.2, 1.7);
        add_body(scene, &one), add_body(scene, &two);
        add_joint(scene, "ball", "joint", "one", "two", KEYS("anchor", "[0.35, 0.1, -0.1]", "erp", "0.4"));
        run r;
        dls_vec3 before, after, angular;
        start(&r, scene, time_bases[substep], 5);
        dls_simulation_edit(r.simulation)->x[1].y += 0.02; /* an error to take back */
        dls_momentum(dls_simulation_configuration(r.simulation), &before, &angular);
        run_steps(&r, 1000, 1e-3);
        dls_momentum(dls_simulation_configuration(r.simulation), &after, &angular);
        assert_close(dls_norm(dls_sub(after, before)), 0.0, 1e-12); /* a rounding of some N s an iteration */
        run_stop(&r);
    }
}

/* The largest |C| of all equality rows, in metres and radians alike. */
static double worst_error(const dls_model *model, const dls_state *state)
{
    double worst = 0.0;
    dls_problem *p = problem_from_state(model, state, NULL, 1e-3);
    for (size_t i = 0; i < p->n; i++)
        if (p->lo[i] == -HUGE_VAL && p->hi[i] == HUGE_VAL)
            worst = fmax(worst, fabs(dls_problem_rows(p)->row[i].C));
    dls_problem_destroy(p);
    return worst;
}

/* The joint error of a swinging chain after a second, and the energy it has gained. */
static double chain_error(const char *time_base, size_t iterations, double *energy)
{
    run r;
    start_model(&r, make_chain(10, 1.0), "pgs", time_base, iterations);
    double before = run_energy(&r);
    run_steps(&r, 1000, 1e-3);
    *energy = run_energy(&r) - before;
    double worst = worst_error(r.model, dls_simulation_state(r.simulation));
    run_stop(&r);
    return worst;
}

/* With pgs and the same iterations. Their error falls as 1 / N, and the substep's bias grows as N: 1 / N^2 is left. */
TEST(test_a_chain_holds_better)
{
    const size_t iterations[] = {2, 4, 8, 16, 32, 64};
    for (size_t k = 0; k < 6; k++) {
        double energy[3], euler = chain_error(NULL, iterations[k], &energy[0]);
        double with_step = chain_error("step", iterations[k], &energy[1]);
        double substep = chain_error("substep", iterations[k], &energy[2]);
        print_message("# %2zu iterations, error after 1 s: euler %.3e m (%+.2f J), tgs step %.3e m (%+.2f J), "
                      "substep %.3e m (%+.2f J)\n",
                      iterations[k], euler, energy[0], with_step, energy[1], substep, energy[2]);
        assert_true(substep < 0.6 * euler);
        assert_true(with_step < euler || iterations[k] > 16); /* then the early iterations' ways outweigh it */
    }
}

static double scene_error(const char *name, const char *time_base)
{
    run r;
    start(&r, read_scene(name), time_base, 4);
    run_steps(&r, 1000, 1e-3);
    double worst = worst_error(r.model, dls_simulation_state(r.simulation));
    run_stop(&r);
    return worst;
}

static const char *const scenes[] = {"all-joints", "four-bar", "hinge-pair", "slider-crank", NULL};

/* With h as the time base a refresh is what a new problem would have: to the bit, for every joint type. */
TEST(test_a_refresh_sees_what_a_new_problem_sees)
{
    uint64_t seed = 3;
    for (size_t k = 0; scenes[k] && getenv("DLS_TEST_SOURCE"); k++) {
        dls_model *model = finish(read_scene(scenes[k]));
        dls_state *now = new_state(model);
        linearised l;
        linearise(&l, model, dls_model_initial(model), NULL, 1e-2);
        for (size_t i = 0; i < dls_model_count(model).bodies; i++) {
            now->x[i] = dls_add(now->x[i], dls_scale(0.01, draw3(&seed)));
            now->q[i] = dls_quat_mul(dls_quat_exp(dls_scale(0.1, draw3(&seed))), now->q[i]);
        }
        dls_problem *fresh = problem_from_state(model, now, NULL, 1e-2);
        refresh(&l, dls_model_initial(model), now, NULL, (dls_time_base){1e-2, 1e-2});
        assert_true(l.problem->n == fresh->n && fresh->n > 0);
        assert_memory_equal(l.problem->c, fresh->c, fresh->n * sizeof *fresh->c);
        for (size_t i = 0; i < fresh->n; i++)
            assert_memory_equal(&l.rows->row[i].C, &dls_problem_rows(fresh)->row[i].C, sizeof(double));
        dls_problem_destroy(fresh);
        forget(&l);
        dls_state_destroy(now);
        dls_model_destroy(model);
    }
}

TEST(test_every_joint_holds_better)
{
    for (size_t k = 0; scenes[k] && getenv("DLS_TEST_SOURCE"); k++) {
        double euler = scene_error(scenes[k], NULL), substep = scene_error(scenes[k], "substep");
        print_message("# %s, 4 iterations, |C| after 1 s: euler %.3e, tgs substep %.3e\n", scenes[k], euler, substep);
        assert_true(substep < euler);
    }
}

/* --- what it refuses, and what it says --- */

TEST(test_refusals)
{
    run r;
    dls_error error;
    dls_solver direct = *dls_iterative_find("pgs");
    direct.name = "direct", direct.refresh = NULL, direct.velocity = NULL;
    start_model(&r, make_chain(2, 1.0), "pgs", "step", 4);
    dls_stage_solver(r.simulation)->solver = &direct;
    assert_int_equal(dls_simulation_step(r.simulation, 1e-3, &error), DLS_REFUSED);
    assert_non_null(strstr(error.message, "direct"));
    assert_close(dls_simulation_state(r.simulation)->time, 0.0, 0.0);
    dls_stage_solver(r.simulation)->solver = dls_iterative_find("pgs");
    r.simulation->iterations = 0;
    assert_int_equal(dls_simulation_step(r.simulation, 1e-3, &error), DLS_BAD_ARGUMENT);
    r.simulation->iterations = 4;
    assert_int_equal(dls_simulation_step(r.simulation, -1.0, &error), DLS_BAD_ARGUMENT);
    run_steps(&r, 1, 1e-3);
    assert_int_equal(dls_simulation_report(r.simulation)->iterations, 4);
    assert_int_equal(dls_simulation_report(r.simulation)->outcome, DLS_OUTCOME_ITERATION_LIMIT);
    run_stop(&r);
}

/* Jacobi with steps that are too long, until the numbers end. */
TEST(test_divergence_is_an_error)
{
    run r;
    dls_error error;
    dls_status status = DLS_OK;
    dls_simulation_options options = dls_simulation_default();
    options.solver = dls_iterative_find("jacobi");
    options.solver_settings =
        set_one(&options.solver->fields, r.solver_settings, sizeof r.solver_settings, "omega", "1.9");
    options.scheme = dls_scheme_find("tgs");
    options.scheme_settings =
        set_one(&options.scheme->fields, r.scheme_settings, sizeof r.scheme_settings, "time_base", "substep");
    options.iterations = 50;
    run_open(&r, make_chain(10, 100.0), &options);
    for (int k = 0; k < 400 && status == DLS_OK; k++)
        status = dls_simulation_step(r.simulation, 1e-2, &error);
    assert_int_equal(status, DLS_NOT_FINITE);
    run_stop(&r);
}
