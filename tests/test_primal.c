/* The convex problem in velocities: closed forms of the associated law, other methods on drawn problems, invariances,
 * starts far away, and SAP's regularisation, whose answer is where the derivative of its cost is 0. */
#include "delassus/delassus.h"
#include "delassus/reference.h"
#include "delassus/solvers.h"

#include "direct_solve.h"
#include "laws.h"
#include "mechanism.h"

enum { CONTACTS = 6, N_MAX = LAW_ROWS * CONTACTS };
static const regime all_regimes[CONTACTS] = {STICK, SLIDE, OPEN, GRAZE, FULL, SLIDE};

static bool is_associated(const law_case *c) { return c->law == DLS_LAW_ASSOCIATED; }

static void solve_primal(const dls_problem *p, const char *const *options, double *lambda)
{
    dls_report report = {0};
    direct_solve("primal", p, options, lambda, &report);
    assert_outcome_is(&report, DLS_OUTCOME_SOLVED, p->name);
    dls_report_release(&report);
}

/* --- closed forms --- */

/* One contact of a particle of mass m under the associated law with two coefficients. It slides with the chosen w_t, so
 * that lambda_t = -lambda_n mu_k^2 w_k / h(w), and it opens with w_n = h(w). */
TEST(test_anisotropic_slide)
{
    const double m = 1.7, w[2] = {0.8, -1.1}, mu[2] = {0.2, 0.6}, normal = 0.9, h = hypot(mu[0] * w[0], mu[1] * w[1]);
    const double A[9] = {1 / m, 0, 0, 0, 1 / m, 0, 0, 0, 1 / m};
    const double expected[3] = {normal, -normal * mu[0] * mu[0] * w[0] / h, -normal * mu[1] * mu[1] * w[1] / h};
    const double b[3] = {h - normal / m, w[0] - expected[1] / m, w[1] - expected[2] / m};
    double lambda[3];
    dls_problem *p = problem_from_matrix(3, A, b, NULL, NULL);
    dls_problem_make_disc(p, 0, 1, DLS_LAW_ASSOCIATED, mu[0], mu[1]);
    solve_primal(p, NULL, lambda);
    for (int i = 0; i < 3; i++)
        assert_close(lambda[i], expected[i], 1e-12);
    dls_problem_destroy(p);
}

/* A particle that meets the ground with (-a, t) leaves it with (mu s, s), s = (t - mu a) / (1 + mu^2), where that is
 * positive; else it comes to rest. */
TEST(test_lift_off)
{
    const double m = 2.385, a = 0.7, A[9] = {1 / m, 0, 0, 0, 1 / m, 0, 0, 0, 1 / m};
    for (double mu = 0.15; mu < 3.0; mu *= 2.0)
        for (double t = 0.05; t < 3.0; t *= 2.0) {
            const double s = fmax((t - mu * a) / (1.0 + mu * mu), 0.0), b[3] = {-a, 0.6 * t, -0.8 * t};
            double lambda[3];
            dls_problem *p = problem_from_matrix(3, A, b, NULL, NULL);
            dls_problem_make_disc(p, 0, 1, DLS_LAW_ASSOCIATED, mu, mu);
            solve_primal(p, NULL, lambda);
            assert_close(lambda[0] / m - a, mu * s, 1e-12);
            assert_close(lambda[1] / m + b[1], 0.6 * s, 1e-12);
            assert_close(lambda[2] / m + b[2], -0.8 * s, 1e-12);
            dls_problem_destroy(p);
        }
}

/* --- other methods, other starts --- */

/* Over a definite matrix the convex problem has one solution: that of the methods on impulses. */
TEST(test_same_as_on_impulses)
{
    static const char *const others[] = {"apgd", "admm"};
    double settings[16];
    for (size_t k = 0; k < LAW_CASES; k++)
        for (unsigned seed = 1; is_associated(&law_cases[k]) && seed <= 5; seed++) {
            double chosen[N_MAX], w[N_MAX], lambda[N_MAX], other[N_MAX];
            dls_error error;
            dls_problem *p = law_manufacture(&law_cases[k], CONTACTS, all_regimes, seed, chosen, w);
            unsigned state = 77 * seed;
            for (size_t i = 0; i < p->n; i++) /* no longer manufactured */
                p->c[i] += cone_draw(&state);
            solve_primal(p, NULL, lambda);
            for (size_t m = 0; m < 2; m++) {
                const dls_solver *solver = dls_iterative_find(others[m]);
                dls_report report = {0};
                memset(other, 0, sizeof other);
                assert_true(solver->fields.size <= sizeof settings);
                assert_status(dls_fields_default(&solver->fields, settings, &error), &error);
                assert_status(dls_solve(solver, p, settings, 3000, other, &report, NULL, NULL, &error), &error);
                for (size_t i = 0; i < p->n; i++)
                    check_close(other[i], lambda[i], 1e-9, law_cases[k].name, __FILE__, __LINE__);
                dls_report_release(&report);
            }
            dls_problem_destroy(p);
        }
}

/* The minimum is found from starts that are far from it. */
TEST(test_far_starts)
{
    const dls_solver *solver = dls_direct_find("primal");
    double settings[16];
    dls_error error;
    assert_true(solver->fields.size <= sizeof settings && (solver->accepts & DLS_TAKES_START));
    assert_status(dls_fields_default(&solver->fields, settings, &error), &error);
    for (size_t k = 0; k < LAW_CASES; k++)
        for (double size = 1e-3; is_associated(&law_cases[k]) && size < 1e7; size *= 1e3) {
            double chosen[N_MAX], w[N_MAX], lambda[N_MAX];
            dls_report report = {0};
            unsigned state = 5;
            dls_problem *p = law_manufacture(&law_cases[k], CONTACTS, all_regimes, 3, chosen, w);
            for (size_t i = 0; i < p->n; i++)
                lambda[i] = size * cone_draw(&state);
            assert_status(dls_solve(solver, p, settings, 1, lambda, &report, NULL, NULL, &error), &error);
            assert_outcome_is(&report, DLS_OUTCOME_SOLVED, law_cases[k].name);
            for (size_t i = 0; i < p->n; i++)
                check_close(lambda[i], chosen[i], 1e-10, law_cases[k].name, __FILE__, __LINE__);
            dls_report_release(&report);
            dls_problem_destroy(p);
        }
}

/* A matrix with a negative eigenvalue has no convex problem. */
TEST(test_indefinite_matrix)
{
    const double A[9] = {1, 0, 0, 0, 1, 1.5, 0, 1.5, 1}, b[3] = {-1, 0.3, 0.2};
    double lambda[3];
    dls_report report = {0};
    dls_problem *p = problem_from_matrix(3, A, b, NULL, NULL);
    dls_problem_make_disc(p, 0, 1, DLS_LAW_ASSOCIATED, 0.5, 0.5);
    direct_solve("primal", p, NULL, lambda, &report);
    assert_outcome_is(&report, DLS_OUTCOME_REFUSED, "an indefinite matrix");
    assert_non_null(strstr(report.message, "semidefinite"));
    dls_report_release(&report);
    dls_problem_destroy(p);
}

/* --- bodies --- */

/* A box that is thrown onto the ground, with three contacts along each of two edges: more rows than velocities. */
static dls_problem *thrown_box(double mass, double mu)
{
    char text[1024];
    dls_error error;
    snprintf(text, sizeof text,
             "name: thrown\nbodies:\n"
             "  - {name: box, shape: box, size: [1, 0.8, 0.6], mass: %.17g, position: [0, 0, 0.3], velocity: "
             "[1.3, -0.4, -0.2], omega: [0.3, 0.2, 0.7]}\n"
             "joints:\n"
             "  - {repeat: {i: 3, j: 2}, name: 'c{i}{j}', type: contact, body1: box, normal: [0, 0, 1], mu: %.17g, "
             "friction: associated, point: {start: [-0.5, -0.4, 0], i: [0.5, 0, 0], j: [0, 0.8, 0]}}\n",
             mass, mu);
    dls_model *model = parse_model(text);
    dls_state *state = new_state(model);
    dls_problem *p;
    assert_status(dls_problem_create(model, state, NULL, 0.01, &p, &error), &error);
    dls_state_destroy(state);
    dls_model_destroy(model);
    assert_true(p->nv < p->n && p->n_cone == p->n - p->n / 3);
    return p;
}

static void velocity_of(const dls_problem *p, const double *lambda, double *v)
{
    double scratch[16];
    assert_true(p->nv <= 16);
    dls_problem_velocity(p, lambda, v, scratch);
}

/* Contacts are redundant, so that impulses are not unique, but v+ is: with masses a million times as large, rows in
 * other units and another order, turned tangents, and as a matrix. */
TEST(test_invariance)
{
    enum { ROWS = 18 };
    double lambda[ROWS], other[ROWS], v[6], w[6];
    size_t order[ROWS];
    dls_error error;
    dls_problem *p = thrown_box(2.3, 0.4), *heavy = thrown_box(2.3e6, 0.4), *reordered, *matrix;
    assert_int_equal(p->n, ROWS);
    solve_primal(p, NULL, lambda);
    velocity_of(p, lambda, v);
    solve_primal(heavy, NULL, other);
    velocity_of(heavy, other, w);
    for (int k = 0; k < 6; k++)
        assert_close(w[k], v[k], 1e-11);
    assert_status(dls_problem_order(p, DLS_ORDER_RANDOM, 7, order, &error), &error);
    assert_status(dls_problem_reorder(p, order, &reordered, &error), &error);
    solve_primal(reordered, NULL, other);
    velocity_of(reordered, other, w);
    for (int k = 0; k < 6; k++)
        assert_close(w[k], v[k], 1e-11);
    assert_status(dls_problem_matrix_form(p, &matrix, &error), &error);
    solve_primal(matrix, NULL, other);
    velocity_of(p, other, w);
    for (int k = 0; k < 6; k++)
        assert_close(w[k], v[k], 1e-9); /* A of rank 6 with the rounding errors of its entries */
    for (size_t i = 0; i < ROWS; i++) {
        const double angle = 0.4 + (double)i, unit = i % 3 == 0 ? 1e6 : 1e-3, cosine = cos(angle), sine = sin(angle);
        if (i % 3 == 1)
            for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++)
                for (size_t at = p->J.coef_at[k], to = p->J.coef_at[p->J.start[i + 1] + k - p->J.start[i]];
                     at < p->J.coef_at[k + 1]; at++, to++) {
                    const double a = p->J.coef[at], b = p->J.coef[to];
                    p->J.coef[at] = cosine * a + sine * b, p->J.coef[to] = cosine * b - sine * a;
                }
        if (i % 3 == 0) {
            for (size_t at = p->J.coef_at[p->J.start[i]]; at < p->J.coef_at[p->J.start[i + 1]]; at++)
                p->J.coef[at] *= unit;
            p->c[i] *= unit;
            p->mu[i + 1] *= unit, p->mu[i + 2] *= unit;
        }
    }
    solve_primal(p, NULL, other);
    velocity_of(p, other, w);
    for (int k = 0; k < 6; k++)
        assert_close(w[k], v[k], 1e-11);
    dls_problem_destroy(p), dls_problem_destroy(heavy), dls_problem_destroy(reordered), dls_problem_destroy(matrix);
}

/* --- SAP --- */

/* SAP's cost |v - v*|_M^2 / 2 + sum_i |P_R(y)|_R^2 / 2, y = -R^-1 (J v - c), by the three regions of Castro, Permenter
 * and Han: stiction, sliding, and an open contact. */
static double sap_cost(const dls_problem *p, const double *R, const double *v)
{
    double moved[16], force[16], cost = 0.0;
    for (size_t k = 0; k < p->nv; k++)
        moved[k] = v[k] - p->v_star[k];
    dls_mass_multiply(&p->mass, moved, force);
    for (size_t k = 0; k < p->nv; k++)
        cost += 0.5 * moved[k] * force[k];
    for (size_t i = 0; i < p->n; i += 3) {
        const double mu = p->mu[i + 1], n = -(dls_rows_dot(&p->J, i, v) - p->c[i]) / R[i];
        const double t =
            hypot(dls_rows_dot(&p->J, i + 1, v) - p->c[i + 1], dls_rows_dot(&p->J, i + 2, v) - p->c[i + 2]) / R[i + 1];
        const double ratio = mu * R[i + 1] / R[i]; /* mu-hat */
        if (t <= mu * n) {
            cost += 0.5 * (R[i] * n * n + R[i + 1] * t * t);
        } else if (-ratio * t < n) {
            const double along = (n + ratio * t) / (1.0 + mu * ratio);
            cost += 0.5 * (R[i] + mu * mu * R[i + 1]) * along * along;
        }
    }
    return cost;
}

/* The answer is where SAP's cost has no derivative; no closer to the rigid answer than its law; and with sigma and beta
 * near 0 that of the associated law itself. It never counts as solved where it is not. */
TEST(test_regularisation_of_sap)
{
    static const char *const choices[][4] = {{"regularisation=sap", NULL, NULL, NULL},
                                             {"regularisation=sap", "sigma=0.05", "beta=0.3", NULL},
                                             {"regularisation=sap", "sigma=0.2", "beta=2", NULL}};
    static const double sigma[] = {1e-3, 0.05, 0.2}, beta[] = {1.0, 0.3, 2.0};
    enum { ROWS = 18, NV = 6 };
    double lambda[ROWS], rigid[ROWS], R[ROWS], v[NV], at[NV], B[NV], scratch[NV];
    dls_problem *p = thrown_box(2.3, 0.4);
    solve_primal(p, NULL, rigid);
    for (size_t choice = 0; choice < 3; choice++) {
        dls_report report = {0};
        for (size_t i = 0; i < p->n; i += 3) {
            double square = 0.0;
            for (size_t k = 0; k < 3; k++) {
                memset(B, 0, sizeof B);
                dls_problem_response(p, i + k, B, scratch);
                for (size_t j = 0; j < 3; j++)
                    square += pow(dls_rows_dot(&p->J, i + j, B), 2.0);
            }
            const double W = sqrt(square) / 3.0;
            R[i] = pow(beta[choice] / (2.0 * DLS_PI), 2.0) * W;
            R[i + 1] = R[i + 2] = sigma[choice] * W;
        }
        direct_solve("primal", p, choices[choice], lambda, &report);
        assert_outcome_is(&report, DLS_OUTCOME_ITERATION_LIMIT, "SAP's answer of a rigid problem");
        assert_non_null(strstr(report.message, "SAP"));
        assert_true(cone_certify(p, lambda).scaled_residual > 1e-6);
        velocity_of(p, lambda, v);
        const double least = sap_cost(p, R, v), step = 1e-5;
        for (size_t k = 0; k < NV; k++) {
            double cost[2];
            for (int side = 0; side < 2; side++) {
                memcpy(at, v, sizeof at);
                at[k] += side ? step : -step;
                cost[side] = sap_cost(p, R, at);
                assert_true(cost[side] > least); /* strictly convex */
            }
            const double curvature = (cost[0] + cost[1] - 2.0 * least) / step;
            assert_below(fabs(cost[1] - cost[0]), 1e-4 * curvature * step);
        }
        dls_report_release(&report);
    }
    static const char *const nearly[] = {"regularisation=sap", "sigma=0", "beta=0", NULL};
    solve_primal(p, nearly, lambda);
    assert_below(cone_certify(p, lambda).scaled_residual, 1e-12);
    dls_problem_destroy(p);
}

/* SAP has no regularisation for other contacts. */
TEST(test_sap_refuses_other_contacts)
{
    static const char *const sap[] = {"regularisation=sap", NULL};
    for (size_t k = 0; k < LAW_CASES; k++) {
        double lambda[N_MAX], w[N_MAX];
        dls_report report = {0};
        dls_problem *p = law_manufacture(&law_cases[k], CONTACTS, all_regimes, 1, lambda, w);
        const bool others = law_cases[k].rolling[0] >= 0.0 || law_cases[k].torsion >= 0.0;
        direct_solve("primal", p, sap, lambda, &report);
        assert_int_equal(report.outcome == DLS_OUTCOME_REFUSED, others);
        dls_report_release(&report);
        dls_problem_destroy(p);
    }
}
