/* verdicts.h - a search for false verdicts: random small problems by every solver, judged as `delassus solve` judges,
 * and judged again in exact arithmetic. A verdict is false where
 *     an answer passes for a solution, and there is none,
 *     an answer passes for a solution without a certificate, and its exact figure is above the tolerance,
 *     a certificate says that a solution is within its radii, and none is,
 *     solutions are said to be several, or a continuum, and they are not,
 *     there is said to be no solution, and there is one,
 *     a direct method speaks of a number that is none, or hands one to LAPACK,
 *     two methods contradict each other.
 * Where the stored problem has no solution, but a change of b by data_tolerance of its size, or of the rounding of
 * terms, makes some answer one, rows contradict each other by no more than can be told: those are counted apart.
 *
 * Nothing here is shared with the examiner: doc/verdicts.md defines the figures. */
#ifndef DLS_TESTS_VERDICTS_H
#define DLS_TESTS_VERDICTS_H

#include "examined.h"
#include "mechanisms.h"

#include "delassus/experiments.h"

#include "draws.h"
#include "exact/rational.h"
#include "finite_lapack.h"

#include <float.h>
#include <string.h>

enum { N = 8, SOLVERS_MAX = 64, OUTCOMES = DLS_OUTCOMES };

static const double tolerance = 1e-9;      /* of delassus solve */
static const double data_tolerance = 3e-8; /* of violations beside b alone: 20 tolerances, outcome.c */

/* A problem, and its A and b as exact numbers: of the same rows without friction, which dls_rational refuses. */
typedef struct instance {
    const char *kind;
    dls_problem *problem, *rows;
    dls_rational exact;
    size_t n_solutions; /* all of them, where they are isolated and known exactly; rounded to the nearest doubles */
    double *solutions;
} instance;

/* --- problems of bodies --- */

/* n rows without bounds on one or two bodies, of masses up to 1e12 apart; the coefficients of J are still 0. */
static dls_problem *problem_of_bodies(size_t n, size_t n_bodies)
{
    static dls_mass_body bodies[2];
    dls_problem *p;
    dls_error error = {0};
    assert_true(n_bodies <= sizeof bodies / sizeof bodies[0]);
    assert_status(dls_problem_allocate(n, 6 * n_bodies, n_bodies * n, 6 * n_bodies * n, n_bodies, &p, &error), &error);
    p->form = DLS_FORM_MECHANICAL, p->h = 0.01;
    for (size_t k = 0; k < n_bodies; k++) {
        double mass = draw(0, 1) ? 1.0 : scale_between(-3.0, 9.0), inertia = mass * uniform(0.01, 1.0);
        bodies[k] = (dls_mass_body){.mass = mass, .inverse_mass = 1.0 / mass};
        for (int i = 0; i < 3; i++)
            bodies[k].inertia.m[4 * i] = inertia, bodies[k].inverse_inertia.m[4 * i] = 1.0 / inertia;
        p->mass.blocks[k] = (dls_mass_block){6 * k, 6, &dls_mass_body_kind, &bodies[k]};
    }
    for (size_t j = 0; j < p->nv; j++)
        p->v_star[j] = draw(0, 2) ? uniform(-1.0, 1.0) : 0.0;
    for (size_t block = 0; block < n_bodies * n; block++) {
        p->J.offset[block] = 6 * (block % n_bodies), p->J.mass[block] = (uint32_t)(block % n_bodies);
        p->J.coef_at[block + 1] = 6 * (block + 1);
    }
    for (size_t i = 0; i < n; i++) {
        p->J.start[i + 1] = n_bodies * (i + 1);
        p->lo[i] = -HUGE_VAL, p->hi[i] = HUGE_VAL, p->parent[i] = DLS_NONE;
    }
    return p;
}

/* --- scales, of exact terms --- */

typedef struct scales {
    double A[N][N], b[N], T[N], Lambda[N];
    double impulse[N]; /* Lambda before the bounds of the row cut it */
} scales;

static double share(double x, double scale) { return x == 0.0 ? 0.0 : x / scale; }

/* Sizes of the terms of each w_i, and of the impulse that row i tells from 0 (examine.c). The sums have no
 * cancellation. In the mechanical form the examiner bounds |A_ij| body by body: by sqrt(A_ii A_jj) at most, and by
 * half of it never. */
static scales scales_of(const instance *at, const double *lambda)
{
    const dls_problem *p = at->problem;
    const bool matrix = p->form == DLS_FORM_MATRIX;
    scales s = {0};
    for (size_t i = 0; i < p->n; i++) {
        for (size_t j = 0; j < p->n; j++)
            s.A[i][j] = fabs(dls_rational_get(fmpq_mat_entry(at->exact.A, (slong)i, (slong)j), DLS_ROUND_NEAREST));
        s.b[i] = fabs(dls_rational_get(fmpq_mat_entry(at->exact.b, (slong)i, 0), DLS_ROUND_NEAREST));
    }
    for (size_t i = 0; i < p->n; i++) {
        s.T[i] = s.b[i];
        for (size_t j = 0; j < p->n; j++)
            s.T[i] += (matrix ? s.A[i][j] : sqrt(s.A[i][i] * s.A[j][j])) * fabs(lambda[j]);
    }
    for (size_t i = 0; i < p->n; i++) {
        double bound = fmax(isinf(p->lo[i]) ? 0.0 : fabs(p->lo[i]), isinf(p->hi[i]) ? 0.0 : fabs(p->hi[i]));
        s.impulse[i] = HUGE_VAL;
        for (size_t j = 0; j < p->n; j++)
            if (s.A[j][i] > 0.0)
                s.impulse[i] = fmin(s.impulse[i], (matrix ? 1.0 : 2.0) * s.T[j] / s.A[j][i]);
        s.Lambda[i] = bound > 0.0 && p->parent[i] == DLS_NONE ? fmin(bound, s.impulse[i]) : s.impulse[i];
        s.Lambda[i] = isinf(s.Lambda[i]) ? 0.0 : s.Lambda[i];
    }
    return s;
}

/* The rounding of b_i = J_i v* - c_i, which the examiner does not tell from 0. */
static double rounding_of_b(const dls_problem *p, size_t i)
{
    double sum = fabs(p->c[i]);
    if (p->form == DLS_FORM_MATRIX)
        return 0.0;
    for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++)
        for (size_t c = p->J.coef_at[k]; c < p->J.coef_at[k + 1]; c++)
            sum += fabs(p->J.coef[c] * p->v_star[p->J.offset[k] + c - p->J.coef_at[k]]);
    return 16.0 * DBL_EPSILON * sum;
}

/* --- the exact figure of an answer --- */

typedef struct range {
    double lo, hi;
} range;

/* Friction is bounded by the normal impulse. */
static range bounds_of(const dls_problem *p, size_t i, const double *lambda)
{
    const size_t normal = p->parent[i];
    const double most = normal == DLS_NONE ? 0.0 : p->mu[i] * fmax(0.0, lambda[normal]);
    return normal == DLS_NONE ? (range){p->lo[i], p->hi[i]} : (range){-most, most};
}

/* How far lambda_i may still move the way w presses. */
static double slack_of(range r, double lambda, double w) { return w > 0.0 ? lambda - r.lo : r.hi - lambda; }

static double row_figure(const instance *at, const scales *s, size_t i, const double *lambda, const double *w)
{
    const range r = bounds_of(at->problem, i, lambda);
    const double l = lambda[i], off = l < r.lo ? r.lo - l : l > r.hi ? l - r.hi : 0.0, slack = slack_of(r, l, w[i]);
    const double wrong = fabs(w[i]) <= rounding_of_b(at->problem, i) ? 0.0 : share(fabs(w[i]), s->T[i]);
    return fmax(share(off, s->Lambda[i]), slack > 0.0 ? fmin(share(slack, s->Lambda[i]), wrong) : 0.0);
}

/* The scale of both tangents, i and i + 1. */
static double disc_Lambda(const scales *s, size_t i, double radius)
{
    const double one = s->impulse[i], other = s->impulse[i + 1];
    return isinf(one) && isinf(other) ? radius : isinf(one) ? other : isinf(other) ? one : fmax(one, other);
}

/* Both tangents as one: the impulse against the disc, and its distance from where it comes to rest when it is moved
 * against the velocity. */
static double disc_figure(const instance *at, const scales *s, size_t i, const double *lambda, const double *w)
{
    const double radius = bounds_of(at->problem, i, lambda).hi, T = fmax(s->T[i], s->T[i + 1]);
    const double Lambda = disc_Lambda(s, i, radius), length = hypot(lambda[i], lambda[i + 1]);
    const double off = share(fmax(0.0, length - radius), Lambda), speed = hypot(w[i], w[i + 1]);
    if (Lambda == 0.0)
        return fmax(off, radius > 0.0 ? share(speed, T) : 0.0);
    double x[2], to[2];
    for (size_t k = 0; k < 2; k++) {
        x[k] = lambda[i + k] * (length > radius ? radius / length : 1.0);
        to[k] = x[k] - share(w[i + k], T) * Lambda;
    }
    const double reach = hypot(to[0], to[1]), brought = reach > radius ? radius / reach : 1.0;
    return fmax(off, brought == 1.0 ? share(speed, T) : hypot(x[0] - brought * to[0], x[1] - brought * to[1]) / Lambda);
}

static bool is_tangent(const dls_problem *p, size_t i) { return p->law[i] == DLS_LAW_CONE; }
static bool first_tangent(const dls_problem *p, size_t i) { return is_tangent(p, i) && p->parent[i] + 1 == i; }

/* The examiner's scaled residual with exact w. */
static double exact_figure(const instance *at, const double *lambda)
{
    const scales s = scales_of(at, lambda);
    double w[N], worst = 0.0;
    dls_rational_residual(&at->exact, lambda, NULL, w);
    for (size_t i = 0; i < at->problem->n; i++)
        if (!is_tangent(at->problem, i))
            worst = fmax(worst, row_figure(at, &s, i, lambda, w));
        else if (first_tangent(at->problem, i))
            worst = fmax(worst, disc_figure(at, &s, i, lambda, w));
    return worst;
}

/* Impulses whose entries that are nearly at a bound are there. Normal rows come before their tangents. */
static void move_to_bounds(const instance *at, const scales *s, const double *lambda, const double *w, double *moved)
{
    const dls_problem *p = at->problem;
    for (size_t i = 0; i < p->n; i++) {
        const range r = bounds_of(p, i, moved);
        if (is_tangent(p, i)) {
            if (!first_tangent(p, i))
                continue;
            const double speed = hypot(w[i], w[i + 1]), along = speed > 0.0 ? -r.hi / speed : 0.0;
            const double length = hypot(lambda[i], lambda[i + 1]), inside = length > r.hi ? r.hi / length : 1.0;
            const double slack = hypot(lambda[i] - along * w[i], lambda[i + 1] - along * w[i + 1]);
            const bool near =
                speed > 0.0 && share(slack, disc_Lambda(s, i, r.hi)) <= share(speed, fmax(s->T[i], s->T[i + 1]));
            for (size_t k = i; k < i + 2; k++)
                moved[k] = near ? along * w[k] : inside * lambda[k];
            continue;
        }
        const double slack = slack_of(r, lambda[i], w[i]);
        const bool near = slack > 0.0 && share(slack, s->Lambda[i]) <= share(fabs(w[i]), s->T[i]);
        moved[i] = fmin(fmax(near ? (w[i] > 0.0 ? r.lo : r.hi) : lambda[i], r.lo), r.hi);
    }
}

/* An impulse at a bound, or one part in 1e6 from it, is data (doc/verdicts.md). */
static bool is_given(double x, double bound) { return !isinf(bound) && fabs(x - bound) <= 1e-6 * fabs(bound); }

/* By which part b would have to change, so that lambda solves the problem once its entries that are nearly at a bound
 * are there: the energy of each violation, |w_i| times the largest impulse that the row has or tells from 0, against
 * that of b, sum |b_j lambda_j|, where impulses at a bound count with all terms of their rows. */
static double change_of_data(const instance *at, const double *lambda)
{
    const dls_problem *p = at->problem;
    const scales s = scales_of(at, lambda);
    double w[N], moved[N], worst = 0.0, data = 0.0;
    dls_rational_residual(&at->exact, lambda, NULL, w);
    move_to_bounds(at, &s, lambda, w, moved);
    dls_rational_residual(&at->exact, moved, NULL, w);
    for (size_t i = 0; i < p->n; i++) {
        const bool given = p->parent[i] == DLS_NONE && (is_given(moved[i], p->lo[i]) || is_given(moved[i], p->hi[i]));
        const double impulse = isinf(s.impulse[i]) ? 0.0 : s.impulse[i];
        data += (given ? s.T[i] : s.b[i]) * fabs(moved[i]);
        if (first_tangent(p, i))
            worst = fmax(worst, disc_figure(at, &s, i, moved, w) * fmax(s.T[i], s.T[i + 1]) *
                                    fmax(disc_Lambda(&s, i, 0.0), hypot(moved[i], moved[i + 1])));
        else if (!is_tangent(p, i) && slack_of(bounds_of(p, i, moved), moved[i], w[i]) > 0.0 && w[i] != 0.0)
            worst = fmax(worst, fabs(w[i]) * fmax(impulse, fabs(moved[i])));
    }
    return share(worst, data);
}

/* --- all choices of states, in rational arithmetic --- */

static size_t n_states(const dls_problem *p, size_t i)
{
    const bool lo = !isinf(p->lo[i]), hi = !isinf(p->hi[i]);
    return p->parent[i] != DLS_NONE || (lo && hi) ? 3 : lo || hi ? 2 : 1;
}

typedef struct exact_states {
    fmpq_mat_t M, right, lambda, w;
    fmpq_t lo, hi;
} exact_states;

/* State 0: w = 0; 1: at the upper bound, or at the only one; 2: at the lower one. M lambda = right. */
static void set_row(const instance *at, slong i, int state, exact_states *e)
{
    const dls_problem *p = at->problem;
    const size_t normal = p->parent[i];
    for (slong j = 0; j < (slong)p->n && state == 0; j++)
        fmpq_set(fmpq_mat_entry(e->M, i, j), fmpq_mat_entry(at->exact.A, i, j));
    if (state == 0) {
        fmpq_neg(fmpq_mat_entry(e->right, i, 0), fmpq_mat_entry(at->exact.b, i, 0));
        return;
    }
    fmpq_one(fmpq_mat_entry(e->M, i, i));
    if (normal != DLS_NONE)
        dls_rational_set(fmpq_mat_entry(e->M, i, (slong)normal), state == 1 ? -p->mu[i] : p->mu[i]);
    else
        dls_rational_set(fmpq_mat_entry(e->right, i, 0), state == 2 || isinf(p->hi[i]) ? p->lo[i] : p->hi[i]);
}

/* Whether row i holds: between its bounds, and w does not press away from one that is not reached. */
static bool holds(const dls_problem *p, slong i, exact_states *e)
{
    const size_t normal = p->parent[i];
    const fmpq *l = fmpq_mat_entry(e->lambda, i, 0);
    const int sign = fmpq_sgn(fmpq_mat_entry(e->w, i, 0));
    const bool has_lo = normal != DLS_NONE || !isinf(p->lo[i]), has_hi = normal != DLS_NONE || !isinf(p->hi[i]);
    if (normal != DLS_NONE) {
        dls_rational_set(e->hi, p->mu[i]);
        fmpq_mul(e->hi, e->hi, fmpq_mat_entry(e->lambda, (slong)normal, 0));
        fmpq_neg(e->lo, e->hi);
    } else {
        dls_rational_set(e->lo, has_lo ? p->lo[i] : 0.0), dls_rational_set(e->hi, has_hi ? p->hi[i] : 0.0);
    }
    return !(has_lo && fmpq_cmp(l, e->lo) < 0) && !(has_hi && fmpq_cmp(l, e->hi) > 0) &&
           !(sign > 0 && !(has_lo && fmpq_equal(l, e->lo))) && !(sign < 0 && !(has_hi && fmpq_equal(l, e->hi)));
}

static void init_states(exact_states *e, size_t rows)
{
    const slong n = (slong)rows;
    fmpq_init(e->lo), fmpq_init(e->hi);
    fmpq_mat_init(e->M, n, n), fmpq_mat_init(e->right, n, 1), fmpq_mat_init(e->lambda, n, 1), fmpq_mat_init(e->w, n, 1);
}
static void clear_states(exact_states *e)
{
    fmpq_mat_clear(e->M), fmpq_mat_clear(e->right), fmpq_mat_clear(e->lambda), fmpq_mat_clear(e->w);
    fmpq_clear(e->lo), fmpq_clear(e->hi);
}

/* Whether e->lambda is a solution. */
static bool solves_exactly(const instance *at, exact_states *e)
{
    const dls_problem *p = at->problem;
    fmpq_mat_mul(e->w, at->exact.A, e->lambda);
    fmpq_mat_add(e->w, e->w, at->exact.b);
    for (size_t i = 0; i < p->n; i++)
        if (!holds(p, (slong)i, e))
            return false;
    return true;
}

/* No solution, one, or several, without friction under a cone. *complete becomes whether there is no other: every
 * choice of states is a regular system. */
static dls_outcome outcome_of_states(const instance *at, bool *complete)
{
    const dls_problem *p = at->problem;
    exact_states e;
    fmpq_mat_t first;
    size_t sets = 1;
    dls_outcome found = DLS_OUTCOME_NO_SOLUTION;
    for (size_t i = 0; i < p->n; i++)
        sets *= n_states(p, i);
    init_states(&e, p->n);
    fmpq_mat_init(first, (slong)p->n, 1);
    *complete = true;
    for (size_t k = 0; k < sets; k++) {
        fmpq_mat_zero(e.M), fmpq_mat_zero(e.right);
        for (size_t i = 0, set = k; i < p->n; set /= n_states(p, i), i++)
            set_row(at, (slong)i, (int)(set % n_states(p, i)), &e);
        if (!fmpq_mat_solve(e.lambda, e.M, e.right)) {
            *complete = false;
        } else if (solves_exactly(at, &e)) {
            const bool another = found != DLS_OUTCOME_NO_SOLUTION && !fmpq_mat_equal(first, e.lambda);
            found = another || found == DLS_OUTCOME_SEVERAL ? DLS_OUTCOME_SEVERAL : DLS_OUTCOME_SOLVED;
            if (!another)
                fmpq_mat_set(first, e.lambda);
        }
    }
    fmpq_mat_clear(first);
    clear_states(&e);
    return found;
}

/* --- verdicts --- */

typedef struct tally {
    const dls_solver *solver;
    size_t outcomes[OUTCOMES];
} tally;

typedef enum fault { UNSOLVED, UNSOLVABLE, TOO_NEAR, MISCOUNTED, DENIED, NO_NUMBER, CONTRADICTION, FAULTS } fault;
static const char *const fault_names[FAULTS] = {"an answer above the tolerance",
                                                "an answer where there is none",
                                                "no solution within the radii",
                                                "not as many solutions as it says",
                                                "no solution where there is one",
                                                "not a number",
                                                "contradiction"};

typedef struct campaign {
    instance (*draw)(uint64_t seed);
    /* SOLVED, SEVERAL, CONTINUUM or NO_SOLUTION, exactly; REFUSED where it is not known. */
    dls_outcome (*truth)(instance *at);
    size_t iterations; /* of sweeps */
    tally tallies[SOLVERS_MAX];
    size_t n_solvers, truths[OUTCOMES], faults[FAULTS];
    size_t tolerated; /* problems */
    uint64_t seed;
    bool single;
} campaign;

static bool claims_solution(const dls_report *r)
{
    return r->outcome == DLS_OUTCOME_SOLVED || r->outcome == DLS_OUTCOME_SEVERAL || r->outcome == DLS_OUTCOME_CONTINUUM;
}

static void blame(campaign *c, fault which, const dls_solver *solver, const instance *at, const dls_report *report,
                  dls_outcome truth, double figure)
{
    if (c->faults[which]++ < 20 || c->single)
        print_error("seed %llu (%s, n = %zu): %s: %s: %s, %.120s; exact: %s, figure %.3e\n",
                    (unsigned long long)c->seed, at->kind, at->problem->n, fault_names[which], solver->name,
                    dls_outcome_text(report->outcome), report->message, dls_outcome_text(truth), figure);
}

static void solve(const dls_solver *solver, const dls_problem *p, size_t iterations, double *lambda, dls_report *report)
{
    double settings[32];
    dls_error error = {0};
    assert_true(solver->fields.size <= sizeof settings);
    assert_status(dls_fields_default(&solver->fields, settings, &error), &error);
    memset(lambda, 0, N * sizeof *lambda);
    lapack_is_watched = solver->kind == DLS_SOLVER_DIRECT;
    assert_status(dls_solve(solver, p, settings, solver->kind == DLS_SOLVER_DIRECT ? 1 : iterations, lambda, report,
                            NULL, NULL, &error),
                  &error);
    lapack_is_watched = false;
}

static void print_problem(const instance *at)
{
    const dls_problem *p = at->problem;
    for (size_t i = 0; i < p->n; i++) {
        for (size_t j = 0; j < p->n; j++)
            print_message("%.17g ",
                          dls_rational_get(fmpq_mat_entry(at->exact.A, (slong)i, (slong)j), DLS_ROUND_NEAREST));
        print_message("| b %.17g, lo %.17g, hi %.17g, mu %.17g\n",
                      dls_rational_get(fmpq_mat_entry(at->exact.b, (slong)i, 0), DLS_ROUND_NEAREST), p->lo[i], p->hi[i],
                      p->mu[i]);
    }
}

static void print_answer(const instance *at, const dls_solver *solver, const double *lambda, const dls_report *report,
                         const dls_certificate *certificate, double figure)
{
    const scales s = scales_of(at, lambda);
    double w[N];
    dls_rational_residual(&at->exact, lambda, NULL, w);
    print_message("%s: %s, %s; figure %.3e, examined %.3e, of the data %.3e\n", solver->name,
                  dls_outcome_text(report->outcome), report->message, figure, certificate->scaled_residual,
                  certificate->data_residual);
    for (size_t i = 0; i < at->problem->n; i++)
        print_message("    lambda %.17g, w %.17g, T %.3g, Lambda %.3g\n", lambda[i], w[i], s.T[i], s.Lambda[i]);
}

/* Whether a certificate says that a solution exists within its radii. */
static bool proves_existence(const dls_bounds *bounds)
{
    return bounds->kind == DLS_BOUNDS_EXISTS || bounds->kind == DLS_BOUNDS_ACTIVE_SET;
}

/* Whether one of the solutions is within the radii; a solution has the rounding of its doubles. */
static bool within_radii(const instance *at, const double *lambda, const dls_bounds *bounds)
{
    const size_t n = at->problem->n;
    bool any = at->n_solutions == 0; /* not known */
    for (size_t k = 0; !any && k < at->n_solutions; k++) {
        const double *solution = at->solutions + n * k;
        any = true;
        for (size_t i = 0; any && i < n; i++)
            any = fabs(lambda[i] - solution[i]) <=
                  (1.0 + 1e-9) * bounds->radius_lambda[i] + DBL_EPSILON * fabs(solution[i]) + DBL_TRUE_MIN;
    }
    return any;
}

/* One solver's judged report, and the exact figures of its answer (infinite where it has none). */
static double try_solver(campaign *c, size_t s, const dls_criteria *criteria, const instance *at, dls_outcome truth,
                         dls_report *report, double *change)
{
    const dls_solver *solver = c->tallies[s].solver;
    dls_certificate certificate = {0};
    dls_bounds bounds = {0};
    dls_error error = {0};
    double lambda[N], figure = HUGE_VAL;
    lapack_not_finite = 0;
    solve(solver, criteria->problem, c->iterations, lambda, report);
    if (solver->kind == DLS_SOLVER_DIRECT &&
        (lapack_not_finite > 0 || strstr(report->message, "nan") || strstr(report->message, "not a number")))
        blame(c, NO_NUMBER, solver, at, report, truth, figure);
    if (report->outcome != DLS_OUTCOME_REFUSED) {
        assert_status(dls_decide_outcome(criteria, lambda, &certificate, &bounds, report, &error), &error);
        figure = claims_solution(report) ? exact_figure(at, lambda) : HUGE_VAL;
        const bool exists = proves_existence(&bounds);
        if (exists && (truth == DLS_OUTCOME_NO_SOLUTION || !within_radii(at, lambda, &bounds)))
            blame(c, TOO_NEAR, solver, at, report, truth, figure);
        if (claims_solution(report) && !exists && !(figure <= 1.001 * tolerance)) /* the examiner's own rounding */
            blame(c, UNSOLVED, solver, at, report, truth, figure);
        *change = fmin(*change, claims_solution(report) ? change_of_data(at, lambda) : HUGE_VAL);
        if (c->single)
            print_answer(at, solver, lambda, report, &certificate, figure);
    }
    dls_bounds_release(&bounds);
    c->tallies[s].outcomes[report->outcome]++;
    return figure;
}

static void try_problem(campaign *c)
{
    instance at = c->draw(c->seed);
    dls_error error = {0};
    dls_report reports[SOLVERS_MAX] = {0};
    double figure[SOLVERS_MAX], change = HUGE_VAL, best = HUGE_VAL;
    dls_criteria criteria = {at.problem, NULL, tolerance, DLS_CERTIFY_ROWS};
    assert_true(at.problem->n <= N);
    assert_status(dls_rational_init(&at.exact, at.rows, &error), &error);
    criteria.examiner = examiner_of(at.problem);
    const dls_outcome truth = c->truth(&at);
    c->truths[truth]++;
    if (c->single)
        print_problem(&at);
    for (size_t s = 0; s < c->n_solvers; s++)
        figure[s] = try_solver(c, s, &criteria, &at, truth, &reports[s], &change);
    for (size_t s = 0; s < c->n_solvers; s++)
        best = fmin(best, figure[s]);
    const bool tolerated = truth == DLS_OUTCOME_NO_SOLUTION &&
                           (change <= data_tolerance || best <= (double)(at.problem->n + 3) * DBL_EPSILON);
    c->tolerated += tolerated;
    for (size_t s = 0; s < c->n_solvers; s++) {
        const dls_solver *solver = c->tallies[s].solver;
        const dls_outcome said = reports[s].outcome;
        if ((said == DLS_OUTCOME_SEVERAL || said == DLS_OUTCOME_CONTINUUM) && said != truth &&
            at.problem->form == DLS_FORM_MATRIX)
            blame(c, MISCOUNTED, solver, &at, &reports[s], truth, figure[s]);
        if (claims_solution(&reports[s]) && truth == DLS_OUTCOME_NO_SOLUTION && !tolerated)
            blame(c, UNSOLVABLE, solver, &at, &reports[s], truth, figure[s]);
        if (reports[s].outcome == DLS_OUTCOME_NO_SOLUTION && truth != DLS_OUTCOME_NO_SOLUTION &&
            truth != DLS_OUTCOME_REFUSED)
            blame(c, DENIED, solver, &at, &reports[s], truth, figure[s]);
        for (size_t k = 0; k < s && !tolerated; k++)
            if (dls_contradict(&reports[s], &reports[k]))
                blame(c, CONTRADICTION, solver, &at, &reports[s], truth, figure[s]);
    }
    for (size_t s = 0; s < c->n_solvers; s++)
        dls_report_release(&reports[s]);
    dls_examiner_destroy(criteria.examiner);
    dls_rational_clear(&at.exact);
    test_free(at.solutions);
    if (at.rows != at.problem)
        dls_problem_destroy(at.rows);
    dls_problem_destroy(at.problem);
}

/* `count` problems from the seed `first` on, and those of `more`; DLS_VERDICTS and DLS_VERDICTS_FIRST in their place if
 * they are set. A problem is its seed: with DLS_VERDICTS=1 it is printed. */
static void search_false_verdicts(campaign *c, uint64_t count, const uint64_t *more, size_t n_more)
{
    const uint64_t first = draw_number("DLS_VERDICTS_FIRST", 1);
    size_t faults = 0;
    count = draw_number("DLS_VERDICTS", count / check_one_of(3, "random problems"));
    c->single = count == 1;
    for (int kind = 0; kind < 2; kind++)
        for (const dls_solver *const *table = kind ? dls_iterative_solvers : dls_direct_solvers; *table; table++) {
            assert_true(c->n_solvers < SOLVERS_MAX);
            c->tallies[c->n_solvers++].solver = *table;
        }
    for (c->seed = first; c->seed < first + count; c->seed++)
        try_problem(c);
    for (size_t k = 0; k < n_more && !c->single; k++) {
        c->seed = more[k];
        try_problem(c);
    }
    print_message("# %llu problems; exact:", (unsigned long long)count);
    for (int k = 0; k < OUTCOMES; k++)
        if (c->truths[k])
            print_message(" %s %zu", k == DLS_OUTCOME_REFUSED ? "unknown" : dls_outcome_text((dls_outcome)k),
                          c->truths[k]);
    print_message("\n");
    for (size_t s = 0; s < c->n_solvers; s++) {
        print_message("# %-15s", c->tallies[s].solver->name);
        for (int k = 0; k < OUTCOMES; k++)
            if (c->tallies[s].outcomes[k])
                print_message(" %s %zu", dls_outcome_text((dls_outcome)k), c->tallies[s].outcomes[k]);
        print_message("\n");
    }
    print_message("# no solution, but within the tolerance: %zu\n", c->tolerated);
    for (int k = 0; k < FAULTS; k++) {
        print_message("# false: %s: %zu\n", fault_names[k], c->faults[k]);
        faults += c->faults[k];
    }
    assert_int_equal(faults, 0);
}

#endif
