/* Bodies in a medium (lib/model/medium.c): forces and motions in closed form, what they do to energy and momentum, and
 * scenes that have them. Comparisons with MuJoCo are in test_mujoco.c. */
#include "stepping.h"
#include "world.h"

#include "delassus/check.h"
#include "delassus/io.h"
#include "delassus/reference.h"

#include <float.h>
#include <string.h>
#include <unistd.h>

#define WATER "medium_density: 900, medium_viscosity: 0.7"

/* One link that floats, with the body that `shape` says and keys of a link; its force at a velocity, in the axes of the
 * link, whose orientation is drawn. */
static dls_spatial force_at(const char *world, const char *link, dls_vec3 v, dls_vec3 omega, uint64_t *seed)
{
    char text[2000];
    dls_error error;
    dls_state *state;
    dls_configuration *c;
    snprintf(text, sizeof text, "world: {%s}\narticulations:\n  - name: a\n    links:\n      - {name: l, %s}\n", world,
             link);
    dls_model *model = parse_model(text);
    const dls_quat q = draw_rotation(seed);
    assert_status(dls_state_create(model, &state, &error), &error);
    assert_status(dls_configuration_create(model, &c, &error), &error);
    state->roots[0].q = q;
    dls_spatial_put((dls_spatial){dls_quat_rotate(q, v), dls_quat_rotate(q, omega)}, state->v);
    dls_configuration_evaluate(c, state);
    dls_configuration_immerse(c);
    const dls_quat back = dls_quat_conj(q);
    const dls_spatial f = {dls_quat_rotate(back, c->medium[0].lin), dls_quat_rotate(back, c->medium[0].ang)};
    dls_configuration_destroy(c);
    dls_state_destroy(state);
    dls_model_destroy(model);
    return f;
}

/* --- forces --- */

#define BRICK "shape: box, size: [0.4, 0.3, 0.2], mass: 1.7"

/* A box along each axis with the drag coefficient 1; about each, the moment of the same pressure; both are odd. The
 * axes are those of the box, whatever the link's are. */
TEST(test_a_box_in_a_dense_medium)
{
    const double edge[] = {0.4, 0.3, 0.2}, rho = 900.0, u = 1.3;
    const char *const links[] = {
        BRICK, "mass: 1.7, inertia: [0.018416666666666666, 0.028333333333333332, 0.035416666666666666]"};
    uint64_t seed = 1;
    for (size_t k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++)
            for (int sign = -1; sign < 2; sign += 2) {
                const double a = edge[i], b = edge[(i + 1) % 3], c = edge[(i + 2) % 3];
                const dls_vec3 v = dls_scale(sign * u, dls_axis3(i)), none = dls_v3(0, 0, 0);
                const dls_spatial f = force_at("medium_density: 900", links[k], v, none, &seed);
                assert_vector(f.lin, dls_scale(-0.5 * rho * b * c * u, v), 1e-12 * rho);
                assert_vector(f.ang, none, 0.0);
                const dls_spatial t = force_at("medium_density: 900", links[k], none, v, &seed);
                const double moment = rho * a * (b * b * b * b + c * c * c * c) * u / 64.0;
                assert_vector(t.ang, dls_scale(-moment, v), 1e-12 * rho);
                assert_vector(t.lin, none, 0.0);
            }
}

/* Stokes' law: of a ball given as an ellipsoid by its own radius, of a box by the mean of its half edges. */
TEST(test_a_ball_in_a_viscous_medium)
{
    const struct {
        const char *link;
        double radius;
    } cases[] = {{"mass: 2, inertia: [1, 1, 1], ellipsoids: [{half_axes: [0.3, 0.3, 0.3]}]", 0.3}, {BRICK, 0.15}};
    uint64_t seed = 2;
    for (size_t k = 0; k < 2; k++) {
        const dls_vec3 v = draw3(&seed), omega = draw3(&seed);
        const dls_spatial f = force_at("medium_viscosity: 0.7", cases[k].link, v, omega, &seed);
        const double r = cases[k].radius;
        assert_vector(f.lin, dls_scale(-6.0 * DLS_PI * 0.7 * r, v), 1e-13);
        assert_vector(f.ang, dls_scale(-8.0 * DLS_PI * 0.7 * r * r * r, omega), 1e-13);
    }
}

static const dls_immersed *ellipsoid_of(dls_model *model) { return &dls_model_immersed(model)[0]; }

static dls_model *ellipsoid_model(double x, double y, double z)
{
    char text[400];
    snprintf(
        text, sizeof text,
        "world: {medium_density: 1}\narticulations:\n  - name: a\n    links:\n      - {name: l, mass: 1, inertia: [1, "
        "1, 1], ellipsoids: [{half_axes: [%.17g, %.17g, %.17g]}]}\n",
        x, y, z);
    return parse_model(text);
}

/* Added masses: half of the mass that a ball displaces, and no inertia; k_x + k_y + k_z = 2 for k = 2 m / (V + m); of
 * a spheroid in closed form (Lamb 1932, article 114): with the eccentricity e, k_x = 2 (1 - e^2) / e^3 (artanh e -
 * e). A disc of the radius a has 8/3 a^3 across, and 16/45 a^5 about a diameter. */
TEST(test_added_masses)
{
    uint64_t seed = 3;
    double worst = 0.0;
    dls_model *model = ellipsoid_model(0.3, 0.3, 0.3);
    const double ball = 4.0 / 3.0 * DLS_PI * 0.027;
    assert_vector(ellipsoid_of(model)->mass, dls_scale(0.5 * ball, dls_v3(1, 1, 1)), 1e-15);
    assert_vector(ellipsoid_of(model)->inertia, dls_v3(0, 0, 0), 0.0);
    dls_model_destroy(model);
    for (int k = 0; k < 50; k++) {
        const double r[3] = {exp(3.0 * draw(&seed)), exp(3.0 * draw(&seed)), exp(3.0 * draw(&seed))};
        const double V = 4.0 / 3.0 * DLS_PI * r[0] * r[1] * r[2];
        double sum = 0.0;
        model = ellipsoid_model(r[0], r[1], r[2]);
        const dls_vec3 m = ellipsoid_of(model)->mass;
        for (int i = 0; i < 3; i++)
            sum += 2.0 * dls_get3(m, i) / (V + dls_get3(m, i));
        worst = fmax(worst, fabs(sum - 2.0));
        dls_model_destroy(model);
    }
    print_message("# k_x + k_y + k_z = 2 to %.1e\n", worst);
    assert_below(worst, 1e-13);
    const double a = 0.5, b = 0.2, e = sqrt(1.0 - b * b / (a * a)), V = 4.0 / 3.0 * DLS_PI * a * b * b;
    const double along = 2.0 * (1.0 - e * e) / (e * e * e) * (atanh(e) - e), across = 0.5 * (2.0 - along);
    model = ellipsoid_model(a, b, b);
    assert_vector(ellipsoid_of(model)->mass,
                  dls_v3(V * along / (2.0 - along), V * across / (2.0 - across), V * across / (2.0 - across)), 1e-15);
    assert_close(ellipsoid_of(model)->inertia.x, 0.0, 0.0);
    dls_model_destroy(model);
    model = ellipsoid_model(1.0, 1.0, 1e-5); /* to its thickness */
    assert_close(ellipsoid_of(model)->mass.z, 8.0 / 3.0, 1e-4);
    assert_close(ellipsoid_of(model)->inertia.x, 16.0 / 45.0, 1e-4);
    dls_model_destroy(model);
}

#define WING(lift)                                                                                                \
    "mass: 1.7, inertia: [0.1, 0.2, 0.25], ellipsoids: [{half_axes: [0.4, 0.2, 0.03], blunt: 0.4, slender: 0.3, " \
    "angular: "                                                                                                   \
    "1.1, " lift "}]"

/* The power of lift and of added masses is 0, so that the power of all is that of drag and viscosity, and negative; a
 * body that moves with the wind feels what it feels at rest, and forces depend on the velocity against the wind
 * alone. */
TEST(test_power_and_wind)
{
    static const char *const links[] = {BRICK, WING("kutta: 0.9, magnus: 1.2"), WING("kutta: 0, magnus: 0")};
    for (uint64_t k = 1; k <= 60; k++) {
        uint64_t seed = k;
        const dls_vec3 v = draw3(&seed), omega = draw3(&seed), wind = dls_v3(0.4, -0.3, 0.2);
        double power[3];
        for (int i = 0; i < 3; i++) {
            const dls_spatial f = force_at(WATER, links[i], v, omega, &seed);
            power[i] = dls_dot(f.lin, v) + dls_dot(f.ang, omega);
            assert_true(power[i] < 0.0);
        }
        assert_close(power[1], power[2], 1e-12 * fabs(power[1]));
        uint64_t still = k, windy = k;
        const dls_quat q = draw_rotation(&(uint64_t){still});
        const dls_vec3 more = dls_quat_rotate(dls_quat_conj(q), wind);
        const dls_spatial f = force_at(WATER, WING(""), v, omega, &still),
                          g = force_at(WATER ", wind: [0.4, -0.3, 0.2]", WING(""), dls_add(v, more), omega, &windy);
        assert_vector(g.lin, f.lin, 1e-12 * dls_norm(f.lin));
        assert_vector(g.ang, f.ang, 1e-12 * dls_norm(f.ang));
    }
}

static dls_spatial force_scaled(const char *world, double half, dls_vec3 v, dls_vec3 omega, const char *lift)
{
    char link[400];
    uint64_t seed = 7;
    snprintf(link, sizeof link,
             "mass: 1.7, inertia: [0.1, 0.2, 0.25], ellipsoids: [{half_axes: [%.17g, %.17g, %.17g], %s}]", 0.4 * half,
             0.2 * half, 0.03 * half, lift);
    return force_at(world, link, v, omega, &seed);
}

/* Without viscosity the force is of the second degree in velocities, and in the sizes of a body that does not turn,
 * down to the least numbers; with it, the slowest motion is Stokes'. */
TEST(test_scales_of_velocity_and_size)
{
    static const char dense[] = "medium_density: 900", lift[] = "kutta: 0.9, magnus: 1.2";
    uint64_t seed = 6;
    const dls_vec3 none = dls_v3(0, 0, 0);
    for (int i = 0; i < 20; i++) {
        const dls_vec3 v = i % 4 ? draw3(&seed) : dls_axis3(i / 4 % 3), omega = draw3(&seed);
        const dls_spatial one = force_scaled(dense, 1.0, v, omega, lift),
                          still = force_scaled(dense, 1.0, v, none, lift);
        for (int power = -490; power <= 490; power += 70) {
            const double s = ldexp(1.0, power);
            const dls_spatial f = force_scaled(dense, 1.0, dls_scale(s, v), dls_scale(s, omega), lift);
            assert_vector(dls_scale(1.0 / s / s, f.lin), one.lin, 1e-13 * dls_norm(one.lin));
            assert_vector(dls_scale(1.0 / s / s, f.ang), one.ang, 1e-13 * dls_norm(one.ang));
            const dls_spatial g = force_scaled(dense, ldexp(1.0, power / 5), v, none, lift);
            const double t = ldexp(1.0, power / 5);
            assert_vector(dls_scale(1.0 / t / t, g.lin), still.lin, 1e-13 * dls_norm(still.lin));
        }
        for (double speed = 1e-150; speed > 1e-301; speed *= 1e-25) {
            const dls_spatial f = force_scaled(WATER, 1.0, dls_scale(speed, v), dls_scale(speed, omega), lift);
            const double radius = 0.63 / 3.0, stokes = 6.0 * DLS_PI * 0.7 * radius;
            assert_vector(f.lin, dls_scale(-stokes * speed, v), 1e-13 * stokes * speed);
            assert_vector(f.ang, dls_scale(-stokes * 4.0 / 3.0 * radius * radius * speed, omega),
                          1e-13 * stokes * speed);
            const dls_spatial g = force_scaled(dense, 1.0, dls_scale(speed, v), dls_scale(speed, omega), lift);
            assert_true(dls_finite3(g.lin) && dls_finite3(g.ang));
        }
    }
}

static double inertia_entry(dls_quat q, const double I[3], int i, int k)
{
    const dls_mat3 R = dls_quat_matrix(q);
    double sum = 0.0;
    for (int j = 0; j < 3; j++)
        sum += R.m[3 * i + j] * I[j] * R.m[3 * k + j];
    return sum;
}

/* The box of MuJoCo has the principal axes: axes that are given are these, in any order, or an error. Where two moments
 * are equal they are any about the third axis, and turn the box. */
TEST(test_axes_of_a_box_are_principal)
{
    uint64_t seed = 8;
    const dls_quat swap = {0.5, 0.5, 0.5, 0.5}; /* x to y to z */
    for (int i = 0; i < 40; i++) {
        const double I[3] = {0.1, i % 2 ? 0.13 : 0.1, 0.17};
        const dls_quat axes = draw_rotation(&seed);
        const dls_vec3 v = draw3(&seed), omega = draw3(&seed);
        char link[3][600], scene[800];
        dls_spatial f[2];
        dls_error error;
        for (int k = 0; k < 3; k++) {
            const dls_quat tilted = dls_quat_mul(axes, dls_quat_exp(dls_v3(0.01, 0, 0))),
                           q = k == 2 ? tilted
                               : k    ? dls_quat_mul(axes, swap)
                                      : axes;
            snprintf(link[k], sizeof link[k],
                     "mass: 1.7, inertia: [%.17g, %.17g, %.17g], inertia_off: [%.17g, %.17g, %.17g], box_axes: [%.17g, "
                     "%.17g, %.17g, %.17g]",
                     inertia_entry(axes, I, 0, 0), inertia_entry(axes, I, 1, 1), inertia_entry(axes, I, 2, 2),
                     inertia_entry(axes, I, 0, 1), inertia_entry(axes, I, 0, 2), inertia_entry(axes, I, 1, 2), q.w, q.x,
                     q.y, q.z);
            uint64_t same = 9;
            if (k < 2)
                f[k] = force_at("medium_density: 900", link[k], v, omega, &same);
        }
        assert_vector(f[1].lin, f[0].lin, 1e-12 * dls_norm(f[0].lin));
        assert_vector(f[1].ang, f[0].ang, 1e-12 * dls_norm(f[0].ang));
        if (i % 2) {
            uint64_t same = 9;
            *strstr(link[0], ", box_axes") = '\0';
            const dls_spatial principal = force_at("medium_density: 900", link[0], v, omega, &same);
            assert_vector(f[0].lin, principal.lin, 1e-12 * dls_norm(f[0].lin));
        }
        for (int medium = 0; medium < 2; medium++) {
            snprintf(scene, sizeof scene,
                     "world: {medium_density: %d}\narticulations:\n  - name: a\n    links:\n      "
                     "- {name: l, %s}\n",
                     medium, link[2]);
            assert_int_equal(try_scene(scene, &error), DLS_BAD_INPUT);
            assert_string_equal(error.key, "box_axes");
            assert_int_equal(error.line, 5);
        }
    }
}

/* --- motions --- */

#define FALL(world, body)                                                                                           \
    "world: {" world "}\nbodies:\n  - {name: stone, shape: box, size: [0.4, 0.3, 0.2], mass: 1.7, position: [0.9, " \
    "0.4, 0.3], " body "}\n"

/* v = v_0 / (1 + k v_0 t), v_0 exp(-c t / m), and a fall towards the terminal velocity sqrt(g / k), with
 * k = rho b c / (2 m): v = u tanh(g t / u). The motion itself, to its error. */
TEST(test_motions_in_closed_form)
{
    static const double rho = 3.0, m = 1.7, t = 0.9, g = 9.81;
    const double k = 0.5 * rho * 0.3 * 0.2 / m, fall = 0.5 * rho * 0.4 * 0.3 / m, c = 6.0 * DLS_PI * 0.7 * 0.15 / m;
    const struct {
        const char *text;
        size_t entry;
        double speed;
    } cases[] = {
        {FALL("gravity: [0, 0, 0], medium_density: 3", "velocity: [1.3, 0, 0]"), 0, 1.3 / (1.0 + k * 1.3 * t)},
        {FALL("gravity: [0, 0, 0], medium_viscosity: 0.7", "velocity: [1.3, 0, 0]"), 0, 1.3 * exp(-c * t)},
        {FALL("medium_density: 3", "omega: [0, 0, 0]"), 2, -sqrt(g / fall) * tanh(sqrt(g * fall) * t)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dls_error error;
        dls_trajectory *exact;
        dls_model *model = parse_model(cases[i].text);
        dls_state *state;
        assert_status(dls_state_create(model, &state, &error), &error);
        assert_status(dls_trajectory_create(model, dls_model_initial(model), NULL, &exact, &error), &error);
        assert_status(dls_trajectory_advance(exact, t, state, &error), &error);
        assert_close(state->v[cases[i].entry], cases[i].speed, 1e-12);
        dls_trajectory_destroy(exact);
        dls_state_destroy(state);
        dls_model_destroy(model);
    }
}

/* Two trees and two bodies in thick air, without gravity: every scheme takes energy in each step, and all of it is in
 * the ledger. The energy that the medium takes is the change of the energy, up to the integrator's error. */
TEST(test_every_scheme_loses_energy)
{
    for (size_t v = 0; v < VARIANTS; v++) {
        run r;
        static const char still[] = "world: {gravity: [0, 0, 0], medium_density: 1.3, medium_viscosity: 0.2}\n";
        const char *trees = strchr(TWO_TREES, '\n') + 1;
        double medium = 0.0, integrator = 0.0, others = 0.0;
        start_kept(&r, parse_parts(PARTS(still, trees)), &variants[v], 4);
        const double before = run_energy(&r);
        for (int step = 0; step < 100; step++) {
            run_steps(&r, 1, 2e-3);
            const dls_ledger *l = dls_simulation_ledger(r.simulation);
            check_below(dls_ledger_mismatch(l), 1e-12, name_of(&variants[v]), __FILE__, __LINE__);
            assert_true(l->medium < 0.0);
            medium += l->medium, integrator += dls_ledger_integrator(l);
            others += dls_ledger_sum(l) - l->medium - dls_ledger_integrator(l);
        }
        const double lost = run_energy(&r) - before;
        assert_close(lost, medium + integrator + others, 1e-12 * before);
        assert_true(lost < -0.01 * before);
        check_below(fabs(others), 1e-12 * before, name_of(&variants[v]), __FILE__, __LINE__);
        run_stop(&r);
    }
}

/* A sensor of all kinds of forces shows the rate of the momentum of its link, that of the medium included; the
 * problem is the one that differences of positions and the same forces give. */
TEST(test_forces_of_the_medium_are_applied_forces)
{
    static const char scene[] =
        "world: {medium_density: 2, medium_viscosity: 0.3, wind: [1, 0.5, -0.2]}\narticulations:\n  - name: a\n    "
        "links:\n"
        "      - {name: l, shape: box, size: [0.4, 0.3, 0.2], mass: 1.7, velocity: [1, 2, -1], omega: [1, -2, 0.5]}\n"
        "      - {name: k, parent: l, motion: revolute, axis: [0, 1, 0], anchor: [0.3, 0, 0], shape: box, size: [0.4, "
        "0.1, "
        "0.2], mass: 0.7, position: [0.5, 0, 0], speed: 2, ellipsoids: [{half_axes: [0.3, 0.1, 0.05], position: [0.1, "
        "0, "
        "0.2]}]}\n"
        "bodies:\n  - {name: b, shape: box, size: [0.4, 0.3, 0.2], mass: 1.7, velocity: [1, 2, -1], omega: [1, -2, "
        "0.5], "
        "position: [3, 0, 0]}\nsensors:\n  - {name: s, link: a.k, axes: world}\n  - {name: t, link: b, axes: world}\n";
    run r;
    dls_error error;
    const double h = 1e-3;
    start_kept(&r, parse_model(scene), &variants[0], 4);
    const dls_configuration *c = dls_simulation_configuration(r.simulation);
    const dls_vec3 before = c->works[0]->links[1].v.lin, body = c->bodies[0].v;
    run_steps(&r, 1, h);
    dls_check_report *report;
    assert_status(dls_check_problem(r.model, dls_model_initial(r.model), NULL, dls_simulation_problem(r.simulation), 1,
                                    &report, &error),
                  &error);
    assert_true(report->passed);
    dls_check_report_destroy(report);
    const dls_state *state = dls_simulation_state(r.simulation);
    dls_spatial force[2];
    for (size_t k = 0; k < 2; k++)
        assert_status(dls_simulation_sensor(r.simulation, k, &force[k], &error), &error);
    c = dls_simulation_configuration(r.simulation);
    /* The links turn by h omega in a step. */
    assert_vector(force[0].lin, dls_scale(0.7 / h, dls_sub(c->works[0]->links[1].v.lin, before)), 0.2);
    assert_vector(force[1].lin, dls_scale(1.7 / h, dls_sub(dls_v3(state->v[0], state->v[1], state->v[2]), body)),
                  1e-11);
    run_stop(&r);
}

/* --- scenes --- */

static void write_file(const char *path, const char *text)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
}

/* The forces on all links of a file at drawn velocities; `n` of them. */
static dls_spatial *forces_in(const char *path, size_t *n)
{
    dls_error error;
    dls_content content;
    dls_model *model;
    dls_state *state;
    dls_configuration *c;
    uint64_t seed = 5;
    assert_status(dls_file_load(path, NULL, &content, &error), &error);
    assert_status(dls_model_create(content.scene, &model, &error), &error);
    assert_status(dls_state_create(model, &state, &error), &error);
    assert_status(dls_configuration_create(model, &c, &error), &error);
    for (size_t k = 0; k < dls_model_count(model).nv; k++)
        state->v[k] = draw(&seed);
    dls_configuration_evaluate(c, state);
    dls_configuration_immerse(c);
    *n = dls_model_count(model).ends;
    dls_spatial *copy = malloc(*n * sizeof *copy);
    assert_non_null(copy);
    memcpy(copy, c->medium, *n * sizeof *copy);
    dls_configuration_destroy(c);
    dls_state_destroy(state);
    dls_model_destroy(model);
    dls_scene_destroy(content.scene);
    return copy;
}

/* A model that is written as a scene feels the same: wind, axes of boxes, ellipsoids, each about its own link. */
TEST(test_a_written_scene_has_the_medium)
{
    static const char model[] =
        "<mujoco><option density='1.3' viscosity='.7' wind='.4 -.3 .2'/><default><geom contype='0' conaffinity='0'/>"
        "</default><worldbody><body name='b' pos='1 2 3'><freejoint/><geom type='capsule' size='.1 .3' euler='40 20 "
        "30' "
        "pos='.1 0 .2'/><body name='c' pos='1 0 0'><joint axis='0 1 0'/><geom type='ellipsoid' size='.1 .2 .3' "
        "euler='40 20 "
        "30' pos='.1 .2 0' fluidshape='ellipsoid' fluidcoef='1 2 3 4 5'/><geom size='.1'/></body></body></worldbody>"
        "</mujoco>";
    char path[2][64] = {"", ""};
    size_t n, same;
    dls_error error;
    dls_content content;
    unsigned lost;
    snprintf(path[0], sizeof path[0], "medium-%ld.xml", (long)getpid());
    snprintf(path[1], sizeof path[1], "medium-%ld.yaml", (long)getpid());
    write_file(path[0], model);
    assert_status(dls_file_load(path[0], NULL, &content, &error), &error);
    assert_status(dls_scene_write(content.scene, path[1], &lost, &error), &error);
    dls_scene_destroy(content.scene);
    dls_spatial *before = forces_in(path[0], &n), *after = forces_in(path[1], &same);
    assert_int_equal(n, same);
    for (size_t k = 0; k < n; k++) {
        assert_true(dls_norm(before[k].lin) > 0.1);
        assert_vector(after[k].lin, before[k].lin, 1e-13 * dls_norm(before[k].lin));
        assert_vector(after[k].ang, before[k].ang, 1e-13 * dls_norm(before[k].ang));
    }
    free(before), free(after);
    assert_int_equal(remove(path[0]), 0);
    assert_int_equal(remove(path[1]), 0);
}

/* An ellipsoid is where it was, wherever that is. */
TEST(test_written_ellipsoids_are_read_again)
{
    uint64_t seed = 10;
    for (int i = 0; i < 20; i++) {
        const double far = pow(10.0, 8.0 * draw(&seed));
        const dls_vec3 p = dls_scale(far, draw3(&seed)), half = dls_v3(exp(draw(&seed)), exp(draw(&seed)), 1.0);
        const dls_quat q = draw_rotation(&seed);
        char text[600], path[64];
        dls_error error;
        dls_content content;
        unsigned lost;
        snprintf(
            text, sizeof text,
            "articulations:\n  - name: a\n    links:\n      - {name: l, mass: 1, inertia: [1, 1, 1], position: [1, "
            "2, 3], ellipsoids: [{half_axes: [%.17g, %.17g, %.17g], position: [%.17g, %.17g, %.17g], orientation: "
            "[%.17g, %.17g, %.17g, %.17g], blunt: 0.7, slender: 0, magnus: 1e300}]}\n",
            half.x, half.y, half.z, p.x, p.y, p.z, q.w, q.x, q.y, q.z);
        dls_scene *scene = parse_scene(text);
        snprintf(path, sizeof path, "ellipsoids-%ld.yaml", (long)getpid());
        assert_status(dls_scene_write(scene, path, &lost, &error), &error);
        assert_status(dls_file_load(path, NULL, &content, &error), &error);
        assert_int_equal(remove(path), 0);
        const dls_link_ellipsoid *one = &scene->articulations[0]->ellipsoids[0],
                                 *other = &content.scene->articulations[0]->ellipsoids[0];
        assert_vector(one->frame.p, p, 0.0);
        assert_vector(other->frame.p, p, 0.0);
        assert_vector(other->half, half, 0.0);
        assert_vector(dls_quat_log(dls_quat_mul(dls_quat_conj(other->frame.q), q)), dls_v3(0, 0, 0), 1e-15);
        assert_memory_equal(&other->coefficient, &one->coefficient, sizeof one->coefficient);
        dls_scene_destroy(scene);
        dls_scene_destroy(content.scene);
    }
}

/* Values that a program puts into an ellipsoid are checked as those of a file, in a medium and without one. */
TEST(test_assigned_ellipsoids_are_checked)
{
    static const double wrong[] = {NAN, HUGE_VAL, -HUGE_VAL, -1.0, 0.0, 1e200};
    for (size_t i = 0; i < dls_link_ellipsoid_fields.count; i++)
        for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++)
            for (int medium = 0; medium < 2; medium++) {
                const dls_field *field = &dls_link_ellipsoid_fields.fields[i];
                const bool is_place = strcmp(field->key, "position") == 0,
                           is_half = strcmp(field->key, "half_axes") == 0,
                           is_turn = strcmp(field->key, "orientation") == 0;
                dls_scene *scene = parse_scene(medium ? "world: {medium_density: 1}\narticulations:\n  - name: a\n    "
                                                        "links:\n      - {name: l, " WING("") "}\n"
                                                      : "articulations:\n  - name: a\n    links:\n      - {name: "
                                                        "l, " WING("") "}\n");
                dls_model *model = NULL;
                dls_error error;
                double *value = (double *)((char *)scene->articulations[0]->ellipsoids + field->offset);
                *value = wrong[k];
                const dls_status status = dls_model_create(scene, &model, &error);
                const bool fine = is_place  ? isfinite(wrong[k])
                                  : is_half ? false
                                  : is_turn ? fabs(wrong[k]) == 1.0
                                            : wrong[k] >= 0.0 && isfinite(wrong[k]);
                if ((status == DLS_OK) != fine || (!fine && strcmp(error.key, field->key) != 0))
                    fail_msg("%s: %g: status %d, %s: %s", field->key, wrong[k], status, error.key, error.message);
                dls_model_destroy(model);
                dls_scene_destroy(scene);
            }
}

/* Each has one error, with its key. */
TEST(test_wrong_media_are_refused)
{
    static const struct {
        const char *world, *link, *key;
    } cases[] = {{"medium_density: -1", BRICK, "medium_density"},
                 {"medium_density: inf", BRICK, "medium_density"},
                 {"medium_viscosity: -1", BRICK, "medium_viscosity"},
                 {"medium_density: 1, wind: [inf, 0, 0]", BRICK, "wind"},
                 {"medium_density: 1", BRICK ", ellipsoids: [{half_axes: [1, 0, 1]}]", "half_axes"},
                 {"", BRICK ", ellipsoids: [{half_axes: [1, 0, 1]}]", "half_axes"},
                 {"", BRICK ", ellipsoids: [{half_axes: [1, inf, 1]}]", "half_axes"},
                 {"", BRICK ", ellipsoids: [{half_axes: [1, 1, 1e-20]}]", "half_axes"},
                 {"", BRICK ", ellipsoids: [{half_axes: [1e200, 1e200, 1e200]}]", "half_axes"},
                 {"", BRICK ", ellipsoids: [{half_axes: [1, 1, 1], position: [0, inf, 0]}]", "position"},
                 {"", BRICK ", ellipsoids: [{half_axes: [1, 1, 1], blunt: inf}]", "blunt"},
                 {"", BRICK ", ellipsoids: [{half_axes: [1, 1, 1], kutta: -1}]", "kutta"},
                 {"medium_density: 1", BRICK ", ellipsoids: [{blunt: 1}]", "half_axes"},
                 {"medium_density: 1", BRICK ", ellipsoids: [{half_axes: [1, 1, 1], blnt: 1}]", "blnt"},
                 {"medium_density: 1", BRICK ", ellipsoids: {}", "ellipsoids"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[600];
        dls_scene *scene = NULL;
        dls_model *model = NULL;
        dls_error error;
        snprintf(text, sizeof text, "world: {%s}\narticulations:\n  - name: a\n    links:\n      - {name: l, %s}\n",
                 cases[k].world, cases[k].link);
        dls_status status = dls_scene_parse(text, strlen(text), "text", &scene, &error);
        if (status == DLS_OK)
            status = dls_model_create(scene, &model, &error);
        assert_true(status == DLS_BAD_INPUT || status == DLS_NOT_FINITE);
        assert_string_equal(error.key, cases[k].key);
        dls_scene_destroy(scene);
    }
}
