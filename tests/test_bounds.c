/* Error bounds against exact solutions: every bound is at least the true error, none is far above it, and what is
 * broken on purpose loses its certificate. The truth is found in rationals, by trying every active set. */
#include "check.h"

#include "delassus/reference.h"

#include "certify/parts.h"
#include "exact/rational.h"
#include "failing_memory.h"
#include "mechanisms.h"
#include "sharpness.h"

#include <gsl/gsl_cblas.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 6, SOLUTIONS = 729 };

/* All isolated solutions of a small problem, and whether some system of an active set is singular and so may hold
 * others. */
typedef struct exact_answer {
    const dls_problem *problem;
    size_t n, count;
    bool singular;
    dls_rational *rational;
    fmpq_mat_t solution[SOLUTIONS], w[SOLUTIONS];
} exact_answer;

/* Whether |x - q| <= radius, exactly; *distance gets |x - q|. */
static bool within(double x, const fmpq_t q, double radius, double *distance)
{
    fmpq_t d, r;
    bool inside = !isnan(radius);
    fmpq_init(d);
    fmpq_init(r);
    dls_rational_set(d, x);
    fmpq_sub(d, d, q);
    fmpq_abs(d, d);
    *distance = dls_rational_get(d, DLS_ROUND_AWAY);
    if (isfinite(radius)) {
        dls_rational_set(r, radius);
        inside = fmpq_cmp(d, r) <= 0;
    }
    fmpq_clear(d);
    fmpq_clear(r);
    return inside;
}

static bool solves(const exact_answer *t, const char *state, const fmpq_mat_t lambda, const fmpq_mat_t w)
{
    const double *lo = t->problem->lo, *hi = t->problem->hi;
    bool right = true;
    fmpq_t bound;
    fmpq_init(bound);
    for (size_t i = 0; i < t->n && right; i++) {
        const fmpq *l = fmpq_mat_entry(lambda, (slong)i, 0), *v = fmpq_mat_entry(w, (slong)i, 0);
        if (state[i] == 'B' && isfinite(lo[i])) {
            dls_rational_set(bound, lo[i]);
            right = right && fmpq_cmp(l, bound) >= 0;
        }
        if (state[i] == 'B' && isfinite(hi[i])) {
            dls_rational_set(bound, hi[i]);
            right = right && fmpq_cmp(l, bound) <= 0;
        }
        if (state[i] != 'B' && lo[i] != hi[i])
            right = right && (state[i] == 'L' ? fmpq_sgn(v) >= 0 : fmpq_sgn(v) <= 0);
    }
    fmpq_clear(bound);
    return right;
}

/* lambda and w of one active set; false where its system is singular. */
static bool solve_state(const exact_answer *t, const char *state, fmpq_mat_t lambda, fmpq_mat_t w)
{
    const dls_problem *p = t->problem;
    slong n = (slong)t->n;
    fmpq_mat_t K, right;
    fmpq_mat_init(K, n, n);
    fmpq_mat_init(right, n, 1);
    for (slong i = 0; i < n; i++)
        if (state[i] == 'B') {
            for (slong j = 0; j < n; j++)
                fmpq_set(fmpq_mat_entry(K, i, j), fmpq_mat_entry(t->rational->A, i, j));
            fmpq_neg(fmpq_mat_entry(right, i, 0), fmpq_mat_entry(t->rational->b, i, 0));
        } else {
            fmpq_one(fmpq_mat_entry(K, i, i));
            dls_rational_set(fmpq_mat_entry(right, i, 0), state[i] == 'L' ? p->lo[i] : p->hi[i]);
        }
    bool regular = n > MOST ? fmpq_mat_solve_dixon(lambda, K, right) : fmpq_mat_solve_fraction_free(lambda, K, right);
    if (regular) {
        fmpq_mat_mul(w, t->rational->A, lambda);
        fmpq_mat_add(w, w, t->rational->b);
    }
    fmpq_mat_clear(K);
    fmpq_mat_clear(right);
    return regular;
}

static void exact_answer_find(exact_answer *t, const dls_problem *problem)
{
    char state[MOST];
    dls_error error;
    fmpq_mat_t lambda, w;
    size_t n = problem->n, sets = 1;
    *t = (exact_answer){.problem = problem, .n = n};
    assert_status(dls_rational_create(problem, &t->rational, &error), &error);
    fmpq_mat_init(lambda, (slong)n, 1);
    fmpq_mat_init(w, (slong)n, 1);
    for (size_t i = 0; i < n; i++)
        sets *= 3;
    for (size_t code = 0; code < sets; code++) {
        bool possible = true, known = false;
        for (size_t i = 0, rest = code; i < n; i++, rest /= 3) {
            double lo = problem->lo[i], hi = problem->hi[i];
            state[i] = "BLH"[rest % 3];
            possible = possible && !(state[i] == 'L' && isinf(lo)) && !(state[i] == 'H' && isinf(hi)) &&
                       !(state[i] != 'L' && lo == hi);
        }
        if (!possible)
            continue;
        if (!solve_state(t, state, lambda, w)) {
            t->singular = true;
            continue;
        }
        if (!solves(t, state, lambda, w))
            continue;
        for (size_t k = 0; k < t->count; k++)
            known = known || fmpq_mat_equal(lambda, t->solution[k]);
        if (known)
            continue;
        fmpq_mat_init_set(t->solution[t->count], lambda);
        fmpq_mat_init_set(t->w[t->count++], w);
    }
    fmpq_mat_clear(lambda);
    fmpq_mat_clear(w);
}

static void exact_answer_clear(exact_answer *t)
{
    for (size_t k = 0; k < t->count; k++) {
        fmpq_mat_clear(t->solution[k]);
        fmpq_mat_clear(t->w[k]);
    }
    dls_rational_destroy(t->rational);
}

/* What bounds were worth over a run of problems. */
typedef struct tally {
    sharpness mended, rough;
    double worst_ratio, worst_velocity;
} tally;

/* sqrt(x^T A x), rounded down. */
static double norm_A(const exact_answer *t, const fmpq_mat_t x)
{
    fmpq_mat_t y, z;
    fmpq_mat_init(y, (slong)t->n, 1);
    fmpq_mat_init(z, 1, 1);
    fmpq_mat_mul(y, t->rational->A, x);
    fmpq_zero(fmpq_mat_entry(z, 0, 0));
    for (slong i = 0; i < (slong)t->n; i++)
        fmpq_addmul(fmpq_mat_entry(z, 0, 0), fmpq_mat_entry(x, i, 0), fmpq_mat_entry(y, i, 0));
    double square = dls_rational_get(fmpq_mat_entry(z, 0, 0), DLS_ROUND_TOWARDS_ZERO);
    fmpq_mat_clear(y);
    fmpq_mat_clear(z);
    return nextafter(sqrt(square), 0.0);
}

/* Whether solution k lies within every radius; *error gets the largest true error of lambda, *velocity that in A's
 * norm. */
static bool solution_within(const exact_answer *t, size_t k, const double *lambda, const dls_bounds *b, double *error,
                            double *velocity)
{
    const bool bounded = b->kind != DLS_BOUNDS_VELOCITY;
    fmpq_mat_t x, w;
    bool inside = true;
    *error = 0.0;
    fmpq_mat_init(x, (slong)t->n, 1);
    fmpq_mat_init(w, (slong)t->n, 1);
    dls_rational_w(t->rational, lambda, w);
    fmpq_mat_sub(w, t->w[k], w);
    for (size_t i = 0; i < t->n; i++) {
        double distance;
        fmpq *entry = fmpq_mat_entry(x, (slong)i, 0);
        inside = within(lambda[i], fmpq_mat_entry(t->solution[k], (slong)i, 0),
                        bounded ? b->radius_lambda[i] : HUGE_VAL, &distance) &&
                 inside;
        *error = fmax(*error, distance);
        inside = within(0.0, fmpq_mat_entry(w, (slong)i, 0), b->radius_w[i], &distance) && inside;
        dls_rational_set(entry, lambda[i]);
        fmpq_sub(entry, entry, fmpq_mat_entry(t->solution[k], (slong)i, 0));
    }
    *velocity = isnan(b->velocity) ? 0.0 : norm_A(t, x);
    inside = inside && !(*velocity > b->velocity);
    fmpq_mat_clear(x);
    fmpq_mat_clear(w);
    return inside;
}

static void print_problem(const exact_answer *t, const double *lambda, const dls_bounds *bounds)
{
    const dls_problem *p = t->problem;
    for (size_t i = 0; i < t->n; i++) {
        for (size_t j = 0; j < t->n; j++)
            print_error("%.17g ", fmpq_get_d(fmpq_mat_entry(t->rational->A, (slong)i, (slong)j)));
        print_error("| %.17g [%.17g, %.17g] lambda %.17g radii %.17g %.17g\n",
                    fmpq_get_d(fmpq_mat_entry(t->rational->b, (slong)i, 0)), p->lo[i], p->hi[i], lambda[i],
                    bounds->radius_lambda[i], bounds->radius_w[i]);
    }
    print_error("%s\n", bounds->text);
}

/* No row of solution k is at a bound with w = 0. */
static bool is_strict(const exact_answer *t, size_t k)
{
    const dls_problem *p = t->problem;
    fmpq_t bound;
    bool strict = true;
    fmpq_init(bound);
    for (size_t i = 0; i < t->n; i++) {
        const fmpq *l = fmpq_mat_entry(t->solution[k], (slong)i, 0), *w = fmpq_mat_entry(t->w[k], (slong)i, 0);
        for (int side = 0; side < 2; side++) {
            double at = side ? p->hi[i] : p->lo[i];
            if (isinf(at) || p->lo[i] == p->hi[i])
                continue;
            dls_rational_set(bound, at);
            strict = strict && !(fmpq_equal(l, bound) && fmpq_is_zero(w));
        }
    }
    fmpq_clear(bound);
    return strict;
}

/* Whether there is no solution if none was found. A singular active set may hold some; where A is semidefinite, though,
 * and no row is without bounds, the solutions are a polyhedron with vertices, which active sets that are not singular
 * hold. */
static bool knows_all(const exact_answer *t)
{
    bool all = t->problem->form == DLS_FORM_MECHANICAL || !t->singular;
    for (size_t i = 0; i < t->n && t->singular; i++)
        all = all && !(isinf(t->problem->lo[i]) && isinf(t->problem->hi[i]));
    return all;
}

/* A decimal number, exactly. */
static void read_decimal(const char *text, fmpq_t x)
{
    fmpq_t ten;
    char *exponent;
    long power = 0;
    fmpq_init(ten);
    fmpq_set_si(ten, 10, 1);
    fmpq_zero(x);
    for (bool behind = false; (*text >= '0' && *text <= '9') || *text == '.'; text++) {
        behind = behind || *text == '.';
        if (*text == '.')
            continue;
        fmpq_mul(x, x, ten);
        fmpq_add_si(x, x, *text - '0');
        power -= behind;
    }
    power += *text == 'e' ? strtol(text + 1, &exponent, 10) : 0;
    fmpq_pow_si(ten, ten, power);
    fmpq_mul(x, x, ten);
    fmpq_clear(ten);
}

/* The number behind `words` is not below the bound. */
static void check_said(const char *text, const char *words, double bound)
{
    const char *at = strstr(text, words);
    fmpq_t said, exact;
    if (!at || !isfinite(bound))
        return;
    fmpq_init(said), fmpq_init(exact);
    read_decimal(at + strlen(words), said);
    dls_rational_set(exact, bound);
    if (fmpq_cmp(said, exact) < 0)
        fail_msg("%.17g: %s", bound, at);
    fmpq_clear(said), fmpq_clear(exact);
}

static void check_text(const dls_bounds *bounds)
{
    assert_string_not_equal(bounds->text, "");
    check_said(bounds->text, "lambda within ", bounds->lambda);
    check_said(bounds->text, " w within ", bounds->w);
    check_said(bounds->text, "v+ within ", bounds->velocity);
    check_said(bounds->text, "inconsistent by at most ", bounds->inconsistent);
}

/* The certificate of lambda says nothing that is not true. */
static void check_rounds(const exact_answer *t, const double *lambda, size_t rounds, tally *count)
{
    dls_error error;
    dls_bounds bounds;
    assert_status(dls_certify_in(t->problem, lambda, rounds, &bounds, &error), &error);
    check_text(&bounds);
    const bool claims = bounds.kind != DLS_BOUNDS_NONE, strict = bounds.kind == DLS_BOUNDS_ACTIVE_SET;
    bool found = !claims;
    for (size_t k = 0; k < t->count && claims; k++) {
        double apart, velocity;
        if (!solution_within(t, k, lambda, &bounds, &apart, &velocity)) {
            if (bounds.kind == DLS_BOUNDS_VELOCITY) {
                print_problem(t, lambda, &bounds);
                fail_msg("v+ or w of a solution lies outside of the radii");
            }
            continue;
        }
        if (bounds.kind == DLS_BOUNDS_VELOCITY)
            count->worst_velocity = fmax(count->worst_velocity, velocity > 0.0 ? bounds.velocity / velocity : 0.0);
        found = found || !strict || is_strict(t, k);
        double least = 0.0; /* impulses that are right to every bit have errors of chance */
        for (size_t i = 0; i < t->n; i++)
            least = fmax(least, 0.5 * DBL_EPSILON * fabs(lambda[i]));
        if (rounds > 1 && strict && bounds.unique && fmax(apart, least) > 0.0)
            count->worst_ratio = fmax(count->worst_ratio, bounds.lambda / fmax(apart, least));
    }
    if (!found && knows_all(t)) {
        print_problem(t, lambda, &bounds);
        fail_msg("no solution lies within the radii");
    }
    if (bounds.unique && claims && bounds.kind != DLS_BOUNDS_VELOCITY && t->count > 1) {
        print_problem(t, lambda, &bounds);
        fail_msg("%zu solutions, and one is certified to be the only one", t->count);
    }
    assert_true(bounds.unique || bounds.kind != DLS_BOUNDS_VELOCITY);
    add_sharpness(rounds > 1 ? &count->mended : &count->rough, t->n, &bounds);
    dls_bounds_release(&bounds);
}

/* Also of impulses that are not refined, or once and not mended: there the bounds are as large as the errors are. */
static void check_certificate(const exact_answer *t, const double *lambda, tally *count)
{
    tally rough = {0};
    check_rounds(t, lambda, 40, count);
    rough.rough = count->rough;
    check_rounds(t, lambda, 1, &rough);
    for (size_t corner = 0; corner < 4; corner++) { /* of the bounds, where most impulses solve nothing */
        double at[MOST];
        for (size_t i = 0; i < t->n; i++) {
            const double lo = t->problem->lo[i], hi = t->problem->hi[i];
            const bool upper = (i + corner) % 4 < 2 || isinf(lo);
            at[i] = upper && !isinf(hi) ? hi : isinf(lo) ? lambda[i] : lo;
        }
        check_rounds(t, at, 0, &rough);
    }
    check_rounds(t, lambda, 0, &rough);
    count->rough = rough.rough;
}

/* --- problems of all kinds --- */

enum { DEFINITE, SEMIDEFINITE, INDEFINITE, GENERAL, TRIANGULAR, SKEW, TINY, INTEGER, KINDS };

static void draw_matrix(gsl_rng *rng, int kind, size_t n, double *A)
{
    double G[MOST * MOST];
    for (size_t k = 0; k < n * n; k++)
        G[k] = kind == SEMIDEFINITE || kind == INTEGER ? (double)gsl_rng_uniform_int(rng, 5) - 2.0
                                                       : gsl_ran_gaussian(rng, 1.0);
    size_t rank = kind == SEMIDEFINITE ? (n + 1) / 2 : n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0.0;
            for (size_t k = 0; k < rank; k++)
                sum += G[i + n * k] * G[j + n * k];
            double *a = &A[i + n * j];
            *a = kind == INDEFINITE   ? 0.5 * (G[i + n * j] + G[j + n * i])
                 : kind == TRIANGULAR ? (i == j  ? 0.5 + gsl_rng_uniform(rng)
                                         : i > j ? 3.0 * G[i + n * j]
                                                 : 0.0)
                 : kind == SKEW       ? G[i + n * j] - G[j + n * i]
                 : kind == TINY       ? (i == j ? pow(10.0, -20.0 + 11.0 * gsl_rng_uniform(rng)) : 2.0 * G[i + n * j])
                 : kind == GENERAL || kind == INTEGER ? G[i + n * j]
                                                      : sum + (kind == DEFINITE && i == j ? 0.01 : 0.0);
        }
    if (kind == DEFINITE && gsl_rng_uniform(rng) < 0.3) /* monotone: a skew part */
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < i; j++) {
                A[i + n * j] += G[i + n * j];
                A[j + n * i] -= G[i + n * j];
            }
}

static void draw_bounds(gsl_rng *rng, size_t n, double *lo, double *hi)
{
    for (size_t i = 0; i < n; i++) {
        unsigned long kind = gsl_rng_uniform_int(rng, 8);
        lo[i] = kind == 0 || kind == 1 ? -HUGE_VAL : kind < 5 ? 0.0 : -1.0;
        hi[i] = kind == 0 || (kind >= 2 && kind < 5) ? HUGE_VAL : kind == 1 ? 0.5 : kind == 5 ? -1.0 : 1.0;
    }
}

/* Chosen lambda and w that are complementary, some of both 0. b is A lambda - w rounded, so that a solution may be lost
 * where it is degenerate. */
static void draw_right_side(gsl_rng *rng, size_t n, const double *A, const double *lo, const double *hi, double *b)
{
    for (size_t i = 0; i < n; i++)
        b[i] = gsl_rng_uniform(rng) < 0.5 ? (double)gsl_rng_uniform_int(rng, 7) - 3.0 : gsl_ran_gaussian(rng, 1.0);
    if (gsl_rng_uniform(rng) < 0.4)
        return;
    double lambda[MOST];
    for (size_t i = 0; i < n; i++) {
        double inside = isfinite(lo[i]) ? lo[i] + 0.25 : isfinite(hi[i]) ? hi[i] - 0.25 : 0.75;
        bool low = isfinite(lo[i]) && gsl_rng_uniform(rng) < 0.5;
        lambda[i] = low ? lo[i] : inside > hi[i] ? hi[i] : inside;
        b[i] = low && gsl_rng_uniform(rng) < 0.5 ? 0.5 : 0.0;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            b[i] -= A[i + n * j] * lambda[j];
}

/* Units of rows and of the whole, by powers of ten that round, or of two that do not, up to 2^range. */
static void draw_units(gsl_rng *rng, unsigned long range, size_t n, double *A, double *b, double *lo, double *hi)
{
    double whole = pow(10.0, gsl_ran_flat(rng, -12.0, 12.0)), s[MOST];
    for (size_t i = 0; i < n; i++)
        s[i] = ldexp(1.0, (int)gsl_rng_uniform_int(rng, 2 * range) - (int)range);
    for (size_t i = 0; i < n; i++) {
        b[i] *= s[i] * whole;
        lo[i] *= whole / s[i];
        hi[i] *= whole / s[i];
        for (size_t j = 0; j < n; j++)
            A[i + n * j] *= s[i] * s[j];
    }
}

/* A solution to within rounding, one further off, with a flipped row, or anything. */
static void draw_answer(gsl_rng *rng, const exact_answer *t, double *lambda)
{
    const double *lo = t->problem->lo, *hi = t->problem->hi;
    double far = pow(10.0, gsl_ran_flat(rng, -17.0, -1.0));
    unsigned long way = gsl_rng_uniform_int(rng, 6), k = t->count > 0 ? gsl_rng_uniform_int(rng, t->count) : 0;
    for (size_t i = 0; i < t->n; i++) {
        double exact = t->count > 0 ? fmpq_get_d(fmpq_mat_entry(t->solution[k], (slong)i, 0)) : 0.0;
        lambda[i] = way == 5 || t->count == 0 ? gsl_ran_gaussian(rng, 1.0) : way < 2 ? exact : exact * (1.0 + far);
    }
    size_t flip = gsl_rng_uniform_int(rng, t->n);
    if (way == 4)
        lambda[flip] = lambda[flip] == lo[flip] && isfinite(hi[flip]) ? hi[flip] : isfinite(lo[flip]) ? lo[flip] : 0.0;
}

static void run(gsl_rng *rng, int kind, size_t problems, tally *count)
{
    double A[MOST * MOST], b[MOST], lo[MOST], hi[MOST], lambda[MOST];
    tally apart = {0}; /* rows whose units are far apart: the largest radius says nothing about other rows */
    for (size_t k = 0; k < problems; k++) {
        static exact_answer t;
        size_t n = 1 + gsl_rng_uniform_int(rng, kind == INTEGER ? 4 : 3);
        draw_matrix(rng, kind, n, A);
        draw_bounds(rng, n, lo, hi);
        draw_right_side(rng, n, A, lo, hi, b);
        const double units = gsl_rng_uniform(rng);
        if (units < 0.4)
            draw_units(rng, units < 0.1 ? 250 : 20, n, A, b, lo, hi);
        dls_problem *problem;
        dls_error error;
        assert_status(dls_problem_from_matrix(n, A, b, lo, hi, &problem, &error), &error);
        exact_answer_find(&t, problem);
        for (int answer = 0; answer < 2; answer++) {
            draw_answer(rng, &t, lambda);
            check_certificate(&t, lambda, units < 0.1 ? &apart : count);
        }
        exact_answer_clear(&t);
        dls_problem_destroy(problem);
    }
}

/* What is added for numbers that underflow has no unit. */
static bool same_radius(double a, double b) { return a == b || (a <= 1e-150 && b <= 1e-150); }

/* The same is proved in other units, to the last bit: A in units of a power of four, so that the units of H are powers
 * of two, impulses in units of a power of two, and each row in one of its own. */
static void check_units(gsl_rng *rng, size_t n, const double *A, const double *b, const double *lo, const double *hi,
                        const double *lambda)
{
    enum { RANGE = 60 };
    double A2[MOST * MOST], b2[MOST], lo2[MOST], hi2[MOST], lambda2[MOST], s[MOST];
    const double of_A = ldexp(1.0, 2 * (int)gsl_ran_flat(rng, -RANGE, RANGE)),
                 of_lambda = ldexp(1.0, (int)gsl_ran_flat(rng, -RANGE, RANGE));
    dls_problem *problem, *other;
    dls_bounds bounds, others;
    dls_error error;
    for (size_t i = 0; i < n; i++)
        s[i] = ldexp(1.0, (int)gsl_ran_flat(rng, -RANGE, RANGE));
    for (size_t i = 0; i < n; i++) {
        b2[i] = b[i] * of_A * of_lambda * s[i];
        lo2[i] = lo[i] * of_lambda / s[i], hi2[i] = hi[i] * of_lambda / s[i];
        lambda2[i] = lambda[i] * of_lambda / s[i];
        for (size_t j = 0; j < n; j++)
            A2[i + n * j] = A[i + n * j] * of_A * s[i] * s[j];
    }
    assert_status(dls_problem_from_matrix(n, A, b, lo, hi, &problem, &error), &error);
    assert_status(dls_problem_from_matrix(n, A2, b2, lo2, hi2, &other, &error), &error);
    assert_status(dls_certify(problem, lambda, &bounds, &error), &error);
    assert_status(dls_certify(other, lambda2, &others, &error), &error);
    bool same = bounds.kind == others.kind && bounds.unique == others.unique && bounds.between == others.between &&
                bounds.undecided == others.undecided;
    for (size_t i = 0; i < n && bounds.kind != DLS_BOUNDS_NONE; i++)
        same = same && same_radius(others.radius_lambda[i] / of_lambda * s[i], bounds.radius_lambda[i]) &&
               same_radius(others.radius_w[i] / of_A / of_lambda / s[i], bounds.radius_w[i]);
    if (!same)
        fail_msg("'%s', in other units '%s'", bounds.text, others.text);
    dls_bounds_release(&bounds);
    dls_bounds_release(&others);
    dls_problem_destroy(problem);
    dls_problem_destroy(other);
}

static void test_units(void **unused)
{
    static const int kinds[] = {DEFINITE, INDEFINITE, GENERAL, TRIANGULAR, TINY}; /* a_ii is not 0 */
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    (void)unused;
    for (size_t k = 0; k < 600; k++) {
        static exact_answer t;
        double A[MOST * MOST], b[MOST], lo[MOST], hi[MOST], lambda[MOST];
        const int kind = kinds[k % (sizeof kinds / sizeof kinds[0])];
        const size_t n = 1 + gsl_rng_uniform_int(rng, 3);
        dls_problem *problem;
        dls_error error;
        draw_matrix(rng, kind, n, A);
        draw_bounds(rng, n, lo, hi);
        draw_right_side(rng, n, A, lo, hi, b);
        assert_status(dls_problem_from_matrix(n, A, b, lo, hi, &problem, &error), &error);
        exact_answer_find(&t, problem);
        draw_answer(rng, &t, lambda);
        check_units(rng, n, A, b, lo, hi, lambda);
        exact_answer_clear(&t);
        dls_problem_destroy(problem);
    }
    gsl_rng_free(rng);
}

/* Of impulses that may be mended, and of impulses as they are. */
static const known_sharpness known[] = {
    {"definite",
     {{0, 0, 0, 48, 694, 0}, 742, {816, 580, 54}, -24631.65, -15603.60, -8605.50, 0.00},
     {{0, 0, 0, 2803, 1649, 0}, 4452, {1714, 2218, 4768}, 9403.85, 34147.48, -25872.51, 0.00},
     1.0},
    {"semidefinite",
     {{217, 0, 0, 69, 424, 0}, 180, {397, 479, 71}, -22355.15, -14737.67, -9881.97, 0.00},
     {{2887, 0, 0, 553, 820, 0}, 1080, {551, 685, 555}, -30634.91, -17733.92, -21682.69, 0.00},
     1.0},
    {"indefinite",
     {{80, 0, 0, 32, 610, 0}, 188, {619, 607, 34}, -23372.26, -14399.08, -10909.86, 0.00},
     {{2781, 0, 0, 663, 888, 0}, 1128, {710, 858, 815}, -26370.24, -11664.35, -19725.80, 0.00},
     1.0},
    {"general",
     {{63, 0, 0, 33, 626, 0}, 166, {619, 641, 36}, -23724.44, -14265.60, -4844.34, 0.00},
     {{2877, 0, 0, 537, 918, 0}, 996, {718, 832, 681}, -26708.07, -14523.20, -13970.73, 0.00},
     1.0},
    {"triangular",
     {{0, 0, 0, 75, 649, 0}, 724, {771, 586, 85}, -26770.03, -17833.98, -4236.40, 0.00},
     {{0, 0, 0, 2588, 1756, 0}, 4344, {1918, 2608, 4126}, -70001.49, -36282.04, -19251.84, 0.00},
     1.0},
    {"skew",
     {{445, 0, 0, 0, 271, 0}, 0, {286, 308, 0}, -12761.63, -8820.59, -2291.93, 0.00},
     {{4025, 0, 0, 0, 271, 0}, 0, {286, 308, 0}, -12761.63, -8820.59, -2291.93, 0.00},
     1.0},
    {"tiny diagonals",
     {{29, 0, 0, 30, 657, 0}, 282, {704, 551, 30}, -19743.85, -14527.06, -6016.45, 0.00},
     {{2253, 0, 0, 698, 1345, 0}, 1692, {861, 998, 698}, -29629.46, -27584.85, -28162.25, 0.00},
     1.0},
    {"integer",
     {{265, 0, 0, 38, 443, 0}, 106, {563, 525, 39}, -24435.27, -16527.41, -4210.86, 0.00},
     {{3493, 0, 0, 332, 651, 0}, 636, {636, 648, 413}, -28258.22, -17705.74, -11130.28, 0.00},
     1.0},
    {"mechanisms",
     {{0, 0, 0, 0, 600, 0}, 600, {962, 498, 0}, -24299.86, -12797.14, -6553.01, 0.00},
     {{0, 0, 0, 2140, 1460, 0}, 3600, {2378, 1984, 4398}, -54855.55, -23583.55, -23148.13, 0.00},
     1.0},
    {"redundant mechanisms",
     {{0, 0, 0, 6, 583, 11}, 600, {677, 745, 46}, -25594.69, -13651.03, -7717.25, 0.00},
     {{9, 0, 0, 1678, 1392, 521}, 3591, {982, 2260, 5530}, 12164.92, -22429.49, -32911.61, 0.00},
     1.0},
    {"resting bodies",
     {{4, 0, 0, 6, 134, 156}, 296, {296, 244, 804}, 19179.60, -14291.12, -3229.04, 0.00},
     {{118, 0, 0, 254, 157, 1271}, 1682, {362, 241, 6948}, 235535.26, -12705.66, -3562.82, 0.00},
     1.0},
    {"mechanisms of needles",
     {{50, 0, 0, 0, 142, 8}, 150, {230, 106, 26}, -5262.13, -2743.77, -1668.62, 0.00},
     {{310, 0, 0, 467, 354, 69}, 890, {576, 394, 1162}, -5678.04, 925.80, -5443.59, 0.00},
     2.0},
    {"dependent rows",
     {{0, 0, 0, 0, 0, 80}, 80, {0, 0, 330}, 13200.00, 279.70, 4.75, 0.00},
     {{0, 0, 141, 0, 19, 0}, 160, {75, 1, 564}, 22682.46, 812.16, 49.10, 250.45},
     25.0},
    {"larger, definite",
     {{0, 0, 0, 0, 64, 0}, 64, {558, 442, 0}, -18161.59, -5840.61, -327.85, 0.00},
     {{0, 0, 0, 32, 0, 0}, 32, {91, 0, 409}, 4111.07, 4179.74, 52.09, 0.00},
     1.0},
    {"larger, monotone",
     {{0, 0, 0, 0, 64, 0}, 64, {610, 390, 0}, -15959.67, -5684.95, 0.00, 0.00},
     {{0, 0, 0, 32, 0, 0}, 32, {91, 0, 409}, 4171.74, 4286.87, 0.00, 0.00},
     1.0},
    {"larger, P",
     {{0, 0, 0, 0, 64, 0}, 64, {572, 428, 0}, -18054.75, -5874.79, 0.00, 0.00},
     {{0, 0, 0, 1, 31, 0}, 32, {286, 212, 2}, -2294.59, -2053.17, 0.00, 0.00},
     1.0},
};

static void report(const char *name, const tally *t)
{
    print_message("# %s: bound / error at most %.3g\n", name, t->worst_ratio);
    if (!getenv("DLS_TEST_BOUNDS_PROBLEMS"))
        report_sharpness(known, sizeof known / sizeof known[0], name, &t->mended, &t->rough);
}

static void test_no_false_certificate(void **unused)
{
    static const char *const names[KINDS] = {"definite",   "semidefinite", "indefinite",     "general",
                                             "triangular", "skew",         "tiny diagonals", "integer"};
    (void)unused;
    const char *repeat = getenv("DLS_TEST_BOUNDS_PROBLEMS");
    size_t problems = repeat ? strtoul(repeat, NULL, 10) : 400;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int kind = 0; kind < KINDS; kind++) {
        tally count = {0};
        gsl_rng_set(rng, 2385u + (unsigned)kind);
        run(rng, kind, problems, &count);
        report(names[kind], &count);
        assert_below(count.worst_ratio, 100.0);
    }
    gsl_rng_free(rng);
}

/* --- the mechanical form --- */

enum { BODIES = 3, DENSE = 4 };

typedef struct mechanism {
    dls_problem *problem;
    dls_mass_body body[BODIES];
    dls_mass_dense dense;
    double M[DENSE * DENSE], L[DENSE * DENSE];
} mechanism;

/* Axes of inertia of which all but one are 1e-8 to 1e-14 of the first, in any direction. */
static void draw_needle(gsl_rng *rng, mechanism *m)
{
    const double thin = pow(10.0, gsl_ran_flat(rng, -14.0, -8.0));
    double G[DENSE * DENSE];
    for (size_t k = 0; k < DENSE * DENSE; k++)
        G[k] = gsl_ran_gaussian(rng, 1.0);
    for (size_t i = 0; i < DENSE; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = 0.0;
            for (size_t k = 0; k < DENSE; k++)
                sum += (k == 0 ? 1.0 : thin) * G[i + DENSE * k] * G[j + DENSE * k];
            m->M[i + DENSE * j] = m->M[j + DENSE * i] = sum;
        }
}

static void draw_masses(gsl_rng *rng, mechanism *m, double spread)
{
    for (size_t k = 0; k < BODIES; k++) {
        dls_mass_body *body = &m->body[k];
        double G[9];
        body->mass = pow(10.0, gsl_ran_flat(rng, -spread, spread));
        body->inverse_mass = 1.0 / body->mass;
        for (int i = 0; i < 9; i++)
            G[i] = gsl_ran_gaussian(rng, 1.0);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                body->inertia.m[3 * i + j] =
                    body->mass * (G[i] * G[j] + G[3 + i] * G[3 + j] + G[6 + i] * G[6 + j] + (i == j ? 0.3 : 0.0));
    }
    for (size_t i = 0; i < DENSE; i++)
        for (size_t j = 0; j < DENSE; j++)
            m->M[i + DENSE * j] = (i == j ? 4.0 : 1.0) / (1.0 + (double)(i + j));
    m->dense = (dls_mass_dense){DENSE, m->M, m->L};
}

/* Rows on one or two of three bodies and a dense block; some are combinations of others, exactly, where `redundant`. */
static void draw_mechanism(gsl_rng *rng, size_t n, bool redundant, mechanism *m)
{
    const size_t nv = 6 * BODIES + DENSE, blocks = BODIES + 1;
    dls_error error;
    assert_status(dls_problem_allocate(n, nv, n * blocks, n * nv, blocks, &m->problem, &error), &error);
    dls_problem *p = m->problem;
    draw_masses(rng, m, gsl_rng_uniform(rng) < 0.3 ? 5.0 : 1.0);
    p->form = DLS_FORM_MECHANICAL;
    p->h = 0.01;
    for (size_t k = 0; k < blocks; k++)
        p->mass.blocks[k] = k < BODIES ? (dls_mass_block){6 * k, 6, &dls_mass_body_kind, &m->body[k]}
                                       : (dls_mass_block){6 * k, DENSE, &dls_mass_dense_kind, &m->dense};
    for (size_t i = 0, at = 0, coef = 0; i < n; i++) {
        bool combination = redundant && i >= 2 && gsl_rng_uniform(rng) < 0.6;
        size_t only = gsl_rng_uniform_int(rng, blocks), other = redundant ? only : gsl_rng_uniform_int(rng, blocks);
        for (size_t k = 0; k < blocks; k++) {
            size_t length = k < BODIES ? 6 : DENSE;
            p->J.offset[at] = 6 * k;
            p->J.mass[at] = (uint32_t)k;
            p->J.coef_at[at++] = coef;
            for (size_t j = 0; j < length; j++, coef++)
                p->J.coef[coef] = combination               ? p->J.coef[coef - nv] + p->J.coef[coef - 2 * nv]
                                  : k != only && k != other ? 0.0
                                  : redundant               ? (double)gsl_rng_uniform_int(rng, 5) - 2.0
                                                            : gsl_ran_gaussian(rng, 1.0);
        }
        p->J.start[i + 1] = p->J.n_blocks = at;
        p->J.coef_at[at] = coef;
        p->c[i] = gsl_rng_uniform(rng) < 0.5 ? 0.0 : gsl_ran_gaussian(rng, 1.0);
        p->gamma[i] = gsl_rng_uniform(rng) < 0.2 ? 0.01 : 0.0;
    }
    for (size_t j = 0; j < nv; j++)
        p->v_star[j] = redundant ? (double)gsl_rng_uniform_int(rng, 9) - 4.0 : gsl_ran_gaussian(rng, 1.0);
    draw_bounds(rng, n, p->lo, p->hi);
    for (size_t i = 0; i < n && redundant; i++)
        if (isinf(p->lo[i]) && isinf(p->hi[i]))
            p->lo[i] = 0.0;
    assert_status(dls_problem_check(p, &error), &error);
}

static void run_mechanisms(const char *name, bool redundant, bool needles, size_t problems)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double lambda[MOST];
    tally count = {0};
    gsl_rng_set(rng, 385u);
    for (size_t k = 0; k < problems; k++) {
        static exact_answer t;
        static mechanism m;
        draw_mechanism(rng, 1 + gsl_rng_uniform_int(rng, 4), redundant, &m);
        if (needles)
            draw_needle(rng, &m);
        exact_answer_find(&t, m.problem);
        for (int answer = 0; answer < 2; answer++) {
            draw_answer(rng, &t, lambda);
            check_certificate(&t, lambda, &count);
        }
        exact_answer_clear(&t);
        dls_problem_destroy(m.problem);
    }
    assert_below(count.worst_ratio, 100.0);
    report(name, &count);
    gsl_rng_free(rng);
}

static void test_mechanisms(void **unused)
{
    (void)unused;
    run_mechanisms("mechanisms", false, false, 300);
    run_mechanisms("mechanisms of needles", false, true, 100);
}

static void test_redundant_mechanisms(void **unused)
{
    (void)unused;
    run_mechanisms("redundant mechanisms", true, false, 300);
}

/* A body on points of its lower face, more than the three that hold it; sometimes a ceiling at a distance above, at
 * none, or below where there is room; turned, so that the points agree to rounding alone, or not. */
static void draw_resting(gsl_rng *rng, size_t n, mechanism *m)
{
    dls_error error;
    bool turned = gsl_rng_uniform(rng) < 0.5, ceiling = gsl_rng_uniform(rng) < 0.4;
    double angle = turned ? gsl_ran_flat(rng, 0.1, 1.4) : 0.0, normal[3] = {0.0, -sin(angle), cos(angle)};
    assert_status(dls_problem_allocate(n, 6, n, 6 * n, 1, &m->problem, &error), &error);
    dls_problem *p = m->problem;
    draw_masses(rng, m, 1.0);
    p->form = DLS_FORM_MECHANICAL;
    p->h = 0.01;
    p->mass.blocks[0] = (dls_mass_block){0, 6, &dls_mass_body_kind, &m->body[0]};
    for (size_t i = 0; i < n; i++) {
        double x = (double)gsl_rng_uniform_int(rng, 5) - 2.0, y = (double)gsl_rng_uniform_int(rng, 5) - 2.0, z = -1.0;
        double arm[3] = {x, cos(angle) * y - sin(angle) * z, sin(angle) * y + cos(angle) * z};
        bool above = ceiling && i + 1 == n;
        double *J = p->J.coef + 6 * i, sign = above ? -1.0 : 1.0;
        for (int k = 0; k < 3; k++) {
            J[k] = sign * normal[k];
            J[3 + k] = sign * (arm[(k + 1) % 3] * normal[(k + 2) % 3] - arm[(k + 2) % 3] * normal[(k + 1) % 3]);
        }
        p->J.start[i + 1] = p->J.n_blocks = i + 1;
        p->J.coef_at[i] = 6 * i, p->J.coef_at[i + 1] = 6 * (i + 1);
        p->hi[i] = HUGE_VAL;
        p->c[i] = above ? -0.5 * (double)gsl_rng_uniform_int(rng, 3) + 0.25 * (double)gsl_rng_uniform_int(rng, 2) : 0.0;
    }
    for (size_t j = 0; j < 6; j++)
        p->v_star[j] = j < 3 ? -9.81 * normal[j] : gsl_rng_uniform(rng) < 0.5 ? 0.0 : gsl_ran_gaussian(rng, 1.0);
    assert_status(dls_problem_check(p, &error), &error);
}

/* A solution that uses more points than it needs: the mean of all. */
static void mean_answer(const exact_answer *t, double *lambda)
{
    for (size_t i = 0; i < t->n; i++) {
        lambda[i] = 0.0;
        for (size_t k = 0; k < t->count; k++)
            lambda[i] += fmpq_get_d(fmpq_mat_entry(t->solution[k], (slong)i, 0)) / (double)t->count;
    }
}

static void test_resting_bodies(void **unused)
{
    (void)unused;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double lambda[MOST];
    tally count = {0};
    for (size_t k = 0; k < 150; k++) {
        static exact_answer t;
        static mechanism m;
        draw_resting(rng, 3 + gsl_rng_uniform_int(rng, MOST - 2), &m);
        exact_answer_find(&t, m.problem);
        mean_answer(&t, lambda);
        check_certificate(&t, lambda, &count);
        draw_answer(rng, &t, lambda);
        check_certificate(&t, lambda, &count);
        exact_answer_clear(&t);
        dls_problem_destroy(m.problem);
    }
    assert_true(count.mended.kinds[DLS_BOUNDS_VELOCITY] > 50);
    report("resting bodies", &count);
    print_message("# velocity: bound / error at most %.3g\n", count.worst_velocity);
    gsl_rng_free(rng);
}

/* --- rows without bounds that depend on others --- */

enum { AGREE, CONTRADICT, NEARLY, DEPENDENCES };

/* Rows of integers on a body and a dense block, free but for the last; some are sums of the two before them. They
 * agree, contradict each other in c, or depend on each other to rounding alone. */
static void draw_dependent(gsl_rng *rng, size_t n, int kind, mechanism *m, bool *sum)
{
    const size_t nv = 6 * BODIES + DENSE;
    draw_mechanism(rng, n, true, m);
    dls_problem *p = m->problem;
    double off = pow(10.0, gsl_ran_flat(rng, kind == CONTRADICT ? -13.0 : -16.0, -1.0));
    for (size_t i = 0; i < n; i++) {
        sum[i] = i >= 2 && (i == 2 || gsl_rng_uniform(rng) < 0.5);
        bool bounded = i + 1 == n && n > 3 && !sum[i];
        p->gamma[i] = 0.0;
        p->c[i] = (double)gsl_rng_uniform_int(rng, 7) - 3.0;
        p->lo[i] = bounded ? 0.0 : -HUGE_VAL, p->hi[i] = HUGE_VAL;
        for (size_t j = 0; j < nv; j++) {
            double *coef = p->J.coef + nv * i + j;
            *coef =
                sum[i] ? coef[-(ptrdiff_t)nv] + coef[-2 * (ptrdiff_t)nv] : (double)gsl_rng_uniform_int(rng, 5) - 2.0;
            if (sum[i] && kind == NEARLY)
                *coef += off * gsl_ran_gaussian(rng, 1.0);
        }
        if (sum[i])
            p->c[i] = p->c[i - 1] + p->c[i - 2] + (kind == CONTRADICT ? off : 0.0);
    }
}

/* Whether the velocity of solution k of the problem without the rows in `left` lies within the bounds, and these rows
 * are off by at most what is said. `r`: the whole problem. */
static bool without_rows(const exact_answer *reduced, size_t k, dls_rational *r, const bool *left, const double *lambda,
                         const dls_bounds *bounds)
{
    const exact_answer whole = {.problem = reduced->problem, .n = reduced->n, .rational = r};
    const slong n = (slong)reduced->n;
    fmpq_mat_t x, w, at;
    double distance;
    bool inside = true;
    fmpq_mat_init(x, n, 1), fmpq_mat_init(w, n, 1), fmpq_mat_init(at, n, 1);
    fmpq_mat_mul(w, r->A, reduced->solution[k]);
    fmpq_mat_add(w, w, r->b);
    dls_rational_w(r, lambda, at);
    for (slong i = 0; i < n; i++) {
        dls_rational_set(fmpq_mat_entry(x, i, 0), lambda[i]);
        if (left[i])
            inside = inside && within(0.0, fmpq_mat_entry(w, i, 0), bounds->inconsistent, &distance);
    }
    fmpq_mat_sub(x, x, reduced->solution[k]);
    fmpq_mat_sub(at, at, w);
    for (slong i = 0; i < n; i++)
        inside = inside && within(0.0, fmpq_mat_entry(at, i, 0), bounds->radius_w[i], &distance);
    inside = inside && norm_A(&whole, x) <= bounds->velocity;
    fmpq_mat_clear(x), fmpq_mat_clear(w), fmpq_mat_clear(at);
    return inside;
}

/* Some set of rows that may be left out makes the statement true. A row that is left out has J = 0, Gamma = 1, c = 0,
 * and so no impulse. */
static bool holds_without_some(const mechanism *m, const double *lambda, const dls_bounds *bounds)
{
    const size_t n = m->problem->n, nv = 6 * BODIES + DENSE;
    dls_problem *p = m->problem;
    double coef[MOST * (6 * BODIES + DENSE)], c[MOST];
    bool holds = false;
    dls_rational *r;
    dls_error error;
    assert_status(dls_rational_create(p, &r, &error), &error);
    memcpy(coef, p->J.coef, n * nv * sizeof *coef);
    memcpy(c, p->c, n * sizeof *c);
    for (size_t set = 0; set < (size_t)1 << n && !holds; set++) {
        static exact_answer t;
        bool left[MOST], allowed = true;
        size_t count = 0;
        for (size_t i = 0; i < n; i++) {
            left[i] = set >> i & 1;
            count += left[i];
            allowed = allowed && !(left[i] && isfinite(p->lo[i]));
        }
        if (!allowed || (bounds->kind == DLS_BOUNDS_INDEPENDENT && count != bounds->dependent))
            continue;
        for (size_t i = 0; i < n; i++)
            if (left[i]) {
                memset(p->J.coef + nv * i, 0, nv * sizeof *coef);
                p->gamma[i] = 1.0, p->c[i] = 0.0;
            }
        exact_answer_find(&t, p);
        for (size_t k = 0; k < t.count && !holds; k++)
            holds = without_rows(&t, k, r, left, lambda, bounds);
        exact_answer_clear(&t);
        memcpy(p->J.coef, coef, n * nv * sizeof *coef);
        memcpy(p->c, c, n * sizeof *c);
        for (size_t i = 0; i < n; i++)
            p->gamma[i] = 0.0;
    }
    dls_rational_destroy(r);
    return holds;
}

/* Impulses of rows that depend on others come and go along with those of the others. */
static void test_dependent_rows(void **unused)
{
    (void)unused;
    size_t count[DEPENDENCES][DLS_BOUNDS_VELOCITY + 1] = {{0}};
    tally sharp = {0};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t k = 0; k < 240; k++) {
        static mechanism m;
        size_t n = 3 + gsl_rng_uniform_int(rng, 3);
        int kind = (int)(k % DEPENDENCES);
        double lambda[MOST], far = pow(10.0, gsl_ran_flat(rng, -17.0, 0.0));
        bool sum[MOST];
        dls_bounds bounds;
        dls_error error;
        draw_dependent(rng, n, kind, &m, sum);
        for (size_t i = 0; i < n; i++)
            lambda[i] = i + 1 == n && !sum[i] ? 0.0 : far * gsl_ran_gaussian(rng, 1.0);
        for (size_t i = 2; i < n; i++)
            if (sum[i]) {
                double shift = gsl_ran_gaussian(rng, 1.0);
                lambda[i] += shift, lambda[i - 1] -= shift, lambda[i - 2] -= shift;
            }
        for (size_t i = 0; i < n; i++)
            lambda[i] = fmax(lambda[i], m.problem->lo[i]);
        assert_status(dls_certify(m.problem, lambda, &bounds, &error), &error);
        check_text(&bounds);
        count[kind][bounds.kind]++;
        add_sharpness(kind == AGREE ? &sharp.mended : &sharp.rough, n, &bounds);
        if (kind == CONTRADICT)
            assert_true(bounds.kind == DLS_BOUNDS_NONE || bounds.kind == DLS_BOUNDS_INDEPENDENT);
        if (kind == AGREE) {
            assert_true(bounds.kind == DLS_BOUNDS_VELOCITY);
            assert_int_equal(bounds.dependent, 0);
        }
        if (bounds.kind == DLS_BOUNDS_INDEPENDENT || bounds.kind == DLS_BOUNDS_VELOCITY)
            if (!holds_without_some(&m, lambda, &bounds))
                fail_msg("problem %zu: %s", k, bounds.text);
        dls_bounds_release(&bounds);
        dls_problem_destroy(m.problem);
    }
    print_message("# dependent rows: agree %zu of %zu, contradict %zu, nearly %zu\n", count[AGREE][DLS_BOUNDS_VELOCITY],
                  count[AGREE][DLS_BOUNDS_VELOCITY] + count[AGREE][DLS_BOUNDS_NONE],
                  count[CONTRADICT][DLS_BOUNDS_INDEPENDENT], count[NEARLY][DLS_BOUNDS_INDEPENDENT]);
    assert_true(count[CONTRADICT][DLS_BOUNDS_INDEPENDENT] > 60);
    assert_true(count[NEARLY][DLS_BOUNDS_INDEPENDENT] > 5);
    report("dependent rows", &sharp);
    gsl_rng_free(rng);
}

/* --- larger problems whose active set is known --- */

/* The solution of that active set, in rationals, lies within the radii. */
static void check_known(const char *what, const dls_problem *p, const double *near, const char *state, bool unique,
                        tally *count)
{
    exact_answer t = {.problem = p, .n = p->n};
    dls_error error;
    dls_bounds bounds;
    double apart, velocity, least = 0.0;
    assert_status(dls_rational_create(p, &t.rational, &error), &error);
    fmpq_mat_init(t.solution[0], (slong)p->n, 1);
    fmpq_mat_init(t.w[0], (slong)p->n, 1);
    t.count = 1;
    assert_true(solve_state(&t, state, t.solution[0], t.w[0]));
    assert_true(solves(&t, state, t.solution[0], t.w[0]));
    assert_status(dls_certify(p, near, &bounds, &error), &error);
    if (bounds.kind != DLS_BOUNDS_ACTIVE_SET || bounds.unique != unique)
        fail_msg("%s: %s", what, bounds.text);
    assert_true(solution_within(&t, 0, near, &bounds, &apart, &velocity));
    for (size_t i = 0; i < p->n; i++)
        least = fmax(least, 0.5 * DBL_EPSILON * fabs(near[i]));
    count->worst_ratio = fmax(count->worst_ratio, bounds.lambda / fmax(apart, least));
    dls_bounds_release(&bounds);
    assert_true(bounds.kind == DLS_BOUNDS_NONE && !bounds.radius_lambda && bounds.lambda == 0.0);
    exact_answer_clear(&t);
}

static void test_manufactured(void **unused)
{
    enum { ROWS = 40 };
    static const dls_matrix_class classes[] = {DLS_MATRIX_DEFINITE, DLS_MATRIX_MONOTONE, DLS_MATRIX_P};
    tally count = {0};
    (void)unused;
    for (unsigned long seed = 0; seed < 24; seed++) {
        const dls_recipe recipe = {classes[seed % 3], seed % 2 ? DLS_BOUNDS_BOXED : DLS_BOUNDS_LCP, ROWS, 0.0, seed};
        double lambda[ROWS];
        char state[ROWS];
        dls_problem *p;
        dls_error error;
        assert_status(dls_manufacture(&recipe, &p, lambda, NULL, &error), &error);
        for (size_t i = 0; i < ROWS; i++)
            state[i] = lambda[i] == p->lo[i] ? 'L' : lambda[i] == p->hi[i] ? 'H' : 'B';
        check_known("manufactured", p, lambda, state, true, &count);
        for (size_t i = 0; i < ROWS; i++)
            lambda[i] = fmin(p->hi[i], fmax(p->lo[i], lambda[i] + 1e-9 * sin(2.385 * (double)i)));
        check_known("perturbed", p, lambda, state, true, &count);
        dls_problem_destroy(p);
    }
    assert_below(count.worst_ratio, 100.0);
    print_message("# manufactured: bound / error at most %.3g\n", count.worst_ratio);
}

/* Half or all of the bounded rows are at a bound with w = 0: no active set may be provable, but the bound is. */
/* Of impulses that are off by a millionth, in three classes of problems: how much is proved. */
static void test_larger_problems(void **unused)
{
    enum { ROWS = 30, CLASSES = 3 };
    static const struct {
        const char *name;
        dls_matrix_class class;
    } of[CLASSES] = {{"larger, definite", DLS_MATRIX_DEFINITE},
                     {"larger, monotone", DLS_MATRIX_MONOTONE},
                     {"larger, P", DLS_MATRIX_P}};
    (void)unused;
    for (size_t k = 0; k < CLASSES; k++) {
        tally count = {0};
        for (unsigned long seed = 0; seed < 32; seed++) {
            const dls_recipe recipe = {of[k].class, seed % 2 ? DLS_BOUNDS_BOXED : DLS_BOUNDS_LCP, 5 + seed % 26, 0.0,
                                       900 + seed};
            double lambda[ROWS], w[ROWS];
            dls_problem *p;
            dls_error error;
            assert_status(dls_manufacture(&recipe, &p, lambda, w, &error), &error);
            for (size_t i = 0; i < p->n; i++)
                lambda[i] *= 1.0 + 1e-6 * (2.0 + sin(2.385 * (double)(i + seed)));
            for (size_t rounds = 0; rounds < 41; rounds += 20) {
                dls_bounds bounds;
                assert_status(dls_certify_in(p, lambda, rounds, &bounds, &error), &error);
                add_sharpness(rounds > 0 ? &count.mended : &count.rough, p->n, &bounds);
                for (size_t i = 0; i < p->n && bounds.kind != DLS_BOUNDS_NONE; i++)
                    assert_true(fabs(bounds.w_at[i] - w[i]) <= bounds.radius_w[i] + 1e-12);
                dls_bounds_release(&bounds);
            }
            dls_problem_destroy(p);
        }
        report(of[k].name, &count);
    }
}

static void test_degenerate(void **unused)
{
    enum { ROWS = 60 };
    static const dls_matrix_class classes[] = {DLS_MATRIX_DEFINITE, DLS_MATRIX_MONOTONE, DLS_MATRIX_P};
    (void)unused;
    for (unsigned long seed = 0; seed < 24; seed++) {
        const dls_recipe recipe = {classes[seed % 3], seed % 2 ? DLS_BOUNDS_BOXED : DLS_BOUNDS_LCP, ROWS,
                                   seed % 4 < 2 ? 0.5 : 1.0, seed};
        double lambda[ROWS];
        dls_problem *p;
        dls_error error;
        dls_bounds bounds;
        assert_status(dls_manufacture(&recipe, &p, lambda, NULL, &error), &error);
        assert_status(dls_certify(p, lambda, &bounds, &error), &error);
        if (bounds.kind == DLS_BOUNDS_NONE || !bounds.unique)
            fail_msg("seed %lu: %s", seed, bounds.text);
        assert_below(bounds.lambda, 1e-11); /* b is rounded: 1e-16 times the growth of A^-1 */
        dls_bounds_release(&bounds);
        dls_problem_destroy(p);
    }
}

/* Of a size at which triangles are inverted in several panels. */
static void test_panels(void **unused)
{
    enum { ROWS = 196 };
    tally count = {0};
    (void)unused;
    for (unsigned long seed = 0; seed < 2; seed++) {
        const dls_recipe recipe = {seed % 2 ? DLS_MATRIX_P : DLS_MATRIX_DEFINITE, DLS_BOUNDS_BOXED, ROWS, 0.0, seed};
        double lambda[ROWS];
        char state[ROWS];
        dls_problem *p;
        dls_error error;
        assert_status(dls_manufacture(&recipe, &p, lambda, NULL, &error), &error);
        for (size_t i = 0; i < ROWS; i++)
            state[i] = lambda[i] == p->lo[i] ? 'L' : lambda[i] == p->hi[i] ? 'H' : 'B';
        check_known("panels", p, lambda, state, true, &count);
        dls_problem_destroy(p);
    }
    assert_below(count.worst_ratio, 100.0);
    print_message("# panels: bound / error at most %.3g\n", count.worst_ratio);
}

static void test_chains(void **unused)
{
    enum { LINKS = 12, ROWS = 3 * LINKS };
    const double ratios[] = {1.0, 50.0, 1e4};
    tally count = {0};
    char state[ROWS];
    (void)unused;
    memset(state, 'B', sizeof state);
    for (size_t k = 0; k < 3; k++) {
        dls_model *model = make_chain(LINKS, ratios[k]);
        dls_problem *p;
        dls_error error;
        dls_dense *dense;
        double lambda[ROWS] = {0};
        assert_status(dls_problem_create(model, dls_model_initial(model), NULL, 0.01, &p, &error), &error);
        check_known("a chain at rest", p, lambda, state, true, &count);
        assert_status(dls_dense_create(p, &dense, &error), &error);
        for (int sweep = 0; sweep < 500; sweep++) /* Gauss-Seidel: an answer that has not converged */
            for (size_t i = 0; i < ROWS; i++)
                lambda[i] -= (dense->b[i] + cblas_ddot(ROWS, dense->A + i, ROWS, lambda, 1)) / dense->A[i + ROWS * i];
        check_known("a chain, swept", p, lambda, state, true, &count);
        dls_dense_destroy(dense);
        dls_problem_destroy(p);
        dls_model_destroy(model);
    }
    assert_below(count.worst_ratio, 100.0);
    print_message("# chains: bound / error at most %.3g\n", count.worst_ratio);
}

/* --- the parts --- */

/* Digits that are rounded up or down are those of the number where these are few, and the next on one side else. */
static void test_digits(void **unused)
{
    static const struct {
        double value;
        int digits;
        const char *up, *down;
    } cases[] = {
        {0.0, 2, "0", "0"},
        {0.5, 2, "0.5", "0.5"},
        {0.1, 2, "0.11", "0.1"}, /* the double is a little more than 0.1 */
        {0.3, 2, "0.3", "0.29"}, /* and this one is less */
        {93.0, 2, "93", "93"},
        {99.5, 2, "1e+02", "99"},
        {100.0, 2, "1e+02", "1e+02"},
        {101.0, 2, "1.1e+02", "1e+02"},
        {9.96e-5, 2, "0.0001", "9.9e-05"},
        {1.04e-16, 2, "1.1e-16", "1e-16"},
        {9.99e-101, 2, "1e-100", "9.9e-101"},
        {1.2345, 4, "1.235", "1.234"},
        {5e-324, 2, "5e-324", "4.9e-324"},
        {1.7976931348623157e308, 3, "1.8e+308", "1.79e+308"},
        {HUGE_VAL, 2, "inf", "inf"},
        {NAN, 2, "nan", "nan"},
    };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    fmpq_t exact, up, down;
    fmpq_init(exact), fmpq_init(up), fmpq_init(down);
    (void)unused;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        assert_string_equal(dls_digits_up(cases[k].value, cases[k].digits).text, cases[k].up);
        assert_string_equal(dls_digits_down(cases[k].value, cases[k].digits).text, cases[k].down);
    }
    for (int k = 0; k < 5000; k++) {
        const int digits = 2 + k % 14;
        const double unit = pow(10.0, gsl_ran_flat(rng, -320.0, 308.0)),
                     value = k % 3 == 0 ? unit : unit * (double)gsl_rng_uniform_int(rng, 1000);
        char nearest[32];
        if (!isfinite(value))
            continue;
        const dls_digits above = dls_digits_up(value, digits), below = dls_digits_down(value, digits);
        dls_rational_set(exact, value);
        read_decimal(above.text, up);
        read_decimal(below.text, down);
        assert_true(fmpq_cmp(down, exact) <= 0 && fmpq_cmp(exact, up) <= 0);
        snprintf(nearest, sizeof nearest, "%.*g", digits, value);
        assert_true(strcmp(nearest, above.text) == 0 || strcmp(nearest, below.text) == 0);
    }
    fmpq_clear(exact), fmpq_clear(up), fmpq_clear(down);
    gsl_rng_free(rng);
}

/* Sums of products that cancel, against rationals. */
static void test_twofold_sums(void **unused)
{
    (void)unused;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    fmpq_t exact, x, y;
    fmpq_init(exact), fmpq_init(x), fmpq_init(y);
    for (int k = 0; k < 2000; k++) {
        dls_twofold_sum sum = {0};
        double error, apart, spread = gsl_ran_flat(rng, 0.0, k % 10 == 0 ? 300.0 : 20.0);
        fmpq_zero(exact);
        for (int i = 0; i < 12; i++) {
            double a = gsl_ran_gaussian(rng, 1.0) * pow(10.0, gsl_ran_flat(rng, -spread, 0.0)),
                   b = gsl_ran_gaussian(rng, 1.0);
            for (int side = 0; side < 1 + (i < 8); side++, a = -a * (1.0 + DBL_EPSILON)) {
                dls_sum_add_product(&sum, a, b);
                dls_rational_set(x, a), dls_rational_set(y, b);
                fmpq_addmul(exact, x, y);
            }
        }
        for (int i = 0; i < 16; i++) {
            double a = (i % 2 ? -1.0 : 1.0 + 1e-12 * gsl_ran_gaussian(rng, 1.0)) * pow(10.0, i / 2 - 3);
            dls_sum_add(&sum, a);
            dls_rational_set(x, a);
            fmpq_add(exact, exact, x);
        }
        double value = dls_sum_value(&sum, &error);
        assert_true(within(value, exact, error, &apart));
        assert_true(error <= 1e-14 * sum.size + 2.3e-16 * fabs(value) + 1e-300);
    }
    fmpq_clear(exact), fmpq_clear(x), fmpq_clear(y);
    gsl_rng_free(rng);
}

/* The same of whole rows in lanes, with factors of twice the precision; numbers too large to be cut give NaN. */
static void test_dot_products(void **unused)
{
    enum { LONGEST = 23 };
    (void)unused;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    fmpq_t exact, x, y;
    fmpq_init(exact), fmpq_init(x), fmpq_init(y);
    for (int k = 0; k < 4000; k++) {
        double a[LONGEST], at[4][LONGEST], error, apart, spread = gsl_ran_flat(rng, 0.0, k % 10 == 0 ? 300.0 : 20.0);
        const dls_factors factors = {at[0], at[1], at[2], at[3]};
        size_t n = 1 + gsl_rng_uniform_int(rng, LONGEST - 1), first = gsl_rng_uniform_int(rng, LONGEST - n + 1);
        dls_twofold_sum sum = {0};
        fmpq_zero(exact);
        for (size_t i = 0; i < LONGEST; i++) {
            double high = gsl_ran_gaussian(rng, 1.0);
            dls_factors_set(&factors, i, dls_two_sum(high, 1e-17 * high * gsl_ran_gaussian(rng, 1.0)));
        }
        for (size_t i = 0; i < n; i++) { /* every other product nearly takes back the one before */
            a[i] = i % 2 ? -a[i - 1] * at[0][first + i - 1] / at[0][first + i]
                         : gsl_ran_gaussian(rng, 1.0) * pow(10.0, gsl_ran_flat(rng, -spread, 0.0));
            dls_rational_set(x, a[i]);
            for (int part = 0; part < 4; part += 3) {
                dls_rational_set(y, at[part][first + i]);
                fmpq_addmul(exact, x, y);
            }
        }
        dls_sum_add_dot(&sum, n, a, &factors, first);
        double value = dls_sum_value(&sum, &error);
        assert_true(within(value, exact, error, &apart));
        assert_true(error <= 3e-14 * sum.size + 2.3e-16 * fabs(value) + 1e-300);
    }
    double a[4] = {1e301, 1.0, 1.0, 1.0}, at[4][4], error;
    const dls_factors factors = {at[0], at[1], at[2], at[3]};
    for (size_t i = 0; i < 4; i++)
        dls_factors_set(&factors, i, (dls_twofold){1e10, 0.0});
    dls_twofold_sum sum = {0};
    dls_sum_add_dot(&sum, 4, a, &factors, 0);
    assert_false(isfinite(dls_sum_value(&sum, &error)) && isfinite(error));
    fmpq_clear(exact), fmpq_clear(x), fmpq_clear(y);
    gsl_rng_free(rng);
}

/* H, exactly, with `shift` taken from its diagonal and its two triangles made equal. */
static void exact_H(const dls_stored *s, const dls_rational *r, double shift, fmpq_mat_t H)
{
    fmpq_t d;
    fmpq_init(d);
    for (slong i = 0; i < (slong)s->n; i++)
        for (slong j = 0; j < (slong)s->n; j++) {
            fmpq *h = fmpq_mat_entry(H, i, j);
            fmpq_add(h, fmpq_mat_entry(r->A, i, j), fmpq_mat_entry(r->A, j, i));
            fmpq_div_2exp(h, h, 1);
            dls_rational_set(d, s->d[i]);
            fmpq_mul(h, h, d);
            dls_rational_set(d, s->d[j]);
            fmpq_mul(h, h, d);
            dls_rational_set(d, shift);
            if (i == j)
                fmpq_sub(h, h, d);
        }
    fmpq_clear(d);
}

/* All pivots of elimination are positive: H is positive definite. */
static bool is_positive_definite(fmpq_mat_t H)
{
    slong n = fmpq_mat_nrows(H);
    bool positive = true;
    fmpq_t factor;
    fmpq_init(factor);
    for (slong k = 0; k < n && positive; k++) {
        positive = fmpq_sgn(fmpq_mat_entry(H, k, k)) > 0;
        for (slong i = k + 1; i < n && positive; i++) {
            fmpq_div(factor, fmpq_mat_entry(H, i, k), fmpq_mat_entry(H, k, k));
            for (slong j = k; j < n; j++)
                fmpq_submul(fmpq_mat_entry(H, i, j), factor, fmpq_mat_entry(H, k, j));
        }
    }
    fmpq_clear(factor);
    return positive;
}

/* The enclosure of A, w and its radius, and alpha, of one problem. */
static void check_stored(gsl_rng *rng, const dls_problem *p)
{
    dls_arena memory = {0};
    dls_stored s;
    dls_rational *r;
    dls_error error;
    const char *why;
    size_t rows[MOST];
    double w[MOST], radius[MOST], L[MOST * MOST], apart;
    dls_twofold lambda[MOST];
    fmpq_mat_t x, exact, H;
    fmpq_t low, d;
    slong n = (slong)p->n;
    assert_status(dls_stored_take(p, &memory, &s, &why, &error), &error);
    if (why && strstr(why, "mass")) { /* some needles */
        dls_arena_release(&memory);
        return;
    }
    assert_null(why);
    assert_status(dls_rational_create(p, &r, &error), &error);
    fmpq_mat_init(x, n, 1), fmpq_mat_init(exact, n, 1), fmpq_mat_init(H, n, n);
    fmpq_init(low), fmpq_init(d);
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < n; j++) {
            double h = s.H[j + n * i], size = s.size[i] * s.size[j];
            dls_rational_set(d, 1.0 / (s.d[i] * s.d[j]));
            dls_rational_set(low, h);
            fmpq_mul(low, low, d);
            fmpq_sub(low, fmpq_mat_entry(r->A, i, j), low);
            fmpq_div(low, low, d);
            assert_true(within(0.0, low, s.slack * size, &apart));
        }
    for (slong i = 0; i < n && s.semidefinite; i++) {
        dls_rational_set(d, s.d[i]);
        fmpq_mul(low, fmpq_mat_entry(r->A, i, i), d);
        fmpq_mul(low, low, d);
        dls_rational_set(d, s.size[i]);
        fmpq_mul(d, d, d);
        assert_true(fmpq_cmp(low, d) <= 0);
    }
    for (slong i = 0; i < n; i++) {
        double high = gsl_ran_gaussian(rng, 1.0);
        rows[i] = (size_t)i;
        lambda[i] = dls_two_sum(high, 1e-17 * high * gsl_ran_gaussian(rng, 1.0));
        dls_rational_set(fmpq_mat_entry(x, i, 0), lambda[i].high);
        dls_rational_set(low, lambda[i].low);
        fmpq_add(fmpq_mat_entry(x, i, 0), fmpq_mat_entry(x, i, 0), low);
    }
    dls_stored_w(&s, lambda, w, radius);
    fmpq_mat_mul(exact, r->A, x);
    fmpq_mat_add(exact, exact, r->b);
    for (slong i = 0; i < n; i++)
        assert_true(within(w[i], fmpq_mat_entry(exact, i, 0), radius[i], &apart));
    double alpha = dls_stored_definite(&s, p->n, rows, gsl_rng_uniform(rng), L);
    exact_H(&s, r, alpha, H);
    assert_true(alpha == 0.0 || is_positive_definite(H));
    s.H[n * n - 1] = NAN;
    assert_true(dls_stored_definite(&s, p->n, rows, 0.0, L) == 0.0);
    fmpq_mat_clear(x), fmpq_mat_clear(exact), fmpq_mat_clear(H);
    fmpq_clear(low), fmpq_clear(d);
    dls_rational_destroy(r);
    dls_arena_release(&memory);
}

static void test_enclosures(void **unused)
{
    (void)unused;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t k = 0; k < 400; k++) {
        static mechanism m;
        double A[MOST * MOST], b[MOST], lo[MOST], hi[MOST];
        size_t n = 1 + gsl_rng_uniform_int(rng, MOST);
        dls_problem *problem;
        dls_error error;
        draw_matrix(rng, (int)(k % KINDS), n, A);
        draw_bounds(rng, n, lo, hi);
        draw_right_side(rng, n, A, lo, hi, b);
        draw_units(rng, 20, n, A, b, lo, hi);
        assert_status(dls_problem_from_matrix(n, A, b, lo, hi, &problem, &error), &error);
        problem->gamma[0] = 0.1 * (double)(k % 3); /* A_11 is then the sum of two doubles */
        check_stored(rng, problem);
        dls_problem_destroy(problem);
        draw_mechanism(rng, n, k % 2 == 0, &m);
        if (k % 5 == 0)
            draw_needle(rng, &m);
        check_stored(rng, m.problem);
        dls_problem_destroy(m.problem);
    }
    gsl_rng_free(rng);
}

/* --- the theorems, for impulses that solve nothing --- */

/* Impulses within the bounds, and what theorems ask of them. */
typedef struct attempt {
    dls_arena memory;
    dls_stored s;
    dls_twofold lambda[MOST];
    double w[MOST], w_error[MOST], violation[MOST];
} attempt;

static void attempt_take(attempt *a, gsl_rng *rng, const dls_problem *p)
{
    const char *why;
    dls_error error;
    *a = (attempt){0};
    assert_status(dls_stored_take(p, &a->memory, &a->s, &why, &error), &error);
    assert_null(why);
    for (size_t i = 0; i < p->n; i++) {
        double x = gsl_ran_gaussian(rng, 1.0) * pow(10.0, gsl_ran_flat(rng, -3.0, 1.0));
        bool edge = gsl_rng_uniform(rng) < 0.3;
        x = edge && isfinite(p->lo[i]) ? p->lo[i] : edge && isfinite(p->hi[i]) ? p->hi[i] : x;
        a->lambda[i] = (dls_twofold){fmin(p->hi[i], fmax(p->lo[i], x)), 0.0};
    }
    dls_stored_w(&a->s, a->lambda, a->w, a->w_error);
    for (size_t i = 0; i < p->n; i++) {
        bool lo = a->lambda[i].high == p->lo[i], hi = a->lambda[i].high == p->hi[i];
        double wrong = lo && hi ? 0.0 : lo ? fmax(0.0, -a->w[i]) : hi ? fmax(0.0, a->w[i]) : fabs(a->w[i]);
        a->violation[i] = lo && hi ? 0.0 : wrong + a->w_error[i];
    }
}

/* Some rows held, some free, some undecided: one solution within the radii, if that is said. */
static void test_slopes(void **unused)
{
    (void)unused;
    size_t proved_count[3] = {0};
    double logarithms = 0.0;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t k = 0; k < 3000; k++) {
        static exact_answer t;
        double A[MOST * MOST], b[MOST], lo[MOST], hi[MOST], radius[MOST], room[MOST * MOST];
        dls_slope_part part[MOST];
        size_t n = 1 + gsl_rng_uniform_int(rng, 4), undecided = 0;
        dls_problem *p;
        dls_error error;
        attempt a;
        bool proved;
        draw_matrix(rng, (int)(k % KINDS), n, A);
        for (size_t i = 0; i < n; i++) /* more often an H-matrix */
            A[i + n * i] += k % 3 == 0 ? 2.0 : 0.0;
        for (size_t j = 0; j < n && n > 1 && k % 7 == 0; j++) /* nearly singular: R is then far from an inverse */
            A[1 + n * j] = A[n * j] + 1e-13 * gsl_ran_gaussian(rng, 1.0);
        draw_bounds(rng, n, lo, hi);
        draw_right_side(rng, n, A, lo, hi, b);
        assert_status(dls_problem_from_matrix(n, A, b, lo, hi, &p, &error), &error);
        attempt_take(&a, rng, p);
        for (size_t i = 0; i < n; i++) {
            part[i] = (dls_slope_part)gsl_rng_uniform_int(rng, 3);
            undecided += part[i] == DLS_SLOPE_UNDECIDED;
            if (part[i] == DLS_SLOPE_HELD)
                p->lo[i] = p->hi[i] = a.lambda[i].high;
            if (part[i] == DLS_SLOPE_FREE)
                p->lo[i] = -HUGE_VAL, p->hi[i] = HUGE_VAL;
        }
        assert_status(dls_slope_radii(&a.s, part, a.w, a.w_error, a.violation, room, radius, &proved, &error), &error);
        exact_answer_find(&t, p);
        if (proved) {
            assert_int_equal(t.count, 1);
            for (size_t i = 0; i < n; i++) {
                double apart;
                assert_true(
                    within(a.lambda[i].high, fmpq_mat_entry(t.solution[0], (slong)i, 0), radius[i] * a.s.d[i], &apart));
                logarithms += log_of(radius[i]);
            }
            proved_count[undecided == 0 ? 0 : undecided == n ? 2 : 1]++;
        }
        exact_answer_clear(&t);
        dls_problem_destroy(p);
        dls_arena_release(&a.memory);
    }
    for (size_t k = 0; k < 3; k++)
        check_count("slopes", "proved", proved_count[k], (const size_t[]){1134, 847, 236}[k]);
    check_sum("slopes", "lambda", logarithms, -84299.42, 1.0);
    gsl_rng_free(rng);
}

/* A definite matrix that is no H-matrix, for the sums beside its diagonal are larger than it: the undecided rows are
 * proved by that where another row is held or free. */
static void test_definite_slopes(void **unused)
{
    enum { N = 4 };
    (void)unused;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int other = DLS_SLOPE_HELD; other <= DLS_SLOPE_FREE; other++) {
        static exact_answer t;
        double A[N * N], lo[N], hi[N], radius[N], room[N * N];
        const double b[N] = {-1.0, 0.5, 2.0, -0.75};
        const dls_slope_part part[N] = {DLS_SLOPE_UNDECIDED, DLS_SLOPE_UNDECIDED, (dls_slope_part)other,
                                        DLS_SLOPE_UNDECIDED};
        dls_problem *p;
        dls_error error;
        attempt a;
        bool proved;
        for (size_t i = 0; i < N; i++) {
            for (size_t j = 0; j < N; j++)
                A[i + N * j] = i == j ? 1.0 : i == 2 || j == 2 ? 0.125 : 0.75;
            lo[i] = -1.0, hi[i] = 2.0;
        }
        assert_status(dls_problem_from_matrix(N, A, b, lo, hi, &p, &error), &error);
        attempt_take(&a, rng, p);
        p->lo[2] = other == DLS_SLOPE_HELD ? a.lambda[2].high : -HUGE_VAL;
        p->hi[2] = other == DLS_SLOPE_HELD ? a.lambda[2].high : HUGE_VAL;
        assert_status(dls_slope_radii(&a.s, part, a.w, a.w_error, a.violation, room, radius, &proved, &error), &error);
        assert_true(proved);
        exact_answer_find(&t, p);
        assert_int_equal(t.count, 1);
        for (size_t i = 0; i < N; i++) {
            double apart;
            assert_true(
                within(a.lambda[i].high, fmpq_mat_entry(t.solution[0], (slong)i, 0), radius[i] * a.s.d[i], &apart));
        }
        exact_answer_clear(&t);
        dls_problem_destroy(p);
        dls_arena_release(&a.memory);
    }
    gsl_rng_free(rng);
}

/* All principal minors are positive, exactly. */
static bool is_P(const dls_rational *r, size_t n)
{
    fmpq_mat_t minor;
    fmpq_t det;
    bool positive = true;
    fmpq_init(det);
    for (size_t set = 1; set < (size_t)1 << n && positive; set++) {
        slong rows[MOST], m = 0;
        for (size_t i = 0; i < n; i++)
            if (set >> i & 1)
                rows[m++] = (slong)i;
        fmpq_mat_init(minor, m, m);
        for (slong a = 0; a < m; a++)
            for (slong b = 0; b < m; b++)
                fmpq_set(fmpq_mat_entry(minor, a, b), fmpq_mat_entry(r->A, rows[a], rows[b]));
        fmpq_mat_det(det, minor);
        positive = fmpq_sgn(det) > 0;
        fmpq_mat_clear(minor);
    }
    fmpq_clear(det);
    return positive;
}

/* Zeros in a pattern that makes a matrix reducible, or nearly: an edge too many closes a circle. */
static void draw_zeros(gsl_rng *rng, size_t n, double *A)
{
    size_t part[MOST];
    for (size_t i = 0; i < n; i++)
        part[i] = gsl_rng_uniform_int(rng, 3);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (part[i] < part[j])
                A[i + n * j] = 0.0;
    if (gsl_rng_uniform(rng) < 0.3)
        A[gsl_rng_uniform_int(rng, n) + n * gsl_rng_uniform_int(rng, n)] =
            gsl_ran_gaussian(rng, 1.0) * pow(10.0, gsl_ran_flat(rng, -18.0, 0.0));
}

/* What is said to be a P-matrix is one, however close to the edge. */
static void test_P_matrices(void **unused)
{
    (void)unused;
    size_t proved_count = 0, missed = 0;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t k = 0; k < 4000; k++) {
        double A[MOST * MOST], b[MOST] = {0}, room[MOST * MOST];
        size_t n = 1 + gsl_rng_uniform_int(rng, MOST);
        dls_arena memory = {0};
        dls_stored s;
        dls_rational *r;
        dls_problem *p;
        dls_error error;
        const char *why;
        bool proved;
        draw_matrix(rng, (int)(k % KINDS), n, A);
        for (size_t i = 0; i < n; i++)
            A[i + n * i] += k % 3 == 0 ? 2.0 : k % 3 == 1 ? 0.3 : 0.0;
        if (k % 2)
            draw_zeros(rng, n, A);
        for (size_t j = 0; j < n && n > 1 && k % 5 == 0; j++) /* a minor of about +-1e-13 */
            A[1 + n * j] = A[n * j] + (A[1 + n * j] == 0.0 ? 0.0 : 1e-13 * gsl_ran_gaussian(rng, 1.0));
        assert_status(dls_problem_from_matrix(n, A, b, NULL, NULL, &p, &error), &error);
        assert_status(dls_stored_take(p, &memory, &s, &why, &error), &error);
        assert_null(why);
        assert_status(dls_stored_is_P(&s, room, &proved, &error), &error);
        assert_status(dls_rational_create(p, &r, &error), &error);
        bool truly = is_P(r, n);
        if (proved && !truly)
            fail_msg("problem %zu: not a P-matrix", k);
        proved_count += proved;
        missed += truly && !proved;
        dls_rational_destroy(r);
        dls_problem_destroy(p);
        dls_arena_release(&memory);
    }
    print_message("# P-matrices: %zu proved, %zu missed\n", proved_count, missed);
    check_count("P-matrices", "proved", proved_count, 1813);
    gsl_rng_free(rng);
}

/* Four rows that are definite but no H-matrix, and one that follows them by so much that the whole is neither. */
static void test_definite_blocks(void **unused)
{
    enum { N = 5 };
    double A[N * N] = {0}, b[N] = {0}, room[N * N];
    dls_arena memory = {0};
    dls_stored s;
    dls_problem *p;
    dls_error error;
    const char *why;
    bool proved;
    (void)unused;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            A[i + N * j] = i + 1 == N && j == 0 ? 100.0 : (i == j ? 0.1 : 0.0) + (i + 1 < N && j + 1 < N ? 1.0 : 0.0);
    assert_status(dls_problem_from_matrix(N, A, b, NULL, NULL, &p, &error), &error);
    assert_status(dls_stored_take(p, &memory, &s, &why, &error), &error);
    assert_status(dls_stored_is_P(&s, room, &proved, &error), &error);
    assert_true(proved);
    dls_problem_destroy(p);
    dls_arena_release(&memory);
}

/* The solution is 0, at its bound with w = 0, whatever the row's unit is: no radius about what refinement leaves of the
 * impulse, 1e-170 or so, is less than that, though its square underflows. */
static void test_squares_that_underflow(void **unused)
{
    (void)unused;
    for (int exponent = -900; exponent <= 900; exponent += 50) {
        const double A = 1.47 * ldexp(1.0, exponent), b = 0.0, lambda = 1.2316988522776746;
        dls_problem *p;
        dls_bounds bounds;
        dls_error error;
        assert_status(dls_problem_from_matrix(1, &A, &b, NULL, NULL, &p, &error), &error);
        assert_status(dls_certify(p, &lambda, &bounds, &error), &error);
        assert_true(bounds.kind == DLS_BOUNDS_EXISTS && bounds.unique && bounds.undecided == 1);
        assert_true(bounds.lambda >= lambda && bounds.lambda < lambda * (1.0 + 1e-12));
        assert_true(bounds.velocity >= sqrt(A) * lambda && bounds.velocity < sqrt(A) * lambda * (1.0 + 1e-12));
        dls_bounds_release(&bounds);
        dls_problem_destroy(p);
    }
}

/* |.|_A is no norm where A = [e -1; -1 e] is not semidefinite: the distance from the given impulses to the refined ones
 * is almost 0, and so is that of the refined ones to the solution, but not the sum of both. */
static void test_indefinite_distances(void **unused)
{
    (void)unused;
    for (int exponent = -70; exponent < -40; exponent += 5) {
        static exact_answer t;
        const double e = ldexp(1.0, exponent), A[4] = {e, -1.3, -1.3, e}, b[2] = {-1.3, 0.7};
        const double lo[2] = {-HUGE_VAL, -1.0}, hi[2] = {HUGE_VAL, -1.0};
        dls_problem *p;
        dls_bounds bounds;
        dls_error error;
        assert_status(dls_problem_from_matrix(2, A, b, lo, hi, &p, &error), &error);
        exact_answer_find(&t, p);
        assert_int_equal(t.count, 1);
        for (double x = -1.0; x < 1.0; x += 0.13)
            for (double y = -2.0; y < 0.0; y += 0.13) {
                const double given[2] = {x, y};
                double apart, velocity;
                assert_status(dls_certify(p, given, &bounds, &error), &error);
                if (bounds.kind != DLS_BOUNDS_NONE && !solution_within(&t, 0, given, &bounds, &apart, &velocity)) {
                    print_problem(&t, given, &bounds);
                    fail_msg("%.17g is not within %.17g", velocity, bounds.velocity);
                }
                dls_bounds_release(&bounds);
            }
        exact_answer_clear(&t);
        dls_problem_destroy(p);
    }
}

/* An entry that is lost by scaling makes the graph wrong: [1 1; 1 e] with the e of a circle. */
static void test_lost_entries(void **unused)
{
    (void)unused;
    /* d_1 = 2^-400 and d_2 = 2^400: the entries beside the diagonal keep their size, the third row's vanish */
    const double A[9] = {1e300, 0, 1e-305, 0, 1, 3, -1, 0.5, 1}, b[3] = {0};
    double room[9];
    dls_arena memory = {0};
    dls_stored s;
    dls_problem *p;
    dls_error error;
    const char *why;
    bool proved;
    assert_status(dls_problem_from_matrix(3, A, b, NULL, NULL, &p, &error), &error);
    assert_status(dls_stored_take(p, &memory, &s, &why, &error), &error);
    assert_null(why);
    assert_true(s.lossy);
    assert_status(dls_stored_is_P(&s, room, &proved, &error), &error);
    assert_false(proved);
    dls_problem_destroy(p);
    dls_arena_release(&memory);
}

/* Entries of which scaling leaves few digits, or none, are off by no more than is said. */
static void test_subnormal_entries(void **unused)
{
    (void)unused;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int exponent = -400; exponent < -300; exponent += 4) {
        const double small = ldexp(1.1, exponent), A[4] = {ldexp(1.5, 700), small, -1.7 * small, ldexp(1.0, 701)},
                     b[2] = {1.0, -1.0};
        dls_problem *p;
        dls_error error;
        assert_status(dls_problem_from_matrix(2, A, b, NULL, NULL, &p, &error), &error);
        check_stored(rng, p);
        dls_problem_destroy(p);
    }
    gsl_rng_free(rng);
}

/* Systems whose rows come and go, solved from a factor of other rows. */
static void test_amended_factors(void **unused)
{
    enum { ROWS = 90 };
    (void)unused;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    size_t amended = 0;
    for (unsigned long seed = 0; seed < 60; seed++) {
        const dls_recipe recipe = {seed % 2 ? DLS_MATRIX_DEFINITE : DLS_MATRIX_P, DLS_BOUNDS_BOXED, ROWS, 0.0, seed};
        dls_arena memory = {0};
        dls_stored s;
        dls_active a;
        dls_problem *p;
        dls_error error;
        const char *why;
        double L[ROWS * ROWS], x[ROWS], right[ROWS];
        size_t rows[ROWS], m = 0;
        bool in[ROWS];
        assert_status(dls_manufacture(&recipe, &p, NULL, NULL, &error), &error);
        assert_status(dls_stored_take(p, &memory, &s, &why, &error), &error);
        assert_true(dls_active_take(&a, &s, L, &memory));
        for (size_t i = 0; i < ROWS; i++)
            in[i] = gsl_rng_uniform(rng) < 0.8;
        for (int round = 0; round < 6; round++) {
            m = 0;
            for (size_t i = 0; i < ROWS; i++) {
                if (round > 0 && gsl_rng_uniform(rng) < (round == 5 ? 0.5 : 0.04))
                    in[i] = !in[i];
                if (in[i])
                    rows[m++] = i;
            }
            bool from_another = dls_active_amend(&a, m, rows);
            amended += from_another;
            assert_false(from_another && (round == 0 || round == 5));
            if (!from_another)
                assert_true(seed % 2 ? dls_active_cholesky(&a, m, rows) : dls_active_lu(&a, m, rows));
            for (size_t k = 0; k < m; k++)
                x[k] = right[k] = gsl_ran_gaussian(rng, 1.0);
            dls_active_solve(&a, m, rows, x);
            for (size_t k = 0; k < m; k++) {
                double left = -right[k], terms = fabs(right[k]);
                for (size_t j = 0; j < m; j++) {
                    left += s.H[rows[j] + ROWS * rows[k]] * x[j];
                    terms += fabs(s.H[rows[j] + ROWS * rows[k]] * x[j]);
                }
                assert_true(fabs(left) <= 1e-10 * terms);
            }
        }
        dls_problem_destroy(p);
        dls_arena_release(&memory);
    }
    assert_true(amended > 100);
    gsl_rng_free(rng);
}

/* The gap of impulses that solve nothing, with rows of all kinds, against all solutions. */
static void test_gaps(void **unused)
{
    (void)unused;
    size_t finite = 0;
    double logarithms = 0.0;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t k = 0; k < 300; k++) {
        static exact_answer t;
        static mechanism m;
        size_t rows[MOST], n = 1 + gsl_rng_uniform_int(rng, 4);
        double mu[MOST], Jd[MOST], target[MOST], factor[MOST * MOST], lambda[MOST];
        const dls_gap_room room = {rows, mu, Jd, target, factor};
        const char *why;
        attempt a;
        draw_mechanism(rng, n, k % 2 == 0, &m);
        if (k % 5 == 0) { /* a row of zeros, which c = 0 fits and another c does not */
            memset(m.problem->J.coef, 0, (6 * BODIES + DENSE) * sizeof(double));
            m.problem->gamma[0] = 0.0;
            m.problem->lo[0] = 0.0, m.problem->hi[0] = HUGE_VAL;
        }
        attempt_take(&a, rng, m.problem);
        double radius = dls_gap_radius(&a.s, a.lambda, a.w, a.w_error, &room, &why);
        exact_answer_find(&t, m.problem);
        finite += isfinite(radius) ? 1 : 0;
        logarithms += isfinite(radius) ? log_of(radius) : 0.0;
        if (isfinite(radius) && t.count == 0 && knows_all(&t))
            fail_msg("a gap of %g without a solution", radius);
        for (size_t s = 0; s < t.count && isfinite(radius); s++) {
            fmpq_mat_t x;
            fmpq_mat_init(x, (slong)n, 1);
            for (size_t i = 0; i < n; i++) {
                lambda[i] = a.lambda[i].high;
                dls_rational_set(fmpq_mat_entry(x, (slong)i, 0), lambda[i]);
            }
            fmpq_mat_sub(x, x, t.solution[s]);
            assert_true(norm_A(&t, x) <= radius);
            fmpq_mat_clear(x);
        }
        exact_answer_clear(&t);
        dls_problem_destroy(m.problem);
        dls_arena_release(&a.memory);
    }
    check_count("gaps", "finite", finite, 282);
    check_sum("gaps", "v+", logarithms, -1241.28, 1.0);
    gsl_rng_free(rng);
}

/* What makes up for the w of rows without bounds may, for all that is known, take more from a row with one bound than
 * that has to spare: a direction that opens it is needed. A ceiling far above takes no part, whatever the units of the
 * rows: nothing opens both. The rows stand in memory of just their number. */
static void test_gaps_of_rows_without_bounds(void **unused)
{
    static const struct {
        size_t n;
        double lo[3], J[3][3], v[3], c[3];
    } cases[] = {{1, {-HUGE_VAL}, {{1}}, {1e-9}, {0}},
                 {2, {0, -HUGE_VAL}, {{0, 1}, {1}}, {1e-9, 1e-5}, {0}},
                 {3, {-HUGE_VAL, -HUGE_VAL}, {{1}, {0, 1}, {0, 0, 1}}, {0, 1e-9, 1e-5}, {0}},
                 {3, {-HUGE_VAL}, {{1e4}, {0, 1}, {0, -1}}, {1e-16, 0}, {0, 0, -0.5}}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    (void)unused;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        static mechanism m;
        static exact_answer t;
        const size_t n = cases[k].n;
        double mu[3], Jd[3], target[3], factor[9];
        const dls_gap_room room = {malloc(n * sizeof(size_t)), mu, Jd, target, factor};
        const char *why;
        attempt a;
        fmpq_mat_t x;
        assert_non_null(room.rows);
        draw_resting(rng, n, &m);
        dls_problem *p = m.problem;
        for (size_t i = 0; i < n; i++) {
            memset(p->J.coef + 6 * i, 0, 6 * sizeof *p->J.coef);
            memcpy(p->J.coef + 6 * i, cases[k].J[i], sizeof cases[k].J[i]);
            p->c[i] = cases[k].c[i];
            p->lo[i] = cases[k].lo[i];
        }
        memset(p->v_star, 0, 6 * sizeof *p->v_star);
        memcpy(p->v_star, cases[k].v, sizeof cases[k].v);
        attempt_take(&a, rng, p);
        memset(a.lambda, 0, sizeof a.lambda);
        dls_stored_w(&a.s, a.lambda, a.w, a.w_error);
        const double radius = dls_gap_radius(&a.s, a.lambda, a.w, a.w_error, &room, &why);
        exact_answer_find(&t, p);
        assert_int_equal(t.count, 1);
        fmpq_mat_init(x, (slong)n, 1);
        fmpq_mat_neg(x, t.solution[0]);
        if (!(norm_A(&t, x) <= radius && radius < 1.0))
            fail_msg("case %zu: a gap of %g, a distance of %g", k, radius, norm_A(&t, x));
        fmpq_mat_clear(x);
        exact_answer_clear(&t);
        dls_problem_destroy(p);
        dls_arena_release(&a.memory);
        free(room.rows);
    }
    gsl_rng_free(rng);
}

/* --- what may not be certified --- */

static dls_bounds certified(const dls_problem *p, const double *lambda)
{
    dls_bounds bounds;
    dls_error error;
    assert_status(dls_certify(p, lambda, &bounds, &error), &error);
    return bounds;
}

/* Problems without a solution, whatever is said of them, and numbers that are none. */
static void test_nothing_without_a_solution(void **unused)
{
    (void)unused;
    const double A[3][4] = {{0, 0, 0, 0}, {-1, 0, 0, -1}, {1, 1, 1, 1}}, b[3][2] = {{-1, 0}, {-1, -1}, {-1, -2}};
    const double answers[4][2] = {{0, 0}, {1, 1}, {1e16, 1e16}, {NAN, 1}};
    const double free_lo[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int k = 0; k < 3; k++)
        for (int a = 0; a < 4; a++) {
            dls_problem *p;
            dls_error error;
            assert_status(dls_problem_from_matrix(2, A[k], b[k], k == 2 ? free_lo : NULL, NULL, &p, &error), &error);
            dls_bounds bounds = certified(p, answers[a]);
            assert_int_equal(bounds.kind, DLS_BOUNDS_NONE);
            assert_string_not_equal(bounds.text, "");
            assert_true(isinf(bounds.lambda) && isinf(bounds.w) && isinf(bounds.velocity));
            dls_bounds_release(&bounds);
            dls_problem_destroy(p);
        }
}

/* Blocks of a row that overlap, for exact arithmetic takes one entry and everything else their sum; and blocks beyond
 * their block of the mass. */
static void test_irregular_rows(void **unused)
{
    (void)unused;
    const double A[9] = {2, 0, 1, 0, 2, 0, 1, 0, 2}, b[3] = {-1, -1, -1}, lambda[MOST] = {0};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static mechanism m;
    for (int way = 0; way < 4; way++) {
        dls_problem *p;
        dls_error error;
        if (way == 0) {
            assert_status(dls_problem_from_matrix(3, A, b, NULL, NULL, &p, &error), &error);
            p->J.offset[1] = 0; /* the first row has two blocks */
        } else {
            draw_mechanism(rng, 3, false, &m);
            p = m.problem;
            p->J.offset[1] -= way == 1;
            p->J.offset[3] += way == 2;
            p->J.mass[3] = way == 3 ? BODIES + 1 : p->J.mass[3];
        }
        assert_int_equal(dls_problem_check(p, &error), DLS_BAD_INPUT);
        dls_bounds bounds = certified(p, lambda);
        assert_int_equal(bounds.kind, DLS_BOUNDS_NONE);
        dls_bounds_release(&bounds);
        dls_problem_destroy(p);
    }
    gsl_rng_free(rng);
}

/* w overflows, and what is not a number is no small violation: 1.8e310 - 1e310 has no sign here. */
static void test_overflow(void **unused)
{
    (void)unused;
    for (double size = 1e280; size < 1e303; size *= 1e5)
        for (int k = 0; k < 3; k++) {
            const double A[4] = {size, -0.9 * size, -0.9 * size, size}, b[2] = {0}, hi[2] = {1e12, 1e12};
            const double lo[2] = {1e10, 2e10};
            const double lambda[2] = {k == 0 ? 1e10 : k == 1 ? 1.8e10 : 2e10, 2e10};
            dls_problem *p;
            dls_error error;
            assert_status(dls_problem_from_matrix(2, A, b, lo, hi, &p, &error), &error);
            dls_bounds bounds = certified(p, lambda);
            if (bounds.kind != DLS_BOUNDS_NONE)
                assert_true(bounds.radius_lambda[0] >= fabs(lambda[0] - 1.8e10) * (1.0 - 1e-15));
            dls_bounds_release(&bounds);
            dls_problem_destroy(p);
        }
}

/* A mass matrix that is singular, or so nearly that its inverse is rounding alone. */
static void test_no_mass(void **unused)
{
    (void)unused;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static mechanism m;
    double lambda[MOST] = {0};
    for (int k = 0; k < 3; k++) {
        draw_mechanism(rng, 3, false, &m);
        for (size_t i = 0; i < DENSE; i++)
            for (size_t j = 0; j < DENSE; j++)
                m.M[i + DENSE * j] = 1.0 + (i == j ? (double)k * DBL_EPSILON : 0.0);
        dls_bounds bounds = certified(m.problem, lambda);
        assert_int_equal(bounds.kind, DLS_BOUNDS_NONE);
        assert_non_null(strstr(bounds.text, "mass matrix"));
        dls_bounds_release(&bounds);
        dls_problem_destroy(m.problem);
    }
    gsl_rng_free(rng);
}

/* The first problem of a scene. */
static dls_problem *problem_of_scene(const char *name)
{
    char path[DLS_PATH_MAX];
    dls_scene *scene;
    dls_model *model;
    dls_problem *p;
    dls_error error;
    snprintf(path, sizeof path, "%s/scenes/%s.yaml", getenv("DLS_TEST_SOURCE"), name);
    assert_status(dls_scene_read(path, &scene, &error), &error);
    assert_status(dls_model_create(scene, &model, &error), &error);
    assert_status(dls_problem_create(model, dls_model_initial(model), NULL, dls_model_world(model)->step, &p, &error),
                  &error);
    dls_model_destroy(model);
    dls_scene_destroy(scene);
    return p;
}

/* The entries of M are one symmetric matrix, to the last bit, in what is certified and in what is written: a
 * certificate of impulses is the same number of the problem and of its file. */
static void test_one_mass_matrix(void **unused)
{
    static const char *const scenes[] = {"tendons",  "arm-12",    "driven-arm",   "gripper", "shoulder",
                                         "humanoid", "every-row", "slider-crank", "chain-10"};
    (void)unused;
    size_t dense = 0;
    for (size_t k = 0; k < sizeof scenes / sizeof scenes[0]; k++) {
        dls_problem *p = problem_of_scene(scenes[k]), *q;
        const size_t n = p->n, nv = p->nv;
        double *M = test_calloc(2 * nv * nv + n, sizeof *M), *back = M + nv * nv, *lambda = back + nv * nv;
        dls_bounds of_p, of_q;
        dls_error error;
        assert_status(dls_problem_write(p, "test_bounds.problem", &error), &error);
        assert_status(dls_problem_read("test_bounds.problem", &q, &error), &error);
        assert_int_equal(unlink("test_bounds.problem"), 0);
        assert_status(dls_dense_mass(p, M, &error), &error);
        assert_status(dls_dense_mass(q, back, &error), &error);
        assert_memory_equal(M, back, nv * nv * sizeof *M);
        for (size_t j = 0; j < nv; j++)
            for (size_t i = 0; i < j; i++)
                assert_true(M[i + nv * j] == M[j + nv * i]);
        for (size_t i = 0; i < n; i++)
            lambda[i] = p->lo[i] > -HUGE_VAL ? p->lo[i] : 1e-3 * (double)(i % 7);
        assert_status(dls_certify(p, lambda, &of_p, &error), &error);
        assert_status(dls_certify(q, lambda, &of_q, &error), &error);
        assert_string_equal(of_p.text, of_q.text);
        assert_memory_equal(&of_p.lambda, &of_q.lambda, sizeof of_p.lambda);
        assert_memory_equal(of_p.radius_lambda, of_q.radius_lambda, 2 * n * sizeof *of_p.radius_lambda);
        for (size_t b = 0; b < p->mass.n_blocks; b++)
            dense += p->mass.blocks[b].kind == &dls_mass_articulation_kind;
        dls_bounds_release(&of_p), dls_bounds_release(&of_q);
        dls_problem_destroy(p), dls_problem_destroy(q);
        test_free(M);
    }
    assert_true(dense >= 5);
}

/* A good answer is moved, and loses a row: the radius follows. Then A is no longer definite, and the radius is gone. */
static void test_broken_answers(void **unused)
{
    (void)unused;
    const dls_recipe recipe = {DLS_MATRIX_DEFINITE, DLS_BOUNDS_BOXED, 40, 0.0, 7};
    double lambda[40], moved[40];
    dls_problem *p;
    dls_error error;
    assert_status(dls_manufacture(&recipe, &p, lambda, NULL, &error), &error);
    dls_bounds good = certified(p, lambda);
    assert_int_equal(good.kind, DLS_BOUNDS_ACTIVE_SET);
    assert_true(good.unique);
    assert_below(good.lambda, 1e-13);
    for (double far = 1e-12; far < 10.0; far *= 10.0) {
        memcpy(moved, lambda, sizeof moved);
        moved[17] += far;
        dls_bounds bounds = certified(p, moved);
        assert_true(bounds.radius_lambda[17] >= far - good.lambda);
        assert_below(bounds.radius_lambda[17], far + 1e-12);
        dls_bounds_release(&bounds);
    }
    for (size_t k = 0; k < p->J.n_blocks; k++) /* row 17 of A times -1 */
        if (k >= p->J.start[17] && k < p->J.start[18])
            for (size_t at = p->J.coef_at[k]; at < p->J.coef_at[k + 1]; at++)
                p->J.coef[at] *= -1.0;
    dls_bounds corrupt = certified(p, lambda);
    assert_false(corrupt.kind != DLS_BOUNDS_NONE && corrupt.unique);
    assert_true(corrupt.kind == DLS_BOUNDS_NONE || corrupt.lambda > 1e-6);
    dls_bounds_release(&corrupt);
    dls_bounds_release(&good);
    dls_problem_destroy(p);
}

/* The n-th allocation fails, for every n. */
static void fail_each_allocation(const dls_problem *p, dls_bounds_kind expected)
{
    double lambda[MOST] = {0};
    size_t failed = 0;
    for (bool done = false; !done; failed++) {
        dls_bounds bounds;
        dls_error error;
        long before = live;
        allocations = 0, fail_at = failed + 1;
        dls_status status = dls_certify(p, lambda, &bounds, &error);
        fail_at = 0;
        assert_true(status == DLS_OK || status == DLS_NO_MEMORY);
        done = status == DLS_OK;
        assert_int_equal(bounds.kind, done ? expected : DLS_BOUNDS_NONE);
        dls_bounds_release(&bounds);
        assert_int_equal(live, before);
    }
    assert_true(failed > 2);
}

static void test_failing_memory(void **unused)
{
    (void)unused;
    const double A[9] = {1, 5, 0, 0, 1, 4, 0, 0, 1}, b[3] = {0.385, 0.1, 0.7}, lo[3] = {-1, -1, -1}, hi[3] = {1, 1, 1};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static mechanism m;
    dls_problem *general;
    dls_error error;
    draw_resting(rng, 5, &m);
    fail_each_allocation(m.problem, DLS_BOUNDS_VELOCITY);
    assert_status(dls_problem_from_matrix(3, A, b, lo, hi, &general, &error), &error);
    fail_each_allocation(general, DLS_BOUNDS_ACTIVE_SET);
    dls_problem_destroy(general);
    dls_problem_destroy(m.problem);
    bool sum[MOST];
    draw_dependent(rng, 4, CONTRADICT, &m, sum);
    fail_each_allocation(m.problem, DLS_BOUNDS_INDEPENDENT);
    dls_problem_destroy(m.problem);
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_false_certificate),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_mechanisms),
        cmocka_unit_test(test_redundant_mechanisms),
        cmocka_unit_test(test_resting_bodies),
        cmocka_unit_test(test_dependent_rows),
        cmocka_unit_test(test_manufactured),
        cmocka_unit_test(test_larger_problems),
        cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_panels),
        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_digits),
        cmocka_unit_test(test_twofold_sums),
        cmocka_unit_test(test_dot_products),
        cmocka_unit_test(test_enclosures),
        cmocka_unit_test(test_slopes),
        cmocka_unit_test(test_definite_slopes),
        cmocka_unit_test(test_P_matrices),
        cmocka_unit_test(test_definite_blocks),
        cmocka_unit_test(test_squares_that_underflow),
        cmocka_unit_test(test_indefinite_distances),
        cmocka_unit_test(test_lost_entries),
        cmocka_unit_test(test_subnormal_entries),
        cmocka_unit_test(test_amended_factors),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_gaps_of_rows_without_bounds),
        cmocka_unit_test(test_nothing_without_a_solution),
        cmocka_unit_test(test_irregular_rows),
        cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_no_mass),
        cmocka_unit_test(test_one_mass_matrix),
        cmocka_unit_test(test_broken_answers),
        cmocka_unit_test(test_failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
