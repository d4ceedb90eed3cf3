/* Mechanics whose answer is known: momentum, gyroscopes, inertia, rest, sliding, bounce. With PGS as the solver. */
#include "mechanism.h"

#include "delassus/solvers.h"

static void start(run *r, dls_scene *scene, size_t iterations)
{
    dls_simulation_options options = dls_simulation_default();
    options.solver = dls_iterative_find("pgs");
    options.iterations = iterations;
    run_open(r, finish(scene), &options);
}

static dls_vec3 velocity(const run *r, size_t body)
{
    return dls_configuration_end(dls_simulation_configuration(r->simulation), body).v;
}

static dls_vec3 omega(const run *r, size_t body)
{
    return dls_configuration_end(dls_simulation_configuration(r->simulation), body).omega;
}

/* --- free motion --- */

static dls_scene *spinning_box(dls_gyroscopic gyroscopic, dls_vec3 spin)
{
    dls_scene *scene = new_scene();
    scene->world.gravity = dls_v3(0, 0, 0);
    scene->world.gyroscopic = (int)gyroscopic;
    dls_body_def box = new_box("box", 2.385, dls_v3(0.1, 0.4, 0.9), dls_v3(0.3, -0.2, 1.7));
    box.velocity = dls_v3(0.3, 1.1, -0.7);
    box.omega = spin;
    add_body(scene, &box);
    return scene;
}

TEST(test_a_free_box_keeps_its_linear_momentum)
{
    run r;
    dls_vec3 before, after, unused_angular;
    start(&r, spinning_box(DLS_GYROSCOPIC_IMPLICIT, dls_v3(3.1, 7.3, 2.2)), 1);
    dls_momentum(dls_simulation_configuration(r.simulation), &before, &unused_angular);
    run_steps(&r, 10000, 1e-3);
    dls_momentum(dls_simulation_configuration(r.simulation), &after, &unused_angular);
    assert_close(dls_norm(dls_sub(after, before)), 0.0, 0.0); /* no force: not one bit */
    dls_quat q = dls_simulation_state(r.simulation)->q[0];
    assert_close(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1.0, 1e-15);
    run_stop(&r);
}

/* Inner forces alone: each step adds J^T lambda with blocks that sum to 0, to rounding. */
TEST(test_two_hinged_boxes_keep_their_linear_momentum)
{
    run r;
    dls_vec3 before, after, unused_angular;
    dls_scene *scene = spinning_box(DLS_GYROSCOPIC_IMPLICIT, dls_v3(1.1, 2.3, 0.7));
    dls_body_def other = new_box("other", 0.613, dls_v3(0.5, 0.2, 0.1), dls_v3(0.8, -0.2, 1.7));
    add_body(scene, &other);
    add_joint(scene, "hinge", "hinge", "box", "other", KEYS("anchor", "[0.5, -0.2, 1.7]", "axis", "[0, 1, 0.3]"));
    start(&r, scene, 20);
    dls_momentum(dls_simulation_configuration(r.simulation), &before, &unused_angular);
    run_steps(&r, 10000, 1e-3);
    dls_momentum(dls_simulation_configuration(r.simulation), &after, &unused_angular);
    assert_close(dls_norm(dls_sub(after, before)), 0.0,
                 1e-12); /* 1e4 steps, 1e5 roundings of 1e-17 each in random directions */
    run_stop(&r);
}

/* The axis of middle inertia is unstable: the box tumbles, the gyroscopic torque works all the time. */
static double energy_ratio(dls_gyroscopic gyroscopic, double h, double time)
{
    run r;
    start(&r, spinning_box(gyroscopic, dls_v3(0.3, 9.7, 0.2)), 1);
    double before = dls_kinetic_energy(dls_simulation_configuration(r.simulation));
    run_steps(&r, (size_t)(time / h + 0.5), h);
    double after = dls_kinetic_energy(dls_simulation_configuration(r.simulation));
    run_stop(&r);
    return after / before;
}

TEST(test_gyroscopic_terms_gain_or_lose_energy)
{
    double explicit_gain = energy_ratio(DLS_GYROSCOPIC_EXPLICIT, 1e-3, 2.0) - 1.0;
    double half_gain = energy_ratio(DLS_GYROSCOPIC_EXPLICIT, 5e-4, 2.0) - 1.0;
    double implicit_loss = 1.0 - energy_ratio(DLS_GYROSCOPIC_IMPLICIT, 1e-3, 2.0);
    print_message("# energy: explicit gains %.3g, at half the step %.3g; implicit loses %.3g\n", explicit_gain,
                  half_gain, implicit_loss);
    assert_true(explicit_gain > 0.0 && implicit_loss > 0.0);
    assert_close(explicit_gain / half_gain, 2.0, 0.3); /* first order in h */
}

TEST(test_without_the_gyroscopic_term_omega_stays)
{
    run r;
    start(&r, spinning_box(DLS_GYROSCOPIC_NONE, dls_v3(0.3, 9.7, 0.2)), 1);
    run_steps(&r, 100, 1e-3);
    assert_close(dls_norm(dls_sub(omega(&r, 0), dls_v3(0.3, 9.7, 0.2))), 0.0, 0.0);
    run_stop(&r);
}

/* Half a radian a step: explicit Euler leaves the finite numbers or gains without bound, implicit stays below its
 * start. */
TEST(test_a_fast_spin_stays_bounded_when_implicit)
{
    run r;
    dls_error error;
    double energy = 0.0;
    start(&r, spinning_box(DLS_GYROSCOPIC_IMPLICIT, dls_v3(3.0, 50.0, 2.0)), 1);
    double before = dls_kinetic_energy(dls_simulation_configuration(r.simulation));
    for (int i = 0; i < 1000; i++) {
        run_steps(&r, 1, 1e-2);
        energy = fmax(energy, dls_kinetic_energy(dls_simulation_configuration(r.simulation)));
    }
    assert_below(energy, before * 1.01);
    run_stop(&r);
    start(&r, spinning_box(DLS_GYROSCOPIC_EXPLICIT, dls_v3(3.0, 50.0, 2.0)), 1);
    dls_status status = DLS_OK;
    for (int i = 0; i < 1000 && status == DLS_OK && energy < 100.0 * before; i++) {
        status = dls_simulation_step(r.simulation, 1e-2, &error);
        energy = dls_kinetic_energy(dls_simulation_configuration(r.simulation));
    }
    assert_true(status == DLS_NOT_FINITE || energy > 100.0 * before);
    run_stop(&r);
}

/* --- inertia against quadrature --- */

/* A slice across z: area and second moments of area about x and y [m^2, m^4]. */
typedef struct slice {
    double area, xx, yy;
} slice;

static slice disc(double r)
{
    return (slice){DLS_PI * r * r, 0.25 * DLS_PI * r * r * r * r, 0.25 * DLS_PI * r * r * r * r};
}

static slice slice_at(const dls_body_def *b, double z)
{
    double r = b->radius, above = fabs(z) - 0.5 * b->length;
    switch ((dls_shape)b->shape) {
    case DLS_SHAPE_BOX:
        return (slice){b->size.x * b->size.y, b->size.x * pow(b->size.y, 3) / 12, pow(b->size.x, 3) * b->size.y / 12};
    case DLS_SHAPE_SPHERE:
        return disc(sqrt(r * r - z * z));
    case DLS_SHAPE_ELLIPSOID: {
        const double share = 1.0 - 4.0 * z * z / (b->size.z * b->size.z), x = 0.5 * b->size.x, y = 0.5 * b->size.y;
        const double area = DLS_PI * x * y * share;
        return (slice){area, 0.25 * area * y * y * share, 0.25 * area * x * x * share};
    }
    case DLS_SHAPE_CAPSULE:
        return disc(above > 0.0 ? sqrt(r * r - above * above) : r);
    default:
        return disc(r);
    }
}

/* Simpson's rule with n intervals on [from, to]: exact for the cubic pieces, and n^-4 for those of fourth degree. */
static void integrate(const dls_body_def *b, double from, double to, double *volume, dls_vec3 *second)
{
    enum { N = 2000 };
    double width = (to - from) / N;
    for (int i = 0; i <= N; i++) {
        double z = from + width * i, weight = (i == 0 || i == N ? 1 : i % 2 ? 4 : 2) * width / 3.0;
        slice s = slice_at(b, i == 0 ? from : i == N ? to : z);
        *volume += weight * s.area;
        *second =
            dls_add(*second, dls_scale(weight, dls_v3(s.xx + s.area * z * z, s.yy + s.area * z * z, s.xx + s.yy)));
    }
}

TEST(test_inertia_of_shapes)
{
    dls_body_def bodies[5];
    const double radius = 0.37, length = 1.21;
    bodies[0] = new_box("box", NAN, dls_v3(0.3, 0.5, 1.1), dls_v3(0, 0, 0));
    bodies[1] = new_body("sphere", DLS_SHAPE_SPHERE, NAN, dls_v3(0, 0, 0));
    bodies[2] = new_body("capsule", DLS_SHAPE_CAPSULE, NAN, dls_v3(0, 0, 0));
    bodies[3] = new_body("cylinder", DLS_SHAPE_CYLINDER, NAN, dls_v3(0, 0, 0));
    bodies[4] = new_body("ellipsoid", DLS_SHAPE_ELLIPSOID, NAN, dls_v3(0, 0, 0));
    bodies[4].size = bodies[0].size;
    const double half[5] = {0.55, radius, 0.5 * length + radius, 0.5 * length, 0.55};
    for (int i = 0; i < 5; i++) {
        dls_body_def *b = &bodies[i];
        b->density = 850.0;
        if (i > 0 && i < 4)
            b->radius = radius;
        if (i > 1 && i < 4)
            b->length = length;
        double volume = 0.0, edge = i == 2 ? 0.5 * length : half[i];
        dls_vec3 second = dls_v3(0, 0, 0);
        integrate(b, -edge, edge, &volume, &second);
        if (edge < half[i]) {
            integrate(b, -half[i], -edge, &volume, &second);
            integrate(b, edge, half[i], &volume, &second);
        }
        dls_scene *scene = new_scene();
        add_body(scene, b);
        dls_model *model = finish(scene);
        const dls_mat3 *I = &dls_model_bodies(model)[0].inertia;
        assert_close(dls_model_bodies(model)[0].mass / (850.0 * volume), 1.0, 1e-11);
        assert_close(I->m[0] / (850.0 * second.x), 1.0, 1e-11);
        assert_close(I->m[4] / (850.0 * second.y), 1.0, 1e-11);
        assert_close(I->m[8] / (850.0 * second.z), 1.0, 1e-11);
        dls_model_destroy(model);
    }
}

/* --- contacts --- */

/* A box of 2.4 kg, its bottom on z = 0, on the four corners it is given. */
static dls_scene *box_on_four_points(dls_vec3 v, const char *friction, const char *mass)
{
    static const char *const points[] = {"[0.3, 0.4, 0]", "[-0.3, 0.4, 0]", "[0.3, -0.4, 0]", "[-0.3, -0.4, 0]"};
    dls_scene *scene = new_scene();
    dls_body_def box = new_box("box", 2.4, dls_v3(0.6, 0.8, 0.5), dls_v3(0, 0, 0.25));
    box.velocity = v;
    add_body(scene, &box);
    for (int i = 0; i < 4; i++) {
        char name[8];
        snprintf(name, sizeof name, "foot %d", i);
        add_joint(
            scene, "contact", name, "box", "world",
            KEYS("point", points[i], "normal", "[0, 0, 1]", "mu", "0.3", "friction", friction, "friction_mass", mass));
    }
    return scene;
}

TEST(test_a_box_on_four_points_stays_at_rest)
{
    const char *const laws[] = {"fixed", "box"};
    for (int law = 0; law < 2; law++) {
        run r;
        start(&r, box_on_four_points(dls_v3(0, 0, 0), laws[law], "0.6"), 200);
        run_steps(&r, 1000, 1e-3);
        assert_close(dls_norm(velocity(&r, 0)), 0.0, 1e-13); /* what 200 sweeps leave of 0.01 m/s */
        assert_close(dls_norm(dls_sub(dls_simulation_state(r.simulation)->x[0], dls_v3(0, 0, 0.25))), 0.0, 1e-13);
        double support = 0.0;
        for (size_t i = 0; i < dls_simulation_problem(r.simulation)->n; i += 3)
            support += dls_simulation_impulses(r.simulation)[i];
        assert_close(support, 2.4 * 9.81 * 1e-3, 1e-14);
        run_stop(&r);
    }
}

/* All friction rows at their bounds, together mu M g: the speed falls by mu g t, to the step at which it ends. */
TEST(test_a_sliding_box_slows_down_at_mu_g)
{
    const char *const laws[] = {"fixed", "box"};
    for (int law = 0; law < 2; law++) {
        run r;
        start(&r, box_on_four_points(dls_v3(2.0, 0, 0), laws[law], "0.6"), 400);
        run_steps(&r, 500, 1e-3);
        assert_close(velocity(&r, 0).x, 2.0 - 0.3 * 9.81 * 0.5, 1e-10); /* PGS' rest, 500 times */
        assert_close(dls_norm(omega(&r, 0)), 0.0, 1e-10);
        run_steps(&r, 300, 1e-3); /* 2 m/s are used up after 0.6796 s */
        assert_close(dls_norm(velocity(&r, 0)), 0.0, 1e-10);
        run_stop(&r);
    }
}

/* The fixed bound does not know what presses on it: twice the mass to hold, the same friction. */
TEST(test_the_fixed_bound_ignores_the_load)
{
    for (int law = 0; law < 2; law++) {
        run r;
        dls_scene *scene = box_on_four_points(dls_v3(2.0, 0, 0), law ? "box" : "fixed", "0.6");
        scene->bodies[0].force = dls_v3(0, 0, -2.4 * 9.81);
        start(&r, scene, 400);
        run_steps(&r, 200, 1e-3);
        assert_close(velocity(&r, 0).x, 2.0 - (law ? 2.0 : 1.0) * 0.3 * 9.81 * 0.2, 1e-10);
        run_stop(&r);
    }
}

static dls_scene *falling_ball(const char *restitution, const char *threshold, double speed)
{
    dls_scene *scene = new_scene();
    dls_body_def ball = new_body("ball", DLS_SHAPE_SPHERE, 0.7, dls_v3(0, 0, 0.35));
    ball.radius = 0.25;
    ball.velocity = dls_v3(0, 0, -speed);
    add_body(scene, &ball);
    add_joint(scene, "contact", "floor", "ball", "world",
              KEYS("point", "[0, 0, 0]", "normal", "[0, 0, 1]", "gap", "0.1", "restitution", restitution, "threshold",
                   threshold));
    return scene;
}

TEST(test_a_ball_bounces_by_newtons_law)
{
    run r;
    start(&r, falling_ball("0.6", "0", 1.3), 5);
    double before = 0.0, now = -1.3;
    while (now < 0.0) {
        before = now;
        run_steps(&r, 1, 1e-3);
        now = velocity(&r, 0).z;
        assert_true(dls_simulation_state(r.simulation)->time < 0.5);
    }
    assert_close(before, -sqrt(1.3 * 1.3 + 2.0 * 9.81 * 0.1), 0.02); /* a step or two of gravity */
    assert_close(now, -0.6 * before, 1e-15);
    run_stop(&r);
}

/* The last bounces are slower than gravity makes a step: then it rests, and its depth is corrected as any contact's. */
TEST(test_a_bouncing_ball_comes_to_rest)
{
    run r;
    start(&r, falling_ball("0.6", "0", 1.3), 5);
    run_steps(&r, 3000, 1e-3);
    assert_close(dls_simulation_state(r.simulation)->x[0].z, 0.25, 1e-13);
    assert_close(velocity(&r, 0).z, 0.0, 1e-13);
    run_stop(&r);
}

/* Slower than the threshold, or without restitution: it closes the gap, no further, and stays. */
TEST(test_a_ball_lands_without_restitution)
{
    for (int i = 0; i < 2; i++) {
        run r;
        start(&r, falling_ball(i ? "0.6" : "0", i ? "5" : "0", 1.3), 5);
        for (int k = 0; k < 500; k++) {
            run_steps(&r, 1, 1e-3);
            assert_true(dls_simulation_state(r.simulation)->x[0].z > 0.25 - 1e-14);
        }
        assert_close(dls_simulation_state(r.simulation)->x[0].z, 0.25, 1e-14);
        assert_close(velocity(&r, 0).z, 0.0, 1e-14);
        run_stop(&r);
    }
}

/* ERP = h kp / (h kp + kd), CFM = 1 / (h kp + kd): implicit Euler of a spring and damper (ode-new-joints (55), (56)).
 */
TEST(test_erp_and_cfm_make_a_spring)
{
    const double kp = 170.0, kd = 3.5, h = 1e-2, m = 2.385;
    char erp[32], cfm[32];
    snprintf(erp, sizeof erp, "%.17g", h * kp / (h * kp + kd));
    snprintf(cfm, sizeof cfm, "%.17g", 1.0 / (h * kp + kd));
    dls_scene *scene = new_scene();
    dls_body_def body = new_box("box", m, dls_v3(0.3, 0.5, 0.7), dls_v3(0, 0, 0));
    add_body(scene, &body);
    add_joint(scene, "ball", "spring", "box", "world", KEYS("anchor", "[0, 0, 0]", "erp", erp, "cfm", cfm));
    run r;
    start(&r, scene, 3);
    dls_simulation_edit(r.simulation)->x[0].z = 0.4;
    double x = 0.4, v = 0.0;
    for (int i = 0; i < 300; i++) {
        v = (v + h * (-9.81 - kp / m * x)) / (1.0 + h * kd / m + h * h * kp / m);
        x += h * v;
        run_steps(&r, 1, h);
        assert_close(dls_simulation_state(r.simulation)->x[0].z, x, 1e-14);
    }
    assert_close(x, -m * 9.81 / kp, 0.05); /* it settles where the spring carries the weight */
    run_stop(&r);
}
