/* Block principal pivoting for the mixed LCP (Kostreva 1978; Judice and Pires 1994, for bounds on both sides).
 *
 * Every row is in one of three sets: at its lower bound, at its upper bound, or inside (F), where w_i = 0. With N the
 * rows at bounds,
 *     A_FF lambda_F = -(b_F + A_FN lambda_N),     w_N = b_N + A_NF lambda_F + A_NN lambda_N.
 * A row is wrong if it is inside with lambda_i beyond a bound, or at a bound with w_i of the wrong sign. A round
 * exchanges all wrong rows at once: from inside to the bound that was passed, from a bound to inside. Without a wrong
 * row the problem is solved, usually after a few rounds.
 *
 * Rounds begin with the rows at the bounds next to 0, or, from start impulses that are not all 0, with those at their
 * bounds there. Where sweeps or admm have found the sets of a solution (solve --start admm:5) few rounds are left of
 * the hundreds that a wall of boxes takes from the bounds.
 *
 * Blocks alone can cycle. The safeguard: when the number of wrong rows has not fallen below its record for `patience`
 * rounds, only the wrong row with the highest index is exchanged (Murty 1974) until it has. Where every principal minor
 * of A is positive, Murty's rule visits no pair of sets twice and ends with no wrong row; so the record falls after
 * finitely many rounds, n times at most, and the method is finite for P-matrices, in particular for symmetric positive
 * definite ones. If A is symmetric and a Cholesky factor breaks down, A is singular (or not semidefinite, which shows
 * in the end): then the descent on faces of active_set.c takes over from the sets with the fewest wrong rows. Nothing
 * is added to A. Finite may be exponential (Murty 1978, Fathi 1979: P-matrices, and definite ones, on which single
 * exchanges take 2^n - 1 rounds; a skew matrix with a small diagonal comes near that), so after n single exchanges a
 * symmetric A goes to the descent as well, and without symmetry the path of principal_path.c leads from the sets with
 * the fewest wrong rows to those of the solution, from where the rounds go on.
 *
 * In floating point the sets can return: lambda_F inherits the rounding of w_F times |A_FF^-1|, and w_N that of
 * lambda_F, so that a degenerate row may be beyond its bound while inside and pressed inwards while at the bound.
 * Single exchanges therefore watch for sets that return (Brent 1980: the present sets against a copy taken at a power
 * of two). If they do, the rounds go on in twice the precision: lambda_F is refined as a sum of two doubles, its
 * residual and w_N are summed without error of first order (T. Ogita, S. M. Rump, S. Oishi, "Accurate sum and dot
 * product", SIAM J. Sci. Comput. 26 (2005)), and the allowance for rounding shrinks by 2^-52. Then the signs are those
 * of the problem as stored, unless the condition of A_FF exceeds 2^52, and Murty's argument holds again.
 *
 * Free rows E are always inside. For symmetric A they are eliminated once,
 *     A_EE = L L^T,  Y = A_RE L^-T,  S = A_RR - Y Y^T,  g = b_R - Y L^-1 b_E,
 *     lambda_E = -L^-T (L^-1 b_E + Y^T lambda_R),
 * and the rounds run on the rest R, w_R = S lambda_R + g. The cost of a round is the Cholesky factor of S_FF, or, where
 * few rows are exchanged, less: the last factor serves (exchanged.h), and an answer that it gives is refined. Without
 * symmetry they stay in F, which is then factored by LU. Where that breaks down A is not a P-matrix, and no finite
 * safeguard is known here; the rounds start once more with all rows inside, which serves where A_EE alone is singular,
 * and the report says so. */
#include "block_pivoting.h"

#include "active_set.h"
#include "exchanged.h"
#include "principal_path.h"

#include <stdio.h>

/* Cholesky's pivots stand that far above the rounding of their own products, for they have that of earlier pivots too:
 * whether a singular A is found to be one does not depend on the order of its rows. */
static const double pivot_margin = 16.0;

enum { LOWER = DLS_SET_LOWER, UPPER = DLS_SET_UPPER, INSIDE = DLS_SET_INSIDE };

struct dls_block_pivoting {
    const dls_dense *d;
    dls_block_pivoting_settings set;
    size_t n, m, r;  /* rows; eliminated free rows; the rest */
    size_t *row;     /* n: the eliminated rows, then the rest */
    double *partial; /* n x n lower triangle, rows in that order: L, Y, S; NULL where m = 0 */
    const double *S; /* r x r, leading dimension ld */
    size_t ld;
    unsigned char *state, *best, *mark; /* r; mark: the sets that single exchanges should not see again */
    bool *inside;                       /* n, for the descent */
    double *y, *g;                      /* L^-1 b_E; r: the reduced right side */
    double *lambda, *w, *x;             /* r each */
    double *low, *rest;                 /* r each: lambda + low, and what sums leave out, in twice the precision */
    bool twice;                         /* the rounds are evaluated so */
    double *largest;                    /* n: max |a_ij| of the problem's rows */
    dls_active_set *descent;            /* for symmetric A; works in factor */
    dls_principal_path path;            /* without symmetry; works in factor */
    size_t *F, f;                       /* the rows inside */
    double *factor;                     /* f x f, room for n x n */
    dls_exchanged kept;                 /* of symmetric A: the factor of the rows inside, or of rows near them */
    double *least;                      /* r: the diagonal below whose rounding a pivot is lost */
    bool exchanged;                     /* the factor at hand is one of other rows */
    lapack_int *pivots;
    bool eliminated;
    size_t record, tries;     /* fewest wrong rows, and rounds since */
    size_t singles;           /* rounds that exchanged one row */
    size_t marked;            /* their number when the sets were marked; 0: not since the record */
    bool restarted, followed; /* the second start; the path */
};

typedef dls_block_pivoting pivoting;

/* --- elimination of the free rows --- */

static bool eliminate_free_rows(pivoting *p)
{
    int n = (int)p->n, m = (int)p->m, r = (int)p->r;
    double *L = p->partial, *Y = L + m, *S = Y + (size_t)m * p->n;
    for (size_t j = 0; j < p->n; j++) {
        const double *from = p->d->A + p->n * p->row[j];
        for (size_t i = j; i < p->n; i++)
            L[i + p->n * j] = from[p->row[i]];
    }
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', m, L, n) != 0)
        return false;
    for (size_t j = 0; j < p->m; j++)
        if (dls_pivot_lost(L[j + p->n * j], pivot_margin * p->d->A[p->row[j] + p->n * p->row[j]], p->m))
            return false;
    if (r == 0)
        return true;
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, r, m, 1.0, L, n, Y, n);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, r, m, -1.0, Y, n, 1.0, S, n);
    return true;
}

/* The reduced problem; false where the free rows' block is singular. */
static bool reduce_problem(pivoting *p, dls_report *report)
{
    for (size_t i = 0; i < p->m; i++)
        p->y[i] = p->d->b[p->row[i]];
    for (size_t i = 0; i < p->r; i++)
        p->g[i] = p->d->b[p->row[p->m + i]];
    if (p->m == 0)
        return true;
    if (!p->eliminated) {
        report->factorizations++;
        if (!eliminate_free_rows(p))
            return false;
        p->eliminated = true;
    }
    int n = (int)p->n, m = (int)p->m, r = (int)p->r;
    cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, m, p->partial, n, p->y, 1);
    if (r > 0)
        cblas_dgemv(CblasColMajor, CblasNoTrans, r, m, -1.0, p->partial + m, n, p->y, 1, 1.0, p->g, 1);
    return true;
}

/* lambda in the problem's order. */
static void expand_lambda(const pivoting *p, double *lambda)
{
    int n = (int)p->n, m = (int)p->m, r = (int)p->r;
    for (size_t i = 0; i < p->r; i++)
        lambda[p->row[p->m + i]] = dls_bound_clamp(p->d, p->row[p->m + i], p->lambda[i]);
    if (m == 0)
        return;
    memcpy(p->x, p->y, p->m * sizeof *p->x);
    if (r > 0)
        cblas_dgemv(CblasColMajor, CblasTrans, r, m, 1.0, p->partial + m, n, p->lambda, 1, 1.0, p->x, 1);
    cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, m, p->partial, n, p->x, 1);
    for (size_t i = 0; i < p->m; i++)
        lambda[p->row[i]] = -p->x[i];
}

/* --- one round --- */

/* y = S x + y */
static void add_product(const pivoting *p, const double *x, double *y)
{
    int r = (int)p->r;
    if (r == 0)
        return;
    if (p->d->symmetric)
        cblas_dsymv(CblasColMajor, CblasLower, r, 1.0, p->S, (int)p->ld, x, 1, 1.0, y, 1);
    else
        cblas_dgemv(CblasColMajor, CblasNoTrans, r, r, 1.0, p->S, (int)p->ld, x, 1, 1.0, y, 1);
}

/* w = g + S (lambda + low) in twice the precision, rounded at the end; without symmetry, where S is all of A. */
static void multiply_twice(pivoting *p)
{
    memcpy(p->w, p->g, p->r * sizeof *p->w);
    memset(p->rest, 0, p->r * sizeof *p->rest);
    for (size_t j = 0; j < p->r; j++) {
        const double *a = p->S + p->ld * j, x = p->lambda[j];
        for (size_t i = 0; x != 0.0 && i < p->r; i++) {
            double product = a[i] * x, sum = p->w[i] + product, z = sum - p->w[i];
            p->rest[i] += (p->w[i] - (sum - z)) + (product - z) + fma(a[i], x, -product) + a[i] * p->low[j];
            p->w[i] = sum;
        }
    }
    for (size_t i = 0; i < p->r; i++)
        p->w[i] += p->rest[i];
}

/* lambda_F + low_F from lambda_F, and w, by the LU factor at hand. A correction gains at least a bit, or the factor is
 * not good enough; three times the digits of a double gain all there are. */
static void refine_inside(pivoting *p)
{
    double before = HUGE_VAL;
    memset(p->low, 0, p->r * sizeof *p->low);
    for (int pass = 0; pass < 3 * DBL_MANT_DIG; pass++) {
        double largest = 0.0;
        multiply_twice(p);
        if (p->f == 0)
            return;
        for (size_t j = 0; j < p->f; j++)
            p->x[j] = -p->w[p->F[j]];
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', (lapack_int)p->f, 1, p->factor, (lapack_int)p->f, p->pivots, p->x,
                            (lapack_int)p->f);
        for (size_t j = 0; j < p->f; j++)
            largest = fmax(largest, fabs(p->x[j]));
        if (!(largest < 0.5 * before))
            return;
        before = largest;
        for (size_t j = 0; j < p->f; j++) {
            size_t i = p->F[j];
            double low = p->low[i] + p->x[j], sum = p->lambda[i] + low, z = sum - p->lambda[i];
            p->low[i] = (p->lambda[i] - (sum - z)) + (low - z);
            p->lambda[i] = sum;
        }
    }
}

/* S_FF x = -w_F; false where S_FF is singular. */
static bool solve_inside(pivoting *p, dls_report *report)
{
    const lapack_int f = (lapack_int)p->f;
    bool renewed = true;
    for (size_t j = 0; j < p->f; j++)
        p->x[j] = -p->w[p->F[j]];
    if (p->d->symmetric) {
        const bool served = dls_exchanged_serve(&p->kept, p->F, p->f, &renewed);
        p->exchanged = !renewed;
        report->factorizations += renewed;
        if (served)
            dls_exchanged_solve(&p->kept, p->F, p->f, p->x);
        return served;
    }
    report->factorizations++;
    for (size_t j = 0; j < p->f; j++)
        for (size_t i = 0; i < p->f; i++)
            p->factor[i + p->f * j] = p->S[p->F[i] + p->ld * p->F[j]];
    return LAPACKE_dgesv_work(LAPACK_COL_MAJOR, f, 1, p->factor, f, p->pivots, p->x, f) == 0;
}

/* Adds x to lambda_F, and computes w anew. */
static void move_inside(pivoting *p)
{
    for (size_t j = 0; j < p->f; j++)
        p->lambda[p->F[j]] += p->x[j];
    memcpy(p->w, p->g, p->r * sizeof *p->w);
    add_product(p, p->lambda, p->w);
}

/* One step of refinement by a factor of other rows. */
static void refine_exchanged(pivoting *p)
{
    for (size_t j = 0; j < p->f; j++)
        p->x[j] = -p->w[p->F[j]];
    dls_exchanged_solve(&p->kept, p->F, p->f, p->x);
    move_inside(p);
}

/* lambda and w of the present sets; false where S_FF is singular. */
static bool evaluate_sets(pivoting *p, dls_report *report)
{
    bool moved = false;
    p->f = 0;
    for (size_t i = 0; i < p->r; i++) {
        size_t row = p->row[p->m + i];
        p->lambda[i] = p->state[i] == LOWER ? p->d->lo[row] : p->state[i] == UPPER ? p->d->hi[row] : 0.0;
        moved |= p->lambda[i] != 0.0;
        if (p->state[i] == INSIDE)
            p->F[p->f++] = i;
    }
    memcpy(p->w, p->g, p->r * sizeof *p->w);
    if (moved)
        add_product(p, p->lambda, p->w);
    report->iterations++;
    p->exchanged = false;
    if (p->f > 0) {
        if (!solve_inside(p, report))
            return false;
        move_inside(p);
    }
    if (p->twice)
        refine_inside(p);
    return true;
}

/* Up to here w_i may be rounding. */
static double allowance(const pivoting *p, size_t i, double sum)
{
    size_t row = p->row[p->m + i];
    return p->set.tolerance * (fabs(p->d->b[row]) + p->largest[row] * sum);
}

/* The set that a wrong row goes to, or the one it has. NaN is wrong nowhere: round_holds finds it first. */
static unsigned char better_state(const pivoting *p, size_t i, double sum)
{
    size_t row = p->row[p->m + i];
    double allowed = allowance(p, i, sum) * (p->twice ? DBL_EPSILON : 1.0);
    double low = p->twice ? p->low[i] : 0.0;
    if (p->state[i] == LOWER)
        return p->w[i] < -allowed && p->d->lo[row] < p->d->hi[row] ? INSIDE : LOWER;
    if (p->state[i] == UPPER)
        return p->w[i] > allowed && p->d->lo[row] < p->d->hi[row] ? INSIDE : UPPER;
    if (p->d->lo[row] - p->lambda[i] - low > allowed)
        return LOWER;
    return p->lambda[i] - p->d->hi[row] + low > allowed ? UPPER : INSIDE;
}

/* sum_j |lambda_j| of the terms of w: those of S lambda, and those of g = b_R - Y y, where |Y_i|^2 <= a_ii. */
static double size_of_terms(const pivoting *p)
{
    double sum = p->m > 0 ? cblas_dnrm2((int)p->m, p->y, 1) : 0.0;
    for (size_t i = 0; i < p->r; i++)
        sum += fabs(p->lambda[i]);
    return sum;
}

static void start_count(pivoting *p)
{
    p->record = SIZE_MAX;
    p->tries = p->marked = 0;
}

/* Exchange the wrong rows, all or the last one; returns their number. */
static size_t exchange_sets(pivoting *p)
{
    size_t wrong = 0, last = 0;
    double sum = size_of_terms(p);
    for (size_t i = 0; i < p->r; i++)
        if (better_state(p, i, sum) != p->state[i]) {
            wrong++;
            last = i;
        }
    if (wrong < p->record) {
        p->record = wrong;
        p->tries = p->marked = 0;
        memcpy(p->best, p->state, p->r);
    } else {
        p->tries++;
    }
    bool single = p->tries > p->set.patience;
    p->singles += single && wrong > 0;
    for (size_t i = single ? last : 0; wrong > 0 && i < (single ? last + 1 : p->r); i++)
        p->state[i] = better_state(p, i, sum);
    return wrong;
}

/* Whether single exchanges have come back to sets they had. */
static bool sets_returned(pivoting *p)
{
    if (p->marked > 0 && memcmp(p->mark, p->state, p->r) == 0)
        return true;
    if (p->singles >= 2 * p->marked) {
        memcpy(p->mark, p->state, p->r);
        p->marked = p->singles;
    }
    return false;
}

/* --- the method --- */

static const char broke_down[] = "the free set's Cholesky factor broke down";

/* The descent on faces, from the best sets so far and the lambda given; the sets of its answer are kept for the next
 * solve. */
static dls_status descend_on_faces(pivoting *p, const char *why, double *lambda, dls_report *report, dls_error *error)
{
    size_t rounds = report->iterations;
    dls_active_set_limits limits = {p->set.tolerance, p->set.consistency, rounds + p->set.limit * (p->n + 1)};
    for (size_t i = 0; i < p->n; i++) {
        size_t row = p->row[i];
        unsigned char state = i < p->m ? INSIDE : p->best[i - p->m];
        p->inside[row] = state == INSIDE;
        lambda[row] = state == INSIDE ? lambda[row] : state == LOWER ? p->d->lo[row] : p->d->hi[row];
    }
    DLS_TRY(dls_active_set_solve(p->descent, &limits, p->inside, lambda, report, error));
    for (size_t i = 0; i < p->r; i++) {
        size_t row = p->row[p->m + i];
        bool between = p->inside[row] || (lambda[row] > p->d->lo[row] && lambda[row] < p->d->hi[row]);
        p->state[i] = between ? INSIDE : lambda[row] == p->d->lo[row] ? LOWER : UPPER;
    }
    memcpy(p->best, p->state, p->r);
    if (report->outcome != DLS_OUTCOME_SOLVED)
        return DLS_OK;
    char held[DLS_MESSAGE_MAX / 2];
    snprintf(held, sizeof held, "%.200s", report->message);
    dls_report_end(report, DLS_OUTCOME_SOLVED, "safeguard: descent on faces, %zu pivots, for %s after %zu rounds%s%s",
                   report->iterations - rounds, why, rounds, held[0] ? "; " : "", held);
    return DLS_OK;
}

/* Whether w_F is at most n times the rounding of a term, and all is finite. */
static bool is_evaluated(const pivoting *p)
{
    const double sum = size_of_terms(p);
    for (size_t i = 0; i < p->r; i++)
        if (!isfinite(p->lambda[i]) || !isfinite(p->w[i]))
            return false;
    for (size_t j = 0; j < p->f; j++)
        if (!(fabs(p->w[p->F[j]]) <= (double)p->n * allowance(p, p->F[j], sum)))
            return false;
    return true;
}

/* The sets' lambda and w; false where the factor broke down, or left w_F beyond its rounding. */
static bool round_holds(pivoting *p, dls_report *report)
{
    if (!evaluate_sets(p, report))
        return false;
    if (p->exchanged && !is_evaluated(p)) { /* the factor of other rows is too far away */
        dls_exchanged_forget(&p->kept);
        if (!evaluate_sets(p, report))
            return false;
    }
    return is_evaluated(p);
}

static void end_rounds(const pivoting *p, size_t wrong, bool broken, bool lost, dls_report *report)
{
    const char *start = p->restarted ? "started again with all rows inside; " : "";
    const char *path = p->followed ? ", then the path of principal pivots" : "";
    const char *twice = p->twice ? ", then rounds in twice the precision, as rounding brought sets back" : "";
    if (broken)
        dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE,
                       "%sthe LU factor of %zu rows inside broke down: A is not a P-matrix, or nearly not one", start,
                       p->f);
    else if (lost)
        dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE,
                       "%s%zu rows wrong, and the same sets returned after %zu rounds in twice the precision too: A is "
                       "not a P-matrix, or nearly not one",
                       start, wrong, report->iterations);
    else if (wrong > 0)
        dls_report_end(report, DLS_OUTCOME_ITERATION_LIMIT,
                       "%s%zu rows wrong after %zu rounds, %zu of them single exchanges%s%s", start, wrong,
                       report->iterations, p->singles, path, twice);
    else if (p->singles > 0)
        dls_report_end(report, DLS_OUTCOME_SOLVED, "%ssafeguard: %zu single exchanges by the highest index%s%s", start,
                       p->singles, path, twice);
    else
        dls_report_end(report, DLS_OUTCOME_SOLVED, "%s", start);
}

dls_status dls_block_pivoting_solve(pivoting *p, double *lambda, dls_report *report, dls_error *error)
{
    size_t wrong = 1, limit = report->iterations + p->set.limit * (p->n + 1);
    bool broken = false, lost = false;
    p->twice = p->restarted = p->followed = false;
    p->singles = 0;
    dls_exchanged_forget(&p->kept); /* the descent of the solve before has worked in its factor */
    start_count(p);
    if (!reduce_problem(p, report))
        return descend_on_faces(p, broke_down, lambda, report, error);
    while (wrong > 0 && !broken && !lost && report->iterations < limit) {
        if (round_holds(p, report)) {
            wrong = exchange_sets(p);
            if (wrong == 0 && p->exchanged) {
                refine_exchanged(p);
                wrong = exchange_sets(p);
            }
        } else if (p->d->symmetric || p->restarted) {
            broken = true;
        } else {
            p->restarted = true;
            memset(p->state, INSIDE, p->r);
            start_count(p);
        }
        if (wrong > 0 && p->tries > p->set.patience && sets_returned(p)) {
            lost = p->d->symmetric || p->twice;
            p->twice = !lost || p->twice;
            start_count(p);
        }
        lost = lost || (wrong > 0 && !p->followed && p->singles > p->n);
        if (lost && !p->d->symmetric && !p->followed) {
            lost = false;
            p->followed = true;
            memcpy(p->state, p->best, p->r); /* the path begins at the best sets so far */
            dls_principal_path_follow(&p->path, limit - report->iterations, p->state, report);
            start_count(p);
        }
    }
    if ((broken || lost) && p->d->symmetric)
        return descend_on_faces(p, broken ? broke_down : "single exchanges did not end", lambda, report, error);
    expand_lambda(p, lambda);
    end_rounds(p, wrong, broken, lost, report);
    return DLS_OK;
}

/* --- memory --- */

/* The eliminated rows first; the others start at the bound next to 0, free ones without symmetry inside. */
static void sort_rows(pivoting *p)
{
    size_t rest = p->m, eliminated = 0;
    for (size_t i = 0; i < p->n; i++)
        if (p->m > 0 && dls_bound_free(p->d, i))
            p->row[eliminated++] = i;
        else
            p->row[rest++] = i;
    for (size_t i = 0; i < p->r; i++) {
        size_t row = p->row[p->m + i];
        p->state[i] = dls_bound_free(p->d, row) ? INSIDE : fabs(p->d->lo[row]) <= fabs(p->d->hi[row]) ? LOWER : UPPER;
    }
    memcpy(p->best, p->state, p->r);
}

dls_block_pivoting *dls_block_pivoting_take(const dls_direct *direct, const dls_block_pivoting_settings *settings)
{
    const dls_dense *d = &direct->q;
    dls_arena *memory = direct->memory;
    size_t n = d->n;
    pivoting *p = DLS_TAKE(memory, pivoting, 1);
    if (!p)
        return NULL;
    *p = (pivoting){.d = d, .set = *settings, .n = n};
    for (size_t i = 0; d->symmetric && i < n; i++)
        p->m += dls_bound_free(d, i);
    p->r = n - p->m;
    p->row = DLS_TAKE(memory, size_t, n), p->F = DLS_TAKE(memory, size_t, n);
    p->state = DLS_TAKE(memory, unsigned char, n), p->best = DLS_TAKE(memory, unsigned char, n);
    p->mark = DLS_TAKE(memory, unsigned char, n), p->inside = DLS_TAKE(memory, bool, n);
    DLS_DIRECT_VECTORS(direct, &p->y, &p->g, &p->lambda, &p->w, &p->x, &p->largest, &p->low, &p->rest);
    p->pivots = DLS_TAKE(memory, lapack_int, n);
    p->factor = dls_take_matrix(memory, n, n);
    if (p->m > 0)
        p->partial = dls_take_matrix(memory, n, n);
    p->S = p->m > 0 ? p->partial + p->m * (n + 1) : d->A;
    p->ld = n;
    if (d->symmetric) {
        p->least = DLS_TAKE(memory, double, n);
        dls_exchanged_take(&p->kept, p->r, p->S, p->ld, p->least, p->factor, memory);
        p->descent = dls_active_set_take(direct, p->factor);
    } else {
        dls_principal_path_take(&p->path, direct, p->factor, p->F, p->pivots);
    }
    if (memory->failed)
        return NULL;
    dls_dense_row_max(d, p->largest);
    sort_rows(p);
    for (size_t i = 0; p->least && i < p->r; i++)
        p->least[i] = pivot_margin * d->A[p->row[p->m + i] * (n + 1)];
    return p;
}

static const dls_field fields[] = {
    {"tolerance", "", DLS_FIELD_REAL, offsetof(dls_block_pivoting_settings, tolerance), "1e-14", 0, 1, false, NULL,
     "rounding error of w_i and lambda_i, as a share of |b_i| + max_j |A_ij| sum_j |lambda_j|, all scaled to a unit "
     "diagonal; rows this close to a bound are set to it"},
    {"consistency", "", DLS_FIELD_REAL, offsetof(dls_block_pivoting_settings, consistency), "1e-10", 0, 1, false, NULL,
     "contradiction of dependent rows that counts as a rounding error, as a share of max_i |b_i|, scaled; above it "
     "there is no solution"},
    {"patience", "", DLS_FIELD_COUNT, offsetof(dls_block_pivoting_settings, patience), "10", 0, 1e6, false, NULL,
     "number of block exchanges without a decrease of the number of wrong rows, after which single exchanges begin"},
    {"limit", "", DLS_FIELD_COUNT, offsetof(dls_block_pivoting_settings, limit), "100", 1, 1e9, false, NULL,
     "greatest number of rounds and pivots, divided by the number of rows plus 1"},
};

/* The sets of start impulses; 0 alone is none. */
static void start_sets(pivoting *p, const double *lambda)
{
    bool any = false;
    for (size_t i = 0; i < p->n; i++)
        any |= lambda[i] != 0.0;
    for (size_t i = 0; any && i < p->r; i++) {
        const size_t row = p->row[p->m + i];
        p->state[i] = lambda[row] <= p->d->lo[row] ? LOWER : lambda[row] >= p->d->hi[row] ? UPPER : INSIDE;
    }
    memcpy(p->best, p->state, p->r);
}

static dls_status block_pivoting_solve(dls_direct *d, double *lambda, dls_report *report, dls_error *error)
{
    pivoting *p = dls_block_pivoting_take(d, d->settings);
    DLS_TRY(dls_direct_ready(d, error));
    start_sets(p, lambda);
    return dls_block_pivoting_solve(p, lambda, report, error);
}

dls_status dls_block_pivoting_without_friction(dls_direct *d, double *lambda, dls_report *report, dls_error *error)
{
    dls_block_pivoting_settings set;
    char said[DLS_MESSAGE_MAX / 4];
    DLS_TRY(dls_fields_default(&dls_solver_block_pivoting.fields, &set, error));
    pivoting *p = dls_block_pivoting_take(d, &set);
    DLS_TRY(dls_direct_ready(d, error));
    DLS_TRY(dls_block_pivoting_solve(p, lambda, report, error));
    snprintf(said, sizeof said, "%.*s", (int)sizeof said - 1, report->message);
    dls_report_end(report, report->outcome, "no friction: by block-pivoting%s%s", said[0] ? "; " : "", said);
    return DLS_OK;
}

DLS_DIRECT_SOLVER(block_pivoting, block_pivoting_solve, DLS_DIRECT_ROWS, .name = "block-pivoting",
                  .summary = "block principal pivoting, Cholesky of the free set, with a finite safeguard",
                  .source = "Kostreva 1978; Judice and Pires 1994",
                  .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_TAKES_START,
                  .fields = DLS_FIELD_TABLE(fields, dls_block_pivoting_settings));
