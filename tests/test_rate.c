/* Predicted and fitted rates of sweeps: closed forms, and PGS on chains measured by the examiner. */
#include "examined.h"
#include "mechanisms.h"

#include "delassus/reference.h"
#include "delassus/solvers.h"

#include <lapacke.h>
#include <string.h>

/* Gauss-Seidel on [1 a; a 1] has the spectral radius a^2, Jacobi |a|, and SOR at its optimum omega - 1 (D. M. Young).
 */
TEST(test_closed_forms)
{
    const double a = 0.7, A[] = {1, a, a, 1}, b[] = {-1, -1}, lambda[] = {1 / 1.7, 1 / 1.7};
    double optimum = 2.0 / (1.0 + sqrt(1.0 - a * a));
    dls_error error;
    dls_rate rate;
    dls_problem *problem = problem_from_matrix(2, A, b, NULL, NULL);
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

TEST(test_redundant_rows_and_bounds_are_counted)
{
    /* rows 1 and 2 are the same constraint, row 3 stands at its bound with w > 0, row 4 is degenerate */
    const double A[] = {2, 2, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, b[] = {-4, -4, 1, 0}, lambda[] = {1, 1, 0, 0};
    dls_error error;
    dls_rate rate;
    dls_problem *problem = problem_from_matrix(4, A, b, NULL, NULL);
    assert_status(dls_rate_predict(problem, lambda, NULL, (dls_splitting){DLS_SPLITTING_FORWARD, 1.0}, &rate, &error),
                  &error);
    assert_int_equal(rate.free_rows, 2);
    assert_int_equal(rate.redundant, 1);
    assert_int_equal(rate.degenerate, 1);
    assert_close(rate.spectral_radius, 0.0, 1e-14);
    dls_problem_destroy(problem);
}

/* Two chains of two rows that do not touch: the error sits in the fast one alone. */
TEST(test_only_excited_modes_count)
{
    const double A[] = {1, .9, 0, 0, .9, 1, 0, 0, 0, 0, 1, .5, 0, 0, .5, 1}, b[] = {-1.9, -1.9, -1.5, -1.5};
    const double lambda[] = {1, 1, 1, 1}, fast[] = {1, 1, 1.3, 0.8}, both[] = {1.1, 1, 1.3, 0.8};
    dls_error error;
    dls_rate rate;
    dls_problem *problem = problem_from_matrix(4, A, b, NULL, NULL);
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
TEST(test_pgs_on_chains_fits_the_prediction)
{
    const struct {
        int links;
        double ratio;
    } chains[] = {{3, 10.0}, {6, 1.0}, {10, 1.0}};
    const dls_solver *pgs = dls_iterative_find("pgs");
    for (size_t k = 0; k < sizeof chains / sizeof chains[0]; k++) {
        dls_model *model = make_chain(chains[k].links, chains[k].ratio);
        size_t n = 3 * (size_t)chains[k].links;
        dls_error error;
        dls_rate rate;
        dls_report report = {0};
        static history h;
        char settings[64];
        double lambda[30] = {0}, reference[30];
        int pivots[30];
        h.count = 0;
        dls_problem *problem = problem_from_state(model, dls_model_initial(model), NULL, 0.01);
        dls_dense *dense = dense_of(problem);
        for (size_t i = 0; i < n; i++)
            reference[i] = -dense->b[i];
        assert_int_equal(LAPACKE_dsysv(LAPACK_COL_MAJOR, 'L', (int)n, 1, dense->A, (int)n, pivots, reference, (int)n),
                         0);
        h.examiner = examiner_of(problem);
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

enum { N = 9 };

static unsigned state;
static double draw(double from, double to)
{
    state = state * 1664525u + 1013904223u;
    return from + (to - from) * (double)(state >> 8) / 16777216.0;
}

/* One sweep on the rows of A_FF, m x m, for the homogeneous equation: what it makes of an error. */
static void sweep(size_t m, const double *A, dls_splitting splitting, double *e)
{
    double Ae[N];
    const bool jacobi = splitting.kind == DLS_SPLITTING_JACOBI;
    for (size_t k = 0; k < (splitting.kind == DLS_SPLITTING_SYMMETRIC ? 2 * m : m); k++) {
        const size_t i = k < m ? k : 2 * m - 1 - k;
        for (size_t r = 0; r < m && (!jacobi || k == 0); r++) {
            Ae[r] = 0.0;
            for (size_t j = 0; j < m; j++)
                Ae[r] += A[r + m * j] * e[j];
        }
        e[i] -= splitting.omega * Ae[i] / A[i + m * i];
    }
}

/* The eigenvalues and right eigenvectors (as LAPACK has them) of the map that sweeps make. */
static void modes(size_t m, const double *A, dls_splitting splitting, double *real, double *imaginary, double *vectors)
{
    double G[N * N] = {0};
    for (size_t j = 0; j < m; j++) {
        G[j + m * j] = 1.0;
        sweep(m, A, splitting, G + m * j);
    }
    assert_int_equal(
        LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'V', (int)m, G, (int)m, real, imaginary, NULL, (int)m, vectors, (int)m),
        0);
}

/* Nine rows, of which some stand at bounds; sweeps of every kind, under and over relaxed, symmetric or not. The start
 * is off by some of the modes alone. */
TEST(test_modes_are_those_of_sweeps)
{
    static const dls_splitting_kind kinds[] = {DLS_SPLITTING_FORWARD, DLS_SPLITTING_SYMMETRIC, DLS_SPLITTING_JACOBI};
    size_t pairs = 0, silent = 0;
    for (unsigned seed = 0; seed < 60; seed++) {
        double A[N * N], b[N], lo[N], hi[N], lambda[N], start[N], A_FF[N * N], G[N * N];
        double real[N], imaginary[N], vectors[N * N];
        size_t F[N], m = 0;
        dls_error error;
        dls_rate rate;
        state = 5 + 7919 * seed;
        const dls_splitting splitting = {kinds[seed % 3], seed % 2 ? 1.0 : seed % 4 ? 0.7 : 1.3};
        for (size_t k = 0; k < N * N; k++)
            G[k] = draw(-1.0, 1.0);
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < N; j++) {
                A[i + N * j] = i == j ? 1.0 : seed % 5 == 0 && i > j ? draw(-0.3, 0.3) : 0.0;
                for (size_t k = 0; k < N; k++)
                    A[i + N * j] += G[i + N * k] * G[j + N * k] * ldexp(1.0, (int)(i % 3 + j % 3));
            }
        for (size_t i = 0; i < N; i++) {
            const int where = (int)(i + seed) % 5; /* inside, twice; at a bound; free; between two */
            lo[i] = where == 3 ? -HUGE_VAL : -2.0, hi[i] = where == 4 ? 2.0 : HUGE_VAL;
            lambda[i] = where == 2 ? -2.0 : draw(-1.0, 1.0);
            if (where != 2)
                F[m++] = i;
        }
        for (size_t i = 0; i < N; i++) {
            b[i] = lambda[i] == -2.0 ? 1.0 : 0.0;
            for (size_t j = 0; j < N; j++)
                b[i] -= A[i + N * j] * lambda[j];
        }
        for (size_t j = 0; j < m; j++)
            for (size_t i = 0; i < m; i++)
                A_FF[i + m * j] = A[F[i] + N * F[j]];
        modes(m, A_FF, splitting, real, imaginary, vectors);
        double radius = 0.0, excited = 0.0;
        memcpy(start, lambda, sizeof start);
        for (size_t k = 0; k < m; k++) {
            const double modulus = hypot(real[k], imaginary[k]);
            const bool pair = imaginary[k] > 0.0, chosen = draw(0.0, 1.0) < 0.4;
            radius = fmax(radius, modulus);
            excited = chosen ? fmax(excited, modulus) : excited;
            for (size_t i = 0; chosen && i < m; i++) /* any part of a pair will do */
                start[F[i]] += 0.3 * vectors[i + m * k] - (pair ? 0.2 * vectors[i + m * (k + 1)] : 0.0);
            pairs += pair;
            k += pair;
        }
        silent += excited < radius;
        dls_problem *p = problem_from_matrix(N, A, b, lo, hi);
        assert_status(dls_rate_predict(p, lambda, NULL, splitting, &rate, &error), &error);
        assert_int_equal(rate.free_rows, m);
        assert_int_equal(rate.redundant, 0);
        assert_int_equal(rate.degenerate, 0);
        assert_close(rate.spectral_radius, radius, 1e-11);
        assert_true(isnan(rate.excited_radius));
        assert_status(dls_rate_predict(p, lambda, start, splitting, &rate, &error), &error);
        assert_close(rate.spectral_radius, radius, 1e-11);
        if (excited > 0.0)
            assert_close(rate.excited_radius, excited, 1e-10);
        dls_problem_destroy(p);
    }
    assert_true(pairs > 20);
    assert_true(silent > 20);
}

/* Rows 4 to 6 repeat rows 0 to 2 in other units; a sweep leaves the null vectors as they are, and they do not count. */
TEST(test_several_redundant_rows)
{
    static const dls_splitting splittings[] = {
        {DLS_SPLITTING_FORWARD, 1.2}, {DLS_SPLITTING_SYMMETRIC, 0.9}, {DLS_SPLITTING_JACOBI, 0.3}};
    enum { ROWS = 7, RANK = 4 };
    for (unsigned seed = 0; seed < 12; seed++) {
        double G[ROWS][RANK], A[ROWS * ROWS], b[ROWS], lambda[ROWS], start[ROWS], lo[ROWS];
        double real[ROWS], imaginary[ROWS], vectors[ROWS * ROWS], radius = 0.0;
        dls_error error;
        dls_rate rate;
        state = 5 + 7919 * seed;
        for (size_t i = 0; i < ROWS; i++)
            for (size_t k = 0; k < RANK; k++)
                G[i][k] = i < RANK ? (i == k) + draw(-0.5, 0.5) : ldexp(G[i - RANK][k], (int)i - 5);
        for (size_t i = 0; i < ROWS; i++) {
            lo[i] = -HUGE_VAL, lambda[i] = b[i] = 0.0, start[i] = draw(-1.0, 1.0);
            for (size_t j = 0; j < ROWS; j++) {
                A[i + ROWS * j] = 0.0;
                for (size_t k = 0; k < RANK; k++)
                    A[i + ROWS * j] += G[i][k] * G[j][k];
            }
        }
        modes(ROWS, A, splittings[seed % 3], real, imaginary, vectors);
        for (size_t k = 0; k < ROWS; k++)
            if (hypot(real[k] - 1.0, imaginary[k]) > 1e-9)
                radius = fmax(radius, hypot(real[k], imaginary[k]));
        dls_problem *p = problem_from_matrix(ROWS, A, b, lo, NULL);
        assert_status(dls_rate_predict(p, lambda, start, splittings[seed % 3], &rate, &error), &error);
        assert_int_equal(rate.free_rows, ROWS);
        assert_int_equal(rate.redundant, ROWS - RANK);
        assert_close(rate.spectral_radius, radius, 1e-9);
        assert_close(rate.excited_radius, radius, 1e-9);
        dls_problem_destroy(p);
    }
}

/* Numbers that are 0 but for rounding: w of a row at its bound, the share of a mode, a singular value; on either side
 * of each limit, in powers of two. */
TEST(test_limits_of_rounding)
{
    static const dls_splitting jacobi = {DLS_SPLITTING_JACOBI, 1.0};
    dls_problem *p;
    dls_error error;
    dls_rate rate;
    for (int k = 0; k < 4; k++) { /* 1e-9 of the largest |b|, which is negative, is between its 2^-30 and 2^-29 */
        const double w = ldexp(k % 2 ? -4.0 : 4.0, k < 2 ? -30 : -29), A[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        const double b[] = {w, -4.0, 0.0}, lambda[] = {0.0, 4.0, 0.0}, hi[] = {HUGE_VAL, HUGE_VAL, 0.0};
        p = problem_from_matrix(3, A, b, NULL, hi);
        assert_status(dls_rate_predict(p, lambda, NULL, jacobi, &rate, &error), &error);
        assert_int_equal(rate.degenerate, k < 2);
        assert_int_equal(rate.free_rows, 1);
        dls_problem_destroy(p);
    }
    for (int k = 0; k < 2; k++) { /* 1e-10 of the largest mode is between 2^-34 and 2^-33 */
        const double A[] = {1, .875, 0, 0, .875, 1, 0, 0, 0, 0, 1, .5, 0, 0, .5, 1};
        const double b[] = {-1.875, -1.875, -1.5, -1.5}, lambda[] = {1, 1, 1, 1}, less = ldexp(1.0, k ? -34 : -33);
        const double start[] = {1.0 + less, 1.0 - less, 2, 0};
        p = problem_from_matrix(4, A, b, NULL, NULL);
        assert_status(dls_rate_predict(p, lambda, start, jacobi, &rate, &error), &error);
        assert_close(rate.spectral_radius, 0.875, 1e-14);
        assert_close(rate.excited_radius, k ? 0.5 : 0.875, 1e-14);
        dls_problem_destroy(p);
    }
    for (int k = 0; k < 2; k++) { /* 8 m eps of the largest is 2^-47; the smaller one is half of what is added */
        const double A[] = {1, 1, 1, 1.0 + ldexp(1.0, k ? -48 : -44)}, b[] = {0, 0}, lambda[] = {1, 1};
        p = problem_from_matrix(2, A, b, NULL, NULL);
        assert_status(dls_rate_predict(p, lambda, NULL, jacobi, &rate, &error), &error);
        assert_int_equal(rate.redundant, k);
        dls_problem_destroy(p);
    }
}

TEST(test_what_has_no_rate)
{
    const double A[] = {1, 0.5, 0.5, 1}, b[] = {1, 1}, zero[] = {0, 0};
    dls_error error;
    dls_rate rate;
    dls_problem *p = problem_from_matrix(2, A, b, NULL, NULL);
    assert_status(dls_rate_predict(p, zero, zero, (dls_splitting){DLS_SPLITTING_FORWARD, 1.0}, &rate, &error), &error);
    assert_int_equal(rate.free_rows, 0);
    assert_int_equal(rate.degenerate, 0);
    assert_true(rate.spectral_radius == 0.0);
    assert_true(isnan(rate.excited_radius));
    assert_int_equal(dls_rate_predict(p, zero, NULL, (dls_splitting){DLS_SPLITTING_NONE, 1.0}, &rate, &error),
                     DLS_REFUSED);
    dls_problem_destroy(p);
}

/* --- friction --- */

enum { CONTACTS = 4, ROWS_OF_CONTACTS = 3 * CONTACTS };

/* Contacts with full, definite A, the same for each seed; some open, stick and slide. */
static dls_problem *draw_contacts(unsigned seed, dls_law law)
{
    enum { n = ROWS_OF_CONTACTS };
    double G[n * n], A[n * n], b[n];
    state = 11 + 7919 * seed;
    for (size_t k = 0; k < n * n; k++)
        G[k] = draw(-0.5, 0.5);
    for (size_t i = 0; i < n; i++) {
        b[i] = i % 3 ? draw(-0.7, 0.7) : draw(-1.5, 0.5);
        for (size_t j = 0; j < n; j++) {
            A[i + n * j] = i == j ? 1.0 : 0.0;
            for (size_t k = 0; k < n; k++)
                A[i + n * j] += 0.3 * G[i + n * k] * G[j + n * k];
        }
    }
    dls_problem *p = problem_from_matrix(n, A, b, NULL, NULL);
    for (size_t i = 0; i < n; i++) {
        if (law == DLS_LAW_CONE && i % 3 == 0)
            dls_problem_make_cone(p, i, 0.5);
        else if (law == DLS_LAW_BOX && i % 3)
            p->parent[i] = i - i % 3, p->law[i] = law, p->mu[i] = 0.5, p->lo[i] = p->hi[i] = 0.0, p->n_coupled++;
    }
    return p;
}

typedef struct method {
    const dls_solver *solver;
    char settings[256];
} method;

static void iterate(const method *of, const dls_problem *p, size_t count, double *lambda)
{
    dls_report report = {0};
    dls_error error;
    assert_status(dls_solve(of->solver, p, of->settings, count, lambda, &report, NULL, NULL, &error), &error);
    dls_report_release(&report);
}

/* The spectral radius of the derivative of one iteration at lambda, by differences. */
static double differenced_radius(const method *of, const dls_problem *p, const double *lambda)
{
    enum { n = ROWS_OF_CONTACTS };
    const double step = 1e-6;
    double G[n * n], real[n], imaginary[n], radius = 0.0, lambda_minus[n];
    for (size_t j = 0; j < n; j++) {
        double *column = G + n * j;
        memcpy(column, lambda, sizeof lambda_minus);
        memcpy(lambda_minus, lambda, sizeof lambda_minus);
        column[j] += step, lambda_minus[j] -= step;
        iterate(of, p, 1, column), iterate(of, p, 1, lambda_minus);
        for (size_t i = 0; i < n; i++)
            column[i] = (column[i] - lambda_minus[i]) / (2.0 * step);
    }
    assert_int_equal(LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', n, G, n, real, imaginary, NULL, n, NULL, n), 0);
    for (size_t i = 0; i < n; i++)
        radius = fmax(radius, hypot(real[i], imaginary[i]));
    return radius;
}

/* The least distance of a row from a change of its side, relative: near one the iteration has no derivative. */
static double margin(const dls_problem *p, const double *lambda)
{
    double least = 1.0;
    dls_dense *d = dense_of(p);
    for (size_t i = 0; i < p->n; i += 3) {
        double w[3], slide = 0.0, force = hypot(lambda[i + 1], lambda[i + 2]);
        for (size_t r = 0; r < 3; r++) {
            w[r] = d->b[i + r];
            for (size_t j = 0; j < p->n; j++)
                w[r] += d->A[i + r + p->n * j] * lambda[j];
            slide = r ? hypot(slide, w[r]) : 0.0;
        }
        least = fmin(least, fmax(lambda[i], w[0]));
        if (lambda[i] > 0.0 && p->law[i + 1] == DLS_LAW_CONE)
            least = fmin(least, fmax(p->mu[i + 1] * lambda[i] - force, slide));
        for (size_t r = 1; r < 3 && lambda[i] > 0.0 && p->law[i + 1] == DLS_LAW_BOX; r++)
            least = fmin(least, fmax(p->mu[i + r] * lambda[i] - fabs(lambda[i + r]), fabs(w[r])));
    }
    dls_dense_destroy(d);
    return least;
}

/* The prediction is the derivative of the method at its fixed point, for every method with a splitting: with friction
 * boxes whose bounds move, and with contacts that slide and turn under Coulomb's cone. */
TEST(test_friction_is_the_derivative_of_an_iteration)
{
    size_t compared = 0;
    for (unsigned seed = 0; seed < (check_small() ? 20 : 200); seed++)
        for (size_t k = 0; k < 2; k++)
            for (const dls_solver *const *solver = dls_iterative_solvers; *solver; solver++) {
                dls_problem *p = draw_contacts(seed, k ? DLS_LAW_CONE : DLS_LAW_BOX);
                double lambda[ROWS_OF_CONTACTS] = {0}, again[ROWS_OF_CONTACTS], moved = 0.0;
                method of = {.solver = *solver};
                dls_error error;
                dls_rate rate;
                if ((*solver)->splitting && !dls_solver_refuses(*solver, p)) {
                    assert_status(dls_fields_default(&(*solver)->fields, of.settings, &error), &error);
                    iterate(&of, p, 3000, lambda);
                    memcpy(again, lambda, sizeof again);
                    iterate(&of, p, 1, again);
                    for (size_t i = 0; i < ROWS_OF_CONTACTS; i++)
                        moved = fmax(moved, fabs(again[i] - lambda[i]));
                    assert_status(dls_rate_predict(p, lambda, NULL, (*solver)->splitting(of.settings), &rate, &error),
                                  &error);
                    if (moved < 1e-13 && margin(p, lambda) > 1e-4) {
                        assert_close(rate.spectral_radius, differenced_radius(&of, p, lambda), 1e-6);
                        assert_int_equal(rate.word, DLS_RATE_EXACT);
                        compared++;
                    }
                }
                dls_problem_destroy(p);
            }
    assert_true(compared > 50);
}

/* --- laws --- */

/* Hands the eigenvalues back: their least, as the factor, and all of them. */
typedef struct heard {
    size_t count;
    double eigenvalue[N];
} heard;
static heard eigenvalues_heard;

static double least_eigenvalue(const void *settings, size_t count, const double *eigenvalues)
{
    (void)settings;
    eigenvalues_heard.count = count;
    memcpy(eigenvalues_heard.eigenvalue, eigenvalues, count * sizeof *eigenvalues);
    return eigenvalues[0];
}

/* Masses between springs, (-1, 2, -1), in any units: D^-1 A has the eigenvalues 1 - cos(k pi / (n + 1)), and a row that
 * is there twice adds none. */
TEST(test_a_law_gets_known_eigenvalues)
{
    const dls_rate_law law = {
        .preconditioner = DLS_SPLITTING_JACOBI, .bound = true, .factor = least_eigenvalue, .theory = ""};
    for (size_t n = 1; n < N; n++) {
        double A[N * N], b[N] = {0}, lambda[N], lo[N];
        const size_t all = n == 5 ? n + 1 : n; /* with the last row once more */
        for (size_t i = 0; i < all; i++) {
            lo[i] = -HUGE_VAL, lambda[i] = 1.0;
            for (size_t j = 0; j < all; j++) {
                const size_t row = i < n ? i : n - 1, column = j < n ? j : n - 1;
                const double a = row == column ? 2.0 : row + 1 == column || column + 1 == row ? -1.0 : 0.0;
                A[i + all * j] = ldexp(a, 3 * (int)(i % 4) + 3 * (int)(j % 4));
            }
        }
        dls_problem *p = problem_from_matrix(all, A, b, lo, NULL);
        dls_error error;
        dls_rate rate;
        assert_status(dls_rate_predict_law(p, lambda, &law, NULL, &rate, &error), &error);
        assert_int_equal(rate.word, DLS_RATE_BOUND);
        assert_int_equal(rate.free_rows, all);
        assert_int_equal(rate.redundant, all - n);
        assert_int_equal(eigenvalues_heard.count, n);
        for (size_t k = 0; k < n && all == n; k++)
            assert_close(eigenvalues_heard.eigenvalue[k], 1.0 - cos((double)(k + 1) * M_PI / (double)(n + 1)), 1e-13);
        assert_true(rate.spectral_radius == eigenvalues_heard.eigenvalue[0]);
        dls_problem_destroy(p);
    }
}

static double half(const void *settings)
{
    (void)settings;
    return 0.5;
}

/* (D + L) D^-1 (D + U) of [1 a; a 1] leaves the eigenvalues 1 - a^2 and 1. With omega = 1/2 P is (2 + L)(2 + U) / 3 =
 * [4 2a; 2a 4 + a^2] / 3, whose determinant is 16 / 9: that of P^-1 A is 9 (1 - a^2) / 16. */
TEST(test_a_law_of_the_symmetric_sweep)
{
    const dls_rate_law law = {
        .preconditioner = DLS_SPLITTING_SYMMETRIC, .bound = true, .factor = least_eigenvalue, .theory = ""};
    const double a = 0.7, A[] = {1, a, a, 1}, b[] = {-1, -1}, lambda[] = {1 / 1.7, 1 / 1.7};
    dls_problem *p = problem_from_matrix(2, A, b, NULL, NULL);
    dls_error error;
    dls_rate rate;
    assert_status(dls_rate_predict_law(p, lambda, &law, NULL, &rate, &error), &error);
    assert_close(rate.spectral_radius, 1.0 - a * a, 1e-14);
    assert_close(eigenvalues_heard.eigenvalue[1], 1.0, 1e-14);
    const dls_rate_law relaxed = {.preconditioner = DLS_SPLITTING_SYMMETRIC, .omega = half, .factor = least_eigenvalue};
    assert_status(dls_rate_predict_law(p, lambda, &relaxed, NULL, &rate, &error), &error);
    assert_close(eigenvalues_heard.eigenvalue[0] * eigenvalues_heard.eigenvalue[1], 9.0 * (1.0 - a * a) / 16.0, 1e-14);
    dls_problem_destroy(p);
}

/* Friction that slides moves with its normal impulse: W_nn - mu W_nt with w_t > 0, which is no bound any more, and is
 * refused where friction that grows with the normal impulse makes it negative (Painleve). A contact that sticks has all
 * of its rows. */
TEST(test_a_law_under_friction)
{
    const dls_rate_law law = {
        .preconditioner = DLS_SPLITTING_JACOBI, .bound = true, .factor = least_eigenvalue, .theory = ""};
    for (int cone = 0; cone < 2; cone++)
        for (int k = 0; k < 3; k++) { /* slides, sticks, slides and jams */
            const double mu = k == 2 ? 3.0 : 0.5, c = 0.4, w_t = k == 1 ? 0.0 : 1.0, A[] = {1, c, 0, c, 1, 0, 0, 0, 1};
            const double lambda[] = {1, k == 1 ? 0.1 : -mu, 0}, b[] = {-1 - c * lambda[1], w_t - c - lambda[1], 0};
            dls_problem *p = problem_from_matrix(3, A, b, NULL, NULL);
            dls_error error;
            dls_rate rate;
            if (cone)
                dls_problem_make_cone(p, 0, mu);
            for (size_t i = 1; i < 3 && !cone; i++)
                p->parent[i] = 0, p->law[i] = DLS_LAW_BOX, p->mu[i] = mu, p->lo[i] = p->hi[i] = 0.0, p->n_coupled++;
            const dls_status status = dls_rate_predict_law(p, lambda, &law, NULL, &rate, &error);
            assert_int_equal(status, k == 2 ? DLS_REFUSED : DLS_OK);
            if (k == 0)
                assert_close(rate.spectral_radius, 1.0 - mu * c, 1e-14);
            if (k == 1)
                assert_close(rate.spectral_radius, 1.0 - c, 1e-14);
            if (k < 2) /* across the direction of sliding the tangent, with a compliance under the cone */
                assert_int_equal(eigenvalues_heard.count, k ? 3 : 2);
            if (k < 2)
                assert_int_equal(rate.word, k ? DLS_RATE_BOUND : DLS_RATE_ESTIMATE);
            dls_problem_destroy(p);
        }
}
