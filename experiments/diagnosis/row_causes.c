/* The rows of one step.
 *
 * RANK. Row i as the vector j_i = M^-1/2 J_i^T / sqrt(A_ii) has length 1. A QR factorisation with column pivoting finds
 * independent rows, and the others as their combinations, j_d = sum_k X_k j_k. Such rows hold if and only if their c_i
 * / sqrt(A_ii) combine in the same way: the difference, times sqrt(A_dd), is a velocity of row d that no impulse can
 * give it.
 *
 * SWEEPS. The error of projected Gauss-Seidel shrinks by the spectral radius rho per sweep once its rows have found
 * their bounds: after N sweeps rho^N of the slowest error is left. The cause is often a row between a light part and a
 * heavy one, whose mobilities J M^-1 J^T differ by orders of magnitude. Such a row is a cause only if the slowest mode
 * lives in it (dls_rate_mode): a light part that hangs on a chain of heavy ones has a large ratio, and its error is
 * gone in one sweep, while that of the chain stays. Rows with a tenth of the largest share, a third of its amplitude,
 * count.
 *
 * EXISTENCE. A direct method calls an answer solved if its residual is that of rounding, which a problem without a
 * solution may have too: A may be singular, and b beside its range by a rounding. In the mechanical form b = J v* - c
 * is rounded for any redundant rows, and RANK measures by how much they contradict each other. A problem in the matrix
 * form is what is stored: unless the answer is proved to be near a solution, exact arithmetic decides whether there is
 * one. */
#include "parts.h"

#include "base/arithmetic.h"
#include "blas.h"

#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SWEEPS_USUAL = 50, RATE_ROWS = 400, EXACT_ROWS = 32 };
static const double dependent = 1e-7;                                      /* of the largest pivot */
static const double contradiction_risk = 1e-6, contradiction_fault = 1e-3; /* of the largest |b| */
static const double left_most = 0.5;                                       /* of the slowest error */
static const double ratio_told = 30.0;                                     /* of mobilities */
static const double share_told = 0.1;                                      /* of the largest share in a mode */
static const char exact_work[] = "1e9";                                    /* a second */
static const double reference_residual = 1e-9;

typedef struct step_rows {
    dls_diagnosis *into;
    const dls_problem *problem;
    size_t iterations, n, nv;
    double *diagonal; /* n: of A */
    double *b;        /* n: J v* - c */
    double *work;     /* 2 nv */
    double largest_b;
    dls_arena memory;
} step_rows;

static void problem_row_name(const dls_problem *p, size_t i, char *text, size_t size)
{
    const char *owner = dls_problem_owner(p, i);
    if (*owner)
        snprintf(text, size, "%.100s.%s", owner, dls_problem_label(p, i));
    else
        snprintf(text, size, "row %zu", i + 1);
}

static bool is_bilateral(const dls_problem *p, size_t i)
{
    return p->parent[i] == DLS_NONE && isinf(p->lo[i]) && isinf(p->hi[i]) && p->gamma[i] == 0.0;
}

/* --- rows that nothing moves --- */

/* Such a row is right if its w = b is at impulse 0. */
static dls_status judge_dead_rows(step_rows *s, dls_error *error)
{
    const dls_problem *p = s->problem;
    char name[2 * DLS_NAME_MAX + 32];
    for (size_t i = 0; i < s->n; i++) {
        if (s->diagonal[i] != 0.0 || p->gamma[i] != 0.0)
            continue;
        const bool wrong = (s->b[i] < 0.0 && p->hi[i] > 0.0) || (s->b[i] > 0.0 && p->lo[i] < 0.0);
        problem_row_name(p, i, name, sizeof name);
        DLS_TRY(dls_diagnosis_add(s->into, DLS_FAULT_DEAD_ROW, wrong ? DLS_SEVERITY_RISK : DLS_SEVERITY_NOTE, name, 1.0,
                                  0.0, error,
                                  "no impulse moves it (A_ii = 0): neither of its ends can move in its direction%s",
                                  wrong ? ", and it is not satisfied; remove it, or free one end" : ""));
    }
    return DLS_OK;
}

/* --- ranks --- */

typedef struct row_ranks {
    size_t m, rank;    /* rows, independent ones */
    size_t *row;       /* m: of the problem */
    lapack_int *pivot; /* m: from 1 */
    double *Q;         /* nv x m: R on and above its diagonal */
} row_ranks;

/* Column k of Q: j of row i. */
static void fill_column(const step_rows *s, size_t i, double *column)
{
    const dls_mass *mass = &s->problem->mass;
    for (size_t k = 0; k < s->nv; k++)
        s->work[k] = 0.0;
    dls_rows_axpy(&s->problem->J, i, 1.0 / sqrt(s->diagonal[i]), s->work);
    for (size_t b = 0; b < mass->n_blocks; b++) {
        const dls_mass_block *block = &mass->blocks[b];
        block->kind->half(block->data, s->work + block->offset, column + block->offset);
    }
}

static dls_status factor_rows(step_rows *s, bool bilateral, row_ranks *ranks, dls_error *error)
{
    ranks->row = DLS_TAKE(&s->memory, size_t, s->n);
    ranks->pivot = DLS_TAKE_ZEROS(&s->memory, lapack_int, s->n);
    ranks->Q = DLS_TAKE_ZEROS(&s->memory, double, s->nv * s->n);
    const size_t room = 34 * s->n + 32; /* blocks of 32 columns */
    double *tau = DLS_TAKE(&s->memory, double, s->n), *work = DLS_TAKE(&s->memory, double, room);
    if (s->memory.failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the rank of %zu rows", s->n);
    for (size_t i = 0; i < s->n; i++)
        if (s->diagonal[i] > 0.0 && (!bilateral || is_bilateral(s->problem, i))) {
            ranks->row[ranks->m] = i;
            fill_column(s, i, ranks->Q + s->nv * ranks->m++);
        }
    if (ranks->m == 0)
        return DLS_OK;
    if (LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, (lapack_int)s->nv, (lapack_int)ranks->m, ranks->Q, (lapack_int)s->nv,
                            ranks->pivot, tau, work, (lapack_int)room) != 0)
        return dls_fail(error, DLS_NOT_FINITE, "the rows of the problem have no rank: a number is not finite");
    while (ranks->rank < ranks->m && ranks->rank < s->nv &&
           fabs(ranks->Q[ranks->rank * (s->nv + 1)]) > dependent * fabs(ranks->Q[0]))
        ranks->rank++;
    return DLS_OK;
}

static size_t pivot_row(const row_ranks *ranks, size_t k) { return ranks->row[ranks->pivot[k] - 1]; }

/* X of the dependent row at place d, in its column of Q. */
static double *combine_rows(const step_rows *s, row_ranks *ranks, size_t d)
{
    double *x = ranks->Q + s->nv * d;
    if (ranks->rank > 0)
        LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'U', 'N', 'N', (lapack_int)ranks->rank, 1, ranks->Q, (lapack_int)s->nv, x,
                            (lapack_int)s->nv);
    return x;
}

/* The names of up to three owners of the rows that row d is a combination of. */
static void name_combination(const step_rows *s, const row_ranks *ranks, const double *x, char *text, size_t size)
{
    size_t used = 0, named = 0;
    const char *last = "";
    text[0] = '\0';
    for (size_t k = 0; k < ranks->rank && named < 3; k++) {
        const char *owner = dls_problem_owner(s->problem, pivot_row(ranks, k));
        if (fabs(x[k]) < 1e-6 || strcmp(owner, last) == 0 || !*owner)
            continue;
        const int length = snprintf(text + used, size - used, "%s'%.60s'", named ? ", " : "", owner);
        used += length > 0 ? (size_t)length : 0;
        named++, last = owner;
    }
}

static dls_status judge_dependent(step_rows *s, row_ranks *ranks, size_t d, dls_error *error)
{
    char name[2 * DLS_NAME_MAX + 32], others[256];
    const size_t row = pivot_row(ranks, d);
    const double *x = combine_rows(s, ranks, d);
    double wrong = s->problem->c[row] / sqrt(s->diagonal[row]);
    for (size_t k = 0; k < ranks->rank; k++)
        wrong -= x[k] * s->problem->c[pivot_row(ranks, k)] / sqrt(s->diagonal[pivot_row(ranks, k)]);
    wrong = fabs(wrong) * sqrt(s->diagonal[row]);
    problem_row_name(s->problem, row, name, sizeof name);
    name_combination(s, ranks, x, others, sizeof others);
    const double relative = s->largest_b > 0.0 ? wrong / s->largest_b : 0.0;
    return dls_diagnosis_add(s->into, DLS_FAULT_CONTRADICTORY,
                             relative > contradiction_fault ? DLS_SEVERITY_FAULT : DLS_SEVERITY_RISK, name, relative,
                             contradiction_risk, error,
                             "depends on rows of %s and asks for %.3g more than they give: no impulse solves both, and "
                             "the loop stays open by %.3g per step; correct anchors, axes or motors of this loop",
                             *others ? others : "other joints", wrong, wrong * s->problem->h);
}

static dls_status judge_ranks(step_rows *s, dls_error *error)
{
    row_ranks joints = {.m = 0}, all = {.m = 0};
    char name[2 * DLS_NAME_MAX + 32] = "", others[256] = "";
    DLS_TRY(factor_rows(s, true, &joints, error));
    for (size_t d = joints.rank; d < joints.m; d++)
        DLS_TRY(judge_dependent(s, &joints, d, error));
    if (joints.rank < joints.m) {
        problem_row_name(s->problem, pivot_row(&joints, joints.rank), name, sizeof name);
        name_combination(s, &joints, joints.Q + s->nv * joints.rank, others, sizeof others);
    }
    const double redundant = (double)(joints.m - joints.rank);
    DLS_TRY(dls_diagnosis_add(s->into, DLS_FAULT_REDUNDANT, DLS_SEVERITY_NOTE, name, redundant, 0.0, error,
                              "%zu of %zu rows of joints depend on the others (this one on %s): the motion is unique, "
                              "the forces of these joints are not",
                              joints.m - joints.rank, joints.m, *others ? others : "other joints"));
    if (s->problem->n_coupled == 0)
        return DLS_OK;
    DLS_TRY(factor_rows(s, false, &all, error));
    return dls_diagnosis_add(s->into, DLS_FAULT_FRICTION, DLS_SEVERITY_NOTE, NULL,
                             (double)(all.m - all.rank) - redundant, 0.0, error,
                             "%zu of %zu rows depend on the others once contacts close: how they share their load is "
                             "not unique, and solvers differ; compare velocities or sums of forces",
                             all.m - all.rank, all.m);
}

/* --- sweeps --- */

/* The largest ratio of the mobilities of a row's parts, each a block of M. */
static double mobility_ratio(const step_rows *s, size_t i)
{
    const dls_rows *J = &s->problem->J;
    const dls_mass *mass = &s->problem->mass;
    double least = HUGE_VAL, most = 0.0;
    for (size_t k = J->start[i], next = k; k < J->start[i + 1]; k = next) {
        const dls_mass_block *block = &mass->blocks[J->mass[k]];
        double *force = s->work, *answer = s->work + s->nv, mobility = 0.0;
        for (size_t c = 0; c < block->length; c++)
            force[c] = 0.0;
        for (next = k; next < J->start[i + 1] && J->mass[next] == J->mass[k]; next++)
            for (size_t c = J->coef_at[next]; c < J->coef_at[next + 1]; c++)
                force[J->offset[next] - block->offset + c - J->coef_at[next]] = J->coef[c];
        block->kind->solve(block->data, force, answer);
        for (size_t c = 0; c < block->length; c++)
            mobility += force[c] * answer[c];
        if (mobility > 0.0)
            least = fmin(least, mobility), most = fmax(most, mobility);
    }
    return least <= most ? most / least : 1.0;
}

/* The row with the largest ratio among those in which the slowest mode lives, and the one with its largest share. */
static size_t find_mode_row(const step_rows *s, const double *share, double *ratio, size_t *center)
{
    size_t worst = 0;
    *center = 0, *ratio = 1.0;
    for (size_t i = 1; i < s->n; i++)
        if (share[i] > share[*center])
            *center = i;
    for (size_t i = 0; s->problem->form == DLS_FORM_MECHANICAL && i < s->n; i++) {
        const double own = share[i] >= share_told * share[*center] ? mobility_ratio(s, i) : 1.0;
        if (own > *ratio)
            *ratio = own, worst = i;
    }
    return worst;
}

static dls_status judge_rate(step_rows *s, double rate, const double *share, dls_error *error)
{
    char name[2 * DLS_NAME_MAX + 32];
    const double left = pow(rate, (double)s->iterations), needed = log(1e-3) / log(rate);
    double ratio;
    size_t center;
    const size_t worst = find_mode_row(s, share, &ratio, &center);
    problem_row_name(s->problem, ratio >= ratio_told ? worst : center, name, sizeof name);
    if (ratio >= ratio_told)
        return dls_diagnosis_add(
            s->into, DLS_FAULT_MASS_RATIO, DLS_SEVERITY_RISK, name, left, left_most, error,
            "%zu sweeps of projected Gauss-Seidel leave %.2g of the slowest error (rate %.6g, %.3g "
            "sweeps for a thousandth); an impulse of this row moves one of its parts %.3g times as "
            "much as the other: make the masses more equal, take smaller steps with few "
            "iterations each, or use a direct method",
            s->iterations, left, rate, needed, ratio);
    return dls_diagnosis_add(
        s->into, DLS_FAULT_SLOW_SWEEP, DLS_SEVERITY_RISK, name, left, left_most, error,
        "%zu sweeps of projected Gauss-Seidel leave %.2g of the slowest error, which is largest in "
        "this row (rate %.6g, %.3g sweeps for a thousandth): a long chain, a tall stack or a stiff "
        "loop; use more iterations, warm starts, smaller steps, or a direct method",
        s->iterations, left, rate, needed);
}

static const char the_rate[] = "the rate of sweeps is";

static dls_status judge_reference(step_rows *s, const double *lambda, dls_error *error)
{
    dls_rate rate;
    dls_error own;
    double *share = DLS_TAKE(&s->memory, double, s->n);
    if (s->memory.failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a mode of %zu rows", s->n);
    const dls_status status =
        dls_rate_mode(s->problem, lambda, (dls_splitting){DLS_SPLITTING_FORWARD, 1.0}, &rate, share, &own);
    if (status == DLS_REFUSED)
        return diagnosis_unmeasured(s->into, the_rate, own.message, error);
    if (status != DLS_OK)
        return dls_fail(error, status, "%s", own.message);
    if (rate.word == DLS_RATE_NONE)
        return diagnosis_unmeasured(s->into, the_rate, "none is known for these rows", error);
    return rate.spectral_radius < 1.0 ? judge_rate(s, rate.spectral_radius, share, error)
                                      : diagnosis_unmeasured(s->into, the_rate,
                                                             "its largest factor is 1 or more, by friction that slides "
                                                             "or by the rounding of rows that depend on others",
                                                             error);
}

static const char existence[] = "whether the step has a solution is";

static dls_status judge_exact_answer(step_rows *s, dls_examiner *examiner, const dls_choice *exact, double *lambda,
                                     dls_report *report, dls_error *error)
{
    dls_certificate certificate;
    const dls_criteria criteria = {.problem = s->problem, .examiner = examiner, .tolerance = DLS_SOLVED_TOLERANCE};
    DLS_TRY(dls_field_set(&exact->solver->fields, exact->settings, "work", exact_work, error));
    DLS_TRY(dls_solve(exact->solver, s->problem, exact->settings, 1, lambda, report, NULL, NULL, error));
    if (report->outcome == DLS_OUTCOME_REFUSED)
        return diagnosis_unmeasured(s->into, existence, report->message, error);
    DLS_TRY(dls_decide_outcome(&criteria, lambda, &certificate, NULL, report, error));
    if (report->outcome == DLS_OUTCOME_NO_SOLUTION)
        return dls_diagnosis_add(s->into, DLS_FAULT_CONTRADICTORY, DLS_SEVERITY_FAULT, NULL, 1.0, 0.0, error,
                                 "the numbers of the step, as they are stored, have no solution: %.300s; solvers in "
                                 "floating point may answer nevertheless; correct A and b where rows depend on others",
                                 report->message);
    return report->proof == DLS_PROOF_EXACT ? DLS_OK : diagnosis_unmeasured(s->into, existence, report->message, error);
}

/* Decides whether there is a solution, where direct methods have not. */
static dls_status judge_existence(step_rows *s, dls_examiner *examiner, dls_error *error)
{
    dls_choice exact;
    dls_report report = {0};
    double *lambda = DLS_TAKE_ZEROS(&s->memory, double, s->n);
    if (s->n > EXACT_ROWS)
        return diagnosis_unmeasured(s->into, existence, "the step has too many rows for exact arithmetic", error);
    if (s->memory.failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", s->n);
    DLS_TRY(dls_choice_create("exact", &exact, error));
    const dls_status status = judge_exact_answer(s, examiner, &exact, lambda, &report, error);
    dls_report_release(&report);
    dls_choice_release(&exact);
    return status;
}

static dls_status judge_answers(step_rows *s, dls_examiner *examiner, dls_error *error)
{
    dls_reference_solution *reference = NULL;
    dls_error own;
    dls_status status = dls_reference_solution_create(s->problem, examiner, NULL, reference_residual, &reference, &own);
    if (status == DLS_UNSOLVABLE)
        return dls_diagnosis_add(s->into, DLS_FAULT_CONTRADICTORY, DLS_SEVERITY_FAULT, NULL, 1.0, 0.0, error,
                                 "the first step has no solution: %.300s", own.message);
    if (status != DLS_OK && status != DLS_REFUSED)
        return dls_fail(error, status, "%s", own.message);
    const bool decided = reference && (reference->proved || s->problem->form == DLS_FORM_MECHANICAL);
    status = reference ? judge_reference(s, reference->lambda, error)
                       : diagnosis_unmeasured(s->into, the_rate, own.message, error);
    dls_reference_solution_destroy(reference);
    return status == DLS_OK && !decided ? judge_existence(s, examiner, error) : status;
}

static dls_status judge_sweeps(step_rows *s, dls_error *error)
{
    dls_examiner *examiner = NULL;
    DLS_TRY(dls_examiner_create(s->problem, &examiner, error));
    const dls_status status = judge_answers(s, examiner, error);
    dls_examiner_destroy(examiner);
    return status;
}

static dls_status diagnose_rows(step_rows *s, dls_error *error)
{
    const dls_problem *p = s->problem;
    s->diagonal = DLS_TAKE_ZEROS(&s->memory, double, s->n);
    s->b = DLS_TAKE_ZEROS(&s->memory, double, s->n);
    s->work = DLS_TAKE_ZEROS(&s->memory, double, 2 * s->nv);
    if (s->memory.failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory to diagnose %zu rows", s->n);
    dls_problem_diagonal(p, s->diagonal, s->work);
    for (size_t i = 0; i < s->n; i++) {
        s->b[i] = dls_rows_dot(&p->J, i, p->v_star) - p->c[i];
        s->largest_b = fmax(s->largest_b, fabs(s->b[i]));
    }
    DLS_TRY(judge_dead_rows(s, error));
    if (s->n > DLS_DIAGNOSIS_ROWS)
        return diagnosis_unmeasured(s->into, "ranks, contradictions and the rate of sweeps are",
                                    "the step has too many rows", error);
    DLS_TRY(dls_blas_ready(error));
    DLS_TRY(p->form == DLS_FORM_MECHANICAL
                ? judge_ranks(s, error)
                : diagnosis_unmeasured(s->into, "ranks and contradictions are", "the problem has no masses", error));
    return s->n > RATE_ROWS ? diagnosis_unmeasured(s->into, the_rate, "the step has too many rows", error)
                            : judge_sweeps(s, error);
}

dls_status dls_diagnose_problem(dls_diagnosis *diagnosis, const dls_problem *problem, size_t iterations,
                                dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    step_rows s = {.into = diagnosis,
                   .problem = problem,
                   .iterations = iterations ? iterations : SWEEPS_USUAL,
                   .n = problem->n,
                   .nv = problem->nv};
    const dls_status status = diagnose_rows(&s, error);
    dls_arena_release(&s.memory);
    return status;
}
