/* Coriolis and centrifugal forces that are implicit in the velocity: their derivative and the equation of the change
 * against dense matrices, against a free body's, the integrals of Kahan's rule; and in the chain: order, ledger,
 * momentum, forces of joints, and fast spin. */
#include "articulated.h"
#include "problems.h"
#include "simulation/parts.h"
#include "stepping.h"
#include "world.h"

#include "delassus/check.h"

#include <float.h>

enum { NV = 64 };
static const char *const ways[] = {"explicit", "semi-implicit", "implicit"};

static void set_way(dls_scene *scene, size_t way)
{
    dls_error error;
    assert_status(dls_field_set(&dls_world_fields, &scene->world, "coriolis", ways[way], &error), &error);
}

static dls_scene *scene_of(const char *text, size_t way)
{
    dls_scene *scene = parse_scene(text);
    set_way(scene, way);
    return scene;
}

/* --- the algorithm --- */

static void forces_at(articulated *a, const double *v, double *C)
{
    dls_articulation_velocities(v, a->work);
    dls_articulation_coriolis_force(a->work, C);
}

/* C is quadratic: a central difference of any length is its derivative, and D v = 2 C. */
TEST(test_the_derivative_is_that_of_the_forces)
{
    uint64_t seed = 21;
    double worst = 0.0;
    for (int n = 0; n < 24; n++) {
        articulated a = compile_articulated(draw_tree(&seed, 9, 1 + (size_t)n % 4, n % 2));
        const size_t nv = a.art->nv;
        double v[NV], x[NV], plus[NV], minus[NV], C[2][NV], Dx[NV], Dv[NV];
        for (size_t k = 0; k < nv; k++)
            v[k] = 3.0 * draw(&seed), x[k] = draw(&seed), plus[k] = v[k] + 0.7 * x[k], minus[k] = v[k] - 0.7 * x[k];
        forces_at(&a, plus, C[0]);
        forces_at(&a, minus, C[1]);
        dls_articulation_velocities(v, a.work);
        dls_articulation_coriolis_derivative(a.work, v, x, Dx);
        dls_articulation_coriolis_derivative(a.work, v, v, Dv);
        const double size = largest(C[0], nv) + largest(C[1], nv);
        for (size_t k = 0; k < nv; k++)
            worst = fmax(worst, fabs(Dx[k] - (C[0][k] - C[1][k]) / 1.4) / size);
        forces_at(&a, v, C[0]);
        for (size_t k = 0; k < nv; k++)
            worst = fmax(worst, fabs(Dv[k] - 2.0 * C[0][k]) / size);
        memcpy(Dx, x, sizeof Dx);
        dls_articulation_coriolis_derivative(a.work, v, Dx, Dx); /* in place */
        dls_articulation_coriolis_derivative(a.work, v, x, Dv);
        assert_memory_equal(Dx, Dv, nv * sizeof *Dx);
        destroy_articulated(&a);
    }
    print_message("# the derivative is off by %.1e of the forces\n", worst);
    assert_below(worst, 1e-13);
}

/* (M + theta h D) d + h C = 0, with M dense and D column by column. */
TEST(test_the_change_solves_its_equation)
{
    uint64_t seed = 22;
    double worst = 0.0;
    for (int n = 0; n < 36; n++) {
        articulated a = compile_articulated(draw_tree(&seed, 9, 1 + (size_t)n % 4, n % 2));
        const size_t nv = a.art->nv;
        const double theta = 0.5 * (n % 3), h = 0.02;
        double v[NV], M[NV * NV], d[NV], Md[NV], Dd[NV], C[NV];
        for (size_t k = 0; k < nv; k++)
            v[k] = 4.0 * draw(&seed);
        dls_articulation_mass_matrix(a.work, M, nv);
        forces_at(&a, v, C);
        dls_articulation_coriolis_change(a.work, v, h, theta, d);
        dls_articulation_coriolis_derivative(a.work, v, d, Dd);
        double size = 0.0;
        for (size_t i = 0; i < nv; i++) {
            Md[i] = 0.0;
            for (size_t j = 0; j < nv; j++) {
                Md[i] += M[i + nv * j] * d[j];
                size = fmax(size, fabs(M[i + nv * j] * d[j]));
            }
        }
        for (size_t i = 0; i < nv; i++)
            worst = fmax(worst, fabs(Md[i] + theta * h * Dd[i] + h * C[i]) / size);
        destroy_articulated(&a);
    }
    print_message("# the equation holds to %.1e of its terms\n", worst);
    assert_below(worst, 1e-12);
}

/* --- free bodies --- */

/* A link on a ball joint, a link that floats and a body, each with `gyroscopic: implicit` or `coriolis: implicit`. */
TEST(test_one_link_is_a_free_body)
{
    run r;
    run_start(
        &r,
        finish(scene_of("world: {gravity: [0, 0, -3], gyroscopic: implicit}\n"
                        "bodies:\n  - {name: b, mass: 1, inertia: [0.005, 0.008, 0.012], omega: [6, 60, 6],\n"
                        "     position: [0, 0, 2], torque: [0.1, -0.2, 0.3], velocity: [1, 0, 0]}\n"
                        "articulations:\n"
                        "  - name: f\n    links: [{name: l, mass: 1, inertia: [0.005, 0.008, 0.012],\n"
                        "      omega: [6, 60, 6], position: [0, 0, 2], torque: [0.1, -0.2, 0.3], velocity: [1, 0, "
                        "0]}]\n"
                        "  - name: s\n    links:\n      - {name: o, static: true}\n"
                        "      - {name: l, parent: o, motion: spherical, mass: 1, inertia: [0.005, 0.008, 0.012],\n"
                        "         spin: [6, 60, 6], torque: [0.1, -0.2, 0.3]}\n",
                        2)),
        dls_iterative_find("pgs"), NULL, 1);
    for (int n = 0; n < 400; n++) {
        run_steps(&r, 1, 2e-3);
        const dls_configuration *c = dls_simulation_configuration(r.simulation);
        const dls_end b = dls_configuration_end(c, dls_model_find_end(r.model, "b")),
                      f = dls_configuration_end(c, dls_model_find_end(r.model, "f.l")),
                      s = dls_configuration_end(c, dls_model_find_end(r.model, "s.l"));
        assert_vector(f.omega, b.omega, 1e-10);
        assert_vector(s.omega, b.omega, 1e-10);
        assert_vector(f.x, b.x, 1e-12);
    }
    run_stop(&r);
}

/* w' = w + e (w'_2 w_3 + w_2 w'_3) a and so on, e = h / 2, of w in the body's axes, a_1 = (I_2 - I_3) / I_1: (a_3 w_2^2
 * - a_2 w_3^2) / (1 - e^2 a_2 a_3 w_1^2) and its cyclic permutations stay (Hirota and Kimura, 2000), at any step. */
static void integrals(dls_vec3 I, dls_end end, double h, double F[3])
{
    const dls_vec3 w = dls_tmul3(end.R, end.omega);
    const double x[3] = {w.x, w.y, w.z}, a[3] = {(I.y - I.z) / I.x, (I.z - I.x) / I.y, (I.x - I.y) / I.z};
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        F[i] = (a[k] * x[j] * x[j] - a[j] * x[k] * x[k]) / (1.0 - 0.25 * h * h * a[j] * a[k] * x[i] * x[i]);
    }
}

TEST(test_kahans_rule_keeps_its_integrals)
{
    const double h = 0.01;
    const dls_vec3 I = dls_v3(0.005, 0.008, 0.012);
    run r;
    double first[3], now[3];
    run_start(
        &r,
        finish(scene_of("world: {gravity: [0, 0, 0]}\narticulations:\n  - name: f\n    links: [{name: l, mass: 1, "
                        "inertia: [0.005, 0.008, 0.012], omega: [6, 60, 6]}]\n",
                        1)),
        dls_iterative_find("pgs"), NULL, 1);
    integrals(I, dls_configuration_end(dls_simulation_configuration(r.simulation), 0), h, first);
    for (int n = 0; n < 2000; n++) {
        run_steps(&r, 1, h);
        integrals(I, dls_configuration_end(dls_simulation_configuration(r.simulation), 0), h, now);
        for (int i = 0; i < 3; i++)
            assert_close(now[i], first[i], 1e-10 * fabs(first[0]));
    }
    run_stop(&r);
}

/* --- in the chain --- */

/* A flail: two rods, the second turning across the first; and three of them in a plane. */
#define ROD "shape: box, size: [0.5, 0.04, 0.06], mass: 1, "
#define FLAIL(arm, rotor)                                                                                            \
    "world: {gravity: [0, 0, 0]}\narticulations:\n  - name: t\n    links:\n      - {name: base, static: true}\n"     \
    "      - {name: arm, parent: base, motion: revolute-unwrapped, anchor: [0, 0, 0], axis: [0, 0, 1], speed: " #arm \
    ", " ROD "position: [0.25, 0, 0]}\n"                                                                             \
    "      - {name: rotor, parent: arm, motion: revolute-unwrapped, anchor: [0.5, 0, 0], axis: [0, 1, 0], "          \
    "speed: " #rotor ", " ROD "position: [0.75, 0, 0]}\n"

/* The angle of the second joint after 0.5 s, and the energy's change. */
static double swung(size_t way, double h, double *gain)
{
    run r;
    run_start(&r, finish(scene_of(FLAIL(5, 3), way)), dls_iterative_find("pgs"), NULL, 1);
    const double before = run_energy(&r);
    run_steps(&r, (size_t)lround(0.5 / h), h);
    *gain = run_energy(&r) / before - 1.0;
    const double angle = dls_simulation_state(r.simulation)->coordinates[1];
    run_stop(&r);
    return angle;
}

/* A kick by Kahan's rule and its drift are a reversible rule of second order, looked at off its middle by half a drift:
 * of first order is the velocity alone, and what the start makes of that, which here is nothing. */
TEST(test_the_order)
{
    double gain[3], exact;
    exact = 2.0 * swung(1, 1.0 / 65536, gain) - swung(1, 1.0 / 32768, gain);
    for (size_t way = 0; way < 3; way++) {
        const double coarse = swung(way, 1.0 / 1024, &gain[0]) - exact, fine = swung(way, 1.0 / 2048, &gain[1]) - exact;
        print_message("# %s: error %.2e rad and %.2e at half the step, energy %+.2e and %+.2e\n", ways[way], coarse,
                      fine, gain[0], gain[1]);
        assert_close(coarse / fine, way == 1 ? 4.0 : 2.0, 0.1);
    }
    for (size_t way = 0; way < 3; way++) { /* what is left of the energy where spin is slow: gain, neither, loss */
        swung(way, 1.0 / 2048, &gain[way]);
        assert_below(fabs(gain[way]), 0.05);
    }
    assert_true(gain[0] > 3.0 * fabs(gain[1]) && gain[2] < -3.0 * fabs(gain[1]));
}

/* At 60 rad/s: explicit forces feed the energy without end, Kahan's rule neither feeds nor eats it, implicit ones eat.
 */
TEST(test_fast_spin)
{
    double most[3] = {1, 1, 1}, least[3] = {1, 1, 1};
    for (size_t way = 0; way < 3; way++) {
        run r;
        run_start(&r, finish(scene_of(FLAIL(60, 30), way)), dls_iterative_find("pgs"), NULL, 1);
        const double start = run_energy(&r);
        for (int n = 0; n < 400 && most[way] < 100; n++) {
            run_steps(&r, 1, 5e-3);
            most[way] = fmax(most[way], run_energy(&r) / start);
            least[way] = fmin(least[way], run_energy(&r) / start);
        }
        print_message("# %s: energy from %.3f to %.3g of that at the start\n", ways[way], least[way], most[way]);
        run_stop(&r);
    }
    assert_true(most[0] > 100);
    assert_true(most[1] < 1.02 && least[1] > 0.97);
    assert_true(most[2] <= 1.001 && least[2] < 0.5);
}

/* In every scheme the ledger sums to the change of energy; turning and inertia are all of it where nothing else acts.
 */
TEST(test_the_ledger_tells_the_loss)
{
    for (size_t way = 0; way < 3; way++)
        for (size_t v = 0; v < VARIANTS; v++) {
            run r;
            uint64_t seed = 11;
            double told = 0.0, worst = 0.0;
            dls_scene *tree = draw_tree_scene(&seed, true);
            set_way(tree, way);
            start_kept(&r, finish(tree), &variants[v], 7);
            for (int n = 0; n < 30; n++) {
                run_steps(&r, 1, 1e-4);
                assert_below(dls_ledger_mismatch(dls_simulation_ledger(r.simulation)), 1e-12);
            }
            run_stop(&r);
            start_kept(&r, finish(scene_of(FLAIL(60, 30), way)), &variants[v], 7);
            const double before = run_energy(&r);
            for (int n = 0; n < 60; n++) {
                run_steps(&r, 1, 1e-3);
                const dls_ledger *l = dls_simulation_ledger(r.simulation);
                told += l->turning + l->inertia;
                worst = fmax(worst, dls_ledger_mismatch(l));
            }
            assert_below(worst, 1e-12);
            assert_close(told, run_energy(&r) - before, 1e-11 * before);
            run_stop(&r);
            if (is_halfway(&variants[v]))
                continue; /* the loss is that of forces at the start of the step */
            assert_true(way == 0 ? told > 0.0 : way == 1 ? fabs(told) < 0.01 * before : told < 0.0);
        }
}

static double momentum_lost(size_t way, bool keep, double h, double *mistold)
{
    run r;
    uint64_t seed = 12;
    dls_scene *scene = new_scene();
    dls_error error;
    dls_articulation_def *def = draw_tree(&seed, 7, 3, false);
    dls_spatial p[2], told = {{0, 0, 0}, {0, 0, 0}};
    snprintf(def->name, sizeof def->name, "tree");
    scene->world.keep_momentum = keep;
    scene->world.gravity = zero3;
    set_way(scene, way);
    assert_status(dls_scene_add_articulation(scene, def, &error), &error);
    start_kept(&r, finish(scene), &variants[0], 1);
    dls_momentum(dls_simulation_configuration(r.simulation), &p[0].lin, &p[0].ang);
    for (long n = lround(1.0 / h); n > 0; n--) {
        run_steps(&r, 1, h);
        told = dls_spatial_add(told, dls_simulation_ledger(r.simulation)->momentum_drift);
    }
    dls_momentum(dls_simulation_configuration(r.simulation), &p[1].lin, &p[1].ang);
    const dls_spatial change = dls_spatial_sub(p[1], p[0]), off = dls_spatial_sub(change, told);
    *mistold = fmax(dls_norm(off.lin), dls_norm(off.ang));
    run_stop(&r);
    return fmax(dls_norm(change.lin), dls_norm(change.ang)) / fmax(dls_norm(p[0].lin), dls_norm(p[0].ang));
}

/* Lost to first order, told by the ledger, and kept to rounding with keep_momentum, as with explicit forces. */
TEST(test_momentum)
{
    for (size_t way = 0; way < 3; way++) {
        double mistold[3];
        const double coarse = momentum_lost(way, false, 1.0 / 1024, &mistold[0]),
                     fine = momentum_lost(way, false, 1.0 / 2048, &mistold[1]),
                     kept = momentum_lost(way, true, 1.0 / 256, &mistold[2]);
        print_message("# %s: lost %.2e of the momentum, %.2e at half the step; kept to %.1e\n", ways[way], coarse, fine,
                      kept);
        assert_close(coarse / fine, 2.0, 0.25);
        assert_below(kept, 1e-12);
        for (int k = 0; k < 3; k++)
            assert_below(mistold[k], 1e-11);
    }
}

/* The wrench of a hinge has no moment about its axis but that of the rows on its coordinate. */
TEST(test_forces_of_joints)
{
    for (size_t way = 0; way < 3; way++) {
        run r;
        run_start(&r,
                  finish(scene_of(FLAIL(20, 10) "joints: [{name: d, type: drive, coordinates: {t.rotor: 1}, damping: "
                                                "0.3}]\n",
                                  way)),
                  dls_iterative_find("pgs"), NULL, 5);
        double most = 0.0;
        for (int n = 0; n < 50; n++) {
            dls_error error;
            dls_joint_wrench arm, rotor;
            dls_constraint_force force;
            const dls_end end = dls_configuration_end(dls_simulation_configuration(r.simulation), 2);
            const dls_vec3 axis = dls_mul3(end.R, dls_v3(0, 1, 0));
            run_steps(&r, 1, 2e-3);
            assert_status(dls_simulation_joint_wrench(r.simulation, 0, 1, &arm, &error), &error);
            assert_status(dls_simulation_joint_wrench(r.simulation, 0, 2, &rotor, &error), &error);
            assert_status(dls_simulation_forces_of(r.simulation, 0, &force, &error), &error);
            assert_close(arm.wrench.ang.z, 0.0, 1e-9);
            assert_close(dls_dot(rotor.wrench.ang, axis), force.along_sum, 1e-9);
            most = fmax(most, dls_norm(arm.wrench.lin));
        }
        assert_true(most > 100);
        run_stop(&r);
    }
}

/* `delassus check`, whose differences know nothing of the recursion: v* of one way passes there and nowhere else. */
static bool passes(const dls_model *model, const dls_model *made_by, const dls_state *state, double off)
{
    dls_error error;
    dls_check_report *report;
    dls_problem *problem = problem_from_state(made_by, state, NULL, 0.01);
    problem->v_star[problem->mass.blocks[1].offset + 3] += off;
    assert_status(dls_check_problem(model, state, NULL, problem, 5, &report, &error), &error);
    const bool passed = report->passed;
    const double ratio = report->blocks[1].found[DLS_CHECK_UNCONSTRAINED - DLS_CHECK_ROW_SUBJECTS].ratio;
    assert_true(passed == (ratio <= 1.0));
    dls_check_report_destroy(report);
    dls_problem_destroy(problem);
    return passed;
}

TEST(test_the_check_tells_them_apart)
{
    for (int fixed = 0; fixed < 2; fixed++) {
        dls_model *model[3];
        for (size_t way = 0; way < 3; way++) {
            uint64_t seed = 31;
            dls_scene *scene = draw_tree_scene(&seed, fixed);
            set_way(scene, way);
            model[way] = finish(scene);
        }
        dls_state *state = new_state(model[0]);
        for (size_t a = 0; a < 3; a++)
            for (size_t b = 0; b < 3; b++) {
                assert_true(passes(model[a], model[b], state, 0.0) == (a == b));
                assert_false(passes(model[a], model[b], state, 1e-8));
            }
        dls_state_destroy(state);
        for (size_t way = 0; way < 3; way++)
            dls_model_destroy(model[way]);
    }
}
