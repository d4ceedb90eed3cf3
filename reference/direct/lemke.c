/* Lemke's complementary pivoting with the lexicographic ratio test, for mixed problems with bounds, any A.
 *
 * C. E. Lemke, "Bimatrix equilibrium points and mathematical programming", Manag. Sci. 11 (1965); R. W. Cottle, J.-S.
 * Pang, R. E. Stone, "The Linear Complementarity Problem" (1992), algorithms 4.4.1 and 4.9.3. Bounds in the manner of
 * R. W. H. Sargent, "An efficient implementation of the Lemke algorithm and its extension to deal with upper and
 * lower bounds", Math. Prog. Study 7 (1978): implicitly, so that a row with two bounds costs no second row.
 *
 * The path. Every bounded row has a reference bound: lambda_i = lo_i with w_i >= 0, or lambda_i = hi_i with w_i <= 0.
 * With a covering vector d, d_i = 1 on the former and -1 on the latter, the problem
 *
 *     A lambda - w + d t = -b,   lo <= lambda <= hi,   w_i and lambda_i - (its bound) complementary
 *
 * is solved by all lambda at their bounds once t is large, and is the original problem at t = 0. First t falls to the
 * value at which some w_r = 0. From there the complement of the variable that last left the basis enters:
 *     w_i leaves at 0        -> lambda_i enters, away from its bound
 *     lambda_i leaves at lo  -> w_i enters, upwards;    at hi -> w_i enters, downwards
 *     lambda_i enters and reaches its other bound before any basic variable stops it -> w_i enters; the basis stays
 * until t leaves (solved) or nothing stops the entering variable (a ray).
 *
 * Free rows. Their w_i is always 0; their lambda_i is basic and never leaves. That eliminates them by a block pivot on
 * A_FF and leaves Lemke's method on the Schur complement, with d = 0 on free rows. If A_FF is singular, a QR
 * factorisation with column exchange picks independent rows E. For semidefinite A (symmetric or not) x.A x = 0 implies
 * A x = -A^T x, so A_FF has the same null space as its transpose, and A_EE is regular. A dependent free row D of a
 * symmetric A keeps lambda_D = 0: its Schur complement is 0, so w_D follows from the others and should be 0; if it is
 * not, y = e_D - A_EE^-1 A_ED has A y = 0 and y.b = w_D: a Farkas vector. If A is not symmetric, D may still act on
 * bounded rows (as equations with multipliers do); then lambda_D is written as the difference of two impulses >= 0,
 * with w_D >= 0 and -w_D >= 0. Rows with lo = hi have a fixed lambda and any w.
 *
 * Ties. b is read as b + eps g, g with the sign of d, so 0 on free rows, and |g_i| = exp(f_i), f_i the fractional part
 * of i golden sections. The f_i are different algebraic numbers, so that no sum of the g_i with rational coefficients
 * is 0 unless all of these are (theorem of Lindemann and Weierstrass). The rows of the inverse basis are rational, for
 * doubles are, and independent: no two ratios agree in both powers of eps, and no basis comes twice. That holds in
 * exact arithmetic; here g is rounded, and so are its images, and the limit of pivots ends a path that rounding closes.
 * The coefficients of eps are updated like the values. If t is among the tied variables, it leaves.
 *
 * A ray has d.dlambda > 0. For semidefinite A, 0 = dlambda.dw = dlambda.A dlambda + dt d.dlambda gives dt = 0 and
 * A^T dlambda = -A dlambda = -dw, so dlambda is a Farkas vector: b.dlambda - dw.lambda = -t d.dlambda < 0. For any A
 * the vector is checked before it is called a proof, and so are the unit vectors; otherwise a ray proves nothing. The
 * start of the ray is a solution only if t there is at rounding level.
 *
 * The number of pivots may be exponential (K. G. Murty, "Computational complexity of complementary pivot methods",
 * Math. Prog. Study 7 (1978)), but that depends on d: a path that does not end in its part of the pivots is left, and
 * another begins with entries of d that have no pattern.
 *
 * At the end the last basis is factorised again, lambda is solved for, and one step of iterative refinement follows. */
#include "basis.h"
#include "direct.h"

typedef struct settings {
    double pivot_tolerance, rank_tolerance, tie_tolerance, residual_tolerance;
    size_t pivots_per_row, factor_interval, paths;
} settings;

static const dls_field fields[] = {
    {"pivot_tolerance", "", DLS_FIELD_REAL, offsetof(settings, pivot_tolerance), "1e-10", 0, 1, false, NULL,
     "share of the largest entry of a pivot column below which an entry counts as a rounding error"},
    {"rank_tolerance", "", DLS_FIELD_REAL, offsetof(settings, rank_tolerance), "1e-11", 0, 1, false, NULL,
     "share of the first pivot of the QR factorisation below which a free row counts as dependent"},
    {"tie_tolerance", "", DLS_FIELD_REAL, offsetof(settings, tie_tolerance), "1e-13", 0, 1, false, NULL,
     "share of the largest entry of b and of the bounds by which ratios may differ and count as a tie"},
    {"residual_tolerance", "", DLS_FIELD_REAL, offsetof(settings, residual_tolerance), "1e-10", 0, 1, false, NULL,
     "scaled natural residual up to which an answer counts as solved; at least the rounding error of w"},
    {"pivots_per_row", "", DLS_FIELD_COUNT, offsetof(settings, pivots_per_row), "100", 1, 1e6, false, NULL,
     "greatest number of pivots, divided by the number of rows"},
    {"factor_interval", "", DLS_FIELD_COUNT, offsetof(settings, factor_interval), "50", 1, 1000, false, NULL,
     "number of pivots between two factorisations of the basis"},
    {"paths", "", DLS_FIELD_COUNT, offsetof(settings, paths), "10", 1, 1000, false, NULL,
     "greatest number of covering vectors that are tried in turn, each with an equal share of the pivots"},
};

/* The bound of lambda_i that its complement w_i goes with; without one, w_i is 0 or has no sign. */
typedef enum side { LOWER, UPPER, NO_SIDE } side;

/* Powers of two between the entries of d on later paths. */
static const double spread = 4.0;

typedef struct work {
    const dls_direct *direct;
    const dls_dense *q;
    settings set;
    dls_basis basis;
    size_t n, pivots;
    side *side;                         /* n */
    double *cover;                      /* n: d */
    double *g;                          /* n, by rows: the coefficient of eps in b */
    double *x, *x_g;                    /* n, by positions: values and their coefficients of eps */
    double *column;                     /* n, by positions: the entering column times its direction */
    double *right;                      /* n, by rows */
    double *lambda, *scratch;           /* n */
    size_t *tied;                       /* n */
    size_t n_independent, *independent; /* the free rows that are eliminated; then those that depend on them */
} work;

static size_t w_variable(const work *w, size_t i) { return w->n + i; }
static size_t t_variable(const work *w) { return 2 * w->n; }

/* Lists the free rows, independent ones first; returns how many there are. */
static size_t find_independent(work *w, const dls_direct *d)
{
    const dls_dense *q = &d->q;
    size_t m = 0, n_room = 2 * q->n + 32 * (q->n + 1); /* blocks of 32 columns */
    size_t *row = DLS_TAKE(d->memory, size_t, q->n);
    w->independent = DLS_TAKE(d->memory, size_t, q->n);
    for (size_t i = 0; row && i < q->n; i++)
        if (dls_bound_free(q, i))
            row[m++] = i;
    lapack_int *order = DLS_TAKE_ZEROS(d->memory, lapack_int, m), size = (lapack_int)m;
    double *Q = dls_take_matrix(d->memory, m, m), *tau = DLS_TAKE(d->memory, double, m),
           *room = DLS_TAKE(d->memory, double, n_room);
    if (d->memory->failed || m == 0)
        return 0;
    dls_dense_block(q, m, row, Q);
    LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, size, size, Q, size, order, tau, room, (lapack_int)n_room);
    for (size_t k = 0; k < m; k++) {
        w->independent[k] = row[order[k] - 1];
        if (w->n_independent == k && fabs(Q[k + m * k]) > w->set.rank_tolerance * fabs(Q[0]))
            w->n_independent++;
    }
    return m;
}

/* Without symmetry, dependent free rows are written as differences: they may still act on the others. */
static void take_work(work *w, dls_direct *d)
{
    *w = (work){.direct = d, .q = &d->q, .set = *(const settings *)d->settings};
    size_t n_free = find_independent(w, d);
    if (!d->memory->failed && !d->q.symmetric && w->n_independent < n_free)
        dls_direct_split(d, n_free - w->n_independent, w->independent + w->n_independent);
    size_t n = w->n = d->q.n;
    w->side = DLS_TAKE(d->memory, side, n);
    w->tied = DLS_TAKE(d->memory, size_t, n);
    DLS_DIRECT_VECTORS(d, &w->cover, &w->g, &w->x, &w->x_g, &w->column, &w->right, &w->lambda, &w->scratch);
    dls_basis_take(&w->basis, d->memory, n, d->q.A, w->cover, w->set.factor_interval);
}

/* --- the basis and its values --- */

/* The value of lambda_i while it is not basic. */
static double resting(const work *w, size_t i)
{
    const dls_dense *q = w->q;
    return w->side[i] == LOWER ? q->lo[i] : w->side[i] == UPPER || q->lo[i] == q->hi[i] ? q->hi[i] : 0.0;
}

/* x and x_g from a new factorisation. */
static bool refresh_basis(work *w)
{
    const dls_dense *q = w->q;
    if (!dls_basis_factorise(&w->basis))
        return false;
    for (size_t i = 0; i < w->n; i++) {
        w->right[i] = -q->b[i];
        w->scratch[i] = -w->g[i];
    }
    for (size_t j = 0; j < w->n; j++)
        if (w->basis.where[j] == DLS_NOT_BASIC && resting(w, j) != 0.0)
            cblas_daxpy((int)w->n, -resting(w, j), q->A + w->n * j, 1, w->right, 1);
    dls_basis_solve(&w->basis, w->right, w->x);
    dls_basis_solve(&w->basis, w->scratch, w->x_g);
    return true;
}

static void enter_column(work *w, size_t variable, double direction)
{
    dls_basis_column(&w->basis, variable, w->right);
    dls_basis_solve(&w->basis, w->right, w->column);
    cblas_dscal((int)w->n, direction, w->column, 1);
}

typedef struct entrant {
    size_t variable;
    double start, direction;
} entrant;

/* The entrant comes in by `length`; position p leaves. False on a singular basis. */
static bool pivot_basis(work *w, size_t p, entrant in, double length)
{
    double length_g = w->x_g[p] / w->column[p];
    cblas_daxpy((int)w->n, -length, w->column, 1, w->x, 1);
    cblas_daxpy((int)w->n, -length_g, w->column, 1, w->x_g, 1);
    w->x[p] = in.start + in.direction * length;
    w->x_g[p] = in.direction * length_g;
    cblas_dscal((int)w->n, in.direction, w->column, 1);
    w->pivots++;
    return dls_basis_update(&w->basis, p, in.variable, w->column) || refresh_basis(w);
}

/* --- the ratio test --- */

/* How far the entering variable comes before the basic one at position p meets the end of its range. */
static double ratio(const work *w, size_t p)
{
    double slope = w->column[p], end;
    size_t variable = w->basis.head[p];
    if (variable < w->n)
        end = slope > 0.0 ? w->q->lo[variable] : w->q->hi[variable];
    else if (slope > 0.0)
        end = variable == t_variable(w) || w->side[variable - w->n] == LOWER ? 0.0 : -HUGE_VAL;
    else
        end = variable != t_variable(w) && w->side[variable - w->n] == UPPER ? 0.0 : HUGE_VAL;
    return fmax((w->x[p] - end) / slope, 0.0);
}

/* Choose among the tied positions that of t, or else the one that the least eps lets stop first. */
static size_t break_tie(const work *w, size_t count)
{
    size_t first = w->tied[0];
    for (size_t k = 0; k < count; k++) {
        size_t p = w->tied[k];
        if (w->basis.head[p] == t_variable(w))
            return p;
        if (w->x_g[p] / w->column[p] < w->x_g[first] / w->column[first])
            first = p;
    }
    return first;
}

/* The position that stops the entering variable, or DLS_NOT_BASIC; *length how far it comes. */
static size_t stopping_position(work *w, double *length)
{
    double largest = w->n ? fabs(w->column[cblas_idamax((int)w->n, w->column, 1)]) : 0.0, first = HUGE_VAL;
    double noise = w->set.pivot_tolerance * largest, tie = w->set.tie_tolerance;
    size_t count = 0;
    for (size_t p = 0; p < w->n; p++)
        if (fabs(w->column[p]) > noise)
            first = fmin(first, ratio(w, p));
    for (size_t p = 0; p < w->n && first < HUGE_VAL; p++)
        if (fabs(w->column[p]) > noise) {
            const size_t variable = w->basis.head[p];
            const double size = variable == t_variable(w) ? 1.0 : dls_direct_size(w->direct, variable % w->n);
            if (ratio(w, p) <= first + tie * size)
                w->tied[count++] = p;
        }
    *length = first;
    if (count == 0)
        return DLS_NOT_BASIC;
    size_t p = count == 1 ? w->tied[0] : break_tie(w, count);
    *length = ratio(w, p);
    return p;
}

/* --- start --- */

/* The reference bounds; then w_i leaves the basis and lambda_i enters for the independent free rows. */
static void choose_start(work *w, size_t path)
{
    const dls_dense *q = w->q;
    double fraction = 0.0;
    dls_basis_start(&w->basis);
    for (size_t i = 0; i < w->n; i++) {
        bool fixed = q->lo[i] == q->hi[i];
        w->side[i] = fixed ? NO_SIDE : isfinite(q->lo[i]) ? LOWER : isfinite(q->hi[i]) ? UPPER : NO_SIDE;
        w->cover[i] = w->side[i] == LOWER ? 1.0 : w->side[i] == UPPER ? -1.0 : 0.0;
        fraction = fmod(fraction + 0.6180339887498949, 1.0); /* the golden section */
        w->g[i] = w->cover[i] * exp(fraction);
        if (path > 0)
            w->cover[i] *= exp2(-spread * fmod(fraction * (double)(path + 1), 1.0));
    }
    for (size_t k = 0; k < w->n_independent; k++)
        dls_basis_exchange(&w->basis, w->basis.where[w_variable(w, w->independent[k])], w->independent[k]);
}

/* t enters; the bounded row that needs most of it leaves. Returns that row, or DLS_NOT_BASIC if t = 0 will do. */
static size_t first_row(const work *w)
{
    size_t worst = DLS_NOT_BASIC;
    double most = 0.0, most_g = 0.0;
    for (size_t i = 0; i < w->n; i++) {
        if (w->side[i] == NO_SIDE)
            continue;
        size_t p = w->basis.where[w_variable(w, i)];
        double need = -w->x[p] / w->cover[i], need_g = -w->x_g[p] / w->cover[i];
        if (need > most || (need == most && worst != DLS_NOT_BASIC && need_g > most_g)) {
            worst = i;
            most = need;
            most_g = need_g;
        }
    }
    return worst;
}

/* --- end --- */

static void collect_lambda(work *w)
{
    for (size_t i = 0; i < w->n; i++)
        w->lambda[i] = w->basis.where[i] == DLS_NOT_BASIC ? resting(w, i) : w->x[w->basis.where[i]];
}

/* The answer of the last basis: a new factorisation, and one step of refinement, in which the basic variables correct
 * A lambda - w + b. */
static void conclude_path(work *w, dls_report *report)
{
    double residual;
    if (!refresh_basis(w)) {
        dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE, "the last basis is singular");
        return;
    }
    collect_lambda(w);
    dls_direct_residual(w->direct, w->lambda, w->right);
    for (size_t i = 0; i < w->n; i++) {
        size_t p = w->basis.where[w_variable(w, i)];
        w->right[i] = (p == DLS_NOT_BASIC ? 0.0 : w->x[p]) - w->right[i];
    }
    dls_basis_solve(&w->basis, w->right, w->scratch);
    cblas_daxpy((int)w->n, 1.0, w->scratch, 1, w->x, 1);
    collect_lambda(w);
    if (dls_direct_solved(w->direct, w->lambda, w->set.residual_tolerance, w->scratch, &residual))
        report->outcome = DLS_OUTCOME_SOLVED;
    else
        dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE,
                       "t reached 0, but the scaled natural residual is %.3g, above rounding", residual);
}

/* scratch = dlambda while `variable` enters in `direction`, whose column is at hand. */
static void form_direction(work *w, size_t variable, double direction)
{
    memset(w->scratch, 0, w->n * sizeof *w->scratch);
    for (size_t p = 0; p < w->n; p++)
        if (w->basis.head[p] < w->n)
            w->scratch[w->basis.head[p]] = -w->column[p];
    if (variable < w->n)
        w->scratch[variable] = direction;
}

/* Reports y (n entries, in scratch) where it is a proof. */
static dls_status prove_farkas(work *w, dls_report *report, dls_error *error)
{
    double bound;
    return dls_direct_farkas(w->direct, w->scratch, &bound)
               ? dls_direct_report_farkas(w->direct, w->scratch, bound, report, error)
               : DLS_OK;
}

static double t_value(const work *w)
{
    size_t at = w->basis.where[t_variable(w)];
    return at == DLS_NOT_BASIC ? 0.0 : w->x[at];
}

/* A row whose w has a sign that no bound of its own allows, wherever lambda is within the bounds: y = e_i or -e_i is
 * then a proof, for any A. */
static dls_status prove_by_one_row(work *w, dls_report *report, dls_error *error)
{
    const dls_dense *q = w->q;
    for (size_t k = 0; k < 2 * w->n && report->outcome != DLS_OUTCOME_NO_SOLUTION; k++) {
        const size_t i = k / 2;
        const double sign = k % 2 == 0 ? 1.0 : -1.0;
        double most = isinf(sign > 0.0 ? q->hi[i] : q->lo[i]) ? sign * q->b[i] : HUGE_VAL;
        for (size_t j = 0; j < w->n && most < HUGE_VAL; j++) {
            double a = sign * q->A[i + w->n * j];
            most += a > 0.0 ? a * q->hi[j] : a < 0.0 ? a * q->lo[j] : 0.0;
        }
        if (most >= 0.0)
            continue;
        memset(w->scratch, 0, w->n * sizeof *w->scratch);
        w->scratch[i] = sign;
        DLS_TRY(prove_farkas(w, report, error));
    }
    return DLS_OK;
}

/* Where the ray begins, A lambda + b is w - d t: a solution if that is within the tolerance, else the direction of the
 * ray may be a proof. */
static dls_status end_in_ray(work *w, size_t entering, double direction, dls_report *report, dls_error *error)
{
    double residual;
    collect_lambda(w);
    if (dls_direct_solved(w->direct, w->lambda, w->set.residual_tolerance, w->scratch, &residual)) {
        dls_report_end(report, DLS_OUTCOME_SOLVED, "up to rounding: the path ends in a ray at t = %.3g", t_value(w));
        return DLS_OK;
    }
    form_direction(w, entering, direction);
    DLS_TRY(prove_farkas(w, report, error));
    if (report->outcome == DLS_OUTCOME_RUNNING)
        dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE,
                       "the path ends in a ray at t = %.3g whose direction is no Farkas vector: for a matrix that is "
                       "not semidefinite "
                       "that proves nothing",
                       t_value(w));
    return DLS_OK;
}

/* --- the path --- */

/* The variable that enters after lambda_i reached its bound, or w_i reached 0; after t, t itself: the end of the
 * path. */
static entrant complement_of(const work *w, size_t variable)
{
    if (variable == t_variable(w))
        return (entrant){variable, 0.0, 0.0};
    size_t i = variable < w->n ? variable : variable - w->n;
    double inward = w->side[i] == LOWER ? 1.0 : -1.0;
    if (variable < w->n)
        return (entrant){w_variable(w, i), 0.0, inward};
    return (entrant){i, resting(w, i), inward};
}

/* One pivot or one flip; *in becomes the variable that enters next. */
static dls_status advance_path(work *w, entrant *in, dls_report *report, dls_error *error)
{
    double length, span = in->variable < w->n ? w->q->hi[in->variable] - w->q->lo[in->variable] : HUGE_VAL;
    enter_column(w, in->variable, in->direction);
    size_t p = stopping_position(w, &length);
    if (span < length) {
        cblas_daxpy((int)w->n, -span, w->column, 1, w->x, 1);
        w->side[in->variable] = w->side[in->variable] == LOWER ? UPPER : LOWER;
        w->pivots++;
        *in = complement_of(w, in->variable);
        return DLS_OK;
    }
    if (p == DLS_NOT_BASIC)
        return end_in_ray(w, in->variable, in->direction, report, error);
    size_t leaving = w->basis.head[p];
    if (leaving < w->n)
        w->side[leaving] = w->column[p] > 0.0 ? LOWER : UPPER;
    entrant next = complement_of(w, leaving);
    if (!pivot_basis(w, p, *in, length))
        dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE, "a singular basis after %zu pivots", w->pivots);
    *in = next;
    return DLS_OK;
}

/* A proof where a dependent free row has a w that is not 0 whatever the others do. */
static dls_status check_dependent(work *w, dls_report *report, dls_error *error)
{
    const dls_dense *q = w->q;
    for (size_t i = 0; i < w->n && report->outcome == DLS_OUTCOME_RUNNING; i++) {
        size_t at = w->basis.where[w_variable(w, i)];
        if (at == DLS_NOT_BASIC || !dls_bound_free(q, i))
            continue;
        if (fabs(w->x[at]) <= w->set.residual_tolerance * dls_direct_size(w->direct, i))
            continue;
        enter_column(w, i, 1.0);
        form_direction(w, i, 1.0);
        if (cblas_ddot((int)w->n, w->scratch, 1, q->b, 1) > 0.0)
            cblas_dscal((int)w->n, -1.0, w->scratch, 1);
        DLS_TRY(prove_farkas(w, report, error));
    }
    return DLS_OK;
}

/* From the start to the end of the path, or to the pivot number `limit`. */
static dls_status follow_path(work *w, size_t limit, dls_report *report, dls_error *error)
{
    size_t r = first_row(w);
    if (r == DLS_NOT_BASIC) {
        conclude_path(w, report);
        return DLS_OK;
    }
    size_t p = w->basis.where[w_variable(w, r)];
    enter_column(w, t_variable(w), 1.0);
    entrant in = complement_of(w, w_variable(w, r));
    if (!pivot_basis(w, p, (entrant){t_variable(w), 0.0, 1.0}, w->x[p] / w->column[p]))
        dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE, "a singular first basis");
    while (report->outcome == DLS_OUTCOME_RUNNING && in.variable != t_variable(w) && w->pivots < limit)
        DLS_TRY(advance_path(w, &in, report, error));
    if (report->outcome == DLS_OUTCOME_RUNNING && in.variable == t_variable(w))
        conclude_path(w, report);
    return DLS_OK;
}

static dls_status lemke_solve(dls_direct *d, double *lambda, dls_report *report, dls_error *error)
{
    work storage, *w = &storage;
    dls_status status = DLS_OK;
    take_work(w, d);
    DLS_TRY(dls_direct_ready(d, error));
    size_t path = 0, most = w->set.pivots_per_row * w->n;
    for (; path < w->set.paths && report->outcome == DLS_OUTCOME_RUNNING && status == DLS_OK; path++) {
        choose_start(w, path);
        if (!refresh_basis(w))
            dls_report_end(report, DLS_OUTCOME_REFUSED,
                           "the free rows are dependent and do not form a regular block: A is not semidefinite");
        else if (path == 0)
            status = check_dependent(w, report, error);
        if (status == DLS_OK && report->outcome == DLS_OUTCOME_RUNNING)
            status = follow_path(w, w->pivots + (most - w->pivots) / (w->set.paths - path), report, error);
    }
    if (status == DLS_OK && report->outcome == DLS_OUTCOME_NUMERICAL_FAILURE)
        status = prove_by_one_row(w, report, error);
    if (report->outcome == DLS_OUTCOME_RUNNING)
        dls_report_end(report, DLS_OUTCOME_ITERATION_LIMIT, "%zu pivots on %zu paths, t = %.3g on the last", w->pivots,
                       path, t_value(w));
    else if (path > 1 && report->outcome == DLS_OUTCOME_SOLVED)
        dls_report_end(report, DLS_OUTCOME_SOLVED, "on path %zu; those before it had not ended after %zu pivots each",
                       path, most / w->set.paths);
    if (report->outcome != DLS_OUTCOME_SOLVED)
        collect_lambda(w);
    report->iterations = w->pivots;
    report->factorizations = w->basis.factorizations;
    dls_direct_join(d, w->lambda, lambda);
    return status;
}

DLS_DIRECT_SOLVER(lemke, lemke_solve, DLS_DIRECT_ROWS, .name = "lemke",
                  .summary = "Lemke's complementary pivoting with lexicographic ratio test and implicit bounds; any A",
                  .source = "Lemke 1965; Cottle, Pang, Stone 1992; Sargent 1978",
                  .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC,
                  .fields = DLS_FIELD_TABLE(fields, settings));
