/* One contact under Coulomb's law, by what the law says: u = W lambda + q, lambda_n in [0, hi] complementary to u_n,
 * and the friction lambda_t within mu lambda_n, at its limit and against u_t where the contact slides. */
#include "delassus/solver_kit.h"

#include "check.h"

#include <float.h>
#include <string.h>

/* The linker sends the lengths that the method takes here (--wrap, in local.mk): one for each point of a curve that it
 * looks at, and three more for each curve. */
double __real_hypot(double x, double y);
double __wrap_hypot(double x, double y);
static size_t lengths;
double __wrap_hypot(double x, double y)
{
    lengths++;
    return __real_hypot(x, y);
}

enum { PROBLEMS = 4000 };

static unsigned long long state;
static double random_unit(void)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(state >> 11) / 9007199254740992.0;
}
static double random_sign(void) { return 2.0 * random_unit() - 1.0; }

/* W = G G^T, with a skew part that keeps it monotone. `coupling`: of normal and tangents. */
static void random_matrix(double W[3][3], double coupling, double skew)
{
    double G[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            G[i][k] = (i == 0) == (k == 0) ? random_sign() + (i == k ? 1.5 : 0.0) : coupling * random_sign();
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            W[i][j] = 0.0;
            for (int k = 0; k < 3; k++)
                W[i][j] += G[i][k] * G[j][k];
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++) {
            const double s = (j == 0 ? coupling : 1.0) * skew * random_sign();
            W[i][j] += s, W[j][i] -= s;
        }
}

typedef struct met {
    size_t open, stick, slide, full;
} met;

/* Velocities and impulses in another unit, near the ends of the range of a double: the same figures. */
static void check_units(const dls_contact_block *b, const double q[3], const double lambda[3])
{
    static const double units[] = {0x1p-900, 0x1p900};
    for (int k = 0; k < 2; k++) {
        dls_contact_block scaled = *b;
        const double unit = units[k], q_scaled[3] = {q[0] * unit, q[1] * unit, q[2] * unit};
        double found[3];
        scaled.hi *= unit;
        dls_contact_solve(&scaled, q_scaled, found);
        for (int i = 0; i < 3; i++)
            assert_true(found[i] == lambda[i] * unit);
    }
    for (int k = 0; k < 2; k++) { /* masses in another unit */
        const double unit = k ? 0x1p200 : 0x1p-200;
        dls_contact_block scaled = {.mu = b->mu, .hi = b->hi / unit};
        double found[3];
        for (int i = 0; i < 9; i++)
            scaled.W[i / 3][i % 3] = b->W[i / 3][i % 3] * unit;
        assert_true(dls_contact_block_prepare(&scaled));
        dls_contact_solve(&scaled, q, found);
        for (int i = 0; i < 3; i++)
            assert_true(found[i] == lambda[i] / unit);
    }
}

static void check_law(const dls_contact_block *b, const double q[3], met *seen)
{
    double lambda[3], u[3], scale = 0.0;
    dls_contact_solve(b, q, lambda);
    check_units(b, q, lambda);
    for (int i = 0; i < 3; i++) {
        u[i] = q[i];
        for (int j = 0; j < 3; j++) {
            u[i] += b->W[i][j] * lambda[j];
            scale = fmax(scale, fabs(b->W[i][j] * lambda[j]));
        }
        scale = fmax(scale, fabs(q[i]));
    }
    const double small = 1e-11 * scale; /* rounding leaves 1e-14 of it where W is well conditioned */
    const double most = b->mu * lambda[0], t = hypot(lambda[1], lambda[2]), slip = hypot(u[1], u[2]);
    assert_true(lambda[0] >= 0.0 && lambda[0] <= b->hi);
    assert_below(t, most * (1.0 + 1e-12));
    if (lambda[0] == 0.0) {
        assert_true(u[0] >= -small || b->hi == 0.0);
        assert_true(t == 0.0);
        seen->open++;
        return;
    }
    if (lambda[0] < b->hi)
        assert_close(u[0], 0.0, small);
    else
        assert_below(u[0], small);
    seen->full += lambda[0] == b->hi;
    if (slip <= small) {
        seen->stick++;
        return;
    }
    seen->slide++;
    assert_close(t, most, 1e-11 * most);
    assert_close(lambda[1] * u[2] - lambda[2] * u[1], 0.0, 1e-10 * (t + most) * slip + small * most);
    assert_below(lambda[1] * u[1] + lambda[2] * u[2], 0.0);
}

/* A block, and velocities: more often towards the contact than away from it, and up to `slip` along it. */
static void draw_contact(double coupling, double skew, double slip, double W[3][3], double q[3])
{
    random_matrix(W, coupling, skew);
    for (int i = 0; i < 3; i++)
        q[i] = i == 0 ? 1.5 * random_sign() - 0.8 : slip * random_sign();
}

static void run(double coupling, double skew, double mu, double hi, met *seen)
{
    for (size_t k = 0; k < PROBLEMS; k++) {
        dls_contact_block b = {.mu = mu < 0.0 ? 1.5 * random_unit() : mu, .hi = hi};
        double q[3];
        draw_contact(coupling, skew, 3.0, b.W, q);
        if (dls_contact_block_prepare(&b))
            check_law(&b, q, seen);
    }
}

/* Where a strong coupling meets a bound on the normal impulse, the law without the bound may have several solutions,
 * one of them beyond it; the last two cases hold such problems. */
static void test_law(void **unused)
{
    static const struct {
        double coupling, skew, mu, hi;
    } cases[] = {{1.0, 0.0, -1.0, HUGE_VAL}, {0.1, 0.0, -1.0, 0.3}, {1.0, 0.0, 0.0, HUGE_VAL},
                 {1.0, 0.3, 0.2, HUGE_VAL},  {1.0, 0.0, 0.7, 0.0},  {0.1, 0.3, 1.1, 0.5},
                 {1.0, 0.0, -1.0, 0.3},      {1.0, 0.3, 1.1, 0.5}};
    met seen = {0};
    (void)unused;
    state = 2385;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        run(cases[k].coupling, cases[k].skew, cases[k].mu, cases[k].hi, &seen);
    print_message("# %zu open, %zu stick, %zu slide, %zu at their greatest normal impulse\n", seen.open, seen.stick,
                  seen.slide, seen.full);
    assert_true(seen.open > 500 && seen.stick > 500 && seen.slide > 500 && seen.full > 500);
}

/* W = diag(2, 0.5, 0.5), q = (-3, x, 0): lambda_n = 1.5; it sticks up to 2 x = 1.5 mu, with lambda_t = -2 x. */
static void test_closed_form(void **unused)
{
    static const double slips[] = {-2.385, -0.31, -0.2, 0.0, 0.11, 0.299, 0.301, 1.7};
    (void)unused;
    for (size_t k = 0; k < sizeof slips / sizeof slips[0]; k++) {
        dls_contact_block b = {.W = {{2.0, 0.0, 0.0}, {0.0, 0.5, 0.0}, {0.0, 0.0, 0.5}}, .mu = 0.4, .hi = HUGE_VAL};
        const double q[3] = {-3.0, slips[k], 0.0}, most = 0.4 * 1.5;
        double lambda[3];
        assert_true(dls_contact_block_prepare(&b));
        dls_contact_solve(&b, q, lambda);
        assert_close(lambda[0], 1.5, 1e-15);
        assert_close(lambda[1], -fmax(-most, fmin(most, 2.0 * slips[k])), 1e-14);
        assert_close(lambda[2], 0.0, 1e-15);
    }
}

/* What has no unique answer by this way is not taken: a normal that moves nothing, tangents that are indefinite, with
 * the normal held or not. Small coupling is taken. */
#define LIMIT 0x1p-48  /* 16 eps, which is allowed for */
#define NEARLY 3.5e-15 /* just within the rounding of entries of size 1 */
static void test_prepare(void **unused)
{
    static const struct {
        double W[3][3];
        bool taken;
    } cases[] = {
        {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, true},
        {{{0, 0, 0}, {0, 1, 0}, {0, 0, 1}}, false},
        {{{0, 1, 1}, {-1, 1, 0}, {-1, 0, 1}}, false},
        {{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, false},
        {{{1, 0, 0}, {0, -0.1, 0}, {0, 0, 1}}, false},
        {{{1, 0, 0}, {0, 1, 0}, {0, 0, -0.1}}, false},
        {{{1, 0, 0}, {0, 1, 1.2}, {0, 1.2, 1}}, false},
        {{{1, 0, 0}, {0, 1, 0.9}, {0, 0.9, 1}}, true},
        {{{1, 0, 0}, {0, 1, 1}, {0, 1, 1}}, true},
        {{{1, 2, 0}, {2, 1, 0}, {0, 0, 1}}, false},
        {{{1, 0, 2}, {0, 1, 0}, {2, 0, 1}}, false},
        {{{1, 0.9, 0}, {0.9, 1, 0}, {0, 0, 1}}, true},
        {{{1, 2, 0}, {-2, 1, 0}, {0, 0, 1}}, true},
        {{{1, 2, 0}, {-2, -0.1, 0}, {0, 0, 1}}, false},
        {{{1, 0, 0}, {0, 1, 3}, {0, -3, 1}}, true},
        {{{4, 2, 0}, {2, 1 + 1e-3, 0}, {0, 0, 1}}, true},
        {{{4, 2, 0}, {2, 1 - 1e-3, 0}, {0, 0, 1}}, false},
        {{{4, 0, 2}, {0, 1, 0}, {2, 0, 1 - 1e-3}}, false},
        {{{1, 0, 0}, {0, 0, 0}, {0, 0, 0}}, true},
        {{{1, 0, 0}, {0, -NEARLY, 0}, {0, 0, -28 * NEARLY}}, false},
        {{{1, 0, 0}, {0, -28 * NEARLY, 0}, {0, 0, -NEARLY}}, false},
        {{{1, 0, 0}, {0, -NEARLY, 0}, {0, 0, -NEARLY}}, true},
        {{{1, 0, 0}, {0, -LIMIT, 0}, {0, 0, 1}}, true},
        {{{1, 0, 0}, {0, 1, 0}, {0, 0, -LIMIT}}, true},
        {{{1, 0, 0}, {0, -LIMIT * (1 + DBL_EPSILON), 0}, {0, 0, 1}}, false},
        {{{1, 0, 0}, {0, 1, 0}, {0, 0, -LIMIT * (1 + DBL_EPSILON)}}, false},
        {{{1, 0, 0}, {0, -LIMIT, LIMIT}, {0, LIMIT, 1}}, true},
        {{{1, 0, 0}, {0, -LIMIT, LIMIT * (1 + DBL_EPSILON)}, {0, LIMIT * (1 + DBL_EPSILON), 1}}, false},
    };
    (void)unused;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        dls_contact_block b = {.mu = 0.5, .hi = HUGE_VAL};
        memcpy(b.W, cases[k].W, sizeof b.W);
        if (dls_contact_block_prepare(&b) != cases[k].taken)
            fail_msg("matrix %zu: taken %d, expected %d", k, !cases[k].taken, cases[k].taken);
    }
}

/* A tangent that nothing moves (rank 2, with a pushed slip along it): it slides at the limit, or stays where q is 0. */
/* W = v v^T, whichever entry of v is the largest: what is left of it by rounding is no negative curvature. */
static void test_prepare_allows_for_rounding(void **unused)
{
    (void)unused;
    for (int draw = 0; draw < 600; draw++) {
        dls_contact_block b = {.mu = 0.5, .hi = HUGE_VAL};
        double v[3];
        for (int i = 0; i < 3; i++)
            v[i] = (0.5 + random_unit()) * (i == draw % 3 ? 1e4 : 1.0);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                b.W[i][j] = v[i] * v[j];
        assert_true(dls_contact_block_prepare(&b));
    }
}

static void test_singular(void **unused)
{
    (void)unused;
    dls_contact_block b = {.W = {{2.0, 0.0, 0.0}, {0.0, 0.5, 0.0}, {0.0, 0.0, 0.0}}, .mu = 0.4, .hi = HUGE_VAL};
    const double pushed[3] = {-3.0, 0.0, 0.7}, held[3] = {-3.0, 0.1, 0.0};
    double lambda[3];
    assert_true(dls_contact_block_prepare(&b));
    dls_contact_solve(&b, pushed, lambda);
    assert_close(lambda[0], 1.5, 1e-15);
    assert_close(lambda[2], -0.6, 1e-12);
    assert_close(lambda[1], 0.0, 1e-12);
    dls_contact_solve(&b, held, lambda);
    assert_close(lambda[1], -0.2, 1e-12);
    assert_close(lambda[2], 0.0, 1e-12);
}

/* Tangents that are coupled so that one combination of them moves nothing: what is pushed along the other sticks. The
 * solution is not unique, and w_t is 0 to rounding, also where q leaves the range of W by its rounding. */
static void test_singular_and_coupled(void **unused)
{
    static const double tangents[][3] = {{4.0, 1.0, 0.25}, {4.0, 2.0, 1.0}, {0.25, -1.0, 4.0}, {1e-3, 1e-2, 1e-1},
                                         {9.0, -6.0, 4.0}, {0.3, 0.3, 0.3}, {1.0, 1e-4, 1e-8}};
    (void)unused;
    for (size_t k = 0; k < sizeof tangents / sizeof tangents[0]; k++)
        for (double push = -0.2; push < 0.25; push += 0.1) {
            const double *t = tangents[k];
            dls_contact_block b = {
                .W = {{2.0, 0.0, 0.0}, {0.0, t[0], t[1]}, {0.0, t[1], t[2]}}, .mu = 0.4, .hi = HUGE_VAL};
            const double q[3] = {-3.0, push * t[0], push * t[1]};
            double lambda[3];
            assert_true(dls_contact_block_prepare(&b));
            dls_contact_solve(&b, q, lambda);
            assert_close(lambda[0], 1.5, 1e-15);
            assert_below(hypot(lambda[1], lambda[2]), 0.4 * 1.5);
            for (int i = 1; i < 3; i++)
                assert_close(q[i] + b.W[i][1] * lambda[1] + b.W[i][2] * lambda[2], 0.0, 1e-14);
        }
}

/* The least eigenvalue of the tangents, e along (1, -1), just beyond the limit of what is singular and at it: there
 * alpha is eps times the sum of the diagonal of W. Elimination leaves an error of eps / 4 in e + alpha. With the normal
 * impulse at its bound the curve is another one, of the same numbers. */
static void test_the_least_damping_of_nearly_singular_tangents(void **unused)
{
    static const double normals[] = {30.0, 0x1p-10}, bounds[] = {HUGE_VAL, 1.0};
    (void)unused;
    for (size_t n = 0; n < 2; n++)
        for (size_t h = 0; h < 2; h++)
            for (int singular = 0; singular < 2; singular++) {
                const double e = singular ? 0x1p-49 : 0x1p-48, r = 0.1 * e, off = 1.0 - e;
                dls_contact_block b = {
                    .W = {{normals[n], 0.0, 0.0}, {0.0, 1.0, off}, {0.0, off, 1.0}}, .mu = 0.4, .hi = bounds[h]};
                const double q[3] = {-1.5 * normals[n], r, -r},
                             alpha = singular ? DBL_EPSILON * (normals[n] + 2.0) : 0.0, t = r / (e + alpha);
                double lambda[3];
                assert_true(dls_contact_block_prepare(&b));
                dls_contact_solve(&b, q, lambda);
                assert_close(lambda[0], fmin(1.5, bounds[h]), 1e-15);
                assert_close(lambda[1], -t, (singular ? 0.05 : 1e-12) * t);
                assert_close(lambda[2], t, (singular ? 0.05 : 1e-12) * t);
            }
}

/* Tangents that turn what they push by a right angle, nearly: with the larger pivot the slip is 0 to the rounding of
 * its terms, whichever of the four entries is the largest. */
static void test_sticking_leaves_no_slip(void **unused)
{
    (void)unused;
    state = 12;
    for (size_t k = 0; k < PROBLEMS; k++) {
        const double turn = 3.0 * random_sign(), c = exp2(-50.0 * random_unit()), d = exp2(-50.0 * random_unit()),
                     off = sqrt(c * d) * random_sign();
        dls_contact_block b = {
            .W = {{2.0, 0.0, 0.0}, {0.0, c, off + turn}, {0.0, off - turn, d}}, .mu = 1e20, .hi = HUGE_VAL};
        const double q[3] = {-3.0, random_sign(), random_sign()};
        double lambda[3];
        assert_true(dls_contact_block_prepare(&b));
        dls_contact_solve(&b, q, lambda);
        for (int i = 1; i < 3; i++) {
            const double terms[] = {q[i], b.W[i][1] * lambda[1], b.W[i][2] * lambda[2]};
            assert_close(terms[0] + terms[1] + terms[2], 0.0,
                         8.0 * DBL_EPSILON * (fabs(terms[0]) + fabs(terms[1]) + fabs(terms[2])));
        }
    }
}

/* W_tt = [[c, off], [off, d]] as far beyond definite as rounding allows, 16 eps of the largest entry of the diagonal,
 * and just farther; off is the mean of both entries. */
static void test_how_much_rounding_is_allowed_for(void **unused)
{
    static const struct {
        double normal, c, d, off, units; /* of eps that off may be larger */
    } cases[] = {{1.0, 1.0, 1.0, 1.0, 16.0}, {4.0, 1.0, 1.0, 1.0, 64.0},  {1.0, 4.0, 1.0, 2.0, 80.0},
                 {1.0, 1.0, 4.0, 2.0, 80.0}, {0.5, 1.0, 0.25, 0.5, 20.0}, {16.0, 4.0, 4.0, 4.0, 256.0}};
    (void)unused;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        for (int beyond = 0; beyond < 2; beyond++)
            for (int skew = -1; skew <= 1; skew++) {
                const double off = cases[k].off + (beyond ? 1.1 : 0.9) * cases[k].units * DBL_EPSILON, s = 0.25 * skew;
                const dls_contact_block given = {
                    .W = {{cases[k].normal, 0.0, 0.0}, {0.0, cases[k].c, off + s}, {0.0, off - s, cases[k].d}},
                    .mu = 0.5,
                    .hi = HUGE_VAL};
                dls_contact_block b = given;
                if (dls_contact_block_prepare(&b) == beyond)
                    fail_msg("case %zu, beyond %d, skew %d", k, beyond, skew);
            }
}

/* S = W_tt - W_tn W_nt / W_nn, entry by entry, of a W that is not symmetric. */
static void test_the_tangents_with_the_normal_eliminated(void **unused)
{
    (void)unused;
    dls_contact_block b = {.W = {{4.0, 1.0, -2.0}, {3.0, 20.0, 5.0}, {0.5, 7.0, 30.0}}, .mu = 0.5, .hi = HUGE_VAL};
    assert_true(dls_contact_block_prepare(&b));
    assert_true(b.S[0][0] == 20.0 - 3.0 * 1.0 / 4.0 && b.S[0][1] == 5.0 + 3.0 * 2.0 / 4.0);
    assert_true(b.S[1][0] == 7.0 - 0.5 * 1.0 / 4.0 && b.S[1][1] == 30.0 + 0.5 * 2.0 / 4.0);
}

/* A bound just below the normal impulse that the law has without it: the solution is at the bound, to the bit, though
 * w_n there is 0 but for rounding. */
static void test_a_bound_just_below_the_solution_is_reached(void **unused)
{
    (void)unused;
    state = 99;
    size_t reached = 0;
    for (size_t k = 0; k < PROBLEMS; k++) {
        dls_contact_block b = {.mu = 1.5 * random_unit(), .hi = HUGE_VAL};
        double q[3], lambda[3];
        draw_contact(0.1, 0.0, 30.0, b.W, q);
        for (int i = 1; i < 3; i++) /* large velocities along the normal, which cancel */
            b.W[i][i] *= 4.0;
        if (!dls_contact_block_prepare(&b))
            continue;
        dls_contact_solve(&b, q, lambda);
        if (lambda[0] == 0.0)
            continue;
        b.hi = nextafter(lambda[0], 0.0);
        dls_contact_solve(&b, q, lambda);
        assert_true(lambda[0] == b.hi);
        reached++;
    }
    assert_true(reached > PROBLEMS / 4);
}

/* Newton's method: a few points of the curve for a contact that slides, one where it sticks, none where it is open. */
static void test_how_many_points_of_the_curve_are_looked_at(void **unused)
{
    (void)unused;
    state = 4;
    size_t sliding = 0, points = 0, most = 0;
    for (size_t k = 0; k < PROBLEMS; k++) {
        dls_contact_block b = {.mu = 1.5 * random_unit(), .hi = HUGE_VAL};
        double q[3], lambda[3];
        draw_contact(0.4, 0.0, 3.0, b.W, q);
        if (!dls_contact_block_prepare(&b))
            continue;
        lengths = 0;
        dls_contact_solve(&b, q, lambda);
        const double t = __real_hypot(lambda[1], lambda[2]);
        if (q[0] >= 0.0) {
            assert_int_equal(lengths, 0);
        } else if (t < b.mu * lambda[0] * (1.0 - 1e-9)) {
            assert_int_equal(lengths, 2); /* of s and of lambda_t */
        } else {
            sliding++, points += lengths;
            most = lengths > most ? lengths : most;
        }
    }
    print_message("# %zu lengths for %zu contacts that slide, %zu at most\n", points, sliding, most);
    assert_true(sliding > PROBLEMS / 4);
    assert_in_range(points, 6 * sliding, 10 * sliding);
    assert_in_range(most, 10, 60);
}

/* Where the law without the bound has several solutions, halving takes no more curves than a double has bits. */
static void test_how_many_curves_a_bound_takes(void **unused)
{
    (void)unused;
    state = 8;
    size_t halved = 0, most = 0;
    for (size_t k = 0; k < 4 * PROBLEMS; k++) {
        dls_contact_block b = {.mu = 1.1, .hi = 0.5};
        double q[3], lambda[3];
        draw_contact(1.0, 0.3, 3.0, b.W, q);
        if (!dls_contact_block_prepare(&b))
            continue;
        lengths = 0;
        dls_contact_solve(&b, q, lambda);
        if (lambda[0] == b.hi || lengths < 80)
            continue;
        halved++;
        most = lengths > most ? lengths : most;
    }
    print_message("# %zu contacts, at most %zu lengths\n", halved, most);
    assert_true(halved > 4);
    assert_in_range(most, 100, 54 * 14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_law),
        cmocka_unit_test(test_closed_form),
        cmocka_unit_test(test_prepare),
        cmocka_unit_test(test_singular),
        cmocka_unit_test(test_singular_and_coupled),
        cmocka_unit_test(test_prepare_allows_for_rounding),
        cmocka_unit_test(test_the_least_damping_of_nearly_singular_tangents),
        cmocka_unit_test(test_sticking_leaves_no_slip),
        cmocka_unit_test(test_how_much_rounding_is_allowed_for),
        cmocka_unit_test(test_the_tangents_with_the_normal_eliminated),
        cmocka_unit_test(test_a_bound_just_below_the_solution_is_reached),
        cmocka_unit_test(test_how_many_points_of_the_curve_are_looked_at),
        cmocka_unit_test(test_how_many_curves_a_bound_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
