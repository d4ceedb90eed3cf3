/* Predicted and fitted rates of sweeps: closed forms, and PGS on chains measured by the examiner. */
#include "mechanisms.h"

#include "delassus/reference.h"
#include "delassus/solvers.h"

#include <lapacke.h>

/* Gauss-Seidel on [1 a; a 1] has the spectral radius a^2, Jacobi |a|, and SOR at its optimum omega - 1 (D. M. Young).
 */
static void test_closed_forms(void **unused)
{
    (void)unused;
    const double a = 0.7, A[] = {1, a, a, 1}, b[] = {-1, -1}, lambda[] = {1 / 1.7, 1 / 1.7};
    double optimum = 2.0 / (1.0 + sqrt(1.0 - a * a));
    dls_problem *problem;
    dls_error error;
    dls_rate rate;
    assert_status(dls_problem_from_matrix(2, A, b, NULL, NULL, &problem, &error), &error);
    assert_status(dls_rate_predict(problem, lambda, NULL, (dls_splitting){DLS_SPLITTING_FORWARD, 1.0}, &rate, &error),
                  &error);
    assert_close(rate.spectral_radius, a * a, 1e-14);
    assert_int_equal(rate.free_rows, 2);
    assert_status(dls_rate_predict(problem, lambda, NULL, (dls_splitting){DLS_SPLITTING_SYMMETRIC, 1.0}, &rate, &error),
                  &error);
    assert_close(rate.spectral_radius, a * a, 1e-14);
    assert_status(dls_rate_predict(problem, lambda, NULL, (dls_splitting){DLS_SPLITTING_JACOBI, 1.0}, &rate, &error),
                  &error);
    assert_close(rate.spectral_radius, a, 1e-14);
    assert_status(
        dls_rate_predict(problem, lambda, NULL, (dls_splitting){DLS_SPLITTING_FORWARD, optimum}, &rate, &error),
        &error);
    assert_close(rate.spectral_radius, optimum - 1.0, 1e-7); /* a double, defective eigenvalue: sqrt(eps) */
    dls_problem_destroy(problem);
}

static void test_redundant_rows_and_bounds_are_counted(void **unused)
{
    (void)unused;
    /* rows 1 and 2 are the same constraint, row 3 stands at its bound with w > 0, row 4 is degenerate */
    const double A[] = {2, 2, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, b[] = {-4, -4, 1, 0}, lambda[] = {1, 1, 0, 0};
    dls_problem *problem;
    dls_error error;
    dls_rate rate;
    assert_status(dls_problem_from_matrix(4, A, b, NULL, NULL, &problem, &error), &error);
    assert_status(dls_rate_predict(problem, lambda, NULL, (dls_splitting){DLS_SPLITTING_FORWARD, 1.0}, &rate, &error),
                  &error);
    assert_int_equal(rate.free_rows, 2);
    assert_int_equal(rate.redundant, 1);
    assert_int_equal(rate.degenerate, 1);
    assert_close(rate.spectral_radius, 0.0, 1e-14);
    dls_problem_destroy(problem);
}

/* Two chains of two rows that do not touch: the error sits in the fast one alone. */
static void test_only_excited_modes_count(void **unused)
{
    (void)unused;
    const double A[] = {1, .9, 0, 0, .9, 1, 0, 0, 0, 0, 1, .5, 0, 0, .5, 1}, b[] = {-1.9, -1.9, -1.5, -1.5};
    const double lambda[] = {1, 1, 1, 1}, fast[] = {1, 1, 1.3, 0.8}, both[] = {1.1, 1, 1.3, 0.8};
    dls_problem *problem;
    dls_error error;
    dls_rate rate;
    assert_status(dls_problem_from_matrix(4, A, b, NULL, NULL, &problem, &error), &error);
    assert_status(dls_rate_predict(problem, lambda, fast, (dls_splitting){DLS_SPLITTING_JACOBI, 1.0}, &rate, &error),
                  &error);
    assert_close(rate.spectral_radius, 0.9, 1e-14);
    assert_close(rate.excited_radius, 0.5, 1e-14);
    assert_status(dls_rate_predict(problem, lambda, both, (dls_splitting){DLS_SPLITTING_JACOBI, 1.0}, &rate, &error),
                  &error);
    assert_close(rate.excited_radius, 0.9, 1e-14);
    dls_problem_destroy(problem);
}

typedef struct history {
    dls_examiner *examiner;
    const double *reference;
    double error[4000];
    size_t count;
} history;

static bool record(void *context, const double *lambda, const dls_report *report)
{
    history *h = context;
    (void)report;
    h->error[h->count++] = dls_examiner_distance(h->examiner, lambda, h->reference);
    return h->count < sizeof h->error / sizeof h->error[0];
}

/* PGS on chains reaches the reference to 1e-12 in the M-norm, at the predicted rate within 2 %. */
static void test_pgs_on_chains_fits_the_prediction(void **unused)
{
    (void)unused;
    const struct {
        int links;
        double ratio;
    } chains[] = {{3, 10.0}, {6, 1.0}, {10, 1.0}};
    const dls_solver *pgs = dls_iterative_find("pgs");
    for (size_t k = 0; k < sizeof chains / sizeof chains[0]; k++) {
        dls_model *model = make_chain(chains[k].links, chains[k].ratio);
        size_t n = 3 * (size_t)chains[k].links;
        dls_problem *problem;
        dls_dense *dense;
        dls_error error;
        dls_rate rate;
        dls_report report = {0};
        static history h;
        char settings[64];
        double lambda[30] = {0}, reference[30];
        int pivots[30];
        h.count = 0;
        assert_status(dls_problem_create(model, dls_model_initial(model), NULL, 0.01, &problem, &error), &error);
        assert_status(dls_dense_create(problem, &dense, &error), &error);
        for (size_t i = 0; i < n; i++)
            reference[i] = -dense->b[i];
        assert_int_equal(LAPACKE_dsysv(LAPACK_COL_MAJOR, 'L', (int)n, 1, dense->A, (int)n, pivots, reference, (int)n),
                         0);
        assert_status(dls_examiner_create(problem, &h.examiner, &error), &error);
        h.reference = reference;
        assert_status(dls_fields_default(&pgs->fields, settings, &error), &error);
        assert_status(dls_solve(pgs, problem, settings, 4000, lambda, &report, record, &h, &error), &error);
        assert_below(h.error[h.count - 1], 1e-12);
        assert_status(
            dls_rate_predict(problem, reference, NULL, (dls_splitting){DLS_SPLITTING_FORWARD, 1.0}, &rate, &error),
            &error);
        size_t from = 0, to = 0; /* fitted between 1e-4 and 1e-10 of the first error */
        while (h.error[from] > 1e-4 * h.error[0])
            from++;
        while (h.error[to] > 1e-10 * h.error[0])
            to++;
        double fitted = pow(h.error[to] / h.error[from], 1.0 / (double)(to - from));
        assert_close(log(fitted) / log(rate.spectral_radius), 1.0, 0.02);
        dls_report_release(&report);
        dls_examiner_destroy(h.examiner);
        dls_dense_destroy(dense);
        dls_problem_destroy(problem);
        dls_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_redundant_rows_and_bounds_are_counted),
        cmocka_unit_test(test_only_excited_modes_count),
        cmocka_unit_test(test_pgs_on_chains_fits_the_prediction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
