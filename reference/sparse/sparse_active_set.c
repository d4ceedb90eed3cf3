/* Active set on sparse factors: the proximal point method, whose steps are solved by exchanges of whole blocks.
 *
 * lambda maximises q(lambda) = -1/2 lambda^T A lambda - b^T lambda over its bounds. Where rows depend on each other A
 * is singular, and with many rows on few bodies it is full; the method needs neither A nor its factor. A step
 *     lambda + x,   x the maximiser of  q(lambda + x) - 1/2 x^T R x  within the bounds,   R = eps diag(A),          (1)
 * is a problem with the definite matrix A + R. Its dual is to minimise over the change d of the velocities
 *     theta(d) = 1/2 d^T M d + sum_i phi_i(J_i d),     -phi_i' = x_i(d) = clamp(-s_i (w_i + J_i d)),
 *     w = A lambda + b,   s_i = 1 / (R_i + Gamma_i),   clamped to [lo_i - lambda_i, hi_i - lambda_i]:               (2)
 * every row is a spring of stiffness s_i whose force keeps within the bounds. theta is strictly convex, piecewise
 * quadratic, with a continuous gradient F = M d - J^T x(d). Newton's method on F,
 *     H p = -F,   H = M + sum over F of s_i J_i^T J_i,   F the rows whose force is strictly between the bounds,
 * exchanges all rows at once that are in the wrong set, as block pivoting does: a full step ends where every row of F
 * has w_i + R_i x_i = 0. H is M + J^T J / R, sparse where few rows join two bodies, definite whatever F is, and has one
 * structure for all sets, which is ordered once. SAFEGUARD: where a full step does not bring the slope along p down, it
 * ends at the least value of theta along p, which is exact for a piecewise quadratic function. Then Newton's method
 * converges from everywhere, and it is finite: in the neighbourhood of the minimum, which is reached, every piece
 * contains it, and a full step ends there (J. Sun, "On piecewise quadratic Newton and trust region problems", Math.
 * Program. 76 (1997)).
 *
 * (1) converges to a solution if there is one (R. T. Rockafellar, "Monotone operators and the proximal point
 * algorithm", SIAM J. Control Optim. 14 (1976)), with the factor eps / (eps + mu) near it, mu the least positive
 * eigenvalue of D^-1/2 A_FF D^-1/2 (F. J. Luque 1984): of 1e-6 for a chain of a thousand links. eps begins at 1e-2,
 * where few rows change sides, and ends at `proximal`, 1e-8 by default, or below it (next_weight): two or three steps
 * do then. Each evaluates w from lambda again and solves for the change alone, so that the rounding of a factor of
 * condition 1 / eps shrinks with the steps (iterative refinement, to the solution without R). Redundant rows share
 * their impulse as the steps leave it, near the least sum lambda_i^2 A_ii; those that contradict each other end at the
 * least sum w_i^2 / A_ii.
 *
 * FRICTION bounded by the normal impulse (a box for each tangent): each step takes mu lambda_n of the step before, the
 * fixed point of fixed_point.c with one proximal step in the place of a solution. It converges where that does: mu
 * times the coupling of normals and tangents is below 1. No rate is known otherwise. The answer has the friction of its
 * own normal impulses: where these are rounding, that of the step before is another one altogether. */
#include "sparse.h"

#include "delassus/reference.h"

#include "direct/direct.h"
#include "self_check.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    double tolerance, proximal;
    size_t limit, exchanges;
} settings;

static const dls_field fields[] = {
    {"tolerance", "", DLS_FIELD_REAL, offsetof(settings, tolerance), "1e-12", 0, 1, false, NULL,
     "violation of each row that counts as solved, as a share of the terms of its w"},
    {"proximal", "", DLS_FIELD_REAL, offsetof(settings, proximal), "1e-8", 1e-12, 1, false, NULL,
     "weight of the proximal term, as a share of A_ii, that the steps come down to; without friction it falls further, "
     "to 1e-12, where nothing else is left to gain"},
    {"limit", "", DLS_FIELD_COUNT, offsetof(settings, limit), "300", 1, 1e9, false, NULL,
     "greatest number of proximal steps"},
    {"exchanges", "", DLS_FIELD_COUNT, offsetof(settings, exchanges), "300", 1, 1e9, false, NULL,
     "greatest number of exchanges, each with a factorisation, in a proximal step"},
};

/* Steps go on to this violation while they make it smaller: a row whose own terms are small beside the others has it.
 */
static const double rounding = 1e-14;
static const double first_proximal = 1e-2, least_proximal = 1e-12, shrinking = 0.1;

typedef enum row_set { AT_LOWER, BETWEEN, AT_UPPER } row_set;

typedef struct work {
    const dls_problem *p;
    settings settings;
    dls_arena memory;
    dls_springs springs;
    dls_sparse_factor *factor;
    double eps, least; /* weight of the proximal term, and its least */
    dls_row_terms terms;
    double *s;                                            /* n: stiffness, 0 outside of F */
    double p_M_d, p_M_p;                                  /* of the step p */
    double *lambda, *w, *lo, *hi;                         /* n: and the bounds of x */
    double *x, *along, *w_along;                          /* n: x(d), J d, J p */
    double *v, *d, *gradient, *step, *scratch, *momentum; /* nv */
    unsigned char *set;                                   /* n: that H was factored with */
    bool factored;
} work;

/* --- the proximal step --- */

static double stiffness(const work *a, size_t i)
{
    const double compliance = a->eps * a->terms.D[i] + a->p->gamma[i];
    return compliance > 0.0 ? 1.0 / compliance : 0.0;
}

/* x_i at w_i + J_i d = w. A row that no impulse moves keeps its own. */
static double force_of_row(const work *a, size_t i, double w)
{
    const double x = -w * stiffness(a, i);
    return x < a->lo[i] ? a->lo[i] : x > a->hi[i] ? a->hi[i] : x;
}

/* A row that just touches its bound is between: in a pile that begins to fall all contacts are closed, and those under
 * the first box alone approach. */
static row_set set_of_row(const work *a, size_t i, double w)
{
    const double x = -w * stiffness(a, i);
    return x < a->lo[i] || a->lo[i] == a->hi[i] ? AT_LOWER : x > a->hi[i] ? AT_UPPER : BETWEEN;
}

/* The slope of theta along p at d + t p. */
static double slope_at(const void *context, double t)
{
    const work *a = context;
    double slope = a->p_M_d + t * a->p_M_p;
    for (size_t i = 0; i < a->p->n; i++)
        slope -= a->w_along[i] * force_of_row(a, i, a->w[i] + a->along[i] + t * a->w_along[i]);
    return slope;
}

/* Puts the sets at d into the stiffnesses; returns the number of rows that are in another one than in the factor. */
static size_t update_sets(work *a)
{
    size_t changed = 0;
    for (size_t i = 0; i < a->p->n; i++) {
        const row_set now = set_of_row(a, i, a->w[i] + a->along[i]);
        changed += a->set[i] != now;
        a->set[i] = (unsigned char)now;
        a->s[i] = now == BETWEEN ? stiffness(a, i) : 0.0;
    }
    return changed;
}

static double dot(size_t n, const double *x, const double *y)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* F = M d - J^T x(d), and M d in `momentum`. */
static void find_gradient(work *a)
{
    dls_mass_multiply(&a->p->mass, a->d, a->momentum);
    memcpy(a->gradient, a->momentum, a->p->nv * sizeof *a->gradient);
    for (size_t i = 0; i < a->p->n; i++) {
        a->x[i] = force_of_row(a, i, a->w[i] + a->along[i]);
        if (a->x[i] != 0.0)
            dls_rows_axpy(&a->p->J, i, -a->x[i], a->gradient);
    }
}

/* x of (1), for the present eps; *good: false where H has no factor. */
static dls_status take_proximal_step(work *a, dls_report *report, bool *good, dls_error *error)
{
    const dls_problem *p = a->p;
    const size_t nv = p->nv;
    memset(a->d, 0, nv * sizeof *a->d);
    memset(a->along, 0, p->n * sizeof *a->along);
    double first = 0.0;
    *good = true;
    for (size_t count = 0; count < a->settings.exchanges; count++) {
        const size_t changed = update_sets(a);
        if (changed > 0 || !a->factored) {
            dls_springs_fill(&a->springs, a->s);
            DLS_TRY(dls_sparse_factorize(a->factor, &a->springs.H, good, error));
            a->factored = *good;
            if (!*good)
                return DLS_OK;
            report->factorizations++;
            report->row_visits += dls_sparse_factor_operations(a->factor) / 48.0;
        }
        report->iterations++;
        report->row_visits += 4.0 * (double)p->n + dls_sparse_factor_entries(a->factor) / 12.0;
        find_gradient(a);
        for (size_t j = 0; j < nv; j++)
            a->gradient[j] = -a->gradient[j];
        DLS_TRY(dls_sparse_factor_solve(a->factor, &a->springs.H, a->gradient, a->step, error));
        const double decrement = dot(nv, a->gradient, a->step);
        first = fmax(first, decrement);
        if (!(decrement > 1e-24 * first)) /* rounding is left */
            break;
        for (size_t i = 0; i < p->n; i++)
            a->w_along[i] = dls_rows_dot(&p->J, i, a->step);
        dls_mass_multiply(&p->mass, a->step, a->scratch);
        a->p_M_d = dot(nv, a->step, a->momentum), a->p_M_p = dot(nv, a->step, a->scratch);
        const double t = dls_length_of_step(slope_at, a);
        for (size_t j = 0; j < nv; j++)
            a->d[j] += t * a->step[j];
        for (size_t i = 0; i < p->n; i++)
            a->along[i] += t * a->w_along[i];
        if (count > 0 && changed == 0)
            break;
    }
    find_gradient(a);
    return DLS_OK;
}

/* --- lambda --- */

/* v, w and the bounds of x at lambda. */
static void evaluate(work *a)
{
    const dls_problem *p = a->p;
    dls_problem_velocity(p, a->lambda, a->v, a->scratch);
    for (size_t i = 0; i < p->n; i++) {
        double lo, hi;
        dls_problem_bounds(p, i, a->lambda, &lo, &hi);
        a->lo[i] = lo - a->lambda[i], a->hi[i] = hi - a->lambda[i];
        a->w[i] = dls_rows_dot(&p->J, i, a->v) + p->gamma[i] * a->lambda[i] - p->c[i];
    }
}

static void add_step(work *a)
{
    for (size_t i = 0; i < a->p->n; i++) {
        const bool coupled = a->p->parent[i] != DLS_NONE;
        const double lo = coupled ? a->lambda[i] + a->lo[i] : a->p->lo[i],
                     hi = coupled ? a->lambda[i] + a->hi[i] : a->p->hi[i], next = a->lambda[i] + a->x[i];
        a->lambda[i] = next < lo ? lo : next > hi ? hi : next;
    }
}

/* Friction at a bound of its normal impulse, which has changed by rounding since the bound was taken: to this bound. */
static void settle_friction(work *a)
{
    for (size_t i = 0; i < a->p->n; i++) {
        if (a->p->parent[i] == DLS_NONE || !(a->terms.D[i] > 0.0))
            continue;
        const double x = -a->w[i] / a->terms.D[i];
        a->lambda[i] += x <= a->lo[i] ? a->lo[i] : x >= a->hi[i] ? a->hi[i] : 0.0;
    }
}

/* Nor may a row be off by more than this times the tolerance of the data. */
static const double beside_data = 1e-4;

/* The largest violation of a row, as a share of the terms of its w. Infinite where w is not finite. */
static double largest_violation(work *a)
{
    double worst = 0.0;
    dls_row_terms_update(&a->terms, a->lambda);
    for (size_t i = 0; i < a->p->n; i++) {
        const double w = a->w[i], D = a->terms.D[i], slack = w > 0.0 ? -a->lo[i] : a->hi[i];
        const double off = fmax(fmax(a->lo[i], -a->hi[i]), 0.0), wrong = fmax(fmin(fabs(w), D * slack), D * off);
        if (!isfinite(w))
            return HUGE_VAL;
        worst = fmax(worst, dls_row_terms_share(&a->terms, a->lambda, i, wrong, beside_data));
    }
    return worst;
}

/* --- rows that contradict each other --- */

/* Where no impulses fulfil all rows, lambda goes on along a y = x that moves nothing, A y = 0 and b.y < 0: a Farkas
 * vector, if it is one exactly (farkas.c). Loops that are not closed have one too, but a least-squares solution by
 * convention: the dense methods find it, and this one claims nothing. lambda ends without its part along y. */
static dls_status conclude_contradiction(work *a, double violation, dls_report *report, dls_error *error)
{
    const dls_problem *p = a->p;
    double largest = 0.0, along = 0.0, square = 0.0, *y = calloc(p->n + 1, sizeof *y);
    bool bounded = false;
    dls_farkas_proof proof = {0};
    if (!y)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a proof of %zu entries", p->n);
    for (size_t i = 0; i < p->n; i++) {
        bounded = bounded || (a->x[i] != 0.0 && !(isinf(p->lo[i]) && isinf(p->hi[i])));
        largest = fmax(largest, fabs(a->x[i]));
        along += a->x[i] * a->terms.D[i] * a->lambda[i];
        square += a->x[i] * a->terms.D[i] * a->x[i];
    }
    for (size_t i = 0; i < p->n; i++) {
        y[i] = a->x[i] / largest;
        a->lambda[i] -= bounded ? 0.0 : along / square * a->x[i];
    }
    dls_status status = bounded && largest > 0.0 ? dls_farkas_verify(p, y, &proof, error) : DLS_OK;
    if (proof.proved) {
        report->proof = DLS_PROOF_FARKAS, report->proof_vector = y;
        dls_report_end(report, DLS_OUTCOME_NO_SOLUTION, "impulses grow without end along a Farkas vector");
        return status;
    }
    free(y);
    dls_report_end(report, DLS_OUTCOME_ITERATION_LIMIT,
                   "rows contradict each other, or nearly: one is violated by %.3g of its terms", violation);
    return status;
}

/* --- the method --- */

/* The weight of the next proximal term after a step with `used` factorisations: smaller, unless many exchanges say that
 * the sets are far from those of the solution. Below the setting it shrinks where the sets stand still, and the factor
 * of convergence is all that is left. Friction stands still where its bounds follow the rounding of w of redundant
 * contacts, which 1 / eps magnifies: then it is larger for good. */
static double next_weight(work *a, size_t used, double improvement)
{
    const size_t many = 20;
    const bool coupled = a->p->n_coupled > 0;
    if (coupled && used <= many && improvement > 0.9)
        a->least = a->eps / shrinking;
    const double least = used <= 1 && improvement > 1e-2 && !coupled ? fmin(least_proximal, a->least) : a->least;
    const double next = used <= many ? shrinking * a->eps : used < a->settings.exchanges ? a->eps : a->eps / shrinking;
    return fmin(fmax(next, coupled ? least : fmin(least, a->eps)), first_proximal);
}

static dls_status active_set_iterate(void *memory, dls_report *report, dls_error *error)
{
    work *a = memory;
    const dls_problem *p = a->p;
    size_t steps = 0, still = 0;
    bool good = true;
    for (size_t i = 0; i < p->n; i++)
        a->lambda[i] = p->parent[i] == DLS_NONE ? fmin(fmax(0.0, p->lo[i]), p->hi[i]) : 0.0;
    evaluate(a);
    double violation = largest_violation(a);
    bool ended = !(violation > 0.0);
    a->least = a->settings.proximal;
    for (a->eps = first_proximal; !ended && steps < a->settings.limit && still < 4; steps++) {
        const size_t before = report->factorizations;
        DLS_TRY(take_proximal_step(a, report, &good, error));
        if (!good || !isfinite(violation))
            break;
        add_step(a);
        evaluate(a);
        const double last = violation, weight = a->eps;
        const size_t used = report->factorizations - before;
        violation = largest_violation(a);
        still =
            used <= 1 && a->eps <= a->settings.proximal && p->n_coupled == 0 && violation > 0.5 * last ? still + 1 : 0;
        ended = violation <= a->settings.tolerance && (violation <= rounding || violation > 0.5 * last);
        a->eps = next_weight(a, used, violation / last);
        a->factored = a->factored && a->eps == weight;
    }
    if (violation <= a->settings.tolerance) {
        report->outcome = DLS_OUTCOME_SOLVED;
        settle_friction(a);
    } else if (!good || !isfinite(violation))
        dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE, "M + J^T J / eps is not definite to rounding");
    else if (still > 0)
        return conclude_contradiction(a, violation, report, error);
    else
        dls_report_end(report, DLS_OUTCOME_ITERATION_LIMIT,
                       "%zu proximal steps; a row is still violated by %.3g of its terms", steps, violation);
    return DLS_OK;
}

/* --- the solver --- */

static void active_set_close(void *memory)
{
    work *a = memory;
    if (!a)
        return;
    dls_sparse_factor_destroy(a->factor);
    dls_arena_release(&a->memory);
    free(a);
}

static dls_status load_problem(work *a, const dls_problem *p, dls_error *error)
{
    a->p = p;
    double **const of_rows[] = {&a->s, &a->lambda, &a->w, &a->lo, &a->hi, &a->x, &a->along, &a->w_along};
    double **const of_velocities[] = {&a->v, &a->d, &a->gradient, &a->step, &a->momentum};
    for (size_t k = 0; k < sizeof of_rows / sizeof *of_rows; k++)
        *of_rows[k] = DLS_TAKE_ZEROS(&a->memory, double, p->n);
    for (size_t k = 0; k < sizeof of_velocities / sizeof *of_velocities; k++)
        *of_velocities[k] = DLS_TAKE_ZEROS(&a->memory, double, p->nv);
    a->scratch = DLS_TAKE_ZEROS(&a->memory, double, 2 * p->nv);
    a->set = DLS_TAKE_ZEROS(&a->memory, unsigned char, p->n);
    if (!dls_row_terms_take(p, &a->memory, &a->terms))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a problem of %zu rows", p->n);
    DLS_TRY(dls_springs_take(p, true, &a->memory, &a->springs, error));
    return dls_sparse_factor_analyze(a->factor, &a->springs.H, error);
}

static dls_status active_set_open(const dls_problem *p, const void *set, const double *lambda0, void **out,
                                  dls_error *error)
{
    (void)lambda0;
    *out = NULL;
    DLS_TRY(dls_self_check(error));
    work *a = calloc(1, sizeof *a);
    if (!a)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for sparse-active-set");
    a->settings = *(const settings *)set;
    dls_status status = dls_sparse_factor_create(DLS_SPARSE_CHOLESKY, &a->factor, error);
    if (status == DLS_OK)
        status = load_problem(a, p, error);
    if (status == DLS_OK)
        *out = a;
    else
        active_set_close(a);
    return status;
}

static void active_set_read(const void *memory, double *lambda)
{
    const work *a = memory;
    memcpy(lambda, a->lambda, a->p->n * sizeof *lambda);
}

const dls_solver dls_solver_sparse_active_set = {
    .name = "sparse-active-set",
    .summary = "proximal point method whose steps exchange blocks of rows, on sparse factors of M + J^T J / eps",
    .source = "Rockafellar 1976; Sun 1997",
    .kind = DLS_SOLVER_DIRECT,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_COUPLED | DLS_NEEDS_MASS | DLS_LARGE,
    .fields = DLS_FIELD_TABLE(fields, settings),
    .open = active_set_open,
    .iterate = active_set_iterate,
    .read = active_set_read,
    .close = active_set_close};
