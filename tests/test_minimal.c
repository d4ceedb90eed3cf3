/* Mechanisms in minimal coordinates: the same accelerations and energies as with rows and multipliers, and the same
 * trajectories. */
#include "articulated.h"
#include "failing_memory.h"
#include "world.h"

#include "delassus/minimal.h"
#include "delassus/reference.h"

#define WORLD "world: {gravity: [0, 0, -9.81]}\n"
#define PIN ", axis: [0, 1, 0]"

/* Two gears on fixed axes beside each other: rotor 2 turns -3.7 times as fast. */
#define GEARS                                                                                                        \
    WORLD                                                                                                            \
    "articulations:\n  - name: box\n    links:\n      - {name: root, static: true}\n"                                \
    "      - {name: A, parent: root, motion: revolute-unwrapped, axis: [0, 0, 1], shape: cylinder, radius: 0.3, "    \
    "length: 0.1, mass: 1.7, speed: 0.4}\n"                                                                          \
    "      - {name: B, parent: root, motion: revolute-unwrapped, axis: [0, 0, 1], anchor: [1, 0, 0], position: [1, " \
    "0, 0], shape: cylinder, radius: 0.2, length: 0.1, mass: 0.6, armature: 0.013, speed: -1.48}\n"                  \
    "joints:\n  - {name: mesh, type: mimic, coordinates: {box.A: 3.7, box.B: 1}}\n"

/* Three rods in series, of which the second and the third follow the first. */
#define RODS                                                                                                      \
    WORLD "articulations:\n  - name: rods\n    links:\n      - {name: root, static: true}\n"                      \
          "      - {name: A, parent: root, motion: revolute-unwrapped, anchor: [0, 0, 0]" PIN                     \
          ", shape: box, size: [0.05, 0.05, 1], mass: 1.3, position: [0, 0, -0.5], start: 0.7, speed: 0.3}\n"     \
          "      - {name: B, parent: A, motion: revolute-unwrapped, anchor: [0, 0, -1]" PIN                       \
          ", shape: box, size: [0.05, 0.05, 1], mass: 0.9, position: [0, 0, -1.5], start: 0.35, speed: 0.15}\n"   \
          "      - {name: C, parent: B, motion: revolute-unwrapped, anchor: [0, 0, -2]" PIN                       \
          ", shape: box, size: [0.05, 0.05, 1], mass: 0.4, position: [0, 0, -2.5], start: -1.19, speed: -0.51}\n" \
          "joints:\n  - {name: half, type: mimic, coordinates: {rods.A: 0.5, rods.B: -1}}\n"                      \
          "  - {name: against, type: mimic, coordinates: {rods.A: 1.7, rods.C: 1}}\n"

/* A four-bar linkage of links, closed by a hinge: 5 rows of rank 2. */
#define FOUR_BAR                                                                             \
    WORLD "articulations:\n  - name: bar\n    links:\n      - {name: root, static: true}\n"  \
          "      - {name: crank, parent: root, motion: revolute, anchor: [0, 0, 0]" PIN      \
          ", shape: box, size: [0.05, 0.05, 0.3], mass: 0.7, position: [0, 0, 0.15]}\n"      \
          "      - {name: coupler, parent: crank, motion: revolute, anchor: [0, 0, 0.3]" PIN \
          ", shape: box, size: [0.5, 0.05, 0.05], mass: 1.2, position: [0.2, 0, 0.45]}\n"    \
          "      - {name: rocker, parent: root, motion: revolute, anchor: [0.5, 0, 0]" PIN   \
          ", shape: box, size: [0.05, 0.05, 0.6], mass: 0.9, position: [0.45, 0, 0.3]}\n"    \
          "joints:\n  - {name: C, type: hinge, body1: bar.coupler, body2: bar.rocker, anchor: [0.4, 0, 0.6]" PIN "}\n"

/* The same with a body in the place of the rocker, on a hinge: coordinates of two kinds. */
#define BAR_WITH_BODY                                                                                               \
    WORLD "bodies:\n  - {name: rocker, shape: box, size: [0.05, 0.05, 0.6], mass: 0.9, position: [0.45, 0, 0.3]}\n" \
          "articulations:\n  - name: bar\n    links:\n      - {name: root, static: true}\n"                         \
          "      - {name: crank, parent: root, motion: revolute, anchor: [0, 0, 0]" PIN                             \
          ", shape: box, size: [0.05, 0.05, 0.3], mass: 0.7, position: [0, 0, 0.15]}\n"                             \
          "      - {name: coupler, parent: crank, motion: revolute, anchor: [0, 0, 0.3]" PIN                        \
          ", shape: box, size: [0.5, 0.05, 0.05], mass: 1.2, position: [0.2, 0, 0.45]}\n"                           \
          "joints:\n  - {name: C, type: hinge, body1: bar.coupler, body2: rocker, anchor: [0.4, 0, 0.6]" PIN "}\n"  \
          "  - {name: D, type: hinge, body1: rocker, anchor: [0.5, 0, 0]" PIN "}\n"

static const char *const scenes[] = {GEARS, RODS, FOUR_BAR, BAR_WITH_BODY};
enum { SCENES = sizeof scenes / sizeof scenes[0] };

typedef struct mechanism {
    dls_model *model;
    dls_loops *loops;
    dls_state *state;
} mechanism;

static mechanism open_mechanism(const char *text)
{
    dls_error error;
    size_t left_out;
    mechanism m = {.model = parse_model(text)};
    m.state = new_state(m.model);
    assert_status(dls_loops_create(m.model, &m.loops, &error), &error);
    assert_status(dls_loops_add_all(m.loops, &left_out, &error), &error);
    assert_int_equal(left_out, 0);
    return m;
}

static void close_mechanism(mechanism *m)
{
    dls_state_destroy(m->state);
    dls_loops_destroy(m->loops);
    dls_model_destroy(m->model);
}

static dls_minimal *minimal_of(mechanism *m, const double *tau)
{
    dls_minimal *minimal;
    dls_error error;
    assert_status(dls_loops_prepare(m->loops, m->state, NULL, &error), &error);
    assert_status(dls_minimal_create(m->loops, tau, &minimal, &error), &error);
    return minimal;
}

/* Draws positions and velocities that the loops allow. */
static void draw_state(mechanism *m, uint64_t *seed)
{
    dls_error error;
    for (size_t k = 0; k < m->loops->nv; k++)
        m->state->v[k] = draw(seed);
    dls_minimal *minimal = minimal_of(m, NULL);
    dls_minimal_velocity(minimal, m->state->v);
    dls_minimal_destroy(minimal);
    dls_configuration *c;
    assert_status(dls_configuration_create(m->model, &c, &error), &error);
    dls_configuration_evaluate(c, m->state);
    dls_configuration_advance(c, c, m->state, m->state->v, 0.1, true);
    dls_configuration_destroy(c);
    assert_status(dls_minimal_close(m->loops, m->state, &error), &error);
    assert_below(largest(m->loops->C, m->loops->n), 1e-13);
    minimal = minimal_of(m, NULL);
    dls_minimal_velocity(minimal, m->state->v);
    dls_minimal_destroy(minimal);
}

/* The accelerations of the dense equations with multipliers; J v = 0, J G = 0 and J g = gamma; and the kinetic energy
 * is that of the independent velocities alone. */
TEST(test_accelerations_and_energies)
{
    uint64_t seed = 17;
    for (size_t s = 0; s < SCENES; s++)
        for (int trial = 0; trial < 5; trial++) {
            mechanism m = open_mechanism(scenes[s]);
            draw_state(&m, &seed);
            const size_t nv = m.loops->nv;
            double *tau = calloc(4 * nv + 64, sizeof *tau), *vdot = tau + nv, *Mv = vdot + nv, *lambda = Mv + nv;
            dls_error error;
            for (size_t k = 0; k < nv; k++)
                tau[k] = m.loops->actuated[k] ? 3.0 * draw(&seed) : 0.0;
            dls_minimal *minimal = minimal_of(&m, tau);
            assert_status(dls_loops_motion(m.loops, tau, vdot, lambda, &error), &error);
            const double size = 1.0 + largest(vdot, nv);
            for (size_t k = 0; k < nv; k++)
                assert_close(minimal->vdot[k], vdot[k], 1e-11 * size);
            assert_below(minimal->contradiction, 1e-10 * size);
            for (size_t i = 0; i < m.loops->n; i++) {
                assert_close(dls_rows_dot(&m.loops->problem->J, i, m.state->v), 0.0, 1e-13 * 10.0);
                for (size_t j = 0; j < minimal->n; j++)
                    assert_close(dls_rows_dot(&m.loops->problem->J, i, minimal->G + nv * j), 0.0, 1e-13 * 10.0);
            }
            double whole = 0.0, reduced = 0.0;
            dls_mass_multiply(&m.loops->problem->mass, m.state->v, Mv);
            for (size_t k = 0; k < nv; k++)
                whole += m.state->v[k] * Mv[k];
            for (size_t i = 0; i < minimal->n; i++)
                for (size_t j = 0; j < minimal->n; j++)
                    reduced += m.state->v[minimal->independent[i]] * minimal->M[i + minimal->n * j] *
                               m.state->v[minimal->independent[j]];
            assert_close(reduced, whole, 1e-13 * 10.0 * whole);
            dls_minimal_destroy(minimal);
            free(tau);
            close_mechanism(&m);
        }
}

/* Gears: one coordinate, whose inertia is I_A + 3.7^2 (I_B + armature), seen from A, or that over 3.7^2 from B. */
TEST(test_a_gear_reflects_inertia)
{
    mechanism m = open_mechanism(GEARS);
    dls_minimal *minimal = minimal_of(&m, NULL);
    assert_int_equal(minimal->n, 1);
    const double ratio = 3.7, A = 0.5 * 1.7 * 0.09, B = 0.5 * 0.6 * 0.04 + 0.013;
    const bool from_A = minimal->independent[0] == 0;
    assert_close(minimal->G[from_A ? 1 : 0], from_A ? -ratio : -1.0 / ratio, 1e-16);
    assert_close(minimal->M[0], from_A ? A + ratio * ratio * B : A / (ratio * ratio) + B, 1e-15);
    dls_minimal_destroy(minimal);
    close_mechanism(&m);
}

/* One step of Runge and Kutta's method of fourth order; dependent coordinates follow in every stage. */
static void runge_kutta(mechanism *m, dls_configuration *c, dls_state *from, double *k, double h)
{
    static const double share[] = {0.0, 0.5, 0.5, 1.0}, weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    const size_t nv = m->loops->nv;
    double *speed = k, *rate = k + nv, *mean_speed = rate + nv, *mean_rate = mean_speed + nv;
    dls_error error;
    dls_state_copy(from, m->state);
    memset(k, 0, 4 * nv * sizeof *k);
    for (int stage = 0; stage <= 4; stage++) {
        const double step = stage < 4 ? share[stage] * h : h;
        dls_state_copy(m->state, from);
        for (size_t i = 0; i < nv; i++)
            m->state->v[i] += step * (stage < 4 ? rate : mean_rate)[i];
        dls_configuration_evaluate(c, from);
        dls_configuration_advance(c, c, m->state, stage < 4 ? speed : mean_speed, step, true);
        assert_status(dls_minimal_close(m->loops, m->state, &error), &error);
        dls_minimal *minimal = minimal_of(m, NULL);
        dls_minimal_velocity(minimal, m->state->v);
        dls_minimal_destroy(minimal);
        minimal = minimal_of(m, NULL);
        for (size_t i = 0; i < nv && stage < 4; i++) {
            speed[i] = m->state->v[i], rate[i] = minimal->vdot[i];
            mean_speed[i] += weight[stage] * speed[i], mean_rate[i] += weight[stage] * rate[i];
        }
        dls_minimal_destroy(minimal);
    }
}

/* The velocities at `time`, by steps of h, against the exact trajectory of the rows with multipliers. */
static double trajectory_error(const char *text, double h, double time)
{
    mechanism m = open_mechanism(text);
    const size_t nv = m.loops->nv;
    double *k = calloc(4 * nv, sizeof *k), worst = 0.0;
    dls_state *from = new_state(m.model), *exact_state = new_state(m.model);
    dls_configuration *c;
    dls_exact *exact;
    dls_error error;
    assert_status(dls_configuration_create(m.model, &c, &error), &error);
    assert_status(dls_exact_create(m.model, m.state, NULL, &exact, &error), &error);
    assert_status(dls_exact_advance(exact, time, exact_state, &error), &error);
    for (size_t step = 0; step < (size_t)(time / h + 0.5); step++)
        runge_kutta(&m, c, from, k, h);
    for (size_t i = 0; i < nv; i++)
        worst = fmax(worst, fabs(m.state->v[i] - exact_state->v[i]));
    dls_exact_destroy(exact);
    dls_configuration_destroy(c);
    dls_state_destroy(from), dls_state_destroy(exact_state);
    free(k);
    close_mechanism(&m);
    return worst;
}

TEST(test_trajectories_are_those_of_multipliers)
{
    static const char *const moving[] = {RODS, FOUR_BAR};
    for (size_t s = 0; s < 2; s++) {
        const double coarse = trajectory_error(moving[s], 0.02, 0.4), fine = trajectory_error(moving[s], 0.01, 0.4);
        print_message("# errors %.2e and %.2e\n", coarse, fine);
        assert_below(fine, coarse / 10.0); /* 16 at fourth order */
        assert_below(fine, 1e-5);
    }
}

/* A limit or a contact removes no coordinate while it may open. */
TEST(test_one_sided_rows_are_refused)
{
    mechanism m = open_mechanism(WORLD "bodies:\n  - {name: A, shape: sphere, radius: 0.1, mass: 1}\n");
    const dls_contact contact = {.body = {0, DLS_WORLD}, .normal = {0, 0, 1}};
    dls_minimal *minimal;
    dls_error error;
    assert_status(dls_loops_add_contact(m.loops, &contact, &error), &error);
    assert_status(dls_loops_prepare(m.loops, m.state, NULL, &error), &error);
    assert_int_equal(dls_minimal_create(m.loops, NULL, &minimal, &error), DLS_REFUSED);
    assert_null(minimal);
    close_mechanism(&m);
}

static dls_status create_and_close(const void *argument, dls_error *error)
{
    const mechanism *m = argument;
    dls_minimal *minimal = NULL;
    dls_status status = dls_minimal_create(m->loops, NULL, &minimal, error);
    dls_minimal_destroy(minimal);
    return status == DLS_OK ? dls_minimal_close(m->loops, m->state, error) : status;
}

TEST(test_memory_that_runs_out)
{
    mechanism m = open_mechanism(FOUR_BAR);
    dls_minimal_destroy(minimal_of(&m, NULL));
    fail_every_allocation(create_and_close, &m, "minimal coordinates");
    close_mechanism(&m);
}

/* A linkage whose hinge would be beyond its reach cannot be closed. */
TEST(test_loops_out_of_reach)
{
    mechanism m = open_mechanism(WORLD "articulations:\n  - name: arm\n    links:\n      - {name: root, static: true}\n"
                                       "      - {name: A, parent: root, motion: revolute, anchor: [0, 0, 0]" PIN
                                       ", shape: box, size: [0.05, 0.05, 1], mass: 1, position: [0, 0, -0.5]}\n"
                                       "joints:\n  - {name: far, type: distance, body1: arm.A, anchor1: [0, 0, -1], "
                                       "anchor2: [3, 0, 0], length: 1}\n");
    dls_error error;
    assert_int_equal(dls_minimal_close(m.loops, m.state, &error), DLS_BAD_INPUT);
    close_mechanism(&m);
}
