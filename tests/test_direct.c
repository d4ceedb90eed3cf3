/* One battery for every direct method: whatever stands in dls_direct_solvers is run on every problem. What a method
 * may refuse stands in the table below and nowhere else; what it takes it solves. */
#include "delassus/reference.h"

#include "check.h"
#include "cones.h"
#include "examined.h"

#include <gsl/gsl_cblas.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <string.h>

enum { N_MAX = 200, SETTINGS_MAX = 512 };

/* --- what is allowed --- */

/* As enumeration counts them: states of a row are inside, at a finite lower, at a finite upper bound. */
static double index_sets(const dls_problem *p)
{
    double count = 1.0;
    for (size_t i = 0; i < p->n; i++)
        count *= p->lo[i] == p->hi[i] ? 1.0 : 1.0 + (isfinite(p->lo[i]) ? 1.0 : 0.0) + (isfinite(p->hi[i]) ? 1.0 : 0.0);
    return count;
}
static bool too_many_sets(const dls_problem *p) { return index_sets(p) > 65536.0; }
static bool is_not_symmetric(const dls_problem *p)
{
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++)
            for (size_t j = 0; j < p->J.coef_at[k + 1] - p->J.coef_at[k]; j++) {
                double mirror = 0.0, *row = calloc(p->nv, sizeof *row);
                assert_non_null(row);
                dls_rows_axpy(&p->J, p->J.offset[k] + j, 1.0, row);
                mirror = row[i];
                free(row);
                if (fabs(mirror - p->J.coef[p->J.coef_at[k] + j]) > 1e-12 * fabs(mirror))
                    return true;
            }
    return false;
}

/* A refusal is right only for one of these reasons. */
static const struct {
    const char *solver;
    bool (*reason)(const dls_problem *);
} refusals[] = {
    {"enumeration", too_many_sets},
    {"dantzig", is_not_symmetric},
};

/* The exact search decides about the stored doubles: rounding of a rank leaves other problems. It is tested in
 * test_exact_search.c. */
static bool is_exact(const dls_solver *solver) { return (solver->accepts & DLS_BY_NAME) != 0; }

static bool may_refuse(const dls_solver *solver, const dls_problem *p)
{
    for (size_t k = 0; k < sizeof refusals / sizeof refusals[0]; k++)
        if (strcmp(refusals[k].solver, solver->name) == 0 && refusals[k].reason(p))
            return true;
    return dls_solver_refuses(solver, p) != NULL;
}

/* --- running and judging --- */

typedef struct count {
    size_t solved, several, refused;
    double residual, w_error; /* the worst */
} count;

static void run(const dls_solver *solver, const dls_problem *p, double *lambda, dls_report *report)
{
    char settings[SETTINGS_MAX];
    dls_error error;
    assert_true(solver->fields.size <= sizeof settings);
    assert_status(dls_fields_default(&solver->fields, settings, &error), &error);
    memset(lambda, 0, p->n * sizeof *lambda);
    assert_status(dls_solve(solver, p, settings, 1, lambda, report, NULL, NULL, &error), &error);
}

/* One answer: within the bounds, its w that of the manufactured solution (NULL: not known, or not unique). */
static void examine_answer(dls_examiner *examiner, size_t n, const double *lambda, const double *w, count *c)
{
    double measured[N_MAX];
    dls_certificate certificate;
    dls_examine(examiner, lambda, measured, &certificate);
    assert_below(certificate.scaled_residual, 1e-9); /* rounding leaves 1e-15 to 1e-12 */
    assert_below(certificate.bound_violation, 1e-9);
    c->residual = fmax(c->residual, certificate.scaled_residual);
    for (size_t i = 0; w && i < n; i++) {
        assert_close(measured[i], w[i], 1e-8);
        c->w_error = fmax(c->w_error, fabs(measured[i] - w[i]));
    }
}

static bool claims_several(const dls_report *report)
{
    return report->outcome == DLS_OUTCOME_SEVERAL || report->outcome == DLS_OUTCOME_CONTINUUM;
}

static bool claims_solution(const dls_report *report)
{
    return report->outcome == DLS_OUTCOME_SOLVED || claims_several(report);
}

/* All of them are solutions. Rounding of the entries may add others to the manufactured one; and where they are the
 * exact solutions of the entries as they are stored, it may have taken that. */
static void examine_several(const dls_report *report, dls_examiner *examiner, size_t n, const double *w, count *c)
{
    bool manufactured = !w || report->proof == DLS_PROOF_EXACT;
    assert_true(report->n_solutions >= 2);
    for (size_t s = 0; s < report->n_solutions; s++) {
        double measured[N_MAX], apart = 0.0;
        dls_certificate certificate;
        examine_answer(examiner, n, report->solutions + n * s, NULL, c);
        dls_examine(examiner, report->solutions + n * s, measured, &certificate);
        for (size_t i = 0; w && i < n; i++)
            apart = fmax(apart, fabs(measured[i] - w[i]));
        manufactured = manufactured || apart <= 1e-8;
    }
    assert_true(manufactured);
    for (size_t s = 0; s < report->n_solutions; s++)
        for (size_t r = 0; r < s; r++) {
            double difference = 0.0;
            for (size_t i = 0; i < n; i++)
                difference = fmax(difference, fabs(report->solutions[n * s + i] - report->solutions[n * r + i]));
            assert_true(difference > 1e-8);
        }
    c->several++;
}

/* Rounding of the entries may have taken the solution that was manufactured. */
static void assert_no_solution_is_stored(const dls_problem *p)
{
    dls_search_proof proof;
    dls_error error;
    assert_status(dls_search_verify(p, 1e9, &proof, &error), &error);
    assert_true(proof.proved);
}

/* A problem that has a solution up to the rounding of its entries: "no solution" is wrong unless an exact search finds
 * that the entries as they are stored have none. */
static void judge_feasible(const dls_solver *solver, const dls_problem *p, const double *w, count *c)
{
    double lambda[N_MAX];
    dls_report report = {0};
    run(solver, p, lambda, &report);
    dls_examiner *examiner = examiner_of(p);
    if (report.outcome == DLS_OUTCOME_SOLVED) {
        examine_answer(examiner, p->n, lambda, w, c);
        c->solved++;
    } else if (claims_several(&report)) {
        examine_several(&report, examiner, p->n, w, c);
    } else if (report.outcome == DLS_OUTCOME_REFUSED && may_refuse(solver, p)) {
        c->refused++;
    } else if (report.outcome == DLS_OUTCOME_NO_SOLUTION) {
        assert_no_solution_is_stored(p);
        c->refused++;
    } else {
        fail_msg("%s, %zu rows: %s, %s", solver->name, p->n, dls_outcome_text(report.outcome), report.message);
    }
    dls_examiner_destroy(examiner);
    dls_report_release(&report);
}

static void print_count(const dls_solver *solver, const char *what, const count *c)
{
    print_message("# %-15s %-28s solved %zu, several %zu, refused %zu; worst residual %.1e, w %.1e\n", solver->name,
                  what, c->solved, c->several, c->refused, c->residual, c->w_error);
}

static void manufactured(const dls_solver *solver, const dls_recipe *recipe, count *c)
{
    double w[N_MAX];
    dls_problem *p = problem_from_recipe(recipe, NULL, w);
    judge_feasible(solver, p, w, c);
    dls_problem_destroy(p);
}

static const char *const matrix_name[] = {"definite", "semidefinite", "monotone", "P"};

/* 2128 problems a method: 4 classes, LCP and boxed, without and with degenerate rows. */
TEST(test_manufactured_problems)
{
    static const struct {
        size_t n;
        unsigned long seeds;
    } sizes[] = {{1, 10}, {2, 20}, {3, 20}, {5, 25}, {8, 25}, {12, 5}, {21, 15}, {50, 8}, {100, 3}, {200, 2}};
    const size_t one_of = check_one_of(5, "seeds of manufactured problems");
    for (size_t s = 0; dls_direct_solvers[s]; s++)
        for (int matrix = DLS_MATRIX_DEFINITE; matrix <= DLS_MATRIX_P && !is_exact(dls_direct_solvers[s]); matrix++) {
            count c = {0};
            for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
                for (unsigned long seed = 1; seed <= sizes[k].seeds; seed += one_of)
                    for (int kind = 0; kind < 4; kind++) {
                        dls_recipe recipe = {(dls_matrix_class)matrix, kind & 1 ? DLS_BOUNDS_BOXED : DLS_BOUNDS_LCP,
                                             sizes[k].n, kind & 2 ? 0.3 : 0.0, seed};
                        manufactured(dls_direct_solvers[s], &recipe, &c);
                    }
            print_count(dls_direct_solvers[s], matrix_name[matrix], &c);
        }
}

TEST(test_sizes_that_are_not_manufactured)
{
    const size_t sizes[] = {0, 20000, SIZE_MAX};
    for (size_t k = 0; k < 3; k++) {
        const dls_recipe recipe = {DLS_MATRIX_DEFINITE, DLS_BOUNDS_LCP, sizes[k], 0.0, 1};
        dls_problem *p;
        dls_error error;
        assert_int_equal(dls_manufacture(&recipe, &p, NULL, NULL, &error), DLS_BAD_ARGUMENT);
        assert_null(p);
        assert_string_not_equal(error.message, "");
    }
}

/* Redundant rows without compliance: rank n/2, 150 problems with [0, inf) and 150 with boxes. */
TEST(test_rank_deficient_problems)
{
    static const size_t sizes[] = {50, 100, 200};
    const size_t one_of = check_one_of(10, "seeds of problems of deficient rank");
    for (size_t s = 0; dls_direct_solvers[s]; s++)
        for (int bounds = DLS_BOUNDS_LCP; bounds <= DLS_BOUNDS_BOXED && !is_exact(dls_direct_solvers[s]); bounds++) {
            count c = {0};
            for (size_t k = 0; k < 3; k++)
                for (unsigned long seed = 1001; seed <= 1050; seed += one_of) {
                    dls_recipe recipe = {DLS_MATRIX_SEMIDEFINITE, (dls_bounds_class)bounds, sizes[k], 0.0, seed};
                    manufactured(dls_direct_solvers[s], &recipe, &c);
                }
            print_count(dls_direct_solvers[s], bounds == DLS_BOUNDS_LCP ? "rank n/2, LCP" : "rank n/2, boxed", &c);
        }
}

/* --- problems without a solution --- */

typedef struct draft {
    size_t n;
    double A[40 * 40], b[40], lo[40], hi[40], lambda[40], w[40];
} draft;

static double *entry(draft *d, size_t i, size_t j) { return &d->A[i + d->n * j]; }

/* A = G G^T / n with n x rank normal G. */
static void random_gram(gsl_rng *rng, draft *d, size_t rank)
{
    double G[40 * 40];
    for (size_t k = 0; k < d->n * rank; k++)
        G[k] = gsl_ran_gaussian(rng, 1.0);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, (int)d->n, (int)d->n, (int)rank, 1.0 / (double)d->n, G,
                (int)d->n, G, (int)d->n, 0.0, d->A, (int)d->n);
    for (size_t j = 0; j < d->n; j++)
        for (size_t i = 0; i < j; i++)
            *entry(d, i, j) = *entry(d, j, i);
}

/* g = c (y_j e_i - y_i e_j), so y.g = 0, in whole numbers. */
static void null_pair(gsl_rng *rng, size_t n, const double *y, double *g)
{
    size_t i = gsl_rng_uniform_int(rng, n), j = gsl_rng_uniform_int(rng, n);
    double c = (double)gsl_rng_uniform_int(rng, 5) - 2.0;
    memset(g, 0, n * sizeof *g);
    if (i != j) {
        g[i] = c * y[j];
        g[j] = -c * y[i];
    }
}

/* y >= 0 on [0, inf), of any sign on free rows, 0 on boxes; A y = A^T y = 0, exactly; b.y = -0.7: y.w = b.y < 0 for
 * every lambda. A = (sum g g^T + sum (g h^T - h g^T)) / 8, the latter for a matrix that is not symmetric; g.y = h.y
 * = 0. */
static dls_problem *infeasible(size_t n, bool symmetric, unsigned long seed)
{
    draft d = {.n = n};
    double y[40], g[40], h[40];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(rng);
    gsl_rng_set(rng, seed);
    for (size_t i = 0; i < n; i++) {
        size_t kind = i == 0 ? 0 : gsl_rng_uniform_int(rng, 4);
        d.lo[i] = kind == 1 ? -HUGE_VAL : kind == 2 ? -1.0 : 0.0;
        d.hi[i] = kind == 2 ? 1.0 : HUGE_VAL;
        y[i] = kind == 0   ? 1.0 + (double)gsl_rng_uniform_int(rng, 3)
               : kind == 1 ? (double)gsl_rng_uniform_int(rng, 5) - 2.0
                           : 0.0;
        d.b[i] = gsl_ran_gaussian(rng, 1.0);
    }
    for (size_t k = 0; k < 2 * n; k++) {
        null_pair(rng, n, y, g);
        null_pair(rng, n, y, h);
        cblas_dger(CblasColMajor, (int)n, (int)n, 0.125, g, 1, g, 1, d.A, (int)n);
        cblas_dger(CblasColMajor, (int)n, (int)n, symmetric ? 0.0 : 0.125, g, 1, h, 1, d.A, (int)n);
        cblas_dger(CblasColMajor, (int)n, (int)n, symmetric ? 0.0 : -0.125, h, 1, g, 1, d.A, (int)n);
    }
    double excess = cblas_ddot((int)n, y, 1, d.b, 1) + 0.7;
    cblas_daxpy((int)n, -excess / cblas_ddot((int)n, y, 1, y, 1), y, 1, d.b, 1);
    dls_problem *p = problem_from_matrix(n, d.A, d.b, d.lo, d.hi);
    gsl_rng_free(rng);
    return p;
}

static void check_proof(const dls_problem *p, const dls_report *report)
{
    dls_farkas_proof proof;
    dls_error error;
    if (report->proof != DLS_PROOF_FARKAS) {
        assert_true(report->proof == DLS_PROOF_ENUMERATION);
        return;
    }
    assert_non_null(report->proof_vector);
    assert_status(dls_farkas_verify(p, report->proof_vector, &proof, &error), &error);
    if (!proof.proved)
        fail_msg("%s", proof.reason);
}

/* Pivoting methods must prove it; the others must at least not claim a solution. */
static void judge_infeasible(const dls_solver *solver, const dls_problem *p, size_t *proved)
{
    static const char *const provers[] = {"enumeration", "lemke", "dantzig"};
    double lambda[N_MAX];
    dls_report report = {0};
    run(solver, p, lambda, &report);
    if (claims_solution(&report))
        fail_msg("%s claims a solution of a problem of %zu rows that has none: lambda_0 = %g, %s", solver->name, p->n,
                 lambda[0], report.message);
    for (size_t k = 0; k < 3; k++)
        if (strcmp(provers[k], solver->name) == 0 && report.outcome != DLS_OUTCOME_NO_SOLUTION &&
            !(report.outcome == DLS_OUTCOME_REFUSED && may_refuse(solver, p)))
            fail_msg("%s, %zu rows: %s, %s", solver->name, p->n, dls_outcome_text(report.outcome), report.message);
    if (report.outcome == DLS_OUTCOME_NO_SOLUTION) {
        check_proof(p, &report);
        ++*proved;
    }
    dls_report_release(&report);
}

TEST(test_problems_without_a_solution)
{
    static const size_t sizes[] = {1, 2, 3, 6, 10, 20, 40};
    const size_t one_of = check_one_of(5, "seeds of problems without a solution");
    for (size_t s = 0; dls_direct_solvers[s]; s++) {
        size_t proved = 0, tried = 0;
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
            for (unsigned long seed = 1; seed <= 40; seed += one_of, tried++) {
                dls_problem *p = infeasible(sizes[k], seed % 2, seed);
                judge_infeasible(dls_direct_solvers[s], p, &proved);
                dls_problem_destroy(p);
            }
        print_message("# %-15s no solution: proved %zu of %zu\n", dls_direct_solvers[s]->name, proved, tried);
    }
}

/* --- bounds of every kind --- */

/* Upper bounds alone, bounds other than 0, equal bounds, free rows, rows that nothing can move, units a million apart.
 * Kind 5, a free row, leaves A regular on the free rows; a dead row is at its bound. */
static dls_problem *every_bound(size_t n, size_t rank, double *w, unsigned long seed)
{
    draft d = {.n = n};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(rng);
    gsl_rng_set(rng, seed);
    random_gram(rng, &d, rank);
    for (size_t i = 0; i < n; i++) {
        size_t kind = gsl_rng_uniform_int(rng, 6);
        double unit = exp2((double)gsl_rng_uniform_int(rng, 21) - 10.0), lo = gsl_ran_gaussian(rng, 1.0),
               span = gsl_ran_flat(rng, 0.3, 2.0);
        double part = gsl_rng_uniform(rng), size = gsl_ran_flat(rng, 0.1, 1.0);
        bool dead = kind == 0 && part < 0.3;
        d.lo[i] = kind == 1 || kind == 5 ? -HUGE_VAL : lo;
        d.hi[i] = kind == 0 || kind == 5 ? HUGE_VAL : kind == 4 ? lo : lo + span;
        bool at_lo = kind == 0 ? part < 0.5 : part<0.3, at_hi = part> 0.7;
        bool lower = isfinite(d.lo[i]) && at_lo, upper = isfinite(d.hi[i]) && at_hi;
        d.lambda[i] = lower                                    ? d.lo[i]
                      : upper                                  ? d.hi[i]
                      : isfinite(d.hi[i]) && isfinite(d.lo[i]) ? lo + (d.hi[i] - lo) * part
                      : isfinite(d.hi[i])                      ? d.hi[i] - part
                      : isfinite(d.lo[i])                      ? lo + part
                                                               : part;
        w[i] = kind == 4 ? size - 0.5 : lower ? size : upper ? -size : 0.0;
        for (size_t j = 0; j < n; j++) {
            *entry(&d, i, j) *= dead ? 0.0 : unit;
            *entry(&d, j, i) *= dead ? 0.0 : unit;
        }
        d.lo[i] /= unit, d.hi[i] /= unit, d.lambda[i] /= unit;
        w[i] *= unit;
    }
    for (size_t i = 0; i < n; i++)
        d.b[i] = w[i] - cblas_ddot((int)n, d.A + i, (int)n, d.lambda, 1);
    dls_problem *p = problem_from_matrix(n, d.A, d.b, d.lo, d.hi);
    gsl_rng_free(rng);
    return p;
}

TEST(test_bounds_of_every_kind)
{
    const size_t one_of = check_one_of(5, "seeds of bounds of every kind");
    for (size_t s = 0; dls_direct_solvers[s]; s++)
        for (int singular = 0; singular < 2 && !is_exact(dls_direct_solvers[s]); singular++) {
            count c = {0};
            for (size_t n = 1; n <= 36; n = n * 3 / 2 + 1)
                for (unsigned long seed = 1; seed <= 40; seed += one_of) {
                    double w[40], lambda[40];
                    dls_report report = {0};
                    dls_certificate certificate;
                    dls_problem *p = every_bound(n, singular ? (n + 1) / 2 : n + 3 < 40 ? n : n, w, seed + 100 * n);
                    run(dls_direct_solvers[s], p, lambda, &report);
                    dls_examiner *examiner = examiner_of(p);
                    dls_examine(examiner, lambda, NULL, &certificate);
                    bool solved = claims_solution(&report);
                    if (solved) {
                        assert_below(certificate.scaled_residual, 1e-9);
                        c.residual = fmax(c.residual, certificate.scaled_residual);
                        c.solved++;
                    } else if (report.outcome == DLS_OUTCOME_REFUSED) {
                        assert_true(may_refuse(dls_direct_solvers[s], p));
                        c.refused++;
                    } else if (report.outcome == DLS_OUTCOME_NO_SOLUTION) {
                        assert_no_solution_is_stored(p);
                        c.refused++;
                    } else {
                        fail_msg("%s, %zu rows, seed %lu, singular %d: %s, %s", dls_direct_solvers[s]->name, n, seed,
                                 singular, dls_outcome_text(report.outcome), report.message);
                    }
                    dls_examiner_destroy(examiner);
                    dls_report_release(&report);
                    dls_problem_destroy(p);
                }
            print_count(dls_direct_solvers[s], singular ? "every bound, singular" : "every bound", &c);
        }
}

/* --- units --- */

/* A random problem of any kind: entries from 1e-20 to 3 on the diagonal, some of them 0, negative or missing elsewhere;
 * symmetric or not; every kind of bounds. */
static dls_problem *any_problem(gsl_rng *rng, size_t n)
{
    draft d = {.n = n};
    bool symmetric = gsl_rng_uniform_int(rng, 2) == 0, small = gsl_rng_uniform_int(rng, 2) == 0;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            double a = (double)gsl_rng_uniform_int(rng, 7) - 3.0;
            if (i == j)
                a = small ? (double)gsl_rng_uniform_int(rng, 5) * pow(10.0, gsl_ran_flat(rng, -20.0, -9.0)) : fabs(a);
            *entry(&d, i, j) = symmetric && i < j ? *entry(&d, j, i) : a;
        }
    for (size_t j = 0; symmetric && j < n; j++)
        for (size_t i = 0; i < j; i++)
            *entry(&d, i, j) = *entry(&d, j, i);
    for (size_t i = 0; i < n; i++) {
        size_t kind = gsl_rng_uniform_int(rng, 5);
        d.b[i] = (double)gsl_rng_uniform_int(rng, 9) - 4.0;
        d.lo[i] = kind == 0 || kind == 3 ? -HUGE_VAL : kind == 1 ? 0.0 : -2.0;
        d.hi[i] = kind < 2 ? HUGE_VAL : (double)gsl_rng_uniform_int(rng, 3) * 0.5;
    }
    return problem_from_matrix(n, d.A, d.b, d.lo, d.hi);
}

/* Contacts under Coulomb's cone, or with friction in a box, mu times the current normal impulse. */
static dls_problem *any_contacts(gsl_rng *rng, size_t contacts, unsigned seed, bool cone)
{
    double lambda[40], w[40];
    dls_error error;
    dls_problem *p = cone_manufacture(contacts, seed, lambda, w);
    for (size_t i = 0; i < p->n; i++) {
        if (gsl_rng_uniform_int(rng, 3) == 0)
            p->c[i] += gsl_ran_flat(rng, -1.0, 1.0);
        if (!cone && p->law[i] == DLS_LAW_CONE)
            p->law[i] = DLS_LAW_BOX;
    }
    p->n_coupled = 2 * contacts, p->n_cone = cone ? 2 * contacts : 0;
    assert_status(dls_problem_check(p, &error), &error);
    return p;
}

/* (S A S, c S b, c S^-1 lo, c S^-1 hi), and mu_i times s_n / s_i. */
static dls_problem *in_units(const dls_problem *p, const double *s, double c)
{
    dls_dense *d = dense_of(p);
    for (size_t j = 0; j < d->n; j++) {
        for (size_t i = 0; i < d->n; i++)
            d->A[i + d->n * j] *= s[i] * s[j];
        d->b[j] *= c * s[j], d->lo[j] *= c / s[j], d->hi[j] *= c / s[j];
    }
    dls_problem *other = problem_from_matrix(d->n, d->A, d->b, d->lo, d->hi);
    memcpy(other->law, p->law, d->n * sizeof *p->law);
    memcpy(other->parent, p->parent, d->n * sizeof *p->parent);
    for (size_t i = 0; i < d->n; i++)
        other->mu[i] = p->parent[i] == DLS_NONE ? 0.0 : p->mu[i] * (s[p->parent[i]] / s[i]);
    other->n_cone = p->n_cone, other->n_coupled = p->n_coupled;
    dls_dense_destroy(d);
    return other;
}

/* Powers of two as units of rows and impulses change no outcome, no count and no bit of the impulses; the two tangents
 * of a cone share one. */
TEST(test_units_change_no_bit)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(rng);
    size_t solved = 0, tried = 0;
    const size_t one_of = check_one_of(3, "problems in other units");
    for (unsigned long seed = 1; seed <= 400; seed += one_of) {
        double s[40], lambda[40], other[40], w[40], c;
        size_t n = 1 + seed % 5;
        gsl_rng_set(rng, seed);
        dls_problem *p = seed % 4 == 0   ? every_bound(n = 1 + seed % 20, 1 + seed % 15, w, seed)
                         : seed % 4 == 1 ? any_contacts(rng, (n *= 3) / 3, (unsigned)seed, seed % 8 == 1)
                                         : any_problem(rng, n);
        for (size_t i = 0; i < n; i++)
            s[i] = p->law[i] == DLS_LAW_CONE && p->parent[i] + 1 < i
                       ? s[i - 1]
                       : exp2((double)gsl_rng_uniform_int(rng, 61) - 30.0);
        c = exp2((double)gsl_rng_uniform_int(rng, 61) - 30.0);
        dls_problem *q = in_units(p, s, c);
        for (size_t k = 0; dls_direct_solvers[k]; k++) {
            dls_report first = {0}, second = {0};
            run(dls_direct_solvers[k], p, lambda, &first);
            run(dls_direct_solvers[k], q, other, &second);
            if (first.outcome != second.outcome || first.iterations != second.iterations)
                fail_msg("%s, seed %lu: %s (%s), in other units %s (%s)", dls_direct_solvers[k]->name, seed,
                         dls_outcome_text(first.outcome), first.message, dls_outcome_text(second.outcome),
                         second.message);
            /* Which points of a continuum the exact search meets first is another question in other units. */
            bool answered =
                claims_solution(&first) && !(first.proof == DLS_PROOF_EXACT && first.outcome == DLS_OUTCOME_CONTINUUM);
            for (size_t i = 0; i < n && answered; i++)
                if (other[i] * s[i] / c != lambda[i])
                    fail_msg("%s, seed %lu, row %zu: %.17g, in other units %.17g", dls_direct_solvers[k]->name, seed, i,
                             lambda[i], other[i] * s[i] / c);
            solved += first.outcome == DLS_OUTCOME_SOLVED;
            tried++;
            dls_report_release(&first);
            dls_report_release(&second);
        }
        dls_problem_destroy(p);
        dls_problem_destroy(q);
    }
    print_message("# units: %zu solves, %zu of them solved, the same in other units\n", tried, solved);
    gsl_rng_free(rng);
}

/* --- examples --- */

typedef struct example {
    const char *source;
    size_t n, n_solutions;
    double A[16]; /* row by row */
    double b[4], solution[3][4];
} example;

static const example examples[] = {
    {"Cottle, Pang, Stone 1992, example 4.4.7", 3, 1, {0, -1, 2, 2, 0, -2, -1, 1, 0}, {-3, 6, -1}, {{0, 1, 3}}},
    {"Cottle, Pang, Stone 1992, example 4.4.23: a bimatrix game",
     4,
     3,
     {0, 0, 10, 20, 0, 0, 30, 15, 10, 20, 0, 0, 30, 15, 0, 0},
     {-1, -1, -1, -1},
     {{0.1, 0, 0.1, 0}, {0, 1.0 / 15, 0, 1.0 / 15}, {1.0 / 90, 4.0 / 90, 1.0 / 90, 4.0 / 90}}},
    {"symmetric, not a P-matrix: each row alone, or both",
     2,
     3,
     {1, 2, 2, 1},
     {-1, -1},
     {{1, 0}, {0, 1}, {1.0 / 3, 1.0 / 3}}},
    {"Murty 1988, chapter 6: many steps for pivoting by index",
     4,
     1,
     {1, 2, 2, 2, 0, 1, 2, 2, 0, 0, 1, 2, 0, 0, 0, 1},
     {-1, -1, -1, -1},
     {{0, 0, 0, 1}}},
    {"w = -1 - lambda", 1, 0, {-1}, {-1}, {{0}}},
    {"w = -1", 1, 0, {0}, {-1}, {{0}}},
    {"w_1 = -lambda_2 - 0.1", 2, 0, {0, -1, 1, 2}, {-0.1, 0.3}, {{0}}},
};

static dls_problem *example_problem(const example *e)
{
    double A[16];
    for (size_t i = 0; i < e->n; i++)
        for (size_t j = 0; j < e->n; j++)
            A[i + e->n * j] = e->A[i * e->n + j];
    return problem_from_matrix(e->n, A, e->b, NULL, NULL);
}

static bool is_solution(const example *e, const double *lambda)
{
    for (size_t s = 0; s < e->n_solutions; s++) {
        double difference = 0.0;
        for (size_t i = 0; i < e->n; i++)
            difference = fmax(difference, fabs(lambda[i] - e->solution[s][i]));
        if (difference < 1e-12)
            return true;
    }
    return false;
}

/* Neither do units in which A and b are subnormal, or near overflow, as long as their doubles are exact. */
TEST(test_ends_of_the_range_change_no_bit)
{
    static const double ends[][2] = {{-520.0, -530.0}, {-536.0, -530.0}, {505.0, -300.0}, {505.0, 480.0}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(rng);
    size_t solved = 0;
    for (unsigned long seed = 1; seed <= 200; seed++) {
        const size_t n = 1 + seed % 5;
        const double unit = exp2(ends[seed % 4][0]), c = exp2(ends[seed % 4][1]);
        double s[5] = {unit, unit, unit, unit, unit}, lambda[5], other[5];
        gsl_rng_set(rng, seed);
        dls_problem *p = any_problem(rng, n), *q = in_units(p, s, c);
        bool exact = true;
        dls_dense *d = dense_of(p);
        for (size_t i = 0; i < n; i++)
            exact = exact && d->A[i + n * i] == rint(d->A[i + n * i]);
        dls_dense_destroy(d);
        for (size_t k = 0; dls_direct_solvers[k] && exact; k++) {
            dls_report first = {0}, second = {0};
            run(dls_direct_solvers[k], p, lambda, &first);
            run(dls_direct_solvers[k], q, other, &second);
            if (first.outcome != second.outcome)
                fail_msg("%s, seed %lu: %s (%s), at an end %s (%s)", dls_direct_solvers[k]->name, seed,
                         dls_outcome_text(first.outcome), first.message, dls_outcome_text(second.outcome),
                         second.message);
            const bool answered = claims_solution(&first) && first.outcome != DLS_OUTCOME_CONTINUUM;
            for (size_t i = 0; i < n && answered; i++)
                assert_close(ldexp(other[i], (int)(ends[seed % 4][0] - ends[seed % 4][1])), lambda[i], 0.0);
            solved += answered;
            dls_report_release(&first);
            dls_report_release(&second);
        }
        dls_problem_destroy(p);
        dls_problem_destroy(q);
    }
    assert_true(solved > 200);
    gsl_rng_free(rng);
}

/* --- order of rows, and rows that have nothing to do with each other --- */

/* G G^T with whole numbers, exact and singular, and a right side that agrees with its rows, or contradicts them by more
 * than the tolerances of the methods for rounding, 1e-8 to 1; in units of their own; free rows and one-sided ones. */
static draft contradicting_draft(gsl_rng *rng, size_t n)
{
    draft d = {.n = n};
    double G[5][5], x[5], unit[5];
    const size_t rank = 1 + gsl_rng_uniform_int(rng, n - 1), off = gsl_rng_uniform_int(rng, n);
    const bool one_sided = gsl_rng_uniform_int(rng, 3) == 0;
    for (size_t i = 0; i < n; i++) {
        x[i] = (double)gsl_rng_uniform_int(rng, 7) - 3.0;
        unit[i] = ldexp(1.0, (int)gsl_rng_uniform_int(rng, 9) - 4);
        for (size_t k = 0; k < rank; k++)
            G[i][k] = (double)gsl_rng_uniform_int(rng, 7) - 3.0;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            for (size_t k = 0; k < rank; k++)
                *entry(&d, i, j) += unit[i] * unit[j] * G[i][k] * G[j][k];
            d.b[i] -= *entry(&d, i, j) * x[j] / unit[j];
        }
        d.lo[i] = one_sided && gsl_rng_uniform_int(rng, 2) == 0 ? 0.0 : -HUGE_VAL;
        d.hi[i] = HUGE_VAL;
    }
    if (gsl_rng_uniform_int(rng, 4) > 0)
        d.b[off] += unit[off] * pow(10.0, gsl_ran_flat(rng, -7.0, 1.0));
    return d;
}

/* The rows of `d` in another order, among `more` solvable rows that are joined to none: with a diagonal, or without. */
static dls_problem *among_others(gsl_rng *rng, const draft *d, size_t more)
{
    enum { MOST = 8 };
    const size_t n = d->n + more;
    double A[MOST * MOST] = {0}, b[MOST], lo[MOST], hi[MOST];
    size_t place[MOST];
    for (size_t i = 0; i < n; i++)
        place[i] = i;
    gsl_ran_shuffle(rng, place, n, sizeof *place);
    for (size_t i = 0; i < n; i++) {
        const bool other = i >= d->n;
        for (size_t j = 0; j < d->n && !other; j++)
            A[place[i] + n * place[j]] = d->A[i + d->n * j];
        if (other && gsl_rng_uniform_int(rng, 2))
            A[place[i] * (n + 1)] = pow(10.0, gsl_ran_flat(rng, -30.0, 30.0));
        b[place[i]] = other ? pow(10.0, gsl_ran_flat(rng, -300.0, 200.0)) : d->b[i];
        lo[place[i]] = other ? 0.0 : d->lo[i], hi[place[i]] = other ? HUGE_VAL : d->hi[i];
    }
    return problem_from_matrix(n, A, b, lo, hi);
}

/* The order of rows, and rows that are joined to none in any units, change no word: that there is a solution, or that
 * there is none. Iterations may end or fail elsewhere, but not in the other word. */
TEST(test_other_rows_change_no_word)
{
    enum { METHODS_MAX = 16 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(rng);
    size_t none = 0;
    for (size_t seed = 1; seed <= 400; seed++) {
        gsl_rng_set(rng, seed);
        const draft d = contradicting_draft(rng, 2 + seed % 4);
        dls_outcome first[METHODS_MAX];
        for (int variant = 0; variant < 4; variant++) {
            dls_problem *p = among_others(rng, &d, variant < 2 ? 0 : gsl_rng_uniform_int(rng, 4));
            for (size_t s = 0; dls_direct_solvers[s]; s++) {
                double lambda[N_MAX];
                dls_report report = {0};
                assert_true(s < METHODS_MAX);
                run(dls_direct_solvers[s], p, lambda, &report);
                const dls_outcome word = claims_solution(&report) ? DLS_OUTCOME_SOLVED : report.outcome;
                const bool iterates = strcmp(dls_direct_solvers[s]->name, "newton") == 0 ||
                                      strcmp(dls_direct_solvers[s]->name, "interior-point") == 0;
                if (variant == 0)
                    first[s] = word;
                none += word == DLS_OUTCOME_NO_SOLUTION;
                if (iterates ? word != first[s] && (word == DLS_OUTCOME_SOLVED || word == DLS_OUTCOME_NO_SOLUTION) &&
                                   (first[s] == DLS_OUTCOME_SOLVED || first[s] == DLS_OUTCOME_NO_SOLUTION)
                             : word != first[s])
                    fail_msg("seed %zu, variant %d, %s: %s, and once %s; %s", seed, variant,
                             dls_direct_solvers[s]->name, dls_outcome_text(word), dls_outcome_text(first[s]),
                             report.message);
                dls_report_release(&report);
            }
            dls_problem_destroy(p);
        }
    }
    assert_true(none > 1000);
    gsl_rng_free(rng);
}

/* Enumeration finds all of them; any other method one of them, or says that it has none. */
TEST(test_examples)
{
    for (size_t k = 0; k < sizeof examples / sizeof examples[0]; k++)
        for (size_t s = 0; dls_direct_solvers[s]; s++) {
            const example *e = &examples[k];
            dls_problem *p = example_problem(e);
            double lambda[4];
            dls_report report = {0};
            run(dls_direct_solvers[s], p, lambda, &report);
            if (report.outcome == DLS_OUTCOME_SOLVED && !is_solution(e, lambda))
                fail_msg("%s on %s: no solution is (%g, %g, ...)", dls_direct_solvers[s]->name, e->source, lambda[0],
                         lambda[1]);
            if (strcmp(dls_direct_solvers[s]->name, "enumeration") == 0) {
                assert_int_equal(report.outcome, e->n_solutions == 0  ? DLS_OUTCOME_NO_SOLUTION
                                                 : e->n_solutions > 1 ? DLS_OUTCOME_SEVERAL
                                                                      : DLS_OUTCOME_SOLVED);
                assert_int_equal(report.n_solutions, e->n_solutions);
                assert_in_range(report.iterations, 1, 1 << e->n); /* the sets of rows at a bound */
                if (e->n_solutions == 0)
                    assert_int_equal(report.proof, DLS_PROOF_ENUMERATION);
                for (size_t m = 0; m < report.n_solutions; m++)
                    assert_true(is_solution(e, report.solutions + m * e->n));
            }
            if (strcmp(dls_direct_solvers[s]->name, "lemke") == 0 && e->n_solutions == 0)
                assert_int_equal(report.proof, DLS_PROOF_FARKAS);
            if (report.proof == DLS_PROOF_FARKAS)
                check_proof(p, &report);
            if (e->n_solutions > 0)
                assert_int_not_equal(report.outcome, DLS_OUTCOME_NO_SOLUTION);
            dls_report_release(&report);
            dls_problem_destroy(p);
        }
}

static void assert_solution(const dls_problem *p, const double *lambda)
{
    dls_certificate c;
    dls_examiner *examiner = examiner_of(p);
    dls_examine(examiner, lambda, NULL, &c);
    assert_below(c.scaled_residual, 1e-14);
    dls_examiner_destroy(examiner);
}

/* Where enumeration says continuum, the two solutions that it names and every point between them are solutions; where
 * it says several, they are solutions and the point between some of them is none; where it says none, no other method
 * has one. The problems are segments of solutions with bounds in their way, a face, and isolated solutions, all of them
 * with entries that rounding cannot tell apart. */
TEST(test_enumeration_says_how_many)
{
    const double free = HUGE_VAL;
    const struct {
        size_t n;
        double A[9], b[3], lo[3], hi[3];
        dls_outcome outcome;
    } cases[] = {
        {2, {1, 1, 1, 1}, {-1, -1}, {0, 0}, {free, free}, DLS_OUTCOME_CONTINUUM},
        {2, {1, 1, 1, 1}, {-2, -2}, {1.5, 0}, {free, free}, DLS_OUTCOME_CONTINUUM},
        {2, {1, 1, 1, 1}, {-2, -2}, {0, 0}, {0.5, free}, DLS_OUTCOME_CONTINUUM},
        {3, {1, 1, 1, 1, 1, -1, 0, 0, 1}, {-2, -2, -1}, {0, 0, 0}, {free, free, free}, DLS_OUTCOME_CONTINUUM},
        {3, {0, 3, 3, -3, 1, 3, -3, -3, 0}, {0, -2, 1}, {-free, -2, -1}, {free, 1, 1}, DLS_OUTCOME_CONTINUUM},
        {2, {0x1p-243, -3, -3, 0x1p-243}, {-3, 2}, {0, -1}, {free, free}, DLS_OUTCOME_SEVERAL},
        {2, {-1, 0, 0, -1}, {1, 1}, {0, 0}, {free, free}, DLS_OUTCOME_SEVERAL},
        {2, {4, -2, -2, 1}, {2 + 0x1p-45, -1}, {-free, -free}, {1, free}, DLS_OUTCOME_NO_SOLUTION},
        {2, {1, 1, 1, 1}, {-0.7, -0.7 + 1e-12}, {-free, -free}, {free, free}, DLS_OUTCOME_NO_SOLUTION},
        {2, {1, 1, 1, 1}, {-0.7, -0.2}, {-free, -free}, {free, free}, DLS_OUTCOME_NO_SOLUTION},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const size_t n = cases[k].n;
        double lambda[3], middle[3];
        dls_report report = {0};
        dls_search_proof proof;
        dls_error error;
        dls_problem *p = problem_from_matrix(n, cases[k].A, cases[k].b, cases[k].lo, cases[k].hi);
        run(dls_direct_find("enumeration"), p, lambda, &report);
        assert_int_equal(report.outcome, cases[k].outcome);
        assert_status(dls_search_verify(p, 1e9, &proof, &error), &error);
        assert_true(proof.proved == (report.outcome == DLS_OUTCOME_NO_SOLUTION));
        assert_true(proof.refuted != proof.proved);
        for (size_t m = 0; m < report.n_solutions; m++)
            assert_solution(p, report.solutions + n * m);
        for (int part = 1; part < 4 && report.outcome == DLS_OUTCOME_CONTINUUM; part++) {
            for (size_t i = 0; i < n; i++)
                middle[i] = report.solutions[i] + 0.25 * part * (report.solutions[n + i] - report.solutions[i]);
            assert_solution(p, middle);
        }
        dls_report_release(&report);
        dls_problem_destroy(p);
    }
}

TEST(test_pivot_limit_is_an_outcome)
{
    static const struct {
        const char *solver;
        dls_matrix_class matrix;
    } cases[] = {{"lemke", DLS_MATRIX_P}, {"dantzig", DLS_MATRIX_SEMIDEFINITE}};
    for (size_t k = 0; k < 2; k++) {
        const dls_solver *solver = dls_direct_find(cases[k].solver);
        size_t limited = 0;
        for (unsigned long seed = 1; seed <= 6; seed++) {
            dls_recipe recipe = {cases[k].matrix, DLS_BOUNDS_BOXED, N_MAX, 0.0, seed};
            char settings[SETTINGS_MAX];
            double lambda[N_MAX] = {0};
            dls_report report = {0};
            dls_error error;
            dls_problem *p = problem_from_recipe(&recipe, NULL, NULL);
            assert_status(dls_fields_default(&solver->fields, settings, &error), &error);
            assert_status(dls_field_set(&solver->fields, settings, "pivots_per_row", "1", &error), &error);
            assert_status(dls_solve(solver, p, settings, 1, lambda, &report, NULL, NULL, &error), &error);
            assert_true(report.outcome == DLS_OUTCOME_SOLVED || report.outcome == DLS_OUTCOME_ITERATION_LIMIT);
            assert_true(report.iterations <= N_MAX + 1);
            limited += report.outcome == DLS_OUTCOME_ITERATION_LIMIT;
            dls_report_release(&report);
            dls_problem_destroy(p);
        }
        assert_true(limited > 0);
    }
}
