/* Contacts beyond Coulomb's isotropic cone: rolling, torsional and anisotropic friction, and the associated law. */
#include "delassus/delassus.h"
#include "delassus/reference.h"
#include "delassus/solvers.h"

#include "check.h"
#include "laws.h"
#include "published.h"
#include "solvers/discs.h"

#include <string.h>
#include <unistd.h>

enum { CONTACTS = 6, N_MAX = LAW_ROWS * CONTACTS };
static const regime all_regimes[CONTACTS] = {STICK, SLIDE, OPEN, GRAZE, FULL, SLIDE};

static double settings[16]; /* of the solver at hand */

static bool goes_on(void *examiner, const double *lambda, const dls_report *report)
{
    dls_certificate c;
    if (report->iterations % 16 == 0)
        dls_examine(examiner, lambda, NULL, &c);
    return report->iterations % 16 != 0 || !(c.scaled_residual <= 1e-11);
}

/* At most so many iterations, and until the residual is small. */
static dls_report solve(const dls_solver *solver, const dls_problem *p, size_t limit, double *lambda)
{
    dls_report report = {0};
    dls_error error;
    dls_examiner *examiner = examiner_of(p);
    assert_true(solver->fields.size <= sizeof settings);
    assert_status(dls_fields_default(&solver->fields, settings, &error), &error);
    assert_status(dls_solve(solver, p, settings, limit, lambda, &report, goes_on, examiner, &error), &error);
    dls_examiner_destroy(examiner);
    return report;
}

static bool takes_laws(const dls_solver *solver) { return (solver->accepts & DLS_ACCEPTS_LAWS) == DLS_ACCEPTS_LAWS; }

/* --- the examiner, and what it refuses --- */

/* Impulses that obey a law by construction have residuals of rounding, and a backward error of rounding; other
 * impulses, each wrong in one way, have not. */
TEST(test_manufactured_contacts)
{
    size_t several = 0; /* contacts with torsion whose states are proved */
    for (size_t k = 0; k < LAW_CASES; k++)
        for (unsigned seed = 1; seed <= 20; seed++) {
            double lambda[N_MAX], w[N_MAX];
            dls_bounds bounds;
            dls_error error;
            const size_t rows = law_rows(&law_cases[k]);
            dls_problem *p = law_manufacture(&law_cases[k], CONTACTS, all_regimes, seed, lambda, w);
            dls_certificate c = cone_certify(p, lambda);
            check_below(c.scaled_residual, 1e-13, law_cases[k].name, __FILE__, __LINE__);
            check_below(c.natural_residual, 1e-13, law_cases[k].name, __FILE__, __LINE__);
            check_below(c.natural_residual_impulse, 1e-13, law_cases[k].name, __FILE__, __LINE__);
            check_below(c.complementarity_gap, 1e-13, law_cases[k].name, __FILE__, __LINE__);
            check_below(c.cone_violation, 1e-14, law_cases[k].name, __FILE__, __LINE__);
            assert_status(dls_certify(p, lambda, &bounds, &error), &error);
            assert_true(bounds.kind == DLS_BOUNDS_BACKWARD || bounds.kind == DLS_BOUNDS_ACTIVE_SET);
            /* torsion is a friction box, whose states are proved beside those of isotropic cones */
            const bool proved = bounds.kind == DLS_BOUNDS_ACTIVE_SET;
            for (size_t i = 0; proved && i < p->n; i++)
                assert_true(fabs(bounds.w_at[i] - w[i]) <= bounds.radius_w[i] + 1e-13 &&
                            bounds.radius_lambda[i] < 1e-12);
            assert_true(!proved || k == 0 || law_cases[k].torsion >= 0.0);
            several += proved && k > 0;
            if (bounds.kind == DLS_BOUNDS_BACKWARD) {
                check_below(bounds.b_off, 1e-12, law_cases[k].name, __FILE__, __LINE__);
                check_below(bounds.mu_off, 1e-14, law_cases[k].name, __FILE__, __LINE__);
            }
            dls_bounds_release(&bounds);
            for (size_t i = 0; i < p->n; i++) {
                const double kept = lambda[i];
                if (i % rows == 0 && all_regimes[i / rows] == FULL)
                    continue; /* tested below: it may not grow */
                lambda[i] += i % rows == 0 || kept > 0.0 || (kept == 0.0 && seed % 2) ? 1e-3 : -1e-3;
                c = cone_certify(p, lambda);
                if (!(c.scaled_residual > 1e-6)) {
                    print_error("%s, seed %u: impulse %zu is wrong, and its residual %g\n", law_cases[k].name, seed, i,
                                c.scaled_residual);
                    fail();
                }
                lambda[i] = kept;
            }
            dls_problem_destroy(p);
        }
    assert_true(several > 0);
}

/* The backward error of an answer that is wrong by delta is of the order of delta: the problem with b and mu changed by
 * what is stated has it as its solution, which needs at least the change of w. */
TEST(test_backward_errors)
{
    for (size_t k = 1; k < LAW_CASES; k++)
        for (int digits = 3; digits <= 9; digits += 3) {
            double lambda[N_MAX], w[N_MAX];
            dls_bounds bounds;
            dls_error error;
            const double delta = pow(10.0, -digits);
            dls_problem *p = law_manufacture(&law_cases[k], CONTACTS, all_regimes, 5, lambda, w);
            for (size_t i = 0; i < p->n; i++)
                p->c[i] += delta * (i % 2 ? 1.0 : -1.0) * (p->parent[i] == DLS_NONE ? 0.0 : 1.0);
            assert_status(dls_certify(p, lambda, &bounds, &error), &error);
            const bool proved = bounds.kind == DLS_BOUNDS_ACTIVE_SET && law_cases[k].torsion >= 0.0;
            assert_true(proved || bounds.kind == DLS_BOUNDS_BACKWARD);
            if (!proved && !(bounds.b_off >= 0.1 * delta && bounds.b_off <= 20.0 * delta))
                fail_msg("%s: b is off by %g, and %g is stated", law_cases[k].name, delta, bounds.b_off);
            dls_bounds_release(&bounds);
            dls_problem_destroy(p);
        }
}

/* --- solvers --- */

/* Every method that accepts the laws solves contacts in all regimes. Under the associated law, and over a definite
 * matrix, there is one solution. */
TEST(test_solvers)
{
    const regime few[] = {STICK, SLIDE, OPEN, SLIDE};
    size_t count = 0;
    for (size_t s = 0; dls_iterative_solvers[s]; s++) {
        const dls_solver *solver = dls_iterative_solvers[s];
        if (!takes_laws(solver))
            continue;
        count++;
        for (size_t k = 0; k < LAW_CASES; k++)
            for (unsigned seed = 1; seed <= 4; seed++) {
                double lambda[N_MAX], w[N_MAX], found[N_MAX] = {0.0};
                dls_problem *p = law_manufacture(&law_cases[k], 4, few, seed, lambda, w);
                dls_report report = solve(solver, p, 20000, found);
                const dls_certificate c = cone_certify(p, found);
                if (!(c.scaled_residual <= 1e-9)) {
                    print_error("%s, %s, seed %u: residual %g, %s\n", solver->name, law_cases[k].name, seed,
                                c.scaled_residual, report.message);
                    fail();
                }
                for (size_t i = 0; i < p->n && law_cases[k].law == DLS_LAW_ASSOCIATED; i++)
                    check_close(found[i], lambda[i], 1e-6, solver->name, __FILE__, __LINE__);
                dls_report_release(&report);
                dls_problem_destroy(p);
            }
    }
    assert_true(count >= 6);
}

/* The direct methods with a second disc find the contacts of all regimes, also in other units and with rows of other
 * sizes. */
TEST(test_direct_solvers)
{
    size_t count = 0;
    for (size_t s = 0; dls_direct_solvers[s]; s++)
        for (size_t k = 0; (dls_direct_solvers[s]->accepts & DLS_ACCEPTS_ROLLING) && k < LAW_CASES; k++)
            for (unsigned seed = 1; seed <= 6; seed++) {
                double lambda[N_MAX], w[N_MAX], found[N_MAX] = {0.0};
                dls_problem *p = law_manufacture(&law_cases[k], CONTACTS, all_regimes, seed, lambda, w);
                if (!dls_solver_refuses(dls_direct_solvers[s], p)) {
                    dls_report report = solve(dls_direct_solvers[s], p, 1, found);
                    assert_int_equal(report.outcome, DLS_OUTCOME_SOLVED);
                    check_below(cone_certify(p, found).scaled_residual, 1e-12, law_cases[k].name, __FILE__, __LINE__);
                    dls_report_release(&report);
                    count++;
                }
                dls_problem_destroy(p);
            }
    assert_true(count >= 2 * 6 * 3);
}

/* Contacts of all laws in one problem, Coulomb's isotropic cone and the associated law among them. */
TEST(test_mixed_laws)
{
    enum { ROWS = LAW_ROWS * LAW_CASES };
    const law_case *of[LAW_CASES];
    regime regimes[LAW_CASES];
    for (size_t s = 0; dls_iterative_solvers[s]; s++)
        for (unsigned seed = 1; takes_laws(dls_iterative_solvers[s]) && seed <= 3; seed++) {
            double lambda[ROWS], w[ROWS], found[ROWS] = {0.0};
            for (size_t k = 0; k < LAW_CASES; k++)
                of[k] = &law_cases[(k + seed) % LAW_CASES], regimes[k] = (regime)((k * seed) % 3);
            dls_problem *p = law_mix(of, LAW_CASES, regimes, seed, lambda, w);
            assert_int_equal(dls_problem_cones(p), LAW_CASES);
            assert_below(cone_certify(p, lambda).scaled_residual, 1e-13);
            dls_report report = solve(dls_iterative_solvers[s], p, 20000, found);
            check_below(cone_certify(p, found).scaled_residual, 1e-9, dls_iterative_solvers[s]->name, __FILE__,
                        __LINE__);
            dls_report_release(&report);
            dls_problem_destroy(p);
        }
}

/* All others say which law they do not take. */
TEST(test_refusals)
{
    static const struct {
        const char *law, *word;
    } refusals[] = {{"associated", "the associated law"},
                    {"rolling", "rolling or torsional"},
                    {"torsional", "rolling or torsional"},
                    {"anisotropic", "anisotropic"}};
    for (size_t r = 0; r < sizeof refusals / sizeof refusals[0]; r++) {
        double lambda[N_MAX], w[N_MAX];
        dls_error error;
        size_t k = 0;
        while (strcmp(law_cases[k].name, refusals[r].law) != 0)
            k++;
        dls_problem *p = law_manufacture(&law_cases[k], CONTACTS, all_regimes, 1, lambda, w);
        for (size_t s = 0; dls_iterative_solvers[s]; s++) {
            const char *why = dls_solver_refuses(dls_iterative_solvers[s], p);
            assert_true(takes_laws(dls_iterative_solvers[s]) ? !why : why != NULL);
            if (why && (dls_iterative_solvers[s]->accepts & (DLS_ACCEPTS_CONE | DLS_ACCEPTS_COUPLED)) ==
                           (DLS_ACCEPTS_CONE | DLS_ACCEPTS_COUPLED))
                assert_non_null(strstr(why, refusals[r].word));
        }
        const unsigned laws = dls_problem_contact_laws(p);
        const unsigned needed =
            (laws & DLS_CONTACTS_ASSOCIATED ? (unsigned)DLS_ACCEPTS_ASSOCIATED : 0U) |
            (laws & DLS_CONTACTS_ELLIPTIC ? (unsigned)DLS_ACCEPTS_ELLIPTIC : 0U) |
            (laws & (DLS_CONTACTS_ROLLING | DLS_CONTACTS_TORSIONAL) ? (unsigned)DLS_ACCEPTS_ROLLING : 0U);
        for (size_t s = 0; dls_direct_solvers[s]; s++) {
            const char *why = dls_solver_refuses(dls_direct_solvers[s], p); /* some want masses, which p has not */
            assert_true((dls_direct_solvers[s]->accepts & needed) == needed ? !why || !strstr(why, refusals[r].word)
                                                                            : why != NULL);
        }
        dls_facets *facets;
        assert_int_equal(dls_problem_facets(p, 8, DLS_FACETS_EXACT, &facets, &error), DLS_REFUSED);
        dls_rate rate;
        const dls_splitting forward = {DLS_SPLITTING_FORWARD, 1.0};
        assert_int_equal(dls_rate_predict(p, lambda, NULL, forward, &rate, &error), DLS_REFUSED);
        dls_problem_destroy(p);
    }
}

/* --- the projection --- */

/* P(x) is the point p of K with (x - p) . D (z - p) <= 0 for all z of K (Kolmogorov's criterion); draws of K, and
 * points near p. */
TEST(test_projection)
{
    unsigned seed = 7;
    for (size_t k = 0; k < LAW_CASES; k++)
        for (size_t draw = 0; draw < 400; draw++) {
            const law_case *c = &law_cases[k];
            const size_t rows = 3 + (c->rolling[0] >= 0.0 ? 2 : 0);
            double lambda[LAW_ROWS], w[LAW_ROWS], diagonal[LAW_ROWS], D[LAW_ROWS], x[LAW_ROWS], to[LAW_ROWS];
            law_case alone = *c;
            alone.torsion = -1.0;
            const regime r[] = {draw % 3 ? SLIDE : FULL};
            dls_problem *p = law_manufacture(&alone, 1, r, seed + (unsigned)draw, lambda, w);
            dls_discs discs = dls_discs_of(p, 0);
            for (size_t i = 0; i < rows; i++)
                diagonal[i] = exp(4.0 * cone_draw(&seed)), x[i] = 6.0 * cone_draw(&seed);
            dls_discs_norm(&discs, diagonal, D);
            memcpy(to, x, sizeof to);
            dls_discs_project(&discs, D, to);
            assert_true(to[0] >= 0.0 && to[0] <= discs.hi);
            for (size_t i = 1; i < rows; i += 2) {
                const double *mu = p->mu + i;
                const double size = hypot(mu[0] > 0.0 ? to[i] / mu[0] : 0.0, mu[1] > 0.0 ? to[i + 1] / mu[1] : 0.0);
                assert_true(size <= to[0] * (1.0 + 4e-16));
                assert_true((mu[0] > 0.0 || to[i] == 0.0) && (mu[1] > 0.0 || to[i + 1] == 0.0));
            }
            for (size_t other = 0; other < 40; other++) {
                const double angle = 7.0 * cone_draw(&seed), turn = 7.0 * cone_draw(&seed);
                const double near = other % 2 ? 0.01 : 1.0;
                double z[LAW_ROWS], sum = 0.0, scale = 0.0;
                const double in = fmin(1.0, 2.0 * fabs(cone_draw(&seed)) + (other % 4 ? 0.7 : 0.0));
                z[0] = fmin(discs.hi, 8.0 * fabs(cone_draw(&seed)));
                z[1] = in * p->mu[1] * z[0] * cos(angle), z[2] = in * p->mu[2] * z[0] * sin(angle);
                if (rows > 3)
                    z[3] = in * p->mu[3] * z[0] * cos(turn), z[4] = in * p->mu[4] * z[0] * sin(turn);
                for (size_t i = 0; i < rows; i++) {
                    z[i] = to[i] + near * (z[i] - to[i]); /* K is convex */
                    sum += (x[i] - to[i]) * D[i] * (z[i] - to[i]);
                    scale += fabs(D[i]) * (x[i] * x[i] + z[i] * z[i]);
                }
                assert_below(sum, 1e-14 * scale);
            }
            dls_problem_destroy(p);
        }
}

/* --- invariance --- */

/* A, b, mu and lambda of a problem whose rows have other units: row i is multiplied by s_i. */
static dls_problem *in_units(const dls_problem *p, const double *s, const double *lambda, double *other)
{
    const size_t n = p->n;
    double *A = test_calloc(n * n, sizeof *A), *b = test_calloc(n, sizeof *b), *hi = test_calloc(n, sizeof *hi),
           *e = test_calloc(n, sizeof *e);
    dls_error error;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            e[j] = 1.0;
            A[i + n * j] = s[i] * dls_rows_dot(&p->J, i, e) * s[j];
            e[j] = 0.0;
        }
        b[i] = -s[i] * p->c[i];
        hi[i] = p->parent[i] == DLS_NONE ? p->hi[i] / s[i] : HUGE_VAL;
        other[i] = lambda[i] / s[i];
    }
    dls_problem *q = problem_from_matrix(n, A, b, NULL, hi);
    for (size_t i = 0; i < n; i++)
        if (p->parent[i] != DLS_NONE) {
            q->parent[i] = p->parent[i], q->law[i] = p->law[i];
            q->mu[i] = p->mu[i] * s[p->parent[i]] / s[i];
            q->lo[i] = q->hi[i] = 0.0;
        }
    q->n_coupled = p->n_coupled, q->n_cone = p->n_cone;
    assert_status(dls_problem_check(q, &error), &error);
    test_free(A), test_free(b), test_free(hi), test_free(e);
    return q;
}

/* The verdict does not depend on units: normal rows, discs and torsion each in another one, and both rows of an
 * anisotropic disc too. Solvers need about as long, and arrive. */
TEST(test_units)
{
    for (size_t k = 0; k < LAW_CASES; k++)
        for (size_t variant = 0; variant < 2; variant++) {
            const law_case *c = &law_cases[k];
            const size_t rows = law_rows(c);
            const bool plain = k == 0 || k == 7; /* one disc of isotropic friction has one unit */
            double lambda[N_MAX], w[N_MAX], other[N_MAX], s[N_MAX], found[N_MAX] = {0.0};
            dls_problem *p = law_manufacture(c, CONTACTS, all_regimes, 3, lambda, w);
            for (size_t i = 0; i < p->n; i++) {
                const size_t r = i % rows, disc = r == 0 ? 0 : r < 3 ? 1 : r < 5 && rows > 4 ? 2 : 3;
                static const double of[] = {1.0, 0x1p10, 0x1p-20, 0x1p30};
                s[i] = 0x1p8 * of[plain ? 0 : disc] * (variant && disc == 1 && !plain && r == 1 ? 0x1p5 : 1.0);
                lambda[i] *= 1.0 + 1e-4 * cone_draw(&(unsigned){(unsigned)i});
            }
            dls_problem *q = in_units(p, s, lambda, other);
            const dls_certificate one = cone_certify(p, lambda), two = cone_certify(q, other);
            check_close(two.scaled_residual, one.scaled_residual, 1e-12 * one.scaled_residual, c->name, __FILE__,
                        __LINE__);
            dls_report report = solve(dls_iterative_find("nsgs"), q, 20000, found);
            check_below(cone_certify(q, found).scaled_residual, 1e-9, c->name, __FILE__, __LINE__);
            dls_report_release(&report);
            dls_problem_destroy(p);
            dls_problem_destroy(q);
        }
}

/* The frames of isotropic discs may be turned, and contacts come in another order: rotated rows of A and b have rotated
 * impulses, and the same verdict. */
TEST(test_frames_and_orders)
{
    static const size_t isotropic[] = {3, 5, 7};
    for (size_t k = 0; k < 3; k++) {
        const law_case *c = &law_cases[isotropic[k]];
        const size_t rows = law_rows(c), discs = rows / 2;
        double lambda[N_MAX], w[N_MAX], turned[N_MAX], moved[N_MAX];
        dls_error error;
        dls_problem *p = law_manufacture(c, CONTACTS, all_regimes, 11, lambda, w), *reordered;
        const size_t n = p->n;
        double *Q = test_calloc(n * n, sizeof *Q), *A = test_calloc(n * n, sizeof *A), *e = test_calloc(n, sizeof *e),
               *b = test_calloc(n, sizeof *b), *hi = test_calloc(n, sizeof *hi);
        for (size_t i = 0; i < n; i++)
            Q[i + n * i] = 1.0, lambda[i] *= 1.0 + 1e-5 * (double)(i % 3);
        for (size_t i = 0; i < n; i += rows)
            for (size_t d = 0; d < discs && 2 + 2 * d < rows; d++) {
                const double angle = 0.3 + (double)(i + d);
                const size_t t = i + 1 + 2 * d;
                Q[t + n * t] = Q[t + 1 + n * (t + 1)] = cos(angle);
                Q[t + n * (t + 1)] = -sin(angle), Q[t + 1 + n * t] = sin(angle);
            }
        for (size_t i = 0; i < n; i++) {
            turned[i] = b[i] = 0.0;
            hi[i] = p->parent[i] == DLS_NONE ? p->hi[i] : HUGE_VAL;
            for (size_t r = 0; r < n; r++) {
                turned[i] += Q[i + n * r] * lambda[r];
                b[i] -= Q[i + n * r] * p->c[r];
                for (size_t j = 0; j < n; j++) {
                    e[j] = 1.0;
                    for (size_t s = 0; s < n && Q[i + n * r] != 0.0; s++)
                        A[i + n * s] += Q[i + n * r] * dls_rows_dot(&p->J, r, e) * Q[s + n * j];
                    e[j] = 0.0;
                }
            }
        }
        dls_problem *q = problem_from_matrix(n, A, b, NULL, hi);
        for (size_t i = 0; i < n; i += rows)
            law_make(q, i, c);
        const dls_certificate one = cone_certify(p, lambda), two = cone_certify(q, turned);
        check_close(two.scaled_residual, one.scaled_residual, 0.3 * one.scaled_residual, c->name, __FILE__, __LINE__);
        check_close(two.friction_dissipation, one.friction_dissipation, 1e-12, c->name, __FILE__, __LINE__);
        size_t order[N_MAX];
        assert_status(dls_problem_order(p, DLS_ORDER_RANDOM, 5, order, &error), &error);
        assert_status(dls_problem_reorder(p, order, &reordered, &error), &error);
        dls_order_apply(n, order, lambda, moved);
        check_close(cone_certify(reordered, moved).scaled_residual, one.scaled_residual, 1e-11 * one.scaled_residual,
                    c->name, __FILE__, __LINE__);
        dls_problem_destroy(reordered), dls_problem_destroy(p), dls_problem_destroy(q);
        test_free(Q), test_free(A), test_free(e), test_free(b), test_free(hi);
    }
}

/* --- closed forms --- */

/* A particle that meets the ground with (-a, t): the associated law projects its velocity onto K* (mass m I), so that
 * it leaves with (mu s, s), s = (t - mu a) / (1 + mu^2), and lifts off; Coulomb's law leaves it on the ground. */
TEST(test_particle_under_the_associated_law)
{
    const double m = 2.385, a = 0.7, t = 1.9, mu = 0.45, A[9] = {1 / m, 0, 0, 0, 1 / m, 0, 0, 0, 1 / m};
    const double along[2] = {0.6, -0.8}, b[3] = {-a, t * along[0], t * along[1]}, s = (t - mu * a) / (1.0 + mu * mu);
    for (size_t k = 0; dls_iterative_solvers[k]; k++) {
        if (!takes_laws(dls_iterative_solvers[k]))
            continue;
        double lambda[3] = {0.0};
        dls_problem *p = problem_from_matrix(3, A, b, NULL, NULL);
        dls_problem_make_disc(p, 0, 1, DLS_LAW_ASSOCIATED, mu, mu);
        dls_report report = solve(dls_iterative_solvers[k], p, 5000, lambda);
        assert_close(lambda[0] / m - a, mu * s, 1e-9);
        assert_close(lambda[1] / m + b[1], s * along[0], 1e-9);
        assert_close(lambda[2] / m + b[2], s * along[1], 1e-9);
        assert_below(cone_certify(p, lambda).scaled_residual, 1e-8);
        p->law[1] = p->law[2] = DLS_LAW_CONE;
        assert_true(cone_certify(p, lambda).scaled_residual > 0.01); /* it opens with mu s, and has an impulse */
        dls_report_release(&report);
        dls_problem_destroy(p);
    }
}

/* A ball that rolls without slipping, M = diag(m, m, m, I, I, I), at its lowest point: the moment of rolling friction
 * is mu_r times the weight, and v+ = v - h g mu_r R / (R^2 + I / m), until it rests. Torsion brakes its spin by mu_s g
 * m h / I. Anisotropic sliding: lambda_k = -m g h mu_k^2 w_k / h(w). */
TEST(test_ball)
{
    const double m = 3.0, R = 0.25, I = 0.4 * m * R * R, g = 9.81, h = 0.01, mu = 0.5, mu_r = 0.003, mu_s = 0.02;
    enum { ROWS = 6 };
    /* velocities (vx, vy, vz, wx, wy, wz); rows n = z, t1 = x, t2 = y at the lowest point, rolling x, y, torsion z */
    const double J[ROWS][6] = {{0, 0, 1, 0, 0, 0}, {1, 0, 0, 0, -R, 0}, {0, 1, 0, R, 0, 0},
                               {0, 0, 0, 1, 0, 0}, {0, 0, 0, 0, 1, 0},  {0, 0, 0, 0, 0, 1}};
    const double mass[6] = {m, m, m, I, I, I};
    double v[6] = {0.05, 0.0, 0.0, 0.0, 0.05 / R, 2.0};
    const double loss = h * g * mu_r * R / (R * R + I / m), brake = h * g * m * mu_s / I;
    for (int step = 0; step < 120; step++) {
        double A[ROWS * ROWS], b[ROWS], lambda[ROWS] = {0.0};
        const double roll = fmax(v[0] - loss, 0.0), spin = fmax(v[5] - brake, 0.0);
        for (size_t i = 0; i < ROWS; i++) {
            b[i] = -J[i][2] * g * h;
            for (size_t d = 0; d < 6; d++)
                b[i] += J[i][d] * v[d];
            for (size_t j = 0; j < ROWS; j++) {
                A[i + ROWS * j] = 0.0;
                for (size_t d = 0; d < 6; d++)
                    A[i + ROWS * j] += J[i][d] * J[j][d] / mass[d];
            }
        }
        dls_problem *p = problem_from_matrix(ROWS, A, b, NULL, NULL);
        dls_problem_make_cone(p, 0, mu);
        dls_problem_make_disc(p, 0, 3, DLS_LAW_CONE, mu_r, mu_r);
        dls_problem_make_box(p, 0, 5, mu_s);
        dls_report report = solve(dls_iterative_find("nsgs"), p, 300, lambda);
        assert_below(cone_certify(p, lambda).natural_residual_velocity, 1e-12); /* of rows at rest b is rounding */
        v[2] -= g * h;
        for (size_t d = 0; d < 6; d++)
            for (size_t i = 0; i < ROWS; i++)
                v[d] += J[i][d] * lambda[i] / mass[d];
        assert_close(v[0], roll, 1e-9);
        assert_close(v[4], roll / R, 1e-9);
        assert_close(v[5], spin, 1e-9);
        dls_report_release(&report);
        dls_problem_destroy(p);
    }
    assert_close(v[0], 0.0, 1e-12); /* it has come to rest */
    assert_close(v[5], 0.0, 1e-12);
}

TEST(test_anisotropic_particle)
{
    const double m = 1.7, w[2] = {0.8, -1.1}, mu[2] = {0.2, 0.6}, weight = 0.9;
    const double A[9] = {1 / m, 0, 0, 0, 1 / m, 0, 0, 0, 1 / m};
    const double support = hypot(mu[0] * w[0], mu[1] * w[1]);
    double lambda[3] = {0.0}, b[3] = {-weight / m, 0.0, 0.0};
    for (int k = 0; k < 2; k++) /* slides with w after the step */
        b[1 + k] = w[k] + weight * mu[k] * mu[k] * w[k] / support / m;
    dls_problem *p = problem_from_matrix(3, A, b, NULL, NULL);
    dls_problem_make_disc(p, 0, 1, DLS_LAW_CONE, mu[0], mu[1]);
    dls_report report = solve(dls_iterative_find("nsgs"), p, 2000, lambda);
    assert_close(lambda[0], weight, 1e-12);
    for (int k = 0; k < 2; k++)
        assert_close(lambda[1 + k], -weight * mu[k] * mu[k] * w[k] / support, 1e-9);
    dls_report_release(&report);
    dls_problem_destroy(p);
}

/* --- scenes --- */

static const char slide[] =
    "name: slide\nworld: {friction: %s}\nbodies:\n"
    "  - {name: box, shape: box, size: [1, 1, 1], mass: 1 kg, position: [0, 0, 0.5], velocity: [3, 1, 0]}\njoints:\n"
    "  - {name: c1, type: contact, body1: box, point: [-0.5, -0.5, 0], normal: [0, 0, 1], mu: 0.5, friction: %s}\n"
    "  - {name: c2, type: contact, body1: box, point: [0.5, -0.5, 0], normal: [0, 0, 1], mu: 0.5, friction: %s}\n"
    "  - {name: c3, type: contact, body1: box, point: [0, 0.5, 0], normal: [0, 0, 1], mu: 0.5, friction: %s}\n";

static dls_problem *slide_problem(const char *law)
{
    char text[1024];
    dls_problem *p;
    dls_state *state;
    dls_error error;
    snprintf(text, sizeof text, slide, law, law, law, law);
    dls_model *model = parse_model(text);
    assert_status(dls_state_create(model, &state, &error), &error);
    assert_status(dls_problem_create(model, state, NULL, 0.01, &p, &error), &error);
    dls_state_destroy(state);
    dls_model_destroy(model);
    return p;
}

/* The answer of the associated law is certified under it, and refused under Coulomb's, and the reverse: the box lifts
 * off under the one alone. */
TEST(test_slide_under_both_laws)
{
    static const char *const laws[] = {"cone", "associated"};
    double lambda[2][9] = {{0.0}, {0.0}}, w[9];
    dls_problem *p[2];
    for (size_t k = 0; k < 2; k++) {
        dls_bounds bounds;
        dls_error error;
        p[k] = slide_problem(laws[k]);
        assert_int_equal(p[k]->n, 9);
        assert_int_equal(dls_problem_contact_laws(p[k]), k == 0 ? 0 : DLS_CONTACTS_ASSOCIATED);
        dls_report report = solve(dls_iterative_find("nsgs"), p[k], 20000, lambda[k]);
        assert_below(cone_certify(p[k], lambda[k]).scaled_residual, 1e-9);
        assert_status(dls_certify(p[k], lambda[k], &bounds, &error), &error);
        assert_true(bounds.kind != DLS_BOUNDS_NONE && (bounds.kind != DLS_BOUNDS_BACKWARD || bounds.b_off < 1e-8));
        dls_bounds_release(&bounds);
        dls_report_release(&report);
    }
    dls_examiner *examiner = examiner_of(p[1]);
    dls_certificate c;
    dls_examine(examiner, lambda[1], w, &c);
    dls_examiner_destroy(examiner);
    size_t pressed = 0;
    for (size_t i = 0; i < 9; i += 3)
        if (lambda[1][i] > 1e-6) {
            assert_close(w[i], 0.5 * hypot(w[i + 1], w[i + 2]), 1e-8);
            assert_true(w[i] > 0.1);
            pressed++;
        }
    assert_true(pressed > 0);
    assert_true(cone_certify(p[0], lambda[1]).scaled_residual > 1e-2);
    assert_true(cone_certify(p[1], lambda[0]).scaled_residual > 1e-2);
    dls_problem_destroy(p[0]), dls_problem_destroy(p[1]);
}

/* --- problems that are none --- */

TEST(test_checks)
{
    static const struct {
        const char *rows; /* of a problem of 8 rows: law and parent of each: f, b, c, a; a digit, or - */
        const char *word; /* "": valid */
    } cases[] = {
        {"f-c0c0c0c0f-f-f-", ""},           {"f-c0c0c0c0b0f-f-", ""},
        {"f-c0c0f-f-f-f-b0", ""},                                          /* torsion stands anywhere */
        {"f-a0a0a0a0f-f-f-", ""},           {"f-c0c0c0c0c0c0f-", "row 5"}, /* three discs */
        {"f-c0c0c0f-f-f-f-", "row 1"},                                     /* half a disc */
        {"f-c0c0b0c0c0f-f-", "row 4"},                                     /* torsion within the discs */
        {"f-c0c0a0a0f-f-f-", "one law"},    {"f-c0a0f-f-f-f-f-", "one law"},
        {"f-a0a0b0f-f-f-f-", "associated"}, {"f-f-f-f-f-f-c0c0", "row 6"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        enum { N = 8 };
        double A[N * N] = {0.0}, b[N] = {0.0};
        dls_error error = {.message = ""};
        for (size_t i = 0; i < N; i++)
            A[i * (N + 1)] = 1.0;
        dls_problem *p = problem_from_matrix(N, A, b, NULL, NULL);
        for (size_t i = 0; i < N; i++) {
            const char law = cases[k].rows[2 * i], parent = cases[k].rows[2 * i + 1];
            p->law[i] = law == 'f'   ? DLS_LAW_FIXED
                        : law == 'b' ? DLS_LAW_BOX
                        : law == 'c' ? DLS_LAW_CONE
                                     : DLS_LAW_ASSOCIATED;
            p->parent[i] = parent == '-' ? DLS_NONE : (size_t)(parent - '0');
            p->n_coupled += law != 'f', p->n_cone += law == 'c' || law == 'a';
            p->mu[i] = law == 'f' ? 0.0 : 0.5;
        }
        const dls_status status = dls_problem_check(p, &error);
        if ((status == DLS_OK) != (*cases[k].word == '\0') || !strstr(error.message, cases[k].word))
            fail_msg("case %zu: %s", k, error.message);
        dls_problem_destroy(p);
    }
}

/* --- published --- */

/* Two contacts of a cube with rolling friction, Siconos' example of its RFC3D format. */
TEST(test_published_rolling_contacts)
{
    char path[DLS_PATH_MAX];
    data_path(path, "siconos/rfc3d/RFC3D_cube_1.dat");
    if (access(path, R_OK) != 0)
        skip();
    for (size_t k = 0; dls_iterative_solvers[k]; k++) {
        if (!takes_laws(dls_iterative_solvers[k]))
            continue;
        dls_problem *p = read_data("siconos/rfc3d/RFC3D_cube_1.dat", NULL);
        double lambda[10] = {0.0};
        assert_int_equal(p->n, 10);
        assert_int_equal(dls_problem_contact_laws(p), DLS_CONTACTS_ROLLING);
        dls_report report = solve(dls_iterative_solvers[k], p, 5000, lambda);
        check_below(cone_certify(p, lambda).scaled_residual, 1e-9, dls_iterative_solvers[k]->name, __FILE__, __LINE__);
        dls_report_release(&report);
        dls_problem_destroy(p);
    }
}
