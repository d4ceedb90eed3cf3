/* Certificates of friction that follows the normal impulse: against solutions that are refined to 70 digits in rational
 * arithmetic and obey Coulomb's law to 60; a wrong answer has no certificate that it is in. */
#include "cones.h"
#include "problems.h"

#include "exact/rational.h"
#include "failing_memory.h"
#include "sharpness.h"

#include <float.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>
#include <string.h>

enum { CONTACTS_MAX = 3, ROWS_MAX = 3 * CONTACTS_MAX, BITS = 280 };

/* A solution whose states are known: of each contact, and of lambda_n at 0 or at its upper bound. */
typedef struct exact {
    const dls_problem *p;
    slong n;
    fmpq_mat_t A, b, lambda, w;
    regime state[CONTACTS_MAX];
} exact;

static fmpq *at(fmpq_mat_t m, slong i, slong j) { return fmpq_mat_entry(m, i, j); }

static void exact_init(exact *e, const dls_problem *p)
{
    double unit[ROWS_MAX] = {0};
    e->p = p, e->n = (slong)p->n;
    fmpq_mat_init(e->A, e->n, e->n);
    fmpq_mat_init(e->b, e->n, 1), fmpq_mat_init(e->lambda, e->n, 1), fmpq_mat_init(e->w, e->n, 1);
    for (slong i = 0; i < e->n; i++) {
        for (slong j = 0; j < e->n; j++) {
            unit[j] = 1.0;
            dls_rational_set(at(e->A, i, j), dls_rows_dot(&p->J, (size_t)i, unit)); /* one entry: exact */
            unit[j] = 0.0;
        }
        dls_rational_set(at(e->b, i, 0), -p->c[i]);
    }
}

static void exact_clear(exact *e)
{
    fmpq_mat_clear(e->A), fmpq_mat_clear(e->b), fmpq_mat_clear(e->lambda), fmpq_mat_clear(e->w);
}

/* x rounded to BITS bits after the point, in units of 2^-`shift`. */
static void round_down(fmpq_t x, slong shift)
{
    fmpz_t whole;
    fmpz_init(whole);
    fmpq_mul_2exp(x, x, (flint_bitcnt_t)(BITS + 400));
    if (shift)
        fmpq_div_2exp(x, x, (flint_bitcnt_t)shift);
    fmpz_fdiv_q(whole, fmpq_numref(x), fmpq_denref(x));
    fmpq_set_fmpz(x, whole);
    if (shift)
        fmpq_mul_2exp(x, x, (flint_bitcnt_t)shift);
    fmpq_div_2exp(x, x, (flint_bitcnt_t)(BITS + 400));
    fmpz_clear(whole);
}

static void speeds(exact *e)
{
    fmpq_mat_mul(e->w, e->A, e->lambda);
    fmpq_mat_add(e->w, e->w, e->b);
}

/* Equations of contact c: values and derivatives. */
static void equations(exact *e, size_t c, fmpq_mat_t f, fmpq_mat_t D)
{
    const slong n = 3 * (slong)c, x = n + 1, y = n + 2;
    fmpq_t mu, mu2, t;
    fmpq_init(mu), fmpq_init(mu2), fmpq_init(t);
    dls_rational_set(mu, e->p->mu[n + 1]);
    fmpq_mul(mu2, mu, mu);
    const regime r = e->state[c];
    for (slong i = n; i < n + 3; i++)
        for (slong j = 0; j < e->n; j++)
            fmpq_zero(at(D, i, j));
    for (slong i = n; i < n + 3; i++) {
        bool held = r == OPEN || (r == FULL && i == n), speed = r == STICK || (r == SLIDE && i == n);
        if (held) {
            fmpq_one(at(D, i, i));
            dls_rational_set(t, r == OPEN ? 0.0 : e->p->hi[n]);
            fmpq_sub(at(f, i, 0), at(e->lambda, i, 0), t);
        } else if (speed) {
            fmpq_set(at(f, i, 0), at(e->w, i, 0));
            for (slong j = 0; j < e->n; j++)
                fmpq_set(at(D, i, j), at(e->A, i, j));
        }
    }
    if (r == SLIDE || r == FULL) {
        fmpq_mul(at(f, x, 0), at(e->w, x, 0), at(e->lambda, y, 0));
        fmpq_submul(at(f, x, 0), at(e->w, y, 0), at(e->lambda, x, 0));
        for (slong j = 0; j < e->n; j++) {
            fmpq_mul(at(D, x, j), at(e->A, x, j), at(e->lambda, y, 0));
            fmpq_submul(at(D, x, j), at(e->A, y, j), at(e->lambda, x, 0));
        }
        fmpq_add(at(D, x, y), at(D, x, y), at(e->w, x, 0));
        fmpq_sub(at(D, x, x), at(D, x, x), at(e->w, y, 0));
        fmpq_mul(at(f, y, 0), at(e->lambda, x, 0), at(e->lambda, x, 0));
        fmpq_addmul(at(f, y, 0), at(e->lambda, y, 0), at(e->lambda, y, 0));
        fmpq_mul(t, mu2, at(e->lambda, n, 0));
        fmpq_submul(at(f, y, 0), t, at(e->lambda, n, 0));
        fmpq_mul_2exp(at(D, y, x), at(e->lambda, x, 0), 1);
        fmpq_mul_2exp(at(D, y, y), at(e->lambda, y, 0), 1);
        fmpq_mul_2exp(t, t, 1);
        fmpq_neg(at(D, y, n), t);
    }
    fmpq_clear(mu), fmpq_clear(mu2), fmpq_clear(t);
}

static double size_of(const fmpq_t x) { return fabs(dls_rational_get(x, DLS_ROUND_AWAY)); }

/* Coulomb's law to 60 digits of the sizes of its terms, with strict signs. */
static bool obeys(exact *e, double digits)
{
    bool right = true;
    double unit_l = 0.0, unit_w = 0.0;
    for (slong i = 0; i < e->n; i++) {
        unit_l = fmax(unit_l, size_of(at(e->lambda, i, 0)));
        unit_w = fmax(unit_w, fmax(size_of(at(e->w, i, 0)), size_of(at(e->b, i, 0))));
    }
    fmpq_t s, t, mu;
    fmpq_init(s), fmpq_init(t), fmpq_init(mu);
    for (slong n = 0; n < e->n; n += 3) {
        const fmpq *l = at(e->lambda, n, 0), *w = at(e->w, n, 0);
        const regime r = e->state[n / 3];
        dls_rational_set(mu, e->p->mu[n + 1]);
        for (slong i = n; i < n + 3; i++)
            if (r == STICK || (r == SLIDE && i == n))
                right = right && size_of(at(e->w, i, 0)) <= digits * unit_w;
        if (r == OPEN) {
            right = right && fmpq_sgn(w) > 0;
            continue;
        }
        right = right && fmpq_sgn(l) > 0 && (r != FULL || fmpq_sgn(w) < 0);
        fmpq_mul(s, at(e->lambda, n + 1, 0), at(e->lambda, n + 1, 0));
        fmpq_addmul(s, at(e->lambda, n + 2, 0), at(e->lambda, n + 2, 0));
        fmpq_mul(t, mu, l);
        fmpq_mul(t, t, t);
        fmpq_sub(s, s, t); /* |lambda_t|^2 - mu^2 lambda_n^2 */
        if (r == STICK) {
            right = right && fmpq_sgn(s) < 0 && size_of(s) > digits * unit_l * unit_l;
            continue;
        }
        right = right && size_of(s) <= digits * unit_l * unit_l;
        fmpq_mul(s, at(e->w, n + 1, 0), at(e->lambda, n + 2, 0));
        fmpq_submul(s, at(e->w, n + 2, 0), at(e->lambda, n + 1, 0));
        right = right && size_of(s) <= digits * unit_l * unit_w;
        fmpq_mul(s, at(e->w, n + 1, 0), at(e->lambda, n + 1, 0));
        fmpq_addmul(s, at(e->w, n + 2, 0), at(e->lambda, n + 2, 0));
        right = right && fmpq_sgn(s) < 0;
    }
    fmpq_clear(s), fmpq_clear(t), fmpq_clear(mu);
    return right;
}

/* Newton's method with these states from lambda; whether it ends at a solution. */
static bool exact_solve(exact *e, const double *lambda)
{
    fmpq_mat_t f, D, step;
    bool regular = true;
    fmpq_mat_init(f, e->n, 1), fmpq_mat_init(D, e->n, e->n), fmpq_mat_init(step, e->n, 1);
    for (slong i = 0; i < e->n; i++)
        dls_rational_set(at(e->lambda, i, 0), lambda[i]);
    for (int count = 0; count < 9 && regular; count++) {
        speeds(e);
        for (slong c = 0; c < e->n / 3; c++)
            equations(e, (size_t)c, f, D);
        regular = fmpq_mat_solve_fraction_free(step, D, f);
        if (!regular)
            break;
        fmpq_mat_sub(e->lambda, e->lambda, step);
        for (slong i = 0; i < e->n; i++)
            round_down(at(e->lambda, i, 0), 0);
    }
    speeds(e);
    fmpq_mat_clear(f), fmpq_mat_clear(D), fmpq_mat_clear(step);
    return regular && obeys(e, 1e-60);
}

/* |x - q| <= radius + 1e-60 size, exactly enough. */
static bool within(double x, const fmpq_t q, double radius, double size)
{
    fmpq_t d, r;
    fmpq_init(d), fmpq_init(r);
    dls_rational_set(d, x);
    fmpq_sub(d, d, q);
    fmpq_abs(d, d);
    dls_rational_set(r, isfinite(radius) ? radius : 0.0);
    fmpq_sub(d, d, r);
    bool inside = isinf(radius) || fmpq_sgn(d) <= 0 || size_of(d) <= 1e-60 * size;
    fmpq_clear(d), fmpq_clear(r);
    return inside;
}

static bool lies_within(exact *e, const double *lambda, const dls_bounds *bounds)
{
    bool inside = true;
    double size = 0.0;
    for (slong i = 0; i < e->n; i++)
        size = fmax(size, fmax(size_of(at(e->lambda, i, 0)), size_of(at(e->b, i, 0))));
    fmpq_mat_t x, w, z;
    fmpq_mat_init(x, e->n, 1), fmpq_mat_init(w, e->n, 1), fmpq_mat_init(z, 1, 1);
    for (slong i = 0; i < e->n; i++) {
        inside = inside && within(lambda[i], at(e->lambda, i, 0), bounds->radius_lambda[i], size);
        dls_rational_set(at(x, i, 0), lambda[i]);
    }
    fmpq_mat_sub(x, x, e->lambda);
    fmpq_mat_mul(w, e->A, x);
    for (slong i = 0; i < e->n; i++) {
        inside = inside && within(0.0, at(w, i, 0), bounds->radius_w[i], size);
        fmpq_addmul(at(z, 0, 0), at(w, i, 0), at(x, i, 0));
    }
    if (isfinite(bounds->velocity))
        inside = inside && sqrt(size_of(at(z, 0, 0))) <= bounds->velocity * (1.0 + 1e-15) + 1e-60 * size;
    fmpq_mat_clear(x), fmpq_mat_clear(w), fmpq_mat_clear(z);
    return inside;
}

/* --- problems --- */

/* Close to the edge of two states by `edge`, 1 for far. */
static double choose(gsl_rng *rng, regime r, double mu, double edge, double lambda[3], double w[3])
{
    double angle = gsl_ran_flat(rng, 0.0, 6.28), size = gsl_ran_flat(rng, 1.0, 2.0), speed = edge,
           share = r == STICK ? 1.0 - 0.6 * edge : 1.0;
    lambda[0] = r == OPEN ? 0.0 : size;
    lambda[1] = r == OPEN ? 0.0 : share * mu * size * cos(angle);
    lambda[2] = r == OPEN ? 0.0 : share * mu * size * sin(angle);
    w[0] = r == OPEN ? speed : r == FULL ? -speed : 0.0;
    w[1] = r == OPEN ? gsl_ran_gaussian(rng, 1.0) : r == STICK ? 0.0 : -speed * cos(angle);
    w[2] = r == OPEN ? gsl_ran_gaussian(rng, 1.0) : r == STICK ? 0.0 : -speed * sin(angle);
    return r == FULL ? size : HUGE_VAL;
}

typedef struct drawn {
    dls_problem *p;
    double lambda[ROWS_MAX];
    regime state[CONTACTS_MAX];
} drawn;

static const regime regimes[] = {STICK, SLIDE, OPEN, FULL};

/* G G^T + `least`, and sometimes a skew part; in some unit of impulses and velocities. */
static void draw(gsl_rng *rng, size_t contacts, double edge, double least, drawn *d)
{
    const size_t n = 3 * contacts;
    double A[ROWS_MAX * ROWS_MAX], G[ROWS_MAX * ROWS_MAX], b[ROWS_MAX], w[ROWS_MAX], hi[ROWS_MAX], mu[CONTACTS_MAX];
    double unit = gsl_rng_uniform(rng) < 0.3 ? pow(10.0, gsl_ran_flat(rng, -12.0, 12.0)) : 1.0,
           skew = gsl_rng_uniform(rng) < 0.2 ? 0.3 : 0.0;
    dls_error error;
    for (size_t k = 0; k < n * n; k++)
        G[k] = gsl_ran_gaussian(rng, 1.0);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            A[i + n * j] = (i == j ? least : 0.0) + skew * (G[i + n * j] - G[j + n * i]);
            for (size_t k = 0; k < (least < 0.1 ? (n + 1) / 2 : n); k++)
                A[i + n * j] += G[i + n * k] * G[j + n * k];
        }
    for (size_t c = 0; c < contacts; c++) {
        d->state[c] = regimes[gsl_rng_uniform_int(rng, 4)];
        mu[c] = gsl_ran_flat(rng, 0.1, 0.8);
        hi[3 * c] = unit * choose(rng, d->state[c], mu[c], edge, d->lambda + 3 * c, w + 3 * c);
        hi[3 * c + 1] = hi[3 * c + 2] = HUGE_VAL;
    }
    for (size_t i = 0; i < n; i++) {
        b[i] = w[i];
        for (size_t j = 0; j < n; j++)
            b[i] -= A[i + n * j] * d->lambda[j];
        b[i] *= unit;
    }
    for (size_t i = 0; i < n; i++)
        d->lambda[i] *= unit;
    d->p = problem_from_matrix(n, A, b, NULL, hi);
    for (size_t c = 0; c < contacts; c++)
        dls_problem_make_cone(d->p, 3 * c, mu[c]);
    assert_status(dls_problem_check(d->p, &error), &error);
}

/* Whether a solution with some states lies within the radii. */
static bool some_lies_within(exact *e, const double *lambda, const dls_bounds *bounds)
{
    size_t contacts = e->p->n / 3, sets = (size_t)1 << (2 * contacts);
    for (size_t set = 0; set < sets; set++) {
        bool possible = true;
        for (size_t c = 0; c < contacts; c++) {
            e->state[c] = regimes[set >> (2 * c) & 3];
            possible = possible && (e->state[c] != FULL || isfinite(e->p->hi[3 * c]));
        }
        if (possible && exact_solve(e, lambda) && lies_within(e, lambda, bounds))
            return true;
    }
    return false;
}

typedef struct tally {
    size_t answers, proved, elsewhere;
    sharpness sharp;
} tally;

static void check(const drawn *d, const double *lambda, tally *count)
{
    exact e;
    dls_bounds bounds;
    dls_error error;
    assert_status(dls_certify(d->p, lambda, &bounds, &error), &error);
    count->answers++;
    add_sharpness(&count->sharp, d->p->n, &bounds);
    assert_string_not_equal(bounds.text, "");
    if (bounds.kind == DLS_BOUNDS_ACTIVE_SET) {
        exact_init(&e, d->p);
        memcpy(e.state, d->state, sizeof e.state);
        bool found = exact_solve(&e, d->lambda) && lies_within(&e, lambda, &bounds);
        count->proved++;
        if (!found) {
            found = some_lies_within(&e, lambda, &bounds);
            count->elsewhere++;
        }
        if (!found)
            fail_msg("no solution lies within the radii: %s", bounds.text);
        exact_clear(&e);
        assert_false(bounds.unique);
    }
    dls_bounds_release(&bounds);
}

static void disturb(gsl_rng *rng, const drawn *d, double *lambda)
{
    double far = pow(10.0, gsl_ran_flat(rng, -17.0, 0.5));
    unsigned long way = gsl_rng_uniform_int(rng, 5), row = gsl_rng_uniform_int(rng, d->p->n);
    for (size_t i = 0; i < d->p->n; i++)
        lambda[i] = way == 0   ? d->lambda[i]
                    : way == 1 ? d->lambda[i] * (1.0 + far)
                    : way == 2 ? d->lambda[i] + (i == row ? far : 0.0)
                    : way == 3 ? d->lambda[i] + far * fabs(d->lambda[i]) * gsl_ran_gaussian(rng, 1.0)
                               : 2.0 * gsl_rng_uniform(rng);
}

static const sharpness_floor floors[] = {
    {"contacts", {100, 0, 28, 14, 14, 14, 16}, {90, 0, 20, 5, 3, 4, 11}},
    {"contacts at the edge of two states", {100, 0, 23, 10, 9, 10, 15}, {81, 0, 12, -2, -3, -2, 6}},
    {"nearly singular contacts", {100, 0, 28, 13, 14, 13, 16}, {90, 0, 20, 4, 3, 4, 11}},
};

/* Far from the edge of two states every answer near the solution is certified, and no other is. */
static void run(const char *name, size_t problems, bool edges, double least)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    tally good = {0}, any = {0};
    for (size_t k = 0; k < problems; k++) {
        drawn d;
        double lambda[ROWS_MAX];
        const double edge = edges ? pow(10.0, gsl_ran_flat(rng, -18.0, 0.0)) : 0.7;
        draw(rng, 1 + gsl_rng_uniform_int(rng, CONTACTS_MAX), edge, least, &d);
        check(&d, d.lambda, &good);
        for (int way = 0; way < 4; way++) {
            disturb(rng, &d, lambda);
            check(&d, lambda, &any);
        }
        dls_problem_destroy(d.p);
    }
    print_message("# %s: %zu of %zu solutions, %zu of %zu others are certified, %zu near another solution\n", name,
                  good.proved, good.answers, any.proved, any.answers, good.elsewhere + any.elsewhere);
    if (!edges && least > 0.1)
        assert_int_equal(good.proved, good.answers);
    assert_true(good.proved > problems / 4);
    report_sharpness(floors, sizeof floors / sizeof floors[0], name, &good.sharp, &any.sharp);
    gsl_rng_free(rng);
}

TEST(test_contacts) { run("contacts", 150, false, 0.5); }

TEST(test_edges_of_states) { run("contacts at the edge of two states", 150, true, 0.5); }

TEST(test_nearly_singular) { run("nearly singular contacts", 150, false, 1e-11); }

/* The problem with A in units of `of_A`, impulses in units of `of_lambda`, and contact c in units of its own, s[c]:
 * A' = of_A S A S, lambda' = of_lambda S^-1 lambda, w' = of_A of_lambda S w. */
static dls_problem *in_units(const dls_problem *p, double of_A, double of_lambda, const double *s)
{
    double A[ROWS_MAX * ROWS_MAX], b[ROWS_MAX], hi[ROWS_MAX], unit[ROWS_MAX] = {0};
    for (size_t i = 0; i < p->n; i++) {
        for (size_t j = 0; j < p->n; j++) {
            unit[j] = 1.0;
            A[i + p->n * j] = dls_rows_dot(&p->J, i, unit) * of_A * s[i / 3] * s[j / 3];
            unit[j] = 0.0;
        }
        b[i] = -p->c[i] * of_A * of_lambda * s[i / 3];
        hi[i] = i % 3 == 0 ? p->hi[i] * of_lambda / s[i / 3] : HUGE_VAL;
    }
    dls_problem *q = problem_from_matrix(p->n, A, b, NULL, hi);
    for (size_t c = 0; c < p->n / 3; c++)
        dls_problem_make_cone(q, 3 * c, p->mu[3 * c + 1]);
    return q;
}

/* In other units, powers of two (of A: of four, so that the units of H are powers of two), the same is proved, to the
 * last bit. */
TEST(test_units)
{
    enum { PROBLEMS = 300, RANGE = 120 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    size_t proved = 0;
    for (size_t k = 0; k < PROBLEMS; k++) {
        drawn d;
        double lambda[ROWS_MAX], other[ROWS_MAX], s[CONTACTS_MAX];
        dls_bounds bounds, others;
        dls_error error;
        draw(rng, 1 + gsl_rng_uniform_int(rng, CONTACTS_MAX), k % 2 ? 0.7 : pow(10.0, gsl_ran_flat(rng, -18.0, 0.0)),
             k % 3 ? 0.5 : 1e-11, &d);
        const double of_A = ldexp(1.0, 2 * (int)gsl_ran_flat(rng, -RANGE, RANGE)),
                     of_lambda = ldexp(1.0, (int)gsl_ran_flat(rng, -RANGE, RANGE));
        for (size_t c = 0; c < CONTACTS_MAX; c++)
            s[c] = ldexp(1.0, (int)gsl_ran_flat(rng, -30.0, 30.0));
        disturb(rng, &d, lambda);
        for (size_t i = 0; i < d.p->n; i++)
            other[i] = lambda[i] * of_lambda / s[i / 3];
        dls_problem *q = in_units(d.p, of_A, of_lambda, s);
        assert_status(dls_certify(d.p, lambda, &bounds, &error), &error);
        assert_status(dls_certify(q, other, &others, &error), &error);
        assert_int_equal(bounds.kind, others.kind);
        assert_int_equal(bounds.between, others.between);
        for (size_t i = 0; i < d.p->n && bounds.kind == DLS_BOUNDS_ACTIVE_SET; i++) {
            const double unit = of_lambda / s[i / 3], unit_w = of_A * of_lambda * s[i / 3];
            assert_true(others.radius_lambda[i] == bounds.radius_lambda[i] * unit);
            assert_true(others.radius_w[i] == bounds.radius_w[i] * unit_w);
        }
        proved += bounds.kind == DLS_BOUNDS_ACTIVE_SET;
        dls_bounds_release(&bounds);
        dls_bounds_release(&others);
        dls_problem_destroy(q);
        dls_problem_destroy(d.p);
    }
    assert_true(proved > PROBLEMS / 2);
    gsl_rng_free(rng);
}

/* A contact whose tangents have a limit each, in every combination of their states and of that of the normal. All
 * numbers are multiples of 1/32, so that the solution is exact; each tangent pushes against the other's row and the
 * normal's. */
TEST(test_boxes)
{
    enum { CARRIES, OPENS, FILLS, NORMALS, N = 3 };
    static const double A[N * N] = {4.0, 0.5, -0.25, 0.5, 2.0, 0.125, -0.25, 0.125, 1.0};
    for (int kind = 0; kind < NORMALS * 2 * 9; kind++) {
        const int normal = kind % NORMALS, side[N] = {0, kind / 18 % 3 - 1, kind / 6 % 3 - 1};
        const double mu = kind / 3 % 2 ? 0.5 : 0.0, most = normal == OPENS ? 0.0 : 2.0 * mu;
        const double hi[N] = {normal == FILLS ? 2.0 : HUGE_VAL, HUGE_VAL, HUGE_VAL};
        double lambda[N] = {normal == OPENS ? 0.0 : 2.0},
               w[N] = {normal == OPENS   ? 1.0
                       : normal == FILLS ? -1.0
                                         : 0.0},
               b[N];
        size_t count[3] = {0};
        char said[64];
        dls_error error;
        for (size_t i = 1; i < N; i++) {
            lambda[i] = side[i] ? side[i] * most : 0.25 * most;
            w[i] = side[i] || most == 0.0 ? -0.75 * side[i] : 0.0;
            count[most == 0.0 ? 2 : side[i] != 0]++;
        }
        for (size_t i = 0; i < N; i++) {
            b[i] = w[i];
            for (size_t j = 0; j < N; j++)
                b[i] -= A[i + N * j] * lambda[j];
        }
        dls_problem *p = problem_from_matrix(N, A, b, NULL, hi);
        for (size_t i = 1; i < N; i++)
            p->parent[i] = 0, p->law[i] = DLS_LAW_BOX, p->mu[i] = mu, p->lo[i] = p->hi[i] = 0.0;
        p->n_coupled = 2;
        assert_status(dls_problem_check(p, &error), &error);
        snprintf(said, sizeof said, "%zu stick, %zu slide, %zu have no friction", count[0], count[1], count[2]);
        for (size_t moved = 0; moved <= N; moved++) { /* a row of the answer is off */
            double given[N];
            dls_bounds bounds;
            memcpy(given, lambda, sizeof given);
            if (moved < N)
                given[moved] += 1e-7;
            assert_status(dls_certify(p, given, &bounds, &error), &error);
            if (bounds.kind != DLS_BOUNDS_ACTIVE_SET || !strstr(bounds.text, said))
                fail_msg("case %d, moved row %zu: %s", kind, moved, bounds.text);
            for (size_t i = 0; i < N; i++) {
                assert_true(fabs(given[i] - lambda[i]) <= bounds.radius_lambda[i]);
                assert_true(fabs(bounds.w_at[i] - w[i]) <= bounds.radius_w[i]);
            }
            assert_below(bounds.lambda, moved < N ? 1.5e-7 : 1e-14);
            assert_below(bounds.w, moved < N ? 1e-6 : 1e-14);
            dls_bounds_release(&bounds);
        }
        dls_problem_destroy(p);
    }
}

/* A box normal with lo < 0 whose impulse is 5e-324 / 4, and so 0 as a double, still allows friction, for which w_t
 * asks: no certificate says that there is none. */
TEST(test_normal_below_zero)
{
    const double A[4] = {4.0, 0.0, 0.0, 1.0}, lo[2] = {-1.0, 0.0}, hi[2] = {1.0, 0.0}, lambda[2] = {0.0, 0.0};
    for (int sign = -1; sign <= 1; sign++) {
        const double b[2] = {-sign * DBL_TRUE_MIN, 5.0};
        dls_bounds bounds;
        dls_error error;
        dls_problem *p = problem_from_matrix(2, A, b, lo, hi);
        p->parent[1] = 0, p->law[1] = DLS_LAW_BOX, p->mu[1] = 0.5, p->n_coupled = 1;
        assert_status(dls_problem_check(p, &error), &error);
        assert_status(dls_certify(p, lambda, &bounds, &error), &error);
        assert_false(sign > 0 && bounds.kind == DLS_BOUNDS_ACTIVE_SET && bounds.radius_lambda[1] == 0.0);
        dls_bounds_release(&bounds);
        dls_problem_destroy(p);
    }
}

/* |lambda_t| = sqrt(2) 2^-1074 is 2^-1074 as a double; with lambda_n = 2^-1072 mu must be sqrt(2) / 4, not 1/4. */
TEST(test_friction_that_underflows)
{
    const double A[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, b[3] = {0.0, 0.0, 0.0};
    const double lambda[3] = {4.0 * DBL_TRUE_MIN, DBL_TRUE_MIN, DBL_TRUE_MIN};
    for (double mu = 0.25; mu < 0.36; mu += 0.01) {
        dls_bounds bounds;
        dls_error error;
        dls_problem *p = problem_from_matrix(3, A, b, NULL, NULL);
        dls_problem_make_cone(p, 0, mu);
        assert_status(dls_certify(p, lambda, &bounds, &error), &error);
        if (bounds.kind == DLS_BOUNDS_BACKWARD && !(mu + bounds.mu_off >= sqrt(2.0) / 4.0))
            fail_msg("%s", bounds.text);
        dls_bounds_release(&bounds);
        dls_problem_destroy(p);
    }
}

/* An invalid problem has neither a certificate nor a proof that it has no solution: tangents of two laws, a count that
 * is wrong, bounds that are no numbers. */
TEST(test_irregular_problems)
{
    static const double A[9] = {4.0, 0.5, -0.25, 0.5, 2.0, 0.125, -0.25, 0.125, 1.0}, b[3] = {-4.0, -0.5, 0.25};
    static const double lambda[3] = {1.0, 0.0, 0.0}, y[3] = {0.0, 1.0, 0.0};
    for (int way = 0; way < 4; way++) {
        dls_farkas_proof proof;
        dls_bounds bounds;
        dls_error error;
        dls_problem *p = problem_from_matrix(3, A, b, NULL, NULL);
        dls_problem_make_cone(p, 0, 0.5);
        if (way == 1)
            p->law[2] = DLS_LAW_ASSOCIATED;
        else if (way == 2)
            p->n_coupled = p->n_cone = 0;
        else if (way == 3)
            p->hi[0] = NAN;
        assert_status(dls_certify(p, lambda, &bounds, &error), &error);
        assert_int_equal(bounds.kind, way ? DLS_BOUNDS_NONE : DLS_BOUNDS_ACTIVE_SET);
        assert_string_not_equal(bounds.text, "");
        assert_status(dls_farkas_verify(p, y, &proof, &error), &error);
        assert_false(proof.proved);
        assert_string_not_equal(proof.reason, "");
        dls_bounds_release(&bounds);
        dls_problem_destroy(p);
    }
}

TEST(test_failing_memory)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    drawn d;
    draw(rng, 2, 0.7, 0.5, &d);
    for (size_t failed = 1;; failed++) {
        dls_bounds bounds;
        dls_error error;
        long before = live;
        allocations = 0, fail_at = failed;
        dls_status status = dls_certify(d.p, d.lambda, &bounds, &error);
        fail_at = 0;
        assert_true(status == DLS_OK || status == DLS_NO_MEMORY);
        dls_bounds_kind kind = bounds.kind;
        dls_bounds_release(&bounds);
        assert_int_equal(live, before);
        if (status == DLS_OK) {
            assert_int_equal(kind, DLS_BOUNDS_ACTIVE_SET);
            break;
        }
    }
    dls_problem_destroy(d.p);
    gsl_rng_free(rng);
}
