/* Direct methods leave nothing unsolved: P-matrices and symmetric semidefinite problems, by every direct method that
 * takes them, judged as `delassus solve` judges. A solution is chosen, so there is one: b = w - A lambda. A method
 * fails where it does not claim a solution itself, or the judge does not agree.
 * DLS_METHODS is the number of problems of each of the two classes (150; make fuzz-methods: 3000, under every kernel of
 * the BLAS and with one and two threads), DLS_METHODS_FIRST the first seed (1). A problem is its class and seed; with
 * DLS_METHODS=1 every method's report is printed, and DLS_METHODS_CLASS leaves the other class out. */
#include "check.h"
#include "draws.h"
#include "examined.h"

#include "delassus/experiments.h"

#include <string.h>

enum { ROWS_MAX = 400, USUAL_ROWS = 200, SMALL_ROWS = 7, SOLVERS_MAX = 64, CLASSES = 2 };

static const double tolerance = 1e-9; /* of delassus solve */

typedef struct draft {
    const char *kind;
    size_t n;
    double *A, *G, *b, *lo, *hi, *lambda, *w;
    size_t *order;
    bool stands; /* the doubles as stored have a solution: rounding has not made dependent rows contradict each other */
    bool whole;  /* entries are small whole numbers, and sums of their products exact */
} draft;

static double *at(const draft *d, size_t i, size_t j) { return &d->A[i + d->n * j]; }
static double normal(void) /* nearly */
{
    double sum = -6.0;
    for (int k = 0; k < 12; k++)
        sum += uniform(0.0, 1.0);
    return sum;
}

static void shuffle(draft *d)
{
    for (size_t i = 0; i < d->n; i++)
        d->order[i] = i;
    for (size_t i = d->n; i-- > 1;) {
        size_t j = (size_t)draw(0, (int)i), kept = d->order[i];
        d->order[i] = d->order[j], d->order[j] = kept;
    }
}

/* --- matrices --- */

/* A = G G^T / columns; column k of G times 10^(fall k / columns). */
static void gram(draft *d, size_t columns, double fall)
{
    size_t n = d->n;
    double *G = d->G;
    for (size_t k = 0; k < columns; k++)
        for (size_t i = 0; i < n; i++)
            G[k + columns * i] =
                d->whole ? (double)draw(-3, 3) : normal() * pow(10.0, fall * (double)k / (double)columns);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i <= j; i++) {
            double sum = 0.0;
            for (size_t k = 0; k < columns; k++)
                sum += G[k + columns * i] * G[k + columns * j];
            *at(d, i, j) = *at(d, j, i) = d->whole ? sum : sum / (double)columns;
        }
}

static void definite(draft *d)
{
    d->kind = "definite";
    gram(d, d->n, 0.0);
    for (size_t i = 0; i < d->n; i++)
        *at(d, i, i) += 0.1;
}

/* The eigenvalues fall by up to ten powers of ten. */
static void stiff(draft *d)
{
    d->kind = "stiff";
    double fall = uniform(-5.0, -1.0);
    gram(d, d->n, fall);
    for (size_t i = 0; i < d->n; i++)
        *at(d, i, i) += pow(10.0, 2.0 * fall);
}

/* A string of masses, joined one to the next: each m times the one before it, or a heavy one at the end. */
static void chain(draft *d)
{
    d->kind = "chain";
    double ratio = draw(0, 1) ? scale_between(-0.05, 0.05) : 1.0, last = draw(0, 1) ? scale_between(-4.0, 4.0) : 1.0;
    double mass = 1.0;
    for (size_t i = 0; i < d->n; i++, mass *= ratio) {
        double next = i + 1 < d->n ? mass * ratio : mass * last;
        *at(d, i, i) = 1.0 / mass + 1.0 / next;
        if (i + 1 < d->n)
            *at(d, i, i + 1) = *at(d, i + 1, i) = -1.0 / next;
    }
}

static void add_skew(draft *d, double size)
{
    for (size_t j = 0; j < d->n; j++)
        for (size_t i = 0; i < j; i++) {
            double s = size * normal();
            *at(d, i, j) += s, *at(d, j, i) -= s;
        }
}

static void monotone(draft *d)
{
    definite(d);
    d->kind = "monotone";
    add_skew(d, 1.0 / sqrt((double)d->n));
}

/* The symmetric part is small beside the skew one. */
static void nearly_skew(draft *d)
{
    d->kind = "nearly skew";
    double least = scale_between(-4.0, 0.0);
    for (size_t i = 0; i < d->n; i++)
        *at(d, i, i) = least * uniform(0.5, 2.0);
    add_skew(d, 1.0 / sqrt((double)d->n));
}

/* Triangular with a positive diagonal, rows and columns in disorder: every principal minor is positive, and the inverse
 * may grow with n. */
static void triangular(draft *d)
{
    d->kind = "triangular";
    double spread = uniform(1.0, 4.0) / sqrt((double)d->n);
    shuffle(d);
    for (size_t j = 0; j < d->n; j++)
        for (size_t i = j; i < d->n; i++)
            *at(d, d->order[i], d->order[j]) = i == j ? uniform(0.5, 2.0) : spread * normal();
}

/* Rules that exchange single rows may take 2^n rounds: K. G. Murty 1978 (L), Y. Fathi 1979 (L L^T), L unit lower
 * triangular with 2 below its diagonal. */
static void exponential(draft *d)
{
    bool symmetric = draw(0, 1) != 0;
    d->kind = symmetric ? "Fathi" : "Murty";
    for (size_t j = 0; j < d->n; j++)
        for (size_t i = 0; i < d->n; i++)
            *at(d, i, j) = symmetric ? 4.0 * (double)(i < j ? i : j) + (i == j ? 1.0 : 2.0)
                           : i == j  ? 1.0
                           : i > j   ? 2.0
                                     : 0.0;
}

static void semidefinite(draft *d)
{
    d->kind = d->whole ? "semidefinite, whole numbers" : "semidefinite";
    d->stands = d->whole;
    gram(d, (size_t)draw(1, (int)d->n), 0.0);
}

/* Some rows are others, in the same unit, another, or reversed; some are nothing at all. */
static void redundant(draft *d)
{
    if (draw(0, 1))
        chain(d);
    else
        gram(d, (d->n + 1) / 2 + (size_t)draw(0, (int)d->n / 2), 0.0);
    d->kind = "redundant";
    d->stands = false;
    for (size_t i = 1; i < d->n; i++) {
        size_t j = (size_t)draw(0, (int)i - 1);
        double unit = draw(0, 7) == 0 ? 0.0 : draw(0, 1) ? any_sign(1.0) : any_sign(uniform(0.5, 2.0));
        if (often(4))
            continue;
        for (size_t k = 0; k < d->n; k++)
            *at(d, i, k) = unit * *at(d, j, k);
        for (size_t k = 0; k < d->n; k++)
            *at(d, k, i) = k == i ? unit * unit * *at(d, j, j) : *at(d, i, k);
    }
}

typedef struct problem_class {
    const char *name;
    size_t count;
    void (*matrices[8])(draft *);
} problem_class;

static const problem_class classes[CLASSES] = {
    {"P-matrices", 7, {definite, stiff, chain, monotone, nearly_skew, triangular, exponential}},
    {"symmetric", 7, {definite, stiff, chain, semidefinite, semidefinite, redundant, redundant}},
};

/* --- bounds, solution, units --- */

enum { LCP, FREE, TWO_SIDED, UPPER, ANY };

static void draw_bounds(draft *d)
{
    int all = draw(0, 5); /* of one kind, or mixed */
    for (size_t i = 0; i < d->n; i++) {
        int kind = all == 0 ? LCP : all == 1 ? TWO_SIDED : all == 2 ? draw(LCP, FREE) : draw(LCP, UPPER);
        double low = kind == LCP ? 0.0 : d->whole ? (double)draw(-2, 1) : uniform(-2.0, 1.0);
        d->lo[i] = kind == FREE || kind == UPPER ? -HUGE_VAL : low;
        d->hi[i] = kind == UPPER       ? low
                   : kind != TWO_SIDED ? HUGE_VAL
                                       : low + (d->whole ? (double)draw(1, 3) : uniform(0.1, 3.0));
    }
}

static void choose_solution(draft *d)
{
    double degenerate = draw(0, 2) ? uniform(0.0, 1.0) : (double)draw(0, 1), inside = uniform(0.0, 1.0);
    for (size_t i = 0; i < d->n; i++) {
        double lo = d->lo[i], hi = d->hi[i], size = d->whole ? (double)draw(1, 3) : uniform(0.1, 2.385);
        bool upper = isinf(lo) || (!isinf(hi) && draw(0, 1)), zero = uniform(0.0, 1.0) < degenerate;
        d->w[i] = 0.0;
        if (isinf(lo) && isinf(hi)) {
            d->lambda[i] = any_sign(size);
        } else if (uniform(0.0, 1.0) < inside) {
            d->lambda[i] = isinf(hi) ? lo + size : isinf(lo) ? hi - size : 0.5 * (lo + hi);
        } else {
            d->lambda[i] = upper ? hi : lo;
            d->w[i] = zero ? 0.0 : upper ? -size : size;
        }
    }
}

static void set_right_side(draft *d)
{
    memcpy(d->b, d->w, d->n * sizeof *d->b);
    for (size_t j = 0; j < d->n; j++)
        for (size_t i = 0; i < d->n; i++)
            d->b[i] -= *at(d, i, j) * d->lambda[j];
}

/* Rows in units of their own, b and bounds as a whole. */
static void rescale(draft *d)
{
    double size = scale_between(-9.0, 9.0);
    for (size_t i = 0; i < d->n; i++)
        d->w[i] = scale_between(-6.0, 6.0);
    for (size_t j = 0; j < d->n; j++) {
        for (size_t i = 0; i < d->n; i++)
            *at(d, i, j) *= d->w[i] * d->w[j];
        d->b[j] *= d->w[j] * size, d->lo[j] *= size / d->w[j], d->hi[j] *= size / d->w[j];
    }
}

static dls_problem *problem_of_seed(const problem_class *kind, uint64_t seed, draft *d)
{
    draw_seed(CLASSES * seed + (uint64_t)(kind - classes));
    d->n = often(50) ? (size_t)exp(uniform(log(2.0), log(USUAL_ROWS + 1.0))) : (size_t)draw(USUAL_ROWS, ROWS_MAX);
    d->stands = true;
    d->whole = false;
    memset(d->A, 0, d->n * d->n * sizeof *d->A);
    void (*matrix)(draft *) = kind->matrices[draw(0, (int)kind->count - 1)];
    d->whole = matrix == semidefinite && draw(0, 1);
    matrix(d);
    draw_bounds(d);
    choose_solution(d);
    set_right_side(d);
    if (!often(3)) {
        d->stands = d->stands && !(d->whole && matrix == semidefinite);
        rescale(d);
    }
    return problem_from_matrix(d->n, d->A, d->b, d->lo, d->hi);
}

/* --- the methods --- */

typedef struct tally {
    const dls_solver *solver;
    size_t tried[CLASSES], refused[CLASSES], unsolved[CLASSES];
    double worst; /* scaled residual of what was solved */
} tally;

typedef struct campaign {
    tally tallies[SOLVERS_MAX];
    size_t n_solvers;
    bool single;
} campaign;

static bool claims_solution(const dls_report *r)
{
    return r->outcome == DLS_OUTCOME_SOLVED || r->outcome == DLS_OUTCOME_SEVERAL || r->outcome == DLS_OUTCOME_CONTINUUM;
}

/* The methods that look at every index set are held to small problems. */
static bool is_small_only(const dls_solver *s)
{
    return s == dls_direct_find("enumeration") || s == dls_direct_find("exact");
}

static void try_method(campaign *c, tally *t, size_t class, uint64_t seed, const draft *d, const dls_criteria *criteria,
                       double *lambda)
{
    double settings[32];
    dls_report report = {0};
    dls_certificate certificate = {0};
    dls_error error = {0};
    assert_true(t->solver->fields.size <= sizeof settings);
    assert_status(dls_fields_default(&t->solver->fields, settings, &error), &error);
    memset(lambda, 0, d->n * sizeof *lambda);
    assert_status(dls_solve(t->solver, criteria->problem, settings, 1, lambda, &report, NULL, NULL, &error), &error);
    bool claimed = claims_solution(&report);
    if (claimed)
        assert_status(dls_decide_outcome(criteria, lambda, &certificate, NULL, &report, &error), &error);
    bool solved = claimed && claims_solution(&report);
    t->tried[class]++;
    t->unsolved[class] += !solved;
    t->worst = solved ? fmax(t->worst, certificate.scaled_residual) : t->worst;
    if (!solved || c->single)
        print_error("%s, seed %llu (%s, n = %zu): %s: %s, %.180s; %zu iterations, scaled residual %.3e\n",
                    classes[class].name, (unsigned long long)seed, d->kind, d->n, t->solver->name,
                    dls_outcome_text(report.outcome), report.message, report.iterations, certificate.scaled_residual);
    dls_report_release(&report);
}

static void print_problem(const draft *d)
{
    for (size_t i = 0; i < d->n; i++) {
        for (size_t j = 0; j < d->n; j++)
            print_message("%.17g ", *at(d, i, j));
        print_message("| b %.17g, lo %.17g, hi %.17g; chosen lambda %.17g\n", d->b[i], d->lo[i], d->hi[i],
                      d->lambda[i]);
    }
}

static void try_problem(campaign *c, size_t class, uint64_t seed, draft *d, double *lambda)
{
    dls_problem *p = problem_of_seed(&classes[class], seed, d);
    dls_criteria criteria = {p, NULL, tolerance, DLS_CERTIFY_ROWS};
    criteria.examiner = examiner_of(p);
    if (c->single && d->n <= SMALL_ROWS)
        print_problem(d);
    for (tally *t = c->tallies; t < c->tallies + c->n_solvers; t++)
        if (dls_solver_refuses(t->solver, p) || (is_small_only(t->solver) && d->n > SMALL_ROWS) ||
            (t->solver == dls_direct_find("exact") && !d->stands))
            t->refused[class]++;
        else
            try_method(c, t, class, seed, d, &criteria, lambda);
    dls_examiner_destroy(criteria.examiner);
    dls_problem_destroy(p);
}

/* Problems of later seeds that a method once left unsolved. */
static const struct once_unsolved {
    size_t class;
    uint64_t seed;
} once_unsolved[] = {
    {1, 2442}, /* newton, Haswell and Prescott: no step lowers psi far from a solution */
};

TEST(test_nothing_is_left_unsolved)
{
    static double memory[2 * ROWS_MAX * ROWS_MAX + 6 * ROWS_MAX];
    static size_t order[ROWS_MAX];
    double *vectors = memory + 2 * ROWS_MAX * ROWS_MAX;
    draft d = {.A = memory,
               .G = memory + ROWS_MAX * ROWS_MAX,
               .b = vectors,
               .lo = vectors + ROWS_MAX,
               .hi = vectors + 2 * ROWS_MAX,
               .lambda = vectors + 3 * ROWS_MAX,
               .w = vectors + 4 * ROWS_MAX,
               .order = order};
    campaign c = {0};
    size_t unsolved = 0;
    uint64_t count = draw_number("DLS_METHODS", 150), first = draw_number("DLS_METHODS_FIRST", 1),
             only = draw_number("DLS_METHODS_CLASS", CLASSES);
    for (size_t s = 0; dls_direct_solvers[s]; s++) {
        assert_true(c.n_solvers < SOLVERS_MAX);
        c.tallies[c.n_solvers++].solver = dls_direct_solvers[s];
    }
    c.single = count == 1;
    for (size_t class = 0; class < CLASSES; class ++)
        for (uint64_t seed = first; seed < first + count && (only == CLASSES || only == class); seed++)
            try_problem(&c, class, seed, &d, vectors + 5 * ROWS_MAX);
    for (size_t k = 0; k < sizeof once_unsolved / sizeof once_unsolved[0] && !c.single; k++)
        try_problem(&c, once_unsolved[k].class, once_unsolved[k].seed, &d, vectors + 5 * ROWS_MAX);
    for (const tally *t = c.tallies; t < c.tallies + c.n_solvers; t++) {
        print_message("# %-15s", t->solver->name);
        for (size_t class = 0; class < CLASSES; class ++) {
            print_message(" %s: %zu tried, %zu unsolved;", classes[class].name, t->tried[class], t->unsolved[class]);
            unsolved += t->unsolved[class];
        }
        print_message(" worst scaled residual %.1e\n", t->worst);
    }
    assert_int_equal(unsolved, 0);
}
