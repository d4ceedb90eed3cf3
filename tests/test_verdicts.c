/* False verdicts are waited for: random small problems of all kinds, by every solver, judged as `delassus solve`
 * judges, against the exact search. A verdict is false where
 *     an answer passes for a solution, and its exact figure is above the tolerance, or there is none,
 *     there is said to be no solution, and there is one,
 *     two methods contradict each other.
 * Where the stored problem has no solution, but a change of b by data_tolerance of its size, or of the rounding of
 * terms, makes some answer one, rows contradict each other by no more than the judge can tell: those are counted
 * apart, and so are problems of which a method tells several solutions that are one point exactly.
 * DLS_VERDICTS is the number of problems (5000; make fuzz: 100000), DLS_VERDICTS_FIRST the first seed (1). A problem is
 * its seed: with DLS_VERDICTS=1 it is printed. */
#include "mechanisms.h"

#include "delassus/experiments.h"

#include "draws.h"
#include "rational.h"

#include <float.h>

enum { N = 6, SOLVERS_MAX = 24, OUTCOMES = DLS_OUTCOMES };

static const double tolerance = 1e-9;           /* of delassus solve */
static const double data_tolerance = 3e-8;      /* of violations beside b alone: 20 tolerances, outcome.c */
static const uint64_t once_false[] = {7137529}; /* seeds beyond the usual ones */

/* --- problems in the matrix form --- */

typedef struct draft {
    const char *kind;
    size_t n;
    double A[N * N], b[N], lo[N], hi[N];
    bool whole; /* entries are whole numbers */
} draft;

static double entry(const draft *d) { return d->whole ? (double)draw(-3, 3) : uniform(-3.0, 3.0); }
static double *at(draft *d, size_t i, size_t j) { return &d->A[i + d->n * j]; }

static void any_matrix(draft *d)
{
    d->kind = "any";
    for (size_t k = 0; k < d->n * d->n; k++)
        d->A[k] = entry(d);
}

static void symmetric_matrix(draft *d)
{
    any_matrix(d);
    d->kind = "symmetric";
    for (size_t i = 0; i < d->n; i++)
        for (size_t j = 0; j < i; j++)
            *at(d, i, j) = *at(d, j, i);
}

/* G G^T of any rank: of real G, rounding makes it another. */
static void product_matrix(draft *d)
{
    size_t rank = (size_t)draw(0, (int)d->n);
    double G[N][N];
    d->kind = rank < d->n ? "semidefinite" : "definite";
    for (size_t i = 0; i < d->n; i++)
        for (size_t k = 0; k < rank; k++)
            G[i][k] = entry(d);
    for (size_t i = 0; i < d->n; i++)
        for (size_t j = 0; j < d->n; j++)
            for (size_t k = 0; k < rank; k++)
                *at(d, i, j) += G[i][k] * G[j][k];
}

static void skew_matrix(draft *d)
{
    if (draw(0, 1))
        product_matrix(d);
    d->kind = "skew";
    for (size_t i = 0; i < d->n; i++)
        for (size_t j = 0; j < i; j++) {
            double x = entry(d);
            *at(d, i, j) += x, *at(d, j, i) -= x;
        }
}

static void triangular_matrix(draft *d)
{
    d->kind = "P";
    for (size_t i = 0; i < d->n; i++)
        for (size_t j = 0; j <= i; j++)
            *at(d, i, j) = i == j ? fabs(entry(d)) + 0.25 : 4.0 * entry(d);
}

static void tiny_diagonal(draft *d)
{
    if (draw(0, 1))
        any_matrix(d);
    else
        symmetric_matrix(d);
    d->kind = "tiny diagonal";
    for (size_t i = 0; i < d->n; i++)
        *at(d, i, i) = any_sign(scale_between(-20.0, -9.0));
}

/* Row and column i of those of j, in another unit. */
static void repeat_row(draft *d)
{
    product_matrix(d);
    if (d->n < 2)
        return;
    size_t i = (size_t)draw(0, (int)d->n - 1), j = (i + (size_t)draw(1, (int)d->n - 1)) % d->n;
    double unit = d->whole ? any_sign(draw(1, 3)) : draw(0, 1) ? -1.0 : uniform(0.5, 2.0);
    d->kind = "redundant";
    for (size_t k = 0; k < d->n; k++)
        *at(d, i, k) = unit * *at(d, j, k);
    for (size_t k = 0; k < d->n; k++)
        *at(d, k, i) = unit * *at(d, k, j);
}

static void nearly_singular(draft *d)
{
    product_matrix(d);
    d->kind = "nearly singular";
    for (size_t i = 0; i < d->n; i++)
        *at(d, i, i) += scale_between(-16.0, -6.0) * (draw(0, 3) ? 1.0 : -1.0);
}

static void draw_bounds(draft *d)
{
    int all = draw(0, 6); /* of one kind, or mixed */
    for (size_t i = 0; i < d->n; i++) {
        int kind = all < 5 ? all : draw(0, 4);
        double low = d->whole ? (double)draw(-2, 1) : uniform(-2.0, 1.0);
        d->lo[i] = kind == 0 ? 0.0 : kind == 1 || kind == 4 ? -HUGE_VAL : low;
        d->hi[i] = kind <= 1    ? HUGE_VAL
                   : kind == 4  ? low
                   : kind == 3  ? HUGE_VAL
                   : draw(0, 3) ? low + (d->whole ? (double)draw(1, 3) : uniform(0.1, 3.0))
                                : low;
    }
}

/* Any b; or b = w - A lambda of a solution, with degenerate rows. */
static void draw_right_side(draft *d)
{
    int kind = draw(0, 5);
    double lambda[N];
    for (size_t i = 0; i < d->n; i++) {
        double lo = d->lo[i], hi = d->hi[i], x = d->whole ? (double)draw(1, 2) : uniform(0.1, 2.0);
        double w = kind == 3 || draw(0, 1) ? x : 0.0;
        int where = draw(0, 2);
        lambda[i] = isinf(lo) && isinf(hi) ? any_sign(x) : isinf(lo) ? hi - x : isinf(hi) ? lo + x : 0.5 * (lo + hi);
        d->b[i] = kind == 0 ? 0.0 : kind < 3 ? 2.0 * entry(d) : 0.0;
        if (where == 0 && !isinf(lo) && kind >= 3)
            lambda[i] = lo, d->b[i] = w;
        else if (where == 1 && !isinf(hi) && kind >= 3)
            lambda[i] = hi, d->b[i] = -w;
    }
    for (size_t i = 0; i < d->n; i++)
        for (size_t j = 0; kind >= 3 && j < d->n; j++)
            d->b[i] -= *at(d, i, j) * lambda[j];
}

static void zero_rows(draft *d)
{
    size_t i = (size_t)draw(0, (int)d->n - 1);
    bool column = draw(0, 1) != 0;
    for (size_t j = 0; j < d->n; j++) {
        *at(d, i, j) = 0.0;
        if (column)
            *at(d, j, i) = 0.0;
    }
    if (draw(0, 1))
        d->b[i] = 0.0;
}

/* Rows in units of their own, b and bounds as a whole. */
static void rescale(draft *d, bool rows, bool sides)
{
    double size = sides ? scale_between(-12.0, 12.0) : 1.0;
    for (size_t i = 0; i < d->n; i++) {
        double s = rows && draw(0, 1) ? scale_between(-12.0, 12.0) : 1.0;
        for (size_t j = 0; j < d->n; j++) {
            *at(d, i, j) *= s;
            *at(d, j, i) *= s;
        }
        d->b[i] *= s * size;
        if (often(4))
            d->lo[i] *= size / s, d->hi[i] *= size / s;
    }
    d->whole = d->whole && !rows && !sides;
}

static dls_problem *matrix_problem(draft *d)
{
    void (*const kinds[])(draft *) = {any_matrix,        symmetric_matrix, product_matrix, product_matrix, skew_matrix,
                                      triangular_matrix, tiny_diagonal,    repeat_row,     nearly_singular};
    dls_problem *problem;
    dls_error error = {0};
    memset(d, 0, sizeof *d);
    d->n = (size_t)draw(1, 5);
    d->whole = draw(0, 1) != 0;
    kinds[(size_t)draw(0, (int)(sizeof kinds / sizeof kinds[0]) - 1)](d);
    draw_bounds(d);
    draw_right_side(d);
    if (!often(6))
        zero_rows(d);
    bool rows = !often(3);
    rescale(d, rows, !often(3));
    assert_status(dls_problem_from_matrix(d->n, d->A, d->b, d->lo, d->hi, &problem, &error), &error);
    return problem;
}

/* --- mechanical ones --- */

/* One or two bodies of masses up to 1e12 apart, held by rows of any kind, some of them twice. */
static dls_problem *mechanical_problem(draft *d)
{
    static dls_mass_body bodies[2];
    size_t n = (size_t)draw(1, 5), n_bodies = (size_t)draw(1, 2);
    dls_problem *p;
    dls_error error = {0};
    memset(d, 0, sizeof *d);
    d->kind = "mechanical";
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
    for (size_t i = 0; i < n; i++) {
        size_t twin = i > 0 && !often(4) ? (size_t)draw(0, (int)i - 1) : i;
        for (size_t k = 0; k < n_bodies; k++) {
            size_t block = n_bodies * i + k;
            p->J.offset[block] = 6 * k, p->J.mass[block] = (uint32_t)k, p->J.coef_at[block + 1] = 6 * (block + 1);
            for (size_t c = 0; c < 6; c++)
                p->J.coef[6 * block + c] = twin < i     ? p->J.coef[6 * (n_bodies * twin + k) + c]
                                           : draw(0, 2) ? uniform(-1.0, 1.0)
                                                        : (double)draw(-1, 1);
        }
        p->J.start[i + 1] = n_bodies * (i + 1);
        int kind = draw(0, 3);
        p->lo[i] = kind == 0 ? -HUGE_VAL : kind == 3 ? uniform(-2.0, 0.0) : 0.0;
        p->hi[i] = kind == 3 ? uniform(0.0, 2.0) : HUGE_VAL;
        p->gamma[i] = often(4) ? 0.0 : scale_between(-9.0, 0.0);
        p->c[i] = twin < i && draw(0, 1) ? p->c[twin] : draw(0, 1) ? uniform(-1.0, 1.0) : 0.0;
        p->parent[i] = DLS_NONE;
    }
    assert_status(dls_problem_check(p, &error), &error);
    return p;
}

/* Two balls of 1 and R kg on ball joints, R up to 1e12. */
static dls_problem *two_balls(draft *d)
{
    dls_model *model = make_chain(2, scale_between(-12.0, 12.0));
    dls_problem *p;
    dls_error error = {0};
    memset(d, 0, sizeof *d);
    d->kind = "two balls";
    assert_status(dls_problem_create(model, dls_model_initial(model), NULL, 0.01, &p, &error), &error);
    dls_model_destroy(model);
    return p;
}

static dls_problem *problem_of_seed(uint64_t seed, draft *d)
{
    draw_seed(seed);
    int kind = draw(0, 39);
    return kind == 0 ? two_balls(d) : kind <= 5 ? mechanical_problem(d) : matrix_problem(d);
}

/* --- the exact figure of an answer --- */

static double share(double x, double scale) { return x == 0.0 ? 0.0 : x / scale; }

/* Sizes of the terms of each w_i, and of the impulse that row i tells from 0 (examine.c). The sums have no
 * cancellation. In the mechanical form the examiner bounds |A_ij| body by body: by sqrt(A_ii A_jj) at most, and by
 * half of it never. */
static void find_scales(const dls_rational *r, const double *lambda, double A[N][N], double *T, double *Lambda)
{
    const dls_problem *p = r->problem;
    bool matrix = p->form == DLS_FORM_MATRIX;
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < p->n; j++)
            A[i][j] = fabs(dls_rational_get(fmpq_mat_entry(r->A, (slong)i, (slong)j), DLS_ROUND_NEAREST));
    for (size_t i = 0; i < p->n; i++) {
        T[i] = fabs(dls_rational_get(fmpq_mat_entry(r->b, (slong)i, 0), DLS_ROUND_NEAREST));
        for (size_t j = 0; j < p->n; j++)
            T[i] += (matrix ? A[i][j] : sqrt(A[i][i] * A[j][j])) * fabs(lambda[j]);
    }
    for (size_t i = 0; i < p->n; i++) {
        double bound = fmax(isinf(p->lo[i]) ? 0.0 : fabs(p->lo[i]), isinf(p->hi[i]) ? 0.0 : fabs(p->hi[i]));
        Lambda[i] = bound > 0.0 ? bound : HUGE_VAL;
        for (size_t j = 0; j < p->n; j++)
            if (A[j][i] > 0.0)
                Lambda[i] = fmin(Lambda[i], (matrix ? 1.0 : 2.0) * T[j] / A[j][i]);
        Lambda[i] = isinf(Lambda[i]) ? 0.0 : Lambda[i];
    }
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

/* How far lambda_i may still move the way w presses. */
static double slack_of(const dls_problem *p, size_t i, double lambda, double w)
{
    return w > 0.0 ? lambda - p->lo[i] : p->hi[i] - lambda;
}

/* The examiner's scaled residual with exact w. */
static double exact_figure(const dls_rational *r, const double *lambda)
{
    const dls_problem *p = r->problem;
    double A[N][N], T[N], Lambda[N], w[N], worst = 0.0;
    dls_rational_residual(r, lambda, NULL, w);
    find_scales(r, lambda, A, T, Lambda);
    for (size_t i = 0; i < p->n; i++) {
        double l = lambda[i], off = l < p->lo[i] ? p->lo[i] - l : l > p->hi[i] ? l - p->hi[i] : 0.0;
        double slack = slack_of(p, i, l, w[i]);
        double wrong = fabs(w[i]) <= rounding_of_b(p, i) ? 0.0 : share(fabs(w[i]), T[i]);
        worst = fmax(worst, fmax(share(off, Lambda[i]), slack > 0.0 ? fmin(share(slack, Lambda[i]), wrong) : 0.0));
    }
    return worst;
}

/* By which part b would have to change, so that lambda solves the problem once its entries that are nearly at a bound
 * are there: the energy of each violation, |w_i| times the largest impulse that the row has or tells from 0, against
 * that of b, sum |b_j lambda_j|, where impulses at a bound count with all terms of their rows. */
static double change_of_data(const dls_rational *r, const double *lambda)
{
    const dls_problem *p = r->problem;
    double A[N][N], T[N], Lambda[N], w[N], moved[N], worst = 0.0, data = 0.0;
    dls_rational_residual(r, lambda, NULL, w);
    find_scales(r, lambda, A, T, Lambda);
    for (size_t i = 0; i < p->n; i++) {
        double slack = slack_of(p, i, lambda[i], w[i]);
        bool near = slack > 0.0 && share(slack, Lambda[i]) <= share(fabs(w[i]), T[i]);
        moved[i] = fmin(fmax(near ? (w[i] > 0.0 ? p->lo[i] : p->hi[i]) : lambda[i], p->lo[i]), p->hi[i]);
    }
    dls_rational_residual(r, moved, NULL, w);
    for (size_t i = 0; i < p->n; i++) {
        bool at_bound = moved[i] == p->lo[i] || moved[i] == p->hi[i];
        double b = fabs(dls_rational_get(fmpq_mat_entry(r->b, (slong)i, 0), DLS_ROUND_NEAREST)), impulse = HUGE_VAL;
        for (size_t j = 0; j < p->n; j++)
            impulse = A[j][i] > 0.0 ? fmin(impulse, T[j] / A[j][i]) : impulse;
        data += (at_bound ? T[i] : b) * fabs(moved[i]);
        if (slack_of(p, i, moved[i], w[i]) > 0.0 && w[i] != 0.0)
            worst = fmax(worst, fabs(w[i]) * fmax(isinf(impulse) ? 0.0 : impulse, fabs(moved[i])));
    }
    return share(worst, data);
}

/* --- verdicts --- */

typedef struct tally {
    const dls_solver *solver;
    size_t outcomes[OUTCOMES];
} tally;

typedef enum fault { UNSOLVED, UNSOLVABLE, DENIED, CONTRADICTION, FAULTS } fault;
static const char *const fault_names[FAULTS] = {"an answer above the tolerance", "an answer where there is none",
                                                "no solution where there is one", "contradiction"};

typedef struct campaign {
    tally tallies[SOLVERS_MAX];
    size_t n_solvers, exact_answers[OUTCOMES], faults[FAULTS];
    size_t tolerated, multiplied; /* problems */
    uint64_t seed;
    bool single;
} campaign;

static bool claims_solution(const dls_report *r)
{
    return r->outcome == DLS_OUTCOME_SOLVED || r->outcome == DLS_OUTCOME_SEVERAL || r->outcome == DLS_OUTCOME_CONTINUUM;
}

static void blame(campaign *c, fault which, const dls_solver *solver, const draft *d, const dls_report *report,
                  const dls_report *exact_answer, double figure)
{
    if (c->faults[which]++ < 20 || c->single)
        print_error("seed %llu (%s, n = %zu): %s: %s: %s, %.120s; exact: %s, figure %.3e\n",
                    (unsigned long long)c->seed, d->kind, d->n, fault_names[which], solver->name,
                    dls_outcome_text(report->outcome), report->message, dls_outcome_text(exact_answer->outcome),
                    figure);
}

static void solve(const dls_solver *solver, const dls_problem *p, double *lambda, dls_report *report)
{
    double settings[32];
    dls_error error = {0};
    assert_true(solver->fields.size <= sizeof settings);
    assert_status(dls_fields_default(&solver->fields, settings, &error), &error);
    memset(lambda, 0, N * sizeof *lambda);
    assert_status(
        dls_solve(solver, p, settings, solver->kind == DLS_SOLVER_DIRECT ? 1 : 200, lambda, report, NULL, NULL, &error),
        &error);
}

static void print_problem(const dls_rational *r)
{
    const dls_problem *p = r->problem;
    for (size_t i = 0; i < p->n; i++) {
        for (size_t j = 0; j < p->n; j++)
            print_message("%.17g ", dls_rational_get(fmpq_mat_entry(r->A, (slong)i, (slong)j), DLS_ROUND_NEAREST));
        print_message("| b %.17g, lo %.17g, hi %.17g\n",
                      dls_rational_get(fmpq_mat_entry(r->b, (slong)i, 0), DLS_ROUND_NEAREST), p->lo[i], p->hi[i]);
    }
}

/* One solver's judged report, and the exact figures of its answer (infinite where it has none). */
static double try_solver(campaign *c, size_t s, const dls_criteria *criteria, const dls_rational *r, dls_report *report,
                         double *change)
{
    const dls_solver *solver = c->tallies[s].solver;
    dls_certificate certificate = {0};
    dls_error error = {0};
    double lambda[N], figure = HUGE_VAL;
    solve(solver, criteria->problem, lambda, report);
    if (report->outcome != DLS_OUTCOME_REFUSED) {
        assert_status(dls_decide_outcome(criteria, lambda, &certificate, NULL, report, &error), &error);
        figure = claims_solution(report) ? exact_figure(r, lambda) : HUGE_VAL;
        *change = fmin(*change, claims_solution(report) ? change_of_data(r, lambda) : HUGE_VAL);
        if (c->single)
            print_message("%s: %s, %s; lambda_0 = %.17g, figure %.3e, examined %.3e\n", solver->name,
                          dls_outcome_text(report->outcome), report->message, lambda[0], figure,
                          certificate.scaled_residual);
    }
    c->tallies[s].outcomes[report->outcome]++;
    return figure;
}

static void try_problem(campaign *c)
{
    draft d;
    dls_problem *p = problem_of_seed(c->seed, &d);
    dls_rational r;
    dls_error error = {0};
    dls_report exact_answer = {0}, reports[SOLVERS_MAX] = {0};
    double lambda[N], figure[SOLVERS_MAX], change = HUGE_VAL, best = HUGE_VAL;
    dls_criteria criteria = {p, NULL, tolerance, DLS_CERTIFY_ROWS};
    d.n = p->n;
    assert_status(dls_rational_init(&r, p, &error), &error);
    assert_status(dls_examiner_create(p, &criteria.examiner, &error), &error);
    solve(dls_direct_find("exact"), p, lambda, &exact_answer);
    assert_true(claims_solution(&exact_answer) || exact_answer.outcome == DLS_OUTCOME_NO_SOLUTION);
    c->exact_answers[exact_answer.outcome]++;
    if (c->single)
        print_problem(&r);
    bool multiplied = false;
    for (size_t s = 0; s < c->n_solvers; s++) {
        figure[s] = try_solver(c, s, &criteria, &r, &reports[s], &change);
        multiplied = multiplied || (exact_answer.outcome == DLS_OUTCOME_SOLVED && claims_solution(&reports[s]) &&
                                    reports[s].outcome != DLS_OUTCOME_SOLVED);
    }
    for (size_t s = 0; s < c->n_solvers; s++)
        best = fmin(best, figure[s]);
    bool tolerated = exact_answer.outcome == DLS_OUTCOME_NO_SOLUTION &&
                     (change <= data_tolerance || best <= (double)(p->n + 3) * DBL_EPSILON);
    c->tolerated += tolerated;
    c->multiplied += multiplied;
    for (size_t s = 0; s < c->n_solvers; s++) {
        const dls_solver *solver = c->tallies[s].solver;
        if (claims_solution(&reports[s]) && !(figure[s] <= 1.001 * tolerance)) /* the examiner's own rounding */
            blame(c, UNSOLVED, solver, &d, &reports[s], &exact_answer, figure[s]);
        if (claims_solution(&reports[s]) && exact_answer.outcome == DLS_OUTCOME_NO_SOLUTION && !tolerated)
            blame(c, UNSOLVABLE, solver, &d, &reports[s], &exact_answer, figure[s]);
        if (reports[s].outcome == DLS_OUTCOME_NO_SOLUTION && exact_answer.outcome != DLS_OUTCOME_NO_SOLUTION)
            blame(c, DENIED, solver, &d, &reports[s], &exact_answer, figure[s]);
        for (size_t k = 0; k < s && !tolerated; k++)
            if (dls_contradict(&reports[s], &reports[k]))
                blame(c, CONTRADICTION, solver, &d, &reports[s], &exact_answer, figure[s]);
    }
    for (size_t s = 0; s < c->n_solvers; s++)
        dls_report_release(&reports[s]);
    dls_report_release(&exact_answer);
    dls_examiner_destroy(criteria.examiner);
    dls_rational_clear(&r);
    dls_problem_destroy(p);
}

static void test_no_verdict_is_false(void **unused)
{
    campaign c = {0};
    size_t faults = 0;
    uint64_t count = draw_number("DLS_VERDICTS", 5000), first = draw_number("DLS_VERDICTS_FIRST", 1);
    (void)unused;
    for (int kind = 0; kind < 2; kind++)
        for (const dls_solver *const *table = kind ? dls_iterative_solvers : dls_direct_solvers; *table; table++) {
            assert_true(c.n_solvers < SOLVERS_MAX);
            c.tallies[c.n_solvers++].solver = *table;
        }
    c.single = count == 1;
    for (c.seed = first; c.seed < first + count; c.seed++)
        try_problem(&c);
    for (size_t k = 0; k < sizeof once_false / sizeof once_false[0] && !c.single; k++) {
        c.seed = once_false[k];
        try_problem(&c);
    }
    print_message("# %llu problems; exact:", (unsigned long long)count);
    for (int k = 0; k < OUTCOMES; k++)
        if (c.exact_answers[k])
            print_message(" %s %zu", dls_outcome_text((dls_outcome)k), c.exact_answers[k]);
    print_message("\n");
    for (size_t s = 0; s < c.n_solvers; s++) {
        print_message("# %-15s", c.tallies[s].solver->name);
        for (int k = 0; k < OUTCOMES; k++)
            if (c.tallies[s].outcomes[k])
                print_message(" %s %zu", dls_outcome_text((dls_outcome)k), c.tallies[s].outcomes[k]);
        print_message("\n");
    }
    print_message("# no solution, but within the tolerance: %zu; one point told as several: %zu\n", c.tolerated,
                  c.multiplied);
    for (int k = 0; k < FAULTS; k++) {
        print_message("# false: %s: %zu\n", fault_names[k], c.faults[k]);
        faults += c.faults[k];
    }
    assert_int_equal(faults, 0);
}

/* What becomes of an answer. */
static void decide(const dls_problem *p, const double *lambda, dls_outcome claim, dls_report *report)
{
    dls_criteria criteria = {p, NULL, tolerance, DLS_CERTIFY_ROWS};
    dls_certificate c;
    dls_error error;
    assert_status(dls_examiner_create(p, &criteria.examiner, &error), &error);
    dls_report_end(report, claim, "%s", "");
    assert_status(dls_decide_outcome(&criteria, lambda, &c, NULL, report, &error), &error);
    dls_examiner_destroy(criteria.examiner);
}

/* An impulse that rounding alone keeps from 0 makes no answer wrong: A = 1, b = 1, lambda = 1e-20, by itself or beside
 * rows that have nothing to do with it; and one of 1e-3 does. */
static void test_rounding_is_no_violation(void **unused)
{
    const double A[] = {1.0, 0.0, 0.0, 1.0}, b[] = {1.0, -1.0};
    dls_error error;
    (void)unused;
    for (size_t n = 1; n <= 2; n++) {
        double lambda[] = {1e-20, 1.0};
        dls_report report = {0};
        dls_problem *p;
        assert_status(dls_problem_from_matrix(n, A, b, NULL, NULL, &p, &error), &error);
        decide(p, lambda, DLS_OUTCOME_SOLVED, &report);
        assert_int_equal(report.outcome, DLS_OUTCOME_SOLVED);
        lambda[0] = 1e-3;
        decide(p, lambda, DLS_OUTCOME_SOLVED, &report);
        assert_int_equal(report.outcome, DLS_OUTCOME_NUMERICAL_FAILURE);
        dls_report_release(&report);
        dls_problem_destroy(p);
    }
}

static bool until_converged(void *context, const double *lambda, const dls_report *report)
{
    dls_certificate c;
    (void)report;
    dls_examine(context, lambda, NULL, &c);
    return !dls_is_converged(&c, tolerance);
}

/* A stiff pair of rows: where the residual beside each row's own terms is small enough, that beside b is not yet, and
 * the sweeps go on until both are. An iterate before that decides nothing. */
static void test_sweeps_end_where_they_solve(void **unused)
{
    const double A[] = {1.0, 0.995, 0.995, 1.0}, b[] = {-1.0, 1.0}, lo[] = {-HUGE_VAL, -HUGE_VAL},
                 hi[] = {HUGE_VAL, HUGE_VAL};
    const dls_solver *pgs = dls_iterative_solvers[0];
    double settings[32], lambda[2] = {0.0};
    dls_problem *p;
    dls_examiner *examiner;
    dls_report report = {0};
    dls_certificate c;
    dls_error error;
    (void)unused;
    assert_status(dls_problem_from_matrix(2, A, b, lo, hi, &p, &error), &error);
    assert_status(dls_examiner_create(p, &examiner, &error), &error);
    assert_status(dls_fields_default(&pgs->fields, settings, &error), &error);
    assert_status(dls_solve(pgs, p, settings, 100000, lambda, &report, until_converged, examiner, &error), &error);
    decide(p, lambda, report.outcome, &report);
    assert_int_equal(report.outcome, DLS_OUTCOME_SOLVED);
    dls_examine(examiner, lambda, NULL, &c);
    assert_below(c.data_residual, data_tolerance);
    dls_examiner_destroy(examiner);
    dls_report_release(&report);
    dls_problem_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_verdict_is_false),
        cmocka_unit_test(test_rounding_is_no_violation),
        cmocka_unit_test(test_sweeps_end_where_they_solve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
