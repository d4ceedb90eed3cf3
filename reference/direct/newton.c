/* Semismooth Newton with line search for mixed LCPs, A of any kind (De Luca, Facchinei and Kanzow 1996; bounds on both
 * sides after Billups 1995).
 *
 * Fischer and Burmeister's phi(a, c) = a + c - sqrt(a^2 + c^2) is 0 exactly where a >= 0, c >= 0, a c = 0. With w =
 * A lambda + b the mixed LCP is Phi(lambda) = 0, where by the bounds of its row Phi_i is
 *     free   w                              lower  phi(lambda - lo, w)
 *     upper  -phi(hi - lambda, -w)          both   phi(lambda - lo, -phi(hi - lambda, -w))
 * An element of the generalised derivative is H = D_lambda + D_w A with diagonal D, from
 *     phi_a = 1 - a / sqrt(a^2 + c^2),   phi_c = 1 - c / sqrt(a^2 + c^2)      (both 1 - 1/sqrt 2 at a = c = 0)
 * and the chain rule where both bounds are finite. The merit function psi = |Phi|^2 / 2 is smooth, grad psi = H^T Phi.
 * A step solves H d = -Phi and halves t from 1 until psi(lambda + t d) <= psi + sigma t grad psi.d (Armijo). For a
 * P-matrix H is regular, psi has no stationary point but the solution, and convergence is quadratic in the end, with
 * degenerate rows too.
 *
 * Where H is singular (reciprocal condition below `singular`) or d is not a direction of descent, the step is that of
 * Levenberg and Marquardt, (H^T H + nu) d = -H^T Phi, nu = |Phi|^2 capped by `damping`: it descends wherever grad psi
 * is not 0, and nu vanishes with Phi, faster than the squares of singular values that count (N. Yamashita,
 * M. Fukushima, Computing Suppl. 15 (2001)); the report counts these steps. Nothing is added to A itself.
 *
 * Free rows of a symmetric A that depend on others make H singular at every point. When H first is, they are found by
 * a Cholesky factor with pivoting and held: Phi_i = lambda_i in the place of w_i, which is 0 for semidefinite A where
 * those of the others are, or the rows contradict each other; all rows have to be solved in the end.
 *
 * Where no step lowers psi any more, or the method has not ended in `patience` steps, as the line search takes short
 * ones along a narrow valley (large condition numbers, skew matrices), x follows the zeros of the smoothed function
 *     phi_mu(a, c) = a + c - sqrt(a^2 + c^2 + 2 mu):   0 where a, c > 0, a c = mu,
 * while mu falls to nothing, and Newton's method goes on from there (C. Kanzow, SIAM J. Matrix Anal. Appl. 17 (1996)).
 *
 * The last step is Newton's for the natural map lambda - clamp(lambda - w): the rows that the map has inside get w = 0,
 * the others their bound. It is taken only if it lowers the natural residual. Where A is singular, Levenberg and
 * Marquardt's steps slow down as nu nears the square of the smallest singular value of H; so when such a step has left
 * the same rows inside as before it, the last step is tried there too, with the d of least norm (complete orthogonal
 * factors), and it ends the method if it solves the problem.
 *
 * Departures: phi is computed as 2 a c / (a + c + sqrt(a^2 + c^2)) where a + c > 0, which loses no digits. a and c have
 * one unit, as the problem is scaled; where an entry beside the diagonal is far above it, as in nearly skew matrices,
 * the row's c is w divided by a power of two next to that entry, for else w outweighs lambda as much as it does. */
#include "direct.h"

#include <lapacke.h>
#include <stdio.h>

/* Steps that a continuation may take from one mu to the next, and those after which the next is nearer. */
enum { STEPS_A_MU = 30, FEW_STEPS = 4 };
/* psi is at most that share of mu where mu falls again, to a tenth at the fastest; mu ends as a share of its start. */
static const double near_path = 0.1, fall = 0.1, least_mu = 1e-16;

typedef struct settings {
    double tolerance, decrease, shortest, singular, damping, rank;
    size_t limit, patience;
} settings;

static const dls_field fields[] = {
    {"tolerance", "", DLS_FIELD_REAL, offsetof(settings, tolerance), "1e-12", 0, 1, true, NULL,
     "natural residual, scaled to a unit diagonal and to max|b| of each block of coupled rows between 1 and 2, up to "
     "which an answer counts as solved; at least the rounding error of w"},
    {"limit", "", DLS_FIELD_COUNT, offsetof(settings, limit), "500", 1, 1e6, false, NULL,
     "greatest number of Newton steps"},
    {"patience", "", DLS_FIELD_COUNT, offsetof(settings, patience), "50", 1, 1e6, false, NULL,
     "number of Newton steps before the first continuation along the zeros of smoothed functions; each next one "
     "follows when the number has doubled"},
    {"decrease", "", DLS_FIELD_REAL, offsetof(settings, decrease), "1e-4", 0, 0.5, true, NULL,
     "sigma: share of the predicted decrease that the line search requires"},
    {"shortest", "", DLS_FIELD_REAL, offsetof(settings, shortest), "1e-10", 0, 1, true, NULL,
     "share of a step below which the line search fails"},
    {"singular", "", DLS_FIELD_REAL, offsetof(settings, singular), "1e-13", 0, 1, true, NULL,
     "reciprocal condition number of H below which a Levenberg-Marquardt step is taken"},
    {"rank", "", DLS_FIELD_REAL, offsetof(settings, rank), "1e-11", 0, 1, true, NULL,
     "share of the largest singular value of H below which a singular value counts as 0 in the step of least norm"},
    {"damping", "", DLS_FIELD_REAL, offsetof(settings, damping), "1e-5", 0, 1e3, true, NULL,
     "greatest nu of a Levenberg-Marquardt step; the diagonal of H is about 1"},
};

typedef struct work {
    settings set;
    const dls_dense *q;
    size_t n;
    double *x, *w, *phi; /* n: lambda, A x + b, Phi */
    double *weight;      /* n: of w in Phi */
    double *dx, *dw;     /* diagonals of H */
    double *gradient, *step, *trial;
    double *kept;                  /* x before a continuation */
    double *H, *G;                 /* n x n */
    lapack_int *pivots, *integers; /* n each */
    size_t *row;                   /* n */
    double *scratch;               /* 4 n */
    double *room;                  /* n_room: of the step of least norm */
    lapack_int n_room;
    bool *held, looked;      /* n: free rows that depend on others; whether they were looked for */
    unsigned char *inside;   /* n: the rows that the natural map found inside when it was last asked */
    double allowed;          /* natural residual of a solution */
    double mu;               /* smoothing of phi; 0 but in the continuation */
    size_t damped;           /* Levenberg-Marquardt steps */
    size_t n_held, n_smooth; /* rows held; continuations */
} work;

/* --- Phi and its derivative --- */

static double fischer(double a, double c, double mu, double *da, double *dc)
{
    double r = mu > 0.0 ? sqrt(a * a + c * c + 2.0 * mu) : hypot(a, c), s = a + c;
    *da = 1.0 - (r > 0.0 ? a / r : sqrt(0.5));
    *dc = 1.0 - (r > 0.0 ? c / r : sqrt(0.5));
    return s > 0.0 ? 2.0 * (a * c - mu) / (s + r) : s - r;
}

/* Phi and the diagonals of H at x; returns psi. */
static double evaluate_phi(work *s, const double *x)
{
    const dls_dense *q = s->q;
    double sum = 0.0;
    dls_dense_w(q, x, s->w);
    for (size_t i = 0; i < s->n; i++) {
        double weight = s->weight[i], phi = weight * s->w[i], dx = 0.0, dw = 1.0, da, dc;
        if (!isinf(q->hi[i]))
            phi = -fischer(q->hi[i] - x[i], -phi, s->mu, &dx, &dw);
        if (s->held[i])
            phi = x[i], dx = 1.0, dw = 0.0;
        if (!isinf(q->lo[i])) {
            phi = fischer(x[i] - q->lo[i], phi, s->mu, &da, &dc);
            dx = da + dc * dx, dw *= dc;
        }
        s->phi[i] = phi, s->dx[i] = dx, s->dw[i] = dw * weight;
        sum += 0.5 * s->phi[i] * s->phi[i];
    }
    return sum;
}

/* Whether x solves the problem, with the w of the last evaluation at x. */
static bool solves(const work *s, const double *x) { return dls_natural_zero(s->q, x, s->w, s->allowed); }

/* --- steps --- */

static void assemble_H(work *s)
{
    for (size_t j = 0; j < s->n; j++)
        for (size_t i = 0; i < s->n; i++)
            s->H[i + s->n * j] = s->dw[i] * s->q->A[i + s->n * j] + (i == j ? s->dx[i] : 0.0);
}

/* step = -H^-1 Phi; false where H is singular. */
static bool newton_step(work *s, dls_report *report)
{
    lapack_int n = (lapack_int)s->n;
    if (!dls_matrix_is_finite(s->n, s->H, false))
        return false;
    double norm = LAPACKE_dlange_work(LAPACK_COL_MAJOR, '1', n, n, s->H, n, s->scratch), rcond = 0.0;
    memcpy(s->G, s->H, s->n * s->n * sizeof *s->G);
    for (size_t i = 0; i < s->n; i++)
        s->step[i] = -s->phi[i];
    report->factorizations++;
    if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, s->G, n, s->pivots) != 0)
        return false;
    LAPACKE_dgecon_work(LAPACK_COL_MAJOR, '1', n, s->G, n, norm, &rcond, s->scratch, s->integers);
    if (!(rcond >= s->set.singular))
        return false;
    return LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, 1, s->G, n, s->pivots, s->step, n) == 0;
}

/* Moves x along the step; false where it is no descent, or no length lowers psi enough. Phi is left at the new x. */
static bool search(work *s, double *psi)
{
    double descent = cblas_ddot((int)s->n, s->gradient, 1, s->step, 1);
    if (!(descent < 0.0))
        return false;
    for (double t = 1.0; t >= s->set.shortest; t *= 0.5) {
        for (size_t i = 0; i < s->n; i++)
            s->trial[i] = s->x[i] + t * s->step[i];
        double value = evaluate_phi(s, s->trial);
        if (value <= *psi + s->set.decrease * t * descent) {
            memcpy(s->x, s->trial, s->n * sizeof *s->x);
            *psi = value;
            return true;
        }
    }
    *psi = evaluate_phi(s, s->x);
    return false;
}

/* Holds the free rows that depend on others, of a symmetric A; false where there is none, and at the second call. */
static bool hold_dependent(work *s)
{
    size_t m = 0;
    lapack_int rank = 0;
    if (s->looked || !s->q->symmetric)
        return false;
    s->looked = true;
    for (size_t i = 0; i < s->n; i++)
        if (dls_bound_free(s->q, i))
            s->row[m++] = i;
    if (m == 0)
        return false;
    dls_dense_block(s->q, m, s->row, s->G);
    LAPACKE_dpstrf_work(LAPACK_COL_MAJOR, 'L', (lapack_int)m, s->G, (lapack_int)m, s->pivots, &rank,
                        16.0 * (double)m * DBL_EPSILON, s->scratch);
    for (size_t k = (size_t)rank; k < m; k++)
        s->held[s->row[s->pivots[k] - 1]] = true;
    s->n_held = m - (size_t)rank;
    return s->n_held > 0;
}

static void linearise(work *s)
{
    int n = (int)s->n;
    assemble_H(s);
    cblas_dgemv(CblasColMajor, CblasTrans, n, n, 1.0, s->H, n, s->phi, 1, 0.0, s->gradient, 1);
}

/* One step from the Phi at x, Newton's or else -(H^T H + nu)^-1 H^T Phi; false where neither kind descends. */
static bool advance_newton(work *s, double *psi, dls_report *report)
{
    lapack_int n = (lapack_int)s->n;
    linearise(s);
    report->iterations++;
    bool regular = newton_step(s, report);
    if (!regular && hold_dependent(s)) {
        *psi = evaluate_phi(s, s->x);
        linearise(s);
        regular = newton_step(s, report);
    }
    if (regular && search(s, psi))
        return true;
    double nu = fmin(2.0 * *psi, s->set.damping);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, n, n, 1.0, s->H, n, 0.0, s->G, n);
    for (size_t i = 0; i < s->n; i++) {
        s->G[i + s->n * i] += nu;
        s->step[i] = -s->gradient[i];
    }
    s->damped++;
    report->factorizations++;
    return dls_matrix_is_finite(s->n, s->G, true) &&
           LAPACKE_dposv_work(LAPACK_COL_MAJOR, 'L', n, 1, s->G, n, s->step, n) == 0 && search(s, psi);
}

/* Finds the rows that are inside by the natural map; returns whether they are the same ones as at the last call. */
static bool settled(work *s)
{
    bool same = true;
    for (size_t i = 0; i < s->n; i++) {
        double target = s->x[i] - s->w[i], at = dls_bound_clamp(s->q, i, target);
        bool inside = at == target;
        same = same && s->inside[i] == inside;
        s->inside[i] = inside;
    }
    return same;
}

/* Newton's step of the natural map from x into trial, or -H^+ Phi where H is singular, and the w there; false where
 * LAPACK fails. Phi and H are then those of the natural map. */
static bool natural_step(work *s, dls_report *report)
{
    lapack_int n = (lapack_int)s->n, rank;
    settled(s);
    for (size_t i = 0; i < s->n; i++) {
        bool inside = s->inside[i] && !s->held[i];
        s->dw[i] = inside ? 1.0 : 0.0;
        s->dx[i] = 1.0 - s->dw[i];
        s->phi[i] = s->held[i] ? s->x[i] : inside ? s->w[i] : s->x[i] - dls_bound_clamp(s->q, i, s->x[i] - s->w[i]);
    }
    assemble_H(s);
    report->iterations++;
    if (!newton_step(s, report)) {
        memcpy(s->G, s->H, s->n * s->n * sizeof *s->G);
        memset(s->pivots, 0, s->n * sizeof *s->pivots);
        for (size_t i = 0; i < s->n; i++)
            s->step[i] = -s->phi[i];
        report->factorizations++;
        if (LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, n, n, 1, s->G, n, s->step, n, s->pivots, s->set.rank, &rank, s->room,
                                s->n_room) != 0)
            return false;
    }
    for (size_t i = 0; i < s->n; i++)
        s->trial[i] = dls_bound_clamp(s->q, i, s->x[i] + s->step[i]);
    evaluate_phi(s, s->trial);
    return true;
}

/* Try the last step where Levenberg and Marquardt's have settled: true if it solves the problem, else x and Phi
 * stay. */
static bool end_early(work *s, dls_report *report)
{
    if (!settled(s))
        return false;
    if (natural_step(s, report) && solves(s, s->trial)) {
        memcpy(s->x, s->trial, s->n * sizeof *s->x);
        return true;
    }
    evaluate_phi(s, s->x);
    return false;
}

/* --- continuation --- */

/* From x along the zeros of the smoothed Phi, until mu is nothing or the path is lost; Phi is left unsmoothed. */
static double follow_smoothed(work *s, dls_report *report)
{
    double psi = 0.0, factor = fall, mu = 1.0;
    bool lost = false;
    for (; mu > least_mu && !lost && report->iterations < s->set.limit; mu *= factor) {
        int steps = 0;
        s->mu = mu;
        psi = evaluate_phi(s, s->x);
        while (psi > near_path * s->mu && !lost)
            lost = !advance_newton(s, &psi, report) || ++steps >= STEPS_A_MU;
        factor = steps > FEW_STEPS ? sqrt(factor) : fmax(factor * factor, fall);
    }
    s->mu = 0.0;
    s->n_smooth++;
    return evaluate_phi(s, s->x);
}

/* --- the method --- */

static void finish_newton(const work *s, bool solved, bool stuck, dls_report *report)
{
    char how[160];
    snprintf(how, sizeof how,
             "%zu steps of Levenberg and Marquardt, %zu redundant free rows held at 0, %zu continuations", s->damped,
             s->n_held, s->n_smooth);
    if (solved && s->damped + s->n_held + s->n_smooth == 0)
        report->outcome = DLS_OUTCOME_SOLVED;
    else if (solved)
        dls_report_end(report, DLS_OUTCOME_SOLVED, "%s", how);
    else if (stuck)
        dls_report_end(
            report, DLS_OUTCOME_NUMERICAL_FAILURE,
            "after %zu steps no direction lowers the merit function, which proves nothing (%s); natural residual %.3g, "
            "scaled",
            report->iterations, how, dls_natural_residual(s->q, s->x, s->w));
    else
        dls_report_end(report, DLS_OUTCOME_ITERATION_LIMIT, "%zu steps (%s); natural residual %.3g, scaled",
                       report->iterations, how, dls_natural_residual(s->q, s->x, s->w));
}

static void take_work(work *s, const dls_direct *d)
{
    *s = (work){.set = *(const settings *)d->settings, .q = &d->q, .n = d->n};
    DLS_DIRECT_VECTORS(d, &s->w, &s->phi, &s->weight, &s->dx, &s->dw, &s->gradient, &s->step, &s->trial, &s->kept);
    s->H = dls_take_matrix(d->memory, s->n, s->n), s->G = dls_take_matrix(d->memory, s->n, s->n);
    s->pivots = DLS_TAKE(d->memory, lapack_int, s->n), s->integers = DLS_TAKE(d->memory, lapack_int, s->n);
    s->scratch = dls_take_matrix(d->memory, 4, s->n);
    s->n_room = (lapack_int)(35 * s->n + 32); /* blocks of 32 columns */
    s->room = DLS_TAKE(d->memory, double, (size_t)s->n_room);
    s->inside = DLS_TAKE_ZEROS(d->memory, unsigned char, s->n);
    s->held = DLS_TAKE_ZEROS(d->memory, bool, s->n);
    s->row = DLS_TAKE(d->memory, size_t, s->n);
}

static dls_status newton_solve(dls_direct *d, double *lambda, dls_report *report, dls_error *error)
{
    work storage, *s = &storage;
    bool stuck = false, solved = false;
    take_work(s, d);
    DLS_TRY(dls_direct_ready(d, error));
    s->x = lambda;
    /* powers of two: 1 where the diagonal is the largest of its row, as in a semidefinite A, up to rounding and
     * units */
    dls_dense_row_max(s->q, s->weight);
    for (size_t i = 0; i < s->n; i++)
        s->weight[i] = s->weight[i] > 4.0 ? ldexp(1.0, -ilogb(s->weight[i])) : 1.0;
    s->allowed = s->set.tolerance;
    for (size_t i = 0; i < s->n; i++)
        s->x[i] = dls_bound_clamp(s->q, i, 0.0);
    double psi = evaluate_phi(s, s->x);
    for (size_t next = s->set.patience; !(solved = solves(s, s->x)) && !stuck && report->iterations < s->set.limit;) {
        size_t damped = s->damped;
        bool moved = advance_newton(s, &psi, report);
        if (s->damped > damped && (solved = end_early(s, report)))
            break;
        if (moved && report->iterations < next)
            continue;
        double before = psi;
        memcpy(s->kept, s->x, s->n * sizeof *s->kept);
        psi = follow_smoothed(s, report);
        if ((solved = end_early(s, report)))
            break;
        next = 2 * report->iterations;
        stuck = !moved && !(psi < before);
    }
    if (stuck) {
        memcpy(s->x, s->kept, s->n * sizeof *s->x);
        evaluate_phi(s, s->x);
    }
    double residual = dls_natural_residual(s->q, s->x, s->w);
    if (solved && s->n > 0 && natural_step(s, report) && dls_natural_residual(s->q, s->trial, s->w) < residual)
        memcpy(s->x, s->trial, s->n * sizeof *s->x);
    finish_newton(s, solved, stuck, report);
    for (size_t i = 0; i < s->n; i++)
        s->x[i] = dls_bound_clamp(s->q, i, s->x[i]);
    return DLS_OK;
}

DLS_DIRECT_SOLVER(newton, newton_solve, DLS_DIRECT_ROWS, .name = "newton",
                  .summary = "semismooth Newton on Fischer and Burmeister's function, with line search",
                  .source = "De Luca, Facchinei and Kanzow 1996; Billups 1995",
                  .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC,
                  .fields = DLS_FIELD_TABLE(fields, settings));
