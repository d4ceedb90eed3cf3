/* The directions in which a contact can begin to slide: all of them, where two of them are near too.
 *
 * With k = 0, B = diag(b1, b2), E = mu d (b2 - b1) and u at the angle theta the equation of trajectory_disc.c is c2 cos
 * - c1 sin = E sin cos: the directions in which the normals of an ellipse meet the point c, four of them within its
 * evolute, two outside. The normals at theta1 and theta2, m = (theta1 + theta2) / 2, h = (theta2 - theta1) / 2, meet in
 *     c1 = -E cos(theta1) cos(theta2) cos(m) / cos(h),   c2 = E sin(theta1) sin(theta2) sin(m) / cos(h). */
#include "check.h"
#include "draws.h"

#include "delassus/math3.h"
#include "trajectory/parts.h"

typedef struct pair {
    double first, apart; /* theta1, theta2 - theta1 */
    double turn;         /* of the tangents against the axes of B */
    double mass, force;  /* units: B in 1 / mass, d in force */
} pair;

static const double stiffness[2] = {-1.0, -3.0};

/* The problem whose c is beyond the point where both normals meet by the factor `beyond`. */
static trajectory_disc disc_of(const pair *p, double beyond)
{
    const double mu = 0.7, E = mu * p->force * (stiffness[1] - stiffness[0]) / p->mass;
    const double a = p->first, b = p->first + p->apart, m = 0.5 * (a + b), h = cos(0.5 * p->apart);
    const double c[2] = {-beyond * E * cos(a) * cos(b) * cos(m) / h, beyond * E * sin(a) * sin(b) * sin(m) / h};
    const double C = cos(p->turn), S = sin(p->turn), R[2][2] = {{C, -S}, {S, C}};
    trajectory_disc disc = {.d = p->force, .mu = mu, .error = 2e-15};
    for (int i = 0; i < 2; i++) {
        disc.c[i] = R[i][0] * c[0] + R[i][1] * c[1];
        for (int j = 0; j < 2; j++)
            disc.B[i][j] = (R[i][0] * stiffness[0] * R[j][0] + R[i][1] * stiffness[1] * R[j][1]) / p->mass;
    }
    return disc;
}

static double angle_apart(double a, double b) { return fabs(remainder(a - b, 2.0 * DLS_PI)); }

/* The distance from an angle to the nearest direction, and whether that is decided. */
static double nearest_slide(const trajectory_slide *slide, size_t n, double angle, bool *decided)
{
    double least = HUGE_VAL;
    for (size_t k = 0; k < n; k++)
        if (angle_apart(slide[k].angle, angle) < least)
            least = angle_apart(slide[k].angle, angle), *decided = slide[k].decided;
    return least;
}

static void assert_pair(const pair *p)
{
    trajectory_slide slide[TRAJECTORY_SLIDES_MAX];
    trajectory_disc disc = disc_of(p, 1.0);
    const size_t n = trajectory_disc_slides(&disc, slide);
    const bool told = p->apart > 5e-7; /* T dips by about (apart / 4)^2 of its terms: 6e-14 at 1e-6, 6e-20 at 1e-9 */
    if (told)
        assert_int_equal(n, 4);
    for (int k = 0; k < 2; k++) {
        bool decided = false;
        const double off = nearest_slide(slide, n, p->first + k * p->apart + p->turn, &decided);
        assert_below(off, told ? 0.1 * p->apart : 1e-6);
        assert_true(decided == told);
    }
    disc = disc_of(p, 1.0 + fmax(p->apart * p->apart, 1e-6)); /* outside of the evolute */
    assert_int_equal(trajectory_disc_slides(&disc, slide), 2);
}

static const double distances[] = {0.3, 1e-2, 1e-4, 1e-6, 1e-9};

TEST(test_near_pairs)
{
    for (size_t i = 0; i < sizeof distances / sizeof distances[0]; i++)
        for (int turn = 0; turn < 24; turn++)
            for (int unit = -1; unit <= 1; unit++)
                assert_pair(&(pair){.first = 0.6,
                                    .apart = distances[i],
                                    .turn = 0.3 + turn * DLS_PI / 12.0,
                                    .mass = pow(10.0, 6.0 * unit),
                                    .force = pow(10.0, 3.0 * unit)});
}

/* --- the verdict --- */

/* The same problem as one of a normal row and a disc: A_nn = 1, A_nt = 0, and A_tn = h, with which A_tt = B, b_n = -d
 * and b_t = c - h d. */
static void count_solutions(const pair *p, double beyond, size_t *solutions, size_t *undecided)
{
    const trajectory_disc disc = disc_of(p, beyond);
    const double h[2] = {0.4 / p->mass, -0.2 / p->mass};
    dls_arena memory = {0};
    dls_error error;
    trajectory_modes modes = {.n = 3};
    assert_status(trajectory_modes_create(&modes, 3, &memory, &error), &error);
    modes.choice[0] = (trajectory_choice){.law = TRAJECTORY_CHOICE_UNILATERAL, .row = 0};
    modes.choice[1] = (trajectory_choice){.law = TRAJECTORY_CHOICE_DISC, .row = 1, .parent = 0, .mu = disc.mu};
    modes.choice[2] = (trajectory_choice){.law = TRAJECTORY_CHOICE_SECOND, .row = 2, .parent = 0, .mu = disc.mu};
    modes.A[0] = 1.0 / p->mass, modes.b[0] = -disc.d / p->mass;
    for (int i = 0; i < 2; i++) {
        modes.A[1 + i] = h[i], modes.b[1 + i] = disc.c[i] - h[i] * disc.d;
        for (int j = 0; j < 2; j++)
            modes.A[1 + i + 3 * (1 + j)] = disc.B[i][j];
    }
    double z[3];
    assert_status(trajectory_modes_solve(&modes, z, &error), &error);
    *solutions = modes.solutions, *undecided = modes.undecided;
    dls_arena_release(&memory);
}

TEST(test_near_pairs_are_several_or_undecided)
{
    for (size_t i = 0; i < sizeof distances / sizeof distances[0]; i++)
        for (int turn = 0; turn < 7; turn++)
            for (int unit = -1; unit <= 1; unit++) {
                const pair p = {.first = 0.6,
                                .apart = distances[i],
                                .turn = turn,
                                .mass = pow(10.0, 6.0 * unit),
                                .force = pow(10.0, 3.0 * unit)};
                size_t with, without, undecided, none;
                count_solutions(&p, 1.0, &with, &undecided);
                count_solutions(&p, 1.0 + fmax(p.apart * p.apart, 1e-6), &without, &none);
                assert_int_equal(none, 0);
                if (p.apart > 5e-7) {
                    assert_int_equal(undecided, 0);
                    assert_int_equal(with, without + 2);
                } else
                    assert_true(undecided > 0);
            }
}

/* --- any coefficients --- */

/* T at the angle, as it is written. */
static double equation_at(const trajectory_disc *of, double angle)
{
    const double u[2] = {cos(angle), sin(angle)}, n[2] = {-u[1], u[0]};
    double bent = 0.0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            bent += n[i] * of->B[i][j] * u[j];
    return (1.0 + of->mu * (of->k[0] * u[0] + of->k[1] * u[1])) * (n[0] * of->c[0] + n[1] * of->c[1]) -
           of->mu * of->d * bent;
}

/* Every change of sign on a fine grid is a direction, where its normal force pushes. */
TEST(test_no_direction_is_missed)
{
    enum { GRID = 2000 };
    for (int problem = 0; problem < 300; problem++) {
        draw_seed((uint64_t)problem);
        trajectory_slide slide[TRAJECTORY_SLIDES_MAX];
        trajectory_disc of = {.d = uniform(0.1, 2.0), .mu = uniform(0.1, 1.5), .error = 2e-15};
        for (int i = 0; i < 2; i++) {
            of.c[i] = uniform(-1.0, 1.0), of.k[i] = uniform(-1.0, 1.0);
            for (int j = 0; j < 2; j++)
                of.B[i][j] = uniform(-1.0, 1.0);
        }
        const size_t n = trajectory_disc_slides(&of, slide);
        for (size_t k = 0; k < n; k++) {
            assert_below(fabs(equation_at(&of, slide[k].angle)), 1e-14);
            const double normal = of.d + of.k[0] * slide[k].z[0] + of.k[1] * slide[k].z[1];
            assert_below(fabs(hypot(slide[k].z[0], slide[k].z[1]) - of.mu * normal), 1e-12 * (1.0 + fabs(normal)));
        }
        for (int g = 0; g < GRID; g++) {
            const double from = 2.0 * DLS_PI * g / GRID, to = 2.0 * DLS_PI * (g + 1) / GRID;
            const double share = 1.0 + of.mu * (of.k[0] * cos(from) + of.k[1] * sin(from));
            if ((equation_at(&of, from) > 0.0) == (equation_at(&of, to) > 0.0) || share < 0.1)
                continue;
            bool decided;
            assert_below(nearest_slide(slide, n, 0.5 * (from + to), &decided), 2.0 * DLS_PI / GRID);
        }
    }
}

/* A contact that nothing pushes aside begins to slide in no direction, if friction acts against every motion. */
TEST(test_no_push)
{
    trajectory_slide slide[TRAJECTORY_SLIDES_MAX];
    trajectory_disc of = {.B = {{2.0, 0.0}, {0.0, 2.0}}, .d = 1.0, .mu = 0.5, .error = 2e-15};
    assert_int_equal(trajectory_disc_slides(&of, slide), 0);
    of.B[0][0] = of.B[1][1] = -2.0; /* friction moves the contact along itself: any direction */
    assert_int_equal(trajectory_disc_slides(&of, slide), 1);
    assert_false(slide[0].decided);
}
