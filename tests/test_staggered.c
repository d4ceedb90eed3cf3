/* Staggered projections: where they contract, the closed form of a contact that slides; beyond it a cycle of two, which
 * is named and never called solved; and every claim on manufactured contacts, as the examiner judges it. */
#include "cones.h"
#include "direct_solve.h"

/* A contact whose normal and first tangent are coupled by 0.9, in units of s and s_t: it slides in every solution. */
static dls_problem *sliding_contact(double mu, double s, double s_t)
{
    const double A[9] = {s * s, 0.9 * s * s_t, 0, 0.9 * s * s_t, s_t * s_t, 0, 0, 0, s_t * s_t};
    const double b[3] = {-s, -3.0 * s_t, 0};
    dls_problem *p = problem_from_matrix(3, A, b, NULL, NULL);
    dls_problem_make_cone(p, 0, mu * s / s_t);
    return p;
}

/* lambda_n <- 1 - 0.9 mu lambda_n contracts for mu < 1 / 0.9, to 1 / (1 + 0.9 mu). */
TEST(test_a_contact_that_slides)
{
    for (double mu = 0.05; mu < 1.04; mu += 0.11) {
        const double s[][2] = {{1, 1}, {1e6, 1e6}, {1e-3, 1e3}};
        for (size_t k = 0; k < 3; k++) {
            double lambda[3], w[3];
            dls_report report = {0};
            dls_problem *p = sliding_contact(mu, s[k][0], s[k][1]);
            direct_solve("staggered", p, NULL, lambda, &report);
            assert_outcome_is(&report, DLS_OUTCOME_SOLVED, "a contact that slides");
            assert_below(direct_examine(p, lambda, w), 1e-9);
            assert_close(lambda[0] * s[k][0], 1.0 / (1.0 + 0.9 * mu), 1e-8);
            assert_close(lambda[1] * s[k][1], mu / (1.0 + 0.9 * mu), 1e-8);
            dls_report_release(&report);
            dls_problem_destroy(p);
        }
    }
}

/* Beyond it friction opens the contact, 1 - 0.9 min(mu, 2.1) < 0, which closes without friction. */
TEST(test_a_cycle_of_two_is_named)
{
    for (double mu = 1.15; mu < 6.0; mu *= 1.3)
        for (int cone = 0; cone < 2; cone++) {
            double lambda[3], w[3];
            dls_report report = {0};
            dls_problem *p = sliding_contact(mu, 1.0, 1.0);
            if (!cone) {
                p->law[1] = p->law[2] = DLS_LAW_BOX;
                p->n_cone = 0;
            }
            direct_solve("staggered", p, NULL, lambda, &report);
            assert_outcome_is(&report, DLS_OUTCOME_ITERATION_LIMIT, "a cycle of two");
            assert_non_null(strstr(report.message, "cycle of two"));
            assert_true(direct_examine(p, lambda, w) > 1e-3);
            direct_solve("cone-newton", p, NULL, lambda, &report);
            assert_outcome_is(&report, DLS_OUTCOME_SOLVED, "the same by Newton's method");
            assert_below(direct_examine(p, lambda, w), 1e-9);
            dls_report_release(&report);
            dls_problem_destroy(p);
        }
}

/* Whatever it claims is a solution; and on most of these it ends, for their friction is weak. */
TEST(test_every_claim_is_a_solution)
{
    size_t solved = 0, tried = 0;
    for (unsigned seed = 1; seed < 100; seed++) {
        double chosen[60], w_chosen[60], lambda[60], w[60];
        dls_report report = {0};
        dls_problem *p = cone_manufacture(1 + seed % 20, seed, chosen, w_chosen);
        direct_solve("staggered", p, NULL, lambda, &report);
        tried++;
        if (report.outcome == DLS_OUTCOME_SOLVED) {
            assert_below(direct_examine(p, lambda, w), 1e-9);
            assert_below(cone_certify(p, lambda).cone_violation, 1e-9);
            solved++;
        } else {
            assert_true(report.message[0] != '\0');
        }
        dls_report_release(&report);
        dls_problem_destroy(p);
    }
    print_message("# %zu of %zu problems solved\n", solved, tried);
    assert_true(2 * solved > tried);
}
