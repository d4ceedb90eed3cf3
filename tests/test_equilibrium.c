/* Equilibria of dry joints, against closed forms that hold to the last bit, and against the motion of an arch.
 */
#include "check.h"

#include "delassus/reference.h"

#include <math.h>
#include <string.h>

static dls_equilibrium_verdict decide(const dls_structure *structure)
{
    dls_equilibrium *found;
    dls_error error;
    assert_status(dls_equilibrium_decide(structure, &found, &error), &error);
    const dls_equilibrium_verdict verdict = found->verdict;
    dls_equilibrium_destroy(found);
    return verdict;
}

/* A block on a slope that rises by 3 in 4, so that all its corners are integers. Its edge along the slope is 5 `wide`,
 * the other one 5 `high`. */
static dls_equilibrium_verdict place_block(double wide, double high, double mu)
{
    const double corner[8] = {0.0,         0.0,     4 * wide, 3 * wide, 4 * wide - 3 * high, 3 * wide + 4 * high,
                              -3.0 * high, 4 * high};
    const dls_structure_body bodies[2] = {{.corners = 4, .corner = corner}, {.corners = 0}};
    const dls_structure_joint joint = {.body = {0, 1}, .point = {{0.0, 0.0}, {4 * wide, 3 * wide}}, .mu = mu};
    return decide(&(dls_structure){2, 1, bodies, &joint, HUGE_VAL});
}

/* It holds up to tan = mu, and no further: the next double below 3/4 lets it slide. */
TEST(a_block_on_a_slope_slides_beyond_its_friction_angle)
{
    assert_int_equal(place_block(7.0, 3.0, 0.75), DLS_EQUILIBRIUM_EXISTS);
    assert_int_equal(place_block(7.0, 3.0, nextafter(0.75, 0.0)), DLS_EQUILIBRIUM_REFUTED);
}

/* It topples where its centre is beyond its lower edge, 3/4 high > wide. */
TEST(a_block_on_a_slope_topples_beyond_its_edge)
{
    assert_int_equal(place_block(3.0, 4.0, 2.0), DLS_EQUILIBRIUM_EXISTS);
    assert_int_equal(place_block(3.0, nextafter(4.0, 5.0), 2.0), DLS_EQUILIBRIUM_REFUTED);
}

/* Two cards lean against each other, with their lowest corners on the ground and their inner upper ones in touch. With
 * base to apex L (sin a, cos a) and thickness t the moment about the base gives the thrust H = W (tan a - t / L) / 2,
 * so that mu >= (tan a - t / L) / 2 at the base. Here L sin a = 3, L cos a = 4, t = 5/8, hence mu = (3/4 - 1/8) / 2. */
TEST(two_cards_need_half_the_tangent_of_their_lean)
{
    const double thick_x = -0.5, thick_z = 0.375; /* across the card, from the corner at its base */
    const double left[8] = {-3.0, 0.0, 0.0, 4.0, thick_x, 4.0 + thick_z, thick_x - 3.0, thick_z};
    const double right[8] = {3.0, 0.0, 3.0 - thick_x, thick_z, -thick_x, 4.0 + thick_z, 0.0, 4.0};
    const dls_structure_body bodies[3] = {{4, left}, {4, right}, {0, NULL}};
    for (int holds = 0; holds < 2; holds++) {
        const double mu = holds ? 0.3125 : nextafter(0.3125, 0.0);
        const dls_structure_joint joints[3] = {
            {.body = {0, 2}, .point = {{-3.0, 0.0}, {-3.0, 0.0}}, .normal = {0.0, 1.0}, .mu = mu},
            {.body = {1, 2}, .point = {{3.0, 0.0}, {3.0, 0.0}}, .normal = {0.0, 1.0}, .mu = mu},
            {.body = {1, 0}, .point = {{0.0, 4.0}, {0.0, 4.0}}, .normal = {1.0, 0.0}, .mu = mu},
        };
        assert_int_equal(decide(&(dls_structure){3, 3, bodies, joints, HUGE_VAL}),
                         holds ? DLS_EQUILIBRIUM_EXISTS : DLS_EQUILIBRIUM_REFUTED);
    }
}

/* --- arches --- */

enum { STONES_MAX = 40 };
typedef struct arch {
    double corner[STONES_MAX][8];
    dls_structure_body bodies[STONES_MAX + 1];
    dls_structure_joint joints[STONES_MAX + 1];
    dls_structure structure;
} arch;

/* A semicircle of mean radius 1 between two springers, of `stones` stones with radial joints. */
static void build_arch(arch *a, size_t stones, double thickness, double mu)
{
    const double inner = 1.0 - 0.5 * thickness, outer = 1.0 + 0.5 * thickness;
    a->structure = (dls_structure){stones + 1, stones + 1, a->bodies, a->joints, HUGE_VAL};
    a->bodies[stones] = (dls_structure_body){0, NULL};
    for (size_t k = 0; k <= stones; k++) {
        const double angle = M_PI * (double)k / (double)stones, x = -cos(angle), z = sin(angle);
        a->joints[k] = (dls_structure_joint){.body = {k < stones ? k : stones, k > 0 ? k - 1 : stones},
                                             .point = {{outer * x, outer * z}, {inner * x, inner * z}},
                                             .mu = mu};
        for (size_t end = 0; end < 2; end++) {
            const size_t stone = k - end;
            if (stone >= stones)
                continue;
            double *corner = a->corner[stone];
            const size_t out = end == 0 ? 6 : 4, in = end == 0 ? 0 : 2;
            corner[out] = outer * x, corner[out + 1] = outer * z;
            corner[in] = inner * x, corner[in + 1] = inner * z;
            a->bodies[stone] = (dls_structure_body){4, corner};
        }
    }
}

/* An inequality a H + b M >= c for the thrust at the crown of a symmetric arch, H horizontally with the moment M about
 * the centre of the circle. */
typedef struct thrust {
    double a, b, c;
} thrust;

/* The line of thrust of half the arch, in doubles: with the weight W and its first moment X from the crown to a joint
 * at the angle p, moments about its inner point r (sin p, cos p) are M - r cos p H >= W r sin p - X, and about its
 * outer point the other way round; r_inner H <= M <= r_outer H at the crown. */
static size_t thrust_inequalities(size_t stones, double thickness, thrust *list)
{
    const double inner = 1.0 - 0.5 * thickness, outer = 1.0 + 0.5 * thickness, step = M_PI / (double)stones;
    const double area = 0.5 * (outer * outer - inner * inner) * sin(step);
    const double centre = 2.0 / 3.0 * (pow(outer, 3.0) - pow(inner, 3.0)) / (outer * outer - inner * inner) *
                          cos(0.5 * step); /* of a trapezoid, from the centre of the circle */
    double weight = 0.0, moment = 0.0;
    size_t count = 0;
    list[count++] = (thrust){-inner, 1.0, 0.0}, list[count++] = (thrust){outer, -1.0, 0.0};
    for (size_t k = 1; k <= stones / 2; k++) {
        const double p = step * (double)k;
        weight += area, moment += area * centre * sin(p - 0.5 * step);
        list[count++] = (thrust){-inner * cos(p), 1.0, weight * inner * sin(p) - moment};
        list[count++] = (thrust){outer * cos(p), -1.0, moment - weight * outer * sin(p)};
    }
    return count;
}

/* Whether some (H, M) satisfies all: some pair of them intersects in such a point. */
static bool thrust_exists(size_t stones, double thickness)
{
    thrust list[STONES_MAX + 4];
    const size_t count = thrust_inequalities(stones, thickness, list);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++) {
            const double d = list[i].a * list[j].b - list[j].a * list[i].b;
            const double H = (list[i].c * list[j].b - list[j].c * list[i].b) / d,
                         M = (list[i].a * list[j].c - list[j].a * list[i].c) / d;
            size_t held = 0;
            for (size_t k = 0; k < count; k++)
                held += k == i || k == j || list[k].a * H + list[k].b * M >= list[k].c;
            if (held == count)
                return true;
        }
    return false;
}

static double critical_thickness(size_t stones)
{
    double low = 0.01, high = 0.3;
    for (int k = 0; k < 45; k++) {
        const double middle = 0.5 * (low + high);
        *(thrust_exists(stones, middle) ? &high : &low) = middle;
    }
    return high;
}

/* Under friction that no joint exceeds, the exact verdict changes where the line of thrust of the doubles leaves the
 * arch. Bisection and the sums of the doubles are right to 1e-12; corners are rounded to 1e-16. */
TEST(an_arch_stands_while_its_line_of_thrust_is_inside)
{
    static arch a;
    for (size_t stones = 6; stones <= STONES_MAX; stones += check_small() ? 17 : 1) {
        stones += stones % 2;
        const double critical = critical_thickness(stones), width = 1e-9;
        build_arch(&a, stones, critical + width, 2.0);
        assert_int_equal(decide(&a.structure), DLS_EQUILIBRIUM_EXISTS);
        build_arch(&a, stones, critical - width, 2.0);
        assert_int_equal(decide(&a.structure), DLS_EQUILIBRIUM_REFUTED);
    }
}

/* A thin arch collapses by hinges: every multiplier belongs to the end of a face, and none to sliding. Three equations
 * and a scale leave four multipliers of a vertex, the four hinges of J. Heyman's mechanism. A thick arch with little
 * friction slides instead. */
TEST(a_refuted_arch_has_the_mechanism_of_its_collapse)
{
    static arch a;
    for (int slides = 0; slides < 2; slides++) {
        build_arch(&a, 24, slides ? 0.3 : 0.09, slides ? 0.2 : 2.0);
        dls_equilibrium *found;
        dls_error error;
        assert_status(dls_equilibrium_decide(&a.structure, &found, &error), &error);
        assert_int_equal(found->verdict, DLS_EQUILIBRIUM_REFUTED);
        assert_int_equal(found->freedoms, 3);
        size_t hinges = 0, slips = 0;
        for (size_t i = 0; i < 4 * a.structure.n_joints; i++)
            *(i % 4 < 2 ? &hinges : &slips) += found->mechanism[i] > 0.0;
        assert_true(hinges + slips <= 4);
        assert_int_equal(slips > 0, slides);
        dls_equilibrium_destroy(found);
    }
}

/* Forces that exist balance each stone: their sum is its weight, and they are within the cones. */
TEST(forces_of_an_arch_balance_its_stones)
{
    static arch a;
    const size_t stones = 25;
    const double thickness = 0.15, mu = 0.8;
    build_arch(&a, stones, thickness, mu);
    dls_equilibrium *found;
    dls_error error;
    assert_status(dls_equilibrium_decide(&a.structure, &found, &error), &error);
    assert_int_equal(found->verdict, DLS_EQUILIBRIUM_EXISTS);
    const double step = M_PI / (double)stones, area = thickness * sin(step);
    for (size_t k = 0; k < stones; k++) {
        double x = 0.0, z = 0.0;
        for (size_t side = 0; side < 2; side++) { /* the joint on the left of the stone, then the one on its right */
            const double *f = found->force + 3 * (k + side), angle = step * (double)(k + side);
            const double sign = side == 0 ? 1.0 : -1.0, normal[2] = {sin(angle), cos(angle)};
            x += sign * ((f[0] + f[1]) * normal[0] + f[2] * normal[1]);
            z += sign * ((f[0] + f[1]) * normal[1] - f[2] * normal[0]);
            assert_true(f[0] >= 0.0 && f[1] >= 0.0 && fabs(f[2]) <= mu * (f[0] + f[1]));
        }
        assert_close(x, 0.0, 1e-14);
        assert_close(z, area, 1e-14);
    }
    dls_equilibrium_destroy(found);
}

/* A body that touches nothing cannot be held, and wrong input is named. */
TEST(structures_that_no_force_can_hold_or_that_are_wrong)
{
    const double corner[6] = {0.0, 0.0, 1.0, 0.0, 0.0, 1.0};
    const dls_structure_body bodies[2] = {{3, corner}, {0, NULL}};
    dls_structure_joint joint = {.body = {0, 1}, .mu = 1.0};
    dls_equilibrium *found;
    dls_error error;
    assert_int_equal(decide(&(dls_structure){2, 0, bodies, &joint, HUGE_VAL}), DLS_EQUILIBRIUM_REFUTED);
    assert_int_equal(dls_equilibrium_decide(&(dls_structure){2, 1, bodies, &joint, HUGE_VAL}, &found, &error),
                     DLS_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "no normal"));
    joint.normal[1] = 1.0, joint.mu = -1.0;
    assert_int_equal(dls_equilibrium_decide(&(dls_structure){2, 1, bodies, &joint, HUGE_VAL}, &found, &error),
                     DLS_BAD_ARGUMENT);
    joint.mu = 1.0, joint.body[1] = 2;
    assert_int_equal(dls_equilibrium_decide(&(dls_structure){2, 1, bodies, &joint, HUGE_VAL}, &found, &error),
                     DLS_BAD_ARGUMENT);
}

static void expect_refusal(const dls_structure *structure, const char *what)
{
    dls_equilibrium *found;
    dls_error error;
    assert_int_equal(dls_equilibrium_decide(structure, &found, &error), DLS_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, what));
}

/* A block below a ceiling falls. Nothing that would hold it there passes as a contact: a joint that pulls, since its
 * normal points away from the block, a weight upwards of corners that go clockwise, a body without area, or a joint of
 * the block with itself. */
TEST(no_structure_holds_a_block_below_a_ceiling)
{
    const double corner[8] = {0.0, 0.0, 3.0, 0.0, 3.0, 2.0, 0.0, 2.0}, clockwise[8] = {0, 0, 0, 2, 3, 2, 3, 0};
    dls_structure_body bodies[2] = {{4, corner}, {0, NULL}};
    dls_structure_joint joint = {.body = {0, 1}, .point = {{3.0, 2.0}, {0.0, 2.0}}, .mu = 0.7};
    const dls_structure structure = {2, 1, bodies, &joint, HUGE_VAL};
    assert_int_equal(decide(&structure), DLS_EQUILIBRIUM_REFUTED);
    for (size_t other = 0; other < 2; other++) { /* the block as body 0, and as body 1 */
        const dls_structure_joint pulls = {
            .body = {other, 1 - other}, .point = {{other ? 3.0 : 0.0, 2.0}, {other ? 0.0 : 3.0, 2.0}}, .mu = 0.7};
        expect_refusal(&(dls_structure){2, 1, bodies, &pulls, HUGE_VAL}, "is not on that side");
    }
    joint.body[1] = 0;
    expect_refusal(&structure, "connects body 0 to itself");
    joint.body[1] = 1;
    bodies[0].corner = clockwise;
    expect_refusal(&structure, "no positive area");
    bodies[0] = (dls_structure_body){2, corner};
    expect_refusal(&structure, "no positive area");
}

/* Two cards, of which the left one slips where its base is smooth, and no other joint does: the only mechanism, and
 * with more friction the only forces, are the same for normals of any length. */
TEST(normals_of_any_length_mean_the_same)
{
    const double left[8] = {-3.0, 0.0, 0.0, 4.0, -0.5, 4.375, -3.5, 0.375};
    const double right[8] = {3.0, 0.0, 3.5, 0.375, 0.5, 4.375, 0.0, 4.0};
    const dls_structure_body bodies[3] = {{4, left}, {4, right}, {0, NULL}};
    dls_equilibrium *found[2];
    dls_error error;
    for (int holds = 0; holds < 2; holds++) {
        for (int scaled = 0; scaled < 2; scaled++) {
            dls_structure_joint joints[3] = {
                {.body = {0, 2}, .point = {{-3.0, 0.0}, {-3.0, 0.0}}, .normal = {0.0, 1.0}},
                {.body = {1, 2}, .point = {{3.0, 0.0}, {3.0, 0.0}}, .normal = {0.0, scaled ? 1e-310 : 1.0}},
                {.body = {1, 0}, .point = {{0.0, 4.0}, {0.0, 4.0}}, .normal = {scaled ? 1e305 : 1.0, 0.0}},
            };
            for (size_t k = 0; k < 3; k++)
                joints[k].mu = holds || k > 0 ? 0.4 : 0.2;
            assert_status(
                dls_equilibrium_decide(&(dls_structure){3, 3, bodies, joints, HUGE_VAL}, &found[scaled], &error),
                &error);
            assert_int_equal(found[scaled]->verdict, holds ? DLS_EQUILIBRIUM_EXISTS : DLS_EQUILIBRIUM_REFUTED);
        }
        for (size_t i = 0; i < 9; i++)
            assert_close(found[1]->force[i], found[0]->force[i], 1e-15);
        for (size_t i = 0; i < 12; i++)
            assert_close(found[1]->mechanism[i], found[0]->mechanism[i], 1e-15);
        dls_equilibrium_destroy(found[0]), dls_equilibrium_destroy(found[1]);
    }
}

/* The limit of the work ends the search without a verdict. */
TEST(the_limit_of_work_leaves_an_arch_undecided)
{
    static arch a;
    build_arch(&a, 30, 0.09, 0.8);
    a.structure.most_work = 1.0;
    assert_int_equal(decide(&a.structure), DLS_EQUILIBRIUM_UNDECIDED);
}

/* A process of its own gives the same answer. */
TEST(an_arch_is_decided_alike_in_a_child)
{
    static arch a;
    dls_equilibrium *found[2];
    dls_error error;
    build_arch(&a, 12, 0.12, 0.8);
    for (int apart = 0; apart < 2; apart++) {
        dls_exact_apart(apart);
        assert_status(dls_equilibrium_decide(&a.structure, &found[apart], &error), &error);
    }
    dls_exact_apart(false);
    assert_int_equal(found[0]->verdict, found[1]->verdict);
    assert_memory_equal(found[0]->force, found[1]->force, 3 * a.structure.n_joints * sizeof(double));
    dls_equilibrium_destroy(found[0]), dls_equilibrium_destroy(found[1]);
}
