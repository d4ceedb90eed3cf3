/* No verdict is false on random small problems of all kinds, which the exact search decides (verdicts.h). DLS_VERDICTS
 * is the number of problems (5000; make fuzz: 100000), DLS_VERDICTS_FIRST the first seed (1). */
#include "verdicts.h"

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

static instance draw_instance(uint64_t seed)
{
    draft d;
    dls_problem *p = problem_of_seed(seed, &d);
    return (instance){.kind = d.kind, .problem = p, .rows = p};
}

static dls_outcome exact_outcome(const instance *at)
{
    dls_report report = {0};
    double lambda[N];
    solve(dls_direct_find("exact"), at->problem, 1, lambda, &report);
    const dls_outcome outcome = report.outcome;
    assert_true(claims_solution(&report) || outcome == DLS_OUTCOME_NO_SOLUTION);
    dls_report_release(&report);
    return outcome;
}

static const known_tally known[] = {
    {"enumeration", {0, 3397, 518, 493, 516, 0, 77, 0, 0}, 68999, 191682, 20, 0.01},
    {"dantzig", {0, 2890, 239, 0, 0, 0, 78, 1794, 0}, 4488, 55730, 6, 0.01},
    {"lemke", {0, 4341, 407, 0, 0, 0, 234, 19, 0}, 8606, 148379, 6, 0.01},
    {"block-pivoting", {0, 4250, 230, 0, 0, 1, 520, 0, 0}, 18575, 178928, 6, 0.02},
    {"interior-point", {0, 4364, 234, 0, 0, 180, 223, 0, 0}, 82565, 171471, 6, 0.01},
    {"newton", {0, 4363, 0, 0, 0, 352, 286, 0, 0}, 217154, 357701, 30, 0.06},
    {"fixed-point", {0, 4250, 230, 0, 0, 1, 520, 0, 0}, 5001, 178928, 6, 0.01},
    {"cone-newton", {0, 0, 0, 0, 0, 0, 0, 5001, 0}, 0, 0, 8, 0.03},
    {"exact", {0, 2957, 584, 548, 912, 0, 0, 0, 0}, 22797, 18267, 6, 0.01},
    {"pgs", {0, 2820, 0, 0, 0, 1171, 69, 941, 0}, 803456, 0, 6, 0.01},
    {"sor", {0, 2795, 0, 0, 0, 1195, 70, 941, 0}, 803376, 0, 6, 0.01},
    {"symmetric-pgs", {0, 2819, 0, 0, 0, 1168, 73, 941, 0}, 803040, 0, 6, 0.01},
    {"jacobi", {0, 2648, 0, 0, 0, 1346, 66, 941, 0}, 803024, 0, 6, 0.01},
    {"nsgs", {0, 2749, 0, 0, 0, 1099, 15, 1138, 0}, 770688, 0, 6, 0.01},
};

static void test_no_verdict_is_false(void **unused)
{
    campaign c = {.draw = draw_instance,
                  .truth = exact_outcome,
                  .iterations = 200,
                  .known = known,
                  .n_known = sizeof known / sizeof known[0]};
    (void)unused;
    search_false_verdicts(&c, 5000, once_false, sizeof once_false / sizeof once_false[0]);
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
