/* No verdict is false on random small problems of all kinds, which the exact search decides (verdicts.h); the search
 * itself is held against solutions that are verified as fractions, and against all choices of states where every one of
 * them is a regular system. DLS_VERDICTS is the number of problems (30000; make fuzz: 500000), DLS_VERDICTS_FIRST the
 * first seed (1). */
#include "examined.h"
#include "verdicts.h"

static const uint64_t once_false[] = {7137529}; /* seeds beyond the usual ones */

/* Sizes of A; products of its entries with impulses are normal numbers still. */
enum { LEAST_EXPONENT = -940 };

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

/* Every entry has a size of its own. */
static void wide_range(draft *d)
{
    if (draw(0, 1))
        any_matrix(d);
    else
        symmetric_matrix(d);
    const bool symmetric = !strcmp(d->kind, "symmetric");
    d->kind = "wide range";
    for (size_t i = 0; i < d->n; i++)
        for (size_t j = 0; j <= i; j++) {
            const double size = scale_between(-15.0, 15.0);
            *at(d, i, j) *= size;
            if (i != j)
                *at(d, j, i) *= symmetric ? size : scale_between(-15.0, 15.0);
        }
    d->whole = false;
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
    const int kind = draw(0, 5);
    if (kind < 3)
        d->b[i] = 0.0;
    else if (kind == 3)
        d->b[i] = any_sign(scale_between(-305.0, -200.0)), d->whole = false;
}

/* A and b at an end of the range of doubles, where entries lose digits as they are stored. */
static void move_to_an_end(draft *d)
{
    const bool large = draw(0, 3) == 0;
    const int a = large ? draw(800, 900) : draw(LEAST_EXPONENT, LEAST_EXPONENT + 100), b = a + draw(-60, 60), l = b - a;
    for (size_t k = 0; k < d->n * d->n; k++)
        d->A[k] = ldexp(d->A[k], a);
    for (size_t i = 0; i < d->n; i++)
        d->b[i] = ldexp(d->b[i], b), d->lo[i] = ldexp(d->lo[i], l), d->hi[i] = ldexp(d->hi[i], l);
    d->kind = large ? "large" : "small";
    d->whole = false;
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
    void (*const kinds[])(draft *) = {any_matrix,        symmetric_matrix, product_matrix, product_matrix,  skew_matrix,
                                      triangular_matrix, tiny_diagonal,    repeat_row,     nearly_singular, wide_range};
    memset(d, 0, sizeof *d);
    d->n = (size_t)draw(1, 5);
    d->whole = draw(0, 1) != 0;
    kinds[(size_t)draw(0, (int)(sizeof kinds / sizeof kinds[0]) - 1)](d);
    draw_bounds(d);
    draw_right_side(d);
    if (!often(6))
        zero_rows(d);
    bool rows = !often(3);
    if (often(12))
        rescale(d, rows, !often(3));
    else
        move_to_an_end(d);
    return problem_from_matrix(d->n, d->A, d->b, d->lo, d->hi);
}

/* --- mechanical ones --- */

/* One or two bodies of masses up to 1e12 apart, held by rows of any kind, some of them twice. */
static dls_problem *mechanical_problem(draft *d)
{
    size_t n = (size_t)draw(1, 5), n_bodies = (size_t)draw(1, 2);
    dls_problem *p = problem_of_bodies(n, n_bodies);
    dls_error error = {0};
    memset(d, 0, sizeof *d);
    d->kind = "mechanical";
    for (size_t i = 0; i < n; i++) {
        size_t twin = i > 0 && !often(4) ? (size_t)draw(0, (int)i - 1) : i;
        for (size_t c = 0; c < 6 * n_bodies; c++)
            p->J.coef[6 * n_bodies * i + c] = twin < i     ? p->J.coef[6 * n_bodies * twin + c]
                                              : draw(0, 2) ? uniform(-1.0, 1.0)
                                                           : (double)draw(-1, 1);
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
    memset(d, 0, sizeof *d);
    d->kind = "two balls";
    dls_problem *p = problem_from_state(model, dls_model_initial(model), NULL, 0.01);
    dls_model_destroy(model);
    return p;
}

static dls_problem *problem_of_seed(uint64_t seed, draft *d)
{
    draw_seed(seed);
    int kind = draw(0, 39);
    return kind == 0 ? two_balls(d) : kind <= 5 ? mechanical_problem(d) : matrix_problem(d);
}

static instance draw_instance(uint64_t seed)
{
    draft d;
    dls_problem *p = problem_of_seed(seed, &d);
    return (instance){.kind = d.kind, .problem = p, .rows = p};
}

/* The solutions that the exact search lists are solutions, as fractions; so is the point between the two of a
 * continuum. */
static void check_fractions(const instance *at, const dls_report *report)
{
    const size_t n = at->problem->n, count = report->n_solutions;
    exact_states e;
    char *text = test_malloc(strlen(report->fractions) + 1), *next = text;
    strcpy(text, report->fractions);
    init_states(&e, n);
    fmpq *all = _fmpq_vec_init((slong)(count * n));
    for (size_t k = 0; k < count * n; k++) {
        char *end = strchr(next, ' ');
        if (end)
            *end = 0;
        assert_int_equal(fmpq_set_str(all + k, next, 10), 0);
        next = end ? end + 1 : next;
    }
    for (size_t k = 0; k < count + (report->outcome == DLS_OUTCOME_CONTINUUM); k++) {
        for (size_t i = 0; i < n; i++) {
            fmpq *to = fmpq_mat_entry(e.lambda, (slong)i, 0);
            if (k < count) {
                fmpq_set(to, all + n * k + i);
            } else {
                fmpq_add(to, all + i, all + n + i);
                fmpq_div_2exp(to, to, 1);
            }
        }
        assert_true(solves_exactly(at, &e));
    }
    _fmpq_vec_clear(all, (slong)(count * n));
    clear_states(&e);
    test_free(text);
}

/* The result of the search agrees with all choices of states, as far as those tell. */
static void check_states(const instance *at, dls_outcome outcome)
{
    bool complete;
    const dls_outcome found = outcome_of_states(at, &complete);
    if (complete)
        assert_int_equal(outcome, found);
    else if (found == DLS_OUTCOME_SEVERAL)
        assert_true(outcome == DLS_OUTCOME_SEVERAL || outcome == DLS_OUTCOME_CONTINUUM);
    else if (found == DLS_OUTCOME_SOLVED)
        assert_int_not_equal(outcome, DLS_OUTCOME_NO_SOLUTION);
}

static dls_outcome exact_outcome(instance *at)
{
    const size_t n = at->problem->n;
    dls_report report = {0};
    dls_search_proof proof;
    dls_error error;
    double lambda[N];
    solve(dls_direct_find("exact"), at->problem, 1, lambda, &report);
    const dls_outcome outcome = report.outcome;
    assert_true(claims_solution(&report) || outcome == DLS_OUTCOME_NO_SOLUTION);
    if (claims_solution(&report))
        check_fractions(at, &report);
    if (n <= 3)
        check_states(at, outcome);
    assert_status(dls_search_verify(at->problem, 1e9, &proof, &error), &error);
    assert_true(proof.proved == (outcome == DLS_OUTCOME_NO_SOLUTION) && proof.refuted == !proof.proved);
    if (outcome == DLS_OUTCOME_SOLVED || outcome == DLS_OUTCOME_SEVERAL) {
        at->n_solutions = report.n_solutions;
        at->solutions = test_malloc(n * report.n_solutions * sizeof *at->solutions);
        memcpy(at->solutions, report.solutions, n * report.n_solutions * sizeof *at->solutions);
    }
    dls_report_release(&report);
    return outcome;
}

TEST(test_no_verdict_is_false)
{
    campaign c = {.draw = draw_instance, .truth = exact_outcome, .iterations = 200};
    search_false_verdicts(&c, 30000, once_false, sizeof once_false / sizeof once_false[0]);
}

/* The verdict on an answer. */
static void decide(const dls_problem *p, const double *lambda, dls_outcome claim, dls_report *report)
{
    dls_criteria criteria = {p, NULL, tolerance, DLS_CERTIFY_ROWS};
    dls_certificate c;
    dls_error error;
    criteria.examiner = examiner_of(p);
    dls_report_end(report, claim, "%s", "");
    assert_status(dls_decide_outcome(&criteria, lambda, &c, NULL, report, &error), &error);
    dls_examiner_destroy(criteria.examiner);
}

/* An impulse that rounding alone keeps from 0 makes no answer wrong: A = 1, b = 1, lambda = 1e-20, by itself or beside
 * rows that have nothing to do with it; and one of 1e-3 does. */
TEST(test_rounding_is_no_violation)
{
    const double A[] = {1.0, 0.0, 0.0, 1.0}, b[] = {1.0, -1.0};
    for (size_t n = 1; n <= 2; n++) {
        double lambda[] = {1e-20, 1.0};
        dls_report report = {0};
        dls_problem *p = problem_from_matrix(n, A, b, NULL, NULL);
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
TEST(test_sweeps_end_where_they_solve)
{
    const double A[] = {1.0, 0.995, 0.995, 1.0}, b[] = {-1.0, 1.0}, lo[] = {-HUGE_VAL, -HUGE_VAL},
                 hi[] = {HUGE_VAL, HUGE_VAL};
    const dls_solver *pgs = dls_iterative_solvers[0];
    double settings[32], lambda[2] = {0.0};
    dls_report report = {0};
    dls_certificate c;
    dls_error error;
    dls_problem *p = problem_from_matrix(2, A, b, lo, hi);
    dls_examiner *examiner = examiner_of(p);
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
