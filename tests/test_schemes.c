/* Ways to hold a constraint: how a lone error decays under each, what becomes of momentum, and every joint type under
 * every scheme. */
#include "problems.h"
#include "simulation/schemes/positions.h"
#include "stepping.h"

#include "delassus/reference.h"

/* --- decay of a lone error --- */

static dls_model *held_at_its_centre(const char *joint, double erp)
{
    char text[32];
    dls_scene *scene = new_scene();
    dls_body_def body = new_box("box", 2.385, dls_v3(0.3, 0.5, 0.7), dls_v3(0, 0, 0));
    scene->world.gravity = dls_v3(0, 0, 0);
    snprintf(text, sizeof text, "%.17g", erp);
    add_body(scene, &body);
    if (strcmp(joint, "hinge") == 0)
        add_joint(scene, joint, "joint", "box", "world",
                  KEYS("anchor", "[0, 0, 0]", "axis", "[0.3, 1, 0]", "erp", text));
    else if (strcmp(joint, "slider") == 0)
        add_joint(scene, joint, "joint", "box", "world", KEYS("axis", "[0, 1, 0]", "erp", text));
    else
        add_joint(scene, joint, "joint", "box", "world", KEYS("anchor", "[0, 0, 0]", "erp", text));
    return finish(scene);
}

/* The rest of an error after a substep of k under soft-step, whose frequency [Hz] is at most `share` / k. */
static double kept_by_softness(double hertz, double share, double zeta, double k)
{
    const double turn = k * 2.0 * acos(-1.0) * fmin(hertz, share / k);
    return 1.0 - turn * turn / (1.0 + 2.0 * zeta * turn + turn * turn);
}

/* The rest of an error after a step of n iterations, by each variant's derivation; `first`: at rest. */
static double kept(const variant *v, double erp, size_t n, bool first)
{
    if (is_scheme(v, "moreau-jean"))
        return v->value && strcmp(v->value, "none") == 0 ? 1.0 : 1.0 - (first ? theta_of(v) : 1.0) * erp;
    if (strcmp(v->scheme, "euler") == 0)
        return v->value ? 1.0 : 1.0 - erp;
    if (is_scheme(v, "split-impulse") || is_scheme(v, "midpoint") || is_scheme(v, "rattle"))
        return 1.0 - erp / (1.0 + 1e-9); /* its compliance */
    if (strcmp(v->scheme, "tgs") == 0)
        return pow(1.0 - (strcmp(v->value, "substep") != 0 ? erp / (double)n : erp), (double)n);
    if (strcmp(v->scheme, "small-steps") == 0)
        return pow(1.0 - erp, (double)n);
    if (is_scheme(v, "soft-step"))
        return erp > 0.0 ? pow(kept_by_softness(v->key ? 1e9 : 60.0, 0.25, 2.0, 1.0 / 60.0 / (double)n), (double)n)
                         : 1.0;
    return erp > 0.0 ? 0.0 : 1.0; /* projections */
}

static bool leaves_speed(const variant *v)
{
    bool small = strcmp(v->scheme, "small-steps") == 0, unrelaxed = v->value && strcmp(v->value, "0") == 0;
    bool relaxed = (small && !unrelaxed) || is_scheme(v, "soft-step"), none = v->value && strcmp(v->value, "none") == 0;
    return !relaxed && !none && !moves_apart(v) && !is_scheme(v, "rattle") && !solves_itself(v);
}

TEST(test_every_scheme_is_here)
{
    for (const dls_scheme *const *scheme = dls_schemes; *scheme; scheme++) {
        bool found = false;
        for (size_t v = 0; v < VARIANTS; v++)
            found = found || strcmp(variants[v].scheme, (*scheme)->name) == 0;
        if (!found)
            print_error("scheme '%s' is in schemes.def and not in stepping.h\n", (*scheme)->name);
        assert_true(found);
    }
}

static void check_decay(const variant *v, const char *joint, double erp, size_t iterations)
{
    run r;
    double C = 0.1;
    start(&r, held_at_its_centre(joint, erp), v, iterations);
    dls_simulation_edit(r.simulation)->x[0] = dls_v3(C, 0, -0.37 * C);
    for (int k = 0; k < 4; k++) {
        C *= kept(v, erp, iterations, k == 0);
        run_steps(&r, 1, 1.0 / 60.0);
        assert_close(dls_simulation_state(r.simulation)->x[0].x, C,
                     1e-10 * C + 1e-16); /* a rounding of the first error is left */
        assert_close(dls_simulation_state(r.simulation)->x[0].z, -0.37 * C, 1e-10 * C + 1e-16);
        if (!leaves_speed(v))
            assert_close(fabs(dls_simulation_state(r.simulation)->v[0]) +
                             fabs(dls_simulation_state(r.simulation)->v[2]),
                         0.0, is_halfway(v) || is_scheme(v, "soft-step") ? 1e-14 : 1e-15); /* a rounding of C / h */
    }
    run_stop(&r);
}

TEST(test_decay_of_a_lone_error)
{
    const double erps[] = {0.0, 0.2, 0.385, 1.0};
    for (size_t v = 0; v < VARIANTS; v++)
        for (size_t e = 0; e < 4; e++)
            for (size_t n = 1; n <= 9 && !solves_itself(&variants[v]) && !is_scheme(&variants[v], "soft-reference");
                 n += 4) {
                check_decay(&variants[v], "ball", erps[e], n);
                check_decay(&variants[v], "slider", erps[e], n);
                check_decay(&variants[v], "hinge", erps[e], n);
            }
}

/* Xpbd: at most push_speed, and no speed is left. */
TEST(test_decay_under_xpbd)
{
    const variant xpbd = {"xpbd", NULL, NULL};
    const double h = 1.0 / 60.0, step = 3.0 * h;
    for (int held = 0; held < 2; held++) {
        run r;
        start(&r, held_at_its_centre("ball", held ? 0.0 : 0.3), &xpbd, 5);
        dls_simulation_edit(r.simulation)->x[0] = dls_v3(1.5 * step, 0, 0);
        for (int k = 1; k <= 3; k++) {
            run_steps(&r, 1, h);
            const dls_state *s = dls_simulation_state(r.simulation);
            assert_close(s->x[0].x, held ? 1.5 * step : fmax(1.5 - k, 0.0) * step, 1e-15);
            assert_close(s->v[0], held || k > 1 ? 0.0 : -3.0, 1e-12); /* a rounding of a position over a substep */
        }
        run_stop(&r);
    }
}

/* --- momentum --- */

TEST(test_free_flight_keeps_linear_momentum)
{
    for (size_t v = 0; v < VARIANTS; v++) {
        if (!acts_in_pairs(&variants[v]))
            continue;
        dls_scene *scene = new_scene();
        dls_body_def one = new_box("one", 2.385, dls_v3(0.3, 0.5, 0.7), dls_v3(0, 0, 0));
        dls_body_def two = new_box("two", 0.71, dls_v3(0.2, 0.4, 0.3), dls_v3(0.6, 0.1, -0.2));
        scene->world.gravity = dls_v3(0, 0, 0);
        one.velocity = dls_v3(0.3, 1.1, -0.7), one.omega = dls_v3(1.3, -2.1, 0.4);
        two.omega = dls_v3(-0.6, 3.2, 1.7);
        add_body(scene, &one), add_body(scene, &two);
        add_joint(scene, "universal", "joint", "one", "two",
                  KEYS("anchor", "[0.35, 0.1, -0.1]", "axis1", "[0, 1, 0]", "axis2", "[0, 0, 1]"));
        run r;
        dls_vec3 before, after, angular;
        start(&r, finish(scene), &variants[v], 5);
        dls_simulation_edit(r.simulation)->x[1].y += 0.02; /* an error to take back */
        dls_momentum(dls_simulation_configuration(r.simulation), &before, &angular);
        dls_vec3 centre = dls_add(dls_scale(2.385, dls_simulation_state(r.simulation)->x[0]),
                                  dls_scale(0.71, dls_simulation_state(r.simulation)->x[1]));
        run_steps(&r, 500, 1e-3);
        dls_momentum(dls_simulation_configuration(r.simulation), &after, &angular);
        dls_vec3 end = dls_add(dls_scale(2.385, dls_simulation_state(r.simulation)->x[0]),
                               dls_scale(0.71, dls_simulation_state(r.simulation)->x[1]));
        assert_close(dls_norm(dls_sub(after, before)), 0.0, 1e-12);
        assert_close(dls_norm(dls_sub(end, dls_add(centre, dls_scale(0.5, before)))), 0.0,
                     1e-12); /* the centre of mass keeps its way */
        run_stop(&r);
    }
}

/* Two balls at rest, one 2 mm deep in the other: those that keep positions and velocities apart part them and leave
 * them at rest; the others throw them apart. Linear momentum is 0 with all. */
TEST(test_what_overlaps_is_parted)
{
    for (size_t v = 0; v < VARIANTS; v++) {
        if (!acts_in_pairs(&variants[v]))
            continue;
        dls_scene *scene = new_scene();
        dls_body_def one = new_body("one", DLS_SHAPE_SPHERE, 2.385, dls_v3(0, 0, 0.25));
        dls_body_def two = new_body("two", DLS_SHAPE_SPHERE, 0.71, dls_v3(0, 0, -0.25));
        scene->world.gravity = dls_v3(0, 0, 0);
        one.radius = two.radius = 0.251;
        add_body(scene, &one), add_body(scene, &two);
        add_joint(scene, "contact", "touch", "one", "two",
                  KEYS("point", "[0, 0, 0.001]", "normal", "[0, 0, 1]", "gap", "-0.002", "mu", "0.4"));
        run r;
        start(&r, finish(scene), &variants[v], 6);
        run_steps(&r, 60, 1e-2);
        const dls_state *s = dls_simulation_state(r.simulation);
        double apart = s->x[0].z - s->x[1].z - 0.5,
               energy = dls_kinetic_energy(dls_simulation_configuration(r.simulation));
        assert_close(2.385 * s->v[2] + 0.71 * s->v[8], 0.0,
                     is_halfway(&variants[v]) || solves_itself(&variants[v]) ? 1e-15 : 1e-16);
        if (variants[v].value && strcmp(variants[v].value, "none") == 0)
            assert_close(apart, 0.0, 1e-15);
        else if (leaves_speed(&variants[v]))
            assert_true(energy > 1e-7 && apart > 0.002);
        else {
            const double left = is_scheme(&variants[v], "small-steps") ? pow(1.0 - 10.0 * 1e-2 / 6, 360)
                                : is_scheme(&variants[v], "soft-step")
                                    ? pow(kept_by_softness(30.0, 0.125, 10.0, 1e-2 / 6), 360)
                                    : 0.0; /* the push_rate of small-steps is 10 / s */
            assert_close(energy, 0.0, 1e-30);
            assert_close(apart, 0.002 * (1.0 - left), 1e-8); /* 0.8^60 is left of ERP 0.2 */
        }
        run_stop(&r);
    }
}

/* --- every joint type under every scheme --- */

static const char *const scenes[] = {"all-joints", "four-bar",     "hinge-pair", "slider-crank", "chain-10",
                                     "pendulum",   "box-on-slope", "loop",       "star-5",       NULL};

/* The largest error of an equality row, and -C of a stop. */
static double worst_error(const dls_model *model, const dls_state *state)
{
    double worst = 0.0;
    dls_problem *p = problem_from_state(model, state, NULL, 1e-3);
    const dls_list_row *row = dls_problem_rows(p)->row;
    for (size_t i = 0; i < p->n; i++)
        if (dls_row_constrains_position(&row[i], p->h))
            worst = fmax(worst, row[i].role == DLS_ROLE_STOP ? -row[i].C : fabs(row[i].C));
    dls_problem_destroy(p);
    return worst;
}

/* The largest deflection A F / w^2 of rows that are springs of `hertz`, under the forces F of the last substep. */
static double deflection(const run *r, double hertz)
{
    const dls_problem *p = dls_simulation_problem(r->simulation);
    const double *lambda = dls_simulation_impulses(r->simulation), w = 2.0 * acos(-1.0) * hertz;
    double *B = calloc(2 * p->nv + 1, sizeof *B), worst = 0.0;
    for (size_t i = 0; i < p->n; i++) {
        memset(B, 0, p->nv * sizeof *B);
        if (dls_row_constrains_position(&dls_simulation_rows(r->simulation)->row[i], p->h))
            worst = fmax(worst, dls_rows_response(&p->J, &p->mass, i, B, B + p->nv) * fabs(lambda[i]) / p->h / (w * w));
    }
    free(B);
    return worst;
}

/* `deflected`: the largest deflection by the forces of a step, where rows are springs of 30 Hz or more; under
 * soft-reference r = (1 - d) A F (d_max timeconst / d)^2, d >= 0.9; or NULL. */
static double error_of(const char *scene, const variant *v, const dls_solver *solver, size_t iterations,
                       double *deflected)
{
    run r;
    start_with(&r, load_scene(scene), solver, v, iterations);
    double most = 0.0;
    for (int step = 0; step < 300; step++) {
        run_steps(&r, 1, dls_model_world(r.model)->step);
        const double hertz = is_scheme(v, "soft-reference") ? sqrt(0.81 / 0.1) / (0.019 * 2.0 * acos(-1.0)) : 30.0;
        most = deflected && strncmp(v->scheme, "soft-", 5) == 0 ? fmax(most, deflection(&r, hertz)) : most;
    }
    double worst = worst_error(r.model, dls_simulation_state(r.simulation));
    if (deflected)
        *deflected = most;
    run_stop(&r);
    return worst;
}

static const variant unheld = {"euler", "feedback", "none"};

/* Nothing holds worse than no feedback at all, solved as well, which closes gaps where others leave stops deep. */
TEST(test_every_joint_under_every_scheme)
{
    for (size_t k = 0; scenes[k]; k++) {
        double none = error_of(scenes[k], &unheld, dls_iterative_find("pgs"), 20, NULL);
        for (size_t v = 0; v < VARIANTS; v++) {
            double deflected, worst = error_of(scenes[k], &variants[v], dls_iterative_find("pgs"), 20, &deflected);
            print_message("# %-14s %-26s pgs 20: |C| after 300 steps %.2e\n", scenes[k], name_of(&variants[v]), worst);
            /* what 20 sweeps let a long chain stretch, four over positions do not mend; and tgs rests h^2 g / (N ERP)
             * deep, small steps h g / (N r) */
            const double deep = is_scheme(&variants[v], "small-steps")         ? 1e-3 * 9.81 / (20 * 10.0)
                                : strncmp(variants[v].scheme, "soft-", 5) == 0 ? deflected
                                                                               : 5e-6;
            assert_true(worst <= fmax((leaves_deep(&variants[v]) ? 3.0 : 1.1) * none, deep));
        }
    }
}

/* With a direct method the projection leaves its tolerance, and the sweeps over positions come near. */
TEST(test_projections_hold_exactly)
{
    const variant newton = {"projection-newton", NULL, NULL}, sweeps = {"projection-gauss-seidel", "sweeps", "200"};
    for (size_t k = 1; k < 6; k++) { /* all-joints has friction in a box */
        double exact = error_of(scenes[k], &newton, dls_direct_find("dantzig"), 1, NULL);
        double swept = error_of(scenes[k], &sweeps, dls_direct_find("dantzig"), 1, NULL);
        print_message("# %-14s dantzig: projected |C| %.1e, 200 sweeps %.1e\n", scenes[k], exact, swept);
        assert_below(exact, 1e-12);
        assert_below(swept, 1e-5); /* sweeps converge slowly where masses differ by 1e3 */
    }
}

/* --- steps without an answer --- */

/* Pgs, which fails in the next `failures` iterations. */
static size_t failures;

static dls_status iterate_or_fail(void *work, dls_report *report, dls_error *error)
{
    if (failures == 0)
        return dls_iterative_find("pgs")->iterate(work, report, error);
    failures--;
    dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE, "out of luck");
    return DLS_OK;
}

static dls_solver failing_pgs(void)
{
    dls_solver solver = *dls_iterative_find("pgs");
    solver.iterate = iterate_or_fail;
    solver.iterate_together = NULL;
    return solver;
}

static void assert_same_state(const dls_simulation *one, const dls_simulation *other)
{
    const dls_state *a = dls_simulation_state(one), *b = dls_simulation_state(other);
    assert_true(a->time == b->time);
    assert_memory_equal(a->x, b->x, a->n_bodies * sizeof *a->x);
    assert_memory_equal(a->q, b->q, a->n_bodies * sizeof *a->q);
    assert_memory_equal(a->v, b->v, a->nv * sizeof *a->v);
    assert_memory_equal(a->coordinates, b->coordinates, a->n_coordinates * sizeof *a->coordinates);
}

/* The call fails with the solver's message and the time, the state is that before the step, and the step can be made
 * again, to the last bit as if nothing had happened. */
TEST(test_a_step_that_is_not_solved_is_not_made)
{
    static const char *const names[] = {"four-bar", "driven-arm", "stack-10"};
    const dls_solver solver = failing_pgs();
    for (size_t scene = 0; scene < sizeof names / sizeof names[0]; scene++)
        for (size_t v = 0; v < VARIANTS; v++) {
            run good, bad;
            dls_error error;
            if (solves_itself(&variants[v]))
                continue;
            start(&good, load_scene(names[scene]), &variants[v], 3);
            start_with(&bad, load_scene(names[scene]), &solver, &variants[v], 3);
            run_steps(&good, 3, 1e-3);
            run_steps(&bad, 3, 1e-3);
            failures = 1;
            assert_int_equal(dls_simulation_step(bad.simulation, 1e-3, &error), DLS_UNSOLVED);
            assert_non_null(strstr(error.message, "from 0.003 s"));
            assert_non_null(strstr(error.message, "out of luck"));
            assert_int_equal(dls_simulation_report(bad.simulation)->outcome, DLS_OUTCOME_NUMERICAL_FAILURE);
            assert_same_state(bad.simulation, good.simulation);
            run_steps(&good, 2, 1e-3);
            run_steps(&bad, 2, 1e-3);
            assert_same_state(bad.simulation, good.simulation);
            run_stop(&good);
            run_stop(&bad);
        }
}

/* Where a simulation goes on after a failure, the report has it, in whichever solve of the step it was. */
TEST(test_a_failure_that_is_passed_over_is_in_the_report)
{
    const dls_solver solver = failing_pgs();
    for (size_t v = 0; v < VARIANTS; v++) {
        run r;
        dls_error error;
        dls_simulation_options options = options_of(&r, &solver, &variants[v], 3);
        options.go_on = true;
        if (is_scheme(&variants[v], "tgs") || solves_itself(&variants[v])) /* tgs needs all iterations */
            continue;
        run_open(&r, load_scene("four-bar"), &options);
        run_steps(&r, 1, 1e-3);
        failures = 1;
        assert_status(dls_simulation_step(r.simulation, 1e-3, &error), &error);
        assert_int_equal(failures, 0);
        assert_int_equal(dls_simulation_report(r.simulation)->outcome, DLS_OUTCOME_NUMERICAL_FAILURE);
        assert_string_equal(dls_simulation_report(r.simulation)->message, "out of luck");
        assert_close(dls_simulation_state(r.simulation)->time, 2e-3, 1e-15);
        run_steps(&r, 1, 1e-3);
        assert_int_not_equal(dls_simulation_report(r.simulation)->outcome, DLS_OUTCOME_NUMERICAL_FAILURE);
        run_stop(&r);
    }
}

/* --- what schemes outside need --- */

static const char *const trees[] = {"shoulder", "gripper", "humanoid", "arm-12", "four-bar", NULL};

/* log(exp(h v)) = h v, for bodies, bases and joints of every motion. */
TEST(test_the_displacement_of_a_motion_is_h_v)
{
    const double h = 0.05;
    uint64_t seed = 11;
    for (size_t k = 0; trees[k]; k++) {
        dls_model *model = load_scene(trees[k]);
        const size_t nv = dls_model_count(model).nv;
        double *v = calloc(2 * nv + 1, sizeof *v), *d = v + nv;
        dls_state *from, *to;
        dls_error error;
        assert_status(dls_state_create(model, &from, &error), &error);
        assert_status(dls_state_create(model, &to, &error), &error);
        for (int step = 0; step < 10; step++) {
            for (size_t j = 0; j < nv; j++)
                v[j] = 20.0 * draw(&seed);
            dls_state_copy(from, to);
            dls_state_advance(model, to, v, h);
            dls_state_displacement(model, from, to, d);
            for (size_t j = 0; j < nv; j++)
                assert_close(d[j], h * v[j], 1e-13); /* of rotations up to 2 rad and positions of some m */
        }
        dls_state_return(model, to, from);
        dls_state_displacement(model, from, to, d);
        for (size_t j = 0; j < nv; j++)
            assert_close(d[j], 0.0, 1e-15); /* rounding of the product of unit quaternions */
        dls_state_destroy(from);
        dls_state_destroy(to);
        dls_model_destroy(model);
        free(v);
    }
}

/* J^T lambda, body by body, is that of all rows, and each part is within its block. */
TEST(test_rows_of_one_body_are_the_columns_of_j)
{
    for (size_t k = 0; scenes[k]; k++) {
        dls_rows_by_block *by;
        dls_problem *p;
        dls_error error;
        uint64_t seed = 12;
        dls_model *model = load_scene(scenes[k]);
        assert_status(dls_problem_create(model, dls_model_initial(model), NULL, 1e-3, &p, &error), &error);
        double *lambda = calloc(p->n + 2 * p->nv + 1, sizeof *lambda), *all = lambda + p->n, *parts = all + p->nv;
        for (size_t i = 0; i < p->n; i++)
            dls_rows_axpy(&p->J, i, lambda[i] = draw(&seed), all);
        assert_status(dls_rows_by_block_create(&p->J, p->mass.n_blocks, &by, &error), &error);
        assert_int_equal(by->start[by->n_blocks], p->J.n_blocks);
        for (size_t b = 0; b < by->n_blocks; b++)
            for (size_t e = by->start[b]; e < by->start[b + 1]; e++) {
                const size_t part = by->part[e], length = p->J.coef_at[part + 1] - p->J.coef_at[part];
                const dls_mass_block *block = &p->mass.blocks[b];
                assert_true(p->J.offset[part] >= block->offset);
                assert_true(p->J.offset[part] + length <= block->offset + block->length);
                for (size_t j = 0; j < length; j++)
                    parts[p->J.offset[part] + j] += lambda[by->row[e]] * p->J.coef[p->J.coef_at[part] + j];
            }
        for (size_t j = 0; j < p->nv; j++)
            assert_close(parts[j], all[j], 1e-13); /* of some ten terms of size 1 */
        free(by);
        free(lambda);
        dls_problem_destroy(p);
        dls_model_destroy(model);
    }
}
