/* The end of every solve: a claim is brought to its last digits (last_step.c), and withdrawn where it does not stand; a
 * failure, and the claim that there is no solution, are checked likewise. */
#include "verdicts.h"

#include "cone_path.h"
#include "last_step.h"

#include <lapacke.h>
#include <stdarg.h>
#include <stdio.h>

/* The violation of a row that a solution found here may have (a method's own may have dls_solved_to); and the shares of
 * b that may remain where the impulses are not known to the last digits, for A lambda may cancel so far that only
 * rounding is left, as it does without a solution. */
static const double mended_to = 1e-13, left_of_data = 1e-9, nothing_left = 1e-13;
/* Pivots of a definite matrix stand that far above rounding; two solutions nearer than that share are one. */
static const double pivot_margin = 64.0, same_solution = 1e-7;
enum { ROUNDS = 20, MENDING_ROUNDS = 100 };

DLS_PRINTF(3, 4) static void append_message(dls_report *report, dls_outcome outcome, const char *format, ...)
{
    char said[DLS_MESSAGE_MAX / 2], more[DLS_MESSAGE_MAX / 2];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(more, sizeof more, format, arguments);
    va_end(arguments);
    snprintf(said, sizeof said, "%.200s", report->message);
    dls_report_end(report, outcome, "%s%s%s", said, said[0] ? "; " : "", more);
}

/* Whether the blocks of A in which more than left_of_data remains are definite: then there is a solution, however large
 * the impulses. Without figures: whether all blocks are, so that no proof of the contrary can hold. */
static dls_status is_definite(const dls_direct *d, const dls_last_figures *f, bool *definite, dls_error *error)
{
    const dls_dense *q = &d->q;
    double *factor = dls_take_matrix(d->memory, q->n, q->n);
    size_t m = 0, *row = DLS_TAKE(d->memory, size_t, q->n);
    DLS_TRY(dls_direct_ready(d, error));
    for (size_t i = 0; i < q->n; i++)
        if (!f || f->share[d->block[i]] > left_of_data)
            row[m++] = i;
    dls_dense_block(q, m, row, factor);
    *definite = q->symmetric &&
                (m == 0 || LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', (lapack_int)m, factor, (lapack_int)m) == 0);
    for (size_t j = 0; *definite && j < m; j++)
        *definite = !dls_pivot_lost(factor[j + m * j], pivot_margin * q->A[row[j] + q->n * row[j]], m);
    return DLS_OK;
}

/* Refine each of several solutions, and drop those that turn out to be the same as another. */
static dls_status finish_each(const dls_direct *d, dls_last_step *step, double *tried, dls_report *report,
                              dls_error *error)
{
    size_t n = d->n, kept = 0;
    dls_last_figures f;
    for (size_t k = 0; k < report->n_solutions; k++) {
        double *solution = report->solutions + n * k, *to = report->solutions + n * kept;
        bool known = false;
        for (size_t i = 0; i < n; i++)
            tried[i] = dls_direct_impulse_scaled(d, i, solution[i]);
        DLS_TRY(dls_last_step_run(step, ROUNDS, tried, &f, report, error));
        for (size_t i = 0; i < n; i++)
            to[i] = dls_direct_impulse(d, i, tried[i]);
        for (size_t other = 0; other < kept && !known; other++) {
            double largest = 0.0, apart = 0.0;
            for (size_t i = 0; i < n; i++) {
                double x = dls_direct_impulse_scaled(d, i, report->solutions[n * other + i]);
                largest = fmax(largest, fmax(fabs(x), fabs(tried[i])));
                apart = fmax(apart, fabs(x - tried[i]));
            }
            known = apart <= same_solution * largest;
        }
        kept += !known;
    }
    if (kept == 1 && (report->outcome == DLS_OUTCOME_SEVERAL || report->outcome == DLS_OUTCOME_CONTINUUM))
        append_message(report, DLS_OUTCOME_SOLVED, "one and the same to rounding");
    report->n_solutions = kept;
    return DLS_OK;
}

/* Impulses so large that A lambda cancels are nearly a null vector of a symmetric A with b.lambda < 0: as exact
 * arithmetic decides, a proof that there is no solution, or nothing. */
static dls_status refuse_large_impulses(const dls_direct *d, double left, double *lambda, dls_report *report,
                                        dls_error *error)
{
    dls_farkas_proof proof = {0};
    if (d->q.symmetric) {
        DLS_TRY(dls_direct_proof(d, lambda, report, error));
        DLS_TRY(dls_farkas_verify(d->problem, report->proof_vector, &proof, error));
    }
    if (proof.proved) {
        memset(lambda, 0, d->n * sizeof *lambda); /* they would look like a solution beside their own terms */
        append_message(report, DLS_OUTCOME_NO_SOLUTION, "impulses without end along a vector z with A z = 0, b.z < 0");
    } else {
        dls_report_withdraw_proof(report);
        append_message(report, DLS_OUTCOME_NUMERICAL_FAILURE,
                       "impulses so large that rounding leaves %.3g of b; there may be no solution", left);
    }
    return DLS_OK;
}

/* Refine a claimed solution to its last digits, and withdraw the claim if that fails. After a failure, or the claim
 * that there is no solution, try to reach a solution from where the method stopped. A limit that the user set ends
 * here. */
static dls_status finish_answer(const dls_direct *d, double *lambda, dls_report *report, dls_error *error)
{
    const dls_outcome outcome = report->outcome;
    bool claims = outcome == DLS_OUTCOME_SOLVED || outcome == DLS_OUTCOME_SEVERAL || outcome == DLS_OUTCOME_CONTINUUM;
    bool gives_up = outcome == DLS_OUTCOME_NO_SOLUTION || outcome == DLS_OUTCOME_NUMERICAL_FAILURE;
    dls_last_figures f;
    for (size_t i = 0; i < d->n; i++)
        report->dead_rows += d->q.A[i + d->n * i] == 0.0;
    if (d->problem->n_cone > 0 || d->n == 0 || !(claims || gives_up) || report->proof == DLS_PROOF_EXACT ||
        report->proof == DLS_PROOF_ENUMERATION)
        return DLS_OK;
    double *tried = DLS_TAKE(d->memory, double, d->n);
    dls_last_step *step = dls_last_step_take(d);
    DLS_TRY(dls_direct_ready(d, error));
    memcpy(tried, lambda, d->n * sizeof *tried);
    DLS_TRY(dls_last_step_run(step, claims ? ROUNDS : MENDING_ROUNDS, tried, &f, report, error));
    const bool good = f.violation <= (claims ? dls_solved_to : mended_to);
    const bool measured = f.beside_data <= nothing_left, small = f.accurate || (measured && f.data <= left_of_data);
    bool definite = false;
    if (claims && good && measured && !small)
        DLS_TRY(is_definite(d, &f, &definite, error));
    else if (outcome == DLS_OUTCOME_NO_SOLUTION)
        DLS_TRY(is_definite(d, NULL, &definite, error));
    const bool stands = good && (small || (claims && definite));
    if (claims || stands) {
        memcpy(lambda, tried, d->n * sizeof *tried);
        report->inconsistent = f.inconsistent;
        for (size_t r = 0; d->redundant.k > 0 && r < d->redundant.f; r++) /* the w that rows of closed loops keep */
            report->inconsistent =
                fmax(report->inconsistent, fabs(dls_direct_velocity(d, d->redundant.rows[r], d->redundant.left[r])));
    } else {
        report->inconsistent = 0.0;
    }
    if (report->inconsistent > 0.0)
        append_message(report, outcome, "redundant rows are inconsistent by %.3g [m/s, rad/s], %.3g [m, rad] per step",
                       report->inconsistent, report->inconsistent * d->problem->h);
    if (claims && !(f.violation <= dls_solved_to))
        append_message(report, DLS_OUTCOME_NUMERICAL_FAILURE, "a row is off by %.3g of its own terms", f.violation);
    else if (claims && !stands)
        return refuse_large_impulses(d, measured ? f.data : f.beside_data, lambda, report, error);
    else if (claims) {
        if (!(f.given <= dls_solved_to))
            append_message(report, outcome, "the last step mends a row that was off by %.3g of its own terms", f.given);
        DLS_TRY(finish_each(d, step, tried, report, error));
    } else if (stands) {
        dls_report_withdraw_proof(report);
        append_message(report, DLS_OUTCOME_SOLVED, "the last step goes on from there to a solution, off by %.3g",
                       f.violation);
    } else if (outcome == DLS_OUTCOME_NO_SOLUTION && definite) {
        dls_report_withdraw_proof(report);
        append_message(report, DLS_OUTCOME_NUMERICAL_FAILURE,
                       "but A is definite: there is a solution, which was not found");
    }
    return DLS_OK;
}

/* Names the rows with y_i != 0 in the message, or how many more there are than fit. */
static void name_contradiction(const dls_direct *d, const double *y, double bound, dls_report *report)
{
    char rows[DLS_MESSAGE_MAX / 4] = "", more[64] = "";
    size_t used = 0, count = 0, left = 0;
    for (size_t i = 0; i < d->n; i++) {
        if (y[i] != 0.0 && used + DLS_NAME_MAX < sizeof rows)
            used += (size_t)snprintf(rows + used, sizeof rows - used, "%s%zu (%s)", count++ > 0 ? ", " : "", i,
                                     dls_problem_label(d->problem, i));
        else
            left += y[i] != 0.0;
    }
    if (left > 0)
        snprintf(more, sizeof more, " and %zu others", left);
    append_message(report, report->outcome,
                   "rows %s%s nearly contradict each other: a solution has scaled impulses of at least %.3g times b",
                   rows, more, bound);
    report->least_impulses = bound;
}

/* Under friction no method looks for rows that contradict each other, as those for other problems do. Where their
 * contradiction is not exact, the report names them. */
static dls_status find_contradiction(const dls_direct *d, dls_report *report, dls_error *error)
{
    enum { STEPS = 60 };
    dls_cone_path path;
    dls_farkas_proof proof;
    double bound, *y = DLS_TAKE(d->memory, double, d->n);
    dls_cone_path_take(&path, d);
    DLS_TRY(dls_direct_ready(d, error));
    if (!dls_cone_path_contradiction(&path, STEPS, y, &bound, report))
        return DLS_OK;
    DLS_TRY(dls_direct_proof(d, y, report, error));
    DLS_TRY(dls_farkas_verify(d->problem, report->proof_vector, &proof, error));
    if (proof.proved) {
        append_message(report, DLS_OUTCOME_NO_SOLUTION, "its rows contradict each other along a Farkas vector");
    } else {
        dls_report_withdraw_proof(report);
        name_contradiction(d, y, bound, report);
    }
    return DLS_OK;
}

dls_status dls_direct_judge(const dls_direct *d, double *lambda, dls_report *report, dls_error *error)
{
    DLS_TRY(finish_answer(d, lambda, report, error));
    const bool fails = report->outcome == DLS_OUTCOME_NUMERICAL_FAILURE && d->problem->n_coupled > 0;
    return fails ? find_contradiction(d, report, error) : DLS_OK;
}
