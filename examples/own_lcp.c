/* An LCP of one's own, solved and certified: w = A z + b, 0 <= z perp w >= 0.
 *
 * The solver's claim is not taken for granted: the examiner computes w again from the problem, and a problem that has
 * no solution is proved to have none by a vector that it checks (Farkas' lemma).
 *
 *     cc own_lcp.c $(pkg-config --cflags --libs delassus) -o own_lcp && ./own_lcp
 */
#include <delassus/delassus.h>
#include <delassus/experiments.h>

#include <stdio.h>

enum { N = 2 };

/* 0: as expected. */
static int solve(const char *name, const double *A, const double *b, const char *solver, dls_outcome expected)
{
    dls_problem *problem = NULL;
    dls_examiner *examiner = NULL;
    dls_report report = {.outcome = DLS_OUTCOME_RUNNING};
    dls_certificate certificate;
    dls_error error;
    double z[N] = {0.0, 0.0}, w[N];
    dls_choice choice;
    dls_status status = dls_choice_create(solver, &choice, &error);
    if (status == DLS_OK)
        status = dls_problem_from_matrix(N, A, b, NULL, NULL, &problem, &error);
    if (status == DLS_OK)
        status = dls_examiner_create(problem, &examiner, &error);
    if (status == DLS_OK)
        status = dls_solve(choice.solver, problem, choice.settings, 1000, z, &report, NULL, NULL, &error);
    int wrong = status != DLS_OK || report.outcome != expected;
    if (status != DLS_OK) {
        fprintf(stderr, "%s: %s\n", name, error.message);
    } else if (report.outcome == DLS_OUTCOME_SOLVED) {
        dls_examine(examiner, z, w, &certificate);
        printf("%s: z = (%g, %g), w = (%g, %g), natural residual %.1e\n", name, z[0], z[1], w[0], w[1],
               certificate.natural_residual);
        wrong |= !(certificate.natural_residual < 1e-14);
    } else if (report.proof_vector) {
        dls_farkas_proof proof;
        wrong |= dls_farkas_verify(problem, report.proof_vector, &proof, &error) != DLS_OK || !proof.proved;
        printf("%s: no solution; y = (%g, %g) proves it, exactly, with a margin of %g\n", name, report.proof_vector[0],
               report.proof_vector[1], proof.margin);
    } else {
        printf("%s: %s, %s\n", name, dls_outcome_text(report.outcome), report.message);
    }
    dls_report_release(&report);
    dls_choice_release(&choice);
    dls_examiner_destroy(examiner);
    dls_problem_destroy(problem);
    return wrong;
}

int main(void)
{
    /* By columns. The second: w_1 + w_2 = -1 whatever z is. */
    const double A[N * N] = {2.0, 1.0, 1.0, 2.0}, b[N] = {-5.0, -6.0};
    const double skew[N * N] = {1.0, -1.0, -1.0, 1.0}, below[N] = {-2.0, 1.0};
    return solve("an LCP", A, b, "lemke", DLS_OUTCOME_SOLVED) |
           solve("another", skew, below, "lemke", DLS_OUTCOME_NO_SOLUTION);
}
