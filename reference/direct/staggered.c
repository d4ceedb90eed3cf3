/* Staggered projections: normal impulses for given friction and friction for given normal impulses, in turn (D. M.
 * Kaufman, S. Sueda, D. L. James and D. K. Pai, "Staggered projections for frictional contact in multibody systems",
 * 2008).
 *
 * With the rows N, whose impulses bound friction, T, friction, and E, all others, both steps solve the laws of their
 * own rows with the other impulses as data; where A is symmetric each is the minimum of a convex function,
 *
 *     lambda_N, lambda_E <- argmin { lambda.A lambda / 2 + b.lambda : lo <= lambda <= hi,  lambda_T as before },
 *     lambda_T, lambda_E <- argmin { lambda.A lambda / 2 + b.lambda : |lambda_T| <= mu lambda_N,  lambda_N as before },
 *
 * with a disc for each contact under Coulomb's cone, an interval for each row of box friction, and bounds for E. Rows
 * E are in both, for the iteration would creep between the halves of a joint. The first step is a mixed LCP, which
 * block pivoting solves exactly. The second is solved by Newton's method (cone_descent.c) on the problem with lo = hi
 * = lambda_N; where it fails, after projected sweeps, which lower a convex function monotonically. Redundant contacts
 * make A_TT singular, and Newton's matrix with it. So this step minimises proximal |lambda - lambda before|^2 / 2
 * besides, in units in which diag(A) = 1, which at a fixed point is 0.
 *
 * An impulse that both steps keep solves the problem: the first gives the laws of N and E, the second the greatest
 * dissipation in the disc of radius mu lambda_N, which is Coulomb's law. Nothing makes the iteration converge. For one
 * contact that slides it is lambda_N <- -(b_N + s mu A_NT lambda_N) / A_NN, s = +-1 the direction, and contracts only
 * where mu |A_NT| < A_NN; beyond it friction can open a contact that closes as soon as friction has gone with it, for
 * ever. Such a cycle of two is found, since its steps move the impulses but two of them do not, and is reported by
 * name as the end of the method; the answer is the best iterate, and never counts as solved.
 *
 * A problem without friction goes to block-pivoting, and the report says so. */
#include "block_pivoting.h"
#include "cone_descent.h"

typedef struct settings {
    double tolerance, proximal, work;
    size_t limit, sweeps;
} settings;

static const dls_field fields[] = {
    {"tolerance", "", DLS_FIELD_REAL, offsetof(settings, tolerance), "1e-13", 0, 1, false, NULL,
     "violation of a row that ends the method, as a share of its own terms, |b_i| + sum_j |A_ij lambda_j| of w_i; at "
     "least their rounding error; 1e-10 is enough for an answer"},
    {"proximal", "", DLS_FIELD_REAL, offsetof(settings, proximal), "1e-7", 0, 1, false, NULL,
     "weight of the proximal term of a friction step, as a share of the diagonal of A"},
    {"limit", "", DLS_FIELD_COUNT, offsetof(settings, limit), "1000", 1, 1e9, false, NULL,
     "greatest number of iterations, a normal step and a friction step each"},
    {"sweeps", "", DLS_FIELD_COUNT, offsetof(settings, sweeps), "20", 0, 1e9, false, NULL,
     "number of sweeps over the discs before Newton's method in a friction step that it did not solve; it doubles with "
     "each attempt"},
    {"work", "", DLS_FIELD_REAL, offsetof(settings, work), "1e12", 1, HUGE_VAL, false, NULL,
     "greatest number of multiplications in factorisations, n^3 / 3 each in a normal step; then the best iterate is "
     "the answer"},
};

enum { ATTEMPTS = 3, NEWTON_STEPS = 30, PATIENCE = 5 };
/* Two steps together that move impulses by less than this share of one of them are a cycle. */
static const double same_again = 1e-9;
/* An iteration of the last digits that leaves more of the violation gets nowhere. */
static const double falls = 0.99;

typedef struct work {
    const settings *set;
    const dls_direct *d;
    dls_direct normal, friction;            /* the problems of both steps, with bounds of their own */
    double *lambda, *before, *last_but_one; /* n */
    double *w, *T, *most, *best, least;     /* n; the best iterate, and its violation */
    bool *bounds_friction;                  /* n: rows N */
    dls_cone_descent descent;
    dls_block_pivoting *pivoting;
    double multiplications;
    size_t factorisations; /* of friction steps */
} work;

static void take_bounds(dls_direct *step, const dls_direct *d)
{
    *step = *d;
    DLS_DIRECT_VECTORS(d, &step->q.lo, &step->q.hi);
    if (d->memory->failed)
        return;
    memcpy(step->q.lo, d->q.lo, d->n * sizeof *d->q.lo);
    memcpy(step->q.hi, d->q.hi, d->n * sizeof *d->q.hi);
}

static void take_staggered(work *p, const dls_direct *d, const dls_block_pivoting_settings *pivoting)
{
    *p = (work){.set = d->settings, .d = d, .least = HUGE_VAL};
    take_bounds(&p->normal, d);
    take_bounds(&p->friction, d);
    p->friction.q.A = dls_take_matrix(d->memory, d->n, d->n);
    DLS_DIRECT_VECTORS(d, &p->friction.q.b);
    DLS_DIRECT_VECTORS(d, &p->lambda, &p->before, &p->last_but_one, &p->w, &p->T, &p->most, &p->best);
    p->bounds_friction = DLS_TAKE_ZEROS(d->memory, bool, d->n);
    dls_cone_descent_take(&p->descent, &p->friction);
    p->pivoting = d->memory->failed ? NULL : dls_block_pivoting_take(&p->normal, pivoting);
    if (d->memory->failed)
        return;
    p->descent.shift = p->set->proximal;
    memcpy(p->friction.q.A, d->q.A, d->n * d->n * sizeof *d->q.A);
    for (size_t i = 0; i < d->n; i++) {
        p->friction.q.A[i + d->n * i] += p->set->proximal;
        if (d->problem->parent[i] != DLS_NONE)
            p->bounds_friction[d->problem->parent[i]] = true;
    }
}

/* --- both steps --- */

/* Rows N and E, with the friction of lambda. False where they have no solution, or none was found. */
static bool solve_normal(work *p, dls_status *status, dls_report *report, dls_error *error)
{
    dls_report inner = {0};
    for (size_t i = 0; i < p->d->n; i++)
        if (p->d->problem->parent[i] != DLS_NONE)
            p->normal.q.lo[i] = p->normal.q.hi[i] = p->lambda[i];
    *status = dls_block_pivoting_solve(p->pivoting, p->lambda, &inner, error);
    const bool solved = *status == DLS_OK && inner.outcome == DLS_OUTCOME_SOLVED;
    const double n = (double)p->d->n;
    report->factorizations += inner.factorizations;
    p->multiplications += n * n * n / 3.0 * (double)inner.factorizations;
    if (*status == DLS_OK && !solved)
        dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE, "normal step of iteration %zu: %s%s%.300s",
                       report->iterations, dls_outcome_text(inner.outcome), inner.message[0] ? ", " : "",
                       inner.message);
    dls_report_release(&inner);
    return solved;
}

/* Projects the tangents of a contact, or one row, onto its disc or bounds once, along its w over the trace of its block
 * of A, which lowers the function by more than any shorter step. */
static void visit_friction(const work *p, size_t i, size_t count, double *lambda)
{
    const dls_dense *q = &p->friction.q;
    const size_t normal = p->d->problem->parent[i];
    const double radius = normal == DLS_NONE ? 0.0 : dls_direct_mu(p->d, i) * fmax(lambda[normal], 0.0);
    double trace = 0.0, x[2], length = 0.0;
    for (size_t t = 0; t < count; t++)
        trace += q->A[i + t + q->n * (i + t)];
    if (!(trace > 0.0))
        return;
    for (size_t t = 0; t < count; t++) {
        x[t] = lambda[i + t] - dls_dense_row_w(q, i + t, lambda) / trace;
        length = hypot(length, x[t]);
    }
    for (size_t t = 0; t < count; t++)
        lambda[i + t] = normal == DLS_NONE ? dls_bound_clamp(q, i, x[t])
                        : length > radius  ? radius / length * x[t]
                                           : x[t];
}

static void sweep_friction(const work *p, double *lambda)
{
    for (size_t i = 0; i < p->d->n; i++) {
        const bool cone = p->d->problem->law[i] == DLS_LAW_CONE;
        if (p->bounds_friction[i])
            continue;
        visit_friction(p, i, cone ? 2 : 1, lambda);
        i += cone;
    }
}

/* Newton steps until the violation is at most `enough`, or that of an answer and no longer halved. */
static void descend_friction(work *p, double enough)
{
    dls_cone_descent *descent = &p->descent;
    dls_report inner = {0};
    double before = HUGE_VAL;
    dls_cone_descent_start(descent);
    for (size_t k = 0; k < NEWTON_STEPS && descent->now > enough; k++) {
        if (descent->now <= dls_solved_to && descent->now > 0.5 * before)
            break;
        before = descent->now;
        if (!dls_cone_descent_step(descent, &inner))
            break;
    }
    p->factorisations += inner.factorizations;
}

/* Rows T and E, with the normal impulses of lambda. Whether that is solved. */
static bool solve_friction(work *p)
{
    dls_cone_descent *descent = &p->descent;
    const double enough = fmax(p->set->tolerance, dls_cone_descent_rounding(descent));
    const size_t n = p->d->n;
    for (size_t i = 0; i < n; i++) {
        if (p->bounds_friction[i])
            p->friction.q.lo[i] = p->friction.q.hi[i] = p->lambda[i];
        p->friction.q.b[i] = p->d->q.b[i] - p->set->proximal * p->lambda[i];
    }
    memcpy(descent->lambda, p->lambda, n * sizeof *p->lambda);
    descend_friction(p, enough);
    for (size_t k = 1, sweeps = p->set->sweeps; k < ATTEMPTS && descent->now > dls_solved_to; k++, sweeps *= 2) {
        for (size_t s = 0; s < sweeps; s++)
            sweep_friction(p, descent->lambda);
        descend_friction(p, enough);
    }
    for (size_t i = 0; i < n; i++)
        p->lambda[i] = p->bounds_friction[i] ? p->friction.q.lo[i] : descent->lambda[i];
    return descent->now <= dls_solved_to;
}

/* --- the iteration --- */

/* The violation of the whole problem at lambda, and its best iterate. */
static double remember_best(work *p)
{
    dls_dense_w(&p->d->q, p->lambda, p->w);
    const double v = dls_cone_map_violation(p->d, p->lambda, p->w, p->T, p->most);
    if (!isnan(v) && v < p->least && dls_cone_map_within_reach(p->d, p->lambda)) {
        p->least = v;
        memcpy(p->best, p->lambda, p->d->n * sizeof *p->best);
    }
    return v;
}

static double largest_change(const work *p, const double *from)
{
    double most = 0.0;
    for (size_t i = 0; i < p->d->n; i++)
        most = fmax(most, fabs(p->lambda[i] - from[i]));
    return most;
}

static bool within_limits(const work *p, const dls_report *report)
{
    const double n = (double)p->d->n, next = n * n * n / 3.0;
    return report->iterations < p->set->limit && p->multiplications + p->descent.multiplications + next <= p->set->work;
}

/* Moves the best impulses into their bounds and cones, by their own problem. */
static void choose_best(work *p)
{
    dls_cone_descent *descent = &p->descent;
    descent->d = p->d;
    descent->least = p->least;
    memcpy(descent->best, p->best, p->d->n * sizeof *p->best);
    dls_cone_descent_choose(descent);
    p->least = descent->least;
}

static dls_status solve_staggered(dls_direct *d, double *lambda, dls_report *report, dls_error *error)
{
    work p;
    dls_block_pivoting_settings pivoting;
    dls_status status = DLS_OK;
    if (d->problem->n_coupled == 0)
        return dls_block_pivoting_without_friction(d, lambda, report, error);
    DLS_TRY(dls_fields_default(&dls_solver_block_pivoting.fields, &pivoting, error));
    take_staggered(&p, d, &pivoting);
    DLS_TRY(dls_direct_ready(d, error));
    const double enough = fmax(p.set->tolerance, dls_cone_descent_rounding(&p.descent));
    size_t slow = 0, open = 0;
    bool cycle = false, goes_on = true;
    while (goes_on && !cycle && p.least > enough && within_limits(&p, report)) {
        const double least = p.least;
        report->iterations++;
        memcpy(p.last_but_one, p.before, d->n * sizeof *p.before);
        memcpy(p.before, p.lambda, d->n * sizeof *p.lambda);
        goes_on = solve_normal(&p, &status, report, error);
        DLS_TRY(status);
        if (!goes_on)
            break;
        open += !solve_friction(&p);
        remember_best(&p);
        const double step = largest_change(&p, p.before);
        cycle = report->iterations > 2 && p.least > dls_solved_to && step > 0.0 &&
                largest_change(&p, p.last_but_one) <= same_again * step;
        slow = p.least < falls * least ? 0 : slow + 1;
        goes_on = step > 0.0 && isfinite(step) && (p.least > dls_solved_to || slow < PATIENCE);
    }
    const bool limited = !within_limits(&p, report);
    report->factorizations += p.factorisations;
    choose_best(&p);
    memcpy(lambda, p.descent.lambda, d->n * sizeof *lambda);
    if (p.least <= dls_solved_to)
        report->outcome = DLS_OUTCOME_SOLVED;
    else if (cycle)
        dls_report_end(report, DLS_OUTCOME_ITERATION_LIMIT,
                       "a cycle of two: after %zu iterations friction and normal impulses return every second time; "
                       "the largest violation of a row is %.3g",
                       report->iterations, p.least);
    else if (report->outcome == DLS_OUTCOME_RUNNING)
        dls_report_end(report, limited ? DLS_OUTCOME_ITERATION_LIMIT : DLS_OUTCOME_NUMERICAL_FAILURE,
                       "iterations: %zu, friction steps without a solution: %zu; the largest violation of a row is "
                       "%.3g",
                       report->iterations, open, p.least);
    return DLS_OK;
}

DLS_DIRECT_SOLVER(
    staggered, solve_staggered, DLS_DIRECT_CONTACTS, .name = "staggered",
    .summary = "staggered projections: normal impulses by block pivoting and friction by Newton's method, "
               "in turn",
    .source = "D. M. Kaufman, S. Sueda, D. L. James and D. K. Pai 2008",
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED | DLS_ACCEPTS_CONE,
    .fields = DLS_FIELD_TABLE(fields, settings));
