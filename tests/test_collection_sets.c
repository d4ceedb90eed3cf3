/* The subjects of the sets of the collection, by laws that their generators do not use: which structures stand, the
 * weight that contacts carry and where, the motion along a track, numbers of contacts, spectra, and the properties of
 * matrices whose rank, condition and rate are known. */
#include "check.h"

#include "delassus/collection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double gravity = 9.75; /* of the scenes of the collection [m/s^2] */

/* A problem, its solution, and the velocity after it. */
typedef struct solved {
    dls_collected made;
    dls_reference_solution *reference;
    double *v; /* nv, and scratch */
} solved;

static solved solve_member(const char *set_name, size_t k)
{
    const dls_collection_set *set;
    dls_examiner *examiner;
    dls_error error;
    solved s;
    size_t ignored;
    assert_status(dls_collection_find(set_name, &set, &ignored, &error), &error);
    assert_status(dls_collection_make(set, k, &s.made, &error), &error);
    const dls_problem *p = s.made.problem;
    assert_status(dls_examiner_create(p, &examiner, &error), &error);
    assert_status(dls_reference_solution_create(p, examiner, p->n_coupled > 0 ? "sparse-ppa,ppa,cone-newton" : NULL,
                                                1e-12, &s.reference, &error),
                  &error);
    dls_examiner_destroy(examiner);
    s.v = calloc(2 * p->nv, sizeof *s.v);
    assert_non_null(s.v);
    dls_problem_velocity(p, s.reference->lambda, s.v, s.v + p->nv);
    return s;
}

static void release_solved(solved *s)
{
    dls_reference_solution_destroy(s->reference);
    dls_collected_release(&s->made);
    free(s->v);
}

static double fastest(const solved *s, size_t from, size_t end)
{
    double most = 0.0;
    for (size_t i = from; i < end; i++)
        most = fmax(most, fabs(s->v[i]));
    return most;
}

/* The normal impulse of contact c under a cone. */
static double normal_impulse(const solved *s, size_t c)
{
    const dls_problem *p = s->made.problem;
    for (size_t i = 0; i < p->n; i++)
        if (dls_problem_is_cone(p, i) && c-- == 0)
            return s->reference->lambda[i];
    fail();
    return 0.0;
}

/* One level of cards stands from (tan a - t / L) / 2 on, t / L = 1/32. */
TEST(collection_cards_stand_by_their_friction)
{
    static const double tangent[] = {7.0 / 24.0, 5.0 / 12.0, 8.0 / 15.0}, mu[] = {0.125, 0.375, 0.75};
    size_t standing = 0;
    for (size_t k = 0; k < 36; k += 4) {
        solved s = solve_member("cards", k);
        const bool stands = mu[k / 12] >= 0.5 * (tangent[k / 4 % 3] - 0.03125);
        const double speed = fastest(&s, 0, s.made.problem->nv), fall = s.made.problem->h * gravity;
        assert_true(stands ? speed < 1e-9 * fall : speed > 1e-3 * fall);
        standing += stands;
        release_solved(&s);
    }
    assert_true(standing > 0 && standing < 9);
}

/* A robot at rest with strong motors stays, its feet carry its weight, and the centre of their forces is below the
 * centre of mass: front and hind legs of the quadruped mirror each other; of the humanoid, knees and elbows are in
 * front, where sum m x = 2 (8 + 4) s / 4 + 2 (2 s / 8 + 3 s / 8), s the sine of the lean. */
TEST(collection_robots_carry_their_weight)
{
    static const double lean[] = {0.0, 7.0 / 25.0, 5.0 / 13.0, 8.0 / 17.0, 3.0 / 5.0};
    for (size_t k = 1; k < 30; k += 3) {
        solved four = solve_member("quadruped", k), two = solve_member("humanoid", k);
        const double h = two.made.problem->h, sine = lean[k / 3 % 5];
        double all[2] = {0.0, 0.0}, moment[2] = {0.0, 0.0};
        assert_below(fastest(&four, 0, four.made.problem->nv), 1e-10);
        assert_below(fastest(&two, 0, two.made.problem->nv), 1e-10);
        for (size_t c = 0; c < 4; c++)
            all[0] += normal_impulse(&four, c), moment[0] += (c & 1 ? 0.5 : -0.5) * normal_impulse(&four, c);
        for (size_t c = 0; c < 8; c++)
            all[1] += normal_impulse(&two, c), moment[1] += (c & 2 ? 0.1875 : -0.125) * normal_impulse(&two, c);
        assert_close(all[0], 28.0 * gravity * h, 1e-9 * 28.0 * gravity * h);
        assert_close(moment[0], 0.0, 1e-9 * 28.0 * gravity * h);
        assert_close(all[1], 64.0 * gravity * h, 1e-9 * 64.0 * gravity * h);
        assert_close(moment[1], (6.0 + 1.25) * sine * gravity * h, 1e-9 * 64.0 * gravity * h);
        release_solved(&four), release_solved(&two);
    }
}

/* Weak motors let legs give way that lean. */
TEST(collection_robots_give_way)
{
    solved straight = solve_member("quadruped", 0), leaning = solve_member("quadruped", 3);
    assert_below(fastest(&straight, 0, straight.made.problem->nv), 1e-10);
    assert_true(fastest(&leaning, 0, leaning.made.problem->nv) > 1e-3 * gravity * leaning.made.problem->h);
    release_solved(&straight), release_solved(&leaning);
}

/* The cube, whose velocity comes first, is held by as much from both sides, or falls. */
TEST(collection_gripper_holds_or_drops)
{
    for (size_t k = 0; k < 2; k++) {
        solved s = solve_member("gripper", 4 * k); /* weak, strong */
        double side[2] = {0.0, 0.0};
        for (size_t c = 0; c < 8; c++)
            side[c & 1] += normal_impulse(&s, c);
        assert_close(side[0], side[1], 1e-9 * s.made.problem->h);
        assert_true(k == 1 ? fastest(&s, 0, 6) < 1e-10 : fabs(s.v[2]) > 0.1 * gravity * s.made.problem->h);
        release_solved(&s);
    }
}

/* At the lowest point of a loop of radius R the body turns with the track, v = (u, 0, 0) and omega = (0, -u / R, 0). A
 * cube of half a metre has the inertia m / 24, and no impulse of the track works on this motion:
 * (1 + 1 / (24 R^2)) u = v_x - omega_y / (24 R) before. */
TEST(collection_tracks_turn_their_body)
{
    for (size_t k = 1; k < 36; k += 9) {
        solved s = solve_member("track", k);
        const double R = 1.0 + (double)(k / 9), *free = s.made.problem->v_star;
        const double u = (free[0] - free[4] / (24.0 * R)) / (1.0 + 1.0 / (24.0 * R * R));
        const double expected[6] = {u, 0.0, 0.0, 0.0, -u / R, 0.0};
        assert_int_equal(s.made.problem->nv, 6);
        for (size_t i = 0; i < 6; i++)
            assert_close(s.v[i], expected[i], 1e-12);
        release_solved(&s);
    }
}

static dls_properties describe_member(const char *set_name, size_t k)
{
    const dls_collection_set *set;
    dls_collected made;
    dls_properties f;
    dls_error error;
    size_t ignored;
    assert_status(dls_collection_find(set_name, &set, &ignored, &error), &error);
    assert_status(dls_collection_make(set, k, &made, &error), &error);
    assert_status(dls_properties_measure(made.problem, made.lambda, &f, &error), &error);
    dls_collected_release(&made);
    return f;
}

/* Each sphere of a pile but the first rests on three others or the ground; capsules of neighbouring layers cross. */
TEST(collection_heaps_touch)
{
    for (size_t k = 0; k < 20; k++) {
        const dls_properties f = describe_member("pile", k);
        assert_int_equal(f.velocities, 6 * (2 + 2 * k));
        assert_true(f.contacts >= 3 * (2 + 2 * k) - 3);
    }
    for (size_t k = 0; k < 32; k++) {
        const size_t layers = 2 + k % 4, across = 2 + k / 4 % 2;
        assert_int_equal(describe_member("capsules", k).contacts, 2 * across + (layers - 1) * across * across);
    }
}

/* The numbers of velocities and contacts that FCLIB states (fclib_families.c has the sources). */
TEST(collection_has_fclibs_dimensions)
{
    static const struct {
        const char *set;
        size_t k, velocities, least, most;
    } stated[] = {{"fclib-boxes", 0, 6, 4, 4},        {"fclib-boxes", 9, 300, 200, 200},
                  {"fclib-kaplas", 0, 72, 48, 48},    {"fclib-kaplas", 10, 792, 933, 1008},
                  {"fclib-capsules", 9, 300, 1, 200}, {"fclib-capsules", 0, 6, 0, 200},
                  {"fclib-chain", 0, 48, 8, 28},      {"fclib-chain", 2, 60, 8, 28},
                  {"fclib-chute", 0, 276, 74, 74},    {"fclib-chute-local", 0, 6, 1, 1}};
    for (size_t i = 0; i < sizeof stated / sizeof stated[0]; i++) {
        const dls_collection_set *set;
        dls_collected made;
        dls_error error;
        size_t ignored;
        assert_status(dls_collection_find(stated[i].set, &set, &ignored, &error), &error);
        assert_status(dls_collection_make(set, stated[i].k, &made, &error), &error);
        const size_t contacts = dls_problem_cones(made.problem);
        assert_int_equal(made.problem->nv, stated[i].velocities);
        assert_true(contacts >= stated[i].least && contacts <= stated[i].most);
        for (size_t r = 0; r < made.problem->n; r++)
            if (made.problem->mu[r] != 0.0)
                assert_true(made.problem->mu[r] == (strncmp(stated[i].set, "fclib-ch", 8) != 0  ? 0.7
                                                    : strcmp(stated[i].set, "fclib-chain") == 0 ? 0.3
                                                                                                : 1.0));
        dls_collected_release(&made);
    }
}

/* Boxes at rest on each other: every contact plane carries what stands above it. */
TEST(collection_boxes_carry_what_is_above)
{
    enum { BOXES = 5 };
    solved s = solve_member("fclib-boxes", 3);
    assert_below(fastest(&s, 0, s.made.problem->nv), 1e-10);
    for (size_t i = 0; i < BOXES; i++) {
        double all = 0.0;
        for (size_t c = 0; c < 4; c++)
            all += normal_impulse(&s, 4 * i + c);
        assert_close(all, (double)(BOXES - i) * 9.81 * s.made.problem->h, 1e-9 * s.made.problem->h);
    }
    release_solved(&s);
}

/* Eigenvalues k / n, of which a share is 0 instead: their number is the rank, their sum the trace. */
TEST(collection_has_the_spectrum_asked_for)
{
    for (size_t k = 0; k < 24; k++) {
        const size_t n = (size_t)4 << k % 6, zeros = n * (k / 6) / 4;
        const dls_properties f = describe_member("spectrum", k);
        dls_collected made;
        const dls_collection_set *set;
        dls_error error;
        size_t ignored;
        assert_int_equal(f.rows, n);
        assert_int_equal(f.rank, n - zeros);
        assert_status(dls_collection_find("spectrum", &set, &ignored, &error), &error);
        assert_status(dls_collection_make(set, k, &made, &error), &error);
        double trace = 0.0, *diagonal = calloc(3 * n, sizeof *diagonal);
        dls_problem_diagonal(made.problem, diagonal, diagonal + n);
        for (size_t i = 0; i < n; i++)
            trace += diagonal[i];
        assert_close(trace, (double)(n * (n + 1) - zeros * (zeros + 1)) / (double)(2 * n), 1e-12 * trace);
        free(diagonal);
        dls_collected_release(&made);
    }
}

/* Under facets, opposite directions of a tangent have opposite velocities before the step, and the rows of the slack
 * have b = 0, whatever solution was chosen. */
TEST(collection_facets_are_those_of_contacts)
{
    for (size_t k = 0; k < 24; k += 5) {
        const dls_collection_set *set;
        dls_collected made;
        dls_error error;
        size_t ignored;
        assert_status(dls_collection_find("facets", &set, &ignored, &error), &error);
        assert_status(dls_collection_make(set, k, &made, &error), &error);
        for (size_t i = 0; i < made.problem->n; i += 6) {
            const double *c = made.problem->c + i;
            assert_true(c[1] == -c[3] && c[2] == -c[4] && c[5] == 0.0);
        }
        dls_collected_release(&made);
    }
}

/* A = (1 a; a 1): the condition (1 + a) / (1 - a), the radius a^2 of Gauss-Seidel on both rows and 0 on one, one
 * degenerate row where lambda = (1, 0) has w = 0; and rank 1 for a = 1. */
TEST(collection_properties_of_two_rows_are_closed_forms)
{
    for (size_t k = 0; k < 3; k++) {
        const double a = k < 2 ? 0.5 : 1.0, lambda[2] = {1.0, k == 0 ? 1.0 : 0.0};
        const double A[4] = {1.0, a, a, 1.0}, b[2] = {-lambda[0] - a * lambda[1], -a * lambda[0] - lambda[1]};
        dls_problem *p;
        dls_properties f;
        dls_error error;
        assert_status(dls_problem_from_matrix(2, A, b, NULL, NULL, &p, &error), &error);
        assert_status(dls_properties_measure(p, lambda, &f, &error), &error);
        assert_int_equal(f.rows, 2);
        assert_true(f.symmetric && f.fill == 1.0);
        assert_int_equal(f.rank, k == 2 ? 1 : 2);
        assert_close(f.condition, k == 2 ? 1.0 : 3.0, 1e-14);
        assert_int_equal(f.degenerate, k == 0 ? 0 : 1);
        assert_close(f.complementary, k == 0 ? 1.0 : 0.0, 0.0);
        if (k < 2)
            assert_close(f.pgs_radius, k == 0 ? 0.25 : 0.0, 1e-14);
        dls_problem_destroy(p);
    }
}
